//! Domain types as `serde` objects, with the fields of `docs/json.md` in its order.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::analysis::{BidProbability, JudgedGame, Score, Series, SolvedScore};
use crate::blind::{BlindSize, BlindSolution, ValueOfInformation};
use crate::certificate::Proof;
use crate::game::{ByPlayer, Outcome, nearest_double};
use crate::solution::BidStrategy;

/// Serialises types as [objects](object) with these fields, in this order.
macro_rules! as_objects {
    ($($type:ty, |$it:ident| { $($field:literal $(if $known:ident)?: $value:expr),+ $(,)? })+) => {$(
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $it = self;
                serde::Serialize::serialize(&crate::serde_object::object! { $($field $(if $known)?: &$value),+ }, serializer)
            }
        }
    )+};
}

/// An object with these fields, in this order; a field `"name" if known` is left out if its option
/// is `None`.
macro_rules! object {
    () => { () };
    ($field:literal if known: $value:expr $(, $($rest:tt)*)?) => {
        // An option, or a reference to one.
        crate::serde_object::Field($field, $value.into_iter().next(), crate::serde_object::object!($($($rest)*)?))
    };
    ($field:literal: $value:expr $(, $($rest:tt)*)?) => {
        crate::serde_object::Field($field, Some($value), crate::serde_object::object!($($($rest)*)?))
    };
}

#[cfg(feature = "report")]
pub(crate) use as_objects;
pub(crate) use object;

/// A field of an object, if it is known, and those after it.
pub(crate) struct Field<V, R>(pub(crate) &'static str, pub(crate) Option<V>, pub(crate) R);

pub(crate) trait Fields {
    fn enter<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error>;
}

impl Fields for () {
    fn enter<M: SerializeMap>(&self, _: &mut M) -> Result<(), M::Error> {
        Ok(())
    }
}

impl<V: Serialize, R: Fields> Fields for Field<V, R> {
    fn enter<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        if let Some(value) = &self.1 {
            object.serialize_entry(self.0, value)?;
        }
        self.2.enter(object)
    }
}

impl<V: Serialize, R: Fields> Serialize for Field<V, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        self.enter(&mut object)?;
        object.end()
    }
}

as_objects! {
    Proof, |proof| {
        "valid": true,
        "points": proof.points(),
        "states": proof.iter().len(),
        "start": proof.enclosure(proof.start()).ok(),
        "widest_enclosure": proof.widest_enclosure(),
        "unit_exponent": proof.exponent(),
    }
    Series, |series| {
        "points": series.points(),
        "to": series.to(),
        "widest_enclosure": series.widest_enclosure(),
        "scores": series.scores().collect::<Vec<_>>(),
    }
    SolvedScore<'_>, |solved| {
        "score": Score::new(solved.score.a, solved.score.b),
        "exchanged": solved.score.exchanged,
        "chance": solved.chance.middle(),
        "lower": solved.chance.lower(),
        "upper": solved.chance.upper(),
        "decimal": solved.chance.decimal(),
        "mean_bid_a": solved.opening.a.mean(),
        "mean_bid_b": solved.opening.b.mean(),
        "a": solved.opening.a,
        "b": solved.opening.b,
    }
    BlindSolution, |solution| {
        "points": [solution.start().a, solution.start().b],
        "value": solution.value(),
        "lower": solution.enclosure().lower(),
        "upper": solution.enclosure().upper(),
        "decimal": solution.enclosure().decimal(),
        "gap": solution.enclosure().width(),
        "information_sets": BlindSize::new(solution.rules(), solution.start()).information_sets,
        "decisions": solution.decisions(),
        "method": solution.method(),
        "iterations": solution.iterations(),
        "bytes": solution.bytes(),
        "opening": ByPlayer::new(|player| solution.opening(player)),
        "seconds": solution.elapsed().as_secs_f64(),
    }
    ValueOfInformation, |information| {
        "open": information.open,
        "a_blind": information.one_blind.a,
        "b_blind": information.one_blind.b,
        "guesses": information.guesses.iter().map(|(guess, bounds)| object! {
            "guess": guess,
            "lower": bounds.lower(),
            "upper": bounds.upper(),
            "decimal": bounds.decimal(),
            "exploitability": bounds.width() / 2.0,
        }).collect::<Vec<_>>(),
    }
}

as_objects! {
    JudgedGame, |judged| {
        "start": judged.game.start(),
        "proved": judged.proved,
        "turns": judged.turns,
        "state": judged.game.state(),
        "value": judged.value,
        "end": judged.game.outcome().map(end_name),
        "ended_where_it_lies": judged.game.ended_where_it_lies(),
        "payoff": judged.game.payoff().map(nearest_double),
        "loss_a": judged.losses.a,
        "loss_b": judged.losses.b,
        "costliest": judged.costliest,
    }
}

impl Serialize for BidStrategy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Vec::<BidProbability>::from(self).serialize(serializer)
    }
}

pub(crate) const fn end_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::OutByA => "out_by_a",
        Outcome::LiesWithB => "lies_with_b",
        Outcome::Draw => "draw",
        Outcome::LiesWithA => "lies_with_a",
        Outcome::OutByB => "out_by_b",
    }
}
