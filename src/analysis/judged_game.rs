//! A played game, judged bid by bid.

use super::{BidPayoff, BidProbability};
use crate::error::Error;
use crate::game::{GameError, GameRecord, Outcome, Player, State, nearest_double};
use crate::solution::{RefinedEquilibrium, Solution};

/// A played game against the truth: what every turn was worth, and what each bid cost the player who made it.
///
/// ```
/// use pencil_tennis::analysis::JudgedGame;
/// use pencil_tennis::{GameRecord, Rules};
///
/// let solution = pencil_tennis::solve(4)?;
/// let game = GameRecord::replay(&Rules::tennis(), "4:3@-2".parse()?, [(4, 2)])?;
/// let judged = JudgedGame::new(&solution, &game)?;
/// assert_eq!((judged.turns[0].value, judged.turns[0].value_after), (-0.2, -1.0));
/// assert!((judged.turns[0].b.loss - 1.2).abs() < 1e-15);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct JudgedGame {
    /// The start.
    pub start: State,
    /// Whether the values are proved: see [`Solution::is_proved`].
    pub proved: bool,
    /// The turns.
    pub turns: Vec<JudgedTurn>,
    /// The present state.
    pub state: State,
    /// Its value to A: the payoff once the game is over.
    pub value: f64,
    /// The end; `None` while the game goes on.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serde_object::named_end"))]
    pub end: Option<Outcome>,
    /// Whether it was decided where the ball lies, though something was left to be spent: see [`GameRecord::end_where_it_lies`].
    pub ended_where_it_lies: bool,
    /// The payoff to A; `None` while the game continues.
    pub payoff: Option<f64>,
    /// The total loss by A's bids.
    pub loss_a: f64,
    /// The total loss by B's bids.
    pub loss_b: f64,
    /// The bids that cost most, at most [`JudgedGame::COSTLIEST`], the costliest first; bids that cost nothing are not among
    /// them.
    pub costliest: Vec<Mistake>,
}

/// A turn.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct JudgedTurn {
    /// The turn, counted from 1.
    pub turn: usize,
    /// The state before it.
    pub state: State,
    /// Its value to A.
    pub value: f64,
    /// A's bid, and its payoff against B's optimal strategy.
    pub a: BidPayoff,
    /// B's bid, and its payoff against A's optimal strategy.
    pub b: BidPayoff,
    /// The state after it.
    pub after: State,
    /// Its value to A: the payoff once the game is over.
    pub value_after: f64,
}

/// A bid that cost something, and what would have been better.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Mistake {
    /// The turn, counted from 1.
    pub turn: usize,
    /// The player who made it.
    pub player: Player,
    /// The state before the turn.
    pub state: State,
    /// The bid, its worth and what it cost.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub bid: BidPayoff,
    /// The player's optimal strategy there: the bids with positive probability.
    pub better: Vec<BidProbability>,
}

impl JudgedGame {
    /// The most bids that are listed as costliest.
    pub const COSTLIEST: usize = 3;

    /// Judges a game by a solution that has its start.
    ///
    /// # Errors
    /// As for [`Solution::check`]; [`GameError::OtherRules`] where the game was played by other rules than were solved.
    pub fn new(solution: &Solution, game: &GameRecord) -> Result<Self, Error> {
        if game.rules() != solution.rules() {
            let [played, solved] = [game.rules(), solution.rules()].map(ToString::to_string);
            return Err(GameError::OtherRules { played, solved }.into());
        }
        solution.check(game.start())?;
        let mut turns = Vec::new();
        let mut mistakes = Vec::new();
        let mut state = game.start();
        for (number, turn) in (1..).zip(game.turns()) {
            let equilibrium = solution.equilibrium(state)?;
            let payoffs = BidPayoff::all(solution, &equilibrium)?;
            // The lowest bid comes first, and bids of a record are legal.
            let of = |player: Player, bid: u32| payoffs[player][(bid - game.rules().lowest_bid(state.points(player))) as usize];
            let (a, b) = (of(Player::A, turn.bid_a), of(Player::B, turn.bid_b));
            let value = equilibrium.value;
            let strategies = BidProbability::of_state(solution, &RefinedEquilibrium::usual(equilibrium))?;
            for (player, bid) in [(Player::A, a), (Player::B, b)] {
                if bid.loss > 0.0 {
                    mistakes.push(Mistake { turn: number, player, state, bid, better: strategies[player].clone() });
                }
            }
            let (after, value_after) = (turn.after, worth(solution, turn.after)?);
            turns.push(JudgedTurn { turn: number, state, value, a, b, after, value_after });
            state = turn.after;
        }
        // Among equals the earlier one stays first.
        mistakes.sort_by(|one, other| other.bid.loss.total_cmp(&one.bid.loss));
        mistakes.truncate(Self::COSTLIEST);
        Ok(Self {
            start: game.start(),
            proved: solution.is_proved(),
            state,
            value: game.payoff().map_or_else(|| worth(solution, state), |payoff| Ok(nearest_double(payoff)))?,
            ended_where_it_lies: game.ended_where_it_lies(),
            end: game.outcome(),
            payoff: game.payoff().map(nearest_double),
            loss_a: turns.iter().map(|turn| turn.a.loss).sum(),
            loss_b: turns.iter().map(|turn| turn.b.loss).sum(),
            turns,
            costliest: mistakes,
        })
    }
}

/// The value of a state to A, whether or not the game is over there.
fn worth(solution: &Solution, state: State) -> Result<f64, GameError> {
    solution.rules().payoff(state).map_or_else(|| solution.value(state), |payoff| Ok(nearest_double(payoff)))
}
