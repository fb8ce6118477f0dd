//! Modules as text.

mod constraint;
mod information;
mod page;
mod ty;
mod value;

use page::Page;

pub(super) use value::quoted;

use crate::schema::{
    Argument, Assignment, EncodingControl, Exports, Import, Instruction, Meaning, Module, ObjectIdArc, Schema, Tagging,
    Type, Value,
};

/// Prints a module in the notation of X.680, indented by two columns, with lines of about 100.
///
/// [`parse`](super::parse) reads an equal module back, if the module is valid notation. (A program can make others,
/// such as identifiers that are not, or an intersection of unions without parentheses, which are printed with
/// parentheses.)
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_asn1::notation;
/// use lengthwise_tam::Limits;
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let schema = notation::parse_one("Shop DEFINITIONS::=BEGIN Item::=SEQUENCE{price INTEGER(0..MAX)}", &Limits::default())?;
/// let text = "\
/// Shop DEFINITIONS EXPLICIT TAGS ::= BEGIN
///
/// Item ::= SEQUENCE {
///   price INTEGER (0..MAX)
/// }
///
/// END
/// ";
/// assert_eq!(notation::print(&schema.modules[0]), text);
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn print(module: &Module) -> String {
    let mut out = head(module);
    if let Exports::Only(names) = &module.exports {
        out.push('\n');
        out += &exports(names);
    }
    if module.imports.iter().any(|import| !import.names.is_empty()) {
        out.push('\n');
        out += &imports(&module.imports);
    }
    // Consecutive assignments of one line are not separated by empty lines.
    let mut together = false;
    for assignment in &module.assignments {
        let text = self::assignment(assignment, module.xer_instructions);
        let one_line = !text.contains('\n');
        if !(together && one_line) {
            out.push('\n');
        }
        together = one_line;
        out += &text;
        out.push('\n');
    }
    if let Some(control) = &module.encoding_control {
        out.push('\n');
        out += &encoding_control(control);
    }
    out + "\nEND\n"
}

/// Prints the modules of a schema one after another, each like [`print()`].
#[must_use]
pub fn print_schema(schema: &Schema) -> String {
    schema.modules.iter().map(print).collect::<Vec<_>>().join("\n")
}

/// Prints an assignment of a module, as [`print()`] does.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_asn1::notation;
/// use lengthwise_tam::Limits;
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let schema = notation::parse_one("M DEFINITIONS::=BEGIN most INTEGER::=7 END", &Limits::default())?;
/// let module = &schema.modules[0];
/// assert_eq!(notation::print_assignment(&module.assignments[0], module), "most INTEGER ::= 7");
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn print_assignment(assignment: &Assignment, module: &Module) -> String {
    self::assignment(assignment, module.xer_instructions)
}

/// Prints a type of a module, with its tags and constraints, as [`print()`] does.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_asn1::{notation, schema::Meaning};
/// use lengthwise_tam::Limits;
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let schema = notation::parse_one("M DEFINITIONS::=BEGIN T::=[3]INTEGER(0..7) END", &Limits::default())?;
/// let module = &schema.modules[0];
/// let Meaning::Type(ty) = &module.assignments[0].meaning else { unreachable!() };
/// assert_eq!(notation::print_type(ty, module), "[3] INTEGER (0..7)");
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn print_type(ty: &Type, module: &Module) -> String {
    printed(module, |printer| printer.ty(ty))
}

/// Prints a value of a module, as [`print()`] does.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_asn1::{notation, schema::Meaning};
/// use lengthwise_tam::Limits;
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let schema = notation::parse_one("M DEFINITIONS::=BEGIN v SEQUENCE OF INTEGER::={1,2} END", &Limits::default())?;
/// let module = &schema.modules[0];
/// let Meaning::Value(_, value) = &module.assignments[0].meaning else { unreachable!() };
/// assert_eq!(notation::print_value(value, module), "{ 1, 2 }");
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn print_value(value: &Value, module: &Module) -> String {
    printed(module, |printer| printer.value(value))
}

fn printed(module: &Module, print: impl FnOnce(&mut Printer<'_>)) -> String {
    let mut page = Page::default();
    print(&mut Printer { page: &mut page, xer: module.xer_instructions });
    page.set()
}

fn head(module: &Module) -> String {
    let mut page = Page::default();
    page.fill().text(&module.name);
    object_identifier(&module.identifier, &mut page);
    page.space().text("DEFINITIONS");
    if module.xer_instructions {
        page.space().text("XER INSTRUCTIONS");
    }
    page.space().text(match module.tagging {
        Tagging::Explicit => "EXPLICIT TAGS",
        Tagging::Implicit => "IMPLICIT TAGS",
        Tagging::Automatic => "AUTOMATIC TAGS",
    });
    if module.extensibility_implied {
        page.space().text("EXTENSIBILITY IMPLIED");
    }
    page.space().text("::=").space().text("BEGIN").end_fill();
    page.set() + "\n"
}

/// Prints an object identifier, after a space, if there is one.
fn object_identifier(arcs: &[ObjectIdArc], page: &mut Page) {
    if arcs.is_empty() {
        return;
    }
    page.space().fill().text("{");
    for arc in arcs {
        let text = match (arc.name.as_str(), arc.number) {
            ("", number) => number.unwrap_or_default().to_string(),
            (name, None) => name.to_owned(),
            (name, Some(number)) => format!("{name}({number})"),
        };
        page.space().text(&text);
    }
    page.space().text("}").end_fill();
}

fn exports(names: &[String]) -> String {
    let mut page = Page::default();
    page.fill().text("EXPORTS").space();
    list(names, &mut page);
    page.text(";").end_fill();
    page.set() + "\n"
}

fn imports(imports: &[Import]) -> String {
    let mut page = Page::default();
    page.text("IMPORTS").indent();
    for import in imports.iter().filter(|import| !import.names.is_empty()) {
        page.line().fill();
        list(&import.names, &mut page);
        page.space().text("FROM ").text(&import.module);
        object_identifier(&import.identifier, &mut page);
        page.end_fill();
    }
    page.text(";").outdent();
    page.set() + "\n"
}

/// Prints names separated by commas.
fn list(names: &[String], page: &mut Page) {
    for (index, name) in names.iter().enumerate() {
        if index > 0 {
            page.text(",").space();
        }
        page.text(name);
    }
}

fn assignment(assignment: &Assignment, xer: bool) -> String {
    let mut page = Page::default();
    page.text(&assignment.name);
    let printer = &mut Printer { page: &mut page, xer };
    printer.parameters(&assignment.parameters);
    match &assignment.meaning {
        Meaning::Type(ty) => {
            printer.page.text(" ::= ");
            printer.ty(ty);
        }
        Meaning::Value(ty, value) => {
            printer.page.text(" ");
            printer.ty(ty);
            printer.page.text(" ::= ");
            printer.value(value);
        }
        Meaning::ValueSet(ty, set) => {
            printer.page.text(" ");
            printer.ty(ty);
            printer.page.text(" ::= ");
            printer.constraint_within("{ ", set, " }");
        }
        Meaning::Class(class) => {
            printer.page.text(" ::= ");
            printer.class(class);
        }
    }
    page.set()
}

fn encoding_control(control: &EncodingControl) -> String {
    let mut page = Page::default();
    page.text("ENCODING-CONTROL XER").indent();
    for instruction in &control.instructions {
        page.line().fill();
        self::instruction(instruction, &mut page);
        page.end_fill();
    }
    page.outdent();
    page.set() + "\n"
}

/// Prints an instruction, in a prefix or in a control section.
fn instruction(instruction: &Instruction, page: &mut Page) {
    if instruction.negating {
        page.text("NOT ");
    }
    page.text(&instruction.keyword);
    if !instruction.targets.is_empty() {
        page.space();
        list(&instruction.targets, page);
    }
    for argument in &instruction.arguments {
        match argument {
            Argument::Word(word) if word == "," => page.text(word),
            Argument::Word(word) => page.space().text(word),
            Argument::Text(text) => page.space().text(&value::quoted(text)),
        };
    }
}

/// Prints the parts of an assignment.
struct Printer<'p> {
    page: &'p mut Page,
    /// Whether brackets without a keyword hold encoding instructions.
    xer: bool,
}
