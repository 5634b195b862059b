//! The states that were met, by numbers.

use std::hash::{BuildHasher, Hash};

use hashbrown::{DefaultHashBuilder, HashTable};

/// States and their numbers: those in which they were met, or indices of the game's own, which keep neighbours together.
#[derive(Clone, Debug)]
pub(super) enum StateTable<S> {
    Hashed {
        states: Vec<S>,
        table: HashTable<u32>,
        hasher: DefaultHashBuilder,
    },
    /// By index; not all of them are states.
    Indexed {
        states: Vec<Option<S>>,
        count: usize,
    },
}

impl<S: Hash + Eq + Clone> StateTable<S> {
    /// No states; with indices below this limit, or hashed if it is 0.
    pub(super) fn new(index_limit: usize) -> Self {
        match index_limit {
            0 => Self::Hashed { states: Vec::new(), table: HashTable::new(), hasher: DefaultHashBuilder::default() },
            limit => Self::Indexed { states: vec![None; limit], count: 0 },
        }
    }

    /// The bytes that a number takes here, at most, while the table grows.
    pub(super) const fn bytes_a_number(index_limit: usize) -> u64 {
        if index_limit == 0 { 2 * size_of::<S>() as u64 + 16 } else { size_of::<Option<S>>() as u64 }
    }

    /// The number of states.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Hashed { states, .. } => states.len(),
            Self::Indexed { count, .. } => *count,
        }
    }

    /// One more than the largest number there is now, or ever will be.
    pub(super) fn numbers(&self) -> usize {
        match self {
            Self::Hashed { states, .. } => states.len(),
            Self::Indexed { states, .. } => states.len(),
        }
    }

    /// The state with a number, if there is one.
    #[inline]
    pub(super) fn get(&self, number: usize) -> Option<&S> {
        match self {
            Self::Hashed { states, .. } => states.get(number),
            Self::Indexed { states, .. } => states.get(number)?.as_ref(),
        }
    }

    /// The number of a state; `index` is asked where the game has one.
    #[inline]
    pub(super) fn find(&self, state: &S, index: impl FnOnce(&S) -> usize) -> Option<u32> {
        match self {
            Self::Hashed { states, table, hasher } => {
                table.find(hasher.hash_one(state), |&number| states[number as usize] == *state).copied()
            }
            Self::Indexed { states, .. } => {
                let number = index(state);
                (states.get(number)?.as_ref() == Some(state)).then_some(number as u32)
            }
        }
    }

    /// The number of a state, which may be new.
    ///
    /// # Errors
    /// The state, if its index is too large or that of another state.
    #[inline]
    pub(super) fn enter(&mut self, state: S, index: impl FnOnce(&S) -> usize) -> Result<u32, S> {
        match self {
            Self::Hashed { states, table, hasher } => {
                let hash = hasher.hash_one(&state);
                if let Some(&number) = table.find(hash, |&number| states[number as usize] == state) {
                    return Ok(number);
                }
                let number = states.len() as u32;
                table.insert_unique(hash, number, |&number| hasher.hash_one(&states[number as usize]));
                states.push(state);
                Ok(number)
            }
            Self::Indexed { states, count } => {
                let number = index(&state);
                match states.get_mut(number) {
                    Some(Some(known)) if *known == state => Ok(number as u32),
                    Some(empty @ None) => {
                        *empty = Some(state);
                        *count += 1;
                        Ok(number as u32)
                    }
                    _ => Err(state),
                }
            }
        }
    }
}
