//! What can be forced by pure play alone.

use crate::Error;
use crate::game::{Outcome, Payoff, Player, Rules, State};
use crate::induction::{Order, StageGame, Table};
use crate::matrix_game::Payoffs;

/// What each player can force from every state without ever randomising.
///
/// A player who fixes a bid must reckon with the opponent's best reply to it; by backward induction that gives what A
/// can force and what A can be held to. Where the two meet, the state is *deterministic*: luck plays no part from there on, and
/// both have bids that may be announced beforehand. No linear programme and no rounding is involved: only
/// payoffs are compared.
///
/// *Complexity.* O(states · bids²) byte comparisons.
///
/// ```
/// use pencil_tennis::{ForcedPlay, Rules};
///
/// let forced = ForcedPlay::new(Rules::tennis(), 4, 4);
/// assert_eq!(forced.value("3:3@-2".parse()?)?, Some((-1).into()));
/// assert_eq!(forced.value("4:3@-2".parse()?)?, None, "the article's example needs luck");
/// assert_eq!(forced.bounds("4:3@-2".parse()?)?, [(-1).into(), 1.into()]);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ForcedPlay {
    rules: Rules,
    order: Order,
    /// The different payoffs, rising.
    payoffs: Vec<Payoff>,
    /// What A and B can force, as each sees the game: a place in `payoffs` for A, counted from the other end for B.
    forced: [Table<u8>; 2],
}

impl ForcedPlay {
    /// Works out every state with at most these points.
    pub fn new(rules: Rules, points_a: u32, points_b: u32) -> Self {
        let mut payoffs = rules.scoring().payoffs().to_vec();
        payoffs.sort_unstable();
        payoffs.dedup();
        let last = payoffs.len() as u8 - 1;
        let rank = |outcome: Outcome| {
            let payoff = rules.scoring().payoff(outcome);
            payoffs.iter().position(|&other| other == payoff).unwrap_or(0) as u8
        };
        let own_rank = |player: Player, outcome: Outcome| match player {
            Player::A => rank(outcome),
            Player::B => last - rank(outcome),
        };
        let order = Order { points: [points_a, points_b], field: rules.field(), mirrored: false };
        let table = |player: Player| {
            let (own, other) = match player {
                Player::A => (points_a, points_b),
                Player::B => (points_b, points_a),
            };
            let [won, lost] = match player {
                Player::A => [Outcome::OutByA, Outcome::OutByB],
                Player::B => [Outcome::OutByB, Outcome::OutByA],
            };
            Table::new(rules.field(), own, other, 0, [own_rank(player, won), own_rank(player, lost)])
        };
        let mut forced = Player::BOTH.map(table);
        for total in 0..=order.layers() {
            for state in order.layer(total) {
                for player in Player::BOTH {
                    let table = &mut forced[player as usize];
                    let (own, other) = (state.points(player), state.points(player.opponent()));
                    let position = state.ball.position() * player.direction();
                    let rank = match rules.outcome(state) {
                        Some(outcome) => own_rank(player, outcome),
                        None => maximin(&StageGame::new(table, rules.motion(), own, other, position)),
                    };
                    table.set(own, other, position, rank);
                }
            }
        }
        Self { rules, order, payoffs, forced }
    }

    /// What A can force, and what B can hold A to, both by pure play.
    ///
    /// # Errors
    /// [`Error::BallOutside`], [`Error::OutsideSolution`].
    pub fn bounds(&self, state: State) -> Result<[Payoff; 2], Error> {
        self.rules.check(state)?;
        if !self.order.contains(state) {
            let [a, b] = self.order.points;
            return Err(Error::OutsideSolution { state, a, b });
        }
        let position = state.ball.position();
        let lower = usize::from(self.forced[0].get(state.a, state.b, position));
        let upper = self.payoffs.len() - 1 - usize::from(self.forced[1].get(state.b, state.a, -position));
        Ok([self.payoffs[lower], self.payoffs[upper]])
    }

    /// The value of a deterministic state, or `None` where luck decides.
    ///
    /// # Errors
    /// As for [`Self::bounds`].
    pub fn value(&self, state: State) -> Result<Option<Payoff>, Error> {
        let [lower, upper] = self.bounds(state)?;
        Ok((lower == upper).then_some(lower))
    }
}

/// The best of the rows' smallest entries.
fn maximin(game: &impl Payoffs<u8>) -> u8 {
    (0..game.rows()).fold(0, |best, row| {
        let mut smallest = u8::MAX;
        game.walk_row(row, |run| smallest = run.iter().copied().fold(smallest, u8::min));
        best.max(smallest)
    })
}
