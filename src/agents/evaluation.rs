//! Estimated payoffs of unfinished games, for the leaves of a search.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

use crate::error::Error;
use crate::game::{Outcome, Player, Rules, State, nearest_double};
use crate::induction::{Grid, Order, StageGame};
use crate::matrix_game::Payoffs;
use crate::policy::{BehaviourStrategy, Policy, Standstill, checked_space, play_out, probability};

/// A heuristic value for every state: A's estimated payoff from there on. At an ended state it is
/// the payoff.
///
/// ```
/// use pencil_tennis::agents::Evaluation;
/// use pencil_tennis::{Policy, Rules};
///
/// let uniform = Policy::uniform(&Rules::tennis(), [10, 10])?;
/// let expected = Evaluation::expected(&Rules::tennis(), &uniform)?;
/// let sampled = Evaluation::sampled(&Rules::tennis(), &uniform, 400, 1)?;
/// let state = "7:9@-1".parse()?;
/// assert!((expected.value(state)? - sampled.value(state)?).abs() < 0.4);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Evaluation {
    pub(super) rules: Rules,
    pub(super) values: Grid<f64>,
    /// The order of the states; one stands for its mirror image where their values are opposite.
    pub(super) order: Order,
}

impl Evaluation {
    /// The evaluation that knows the ends of games only: 0 where the game continues; where the
    /// smallest bid is 0, the payoff of infinite plays that stand still there.
    pub fn nothing(rules: &Rules, points: [u32; 2]) -> Result<Self, Error> {
        let space = checked_space(rules, points)?;
        let out = Outcome::out_ends(Player::A).map(|outcome| payoff(rules, outcome));
        let values = Grid::new(rules.field(), points, 0.0, out);
        let mirrored = points[0] == points[1] && rules.is_antisymmetric();
        let mut evaluation = Self { rules: *rules, values, order: Order { space, mirrored } };
        for state in space.states() {
            if rules.min_bid() == 0 || rules.outcome(state).is_some() {
                evaluation.set(state, payoff(rules, rules.end_at(state.ball.position())));
            }
        }
        Ok(evaluation)
    }

    /// The expected payoff when both players follow the policy, the limit of the mean of many
    /// sampled games. O(states · bids²).
    ///
    /// Mirror images have exactly opposite values where scoring and policy are symmetric.
    pub fn expected(rules: &Rules, policy: &Policy) -> Result<Self, Error> {
        let [of_a, of_b] = strategies(rules, policy)?;
        // Where both bid 0 for ever, the payoff is known already.
        let mut evaluation = Self::nothing(rules, policy.points())?;
        evaluation.order.mirrored &= policy.mirrored() == *policy;
        for state in evaluation.worked_out() {
            let leaves = Standstill::of([of_a, of_b], state).leaves();
            if leaves == 0.0 {
                continue;
            }
            let stage = evaluation.stage(state);
            let lowest = stage.lowest_reply;
            let others = of_b.weights(state).take_while(|&(bid, _)| bid == 0).count();
            let replies: Vec<(usize, f64)> = of_b
                .weights(state)
                .map(|(bid, weight)| (bid as usize - lowest, probability(weight)))
                .collect();
            let mut value = 0.0;
            for (bid, weight) in of_a.weights(state) {
                let row = bid as usize - stage.lowest_bid;
                // Both bid 0 until one of them bids something else.
                let first = if bid == 0 { others } else { 0 };
                let won: f64 = replies[first..]
                    .iter()
                    .map(|&(column, share)| share * stage.entry(row, column))
                    .sum();
                value += probability(weight) * won;
            }
            evaluation.set(state, value / leaves);
        }
        Ok(evaluation)
    }

    /// The mean payoff of `games` sampled games from every state, both players following the
    /// policy.
    ///
    /// A state and its mirror image are sampled separately, so that their results differ by chance.
    pub fn sampled(rules: &Rules, policy: &Policy, games: u32, seed: u64) -> Result<Self, Error> {
        let strategies = strategies(rules, policy)?;
        let mut evaluation = Self::nothing(rules, policy.points())?;
        evaluation.order.mirrored = false;
        let mut generator = Pcg64Mcg::seed_from_u64(seed);
        for start in evaluation.worked_out() {
            let mut sum = 0.0;
            for _ in 0..games {
                let last = play_out(strategies, rules, start, || generator.next_u64(), |_| ());
                sum += payoff(rules, rules.end_at(last.ball.position()));
            }
            evaluation.set(start, sum / f64::from(games.max(1)));
        }
        Ok(evaluation)
    }

    pub fn value(&self, state: State) -> Result<f64, Error> {
        self.order.space.check(state)?;
        Ok(self.known(state))
    }

    /// The value of a state that belongs to the game.
    pub(super) fn known(&self, state: State) -> f64 {
        self.values.get(state.seen_by(Player::A))
    }

    /// The states whose values are computed: those where the game continues, by the sum of the
    /// accounts, one of two mirror images.
    pub(super) fn worked_out(&self) -> impl Iterator<Item = State> + use<> {
        self.order.solved_up_to(self.order.space.layers())
    }

    pub(super) fn stage(&self, state: State) -> StageGame<'_> {
        StageGame::new(&self.values, &self.rules, Player::A, state)
    }

    /// Sets the value of a state, and of its mirror image where one follows from the other.
    pub(super) fn set(&mut self, state: State, value: f64) {
        // A state that is its own mirror image has value 0.
        let value = if self.order.is_self_mirrored(state) { 0.0 } else { value };
        if let Some(image) = self.order.image(state) {
            self.values.set(image.seen_by(Player::A), 0.0 - value);
        }
        self.values.set(state.seen_by(Player::A), value);
    }
}

pub(super) fn payoff(rules: &Rules, outcome: Outcome) -> f64 {
    nearest_double(rules.scoring().payoff(outcome))
}

fn strategies<'p>(rules: &Rules, policy: &'p Policy) -> Result<[&'p BehaviourStrategy; 2], Error> {
    policy.check_game(rules, policy.points())?;
    Ok([policy.behaviour(Player::A)?, policy.behaviour(Player::B)?])
}
