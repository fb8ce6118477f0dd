//! Macros for serde's methods that the formats of this workspace share. They are no part of the interface.
//!
//! Each is used in an implementation whose `type Error` is [`Error`](crate::Error).

/// Methods of a deserializer that reads an option or a newtype struct as what is inside.
#[doc(hidden)]
#[macro_export]
macro_rules! __transparent_de {
    () => {
        #[inline]
        fn deserialize_option<V: serde_core::de::Visitor<'de>>(self, visitor: V) -> Result<V::Value, $crate::Error> {
            visitor.visit_some(self)
        }

        #[inline]
        fn deserialize_newtype_struct<V: serde_core::de::Visitor<'de>>(
            self,
            _: &'static str,
            visitor: V,
        ) -> Result<V::Value, $crate::Error> {
            visitor.visit_newtype_struct(self)
        }
    };
}

/// Methods of a serializer that writes what is inside an option or a newtype struct.
#[doc(hidden)]
#[macro_export]
macro_rules! __transparent_ser {
    () => {
        #[inline]
        fn serialize_some<T: serde_core::Serialize + ?Sized>(self, value: &T) -> Result<Self::Ok, $crate::Error> {
            value.serialize(self)
        }

        #[inline]
        fn serialize_newtype_struct<T: serde_core::Serialize + ?Sized>(
            self,
            _: &'static str,
            value: &T,
        ) -> Result<Self::Ok, $crate::Error> {
            value.serialize(self)
        }
    };
}

/// Methods of a serializer that refuse compound values, each with its error, and their
/// associated types. The first argument is the `Ok` type of the serializer.
#[doc(hidden)]
#[macro_export]
macro_rules! __refuse {
    ($ok:ty; all => $error:expr) => {
        $crate::__refuse! { $ok;
            seq => $error, tuple => $error, tuple_struct => $error, tuple_variant => $error, map => $error,
            struct => $error, struct_variant => $error,
        }
    };
    ($ok:ty; $($what:ident => $error:expr),* $(,)?) => {
        $($crate::__refuse! { @$what $ok, $error })*
    };
    (@seq $ok:ty, $error:expr) => {
        type SerializeSeq = serde_core::ser::Impossible<$ok, $crate::Error>;

        fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, $crate::Error> {
            Err($error)
        }
    };
    (@tuple $ok:ty, $error:expr) => {
        type SerializeTuple = serde_core::ser::Impossible<$ok, $crate::Error>;

        fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, $crate::Error> {
            Err($error)
        }
    };
    (@tuple_struct $ok:ty, $error:expr) => {
        type SerializeTupleStruct = serde_core::ser::Impossible<$ok, $crate::Error>;

        fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, $crate::Error> {
            Err($error)
        }
    };
    (@tuple_variant $ok:ty, $error:expr) => {
        type SerializeTupleVariant = serde_core::ser::Impossible<$ok, $crate::Error>;

        fn serialize_tuple_variant(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: usize,
        ) -> Result<Self::SerializeTupleVariant, $crate::Error> {
            Err($error)
        }
    };
    (@map $ok:ty, $error:expr) => {
        type SerializeMap = serde_core::ser::Impossible<$ok, $crate::Error>;

        fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, $crate::Error> {
            Err($error)
        }
    };
    (@struct $ok:ty, $error:expr) => {
        type SerializeStruct = serde_core::ser::Impossible<$ok, $crate::Error>;

        fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct, $crate::Error> {
            Err($error)
        }
    };
    (@struct_variant $ok:ty, $error:expr) => {
        type SerializeStructVariant = serde_core::ser::Impossible<$ok, $crate::Error>;

        fn serialize_struct_variant(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: usize,
        ) -> Result<Self::SerializeStructVariant, $crate::Error> {
            Err($error)
        }
    };
}
