//! Parses the notation of data schemas.

use std::collections::{HashMap, HashSet};

use tam::{Error, ErrorKind, Limits, Words};
use xml::chars::{illegal_char, is_space};
use xml::name::{is_name, is_name_char};

use super::{Attribute, Builtin, Content, DataSchema, Element, Facets, Order, Record, RecordId, ValueType, Wildcard};
use crate::FORMAT;
use crate::escape;
use crate::place::at_line;

/// Parses a schema. `in_xml` means that it is inside XML, where `&lt;` is one character.
///
/// Positions are counted from the start of `text`, or of the resolved text if names contain references.
pub(crate) fn parse(text: &str, in_xml: bool, limits: &Limits) -> Result<DataSchema, Error> {
    let text = if in_xml { escape::decode_beyond_ascii(text) } else { text.into() };
    let text = &*text;
    let mut parser = Parser {
        text,
        at: 0,
        in_xml,
        depth: limits.depth as usize,
        records: Vec::new(),
        names: HashMap::new(),
        defined: Vec::new(),
        attributes: HashSet::new(),
        facets: Vec::new(),
        namespaces: Vec::new(),
    };
    parser.schema().map_err(|error| at_line(error, text.as_bytes()))
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    in_xml: bool,
    depth: usize,
    records: Vec<Record>,
    /// Named records, defined or only referred to.
    names: HashMap<&'a str, u32>,
    /// For each record, where it is defined or, if it is not yet, where it was first referred to.
    defined: Vec<Result<usize, usize>>,
    /// The attributes of each record.
    attributes: HashSet<(u32, &'a str)>,
    facets: Vec<Facets>,
    namespaces: Vec<(String, String)>,
}

/// A record being read: its number, and its element, if that is in the surrounding record.
struct OpenRecord {
    record: u32,
    element: Option<Element>,
}

impl<'a> Parser<'a> {
    fn schema(&mut self) -> Result<DataSchema, Error> {
        self.space();
        let name = self.name("the name of the root element")?;
        self.expect("[0]")?;
        self.expect("::=")?;
        let root = self.element(name, Vec::new())?;
        loop {
            self.space();
            if self.at == self.text.len() {
                break;
            }
            let start = self.at;
            let name = self.name("the name of a type, or the end of the schema")?;
            self.space();
            if name == "NAMESPACE" && !self.rest().starts_with("::=") {
                self.namespace(start)?;
                continue;
            }
            if keyword(name) {
                return Err(self.error(start, quoted(name), "a name that is not a keyword of the notation"));
            }
            self.expect("::=")?;
            let number = self.named(name, start)?;
            if let Some(Ok(_)) = self.defined.get(number as usize) {
                return Err(self.schema_error(start, format!("the type {name} a second time"), "each type once"));
            }
            if let Some(defined) = self.defined.get_mut(number as usize) {
                *defined = Ok(start);
            }
            let order = self.order()?.ok_or_else(|| self.error(self.at, self.found(), "SEQUENCE, SET or CHOICE"))?;
            self.record(number, order)?;
        }
        if let Some((number, Err(at))) = self.defined.iter().enumerate().find(|(_, defined)| defined.is_err()) {
            let name = self.records.get(number).and_then(|record| record.name.as_deref()).unwrap_or_default();
            return Err(self.schema_error(*at, format!("the type {name}, which is not there"), "a type of the schema"));
        }
        let (records, facets) = (std::mem::take(&mut self.records), std::mem::take(&mut self.facets));
        Ok(DataSchema::new(root, records, facets, std::mem::take(&mut self.namespaces)))
    }

    /// Reads the namespaces of a wildcard.
    fn wildcard(&mut self) -> Result<Wildcard, Error> {
        self.space();
        let mut wildcard = Wildcard { except: true, listed: Vec::new() };
        if self.is_word("FROM") {
            wildcard.except = false;
        } else {
            self.is_word("EXCEPT");
        }
        self.space();
        while !self.eat("]") {
            wildcard.listed.push(self.string()?);
            self.space();
        }
        Ok(wildcard)
    }

    /// Reads a prefix and its namespace.
    fn namespace(&mut self, start: usize) -> Result<(), Error> {
        let prefix = self.name("a prefix")?;
        self.space();
        let uri = self.string()?;
        let is_known = self.namespaces.iter().any(|(other, known)| other == prefix || *known == uri);
        // Their number is small, because every binding is compared with all of them.
        if is_known || self.namespaces.len() >= 256 || prefix.contains(':') {
            return Err(self.schema_error(
                start,
                format!("the namespace {uri}"),
                "up to 256, each with a prefix of its own",
            ));
        }
        self.namespaces.push((prefix.to_owned(), uri));
        Ok(())
    }

    /// The record with a name, which may be defined later.
    fn named(&mut self, name: &'a str, at: usize) -> Result<u32, Error> {
        if let Some(number) = self.names.get(name) {
            return Ok(*number);
        }
        let number = self.new_record(Err(at));
        self.names.insert(name, number);
        if let Some(record) = self.records.get_mut(number as usize) {
            record.name = Some(name.to_owned());
        }
        Ok(number)
    }

    fn new_record(&mut self, defined: Result<usize, usize>) -> u32 {
        self.records.push(Record::default());
        self.defined.push(defined);
        (self.records.len() - 1) as u32
    }

    /// Reads `SEQUENCE {`, `SET {` or `CHOICE {` up to its brace, if it is next.
    fn order(&mut self) -> Result<Option<Order>, Error> {
        self.space();
        let start = self.at;
        let order = match self.word() {
            "SEQUENCE" => Order::Sequence,
            "SET" => Order::Set,
            "CHOICE" => Order::Choice,
            _ => {
                self.at = start;
                return Ok(None);
            }
        };
        self.expect("{")?;
        Ok(Some(order))
    }

    /// Reads the type of an element and everything in it.
    fn element(&mut self, name: &'a str, mut open: Vec<OpenRecord>) -> Result<Element, Error> {
        let mut element = Element::new(name, Content::Value(ValueType::TEXT));
        if let Some(order) = self.ty(&mut element)? {
            let record = self.new_record(Ok(self.at));
            element.content = Content::Record(RecordId(record));
            open.push(OpenRecord { record, element: None });
            self.components(open, order)?;
        }
        Ok(element)
    }

    fn record(&mut self, number: u32, order: Order) -> Result<(), Error> {
        self.components(vec![OpenRecord { record: number, element: None }], order)
    }

    /// Reads the components of a record, and of nested records, up to the end of the outermost.
    fn components(&mut self, mut open: Vec<OpenRecord>, order: Order) -> Result<(), Error> {
        if let Some(top) = open.last() {
            self.at_record(top.record).order = order;
        }
        while let Some(record) = open.last().map(|top| top.record) {
            self.space();
            while self.eat(",") {
                self.space();
            }
            if self.eat("}") {
                if let Some(OpenRecord { element: Some(mut element), .. }) = open.pop() {
                    element.optional = self.optional();
                    let above = open.last().map_or(0, |above| above.record);
                    self.at_record(above).elements.push(element);
                }
                continue;
            }
            if self.eat("[TEXT]") {
                self.text(record)?;
                continue;
            }
            if self.eat("[REST]") {
                self.at_record(record).rest = true;
                continue;
            }
            if self.eat("[ANY-ELEMENT") {
                self.at_record(record).any_element = Some(self.wildcard()?);
                continue;
            }
            if self.eat("[ANY-ATTRIBUTES") {
                self.at_record(record).any_attribute = Some(self.wildcard()?);
                continue;
            }
            let start = self.at;
            let name = self.name("an element, an attribute, [TEXT] or '}'")?;
            self.space();
            if self.eat("(") {
                self.attribute(record, name, start)?;
                continue;
            }
            let next = self.at_record(record).elements.len();
            self.number("[", next, "]")?;
            let mut element = Element::new(name, Content::Value(ValueType::TEXT));
            match self.ty(&mut element)? {
                None => {
                    element.optional = self.optional();
                    self.at_record(record).elements.push(element);
                }
                Some(order) => {
                    if open.len() >= self.depth {
                        let found = "one more record inside another";
                        return Err(Error::limit(FORMAT, self.at as u64, found, "depth", self.depth as u64));
                    }
                    let inner = self.new_record(Ok(self.at));
                    element.content = Content::Record(RecordId(inner));
                    self.at_record(inner).order = order;
                    open.push(OpenRecord { record: inner, element: Some(element) });
                }
            }
        }
        Ok(())
    }

    fn at_record(&mut self, number: u32) -> &mut Record {
        // These numbers belong to existing records.
        let last = self.records.len().saturating_sub(1);
        &mut self.records[(number as usize).min(last)]
    }

    /// Reads what follows the path of an element. For a record, returns its order; its components are next.
    fn ty(&mut self, element: &mut Element) -> Result<Option<Order>, Error> {
        self.space();
        let start = self.at;
        if self.word() == "SEQUENCE" {
            self.space();
            if self.is_word("OF") {
                element.repeated = true;
                self.space();
                if self.eat("{") {
                    return Ok(Some(Order::Sequence));
                }
            } else {
                self.at = start;
            }
        } else {
            self.at = start;
        }
        if let Some(order) = self.order()? {
            return Ok(Some(order));
        }
        self.space();
        let start = self.at;
        if let Some(builtin) = self.builtin() {
            element.content = Content::Value(self.value_type(builtin)?);
            return Ok(None);
        }
        let name = self.name("a type")?;
        if keyword(name) {
            return Err(self.error(start, quoted(name), "a type"));
        }
        element.content = Content::Record(RecordId(self.named(name, start)?));
        Ok(None)
    }

    fn text(&mut self, record: u32) -> Result<(), Error> {
        self.space();
        let at = self.at;
        let builtin = self.builtin().ok_or_else(|| self.error(at, self.found(), "the type of a value"))?;
        let value = self.value_type(builtin)?;
        if self.at_record(record).text.replace(value).is_some() {
            return Err(self.schema_error(at, "a second [TEXT]", "at most one"));
        }
        Ok(())
    }

    fn attribute(&mut self, record: u32, name: &'a str, start: usize) -> Result<(), Error> {
        let next = self.at_record(record).attributes.len();
        self.number("", next, ")")?;
        self.expect("[ATTRIBUTE]")?;
        self.space();
        let at = self.at;
        let builtin = self.builtin().ok_or_else(|| self.error(at, self.found(), "the type of a value"))?;
        let value = self.value_type(builtin)?;
        let mut attribute = Attribute::new(name, value);
        self.space();
        let at = self.at;
        if self.eat("(") {
            let default = self.string()?;
            self.expect(")")?;
            let facets = self.facets.get(value.facets as usize);
            if !facets.map_or(builtin.allows(&default), |facets| facets.allow(builtin, &default)) {
                return Err(self.schema_error(at, "another default", builtin.expected()));
            }
            attribute.default = Some(default);
        }
        attribute.optional = self.optional();
        if !self.attributes.insert((record, name)) {
            let found = format!("the attribute {name} a second time");
            return Err(self.schema_error(start, found, "each attribute of a record once"));
        }
        self.at_record(record).attributes.push(attribute);
        Ok(())
    }

    /// Reads the constraints after a built-in type.
    fn value_type(&mut self, builtin: Builtin) -> Result<ValueType, Error> {
        let mut facets = Facets::default();
        loop {
            self.at += self.rest().bytes().take_while(|&c| is_space(c)).count();
            let start = self.at;
            if self.rest().starts_with("/*") {
                let len = self.rest().find("*/").map_or(self.rest().len(), |end| end + 2);
                let raw = self.rest().get(2..len.saturating_sub(2)).unwrap_or_default().trim_matches(' ');
                let text =
                    if self.in_xml { escape::decode(raw).map_err(|error| moved(error, self.at))? } else { raw.into() };
                facets.comment = Some(text.into_owned());
                self.at += len;
            } else if self.is_word("EMPTY") && !self.rest().starts_with(['[', '(']) {
                facets.empty = true;
            } else if self.is_word("VALUES") && self.opens(|c| c == '"') {
                loop {
                    self.space();
                    facets.values.push(self.string()?);
                    self.space();
                    if !self.eat("|") {
                        break;
                    }
                }
                self.expect(")")?;
            } else if self.opens(|c| c == 'S') {
                if !self.is_word("SIZE") {
                    return Err(self.error(self.at, self.found(), "SIZE"));
                }
                self.expect("(")?;
                facets.size = Some(self.sizes()?);
                self.expect(")")?;
                self.expect(")")?;
            } else if self.opens(|c| c != '"') {
                let lower = self.bound("MIN")?;
                self.expect("..")?;
                facets.range = Some((lower, self.bound("MAX")?));
                self.expect(")")?;
            } else {
                self.at = start;
                break;
            }
        }
        if facets == Facets::default() {
            return Ok(ValueType::of(builtin));
        }
        self.facets.push(facets);
        Ok(ValueType { builtin, facets: self.facets.len() as u32 - 1 })
    }

    /// Reads a parenthesis, if what follows it begins with a certain character.
    fn opens(&mut self, is: impl Fn(char) -> bool) -> bool {
        let start = self.at;
        self.space();
        let found = self.eat("(") && {
            self.space();
            self.rest().starts_with(is)
        };
        if !found {
            self.at = start;
        }
        found
    }

    fn sizes(&mut self) -> Result<(u64, Option<u64>), Error> {
        let start = self.at;
        let (lower, upper) = match (self.bound("MIN")?, self.eat("..")) {
            (lower, true) => (lower, self.bound("MAX")?),
            (lower, false) => (lower.clone(), lower),
        };
        let number = |bound: Option<String>| bound.map(|bound| bound.parse::<u64>()).transpose();
        match (number(lower), number(upper)) {
            (Ok(Some(lower)), Ok(upper)) => Ok((lower, upper)),
            _ => Err(self.error(start, "another size", "one number, or two")),
        }
    }

    /// Reads a decimal number, or the word that means none.
    fn bound(&mut self, none: &'static str) -> Result<Option<String>, Error> {
        self.space();
        if self.is_word(none) {
            return Ok(None);
        }
        let rest = self.rest();
        let len = rest.bytes().take_while(|c| c.is_ascii_digit() || matches!(c, b'-' | b'.')).count();
        let number = rest.get(..len).unwrap_or_default();
        // The two dots after the number are not part of it.
        let number = number.split("..").next().unwrap_or_default();
        if !Builtin::Real.allows(number) {
            return Err(self.error(self.at, self.found(), "a number"));
        }
        self.at += number.len();
        Ok(Some(number.to_owned()))
    }

    fn optional(&mut self) -> bool {
        self.space();
        self.is_word("OPTIONAL")
    }

    /// Reads a string in quotes, in which a quote is doubled.
    fn string(&mut self) -> Result<String, Error> {
        self.expect("\"")?;
        let start = self.at;
        let mut out = String::new();
        loop {
            let rest = self.rest();
            let Some(end) = rest.find('"') else {
                return Err(Error::incomplete(FORMAT, self.text.len() as u64, 1, "the end of a string: '\"'"));
            };
            let raw = &rest[..end];
            if self.in_xml {
                out.push_str(&escape::decode(raw).map_err(|error| moved(error, self.at))?);
            } else {
                out.push_str(raw);
            }
            self.at += end + 1;
            if !self.eat("\"") {
                break;
            }
            out.push('"');
        }
        match illegal_char(&out) {
            None => Ok(out),
            Some(c) => Err(self.error(start, format!("U+{:04X}", u32::from(c)), "characters that XML allows")),
        }
    }

    /// Reads the next number, in brackets. Numbers are positions.
    fn number(&mut self, open: &'static str, expected: usize, close: &'static str) -> Result<(), Error> {
        if !open.is_empty() {
            self.expect(open)?;
        }
        self.space();
        let start = self.at;
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        self.at += digits;
        let written = self.text.get(start..self.at).unwrap_or_default();
        if written != expected.to_string() {
            let found = if digits == 0 { self.found() } else { quoted(written) };
            return Err(self.error(start, found, format!("the next number, {expected}")));
        }
        self.expect(close)
    }

    fn builtin(&mut self) -> Option<Builtin> {
        let start = self.at;
        let word = self.word();
        if word == "OCTET" {
            self.space();
            if self.is_word("STRING") {
                return Some(Builtin::OctetString);
            }
        }
        let found = Builtin::ALL.iter().find(|(words, _)| *words == word).map(|(_, builtin)| *builtin);
        if found.is_none() {
            self.at = start;
        }
        found
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn space(&mut self) {
        loop {
            self.at += self.rest().bytes().take_while(|&c| is_space(c)).count();
            let Some(comment) = self.rest().strip_prefix("/*") else { return };
            self.at += comment.find("*/").map_or(comment.len() + 2, |end| end + 4);
        }
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn is_word(&mut self, word: &str) -> bool {
        let start = self.at;
        let found = self.word() == word;
        if !found {
            self.at = start;
        }
        found
    }

    /// Reads the characters of a name, which may be none.
    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let mut end = 0;
        for (at, c) in rest.char_indices() {
            let is_sign = c == ':' && rest.get(at..).is_some_and(|rest| rest.starts_with("::="));
            if is_sign || !is_name_char(c) {
                break;
            }
            end = at + c.len_utf8();
        }
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    fn name(&mut self, expected: &'static str) -> Result<&'a str, Error> {
        let start = self.at;
        let name = self.word();
        if is_name(name) {
            return Ok(name);
        }
        self.at = start;
        Err(self.error(start, self.found(), expected))
    }

    fn expect(&mut self, sign: &'static str) -> Result<(), Error> {
        self.space();
        if self.eat(sign) { Ok(()) } else { Err(self.error(self.at, self.found(), format!("'{sign}'"))) }
    }

    /// The text at an unexpected position.
    fn found(&self) -> Words {
        let rest = self.rest();
        let word: String = rest.chars().take_while(|c| is_name_char(*c)).take(40).collect();
        match rest.chars().next() {
            None => Words::End,
            Some(c) if word.is_empty() => Words::Own(format!("'{}'", c.escape_debug())),
            Some(_) => quoted(&word),
        }
    }

    fn error(&self, at: usize, found: impl Into<Words>, expected: impl Into<Words>) -> Error {
        let found = found.into();
        if found == Words::End {
            return Error::incomplete(FORMAT, at as u64, 1, expected);
        }
        Error::new(ErrorKind::Syntax, FORMAT, at as u64, found, expected)
    }

    fn schema_error(&self, at: usize, found: impl Into<Words>, expected: impl Into<Words>) -> Error {
        Error::new(ErrorKind::Schema, FORMAT, at as u64, found, expected)
    }
}

fn quoted(word: &str) -> Words {
    Words::Own(format!("'{word}'"))
}

fn moved(error: Error, by: usize) -> Error {
    let at = error.offset() + by as u64;
    error.met_in(FORMAT, at)
}

/// Whether a word is a keyword, and so cannot be the name of a type.
pub(crate) fn keyword(word: &str) -> bool {
    matches!(word, "SEQUENCE" | "SET" | "CHOICE" | "OF" | "OPTIONAL" | "OCTET" | "STRING" | "TEXT" | "ATTRIBUTE")
        || Builtin::ALL.iter().any(|(words, _)| *words == word)
}
