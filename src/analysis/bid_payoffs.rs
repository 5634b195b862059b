use crate::error::Error;
use crate::game::{ByPlayer, Player};
use crate::matrix_game::Payoffs;
use crate::solution::{Solution, StateEquilibrium};

/// A legal bid with its payoff against the other player's optimal strategy.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct BidPayoff {
    pub bid: u32,
    /// A's expected payoff if both play optimally afterwards.
    pub value: f64,
    /// The player's loss by this bid: at least 0, and 0 for a best bid.
    pub loss: f64,
}

/// Smaller losses, as shares of the largest payoff, are rounding noise.
const ROUNDING: f64 = 1e-13;

impl BidPayoff {
    /// All legal bids of both players, rising, against an equilibrium of the solution.
    ///
    /// ```
    /// use pencil_tennis::analysis::BidPayoff;
    ///
    /// let solution = pencil_tennis::solve(4)?;
    /// let payoffs = BidPayoff::all(&solution, &solution.equilibrium("4:3@-2".parse()?)?)?;
    /// assert_eq!((payoffs.b[1].bid, payoffs.b[1].value), (2, 1.0));
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    pub fn all(solution: &Solution, equilibrium: &StateEquilibrium) -> Result<ByPlayer<Vec<Self>>, Error> {
        let state = equilibrium.state;
        let game = solution.stage_game(state)?;
        let [lowest_a, lowest_b] = [state.a, state.b].map(|points| solution.rules().lowest_bid(points));
        let entry = |bid_a: u32, bid_b: u32| game.entry((bid_a - lowest_a) as usize, (bid_b - lowest_b) as usize);
        let entries = (0..game.rows()).flat_map(|row| (0..game.columns()).map(move |column| (row, column)));
        let scale = entries.fold(0.0, |most: f64, (row, column)| most.max(game.entry(row, column).abs()));
        Ok(ByPlayer::new(|player| {
            let replies = equilibrium.strategy(player.opponent());
            let payoff = |bid: u32| {
                let against = |reply: u32| if player == Player::A { entry(bid, reply) } else { entry(reply, bid) };
                let value = replies.probabilities().map(|(reply, probability)| probability * against(reply)).sum();
                let loss = f64::from(player.direction()) * (equilibrium.value - value);
                Self { bid, value, loss: if loss > ROUNDING * scale { loss } else { 0.0 } }
            };
            solution.rules().legal_bids(state.points(player)).map(payoff).collect()
        }))
    }
}
