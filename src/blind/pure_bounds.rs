use std::cmp::Ordering;

use super::view::{BlindView, RELATIONS};
use crate::game::{Ball, PayoffRanks, Player, Rules};

/// The range of payoffs of a view under pure play: ranks from the player's side, higher is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PureBounds {
    pub(crate) secured: u8,
    pub(crate) possible: u8,
    /// A bid that secures it.
    pub(crate) bid: u16,
}

#[derive(Debug)]
pub(crate) struct PureBoundsTable {
    player: Player,
    rules: Rules,
    ranks: PayoffRanks,
    most: [u32; 2],
    bounds: Vec<PureBounds>,
}

impl PureBoundsTable {
    /// Computes all views; `points` are the player's own and the opponent's at the start.
    pub(crate) fn new(rules: &Rules, player: Player, points: [u32; 2]) -> Self {
        let [own, other] = points;
        let unknown = PureBounds { secured: 0, possible: 0, bid: 0 };
        let size = (own as usize + 1) * (other as usize + 1).pow(2) * rules.positions();
        let mut table =
            Self { player, rules: *rules, ranks: PayoffRanks::new(rules.scoring()), most: points, bounds: vec![unknown; size] };
        // Every turn spends a point of the player, or lowers the opponent's possible accounts.
        for total in 1..=own + other {
            for points in total.saturating_sub(other)..=own.min(total) {
                let most = total - points;
                for fewest in u32::from(points == 0)..=most {
                    for ball in -rules.field()..=rules.field() {
                        let view = BlindView { player, points, fewest, most, ball: Ball::at(ball) };
                        let place = table.place(&view);
                        table.bounds[place] = table.work_out(&view);
                    }
                }
            }
        }
        table
    }

    fn place(&self, view: &BlindView) -> usize {
        let side = self.most[1] as usize + 1;
        let ball = (view.ball.position() + self.rules.field()) as usize;
        ((view.points as usize * side + view.fewest as usize) * side + view.most as usize) * self.rules.positions() + ball
    }

    pub(crate) fn bounds(&self, view: &BlindView) -> PureBounds {
        self.bounds[self.place(view)]
    }

    /// The least and the largest payoff after a bid and a relation, if the player secures the most from there; `None` if the
    /// relation is impossible.
    fn of_turn(&self, view: &BlindView, bid: u32, relation: Ordering) -> Option<[u8; 2]> {
        let ball = self.rules.after(view.ball.position(), relation);
        let after = view.after(bid, relation, ball);
        let out = !self.rules.is_inside(ball) && after.is_some();
        let ended =
            (out || view.may_empty(bid, relation)).then(|| self.ranks.own(self.player, self.ranks.of(self.rules.end_at(ball))));
        let goes_on = after.filter(|_| !out).map(|after| self.bounds(&after));
        match (ended, goes_on) {
            (None, None) => None,
            (Some(rank), None) => Some([rank, rank]),
            (None, Some(PureBounds { secured, possible, .. })) => Some([secured, possible]),
            (Some(rank), Some(PureBounds { secured, possible, .. })) => Some([secured.min(rank), possible.max(rank)]),
        }
    }

    /// The rank, to A, of the certain payoff after a bid and a relation; `None` while it is open.
    pub(crate) fn decided(&self, view: &BlindView, bid: u32, relation: Ordering) -> Option<u8> {
        self.of_turn(view, bid, relation).filter(|[least, most]| least == most).map(|[rank, _]| self.ranks.own(self.player, rank))
    }

    /// The rank, to A, of the certain payoff of a view; `None` while it is open.
    pub(crate) fn certain(&self, view: &BlindView) -> Option<u8> {
        let PureBounds { secured, possible, .. } = self.bounds(view);
        (secured == possible).then(|| self.ranks.own(self.player, secured))
    }

    fn of_bid(&self, view: &BlindView, bid: u32) -> [u8; 2] {
        let turns = RELATIONS.into_iter().filter_map(|relation| self.of_turn(view, bid, relation));
        turns.fold([u8::MAX, 0], |[least, most], [low, high]| [least.min(low), most.max(high)])
    }

    fn work_out(&self, view: &BlindView) -> PureBounds {
        let mut best = PureBounds { secured: 0, possible: 0, bid: *view.bids().start() as u16 };
        let mut hope = 0;
        for bid in view.bids() {
            let [secured, possible] = self.of_bid(view, bid);
            // Among equally safe bids, the one with the larger possible payoff.
            if (secured, possible) > (best.secured, best.possible) {
                best = PureBounds { secured, possible, bid: bid as u16 };
            }
            hope = hope.max(possible);
        }
        PureBounds { possible: hope, ..best }
    }

    /// The undominated bids, after removing from both ends bids that cannot pay more than the security level.
    pub(crate) fn undominated(&self, view: &BlindView) -> std::ops::RangeInclusive<u32> {
        let PureBounds { secured, bid: safe, .. } = self.bounds(view);
        let safe = u32::from(safe);
        let dominated = |&bid: &u32| bid != safe && self.of_bid(view, bid)[1] <= secured;
        let (mut low, mut high) = view.bids().into_inner();
        while dominated(&low) {
            low += 1;
        }
        while dominated(&high) {
            high -= 1;
        }
        low..=high
    }
}
