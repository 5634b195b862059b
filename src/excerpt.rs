//! What is said about a file, in a line.

use std::fmt::Display;

/// A message about a file or a part of it in one line: without control characters, and cut short since a damaged file could put
/// anything into it.
pub(crate) fn sentence(text: &impl Display) -> String {
    const LONGEST: usize = 160;
    let text = text.to_string();
    let mut line = text.chars().map(|character| if character.is_control() { ' ' } else { character });
    let mut excerpt: String = line.by_ref().take(LONGEST).collect();
    if line.next().is_some() {
        excerpt.push('…');
    }
    excerpt
}
