//! Options with named values.

/// The type of an option for the parser of the command line, over an enum: its values, with the name and help of each.
macro_rules! choice {
    ($(#[$doc:meta])* $arg:ident($kind:ty): $($value:path => $name:expr $(, $help:literal)?;)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) struct $arg(pub(crate) $kind);

        impl clap::ValueEnum for $arg {
            fn value_variants<'a>() -> &'a [Self] {
                &[$($arg($value)),*]
            }

            fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
                $(if self.0 == $value {
                    return Some(clap::builder::PossibleValue::new($name)$(.help($help))?);
                })*
                None
            }
        }
    };
}

pub(crate) use choice;
