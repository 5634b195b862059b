//! Value iteration (Shapley 1953) and Newton steps (Pollatschek and Avi-Itzhak 1969), which read a
//! component's cells in place. Their result is a guess; one pass in integers proves it, or leaves
//! the component to [`CyclicSolver`].
//!
//! [`CyclicSolver`]: super::CyclicSolver

use std::ops::ControlFlow;
use std::sync::Mutex;

use super::cycle::{CheckCancel, CycleControl, CycleProgress, CyclicState};
use super::cyclic::middle;
use super::double_matrix::DoubleMatrix;
use super::local_game::Side;
use super::long::LongStates;
use super::policy_iteration::RESERVES;
use crate::bounds::{BOUND_BITS, Bounds};
use crate::gate::Passed;
use crate::matrix_game::{DyadicStrategy, EnclosedMatrix, EnclosedSimplex, ROUNDING_UNITS};
use crate::model::{CellView, Kind, Outcome, StochasticGame};
use crate::work::Threads;

/// A component of a game, with the bounds of all states outside.
pub(crate) struct Component<'g> {
    pub(crate) game: &'g StochasticGame,
    /// Its states, rising.
    pub(crate) states: &'g [u32],
    /// The integers next to the payoff of infinite plays.
    pub(crate) endless: Bounds,
    pub(crate) exponent: u32,
    /// The bounds of all states of the game; those of the component's are not read.
    pub(crate) outside: &'g [Bounds],
    /// The states outside that are known in longer numbers.
    pub(crate) long: &'g LongStates,
    pub(crate) threads: &'g Threads,
}

/// A numbering with gaps this many times as large as the component costs more memory than a game of
/// its own.
const GAPS: usize = 4;

/// States are cut into this many blocks at most, whatever the number of threads: a sweep takes new
/// values within a block, and the last sweep's from other blocks, so that a block's border slows
/// convergence.
const BLOCKS: usize = 16;

/// A component this small is solved faster than blocks of it are handed to other threads.
pub(super) const LEAST_SHARED: usize = 1 << 10;

/// Changes are compared over this many sweeps, since those of one vary.
const WINDOW: usize = 8;

/// Sweeps that would take longer than the policy iteration they save.
const MOST_SWEEPS: usize = 2_000;

/// Value iteration ends with changes of this share of the largest value: a double has nine bits
/// more, and Newton steps, which are exact to a unit, find the same strategies from here on.
const SETTLED: f64 = 1.0 / (1_u64 << 44) as f64;

/// Turns for which a pair of strategies is followed, at most: of four actions each, that takes as
/// long as a sweep that finds them.
const MOST_TURNS: usize = 16;

/// Newton steps, at most: two meet the rounding of integers where strategies stay, and some more
/// are needed where ties flip.
const NEWTON_STEPS: usize = 16;

/// Corrections are integers, so that less than this share of a unit changes few of them.
const LITTLE: f64 = 0.25;

/// The progress before a sweep of value iteration: guesses, of which no proof needs one.
#[derive(Clone, Debug)]
pub(crate) struct SweepProgress {
    /// The values of the component's states, in units.
    pub(crate) values: Vec<f64>,
    /// The largest change in every sweep so far.
    pub(crate) changes: Vec<f64>,
    /// The turns for which the last pair of strategies was followed.
    pub(crate) turns: usize,
}

impl SweepProgress {
    /// Whether value iteration of this many states can have this progress.
    fn fits(&self, states: usize) -> bool {
        let Self { values, changes, turns } = self;
        let are_numbers = |numbers: &[f64]| numbers.iter().all(|number| number.is_finite());
        let is_in_range = changes.len() < MOST_SWEEPS && *turns <= MOST_TURNS;
        values.len() == states && is_in_range && are_numbers(values) && are_numbers(changes)
    }
}

/// The progress before a Newton step: guesses, of which no proof needs one.
#[derive(Clone, Debug)]
pub(crate) struct StepProgress {
    pub(crate) steps: usize,
    /// The guesses of the component's bounds, which may cross.
    pub(crate) guesses: Vec<Bounds>,
}

impl StepProgress {
    /// Whether Newton steps of this many states can have this progress.
    fn fits(&self, states: usize) -> bool {
        let is_in_range = |guess: &Bounds| {
            [guess.lower, guess.upper].iter().all(|side| side.unsigned_abs() <= 1 << BOUND_BITS)
        };
        self.guesses.len() == states
            && self.steps < NEWTON_STEPS
            && self.guesses.iter().all(is_in_range)
    }
}

/// The states of a component whose bounds passed the gate.
pub(crate) struct ProvedComponent {
    pub(crate) states: Vec<CyclicState>,
    pub(crate) passed: Passed,
    /// Whether rounding alone widens the bounds.
    pub(crate) is_tight: bool,
}

/// The buffers of a thread.
#[derive(Default)]
struct Worker {
    doubles: DoubleMatrix,
    matrix: EnclosedMatrix,
    proving: EnclosedSimplex,
}

/// The values during a sweep: new ones of the same block, else those of the last sweep, else the
/// middles of the bounds outside.
#[derive(Clone, Copy)]
struct Values<'v> {
    block: &'v [f64],
    begin: usize,
    last: &'v [f64],
    first: usize,
    outside: Option<&'v [Bounds]>,
}

impl Values<'_> {
    #[inline]
    fn at(&self, state: u32) -> f64 {
        let place = (state as usize).wrapping_sub(self.first);
        match self.block.get(place.wrapping_sub(self.begin)).or_else(|| self.last.get(place)) {
            Some(&value) => value,
            None => self.outside.map_or(0.0, |outside| nearest_middle(outside[state as usize])),
        }
    }
}

/// The values that one sweep after another improves, and what all sweeps read.
struct Sweeps<'v> {
    /// After the last sweep, counted from the component's first state.
    last: Vec<f64>,
    /// During a sweep; otherwise the same.
    next: Vec<f64>,
    /// The bounds of all states of the game; without them, states outside have the value 0.
    outside: Option<&'v [Bounds]>,
    workers: Mutex<Vec<Worker>>,
}

impl<'v> Sweeps<'v> {
    fn new(values: Vec<f64>, outside: Option<&'v [Bounds]>) -> Self {
        Self { last: values.clone(), next: values, outside, workers: Mutex::default() }
    }

    /// The largest absolute value.
    fn largest(&self) -> f64 {
        self.last.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()))
    }
}

/// The order in which a sweep visits the states of a block.
#[derive(Clone, Copy)]
enum Order {
    Forward,
    Backward,
}

impl Order {
    /// Directions alternate from sweep to sweep, beginning with the first state.
    const fn of(sweep: usize) -> Self {
        if sweep.is_multiple_of(2) { Self::Forward } else { Self::Backward }
    }

    /// The place of the state that is visited after `step` others, among `count`.
    #[inline]
    const fn place(self, step: usize, count: usize) -> usize {
        match self {
            Self::Forward => step,
            Self::Backward => count - 1 - step,
        }
    }
}

/// A state, and its place among the states of its block.
#[derive(Clone, Copy)]
struct BlockState {
    place: usize,
    state: u32,
}

fn nearest_middle(bounds: Bounds) -> f64 {
    bounds.lower as f64 / 2.0 + bounds.upper as f64 / 2.0
}

/// A pair of stationary strategies at the states of a block, as a Markov chain whose visits are
/// paid.
#[derive(Clone, Default)]
struct Pair {
    /// By state: what a visit pays, and where its steps begin and end.
    states: Vec<(f64, [u32; 2])>,
    /// The states that follow, outside too, with their probabilities.
    steps: Vec<(u32, f64)>,
}

impl Pair {
    /// Room for the strategies at this many states.
    fn of(states: usize) -> Self {
        Self { states: vec![Default::default(); states], steps: Vec::new() }
    }

    /// Takes the strategies of A and B at a state.
    ///
    /// Nature chooses uncertain probabilities by the values of the successors.
    fn set(
        &mut self,
        component: &Component<'_>,
        block_state: BlockState,
        strategies: [&[(usize, f64)]; 2],
        value: impl Fn(u32) -> f64,
    ) {
        let [x, y] = strategies;
        let (begin, mut pays) = (self.steps.len() as u32, 0.0);
        for (&(a, of_a), &(b, of_b)) in
            x.iter().flat_map(|of_a| y.iter().map(move |of_b| (of_a, of_b)))
        {
            let cell = component.game.cell(block_state.state as usize, a, b);
            let share = of_a * of_b / cell.denominator as f64;
            pays += share * component.paid(&cell);
            let outcomes = cell.outcomes_by_nature(&value);
            self.steps.extend(
                outcomes.iter().map(|outcome| (outcome.state, share * outcome.weight as f64)),
            );
        }
        self.states[block_state.place] = (pays, [begin, self.steps.len() as u32]);
    }

    /// The mean of the successors' values.
    fn later(&self, place: usize, values: Values<'_>) -> f64 {
        let [begin, end] = self.states[place].1.map(|step| step as usize);
        self.steps[begin..end].iter().map(|&(next, step)| step * values.at(next)).sum()
    }
}

impl Component<'_> {
    /// Solves the component, from bounds if some are known, else where value iteration converges,
    /// to the rounding of integers; `None` where that is not reached. Tells whether rounding alone
    /// widens the bounds.
    pub(crate) fn solve(
        &self,
        coarse: Option<&[CyclicState]>,
        control: &mut CycleControl<'_>,
    ) -> ControlFlow<(), Option<ProvedComponent>> {
        // No other method knows uncertain probabilities.
        if self.span() > GAPS * self.states.len() && self.game.nature().is_none() {
            return ControlFlow::Continue(None);
        }
        let Some(StepProgress { steps: mut step, guesses }) = self.guesses(coarse, control)? else {
            return ControlFlow::Continue(None);
        };
        let mut known = self.outside[self.first()..][..self.span()].to_vec();
        self.places().zip(guesses).for_each(|(place, guess)| known[place] = guess);
        let (found, mut pairs, deficits) = loop {
            let guesses = || self.places().map(|place| known[place]).collect();
            control.report(|| {
                CycleProgress::Steps(StepProgress { steps: step, guesses: guesses() })
            })?;
            let found = self.improve(&known);
            let mut pairs = self.pairs_of(&found, &known);
            step += 1;
            let mut deficits = [0.0_f64; 2];
            for (place, CyclicState { bounds, .. }) in self.places().zip(&found) {
                let missing =
                    [known[place].lower - bounds.lower, bounds.upper - known[place].upper];
                deficits = [0, 1].map(|side| deficits[side].max(missing[side] as f64));
            }
            if step == NEWTON_STEPS
                || (step > 1 && deficits.iter().all(|&deficit| deficit <= ROUNDING_UNITS as f64))
            {
                break (found, pairs, deficits);
            }
            // Mostly both sides gain the same.
            let mut gains = vec![0.0; self.span()];
            for side in Side::BOTH {
                let mut pays = vec![0.0; self.span()];
                for (place, found) in self.places().zip(&found) {
                    pays[place] = (side.bound(found.bounds) - side.bound(known[place])) as f64;
                }
                let Some(collected) =
                    self.collected(&mut pairs, &pays, gains, control.check_cancel)?
                else {
                    return ControlFlow::Continue(None);
                };
                gains = collected;
                for place in self.places() {
                    let bound = side.bound_mut(&mut known[place]);
                    *bound = bound
                        .saturating_add(gains[place].round() as i64)
                        .clamp(-1 << BOUND_BITS, 1 << BOUND_BITS);
                }
            }
        };
        let once = vec![1.0; self.span()];
        let Some(turns) =
            self.collected(&mut pairs, &once, vec![0.0; self.span()], control.check_cancel)?
        else {
            return ControlFlow::Continue(None);
        };
        drop(pairs);
        self.prove(found, &mut known, deficits, &turns, control.check_cancel)
    }

    /// The guesses from which Newton steps begin: those of an interrupted solve, the middles of
    /// known bounds, or the result of value iteration; `None` where that converges slowly.
    fn guesses(
        &self,
        coarse: Option<&[CyclicState]>,
        control: &mut CycleControl<'_>,
    ) -> ControlFlow<(), Option<StepProgress>> {
        let begun = match control.begun.take() {
            Some(CycleProgress::Steps(begun)) => return ControlFlow::Continue(Some(begun)),
            Some(CycleProgress::Sweeps(begun)) => Some(begun),
            _ => None,
        };
        let values: Vec<i64> = if let Some(coarse) = coarse {
            coarse.iter().map(|state| middle(state.bounds)).collect()
        } else {
            let Some(values) = self.iterate(begun, control)? else {
                return ControlFlow::Continue(None);
            };
            self.places()
                .map(|place| {
                    (values[place].round() as i64).clamp(-1 << BOUND_BITS, 1 << BOUND_BITS)
                })
                .collect()
        };
        let guesses = values.into_iter().map(|value| Bounds::new(value, value)).collect();
        ControlFlow::Continue(Some(StepProgress { steps: 0, guesses }))
    }

    /// Whether an interrupted solve of this component can have left this.
    pub(crate) fn fits(&self, progress: &CycleProgress) -> bool {
        let states = self.states.len();
        match progress {
            CycleProgress::Sweeps(progress) => progress.fits(states),
            CycleProgress::Steps(progress) => progress.fits(states),
            // The gate counts its states.
            CycleProgress::Rounds(_) => true,
            CycleProgress::Long(progress) => progress.fits(self.game.kind(), states),
        }
    }

    /// Moves the bounds outward until they pass the gate.
    fn prove(
        &self,
        mut found: Vec<CyclicState>,
        known: &mut [Bounds],
        deficits: [f64; 2],
        turns: &[f64],
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<(), Option<ProvedComponent>> {
        let guess: Vec<Bounds> = self.places().map(|place| known[place]).collect();
        for reserve in RESERVES {
            check_cancel()?;
            for ((place, guess), found) in self.places().zip(&guess).zip(&mut found) {
                let [down, up] = deficits.map(|deficit| reserve.moved(deficit, turns[place]));
                found.bounds =
                    Bounds::new(guess.lower.saturating_sub(down), guess.upper.saturating_add(up));
                known[place] = found.bounds;
            }
            if let Ok(passed) = self.check(&found) {
                let is_tight = deficits.iter().all(|&deficit| deficit <= ROUNDING_UNITS as f64);
                return ControlFlow::Continue(Some(ProvedComponent {
                    states: found,
                    passed,
                    is_tight,
                }));
            }
        }
        ControlFlow::Continue(None)
    }

    fn first(&self) -> usize {
        self.states[0] as usize
    }

    /// A state counted from the first one.
    fn place(&self, state: u32) -> usize {
        (state as usize).wrapping_sub(self.first())
    }

    fn places(&self) -> impl Iterator<Item = usize> {
        self.states.iter().map(|&state| self.place(state))
    }

    /// The numbers from the first state to the last one.
    fn span(&self) -> usize {
        self.place(self.states[self.states.len() - 1]) + 1
    }

    /// The numbers of a block: all, or those of one of an even number of blocks, so that two
    /// threads have the same work.
    fn block(&self) -> usize {
        let span = self.span();
        if span <= LEAST_SHARED {
            return span;
        }
        let blocks = span.div_ceil(LEAST_SHARED).next_multiple_of(2).min(BLOCKS);
        span.div_ceil(blocks)
    }

    /// The states of each block.
    fn blocks(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        let begin = |block: usize| {
            self.states.partition_point(|&state| self.place(state) < block * self.block())
        };
        (0..self.span().div_ceil(self.block()))
            .map(move |block| &self.states[begin(block)..begin(block + 1)])
    }

    /// The expected payoff of a cell in units, by the values of its successors.
    #[inline]
    fn expected_payoff(&self, cell: &CellView<'_>, of: impl Fn(u32) -> f64) -> f64 {
        // Weights are below 2⁶³, and the conversion of signed integers is the faster one.
        let later = |outcome: &Outcome| outcome.weight as i64 as f64 * of(outcome.state);
        let later = match cell.uncertain {
            None => cell.outcomes.iter().map(later).sum::<f64>(),
            Some(_) => cell.outcomes_by_nature(&of).iter().map(later).sum(),
        };
        (self.paid(cell) + later) / cell.denominator as i64 as f64
    }

    /// The reward of a cell in parts of its denominator, in units.
    #[inline]
    fn paid(&self, cell: &CellView<'_>) -> f64 {
        // Not the slow conversion of long integers.
        if cell.reward == 0 { 0.0 } else { cell.reward as f64 * f64::from(self.exponent).exp2() }
    }

    /// One sweep of Gauss–Seidel within blocks and Jacobi between them, in either direction; the
    /// largest change.
    fn sweep(
        &self,
        sweeps: &mut Sweeps<'_>,
        order: Order,
        pairs: &mut [Pair],
        update: impl Fn(&mut Worker, &mut Pair, BlockState, Values<'_>) -> f64 + Sync,
    ) -> f64 {
        let Sweeps { last, next, outside, workers } = sweeps;
        let outside = *outside;
        let (size, first) = (self.block(), self.first());
        let tasks = next.chunks_mut(size).zip(self.blocks()).zip(pairs).enumerate();
        let last_values: &[f64] = last;
        let changes = self.threads.run(workers, tasks, |worker, task| {
            let (number, ((block, states), pair)) = task;
            let mut change = 0.0_f64;
            for step in 0..states.len() {
                let place = order.place(step, states.len());
                let state = states[place];
                let values =
                    Values { block, begin: number * size, last: last_values, first, outside };
                let new = update(worker, pair, BlockState { place, state }, values);
                let old = &mut block[state as usize - first - number * size];
                change = change.max((new - *old).abs());
                *old = new;
            }
            change
        });
        last.copy_from_slice(next);
        changes.into_iter().fold(0.0, f64::max)
    }

    /// Runs value iteration from the payoff of infinite plays, until changes are rounding; `None`
    /// where it converges slowly.
    ///
    /// Between two sweeps the pair of strategies that is optimal for the last values is followed
    /// for some turns, as modified policy iteration does for one player (Puterman and Shin 1978).
    /// For two players that need not converge: the turns double while the changes fall, and become
    /// half as many where they do not, down to none, which is value iteration.
    fn iterate(
        &self,
        begun: Option<SweepProgress>,
        control: &mut CycleControl<'_>,
    ) -> ControlFlow<(), Option<Vec<f64>>> {
        let mut last: Vec<f64> = self.outside[self.first()..][..self.span()]
            .iter()
            .copied()
            .map(nearest_middle)
            .collect();
        let start = if matches!(self.game.kind(), Kind::Recursive | Kind::Total) {
            nearest_middle(self.endless)
        } else {
            0.0
        };
        let fresh = || SweepProgress {
            values: vec![start; self.states.len()],
            changes: Vec::new(),
            turns: 1,
        };
        let SweepProgress { values, mut changes, mut turns } = begun.unwrap_or_else(fresh);
        self.places().zip(values).for_each(|(place, value)| last[place] = value);
        let mut sweeps = Sweeps::new(last, Some(self.outside));
        let mut pairs = self.pairs();
        let mut least = changes.iter().copied().fold(f64::INFINITY, f64::min);
        for sweep in changes.len()..MOST_SWEEPS {
            let values = || self.places().map(|place| sweeps.last[place]).collect();
            control.report(|| {
                CycleProgress::Sweeps(SweepProgress {
                    values: values(),
                    changes: changes.clone(),
                    turns,
                })
            })?;
            let largest = sweeps.largest();
            for pair in &mut pairs {
                pair.steps.clear();
            }
            let change = self.sweep(
                &mut sweeps,
                Order::of(sweep),
                &mut pairs,
                |worker, pair, at, values| self.optimal(worker, pair, at, values),
            );
            if change <= largest * SETTLED {
                return ControlFlow::Continue(Some(sweeps.last));
            }
            turns = if change < least { (2 * turns).clamp(1, MOST_TURNS) } else { turns / 2 };
            least = least.min(change);
            for turn in 0..turns {
                self.sweep(&mut sweeps, Order::of(turn + 1), &mut pairs, |_, pair, at, values| {
                    pair.states[at.place].0 + pair.later(at.place, values)
                });
            }
            changes.push(change);
            if let Some(&earlier) =
                changes.len().checked_sub(WINDOW + 1).and_then(|place| changes.get(place))
            {
                // The estimated number of remaining sweeps at this rate.
                let rate = (earlier / change).ln() / WINDOW as f64;
                let left = (change / (largest * SETTLED)).ln() / rate;
                if changes.len() > 4 * WINDOW
                    && !(rate > 0.0 && left < (MOST_SWEEPS - sweep) as f64)
                {
                    return ControlFlow::Continue(None);
                }
            }
        }
        ControlFlow::Continue(None)
    }

    /// The value of a state's matrix game in floating point; takes optimal strategies.
    fn optimal(
        &self,
        worker: &mut Worker,
        pair: &mut Pair,
        block_state: BlockState,
        values: Values<'_>,
    ) -> f64 {
        let state = block_state.state as usize;
        let (matrix, columns) = (&mut worker.doubles, self.game.sizes(state)[1]);
        matrix.fill(
            self.game
                .all_cells(state)
                .map(|cell| self.expected_payoff(&cell, |next| values.at(next))),
        );
        let value = matrix.solve(columns);
        pair.set(self, block_state, [&matrix.row, &matrix.column], |next| values.at(next));
        value
    }

    /// Room for a pair of strategies at all states.
    fn pairs(&self) -> Vec<Pair> {
        self.blocks().map(|states| Pair::of(states.len())).collect()
    }

    /// The strategies of solved states, as Markov chains; nature chooses by the middles of the
    /// known bounds.
    fn pairs_of(&self, found: &[CyclicState], known: &[Bounds]) -> Vec<Pair> {
        let mut parts = Vec::new();
        let mut rest = found;
        for states in self.blocks() {
            let (block, later) = rest.split_at(states.len());
            parts.push((states, block));
            rest = later;
        }
        self.threads.map(&parts, |(): &mut (), &(states, found)| {
            let mut pair = Pair::of(states.len());
            for ((place, &state), CyclicState { weights, .. }) in
                states.iter().enumerate().zip(found)
            {
                let share = |&(action, weight): &(u32, u64)| {
                    (action as usize, weight as f64 / DyadicStrategy::WHOLE as f64)
                };
                let [x, y] = weights
                    .each_ref()
                    .map(|strategy| strategy.iter().map(share).collect::<Vec<_>>());
                pair.set(self, BlockState { place, state }, [&x, &y], |next| {
                    nearest_middle(self.successor_bounds(known, next))
                });
            }
            pair.steps.shrink_to_fit();
            pair
        })
    }

    /// Computes the expected total from each state if a visit pays `pays` and both players keep to
    /// their strategies, up to [`LITTLE`], starting from a guess; `None` if the sweeps do not
    /// converge.
    fn collected(
        &self,
        pairs: &mut [Pair],
        pays: &[f64],
        guess: Vec<f64>,
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<(), Option<Vec<f64>>> {
        let mut sweeps = Sweeps::new(guess, None);
        for sweep in 0..MOST_SWEEPS {
            check_cancel()?;
            let change = self.sweep(&mut sweeps, Order::of(sweep), pairs, |_, pair, at, values| {
                pays[self.place(at.state)] + pair.later(at.place, values)
            });
            let largest = sweeps.largest();
            if change <= LITTLE.max(largest * f64::EPSILON) {
                return ControlFlow::Continue(Some(sweeps.last));
            }
        }
        ControlFlow::Continue(None)
    }

    /// The bounds of a successor.
    fn successor_bounds(&self, known: &[Bounds], state: u32) -> Bounds {
        known.get(self.place(state)).copied().unwrap_or_else(|| self.outside[state as usize])
    }

    /// Solves every state by these bounds; returns both players' security levels and strategies.
    fn improve(&self, known: &[Bounds]) -> Vec<CyclicState> {
        let parts: Vec<&[u32]> = self.blocks().collect();
        let found = self.threads.map(&parts, |Worker { matrix, proving, .. }, states| {
            let solved = states.iter().map(|&state| {
                matrix.resize(self.game.sizes(state as usize));
                for cell in self.game.all_cells(state as usize) {
                    matrix
                        .put(cell.bounds(self.exponent, |next| self.successor_bounds(known, next)));
                }
                CyclicState::of(proving.solve(matrix))
            });
            solved.collect::<Vec<_>>()
        });
        found.into_iter().flatten().collect()
    }
}
