//! The check of quasi-perfect strategies, in fractions, from the tree alone. It shares no code with
//! the finders.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::strategy::BehaviourStrategy;
use super::tree::{GameTree, NodeKind};
use crate::error::HiddenError;
use crate::game::{ByPlayer, Player};

/// The proof that strategies are quasi-perfect (van Damme 1984): fully mixed strategies of both
/// players, which depend on a number ε. As ε goes to 0 they go to the quasi-perfect strategies, and
/// for all small ε > 0 each player's quasi-perfect strategy is at every information set a best
/// reply to the opponent's fully mixed one.
///
/// The weight of a sequence, which is the product of the probabilities of the own actions in it, is
/// a polynomial in ε.
#[derive(Clone, Debug)]
pub struct TestSequence {
    plans: ByPlayer<Vec<Polynomial>>,
}

/// The reason why plans are no test sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// There is not a weight for every sequence.
    Shape,
    /// The weights of a set's actions do not sum to that of the sequence before, or the empty
    /// sequence has another weight than 1.
    Flow,
    /// A weight is not positive for small ε.
    NotMixed,
    /// The limit plays an action that is not a best reply.
    NotBest,
}

impl Fault {
    const fn reason(self) -> &'static str {
        match self {
            Self::Shape => "expected a polynomial for every sequence",
            Self::Flow => {
                "expected weights of actions that sum to that of the sequence before, and 1 for the empty sequence"
            }
            Self::NotMixed => "expected weights that are positive for small epsilon",
            Self::NotBest => "expected limits that play nothing but best replies",
        }
    }
}

/// A polynomial in ε: its coefficients in ascending order. Polynomials are compared for all small
/// ε > 0.
#[derive(Clone, Debug)]
struct Polynomial(Vec<BigRational>);

impl Polynomial {
    /// The order and number of the first coefficient that is not 0.
    fn leading(&self) -> Option<(usize, &BigRational)> {
        self.0.iter().enumerate().find(|(_, coefficient)| !coefficient.is_zero())
    }

    fn add(&mut self, factor: &BigRational, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), BigRational::zero());
        }
        for (coefficient, number) in self.0.iter_mut().zip(&other.0) {
            *coefficient += factor * number;
        }
    }

    fn minus(&self, other: &Self) -> Self {
        let mut difference = self.clone();
        difference.add(&-BigRational::one(), other);
        difference
    }

    fn compare(&self, other: &Self) -> Ordering {
        match self.minus(other).leading() {
            None => Ordering::Equal,
            Some((_, number)) if number.is_positive() => Ordering::Greater,
            Some(_) => Ordering::Less,
        }
    }

    fn at(&self, epsilon: &BigRational) -> BigRational {
        let mut sum = BigRational::zero();
        for coefficient in self.0.iter().rev() {
            sum = sum * epsilon + coefficient;
        }
        sum
    }
}

impl TestSequence {
    /// Checks that plans are a test sequence. Coefficients are by players, sequences and powers of
    /// ε. Returns it with the limits. Breaks if `check_cancel` does.
    pub(super) fn prove(
        tree: &GameTree,
        plans: ByPlayer<Vec<Vec<BigRational>>>,
        check_cancel: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Result<(Self, ByPlayer<BehaviourStrategy>), Fault>> {
        let plans = plans.map(|plan| plan.into_iter().map(Polynomial).collect::<Vec<_>>());
        for player in Player::BOTH {
            if let Err(fault) = check_plan(tree, player, &plans[player]) {
                return ControlFlow::Continue(Err(fault));
            }
        }
        let limits = ByPlayer::new(|player| limit(tree, player, &plans[player]));
        for player in Player::BOTH {
            let values = at_ends(tree, player, &plans[player.opponent()], check_cancel)?;
            if let Err(fault) = check_replies(tree, player, &limits[player], values) {
                return ControlFlow::Continue(Err(fault));
            }
        }
        // Shares of positive weights that sum to the whole are probabilities.
        let strategy = |player| {
            BehaviourStrategy::from_probabilities(tree, player, &limits[player])
                .map_err(|_| Fault::Flow)
        };
        let strategies =
            strategy(Player::A).and_then(|a| Ok(ByPlayer { a, b: strategy(Player::B)? }));
        ControlFlow::Continue(strategies.map(|limits| (Self { plans }, limits)))
    }

    /// The test sequence of these coefficients, by players, sequences and powers of ε, with its
    /// limits.
    pub(super) fn of(
        tree: &GameTree,
        coefficients: ByPlayer<Vec<Vec<BigRational>>>,
    ) -> Result<(Self, ByPlayer<BehaviourStrategy>), HiddenError> {
        let refused =
            |fault: Fault| HiddenError::TestSequence { reason: fault.reason().to_owned() };
        match Self::prove(tree, coefficients, &mut || ControlFlow::Continue(())) {
            ControlFlow::Continue(proved) => proved.map_err(refused),
            ControlFlow::Break(()) => {
                Err(HiddenError::TestSequence { reason: "the check was interrupted".to_owned() })
            }
        }
    }

    /// For each of a player's sequences, first the empty one, then those of the information sets'
    /// actions in their order: the coefficients of its weight, a polynomial in ε, in ascending
    /// order.
    pub fn coefficients(&self, player: Player) -> impl Iterator<Item = &[BigRational]> {
        self.plans[player].iter().map(|weight| &weight.0[..])
    }

    /// A player's fully mixed strategy for a size of the trembles.
    ///
    /// # Errors
    /// [`HiddenError::Strategy`] where ε is too large for the polynomials to be probabilities, or
    /// not positive; [`HiddenError::TestSequence`] if the tree is not that of the solution.
    pub fn strategy(
        &self,
        tree: &GameTree,
        player: Player,
        epsilon: &BigRational,
    ) -> Result<BehaviourStrategy, HiddenError> {
        if self.plans[player].len() != tree.sequence_count(player) {
            let reason = Fault::Shape.reason().to_owned();
            return Err(HiddenError::TestSequence { reason });
        }
        let plan: Vec<BigRational> =
            self.plans[player].iter().map(|weight| weight.at(epsilon)).collect();
        let mut probabilities = Vec::with_capacity(tree.information_sets(player).len());
        for set in tree.information_sets(player) {
            let weights = &plan[set.sequences()];
            if !epsilon.is_positive() || !weights.iter().all(Signed::is_positive) {
                let reason = "epsilon is too large, or not positive".to_owned();
                return Err(HiddenError::Strategy { player, set: set.name.clone(), reason });
            }
            let whole = &plan[set.parent as usize];
            probabilities.push(weights.iter().map(|weight| weight / whole).collect());
        }
        BehaviourStrategy::from_probabilities(tree, player, &probabilities)
    }
}

/// Checks that the weights are those of a fully mixed strategy for small ε.
fn check_plan(tree: &GameTree, player: Player, plan: &[Polynomial]) -> Result<(), Fault> {
    if plan.len() != tree.sequence_count(player) {
        return Err(Fault::Shape);
    }
    let one = Polynomial(vec![BigRational::one()]);
    if plan[0].compare(&one) != Ordering::Equal {
        return Err(Fault::Flow);
    }
    for set in tree.information_sets(player) {
        let mut missing = plan[set.parent as usize].clone();
        for weight in &plan[set.sequences()] {
            missing = missing.minus(weight);
        }
        if missing.leading().is_some() {
            return Err(Fault::Flow);
        }
    }
    let is_positive =
        |weight: &Polynomial| weight.leading().is_some_and(|(_, number)| number.is_positive());
    if plan.iter().all(is_positive) { Ok(()) } else { Err(Fault::NotMixed) }
}

/// The probabilities to which those of a fully mixed strategy go, by information sets.
fn limit(tree: &GameTree, player: Player, plan: &[Polynomial]) -> Vec<Vec<BigRational>> {
    let mut probabilities = Vec::with_capacity(tree.information_sets(player).len());
    for set in tree.information_sets(player) {
        let whole = plan[set.parent as usize].leading();
        let share = |weight: &Polynomial| match (weight.leading(), whole) {
            (Some((order, number)), Some((lowest, whole))) if order == lowest => number / whole,
            _ => BigRational::zero(),
        };
        probabilities.push(plan[set.sequences()].iter().map(share).collect());
    }
    probabilities
}

/// Checks that a strategy plays at every information set nothing but best replies to the opponent's
/// fully mixed strategy, if the player makes no mistake later. The values are the payoffs to A at
/// the ends of the player's sequences, as by [`at_ends`].
fn check_replies(
    tree: &GameTree,
    player: Player,
    strategy: &[Vec<BigRational>],
    mut values: Vec<Polynomial>,
) -> Result<(), Fault> {
    let preferred = match player {
        Player::A => Ordering::Greater,
        Player::B => Ordering::Less,
    };
    for (set, shares) in tree.information_sets(player).iter().zip(strategy).rev() {
        let mut best = set.first_sequence as usize;
        for sequence in set.sequences() {
            if values[sequence].compare(&values[best]) == preferred {
                best = sequence;
            }
        }
        // The payoff to A with the best continuation.
        let best = values[best].clone();
        for (sequence, share) in set.sequences().zip(shares) {
            if share.is_positive() && values[sequence].compare(&best) != Ordering::Equal {
                return Err(Fault::NotBest);
            }
        }
        values[set.parent as usize].add(&BigRational::one(), &best);
    }
    Ok(())
}

/// By a player's sequences: the payoffs to A at their ends, times the probabilities of chance and
/// of the opponent. Breaks if `check_cancel` does.
fn at_ends(
    tree: &GameTree,
    player: Player,
    opposing: &[Polynomial],
    check_cancel: &mut dyn FnMut() -> ControlFlow<()>,
) -> ControlFlow<(), Vec<Polynomial>> {
    let mut values = vec![Polynomial(Vec::new()); tree.sequence_count(player)];
    // A node with both players' last sequences and the probability of chance.
    let mut open = vec![(0, ByPlayer::new(|_| 0_usize), BigRational::one())];
    while let Some((node, sequences, chance)) = open.pop() {
        check_cancel()?;
        match tree.nodes[node as usize].kind {
            NodeKind::End { payoff } => {
                let payoff = &tree.payoffs[payoff as usize] * chance;
                values[sequences[player]].add(&payoff, &opposing[sequences[player.opponent()]]);
            }
            NodeKind::Chance { distribution } => {
                for (&after, share) in
                    tree.successors(node).iter().zip(&tree.distributions[distribution as usize])
                {
                    open.push((after, sequences, &chance * share));
                }
            }
            NodeKind::Decision { player: mover, set } => {
                let moves = tree.sets[mover][set as usize].sequences();
                for (&after, sequence) in tree.successors(node).iter().zip(moves) {
                    let mut next = sequences;
                    next[mover] = sequence;
                    open.push((after, next, chance.clone()));
                }
            }
        }
    }
    ControlFlow::Continue(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Coefficients = Vec<Vec<BigRational>>;

    fn polynomials(numbers: &[&[i64]]) -> Coefficients {
        let fractions = |numbers: &&[i64]| {
            numbers.iter().map(|&number| BigRational::from_integer(number.into())).collect()
        };
        numbers.iter().map(fractions).collect()
    }

    /// A takes 1, or lets B choose between 0 and 2 for A; then A may take one from that or leave
    /// it.
    fn tree() -> GameTree {
        let mut tree = GameTree::builder();
        tree.decision(Player::A, "first", &["take", "pass"]).unwrap();
        tree.end(1).unwrap();
        tree.decision(Player::B, "B", &["low", "high"]).unwrap();
        for (set, payoff) in [("low", 0), ("high", 2)] {
            tree.decision(Player::A, set, &["leave", "spoil"]).unwrap();
            tree.end(payoff).unwrap();
            tree.end(payoff - 1).unwrap();
        }
        tree.finish().unwrap()
    }

    /// The empty sequence, take, pass, then leave and spoil after low and after high.
    fn plan_a() -> Coefficients {
        polynomials(&[&[1], &[1, -1], &[0, 1], &[0, 1, -1], &[0, 0, 1], &[0, 1, -1], &[0, 0, 1]])
    }

    fn plan_b() -> Coefficients {
        polynomials(&[&[1], &[1, -1], &[0, 1]])
    }

    type Proved = Result<(TestSequence, ByPlayer<BehaviourStrategy>), Fault>;

    fn prove(a: Coefficients, b: Coefficients) -> Proved {
        let proved =
            TestSequence::prove(&tree(), ByPlayer { a, b }, &mut || ControlFlow::Continue(()));
        proved.continue_value().expect("nothing interrupts")
    }

    fn proved(a: Coefficients, b: Coefficients) -> Result<ByPlayer<BehaviourStrategy>, Fault> {
        prove(a, b).map(|(_, limits)| limits)
    }

    #[test]
    fn a_test_sequence_has_its_limits() {
        let tree = tree();
        let limits = proved(plan_a(), plan_b()).expect("a test sequence");
        for (name, first) in [("first", 1), ("low", 1), ("high", 1)] {
            let shares = limits.a.probabilities_at(&tree, tree.set(Player::A, name).unwrap());
            assert_eq!(shares[0], BigRational::from_integer(first.into()), "{name}");
        }
        assert!(limits.b.probabilities_at(&tree, 0)[0].is_one());
    }

    /// Each forgery breaks one rule alone. That of the last two is an equilibrium, whose strategies
    /// spoil what no optimal play reaches.
    #[test]
    fn forged_test_sequences_are_refused() {
        let mut short = plan_a();
        short.pop();
        assert_eq!(proved(short, plan_b()), Err(Fault::Shape));
        let mut heavy = plan_b();
        heavy[0] = polynomials(&[&[1, 1]]).remove(0);
        heavy[1] = polynomials(&[&[1]]).remove(0);
        assert_eq!(proved(plan_a(), heavy), Err(Fault::Flow));
        let lost = polynomials(&[&[1], &[1, -1], &[0, 2]]);
        assert_eq!(proved(plan_a(), lost), Err(Fault::Flow));
        let certain = polynomials(&[&[1], &[1], &[0]]);
        assert_eq!(proved(plan_a(), certain), Err(Fault::NotMixed));
        let negative = polynomials(&[&[1], &[1, 1], &[0, -1]]);
        assert_eq!(proved(plan_a(), negative), Err(Fault::NotMixed));
        let spoiling = polynomials(&[
            &[1],
            &[1, -1],
            &[0, 1],
            &[0, 1, -1],
            &[0, 0, 1],
            &[0, 0, 1],
            &[0, 1, -1],
        ]);
        assert_eq!(proved(spoiling, plan_b()), Err(Fault::NotBest));
        let generous = polynomials(&[&[1], &[0, 1], &[1, -1]]);
        assert_eq!(proved(plan_a(), generous), Err(Fault::NotBest));
    }

    /// A may take 1 at once, or go on, and then win 1 or spoil it.
    fn late_tree() -> GameTree {
        let mut tree = GameTree::builder();
        tree.decision(Player::A, "first", &["take", "go"]).unwrap();
        tree.end(1).unwrap();
        tree.decision(Player::A, "second", &["win", "spoil"]).unwrap();
        tree.end(1).unwrap();
        tree.end(0).unwrap();
        tree.finish().unwrap()
    }

    /// A player need not fear own mistakes that come later, which tells quasi-perfect strategies
    /// from perfect ones.
    #[test]
    fn own_later_mistakes_do_not_count() {
        let check_cancel = &mut || ControlFlow::Continue(());
        let b = polynomials(&[&[1]]);
        // The empty sequence, take, go, win, spoil.
        for (a, expected) in [
            (polynomials(&[&[1], &[0, 1], &[1, -1], &[1, -2], &[0, 1]]), Ok(0)),
            (polynomials(&[&[1], &[1, -1], &[0, 1], &[0, 1, -1], &[0, 0, 1]]), Ok(1)),
            (polynomials(&[&[1], &[1, -1], &[0, 1], &[0, 0, 1], &[0, 1, -1]]), Err(Fault::NotBest)),
        ] {
            let tree = late_tree();
            let proved = TestSequence::prove(&tree, ByPlayer { a, b: b.clone() }, check_cancel)
                .continue_value()
                .expect("no break");
            let taken = proved
                .map(|(_, limits)| i32::from(limits.a.probabilities_at(&tree, 0)[0].is_one()));
            assert_eq!(taken, expected);
        }
    }

    /// Whichever question is answered with a break, the check ends.
    #[test]
    fn a_check_can_be_interrupted() {
        let interrupted = |after: usize| {
            let mut questions = 0;
            let mut check_cancel = || {
                questions += 1;
                if questions > after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            TestSequence::prove(&tree(), ByPlayer { a: plan_a(), b: plan_b() }, &mut check_cancel)
                .is_break()
        };
        // One at each node, for each player.
        let questions = 2 * tree().len();
        assert!((0..questions).all(interrupted) && !interrupted(questions));
    }

    /// Strategies are fully mixed: an ε at which some weight is not positive is refused.
    #[test]
    fn only_small_trembles_are_fully_mixed() {
        let (test_sequence, _) = prove(plan_a(), plan_b()).expect("a test sequence");
        for (numerator, is_mixed) in
            [(-1, false), (0, false), (1, true), (3, true), (4, false), (5, false)]
        {
            let epsilon = BigRational::new(numerator.into(), 4.into());
            for player in Player::BOTH {
                assert_eq!(
                    test_sequence.strategy(&tree(), player, &epsilon).is_ok(),
                    is_mixed,
                    "{numerator} {player}"
                );
            }
        }
    }

    /// The first power decides, however large further coefficients are.
    #[test]
    fn polynomials_are_compared_for_small_numbers() {
        let [small, large] = [&[0, 1, 1_000_000][..], &[0, 2, -1_000_000]]
            .map(|numbers| Polynomial(polynomials(&[numbers]).remove(0)));
        assert_eq!(small.compare(&large), Ordering::Less);
        assert_eq!(large.compare(&small), Ordering::Greater);
        assert_eq!(small.compare(&small), Ordering::Equal);
    }
}
