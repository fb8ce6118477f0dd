//! Types (X.680 clauses 17 to 45).

use foldhash::HashSet;

use super::Read;
use super::lexer::Kind as Item;
use super::parser::Parser;
use super::word::is_reserved;
use crate::schema::{Component, Constraint, Element, Kind, NamedNumber, Prefix, StringKind, Type};

/// The types with one keyword and nothing more.
fn simple(word: &str) -> Option<Kind> {
    Some(match word {
        "BOOLEAN" => Kind::Boolean,
        "NULL" => Kind::Null,
        "REAL" => Kind::Real,
        "RELATIVE-OID" => Kind::RelativeOid,
        "EXTERNAL" => Kind::Other("EXTERNAL"),
        "OID-IRI" => Kind::Other("OID-IRI"),
        "RELATIVE-OID-IRI" => Kind::Other("RELATIVE-OID-IRI"),
        _ => Kind::String(StringKind::from_name(word)?),
    })
}

/// The types with two keywords and nothing more: the second keyword, and the type.
fn double(word: &str) -> Option<(&'static str, &'static str, Kind)> {
    Some(match word {
        "OCTET" => ("STRING", "STRING after OCTET", Kind::OctetString),
        "OBJECT" => ("IDENTIFIER", "IDENTIFIER after OBJECT", Kind::ObjectIdentifier),
        "EMBEDDED" => ("PDV", "PDV after EMBEDDED", Kind::Other("EMBEDDED PDV")),
        "CHARACTER" => ("STRING", "STRING after CHARACTER", Kind::Other("CHARACTER STRING")),
        _ => return None,
    })
}

/// Whether a word begins a built-in type.
pub(super) fn is_built_in(word: &str) -> bool {
    let others = ["ANY", "BIT", "CHOICE", "ENUMERATED", "INSTANCE", "INTEGER", "SEQUENCE", "SET"];
    others.contains(&word) || simple(word).is_some() || double(word).is_some()
}

impl Parser<'_> {
    /// Reads a type with its prefixes and constraints.
    pub(super) fn ty(&mut self) -> Read<Type> {
        let mut ty = Type::new(Kind::Null);
        self.type_into(&mut ty)?;
        Ok(ty)
    }

    /// Reads a type into its place. Functions that recurse do not return types, which are large, to save stack.
    pub(super) fn type_into(&mut self, ty: &mut Type) -> Read<()> {
        self.enter()?;
        ty.position = self.position();
        if self.is("[") {
            ty.prefixes = self.prefixes()?;
        }
        self.kind(&mut ty.kind, &mut ty.constraints)?;
        self.constraints(&mut ty.constraints)?;
        self.leave();
        Ok(())
    }

    fn prefixes(&mut self) -> Read<Vec<Prefix>> {
        let mut prefixes = Vec::new();
        while self.takes("[")? {
            let colon = self.peek(1)?.text == ":";
            let prefix = match self.token().text {
                "TAG" if colon => {
                    self.take()?;
                    self.take()?;
                    self.tag()?
                }
                "XER" if colon => {
                    self.take()?;
                    self.take()?;
                    self.prefixed_instruction()?
                }
                _ if self.xer => self.prefixed_instruction()?,
                _ if colon => {
                    return Err(self.unsupported("encoding instructions other than those of XER", "XER or TAG"));
                }
                _ => self.tag()?,
            };
            prefixes.push(prefix);
        }
        Ok(prefixes)
    }

    /// Reads a type without its prefixes. Constraints inside it (`SET SIZE (1) OF`) go to `constraints`.
    fn kind(&mut self, kind: &mut Kind, constraints: &mut Vec<Constraint>) -> Read<()> {
        match self.token().text {
            "SEQUENCE" | "SET" => self.collection(kind, constraints),
            "CHOICE" => {
                self.take()?;
                self.fields(kind, Kind::Choice)
            }
            _ if self.token().kind == Item::Lower && self.peek(1)?.text == "<" => self.selection(kind),
            _ if self.token().kind == Item::Lower && !matches!(self.peek(1)?.text, "." | "{") => {
                Err(self.unexpected("a type"))
            }
            _ => self.flat_into(kind),
        }
    }

    fn flat_into(&mut self, kind: &mut Kind) -> Read<()> {
        *kind = self.flat()?;
        Ok(())
    }

    /// Reads a type that contains no others.
    fn flat(&mut self) -> Read<Kind> {
        let token = self.token();
        if let Some(kind) = simple(token.text) {
            self.take()?;
            return Ok(kind);
        }
        if let Some((second, expected, kind)) = double(token.text) {
            self.take()?;
            self.expect(second, expected)?;
            return Ok(kind);
        }
        match token.text {
            "INTEGER" => {
                self.take()?;
                Ok(Kind::Integer(self.named_numbers()?))
            }
            "BIT" => {
                self.take()?;
                self.expect("STRING", "STRING after BIT")?;
                Ok(Kind::BitString(self.named_numbers()?))
            }
            "ENUMERATED" => {
                self.take()?;
                Ok(Kind::Enumerated(self.enumeration()?))
            }
            "ANY" if !matches!(self.peek(1)?.text, "." | "{") => {
                self.take()?;
                let mut by = None;
                if self.takes("DEFINED")? {
                    self.expect("BY", "BY after DEFINED")?;
                    by = Some(self.identifier("the component that defines the type")?.text.to_owned());
                }
                Ok(Kind::Any(by))
            }
            "INSTANCE" => {
                self.take()?;
                self.expect("OF", "OF after INSTANCE")?;
                Ok(Kind::InstanceOf(Box::new(self.instance("a class")?)))
            }
            _ => self.referenced_type(),
        }
    }

    /// Reads `Type`, `Module.Type`, `Type { … }`, or a field of a class, of an object or of a set of objects.
    fn referenced_type(&mut self) -> Read<Kind> {
        let of = self.instance("a type")?;
        let is_value = !of.name.starts_with(|first: char| first.is_ascii_uppercase());
        if is_value || self.is(".") {
            return Ok(Kind::Field(Box::new(self.field_reference(of)?)));
        }
        if of.arguments.is_empty() {
            return Ok(Kind::Reference { module: of.module, name: of.name });
        }
        Ok(Kind::Instance(Box::new(of)))
    }

    /// Reads `alternative < Choice`.
    fn selection(&mut self, kind: &mut Kind) -> Read<()> {
        if self.peek(1)?.text != "<" {
            return Err(self.unexpected("a type"));
        }
        let name = self.take()?.text.to_owned();
        self.take()?;
        *kind = Kind::Selection(name, Box::new(Type::new(Kind::Null)));
        match kind {
            Kind::Selection(_, of) => self.type_into(of),
            _ => Ok(()),
        }
    }

    /// Reads a SEQUENCE, SET, SEQUENCE OF or SET OF.
    fn collection(&mut self, kind: &mut Kind, constraints: &mut Vec<Constraint>) -> Read<()> {
        let set = self.take()?.text == "SET";
        if self.is("{") {
            return self.fields(kind, if set { Kind::Set } else { Kind::Sequence });
        }
        if self.is("SIZE") {
            self.bare_size(constraints)?;
        } else {
            self.constraints(constraints)?;
        }
        self.expect("OF", "'{', OF or a constraint")?;
        *kind = self.element_name(if set { Kind::SetOf } else { Kind::SequenceOf })?;
        match kind {
            Kind::SetOf(of) | Kind::SequenceOf(of) => self.type_into(&mut of.ty),
            _ => Ok(()),
        }
    }

    /// Reads `SIZE (…)` without parentheses around it. It counts as many levels as with them.
    fn bare_size(&mut self, constraints: &mut Vec<Constraint>) -> Read<()> {
        self.enter()?;
        let position = self.take()?.position;
        let size = self.constraint()?;
        self.leave();
        constraints.push(Constraint { position, ..Constraint::of(Element::Size(size)) });
        Ok(())
    }

    /// Reads the name of the component of a SEQUENCE OF or SET OF, if it has one; the type is read later.
    pub(super) fn element_name(&mut self, kind: fn(Box<Component>) -> Kind) -> Read<Kind> {
        let position = self.position();
        let mut name = "";
        if self.token().kind == Item::Lower && !matches!(self.peek(1)?.text, "<" | "." | "{") {
            name = self.take()?.text;
        }
        Ok(kind(Box::new(Component { position, ..Component::new(name, Type::new(Kind::Null)) })))
    }

    /// Reads named numbers or bits, if there are any.
    fn named_numbers(&mut self) -> Read<Vec<NamedNumber>> {
        let mut numbers = Vec::new();
        if !self.takes("{")? {
            return Ok(numbers);
        }
        let mut seen = HashSet::default();
        loop {
            let name = self.identifier("the name of a number")?;
            self.first(name, &mut seen, "numbers of different names")?;
            self.expect("(", "a number in parentheses")?;
            let number = self.number_or_name("a number, or the name of a value")?;
            self.expect(")", "')'")?;
            numbers.push(NamedNumber { name: name.text.to_owned(), number });
            if !self.takes(",")? {
                break;
            }
        }
        self.expect("}", "',' or '}'")?;
        Ok(numbers)
    }

    /// Whether a type begins here that cannot be a value.
    pub(super) fn is_type(&mut self) -> Read<bool> {
        let token = self.token();
        Ok(match token.kind {
            Item::Upper if is_reserved(token.text) => !matches!(
                token.text,
                "TRUE" | "FALSE" | "NULL" | "MIN" | "MAX" | "PLUS-INFINITY" | "MINUS-INFINITY" | "NOT-A-NUMBER"
            ),
            // `Module.value`, or `Module.Type`.
            Item::Upper => self.peek(1)?.text != "." || self.peek(2)?.kind != Item::Lower,
            // `alternative < Choice`, or `lower<..upper`; `object.&Type`.
            Item::Lower => match self.peek(1)?.text {
                "<" => self.peek(2)?.text != "..",
                "." => self.ends_in_type()?,
                _ => false,
            },
            Item::Sign => token.text == "[",
            _ => false,
        })
    }
}
