//! The gate: the one check of proved bounds of games, in integers on the game's own cells.
//!
//! It shares no code with the finders of bounds, which may be as clever, and as wrong, as they
//! like. Every bound of a game that is published has passed it: components of a solution before
//! they are stored, states of a resumed checkpoint, the lines of a certificate.
//! `docs/game-format.md` proves that its two conditions are enough:
//!
//! 1. *Security.* At every state, a player's weights against any action of the opponent leave at
//!    least the claimed bound, by the claimed bounds of the successors.
//! 2. *No reward for waiting.* The opponent cannot keep play for ever, without a reward, among
//!    states whose claimed bounds are better than the payoff of infinite plays.

use std::ops::Shl;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{CheckedAdd, One, Signed};

use super::model::{CellView, Kind, Node, NumberedGame, Scale, StochasticGame, UncertainCell};
use crate::bounds::Bounds;
use crate::error::{StochasticGameError, StochasticGameFault};
use crate::matrix_game::ProvedPair;
use crate::player::Player;

/// The units of claims.
#[derive(Clone, Copy, Debug)]
pub(super) struct Units {
    /// Bounds are in units of 2^−this.
    pub(super) exponent: u32,
    /// The weights of a strategy sum to 2^this.
    pub(super) weight_exponent: u32,
}

/// The integers of a check: short for weights out of 2⁶² and bounds of 62 bits, or of any length.
pub(super) trait Number:
    Integer
    + Signed
    + CheckedAdd
    + Clone
    + From<u64>
    + From<i64>
    + Into<BigInt>
    + Shl<u32, Output = Self>
{
    /// A reward in units; `None` if it is too large.
    fn paid(reward: i128, exponent: u32) -> Option<Self>;

    /// Whether a cell's payoff may have this many units.
    fn allows(payoff: &Self) -> bool;

    /// The quotient by the denominator of a cell, which is positive, rounded down.
    fn over(self, denominator: u64) -> Self;
}

impl Number for i128 {
    fn paid(reward: i128, exponent: u32) -> Option<Self> {
        (reward.unsigned_abs().leading_zeros() > exponent).then(|| reward << exponent)
    }

    /// So that weights out of 2⁶² times values sum to less than 2¹²⁷.
    fn allows(payoff: &Self) -> bool {
        payoff.unsigned_abs() <= 1 << 63
    }

    /// A shift rounds down, too. One division of long integers takes as long as the rest of a cell.
    fn over(self, denominator: u64) -> Self {
        if denominator.is_power_of_two() {
            return self >> denominator.trailing_zeros();
        }
        let denominator = Self::from(denominator);
        let quotient = self / denominator;
        if quotient * denominator > self { quotient - 1 } else { quotient }
    }
}

impl Number for BigInt {
    fn paid(reward: i128, exponent: u32) -> Option<Self> {
        Some(Self::from(reward) << exponent)
    }

    fn allows(_: &Self) -> bool {
        true
    }

    fn over(self, denominator: u64) -> Self {
        self.div_floor(&Self::from(denominator))
    }
}

/// The receipt of a check, which this file alone makes; bounds are
/// [published](super::published::Published) with one.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub(crate) struct Passed(());

impl Passed {
    /// The bounds of a state whose matrix game the pair proves by integer sums of its own payoffs,
    /// which are given by bounds of the successors.
    pub(super) const fn of_pair(pair: &ProvedPair) -> (Bounds, Self) {
        (pair.bounds, Self(()))
    }

    /// The bounds of an end: the integers next to its value.
    pub(super) fn of_end(scale: Scale, value: &BigRational) -> (Bounds, Self) {
        (scale.bounds(value), Self(()))
    }
}

/// The receipt of the first condition at some states.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub(super) struct Secured(());

impl Secured {
    /// The receipt of states that were checked in parts.
    ///
    /// # Errors
    /// The first refusal of a part.
    pub(super) fn of_parts(
        parts: impl IntoIterator<Item = Result<Self, StochasticGameError>>,
    ) -> Result<Self, StochasticGameError> {
        for part in parts {
            let Self(()) = part?;
        }
        Ok(Self(()))
    }
}

/// The lower and the upper bounds that are claimed of states.
pub(super) trait Claims<T> {
    fn bounds(&self, state: usize) -> [T; 2];
}

/// The weights of A's and of B's actions at a state, rising by action.
pub(super) type Mixtures<'w, W> = [&'w [(u32, W)]; 2];

/// A bound that is claimed for a player at a state, as payoffs of A: a lower bound for A, an upper
/// one for B.
pub(super) struct Promise<T> {
    pub(super) state: usize,
    pub(super) player: Player,
    pub(super) bound: T,
}

impl<T: Number> Promise<T> {
    /// The bound as its player counts payoffs, times the sum of all weights.
    fn of_player(&self, weight_exponent: u32) -> T {
        let bound = if self.player == Player::A { self.bound.clone() } else { -self.bound.clone() };
        bound << weight_exponent
    }
}

/// The number of replies summed at a time: in the longest numbers their sums take some 10 MB.
const REPLIES: usize = 1024;

/// Why a claim is refused.
pub(super) const NO_STRATEGY: &str = "numbers or weights are not as described";
const NOT_WITHIN: &str = "the value of this end is not within its bounds";
const INSECURE: [&str; 2] =
    ["A's weights do not secure the lower bound", "B's weights do not secure the upper bound"];
const KEPT: &str =
    "play can be kept here for ever, where the bound is better than what endless play pays";

/// The gate of a game, with its buffers: games have millions of states.
pub(super) struct Gate<'g, N: NumberedGame, T> {
    game: &'g N,
    units: Units,
    row: N::Row,
    /// The weights of A and of B by action; `None` of an action that is not chosen.
    weights: [Vec<Option<T>>; 2],
    /// The payoffs to A and to B of these weights against actions of the opponent, as sums; `None`
    /// where a number is too large.
    sums: [Vec<Option<T>>; 2],
}

impl<'g, N: NumberedGame, T: Number> Gate<'g, N, T> {
    pub(super) fn new(game: &'g N, units: Units) -> Self {
        Self {
            game,
            units,
            row: N::Row::default(),
            weights: Default::default(),
            sums: Default::default(),
        }
    }

    fn refuse(&self, state: usize, reason: &str) -> StochasticGameError {
        self.game.refuse(state, StochasticGameFault::Claim { reason: reason.to_owned() })
    }

    /// Checks the first condition at some states, or that an end's value is within its bounds.
    ///
    /// # Errors
    /// The first fault, with the state.
    pub(super) fn check_states<'w, W: 'w + Clone + Into<T>>(
        &mut self,
        states: impl IntoIterator<Item = (usize, Mixtures<'w, W>)>,
        claims: &impl Claims<T>,
    ) -> Result<Secured, StochasticGameError> {
        for (state, weights) in states {
            self.check_state(state, weights, claims)?;
        }
        Ok(Secured(()))
    }

    /// Checks a state to which play cannot return: there the first condition is enough.
    ///
    /// # Errors
    /// The fault, with the state.
    pub(super) fn check_alone<W: Clone + Into<T>>(
        &mut self,
        state: usize,
        weights: Mixtures<'_, W>,
        claims: &impl Claims<T>,
    ) -> Result<Passed, StochasticGameError> {
        self.check_state(state, weights, claims)?;
        Ok(Passed(()))
    }

    fn check_state<W: Clone + Into<T>>(
        &mut self,
        state: usize,
        weights: Mixtures<'_, W>,
        claims: &impl Claims<T>,
    ) -> Result<(), StochasticGameError> {
        let actions = match self.game.node(state)? {
            Node::Over(value) => return self.check_end(state, &value, claims),
            Node::Choose { a, b } => [a, b],
        };
        for player in [0, 1] {
            self.spread(state, player, weights[player], actions[player])?;
        }
        let [lower, upper] = claims.bounds(state);
        let promised = [lower, -upper].map(|bound| Some(bound << self.units.weight_exponent));
        self.check_sums(state, actions, &promised, claims)
    }

    /// Checks that a player's weights leave at least a promise against any action of the opponent.
    ///
    /// # Errors
    /// The fault, with the state.
    pub(super) fn check_security<W: Clone + Into<T>>(
        &mut self,
        promise: &Promise<T>,
        weights: &[(u32, W)],
        claims: &impl Claims<T>,
    ) -> Result<(), StochasticGameError> {
        let actions = self.actions(promise.state)?;
        let player = promise.player as usize;
        self.spread(promise.state, player, weights, actions[player])?;
        let mut promised = [None, None];
        promised[player] = Some(promise.of_player(self.units.weight_exponent));
        self.check_sums(promise.state, actions, &promised, claims)
    }

    /// Checks that an action of a player leaves at least a promise against an opponent who plays
    /// these weights.
    ///
    /// # Errors
    /// The fault, with the state.
    pub(super) fn check_reply<W: Clone + Into<T>>(
        &mut self,
        promise: &Promise<T>,
        action: u32,
        opponent: &[(u32, W)],
        claims: &impl Claims<T>,
    ) -> Result<(), StochasticGameError> {
        let actions = self.actions(promise.state)?;
        let player = promise.player as usize;
        self.spread(promise.state, 1 - player, opponent, actions[1 - player])?;
        let mut sum = Some(T::zero());
        let exponent = self.units.exponent;
        let mixed = &self.weights[1 - player];
        self.game.cells(promise.state, actions, &mut self.row, |[a, b], cell| {
            let (action_here, reply) = if player == 0 { (a, b) } else { (b, a) };
            if let (true, Some(weight)) = (action_here == action as usize, &mixed[reply]) {
                let payoff = expected_payoff::<N, T>(cell, player, exponent, claims);
                sum = sum.take().zip(payoff).map(|(sum, payoff)| sum + weight.clone() * payoff);
            }
        })?;
        let promised = promise.of_player(self.units.weight_exponent);
        if sum.is_some_and(|sum| sum >= promised) {
            Ok(())
        } else {
            Err(self.refuse(promise.state, INSECURE[player]))
        }
    }

    fn actions(&self, state: usize) -> Result<[usize; 2], StochasticGameError> {
        match self.game.node(state)? {
            Node::Over(_) => Err(self.refuse(state, NO_STRATEGY)),
            Node::Choose { a, b } => Ok([a, b]),
        }
    }

    /// Takes the weights of a player at a state.
    fn spread<W: Clone + Into<T>>(
        &mut self,
        state: usize,
        player: usize,
        weights: &[(u32, W)],
        actions: usize,
    ) -> Result<(), StochasticGameError> {
        if is_spread(weights, actions, self.units.weight_exponent, &mut self.weights[player]) {
            Ok(())
        } else {
            Err(self.refuse(state, NO_STRATEGY))
        }
    }

    /// Checks that the weights of the players who promise something leave at least that, each as
    /// that player counts payoffs.
    fn check_sums(
        &mut self,
        state: usize,
        actions: [usize; 2],
        promised: &[Option<T>; 2],
        claims: &impl Claims<T>,
    ) -> Result<(), StochasticGameError> {
        for first in (0..actions[0].max(actions[1])).step_by(REPLIES) {
            self.sum_up(state, actions, promised, first, claims)?;
            for (player, promised) in promised.iter().enumerate() {
                let Some(promised) = promised else { continue };
                let is_secured = |sum: &Option<T>| sum.as_ref().is_some_and(|sum| sum >= promised);
                if !self.sums[player].iter().all(is_secured) {
                    return Err(self.refuse(state, INSECURE[player]));
                }
            }
        }
        Ok(())
    }

    fn check_end(
        &self,
        state: usize,
        value: &BigRational,
        claims: &impl Claims<T>,
    ) -> Result<(), StochasticGameError> {
        let value = value * unit(self.units.exponent);
        let [lower, upper] =
            claims.bounds(state).map(|bound| BigRational::from_integer(bound.into()));
        if lower <= value && value <= upper { Ok(()) } else { Err(self.refuse(state, NOT_WITHIN)) }
    }

    /// Sums up weights times cells for the players who promise something, against the opponent's
    /// actions from `first` on.
    fn sum_up(
        &mut self,
        state: usize,
        actions: [usize; 2],
        promised: &[Option<T>; 2],
        first: usize,
        claims: &impl Claims<T>,
    ) -> Result<(), StochasticGameError> {
        let Self { game, units, row, weights, sums } = self;
        for (player, sums) in sums.iter_mut().enumerate() {
            let replies = actions[1 - player].saturating_sub(first).min(REPLIES);
            sums.clear();
            sums.resize(if promised[player].is_some() { replies } else { 0 }, Some(T::zero()));
        }
        game.cells(state, actions, row, |[a, b], cell| {
            for (player, action, reply) in [(0, a, b), (1, b, a)] {
                let sum = reply.checked_sub(first).and_then(|reply| sums[player].get_mut(reply));
                let Some(sum) = sum else { continue };
                if let Some(weight) = &weights[player][action] {
                    let payoff = expected_payoff::<N, T>(cell, player, units.exponent, claims);
                    *sum =
                        sum.take().zip(payoff).map(|(sum, payoff)| sum + weight.clone() * payoff);
                }
            }
        })
    }
}

/// Writes the weights by action; returns whether they are a strategy: rising, positive, of actions
/// that are there, and of this sum.
fn is_spread<T: Number, W: Clone + Into<T>>(
    weights: &[(u32, W)],
    actions: usize,
    weight_exponent: u32,
    mixed: &mut Vec<Option<T>>,
) -> bool {
    mixed.clear();
    mixed.resize(actions, None);
    let (mut sum, mut least) = (T::zero(), 0);
    for (action, weight) in weights {
        let (action, weight): (usize, T) = (*action as usize, weight.clone().into());
        if action < least || action >= actions || !weight.is_positive() {
            return false;
        }
        least = action + 1;
        sum = sum + weight.clone();
        mixed[action] = Some(weight);
    }
    sum == T::one() << weight_exponent
}

fn unit(exponent: u32) -> BigRational {
    BigRational::from_integer(BigInt::one() << exponent)
}

/// The bound that is promised to a player at a successor, as that player counts payoffs.
fn promised<N: NumberedGame, T: Number>(
    successor: u32,
    player: usize,
    claims: &impl Claims<T>,
) -> T {
    let successor = N::successor(successor);
    // B's payoff is the negative of A's, and B is A where the players are exchanged.
    let is_upper = (player == 1) != successor.is_exchanged;
    let [lower, upper] = claims.bounds(successor.number);
    if is_upper { -upper } else { lower }
}

/// The sum of the weights times the promises; in short numbers at most 2^62 times 2^62 in all.
fn certain_sum<N: NumberedGame, T: Number>(
    cell: &CellView<'_>,
    player: usize,
    claims: &impl Claims<T>,
) -> T {
    let mut sum = T::zero();
    for outcome in cell.outcomes {
        sum = sum + T::from(outcome.weight) * promised::<N, T>(outcome.state, player, claims);
    }
    sum
}

/// As [`certain_sum`], with weights within their limits that make the sum least if nature chooses
/// for the opponent, and most if for the player.
///
/// The sum is linear in the weights, so that an optimal choice raises them from their least values
/// in the order of the promises.
fn sum_by_nature<N: NumberedGame, T: Number>(
    cell: &CellView<'_>,
    uncertain: UncertainCell<'_>,
    player: usize,
    claims: &impl Claims<T>,
) -> T {
    // Of the outcomes that are not at their largest weight: what each promises, and the weight by
    // which it may rise.
    let mut open: Vec<(T, u64)> = Vec::with_capacity(cell.outcomes.len());
    let mut sum = T::zero();
    let mut left: u64 = cell.outcomes.iter().map(|outcome| outcome.weight).sum();
    for (outcome, [least, most]) in cell.outcomes.iter().zip(uncertain.limits) {
        let promise = promised::<N, T>(outcome.state, player, claims);
        sum = sum + T::from(*least) * promise.clone();
        left -= least;
        open.push((promise, most - least));
    }
    open.sort_unstable();
    if uncertain.nature as usize == player {
        open.reverse();
    }
    for (promise, room) in open {
        let more = room.min(left);
        sum = sum + T::from(more) * promise;
        left -= more;
    }
    sum
}

/// The expected payoff of a cell by the promises at its successors, as its player counts payoffs,
/// rounded down to a unit; `None` if it is too large.
fn expected_payoff<N: NumberedGame, T: Number>(
    cell: &CellView<'_>,
    player: usize,
    exponent: u32,
    claims: &impl Claims<T>,
) -> Option<T> {
    let mut sum = match cell.uncertain {
        None => certain_sum::<N, T>(cell, player, claims),
        Some(uncertain) => sum_by_nature::<N, T>(cell, uncertain, player, claims),
    };
    if cell.reward != 0 {
        let reward = if player == 0 { cell.reward } else { -cell.reward };
        sum = sum.checked_add(&T::paid(reward, exponent)?)?;
    }
    Some(sum.over(cell.denominator)).filter(T::allows)
}

/// Some states of a game, rising.
#[derive(Clone, Copy, Debug)]
pub(super) struct Members<'s>(pub(super) &'s [u32]);

impl Members<'_> {
    /// The place of a state among the members. Mostly they follow one another.
    pub(super) fn place(self, state: u32) -> Option<usize> {
        let guess = state.wrapping_sub(*self.0.first()?) as usize;
        if self.0.get(guess) == Some(&state) {
            Some(guess)
        } else {
            self.0.binary_search(&state).ok()
        }
    }
}

impl<T: Number> Gate<'_, StochasticGame, T> {
    /// Checks the second condition among some states, rising, outside of which play cannot return
    /// to them, after the first one; the weights of each are given by its place.
    ///
    /// # Errors
    /// A state where play can be kept.
    pub(super) fn check_waiting<'w, W: 'w>(
        &self,
        states: &[u32],
        weights: impl Fn(usize) -> Mixtures<'w, W>,
        claims: &impl Claims<T>,
        _: Secured,
    ) -> Result<Passed, StochasticGameError> {
        if !self.game.kind().may_last() {
            // Play ends, or is discounted, as was checked when the game was read.
            return Ok(Passed(()));
        }
        for player in [Player::A, Player::B] {
            self.check_waiting_of(player, states, |place| weights(place)[player as usize], claims)?;
        }
        Ok(Passed(()))
    }

    /// Checks the second condition of one player's claims.
    pub(super) fn check_waiting_of<'w, W: 'w>(
        &self,
        player: Player,
        states: &[u32],
        weights: impl Fn(usize) -> &'w [(u32, W)],
        claims: &impl Claims<T>,
    ) -> Result<(), StochasticGameError> {
        self.check_kept(player, states, claims, |place| {
            let replies = self.game.sizes(states[place] as usize)[1 - player as usize] as u32;
            let actions = || weights(place).iter().map(|(action, _)| *action);
            let followers = |reply| {
                self.followers(player, states, place, actions().map(move |action| [action, reply]))
            };
            (0..replies).filter_map(followers).collect()
        })
    }

    /// Checks the second condition of the claims of a player who takes these actions against an
    /// opponent's weights.
    pub(super) fn check_waiting_reply<'w, W: 'w>(
        &self,
        player: Player,
        states: &[u32],
        actions: &[u32],
        opponent: impl Fn(usize) -> &'w [(u32, W)],
        claims: &impl Claims<T>,
    ) -> Result<(), StochasticGameError> {
        self.check_kept(player, states, claims, |place| {
            let pairs = opponent(place).iter().map(|(other, _)| [actions[place], *other]);
            self.followers(player, states, place, pairs).into_iter().collect()
        })
    }

    /// Checks that no set of states with claims that are better than infinite plays is left, of
    /// those whose play may stay inside. `ways` lists the ways in which play may go on from a
    /// state, each as the places that follow.
    fn check_kept(
        &self,
        player: Player,
        states: &[u32],
        claims: &impl Claims<T>,
        ways: impl Fn(usize) -> Vec<Vec<usize>>,
    ) -> Result<(), StochasticGameError> {
        if !self.game.kind().may_last() {
            return Ok(());
        }
        let mut inside: Vec<bool> =
            states.iter().map(|&state| self.is_better(player, state as usize, claims)).collect();
        // A way stays inside until one of its places is left; a place is left when none of its ways
        // stays inside.
        let mut staying: Vec<Vec<Vec<usize>>> = (0..states.len())
            .map(|place| if inside[place] { ways(place) } else { Vec::new() })
            .collect();
        let mut entered_from = vec![Vec::new(); states.len()];
        for (place, ways) in staying.iter().enumerate() {
            ways.iter().flatten().for_each(|&next| entered_from[next].push(place));
        }
        let mut to_ask: Vec<usize> = (0..states.len()).collect();
        while let Some(place) = to_ask.pop() {
            staying[place].retain(|way| way.iter().all(|&next| inside[next]));
            if inside[place] && staying[place].is_empty() {
                inside[place] = false;
                to_ask.append(&mut entered_from[place]);
            }
        }
        let kept = inside.iter().position(|&inside| inside);
        kept.map_or(Ok(()), |place| Err(self.refuse(states[place] as usize, KEPT)))
    }

    /// Whether what is claimed for a player at a state is better than the payoff of infinite plays.
    fn is_better(&self, player: Player, state: usize, claims: &impl Claims<T>) -> bool {
        let game = self.game;
        if game.end_value(state).is_some() {
            return false;
        }
        if game.kind() == Kind::Target {
            // Infinite plays pay the collecting player infinitely much: every bound of the other
            // player is better.
            return player != game.collector();
        }
        let endless = StochasticGame::endless(game, state) * unit(self.units.exponent);
        let [lower, upper] =
            claims.bounds(state).map(|bound| BigRational::from_integer(bound.into()));
        match player {
            Player::A => lower > endless,
            Player::B => upper < endless,
        }
    }

    /// The places to which some pairs of a player's action and a reply may lead; `None` where one
    /// of them may leave these states, or pays.
    fn followers(
        &self,
        player: Player,
        states: &[u32],
        place: usize,
        pairs: impl Iterator<Item = [u32; 2]>,
    ) -> Option<Vec<usize>> {
        let mut found = Vec::new();
        for [action, reply] in pairs {
            let [a, b] = if player == Player::A { [action, reply] } else { [reply, action] };
            let cell = self.game.cell(states[place] as usize, a as usize, b as usize);
            if cell.reward != 0 {
                return None;
            }
            for outcome in cell.outcomes {
                found.push(Members(states).place(outcome.state)?);
            }
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_quotients_are_rounded_down_as_long_ones() {
        for denominator in [1, 2, 3, 4, 7, 1 << 40, (1 << 62) - 1, 1 << 62] {
            for number in [0, 1, 2, 5, 1 << 63, (1 << 126) + 1, (1 << 126) - 1] {
                for number in [number, -number] {
                    let long = BigInt::from(number).over(denominator);
                    assert_eq!(
                        BigInt::from(number.over(denominator)),
                        long,
                        "{number} / {denominator}"
                    );
                    let rest = BigInt::from(number) - long * denominator;
                    assert!(!rest.is_negative() && rest < denominator.into());
                }
            }
        }
    }
}
