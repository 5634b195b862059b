//! Policies as rows of one bid each.

use std::io::{self, Write};

use super::csv_rows::read_rows;
use super::tables::{BidRow, TableFormat, write_rows};
use crate::error::{Error, PolicyError};
use crate::excerpt::sentence;
use crate::game::{Ball, Player, Rules, State};
use crate::policy::{Policy, PolicyBuilder, PolicyNumbers};

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

fn rows(policy: &Policy, state: State, player: Player) -> Vec<BidRow> {
    let State { a, b, ball } = state;
    // A player the policy says nothing about has no rows.
    let Ok(mut made) = policy.probabilities(state, player).map(Iterator::peekable) else { return Vec::new() };
    let row = |bid| {
        let probability = made.next_if(|&(own, _)| own == bid).map_or(0.0, |(_, probability)| probability);
        BidRow { a, b, ball: ball.position(), player, bid, probability, exact: None }
    };
    policy.legal_bids(state.points(player)).map(row).collect()
}

/// Notes what a row says.
fn enter(builder: &mut PolicyBuilder, row: &BidRow) -> Result<(), Error> {
    builder.set(State::new(row.a, row.b, Ball::new(row.ball)?), row.player, row.bid, row.probability)
}

pub(super) fn read_json(bytes: &[u8], rules: &Rules, points: [u32; 2]) -> Result<Policy, Error> {
    let mut builder = PolicyBuilder::new(rules, points)?;
    let rows: Vec<BidRow> = serde_json::from_slice(bytes).map_err(|error| PolicyError::File { reason: sentence(&error) })?;
    for row in &rows {
        enter(&mut builder, row)?;
    }
    builder.finish(PolicyNumbers::Probabilities)
}

pub(super) fn read_csv(bytes: &[u8], rules: &Rules, points: [u32; 2]) -> Result<Policy, Error> {
    let refuse = |reason| PolicyError::File { reason };
    let mut builder = PolicyBuilder::new(rules, points)?;
    let (header, rows) = read_rows::<BidRow>(bytes, csv::Trim::All, expected).map_err(refuse)?;
    for column in COLUMNS {
        if !header.iter().any(|name| name == column) {
            return Err(
                PolicyError::File { reason: format!("there is no column `{column}`; expected {}", COLUMNS.join(",")) }.into()
            );
        }
    }
    for row in rows {
        enter(&mut builder, &row.map_err(refuse)?.1)?;
    }
    builder.finish(PolicyNumbers::Probabilities)
}

/// The values that a column may have.
fn expected(column: &str) -> &'static str {
    match column {
        "ball" => "a position of the ball, a whole number such as -1",
        "player" => "A or B",
        "probability" => "a number from 0 to 1",
        _ => "a whole number from 0",
    }
}
