//! A played game, judged bid by bid.

use serde::Serialize;

use super::document::end_name;
use super::{BidPayoffReport, BidReport, StatePayoffsReport, StateReport};
use crate::error::Error;
use crate::game::{GameError, GameRecord, Player, State, nearest_double};
use crate::solution::Solution;

/// A played game against the truth: what every turn was worth, and what each bid cost the player who made it.
///
/// ```
/// use pencil_tennis::report::GameReport;
/// use pencil_tennis::{GameRecord, Rules};
///
/// let solution = pencil_tennis::solve(4)?;
/// let game = GameRecord::replay(&Rules::tennis(), "4:3@-2".parse()?, [(4, 2)])?;
/// let report = GameReport::new(&solution, &game)?;
/// assert_eq!((report.turns[0].value, report.turns[0].value_after), (-0.2, -1.0));
/// assert!((report.turns[0].b.loss - 1.2).abs() < 1e-15);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct GameReport {
    /// The start.
    pub start: String,
    /// Whether the values are proved: see [`Solution::is_proved`].
    pub proved: bool,
    /// The turns.
    pub turns: Vec<TurnReport>,
    /// The present state.
    pub state: String,
    /// Its value to A: the payoff once the game is over.
    pub value: f64,
    /// The name of the end, such as `out_by_a`; `null` while the game goes on.
    pub end: Option<String>,
    /// Whether it was decided where the ball lies, though something was left to be spent: see [`GameRecord::end_where_it_lies`].
    pub ended_where_it_lies: bool,
    /// The payoff to A; `null` while the game continues.
    pub payoff: Option<f64>,
    /// The total loss by A's bids.
    pub loss_a: f64,
    /// The total loss by B's bids.
    pub loss_b: f64,
    /// The bids that cost most, at most [`GameReport::COSTLIEST`], the costliest first; bids that cost nothing are not among
    /// them.
    pub costliest: Vec<MistakeReport>,
}

/// A turn.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct TurnReport {
    /// The turn, counted from 1.
    pub turn: usize,
    /// The state before it.
    pub state: String,
    /// Its value to A.
    pub value: f64,
    /// A's bid, and its payoff against B's optimal strategy.
    pub a: BidPayoffReport,
    /// B's bid, and its payoff against A's optimal strategy.
    pub b: BidPayoffReport,
    /// The state after it.
    pub after: String,
    /// Its value to A: the payoff once the game is over.
    pub value_after: f64,
}

/// A bid that cost something, and what would have been better.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct MistakeReport {
    /// The turn, counted from 1.
    pub turn: usize,
    /// The player who made it.
    pub player: String,
    /// The state before the turn.
    pub state: String,
    /// The bid, its worth and what it cost.
    #[serde(flatten)]
    pub bid: BidPayoffReport,
    /// The player's optimal strategy there: the bids with positive probability.
    pub better: Vec<BidReport>,
}

impl GameReport {
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
        let mut report = StateReport::new(solution, state)?;
        for (number, turn) in (1..).zip(game.turns()) {
            // Two bids of 0 repeat the state.
            if report.state != state.to_string() {
                report = StateReport::new(solution, state)?;
            }
            let StatePayoffsReport { a, b } = StatePayoffsReport::new(&report);
            // The lowest bid comes first, and bids of a record are legal.
            let of =
                |worths: &[BidPayoffReport], bid: u32, account: u32| worths[(bid - game.rules().lowest_bid(account)) as usize];
            let a = of(&a, turn.bid_a, state.a);
            let b = of(&b, turn.bid_b, state.b);
            for (player, bid, better) in [(Player::A, a, &report.a), (Player::B, b, &report.b)] {
                if bid.loss > 0.0 {
                    let (player, state) = (player.to_string(), state.to_string());
                    mistakes.push(MistakeReport { turn: number, player, state, bid, better: better.clone() });
                }
            }
            turns.push(TurnReport {
                turn: number,
                state: state.to_string(),
                value: report.value,
                a,
                b,
                after: turn.after.to_string(),
                value_after: value(solution, turn.after)?,
            });
            state = turn.after;
        }
        // Among equals the earlier one stays first.
        mistakes.sort_by(|one, other| other.bid.loss.total_cmp(&one.bid.loss));
        mistakes.truncate(Self::COSTLIEST);
        Ok(Self {
            start: game.start().to_string(),
            proved: solution.is_proved(),
            state: state.to_string(),
            value: game.payoff().map_or_else(|| value(solution, state), |payoff| Ok(nearest_double(payoff)))?,
            ended_where_it_lies: game.ended_where_it_lies(),
            end: game.outcome().map(|outcome| end_name(outcome).to_owned()),
            payoff: game.payoff().map(nearest_double),
            loss_a: turns.iter().map(|turn| turn.a.loss).sum(),
            loss_b: turns.iter().map(|turn| turn.b.loss).sum(),
            turns,
            costliest: mistakes,
        })
    }
}

/// The value of a state to A, whether or not the game is over there.
fn value(solution: &Solution, state: State) -> Result<f64, GameError> {
    solution.rules().payoff(state).map_or_else(|| solution.value(state), |payoff| Ok(nearest_double(payoff)))
}
