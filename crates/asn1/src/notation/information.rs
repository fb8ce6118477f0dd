//! Classes, objects and the names of their fields (X.681), parameters (X.683).

use foldhash::HashSet;

use super::Read;
use super::lexer::Kind;
use super::parser::Parser;
use super::syntax::WORDS;
use super::word::is_class;
use crate::schema::{Class, ClassField, FieldGovernor, FieldReference, Instance, Parameter, Setting};

/// The most parameters of an assignment, and the most fields of a class: instances and objects look for them one by one.
const PARAMETERS: usize = 64;
const FIELDS: usize = 1024;

impl Parser<'_> {
    /// Reads the parameters of an assignment (X.683 clause 8.3).
    pub(super) fn parameters(&mut self) -> Read<Vec<Parameter>> {
        let mut parameters = Vec::new();
        let mut seen = HashSet::default();
        self.expect("{", "'{'")?;
        loop {
            self.room(parameters.len(), PARAMETERS, "parameters")?;
            let name = self.token();
            let alone = matches!(self.peek(1)?.text, "," | "}") && name.kind == Kind::Upper;
            let governor = if alone { None } else { Some(self.ty()?) };
            if !alone {
                self.expect(":", "':' and the name of the parameter")?;
            }
            let name = self.token();
            if name.kind != Kind::Lower && !self.is_reference() {
                return Err(self.unexpected("the name of a parameter"));
            }
            self.first(name, &mut seen, "parameters of different names")?;
            self.take()?;
            parameters.push(Parameter { governor, name: name.text.to_owned() });
            if !self.takes(",")? {
                break;
            }
        }
        self.expect("}", "',' or '}'")?;
        Ok(parameters)
    }

    /// Reads `name`, `Module.name`, or either with actual parameters.
    pub(super) fn instance(&mut self, expected: &'static str) -> Read<Instance> {
        let first = self.token();
        let is_name = first.kind == Kind::Lower || self.is_reference() || is_class(first.text);
        if !is_name {
            return Err(self.unexpected(expected));
        }
        self.take()?;
        let (mut module, mut name) = (None, first.text);
        if first.kind == Kind::Upper && self.is(".") && self.peek(1)?.text != "&" {
            self.take()?;
            module = Some(name.to_owned());
            let second = self.token();
            if second.kind != Kind::Lower && !self.is_reference() {
                return Err(self.unexpected("a name after that of its module"));
            }
            name = self.take()?.text;
        }
        let arguments = if self.is("{") { self.arguments()? } else { Vec::new() };
        Ok(Instance { module, name: name.to_owned(), arguments, position: first.position })
    }

    /// Reads actual parameters (X.683 clause 9.5).
    fn arguments(&mut self) -> Read<Vec<Setting>> {
        self.enter()?;
        let mut arguments = Vec::new();
        self.expect("{", "'{'")?;
        while !self.is("}") || !arguments.is_empty() {
            arguments.push(self.setting()?);
            if !self.takes(",")? {
                break;
            }
        }
        self.expect("}", "',' or '}'")?;
        self.leave();
        Ok(arguments)
    }

    /// Reads the setting of a field, or an actual parameter, of any kind.
    fn setting(&mut self) -> Read<Setting> {
        if self.is("{") {
            return Ok(Setting::Braces(self.unread()?));
        }
        if !self.is_type()? {
            return Ok(Setting::Value(self.value()?));
        }
        let ty = self.ty()?;
        Ok(if self.is(":") { Setting::Value(self.value_of(ty)?) } else { Setting::Type(ty) })
    }

    /// Reads `.&a.&b`, after what they are fields of.
    pub(super) fn field_reference(&mut self, of: Instance) -> Read<FieldReference> {
        self.expect(".", "'.' and a field")?;
        Ok(FieldReference { of, path: self.field_path()? })
    }

    /// Reads `&a.&b`.
    fn field_path(&mut self) -> Read<Vec<String>> {
        let mut path = Vec::new();
        loop {
            path.push(self.field_name()?.0);
            if !(self.is(".") && self.peek(1)?.text == "&") {
                return Ok(path);
            }
            self.take()?;
        }
    }

    /// Reads `&name`. Returns the name, and whether it is that of a type or a set.
    pub(super) fn field_name(&mut self) -> Read<(String, bool)> {
        self.expect("&", "'&' and the name of a field")?;
        match self.token().kind {
            Kind::Upper | Kind::Lower => {
                let name = self.take()?;
                Ok((name.text.to_owned(), name.kind == Kind::Upper))
            }
            _ => Err(self.unexpected("the name of a field")),
        }
    }

    /// Whether the fields after a name end in a type: `object.&a.&Type`.
    pub(super) fn ends_in_type(&mut self) -> Read<bool> {
        let mut at = 1;
        let mut is_type = false;
        while at < WORDS && self.peek(at)?.text == "." && self.peek(at + 1)?.text == "&" {
            is_type = self.peek(at + 2)?.kind == Kind::Upper;
            at += 3;
        }
        Ok(is_type)
    }

    /// Reads a class (X.681 clause 9.3).
    pub(super) fn class(&mut self) -> Read<Class> {
        self.expect("CLASS", "CLASS")?;
        self.expect("{", "'{'")?;
        let mut class = Class::default();
        let mut seen = HashSet::default();
        loop {
            self.room(class.fields.len(), FIELDS, "fields")?;
            let amp = self.position();
            let name = self.peek(1)?;
            let field = self.class_field()?;
            self.first(name, &mut seen, "fields of different names")?;
            class.fields.push(ClassField { position: amp, ..field });
            if !self.takes(",")? {
                break;
            }
        }
        self.expect("}", "',' or '}'")?;
        if self.takes("WITH")? {
            self.expect("SYNTAX", "SYNTAX after WITH")?;
            class.syntax = Some(self.whole_syntax(&class.fields)?);
        }
        Ok(class)
    }

    fn class_field(&mut self) -> Read<ClassField> {
        let position = self.position();
        let (name, is_upper) = self.field_name()?;
        let ends = matches!(self.token().text, "OPTIONAL" | "DEFAULT" | "," | "}");
        let governor = match self.token().text {
            "&" => FieldGovernor::Field(self.field_path()?),
            _ if is_upper && ends => FieldGovernor::None,
            _ => FieldGovernor::Type(self.ty()?),
        };
        let unique = self.takes("UNIQUE")?;
        let optional = self.takes("OPTIONAL")?;
        let default =
            if !optional && self.takes("DEFAULT")? { Some(self.field_setting(&name, &governor)?) } else { None };
        Ok(ClassField { name, governor, unique, optional, default, position })
    }

    /// Reads the setting of a field of a class.
    pub(super) fn field_setting(&mut self, name: &str, governor: &FieldGovernor) -> Read<Setting> {
        if *governor == FieldGovernor::None {
            return Ok(Setting::Type(self.ty()?));
        }
        if self.is("{") {
            return Ok(Setting::Braces(self.unread()?));
        }
        if name.starts_with(|first: char| first.is_ascii_uppercase()) {
            return Err(self.unexpected("'{' and a set"));
        }
        Ok(Setting::Value(self.value()?))
    }
}
