//! The stages of a game's solve: a component of states to which play can return, or a single state.

use super::Solved;
use crate::bounds::Bounds;
use crate::error::{Error, StochasticGameError};
use crate::matrix_game::DyadicStrategy;
use crate::stochastic_game::cycles::{Course, CycleFacts, CyclicSolver, CyclicState, LocalGame, Turns};
use crate::stochastic_game::model::{Components, NodeView, NumberedGame, Scale, StochasticGame, largest_values, seen};
use crate::work::{Watch, WorkError};

/// The components of a written game, and how long play can stay in them.
#[derive(Debug)]
pub(crate) struct Cycles {
    components: Components,
    turns: Turns,
}

impl Cycles {
    /// Finds the components of a game; the callback may cancel.
    ///
    /// # Errors
    /// [`StochasticGameFault::TooLong`](crate::stochastic_game::StochasticGameFault::TooLong), [`WorkError::Cancelled`].
    pub(crate) fn new(game: &StochasticGame, watch: &mut Watch<'_>) -> Result<Self, Error> {
        let components = Components::new(game);
        let turns = Turns::new(game, &components, watch)?;
        Ok(Self { components, turns })
    }

    /// The finest unit in which all bounds of the game fit.
    ///
    /// # Errors
    /// [`StochasticGameFault::Payoff`](crate::stochastic_game::StochasticGameFault::Payoff).
    pub(crate) fn scale(&self, game: &StochasticGame) -> Result<Scale, StochasticGameError> {
        let largest = largest_values(game, &self.components, |component| self.turns.most(component));
        let (state, &most) = largest.iter().enumerate().max_by(|one, other| one.1.total_cmp(other.1)).unwrap_or((0, &0.0));
        Scale::of(most).map_err(|fault| game.refuse(state, fault))
    }
}

/// A game in stages: components, where they are known, or single states.
pub(crate) struct GameStages<'g, N> {
    pub(crate) game: &'g N,
    pub(crate) cycles: Option<&'g Cycles>,
    pub(crate) scale: Scale,
}

impl<N: NumberedGame> GameStages<'_, N> {
    /// The states of a stage, rising.
    pub(crate) fn states<'s>(&'s self, stage: &'s u32) -> &'s [u32] {
        match self.cycles {
            Some(cycles) => cycles.components.states(*stage as usize),
            None => std::slice::from_ref(stage),
        }
    }

    /// Whether play can return to the states of a stage.
    pub(crate) fn is_cyclic(&self, stage: u32) -> bool {
        self.cycles.is_some_and(|cycles| cycles.components.is_cyclic(stage as usize))
    }

    /// The states of a stage as a game of their own, and what is known of them.
    ///
    /// # Errors
    /// A fault, where rules contradict themselves.
    pub(crate) fn local(&self, stage: u32, bounds: &[Bounds]) -> Result<(LocalGame, CycleFacts), StochasticGameError> {
        let Self { game, scale, .. } = *self;
        let first = self.states(&stage)[0] as usize;
        let local = match self.cycles {
            Some(cycles) => LocalGame::new(game, &cycles.components, stage as usize, scale.exponent, bounds),
            None => LocalGame::of_state(game, first, scale.exponent, bounds),
        };
        let (kind, endless) =
            (game.kind(), if self.is_cyclic(stage) { scale.bounds(&game.endless(first)) } else { Bounds::default() });
        Ok((local?, CycleFacts { kind, endless }))
    }

    /// Bounds of the states of a cyclic stage that prove themselves, whatever the strategies.
    pub(crate) fn start(&self, stage: u32, local: &LocalGame, facts: CycleFacts) -> Vec<Bounds> {
        match self.cycles {
            Some(cycles) => cycles.turns.start(facts.kind, stage as usize, local, facts.endless),
            None => vec![Bounds::default(); local.len()],
        }
    }

    /// The stages level by level, in the order in which they are solved, the long ones of a level last; those of a level depend on
    /// earlier levels alone.
    pub(crate) fn levels(&self) -> Vec<Vec<u32>> {
        let mut levels = self.game.levels(self.cycles.map(|cycles| &cycles.components));
        for level in &mut levels {
            level.sort_by_key(|&stage| self.is_long(stage));
        }
        levels
    }

    /// The relative cost of a stage: its cells.
    pub(super) fn work(&self, stage: u32) -> f64 {
        let cells = |&state: &u32| match self.game.node(state as usize) {
            Ok(NodeView::Play([rows, columns])) => (rows * columns + 1) as f64,
            _ => 1.0,
        };
        self.states(&stage).iter().map(cells).sum()
    }

    /// Whether a stage takes so long that it is solved by itself, and can be stopped.
    pub(crate) fn is_long(&self, stage: u32) -> bool {
        self.states(&stage).len() > 1
    }

    /// Solves a stage by the bounds of the states before.
    ///
    /// # Errors
    /// A fault, where rules contradict themselves; [`WorkError::Cancelled`].
    pub(super) fn solve(
        &self,
        worker: &mut StateSolver<N::Row>,
        stage: u32,
        bounds: &[Bounds],
        solved: &mut Solved,
        course: &mut Course<'_>,
    ) -> Result<(), Error> {
        let states = self.states(&stage);
        if !self.is_cyclic(stage) {
            let (own, strategies) = worker.solve(self.game, states[0] as usize, self.scale, bounds)?;
            solved.push(states[0], own, strategies);
            return Ok(());
        }
        let (local, facts) = self.local(stage, bounds)?;
        let start = self.start(stage, &local, facts);
        let together = worker.cyclic.solve(&local, facts, &start, course).ok_or(WorkError::Cancelled)?;
        for (&state, CyclicState { bounds, weights: [a, b] }) in states.iter().zip(together) {
            solved.push(state, bounds, [&a, &b]);
        }
        Ok(())
    }
}

/// The weights of A's and of B's actions out of 2⁶².
type Weights<'s> = [&'s [(u32, u64)]; 2];

/// The buffers for solving one stage after another.
#[derive(Default)]
pub(crate) struct StateSolver<Row> {
    row: Row,
    cyclic: CyclicSolver,
}

impl<Row> StateSolver<Row> {
    /// The bounds and strategies of a state to which play cannot return, by the bounds of its successors; an end has no
    /// strategies.
    ///
    /// # Errors
    /// A fault, where rules contradict themselves.
    pub(crate) fn solve<N: NumberedGame<Row = Row>>(
        &mut self,
        game: &N,
        state: usize,
        scale: Scale,
        bounds: &[Bounds],
    ) -> Result<(Bounds, Weights<'_>), StochasticGameError> {
        let actions = match game.node(state)? {
            NodeView::Over(value) => return Ok((scale.bounds(&value), [&[], &[]])),
            NodeView::Play(actions) => actions,
        };
        let Self { row, cyclic: CyclicSolver { matrix, simplex, .. } } = self;
        matrix.resize(actions);
        game.cells(state, actions, row, |[a, b], cell| {
            matrix.set(a, b, cell.bounds(scale.exponent, |next| seen::<N>(next, bounds)));
        })?;
        let proved = simplex.solve(matrix);
        Ok((proved.bounds, proved.strategies.map(DyadicStrategy::support)))
    }
}
