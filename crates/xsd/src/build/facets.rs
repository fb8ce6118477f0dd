//! Reads the facets of a restriction, and checks them against those of its base (Part 2 section 4.3).

use std::cmp::Ordering;
use std::sync::Arc;

use tam::Error;
use xml::white_space::{WhiteSpace, trim};

use super::Builder;
use crate::Names;
use crate::components::{Bound, Builtin, Enumerated, Enumeration, Facet, Facets, SimpleId, Variety};
use crate::documents::{DocumentSet, Key, NodeRef, Tag};
use crate::pattern::{MOST_COMPILED, Pattern};
use crate::value::{Accepted, Ordered, Scope, ValueFault};

/// The namespace bindings at a node of a schema document.
pub(super) struct Bindings<'s> {
    pub(super) set: &'s DocumentSet,
    pub(super) names: &'s Names,
    pub(super) at: NodeRef,
}

impl Scope for Bindings<'_> {
    fn uri(&self, prefix: &str) -> Option<&str> {
        let namespace = self.set.tree_of(self.at.document).namespace(self.at.node, prefix)?;
        let document = &self.set.documents[self.at.document as usize];
        let chameleon = document.chameleon && namespace == crate::NamespaceId::NONE;
        Some(self.names.uri(if chameleon { document.target } else { namespace }))
    }
}

/// Adds the facets of a step of derivation to those of the steps before.
pub(super) fn merge(facets: &mut Facets, own: &Facets) {
    fn take<T: Clone>(facet: &mut Option<Facet<T>>, own: &Option<Facet<T>>) {
        if own.is_some() {
            facet.clone_from(own);
        }
    }
    take(&mut facets.white_space, &own.white_space);
    take(&mut facets.length, &own.length);
    take(&mut facets.min_length, &own.min_length);
    take(&mut facets.max_length, &own.max_length);
    take(&mut facets.total_digits, &own.total_digits);
    take(&mut facets.fraction_digits, &own.fraction_digits);
    take(&mut facets.min, &own.min);
    take(&mut facets.max, &own.max);
    if own.enumeration.is_some() {
        facets.enumeration.clone_from(&own.enumeration);
    }
    facets.patterns.extend(own.patterns.iter().cloned());
}

/// Whether a facet applies to a kind of type (section 4.1.5).
fn applies(tag: Tag, variety: &Variety) -> bool {
    let length = matches!(tag, Tag::Length | Tag::MinLength | Tag::MaxLength);
    let bound = matches!(tag, Tag::MinInclusive | Tag::MinExclusive | Tag::MaxInclusive | Tag::MaxExclusive);
    let digits = matches!(tag, Tag::TotalDigits | Tag::FractionDigits);
    match variety {
        Variety::Any => false,
        Variety::List(_) => !bound && !digits,
        Variety::Union(_) => matches!(tag, Tag::Pattern | Tag::Enumeration),
        Variety::Atomic(primitive) => match primitive {
            Builtin::Boolean => matches!(tag, Tag::Pattern | Tag::WhiteSpace),
            Builtin::Decimal => !length,
            Builtin::String | Builtin::AnyUri | Builtin::HexBinary | Builtin::Base64Binary => !bound && !digits,
            Builtin::QName | Builtin::Notation => !bound && !digits,
            _ => !length && !digits,
        },
    }
}

impl Builder<'_> {
    /// Reads the facets of a restriction of a base.
    pub(super) fn read_facets(&mut self, at: NodeRef, base: SimpleId) -> Result<Facets, Error> {
        let mut own = Facets::default();
        let mut enumeration = Enumeration::default();
        let mut patterns = Vec::new();
        let mut first_pattern = at;
        for child in self.children(at) {
            let tag = self.tag(child);
            if !tag.is_facet() {
                continue;
            }
            let Some(value) = self.attribute(child, Key::Value).map(str::to_owned) else {
                return Err(self.set.fault(child, format!("<{}> without value", tag.name()), "the attribute value"));
            };
            let variety = &self.schema.simple_types[base].variety;
            if !applies(tag, variety) {
                let of = self.shown(self.schema.simple_types[base].name);
                let expected = format!("a facet that values of {of} have");
                return Err(self.set.fault(child, format!("<{}>", tag.name()), expected));
            }
            match tag {
                Tag::Pattern => {
                    if patterns.is_empty() {
                        first_pattern = child;
                    }
                    patterns.push(value);
                }
                Tag::Enumeration => self.read_enumerated(child, base, &value, &mut enumeration)?,
                _ => self.read_facet(child, base, &value, &mut own)?,
            }
        }
        if !patterns.is_empty() {
            own.patterns.push(self.pattern(first_pattern, patterns)?);
        }
        if !enumeration.values.is_empty() {
            own.enumeration = Some(Arc::new(enumeration));
        }
        self.check_together(at, base, &own)?;
        Ok(own)
    }

    /// Turns the result of a check into an error at a node.
    pub(super) fn accept(&self, at: NodeRef, checked: Result<Accepted, ValueFault>) -> Result<(), Error> {
        if self.checker.is_exhausted() {
            let units = self.options.limits.units.into();
            return Err(self
                .set
                .placed(at, Error::limit("xsd", 0, "more types to check values against", "units", units)));
        }
        checked.map(|_| ()).map_err(|fault| self.set.fault(at, fault.found, fault.expected))
    }

    /// Compiles expressions to a pattern. Equal ones are compiled once; the memory of all patterns is limited.
    fn pattern(&mut self, at: NodeRef, sources: Vec<String>) -> Result<Arc<Pattern>, Error> {
        if let Some(known) = self.patterns.get(&sources) {
            return Ok(known.clone());
        }
        let pattern = Pattern::new(sources.clone(), self.pattern_bytes).map_err(|fault| match fault.is_limit() {
            true => self.set.placed(at, Error::limit("xsd", 0, "more patterns", "bytes of patterns", MOST_COMPILED)),
            false => self.set.fault(at, format!("{} in a pattern", fault.found), fault.expected),
        })?;
        self.pattern_bytes -= pattern.bytes().min(self.pattern_bytes);
        let pattern = Arc::new(pattern);
        self.patterns.insert(sources, pattern.clone());
        Ok(pattern)
    }

    /// Counts the effective facets of a type against the limit for all types.
    pub(super) fn take_facet_room(&mut self, id: SimpleId) -> Result<(), Error> {
        let ty = &self.schema.simple_types[id];
        let bound = |facet: &Option<Facet<Bound>>| facet.as_ref().map_or(0, |facet| facet.value.text.len());
        let size = ty.facets.patterns.len() + (bound(&ty.facets.min) + bound(&ty.facets.max)) / 16;
        match self.facet_room.checked_sub(size) {
            Some(left) => self.facet_room = left,
            None => {
                let error = Error::limit("xsd", 0, "more facets", "particles", self.options.particles.into());
                return Err(self.error_at(ty.position, error));
            }
        }
        Ok(())
    }

    fn read_enumerated(
        &mut self,
        at: NodeRef,
        base: SimpleId,
        value: &str,
        enumeration: &mut Enumeration,
    ) -> Result<(), Error> {
        let scope = Bindings { set: &self.set, names: &self.schema.names, at };
        let checked = self.checker.check(&self.schema, base, value, &scope, true);
        self.checker.ids.clear();
        self.accept(at, checked)?;
        let ty = &self.schema.simple_types[base];
        let white_space = match ty.variety {
            Variety::Atomic(_) => ty.facets.white_space(),
            _ => WhiteSpace::Collapse,
        };
        let text = white_space.normalize(value, &mut String::new()).to_owned();
        let place = enumeration.values.len() as u32;
        enumeration.keys.entry(self.checker.key.as_slice().into()).or_insert(place);
        enumeration.values.push(Enumerated { text, position: self.position(at) });
        Ok(())
    }

    fn read_facet(&mut self, at: NodeRef, base: SimpleId, value: &str, own: &mut Facets) -> Result<(), Error> {
        let (tag, fixed, position) = (self.tag(at), self.is_true(at, Key::Fixed)?, self.position(at));
        let value = trim(value);
        let wrong = |expected: &'static str| self.set.fault(at, format!("{}='{value}'", tag.name()), expected);
        let number = || {
            let digits = value.strip_prefix('+').unwrap_or(value);
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(wrong("a number from 0 on"));
            }
            // No value is as long as a number that does not fit.
            Ok(Facet { value: digits.parse().unwrap_or(u64::MAX), fixed, position })
        };
        let once = |is_there: bool| if is_there { Err(wrong("each facet once")) } else { Ok(()) };
        match tag {
            Tag::WhiteSpace => {
                once(own.white_space.is_some())?;
                let value = match value {
                    "preserve" => WhiteSpace::Preserve,
                    "replace" => WhiteSpace::Replace,
                    "collapse" => WhiteSpace::Collapse,
                    _ => return Err(wrong("preserve, replace or collapse")),
                };
                own.white_space = Some(Facet { value, fixed, position });
            }
            Tag::Length | Tag::MinLength | Tag::MaxLength | Tag::TotalDigits | Tag::FractionDigits => {
                let facet = number()?;
                let place = match tag {
                    Tag::Length => &mut own.length,
                    Tag::MinLength => &mut own.min_length,
                    Tag::MaxLength => &mut own.max_length,
                    Tag::TotalDigits if facet.value == 0 => return Err(wrong("a number from 1 on")),
                    Tag::TotalDigits => &mut own.total_digits,
                    _ => &mut own.fraction_digits,
                };
                once(place.is_some())?;
                *place = Some(facet);
            }
            _ => {
                let Variety::Atomic(primitive) = self.schema.simple_types[base].variety else { return Ok(()) };
                let parsed = Ordered::parse(primitive, value);
                let Some(parsed) = parsed else { return Err(wrong("a value of the base type")) };
                let inclusive = matches!(tag, Tag::MinInclusive | Tag::MaxInclusive);
                let place =
                    if matches!(tag, Tag::MinInclusive | Tag::MinExclusive) { &mut own.min } else { &mut own.max };
                if place.is_some() {
                    return Err(wrong("one bound at each end"));
                }
                let value = Bound { text: value.to_owned(), inclusive, value: parsed };
                *place = Some(Facet { value, fixed, position });
            }
        }
        Ok(())
    }

    /// Checks the facets against each other and against those of the base (sections 4.3.1 to 4.3.12).
    fn check_together(&self, at: NodeRef, base: SimpleId, own: &Facets) -> Result<(), Error> {
        let before = &self.schema.simple_types[base].facets;
        let mut all = before.clone();
        merge(&mut all, own);
        let wrong = |found: String, expected: String| Err(self.set.fault(at, found, expected));
        if let (Some(own), Some(before)) = (&own.white_space, &before.white_space)
            && own.value < before.value
        {
            return wrong(
                "whiteSpace that keeps more than the base".to_owned(),
                "as much collapsed as in the base".to_owned(),
            );
        }
        type Fits = fn(u64, u64) -> bool;
        let numbers: [(&str, _, _, Fits); 5] = [
            ("length", &own.length, &before.length, |own, base| own == base),
            ("minLength", &own.min_length, &before.min_length, |own, base| own >= base),
            ("maxLength", &own.max_length, &before.max_length, |own, base| own <= base),
            ("totalDigits", &own.total_digits, &before.total_digits, |own, base| own <= base),
            ("fractionDigits", &own.fraction_digits, &before.fraction_digits, |own, base| own <= base),
        ];
        for (name, own, before, fits) in numbers {
            if let (Some(own), Some(before)) = (own, before)
                && (!fits(own.value, before.value) || before.fixed && own.value != before.value)
            {
                let of = if before.fixed { "fixed" } else { "a restriction of" };
                return wrong(format!("{name}='{}'", own.value), format!("{name} {of} {}", before.value));
            }
        }
        let value = |facet: &Option<Facet<u64>>| facet.as_ref().map(|facet| facet.value);
        let (length, min, max) = (value(&all.length), value(&all.min_length), value(&all.max_length));
        // A length excludes minLength and maxLength, unless these are as in the base.
        let anew = |own: &Option<Facet<u64>>, before: &Option<Facet<u64>>| own.is_some() && value(own) != value(before);
        let bounds = anew(&own.min_length, &before.min_length) || anew(&own.max_length, &before.max_length);
        if own.length.is_some() && bounds {
            return wrong("length together with minLength or maxLength".to_owned(), "one of them".to_owned());
        }
        let least = length.or(min).unwrap_or(0).max(min.unwrap_or(0));
        if length.or(max).unwrap_or(u64::MAX).min(max.unwrap_or(u64::MAX)) < least {
            return wrong("lengths that no value has".to_owned(), "no minLength above length or maxLength".to_owned());
        }
        if value(&all.fraction_digits) > value(&all.total_digits) && all.total_digits.is_some() {
            return wrong("more fractionDigits than totalDigits".to_owned(), "no more than totalDigits".to_owned());
        }
        self.check_bounds(at, own, before, &all)
    }

    fn check_bounds(&self, at: NodeRef, own: &Facets, before: &Facets, all: &Facets) -> Result<(), Error> {
        let pairs = [(&own.min, &before.min, "min", Ordering::Greater), (&own.max, &before.max, "max", Ordering::Less)];
        for (own, base, name, narrower) in pairs {
            let (Some(own), Some(base)) = (own, base) else { continue };
            let order = own.value.value.compare(&base.value.value);
            let same = order == Some(Ordering::Equal);
            let fits = order == Some(narrower) || same && (base.value.inclusive || !own.value.inclusive);
            if !fits || base.fixed && !(same && base.value.inclusive == own.value.inclusive) {
                let found = format!("{name}imum {}", own.value.text);
                return Err(self.set.fault(at, found, format!("no wider than {} of the base", base.value.text)));
            }
        }
        if let (Some(min), Some(max)) = (&all.min, &all.max) {
            let order = min.value.value.compare(&max.value.value);
            let empty = order == Some(Ordering::Equal) && !(min.value.inclusive && max.value.inclusive);
            if order == Some(Ordering::Greater) || empty || order.is_none() {
                let found = format!("bounds from {} to {}", min.value.text, max.value.text);
                return Err(self.set.fault(at, found, "a lower bound that is not above the upper"));
            }
        }
        Ok(())
    }
}

impl Facets {
    /// Whether there are no facets.
    pub(crate) fn is_empty(&self) -> bool {
        self.white_space.is_none()
            && self.length.is_none()
            && self.min_length.is_none()
            && self.max_length.is_none()
            && self.total_digits.is_none()
            && self.fraction_digits.is_none()
            && self.min.is_none()
            && self.max.is_none()
            && self.enumeration.is_none()
            && self.patterns.is_empty()
    }
}
