//! The checks of a game that is put together.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed};

use super::components::{Components, endless_states};
use super::game::StochasticGame;
use super::kind::Kind;
use crate::error::{Quoted, StochasticGameFault};

/// Payoffs are at most 2^this, so that they can be counted in integers; sums of them are compared as doubles that are rounded up, so
/// that 2.3e18 is what users are told.
pub(super) const PAYOFF_BITS: u32 = 61;

/// More numbered things than this do not fit their numbers.
const MOST: usize = u32::MAX as usize - 1;

pub(super) fn is_large(payoff: &BigRational) -> bool {
    payoff.abs() > BigRational::from_integer(BigInt::one() << PAYOFF_BITS)
}

/// The number of the next of these things.
pub(super) fn numbered(count: usize, things: &str) -> Result<u32, StochasticGameFault> {
    if count < MOST {
        return Ok(count as u32);
    }
    Err(StochasticGameFault::Size { reason: format!("more than {MOST} {things}; larger games are given by rules") })
}

pub(super) fn check_actions<S: AsRef<str>>(actions: &[S], player: char) -> Result<(), StochasticGameFault> {
    if actions.is_empty() {
        return Err(StochasticGameFault::NoAction { player });
    }
    let mut names: Vec<&str> = actions.iter().map(AsRef::as_ref).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(StochasticGameFault::DuplicateAction { player, action: pair[0].to_owned() }),
        None => Ok(()),
    }
}

pub(super) fn check_length(found: usize, lines: &str, expected: usize, player: char) -> Result<(), StochasticGameFault> {
    if found == expected { Ok(()) } else { Err(StochasticGameFault::Shape { found, lines: lines.to_owned(), expected, player }) }
}

/// Checks that a game is what its kind says; or else names a state and what is wrong there.
pub(super) fn check_kind(game: &StochasticGame) -> Result<(), (usize, StochasticGameFault)> {
    match game.kind {
        Kind::Discounted => Ok(()),
        Kind::Acyclic => {
            let components = Components::new(game);
            let cyclic = (0..components.len()).find(|&component| components.is_cyclic(component));
            cyclic.map_or(Ok(()), |component| Err((components.states(component)[0] as usize, StochasticGameFault::Cycle)))
        }
        Kind::Stopping => {
            let endless = endless_states(game);
            let Some(&first) = endless.first() else { return Ok(()) };
            let names: Vec<String> = endless.iter().take(3).map(|&state| Quoted(game.name(state as usize)).to_string()).collect();
            let more = if endless.len() > names.len() { " and others" } else { "" };
            Err((first as usize, StochasticGameFault::Endless { states: names.join(", ") + more }))
        }
        Kind::Recursive => {
            let components = Components::new(game);
            for component in (0..components.len()).filter(|&component| components.is_cyclic(component)) {
                let states = components.states(component);
                let here = game.endless(states[0] as usize);
                if let Some(&other) = states.iter().find(|&&other| game.endless(other as usize) != here) {
                    let there = game.endless(other as usize).to_string();
                    let other = game.name(other as usize).to_owned();
                    return Err((
                        states[0] as usize,
                        StochasticGameFault::UnlikeEndless { here: here.to_string(), other, there },
                    ));
                }
            }
            Ok(())
        }
    }
}
