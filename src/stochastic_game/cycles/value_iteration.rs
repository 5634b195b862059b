//! Value iteration (Shapley 1953) and Newton steps (Pollatschek and Avi-Itzhak 1969), which read a component's cells in place.
//! Their result is a guess; one pass in integers proves it, or leaves the component to [`CyclicSolver`].
//!
//! [`CyclicSolver`]: super::CyclicSolver

use std::ops::ControlFlow;
use std::sync::Mutex;

use super::cycle::{CycleFacts, CyclicState};
use super::policy_iteration::{RESERVES, moved};
use crate::bounds::{BOUND_BITS, Bounds};
use crate::error::Error;
use crate::matrix_game::{DyadicStrategy, EnclosedMatrix, EnclosedSimplex, Payoffs, ROUNDING_UNITS, Simplex, Trembling};
use crate::stochastic_game::model::{CellView, Kind, Outcome, StochasticGame, closed_set};
use crate::work::{Threads, WorkError};

/// A component of a game, with the bounds of all states outside.
pub(crate) struct Component<'g> {
    pub(crate) game: &'g StochasticGame,
    /// Its states, rising.
    pub(crate) states: &'g [u32],
    pub(crate) facts: CycleFacts,
    pub(crate) exponent: u32,
    /// The bounds of all states of the game; those of the component's are not read.
    pub(crate) outside: &'g [Bounds],
    pub(crate) threads: &'g Threads,
}

/// The proved bounds of neighbouring states, and the weights that prove them.
#[derive(Debug, Default)]
pub(crate) struct Block {
    bounds: Vec<Bounds>,
    /// The numbers of actions that A and B choose.
    sizes: Vec<[u32; 2]>,
    weights: Vec<(u32, u64)>,
}

/// A component's proved bounds, and whether only rounding widens them.
pub(crate) struct Found {
    pub(crate) blocks: Vec<Block>,
    pub(crate) is_tight: bool,
}

/// A numbering with gaps this many times as large as the component costs more memory than a game of its own.
const GAPS: usize = 4;

/// States are cut into this many blocks at most, whatever the number of threads: a sweep takes new values within a block, and the
/// last sweep's from other blocks, so that a block's border slows convergence.
const BLOCKS: usize = 16;

/// A block this small is solved faster than it is handed to another thread.
const LEAST_BLOCK: usize = 1 << 10;

/// Changes are compared over this many sweeps, since those of one vary.
const WINDOW: usize = 8;

/// Sweeps that would take longer than the policy iteration they save.
const MOST_SWEEPS: usize = 2_000;

/// Value iteration ends with changes of this share of the largest value: a double has nine bits more, and Newton steps, which are
/// exact to a unit, find the same strategies from here on.
const SETTLED: f64 = 1.0 / (1_u64 << 44) as f64;

/// Turns for which a pair of strategies is followed, at most: of four actions each, that takes as long as a sweep that finds them.
const MOST_TURNS: usize = 16;

/// Newton steps, at most: two meet the rounding of integers where strategies stay, and some more are needed where ties flip.
const NEWTON_STEPS: usize = 16;

/// Corrections are integers, so that less than this share of a unit changes few of them.
const LITTLE: f64 = 0.25;

/// The buffers of a thread.
#[derive(Default)]
struct Worker {
    entries: Vec<f64>,
    simplex: Simplex,
    matrix: EnclosedMatrix,
    proving: EnclosedSimplex,
    won: [Vec<i128>; 2],
}

/// The values during a sweep: new ones of the same block, else those of the last sweep, else the middles of the bounds outside.
#[derive(Clone, Copy)]
struct Values<'v> {
    own: &'v [f64],
    begin: usize,
    last: &'v [f64],
    first: usize,
    outside: Option<&'v [Bounds]>,
}

impl Values<'_> {
    #[inline]
    fn at(&self, state: u32) -> f64 {
        let place = (state as usize).wrapping_sub(self.first);
        match self.own.get(place.wrapping_sub(self.begin)).or_else(|| self.last.get(place)) {
            Some(&value) => value,
            None => self.outside.map_or(0.0, |outside| middle(outside[state as usize])),
        }
    }
}

fn middle(bounds: Bounds) -> f64 {
    bounds.lower as f64 / 2.0 + bounds.upper as f64 / 2.0
}

/// A matrix in a buffer, row by row.
struct Entries<'e>(&'e [f64], usize);

impl Payoffs for Entries<'_> {
    fn rows(&self) -> usize {
        self.0.len() / self.1
    }

    fn columns(&self) -> usize {
        self.1
    }

    fn entry(&self, row: usize, column: usize) -> f64 {
        self.0[row * self.1 + column]
    }

    fn walk_row(&self, row: usize, mut visit: impl FnMut(&[f64])) {
        visit(&self.0[row * self.1..][..self.1]);
    }
}

impl Trembling for Entries<'_> {}

/// A pair of stationary strategies at the states of a block, as a Markov chain whose visits are paid.
#[derive(Clone, Default)]
struct Pair {
    /// By state: what a visit pays, and where its steps begin and end.
    states: Vec<(f64, [u32; 2])>,
    /// The states that follow, outside too, with their probabilities.
    steps: Vec<(u32, f64)>,
}

impl Pair {
    /// Takes the strategies of A and B at a state.
    fn set(&mut self, component: &Component<'_>, (place, state): (usize, u32), [x, y]: [&[(usize, f64)]; 2]) {
        let (begin, mut pays) = (self.steps.len() as u32, 0.0);
        for (&(a, own), &(b, other)) in x.iter().flat_map(|own| y.iter().map(move |other| (own, other))) {
            let cell = component.game.cell(state as usize, a, b);
            let share = own * other / cell.denominator as f64;
            pays += share * component.paid(&cell);
            self.steps.extend(cell.outcomes.iter().map(|outcome| (outcome.state, share * outcome.weight as f64)));
        }
        self.states[place] = (pays, [begin, self.steps.len() as u32]);
    }

    /// The mean of the successors' values.
    fn later(&self, place: usize, values: Values<'_>) -> f64 {
        let [begin, end] = self.states[place].1.map(|step| step as usize);
        self.steps[begin..end].iter().map(|&(next, step)| step * values.at(next)).sum()
    }
}

impl Component<'_> {
    /// Solves the component, from bounds if some are known, else where value iteration converges, to the rounding of integers;
    /// `None` where that is not reached.
    ///
    /// # Errors
    /// [`WorkError::Cancelled`].
    pub(crate) fn solve(
        &self,
        begun: Option<&[CyclicState]>,
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<Option<Found>, Error> {
        if self.span() > GAPS * self.states.len() {
            return Ok(None);
        }
        let mut go_on = || if go_on().is_break() { Err(WorkError::Cancelled) } else { Ok(()) };
        let mut known = self.outside[self.first()..][..self.span()].to_vec();
        if let Some(begun) = begun {
            for (&state, CyclicState { bounds, .. }) in self.states.iter().zip(begun) {
                let value = bounds.lower + (bounds.upper - bounds.lower) / 2;
                known[state as usize - self.first()] = Bounds::new(value, value);
            }
        } else {
            let Some(values) = self.iterate(&mut go_on)? else { return Ok(None) };
            for &state in self.states {
                let place = state as usize - self.first();
                let value = (values[place].round() as i64).clamp(-1 << BOUND_BITS, 1 << BOUND_BITS);
                known[place] = Bounds::new(value, value);
            }
        }
        let mut step = 0;
        let (blocks, mut pairs, deficits) = loop {
            go_on()?;
            let blocks = self.improve(&known);
            let mut pairs = self.pairs_of(&blocks);
            step += 1;
            let missing =
                |(place, &found): (usize, &Bounds)| [known[place].lower - found.lower, found.upper - known[place].upper];
            let mut deficits = [0.0_f64; 2];
            for missing in self.placed(&blocks).map(missing) {
                deficits = [0, 1].map(|side| deficits[side].max(missing[side] as f64));
            }
            if step == NEWTON_STEPS || (step > 1 && deficits.iter().all(|&deficit| deficit <= ROUNDING_UNITS as f64)) {
                break (blocks, pairs, deficits);
            }
            // Mostly both sides gain the same.
            let mut gains = vec![0.0; self.span()];
            for upper in [false, true] {
                let mut pays = vec![0.0; self.span()];
                for (place, found) in self.placed(&blocks) {
                    pays[place] = (found.side(upper) - known[place].side(upper)) as f64;
                }
                let Some(collected) = self.collected(&mut pairs, &pays, gains, LITTLE, &mut go_on)? else { return Ok(None) };
                gains = collected;
                for &state in self.states {
                    let place = state as usize - self.first();
                    let bound = if upper { &mut known[place].upper } else { &mut known[place].lower };
                    *bound = bound.saturating_add(gains[place].round() as i64).clamp(-1 << BOUND_BITS, 1 << BOUND_BITS);
                }
            }
        };
        let once = vec![1.0; self.span()];
        let Some(turns) = self.collected(&mut pairs, &once, vec![0.0; self.span()], LITTLE, &mut go_on)? else { return Ok(None) };
        self.prove(blocks, &mut known, deficits, &turns, &mut go_on)
    }

    /// Moves the bounds outward until the strategies prove them.
    fn prove(
        &self,
        mut blocks: Vec<Block>,
        known: &mut [Bounds],
        deficits: [f64; 2],
        turns: &[f64],
        go_on: &mut dyn FnMut() -> Result<(), WorkError>,
    ) -> Result<Option<Found>, Error> {
        let is_tight = deficits.iter().all(|&deficit| deficit <= ROUNDING_UNITS as f64);
        let guess: Vec<Bounds> = self.states.iter().map(|&state| known[state as usize - self.first()]).collect();
        for reserve in RESERVES {
            go_on()?;
            for (&state, guess) in self.states.iter().zip(&guess) {
                let place = state as usize - self.first();
                let [down, up] = deficits.map(|deficit| moved(deficit, reserve, turns[place]));
                known[place] = Bounds::new(guess.lower.saturating_sub(down), guess.upper.saturating_add(up));
            }
            if self.is_proved(&blocks, known) {
                let mut states = self.states.iter();
                for (bounds, &state) in blocks.iter_mut().flat_map(|block| &mut block.bounds).zip(&mut states) {
                    *bounds = known[state as usize - self.first()];
                }
                return Ok(Some(Found { blocks, is_tight }));
            }
        }
        Ok(None)
    }

    fn first(&self) -> usize {
        self.states[0] as usize
    }

    /// The numbers from the first state to the last one.
    fn span(&self) -> usize {
        self.states[self.states.len() - 1] as usize + 1 - self.first()
    }

    /// The numbers of a block.
    fn block(&self) -> usize {
        self.span().div_ceil(BLOCKS).max(LEAST_BLOCK)
    }

    /// The states of each block.
    fn blocks(&self) -> impl Iterator<Item = &[u32]> {
        let begin = |block: usize| self.states.partition_point(|&state| (state as usize - self.first()) < block * self.block());
        (0..self.span().div_ceil(self.block())).map(move |block| &self.states[begin(block)..begin(block + 1)])
    }

    /// The index and the bounds of every solved state.
    fn placed<'b>(&self, blocks: &'b [Block]) -> impl Iterator<Item = (usize, &'b Bounds)> {
        self.states.iter().map(|&state| state as usize - self.first()).zip(blocks.iter().flat_map(|block| &block.bounds))
    }

    /// The value of a cell in units, by the values of its successors.
    #[inline]
    fn worth(&self, cell: &CellView<'_>, of: impl Fn(u32) -> f64) -> f64 {
        // Weights are below 2⁶³, and the conversion of signed integers is the faster one.
        let later = |outcome: &Outcome| outcome.weight as i64 as f64 * of(outcome.state);
        (self.paid(cell) + cell.outcomes.iter().map(later).sum::<f64>()) / cell.denominator as i64 as f64
    }

    /// The reward of a cell in parts of its denominator, in units.
    #[inline]
    fn paid(&self, cell: &CellView<'_>) -> f64 {
        // Not the slow conversion of long integers.
        if cell.reward == 0 { 0.0 } else { cell.reward as f64 * f64::from(self.exponent).exp2() }
    }

    /// One sweep of Gauss–Seidel within blocks and Jacobi between them, in either direction; the largest change.
    fn sweep(
        &self,
        [last, next]: [&mut Vec<f64>; 2],
        is_backward: bool,
        outside: Option<&[Bounds]>,
        (workers, pairs): (&Mutex<Vec<Worker>>, &mut [Pair]),
        update: impl Fn(&mut Worker, &mut Pair, (usize, u32), Values<'_>) -> f64 + Sync,
    ) -> f64 {
        let mut changes = vec![0.0_f64; self.span().div_ceil(self.block())];
        let (size, first) = (self.block(), self.first());
        let tasks = next.chunks_mut(size).zip(self.blocks()).zip(&mut changes).zip(pairs).enumerate();
        let is_shared = self.span() > size;
        let last_values: &[f64] = last;
        self.threads.run(is_shared, workers, tasks, |worker, (block, (((own, states), change), pair))| {
            for step in 0..states.len() {
                let place = if is_backward { states.len() - 1 - step } else { step };
                let values = Values { own, begin: block * size, last: last_values, first, outside };
                let new = update(worker, pair, (place, states[place]), values);
                let old = &mut own[states[place] as usize - first - block * size];
                *change = change.max((new - *old).abs());
                *old = new;
            }
        });
        last.copy_from_slice(next);
        changes.into_iter().fold(0.0, f64::max)
    }

    /// Runs value iteration from the payoff of infinite plays, until changes are rounding; `None` where it converges slowly.
    ///
    /// Between two sweeps the pair of strategies that is optimal for the last values is followed for some turns, as modified policy
    /// iteration does for one player (Puterman and Shin 1978). For two players that need not converge: the turns double while the
    /// changes fall, and become half as many where they do not, down to none, which is value iteration.
    fn iterate(&self, go_on: &mut dyn FnMut() -> Result<(), WorkError>) -> Result<Option<Vec<f64>>, Error> {
        let mut last: Vec<f64> = self.outside[self.first()..][..self.span()].iter().copied().map(middle).collect();
        for &state in self.states {
            last[state as usize - self.first()] =
                if matches!(self.facts.kind, Kind::Recursive | Kind::Total) { middle(self.facts.endless) } else { 0.0 };
        }
        let (mut next, mut changes, workers) = (last.clone(), Vec::<f64>::new(), Mutex::default());
        let (mut pairs, mut turns, mut least) = (self.pairs(), 1, f64::INFINITY);
        for sweep in 0..MOST_SWEEPS {
            go_on()?;
            let largest = last.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
            for pair in &mut pairs {
                pair.steps.clear();
            }
            let (values, is_backward) = ([&mut last, &mut next], sweep % 2 == 1);
            let change =
                self.sweep(values, is_backward, Some(self.outside), (&workers, &mut pairs), |worker, pair, own, values| {
                    self.optimal(worker, pair, own, values)
                });
            if change <= largest * SETTLED {
                return Ok(Some(last));
            }
            turns = if change < least { (2 * turns).clamp(1, MOST_TURNS) } else { turns / 2 };
            least = least.min(change);
            for turn in 0..turns {
                let values = [&mut last, &mut next];
                self.sweep(values, turn % 2 == 0, Some(self.outside), (&workers, &mut pairs), |_, pair, (place, _), values| {
                    pair.states[place].0 + pair.later(place, values)
                });
            }
            changes.push(change);
            if let Some(&earlier) = changes.len().checked_sub(WINDOW + 1).and_then(|place| changes.get(place)) {
                // The estimated number of remaining sweeps at this rate.
                let rate = (earlier / change).ln() / WINDOW as f64;
                let left = (change / (largest * SETTLED)).ln() / rate;
                if changes.len() > 4 * WINDOW && !(rate > 0.0 && left < (MOST_SWEEPS - sweep) as f64) {
                    return Ok(None);
                }
            }
        }
        Ok(None)
    }

    /// The value of a state's matrix game in floating point; takes optimal strategies.
    fn optimal(&self, worker: &mut Worker, pair: &mut Pair, own: (usize, u32), values: Values<'_>) -> f64 {
        let (state, Worker { entries, simplex, .. }) = (own.1 as usize, worker);
        entries.clear();
        entries.extend(self.game.all_cells(state).map(|cell| self.worth(&cell, |next| values.at(next))));
        let matrix = Entries(entries, self.game.sizes(state)[1]);
        let least = |row: usize| (entries[row * matrix.1..][..matrix.1].iter().copied().fold(f64::INFINITY, f64::min), row);
        let most =
            |column: usize| (entries[column..].iter().step_by(matrix.1).copied().fold(f64::NEG_INFINITY, f64::max), column);
        let secured = (0..matrix.rows()).map(least).reduce(|one, other| if other.0 > one.0 { other } else { one });
        let conceded = (0..matrix.1).map(most).reduce(|one, other| if other.0 < one.0 { other } else { one });
        let ((secured, row), (conceded, column)) = (secured.unwrap_or_default(), conceded.unwrap_or_default());
        if conceded <= secured {
            pair.set(self, own, [&[(row, 1.0)], &[(column, 1.0)]]);
            return secured;
        }
        let found = simplex.find_from(&matrix, column).pair;
        pair.set(self, own, [&found.row, &found.column]);
        let against = |&(row, share): &(usize, f64)| {
            share * found.column.iter().map(|&(column, share)| share * matrix.entry(row, column)).sum::<f64>()
        };
        found.row.iter().map(against).sum()
    }

    /// Room for a pair of strategies at all states.
    fn pairs(&self) -> Vec<Pair> {
        self.blocks().map(|states| Pair { states: vec![Default::default(); states.len()], steps: Vec::new() }).collect()
    }

    /// The strategies of solved blocks, as Markov chains.
    fn pairs_of(&self, blocks: &[Block]) -> Vec<Pair> {
        let mut pairs = self.pairs();
        for ((pair, block), states) in pairs.iter_mut().zip(blocks).zip(self.blocks()) {
            let begins = block.begins();
            for (place, &state) in states.iter().enumerate() {
                let share = |&(action, weight): &(u32, u64)| (action as usize, weight as f64 / DyadicStrategy::WHOLE as f64);
                let [x, y] = block.strategies(place, begins[place]).map(|own| own.iter().map(share).collect::<Vec<_>>());
                pair.set(self, (place, state), [&x, &y]);
            }
            pair.steps.shrink_to_fit();
        }
        pairs
    }

    /// Computes the expected total from each state if a visit pays `pays` and both players keep to their strategies, up to
    /// `precision`, starting from a guess; `None` if the sweeps do not converge.
    fn collected(
        &self,
        pairs: &mut [Pair],
        pays: &[f64],
        mut last: Vec<f64>,
        precision: f64,
        go_on: &mut dyn FnMut() -> Result<(), WorkError>,
    ) -> Result<Option<Vec<f64>>, Error> {
        let (mut next, workers) = (last.clone(), Mutex::default());
        for sweep in 0..MOST_SWEEPS {
            go_on()?;
            let values = [&mut last, &mut next];
            let change = self.sweep(values, sweep % 2 == 1, None, (&workers, pairs), |_, pair, (place, state), values| {
                pays[state as usize - self.first()] + pair.later(place, values)
            });
            let largest = last.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
            if change <= precision.max(largest * f64::EPSILON) {
                return Ok(Some(last));
            }
        }
        Ok(None)
    }

    /// The bounds of a successor.
    fn seen(&self, known: &[Bounds], state: u32) -> Bounds {
        let place = (state as usize).wrapping_sub(self.first());
        known.get(place).copied().unwrap_or_else(|| self.outside[state as usize])
    }

    /// Solves every state by these bounds; returns both players' security levels and strategies.
    fn improve(&self, known: &[Bounds]) -> Vec<Block> {
        let states: Vec<&[u32]> = self.blocks().collect();
        self.threads.map_if(states.len() > 1, &states, |worker: &mut Worker, states| {
            let mut block = Block::default();
            for &state in *states {
                let Worker { matrix, proving, .. } = worker;
                matrix.resize(self.game.sizes(state as usize));
                let columns = self.game.sizes(state as usize)[1];
                for (place, cell) in self.game.all_cells(state as usize).enumerate() {
                    let bounds = cell.bounds(self.exponent, |next| self.seen(known, next));
                    matrix.set(place / columns, place % columns, bounds);
                }
                let proved = proving.solve(matrix);
                block.bounds.push(proved.bounds);
                block.sizes.push(proved.strategies.each_ref().map(|strategy| strategy.support().len() as u32));
                proved.strategies.iter().for_each(|strategy| block.weights.extend_from_slice(strategy.support()));
            }
            block.weights.shrink_to_fit();
            block
        })
    }

    /// Whether the strategies prove the bounds: by the two conditions that `cyclic` names.
    fn is_proved(&self, blocks: &[Block], known: &[Bounds]) -> bool {
        let tasks: Vec<(&[u32], &Block)> = self.blocks().zip(blocks).collect();
        let is_secured = |worker: &mut Worker, (states, block): &(&[u32], &Block)| {
            let begins = block.begins();
            states.iter().enumerate().all(|(place, &state)| {
                let [lower, upper] = self.secured(worker, state, block.strategies(place, begins[place]), known);
                let Bounds { lower: low, upper: high } = known[state as usize - self.first()];
                lower >= low && upper <= high
            })
        };
        if !self.threads.map_if(tasks.len() > 1, &tasks, is_secured).into_iter().all(|is_secured| is_secured) {
            return false;
        }
        !self.facts.kind.may_last() || [0, 1].into_iter().all(|player| !self.is_kept(player, &tasks, known))
    }

    /// The security levels of the strategies at a state.
    fn secured(&self, worker: &mut Worker, state: u32, [x, y]: [&[(u32, u64)]; 2], known: &[Bounds]) -> [i64; 2] {
        let [rows, columns] = self.game.sizes(state as usize);
        let bounds =
            |a: usize, b: usize| self.game.cell(state as usize, a, b).bounds(self.exponent, |next| self.seen(known, next));
        let [against_a, against_b] = &mut worker.won;
        against_a.clear();
        against_a
            .extend((0..columns).map(|b| {
                x.iter().map(|&(a, weight)| i128::from(weight) * i128::from(bounds(a as usize, b).lower)).sum::<i128>()
            }));
        against_b.clear();
        against_b
            .extend((0..rows).map(|a| {
                y.iter().map(|&(b, weight)| i128::from(weight) * i128::from(bounds(a, b as usize).upper)).sum::<i128>()
            }));
        let [least, most] = [against_a.iter().min(), against_b.iter().max()].map(|sum| sum.copied().unwrap_or_default());
        let bits = DyadicStrategy::WHOLE_BITS;
        [(least >> bits) as i64, -((-most) >> bits) as i64]
    }

    /// Whether a player's opponent can keep play for ever, without a reward, among states whose bound is better than what endless
    /// play pays.
    fn is_kept(&self, player: usize, tasks: &[(&[u32], &Block)], known: &[Bounds]) -> bool {
        let mut strategies: Vec<&[(u32, u64)]> = Vec::with_capacity(self.states.len());
        for (_, block) in tasks {
            strategies.extend(block.begins().iter().enumerate().map(|(place, &begin)| block.strategies(place, begin)[player]));
        }
        let Bounds { lower, upper } = self.facts.endless;
        let is_better = |&own: &u32| {
            let known = known[self.states[own as usize] as usize - self.first()];
            if player == 0 { known.lower > lower } else { known.upper < upper }
        };
        let better: Vec<u32> = (0..self.states.len() as u32).filter(is_better).collect();
        let stays = |own: usize, inside: &dyn Fn(usize) -> bool| {
            let state = self.states[own] as usize;
            let is_inside = |outcome: &Outcome| self.states.binary_search(&{ outcome.state }).is_ok_and(inside);
            let replies = self.game.sizes(state)[1 - player];
            (0..replies).any(|reply| {
                strategies[own].iter().all(|&(action, _)| {
                    let [a, b] = if player == 0 { [action as usize, reply] } else { [reply, action as usize] };
                    let cell = self.game.cell(state, a, b);
                    // These games have no discount, through which probability would be lost.
                    cell.reward == 0 && cell.outcomes.iter().all(is_inside)
                })
            })
        };
        !closed_set(&better, self.states.len(), stays).is_empty()
    }
}

impl Block {
    /// The states in their order: bounds, and the strategies of A and B.
    pub(crate) fn states(&self) -> impl Iterator<Item = (Bounds, [&[(u32, u64)]; 2])> {
        let begins = self.begins().into_iter().enumerate();
        self.bounds.iter().copied().zip(begins.map(|(place, begin)| self.strategies(place, begin)))
    }

    /// The offset of each state's weights.
    fn begins(&self) -> Vec<usize> {
        let sum = |begin: &mut usize, sizes: &[u32; 2]| {
            let own = *begin;
            *begin += (sizes[0] + sizes[1]) as usize;
            Some(own)
        };
        self.sizes.iter().scan(0, sum).collect()
    }

    /// The strategies of A and B at a state whose weights begin here.
    fn strategies(&self, place: usize, begin: usize) -> [&[(u32, u64)]; 2] {
        let [a, b] = self.sizes[place].map(|size| size as usize);
        [&self.weights[begin..][..a], &self.weights[begin + a..][..b]]
    }
}
