//! Reads tokens; expressions by precedence.

use crate::error::{LanguageError, Position, quoted, refuse};
use crate::expression::{BinaryOperator, Expression, ExpressionKind, Function, UnaryOperator};
use crate::lexer::{Sign, Token, TokenKind, tokens};
use crate::value::Value;

/// Brackets within brackets beyond this are rejected, so that no stack overflows.
const DEEPEST_BRACKETS: u32 = 200;

pub(crate) struct Parser {
    tokens: Vec<Token>,
    next: usize,
    depth: u32,
    /// Whether operators and filters of properties are allowed.
    pub(crate) grammar: Grammar,
    /// Whether a bound of steps is read: brackets after a name that is no function begin the
    /// formula, as in `F<=k (x=1)`.
    reads_bound: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grammar {
    Model,
    Property,
}

/// Binary operators, the loosest first; those of a row bind equally.
const PRECEDENCE: [&[(Sign, BinaryOperator)]; 9] = [
    &[(Sign::Implies, BinaryOperator::Implies)],
    &[(Sign::IfAndOnlyIf, BinaryOperator::IfAndOnlyIf)],
    &[(Sign::Or, BinaryOperator::Or)],
    &[(Sign::And, BinaryOperator::And)],
    &[(Sign::Equal, BinaryOperator::Equal), (Sign::NotEqual, BinaryOperator::NotEqual)],
    &[
        (Sign::Less, BinaryOperator::Less),
        (Sign::AtMost, BinaryOperator::AtMost),
        (Sign::Greater, BinaryOperator::Greater),
        (Sign::AtLeast, BinaryOperator::AtLeast),
    ],
    &[(Sign::Plus, BinaryOperator::Add), (Sign::Minus, BinaryOperator::Subtract)],
    &[(Sign::Times, BinaryOperator::Multiply), (Sign::Over, BinaryOperator::Divide)],
    &[(Sign::Power, BinaryOperator::Power)],
];

/// `!` binds more loosely than comparisons and more tightly than `&`; its operand has operators
/// from this row on.
const NOT: usize = 4;

/// The row of `+` and `-`.
const SUM: usize = 6;

impl Parser {
    pub(crate) fn new(text: &str, grammar: Grammar) -> Result<Self, LanguageError> {
        Ok(Self { tokens: tokens(text)?, next: 0, depth: 0, grammar, reads_bound: false })
    }

    pub(crate) fn token(&self) -> &Token {
        &self.tokens[self.next]
    }

    pub(crate) fn peek(&self) -> &TokenKind {
        &self.token().kind
    }

    /// The token after the next.
    pub(crate) fn peek_second(&self) -> &TokenKind {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.next + 1).min(last)].kind
    }

    pub(crate) fn at(&self) -> Position {
        self.token().at
    }

    /// Whether the bracket that comes next opens an assignment such as `(x'=1)`.
    pub(crate) fn assigns_after_bracket(&self) -> bool {
        let after = &self.tokens[(self.next + 1).min(self.tokens.len())..];
        match after {
            [name, prime, equal, ..] => {
                matches!(name.kind, TokenKind::Name(_))
                    && prime.kind == TokenKind::Sign(Sign::Prime)
                    && equal.kind == TokenKind::Sign(Sign::Equal)
            }
            _ => false,
        }
    }

    /// Whether the brackets that come next hold everything up to a `]`: `[ (F x=1) ]`.
    pub(crate) fn brackets_hold_all(&self) -> bool {
        if !self.sees(Sign::Open) {
            return false;
        }
        let mut open = 0_usize;
        for (index, token) in self.tokens.iter().enumerate().skip(self.next) {
            match token.kind {
                TokenKind::Sign(Sign::Open) => open += 1,
                TokenKind::Sign(Sign::Close) => open -= 1,
                _ => {}
            }
            if open == 0 {
                return self.tokens[index + 1].kind == TokenKind::Sign(Sign::CloseSquare);
            }
        }
        false
    }

    /// Where the token taken last ends, in bytes.
    pub(crate) fn end_of_last(&self) -> usize {
        self.next.checked_sub(1).map_or(0, |last| self.tokens[last].bytes.end)
    }

    pub(crate) fn line_of_last(&self) -> u32 {
        self.next.checked_sub(1).map_or(0, |last| self.tokens[last].at.line)
    }

    /// Takes the next token; the end stays.
    pub(crate) fn advance(&mut self) -> TokenKind {
        let kind = self.peek().clone();
        if kind != TokenKind::End {
            self.next += 1;
        }
        kind
    }

    pub(crate) fn sees(&self, sign: Sign) -> bool {
        *self.peek() == TokenKind::Sign(sign)
    }

    pub(crate) fn takes(&mut self, sign: Sign) -> bool {
        let takes = self.sees(sign);
        if takes {
            self.next += 1;
        }
        takes
    }

    pub(crate) fn sees_word(&self, word: &str) -> bool {
        matches!(self.peek(), TokenKind::Name(name) if name == word)
    }

    pub(crate) fn takes_word(&mut self, word: &str) -> bool {
        let takes = self.sees_word(word);
        if takes {
            self.next += 1;
        }
        takes
    }

    pub(crate) fn expect(&mut self, sign: Sign) -> Result<(), LanguageError> {
        if self.takes(sign) { Ok(()) } else { self.unexpected(&quoted(sign.text())) }
    }

    pub(crate) fn expect_word(&mut self, word: &str) -> Result<(), LanguageError> {
        if self.takes_word(word) { Ok(()) } else { self.unexpected(&quoted(word)) }
    }

    pub(crate) fn unexpected<T>(&self, expected: &str) -> Result<T, LanguageError> {
        match self.peek() {
            TokenKind::End => refuse(self.at(), format!("it ends where {expected} is expected")),
            token => refuse(self.at(), format!("{token} stands where {expected} is expected")),
        }
    }

    pub(crate) fn name(&mut self, expected: &str) -> Result<String, LanguageError> {
        if let TokenKind::Name(name) = self.peek() {
            let name = name.clone();
            self.next += 1;
            return Ok(name);
        }
        self.unexpected(expected)
    }

    /// Reads a part as if nothing was around it.
    pub(crate) fn with_fresh_depth<T>(&mut self, read: fn(&mut Self) -> T) -> T {
        self.depth = 0;
        read(self)
    }

    /// Goes back to the token at a place.
    pub(crate) fn rewind(&mut self, at: Position) {
        self.next = self.tokens.partition_point(|token| token.at < at);
    }

    pub(crate) fn expression(&mut self) -> Result<Expression, LanguageError> {
        self.nested(Self::conditional)
    }

    fn conditional(&mut self) -> Result<Expression, LanguageError> {
        let at = self.at();
        let condition = self.binary(0)?;
        if !self.takes(Sign::Question) {
            return Ok(condition);
        }
        let yes = self.expression()?;
        self.expect(Sign::Colon)?;
        let no = self.expression()?;
        Expression::node(at, ExpressionKind::Conditional(Box::new([condition, yes, no])))
    }

    /// Reads a sum, without comparisons.
    pub(crate) fn sum(&mut self) -> Result<Expression, LanguageError> {
        self.nested(|parser| parser.binary(SUM))
    }

    /// Reads a sum in which a minus stands in brackets only: without them it begins the formula
    /// after a bound of steps.
    pub(crate) fn sum_without_minus(&mut self) -> Result<Expression, LanguageError> {
        let outer = std::mem::replace(&mut self.reads_bound, true);
        let sum = self.terms_without_minus();
        self.reads_bound = outer;
        sum
    }

    fn terms_without_minus(&mut self) -> Result<Expression, LanguageError> {
        let at = self.at();
        let mut sum = self.nested(|parser| parser.binary(SUM + 1))?;
        while self.takes(Sign::Plus) {
            let next = self.nested(|parser| parser.binary(SUM + 1))?;
            sum = Expression::node(
                at,
                ExpressionKind::Binary(BinaryOperator::Add, Box::new([sum, next])),
            )?;
        }
        Ok(sum)
    }

    /// Reads operations of one row of precedence and of those below.
    fn binary(&mut self, row: usize) -> Result<Expression, LanguageError> {
        let mut left = self.unary(row)?;
        loop {
            let Some((level, operator, at)) = self.peek_operator(row) else { return Ok(left) };
            self.next += 1;
            // `=>` associates to the right, all others to the left.
            let is_right = operator == BinaryOperator::Implies;
            let right =
                self.nested(|parser| parser.binary(if is_right { level } else { level + 1 }))?;
            let chain = matches!(
                operator,
                BinaryOperator::And
                    | BinaryOperator::Or
                    | BinaryOperator::Add
                    | BinaryOperator::Multiply
            );
            left = if chain {
                let mut operands = vec![left, right];
                while self.peek_operator(row).is_some_and(|(_, next, _)| next == operator) {
                    self.next += 1;
                    operands.push(self.nested(|parser| parser.binary(level + 1))?);
                }
                balanced(at, operator, operands)?
            } else {
                Expression::node(at, ExpressionKind::Binary(operator, Box::new([left, right])))?
            };
        }
    }

    /// Reads a part one level deeper.
    pub(crate) fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, LanguageError>,
    ) -> Result<T, LanguageError> {
        let depth = self.depth;
        if depth >= DEEPEST_BRACKETS {
            return refuse(self.at(), format!("it is nested more than {DEEPEST_BRACKETS} deep"));
        }
        self.depth += 1;
        let part = read(self);
        self.depth = depth;
        part
    }

    /// The next operator, if it is of this row of precedence or of one below, with its row.
    fn peek_operator(&self, row: usize) -> Option<(usize, BinaryOperator, Position)> {
        let TokenKind::Sign(sign) = self.peek() else { return None };
        for (level, operators) in PRECEDENCE.iter().enumerate().skip(row) {
            if let Some((_, operator)) = operators.iter().find(|(known, _)| known == sign) {
                return Some((level, *operator, self.at()));
            }
        }
        None
    }

    /// Reads signs of negation and what they stand before.
    fn unary(&mut self, row: usize) -> Result<Expression, LanguageError> {
        let at = self.at();
        if row <= NOT && self.sees(Sign::Not) {
            let count = self.count(Sign::Not);
            let operand = self.nested(|parser| parser.binary(NOT))?;
            return repeated(at, UnaryOperator::Not, count, operand);
        }
        if self.sees(Sign::Minus) {
            let count = self.count(Sign::Minus);
            // The minus binds most tightly.
            return repeated(at, UnaryOperator::Minus, count, self.atom()?);
        }
        self.atom()
    }

    fn count(&mut self, sign: Sign) -> usize {
        let before = self.next;
        while self.takes(sign) {}
        self.next - before
    }

    fn atom(&mut self) -> Result<Expression, LanguageError> {
        let at = self.at();
        match self.peek().clone() {
            TokenKind::Number(number) => {
                self.next += 1;
                Ok(Expression::constant(at, Value::of_number(*number)))
            }
            TokenKind::Text(label) => {
                self.next += 1;
                Ok(Expression::leaf(at, ExpressionKind::Label(label)))
            }
            TokenKind::Sign(Sign::Open) => {
                self.next += 1;
                let inside = self.expression()?;
                self.expect(Sign::Close)?;
                Ok(inside)
            }
            TokenKind::Sign(Sign::CoalitionOpen) if self.grammar == Grammar::Property => {
                self.nested(Self::operator)
            }
            TokenKind::Name(name) => self.named(at, &name),
            _ => self.unexpected("a formula"),
        }
    }

    fn named(&mut self, at: Position, name: &str) -> Result<Expression, LanguageError> {
        if name == "true" || name == "false" {
            self.next += 1;
            return Ok(Expression::constant(at, Value::Truth(name == "true")));
        }
        if self.grammar == Grammar::Property {
            if self.sees_operator() {
                return self.nested(Self::operator);
            }
            if name == "filter" {
                return self.nested(Self::filter);
            }
        }
        self.next += 1;
        if self.takes(Sign::Prime) {
            return Ok(Expression::leaf(at, ExpressionKind::Primed(name.to_owned())));
        }
        let is_bound = self.reads_bound && Function::named(name).is_none();
        if is_bound || !self.takes(Sign::Open) {
            return Ok(Expression::leaf(at, ExpressionKind::Name(name.to_owned())));
        }
        // The old style is func(min, a, b).
        let mut function = name.to_owned();
        if name == "func" {
            function = self.name("the name of a function")?;
            self.expect(Sign::Comma)?;
        }
        let Some(function) = Function::named(&function) else {
            let names = Function::names();
            return refuse(
                at,
                format!("{} is no function; expected one of {names}", quoted(&function)),
            );
        };
        let mut operands = vec![self.expression()?];
        while self.takes(Sign::Comma) {
            operands.push(self.expression()?);
        }
        self.expect(Sign::Close)?;
        Expression::node(at, ExpressionKind::Call(function, operands))
    }
}

/// An operator that stands several times before its operand; pairs beyond the first cancel out.
fn repeated(
    at: Position,
    operator: UnaryOperator,
    count: usize,
    operand: Expression,
) -> Result<Expression, LanguageError> {
    let mut repeated = operand;
    let times = if count > 2 { 2 - count % 2 } else { count };
    for _ in 0..times {
        repeated = Expression::node(at, ExpressionKind::Unary(operator, Box::new(repeated)))?;
    }
    Ok(repeated)
}

/// A chain of an associative operator as a tree of little depth, in the order of the operands.
fn balanced(
    at: Position,
    operator: BinaryOperator,
    mut operands: Vec<Expression>,
) -> Result<Expression, LanguageError> {
    while operands.len() > 1 {
        let mut paired = Vec::with_capacity(operands.len().div_ceil(2));
        let mut rest = operands.into_iter();
        while let Some(first) = rest.next() {
            paired.push(match rest.next() {
                Some(second) => Expression::node(
                    at,
                    ExpressionKind::Binary(operator, Box::new([first, second])),
                )?,
                None => first,
            });
        }
        operands = paired;
    }
    match operands.pop() {
        Some(tree) => Ok(tree),
        None => refuse(at, "an operator lacks its operands"),
    }
}
