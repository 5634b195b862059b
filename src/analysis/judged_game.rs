//! Played games, judged bid by bid.

use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::matchup::check;
use super::{BidPayoff, BidProbability};
use crate::error::Error;
use crate::game::{ByPlayer, GameError, GameRecord, Player, Rules, State, nearest_double};
use crate::policy::{BehaviourStrategy, Policy, play_out};
use crate::solution::Solution;

/// A played game with the loss of every bid.
///
/// ```
/// use pencil_tennis::analysis::JudgedGame;
/// use pencil_tennis::{GameRecord, Rules};
///
/// let solution = pencil_tennis::solve(4)?;
/// let game = GameRecord::replay(&Rules::tennis(), "4:3@-2".parse()?, [(4, 2)])?;
/// let judged = JudgedGame::new(&solution, &game)?;
/// assert_eq!((judged.turns[0].value, judged.turns[0].value_after), (-0.2, -1.0));
/// assert!((judged.turns[0].bids.b.loss - 1.2).abs() < 1e-15);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct JudgedGame {
    pub game: GameRecord,
    pub proved: bool,
    pub turns: Vec<JudgedTurn>,
    /// The value of the last state to A; at an ended state the payoff.
    pub value: f64,
    /// The sums of the losses of both players' bids.
    pub losses: ByPlayer<f64>,
    /// At most [`JudgedGame::COSTLIEST`] bids with positive loss, the costliest first.
    pub costliest: Vec<Mistake>,
}

/// A turn, counted from 1, with the states before and after it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct JudgedTurn {
    pub turn: usize,
    pub state: State,
    pub value: f64,
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub bids: ByPlayer<BidPayoff>,
    pub after: State,
    pub value_after: f64,
}

/// A bid with positive loss, and the player's optimal strategy there.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Mistake {
    pub turn: usize,
    pub player: Player,
    pub state: State,
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub bid: BidPayoff,
    pub better: Vec<BidProbability>,
}

impl JudgedGame {
    pub const COSTLIEST: usize = 3;

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
            // Bids of a record are legal, and payoffs start at the lowest bid.
            let of = |player: Player, bid: u32| {
                payoffs[player][(bid - game.rules().lowest_bid(state.points(player))) as usize]
            };
            let (a, b) = (of(Player::A, turn.bid_a), of(Player::B, turn.bid_b));
            let value = equilibrium.value;
            let strategies = BidProbability::of_state(solution, &equilibrium)?;
            for (player, bid) in [(Player::A, a), (Player::B, b)] {
                if bid.loss > 0.0 {
                    mistakes.push(Mistake {
                        turn: number,
                        player,
                        state,
                        bid,
                        better: strategies[player].clone(),
                    });
                }
            }
            let (after, value_after) =
                (turn.after, solution.payoff_after(state, turn.bid_a, turn.bid_b));
            let bids = ByPlayer { a, b };
            turns.push(JudgedTurn { turn: number, state, value, bids, after, value_after });
            state = turn.after;
        }
        // The sort is stable: among equals the earlier bid comes first.
        mistakes.sort_by(|one, other| other.bid.loss.total_cmp(&one.bid.loss));
        mistakes.truncate(Self::COSTLIEST);
        let loss = |player| turns.iter().map(|turn| turn.bids[player].loss).sum();
        Ok(Self {
            game: game.clone(),
            proved: solution.is_proved(),
            value: game
                .payoff()
                .map_or_else(|| solution.value(state), |payoff| Ok(nearest_double(payoff)))?,
            losses: ByPlayer::new(loss),
            turns,
            costliest: mistakes,
        })
    }
}

/// An endless iterator of random games between two policies. [`Matchup`](super::Matchup) computes
/// their exact means.
///
/// The generator is [`Pcg64`] (PCG XSL RR 128/64, `seed_from_u64`), two numbers a turn, A's bid
/// first, so that a seed gives the same games everywhere; every bid has exactly its probability,
/// see [`Policy::draw`]. Turns in which both bid 0 are skipped: a third number decides which player
/// bids something else; an infinite play stops without an outcome.
///
/// ```
/// use pencil_tennis::analysis::SampledGames;
/// use pencil_tennis::{Policy, Rules, unwatched};
///
/// let solution = pencil_tennis::solve(20)?;
/// let optimal = Policy::optimal(&solution, &mut unwatched)?;
/// for game in SampledGames::new(&Rules::tennis(), solution.start(), &optimal, &optimal, 1)?.take(3) {
///     println!("{:?} after {} turns", game.outcome(), game.turns().len());
/// }
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SampledGames<'p> {
    rules: Rules,
    start: State,
    strategies: [&'p BehaviourStrategy; 2],
    generator: Pcg64,
}

impl<'p> SampledGames<'p> {
    pub fn new(
        rules: &Rules,
        start: State,
        a: &'p Policy,
        b: &'p Policy,
        seed: u64,
    ) -> Result<Self, Error> {
        let strategies = check(rules, start, a, b)?;
        Ok(Self { rules: *rules, start, strategies, generator: Pcg64::seed_from_u64(seed) })
    }
}

impl Iterator for SampledGames<'_> {
    type Item = GameRecord;

    fn next(&mut self) -> Option<GameRecord> {
        let mut bids = Vec::new();
        let random = || self.generator.next_u64();
        play_out(self.strategies, &self.rules, self.start, random, |[bid_a, bid_b]| {
            bids.push((bid_a, bid_b));
        });
        // Both policies cover every reachable state, with legal bids only.
        GameRecord::replay(&self.rules, self.start, bids).ok()
    }
}
