//! The names in properties, and the values of formulas in the states of a model.

use prism_model::{Expression, LanguageError, Meaning, Scope, Valuation, Value};

use super::explicit::ExplicitModel;
use crate::error::ModelError;

/// Rejects a property.
pub(super) fn refuse<T>(reason: impl Into<String>) -> Result<T, ModelError> {
    Err(ModelError::Property { reason: reason.into() })
}

/// A fault of the language as one of the property, which has one line as a rule.
pub(super) fn in_property(error: &LanguageError) -> ModelError {
    let reason = match error.at.line {
        0 | 1 => format!("{} (column {})", error.reason, error.at.column),
        _ => error.to_string(),
    };
    ModelError::Property { reason }
}

/// Labels count as further variables, after those of the states.
impl Scope for ExplicitModel {
    fn name(&self, name: &str) -> Option<Meaning<'_>> {
        match self.variables.iter().rposition(|known| known == name) {
            Some(variable) => Some(Meaning::Variable(variable)),
            None => self.definitions.name(name),
        }
    }

    fn label(&self, label: &str) -> Option<Meaning<'_>> {
        match self.labels.iter().position(|known| known == label) {
            Some(label) => Some(Meaning::Variable(self.variables.len() + label)),
            None => self.definitions.label(label),
        }
    }

    fn known(&self, of_labels: bool) -> Vec<String> {
        let names = if of_labels { &self.labels } else { &self.variables };
        let mut known = self.definitions.known(of_labels);
        known.extend(names.iter().cloned());
        known.sort_unstable();
        known.dedup();
        known
    }
}

/// A state of a model.
pub(super) struct StateOf<'m> {
    pub(super) model: &'m ExplicitModel,
    pub(super) state: usize,
}

impl Valuation for StateOf<'_> {
    fn value(&self, variable: usize) -> Value {
        match variable.checked_sub(self.model.variables.len()) {
            None => self.model.values[self.state][variable].clone(),
            Some(label) => Value::Truth(self.model.holds[self.state].contains(&(label as u32))),
        }
    }
}

impl ExplicitModel {
    /// Resolves the names in a property.
    pub(super) fn resolve(&self, property: &Expression) -> Result<Expression, ModelError> {
        property.resolve(self).map_err(|error| in_property(&error))
    }

    /// The value of a formula whose names are resolved, in a state.
    pub(super) fn value(&self, formula: &Expression, state: usize) -> Result<Value, ModelError> {
        let value = formula.evaluate(&StateOf { model: self, state });
        value.map_err(|mut error| {
            error.reason = format!("at state {state}, {}", error.reason);
            in_property(&error)
        })
    }

    /// Whether a formula holds, by state.
    pub(super) fn truths(&self, formula: &Expression) -> Result<Vec<bool>, ModelError> {
        (0..self.choices.len()).map(|state| self.truth(formula, state)).collect()
    }

    pub(super) fn truth(&self, formula: &Expression, state: usize) -> Result<bool, ModelError> {
        match self.value(formula, state)? {
            Value::Truth(truth) => Ok(truth),
            number => {
                refuse(format!("at state {state}, a formula is {number}; expected true or false"))
            }
        }
    }
}
