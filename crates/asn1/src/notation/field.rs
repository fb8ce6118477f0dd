//! What stands between the braces of a SEQUENCE, SET, CHOICE (X.680 clauses 25, 27, 29) or
//! ENUMERATED (clause 20).

use std::collections::HashSet;

use super::Read;
use super::parser::Parser;
use crate::schema::{Component, ComponentKind, Enumeration, Enumerator, Field, Fields};

/// What is said where a component's name comes a second time.
const DIFFERENT: &str = "components of different names";

impl<'s> Parser<'s> {
    /// The components of a SEQUENCE or SET, or the alternatives of a CHOICE.
    pub(super) fn fields(&mut self, of: &'static str) -> Read<Fields> {
        let choice = of == "CHOICE";
        let mut fields = Fields::default();
        let mut seen = HashSet::new();
        let mut markers = 0;
        self.expect("{", "'{'")?;
        if !choice && self.takes("}")? {
            return Ok(fields);
        }
        loop {
            if self.is("...") {
                self.marker(markers)?;
                markers += 1;
                fields.additions.get_or_insert_default();
            } else if markers == 2 {
                if choice {
                    return Err(self.unexpected("'}' behind the second extension marker of a CHOICE"));
                }
                fields.root_after.push(self.component(choice, &mut seen)?);
            } else if let Some(additions) = &mut fields.additions {
                additions.push(self.addition(choice, &mut seen)?);
            } else {
                fields.root.push(self.component(choice, &mut seen)?);
            }
            if !self.takes(",")? {
                break;
            }
        }
        self.expect("}", "',' or '}'")?;
        Ok(fields)
    }

    /// An extension marker, with what is to be done where an extension is met.
    fn marker(&mut self, before: u32) -> Read<()> {
        if before == 2 {
            return Err(self.unexpected("at most two extension markers"));
        }
        self.take()?;
        self.exception()
    }

    /// An extension addition, or a group of them.
    fn addition(&mut self, choice: bool, seen: &mut HashSet<&'s str>) -> Read<Field> {
        if self.is("[[") {
            self.addition_group(choice, seen)
        } else {
            Ok(Field::Component(self.component(choice, seen)?))
        }
    }

    /// `[[ 2: a A, b B ]]`.
    fn addition_group(&mut self, choice: bool, seen: &mut HashSet<&'s str>) -> Read<Field> {
        self.take()?;
        let mut version = None;
        if self.peek(1)?.text == ":" {
            let Ok(number) = self.token().text.parse() else {
                return Err(self.unexpected("the number of a version, below 4294967296"));
            };
            version = Some(number);
            self.take()?;
            self.take()?;
        }
        let mut components = Vec::new();
        loop {
            components.push(self.component(choice, seen)?);
            if !self.takes(",")? {
                break;
            }
        }
        self.expect("]]", "',' or ']]'")?;
        Ok(Field::Group(version, components))
    }

    fn component(&mut self, choice: bool, seen: &mut HashSet<&'s str>) -> Read<Component> {
        let position = self.position();
        if !choice && self.is("COMPONENTS") {
            self.take()?;
            self.expect("OF", "OF behind COMPONENTS")?;
            let ty = self.ty()?;
            return Ok(Component { name: String::new(), ty, kind: ComponentKind::ComponentsOf, position });
        }
        let name = self.identifier(if choice { "an alternative" } else { "a component" })?;
        self.first(name, seen, DIFFERENT)?;
        self.path.push(name.text);
        let mut component =
            Component { name: name.text.to_owned(), ty: self.ty()?, kind: ComponentKind::Mandatory, position };
        if !choice {
            self.component_kind(&mut component.kind)?;
        }
        self.path.pop();
        Ok(component)
    }

    fn component_kind(&mut self, kind: &mut ComponentKind) -> Read<()> {
        if self.takes("OPTIONAL")? {
            *kind = ComponentKind::Optional;
        } else if self.takes("DEFAULT")? {
            *kind = ComponentKind::Default(self.value()?);
        }
        Ok(())
    }

    /// The enumerations of an ENUMERATED.
    pub(super) fn enumeration(&mut self) -> Read<Enumeration> {
        let mut enumeration = Enumeration::default();
        let mut seen = HashSet::new();
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
        Ok(Enumerator { name: name.text.to_owned(), number, position: name.position })
    }
}
