//! Macros for methods that several deserializers share, besides that of `tam`. All of these have a `type Error = Error`.

/// Methods of a deserializer for a text, which has the methods `by` to parse it by a rule, `octets`, `is_empty`, and
/// `other` for the error of another value.
macro_rules! simple {
    () => {
        simple! { @
            deserialize_bool => visit_bool: xml::number::boolean, deserialize_f32 => visit_f32: xml::number::float,
            deserialize_f64 => visit_f64: xml::number::double,
        }
        transparent! {}

        fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.octets(visitor)
        }

        fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.octets(visitor)
        }

        fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            if self.is_empty() { visitor.visit_unit() } else { Err(self.other(&visitor)) }
        }

        fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
            self.deserialize_unit(visitor)
        }

        fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            visitor.visit_unit()
        }
    };
    (@ $($method:ident => $visit:ident: $rule:expr,)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let value = self.by($rule, &visitor)?;
            visitor.$visit(value)
        }
    )*};
}

/// Methods of such a deserializer for integers. The arguments are its method that parses an integer, and the one that
/// adds the position to an error of the type, if it has one.
macro_rules! integers {
    ($number:ident $($placed:ident)?) => {
        integers! { @ $number [$($placed)?]
            deserialize_i8 => visit_i8, deserialize_i16 => visit_i16, deserialize_i32 => visit_i32,
            deserialize_i64 => visit_i64, deserialize_i128 => visit_i128, deserialize_u8 => visit_u8,
            deserialize_u16 => visit_u16, deserialize_u32 => visit_u32, deserialize_u64 => visit_u64,
            deserialize_u128 => visit_u128,
        }
    };
    (@ $number:ident $placed:tt $($method:ident => $visit:ident,)*) => {
        $(integers! { @one $number $placed $method $visit })*
    };
    (@one $number:ident [$($placed:ident)?] $method:ident $visit:ident) => {
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let number = self.$number(&visitor)?;
            visitor.$visit(number)$(.map_err(|error| self.$placed(error)))?
        }
    };
}

/// Methods of a deserializer that asks another one for simple values, and for the values of one further method. The
/// first argument is the method that returns the other one.
macro_rules! forward {
    ($to:ident: $more:ident) => {
        forward! { @ $to:
            deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
            deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f32
            deserialize_f64 deserialize_char deserialize_str deserialize_string deserialize_bytes
            deserialize_byte_buf deserialize_unit deserialize_identifier $more
        }

        fn deserialize_unit_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
            self.$to()?.deserialize_unit_struct(name, visitor)
        }
    };
    (@ $to:ident: $($method:ident)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.$to()?.$method(visitor)
        }
    )*};
}

/// Methods of a deserializer for one element, which has a field `scan` and the methods `content` for its content,
/// `value` for a simple value, `map` for a record, and `skip`.
macro_rules! element {
    () => {
        fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self.content() {
                Content::Value(_) => self.value()?.deserialize_any(visitor),
                Content::Record(_) => self.map(None, visitor),
            }
        }

        #[inline]
        fn deserialize_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            names: &'static [&'static str],
            visitor: V,
        ) -> Result<V::Value, Error> {
            let (plan, content) = (self.scan.plan, self.content());
            let mut other = None;
            let fields = match (plan.record(&content), plan.schema.record(&content)) {
                (Some(plan), Some(record)) => Some(plan.fields(names, record, &mut other)),
                _ => None,
            };
            self.map(fields, visitor)
        }

        fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.map(None, visitor)
        }

        fn deserialize_enum<V: Visitor<'de>>(
            self,
            name: &'static str,
            variants: &'static [&'static str],
            visitor: V,
        ) -> Result<V::Value, Error> {
            match self.content() {
                Content::Value(_) => self.value()?.deserialize_enum(name, variants, visitor),
                // A choice has one member, the chosen alternative.
                Content::Record(_) => self.map(None, AsEnum(visitor)),
            }
        }

        fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
            self.value()?.deserialize_any(visitor)
        }

        fn deserialize_tuple_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            _: usize,
            visitor: V,
        ) -> Result<V::Value, Error> {
            self.value()?.deserialize_any(visitor)
        }

        fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.skip()?;
            visitor.visit_unit()
        }

        forward! { value: deserialize_seq }
        transparent! {}
    };
}

pub(super) use tam::__transparent_de as transparent;
pub(super) use {element, forward, integers, simple};
