//! Questions asked of a game or a solution.

mod endgame;
mod fixed_point;
mod forced;
mod series;
mod series_solver;

pub use endgame::Endgame;
pub use forced::ForcedPlay;
pub use series::{Score, Series};
pub use series_solver::{SeriesProgress, SeriesSolver};
