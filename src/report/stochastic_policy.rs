//! Policies of stochastic games as rows, and their judgement as scripts read it.

use serde::{Deserialize, Serialize};

use super::rows::{Columns, read_csv};
use crate::bounds::Enclosure;
use crate::excerpt::sentence;
use crate::game::Player;
use crate::stochastic_game::{
    PolicyJudgement, StationaryPolicy, StochasticGame, StochasticGameError, StochasticGameFault, StochasticSolution,
};

/// An action of a player at a state, with its probability as a fraction or decimal.
#[derive(Deserialize)]
struct Row {
    state: String,
    player: String,
    action: String,
    probability: String,
}

/// The columns, and what stands in each.
const COLUMNS: &Columns = &[("state", "text"), ("player", "text"), ("action", "text"), ("probability", "text")];

/// Reads a policy of one player or both from csv with the columns `state,player,action,probability`, among others, in any order;
/// actions that are never chosen may be missing, and states with a single action, too.
///
/// # Errors
/// A sentence with the line or the state.
pub fn read_game_policy(game: &StochasticGame, bytes: &[u8]) -> Result<Vec<StationaryPolicy>, StochasticGameError> {
    let refuse = |reason| StochasticGameError::from(StochasticGameFault::Text { reason });
    let rows = read_csv::<Row>(bytes, csv::Trim::Headers, COLUMNS).map_err(refuse)?;
    let mut given = [vec![Vec::new(); game.len()], vec![Vec::new(); game.len()]];
    let mut met = [false; 2];
    for row in rows {
        let (line, row) = row.map_err(refuse)?;
        let at = |reason: &str| refuse(format!("line {line}: {reason}"));
        let player: Player =
            row.player.trim().parse().map_err(|_| at(&format!("`{}` is no player; expected A or B", sentence(&row.player))))?;
        // A name may begin or end with a space; a space that is in no name was written to be looked at.
        let state = game.place(&row.state).or_else(|error| game.place(row.state.trim()).map_err(|_| error));
        let state = state.map_err(|error| at(&error.to_string()))?;
        let place = usize::from(player == Player::B);
        let names = game.actions(state).ok_or_else(|| at(&format!("`{}` is an end", sentence(&row.state))))?[place];
        let named = |action: &str| names.iter().position(|name| **name == *action);
        let action = named(&row.action)
            .or_else(|| named(row.action.trim()))
            .ok_or_else(|| at(&format!("{player} has no action `{}` at `{}`", sentence(&row.action), sentence(&row.state))))?;
        let probability = StochasticGame::number(&row.probability).map_err(|error| at(&error.to_string()))?;
        given[place][state].push((action, probability));
        met[place] = true;
    }
    let mut policies = Vec::new();
    for (player, given) in Player::BOTH.into_iter().zip(given) {
        if met[usize::from(player == Player::B)] {
            policies.push(StationaryPolicy::new(game, player, &given)?);
        }
    }
    if policies.is_empty() {
        return Err(refuse("there are no rows".to_owned()));
    }
    Ok(policies)
}

/// The report of `game --policy`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct JudgementReport {
    /// What each player's part is worth.
    pub players: Vec<PlayerJudgementReport>,
    /// What it is worth from every start on, and from the states that were asked for.
    pub states: Vec<JudgedStateReport>,
    /// Half of what both best responses gain together, at the first start; where both parts are judged.
    pub exploitability: Option<Enclosure>,
}

/// A player's part of a policy.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct PlayerJudgementReport {
    /// `A` or `B`.
    pub player: String,
    /// What A wins at the first start when the other answers best.
    pub worth: Enclosure,
    /// What that is below the value of the game, for the player.
    pub loss: Enclosure,
    /// Whether what is judged are multiples of 2⁻⁶², to which its probabilities were rounded.
    pub rounded: bool,
    /// The states where the choice gives most away, if all goes on optimally; those that give nothing away are left out.
    pub worst_states: Vec<RegretReport>,
}

/// What a policy is worth from one state on.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct JudgedStateReport {
    /// Its name.
    pub state: String,
    /// What each player's part is worth.
    pub players: Vec<JudgedPartReport>,
    /// Half of what both best responses gain together, where both parts are judged.
    pub exploitability: Option<Enclosure>,
}

/// What a player's part of a policy is worth from one state on.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct JudgedPartReport {
    /// `A` or `B`.
    pub player: String,
    /// What A wins when the other answers best.
    pub worth: Enclosure,
    /// What that is below the value of the state, for the player.
    pub loss: Enclosure,
}

/// A state where a policy gives something away.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RegretReport {
    /// Its name.
    pub state: String,
    /// What the choice gives away at most.
    pub regret: f64,
    /// What A wins from here on when the other answers best.
    pub worth: Enclosure,
}

impl JudgementReport {
    /// The report of one player's part of a policy, or of both, from every start on, with at most this many of the worst states.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`](crate::stochastic_game::StochasticGameFault::UnknownState).
    pub fn new(solution: &StochasticSolution, judgements: &[PolicyJudgement], most: usize) -> Result<Self, StochasticGameError> {
        let starts = solution.game().starts().iter();
        let states = starts.map(|&start| JudgedStateReport::new(solution, judgements, start as usize));
        let states = states.collect::<Result<Vec<_>, _>>()?;
        let player = |(judgement, first): (&PolicyJudgement, &JudgedPartReport)| {
            let regret = |&state: &usize| RegretReport {
                state: solution.game().name(state).to_owned(),
                regret: judgement.regret(state).upper(),
                worth: judgement.worth(state),
            };
            let worst = judgement.worst_states();
            let tells = |state: &&usize| judgement.regret(**state).upper() > solution.widest_enclosure();
            let JudgedPartReport { player, worth, loss } = first.clone();
            PlayerJudgementReport {
                player,
                worth,
                loss,
                rounded: judgement.is_rounded(),
                worst_states: worst.iter().take(most).filter(tells).map(regret).collect(),
            }
        };
        let players = judgements.iter().zip(&states[0].players).map(player).collect();
        Ok(Self { players, exploitability: states[0].exploitability, states })
    }

    /// The same from the states of these numbers on, too.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`](crate::stochastic_game::StochasticGameFault::UnknownState).
    pub fn with_states(
        mut self,
        solution: &StochasticSolution,
        judgements: &[PolicyJudgement],
        states: &[usize],
    ) -> Result<Self, StochasticGameError> {
        let starts = solution.game().starts();
        let others = states.iter().filter(|&&state| !starts.contains(&(state as u32)));
        for &state in others {
            self.states.push(JudgedStateReport::new(solution, judgements, state)?);
        }
        Ok(self)
    }
}

impl JudgedStateReport {
    fn new(solution: &StochasticSolution, judgements: &[PolicyJudgement], state: usize) -> Result<Self, StochasticGameError> {
        let value = solution.enclosure(&state)?;
        let part = |judgement: &PolicyJudgement| {
            let worth = judgement.worth(state);
            let loss = match judgement.player() {
                Player::A => value.above(&worth),
                Player::B => worth.above(&value),
            };
            JudgedPartReport { player: judgement.player().to_string(), worth, loss }
        };
        let exploitability = match judgements {
            [a, b] => Some(b.worth(state).above(&a.worth(state)).half()),
            _ => None,
        };
        let state = solution.game().name(state).to_owned();
        Ok(Self { state, players: judgements.iter().map(part).collect(), exploitability })
    }
}
