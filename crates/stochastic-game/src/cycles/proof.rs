//! Whether strategies prove bounds, by the two conditions of [`cyclic`](super::cyclic), in integers
//! of 128 bits or of any length.

use super::cycle::Strategy;
use super::local_game::{BoundInteger, LocalGame, MixedAction, Side, StateBounds};
use super::opponent_mdp::Reply;
use crate::bounds::Integer;
use crate::matrix_game::DyadicStrategy;
use crate::model::closed_set;

/// In which numbers strategies and bounds are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// The weights of a mixed action sum to 2^this.
    pub(crate) weight_bits: usize,
    /// Bounds are in parts of the component's unit, 2^−this.
    pub(crate) finer: usize,
}

impl Sizes {
    /// As many bits for weights as for bounds beyond the unit.
    pub(super) const fn of(bits: usize) -> Self {
        Self { weight_bits: bits, finer: bits }
    }
}

/// Weights out of 2⁶², and bounds in whole units.
pub(super) const SHORT: Sizes =
    Sizes { weight_bits: DyadicStrategy::WHOLE_BITS as usize, finer: 0 };

/// Whether a side's strategies prove its bounds.
pub(super) fn proves<'s, W: Clone + 's, N: BoundInteger + From<W>>(
    game: &LocalGame,
    side: Side,
    sizes: Sizes,
    strategy: impl Fn(usize) -> &'s [(u32, W)],
    bound: impl Fn(usize) -> N + Copy,
) -> bool {
    let Sizes { weight_bits, finer } = sizes;
    let bounds = StateBounds { side, finer, of: bound };
    let mixed = |state: usize| MixedAction { state, side, weights: strategy(state) };
    let is_secured = |state: usize| {
        let promised = bound(state) << weight_bits;
        (0..game.replies(state, side)).all(|reply| {
            let secured = game.expected_payoff(mixed(state), reply, bounds);
            if side.is_upper() { secured <= promised } else { secured >= promised }
        })
    };
    let staying = |state: usize| game.staying(mixed(state), &|_| true);
    (0..game.len()).all(is_secured) && !can_last(game, bounds, staying)
}

/// Whether the replies that a side's strategies meet prove bounds for its opponent, by the same
/// conditions: these bounds hold in the game whose end components are one state each.
pub(super) fn concedes<W: Clone, N: BoundInteger + From<W>>(
    game: &LocalGame,
    side: Side,
    sizes: Sizes,
    strategies: &[Strategy<W>],
    replies: &[Reply],
    bound: impl Fn(usize) -> N + Copy,
) -> bool {
    let Sizes { weight_bits, finer } = sizes;
    let other = side.other();
    let bounds = StateBounds { side: other, finer, of: bound };
    let is_held = |(state, reply): (usize, &Reply)| {
        let promised = bound(state) << weight_bits;
        let given = match *reply {
            Reply::As(first) => bound(first as usize) << weight_bits,
            Reply::Stay => N::from(i128::from(other.bound(game.endless))) << (finer + weight_bits),
            Reply::Action { state, reply } => {
                game.expected_payoff(MixedAction::of(side, strategies, state), reply, bounds)
            }
        };
        if other.is_upper() { given <= promised } else { given >= promised }
    };
    let staying = |state: usize| match replies[state] {
        Reply::As(first) => vec![vec![first]],
        Reply::Stay => Vec::new(),
        Reply::Action { state, reply } => {
            let mixed = MixedAction::of(side, strategies, state);
            if game.stays(mixed, reply, &|_| true) {
                vec![game.successors(mixed, reply)]
            } else {
                Vec::new()
            }
        }
    };
    replies.iter().enumerate().all(is_held) && !can_last(game, bounds, staying)
}

/// Whether play can last for ever among states whose bound is better than the payoff of infinite
/// plays, where `staying` lists the moves at a state that do not end play, each as its successors.
fn can_last<N: Integer>(
    game: &LocalGame,
    bounds: StateBounds<impl Fn(usize) -> N>,
    staying: impl Fn(usize) -> Vec<Vec<u32>>,
) -> bool {
    // Other games have no closed sets, and in discounted ones `staying` may not count what the
    // discount takes. No integer lies between the payoff of infinite plays and the one next to it.
    let StateBounds { side, finer, of } = bounds;
    let endless = N::from(i128::from(side.bound(game.endless))) << finer;
    let is_better =
        |&state: &u32| game.kind.may_last() && side.is_closer(&of(state as usize), &endless);
    let better: Vec<u32> = (0..game.len() as u32).filter(is_better).collect();
    !closed_set(&better, game.len(), staying).is_empty()
}

#[cfg(all(test, feature = "files"))]
mod tests {
    use dashu_int::IBig;

    use super::*;
    use crate::bounds::Bounds;
    use crate::cycles::local_game::only_cycle;

    const ONE: i64 = 1 << 50;

    /// The cycle of a game in which one player alone chooses: to stay for ever, which pays 0, or to
    /// go, which pays the end's value.
    fn stay_or_go(side: Side) -> LocalGame {
        let (a, b) = if side.is_upper() {
            (r#"["stay","go"]"#, r#"["x"]"#)
        } else {
            (r#"["x"]"#, r#"["stay","go"]"#)
        };
        let cells = [r#"{"to":[["1","s"]]}"#, r#"{"to":[["1","end"]]}"#].join(if side.is_upper() {
            "],["
        } else {
            ","
        });
        let end = better(side);
        let text = format!(
            r#"{{"format":"stochastic-game","version":1,"kind":"recursive","start":["s"]}}
            {{"id":"end","value":"{end}"}}
            {{"id":"s","a":{a},"b":{b},"cells":[[{cells}]]}}"#
        );
        only_cycle(&text, Bounds::new(end * ONE, end * ONE)).3
    }

    /// One unit that is better for a side.
    fn better(side: Side) -> i64 {
        if side.is_upper() { -1 } else { 1 }
    }

    /// Where the opponent can keep play for ever, no strategy secures a unit more than that pays.
    #[test]
    fn endless_play_pays_no_unit_more() {
        for side in Side::BOTH {
            let is_secured = |bound: i64| {
                let always = [(0, IBig::ONE << 70)];
                let long = proves(
                    &stay_or_go(side),
                    side,
                    Sizes { weight_bits: 70, finer: 9 },
                    |_| &always[..],
                    |_| IBig::from(bound),
                );
                assert_eq!(
                    proves(
                        &stay_or_go(side),
                        side,
                        SHORT,
                        |_| &[(0, 1_u64 << 62)],
                        |_| i128::from(bound)
                    ),
                    long
                );
                long
            };
            assert!(is_secured(0));
            assert!(!is_secured(better(side)));
        }
    }

    /// Replies hold a strategy down to what they pay and to no unit less; those that wait for ever,
    /// to the payoff of infinite plays.
    #[test]
    fn replies_concede_what_they_pay() {
        for side in Side::BOTH {
            let is_conceded = |reply: Reply, bound: i64| {
                let strategies = [vec![(0, 1_u64 << 62)]];
                concedes(&stay_or_go(side), side, SHORT, &strategies, &[reply], |_| {
                    i128::from(bound)
                })
            };
            let [stay, go] = [0, 1].map(|reply| Reply::Action { state: 0, reply });
            assert!(is_conceded(go, better(side) * ONE));
            assert!(!is_conceded(go, better(side) * (ONE - 1)));
            for stay in [stay, Reply::Stay] {
                assert!(is_conceded(stay, 0));
                assert!(!is_conceded(stay, -better(side)));
            }
        }
    }
}
