#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod choices;
mod error;
mod expression;
mod guard;
mod instance;
mod lexer;
mod model;
mod parser;
mod probability;
mod property;
mod property_file;
mod property_parser;
mod successors;
mod value;
mod variable;

#[cfg(test)]
mod tests;

pub use choices::{Choice, Choices, LabelledStep};
pub use error::{LanguageError, Position};
pub use expression::{
    BinaryOperator, Expression, ExpressionKind, Function, Meaning, Scope, UnaryOperator, Valuation,
    expected_one_of,
};
pub use instance::{Candidates, Definitions, Instance, ResolvedReward};
pub use model::{
    Assignment, Command, ConstantDeclaration, ConstantType, DeclaredRange, Model, ModelKind,
    Module, NamedExpression, PlayerDeclaration, RewardDeclaration, RewardItem, Update,
    UpdateProbability, VariableDeclaration,
};
pub use probability::{Probability, is_nearly_one, normalised};
pub use property::{
    Coalition, Comparison, Direction, Endless, Filter, FilterOperation, Missed, Operator, Path,
    PlayerName, Quantity, Relation, Rewarded, StepBound, Structure, steps,
};
pub use property_file::{FileProperty, PropertyFile};
pub use property_parser::{read_property, read_value};
pub use value::Value;
pub use variable::{State, StateValues, Variable, VariableType};
