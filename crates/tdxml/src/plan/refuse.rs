//! Macros for serializer methods that refuse values or give one answer.

/// Methods of a [`Serializer`](serde_core::ser::Serializer) that refuse compound values, each with its error. The first
/// argument is the `Ok` type of the serializer.
macro_rules! refuse {
    ($ok:ty; $($what:ident => $error:expr),* $(,)?) => {
        $(refuse! { @$what $ok, $error })*
    };
    (@seq $ok:ty, $error:expr) => {
        fn serialize_seq(self, _: Option<usize>) -> Result<Impossible<$ok, Error>, Error> {
            Err($error)
        }
    };
    (@tuple $ok:ty, $error:expr) => {
        fn serialize_tuple(self, _: usize) -> Result<Impossible<$ok, Error>, Error> {
            Err($error)
        }
    };
    (@tuple_struct $ok:ty, $error:expr) => {
        fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Impossible<$ok, Error>, Error> {
            Err($error)
        }
    };
    (@tuple_variant $ok:ty, $error:expr) => {
        fn serialize_tuple_variant(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: usize,
        ) -> Result<Impossible<$ok, Error>, Error> {
            Err($error)
        }
    };
    (@map $ok:ty, $error:expr) => {
        fn serialize_map(self, _: Option<usize>) -> Result<Impossible<$ok, Error>, Error> {
            Err($error)
        }
    };
    (@struct $ok:ty, $error:expr) => {
        fn serialize_struct(self, _: &'static str, _: usize) -> Result<Impossible<$ok, Error>, Error> {
            Err($error)
        }
    };
    (@struct_variant $ok:ty, $error:expr) => {
        fn serialize_struct_variant(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: usize,
        ) -> Result<Impossible<$ok, Error>, Error> {
            Err($error)
        }
    };
}

/// Methods of a serializer that return the same answer for every value.
macro_rules! all {
    ($ok:ty, $answer:expr; $($method:ident: $type:ty),* $(,)?) => {$(
        fn $method(self, _: $type) -> Result<$ok, Error> {
            $answer
        }
    )*};
}

pub(super) use {all, refuse};
