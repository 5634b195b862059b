use super::counted_rng::CountedRng;
use super::geometry::GameGeometry;
use super::learner::{Learner, Snapshot, Words, count};
use super::options::{LearnerOptions, Reward};
use super::starts::Starts;
use super::weight_table::WeightTable;
use crate::error::{AgentError, Error};
use crate::game::{ByPlayer, Outcome, Player, Rules};
use crate::policy::Policy;

/// Larger rewards would overflow a row of weights within a million games.
const LARGEST_REWARD: i64 = 1000;

/// Reinforcement learning: bids are drawn in proportion to weights, and the winner's bids gain weight.
///
/// *Source.* A. Ring, *Tennis. Ein Bleistiftspiel mit künstlicher Intelligenz*, Wurzel 08/2012, sections 2 and 4.
#[derive(Clone, Debug)]
pub(super) struct Reinforcement {
    geometry: GameGeometry,
    options: LearnerOptions,
    seed: u64,
    rng: CountedRng,
    starts: Starts,
    table: WeightTable,
    rewards: [u32; 5],
    winners: [Option<Player>; 5],
    games: u64,
    entries: u64,
    waiting: Vec<Lesson>,
}

#[derive(Clone, Copy, Debug)]
struct Lesson {
    row: u32,
    bid: u32,
    /// The winner's reward; 0 for a bid of the loser.
    reward: u32,
}

impl Reinforcement {
    pub(super) fn new(rules: &Rules, points: u32, options: LearnerOptions, seed: u64) -> Result<Self, Error> {
        let geometry = GameGeometry::new(rules, points)?;
        let mut rewards = [1; 5];
        let payoffs = Outcome::EACH.map(|outcome| rules.scoring().payoff(outcome));
        if options.reward == Reward::Points {
            for (reward, payoff) in rewards.iter_mut().zip(payoffs) {
                if !payoff.is_integer() || payoff.to_integer().abs() > LARGEST_REWARD {
                    return Err(AgentError::LearnerOption {
                        option: "reward",
                        value: format!("points, of which an end gives {payoff}"),
                        range: format!("points that are whole numbers up to {LARGEST_REWARD}"),
                    }
                    .into());
                }
                *reward = payoff.to_integer().unsigned_abs() as u32;
            }
        }
        let winners = payoffs.map(|payoff| match payoff.cmp(&0.into()) {
            std::cmp::Ordering::Greater => Some(Player::A),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Less => Some(Player::B),
        });
        Ok(Self {
            options,
            seed,
            rng: CountedRng::resumed(seed, 0),
            starts: Starts::new(&geometry, &options),
            table: WeightTable::ones(&geometry),
            rewards,
            winners,
            games: 0,
            entries: 0,
            waiting: Vec::new(),
            geometry,
        })
    }

    /// An upper bound of a row's gain in one game: accounts fall, so that no row is visited twice, and the loser gains nothing.
    fn largest_gain(&self) -> u64 {
        u64::from(self.rewards.into_iter().max().unwrap_or(1)) * u64::from(self.options.rare)
    }

    /// The number of games between two halvings, if they keep weights bounded for ever.
    fn halved_in_time(&self) -> Option<u64> {
        let games = self.options.forget;
        (games > 0 && games.saturating_mul(4 * self.largest_gain()) < u64::from(u32::MAX)).then_some(games)
    }

    /// An upper bound of a row's total weight after the games played.
    fn largest_total(&self) -> u64 {
        let points = u64::from(self.geometry.points);
        match self.halved_in_time() {
            // Halving a total t leaves at most (t + points) / 2; waiting lessons come on top of the gains since.
            Some(games) => 2 * (games + self.options.every) * self.largest_gain() + 2 * points,
            None => self.games * self.largest_gain() + points,
        }
    }

    /// Plays a game, records rows and bids in `turns`, and returns the outcome.
    #[inline]
    fn game(&mut self, turns: &mut ByPlayer<Vec<(u32, u32)>>) -> Outcome {
        let (mut a, mut b, mut place) = self.starts.draw(&mut self.rng);
        turns.a.clear();
        turns.b.clear();
        while a | b != 0 {
            let [row_a, row_b] = self.geometry.rows_at(a, b, place);
            let bid_a = self.bid(row_a, a, &mut turns.a);
            let bid_b = self.bid(row_b, b, &mut turns.b);
            a -= bid_a;
            b -= bid_b;
            match self.geometry.hit(place, bid_a, bid_b) {
                Ok(after) => place = after,
                Err(out) => return out,
            }
        }
        self.geometry.lying(place)
    }

    #[inline]
    fn bid(&mut self, row: usize, account: u32, turns: &mut Vec<(u32, u32)>) -> u32 {
        if account == 0 {
            return 0;
        }
        let bid = self.table.draw(row, self.rng.bits());
        turns.push((row as u32, bid));
        bid
    }

    #[inline]
    fn learn(&mut self, outcome: Outcome, turns: &ByPlayer<Vec<(u32, u32)>>) {
        let Some(winner) = self.winners[outcome.index()] else { return };
        let reward = self.rewards[outcome.index()];
        let lost = (self.options.loss > 0).then_some((winner.opponent(), 0));
        for (player, reward) in std::iter::once((winner, reward)).chain(lost) {
            for &(row, bid) in &turns[player] {
                let lesson = Lesson { row, bid, reward };
                if self.options.every > 1 {
                    self.waiting.push(lesson);
                } else {
                    self.apply(lesson);
                }
            }
        }
    }

    #[inline]
    fn apply(&mut self, Lesson { row, bid, reward }: Lesson) {
        let row = row as usize;
        if reward > 0 {
            let bonus = if self.options.rare > 1 { self.rarity(row, bid) } else { 1 };
            self.table.raise(row, bid, reward * bonus);
        } else {
            // Every legal bid keeps a weight of 1 at least.
            let spare = self.table.weight(row, bid) - 1;
            self.table.lower(row, bid, self.options.loss.min(spare));
        }
    }

    /// An even share of the row's total over the bid's weight, rounded down and clamped to 1..=`rare`.
    fn rarity(&self, row: usize, bid: u32) -> u32 {
        let own = (row / self.geometry.row(1, 0, 0)) as u64;
        // Points times a weight can exceed 32 bits.
        let even = u64::from(self.table.total(row)) / (own * u64::from(self.table.weight(row, bid)));
        even.clamp(1, u64::from(self.options.rare)) as u32
    }

    fn apply_waiting(&mut self) {
        let mut waiting = std::mem::take(&mut self.waiting);
        for lesson in waiting.drain(..) {
            self.apply(lesson);
        }
        self.waiting = waiting;
    }
}

impl Learner for Reinforcement {
    fn play(&mut self, games: u64) -> Result<(), Error> {
        let most = self.most_games();
        if self.games.saturating_add(games) > most {
            return Err(AgentError::TooManyGames { games: self.games.saturating_add(games), most }.into());
        }
        let mut turns = ByPlayer::default();
        for _ in 0..games {
            let outcome = self.game(&mut turns);
            // A draw reads the head of a row and a block, eight numbers each.
            self.entries += 16 * (turns.a.len() + turns.b.len()) as u64;
            self.learn(outcome, &turns);
            self.games += 1;
            if self.options.every > 1 && self.games.is_multiple_of(self.options.every) {
                self.apply_waiting();
            }
            if self.options.forget > 0 && self.games.is_multiple_of(self.options.forget) {
                self.table.halve();
            }
        }
        Ok(())
    }

    fn policy(&self) -> Result<Policy, Error> {
        let geometry = &self.geometry;
        Policy::from_weights(&geometry.rules, [geometry.points; 2], &Player::BOTH, |state, player, weights| {
            let own = state.points(player);
            for (weight, &learned) in weights.iter_mut().zip(self.table.weights(geometry.row_of(state, player), own)) {
                *weight = f64::from(learned);
            }
        })
    }

    fn games(&self) -> u64 {
        self.games
    }

    fn entries_read(&self) -> Option<u64> {
        Some(self.entries)
    }
}

impl Snapshot for Reinforcement {
    fn most_games(&self) -> u64 {
        match self.halved_in_time() {
            Some(_) => u64::MAX,
            None => (u64::from(u32::MAX) - u64::from(self.geometry.points)) / self.largest_gain(),
        }
    }

    fn save(&self, words: &mut Vec<u64>) {
        words.extend([self.games, self.entries, self.rng.given(), self.waiting.len() as u64]);
        for &Lesson { row, bid, reward } in &self.waiting {
            words.extend([u64::from(row), u64::from(bid), u64::from(reward)]);
        }
        words.extend(self.table.legal(&self.geometry).map(u64::from));
    }

    fn load(&mut self, words: &mut Words<'_>) -> Option<()> {
        let most = self.most_games();
        self.games = count(words).filter(|&games| games <= most)?;
        self.entries = count(words)?;
        self.rng = CountedRng::resumed(self.seed, count(words)?);
        self.waiting.clear();
        for _ in 0..words.next()? {
            let [row, bid, reward] = [words.next()?, words.next()?, words.next()?];
            let own = row / self.geometry.row(1, 0, 0) as u64;
            let known = row < self.geometry.rows() as u64 && (1..=own).contains(&bid);
            if !known || (reward > 0 && !self.rewards.iter().any(|&one| u64::from(one) == reward)) {
                return None;
            }
            self.waiting.push(Lesson { row: row as u32, bid: bid as u32, reward: reward as u32 });
        }
        let weights = words.map(|word| u32::try_from(word).unwrap_or(0));
        self.table.set_legal(&self.geometry, weights, self.largest_total())
    }
}
