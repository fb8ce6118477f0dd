//! Constraints (X.680 clauses 49 to 51, X.682 clauses 8 to 11).

use super::Read;
use super::lexer::{Kind as Item, decoded};
use super::parser::Parser;
use super::word::is_reserved;
use crate::schema::{AtNotation, Bound, Constraint, Constraints, Element, Kind, Presence, Type, Value};

impl Parser<'_> {
    /// Reads the constraints that follow, if any.
    pub(super) fn constraints(&mut self, constraints: &mut Vec<Constraint>) -> Read<()> {
        while self.is("(") {
            constraints.push(self.constraint()?);
        }
        Ok(())
    }

    /// Reads a constraint in parentheses.
    pub(super) fn constraint(&mut self) -> Read<Constraint> {
        let position = self.position();
        self.expect("(", "a constraint in parentheses")?;
        let (root, additions) = self.set_of(false)?;
        self.expect(")", "')', or more of the constraint")?;
        Ok(Constraint { root, additions, position })
    }

    /// Reads element sets (clause 50.1): the root, the additions after the extension marker, and an exception, which is
    /// dropped.
    pub(super) fn element_sets(&mut self) -> Read<(Constraints, Option<Option<Constraints>>)> {
        self.enter()?;
        let (mut root, mut additions) = (Constraints::Union(Vec::new()), None);
        let is_set = !self.is("...");
        if is_set {
            root = self.element_set()?;
        }
        if !is_set || self.takes(",")? {
            self.expect("...", "an extension marker after the comma")?;
            additions = Some(None);
            if self.takes(",")? {
                additions = Some(Some(self.element_set()?));
            }
        }
        self.exception()?;
        self.leave();
        Ok((root, additions))
    }

    /// Reads unions of intersections of elements.
    fn element_set(&mut self) -> Read<Constraints> {
        if self.takes("ALL")? {
            self.expect("EXCEPT", "EXCEPT after ALL")?;
            return Ok(Constraints::AllExcept(Box::new(self.element()?)));
        }
        let mut union = Vec::new();
        let mut intersection = Vec::new();
        loop {
            let mut part = self.element()?;
            if self.takes("EXCEPT")? {
                part = Constraints::Except(Box::new(part), Box::new(self.element()?));
            }
            intersection.push(part);
            if self.takes("^")? || self.takes("INTERSECTION")? {
                continue;
            }
            union.push(one_or(&mut intersection, Constraints::Intersection));
            if !self.takes("|")? && !self.takes("UNION")? {
                return Ok(one_or(&mut union, Constraints::Union));
            }
        }
    }

    /// Reads and drops an exception: `! 17`, or `! Type : value` (clause 53).
    pub(super) fn exception(&mut self) -> Read<()> {
        if !self.takes("!")? {
            return Ok(());
        }
        if self.is_type()? {
            self.ty()?;
            self.expect(":", "':' and a value")?;
            self.value()?;
        } else {
            self.number_or_name("a number, a value's name, or a type and a value")?;
        }
        Ok(())
    }

    fn element(&mut self) -> Read<Constraints> {
        Ok(Constraints::Element(self.subtype_element()?))
    }

    /// Reads a subtype element (clause 51), or one of X.682.
    fn subtype_element(&mut self) -> Read<Box<Element>> {
        match self.token().text {
            "(" => self.group(),
            "SIZE" => self.constrained(Element::Size),
            "FROM" => self.constrained(Element::Alphabet),
            "INCLUDES" => {
                self.take()?;
                self.contained()
            }
            "WITH" => self.inner_type(),
            "PATTERN" => self.pattern(),
            "SETTINGS" => self.settings(),
            "CONTAINING" | "ENCODED" => self.contents(),
            "CONSTRAINED" => self.user_defined(),
            // A set of objects has no table: `{ ID { 2 999 } }` is an object.
            "{" if self.objects => Ok(Box::new(Element::Single(Value::Unread(self.unread()?)))),
            "{" if self.is_object_set()? => self.table(),
            _ if self.is_type()? => self.contained(),
            _ => self.value_or_range(),
        }
    }

    /// Reads a keyword and a constraint.
    fn constrained(&mut self, element: fn(Constraint) -> Element) -> Read<Box<Element>> {
        self.take()?;
        Ok(Box::new(element(self.constraint()?)))
    }

    fn contained(&mut self) -> Read<Box<Element>> {
        let mut element = Box::new(Element::Contained(Type::new(Kind::Null)));
        if let Element::Contained(ty) = &mut *element {
            self.type_into(ty)?;
            if self.is(":") {
                let ty = std::mem::replace(ty, Type::new(Kind::Null));
                *element = Element::Single(self.value_of(ty)?);
            }
        }
        Ok(element)
    }

    fn pattern(&mut self) -> Read<Box<Element>> {
        self.take()?;
        Ok(Box::new(Element::Pattern(self.value()?)))
    }

    fn group(&mut self) -> Read<Box<Element>> {
        self.enter()?;
        let position = self.position();
        self.take()?;
        let root = self.element_set()?;
        self.expect(")", "')', or more of the constraint")?;
        self.leave();
        Ok(Box::new(Element::Group(Constraint { root, additions: None, position })))
    }

    /// Whether `{Objects}`, `{Module.Objects}` or `{Objects {…}}` follows, and not a value.
    fn is_object_set(&mut self) -> Read<bool> {
        let (first, second) = (self.peek(1)?, self.peek(2)?);
        if first.text == "..." {
            return Ok(true);
        }
        let is_name = first.kind == Item::Upper && !is_reserved(first.text);
        Ok(is_name
            && match second.text {
                "." => self.peek(3)?.kind == Item::Upper || self.peek(3)?.text == "&",
                "}" | "{" | "|" | "," | "UNION" | "^" | "EXCEPT" => true,
                _ => false,
            })
    }

    /// Reads the set of an assignment, or of a table constraint, up to its brace.
    pub(super) fn set_of(&mut self, objects: bool) -> Read<(Constraints, Option<Option<Constraints>>)> {
        let before = std::mem::replace(&mut self.objects, objects);
        let sets = self.element_sets();
        self.objects = before;
        sets
    }

    /// Reads a set of objects or values in braces.
    pub(crate) fn set_in_braces(&mut self, objects: bool) -> Read<Constraint> {
        let position = self.position();
        self.expect("{", "'{' and a set")?;
        if self.takes("}")? {
            return Ok(Constraint { root: Constraints::Union(Vec::new()), additions: None, position });
        }
        let (root, additions) = self.set_of(objects)?;
        self.expect("}", "'}', or more of the set")?;
        Ok(Constraint { root, additions, position })
    }

    /// Reads a table constraint (X.682 clause 10).
    fn table(&mut self) -> Read<Box<Element>> {
        let set = self.set_in_braces(true)?;
        let mut at = Vec::new();
        if self.takes("{")? {
            loop {
                at.push(self.at_notation()?);
                if !self.takes(",")? {
                    break;
                }
            }
            self.expect("}", "',' or '}'")?;
        }
        Ok(Box::new(Element::Table { set, at }))
    }

    /// Reads `@a.b` or `@.a`.
    fn at_notation(&mut self) -> Read<AtNotation> {
        self.expect("@", "'@' and a component")?;
        let mut level = None;
        while self.is(".") || self.is("..") || self.is("...") {
            let dots = self.take()?.text.len() as u32;
            level = Some(level.map_or(0, |level| level + 1) + dots - 1);
        }
        let mut path = vec![self.identifier("a component")?.text.to_owned()];
        while self.takes(".")? {
            path.push(self.identifier("a component")?.text.to_owned());
        }
        Ok(AtNotation { level, path })
    }

    fn value_or_range(&mut self) -> Read<Box<Element>> {
        let lower = self.bound("MIN", Bound::Min)?;
        let open = self.takes("<")?;
        if !open && !self.is("..") {
            return match lower {
                Bound::Inclusive(value) => Ok(Box::new(Element::Single(value))),
                _ => Err(self.unexpected("'..' after MIN")),
            };
        }
        self.expect("..", "'..'")?;
        let (lower, upper_open) = (if open { exclusive(lower) } else { lower }, self.takes("<")?);
        let upper = self.bound("MAX", Bound::Max)?;
        Ok(Box::new(Element::Range(lower, if upper_open { exclusive(upper) } else { upper })))
    }

    /// Reads an end of a range, which includes the end.
    fn bound(&mut self, word: &str, outermost: Bound) -> Read<Bound> {
        if self.takes(word)? { Ok(outermost) } else { Ok(Bound::Inclusive(self.value()?)) }
    }

    fn settings(&mut self) -> Read<Box<Element>> {
        self.take()?;
        if self.token().kind != Item::Text {
            return Err(self.unexpected("settings in double quotes"));
        }
        Ok(Box::new(Element::Settings(decoded(self.take()?.text))))
    }

    /// Reads `WITH COMPONENT (…)` and `WITH COMPONENTS { … }` (clause 51.8).
    fn inner_type(&mut self) -> Read<Box<Element>> {
        self.take()?;
        if self.is("COMPONENT") {
            return self.constrained(Element::WithComponent);
        }
        self.expect("COMPONENTS", "COMPONENT or COMPONENTS after WITH")?;
        self.expect("{", "'{'")?;
        let partial = self.takes("...")?;
        if partial {
            self.expect(",", "',' after the three dots")?;
        }
        let mut components = Vec::new();
        loop {
            self.named_constraint(&mut components)?;
            if !self.takes(",")? {
                break;
            }
        }
        self.expect("}", "',' or '}'")?;
        Ok(Box::new(Element::WithComponents { partial, components }))
    }

    fn named_constraint(&mut self, components: &mut Vec<(String, Option<Constraint>, Option<Presence>)>) -> Read<()> {
        let name = self.identifier("a component")?.text.to_owned();
        let constraint = if self.is("(") { Some(self.constraint()?) } else { None };
        let presence = match self.token().text {
            "PRESENT" => Some(Presence::Present),
            "ABSENT" => Some(Presence::Absent),
            "OPTIONAL" => Some(Presence::Optional),
            _ => None,
        };
        if presence.is_some() {
            self.take()?;
        }
        components.push((name, constraint, presence));
        Ok(())
    }

    /// Reads `CONTAINING Type ENCODED BY value` (X.682 clause 11).
    fn contents(&mut self) -> Read<Box<Element>> {
        let mut element = Box::new(Element::Contents(None, None));
        let Element::Contents(containing, rules) = &mut *element else { return Ok(element) };
        if self.takes("CONTAINING")? {
            self.type_into(containing.insert(Type::new(Kind::Null)))?;
        }
        if self.takes("ENCODED")? {
            self.expect("BY", "BY after ENCODED")?;
            *rules = Some(self.value()?);
        }
        Ok(element)
    }

    /// Reads `CONSTRAINED BY { … }` (X.682 clause 9).
    fn user_defined(&mut self) -> Read<Box<Element>> {
        self.take()?;
        self.expect("BY", "BY after CONSTRAINED")?;
        let start = self.position().offset + 1;
        self.expect("{", "'{'")?;
        let mut open = 1_u32;
        loop {
            match self.token().text {
                "{" => open += 1,
                "}" => open -= 1,
                _ if self.token().kind == Item::End => return Err(self.unexpected("'}'")),
                _ => {}
            }
            let end = self.position().offset;
            self.take()?;
            if open == 0 {
                return Ok(Box::new(Element::UserDefined(self.between(start, end).trim().to_owned())));
            }
        }
    }
}

/// The only part, or `several` of all parts. Empties `parts`.
fn one_or(parts: &mut Vec<Constraints>, several: fn(Vec<Constraints>) -> Constraints) -> Constraints {
    match parts.pop() {
        Some(part) if parts.is_empty() => part,
        Some(part) => {
            parts.push(part);
            several(std::mem::take(parts))
        }
        None => several(Vec::new()),
    }
}

/// The same end of a range, excluded.
fn exclusive(bound: Bound) -> Bound {
    match bound {
        Bound::Inclusive(value) => Bound::Exclusive(value),
        outermost => outermost,
    }
}
