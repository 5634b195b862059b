//! Solves a match.

use num_traits::Zero;

use super::chances::{Exchange, SeriesChances, fixed_point, in_units, middle};
use super::{Score, Series};
use crate::bounds::{Bounds, Side};
use crate::error::{Error, SeriesError};
use crate::game::Payoff;
use crate::solution::{Solution, Solver, StateEquilibrium};

impl Solver<'_> {
    /// Solves a match: games are repeated until a player has `to` winning points, at most
    /// [`Series::LONGEST`].
    ///
    /// The scoring gives winning points: positive numbers to A, negative ones to B; 0 repeats the
    /// score. Both players maximise their winning probability. An endless match counts as half a
    /// win for both, an endless game as decided where the ball lies. The points are those of the
    /// first game: uneven accounts are exchanged after every game, even one without points.
    ///
    /// Solves the match backward, with three or a few more games a score; with even accounts half
    /// of the scores follow by symmetry. [`Solver::on_progress`] hears the share of the known
    /// scores. Exact values, checkpoints and what they resume belong to single games, and have no
    /// part in a match.
    ///
    /// # Errors
    /// [`SeriesError::Length`], [`SeriesError::Scoring`], and those of [`Solver::solve`].
    ///
    /// ```
    /// use pencil_tennis::analysis::Score;
    /// use pencil_tennis::{Rules, Solver};
    ///
    /// let series = Solver::new(&Rules::tennis()).points([12, 12]).series(3)?;
    /// assert_eq!(series.solved(Score::new(1, 1))?.chance.middle(), 0.5);
    /// assert!(series.solved(Score::new(2, 1))?.chance.lower() > 0.5);
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    pub fn series(self, to: u32) -> Result<Series, Error> {
        let rules = self.rules;
        rules.check_even_handed("a match")?;
        if to == 0 || to > Series::LONGEST {
            return Err(Error::Series(SeriesError::Length { to, longest: Series::LONGEST }));
        }
        let scoring = rules.scoring();
        let payoffs = scoring.payoffs();
        let counted = scoring.is_antisymmetric() && payoffs.iter().all(Payoff::is_integer);
        // If no end gives a point, no match ends.
        if !counted || payoffs.iter().all(Payoff::is_zero) {
            return Err(Error::Series(SeriesError::Scoring { scoring: scoring.to_string() }));
        }
        let chances = SeriesChances::new(&rules, self.points, to);
        let openings = vec![None; 2 * (to * to) as usize];
        let mut work =
            Work { solver: self, series: Series { chances, openings }, last: [None, None] };
        // The other scores follow by symmetry.
        for score in work.series.chances.backward().filter(|score| score.a >= score.b) {
            work.solve_score(score)?;
        }
        Ok(work.series)
    }
}

struct Work<'p> {
    solver: Solver<'p>,
    series: Series,
    /// The games solved last, with the accounts as given and exchanged.
    last: [Option<LastGame>; 2],
}

struct LastGame {
    score: Score,
    repeated: i64,
    opening: StateEquilibrium,
}

/// Games whose repetitions differ by at most this many units, 1e-15, share their openings.
const SAME: i64 = 1 << 10;

impl Work<'_> {
    /// Solves a score in which A has at least as many winning points as B, and its mirror image.
    fn solve_score(&mut self, score: Score) -> Result<(), Error> {
        let alternates = self.series.alternates();
        let even = score.a == score.b;
        // Even accounts at an even score are a symmetric position.
        let [bounds, exchanged] = if even && !alternates {
            [Bounds::default(); 2]
        } else {
            let exchange = match self.series.chances.exchange() {
                Exchange::Alternates if even => Exchange::Mirrors,
                exchange => exchange,
            };
            let close = self.series.chances.close(score);
            fixed_point(score, exchange, close, |score, repeated, side| {
                self.value(score, repeated, side)
            })?
        };
        // A repetition leads to the score with the accounts exchanged, if they alternate.
        let found = [(score, bounds, exchanged), (score.exchanged(), exchanged, bounds)];
        for (score, bounds, repeated) in found.into_iter().take(if alternates { 2 } else { 1 }) {
            let opening = self.opening(score, middle(repeated))?;
            let mirror = Score { a: score.b, b: score.a, exchanged: score.exchanged != alternates };
            self.enter(mirror, bounds.mirrored(), opening.mirrored(-opening.value));
            self.enter(score, bounds, opening);
        }
        Ok(())
    }

    fn enter(&mut self, score: Score, bounds: Bounds, opening: StateEquilibrium) {
        self.series.chances.set(score, bounds);
        let index = self.series.chances.index(score);
        self.series.openings[index] = Some(opening);
    }

    fn opening(&mut self, score: Score, repeated: i64) -> Result<StateEquilibrium, Error> {
        match self.last[usize::from(score.exchanged)].take() {
            Some(last) if last.score == score && (last.repeated - repeated).abs() <= SAME => {
                Ok(last.opening)
            }
            _ => {
                let game = self.game(score, middle, repeated)?;
                Ok(game.equilibrium(game.start())?)
            }
        }
    }

    /// A proved bound of the next game's value.
    fn value(&mut self, score: Score, repeated: i64, side: Side) -> Result<i64, Error> {
        let game = self.game(score, |bounds| side.bound(bounds), repeated)?;
        let opening = game.equilibrium(game.start())?;
        let enclosure = opening.enclosure;
        self.last[usize::from(score.exchanged)] = Some(LastGame { score, repeated, opening });
        Ok(in_units(enclosure, side))
    }

    fn game(
        &mut self,
        score: Score,
        pick: impl Fn(Bounds) -> i64,
        repeated: i64,
    ) -> Result<Solution, Error> {
        let chances = &self.series.chances;
        let rules = chances.game(score, pick, repeated)?;
        self.solver.for_game(&rules, chances.points_at(score), chances.share()).solve()
    }
}

#[cfg(test)]
mod tests {
    use super::super::chances::HALF;
    use super::*;
    use crate::game::Rules;

    #[test]
    fn bounds_of_later_scores_are_taken_from_their_own_side() {
        let solver = Solver::new(&Rules::tennis()).points([9, 9]);
        let chances = SeriesChances::new(&solver.rules, solver.points, 2);
        let mut work = Work {
            solver,
            series: Series { chances, openings: vec![None; 8] },
            last: [None, None],
        };
        let [next, score] = [Score::new(1, 1), Score::new(1, 0)];
        work.solve_score(next).unwrap();
        let mut with = |bounds: Bounds| {
            work.series.chances.set(next, bounds);
            Side::BOTH.map(|side| work.value(score, 0, side).unwrap())
        };
        let few = HALF / 4;
        let [worst, best] = [-few, few].map(|exact| with(Bounds::new(exact, exact)));
        assert!(worst[1] < best[0], "the next score matters: {worst:?}, {best:?}");
        assert_eq!(with(Bounds::new(-few, few)), [worst[0], best[1]]);
    }
}
