//! The frame of all learners that keep a table of states.

use super::counted_rng::CountedRng;
use super::geometry::GameGeometry;
use super::learner::Learner;
use super::snapshot::{Snapshot, Words, count};
use super::state_table::StateTable;
use crate::error::Error;
use crate::game::Rules;
use crate::policy::Policy;

/// A learner that plays against itself, keeps numbers for every state, and learns by some method.
#[derive(Clone, Debug)]
pub(super) struct StateLearner<W> {
    pub(super) method: W,
    pub(super) table: StateTable,
    /// The share of bids drawn evenly from all legal ones.
    pub(super) explore: f64,
    pub(super) rng: CountedRng,
    pub(super) games: u64,
    pub(super) entries: u64,
    seed: u64,
}

/// The method by which a learner updates its numbers.
pub(super) trait LearningMethod: Sized {
    /// Plays at least this many games, and learns from them.
    fn play(learner: &mut StateLearner<Self>, games: u64);
}

impl<W> StateLearner<W> {
    pub(super) fn new(method: W, rules: &Rules, points: u32, explore: f64, seed: u64) -> Result<Self, Error> {
        let table = StateTable::new(GameGeometry::new(rules, points)?);
        Ok(Self { method, table, explore, rng: CountedRng::resumed(seed, 0), games: 0, entries: 0, seed })
    }
}

impl<W: LearningMethod> Learner for StateLearner<W> {
    fn play(&mut self, games: u64) -> Result<(), Error> {
        W::play(self, games);
        Ok(())
    }

    fn policy(&self) -> Result<Policy, Error> {
        self.table.policy()
    }

    fn games(&self) -> u64 {
        self.games
    }

    fn entries_read(&self) -> Option<u64> {
        Some(self.entries)
    }
}

impl<W: LearningMethod + Send + Sync> Snapshot for StateLearner<W> {
    fn save(&self, words: &mut Vec<u64>) {
        words.extend([self.games, self.entries, self.rng.given()]);
        self.table.save(words);
    }

    fn load(&mut self, words: &mut Words<'_>) -> Option<()> {
        self.games = count(words)?;
        self.entries = count(words)?;
        self.rng = CountedRng::resumed(self.seed, count(words)?);
        self.table.load(words)
    }
}
