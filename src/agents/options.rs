//! The options of learners, with their ranges.

use crate::coded::coded;
use crate::error::{AgentError, Error};
use crate::written_as::written_as;

/// The reward of a won game in reinforcement learning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reward {
    /// 1 for any win: the article's rule.
    #[default]
    Win,
    /// The points won, which must be whole numbers.
    Points,
}

/// The order in which tabular learners visit the states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Schedule {
    /// All states in turn, from the empty accounts upward. A sweep counts as one game from every
    /// state.
    #[default]
    Sweeps,
    Games,
}

/// Options of learners; each learner takes some of them, see
/// [`LearnerKind::options`](super::LearnerKind::options).
///
/// ```
/// use pencil_tennis::agents::{LearnerKind, LearnerOptions, Training};
/// use pencil_tennis::Rules;
///
/// let options = LearnerOptions { loss: 1, every: 100, ..LearnerOptions::default() };
/// let training = Training::new(LearnerKind::Extended, &Rules::tennis(), 20, options, 1);
/// assert!(training.is_ok());
/// assert!(Training::new(LearnerKind::Simple, &Rules::tennis(), 20, options, 1).is_err(), "it has no such option");
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearnerOptions {
    pub reward: Reward,
    /// The amount subtracted from the weights of the loser's bids, down to 1. 0: nothing.
    pub loss: u32,
    /// The largest bonus for rare bids: the reward is multiplied by an even share of the weights
    /// over the bid's weight, rounded down, and clamped to 1..=`rare`. 1: no bonus.
    pub rare: u32,
    /// The number of games in a batch, after which weights change. 1: after every game.
    pub every: u64,
    /// The share of games that start in the middle of the game: both accounts uniform from a fifth
    /// to four fifths of the points (10 to 40 of 50), the ball anywhere.
    pub middle: f64,
    /// Whether these starts have probabilities in proportion to 1 / (1 + difference of the
    /// accounts).
    pub close: bool,
    /// The number of games after which all weights are halved, rounded up. 0: never.
    pub forget: u64,
    pub schedule: Schedule,
    /// The probability of exploring: the bid is then uniform over all legal ones.
    pub explore: f64,
}

impl Default for LearnerOptions {
    fn default() -> Self {
        Self {
            reward: Reward::Win,
            loss: 0,
            rare: 1,
            every: 1,
            middle: 0.0,
            close: false,
            forget: 0,
            schedule: Schedule::Sweeps,
            explore: 0.05,
        }
    }
}

impl LearnerOptions {
    /// The largest [`loss`](Self::loss) and [`rare`](Self::rare): a thousand games' worth.
    pub const LARGEST_STEP: u32 = 1000;

    /// The largest [`every`](Self::every), which bounds the memory of a batch.
    pub const LARGEST_BATCH: u64 = 1_000_000;

    pub(super) fn changed(&self) -> impl Iterator<Item = &'static str> {
        let usual = Self::default();
        [
            ("reward", self.reward != usual.reward),
            ("loss", self.loss != usual.loss),
            ("rare", self.rare != usual.rare),
            ("every", self.every != usual.every),
            ("middle", self.middle != usual.middle),
            ("close", self.close != usual.close),
            ("forget", self.forget != usual.forget),
            ("schedule", self.schedule != usual.schedule),
            ("explore", self.explore != usual.explore),
        ]
        .into_iter()
        .filter_map(|(name, changed)| changed.then_some(name))
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        let most = u64::from(Self::LARGEST_STEP);
        let refuse = |option, range: String, value: String| {
            Err(AgentError::LearnerOption { option, value, range }.into())
        };
        for (option, value, lowest, highest) in [
            ("loss", u64::from(self.loss), 0, most),
            ("rare", u64::from(self.rare), 1, most),
            ("every", self.every, 1, Self::LARGEST_BATCH),
        ] {
            if !(lowest..=highest).contains(&value) {
                return refuse(option, format!("{lowest} to {highest}"), value.to_string());
            }
        }
        for (option, share) in [("middle", self.middle), ("explore", self.explore)] {
            if !(0.0..=1.0).contains(&share) {
                return refuse(option, "a share from 0 to 1".to_owned(), share.to_string());
            }
        }
        if self.explore == 0.0 {
            return refuse(
                "explore",
                "a positive share, so that every bid is tried".to_owned(),
                "0".to_owned(),
            );
        }
        Ok(())
    }
}

coded!(Reward { Win = 0, Points = 1 });

coded!(Schedule { Sweeps = 0, Games = 1 });

written_as!(
    Reward {
        Win => "win",
        Points => "points",
    },
    |value| AgentError::LearnerOption { option: "reward", value, range: "win or points".to_owned() } => AgentError
);

written_as!(
    Schedule {
        Sweeps => "sweeps",
        Games => "games",
    },
    |value| AgentError::LearnerOption { option: "schedule", value, range: "sweeps or games".to_owned() } => AgentError
);
