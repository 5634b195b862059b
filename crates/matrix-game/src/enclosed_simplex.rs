//! Matrix games whose payoffs are bounds, solved and proved.

use super::EnclosedPayoffs;
use super::enclosed_matrix::EnclosedMatrix;
use super::ladder::{Ladder, Provable, ProvedPair};
use super::payoffs::Payoffs;
use super::small::SmallSimplex;
use crate::bounds::{Bounds, Side};

#[derive(Clone, Debug, Default)]
pub struct EnclosedSimplex {
    small: SmallSimplex,
    ladder: Ladder,
}

/// Payoffs known to within this many units (2e-15 of the largest) are solved once, in their middle.
/// With wider bounds the games of lower and of upper bounds have optimal strategies of their own.
const FINE_UNITS: i64 = 1 << 12;

/// Bounds of a small game that are this much farther apart than the widest payoff are not those of
/// an optimal pair: two roundings of a product to each side.
const SMALL_ROUNDINGS: i64 = 4;

impl EnclosedSimplex {
    /// Solves a game. The bounds miss the values of the games of lower and of upper bounds by some
    /// units and, where all payoffs are narrower than [`FINE_UNITS`], by the widest of them. They
    /// are proved whichever method finds the strategies.
    pub fn solve(&mut self, game: &EnclosedMatrix) -> &ProvedPair {
        if game.widest <= FINE_UNITS {
            self.solve_fine(game);
        } else {
            self.solve_fine(&game.of_side(Side::Upper));
            let ProvedPair { strategies: [_, column], bounds: Bounds { upper, .. }, .. } =
                self.pair();
            let (column, upper) = (std::mem::take(column), *upper);
            self.solve_fine(&game.of_side(Side::Lower));
            let pair = self.pair();
            (pair.strategies[1], pair.bounds.upper) = (column, upper);
        }
        self.pair()
    }

    /// Proves the strategies of two linear programmes, however wide their bounds;
    /// [solves](Self::solve) where they give up.
    pub fn solve_by_programmes(&mut self, game: &EnclosedMatrix) -> &ProvedPair {
        if self.ladder.by_programmes(&game, &game.middles()) {
            self.pair()
        } else {
            self.solve(game)
        }
    }

    fn pair(&mut self) -> &mut ProvedPair {
        &mut self.ladder.prover.pair
    }

    /// Solves a game with one pair of strategies that is optimal up to its width and rounding.
    fn solve_fine(&mut self, game: &EnclosedMatrix) {
        let safest = self.choose_pure(game);
        let Bounds { lower, upper } = self.pair().bounds;
        if upper - lower <= game.widest {
            // The bounds that leave are those of the proof, not of the search.
            self.pair().prove(&game.enclosed());
            return;
        }
        let pair = &mut self.ladder.prover.pair;
        if self.small.find(game, &mut pair.strategies) {
            pair.prove(&game.enclosed());
            if pair.bounds.upper - pair.bounds.lower <= game.widest + SMALL_ROUNDINGS {
                return;
            }
        }
        if self.ladder.by_tableau(&game, &game.middles(), Some(safest)).is_none() {
            self.ladder.by_integers(&game);
        }
    }

    /// Proves the safest row and the safest column, and returns the latter.
    fn choose_pure(&mut self, game: &EnclosedMatrix) -> usize {
        let EnclosedPayoffs { row, column } = game.enclosed();
        let secured = [row, column].map(|lines| {
            // A line is read up to where it is no safer than another.
            let least = |line: usize, best: i64| {
                lines
                    .line(line)
                    .iter()
                    .try_fold(i64::MAX, |least, &entry| (entry > best).then(|| least.min(entry)))
            };
            (0..lines.rows()).fold((i64::MIN, 0), |best, line| {
                least(line, best.0).map_or(best, |least| (least, line))
            })
        });
        let pair = self.pair();
        for (strategy, (_, line)) in pair.strategies.iter_mut().zip(secured) {
            strategy.set_pure(line as u32);
        }
        pair.bounds = Bounds::new(secured[0].0, -secured[1].0);
        secured[1].1
    }
}

#[cfg(test)]
mod tests {
    use dashu_ratio::RBig;

    use super::*;
    use crate::exact::solve_fractions;
    use crate::ladder::ROUNDING_UNITS;
    use crate::sequence::sequence;
    use crate::work::unwatched;

    /// The exact value of the game of one side of the bounds.
    fn value(game: &EnclosedMatrix, side: Side) -> RBig {
        let entry = |row, column| RBig::from(side.bound(game.enclosed().bounds(row, column)));
        let [height, width] = game.size();
        let rows: Vec<Vec<RBig>> =
            (0..height).map(|row| (0..width).map(|column| entry(row, column)).collect()).collect();
        solve_fractions(&rows, &mut unwatched).unwrap().value.canonicalize()
    }

    /// Payoffs of few values, told apart by noise of any size, with bounds that are exact, narrow,
    /// or wide.
    #[test]
    fn bounds_hold_and_are_those_of_the_exact_values() {
        let (mut solver, mut small, mut solved) =
            (EnclosedSimplex::default(), SmallSimplex::default(), 0);
        for seed in 0..600 {
            let mut numbers = sequence(seed);
            // 31 bits at a time.
            let mut draw =
                |below: i64| ((numbers(1 << 31) << 31 | numbers(1 << 31)) % below as u64) as i64;
            let (rows, columns) = (1 + draw(7) as usize, 1 + draw(7) as usize);
            let noise = 1 << (draw(19) * 3);
            let width = [1, 3, 1 << 11, 1 << 40, 1 << 59][seed as usize % 5];
            let mut game = EnclosedMatrix::default();
            game.fill([rows, columns], |_, _| {
                let lower = (draw(5) - 2) * (1 << 58) + draw(noise);
                Bounds::new(lower, lower + draw(width))
            });
            let proved = solver.solve(&game);
            let [lower, upper] = Side::BOTH.map(|side| value(&game, side));
            let [found_lower, found_upper] =
                [proved.bounds.lower, proved.bounds.upper].map(RBig::from);
            assert!(found_lower <= lower && upper <= found_upper, "game {seed} is not enclosed");
            let reserve = RBig::from(ROUNDING_UNITS + if width <= FINE_UNITS { width } else { 0 });
            assert!(
                &lower - found_lower <= reserve && found_upper - &upper <= reserve,
                "game {seed} is wide"
            );
            let mut pair = ProvedPair::default();
            if small.find(&game, &mut pair.strategies) {
                pair.prove(&(&game).enclosed());
                solved += i64::from(
                    pair.bounds.upper - pair.bounds.lower <= game.widest + SMALL_ROUNDINGS,
                );
            }
        }
        assert!(solved > 550, "{solved}");
    }
}
