//! A hash table from states to their numbers.

use std::hash::{BuildHasher, Hash};

use hashbrown::{DefaultHashBuilder, HashTable};

/// The states found, with their numbers: the order of discovery, or indices of the game's own,
/// which keep neighbours together.
#[derive(Clone, Debug)]
pub(crate) struct StateTable<S> {
    /// By number; unused indices are [vacant](StateRecord::VACANT).
    entries: Vec<Entry<S>>,
    count: usize,
    /// The numbers by the hashes of states, where these have no indices.
    hashed: Option<(HashTable<u32>, DefaultHashBuilder)>,
}

/// A state with its data: one memory access finds both.
#[derive(Clone, Debug)]
pub(crate) struct Entry<S> {
    state: S,
    pub(crate) record: StateRecord,
}

/// The record of a state in the search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StateRecord {
    /// A bound of the size of the state's value in an acyclic game, rounded up.
    pub(crate) size: f64,
    /// The longest way to an end, in an acyclic game; or one of the numbers below.
    pub(crate) level: u32,
    /// A digest of the state's cells, or of its payoff if it is an end, to detect rules that answer
    /// otherwise when asked again; 0 before the state was expanded.
    pub(crate) digest: u32,
}

impl StateRecord {
    /// The level of an unused number.
    const VACANT: u32 = u32::MAX;

    /// The level of a state that is not expanded yet.
    pub(crate) const UNSEEN: u32 = u32::MAX - 1;

    /// The level of a state that is being explored.
    pub(crate) const OPEN: u32 = u32::MAX - 2;

    /// Whether the state and all its successors were explored.
    #[inline]
    pub(crate) const fn is_explored(&self) -> bool {
        self.level < Self::OPEN
    }
}

impl<S> Entry<S> {
    const fn new(state: S, level: u32) -> Self {
        Self { state, record: StateRecord { size: 0.0, level, digest: 0 } }
    }
}

impl<S: Hash + Eq + Clone> StateTable<S> {
    /// An empty table with indices below this limit, or hashed if it is 0. `any` fills unused
    /// entries.
    pub(crate) fn new(index_limit: usize, any: &S) -> Self {
        let hashed = (index_limit == 0).then(|| (HashTable::new(), DefaultHashBuilder::default()));
        Self {
            entries: vec![Entry::new(any.clone(), StateRecord::VACANT); index_limit],
            count: 0,
            hashed,
        }
    }

    /// The most bytes that a number takes here while the table grows.
    pub(crate) const fn bytes_a_number(index_limit: usize) -> u64 {
        let entry = size_of::<Entry<S>>() as u64;
        if index_limit == 0 { 2 * entry + 16 } else { entry }
    }

    pub(crate) const fn len(&self) -> usize {
        self.count
    }

    /// One more than the largest number, now or ever.
    pub(crate) fn numbers(&self) -> usize {
        self.entries.len()
    }

    #[inline]
    pub(crate) fn get(&self, number: usize) -> Option<&S> {
        self.entries
            .get(number)
            .filter(|entry| entry.record.level != StateRecord::VACANT)
            .map(|entry| &entry.state)
    }

    /// The state of a number in use.
    #[inline]
    pub(crate) fn state(&self, number: usize) -> &S {
        &self.entries[number].state
    }

    #[inline]
    pub(crate) fn record(&self, number: usize) -> &StateRecord {
        &self.entries[number].record
    }

    #[inline]
    pub(crate) fn record_mut(&mut self, number: usize) -> &mut StateRecord {
        &mut self.entries[number].record
    }

    pub(crate) fn records(&self) -> impl Iterator<Item = &StateRecord> {
        self.entries.iter().map(|entry| &entry.record)
    }

    /// The key of a state: its index if the game has one, else its hash.
    #[inline]
    pub(crate) fn key(&self, state: &S, index: impl FnOnce(&S) -> usize) -> u64 {
        match &self.hashed {
            Some((_, hasher)) => hasher.hash_one(state),
            None => index(state) as u64,
        }
    }

    /// The number of a state with this key, if it was found.
    #[inline]
    pub(crate) fn find(&self, key: u64, state: &S) -> Option<u32> {
        let is = |number: u64| self.get(number as usize).is_some_and(|known| known == state);
        match &self.hashed {
            Some((table, _)) => table.find(key, |&number| is(number.into())).copied(),
            None => is(key).then_some(key as u32),
        }
    }

    /// The number of a state with this key that was found before; otherwise an index may belong to
    /// another state.
    #[inline]
    pub(crate) fn expect(&self, key: u64, state: &S) -> Option<u32> {
        match &self.hashed {
            Some(_) => self.find(key, state),
            None => (key < self.entries.len() as u64).then_some(key as u32),
        }
    }

    /// The number of a state with this key, which may be new.
    ///
    /// # Errors
    /// The state, if its index is too large or that of another state.
    #[inline]
    pub(crate) fn enter(&mut self, key: u64, state: S) -> Result<u32, S> {
        let Self { entries, count, hashed } = self;
        let Some((table, hasher)) = hashed else {
            return match entries.get_mut(key as usize) {
                Some(entry) if entry.record.level == StateRecord::VACANT => {
                    *entry = Entry::new(state, StateRecord::UNSEEN);
                    *count += 1;
                    Ok(key as u32)
                }
                Some(entry) if entry.state == state => Ok(key as u32),
                _ => Err(state),
            };
        };
        if let Some(&number) = table.find(key, |&number| entries[number as usize].state == state) {
            return Ok(number);
        }
        let number = entries.len() as u32;
        table
            .insert_unique(key, number, |&number| hasher.hash_one(&entries[number as usize].state));
        entries.push(Entry::new(state, StateRecord::UNSEEN));
        *count += 1;
        Ok(number)
    }
}
