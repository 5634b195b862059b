//! Conditions that a game of each kind must meet.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::components::{Components, endless_states};
use super::game::StochasticGame;
use super::kind::Kind;
use super::numbered::{Graph, NumberedGame};
use crate::error::{StochasticGameError, StochasticGameFault};

/// Payoffs are at most 2^this, so that they fit integers; their sums are compared as doubles that
/// are rounded up, so that messages give the limit as 2.3e18.
pub(super) const PAYOFF_BITS: u32 = 61;

/// The most numbered things of a kind.
pub(super) const MOST: usize = u32::MAX as usize - 1;

pub(super) fn is_large(payoff: &BigRational) -> bool {
    !payoff.is_zero() && payoff.abs() > BigRational::from_integer(BigInt::one() << PAYOFF_BITS)
}

/// The number of the next thing of a kind.
pub(super) fn numbered(count: usize, things: &str) -> Result<u32, StochasticGameFault> {
    if count < MOST {
        return Ok(count as u32);
    }
    Err(StochasticGameFault::Size {
        reason: format!("more than {MOST} {things}; larger games are given by rules"),
    })
}

pub(super) fn check_actions(actions: &[&str], player: char) -> Result<(), StochasticGameFault> {
    if actions.is_empty() {
        return Err(StochasticGameFault::NoAction { player });
    }
    let mut names = actions.to_vec();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => {
            Err(StochasticGameFault::DuplicateAction { player, action: pair[0].to_owned() })
        }
        None => Ok(()),
    }
}

pub(super) fn check_length(
    row: Option<&str>,
    found: usize,
    expected: usize,
    player: char,
) -> Result<(), StochasticGameFault> {
    if found == expected {
        return Ok(());
    }
    Err(StochasticGameFault::Shape { row: row.map(str::to_owned), found, expected, player })
}

/// Checks that a game agrees with its kind.
pub(super) fn check_kind(game: &StochasticGame) -> Result<(), StochasticGameError> {
    match game.kind {
        Kind::Discounted => Ok(()),
        Kind::Acyclic => {
            // A look at all successors takes a tenth of the time of a search for cycles.
            if leads_on(game) {
                return Ok(());
            }
            let components = Components::new(game);
            let cyclic = (0..components.len()).find(|&component| components.is_cyclic(component));
            let fault = || StochasticGameFault::Cycle { expected: fitting(game).to_string() };
            cyclic.map_or(Ok(()), |component| {
                Err(game.refuse(components.states(component)[0] as usize, fault()))
            })
        }
        Kind::Stopping => {
            let endless = endless_states(game);
            let Some(&first) = endless.first() else { return Ok(()) };
            let states = game.names_of(endless.iter().map(|&state| state as usize));
            Err(game.refuse(
                first as usize,
                StochasticGameFault::Endless { states, expected: fitting(game).to_string() },
            ))
        }
        Kind::Recursive | Kind::Total | Kind::Target => {
            check_rewards(game)?;
            let pays =
                |&state: &usize| game.end_value(state).is_none() && !game.endless(state).is_zero();
            if let (Kind::Target, Some(state)) = (game.kind, (0..game.len()).find(pays)) {
                return Err(game.refuse(state, StochasticGameFault::TargetEndless));
            }
            let components = Components::new(game);
            for component in
                (0..components.len()).filter(|&component| components.is_cyclic(component))
            {
                let states = components.states(component);
                let here = game.endless(states[0] as usize);
                if let Some(&other) =
                    states.iter().find(|&&other| game.endless(other as usize) != here)
                {
                    let there = game.endless(other as usize).to_string();
                    let other = game.name(other as usize).to_owned();
                    let fault =
                        StochasticGameFault::UnlikeEndless { here: here.to_string(), other, there };
                    return Err(game.refuse(states[0] as usize, fault));
                }
            }
            if game.kind.is_total() {
                game.paid_finitely().map_err(|(state, fault)| game.refuse(state, fault))?;
            }
            Ok(())
        }
    }
}

/// Whether every successor has a larger number than its state, so that no state can recur.
fn leads_on(game: &StochasticGame) -> bool {
    (0..game.len()).all(|state| game.edges(state).all(|edge| game.target(edge) > state))
}

/// Checks that a recursive game has no reward, and a game of total reward none of the other sign.
fn check_rewards(game: &StochasticGame) -> Result<(), StochasticGameError> {
    let mut first = 0;
    for state in 0..game.len() {
        let [rows, columns] = game.sizes(state);
        for (a, b) in (0..rows).flat_map(|a| (0..columns).map(move |b| (a, b))) {
            let sign = game.cell(state, a, b).reward.signum();
            let fault = match game.kind {
                _ if sign == 0 => continue,
                Kind::Recursive => {
                    StochasticGameFault::Reward { expected: fitting(game).to_string() }
                }
                _ if sign == -first => StochasticGameFault::Signs,
                _ => {
                    first = sign;
                    continue;
                }
            };
            let error = game.refuse(state, fault);
            return Err(if let Some([rows, columns]) = game.actions(state) {
                error.in_cell(&rows[a], &columns[b])
            } else {
                error
            });
        }
    }
    Ok(())
}

/// The kind that fits a game in which play can return.
fn fitting(game: &StochasticGame) -> Kind {
    let has = |is: fn(i128) -> bool| game.payments.iter().any(|&(reward, _)| is(reward));
    match (endless_states(game).is_empty(), has(|reward| reward > 0), has(|reward| reward < 0)) {
        (true, ..) => Kind::Stopping,
        (false, false, false) => Kind::Recursive,
        (false, true, true) => Kind::Discounted,
        _ => Kind::Total,
    }
}
