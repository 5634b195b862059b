//! Backward induction over the layers of an analysis, on several threads.

use crate::bounds::Bounds;
use crate::game::{Outcome, Player, Rules, State, StateSpace};
use crate::work::{Parts, Threads, Watch, WorkError};

/// Threads share layers of more pairs of bids than this: some tenth of a millisecond, twice the
/// time to wake them.
const WORTH_SHARING: f64 = 300_000.0;

/// Computes all states from those with fewer points: `solve` finds a state's result, `enter` stores
/// it, in the states' order.
pub(super) fn sweep<K: Sync, W: Default + Send, R: Send>(
    space: StateSpace,
    threads: &Threads,
    watch: &mut Watch<'_>,
    known: &mut K,
    solve: impl Fn(&K, &mut W, State) -> R + Sync,
    enter: impl Fn(&mut K, State, R),
) -> Result<(), WorkError> {
    let mut parts = Parts::new(watch, work_up_to(space, space.layers()));
    let alone = Threads::alone();
    for total in 0..=space.layers() {
        let states: Vec<State> = space.layer(total).collect();
        let layer = layer_work(space, total);
        let is_shared = layer * f64::from(2 * space.field() + 1) > WORTH_SHARING;
        let threads = if is_shared { threads } else { &alone };
        let before = &*known;
        let found = threads.map(&states, |worker, &state| solve(before, worker, state));
        for (state, result) in states.into_iter().zip(found) {
            enter(known, state, result);
        }
        parts.done(layer)?;
    }
    Ok(())
}

/// The most that a player can be paid, rounded up to a unit: no payoff exceeds the best end's.
pub(super) fn best_end(rules: &Rules, player: Player) -> i64 {
    let (scoring, scale) = (rules.scoring(), rules.scoring().scale());
    let ends = Outcome::EACH.map(|outcome| scale.ceil(scoring.payoff_to(player, outcome)));
    ends.into_iter().fold(i64::MIN, i64::max)
}

/// Bounds of A's payoff, where the owner's is `lower` after rounding down by less than `rounded`
/// units, and at most `best_end`.
pub(super) fn rounded_down(owner: Player, lower: i64, rounded: u32, best_end: i64) -> Bounds {
    let bounds = Bounds::new(lower, (lower + i64::from(rounded)).min(best_end));
    if owner == Player::A { bounds } else { bounds.mirrored() }
}

/// The work at a state, as a number of pairs of bids.
pub(super) fn work(state: State) -> f64 {
    f64::from(state.a + 1) * f64::from(state.b + 1)
}

pub(super) fn work_up_to(space: StateSpace, total: u32) -> f64 {
    (0..=total).map(|total| layer_work(space, total)).sum()
}

fn layer_work(space: StateSpace, total: u32) -> f64 {
    space.layer(total).filter(|state| state.ball.position() == -space.field()).map(work).sum()
}
