//! The last stage of a cycle, in numbers of any length. A recursive game is followed through the
//! games in which play ends at every turn with probability λ, for the payoff of infinite plays, as
//! λ tends to 0.
//!
//! Newton steps on the pair of strategies (Pollatschek and Avi-Itzhak 1969) go from one λ to the
//! next; where such a step does not bring the values closer, value iteration does (as in Filar and
//! Tolwinski 1991, who shorten the step). The strategies for each λ are evaluated in the game
//! itself, so bounds are proved however the strategies were found. Where no strategy is optimal,
//! the width is a power of λ (by Puiseux series, Bewley and Kohlberg 1976), and small widths need
//! long numbers: values count 2 bits for each bit of λ.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use dashu_base::Abs;
use dashu_int::IBig;
use dashu_ratio::RBig;

use super::cycle::{CheckCancel, CycleControl, CycleProgress, CyclicState};
use super::cyclic::{Lengthened, WIDE_BITS, middle, widest};
use super::elimination::Elimination;
use super::local_game::{BoundInteger, LocalGame, Side};
use super::long::{
    Long, LongSide, LongState, LongWeights, Replies, STRATEGY_BITS, in_unit, long, weights,
};
use super::markov_chain::Transitions;
use super::proof::{SHORT, Sizes};
use crate::bounds::BOUND_BITS;
use crate::matrix_game::DyadicStrategy;
use crate::matrix_game::exact::solve_fractions;
use crate::model::{Kind, Outcome};

/// Widths up to this many units above the successors' are rounding noise.
pub(super) const CLOSE: i64 = 64;

/// The Newton steps for each λ, at most: near a solution every step doubles the digits.
const NEWTON_STEPS: usize = 12;

/// Where a Newton step does not help, a sweep of value iteration takes its place; these need about
/// 1/λ steps, so they are for large λ.
const SWEEPS: usize = 4;

/// A step in λ that took this few Newton steps may be twice as large.
const FEW_NEWTON_STEPS: usize = 5;

/// The bits of values beyond twice those of λ.
const GUARD_BITS: usize = 64;

/// λ at which optimal strategies of 2 actions have weights of 62 bits, about √λ: smaller ones need
/// longer numbers.
const SHORT_BITS: usize = 2 * DyadicStrategy::WHOLE_BITS as usize;

/// The smallest λ is 2^−this: certificates have weights of at most 2^14 bits.
const MOST_BITS: usize = (1 << 13) - GUARD_BITS;

/// The most steps of strategy iteration. Each has to narrow all widths by 2^−`LITTLE`, or where the
/// homotopy can do better at least to the half: near a solution a step doubles the digits.
const STRATEGY_STEPS: usize = 100;
const LITTLE: usize = 20;
const HALVES: usize = 0;

/// The support of a strategy, rising, with probabilities.
type Shares = Vec<(usize, RBig)>;

/// The progress of the homotopy. Its bounds and strategies are claims that have been proved; all
/// else is guesses, of which no proof needs one.
#[derive(Clone, Debug)]
pub(crate) struct LongProgress {
    /// The states as they were before longer numbers.
    pub(crate) narrowed: Vec<CyclicState>,
    /// The best bounds so far.
    pub(crate) sides: [LongSide; 2],
    /// The last λ is 2^−`bits`, and the next one smaller by 2^−`step`.
    pub(crate) bits: usize,
    pub(crate) step: usize,
    /// The values of the states at the last λ that was solved, in parts of the unit, 2^−`finer`.
    pub(crate) values: Vec<IBig>,
    pub(crate) finer: usize,
    /// What the next λ has taken so far.
    pub(crate) newton: Option<NewtonProgress>,
    /// What the proof of the strategies for the next λ has taken so far, which follows the last
    /// Newton step.
    pub(crate) narrowing: Option<Narrowing>,
    /// The best in strategies of 62 bits, once longer ones are tried.
    pub(crate) short: Option<ShortBest>,
    /// The bits of λ at which it was decided last to go on, and the width there.
    pub(crate) mark: usize,
    pub(crate) marked: Option<IBig>,
}

/// How Newton steps go on where one of them brings the values no closer; a checkpoint holds the
/// number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NewtonMethod {
    /// With the next step: few of them are taken.
    Pure = 0,
    /// From a sweep of value iteration instead, which converges slowly.
    Safeguarded = 1,
}

/// The progress before a Newton step.
#[derive(Clone, Debug)]
pub(crate) struct NewtonProgress {
    pub(crate) method: NewtonMethod,
    pub(crate) steps: usize,
    /// The values of the states, as fine as those of the λ that is being solved.
    pub(crate) values: Vec<IBig>,
    /// The values after a sweep of value iteration from the values before the last step, and the
    /// residual there.
    pub(crate) swept: Option<(Vec<IBig>, IBig)>,
}

/// Bounds that strategies of 62 bits prove, and the largest width.
#[derive(Clone, Debug)]
pub(crate) struct ShortBest {
    pub(crate) states: Vec<CyclicState>,
    pub(crate) width: IBig,
}

/// The progress of the proof of strategies.
#[derive(Clone, Debug)]
pub(crate) struct Narrowing {
    /// Whether actions are left out that λ alone makes worthwhile.
    pub(crate) is_limited: bool,
    /// The side whose strategies are being proved: 0 for A's, 1 for B's.
    pub(crate) side: usize,
    /// The replies to them so far.
    pub(crate) replies: Replies,
    /// The width before any of the strategies for this λ were proved.
    pub(crate) before: IBig,
}

impl Narrowing {
    /// The beginning, with all actions.
    fn new(before: IBig) -> Self {
        Self { is_limited: false, side: 0, replies: Replies::default(), before }
    }

    fn fits(&self, states: usize) -> bool {
        self.side < Side::BOTH.len() && self.replies.fits(states)
    }
}

impl LongProgress {
    fn new(narrowed: &[CyclicState], sides: [LongSide; 2]) -> Self {
        let finer = sides[0].sizes_with(&sides[1]).finer;
        let [lower, upper] = sides.each_ref().map(|side| side.bounds_in(finer));
        let values = lower.iter().zip(&upper).map(|(lower, upper)| (lower + upper) >> 1).collect();
        Self {
            narrowed: narrowed.to_vec(),
            sides,
            bits: 0,
            step: 2,
            values,
            finer,
            newton: None,
            narrowing: None,
            short: None,
            mark: SHORT_BITS,
            marked: None,
        }
    }

    /// The λ that is solved next; `None` where play ends by itself.
    fn next(&self, kind: Kind) -> Option<usize> {
        kind.may_last().then_some(self.bits + self.step)
    }

    /// Whether the homotopy of this many states can have this progress.
    pub(super) fn fits(&self, kind: Kind, states: usize) -> bool {
        let is_whole = |newton: &NewtonProgress| {
            let lengths =
                [Some(newton.values.len()), newton.swept.as_ref().map(|(values, _)| values.len())];
            newton.steps < most_steps(self.next(kind), newton.method)
                && lengths.iter().flatten().all(|&length| length == states)
        };
        let are_whole = self
            .sides
            .iter()
            .all(|side| side.bounds.len() == states && side.strategies.len() == states);
        let is_in_range =
            self.step > 0 && self.bits.saturating_add(self.step).max(self.mark) <= MOST_BITS;
        // Values at a λ are twice as fine as that; the first ones are as fine as the bounds.
        let is_fine = is_in_range && self.finer <= precision(Some(MOST_BITS));
        // The proof goes on with the strategies of the last Newton step.
        let is_proof = |narrowing: &Narrowing| self.newton.is_some() && narrowing.fits(states);
        let is_begun = self.newton.as_ref().is_none_or(is_whole)
            && self.narrowing.as_ref().is_none_or(is_proof);
        are_whole && is_fine && self.values.len() == states && is_begun
    }
}

/// The Newton steps for a λ, at most. Where such a step does not help, a sweep of value iteration
/// takes its place.
fn most_steps(bits: Option<usize>, method: NewtonMethod) -> usize {
    let sweeps = match method {
        NewtonMethod::Pure => 0,
        NewtonMethod::Safeguarded => SWEEPS << bits.unwrap_or(4).min(4),
    };
    NEWTON_STEPS + sweeps
}

struct Homotopy<'g> {
    game: &'g LocalGame,
    progress: LongProgress,
    /// The optimal strategies of both players at every state, for the last λ.
    strategies: [Vec<Shares>; 2],
    /// The progress before the last Newton step, whose values are those of λ if it was solved.
    last: Option<NewtonProgress>,
    /// Bounds that are this many units apart are narrow enough.
    enough: i64,
    /// In a game that ends by itself, the bits of a λ by which it is to end sooner.
    hastened: Option<usize>,
}

/// The bits by which values are finer than the unit, for λ = 2^−`bits` or without λ.
fn precision(bits: Option<usize>) -> usize {
    2 * bits.unwrap_or(GUARD_BITS / 2) + GUARD_BITS
}

/// Narrows proved bounds, or goes on with an interrupted homotopy: by Newton steps in long numbers
/// where the game ends by itself, else first with strategies of 62 bits, then in longer numbers as
/// far as that at least halves the width.
pub(super) fn follow(
    game: &LocalGame,
    narrowed: &[CyclicState],
    control: &mut CycleControl<'_>,
) -> ControlFlow<(), Lengthened> {
    if let Some(CycleProgress::Long(begun)) = control.begun.take() {
        return Homotopy::new(game, *begun, control.enough).followed(control);
    }
    let sides = Side::BOTH.map(|side| LongSide::of(narrowed, side));
    // Where few units are wide, the unit is coarse, and strategies are as good as found.
    if game.kind.is_total() || (game.kind.may_last() && widest(narrowed) <= CLOSE) {
        return follow_from(game, narrowed, sides, control);
    }
    let begun = LongProgress::new(narrowed, sides);
    if game.kind.may_last() {
        // Strategies may be as good as found, too, where rounding adds up in long plays. If they
        // are not, shorter numbers may do.
        let mut near = Homotopy::new(game, begun.clone(), control.enough);
        near.iterate_strategies(HALVES, control.check_cancel)?;
        if near.is_narrow() {
            return near.found(control.check_cancel);
        }
    }
    Homotopy::new(game, begun, control.enough).followed(control)
}

/// As [`follow`], with strategy iteration first, from sides that may be in long numbers; the result
/// has the other bounds of `states`. Strategy iteration reports no progress.
pub(super) fn follow_from(
    game: &LocalGame,
    states: &[CyclicState],
    sides: [LongSide; 2],
    control: &mut CycleControl<'_>,
) -> ControlFlow<(), Lengthened> {
    let mut path = Homotopy::new(game, LongProgress::new(states, sides), control.enough);
    path.iterate_strategies(LITTLE, control.check_cancel)?;
    if path.is_narrow() {
        return path.found(control.check_cancel);
    }
    path.followed(control)
}

/// Narrows bounds that stayed wide once more, after those outside were narrowed: by strategy
/// iteration, and where play can return further as before; a game that ends by itself at last from
/// games that end sooner. A finer unit often does without these.
pub(super) fn follow_again(
    game: &LocalGame,
    known: &Lengthened,
    control: &mut CycleControl<'_>,
) -> ControlFlow<(), Lengthened> {
    let sides = Side::BOTH.map(|side| match &known.long {
        Some(long) => LongSide::of_long(long, side),
        None => LongSide::of(&known.states, side),
    });
    let mut path = Homotopy::new(game, LongProgress::new(&known.states, sides), control.enough);
    path.iterate_strategies(LITTLE, control.check_cancel)?;
    if path.is_narrow() || game.is_left_at_once() {
        return path.found(control.check_cancel);
    }
    let ended = path.follow_all(control);
    path.ended(ended, control)
}

/// A small part of a width is 2^−this of it: those of 256 components, one behind the other, sum to
/// the whole.
const SMALL_PART_BITS: usize = 8;

/// The bits after the point of a width: a unit that counts a payoff of 2⁶⁰ leaves 2^−41 of values
/// of 1 far behind the point.
const WIDTH_BITS: usize = 64;

impl<'g> Homotopy<'g> {
    fn new(game: &'g LocalGame, progress: LongProgress, enough: i64) -> Self {
        Self {
            game,
            progress,
            strategies: [Vec::new(), Vec::new()],
            last: None,
            enough,
            hastened: None,
        }
    }

    /// Follows the path, and returns what is proved where it ends, or ends early.
    fn followed(mut self, control: &mut CycleControl<'_>) -> ControlFlow<(), Lengthened> {
        let ended = self.follow(control);
        self.ended(ended, control)
    }

    /// The bounds that are proved where work ended, by itself or early.
    fn ended(
        self,
        ended: ControlFlow<()>,
        control: &mut CycleControl<'_>,
    ) -> ControlFlow<(), Lengthened> {
        if ended.is_break() && !control.is_early() {
            return ControlFlow::Break(());
        }
        control.first(|control| self.found(control.check_cancel))
    }

    /// The values for smaller and smaller λ, or by Newton steps where play ends by itself.
    fn follow(&mut self, control: &mut CycleControl<'_>) -> ControlFlow<()> {
        if !self.game.kind.may_last() {
            if self.newton(NewtonMethod::Safeguarded, control)?.is_some() {
                let begun =
                    self.progress.narrowing.take().unwrap_or_else(|| Narrowing::new(self.width()));
                self.narrow(Sizes::of(precision(None)), begun, control)?;
            }
            // Newton steps for two players need not converge.
            if !self.is_narrow() {
                self.iterate_strategies(LITTLE, control.check_cancel)?;
            }
            return ControlFlow::Continue(());
        }
        while let Some(bits) = self.progress.next(self.game.kind).filter(|&bits| bits <= MOST_BITS)
        {
            let mut steps = None;
            let is_safeguarded =
                |newton: &NewtonProgress| newton.method == NewtonMethod::Safeguarded;
            if !self.progress.newton.as_ref().is_some_and(is_safeguarded) {
                steps = self.newton(NewtonMethod::Pure, control)?;
                if steps.is_none() && self.progress.step > 1 {
                    self.progress.step /= 2;
                    continue;
                }
            }
            if steps.is_none() {
                steps = self.newton(NewtonMethod::Safeguarded, control)?;
            }
            let (is_short, step) = (bits <= SHORT_BITS, self.progress.step);
            if !is_short && self.progress.short.is_none() && self.is_short() {
                self.progress.short =
                    Some(ShortBest { states: self.shortened(), width: self.width() });
            }
            let begun =
                self.progress.narrowing.take().unwrap_or_else(|| Narrowing::new(self.width()));
            self.narrow_at(bits, steps, begun, control)?;
            self.progress.bits = bits;
            let width = self.width();
            control
                .widest
                .store(i64::try_from(&width >> WIDTH_BITS).unwrap_or(i64::MAX), Ordering::Relaxed);
            // Short numbers narrow as far as they can: a unit.
            let units = if bits + step <= SHORT_BITS { 1 } else { CLOSE };
            if width <= self.narrow_width(units) {
                break;
            }
            if !is_short {
                // A width that is a power of λ is squared when the bits of λ double.
                let LongProgress { mark, marked, .. } = &mut self.progress;
                let begun = marked.get_or_insert_with(|| width.clone());
                if bits >= 2 * *mark {
                    if &width << 1 > *begun {
                        break;
                    }
                    (*mark, *marked) = (bits, Some(width));
                }
            }
            if steps.is_some_and(|steps| steps <= FEW_NEWTON_STEPS) {
                self.progress.step = (2 * step).min(bits);
            }
        }
        ControlFlow::Continue(())
    }

    /// As [`follow`](Self::follow), and then by games that end sooner where a game that ends by
    /// itself is still wide.
    fn follow_all(&mut self, control: &mut CycleControl<'_>) -> ControlFlow<()> {
        self.follow(control)?;
        if self.game.kind.may_last() || self.is_narrow() {
            return ControlFlow::Continue(());
        }
        self.slow_down(control)?;
        if self.is_narrow() {
            return ControlFlow::Continue(());
        }
        self.iterate_strategies(LITTLE, control.check_cancel)
    }

    /// Solves a game that ends by itself from those in which play also ends with probability λ in
    /// every turn, for smaller and smaller λ (Herings and Peeters 2004): the solution for one λ is
    /// near that for the next, so that Newton steps converge, which they need not from afar;
    /// strategy iteration always does, but in long plays by a small part of the widths in a step.
    fn slow_down(&mut self, control: &mut CycleControl<'_>) -> ControlFlow<()> {
        let (mut bits, mut step) = (0, 2);
        while bits < SHORT_BITS {
            self.hastened = Some(bits + step);
            let mut steps = self.newton(NewtonMethod::Pure, control)?;
            if steps.is_none() && step > 1 {
                step /= 2;
                continue;
            }
            if steps.is_none() {
                steps = self.newton(NewtonMethod::Safeguarded, control)?;
            }
            bits += step;
            self.keep_values(precision(Some(bits)), steps);
            if steps.is_some_and(|steps| steps <= FEW_NEWTON_STEPS) {
                step = (2 * step).min(bits);
            }
        }
        self.hastened = None;
        if self.newton(NewtonMethod::Safeguarded, control)?.is_some() {
            let begun = Narrowing::new(self.width());
            self.narrow(Sizes::of(precision(None)), begun, control)?;
        }
        ControlFlow::Continue(())
    }

    /// Keeps the values before the last Newton step, which are the solution if steps led there.
    fn keep_values(&mut self, finer: usize, steps: Option<usize>) {
        if let Some(NewtonProgress { values, .. }) = self.last.take().filter(|_| steps.is_some()) {
            (self.progress.values, self.progress.finer) = (values, finer);
        }
    }

    /// The bits of the λ that is being solved; `None` where play ends by itself.
    fn lambda_bits(&self) -> Option<usize> {
        self.hastened.or_else(|| self.progress.next(self.game.kind))
    }

    /// Whether the bounds differ by rounding alone, as short ones do, or are as narrow as was asked
    /// for.
    fn is_narrow(&self) -> bool {
        self.width() <= self.narrow_width(CLOSE)
    }

    /// The width of narrow bounds, in 2^−[`WIDTH_BITS`] of a unit: what was asked for, or this many
    /// units of rounding, which must not be wide compared with the values: the unit counts the
    /// payoff of infinite plays, too, and may be large beside these.
    fn narrow_width(&self, units: i64) -> IBig {
        let asked = IBig::from(self.enough) << WIDTH_BITS;
        let rounding =
            (IBig::from(units) << WIDTH_BITS).min(self.least_wide_among(&self.progress.sides));
        asked.max(rounding)
    }

    /// The width at which steps that would narrow bounds further end: what was asked for, or a
    /// small part of a unit or of what counts as wide, so that rounding in this component hardly
    /// widens others that rest on it.
    fn narrowest_width(&self) -> IBig {
        let asked = IBig::from(self.enough) << WIDTH_BITS;
        asked.max(self.narrow_width(1) >> SMALL_PART_BITS).max(IBig::ONE)
    }

    /// The width from which on bounds count as wide by the sizes of these, in 2^−[`WIDTH_BITS`] of
    /// a unit.
    fn least_wide_among(&self, sides: &[LongSide]) -> IBig {
        let largest = sides.iter().map(LongSide::largest).max().unwrap_or_default();
        let one = IBig::ONE << self.game.exponent() as usize;
        (largest.max(one) << WIDTH_BITS) >> WIDE_BITS as usize
    }

    /// Whether both sides are in strategies of 62 bits and whole units.
    fn is_short(&self) -> bool {
        self.progress.sides.iter().all(|side| side.sizes == SHORT)
    }

    /// Strategy iteration (Hoffman and Karp 1966), from the bounds of either side: a player takes
    /// new strategies where these are better by the player's own bounds, and the opponent all that
    /// are optimal for them. It ends where bounds are within a small part of a unit, or a step
    /// narrows all widths together by no more than 2^−`least` of what is left.
    fn iterate_strategies(
        &mut self,
        least: usize,
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<()> {
        for _ in 0..STRATEGY_STEPS {
            let before = self.all_widths();
            for side in Side::BOTH {
                let finer = self.progress.sides[side.index()].sizes.finer.max(STRATEGY_BITS);
                let known = self.progress.sides[side.index()].bounds_in(finer);
                let Some((solved, strategies)) = self.optimal(finer, &known, check_cancel) else {
                    return ControlFlow::Break(());
                };
                let bits = self
                    .progress
                    .sides
                    .iter()
                    .map(|side| side.sizes.weight_bits)
                    .fold(finer, usize::max);
                for player in Side::BOTH {
                    let kept = self.progress.sides[player.index()].weights_in(bits);
                    let better = |state: usize| {
                        player != side || side.is_closer(&solved[state], &known[state])
                    };
                    let chosen = strategies[player.index()].iter().zip(kept).enumerate();
                    let chosen = chosen.map(
                        |(state, (new, kept))| {
                            if better(state) { weights(new, bits) } else { kept }
                        },
                    );
                    self.take(
                        player,
                        chosen.collect(),
                        Sizes { weight_bits: bits, finer },
                        check_cancel,
                    )?;
                }
            }
            let is_narrow = self.width() <= self.narrowest_width();
            if is_narrow || (before - self.all_widths()) << least <= self.all_widths() {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// Takes what these strategies of a side prove, where that is better.
    fn take(
        &mut self,
        side: Side,
        strategies: Vec<LongWeights>,
        sizes: Sizes,
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<()> {
        let found =
            LongSide::proved(self.game, side, strategies, sizes, &Replies::default(), &mut |_| {
                check_cancel()
            })?;
        if let Some((found, _)) = found {
            let known = &mut self.progress.sides[side.index()];
            *known = known.clone().merged(found, self.game, side);
        }
        ControlFlow::Continue(())
    }

    /// The sum of all widths, in 2^−[`WIDTH_BITS`] of a unit, rounded up.
    fn all_widths(&self) -> IBig {
        let finer = self.progress.sides[0].sizes_with(&self.progress.sides[1]).finer;
        let [lower, upper] =
            self.progress.sides.each_ref().map(|side| side.bounds_in(finer).iter().sum::<IBig>());
        -(((lower - upper) << WIDTH_BITS) >> finer)
    }

    /// The result, or the best in short numbers where longer ones are no better.
    fn found(self, check_cancel: &mut CheckCancel<'_>) -> ControlFlow<(), Lengthened> {
        let width = self.width();
        if let Some(short) = &self.progress.short
            && width << 1 > short.width
        {
            return ControlFlow::Continue(Lengthened { states: short.states.clone(), long: None });
        }
        if self.is_short() {
            return ControlFlow::Continue(Lengthened { states: self.shortened(), long: None });
        }
        let mut states = self.progress.narrowed.clone();
        let short =
            self.progress.short.as_ref().map_or(&self.progress.narrowed, |short| &short.states);
        for (side, found) in Side::BOTH.into_iter().zip(&self.progress.sides) {
            let others = short.iter().map(|state| state.weights[side.index()].clone()).collect();
            found.store(side, found.shown(self.game, side, others, check_cancel)?, &mut states);
        }
        ControlFlow::Continue(Lengthened {
            states,
            long: Some(LongState::joined(self.progress.sides)),
        })
    }

    /// The best bounds so far, rounded to short numbers, with the strategies rounded.
    fn shortened(&self) -> Vec<CyclicState> {
        let mut states = self.progress.narrowed.clone();
        for (side, found) in Side::BOTH.into_iter().zip(&self.progress.sides) {
            found.store(side, found.rounded(), &mut states);
        }
        states
    }

    /// The largest width, in 2^−[`WIDTH_BITS`] of a unit, rounded up.
    fn width(&self) -> IBig {
        let [lower, upper] = &self.progress.sides;
        let finer = lower.sizes.finer.max(upper.sizes.finer);
        let scaled = |side: &LongSide, bound: &IBig| bound << (finer - side.sizes.finer);
        let states = lower.bounds.iter().zip(&upper.bounds);
        let widths = states.map(|(below, above)| scaled(upper, above) - scaled(lower, below));
        -((-widths.max().unwrap_or_default() << WIDTH_BITS) >> finer)
    }

    /// Takes what the strategies for λ = 2^−`bits` prove, a second time with fewer actions where
    /// the first narrows little, and the values if they were found.
    fn narrow_at(
        &mut self,
        bits: usize,
        steps: Option<usize>,
        begun: Narrowing,
        control: &mut CycleControl<'_>,
    ) -> ControlFlow<()> {
        let finer = if steps.is_some() { precision(Some(bits)) } else { self.progress.finer };
        let (was_limited, before) = (begun.is_limited, begun.before.clone());
        self.narrow(self.sizes_at(bits, finer), begun, control)?;
        if !was_limited && self.width() << 1 > before {
            let limited = Narrowing { is_limited: true, ..Narrowing::new(before) };
            self.narrow(self.sizes_at(bits, finer), limited, control)?;
        }
        self.keep_values(finer, steps);
        ControlFlow::Continue(())
    }

    /// The sizes in which strategies for λ = 2^−`bits` are proved: short ones where neither λ nor
    /// the values ask for more. The upper bounds alone tell the values: a proof that was
    /// interrupted after the lower ones has these still.
    fn sizes_at(&self, bits: usize, finer: usize) -> Sizes {
        let is_unit_small =
            self.least_wide_among(&self.progress.sides[1..]) >= IBig::ONE << WIDTH_BITS;
        if bits <= SHORT_BITS && is_unit_small {
            return SHORT;
        }
        Sizes::of(finer.max(STRATEGY_BITS))
    }

    /// Takes what the strategies prove, where that is better; if they are limited, without actions
    /// that λ alone makes worthwhile, by which a player loses who gains by infinite plays and need
    /// not make progress.
    fn narrow(
        &mut self,
        sizes: Sizes,
        begun: Narrowing,
        control: &mut CycleControl<'_>,
    ) -> ControlFlow<()> {
        let Narrowing { is_limited, side: first, mut replies, before } = begun;
        let bits = self.progress.next(self.game.kind).filter(|_| is_limited);
        for side in Side::BOTH.into_iter().skip(first) {
            let known = &self.progress.sides[side.index()];
            let endless = IBig::from(side.bound(self.game.endless)) << known.sizes.finer;
            let limited = |(shares, bound): (&Shares, &IBig)| {
                // Their shares tend to 0 with λ as its 8th root does or faster.
                let lasts = |bits, share: &RBig| {
                    share.numerator() << (bits / 8) >= IBig::from(share.denominator().clone())
                };
                let stays = |share: &RBig| {
                    bits.is_none_or(|bits| side.is_closer(bound, &endless) || lasts(bits, share))
                };
                let left: Shares =
                    shares.iter().filter(|(_, share)| stays(share)).cloned().collect();
                weights(if left.is_empty() { shares } else { &left }, sizes.weight_bits)
            };
            let strategies =
                self.strategies[side.index()].iter().zip(&known.bounds).map(limited).collect();
            let mut tell = |replies: &Replies| {
                control.report(|| {
                    let narrowing = Narrowing {
                        is_limited,
                        side: side.index(),
                        replies: replies.clone(),
                        before: before.clone(),
                    };
                    let newton = self.last.clone();
                    CycleProgress::Long(Box::new(LongProgress {
                        newton,
                        narrowing: Some(narrowing),
                        ..self.progress.clone()
                    }))
                })
            };
            let begun = std::mem::take(&mut replies);
            if let Some((found, _)) =
                LongSide::proved(self.game, side, strategies, sizes, &begun, &mut tell)?
            {
                let known = &mut self.progress.sides[side.index()];
                *known = known.clone().merged(found, self.game, side);
            }
        }
        ControlFlow::Continue(())
    }

    /// Solves for the next λ, or without λ, from the current values; returns the number of steps,
    /// or `None` where they do not converge.
    fn newton(
        &mut self,
        method: NewtonMethod,
        control: &mut CycleControl<'_>,
    ) -> ControlFlow<(), Option<usize>> {
        let bits = self.lambda_bits();
        let finer = precision(bits);
        let precision = finer + BOUND_BITS as usize + GUARD_BITS;
        // Some units, or a part of λ² of the largest payoff.
        let close = IBig::ONE << bits.map_or(8, |bits| finer + BOUND_BITS as usize - 20 - 2 * bits);
        let largest = IBig::ONE << (finer + BOUND_BITS as usize);
        let endless = IBig::from(middle(self.game.endless)) << finer;
        let fresh = || {
            let values = self
                .progress
                .values
                .iter()
                .map(|value| in_unit(value, self.progress.finer, finer))
                .collect();
            NewtonProgress { method, steps: 0, values, swept: None }
        };
        let begun = self.progress.newton.take().unwrap_or_else(fresh);
        let NewtonProgress { steps: done, mut values, mut swept, .. } = begun;
        for steps in done..most_steps(bits, method) {
            let newton =
                NewtonProgress { method, steps, values: values.clone(), swept: swept.clone() };
            self.last = Some(newton);
            // An interrupted proof goes on after this step, which was reported before. What hastens
            // a game is begun anew.
            if self.hastened.is_some() {
                (control.check_cancel)()?;
            } else if self.progress.narrowing.is_none() {
                control.report(|| {
                    CycleProgress::Long(Box::new(LongProgress {
                        newton: self.last.clone(),
                        ..self.progress.clone()
                    }))
                })?;
            }
            let damped = |value: &IBig| {
                bits.map_or_else(|| value.clone(), |bits| value - ((value - &endless) >> bits))
            };
            let damped: Vec<IBig> = values.iter().map(damped).collect();
            let Some((solved, strategies)) = self.optimal(finer, &damped, control.check_cancel)
            else {
                return ControlFlow::Break(());
            };
            self.strategies = strategies;
            let residuals: Vec<IBig> =
                solved.iter().zip(&values).map(|(solved, value)| solved - value).collect();
            let residual =
                residuals.iter().map(|residual| residual.clone().abs()).max().unwrap_or_default();
            if residual <= close {
                return ControlFlow::Continue(Some(steps));
            }
            let is_safeguarded = method == NewtonMethod::Safeguarded;
            if let Some((image, _)) =
                swept.take_if(|(_, before)| is_safeguarded && residual >= *before)
            {
                values = image;
                continue;
            }
            values = match self.corrections(bits, precision, residuals, control.check_cancel)? {
                Some(corrections) => {
                    let corrected = values
                        .iter()
                        .zip(corrections)
                        .map(|(value, correction)| value + correction);
                    corrected.map(|value| value.clamp(-&largest, largest.clone())).collect()
                }
                None => solved.clone(),
            };
            swept = Some((solved, residual));
        }
        ControlFlow::Continue(None)
    }

    /// The values of all matrix games and both players' strategies, by the values of their
    /// successors; `None` if it was stopped.
    fn optimal(
        &self,
        finer: usize,
        values: &[IBig],
        check_cancel: &mut CheckCancel<'_>,
    ) -> Option<(Vec<IBig>, [Vec<Shares>; 2])> {
        let (mut solved, mut strategies) =
            (Vec::with_capacity(values.len()), [Vec::new(), Vec::new()]);
        for state in 0..self.game.len() {
            let [rows, columns] = self.game.actions(state);
            let entry = |a: usize, b: usize| {
                let cell = self.game.cell(state, Side::Lower, a as u32, b);
                let [lower, upper] = Side::BOTH.map(|side| IBig::outside(&cell, side, finer));
                let outside = (lower + upper) >> 1;
                let inside = cell
                    .inside
                    .iter()
                    .map(|outcome| IBig::from(outcome.weight) * &values[outcome.state as usize]);
                RBig::from((outside + inside.sum::<IBig>()) / IBig::from(cell.denominator))
            };
            let matrix: Vec<Vec<RBig>> =
                (0..rows).map(|a| (0..columns).map(|b| entry(a, b)).collect()).collect();
            let found = solve_fractions(&matrix, &mut |_| check_cancel())?;
            solved.push(found.value.floor());
            strategies[0].push(found.row.probabilities().collect());
            strategies[1].push(found.column.probabilities().collect());
        }
        Some((solved, strategies))
    }

    /// The differences of values that pay these residuals while both players keep to their
    /// strategies; `None` where play never ends.
    fn corrections(
        &self,
        bits: Option<usize>,
        precision: usize,
        residuals: Vec<IBig>,
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<(), Option<Vec<IBig>>> {
        let number = |integer: i128| long(integer.into(), 0, precision);
        let lambda =
            bits.map_or_else(|| number(0), |bits| long(IBig::ONE, -(bits as isize), precision));
        let rest = number(1) - lambda.clone();
        let real = |share: &RBig| {
            let part = |integer: IBig| long(integer, 0, precision);
            part(share.numerator().clone()) / part(share.denominator().clone().into())
        };
        let mut chain = Vec::with_capacity(residuals.len());
        for (state, (x, y)) in self.strategies[0].iter().zip(&self.strategies[1]).enumerate() {
            let mut found = Transitions { steps: Vec::new(), ends: lambda.clone() };
            for (a, share_a) in x {
                for (b, share_b) in y {
                    let cell = self.game.cell(state, Side::Lower, *a as u32, *b);
                    let share =
                        real(share_a) * real(share_b) * rest.clone() / number(cell.denominator);
                    let step = |outcome: &Outcome| {
                        (outcome.state, share.clone() * number(outcome.weight.into()))
                    };
                    found.steps.extend(cell.inside.iter().map(step));
                    found.ends += share * number(cell.leaves());
                }
            }
            chain.push(found);
        }
        let pays: Vec<Long> =
            residuals.into_iter().map(|residual| long(residual, 0, precision)).collect();
        let Ok(elimination) = Elimination::new(&chain, check_cancel)? else {
            return ControlFlow::Continue(None);
        };
        let whole =
            elimination.totals(&pays).into_iter().map(|value| value.to_int().value()).collect();
        ControlFlow::Continue(Some(whole))
    }
}
