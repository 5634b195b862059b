//! Policies as rows of one bid each.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::tables::{TableFormat, write_rows};
use crate::policy::{Numbers, PolicyDraft};
use crate::{Ball, Bid, Error, Player, Policy, Rules, State};

/// One bid of one player at one state.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Row {
    a: u32,
    b: u32,
    ball: i32,
    player: Name,
    bid: u32,
    probability: f64,
}

/// A player as files name them.
#[derive(Clone, Copy, Serialize, Deserialize)]
enum Name {
    A,
    B,
}

/// The columns that a csv file needs, in any order and among others.
const COLUMNS: [&str; 6] = ["a", "b", "ball", "player", "bid", "probability"];

/// Writes a row for every legal bid: by states, then players, then bids.
pub(super) fn write(policy: &Policy, format: TableFormat, out: impl Write) -> io::Result<()> {
    write_rows(
        format,
        out,
        policy.states().flat_map(|state| Player::BOTH.into_iter().flat_map(move |player| rows(policy, state, player))),
    )
}

fn rows(policy: &Policy, state: State, player: Player) -> Vec<Row> {
    let State { a, b, ball } = state;
    let player_name = match player {
        Player::A => Name::A,
        Player::B => Name::B,
    };
    // A player the policy says nothing about has no rows.
    let Ok(mut made) = policy.probabilities(state, player).map(Iterator::peekable) else { return Vec::new() };
    let row = |bid| {
        let probability = made.next_if(|&(own, _)| own == bid).map_or(0.0, |(_, probability)| probability);
        Row { a, b, ball: ball.position(), player: player_name, bid, probability }
    };
    Bid::legal(state.points(player)).map(row).collect()
}

/// Notes what a row says.
fn enter(draft: &mut PolicyDraft, row: Row) -> Result<(), Error> {
    let player = match row.player {
        Name::A => Player::A,
        Name::B => Player::B,
    };
    draft.set(State::new(row.a, row.b, Ball::new(row.ball)?), player, row.bid, row.probability)
}

pub(super) fn read_json(bytes: &[u8], rules: &Rules, points: [u32; 2]) -> Result<Policy, Error> {
    let mut draft = PolicyDraft::new(rules, points)?;
    let rows: Vec<Row> = serde_json::from_slice(bytes).map_err(|error| Error::PolicyFile { reason: error.to_string() })?;
    for row in rows {
        enter(&mut draft, row)?;
    }
    draft.finish(Numbers::Probabilities)
}

pub(super) fn read_csv(bytes: &[u8], rules: &Rules, points: [u32; 2]) -> Result<Policy, Error> {
    let mut draft = PolicyDraft::new(rules, points)?;
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(bytes);
    let header = reader.headers().map_err(|error| Error::PolicyFile { reason: error.to_string() })?;
    for column in COLUMNS {
        if !header.iter().any(|name| name == column) {
            return Err(Error::PolicyFile { reason: format!("there is no column `{column}`; expected {}", COLUMNS.join(",")) });
        }
    }
    for row in reader.deserialize() {
        let row: Row = row.map_err(|error| Error::PolicyFile { reason: sentence(&error) })?;
        enter(&mut draft, row)?;
    }
    draft.finish(Numbers::Probabilities)
}

/// What is wrong with a row of csv, and where.
fn sentence(error: &csv::Error) -> String {
    match (error.kind(), error.position()) {
        (csv::ErrorKind::Deserialize { err, .. }, Some(position)) => {
            let column = err.field().and_then(|field| COLUMNS.get(field as usize));
            format!("line {}{}: {}", position.line(), column.map_or(String::new(), |column| format!(", {column}")), err.kind())
        }
        (csv::ErrorKind::UnequalLengths { expected_len, len, .. }, Some(position)) => {
            format!("line {} has {len} fields; expected {expected_len}", position.line())
        }
        _ => error.to_string(),
    }
}
