//! Proves bounds of states by the rules, from the bounds of the layers before.

use std::ops::ControlFlow;

use dashu_int::IBig;
use dashu_ratio::RBig;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::RankedRules;
use super::kept::Kept;
use super::kept_layer::KeptLayer;
use super::stages::{Buffers, RuleCell, Stages, Successors};
use super::sweep::{RankedSweep, Source};
use crate::bounds::Bounds;
use crate::error::{Error, StochasticGameError, StochasticGameFault};
use crate::explore::{CanonicalState, check_actions, refuse_state};
use crate::matrix_game::exact::{rational, solve_fractions};
use crate::model::Node;
use crate::work::{Threads, Watch, WorkError, unwatched};

/// A thread proves this many states at a stretch.
const STATES_A_TASK: u64 = 64;

/// After this many states, the callback is called, which may cancel.
const STATES_A_REPORT: u64 = 1 << 12;

/// The states of each layer that are proved: one at random of each of `states` equal parts, or all.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) states: u64,
    pub(super) seed: u64,
}

impl Sample {
    /// The ranks that are drawn from some of the parts of a layer.
    fn ranks(self, layer: u32, len: u64, parts: std::ops::Range<u64>) -> impl Iterator<Item = u64> {
        let seed = self.seed
            ^ u64::from(layer).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ parts.start.rotate_left(32);
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let all = self.parts(len);
        let begin = move |part: u64| (u128::from(part) * u128::from(len) / u128::from(all)) as u64;
        parts.map(move |part| {
            let (first, next) = (begin(part), begin(part + 1));
            first + ((u128::from(random.next_u64()) * u128::from(next - first)) >> 64) as u64
        })
    }

    /// The number of parts into which a layer is divided.
    fn parts(self, len: u64) -> u64 {
        self.states.min(len)
    }
}

/// A seed that no two calls share but by accident.
pub(super) fn random_seed() -> u64 {
    use std::hash::{BuildHasher as _, Hasher as _};
    std::hash::RandomState::new().build_hasher().finish()
}

const fn contains(outer: Bounds, inner: Bounds) -> bool {
    outer.lower <= inner.lower && inner.upper <= outer.upper
}

/// One of both bounds of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Lower,
    Upper,
}

impl Bound {
    const fn of(self, bounds: Bounds) -> i64 {
        match self {
            Self::Lower => bounds.lower,
            Self::Upper => bounds.upper,
        }
    }

    /// The bound of the canonical successor on which this one rests: the other one where the
    /// players are exchanged.
    const fn of_successor<S>(self, successor: &CanonicalState<S>) -> Self {
        match (self, successor.is_exchanged) {
            (Self::Lower, false) | (Self::Upper, true) => Self::Lower,
            (Self::Upper, false) | (Self::Lower, true) => Self::Upper,
        }
    }
}

impl<R: RankedRules> RankedSweep<R> {
    /// Checks that a rank and its state name each other.
    ///
    /// # Errors
    /// [`StochasticGameFault::Rank`] with the name of the state.
    pub(super) fn check_rank(
        &self,
        layer: u32,
        rank: u64,
    ) -> Result<R::State, StochasticGameError> {
        let state = self.rules.state(layer, rank);
        let refuse =
            |reason| Err(refuse_state(&self.rules, &state, StochasticGameFault::Rank { reason }));
        if self.rules.canonical(state.clone()) != (state.clone(), false) {
            return refuse(format!(
                "rank {rank} of layer {layer} has this state, which is not canonical"
            ));
        }
        if self.rules.rank(&state) != Some((layer, rank)) {
            return refuse(format!(
                "rank {rank} of layer {layer} has this state, whose rank is another"
            ));
        }
        Ok(state)
    }

    /// The bounds of a canonical state that the rules prove from the layers before.
    ///
    /// # Errors
    /// The first fault of the rules.
    pub(super) fn by_rules(
        &self,
        kept: &Kept<'_>,
        layer: u32,
        state: &R::State,
    ) -> Result<Bounds, StochasticGameError> {
        let mut buffers = Buffers::default();
        Stages::new(self.successors(kept, layer), &mut buffers).bounds_by_rules(
            &self.rules,
            state,
            0,
        )
    }

    /// Proves the stored bounds of a state: they have to contain those that are found anew from the
    /// layers before, as they are found in a solve, and meet those that the rules prove.
    ///
    /// Other strategies, of another version of the solver, may prove bounds that are some units
    /// narrower. Then the stored bounds have to contain the exact values of the matrix games that
    /// the rules give over the lower, and over the upper, bounds of the successors.
    ///
    /// # Errors
    /// [`StochasticGameFault::Checkpoint`] where they are false; the first fault of the rules.
    fn prove(
        &self,
        kept: &Kept<'_>,
        shared: &R::Layer,
        layer: u32,
        rank: u64,
        stored: Bounds,
    ) -> Result<(), StochasticGameError> {
        let state = self.check_rank(layer, rank)?;
        let (found, source) =
            self.solve_state(kept, &mut Buffers::default(), shared, layer, rank)?;
        if source == Source::Ranks {
            let by_rules = self.by_rules(kept, layer, &state)?;
            self.check_meeting(&state, found, by_rules)?;
        }
        if contains(stored, found) {
            return Ok(());
        }
        let exact = ExactValues { rules: &self.rules, successors: self.successors(kept, layer) };
        let is_proved = RBig::from(stored.lower) <= exact.value(&state, Bound::Lower)?
            && RBig::from(stored.upper) >= exact.value(&state, Bound::Upper)?;
        if is_proved {
            return Ok(());
        }
        let [stored, found] = [stored, found].map(|bounds| self.enclosed(bounds).decimal());
        let reason = format!("says that the value lies in {stored}, but it lies in {found}");
        Err(refuse_state(&self.rules, &state, StochasticGameFault::Checkpoint { reason }))
    }

    /// Checks that bounds by ranks and bounds by the rules have a number in common.
    ///
    /// # Errors
    /// [`StochasticGameFault::Rank`] where they have none.
    pub(super) fn check_meeting(
        &self,
        state: &R::State,
        by_ranks: Bounds,
        by_rules: Bounds,
    ) -> Result<(), StochasticGameError> {
        if by_rules.lower <= by_ranks.upper && by_ranks.lower <= by_rules.upper {
            return Ok(());
        }
        let [by_ranks, by_rules] =
            [by_ranks, by_rules].map(|bounds| self.enclosed(bounds).decimal());
        let reason = format!("by ranks the value lies in {by_ranks}, by the rules in {by_rules}");
        Err(refuse_state(&self.rules, state, StochasticGameFault::Rank { reason }))
    }

    /// Proves a sample of a layer from the layers before, which `kept` holds, too. Returns the
    /// number of states.
    ///
    /// # Errors
    /// The first state whose bounds are false, or that the rules contradict;
    /// [`WorkError::Cancelled`].
    pub(super) fn prove_sample(
        &self,
        kept: &Kept<'_>,
        layer: u32,
        sample: Sample,
        threads: &Threads,
        watch: &mut Watch<'_>,
    ) -> Result<u64, Error> {
        let bounds = kept.layer(layer).unwrap_or_default();
        let len = bounds.len() as u64;
        let parts = sample.parts(len);
        let shared = self.rules.layer(layer);
        let mut begin = 0;
        while begin < parts {
            let end = parts.min(begin + STATES_A_REPORT);
            let tasks: Vec<u64> = (begin..end).step_by(STATES_A_TASK as usize).collect();
            let results = threads.map(&tasks, |(): &mut (), &first| {
                let parts = first..end.min(first + STATES_A_TASK);
                let mut ranks = sample.ranks(layer, len, parts);
                ranks.try_for_each(|rank| {
                    self.prove(kept, &shared, layer, rank, bounds[rank as usize])
                })
            });
            results.into_iter().collect::<Result<(), StochasticGameError>>()?;
            if watch(0.0) == ControlFlow::Break(()) {
                return Err(WorkError::Cancelled.into());
            }
            begin = end;
        }
        Ok(parts)
    }

    /// Proves a sample of every layer whose bounds are there, as are those of the layers that it
    /// needs. Returns the number of states.
    ///
    /// # Errors
    /// As for [`Self::prove_sample`]; a layer that can no longer be read.
    pub(super) fn verify(&self, sample: Sample, threads: &Threads) -> Result<u64, Error> {
        let mut proved = 0;
        let mut window = Kept::default();
        for layer in 0..self.rules.layers() {
            window.forget_before(self.rules.needs(layer));
            let Some(bounds) = self.kept.load(layer)? else { continue };
            window.push(layer, KeptLayer { bounds, ..KeptLayer::default() });
            if self.has_needed(&window, layer) {
                proved += self.prove_sample(&window, layer, sample, threads, &mut unwatched)?;
            }
        }
        Ok(proved)
    }

    /// Whether all layers are kept that a layer needs.
    pub(super) fn has_needed(&self, kept: &Kept<'_>, layer: u32) -> bool {
        (self.rules.needs(layer)..layer).all(|needed| kept.layer(needed).is_some())
    }
}

/// The exact values of matrix games over bounds of the layers before.
struct ExactValues<'v, R> {
    rules: &'v R,
    successors: Successors<'v>,
}

impl<R: RankedRules> ExactValues<'_, R> {
    /// The value of a state's matrix game, in units, over this bound of every successor.
    fn value(&self, state: &R::State, bound: Bound) -> Result<RBig, StochasticGameError> {
        let refuse = |fault| refuse_state(self.rules, state, fault);
        let unit = IBig::ONE << self.successors.limit.scale.exponent as usize;
        let [rows, columns] = match self.rules.node(state) {
            Node::Over(payoff) => return Ok(rational(&payoff) * unit),
            Node::Choose { a, b } => [a, b],
        };
        check_actions([rows, columns], self.successors.memory_limit).map_err(refuse)?;
        let mut cell = RuleCell::default();
        let mut matrix = vec![Vec::with_capacity(columns); rows];
        for (row, line) in matrix.iter_mut().enumerate() {
            for column in 0..columns {
                cell.ask_rules(self.rules, state, row, column);
                let mut values = Vec::with_capacity(cell.successors.len());
                for successor in &cell.successors {
                    let (canonical, side) = (&successor.state, bound.of_successor(successor));
                    let value = match self.successors.find(self.rules, canonical).map_err(refuse)? {
                        Some(bounds) => RBig::from(side.of(bounds)),
                        None => self.value(canonical, side)?,
                    };
                    values.push(if successor.is_exchanged { -value } else { value });
                }
                let cell = cell.packed().map_err(refuse)?;
                let mut sum = RBig::from(cell.reward * &unit);
                for outcome in cell.outcomes {
                    sum += &values[outcome.state as usize] * IBig::from(outcome.weight);
                }
                line.push(sum / IBig::from(cell.denominator));
            }
        }
        if rows == 1 && columns == 1 {
            return Ok(matrix.swap_remove(0).swap_remove(0));
        }
        let solved = solve_fractions(&matrix, &mut unwatched);
        let solved = solved.ok_or_else(|| {
            refuse(StochasticGameFault::Size { reason: "no fraction was found".to_owned() })
        })?;
        Ok(solved.value.canonicalize())
    }
}
