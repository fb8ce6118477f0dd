//! Constraints as text.

use super::Printer;
use super::value::quoted;
use crate::schema::{Bound, Constraint, Constraints, Element, Kind, Presence, Type};

/// The precedence of a set of elements as an operand of another.
fn strength(set: &Constraints) -> u8 {
    match set {
        // Within another set these need parentheses.
        Constraints::AllExcept(_) | Constraints::Union(_) => 0,
        Constraints::Intersection(_) => 1,
        Constraints::Except(..) => 2,
        Constraints::Element(_) => 3,
    }
}

impl Printer<'_> {
    /// Prints a constraint in parentheses.
    pub(super) fn constraint(&mut self, constraint: &Constraint) {
        self.constraint_within("(", constraint, ")");
    }

    /// Prints a constraint, or the set of values of an assignment.
    pub(super) fn constraint_within(&mut self, open: &str, constraint: &Constraint, close: &str) {
        self.page.fill().text(open);
        let is_empty = constraint.root == Constraints::Union(Vec::new());
        self.set(&constraint.root);
        if let Some(additions) = &constraint.additions {
            if !is_empty {
                self.page.text(",").space();
            }
            self.page.text("...");
            if let Some(additions) = additions {
                self.page.text(",").space();
                self.set(additions);
            }
        }
        self.page.text(close).end_fill();
    }

    fn set(&mut self, set: &Constraints) {
        match set {
            Constraints::Element(element) => self.element(element),
            Constraints::Union(parts) => self.operands(parts, "|", 1),
            Constraints::Intersection(parts) => self.operands(parts, "^", 2),
            Constraints::Except(of, without) => {
                self.operand(of, 3);
                self.page.text(" EXCEPT ");
                self.operand(without, 3);
            }
            Constraints::AllExcept(without) => {
                self.page.text("ALL EXCEPT ");
                self.operand(without, 3);
            }
        }
    }

    fn operands(&mut self, parts: &[Constraints], sign: &str, least: u8) {
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                self.page.space().text(sign).text(" ");
            }
            self.operand(part, least);
        }
    }

    fn operand(&mut self, part: &Constraints, least: u8) {
        if strength(part) >= least {
            return self.set(part);
        }
        self.page.fill().text("(");
        self.set(part);
        self.page.text(")").end_fill();
    }

    fn element(&mut self, element: &Element) {
        match element {
            Element::Single(value) => self.value(value),
            Element::Range(lower, upper) => self.range(lower, upper),
            Element::Size(constraint) => self.word("SIZE", constraint),
            Element::Alphabet(constraint) => self.word("FROM", constraint),
            Element::WithComponent(constraint) => self.word("WITH COMPONENT", constraint),
            Element::Contained(ty) => self.contained(ty),
            Element::Pattern(value) => {
                self.page.text("PATTERN ");
                self.value(value);
            }
            Element::Settings(text) => {
                self.page.text("SETTINGS ").text(&quoted(text));
            }
            Element::WithComponents { partial, components } => self.components(*partial, components),
            Element::Contents(containing, rules) => {
                if let Some(ty) = containing {
                    self.page.text("CONTAINING ");
                    self.ty(ty);
                }
                if let Some(rules) = rules {
                    self.page.text(if containing.is_some() { " ENCODED BY " } else { "ENCODED BY " });
                    self.value(rules);
                }
            }
            Element::UserDefined(text) => self.user_defined(text),
            Element::Table { set, at } => {
                self.constraint_within("{", set, "}");
                self.at_notations(at);
            }
            Element::Group(constraint) => self.constraint(constraint),
        }
    }

    fn word(&mut self, word: &str, constraint: &Constraint) {
        self.page.text(word).text(" ");
        self.constraint(constraint);
    }

    /// Prints a type on its own. `NULL` alone would be the value.
    fn contained(&mut self, ty: &Type) {
        if ty.kind == Kind::Null && ty.prefixes.is_empty() {
            self.page.text("INCLUDES ");
        }
        self.ty(ty);
    }

    fn range(&mut self, lower: &Bound, upper: &Bound) {
        match lower {
            Bound::Min => {
                self.page.text("MIN..");
            }
            Bound::Max => {
                self.page.text("MAX..");
            }
            Bound::Inclusive(value) => {
                self.value(value);
                // The full stop of `1.` would become part of the range.
                let real = matches!(value, crate::schema::Value::Number(digits) if digits.ends_with('.'));
                self.page.text(if real { " .." } else { ".." });
            }
            Bound::Exclusive(value) => {
                self.value(value);
                self.page.text("<..");
            }
        }
        match upper {
            Bound::Min => {
                self.page.text("MIN");
            }
            Bound::Max => {
                self.page.text("MAX");
            }
            Bound::Inclusive(value) => self.value(value),
            Bound::Exclusive(value) => {
                self.page.text("<");
                self.value(value);
            }
        }
    }

    fn components(&mut self, partial: bool, components: &[(String, Option<Constraint>, Option<Presence>)]) {
        self.page.text("WITH COMPONENTS").space().text("{");
        if partial {
            self.page.text(" ...,");
        }
        for (index, (name, constraint, presence)) in components.iter().enumerate() {
            self.page.text(if index > 0 { "," } else { "" }).space().text(name);
            if let Some(constraint) = constraint {
                self.page.text(" ");
                self.constraint(constraint);
            }
            self.page.text(match presence {
                Some(Presence::Present) => " PRESENT",
                Some(Presence::Absent) => " ABSENT",
                Some(Presence::Optional) => " OPTIONAL",
                None => "",
            });
        }
        self.page.text(" }");
    }

    /// Prints `CONSTRAINED BY { … }`, which may contain comments that end with their line.
    fn user_defined(&mut self, text: &str) {
        self.page.text("CONSTRAINED BY {");
        if !text.is_empty() {
            self.page.text(" ").text(text).text(if text.contains("--") { "\n" } else { " " });
        }
        self.page.text("}");
    }
}
