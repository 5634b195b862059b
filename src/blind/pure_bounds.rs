//! Payoffs that pure play can force from a view, for pruning.

use std::cmp::Ordering;

use super::view::{BlindView, RELATIONS, ViewSpace};
use crate::game::{PayoffRanks, Rules};

/// The range of payoffs of a view under pure play: ranks from the player's side, higher is better.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PureBounds {
    pub(crate) secured: u8,
    pub(crate) possible: u8,
    /// A bid that secures it.
    pub(crate) bid: u16,
}

#[derive(Clone, Debug)]
pub(crate) struct PureBoundsTable {
    rules: Rules,
    ranks: PayoffRanks,
    space: ViewSpace,
    bounds: Vec<PureBounds>,
}

impl PureBoundsTable {
    pub(crate) fn new(rules: &Rules, start: BlindView) -> Self {
        let space = ViewSpace::new(rules, start);
        let unknown = PureBounds { secured: 0, possible: 0, bid: 0 };
        let bounds = vec![unknown; space.len()];
        let mut table =
            Self { rules: *rules, ranks: PayoffRanks::new(rules.scoring()), space, bounds };
        for view in space.views() {
            table.bounds[space.index(&view)] = table.work_out(&view);
        }
        table
    }

    /// Converts between a rank from A's side and one from the player's own.
    fn seen_by_player(&self, rank: u8) -> u8 {
        self.ranks.seen_by(self.space.player(), rank)
    }

    pub(crate) fn bounds(&self, view: &BlindView) -> PureBounds {
        self.bounds[self.space.index(view)]
    }

    /// The least and the largest payoff after a bid and a relation, if the player secures the most
    /// from there; `None` if the relation is impossible.
    fn of_turn(&self, view: &BlindView, bid: u32, relation: Ordering) -> Option<[u8; 2]> {
        let ball = self.rules.after(view.ball.position(), relation);
        let after = view.after(bid, relation, ball);
        let out = !self.rules.is_inside(ball) && after.is_some();
        let ended = (out || view.may_empty(bid, relation))
            .then(|| self.seen_by_player(self.ranks.of(self.rules.end_at(ball))));
        let continued = after.filter(|_| !out).map(|after| self.bounds(&after));
        match (ended, continued) {
            (None, None) => None,
            (Some(rank), None) => Some([rank, rank]),
            (None, Some(PureBounds { secured, possible, .. })) => Some([secured, possible]),
            (Some(rank), Some(PureBounds { secured, possible, .. })) => {
                Some([secured.min(rank), possible.max(rank)])
            }
        }
    }

    /// The rank, to A, of the certain payoff after a bid and a relation; `None` while it is open.
    pub(crate) fn decided(&self, view: &BlindView, bid: u32, relation: Ordering) -> Option<u8> {
        self.of_turn(view, bid, relation)
            .filter(|[least, most]| least == most)
            .map(|[rank, _]| self.seen_by_player(rank))
    }

    /// The rank, to A, of the certain payoff of a view; `None` while it is open.
    pub(crate) fn certain(&self, view: &BlindView) -> Option<u8> {
        let PureBounds { secured, possible, .. } = self.bounds(view);
        (secured == possible).then(|| self.seen_by_player(secured))
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

    /// The undominated bids, after removing from both ends bids that cannot pay more than the
    /// security level.
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
