//! Gambit's extensive forms.

use std::collections::HashMap;

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::gambit::{Malformed, Tokens};
use crate::error::{Error, ModelError, Quoted};
use crate::stochastic_game::{CellTable, Kind, StochasticGame, exact_number};

/// Reads a game tree in Gambit's format `.efg` (its documentation, "The extensive game (.efg) file format").
///
/// The tree must have two players, payoffs of a constant sum, and perfect information but for simultaneous moves: an information set
/// has one node, or exactly the successors of a node of the other player. States have the numbers of their nodes in the file as names,
/// counted from 1; A is the first player, and values are its payoffs. `file` names the file in errors.
///
/// ```
/// use pencil_tennis::report::read_extensive_form;
/// use pencil_tennis::stochastic_game::StochasticSolver;
///
/// let pennies = br#"EFG 2 R "matching pennies" { "A" "B" }
/// p "" 1 1 "" { "H" "T" } 0
/// p "" 2 1 "" { "h" "t" } 0
/// t "" 1 "" { 1 -1 }
/// t "" 2 "" { 0 0 }
/// p "" 2 1 0
/// t "" 2
/// t "" 1"#;
/// let game = read_extensive_form("pennies.efg", pennies)?;
/// let start = game.place("1")?;
/// assert_eq!(StochasticSolver::new(game).solve()?.value(&start)?, 0.5);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
///
/// # Errors
/// [`ModelError::File`], with the line, for a malformed file and for a game that does not fit; those of
/// [`StochasticGameBuilder`](crate::stochastic_game::StochasticGameBuilder).
pub fn read_extensive_form(file: &str, bytes: &[u8]) -> Result<StochasticGame, Error> {
    let read = || {
        let Ok(text) = std::str::from_utf8(bytes) else { return Malformed::at(0, "it is no UTF-8 text") };
        let tree = Tree::read(text.trim_start_matches('\u{feff}'))?;
        tree.check_sums()?;
        let is_second = tree.second_movers()?;
        Ok((tree, is_second))
    };
    let (tree, is_second) = read().or_else(|Malformed { line, reason }| ModelError::in_file(file, line, reason))?;
    tree.game(&is_second)
}

/// The owner of a node and its information set; chance has number 0.
type Set = (u32, String);

struct Node {
    line: u64,
    set: Option<Set>,
    /// The sums of both players' payoffs from the root on.
    paid: [BigRational; 2],
    successors: Vec<usize>,
}

/// An action with its probability, 0 for those of players.
type Action = (String, BigRational);

struct Tree {
    /// In prefix order.
    nodes: Vec<Node>,
    actions: HashMap<Set, Vec<Action>>,
}

fn number(line: u64, text: &str) -> Result<BigRational, Malformed> {
    exact_number(text)
        .map(|number| number.to_rational())
        .or_else(|_| Malformed::at(line, format!("{} is no number", Quoted(text))))
}

/// The known description, or the first one; a later one must be equal.
fn described<K: std::hash::Hash + Eq, V: Clone + PartialEq>(
    known: &mut HashMap<K, V>,
    key: K,
    given: Option<V>,
    line: u64,
    what: &str,
) -> Result<V, Malformed> {
    match (known.get(&key), given) {
        (Some(known), Some(given)) if *known != given => Malformed::at(line, format!("{what} is described in two ways")),
        (Some(known), _) => Ok(known.clone()),
        (None, Some(given)) => {
            known.insert(key, given.clone());
            Ok(given)
        }
        (None, None) => Malformed::at(line, format!("{what} is not described where it first appears")),
    }
}

impl Tree {
    fn read(text: &str) -> Result<Self, Malformed> {
        let mut tokens = Tokens::new(text)?;
        let players = tokens.header("EFG", "2")?;
        if players != 2 {
            return Malformed::at(1, format!("it has {players} players; expected two"));
        }
        if tokens.next_is("\"") {
            tokens.take("\"", "a comment")?;
        }
        let mut tree = Self { nodes: Vec::new(), actions: HashMap::new() };
        let mut outcomes = HashMap::from([("0".to_owned(), [BigRational::zero(), BigRational::zero()])]);
        // Nodes that wait for successors, the last one first.
        let mut open: Vec<(usize, usize)> = Vec::new();
        while let Some(line) = tokens.line() {
            let own = tree.nodes.len();
            let parent = open.last_mut();
            if own > 0 && parent.is_none() {
                return Malformed::at(line, format!("the tree is complete with {own} nodes before this line"));
            }
            let mut paid = [BigRational::zero(), BigRational::zero()];
            if let Some((parent, missing)) = parent {
                *missing -= 1;
                paid.clone_from(&tree.nodes[*parent].paid);
                tree.nodes[*parent].successors.push(own);
            }
            while open.last().is_some_and(|&(_, missing)| missing == 0) {
                open.pop();
            }
            let kind = tokens.take("", "c, p or t")?;
            tokens.take("\"", "the name of a node")?;
            let owner = match &*kind {
                "t" => None,
                "c" => Some(0),
                "p" => match &*tokens.take("", "the number of a player")? {
                    "1" => Some(1),
                    "2" => Some(2),
                    player => return Malformed::at(line, format!("there is no player {}; expected 1 or 2", Quoted(player))),
                },
                _ => return Malformed::at(line, format!("{} begins no node; expected c, p or t", Quoted(&kind))),
            };
            let set = owner.map(|owner| Ok((owner, tokens.take("", "the number of an information set")?))).transpose()?;
            if let Some(set) = &set {
                let given = if tokens.next_is("\"") { Some(Self::read_actions(&mut tokens, set.0 == 0, line)?) } else { None };
                let actions = described(&mut tree.actions, set.clone(), given, line, &format!("information set {}", set.1))?;
                open.push((own, actions.len()));
            }
            let outcome = tokens.take("", "the number of an outcome")?;
            if tokens.next_is("\"") {
                tokens.take("\"", "the name of an outcome")?;
            }
            let given = if tokens.next_is("{") { Some(tokens.list("", "a payoff")?) } else { None };
            let given = given.map(|payoffs| match payoffs.as_slice() {
                [a, b] => Ok([number(line, a)?, number(line, b)?]),
                _ => Malformed::at(line, format!("an outcome has {} payoffs; expected 2", payoffs.len())),
            });
            let added = described(&mut outcomes, outcome.clone(), given.transpose()?, line, &format!("outcome {outcome}"))?;
            paid.iter_mut().zip(added).for_each(|(paid, added)| *paid += added);
            tree.nodes.push(Node { line, set, paid, successors: Vec::new() });
        }
        match open.last() {
            Some((node, missing)) => Malformed::at(
                tree.nodes[*node].line,
                format!("{missing} actions of node {} have no successor; the file ends too early", node + 1),
            ),
            None if tree.nodes.is_empty() => Malformed::at(0, "it has no nodes"),
            None => Ok(tree),
        }
    }

    /// Reads the name of an information set and its actions.
    fn read_actions(tokens: &mut Tokens, of_chance: bool, line: u64) -> Result<Vec<Action>, Malformed> {
        tokens.take("\"", "the name of an information set")?;
        tokens.take("{", "an opening brace")?;
        let mut actions = Vec::new();
        while !tokens.next_is("}") {
            let name = tokens.take("\"", "the name of an action")?;
            let probability = if of_chance { number(line, &tokens.take("", "a probability")?)? } else { BigRational::zero() };
            actions.push((name, probability));
        }
        tokens.take("}", "a closing brace")?;
        let sum: BigRational = actions.iter().map(|(_, probability)| probability).sum();
        if actions.is_empty() {
            return Malformed::at(line, "an information set has no actions");
        }
        if of_chance && (!sum.is_one() || actions.iter().any(|(_, probability)| probability.is_negative())) {
            return Malformed::at(line, format!("the probabilities are negative or sum to {sum}; expected 1"));
        }
        // Without distinct names, actions have numbers.
        let mut names: Vec<&str> = actions.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        if names[0].is_empty() || names.windows(2).any(|pair| pair[0] == pair[1]) {
            actions.iter_mut().zip(1..).for_each(|((name, _), number)| *name = number.to_string());
        }
        Ok(actions)
    }

    fn check_sums(&self) -> Result<(), Malformed> {
        let mut ends = self.nodes.iter().filter(|node| node.set.is_none()).map(|node| (node.line, &node.paid[0] + &node.paid[1]));
        let Some((first, sum)) = ends.next() else { return Ok(()) };
        match ends.find(|(_, other)| *other != sum) {
            Some((line, other)) => Malformed::at(
                line,
                format!("both players' payoffs sum to {other}, and to {sum} in line {first}; expected a constant sum"),
            ),
            None => Ok(()),
        }
    }

    /// The nodes whose player moves at the same time as the player of the predecessor.
    fn second_movers(&self) -> Result<Vec<bool>, Malformed> {
        let mut members: HashMap<&Set, Vec<usize>> = HashMap::new();
        for (number, node) in self.nodes.iter().enumerate() {
            if let Some(set) = node.set.as_ref().filter(|set| set.0 > 0) {
                members.entry(set).or_default().push(number);
            }
        }
        let mut is_second = vec![false; self.nodes.len()];
        for node in &self.nodes {
            let next = node.successors.first().and_then(|&first| self.nodes[first].set.as_ref());
            let (Some(own), Some(next)) = (&node.set, next) else { continue };
            if own.0 > 0 && next.0 > 0 && own.0 != next.0 && members[own].len() == 1 && members[next] == node.successors {
                node.successors.iter().for_each(|&second| is_second[second] = members[next].len() > 1);
            }
        }
        for (first, node) in self.nodes.iter().enumerate().filter(|&(first, _)| !is_second[first]) {
            let Some(set) = node.set.as_ref().filter(|set| set.0 > 0) else { continue };
            if let [_, other, ..] = members[set][..] {
                let (player, set, line) = (set.0, &set.1, self.nodes[other].line);
                return Malformed::at(
                    node.line,
                    format!(
                        "player {player} cannot tell node {} from node {} of line {line} (information set {set}); expected perfect \
                         information but for simultaneous moves",
                        first + 1,
                        other + 1,
                    ),
                );
            }
        }
        Ok(is_second)
    }

    fn game(&self, is_second: &[bool]) -> Result<StochasticGame, Error> {
        let mut builder = StochasticGame::builder(Kind::Acyclic, None)?;
        let name = |node: usize| (node + 1).to_string();
        let named = |set: &Set| self.actions[set].iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>();
        builder.start(&name(0))?;
        for (number, node) in self.nodes.iter().enumerate().filter(|&(number, _)| !is_second[number]) {
            let own = name(number);
            let Some(set) = &node.set else {
                builder.end(&own, node.paid[0].clone())?;
                continue;
            };
            let second = self.nodes[node.successors[0]].set.as_ref().filter(|_| is_second[node.successors[0]]);
            let mut names = [Some(set).filter(|set| set.0 > 0), second].map(|mover| mover.map_or_else(|| vec!["-"], named));
            if set.0 == 2 {
                names.reverse();
            }
            let mut cells = CellTable::default();
            for row in 0..names[0].len() {
                for column in 0..names[1].len() {
                    let [first, other] = if set.0 == 2 { [column, row] } else { [row, column] };
                    let successor = node.successors[first];
                    match second {
                        Some(_) => cells.follow(1, name(self.nodes[successor].successors[other])),
                        None if set.0 > 0 => cells.follow(1, name(successor)),
                        None => {
                            for ((_, share), &to) in self.actions[set].iter().zip(&node.successors) {
                                cells.follow(share, name(to));
                            }
                        }
                    }
                    cells.push(0);
                }
                cells.end_row();
            }
            let [a, b] = &names;
            builder.state(&own, [a, b], BigRational::zero(), &cells)?;
        }
        Ok(builder.finish()?)
    }
}
