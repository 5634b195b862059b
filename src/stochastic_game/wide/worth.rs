//! What a side's strategies are worth against every reply, as bounds that integers prove.

use std::ops::ControlFlow;

use dashu_int::IBig;

use super::real::{Bits, Chain, Real};
use crate::bounds::Rounding;
use crate::stochastic_game::cycles::{CycleFacts, EndComponents, LocalGame, Side};
use crate::stochastic_game::model::{Kind, closed_set};

/// A strategy: weights out of a power of two by the numbers of actions.
pub(super) type LongWeights = Vec<(u32, IBig)>;

/// The strategies of a side, and the side's bounds that they prove, as the side counts them: what it gains at least.
pub(super) struct Proved {
    /// Bounds are in units of 2^−this of the unit of short ones.
    pub(super) finer: usize,
    pub(super) bounds: Vec<IBig>,
    pub(super) weight_exponent: usize,
    pub(super) weights: Vec<LongWeights>,
}

/// The opponent's choice at a state: where play goes, and what it pays.
struct Reply {
    steps: Vec<(usize, Real)>,
    leaves: Real,
    pays: Real,
}

/// Turns cost the side so many units: more than the roundings of a bound, of a cell, and of what makes a reply better.
const MARGIN: u8 = 4;

/// Policy iteration ends sooner; rounding may let it go around.
const STEPS: usize = 100;

/// The worth of a side's stationary strategies when the opponent answers best: policy iteration (Howard 1960) for a reply on a game
/// in which every turn costs the side a little. So the worth is below what the strategies secure by more than rounding takes, at
/// every state and against every reply, however long play lasts.
///
/// Among the states of an end component, where the opponent can stay for ever, all are worth the same, and turns cost nothing.
/// `None` if that does not prove itself.
pub(super) fn worth(
    (game, facts, side): (&LocalGame, CycleFacts, Side),
    (weights, weight_exponent): (Vec<LongWeights>, usize),
    finer: usize,
    go_on: &mut dyn FnMut() -> ControlFlow<()>,
) -> ControlFlow<(), Option<Proved>> {
    let bits = Bits(finer + 160);
    let supports: Vec<Vec<(u32, u64)>> = weights.iter().map(|own| own.iter().map(|&(action, _)| (action, 1)).collect()).collect();
    let slices: Vec<&[(u32, u64)]> = supports.iter().map(Vec::as_slice).collect();
    let ends = if facts.kind == Kind::Recursive { EndComponents::new(game, side, &slices) } else { EndComponents::default() };
    // Each state stands for itself, or the first of its end component for it.
    let mut stands: Vec<usize> = (0..game.len()).collect();
    for states in ends.all() {
        states.iter().for_each(|&state| stands[state as usize] = states[0] as usize);
    }
    let endless = if side.is_upper() { -facts.endless.upper } else { facts.endless.lower };
    let cost = bits.integer(MARGIN).scaled(-(finer as isize));
    let cost = Real { ..bits.product(&cost, &bits.integer(-1)) };
    let mut replies: Vec<Vec<Reply>> = (0..game.len()).map(|_| Vec::new()).collect();
    for states in ends.all() {
        replies[states[0] as usize].push(Reply { steps: Vec::new(), leaves: bits.integer(1), pays: bits.integer(endless) });
    }
    for state in 0..game.len() {
        let inside = |next: usize| stands[next] == stands[state];
        let is_end = !replies[stands[state]].is_empty() && ends.all().iter().any(|states| states.binary_search(&(state as u32)).is_ok());
        for reply in 0..game.replies(state, side) {
            if is_end && game.stays(state, side, (slices[state], reply), &inside) {
                continue;
            }
            let mut found = Reply { steps: Vec::new(), leaves: Real::default(), pays: cost.clone() };
            for (own, weight) in &weights[state] {
                let (pays, denominator, outcomes) = game.cell(state, side, *own, reply);
                let share = bits.quotient(&bits.integer(weight.clone()), &bits.integer(denominator)).scaled(-(weight_exponent as isize));
                let mut rest = denominator;
                for outcome in outcomes {
                    rest -= i128::from(outcome.weight);
                    let step = bits.product(&share, &bits.integer(outcome.weight));
                    found.steps.push((stands[outcome.state as usize], step));
                }
                found.leaves = bits.sum(&found.leaves, &bits.product(&share, &bits.integer(rest)));
                found.pays = bits.sum(&found.pays, &bits.product(&share, &bits.integer(pays)));
            }
            replies[stands[state]].push(found);
        }
    }
    let Some(values) = against_best(&replies, &stands, bits, finer, go_on)? else { return ControlFlow::Continue(None) };
    let bounds = stands.iter().map(|&state| values[state].floor(finer)).collect();
    let proved = Proved { finer, bounds, weight_exponent, weights };
    let is_proved = is_proved((game, facts, side), &proved, &slices);
    ControlFlow::Continue(is_proved.then_some(proved))
}

/// The values of all states, if the opponent chooses the replies that are worst for the side.
fn against_best(
    replies: &[Vec<Reply>],
    stands: &[usize],
    bits: Bits,
    finer: usize,
    go_on: &mut dyn FnMut() -> ControlFlow<()>,
) -> ControlFlow<(), Option<Vec<Real>>> {
    let count = replies.len();
    let mut chosen = vec![0; count];
    for _ in 0..STEPS {
        go_on()?;
        let mut chain = Chain::default();
        for (state, replies) in replies.iter().enumerate() {
            let mut steps = vec![Real::default(); count];
            if let Some(reply) = replies.get(chosen[state]) {
                for (next, step) in &reply.steps {
                    steps[*next] = bits.sum(&steps[*next], step);
                }
                chain.leaves.push(reply.leaves.clone());
                chain.pays.push(reply.pays.clone());
            } else {
                // It goes on as the state that stands for it.
                steps[stands[state]] = bits.integer(1);
                chain.leaves.push(Real::default());
                chain.pays.push(Real::default());
            }
            chain.steps.push(steps);
        }
        let Some(values) = chain.collected(bits) else { return ControlFlow::Continue(None) };
        let mut changed = false;
        for (state, replies) in replies.iter().enumerate() {
            let worth = |reply: &Reply| {
                let later = reply.steps.iter().map(|(next, step)| bits.product(step, &values[*next]));
                later.fold(reply.pays.clone(), |sum, term| bits.sum(&sum, &term)).floor(finer)
            };
            let worths: Vec<IBig> = replies.iter().map(worth).collect();
            let best = (0..worths.len()).min_by_key(|&reply| &worths[reply]);
            if let Some(best) = best.filter(|&best| &worths[best] + IBig::ONE < worths[chosen[state]]) {
                (chosen[state], changed) = (best, true);
            }
        }
        if !changed {
            return ControlFlow::Continue(Some(values));
        }
    }
    ControlFlow::Continue(None)
}

/// Whether strategies prove a side's bounds, by the two conditions of [`cycles`](crate::stochastic_game::cycles) in long integers.
fn is_proved((game, facts, side): (&LocalGame, CycleFacts, Side), proved: &Proved, supports: &[&[(u32, u64)]]) -> bool {
    let Proved { finer, bounds, weight_exponent, weights } = proved;
    let is_secured = |state: usize| {
        (0..game.replies(state, side)).all(|reply| {
            let worth = |(own, weight): &(u32, IBig)| {
                let (pays, denominator, outcomes) = game.cell(state, side, *own, reply);
                let later = outcomes.iter().map(|outcome| &bounds[outcome.state as usize] * IBig::from(outcome.weight));
                let sum = later.fold(IBig::from(pays) << *finer, |sum, term| sum + term);
                weight * Rounding::Down.quotient(sum, denominator.into())
            };
            weights[state].iter().map(worth).sum::<IBig>() >= &bounds[state] << *weight_exponent
        })
    };
    let endless = IBig::from(if side.is_upper() { -facts.endless.upper } else { facts.endless.lower }) << *finer;
    let better: Vec<u32> = (0..game.len() as u32).filter(|&state| bounds[state as usize] > endless).collect();
    let can_stay = |state: usize, inside: &dyn Fn(usize) -> bool| game.can_stay(state, side, supports[state], inside);
    let is_kept = facts.kind == Kind::Recursive && !closed_set(&better, game.len(), can_stay).is_empty();
    (0..game.len()).all(is_secured) && !is_kept
}
