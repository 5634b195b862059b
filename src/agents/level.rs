//! Opponents between the uniform and the optimal one.

use std::fmt;
use std::str::FromStr;

use super::evaluation::Evaluation;
use super::learner::Learner;
use super::lookahead::Lookahead;
use super::training::Training;
use super::{LearnerKind, LearnerOptions};
use crate::error::{AgentError, Error};
use crate::game::{Player, Rules};
use crate::policy::Policy;
use crate::solution::Solution;
use crate::stochastic_game::{StationaryPolicy, StochasticSolution};
use crate::work::{Parts, Watch};

/// A player between the uniform and the optimal one.
///
/// ```
/// use pencil_tennis::agents::Level;
/// use pencil_tennis::analysis::Exploitability;
/// use pencil_tennis::{Player, Rules, unwatched};
///
/// let solution = pencil_tennis::solve(8)?;
/// let exploitability = |name: &str| -> Result<f64, pencil_tennis::Error> {
///     let policy = name.parse::<Level>()?.policy(&solution, &mut unwatched)?;
///     Ok(Exploitability::new(&Rules::tennis(), &policy, &mut unwatched)?.mean().middle())
/// };
/// assert!(exploitability("uniform")? > exploitability("simple:10000")?);
/// assert!((exploitability("uniform")? - exploitability("quantal:0")?).abs() < 1e-12);
/// // At 4:3@-2 B loses nothing by 1 and 3, and 6/5 by 2.
/// let human = Level::Quantal { precision: 2.0 }.policy(&solution, &mut unwatched)?;
/// let [one, two] = [1, 2].map(|bid| human.probability("4:3@-2".parse().unwrap(), Player::B, bid).unwrap());
/// assert!((two / one - (-2.0 * 1.2_f64).exp()).abs() < 1e-12);
/// // A game with 8 points each has 8 turns at most.
/// assert!(exploitability("lookahead:8:nothing")? < 1e-12 && exploitability("optimal")? < 1e-15);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Level {
    /// The uniform policy.
    Uniform,
    /// [`LearnerKind::Simple`] after this many self-played games, from 1, with seed 1.
    Simple { games: u64 },
    /// [`Lookahead`] of this many turns, from 1, with leaves evaluated by uniform play or as 0.
    Lookahead { depth: u32, uniform: bool },
    /// The quantal response of this precision: a bid with expected loss `c` against the optimal
    /// opponent has weight `exp(−precision · c)`, so that a larger precision makes costly errors
    /// rarer. The logit response of *Quantal response equilibria for normal form games*, Games and
    /// Economic Behavior 10 (1995), to the optimal opponent rather than to one who errs alike.
    Quantal { precision: f64 },
    /// The solver's optimal strategies.
    Optimal,
}

impl Level {
    pub const SEED: u64 = 1;

    /// The games between two reports of progress: a few hundredths of a second.
    const PIECE: u64 = 50_000;

    /// The policy in a solved game.
    ///
    /// # Errors
    /// [`AgentError`]; [`crate::GameError::TooManyPoints`] for a learner,
    /// [`crate::PolicyError::Precision`].
    pub fn policy(self, solution: &Solution, watch: &mut Watch<'_>) -> Result<Policy, Error> {
        match (self, self.policy_unsolved(solution.rules(), solution.points(), watch)?) {
            (_, Some(policy)) => Ok(policy),
            (Self::Quantal { precision }, None) => {
                Ok(Policy::quantal_response(solution, precision)?)
            }
            (_, None) => Ok(Policy::optimal(solution, watch)?),
        }
    }

    /// A player's policy in a solved game of any rules: uniform, quantal or optimal.
    ///
    /// # Errors
    /// [`AgentError::LevelOfTennis`] for the other levels.
    pub fn stationary(
        self,
        solution: &StochasticSolution,
        player: Player,
    ) -> Result<StationaryPolicy, Error> {
        match self {
            Self::Uniform => Ok(StationaryPolicy::uniform(solution.game(), player)),
            Self::Quantal { precision } => {
                Ok(StationaryPolicy::quantal_response(solution, player, precision)?)
            }
            Self::Optimal => Ok(StationaryPolicy::optimal(solution, player)?),
            Self::Simple { .. } | Self::Lookahead { .. } => {
                Err(AgentError::LevelOfTennis { text: self.to_string() }.into())
            }
        }
    }

    /// The policy of a level that needs no solution; `None` for the others.
    pub fn policy_unsolved(
        self,
        rules: &Rules,
        points: [u32; 2],
        watch: &mut Watch<'_>,
    ) -> Result<Option<Policy>, Error> {
        Ok(match self {
            Self::Uniform => Some(Policy::uniform(rules, points)?),
            Self::Simple { games } => Some(simple(rules, points, games, watch)?),
            Self::Lookahead { depth, uniform } => {
                let leaves = if uniform {
                    Evaluation::expected(rules, &Policy::uniform(rules, points)?)?
                } else {
                    Evaluation::nothing(rules, points)?
                };
                Some(Lookahead::new(&leaves, depth)?.policy)
            }
            Self::Quantal { .. } | Self::Optimal => None,
        })
    }
}

fn simple(
    rules: &Rules,
    points: [u32; 2],
    games: u64,
    watch: &mut Watch<'_>,
) -> Result<Policy, Error> {
    // A learner's table has the same points for both players; a table with fewer points for one
    // player is a part of it.
    let most = points[0].max(points[1]);
    let mut training =
        Training::new(LearnerKind::Simple, rules, most, LearnerOptions::default(), Level::SEED)?;
    if games > training.most_games() {
        return Err(AgentError::TooManyGames { games, most: training.most_games() }.into());
    }
    let mut parts = Parts::new(watch, games as f64);
    while training.games() < games {
        let piece = Level::PIECE.min(games - training.games());
        training.play(piece)?;
        parts.done(piece as f64)?;
    }
    let policy = training.policy()?;
    if points[0] == points[1] {
        return Ok(policy);
    }
    let weights = |state, player| policy.weights(state, player).into_iter().flatten().collect();
    Policy::from_integer_weights(rules, points, &Player::BOTH, weights)
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uniform => f.pad("uniform"),
            Self::Simple { games } => write!(f, "simple:{games}"),
            Self::Lookahead { depth, uniform } => {
                write!(f, "lookahead:{depth}:{}", if *uniform { "uniform" } else { "nothing" })
            }
            Self::Quantal { precision } => write!(f, "quantal:{precision}"),
            Self::Optimal => f.pad("optimal"),
        }
    }
}

impl FromStr for Level {
    type Err = AgentError;

    fn from_str(text: &str) -> Result<Self, AgentError> {
        let words: Vec<&str> = text.split(':').collect();
        let level = match words.as_slice() {
            ["uniform"] => Some(Self::Uniform),
            ["optimal"] => Some(Self::Optimal),
            ["simple", games] => whole(games).map(|games| Self::Simple { games }),
            ["quantal", precision] => {
                let precision = precision
                    .parse()
                    .ok()
                    .filter(|precision: &f64| precision.is_finite() && *precision >= 0.0);
                precision.map(|precision| Self::Quantal { precision })
            }
            ["lookahead", depth, leaves @ ("uniform" | "nothing")] => {
                let depth = depth.parse().ok().filter(|&depth| depth > 0);
                depth.map(|depth| Self::Lookahead { depth, uniform: *leaves == "uniform" })
            }
            _ => None,
        };
        level.ok_or_else(|| AgentError::LevelUnknown { text: text.to_owned() })
    }
}

fn whole(text: &str) -> Option<u64> {
    // Whole numbers up to 2⁵³ are doubles.
    let exact =
        |number: &f64| number.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(number);
    let number =
        text.parse().ok().or_else(|| text.parse().ok().filter(exact).map(|number| number as u64));
    number.filter(|&games| games > 0)
}
