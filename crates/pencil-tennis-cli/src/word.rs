//! A word of the command line that may be the name of a file, which systems do not keep to UTF-8.

use std::ffi::{OsStr, OsString};
use std::fmt::{self, Display, Formatter};
use std::path::Path;

/// A word as it was given. It is printed with U+FFFD in the place of what is no UTF-8, and is never
/// read back from that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word(OsString);

impl Word {
    /// The word as text; `None` if it is no UTF-8 and can be nothing but the name of a file.
    pub(super) fn text(&self) -> Option<&str> {
        self.0.to_str()
    }

    pub(super) fn path(&self) -> &Path {
        Path::new(&self.0)
    }

    /// Whether the word is this text.
    pub(super) fn is(&self, text: &str) -> bool {
        self.0 == *text
    }

    /// The rest of a word that begins with this text.
    pub(super) fn strip_prefix(&self, begin: &str) -> Option<Self> {
        match self.text() {
            Some(text) => text.strip_prefix(begin).map(|rest| Self(rest.into())),
            None => strip_bytes(&self.0, begin.as_bytes()).map(Self),
        }
    }
}

#[cfg(unix)]
fn strip_bytes(word: &OsStr, begin: &[u8]) -> Option<OsString> {
    use std::os::unix::ffi::OsStrExt;
    word.as_bytes().strip_prefix(begin).map(|rest| OsStr::from_bytes(rest).to_owned())
}

/// Other systems show no bytes of a word that is no text.
#[cfg(not(unix))]
const fn strip_bytes(_word: &OsStr, _begin: &[u8]) -> Option<OsString> {
    None
}

impl From<OsString> for Word {
    fn from(word: OsString) -> Self {
        Self(word)
    }
}

impl From<&str> for Word {
    fn from(word: &str) -> Self {
        Self(word.into())
    }
}

impl AsRef<Path> for Word {
    fn as_ref(&self) -> &Path {
        self.path()
    }
}

impl AsRef<OsStr> for Word {
    fn as_ref(&self) -> &OsStr {
        &self.0
    }
}

impl Display for Word {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.display().fmt(f)
    }
}

/// Quotes a word for a shell, if necessary.
pub(super) fn quoted(word: &(impl AsRef<OsStr> + ?Sized)) -> String {
    let word = word.as_ref();
    let Some(text) = word.to_str() else { return printed(word) };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:@,+=".contains(&byte);
    if !text.is_empty() && text.bytes().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// Words that are no UTF-8, as any POSIX shell makes them: by `printf`, whose escapes are octal. A
/// minus sign could begin an option.
fn printed(word: &OsStr) -> String {
    let escaped = |&byte: &u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' | b'/' => {
            char::from(byte).to_string()
        }
        b'%' => "%%".to_owned(),
        byte => format!("\\{byte:03o}"),
    };
    let bytes: String = word.as_encoded_bytes().iter().map(escaped).collect();
    format!("\"$(printf '{bytes}')\"")
}

#[cfg(all(test, unix))]
mod tests {
    use super::{Word, quoted};
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::process::Command;

    #[test]
    fn a_shell_reads_quoted_words_as_they_were() {
        for word in [
            &b"plain-1.csv"[..],
            b"",
            b"it's two",
            b"\xff%d\\n'.csv",
            "Sp\u{e4}\u{df}e".as_bytes(),
            b"-\xfe \x01",
        ] {
            let word = OsStr::from_bytes(word);
            let script = format!("printf '%s' {}", quoted(word));
            let read = Command::new("sh").args(["-c", &script]).output().expect("a shell").stdout;
            assert_eq!(read, word.as_bytes(), "{script}");
        }
    }

    #[test]
    fn prefixes_of_words_that_are_no_text() {
        let word = Word::from(OsStr::from_bytes(b"lookahead:2:\xff.csv").to_owned());
        let leaves = word.strip_prefix("lookahead:2:").expect("it begins so");
        assert_eq!(leaves, Word::from(OsStr::from_bytes(b"\xff.csv").to_owned()));
        assert_eq!(word.strip_prefix("cmd:"), None);
    }
}
