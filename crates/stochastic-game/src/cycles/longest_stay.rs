//! The longest expected stay in a component from which play is sure to leave: a Markov decision
//! process in which both players together keep play there, solved by policy iteration (Howard 1960)
//! and proved by integers.
//!
//! A guess proves itself if every cell's successors stay at least one turn less on average.
//! Improvements of a policy can be as small as one turn in 10¹⁵, which is rounding to doubles,
//! though they repeat 10¹⁵ times: where the guess in doubles does not prove itself, policy
//! iteration goes on in longer numbers.

use std::ops::ControlFlow;

use dashu_int::IBig;

use super::cycle::CheckCancel;
use super::elimination::Elimination;
use super::local_game::{CellParts, LocalGame};
use super::long::{Long, long};
use super::markov_chain::{MarkovChain, Transitions};
use crate::bounds::{BOUND_BITS, Bounds, Rounding};

/// The units by which a turn may cost more than its reward: the bound of a state is rounded up
/// once, those of its successors too, and a cell is rounded down, which takes three; one is to
/// spare.
pub(super) const ROUNDINGS_A_TURN: i128 = 4;

/// Upper bounds of the expected turns until play leaves, whatever both players do.
#[derive(Clone, Debug)]
pub(super) struct LongestStay {
    /// By state, in units of 2^−`bits`; proved.
    turns: Vec<i64>,
    bits: u32,
    /// The longest as it was found, without a reserve but that of a guess that needed an unusual
    /// one.
    most: f64,
}

/// Sweeps of value iteration before play counts as long.
const SWEEPS: usize = 64;

/// A sweep that gains less than this part ends value iteration, and a guess is tried.
const SETTLED: f64 = 1e-10;

/// In doubles, an action is better that gains more than this part: what elimination may lose by
/// rounding, so that no policy comes twice.
const DOUBLE_GAIN: f64 = 1.0 / (1_u64 << 44) as f64;

/// The bits of longer numbers. Stays are below 2⁶¹ turns, so that one turn is more than 2^−61 of
/// any; twice as many bits tell every improvement from rounding, and elimination has as many again
/// for what it loses.
const LONG_BITS: usize = 4 * 64;
const LONG_GAIN_BITS: isize = -2 * 64;

/// Guesses are enlarged by one of these shares, the first that proves itself. Within rounding, any
/// share does: a turn gains the share of a turn.
const RESERVES: [f64; 4] = [1e-6, 1e-4, 1e-2, 1.0];

/// Larger numbers are no bounds.
const MOST: i128 = 1 << (BOUND_BITS + 1);

/// The reserves up to this one are usual.
const USUAL_RESERVE: f64 = 1e-2;

impl LongestStay {
    /// Finds the longest stay; `None` where it is 2⁶⁰ turns or more, or the component too large for
    /// elimination in long numbers.
    pub(super) fn find(
        local: &LocalGame,
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<(), Option<Self>> {
        let (turns, is_settled) = sweep(local, check_cancel)?;
        if is_settled && let Some(stay) = Self::proved(local, &turns) {
            return ControlFlow::Continue(Some(stay));
        }
        let mut policy: Vec<usize> = vec![0; local.len()];
        if let Some(turns) = iterate_in_doubles(local, turns, &mut policy, check_cancel)?
            && let Some(stay) = Self::proved(local, &turns)
        {
            return ControlFlow::Continue(Some(stay));
        }
        let Some(turns) = iterate_in_long_numbers(local, &mut policy, check_cancel)? else {
            return ControlFlow::Continue(None);
        };
        ControlFlow::Continue(Self::proved_long(local, &turns))
    }

    /// The longest stay from any state.
    pub(super) fn most(&self) -> f64 {
        self.most
    }

    fn proved(local: &LocalGame, turns: &[f64]) -> Option<Self> {
        if !turns.iter().all(|turns| turns.is_finite()) {
            return None;
        }
        // A double is an integer of 53 bits times a power of two.
        let turns: Vec<Long> = turns.iter().map(|&turns| exact(turns)).collect();
        Self::proved_long(local, &turns)
    }

    /// A guess with the first reserve that proves itself.
    fn proved_long(local: &LocalGame, turns: &[Long]) -> Option<Self> {
        RESERVES.into_iter().find_map(|reserve| {
            let enlarged: Vec<Long> =
                turns.iter().map(|turns| turns.clone() * exact(1.0 + reserve)).collect();
            let largest = enlarged.iter().fold(exact(1.0), |largest, turns| {
                if *turns > largest { turns.clone() } else { largest }
            });
            // Below 2^61 in the finest unit in which this holds.
            let bits = (0..BOUND_BITS).rev().find(|&bits| {
                largest.clone() << bits as isize <= exact(f64::from(BOUND_BITS).exp2())
            })?;
            let whole = |turns: &Long| {
                i64::try_from((turns.clone() << bits as isize).ceil().to_int().value()).ok()
            };
            let stay = Self {
                turns: enlarged.iter().map(whole).collect::<Option<_>>()?,
                bits,
                most: largest.to_f64().value()
                    / if reserve > USUAL_RESERVE { 1.0 } else { 1.0 + reserve },
            };
            stay.is_proved(local).then_some(stay)
        })
    }

    /// The turns from a state, in a unit that all states have in common.
    pub(super) fn turns(&self, state: usize) -> i64 {
        self.turns[state]
    }

    /// Whether every pair of actions leads to states where play stays one turn less on average.
    pub(super) fn is_proved(&self, local: &LocalGame) -> bool {
        let is_shorter = |state: usize, cell: CellParts<'_>| {
            let later: i128 = cell
                .inside
                .iter()
                .map(|outcome| {
                    i128::from(outcome.weight) * i128::from(self.turns[outcome.state as usize])
                })
                .sum();
            (cell.denominator << self.bits) + later
                <= cell.denominator * i128::from(self.turns[state])
        };
        (0..local.len()).all(|state| local.cells(state).all(|cell| is_shorter(state, cell)))
    }

    /// Bounds of the component's values that any strategies prove, unless the largest numbers cut
    /// them: every turn pays at most the largest reward, and leaving at most the largest bound
    /// outside. A state's bound in turns covers the roundings of a turn, too.
    pub(super) fn bounds(&self, local: &LocalGame) -> Vec<Bounds> {
        let (paid, outside) = local.sizes();
        let (paid, outside) = (paid.ceil() as i128 + ROUNDINGS_A_TURN, outside.ceil() as i128 + 1);
        let most = |turns: &i64| {
            let paid = paid.saturating_mul(i128::from(*turns));
            Rounding::Up.shift(paid, self.bits as usize).saturating_add(outside).min(MOST) as i64
        };
        self.turns.iter().map(most).map(|most| Bounds::new(-most, most)).collect()
    }
}

/// A double as a long number.
fn exact(number: f64) -> Long {
    Long::try_from(number).unwrap_or(Long::ZERO).with_precision(LONG_BITS).value()
}

/// Some sweeps of value iteration; the turns from below, and whether the last sweep gained next to
/// nothing.
fn sweep(
    local: &LocalGame,
    check_cancel: &mut CheckCancel<'_>,
) -> ControlFlow<(), (Vec<f64>, bool)> {
    let mut turns = vec![1.0_f64; local.len()];
    for _ in 0..SWEEPS {
        check_cancel()?;
        let mut gained = 0.0_f64;
        for state in 0..local.len() {
            let most = 1.0 + local.cells(state).map(|cell| cell.later(&turns)).fold(0.0, f64::max);
            gained = gained.max(most / turns[state] - 1.0);
            turns[state] = turns[state].max(most);
        }
        if gained <= SETTLED {
            return ControlFlow::Continue((turns, true));
        }
    }
    ControlFlow::Continue((turns, false))
}

/// Policy iteration in doubles from these turns; takes the policy, each state's cell. `None` where
/// the number is beyond doubles.
fn iterate_in_doubles(
    local: &LocalGame,
    mut turns: Vec<f64>,
    policy: &mut [usize],
    check_cancel: &mut CheckCancel<'_>,
) -> ControlFlow<(), Option<Vec<f64>>> {
    let mut is_first = true;
    loop {
        check_cancel()?;
        let mut changed = false;
        for (state, chosen) in policy.iter_mut().enumerate() {
            let mut most = if is_first {
                -1.0
            } else {
                later(local, state, *chosen, &turns) * (1.0 + DOUBLE_GAIN)
            };
            for (place, cell) in local.cells(state).enumerate() {
                let length = cell.later(&turns);
                if length > most {
                    (most, *chosen, changed) = (length, place, true);
                }
            }
        }
        if !changed {
            return ControlFlow::Continue(Some(turns));
        }
        is_first = false;
        let chain: Vec<Transitions> =
            policy.iter().enumerate().map(|(state, &chosen)| steps(local, state, chosen)).collect();
        match MarkovChain::new(chain).collected(&vec![1.0; local.len()], check_cancel)? {
            Some(stays) => turns = stays,
            None => return ControlFlow::Continue(None),
        }
    }
}

fn later(local: &LocalGame, state: usize, chosen: usize, turns: &[f64]) -> f64 {
    local.cells(state).nth(chosen).map_or(0.0, |cell| cell.later(turns))
}

/// The transitions of a state's cell in doubles.
fn steps(local: &LocalGame, state: usize, chosen: usize) -> Transitions {
    let Some(cell) = local.cells(state).nth(chosen) else { return Transitions::default() };
    let share = |weight: f64| weight / cell.denominator as f64;
    let steps =
        cell.inside.iter().map(|outcome| (outcome.state, share(outcome.weight as f64))).collect();
    Transitions { steps, ends: share(cell.leaves() as f64) }
}

/// Policy iteration in long numbers from a policy; `None` where play hardly leaves, or elimination
/// takes too much memory.
fn iterate_in_long_numbers(
    local: &LocalGame,
    policy: &mut [usize],
    check_cancel: &mut CheckCancel<'_>,
) -> ControlFlow<(), Option<Vec<Long>>> {
    let number = |integer: i128| long(integer.into(), 0, LONG_BITS);
    let later = |cell: &CellParts<'_>, turns: &[Long]| {
        let mut sum = number(0);
        for outcome in cell.inside {
            sum += number(outcome.weight.into()) * turns[outcome.state as usize].clone();
        }
        sum / number(cell.denominator)
    };
    let gain = number(1) + long(IBig::ONE, LONG_GAIN_BITS, LONG_BITS);
    loop {
        check_cancel()?;
        let chain: Option<Vec<Transitions<Long>>> = policy
            .iter()
            .enumerate()
            .map(|(state, &chosen)| {
                let cell = local.cells(state).nth(chosen)?;
                let share = |weight: i128| number(weight) / number(cell.denominator);
                let steps = cell
                    .inside
                    .iter()
                    .map(|outcome| (outcome.state, share(outcome.weight.into())))
                    .collect();
                Some(Transitions { steps, ends: share(cell.leaves()) })
            })
            .collect();
        let Some(chain) = chain else { return ControlFlow::Continue(None) };
        let Ok(elimination) = Elimination::new(&chain, check_cancel)? else {
            return ControlFlow::Continue(None);
        };
        let turns = elimination.totals(&vec![number(1); local.len()]);
        let mut changed = false;
        for (state, chosen) in policy.iter_mut().enumerate() {
            let mut most = local
                .cells(state)
                .nth(*chosen)
                .map_or(number(0), |cell| later(&cell, &turns) * gain.clone());
            for (place, cell) in local.cells(state).enumerate() {
                let length = later(&cell, &turns);
                if length > most {
                    (most, *chosen, changed) = (length, place, true);
                }
            }
        }
        if !changed {
            return ControlFlow::Continue(Some(turns));
        }
    }
}

#[cfg(all(test, feature = "files"))]
mod tests {
    use super::*;
    use crate::cycles::local_game::only_cycle;

    /// A turn that pays 1 and is the last with probability 1/2 pays 2 in all.
    #[test]
    fn bounds_of_a_stay_of_two_turns_are_two_rewards_and_roundings() {
        let text = r#"{"format":"stochastic-game","version":1,"kind":"stopping","start":["s"]}
            {"id":"end","value":"0"}
            {"id":"s","a":["x"],"b":["x"],"cells":[[{"to":[["1/2","s"],["1/2","end"]],"reward":"1"}]]}"#;
        let local = only_cycle(text, Bounds::default()).3;
        let find = LongestStay::find(&local, &mut || ControlFlow::Continue(()));
        let stay = find.continue_value().flatten().expect("a stay");
        assert!((stay.most() - 2.0).abs() < 1e-5, "{}", stay.most());
        let upper = stay.bounds(&local)[0].upper;
        assert!((2 << 50..(2 << 50) + (1 << 40)).contains(&upper));
    }

    /// Numbers that are too small for some cell are not taken, by however little.
    #[test]
    fn turns_that_are_too_few_prove_nothing() {
        let text = r#"{"format":"stochastic-game","version":1,"kind":"stopping","start":["s"]}
            {"id":"end","value":"0"}
            {"id":"s","a":["x"],"b":["x"],"cells":[[{"to":[["1/2","s"],["1/2","end"]],"reward":"1"}]]}"#;
        let local = only_cycle(text, Bounds::default()).3;
        let is_proved =
            |turns: i64| LongestStay { turns: vec![turns], bits: 10, most: 2.0 }.is_proved(&local);
        assert!(is_proved(2 << 10));
        assert!(!is_proved((2 << 10) - 1));
    }

    /// States 0 to n: from each, play returns to the first one or goes on, one of them left with
    /// probability 1/d. A chain of gains of one turn each, which are rounding beside d turns, makes
    /// the stay three times as long: with c states in a ring that is left at one of them with
    /// probability 1/d, from there on it is c d turns.
    #[test]
    fn gains_that_are_rounding_to_doubles_are_found() {
        for (states, denominator) in [(3_usize, 1_u64 << 50), (7, 1 << 53), (2, 1 << 57)] {
            let rest = denominator - 1;
            // At every state but the first, B may also wait at the state, which is left as rarely.
            let mut lines = vec![
                r#"{"format":"stochastic-game","version":1,"kind":"stopping","start":["s0"]}"#
                    .to_owned(),
            ];
            lines.push(r#"{"id":"end","value":"0"}"#.to_owned());
            for state in 0..states {
                let next = (state + 1) % states;
                let leaves = |to: &str| {
                    format!(
                        r#"{{"to":[["{rest}/{denominator}","{to}"],["1/{denominator}","end"]]}}"#
                    )
                };
                let cells = if state == 0 {
                    leaves(&format!("s{next}"))
                } else {
                    format!(r#"{},{{"to":[["1","s{next}"]]}}"#, leaves(&format!("s{state}")))
                };
                let actions = if state == 0 { r#"["x"]"# } else { r#"["wait","go"]"# };
                lines.push(format!(
                    r#"{{"id":"s{state}","a":["x"],"b":{actions},"cells":[[{cells}]]}}"#
                ));
            }
            let local = only_cycle(&lines.join("\n"), Bounds::default()).3;
            let find = LongestStay::find(&local, &mut || ControlFlow::Continue(()));
            let stay = find.continue_value().flatten().expect("a stay");
            // Around the ring, of which one turn in as many is left: states times d, less some
            // turns.
            let expected = states as f64 * denominator as f64;
            assert!((stay.most() / expected - 1.0).abs() < 1.01, "{} of {expected}", stay.most());
            assert!(stay.most() > 0.999 * expected, "{} of {expected}", stay.most());
        }
    }
}
