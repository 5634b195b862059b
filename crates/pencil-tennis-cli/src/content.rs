//! The sort of a file, recognised by its beginning whatever its name, what a word on the command
//! line therefore names, and the command that takes it.

use std::env;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use pencil_tennis::TableFile;
use pencil_tennis::model_checking::is_model_text;
use pencil_tennis::report::{PayoffReading, WrittenMatrix};

use super::word::{Word, quoted};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Game,
    GameProof,
    HiddenProof,
    Play,
    GamePolicy,
    HiddenPolicy,
    GameValues,
    /// A table or checkpoint of a game of other rules, without the game.
    GameTable,
    /// A table of Tennis' values.
    Values,
    Policy,
    /// A certificate or table file of Tennis.
    Proof,
    /// A table, a strategic form, or another file of one matrix game.
    Matrix,
    /// An extensive form of Gambit.
    Tree,
    /// The transitions of a model checker's export.
    Model,
    /// Text in UTF-16, which no command reads.
    Utf16,
    /// Another JSON object.
    Json,
    /// Another text.
    Text,
}

/// The bytes of a file that are read to recognise it.
const LONGEST_BEGINNING: usize = 1 << 16;

impl Content {
    /// `None` for other data, and if there is no such file.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let mut begin = Vec::new();
        // Opening a pipe would wait for its writer.
        File::open(Some(path).filter(|path| path.is_file())?)
            .ok()?
            .take(LONGEST_BEGINNING as u64)
            .read_to_end(&mut begin)
            .ok()?;
        if begin.starts_with(&[0xff, 0xfe]) || begin.starts_with(&[0xfe, 0xff]) {
            return Some(Self::Utf16);
        }
        let text = begin.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&begin).trim_ascii_start();
        let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let line: String = String::from_utf8_lossy(line).split_whitespace().collect();
        if line.starts_with('{') {
            if line.contains(r#""format":"hidden-game-proof""#) {
                return Some(Self::HiddenProof);
            }
            let formats = [("", Self::Game), ("-proof", Self::GameProof), ("-play", Self::Play)];
            let is = |(ending, _): &(&str, Self)| {
                line.contains(&format!(r#""format":"stochastic-game{ending}""#))
            };
            return Some(formats.into_iter().find(is).map_or(Self::Json, |(_, content)| content));
        }
        let columns: Vec<&str> = line.split(',').collect();
        let tables: [(&[&str], Self); 5] = [
            (&["state", "player", "action", "probability"], Self::GamePolicy),
            (&["player", "set", "action", "probability"], Self::HiddenPolicy),
            (&["state", "value", "lower", "upper"], Self::GameValues),
            (&["a", "b", "ball", "player", "bid", "probability"], Self::Policy),
            (&["a", "b", "ball", "value", "lower", "upper"], Self::Values),
        ];
        if let Some((_, table)) =
            tables.into_iter().find(|(names, _)| names.iter().all(|name| columns.contains(name)))
        {
            return Some(table);
        }
        if [b"STOGAMCP", b"PTSTATES", b"PTHIDDEN"].iter().any(|magic| text.starts_with(*magic)) {
            return Some(Self::GameTable);
        }
        if text.starts_with(b"TENNIS") {
            return [b"TENNISPF", b"TENNISTB"]
                .iter()
                .any(|magic| text.starts_with(*magic))
                .then_some(Self::Proof);
        }
        if text.starts_with(b"NFG ") || text.starts_with(b"[") || text.starts_with(b"\x93NUMPY") {
            return Some(Self::Matrix);
        }
        if text.starts_with(b"EFG ") {
            return Some(Self::Tree);
        }
        if path.extension().is_some_and(|ending| ending == "tra") {
            return Some(Self::Model);
        }
        // Not what was read of a longer file, but all of it.
        if begin.len() < LONGEST_BEGINNING
            && WrittenMatrix::read(&begin, PayoffReading::Exact).is_ok()
        {
            return Some(Self::Matrix);
        }
        let is_text = text.len() >= 8
            && text.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
        is_text.then_some(Self::Text)
    }
}

/// Whether a word names a game rather than points, a state or a player of Tennis.
pub(super) fn names_game(word: &Word) -> bool {
    let has_ending = |ending: &str| ["jsonl", "tra", "efg"].contains(&ending);
    let is_named = word.text().is_some_and(|text| text.starts_with('@'))
        || word.path().extension().and_then(OsStr::to_str).is_some_and(has_ending);
    is_named || Content::of(word.path()) == Some(Content::Game)
}

/// Whether a word is a file, or standard input, from which a game can be read: its content says
/// which game.
pub(super) fn is_game_file(word: &Word) -> bool {
    let path = word.path();
    word.is("-") || is_model_text(path) || path.exists() && !path.is_dir()
}

/// Whether a word is a table file or a checkpoint of Tennis.
pub(super) fn is_table(word: &Word) -> bool {
    let path = word.path();
    path.is_file() && TableFile::is_table(path)
}

/// The commands that take any game.
const TAKE_GAMES: [&str; 10] =
    ["solve", "show", "export", "prove", "exploit", "duel", "train", "play", "explore", "plot"];

/// The commands in which a table of Tennis stands as the game; its faults are their own.
const TAKE_TABLES: [&str; 8] =
    ["solve", "show", "export", "prove", "exploit", "play", "plot", "tennis"];

/// After a failure: a sentence on the first file of the command line that its command does not
/// take.
pub(super) fn misplaced() -> Option<String> {
    let words: Vec<Word> = env::args_os().skip(1).map(Word::from).collect();
    let command = words.first()?.text()?;
    let contents: Vec<_> = words.iter().map(|word| Content::of(word.path())).collect();
    let has_game = words.iter().any(names_game);
    for ((before, word), content) in words.iter().zip(&words[1..]).zip(&contents[1..]) {
        // Other options name files to write, or say themselves what they expect.
        let before = before.text().unwrap_or_default();
        let is_read =
            !before.starts_with('-') || ["--game", "--against", "--policy"].contains(&before);
        let Some(content) = content.filter(|_| is_read) else { continue };
        let file = quoted(word);
        let is_of_tennis = ["exploit", "duel", "plot"].contains(&command);
        let by =
            |what, command, does| format!("{what}; `pencil-tennis {command} {file}` {does} it");
        let (is_taken, advice) = match content {
            Content::Game => {
                let is_played = command == "replay" && contents.contains(&Some(Content::Play));
                let is_taken = is_played || TAKE_GAMES.contains(&command);
                (is_taken, by("a game of other rules", "solve", "solves"))
            }
            Content::HiddenPolicy => {
                let is_taken = has_game && ["exploit", "play", "duel"].contains(&command);
                let judges = format!("`pencil-tennis exploit {file} GAME` judges it");
                (is_taken, format!("a policy of a game with hidden information; {judges}"))
            }
            Content::GameProof | Content::HiddenProof => {
                (false, by("a certificate of a game", "verify", "checks"))
            }
            Content::Play => (command == "replay", by("a record of play", "replay", "judges")),
            Content::GamePolicy => {
                let judges = format!("`pencil-tennis exploit {file} GAME` judges it");
                (has_game, format!("a policy of a game of other rules; {judges}"))
            }
            Content::GameValues => {
                (false, "a table of a game's values, which no command reads".to_owned())
            }
            Content::Values => {
                (false, "a table of Tennis' values, which no command reads".to_owned())
            }
            Content::GameTable => {
                let shows = format!("`pencil-tennis show GAME --table {file}` reads it");
                (false, format!("a table of a game of other rules, without the game; {shows}"))
            }
            Content::Policy => (
                is_of_tennis || before == "--against",
                by("a policy of Tennis", "exploit", "judges"),
            ),
            Content::Proof => {
                let is_taken = is_table(word) && TAKE_TABLES.contains(&command);
                (is_taken, by("a certificate or table of Tennis", "verify", "checks"))
            }
            Content::Utf16 => (false, "text in UTF-16; expected a file saved as UTF-8".to_owned()),
            Content::Matrix if ["play", "explore", "plot", "duel", "train"].contains(&command) => {
                (false, by("one matrix game", "solve", "solves"))
            }
            Content::Matrix | Content::Tree | Content::Model | Content::Json | Content::Text => {
                continue;
            }
        };
        if !is_taken && (command != "verify" || content == Content::Utf16) {
            let more =
                "; with the game as the last word, a file or @NAME, this command reads it, too";
            let needs_game = content == Content::GamePolicy && ["duel", "plot"].contains(&command);
            return Some(format!("{word} is {advice}{}", if needs_game { more } else { "" }));
        }
    }
    None
}
