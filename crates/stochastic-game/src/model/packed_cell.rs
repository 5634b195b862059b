//! The cells of rules in code, in integers, and digests of them.

use num_integer::Integer;
use num_rational::BigRational;
use num_traits::Signed;

use super::numbered::{CellView, DENOMINATOR_BITS, Outcome};
use crate::error::StochasticGameFault;

/// The cell with these outcomes, whose weights are scaled where the reward's denominator asks for
/// it.
#[inline]
pub(crate) fn packed(
    fraction: (i64, u64),
    outcomes: &mut [Outcome],
) -> Result<CellView<'_>, StochasticGameFault> {
    let (reward, parts) = fraction;
    if let ([outcome], 1) = (&mut *outcomes, parts) {
        outcome.weight = 1;
        return Ok(CellView { outcomes, denominator: 1, reward: reward.into(), uncertain: None });
    }
    let sum: u128 = outcomes.iter().map(|outcome| u128::from(outcome.weight)).sum();
    if sum == 0 || parts == 0 {
        return Err(if parts == 0 {
            StochasticGameFault::RewardDenominator
        } else {
            StochasticGameFault::NoWeight
        });
    }
    let too_large = |bits: u128| StochasticGameFault::Denominator {
        bits: 128 - u64::from(bits.leading_zeros()),
        most: DENOMINATOR_BITS,
    };
    if sum > 1 << DENOMINATOR_BITS {
        return Err(too_large(sum));
    }
    if reward == 0 || parts == 1 {
        return Ok(CellView {
            outcomes,
            denominator: sum as u64,
            reward: i128::from(reward) * sum as i128,
            uncertain: None,
        });
    }
    let factor = parts.gcd(&reward.unsigned_abs());
    let parts = parts / factor;
    let common = sum.lcm(&u128::from(parts));
    if common > 1 << DENOMINATOR_BITS {
        return Err(too_large(common));
    }
    for outcome in outcomes.iter_mut() {
        outcome.weight *= (common / sum) as u64;
    }
    let reward = i128::from(reward) / i128::from(factor) * (common / u128::from(parts)) as i128;
    Ok(CellView { outcomes, denominator: common as u64, reward, uncertain: None })
}

/// The digest of an end's payoff, exact.
pub(crate) fn digest_of_payoff(payoff: &BigRational) -> u32 {
    let mut digest = Digest::new(0, usize::from(payoff.is_negative()));
    for part in [payoff.numer(), payoff.denom()] {
        digest.add_number(part.bits());
        for digits in part.iter_u64_digits() {
            digest.add_number(digits);
        }
    }
    digest.short()
}

/// A digest of cells: no secret, only a sign of change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digest(u64);

impl Digest {
    /// The digest before the first cell of a state with these counts of actions.
    pub(crate) const fn new(rows: usize, columns: usize) -> Self {
        Self((rows as u64) << 32 ^ columns as u64)
    }

    /// Adds the next cell.
    #[inline]
    pub(crate) fn add(&mut self, cell: &CellView<'_>) {
        // One product for each outcome: they depend on each other, and take their time.
        let mut head = cell.denominator.rotate_left(48) ^ (cell.reward as u64).rotate_left(24);
        for outcome in cell.outcomes {
            self.add_number(head ^ outcome.weight << 32 ^ u64::from(outcome.state));
            head = 0;
        }
    }

    /// Adds a number: a product by an odd one with many bits, and a rotation.
    #[inline]
    pub(crate) const fn add_number(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }

    /// Adds a text.
    pub(crate) fn add_text(&mut self, text: &str) {
        for bytes in text.as_bytes().chunks(8) {
            let word = |word: u64, &byte: &u8| word << 8 ^ u64::from(byte);
            self.add_number(bytes.iter().fold(bytes.len() as u64, word));
        }
    }

    pub(crate) const fn long(self) -> u64 {
        self.0
    }

    /// The digest stored for a state.
    pub(crate) const fn short(self) -> u32 {
        (self.0 >> 32) as u32 ^ self.0 as u32
    }
}
