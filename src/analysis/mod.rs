//! Questions asked of a game or a solution.

mod endgame;
mod forced;

pub use endgame::Endgame;
pub use forced::ForcedPlay;
