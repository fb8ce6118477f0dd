//! Macros for methods that several deserializers share, besides that of `tam`. All of these have a `type Error = Error`.

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
pub(super) use {element, forward};
