//! Faults of a text, and where they are.

/// A place in a text; lines and columns are counted from 1, columns in characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The character in the line.
    pub column: u32,
}

/// A text that is not in the language, or a model or property that is malformed or not supported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {}, column {}: {reason}", at.line, at.column)]
#[non_exhaustive]
pub struct LanguageError {
    /// The place of the fault.
    pub at: Position,
    /// What is wrong, and what is expected.
    pub reason: String,
}

impl LanguageError {
    pub(crate) fn new(at: Position, reason: impl Into<String>) -> Self {
        Self { at, reason: reason.into() }
    }
}

/// Rejects a place of a text.
pub(crate) fn refuse<T>(at: Position, reason: impl Into<String>) -> Result<T, LanguageError> {
    Err(LanguageError::new(at, reason))
}

/// The longest part of a text that a message repeats, in characters.
const LONGEST_EXCERPT: usize = 60;

/// A part of a text as messages show it: cut where it is long.
pub(crate) fn excerpt(text: &str) -> String {
    let shown: String = text.chars().take(LONGEST_EXCERPT).collect();
    let rest = if shown.len() < text.len() { "…" } else { "" };
    format!("{shown}{rest}")
}

/// An excerpt in backquotes.
pub(crate) fn quoted(text: &str) -> String {
    format!("`{}`", excerpt(text))
}
