//! Files of properties.

use crate::error::{LanguageError, Position};
use crate::expression::Expression;
use crate::lexer::{Sign, TokenKind};
use crate::model::{ConstantDeclaration, NamedExpression};
use crate::parser::{Grammar, Parser};

/// A file of properties.
#[derive(Clone, Debug, Default)]
pub struct PropertyFile {
    /// Its constants.
    pub constants: Vec<ConstantDeclaration>,
    /// Its labels.
    pub labels: Vec<NamedExpression>,
    /// Its formulas.
    pub formulas: Vec<NamedExpression>,
    /// Its properties.
    pub properties: Vec<FileProperty>,
}

/// A property in a file.
#[derive(Clone, Debug)]
pub struct FileProperty {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The place where it begins.
    pub at: Position,
    /// The text.
    pub text: String,
    /// The property, or why it was not read: one that is not supported does not prevent the
    /// others.
    pub property: Result<Expression, LanguageError>,
}

impl PropertyFile {
    /// Reads a file.
    ///
    /// # Errors
    /// A text that cannot be split into words and signs, or a malformed constant, label or formula.
    /// A malformed property is kept as such.
    pub fn read(text: &str) -> Result<Self, LanguageError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut parser = Parser::new(text, Grammar::Property)?;
        let mut file = Self::default();
        while *parser.peek() != TokenKind::End {
            match parser.peek().clone() {
                TokenKind::Sign(Sign::Semicolon) => {
                    parser.advance();
                }
                TokenKind::Name(word) if word == "const" => file.constants.push(parser.constant()?),
                TokenKind::Name(word) if word == "label" => file.labels.push(parser.label()?),
                TokenKind::Name(word) if word == "formula" => file.formulas.push(parser.formula()?),
                _ => file.properties.push(parser.file_property(text)),
            }
        }
        Ok(file)
    }
}

impl Parser {
    fn file_property(&mut self, text: &str) -> FileProperty {
        let mut name = None;
        if let TokenKind::Text(label) = self.peek().clone()
            && *self.peek_second() == TokenKind::Sign(Sign::Colon)
        {
            name = Some(label);
            self.advance();
            self.advance();
        }
        let at = self.at();
        let from = self.token().bytes.start;
        let property = self.with_fresh_depth(Self::expression);
        if property.is_err() {
            let read_to = self.at();
            self.rewind(at);
            self.skip_property(read_to);
        }
        FileProperty {
            name,
            at,
            text: text[from..self.end_of_last().max(from)].to_owned(),
            property,
        }
    }

    /// Skips a malformed property, which was read up to a place: to a semicolon or to a line that
    /// begins outside of brackets, but not before that place, so that no part of a file is read
    /// again and again.
    fn skip_property(&mut self, read_to: Position) {
        let mut brackets = 0_i64;
        loop {
            match self.advance() {
                TokenKind::End | TokenKind::Sign(Sign::Semicolon) => return,
                TokenKind::Sign(Sign::Open | Sign::OpenSquare | Sign::OpenCurly) => brackets += 1,
                TokenKind::Sign(Sign::Close | Sign::CloseSquare | Sign::CloseCurly) => {
                    brackets -= 1;
                }
                _ => {}
            }
            if brackets <= 0 && self.at().line > self.line_of_last() && self.at() >= read_to {
                return;
            }
        }
    }
}
