//! The DOCTYPE: what Appendix A has fields for, and the rest.
//!
//! Appendix A has the identifiers of a document type declaration, the processing instructions in it, notations and
//! unparsed entities. If a declaration contains more, the whole of it is written before the other instructions, as an
//! instruction with a special target.

use std::collections::HashMap;

use tam::{Error, ErrorKind, Words};
use xml::chars::SPACE;
use xml::name::{is_name, name_end};

use crate::markup::wrong_instruction;
use crate::rules::FORMAT;

/// The target of the instruction that holds a whole declaration.
pub(crate) const WHOLE: &str = "lengthwise-doctype";

/// The parts of a DOCTYPE that Appendix A has fields for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Doctype<'d> {
    /// The name of the root element.
    pub(crate) name: &'d str,
    pub(crate) id: Identifier<'d>,
    /// Target and data of each processing instruction.
    pub(crate) instructions: Vec<(&'d str, &'d str)>,
    pub(crate) notations: Vec<(&'d str, Identifier<'d>)>,
    /// The unparsed entities, each with the name of its notation.
    pub(crate) entities: Vec<(&'d str, Identifier<'d>, &'d str)>,
    /// All general entities. Those that are external and parsed have their identifiers.
    pub(crate) general: Vec<(&'d str, Option<Identifier<'d>>)>,
    /// How many of them precede the first reference to a parameter entity, which may declare others. `None` if there is none.
    pub(crate) certain: Option<usize>,
    /// Whether nothing outside of it declares anything.
    pub(crate) is_all: bool,
}

/// Public and system identifier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Identifier<'d> {
    pub(crate) public: Option<&'d str>,
    pub(crate) system: Option<&'d str>,
}

impl Identifier<'_> {
    fn is_none(self) -> bool {
        self == Identifier::default()
    }
}

/// The part of a DOCTYPE that has not been read yet.
struct Input<'d>(&'d str);

/// Why a DOCTYPE cannot be read: found and expected.
type Fault = (&'static str, &'static str);

impl<'d> Input<'d> {
    /// Skips white space. Returns whether there was any.
    fn space(&mut self) -> bool {
        let trimmed = self.0.trim_start_matches(SPACE);
        let any = trimmed.len() < self.0.len();
        self.0 = trimmed;
        any
    }

    fn some_space(&mut self) -> Result<(), Fault> {
        if self.space() { Ok(()) } else { Err(("no white space", "white space")) }
    }

    fn take(&mut self, text: &str) -> bool {
        match self.0.strip_prefix(text) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    /// The text before `end`, which is skipped too.
    fn until(&mut self, end: &'static str) -> Result<&'d str, Fault> {
        let (before, rest) = self.0.split_once(end).ok_or(("the end", end))?;
        self.0 = rest;
        Ok(before)
    }

    fn name(&mut self) -> Result<&'d str, Fault> {
        let (name, rest) = self.0.split_at(name_end(self.0.as_bytes(), 0));
        self.0 = rest;
        if name.is_empty() { Err(("no name", "a name")) } else { Ok(name) }
    }

    fn literal(&mut self) -> Result<&'d str, Fault> {
        if self.take("\"") {
            self.until("\"")
        } else if self.take("'") {
            self.until("'")
        } else {
            Err(("no literal", "a literal in quotes"))
        }
    }

    /// Reads public and system identifier, if any; a notation may have only a public one.
    fn identifier(&mut self, of_notation: bool) -> Result<Identifier<'d>, Fault> {
        if self.take("SYSTEM") {
            self.some_space()?;
            return Ok(Identifier { public: None, system: Some(self.literal()?) });
        }
        if !self.take("PUBLIC") {
            return Ok(Identifier::default());
        }
        self.some_space()?;
        let public = Some(self.literal()?);
        let before = self.0;
        let system = self.some_space().and_then(|()| self.literal());
        match system {
            Ok(system) => Ok(Identifier { public, system: Some(system) }),
            Err(_) if of_notation => {
                self.0 = before;
                Ok(Identifier { public, system: None })
            }
            Err(fault) => Err(fault),
        }
    }

    /// Reads the rest of a declaration up to its `>`.
    fn declaration(&mut self) -> Result<(), Fault> {
        loop {
            let at = self.0.find(['"', '\'', '>', '<']).ok_or(("the end", "'>'"))?;
            self.0 = self.0.get(at..).unwrap_or_default();
            if self.take(">") {
                return Ok(());
            }
            if self.0.starts_with('<') {
                return Err(("'<'", "'>' at the end of a declaration"));
            }
            self.literal()?;
        }
    }
}

impl<'d> Doctype<'d> {
    /// Reads the text between `<!DOCTYPE ` and its `>`.
    pub(crate) fn read(text: &'d str) -> Result<Doctype<'d>, Fault> {
        let mut rest = Input(text);
        rest.space();
        let mut doctype = Doctype { name: rest.name()?, is_all: true, ..Doctype::default() };
        if rest.space() {
            doctype.id = rest.identifier(false)?;
            doctype.is_all = doctype.id.is_none();
            rest.space();
        }
        if rest.take("[") {
            doctype.subset(&mut rest)?;
            rest.space();
        }
        if rest.0.is_empty() { Ok(doctype) } else { Err(("more", "the end of the DOCTYPE")) }
    }

    /// Reads the internal subset, up to its `]`.
    fn subset(&mut self, rest: &mut Input<'d>) -> Result<(), Fault> {
        loop {
            rest.space();
            if rest.take("]") {
                return Ok(());
            } else if rest.take("<!--") {
                rest.until("-->")?;
            } else if rest.take("<?") {
                let target = rest.name()?;
                let data = rest.until("?>")?;
                self.instructions.push((target, data.trim_start_matches(SPACE)));
            } else if rest.take("%") {
                rest.name()?;
                rest.until(";")?;
                self.is_all = false;
                self.certain.get_or_insert(self.general.len());
            } else if rest.take("<!NOTATION") {
                rest.some_space()?;
                let name = rest.name()?;
                rest.some_space()?;
                self.notations.push((name, rest.identifier(true)?));
                rest.declaration()?;
            } else if rest.take("<!ENTITY") {
                self.entity(rest)?;
                rest.declaration()?;
            } else if rest.take("<!ELEMENT") || rest.take("<!ATTLIST") {
                rest.declaration()?;
            } else {
                return Err(("something else", "a declaration, or ']' at the end of the internal subset"));
            }
        }
    }

    /// Reads an entity declaration.
    fn entity(&mut self, rest: &mut Input<'d>) -> Result<(), Fault> {
        rest.some_space()?;
        if rest.take("%") {
            return Ok(());
        }
        let name = rest.name()?;
        rest.some_space()?;
        let id = rest.identifier(false)?;
        rest.space();
        let is_unparsed = !id.is_none() && rest.take("NDATA");
        self.general.push((name, (!id.is_none() && !is_unparsed).then_some(id)));
        if !is_unparsed {
            return Ok(());
        }
        rest.some_space()?;
        self.entities.push((name, id, rest.name()?));
        Ok(())
    }

    /// The general entities by name, the first of each: the identifiers of those that are external and parsed. Unless the document is
    /// standalone, declarations after a reference to a parameter entity are not processed (XML 1.0 section 5.1).
    pub(crate) fn entities_by_name(&self, is_standalone: bool) -> HashMap<&'d str, Option<Identifier<'d>>> {
        let mut first = HashMap::new();
        let count = self.certain.filter(|_| !is_standalone).unwrap_or(self.general.len());
        for (name, id) in self.general.iter().take(count) {
            first.entry(*name).or_insert(*id);
        }
        first
    }

    /// The text between `<!DOCTYPE ` and its `>` that these fields describe, with parsed entities that are external.
    pub(crate) fn text<'e>(
        &self,
        parsed: impl IntoIterator<Item = (&'e str, Identifier<'e>)>,
    ) -> Result<String, Error> {
        let mut out = self.checked_name(self.name)?.to_owned();
        if self.id.public.is_some() && self.id.system.is_none() {
            return Err(unsayable("a DOCTYPE with only a public identifier", "a system identifier"));
        }
        push_identifier(&mut out, self.id)?;
        let id_end = out.len();
        out.push_str(" [");
        for (name, id) in &self.notations {
            out.push_str("<!NOTATION ");
            out.push_str(self.checked_name(name)?);
            if id.is_none() {
                return Err(unsayable(format!("the notation '{name}' without an identifier"), "an identifier"));
            }
            push_identifier(&mut out, *id)?;
            out.push('>');
        }
        for (name, id, notation) in &self.entities {
            out.push_str("<!ENTITY ");
            out.push_str(self.checked_name(name)?);
            if id.system.is_none() {
                let found = format!("the entity '{name}' without a system identifier");
                return Err(unsayable(found, "a system identifier"));
            }
            push_identifier(&mut out, *id)?;
            out.push_str(" NDATA ");
            out.push_str(self.checked_name(notation)?);
            out.push('>');
        }
        for (name, id) in parsed {
            out.push_str("<!ENTITY ");
            out.push_str(self.checked_name(name)?);
            push_identifier(&mut out, id)?;
            out.push('>');
        }
        for (target, data) in &self.instructions {
            if let Some(found) = wrong_instruction(target, data) {
                return Err(unsayable(found, "an instruction that XML allows"));
            }
            out.push_str("<?");
            out.push_str(target);
            if !data.is_empty() {
                out.push(' ');
                out.push_str(data);
            }
            out.push_str("?>");
        }
        if out.ends_with(" [") {
            out.truncate(id_end);
        } else {
            out.push(']');
        }
        Ok(out)
    }

    fn checked_name<'n>(&self, name: &'n str) -> Result<&'n str, Error> {
        if is_name(name) {
            return Ok(name);
        }
        Err(unsayable(format!("the name '{}' in a DOCTYPE", name.escape_debug()), "an XML name"))
    }
}

fn push_identifier(out: &mut String, id: Identifier<'_>) -> Result<(), Error> {
    if let Some(public) = id.public {
        if !public.bytes().all(is_public) {
            let found = format!("the public identifier '{}'", public.escape_debug());
            return Err(unsayable(found, "characters that XML allows there"));
        }
        out.push_str(" PUBLIC");
        push_literal(out, public)?;
    } else if id.system.is_some() {
        out.push_str(" SYSTEM");
    }
    id.system.map_or(Ok(()), |system| push_literal(out, system))
}

fn push_literal(out: &mut String, literal: &str) -> Result<(), Error> {
    if literal.contains('\r') {
        return Err(unsayable("a carriage return in an identifier", "none"));
    }
    let quote = if literal.contains('"') { '\'' } else { '"' };
    if literal.contains(quote) {
        return Err(unsayable("an identifier with quotes of both kinds", "one kind alone"));
    }
    out.push(' ');
    out.push(quote);
    out.push_str(literal);
    out.push(quote);
    Ok(())
}

/// PubidChar (production 13).
fn is_public(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'\r' | b'\n') || b"-'()+,./:=?;!*#@$_%".contains(&byte)
}

#[cold]
fn unsayable(found: impl Into<Words>, expected: &'static str) -> Error {
    Error::new(ErrorKind::Syntax, FORMAT, 0, found, expected)
}

/// A declaration as the content of an instruction, which must not contain `?>`.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace("?>", "?&gt;")
}

/// The declaration in the content of an instruction.
pub(crate) fn unescape(content: &str) -> String {
    content.replace("?&gt;", "?>").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: &str = "doc PUBLIC \"-//X//Y\" 'http://x/[>]' [\n<!-- ]> \" -->\n<!ELEMENT doc (#PCDATA)>\
        <!ATTLIST doc a CDATA '>]\"'>\n%pe;<?t  d > ]?><?u?>\n<!NOTATION n PUBLIC 'p'><!NOTATION m PUBLIC 'p' \"s\" >\
        <!NOTATION o SYSTEM 's'><!ENTITY e \"<x/>\"><!ENTITY % pe SYSTEM 'x'><!ENTITY f SYSTEM \"f'\" NDATA n >\
        <!ENTITY g PUBLIC 'p' 'g'>]\n";

    #[test]
    fn the_parts_of_a_doctype_are_found() {
        let id = |public, system| Identifier { public, system };
        assert_eq!(
            Doctype::read(ALL),
            Ok(Doctype {
                name: "doc",
                id: id(Some("-//X//Y"), Some("http://x/[>]")),
                instructions: vec![("t", "d > ]"), ("u", "")],
                notations: vec![
                    ("n", id(Some("p"), None)),
                    ("m", id(Some("p"), Some("s"))),
                    ("o", id(None, Some("s")))
                ],
                entities: vec![("f", id(None, Some("f'")), "n")],
                general: vec![("e", None), ("f", None), ("g", Some(id(Some("p"), Some("g"))))],
                certain: Some(0),
                is_all: false,
            })
        );
    }

    #[test]
    fn what_the_parts_say_reads_back_as_they_are() {
        let parts = Doctype::read(ALL).unwrap();
        let text = parts.text([]).unwrap();
        assert_eq!(
            text,
            "doc PUBLIC \"-//X//Y\" \"http://x/[>]\" [<!NOTATION n PUBLIC \"p\"><!NOTATION m PUBLIC \"p\" \"s\">\
             <!NOTATION o SYSTEM \"s\"><!ENTITY f SYSTEM \"f'\" NDATA n><?t d > ]?><?u?>]"
        );
        let general = vec![("f", None)];
        assert_eq!(Doctype::read(&text), Ok(Doctype { general, certain: None, ..parts }));
        for plain in ["doc", "d:o SYSTEM \"x\"", "doc [<?a b?>]"] {
            assert_eq!(Doctype::read(plain).unwrap().text([]).unwrap(), plain);
        }
    }

    #[test]
    fn the_first_declaration_of_an_entity_holds_up_to_a_parameter_entity() {
        let text = "a [<!ENTITY e SYSTEM 's'><!ENTITY e 'x'><!ENTITY i 'x'><!ENTITY i SYSTEM 's'><!ENTITY p PUBLIC 'p' \"s\" >\
            <!ENTITY u SYSTEM 's' NDATA n><!ENTITY % pe 'x'>%pe;<!ENTITY later SYSTEM 's'>]";
        let doctype = Doctype::read(text).unwrap();
        let id = |public| Some(Identifier { public, system: Some("s") });
        let certain = [("e", id(None)), ("i", None), ("p", id(Some("p"))), ("u", None)];
        assert_eq!(doctype.entities_by_name(false), certain.into());
        assert_eq!(doctype.entities_by_name(true).len(), 5);
        assert_eq!(doctype.entities_by_name(true)["later"], id(None));
        let parsed = [("p", Identifier { public: Some("p"), system: Some("it's") })];
        let text = Doctype { name: "a", ..Doctype::default() }.text(parsed).unwrap();
        assert_eq!(text, "a [<!ENTITY p PUBLIC \"p\" \"it's\">]");
    }

    #[test]
    fn what_is_no_doctype_is_refused() {
        for text in [
            "",
            " ",
            "1",
            "a b",
            "a [",
            "a [x]",
            "a []x",
            "a [<!ELEMENT b",
            "a [<!ENTITY e 'x>]",
            "a SYSTEM",
            "a PUBLIC 'x'",
            "a [<!--]",
            "a [<?x]",
            "a [%x]",
            "a [<![INCLUDE[]]>]",
            "a [<!ELEMENT b <!ELEMENT c>>]",
        ] {
            assert!(Doctype::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn escapes_come_undone() {
        for text in ["a?>b", "&", "&amp;", "?&gt;", "??>>", "a?&gt;?>&amp;gt;", "?&amp;gt;"] {
            assert!(!escape(text).contains("?>"));
            assert_eq!(unescape(&escape(text)), text, "{text}");
        }
    }
}
