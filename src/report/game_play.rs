//! Plays of games of any rules: JSON Lines with a header, then a turn a line.

use num_traits::ToPrimitive;
use serde::{Deserialize, Serialize};

use crate::game::Player;
use crate::stochastic_game::{
    StateView, StochasticGameError, StochasticGameFault, StochasticSolution, Turn as GameTurn,
};
use stochastic_game::internal::sentence;

const FORMAT: &str = "stochastic-game-play";

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    version: u32,
    game: String,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Turn {
    state: String,
    a: String,
    b: String,
    to: String,
}

/// A play of a game, turn by turn.
#[derive(Clone, Debug)]
pub struct GamePlay {
    /// The name of the game, or of its file.
    pub game: String,
    turns: Vec<Turn>,
}

/// A play with its value and the loss of every action, against optimal play of the opponent.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct JudgedPlay {
    pub game: String,
    pub turns: Vec<JudgedMove>,
    /// The sums of the losses of A's and of B's actions.
    pub loss_a: f64,
    pub loss_b: f64,
    /// The last state.
    pub state: String,
    pub value: f64,
    pub over: bool,
    /// A's payoff so far: the rewards, discounted, and the value of the end.
    pub payoff: f64,
}

/// A turn of a judged play.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct JudgedMove {
    /// From 1.
    pub turn: usize,
    pub state: String,
    pub value: f64,
    pub a: PlayedAction,
    pub b: PlayedAction,
    pub reward: String,
    /// The successor.
    pub after: String,
    pub value_after: f64,
}

/// An action with what it cost its player.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct PlayedAction {
    pub action: String,
    pub loss: f64,
}

impl GamePlay {
    pub const fn new(game: String) -> Self {
        Self { game, turns: Vec::new() }
    }

    /// Adds a turn: the state, both actions by their numbers, and the successor.
    ///
    /// # Errors
    /// [`StochasticGameFault::End`], [`StochasticGameFault::ActionUnknown`].
    pub fn push(
        &mut self,
        state: StateView<'_>,
        actions: [usize; 2],
        to: StateView<'_>,
    ) -> Result<(), StochasticGameError> {
        let [a, b] = state.chosen(actions)?;
        self.turns.push(Turn {
            state: state.name().to_owned(),
            a: a.to_owned(),
            b: b.to_owned(),
            to: to.name().to_owned(),
        });
        Ok(())
    }

    /// Reads a play; `None` for a text of another format.
    ///
    /// # Errors
    /// [`StochasticGameFault::Text`] with the line.
    pub fn read(text: &str) -> Result<Option<Self>, StochasticGameError> {
        let mut lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
        let Some((first, number)) = lines.next().filter(|(line, _)| line.contains(FORMAT)) else {
            return Ok(None);
        };
        let Header { game, version, .. } = read(first, number)?;
        if version != 1 {
            return Err(refuse(format!(
                "the format has version {version}; only version 1 is known"
            ))
            .in_line(number));
        }
        let turns = lines.map(|(line, number)| read(line, number)).collect::<Result<_, _>>()?;
        Ok(Some(Self { game, turns }))
    }

    /// The text that [`read`](Self::read) reads.
    pub fn text(&self) -> String {
        let line = |line: Result<String, serde_json::Error>| line.unwrap_or_default() + "\n";
        let header = Header { format: FORMAT.to_owned(), version: 1, game: self.game.clone() };
        let turns = self.turns.iter().map(|turn| line(serde_json::to_string(turn)));
        line(serde_json::to_string(&header)) + &turns.collect::<String>()
    }

    /// Judges the play of a solved game.
    ///
    /// # Errors
    /// [`StochasticGameFault::Turn`] if the game has no such turn or play does not
    /// go on where the last one ended.
    pub fn judge(&self, solution: &StochasticSolution) -> Result<JudgedPlay, StochasticGameError> {
        let game = solution.game();
        let discount = game.discount().to_f64().unwrap_or(1.0);
        let (mut turns, mut losses, mut payoff, mut share) = (Vec::new(), [0.0; 2], 0.0, 1.0);
        let mut at = game.state(game.starts()[0] as usize)?;
        for (Turn { state, a, b, to }, number) in self.turns.iter().cloned().zip(1..) {
            let turn = |reason: String| {
                StochasticGameError::from(StochasticGameFault::Turn { turn: number, reason })
            };
            let from = game.place(&state).map_err(|error| turn(error.to_string()))?;
            let view = game.state(from)?;
            if number > 1 && from != at.number() {
                let (state, reached) = (sentence(&state), sentence(&at.name()));
                return Err(turn(format!(
                    "begins at {state}, but the turn before led to {reached}"
                )));
            }
            let names = view
                .actions()
                .ok_or_else(|| turn(format!("the play is over at {}", sentence(&state))))?;
            let action = |player: Player, name: &str| {
                let index = names[usize::from(player == Player::B)]
                    .iter()
                    .position(|candidate| **candidate == *name);
                index.ok_or_else(|| {
                    turn(format!(
                        "{player} has no action `{}` at {}",
                        sentence(&name),
                        sentence(&state)
                    ))
                })
            };
            let [place_a, place_b] = [action(Player::A, &a)?, action(Player::B, &b)?];
            let next = game.place(&to).map_err(|error| turn(error.to_string()))?;
            let GameTurn { reward, successors, .. } = view.turn([place_a, place_b])?;
            if !successors.iter().any(|successor| successor.state.number() == next) {
                return Err(turn(format!(
                    "`{}` against `{}` does not lead to {}",
                    sentence(&a),
                    sentence(&b),
                    sentence(&to)
                )));
            }
            let [own_a, own_b] = solution.losses(from)?;
            let (loss_a, loss_b) = (own_a[place_a], own_b[place_b]);
            losses = [losses[0] + loss_a, losses[1] + loss_b];
            payoff += share * reward.to_f64().unwrap_or(f64::NAN);
            share *= discount;
            turns.push(JudgedMove {
                turn: number,
                state,
                value: solution.value(&from)?,
                a: PlayedAction { action: a, loss: loss_a },
                b: PlayedAction { action: b, loss: loss_b },
                reward: reward.to_string(),
                after: to,
                value_after: solution.value(&next)?,
            });
            at = game.state(next)?;
        }
        let end = at.end_value();
        payoff += share * end.and_then(ToPrimitive::to_f64).unwrap_or(0.0);
        let (state, value) = (at.name().to_owned(), solution.value(&at.number())?);
        let [loss_a, loss_b] = losses;
        Ok(JudgedPlay {
            game: self.game.clone(),
            turns,
            loss_a,
            loss_b,
            state,
            value,
            over: end.is_some(),
            payoff,
        })
    }
}

fn read<'l, T: Deserialize<'l>>(line: &'l str, number: u64) -> Result<T, StochasticGameError> {
    serde_json::from_str(line).map_err(|error| refuse(sentence(&error)).in_line(number))
}

fn refuse(reason: String) -> StochasticGameError {
    StochasticGameFault::Text { reason }.into()
}
