//! Names and numbers as they are typed (`500000`, `500_000`, `500,000` or `5e5`), and numbers as
//! they are printed.

use std::error::Error;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use pencil_tennis::Player;

pub(super) fn whole(text: &str) -> Option<u64> {
    let plain = text.replace(['_', ','], "");
    let (digits, exponent) = plain.split_once(['e', 'E']).unwrap_or((&plain, "0"));
    let mut exponent: u32 = exponent.strip_prefix('+').unwrap_or(exponent).parse().ok()?;
    let (before, after) = digits.split_once('.').unwrap_or((digits, ""));
    let after = after.trim_end_matches('0');
    // 1.5e3 is whole, 1.5e0 is not.
    exponent = exponent.checked_sub(after.len() as u32)?;
    let digits = format!("{before}{after}");
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number: u64 = digits.parse().ok()?;
    if number == 0 { Some(0) } else { number.checked_mul(10_u64.checked_pow(exponent)?) }
}

/// A parser of values by name, which messages and completions list.
pub(super) fn named<T>(
    names: impl IntoIterator<Item = &'static str>,
) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: Error + Send + Sync + 'static> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).try_map(|name| name.parse::<T>())
}

pub(super) fn roles() -> impl TypedValueParser<Value = Player> {
    PossibleValuesParser::new(["A", "B"])
        .try_map(|name| name.to_ascii_uppercase().parse::<Player>())
}

/// A parser of whole numbers from `least` to `most`; `noun` names one in messages.
pub(super) fn between<T: TryFrom<u64>>(
    noun: &'static str,
    least: u64,
    most: u64,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = whole(text)
            .filter(|number| (least..=most).contains(number))
            .and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| {
            // A limit of the number's type is not worth naming.
            let is_limited = most != u64::MAX && most != u64::from(u32::MAX);
            let limit = if is_limited {
                format!(" to {}", grouped(most as usize))
            } else {
                ", such as 500 or 1e6".to_owned()
            };
            format!("expected {noun}, a whole number from {least}{limit}")
        })
    }
}

/// Reads a number of seconds.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=1e9).contains(seconds));
    seconds.ok_or_else(|| "expected a number of seconds from 0 to 1e9".to_owned())
}

/// Reads a width of bounds, which is a finite number.
pub(super) fn gap(text: &str) -> Result<f64, String> {
    let gap = text.parse().ok().filter(|gap: &f64| *gap >= 0.0 && gap.is_finite());
    gap.ok_or_else(|| "expected a number that is not below 0, such as 1e-6".to_owned())
}

/// Formats 13005 as 13,005.
pub(super) fn grouped(number: usize) -> String {
    indicatif::HumanCount(number as u64).to_string()
}

/// Formats a number without bounds: to nearest, in digits that doubles compute, with an exponent
/// where it is tiny. Bounds are printed by
/// [`Enclosure::decimal`](pencil_tennis::Enclosure::decimal), widths by
/// [`rounded_up`](pencil_tennis::bounds::rounded_up).
pub(super) fn number(value: f64) -> String {
    if value != 0.0 && value.abs() < 1e-5 {
        return format!("{value:.1e}");
    }
    let text = format!("{value:.14}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Formats a payoff to five decimals, or with an exponent where it is smaller than `least`.
pub(super) fn short(payoff: f64, least: f64) -> String {
    if payoff != 0.0 && payoff.abs() < least {
        format!("{payoff:.1e}")
    } else {
        format!("{payoff:.5}")
    }
}

/// Formats what a choice costs the player.
pub(super) fn cost(loss: f64) -> String {
    if loss == 0.0 { "-".to_owned() } else { short(loss, 5e-6) }
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, number) in [
            ("0", 0),
            ("1e6", 1_000_000),
            ("1.5E3", 1_500),
            ("500_000", 500_000),
            ("1,000", 1_000),
            ("2e+2", 200),
            ("3.0", 3),
        ] {
            assert_eq!(whole(text), Some(number), "{text}");
        }
        for text in
            ["", "e6", "1.5", "-1", "1e-3", "1e30", "18446744073709551616", "ten", "0x10", "1.55e1"]
        {
            assert_eq!(whole(text), None, "{text}");
        }
    }
}
