//! Macros for methods that several serializers share. All of these have a `type Error = Error`.

/// Methods of a [`Serializer`](serde_core::ser::Serializer) that refuse compound values, each with its error, and their
/// associated types. The first argument is the `Ok` type of the serializer.
macro_rules! refuse {
    ($ok:ty; all => $error:expr) => {
        refuse! { $ok;
            seq => $error, tuple => $error, tuple_struct => $error, tuple_variant => $error, map => $error,
            struct => $error, struct_variant => $error,
        }
    };
    ($ok:ty; $($what:ident => $error:expr),* $(,)?) => {
        $(refuse! { @$what $ok, $error })*
    };
    (@seq $ok:ty, $error:expr) => {
        type SerializeSeq = serde_core::ser::Impossible<$ok, Error>;

        fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Error> {
            Err($error)
        }
    };
    (@tuple $ok:ty, $error:expr) => {
        type SerializeTuple = serde_core::ser::Impossible<$ok, Error>;

        fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Error> {
            Err($error)
        }
    };
    (@tuple_struct $ok:ty, $error:expr) => {
        type SerializeTupleStruct = serde_core::ser::Impossible<$ok, Error>;

        fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Error> {
            Err($error)
        }
    };
    (@tuple_variant $ok:ty, $error:expr) => {
        type SerializeTupleVariant = serde_core::ser::Impossible<$ok, Error>;

        fn serialize_tuple_variant(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: usize,
        ) -> Result<Self::SerializeTupleVariant, Error> {
            Err($error)
        }
    };
    (@map $ok:ty, $error:expr) => {
        type SerializeMap = serde_core::ser::Impossible<$ok, Error>;

        fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Error> {
            Err($error)
        }
    };
    (@struct $ok:ty, $error:expr) => {
        type SerializeStruct = serde_core::ser::Impossible<$ok, Error>;

        fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct, Error> {
            Err($error)
        }
    };
    (@struct_variant $ok:ty, $error:expr) => {
        type SerializeStructVariant = serde_core::ser::Impossible<$ok, Error>;

        fn serialize_struct_variant(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: usize,
        ) -> Result<Self::SerializeStructVariant, Error> {
            Err($error)
        }
    };
}

/// Methods of a serializer that return the same answer for every scalar and every newtype variant, and for the values
/// of some further methods.
macro_rules! all {
    ($ok:ty, $answer:expr; $($method:ident: $type:ty),* $(,)?) => {
        all! { @ $ok, $answer;
            serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
            serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_f32: f32,
            serialize_f64: f64, serialize_char: char, serialize_bytes: &[u8], $($method: $type,)*
        }

        fn serialize_newtype_variant<T: Serialize + ?Sized>(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: &T,
        ) -> Result<$ok, Error> {
            $answer
        }
    };
    (@ $ok:ty, $answer:expr; $($method:ident: $type:ty,)*) => {$(
        fn $method(self, _: $type) -> Result<$ok, Error> {
            $answer
        }
    )*};
}

/// Methods of a serializer that writes what is inside an option or a newtype struct.
macro_rules! transparent {
    () => {
        #[inline]
        fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Self::Ok, Error> {
            value.serialize(self)
        }

        #[inline]
        fn serialize_newtype_struct<T: Serialize + ?Sized>(
            self,
            _: &'static str,
            value: &T,
        ) -> Result<Self::Ok, Error> {
            value.serialize(self)
        }
    };
}

/// Methods of a serializer for elements, which has a method `value` for simple values, `record` for records, and
/// `nothing` for absent elements.
macro_rules! element {
    () => {
        element! { @
            serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
            serialize_i128: i128, serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
            serialize_u128: u128, serialize_f32: f32, serialize_f64: f64, serialize_char: char,
        }
        transparent! {}

        #[inline]
        fn serialize_str(self, value: &str) -> Result<(), Error> {
            self.value(value)
        }

        fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
            self.value(&Octets(value))
        }

        fn serialize_none(self) -> Result<(), Error> {
            self.nothing()
        }

        fn serialize_unit(self) -> Result<(), Error> {
            self.nothing()
        }

        fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
            self.nothing()
        }

        fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
            self.value(variant)
        }

        fn serialize_newtype_variant<T: Serialize + ?Sized>(
            self,
            _: &'static str,
            _: u32,
            variant: &'static str,
            value: &T,
        ) -> Result<(), Error> {
            let mut record = self.record()?;
            record.named(variant, value)?;
            record.finish()
        }

        fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Error> {
            Ok(MapSer::new(self.record()?))
        }
    };
    (@ $($method:ident: $type:ty,)*) => {$(
        #[inline]
        fn $method(self, value: $type) -> Result<(), Error> {
            self.value(&value)
        }
    )*};
}

pub(super) use {all, element, refuse, transparent};
