//! The solver of series of games.

use std::fmt;
use std::ops::ControlFlow;

use num_traits::Zero;

use super::SeriesError;
use super::series::{EXPONENT, HALF, Known, Score, Series};
use crate::analysis::AnalysisError;
use crate::bounds::{Bounds, Enclosure, FixedPoint, Rounding};
use crate::game::{Outcome, Payoff, Rules, Scoring};
use crate::solution::{Solution, SolveSettings, Solver, StateEquilibrium};
use crate::work::{Watch, unwatched};

/// Solves a match: games are played until a player has a number of winning points.
///
/// The scoring of the rules says how many winning points an end gives: a positive number to A, a negative one to B. An end that
/// gives none repeats the score. Both players maximise their chance of winning the match, and a match that never ends
/// counts as half a win for both. A game that never ends, where the smallest bid is 0, is decided where the ball lies, and the
/// next one follows. If the players start with different points, the accounts are exchanged after every game, also
/// after one that gave no points.
///
/// ```
/// use pencil_tennis::{Rules, Score, SeriesSolver};
///
/// let series = SeriesSolver::new(&Rules::tennis(), 3).points([12, 12]).solve()?;
/// assert_eq!(series.chance(Score::new(1, 1))?, 0.5);
/// assert!(series.chance(Score::new(2, 1))? > 0.5);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
pub struct SeriesSolver<'p> {
    rules: Rules,
    to: u32,
    points: [u32; 2],
    settings: SolveSettings,
    progress: Box<Watch<'p>>,
}

impl<'p> SeriesSolver<'p> {
    /// The most winning points a match can go to: the number of games to solve grows with the square, some 60,000 here.
    pub const LONGEST: u32 = 200;

    /// A match to this many winning points, with 50 points each in every game.
    pub fn new(rules: &Rules, to: u32) -> Self {
        Self { rules: *rules, to, points: [50, 50], settings: SolveSettings::default(), progress: Box::new(unwatched) }
    }

    /// The points A and B have in the first game; exchanged after every game.
    #[must_use]
    pub fn points(mut self, points: [u32; 2]) -> Self {
        self.points = points;
        self
    }

    /// The method, the threads and the limit on memory, all at once.
    #[must_use]
    pub fn settings(mut self, settings: SolveSettings) -> Self {
        self.settings = settings;
        self
    }

    /// A callback that hears, as a [`Watch`], the share of the scores that are known while games are solved, and may cancel.
    #[must_use]
    pub fn on_progress(mut self, progress: impl FnMut(f64) -> ControlFlow<()> + 'p) -> Self {
        self.progress = Box::new(progress);
        self
    }

    /// Solves the match at every score, from the last games backward.
    ///
    /// Solves three games a score or a few more; with even accounts half of the scores follow from their mirror images.
    ///
    /// # Errors
    /// [`SeriesError::Length`], [`SeriesError::Scoring`], and those of [`Solver::solve`].
    pub fn solve(self) -> Result<Series, AnalysisError> {
        if self.to == 0 || self.to > Self::LONGEST {
            return Err(AnalysisError::Series(SeriesError::Length { to: self.to, longest: Self::LONGEST }));
        }
        let scoring = self.rules.scoring();
        let payoffs = scoring.payoffs();
        let counted = scoring.is_antisymmetric() && payoffs.iter().all(Payoff::is_integer);
        // Where no end gives a point, no match ends.
        if !counted || payoffs.iter().all(Payoff::is_zero) {
            return Err(AnalysisError::Series(SeriesError::Scoring { scoring: scoring.to_string() }));
        }
        let scores = (self.to * self.to) as usize;
        let series = Series { rules: self.rules, points: self.points, to: self.to, known: vec![None; 2 * scores] };
        let of_scores = series.scores().count();
        let mut work = Work { solver: self, series, of_scores, last: [None, None] };
        let to = work.series.to;
        // An end gives winning points or leaves the score, so that later scores have a larger total.
        for total in (0..=2 * (to - 1)).rev() {
            for b in total.saturating_sub(to - 1)..=total / 2 {
                work.solve_score(Score::new(total - b, b))?;
            }
        }
        Ok(work.series)
    }
}

/// The consequence of an end of the next game.
#[derive(Clone, Copy)]
enum Next {
    /// A score whose chance is known within these bounds.
    Known(Bounds),
    /// The same score.
    Repeated,
}

/// A match in the course of being solved.
struct Work<'p> {
    solver: SeriesSolver<'p>,
    series: Series,
    of_scores: usize,
    /// The games solved last, with the accounts as given and exchanged.
    last: [Option<Last>; 2],
}

/// A game that was solved for one of its bounds.
struct Last {
    score: Score,
    repeated: i64,
    opening: StateEquilibrium,
}

/// Games whose repetition has the same value up to this many units, 1e-15, are opened alike: optimal play is continuous up to
/// ties.
const SAME: i64 = 1 << 10;

impl Work<'_> {
    /// Solves a score in which A has not fewer winning points than B, and enters it and its mirror image.
    fn solve_score(&mut self, score: Score) -> Result<(), AnalysisError> {
        let alternates = self.series.alternates();
        let even = score.a == score.b;
        // With even accounts and an even score both players are in the same position.
        let bounds = if even && !alternates { Bounds::default() } else { self.fixed_point(score)? };
        let mut chances = vec![(score, bounds)];
        if alternates {
            let exchanged = score.exchanged();
            let other = if even {
                bounds.mirrored()
            } else {
                Bounds::new(self.value(exchanged, bounds.lower, false)?, self.value(exchanged, bounds.upper, true)?)
            };
            chances.push((exchanged, other));
        }
        for (place, &(score, bounds)) in chances.iter().enumerate() {
            // What a repetition leads to: the score with the accounts exchanged, if they are.
            let repeated = chances[chances.len() - 1 - place].1;
            let opening = self.opening(score, middle(repeated))?;
            let mirror = Score { a: score.b, b: score.a, exchanged: score.exchanged != alternates };
            let image = self.series.place(mirror);
            let place = self.series.place(score);
            if image != place {
                self.series.known[image] = Some(Known { bounds: bounds.mirrored(), opening: mirrored(&opening) });
            }
            self.series.known[place] = Some(Known { bounds, opening });
        }
        Ok(())
    }

    /// The optimal opening of the next game when a repetition has the value `repeated`.
    fn opening(&mut self, score: Score, repeated: i64) -> Result<StateEquilibrium, AnalysisError> {
        match self.last[usize::from(score.exchanged)].take() {
            Some(last) if last.score == score && (last.repeated - repeated).abs() <= SAME => Ok(last.opening),
            _ => {
                let game = self.game(score, middle, repeated)?;
                Ok(game.equilibrium(game.start())?)
            }
        }
    }

    /// Bounds of the chance at a score, less one half.
    fn fixed_point(&mut self, score: Score) -> Result<Bounds, AnalysisError> {
        let nexts = self.nexts(score);
        let width = nexts.iter().map(|next| if let Next::Known(bounds) = next { bounds.upper - bounds.lower } else { 0 }).max();
        let alternates = self.series.alternates();
        let mut point = FixedPoint::new(Bounds::new(-HALF, HALF), Bounds::default(), |repeated, upper| {
            // From one game to the next with the same accounts.
            let inner = if alternates { self.value(score.exchanged(), repeated, upper)? } else { repeated };
            self.value(score, inner, upper)
        });
        point.narrow(2 * width.unwrap_or(0))?;
        Ok(point.bounds)
    }

    /// A proved bound of what the next game is worth when a repetition is worth `repeated`: the lower or the upper one.
    fn value(&mut self, score: Score, repeated: i64, upper: bool) -> Result<i64, AnalysisError> {
        // A game with smaller payoffs is worth less: lower bounds of the payoffs give a lower bound of the value.
        let game = self.game(score, |bounds| bounds.side(upper), repeated)?;
        let opening = game.equilibrium(game.start())?;
        let enclosure = opening.enclosure;
        self.last[usize::from(score.exchanged)] = Some(Last { score, repeated, opening });
        Ok(in_units(enclosure, upper))
    }

    /// The next game with payoffs picked from the bounds of what its ends lead to.
    fn game(&mut self, score: Score, pick: impl Fn(Bounds) -> i64, repeated: i64) -> Result<Solution, AnalysisError> {
        let payoffs = self.nexts(score).map(|next| match next {
            Next::Known(bounds) => pick(bounds),
            Next::Repeated => repeated,
        });
        let scoring = Scoring::new(payoffs.map(|payoff| Payoff::new(payoff, 1 << EXPONENT)))?;
        let SeriesSolver { rules, points: [mut a, mut b], settings, .. } = self.solver;
        if score.exchanged {
            std::mem::swap(&mut a, &mut b);
        }
        let share = self.series.known.iter().flatten().count() as f64 / self.of_scores as f64;
        let progress = &mut self.solver.progress;
        let solver = Solver::new(&rules.with_scoring(scoring)).points([a, b]).settings(settings);
        Ok(solver.on_progress(|_| progress(share)).solve()?)
    }

    /// The consequences of the five ends of the next game.
    fn nexts(&self, score: Score) -> [Next; 5] {
        Outcome::ALL.map(|outcome| {
            let won = self.solver.rules.scoring().payoff(outcome);
            if won.is_zero() {
                return Next::Repeated;
            }
            // More than the match needs is as good as what it needs.
            let points = won.to_integer().unsigned_abs().min(u64::from(self.series.to)) as u32;
            let next = score.exchanged();
            let next =
                if won > Payoff::zero() { Score { a: next.a + points, ..next } } else { Score { b: next.b + points, ..next } };
            // Later scores have been solved; what is not known could be anything.
            Next::Known(self.series.bounds(next).unwrap_or(Bounds::new(-HALF, HALF)))
        })
    }
}

/// The lower or the upper bound in the unit of chances.
fn in_units(enclosure: Enclosure, upper: bool) -> i64 {
    // Payoffs are at most one half, so that the game's unit is finer.
    let shift = (enclosure.unit_exponent() - EXPONENT).min(i128::BITS - 1);
    Rounding::of_bound(upper).shift(i128::from(enclosure.integers().side(upper)), shift as usize) as i64
}

/// It rounds toward 0, so that the middle of turned bounds is the negative.
const fn middle(Bounds { lower, upper }: Bounds) -> i64 {
    ((lower as i128 + upper as i128) / 2) as i64
}

/// An opening with the players' roles exchanged.
fn mirrored(opening: &StateEquilibrium) -> StateEquilibrium {
    let enclosure = opening.enclosure;
    StateEquilibrium {
        state: opening.state.mirrored(),
        value: -opening.value,
        enclosure: Enclosure::from_integers(enclosure.integers().mirrored(), enclosure.unit_exponent()),
        a: opening.b.clone(),
        b: opening.a.clone(),
    }
}

impl fmt::Debug for SeriesSolver<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SeriesSolver")
            .field("rules", &self.rules)
            .field("to", &self.to)
            .field("points", &self.points)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chance in a finer unit: the lower bound does not rise, the upper one does not fall, and neither moves by a unit.
    #[test]
    fn bounds_of_a_game_are_rounded_outward() {
        for number in -40_i64..=40 {
            let bounds = Bounds::new(number, number + 100);
            let eighths = |upper: bool| 8 * in_units(Enclosure::from_integers(bounds, EXPONENT + 3), upper) - bounds.side(upper);
            assert!((-7..=0).contains(&eighths(false)) && (0..=7).contains(&eighths(true)), "{number}/8");
        }
    }

    #[test]
    fn a_unit_that_is_far_too_fine_leaves_the_sign() {
        let enclosure = |number| Enclosure::from_integers(Bounds::new(number, number), EXPONENT + 500);
        assert_eq!([false, true].map(|upper| in_units(enclosure(i64::MAX), upper)), [0, 1]);
        assert_eq!([false, true].map(|upper| in_units(enclosure(i64::MIN), upper)), [-1, 0]);
    }

    /// What a score is worth at least follows from what the next ones are worth at least, and the same at most.
    #[test]
    fn bounds_of_later_scores_are_taken_from_their_own_side() {
        let solver = SeriesSolver::new(&Rules::tennis(), 2).points([9, 9]);
        let series = Series { rules: solver.rules, points: solver.points, to: 2, known: vec![None; 8] };
        let mut work = Work { solver, series, of_scores: 4, last: [None, None] };
        let [next, score] = [Score::new(1, 1), Score::new(1, 0)];
        work.solve_score(next).unwrap();
        let place = work.series.place(next);
        let mut with = |bounds: Bounds| {
            work.series.known[place].as_mut().unwrap().bounds = bounds;
            [false, true].map(|upper| work.value(score, 0, upper).unwrap())
        };
        let few = HALF / 4;
        let [worst, best] = [-few, few].map(|exact| with(Bounds::new(exact, exact)));
        assert!(worst[1] < best[0], "the next score matters: {worst:?}, {best:?}");
        assert_eq!(with(Bounds::new(-few, few)), [worst[0], best[1]]);
    }
}
