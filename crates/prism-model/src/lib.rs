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
    Coalition, Comparison, Direction, Endless, FileProperty, Filter, FilterOperation, Missed,
    Operator, Path, PlayerName, PropertyFile, Quantity, Relation, Rewarded, StepBound, Structure,
    read_property, read_value, steps,
};
pub use value::Value;
pub use variable::{State, StateValues, Variable, VariableType};
