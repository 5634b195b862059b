//! A game of any rules from a file, solved, and everything that is asked about it.

use std::ops::ControlFlow;

use pencil_tennis::agents::Level;
use pencil_tennis::bounds::rounded_up;
use pencil_tennis::report::{JudgementReport, StageReport, read_game_policy};
use pencil_tennis::stochastic_game::{
    StationaryPolicy, StochasticGame, StochasticSolution, StochasticSolver,
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
        let starts = game.starts().iter().map(|&start| game.name(start as usize));
        Ok(json!({
            "title": game.title(),
            "description": game.description(),
            "kind": game.kind().to_string(),
            "discount": game.discount().to_string(),
            "states": game.len(),
            "cells": game.cells(),
            "start": starts.collect::<Vec<_>>(),
            "randomised": solution.randomised_states()?,
            "widest": rounded_up(solution.widest_enclosure()),
            "reason": solution.width_reason(),
        }))
    }

    fn state_number(&self, state: &str) -> Result<usize, Error> {
        Ok(self.solution.game().place(state)?)
    }

    /// The states whose names contain a word, with their values: the first ones, and how many there
    /// are.
    pub(crate) fn find(&self, word: &str) -> Result<Value, Error> {
        let (game, word) = (self.solution.game(), word.to_lowercase());
        let matches =
            (0..game.len()).filter(|&state| game.name(state).to_lowercase().contains(&word));
        let matches: Vec<usize> = matches.collect();
        let line = |&state: &usize| {
            Ok::<_, Error>(
                json!({"state": game.name(state), "value": self.solution.value(&state)?}),
            )
        };
        let states = matches.iter().take(MOST_FOUND).map(line).collect::<Result<Vec<_>, _>>()?;
        Ok(json!({"found": matches.len(), "states": states}))
    }

    pub(crate) fn stage(&self, state: &str) -> Result<StageReport, Error> {
        Ok(StageReport::new(&self.solution, self.state_number(state)?)?)
    }

    /// The state, its successors and theirs, by breadth first: names, values, distances, and the
    /// pairs that are connected.
    pub(crate) fn near(&self, state: &str) -> Result<Value, Error> {
        let game = self.solution.game();
        let mut visited = vec![(self.state_number(state)?, 0)];
        let (mut edges, mut hidden, mut index) = (Vec::new(), 0, 0);
        while let Some(&(state, depth)) = visited.get(index).filter(|(_, depth)| *depth < 2) {
            let [rows, columns] = game.actions(state).map_or([0, 0], |names| names.map(<[_]>::len));
            let mut successors: Vec<usize> = Vec::new();
            for cell in 0..rows * columns {
                successors.extend(
                    game.turn(state, cell / columns, cell % columns)
                        .1
                        .into_iter()
                        .map(|(_, next)| next),
                );
            }
            successors.sort_unstable();
            successors.dedup();
            for next in successors {
                let known = visited.iter().position(|&(other, _)| other == next);
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
        let node = |&(state, depth): &(usize, usize)| {
            let value = self.solution.value(&state)?;
            Ok::<_, Error>(
                json!({"state": game.name(state), "depth": depth, "value": value, "over": game.actions(state).is_none()}),
            )
        };
        Ok(
            json!({"states": visited.iter().map(node).collect::<Result<Vec<_>, _>>()?, "edges": edges, "hidden": hidden}),
        )
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
        let (game, state) = (self.solution.game(), self.state_number(state)?);
        let action =
            self.players[player as usize].as_ref().and_then(|policy| policy.draw(state, bits));
        Ok(action
            .zip(game.actions(state))
            .map(|(action, names)| names[player as usize][action].to_string()))
    }

    /// The successor that random bits draw after a pair of actions, by their numbers; `None` where
    /// there is no such pair.
    pub(crate) fn next(
        &self,
        state: &str,
        [a, b]: [usize; 2],
        bits: u64,
    ) -> Result<Option<&str>, Error> {
        let (game, state) = (self.solution.game(), self.state_number(state)?);
        let has = game.actions(state).is_some_and(|names| a < names[0].len() && b < names[1].len());
        Ok(has.then(|| game.name(game.draw(state, a, b, bits))))
    }

    /// Judges the policies of a csv file against best responses from the starts.
    pub(crate) fn judge(&self, file: &[u8], watch: &mut SendWatch<'_>) -> Result<Value, Error> {
        let policies = read_game_policy(self.solution.game(), file)?;
        let judge = |policy| self.solution.judge(policy, watch);
        let judgements = policies.iter().map(judge).collect::<Result<Vec<_>, _>>()?;
        Ok(json!(JudgementReport::new(&self.solution, &judgements, &[])))
    }
}
