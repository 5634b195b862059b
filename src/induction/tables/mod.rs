//! The solved tables: bounds, values and strategies of every state, and everything that a sweep
//! needs to continue.

mod approximate;
mod exact_stage;
mod exact_tier;
mod grid;
mod order;
mod stage_game;
mod standstill;
mod strategies;
mod systems;
mod task;

pub use order::Method;

use self::grid::{PlayerViews, RunningSums};
pub(crate) use approximate::Approximate;
pub(crate) use exact_stage::ExactStage;
pub(crate) use exact_tier::{ExactResult, ExactTier, rational};
pub(crate) use grid::Grid;
pub(crate) use order::Order;
pub(crate) use stage_game::{StageGame, TwoWayStage};
pub(crate) use strategies::SolvedState;
pub(crate) use systems::{
    Bases, KeptSystem, Systems, is_checkpoint, is_on_last_field, is_recent, is_worth_keeping,
};
pub(crate) use task::Task;

use self::strategies::Strategies;
use crate::bounds::{Bounds, FixedPointScale};
use crate::game::{ByPlayer, Outcome, Player, Rules, SecuredBounds, State, StateSpace};
use crate::matrix_game::{Basis, EnclosedPayoffs};

#[derive(Clone, Debug)]
pub(crate) struct Tables {
    pub(crate) rules: Rules,
    pub(crate) order: Order,
    pub(crate) scale: FixedPointScale,
    pub(crate) method: Method,
    /// Values to A, in A's and in B's view, as shares of the largest bound: see
    /// [`FixedPointScale::middle_share`].
    pub(crate) values: ByPlayer<Grid<f64>>,
    /// Running sums of the values, to choose among several optimal strategies.
    sums: PlayerViews<RunningSums>,
    /// The security level of each player, in units, in that player's view.
    secured: PlayerViews<Grid<i64>>,
    /// The strategies of all solved states, unless they are recomputed on demand.
    pub(crate) strategies: Option<Strategies>,
    /// Whether the sweep returns strategies, to be kept here or by another process.
    pub(crate) finds_strategies: bool,
    /// The bases of the last two complete layers and of the one in progress, and their systems.
    pub(crate) bases: Bases,
    pub(crate) systems: Systems,
    /// The widest bounds of all complete layers, in units.
    pub(crate) widest: i64,
    pub(crate) checkpoint: LayerCheckpoint,
    pub(crate) exact: Option<ExactTier>,
    /// Whether this program has proved all bounds; those of a file are unproved at first.
    pub(crate) proved: bool,
}

/// The place from which a sweep can continue, with the tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct LayerCheckpoint {
    /// The total of points up to which everything is solved.
    pub(crate) layers_done: u32,
    /// The number of these states, mirror images included, in which a player randomises.
    pub(crate) randomised: u64,
    /// The bases of the last two of these layers.
    pub(crate) bases: Bases,
}

impl Tables {
    /// Tables in which only the ends of the game are known.
    pub(crate) fn new(task: Task, exact_bits: Option<usize>) -> Self {
        let Task { rules, points, method, mirrored, keep_strategies } = task;
        let field = rules.field();
        let scoring = rules.scoring();
        let scale = scoring.scale();
        let order = Order { space: StateSpace::new(&rules, points), mirrored };
        let payoff = |player, outcome| scale.floor(scoring.payoff_to(player, outcome));
        let middle = |outcome| {
            FixedPointScale::middle_share(Bounds::of_secured(|player| payoff(player, outcome)))
        };
        let mut tables = Self {
            rules,
            order,
            scale,
            method,
            values: ByPlayer::new(|player| {
                Grid::new(
                    field,
                    player.own_first(points),
                    f64::NAN,
                    Outcome::out_ends(player).map(middle),
                )
            }),
            sums: PlayerViews::new(&task, |player| {
                RunningSums::new(
                    field,
                    player.own_first(points),
                    Outcome::out_ends(player).map(middle),
                )
            }),
            secured: PlayerViews::new(&task, |player| {
                Grid::new(
                    field,
                    player.own_first(points),
                    i64::MIN,
                    Outcome::out_ends(player).map(|outcome| payoff(player, outcome)),
                )
            }),
            strategies: keep_strategies.then(|| Strategies::new(order.space.len())),
            finds_strategies: keep_strategies,
            bases: Bases::new(),
            systems: Systems::default(),
            widest: 0,
            checkpoint: LayerCheckpoint::default(),
            exact: exact_bits.map(|bits| ExactTier::new(&rules, order, bits)),
            proved: true,
        };
        // Where a player is favoured, the game is over once the other has nothing left.
        let ends = if rules.favoured().is_some() { order.space.layers() } else { 0 };
        for state in (0..=ends).flat_map(|total| order.space.layer(total)) {
            if let Some(outcome) = rules.outcome(state) {
                let bounds = Bounds::of_secured(|player| payoff(player, outcome));
                tables.widest = tables.widest.max(bounds.width());
                tables.store(state, bounds);
            }
        }
        tables
    }

    pub(crate) const fn are_views_shared(&self) -> bool {
        self.secured.are_shared()
    }

    pub(crate) fn lowest_bids(&self, state: State) -> [usize; 2] {
        Player::BOTH.map(|player| self.rules.lowest_bid_of(player, state.points(player)) as usize)
    }

    /// The basis of A's and B's bids at a state.
    pub(crate) fn basis(&self, state: State, bids: [&[u16]; 2]) -> Basis {
        let lowest = self.lowest_bids(state);
        let [rows, columns] = [0, 1].map(|player| {
            bids[player].iter().map(|&bid| usize::from(bid) - lowest[player]).collect()
        });
        Basis { rows, columns }
    }

    /// The basis that the sweep found for a state: the supports of its kept strategies, if these
    /// have the same size.
    pub(crate) fn kept_basis(&self, state: State) -> Option<Basis> {
        let representative = self.order.representative(state);
        let [a, b] = self.strategies.as_ref()?.get(self.order.space.index(representative))?;
        let pair = if representative == state { [a, b] } else { [b, a] };
        let [rows, columns] = pair.map(|(bids, _)| bids);
        (rows.len() == columns.len()).then(|| self.basis(state, [rows, columns]))
    }

    /// The proved bounds at a state inside the field, in units.
    pub(crate) fn bounds_at(&self, state: State) -> Bounds {
        Bounds::of_secured(|player| self.secured.of(player).get(state.seen_by(player)))
    }

    /// The stage game of a state in floating-point shares, in A's view, readable in both
    /// directions.
    pub(crate) fn two_way_stage(&self, state: State) -> TwoWayStage<'_> {
        let [rows, columns] = Player::BOTH
            .map(|player| StageGame::new(&self.values[player], &self.rules, player, state));
        let sums = Player::BOTH
            .map(|player| StageGame::new(&self.sums.of(player).0, &self.rules, player, state));
        // B's sums are those of A at the mirror image, negated.
        let column_sign = if self.sums.are_shared() { -1.0 } else { 1.0 };
        TwoWayStage { rows, columns, sums, column_sign }
    }

    /// The stage game of a state over the security levels of `player`, in that player's view.
    pub(crate) fn secured_stage(&self, player: Player, state: State) -> StageGame<'_, i64> {
        StageGame::new(self.secured.of(player), &self.rules, player, state)
    }

    pub(crate) fn approximately_secured(&self, player: Player) -> Approximate {
        Approximate::new(self.secured.of(player))
    }

    pub(crate) fn enclosed_stage(&self, state: State) -> EnclosedPayoffs<StageGame<'_, i64>> {
        let [row, column] = Player::BOTH.map(|player| self.secured_stage(player, state));
        EnclosedPayoffs { row, column }
    }

    /// Stores the security levels of a state, and its value, in all grids; its mirror image, too.
    pub(crate) fn store(&mut self, state: State, bounds: Bounds) {
        self.store_one(state, bounds);
        // A state that is its own mirror image keeps the bounds that were proved; those of the
        // image would be as valid.
        if let Some(mirror) = self.order.image(state).filter(|&mirror| mirror != state) {
            self.store_one(mirror, bounds.mirrored());
        }
    }

    fn store_one(&mut self, state: State, bounds: Bounds) {
        let value = FixedPointScale::middle_share(bounds);
        for player in Player::BOTH {
            let view = state.seen_by(player);
            self.values[player].set(view, value);
            if let Some(sums) = self.sums.entered(player) {
                sums.enter(view, value);
            }
            if let Some(grid) = self.secured.entered(player) {
                grid.set(view, bounds.secured_by(player));
            }
        }
    }
}
