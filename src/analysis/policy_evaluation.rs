//! The worth of a policy of Tennis against best responses and optimal play.

use super::layers::work;
use super::matchup::value_between;
use super::{BestResponse, Exploitability};
use crate::bounds::{Enclosure, Rounding};
use crate::error::Error;
use crate::game::{ByPlayer, Player, SecuredBounds, State};
use crate::matrix_game::{BestReply, DyadicStrategy};
use crate::policy::{Policy, probability};
use crate::solution::Solution;
use crate::work::{Parts, Threads, Watch};

/// A policy judged by its best responses and by optimal play. A policy of one player has the
/// opponent's best response and its own regrets.
///
/// *Complexity.* O(states · bids²).
///
/// ```
/// use pencil_tennis::analysis::PolicyEvaluation;
/// use pencil_tennis::{Player, Policy, Rules, unwatched};
///
/// let solution = pencil_tennis::solve(8)?;
/// let uniform = Policy::uniform(&Rules::tennis(), [8, 8])?;
/// let evaluation = PolicyEvaluation::new(&solution, &uniform, &mut unwatched)?;
/// let exploitability = evaluation.exploitability().expect("both players").mean();
/// assert!((1.8..2.0).contains(&exploitability.middle()));
/// let worst = evaluation.worst(1)[0];
/// println!("{} loses most at {}: {:.3} a game", worst.player, worst.state, worst.contribution);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PolicyEvaluation {
    start: State,
    value: Enclosure,
    /// The best responses of A and B, where the policy covers the other.
    responses: ByPlayer<Option<BestResponse>>,
    /// A's expected payoff when this player follows the policy and the opponent plays optimally.
    against_optimum: ByPlayer<Option<Enclosure>>,
    regrets: ByPlayer<Vec<StateRegret>>,
}

/// The regret of one player's bids at one state; `value` is the state's value to A.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct StateRegret {
    pub state: State,
    pub player: Player,
    pub value: f64,
    /// A's expected payoff against a best response to the policy.
    pub conceded: f64,
    /// The policy's loss by its bid here alone, if both play optimally afterwards: at least 0.
    /// Where two bids of 0 repeat the state, by its bids until the state is left.
    pub regret: f64,
    /// The probability of reaching the state when the best response meets the policy.
    pub reached: f64,
    /// The state's share of the loss against the best response: `reached` times the mean decrease
    /// of the value over the turn. The contributions of all states sum to that loss.
    ///
    /// At most `reached · regret`; negative where the best response sacrifices value to reach
    /// states in which the policy is worse.
    pub contribution: f64,
}

impl PolicyEvaluation {
    /// Judges a policy for the solved game.
    ///
    /// # Errors
    /// [`crate::PolicyError::OtherGame`] for a policy with other points or another field.
    pub fn new(solution: &Solution, policy: &Policy, watch: &mut Watch<'_>) -> Result<Self, Error> {
        let rules = *solution.rules();
        policy.check_game(&rules, solution.points())?;
        let players: Vec<Player> =
            Player::BOTH.into_iter().filter(|&player| policy.covers(player)).collect();
        let is_mirrored = players.len() == 2
            && solution.tables().are_views_shared()
            && policy.mirrored() == *policy;
        // At most one sweep for the optimal strategies, and three for each player, but one for the
        // second of two alike.
        let mut parts =
            Parts::new(watch, if is_mirrored { 5.0 } else { 1.0 + 3.0 * players.len() as f64 });
        let threads = solution.start_threads()?;
        let optimal = Policy::optimal(solution, &mut parts.part(1.0))?;
        parts.done(1.0)?;
        let (start, space) = (solution.start(), solution.tables().order.space);
        let value = solution.enclosure(start)?;
        let mut evaluation = Self {
            start,
            value,
            responses: ByPlayer::default(),
            against_optimum: ByPlayer::default(),
            regrets: ByPlayer::default(),
        };
        let mut losses = Vec::new();
        for player in players {
            let response = match &evaluation.responses[player] {
                // B's bids at a state are A's at the mirror image.
                Some(response) if is_mirrored => {
                    losses =
                        space.states().map(|state| losses[space.index(state.mirrored())]).collect();
                    response.mirrored()
                }
                _ => {
                    let (responder, down) = (player.opponent(), Rounding::Down);
                    let response = BestResponse::rounded(
                        &rules,
                        policy,
                        responder,
                        down,
                        &threads,
                        &mut parts.part(1.0),
                    )?;
                    parts.done(1.0)?;
                    losses =
                        losses_of(solution, policy, &response, &threads, &mut parts.part(1.0))?;
                    parts.done(1.0)?;
                    response
                }
            };
            let pair = player.own_first([policy, &optimal]);
            evaluation.against_optimum[player] =
                Some(value_between(&rules, start, pair, &threads, &mut parts.part(1.0))?);
            parts.done(1.0)?;
            evaluation.regrets[player] = regrets_of(solution, policy, &response, &losses)?;
            evaluation.responses[player.opponent()] = Some(response);
        }
        Ok(evaluation)
    }

    pub const fn value(&self) -> Enclosure {
        self.value
    }

    /// The best response of a player, if the policy covers the other.
    pub fn best_response(&self, responder: Player) -> Option<&BestResponse> {
        self.responses[responder].as_ref()
    }

    /// A's expected payoff from the start when `responder` plays a best response: bounds on the
    /// responder's side of the game's value.
    pub fn best_response_value(&self, responder: Player) -> Option<Enclosure> {
        let value = self.best_response(responder)?.value(self.start).ok()?;
        Some(match responder {
            Player::A => value.not_below(self.value),
            Player::B => value.not_above(self.value),
        })
    }

    pub fn exploitability(&self) -> Option<Exploitability> {
        let [a, b] = Player::BOTH.map(|responder| self.best_response_value(responder));
        Some(Exploitability::of([a?, b?]))
    }

    /// A's expected payoff when `player` follows the policy against the solver's optimal strategy:
    /// bounds between the best-response value and the value of the game.
    pub fn value_against_optimum(&self, player: Player) -> Option<Enclosure> {
        let response = self.best_response_value(player.opponent())?;
        let value = self.against_optimum[player]?;
        Some(match player {
            Player::A => value.not_below(response).not_above(self.value),
            Player::B => value.not_below(self.value).not_above(response),
        })
    }

    /// The regrets by player, then state, without ended states.
    pub fn state_regrets(&self) -> impl Iterator<Item = &StateRegret> {
        self.regrets.iter().flatten()
    }

    /// At most `count` states with the largest positive contributions, largest first.
    pub fn worst(&self, count: usize) -> Vec<StateRegret> {
        let mut worst: Vec<StateRegret> =
            self.state_regrets().filter(|entry| entry.contribution > 0.0).copied().collect();
        // The sort is stable: equal contributions keep the order of players and states.
        worst.sort_by(|one, other| other.contribution.total_cmp(&one.contribution));
        worst.truncate(count);
        worst
    }
}

/// The number of states between two reports: enough to keep all threads busy.
const PIECE: usize = 2_048;

/// A player's largest loss by one bid, and the loss of the best response's bid; 0 at ended states.
#[derive(Clone, Copy, Default)]
struct Losses {
    regret: f64,
    against_response: f64,
}

fn losses_of(
    solution: &Solution,
    policy: &Policy,
    response: &BestResponse,
    threads: &Threads,
    watch: &mut Watch<'_>,
) -> Result<Vec<Losses>, Error> {
    let tables = solution.tables();
    let player = response.responder().opponent();
    let weights = policy.behaviour(player)?;
    // The unit of weighted sums: that of the bounds, divided by the whole.
    let unit = (-f64::from(tables.scale.exponent + DyadicStrategy::WHOLE_BITS)).exp2();
    let approximate = tables.approximately_secured(player);
    let judge = |best: &mut BestReply, &state: &State| {
        if tables.rules.outcome(state).is_some() {
            return Losses::default();
        }
        // The security level of optimal play, which no sum below exceeds by more than the width of
        // the enclosures.
        let game = tables.secured_stage(player, state);
        let doubles = approximate.stage(&tables.rules, player, state);
        let endless = || tables.endless(player, state);
        let (_, least) = game.best_reply(
            &doubles,
            approximate.range(),
            weights.weights(state),
            Rounding::Down,
            endless,
            best,
        );
        let secured =
            i128::from(tables.bounds_at(state).secured_by(player)) << DyadicStrategy::WHOLE_BITS;
        let against_response =
            best.expectation(&game, response.reply(state) as usize - game.lowest_reply);
        // A policy may beat the solver's strategies in the last bits.
        Losses {
            regret: ((secured - least) as f64 * unit).max(0.0),
            against_response: (secured - against_response) as f64 * unit,
        }
    };
    let states: Vec<State> = solution.states().collect();
    let mut parts = Parts::new(watch, states.iter().copied().map(work).sum());
    let mut losses = Vec::with_capacity(states.len());
    for piece in states.chunks(PIECE) {
        losses.extend(threads.map(piece, judge));
        parts.done(piece.iter().copied().map(work).sum())?;
    }
    Ok(losses)
}

fn regrets_of(
    solution: &Solution,
    policy: &Policy,
    response: &BestResponse,
    losses: &[Losses],
) -> Result<Vec<StateRegret>, Error> {
    let player = response.responder().opponent();
    let reached = reached(solution, policy, response)?;
    let states = solution.states().zip(losses).zip(reached);
    let regret = |((state, &Losses { regret, against_response }), reached)| {
        let (value, conceded) = (solution.value(state)?, response.value(state)?.middle());
        Ok(StateRegret {
            state,
            player,
            value,
            conceded,
            regret,
            reached,
            contribution: reached * against_response,
        })
    };
    states
        .filter(|((state, _), _)| solution.rules().outcome(*state).is_none())
        .map(regret)
        .collect()
}

/// The probability of reaching every state when the best response meets the policy.
fn reached(
    solution: &Solution,
    policy: &Policy,
    response: &BestResponse,
) -> Result<Vec<f64>, Error> {
    let rules = solution.rules();
    let player = response.responder().opponent();
    let weights = policy.behaviour(player)?;
    let space = solution.tables().order.space;
    let mut reached = vec![0.0; space.len()];
    reached[space.index(solution.start())] = 1.0;
    for state in (0..=space.layers()).rev().flat_map(|total| space.layer(total)) {
        let here = reached[space.index(state)];
        if here == 0.0 || rules.outcome(state).is_some() {
            continue;
        }
        let reply = response.reply(state);
        // Both bid 0 until one of them bids something else, if they ever do.
        let leaves = |bid: u32| bid > 0 || reply > 0;
        let waits =
            weights.weights(state).find(|&(bid, _)| !leaves(bid)).map_or(0, |(_, weight)| weight);
        let here = here / probability(DyadicStrategy::WHOLE - waits);
        for (bid, weight) in weights.weights(state).filter(|&(bid, _)| leaves(bid)) {
            let [bid_a, bid_b] = player.own_first([bid, reply]);
            let next = rules.next(state, bid_a, bid_b);
            if rules.is_inside(next.ball.position()) {
                reached[space.index(next)] += here * probability(weight);
            }
        }
    }
    Ok(reached)
}
