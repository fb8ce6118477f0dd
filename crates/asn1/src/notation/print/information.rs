//! Classes, objects and parameters as text.

use super::Printer;
use crate::schema::{
    AtNotation, Class, ClassField, FieldGovernor, FieldReference, Instance, Parameter, Setting, Syntax,
};

impl Printer<'_> {
    /// Prints the parameters of an assignment after its name.
    pub(super) fn parameters(&mut self, parameters: &[Parameter]) {
        if parameters.is_empty() {
            return;
        }
        self.page.text(" {");
        for (index, parameter) in parameters.iter().enumerate() {
            self.page.text(if index > 0 { ", " } else { "" });
            if let Some(governor) = &parameter.governor {
                self.ty(governor);
                self.page.text(":");
            }
            self.page.text(&parameter.name);
        }
        self.page.text("}");
    }

    /// Prints a name and its actual parameters.
    pub(super) fn instance(&mut self, instance: &Instance) {
        if let Some(module) = &instance.module {
            self.page.text(module).text(".");
        }
        self.page.text(&instance.name);
        if instance.arguments.is_empty() {
            return;
        }
        self.page.fill().text(" {");
        for (index, argument) in instance.arguments.iter().enumerate() {
            self.page.text(if index > 0 { "," } else { "" }).space();
            self.setting(argument);
        }
        self.page.text("}").end_fill();
    }

    fn setting(&mut self, setting: &Setting) {
        match setting {
            Setting::Type(ty) => self.ty(ty),
            Setting::Value(value) => self.value(value),
            Setting::Braces(unread) => {
                self.page.text(&unread.text);
            }
        }
    }

    pub(super) fn field_reference(&mut self, field: &FieldReference) {
        self.instance(&field.of);
        self.field_path(&field.path, ".");
    }

    /// Prints `&a.&b`, after `first` if that is not empty.
    fn field_path(&mut self, path: &[String], first: &str) {
        for (index, name) in path.iter().enumerate() {
            self.page.text(if index > 0 { "." } else { first }).text("&").text(name);
        }
    }

    pub(super) fn at_notations(&mut self, all: &[AtNotation]) {
        if all.is_empty() {
            return;
        }
        self.page.text("{");
        for (index, at) in all.iter().enumerate() {
            self.page.text(if index > 0 { ", " } else { "" }).text("@");
            self.page.text(&".".repeat(at.level.map_or(0, |level| level as usize + 1)));
            self.page.text(&at.path.join("."));
        }
        self.page.text("}");
    }

    pub(super) fn class(&mut self, class: &Class) {
        self.page.text("CLASS {").indent();
        for (index, field) in class.fields.iter().enumerate() {
            self.page.text(if index > 0 { "," } else { "" }).line();
            self.class_field(field);
        }
        self.page.outdent().line().text("}");
        if let Some(syntax) = &class.syntax {
            self.page.text(" WITH SYNTAX {").indent().line().fill();
            self.syntax(syntax);
            self.page.end_fill().outdent().line().text("}");
        }
    }

    fn class_field(&mut self, field: &ClassField) {
        self.page.text("&").text(&field.name);
        match &field.governor {
            FieldGovernor::None => {}
            FieldGovernor::Type(ty) => {
                self.page.text(" ");
                self.ty(ty);
            }
            FieldGovernor::Field(path) => self.field_path(path, " "),
        }
        self.page.text(if field.unique { " UNIQUE" } else { "" });
        self.page.text(if field.optional { " OPTIONAL" } else { "" });
        if let Some(default) = &field.default {
            self.page.text(" DEFAULT ");
            self.setting(default);
        }
    }

    fn syntax(&mut self, items: &[Syntax]) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.page.space();
            }
            match item {
                Syntax::Literal(word) => {
                    self.page.text(word);
                }
                Syntax::Field(name) => {
                    self.page.text("&").text(name);
                }
                Syntax::Group(items) => {
                    self.page.text("[");
                    self.syntax(items);
                    self.page.text("]");
                }
            }
        }
    }
}
