//! The task of a sweep.

use super::order::Method;
use crate::game::Rules;

/// The task of a sweep: the game to solve, and the results to keep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub(crate) rules: Rules,
    pub(crate) points: [u32; 2],
    pub(crate) method: Method,
    pub(crate) mirrored: bool,
    pub(crate) keep_strategies: bool,
}

impl Task {
    /// Whether B's view of every state is A's view of its mirror image.
    pub(crate) const fn views_shared(&self) -> bool {
        self.mirrored && self.points[0] == self.points[1]
    }
}
