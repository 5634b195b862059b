//! The size of blind Tennis, counted before memory is taken.

use super::build::Reductions;
use super::view::{BlindView, ViewSpace};
use crate::error::{BlindError, Error};
use crate::game::{GameError, Player, Rules, State, StateSpace};

/// The size of blind Tennis from a state on, by the rules alone; counts saturate at 2⁶⁴ − 1, also
/// where the smallest bid is 0 and games may be infinite.
///
/// ```
/// use pencil_tennis::blind::BlindSize;
/// use pencil_tennis::{Rules, State};
///
/// let size = BlindSize::new(&Rules::tennis(), "9:9@0".parse()?);
/// assert_eq!(size.information_sets, [16_898, 16_898]);
/// assert_eq!(size.histories + size.plays, 111_288);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlindSize {
    /// The information sets of A and of B at which the game continues.
    pub information_sets: [u64; 2],
    /// The pairs of bid sequences after which the game continues.
    pub histories: u64,
    /// The pairs of bid sequences after which it has ended.
    pub plays: u64,
}

impl BlindSize {
    /// Counts in O(points⁴).
    pub fn new(rules: &Rules, start: State) -> Self {
        if rules.min_bid() == 0 {
            return Self { information_sets: [u64::MAX; 2], histories: u64::MAX, plays: u64::MAX };
        }
        let information_sets =
            Player::BOTH.map(|player| information_sets(rules, BlindView::start(player, start)));
        let [histories, plays] = histories(rules, start);
        Self { information_sets, histories, plays }
    }

    /// The approximate peak memory of a solve in bytes, while the leaves are sorted.
    ///
    /// With all reductions the process took 11.9, 11.7, 12.0 and 11.9 bytes for every play of the
    /// whole game at 10:10 to 13:13, beyond 8 MB for 2:2: thirteen suffice. Without reductions
    /// there are up to twice as many leaves.
    pub(super) const fn bytes(&self, reductions: Reductions) -> u64 {
        self.plays.saturating_mul(if reductions.decided && reductions.dominated { 13 } else { 26 })
    }

    /// Rejects impossible games, and those beyond the memory limit.
    pub(super) fn check(
        rules: &Rules,
        start: State,
        reductions: Reductions,
        limit: u64,
    ) -> Result<(), Error> {
        rules.check_bids_spend("blind Tennis")?;
        GameError::check_points([start.a, start.b], MOST_POINTS)?;
        rules.check(start)?;
        let size = Self::new(rules, start);
        let bytes = size.bytes(reductions);
        // Offsets of leaves have 32 bits.
        if bytes <= limit && u32::try_from(size.plays).is_ok() {
            return Ok(());
        }
        let fits = |&points: &u32| {
            let [_, plays] = histories(rules, State::new(points, points, start.ball));
            u32::try_from(plays).is_ok() && Self { plays, ..size }.bytes(reductions) <= limit
        };
        let most = (1..=MOST_POINTS).take_while(fits).last().unwrap_or(0);
        let information_sets = size.information_sets;
        Err(BlindError::Memory { a: start.a, b: start.b, information_sets, bytes, limit, most }
            .into())
    }
}

pub(super) const MOST_POINTS: u32 = 64;

fn information_sets(rules: &Rules, start: BlindView) -> u64 {
    let space = ViewSpace::new(rules, start);
    let mut ways = vec![0_u64; space.len()];
    ways[space.index(&start)] = 1;
    let mut count = 0_u64;
    for view in space.views().rev() {
        let here = ways[space.index(&view)];
        if here == 0 {
            continue;
        }
        count = count.saturating_add(here);
        for (.., after) in view.successors(rules) {
            let ways = &mut ways[space.index(&after)];
            *ways = ways.saturating_add(here);
        }
    }
    count
}

fn histories(rules: &Rules, start: State) -> [u64; 2] {
    let space = StateSpace::new(rules, [start.a, start.b]);
    let mut ways = vec![0_u64; space.len()];
    ways[space.index(start)] = 1;
    let [mut open, mut ended] = [0_u64; 2];
    for state in (1..=space.layers()).rev().flat_map(|total| space.layer(total)) {
        let here = ways[space.index(state)];
        if here == 0 {
            continue;
        }
        open = open.saturating_add(here);
        for bid_a in rules.legal_bids(state.a) {
            for after in rules.legal_bids(state.b).map(|bid_b| rules.next(state, bid_a, bid_b)) {
                let ways = if rules.outcome(after).is_some() {
                    &mut ended
                } else {
                    &mut ways[space.index(after)]
                };
                *ways = ways.saturating_add(here);
            }
        }
    }
    [open, ended]
}
