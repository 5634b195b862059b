//! The doubles beside a double, as the standard library has them from Rust 1.86 on.

/// The largest double below a finite one.
pub(crate) const fn next_down(double: f64) -> f64 {
    -next_up(-double)
}

/// The smallest double above a finite one.
pub(crate) const fn next_up(double: f64) -> f64 {
    // Numbers of one sign are ordered as their bits are; after the largest comes infinity.
    let bits = double.to_bits();
    if double == 0.0 {
        f64::from_bits(1)
    } else if double > 0.0 {
        f64::from_bits(bits + 1)
    } else {
        f64::from_bits(bits - 1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{next_down, next_up};

    proptest! {
        #[test]
        fn are_those_of_the_standard_library(bits: u64) {
            let double = f64::from_bits(bits);
            prop_assume!(double.is_finite());
            for (ours, theirs) in [(next_up(double), double.next_up()), (next_down(double), double.next_down())] {
                prop_assert_eq!(ours.to_bits(), theirs.to_bits());
            }
        }
    }

    #[test]
    fn of_zero_and_the_ends() {
        for double in [0.0, -0.0, f64::MIN_POSITIVE, f64::from_bits(1), -f64::from_bits(1), 1.0, -1.0, f64::MAX, f64::MIN] {
            assert_eq!(next_up(double).to_bits(), double.next_up().to_bits(), "{double:e}");
            assert_eq!(next_down(double).to_bits(), double.next_down().to_bits(), "{double:e}");
        }
    }
}
