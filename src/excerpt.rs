use std::fmt::Display;

/// Writes a message about a file in one line, without control characters, and truncated, since a damaged file may contain
/// anything.
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
