//! Errors as objects, for programs that put them in words of their own: code, sentence, and the
//! fields of the sentence.

use std::fmt::Display;
use std::path::PathBuf;

use num_rational::BigRational;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{ActionsFault, Error, StochasticGameError, TableFault};
use crate::excerpt::sentence;
use crate::matrix_game::MatrixError;
use crate::player::Player;
use crate::work::{WorkError, memory};

pub type Object = Map<String, Value>;

/// Adds fields to an object, by their names.
#[doc(hidden)]
#[macro_export]
macro_rules! tell {
    ($object:ident, $($field:ident),+) => {{
        use $crate::internal::Field as _;
        $($object.insert(stringify!($field).to_owned(), $field.value());)+
    }};
    ($object:ident,) => {};
}

/// An error with a code and fields.
pub trait Fault: Display {
    fn code(&self) -> &'static str;

    /// Adds the fields.
    fn tell(&self, object: &mut Object);

    fn object(&self) -> Value {
        let mut object = Object::new();
        object.insert("code".to_owned(), Fault::code(self).into());
        object.insert("message".to_owned(), self.to_string().into());
        self.tell(&mut object);
        Value::Object(object)
    }
}

impl Error {
    /// The error as an object: its [code](Self::code), its sentence as `message`, and the fields of
    /// its variant by their names, numbers as numbers, names of states and players as text of
    /// bounded length; a fault in it is such an object of its own. What was found in a game says in
    /// `at` where, as far as it is known: `line`, `state` and the `actions` of the cell.
    pub fn object(&self) -> impl Serialize + use<> {
        Fault::object(self)
    }
}

impl<F: Fault + ?Sized> Fault for Box<F> {
    fn code(&self) -> &'static str {
        (**self).code()
    }

    fn tell(&self, object: &mut Object) {
        (**self).tell(object);
    }
}

impl Fault for Error {
    fn code(&self) -> &'static str {
        self.code()
    }

    fn tell(&self, object: &mut Object) {
        match self {
            Self::Work(error) => error.tell(object),
            Self::Matrix(error) => error.tell(object),
            Self::Model(error) => error.tell(object),
            Self::StochasticGame(error) => error.tell(object),
            Self::Distributed(error) => error.tell(object),
        }
    }
}

impl Fault for StochasticGameError {
    fn code(&self) -> &'static str {
        self.code()
    }

    fn tell(&self, object: &mut Object) {
        self.fault().tell(object);
        let mut at = Object::new();
        if let Some(line) = self.line() {
            at.insert("line".to_owned(), line.into());
        }
        if let Some(state) = self.state() {
            at.insert("state".to_owned(), sentence(&state).into());
        }
        if let Some(actions) = self.cell() {
            at.insert("actions".to_owned(), json!(actions.map(|action| sentence(&action))));
        }
        if !at.is_empty() {
            object.insert("at".to_owned(), Value::Object(at));
        }
    }
}

// The errors of the crate below name the fields that their sentences tell; it may add variants.
impl Fault for MatrixError {
    fn code(&self) -> &'static str {
        self.code()
    }

    fn tell(&self, object: &mut Object) {
        match self {
            Self::Entry { row, column, entry } => tell!(object, row, column, entry),
            Self::Size { bits } => tell!(object, bits),
            Self::File { reason } => tell!(object, reason),
            Self::ManyStrategies { most } => tell!(object, most),
            Self::UniquenessSyntax { text } => tell!(object, text),
            _ => {}
        }
    }
}

impl Fault for WorkError {
    fn code(&self) -> &'static str {
        self.code()
    }

    fn tell(&self, object: &mut Object) {
        match self {
            Self::Memory { what, bytes, limit } => {
                let [memory, limit] = [bytes, limit].map(|&bytes| memory(bytes));
                tell!(object, what, memory, limit);
            }
            Self::ThreadCount { threads, most } => tell!(object, threads, most),
            Self::Threads { reason } => tell!(object, reason),
            Self::TooManyDigits { digits, most } => tell!(object, digits, most),
            _ => {}
        }
    }
}

/// A field of an error in its object.
pub trait Field {
    fn value(&self) -> Value;
}

macro_rules! fields {
    // Numbers as JSON has them.
    (numbers $($number:ty),*) => {$(
        impl Field for $number {
            fn value(&self) -> Value {
                (*self).into()
            }
        }
    )*};
    // Texts as in the sentence, of bounded length.
    (texts $($text:ty),*) => {$(
        impl Field for $text {
            fn value(&self) -> Value {
                sentence(self).into()
            }
        }
    )*};
    (faults $($fault:ty),*) => {$(
        impl Field for $fault {
            fn value(&self) -> Value {
                self.object()
            }
        }
    )*};
}

fields!(numbers i32, u32, i64, u64, usize, Option<u64>, Option<usize>);
fields!(texts String, &'static str, char, Player, BigRational);
fields!(faults ActionsFault, TableFault);

impl Field for f64 {
    /// JSON has no infinity and no NaN: those are words.
    fn value(&self) -> Value {
        if self.is_finite() { (*self).into() } else { self.to_string().into() }
    }
}

impl Field for Option<String> {
    fn value(&self) -> Value {
        self.as_ref().map(Field::value).into()
    }
}

impl Field for [u64; 2] {
    fn value(&self) -> Value {
        json!(self)
    }
}

impl Field for PathBuf {
    fn value(&self) -> Value {
        sentence(&self.display()).into()
    }
}

impl Field for Vec<String> {
    fn value(&self) -> Value {
        self.iter().map(sentence).collect()
    }
}
