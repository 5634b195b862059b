//! States to which play can return: solved together, by bounds that are proved at every step.

mod almost_sure;
mod claims;
mod cycle;
mod cyclic;
mod double_matrix;
mod elimination;
mod end_components;
mod homotopy;
mod local_game;
mod long;
mod longest_stay;
mod markov_chain;
mod most_paid;
mod opponent_mdp;
mod policy_iteration;
mod proof;
mod turns;
mod value_iteration;
mod vanishing;

pub(crate) use almost_sure::reach_best_exits;
pub(crate) use claims::MARGINS;
pub(crate) use cycle::{
    CheckCancel, CycleControl, CycleProgress, CyclicState, NO_WIDTH, RoundProgress, Weights,
};
pub(crate) use cyclic::{CyclicSolver, LARGEST, Lengthened, WIDE_BITS};
pub(crate) use homotopy::{LongProgress, Narrowing, NewtonMethod, NewtonProgress, ShortBest};
pub(crate) use local_game::{LocalGame, Side};
pub(crate) use long::{LongClaims, LongSide, LongState, LongStates, LongWeights, Replies};
pub(crate) use policy_iteration::{PolicyClaim, PolicyIteration, tighten};
pub(crate) use proof::Sizes;
pub(crate) use turns::{CHOICES_OF_NATURE, Turns};
pub(crate) use value_iteration::{Component, ProvedComponent, StepProgress, SweepProgress};
