//! Tags (X.680 clause 31.2), and the values that give them numbers.

use foldhash::HashMap;
use tam::ErrorKind;

use super::Read;
use super::lexer::Kind;
use super::parser::Parser;
use crate::schema::{Meaning, Prefix, Schema, Tag, TagClass, TagMode, Value};

/// The longest chain of values defined by other values' names.
const HOPS: usize = 100;

/// The values that names refer to, in all modules.
pub(super) struct Numbers<'v> {
    /// The module that a name comes from, by the importing module and the name.
    values: HashMap<(&'v str, &'v str), &'v Value>,
    /// The module that a name comes from, by the module that imports it and the name.
    imports: HashMap<(&'v str, &'v str), &'v str>,
}

impl<'v> Numbers<'v> {
    pub(super) fn new(schema: &'v Schema) -> Numbers<'v> {
        let mut numbers = Numbers { values: HashMap::default(), imports: HashMap::default() };
        for module in &schema.modules {
            for assignment in &module.assignments {
                if let Meaning::Value(_, value) = &assignment.meaning {
                    numbers.values.insert((&module.name, &assignment.name), value);
                }
            }
            for import in &module.imports {
                for name in &import.names {
                    numbers.imports.insert((&module.name, name), &import.module);
                }
            }
        }
        numbers
    }

    /// The number that a name refers to.
    fn find(&self, module: &str, name: &str) -> Option<u32> {
        let (mut module, mut name) = (module, name);
        for _ in 0..HOPS {
            match self.values.get(&(module, name)) {
                Some(Value::Number(digits)) => return digits.parse().ok(),
                Some(Value::Name { module: other, name: another }) => {
                    module = other.as_deref().unwrap_or(module);
                    name = another;
                }
                Some(_) => return None,
                None => module = self.imports.get(&(module, name))?,
            }
        }
        None
    }
}

impl Parser<'_> {
    /// Reads a tag, after its bracket.
    pub(super) fn tag(&mut self) -> Read<Prefix> {
        let class = match self.token().text {
            "UNIVERSAL" => TagClass::Universal,
            "APPLICATION" => TagClass::Application,
            "PRIVATE" => TagClass::Private,
            _ => TagClass::Context,
        };
        if class != TagClass::Context {
            self.take()?;
        }
        let number = self.tag_number()?;
        self.expect("]", "']'")?;
        let mode = match self.token().text {
            "IMPLICIT" => Some(TagMode::Implicit),
            "EXPLICIT" => Some(TagMode::Explicit),
            _ => None,
        };
        if mode.is_some() {
            self.take()?;
        }
        Ok(Prefix::Tag(Tag { class, number }, mode))
    }

    fn tag_number(&mut self) -> Read<u32> {
        const EXPECTED: &str = "a tag's number, or UNIVERSAL, APPLICATION or PRIVATE before it";
        let token = self.token();
        if token.kind == Kind::Number {
            let Ok(number) = token.text.parse() else {
                return Err(self.error(
                    ErrorKind::Unsupported,
                    token.position,
                    token.words(),
                    "a tag below 4294967296",
                ));
            };
            self.take()?;
            return Ok(number);
        }
        if token.kind != Kind::Lower && !self.is_reference() {
            return Err(self.unexpected(EXPECTED));
        }
        let Value::Name { module, name } = self.defined_value(EXPECTED)? else {
            return Err(self.unexpected("a tag's number"));
        };
        let Some(numbers) = self.numbers else {
            self.has_named_tags = true;
            return Ok(0);
        };
        let here = self.path.first().copied().unwrap_or_default();
        numbers.find(module.as_deref().unwrap_or(here), &name).ok_or_else(|| {
            let expected = "the name of a number below 4294967296, for a tag";
            self.error(ErrorKind::Schema, token.position, token.words(), expected)
        })
    }
}
