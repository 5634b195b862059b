//! What learners who keep a table of states have in common.

use super::chance::Chance;
use super::court::Court;
use super::learner::Learner;
use super::memory::{Memory, Words, count};
use super::state_table::StateTable;
use crate::error::Error;
use crate::game::Rules;
use crate::policy::Policy;

/// A learner who plays against itself, keeps numbers for every state, and has a way to learn.
#[derive(Clone, Debug)]
pub(super) struct StateLearner<W> {
    pub(super) way: W,
    pub(super) table: StateTable,
    /// The share of bids drawn evenly from all legal ones.
    pub(super) explore: f64,
    pub(super) chance: Chance,
    pub(super) games: u64,
    pub(super) entries: u64,
    seed: u64,
}

/// How a learner comes by its numbers.
pub(super) trait Way: Sized {
    /// Plays at least so many games, and learns from them.
    fn play(learner: &mut StateLearner<Self>, games: u64);
}

impl<W> StateLearner<W> {
    pub(super) fn new(way: W, rules: &Rules, points: u32, explore: f64, seed: u64) -> Result<Self, Error> {
        let table = StateTable::new(Court::new(rules, points)?);
        Ok(Self { way, table, explore, chance: Chance::resumed(seed, 0), games: 0, entries: 0, seed })
    }
}

impl<W: Way> Learner for StateLearner<W> {
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

impl<W: Way + Send> Memory for StateLearner<W> {
    fn remember(&self, words: &mut Vec<u64>) {
        words.extend([self.games, self.entries, self.chance.given()]);
        self.table.remember(words);
    }

    fn recall(&mut self, words: &mut Words<'_>) -> Option<()> {
        self.games = count(words)?;
        self.entries = count(words)?;
        self.chance = Chance::resumed(self.seed, count(words)?);
        self.table.recall(words)
    }
}
