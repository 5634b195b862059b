//! Repeated states in more bits than a machine word has.

use dashu_base::BitTest;
use dashu_int::IBig;

use crate::bounds::Bounds;
use crate::game::{ByPlayer, Player, State};
use crate::induction::tables::{StageGame, Tables};
use crate::matrix_game::proof::multiprecision::{
    self, MultiprecisionGame, MultiprecisionStrategy, Precision,
};
use crate::matrix_game::{Candidate, Matrix, Simplex};
use crate::work::unwatched;

/// The proof in big fixed point of a state that two bids of 0 repeat: its value `v` is a fixed
/// point, `v = f(v)`, where `f(t)` is the value of the stage game in which a repetition has value
/// `t`.
///
/// On a basis that is optimal near `v`, `f` is a rational function of `t`, so that every step of
/// Newton's method doubles the digits of `v` and of the strategies. The bounds are the security
/// levels of these strategies, repeated until the state is left, as in the sweep: they do not
/// depend on `t`, and are valid however far the method comes.
pub(super) struct PreciseStandstill<'s> {
    pub(super) solved: &'s Tables,
    pub(super) state: State,
    /// The stage game from the row and from the column player's side.
    pub(super) games: [MultiprecisionGame<'s, StageGame<'s, u32>>; 2],
    /// The payoff of infinite plays to each player.
    pub(super) endless: ByPlayer<IBig>,
    pub(super) precision: Precision,
    /// The best security level found for each player.
    pub(super) secured: ByPlayer<IBig>,
}

/// Newton's method ends with a step of at most this many bits, in units of the payoffs: rounding is
/// as large.
const LAST_STEP_BITS: usize = 4;

/// Widths up to this many units above the successors' are rounding noise.
const ROUNDING_UNITS: u32 = 1 << 8;

/// The bits of the first step's strategies, a few more than those of doubles.
const FIRST_WEIGHTS: usize = 128;

/// Distances from the bounds, in units of the sweep, at which a basis is sought that is optimal on
/// one side of the value only.
///
/// A player who gets more than the payoff of infinite plays needs the basis for a repetition
/// slightly below the value. Doubles distinguish payoffs that differ by some 1e-14 of the largest,
/// 2^15 units; the nearest distance is well above that, and a basis found farther away may not be
/// optimal at the value.
const DISTANCES: [i64; 3] = [1 << 20, 1 << 32, 1 << 44];

impl PreciseStandstill<'_> {
    /// Both players' security levels; `widest` is the largest width of the successors' bounds.
    pub(super) fn solve(mut self, simplex: &mut Simplex, widest: &IBig) -> ByPlayer<IBig> {
        let close = widest + ROUNDING_UNITS;
        let rare = [0, 1].map(|player: usize| self.games[player].leaving_rarely(self.precision));
        self.judge(&rare);
        let Bounds { lower, upper } = self.solved.bounds_at(self.state);
        let middle = lower + (upper - lower) / 2;
        let known = self.solved.kept_basis(self.state);
        let nearby =
            DISTANCES.into_iter().flat_map(|distance| [lower - distance, upper + distance]);
        // First the sweep's basis, then new ones.
        for (repetition, known) in [(middle, known), (middle, None)]
            .into_iter()
            .chain(nearby.map(|repetition| (repetition, None)))
        {
            let ByPlayer { a, b } = &self.secured;
            if -(a + b) <= close {
                break;
            }
            let game = self.game(repetition);
            let candidate = match known {
                Some(basis) => simplex.equalise(&game, &basis),
                None => Some(simplex.find(&game, &mut unwatched)),
            };
            if let Some(candidate) = candidate {
                self.refine(candidate, repetition);
            }
        }
        self.secured
    }

    /// The game in doubles, with a repetition of this value in units of the sweep: distances from
    /// the value, so that payoffs near it keep their digits, as shares of the largest bound.
    fn game(&self, repetition: i64) -> Matrix {
        let enclosed = self.solved.enclosed_stage(self.state);
        Matrix::of_middles(enclosed.size(), repetition, |row, column| {
            if row + column == 0 {
                Bounds::new(repetition, repetition)
            } else {
                enclosed.bounds(row, column)
            }
        })
    }

    /// Follows a basis to its fixed point, from a value in units of the sweep, and records the
    /// strategies' security levels.
    fn refine(&mut self, candidate: Candidate<'_>, repetition: i64) {
        let Candidate { pair, basis, factorisation, .. } = candidate;
        let full = self.precision.weights;
        let Some(factorisation) = factorisation else {
            let strategies = [&pair.row, &pair.column]
                .map(|strategy| multiprecision::from_probabilities(strategy, self.precision));
            return self.judge(&strategies);
        };
        let repeats = basis.rows.first() == Some(&0) && basis.columns.first() == Some(&0);
        let mut repetition = (IBig::from(repetition) << self.precision.payoffs)
            >> self.solved.scale.exponent as usize;
        let mut weights = if repeats { FIRST_WEIGHTS.min(full) } else { full };
        let mut last_bits = usize::MAX;
        loop {
            let [row_game, column_game] = &mut self.games;
            row_game.repeated = Some(repetition.clone());
            column_game.repeated = Some(-repetition.clone());
            let precision = Precision { weights, ..self.precision };
            let strategies = multiprecision::equalise(
                basis,
                factorisation,
                pair,
                row_game,
                column_game,
                precision,
            );
            let step = if repeats {
                self.step(&strategies, basis.columns[basis.size() - 1], &repetition, weights)
            } else {
                IBig::ZERO
            };
            if weights == full {
                self.judge(&strategies);
                let bits = step.bit_len();
                if bits <= LAST_STEP_BITS || bits >= last_bits {
                    return;
                }
                last_bits = bits;
            }
            repetition += step;
            weights = (2 * weights).min(full);
        }
    }

    /// Newton's step from `repetition` to the fixed point: the derivative of `f` is the probability
    /// that both repeat the state.
    fn step(
        &self,
        strategies: &[MultiprecisionStrategy; 2],
        column: usize,
        repetition: &IBig,
        weights: usize,
    ) -> IBig {
        let [row, column_strategy] = strategies;
        let leaves = (IBig::ONE << (2 * weights)) - waits(row) * waits(column_strategy);
        if leaves.is_zero() {
            return IBig::ZERO;
        }
        let gained = self.games[0].expectation(row, column) - (repetition << weights);
        (gained << weights) / leaves
    }

    fn judge(&mut self, strategies: &[MultiprecisionStrategy; 2]) {
        for ((player, game), strategy) in Player::BOTH.into_iter().zip(&self.games).zip(strategies)
        {
            let found = game.secures_until_left(strategy, &self.endless[player], self.precision);
            let best = &mut self.secured[player];
            if found > *best {
                *best = found;
            }
        }
    }
}

fn waits(strategy: &MultiprecisionStrategy) -> IBig {
    strategy.iter().find(|(bid, _)| *bid == 0).map_or(IBig::ZERO, |(_, weight)| weight.clone())
}
