//! Snapshots of learners, as plain words.

use std::iter::Copied;
use std::slice::Iter;

use super::learner::Learner;

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
