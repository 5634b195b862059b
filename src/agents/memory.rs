//! What a learner remembers, as plain words.

use std::iter::Copied;
use std::slice::Iter;

use super::learner::Learner;

/// Words to be read one by one.
pub(super) type Words<'w> = Copied<Iter<'w, u64>>;

/// A learner that can be put down and taken up again.
pub(super) trait Memory: Learner + Send {
    /// Appends all that has to be known to go on.
    fn remember(&self, words: &mut Vec<u64>);

    /// Takes up what was remembered by a learner of the same kind, game, options and seed; `None` if it cannot have been.
    fn recall(&mut self, words: &mut Words<'_>) -> Option<()>;
}
