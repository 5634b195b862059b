use crate::bounds::{Bounds, Enclosure};
use crate::error::Error;
use crate::game::{Ball, Rules, State, StateSpace};

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

    /// Bounds of all states, in order, which the caller has proved.
    pub(crate) fn of(rules: Rules, points: [u32; 2], exponent: u32, bounds: impl Iterator<Item = Bounds>) -> Self {
        Self { rules, space: StateSpace::new(&rules, points), exponent, bounds: bounds.collect() }
    }

    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    pub const fn points(&self) -> [u32; 2] {
        self.space.points()
    }

    /// The exponent of the unit 2^−exponent.
    pub const fn exponent(&self) -> u32 {
        self.exponent
    }

    pub fn len(&self) -> usize {
        self.bounds.len()
    }

    pub const fn is_empty(&self) -> bool {
        false
    }

    pub const fn start(&self) -> State {
        let [a, b] = self.space.points();
        State::new(a, b, Ball::NET)
    }

    pub fn bounds(&self, state: State) -> Result<Bounds, Error> {
        self.space.check(state)?;
        Ok(self.get(state))
    }

    pub fn widest_units(&self) -> i64 {
        self.bounds.iter().map(|bounds| bounds.upper - bounds.lower).max().unwrap_or(0)
    }

    /// The proved bounds of a state's value.
    pub fn enclosure(&self, state: State) -> Result<Enclosure, Error> {
        Ok(Enclosure::from_integers(self.bounds(state)?, self.exponent))
    }

    /// The width of the widest bounds, rounded up as [`Enclosure::width`] is.
    pub fn widest_enclosure(&self) -> f64 {
        Enclosure::from_integers(Bounds::new(0, self.widest_units()), self.exponent).width()
    }

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
