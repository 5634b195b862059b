//! Guards: conditions that mostly fail by the value of a single variable.
//!
//! Exported and generated models have thousands of commands, of which a state enables a few. Whole
//! numbers are compared in a hundredth of the time that an expression takes.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use crate::expression::{BinaryOperator, Expression, ExpressionKind, UnaryOperator};
use crate::value::Value;
use crate::variable::{Variable, VariableType};

/// The values of a variable without which a guard does not hold, as states store them.
struct Required {
    variable: usize,
    low: i64,
    high: i64,
}

impl Required {
    /// The requirement of a condition on one variable; `None` of any other condition.
    fn of(condition: &Expression, variables: &[Variable]) -> Option<Self> {
        let is_truth = |variable: usize| variables[variable].of == VariableType::Truth;
        match &condition.kind {
            &ExpressionKind::Variable(variable) if is_truth(variable) => {
                Some(Self { variable, low: 1, high: 1 })
            }
            ExpressionKind::Unary(UnaryOperator::Not, operand) => match operand.kind {
                ExpressionKind::Variable(variable) if is_truth(variable) => {
                    Some(Self { variable, low: 0, high: 0 })
                }
                _ => None,
            },
            ExpressionKind::Binary(operator, operands) => {
                match (&operands[0].kind, &operands[1].kind) {
                    (
                        &ExpressionKind::Variable(variable),
                        &ExpressionKind::Constant(Value::Integer(number)),
                    ) if !is_truth(variable) => Self::comparison(variable, *operator, number),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn is_one_value(&self) -> bool {
        self.low == self.high
    }

    fn comparison(variable: usize, operator: BinaryOperator, number: i64) -> Option<Self> {
        let (low, high) = match operator {
            BinaryOperator::Equal => (number, number),
            BinaryOperator::Less => (i64::MIN, number.checked_sub(1)?),
            BinaryOperator::AtMost => (i64::MIN, number),
            BinaryOperator::Greater => (number.checked_add(1)?, i64::MAX),
            BinaryOperator::AtLeast => (number, i64::MAX),
            _ => return None,
        };
        Some(Self { variable, low, high })
    }
}

/// The condition of a command or of a reward.
pub(crate) struct Guard {
    required: Vec<Required>,
    condition: Expression,
}

impl Guard {
    pub(crate) fn new(condition: Expression, variables: &[Variable]) -> Self {
        let mut required = Vec::new();
        require(&condition, variables, &mut required);
        Self { required, condition }
    }

    /// The condition, unless the values of single variables tell that it is false in a state.
    pub(crate) fn possible_in(&self, state: &[i32]) -> Option<&Expression> {
        self.required
            .iter()
            .all(|&Required { variable, low, high }| {
                (low..=high).contains(&i64::from(state[variable]))
            })
            .then_some(&self.condition)
    }
}

/// Writes the condition alone: the rest follows from it.
impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.condition.fmt(f)
    }
}

/// Adds what the first parts of a condition require. Ends at the first part that is not about a
/// single variable: it may be malformed in a state, such as a division by 0, and has to be refused
/// there before later parts are looked at. Tells whether all parts were added.
fn require(condition: &Expression, variables: &[Variable], required: &mut Vec<Required>) -> bool {
    if let ExpressionKind::Binary(BinaryOperator::And, parts) = &condition.kind {
        return parts.iter().all(|part| require(part, variables, required));
    }
    let requirement = Required::of(condition, variables);
    let is_simple = requirement.is_some();
    required.extend(requirement);
    is_simple
}

/// Fewer guards are compared one by one in less time than a value is looked up.
const FEWEST_TO_SPLIT: usize = 8;

/// The most variables by which guards are told apart: a bound on the time that a tree takes.
const MOST_SPLITS: usize = 16;

/// The guards of a module by the values that they require: a discrimination tree, in which each of
/// them has one place.
pub(crate) enum GuardTree {
    /// The numbers of some guards.
    Guards(Vec<usize>),
    /// Guards that require one value of a variable, by that value, and the others.
    ByValue { variable: usize, guards: HashMap<i64, GuardTree>, others: Box<GuardTree> },
}

impl GuardTree {
    pub(crate) fn new(guards: &[&Guard]) -> Self {
        Self::of(guards, (0..guards.len()).collect(), &mut Vec::new())
    }

    /// The tree of the guards with these numbers, which the values of some variables have told
    /// apart already.
    fn of(guards: &[&Guard], numbers: Vec<usize>, told_apart: &mut Vec<usize>) -> Self {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for required in numbers.iter().flat_map(|&number| &guards[number].required) {
            if required.is_one_value() && !told_apart.contains(&required.variable) {
                *counts.entry(required.variable).or_default() += 1;
            }
        }
        let most = counts.into_iter().max_by_key(|&(_, count)| count);
        let Some((variable, _)) =
            most.filter(|&(_, count)| count >= FEWEST_TO_SPLIT && told_apart.len() < MOST_SPLITS)
        else {
            return Self::Guards(numbers);
        };

        let mut by_value: HashMap<i64, Vec<usize>> = HashMap::new();
        let mut others = Vec::new();
        for number in numbers {
            let mut required = guards[number].required.iter();
            match required.find(|required| required.variable == variable && required.is_one_value())
            {
                Some(required) => by_value.entry(required.low).or_default().push(number),
                None => others.push(number),
            }
        }
        told_apart.push(variable);
        let of_value = |(value, numbers)| (value, Self::of(guards, numbers, told_apart));
        let by_value = by_value.into_iter().map(of_value).collect();
        let others = Box::new(Self::of(guards, others, told_apart));
        told_apart.pop();
        Self::ByValue { variable, guards: by_value, others }
    }

    /// The numbers of the guards that may hold in a state, rising.
    pub(crate) fn possible_in(&self, state: &[i32]) -> Vec<usize> {
        let mut found = Vec::new();
        self.add_possible(state, &mut found);
        found.sort_unstable();
        found
    }

    fn add_possible(&self, state: &[i32], found: &mut Vec<usize>) {
        match self {
            Self::Guards(numbers) => found.extend(numbers),
            Self::ByValue { variable, guards, others } => {
                if let Some(tree) = guards.get(&state[*variable].into()) {
                    tree.add_possible(state, found);
                }
                others.add_possible(state, found);
            }
        }
    }
}
