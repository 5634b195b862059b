//! The bounds that are proved.

use crate::bounds::{Bounds, Enclosure};
use crate::error::Error;
use crate::game::{Ball, Rules, State, StateSpace};

/// Proved bounds of every state's value, in integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    rules: Rules,
    space: StateSpace,
    exponent: u32,
    bounds: Vec<Bounds>,
}

impl Proof {
    pub(super) fn new(rules: Rules, points: [u32; 2], exponent: u32) -> Self {
        let space = StateSpace::new(&rules, points);
        Self { rules, space, exponent, bounds: vec![Bounds::default(); space.len()] }
    }

    /// Bounds of all states, in their order, that were proved elsewhere.
    pub(crate) fn of(rules: Rules, points: [u32; 2], exponent: u32, bounds: impl Iterator<Item = Bounds>) -> Self {
        Self { rules, space: StateSpace::new(&rules, points), exponent, bounds: bounds.collect() }
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
    pub fn len(&self) -> usize {
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
    /// [`Error::Game`].
    pub fn bounds(&self, state: State) -> Result<Bounds, Error> {
        self.space.check(state)?;
        Ok(self.get(state))
    }

    /// The largest distance between the bounds of a state, in units.
    pub fn widest_units(&self) -> i64 {
        self.bounds.iter().map(|bounds| bounds.upper - bounds.lower).max().unwrap_or(0)
    }

    /// The bounds of a state's value that the certificate proves.
    ///
    /// # Errors
    /// As for [`Self::bounds`].
    ///
    /// ```
    /// let solution = pencil_tennis::solve(8)?;
    /// let proof = pencil_tennis::certificate::verify(&solution.certificate())?;
    /// assert_eq!(proof.enclosure(proof.start())?, solution.enclosure(solution.start())?);
    /// assert_eq!(proof.widest_enclosure(), solution.widest_enclosure());
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    pub fn enclosure(&self, state: State) -> Result<Enclosure, Error> {
        Ok(Enclosure::from_integers(self.bounds(state)?, self.exponent))
    }

    /// The largest width of the bounds of any state, rounded up as [`Enclosure::width`] is.
    pub fn widest_enclosure(&self) -> f64 {
        Enclosure::from_integers(Bounds::new(0, self.widest_units()), self.exponent).width()
    }

    /// All states with their bounds, by A's points, then B's, then the ball.
    pub fn iter(&self) -> impl Iterator<Item = (State, Bounds)> {
        self.space.states().map(|state| (state, self.get(state)))
    }

    pub(super) fn get(&self, state: State) -> Bounds {
        self.bounds[self.space.index(state)]
    }

    pub(super) fn set(&mut self, state: State, bounds: Bounds) {
        let index = self.space.index(state);
        self.bounds[index] = bounds;
    }
}
