//! The interface of all learners.

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
    ///
    /// # Errors
    /// As for [`Policy::from_weights`].
    fn policy(&self) -> Result<Policy, Error>;

    /// The games played so far.
    fn games(&self) -> u64;

    /// The numbers read so far from weights, regrets and payoffs, if the learner counts them: the work done, in a currency that
    /// knows no machine.
    fn entries_read(&self) -> Option<u64> {
        None
    }
}
