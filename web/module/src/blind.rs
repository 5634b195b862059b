//! Blind Tennis: only the ball is announced, and a bid is judged by its player's information.

use pencil_tennis::analysis::BidProbability;
use pencil_tennis::blind::{BlindBestResponse, BlindPolicy, BlindSolver, BlindView};
use pencil_tennis::{Error, GameRecord, Player, Rules, State};
use serde::Serialize;

use crate::request::Bidder;

/// The memory that solving may take: up to 12 points each, which take some twenty seconds in a
/// browser.
const MEMORY_LIMIT: u64 = 1 << 26;

/// A solved blind game, the opponent's policy, and the best response to it.
#[derive(Debug)]
pub(crate) struct BlindGame {
    optimal: BlindPolicy,
    /// Another opponent's policy; an optimal one's is above.
    other: Option<BlindPolicy>,
    person: Player,
    response: BlindBestResponse,
}

/// The advice for a turn.
#[derive(Debug, Serialize)]
pub(crate) struct Hint {
    /// The points that the opponent may have left, at least and at most.
    left: [u32; 2],
    /// The best bids against the way the opponent bids, in the proportions of an optimal strategy
    /// where it has them.
    best: Vec<BidProbability>,
    /// The loss of every legal bid, rising; nothing where the opponent never lets it come to this.
    losses: Option<Vec<(u32, f64)>>,
}

impl BlindGame {
    /// Solves a game for a person against an optimal or a uniform player.
    pub(crate) fn new(
        rules: &Rules,
        start: State,
        person: Player,
        bidder: Bidder,
        mut progress: impl FnMut(f64) + Send,
    ) -> Result<Self, Error> {
        let mut widest = 0.0_f64;
        let solution = BlindSolver::new(rules)
            .start(start)
            .threads(1)
            .memory_limit(MEMORY_LIMIT)
            .on_bounds(|done| {
                // Bounds narrow by a nearly constant factor; at first they are about as wide as the
                // payoffs.
                let width = done.enclosure.width();
                widest = widest.max(width);
                progress(((width / widest).ln() / BlindSolver::GAP.ln()).clamp(0.0, 1.0));
                std::ops::ControlFlow::Continue(())
            })
            .solve()?;
        let optimal = solution.policy();
        let other =
            (bidder == Bidder::Uniform).then(|| BlindPolicy::uniform(rules, start)).transpose()?;
        let response = BlindBestResponse::new(other.as_ref().unwrap_or(&optimal), person);
        Ok(Self { optimal, other, person, response })
    }

    /// A game of these bids from the start.
    pub(crate) fn replay(&self, bids: Vec<(u32, u32)>) -> Result<GameRecord, Error> {
        Ok(GameRecord::replay(self.optimal.rules(), self.optimal.start(), bids)?)
    }

    /// The opponent's bid for random bits.
    pub(crate) fn draw(&self, game: &GameRecord, bits: u64) -> Result<u32, Error> {
        let player = self.person.opponent();
        let (bids, balls) = game.remembered(player, game.turns().len());
        self.other.as_ref().unwrap_or(&self.optimal).draw(player, &bids, &balls, bits)
    }

    /// The person.
    pub(crate) const fn person(&self) -> Player {
        self.person
    }

    /// The loss of every bid the person could make after the first turns of a game.
    pub(crate) fn losses(
        &self,
        game: &GameRecord,
        turns: usize,
    ) -> Result<Option<Vec<(u32, f64)>>, Error> {
        let (bids, balls) = game.remembered(self.person, turns);
        self.response.losses(&bids, &balls)
    }

    /// The advice for the next turn.
    pub(crate) fn hint(&self, game: &GameRecord) -> Result<Hint, Error> {
        let (bids, balls) = game.remembered(self.person, game.turns().len());
        let view = BlindView::of(game.rules(), game.start(), self.person, &bids, &balls)?;
        let best = self.response.best_bids(&self.optimal, &bids, &balls)?.into_iter();
        Ok(Hint {
            left: [view.fewest, view.most],
            best: best.map(Into::into).collect(),
            losses: self.response.losses(&bids, &balls)?,
        })
    }
}
