//! Types whose values are characters.

use std::collections::HashSet;

use asn1::schema::{Enumeration, Kind, NamedNumber, StringKind, Type};
use tam::Error;
use xml::white_space::words;
use xsd::Builtin;

use super::documents::attribute;
use super::facets::Facets;
use super::{Describer, fault};
use crate::mapping::{XSD, type_name};
use crate::xer::build::is_characters;
use crate::xer::instructions::{Made, Resolved, made_of};

/// The instructions that change the characters of a value.
const OF_CHARACTERS: [&str; 7] = ["BASE64", "DECIMAL", "LIST", "TEXT", "USE-NUMBER", "USE-QNAME", "USE-UNION"];

/// The longest pattern of names.
const LONGEST: usize = 1 << 14;

/// The arcs of an OBJECT IDENTIFIER: after 0 and 1 there are 40 (X.660, 7.6 b).
const ARCS_OF_OBJECTS: &str = r"([01]\.([0-9]|[1-3][0-9])|2\.[0-9]+)(\.[0-9]+)*";

fn restricted(base: &str, facets: &Facets) -> String {
    let facets: String = facets.iter().map(|(name, value)| format!("<xs:{name}{value}/>")).collect();
    format!("><xs:restriction base=\"{base}\">{facets}</xs:restriction>")
}

impl<'m> Describer<'m> {
    /// The name of the type of characters.
    pub(super) fn simple(&mut self, module: usize, ty: &'m Type) -> Result<String, Error> {
        let (base, steps) = self.simple_steps(module, ty)?;
        Ok(self.derived_by(module, base, &steps))
    }

    /// The definition of a type of characters, after its name.
    pub(super) fn simple_definition(&mut self, module: usize, ty: &'m Type) -> Result<String, Error> {
        let (base, mut steps) = self.simple_steps(module, ty)?;
        let last = steps.pop().unwrap_or_default();
        let base = self.derived_by(module, base, &steps);
        Ok(restricted(&base, &last))
    }

    fn derived_by(&mut self, module: usize, mut base: String, steps: &[Facets]) -> String {
        for facets in steps {
            base = self.documents.intern(self.of_module[module], "simpleType", &restricted(&base, facets));
        }
        base
    }

    /// The base of a type, and the steps of derivation from it.
    fn simple_steps(&mut self, module: usize, ty: &'m Type) -> Result<(String, Vec<Facets>), Error> {
        let of = self.resolve(module, ty)?;
        if !is_characters(&of) {
            let found = match made_of(&of.ty.kind) {
                Some(Made::Open) => "an open type",
                Some(Made::Content) => "a string that contains a value",
                None => of.ty.kind.as_str(),
            };
            if of.instructions.empty_elements {
                let found = format!("{found} without GLOBAL-DEFAULTS MODIFIED-ENCODINGS");
                return Err(fault(ty, found, "a module that has them, or TEXT"));
            }
            return Err(fault(ty, found.to_owned(), "a type whose values are characters"));
        }
        if let Some(place) = self.referred(module, ty)
            && OF_CHARACTERS.iter().all(|keyword| ty.instruction(keyword).is_none())
        {
            let base = match self.modules.modules[place.0].name == XSD {
                true => built_in(place.1),
                false => self.type_of(place),
            };
            let steps = self.facets(module, ty, &of);
            // Times in an enumeration, and types of the module XSD that others rest on, are looked at themselves.
            if let Some(base) = base {
                // Nothing may restrict anySimpleType (XML Schema Part 1, clause 3.14.6); its values are strings.
                let is_any = base == "xs:anySimpleType" && !steps.is_empty();
                return Ok((if is_any { "xs:string".to_owned() } else { base }, steps));
            }
        }
        let base = self.within(of.ty, |describer| describer.base(&of))?;
        let mut steps = self.facets(of.module, of.ty, &of);
        if !std::ptr::eq(ty, of.ty) {
            steps.extend(self.facets(module, ty, &of));
        }
        Ok((base, steps))
    }

    /// The type that values are of, without constraints.
    fn base(&mut self, of: &Resolved<'m>) -> Result<String, Error> {
        let document = self.of_module[of.module];
        let name = match &of.ty.kind {
            Kind::Boolean if !of.texts().is_empty() => {
                let (base, facets) = texts_of(of, ["false", "true"].into_iter())?;
                return Ok(self.documents.intern(document, "simpleType", &restricted(base, &facets)));
            }
            Kind::Boolean => "boolean",
            Kind::Integer(named) if !named.is_empty() => {
                let names = self.names(of, named)?;
                return Ok(self.patterned(document, &format!("-?[0-9]+|{names}")));
            }
            Kind::Integer(_) => "integer",
            Kind::Real if of.instructions.decimal => "decimal",
            Kind::Real if of.instructions.float => "float",
            Kind::Real if !self.by_name.is_modified(of.module) => {
                let pattern = vec![("pattern".to_owned(), attribute("value", "[^IN]*"))];
                return Ok(self.documents.intern(document, "simpleType", &restricted("xs:double", &pattern)));
            }
            Kind::Real => "double",
            Kind::OctetString if of.instructions.base64 => "base64Binary",
            Kind::OctetString => "hexBinary",
            Kind::BitString(named) if !named.is_empty() => {
                let names = self.names(of, named)?;
                return Ok(self.patterned(document, &format!("([01] ?)*|({names})( ({names}))*")));
            }
            Kind::BitString(_) => return Ok(self.patterned(document, "([01] ?)*")),
            Kind::ObjectIdentifier => return Ok(self.patterned(document, ARCS_OF_OBJECTS)),
            Kind::RelativeOid => return Ok(self.patterned(document, r"[0-9]+(\.[0-9]+)*")),
            Kind::String(kind) if !kind.is_iso8601() => "string",
            Kind::String(StringKind::Date) => "date",
            Kind::String(StringKind::DateTime) => "dateTime",
            Kind::String(StringKind::TimeOfDay) => "time",
            Kind::String(StringKind::Duration) => "duration",
            Kind::String(_) => "token",
            Kind::Sequence(_) => "QName",
            Kind::Enumerated(items) => {
                let (base, facets) = self.items(of, items)?;
                return Ok(self.documents.intern(document, "simpleType", &restricted(base, &facets)));
            }
            Kind::SequenceOf(item) | Kind::SetOf(item) => {
                let item = self.simple(of.module, &item.ty)?;
                return Ok(self.documents.intern(document, "simpleType", &format!("><xs:list itemType=\"{item}\"/>")));
            }
            Kind::Choice(fields) => {
                let members: Vec<String> =
                    fields.root.iter().map(|one| self.simple(of.module, &one.ty)).collect::<Result<_, _>>()?;
                let members = members.join(" ");
                let union = format!("><xs:union memberTypes=\"{members}\"/>");
                return Ok(self.documents.intern(document, "simpleType", &union));
            }
            kind => return Err(fault(of.ty, kind.as_str().to_owned(), "a type that EXTENDED-XER is read by")),
        };
        Ok(format!("xs:{name}"))
    }

    /// A pattern of the texts of named numbers or bits.
    fn names(&self, of: &Resolved<'m>, named: &'m [NamedNumber]) -> Result<String, Error> {
        let texts = of.texts();
        let (mut seen, mut pattern) = (HashSet::new(), String::new());
        for NamedNumber { name, .. } in named {
            let text = texts.get(&name[..]).map_or(&name[..], |text| text);
            let is_digits = text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
            if is_digits || text.bytes().any(xml::chars::is_space) || !seen.insert(text) {
                return Err(fault(of.ty, format!("the text '{}' of {name}", tam::excerpt(text)), "a word of its own"));
            }
            if !pattern.is_empty() {
                pattern.push('|');
            }
            for c in text.chars() {
                if !c.is_alphanumeric() && c.is_ascii() && !matches!(c, '-' | '_') {
                    pattern.push('\\');
                }
                pattern.push(c);
            }
        }
        Ok(pattern)
    }

    /// Words without white space around them that match a pattern. One that is too long is left out, as names are looked up anyway.
    fn patterned(&mut self, document: usize, pattern: &str) -> String {
        if pattern.len() > LONGEST {
            return "xs:token".to_owned();
        }
        let facets = vec![("pattern".to_owned(), attribute("value", pattern))];
        self.documents.intern(document, "simpleType", &restricted("xs:token", &facets))
    }

    /// The enumeration of an ENUMERATED.
    fn items(&self, of: &Resolved<'m>, items: &Enumeration) -> Result<(&'static str, Facets), Error> {
        let facet = |text: &str| ("enumeration".to_owned(), attribute("value", text));
        if of.instructions.use_number {
            let mut given: HashSet<String> = HashSet::new();
            let numbers = items.root.iter().filter_map(|item| self.number(of.module, item.number.as_ref()?));
            given.extend(numbers);
            let mut next = (0..).map(|number: u64| number.to_string()).filter(|number| !given.contains(number));
            let mut facets = Facets::new();
            for item in &items.root {
                let number = match &item.number {
                    Some(number) => self.number(of.module, number),
                    None => next.next(),
                };
                facets.push(facet(&number.ok_or_else(|| fault(of.ty, "an unknown number", "a number"))?));
            }
            return Ok(("xs:integer", facets));
        }
        texts_of(of, items.root.iter().map(|item| &item.name[..]))
    }
}

/// The enumeration of the texts of items, each of its own.
fn texts_of<'n>(of: &Resolved<'_>, names: impl Iterator<Item = &'n str>) -> Result<(&'static str, Facets), Error> {
    let texts = of.texts();
    let (mut base, mut seen, mut facets) = ("xs:token", HashSet::new(), Facets::new());
    for name in names {
        let text = texts.get(name).map_or(name, |text| text);
        if words(text).collect::<Vec<_>>().join(" ") != text {
            base = "xs:string";
        }
        if !seen.insert(text) {
            return Err(fault(of.ty, format!("the text '{}' of {name}", tam::excerpt(text)), "a text of its own"));
        }
        facets.push(("enumeration".to_owned(), attribute("value", text)));
    }
    Ok((base, facets))
}

/// The built-in type that a type of the module `XSD` is for.
fn built_in(name: &str) -> Option<String> {
    let of = Builtin::ALL.iter().find(|of| type_name(**of) == name)?;
    Some(format!("xs:{}", of.name()))
}
