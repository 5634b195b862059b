use super::build::Reductions;
use super::view::{BlindView, RELATIONS};
use crate::error::{BlindError, Error};
use crate::game::{Ball, GameError, Player, Rules, State};

/// The size of blind Tennis from a state on, by the rules alone; counts saturate at 2⁶⁴ − 1, also where the smallest bid is 0 and
/// games may be infinite.
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
        let information_sets = Player::BOTH.map(|player| information_sets(rules, BlindView::start(player, start)));
        let [histories, plays] = histories(rules, start);
        Self { information_sets, histories, plays }
    }

    /// The approximate peak memory of a solve in bytes, while the leaves are sorted.
    ///
    /// With all reductions the process took 12.4, 12.5, 11.8 and 11.1 bytes for every play of the whole game at 10:10 to 13:13,
    /// beyond 8 MB for 2:2: thirteen suffice. Without reductions there are up to twice as many leaves.
    pub(super) const fn bytes(&self, reductions: Reductions) -> u64 {
        self.plays.saturating_mul(if reductions.decided && reductions.dominated { 13 } else { 26 })
    }

    /// Rejects impossible games, and those beyond the memory limit.
    pub(super) fn check(rules: &Rules, start: State, reductions: Reductions, limit: u64) -> Result<(), Error> {
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
        Err(BlindError::Memory { a: start.a, b: start.b, information_sets, bytes, limit, most }.into())
    }
}

pub(super) const MOST_POINTS: u32 = 64;

fn information_sets(rules: &Rules, start: BlindView) -> u64 {
    let (side, positions) = (start.most as usize + 1, rules.positions());
    let place = |view: &BlindView| {
        let ball = (view.ball.position() + rules.field()) as usize;
        ((view.points as usize * side + view.fewest as usize) * side + view.most as usize) * positions + ball
    };
    let mut ways = vec![0_u64; (start.points as usize + 1) * side * side * positions];
    ways[place(&start)] = 1;
    let mut count = 0_u64;
    // A turn takes a point from the own account or from the opponent's possible ones.
    for total in (1..=start.points + start.most).rev() {
        for points in total.saturating_sub(start.most)..=start.points.min(total) {
            for fewest in 0..=total - points {
                for ball in -rules.field()..=rules.field() {
                    let view = BlindView { points, fewest, most: total - points, ball: Ball::at(ball), ..start };
                    let here = ways[place(&view)];
                    if here == 0 {
                        continue;
                    }
                    count = count.saturating_add(here);
                    for relation in RELATIONS {
                        let ball = rules.after(ball, relation);
                        if !rules.is_inside(ball) {
                            continue;
                        }
                        for after in view.bids().filter_map(|bid| view.after(bid, relation, ball)) {
                            let ways = &mut ways[place(&after)];
                            *ways = ways.saturating_add(here);
                        }
                    }
                }
            }
        }
    }
    count
}

fn histories(rules: &Rules, start: State) -> [u64; 2] {
    let (side, positions) = (start.b as usize + 1, rules.positions());
    let place = |a: u32, b: u32, ball: i32| (a as usize * side + b as usize) * positions + (ball + rules.field()) as usize;
    let mut ways = vec![0_u64; (start.a as usize + 1) * side * positions];
    ways[place(start.a, start.b, start.ball.position())] = 1;
    let [mut open, mut ended] = [0_u64; 2];
    for total in (1..=start.a + start.b).rev() {
        for a in total.saturating_sub(start.b)..=start.a.min(total) {
            let b = total - a;
            for ball in -rules.field()..=rules.field() {
                let here = ways[place(a, b, ball)];
                if here == 0 {
                    continue;
                }
                open = open.saturating_add(here);
                for (bid_a, bid_b) in rules.legal_bids(a).flat_map(|bid_a| rules.legal_bids(b).map(move |bid_b| (bid_a, bid_b))) {
                    let ball = rules.after(ball, bid_a.cmp(&bid_b));
                    if !rules.is_inside(ball) || (bid_a == a && bid_b == b) {
                        ended = ended.saturating_add(here);
                    } else {
                        let ways = &mut ways[place(a - bid_a, b - bid_b, ball)];
                        *ways = ways.saturating_add(here);
                    }
                }
            }
        }
    }
    [open, ended]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Offsets of leaves have 32 bits, for any memory limit.
    #[test]
    fn more_plays_than_places_can_be_told_apart_are_refused() {
        let rules = Rules::tennis();
        let check = |points| BlindSize::check(&rules, State::new(points, points, Ball::NET), Reductions::ALL, u64::MAX);
        let plays = |points| BlindSize::new(&rules, State::new(points, points, Ball::NET)).plays;
        let most = (1..MOST_POINTS).find(|&points| plays(points + 1) >= 1 << 32).unwrap();
        assert_eq!(check(most), Ok(()));
        for points in [most + 1, 40] {
            let Err(Error::Blind(BlindError::Memory { most: told, .. })) = check(points) else {
                panic!("{points} points are too many")
            };
            assert_eq!(told, most);
        }
    }
}
