//! Numbers of some 31 digits: sums of two doubles.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// An unevaluated sum of two doubles, the second at most half a unit in the last place of the
/// first: some 31 digits.
///
/// The algorithms and their error bounds of a few units of 2^-106: Joldes, Muller and Popescu
/// (2017, *ACM Transactions on Mathematical Software* 44), over the exact sum of Knuth and the
/// exact product of Dekker (1971). They only add and multiply doubles, so that the bits are the
/// same on every machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub(crate) struct DoubleDouble {
    // In this order, so that numbers compare as their fields do.
    /// The nearest double.
    pub(crate) high: f64,
    low: f64,
}

/// A sum and its rounding error.
#[inline]
fn exact_sum(a: f64, b: f64) -> DoubleDouble {
    let high = a + b;
    let of_b = high - a;
    DoubleDouble { high, low: (a - (high - of_b)) + (b - of_b) }
}

/// As [`exact_sum`], where the first number is not smaller in size.
#[inline]
fn exact_sum_sorted(a: f64, b: f64) -> DoubleDouble {
    let high = a + b;
    DoubleDouble { high, low: b - (high - a) }
}

/// The upper and the lower half of a double's digits.
#[inline]
fn halves(a: f64) -> [f64; 2] {
    // 2^27 + 1
    let shifted = 134_217_729.0 * a;
    let upper = shifted - (shifted - a);
    [upper, a - upper]
}

impl DoubleDouble {
    /// The product of two doubles, without rounding unless numbers are below the normal ones; of
    /// numbers above 2^996 there is none.
    #[inline]
    pub(crate) fn product(a: f64, b: f64) -> Self {
        let high = a * b;
        let ([a_upper, a_lower], [b_upper, b_lower]) = (halves(a), halves(b));
        let low = a_lower * b_lower
            - (((high - a_upper * b_upper) - a_lower * b_upper) - a_upper * b_lower);
        Self { high, low }
    }
}

impl From<f64> for DoubleDouble {
    #[inline]
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

impl From<i64> for DoubleDouble {
    #[inline]
    fn from(number: i64) -> Self {
        let upper = number >> 32 << 32;
        exact_sum(upper as f64, (number - upper) as f64)
    }
}

impl Neg for DoubleDouble {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

impl Add for DoubleDouble {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        let (upper, lower) = (exact_sum(self.high, other.high), exact_sum(self.low, other.low));
        let sum = exact_sum_sorted(upper.high, upper.low + lower.high);
        exact_sum_sorted(sum.high, lower.low + sum.low)
    }
}

impl Sub for DoubleDouble {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for DoubleDouble {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        let product = Self::product(self.high, other.high);
        exact_sum_sorted(
            product.high,
            product.low + (self.high * other.low + self.low * other.high),
        )
    }
}

impl Div for DoubleDouble {
    type Output = Self;

    #[inline]
    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self - other * Self::from(first);
        let second = rest.high / other.high;
        let rest = rest - other * Self::from(second);
        exact_sum_sorted(first, second) + Self::from(rest.high / other.high)
    }
}

#[cfg(test)]
mod tests {
    use dashu_ratio::RBig;
    use proptest::prelude::*;

    use super::*;

    fn exact(number: DoubleDouble) -> RBig {
        let fraction = |double: f64| RBig::try_from(double).expect("a finite number");
        fraction(number.high) + fraction(number.low)
    }

    fn size(number: RBig) -> RBig {
        if number < RBig::ZERO { -number } else { number }
    }

    fn numbers() -> impl Strategy<Value = DoubleDouble> {
        let double = || {
            (-1.0_f64..1.0, -60_i32..60)
                .prop_map(|(mantissa, exponent)| mantissa * f64::from(exponent).exp2())
        };
        prop_oneof![
            any::<i64>().prop_map(DoubleDouble::from),
            (double(), double()).prop_map(|(a, b)| exact_sum(a, b)),
            // Nearly cancelling ones.
            (-4_i64..4, any::<i32>())
                .prop_map(|(a, b)| exact_sum(a as f64, f64::from(b) * (-80.0_f64).exp2())),
        ]
    }

    proptest! {
        /// Against fractions; a few units of 2^-106 of the result, as the article proves.
        #[test]
        fn operations_err_by_a_few_last_bits(a in numbers(), b in numbers()) {
            let last_bits = RBig::from(16) / RBig::from(dashu_int::UBig::ONE << 106);
            let near = |found: DoubleDouble, truth: RBig| size(exact(found) - &truth) <= &last_bits * size(truth);
            prop_assert!(near(a + b, exact(a) + exact(b)));
            prop_assert!(near(a - b, exact(a) - exact(b)));
            prop_assert!(near(a * b, exact(a) * exact(b)));
            if b.high != 0.0 {
                prop_assert!(near(a / b, exact(a) / exact(b)));
            }
            prop_assert_eq!(a < b, exact(a) < exact(b));
        }

        #[test]
        fn integers_are_exact(number: i64) {
            prop_assert_eq!(exact(DoubleDouble::from(number)), RBig::from(number));
        }
    }
}
