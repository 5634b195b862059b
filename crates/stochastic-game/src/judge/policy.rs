//! Stationary policies in integer weights.

use std::convert::Infallible;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use crate::error::{ActionsFault, Error, StochasticGameError, StochasticGameFault};
use crate::matrix_game::DyadicStrategy;
use crate::player::Player;

use crate::model::{NumberedGame, StochasticGame, drawn};
use crate::solution::StochasticSolution;
use crate::sweep::StateSolver;

/// The meaning of numbers from which a policy is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PolicyNumbers {
    /// Probabilities that sum to 1 at every state.
    Probabilities,
    Weights,
}

/// One player's way to play a [`StochasticGame`]: probabilities of the actions at every state, in
/// multiples of 2⁻⁶².
#[derive(Clone, Debug)]
pub struct StationaryPolicy {
    pub(super) player: Player,
    pub(super) weights: PolicyWeights,
    pub(super) is_rounded: bool,
}

/// The weights of a player's actions at all states, one state after the other; none at an end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PolicyWeights {
    entries: Vec<(u32, u64)>,
    /// Where the entries of each state end.
    ends: Vec<usize>,
}

impl PolicyWeights {
    /// Room for this many states.
    fn with_capacity(states: usize) -> Self {
        Self { entries: Vec::with_capacity(states), ends: Vec::with_capacity(states) }
    }

    /// Adds the weights of the next state.
    fn push(&mut self, weights: &[(u32, u64)]) {
        self.entries.extend_from_slice(weights);
        self.ends.push(self.entries.len());
    }

    /// The weights of a state, rising by action; none beyond the last state.
    pub(super) fn at(&self, state: usize) -> &[(u32, u64)] {
        let Some(&end) = self.ends.get(state) else { return &[] };
        let begin = state.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.entries[begin..end]
    }
}

/// The tolerance of the sum of probabilities, which are divided by their sum.
const SUM_TOLERANCE: f64 = 1e-6;

impl StationaryPolicy {
    /// A policy from the probabilities of actions by their numbers, for every state; states with a
    /// single action, and ends, may be left out.
    ///
    /// # Errors
    /// [`StochasticGameFault::Policy`] with the state, where actions are unknown or given twice,
    /// probabilities negative, or their sum misses 1 by more than 0.000001; and in a recursive game
    /// where one is above 0 but below 2⁻⁶³, since the values of leaving a cycle rarely and never
    /// may differ arbitrarily.
    pub fn new(
        game: &StochasticGame,
        player: Player,
        probabilities: &[Vec<(usize, BigRational)>],
    ) -> Result<Self, StochasticGameError> {
        let whole = BigRational::from_integer(DyadicStrategy::WHOLE.into());
        let (mut weights, mut is_rounded) = (PolicyWeights::with_capacity(game.len()), false);
        let none = Vec::new();
        for state in 0..game.len() {
            let given = probabilities.get(state).unwrap_or(&none);
            let support = strategy(game, state, player, given).map_err(|reason| {
                game.refuse(state, StochasticGameFault::Policy { player, reason })
            })?;
            is_rounded |= given.iter().any(|(action, probability)| {
                let kept = support
                    .iter()
                    .find(|(chosen, _)| *chosen as usize == *action)
                    .map_or(0, |&(_, weight)| weight);
                probability * &whole != BigRational::from_integer(kept.into())
            });
            weights.push(&support);
        }
        Ok(Self { player, weights, is_rounded })
    }

    /// A policy from a table of doubles, state by state `width` numbers for the actions in their
    /// order.
    ///
    /// The rows of ends and the numbers beyond a state's last action are ignored, as arrays are
    /// padded. [`PolicyNumbers`] says whether the numbers of a row are probabilities, for which
    /// this is [`new`](Self::new) without its fractions, or weights, which are divided by their
    /// sum.
    ///
    /// # Errors
    /// Those of [`new`](Self::new); [`StochasticGameFault::Policy`] for numbers that are not
    /// finite, for weights whose sum is 0, and with the first state that has no row.
    pub fn from_table(
        game: &StochasticGame,
        player: Player,
        table: &[f64],
        width: usize,
        numbers: PolicyNumbers,
    ) -> Result<Self, StochasticGameError> {
        let mut policy =
            Self { player, weights: PolicyWeights::with_capacity(game.len()), is_rounded: false };
        let mut row =
            TableRow { given: Vec::new(), fine: Vec::new(), dyadic: DyadicStrategy::default() };
        for state in 0..game.len() {
            let actions = game
                .actions(state)
                .map_or(0, |actions| actions[usize::from(player == Player::B)].len());
            let first = state.saturating_mul(width);
            let found = match table.get(first..first.saturating_add(width)) {
                Some(whole) => row.read(game, state, player, &whole[..actions.min(width)], numbers),
                None => Err(ActionsFault::NoRow { row: state, width }),
            };
            let is_rounded = found.map_err(|reason| {
                game.refuse(state, StochasticGameFault::Policy { player, reason })
            })?;
            policy.is_rounded |= is_rounded;
            policy.weights.push(row.dyadic.support());
        }
        Ok(policy)
    }

    /// Every action with the same probability.
    pub fn uniform(game: &StochasticGame, player: Player) -> Self {
        let Ok(policy) = Self::by_weights::<Infallible>(game, player, |_, _| Ok(()));
        policy
    }

    /// The strategies found. They have 62 bits, so they secure the proved bounds unless longer
    /// numbers prove these.
    ///
    /// # Errors
    /// None for a written game.
    pub fn optimal(solution: &StochasticSolution, player: Player) -> Result<Self, Error> {
        let (game, mut solver) = (solution.game(), StateSolver::default());
        let mut weights = PolicyWeights::with_capacity(game.len());
        for state in 0..game.len() {
            let pair = solution.proof.weights(game, state, &mut solver)?;
            weights.push(pair[usize::from(player == Player::B)]);
        }
        Ok(Self { player, weights, is_rounded: false })
    }

    /// Actions as people might choose them: one that loses c against the opponent's optimal
    /// strategy has a probability in proportion to exp(−`precision`·c) (`McKelvey` and Palfrey
    /// 1995).
    ///
    /// # Errors
    /// [`StochasticGameFault::Precision`] for a precision that is negative or not finite.
    pub fn quantal_response(
        solution: &StochasticSolution,
        player: Player,
        precision: f64,
    ) -> Result<Self, Error> {
        if !(precision.is_finite() && precision >= 0.0) {
            return Err(StochasticGameFault::Precision { precision: precision.to_string() }.into());
        }
        Self::by_weights(solution.game(), player, |state, row| {
            let losses = &solution.losses(state)?[usize::from(player == Player::B)];
            row.iter_mut()
                .zip(losses)
                .for_each(|(weight, loss)| *weight = (-precision * loss).exp());
            Ok::<_, StochasticGameError>(())
        })
        .map_err(Error::from)
    }

    /// A policy with these weights of all actions at every state but the ends.
    fn by_weights<E>(
        game: &StochasticGame,
        player: Player,
        mut weigh: impl FnMut(usize, &mut Vec<f64>) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut weights = PolicyWeights::with_capacity(game.len());
        for state in 0..game.len() {
            let mut row = vec![
                1.0;
                game.actions(state)
                    .map_or(0, |actions| actions[usize::from(player == Player::B)]
                        .len())
            ];
            let mut dyadic = DyadicStrategy::default();
            if !row.is_empty() {
                weigh(state, &mut row)?;
                let sum: f64 = row.iter().sum();
                dyadic.approximate(
                    &row.iter().map(|weight| weight / sum).enumerate().collect::<Vec<_>>(),
                );
            }
            weights.push(dyadic.support());
        }
        Ok(Self { player, weights, is_rounded: false })
    }

    /// Checks that the policy has actions of the game at every state but the ends.
    ///
    /// # Errors
    /// [`StochasticGameFault::Policy`] with the state, for a policy of another game.
    pub(super) fn check(&self, game: &StochasticGame) -> Result<(), StochasticGameError> {
        for state in 0..game.len() {
            let count = game.sizes(state)[self.player as usize];
            let last = self.weights.at(state).last().map(|&(action, _)| action as usize);
            let reason = match last {
                None if count > 0 => ActionsFault::Nothing,
                Some(_) if count == 0 => ActionsFault::End,
                Some(action) if action >= count => {
                    ActionsFault::Unknown { action, last: count - 1 }
                }
                _ => continue,
            };
            let player = self.player;
            return Err(game.refuse(state, StochasticGameFault::Policy { player, reason }));
        }
        Ok(())
    }

    /// The number of the action that 64 random bits draw at a state; `None` at an end.
    pub fn draw(&self, state: usize, bits: u64) -> Option<usize> {
        let support = Some(self.weights.at(state)).filter(|support| !support.is_empty())?;
        Some(drawn(support.iter().copied(), DyadicStrategy::WHOLE, bits) as usize)
    }

    pub const fn player(&self) -> Player {
        self.player
    }

    /// Whether given probabilities are no multiples of 2⁻⁶²: the nearest multiples are judged.
    pub const fn is_rounded(&self) -> bool {
        self.is_rounded
    }
}

/// Doubles from 2⁻⁶³ to 2 are multiples of 2⁻¹¹⁶.
const FINE_BITS: i32 = 116;

/// The smallest double that is taken without fractions.
const SMALLEST: f64 = 1.0 / (1_u64 << 63) as f64;

/// A row of a table on its way to a strategy.
struct TableRow {
    given: Vec<f64>,
    /// The numbers in units of 2⁻¹¹⁶.
    fine: Vec<u128>,
    dyadic: DyadicStrategy,
}

impl TableRow {
    /// Makes the strategy of a state, and returns whether numbers were rounded or divided by their
    /// sum.
    fn read(
        &mut self,
        game: &StochasticGame,
        state: usize,
        player: Player,
        row: &[f64],
        numbers: PolicyNumbers,
    ) -> Result<bool, ActionsFault> {
        let Some(actions) = game.actions(state) else {
            self.dyadic = DyadicStrategy::default();
            return Ok(false);
        };
        let names = actions[usize::from(player == Player::B)];
        if let Some(action) = row.iter().position(|number| !(number.is_finite() && *number >= 0.0))
        {
            let (probability, name) = (row[action].to_string(), names[action].to_string());
            return Err(if row[action].is_finite() {
                ActionsFault::Negative { probability, action: name }
            } else {
                ActionsFault::NotFinite { probability, action: name }
            });
        }
        let sum: f64 = row.iter().sum();
        if sum == 0.0 {
            if names.len() == 1 {
                self.dyadic.set_pure(0);
                return Ok(false);
            }
            return Err(ActionsFault::Nothing);
        }

        self.given.clear();
        match numbers {
            PolicyNumbers::Probabilities => self.given.extend_from_slice(row),
            // Beyond the largest double, no share is told from another.
            PolicyNumbers::Weights if sum.is_finite() => {
                self.given.extend(row.iter().map(|weight| weight / sum));
            }
            PolicyNumbers::Weights => return Err(ActionsFault::TooLarge),
        }
        let taken: f64 = self.given.iter().sum();
        if (taken - 1.0).abs() > 2.0 * SUM_TOLERANCE {
            return Err(ActionsFault::Sum { sum: taken.to_string() });
        }
        if self.given.iter().all(|&number| number == 0.0 || number >= SMALLEST) {
            self.divide();
        } else {
            self.divide_fractions(game, state, player)?;
        }
        self.check_sum(taken)?;
        Ok(self.is_rounded(row))
    }

    /// The exact sum, not the rounded one, is within the tolerance: the border is that of
    /// fractions.
    fn check_sum(&self, taken: f64) -> Result<(), ActionsFault> {
        let one = 1_u128 << FINE_BITS;
        let sum: u128 = self.fine.iter().sum();
        let missed = sum.abs_diff(one) as f64 / one as f64;
        if !self.fine.is_empty() && missed > SUM_TOLERANCE {
            return Err(ActionsFault::Sum { sum: taken.to_string() });
        }
        Ok(())
    }

    /// Divides by the sum in integers, without an error.
    fn divide(&mut self) {
        self.fine.clear();
        for &number in &self.given {
            self.fine.push(fine(number));
        }
        let sum: u128 = self.fine.iter().sum();
        let weights = self.fine.iter().map(|&fine| rounded_share(fine, sum));
        self.dyadic.assign(weights.enumerate().map(|(action, weight)| (action as u32, weight)));
    }

    /// Divides the numbers by their sum in fractions, for numbers that are smaller.
    fn divide_fractions(
        &mut self,
        game: &StochasticGame,
        state: usize,
        player: Player,
    ) -> Result<(), ActionsFault> {
        self.fine.clear();
        let mut given = Vec::new();
        for (action, &number) in self.given.iter().enumerate().filter(|(_, number)| **number > 0.0)
        {
            let infinite = || {
                let action = game.actions(state).map_or_else(String::new, |names| {
                    names[usize::from(player == Player::B)][action].to_string()
                });
                ActionsFault::NotFinite { probability: number.to_string(), action }
            };
            let exact = BigRational::from_float(number).ok_or_else(infinite)?;
            given.push((action, exact));
        }
        let weights = strategy(game, state, player, &given)?;
        self.dyadic.assign(weights.into_iter().map(|(action, weight)| (action, weight as i64)));
        Ok(())
    }

    /// Whether a number is not exactly the weight that stands for it.
    fn is_rounded(&self, row: &[f64]) -> bool {
        let mut kept = 0;
        for &(action, weight) in self.dyadic.support() {
            let double = weight as f64;
            if double as u64 != weight
                || double != row[action as usize] * DyadicStrategy::WHOLE as f64
            {
                return true;
            }
            kept += 1;
        }
        kept != row.iter().filter(|number| **number > 0.0).count()
    }
}

/// A double from 2⁻⁶³ to 2, or 0, in units of 2⁻¹¹⁶.
fn fine(number: f64) -> u128 {
    if number == 0.0 {
        return 0;
    }
    let bits = number.to_bits();
    let exponent = (bits >> 52) as i32 - 1075;
    let mantissa = u128::from((bits & ((1 << 52) - 1)) | (1 << 52));
    mantissa << (exponent + FINE_BITS)
}

/// The multiple of 2⁻⁶² next to a share, half a unit rounded up. Row sums are 1 within twice their
/// tolerance, in units of 2⁻¹¹⁶, and a part is no more.
///
/// Doubles miss the quotient by 2¹¹ at most, so that what is left is less than 2¹²⁷ and can be read
/// modulo 2¹²⁸, though the products are longer; then by a unit, if at all.
fn rounded_share(part: u128, sum: u128) -> i64 {
    let whole = DyadicStrategy::WHOLE as f64;
    let mut quotient = (part as f64 / sum as f64 * whole) as i128;
    let left = |quotient: i128| {
        (part << DyadicStrategy::WHOLE_BITS).wrapping_sub((quotient as u128).wrapping_mul(sum))
            as i128
    };
    quotient += (left(quotient) as f64 / sum as f64).round() as i128;
    let (rest, sum) = (left(quotient), sum as i128);
    if 2 * rest >= sum {
        quotient += 1;
    } else if 2 * rest < -sum {
        quotient -= 1;
    }
    quotient as i64
}

/// The weights of a state.
fn strategy(
    game: &StochasticGame,
    state: usize,
    player: Player,
    given: &[(usize, BigRational)],
) -> Result<Vec<(u32, u64)>, ActionsFault> {
    let Some(actions) = game.actions(state) else {
        return if given.is_empty() { Ok(Vec::new()) } else { Err(ActionsFault::End) };
    };
    let names = actions[usize::from(player == Player::B)];
    if given.is_empty() && names.len() == 1 {
        return Ok(vec![(0, DyadicStrategy::WHOLE)]);
    }
    if given.is_empty() {
        return Err(ActionsFault::Nothing);
    }
    if let Some((action, _)) = given.iter().find(|(action, _)| *action >= names.len()) {
        return Err(ActionsFault::Unknown { action: *action, last: names.len() - 1 });
    }
    let mut sorted = given.to_vec();
    sorted.sort_by_key(|&(action, _)| action);
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(ActionsFault::Twice { action: names[pair[0].0].to_string() });
    }
    if let Some((action, probability)) =
        sorted.iter().find(|(_, probability)| probability.is_negative())
    {
        return Err(ActionsFault::Negative {
            probability: probability.to_string(),
            action: names[*action].to_string(),
        });
    }
    let sum: BigRational = sorted.iter().map(|(_, probability)| probability).sum();
    let misses = sum.to_f64().map_or(f64::INFINITY, |sum| (sum - 1.0).abs());
    if sum.is_zero() || misses > SUM_TOLERANCE {
        return Err(ActionsFault::Sum { sum: sum.to_f64().unwrap_or(f64::NAN).to_string() });
    }
    let whole = BigRational::from_integer(BigInt::from(DyadicStrategy::WHOLE));
    let weigh = |probability: &BigRational| {
        (probability / &sum * &whole).round().to_integer().to_i64().unwrap_or(0)
    };
    let mut dyadic = DyadicStrategy::default();
    dyadic.assign(sorted.iter().map(|(action, probability)| (*action as u32, weigh(probability))));
    let is_kept = |action: usize| dyadic.support().iter().any(|&(kept, _)| kept as usize == action);
    let lost = |(action, probability): &&(usize, BigRational)| {
        probability.is_positive() && !is_kept(*action)
    };
    if let (true, Some((action, _))) = (game.kind().may_last(), sorted.iter().find(lost)) {
        return Err(ActionsFault::TooSmall { action: names[*action].to_string() });
    }
    Ok(dyadic.support().to_vec())
}

#[cfg(test)]
mod tests {
    use num_rational::Ratio;

    use super::*;
    use crate::{CellTable, Kind, StochasticGame};

    /// States with two to five actions of A, one of B, and an end.
    fn game(states: usize, kind: Kind) -> StochasticGame {
        let mut builder = StochasticGame::builder(kind, None).unwrap();
        builder.start("0").unwrap();
        for state in 0..states {
            let actions: Vec<String> =
                (0..2 + state % 4).map(|action| action.to_string()).collect();
            let mut cells = CellTable::default();
            for _ in &actions {
                cells.follow(Ratio::from_integer(1_i64), "end");
                cells.push(Ratio::from_integer(0_i64));
                cells.end_row();
            }
            let zero = BigRational::from_integer(0.into());
            builder.state(&state.to_string(), [&actions, &["0".to_owned()]], zero, &cells).unwrap();
        }
        builder.end("end", BigRational::from_integer(0.into())).unwrap();
        builder.finish().unwrap()
    }

    /// Numbers of all sizes, drawn by a generator of congruences.
    struct Drawn(u64);

    impl Drawn {
        fn next(&mut self) -> f64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let share = (self.0 >> 11) as f64 / (1_u64 << 53) as f64;
            match self.0 % 7 {
                0 => 0.0,
                1 => share * 1e-9,
                2 => share * 1e-15,
                3 => share * 1e-30,
                _ => share,
            }
        }
    }

    #[test]
    fn a_table_of_doubles_is_the_policy_of_their_fractions() {
        for kind in [Kind::Acyclic, Kind::Stopping, Kind::Recursive] {
            let game = game(400, kind);
            let mut drawn = Drawn(7);
            let mut table = vec![f64::NAN; game.len() * 7];
            let mut fractions = Vec::new();
            for state in 0..game.len() {
                let actions = game.actions(state).map_or(0, |[actions, _]| actions.len());
                let mut row: Vec<f64> = (0..actions).map(|_| drawn.next()).collect();
                if let Some(first) = row.first_mut() {
                    *first += 1e-3;
                }
                if kind == Kind::Recursive {
                    row.iter_mut()
                        .filter(|number| **number < 1e-16)
                        .for_each(|number| *number = 0.0);
                }
                let sum: f64 = row.iter().sum();
                for number in &mut row {
                    *number /= sum;
                }
                table[7 * state..7 * state + actions].copy_from_slice(&row);
                let exact = row.iter().enumerate().filter(|(_, number)| **number > 0.0);
                fractions.push(
                    exact
                        .map(|(action, &number)| (action, BigRational::from_float(number).unwrap()))
                        .collect(),
                );
            }
            let by_table = StationaryPolicy::from_table(
                &game,
                Player::A,
                &table,
                7,
                PolicyNumbers::Probabilities,
            )
            .unwrap();
            let by_fractions = StationaryPolicy::new(&game, Player::A, &fractions).unwrap();
            assert_eq!(by_table.weights, by_fractions.weights);
            assert_eq!(by_table.is_rounded, by_fractions.is_rounded);
        }
    }

    #[test]
    fn multiples_are_not_rounded_and_weights_are_divided() {
        let game = game(1, Kind::Acyclic);
        let table = [0.25, 0.75, 9.0, 9.0];
        let exact =
            StationaryPolicy::from_table(&game, Player::A, &table, 2, PolicyNumbers::Probabilities)
                .unwrap();
        assert_eq!(
            exact.weights.at(0),
            [(0, DyadicStrategy::WHOLE / 4), (1, DyadicStrategy::WHOLE / 4 * 3)]
        );
        assert!(!exact.is_rounded && exact.weights.at(1).is_empty());
        let table = [33.0, 33.0, 0.0, 0.0];
        let halves =
            StationaryPolicy::from_table(&game, Player::A, &table, 2, PolicyNumbers::Weights)
                .unwrap();
        assert_eq!(
            halves.weights.at(0),
            [(0, DyadicStrategy::WHOLE / 2), (1, DyadicStrategy::WHOLE / 2)]
        );
        assert!(halves.is_rounded);
    }

    #[test]
    fn rows_that_are_no_distribution_are_refused() {
        let game = game(1, Kind::Recursive);
        for (row, reason) in [
            ([0.5, 0.4], "sum to 0.9"),
            ([1.5, -0.5], "-0.5 of `1` is negative"),
            ([f64::NAN, 1.0], "NaN of `0` is not finite"),
            ([0.0, 0.0], "nothing is said"),
            ([1.0, 1e-30], "too small to be told from 0"),
            ([0.5, 0.500_001_1], "sum to 1.0000011"),
        ] {
            let table = [row[0], row[1], 0.0, 0.0];
            let refused = StationaryPolicy::from_table(
                &game,
                Player::A,
                &table,
                2,
                PolicyNumbers::Probabilities,
            )
            .unwrap_err();
            assert!(refused.to_string().contains(reason), "{refused}");
        }
        let short = StationaryPolicy::from_table(
            &game,
            Player::A,
            &[0.5, 0.5],
            2,
            PolicyNumbers::Probabilities,
        )
        .unwrap_err();
        assert!(short.to_string().contains("no row 1"), "{short}");
        let large = StationaryPolicy::from_table(
            &game,
            Player::A,
            &[f64::MAX; 4],
            2,
            PolicyNumbers::Weights,
        )
        .unwrap_err();
        assert!(large.to_string().contains("more than a double holds"), "{large}");
    }
}
