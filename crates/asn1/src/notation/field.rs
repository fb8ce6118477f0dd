//! The content of the braces of a SEQUENCE, SET, CHOICE (X.680 clauses 25, 27, 29) or ENUMERATED (clause 20).

use foldhash::HashSet;

use super::Read;
use super::lexer;
use super::parser::Parser;
use crate::schema::{Component, ComponentKind, Enumeration, Enumerator, Field, Fields, Kind, Position, Type};

/// What is expected instead of a repeated component name.
const DIFFERENT: &str = "components of different names";

impl<'s> Parser<'s> {
    /// Reads the components of a SEQUENCE or SET, or the alternatives of a CHOICE.
    pub(super) fn fields(&mut self, kind: &mut Kind, of: fn(Fields) -> Kind) -> Read<()> {
        *kind = of(Fields::default());
        let choice = matches!(kind, Kind::Choice(_));
        let (Kind::Sequence(fields) | Kind::Set(fields) | Kind::Choice(fields)) = kind else { return Ok(()) };
        let mut seen = HashSet::default();
        let mut markers = 0;
        self.expect("{", "'{'")?;
        if !choice && self.takes("}")? {
            return Ok(());
        }
        loop {
            if self.is("...") {
                self.marker(markers)?;
                markers += 1;
                fields.additions.get_or_insert_default();
            } else if markers == 2 && choice {
                return Err(self.unexpected("'}' after the second extension marker of a CHOICE"));
            } else {
                match (&mut fields.additions, markers) {
                    (None, _) => self.component(choice, &mut seen, &mut fields.root)?,
                    (Some(additions), 1) => self.addition(choice, &mut seen, additions)?,
                    _ => self.component(choice, &mut seen, &mut fields.root_after)?,
                }
            }
            if !self.takes(",")? {
                break;
            }
        }
        self.expect("}", "',' or '}'")
    }

    /// Reads an extension marker and its exception.
    fn marker(&mut self, before: u32) -> Read<()> {
        if before == 2 {
            return Err(self.unexpected("at most two extension markers"));
        }
        self.take()?;
        self.exception()
    }

    /// Reads an extension addition, or a group of them: `[[ 2: a A, b B ]]`.
    fn addition(&mut self, choice: bool, seen: &mut HashSet<&'s str>, to: &mut Vec<Field>) -> Read<()> {
        let group = self.takes("[[")?;
        let version = if group { self.version()? } else { None };
        let mut components = Vec::new();
        loop {
            self.component(choice, seen, &mut components)?;
            if !group || !self.takes(",")? {
                break;
            }
        }
        if group {
            self.expect("]]", "',' or ']]'")?;
            to.push(Field::Group(version, components));
        } else {
            to.extend(components.pop().map(Field::Component));
        }
        Ok(())
    }

    /// Reads the version number of a group.
    fn version(&mut self) -> Read<Option<u32>> {
        if self.peek(1)?.text != ":" {
            return Ok(None);
        }
        let Ok(number) = self.token().text.parse() else {
            return Err(self.unexpected("the number of a version, below 4294967296"));
        };
        self.take()?;
        self.take()?;
        Ok(Some(number))
    }

    /// Reads a component or an alternative, and appends it to `to`.
    fn component(&mut self, choice: bool, seen: &mut HashSet<&'s str>, to: &mut Vec<Component>) -> Read<()> {
        if !choice && self.is("COMPONENTS") {
            let component = blank(to, "", self.take()?.position);
            component.kind = ComponentKind::ComponentsOf;
            self.expect("OF", "OF after COMPONENTS")?;
            return self.type_into(&mut component.ty);
        }
        let name = self.identifier(match (self.token().kind, choice) {
            (lexer::Kind::Upper, true) => "an alternative, whose name begins with a small letter",
            (lexer::Kind::Upper, false) => "a component, whose name begins with a small letter",
            (_, true) => "an alternative",
            (_, false) => "a component",
        })?;
        self.first(name, seen, DIFFERENT)?;
        self.path.push(name.text);
        let component = blank(to, name.text, name.position);
        self.type_into(&mut component.ty)?;
        if !choice {
            self.component_kind(&mut component.kind)?;
        }
        self.path.pop();
        Ok(())
    }

    fn component_kind(&mut self, kind: &mut ComponentKind) -> Read<()> {
        if self.takes("OPTIONAL")? {
            *kind = ComponentKind::Optional;
        } else if self.takes("DEFAULT")? {
            *kind = ComponentKind::Default(self.value()?);
        }
        Ok(())
    }

    /// Reads the enumerations of an ENUMERATED.
    pub(super) fn enumeration(&mut self) -> Read<Enumeration> {
        let mut enumeration = Enumeration::default();
        let mut seen = HashSet::default();
        self.expect("{", "'{'")?;
        loop {
            if self.is("...") && enumeration.additions.is_none() && !enumeration.root.is_empty() {
                self.take()?;
                self.exception()?;
                enumeration.additions = Some(Vec::new());
            } else {
                let enumerator = self.enumerator(&mut seen)?;
                enumeration.additions.as_mut().unwrap_or(&mut enumeration.root).push(enumerator);
            }
            if !self.takes(",")? {
                break;
            }
        }
        self.expect("}", "',' or '}'")?;
        Ok(enumeration)
    }

    fn enumerator(&mut self, seen: &mut HashSet<&'s str>) -> Read<Enumerator> {
        let name = self.identifier("an enumeration")?;
        self.first(name, seen, "enumerations of different names")?;
        let mut number = None;
        if self.takes("(")? {
            number = Some(self.number_or_name("a number, or the name of a value")?);
            self.expect(")", "')'")?;
        }
        Ok(Enumerator { name: name.text.to_owned(), text: None, number, position: name.position })
    }
}

/// Appends a component whose type is read later.
fn blank<'c>(to: &'c mut Vec<Component>, name: &str, position: Position) -> &'c mut Component {
    let index = to.len();
    to.push(Component { position, ..Component::new(name, Type::new(Kind::Null)) });
    &mut to[index]
}
