use crate::game::{PayoffRanks, Player, Rules, State};

const NEVER: u32 = u32::MAX;

/// For one player, every position and every account of the opponent: the fewest own points that force each rank of the payoffs.
///
/// If the scoring ranks the ends in their natural order, more own points never hurt and more of the opponent never help, so that
/// the worst lower reply to a bid is the lowest and the worst higher reply the next one. A bid of `k` against `o` points forces a
/// rank if `own − k` points suffice after the legal ones among the replies 1, `k` and `k + 1`: the fewest own points are the
/// smallest `k + needed` over all `k`.
///
/// Where the smallest bid is 0, the worst lower reply is 0, and a bid of 0 forces the payoff of infinite plays unless the next
/// higher reply prevents it.
///
/// *Complexity.* O(positions · ranks · opponent's points²), independent of the player's own points.
pub(super) struct Frontier {
    field: i32,
    ranks: usize,
    /// The ranks of a ball out at the opponent's end and at the player's own.
    out: [u8; 2],
    /// Indexed by position, opponent's points, rank.
    fewest: Vec<u32>,
    opponent: u32,
}

impl Frontier {
    pub(super) fn new(rules: &Rules, ranks: &PayoffRanks, player: Player, opponent: u32) -> Self {
        let (field, count) = (rules.field(), ranks.payoffs().len());
        let size = rules.positions() * (opponent as usize + 1) * count;
        let end = |position: i32| ranks.own(player, ranks.of(rules.end_at(position * player.direction())));
        let mut frontier =
            Self { field, ranks: count, out: [end(field + 1), end(-field - 1)], fewest: vec![NEVER; size], opponent };
        for other in 0..=opponent {
            // Against an empty account, or a bid of 0, hit follows hit, so that positions closer to the opponent's end come
            // first.
            for position in (-field..=field).rev() {
                let [won, lost] = [Player::A, Player::B].map(|hitter| rules.motion().hit(position, hitter));
                for rank in 0..count {
                    let fewest = match other {
                        0 if usize::from(end(position)) >= rank => 0,
                        0 => frontier.get(won, 0, rank).saturating_add(1),
                        _ => {
                            let waits = usize::from(end(position)) >= rank;
                            frontier.against([won, position, lost], other, rank, rules.min_bid(), waits)
                        }
                    };
                    let place = frontier.place(position, other, rank);
                    frontier.fewest[place] = fewest;
                }
            }
        }
        frontier
    }

    /// `waits` says whether infinite plays pay enough.
    fn against(&self, [won, tied, lost]: [i32; 3], other: u32, rank: usize, min_bid: u32, waits: bool) -> u32 {
        let after_higher = self.get(lost, other - 1, rank);
        let by_zero = match min_bid {
            0 if waits => after_higher,
            // An empty account bids 0, and the worst reply is the lowest.
            1 if after_higher == 0 => return 0,
            _ => NEVER,
        };
        let after_lower = self.get(won, other - min_bid, rank);
        let needed = |bid: u32| {
            let lower = if bid > min_bid { after_lower } else { 0 };
            let equal = if bid <= other { self.get(tied, other - bid, rank) } else { 0 };
            let higher = if bid < other { self.get(lost, other - bid - 1, rank) } else { 0 };
            lower.max(equal).max(higher).saturating_add(bid)
        };
        // A bid above all replies need not be higher still.
        (1..=other + 1).map(needed).chain([by_zero]).min().unwrap_or(NEVER)
    }

    /// The rank that is forced at a state in the player's view.
    pub(super) fn rank(&self, view: State) -> u8 {
        (0..self.ranks).rev().find(|&rank| self.get(view.ball.position(), view.b, rank) <= view.a).unwrap_or(0) as u8
    }

    fn get(&self, position: i32, other: u32, rank: usize) -> u32 {
        let out = match position {
            position if position > self.field => self.out[0],
            position if position < -self.field => self.out[1],
            _ => return self.fewest[self.place(position, other, rank)],
        };
        if usize::from(out) >= rank { 0 } else { NEVER }
    }

    fn place(&self, position: i32, other: u32, rank: usize) -> usize {
        let position = (position + self.field) as usize;
        (position * (self.opponent as usize + 1) + other as usize) * self.ranks + rank
    }
}
