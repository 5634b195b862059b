//! The selection among several optimal strategies.

mod dresher;
mod lexicographic_maximin;

pub use dresher::Refined;
pub use dresher::refine as refine_dresher;
