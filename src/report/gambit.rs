//! The tokens of Gambit's files.

use crate::error::Quoted;

#[derive(Debug)]
pub(super) struct Malformed {
    pub(super) line: u64,
    pub(super) reason: String,
}

impl Malformed {
    pub(super) fn at<T>(line: u64, reason: impl Into<String>) -> Result<T, Self> {
        Err(Self { line, reason: reason.into() })
    }
}

/// Braces, words, and texts, which keep their first quotation mark, with their lines; commas
/// separate.
pub(super) struct Tokens(pub(super) std::vec::IntoIter<(u64, String)>);

impl Tokens {
    pub(super) fn new(text: &str) -> Result<Self, Malformed> {
        let (mut tokens, mut line) = (Vec::new(), 1);
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            let (mut token, first) = (character.to_string(), line);
            match character {
                '{' | '}' => {}
                '"' => loop {
                    match characters.next() {
                        Some('"') => break,
                        Some('\\') => token.extend(characters.next()),
                        Some(other) => {
                            line += u64::from(other == '\n');
                            token.push(other);
                        }
                        None => {
                            return Malformed::at(first, "a text lacks its closing quotation mark");
                        }
                    }
                },
                space if space == ',' || space.is_whitespace() => {
                    line += u64::from(space == '\n');
                    continue;
                }
                _ => {
                    while let Some(next) =
                        characters.next_if(|next| !next.is_whitespace() && !"{}\",".contains(*next))
                    {
                        token.push(next);
                    }
                }
            }
            tokens.push((first, token));
        }
        Ok(Self(tokens.into_iter()))
    }

    pub(super) fn next_is(&self, begin: &str) -> bool {
        self.0.as_slice().first().is_some_and(|(_, token)| token.starts_with(begin))
    }

    pub(super) fn next_are(&self, first: &str, second: &str) -> bool {
        self.next_is(first)
            && self.0.as_slice().get(1).is_some_and(|(_, token)| token.starts_with(second))
    }

    /// The line of the next token.
    pub(super) fn line(&self) -> Option<u64> {
        self.0.as_slice().first().map(|&(line, _)| line)
    }

    /// Takes a token that begins so.
    pub(super) fn take(&mut self, begin: &str, expected: &str) -> Result<String, Malformed> {
        match self.0.next() {
            Some((_, token)) if token.starts_with(begin) => {
                Ok(token.strip_prefix('"').map_or(token.clone(), str::to_owned))
            }
            Some((line, token)) => Malformed::at(
                line,
                format!("{} stands where {expected} is expected", Quoted(&token)),
            ),
            None => Malformed::at(0, format!("it ends where {expected} is expected")),
        }
    }

    pub(super) fn list(&mut self, begin: &str, expected: &str) -> Result<Vec<String>, Malformed> {
        self.take("{", "an opening brace")?;
        let mut items = Vec::new();
        while !self.next_is("}") {
            items.push(self.take(begin, expected)?);
        }
        self.take("}", "a closing brace")?;
        Ok(items)
    }

    /// Takes the beginning of a file.
    pub(super) fn header(&mut self, format: &str, version: &str) -> Result<Header, Malformed> {
        let version = (version, &*format!("version {version}"));
        for (begin, expected) in [(format, format), version, ("", "R or D")] {
            self.take(begin, expected)?;
        }
        let title = self.take("\"", "a title in quotation marks")?;
        Ok(Header { title, players: self.list("\"", "a player's name")?.len() })
    }
}

/// The beginning of a file.
pub(super) struct Header {
    pub(super) title: String,
    /// The number of players.
    pub(super) players: usize,
}
