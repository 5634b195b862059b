use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::matchup::check;
use crate::error::Error;
use crate::game::{GameRecord, Rules, State};
use crate::policy::Policy;

/// An endless iterator of random games between two policies. [`Matchup`](super::Matchup) computes their exact means.
///
/// The generator is [`Pcg64`] (PCG XSL RR 128/64, `seed_from_u64`), two numbers a turn, A's bid first, so that a seed gives the
/// same games everywhere; every bid has exactly its probability, see [`Policy::draw`]. Turns in which both bid 0 are skipped: a
/// third number decides which player bids something else; an infinite play stops without an outcome.
///
/// ```
/// use pencil_tennis::analysis::SampledGames;
/// use pencil_tennis::{Policy, Rules};
///
/// let solution = pencil_tennis::solve(20)?;
/// let optimal = Policy::optimal(&solution);
/// for game in SampledGames::new(&Rules::tennis(), solution.start(), &optimal, &optimal, 1)?.take(3) {
///     println!("{:?} after {} turns", game.outcome(), game.turns().len());
/// }
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SampledGames<'p> {
    rules: Rules,
    start: State,
    policies: [&'p Policy; 2],
    generator: Pcg64,
}

impl<'p> SampledGames<'p> {
    pub fn new(rules: &Rules, start: State, a: &'p Policy, b: &'p Policy, seed: u64) -> Result<Self, Error> {
        check(rules, start, a, b)?;
        Ok(Self { rules: *rules, start, policies: [a, b], generator: Pcg64::seed_from_u64(seed) })
    }

    fn play(&mut self) -> Result<GameRecord, Error> {
        let mut game = GameRecord::new(&self.rules, self.start)?;
        while game.outcome().is_none() {
            let state = game.state();
            let Some([bid_a, bid_b]) = Policy::draw_turn(self.policies, state, || self.generator.next_u64())? else { break };
            game.play(bid_a, bid_b)?;
        }
        Ok(game)
    }
}

impl Iterator for SampledGames<'_> {
    type Item = GameRecord;

    fn next(&mut self) -> Option<GameRecord> {
        // Both policies cover every reachable state, with legal bids only.
        self.play().ok()
    }
}
