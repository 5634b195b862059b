//! Games with hidden information in the page: the tree, both strategies and the proved bounds of a
//! solution, in few letters.
//!
//! `web/page/hiddentree.js` reads this form.

use std::collections::HashMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use serde_json::{Value, json};

use crate::Player;
use crate::game::ByPlayer;
use crate::hidden::{GameTree, HiddenSolution, NodeKind, SetId};

/// Probabilities are rounded to multiples of the reciprocal, unless they are short fractions of an
/// exact solution.
const WHOLE: u32 = 10_000;

/// The most digits of the common denominator of short fractions.
const MOST_DIGITS: usize = 6;

/// The most nodes of a game whose strategies are given also where they do not lead themselves:
/// others would take too many letters.
const MOST_COMPLETE_NODES: usize = 5_000;

/// The solution as the page reads it.
pub(super) fn packed(solution: &HiddenSolution) -> Value {
    let tree = solution.tree();
    let mut walk = Walk {
        solution,
        lists: Vec::new(),
        sets: ByPlayer::default(),
        sets_after: HashMap::new(),
        nodes: String::new(),
    };
    walk.visit_all();
    let bounds = solution.enclosure();
    let is_complete = tree.len() <= MOST_COMPLETE_NODES;
    let player = |player| {
        let sets: &Vec<ListedSet> = &walk.sets[player];
        let weights = |set: &ListedSet| {
            if is_complete || set.is_played {
                walk.weights(player, set.number)
            } else {
                String::new()
            }
        };
        json!({
            "names": sets.iter().map(|set| &set.name).collect::<Vec<_>>(),
            "lists": sets.iter().map(|set| set.list).collect::<Vec<_>>(),
            "weights": sets.iter().map(weights).collect::<Vec<_>>().join(","),
        })
    };
    let distribution =
        |shares: &Vec<BigRational>| shares.iter().map(ToString::to_string).collect::<Vec<_>>();
    json!({
        "title": tree.title(),
        "value": bounds.middle(),
        "decimal": bounds.decimal(),
        "rounded": is_rounded(solution),
        "exact": solution.exact().map(ToString::to_string).filter(|exact| exact.len() <= 2 * MOST_DIGITS),
        "payoffs": tree.payoffs.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "chances": tree.distributions.iter().map(distribution).collect::<Vec<_>>(),
        "actions": walk.lists,
        "a": player(Player::A),
        "b": player(Player::B),
        "nodes": walk.nodes,
    })
}

/// An information set in the order of first nodes.
struct ListedSet {
    number: SetId,
    /// The end of the name, after `+`, where it begins with the name of the last set and the action
    /// there; otherwise all of it.
    name: String,
    /// The place of its actions in the list of lists.
    list: usize,
    /// Whether the player's own strategy leads here, but for what is rounded away.
    is_played: bool,
}

/// A node to visit, with the last sequence of each player, and whether the player's strategy plays
/// it.
struct Visit {
    node: u32,
    last: ByPlayer<u32>,
    is_played: ByPlayer<bool>,
}

struct Walk<'s> {
    solution: &'s HiddenSolution,
    /// The different lists of actions.
    lists: Vec<Vec<String>>,
    sets: ByPlayer<Vec<ListedSet>>,
    /// The sets that follow a sequence, in the order of first nodes.
    sets_after: HashMap<(Player, u32), Vec<SetId>>,
    /// For each node, in prefix order: `e` and the number of an end's payoff; `c` and the number of
    /// the distribution; `a` or `b` and which of the sets that follow the player's last sequence it
    /// is, new ones next.
    nodes: String,
}

impl Walk<'_> {
    fn visit_all(&mut self) {
        let root = Visit {
            node: 0,
            last: ByPlayer { a: 0, b: 0 },
            is_played: ByPlayer { a: true, b: true },
        };
        let mut open = vec![root];
        while let Some(visit) = open.pop() {
            let begin = open.len();
            self.visit(&visit, &mut open);
            // The first action's node comes next.
            open[begin..].reverse();
        }
    }

    fn visit(&mut self, visit: &Visit, open: &mut Vec<Visit>) {
        let tree = self.solution.tree();
        let Visit { node, last, is_played } = visit;
        match tree.nodes[*node as usize].kind {
            NodeKind::End { payoff } => self.note('e', payoff as usize),
            NodeKind::Chance { distribution } => {
                self.note('c', distribution as usize);
                open.extend(tree.successors(*node).iter().map(|&node| Visit {
                    node,
                    last: *last,
                    is_played: *is_played,
                }));
            }
            NodeKind::Decision { player, set } => {
                let set = set as usize;
                let choice = self.choice(visit, player, set);
                self.note(if player == Player::A { 'a' } else { 'b' }, choice);
                let shares = self.solution.behaviour(player).probabilities_at(tree, set);
                let sequences = tree.information_sets(player)[set].sequences();
                for ((&node, sequence), share) in
                    tree.successors(*node).iter().zip(sequences).zip(shares)
                {
                    let mut after = Visit { node, last: *last, is_played: *is_played };
                    after.last[player] = sequence as u32;
                    after.is_played[player] &= !rounded(&share).is_zero();
                    open.push(after);
                }
            }
        }
    }

    /// Writes a node.
    fn note(&mut self, kind: char, number: usize) {
        self.nodes.push(kind);
        self.nodes.push_str(&number.to_string());
    }

    /// Which of the sets that follow the player's last sequence this one is; notes a new one.
    fn choice(&mut self, visit: &Visit, player: Player, number: SetId) -> usize {
        let tree = self.solution.tree();
        let (last, is_played) = (visit.last[player], visit.is_played[player]);
        let sets_after = self.sets_after.entry((player, last)).or_default();
        if let Some(known) = sets_after.iter().position(|&set| set == number) {
            return known;
        }
        sets_after.push(number);
        let index = sets_after.len() - 1;
        let set = &tree.information_sets(player)[number];
        let list = self.lists.iter().position(|list| list == set.actions()).unwrap_or_else(|| {
            self.lists.push(set.actions().to_vec());
            self.lists.len() - 1
        });
        let before = name_of_sequence(tree, player, last);
        let name = match set.name().strip_prefix(&before) {
            Some(end) if !before.is_empty() => format!("+{end}"),
            _ => set.name().to_owned(),
        };
        self.sets[player].push(ListedSet { number, name, list, is_played });
        index
    }

    /// Integer weights of the actions at a set, with points between them, and nothing for 0.
    fn weights(&self, player: Player, set: SetId) -> String {
        let shares = self.solution.behaviour(player).probabilities_at(self.solution.tree(), set);
        let whole = common_denominator(&shares);
        let is_short = self.solution.exact().is_some() && is_short(&whole);
        let weight = |share: &BigRational| {
            if is_short { (share * &whole).to_integer() } else { rounded(share) }
        };
        let text =
            |weight: BigInt| if weight.is_zero() { String::new() } else { weight.to_string() };
        shares.iter().map(|share| text(weight(share))).collect::<Vec<_>>().join(".")
    }
}

/// Whether some probability is rounded.
fn is_rounded(solution: &HiddenSolution) -> bool {
    let tree = solution.tree();
    let is_long = |player, set| {
        !is_short(&common_denominator(&solution.behaviour(player).probabilities_at(tree, set)))
    };
    let has_long =
        |player| (0..tree.information_sets(player).len()).any(|set| is_long(player, set));
    solution.exact().is_none() || Player::BOTH.into_iter().any(has_long)
}

fn common_denominator(shares: &[BigRational]) -> BigInt {
    shares.iter().fold(BigInt::one(), |whole, share| whole.lcm(share.denom()))
}

fn is_short(whole: &BigInt) -> bool {
    whole.to_string().len() <= MOST_DIGITS
}

/// The name of the set at which a sequence ends, and its last action, as the names of later sets
/// begin; nothing for the empty one.
fn name_of_sequence(tree: &GameTree, player: Player, sequence: u32) -> String {
    let sets = tree.information_sets(player);
    let first_later = sets.partition_point(|set| set.first_sequence <= sequence);
    let Some(set) = first_later.checked_sub(1).map(|last| &sets[last]) else {
        return String::new();
    };
    let action = &set.actions()[(sequence - set.first_sequence) as usize];
    if set.name() == "(start)" { action.clone() } else { format!("{} {action}", set.name()) }
}

/// A probability in units of 1 / [`WHOLE`].
fn rounded(share: &BigRational) -> BigInt {
    let units = share * BigRational::from_integer(WHOLE.into());
    units.to_f64().map_or_else(BigInt::zero, |units| (units.round() as i64).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hidden::games::KuhnPoker;
    use crate::hidden::{HiddenRefinement, HiddenSolver};

    /// Kuhn poker by hand: six deals, each with two passes, a pass that is answered by a bet, or a
    /// bet; the payoffs in the order in which they first come; the strategies of a value of −1/18.
    #[test]
    fn kuhn_poker_in_few_letters() {
        let solver = HiddenSolver::from_rules(&KuhnPoker)
            .expect("a tree")
            .refinement(HiddenRefinement::QuasiPerfect);
        let packed = packed(&solver.solve().expect("solved"));
        let nodes = packed["nodes"].as_str().expect("letters");
        assert_eq!(nodes.split(['a', 'b', 'c', 'e']).count() - 1, 55, "all nodes");
        assert!(nodes.starts_with("c0a0b0e0a0e0e1b1e2e1a0b2e0a0e0e1b3e2e1"), "{nodes}");
        assert_eq!(packed["payoffs"], json!(["-1", "-2", "1", "2"]));
        assert_eq!(packed["actions"], json!([["pass", "bet"]]));
        assert_eq!(packed["a"]["names"], json!(["J", "+ bet", "Q", "+ bet", "K", "+ bet"]));
        assert_eq!(
            packed["b"]["names"],
            json!(["Q pass", "Q bet", "K pass", "K bet", "J pass", "J bet"])
        );
        assert_eq!(packed["b"]["weights"], "1.,2.1,.1,.1,2.1,1.");
        assert_eq!(packed["exact"], "-1/18");
    }

    /// What is rounded sums to a ten-thousandth per action of 1.
    #[test]
    fn probabilities_are_rounded() {
        let rounded_of = |numerator: i32, denominator: i32| {
            rounded(&BigRational::new(numerator.into(), denominator.into()))
        };
        assert_eq!(
            [(1, 3), (1, 20_001), (1, 19_999), (1, 1)].map(|(one, other)| rounded_of(one, other)),
            [3333, 0, 1, 10_000].map(BigInt::from)
        );
    }
}
