//! Certificates: the tree, both strategies, and the bounds that they prove, as JSON Lines.
//! `docs/hidden.md` has the format.

use std::io::{self, BufRead, Write};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Signed;
use serde_json::{Value, json};

use super::proof::Judgement;
use super::solution::HiddenSolution;
use super::strategy::BehaviourStrategy;
use super::tree::{GameTree, NodeKind};
use crate::bounds::Enclosure;
use crate::error::{HiddenError, HiddenFileFault};
use crate::game::{ByPlayer, Player};
use crate::matrix_game::exact::big_integer;
use stochastic_game::internal::exact_number;

const FORMAT: &str = "hidden-game-proof";
const VERSION: u64 = 1;

/// A certificate of a game with hidden information that was checked: its game and the bounds that
/// its strategies prove.
#[derive(Clone, Debug)]
pub struct HiddenProof {
    tree: GameTree,
    enclosure: Enclosure,
}

impl HiddenSolution {
    /// Writes a certificate, which [`HiddenProof::verify`] checks without trusting the solver.
    ///
    /// # Errors
    /// The errors of the writer.
    pub fn write_certificate(&self, out: &mut dyn Write) -> io::Result<()> {
        let [lower, upper] = self.enclosure().fractions().map(|bound| bound.to_string());
        writeln!(
            out,
            "{}",
            json!({ "format": FORMAT, "version": VERSION, "lower": lower, "upper": upper })
        )?;
        let tree = self.tree();
        tree.write(out)?;
        for player in Player::BOTH {
            for (number, set) in tree.information_sets(player).iter().enumerate() {
                let weights = self.behaviour(player).weights(tree, number).iter();
                let weights: Vec<String> =
                    weights.map(|weight| big_integer(weight).to_string()).collect();
                writeln!(out, "{}", json!(["weights", player.to_string(), set.name(), weights]))?;
            }
        }
        Ok(())
    }
}

impl GameTree {
    /// Writes the nodes as JSON Lines, as certificates have them, without the game's name.
    ///
    /// # Errors
    /// The errors of the writer.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        for (number, node) in self.nodes.iter().enumerate() {
            writeln!(out, "{}", node_line(self, number as u32, node.kind))?;
        }
        Ok(())
    }

    /// Reads the nodes that [`write`](Self::write) wrote.
    ///
    /// # Errors
    /// [`HiddenError::TreeFile`] with the line.
    pub fn read(reader: impl BufRead) -> Result<Self, HiddenError> {
        let mut lines = Lines { lines: reader.lines(), number: 0 };
        match lines.tree() {
            Ok((tree, None)) => Ok(tree),
            Ok((_, Some(_))) => Err(HiddenError::TreeFile {
                line: Some(lines.number),
                reason: HiddenFileFault::End,
            }),
            Err(HiddenError::Certificate { line, reason }) => {
                Err(HiddenError::TreeFile { line, reason })
            }
            Err(error) => Err(error),
        }
    }
}

fn node_line(tree: &GameTree, number: u32, kind: NodeKind) -> Value {
    match kind {
        NodeKind::End { payoff } => json!(["end", tree.payoffs[payoff as usize].to_string()]),
        NodeKind::Chance { distribution } => {
            let shares = tree.distributions[distribution as usize].iter();
            json!(["chance", shares.map(ToString::to_string).collect::<Vec<_>>()])
        }
        NodeKind::Decision { player, set } => {
            let set = &tree.sets[player][set as usize];
            if set.first_node == number {
                json!([player.to_string(), set.name(), set.actions()])
            } else {
                json!([player.to_string(), set.name()])
            }
        }
    }
}

impl HiddenProof {
    /// Checks a certificate: that the tree is complete and both players have perfect recall, that
    /// probabilities sum to 1, that there are weights for every information set, and that the
    /// strategies prove the bounds.
    ///
    /// # Errors
    /// [`HiddenError::Certificate`] with the line; of bounds that the strategies do not prove,
    /// without.
    pub fn verify(reader: impl BufRead) -> Result<Self, HiddenError> {
        let mut lines = Lines { lines: reader.lines(), number: 0 };
        let header = lines.next()?.ok_or_else(|| lines.refusal(HiddenFileFault::Empty))?;
        let claim = lines.claim(&header)?;
        let (tree, first) = lines.tree()?;
        let strategies = lines.strategies(&tree, first)?;
        let judgements = strategies.map(|strategy| Judgement::exactly(&tree, strategy));
        let [lower, upper] = claim;
        if lower > secured(&judgements.a) {
            return Err(refusal(HiddenFileFault::Lower { lower }));
        }
        if upper < secured(&judgements.b) {
            return Err(refusal(HiddenFileFault::Upper { upper }));
        }
        let enclosure = Judgement::value(&judgements);
        Ok(Self { tree, enclosure })
    }

    /// The game.
    pub fn tree(&self) -> &GameTree {
        &self.tree
    }

    /// The bounds of the value to A that the strategies in the certificate prove.
    pub fn enclosure(&self) -> Enclosure {
        self.enclosure
    }

    /// Whether this is the proof of a solution: of a tree of the same size, with the same bounds.
    #[doc(hidden)]
    pub fn agrees_with(&self, solution: &HiddenSolution) -> bool {
        self.tree.len() == solution.tree().len() && self.enclosure == solution.enclosure()
    }
}

/// The payoff to A that a strategy secures its player: exactly where it was computed so, whatever
/// the unit of the tree is, else rounded outward.
fn secured(judgement: &Judgement) -> BigRational {
    let [lower, upper] = judgement.secured().fractions();
    let rounded = if judgement.player() == Player::A { lower } else { upper };
    judgement.exact().cloned().unwrap_or(rounded)
}

/// The fault of a whole certificate.
fn refusal(fault: impl Into<HiddenFileFault>) -> HiddenError {
    HiddenError::Certificate { line: None, reason: fault.into() }
}

/// The lines of a certificate.
struct Lines<L> {
    lines: L,
    /// The number of the last line, counted from 1.
    number: usize,
}

impl<L: Iterator<Item = io::Result<String>>> Lines<L> {
    /// The fault of the last line.
    fn refusal(&self, fault: impl Into<HiddenFileFault>) -> HiddenError {
        HiddenError::Certificate { line: Some(self.number), reason: fault.into() }
    }

    fn wrong_type(&self, expected: &'static str) -> HiddenError {
        self.refusal(HiddenFileFault::Type { expected })
    }

    /// The next line; `None` at the end.
    fn next(&mut self) -> Result<Option<Value>, HiddenError> {
        self.number += 1;
        let Some(line) = self.lines.next() else { return Ok(None) };
        let line = line.map_err(|error| {
            self.refusal(HiddenFileFault::Unreadable { reason: error.to_string() })
        })?;
        let value = serde_json::from_str(&line);
        Ok(Some(
            value.map_err(|error| {
                self.refusal(HiddenFileFault::Json { reason: error.to_string() })
            })?,
        ))
    }

    fn fraction(&self, value: Option<&Value>) -> Result<BigRational, HiddenError> {
        let text =
            value.and_then(Value::as_str).ok_or_else(|| self.wrong_type("a fraction as text"))?;
        let number = exact_number(text).map_err(|fault| self.refusal(fault))?;
        Ok(number.to_rational())
    }

    fn text<'v>(&self, value: Option<&'v Value>) -> Result<&'v str, HiddenError> {
        value.and_then(Value::as_str).ok_or_else(|| self.wrong_type("a text"))
    }

    fn list<'v>(&self, value: Option<&'v Value>) -> Result<&'v [Value], HiddenError> {
        let list = value.and_then(Value::as_array).ok_or_else(|| self.wrong_type("a list"))?;
        Ok(list)
    }

    fn player(&self, text: &str) -> Result<Player, HiddenError> {
        text.parse().map_err(|_| self.wrong_type("end, chance, A or B"))
    }

    /// The bounds that the first line claims.
    fn claim(&self, header: &Value) -> Result<[BigRational; 2], HiddenError> {
        if header.get("format").and_then(Value::as_str) != Some(FORMAT) {
            return Err(self.refusal(HiddenFileFault::Format { expected: FORMAT }));
        }
        if header.get("version").and_then(Value::as_u64) != Some(VERSION) {
            return Err(self.refusal(HiddenFileFault::Version { known: VERSION }));
        }
        Ok([self.fraction(header.get("lower"))?, self.fraction(header.get("upper"))?])
    }

    /// The tree, and the first line after it.
    fn tree(&mut self) -> Result<(GameTree, Option<Value>), HiddenError> {
        let mut builder = GameTree::builder();
        loop {
            let line = self.next()?;
            let parts = line.as_ref().map_or(Ok(&[][..]), |line| self.list(Some(line)))?;
            let kind = parts.first().and_then(Value::as_str);
            let added = match kind {
                None | Some("weights") => {
                    let tree = builder.finish().map_err(|error| self.refusal(error))?;
                    return Ok((tree, line));
                }
                Some("end") => builder.end_exactly(self.fraction(parts.get(1))?),
                Some("chance") => {
                    let shares =
                        self.list(parts.get(1))?.iter().map(|share| self.fraction(Some(share)));
                    builder.chance(&shares.collect::<Result<Vec<_>, _>>()?)
                }
                Some(player) => {
                    let player = self.player(player)?;
                    let set = self.text(parts.get(1))?;
                    match parts.get(2) {
                        Some(actions) => {
                            let actions = self
                                .list(Some(actions))?
                                .iter()
                                .map(|action| self.text(Some(action)));
                            builder.decision(player, set, &actions.collect::<Result<Vec<_>, _>>()?)
                        }
                        None => builder.decision_again(player, set),
                    }
                }
            };
            added.map_err(|error| self.refusal(error))?;
        }
    }

    /// Both players' strategies: a line for each information set, A's first, by their numbers.
    fn strategies(
        &mut self,
        tree: &GameTree,
        first: Option<Value>,
    ) -> Result<ByPlayer<BehaviourStrategy>, HiddenError> {
        let mut line = first;
        let mut weights: ByPlayer<Vec<Vec<BigInt>>> = ByPlayer::new(|_| Vec::new());
        for player in Player::BOTH {
            for set in tree.information_sets(player) {
                let missing = || {
                    self.refusal(HiddenFileFault::Weights { player, set: set.name().to_owned() })
                };
                let current = line.ok_or_else(missing)?;
                let parts = self.list(Some(&current))?;
                let names =
                    [self.text(parts.first())?, self.text(parts.get(1))?, self.text(parts.get(2))?];
                if names != ["weights", &player.to_string(), set.name()] {
                    return Err(missing());
                }
                weights[player].push(self.weights(self.list(parts.get(3))?)?);
                line = self.next()?;
            }
        }
        if line.is_some() {
            return Err(self.refusal(HiddenFileFault::End));
        }
        let strategy = |player| BehaviourStrategy::from_weights(tree, player, &weights[player]);
        let read = |player| strategy(player).map_err(refusal);
        Ok(ByPlayer { a: read(Player::A)?, b: read(Player::B)? })
    }

    fn weights(&self, list: &[Value]) -> Result<Vec<BigInt>, HiddenError> {
        let mut weights = Vec::with_capacity(list.len());
        for value in list {
            let weight = self.fraction(Some(value))?;
            if !weight.is_integer() || weight.is_negative() {
                return Err(self.refusal(HiddenFileFault::Weight));
            }
            weights.push(weight.to_integer());
        }
        Ok(weights)
    }
}
