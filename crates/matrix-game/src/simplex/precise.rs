//! The simplex method in double-double numbers, where doubles fail.

use super::candidate::best_reply_by;
use super::tableau::Tableau;
use crate::basis::Basis;
use crate::dense::DoubleDouble;
use crate::payoffs::{Payoffs, extremes};
use crate::tremble::rates;
use crate::work::unwatched;

/// More rounds of pivots and a fresh dictionary mean that rounding leads in a circle.
const ROUNDS: usize = 8;

/// A basis that is optimal as far as double-double numbers can tell; `None` when no pivot could be
/// trusted.
///
/// Equal payoffs differ by their last bits, so that pivots can be as small and enlarge all errors:
/// the final dictionary is computed afresh, by the largest pivots that lead to its basis, and
/// pivoted on until the basis stays. Typically two rounds of about rows + columns pivots, each
/// O(rows · columns).
pub(crate) fn precise_basis(payoffs: &impl Payoffs<i64>) -> Option<Basis> {
    let (rows, columns) = (payoffs.rows(), payoffs.columns());
    let worst = |column: usize| (0..rows).map(|row| payoffs.entry(row, column)).max();
    let column = (0..columns).min_by_key(|&column| worst(column)).unwrap_or(0);
    let gain =
        |row| rates(columns).enumerate().map(|(j, rate)| rate * payoffs.entry(row, j) as f64).sum();
    let (smallest, largest) = extremes(payoffs);
    let size = smallest.unsigned_abs().max(largest.unsigned_abs()).max(1);
    let scale = DoubleDouble::from((-f64::from(u64::BITS - size.leading_zeros())).exp2());
    let mut tableau = Tableau::<DoubleDouble>::default();
    tableau.start(payoffs, best_reply_by(payoffs, column, gain), column, scale);
    let mut basis = None;
    for _ in 0..ROUNDS {
        // Measured counts stay below 2 · (rows + columns).
        if !tableau.run(6 * (rows + columns), &mut unwatched) {
            return None;
        }
        let next = tableau.basis();
        if basis.as_ref() == Some(&next) {
            break;
        }
        if !(tableau.refresh(payoffs, &next, scale) && tableau.restore(rows + columns)) {
            return None;
        }
        basis = Some(next);
    }
    basis
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DyadicStrategy;
    use crate::bounds::Bounds;
    use crate::enclosed_matrix::EnclosedMatrix;
    use crate::exact::equalise;
    use crate::ladder::{Provable, Prover};
    use crate::sequence::sequence;

    /// The distance between the security levels of the two strategies, by the arithmetic of the
    /// proofs.
    fn gap(size: [usize; 2], mut entry: impl FnMut(usize, usize) -> i64) -> i64 {
        let mut game = EnclosedMatrix::default();
        game.fill(size, |row, column| {
            let entry = entry(row, column);
            Bounds::new(entry, entry)
        });
        let payoffs = (&game).enclosed().row;
        let basis = precise_basis(&payoffs).expect("a basis");
        let payoff = |row, column| payoffs.entry(row, column).into();
        let mut prover = Prover::default();
        let weights = equalise(payoff, &basis, DyadicStrategy::WHOLE_BITS, &|| false);
        prover.accepts_weights(&&game, weights.expect("a regular basis"));
        prover.pair.bounds.upper - prover.pair.bounds.lower
    }

    /// A stage game of Tennis on a long field: nearly all entries are equal but for their last
    /// bits, and the optimal weights range down to 2^-62.
    #[test]
    fn optimal_weights_may_be_as_small_as_the_last_bit() {
        const OUT: i64 = 2_882_303_761_517_117_440;
        const STAY: i64 = -576_460_752_303_423_488;
        const LATER: i64 = 1_729_382_256_910_270_464;
        let lower = [
            -80_108_320_688_826_982,
            99_641_632_298_600_802,
            403_976_432_716_572_365,
            1_019_892_100_229_133_863,
        ];
        let tied = [
            1_729_382_258_253_764_479,
            1_729_429_020_877_257_219,
            1_737_172_267_076_532_943,
            1_818_068_526_495_412_539,
            2_017_612_633_061_982_208,
        ];
        let entry = |row: usize, column: usize| match (row, column) {
            (0, 11) => LATER,
            (0, 1..=4) | (1, 2..=4) | (2, 3 | 4) | (3, 4) => lower[column - 1],
            _ if row == column && row < 5 => tied[row],
            _ if column < 5 || (row == 6 && column == 5) => LATER,
            _ if column <= row + 5 && row > 0 || column == 5 => OUT,
            _ => STAY,
        };
        let gap = gap([7, 12], entry);
        // A dozen weights are rounded, each by less than a unit of the payoffs.
        assert!((0..=12).contains(&gap), "{gap}");
    }

    /// Small integers, so that equal rows and columns abound, told apart by noise of any size from
    /// the last bits up.
    #[test]
    fn noise_in_the_last_bits_is_no_obstacle() {
        let mut numbers = sequence(1);
        let mut draw = |below: u64| numbers(below) as i64;
        for round in 0..300 {
            let (rows, columns) = (1 + draw(14) as usize, 1 + draw(14) as usize);
            let noise = 3 << (draw(12) * 3);
            let gap = gap([rows, columns], |_, _| {
                ((draw(5) - 2) << 59) + draw(2 * noise + 1) - noise as i64
            });
            assert!((0..=14).contains(&gap), "game {round}: {gap}");
        }
    }
}
