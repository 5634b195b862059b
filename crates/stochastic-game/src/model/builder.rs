//! Builds explicit games and checks them.

use std::borrow::Cow;
use std::hash::{BuildHasher, Hash};

use hashbrown::{DefaultHashBuilder, HashMap, HashTable};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::{BigRational, Ratio};
use num_traits::{CheckedMul, One, Signed, ToPrimitive, Zero};

use super::checks::{PAYOFF_BITS, check_actions, check_kind, check_length, is_large, numbered};
use super::game::{
    BYTES_A_CELL, BYTES_A_STATE, BYTES_AN_OUTCOME, PackedCell, PackedNode, StochasticGame, Texts,
};
use super::kind::Kind;
use super::names::Names;
use super::nature::{Uncertainty, filled};
use super::number::{Exact, Parts};
use super::numbered::{DENOMINATOR_BITS, Outcome};
use crate::error::{DiscountFault, StochasticGameError, StochasticGameFault};
use crate::player::Player;
use crate::work::WorkError;

/// Collects the states of a [`StochasticGame`], in any order, and checks them.
#[derive(Debug)]
pub struct StochasticGameBuilder {
    pub(super) game: StochasticGame,
    /// The names that occurred, by number.
    mentions: Vec<Mention>,
    /// The names in the order in which they became states.
    order: Vec<u32>,
    hasher: DefaultHashBuilder,
    list_places: HashTable<u32>,
    number_places: HashMap<BigRational, u32>,
    payment_places: HashMap<(i128, u64), u32>,
    weights: Vec<u64>,
    /// The discount, where that fits.
    small_discount: Option<Ratio<u64>>,
    /// The first fault, which is returned from then on.
    refused: Option<StochasticGameError>,
    /// The line being read, or 0.
    pub(crate) line: u64,
    /// The player for whom nature chooses uncertain probabilities, if that is known.
    nature: Option<Player>,
    /// The bytes of all lists of actions and pictures.
    list_bytes: u64,
    /// The additional bytes of the largest state while it is read and solved.
    largest_state: u64,
}

/// The bytes of a distinct number, in both lists that hold it.
const BYTES_A_NUMBER: u64 = 200;

/// The bytes of an action besides its name, and of a cell, an action of A and one of B of the
/// largest state; measured with matrices of 300,000 cells: as one row, as one column, and square.
const BYTES_AN_ACTION: u64 = 64;
const BYTES_A_LARGE_CELL: u64 = 800;
const BYTES_A_LARGE_ROW: u64 = 600;
const BYTES_A_LARGE_COLUMN: u64 = 200;

/// The first occurrence of a name.
#[derive(Clone, Copy, Debug)]
struct Mention {
    line: u64,
    /// The state whose successor it was there.
    follows: Option<u32>,
    /// Whether the name has become a state.
    is_state: bool,
}

impl StochasticGame {
    /// Begins a game of a kind; `discount`, between 0 and 1, multiplies the value of every
    /// successor in a discounted game, and `None` belongs to the other kinds.
    ///
    /// # Errors
    /// [`StochasticGameFault::Discount`].
    pub fn builder(
        kind: Kind,
        discount: Option<BigRational>,
    ) -> Result<StochasticGameBuilder, StochasticGameError> {
        let discount = match (kind, discount) {
            (Kind::Discounted, Some(discount))
                if discount.is_positive() && discount < BigRational::one() =>
            {
                Ok(discount)
            }
            (Kind::Discounted, Some(discount)) => Err(DiscountFault::Range { discount }),
            (Kind::Discounted, None) => Err(DiscountFault::Missing),
            (_, Some(_)) => Err(DiscountFault::Needless),
            (_, None) => Ok(BigRational::one()),
        };
        let discount = discount.map_err(StochasticGameFault::Discount)?;
        let small = discount.numer().to_u64().zip(discount.denom().to_u64());
        let game = Self {
            kind,
            discount,
            names: Names::default(),
            starts: Vec::new(),
            nodes: Vec::new(),
            numbers: Vec::new(),
            lists: Vec::new(),
            cells: Vec::new(),
            outcomes: Vec::new(),
            payments: vec![(0, 1)],
            uncertainty: None,
            texts: Texts::default(),
        };
        Ok(StochasticGameBuilder {
            game,
            mentions: Vec::new(),
            order: Vec::new(),
            hasher: DefaultHashBuilder::default(),
            list_places: HashTable::new(),
            number_places: HashMap::new(),
            payment_places: HashMap::from_iter([((0, 1), 0)]),
            weights: Vec::new(),
            small_discount: small
                .map(|(numerator, denominator)| Ratio::new_raw(numerator, denominator)),
            refused: None,
            line: 0,
            nature: None,
            list_bytes: 0,
            largest_state: 0,
        })
    }
}

impl StochasticGameBuilder {
    /// Names as many states by their numbers, from `0` on, so that successors can be given by
    /// number ([`CellTable::follow_number`]), without a look at names. To be called first; the states
    /// are added by these names.
    ///
    /// # Errors
    /// [`StochasticGameFault::Size`].
    pub fn name_by_number(&mut self, states: usize) -> Result<(), StochasticGameError> {
        if self.game.names.len() > 0 {
            for state in 0..states {
                self.mention(&state.to_string(), None)?;
            }
            return Ok(());
        }
        if let Some(last) = states.checked_sub(1) {
            numbered(last, "states")?;
        }
        self.game.names = Names::of_numbers(states);
        self.mentions = vec![Mention { line: self.line, follows: None, is_state: false }; states];
        Ok(())
    }

    /// Adds an end, where A receives `value`.
    ///
    /// # Errors
    /// [`StochasticGameFault::DuplicateState`], [`StochasticGameFault::Payoff`].
    pub fn end(&mut self, name: &str, value: BigRational) -> Result<(), StochasticGameError> {
        let added = self.define(name).and_then(|()| {
            let number = self.number(value)?;
            self.game.nodes.push(PackedNode {
                first_cell: self.game.cells.len() as u32,
                number,
                actions: None,
            });
            Ok(())
        });
        self.noted(name, added.map_err(StochasticGameError::from))
    }

    /// Adds a state in which A and B have these actions; `cells` has a row for each of A's actions,
    /// with a cell for each of B's. Infinite plays through this state pay A `endless`, in recursive
    /// games only.
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
        cells: &CellTable<'_>,
    ) -> Result<(), StochasticGameError> {
        let [rows, columns] =
            actions.map(|actions| actions.iter().map(AsRef::as_ref).collect::<Vec<&str>>());
        let defined = self.define(name).map_err(StochasticGameError::from);
        let added = defined.and_then(|()| self.add_state([&rows, &columns], endless, cells));
        self.noted(name, added)
    }

    /// Says for whom nature chooses uncertain probabilities ([`CellTable::follow_between`]): with
    /// `Player::B` the values are what A can secure whatever nature does, with `Player::A` what B
    /// can. Has to be said before the first state with such a cell.
    pub fn nature(&mut self, player: Player) {
        self.nature = Some(player);
    }

    /// Keeps the picture of the state that was added last.
    #[cfg(feature = "files")]
    pub(super) fn picture(&mut self, picture: &str) {
        self.list_bytes += 2 * BYTES_AN_ACTION + picture.len() as u64;
        self.game.texts.pictures.insert(self.game.nodes.len() as u32 - 1, picture.into());
    }

    /// Makes a state a start. An unknown name is reported by [`finish`](Self::finish).
    pub fn start(&mut self, name: &str) -> Result<(), StochasticGameError> {
        let place = self.mention(name, None)?;
        if !self.game.starts.contains(&place) {
            self.game.starts.push(place);
        }
        Ok(())
    }

    /// Checks the game as a whole.
    ///
    /// # Errors
    /// The first fault that was found before; [`StochasticGameFault::UnknownState`],
    /// [`StochasticGameFault::NoStart`]; [`StochasticGameFault::Cycle`],
    /// [`StochasticGameFault::Endless`], [`StochasticGameFault::UnlikeEndless`],
    /// [`StochasticGameFault::Reward`], [`StochasticGameFault::Signs`] where the game contradicts
    /// its kind; [`StochasticGameFault::Infinite`], [`StochasticGameFault::Undecided`] where total
    /// rewards are not finite.
    pub fn finish(mut self) -> Result<StochasticGame, StochasticGameError> {
        if let Some(refused) = self.refused {
            return Err(refused);
        }
        if let Some(place) = self.mentions.iter().position(|mention| !mention.is_state) {
            let name = |place: usize| self.game.names.get(place).unwrap_or_default().to_owned();
            let Mention { line, follows, .. } = self.mentions[place];
            let error =
                StochasticGameError::from(StochasticGameFault::UnknownState { name: name(place) })
                    .in_line(line);
            return Err(if let Some(state) = follows {
                error.in_state(&name(state as usize))
            } else {
                error
            });
        }
        if self.game.starts.is_empty() {
            return Err(StochasticGameError::from(StochasticGameFault::NoStart).in_line(1));
        }
        self.pad_limits();
        self.renumber();
        self.game
            .cells
            .push(PackedCell { first_outcome: self.game.outcomes.len() as u32, payment: 0 });
        self.game.cells.shrink_to_fit();
        self.game.outcomes.shrink_to_fit();
        self.game.nodes.shrink_to_fit();
        check_kind(&self.game).map_err(|error| {
            let state = error.state().and_then(|name| self.game.names.find(name));
            error.in_line(
                state.map_or(0, |state| self.mentions[self.order[state as usize] as usize].line),
            )
        })?;
        Ok(self.game)
    }

    /// Rejects the game if [`memory`](Self::memory) exceeds a limit in bytes.
    ///
    /// # Errors
    /// [`WorkError::Memory`].
    pub fn check_memory(&self, limit: u64) -> Result<(), WorkError> {
        WorkError::check_memory(
            || format!("the first {} states of the game alone", self.order.len()),
            self.memory(),
            limit,
        )
    }

    /// An estimate of the bytes that the game takes so far when it is solved: 200 a state and twice
    /// its name, 80 a cell and 32 for each of its successors, 200 for each distinct number, 64 for
    /// each action of a distinct list and twice its name; and for the largest state, while it is
    /// read and solved, 800 a cell, 600 for each action of A and 200 for each of B.
    pub fn memory(&self) -> u64 {
        let StochasticGame { names, cells, outcomes, numbers, payments, .. } = &self.game;
        let counts = [names.len(), cells.len(), outcomes.len(), numbers.len() + payments.len()]
            .map(|count| count as u64);
        let bytes = [BYTES_A_STATE, BYTES_A_CELL, BYTES_AN_OUTCOME, BYTES_A_NUMBER];
        2 * names.bytes()
            + self.list_bytes
            + self.largest_state
            + counts.into_iter().zip(bytes).map(|(count, bytes)| count * bytes).sum::<u64>()
    }

    /// The bytes of this many states, cells and successors, without names and distinct numbers.
    #[cfg(feature = "files")]
    pub(crate) fn estimate(counts: [usize; 3]) -> u64 {
        counts
            .into_iter()
            .zip([BYTES_A_STATE, BYTES_A_CELL, BYTES_AN_OUTCOME])
            .map(|(count, bytes)| count as u64 * bytes)
            .sum()
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
        game.names = std::mem::take(&mut game.names).reordered(&self.order, &number);
    }

    /// Adds name and line to a fault, and records it.
    fn noted(
        &mut self,
        name: &str,
        added: Result<(), StochasticGameError>,
    ) -> Result<(), StochasticGameError> {
        added.map_err(|error| {
            let error = error.in_state(name).in_line(self.line);
            self.refused.get_or_insert_with(|| error.clone());
            error
        })
    }

    /// The number of a name that may be new.
    fn mention(&mut self, name: &str, follows: Option<u32>) -> Result<u32, StochasticGameFault> {
        if let Some(place) = self.game.names.find(name) {
            return Ok(place);
        }
        let place = numbered(self.game.names.len(), "states")?;
        self.game.names.add(name);
        self.mentions.push(Mention { line: self.line, follows, is_state: false });
        Ok(place)
    }

    /// The number of a successor of the state that was added last.
    fn mention_successor(&mut self, successor: &Successor<'_>) -> Result<u32, StochasticGameFault> {
        match *successor {
            Successor::Name(ref name) => self.mention(name, self.order.last().copied()),
            Successor::Number(number) if (number as usize) < self.mentions.len() => Ok(number),
            Successor::Number(number) => {
                Err(StochasticGameFault::UnknownState { name: number.to_string() })
            }
        }
    }

    fn define(&mut self, name: &str) -> Result<(), StochasticGameFault> {
        // Mostly names become states in the order in which they occurred.
        let next = self.order.len();
        let place = match self.game.names.get(next) {
            Some(expected) if expected == name => next as u32,
            _ => self.mention(name, None)?,
        };
        let line = self.line;
        let mention = &mut self.mentions[place as usize];
        if mention.is_state {
            return Err(StochasticGameFault::DuplicateState);
        }
        *mention = Mention { line, is_state: true, ..*mention };
        self.order.push(place);
        Ok(())
    }

    fn add_state(
        &mut self,
        actions: [&[&str]; 2],
        endless: BigRational,
        cells: &CellTable<'_>,
    ) -> Result<(), StochasticGameError> {
        let [rows, columns] = actions;
        let lists = [self.list(rows, 'A')?, self.list(columns, 'B')?];
        check_length(None, cells.rows.len(), rows.len(), 'A')?;
        let [a, b] = [rows, columns].map(|actions| actions.len() as u64);
        let bytes = a * b * BYTES_A_LARGE_CELL + a * BYTES_A_LARGE_ROW + b * BYTES_A_LARGE_COLUMN;
        self.largest_state = self.largest_state.max(bytes);
        let first_cell = self.game.cells.len() as u32;
        let (mut begin, mut first) = (0, 0);
        let mut uncertain = cells.uncertain.as_slice();
        for (&end, a) in cells.rows.iter().zip(rows) {
            let row = &cells.cells[begin..end];
            begin = end;
            check_length(Some(a), row.len(), columns.len(), 'B')?;
            for ((reward, end), b) in row.iter().zip(columns) {
                let in_cell = |fault| StochasticGameError::from(fault).in_cell(a, b);
                let count = uncertain.partition_point(|&(place, _)| place < *end);
                let (largest, rest) = uncertain.split_at(count);
                uncertain = rest;
                let to = &cells.to[first..*end];
                if largest.is_empty() {
                    self.add_cell(reward, to).map_err(in_cell)?;
                } else {
                    let mut most: Vec<Exact> =
                        to.iter().map(|(probability, _)| probability.clone()).collect();
                    for (place, probability) in largest {
                        most[place - first].clone_from(probability);
                    }
                    self.add_uncertain_cell(reward, to, &most).map_err(in_cell)?;
                }
                first = *end;
            }
        }
        let number = self.number(endless)?;
        self.game.nodes.push(PackedNode { first_cell, number, actions: Some(lists) });
        Ok(())
    }

    fn add_cell(
        &mut self,
        reward: &Exact,
        to: &[(Exact, Successor<'_>)],
    ) -> Result<(), StochasticGameFault> {
        let first_outcome = numbered(self.game.outcomes.len(), "successors")?;
        numbered(self.game.cells.len(), "cells")?;
        let mut weights = std::mem::take(&mut self.weights);
        weights.clear();
        let payment = match self.small_weights(reward, to, &mut weights) {
            Some(payment) => payment,
            None => self.weights(reward, to, &mut weights)?,
        };
        for (&weight, (_, successor)) in weights.iter().zip(to) {
            // Successors of probability 0 must exist, too.
            let state = self.mention_successor(successor)?;
            if weight > 0 {
                self.game.outcomes.push(Outcome { weight, state });
            }
        }
        self.weights = weights;
        let payment = place_of(payment, &mut self.payment_places, &mut self.game.payments);
        self.game.cells.push(PackedCell { first_outcome, payment });
        Ok(())
    }

    /// Adds a cell of which `most` has the largest probabilities, and `to` the least ones.
    fn add_uncertain_cell(
        &mut self,
        reward: &Exact,
        to: &[(Exact, Successor<'_>)],
        most: &[Exact],
    ) -> Result<(), StochasticGameFault> {
        let nature = self.nature.ok_or(StochasticGameFault::NoNature)?;
        let first_outcome = numbered(self.game.outcomes.len(), "successors")?;
        numbered(self.game.cells.len(), "cells")?;
        let probabilities: Vec<[BigRational; 2]> = to
            .iter()
            .zip(most)
            .map(|((least, _), most)| [least.to_rational(), most.to_rational()])
            .collect();
        let one = BigRational::one();
        let (mut least_sum, mut most_sum) = (BigRational::zero(), BigRational::zero());
        for [least, most] in &probabilities {
            let is_certain = least == most && !least.is_negative();
            if !is_certain && (!least.is_positive() || least > most || *most > one) {
                return Err(StochasticGameFault::Limits {
                    least: least.to_string(),
                    most: most.to_string(),
                });
            }
            least_sum += least;
            most_sum += most;
        }
        if least_sum > one || most_sum < one {
            return Err(StochasticGameFault::LimitSums {
                least: least_sum.to_string(),
                most: most_sum.to_string(),
            });
        }
        let mut numbers = vec![reward.to_rational(), self.game.discount.clone()];
        numbers.extend(
            probabilities.iter().flatten().map(|probability| probability * &self.game.discount),
        );
        if is_large(&numbers[0]) {
            return Err(StochasticGameFault::LargeReward { reward: numbers[0].to_string() });
        }
        let (parts, denominator) = common_parts(&numbers)?;
        let too_large =
            || StochasticGameFault::Denominator { bits: u64::BITS.into(), most: DENOMINATOR_BITS };
        let mut weights = Vec::with_capacity(parts.len() - 2);
        for part in &parts[2..] {
            weights.push(part.to_u64().ok_or_else(too_large)?);
        }
        let (mut outcomes, mut limits) = (Vec::new(), Vec::new());
        for (range, (_, successor)) in weights.chunks_exact(2).zip(to) {
            let state = self.mention_successor(successor)?;
            if range[1] > 0 {
                outcomes.push(Outcome { weight: range[0], state });
                limits.push([range[0], range[1]]);
            }
        }
        let order: Vec<usize> = (0..outcomes.len()).collect();
        let whole = parts[1].to_u64().ok_or_else(too_large)?;
        self.game.uncertainty.get_or_insert_with(|| Uncertainty { nature, limits: Vec::new() });
        self.pad_limits();
        self.game.outcomes.extend(filled(&outcomes, &limits, &order, whole));
        if let Some(known) = &mut self.game.uncertainty {
            known.limits.extend(limits);
        }
        let paid = parts[0].to_i128().ok_or_else(too_large)?;
        let payment =
            place_of((paid, denominator), &mut self.payment_places, &mut self.game.payments);
        self.game.cells.push(PackedCell { first_outcome, payment });
        Ok(())
    }

    /// Adds the limits of certain outcomes that have none yet, if the game has any.
    fn pad_limits(&mut self) {
        if let Some(Uncertainty { limits, .. }) = &mut self.game.uncertainty {
            let certain =
                self.game.outcomes[limits.len()..].iter().map(|outcome| [outcome.weight; 2]);
            limits.extend(certain);
        }
    }

    /// The weights, the reward times the denominator and the denominator of a cell whose numbers
    /// fit machine words; `None` otherwise, or for a malformed cell.
    fn small_weights(
        &self,
        reward: &Exact,
        to: &[(Exact, Successor<'_>)],
        weights: &mut Vec<u64>,
    ) -> Option<(i128, u64)> {
        let (&Parts::Small(reward, parts), discount) = (&reward.0, self.small_discount?) else {
            return None;
        };
        if reward.unsigned_abs() > 1 << PAYOFF_BITS {
            return None;
        }
        let common = |one: u64, other: u64| {
            if other == 1 { Some(one) } else { (one / one.gcd(&other)).checked_mul(other) }
        };
        // A discounted probability, in lowest terms.
        let share = |probability: &Exact| {
            let Parts::Small(numerator, parts) = probability.0 else { return None };
            let numerator =
                u64::try_from(numerator).ok().filter(|&numerator| numerator <= parts)?;
            let share = Ratio::new_raw(numerator, parts);
            if discount.is_one() { Some(share) } else { share.checked_mul(&discount) }
        };
        let mut denominator = common(parts, *discount.denom())?;
        for (probability, _) in to {
            denominator = common(denominator, *share(probability)?.denom())?;
        }
        if denominator >> DENOMINATOR_BITS > 0 {
            return None;
        }
        let mut sum = 0_u128;
        for (probability, _) in to {
            let share = share(probability)?;
            let weight = share.numer() * (denominator / share.denom());
            sum += u128::from(weight);
            weights.push(weight);
        }
        let is_one =
            sum == u128::from(denominator / discount.denom()) * u128::from(*discount.numer());
        is_one.then(|| (i128::from(reward) * i128::from(denominator / parts), denominator))
    }

    /// As `small_weights`, for any numbers.
    fn weights(
        &self,
        reward: &Exact,
        to: &[(Exact, Successor<'_>)],
        weights: &mut Vec<u64>,
    ) -> Result<(i128, u64), StochasticGameFault> {
        let reward = reward.to_rational();
        let probabilities: Vec<BigRational> =
            to.iter().map(|(probability, _)| probability.to_rational()).collect();
        if let Some(probability) =
            probabilities.iter().find(|probability| probability.is_negative())
        {
            return Err(StochasticGameFault::Negative { probability: probability.clone() });
        }
        let sum: BigRational = probabilities.iter().sum();
        if !sum.is_one() {
            return Err(StochasticGameFault::Sum { sum });
        }
        if is_large(&reward) {
            return Err(StochasticGameFault::LargeReward { reward: reward.to_string() });
        }
        // The discount multiplies every probability. The whole probability is a multiple of the
        // parts, too, so that the discounted rest is exact.
        let discounted: Vec<BigRational> =
            probabilities.iter().map(|probability| probability * &self.game.discount).collect();
        let denominators = discounted.iter().map(BigRational::denom);
        let common = denominators
            .fold(reward.denom().lcm(self.game.discount.denom()), |common, denominator| {
                common.lcm(denominator)
            });
        let too_large =
            || StochasticGameFault::Denominator { bits: common.bits(), most: DENOMINATOR_BITS };
        if common.bits() > DENOMINATOR_BITS {
            return Err(too_large());
        }
        let parts = |number: &BigRational| (number * &common).to_integer();
        weights.clear();
        for share in &discounted {
            weights.push(parts(share).to_u64().ok_or_else(too_large)?);
        }
        Ok((
            parts(&reward).to_i128().ok_or_else(too_large)?,
            common.to_u64().ok_or_else(too_large)?,
        ))
    }

    /// The list of a player's actions, checked where it is new.
    fn list(&mut self, actions: &[&str], player: char) -> Result<u32, StochasticGameFault> {
        let (hasher, lists) = (&self.hasher, &mut self.game.lists);
        let hash = hasher.hash_one(actions);
        let is_same = |&list: &u32| {
            lists[list as usize].iter().map(AsRef::as_ref).eq(actions.iter().copied())
        };
        if let Some(&place) = self.list_places.find(hash, is_same) {
            return Ok(place);
        }
        check_actions(actions, player)?;
        let list: Vec<Box<str>> = actions.iter().map(|&action| action.into()).collect();
        self.list_bytes +=
            list.iter().map(|name| BYTES_AN_ACTION + 2 * name.len() as u64).sum::<u64>();
        lists.push(list);
        let place = lists.len() as u32 - 1;
        self.list_places
            .insert_unique(hash, place, |&list| hasher.hash_one(lists[list as usize].as_slice()));
        Ok(place)
    }

    fn number(&mut self, number: BigRational) -> Result<u32, StochasticGameFault> {
        if is_large(&number) {
            return Err(StochasticGameFault::Payoff { payoff: number.to_string() });
        }
        Ok(place_of(number, &mut self.number_places, &mut self.game.numbers))
    }
}

/// Numbers times their least common denominator, and this denominator.
fn common_parts(numbers: &[BigRational]) -> Result<(Vec<BigInt>, u64), StochasticGameFault> {
    let common = numbers.iter().fold(BigInt::one(), |common, number| common.lcm(number.denom()));
    let too_large =
        || StochasticGameFault::Denominator { bits: common.bits(), most: DENOMINATOR_BITS };
    if common.bits() > DENOMINATOR_BITS {
        return Err(too_large());
    }
    let denominator = common.to_u64().ok_or_else(too_large)?;
    Ok((numbers.iter().map(|number| (number * &common).to_integer()).collect(), denominator))
}

/// The index of an item in a list of distinct items, to which it is added if it is new.
fn place_of<T: Clone + Eq + Hash>(item: T, places: &mut HashMap<T, u32>, list: &mut Vec<T>) -> u32 {
    *places.entry(item).or_insert_with_key(|item| {
        list.push(item.clone());
        list.len() as u32 - 1
    })
}

/// The cells of a state, row by row: for each pair of actions a reward, and the next state by
/// chance.
///
/// ```
/// use stochastic_game::{CellTable, Kind, StochasticGame, StochasticSolver};
/// # use num_rational::Ratio;
///
/// let (mut game, mut cells) = (StochasticGame::builder(Kind::Acyclic, None)?, CellTable::default());
/// for (share, end) in [(1, "lost"), (2, "won")] {
///     cells.follow(Ratio::new(share, 3), end);
/// }
/// cells.push(1);
/// cells.end_row();
/// game.state("start", [&["go"], &["wait"]], Ratio::from_integer(0.into()), &cells)?;
/// game.end("lost", Ratio::from_integer(0.into()))?;
/// game.end("won", Ratio::from_integer(3.into()))?;
/// game.start("start")?;
/// let solution = StochasticSolver::new(game.finish()?).solve()?;
/// assert_eq!(solution.value(&0)?, 3.0);
/// # Ok::<(), stochastic_game::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct CellTable<'n> {
    /// Where the cells of each row end.
    rows: Vec<usize>,
    /// Rewards, and where the successors of each cell end.
    cells: Vec<(Exact, usize)>,
    to: Vec<(Exact, Successor<'n>)>,
    /// The largest probabilities of uncertain successors, by their places in `to`, which has the
    /// least ones.
    uncertain: Vec<(usize, Exact)>,
}

/// A possible successor.
#[derive(Debug)]
enum Successor<'n> {
    Name(Cow<'n, str>),
    /// By its number among the names that occurred.
    Number(u32),
}

impl<'n> CellTable<'n> {
    /// Removes all cells and keeps the memory, for the next state.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.cells.clear();
        self.to.clear();
        self.uncertain.clear();
    }

    pub fn end_row(&mut self) {
        self.rows.push(self.cells.len());
    }

    /// Adds the cell to which the last successors belong, with its reward.
    pub fn push(&mut self, reward: impl Into<Exact>) {
        self.cells.push((reward.into(), self.to.len()));
    }

    /// Adds a possible successor to the cell that is pushed next. The probabilities of a cell sum
    /// to 1.
    pub fn follow(&mut self, probability: impl Into<Exact>, state: impl Into<Cow<'n, str>>) {
        self.to.push((probability.into(), Successor::Name(state.into())));
    }

    /// As [`follow`](Self::follow), of a state by its number, where
    /// [`name_by_number`](StochasticGameBuilder::name_by_number) has named the states.
    ///
    /// ```
    /// use stochastic_game::{CellTable, Kind, StochasticGame, StochasticSolver};
    /// # use num_rational::{BigRational, Ratio};
    ///
    /// let (mut game, mut cells) = (StochasticGame::builder(Kind::Acyclic, None)?, CellTable::default());
    /// game.name_by_number(3)?;
    /// cells.follow_number(Ratio::new(1, 4), 1);
    /// cells.follow_number(Ratio::new(3, 4), 2);
    /// cells.push(0);
    /// cells.end_row();
    /// let number = |value: i32| BigRational::from_integer(value.into());
    /// game.state("0", [&["go"], &["wait"]], number(0), &cells)?;
    /// game.end("2", number(0))?;
    /// game.end("1", number(1))?;
    /// game.start("0")?;
    /// // States keep the order in which they were added: the end `1` is the last.
    /// let game = game.finish()?;
    /// let turn = game.state(0)?.turn([0, 0])?;
    /// assert_eq!((game.place("1")?, turn.successors[0].state.number()), (2, 2));
    /// assert_eq!(StochasticSolver::new(game).solve()?.value(&0)?, 0.25);
    ///
    /// let (mut game, mut cells) = (StochasticGame::builder(Kind::Acyclic, None)?, CellTable::default());
    /// game.name_by_number(1)?;
    /// cells.follow_number(1, 1);
    /// cells.push(0);
    /// cells.end_row();
    /// assert!(game.state("0", [&["go"], &["wait"]], number(0), &cells).is_err());
    /// # Ok::<(), stochastic_game::Error>(())
    /// ```
    pub fn follow_number(&mut self, probability: impl Into<Exact>, state: u32) {
        self.to.push((probability.into(), Successor::Number(state)));
    }

    /// Adds a possible successor whose probability is uncertain: nature chooses it, from `least`,
    /// which is above 0, to `most`. [`StochasticGameBuilder::nature`] says for whom.
    ///
    /// ```
    /// use stochastic_game::Player;
    /// use stochastic_game::{CellTable, Kind, StochasticGame, StochasticSolver};
    /// # use num_rational::{BigRational, Ratio};
    ///
    /// let (mut game, mut cells) = (StochasticGame::builder(Kind::Acyclic, None)?, CellTable::default());
    /// game.nature(Player::B);
    /// cells.follow_between(Ratio::new(1, 2), Ratio::new(3, 4), "won");
    /// cells.follow_between(Ratio::new(1, 5), Ratio::new(1, 2), "lost");
    /// cells.push(0);
    /// cells.end_row();
    /// let number = |value: i32| BigRational::from_integer(value.into());
    /// game.state("start", [&["go"], &["wait"]], number(0), &cells)?;
    /// game.end("won", number(1))?;
    /// game.end("lost", number(0))?;
    /// game.start("start")?;
    /// // Whatever nature does, A wins with probability 1/2.
    /// assert_eq!(StochasticSolver::new(game.finish()?).solve()?.value(&0)?, 0.5);
    /// # Ok::<(), stochastic_game::Error>(())
    /// ```
    pub fn follow_between(
        &mut self,
        least: impl Into<Exact>,
        most: impl Into<Exact>,
        state: impl Into<Cow<'n, str>>,
    ) {
        self.uncertain.push((self.to.len(), most.into()));
        self.to.push((least.into(), Successor::Name(state.into())));
    }
}
