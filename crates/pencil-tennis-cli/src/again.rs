//! The command that goes on with interrupted work: the one that was given, with the file that it
//! resumes.

use std::ffi::OsString;
use std::path::Path;

use clap::{Arg, Command};

use super::usage::{self, given_command};
use super::word::quoted;

/// The options of a command whose work is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    /// The option that names the file which keeps the work.
    pub(super) option: &'static str,
    /// Arguments, by their names in the code, that the file knows, so that the command refuses them
    /// beside it.
    pub(super) known: &'static [&'static str],
}

impl Kept {
    pub(super) const CHECKPOINT: Self = Self { option: "checkpoint", known: &[] };

    /// Whether an argument is left out: the names of the files, which are set anew, and what is not
    /// allowed beside `--resume`.
    fn drops(self, command: &Command, argument: &Arg) -> bool {
        let id = argument.get_id();
        let excludes = |one: &Arg, other: &Arg| {
            command.get_arg_conflicts_with(one).iter().any(|arg| arg.get_id() == other.get_id())
        };
        let resume = command.get_arguments().find(|arg| arg.get_id() == "resume");
        id == "resume"
            || id == self.option
            || self.known.iter().any(|&known| id == known)
            || resume.is_some_and(|resume| excludes(resume, argument) || excludes(argument, resume))
    }

    /// The given arguments in their order, quoted for a shell, with `part` as the file to go on
    /// from and to keep.
    pub(super) fn again(self, part: &Path) -> String {
        let given = std::env::args_os().skip(1).collect();
        let (mut words, positionals) = self.remaining(&given_command(), given);
        words.extend([
            "--resume".into(),
            part.into(),
            format!("--{}", self.option).into(),
            part.into(),
        ]);
        words.extend(positionals);
        words.iter().map(quoted).collect::<Vec<_>>().join(" ")
    }

    /// The words that stay, which begin with the names of the command; apart from them `--` with
    /// all that follows it.
    fn remaining(
        self,
        command: &Command,
        mut given: Vec<OsString>,
    ) -> (Vec<OsString>, Vec<OsString>) {
        let positionals = given
            .iter()
            .position(|word| word == "--")
            .map_or(Vec::new(), |index| given.split_off(index));
        let mut words = Vec::new();
        let mut positional = 0;
        let mut given = given.into_iter();
        words.extend(given.by_ref().take(usage::given().count()));
        while let Some(word) = given.next() {
            // The name of an option is text, whatever its value is.
            let text = word.to_string_lossy();
            let argument = option(command, &text).or_else(|| {
                positional += 1;
                command.get_positionals().nth(positional - 1)
            });
            // The value of an option is the next word, unless it stands in the same one.
            let value = if takes_next(command, &text) { given.next() } else { None };
            if !argument.is_some_and(|argument| self.drops(command, argument)) {
                words.push(word);
                words.extend(value);
            }
        }
        (words, positionals)
    }
}

/// The option that a word names.
fn option<'c>(command: &'c Command, word: &str) -> Option<&'c Arg> {
    if let Some(long) = word.strip_prefix("--") {
        let name = long.split_once('=').map_or(long, |(name, _)| name);
        return command.get_arguments().find(|argument| argument.get_long() == Some(name));
    }
    let short = word.strip_prefix('-').and_then(|rest| rest.chars().next())?;
    command.get_arguments().find(|argument| argument.get_short() == Some(short))
}

/// Whether the next word is the value of the option that a word names.
fn takes_next(command: &Command, word: &str) -> bool {
    let is_alone =
        if word.starts_with("--") { !word.contains('=') } else { word.chars().count() == 2 };
    let takes =
        |argument: &Arg| argument.get_action().takes_values() && !argument.is_require_equals_set();
    is_alone && option(command, word).is_some_and(takes)
}
