//! Merges decisions that symmetry makes alike, such as those in games of cards whose suits do not
//! matter: M. Grohe, K. Kersting, M. Mladenov, E. Selman: Dimension reduction via colour
//! refinement. ESA 2014.
//!
//! Decisions have colours, alike at first. A round tells decisions apart whose surroundings differ:
//! the sequence before, and for each action, in order, the payoffs with the colours of the
//! opponent's sequences there, and the colours of the decisions that follow. When no round tells
//! more apart, there are optimal plans that play alike at all decisions of a colour: the mean of an
//! optimal plan over a colour is as good, because each of the opponent's sequences of a colour is
//! worth the same against it. So one decision may stand for a colour, with the sums of the payoffs
//! of all.
//!
//! Colours are hashes, and payoffs are rounded. A plan of the merged game is a plan of the whole
//! one in any case, and what it secures there is proved like all else.

use std::collections::BTreeMap;

use super::sequence_game::{Decision, SequenceGame};
use crate::game::{ByPlayer, Player};

/// The decisions and sequences that stand for those of a game, of which alike ones are merged.
#[derive(Clone, Debug)]
pub(crate) struct Merging {
    /// The decisions that are left, in the order of the first of their colour.
    pub(crate) decisions: ByPlayer<Vec<Decision>>,
    /// By the game's sequences: the sequence that stands for it.
    pub(crate) sequences: ByPlayer<Vec<u32>>,
}

/// More rounds than symmetric games need: each passes on what is next to a decision, and games are
/// not that deep.
const MOST_ROUNDS: usize = 100;

/// Bits of a double that rounding may differ in. A payoff is the sum of some products.
const ROUNDED_BITS: u32 = 12;

impl Merging {
    /// The merging of a game of perfect recall; `None` if all of its decisions differ. A round
    /// takes time in proportion to the leaves.
    pub(crate) fn find<G: SequenceGame>(game: &G) -> Option<Self> {
        let mut colours = ByPlayer::new(|player| vec![0; game.decisions(player).len()]);
        let mut count = 0;
        for _ in 0..MOST_ROUNDS {
            colours = refined(game, &colours);
            let before = std::mem::replace(&mut count, distinct(&colours));
            if count == colours.a.len() + colours.b.len() {
                return None;
            }
            if count == before {
                return Some(Self::of(game, &colours));
            }
        }
        None
    }

    fn of<G: SequenceGame>(game: &G, colours: &ByPlayer<Vec<u64>>) -> Self {
        let mut merging = Self {
            decisions: ByPlayer::default(),
            sequences: ByPlayer::new(|player| vec![0; game.sequences(player)]),
        };
        for player in Player::BOTH {
            let mut numbers = BTreeMap::new();
            let decisions = &mut merging.decisions[player];
            let sequences = &mut merging.sequences[player];
            let mut next = 1;
            for (decision, colour) in game.decisions(player).iter().zip(&colours[player]) {
                let number = *numbers.entry(colour).or_insert_with(|| {
                    let parent = sequences[decision.parent as usize];
                    decisions.push(Decision { parent, first: next, actions: decision.actions });
                    next += decision.actions;
                    decisions.len() - 1
                });
                for (sequence, merged) in decision.sequences().zip(decisions[number].first..) {
                    sequences[sequence] = merged;
                }
            }
        }
        merging
    }

    /// The weights of the game's sequences, by those of the merged ones.
    pub(crate) fn unfolded(&self, player: Player, weights: &[f64]) -> Vec<f64> {
        self.sequences[player].iter().map(|&merged| weights[merged as usize]).collect()
    }
}

/// The colours after a round.
fn refined<G: SequenceGame>(game: &G, colours: &ByPlayer<Vec<u64>>) -> ByPlayer<Vec<u64>> {
    let sequences = ByPlayer::new(|player| sequence_colours(game, player, &colours[player]));
    ByPlayer::new(|player| {
        let own_colours = &sequences[player];
        let opponents = &sequences[player.opponent()];
        // By sequences: the sum of hashes does not depend on the order of the decisions that
        // follow.
        let mut following = vec![0_u64; own_colours.len()];
        for (decision, &colour) in game.decisions(player).iter().zip(&colours[player]) {
            let sum = &mut following[decision.parent as usize];
            *sum = sum.wrapping_add(hash(colour, 0));
        }
        let mut refined = Vec::with_capacity(colours[player].len());
        for (decision, &colour) in game.decisions(player).iter().zip(&colours[player]) {
            let mut surroundings = hash(
                hash(colour, u64::from(decision.actions)),
                own_colours[decision.parent as usize],
            );
            for sequence in decision.sequences() {
                let mut leaves = 0_u64;
                for (other, payoff) in game.leaves(player, sequence) {
                    leaves = leaves.wrapping_add(hash(opponents[other], rounded(payoff)));
                }
                surroundings = hash(hash(surroundings, leaves), following[sequence]);
            }
            refined.push(surroundings);
        }
        refined
    })
}

/// By sequences: the colour of the decision, and which of its actions it is; the empty sequence has
/// a colour of its own.
fn sequence_colours<G: SequenceGame>(game: &G, player: Player, colours: &[u64]) -> Vec<u64> {
    let mut sequences = vec![0; game.sequences(player)];
    for (decision, &colour) in game.decisions(player).iter().zip(colours) {
        for (action, sequence) in (1..).zip(decision.sequences()) {
            sequences[sequence] = hash(colour, action);
        }
    }
    sequences
}

/// A payoff without its last bits.
fn rounded(payoff: f64) -> u64 {
    // Both zeros are one.
    let bits = (payoff + 0.0).to_bits();
    (bits + (1 << (ROUNDED_BITS - 1))) >> ROUNDED_BITS
}

/// A hash of two numbers in their order, by the finalizer of `SplitMix64` (G. L. Steele, D. Lea, C.
/// H. Flood: Fast splittable pseudorandom number generators. OOPSLA 2014).
fn hash(one: u64, other: u64) -> u64 {
    let mut bits = one
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(other)
        .wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// The number of different colours.
fn distinct(colours: &ByPlayer<Vec<u64>>) -> usize {
    let mut count = 0;
    for of_player in colours.iter() {
        let mut sorted = of_player.clone();
        sorted.sort_unstable();
        sorted.dedup();
        count += sorted.len();
    }
    count
}

#[cfg(test)]
mod tests {
    use super::super::super::games::{KuhnPoker, LeducPoker};
    use super::super::super::rules::{HiddenRules, Move, Observations, Turn};
    use super::super::super::sequence_form::SequenceForm;
    #[cfg(feature = "lp")]
    use super::super::super::solver::HiddenSolver;
    use super::super::super::tree::GameTree;
    use super::*;
    use crate::work::Threads;

    /// Poker whose players first learn a suit each, which does not matter.
    struct Suited<R>(R);

    #[derive(Clone, Debug, PartialEq)]
    struct SuitedState<S> {
        are_suits_known: bool,
        poker: S,
    }

    const SUITS: [&str; 2] = ["clubs", "hearts"];

    impl<R: HiddenRules> HiddenRules for Suited<R>
    where
        R::State: Clone + PartialEq,
    {
        type State = SuitedState<R::State>;

        fn start(&self) -> Self::State {
            SuitedState { are_suits_known: false, poker: self.0.start() }
        }

        fn turn(&self, state: &Self::State) -> Turn {
            if state.are_suits_known { self.0.turn(&state.poker) } else { Turn::Chance(vec![1; 4]) }
        }

        fn after(
            &self,
            state: &Self::State,
            chosen: Move,
            observations: &mut Observations,
        ) -> Self::State {
            if state.are_suits_known {
                let poker = self.0.after(&state.poker, chosen, observations);
                return SuitedState { are_suits_known: true, poker };
            }
            let Move::Chance(deal) = chosen else { unreachable!("suits are dealt") };
            observations.tell(Player::A, SUITS[deal / 2]);
            observations.tell(Player::B, SUITS[deal % 2]);
            SuitedState { are_suits_known: true, poker: state.poker.clone() }
        }
    }

    /// Checks that suits are merged, and that a merged plan secures in the merged game what it
    /// secures in the whole one.
    fn assert_suits_are_merged<R: HiddenRules + Clone>(rules: &R)
    where
        R::State: Clone + PartialEq,
    {
        let plain = SequenceForm::new(&GameTree::from_rules(rules).unwrap());
        let suited = SequenceForm::new(&GameTree::from_rules(&Suited(rules.clone())).unwrap());
        assert!(Merging::find(&plain).is_none());
        let merging = Merging::find(&suited).expect("decisions that are alike");
        let merged = suited.merged(&merging);
        let mut payoffs = Vec::new();
        for player in Player::BOTH {
            assert_eq!(suited.decisions(player).len(), 2 * plain.decisions(player).len());
            assert_eq!(merged.decisions(player).len(), plain.decisions(player).len());
            assert_eq!(merged.sequences(player), plain.sequences(player));
            let weights: Vec<f64> =
                (0..merged.sequences(player)).map(|sequence| 1.0 + (sequence % 5) as f64).collect();
            let plan = merged.realised(player, &weights);
            let whole = merging.unfolded(player, &plan);
            let secured = merged.secured(player, &plan, &Threads::alone(), &mut payoffs);
            let in_the_whole = suited.secured(player, &whole, &Threads::alone(), &mut payoffs);
            assert!((secured - in_the_whole).abs() < 1e-12, "{player}: {secured} {in_the_whole}");
        }
    }

    #[test]
    fn suits_that_do_not_matter_are_merged() {
        assert_suits_are_merged(&KuhnPoker);
        assert_suits_are_merged(&LeducPoker);
    }

    /// Vertices of the merged game are exact in the whole one.
    #[cfg(feature = "lp")]
    #[test]
    fn games_with_suits_are_solved_exactly() {
        for (tree, plain) in [
            (GameTree::from_rules(&Suited(KuhnPoker)), GameTree::from_rules(&KuhnPoker)),
            (GameTree::from_rules(&Suited(LeducPoker)), GameTree::from_rules(&LeducPoker)),
        ] {
            let [suited, plain] =
                [tree, plain].map(|tree| HiddenSolver::new(tree.unwrap()).solve().unwrap());
            assert!(suited.exact().is_some() && suited.exact() == plain.exact());
        }
    }
}
