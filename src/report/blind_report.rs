//! Blind Tennis, as scripts read it.

use serde::Serialize;

use super::{BidReport, BoundsReport};
use crate::blind::{BlindPolicy, BlindSize, BlindSolution, Guess, ValueOfInformation};
use crate::bounds::Enclosure;
use crate::game::ByPlayer;

/// The report of `blind`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct BlindReport {
    /// The points A and B start with.
    pub points: [u32; 2],
    /// The value to A: the middle of its bounds.
    pub value: f64,
    /// Guaranteed bounds of the value.
    #[serde(flatten)]
    pub bounds: BoundsReport,
    /// The distance of the bounds, rounded up.
    pub gap: f64,
    /// The information sets of A and of B.
    pub information_sets: [u64; 2],
    /// Those at which there is a choice when branches that are decided, and bids that are dominated, are left out.
    pub decisions: [usize; 2],
    /// The method that solved it: `lp`, `ipm`, `cfr`, or the rule of regret minimisation where it is not the usual one.
    pub method: String,
    /// The iterations of regret minimisation.
    pub iterations: u64,
    /// The bytes of the tree and its payoffs.
    pub bytes: usize,
    /// The openings of both.
    pub opening: ByPlayer<Vec<BidReport>>,
    /// The time it took, in seconds.
    pub seconds: f64,
    /// The value of knowing the opponent's account, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub information: Option<InformationReport>,
}

/// The blind game beside others, values to A.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct InformationReport {
    /// Both see all bids.
    pub open: BoundsReport,
    /// A is blind, B sees all bids.
    pub a_blind: BoundsReport,
    /// B is blind, A sees all bids.
    pub b_blind: BoundsReport,
    /// The results of the open game's optimal bids in the blind one, by the way the opponent's account is guessed.
    pub guesses: Vec<GuessReport>,
}

/// A way to guess.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct GuessReport {
    /// The possible account that is guessed: `fewest`, `middle` or `most`.
    pub guess: String,
    /// The payoffs that A's bids secure and B's concede.
    #[serde(flatten)]
    pub bounds: BoundsReport,
    /// Half of what the two lose against best replies.
    pub exploitability: f64,
}

/// The report of `blind --policy`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct BlindPolicyReport {
    /// The points A and B start with.
    pub points: [u32; 2],
    /// The payoffs that A's half of the policy secures and B's half concedes.
    #[serde(flatten)]
    pub bounds: BoundsReport,
    /// Half of what the two lose against best replies.
    pub exploitability: f64,
    /// The information sets of A and of B.
    pub information_sets: [u64; 2],
}

impl BlindReport {
    /// The report of a solution.
    pub fn new(solution: &BlindSolution) -> Self {
        let (start, work, enclosure) = (solution.start(), solution.work(), solution.enclosure());
        Self {
            points: [start.a, start.b],
            value: solution.value(),
            bounds: enclosure.into(),
            gap: enclosure.width(),
            information_sets: solution.size().information_sets,
            decisions: solution.decisions(),
            method: work.method.to_string(),
            iterations: work.iterations,
            bytes: work.bytes,
            opening: ByPlayer::new(|player| BidReport::list(&solution.opening(player), None)),
            seconds: work.elapsed.as_secs_f64(),
            information: None,
        }
    }
}

impl From<&ValueOfInformation> for InformationReport {
    fn from(information: &ValueOfInformation) -> Self {
        let guess = |&(guess, bounds): &(Guess, Enclosure)| GuessReport {
            guess: guess.to_string(),
            bounds: bounds.into(),
            exploitability: bounds.width() / 2.0,
        };
        Self {
            open: information.open.into(),
            a_blind: information.a_blind.into(),
            b_blind: information.b_blind.into(),
            guesses: information.guesses.iter().map(guess).collect(),
        }
    }
}

impl BlindPolicyReport {
    /// The report of a policy.
    pub fn new(policy: &BlindPolicy) -> Self {
        let (start, enclosure) = (policy.start(), policy.enclosure());
        Self {
            points: [start.a, start.b],
            bounds: enclosure.into(),
            exploitability: enclosure.width() / 2.0,
            information_sets: BlindSize::new(policy.rules(), start).information_sets,
        }
    }
}
