//! A player who searches some turns ahead and estimates the rest.

use std::collections::HashMap;

use super::evaluation::{Evaluation, payoff};
use super::repeated_stage::{RepeatedStage, StageEquilibrium};
use crate::error::{AgentError, Error};
use crate::game::{Player, State};
use crate::matrix_game::Simplex;
use crate::policy::Policy;
use crate::work::unwatched;

/// A player who searches `depth` turns ahead: every node of the tree is a matrix game, and an
/// [`Evaluation`] gives the values of its leaves.
///
/// Every state is solved once for every depth, so that the player is a [`Policy`] like any other.
/// It is optimal if `depth` reaches the longest game. If the evaluation is symmetric, so is the
/// policy.
///
/// Where the smallest bid is 0, two bids of 0 repeat the state and cost no turn of the search: a
/// node's value is a fixed point, and its strategies are those that secure most when they are
/// repeated until the state is left. A search that counted repetitions as turns would take winning
/// later for winning now, and put it off for ever.
///
/// *Complexity.* `depth` matrix games for every state. *Source.* The article's last proposal.
///
/// ```
/// use pencil_tennis::agents::{Evaluation, Lookahead};
/// use pencil_tennis::analysis::Exploitability;
/// use pencil_tennis::{Policy, Rules, unwatched};
///
/// let rules = Rules::tennis();
/// let nothing = Evaluation::nothing(&rules, [8, 8])?;
/// let exploitability = |depth| -> Result<f64, pencil_tennis::Error> {
///     Ok(Exploitability::new(&rules, &Lookahead::new(&nothing, depth)?.policy, &mut unwatched)?.mean().middle())
/// };
/// assert!(exploitability(8)? < 1e-12);
/// assert!(exploitability(1)? > 0.1);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Lookahead {
    pub policy: Policy,
    /// The values of the states to A that the search finds.
    pub values: Evaluation,
}

impl Lookahead {
    /// Looks `depth` turns ahead from every state.
    ///
    /// # Errors
    /// [`AgentError::LookaheadDepth`] for a depth of 0.
    pub fn new(leaves: &Evaluation, depth: u32) -> Result<Self, Error> {
        if depth == 0 {
            return Err(AgentError::LookaheadDepth.into());
        }
        let mut simplex = Simplex::new();
        let mut values = leaves.clone();
        let (rules, order) = (leaves.rules, leaves.order);
        let points = order.space.points();
        // No game has more turns that change the state, so that deeper searches agree: each costs
        // both players a point, or one of them where the smallest bid is 0.
        let longest = match rules.min_bid() {
            0 => points.into_iter().sum::<u32>(),
            _ => points.into_iter().max().unwrap_or(1),
        };
        let turns = depth.min(longest.max(1));
        let mut equilibria = HashMap::new();
        for _ in 0..turns {
            let mut nearer = values.clone();
            let mut is_settled = true;
            for state in values.worked_out() {
                let equilibrium = solve_stage(&values, state, &mut simplex);
                nearer.set(state, equilibrium.value());
                is_settled &= nearer.known(state) == values.known(state);
                equilibria.insert(state, equilibrium);
            }
            values = nearer;
            if is_settled {
                break;
            }
        }
        let policy = Policy::from_weights(
            &rules,
            points,
            &Player::BOTH,
            &mut unwatched,
            |state, player, weights| {
                let representative = order.representative(state);
                let role = if representative == state { player } else { player.opponent() };
                let equilibrium: &StageEquilibrium = &equilibria[&representative];
                let strategy = match role {
                    Player::B if !order.is_self_mirrored(representative) => &equilibrium.column,
                    _ => &equilibrium.row,
                };
                // Rounding can leave a share a little below 0.
                for (weight, share) in weights.iter_mut().zip(strategy) {
                    *weight = share.max(0.0);
                }
            },
        )?;
        Ok(Self { policy, values })
    }
}

/// Solves the stage game of a state over these values of its successors.
fn solve_stage(values: &Evaluation, state: State, simplex: &mut Simplex) -> StageEquilibrium {
    let stage = values.stage(state);
    if stage.repeats {
        let endless = payoff(&values.rules, values.rules.end_at(state.ball.position()));
        return RepeatedStage { stage, endless }.solve(simplex);
    }
    let equilibrium = simplex.solve(&stage);
    StageEquilibrium {
        row: equilibrium.row_strategy().to_vec(),
        column: equilibrium.column_strategy().to_vec(),
        lower: equilibrium.lower(),
        upper: equilibrium.upper(),
    }
}
