//! Guaranteed bounds of a value.

use num_rational::BigRational;

use crate::induction::Unit;

/// An interval in which the value certainly lies.
///
/// Both ends are integers in a fixed unit, secured by integer strategies and integer arithmetic; no floating-point
/// result is trusted. The accessors round outward where a floating-point number cannot hold an end exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enclosure {
    lower: i64,
    upper: i64,
    unit: Unit,
}

impl Enclosure {
    pub(crate) const fn new(lower: i64, upper: i64, unit: Unit) -> Self {
        Self { lower, upper, unit }
    }

    /// The interval from `lower` to `upper` in units of 2^−`exponent`, as [`integers`](Self::integers) gives it.
    pub const fn from_integers(lower: i64, upper: i64, exponent: u32) -> Self {
        Self { lower, upper, unit: Unit::from_exponent(exponent) }
    }

    /// The part that is not below another enclosure in the same unit, for a number that is not below the other's.
    pub(crate) const fn not_below(mut self, other: Self) -> Self {
        if self.lower < other.lower {
            self.lower = other.lower;
        }
        self
    }

    /// The part that is not above another enclosure in the same unit, for a number that is not above the other's.
    pub(crate) const fn not_above(mut self, other: Self) -> Self {
        if self.upper > other.upper {
            self.upper = other.upper;
        }
        self
    }

    /// A number not above the value: the lower bound, rounded down.
    pub fn lower(&self) -> f64 {
        self.unit.round_down(self.lower)
    }

    /// A number not below the value: the upper bound, rounded up.
    pub fn upper(&self) -> f64 {
        self.unit.round_up(self.upper)
    }

    /// The width of the interval, rounded up; 0 where the value is known exactly.
    pub fn width(&self) -> f64 {
        self.unit.round_up(self.upper - self.lower)
    }

    /// The number nearest to the middle.
    pub fn middle(&self) -> f64 {
        self.unit.middle(self.lower, self.upper)
    }

    /// Both ends, exactly.
    pub fn exact(&self) -> [BigRational; 2] {
        [self.unit.exact(self.lower), self.unit.exact(self.upper)]
    }

    /// Both ends as integers, in units of 2^−[`unit_exponent`](Self::unit_exponent).
    pub const fn integers(&self) -> [i64; 2] {
        [self.lower, self.upper]
    }

    /// The exponent of the unit: 60 for two-one scoring.
    pub const fn unit_exponent(&self) -> u32 {
        self.unit.exponent()
    }

    /// Whether an exact number is inside.
    pub fn contains(&self, value: &BigRational) -> bool {
        let [lower, upper] = self.exact();
        lower <= *value && *value <= upper
    }

    /// Whether the two ends agree, so that the value is known exactly.
    pub const fn is_exact(&self) -> bool {
        self.lower == self.upper
    }
}
