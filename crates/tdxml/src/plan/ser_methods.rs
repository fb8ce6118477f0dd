//! Macros for methods that several serializers share, besides those of `tam`. All of these have a `type Error = Error`.

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

/// Implements [`SerializeStruct`](serde_core::ser::SerializeStruct) and `Members` for a type with the fields `plan`,
/// `record` and `nth`, and the methods `member` and `finish`.
macro_rules! record_struct {
    ($record:ty, #[$inline:meta]) => {
        impl SerializeStruct for $record {
            type Ok = ();
            type Error = Error;

            #[$inline]
            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
                let mut other = None;
                let member = self.plan.member(self.nth, key, self.record, &mut other);
                self.nth += 1;
                self.member(member, key, value)
            }

            fn skip_field(&mut self, _: &'static str) -> Result<(), Error> {
                self.nth += 1;
                Ok(())
            }

            #[$inline]
            fn end(self) -> Result<(), Error> {
                self.finish()
            }
        }

        impl Members for $record {
            fn named<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Error> {
                self.member(self.plan.find(name, self.record).as_ref(), name, value)
            }

            fn finish(self) -> Result<(), Error> {
                self.finish()
            }
        }
    };
}

pub(super) use tam::{__refuse as refuse, __transparent_ser as transparent};
pub(super) use {all, element, record_struct};
