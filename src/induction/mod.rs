//! The backward sweep over all states.

mod bases;
mod big_sweep;
mod driver;
mod exact_tier;
mod method;
mod order;
mod progress;
mod running_sums;
mod stage_game;
mod stage_proof;
mod stage_solver;
mod strategies;
mod sweep;
mod systems;
mod table;
mod unit;

pub use method::Method;
pub use progress::Progress;
pub use sweep::Seconds;

pub(crate) use bases::LayerBases;
pub(crate) use big_sweep::{BigBounds, bounds as big_bounds};
pub(crate) use driver::{Clock, Threads};
pub(crate) use exact_tier::ExactTier;
pub(crate) use order::Order;
pub(crate) use stage_game::StageGame;
pub(crate) use stage_solver::ROUNDING_UNITS;
pub(crate) use strategies::Packed;
pub(crate) use sweep::{Milestone, Observer, Sweep, Task};
pub(crate) use table::Table;
pub(crate) use unit::Unit;
