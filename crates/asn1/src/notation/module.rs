//! Modules (X.680 clause 13) and their assignments (clause 16).

use foldhash::HashSet;
use tam::{ErrorKind, Words};

use super::Read;
use super::lexer::{Kind, Token};
use super::parser::Parser;
use super::word::{is_class, is_useful_type};
use crate::schema::{
    Assignment, Constraint, Exports, Import, Kind as TypeKind, Meaning, Module, ObjectIdArc, Tagging, Type, Value,
};

impl<'s> Parser<'s> {
    /// A module, and its text up to the END.
    pub(super) fn module(&mut self) -> Read<(Module, &'s str)> {
        let name = self.reference("a module's name")?;
        self.path.push(name.text);
        let mut module = Module { name: name.text.to_owned(), position: name.position, ..Module::default() };
        if self.is("{") {
            module.identifier = self.object_identifier()?;
        }
        if self.token().kind == Kind::Text {
            // The name in the international tree, which nothing refers to.
            self.take()?;
        }
        self.expect("DEFINITIONS", "DEFINITIONS")?;
        self.environment(&mut module)?;
        self.expect("::=", "'::='")?;
        self.expect("BEGIN", "BEGIN")?;
        if self.takes("EXPORTS")? {
            module.exports = self.exports()?;
        }
        if self.takes("IMPORTS")? {
            module.imports = self.imports()?;
        }
        self.assignments(&mut module)?;
        while self.is("ENCODING-CONTROL") {
            let more = self.encoding_control()?;
            match &mut module.encoding_control {
                Some(control) => control.instructions.extend(more.instructions),
                none => *none = Some(more),
            }
        }
        let end = self.position();
        if self.token().kind == Kind::End {
            // Published modules lack it.
            self.warnings.push((end, format!("module {} ends without END", module.name)));
        } else {
            self.expect("END", "an assignment, or END")?;
        }
        self.path.pop();
        Ok((module, self.between(name.position.offset, end.offset)))
    }

    /// The defaults of encoding instructions, tags and extensibility.
    fn environment(&mut self, module: &mut Module) -> Read<()> {
        if self.peek(1)?.text == "INSTRUCTIONS" {
            match self.token().text {
                "XER" => module.xer_instructions = true,
                "TAG" => {}
                _ => return Err(self.unsupported("encoding instructions other than those of XER", "XER or TAG")),
            }
            self.take()?;
            self.take()?;
        }
        self.xer = module.xer_instructions;
        let tagging = match self.token().text {
            "EXPLICIT" => Some(Tagging::Explicit),
            "IMPLICIT" => Some(Tagging::Implicit),
            "AUTOMATIC" => Some(Tagging::Automatic),
            _ => None,
        };
        if let Some(tagging) = tagging {
            self.take()?;
            self.expect("TAGS", "TAGS")?;
            module.tagging = tagging;
        }
        if self.takes("EXTENSIBILITY")? {
            self.expect("IMPLIED", "IMPLIED after EXTENSIBILITY")?;
            module.extensibility_implied = true;
        }
        Ok(())
    }

    /// Reads `{ iso standard(0) 8824 }`, as arcs.
    fn object_identifier(&mut self) -> Read<Vec<ObjectIdArc>> {
        let mut arcs = Vec::new();
        self.expect("{", "'{'")?;
        while !self.takes("}")? {
            let token = self.token();
            let mut arc = ObjectIdArc { position: token.position, ..ObjectIdArc::default() };
            match token.kind {
                Kind::Number => arc.number = Some(self.arc()?),
                Kind::Lower => {
                    arc.name = self.take()?.text.to_owned();
                    if self.takes("(")? {
                        arc.number = Some(self.arc()?);
                        self.expect(")", "')'")?;
                    }
                }
                _ => return Err(self.unexpected("an arc of an object identifier, or '}'")),
            }
            arcs.push(arc);
        }
        Ok(arcs)
    }

    /// Reads the number of an arc.
    fn arc(&mut self) -> Read<u64> {
        let token = self.token();
        if token.kind != Kind::Number {
            return Err(self.unexpected("an arc's number"));
        }
        let Ok(number) = token.text.parse() else {
            let expected = "an arc below 18446744073709551616";
            return Err(self.error(ErrorKind::Unsupported, token.position, token.words(), expected));
        };
        self.take()?;
        Ok(number)
    }

    /// Reads the exports, after the keyword.
    fn exports(&mut self) -> Read<Exports> {
        if self.takes("ALL")? {
            self.expect(";", "';' after EXPORTS ALL")?;
            return Ok(Exports::All);
        }
        let mut names = Vec::new();
        if !self.is(";") {
            self.symbols(&mut names)?;
        }
        self.expect(";", "',', or ';' after the exports")?;
        Ok(Exports::Only(names))
    }

    /// Reads the imports, after the keyword.
    fn imports(&mut self) -> Read<Vec<Import>> {
        let mut imports = Vec::new();
        while !self.takes(";")? {
            let (mut import, first) = (Import::default(), self.token());
            self.symbols(&mut import.names)?;
            if !imports.is_empty() && import.names.len() == 1 && !self.is("FROM") {
                let expected = "';' at the end of the imports, or ',' or FROM after this name";
                return Err(self.error(ErrorKind::Syntax, first.position, first.words(), expected));
            }
            self.expect("FROM", "',' or FROM")?;
            let module = self.reference("a module's name")?;
            import.module = module.text.to_owned();
            import.position = module.position;
            import.identifier = self.assigned_identifier()?;
            if self.takes("WITH")? && !self.takes("SUCCESSORS")? {
                self.expect("DESCENDANTS", "SUCCESSORS or DESCENDANTS after WITH")?;
            }
            imports.push(import);
        }
        Ok(imports)
    }

    /// Reads what distinguishes a module from others of its name: an object identifier, or the name of one.
    fn assigned_identifier(&mut self) -> Read<Vec<ObjectIdArc>> {
        if self.is("{") {
            return self.object_identifier();
        }
        let name = self.token();
        let is_name = match name.kind {
            // Otherwise it is the first symbol of the next module, with braces if it has parameters.
            Kind::Lower => !matches!(self.peek(1)?.text, "," | "FROM" | "{"),
            Kind::Upper => self.peek(1)?.text == ".",
            _ => false,
        };
        if !is_name {
            return Ok(Vec::new());
        }
        let mut text = self.take()?.text.to_owned();
        if self.takes(".")? {
            text = format!("{text}.{}", self.identifier("the name of a value")?.text);
        }
        Ok(vec![ObjectIdArc { name: text, number: None, position: name.position }])
    }

    /// Reads names, separated by commas. A name may be repeated, be that of a built-in type or class, or have empty
    /// braces after it, as in modules in use; none has an effect.
    fn symbols(&mut self, names: &mut Vec<String>) -> Read<()> {
        loop {
            let name = self.token();
            if name.kind != Kind::Lower && !self.is_reference() && !is_useful_type(name.text) && !is_class(name.text) {
                return Err(self.unexpected("the name of a type or a value"));
            }
            self.take()?;
            if self.takes("{")? {
                self.expect("}", "'}' after the name of what has parameters")?;
            }
            names.push(name.text.to_owned());
            if !self.takes(",")? {
                return Ok(());
            }
        }
    }

    fn assignments(&mut self, module: &mut Module) -> Read<()> {
        let mut seen = HashSet::default();
        while self.token().kind == Kind::Lower || self.is_reference() {
            let name = self.take()?;
            self.first(name, &mut seen, "assignments of different names")?;
            self.path.push(name.text);
            let parameters = if self.is("{") { self.parameters()? } else { Vec::new() };
            let meaning = if name.kind == Kind::Lower { self.value_assignment()? } else { self.type_assignment()? };
            self.path.pop();
            let (name, position) = (name.text.to_owned(), name.position);
            module.assignments.push(Assignment { name, parameters, meaning, position });
        }
        Ok(())
    }

    /// Reads a type, a class or a set, after its name.
    fn type_assignment(&mut self) -> Read<Meaning> {
        match self.token().text {
            "::=" => {
                self.take()?;
                if self.is("CLASS") {
                    if self.path.last().is_some_and(|name| name.bytes().any(|c| c.is_ascii_lowercase())) {
                        return Err(self.unexpected("a type; the name of a class is in capitals (X.681 clause 7.1)"));
                    }
                    return Ok(Meaning::Class(self.class()?));
                }
                return Ok(Meaning::Type(self.assigned_type()?));
            }
            "MACRO" => return Err(self.unsupported("a macro, which ASN.1 dropped in 1994", "an assignment")),
            _ => {}
        }
        let ty = self.governor("'::=' and a type, or a type and a set of its values")?;
        let position = self.position();
        self.expect("{", "'{' and a set of values")?;
        let (root, additions) = self.set_of(may_be_class(&ty))?;
        self.expect("}", "'}', or more of the set")?;
        Ok(Meaning::ValueSet(ty, Constraint { root, additions, position }))
    }

    /// Reads a type after `::=`. `OPERATION ARGUMENT …` is a use of a macro.
    fn assigned_type(&mut self) -> Read<Type> {
        let start = self.token();
        let ty = self.ty()?;
        let word = self.token().text;
        if matches!(word, "ARGUMENT" | "PARAMETER" | "RESULT" | "ERRORS" | "LINKED")
            && is_macro(&ty, start)
            && self.peek(1)?.text != "::="
        {
            return Err(self.macro_use(start));
        }
        Ok(ty)
    }

    /// Reads a value, after its name.
    fn value_assignment(&mut self) -> Read<Meaning> {
        if self.is("::=") && self.peek(1)?.text == "<" {
            return Err(self.unsupported("a value in XML", "the type of a value"));
        }
        let ty = self.governor("the type of a value; the name of a type begins with a capital letter")?;
        let value = match may_be_class(&ty) && self.is("{") {
            true => Value::Unread(self.unread()?),
            false => self.value()?,
        };
        Ok(Meaning::Value(ty, value))
    }

    /// Reads the type of a value or a set of values, and the `::=` after it.
    fn governor(&mut self, expected: &'static str) -> Read<Type> {
        let start = self.token();
        let is_type = start.kind == Kind::Lower && self.is_type()?;
        if start.kind != Kind::Upper && !self.is("[") && !is_type {
            return Err(self.unexpected(expected));
        }
        let ty = self.ty()?;
        if !self.is("::=") && self.token().kind != Kind::End && is_macro(&ty, start) {
            return Err(self.macro_use(start));
        }
        self.expect("::=", "'::='")?;
        Ok(ty)
    }

    #[cold]
    fn macro_use(&self, start: Token<'_>) -> tam::Error {
        let found = Words::Own(format!("a use of the macro {}", start.words()));
        self.error(ErrorKind::Unsupported, start.position, found, "a type")
    }
}

/// Whether a type may be a class: a name in capitals.
fn may_be_class(ty: &Type) -> bool {
    let name = match &ty.kind {
        TypeKind::Reference { name, .. } => name,
        TypeKind::Instance(instance) => &instance.name,
        _ => return false,
    };
    ty.prefixes.is_empty() && ty.constraints.is_empty() && !name.bytes().any(|c| c.is_ascii_lowercase())
}

/// Whether a type may be a macro, whose names are in capitals.
fn is_macro(ty: &Type, start: Token<'_>) -> bool {
    matches!(ty.kind, TypeKind::Reference { module: None, .. })
        && ty.prefixes.is_empty()
        && !start.text.bytes().any(|c| c.is_ascii_lowercase())
}
