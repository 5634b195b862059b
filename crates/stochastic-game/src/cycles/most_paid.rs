//! How much can be collected in a component at most, from a payer whose strategies keep that
//! finite: a Markov decision process of the collector, solved by policy iteration (Howard 1960).
//!
//! The result is the size of numbers for which a unit is chosen, and proves nothing.

use std::ops::ControlFlow;

use super::cycle::{CheckCancel, Weights};
use super::local_game::{LocalGame, Side};
use super::long::{LongSide, Replies};
use super::markov_chain::{MarkovChain, Transitions};
use super::opponent_mdp::{OpponentMdp, Reply};
use super::proof::{SHORT, Sizes};
use crate::matrix_game::DyadicStrategy;

/// Sweeps of value iteration before play counts as long.
const SWEEPS: usize = 64;

/// A sweep that gains less than this part ends value iteration: what is left is far less than the
/// reserve.
const SETTLED: f64 = 1e-10;

/// In doubles, a reply is better that gains more than this part: what elimination may lose by
/// rounding, so that no policy comes twice.
const DOUBLE_GAIN: f64 = 1.0 / (1_u64 << 44) as f64;

/// The most improvements of the replies. Iteration in place of elimination may lose more by
/// rounding, and policies come twice.
const STEPS: usize = 200;

/// Room for what rounding takes in the turns of a play.
const RESERVE: f64 = 2.0;

/// The bits after the point of longer numbers: play that leaves does so within some 2⁶² turns, or
/// the unit is too coarse anyway, and twice as many bits tell every improvement from rounding.
const FINER: usize = 2 * 64;

/// A reply of the collector: the expected reward of a visit, in parts of the largest reward, and
/// the transitions.
struct Visit {
    pays: f64,
    follows: Transitions,
}

impl Visit {
    fn of(mdp: &OpponentMdp<'_, u64>, largest: f64, reply: Reply) -> Self {
        let mut pays = 0.0;
        if let Reply::Action { state, reply } = reply {
            for (&weight, cell) in mdp.cells(state, reply) {
                // Nothing is paid outside.
                let reward = cell.outside[0].unsigned_abs() as f64 / cell.denominator as f64;
                pays += weight as f64 / DyadicStrategy::WHOLE as f64 * reward / largest;
            }
        }
        Self { pays, follows: mdp.transitions(reply) }
    }

    /// The expected payoff, by those of the successors.
    fn payoff(&self, paid: &[f64]) -> f64 {
        self.pays
            + self.follows.steps.iter().map(|&(next, step)| step * paid[next as usize]).sum::<f64>()
    }
}

/// How often the largest reward of a component would have to be paid for what the collector gets
/// at most from each of its states.
pub(super) struct MostPaid(Vec<f64>);

impl MostPaid {
    /// The most from any state, with a reserve.
    pub(super) fn most(&self) -> f64 {
        self.0.iter().copied().fold(1.0, f64::max) * RESERVE
    }

    pub(super) fn of(&self, state: usize) -> f64 {
        self.0[state]
    }

    pub(super) fn sum(&self) -> f64 {
        self.0.iter().sum()
    }
}

/// How often the largest reward of a component would have to be paid for what the collector gets at
/// most from these strategies; `None` where that is not finite, or not known. The
/// component has to be in whole units, with nothing outside.
pub(super) fn most_paid(
    local: &LocalGame,
    payer: Side,
    strategies: &[Weights],
    check_cancel: &mut CheckCancel<'_>,
) -> ControlFlow<(), Option<MostPaid>> {
    let largest = local.sizes().0.max(f64::MIN_POSITIVE);
    let mdp = OpponentMdp::new(local, payer, strategies);
    let visits = |state: usize| {
        mdp.replies(state).into_iter().map(|reply| Visit::of(&mdp, largest, reply)).collect()
    };
    let visits: Vec<Vec<Visit>> = (0..local.len()).map(visits).collect();
    let (paid, is_settled) = sweep(&visits, check_cancel)?;
    if is_settled {
        return ControlFlow::Continue(Some(MostPaid(paid)));
    }
    // Rare gains are rounding to doubles, though they may repeat as often as play is long.
    let short = iterate(&visits, paid, check_cancel)?;
    let long = |weights: &Weights| {
        weights.iter().map(|&(action, weight)| (action, weight.into())).collect()
    };
    let strategies = strategies.iter().map(long).collect();
    let sizes = Sizes { finer: FINER, ..SHORT };
    let long = LongSide::proved(local, payer, strategies, sizes, &Replies::default(), &mut |_| {
        check_cancel()
    })?;
    let paid = match long {
        Some((found, _)) => Some(found.sizes_of_bounds().map(|size| size / largest).collect()),
        None => short,
    };
    ControlFlow::Continue(paid.map(MostPaid))
}

/// Some sweeps of value iteration; what is paid from below, and whether the last sweep gained next
/// to nothing.
fn sweep(
    visits: &[Vec<Visit>],
    check_cancel: &mut CheckCancel<'_>,
) -> ControlFlow<(), (Vec<f64>, bool)> {
    let mut paid = vec![0.0_f64; visits.len()];
    for _ in 0..SWEEPS {
        check_cancel()?;
        let (mut gained, mut most) = (0.0_f64, 1.0_f64);
        for (state, visits) in visits.iter().enumerate() {
            let best = visits.iter().map(|visit| visit.payoff(&paid)).fold(0.0, f64::max);
            gained = gained.max(best - paid[state]);
            paid[state] = paid[state].max(best);
            most = most.max(paid[state]);
        }
        if gained <= SETTLED * most {
            return ControlFlow::Continue((paid, true));
        }
    }
    ControlFlow::Continue((paid, false))
}

/// Policy iteration in doubles from what value iteration found; `None` where play hardly leaves, or
/// the policies do not settle.
fn iterate(
    visits: &[Vec<Visit>],
    mut paid: Vec<f64>,
    check_cancel: &mut CheckCancel<'_>,
) -> ControlFlow<(), Option<Vec<f64>>> {
    let mut chosen: Vec<Option<usize>> = vec![None; visits.len()];
    for _ in 0..STEPS {
        check_cancel()?;
        let mut changed = false;
        for (visits, chosen) in visits.iter().zip(&mut chosen) {
            let mut most =
                chosen.map_or(-1.0, |chosen| visits[chosen].payoff(&paid) * (1.0 + DOUBLE_GAIN));
            for (number, visit) in visits.iter().enumerate() {
                let payoff = visit.payoff(&paid);
                if payoff > most {
                    (most, *chosen, changed) = (payoff, Some(number), true);
                }
            }
        }
        if !changed {
            return ControlFlow::Continue(Some(paid));
        }
        // Every state has a reply.
        let policy =
            || visits.iter().zip(&chosen).map(|(visits, chosen)| &visits[chosen.unwrap_or(0)]);
        let chain: Vec<Transitions> = policy().map(|visit| visit.follows.clone()).collect();
        let pays: Vec<f64> = policy().map(|visit| visit.pays).collect();
        match MarkovChain::new(chain).collected(&pays, check_cancel)? {
            Some(found) => paid = found,
            None => return ControlFlow::Continue(None),
        }
    }
    ControlFlow::Continue(None)
}

#[cfg(all(test, feature = "files"))]
mod tests {
    use std::fmt::Write;

    use super::*;
    use crate::bounds::Bounds;
    use crate::cycles::local_game::only_cycle;

    /// What A collects at most where B has one action, in parts of the largest reward and without
    /// the reserve.
    fn found(cells: &[(&str, &str)]) -> Option<f64> {
        let mut text = r#"{"format":"stochastic-game","version":1,"kind":"target","start":["s0"]}
            {"id":"end","value":"0"}"#
            .to_owned();
        for (state, (actions, cells)) in cells.iter().enumerate() {
            let _ = write!(
                text,
                "\n{{\"id\":\"s{state}\",\"a\":[{actions}],\"b\":[\"x\"],\"cells\":[{cells}]}}"
            );
        }
        let local = only_cycle(&text, Bounds::default()).3;
        let strategies = vec![vec![(0, DyadicStrategy::WHOLE)]; local.len()];
        let most = most_paid(&local, Side::Upper, &strategies, &mut || ControlFlow::Continue(()));
        most.continue_value().flatten().map(|most| most.most() / RESERVE)
    }

    #[test]
    fn a_reward_a_turn_is_paid_once_for_every_turn() {
        for denominator in [2_u64, 1_000_000, 1_000_000_000_000_000] {
            let cell = format!(
                r#"[{{"reward":"3","to":[["{}/{denominator}","s0"],["1/{denominator}","end"]]}}]"#,
                denominator - 1
            );
            let most = found(&[(r#""x""#, &cell)]).expect("it ends");
            assert!((most / denominator as f64 - 1.0).abs() < 1e-9, "{most} of {denominator}");
        }
    }

    /// To come back to the first state is worth a reward in 2^50: rounding to doubles, 2^50 times.
    #[test]
    fn gains_that_are_rounding_to_doubles_are_found() {
        let (most, rest) = (1_u64 << 50, (1_u64 << 50) - 1);
        let leaves = |to: &str| {
            format!(r#"{{"reward":"1","to":[["{rest}/{most}","{to}"],["1/{most}","end"]]}}"#)
        };
        let back = r#"{"reward":"1","to":[["1","s0"]]}"#;
        let cells =
            [leaves("s1"), format!("{}],[{back}", leaves("s1"))].map(|cells| format!("[{cells}]"));
        let most_paid =
            found(&[(r#""x""#, &cells[0]), (r#""wait","back""#, &cells[1])]).expect("it ends");
        // Two turns, one of which is the last with probability 2^-50.
        assert!((most_paid / (2.0 * most as f64) - 1.0).abs() < 1e-9, "{most_paid}");
    }
}
