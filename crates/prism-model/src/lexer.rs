//! Texts as tokens.

use std::fmt;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Pow;

use crate::error::{LanguageError, Position, quoted, refuse};

macro_rules! signs {
    ($($sign:ident $text:literal)*) => {
        /// An operator or a bracket.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Sign {
            $($sign),*
        }

        impl Sign {
            const ALL: &[Self] = &[$(Self::$sign),*];

            pub(crate) fn text(self) -> &'static str {
                match self {
                    $(Self::$sign => $text),*
                }
            }
        }
    };
}

// Longer signs stand before their prefixes.
signs! {
    IfAndOnlyIf "<=>" CoalitionOpen "<<" CoalitionClose ">>" AtMost "<=" AtLeast ">=" Implies "=>" NotEqual "!=" Query "=?"
    Arrow "->" Dots ".." Less "<" Greater ">" Equal "=" Not "!" And "&" Or "|" Plus "+" Minus "-" Times "*" Over "/" Power "^"
    Question "?" Colon ":" Semicolon ";" Comma "," Prime "'" Open "(" Close ")" OpenSquare "[" CloseSquare "]" OpenCurly "{"
    CloseCurly "}"
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Name(String),
    Number(Box<BigRational>),
    /// A text in quotation marks, without them.
    Text(String),
    Sign(Sign),
    End,
}

impl fmt::Display for TokenKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(&quoted(name)),
            Self::Number(number) => f.write_str(&quoted(&number.to_string())),
            Self::Text(text) => f.write_str(&quoted(&format!("\"{text}\""))),
            Self::Sign(sign) => f.write_str(&quoted(sign.text())),
            Self::End => f.write_str("the end"),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) at: Position,
    /// Where the token begins and ends, in bytes.
    pub(crate) bytes: std::ops::Range<usize>,
}

/// Decimal exponents beyond this are rejected: a number of that many digits is a mistake, and would
/// take memory.
const LARGEST_EXPONENT: i32 = 1_000;

/// Numbers with more digits are rejected, for the same reason.
const MOST_DIGITS: usize = 1_000;

/// Texts of more words and signs are rejected: a token takes some ten times the memory of its text,
/// and the largest models of PRISM's benchmarks have some 10,000.
const MOST_TOKENS: usize = 4_000_000;

struct Lexer<'t> {
    text: &'t str,
    next: usize,
    at: Position,
}

/// Splits a text; the last token is the end.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, LanguageError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lexer = Lexer { text, next: 0, at: Position { line: 1, column: 1 } };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_space()?;
        let at = lexer.at;
        let from = lexer.next;
        let kind = lexer.token()?;
        let is_end = kind == TokenKind::End;
        if tokens.len() >= MOST_TOKENS {
            return refuse(at, format!("the text has more than {MOST_TOKENS} words and signs"));
        }
        tokens.push(Token { kind, at, bytes: from..lexer.next });
        if is_end {
            return Ok(tokens);
        }
    }
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.next..]
    }

    fn advance(&mut self, bytes: usize) {
        for character in self.rest()[..bytes].chars() {
            if character == '\n' {
                self.at = Position { line: self.at.line + 1, column: 1 };
            } else {
                self.at.column += 1;
            }
        }
        self.next += bytes;
    }

    /// Skips white space and comments.
    fn skip_space(&mut self) -> Result<(), LanguageError> {
        loop {
            let rest = self.rest();
            let space = rest.len() - rest.trim_start().len();
            if space > 0 {
                self.advance(space);
            } else if rest.starts_with("//") {
                self.advance(rest.find('\n').unwrap_or(rest.len()));
            } else if rest.starts_with("/*") {
                let Some(length) = rest.find("*/") else {
                    return refuse(self.at, "the comment lacks its `*/`");
                };
                self.advance(length + 2);
            } else {
                return Ok(());
            }
        }
    }

    fn token(&mut self) -> Result<TokenKind, LanguageError> {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok(TokenKind::End) };
        if first.is_ascii_alphabetic() || first == '_' {
            let length =
                rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            self.advance(length);
            return Ok(TokenKind::Name(rest[..length].to_owned()));
        }
        if first.is_ascii_digit()
            || first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit())
        {
            return self.number();
        }
        if let Some(inside) = rest.strip_prefix('"') {
            let Some(length) =
                inside.find(['"', '\n']).filter(|&length| inside[length..].starts_with('"'))
            else {
                return refuse(self.at, "the name lacks its closing quotation mark");
            };
            self.advance(length + 2);
            return Ok(TokenKind::Text(inside[..length].to_owned()));
        }
        match Sign::ALL.iter().find(|sign| rest.starts_with(sign.text())) {
            Some(&sign) => {
                self.advance(sign.text().len());
                Ok(TokenKind::Sign(sign))
            }
            None => refuse(
                self.at,
                format!("{} is not part of the language", quoted(&first.to_string())),
            ),
        }
    }

    /// Reads a decimal such as 12, 0.25 or 1e-3, exactly. The dots of a range such as `0..5` are no
    /// part of a number.
    fn number(&mut self) -> Result<TokenKind, LanguageError> {
        let rest = self.rest();
        let digits = |from: usize| {
            rest[from..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - from)
        };
        let whole = digits(0);
        let mut length = whole;
        let mut places = 0;
        if rest[length..].starts_with('.') && !rest[length..].starts_with("..") {
            places = digits(length + 1);
            length += 1 + places;
        }
        let mantissa: String = rest[..length].chars().filter(char::is_ascii_digit).collect();
        if mantissa.len() > MOST_DIGITS {
            return refuse(
                self.at,
                format!("the number has {} digits; at most {MOST_DIGITS} are read", mantissa.len()),
            );
        }
        let mut exponent = 0;
        if let Some(after) = rest[length..].strip_prefix(['e', 'E']) {
            let sign = usize::from(after.starts_with(['+', '-']));
            let count = digits(length + 1 + sign);
            if count > 0 {
                let text = &rest[length + 1..length + 1 + sign + count];
                length += text.len() + 1;
                exponent = match text.parse::<i32>() {
                    Ok(exponent) if exponent.abs() <= LARGEST_EXPONENT => exponent,
                    _ => {
                        return refuse(
                            self.at,
                            format!("the exponent of {} is too large", quoted(&rest[..length])),
                        );
                    }
                };
            }
        }
        let Ok(mantissa) = mantissa.parse::<BigInt>() else {
            return refuse(self.at, format!("{} is no number", quoted(&rest[..length])));
        };
        let shift = exponent - places as i32;
        let power = BigRational::from_integer(BigInt::from(10).pow(shift.unsigned_abs()));
        let mantissa = BigRational::from_integer(mantissa);
        self.advance(length);
        Ok(TokenKind::Number(Box::new(if shift < 0 { mantissa / power } else { mantissa * power })))
    }
}
