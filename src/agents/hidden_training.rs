//! A learner in a game with hidden information.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;

use super::catalogue::LearnerKind;
use super::learner::SweepLearner;
use super::local_learners::LocalLearners;
use super::local_rule::LocalRule;
use crate::error::{AgentError, Error, HiddenError};
use crate::game::{ByPlayer, Player};
use crate::hidden::{BehaviourStrategy, GameTree, NodeKind, SetId};
use crate::matrix_game::dot;

/// Counterfactual regret minimisation (Zinkevich, Johanson, Bowling and Piccione 2007): a no-regret
/// learner at every information set, whose payoffs are weighted by the probability that chance and
/// the opponent lead there.
///
/// The average strategies tend to optimal ones, with a sum of regrets that grows as the square root
/// of the lessons. `cfr-plus` is CFR+ (Tammelin 2014): regret matching plus, the players in turn,
/// later strategies count more.
///
/// ```
/// use pencil_tennis::ByPlayer;
/// use pencil_tennis::agents::{HiddenTraining, LearnerKind, SweepLearner};
/// use pencil_tennis::hidden::{GameTree, Judgement, games::KuhnPoker};
///
/// let tree = GameTree::from_rules(&KuhnPoker)?;
/// let mut training = HiddenTraining::new(LearnerKind::CfrPlus, &tree)?;
/// for _ in 0..1_000 {
///     training.sweep();
/// }
/// let ByPlayer { a, b } = training.strategies()?;
/// let judged = ByPlayer { a: Judgement::new(&tree, a)?, b: Judgement::new(&tree, b)? };
/// assert!(Judgement::exploitability(&judged).upper() < 1e-3);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct HiddenTraining<'t> {
    kind: LearnerKind,
    tree: &'t GameTree,
    /// The payoffs and the distributions of chance in the tree, as doubles.
    payoffs: Vec<f64>,
    distributions: Vec<Vec<f64>>,
    learners: ByPlayer<LocalLearners>,
    /// Both players' strategies, by information set.
    strategies: ByPlayer<Vec<Vec<f64>>>,
    /// The payoffs of the actions at a player's sets, weighted by the probability that the others
    /// lead there.
    action_values: ByPlayer<Vec<Vec<f64>>>,
    /// The probability that chance and the other player lead to a node, for each player.
    reached: ByPlayer<Vec<f64>>,
    /// The mean payoff to A from each node on.
    values: Vec<f64>,
    sweeps: u64,
}

impl<'t> HiddenTraining<'t> {
    /// A learner that has not learned yet.
    ///
    /// # Errors
    /// [`AgentError::LearnerUnfit`] for learners that know Tennis alone, and for `fictitious`,
    /// whose regrets need not vanish.
    pub fn new(kind: LearnerKind, tree: &'t GameTree) -> Result<Self, Error> {
        let rule = kind.local_rule().ok().filter(|&rule| rule != LocalRule::FictitiousPlay);
        let expected = "rm, rm-plus, cfr-plus or exponential";
        let rule = rule.ok_or(AgentError::LearnerUnfit { learner: kind.name(), expected })?;
        let double = |number: &BigRational| number.to_f64().unwrap_or_default();
        let payoffs: Vec<f64> = tree.payoffs.iter().map(double).collect();
        let [least, most] =
            payoffs.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], &payoff| {
                [payoff.min(least), payoff.max(most)]
            });
        let sets = |player| tree.information_sets(player).iter().map(|set| set.actions().len());
        let learners = |player| LocalLearners::new(rule, most - least, sets(player));
        let numbers = |player| sets(player).map(|count| vec![0.0; count]).collect::<Vec<_>>();
        let [a, b] = Player::BOTH;
        Ok(Self {
            kind,
            tree,
            payoffs,
            distributions: tree
                .distributions
                .iter()
                .map(|shares| shares.iter().map(double).collect())
                .collect(),
            learners: ByPlayer { a: learners(a), b: learners(b) },
            strategies: ByPlayer { a: numbers(a), b: numbers(b) },
            action_values: ByPlayer { a: numbers(a), b: numbers(b) },
            reached: ByPlayer { a: vec![1.0; tree.len()], b: vec![1.0; tree.len()] },
            values: vec![0.0; tree.len()],
            sweeps: 0,
        })
    }

    pub const fn tree(&self) -> &'t GameTree {
        self.tree
    }

    /// Takes a player's strategy from what was learned.
    fn choose(&mut self, player: Player) {
        let learners = &self.learners[player];
        for (set, strategy) in self.strategies[player].iter_mut().enumerate() {
            learners.strategy(set, strategy);
        }
    }

    /// Plays all plays at once: what is reached, what it is worth, and what the actions win.
    fn play_through(&mut self) {
        let Self { tree, strategies, reached, values, action_values, .. } = self;
        // A node comes before its successors.
        for node in 0..tree.len() {
            let [by_a, by_b] = [reached.a[node], reached.b[node]];
            for (index, &next) in tree.successors(node as u32).iter().enumerate() {
                // A player's own choices are no part of the probability that the others lead
                // somewhere.
                let [share_a, share_b] = match tree.nodes[node].kind {
                    NodeKind::End { .. } => [1.0; 2],
                    NodeKind::Chance { distribution } => {
                        [self.distributions[distribution as usize][index]; 2]
                    }
                    NodeKind::Decision { player: Player::A, set } => {
                        [1.0, strategies.a[set as usize][index]]
                    }
                    NodeKind::Decision { player: Player::B, set } => {
                        [strategies.b[set as usize][index], 1.0]
                    }
                };
                reached.a[next as usize] = by_a * share_a;
                reached.b[next as usize] = by_b * share_b;
            }
        }
        for numbers in action_values.a.iter_mut().chain(&mut action_values.b) {
            numbers.fill(0.0);
        }
        for node in (0..tree.len()).rev() {
            let next = tree.successors(node as u32);
            let successor_value = |index: usize| values[next[index] as usize];
            values[node] = match tree.nodes[node].kind {
                NodeKind::End { payoff } => self.payoffs[payoff as usize],
                NodeKind::Chance { distribution } => self.distributions[distribution as usize]
                    .iter()
                    .enumerate()
                    .map(|(outcome, share)| share * successor_value(outcome))
                    .sum(),
                NodeKind::Decision { player, set } => {
                    let weight = reached[player][node] * f64::from(player.direction());
                    for (action, action_value) in
                        action_values[player][set as usize].iter_mut().enumerate()
                    {
                        *action_value += weight * successor_value(action);
                    }
                    let strategy = &strategies[player][set as usize];
                    strategy
                        .iter()
                        .enumerate()
                        .map(|(action, share)| share * successor_value(action))
                        .sum()
                }
            };
        }
    }

    /// Learns from the payoffs of all actions.
    fn learn(&mut self, player: Player) {
        for (set, (action_values, strategy)) in
            self.action_values[player].iter().zip(&self.strategies[player]).enumerate()
        {
            self.learners[player].learn(set, action_values, dot(action_values, strategy));
        }
    }

    /// Adds a player's strategy to the average, at each set weighted by the probability that the
    /// player goes there.
    fn remember(&mut self, player: Player, weight: f64) {
        let mut plan = vec![1.0; self.tree.sequence_count(player)];
        for (set, strategy) in self.strategies[player].iter().enumerate() {
            let information_set = &self.tree.information_sets(player)[set];
            let whole = plan[information_set.parent()];
            for (sequence, share) in information_set.sequences().zip(strategy) {
                plan[sequence] = whole * share;
            }
            self.learners[player].add(set, strategy, weight * whole);
        }
    }

    /// The probabilities of the actions at a player's information set, as learned.
    ///
    /// # Errors
    /// [`HiddenError::UnknownSet`](crate::hidden::HiddenError::UnknownSet).
    pub fn shares(&self, player: Player, set: SetId) -> Result<Vec<f64>, HiddenError> {
        self.tree.information_set(player, set)?;
        Ok(self.learners[player].average(set))
    }

    /// The average strategies of both players.
    ///
    /// # Errors
    /// As [`BehaviourStrategy::from_rounded_probabilities`].
    pub fn strategies(&self) -> Result<ByPlayer<BehaviourStrategy>, Error> {
        let learned = |player| {
            let sets = 0..self.tree.information_sets(player).len();
            let exact = |share: f64| {
                BigRational::from_float(share).unwrap_or_else(|| BigRational::from(BigInt::ZERO))
            };
            let learners = &self.learners[player];
            let shares =
                sets.map(|set| learners.average(set).into_iter().map(exact).collect()).collect();
            BehaviourStrategy::from_rounded_probabilities(self.tree, player, shares)
        };
        Ok(ByPlayer { a: learned(Player::A)?, b: learned(Player::B)? })
    }
}

impl SweepLearner for HiddenTraining<'_> {
    fn kind(&self) -> LearnerKind {
        self.kind
    }

    fn guarantee(&self) -> &'static str {
        "the average strategies tend to optimal ones; the exploitability falls as 1/sqrt(sweeps)"
    }

    fn sweeps(&self) -> u64 {
        self.sweeps
    }

    /// One for every information set of either player.
    fn lessons(&self) -> usize {
        Player::BOTH.map(|player| self.tree.information_sets(player).len()).iter().sum()
    }

    fn sweep(&mut self) {
        let is_cfr_plus = self.kind == LearnerKind::CfrPlus;
        for player in Player::BOTH {
            self.choose(player);
        }
        self.play_through();
        self.learn(Player::A);
        if is_cfr_plus {
            self.choose(Player::A);
            self.play_through();
        }
        self.learn(Player::B);
        if is_cfr_plus {
            self.choose(Player::B);
        }
        let weight = if is_cfr_plus { (self.sweeps + 1) as f64 } else { 1.0 };
        for player in Player::BOTH {
            self.remember(player, weight);
            self.learners[player].end_lesson();
        }
        self.sweeps += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::HiddenTraining;
    use crate::agents::{LearnerKind, SweepLearner};
    use crate::hidden::games::{KuhnPoker, LiarsDice};
    use crate::hidden::{GameTree, Judgement};

    /// What both players secure encloses the known values, −1/18 of Kuhn poker and 1/9 of liar's
    /// dice with 3 sides. A hundred times as many sweeps bring the bounds at least half as much
    /// closer as the rate that is proved, the square root: 5 times.
    #[test]
    fn known_values_are_enclosed_ever_closer() {
        let kuhn = GameTree::from_rules(&KuhnPoker).expect("a tree");
        let dice = GameTree::from_rules(&LiarsDice::new(3)).expect("a tree");
        for (tree, value) in [(&kuhn, -1.0 / 18.0), (&dice, 1.0 / 9.0)] {
            for kind in [
                LearnerKind::RegretMatching,
                LearnerKind::RegretMatchingPlus,
                LearnerKind::CfrPlus,
                LearnerKind::ExponentialWeights,
            ] {
                let mut training = HiddenTraining::new(kind, tree).expect("a learner");
                let [before, after] = [100, 10_000].map(|sweeps| {
                    while training.sweeps() < sweeps {
                        training.sweep();
                    }
                    let judged = training
                        .strategies()
                        .expect("strategies")
                        .map(|strategy| Judgement::new(tree, strategy).expect("of this tree"));
                    let [lower, upper] = [judged.a.secured().lower(), judged.b.secured().upper()];
                    assert!(lower <= value && value <= upper, "{kind}: {lower} to {upper}");
                    upper - lower
                });
                assert!(after < before / 5.0, "{kind}: {before} to {after}");
            }
        }
    }

    #[test]
    fn fictitious_play_is_refused() {
        let tree = GameTree::from_rules(&KuhnPoker).expect("a tree");
        let error = HiddenTraining::new(LearnerKind::FictitiousPlay, &tree)
            .expect_err("its regrets stay")
            .to_string();
        assert!(error.contains("expected rm, rm-plus, cfr-plus or exponential"), "{error}");
    }
}
