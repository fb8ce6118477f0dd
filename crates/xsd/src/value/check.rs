//! Checks texts against simple types (Part 2 sections 2.5, 4.1.4 and 4.3).

use std::cmp::Ordering;

use xml::name::split;
use xml::number::{self, Decimal};
use xml::white_space::{trim, words};

use super::{Ordered, lexical};
use crate::components::{Builtin, Facets, Schema, SimpleId, SimpleType, Variety};

/// The prefix bindings in scope, which values of QName need.
pub trait Scope {
    /// The namespace that a prefix is bound to; `None` if it is not bound. The empty prefix is the default namespace, and
    /// an empty text is no namespace.
    fn uri(&self, prefix: &str) -> Option<&str>;
}

/// A scope without bindings.
impl Scope for () {
    fn uri(&self, prefix: &str) -> Option<&str> {
        prefix.is_empty().then_some("")
    }
}

/// The result for a valid text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The type, or for a union the member type that has the value.
    pub ty: SimpleId,
}

/// Why a text is not a value of a type.
#[derive(Clone, Debug)]
pub struct ValueFault {
    pub found: String,
    pub expected: String,
}

/// Checks texts against types. Keeps its buffers from one text to the next.
#[derive(Debug)]
pub struct Checker {
    scratch: String,
    octets: Vec<u8>,
    /// The key of the last value, if it was asked for.
    pub key: Vec<u8>,
    /// The IDs (`true`) and IDREFs found, until the caller takes them.
    pub ids: Vec<(bool, String)>,
    /// Steps of work that is out of proportion to the text: members of unions and patterns tried, texts of the schema read.
    pub steps: u64,
    /// The most steps allowed. Beyond it no text is valid.
    pub most: u64,
}

/// Steps for trying a member of a union, which may format an error.
const STEPS_OF_MEMBER: u64 = 8;

/// Steps for reading a text of the schema.
pub(crate) fn steps_of(text: &str) -> u64 {
    1 + text.len() as u64 / 32
}

impl Default for Checker {
    fn default() -> Checker {
        Checker::new(u64::MAX)
    }
}

impl Checker {
    /// A checker that may take at most `most` steps.
    pub fn new(most: u64) -> Checker {
        Checker { scratch: String::new(), octets: Vec::new(), key: Vec::new(), ids: Vec::new(), steps: 0, most }
    }

    /// Checks a text as written in the document. If `keyed`, its key is in `key` afterwards.
    pub fn check(
        &mut self,
        schema: &Schema,
        ty: SimpleId,
        text: &str,
        scope: &dyn Scope,
        keyed: bool,
    ) -> Result<Accepted, ValueFault> {
        self.key.clear();
        if !keyed && schema.any_text.get(ty.0 as usize).copied().unwrap_or_default() {
            return Ok(Accepted { ty });
        }
        self.value(schema, ty, text, scope, keyed)
    }

    /// Checks a value and appends its key. It recurses only for items and members, whose types are at most 64 levels deep.
    fn value(
        &mut self,
        schema: &Schema,
        ty: SimpleId,
        text: &str,
        scope: &dyn Scope,
        keyed: bool,
    ) -> Result<Accepted, ValueFault> {
        let definition = &schema.simple_types[ty];
        let facets = &definition.facets;
        let keyed = keyed || facets.enumeration.is_some();
        let start = self.key.len();
        match &definition.variety {
            Variety::Any => {
                if keyed {
                    self.key.push(b's');
                    self.key.extend_from_slice(text.as_bytes());
                }
                Ok(Accepted { ty })
            }
            Variety::Atomic(primitive) => {
                let mut scratch = std::mem::take(&mut self.scratch);
                let value = facets.white_space().normalize(text, &mut scratch);
                let found = self.atomic(schema, definition, *primitive, value, scope, keyed);
                self.scratch = scratch;
                found.map(|()| Accepted { ty })
            }
            Variety::List(item) => {
                if keyed {
                    self.key.push(b'L');
                }
                let mut count = 0;
                for word in words(text) {
                    if self.is_exhausted() {
                        return Err(fault(text, "fewer items".to_owned()));
                    }
                    let at = self.key.len();
                    if keyed {
                        self.key.extend_from_slice(&[0; 4]);
                    }
                    self.value(schema, *item, word, scope, keyed)?;
                    if keyed {
                        let length = (self.key.len() - at - 4) as u32;
                        self.key[at..at + 4].copy_from_slice(&length.to_be_bytes());
                    }
                    count += 1;
                }
                let length = || count;
                check_lengths(facets, length, "items", text)?;
                self.check_set(facets, text, start)?;
                Ok(Accepted { ty })
            }
            Variety::Union(members) => {
                let ids = self.ids.len();
                for member in members {
                    self.steps += STEPS_OF_MEMBER + steps_of(text);
                    if self.is_exhausted() {
                        break;
                    }
                    match self.value(schema, *member, text, scope, keyed) {
                        Ok(accepted) => {
                            self.check_set(facets, text, start)?;
                            return Ok(accepted);
                        }
                        Err(_) => {
                            self.key.truncate(start);
                            self.ids.truncate(ids);
                        }
                    }
                }
                let of = type_words(schema, definition);
                Err(fault(text, format!("a value of one of the {} types of {of}", members.len())))
            }
        }
    }

    fn atomic(
        &mut self,
        schema: &Schema,
        definition: &SimpleType,
        primitive: Builtin,
        value: &str,
        scope: &dyn Scope,
        keyed: bool,
    ) -> Result<(), ValueFault> {
        let start = self.key.len();
        let facets = &definition.facets;
        let wrong = || fault(value, lexical::described(definition.lexical).to_owned());
        let number = if primitive == Builtin::Decimal { Decimal::parse(value) } else { None };
        let valid = match definition.lexical {
            Builtin::Decimal => number.is_some(),
            lexical => lexical::is_value(lexical, value),
        };
        if !valid {
            return Err(wrong());
        }
        match primitive {
            Builtin::String => {
                check_lengths(facets, || value.chars().count() as u64, "characters", value)?;
                if keyed {
                    self.push_key(b's', value.as_bytes());
                }
                match definition.lexical {
                    Builtin::Id => self.ids.push((true, value.to_owned())),
                    Builtin::IdRef => self.ids.push((false, value.to_owned())),
                    _ => {}
                }
            }
            Builtin::AnyUri => {
                check_lengths(facets, || value.chars().count() as u64, "characters", value)?;
                if keyed {
                    self.push_key(b'u', value.as_bytes());
                }
            }
            Builtin::HexBinary | Builtin::Base64Binary => {
                self.octets.clear();
                let decode = if primitive == Builtin::HexBinary { xml::hex::decode } else { xml::base64::decode };
                decode(value, &mut self.octets).ok_or_else(wrong)?;
                check_lengths(facets, || self.octets.len() as u64, "octets", value)?;
                if keyed {
                    self.key.push(if primitive == Builtin::HexBinary { b'x' } else { b'6' });
                    self.key.extend_from_slice(&self.octets);
                }
            }
            Builtin::QName | Builtin::Notation => {
                let (prefix, local) = split(value);
                let uri = scope.uri(prefix).ok_or_else(wrong)?;
                if primitive == Builtin::Notation {
                    let name = schema.names.find(uri, local);
                    name.and_then(|name| schema.notation_names.get(&name)).ok_or_else(wrong)?;
                }
                if keyed {
                    self.push_key(b'q', uri.as_bytes());
                    self.key.push(b'}');
                    self.key.extend_from_slice(local.as_bytes());
                }
            }
            Builtin::Decimal => {
                check_digits(facets, number, value)?;
                if let Some(number) = number.filter(|_| keyed) {
                    self.push_decimal(number);
                }
            }
            _ if keyed => self.push_other(primitive, value),
            _ => {}
        }
        if facets.min.is_some() || facets.max.is_some() {
            self.steps += check_bounds(facets, primitive, number, value)?;
        }
        self.check_set(facets, value, start)
    }

    /// Whether the limit of steps is exceeded.
    pub fn is_exhausted(&self) -> bool {
        self.steps > self.most
    }

    #[inline]
    fn check_set(&mut self, facets: &Facets, text: &str, start: usize) -> Result<(), ValueFault> {
        if facets.patterns.is_empty() && facets.enumeration.is_none() {
            return Ok(());
        }
        self.check_given_set(facets, text, start)
    }

    /// Checks patterns and enumerations. The key of the value begins at `start`.
    #[inline(never)]
    fn check_given_set(&mut self, facets: &Facets, text: &str, start: usize) -> Result<(), ValueFault> {
        if !facets.patterns.is_empty() {
            let mut scratch = String::new();
            let text = facets.white_space().normalize(text, &mut scratch);
            for pattern in &facets.patterns {
                self.steps += 1 + text.len() as u64 * pattern.bytes() as u64 / (16 << 10);
                if !pattern.is_match(text) {
                    let sources =
                        shown(&pattern.sources.iter().take(8).map(|one| shown(one)).collect::<Vec<_>>().join("' or '"));
                    return Err(fault(text, format!("what matches the pattern '{sources}'")));
                }
            }
        }
        let Some(enumeration) = &facets.enumeration else { return Ok(()) };
        if enumeration.keys.contains_key(&self.key[start..]) {
            return Ok(());
        }
        let mut words: Vec<String> =
            enumeration.values.iter().take(8).map(|value| format!("'{}'", shown(&value.text))).collect();
        if enumeration.values.len() > words.len() {
            words.push(format!("one of {} others", enumeration.values.len() - words.len()));
        }
        Err(fault(text, words.join(" or ")))
    }

    fn push_key(&mut self, tag: u8, bytes: &[u8]) {
        self.key.push(tag);
        self.key.extend_from_slice(bytes);
    }

    fn push_decimal(&mut self, number: Decimal<'_>) {
        self.push_key(b'd', if number.negative { b"-" } else { b"" });
        self.key.extend_from_slice(number.whole.as_bytes());
        self.key.push(b'.');
        self.key.extend_from_slice(number.fraction.as_bytes());
    }

    fn push_other(&mut self, primitive: Builtin, value: &str) {
        self.key.push(primitive as u8);
        if primitive == Builtin::Boolean {
            self.key.push(u8::from(number::boolean(value) == Some(true)));
            return;
        }
        match Ordered::parse(primitive, value) {
            // Adding 0.0 turns -0.0 into 0.0, which is equal to it.
            Some(Ordered::Float(number)) => self.key.extend_from_slice(&(number + 0.0).to_bits().to_be_bytes()),
            Some(Ordered::Double(number)) => self.key.extend_from_slice(&(number + 0.0).to_bits().to_be_bytes()),
            Some(Ordered::Duration(duration)) => {
                self.key.push(u8::from(duration.negative));
                self.key.extend_from_slice(&duration.months.to_be_bytes());
                self.key.extend_from_slice(&duration.seconds.to_be_bytes());
                self.key.extend_from_slice(duration.fraction.as_bytes());
            }
            Some(Ordered::Moment(instant)) => {
                self.key.push(u8::from(instant.zoned));
                self.key.extend_from_slice(&instant.seconds.to_be_bytes());
                self.key.extend_from_slice(instant.fraction.as_bytes());
            }
            _ => self.key.extend_from_slice(value.as_bytes()),
        }
    }
}

/// Checks a number of octets.
pub(crate) fn check_octets(facets: &Facets, count: u64) -> Result<(), ValueFault> {
    check_lengths(facets, || count, "octets", "octets of another part")
}

fn check_lengths(facets: &Facets, count: impl Fn() -> u64, of: &str, text: &str) -> Result<(), ValueFault> {
    if facets.length.is_none() && facets.min_length.is_none() && facets.max_length.is_none() {
        return Ok(());
    }
    let count = count();
    let found = || format!("'{}', {count} {of}", shown(text));
    if let Some(length) = facets.length.as_ref().filter(|length| length.value != count) {
        return Err(ValueFault { found: found(), expected: format!("{} {of}", length.value) });
    }
    if let Some(least) = facets.min_length.as_ref().filter(|least| count < least.value) {
        return Err(ValueFault { found: found(), expected: format!("at least {} {of}", least.value) });
    }
    if let Some(most) = facets.max_length.as_ref().filter(|most| count > most.value) {
        return Err(ValueFault { found: found(), expected: format!("at most {} {of}", most.value) });
    }
    Ok(())
}

fn check_digits(facets: &Facets, number: Option<Decimal<'_>>, value: &str) -> Result<(), ValueFault> {
    if facets.total_digits.is_none() && facets.fraction_digits.is_none() {
        return Ok(());
    }
    let Some(number) = number else { return Ok(()) };
    if let Some(most) = facets.total_digits.as_ref().filter(|most| number.total_digits() as u64 > most.value) {
        return Err(fault(value, format!("at most {} digits", most.value)));
    }
    if let Some(most) = facets.fraction_digits.as_ref().filter(|most| number.fraction.len() as u64 > most.value) {
        return Err(fault(value, format!("at most {} digits after the decimal point", most.value)));
    }
    Ok(())
}

fn check_bounds(
    facets: &Facets,
    primitive: Builtin,
    number: Option<Decimal<'_>>,
    value: &str,
) -> Result<u64, ValueFault> {
    let mut steps = 0;
    for (bound, wrong, words) in [
        (&facets.min, Ordering::Greater, ["at least", "more than"]),
        (&facets.max, Ordering::Less, ["at most", "less than"]),
    ] {
        let Some(bound) = bound.as_ref().map(|facet| &facet.value) else { continue };
        steps += bound.text.len() as u64 / 32;
        let order = bound.value.compare_text(value, number, primitive);
        let fits = match order {
            Some(Ordering::Equal) => bound.inclusive,
            Some(order) => order != wrong,
            None => false,
        };
        if !fits {
            let word = words[usize::from(!bound.inclusive)];
            return Err(fault(value, format!("{word} {}", shown(&bound.text))));
        }
    }
    Ok(steps)
}

fn type_words(schema: &Schema, definition: &SimpleType) -> String {
    definition.name.map_or_else(|| "an anonymous union".to_owned(), |name| schema.names.local(name).to_owned())
}

fn fault(text: &str, expected: String) -> ValueFault {
    ValueFault { found: format!("'{}'", shown(text)), expected }
}

/// The beginning of a text, for error messages.
fn shown(text: &str) -> String {
    const MOST: usize = 60;
    let text = trim(text);
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
