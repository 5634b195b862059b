//! The matchup of two policies.

use super::best_response::{work, work_up_to};
use crate::analysis::AnalysisError;
use crate::bounds::{Bounds, Enclosure, Rounding};
use crate::game::{ByPlayer, Outcome, Player, Rules, State, StateSpace};
use crate::induction::{Grid, StageGame};
use crate::matrix_game::{DyadicStrategy, Payoffs};
use crate::policy::{BehaviourStrategy, Policy, probability};
use crate::work::{Parts, Watch, WorkError, unwatched};

/// The matchup of two policies: how their games end, how long they last, and what is left over.
///
/// Nothing is sampled. Probabilities are carried forward from the start to all states that are reached, to the accuracy of
/// double precision; the [`value`](Self::value) is found backward, in integers, with guaranteed bounds.
///
/// *Complexity.* O(states · bids² · turns) for policies that make all bids, far less for optimal ones.
///
/// ```
/// use pencil_tennis::{Matchup, Outcome, Policy, Rules};
///
/// let solution = pencil_tennis::solve(12)?;
/// let optimal = Policy::optimal(&solution);
/// let matchup = Matchup::new(&Rules::tennis(), solution.start(), &optimal, &optimal)?;
/// assert!(matchup.value().middle().abs() < 1e-15);
/// let out = matchup.probability(Outcome::OutByA) + matchup.probability(Outcome::OutByB);
/// println!("{:.1} % of the games end with a ball out of the field", 100.0 * out);
/// println!("they take {:.1} turns on average", matchup.mean_turns());
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Matchup {
    start: State,
    value: Enclosure,
    outcomes: [f64; 5],
    turns: Vec<f64>,
    left: ByPlayer<Vec<f64>>,
}

impl Matchup {
    /// Lets A bid as in `a` and B as in `b`, from `start` on.
    ///
    /// # Errors
    /// [`crate::PolicyError::LacksPlayer`]; [`crate::PolicyError::OtherGame`] for a field of another size; [`crate::GameError`]
    /// and [`crate::GameError::Outside`] for a start that one of the policies does not cover.
    pub fn new(rules: &Rules, start: State, a: &Policy, b: &Policy) -> Result<Self, AnalysisError> {
        Self::watched(rules, start, a, b, &mut unwatched)
    }

    /// The same with a callback that hears of the progress and may cancel.
    ///
    /// # Errors
    /// As for [`Self::new`], and [`WorkError::Cancelled`](crate::WorkError::Cancelled).
    pub fn watched(rules: &Rules, start: State, a: &Policy, b: &Policy, watch: &mut Watch<'_>) -> Result<Self, AnalysisError> {
        let strategies = check(rules, start, a, b)?;
        let space = StateSpace::new(rules, [start.a, start.b]);
        // Carrying probabilities forward takes as many steps for every pair of bids as there are numbers of turns: some three.
        let mut parts = Parts::new(watch, 4.0);
        let value = value(rules, space, start, strategies, &mut parts.part(1.0))?;
        parts.done(1.0)?;
        let mut matchup = Self {
            start,
            value: Enclosure::new(value, rules.scoring().scale()),
            outcomes: [0.0; 5],
            turns: Vec::new(),
            left: ByPlayer::new(|player| vec![0.0; start.points(player) as usize + 1]),
        };
        matchup.play(rules, space, strategies, &mut parts.part(3.0))?;
        Ok(matchup)
    }

    /// Carries the probabilities forward.
    fn play(
        &mut self,
        rules: &Rules,
        space: StateSpace,
        strategies: [BehaviourStrategy; 2],
        watch: &mut Watch<'_>,
    ) -> Result<(), WorkError> {
        let mut parts = Parts::new(watch, work_up_to(space, space.layers()));
        // For every state, how likely it is reached after 0, 1, 2, … turns; empty while it is not reached.
        let mut reached: Vec<Vec<f64>> = vec![Vec::new(); space.len()];
        reached[space.index(self.start)].push(1.0);
        for state in (0..=space.layers()).rev().flat_map(|total| space.layer(total)) {
            if state.ball.position() == -rules.field() {
                parts.done(work(state))?;
            }
            // All states that lead here have more points and have been played.
            let after = std::mem::take(&mut reached[space.index(state)]);
            if after.is_empty() {
                continue;
            }
            if let Some(outcome) = rules.outcome(state) {
                self.end(state, outcome, &after, 1.0, 0);
                continue;
            }
            let [of_a, of_b] = strategies.map(|strategies| strategies.weights(state));
            let of_b: Vec<(u32, f64)> = of_b.map(|(bid, weight)| (bid, probability(weight))).collect();
            for (bid_a, weight) in of_a {
                let probability_a = probability(weight);
                for &(bid_b, probability_b) in &of_b {
                    let next = rules.next(state, bid_a, bid_b);
                    let ball = next.ball;
                    let share = probability_a * probability_b;
                    if ball.position().abs() > rules.field() {
                        let outcome = if ball.position() > 0 { Outcome::OutByA } else { Outcome::OutByB };
                        self.end(next, outcome, &after, share, 1);
                    } else {
                        add(&mut reached[space.index(next)], &after, share, 1);
                    }
                }
            }
        }
        Ok(())
    }

    /// Counts games that end at a state.
    fn end(&mut self, state: State, outcome: Outcome, after: &[f64], share: f64, one_more: usize) {
        let probability = share * after.iter().sum::<f64>();
        self.outcomes[outcome.index()] += probability;
        self.left.a[state.a as usize] += probability;
        self.left.b[state.b as usize] += probability;
        add(&mut self.turns, after, share, one_more);
    }

    /// The state from which they start.
    pub const fn start(&self) -> State {
        self.start
    }

    /// Guaranteed bounds of what A wins on average.
    pub const fn value(&self) -> Enclosure {
        self.value
    }

    /// The probability that the game ends like this.
    pub fn probability(&self, outcome: Outcome) -> f64 {
        self.outcomes[outcome.index()]
    }

    /// The probability of every number of turns, from 0 to the most that are possible here.
    pub fn turns(&self) -> &[f64] {
        &self.turns
    }

    /// The number of turns on average.
    pub fn mean_turns(&self) -> f64 {
        mean(&self.turns)
    }

    /// The probability of every number of points that a player has left at the end, from 0 to all.
    pub fn points_left(&self, player: Player) -> &[f64] {
        &self.left[player]
    }

    /// The points that a player has left on average.
    pub fn mean_points_left(&self, player: Player) -> f64 {
        mean(self.points_left(player))
    }
}

/// Bounds of what A wins on average when A bids as in `a` and B as in `b` from `start` on, in units.
pub(crate) fn value_between(
    rules: &Rules,
    start: State,
    a: &Policy,
    b: &Policy,
    watch: &mut Watch<'_>,
) -> Result<Enclosure, AnalysisError> {
    let strategies = check(rules, start, a, b)?;
    let space = StateSpace::new(rules, [start.a, start.b]);
    Ok(Enclosure::new(value(rules, space, start, strategies, watch)?, rules.scoring().scale()))
}

/// Checks that both policies know the game.
pub(super) fn check<'p>(
    rules: &Rules,
    start: State,
    a: &'p Policy,
    b: &'p Policy,
) -> Result<[BehaviourStrategy<'p>; 2], AnalysisError> {
    for policy in [a, b] {
        policy.check_game(rules, policy.points())?;
        policy.check(start)?;
    }
    Ok([a.behaviour(Player::A)?, b.behaviour(Player::B)?])
}

fn value(
    rules: &Rules,
    space: StateSpace,
    start: State,
    [of_a, of_b]: [BehaviourStrategy; 2],
    watch: &mut Watch<'_>,
) -> Result<Bounds, WorkError> {
    let mut parts = Parts::new(watch, work_up_to(space, space.layers()));
    let scale = rules.scoring().scale();
    let payoff = |outcome: Outcome| scale.floor(rules.scoring().payoff(outcome));
    let mut values = Grid::new(rules.field(), space.points(), 0, Player::A.out_ends().map(payoff));
    let mut replies: Vec<i128> = Vec::new();
    for state in (0..=space.layers()).flat_map(|total| space.layer(total)) {
        if state.ball.position() == -rules.field() {
            parts.done(work(state))?;
        }
        let value = if let Some(outcome) = rules.outcome(state) {
            payoff(outcome)
        } else {
            let game = StageGame::new(&values, rules, state.seen_by(Player::A));
            replies.clear();
            replies.resize(game.columns(), 0);
            for (bid, weight) in of_b.weights(state) {
                replies[bid as usize - game.lowest_reply()] = i128::from(weight);
            }
            let mut expectation = 0;
            for (bid, weight) in of_a.weights(state) {
                let mut sum = 0;
                let mut rest = replies.as_slice();
                game.walk_row(bid as usize - game.lowest_bid(), |run| {
                    let (here, behind) = rest.split_at(run.len());
                    sum += here.iter().zip(run).map(|(&weight, &entry)| weight * i128::from(entry)).sum::<i128>();
                    rest = behind;
                });
                // Rounded to a unit, a row fits a product with a weight again.
                expectation += i128::from(weight) * Rounding::Down.shift(sum, DyadicStrategy::WHOLE_BITS as usize);
            }
            Rounding::Down.shift(expectation, DyadicStrategy::WHOLE_BITS as usize) as i64
        };
        values.set(state.seen_by(Player::A), value);
    }
    let lower = values.get(start.seen_by(Player::A));
    // Rounding takes less than two units in every turn, and one at the end.
    let rounded = 2 * i64::from(start.a.max(start.b)) + 1;
    let most = rules.scoring().payoffs().map(|payoff| scale.ceil(payoff)).into_iter().max().unwrap_or(i64::MAX);
    Ok(Bounds::new(lower, (lower + rounded).min(most)))
}

/// Adds a share of probabilities, some places further on.
fn add(sums: &mut Vec<f64>, terms: &[f64], share: f64, further: usize) {
    if sums.len() < terms.len() + further {
        sums.resize(terms.len() + further, 0.0);
    }
    for (sum, term) in sums[further..].iter_mut().zip(terms) {
        *sum += share * term;
    }
}

/// The mean of a number that is 0, 1, 2, … with these probabilities.
fn mean(probabilities: &[f64]) -> f64 {
    probabilities.iter().enumerate().map(|(number, probability)| number as f64 * probability).sum()
}
