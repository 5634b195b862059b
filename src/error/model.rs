/// A model checker's export, or a property of it, that is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A file cannot be read, or a line of it, counted from 1, is malformed; the reason names the state where there is one.
    #[error("{file}{}: {reason}", line.map_or(String::new(), |line| format!(", line {line}")))]
    File { file: String, line: Option<u64>, reason: String },
    /// A property is malformed, or of a form that is not supported.
    #[error("the property: {reason}")]
    Property { reason: String },
}

impl ModelError {
    /// Rejects a line of a file, or with line 0 the file.
    pub(crate) fn in_file<T>(file: &str, line: u64, reason: impl Into<String>) -> Result<T, Self> {
        Err(Self::File { file: file.to_owned(), line: Some(line).filter(|&line| line > 0), reason: reason.into() })
    }
}
