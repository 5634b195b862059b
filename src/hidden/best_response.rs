//! The check: bounds of the opponent's best response to a strategy, in integers, from the tree
//! alone.
//!
//! It shares no code with the finders. The only thing it takes from the tree besides nodes is the
//! order of information sets, in which a set follows the set of its parent sequence.

use dashu_base::{BitTest, Gcd};
use dashu_int::IBig;
use dashu_ratio::RBig;
use num_rational::BigRational;

use super::strategy::BehaviourStrategy;
use super::tree::{GameTree, NodeKind, SetId};
use crate::game::Player;
use crate::matrix_game::exact::{big_integer, integer};

/// The units in which probabilities and payoffs are integers: 1 is so many of them.
#[derive(Clone, Debug)]
pub(super) struct Units {
    probability: IBig,
    payoff: IBig,
}

/// Bits of probabilities behind the point. Each product of probabilities is rounded outward by at
/// most 2^−192, which is far below the unit of bounds, 2^−61 of the largest payoff, for any tree
/// that memory holds.
const PROBABILITY_BITS: usize = 192;

/// Bits of payoffs behind the unit of bounds.
const PAYOFF_BITS: usize = 64;

/// Exact units have at most so many bits: longer integers cost more than their last digits are
/// worth.
const MOST_EXACT_BITS: usize = 4_096;

impl Units {
    /// Units that are fine enough for bounds.
    pub(super) fn fixed(tree: &GameTree) -> Self {
        let payoff = IBig::ONE << (tree.unit_exponent() as usize + PAYOFF_BITS);
        Self { probability: IBig::ONE << PROBABILITY_BITS, payoff }
    }

    /// Units in which nothing is rounded against this strategy; `None` if they are too small.
    pub(super) fn exact(tree: &GameTree, strategy: &BehaviourStrategy) -> Option<Self> {
        let mut payoff = IBig::ONE;
        for denominator in tree.payoffs.iter().map(|payoff| integer(payoff.denom())) {
            payoff = common_multiple(&payoff, &denominator)?;
        }
        let probability = own_denominator(tree, strategy)? * chance_denominator(tree)?;
        Some(Self { probability, payoff })
    }
}

/// A number of which all probabilities of a strategy's own sequences are multiples of the
/// reciprocal.
fn own_denominator(tree: &GameTree, strategy: &BehaviourStrategy) -> Option<IBig> {
    let player = strategy.player();
    let mut whole = IBig::ONE;
    // By sequences: the product of probabilities, in lowest terms.
    let mut products = vec![RBig::ONE; tree.sequence_count(player)];
    for (number, set) in tree.information_sets(player).iter().enumerate() {
        for sequence in set.sequences() {
            let share = RBig::from(strategy.weight(sequence).clone()) / strategy.sum(number);
            products[sequence] = &products[set.parent as usize] * share;
            whole = common_multiple(&whole, &products[sequence].denominator().clone().into())?;
        }
    }
    Some(whole)
}

/// A number of which all probabilities of chance are multiples of the reciprocal.
fn chance_denominator(tree: &GameTree) -> Option<IBig> {
    let mut whole = IBig::ONE;
    let mut shares = Vec::with_capacity(tree.distributions.len());
    for distribution in &tree.distributions {
        let mut denominator = IBig::ONE;
        for share in distribution {
            denominator = common_multiple(&denominator, &integer(share.denom()))?;
        }
        shares.push(denominator);
    }
    let mut open = vec![(0, IBig::ONE)];
    while let Some((node, mut denominator)) = open.pop() {
        match tree.nodes[node as usize].kind {
            NodeKind::End { .. } => whole = common_multiple(&whole, &denominator)?,
            NodeKind::Chance { distribution } => denominator *= &shares[distribution as usize],
            NodeKind::Decision { .. } => {}
        }
        if denominator.bit_len() > MOST_EXACT_BITS {
            return None;
        }
        open.extend(tree.successors(node).iter().map(|&after| (after, denominator.clone())));
    }
    Some(whole)
}

/// The least common multiple of two positive numbers; `None` if it is too long.
fn common_multiple(one: &IBig, other: &IBig) -> Option<IBig> {
    if (one % other).is_zero() {
        return Some(one.clone());
    }
    let divisor = IBig::from(one.gcd(other));
    let multiple = one / divisor * other;
    (multiple.bit_len() <= MOST_EXACT_BITS).then_some(multiple)
}

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

    /// A fraction in units of which 1 is so many, rounded outward.
    fn of(number: &BigRational, one: &IBig) -> Self {
        let numerator = integer(number.numer()) * one;
        let denominator = integer(number.denom());
        Self {
            lower: quotient_down(&numerator, &denominator),
            upper: quotient_up(&numerator, &denominator),
        }
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
    if *numerator < IBig::ZERO && &quotient * denominator != *numerator {
        quotient - IBig::ONE
    } else {
        quotient
    }
}

fn quotient_up(numerator: &IBig, denominator: &IBig) -> IBig {
    -quotient_down(&-numerator, denominator)
}

/// A node on the way through the tree, with the probability that chance and the strategy lead
/// there, and the opponent's last sequence.
struct Visit {
    node: u32,
    probability: Interval,
    reply: u32,
}

/// The payoffs to A of the opponent's sequences, with best continuation, against a strategy.
#[derive(Clone, Debug)]
pub(super) struct Replies {
    /// By the opponent's sequences, in units of probabilities times units of payoffs.
    values: Vec<Interval>,
    /// By the opponent's information sets, in units of probabilities: how likely chance and the
    /// strategy lead there.
    reaches: Vec<Interval>,
    units: Units,
    /// So many units are 1.
    one: IBig,
}

impl Replies {
    /// Takes time in proportion to the number of nodes.
    pub(super) fn new(tree: &GameTree, strategy: &BehaviourStrategy, units: &Units) -> Self {
        let Ends { mut values, reaches } = at_ends(tree, strategy, units);
        let opponent = strategy.player().opponent();
        for set in tree.information_sets(opponent).iter().rev() {
            let best = best_of(opponent, &values[set.sequences()]);
            values[set.parent as usize].add(&best);
        }
        Self { values, reaches, units: units.clone(), one: &units.probability * &units.payoff }
    }

    /// Bounds of the payoff to A against the opponent's best response: integers in units of
    /// 2^−`exponent`, rounded outward.
    pub(super) fn payoff_bounds(&self, exponent: u32) -> Interval {
        let Interval { lower, upper } = &self.values[0];
        let [lower, upper] = [lower, upper].map(|bound| bound << exponent as usize);
        Interval { lower: quotient_down(&lower, &self.one), upper: quotient_up(&upper, &self.one) }
    }

    /// The payoff to A against the opponent's best response, if nothing was rounded.
    pub(super) fn exact(&self) -> Option<BigRational> {
        let Interval { lower, upper } = &self.values[0];
        (lower == upper).then(|| BigRational::new(big_integer(lower), big_integer(&self.one)))
    }

    /// The probability with which chance and the strategy lead to the opponent's information set if
    /// the opponent plays towards it; rounded, unless units are exact.
    pub(super) fn reach(&self, set: SetId) -> BigRational {
        let Interval { lower, upper } = &self.reaches[set];
        BigRational::new(
            big_integer(&(lower + upper)),
            big_integer(&(&self.units.probability * IBig::from(2))),
        )
    }

    /// The expected payoff to A if the opponent has come to an information set, takes the action
    /// that ends this sequence of it, and continues with best responses: integers in units of
    /// 2^−`exponent`, rounded outward. `None` unless the strategy certainly leads there.
    pub(super) fn payoff(&self, set: SetId, sequence: usize, exponent: u32) -> Option<Interval> {
        let reach = &self.reaches[set];
        if reach.lower <= IBig::ZERO {
            return None;
        }
        let [lower, upper] = [&self.values[sequence].lower, &self.values[sequence].upper]
            .map(|bound| bound << exponent as usize);
        // A negative payoff is smallest at the smallest reach.
        let lower_reach = if lower < IBig::ZERO { &reach.lower } else { &reach.upper };
        let upper_reach = if upper < IBig::ZERO { &reach.upper } else { &reach.lower };
        Some(Interval {
            lower: quotient_down(&lower, &(lower_reach * &self.units.payoff)),
            upper: quotient_up(&upper, &(upper_reach * &self.units.payoff)),
        })
    }

    /// The same payoff, if nothing was rounded.
    pub(super) fn exact_payoff(&self, set: SetId, sequence: usize) -> Option<BigRational> {
        let (reach, value) = (&self.reaches[set], &self.values[sequence]);
        let is_exact =
            reach.lower == reach.upper && value.lower == value.upper && reach.lower > IBig::ZERO;
        is_exact.then(|| {
            BigRational::new(
                big_integer(&value.lower),
                big_integer(&(&reach.lower * &self.units.payoff)),
            )
        })
    }
}

/// Sums over the nodes to which a strategy leads, for the opponent.
struct Ends {
    /// For each of the opponent's sequences, the payoff at the ends that follow it before the
    /// opponent's next choice.
    values: Vec<Interval>,
    /// For each of the opponent's information sets, the probability of its nodes.
    reaches: Vec<Interval>,
}

fn at_ends(tree: &GameTree, strategy: &BehaviourStrategy, units: &Units) -> Ends {
    let judged = strategy.player();
    let opponent = judged.opponent();
    let payoffs: Vec<Interval> =
        tree.payoffs.iter().map(|payoff| Interval::of(payoff, &units.payoff)).collect();
    let shares: Vec<Vec<[IBig; 2]>> =
        tree.distributions.iter().map(|shares| shares.iter().map(parts).collect()).collect();
    let mut values = vec![Interval::zero(); tree.sequence_count(opponent)];
    let mut reaches = vec![Interval::zero(); tree.information_sets(opponent).len()];
    let certain = Interval { lower: units.probability.clone(), upper: units.probability.clone() };
    let root = Visit { node: 0, probability: certain, reply: 0 };
    let mut open = vec![root];
    while let Some(Visit { node, probability, reply }) = open.pop() {
        match tree.nodes[node as usize].kind {
            NodeKind::End { payoff } => {
                values[reply as usize]
                    .add(&payoffs[payoff as usize].times_probability(&probability));
            }
            NodeKind::Chance { distribution } => {
                for (&node, [numerator, denominator]) in
                    tree.successors(node).iter().zip(&shares[distribution as usize])
                {
                    open.push(Visit {
                        node,
                        probability: probability.times_share(numerator, denominator),
                        reply,
                    });
                }
            }
            NodeKind::Decision { player, set } if player == judged => {
                let sum = strategy.sum(set as usize);
                let sequences = tree.sets[player][set as usize].sequences();
                for (&node, sequence) in tree.successors(node).iter().zip(sequences) {
                    let weight = strategy.weight(sequence);
                    // A sequence that is never played contributes nothing.
                    if *weight != IBig::ZERO {
                        open.push(Visit {
                            node,
                            probability: probability.times_share(weight, sum),
                            reply,
                        });
                    }
                }
            }
            NodeKind::Decision { player, set } => {
                reaches[set as usize].add(&probability);
                let first = tree.sets[player][set as usize].first_sequence;
                for (&node, reply) in tree.successors(node).iter().zip(first..) {
                    open.push(Visit { node, probability: probability.clone(), reply });
                }
            }
        }
    }
    Ends { values, reaches }
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

    /// A positive payoff is smallest at the largest reach, a negative one at the smallest.
    #[test]
    fn payoffs_of_a_rare_set_contain_those_of_all_its_reaches() {
        let interval =
            |lower: i32, upper: i32| Interval { lower: lower.into(), upper: upper.into() };
        for (value, reach, payoff) in [
            ((6, 6), (2, 3), Some((2, 3))),
            ((-6, -6), (2, 3), Some((-3, -2))),
            ((-6, 6), (2, 3), Some((-3, 3))),
            ((5, 7), (2, 3), Some((1, 4))),
            // The strategy may never lead there.
            ((6, 6), (0, 1), None),
        ] {
            let replies = Replies {
                values: vec![interval(value.0, value.1)],
                reaches: vec![interval(reach.0, reach.1)],
                units: Units { probability: IBig::from(100), payoff: IBig::ONE },
                one: IBig::from(100),
            };
            let found = replies.payoff(0, 0, 0).map(|found| [found.lower, found.upper]);
            assert_eq!(
                found,
                payoff.map(|(lower, upper)| [lower, upper].map(IBig::from)),
                "{value:?} {reach:?}"
            );
        }
    }

    /// A negative payoff is smallest at the largest probability.
    #[test]
    fn products_are_rounded_outward_for_either_sign() {
        let interval =
            |lower: i32, upper: i32| Interval { lower: lower.into(), upper: upper.into() };
        let probability = interval(3, 4);
        for (payoff, lower, upper) in [((5, 6), 15, 24), ((-6, -5), -24, -15), ((-1, 2), -4, 8)] {
            let product = interval(payoff.0, payoff.1).times_probability(&probability);
            assert_eq!([product.lower, product.upper], [lower, upper].map(IBig::from));
        }
    }
}
