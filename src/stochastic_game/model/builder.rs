//! Putting a game together, state by state, and checking it.

use std::collections::HashMap;

use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::checks::{check_actions, check_kind, check_length, is_large, numbered};
use super::game::{BYTES_A_CELL, BYTES_A_STATE, BYTES_AN_OUTCOME, PackedCell, PackedNode, StochasticGame};
use super::kind::Kind;
use super::numbered::{DENOMINATOR_BITS, Outcome};
use crate::error::{Quoted, StochasticGameError, StochasticGameFault};

/// What follows a pair of actions: a reward, and the next state by chance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// What A receives at once.
    pub reward: BigRational,
    /// The names of the states that may follow, with their probabilities, which sum to 1.
    pub to: Vec<(BigRational, String)>,
}

impl Cell {
    /// A certain successor.
    pub fn to(state: impl Into<String>) -> Self {
        Self::chance([(BigRational::one(), state)])
    }

    /// One of several successors, by chance.
    pub fn chance<S: Into<String>>(outcomes: impl IntoIterator<Item = (BigRational, S)>) -> Self {
        let to = outcomes.into_iter().map(|(probability, state)| (probability, state.into())).collect();
        Self { reward: BigRational::zero(), to }
    }

    /// The same with a reward.
    #[must_use]
    pub fn paying(self, reward: BigRational) -> Self {
        Self { reward, ..self }
    }
}

/// Collects the states of a [`StochasticGame`], in any order, and checks them.
#[derive(Debug)]
pub struct StochasticGameBuilder {
    game: StochasticGame,
    /// Whether each name that was met has become a state, and the line where it was met first.
    met: Vec<Met>,
    /// The names in the order in which they became states.
    order: Vec<u32>,
    list_places: HashMap<Vec<Box<str>>, u32>,
    number_places: HashMap<BigRational, u32>,
    reward_places: HashMap<i128, u32>,
    /// The first refusal, which stays one.
    refused: Option<StochasticGameError>,
    /// The line that is being read, or 0.
    pub(crate) line: u64,
    /// The bytes of all names.
    name_bytes: u64,
    /// The bytes of all lists of actions.
    list_bytes: u64,
    /// The bytes that the largest state takes besides, while it is read and solved.
    largest_state: u64,
}

/// What a number takes that is told from others, in both lists that it is in.
const BYTES_A_NUMBER: u64 = 200;

/// What an action takes besides its name, and a cell, an action of A and one of B of the largest state; measured with matrices of
/// 300,000 cells: as one row, as one column, and square.
const BYTES_AN_ACTION: u64 = 64;
const BYTES_A_LARGE_CELL: u64 = 800;
const BYTES_A_LARGE_ROW: u64 = 600;
const BYTES_A_LARGE_COLUMN: u64 = 200;

/// A name that was met.
#[derive(Clone, Copy, Debug)]
struct Met {
    line: u64,
    /// The state whose successor it was first.
    follows: Option<u32>,
    is_state: bool,
}

impl StochasticGame {
    /// Begins a game of a kind; of discounted ones see [`StochasticGameBuilder::discounted`].
    pub fn builder(kind: Kind) -> StochasticGameBuilder {
        StochasticGameBuilder::new(kind)
    }
}

impl StochasticGameBuilder {
    pub(crate) fn new(kind: Kind) -> Self {
        let game = StochasticGame {
            kind,
            discount: BigRational::one(),
            names: Vec::new(),
            places: HashMap::new(),
            starts: Vec::new(),
            nodes: Vec::new(),
            numbers: Vec::new(),
            lists: Vec::new(),
            cells: Vec::new(),
            outcomes: Vec::new(),
            rewards: vec![0],
        };
        Self {
            game,
            met: Vec::new(),
            order: Vec::new(),
            list_places: HashMap::new(),
            number_places: HashMap::new(),
            reward_places: HashMap::from([(0, 0)]),
            refused: None,
            line: 0,
            name_bytes: 0,
            list_bytes: 0,
            largest_state: 0,
        }
    }

    /// Begins a discounted game: of what follows a turn the share `discount` counts, between 0 and 1.
    ///
    /// # Errors
    /// [`StochasticGameFault::Discount`].
    pub fn discounted(discount: BigRational) -> Result<Self, StochasticGameError> {
        if !discount.is_positive() || discount >= BigRational::one() {
            let reason = format!("a discount of {discount} is out of range; expected a number between 0 and 1");
            return Err(StochasticGameFault::Discount { reason }.into());
        }
        let mut builder = Self::new(Kind::Discounted);
        builder.game.discount = discount;
        Ok(builder)
    }

    /// Adds an end, where A receives `value`.
    ///
    /// # Errors
    /// [`StochasticGameFault::DuplicateState`], [`StochasticGameFault::Payoff`].
    pub fn end(&mut self, name: &str, value: BigRational) -> Result<(), StochasticGameError> {
        let added = self.define(name).and_then(|()| {
            let number = self.number(value)?;
            self.game.nodes.push(PackedNode { first_cell: self.game.cells.len() as u32, number, actions: None });
            Ok(())
        });
        self.noted(name, added.map_err(StochasticGameError::from))
    }

    /// Adds a state in which A and B have these actions; `cells` has a row for each of A's actions, with a cell for each of B's.
    /// Play that goes on for ever through this state pays A `endless`, which counts in recursive games alone.
    ///
    /// Successors may be added later.
    ///
    /// # Errors
    /// A [`StochasticGameFault`] with the name of the state.
    pub fn state<S: AsRef<str>>(
        &mut self,
        name: &str,
        actions: [&[S]; 2],
        endless: BigRational,
        cells: &[Vec<Cell>],
    ) -> Result<(), StochasticGameError> {
        let defined = self.define(name).map_err(StochasticGameError::from);
        let added = defined.and_then(|()| self.add_state(actions, endless, cells));
        self.noted(name, added)
    }

    /// Makes a state a start.
    ///
    /// # Errors
    /// None now; an unknown name is found by [`finish`](Self::finish).
    pub fn start(&mut self, name: &str) -> Result<(), StochasticGameError> {
        let place = self.meet(name, None)?;
        if !self.game.starts.contains(&place) {
            self.game.starts.push(place);
        }
        Ok(())
    }

    /// Checks what can be seen from all states together.
    ///
    /// # Errors
    /// The first fault that was met before; [`StochasticGameFault::UnknownState`], [`StochasticGameFault::NoStart`];
    /// [`StochasticGameFault::Cycle`], [`StochasticGameFault::Endless`], [`StochasticGameFault::UnlikeEndless`] where the game is not
    /// what its kind says.
    pub fn finish(mut self) -> Result<StochasticGame, StochasticGameError> {
        if let Some(refused) = self.refused {
            return Err(refused);
        }
        let unknown = self.met.iter().position(|met| !met.is_state);
        if let Some(place) = unknown {
            let name = |place: usize| self.game.names[place].to_string();
            let Met { line, follows, .. } = self.met[place];
            let fault = StochasticGameFault::UnknownState { name: name(place) };
            let error = StochasticGameError::from(fault).in_line(line);
            return Err(follows.map_or(error.clone(), |state| error.in_state(&name(state as usize))));
        }
        if self.game.starts.is_empty() {
            return Err(StochasticGameError::from(StochasticGameFault::NoStart).in_line(1));
        }
        self.renumber();
        let end = PackedCell { first_outcome: self.game.outcomes.len() as u32, reward: 0, denominator: 1 };
        self.game.cells.push(end);
        let lines: Vec<u64> = self.order.iter().map(|&name| self.met[name as usize].line).collect();
        check_kind(&self.game)
            .map_err(|(state, fault)| StochasticGameError::from(fault).in_state(self.game.name(state)).in_line(lines[state]))?;
        Ok(self.game)
    }

    /// The states so far.
    #[cfg(feature = "report")]
    pub(crate) fn states(&self) -> usize {
        self.order.len()
    }

    /// The bytes that the game takes so far when it is solved, by an estimate: 200 a state and twice its name, 80 a cell and 32 for
    /// each state that may follow one, 200 for each number that differs from others, 64 for each action of a list that does and
    /// twice its name; and of the largest state, while it is read and solved, 800 a cell, 600 for each action of A and 200 for each of B.
    pub fn memory(&self) -> u64 {
        let StochasticGame { names, cells, outcomes, numbers, rewards, .. } = &self.game;
        let counts = [names.len(), cells.len(), outcomes.len(), numbers.len() + rewards.len()].map(|count| count as u64);
        let bytes = [BYTES_A_STATE, BYTES_A_CELL, BYTES_AN_OUTCOME, BYTES_A_NUMBER];
        // Names are in two lists.
        2 * self.name_bytes
            + self.list_bytes
            + self.largest_state
            + counts.into_iter().zip(bytes).map(|(count, bytes)| count * bytes).sum::<u64>()
    }

    /// Numbers states in the order in which they were added.
    fn renumber(&mut self) {
        let mut number = vec![0_u32; self.order.len()];
        for (new, &old) in self.order.iter().enumerate() {
            number[old as usize] = new as u32;
        }
        let game = &mut self.game;
        game.outcomes.iter_mut().for_each(|outcome| outcome.state = number[outcome.state as usize]);
        game.starts.iter_mut().for_each(|start| *start = number[*start as usize]);
        game.places.values_mut().for_each(|place| *place = number[*place as usize]);
        let mut names = std::mem::take(&mut game.names);
        game.names = self.order.iter().map(|&old| std::mem::take(&mut names[old as usize])).collect();
    }

    /// Puts name and line to a fault, and remembers it.
    fn noted(&mut self, name: &str, added: Result<(), StochasticGameError>) -> Result<(), StochasticGameError> {
        added.map_err(|error| {
            let error = error.in_state(name).in_line(self.line);
            self.refused.get_or_insert_with(|| error.clone());
            error
        })
    }

    /// The number of a name that may be new.
    fn meet(&mut self, name: &str, follows: Option<u32>) -> Result<u32, StochasticGameFault> {
        if let Some(&place) = self.game.places.get(name) {
            return Ok(place);
        }
        let place = numbered(self.game.names.len(), "states")?;
        self.name_bytes += name.len() as u64;
        self.game.names.push(name.into());
        self.game.places.insert(name.into(), place);
        self.met.push(Met { line: self.line, follows, is_state: false });
        Ok(place)
    }

    /// A name becomes a state.
    fn define(&mut self, name: &str) -> Result<(), StochasticGameFault> {
        let place = self.meet(name, None)?;
        let line = self.line;
        let met = &mut self.met[place as usize];
        if met.is_state {
            return Err(StochasticGameFault::DuplicateState);
        }
        *met = Met { line, is_state: true, ..*met };
        self.order.push(place);
        Ok(())
    }

    fn add_state<S: AsRef<str>>(
        &mut self,
        actions: [&[S]; 2],
        endless: BigRational,
        cells: &[Vec<Cell>],
    ) -> Result<(), StochasticGameError> {
        let [rows, columns] = actions;
        for (actions, player) in [(rows, 'A'), (columns, 'B')] {
            check_actions(actions, player)?;
        }
        check_length(cells.len(), "rows of cells", rows.len(), 'A')?;
        let [a, b] = actions.map(|actions| actions.len() as u64);
        let bytes = a * b * BYTES_A_LARGE_CELL + a * BYTES_A_LARGE_ROW + b * BYTES_A_LARGE_COLUMN;
        self.largest_state = self.largest_state.max(bytes);
        let first_cell = self.game.cells.len() as u32;
        for (row, a) in cells.iter().zip(rows) {
            let lines = || format!("cells in the row of {}", Quoted(a.as_ref()));
            check_length(row.len(), &lines(), columns.len(), 'B')?;
            for (cell, b) in row.iter().zip(columns) {
                let in_cell = |fault| StochasticGameError::from(fault).in_cell(a.as_ref(), b.as_ref());
                self.add_cell(cell).map_err(in_cell)?;
            }
        }
        let actions = [self.list(rows), self.list(columns)];
        let number = self.number(endless)?;
        self.game.nodes.push(PackedNode { first_cell, number, actions: Some(actions) });
        Ok(())
    }

    fn add_cell(&mut self, cell: &Cell) -> Result<(), StochasticGameFault> {
        let first_outcome = numbered(self.game.outcomes.len(), "successors")?;
        numbered(self.game.cells.len(), "cells")?;
        let mut sum = BigRational::zero();
        for (probability, _) in &cell.to {
            if probability.is_negative() {
                return Err(StochasticGameFault::Negative { probability: probability.clone() });
            }
            sum += probability;
        }
        if !sum.is_one() {
            return Err(StochasticGameFault::Sum { sum });
        }
        if self.game.kind == Kind::Recursive && !cell.reward.is_zero() {
            return Err(StochasticGameFault::Reward);
        }
        if is_large(&cell.reward) {
            return Err(StochasticGameFault::LargeReward { reward: cell.reward.to_string() });
        }
        // The discount is counted as part of every probability.
        let discounted: Vec<BigRational> = cell.to.iter().map(|(probability, _)| probability * &self.game.discount).collect();
        let common = discounted.iter().fold(cell.reward.denom().clone(), |common, share| common.lcm(share.denom()));
        // The whole probability is a number of parts, too, so that what is left to the discount is exact.
        let common = common.lcm(self.game.discount.denom());
        let too_large = || StochasticGameFault::Denominator { bits: common.bits(), most: DENOMINATOR_BITS };
        if common.bits() > DENOMINATOR_BITS {
            return Err(too_large());
        }
        let parts = |number: &BigRational| (number * &common).to_integer();
        let denominator = common.to_u64().ok_or_else(too_large)?;
        for (share, (_, name)) in discounted.iter().zip(&cell.to) {
            // What has the probability 0 must exist all the same.
            let state = self.meet(name, self.order.last().copied())?;
            let weight = parts(share).to_u64().ok_or_else(too_large)?;
            if weight > 0 {
                self.game.outcomes.push(Outcome { weight, state });
            }
        }
        let reward = parts(&cell.reward).to_i128().ok_or_else(too_large)?;
        let game = &mut self.game;
        let reward = *self.reward_places.entry(reward).or_insert_with(|| {
            game.rewards.push(reward);
            game.rewards.len() as u32 - 1
        });
        game.cells.push(PackedCell { first_outcome, reward, denominator });
        Ok(())
    }

    fn list<S: AsRef<str>>(&mut self, actions: &[S]) -> u32 {
        let list: Vec<Box<str>> = actions.iter().map(|action| action.as_ref().into()).collect();
        let (lists, bytes) = (&mut self.game.lists, &mut self.list_bytes);
        *self.list_places.entry(list).or_insert_with_key(|list| {
            *bytes += list.iter().map(|name| BYTES_AN_ACTION + 2 * name.len() as u64).sum::<u64>();
            lists.push(list.clone());
            lists.len() as u32 - 1
        })
    }

    fn number(&mut self, number: BigRational) -> Result<u32, StochasticGameFault> {
        if is_large(&number) {
            return Err(StochasticGameFault::Payoff { payoff: number.to_string() });
        }
        let numbers = &mut self.game.numbers;
        Ok(*self.number_places.entry(number).or_insert_with_key(|number| {
            numbers.push(number.clone());
            numbers.len() as u32 - 1
        }))
    }
}
