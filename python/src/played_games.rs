//! Many plays of a solved game of any rules at once.

use num_traits::ToPrimitive;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1};
use pencil_tennis::Player;
use pencil_tennis::stochastic_game::{StochasticGame, StochasticGameError};
use pyo3::prelude::*;

use crate::errors::{Error, GameError, OrRaise};
use crate::memory;
use crate::progress::released;
use crate::stochastic_game::PyStochasticSolution;

/// Plays of one game, each at a state of its own.
#[pyclass(module = "pencil_tennis._native", name = "PlayedGames")]
pub(crate) struct PyPlayedGames {
    solution: Py<PyStochasticSolution>,
    /// What an end pays on arrival, after a discount; 0 of other states.
    payoffs: Vec<f64>,
    states: Vec<u32>,
}

#[pymethods]
impl PyPlayedGames {
    #[new]
    fn new(py: Python<'_>, solution: Py<PyStochasticSolution>, count: u64) -> PyResult<Self> {
        memory::check(count.saturating_mul(4), &format!("{count} games"))?;
        let game = solution.get().game();
        let discount = game.discount().to_f64().unwrap_or(f64::NAN);
        let mut payoffs = Vec::with_capacity(game.len());
        for state in game.states() {
            let payoff = state.end_value().and_then(ToPrimitive::to_f64).unwrap_or(0.0);
            payoffs.push(payoff * discount);
        }
        let first =
            *game.starts().first().ok_or_else(|| Error::new_err("the game has no start"))?;
        let states = vec![first; count as usize];
        Ok(Self { solution: solution.clone_ref(py), payoffs, states })
    }

    fn __len__(&self) -> usize {
        self.states.len()
    }

    /// The numbers of the states.
    fn states<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_iter(py, self.states.iter().map(|&state| i64::from(state)))
    }

    /// Puts plays to states, by their numbers.
    fn put(
        &mut self,
        plays: PyReadonlyArray1<'_, i64>,
        states: PyReadonlyArray1<'_, i64>,
    ) -> PyResult<()> {
        let (plays, states) = (plays.as_slice()?.to_vec(), states.as_slice()?.to_vec());
        if plays.len() != states.len() {
            return Err(Error::new_err(format!(
                "there are {} states for {} plays",
                states.len(),
                plays.len()
            )));
        }
        for (&play, &state) in plays.iter().zip(&states) {
            let known = usize::try_from(state).is_ok_and(|state| state < self.payoffs.len());
            let state_of_play =
                usize::try_from(play).ok().and_then(|play| self.states.get_mut(play));
            match state_of_play {
                Some(state_of_play) if known => *state_of_play = state as u32,
                _ => {
                    return Err(Error::new_err(format!(
                        "there is no play {play}, or no state {state}"
                    )));
                }
            }
        }
        Ok(())
    }

    /// Plays a turn of every game that goes on, and returns A's rewards. Actions that there are not
    /// are refused, and nothing is played; or with `nearest` the last action stands for larger
    /// ones, and the first for negative ones.
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        a: PyReadonlyArray1<'py, i64>,
        b: PyReadonlyArray1<'py, i64>,
        bits: PyReadonlyArray1<'py, u64>,
        nearest: bool,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let mut actions = [a.as_slice()?.to_vec(), b.as_slice()?.to_vec()];
        let bits = bits.as_slice()?.to_vec();
        let count = self.states.len();
        if [actions[0].len(), actions[1].len(), bits.len()] != [count; 3] {
            return Err(Error::new_err(format!(
                "there are {} and {} actions; expected {count}",
                actions[0].len(),
                actions[1].len()
            )));
        }
        let solution = self.solution.clone_ref(py);
        let game = solution.get().game();
        let rewards = released(py, || {
            if nearest {
                self.clamp(game, &mut actions);
            } else {
                self.check(game, &actions)?;
            }
            self.play(game, &actions, &bits).map_err(|error| error.to_string())
        })?;
        Ok(PyArray1::from_vec(py, rewards.map_err(GameError::new_err)?))
    }

    /// Which games are over.
    fn over<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let game = self.solution.get().game();
        PyArray1::from_iter(py, self.states.iter().map(|&state| names_at(game, state).is_none()))
    }

    /// Which of the first `width` actions a player has in every game; the first one where it is
    /// over.
    fn mask<'py>(
        &self,
        py: Python<'py>,
        player: &str,
        width: usize,
    ) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let which = usize::from(player.parse::<Player>().or_raise()? == Player::B);
        let game = self.solution.get().game();
        let mut mask = Array2::from_elem([self.states.len(), width], false);
        for (mut row, &state) in mask.rows_mut().into_iter().zip(&self.states) {
            let count = names_at(game, state).map_or(1, |names| names[which].len());
            row.iter_mut().take(count).for_each(|legal| *legal = true);
        }
        Ok(mask.into_pyarray(py))
    }
}

/// The names of both players' actions at a state of the game; none at an end.
fn names_at(game: &StochasticGame, state: u32) -> Option<[&[Box<str>]; 2]> {
    game.state(state as usize).ok()?.actions()
}

impl PyPlayedGames {
    /// Takes the nearest action there is for every action.
    fn clamp(&self, game: &StochasticGame, actions: &mut [Vec<i64>; 2]) {
        for (play, &state) in self.states.iter().enumerate() {
            let Some(names) = names_at(game, state) else { continue };
            for (names, actions) in names.iter().zip(&mut *actions) {
                actions[play] = actions[play].clamp(0, names.len() as i64 - 1);
            }
        }
    }

    /// Checks all actions before any is played.
    fn check(&self, game: &StochasticGame, actions: &[Vec<i64>; 2]) -> Result<(), String> {
        for (play, &state) in self.states.iter().enumerate() {
            let Some(names) = names_at(game, state) else { continue };
            for (which, player) in Player::BOTH.into_iter().enumerate() {
                let last = names[which].len() as i64 - 1;
                let action = actions[which][play];
                if !(0..=last).contains(&action) {
                    return Err(format!(
                        "game {play}: {player} has no action {action}; expected 0 to {last}"
                    ));
                }
            }
        }
        Ok(())
    }

    fn play(
        &mut self,
        game: &StochasticGame,
        actions: &[Vec<i64>; 2],
        bits: &[u64],
    ) -> Result<Vec<f64>, StochasticGameError> {
        let mut rewards = vec![0.0; self.states.len()];
        for (play, state) in self.states.iter_mut().enumerate() {
            let here = game.state(*state as usize)?;
            if here.actions().is_none() {
                continue;
            }
            let [a, b] = [actions[0][play] as usize, actions[1][play] as usize];
            let next = here.draw([a, b], bits[play])?.number();
            let reward = game.cell(here.number(), a, b).rounded_reward();
            rewards[play] = reward + self.payoffs[next];
            *state = next as u32;
        }
        Ok(rewards)
    }
}
