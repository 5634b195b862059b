//! Gambit's extensive forms.

use std::collections::{HashMap, HashSet};

use crate::model_checking::language::is_nearly_one;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::gambit::{Header, Malformed, Tokens};
use crate::error::{Error, ModelError, Quoted};
use crate::game::Player;
use crate::hidden::GameTree;
use crate::model_checking::Probabilities;
use crate::stochastic_game::{CellTable, Kind, StochasticGame};
use stochastic_game::internal::exact_number;
use stochastic_game::internal::sentence;
use stochastic_game::internal::{SIGNIFICANT, digits, nearest};

/// A game tree in Gambit's format `.efg` (its documentation, "The extensive game (.efg) file
/// format"), of two players with payoffs of a constant sum. A is the first player, and values are
/// its payoffs.
///
/// ```
/// use pencil_tennis::hidden::HiddenSolver;
/// use pencil_tennis::model_checking::Probabilities;
/// use pencil_tennis::report::ExtensiveForm;
///
/// // B has to guess a card that A alone has seen, and may ask for half the stakes.
/// let cards = br#"EFG 2 R "a card" { "A" "B" }
/// c "" 1 "" { "red" 1/2 "black" 1/2 } 0
/// p "" 1 1 "" { "bid" "fold" } 0
/// p "" 2 1 "" { "call" "fold" } 0
/// t "" 1 "" { 2 -2 }
/// t "" 2 "" { 1 -1 }
/// t "" 3 "" { -1 1 }
/// p "" 1 2 "" { "bid" "fold" } 0
/// p "" 2 1 0
/// t "" 4 "" { -2 2 }
/// t "" 2
/// t "" 3"#;
/// let file = ExtensiveForm::read("cards.efg", cards, Probabilities::Exact)?;
/// assert!(file.has_hidden_information());
/// let solution = HiddenSolver::new(file.game_tree()?).solve()?;
/// assert!((solution.value() - 1.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Debug)]
pub struct ExtensiveForm {
    file: String,
    tree: Tree,
    /// For every node whether its player moves at the same time as that of the predecessor, if that
    /// is all that is hidden.
    is_second: Result<Vec<bool>, Malformed>,
}

impl ExtensiveForm {
    /// Reads a file, whose name is for errors.
    ///
    /// Programs print probabilities as decimals, which may not sum to 1. [`Probabilities::Nearest`]
    /// reads each as the simplest fraction that rounds to it, and then divides those that still do
    /// not sum to 1 by their sum; [`Probabilities::Normalised`] divides the decimals themselves.
    ///
    /// # Errors
    /// [`ModelError::File`], with the line, for a malformed file, another number of players, or
    /// payoffs of no constant sum.
    pub fn read(file: &str, bytes: &[u8], probabilities: Probabilities) -> Result<Self, Error> {
        let tree = Self::read_tree(bytes, probabilities);
        let tree =
            tree.or_else(|Malformed { line, reason }| ModelError::in_file(file, line, reason))?;
        let is_second = tree.second_movers();
        Ok(Self { file: file.to_owned(), tree, is_second })
    }

    fn read_tree(bytes: &[u8], probabilities: Probabilities) -> Result<Tree, Malformed> {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Malformed::at(0, "it is no text in UTF-8; expected a file saved as UTF-8");
        };
        let tree = Tree::read(text.trim_start_matches('\u{feff}'), probabilities)?;
        tree.check_sums()?;
        Ok(tree)
    }

    /// What was changed in reading printed probabilities, in sentences.
    pub fn assumptions(&self) -> Vec<String> {
        let Reading { printed, guessed, normalised, .. } = self.tree.reading;
        let mut assumptions = Vec::new();
        if guessed > 0 {
            assumptions
                .push(format!("{guessed} of {printed} probabilities are read as the simplest fractions that round to them"));
        }
        if normalised > 0 {
            assumptions.push(format!("the probabilities of {normalised} information sets of chance are divided by their sum"));
        }
        assumptions
    }

    /// Whether more is hidden than simultaneous moves.
    pub fn has_hidden_information(&self) -> bool {
        self.is_second.is_err()
    }

    /// The game of simultaneous moves, of a tree that hides nothing else: an information set has
    /// one node, or exactly the successors of a node of the other player. States have the numbers
    /// of their nodes in the file as names, counted from 1.
    ///
    /// ```
    /// use pencil_tennis::model_checking::Probabilities;
    /// use pencil_tennis::report::ExtensiveForm;
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
    /// let file = ExtensiveForm::read("pennies.efg", pennies, Probabilities::Exact)?;
    /// let game = file.simultaneous_game()?;
    /// let start = game.place("1")?;
    /// assert_eq!(StochasticSolver::new(game).solve()?.value(&start)?, 0.5);
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ModelError::File`] if more is hidden; those of
    /// [`StochasticGameBuilder`](crate::stochastic_game::StochasticGameBuilder).
    pub fn simultaneous_game(&self) -> Result<StochasticGame, Error> {
        match &self.is_second {
            Ok(is_second) => self.tree.game(is_second),
            Err(Malformed { line, reason }) => {
                Ok(ModelError::in_file(&self.file, *line, reason.clone())?)
            }
        }
    }

    /// The game with its information sets, which may hide anything but a player's own past. A set
    /// has the name that the file gives it, or its number where these names are missing or not
    /// distinct.
    ///
    /// # Errors
    /// [`ModelError::File`], with the line of the node at which recall is not perfect, or where the
    /// tree is refused otherwise.
    pub fn game_tree(&self) -> Result<GameTree, Error> {
        self.tree.hidden_game().or_else(|Malformed { line, reason }| {
            Ok(ModelError::in_file(&self.file, line, reason)?)
        })
    }
}

/// How printed probabilities are read, and how many were changed.
#[derive(Clone, Copy, Debug)]
struct Reading {
    probabilities: Probabilities,
    printed: usize,
    guessed: usize,
    normalised: usize,
}

impl Reading {
    /// Reads a printed probability.
    fn probability(&mut self, line: u64, text: &str) -> Result<BigRational, Malformed> {
        let exact = number(line, text)?;
        self.printed += 1;
        if self.probabilities != Probabilities::Nearest || text.contains('/') || exact.is_negative()
        {
            return Ok(exact);
        }
        let read = nearest(&exact, digits(text).max(SIGNIFICANT));
        self.guessed += usize::from(read != exact);
        Ok(read)
    }

    /// Checks that probabilities sum to 1, or divides them by their sum if it is 1 but for
    /// rounding.
    fn check(&mut self, actions: &mut [Action], line: u64) -> Result<(), Malformed> {
        let sum: BigRational = actions.iter().map(|(_, probability)| probability).sum();
        let is_negative = actions.iter().any(|(_, probability)| probability.is_negative());
        if sum.is_one() && !is_negative {
            return Ok(());
        }
        let is_rounded = !is_negative && is_nearly_one(&sum);
        if is_rounded && self.probabilities != Probabilities::Exact {
            self.normalised += 1;
            for (_, probability) in actions.iter_mut() {
                *probability /= &sum;
            }
            return Ok(());
        }
        let hint = if is_rounded {
            "; --probabilities nearest reads them as the simplest fractions that round to them, --probabilities normalised divides them by their sum"
        } else {
            ""
        };
        Malformed::at(
            line,
            format!(
                "the probabilities are negative or sum to {}; expected 1{hint}",
                sentence(&sum)
            ),
        )
    }
}

/// The owner of a node and its information set; chance has number 0.
type Set = (u32, String);

#[derive(Debug)]
struct Node {
    line: u64,
    set: Option<Set>,
    /// The sums of both players' payoffs from the root on.
    paid: [BigRational; 2],
    successors: Vec<usize>,
}

/// An action with its probability, 0 for those of players.
type Action = (String, BigRational);

#[derive(Debug)]
struct Tree {
    title: String,
    /// In prefix order.
    nodes: Vec<Node>,
    actions: HashMap<Set, Described<Vec<Action>>>,
    /// The names that the file gives to information sets.
    names: HashMap<Set, String>,
    reading: Reading,
}

fn number(line: u64, text: &str) -> Result<BigRational, Malformed> {
    exact_number(text)
        .map(|number| number.to_rational())
        .or_else(|_| Malformed::at(line, format!("{} is no number", Quoted(text))))
}

/// A description, with the line where it stands first.
#[derive(Debug)]
struct Described<V> {
    line: u64,
    value: V,
}

/// The known description, or the first one; a later one must be equal.
fn described<K: std::hash::Hash + Eq, V: Clone + PartialEq>(
    known: &mut HashMap<K, Described<V>>,
    key: K,
    given: Option<V>,
    line: u64,
    what: &str,
) -> Result<V, Malformed> {
    match (known.get(&key), given) {
        (Some(known), Some(given)) if known.value != given => Malformed::at(
            line,
            format!("{what} is described in another way than in line {}", known.line),
        ),
        (Some(known), _) => Ok(known.value.clone()),
        (None, Some(value)) => {
            known.insert(key, Described { line, value: value.clone() });
            Ok(value)
        }
        (None, None) => {
            Malformed::at(line, format!("{what} is not described where it first appears"))
        }
    }
}

/// Who moves at the node that begins here, and its name, which is left out: 0 for chance, a player,
/// or nobody at an end.
fn owner(tokens: &mut Tokens, line: u64) -> Result<Option<u32>, Malformed> {
    let kind = tokens.take("", "c, p or t")?;
    tokens.take("\"", "the name of a node")?;
    match &*kind {
        "t" => Ok(None),
        "c" => Ok(Some(0)),
        "p" => match &*tokens.take("", "the number of a player")? {
            "1" => Ok(Some(1)),
            "2" => Ok(Some(2)),
            player => Malformed::at(
                line,
                format!("there is no player {}; expected 1 or 2", Quoted(player)),
            ),
        },
        _ => Malformed::at(line, format!("{} begins no node; expected c, p or t", Quoted(&kind))),
    }
}

impl Tree {
    fn read(text: &str, probabilities: Probabilities) -> Result<Self, Malformed> {
        let mut tokens = Tokens::new(text)?;
        let Header { title, players } = tokens.header("EFG", "2")?;
        if players != 2 {
            return Malformed::at(1, format!("it has {players} players; expected two"));
        }
        if tokens.next_is("\"") {
            tokens.take("\"", "a comment")?;
        }
        let reading = Reading { probabilities, printed: 0, guessed: 0, normalised: 0 };
        let mut tree = Self {
            title,
            nodes: Vec::new(),
            actions: HashMap::new(),
            names: HashMap::new(),
            reading,
        };
        let mut outcomes = HashMap::from([(
            "0".to_owned(),
            Described { line: 1, value: [BigRational::zero(), BigRational::zero()] },
        )]);
        // Nodes that wait for successors, the last one first.
        let mut open: Vec<(usize, usize)> = Vec::new();
        while let Some(line) = tokens.line() {
            let node = tree.nodes.len();
            let parent = open.last_mut();
            if node > 0 && parent.is_none() {
                return Malformed::at(
                    line,
                    format!("the tree is complete with {node} nodes before this line"),
                );
            }
            let mut paid = [BigRational::zero(), BigRational::zero()];
            if let Some((parent, missing)) = parent {
                *missing -= 1;
                paid.clone_from(&tree.nodes[*parent].paid);
                tree.nodes[*parent].successors.push(node);
            }
            while open.last().is_some_and(|&(_, missing)| missing == 0) {
                open.pop();
            }
            let owner = owner(&mut tokens, line)?;
            let set = owner
                .map(|owner| Ok((owner, tokens.take("", "the number of an information set")?)))
                .transpose()?;
            if let Some(set) = &set {
                let given = if tokens.next_is("\"") {
                    Some(tree.read_actions(&mut tokens, set, line)?)
                } else {
                    None
                };
                let actions = described(
                    &mut tree.actions,
                    set.clone(),
                    given,
                    line,
                    &format!("information set {}", sentence(&set.1)),
                )?;
                open.push((node, actions.len()));
            }
            let outcome = tokens.take("", "the number of an outcome")?;
            if tokens.next_is("\"") {
                tokens.take("\"", "the name of an outcome")?;
            }
            let given = if tokens.next_is("{") { Some(tokens.list("", "a payoff")?) } else { None };
            let given = given.map(|payoffs| match payoffs.as_slice() {
                [a, b] => Ok([number(line, a)?, number(line, b)?]),
                _ => Malformed::at(
                    line,
                    format!("an outcome has {} payoffs; expected 2", payoffs.len()),
                ),
            });
            let added = described(
                &mut outcomes,
                outcome.clone(),
                given.transpose()?,
                line,
                &format!("outcome {}", sentence(&outcome)),
            )?;
            paid.iter_mut().zip(added).for_each(|(paid, added)| *paid += added);
            tree.nodes.push(Node { line, set, paid, successors: Vec::new() });
        }
        match open.last() {
            Some((node, missing)) => Malformed::at(
                tree.nodes[*node].line,
                format!(
                    "{missing} actions of node {} have no successor; the file ends too early",
                    node + 1
                ),
            ),
            None if tree.nodes.is_empty() => Malformed::at(0, "it has no nodes"),
            None => Ok(tree),
        }
    }

    /// Reads the name of an information set and its actions.
    fn read_actions(
        &mut self,
        tokens: &mut Tokens,
        set: &Set,
        line: u64,
    ) -> Result<Vec<Action>, Malformed> {
        let of_chance = set.0 == 0;
        let name = tokens.take("\"", "the name of an information set")?;
        self.names.entry(set.clone()).or_insert(name);
        tokens.take("{", "an opening brace")?;
        let mut actions = Vec::new();
        while !tokens.next_is("}") {
            let name = tokens.take("\"", "the name of an action")?;
            let probability = if of_chance {
                self.reading.probability(line, &tokens.take("", "a probability")?)?
            } else {
                BigRational::zero()
            };
            actions.push((name, probability));
        }
        tokens.take("}", "a closing brace")?;
        if actions.is_empty() {
            return Malformed::at(line, "an information set has no actions");
        }
        if of_chance {
            self.reading.check(&mut actions, line)?;
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
        let mut ends = self
            .nodes
            .iter()
            .filter(|node| node.set.is_none())
            .map(|node| (node.line, &node.paid[0] + &node.paid[1]));
        let Some((first, sum)) = ends.next() else { return Ok(()) };
        match ends.find(|(_, other)| *other != sum) {
            Some((line, other)) => Malformed::at(
                line,
                format!(
                    "both players' payoffs sum to {}, and to {} in line {first}; expected a constant sum",
                    sentence(&other),
                    sentence(&sum)
                ),
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
            let (Some(set), Some(next)) = (&node.set, next) else { continue };
            if set.0 > 0
                && next.0 > 0
                && set.0 != next.0
                && members[set].len() == 1
                && members[next] == node.successors
            {
                node.successors
                    .iter()
                    .for_each(|&second| is_second[second] = members[next].len() > 1);
            }
        }
        for (first, node) in self.nodes.iter().enumerate().filter(|&(first, _)| !is_second[first]) {
            let Some(set) = node.set.as_ref().filter(|set| set.0 > 0) else { continue };
            if let [_, other, ..] = members[set][..] {
                let (player, set, line) = (set.0, sentence(&set.1), self.nodes[other].line);
                return Malformed::at(
                    node.line,
                    format!(
                        "player {player} cannot tell node {} from node {} of line {line} (information set {set}); expected perfect \
                         information but for simultaneous moves; `pencil-tennis solve` takes trees with hidden information",
                        first + 1,
                        other + 1,
                    ),
                );
            }
        }
        Ok(is_second)
    }

    /// The names of a player's information sets: those in the file if all are distinct, otherwise
    /// the numbers.
    fn set_names(&self, player: u32) -> HashMap<&Set, &str> {
        let named_sets = || self.names.iter().filter(|(set, _)| set.0 == player);
        let names: HashSet<&str> = named_sets().map(|(_, name)| name.as_str()).collect();
        let are_distinct = names.len() == named_sets().count() && !names.contains("");
        named_sets()
            .map(|(set, name)| (set, if are_distinct { name.as_str() } else { set.1.as_str() }))
            .collect()
    }

    fn hidden_game(&self) -> Result<GameTree, Malformed> {
        let names = [self.set_names(1), self.set_names(2)];
        let mut builder = GameTree::builder();
        for node in &self.nodes {
            let added = match &node.set {
                None => builder.end_exactly(node.paid[0].clone()),
                Some(set) if set.0 == 0 => {
                    let shares: Vec<BigRational> =
                        self.actions[set].value.iter().map(|(_, share)| share.clone()).collect();
                    builder.chance(&shares)
                }
                Some(set) => {
                    let player = if set.0 == 1 { Player::A } else { Player::B };
                    let actions: Vec<&str> =
                        self.actions[set].value.iter().map(|(name, _)| name.as_str()).collect();
                    builder.decision(player, names[player as usize][set], &actions)
                }
            };
            added.or_else(|error| Malformed::at(node.line, error.to_string()))?;
        }
        let tree = builder.finish().or_else(|error| Malformed::at(0, error.to_string()))?;
        Ok(tree.with_title(&self.title))
    }

    fn game(&self, is_second: &[bool]) -> Result<StochasticGame, Error> {
        let mut builder = StochasticGame::builder(Kind::Acyclic, None)?;
        let name = |node: usize| (node + 1).to_string();
        let named = |set: &Set| {
            self.actions[set].value.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>()
        };
        builder.start(&name(0))?;
        for (number, node) in
            self.nodes.iter().enumerate().filter(|&(number, _)| !is_second[number])
        {
            let state_name = name(number);
            let Some(set) = &node.set else {
                builder.end(&state_name, node.paid[0].clone())?;
                continue;
            };
            let second = self.nodes[node.successors[0]]
                .set
                .as_ref()
                .filter(|_| is_second[node.successors[0]]);
            let mut names = [Some(set).filter(|set| set.0 > 0), second]
                .map(|mover| mover.map_or_else(|| vec!["-"], named));
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
                            for ((_, share), &to) in
                                self.actions[set].value.iter().zip(&node.successors)
                            {
                                cells.follow(share, name(to));
                            }
                        }
                    }
                    cells.push(0);
                }
                cells.end_row();
            }
            let [a, b] = &names;
            builder.state(&state_name, [a, b], BigRational::zero(), &cells)?;
        }
        Ok(builder.finish()?)
    }
}
