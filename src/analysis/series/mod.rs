//! Series of games: the first player with a number of winning points takes the match.

mod chances;
mod score;
mod solver;

use std::collections::HashMap;

use self::chances::{SeriesChances, fixed_point, in_units, middle};
pub use self::score::Score;
use super::{BestResponse, Exploitability};
use crate::bounds::{Enclosure, Side};
use crate::error::Error;
use crate::game::{Ball, Player, Rules, State};
use crate::policy::Policy;
use crate::solution::{Solver, StateEquilibrium};
use crate::work::{Parts, Watch, WorkError, unwatched};

/// A solved match: bounds of A's winning probability at every score, and optimal openings of the
/// next game. See [`Solver::series`] for the rules and `paper/proofs.md` for the proof.
#[derive(Clone, Debug)]
pub struct Series {
    chances: SeriesChances,
    openings: Vec<Option<StateEquilibrium>>,
}

/// A score of a solved match with bounds of A's winning probability and the optimal openings of the
/// next game.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SolvedScore<'s> {
    pub score: Score,
    pub chance: Enclosure,
    pub opening: &'s StateEquilibrium,
}

impl Series {
    /// The longest match; the number of games to solve grows with the square, to some 60,000.
    pub const LONGEST: u32 = 200;

    pub const fn rules(&self) -> &Rules {
        &self.chances.rules
    }

    /// The points of A and B in the first game; unequal ones are exchanged after every game.
    pub const fn points(&self) -> [u32; 2] {
        self.chances.points
    }

    pub const fn to(&self) -> u32 {
        self.chances.to
    }

    pub const fn alternates(&self) -> bool {
        self.chances.alternates()
    }

    /// All undecided scores by A's points, then B's, accounts as given before accounts exchanged.
    pub fn scores(&self) -> impl Iterator<Item = SolvedScore<'_>> {
        let (to, alternates) = (self.to(), self.alternates());
        let scores = (0..to).flat_map(move |a| {
            (0..to).flat_map(move |b| {
                [Score::new(a, b), Score::new(a, b).exchanged()]
                    .into_iter()
                    .filter(move |score| alternates || !score.exchanged)
            })
        });
        // Every score of a match is known.
        scores.filter_map(|score| self.solved(score).ok())
    }

    /// A score with A's winning probability and the optimal openings of the next game, whose value
    /// is A's winning probability less one half. O(1).
    ///
    /// # Errors
    /// [`SeriesError::Outside`](crate::error::SeriesError::Outside) for a decided score.
    pub fn solved(&self, score: Score) -> Result<SolvedScore<'_>, Error> {
        let chance = self.chances.enclosure(score)?;
        let opening = self.openings[self.chances.index(score)].as_ref();
        let opening = opening.ok_or_else(|| self.chances.outside(score))?;
        Ok(SolvedScore {
            score: Score { exchanged: score.exchanged && self.alternates(), ..score },
            chance,
            opening,
        })
    }

    /// A policy of the next game that is optimal in the match up to 2⁻⁴⁰, some 1e-12. Solves the
    /// game once or twice.
    ///
    /// Strategies that are optimal for the exact value of a repetition may repeat the score for
    /// ever, even for a player whom an endless match would cost something. The policy therefore
    /// comes from a game whose repetition pays such a player a little less.
    pub fn policy(&self, score: Score) -> Result<Policy, Error> {
        const LESS: i64 = 1 << (chances::EXPONENT - 40);
        self.chances.check(score)?;
        let [value, repeated] =
            [score, score.exchanged()].map(|score| self.chances.bounds(score).map_or(0, middle));
        let optimal = |repeated| {
            let rules = self.chances.game(score, middle, repeated)?;
            let solution = Solver::new(&rules).points(self.chances.points_at(score)).solve()?;
            Ok::<_, Error>(Policy::optimal(&solution, &mut unwatched)?)
        };
        let a = optimal(repeated - if value.max(repeated) > 0 { LESS } else { 0 })?;
        let b = optimal(repeated + if value.min(repeated) < 0 { LESS } else { 0 })?;
        Policy::joined(&a.only(Player::A)?, &b.only(Player::B)?)
    }

    pub fn widest_enclosure(&self) -> f64 {
        self.scores().map(|solved| solved.chance.width()).fold(0.0, f64::max)
    }

    /// A's winning probability when `responder` plays a best response to the match, where
    /// `policies` gives the other player's policy at every score.
    ///
    /// The best response may lose a game in order to win more matches. The policy of a score with
    /// exchanged accounts is for those accounts. Takes two sweeps over the game a score, or a few
    /// more. The result has an entry for every one of the [`scores`](Self::scores).
    pub fn best_response<'p>(
        &self,
        responder: Player,
        policies: impl Fn(Score) -> &'p Policy,
        watch: &mut Watch<'_>,
    ) -> Result<HashMap<Score, Enclosure>, Error> {
        let chances = self.response_chances(responder, policies, watch)?;
        let chance = |SolvedScore { score, .. }| Ok((score, chances.enclosure(score)?));
        self.scores().map(chance).collect()
    }

    fn response_chances<'p>(
        &self,
        responder: Player,
        policies: impl Fn(Score) -> &'p Policy,
        watch: &mut Watch<'_>,
    ) -> Result<SeriesChances, Error> {
        let mut chances = SeriesChances::new(self.rules(), self.points(), self.to());
        for score in chances.backward() {
            let bound = |score: Score, repeated, side: Side| {
                watch(chances.share()).is_continue().then_some(()).ok_or(WorkError::Cancelled)?;
                let rules = chances.game(score, |bounds| side.bound(bounds), repeated)?;
                let [a, b] = chances.points_at(score);
                let found = BestResponse::bound(
                    &rules,
                    policies(score),
                    responder,
                    State::new(a, b, Ball::NET),
                    side,
                )?;
                Ok::<_, Error>(in_units(found, side))
            };
            let [bounds, exchanged] =
                fixed_point(score, chances.exchange(), chances.close(score), bound)?;
            // Even accounts are the same when they are exchanged.
            chances.set(score.exchanged(), exchanged);
            chances.set(score, bounds);
        }
        Ok(chances)
    }

    /// The exploitability of both players' policies at the start, in A's winning probability.
    pub fn exploitability<'p>(
        &self,
        policies: impl Fn(Score) -> &'p Policy,
        watch: &mut Watch<'_>,
    ) -> Result<Exploitability, Error> {
        let mut parts = Parts::new(watch, 2.0);
        let mut respond = |responder| {
            let chances = self.response_chances(responder, &policies, &mut parts.part(1.0))?;
            parts.done(1.0)?;
            chances.enclosure(Score::new(0, 0))
        };
        Ok(Exploitability::of([respond(Player::A)?, respond(Player::B)?]))
    }
}
