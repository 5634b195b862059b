//! Names of states and actions, numbered.

use std::fmt::Write;
use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// Distinct names in one text, numbered from 0 in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    text: String,
    ends: Vec<usize>,
    places: Places,
}

/// Finds the numbers of names.
#[derive(Clone, Debug)]
enum Places {
    /// Every name is its number in decimal digits.
    Numbers,
    Hashed {
        table: HashTable<u32>,
        hasher: DefaultHashBuilder,
    },
}

impl Default for Places {
    fn default() -> Self {
        Self::Hashed { table: HashTable::new(), hasher: DefaultHashBuilder::default() }
    }
}

/// The name of a number in the text.
fn name<'t>(text: &'t str, ends: &[usize], number: u32) -> &'t str {
    let number = number as usize;
    &text[number.checked_sub(1).map_or(0, |before| ends[before])..ends[number]]
}

impl Names {
    /// The names `0`, `1`, `2`, …, which need no hashing.
    pub(super) fn of_numbers(count: usize) -> Self {
        let mut text = String::new();
        let mut ends = Vec::with_capacity(count);
        for number in 0..count {
            // A string takes all text.
            let _ = write!(text, "{number}");
            ends.push(text.len());
        }
        Self { text, ends, places: Places::Numbers }
    }

    /// Whether every name is known to be its number.
    pub(super) const fn are_numbers(&self) -> bool {
        matches!(self.places, Places::Numbers)
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn bytes(&self) -> u64 {
        self.text.len() as u64
    }

    pub(super) fn get(&self, number: usize) -> Option<&str> {
        let end = *self.ends.get(number)?;
        Some(&self.text[number.checked_sub(1).map_or(0, |before| self.ends[before])..end])
    }

    pub(super) fn find(&self, name: &str) -> Option<u32> {
        match &self.places {
            Places::Numbers => {
                let number: u32 = name.parse().ok()?;
                // `01` is not the name of 1.
                (self.get(number as usize) == Some(name)).then_some(number)
            }
            Places::Hashed { table, hasher } => table
                .find(hasher.hash_one(name), |&place| self.get(place as usize) == Some(name))
                .copied(),
        }
    }

    /// Adds a new name.
    pub(super) fn add(&mut self, name: &str) {
        let number = self.len() as u32;
        self.text.push_str(name);
        self.ends.push(self.text.len());
        if self.are_numbers() {
            self.hash_all();
            return;
        }
        let Self { text, ends, places } = self;
        if let Places::Hashed { table, hasher } = places {
            table.insert_unique(hasher.hash_one(name), number, |&number| {
                hasher.hash_one(self::name(text, ends, number))
            });
        }
    }

    /// Hashes the names that were their numbers.
    fn hash_all(&mut self) {
        let mut table = HashTable::with_capacity(self.len());
        let hasher = DefaultHashBuilder::default();
        for number in 0..self.len() as u32 {
            let hash = |&number: &u32| hasher.hash_one(name(&self.text, &self.ends, number));
            table.insert_unique(hash(&number), number, hash);
        }
        self.places = Places::Hashed { table, hasher };
    }

    /// The same names in another order, whose inverse is `numbers`.
    pub(super) fn reordered(mut self, order: &[u32], numbers: &[u32]) -> Self {
        if (0..).zip(order).all(|(new, &old): (u32, _)| new == old) {
            return self;
        }
        if self.are_numbers() {
            self.hash_all();
        }
        let mut text = String::with_capacity(self.text.len());
        let mut ends = Vec::with_capacity(order.len());
        for &old in order {
            text.push_str(self.get(old as usize).unwrap_or_default());
            ends.push(text.len());
        }
        if let Places::Hashed { table, .. } = &mut self.places {
            table.iter_mut().for_each(|place| *place = numbers[*place as usize]);
        }
        Self { text, ends, ..self }
    }
}
