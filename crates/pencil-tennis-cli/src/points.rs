//! Arguments that say which game is meant: points of Tennis, or the name of a game of other rules.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use pencil_tennis::hidden::games::GALLERY;
use pencil_tennis::report::gallery;
use pencil_tennis::{GameError, Player, Solver};

use super::content::{is_game_file, is_table, names_game};
use super::numbers;
use super::numbers::grouped;
use super::usage::{check_options, wrong_usage};
use super::word::{Word, quoted};

/// A's points and B's in the usual game.
pub(super) const USUAL: [u32; 2] = [50; 2];

/// Reads `50`, or `50:40` for A and B.
pub(super) fn read_points(text: &str) -> Result<[u32; 2], String> {
    let (a, b) = text.split_once(':').unwrap_or((text, text));
    let points = |text: &str| -> Result<u32, String> {
        let number = numbers::whole(text).ok_or_else(|| {
            "expected a number of points such as 50, or A:B such as 50:40".to_owned()
        })?;
        // The solver rejects smaller numbers that need too much memory.
        let most = grouped(Solver::MOST_POINTS as usize);
        u32::try_from(number)
            .map_err(|_| format!("{number} points are too many; expected at most {most}"))
    };
    let points = [points(a)?, points(b)?];
    match Player::BOTH.into_iter().zip(points).find(|&(_, points)| points == 0) {
        Some((player, _)) => Err(GameError::NoPoints { player }.to_string()),
        None => Ok(points),
    }
}

/// The argument that names the game: a position of Tennis, a solved game of Tennis, or another
/// game.
#[derive(Clone, Debug)]
pub(super) enum GameArgument<T> {
    Tennis(T),
    /// A table or checkpoint of Tennis.
    Table(PathBuf),
    Game(Word),
}

fn read_game_argument(word: OsString) -> Result<GameArgument<[u32; 2]>, String> {
    let word = Word::from(word);
    let text = word.text().unwrap_or_default();
    // A file named `50` is `./50`.
    let points = read_points(text);
    if points.is_err() && names_game(&word) {
        return Ok(GameArgument::Game(word));
    }
    if points.is_err() && is_game_file(&word) {
        return Ok(if is_table(&word) {
            GameArgument::Table(word.path().to_owned())
        } else {
            GameArgument::Game(word)
        });
    }
    points.map(GameArgument::Tennis).map_err(|error| {
        if gallery().chain(GALLERY).any(|name| name == text) {
            return format!("{error}; did you mean the game @{text}?");
        }
        let is_name = text == "-" || text.starts_with(char::is_alphabetic);
        let is_path =
            text.contains(['.', '/', '\\']) || is_name && text != "-" || word.text().is_none();
        let nowhere = match std::fs::metadata(word.path()) {
            Ok(metadata) if metadata.is_dir() => ", and this is a folder",
            _ if is_path => ", and no file has this name",
            _ => "",
        };
        if is_name || is_path {
            format!("{error}; a game of other rules is a file or @NAME{nowhere}")
        } else {
            error
        }
    })
}

#[derive(Clone, Debug, Args)]
pub(super) struct PointsArgs {
    /// Points each, or A:B for A and B [default: 50]
    #[arg(value_name = "POINTS | A:B", value_parser = OsStringValueParser::new().try_map(read_game_argument))]
    place: Option<GameArgument<[u32; 2]>>,
    #[command(flatten)]
    option: PointsOption,
}

impl PointsArgs {
    /// The game of other rules that is named instead, for a command that takes one with these
    /// options alone.
    pub(super) fn game(&self, options: &[&str]) -> Option<&Word> {
        let game = self.other()?;
        check_options(game, options);
        Some(game)
    }

    /// The game of other rules that is named instead, for a command that takes one.
    pub(super) fn other(&self) -> Option<&Word> {
        if let Some(GameArgument::Game(game)) = &self.place { Some(game) } else { None }
    }

    /// Takes the table that is named instead of points, for a command that reads one.
    pub(super) fn take_table(&mut self) -> Option<PathBuf> {
        match self.place.take() {
            Some(GameArgument::Table(path)) => Some(path),
            other => {
                self.place = other;
                None
            }
        }
    }

    pub(super) fn asked(&self) -> Option<[u32; 2]> {
        match (&self.place, self.option.points) {
            (Some(GameArgument::Table(path)), _) => wrong_usage(format!(
                "{} is a table of Tennis, and this command takes points; `pencil-tennis show STATE --table {0}` reads it",
                quoted(path)
            )),
            (Some(GameArgument::Game(game)), _) => wrong_usage(format!(
                "this command is about Tennis; `pencil-tennis solve {}` solves a game of other rules",
                quoted(game)
            )),
            (Some(_), Some(_)) => wrong_usage("the points are given twice; expected them once"),
            (Some(GameArgument::Tennis(points)), None) => Some(*points),
            (None, points) => points,
        }
    }

    pub(super) fn get(&self) -> [u32; 2] {
        self.asked().unwrap_or(USUAL)
    }
}

#[derive(Clone, Copy, Debug, Args)]
pub(super) struct PointsOption {
    /// The same as POINTS | A:B after the command
    #[arg(long, value_name = "POINTS | A:B", value_parser = read_points, help_heading = "Rules")]
    pub(super) points: Option<[u32; 2]>,
}
