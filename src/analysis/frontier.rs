//! The fewest points with which a player forces each payoff; needs monotone rules.

use std::cmp::Ordering;

use crate::game::{Ball, PayoffRanks, Player, Rules, State};
use crate::induction::Grid;

const NEVER: u32 = u32::MAX;

/// Whether the payoff of infinite plays forces a rank.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Endless {
    Forces,
    FallsShort,
}

/// For one player, every position and every account of the opponent: the fewest own points that
/// force each rank of the payoffs.
///
/// If more own points never hurt and more of the opponent never help ([`Rules::is_monotone`]), the
/// worst lower reply to a bid is the lowest and the worst higher reply the next one. A bid of `k`
/// against `o` points forces a rank if `own − k` points suffice after the legal ones among the
/// replies 1, `k` and `k + 1`: the fewest own points are the smallest `k + needed` over all `k`.
///
/// Where the smallest bid is 0, the worst lower reply is 0, and a bid of 0 forces the payoff of
/// infinite plays unless the next higher reply prevents it.
///
/// *Complexity.* O(positions · ranks · opponent's points²), independent of the player's own points.
pub(super) struct Frontier {
    ranks: usize,
    /// For each of at most five ranks, by the opponent's points and the position.
    fewest: Grid<[u32; 5]>,
}

impl Frontier {
    pub(super) fn new(rules: &Rules, ranks: &PayoffRanks, player: Player, opponent: u32) -> Self {
        let (field, count) = (rules.field(), ranks.payoffs().len());
        let end = |position: i32| {
            usize::from(
                ranks.seen_by(player, ranks.of(rules.end_at(position * player.direction()))),
            )
        };
        let out = [field + 1, -field - 1].map(|position| {
            std::array::from_fn(|rank| if end(position) >= rank { 0 } else { NEVER })
        });
        let mut frontier =
            Self { ranks: count, fewest: Grid::new(field, [0, opponent], [NEVER; 5], out) };
        for other in 0..=opponent {
            // Against an empty account, or a bid of 0, hit follows hit, so that positions closer to
            // the opponent's end come first.
            for position in (-field..=field).rev() {
                let [won, lost] =
                    [Ordering::Greater, Ordering::Less].map(|bids| rules.after(position, bids));
                let positions = [won, position, lost];
                let fewest = std::array::from_fn(|rank| {
                    let endless =
                        if end(position) >= rank { Endless::Forces } else { Endless::FallsShort };
                    match (other, endless) {
                        _ if rank >= count => NEVER,
                        (0, Endless::Forces) => 0,
                        (0, Endless::FallsShort) => frontier.fewest(won, rank)(0).saturating_add(1),
                        _ => frontier.against(positions, other, rank, rules.min_bid(), endless),
                    }
                });
                frontier.fewest.set(State::new(0, other, Ball::at(position)), fewest);
            }
        }
        frontier
    }

    /// The fewest own points that force a rank against `other` points, by the positions after
    /// winning, tying and losing a turn.
    fn against(
        &self,
        positions: [i32; 3],
        other: u32,
        rank: usize,
        min_bid: u32,
        endless: Endless,
    ) -> u32 {
        let [won, tied, lost] = positions.map(|position| self.fewest(position, rank));
        let after_higher = lost(other - 1);
        let by_zero = match min_bid {
            0 if endless == Endless::Forces => after_higher,
            // An empty account bids 0, and the worst reply is the lowest.
            1 if after_higher == 0 => return 0,
            _ => NEVER,
        };
        let after_lower = won(other - min_bid);
        let needed = |bid: u32| {
            let lower = if bid > min_bid { after_lower } else { 0 };
            let equal = if bid <= other { tied(other - bid) } else { 0 };
            let higher = if bid < other { lost(other - bid - 1) } else { 0 };
            lower.max(equal).max(higher).saturating_add(bid)
        };
        // A bid above all replies need not be higher still.
        (1..=other + 1).map(needed).chain([by_zero]).min().unwrap_or(NEVER)
    }

    /// The rank that is forced at a state in the player's view.
    pub(super) fn rank(&self, view: State) -> u8 {
        (0..self.ranks)
            .rev()
            .find(|&rank| self.fewest(view.ball.position(), rank)(view.b) <= view.a)
            .unwrap_or(0) as u8
    }

    /// The fewest own points that force a rank, by the opponent's points.
    fn fewest(&self, position: i32, rank: usize) -> impl Fn(u32) -> u32 {
        // The opponent's points fall along a row.
        let row = self.fewest.plane(position).row(0);
        move |opponent| row[row.len() - 1 - opponent as usize][rank]
    }
}
