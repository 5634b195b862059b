//! Solved blind Tennis.

use std::time::Duration;

use super::plan::{JudgedPlan, WHOLE};
use super::tree::Tree;
use super::view::BlindView;
use crate::bounds::Enclosure;
use crate::error::Error;
use crate::game::{ByPlayer, Player, Rules, State};
use crate::hidden::HiddenMethod;
use crate::matrix_game::DyadicStrategy;
use crate::solution::BidStrategy;

/// Proved bounds of the value of blind Tennis from one state on, with strategies that prove them.
///
/// ```
/// use pencil_tennis::blind::BlindSolver;
/// use pencil_tennis::{Player, Rules};
///
/// let solution = BlindSolver::new(&Rules::tennis()).points([5, 4]).solve()?;
/// assert!((solution.value() - 1.0).abs() < 1e-6);
/// // A's strategy after one turn, with the ball on B's first field.
/// let strategy = solution.strategy(Player::A, &[2], &[0, 1])?;
/// assert!(strategy.probabilities().all(|(bid, _)| (1..=3).contains(&bid)));
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Debug)]
pub struct BlindSolution {
    pub(super) tree: Tree,
    plans: ByPlayer<JudgedPlan>,
    work: BlindWork,
}

/// The cost of a solution; bytes are those of the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlindWork {
    pub(super) method: HiddenMethod,
    pub(super) iterations: u64,
    pub(super) bytes: usize,
    pub(super) elapsed: Duration,
}

impl BlindSolution {
    pub(super) const fn new(tree: Tree, plans: ByPlayer<JudgedPlan>, work: BlindWork) -> Self {
        Self { tree, plans, work }
    }

    pub const fn rules(&self) -> &Rules {
        &self.tree.rules
    }

    pub const fn start(&self) -> State {
        self.tree.start
    }

    pub fn value(&self) -> f64 {
        self.enclosure().middle()
    }

    /// The bounds of the value: the security levels of A's and B's strategies.
    pub fn enclosure(&self) -> Enclosure {
        JudgedPlan::value(&self.tree, &self.plans)
    }

    /// The method that found the strategies.
    pub const fn method(&self) -> HiddenMethod {
        self.work.method
    }

    /// The iterations of regret minimisation.
    pub const fn iterations(&self) -> u64 {
        self.work.iterations
    }

    /// The memory of the tree that the reductions leave.
    pub const fn bytes(&self) -> usize {
        self.work.bytes
    }

    pub const fn elapsed(&self) -> Duration {
        self.work.elapsed
    }

    /// The numbers of information sets of A and B with a choice, after the reductions.
    pub fn decisions(&self) -> [usize; 2] {
        self.tree.player_trees.as_ref().map(|player_tree| player_tree.decisions.len()).into_array()
    }

    pub fn opening(&self, player: Player) -> BidStrategy {
        self.bids_at(&BlindView::start(player, self.start()), Tree::AT_START)
    }

    /// The strategy of a player after these bids and balls (the one at the start first).
    ///
    /// Outside the player's own strategy, and where everything is decided, it is a pure maximin
    /// bid.
    ///
    /// # Errors
    /// [`super::BlindError::History`] for an impossible history, or one that ends the game.
    pub fn strategy(
        &self,
        player: Player,
        bids: &[u32],
        balls: &[i32],
    ) -> Result<BidStrategy, Error> {
        let mut at = Tree::AT_START;
        let follow = |bid, relation| at = self.tree.follow(player, at, bid, relation);
        let view = BlindView::followed(self.rules(), self.start(), player, bids, balls, follow)?;
        Ok(self.bids_at(&view, at))
    }

    pub(super) fn bids_at(&self, view: &BlindView, at: Option<(usize, usize)>) -> BidStrategy {
        let entry = at.map(|(_, entry)| &self.tree.player_trees[view.player].entries[entry]);
        let plan = &self.plans[view.player].plan.0;
        let weights = entry
            .into_iter()
            .flat_map(|entry| entry.bids().map(|bid| (bid, plan[entry.sequence_of(bid)])));
        let whole: i64 = weights.clone().map(|(_, weight)| weight).sum();
        let mut strategy = DyadicStrategy::default();
        if whole == 0 {
            strategy.set_pure(self.tree.pure_bounds[view.player].bounds(view).bid.into());
        } else {
            // Shares of the whole, rounded down; the likeliest bid gets the remainder.
            let share =
                |weight: i64| (i128::from(weight) * i128::from(WHOLE) / i128::from(whole)) as i64;
            strategy.assign(weights.map(|(bid, weight)| (bid, share(weight))));
        }
        BidStrategy::from_dyadic(&strategy, 0)
    }
}
