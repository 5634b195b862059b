//! The check of a certificate: integer arithmetic that knows the game and nothing of how it was solved, written once more on
//! purpose.

use std::io::BufRead;

use num_bigint::BigInt;
use num_rational::BigRational;

use super::certificate::{StateProof, read_line, read_object};
use crate::bounds::Bounds;
use crate::error::{StochasticGameError, StochasticGameFault};
use crate::game::Player;
use crate::matrix_game::DyadicStrategy;
use crate::stochastic_game::model::{CellView, Kind, NodeView, NumberedGame, StochasticGame, seen};

pub(super) type Weights = [Vec<(u32, u64)>; 2];

/// Bounds are within ±2^this, so that no sum overflows.
const MOST_BITS: u32 = 62;

/// A game with the bounds that its certificate claims, in units of 2^−`exponent`.
pub(super) struct Check<'g, N: NumberedGame> {
    game: &'g N,
    exponent: u32,
    bounds: Vec<Bounds>,
    row: N::Row,
}

impl<'g, N: NumberedGame> Check<'g, N> {
    pub(super) fn new(game: &'g N, exponent: u32) -> Self {
        Self { game, exponent, bounds: vec![Bounds::default(); game.numbers()], row: N::Row::default() }
    }

    pub(super) fn bounds(self) -> Vec<Bounds> {
        self.bounds
    }

    fn refuse(&self, state: usize, reason: &str) -> StochasticGameError {
        self.game.refuse(state, StochasticGameFault::Text { reason: reason.to_owned() })
    }

    fn unit(&self) -> BigRational {
        BigRational::from_integer(BigInt::from(1) << self.exponent)
    }

    /// Reads the line of a state: its bounds are claimed, and its weights returned.
    pub(super) fn read(&mut self, state: usize, input: &mut impl BufRead) -> Result<Weights, StochasticGameError> {
        let mut line = Vec::new();
        read_line(input, &mut line)?;
        let proof: StateProof = read_object(&line)?;
        let sizes = match self.game.node(state)? {
            NodeView::Over(_) => None,
            NodeView::Play(sizes) => Some(sizes),
        };
        let (bounds, weights) =
            parsed(sizes, &proof).ok_or_else(|| self.refuse(state, "numbers or weights are not as described"))?;
        self.bounds[state] = bounds;
        Ok(weights)
    }

    /// Checks that weights secure the bounds of a state by those of its successors.
    pub(super) fn state(&mut self, state: usize, weights: &Weights) -> Result<(), StochasticGameError> {
        let Bounds { lower, upper } = self.bounds[state];
        let actions = match self.game.node(state)? {
            NodeView::Over(value) => {
                let value = &*value * self.unit();
                if BigRational::from_integer(lower.into()) > value || BigRational::from_integer(upper.into()) < value {
                    return Err(self.refuse(state, "the value of this end is not within its bounds"));
                }
                return Ok(());
            }
            NodeView::Play(actions) => actions,
        };
        let [rows, columns] = actions;
        let mut own = [vec![0_u64; rows], vec![0; columns]];
        for (own, weights) in own.iter_mut().zip(weights) {
            for &(action, weight) in weights {
                own[action as usize] = weight;
            }
        }
        // The worth of each player's weights against each action of the opponent; `None` where a number is too large.
        let mut won = [vec![Some(0_i128); columns], vec![Some(0); rows]];
        let Self { exponent, bounds, row, .. } = self;
        self.game.cells(state, actions, row, |[a, b], cell| {
            for (player, mine, other) in [(0, a, b), (1, b, a)] {
                let weight = own[player][mine];
                if weight > 0 {
                    let sum = &mut won[player][other];
                    let worth = worth(cell, player, *exponent, |next| seen::<N>(next, bounds));
                    *sum = sum.zip(worth).map(|(sum, worth)| sum + i128::from(weight) * worth);
                }
            }
        })?;
        let secures = |player: usize, bound: i64| {
            let bound = i128::from(bound) << DyadicStrategy::WHOLE_BITS;
            won[player].iter().all(|won| won.is_some_and(|won| won >= bound))
        };
        if !secures(0, lower) {
            return Err(self.refuse(state, "A's weights do not secure the lower bound"));
        }
        if !secures(1, -upper) {
            return Err(self.refuse(state, "B's weights do not secure the upper bound"));
        }
        Ok(())
    }
}

impl Check<'_, StochasticGame> {
    /// Checks that nobody can keep play for ever, against the weights, among states whose bounds are better than what endless
    /// play pays.
    pub(super) fn ends(&self, weights: &[Weights]) -> Result<(), StochasticGameError> {
        match [0, 1].into_iter().find_map(|player| self.kept(player, weights)) {
            Some(state) => {
                Err(self.refuse(state, "play can be kept here for ever, where the bound is better than what endless play pays"))
            }
            None => Ok(()),
        }
    }

    /// A state where a player's opponent can keep play for ever, without a reward, among better states than endless play.
    fn kept(&self, player: usize, weights: &[Weights]) -> Option<usize> {
        let game = self.game;
        if !matches!(game.kind(), Kind::Recursive | Kind::Total | Kind::Target) {
            // Play ends, or is discounted: the game was checked for that when it was read.
            return None;
        }
        let is_better = |state: usize| {
            if game.kind() == Kind::Target {
                // Endless play pays infinitely much to the player who collects: every bound of the other one is better.
                return player != usize::from(game.collector() == Player::B);
            }
            let endless = game.endless(state) * self.unit();
            let Bounds { lower, upper } = self.bounds[state];
            if player == 0 {
                BigRational::from_integer(lower.into()) > endless
            } else {
                BigRational::from_integer(upper.into()) < endless
            }
        };
        let mut inside: Vec<bool> = (0..game.len()).map(|state| game.end_value(state).is_none() && is_better(state)).collect();
        loop {
            let mut left = false;
            for state in 0..inside.len() {
                let stays = |other: usize| {
                    weights[state][player].iter().all(|&(own, _)| {
                        let [a, b] = if player == 0 { [own as usize, other] } else { [other, own as usize] };
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

/// The bounds and weights of a state with these numbers of actions, or of an end, if they are what they have to be.
fn parsed(sizes: Option<[usize; 2]>, proof: &StateProof) -> Option<(Bounds, Weights)> {
    let bound = |text: &str| text.parse::<i64>().ok().filter(|bound| bound.unsigned_abs() <= 1 << MOST_BITS);
    let bounds = Bounds::new(bound(&proof.lower)?, bound(&proof.upper)?);
    let Some([a, b]) = sizes else {
        return (proof.a.is_empty() && proof.b.is_empty()).then(|| (bounds, Weights::default()));
    };
    let strategy = |written: &[(u32, String)], actions: usize| {
        let strategy: Vec<(u32, u64)> =
            written.iter().map(|(action, weight)| Some((*action, weight.parse().ok()?))).collect::<Option<_>>()?;
        let rising = strategy.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let legal = strategy.iter().all(|&(action, weight)| (action as usize) < actions && weight > 0);
        let sum: u128 = strategy.iter().map(|&(_, weight)| u128::from(weight)).sum();
        (rising && legal && sum == u128::from(DyadicStrategy::WHOLE)).then_some(strategy)
    };
    Some((bounds, [strategy(&proof.a, a)?, strategy(&proof.b, b)?]))
}

/// The bound of a cell as its player counts it: what is won at least, in whole units.
fn worth(cell: &CellView<'_>, player: usize, exponent: u32, of: impl Fn(u32) -> Bounds) -> Option<i128> {
    let later = cell.outcomes.iter().map(|outcome| {
        let bounds = of(outcome.state);
        let bound = if player == 0 { i128::from(bounds.lower) } else { -i128::from(bounds.upper) };
        i128::from(outcome.weight) * bound
    });
    // At most 2^62 times 2^62 in all.
    let mut sum: i128 = later.sum();
    if cell.reward != 0 {
        let sign = if player == 0 { 1 } else { -1 };
        sum = i128::try_from((BigInt::from(cell.reward * sign) << exponent) + sum).ok()?;
    }
    Some(sum.div_euclid(i128::from(cell.denominator))).filter(|worth| worth.unsigned_abs() <= 1 << 63)
}
