//! One player's policy.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use crate::error::{Quoted, StochasticGameError, StochasticGameFault};
use crate::game::Player;
use crate::matrix_game::DyadicStrategy;
use crate::stochastic_game::model::{Kind, NumberedGame, StochasticGame};

/// One player's way to play a [`StochasticGame`]: probabilities of the actions at every state, in multiples of 2⁻⁶².
#[derive(Clone, Debug)]
pub struct StationaryPolicy {
    pub(super) player: Player,
    pub(super) weights: Vec<Vec<(u32, u64)>>,
    pub(super) is_rounded: bool,
}

/// Probabilities may miss the sum 1 by this much; they are divided by their sum.
const SUM_TOLERANCE: f64 = 1e-6;

impl StationaryPolicy {
    /// A policy from the probabilities of actions by their numbers, for every state; where there is a single action, and at ends,
    /// nothing need be said.
    ///
    /// # Errors
    /// [`StochasticGameFault::Policy`] with the state, where actions are unknown or given twice, probabilities negative, or their sum
    /// misses 1 by more than 0.000001; and in a recursive game where one is above 0 but below 2⁻⁶³: who leaves a cycle some day
    /// and who never does may be worth anything apart.
    pub fn new(
        game: &StochasticGame,
        player: Player,
        probabilities: &[Vec<(usize, BigRational)>],
    ) -> Result<Self, StochasticGameError> {
        let whole = BigRational::from_integer(DyadicStrategy::WHOLE.into());
        let (mut weights, mut is_rounded) = (Vec::with_capacity(game.len()), false);
        let none = Vec::new();
        for state in 0..game.len() {
            let given = probabilities.get(state).unwrap_or(&none);
            let own = strategy(game, state, player, given)
                .map_err(|reason| game.refuse(state, StochasticGameFault::Policy { player, reason }))?;
            is_rounded |= given.iter().any(|(action, probability)| {
                let kept = own.iter().find(|(own, _)| *own as usize == *action).map_or(0, |&(_, weight)| weight);
                probability * &whole != BigRational::from_integer(kept.into())
            });
            weights.push(own);
        }
        Ok(Self { player, weights, is_rounded })
    }

    /// The player.
    pub const fn player(&self) -> Player {
        self.player
    }

    /// Whether probabilities that were given are no multiples of 2⁻⁶²: what is judged are the multiples next to them.
    pub const fn is_rounded(&self) -> bool {
        self.is_rounded
    }
}

/// The weights of a state.
fn strategy(
    game: &StochasticGame,
    state: usize,
    player: Player,
    given: &[(usize, BigRational)],
) -> Result<Vec<(u32, u64)>, String> {
    let Some(actions) = game.actions(state) else {
        return if given.is_empty() { Ok(Vec::new()) } else { Err("the state is an end".to_owned()) };
    };
    let names = actions[usize::from(player == Player::B)];
    if given.is_empty() && names.len() == 1 {
        return Ok(vec![(0, DyadicStrategy::WHOLE)]);
    }
    if given.is_empty() {
        return Err("nothing is said of how to play".to_owned());
    }
    let mut sorted = given.to_vec();
    sorted.sort_by_key(|&(action, _)| action);
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(format!("the action {} is given twice", Quoted(&names[pair[0].0])));
    }
    if let Some((action, probability)) = sorted.iter().find(|(_, probability)| probability.is_negative()) {
        return Err(format!("the probability {probability} of {} is negative", Quoted(&names[*action])));
    }
    let sum: BigRational = sorted.iter().map(|(_, probability)| probability).sum();
    let misses = sum.to_f64().map_or(f64::INFINITY, |sum| (sum - 1.0).abs());
    if sum.is_zero() || misses > SUM_TOLERANCE {
        return Err(format!("the probabilities sum to {}; expected 1", sum.to_f64().unwrap_or(f64::NAN)));
    }
    let whole = BigRational::from_integer(BigInt::from(DyadicStrategy::WHOLE));
    let weigh = |probability: &BigRational| (probability / &sum * &whole).round().to_integer().to_i64().unwrap_or(0);
    let mut dyadic = DyadicStrategy::default();
    dyadic.assign(sorted.iter().map(|(action, probability)| (*action as u32, weigh(probability))));
    let is_kept = |action: usize| dyadic.support().iter().any(|&(kept, _)| kept as usize == action);
    let lost = |(action, probability): &&(usize, BigRational)| probability.is_positive() && !is_kept(*action);
    if let (Kind::Recursive, Some((action, _))) = (game.kind(), sorted.iter().find(lost)) {
        return Err(format!(
            "the probability of {} is too small to be told from 0; expected 0, or 2^-62 at least",
            Quoted(&names[*action])
        ));
    }
    Ok(dyadic.support().to_vec())
}
