//! The last stage of a cycle, in numbers of any length. A recursive game is followed through the games in which play ends at every turn with probability λ, for the payoff of infinite
//! plays, as λ tends to 0.
//!
//! Newton steps on the pair of strategies (Pollatschek and Avi-Itzhak 1969) go from one λ to the next; where such a step does not
//! bring the values closer, value iteration does (as in Filar and Tolwinski 1991, who shorten the step). The strategies for each λ
//! are evaluated in the game itself, so bounds are proved however the strategies were found. Where no strategy is optimal, the
//! width is a power of λ (by Puiseux series, Bewley and Kohlberg 1976), and small widths need long numbers: values count 2 bits for
//! each bit of λ.

use std::ops::ControlFlow;

use dashu_base::Abs;
use dashu_int::IBig;
use dashu_ratio::RBig;

use super::cycle::{CyclicState, GoOn};
use super::cyclic::{middle, widest};
use super::local_game::{LocalGame, Side};
use super::long::{Long, LongSide, LongState, LongWeights, in_unit, long, weights};
use super::markov_chain::{Transitions, eliminated};
use super::proof::{SHORT, Sizes};
use crate::bounds::BOUND_BITS;
use crate::matrix_game::DyadicStrategy;
use crate::matrix_game::exact::solve_fractions;
use crate::stochastic_game::model::Outcome;

/// Widths up to this many units above the successors' are rounding noise.
pub(super) const CLOSE: i64 = 64;

/// The Newton steps for each λ, at most: near a solution every step doubles the digits.
const NEWTON_STEPS: usize = 12;

/// Where a Newton step does not help, a sweep of value iteration takes its place; these need about 1/λ steps, so they are for large λ.
const SWEEPS: usize = 4;

/// A step in λ that took this few Newton steps may be twice as large.
const FEW_NEWTON_STEPS: usize = 5;

/// The bits of values beyond twice those of λ.
const GUARD_BITS: usize = 64;

/// λ at which optimal strategies of 2 actions have weights of 62 bits, about √λ: smaller ones need longer numbers.
const SHORT_BITS: usize = 2 * DyadicStrategy::WHOLE_BITS as usize;

/// The smallest λ is 2^−this: certificates have weights of at most 2^14 bits.
const MOST_BITS: usize = (1 << 13) - GUARD_BITS;

/// Strategy iteration in long numbers: the bits after the point of bounds and of weights, at least. Play that hardly leaves is that of
/// 2⁶² turns, for which the margin of every turn takes as many bits, and some 30 are left.
const STRATEGY_BITS: usize = 96;

/// The most steps of strategy iteration, and the part of all widths, 2^−this, that a step has to narrow.
const STRATEGY_STEPS: usize = 100;
const LITTLE_BITS: usize = 20;

/// The support of a strategy, rising, with probabilities.
type Shares = Vec<(usize, RBig)>;

struct Homotopy<'g> {
    game: &'g LocalGame,
    /// The proved bounds.
    sides: [LongSide; 2],
    /// The values of the states at the last λ, in parts of the unit, 2^−`finer`.
    values: Vec<IBig>,
    finer: usize,
    /// The optimal strategies of both players at every state.
    strategies: [Vec<Shares>; 2],
}

/// Narrows proved bounds: by Newton steps in long numbers where the game ends by itself, else first with strategies of 62 bits, then
/// in longer numbers as far as that at least halves the width. Returns the states in longer numbers if the proof needs these.
pub(super) fn follow(
    game: &LocalGame,
    states: &mut [CyclicState],
    go_on: &mut GoOn<'_>,
) -> ControlFlow<(), Option<Vec<LongState>>> {
    let sides = Side::BOTH.map(|side| LongSide::of(states, side));
    // Where few units are wide, the unit is coarse, and strategies are as good as found.
    if game.kind.is_total() || (game.kind.may_last() && widest(states) <= CLOSE) {
        return follow_from(game, sides, states, go_on);
    }
    Homotopy::new(game, sides).follow(states, go_on)
}

/// The same by strategy iteration first, from sides that may be in long numbers; the states take the bounds found.
pub(super) fn follow_from(
    game: &LocalGame,
    sides: [LongSide; 2],
    states: &mut [CyclicState],
    go_on: &mut GoOn<'_>,
) -> ControlFlow<(), Option<Vec<LongState>>> {
    let mut path = Homotopy::new(game, sides);
    path.iterate_strategies(go_on)?;
    if path.is_narrow() {
        return ControlFlow::Continue(LongState::stored(path.sides, states));
    }
    path.follow(states, go_on)
}

/// The bits after the point of a width.
const WIDTH_BITS: usize = 8;

impl<'g> Homotopy<'g> {
    fn new(game: &'g LocalGame, sides: [LongSide; 2]) -> Self {
        let finer = sides[0].sizes_with(&sides[1])[1];
        let [lower, upper] = sides.each_ref().map(|side| side.bounds_in(finer));
        let values = lower.iter().zip(&upper).map(|(lower, upper)| (lower + upper) >> 1).collect();
        Self { game, sides, values, finer, strategies: [Vec::new(), Vec::new()] }
    }

    /// The values for smaller and smaller λ, or by Newton steps where play ends by itself.
    fn follow(mut self, states: &mut [CyclicState], go_on: &mut GoOn<'_>) -> ControlFlow<(), Option<Vec<LongState>>> {
        if !self.game.kind.may_last() {
            if self.newton(None, true, go_on)?.is_some() {
                self.narrow([self.finer; 2], None, go_on)?;
            }
            if !self.is_narrow() {
                // Newton steps for two players need not converge.
                self.iterate_strategies(go_on)?;
            }
            return ControlFlow::Continue(LongState::stored(self.sides, states));
        }
        let (mut bits, mut step, mut short) = (0, 2, None);
        // The last λ, and the width there, at which it was decided to go on.
        let (mut mark, mut marked) = (SHORT_BITS, None);
        while bits + step <= MOST_BITS {
            let mut steps = self.newton(Some(bits + step), false, go_on)?;
            if steps.is_none() && step > 1 {
                step /= 2;
                continue;
            }
            if steps.is_none() {
                steps = self.newton(Some(bits + step), true, go_on)?;
            }
            bits += step;
            let (is_short, before) = (bits <= SHORT_BITS, self.width());
            if !is_short && short.is_none() && self.sides.iter().all(|side| side.sizes == SHORT) {
                Side::BOTH.into_iter().zip(&self.sides).for_each(|(side, found)| found.store(side, states));
                short = Some(before.clone());
            }
            let sizes = if is_short { SHORT } else { [self.finer; 2] };
            self.narrow(sizes, None, go_on)?;
            if self.width() << 1 > before {
                self.narrow(sizes, Some(bits), go_on)?;
            }
            let width = self.width();
            // Short numbers narrow as far as they can: a unit.
            let enough = if bits + step <= SHORT_BITS { 1 } else { CLOSE };
            if width <= IBig::from(enough) << WIDTH_BITS {
                break;
            }
            if !is_short {
                // A width that is a power of λ is squared when the bits of λ double.
                let begun = marked.get_or_insert_with(|| width.clone());
                if bits >= 2 * mark {
                    if &width << 1 > *begun {
                        break;
                    }
                    (mark, marked) = (bits, Some(width));
                }
            }
            if steps.is_some_and(|steps| steps <= FEW_NEWTON_STEPS) {
                step = (2 * step).min(bits);
            }
        }
        let is_no_better = short.is_some_and(|short| self.width() << 1 > short);
        ControlFlow::Continue(if is_no_better { None } else { LongState::stored(self.sides, states) })
    }

    /// Whether the bounds differ by rounding alone, as short ones do.
    fn is_narrow(&self) -> bool {
        self.width() <= IBig::from(CLOSE) << WIDTH_BITS
    }

    /// Strategy iteration (Hoffman and Karp 1966), from the bounds of either side: a player takes new strategies where these are better
    /// by the player's own bounds, and the opponent all that are optimal for them. It ends where bounds are within a small
    /// part of a unit, or a step hardly narrows them.
    fn iterate_strategies(&mut self, go_on: &mut GoOn<'_>) -> ControlFlow<()> {
        for _ in 0..STRATEGY_STEPS {
            let before = self.all_widths();
            for side in Side::BOTH {
                let finer = self.sides[side.own()].sizes[1].max(STRATEGY_BITS);
                let known = self.sides[side.own()].bounds_in(finer);
                let Some((solved, strategies)) = self.optimal(finer, &known, go_on) else { return ControlFlow::Break(()) };
                let bits = self.sides.iter().map(|side| side.sizes[0]).fold(finer, usize::max);
                for player in Side::BOTH {
                    let kept = self.sides[player.own()].weights_in(bits);
                    let better = |state: usize| player != side || side.is_closer(&solved[state], &known[state]);
                    let chosen = strategies[player.own()].iter().zip(kept).enumerate();
                    let chosen = chosen.map(|(state, (new, kept))| if better(state) { weights(new, bits) } else { kept });
                    self.take(player, chosen.collect(), [bits, finer], go_on)?;
                }
            }
            if self.width() <= IBig::ONE || (before - self.all_widths()) << LITTLE_BITS <= self.all_widths() {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// Takes what these strategies of a side prove, where that is better.
    fn take(&mut self, side: Side, strategies: Vec<LongWeights>, sizes: Sizes, go_on: &mut GoOn<'_>) -> ControlFlow<()> {
        if let Some((found, _)) = LongSide::proved(self.game, side, strategies, sizes, go_on)? {
            let known = &mut self.sides[side.own()];
            *known = known.clone().merged(found, self.game, side);
        }
        ControlFlow::Continue(())
    }

    /// The sum of all widths, in 2^−8 of a unit, rounded up.
    fn all_widths(&self) -> IBig {
        let finer = self.sides[0].sizes_with(&self.sides[1])[1];
        let [lower, upper] = self.sides.each_ref().map(|side| side.bounds_in(finer).iter().sum::<IBig>());
        -(((lower - upper) << WIDTH_BITS) >> finer)
    }

    /// The largest width, in 2^−8 of a unit, rounded up.
    fn width(&self) -> IBig {
        let [lower, upper] = &self.sides;
        let finer = lower.sizes[1].max(upper.sizes[1]);
        let scaled = |side: &LongSide, bound: &IBig| bound << (finer - side.sizes[1]);
        let states = lower.bounds.iter().zip(&upper.bounds);
        let widths = states.map(|(below, above)| scaled(upper, above) - scaled(lower, below));
        -((-widths.max().unwrap_or_default() << WIDTH_BITS) >> finer)
    }

    /// Takes what the strategies prove, where that is better; for λ = 2^−`bits` without actions that λ alone makes worthwhile, by
    /// which a player loses who gains by infinite plays and need not make progress.
    fn narrow(&mut self, sizes: Sizes, bits: Option<usize>, go_on: &mut GoOn<'_>) -> ControlFlow<()> {
        for side in Side::BOTH {
            let known = &self.sides[side.own()];
            let endless = IBig::from(side.bound(self.game.endless)) << known.sizes[1];
            let limited = |(shares, bound): (&Shares, &IBig)| {
                // Their shares tend to 0 with λ as its 8th root does or faster.
                let lasts = |bits, share: &RBig| share.numerator() << (bits / 8) >= IBig::from(share.denominator().clone());
                let stays = |share: &RBig| bits.is_none_or(|bits| side.is_closer(bound, &endless) || lasts(bits, share));
                let left: Shares = shares.iter().filter(|(_, share)| stays(share)).cloned().collect();
                weights(if left.is_empty() { shares } else { &left }, sizes[0])
            };
            let strategies = self.strategies[side.own()].iter().zip(&known.bounds).map(limited).collect();
            self.take(side, strategies, sizes, go_on)?;
        }
        ControlFlow::Continue(())
    }

    /// Solves for λ = 2^−`bits`, or without λ, from the values at hand; returns the number of steps, or `None` where they do not
    /// converge. Slow steps go back to value iteration where a Newton step brings the values no closer.
    fn newton(&mut self, bits: Option<usize>, is_slow: bool, go_on: &mut GoOn<'_>) -> ControlFlow<(), Option<usize>> {
        let finer = 2 * bits.unwrap_or(GUARD_BITS / 2) + GUARD_BITS;
        let precision = finer + BOUND_BITS as usize + GUARD_BITS;
        let mut values: Vec<IBig> = self.values.iter().map(|value| in_unit(value, self.finer, finer)).collect();
        // Some units, or a part of λ² of the largest payoff.
        let close = IBig::ONE << bits.map_or(8, |bits| finer + BOUND_BITS as usize - 20 - 2 * bits);
        let largest = IBig::ONE << (finer + BOUND_BITS as usize);
        let endless = IBig::from(middle(self.game.endless)) << finer;
        // The values after a sweep of value iteration from the last values, and the residual there.
        let mut swept: Option<(Vec<IBig>, IBig)> = None;
        for steps in 0..NEWTON_STEPS + if is_slow { SWEEPS << bits.unwrap_or(4).min(4) } else { 0 } {
            let damped = |value: &IBig| bits.map_or_else(|| value.clone(), |bits| value - ((value - &endless) >> bits));
            let damped: Vec<IBig> = values.iter().map(damped).collect();
            let Some((solved, strategies)) = self.optimal(finer, &damped, go_on) else { return ControlFlow::Break(()) };
            self.strategies = strategies;
            let residuals: Vec<IBig> = solved.iter().zip(&values).map(|(solved, value)| solved - value).collect();
            let residual = residuals.iter().map(|residual| residual.clone().abs()).max().unwrap_or_default();
            if residual <= close {
                (self.values, self.finer) = (values, finer);
                return ControlFlow::Continue(Some(steps));
            }
            if let Some((image, _)) = swept.take_if(|(_, before)| is_slow && residual >= *before) {
                values = image;
                continue;
            }
            values = match self.corrections(bits, precision, residuals) {
                Some(corrections) => {
                    let corrected = values.iter().zip(corrections).map(|(value, correction)| value + correction);
                    corrected.map(|value| value.clamp(-&largest, largest.clone())).collect()
                }
                None => solved.clone(),
            };
            swept = Some((solved, residual));
        }
        ControlFlow::Continue(None)
    }

    /// The values of all matrix games and both players' strategies, by the values of their successors; `None` if it was stopped.
    fn optimal(&self, finer: usize, values: &[IBig], go_on: &mut GoOn<'_>) -> Option<(Vec<IBig>, [Vec<Shares>; 2])> {
        let (mut solved, mut strategies) = (Vec::with_capacity(values.len()), [Vec::new(), Vec::new()]);
        for state in 0..self.game.len() {
            let [rows, columns] = self.game.actions(state);
            let entry = |a: usize, b: usize| {
                let cell = self.game.cell(state, Side::Lower, a as u32, b);
                let outside = (IBig::from(cell.outside[0]) + IBig::from(cell.outside[1])) << finer >> 1;
                let inside = cell.inside.iter().map(|outcome| IBig::from(outcome.weight) * &values[outcome.state as usize]);
                RBig::from((outside + inside.sum::<IBig>()) / IBig::from(cell.denominator))
            };
            let matrix: Vec<Vec<RBig>> = (0..rows).map(|a| (0..columns).map(|b| entry(a, b)).collect()).collect();
            let found = solve_fractions(&matrix, &mut |_| go_on())?;
            solved.push(found.value.floor());
            strategies[0].push(found.row.probabilities().collect());
            strategies[1].push(found.column.probabilities().collect());
        }
        Some((solved, strategies))
    }

    /// The differences of values that pay these residuals while both players keep to their strategies; `None` where play never ends.
    fn corrections(&self, bits: Option<usize>, precision: usize, residuals: Vec<IBig>) -> Option<Vec<IBig>> {
        let number = |integer: i128| long(integer.into(), 0, precision);
        let lambda = bits.map_or_else(|| number(0), |bits| long(IBig::ONE, -(bits as isize), precision));
        let rest = number(1) - lambda.clone();
        let real = |share: &RBig| {
            let part = |integer: IBig| long(integer, 0, precision);
            part(share.numerator().clone()) / part(share.denominator().clone().into())
        };
        let mut chain = Vec::with_capacity(residuals.len());
        for (state, (x, y)) in self.strategies[0].iter().zip(&self.strategies[1]).enumerate() {
            let mut found = Transitions { steps: Vec::new(), ends: lambda.clone() };
            for (a, own) in x {
                for (b, other) in y {
                    let cell = self.game.cell(state, Side::Lower, *a as u32, *b);
                    let share = real(own) * real(other) * rest.clone() / number(cell.denominator);
                    let step = |outcome: &Outcome| (outcome.state, share.clone() * number(outcome.weight.into()));
                    found.steps.extend(cell.inside.iter().map(step));
                    found.ends += share * number(cell.leaves());
                }
            }
            chain.push(found);
        }
        let pays: Vec<Long> = residuals.into_iter().map(|residual| long(residual, 0, precision)).collect();
        let values = eliminated(&chain, &pays).ok()?;
        Some(values.into_iter().map(|value| value.to_int().value()).collect())
    }
}
