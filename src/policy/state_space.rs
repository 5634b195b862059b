//! Which states a policy speaks about, and in which order they are kept.

use super::Policy;
use crate::error::Error;
use crate::game::{Ball, Player, Rules, State};
use crate::solution::Solver;

/// All states up to some points on a field, by A's points, then B's, then the ball.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StateSpace {
    pub(crate) points: [u32; 2],
    pub(crate) field: i32,
}

impl StateSpace {
    /// The states of a game that has been checked.
    pub(crate) const fn new(points: [u32; 2], field: i32) -> Self {
        Self { points, field }
    }

    /// The states of a game whose policies can be kept in memory.
    pub(crate) fn checked(rules: &Rules, points: [u32; 2]) -> Result<Self, Error> {
        for (player, points) in Player::BOTH.into_iter().zip(points) {
            if points == 0 {
                return Err(Error::NoPoints { player });
            }
            if points > Solver::MOST_POINTS {
                return Err(Error::TooManyPoints { points, most: Solver::MOST_POINTS });
            }
        }
        let space = Self::new(points, rules.field());
        let [a, b] = points;
        let bytes = space.bytes();
        if bytes > Policy::MEMORY_LIMIT {
            return Err(Error::PolicyMemory { a, b, bytes, limit: Policy::MEMORY_LIMIT });
        }
        Ok(space)
    }

    /// The most memory that a policy of both players takes: ten bytes for every legal bid and eight for every state.
    fn bytes(&self) -> u64 {
        // Points have 16 bits and positions 8, so that the product has no more than 63.
        let [a, b] = self.points.map(|points| u64::from(points) + 1);
        let positions = 2 * self.field as u64 + 1;
        (positions * a * b).saturating_mul(5 * (a + b) + 16)
    }

    /// All states.
    pub(crate) fn states(self) -> impl Iterator<Item = State> {
        let [most_a, most_b] = self.points;
        (0..=most_a).flat_map(move |a| {
            (0..=most_b).flat_map(move |b| (-self.field..=self.field).map(move |ball| State::new(a, b, Ball::at(ball))))
        })
    }

    /// The number of states.
    pub(crate) const fn len(&self) -> usize {
        (self.points[0] as usize + 1) * (self.points[1] as usize + 1) * (2 * self.field as usize + 1)
    }

    /// The place of a state that has been checked.
    pub(crate) const fn index(&self, state: State) -> usize {
        let column = state.a as usize * (self.points[1] as usize + 1) + state.b as usize;
        column * (2 * self.field as usize + 1) + (state.ball.position() + self.field) as usize
    }

    /// Checks that a state is one of these.
    pub(crate) fn check(&self, state: State) -> Result<(), Error> {
        let ball = state.ball.position();
        if ball.abs() > self.field {
            return Err(Error::BallOutside { ball, field: self.field });
        }
        let [a, b] = self.points;
        if state.a > a || state.b > b {
            return Err(Error::OutsidePolicy { state, a, b });
        }
        Ok(())
    }
}
