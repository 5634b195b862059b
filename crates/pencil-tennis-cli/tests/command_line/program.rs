//! The program, run as scripts run it.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The real program, run in `folder`, without a person to talk to.
pub(crate) fn program(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pencil-tennis"));
    command.args(args).current_dir(folder).stdin(Stdio::null()).env_remove("RUST_BACKTRACE");
    command
}

pub(crate) fn run(folder: &Path, args: &[&str]) -> Output {
    program(folder, args).output().expect("the program starts")
}

pub(crate) fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// The output of a successful run, which prints nothing on standard error.
pub(crate) fn stdout(folder: &Path, args: &[&str]) -> String {
    let output = run(folder, args);
    // On a slow machine a run takes longer than that.
    let printed: String = text(&output.stderr)
        .split_inclusive('\n')
        .filter(|line| !line.starts_with("progress: "))
        .collect();
    assert_eq!((output.status.code(), printed), (Some(0), String::new()), "{args:?}");
    text(&output.stdout)
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// The JSON that a successful run prints on standard output, and nothing else.
pub(crate) fn json(folder: &Path, args: &[&str]) -> Value {
    parse(&stdout(folder, &[args, &["--format", "json"]].concat()))
}

pub(crate) fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// The names in a JSON object, separated by spaces, in alphabetical order; without those of the
/// head that every report has.
pub(crate) fn keys(value: &Value) -> String {
    let names: BTreeSet<&str> =
        value.as_object().expect("an object").keys().map(String::as_str).collect();
    let names = names.into_iter().filter(|name| !["format_version", "rules"].contains(name));
    names.collect::<Vec<_>>().join(" ")
}

pub(crate) fn array(value: &Value) -> &[Value] {
    value.as_array().expect("an array")
}

pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// All files of a folder, hidden ones too, with their content.
pub(crate) fn content(folder: &Path) -> BTreeMap<OsString, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    entries.map(|entry| (entry.file_name(), fs::read(entry.path()).unwrap_or_default())).collect()
}

/// The run fails with this status and a sentence with these words; it prints no result and leaves
/// every file as it was.
pub(crate) fn assert_refused(folder: &Path, args: &[&str], status: i32, words: &[&str]) {
    let before = content(folder);
    let output = run(folder, args);
    let sentence = text(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{args:?}: {sentence}");
    assert_eq!(text(&output.stdout), "", "{args:?}");
    assert!(
        sentence.starts_with("error: ") || sentence.starts_with("pencil-tennis: "),
        "{args:?}: {sentence}"
    );
    for word in words {
        assert!(sentence.contains(word), "{args:?}: no `{word}` in: {sentence}");
    }
    // What the system says is said once.
    assert!(sentence.matches("os error").count() <= 1, "{args:?}: {sentence}");
    assert!(content(folder) == before, "{args:?} changed a file");
}
