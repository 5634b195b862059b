//! Many games at once, stepped without the interpreter.

use num_traits::ToPrimitive;
use numpy::{
    PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray1, PyReadwriteArray2, PyUntypedArrayMethods,
};
use pencil_tennis::{Ball, Outcome, Player, Rules, Solver, State};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::{Error, GameError, OrRaise};
use crate::memory;
use crate::policy::PyPolicy;
use crate::progress::released;
use crate::rules::PyRules;
use crate::states::StateArgument;

/// Many games: see the class `pencil_tennis.Games` above it.
#[pyclass(module = "pencil_tennis._native", name = "Games")]
pub(crate) struct PyGames {
    rules: Rules,
    /// The state with all points.
    most: State,
    /// The state from which games start.
    start: State,
    /// The payoff to A of every end, by its index.
    payoff_of: Vec<f64>,
    pub(crate) states: Vec<State>,
    over: Vec<bool>,
    /// The turns played, and the number after which a game is decided where the ball lies, if there
    /// is one.
    turns: Vec<u32>,
    horizon: Option<u32>,
    /// The payoff to A of a game that is over, 0 of one that goes on.
    payoffs: Vec<f64>,
}

#[pymethods]
impl PyGames {
    #[new]
    fn new(
        count: u64,
        rules: PyRules,
        points: [i64; 2],
        start: Option<StateArgument>,
        horizon: Option<u32>,
    ) -> PyResult<Self> {
        let rules = rules.0;
        let [a, b] = points;
        let most = i64::from(Solver::MOST_POINTS);
        if !points.iter().all(|points| (1..=most).contains(points)) {
            let message = format!(
                "games of {a}:{b} points are not possible; expected 1 to {most} for either player"
            );
            return Err(Error::new_err(message));
        }
        let most = State::new(a as u32, b as u32, Ball::NET);
        // A game's state, whether it is over, its turns and its payoff.
        memory::check(count.saturating_mul(28), &format!("{count} games"))?;
        let count = count as usize;
        let payoff_of = rules
            .scoring()
            .payoffs()
            .iter()
            .map(|payoff| payoff.to_f64().unwrap_or(f64::NAN))
            .collect();
        let (states, over, payoffs, turns) =
            (vec![most; count], vec![false; count], vec![0.0; count], vec![0; count]);
        let mut games =
            Self { rules, most, start: most, payoff_of, states, over, turns, horizon, payoffs };
        if let Some(StateArgument(start)) = start {
            let numbers = [start.a.into(), start.b.into(), start.ball.position().into()];
            games.start = games.state(numbers, Balls::Inside).map_err(GameError::new_err)?;
            if games.rules.outcome(start).is_some() {
                return Err(GameError::new_err(format!("the game is over at {start}")));
            }
            games.states.fill(start);
        }
        Ok(games)
    }

    fn __len__(&self) -> usize {
        self.states.len()
    }

    /// The rules of the games.
    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(self.rules)
    }

    /// The points at the start.
    #[getter]
    fn points(&self) -> (u32, u32) {
        (self.most.a, self.most.b)
    }

    /// The state from which games start.
    #[getter]
    const fn start(&self) -> (u32, u32, i32) {
        (self.start.a, self.start.b, self.start.ball.position())
    }

    /// Sets every game to the start, or to a state of its own.
    ///
    /// Games that were written down, with the turns played, may be over because the ball was hit
    /// out.
    fn reset(
        &mut self,
        states: Option<PyReadonlyArray2<'_, i64>>,
        written: Option<PyReadonlyArray1<'_, i64>>,
    ) -> PyResult<()> {
        self.turns.fill(0);
        let Some(given) = states else {
            self.states.fill(self.start);
            self.over.fill(false);
            self.payoffs.fill(0.0);
            return Ok(());
        };
        fits("states", given.shape(), &[self.states.len(), 3])?;
        let balls = if written.is_some() { Balls::InsideOrOut } else { Balls::Inside };
        let rows = given.as_slice()?.chunks_exact(3).enumerate();
        let states: Result<Vec<State>, String> = rows
            .map(|(game, row)| {
                self.state([row[0], row[1], row[2]], balls)
                    .map_err(|reason| format!("game {game}: {reason}"))
            })
            .collect();
        self.states = states.map_err(GameError::new_err)?;
        if let Some(written) = written {
            fits("turns", written.shape(), &[self.states.len()])?;
            for (turns, &given) in self.turns.iter_mut().zip(written.as_slice()?) {
                *turns = u32::try_from(given).unwrap_or(u32::MAX);
            }
        }
        for game in 0..self.states.len() {
            let end = self.outcome(game).map(|outcome| self.payoff_of[outcome.index()]);
            self.over[game] = end.is_some();
            self.payoffs[game] = end.unwrap_or(0.0);
        }
        Ok(())
    }

    /// Sets every game that is over, or those of them that are asked for, to the start; the number
    /// of these.
    fn restart(&mut self, which: Option<PyReadonlyArray1<'_, bool>>) -> PyResult<usize> {
        if let Some(which) = &which {
            fits("which", which.shape(), &[self.states.len()])?;
        }
        let which = which.as_ref().map(|which| which.as_slice()).transpose()?;
        let mut restarted = 0;
        for game in 0..self.states.len() {
            if self.over[game] && which.is_none_or(|which| which[game]) {
                (self.states[game], self.over[game], self.turns[game], self.payoffs[game]) =
                    (self.start, false, 0, 0.0);
                restarted += 1;
            }
        }
        Ok(restarted)
    }

    /// Plays a turn of every game that goes on; the number of those that go on after it.
    fn step(
        &mut self,
        py: Python<'_>,
        bids_a: PyReadonlyArray1<'_, i64>,
        bids_b: PyReadonlyArray1<'_, i64>,
    ) -> PyResult<usize> {
        fits("bids_a", bids_a.shape(), &[self.states.len()])?;
        fits("bids_b", bids_b.shape(), &[self.states.len()])?;
        let bids = [bids_a.as_slice()?, bids_b.as_slice()?];
        released(py, || self.play(bids))?.map_err(GameError::new_err)
    }

    /// Writes the states as a player sees them: own points, the other's, the ball counted toward
    /// the other's end.
    fn observe(
        &self,
        py: Python<'_>,
        player: &str,
        mut out: PyReadwriteArray2<'_, i32>,
    ) -> PyResult<()> {
        let player: Player = player.parse().or_raise()?;
        fits("out", out.shape(), &[self.states.len(), 3])?;
        let rows = out.as_slice_mut()?.chunks_exact_mut(3);
        py.detach(|| {
            for (row, state) in rows.zip(&self.states) {
                let points = state.points(player);
                let other_points = state.points(player.opponent());
                row.copy_from_slice(&[
                    points as i32,
                    other_points as i32,
                    state.ball.position() * player.direction(),
                ]);
            }
        });
        Ok(())
    }

    /// Writes a bid of a player for every game that goes on, drawn from a policy with 64 random
    /// bits each; 0 for the others.
    fn draw(
        &self,
        py: Python<'_>,
        policy: &Bound<'_, PyPolicy>,
        player: &str,
        bits: PyReadonlyArray1<'_, u64>,
        mut out: PyReadwriteArray1<'_, i64>,
    ) -> PyResult<()> {
        let player: Player = player.parse().or_raise()?;
        fits("bits", bits.shape(), &[self.states.len()])?;
        fits("out", out.shape(), &[self.states.len()])?;
        let (policy, bits, out) =
            (policy.get().of_game(&self.rules)?, bits.as_slice()?, out.as_slice_mut()?);
        py.detach(|| {
            for (game, (state, over)) in self.states.iter().zip(&self.over).enumerate() {
                out[game] = if *over { 0 } else { policy.draw(*state, player, bits[game])?.into() };
            }
            Ok::<(), pencil_tennis::Error>(())
        })
        .or_raise()
    }

    /// Writes which bids a player's account allows, from 0 to the player's points at the start.
    fn mask(
        &self,
        py: Python<'_>,
        player: &str,
        mut out: PyReadwriteArray2<'_, bool>,
    ) -> PyResult<()> {
        let player: Player = player.parse().or_raise()?;
        let width = self.most.points(player) as usize + 1;
        fits("out", out.shape(), &[self.states.len(), width])?;
        let out = out.as_slice_mut()?;
        py.detach(|| {
            // A window of as many columns ends as many columns after the last legal bid as there are
            // higher bids.
            let template: Vec<bool> = (1..2 * width).map(|column| column <= width).collect();
            for (mask, state) in out.chunks_exact_mut(width).zip(&self.states) {
                let legal = self.rules.legal_bids(state.points(player));
                mask.copy_from_slice(&template[width - 1 - *legal.end() as usize..][..width]);
                mask[0] = *legal.start() == 0;
            }
        });
        Ok(())
    }

    /// Writes the turns played.
    fn turns(&self, mut out: PyReadwriteArray1<'_, i64>) -> PyResult<()> {
        fits("out", out.shape(), &[self.turns.len()])?;
        for (out, &turns) in out.as_slice_mut()?.iter_mut().zip(&self.turns) {
            *out = turns.into();
        }
        Ok(())
    }

    /// The number of turns after which a game is decided where the ball lies, if there is one.
    #[getter]
    const fn horizon(&self) -> Option<u32> {
        self.horizon
    }

    /// Writes which games are over.
    fn over(&self, mut out: PyReadwriteArray1<'_, bool>) -> PyResult<()> {
        fits("out", out.shape(), &[self.over.len()])?;
        out.as_slice_mut()?.copy_from_slice(&self.over);
        Ok(())
    }

    /// Writes A's payoffs of the games that are over, 0 for the others.
    fn payoffs(&self, mut out: PyReadwriteArray1<'_, f64>) -> PyResult<()> {
        fits("out", out.shape(), &[self.payoffs.len()])?;
        out.as_slice_mut()?.copy_from_slice(&self.payoffs);
        Ok(())
    }
}

impl PyGames {
    /// Checks all bids, then plays them, so that a rejected turn changes nothing.
    fn play(&mut self, bids: [&[i64]; 2]) -> Result<usize, String> {
        for (player, bids) in Player::BOTH.into_iter().zip(bids) {
            for (game, ((state, over), &bid)) in
                self.states.iter().zip(&self.over).zip(bids).enumerate()
            {
                let account = state.points(player);
                let legal = i64::from(self.rules.lowest_bid(account))..=i64::from(account);
                if !over && !legal.contains(&bid) {
                    return Err(illegal(&self.rules, game, player, bid, account));
                }
            }
        }
        let mut running = 0;
        for game in 0..self.states.len() {
            if self.over[game] {
                continue;
            }
            let [bid_a, bid_b] = bids.map(|bids| bids[game] as u32);
            let after = self.rules.play(self.states[game], bid_a, bid_b);
            self.states[game] = after.map_err(|error| format!("game {game}: {error}"))?;
            self.turns[game] += 1;
            match self.outcome(game) {
                Some(outcome) => {
                    self.over[game] = true;
                    self.payoffs[game] = self.payoff_of[outcome.index()];
                }
                None => running += 1,
            }
        }
        Ok(running)
    }

    /// The outcome of a game, or nothing while it goes on.
    fn outcome(&self, game: usize) -> Option<Outcome> {
        let state = self.states[game];
        let ended = self.horizon.is_some_and(|horizon| self.turns[game] >= horizon);
        // At the horizon as if everything were spent.
        self.rules
            .outcome(state)
            .or_else(|| self.rules.outcome(State::new(0, 0, state.ball)).filter(|_| ended))
    }

    /// The state of three numbers (the points of A and of B, and the ball), if these games can come
    /// to it.
    fn state(&self, numbers: [i64; 3], balls: Balls) -> Result<State, String> {
        let [a, b, ball] = numbers;
        let within =
            |points: i64, most: u32| u32::try_from(points).ok().filter(|&points| points <= most);
        let (Some(points_a), Some(points_b)) = (within(a, self.most.a), within(b, self.most.b))
        else {
            let (most_a, most_b) = (self.most.a, self.most.b);
            return Err(format!(
                "{a}:{b} points are not possible; expected 0 to {most_a} of A and 0 to {most_b} of B"
            ));
        };
        let field = self.rules.field();
        let farthest = match balls {
            Balls::Inside => field,
            Balls::InsideOrOut => field + 1,
        };
        let inside = i32::try_from(ball).ok().filter(|ball| ball.abs() <= farthest);
        let ball = inside
            .ok_or_else(|| format!("ball {ball} is outside the field -{field} to {field}"))?;
        Ok(State::new(points_a, points_b, Ball::new(ball).map_err(|error| error.to_string())?))
    }
}

/// Which positions of the ball a given state may have.
#[derive(Clone, Copy)]
enum Balls {
    /// Inside the field: a game goes on from there.
    Inside,
    /// One step outside it as well: the game is over.
    InsideOrOut,
}

/// The sentence that refuses a bid.
#[cold]
fn illegal(rules: &Rules, game: usize, player: Player, bid: i64, account: u32) -> String {
    // The library's sentence, for a bid that it can be asked for.
    let refused =
        u32::try_from(bid).ok().and_then(|bid| rules.check_bid(player, bid, account).err());
    match refused {
        Some(error) => format!("game {game}: {error}"),
        None => format!(
            "game {game}: {player} cannot bid {bid}: bids are whole numbers of points, from 0 on"
        ),
    }
}

/// Checks the shape of an array.
fn fits(name: &str, shape: &[usize], expected: &[usize]) -> PyResult<()> {
    if shape == expected {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("{name} has the shape {shape:?}; expected {expected:?}")))
}

/// The bid that 64 random bits stand for.
#[pyfunction]
pub(crate) fn draw_bid(
    policy: &Bound<'_, PyPolicy>,
    state: StateArgument,
    player: &str,
    bits: u64,
) -> PyResult<u32> {
    policy.get().inner.draw(state.0, player.parse().or_raise()?, bits).or_raise()
}
