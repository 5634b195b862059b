//! Expressions: their tree, what their names mean, and their values.

use num_rational::BigRational;
use num_traits::Zero;

use crate::error::{LanguageError, Position, excerpt, quoted, refuse};
use crate::property::{Filter, Operator};
use crate::value::{MOST_BITS, Value, ceil, floor, logarithm, modulo, power, round};

/// An expression, with its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// The outermost operation.
    pub kind: ExpressionKind,
    /// The place of the operation in the text.
    pub at: Position,
    /// The length of the longest path to a leaf.
    pub(crate) depth: u32,
}

/// An operation with its operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpressionKind {
    /// A number or truth value.
    Constant(Value),
    /// A variable, constant or formula, or in a property file a property, by its name.
    Name(String),
    /// The value of a variable after the step: `x'`. In updates of concurrent games.
    Primed(String),
    /// A label: `"goal"`.
    Label(String),
    /// A variable whose name has been [resolved](Expression::resolve): its index.
    Variable(usize),
    /// Its value after the step.
    NextVariable(usize),
    /// An operator with one operand.
    Unary(UnaryOperator, Box<Expression>),
    /// An operator between two operands.
    Binary(BinaryOperator, Box<[Expression; 2]>),
    /// `condition ? first : second`.
    Conditional(Box<[Expression; 3]>),
    /// A function of some operands.
    Call(Function, Vec<Expression>),
    /// A probability or reward operator of a property, such as `P>=0.5 [ F s=3 ]`.
    Operator(Box<Operator>),
    /// A filter of a property.
    Filter(Box<Filter>),
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    /// `!`
    Not,
    /// `-`
    Minus,
}

/// An operator between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOperator {
    /// `=>`
    Implies,
    /// `<=>`
    IfAndOnlyIf,
    /// `|`
    Or,
    /// `&`
    And,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, which never rounds
    Divide,
    /// `^`
    Power,
}

impl BinaryOperator {
    /// The operator as it is written.
    pub fn text(self) -> &'static str {
        match self {
            Self::Implies => "=>",
            Self::IfAndOnlyIf => "<=>",
            Self::Or => "|",
            Self::And => "&",
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Greater => ">",
            Self::AtLeast => ">=",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Power => "^",
        }
    }
}

/// A function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// `min`, of any number of operands
    Minimum,
    /// `max`, of any number of operands
    Maximum,
    /// `floor`
    Floor,
    /// `ceil`
    Ceil,
    /// `round`, upward from the middle
    Round,
    /// `mod`, with whole numbers
    Modulo,
    /// `pow`
    Power,
    /// `log`, where it is a whole number
    Logarithm,
}

impl Function {
    const ALL: [Self; 8] = [
        Self::Minimum,
        Self::Maximum,
        Self::Floor,
        Self::Ceil,
        Self::Round,
        Self::Modulo,
        Self::Power,
        Self::Logarithm,
    ];

    /// The function as it is written.
    pub fn text(self) -> &'static str {
        match self {
            Self::Minimum => "min",
            Self::Maximum => "max",
            Self::Floor => "floor",
            Self::Ceil => "ceil",
            Self::Round => "round",
            Self::Modulo => "mod",
            Self::Power => "pow",
            Self::Logarithm => "log",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.text() == name)
    }

    /// The names of all functions, for messages.
    pub(crate) fn names() -> String {
        Self::ALL.map(Self::text).join(", ")
    }
}

/// The values of variables, by their indices.
pub trait Valuation {
    /// The value of a variable before the step.
    fn value(&self, variable: usize) -> Value;

    /// The value of a variable after the step, if it is known.
    fn next_value(&self, _variable: usize) -> Option<Value> {
        None
    }
}

impl Valuation for [Value] {
    fn value(&self, variable: usize) -> Value {
        self[variable].clone()
    }
}

/// What a name means.
#[derive(Clone, Debug)]
pub enum Meaning<'s> {
    /// A value.
    Constant(Value),
    /// A variable, by its index.
    Variable(usize),
    /// Another expression, whose names have still to be resolved.
    Formula(&'s Expression),
    /// A constant that has no value.
    Undefined,
}

/// The meaning of the names in an expression.
pub trait Scope {
    /// The meaning of a name; `None` of an unknown one.
    fn name(&self, name: &str) -> Option<Meaning<'_>>;

    /// The meaning of a label; `None` of an unknown one.
    fn label(&self, label: &str) -> Option<Meaning<'_>>;

    /// The known names or labels, for a message about an unknown one.
    fn known(&self, of_labels: bool) -> Vec<String>;
}

/// Deeper expressions are rejected, so that no stack overflows.
pub(crate) const DEEPEST: u32 = 500;

/// A resolved expression has at most this many parts: formulas within formulas may double it each
/// time.
pub(crate) const MOST_PARTS: usize = 1_000_000;

/// All expressions of a model together have at most this many parts, some 60 bytes each, once
/// formulas are written out.
const MOST_PARTS_OF_MODEL: usize = 5_000_000;

/// Counts the parts of several expressions, so that many that are small in the text cannot take all
/// memory.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PartCount(usize);

impl PartCount {
    /// Counts a part that stands at a place.
    pub(crate) fn add(&mut self, at: Position) -> Result<(), LanguageError> {
        self.0 += 1;
        if self.0 > MOST_PARTS_OF_MODEL {
            let reason = format!(
                "the model has more than {MOST_PARTS_OF_MODEL} parts once formulas and copies are written out"
            );
            return refuse(at, reason);
        }
        Ok(())
    }
}

impl Expression {
    pub(crate) fn leaf(at: Position, kind: ExpressionKind) -> Self {
        Self { kind, at, depth: 0 }
    }

    /// A value as an expression.
    pub fn constant(at: Position, value: Value) -> Self {
        Self::leaf(at, ExpressionKind::Constant(value))
    }

    /// An operation; refused where it is nested too deeply.
    ///
    /// # Errors
    /// More than 500 operations within each other.
    pub fn node(at: Position, kind: ExpressionKind) -> Result<Self, LanguageError> {
        let mut depth = 0;
        for_each_operand(&kind, |operand| depth = depth.max(operand.depth + 1));
        if depth > DEEPEST {
            return refuse(at, format!("the expression is nested more than {DEEPEST} deep"));
        }
        Ok(Self { kind, at, depth })
    }

    /// The value of an expression without names, such as a constant; `None` of any other.
    pub fn as_constant(&self) -> Option<&Value> {
        if let ExpressionKind::Constant(value) = &self.kind { Some(value) } else { None }
    }

    /// The names in the expression, without those in properties.
    pub(crate) fn names(&self, names: &mut Vec<String>) {
        if let ExpressionKind::Name(name) = &self.kind {
            names.push(name.clone());
        }
        for_each_operand(&self.kind, |operand| operand.names(names));
    }

    /// Whether the expression has a probability or reward operator, or a filter.
    pub fn has_operator(&self) -> bool {
        let mut has_operator =
            matches!(self.kind, ExpressionKind::Operator(_) | ExpressionKind::Filter(_));
        for_each_operand(&self.kind, |operand| has_operator |= operand.has_operator());
        has_operator
    }

    /// The value of an expression that has to be constant.
    pub(crate) fn evaluate_constant(&self, nothing: &[Value]) -> Result<Value, LanguageError> {
        if self.has_variable() {
            return refuse(self.at, "it depends on the state; expected a constant");
        }
        self.evaluate(nothing)
    }

    pub(crate) fn has_variable(&self) -> bool {
        let mut has_variable =
            matches!(self.kind, ExpressionKind::Variable(_) | ExpressionKind::NextVariable(_));
        for_each_operand(&self.kind, |operand| has_variable |= operand.has_variable());
        has_variable
    }

    /// Replaces names by what they mean, and constant parts by their values.
    ///
    /// # Errors
    /// An unknown name or label, with those that are known; formulas that contain themselves, or
    /// are too large.
    pub fn resolve(&self, scope: &dyn Scope) -> Result<Self, LanguageError> {
        self.resolve_counted(scope, &mut PartCount::default())
    }

    /// As [`resolve`](Self::resolve), for one of several expressions whose parts are counted
    /// together.
    pub(crate) fn resolve_counted(
        &self,
        scope: &dyn Scope,
        all_parts: &mut PartCount,
    ) -> Result<Self, LanguageError> {
        Resolver { scope, all_parts, parts: 0, depth: 0 }.resolve(self)
    }

    /// The value in a state.
    ///
    /// # Errors
    /// Operands that an operator does not take, with their values; names that are not resolved.
    pub fn evaluate<V: Valuation + ?Sized>(&self, state: &V) -> Result<Value, LanguageError> {
        match &self.kind {
            ExpressionKind::Constant(value) => Ok(value.clone()),
            ExpressionKind::Variable(index) => Ok(state.value(*index)),
            ExpressionKind::NextVariable(index) => match state.next_value(*index) {
                Some(value) => Ok(value),
                None => refuse(
                    self.at,
                    "a variable after the step stands where only updates may have one",
                ),
            },
            ExpressionKind::Unary(operator, operand) => {
                let operand = operand.evaluate(state)?;
                let value = match (operator, &operand) {
                    (UnaryOperator::Not, Value::Truth(truth)) => Some(Value::Truth(!truth)),
                    (UnaryOperator::Minus, Value::Integer(_) | Value::Fraction(_)) => {
                        operand.number().map(|number| Value::of_number(-number))
                    }
                    _ => None,
                };
                let text = if *operator == UnaryOperator::Not { "!" } else { "-" };
                value.map_or_else(|| self.refuse_operands(text, &[operand]), Ok)
            }
            ExpressionKind::Binary(operator, operands) => {
                self.evaluate_binary(*operator, operands, state)
            }
            ExpressionKind::Conditional(parts) => match parts[0].evaluate(state)? {
                Value::Truth(true) => parts[1].evaluate(state),
                Value::Truth(false) => parts[2].evaluate(state),
                other => self.refuse_operands("?", &[other]),
            },
            ExpressionKind::Call(function, operands) => {
                let operands = operands
                    .iter()
                    .map(|operand| operand.evaluate(state))
                    .collect::<Result<Vec<_>, _>>()?;
                call(*function, &operands)
                    .map_or_else(|| self.refuse_operands(function.text(), &operands), Ok)
            }
            ExpressionKind::Name(name) | ExpressionKind::Primed(name) => {
                refuse(self.at, format!("{} is not known here", quoted(name)))
            }
            ExpressionKind::Label(label) => {
                refuse(self.at, format!("the label {} is not known here", quoted(label)))
            }
            ExpressionKind::Operator(_) | ExpressionKind::Filter(_) => refuse(
                self.at,
                "it has a nested property where a formula about single states is expected",
            ),
        }
    }

    fn evaluate_binary<V: Valuation + ?Sized>(
        &self,
        operator: BinaryOperator,
        operands: &[Expression; 2],
        state: &V,
    ) -> Result<Value, LanguageError> {
        let first = operands[0].evaluate(state)?;
        // The second operand of a decided operation may be malformed there, such as a division
        // by 0.
        match (operator, &first) {
            (BinaryOperator::And, Value::Truth(false)) => return Ok(Value::Truth(false)),
            (BinaryOperator::Or, Value::Truth(true))
            | (BinaryOperator::Implies, Value::Truth(false)) => {
                return Ok(Value::Truth(true));
            }
            _ => {}
        }
        let second = operands[1].evaluate(state)?;
        match apply(operator, &first, &second) {
            Some(value) => Ok(value),
            None => self.refuse_operands(operator.text(), &[first, second]),
        }
    }

    fn refuse_operands<T>(&self, operator: &str, operands: &[Value]) -> Result<T, LanguageError> {
        let taken = operands
            .iter()
            .map(|value| excerpt(&value.to_string()))
            .collect::<Vec<_>>()
            .join(" and ");
        refuse(self.at, format!("`{operator}` does not take {taken}"))
    }
}

/// The variables whose values after the step an expression has.
pub(crate) fn next_variables(expression: &Expression, variables: &mut Vec<usize>) {
    if let ExpressionKind::NextVariable(index) = expression.kind {
        variables.push(index);
    }
    for_each_operand(&expression.kind, |operand| next_variables(operand, variables));
}

/// Visits the operands of an operation. The parts of operators and filters of properties count as
/// leaves: properties are short.
pub(crate) fn for_each_operand<'e>(
    kind: &'e ExpressionKind,
    mut visit: impl FnMut(&'e Expression),
) {
    match kind {
        ExpressionKind::Unary(_, operand) => visit(operand),
        ExpressionKind::Binary(_, operands) => operands.iter().for_each(visit),
        ExpressionKind::Conditional(parts) => parts.iter().for_each(visit),
        ExpressionKind::Call(_, operands) => operands.iter().for_each(visit),
        _ => {}
    }
}

struct Resolver<'s> {
    scope: &'s dyn Scope,
    all_parts: &'s mut PartCount,
    parts: usize,
    /// The number of operations and formulas around the part.
    depth: u32,
}

impl Resolver<'_> {
    fn resolve(&mut self, expression: &Expression) -> Result<Expression, LanguageError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return refuse(
                expression.at,
                "the expression is nested too deeply, or has a formula that contains itself",
            );
        }
        let resolved = self.resolve_parts(expression)?;
        self.depth -= 1;
        Ok(resolved)
    }

    fn resolve_parts(&mut self, expression: &Expression) -> Result<Expression, LanguageError> {
        let at = expression.at;
        self.all_parts.add(at)?;
        self.parts += 1;
        if self.parts > MOST_PARTS {
            return refuse(
                at,
                format!(
                    "the expression has more than {MOST_PARTS} parts once its formulas are written out"
                ),
            );
        }
        let kind = match &expression.kind {
            ExpressionKind::Name(name) => return self.named(at, name),
            ExpressionKind::Primed(name) => match self.scope.name(name) {
                Some(Meaning::Variable(index)) => ExpressionKind::NextVariable(index),
                _ => {
                    return refuse(
                        at,
                        format!("{} is no variable, and has no value after the step", quoted(name)),
                    );
                }
            },
            ExpressionKind::Label(label) => match self.scope.label(label) {
                Some(meaning) => return self.meaning(at, label, meaning),
                None => return self.refuse_unknown(at, "label", label),
            },
            ExpressionKind::Unary(operator, operand) => {
                ExpressionKind::Unary(*operator, Box::new(self.resolve(operand)?))
            }
            ExpressionKind::Binary(operator, operands) => {
                let [first, second] = &**operands;
                ExpressionKind::Binary(
                    *operator,
                    Box::new([self.resolve(first)?, self.resolve(second)?]),
                )
            }
            ExpressionKind::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                ExpressionKind::Conditional(Box::new([
                    self.resolve(condition)?,
                    self.resolve(yes)?,
                    self.resolve(no)?,
                ]))
            }
            ExpressionKind::Call(function, operands) => {
                let operands = operands
                    .iter()
                    .map(|operand| self.resolve(operand))
                    .collect::<Result<_, _>>()?;
                ExpressionKind::Call(*function, operands)
            }
            ExpressionKind::Operator(operator) => {
                ExpressionKind::Operator(Box::new(operator.map(&mut |part| self.resolve(part))?))
            }
            ExpressionKind::Filter(filter) => {
                ExpressionKind::Filter(Box::new(filter.map(&mut |part| self.resolve(part))?))
            }
            kind @ (ExpressionKind::Constant(_)
            | ExpressionKind::Variable(_)
            | ExpressionKind::NextVariable(_)) => kind.clone(),
        };
        let resolved = Expression::node(at, kind)?;
        let mut is_constant = matches!(
            resolved.kind,
            ExpressionKind::Unary(..)
                | ExpressionKind::Binary(..)
                | ExpressionKind::Conditional(_)
                | ExpressionKind::Call(..)
        );
        for_each_operand(&resolved.kind, |operand| is_constant &= operand.as_constant().is_some());
        if is_constant {
            // What cannot be computed, such as a division by 0, may never be asked for.
            let nothing: &[Value] = &[];
            if let Ok(value) = resolved.evaluate(nothing) {
                return Ok(Expression::constant(at, value));
            }
        }
        Ok(resolved)
    }

    fn named(&mut self, at: Position, name: &str) -> Result<Expression, LanguageError> {
        match self.scope.name(name) {
            Some(meaning) => self.meaning(at, name, meaning),
            None => self.refuse_unknown(at, "variable", name),
        }
    }

    fn meaning(
        &mut self,
        at: Position,
        name: &str,
        meaning: Meaning<'_>,
    ) -> Result<Expression, LanguageError> {
        match meaning {
            Meaning::Constant(value) => Ok(Expression::constant(at, value)),
            Meaning::Variable(index) => Ok(Expression::leaf(at, ExpressionKind::Variable(index))),
            Meaning::Formula(formula) => self.resolve(formula),
            Meaning::Undefined => refuse(at, format!("the constant {} has no value", quoted(name))),
        }
    }

    fn refuse_unknown<T>(&self, at: Position, kind: &str, name: &str) -> Result<T, LanguageError> {
        let known = expected_one_of(&self.scope.known(kind == "label"));
        refuse(at, format!("there is no {kind} {}; {known}", quoted(name)))
    }
}

/// Lists known names for a message: some of them, if there are many.
pub fn expected_one_of<N: AsRef<str>>(known: &[N]) -> String {
    const MOST: usize = 12;
    if known.is_empty() {
        return "there are none (is a file missing?)".to_owned();
    }
    let mut names: Vec<String> =
        known.iter().take(MOST).map(|name| excerpt(name.as_ref())).collect();
    if known.len() > MOST {
        names.push("…".to_owned());
    }
    format!("expected one of {}", names.join(", "))
}

fn apply(operator: BinaryOperator, first: &Value, second: &Value) -> Option<Value> {
    use BinaryOperator as Op;
    match (first, second) {
        (Value::Truth(first), Value::Truth(second)) => Some(Value::Truth(match operator {
            Op::Implies => !first || *second,
            Op::IfAndOnlyIf | Op::Equal => first == second,
            Op::NotEqual => first != second,
            Op::Or => *first || *second,
            Op::And => *first && *second,
            _ => return None,
        })),
        (Value::Truth(_), _) | (_, Value::Truth(_)) => None,
        (Value::Integer(first), Value::Integer(second)) => {
            apply_to_integers(operator, *first, *second)
        }
        _ => apply_to_numbers(operator, first, second),
    }
}

fn apply_to_integers(operator: BinaryOperator, first: i64, second: i64) -> Option<Value> {
    use BinaryOperator as Op;
    let exact = match operator {
        Op::Add => first.checked_add(second),
        Op::Subtract => first.checked_sub(second),
        Op::Multiply => first.checked_mul(second),
        Op::Equal => return Some(Value::Truth(first == second)),
        Op::NotEqual => return Some(Value::Truth(first != second)),
        Op::Less => return Some(Value::Truth(first < second)),
        Op::AtMost => return Some(Value::Truth(first <= second)),
        Op::Greater => return Some(Value::Truth(first > second)),
        Op::AtLeast => return Some(Value::Truth(first >= second)),
        _ => None,
    };
    match exact {
        Some(whole) => Some(Value::Integer(whole)),
        None => apply_to_numbers(operator, &Value::Integer(first), &Value::Integer(second)),
    }
}

fn apply_to_numbers(operator: BinaryOperator, first: &Value, second: &Value) -> Option<Value> {
    use BinaryOperator as Op;
    if operator == Op::Power {
        return power(first, second);
    }
    let (first, second) = (first.number()?, second.number()?);
    let bits = |number: &BigRational| number.numer().bits() + number.denom().bits();
    if bits(&first) + bits(&second) > MOST_BITS {
        return None;
    }
    Some(match operator {
        Op::Equal => Value::Truth(first == second),
        Op::NotEqual => Value::Truth(first != second),
        Op::Less => Value::Truth(first < second),
        Op::AtMost => Value::Truth(first <= second),
        Op::Greater => Value::Truth(first > second),
        Op::AtLeast => Value::Truth(first >= second),
        Op::Add => Value::of_number(first + second),
        Op::Subtract => Value::of_number(first - second),
        Op::Multiply => Value::of_number(first * second),
        Op::Divide if !second.is_zero() => Value::of_number(first / second),
        _ => return None,
    })
}

fn call(function: Function, operands: &[Value]) -> Option<Value> {
    match (function, operands) {
        (Function::Minimum | Function::Maximum, [first, rest @ ..]) => {
            let mut best = first.number()?;
            for operand in rest {
                let other = operand.number()?;
                if (other < best) == (function == Function::Minimum) {
                    best = other;
                }
            }
            Some(Value::of_number(best))
        }
        (Function::Floor, [number]) => floor(number),
        (Function::Ceil, [number]) => ceil(number),
        (Function::Round, [number]) => round(number),
        (Function::Modulo, [number, divisor]) => modulo(number, divisor),
        (Function::Power, [base, exponent]) => power(base, exponent),
        (Function::Logarithm, [number, base]) => logarithm(number, base),
        _ => None,
    }
}
