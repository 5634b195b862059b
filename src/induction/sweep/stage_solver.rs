//! The solver of one state: methods are tried until the security levels of a pair of strategies prove that it is optimal.

use std::time::Duration;

use super::exact_standstill;
use super::stage::Preference;
use super::stage::Stage;
use super::standstill::StandstillSolver;
use super::warm_start::{Expected, WarmStart};
use crate::bounds::Bounds;
use crate::game::{Secured, State};
use crate::induction::tables::{
    Batch, ExactResult, ExactStage, ExactTier, KeptSystem, Method, SolvedState, Tables, is_worth_keeping, pack_basis,
};
use crate::matrix_game::exact;
use crate::matrix_game::{Basis, BasisFactorisation, Candidate, DyadicStrategy, Ladder, ProvedPair, Simplex, Start};
use crate::work::Clock;

#[derive(Debug, Default)]
pub(crate) struct StageSolver {
    ladder: Ladder,
    guess: WarmStart,
    preference: Preference,
    standstill: StandstillSolver,
}

#[derive(Debug)]
pub(crate) struct Solved<'s> {
    pub(crate) pair: &'s ProvedPair,
    found: Found,
    certifying: Duration,
}

#[derive(Debug, Default)]
struct Found {
    /// The basis, for neighbours to start from; linear programmes and states that repeat leave none.
    basis: Option<Basis>,
    /// Its system, if later states can start from it and it is worth the memory.
    system: Option<Box<BasisFactorisation>>,
}

/// More exact pivots from the floating-point basis mean that it was useless and the numbers are too large.
const EXACT_PIVOTS: usize = 1_000;

impl StageSolver {
    /// Solves a state; `clock` measures the proofs.
    fn solve(&mut self, tables: &Tables, state: State, clock: Clock) -> Solved<'_> {
        if tables.rules.min_bid() == 0 {
            let pair = &mut self.ladder.prover.pair;
            self.standstill.solve(tables, state, pair);
            return Solved { pair, found: Found::default(), certifying: Duration::ZERO };
        }
        let stage = &Stage::new(tables, state, clock);
        let found = match tables.method {
            Method::Simplex => self.solve_warm(stage),
            Method::Tableau => self.by_tableau(stage),
            Method::Lp => self.by_linear_programme(stage),
        };
        Solved { pair: &self.ladder.prover.pair, found, certifying: stage.certifying.get() }
    }

    pub(super) fn solve_batch(&mut self, tables: &Tables, states: &[State], batch: &mut Batch, clock: Clock) {
        batch.clear();
        for &state in states {
            let start = clock.elapsed();
            let Solved { pair, found: Found { basis, system }, certifying } = self.solve(tables, state, clock);
            let (secured, solving) = (Secured::from_bounds(pair.bounds), clock.elapsed().saturating_sub(start + certifying));
            let lowest_bids = tables.lowest_bids(state);
            let randomised = pair.strategies.iter().any(|strategy| strategy.support().len() > 1);
            let strategies = pair.strategies.each_ref();
            let strategies = if tables.finds_strategies { batch.strategies.push_pair(strategies, lowest_bids) } else { 0 };
            let exact = exact_solution(tables, state, pair.bounds, basis.as_ref());
            batch.exact.extend(exact.map(|found| (state, found)));
            let start_of_basis = batch.bases.len();
            pack_basis(&basis.unwrap_or_default(), lowest_bids, &mut batch.bases);
            batch.solved.push(SolvedState { state, secured, strategies, randomised, basis: start_of_basis, solving, certifying });
            batch.systems.extend(system.map(|system| (state, KeptSystem::here(system))));
        }
    }

    /// Solves from a neighbour's solution: the first rungs of the ladder.
    fn solve_warm(&mut self, stage: &Stage<'_>) -> Found {
        self.guess.make(stage.tables, stage.state);
        let first = match self.guess.expected {
            Expected::Pure => Some(self.by_saddle_point(stage)),
            Expected::Mixed => None,
        };
        if let Some(Ok(found)) = first {
            return found;
        }
        if let Some(found) = self.by_neighbour(stage) {
            return found;
        }
        match first.unwrap_or_else(|| self.by_saddle_point(stage)) {
            Ok(found) => found,
            Err(column) => self.improve(stage, |_| Some(Start::Column(column))).unwrap_or_else(|| self.by_tableau(stage)),
        }
    }

    /// Solves by a saddle point, or returns the safest column.
    fn by_saddle_point(&mut self, stage: &Stage<'_>) -> Result<Found, usize> {
        let (row, column) = self.ladder.simplex.saddle_point(&stage.game, self.guess.pure)?;
        self.ladder.prover.accepts_pure(stage, [row, column]);
        Ok(Found { basis: Some(Basis::single(row, column)), system: None })
    }

    /// Solves from a neighbour's mixed basis, if there is one, and its system of equations, if that was kept.
    fn by_neighbour(&mut self, stage: &Stage<'_>) -> Option<Found> {
        self.improve(stage, |guess| {
            let known = guess.same_system.and_then(|neighbour| stage.tables.system_of(neighbour));
            let start = known.map_or(Start::Basis(&guess.basis), |known| Start::Shifted(known, &guess.basis));
            (guess.basis.size() > 0).then_some(start)
        })
    }

    /// Solves by the self-dual simplex and stops as soon as the bounds meet.
    fn improve<'g>(&'g mut self, stage: &'g Stage<'_>, start: impl FnOnce(&'g WarmStart) -> Option<Start<'g>>) -> Option<Found> {
        let Self { ladder: Ladder { simplex, prover, .. }, preference, guess, .. } = self;
        let judge = |candidate: &mut Candidate<'_>| preference.judge(prover, stage, candidate);
        Some(Found::of(stage, &simplex.warm.improve(&stage.game, start(guess)?, judge)?))
    }

    /// Solves from scratch, and in integers where doubles do not suffice: some states in a hundred thousand.
    fn by_tableau(&mut self, stage: &Stage<'_>) -> Found {
        if let Some(candidate) = self.ladder.by_tableau(stage, &stage.game, None) {
            return Found::of(stage, &candidate);
        }
        Found { basis: Some(self.ladder.by_integers(stage)), system: None }
    }

    /// Solves by two linear programmes, or by the tableau where they give up; accepts their result unchanged.
    fn by_linear_programme(&mut self, stage: &Stage<'_>) -> Found {
        if !self.ladder.by_programmes(stage, &stage.game) {
            self.by_tableau(stage);
        }
        Found::default()
    }
}

impl Found {
    fn of(stage: &Stage<'_>, candidate: &Candidate<'_>) -> Self {
        let system = candidate.factorisation.as_deref();
        let kept = |system| {
            let mut kept = Box::<BasisFactorisation>::default();
            kept.take_over(system);
            kept
        };
        let system = system.filter(|system| is_worth_keeping(stage.tables.order, stage.state, system)).map(kept);
        Self { basis: Some(candidate.basis.clone()), system }
    }
}

/// The exact value, if requested and within the limit, of a state with these bounds and a probably optimal basis.
fn exact_solution(tables: &Tables, state: State, bounds: Bounds, basis: Option<&Basis>) -> Option<ExactResult> {
    let tier = tables.exact.as_ref()?;
    let (enclosed, exponent) = (tables.enclosed_stage(state), tables.scale.exponent());
    let game = ExactStage { tier, rules: &tables.rules, order: tables.order, state, enclosed, exponent };
    let found = match basis {
        _ if tables.rules.min_bid() == 0 => exact_standstill::solve(&game, bounds),
        Some(basis) => exact::solve(&game, basis, EXACT_PIVOTS).ok().map(ExactResult::from),
        None => {
            let found = exact::solve(&game, Simplex::new().find(&tables.two_way_stage(state)).basis, EXACT_PIVOTS);
            found.ok().map(ExactResult::from)
        }
    };
    found.filter(|found| tier.fits(found))
}

/// Recomputes the strategies of a solved state from the values of its successors.
///
/// They secure as much as the sweep's up to a few units, and are identical where the sweep's bases are kept.
pub(crate) fn solve_again(tables: &Tables, state: State) -> [DyadicStrategy; 2] {
    StageSolver::default().solve(tables, state, Clock::default()).pair.strategies.clone()
}

/// Computes the exact solutions of all states up to the checkpoint, whose bounds are known.
pub(crate) fn solve_exactly(tables: &mut Tables, limit_bits: usize) {
    let order = tables.order;
    tables.exact = Some(ExactTier::new(&tables.rules, order, limit_bits));
    let mut solver = StageSolver::default();
    for state in (1..=tables.checkpoint.layers_done).flat_map(|total| order.solved(total)) {
        let Solved { pair, found, .. } = solver.solve(tables, state, Clock::default());
        let found = exact_solution(tables, state, pair.bounds, found.basis.as_ref());
        if let Some((tier, found)) = tables.exact.as_mut().zip(found) {
            tier.store(order, state, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::matrix_game::Payoffs;
    use crate::solution::Solver;

    /// The value nearest to the middle of the security levels.
    #[test]
    fn a_delicate_game_lies_in_the_middle_of_its_bounds() {
        let solution = Solver::new(&Rules::tennis()).points([16, 16]).solve().unwrap();
        let mut open = 0;
        for state in solution.states().filter(|state| state.a > 0 && state.b > 0) {
            let enclosed = solution.tables().enclosed_stage(state);
            let game = enclosed.middle();
            for (row, column) in (0..game.rows()).flat_map(|row| (0..game.columns()).map(move |column| (row, column))) {
                let Bounds { lower, upper } = enclosed.bounds(row, column);
                let twice = game.entry(row, column);
                assert_eq!(twice - 2 * lower, 2 * upper - twice, "{row}, {column} of {state}");
                open += u32::from(lower < upper);
            }
        }
        assert!(open > 100, "{open}");
    }
}
