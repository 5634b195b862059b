//! Values of stationary strategies against best replies, in integers of any length.
//!
//! End components count as one state (`opponent_mdp`), so every reply is proper and policy
//! iteration (Howard 1960) on an eliminated Markov chain finds the value. A margin at every turn
//! covers all rounding; integers then check the conditions of [`cyclic`](super::cyclic).

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use dashu_base::{Abs, BitTest, UnsignedAbs};
use dashu_float::FBig;
use dashu_float::round::mode::Zero;
use dashu_int::IBig;
use dashu_ratio::RBig;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

use super::cycle::{CheckCancel, CyclicState, Strategy, Weights};
use super::elimination::{Elimination, STEPS_A_LOOK};
use super::local_game::{LocalGame, Side};
use super::markov_chain::Transitions;
use super::opponent_mdp::{OpponentMdp, Reply};
use super::proof::{SHORT, Sizes, concedes, proves};
use crate::bounds::{Bounds, Rounding};
use crate::matrix_game::DyadicStrategy;
use crate::matrix_game::exact::integer;
use crate::matrix_game::proof::complete;
use crate::model::{Outcome, Scale};

pub(super) type Long = FBig<Zero, 2>;

pub(crate) type LongWeights = Strategy<IBig>;

/// The states that are proved in longer numbers.
pub(crate) type LongStates = BTreeMap<u32, LongState>;

/// A side's strategies, and the bounds that they prove.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LongSide {
    pub(crate) sizes: Sizes,
    pub(crate) bounds: Vec<IBig>,
    pub(crate) strategies: Vec<LongWeights>,
}

/// As [`PolicyClaim`](super::PolicyClaim), in longer numbers.
pub(crate) struct LongClaims {
    pub(crate) secured: Vec<IBig>,
    /// Bounds of the other side, with the opponent's actions.
    pub(crate) conceded: Option<(Vec<IBig>, Vec<u32>)>,
}

impl LongClaims {
    /// The bits of the largest bound, in parts of the unit.
    pub(crate) fn most_bits(&self) -> usize {
        let conceded = self.conceded.iter().flat_map(|(bounds, _)| bounds);
        self.secured
            .iter()
            .chain(conceded)
            .map(|bound| bound.clone().unsigned_abs().bit_len())
            .max()
            .unwrap_or(0)
    }
}

/// A state of a cycle that is proved in longer numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LongState {
    /// The weights of each side sum to 2^this.
    pub(crate) weight_bits: usize,
    /// Bounds are in parts of the unit, 2^−this.
    pub(crate) finer: usize,
    pub(crate) sides: [(IBig, LongWeights); 2],
}

impl LongState {
    /// An end, whose value lies between two integers in longer numbers.
    pub(crate) fn of_end(scale: Scale, value: &BigRational) -> Self {
        let parts = value
            * BigRational::from_integer(BigInt::one() << (scale.exponent as usize + STRATEGY_BITS));
        let sides = [parts.floor(), parts.ceil()]
            .map(|bound| (integer(&bound.to_integer()), LongWeights::new()));
        Self { weight_bits: SHORT.weight_bits, finer: STRATEGY_BITS, sides }
    }

    /// Both sides of every state, in the finer unit of both.
    pub(crate) fn joined(sides: [LongSide; 2]) -> Vec<Self> {
        let sizes = sides[0].sizes_with(&sides[1]);
        let Sizes { weight_bits, finer } = sizes;
        let [lower, upper] = sides.map(|side| {
            let LongSide { bounds, strategies, .. } = side.scaled(sizes);
            bounds.into_iter().zip(strategies)
        });
        lower
            .zip(upper)
            .map(|(lower, upper)| Self { weight_bits, finer, sides: [lower, upper] })
            .collect()
    }

    const fn sizes(&self) -> Sizes {
        Sizes { weight_bits: self.weight_bits, finer: self.finer }
    }

    pub(crate) fn bounds(&self) -> [&IBig; 2] {
        self.sides.each_ref().map(|(bound, _)| bound)
    }

    /// A bound in parts of the unit, 2^−`finer`, rounded outward.
    pub(crate) fn bound_in(&self, side: Side, finer: usize) -> IBig {
        let (bound, _) = &self.sides[side.index()];
        side.rounding().shift(bound << finer, self.finer)
    }

    /// The bounds in whole units, rounded outward.
    pub(crate) fn rounded(&self) -> Option<Bounds> {
        let [lower, upper] = Side::BOTH.map(|side| {
            let (bound, _) = &self.sides[side.index()];
            i64::try_from(side.rounding().shift(bound.clone(), self.finer)).ok()
        });
        Some(Bounds::new(lower?, upper?))
    }
}

/// The bits after the point of bounds and of weights, at least, where strategies are as good as
/// found. Play that hardly leaves is that of 2⁶² turns, for which the margin of every turn takes as
/// many bits, and some 30 are left.
pub(super) const STRATEGY_BITS: usize = 96;

/// The most improvements of the replies.
const STEPS: usize = 100;

/// The replies to a side's strategies while policy iteration looks for the best ones: guesses, of
/// which no proof needs one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replies {
    /// The number of the margin that is tried, and the improvements with it.
    pub(crate) margin: usize,
    pub(crate) steps: usize,
    /// By state, the number of a reply; empty at first.
    pub(crate) chosen: Vec<u32>,
}

impl Replies {
    /// Whether replies to the strategies of this many states can be these. Which replies there are
    /// is not asked: a number that is too large stands for the last one.
    pub(super) fn fits(&self, states: usize) -> bool {
        let is_whole = self.chosen.is_empty() || self.chosen.len() == states;
        self.margin < MARGINS.len() && self.steps < STEPS && is_whole
    }
}

/// Margins at every turn, in units of a bound, and shifts of all bounds alike, to be tried in this
/// order. The last margin is more than is lost by rounding a weighted sum, and by replies that
/// count as equally good; but in long plays it adds up, where in the short unit a shift may be
/// enough, since a state and its successors are then rounded alike.
const MARGINS: [(i64, &[i64]); 2] = [(0, &[0, 1, 4]), (MARGIN, &[0])];
const MARGIN: i64 = 4;

/// The bits by which values are computed more precisely than a bound's unit; the largest value has
/// 61 bits before the unit.
const GUARD_BITS: usize = 128;

/// A reply with its transitions, and the payment on leaving by the lower and by the upper bounds
/// outside.
pub(super) struct Move {
    reply: Reply,
    follows: Transitions<Long>,
    paid: [Long; 2],
}

impl Move {
    /// The payment by the bounds of a side, with a margin if this is a turn.
    fn paid(&self, side: Side, margin: &Long) -> Long {
        let paid = self.paid[side.index()].clone();
        if let Reply::Action { .. } = self.reply { paid + margin.clone() } else { paid }
    }

    /// The expected payoff by the bounds of a side, by the values of the successors.
    fn expected_payoff(&self, side: Side, margin: &Long, values: &[Long]) -> Long {
        let mut payoff = self.paid(side, margin);
        for (next, step) in &self.follows.steps {
            payoff += step.clone() * values[*next as usize].clone();
        }
        payoff
    }
}

/// The values of replies by the bounds of a side; `None` where play hardly leaves.
fn collected<'m>(
    moves: impl Iterator<Item = &'m Move>,
    side: Side,
    margin: &Long,
    check_cancel: &mut CheckCancel<'_>,
) -> ControlFlow<(), Option<Vec<Long>>> {
    let (chain, pays): (Vec<_>, Vec<_>) =
        moves.map(|reply| (reply.follows.clone(), reply.paid(side, margin))).unzip();
    let elimination = Elimination::new(&chain, check_cancel)?;
    ControlFlow::Continue(elimination.ok().map(|elimination| elimination.totals(&pays)))
}

/// A value in parts of the unit, 2^−`finer`, rounded as a bound of a side.
fn bound_of(value: &Long, finer: usize, side: Side) -> IBig {
    let value = value.clone() << finer as isize;
    if side.is_upper() { value.ceil() } else { value.floor() }.to_int().value()
}

/// An integer in parts of the unit, 2^−`from`, in parts of 2^−`to`; rounded down where these are
/// coarser.
pub(super) fn in_unit(integer: &IBig, from: usize, to: usize) -> IBig {
    if to >= from { integer << (to - from) } else { integer >> (from - to) }
}

pub(super) fn long(integer: IBig, exponent: isize, precision: usize) -> Long {
    Long::from_parts(integer, exponent).with_precision(precision).value()
}

/// Probabilities as weights out of 2^`bits`, each of them positive.
pub(super) fn weights(shares: &[(usize, RBig)], bits: usize) -> LongWeights {
    let weight = |share: &RBig| {
        ((share.numerator() << bits) / IBig::from(share.denominator().clone())).max(IBig::ONE)
    };
    let mut weights: Vec<IBig> = shares.iter().map(|(_, share)| weight(share)).collect();
    complete(&mut weights, IBig::ONE << bits);
    shares.iter().map(|(action, _)| *action as u32).zip(weights).collect()
}

/// Weights out of 2^`bits` as weights out of 2⁶², each of them positive, so that no action gets
/// lost. The largest takes the rest that rounding leaves.
fn rounded_weights(weights: &LongWeights, bits: usize) -> Weights {
    let short = |(_, weight): &(u32, IBig)| ((weight << SHORT.weight_bits) >> bits).max(IBig::ONE);
    let mut rounded: Vec<IBig> = weights.iter().map(short).collect();
    complete(&mut rounded, IBig::from(DyadicStrategy::WHOLE));
    let actions = weights.iter().map(|(action, _)| *action);
    actions
        .zip(rounded)
        .map(|(action, weight)| (action, u64::try_from(weight).unwrap_or(0)))
        .collect()
}

impl LongSide {
    pub(super) fn of(states: &[CyclicState], side: Side) -> Self {
        let strategy = |state: &CyclicState| {
            state.weights[side.index()]
                .iter()
                .map(|&(action, weight)| (action, weight.into()))
                .collect()
        };
        let bounds = states.iter().map(|state| side.bound(state.bounds).into()).collect();
        Self { sizes: SHORT, bounds, strategies: states.iter().map(strategy).collect() }
    }

    /// A side of states in longer numbers.
    pub(crate) fn of_long(states: &[LongState], side: Side) -> Self {
        let sizes = states.first().map_or(SHORT, LongState::sizes);
        let (bounds, strategies) =
            states.iter().map(|state| state.sides[side.index()].clone()).unzip();
        Self { sizes, bounds, strategies }
    }

    /// Stores the bounds, rounded outward, and the strategies that are shown and judged.
    pub(super) fn store(&self, side: Side, shown: Vec<Weights>, states: &mut [CyclicState]) {
        for ((found, weights), state) in self.bounds.iter().zip(shown).zip(states) {
            let known = side.bound_mut(&mut state.bounds);
            *known = i64::try_from(side.rounding().shift(found.clone(), self.sizes.finer))
                .unwrap_or(*known);
            state.weights[side.index()] = weights;
        }
    }

    /// The strategies in weights out of 2⁶², rounded.
    pub(super) fn rounded(&self) -> Vec<Weights> {
        self.strategies
            .iter()
            .map(|weights| rounded_weights(weights, self.sizes.weight_bits))
            .collect()
    }

    /// The strategies out of 2⁶² that are shown and judged: the long ones rounded if they secure
    /// more than `others` do, by the sum of all states' values against best replies; else the
    /// others.
    ///
    /// Rounding can cost nearly everything: where an action has to be rarer than 2⁻⁶², the rounded
    /// strategy takes it too often.
    pub(crate) fn shown(
        &self,
        game: &LocalGame,
        side: Side,
        others: Vec<Weights>,
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<(), Vec<Weights>> {
        let rounded = self.rounded();
        if others == rounded {
            return ControlFlow::Continue(rounded);
        }
        let [sum, sum_of_others] = [
            self.secured_sum(game, side, &rounded, check_cancel)?,
            self.secured_sum(game, side, &others, check_cancel)?,
        ];
        ControlFlow::Continue(match (sum, sum_of_others) {
            (Some(sum), Some(sum_of_others)) if side.is_closer(&sum, &sum_of_others) => rounded,
            (_, None) => rounded,
            _ => others,
        })
    }

    /// The sum of all states' bounds that strategies out of 2⁶² prove, as fine as these bounds;
    /// `None` where that fails.
    fn secured_sum(
        &self,
        game: &LocalGame,
        side: Side,
        short: &[Weights],
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<(), Option<IBig>> {
        let in_long = |weights: &Weights| {
            weights.iter().map(|&(action, weight)| (action, weight.into())).collect()
        };
        let strategies = short.iter().map(in_long).collect();
        let sizes = Sizes { finer: self.sizes.finer, ..SHORT };
        let found = Self::proved(game, side, strategies, sizes, &Replies::default(), &mut |_| {
            check_cancel()
        })?;
        ControlFlow::Continue(found.map(|(found, _)| found.bounds.iter().sum()))
    }

    /// The bounds in parts of the unit, 2^−`finer`, rounded down where that is coarser.
    pub(super) fn bounds_in(&self, finer: usize) -> Vec<IBig> {
        self.bounds.iter().map(|bound| in_unit(bound, self.sizes.finer, finer)).collect()
    }

    /// The weights out of 2^`bits`, which are no fewer than their own.
    pub(super) fn weights_in(&self, bits: usize) -> Vec<LongWeights> {
        let finer = |&(action, ref weight): &(u32, IBig)| {
            (action, weight << (bits - self.sizes.weight_bits))
        };
        self.strategies.iter().map(|strategy| strategy.iter().map(finer).collect()).collect()
    }

    /// The sizes in which both are known.
    pub(super) fn sizes_with(&self, other: &Self) -> Sizes {
        Sizes {
            weight_bits: self.sizes.weight_bits.max(other.sizes.weight_bits),
            finer: self.sizes.finer.max(other.sizes.finer),
        }
    }

    /// The same bounds and probabilities in finer units.
    fn scaled(mut self, sizes: Sizes) -> Self {
        let more_bits = sizes.weight_bits - self.sizes.weight_bits;
        let more = sizes.finer - self.sizes.finer;
        self.bounds.iter_mut().for_each(|bound| *bound <<= more);
        self.strategies.iter_mut().flatten().for_each(|(_, weight)| *weight <<= more_bits);
        Self { sizes, ..self }
    }

    /// The better bounds of both, with the strategies that prove them together; or else those that
    /// are better as a whole.
    pub(super) fn merged(self, other: Self, game: &LocalGame, side: Side) -> Self {
        let sizes = self.sizes_with(&other);
        let [one, other] = [self, other].map(|part| part.scaled(sizes));
        let mut both = one.clone();
        for state in (0..game.len())
            .filter(|&state| side.is_closer(&other.bounds[state], &one.bounds[state]))
        {
            both.bounds[state].clone_from(&other.bounds[state]);
            both.strategies[state].clone_from(&other.strategies[state]);
        }
        let sum = |part: &Self| part.bounds.iter().sum::<IBig>();
        match () {
            () if both.is_proved(game, side) => both,
            () if side.is_closer(&sum(&other), &sum(&one)) => other,
            () => one,
        }
    }

    /// The size of the largest bound in units, rounded up.
    pub(super) fn largest(&self) -> IBig {
        let largest = self.bounds.iter().map(|bound| bound.clone().abs()).max().unwrap_or_default();
        Rounding::Up.shift(largest, self.sizes.finer)
    }

    /// The sizes of all bounds in units, to nearest.
    pub(super) fn sizes_of_bounds(&self) -> impl Iterator<Item = f64> {
        let size = |bound: &IBig| {
            long(bound.clone().abs(), -(self.sizes.finer as isize), self.precision())
                .to_f64()
                .value()
        };
        self.bounds.iter().map(size)
    }

    /// Whether the strategies prove the bounds.
    pub(crate) fn is_proved(&self, game: &LocalGame, side: Side) -> bool {
        proves(
            game,
            side,
            self.sizes,
            |state| &self.strategies[state][..],
            |state| self.bounds[state].clone(),
        )
    }

    /// A reply with its successors and payments.
    fn moved(&self, mdp: &OpponentMdp<'_, IBig>, reply: Reply) -> Move {
        let number = |integer: i128| long(integer.into(), 0, self.precision());
        let mut follows = Transitions { steps: Vec::new(), ends: number(0) };
        let mut paid = [number(0), number(0)];
        match reply {
            Reply::As(first) => follows.steps.push((first, number(1))),
            Reply::Stay => {
                follows.ends = number(1);
                paid = Side::BOTH.map(|side| number(side.bound(mdp.game.endless).into()));
            }
            Reply::Action { state, reply } => {
                for (weight, cell) in mdp.cells(state, reply) {
                    let weight =
                        long(weight.clone(), -(self.sizes.weight_bits as isize), self.precision());
                    let share = weight / number(cell.denominator);
                    let step = |outcome: &Outcome| {
                        (outcome.state, share.clone() * number(outcome.weight.into()))
                    };
                    follows.steps.extend(cell.inside.iter().map(step));
                    follows.ends += share.clone() * number(cell.leaves());
                    for (paid, side) in paid.iter_mut().zip(Side::BOTH) {
                        let (outside, finer) = cell.longest_outside(side);
                        *paid += share.clone() * long(outside, -(finer as isize), self.precision());
                    }
                }
            }
        }
        Move { reply, follows, paid }
    }

    /// Claims about the values of a side's strategies against best replies; `None` where none are
    /// found.
    pub(crate) fn enclosed(
        game: &LocalGame,
        side: Side,
        strategies: Vec<LongWeights>,
        sizes: Sizes,
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<(), Option<LongClaims>> {
        let found = Self::proved(game, side, strategies, sizes, &Replies::default(), &mut |_| {
            check_cancel()
        })?;
        let Some((found, moves)) = found else { return ControlFlow::Continue(None) };
        let (other, finer) = (side.other(), sizes.finer);
        let margin = long(
            if other.is_upper() { MARGIN } else { -MARGIN }.into(),
            -(finer as isize),
            found.precision(),
        );
        let replies: Vec<Reply> = moves.iter().map(|reply| reply.reply).collect();
        let bounds = collected(moves.iter(), other, &margin, check_cancel)?
            .map(|values| {
                values.iter().map(|value| bound_of(value, finer, other)).collect::<Vec<IBig>>()
            })
            .filter(|bounds| {
                concedes(game, side, sizes, &found.strategies, &replies, |state| {
                    bounds[state].clone()
                })
            });
        let conceded =
            bounds.zip(OpponentMdp::new(game, side, &found.strategies).actions(&replies));
        ControlFlow::Continue(Some(LongClaims { secured: found.bounds, conceded }))
    }

    /// The bits of values, which are more precise than a bound's unit.
    fn precision(&self) -> usize {
        self.sizes.weight_bits.max(self.sizes.finer) + GUARD_BITS
    }

    /// Strategies out of 2^`weight_bits` with the bounds that they prove, in parts of the unit, and
    /// the best replies; `None` where that fails. Begins with replies that were found before, if
    /// there are some, and reports them before every improvement.
    pub(super) fn proved(
        game: &LocalGame,
        side: Side,
        strategies: Vec<LongWeights>,
        sizes: Sizes,
        replies: &Replies,
        tell: &mut dyn FnMut(&Replies) -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<(Self, Vec<Move>)>> {
        let (upper, finer) = (side.is_upper(), sizes.finer);
        let mut found = Self { sizes, bounds: vec![IBig::ZERO; strategies.len()], strategies };
        let precision = found.precision();
        let unit = |units: i64| long(units.into(), -(finer as isize), precision);
        let Some(mut moves) = found.moves(game, side) else { return ControlFlow::Continue(None) };
        let margins =
            MARGINS.map(|(margin, shifts)| (unit(if upper { margin } else { -margin }), shifts));
        moves.take_over(replies);
        let margins = if finer == 0 { &margins[..] } else { &margins[1..] };
        for (number, (margin, shifts)) in margins.iter().enumerate().skip(replies.margin) {
            let done = if number == replies.margin { replies.steps } else { 0 };
            let mut tell_step = |steps, chosen: &[usize]| {
                let chosen = chosen.iter().map(|&chosen| chosen as u32).collect();
                tell(&Replies { margin: number, steps, chosen })
            };
            let values = match moves.settle(margin, &unit(1), done, &mut tell_step)? {
                Settled::Values(values) => values,
                Settled::Not => continue,
                Settled::Endless => return ControlFlow::Continue(None),
            };
            for shift in *shifts {
                let bound =
                    |value| bound_of(value, finer, side) + if upper { *shift } else { -shift };
                found.bounds = values.iter().map(bound).collect();
                if found.is_proved(game, side) {
                    return ControlFlow::Continue(Some((found, moves.into_chosen())));
                }
            }
        }
        ControlFlow::Continue(None)
    }

    /// All moves of the opponent, with first ones that are proper; `None` where a state has none.
    fn moves(&self, game: &LocalGame, side: Side) -> Option<Moves> {
        let mdp = OpponentMdp::new(game, side, &self.strategies);
        let moved = |reply: Reply| self.moved(&mdp, reply);
        let of_state =
            |state: usize| -> Vec<Move> { mdp.replies(state).into_iter().map(moved).collect() };
        let all: Vec<Vec<Move>> = (0..game.len()).map(of_state).collect();
        if !game.kind.is_total() {
            // Every reply is proper.
            return Some(Moves { side, chosen: vec![0; all.len()], all });
        }
        let place = |(moves, reply): (&Vec<Move>, Reply)| {
            moves.iter().position(|moved| moved.reply == reply)
        };
        let chosen = all.iter().zip(mdp.proper()?).map(place).collect::<Option<_>>()?;
        Some(Moves { side, all, chosen })
    }
}

/// The moves of a side's opponent at every state, and one that is chosen at each.
struct Moves {
    side: Side,
    all: Vec<Vec<Move>>,
    chosen: Vec<usize>,
}

/// How policy iteration ended.
enum Settled {
    /// With the best moves, of these values.
    Values(Vec<Long>),
    /// After too many steps.
    Not,
    /// With moves by which play hardly leaves.
    Endless,
}

impl Moves {
    /// Begins with replies that were found before, if there are some; a number that is too large
    /// stands for the last reply.
    fn take_over(&mut self, replies: &Replies) {
        for ((chosen, moves), &number) in self.chosen.iter_mut().zip(&self.all).zip(&replies.chosen)
        {
            *chosen = (number as usize).min(moves.len() - 1);
        }
    }

    /// Chooses the best moves by policy iteration (Howard 1960), of which some steps are done; a
    /// move is better by more than `gain`. Reports the steps and the moves before every step.
    fn settle(
        &mut self,
        margin: &Long,
        gain: &Long,
        done: usize,
        tell: &mut dyn FnMut(usize, &[usize]) -> ControlFlow<()>,
    ) -> ControlFlow<(), Settled> {
        for steps in done..STEPS {
            let before = self.chosen.clone();
            let mut check_cancel = || tell(steps, &before);
            check_cancel()?;
            let policy = self.all.iter().zip(&self.chosen).map(|(moves, &chosen)| &moves[chosen]);
            let Some(mut values) = collected(policy, self.side, margin, &mut check_cancel)? else {
                return ControlFlow::Continue(Settled::Endless);
            };
            if !self.improve(&mut values, margin, gain, &mut check_cancel)? {
                return ControlFlow::Continue(Settled::Values(values));
            }
        }
        ControlFlow::Continue(Settled::Not)
    }

    /// Chooses better moves by the values of the moves chosen; returns whether there are some.
    ///
    /// A state's value is replaced at once by that of its better move, and states are visited in
    /// both directions, so that a way out through many states is found in one step. The value of
    /// the moves chosen is at least as good as the values left here, as in policy iteration by all
    /// old values, because every replacement is an improvement (Gauss-Seidel).
    fn improve(
        &mut self,
        values: &mut [Long],
        margin: &Long,
        gain: &Long,
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<(), bool> {
        let mut changed = false;
        let mut since_look = 0;
        for state in (0..values.len()).chain((0..values.len()).rev()) {
            changed |= self.improve_at(state, values, margin, gain);
            since_look +=
                self.all[state].iter().map(|reply| reply.follows.steps.len()).sum::<usize>();
            if since_look > STEPS_A_LOOK {
                since_look = 0;
                check_cancel()?;
            }
        }
        ControlFlow::Continue(changed)
    }

    /// Chooses a better move at a state, and replaces its value; returns whether there is one.
    fn improve_at(
        &mut self,
        state: usize,
        values: &mut [Long],
        margin: &Long,
        gain: &Long,
    ) -> bool {
        let side = self.side;
        let (moves, chosen) = (&self.all[state], &mut self.chosen[state]);
        let mut best = moves[*chosen].expected_payoff(side, margin, values);
        let mut changed = false;
        for (number, reply) in moves.iter().enumerate() {
            let payoff = reply.expected_payoff(side, margin, values);
            let is_better = if side.is_upper() {
                payoff > best.clone() + gain
            } else {
                payoff < best.clone() - gain
            };
            if is_better {
                (best, *chosen, changed) = (payoff, number, true);
            }
        }
        if changed {
            values[state] = best;
        }
        changed
    }

    fn into_chosen(self) -> Vec<Move> {
        self.all
            .into_iter()
            .zip(self.chosen)
            .map(|(mut moves, chosen)| moves.swap_remove(chosen))
            .collect()
    }
}
