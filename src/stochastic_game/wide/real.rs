//! Real numbers in so many digits: a mantissa of any length times a power of two.

use dashu_base::BitTest;
use dashu_int::IBig;

/// `mantissa` · 2^`exponent`.
#[derive(Clone, Debug, Default)]
pub(super) struct Real {
    mantissa: IBig,
    exponent: isize,
}

/// Arithmetic with so many bits. Where no terms of opposite signs are added, results are accurate relative to their size.
#[derive(Clone, Copy)]
pub(super) struct Bits(pub(super) usize);

impl Bits {
    fn rounded(self, mantissa: IBig, exponent: isize) -> Real {
        let surplus = mantissa.bit_len().saturating_sub(self.0);
        Real { mantissa: mantissa >> surplus, exponent: exponent + surplus as isize }
    }

    pub(super) fn integer(self, integer: impl Into<IBig>) -> Real {
        self.rounded(integer.into(), 0)
    }

    pub(super) fn sum(self, one: &Real, other: &Real) -> Real {
        let (high, low) = if one.exponent >= other.exponent { (one, other) } else { (other, one) };
        if high.mantissa.is_zero() {
            return low.clone();
        }
        let distance = (high.exponent - low.exponent) as usize;
        if low.mantissa.is_zero() || distance > self.0 + low.mantissa.bit_len() {
            return high.clone();
        }
        self.rounded((&high.mantissa << distance) + &low.mantissa, low.exponent)
    }

    pub(super) fn product(self, one: &Real, other: &Real) -> Real {
        self.rounded(&one.mantissa * &other.mantissa, one.exponent + other.exponent)
    }

    /// The divisor is not 0.
    pub(super) fn quotient(self, one: &Real, other: &Real) -> Real {
        let shift = (self.0 + other.mantissa.bit_len()).saturating_sub(one.mantissa.bit_len());
        self.rounded((&one.mantissa << shift) / &other.mantissa, one.exponent - shift as isize - other.exponent)
    }
}

impl Real {
    pub(super) fn is_zero(&self) -> bool {
        self.mantissa.is_zero()
    }

    /// Times a power of two.
    pub(super) fn scaled(self, exponent: isize) -> Self {
        Self { exponent: self.exponent + exponent, ..self }
    }

    /// In units of 2^−`bits`, rounded down.
    pub(super) fn floor(&self, bits: usize) -> IBig {
        let shift = self.exponent + bits as isize;
        if shift >= 0 { &self.mantissa << shift as usize } else { &self.mantissa >> shift.unsigned_abs() }
    }
}

/// A Markov chain whose plays end: for each state the probabilities of the others, that of leaving, and what is paid there.
#[derive(Default)]
pub(super) struct Chain {
    /// By state and successor; those of the state itself do not count.
    pub(super) steps: Vec<Vec<Real>>,
    pub(super) leaves: Vec<Real>,
    pub(super) pays: Vec<Real>,
}

impl Chain {
    /// What is paid in all from each state on; `None` where play does not end.
    ///
    /// By Gaussian elimination without subtractions (Grassmann, Taksar and Heyman 1985): however rarely play leaves, every
    /// probability stays accurate relative to its size. O(states³).
    pub(super) fn collected(self, bits: Bits) -> Option<Vec<Real>> {
        let Self { mut steps, mut leaves, mut pays } = self;
        let count = steps.len();
        for last in (0..count).rev() {
            // The probability of another state than the last, which makes up all but that of staying.
            let moves = steps[last][..last].iter().fold(leaves[last].clone(), |sum, step| bits.sum(&sum, step));
            if moves.is_zero() {
                return None;
            }
            for step in &mut steps[last][..last] {
                *step = bits.quotient(step, &moves);
            }
            leaves[last] = bits.quotient(&leaves[last], &moves);
            pays[last] = bits.quotient(&pays[last], &moves);
            let (before, own) = steps.split_at_mut(last);
            for (state, before) in before.iter_mut().enumerate() {
                let share = std::mem::take(&mut before[last]);
                if share.is_zero() {
                    continue;
                }
                for (step, own) in before[..last].iter_mut().zip(&own[0]) {
                    *step = bits.sum(step, &bits.product(&share, own));
                }
                leaves[state] = bits.sum(&leaves[state], &bits.product(&share, &leaves[last]));
                pays[state] = bits.sum(&pays[state], &bits.product(&share, &pays[last]));
            }
        }
        for state in 1..count {
            let later = (0..state).map(|next| bits.product(&steps[state][next], &pays[next]));
            pays[state] = later.fold(pays[state].clone(), |sum, term| bits.sum(&sum, &term));
        }
        Some(pays)
    }
}
