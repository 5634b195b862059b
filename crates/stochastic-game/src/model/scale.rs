//! The unit in which the bounds of a game are integers.

use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};

use super::components::Components;
use super::game::StochasticGame;
use crate::bounds::{BOUND_BITS, Bounds};
use crate::error::{StochasticGameError, StochasticGameFault};

/// The largest exponent of the unit: payoffs below 2^−this count as 0.
const LARGEST_EXPONENT: u32 = 126;

/// Inflates sums and products, so that rounding never makes a bound of sizes too small.
const ROUNDED: f64 = 1.0 + 8.0 * f64::EPSILON;

/// The scale of a game: bounds are integers in units of 2^−exponent, and no value of a state
/// exceeds 2⁶¹ of them.
///
/// Roundings, a unit or two a turn, can lead a bound beyond that by less than 2³⁴ units, for which
/// there is room everywhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Scale {
    pub(crate) exponent: u32,
}

impl Scale {
    /// The finest unit for sizes up to this.
    ///
    /// # Errors
    /// [`StochasticGameFault::Payoff`] when not even whole numbers fit.
    pub(crate) fn of(largest: f64) -> Result<Self, StochasticGameFault> {
        let bound = f64::from(BOUND_BITS).exp2();
        // Products with powers of two are exact.
        let fits = |exponent: &u32| largest * f64::from(*exponent).exp2() <= bound;
        let finest = (0..=LARGEST_EXPONENT).rev().find(fits).map(|exponent| Self { exponent });
        finest
            .ok_or_else(|| StochasticGameFault::Payoff { payoff: format!("{largest:.5e} in all") })
    }

    /// The integers next to a number.
    pub(crate) fn bounds(self, number: &BigRational) -> Bounds {
        // Most numbers are integers.
        let whole = if number.is_integer() { number.numer().to_i64() } else { None };
        if let Some(whole) = whole.filter(|whole| {
            self.exponent <= BOUND_BITS && whole.unsigned_abs() <= 1 << (BOUND_BITS - self.exponent)
        }) {
            return Bounds::new(whole << self.exponent, whole << self.exponent);
        }
        let scaled =
            number * BigRational::from_integer(num_bigint::BigInt::from(1) << self.exponent);
        // Within ±2^61 by the choice of the exponent.
        let [lower, upper] =
            [scaled.floor(), scaled.ceil()].map(|number| number.to_integer().to_i64().unwrap_or(0));
        Bounds::new(lower, upper)
    }
}

/// The size of a number, rounded up.
pub(crate) fn size(number: &BigRational) -> f64 {
    let size = match number.is_integer().then(|| number.numer().to_i64()).flatten() {
        Some(whole) => Some(whole.unsigned_abs() as f64),
        None => number.abs().to_f64(),
    };
    size.map_or(f64::INFINITY, |size| {
        size * ROUNDED + f64::MIN_POSITIVE * f64::from(u8::from(size > 0.0))
    })
}

/// A bound of the size of every state's value, rounded up: the largest of its rewards and
/// successors. In a cycle, rewards count `turns` times.
pub(crate) fn largest_values(
    game: &StochasticGame,
    components: &Components,
    turns: impl Fn(usize) -> f64,
) -> Vec<f64> {
    let mut largest = vec![0.0_f64; game.len()];
    for component in 0..components.len() {
        let (states, is_cyclic) = (components.states(component), components.is_cyclic(component));
        let (mut paid, mut follows) = (0.0_f64, 0.0_f64);
        for state in states
            .iter()
            .map(|&state| state as usize)
            .filter(|&state| game.end_value(state).is_none())
        {
            if is_cyclic {
                follows = follows.max(size(game.endless(state)));
            }
            for cell in game.all_cells(state) {
                paid = paid.max(cell.reward_size());
                let next = cell.outcomes.iter().map(|outcome| largest[outcome.state as usize]);
                follows = follows.max(next.fold(0.0, f64::max));
            }
        }
        let paid = if paid > 0.0 && is_cyclic { paid * turns(component) } else { paid };
        for state in states.iter().map(|&state| state as usize) {
            largest[state] = game.end_value(state).map_or((paid + follows) * ROUNDED, size);
        }
    }
    largest
}

/// The share by which sums of payoffs that were rounded up may exceed their bound: 2³¹ units of
/// bounds, which have room for 2³⁴.
const RESERVE: f64 = 1e-9;

/// The units by which the bounds of a state may exceed those of the largest payoff: a rounding or
/// two a turn.
const ROUNDINGS: i64 = 1 << 33;

/// The size of payoffs that was promised, and the unit in which they are counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PayoffLimit {
    pub(crate) scale: Scale,
    /// Rounded up.
    largest: f64,
    /// `largest` in units, with a reserve for rounding.
    units: i64,
}

impl PayoffLimit {
    /// The limit for this bound of payoffs.
    pub(crate) fn new(payoffs: u64) -> Result<Self, StochasticGameError> {
        let largest = size(&BigRational::from_integer(payoffs.into()));
        let scale = Scale::of(largest)?;
        let units = (i128::from(payoffs) << scale.exponent.min(64)) as i64;
        Ok(Self { scale, largest: largest * (1.0 + RESERVE), units: units + ROUNDINGS })
    }

    /// Whether payoffs of this size are within the promise.
    #[inline]
    pub(crate) fn allows(self, size: f64) -> bool {
        size <= self.largest
    }

    /// Whether bounds are those of payoffs that were promised.
    #[inline]
    pub(crate) const fn allows_bounds(self, bounds: Bounds) -> bool {
        -self.units <= bounds.lower && bounds.upper <= self.units
    }
}
