//! Values of stationary strategies against best replies, in integers of any length.
//!
//! End components count as one state (`answers`), so every reply is proper and policy iteration (Howard 1960) on an eliminated
//! Markov chain finds the value. A margin at every turn covers all rounding; integers then check the conditions of
//! [`cyclic`](super::cyclic).

use std::ops::ControlFlow;

use dashu_float::FBig;
use dashu_float::round::mode::Zero;
use dashu_int::IBig;
use dashu_ratio::RBig;

use super::answers::{Answers, Reply};
use super::cycle::{CycleFacts, CyclicState, Weights};
use super::local_game::{LocalGame, Side};
use super::markov_chain::{Eliminated, MarkovChain};
use crate::bounds::{Bounds, Rounding};
use crate::matrix_game::DyadicStrategy;
use crate::stochastic_game::model::{Outcome, closed_set};

pub(super) type Long = FBig<Zero, 2>;

/// The weights of a strategy by the numbers of actions.
pub(crate) type LongWeights = Vec<(u32, IBig)>;

/// A side's strategies, and the bounds that they prove.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LongSide {
    /// Weights sum to 2^this.
    pub(crate) weight_bits: usize,
    /// Bounds are in parts of the component's unit, 2^−this.
    pub(crate) finer: usize,
    pub(crate) states: Vec<(IBig, LongWeights)>,
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
    pub(super) fn of(sides: [LongSide; 2]) -> Vec<Self> {
        let [weight_bits, finer] = [|side: &LongSide| side.weight_bits, |side: &LongSide| side.finer]
            .map(|size| sides.iter().map(size).fold(0, usize::max));
        let [lower, upper] = sides.map(|side| side.scaled(weight_bits, finer).states);
        lower.into_iter().zip(upper).map(|(lower, upper)| Self { weight_bits, finer, sides: [lower, upper] }).collect()
    }

    pub(crate) fn bounds(&self) -> [&IBig; 2] {
        self.sides.each_ref().map(|(bound, _)| bound)
    }

    /// The bounds in whole units, rounded outward.
    pub(crate) fn rounded(&self) -> Option<Bounds> {
        let [lower, upper] = Side::BOTH.map(|side| {
            let (bound, _) = &self.sides[usize::from(side.is_upper())];
            i64::try_from(Rounding::of_bound(side.is_upper()).shift(bound.clone(), self.finer)).ok()
        });
        Some(Bounds::new(lower?, upper?))
    }
}

/// Bounds that strategies prove for their side, and bounds that best replies prove for the other side.
type Enclosed = (LongSide, Option<Vec<IBig>>);

/// The most improvements of the replies.
const STEPS: usize = 100;

/// Margins at every turn, in units of a bound, and shifts of all bounds alike, to be tried in this order. The last margin is more than
/// is lost by rounding a weighted sum, and by replies that count as equally good; but in long plays it adds up, where in the short
/// unit a shift may be enough, since a state and its successors are then rounded alike.
const MARGINS: [(i64, &[i64]); 2] = [(0, &[0, 1, 4]), (MARGIN, &[0])];
const MARGIN: i64 = 4;

/// The bits by which values are computed more precisely than a bound's unit; the largest value has 61 bits before the unit.
const GUARD_BITS: usize = 128;

/// A reply with its successors, the probability of leaving, and what is paid then by the lower and by the upper bounds outside.
struct Move {
    reply: Reply,
    steps: Vec<(u32, Long)>,
    leaves: Long,
    paid: [Long; 2],
}

impl Move {
    /// The payment by the bounds of a side, with a margin if this is a turn.
    fn paid(&self, upper: bool, margin: &Long) -> Long {
        let paid = self.paid[usize::from(upper)].clone();
        if let Reply::Action { .. } = self.reply { paid + margin.clone() } else { paid }
    }
}

/// The values of a Markov chain of replies; `None` where play hardly leaves.
fn collected(chain: &mut MarkovChain<Long>, met: &[&Move], upper: bool, margin: &Long) -> Option<Vec<Long>> {
    chain.clear();
    for reply in met {
        reply.steps.iter().for_each(|(next, step)| chain.step(*next, step.clone()));
        chain.end_state(reply.leaves.clone());
    }
    match chain.eliminated(&met.iter().map(|reply| reply.paid(upper, margin)).collect::<Vec<_>>()) {
        Eliminated::Collected(values) => Some(values),
        _ => None,
    }
}

/// A value in parts of the unit, 2^−`finer`, rounded as a bound of a side.
fn bound_of(value: &Long, finer: usize, upper: bool) -> IBig {
    let value = value.clone() << finer as isize;
    if upper { value.ceil() } else { value.floor() }.to_int().value()
}

pub(super) fn long(integer: IBig, exponent: isize, precision: usize) -> Long {
    Long::from_parts(integer, exponent).with_precision(precision).value()
}

/// Probabilities as weights out of 2^`bits`, each of them positive.
pub(super) fn weights(shares: &[(usize, RBig)], bits: usize) -> LongWeights {
    let weight = |share: &RBig| ((share.numerator() << bits) / IBig::from(share.denominator().clone())).max(IBig::ONE);
    let mut weights: LongWeights = shares.iter().map(|(action, share)| (*action as u32, weight(share))).collect();
    let rest = (IBig::ONE << bits) - weights.iter().map(|(_, weight)| weight).sum::<IBig>();
    if let Some((_, largest)) = weights.iter_mut().max_by(|(_, one), (_, other)| one.cmp(other)) {
        *largest += rest;
    }
    weights
}

impl LongSide {
    /// A side of states that are proved in 62 bits.
    pub(super) fn of(states: &[CyclicState], bounds: &[Bounds], side: Side) -> Self {
        let own = |(state, bounds): (&CyclicState, &Bounds)| {
            let weights = &state.weights[usize::from(side.is_upper())];
            (bounds.side(side.is_upper()).into(), weights.iter().map(|&(action, weight)| (action, weight.into())).collect())
        };
        Self { weight_bits: DyadicStrategy::WHOLE_BITS as usize, finer: 0, states: states.iter().zip(bounds).map(own).collect() }
    }

    /// Stores the bounds, rounded outward, and the weights if they are out of 2⁶²: strategies are shown and judged in 62 bits.
    pub(super) fn store(&self, side: Side, states: &mut [CyclicState], bounds: &mut [Bounds]) {
        let rounding = Rounding::of_bound(side.is_upper());
        for ((found, weights), (state, bounds)) in self.states.iter().zip(states.iter_mut().zip(bounds)) {
            let bound = i64::try_from(rounding.shift(found.clone(), self.finer)).unwrap_or(bounds.side(side.is_upper()));
            *if side.is_upper() { &mut bounds.upper } else { &mut bounds.lower } = bound;
            if self.is_short() {
                let short = |(action, weight): &(u32, IBig)| (*action, u64::try_from(weight).unwrap_or(0));
                state.weights[usize::from(side.is_upper())] = weights.iter().map(short).collect();
            }
        }
    }

    pub(super) const fn is_short(&self) -> bool {
        self.finer == 0 && self.weight_bits == DyadicStrategy::WHOLE_BITS as usize
    }

    /// The same bounds and probabilities in finer units.
    pub(crate) fn scaled(mut self, weight_bits: usize, finer: usize) -> Self {
        let (more_bits, more) = (weight_bits - self.weight_bits, finer - self.finer);
        for (bound, weights) in &mut self.states {
            *bound <<= more;
            for (_, weight) in weights {
                *weight <<= more_bits;
            }
        }
        Self { weight_bits, finer, ..self }
    }

    /// The better bounds of both, with the strategies that prove them together; or else those that are better as a whole.
    pub(super) fn merged(self, other: Self, game: &LocalGame, facts: CycleFacts, side: Side) -> Self {
        let (weight_bits, finer) = (self.weight_bits.max(other.weight_bits), self.finer.max(other.finer));
        let [one, other] = [self, other].map(|part| part.scaled(weight_bits, finer));
        let is_better = |one: &IBig, other: &IBig| if side.is_upper() { one < other } else { one > other };
        let states = one.states.iter().zip(&other.states);
        let states = states.map(|(one, other)| if is_better(&other.0, &one.0) { other } else { one }.clone()).collect();
        let both = Self { weight_bits, finer, states };
        let sum = |part: &Self| part.states.iter().map(|(bound, _)| bound).sum::<IBig>();
        match () {
            () if both.is_proved(game, facts, side) => both,
            () if is_better(&sum(&other), &sum(&one)) => other,
            () => one,
        }
    }

    fn support(&self) -> Vec<Weights> {
        self.states.iter().map(|(_, weights)| weights.iter().map(|&(action, _)| (action, 1)).collect()).collect()
    }

    /// Whether the weights are strategies.
    pub(crate) fn is_legal(&self, game: &LocalGame, side: Side) -> bool {
        let is_strategy = |(state, (_, weights)): (usize, &(IBig, LongWeights))| {
            let actions = game.actions(state)[usize::from(side.is_upper())];
            let is_legal = |(action, weight): &(u32, IBig)| (*action as usize) < actions && *weight > IBig::ZERO;
            weights.iter().all(is_legal)
                && weights.windows(2).all(|pair| pair[0].0 < pair[1].0)
                && weights.iter().map(|(_, weight)| weight).sum::<IBig>() == IBig::ONE << self.weight_bits
        };
        self.states.len() == game.len() && self.states.iter().enumerate().all(is_strategy)
    }

    /// Whether the strategies prove the bounds, by the two conditions of [`cyclic`](super::cyclic).
    pub(crate) fn is_proved(&self, game: &LocalGame, facts: CycleFacts, side: Side) -> bool {
        let (upper, support) = (side.is_upper(), self.support());
        let bound = |state: usize| &self.states[state].0;
        let is_secured = |state: usize| {
            let promised = &self.states[state].0 << self.weight_bits;
            (0..game.replies(state, side)).all(|reply| {
                let secured = self.met((game, side), (state, reply), side, bound);
                if upper { secured <= promised } else { secured >= promised }
            })
        };
        let endless = IBig::from(facts.endless.side(upper)) << self.finer;
        let is_better = |&state: &u32| if upper { *bound(state as usize) < endless } else { *bound(state as usize) > endless };
        let better: Vec<u32> = (0..game.len() as u32).filter(is_better).collect();
        let stays = |state: usize, inside: &dyn Fn(usize) -> bool| game.can_stay(state, side, &support[state], inside);
        (0..game.len()).all(is_secured) && closed_set(&better, game.len(), stays).is_empty()
    }

    /// The worth of the strategy at a state when it meets a reply, by the bounds of one of the sides, in parts of 2^`weight_bits`.
    fn met<'b>(
        &self,
        (game, side): (&LocalGame, Side),
        (state, reply): (usize, usize),
        of: Side,
        bound: impl Fn(usize) -> &'b IBig + Copy,
    ) -> IBig {
        let worth = |(action, weight): &(u32, IBig)| {
            weight * game.long_bound(game.place(state, side, *action, reply), of, self.finer, bound)
        };
        self.states[state].1.iter().map(worth).sum()
    }

    fn moved(&self, (game, facts, side): (&LocalGame, CycleFacts, Side), reply: Reply, precision: usize) -> Move {
        let number = |integer: i128| long(integer.into(), 0, precision);
        let mut moved = Move { reply, steps: Vec::new(), leaves: number(0), paid: [number(0), number(0)] };
        match reply {
            Reply::As(first) => moved.steps.push((first, number(1))),
            Reply::Stay => {
                moved.leaves = number(1);
                moved.paid = [facts.endless.lower, facts.endless.upper].map(|endless| number(endless.into()));
            }
            Reply::Action { state, reply } => {
                for (action, weight) in &self.states[state].1 {
                    let cell = game.cell(game.place(state, side, *action, reply));
                    let share = long(weight.clone(), -(self.weight_bits as isize), precision) / number(cell.denominator);
                    let step = |outcome: &Outcome| (outcome.state, share.clone() * number(outcome.weight.into()));
                    moved.steps.extend(cell.inside.iter().map(step));
                    moved.leaves += share.clone() * number(cell.leaves());
                    for (paid, outside) in moved.paid.iter_mut().zip(cell.outside) {
                        *paid += share.clone() * number(outside);
                    }
                }
            }
        }
        moved
    }

    /// Strategies out of 2^`weight_bits` with the bounds that they prove, in parts of the unit; `None` where that fails.
    pub(super) fn proved(
        of: (&LocalGame, CycleFacts, Side),
        strategies: Vec<LongWeights>,
        sizes: [usize; 2],
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<Self>> {
        Self::met_best(of, strategies, sizes, |_, _| (), go_on).map_continue(|found| found.map(|(found, ())| found))
    }

    /// As `proved`, with the bounds of the other side that best replies prove, if any.
    pub(crate) fn enclosed(
        of: (&LocalGame, CycleFacts, Side),
        strategies: Vec<LongWeights>,
        sizes: [usize; 2],
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<Enclosed>> {
        Self::met_best(of, strategies, sizes, |found, met| found.conceded(of, met), go_on)
    }

    /// The bounds of the other side that replies prove: they exist in the game whose end components are one state each, and there
    /// the conditions of [`cyclic`](super::cyclic) are checked.
    fn conceded(&self, (game, facts, side): (&LocalGame, CycleFacts, Side), met: &[&Move]) -> Option<Vec<IBig>> {
        let (other, upper) = (side.other(), side.other().is_upper());
        let margin = long(if upper { MARGIN } else { -MARGIN }.into(), -(self.finer as isize), self.precision());
        let values = collected(&mut MarkovChain::default(), met, upper, &margin)?;
        let bounds: Vec<IBig> = values.iter().map(|value| bound_of(value, self.finer, upper)).collect();
        let (support, endless) = (self.support(), IBig::from(facts.endless.side(upper)) << self.finer);
        let is_held = |(reply, bound): (&&Move, &IBig)| {
            let [given, bound] = match reply.reply {
                Reply::As(first) => [bounds[first as usize].clone(), bound.clone()],
                Reply::Stay => [endless.clone(), bound.clone()],
                Reply::Action { state, reply } => {
                    [self.met((game, side), (state, reply), other, |next| &bounds[next]), bound << self.weight_bits]
                }
            };
            if upper { given <= bound } else { given >= bound }
        };
        let is_better = |&state: &u32| {
            let own = &bounds[state as usize];
            if upper { *own < endless } else { *own > endless }
        };
        let better: Vec<u32> = (0..game.len() as u32).filter(is_better).collect();
        let stays = |state: usize, inside: &dyn Fn(usize) -> bool| match met[state].reply {
            Reply::As(first) => inside(first as usize),
            Reply::Stay => false,
            Reply::Action { state, reply } => game.stays(state, side, (&support[state], reply), inside),
        };
        let is_proved = met.iter().zip(&bounds).all(is_held) && closed_set(&better, game.len(), stays).is_empty();
        is_proved.then_some(bounds)
    }

    /// The bits of values, which are more precise than a bound's unit.
    fn precision(&self) -> usize {
        self.finer.max(self.weight_bits) + GUARD_BITS
    }

    /// Finds the bounds that strategies prove, and what `seen` makes of them and of the best replies.
    fn met_best<T>(
        (game, facts, side): (&LocalGame, CycleFacts, Side),
        strategies: Vec<LongWeights>,
        [weight_bits, finer]: [usize; 2],
        seen: impl Fn(&Self, &[&Move]) -> T,
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<(Self, T)>> {
        let upper = side.is_upper();
        let mut found =
            Self { weight_bits, finer, states: strategies.into_iter().map(|weights| (IBig::ZERO, weights)).collect() };
        let precision = found.precision();
        let unit = |units: i64| long(units.into(), -(finer as isize), precision);
        let support = found.support();
        let answers = Answers::new(game, facts, side, &support);
        let moved = |reply: Reply| found.moved((game, facts, side), reply, precision);
        let moves: Vec<Vec<Move>> = (0..game.len()).map(|state| answers.all(state).into_iter().map(moved).collect()).collect();
        let worth = |reply: &Move, values: &[Long], margin: &Long| {
            let mut worth = reply.paid(upper, margin);
            reply.steps.iter().for_each(|(next, step)| worth += step.clone() * values[*next as usize].clone());
            worth
        };
        let (mut chosen, mut chain) = (vec![0; game.len()], MarkovChain::<Long>::default());
        for (margin, shifts) in if finer == 0 { &MARGINS[..] } else { &MARGINS[1..] } {
            let margin = unit(if upper { *margin } else { -margin });
            for _ in 0..STEPS {
                go_on()?;
                let met: Vec<&Move> = moves.iter().zip(&chosen).map(|(moves, &chosen)| &moves[chosen]).collect();
                let Some(values) = collected(&mut chain, &met, upper, &margin) else { return ControlFlow::Continue(None) };
                let mut changed = false;
                for (moves, chosen) in moves.iter().zip(&mut chosen) {
                    let mut best = worth(&moves[*chosen], &values, &margin);
                    for (number, reply) in moves.iter().enumerate() {
                        let other = worth(reply, &values, &margin);
                        if if upper { other > best.clone() + unit(1) } else { other < best.clone() - unit(1) } {
                            (best, *chosen, changed) = (other, number, true);
                        }
                    }
                }
                if changed {
                    continue;
                }
                for shift in *shifts {
                    for ((bound, _), value) in found.states.iter_mut().zip(&values) {
                        *bound = bound_of(value, finer, upper) + if upper { *shift } else { -shift };
                    }
                    if found.is_proved(game, facts, side) {
                        let seen = seen(&found, &met);
                        return ControlFlow::Continue(Some((found, seen)));
                    }
                }
                break;
            }
        }
        ControlFlow::Continue(None)
    }
}

#[cfg(all(test, feature = "report"))]
mod tests {
    use super::*;
    use crate::stochastic_game::cycles::local_game::only_cycle;

    /// B's bound is what replies prove: forged ones that pay too much, or that keep play for ever, prove none.
    #[test]
    fn forged_replies_prove_nothing() {
        let text = r#"{"format":"stochastic-game","version":1,"kind":"recursive","start":["s"]}
            {"id":"lost","value":"-1"}
            {"id":"s","a":["x"],"b":["stay","go"],"cells":[[{"to":[["1","s"]]},{"to":[["1/2","lost"],["1/2","s"]]}]]}"#;
        let (game, _, _, local) = only_cycle(text, Bounds::new(-1 << 50, -1 << 50));
        let facts = CycleFacts { kind: game.kind(), endless: Bounds::default() };
        let of = (&local, facts, Side::Lower);
        let strategies = vec![vec![(0, IBig::ONE << 62)]];
        let conceded = |found: &LongSide, met: &[&Move]| {
            let forged = |reply: usize, paid: i128| {
                let mut forged = found.moved(of, Reply::Action { state: 0, reply }, found.precision());
                (forged.leaves, forged.paid[1]) = (met[0].leaves.clone(), long(paid.into(), 0, found.precision()));
                found.conceded(of, &[&forged])
            };
            let honest = -1 << 49;
            [found.conceded(of, met), forged(1, honest), forged(1, 2 * honest), forged(0, honest)]
        };
        let found = LongSide::met_best(of, strategies, [62, 100], conceded, &mut || ControlFlow::Continue(()));
        let ControlFlow::Continue(Some((_, [first, again, more, kept]))) = found else { panic!("nothing is proved") };
        assert_eq!(first, again);
        let lost: IBig = (IBig::ONE << 150) * -1;
        assert!(first.is_some_and(|bounds| bounds[0] >= lost && bounds[0] < lost + 100));
        assert_eq!([more, kept], [None, None]);
    }
}
