use super::counted_rng::CountedRng;
use super::geometry::GameGeometry;
use super::learner::{Learner, Snapshot, Words, count};
use super::state_table::StateTable;
use crate::error::Error;
use crate::game::{Outcome, Rules};
use crate::policy::Policy;

#[derive(Clone, Debug)]
pub(super) struct StateLearner<W> {
    pub(super) method: W,
    pub(super) table: StateTable,
    pub(super) explore: f64,
    pub(super) rng: CountedRng,
    pub(super) games: u64,
    pub(super) entries: u64,
    seed: u64,
}

pub(super) trait LearningMethod: Sized {
    /// The current strategy of a row that has a choice.
    fn strategy(learner: &mut StateLearner<Self>, row: usize, own: u32) -> &[f64];

    /// Plays at least this many games and learns from them.
    fn play(learner: &mut StateLearner<Self>, games: u64);
}

impl<W> StateLearner<W> {
    pub(super) fn new(method: W, rules: &Rules, points: u32, explore: f64, seed: u64) -> Result<Self, Error> {
        let table = StateTable::new(GameGeometry::new(rules, points)?);
        Ok(Self { method, table, explore, rng: CountedRng::resumed(seed, 0), games: 0, entries: 0, seed })
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) accounts: [u32; 2],
    pub(super) place: usize,
    pub(super) bids: [u32; 2],
}

impl<W: LearningMethod> StateLearner<W> {
    /// Plays a game against itself from full accounts, records it in `turns`, and returns the outcome.
    pub(super) fn self_play(&mut self, turns: &mut Vec<Turn>) -> Outcome {
        let (mut accounts, mut place) = ([self.table.geometry.points; 2], self.table.geometry.net());
        turns.clear();
        while accounts != [0, 0] {
            let rows = self.table.geometry.rows_at(accounts[0], accounts[1], place);
            let bids = [0, 1].map(|side| self.bid(rows[side], accounts[side]));
            turns.push(Turn { accounts, place, bids });
            accounts = [0, 1].map(|side| accounts[side] - bids[side]);
            match self.table.geometry.hit(place, bids[0], bids[1]) {
                Ok(after) => place = after,
                Err(out) => return out,
            }
        }
        self.table.geometry.lying(place)
    }

    fn bid(&mut self, row: usize, account: u32) -> u32 {
        if account == 0 {
            return 0;
        }
        if self.rng.share() < self.explore {
            return 1 + self.rng.below(account);
        }
        let ticket = self.rng.share();
        1 + place_of(ticket, W::strategy(self, row, account)) as u32
    }
}

/// The index that a uniform number from 0 to 1 selects from a distribution.
fn place_of(ticket: f64, strategy: &[f64]) -> usize {
    let mut sum = 0.0;
    for (place, share) in strategy.iter().enumerate() {
        sum += share;
        if ticket < sum {
            return place;
        }
    }
    // Rounding can leave the sum a little below 1.
    strategy.iter().rposition(|&share| share > 0.0).unwrap_or(0)
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
