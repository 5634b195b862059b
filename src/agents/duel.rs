use super::counted_rng::CountedRng;
use super::tally::Tally;
use crate::analysis::Matchup;
use crate::error::Error;
use crate::game::{Rules, State};
use crate::policy::Policy;
use crate::work::{Watch, unwatched};

/// Games between two policies, drawn at random and counted, next to their expected outcome computed exactly.
///
/// Two random numbers are drawn in every turn, A's bid first, from the generator `Pcg64Mcg` seeded by `seed_from_u64`: the same
/// seed, the same games. Where the smallest bid is 0, turns in which both bid 0 are neither drawn nor counted: a third number
/// decides which player bids something else. A game in which nobody does counts as one that ends where the ball lies.
///
/// ```
/// use pencil_tennis::agents::Duel;
/// use pencil_tennis::{Outcome, Policy, Rules};
///
/// let solution = pencil_tennis::solve(10)?;
/// let (optimal, uniform) = (Policy::optimal(&solution), Policy::uniform(&Rules::tennis(), [10, 10])?);
/// let mut duel = Duel::new(&Rules::tennis(), solution.start(), &optimal, &uniform, 1)?;
/// duel.play(20_000);
/// let exact = duel.matchup().value().middle();
/// let tally = duel.tally();
/// assert!((tally.mean() - exact).abs() < 4.0 * tally.standard_error());
/// println!("A hits out in {} of {} games", tally.count(Outcome::OutByA), tally.games());
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Duel<'p> {
    rules: Rules,
    policies: [&'p Policy; 2],
    matchup: Matchup,
    rng: CountedRng,
    tally: Tally,
}

impl<'p> Duel<'p> {
    /// A duel from `start` in which A bids as in `a` and B as in `b`; no game has been played.
    pub fn new(rules: &Rules, start: State, a: &'p Policy, b: &'p Policy, seed: u64) -> Result<Self, Error> {
        Self::watched(rules, start, a, b, seed, &mut unwatched)
    }

    /// The same with a callback that hears of the progress of the [`Matchup`] and may cancel.
    pub fn watched(
        rules: &Rules,
        start: State,
        a: &'p Policy,
        b: &'p Policy,
        seed: u64,
        watch: &mut Watch<'_>,
    ) -> Result<Self, Error> {
        let matchup = Matchup::watched(rules, start, a, b, watch)?;
        Ok(Self { rules: *rules, policies: [a, b], matchup, rng: CountedRng::resumed(seed, 0), tally: Tally::new(rules) })
    }

    pub fn play(&mut self, games: u64) {
        for _ in 0..games {
            let (mut state, mut turns) = (self.matchup.start(), 0);
            loop {
                if let Some(outcome) = self.rules.outcome(state) {
                    self.tally.add(outcome, turns);
                    break;
                }
                // Both policies cover every state that can be reached.
                let drawn = Policy::draw_turn(self.policies, state, || self.rng.bits());
                let Some([bid_a, bid_b]) = drawn.unwrap_or(Some([state.a, state.b])) else {
                    self.tally.add_endless(self.rules.end_at(state.ball.position()), turns);
                    break;
                };
                state = self.rules.next(state, bid_a, bid_b);
                turns += 1;
            }
        }
    }

    pub const fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The exact expectation of the same numbers.
    pub const fn matchup(&self) -> &Matchup {
        &self.matchup
    }
}
