//! The proof that a certificate carries.

use super::CertificateError;
use crate::game::{Ball, Rules, State, StateSpace};

/// Proved bounds of every state's value, in integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    rules: Rules,
    space: StateSpace,
    exponent: u32,
    bounds: Vec<[i64; 2]>,
}

impl Proof {
    pub(super) fn new(rules: Rules, points: [u32; 2], exponent: u32) -> Self {
        let space = StateSpace::new(&rules, points);
        Self { rules, space, exponent, bounds: vec![[0; 2]; space.len()] }
    }

    /// The rules the bounds are about.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The most points A and B have.
    pub const fn points(&self) -> [u32; 2] {
        self.space.points()
    }

    /// Bounds are integers in units of 2^−exponent.
    pub const fn exponent(&self) -> u32 {
        self.exponent
    }

    /// The number of states.
    pub const fn len(&self) -> usize {
        self.bounds.len()
    }

    /// Never: there is always a state.
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// The state at the start: all points and the ball on the net.
    pub const fn start(&self) -> State {
        let [a, b] = self.space.points();
        State::new(a, b, Ball::NET)
    }

    /// The proved lower and upper bound of a state's value, in units.
    ///
    /// # Errors
    /// [`CertificateError::Game`], [`CertificateError::Outside`].
    pub fn bounds(&self, state: State) -> Result<[i64; 2], CertificateError> {
        self.space.check(state, |state, [a, b]| CertificateError::Outside { state, a, b })?;
        Ok(self.get(state))
    }

    /// The largest distance between the bounds of a state, in units.
    pub fn widest_units(&self) -> i64 {
        self.bounds.iter().map(|[lower, upper]| upper - lower).max().unwrap_or(0)
    }

    /// The same as a number, rounded up.
    pub fn widest(&self) -> f64 {
        let units = self.widest_units();
        let nearest = units as f64;
        let above = if (nearest as i128) < i128::from(units) { nearest.next_up() } else { nearest };
        above * (-f64::from(self.exponent)).exp2()
    }

    /// All states with their bounds, by A's points, then B's, then the ball.
    pub fn iter(&self) -> impl Iterator<Item = (State, [i64; 2])> {
        self.space.states().map(|state| (state, self.get(state)))
    }

    pub(super) fn get(&self, state: State) -> [i64; 2] {
        self.bounds[self.space.index(state)]
    }

    pub(super) fn set(&mut self, state: State, bounds: [i64; 2]) {
        let index = self.space.index(state);
        self.bounds[index] = bounds;
    }
}
