//! Products of two machine words in 128 bits.

#[inline]
pub fn product(one: i64, other: i64) -> i128 {
    // WebAssembly lacks this instruction and would call a function for numbers of twice the length.
    if cfg!(target_family = "wasm") {
        product_by_halves(one, other)
    } else {
        i128::from(one) * i128::from(other)
    }
}

#[inline]
fn product_by_halves(one: i64, other: i64) -> i128 {
    const LOW: i64 = 0xffff_ffff;
    let ([one_low, one_high], [other_low, other_high]) =
        ([one & LOW, one >> 32], [other & LOW, other >> 32]);
    let low = (one_low as u64) * (other_low as u64);
    // At most (2³¹ − 1)(2³² − 1) + 2³² − 1, which is less than 2⁶³, and at least −2³¹(2³² − 1).
    let cross = one_high * other_low + (low >> 32) as i64;
    let middle = other_high * one_low + (cross & LOW);
    let high = one_high * other_high + (cross >> 32) + (middle >> 32);
    i128::from(high) << 64 | i128::from((middle as u64) << 32 | low & LOW as u64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn halves_have_the_same_product(one: i64, other: i64) {
            prop_assert_eq!(product_by_halves(one, other), i128::from(one) * i128::from(other));
        }
    }

    #[test]
    fn the_largest_numbers_have_a_product() {
        let numbers = [
            i64::MIN,
            i64::MIN + 1,
            -1 << 32,
            (-1 << 32) - 1,
            -1,
            0,
            1,
            (1 << 32) - 1,
            1 << 32,
            i64::MAX,
        ];
        for (one, other) in numbers.into_iter().flat_map(|one| numbers.map(|other| (one, other))) {
            assert_eq!(
                product_by_halves(one, other),
                i128::from(one) * i128::from(other),
                "{one} {other}"
            );
            assert_eq!(product(one, other), i128::from(one) * i128::from(other), "{one} {other}");
        }
    }
}
