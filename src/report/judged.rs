//! The reports of `exploit` for games of other rules than Tennis, with the fields of the one for
//! Tennis.

use serde::Serialize;

use super::proved_value::middle;
use super::{JudgementReport, ModelReport, SetReport};
use crate::bounds::Enclosure;
use crate::game::{ByPlayer, Player};
use crate::hidden::{HiddenSolution, Judgement};
use crate::serde_object::{as_objects, object};
use crate::stochastic_game::{
    PolicyJudgement, StateJudgement, StochasticGameError, StochasticSolution,
};

/// The report of `exploit` in a game of other rules: a policy of this name, judged from the starts
/// and other states.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct GameExploitReport<'r> {
    pub policy: &'r str,
    /// The property of the model checker's export behind the game.
    #[serde(flatten)]
    pub model: Option<&'r ModelReport>,
    kind: String,
    /// Where play starts, first of all.
    state: String,
    #[serde(flatten)]
    judged: Judged,
    /// Whether a player's probabilities were rounded to multiples of 2^-62; `None` without a policy
    /// of his.
    rounded: ByPlayer<Option<bool>>,
    worst: Vec<WorstState>,
    /// All starts, and the states that were asked for.
    states: Vec<JudgedState>,
}

/// The report of `exploit` in a game with hidden information: strategies of this name.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct HiddenExploitReport<'r> {
    pub policy: &'r str,
    /// Assumptions made in reading a file.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub assumptions: &'r [String],
    #[serde(flatten)]
    judged: Judged,
    /// The best responses' values as fractions, unless their denominators are too long.
    exact: ByPlayer<Option<String>>,
    /// The information sets that were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<SetReport>,
}

/// A policy of one player, or of both, against best responses from one place of a game.
#[derive(Clone, Copy, Debug)]
struct Judged {
    value: Enclosure,
    /// A's payoff if this player responds best; `None` without a policy of the other.
    best_response_value: ByPlayer<Option<Enclosure>>,
    /// The part of the value that this player's policy loses; `None` without one.
    loss: ByPlayer<Option<Enclosure>>,
}

#[derive(Clone, Debug, Serialize)]
struct JudgedState {
    state: String,
    #[serde(flatten)]
    judged: Judged,
}

/// A state where a policy's choice loses much, with optimal play from the next state on.
#[derive(Clone, Debug, Serialize)]
struct WorstState {
    state: String,
    player: Player,
    value: f64,
    /// A's payoff if the opponent responds best from here.
    conceded: f64,
    regret: f64,
    /// The proved bounds of `conceded`.
    guaranteed: Enclosure,
}

impl<'r> GameExploitReport<'r> {
    /// The report of a judgement of the policy of this name.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`](crate::stochastic_game::StochasticGameFault::UnknownState).
    pub fn new(
        policy: &'r str,
        model: Option<&'r ModelReport>,
        judgement: &JudgementReport<'_>,
    ) -> Result<Self, StochasticGameError> {
        let JudgementReport { solution, judgements, states } = judgement;
        let game = solution.game();
        let mut worst = Vec::new();
        for of_player in *judgements {
            for (view, regret) in judgement.worst(of_player) {
                let state = view.number();
                let secured = of_player.state(state)?.secured;
                worst.push(WorstState {
                    state: view.name().to_owned(),
                    player: of_player.player(),
                    value: solution.value(&state)?,
                    conceded: secured.middle(),
                    regret,
                    guaranteed: secured,
                });
            }
        }
        let mut judged_states = Vec::with_capacity(states.len());
        for state in states {
            let judged = Judged::from_state(solution, judgements, state.number())?;
            judged_states.push(JudgedState { state: state.name().to_owned(), judged });
        }
        Ok(Self {
            policy,
            model,
            kind: game.kind().to_string(),
            state: judged_states[0].state.clone(),
            judged: judged_states[0].judged,
            rounded: ByPlayer::new(|player| Some(of(judgements, player)?.is_rounded())),
            worst,
            states: judged_states,
        })
    }
}

/// The judgement of a player's policy, if there is one.
fn of(judgements: &[PolicyJudgement], player: Player) -> Option<&PolicyJudgement> {
    judgements.iter().find(|judgement| judgement.player() == player)
}

impl<'r> HiddenExploitReport<'r> {
    /// The report of the judgement of A's strategy, of B's, or of both.
    pub fn new(
        policy: &'r str,
        assumptions: &'r [String],
        solution: &HiddenSolution,
        judgements: &[Judgement],
    ) -> Self {
        let of = |player| judgements.iter().find(move |judgement| judgement.player() == player);
        let exact = |responder: Player| of(responder.opponent())?.exact().map(ToString::to_string);
        let judged = Judged::new(solution.enclosure(), |player| of(player).map(Judgement::secured));
        Self { policy, assumptions, judged, exact: ByPlayer::new(exact), sets: Vec::new() }
    }

    /// How much a player's strategy loses of the value against a best response, with proved bounds;
    /// `None` without one.
    pub fn loss(&self, player: Player) -> Option<Enclosure> {
        self.judged.loss[player]
    }

    /// Half of what both best responses gain, if both players' strategies are judged.
    pub fn exploitability(&self) -> Option<Enclosure> {
        self.judged.exploitability()
    }
}

impl Judged {
    /// From a game's value, and A's payoff when the policy of a player meets its best response.
    fn new(value: Enclosure, payoff: impl Fn(Player) -> Option<Enclosure>) -> Self {
        let loss = |player: Player| {
            let payoff = payoff(player)?;
            Some(match player {
                Player::A => value.above(&payoff),
                Player::B => payoff.above(&value),
            })
        };
        Self {
            value,
            best_response_value: ByPlayer::new(|responder| payoff(responder.opponent())),
            loss: ByPlayer::new(loss),
        }
    }

    fn from_state(
        solution: &StochasticSolution,
        judgements: &[PolicyJudgement],
        state: usize,
    ) -> Result<Self, StochasticGameError> {
        let mut judged: ByPlayer<Option<StateJudgement>> = ByPlayer { a: None, b: None };
        for player in Player::BOTH {
            if let Some(judgement) = of(judgements, player) {
                judged[player] = Some(judgement.state(state)?);
            }
        }
        let value = solution.enclosure(&state)?;
        Ok(Self {
            loss: judged.map(|judged| Some(judged?.loss)),
            ..Self::new(value, |player| Some(judged[player]?.secured))
        })
    }

    fn nash_conv(&self) -> Option<Enclosure> {
        let ByPlayer { a, b } = self.best_response_value;
        Some(a?.above(&b?))
    }

    fn exploitability(&self) -> Option<Enclosure> {
        self.nash_conv().map(|both| both.half())
    }
}

as_objects! {
    Judged, |judged| {
        "value": judged.value.middle(),
        "exploitability": middle(judged.exploitability()),
        "nash_conv": middle(judged.nash_conv()),
        "best_response_value": judged.best_response_value.map(middle),
        "loss": judged.loss.map(middle),
        "guaranteed": object! {
            "value": judged.value,
            "exploitability": judged.exploitability(),
            "nash_conv": judged.nash_conv(),
            "best_response_value": judged.best_response_value,
            "loss": judged.loss,
        },
    }
}
