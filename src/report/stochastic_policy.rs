//! Policies of games of other rules in csv.

use num_rational::BigRational;
use serde::Deserialize;

use super::rows::{Columns, read_csv};
use crate::bounds::Enclosure;
use crate::error::TableFault;
use crate::game::Player;
use crate::serde_object::{as_objects, object};
use crate::stochastic_game::{
    PolicyJudgement, StateJudgement, StateView, StationaryPolicy, StochasticGame,
    StochasticGameError, StochasticGameFault, StochasticSolution,
};
use stochastic_game::internal::Expected;
use stochastic_game::internal::exact_number;

#[derive(Deserialize)]
struct Row {
    state: String,
    player: String,
    action: String,
    probability: String,
}

const COLUMNS: &Columns =
    &[("state", "text"), ("player", "text"), ("action", "text"), ("probability", "text")];

/// Reads a policy of one player or both from csv with the columns
/// `state,player,action,probability`, among others, in any order; actions of probability 0, and
/// states with a single action, may be missing.
///
/// # Errors
/// A sentence with the line or the state.
pub fn read_game_policy(
    game: &StochasticGame,
    bytes: &[u8],
) -> Result<Vec<StationaryPolicy>, StochasticGameError> {
    let rows = read_csv::<Row>(bytes, csv::Trim::Headers, COLUMNS)?;
    let mut given = [None, None];
    for row in rows {
        let (line, row) = row?;
        let at = |error: StochasticGameError| error.in_line(line.number());
        let (player, state, action, probability) = entry(game, &row).map_err(at)?;
        given[usize::from(player == Player::B)].get_or_insert_with(|| vec![Vec::new(); game.len()])
            [state]
            .push((action, probability));
    }
    let given =
        Player::BOTH.into_iter().zip(given).filter_map(|(player, given)| Some((player, given?)));
    let policies = given
        .map(|(player, given)| StationaryPolicy::new(game, player, &given))
        .collect::<Result<Vec<_>, _>>()?;
    if policies.is_empty() { Err(TableFault::NoRows.into()) } else { Ok(policies) }
}

/// The player, the state, the action and its probability in a row.
fn entry(
    game: &StochasticGame,
    row: &Row,
) -> Result<(Player, usize, usize, BigRational), StochasticGameError> {
    let unknown_player = |_| StochasticGameFault::PlayerUnknown { text: row.player.clone() };
    let player: Player = row.player.trim().parse().map_err(unknown_player)?;
    // A name may begin or end with a space; other spaces are formatting.
    let state =
        game.place(&row.state).or_else(|error| game.place(row.state.trim()).map_err(|_| error))?;
    let names = game
        .state(state)?
        .actions()
        .ok_or_else(|| StochasticGameFault::End { name: row.state.clone() })?;
    let names = names[usize::from(player == Player::B)];
    let action = [&*row.action, row.action.trim()]
        .into_iter()
        .find_map(|spelling| names.iter().position(|name| **name == *spelling));
    let action = action.ok_or_else(|| StochasticGameFault::ActionUnknown {
        player,
        action: row.action.clone(),
        name: row.state.clone(),
        known: Expected(names.iter().map(|name| &**name)).to_string(),
    })?;
    Ok((player, state, action, exact_number(&row.probability)?.to_rational()))
}

/// The judgement of A's part of a policy, of B's, or of both, from the starts and other states
/// asked for. As an object it is the one that the page reads;
/// [`GameExploitReport`](super::GameExploitReport) is that of `exploit`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct JudgementReport<'s> {
    pub solution: &'s StochasticSolution,
    pub judgements: &'s [PolicyJudgement],
    pub states: Vec<StateView<'s>>,
}

impl<'s> JudgementReport<'s> {
    /// The number of reported states with the largest regrets.
    pub const WORST: usize = 10;

    /// The report of judgements from every start, and from these states.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`].
    pub fn new(
        solution: &'s StochasticSolution,
        judgements: &'s [PolicyJudgement],
        asked: &[usize],
    ) -> Result<Self, StochasticGameError> {
        let game = solution.game();
        let mut numbers: Vec<usize> = game.starts().iter().map(|&start| start as usize).collect();
        let others: Vec<usize> =
            asked.iter().copied().filter(|state| !numbers.contains(state)).collect();
        numbers.extend(others);
        let states =
            numbers.into_iter().map(|state| game.state(state)).collect::<Result<_, _>>()?;
        Ok(Self { solution, judgements, states })
    }

    /// The states with the largest positive regrets, with these regrets.
    pub fn worst(&self, judgement: &PolicyJudgement) -> Vec<(StateView<'s>, f64)> {
        let mut worst = Vec::new();
        for state in judgement.worst_states().into_iter().take(Self::WORST) {
            let regret = judgement.state(state).map(|judged| judged.regret.upper());
            // Both are of one game.
            let (Ok(view), Ok(regret)) = (self.solution.game().state(state), regret) else {
                continue;
            };
            if regret > self.solution.widest_enclosure() {
                worst.push((view, regret));
            }
        }
        worst
    }

    /// The proved bounds of a policy from a state on, which is one of the game that was judged.
    fn judged(judgement: &PolicyJudgement, state: StateView<'_>) -> Option<StateJudgement> {
        judgement.state(state.number()).ok()
    }

    fn exploitability(&self, state: StateView<'_>) -> Option<Enclosure> {
        PolicyJudgement::exploitability(self.judgements, state.number()).ok().flatten()
    }
}

as_objects! {
    JudgementReport<'_>, |report| {
        "players": report.judgements.iter().map(|judgement| object! {
            "player": judgement.player(),
            "worth": JudgementReport::judged(judgement, report.states[0]).map(|judged| judged.secured),
            "loss": JudgementReport::judged(judgement, report.states[0]).map(|judged| judged.loss),
            "rounded": judgement.is_rounded(),
            "worst_states": report.worst(judgement).into_iter().map(|(state, regret)| object! {
                "state": state.name(),
                "regret": regret,
                "worth": JudgementReport::judged(judgement, state).map(|judged| judged.secured),
            }).collect::<Vec<_>>(),
        }).collect::<Vec<_>>(),
        "states": report.states.iter().map(|&state| object! {
            "state": state.name(),
            "players": report.judgements.iter().map(|judgement| object! {
                "player": judgement.player(),
                "worth": JudgementReport::judged(judgement, state).map(|judged| judged.secured),
                "loss": JudgementReport::judged(judgement, state).map(|judged| judged.loss),
            }).collect::<Vec<_>>(),
            "exploitability": report.exploitability(state),
        }).collect::<Vec<_>>(),
        "exploitability": report.exploitability(report.states[0]),
    }
}
