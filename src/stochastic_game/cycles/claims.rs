//! A component's claims, taken to the gate: bounds in short or in long numbers, with the strategies that are to prove them.

use num_bigint::BigInt;

use super::cycle::CyclicState;
use super::long::LongState;
use super::value_iteration::Component;
use crate::bounds::Bounds;
use crate::error::{StochasticGameError, StochasticGameFault};
use crate::matrix_game::DyadicStrategy;
use crate::matrix_game::exact::big_integer;
use crate::stochastic_game::gate::{Claims, Gate, Members, Units};

/// The states that a thread checks at a time.
const STATES_A_TASK: usize = 1 << 10;

/// Bounds of a component's states, and of all states outside.
struct ShortComponent<'c> {
    members: Members<'c>,
    found: &'c [CyclicState],
    outside: &'c [Bounds],
}

impl Claims<i128> for ShortComponent<'_> {
    fn bounds(&self, state: usize) -> [i128; 2] {
        let Bounds { lower, upper } = match self.members.place(state as u32) {
            Some(place) => self.found[place].bounds,
            None => self.outside[state],
        };
        [lower.into(), upper.into()]
    }
}

/// As [`ShortComponent`], in a unit that is 2^`finer` times as fine.
struct LongComponent<'c> {
    members: Members<'c>,
    found: Vec<[BigInt; 2]>,
    outside: &'c [Bounds],
    finer: usize,
}

impl Claims<BigInt> for LongComponent<'_> {
    fn bounds(&self, state: usize) -> [BigInt; 2] {
        if let Some(place) = self.members.place(state as u32) {
            return self.found[place].clone();
        }
        let Bounds { lower, upper } = self.outside[state];
        [lower, upper].map(|bound| BigInt::from(bound) << self.finer)
    }
}

impl Component<'_> {
    /// Takes the bounds of all states, rising, to the gate.
    ///
    /// # Errors
    /// The first state whose bounds the strategies do not prove.
    pub(crate) fn check(&self, found: &[CyclicState]) -> Result<(), StochasticGameError> {
        self.check_count(found.len())?;
        let claims = ShortComponent { members: Members(self.states), found, outside: self.outside };
        let units = Units { exponent: self.exponent, weight_exponent: DyadicStrategy::WHOLE_BITS };
        let tasks: Vec<_> = self.states.chunks(STATES_A_TASK).zip(found.chunks(STATES_A_TASK)).collect();
        let checked = self.threads.map_if(tasks.len() > 1, &tasks, |(): &mut (), &(states, found)| {
            let mut gate = Gate::new(self.game, units);
            let mut states = states.iter().zip(found);
            states.try_for_each(|(&state, found)| gate.check_state(state as usize, mixtures(found), &claims))
        });
        checked.into_iter().collect::<Result<(), _>>()?;
        Gate::new(self.game, units).check_waiting(self.states, |place| mixtures(&found[place]), &claims)
    }

    /// The same in longer numbers.
    pub(crate) fn check_long(&self, found: &[LongState]) -> Result<(), StochasticGameError> {
        self.check_count(found.len())?;
        let Some(&LongState { weight_bits, finer, .. }) = found.first() else { return Ok(()) };
        if found.iter().any(|state| state.weight_bits != weight_bits || state.finer != finer) {
            return Err(self.refuse("its long numbers are of different lengths"));
        }
        let bounds = found.iter().map(|state| state.bounds().map(big_integer)).collect();
        let claims = LongComponent { members: Members(self.states), found: bounds, outside: self.outside, finer };
        let units = Units { exponent: self.exponent + finer as u32, weight_exponent: weight_bits as u32 };
        let weights: Vec<[Vec<(u32, BigInt)>; 2]> = found
            .iter()
            .map(|state| {
                let long = |side: usize| state.sides[side].1.iter().map(|(action, weight)| (*action, big_integer(weight)));
                [long(0).collect(), long(1).collect()]
            })
            .collect();
        let mixtures = |place: usize| weights[place].each_ref().map(Vec::as_slice);
        let mut gate = Gate::new(self.game, units);
        for (place, &state) in self.states.iter().enumerate() {
            gate.check_state(state as usize, mixtures(place), &claims)?;
        }
        gate.check_waiting(self.states, mixtures, &claims)
    }

    /// Whether all weights are those of actions that are there.
    pub(crate) fn are_legal(&self, found: &[CyclicState]) -> bool {
        let is_legal = |(&state, found): (&u32, &CyclicState)| {
            found.weights.iter().zip(self.game.sizes(state as usize)).all(|(weights, actions)| {
                let is_legal = |&(action, weight): &(u32, u64)| (action as usize) < actions && weight > 0;
                !weights.is_empty() && weights.iter().all(is_legal)
            })
        };
        found.len() == self.states.len() && self.states.iter().zip(found).all(is_legal)
    }

    fn check_count(&self, found: usize) -> Result<(), StochasticGameError> {
        if found == self.states.len() { Ok(()) } else { Err(self.refuse("there are not bounds of all states")) }
    }

    fn refuse(&self, reason: &str) -> StochasticGameError {
        use crate::stochastic_game::model::NumberedGame;
        self.game.refuse(self.states[0] as usize, StochasticGameFault::Text { reason: reason.to_owned() })
    }
}

fn mixtures(found: &CyclicState) -> [&[(u32, u64)]; 2] {
    found.weights.each_ref().map(Vec::as_slice)
}
