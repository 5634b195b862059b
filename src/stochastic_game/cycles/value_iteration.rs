//! Value iteration (Shapley 1953) and Newton steps (Pollatschek and Avi-Itzhak 1969), which read a component's cells where the game
//! keeps them. What they find is a guess; one pass in integers proves it, or leaves the component to [`CyclicSolver`].
//!
//! [`CyclicSolver`]: super::CyclicSolver

use std::ops::ControlFlow;
use std::sync::Mutex;

use super::cycle::CycleFacts;
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

/// A component's proved bounds, and whether nothing but rounding widens them.
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

/// Value iteration ends with changes of this part of the largest value: a double has nine bits more, and Newton steps, which are
/// exact to a unit, find the same strategies from here on.
const SETTLED: f64 = 1.0 / (1_u64 << 44) as f64;

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

/// The value of a matrix game in floating point.
fn value(simplex: &mut Simplex, matrix: &Entries<'_>) -> f64 {
    let least = |row: usize| matrix.0[row * matrix.1..][..matrix.1].iter().copied().fold(f64::INFINITY, f64::min);
    let most = |column: usize| matrix.0[column..].iter().step_by(matrix.1).copied().fold(f64::NEG_INFINITY, f64::max);
    let secured = (0..matrix.rows()).map(least).fold(f64::NEG_INFINITY, f64::max);
    let conceded = (0..matrix.1).map(|column| (most(column), column));
    let (conceded, column) = conceded.reduce(|one, other| if other.0 < one.0 { other } else { one }).unwrap_or_default();
    if conceded <= secured {
        return secured;
    }
    let pair = simplex.find_from(matrix, column).pair;
    let against = |&(row, share): &(usize, f64)| {
        share * pair.column.iter().map(|&(column, share)| share * matrix.entry(row, column)).sum::<f64>()
    };
    pair.row.iter().map(against).sum()
}

impl Component<'_> {
    /// Solves the component, where value iteration converges, to the rounding of integers; `None` where it does not.
    ///
    /// # Errors
    /// [`WorkError::Cancelled`].
    pub(crate) fn solve(&self, go_on: &mut dyn FnMut() -> ControlFlow<()>) -> Result<Option<Found>, Error> {
        if self.span() > GAPS * self.states.len() {
            return Ok(None);
        }
        let mut go_on = || if go_on().is_break() { Err(WorkError::Cancelled) } else { Ok(()) };
        let Some(values) = self.iterate(&mut go_on)? else { return Ok(None) };
        let mut known = self.outside[self.first()..][..self.span()].to_vec();
        for &state in self.states {
            let place = state as usize - self.first();
            let value = (values[place].round() as i64).clamp(-1 << BOUND_BITS, 1 << BOUND_BITS);
            known[place] = Bounds::new(value, value);
        }
        drop(values);
        let mut step = 0;
        let (blocks, deficits) = loop {
            go_on()?;
            let blocks = self.improve(&known);
            step += 1;
            let missing =
                |(place, &found): (usize, &Bounds)| [known[place].lower - found.lower, found.upper - known[place].upper];
            let mut deficits = [0.0_f64; 2];
            for missing in self.placed(&blocks).map(missing) {
                deficits = [0, 1].map(|side| deficits[side].max(missing[side] as f64));
            }
            if step == NEWTON_STEPS || (step > 1 && deficits.iter().all(|&deficit| deficit <= ROUNDING_UNITS as f64)) {
                break (blocks, deficits);
            }
            // Mostly both sides gain the same.
            let mut gains = vec![0.0; self.span()];
            for upper in [false, true] {
                let mut pays = vec![0.0; self.span()];
                for (place, found) in self.placed(&blocks) {
                    pays[place] = (found.side(upper) - known[place].side(upper)) as f64;
                }
                let Some(collected) = self.collected(&blocks, &pays, gains, LITTLE, &mut go_on)? else { return Ok(None) };
                gains = collected;
                for &state in self.states {
                    let place = state as usize - self.first();
                    let bound = if upper { &mut known[place].upper } else { &mut known[place].lower };
                    *bound = bound.saturating_add(gains[place].round() as i64).clamp(-1 << BOUND_BITS, 1 << BOUND_BITS);
                }
            }
        };
        let once = vec![1.0; self.span()];
        let Some(turns) = self.collected(&blocks, &once, vec![0.0; self.span()], LITTLE, &mut go_on)? else { return Ok(None) };
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

    /// The places of all states with what was found of them.
    fn placed<'b>(&self, blocks: &'b [Block]) -> impl Iterator<Item = (usize, &'b Bounds)> {
        self.states.iter().map(|&state| state as usize - self.first()).zip(blocks.iter().flat_map(|block| &block.bounds))
    }

    /// The worth of a cell in units, by the values of its successors.
    #[inline]
    fn worth(&self, cell: &CellView<'_>, of: impl Fn(u32) -> f64) -> f64 {
        let paid = if cell.reward == 0 { 0.0 } else { cell.reward as f64 * f64::from(self.exponent).exp2() };
        // Weights are below 2⁶³, and the conversion of signed integers is the faster one.
        let later = |outcome: &Outcome| outcome.weight as i64 as f64 * of(outcome.state);
        (paid + cell.outcomes.iter().map(later).sum::<f64>()) / cell.denominator as i64 as f64
    }

    /// One sweep of Gauss–Seidel within blocks and Jacobi between them, in either direction; the largest change.
    fn sweep(
        &self,
        [last, next]: [&mut Vec<f64>; 2],
        is_backward: bool,
        outside: Option<&[Bounds]>,
        workers: &Mutex<Vec<Worker>>,
        update: impl Fn(&mut Worker, usize, (usize, u32), Values<'_>) -> f64 + Sync,
    ) -> f64 {
        let mut changes = vec![0.0_f64; self.span().div_ceil(self.block())];
        let (size, first) = (self.block(), self.first());
        let tasks = next.chunks_mut(size).zip(self.blocks()).zip(&mut changes).enumerate();
        let is_shared = self.span() > size;
        let last_values: &[f64] = last;
        self.threads.run(is_shared, workers, tasks, |worker, (block, ((own, states), change))| {
            for step in 0..states.len() {
                let place = if is_backward { states.len() - 1 - step } else { step };
                let values = Values { own, begin: block * size, last: last_values, first, outside };
                let new = update(worker, block, (place, states[place]), values);
                let old = &mut own[states[place] as usize - first - block * size];
                *change = change.max((new - *old).abs());
                *old = new;
            }
        });
        last.copy_from_slice(next);
        changes.into_iter().fold(0.0, f64::max)
    }

    /// Value iteration from what endless play pays, until rounding ends it; `None` where it converges slowly.
    fn iterate(&self, go_on: &mut dyn FnMut() -> Result<(), WorkError>) -> Result<Option<Vec<f64>>, Error> {
        let mut last: Vec<f64> = self.outside[self.first()..][..self.span()].iter().copied().map(middle).collect();
        for &state in self.states {
            last[state as usize - self.first()] =
                if self.facts.kind == Kind::Recursive { middle(self.facts.endless) } else { 0.0 };
        }
        let (mut next, mut changes, workers) = (last.clone(), Vec::new(), Mutex::default());
        for sweep in 0..MOST_SWEEPS {
            go_on()?;
            let largest = last.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
            let change = self.sweep(
                [&mut last, &mut next],
                sweep % 2 == 1,
                Some(self.outside),
                &workers,
                |worker, _, (_, state), values| self.optimal(worker, state, values),
            );
            if change <= largest * SETTLED {
                return Ok(Some(last));
            }
            changes.push(change);
            if let Some(&earlier) = changes.len().checked_sub(WINDOW + 1).and_then(|place| changes.get(place)) {
                // At this rate so many sweeps are left.
                let rate = (earlier / change).ln() / WINDOW as f64;
                let left = (change / (largest * SETTLED)).ln() / rate;
                if changes.len() > 4 * WINDOW && !(rate > 0.0 && left < (MOST_SWEEPS - sweep) as f64) {
                    return Ok(None);
                }
            }
        }
        Ok(None)
    }

    /// The value of a state's matrix game.
    fn optimal(&self, worker: &mut Worker, state: u32, values: Values<'_>) -> f64 {
        worker.entries.clear();
        worker.entries.extend(self.game.all_cells(state as usize).map(|cell| self.worth(&cell, |next| values.at(next))));
        value(&mut worker.simplex, &Entries(&worker.entries, self.game.sizes(state as usize)[1]))
    }

    /// What is collected from each state on if a visit pays `pays` and both players keep to their strategies, up to `precision`, from a guess on;
    /// `None` where sweeps do not converge.
    fn collected(
        &self,
        blocks: &[Block],
        pays: &[f64],
        mut last: Vec<f64>,
        precision: f64,
        go_on: &mut dyn FnMut() -> Result<(), WorkError>,
    ) -> Result<Option<Vec<f64>>, Error> {
        let (mut next, workers) = (last.clone(), Mutex::default());
        let begins: Vec<Vec<usize>> = blocks.iter().map(Block::begins).collect();
        for sweep in 0..MOST_SWEEPS {
            go_on()?;
            let update = |_: &mut Worker, block: usize, (place, state): (usize, u32), values: Values<'_>| {
                let pair = blocks[block].strategies(place, begins[block][place]);
                pays[state as usize - self.first()] + self.met(state, pair, values)
            };
            let change = self.sweep([&mut last, &mut next], sweep % 2 == 1, None, &workers, update);
            let largest = last.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
            if change <= precision.max(largest * f64::EPSILON) {
                return Ok(Some(last));
            }
        }
        Ok(None)
    }

    /// The mean over the successors within the component when two strategies meet.
    fn met(&self, state: u32, pair: [&[(u32, u64)]; 2], values: Values<'_>) -> f64 {
        let whole = DyadicStrategy::WHOLE as f64;
        let own = |&(a, share): &(u32, u64)| {
            let reply = |&(b, other): &(u32, u64)| {
                let cell = self.game.cell(state as usize, a as usize, b as usize);
                let met = share as f64 / whole * (other as f64 / whole);
                met * self.worth(&CellView { reward: 0, ..cell }, |next| values.at(next))
            };
            pair[1].iter().map(reply).sum::<f64>()
        };
        pair[0].iter().map(own).sum()
    }

    /// The bounds of a successor.
    fn seen(&self, known: &[Bounds], state: u32) -> Bounds {
        let place = (state as usize).wrapping_sub(self.first());
        known.get(place).copied().unwrap_or_else(|| self.outside[state as usize])
    }

    /// Solves every state by these bounds: what both players secure, and by which strategies.
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
                block.sizes.push(proved.strategies.map(|strategy| strategy.support().len() as u32));
                proved.strategies.iter().for_each(|strategy| block.weights.extend_from_slice(strategy.support()));
            }
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
        self.facts.kind != Kind::Recursive || [0, 1].into_iter().all(|player| !self.is_kept(player, &tasks, known))
    }

    /// What the strategies secure at a state.
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

    /// Whether a player's opponent can keep play for ever among states whose bound is better than what endless play pays.
    fn is_kept(&self, player: usize, tasks: &[(&[u32], &Block)], known: &[Bounds]) -> bool {
        let mut strategies: Vec<&[(u32, u64)]> = Vec::with_capacity(self.states.len());
        for (_, block) in tasks {
            strategies.extend(block.begins().iter().enumerate().map(|(place, &begin)| block.strategies(place, begin)[player]));
        }
        let Bounds { lower, upper } = self.facts.endless;
        let is_better = |&&state: &&u32| {
            let own = known[state as usize - self.first()];
            if player == 0 { own.lower > lower } else { own.upper < upper }
        };
        let better: Vec<u32> = self.states.iter().filter(is_better).copied().collect();
        let stays = |state: usize, inside: &dyn Fn(usize) -> bool| {
            let own = self.states.partition_point(|&other| (other as usize) < state);
            let replies = self.game.sizes(state)[1 - player];
            (0..replies).any(|reply| {
                strategies[own].iter().all(|&(action, _)| {
                    let [a, b] = if player == 0 { [action as usize, reply] } else { [reply, action as usize] };
                    // Recursive games have no discount, through which probability would be lost.
                    self.game.cell(state, a, b).outcomes.iter().all(|outcome| inside(outcome.state as usize))
                })
            })
        };
        !closed_set(&better, self.game.len(), stays).is_empty()
    }
}

impl Block {
    /// The states in their order: bounds, and the strategies of A and B.
    pub(crate) fn states(&self) -> impl Iterator<Item = (Bounds, [&[(u32, u64)]; 2])> {
        let begins = self.begins().into_iter().enumerate();
        self.bounds.iter().copied().zip(begins.map(|(place, begin)| self.strategies(place, begin)))
    }

    /// Where the weights of each state begin.
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
