//! How one state is solved: strategies first, then what they secure.

use std::time::Duration;

use super::Method;
use super::bases::{self, Expected, Guess};
use super::driver::Clock;
use super::exact_tier::ExactStage;
use super::stage_game::TwoWayStage;
use super::sweep::Sweep;
use super::systems::is_worth_keeping;
use super::unit::BOUND_BITS;
use crate::game::{Player, State};
use crate::matrix_game::exact::{self, ExactEquilibrium};
use crate::matrix_game::{ChangingBasis, DyadicStrategy, Pivoted, Refinement, Simplex, StrategyPair};

/// The buffers for solving one state after another.
#[derive(Debug, Default)]
pub(crate) struct StageSolver {
    simplex: Simplex,
    pair: StrategyPair,
    refinement: Refinement,
    guess: Guess,
    /// The integer strategies of the state solved last.
    pub(crate) strategies: [DyadicStrategy; 2],
    expectations: [Vec<i128>; 2],
    /// Columns and rows that could be exchanged without a loss.
    tied: [Vec<usize>; 2],
    /// The driver's clock; it stands still unless time is measured.
    pub(crate) clock: Clock,
    /// Time spent on proving the bounds of the final strategies.
    pub(crate) certifying: Duration,
}

/// Bounds this many units farther apart than the widest so far do not belong to an optimal pair.
///
/// An optimal pair in integers misses the optimum by the roundings of its weights, a few units, and inherits the widths of its successors.
pub(crate) const ROUNDING_UNITS: i64 = 32;

/// More exact pivots than this from the basis of floating point mean that it was worthless and the numbers too large.
const EXACT_PIVOTS: usize = 1_000;

impl StageSolver {
    /// What A and B secure at a state; `strategies` are the proof. `widest` is the largest distance of bounds so far.
    pub(crate) fn solve(&mut self, sweep: &Sweep, state: State, widest: i64) -> [i64; 2] {
        let game = &sweep.two_way_stage(state);
        let tolerance = widest + ROUNDING_UNITS;
        match sweep.method {
            Method::Simplex => self.solve_warm(sweep, state, game, tolerance),
            Method::Tableau => self.solve_afresh(sweep, state, game, tolerance),
            Method::Lp => {
                if !solve_programme(game, &mut self.pair) {
                    self.simplex.find(game, &mut self.pair);
                }
                self.approximate();
                self.certify(sweep, state)
            }
        }
    }

    /// From a neighbour's basis: accepted if its bounds close, else pivoted until they do.
    fn solve_warm(&mut self, sweep: &Sweep, state: State, game: &TwoWayStage<'_>, tolerance: i64) -> [i64; 2] {
        self.guess.make(&sweep.bases, sweep.order, state);
        let expected = self.guess.expected;
        if expected == Expected::Pure && self.simplex.try_saddle_point(game, self.guess.pure, &mut self.pair) {
            return self.refine_and_certify(sweep, state);
        }
        if self.guess.basis.size() > 0 {
            let mut closed = None;
            let known = self.guess.same_system.and_then(|neighbour| sweep.system_of(neighbour));
            let (guess, pair) = (&self.guess.basis, &mut self.pair);
            let tried = match known {
                Some(known) => self.simplex.try_shifted(game, known, guess, pair),
                None => self.simplex.try_basis(game, guess, pair),
            };
            if tried {
                closed = Some(self.refine_and_certify(sweep, state)).filter(|&secured| is_closed(secured, tolerance));
                if let Some(secured) = closed.filter(|&secured| self.is_preferred(game, secured, tolerance)) {
                    return secured;
                }
            }
            match (self.simplex.pivot_on(game, &mut self.pair), closed) {
                (Pivoted::NotAtAll, Some(secured)) => return secured,
                (Pivoted::Astray, _) => {}
                _ => {
                    let secured = self.refine_and_certify(sweep, state);
                    if is_closed(secured, tolerance) {
                        return secured;
                    }
                }
            }
        }
        // The guess was singular, or there was none: the way begins at a single entry.
        if expected == Expected::Mixed && self.simplex.try_saddle_point(game, self.guess.pure, &mut self.pair) {
            return self.refine_and_certify(sweep, state);
        }
        self.simplex.start_single(game);
        if self.simplex.pivot_on(game, &mut self.pair) != Pivoted::Astray {
            let secured = self.refine_and_certify(sweep, state);
            if is_closed(secured, tolerance) {
                return secured;
            }
        }
        // Numbers too delicate for updates.
        self.solve_afresh(sweep, state, game, tolerance)
    }

    /// Without a neighbour's help: by the tableau, and should its bounds not close, by more and more careful ways; the best pair counts.
    fn solve_afresh(&mut self, sweep: &Sweep, state: State, game: &TwoWayStage<'_>, tolerance: i64) -> [i64; 2] {
        let mut best: Option<([i64; 2], [DyadicStrategy; 2])> = None;
        for attempt in [Simplex::find, Simplex::find_exactly] {
            attempt(&mut self.simplex, game, &mut self.pair);
            for refined in [true, false] {
                let secured = if refined {
                    self.refine_and_certify(sweep, state)
                } else {
                    // Where the system is nearly singular, a correction can do harm.
                    self.approximate();
                    self.certify(sweep, state)
                };
                if is_closed(secured, tolerance) {
                    return secured;
                }
                if best.as_ref().is_none_or(|(other, _)| distance(secured) < distance(*other)) {
                    best = Some((secured, self.strategies.clone()));
                }
            }
        }
        let (secured, strategies) = best.unwrap_or_default();
        self.strategies = strategies;
        secured
    }

    /// Whether an optimal pair, certified last, is preferred to others that are as good, or there are none.
    fn is_preferred(&mut self, game: &TwoWayStage<'_>, secured: [i64; 2], tolerance: i64) -> bool {
        let basis = self.simplex.basis();
        // A's expectations are over B's bids, the columns, and B's over the rows.
        let inside = [&basis.columns, &basis.rows];
        if self.expectations.iter().any(Vec::is_empty) {
            // One of a basis that randomises is pure: rare, and told by the dictionary.
            return false;
        }
        for player in Player::BOTH {
            let (index, tied) = (player as usize, &mut self.tied[player as usize]);
            tied.clear();
            let own = self.strategies[1 - index].support();
            if own.len() < inside[index].len() {
                let idle = |choice: &&usize| own.binary_search_by_key(*choice, |&(index, _)| index as usize).is_err();
                tied.extend(inside[index].iter().filter(idle));
            }
            // Who plays it gets what the basis gets, up to rounding.
            let threshold = i128::from(secured[index] + tolerance + 1) << DyadicStrategy::WHOLE_BITS;
            let as_good = |(choice, &sum): (usize, &i128)| (sum < threshold).then_some(choice);
            let outside = |choice: &usize| inside[index].binary_search(choice).is_err();
            tied.extend(self.expectations[index].iter().enumerate().filter_map(as_good).filter(outside));
        }
        let [columns, rows] = &self.tied;
        (columns.is_empty() && rows.is_empty()) || self.simplex.is_preferred(game, [columns, rows])
    }

    /// Integer strategies from the pair found last, corrected where there is a basis for it, and what they secure.
    fn refine_and_certify(&mut self, sweep: &Sweep, state: State) -> [i64; 2] {
        match self.simplex.factorised_basis() {
            Some(basis) => {
                let secured = Player::BOTH.map(|player| sweep.secured_stage(player, state));
                self.refinement.refine(basis, &self.pair, secured.each_ref(), BOUND_BITS, &mut self.strategies);
            }
            None => self.approximate(),
        }
        self.certify(sweep, state)
    }

    /// Integer strategies from the pair found last, as it is.
    fn approximate(&mut self) {
        let [a, b] = &mut self.strategies;
        a.approximate(&self.pair.row);
        b.approximate(&self.pair.column);
    }

    /// What the two strategies secure.
    fn certify(&mut self, sweep: &Sweep, state: State) -> [i64; 2] {
        let start = self.clock.elapsed();
        let mut secured = Player::BOTH.map(|player| {
            let index = player as usize;
            self.strategies[index].secures(&sweep.secured_stage(player, state), &mut self.expectations[index])
        });
        if sweep.order.is_self_mirrored(state) {
            // Each player's strategy serves the other as well: both take the better one, and the bounds are opposite.
            let better = usize::from(secured[1] > secured[0]);
            self.strategies[1 - better] = self.strategies[better].clone();
            secured = [secured[better]; 2];
        }
        // Only the last pass over a state is its proof; an earlier one was part of the search.
        self.certifying = self.clock.elapsed().saturating_sub(start);
        secured
    }

    /// The basis behind the strategies, as bids, for the neighbours to start from.
    pub(crate) fn pack_basis(&self, lowest_bids: [usize; 2], packed: &mut Vec<u16>) {
        bases::pack(self.simplex.basis(), lowest_bids, packed);
    }

    /// The system behind the strategies, if later states can go on from it and that is worth while.
    pub(crate) fn system_to_keep(&self, sweep: &Sweep, state: State) -> Option<Box<ChangingBasis>> {
        let system = self.simplex.known_system().filter(|system| is_worth_keeping(sweep.order, state, system))?;
        let mut kept = Box::<ChangingBasis>::default();
        kept.take_over(system);
        Some(kept)
    }

    /// The exact solution of the state solved last, if it was asked for and can be had within the limit.
    pub(crate) fn solve_exactly(&mut self, sweep: &Sweep, state: State) -> Option<ExactEquilibrium> {
        let tier = sweep.exact.as_ref()?;
        if sweep.method == Method::Lp {
            // The linear programme leaves no basis to start from.
            self.simplex.find(&sweep.two_way_stage(state), &mut self.pair);
        }
        let secured = Player::BOTH.map(|player| sweep.secured_stage(player, state));
        let exponent = sweep.unit.exponent();
        let game = ExactStage { tier, rules: &sweep.rules, order: sweep.order, state, secured, exponent };
        let equilibrium = exact::solve(&game, self.simplex.basis(), EXACT_PIVOTS).ok()?;
        tier.fits(&equilibrium.value).then_some(equilibrium)
    }
}

/// By linear programmes; `false` when they give up.
#[cfg(feature = "lp")]
fn solve_programme(game: &TwoWayStage<'_>, pair: &mut StrategyPair) -> bool {
    crate::matrix_game::LinearProgramme::find(game, pair)
}

/// Nothing: a state of a table file that was solved by linear programmes is solved again without them.
#[cfg(not(feature = "lp"))]
const fn solve_programme(_: &TwoWayStage<'_>, _: &mut StrategyPair) -> bool {
    false
}

/// How far apart the bounds are, in units.
fn distance(secured: [i64; 2]) -> i64 {
    -(secured[0] + secured[1])
}

/// Whether bounds are as close as those of an optimal pair.
fn is_closed(secured: [i64; 2], tolerance: i64) -> bool {
    distance(secured) <= tolerance
}
