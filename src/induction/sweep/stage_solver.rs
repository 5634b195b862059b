//! The solver of one state: methods are tried until the security levels of a pair of strategies
//! prove that it is optimal.

use std::time::Duration;

use super::exact_standstill;
use super::stage::Preference;
use super::stage::Stage;
use super::standstill::StandstillSolver;
use super::warm_start::WarmStart;
use crate::bounds::{Bounds, Enclosure};
use crate::game::State;
use crate::induction::tables::{
    ExactResult, ExactStage, ExactTier, KeptSystem, Method, SolvedState, Tables, is_worth_keeping,
};
use crate::matrix_game::exact;
use crate::matrix_game::{
    Basis, BasisFactorisation, Candidate, DyadicStrategy, Judgement, Ladder, Simplex, Start,
};
use crate::work::{Clock, unwatched};

#[derive(Debug, Default)]
pub(crate) struct StageSolver {
    ladder: Ladder,
    preference: Preference,
    standstill: StandstillSolver,
}

/// The basis of the pair of strategies that was proved last.
#[derive(Debug, Default)]
struct SolvedBasis {
    bids: Vec<u16>,
    system: Option<KeptSystem>,
}

/// More exact pivots from the floating-point basis mean that it was useless and the numbers are too
/// large.
pub(super) const EXACT_PIVOTS: usize = 1_000;

impl StageSolver {
    /// Solves a state; `clock` measures the proofs, whose time comes second.
    fn solve(&mut self, tables: &Tables, state: State, clock: Clock) -> (SolvedBasis, Duration) {
        if tables.rules.min_bid() == 0 {
            self.standstill.solve(tables, state, &mut self.ladder.prover.pair);
            return Default::default();
        }
        let stage = &Stage::new(tables, state, clock);
        let basis = match tables.method {
            Method::Simplex => self.solve_warm(stage),
            Method::Tableau => self.by_tableau(stage),
            Method::Lp => self.by_linear_programme(stage),
        };
        (basis, stage.certifying.get())
    }

    pub(super) fn solve_state(
        &mut self,
        tables: &Tables,
        state: State,
        clock: Clock,
    ) -> SolvedState {
        let start = clock.elapsed();
        let (SolvedBasis { bids, system }, certifying) = self.solve(tables, state, clock);
        let pair = &self.ladder.prover.pair;
        let solving = clock.elapsed().saturating_sub(start + certifying);
        let exact = exact_solution(tables, state, pair.bounds, &bids);
        SolvedState {
            state,
            bounds: pair.bounds,
            strategies: tables.finds_strategies.then(|| pair.strategies.clone()),
            randomised: pair.strategies.iter().any(|strategy| strategy.support().len() > 1),
            basis: bids,
            system,
            exact,
            solving,
            certifying,
        }
    }

    /// Solves from a neighbour's solution: the first rungs of the ladder.
    fn solve_warm(&mut self, stage: &Stage<'_>) -> SolvedBasis {
        let guess = WarmStart::new(stage.tables, stage.state);
        let first = guess.pure.map(|guess| self.by_saddle_point(stage, guess));
        if let Some(Ok(basis)) = first {
            return basis;
        }
        if let Some(basis) = guess.mixed().and_then(|start| self.improve(stage, start)) {
            return basis;
        }
        match first.unwrap_or_else(|| self.by_saddle_point(stage, (0, 0))) {
            Ok(basis) => basis,
            Err(column) => {
                self.improve(stage, Start::Column(column)).unwrap_or_else(|| self.by_tableau(stage))
            }
        }
    }

    /// Solves by a saddle point, or returns the safest column.
    fn by_saddle_point(
        &mut self,
        stage: &Stage<'_>,
        guess: (usize, usize),
    ) -> Result<SolvedBasis, usize> {
        let (row, column) = self.ladder.simplex.saddle_point(&stage.game, guess)?;
        self.ladder.prover.accepts_pure(stage, [row, column]);
        Ok(SolvedBasis { bids: bids(stage, &[row], &[column]), system: None })
    }

    /// Solves by the self-dual simplex and stops as soon as the bounds meet.
    fn improve(&mut self, stage: &Stage<'_>, start: Start<'_>) -> Option<SolvedBasis> {
        let Self { ladder: Ladder { simplex, prover, .. }, preference, .. } = self;
        let judge = |candidate: &mut Candidate<'_>, is_pivoted| {
            // A pair to which pivots led is preferred at once.
            if !prover.accepts(stage, candidate) {
                Judgement::Rejected
            } else if is_pivoted || preference.is_preferred(prover, stage, candidate) {
                Judgement::Preferred
            } else {
                Judgement::Optimal
            }
        };
        Some(solved_basis(stage, &simplex.improve(&stage.game, start, judge)?))
    }

    /// Solves from scratch, and in integers where doubles do not suffice: some states in a hundred
    /// thousand.
    fn by_tableau(&mut self, stage: &Stage<'_>) -> SolvedBasis {
        if let Some(candidate) = self.ladder.by_tableau(stage, &stage.game, None) {
            return solved_basis(stage, &candidate);
        }
        let Basis { rows, columns } = self.ladder.by_integers(stage);
        SolvedBasis { bids: bids(stage, &rows, &columns), system: None }
    }

    /// Solves by two linear programmes, or by the tableau where they give up; accepts their result
    /// unchanged.
    fn by_linear_programme(&mut self, stage: &Stage<'_>) -> SolvedBasis {
        if !self.ladder.by_programmes(stage, &stage.game) {
            self.by_tableau(stage);
        }
        SolvedBasis::default()
    }
}

fn solved_basis(stage: &Stage<'_>, candidate: &Candidate<'_>) -> SolvedBasis {
    let system = candidate.factorisation.as_deref();
    let kept = |system| {
        let mut kept = Box::<BasisFactorisation>::default();
        kept.take_over(system);
        KeptSystem { bytes: kept.bytes(), factorisation: Some(kept) }
    };
    let system =
        system.filter(|system| is_worth_keeping(stage.tables.order, stage.state, system)).map(kept);
    SolvedBasis { bids: bids(stage, &candidate.basis.rows, &candidate.basis.columns), system }
}

/// The bids of a basis, A's first.
fn bids(stage: &Stage<'_>, rows: &[usize], columns: &[usize]) -> Vec<u16> {
    let [lowest_a, lowest_b] = stage.tables.lowest_bids(stage.state);
    rows.iter()
        .map(|row| (row + lowest_a) as u16)
        .chain(columns.iter().map(|column| (column + lowest_b) as u16))
        .collect()
}

/// The exact value, if requested, of a state with these bounds and the bids of a probably optimal
/// basis, or none.
fn exact_solution(
    tables: &Tables,
    state: State,
    bounds: Bounds,
    bids: &[u16],
) -> Option<ExactResult> {
    tables.exact.as_ref()?;
    let mut game = ExactStage::new(tables, state);
    if tables.rules.min_bid() == 0 {
        return exact_standstill::solve(&mut game, bounds);
    }
    let basis = if bids.is_empty() {
        Simplex::new().find(&tables.two_way_stage(state), &mut unwatched).basis.clone()
    } else {
        tables.basis(state, bids.split_at(bids.len() / 2).into())
    };
    exact::solve(&game, &basis, EXACT_PIVOTS).ok().map(ExactResult::from)
}

/// Recomputes the strategies of a solved state from the values of its successors.
///
/// They secure as much as the sweep's up to a few units, and are identical where the sweep's bases
/// are kept.
pub(crate) fn solve_again(tables: &Tables, state: State) -> [DyadicStrategy; 2] {
    let mut solver = StageSolver::default();
    solver.solve(tables, state, Clock::default());
    solver.ladder.prover.pair.strategies
}

/// Computes the exact solutions of all states up to the checkpoint, whose bounds are known.
pub(crate) fn solve_exactly(tables: &mut Tables, limit_bits: usize) {
    let order = tables.order;
    tables.exact = Some(ExactTier::new(&tables.rules, order, limit_bits));
    let mut solver = StageSolver::default();
    for state in order.solved_up_to(tables.checkpoint.layers_done) {
        let SolvedState { exact, bounds, .. } = solver.solve_state(tables, state, Clock::default());
        if let Some((tier, result)) = tables.exact.as_mut().zip(exact) {
            tier.store(order, state, result, Enclosure::proved(bounds, tables.scale.exponent));
        }
    }
}
