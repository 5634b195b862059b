//! The states that were met, numbered in the order in which they were met.

use std::hash::{BuildHasher, Hash};

use hashbrown::{DefaultHashBuilder, HashTable};

/// States and their numbers.
#[derive(Clone, Debug)]
pub(super) struct StateTable<S> {
    states: Vec<S>,
    places: Places,
}

#[derive(Clone, Debug)]
enum Places {
    Hashed {
        table: HashTable<u32>,
        hasher: DefaultHashBuilder,
    },
    /// By a number of the game's own.
    Indexed(Vec<u32>),
}

/// No state has this number.
const NONE: u32 = u32::MAX;

impl<S: Hash + Eq> StateTable<S> {
    /// No states; with indices below this limit, or hashed if it is 0.
    pub(super) fn new(index_limit: usize) -> Self {
        let places = match index_limit {
            0 => Places::Hashed { table: HashTable::new(), hasher: DefaultHashBuilder::default() },
            limit => Places::Indexed(vec![NONE; limit]),
        };
        Self { states: Vec::new(), places }
    }

    /// The bytes that a state takes here, at most, while the table grows.
    pub(super) const fn bytes_a_state(index_limit: usize) -> u64 {
        let place = if index_limit == 0 { 16 } else { 0 };
        2 * size_of::<S>() as u64 + place
    }

    /// The states in their order.
    pub(super) fn states(&self) -> &[S] {
        &self.states
    }

    /// The number of a state; `index` is asked where the game has one.
    #[inline]
    pub(super) fn find(&self, state: &S, index: impl FnOnce(&S) -> usize) -> Option<u32> {
        match &self.places {
            Places::Hashed { table, hasher } => {
                table.find(hasher.hash_one(state), |&place| self.states[place as usize] == *state).copied()
            }
            Places::Indexed(places) => places.get(index(state)).copied().filter(|&place| place != NONE),
        }
    }

    /// The number of a state, which may be new.
    ///
    /// # Errors
    /// The state, if its index is too large or that of another state.
    #[inline]
    pub(super) fn enter(&mut self, state: S, index: impl FnOnce(&S) -> usize) -> Result<u32, S> {
        let Self { states, places } = self;
        match places {
            Places::Hashed { table, hasher } => {
                let hash = hasher.hash_one(&state);
                if let Some(&place) = table.find(hash, |&place| states[place as usize] == state) {
                    return Ok(place);
                }
                let place = states.len() as u32;
                table.insert_unique(hash, place, |&place| hasher.hash_one(&states[place as usize]));
                states.push(state);
                Ok(place)
            }
            Places::Indexed(places) => match places.get_mut(index(&state)) {
                Some(place) if *place == NONE => {
                    *place = states.len() as u32;
                    states.push(state);
                    Ok(*place)
                }
                Some(place) if states[*place as usize] == state => Ok(*place),
                _ => Err(state),
            },
        }
    }
}
