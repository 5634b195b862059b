use std::fmt::Display;
use std::io::{self, Write};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::rows::{Columns, WHOLE, format_of, read_rows};
use super::tables::{TableFormat, write_rows};
use crate::blind::{BlindPolicy, BlindRow};
use crate::error::{BlindError, Error};
use crate::game::{Player, Rules, State};

#[derive(Serialize, Deserialize)]
struct Row {
    player: Player,
    bids: String,
    balls: String,
    bid: u32,
    probability: f64,
}

const COLUMNS: &Columns = &[
    ("player", "A or B"),
    ("bids", "numbers separated by spaces"),
    ("balls", "numbers separated by spaces"),
    ("bid", WHOLE),
    ("probability", "a number from 0 to 1"),
];

/// Writes a row for every legal bid at every information set, A's first.
pub fn write_blind_policy(policy: &BlindPolicy, format: TableFormat, out: impl Write) -> io::Result<()> {
    let row = |row: BlindRow| Row {
        player: row.player,
        bids: joined(&row.bids),
        balls: joined(&row.balls),
        bid: row.bid,
        probability: row.probability,
    };
    write_rows(format, out, policy.rows().map(row))
}

/// Reads a policy as [`write_blind_policy`] writes it, in csv or JSON, and checks that it covers every information set.
///
/// # Errors
/// [`BlindError::File`](BlindError::File), and as for [`BlindPolicy::from_rows`].
pub fn read_blind_policy(bytes: &[u8], rules: &Rules, start: State) -> Result<BlindPolicy, Error> {
    let rows = read_rows::<Row>(bytes, format_of(bytes), COLUMNS).map_err(|error| refusal(&error))?;
    let row = |row: Result<Row, String>| {
        let row = row.map_err(|error| refusal(&error))?;
        Ok(BlindRow {
            player: row.player,
            bids: list(&row.bids)?,
            balls: list(&row.balls)?,
            bid: row.bid,
            probability: row.probability,
        })
    };
    BlindPolicy::from_rows(rules, start, rows.map(row).collect::<Result<Vec<_>, Error>>()?)
}

fn refusal(error: &impl Display) -> Error {
    BlindError::File { reason: error.to_string() }.into()
}

fn joined(numbers: &[impl Display]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn list<T: FromStr>(text: &str) -> Result<Vec<T>, Error> {
    let number =
        |word: &str| word.parse().map_err(|_| refusal(&format!("`{text}` is not a list of numbers separated by spaces")));
    text.split_whitespace().map(number).collect()
}
