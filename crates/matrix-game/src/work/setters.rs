//! A macro for the methods of builders.

/// Methods of a builder that set a field: `name(argument: Type) => field = value;`.
#[doc(hidden)]
#[macro_export]
macro_rules! setters {
    ($($(#[$attribute:meta])* $name:ident($($argument:ident: $type:ty),+) => $($field:ident).+ = $value:expr;)+) => {$(
        $(#[$attribute])*
        pub fn $name(mut self, $($argument: $type),+) -> Self {
            self.$($field).+ = $value;
            self
        }
    )+};
}
