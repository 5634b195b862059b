//! The check of a certificate: integer arithmetic on the game, independent of the solver on purpose.

use std::io::BufRead;
use std::ops::Shl;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{CheckedAdd, One, Signed, Zero};

use super::certificate::{StateProof, read_line, read_object};
use crate::error::{StochasticGameError, StochasticGameFault};
use crate::game::Player;
use crate::stochastic_game::model::{CellView, Kind, Node, NumberedGame, StochasticGame};

/// The units of a certificate, and its limits.
#[derive(Clone, Copy)]
pub(super) struct Format {
    /// Bounds are in units of 2^−this.
    pub(super) exponent: u32,
    /// The weights of a strategy sum to 2^this.
    pub(super) weight_exponent: u32,
    /// Bounds are within ±2^this.
    pub(super) bound_bits: u32,
}

/// The integers of a version, bounds and weights alike, with the sums of their products.
pub(super) trait Number: Clone + Default {
    type Sum: Integer + Signed + CheckedAdd + Clone + From<Self> + From<u64> + Into<BigInt> + Shl<u32, Output = Self::Sum>;

    fn read(digits: &str) -> Option<Self>;

    /// A reward in units; `None` if it is too large.
    fn paid(reward: i128, exponent: u32) -> Option<Self::Sum>;

    /// Whether a cell's value may have this many units.
    fn allows(worth: &Self::Sum) -> bool;
}

/// Version 1.
impl Number for i64 {
    type Sum = i128;

    fn read(digits: &str) -> Option<Self> {
        digits.parse().ok()
    }

    fn paid(reward: i128, exponent: u32) -> Option<i128> {
        (reward.unsigned_abs().leading_zeros() > exponent).then(|| reward << exponent)
    }

    /// So that weights out of 2⁶² times values sum to less than 2¹²⁷.
    fn allows(worth: &i128) -> bool {
        worth.unsigned_abs() <= 1 << 63
    }
}

/// Version 2.
impl Number for BigInt {
    type Sum = Self;

    fn read(digits: &str) -> Option<Self> {
        // The library reads underscores, too.
        let mut unsigned = digits.strip_prefix(['+', '-']).unwrap_or(digits).bytes();
        (digits.len() <= LONGEST_NUMBER && unsigned.all(|byte| byte.is_ascii_digit())).then(|| digits.parse().ok())?
    }

    fn paid(reward: i128, exponent: u32) -> Option<Self> {
        Some(Self::from(reward) << exponent)
    }

    fn allows(_: &Self) -> bool {
        true
    }
}

/// The most characters of a number in version 2: more than its largest bound has.
const LONGEST_NUMBER: usize = 10_000;

/// The weights of A and of B by the numbers of actions.
pub(super) type Weights<T> = [Vec<(u32, T)>; 2];

/// The number of replies summed at a time: in the longest numbers their sums take some 10 MB.
const REPLIES: usize = 1024;

/// A game with the lower and upper bounds that its certificate claims.
pub(super) struct Check<'g, N: NumberedGame, T> {
    game: &'g N,
    format: Format,
    pub(super) bounds: Vec<[T; 2]>,
    row: N::Row,
}

impl<'g, N: NumberedGame, T: Number> Check<'g, N, T> {
    pub(super) fn new(game: &'g N, format: Format) -> Self {
        Self { game, format, bounds: vec![<[T; 2]>::default(); game.numbers()], row: N::Row::default() }
    }

    fn refuse(&self, state: usize, reason: &str) -> StochasticGameError {
        self.game.refuse(state, StochasticGameFault::Text { reason: reason.to_owned() })
    }

    fn unit(&self) -> BigRational {
        BigRational::from_integer(BigInt::one() << self.format.exponent)
    }

    /// The bounds of a state as fractions of units.
    fn claimed(&self, state: usize) -> [BigRational; 2] {
        self.bounds[state].clone().map(|bound| BigRational::from_integer(T::Sum::from(bound).into()))
    }

    /// Reads the line of a state: stores its bounds as claims, and returns its weights.
    pub(super) fn read(&mut self, state: usize, input: &mut impl BufRead) -> Result<Weights<T>, StochasticGameError> {
        let mut line = Vec::new();
        read_line(input, &mut line)?;
        let proof: StateProof = read_object(&line)?;
        let sizes = match self.game.node(state)? {
            Node::Over(_) => None,
            Node::Choose { a, b } => Some([a, b]),
        };
        let (bounds, weights) =
            parsed(self.format, sizes, &proof).ok_or_else(|| self.refuse(state, "numbers or weights are not as described"))?;
        self.bounds[state] = bounds;
        Ok(weights)
    }

    /// Checks that weights secure the bounds of a state by those of its successors.
    pub(super) fn state(&mut self, state: usize, weights: &Weights<T>) -> Result<(), StochasticGameError> {
        let [rows, columns] = match self.game.node(state)? {
            Node::Over(value) => {
                let (value, [lower, upper]) = (value * self.unit(), self.claimed(state));
                if lower > value || upper < value {
                    return Err(self.refuse(state, "the value of this end is not within its bounds"));
                }
                return Ok(());
            }
            Node::Choose { a, b } => [a, b],
        };
        let mut own = [vec![None; rows], vec![None; columns]];
        for (own, weights) in own.iter_mut().zip(weights) {
            for (action, weight) in weights {
                own[*action as usize] = Some(T::Sum::from(weight.clone()));
            }
        }
        // The claimed security levels, each as the player counts it.
        let [lower, upper] = self.bounds[state].clone().map(T::Sum::from);
        let promised = [lower, -upper].map(|bound| bound << self.format.weight_exponent);
        for first in (0..rows.max(columns)).step_by(REPLIES) {
            // The values of each player's weights against these actions of the opponent; `None` if a number is too large.
            let sums = |replies: usize| vec![Some(T::Sum::zero()); replies.saturating_sub(first).min(REPLIES)];
            let mut won = [sums(columns), sums(rows)];
            let Self { format: Format { exponent, .. }, bounds, row, .. } = self;
            self.game.cells(state, [rows, columns], row, |[a, b], cell| {
                for (player, mine, other) in [(0, a, b), (1, b, a)] {
                    let sum = other.checked_sub(first).and_then(|other| won[player].get_mut(other));
                    if let (Some(weight), Some(sum)) = (&own[player][mine], sum) {
                        let worth = worth::<N, T>(cell, player, *exponent, bounds);
                        *sum = sum.take().zip(worth).map(|(sum, worth)| sum + weight.clone() * worth);
                    }
                }
            })?;
            for (player, reason) in
                ["A's weights do not secure the lower bound", "B's weights do not secure the upper bound"].into_iter().enumerate()
            {
                if !won[player].iter().all(|won| won.as_ref().is_some_and(|won| *won >= promised[player])) {
                    return Err(self.refuse(state, reason));
                }
            }
        }
        Ok(())
    }
}

impl<T: Number> Check<'_, StochasticGame, T> {
    /// Checks that no opponent can keep play for ever, against the weights, among states whose bounds are better than the payoff
    /// of infinite plays.
    pub(super) fn ends(&self, weights: &[Weights<T>]) -> Result<(), StochasticGameError> {
        match [0, 1].into_iter().find_map(|player| self.kept(player, weights)) {
            Some(state) => {
                Err(self.refuse(state, "play can be kept here for ever, where the bound is better than what endless play pays"))
            }
            None => Ok(()),
        }
    }

    /// A state where a player's opponent can keep play for ever, without a reward, among better states than endless play.
    fn kept(&self, player: usize, weights: &[Weights<T>]) -> Option<usize> {
        let game = self.game;
        if !game.kind().may_last() {
            // Play ends, or is discounted, as was checked when the game was read.
            return None;
        }
        let is_better = |state: usize| {
            if game.kind() == Kind::Target {
                // Infinite plays pay the collecting player infinitely much: every bound of the other player is better.
                return player != usize::from(game.collector() == Player::B);
            }
            let (endless, [lower, upper]) = (game.endless(state) * self.unit(), self.claimed(state));
            if player == 0 { lower > endless } else { upper < endless }
        };
        let mut inside: Vec<bool> = (0..game.len()).map(|state| game.end_value(state).is_none() && is_better(state)).collect();
        loop {
            let mut left = false;
            for state in 0..inside.len() {
                let stays = |other: usize| {
                    weights[state][player].iter().all(|(own, _)| {
                        let [a, b] = if player == 0 { [*own as usize, other] } else { [other, *own as usize] };
                        let cell = game.cell(state, a, b);
                        cell.reward == 0 && cell.outcomes.iter().all(|outcome| inside[outcome.state as usize])
                    })
                };
                if inside[state] && !(0..game.sizes(state)[1 - player]).any(stays) {
                    inside[state] = false;
                    left = true;
                }
            }
            if !left {
                return inside.iter().position(|&inside| inside);
            }
        }
    }
}

/// The bounds and weights of a state with these numbers of actions, or of an end, if they are well-formed.
fn parsed<T: Number>(format: Format, sizes: Option<[usize; 2]>, proof: &StateProof) -> Option<([T; 2], Weights<T>)> {
    let power = |exponent: u32| T::Sum::one() << exponent;
    let bound = |digits: &str| T::read(digits).filter(|bound| T::Sum::from(bound.clone()).abs() <= power(format.bound_bits));
    let bounds = [bound(&proof.lower)?, bound(&proof.upper)?];
    let Some([a, b]) = sizes else {
        return (proof.a.is_empty() && proof.b.is_empty()).then(|| (bounds, Weights::default()));
    };
    let strategy = |written: &[(u32, String)], actions: usize| {
        let (mut strategy, mut sum) = (Vec::with_capacity(written.len()), T::Sum::zero());
        for (action, weight) in written {
            let weight = T::read(weight)?;
            let counted = T::Sum::from(weight.clone());
            if !counted.is_positive() || *action as usize >= actions {
                return None;
            }
            sum = sum + counted;
            strategy.push((*action, weight));
        }
        let rising = strategy.windows(2).all(|pair| pair[0].0 < pair[1].0);
        (rising && sum == power(format.weight_exponent)).then_some(strategy)
    };
    Some((bounds, [strategy(&proof.a, a)?, strategy(&proof.b, b)?]))
}

/// The security level of a cell as its player counts it, in whole units.
fn worth<N: NumberedGame, T: Number>(cell: &CellView<'_>, player: usize, exponent: u32, bounds: &[[T; 2]]) -> Option<T::Sum> {
    let mut sum = T::Sum::zero();
    // In version 1 at most 2^62 times 2^62 in all.
    for outcome in cell.outcomes {
        let (state, exchanged) = N::place(outcome.state);
        // B's payoff is the negative of A's, and B is A where the players are exchanged.
        let is_upper = (player == 1) != exchanged;
        let bound = T::Sum::from(bounds[state][usize::from(is_upper)].clone());
        let product = T::Sum::from(outcome.weight) * bound;
        sum = if is_upper { sum - product } else { sum + product };
    }
    if cell.reward != 0 {
        let reward = if player == 0 { cell.reward } else { -cell.reward };
        sum = sum.checked_add(&T::paid(reward, exponent)?)?;
    }
    Some(sum.div_floor(&T::Sum::from(cell.denominator))).filter(T::allows)
}
