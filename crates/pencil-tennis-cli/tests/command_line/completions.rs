//! The completion script for bash, in bash.

use std::fs;
use std::process::Command;

use crate::program::{folder, run, stdout, text};

/// The words that bash offers after these, of which the last is begun.
fn offered(script: &str, words: &[&str]) -> Vec<String> {
    let folder = folder();
    fs::write(folder.path().join("completions"), script).expect("room");
    // What bash sets before it calls the function that the script registers.
    let run = r#"
        source completions
        function=$(complete -p pencil-tennis | sed 's/.*-F \([^ ]*\) .*/\1/')
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        "$function" pencil-tennis "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let output = Command::new("bash")
        .args(["-c", run, "bash"])
        .args(words)
        .current_dir(folder.path())
        .output();
    let output = output.expect("bash");
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()), "{words:?}");
    text(&output.stdout).lines().map(str::to_owned).collect()
}

/// The program's name has a hyphen, which is where labels go wrong: every word after the first
/// depends on them.
#[test]
fn bash_completes_every_word() {
    let script = stdout(folder().path(), &["completions", "bash"]);
    for (words, expected) in [
        (&["pencil-tennis", "sho"][..], &["show"][..]),
        (&["pencil-tennis", "solve", "--metho"], &["--method"]),
        (&["pencil-tennis", "solve", "--method", "si"], &["simplex"]),
        (&["pencil-tennis", "plot", "re"], &["regret"]),
        (&["pencil-tennis", "plot", "regret", "--player", ""], &["A", "B"]),
        (&["pencil-tennis", "tennis", "blind", "--inf"], &["--information"]),
        (&["pencil-tennis", "help", "du"], &["duel"]),
    ] {
        assert_eq!(offered(&script, words), expected, "{words:?}");
    }
}

/// A manual page for every command, with its examples.
#[test]
fn manual_pages_are_written() {
    let folder = folder();
    let output = run(folder.path(), &["manual", "pages"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for (page, words) in [
        ("pencil-tennis.1", "Exact solver of simultaneous\\-move games"),
        ("pencil-tennis-solve.1", "pencil\\-tennis solve @snowball"),
        ("pencil-tennis-tennis-blind.1", "only the ball is announced"),
    ] {
        let page = fs::read_to_string(folder.path().join("pages").join(page)).expect("a page");
        assert!(page.starts_with(".ie") && page.contains(words), "{page}");
    }
    // Old spellings are no commands.
    assert!(!folder.path().join("pages/pencil-tennis-game.1").exists());
}
