//! Tests of rounding outward.

use crate::bounds::Bounds;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Pow;
use proptest::prelude::*;

use self::decimal_text::{double, fraction, is_certain, two_pow};
use super::Enclosure;
use crate::bounds::rounded_up;

#[path = "../../../../../tests/library/decimal_text.rs"]
mod decimal_text;

/// A bound just below 2^−25 = 2.98023223876953125e-8. Printers disagree on this double:
/// 2.9802322387695313e-8, or 2.9802322387695312e-8, which is below the bound.
#[test]
fn a_bound_is_true_whichever_shortest_decimal_is_taken() {
    let upper = Enclosure::proved(Bounds::new(0, i64::MAX - 153), 88).upper();
    assert_eq!(upper, 2.0_f64.powi(-25).next_up());
}

/// 7/2 is 9/4 above 5/4, which in units of 1/2 lies between 2/2 and 3/2.
#[test]
fn distances_are_counted_in_the_coarser_unit() {
    let [coarse, fine] = [(7, 1), (5, 2)]
        .map(|(number, exponent)| Enclosure::proved(Bounds::new(number, number), exponent));
    let distance = coarse.above(&fine);
    assert_eq!((distance.integers(), distance.unit_exponent()), (Bounds::new(4, 5), 1));
    // And 13/4 above 1/2, exactly 11/4.
    let [coarse, fine] = [(1, 1), (13, 2)]
        .map(|(number, exponent)| Enclosure::proved(Bounds::new(number, number), exponent));
    let distance = fine.above(&coarse);
    assert_eq!((distance.integers(), distance.unit_exponent()), (Bounds::new(5, 6), 1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_interval_is_inside_what_is_printed(
        lower in prop_oneof![
            any::<i64>(), -1_000_i64..1_000, Just(1_000_000_000_000_001), Just(-1), Just(i64::MIN), Just(i64::MAX)
        ],
        width in prop_oneof![Just(0_u64), 1_u64..200, any::<u64>()],
        exponent in prop_oneof![Just(60_u32), 0_u32..127, 880_u32..1_120, 1_700_u32..2_100],
    ) {
        let upper = (i128::from(lower) + i128::from(width)).min(i64::MAX.into()) as i64;
        let enclosure = Enclosure::proved(Bounds::new(lower, upper), exponent);
        let exact = [lower, upper].map(|bound| BigRational::from_integer(bound.into()) / two_pow(exponent));
        prop_assert_eq!(&enclosure.fractions(), &exact);
        let decimal = enclosure.decimal();
        let [low, high] = [&decimal.lower, &decimal.upper].map(|text| fraction(text));
        prop_assert!(low <= exact[0] && exact[1] <= high, "{:?}", decimal);
        // Narrow: not wider by more than a fiftieth, and the bound itself where there is no width.
        let (wide, narrow) = (&high - &low, &exact[1] - &exact[0]);
        let [most, whole] = [51, 50].map(|number: i64| BigRational::from_integer(number.into()));
        prop_assert!(wide * whole <= &narrow * most, "{:?}", decimal);
        for (text, bound) in [(&decimal.lower, &exact[0]), (&decimal.upper, &exact[1])] {
            let mantissa = text.split('e').next().unwrap();
            prop_assert!(!(mantissa.ends_with('0') && mantissa.contains('.')), "superfluous zeros in {}", text);
            // 18 significant digits at least.
            let (moved, size) = (fraction(text) - bound, BigRational::new(1.into(), BigInt::from(10).pow(17_u32)) * bound);
            prop_assert!(moved.pow(2) <= size.pow(2), "{} for {}", text, bound);
        }
        for (printed, bound, direction) in [(enclosure.lower(), &exact[0], 1), (enclosure.upper(), &exact[1], -1)] {
            let outside = |number: BigRational| if direction == 1 { number <= *bound } else { number >= *bound };
            let scientific = format!("{printed:e}");
            prop_assert!(outside(double(printed)) && outside(fraction(&printed.to_string())) && outside(fraction(&scientific)));
            prop_assert!(outside(fraction(&serde_json::to_string(&printed).unwrap())), "{}", printed);
            // At most a step away from the nearest double.
            let inward = if direction == 1 { printed.next_up().next_up() } else { printed.next_down().next_down() };
            prop_assert!(!outside(double(inward)), "{} is needlessly far from {}", printed, bound);
        }
        let middle = enclosure.middle_inside().unwrap_or_else(|| enclosure.middle().to_string());
        if exponent < 1_000 {
            prop_assert!(low <= fraction(&middle) && fraction(&middle) <= high, "{} in {:?}", middle, decimal);
            prop_assert_eq!(middle.parse::<f64>().unwrap(), enclosure.middle());
        }
        let [below, above] = enclosure.nearest_outward();
        prop_assert!(double(below) <= exact[0] && double(below.next_up()) > exact[0], "{}", below);
        prop_assert!(double(above) >= exact[1] && double(above.next_down()) < exact[1], "{}", above);
        let scientific = format!("{:e}", enclosure.width());
        prop_assert!(double(enclosure.width()) >= narrow && fraction(&scientific) >= narrow);
        prop_assert!(fraction(&rounded_up(enclosure.width())) >= narrow);
        prop_assert!(is_certain(decimal.value.as_deref(), &exact[0], &exact[1]), "{:?}", decimal);
    }
}

#[test]
fn a_value_of_which_no_digit_is_certain_is_not_written() {
    let decimal = |lower, upper| Enclosure::proved(Bounds::new(lower, upper), 2).decimal();
    assert_eq!(decimal(1, 4).value, None, "a quarter to 1: 0 or 1");
    assert_eq!(decimal(2, 4).value, None, "a half to 1, which all round to 1");
    assert_eq!(decimal(0, 1).value, None);
    assert_eq!(decimal(3, 3).value.as_deref(), Some("0.75"));
    assert_eq!(decimal(-400, 400).value, None);
    assert_eq!(decimal(3_999_999, 4_000_001).value.as_deref(), Some("1000000"), "half a millionth");
    assert_eq!(
        decimal(1_999_999, 2_000_002).value,
        None,
        "more than a millionth, which all round to 500000"
    );
    let small = |upper| Enclosure::proved(Bounds::new(0, upper), 50).decimal();
    assert_eq!(small(1_125).value.as_deref(), Some("0"), "1125/2^50 is less than 1e-12");
    assert_eq!(small(1_126).value, None);
}

/// All intervals between two small numbers of quarters.
fn intervals() -> impl Iterator<Item = Bounds> {
    (-3..=3).flat_map(|lower| (lower..=3).map(move |upper| Bounds::new(lower, upper)))
}

/// The numbers of an interval that some number of `limits` allows; `None` where there is none.
fn allowed(interval: Bounds, limits: Bounds, allows: impl Fn(i64, i64) -> bool) -> Option<Bounds> {
    let mut numbers = (interval.lower..=interval.upper)
        .filter(|&number| (limits.lower..=limits.upper).any(|limit| allows(number, limit)));
    let first = numbers.next()?;
    Some(Bounds::new(first, numbers.last().unwrap_or(first)))
}

#[test]
fn only_numbers_that_are_impossible_beside_another_are_cut_off() {
    let mut cut = [0; 2];
    for (one, other) in intervals().flat_map(|one| intervals().map(move |other| (one, other))) {
        let [first, second] = [one, other].map(|bounds| Enclosure::proved(bounds, 2));
        let pairs = [
            (first.not_below(second), allowed(one, other, |number, limit| number >= limit)),
            (first.not_above(second), allowed(one, other, |number, limit| number <= limit)),
        ];
        for ((narrowed, expected), cut) in pairs.into_iter().zip(&mut cut) {
            let Some(expected) = expected else { continue };
            assert_eq!(
                (narrowed.integers(), narrowed.unit_exponent()),
                (expected, 2),
                "{one:?} beside {other:?}"
            );
            *cut += u32::from(expected != one);
        }
    }
    assert!(cut.iter().all(|&cut| cut > 100), "{cut:?}");
}

/// Differences of all numbers of two intervals, where the first is not below the second.
#[test]
fn a_distance_is_between_the_least_and_the_largest() {
    for (one, other) in intervals().flat_map(|one| intervals().map(move |other| (one, other))) {
        let [first, second] = [one, other].map(|bounds| Enclosure::proved(bounds, 2));
        let numbers = |Bounds { lower, upper }: Bounds| lower..=upper;
        let distances =
            numbers(one).flat_map(|number| numbers(other).map(move |limit| number - limit));
        let possible: Vec<i64> = distances.filter(|&distance| distance >= 0).collect();
        let Some((&least, &largest)) = possible.iter().min().zip(possible.iter().max()) else {
            continue;
        };
        assert_eq!(
            first.above(&second).integers(),
            Bounds::new(least, largest),
            "{one:?} above {other:?}"
        );
        let halves =
            first.half().fractions().map(|half| half * BigRational::from_integer(2.into()));
        assert_eq!(halves, first.fractions());
    }
}

#[test]
fn both_ends_are_inside_and_nothing_beyond_them() {
    for interval in intervals() {
        let enclosure = Enclosure::proved(interval, 2);
        for eighths in -8..=8 {
            let inside = (2 * interval.lower..=2 * interval.upper).contains(&eighths);
            assert_eq!(
                enclosure.contains(&BigRational::new(eighths.into(), 8.into())),
                inside,
                "{eighths}/8 in {interval:?}"
            );
        }
        assert_eq!(enclosure.is_exact(), interval.lower == interval.upper);
    }
}
