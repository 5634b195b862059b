//! State formulas and arithmetic of properties, in the model checker's syntax and precedence, evaluated in fractions.

use std::fmt;

use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::explicit::ExplicitModel;
use crate::error::{ModelError, Quoted};
use crate::stochastic_game::exact_number;

/// Rejects a property.
pub(super) fn refuse<T>(reason: impl Into<String>) -> Result<T, ModelError> {
    Err(ModelError::Property { reason: reason.into() })
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Name(String),
    Number(BigRational),
    Label(String),
    /// An operator or a bracket, the longest that fits.
    Sign(&'static str),
}

impl Token {
    /// The number of a token, if it is a whole number from 0.
    pub(super) fn whole(&self) -> Option<u64> {
        if let Self::Number(number) = self { Some(number).filter(|number| number.is_integer())?.to_u64() } else { None }
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Number(number) => write!(f, "{number}"),
            Self::Label(label) => write!(f, "\"{label}\""),
            Self::Sign(sign) => f.write_str(sign),
        }
    }
}

/// Longer signs come before their prefixes.
const SIGNS: [&str; 27] = [
    "<=>", "<<", ">>", "<=", ">=", "=>", "!=", "=?", "<", ">", "=", "!", "&", "|", "+", "-", "*", "/", "?", ":", "(", ")", "[",
    "]", "{", "}", ",",
];

pub(super) fn tokens(text: &str) -> Result<Vec<Token>, ModelError> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let word = |is_inside: fn(char) -> bool| rest.find(|c| !is_inside(c)).unwrap_or(rest.len());
        let (token, length) = if first.is_ascii_alphabetic() || first == '_' {
            let length = word(|c| c.is_ascii_alphanumeric() || c == '_');
            (Token::Name(rest[..length].to_owned()), length)
        } else if first.is_ascii_digit() || first == '.' {
            let length = word(|c| c.is_ascii_digit() || c == '.');
            let number =
                exact_number(&rest[..length]).map(|exact| exact.to_rational()).or_else(|fault| refuse(fault.to_string()))?;
            (Token::Number(number), length)
        } else if let Some(label) = rest.strip_prefix('"') {
            let Some(length) = label.find('"') else { return refuse("a label lacks its closing quotation mark") };
            (Token::Label(label[..length].to_owned()), length + 2)
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            (Token::Sign(sign), sign.len())
        } else {
            return refuse(format!("{} is not part of the language", Quoted(&first.to_string())));
        };
        tokens.push(token);
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

/// Longer properties are rejected: a sum of this many terms is a tree as deep, evaluated and dropped by recursion.
const LONGEST: usize = 1_000;

pub(super) struct Reader {
    tokens: std::iter::Peekable<std::vec::IntoIter<Token>>,
    depth: u32,
}

impl Reader {
    pub(super) fn new(text: &str) -> Result<Self, ModelError> {
        let tokens = tokens(text)?;
        if tokens.len() > LONGEST {
            return refuse(format!("it has {} words and signs; at most {LONGEST} are read", tokens.len()));
        }
        Ok(Self { tokens: tokens.into_iter().peekable(), depth: 0 })
    }

    pub(super) fn next(&mut self) -> Option<Token> {
        self.tokens.next()
    }

    pub(super) fn peek(&mut self) -> Option<&Token> {
        self.tokens.peek()
    }

    pub(super) fn takes(&mut self, sign: &str) -> bool {
        self.tokens.next_if(|token| matches!(token, Token::Sign(found) if *found == sign)).is_some()
    }

    pub(super) fn takes_name(&mut self, name: &str) -> bool {
        self.tokens.next_if(|token| matches!(token, Token::Name(found) if found == name)).is_some()
    }

    pub(super) fn expect(&mut self, sign: &str) -> Result<(), ModelError> {
        if self.takes(sign) { Ok(()) } else { self.unexpected(&format!("`{sign}`")) }
    }

    pub(super) fn unexpected<T>(&mut self, expected: &str) -> Result<T, ModelError> {
        match self.next() {
            Some(token) => refuse(format!("{} stands where {expected} is expected", Quoted(&token.to_string()))),
            None => refuse(format!("it ends where {expected} is expected")),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Number(BigRational),
    Truth(bool),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Truth(truth) => truth.fmt(f),
        }
    }
}

/// A state formula, or an arithmetic term in one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expression {
    Constant(Value),
    Variable(String),
    Label(String),
    Apply(String, Vec<Expression>),
}

/// Binary operators, the loosest first; those of a row associate to the left.
const PRECEDENCE: [&[&str]; 8] =
    [&["=>"], &["<=>"], &["|"], &["&"], &["=", "!="], &["<", "<=", ">", ">="], &["+", "-"], &["*", "/"]];

/// `!` binds more loosely than comparisons and more tightly than `&`.
const NOT: usize = 4;

/// Deeper expressions are rejected, so that no stack overflows.
const DEEPEST: u32 = 200;

const FUNCTIONS: [&str; 6] = ["min", "max", "floor", "ceil", "mod", "pow"];

impl Expression {
    pub(super) fn read(reader: &mut Reader) -> Result<Self, ModelError> {
        Self::nested(reader, |reader| {
            let condition = Self::binary(reader, 0)?;
            if reader.peek() == Some(&Token::Sign("[")) {
                return refuse(NESTED);
            }
            if !reader.takes("?") {
                return Ok(condition);
            }
            let yes = Self::read(reader)?;
            reader.expect(":")?;
            Ok(Self::Apply("?".to_owned(), vec![condition, yes, Self::read(reader)?]))
        })
    }

    /// Reads a part one level deeper.
    fn nested(reader: &mut Reader, read: impl FnOnce(&mut Reader) -> Result<Self, ModelError>) -> Result<Self, ModelError> {
        reader.depth += 1;
        if reader.depth > DEEPEST {
            return refuse(format!("it is nested more than {DEEPEST} deep"));
        }
        let part = read(reader)?;
        reader.depth -= 1;
        Ok(part)
    }

    fn binary(reader: &mut Reader, level: usize) -> Result<Self, ModelError> {
        let Some(signs) = PRECEDENCE.get(level) else { return Self::atom(reader) };
        if level == NOT && reader.takes("!") {
            return Ok(Self::Apply("!".to_owned(), vec![Self::nested(reader, |reader| Self::binary(reader, NOT))?]));
        }
        let mut left = Self::binary(reader, level + 1)?;
        while let Some(&sign) = signs.iter().find(|sign| reader.takes(sign)) {
            let right = Self::binary(reader, level + 1)?;
            left = Self::Apply(sign.to_owned(), vec![left, right]);
        }
        Ok(left)
    }

    fn atom(reader: &mut Reader) -> Result<Self, ModelError> {
        match reader.next() {
            Some(Token::Number(number)) => Ok(Self::Constant(Value::Number(number))),
            Some(Token::Label(label)) => Ok(Self::Label(label)),
            Some(Token::Sign("(")) => {
                let inner = Self::read(reader)?;
                reader.expect(")")?;
                Ok(inner)
            }
            Some(Token::Sign("-")) => {
                let zero = Self::Constant(Value::Number(BigRational::zero()));
                Ok(Self::Apply("-".to_owned(), vec![zero, Self::atom(reader)?]))
            }
            Some(Token::Name(name)) if name == "true" || name == "false" => Ok(Self::Constant(Value::Truth(name == "true"))),
            Some(Token::Name(name)) if reader.takes("(") => {
                if matches!(&*name, "F" | "G" | "X") {
                    return refuse(NOT_ONE_OPERATOR);
                }
                if !FUNCTIONS.contains(&&*name) {
                    return refuse(format!("{} is no function; expected one of {}", Quoted(&name), FUNCTIONS.join(", ")));
                }
                let mut operands = vec![Self::read(reader)?];
                while reader.takes(",") {
                    operands.push(Self::read(reader)?);
                }
                reader.expect(")")?;
                Ok(Self::Apply(name, operands))
            }
            Some(Token::Name(_)) if matches!(reader.peek(), Some(Token::Sign("=?" | "{"))) => refuse(NESTED),
            Some(Token::Name(name)) if matches!(&*name, "F" | "G" | "X" | "U" | "W" | "R") => refuse(NOT_ONE_OPERATOR),
            Some(Token::Name(name)) => Ok(Self::Variable(name)),
            Some(Token::Sign("<<")) => refuse(NESTED),
            Some(token) => refuse(format!("{} stands where a formula is expected", Quoted(&token.to_string()))),
            None => refuse("it ends where a formula is expected"),
        }
    }
}

const NESTED: &str = "it has a nested property, which is not supported; expected a formula about single states";

pub(super) const NOT_ONE_OPERATOR: &str = "temporal operators are combined (LTL), which is not supported; expected one of F, G, X, U, R and W around formulas about single states";

impl ExplicitModel {
    /// Whether a formula holds, by state.
    pub(super) fn truths(&self, formula: &Expression) -> Result<Vec<bool>, ModelError> {
        let truth = |state: usize| match self.value(formula, state)? {
            Value::Truth(truth) => Ok(truth),
            Value::Number(number) => refuse(format!("at state {state}, a formula is {number}; expected true or false")),
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
                Some(label) => Ok(Value::Truth(self.holds[state].contains(&(label as u32)))),
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
    use Value::{Number, Truth};
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
