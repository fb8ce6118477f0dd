//! Types (X.680 clauses 17 to 45).

use std::collections::HashSet;

use super::Read;
use super::lexer::Kind as Item;
use super::parser::Parser;
use super::word::is_reserved;
use crate::schema::{Component, ComponentKind, Constraint, Element, Kind, NamedNumber, Prefix, StringKind, Type};

/// The types of one word that take nothing more.
fn simple(word: &str) -> Option<Kind> {
    Some(match word {
        "BOOLEAN" => Kind::Boolean,
        "NULL" => Kind::Null,
        "REAL" => Kind::Real,
        "RELATIVE-OID" => Kind::RelativeOid,
        "UTF8String" => Kind::String(StringKind::Utf8),
        "NumericString" => Kind::String(StringKind::Numeric),
        "PrintableString" => Kind::String(StringKind::Printable),
        "IA5String" => Kind::String(StringKind::Ia5),
        "VisibleString" | "ISO646String" => Kind::String(StringKind::Visible),
        "BMPString" => Kind::String(StringKind::Bmp),
        "UniversalString" => Kind::String(StringKind::Universal),
        "TeletexString" | "T61String" => Kind::String(StringKind::Teletex),
        "VideotexString" => Kind::String(StringKind::Videotex),
        "GraphicString" => Kind::String(StringKind::Graphic),
        "GeneralString" => Kind::String(StringKind::General),
        "ObjectDescriptor" => Kind::String(StringKind::ObjectDescriptor),
        "UTCTime" => Kind::String(StringKind::UtcTime),
        "GeneralizedTime" => Kind::String(StringKind::GeneralizedTime),
        "EXTERNAL" => Kind::Other("EXTERNAL"),
        "TIME" => Kind::Other("TIME"),
        "DATE" => Kind::Other("DATE"),
        "TIME-OF-DAY" => Kind::Other("TIME-OF-DAY"),
        "DATE-TIME" => Kind::Other("DATE-TIME"),
        "DURATION" => Kind::Other("DURATION"),
        "OID-IRI" => Kind::Other("OID-IRI"),
        "RELATIVE-OID-IRI" => Kind::Other("RELATIVE-OID-IRI"),
        _ => return None,
    })
}

/// The types of two words that take nothing more: the second word, and the type.
fn double(word: &str) -> Option<(&'static str, &'static str, Kind)> {
    Some(match word {
        "OCTET" => ("STRING", "STRING behind OCTET", Kind::OctetString),
        "OBJECT" => ("IDENTIFIER", "IDENTIFIER behind OBJECT", Kind::ObjectIdentifier),
        "EMBEDDED" => ("PDV", "PDV behind EMBEDDED", Kind::Other("EMBEDDED PDV")),
        "CHARACTER" => ("STRING", "STRING behind CHARACTER", Kind::Other("CHARACTER STRING")),
        _ => return None,
    })
}

impl Parser<'_> {
    /// A type, with what stands before and behind it.
    pub(super) fn ty(&mut self) -> Read<Type> {
        self.enter()?;
        let position = self.position();
        let prefixes = if self.is("[") { self.prefixes()? } else { Vec::new() };
        let mut constraints = Vec::new();
        let kind = self.kind(&mut constraints)?;
        self.constraints(&mut constraints)?;
        self.leave();
        Ok(Type { prefixes, kind, constraints, position })
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

    /// What a type is; constraints that stand inside it (`SET SIZE (1) OF`) go to `constraints`.
    fn kind(&mut self, constraints: &mut Vec<Constraint>) -> Read<Kind> {
        let token = self.token();
        match token.text {
            "SEQUENCE" | "SET" => self.collection(constraints),
            "CHOICE" => {
                self.take()?;
                Ok(Kind::Choice(self.fields("CHOICE")?))
            }
            _ if token.kind == Item::Lower => self.selection(),
            _ => self.flat(),
        }
    }

    /// The types that hold no others.
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
                self.expect("STRING", "STRING behind BIT")?;
                Ok(Kind::BitString(self.named_numbers()?))
            }
            "ENUMERATED" => {
                self.take()?;
                Ok(Kind::Enumerated(self.enumeration()?))
            }
            "ANY" => Err(self.unsupported("ANY, which was given up in 1994", "a type")),
            "INSTANCE" => Err(self.unsupported("INSTANCE OF (X.681)", "a type")),
            "CLASS" => Err(self.unsupported("an information object class (X.681)", "a type")),
            "TYPE-IDENTIFIER" | "ABSTRACT-SYNTAX" => {
                Err(self.unsupported("an information object class (X.681)", "a type"))
            }
            _ => self.referenced_type(),
        }
    }

    /// `Type`, or `Module.Type`.
    fn referenced_type(&mut self) -> Read<Kind> {
        let first = self.reference("a type")?;
        let mut module = None;
        let mut name = first.text;
        if self.is(".") {
            if self.peek(1)?.text == "&" {
                return Err(self.unsupported("a field of an information object class (X.681)", "a type"));
            }
            self.take()?;
            module = Some(name.to_owned());
            name = self.reference("a type behind the name of its module")?.text;
            if self.is(".") {
                return Err(self.unsupported("a field of an information object class (X.681)", "a type"));
            }
        }
        if self.is("{") {
            return Err(self.unsupported("the parameters of a type (X.683)", "a type without"));
        }
        Ok(Kind::Reference { module, name: name.to_owned() })
    }

    /// `alternative < Choice`.
    fn selection(&mut self) -> Read<Kind> {
        if self.peek(1)?.text != "<" {
            return Err(self.unexpected("a type"));
        }
        let name = self.take()?.text.to_owned();
        self.take()?;
        Ok(Kind::Selection(name, Box::new(self.ty()?)))
    }

    /// A SEQUENCE, SET, SEQUENCE OF or SET OF.
    fn collection(&mut self, constraints: &mut Vec<Constraint>) -> Read<Kind> {
        let set = self.is("SET");
        self.take()?;
        if self.is("{") {
            return Ok(if set { Kind::Set(self.fields("SET")?) } else { Kind::Sequence(self.fields("SEQUENCE")?) });
        }
        if self.is("SIZE") {
            let position = self.position();
            self.take()?;
            let size = self.constraint()?;
            constraints.push(Constraint { position, ..Constraint::of(Element::Size(size)) });
        } else {
            self.constraints(constraints)?;
        }
        self.expect("OF", "'{', OF or a constraint")?;
        let of = Box::new(self.element_type()?);
        Ok(if set { Kind::SetOf(of) } else { Kind::SequenceOf(of) })
    }

    /// What a SEQUENCE OF or SET OF is of.
    fn element_type(&mut self) -> Read<Component> {
        let position = self.position();
        let mut name = "";
        if self.token().kind == Item::Lower && self.peek(1)?.text != "<" {
            name = self.take()?.text;
        }
        Ok(Component { name: name.to_owned(), ty: self.ty()?, kind: ComponentKind::Mandatory, position })
    }

    /// Names of numbers or bits, if there are any.
    fn named_numbers(&mut self) -> Read<Vec<NamedNumber>> {
        let mut numbers = Vec::new();
        if !self.takes("{")? {
            return Ok(numbers);
        }
        let mut seen = HashSet::new();
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

    /// Whether a type begins here that is not a value as well.
    pub(super) fn is_type(&mut self) -> Read<bool> {
        let token = self.token();
        Ok(match token.kind {
            Item::Upper if is_reserved(token.text) => !matches!(
                token.text,
                "TRUE" | "FALSE" | "NULL" | "MIN" | "MAX" | "PLUS-INFINITY" | "MINUS-INFINITY" | "NOT-A-NUMBER"
            ),
            // `Module.value`, or `Module.Type`.
            Item::Upper => self.peek(1)?.text != "." || self.peek(2)?.kind != Item::Lower,
            // `alternative < Choice`, or `lower<..upper`.
            Item::Lower => self.peek(1)?.text == "<" && self.peek(2)?.text != "..",
            Item::Sign => token.text == "[",
            _ => false,
        })
    }
}
