//! Policies as rows of one bid each.

use std::io::{self, Write};

use super::rows::{Columns, WHOLE, read_rows};
use super::tables::{BidRow, TableFormat, write_rows};
use crate::error::{Error, PolicyError};
use crate::game::{Ball, Player, Rules, State};
use crate::policy::{Policy, PolicyBuilder, PolicyNumbers};

const COLUMNS: &Columns = &[
    ("a", WHOLE),
    ("b", WHOLE),
    ("ball", "a position of the ball, a whole number such as -1"),
    ("player", "A or B"),
    ("bid", WHOLE),
    ("probability", "a number from 0 to 1"),
];

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

pub(super) fn read(bytes: &[u8], format: TableFormat, rules: &Rules, points: [u32; 2]) -> Result<Policy, Error> {
    let refuse = |reason| PolicyError::File { reason };
    let mut builder = PolicyBuilder::new(rules, points)?;
    for row in read_rows(bytes, format, COLUMNS).map_err(refuse)? {
        let BidRow { a, b, ball, player, bid, probability, .. } = row.map_err(refuse)?;
        builder.set(State::new(a, b, Ball::new(ball)?), player, bid, probability)?;
    }
    builder.finish(PolicyNumbers::Probabilities)
}
