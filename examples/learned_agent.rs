//! A learner from outside the crate: it implements the public trait and is evaluated like those
//! inside.
//!
//! It averages best responses: in every round it works out the best response to the average of all
//! its policies so far, and counts that in. That is fictitious play of whole strategies, with an
//! exact best response in place of sampled games.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::process::ExitCode;

use pencil_tennis::agents::{Learner, LearningCurve};
use pencil_tennis::analysis::BestResponse;
use pencil_tennis::{Error, Player, Policy, Rules, State, unwatched};

#[path = "shared/program.rs"]
#[allow(dead_code, reason = "this program takes no argument")]
mod program;
use program::say;

/// An average of best responses.
struct Averager {
    rules: Rules,
    points: u32,
    rounds: u64,
    /// The number of times that A's best response made each bid; all counts begin at 1.
    counts: HashMap<(State, u32), f64>,
}

impl Learner for Averager {
    /// A round for every game; nothing in it is random.
    fn play(&mut self, games: u64) -> Result<(), Error> {
        for _ in 0..games {
            let response =
                BestResponse::new(&self.rules, &self.policy()?, Player::A, &mut unwatched)?;
            for state in self.policy()?.states().filter(|state| state.a > 0) {
                *self.counts.entry((state, response.bid(state)?)).or_insert(1.0) += 1.0;
            }
            self.rounds += 1;
        }
        Ok(())
    }

    /// B bids as A does, seen from the other side.
    fn policy(&self) -> Result<Policy, Error> {
        Policy::from_weights(
            &self.rules,
            [self.points; 2],
            &[Player::A],
            &mut unwatched,
            |state, _, weights| {
                for (bid, weight) in (1..).zip(weights) {
                    *weight = self.counts.get(&(state, bid)).copied().unwrap_or(1.0);
                }
            },
        )?
        .completed_by_mirror()
    }

    fn games(&self) -> u64 {
        self.rounds
    }
}

fn main() -> ExitCode {
    program::run("learned_agent", print)
}

fn print() -> Result<(), Box<dyn std::error::Error>> {
    let points = 12;
    let solution = pencil_tennis::solve(points)?;
    let mut averager =
        Averager { rules: Rules::tennis(), points, rounds: 0, counts: HashMap::new() };
    let mut curve = LearningCurve::new(&solution)?;
    say!("rounds  exploitability  against optimal play");
    for rounds in LearningCurve::ladder(200) {
        curve.train(&mut averager, rounds, |_| ControlFlow::Continue(()))?;
        if let Some(point) = curve.points().last() {
            say!(
                "{:>6}  {:>14.5}  {:>20.5}",
                point.games,
                point.exploitability,
                point.against_optimum
            );
        }
    }
    Ok(())
}
