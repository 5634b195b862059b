//! Errors of methods that solve one matrix game.

/// A method that is unknown, or not part of this build.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MethodError {
    /// A method has an unknown name.
    #[error("`{text}` is not a method; expected simplex, tableau or lp")]
    Unknown {
        /// The value that was given.
        text: String,
    },
    /// A method is not part of this build.
    #[error("the method {method} is not part of this build, which was made without the feature {method}")]
    Missing {
        /// The method asked for.
        method: String,
    },
}
