//! Tennis with other ways to pay for bids, solved with proof: `cargo run --release --example
//! ways_to_pay -- 8`.
//!
//! In Tennis both players pay their bids to nobody. In *Richman* games the higher bid goes to the
//! other player, in *poorman* games only the winner pays, to nobody (Lazarus, Loeb, Propp,
//! Stromquist and Ullman 1999); in all-pay Richman games each player pays the other. Equal bids
//! leave the ball where it is, or count as the higher bid of one player. Chips may circulate for
//! ever; such play pays 0.

use std::process::ExitCode;

use pencil_tennis::Player;
use pencil_tennis::stochastic_game::{GameRules, Kind, Node, Outcomes};

use shared::{argument, run, say, shown, solve};

mod shared;

/// The receiver of bids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payment {
    /// Both bids are lost, as in Tennis.
    AllPay,
    /// The higher bid goes to the other player; equal bids change nothing.
    Richman,
    /// The higher bid is lost; equal bids are kept unless one counts as the higher.
    Poorman,
    /// Each bid goes to the other player.
    AllPayRichman,
}

/// The rules: Tennis' field and payoffs.
#[derive(Clone, Copy, Debug)]
pub struct Bidding {
    /// The receiver of bids.
    pub payment: Payment,
    /// The player whose bid counts as the higher one if bids are equal; without one the ball stays.
    pub ties: Option<Player>,
    /// The smallest bid of a player who has that much.
    pub smallest: i32,
    /// The points of both players together.
    pub points: i32,
}

/// A's points, B's points, and the ball.
pub type Position = (i32, i32, i32);

impl GameRules for Bidding {
    type State = Position;

    /// Every division of the points, on every field.
    fn starts(&self) -> Vec<Position> {
        (0..=self.points)
            .flat_map(|a| (-2..=2).map(move |ball| (a, self.points - a, ball)))
            .collect()
    }

    fn node(&self, &(a, b, ball): &Position) -> Node {
        let actions = |points: i32| (points - self.smallest.min(points) + 1) as usize;
        match ball {
            -2..=2 if a + b > 0 => Node::Choose { a: actions(a), b: actions(b) },
            -2..=2 => Node::over(ball.signum()),
            _ => Node::over(2 * ball.signum()),
        }
    }

    fn after(
        &self,
        &(a, b, ball): &Position,
        action_a: usize,
        action_b: usize,
        outcomes: &mut Outcomes<Position>,
    ) {
        let [bid_a, bid_b] = [(a, action_a), (b, action_b)]
            .map(|(points, bid)| self.smallest.min(points) + bid as i32);
        let winner = match bid_a.cmp(&bid_b) {
            std::cmp::Ordering::Greater => Some(Player::A),
            std::cmp::Ordering::Less => Some(Player::B),
            std::cmp::Ordering::Equal => self.ties,
        };
        let hit = match winner {
            Some(Player::A) => (ball + 1).max(1),
            Some(Player::B) => (ball - 1).min(-1),
            None => ball,
        };
        let (paid_a, paid_b) = (
            if winner == Some(Player::A) { bid_a } else { 0 },
            if winner == Some(Player::B) { bid_b } else { 0 },
        );
        let (a, b) = match self.payment {
            Payment::AllPay => (a - bid_a, b - bid_b),
            Payment::Richman => (a - paid_a + paid_b, b - paid_b + paid_a),
            Payment::Poorman => (a - paid_a, b - paid_b),
            Payment::AllPayRichman => (a - bid_a + bid_b, b - bid_b + bid_a),
        };
        outcomes.to((a, b, hit));
    }

    fn kind(&self) -> Kind {
        Kind::Recursive
    }
}

fn main() -> ExitCode {
    run("ways_to_pay [POINTS]", print)
}

fn print() -> Result<(), Box<dyn std::error::Error>> {
    let points: u8 = argument(1, "number of points", 8, 1..=30)?;
    let points = i32::from(points);
    for payment in [Payment::AllPay, Payment::Richman, Payment::Poorman, Payment::AllPayRichman] {
        for ties in [None, Some(Player::A)] {
            say!("\n{payment:?}, ties {}", ties.map_or("stay", |_| "to A"));
            let solution = solve(Bidding { payment, ties, smallest: 0, points: 2 * points })?;
            for ball in [0, 1] {
                let start = (points, points, ball);
                let bids = shown(&solution.strategies(&start)?[0], |bid| bid.to_string());
                say!(
                    "{points}:{points}@{ball} is worth {:.6}; A bids {bids}",
                    solution.enclosure(&start)?.middle()
                );
            }
        }
    }
    Ok(())
}
