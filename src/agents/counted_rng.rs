//! Random numbers that can be resumed in a later process.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// The generator [`Pcg64Mcg`] (PCG XSL 128/64 MCG, seeded by `seed_from_u64`), which counts the
/// numbers it has given.
#[derive(Clone, Debug)]
pub(super) struct CountedRng {
    generator: Pcg64Mcg,
    given: u64,
}

impl CountedRng {
    /// The stream of a seed, after the first `given` numbers.
    pub(super) fn resumed(seed: u64, given: u64) -> Self {
        let mut generator = Pcg64Mcg::seed_from_u64(seed);
        generator.advance(u128::from(given));
        Self { generator, given }
    }

    pub(super) const fn given(&self) -> u64 {
        self.given
    }

    #[inline]
    pub(super) fn bits(&mut self) -> u64 {
        self.given += 1;
        self.generator.next_u64()
    }

    /// A number below `bound`. Off from an even distribution by `bound` parts of 2⁶⁴.
    #[inline]
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u32
    }

    /// A number from 0 to 1 exclusive, a multiple of 2⁻⁵³.
    #[inline]
    pub(super) fn share(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }
}
