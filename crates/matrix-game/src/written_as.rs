//! A macro for enumerations that are written as one word.

/// Implements `Display` and `FromStr` from one list; the closure makes the error for a text outside
/// it.
#[doc(hidden)]
#[macro_export]
macro_rules! written_as {
    ($type:ident { $($variant:ident => $text:literal),+ $(,)? }, $refusal:expr => $error:ty) => {
        impl $type {
            const fn text(self) -> &'static str {
                match self {
                    $(Self::$variant => $text),+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.text())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $error;

            fn from_str(text: &str) -> Result<Self, $error> {
                match text {
                    $($text => Ok(Self::$variant),)+
                    _ => Err($refusal(text.to_owned())),
                }
            }
        }
    };
}

pub(crate) use written_as;
