//! Questions asked of a game or its solution.

mod forced;

pub use forced::ForcedPlay;
