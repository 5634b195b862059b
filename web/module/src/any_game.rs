//! A game of any rules from a file, solved, and everything that is asked about it.

use std::ops::ControlFlow;

use pencil_tennis::agents::Level;
use pencil_tennis::bounds::rounded_up;
use pencil_tennis::report::{JudgementReport, StageReport, read_game_policy};
use pencil_tennis::stochastic_game::{
    StateView, StationaryPolicy, StochasticGame, StochasticSolution, StochasticSolver,
};
use pencil_tennis::{Error, Player};
use serde_json::{Value, json};

/// A watch that may go to another thread, as solvers may that have it.
pub(crate) type SendWatch<'w> = dyn FnMut(f64) -> ControlFlow<()> + Send + 'w;

/// The most pairs of actions: some ten seconds in a browser.
pub(crate) const MOST_CELLS: usize = 100_000;

/// The memory that reading may take.
const MEMORY_LIMIT: u64 = 1 << 28;

/// The most states of a search and of a neighbourhood: as many as a page shows at once.
const MOST_FOUND: usize = 200;
const MOST_NEAR: usize = 40;

/// A solved game with the policies that play it.
#[derive(Debug)]
pub(crate) struct AnyGame {
    solution: StochasticSolution,
    players: [Option<StationaryPolicy>; 2],
}

impl AnyGame {
    /// Reads and solves a game; `None` for one with too many cells.
    pub(crate) fn new(
        file: &[u8],
        watch: &mut SendWatch<'_>,
    ) -> Result<Result<Self, usize>, Error> {
        let game = StochasticGame::read_within(file, MEMORY_LIMIT)?;
        if game.cells() > MOST_CELLS {
            return Ok(Err(game.cells()));
        }
        let solver = StochasticSolver::new(game).threads(1).on_progress(watch);
        Ok(Ok(Self { solution: solver.solve()?, players: [None, None] }))
    }

    pub(crate) fn summary(&self) -> Result<Value, Error> {
        let (solution, game) = (&self.solution, self.solution.game());
        let mut starts = Vec::with_capacity(game.starts().len());
        for &start in game.starts() {
            starts.push(game.state(start as usize)?.name());
        }
        Ok(json!({
            "title": game.title(),
            "description": game.description(),
            "kind": game.kind().to_string(),
            "discount": game.discount().to_string(),
            "states": game.len(),
            "cells": game.cells(),
            "start": starts,
            "randomised": solution.randomised_states()?,
            "widest": rounded_up(solution.widest_enclosure()),
            "reason": solution.width_reason(),
        }))
    }

    fn state(&self, name: &str) -> Result<StateView<'_>, Error> {
        let game = self.solution.game();
        Ok(game.state(game.place(name)?)?)
    }

    /// The states whose names contain a word, with their values: the first ones, and how many there
    /// are.
    pub(crate) fn find(&self, word: &str) -> Result<Value, Error> {
        let (game, word) = (self.solution.game(), word.to_lowercase());
        let matches: Vec<StateView<'_>> =
            game.states().filter(|state| state.name().to_lowercase().contains(&word)).collect();
        let mut states = Vec::new();
        for state in matches.iter().take(MOST_FOUND) {
            let value = self.solution.value(&state.number())?;
            states.push(json!({"state": state.name(), "value": value}));
        }
        Ok(json!({"found": matches.len(), "states": states}))
    }

    pub(crate) fn stage(&self, state: &str) -> Result<StageReport, Error> {
        Ok(StageReport::new(&self.solution, self.state(state)?.number())?)
    }

    /// The state, its successors and theirs, by breadth first: names, values, distances, and the
    /// pairs that are connected.
    pub(crate) fn near(&self, state: &str) -> Result<Value, Error> {
        let mut visited = vec![(self.state(state)?, 0)];
        let (mut edges, mut hidden, mut index) = (Vec::new(), 0, 0);
        while let Some(&(state, depth)) = visited.get(index).filter(|(_, depth)| *depth < 2) {
            let [rows, columns] = state.actions().map_or([0, 0], |names| names.map(<[_]>::len));
            let mut successors: Vec<StateView<'_>> = Vec::new();
            for cell in 0..rows * columns {
                let turn = state.turn([cell / columns, cell % columns])?;
                successors.extend(turn.successors.iter().map(|successor| successor.state));
            }
            successors.sort_unstable_by_key(|state| state.number());
            successors.dedup_by_key(|state| state.number());
            for next in successors {
                let known = visited.iter().position(|(other, _)| other.number() == next.number());
                match known {
                    Some(known) => edges.push([index, known]),
                    None if visited.len() < MOST_NEAR => {
                        visited.push((next, depth + 1));
                        edges.push([index, visited.len() - 1]);
                    }
                    None => hidden += 1,
                }
            }
            index += 1;
        }
        let mut states = Vec::with_capacity(visited.len());
        for (state, depth) in visited {
            let value = self.solution.value(&state.number())?;
            let is_over = state.actions().is_none();
            states.push(
                json!({"state": state.name(), "depth": depth, "value": value, "over": is_over}),
            );
        }
        Ok(json!({"states": states, "edges": edges, "hidden": hidden}))
    }

    /// Makes a player of a level, or of the csv in `file`; says who the file covers.
    pub(crate) fn player(
        &mut self,
        player: Player,
        level: Option<&str>,
        file: &[u8],
    ) -> Result<bool, Error> {
        let policy = match level {
            Some(level) => Some(level.parse::<Level>()?.stationary(&self.solution, player)?),
            None => read_game_policy(self.solution.game(), file)?
                .into_iter()
                .find(|policy| policy.player() == player),
        };
        let known = policy.is_some();
        self.players[player as usize] = policy;
        Ok(known)
    }

    /// The name of the action that random bits draw.
    pub(crate) fn draw(
        &self,
        state: &str,
        player: Player,
        bits: u64,
    ) -> Result<Option<String>, Error> {
        let state = self.state(state)?;
        let policy = self.players[player as usize].as_ref();
        let action = policy.and_then(|policy| policy.draw(state.number(), bits));
        Ok(action
            .zip(state.actions())
            .map(|(action, names)| names[player as usize][action].to_string()))
    }

    /// The successor that random bits draw after a pair of actions, by their numbers; `None` where
    /// there is no such pair.
    pub(crate) fn next(
        &self,
        state: &str,
        actions: [usize; 2],
        bits: u64,
    ) -> Result<Option<&str>, Error> {
        Ok(self.state(state)?.draw(actions, bits).ok().map(StateView::name))
    }

    /// Judges the policies of a csv file against best responses from the starts.
    pub(crate) fn judge(&self, file: &[u8], watch: &mut SendWatch<'_>) -> Result<Value, Error> {
        let policies = read_game_policy(self.solution.game(), file)?;
        let judge = |policy| self.solution.judge(policy, watch);
        let judgements = policies.iter().map(judge).collect::<Result<Vec<_>, _>>()?;
        Ok(json!(JudgementReport::new(&self.solution, &judgements, &[])?))
    }
}
