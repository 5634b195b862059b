//! Variables, and the states that their values make.

use crate::expression::Valuation;
use crate::value::Value;

/// The values of all variables, in their order; truth values are 0 and 1.
pub type State = Box<[i32]>;

/// A variable of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its values.
    pub of: VariableType,
}

/// The values of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableType {
    /// True and false.
    Truth,
    /// Whole numbers.
    Integers {
        /// The least.
        low: i32,
        /// The largest.
        high: i32,
    },
}

impl VariableType {
    pub(crate) fn value(self, stored: i32) -> Value {
        match self {
            Self::Truth => Value::Truth(stored != 0),
            Self::Integers { .. } => Value::Integer(stored.into()),
        }
    }

    /// The value as states store it; `None` of one outside of the range.
    pub(crate) fn stored(self, value: &Value) -> Option<i32> {
        match (self, value) {
            (Self::Truth, Value::Truth(truth)) => Some((*truth).into()),
            (Self::Integers { low, high }, Value::Integer(whole)) => {
                i32::try_from(*whole).ok().filter(|whole| (low..=high).contains(whole))
            }
            _ => None,
        }
    }

    pub(crate) fn bounds(self) -> [i32; 2] {
        match self {
            Self::Truth => [0, 1],
            Self::Integers { low, high } => [low, high],
        }
    }
}

/// The values of a state.
pub struct StateValues<'i> {
    pub(crate) variables: &'i [Variable],
    pub(crate) state: &'i [i32],
    pub(crate) next: &'i [Option<i32>],
}

impl Valuation for StateValues<'_> {
    fn value(&self, variable: usize) -> Value {
        self.variables[variable].of.value(self.state[variable])
    }

    fn next_value(&self, variable: usize) -> Option<Value> {
        let stored = self.next.get(variable).copied().flatten()?;
        Some(self.variables[variable].of.value(stored))
    }
}
