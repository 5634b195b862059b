//! Vocabulary types for `serde`: as the text that [`Display`](std::fmt::Display) writes and
//! [`FromStr`] reads.

use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::agents::{LearnerKind, Reward, Schedule};
use crate::analysis::Score;
use crate::blind::{BlindMethod, Guess};
use crate::game::{Ball, Motion, Outcome, Rules, Scoring, State};
use crate::induction::Method;

macro_rules! by_text {
    ($($name:ident),*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
            }
        }
    )*};
}

by_text!(Ball, BlindMethod, Guess, Method, Motion, Outcome, Rules, Score, Scoring, State);
by_text!(LearnerKind, Reward, Schedule);

/// Lists of numbers, as a text in which spaces separate them.
pub(crate) mod spaced {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(
        numbers: &[impl ToString],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ").serialize(serializer)
    }

    pub(crate) fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<T>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let refused =
            |_| D::Error::custom(format!("`{text}` is not a list of numbers separated by spaces"));
        text.split_whitespace().map(|word| word.parse().map_err(refused)).collect()
    }
}

/// A probability as a number, or as a text that is a fraction such as `1/3`.
pub(crate) mod probability {
    use std::fmt;

    use num_traits::{ToPrimitive, Zero};
    use serde::de::{Error, Visitor};

    use super::*;
    use stochastic_game::internal::Quoted;
    use stochastic_game::internal::exact_number;

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        deserializer.deserialize_any(Probability)
    }

    struct Probability;

    impl Visitor<'_> for Probability {
        type Value = f64;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a number from 0 to 1 such as 0.25 or 1/3")
        }

        fn visit_f64<E: Error>(self, number: f64) -> Result<f64, E> {
            Ok(number)
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<f64, E> {
            Ok(number as f64)
        }

        fn visit_i64<E: Error>(self, number: i64) -> Result<f64, E> {
            Ok(number as f64)
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<f64, E> {
            let refused = |_| {
                E::custom(format!(
                    "{} is no probability; expected a number from 0 to 1 such as 0.25 or 1/3",
                    Quoted(text)
                ))
            };
            let exact = exact_number(text).map_err(refused)?.to_rational();
            match exact.to_f64().unwrap_or(f64::NAN) {
                // The smallest double: a fraction that is not 0 stays positive.
                0.0 if !exact.is_zero() => Ok(f64::from_bits(1)),
                nearest => Ok(nearest),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt;

    use serde::de::value::{Error as ValueError, StrDeserializer};

    use super::*;
    use crate::game::Player;
    use crate::matrix_game::Uniqueness;

    /// The text that a value is serialised as: a formatter is a serialiser.
    struct Written<'t, T>(&'t T);

    impl<T: Serialize> fmt::Display for Written<'_, T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.serialize(f)
        }
    }

    fn assert_round_trip<T>(texts: &[&str])
    where
        T: Serialize
            + for<'de> Deserialize<'de>
            + FromStr<Err: fmt::Debug>
            + PartialEq
            + fmt::Debug,
    {
        for &text in texts {
            let value: T = text.parse().unwrap();
            assert_eq!(Written(&value).to_string(), text);
            assert_eq!(T::deserialize(StrDeserializer::<ValueError>::new(text)).unwrap(), value);
        }
    }

    #[test]
    fn what_is_written_is_read_as_the_same() {
        assert_round_trip::<State>(&["4:3@-2"]);
        assert_round_trip::<Ball>(&["-2"]);
        assert_round_trip::<Rules>(&[
            "field 2 motion step scoring 1,0,0,0,-1",
            "field 2 motion net scoring two-one min-bid 0",
        ]);
        assert_round_trip::<BlindMethod>(&["cfr", "lp", "ipm"]);
        assert_round_trip::<Guess>(&["fewest", "middle", "most"]);
        assert_round_trip::<Uniqueness>(&["several"]);
        assert_round_trip::<Scoring>(&["1,0,0,0,-1"]);
        assert_round_trip::<Score>(&["3-1 exchanged"]);
        assert_round_trip::<Player>(&["A", "B"]);
        assert_round_trip::<Outcome>(&["draw", "A hits the ball out"]);
        assert!(Player::deserialize(StrDeserializer::<ValueError>::new("C")).is_err());
    }
}
