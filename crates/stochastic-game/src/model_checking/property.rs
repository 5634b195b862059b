//! Zero-sum properties of a coalition, in the syntax of PRISM-games.

use std::str::FromStr;

use prism_model::{Expression, ExpressionKind, Operator, Relation, read_property};

use super::names::{in_property, refuse};
use crate::error::ModelError;

/// A question about a model: which probability, or which expected reward, a coalition of players
/// can guarantee.
///
/// ```
/// use stochastic_game::model_checking::Property;
///
/// let property: Property = "<<1>>Pmax=? [ F s1=3 & t<=1 ]".parse()?;
/// let equilibria = "<<1:2>>max=? (P[F s1=3] + P[F s2=3])".parse::<Property>();
/// assert!(equilibria.unwrap_err().to_string().contains("equilibria"));
/// # Ok::<(), stochastic_game::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// A single operator that asks for a number.
    pub(super) expression: Expression,
}

/// Longer properties are rejected.
const LONGEST: usize = 100_000;

/// Reads a property with any operators.
pub(super) fn read(text: &str) -> Result<Expression, ModelError> {
    if text.len() > LONGEST {
        return refuse(format!("it has {} bytes; at most {LONGEST} are read", text.len()));
    }
    read_property(text.trim()).map_err(|error| in_property(&error))
}

/// The operator of an expression that is one alone.
pub(super) fn operator_of(expression: &Expression) -> Option<&Operator> {
    if let ExpressionKind::Operator(operator) = &expression.kind { Some(operator) } else { None }
}

impl FromStr for Property {
    type Err = ModelError;

    fn from_str(text: &str) -> Result<Self, ModelError> {
        let expression = read(text)?;
        match operator_of(&expression).map(|operator| &operator.relation) {
            Some(Relation::Query(_)) => Ok(Self { expression }),
            Some(Relation::Bound(..)) => {
                refuse("it asks whether a bound holds; expected `=?`, which gives the number")
            }
            None => {
                refuse("it is no single operator; expected one such as `<<1>>Pmax=? [ F s=3 ]`")
            }
        }
    }
}
