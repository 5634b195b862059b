//! Learning curves: how exploitable a learner is after how many games.

use std::ops::ControlFlow;
use std::time::Duration;

use super::learner::Learner;
use crate::analysis::{Exploitability, value_between};
use crate::error::Error;
use crate::policy::Policy;
use crate::solution::Solution;
use crate::work::{Clock, Threads, WorkError, unwatched};

/// The duration of a batch of games, after which a watcher can stop the work.
const PIECE: Duration = Duration::from_millis(50);

/// The evaluation of a learner's policy after `games` games; with the feature `serde` a row of csv
/// or JSON, in this order.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CurvePoint {
    pub games: u64,
    /// The seconds of playing and learning, without judging.
    pub seconds: f64,
    /// The entries read in that time, if the learner counts them.
    pub entries_read: Option<u64>,
    /// The mean gain of both players' best responses to the policy.
    pub exploitability: f64,
    /// The policy's payoff against optimal play, mean over both roles.
    pub against_optimum: f64,
    /// The policy's payoff against uniform bids, mean over both roles.
    pub against_uniform: f64,
}

/// The learning curve of a learner: its policy is judged again and again while it plays.
///
/// Evaluations are exact, as by [`Exploitability`] and [`Matchup`](crate::analysis::Matchup); only
/// the learner's games are sampled.
///
/// ```
/// use std::ops::ControlFlow;
/// use pencil_tennis::agents::{LearnerKind, LearnerOptions, LearningCurve, Training};
/// use pencil_tennis::Rules;
///
/// let solution = pencil_tennis::solve(8)?;
/// let mut training = Training::new(LearnerKind::Simple, &Rules::tennis(), 8, LearnerOptions::default(), 1)?;
/// let mut curve = LearningCurve::new(&solution)?;
/// for games in LearningCurve::ladder(1_000) {
///     curve.train(&mut training, games, |_| ControlFlow::Continue(()))?;
/// }
/// assert_eq!(curve.points().len(), 10);
/// assert!(curve.points()[9].exploitability < curve.points()[0].exploitability);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Debug)]
pub struct LearningCurve<'s> {
    solution: &'s Solution,
    optimal: Policy,
    uniform: Policy,
    seconds: f64,
    points: Vec<CurvePoint>,
}

impl<'s> LearningCurve<'s> {
    pub fn new(solution: &'s Solution) -> Result<Self, Error> {
        Ok(Self {
            solution,
            optimal: Policy::optimal(solution, &mut unwatched)?,
            uniform: Policy::uniform(solution.rules(), solution.points())?,
            seconds: 0.0,
            points: Vec::new(),
        })
    }

    /// Numbers of games 1, 2, 5, 10, 20, 50, … below `games`, and `games` itself.
    pub fn ladder(games: u64) -> impl Iterator<Item = u64> {
        let decades = (0..=u64::MAX.ilog10()).map(|exponent| 10_u64.pow(exponent));
        let steps = decades.flat_map(|power| [1, 2, 5].map(|step: u64| power.saturating_mul(step)));
        steps.take_while(move |&step| step < games).chain(std::iter::once(games))
    }

    pub fn resume(&mut self, points: Vec<CurvePoint>) {
        self.seconds = points.last().map_or(0.0, |last| last.seconds);
        self.points = points;
    }

    /// Lets the learner play until it has played `games` games in all, and judges it; `watch` looks
    /// at the learner some times a second and can stop the work.
    pub fn train<L: Learner>(
        &mut self,
        learner: &mut L,
        games: u64,
        mut watch: impl FnMut(&L) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let mut piece = 1;
        while learner.games() < games {
            let clock = Clock::start();
            learner.play(piece.min(games - learner.games()))?;
            let taken = clock.elapsed();
            self.seconds += taken.as_secs_f64();
            if taken < PIECE {
                piece *= 2;
            } else if taken > 2 * PIECE {
                piece = piece.div_ceil(2);
            }
            if watch(learner).is_break() {
                return Err(WorkError::Cancelled.into());
            }
        }
        self.note(learner)
    }

    /// Judges the learner's current policy. O(states · bids²).
    ///
    /// # Errors
    /// [`crate::PolicyError::LacksPlayer`] for a learner of one role only.
    pub fn note(&mut self, learner: &impl Learner) -> Result<(), Error> {
        let rules = self.solution.rules();
        let policy = learner.policy()?;
        policy.check_game(rules, self.solution.points())?;
        let against = |opponent: &Policy| -> Result<f64, Error> {
            let start = self.solution.start();
            let as_a = value_between(
                rules,
                start,
                [&policy, opponent],
                &Threads::alone(),
                &mut unwatched,
            )?
            .middle();
            let as_b = -value_between(
                rules,
                start,
                [opponent, &policy],
                &Threads::alone(),
                &mut unwatched,
            )?
            .middle();
            Ok(f64::midpoint(as_a, as_b))
        };
        self.points.push(CurvePoint {
            games: learner.games(),
            seconds: self.seconds,
            entries_read: learner.entries_read(),
            exploitability: Exploitability::new(rules, &policy, &mut unwatched)?.mean().middle(),
            against_optimum: against(&self.optimal)?,
            against_uniform: against(&self.uniform)?,
        });
        Ok(())
    }

    pub fn points(&self) -> &[CurvePoint] {
        &self.points
    }
}
