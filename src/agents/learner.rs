//! The interface of all learners, and what learners of this crate remember, as plain words.

use std::iter::Copied;
use std::slice::Iter;

use crate::error::Error;
use crate::policy::Policy;

/// A learner: it learns to bid by playing.
///
/// Learners of this crate are built by [`Training`](super::Training); anything else that implements the two required methods is
/// judged the same way, see [`LearningCurve`](super::LearningCurve) and `examples/learned_agent.rs`.
pub trait Learner {
    /// Plays `games` more games and learns from them; a learner that works in larger pieces plays the fewest pieces that hold as
    /// many.
    ///
    /// # Errors
    /// [`super::AgentError::TooManyGames`] when the learner's numbers could not hold what that many games teach.
    fn play(&mut self, games: u64) -> Result<(), Error>;

    /// The learner's present policy.
    fn policy(&self) -> Result<Policy, Error>;

    /// The games played so far.
    fn games(&self) -> u64;

    /// The numbers read so far from weights, regrets and payoffs, if the learner counts them: the work done, in a currency that
    /// knows no machine.
    fn entries_read(&self) -> Option<u64> {
        None
    }
}

pub(super) type Words<'w> = Copied<Iter<'w, u64>>;

pub(super) trait Snapshot: Learner + Send + Sync {
    /// The games after which its numbers are full.
    fn most_games(&self) -> u64 {
        u64::MAX
    }

    fn save(&self, words: &mut Vec<u64>);

    /// Continues from what was saved by a learner of the same kind, game, options and seed; `None` if it cannot have been.
    fn load(&mut self, words: &mut Words<'_>) -> Option<()>;
}

/// The next word, if it can be a count: what is larger would not be reached in a thousand years, and might overflow soon.
pub(super) fn count(words: &mut Words<'_>) -> Option<u64> {
    words.next().filter(|&count| count < 1 << 60)
}
