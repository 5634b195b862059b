use super::counted_rng::CountedRng;
use super::geometry::GameGeometry;
use super::learner::{Learner, Snapshot, Words, count};
use super::no_regret::LocalRule;
use crate::error::Error;
use crate::game::{Outcome, Player, Rules, View, nearest_double};
use crate::induction::{Grid, StageGame};
use crate::policy::Policy;

pub(super) fn payoff(rules: &Rules, outcome: Outcome) -> f64 {
    nearest_double(rules.scoring().payoff(outcome))
}

/// For every row of a [`GameGeometry`]: regrets or payoffs of all bids, the average strategy, visits, and the estimated value.
#[derive(Clone, Debug)]
pub(super) struct StateTable {
    pub(super) geometry: GameGeometry,
    span: f64,
    width: usize,
    learned: Vec<f64>,
    average: Vec<f64>,
    visits: Vec<u64>,
    /// The mean payoff of games through a state, to the player whose row it is.
    values: Grid<f64>,
}

impl StateTable {
    pub(super) fn new(geometry: GameGeometry) -> Self {
        let rules = geometry.rules;
        let [best, worst] = Player::A.out_ends().map(|outcome| payoff(&rules, outcome));
        let mut values = Grid::new(rules.field(), [geometry.points; 2], 0.0, [best, worst]);
        for place in 0..geometry.places() {
            values.set(geometry.view(0, 0, place), payoff(&rules, geometry.lying(place)));
        }
        let payoffs = Outcome::EACH.map(|outcome| payoff(&rules, outcome));
        let span = 2.0 * payoffs.into_iter().fold(0.0, f64::max);
        let width = geometry.points as usize;
        let numbers = width * geometry.rows();
        Self {
            // A game that pays nothing has no scale of its own.
            span: if span > 0.0 { span } else { 1.0 },
            width,
            learned: vec![0.0; numbers],
            average: vec![0.0; numbers],
            visits: vec![0; geometry.rows()],
            values,
            geometry,
        }
    }

    /// The learned numbers of a row, one for every legal bid.
    pub(super) fn learned(&mut self, row: usize, own: u32) -> &mut [f64] {
        &mut self.learned[row * self.width..][..(own as usize).max(1)]
    }

    pub(super) fn strategy(&mut self, rule: LocalRule, row: usize, own: u32, strategy: &mut Vec<f64>) {
        let (visits, span) = (self.visits(row), self.span);
        strategy.resize((own as usize).max(1), 0.0);
        rule.strategy(self.learned(row, own), visits, span, strategy);
    }

    pub(super) fn visits(&self, row: usize) -> u64 {
        self.visits[row]
    }

    /// Adds a strategy to the average of a row, and a visit.
    pub(super) fn add(&mut self, row: usize, strategy: &[f64], weight: f64) {
        self.visits[row] += 1;
        for (sum, share) in self.average[row * self.width..].iter_mut().zip(strategy) {
            *sum += weight * share;
        }
    }

    /// The estimated value to the player with account `own`, the ball counted toward the opponent's end.
    pub(super) fn value(&self, own: u32, other: u32, place: usize) -> f64 {
        self.values.get(self.geometry.view(own, other, place))
    }

    /// Moves the value of a state, and of its mirror image, a share of the way to the payoff.
    pub(super) fn move_value(&mut self, own: u32, other: u32, place: usize, won: f64, share: f64) {
        let view = self.geometry.view(own, other, place);
        let value = self.values.get(view);
        // A state that is its own mirror image has value 0.
        let value = if own == other && view.position == 0 { 0.0 } else { value + share * (won - value) };
        self.values.set(view, value);
        self.values.set(View { own: other, opponent: own, position: -view.position }, -value);
    }

    pub(super) fn stage(&self, own: u32, other: u32, place: usize) -> StageGame<'_> {
        StageGame::new(&self.values, &self.geometry.rules, self.geometry.view(own, other, place))
    }

    pub(super) fn policy(&self) -> Result<Policy, Error> {
        let geometry = &self.geometry;
        Policy::from_weights(&geometry.rules, [geometry.points; 2], &Player::BOTH, |state, player, weights| {
            weights.copy_from_slice(&self.average[geometry.row_of(state, player) * self.width..][..weights.len()]);
            if weights.iter().all(|&weight| weight == 0.0) {
                weights.fill(1.0);
            }
        })
    }

    pub(super) fn save(&self, words: &mut Vec<u64>) {
        words.extend(&self.visits);
        let values = self.states().map(|(own, other, place)| self.value(own, other, place));
        words.extend(self.learned.iter().chain(&self.average).copied().chain(values).map(f64::to_bits));
    }

    /// Restores a saved table; `None` for too few words or numbers out of range.
    pub(super) fn load(&mut self, words: &mut Words<'_>) -> Option<()> {
        for visits in &mut self.visits {
            *visits = count(words)?;
        }
        let mut finite = || words.next().map(f64::from_bits).filter(|number| number.is_finite());
        for number in &mut self.learned {
            *number = finite()?;
        }
        for number in &mut self.average {
            *number = finite().filter(|&number| number >= 0.0)?;
        }
        for (own, other, place) in self.states().collect::<Vec<_>>() {
            let view = self.geometry.view(own, other, place);
            self.values.set(view, finite()?);
        }
        Some(())
    }

    fn states(&self) -> impl Iterator<Item = (u32, u32, usize)> + use<> {
        let (points, places) = (self.geometry.points, self.geometry.places());
        (0..=points).flat_map(move |own| (0..=points).flat_map(move |other| (0..places).map(move |place| (own, other, place))))
    }
}

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
