//! The learner of the article, which raises the weights of the bids in games that it won.

use super::learner::{Method, Words};
use super::options::{LearnerOptions, Reward};
use super::session::{Session, Turn};
use super::starts::Starts;
use super::weight_table::WeightTable;
use crate::error::{AgentError, Error};
use crate::game::{Outcome, Player};

/// Larger rewards would overflow a row of weights within a million games.
const LARGEST_REWARD: i64 = 1000;

/// Reinforcement learning: bids are drawn in proportion to weights, and the winner's bids gain
/// weight.
///
/// *Source.* A. Ring, *Tennis. Ein Bleistiftspiel mit künstlicher Intelligenz*, Wurzel 08/2012,
/// sections 2 and 4.
#[derive(Clone, Debug)]
pub(super) struct Reinforcement {
    points: u32,
    options: LearnerOptions,
    starts: Starts,
    table: WeightTable,
    /// The winner of every end, with the reward.
    wins: [Option<(Player, u32)>; 5],
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
    pub(super) fn new(session: &Session, options: LearnerOptions) -> Result<Self, Error> {
        let mut wins = [None; 5];
        for (win, outcome) in wins.iter_mut().zip(Outcome::EACH) {
            let payoff = session.rules.scoring().payoff(outcome);
            let mut reward = 1;
            if options.reward == Reward::Points {
                if !payoff.is_integer() || payoff.to_integer().abs() > LARGEST_REWARD {
                    return Err(AgentError::LearnerOption {
                        option: "reward",
                        value: format!("points, of which an end gives {payoff}"),
                        range: format!("points that are whole numbers up to {LARGEST_REWARD}"),
                    }
                    .into());
                }
                reward = payoff.to_integer().unsigned_abs() as u32;
            }
            *win = match payoff.cmp(&0.into()) {
                std::cmp::Ordering::Greater => Some((Player::A, reward)),
                std::cmp::Ordering::Equal => None,
                std::cmp::Ordering::Less => Some((Player::B, reward)),
            };
        }
        let [points, _] = session.space.points();
        let (starts, table) =
            (Starts::new(session.space, &options), WeightTable::ones(session.space));
        Ok(Self { points, options, starts, table, wins, waiting: Vec::new() })
    }

    /// An upper bound of a row's gain in one game: accounts fall, so that no row is visited twice,
    /// and the loser gains nothing.
    fn largest_gain(&self) -> u64 {
        let rewards = self.wins.iter().flatten().map(|&(_, reward)| reward);
        u64::from(rewards.max().unwrap_or(1)) * u64::from(self.options.rare)
    }

    /// The number of games between two halvings, if they keep weights bounded for ever.
    fn halved_in_time(&self) -> Option<u64> {
        let games = self.options.forget;
        (games > 0 && games.saturating_mul(4 * self.largest_gain()) < u64::from(u32::MAX))
            .then_some(games)
    }

    /// An upper bound of a row's total weight after the games played.
    fn largest_total(&self, games: u64) -> u64 {
        let points = u64::from(self.points);
        match self.halved_in_time() {
            // Halving a total t leaves at most (t + points) / 2; waiting lessons come on top of the
            // gains since.
            Some(games) => 2 * (games + self.options.every) * self.largest_gain() + 2 * points,
            None => games * self.largest_gain() + points,
        }
    }

    #[inline]
    fn learn(&mut self, session: &Session, outcome: Outcome, turns: &[Turn]) {
        let Some((winner, reward)) = self.wins[outcome.index()] else { return };
        let lost = (self.options.loss > 0).then_some((winner.opponent(), 0));
        for (player, reward) in std::iter::once((winner, reward)).chain(lost) {
            let side = player as usize;
            for turn in turns.iter().filter(|turn| turn.bids[side] > 0) {
                let lesson = Lesson { row: turn.rows[side], bid: turn.bids[side], reward };
                if self.options.every > 1 {
                    self.waiting.push(lesson);
                } else {
                    self.apply(session, lesson);
                }
            }
        }
    }

    #[inline]
    fn apply(&mut self, session: &Session, Lesson { row, bid, reward }: Lesson) {
        let row = row as usize;
        if reward > 0 {
            let bonus =
                if self.options.rare > 1 { self.rarity(session.account(row), row, bid) } else { 1 };
            self.table.raise(row, bid, reward * bonus);
        } else {
            // Every legal bid keeps a weight of 1 at least.
            let spare = self.table.weight(row, bid) - 1;
            self.table.raise(row, bid, self.options.loss.min(spare).wrapping_neg());
        }
    }

    /// An even share of the row's total over the bid's weight, rounded down and clamped to
    /// 1..=`rare`.
    fn rarity(&self, points: u32, row: usize, bid: u32) -> u32 {
        // Points times a weight can exceed 32 bits.
        let even = u64::from(self.table.total(row))
            / (u64::from(points) * u64::from(self.table.weight(row, bid)));
        even.clamp(1, u64::from(self.options.rare)) as u32
    }
}

impl Method for Reinforcement {
    fn most_games(&self) -> u64 {
        match self.halved_in_time() {
            Some(_) => u64::MAX,
            None => (u64::from(u32::MAX) - u64::from(self.points)) / self.largest_gain(),
        }
    }

    fn play(&mut self, session: &mut Session, games: u64) {
        let mut turns = Vec::new();
        for _ in 0..games {
            let start = self.starts.draw(&mut session.rng).unwrap_or(session.start());
            let outcome = session.play(start, &mut turns, |session, row, _| {
                // A draw reads the head of a row and a block, eight numbers each.
                session.entries += 16;
                self.table.draw(row, session.rng.bits())
            });
            self.learn(session, outcome, &turns);
            session.games += 1;
            if self.options.every > 1 && session.games.is_multiple_of(self.options.every) {
                let mut waiting = std::mem::take(&mut self.waiting);
                waiting.drain(..).for_each(|lesson| self.apply(session, lesson));
                self.waiting = waiting;
            }
            if self.options.forget > 0 && session.games.is_multiple_of(self.options.forget) {
                self.table.halve();
            }
        }
    }

    fn weights(&self, row: usize, weights: &mut [f64]) {
        for (weight, &learned) in weights.iter_mut().zip(self.table.weights(row)) {
            *weight = f64::from(learned);
        }
    }

    fn save(&self, session: &Session, words: &mut Vec<u64>) {
        words.push(self.waiting.len() as u64);
        words.extend(
            self.waiting
                .iter()
                .flat_map(|lesson| [lesson.row, lesson.bid, lesson.reward])
                .map(u64::from),
        );
        words.extend(self.table.legal(session.space).map(u64::from));
    }

    fn load(&mut self, session: &Session, words: &mut Words<'_>) -> Option<()> {
        for _ in 0..words.next()? {
            let [row, bid, reward] = [words.next()?, words.next()?, words.next()?];
            let known = row < session.space.len() as u64
                && (1..=u64::from(session.account(row as usize))).contains(&bid);
            if !known
                || (reward > 0
                    && !self.wins.iter().flatten().any(|&(_, one)| u64::from(one) == reward))
            {
                return None;
            }
            self.waiting.push(Lesson { row: row as u32, bid: bid as u32, reward: reward as u32 });
        }
        let weights = words.map(|word| u32::try_from(word).unwrap_or(0));
        self.table.set_legal(session.space, weights, self.largest_total(session.games))
    }
}
