//! Regret minimisation at every state over the values of its successors.

use super::catalogue::LearnerKind;
use super::evaluation::{Evaluation, payoff};
use super::learner::{Method, Words, count};
use super::local_rule::LocalRule;
use super::options::{LearnerOptions, Schedule};
use super::session::{Session, Turn};
use crate::error::Error;
use crate::game::{Player, State, nearest_double};
use crate::matrix_game::{Payoffs, dot};

/// At every state two no-regret learners play the matrix game over the successors' values.
///
/// The estimated value of a state is its mean payoff. It converges by induction from the empty
/// accounts upward: when the successors' values converge, so does the matrix, and players whose
/// average regret vanishes get the value of the limit matrix on average, and their average
/// strategies become optimal.
#[derive(Clone, Debug)]
pub(super) struct StateLearner {
    rows: Rows,
    values: Evaluation,
    /// The scheme of CFR+: B updates against A's new strategy, and the t-th strategy has weight t
    /// in the average.
    is_cfr_plus: bool,
    /// The order of lessons from the payoffs of all bids; `None` for lessons from the results of
    /// games alone.
    schedule: Option<Schedule>,
    /// The probability of a uniform bid in self-played games.
    explore: f64,
    strategies: [Vec<f64>; 2],
    payoffs: [Vec<f64>; 2],
}

/// For every row of a [`Session`]: regrets or payoffs of all bids, the average strategy, and
/// visits.
#[derive(Clone, Debug)]
struct Rows {
    rule: LocalRule,
    /// The range of payoffs.
    span: f64,
    width: usize,
    learned: Vec<f64>,
    average: Vec<f64>,
    visits: Vec<u64>,
}

impl Rows {
    /// The learned numbers of a row, one for every legal bid.
    fn learned(&mut self, row: usize, points: u32) -> &mut [f64] {
        &mut self.learned[row * self.width..][..(points as usize).max(1)]
    }

    fn strategy(&self, row: usize, points: u32, strategy: &mut Vec<f64>) {
        strategy.resize((points as usize).max(1), 0.0);
        self.rule.strategy(
            &self.learned[row * self.width..][..strategy.len()],
            self.visits[row],
            self.span,
            strategy,
        );
    }

    /// Adds a strategy to the average of a row, and a visit.
    fn add(&mut self, row: usize, strategy: &[f64], weight: f64) {
        self.visits[row] += 1;
        for (sum, share) in self.average[row * self.width..].iter_mut().zip(strategy) {
            *sum += weight * share;
        }
    }
}

impl StateLearner {
    pub(super) fn new(
        session: &Session,
        kind: LearnerKind,
        options: LearnerOptions,
    ) -> Result<Self, Error> {
        let (rule, schedule) = match kind {
            LearnerKind::OutcomeSampling => (LocalRule::RegretMatching, None),
            _ => (kind.local_rule()?, Some(options.schedule)),
        };
        let (rules, points) = (session.rules, session.space.points());
        let span = 2.0 * nearest_double(rules.scoring().magnitude());
        let width = points[0] as usize;
        let numbers = vec![0.0; width * session.space.len()];
        let rows = Rows {
            rule,
            // A game that pays nothing has no scale of its own.
            span: if span > 0.0 { span } else { 1.0 },
            width,
            learned: numbers.clone(),
            average: numbers,
            visits: vec![0; session.space.len()],
        };
        let values = Evaluation::nothing(&rules, points)?;
        Ok(Self {
            rows,
            values,
            is_cfr_plus: kind == LearnerKind::CfrPlus,
            schedule,
            explore: options.explore,
            strategies: Default::default(),
            payoffs: Default::default(),
        })
    }

    /// Learns from the payoffs of all bids.
    fn learn(&mut self, session: &mut Session, state: State) {
        let Self {
            rows,
            values,
            is_cfr_plus,
            strategies: [strategy_a, strategy_b],
            payoffs: [payoffs_a, payoffs_b],
            ..
        } = self;
        let (rule, is_cfr_plus) = (rows.rule, *is_cfr_plus);
        let [row, mirror] = session.rows(state);
        rows.strategy(row, state.a, strategy_a);
        rows.strategy(mirror, state.b, strategy_b);
        let stage = values.stage(state);
        session.entries += row_payoffs(&stage, rule, strategy_b, payoffs_a);
        if !is_cfr_plus {
            session.entries += column_payoffs(&stage, strategy_a, payoffs_b);
        }
        let mut value = dot(strategy_a, payoffs_a);
        rule.learn(rows.learned(row, state.a), payoffs_a, value);
        if is_cfr_plus {
            rows.strategy(row, state.a, strategy_a);
            session.entries += column_payoffs(&stage, strategy_a, payoffs_b);
            value = dot(strategy_a, payoffs_a);
        }
        let visits = rows.visits[row] + 1;
        // A term's weight in the average, and the newest one's share of a mean with these weights.
        let (weight, share) = if is_cfr_plus {
            (visits as f64, 2.0 / (visits + 1) as f64)
        } else {
            (1.0, 1.0 / visits as f64)
        };
        if row != mirror {
            rule.learn(rows.learned(mirror, state.b), payoffs_b, -value);
            if is_cfr_plus {
                rows.strategy(mirror, state.b, strategy_b);
            }
            rows.add(mirror, strategy_b, weight);
        }
        rows.add(row, strategy_a, weight);
        self.move_value(state, value, share);
    }

    /// Learns from the payoff of a turn: importance sampling estimates that of a bid as the payoff
    /// received, divided by the bid's probability.
    fn learn_result(
        &mut self,
        session: &mut Session,
        Turn { state, rows: [row_a, row_b], bids }: Turn,
        turn_payoff: f64,
    ) {
        let Self { rows, strategies: [strategy, _], explore, .. } = self;
        let mean = self.values.known(state);
        let visits = rows.visits[row_a as usize] + 1;
        for (side, gain) in [turn_payoff - mean, mean - turn_payoff].into_iter().enumerate() {
            let (points, row) = [(state.a, row_a as usize), (state.b, row_b as usize)][side];
            // A state that is its own mirror image has one row for both players.
            if side == 1 && row_a == row_b {
                continue;
            }
            // A player without a choice has no regret, but counts as a visit: the step of the value
            // below counts visits from either side.
            if points == 0 {
                rows.add(row, &[1.0], 1.0);
                continue;
            }
            rows.strategy(row, points, strategy);
            session.entries += u64::from(points);
            let bid = bids[side] as usize - 1;
            let share = strategy[bid];
            let probability = *explore / f64::from(points) + (1.0 - *explore) * share;
            let learned = rows.learned(row, points);
            // The estimate is 0 for all other bids; the strategy's share of it is the estimated
            // mean payoff.
            let estimate = gain / probability;
            for regret in learned.iter_mut() {
                *regret -= share * estimate;
            }
            learned[bid] += estimate;
            rows.add(row, strategy, 1.0);
        }
        self.move_value(state, turn_payoff, 1.0 / visits as f64);
    }

    /// Moves the value of a state, and of its mirror image, a share of the way to the payoff.
    fn move_value(&mut self, state: State, turn_payoff: f64, share: f64) {
        let value = self.values.known(state);
        // A state that is its own mirror image has value 0.
        let value =
            if state == state.mirrored() { 0.0 } else { value + share * (turn_payoff - value) };
        self.values.values.set(state.seen_by(Player::A), value);
        self.values.values.set(state.seen_by(Player::B), -value);
    }

    /// Draws a bid for a self-played game.
    fn bid(&mut self, session: &mut Session, row: usize, points: u32) -> u32 {
        if session.rng.share() < self.explore {
            return 1 + session.rng.below(points);
        }
        let ticket = session.rng.share();
        let [strategy, _] = &mut self.strategies;
        self.rows.strategy(row, points, strategy);
        if self.schedule.is_none() {
            session.entries += u64::from(points);
        }
        1 + sampled_index(ticket, strategy) as u32
    }
}

/// The index that a uniform number from 0 to 1 selects from a distribution.
fn sampled_index(ticket: f64, strategy: &[f64]) -> usize {
    let mut sum = 0.0;
    for (index, share) in strategy.iter().enumerate() {
        sum += share;
        if ticket < sum {
            return index;
        }
    }
    // Rounding can leave the sum a little below 1.
    strategy.iter().rposition(|&share| share > 0.0).unwrap_or(0)
}

/// Computes the payoff of every row against a mixed column strategy; returns the number of entries
/// read.
pub(super) fn row_payoffs(
    stage: &impl Payoffs,
    rule: LocalRule,
    columns: &[f64],
    payoffs: &mut Vec<f64>,
) -> u64 {
    payoffs.clear();
    // Before the first update a pure rule has no certain bid.
    if rule.is_pure()
        && let Some(column) = columns.iter().position(|&share| share == 1.0)
    {
        payoffs.extend((0..stage.rows()).map(|row| stage.entry(row, column)));
        return stage.rows() as u64;
    }
    for row in 0..stage.rows() {
        let mut sum = 0.0;
        let mut rest = columns;
        stage.walk_row(row, |run| {
            let (here, behind) = rest.split_at(run.len());
            sum += dot(here, run);
            rest = behind;
        });
        payoffs.push(sum);
    }
    (stage.rows() * stage.columns()) as u64
}

/// Computes the columns' payoffs, the negative of the rows', against a mixed row strategy; returns
/// the number of entries read.
pub(super) fn column_payoffs(stage: &impl Payoffs, rows: &[f64], payoffs: &mut Vec<f64>) -> u64 {
    payoffs.clear();
    payoffs.resize(stage.columns(), 0.0);
    let mut read = 0;
    for (row, &share) in rows.iter().enumerate() {
        if share == 0.0 {
            continue;
        }
        read += stage.columns() as u64;
        let mut index = 0;
        stage.walk_row(row, |run| {
            for (payoff, entry) in payoffs[index..].iter_mut().zip(run) {
                *payoff -= share * entry;
            }
            index += run.len();
        });
    }
    read
}

impl Method for StateLearner {
    fn play(&mut self, session: &mut Session, games: u64) {
        let target = session.games.saturating_add(games);
        let mut turns = Vec::new();
        while session.games < target {
            if self.schedule == Some(Schedule::Sweeps) {
                self.values.worked_out().for_each(|state| self.learn(session, state));
                session.games += session.space.len() as u64;
                continue;
            }
            let end = session.play(session.start(), &mut turns, |session, row, points| {
                self.bid(session, row, points)
            });
            // The payoff of a turn is the estimated value of the successor.
            let mut turn_payoff = payoff(&session.rules, end);
            while let Some(turn) = turns.pop() {
                if self.schedule.is_some() {
                    self.learn(session, turn.state);
                } else {
                    self.learn_result(session, turn, turn_payoff);
                    turn_payoff = self.values.known(turn.state);
                }
            }
            session.games += 1;
        }
    }

    fn weights(&self, row: usize, weights: &mut [f64]) {
        weights.copy_from_slice(&self.rows.average[row * self.rows.width..][..weights.len()]);
        if weights.iter().all(|&weight| weight == 0.0) {
            weights.fill(1.0);
        }
    }

    fn save(&self, session: &Session, words: &mut Vec<u64>) {
        words.extend(&self.rows.visits);
        let values = session.space.states().map(|state| self.values.known(state));
        words.extend(
            self.rows
                .learned
                .iter()
                .chain(&self.rows.average)
                .copied()
                .chain(values)
                .map(f64::to_bits),
        );
    }

    fn load(&mut self, session: &Session, words: &mut Words<'_>) -> Option<()> {
        for visits in &mut self.rows.visits {
            *visits = count(words)?;
        }
        let mut finite = || words.next().map(f64::from_bits).filter(|number| number.is_finite());
        for number in &mut self.rows.learned {
            *number = finite()?;
        }
        for number in &mut self.rows.average {
            *number = finite().filter(|&number| number >= 0.0)?;
        }
        for state in session.space.states() {
            self.values.values.set(state.seen_by(Player::A), finite()?);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;

    /// Both players' rows with an empty account share one state, whose value is the mean over both.
    #[test]
    fn values_are_means_over_both_orientations() {
        let mut session = Session::new(&Rules::tennis(), 3, 1).expect("a small game");
        let kind = LearnerKind::OutcomeSampling;
        let options = LearnerOptions { explore: 0.5, ..LearnerOptions::default() };
        let mut learner = StateLearner::new(&session, kind, options).expect("a small game");
        let state: State = "2:0@1".parse().expect("a state");
        // The payoff of a turn to A, who has two points or none.
        let results =
            [(true, 1.0), (false, -2.0), (true, -1.0), (false, 0.5), (false, -1.0), (true, 2.0)];
        for (with_points, payoff) in results {
            let (state, bids) =
                if with_points { (state, [1, 0]) } else { (state.mirrored(), [0, 1]) };
            let turn = Turn { state, rows: session.rows(state).map(|row| row as u32), bids };
            learner.learn_result(&mut session, turn, payoff);
        }
        let mean = results
            .iter()
            .map(|&(with_points, payoff)| if with_points { payoff } else { -payoff })
            .sum::<f64>()
            / results.len() as f64;
        assert!((learner.values.known(state) - mean).abs() < 1e-15);
        assert!((learner.values.known(state.mirrored()) + mean).abs() < 1e-15);
    }
}
