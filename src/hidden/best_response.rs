//! The check: bounds of the opponent's best response to a strategy, in integers, from the tree alone.
//!
//! It shares no code with the finders. The only thing it takes from the tree besides nodes is the order of information sets, in
//! which a set follows the set of its parent sequence.

use dashu_int::IBig;
use num_rational::BigRational;

use super::strategy::BehaviourStrategy;
use super::tree::{GameTree, NodeKind};
use crate::game::Player;
use crate::matrix_game::exact::integer;

/// Bits of probabilities behind the point. Each product of probabilities is rounded outward by at most 2^−192, which is far below
/// the unit of bounds, 2^−61 of the largest payoff, for any tree that memory holds.
const PROBABILITY_BITS: usize = 192;

/// Bits of payoffs behind the unit of bounds.
const PAYOFF_BITS: usize = 64;

/// Two integers between which a number lies.
#[derive(Clone, Debug)]
pub(super) struct Interval {
    pub(super) lower: IBig,
    pub(super) upper: IBig,
}

impl Interval {
    fn zero() -> Self {
        Self { lower: IBig::ZERO, upper: IBig::ZERO }
    }

    /// A fraction times 2^`bits`, rounded outward.
    fn of(number: &BigRational, bits: usize) -> Self {
        let numerator = integer(number.numer()) << bits;
        let denominator = integer(number.denom());
        Self { lower: quotient_down(&numerator, &denominator), upper: quotient_up(&numerator, &denominator) }
    }

    /// A probability times `numerator / denominator`, which are not negative.
    fn times_share(&self, numerator: &IBig, denominator: &IBig) -> Self {
        Self {
            lower: quotient_down(&(&self.lower * numerator), denominator),
            upper: quotient_up(&(&self.upper * numerator), denominator),
        }
    }

    /// A payoff times a probability, which is not negative.
    fn times_probability(&self, probability: &Self) -> Self {
        let lower = if self.lower < IBig::ZERO { &probability.upper } else { &probability.lower };
        let upper = if self.upper < IBig::ZERO { &probability.lower } else { &probability.upper };
        Self { lower: &self.lower * lower, upper: &self.upper * upper }
    }

    fn add(&mut self, other: &Self) {
        self.lower += &other.lower;
        self.upper += &other.upper;
    }
}

fn quotient_down(numerator: &IBig, denominator: &IBig) -> IBig {
    let quotient = numerator / denominator;
    // The quotient is rounded to 0.
    if *numerator < IBig::ZERO && &quotient * denominator != *numerator { quotient - IBig::ONE } else { quotient }
}

fn quotient_up(numerator: &IBig, denominator: &IBig) -> IBig {
    -quotient_down(&-numerator, denominator)
}

/// A node on the way through the tree, with the probability that chance and the strategy lead there, and the opponent's last
/// sequence.
struct Visit {
    node: u32,
    probability: Interval,
    reply: u32,
}

/// The payoffs to A of the opponent's sequences, with best continuation, against a strategy.
pub(super) struct Replies {
    /// By the opponent's sequences, in units of 2^−`exponent`.
    values: Vec<Interval>,
    exponent: usize,
}

impl Replies {
    /// Takes time in proportion to the number of nodes.
    pub(super) fn new(tree: &GameTree, strategy: &BehaviourStrategy) -> Self {
        let unit_bits = tree.unit_exponent() as usize + PAYOFF_BITS;
        let exponent = unit_bits + PROBABILITY_BITS;
        let mut values = at_ends(tree, strategy, unit_bits);
        let opponent = strategy.player().opponent();
        for set in tree.information_sets(opponent).iter().rev() {
            let best = best_of(opponent, &values[set.sequences()]);
            values[set.parent as usize].add(&best);
        }
        Self { values, exponent }
    }

    /// Bounds of the payoff to A against the opponent's best response: integers in units of 2^−`exponent`, rounded outward.
    pub(super) fn worth(&self, exponent: usize) -> Interval {
        let shift = self.exponent - exponent;
        let Interval { lower, upper } = &self.values[0];
        // The shift to the right rounds down.
        Interval { lower: lower >> shift, upper: -(-upper >> shift) }
    }
}

/// For each of the opponent's sequences, the payoff at the ends that follow it before the opponent's next choice.
fn at_ends(tree: &GameTree, strategy: &BehaviourStrategy, unit_bits: usize) -> Vec<Interval> {
    let own = strategy.player();
    let opponent = own.opponent();
    let payoffs: Vec<Interval> = tree.payoffs.iter().map(|payoff| Interval::of(payoff, unit_bits)).collect();
    let shares: Vec<Vec<[IBig; 2]>> = tree.distributions.iter().map(|shares| shares.iter().map(parts).collect()).collect();
    let mut values = vec![Interval::zero(); tree.sequence_count(opponent)];
    let certain = IBig::ONE << PROBABILITY_BITS;
    let root = Visit { node: 0, probability: Interval { lower: certain.clone(), upper: certain }, reply: 0 };
    let mut open = vec![root];
    while let Some(Visit { node, probability, reply }) = open.pop() {
        match tree.nodes[node as usize].kind {
            NodeKind::End { payoff } => {
                values[reply as usize].add(&payoffs[payoff as usize].times_probability(&probability));
            }
            NodeKind::Chance { distribution } => {
                for (&node, [numerator, denominator]) in tree.successors(node).iter().zip(&shares[distribution as usize]) {
                    open.push(Visit { node, probability: probability.times_share(numerator, denominator), reply });
                }
            }
            NodeKind::Decision { player, set } if player == own => {
                let sum = strategy.sum(set as usize);
                let sequences = tree.sets[player][set as usize].sequences();
                for (&node, sequence) in tree.successors(node).iter().zip(sequences) {
                    let weight = strategy.weight(sequence);
                    // A sequence that is never played contributes nothing.
                    if *weight != IBig::ZERO {
                        open.push(Visit { node, probability: probability.times_share(weight, sum), reply });
                    }
                }
            }
            NodeKind::Decision { player, set } => {
                let first = tree.sets[player][set as usize].first_sequence;
                for (&node, reply) in tree.successors(node).iter().zip(first..) {
                    open.push(Visit { node, probability: probability.clone(), reply });
                }
            }
        }
    }
    values
}

fn parts(share: &BigRational) -> [IBig; 2] {
    [integer(share.numer()), integer(share.denom())]
}

/// The best of some sequences for a player: A's largest, B's smallest payoff to A.
fn best_of(player: Player, values: &[Interval]) -> Interval {
    let mut best = values[0].clone();
    for value in &values[1..] {
        if prefers(player, &value.lower, &best.lower) {
            best.lower.clone_from(&value.lower);
        }
        if prefers(player, &value.upper, &best.upper) {
            best.upper.clone_from(&value.upper);
        }
    }
    best
}

fn prefers(player: Player, payoff: &IBig, other: &IBig) -> bool {
    match player {
        Player::A => payoff > other,
        Player::B => payoff < other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_rounded_to_their_sides() {
        for (numerator, down, up) in [(7, 3, 4), (-7, -4, -3), (8, 4, 4), (-8, -4, -4), (0, 0, 0)] {
            let [numerator, denominator] = [numerator, 2].map(IBig::from);
            assert_eq!(quotient_down(&numerator, &denominator), IBig::from(down));
            assert_eq!(quotient_up(&numerator, &denominator), IBig::from(up));
        }
    }

    /// A negative payoff is smallest at the largest probability.
    #[test]
    fn products_are_rounded_outward_for_either_sign() {
        let interval = |lower: i32, upper: i32| Interval { lower: lower.into(), upper: upper.into() };
        let probability = interval(3, 4);
        for (payoff, lower, upper) in [((5, 6), 15, 24), ((-6, -5), -24, -15), ((-1, 2), -4, 8)] {
            let product = interval(payoff.0, payoff.1).times_probability(&probability);
            assert_eq!([product.lower, product.upper], [lower, upper].map(IBig::from));
        }
    }
}
