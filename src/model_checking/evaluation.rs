//! State formulas at the states of a model, evaluated in fractions.

use num_traits::{One, Signed, ToPrimitive, Zero};

use super::explicit::ExplicitModel;
use super::expression::Value::{self, Number, Truth};
use super::expression::{Expression, refuse};
use crate::error::{ModelError, Quoted};

impl ExplicitModel {
    /// Whether a formula holds, by state.
    pub(super) fn truths(&self, formula: &Expression) -> Result<Vec<bool>, ModelError> {
        let truth = |state: usize| match self.value(formula, state)? {
            Truth(truth) => Ok(truth),
            Number(number) => refuse(format!("at state {state}, a formula is {number}; expected true or false")),
        };
        (0..self.choices.len()).map(truth).collect()
    }

    fn value(&self, formula: &Expression, state: usize) -> Result<Value, ModelError> {
        match formula {
            Expression::Constant(value) => Ok(value.clone()),
            Expression::Variable(name) => match self.variables.iter().rposition(|known| known == name) {
                Some(variable) => Ok(self.values[state][variable].clone()),
                None => {
                    let mut known: Vec<&str> = self.variables.iter().map(String::as_str).collect();
                    known.sort_unstable();
                    known.dedup();
                    refuse(format!("there is no variable {}; {}", Quoted(name), listed(&known)))
                }
            },
            Expression::Label(label) => match self.labels.iter().position(|known| known == label) {
                Some(label) => Ok(Truth(self.holds[state].contains(&(label as u32)))),
                None => {
                    let known: Vec<&str> = self.labels.iter().map(String::as_str).collect();
                    refuse(format!("there is no label {}; {}", Quoted(label), listed(&known)))
                }
            },
            Expression::Apply(function, operands) => {
                let operands = operands.iter().map(|operand| self.value(operand, state)).collect::<Result<Vec<_>, _>>()?;
                let wrong = || {
                    let taken = operands.iter().map(Value::to_string).collect::<Vec<_>>().join(" and ");
                    format!("at state {state}, `{function}` does not take {taken}")
                };
                apply(function, &operands).map_or_else(|| refuse(wrong()), Ok)
            }
        }
    }
}

/// Lists the known names for a message.
pub(super) fn listed(known: &[&str]) -> String {
    const MOST: usize = 20;
    match known.len() {
        0 => "the export has none (is a file missing?)".to_owned(),
        count if count > MOST => format!("expected one of {}, …", known[..MOST].join(", ")),
        _ => format!("expected one of {}", known.join(", ")),
    }
}

/// Powers are at most this large: a state's variables are small numbers.
const LARGEST_POWER: i32 = 1_000;

/// The value of a function; `None` for operands that it does not take.
fn apply(function: &str, operands: &[Value]) -> Option<Value> {
    Some(match (function, operands) {
        ("?", [Truth(condition), yes, no]) => if *condition { yes } else { no }.clone(),
        ("!", [Truth(a)]) => Truth(!a),
        ("&", [Truth(a), Truth(b)]) => Truth(*a && *b),
        ("|", [Truth(a), Truth(b)]) => Truth(*a || *b),
        ("=>", [Truth(a), Truth(b)]) => Truth(!a || *b),
        ("<=>", [Truth(a), Truth(b)]) => Truth(a == b),
        ("=", [a @ Truth(_), b @ Truth(_)] | [a @ Number(_), b @ Number(_)]) => Truth(a == b),
        ("!=", [a @ Truth(_), b @ Truth(_)] | [a @ Number(_), b @ Number(_)]) => Truth(a != b),
        ("<", [Number(a), Number(b)]) => Truth(a < b),
        ("<=", [Number(a), Number(b)]) => Truth(a <= b),
        (">", [Number(a), Number(b)]) => Truth(a > b),
        (">=", [Number(a), Number(b)]) => Truth(a >= b),
        ("+", [Number(a), Number(b)]) => Number(a + b),
        ("-", [Number(a), Number(b)]) => Number(a - b),
        ("*", [Number(a), Number(b)]) => Number(a * b),
        ("/", [Number(a), Number(b)]) if !b.is_zero() => Number(a / b),
        ("floor", [Number(a)]) => Number(a.floor()),
        ("ceil", [Number(a)]) => Number(a.ceil()),
        ("mod", [Number(a), Number(b)]) if a.is_integer() && b.is_integer() && b.is_positive() => Number(a - (a / b).floor() * b),
        ("pow", [Number(a), Number(b)]) => {
            let power = b.is_integer().then(|| b.to_i32()).flatten().filter(|power| power.abs() <= LARGEST_POWER)?;
            if a.is_zero() && power < 0 {
                return None;
            }
            Number(if a.is_one() { a.clone() } else { a.pow(power) })
        }
        ("min" | "max", ..) => {
            let number = |value: &Value| if let Number(number) = value { Some(number.clone()) } else { None };
            let numbers = operands.iter().map(number).collect::<Option<Vec<_>>>()?.into_iter();
            Number(if function == "min" { numbers.min() } else { numbers.max() }?)
        }
        _ => return None,
    })
}
