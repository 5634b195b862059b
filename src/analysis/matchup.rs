//! Exact outcomes of games between two policies.

use dashu_int::IBig;

use super::layers::{best_end, rounded_down, sweep, work, work_up_to};
use crate::bounds::{Enclosure, Rounding, product};
use crate::error::Error;
use crate::game::{ByPlayer, Outcome, Player, Rules, State, StateSpace};
use crate::induction::{Grid, StageGame};
use crate::matrix_game::{DyadicStrategy, Payoffs};
use crate::policy::{BehaviourStrategy, Policy, Standstill, probability};
use crate::work::{Parts, Threads, Watch, WorkError};

/// The exact distributions of outcomes and lengths of games between two policies, without sampling.
///
/// Probabilities are propagated forward in double precision; the [`value`](Self::value) is computed
/// backward, in integers, with guaranteed bounds. Turns in which both bid 0 are [counted
/// apart](Self::mean_standstills); a game in which both do so for ever is [endless](Self::endless)
/// and counts as ended where the ball lies.
///
/// *Complexity.* O(states · bids² · turns) for policies that make all bids, far less for optimal
/// ones.
///
/// ```
/// use pencil_tennis::analysis::Matchup;
/// use pencil_tennis::{Outcome, Policy, Rules, unwatched};
///
/// let solution = pencil_tennis::solve(12)?;
/// let optimal = Policy::optimal(&solution, &mut unwatched)?;
/// let matchup = Matchup::new(&Rules::tennis(), solution.start(), &optimal, &optimal, &mut unwatched)?;
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
    standstills: f64,
    endless: f64,
}

impl Matchup {
    /// Matches A's policy `a` with B's policy `b`, from `start`.
    ///
    /// # Errors
    /// [`crate::PolicyError::OtherGame`] for a policy with another field; [`crate::GameError`] for
    /// a start that a policy does not cover.
    pub fn new(
        rules: &Rules,
        start: State,
        a: &Policy,
        b: &Policy,
        watch: &mut Watch<'_>,
    ) -> Result<Self, Error> {
        let strategies = check(rules, start, a, b)?;
        let space = StateSpace::new(rules, [start.a, start.b]);
        // The forward pass takes one step for each pair of bids and number of turns reached, some
        // three.
        let mut parts = Parts::new(watch, 4.0);
        let value = value_between(rules, start, [a, b], &Threads::alone(), &mut parts.part(1.0))?;
        parts.done(1.0)?;
        let mut matchup = Self {
            start,
            value,
            outcomes: [0.0; 5],
            turns: Vec::new(),
            left: ByPlayer::new(|player| vec![0.0; start.points(player) as usize + 1]),
            standstills: 0.0,
            endless: 0.0,
        };
        matchup.play(rules, space, strategies, &mut parts.part(3.0))?;
        Ok(matchup)
    }

    fn play(
        &mut self,
        rules: &Rules,
        space: StateSpace,
        strategies: [&BehaviourStrategy; 2],
        watch: &mut Watch<'_>,
    ) -> Result<(), WorkError> {
        let mut parts = Parts::new(watch, work_up_to(space, space.layers()));
        // For every state, the probability of reaching it after 0, 1, 2, … turns; empty for
        // unreached states.
        let mut reached: Vec<Vec<f64>> = vec![Vec::new(); space.len()];
        reached[space.index(self.start)].push(1.0);
        for state in (0..=space.layers()).rev().flat_map(|total| space.layer(total)) {
            if state.ball.position() == -rules.field() {
                parts.done(work(state))?;
            }
            // All predecessors have more points and are done.
            let after = std::mem::take(&mut reached[space.index(state)]);
            if after.is_empty() {
                continue;
            }
            if let Some(outcome) = rules.outcome(state) {
                self.end(state, outcome, &after, 1.0, 0);
                continue;
            }
            let standstill = Standstill::of(strategies, state);
            let leaves = standstill.leaves();
            if leaves == 0.0 {
                self.endless += after.iter().sum::<f64>();
                self.end(state, rules.end_at(state.ball.position()), &after, 1.0, 0);
                continue;
            }
            self.standstills += after.iter().sum::<f64>() * standstill.stays() / leaves;
            let [of_a, of_b] = strategies.map(|strategies| strategies.weights(state));
            let of_b: Vec<(u32, f64)> =
                of_b.map(|(bid, weight)| (bid, probability(weight))).collect();
            let others = of_b.partition_point(|&(bid, _)| bid == 0);
            for (bid_a, weight) in of_a {
                let probability_a = probability(weight) / leaves;
                // Both bid 0 until one of them bids something else.
                let first = if bid_a == 0 { others } else { 0 };
                for &(bid_b, probability_b) in &of_b[first..] {
                    let next = rules.next(state, bid_a, bid_b);
                    let share = probability_a * probability_b;
                    let ball = next.ball.position();
                    if rules.is_inside(ball) {
                        add(&mut reached[space.index(next)], &after, share, 1);
                    } else {
                        self.end(next, rules.end_at(ball), &after, share, 1);
                    }
                }
            }
        }
        Ok(())
    }

    fn end(&mut self, state: State, outcome: Outcome, after: &[f64], share: f64, one_more: usize) {
        let probability = share * after.iter().sum::<f64>();
        self.outcomes[outcome.index()] += probability;
        self.left.a[state.a as usize] += probability;
        self.left.b[state.b as usize] += probability;
        add(&mut self.turns, after, share, one_more);
    }

    pub const fn start(&self) -> State {
        self.start
    }

    pub const fn value(&self) -> Enclosure {
        self.value
    }

    /// The probability of an outcome; an [endless](Self::endless) game counts as ended where the
    /// ball lies.
    pub fn probability(&self, outcome: Outcome) -> f64 {
        self.outcomes[outcome.index()]
    }

    /// The probability of an infinite play, in which both bid 0 from some turn on; 0 where the
    /// smallest bid is 1.
    pub const fn endless(&self) -> f64 {
        self.endless
    }

    /// The mean number of finite repetitions by two bids of 0; 0 where the smallest bid is 1.
    pub const fn mean_standstills(&self) -> f64 {
        self.standstills
    }

    /// The distribution of the number of turns that change the state, from 0 on.
    pub fn turns(&self) -> &[f64] {
        &self.turns
    }

    /// The smallest number whose cumulative probability reaches `share`, given the probabilities of
    /// 0, 1, 2, …
    pub fn quantile(probabilities: &[f64], share: f64) -> usize {
        let mut sum = 0.0;
        let reached = probabilities.iter().position(|probability| {
            sum += probability;
            sum >= share
        });
        // A rounded sum may fall short of 1.
        reached.unwrap_or(probabilities.len().saturating_sub(1))
    }

    /// The mean number of turns that change the state.
    pub fn mean_turns(&self) -> f64 {
        mean(&self.turns)
    }

    /// The distribution of the points that a player has left at the end, from 0 on.
    pub fn points_left(&self, player: Player) -> &[f64] {
        &self.left[player]
    }

    pub fn mean_points_left(&self, player: Player) -> f64 {
        mean(self.points_left(player))
    }
}

/// Bounds of A's expected payoff from `start`, where A plays the first policy and B the second.
pub(crate) fn value_between(
    rules: &Rules,
    start: State,
    policies: [&Policy; 2],
    threads: &Threads,
    watch: &mut Watch<'_>,
) -> Result<Enclosure, Error> {
    let strategies = check(rules, start, policies[0], policies[1])?;
    let space = StateSpace::new(rules, [start.a, start.b]);
    let scale = rules.scoring().scale();
    let payoff = |outcome: Outcome| scale.floor(rules.scoring().payoff(outcome));
    let mut values =
        Grid::new(rules.field(), space.points(), 0, Outcome::out_ends(Player::A).map(payoff));
    let average = |values: &Grid<i64>,
                   (replies, weights, entries): &mut (Vec<usize>, Vec<i64>, Vec<i64>),
                   state: State| {
        if let Some(outcome) = rules.outcome(state) {
            return payoff(outcome);
        }
        let [of_a, of_b] = strategies.map(|strategy| strategy.weights(state));
        let game = StageGame::new(values, rules, Player::A, state);
        replies.clear();
        weights.clear();
        for (bid, weight) in of_b {
            replies.push(bid as usize - game.lowest_reply);
            weights.push(weight as i64);
        }
        let mut expectation = 0;
        let mut waiting_for = 0;
        for (bid, weight) in of_a {
            let waits = bid == 0 && game.repeats;
            // Two bids of 0 repeat the state.
            let skipped = usize::from(waits && replies[0] == 0);
            entries.clear();
            game.gather(bid as usize - game.lowest_bid, &replies[skipped..], entries);
            let terms = weights[skipped..].iter().zip(&*entries);
            let sum = terms.map(|(&weight, &entry)| product(weight, entry)).sum();
            if waits {
                waiting_for = sum;
            } else {
                // Rounded to a unit, the sum fits a product with a weight.
                expectation += i128::from(weight)
                    * Rounding::Down.shift(sum, DyadicStrategy::WHOLE_BITS as usize);
            }
        }
        if game.repeats {
            let left = left(&Standstill::of(strategies, state), expectation, waiting_for);
            left.unwrap_or_else(|| payoff(rules.end_at(state.ball.position())))
        } else {
            Rounding::Down.shift(expectation, DyadicStrategy::WHOLE_BITS as usize) as i64
        }
    };
    sweep(space, threads, watch, &mut values, average, |values, state, value| {
        values.set(state.seen_by(Player::A), value);
    })?;
    let lower = values.get(start.seen_by(Player::A));
    // Each turn that changes the state rounds by less than two units, and the start by one.
    Ok(Enclosure::proved(
        rounded_down(Player::A, lower, 2 * rules.most_turns(start) + 1, best_end(rules, Player::A)),
        scale.exponent,
    ))
}

pub(super) fn check<'p>(
    rules: &Rules,
    start: State,
    a: &'p Policy,
    b: &'p Policy,
) -> Result<[&'p BehaviourStrategy; 2], Error> {
    for policy in [a, b] {
        policy.check_game(rules, policy.points())?;
        policy.check(start)?;
    }
    Ok([a.behaviour(Player::A)?, b.behaviour(Player::B)?])
}

/// The mean over the turns that leave a state that two bids of 0 repeat, rounded down; `None` if it
/// is never left. `leaving` is the expectation over A's other bids, `waiting_for` that over B's
/// other bids against a 0 of A, in parts of the whole.
fn left(standstill: &Standstill, leaving: i128, waiting_for: i128) -> Option<i64> {
    let ([of_a, of_b], waits) =
        (standstill.others().map(i128::from), i128::from(standstill.waits[0]));
    let whole = of_a * i128::from(DyadicStrategy::WHOLE) + waits * of_b;
    if whole == 0 {
        return None;
    }
    // Rounded to a unit, the mean over B's other bids fits a product with a weight.
    let mean_reply = if of_b == 0 { 0 } else { Rounding::Down.quotient(waiting_for, of_b) };
    let sum = IBig::from(leaving) * IBig::from(DyadicStrategy::WHOLE)
        + IBig::from(waits * of_b) * IBig::from(mean_reply);
    // An average of i64 is an i64.
    i64::try_from(Rounding::Down.quotient(sum, IBig::from(whole))).ok()
}

/// Adds a multiple of `terms`, shifted by `further` places.
fn add(sums: &mut Vec<f64>, terms: &[f64], share: f64, further: usize) {
    if sums.len() < terms.len() + further {
        sums.resize(terms.len() + further, 0.0);
    }
    for (sum, term) in sums[further..].iter_mut().zip(terms) {
        *sum += share * term;
    }
}

/// The mean of a distribution on 0, 1, 2, …
fn mean(probabilities: &[f64]) -> f64 {
    probabilities.iter().enumerate().map(|(number, probability)| number as f64 * probability).sum()
}
