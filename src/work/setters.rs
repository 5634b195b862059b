/// Methods of a builder that set a field: `name(argument: Type) => field = value;`.
macro_rules! setters {
    ($($(#[$attribute:meta])* $name:ident($($argument:ident: $type:ty),+) => $($field:ident).+ = $value:expr;)+) => {$(
        $(#[$attribute])*
        pub fn $name(mut self, $($argument: $type),+) -> Self {
            self.$($field).+ = $value;
            self
        }
    )+};
}

pub(crate) use setters;
