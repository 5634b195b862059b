//! States to which play can return: solved together, by bounds that are proved at every step.

mod answers;
mod cycle;
mod cyclic;
mod end_components;
mod local_game;
mod markov_chain;
mod policy_iteration;
mod turns;

pub(crate) use cycle::{Course, CycleFacts, CycleProgress, CyclicState, Weights};
pub(crate) use cyclic::CyclicSolver;
pub(crate) use end_components::{EndComponents, narrow};
pub(crate) use local_game::{LocalGame, Side};
pub(crate) use policy_iteration::{PolicyIteration, is_kept};
pub(crate) use turns::Turns;
