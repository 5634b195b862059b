/// A model checker's export, or a property of it, that is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A file cannot be read, or a line of it is malformed.
    #[error("{file}{}: {reason}", line.map_or(String::new(), |line| format!(", line {line}")))]
    File {
        /// The name of the file.
        file: String,
        /// The line, counted from 1.
        line: Option<u64>,
        /// The reason, which names the state where there is one.
        reason: String,
    },
    /// A property is malformed, or of a form that is not supported.
    #[error("the property: {reason}")]
    Property {
        /// The reason.
        reason: String,
    },
}
