//! Types as text.

use super::Printer;
use crate::schema::{
    Component, ComponentKind, Enumeration, Enumerator, Field, Fields, Kind, NamedNumber, Prefix, TagClass, TagMode,
    Type,
};

impl Printer<'_> {
    pub(super) fn ty(&mut self, ty: &Type) {
        for prefix in &ty.prefixes {
            self.prefix(prefix);
        }
        match &ty.kind {
            Kind::SequenceOf(of) => self.collection("SEQUENCE", ty, of),
            Kind::SetOf(of) => self.collection("SET", ty, of),
            kind => {
                self.kind(kind);
                self.constraints(ty);
            }
        }
    }

    fn constraints(&mut self, ty: &Type) {
        for constraint in &ty.constraints {
            self.page.text(" ");
            self.constraint(constraint);
        }
    }

    fn prefix(&mut self, prefix: &Prefix) {
        match prefix {
            Prefix::Tag(tag, mode) => {
                let whose = if self.xer { "TAG:" } else { "" };
                let class = match tag.class {
                    TagClass::Universal => "UNIVERSAL ",
                    TagClass::Application => "APPLICATION ",
                    TagClass::Context => "",
                    TagClass::Private => "PRIVATE ",
                };
                let mode = match mode {
                    Some(TagMode::Implicit) => "IMPLICIT ",
                    Some(TagMode::Explicit) => "EXPLICIT ",
                    None => "",
                };
                self.page.text(&format!("[{whose}{class}{}] {mode}", tag.number));
            }
            Prefix::Instruction(instruction) => {
                self.page.fill().text(if self.xer { "[" } else { "[XER:" });
                super::instruction(instruction, self.page);
                self.page.text("] ").end_fill();
            }
        }
    }

    fn collection(&mut self, word: &str, ty: &Type, of: &Component) {
        self.page.text(word);
        self.constraints(ty);
        self.page.text(" OF ");
        if !of.name.is_empty() {
            self.page.text(&of.name).text(" ");
        }
        self.ty(&of.ty);
    }

    fn kind(&mut self, kind: &Kind) {
        match kind {
            Kind::Integer(names) | Kind::BitString(names) => self.named_numbers(kind.as_str(), names),
            Kind::Enumerated(enumeration) => self.enumeration(enumeration),
            Kind::Sequence(fields) | Kind::Set(fields) | Kind::Choice(fields) => self.fields(kind.as_str(), fields),
            // These are printed with their constraints in the middle.
            Kind::SequenceOf(_) | Kind::SetOf(_) => {}
            Kind::Selection(name, of) => {
                self.page.text(name).text(" < ");
                self.ty(of);
            }
            Kind::Reference { module, name } => {
                if let Some(module) = module {
                    self.page.text(module).text(".");
                }
                self.page.text(name);
            }
            Kind::Instance(instance) => self.instance(instance),
            Kind::Field(field) => self.field_reference(field),
            Kind::InstanceOf(class) => {
                self.page.text("INSTANCE OF ");
                self.instance(class);
            }
            Kind::Any(Some(by)) => {
                self.page.text("ANY DEFINED BY ").text(by);
            }
            kind => {
                self.page.text(kind.as_str());
            }
        }
    }

    /// Prints items in braces, in one line or one line each.
    fn list<T>(&mut self, word: &str, items: impl Iterator<Item = T>, mut print: impl FnMut(&mut Self, T)) {
        self.page.group().text(word).text(" {").indent();
        for (index, item) in items.enumerate() {
            self.page.text(if index > 0 { "," } else { "" }).space();
            print(self, item);
        }
        self.page.outdent().space().text("}").end();
    }

    fn named_numbers(&mut self, word: &str, names: &[NamedNumber]) {
        if names.is_empty() {
            self.page.text(word);
            return;
        }
        self.list(word, names.iter(), |printer, named| {
            printer.page.text(&named.name).text("(");
            printer.value(&named.number);
            printer.page.text(")");
        });
    }

    fn enumeration(&mut self, enumeration: &Enumeration) {
        let root = enumeration.root.iter().map(Some);
        let marker = enumeration.additions.iter().map(|_| None);
        let additions = enumeration.additions.iter().flatten().map(Some);
        self.list("ENUMERATED", root.chain(marker).chain(additions), Printer::enumerator);
    }

    /// Prints an enumeration, or the extension marker.
    fn enumerator(&mut self, enumerator: Option<&Enumerator>) {
        let Some(enumerator) = enumerator else {
            self.page.text("...");
            return;
        };
        self.page.text(&enumerator.name);
        if let Some(number) = &enumerator.number {
            self.page.text("(");
            self.value(number);
            self.page.text(")");
        }
    }

    /// Prints components, one line each.
    fn fields(&mut self, word: &str, fields: &Fields) {
        let Fields { root, additions, root_after, .. } = fields;
        self.page.text(word).text(" {");
        if root.is_empty() && additions.is_none() && root_after.is_empty() {
            self.page.text("}");
            return;
        }
        self.page.indent();
        let mut first = true;
        let mut next = |printer: &mut Self| {
            printer.page.text(if std::mem::take(&mut first) { "" } else { "," }).line();
        };
        for component in root {
            next(self);
            self.component(component);
        }
        if additions.is_some() || !root_after.is_empty() {
            next(self);
            self.page.text("...");
        }
        for field in additions.iter().flatten() {
            next(self);
            self.field(field);
        }
        if !root_after.is_empty() {
            next(self);
            self.page.text("...");
        }
        for component in root_after {
            next(self);
            self.component(component);
        }
        self.page.outdent().line().text("}");
    }

    fn field(&mut self, field: &Field) {
        match field {
            Field::Component(component) => self.component(component),
            Field::Group(version, components) => {
                self.page.group().text("[[").indent();
                if let Some(version) = version {
                    self.page.text(&format!(" {version}:"));
                }
                for (index, component) in components.iter().enumerate() {
                    self.page.text(if index > 0 { "," } else { "" }).space();
                    self.component(component);
                }
                self.page.outdent().space().text("]]").end();
            }
        }
    }

    fn component(&mut self, component: &Component) {
        if component.kind == ComponentKind::ComponentsOf {
            self.page.text("COMPONENTS OF ");
            return self.ty(&component.ty);
        }
        self.page.text(&component.name).text(" ");
        self.ty(&component.ty);
        match &component.kind {
            ComponentKind::Optional => {
                self.page.text(" OPTIONAL");
            }
            ComponentKind::Default(value) => {
                self.page.text(" DEFAULT ");
                self.value(value);
            }
            ComponentKind::Mandatory | ComponentKind::ComponentsOf => {}
        }
    }
}
