//! Errors of one room that another passes on.

/// Makes an error of one room into one of another: what only passed through the first, by these variants, is filed under the same
/// names in the second; the rest, if there is any, is wrapped in the last one. An error therefore looks the same however many
/// rooms it came through.
macro_rules! passed_on {
    ($from:ident { $($(#[$built:meta])? $through:ident),+ } => $into:ident $(::$own:ident)?) => {
        impl From<$from> for $into {
            fn from(error: $from) -> Self {
                match error {
                    $($(#[$built])? $from::$through(error) => error.into(),)+
                    $(error => Self::$own(error),)?
                }
            }
        }
    };
}

pub(crate) use passed_on;
