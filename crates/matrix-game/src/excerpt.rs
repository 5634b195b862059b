//! Foreign text in messages: one line, of bounded length.

use std::fmt::{self, Display};

/// Writes a message about a file in one line, without control characters, and truncated, since a
/// damaged file may contain anything.
pub fn sentence(text: &impl Display) -> String {
    line(&text.to_string(), 160)
}

/// A name from a file in a sentence: one line of bounded length, in quotation marks.
pub struct Quoted<'n>(pub &'n str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", line(self.0, 80))
    }
}

fn line(text: &str, longest: usize) -> String {
    let mut line =
        text.chars().map(|character| if character.is_control() { ' ' } else { character });
    let mut excerpt: String = line.by_ref().take(longest).collect();
    if line.next().is_some() {
        excerpt.push('…');
    }
    excerpt
}
