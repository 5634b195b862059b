//! Names of states and actions, numbered.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// Distinct names in one text, numbered from 0 in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    text: String,
    ends: Vec<usize>,
    places: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

/// The name of a number in the text.
fn name<'t>(text: &'t str, ends: &[usize], number: u32) -> &'t str {
    let number = number as usize;
    &text[number.checked_sub(1).map_or(0, |before| ends[before])..ends[number]]
}

impl Names {
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
        self.places
            .find(self.hasher.hash_one(name), |&place| self.get(place as usize) == Some(name))
            .copied()
    }

    /// Makes room for this many names more.
    pub(super) fn reserve(&mut self, names: usize) {
        let Self { text, ends, places, hasher } = self;
        ends.reserve(names);
        places.reserve(names, |&number| hasher.hash_one(name(text, ends, number)));
    }

    /// Adds a new name.
    pub(super) fn add(&mut self, name: &str) {
        let number = self.len() as u32;
        self.text.push_str(name);
        self.ends.push(self.text.len());
        let Self { text, ends, places, hasher } = self;
        let own = hasher.hash_one(name);
        places
            .insert_unique(own, number, |&number| hasher.hash_one(self::name(text, ends, number)));
    }

    /// The same names in another order, whose inverse is `numbers`.
    pub(super) fn reordered(mut self, order: &[u32], numbers: &[u32]) -> Self {
        let mut text = String::with_capacity(self.text.len());
        let mut ends = Vec::with_capacity(order.len());
        for &old in order {
            text.push_str(self.get(old as usize).unwrap_or_default());
            ends.push(text.len());
        }
        self.places.iter_mut().for_each(|place| *place = numbers[*place as usize]);
        Self { text, ends, ..self }
    }
}
