//! The one type that prints bounds.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_rational::Ratio;

use super::decimal::{DecimalBounds, printable_below};
use super::{Bounds, FixedPointScale};

/// Proved bounds of a value: both ends are integers in a fixed unit. The accessors round outward to
/// floating point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enclosure {
    bounds: Bounds,
    scale: FixedPointScale,
}

impl Enclosure {
    /// Bounds that a check has proved, in units of 2^−`exponent`. The table of gates in
    /// `docs/architecture.md` has a line for each file that calls this, with the check; a test
    /// compares both.
    ///
    /// # Panics
    /// If the lower bound is above the upper one: then a check accepted a contradiction, and
    /// nothing may be printed.
    #[doc(hidden)]
    pub const fn proved(bounds: Bounds, exponent: u32) -> Self {
        assert!(bounds.lower <= bounds.upper, "a proved interval is not empty");
        Self { bounds, scale: FixedPointScale { exponent } }
    }

    /// The integers next to a number, in units of this scale.
    #[doc(hidden)]
    pub fn of_number(number: Ratio<i64>, scale: FixedPointScale) -> Self {
        Self { bounds: Bounds::new(scale.floor(number), scale.ceil(number)), scale }
    }

    /// From 0 to the width of bounds: the enclosure of what they miss.
    #[doc(hidden)]
    pub const fn of_width(width: i64, exponent: u32) -> Self {
        Self::proved(Bounds::new(0, width), exponent)
    }

    /// The enclosure of the value with the other sign.
    #[must_use]
    #[doc(hidden)]
    pub const fn mirrored(&self) -> Self {
        Self { bounds: self.bounds.mirrored(), scale: self.scale }
    }

    /// Intersects with the numbers not below another enclosure, in the same unit, of a smaller or
    /// equal number.
    #[must_use]
    #[doc(hidden)]
    pub fn not_below(mut self, other: Self) -> Self {
        self.bounds.lower = self.bounds.lower.max(other.bounds.lower);
        self
    }

    /// Intersects with the numbers not above another enclosure, in the same unit, of a larger or
    /// equal number.
    #[must_use]
    #[doc(hidden)]
    pub fn not_above(mut self, other: Self) -> Self {
        self.bounds.upper = self.bounds.upper.min(other.bounds.upper);
        self
    }

    /// Bounds of the distance to a smaller number, in the coarser one of both units.
    #[must_use]
    #[doc(hidden)]
    pub fn above(&self, other: &Self) -> Self {
        let exponent = self.scale.exponent.min(other.scale.exponent);
        let [minuend, subtrahend] = [self, other].map(|part| part.in_coarser_unit(exponent));
        let lower = minuend.lower.saturating_sub(subtrahend.upper).max(0);
        Self {
            bounds: Bounds::new(lower, minuend.upper.saturating_sub(subtrahend.lower)),
            scale: FixedPointScale { exponent },
        }
    }

    /// The bounds in units of 2^−`exponent`, which is no finer, rounded outward.
    fn in_coarser_unit(&self, exponent: u32) -> Bounds {
        let shift = (self.scale.exponent - exponent).min(i64::BITS - 1);
        let Bounds { lower, upper } = self.bounds;
        Bounds::new(lower >> shift, -(-upper >> shift))
    }

    #[must_use]
    #[doc(hidden)]
    pub fn half(&self) -> Self {
        Self { bounds: self.bounds, scale: FixedPointScale { exponent: self.scale.exponent + 1 } }
    }

    /// A lower bound of the value that stays one however it is printed: no decimal that reads back
    /// as this double is above the exact bound. It is one of the two largest doubles not above
    /// that.
    pub fn lower(&self) -> f64 {
        self.printable_below(self.bounds.lower.into())
    }

    /// An upper bound of the value that stays one however it is printed: no decimal that reads back
    /// as this double is below the exact bound.
    pub fn upper(&self) -> f64 {
        // Adding 0 turns −0 into 0.
        0.0 - self.printable_below(-i128::from(self.bounds.upper))
    }

    /// The width, rounded up as [`upper`](Self::upper) is; 0 if the value is known exactly.
    #[doc(hidden)]
    pub fn width(&self) -> f64 {
        0.0 - self.printable_below(i128::from(self.bounds.lower) - i128::from(self.bounds.upper))
    }

    fn printable_below(&self, bound: i128) -> f64 {
        printable_below(self.scale.round_down(bound), bound, self.scale.exponent)
    }

    /// The nearest doubles outside, for arrays of doubles. A decimal that reads back as such a
    /// double may lie inside the interval: print bounds with [`decimal`](Self::decimal),
    /// [`lower`](Self::lower) or [`upper`](Self::upper).
    pub fn nearest_outward(&self) -> [f64; 2] {
        [
            self.scale.round_down(self.bounds.lower.into()),
            0.0 - self.scale.round_down(-i128::from(self.bounds.upper)),
        ]
    }

    /// Both bounds and the value as decimals, rounded outward.
    ///
    /// ```
    /// # use matrix_game::{Bounds, Enclosure};
    /// // 46/41 to within a unit of 2^−60.
    /// # let unit = ((46_i128 << 60) / 41) as i64;
    /// # let enclosure = Enclosure::proved(Bounds::new(unit, unit + 1), 60);
    /// let decimal = enclosure.decimal();
    /// assert_eq!(decimal.lower, "1.121951219512195121845");
    /// assert_eq!(decimal.upper, "1.121951219512195122713");
    /// assert_eq!(decimal.value.as_deref(), Some("1.1219512195121951"));
    /// ```
    pub fn decimal(&self) -> DecimalBounds {
        DecimalBounds::new(self.bounds, self.scale.exponent, self.middle())
    }

    pub fn middle(&self) -> f64 {
        self.scale.middle(self.bounds)
    }

    /// The middle as a decimal that lies between the bounds of [`decimal`](Self::decimal) and reads
    /// back as [`middle`](Self::middle), where that double is printed outside them.
    #[doc(hidden)]
    pub fn middle_inside(&self) -> Option<String> {
        DecimalBounds::inside(self.bounds, self.scale.exponent, self.middle())
    }

    pub fn fractions(&self) -> [BigRational; 2] {
        let fraction =
            |bound: i64| BigRational::new(bound.into(), BigInt::from(1) << self.scale.exponent);
        [fraction(self.bounds.lower), fraction(self.bounds.upper)]
    }

    /// Both ends in units of 2^−[`unit_exponent`](Self::unit_exponent).
    pub const fn integers(&self) -> Bounds {
        self.bounds
    }

    /// The exponent of the unit: 60 for two-one scoring.
    pub const fn unit_exponent(&self) -> u32 {
        self.scale.exponent
    }

    pub fn contains(&self, value: &BigRational) -> bool {
        let [lower, upper] = self.fractions();
        lower <= *value && *value <= upper
    }

    pub const fn is_exact(&self) -> bool {
        self.bounds.lower == self.bounds.upper
    }
}

#[cfg(test)]
mod tests;
