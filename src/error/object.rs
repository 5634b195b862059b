//! Errors as objects, for programs that put them in words of their own: code, sentence, and the
//! fields of the sentence.

use serde::Serialize;
use serde_json::Value;

use ::stochastic_game::internal::{Fault, Field, Object, sentence, tell};

use super::{BidsFault, CertificateFault, Error, HiddenFileFault};
use crate::game::{GameError, RecordFault, State};

impl Error {
    /// The error as an object: its [code](Self::code), its sentence as `message`, and the fields of
    /// its variant by their names, numbers as numbers, names of states and players as text of
    /// bounded length; a fault in it is such an object of its own. What was found in a game says in
    /// `at` where, as far as it is known: `line`, `state` and the `actions` of the cell.
    ///
    /// ```
    /// use pencil_tennis::{Error, Rules};
    ///
    /// let refused = "field 0 motion net scoring two-one".parse::<Rules>().map_err(Error::from).unwrap_err();
    /// let object = serde_json::to_value(refused.object())?;
    /// assert_eq!((&object["code"], &object["largest"]), (&"game.field_size".into(), &99.into()));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn object(&self) -> impl Serialize + use<> {
        Fault::object(self)
    }
}

impl Fault for Error {
    fn code(&self) -> &'static str {
        self.code()
    }

    fn tell(&self, object: &mut Object) {
        match self {
            Self::Work(error) => error.tell(object),
            Self::Game(error) => error.tell(object),
            Self::Matrix(error) => error.tell(object),
            Self::Certificate { reason } => tell!(object, reason),
            Self::Method(error) => error.tell(object),
            Self::Model(error) => error.tell(object),
            Self::TableFile { path, reason } => tell!(object, path, reason),
            Self::Policy(error) => error.tell(object),
            Self::Blind(error) => error.tell(object),
            Self::Hidden(error) => error.tell(object),
            Self::StochasticGame(error) => error.tell(object),
            Self::Series(error) => error.tell(object),
            Self::Agent(error) => error.tell(object),
            Self::Distributed(error) => error.tell(object),
        }
    }
}

impl Field for State {
    fn value(&self) -> Value {
        sentence(self).into()
    }
}

/// Faults in an error are objects of their own.
macro_rules! faults {
    ($($fault:ty),*) => {$(
        impl Field for $fault {
            fn value(&self) -> Value {
                self.object()
            }
        }
    )*};
}

faults!(BidsFault, CertificateFault, GameError, HiddenFileFault, RecordFault);
