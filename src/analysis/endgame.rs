//! States of Tennis with pure optimal strategies.

use super::ForcedPlay;
use crate::error::Error;
use crate::game::{Ball, ByPlayer, Payoff, Player, State};

/// The endgame with the ball on one position: the states with pure optimal strategies, here and
/// later.
///
/// ```
/// use pencil_tennis::analysis::{Endgame, ForcedPlay};
/// use pencil_tennis::{Ball, Player, Rules};
///
/// let forced = ForcedPlay::new(&Rules::tennis(), [10, 10])?;
/// let endgame = Endgame::of(&forced, Ball::new(-2)?)?;
/// assert_eq!(endgame.decided_to, 3, "with at most 3 points each all is decided");
/// assert_eq!(endgame.first_undecided, ["4:3@-2".parse()?]);
/// assert_eq!(endgame.needed.a[3], Some(7), "against 3 points A needs 7 to force the best end");
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Endgame {
    pub ball: Ball,
    pub decided_states: usize,
    /// The largest number up to which all states with at most as many points on either side are
    /// decided.
    pub decided_to: u32,
    /// The undecided states with the smallest total of points, by A's points.
    pub first_undecided: Vec<State>,
    /// The decided states with the largest total of points whose payoff is neither the best nor the
    /// worst, by A's points.
    pub last_between: Vec<State>,
    /// For each player, by the opponent's points, the fewest points from which on the player forces
    /// the best payoff by pure play; `None` if no account in the table suffices.
    pub needed: ByPlayer<Vec<Option<u32>>>,
}

impl Endgame {
    /// Finds the endgame of a ball. O(points²) look-ups.
    pub fn of(forced: &ForcedPlay, ball: Ball) -> Result<Self, Error> {
        let [most_a, most_b] = forced.points();
        forced.rules().check(State::new(most_a, most_b, ball))?;
        let extremes = [forced.payoffs().next(), forced.payoffs().next_back()];
        let mut endgame = Self {
            ball,
            decided_states: 0,
            decided_to: most_a.max(most_b),
            first_undecided: Vec::new(),
            last_between: Vec::new(),
            needed: ByPlayer {
                a: needed(forced, Player::A, extremes[0], ball),
                b: needed(forced, Player::B, extremes[1], ball),
            },
        };
        let total = |states: &[State]| states.first().map(|state| state.a + state.b);
        for state in forced.states().filter(|state| state.ball == ball) {
            let points = state.a + state.b;
            let value = forced.value(state)?;
            if value.is_none() {
                endgame.decided_to = endgame.decided_to.min(state.a.max(state.b) - 1);
                if total(&endgame.first_undecided).is_none_or(|first| points <= first) {
                    endgame.first_undecided.retain(|other| other.a + other.b == points);
                    endgame.first_undecided.push(state);
                }
                continue;
            }
            endgame.decided_states += 1;
            if !extremes.contains(&value)
                && total(&endgame.last_between).is_none_or(|last| points >= last)
            {
                endgame.last_between.retain(|other| other.a + other.b == points);
                endgame.last_between.push(state);
            }
        }
        Ok(endgame)
    }
}

fn needed(
    forced: &ForcedPlay,
    player: Player,
    best: Option<Payoff>,
    ball: Ball,
) -> Vec<Option<u32>> {
    let [most, most_opponent] = player.own_first(forced.points());
    let forces = |points: u32, opponent_points: u32| {
        let [a, b] = player.own_first([points, opponent_points]);
        forced
            .bounds(State::new(a, b, ball))
            .is_ok_and(|bounds| Some(ByPlayer::from(bounds)[player]) == best)
    };
    // Downward, so that the result is a frontier even under scorings in which more points can hurt.
    (0..=most_opponent)
        .map(|opponent_points| {
            (0..=most).rev().take_while(|&points| forces(points, opponent_points)).last()
        })
        .collect()
}
