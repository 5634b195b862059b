//! Parts of sentences: lists in words, and excerpts of overlong words.

use std::fmt::Display;

/// Joins things as in `one, two and three`.
pub(super) fn listed(things: impl IntoIterator<Item = impl Display>) -> String {
    joined(things, "and")
}

/// Joins things with commas, the last two with a word.
pub(super) fn joined(things: impl IntoIterator<Item = impl Display>, word: &str) -> String {
    let things: Vec<String> = things.into_iter().map(|thing| thing.to_string()).collect();
    match things.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} {word} {last}", first.join(", ")),
        things => things.concat(),
    }
}

/// The longest word of a message, and the characters that remain of a longer one: an echoed
/// argument may have megabytes.
const LONGEST_WORD: usize = 400;
const EXCERPT: usize = 80;

/// The message with an excerpt of each overlong word.
pub(super) fn excerpted(message: &str) -> String {
    let mut excerpt = String::with_capacity(message.len().min(1 << 12));
    for piece in message.split_inclusive(char::is_whitespace) {
        if piece.chars().count() <= LONGEST_WORD {
            excerpt.push_str(piece);
            continue;
        }
        excerpt.extend(piece.chars().take(EXCERPT));
        excerpt.push('…');
        excerpt.extend(piece.chars().last().filter(|last| last.is_whitespace()));
    }
    excerpt
}
