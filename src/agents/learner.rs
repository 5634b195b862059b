//! The interface of all learners, and of the methods of this crate's learners.

use std::iter::Copied;
use std::slice::Iter;

use super::catalogue::LearnerKind;
use super::session::Session;
use crate::error::Error;
use crate::policy::Policy;

/// A player that learns to bid by playing.
///
/// Learners of this crate are built by [`Training`](super::Training); anything else that implements
/// the two required methods is judged the same way, see [`LearningCurve`](super::LearningCurve) and
/// `examples/learned_agent.rs`.
pub trait Learner {
    /// Plays `games` more games and learns from them; a learner that works in larger batches plays
    /// the fewest batches that contain as many.
    ///
    /// # Errors
    /// [`super::AgentError::TooManyGames`] when the learner's counters would overflow.
    fn play(&mut self, games: u64) -> Result<(), Error>;

    fn policy(&self) -> Result<Policy, Error>;

    fn games(&self) -> u64;

    /// The entries of weights, regrets and payoffs read so far, if the learner counts them: a
    /// measure of work that is independent of the machine.
    fn entries_read(&self) -> Option<u64> {
        None
    }
}

/// A learner in a game of any rules, whose lessons come in sweeps: one at every state or information
/// set.
pub trait SweepLearner {
    fn kind(&self) -> LearnerKind;

    /// The proved statement about convergence, if there is one.
    fn guarantee(&self) -> &'static str;

    /// The sweeps so far.
    fn sweeps(&self) -> u64;

    /// The lessons of a sweep.
    fn lessons(&self) -> usize;

    /// A lesson at every state or information set. Takes time in proportion to the game.
    fn sweep(&mut self);
}

pub(super) type Words<'w> = Copied<Iter<'w, u64>>;

/// The memory of a learner of this crate, and how the games of a [`Session`] change it.
pub(super) trait Method: Send + Sync {
    /// The number of games after which its counters are full.
    fn most_games(&self) -> u64 {
        u64::MAX
    }

    /// As [`Learner::play`], without overflow.
    fn play(&mut self, session: &mut Session, games: u64);

    /// Writes the learned weights of a row's legal bids.
    fn weights(&self, row: usize, weights: &mut [f64]);

    fn save(&self, session: &Session, words: &mut Vec<u64>);

    /// Restores what was saved in an equal session; `None` if the words are no such memory.
    fn load(&mut self, session: &Session, words: &mut Words<'_>) -> Option<()>;
}

/// The next word, if it is a plausible count: larger ones would take a thousand years to reach, and
/// might overflow soon.
pub(super) fn count(words: &mut Words<'_>) -> Option<u64> {
    words.next().filter(|&count| count < 1 << 60)
}
