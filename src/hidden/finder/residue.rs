//! Doubles that know exactly whether they are 0.

use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::ToPrimitive;

/// 2^61 − 1, a Mersenne prime: sums of residues fit 64 bits, products 128.
const PRIME: u64 = (1 << 61) - 1;

/// A remainder of division by [`PRIME`]; of a fraction, the numerator's divided by the
/// denominator's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Residue(u64);

impl Residue {
    fn of(number: &BigInt) -> Self {
        Self(number.mod_floor(&PRIME.into()).to_u64().unwrap_or(0))
    }

    const fn plus(self, other: Self) -> Self {
        let sum = self.0 + other.0;
        Self(if sum >= PRIME { sum - PRIME } else { sum })
    }

    const fn negated(self) -> Self {
        Self(if self.0 == 0 { 0 } else { PRIME - self.0 })
    }

    const fn times(self, other: Self) -> Self {
        let product = self.0 as u128 * other.0 as u128;
        // 2^61 leaves 1.
        Self((product as u64) & PRIME).plus(Self((product >> 61) as u64))
    }

    /// The inverse, by Fermat's little theorem; of 0 it is 0.
    fn inverse(self) -> Self {
        let mut inverse = Self(1);
        let mut power = self;
        let mut exponent = PRIME - 2;
        while exponent > 0 {
            if exponent % 2 == 1 {
                inverse = inverse.times(power);
            }
            power = power.times(power);
            exponent /= 2;
        }
        inverse
    }
}

/// A fraction as a double and as a residue of a large prime. The double has the sign and the size;
/// rounding errors cannot hide that the fraction is 0, because the residue then is 0, too. Another
/// fraction has the residue 0 with a probability of about 2^−61.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    double: f64,
    residue: Residue,
}

impl Number {
    pub(super) const ZERO: Self = Self { double: 0.0, residue: Residue(0) };
    pub(super) const ONE: Self = Self { double: 1.0, residue: Residue(1) };

    /// A number that is 0 exactly if its residue is.
    const fn new(double: f64, residue: Residue) -> Self {
        if residue.0 == 0 { Self::ZERO } else { Self { double, residue } }
    }

    pub(super) fn of(fraction: &BigRational) -> Self {
        let residue = Residue::of(fraction.numer()).times(Residue::of(fraction.denom()).inverse());
        Self::new(fraction.to_f64().unwrap_or(f64::NAN), residue)
    }

    pub(super) const fn is_zero(self) -> bool {
        self.residue.0 == 0
    }

    pub(super) const fn double(self) -> f64 {
        self.double
    }

    pub(super) fn sign(self) -> Ordering {
        if self.is_zero() { Ordering::Equal } else { self.double.total_cmp(&0.0) }
    }

    pub(super) fn inverse(self) -> Self {
        Self::new(1.0 / self.double, self.residue.inverse())
    }
}

impl From<u32> for Number {
    fn from(number: u32) -> Self {
        Self::new(number.into(), Residue(number.into()))
    }
}

impl Add for Number {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.double + other.double, self.residue.plus(other.residue))
    }
}

impl Sub for Number {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Neg for Number {
    type Output = Self;

    fn neg(self) -> Self {
        Self::new(-self.double, self.residue.negated())
    }
}

impl Mul for Number {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self::new(self.double * other.double, self.residue.times(other.residue))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(numerator: i64, denominator: i64) -> BigRational {
        BigRational::new(numerator.into(), denominator.into())
    }

    fn number(numerator: i64, denominator: i64) -> Number {
        Number::of(&fraction(numerator, denominator))
    }

    /// Sums that are 0 in fractions, though not in doubles.
    #[test]
    fn numbers_know_that_they_are_0() {
        let tenths = number(1, 10) + number(2, 10) - number(3, 10);
        let doubles: f64 = [0.1, 0.2, -0.3].iter().sum();
        assert!(doubles > 0.0);
        assert_eq!(tenths, Number::ZERO);
        let sevenths = number(1, 49) * number(49, 1) - Number::ONE;
        assert_eq!(sevenths, Number::ZERO);
        assert_eq!((number(1, 3) - number(1, 3) - number(1, 1_000_000)).sign(), Ordering::Less);
    }

    /// Operations agree with those of fractions.
    #[test]
    fn residues_are_those_of_fractions() {
        for numerator in [-12_345_678_901, -7, 0, 5, i64::MAX] {
            for denominator in [1, 3, 1 << 40] {
                let [one, other] =
                    [fraction(numerator, denominator), fraction(3, 1 - 2 * denominator)];
                let [left, right] = [&one, &other].map(Number::of);
                assert_eq!((left + right).residue, Number::of(&(&one + &other)).residue);
                assert_eq!((left - right).residue, Number::of(&(&one - &other)).residue);
                assert_eq!((left * right).residue, Number::of(&(&one * &other)).residue);
                assert_eq!((left * right.inverse()).residue, Number::of(&(&one / &other)).residue);
                assert_eq!((-left).residue, Number::of(&-one).residue);
            }
        }
    }
}
