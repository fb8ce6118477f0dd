//! The page that `schema --html` writes: each type of the modules as a tree of its components.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::path::Path;

use lengthwise::asn1::notation;
use lengthwise::asn1::schema::{
    Assignment, Component, ComponentKind, Fields, Kind, Meaning, Module, Schema, Tagging, Type,
};

use crate::chart::escaped;
use crate::html::page_of;
use crate::inputs::Input;
use crate::output::Output;
use crate::report::{Failure, Status};

const INTRO: &str = "The types of the schema as they are understood. Names of types are links.";
const NOTES: &str = "Types, tags and constraints are in the notation of ASN.1 (X.680). What follows <em>extensions</em> was added in \
                     later versions, or may be.";

/// Writes the page of the modules of a schema. `root` is the module and the name of the type of messages; `operations` are those
/// of a service, as text.
pub(super) fn write(
    path: &Path,
    input: &Input,
    schema: &Schema,
    root: Option<(&str, &str)>,
    operations: &str,
) -> Result<Status, Failure> {
    let mut output = Output::new(Some(path))?;
    output.put(page(&input.name(), schema, root, operations))?;
    output.end()?;
    Ok(Status::Done)
}

fn page(name: &str, schema: &Schema, root: Option<(&str, &str)>, operations: &str) -> String {
    let mut body = String::new();
    if !operations.is_empty() {
        let text = lines(operations);
        let _ = write!(
            body,
            "<section>\n<h2>Operations</h2>\n<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Operations\"><pre>{text}</pre></div>\n</section>\n"
        );
    }
    let names = Names::of(schema);
    let mut users = vec![BTreeSet::new(); names.assignments.len()];
    let mut trees = Vec::with_capacity(names.assignments.len());
    for (number, &(module, assignment)) in names.assignments.iter().enumerate() {
        let mut tree = Tree { names: &names, module, number, out: String::new(), used: BTreeSet::new() };
        let entry = tree.assignment(assignment);
        for used in &tree.used {
            if let Some(users) = users.get_mut(*used) {
                users.insert(number);
            }
        }
        trees.push(entry);
    }
    let mut number = 0;
    for module in &schema.modules {
        let count = module.assignments.len();
        begin(&mut body, &names, module, number);
        for one in number..number + count {
            let (Some((_, assignment)), Some(tree)) = (names.assignments.get(one), trees.get(one)) else { continue };
            let is_root = root == Some((&module.name, &assignment.name));
            let users = users.get(one).into_iter().flatten();
            entry(&mut body, &names, one, tree, is_root, users);
        }
        body.push_str("</section>\n");
        number += count;
    }
    page_of(&format!("Schema {name}"), INTRO, &body, NOTES)
}

/// The assignments of all modules, and what names mean in each module.
struct Names<'s> {
    assignments: Vec<(&'s Module, &'s Assignment)>,
    /// The number of an assignment by module and name.
    known: HashMap<(&'s str, &'s str), usize>,
}

impl<'s> Names<'s> {
    fn of(schema: &'s Schema) -> Names<'s> {
        let all = schema.modules.iter().flat_map(|module| module.assignments.iter().map(move |one| (module, one)));
        let assignments: Vec<_> = all.collect();
        let own =
            assignments.iter().zip(0..).map(|((module, one), number)| ((&module.name[..], &one.name[..]), number));
        let mut known: HashMap<_, usize> = own.collect();
        let imports =
            schema.modules.iter().flat_map(|module| module.imports.iter().map(move |import| (module, import)));
        for (module, import) in imports {
            for name in &import.names {
                if let Some(number) = known.get(&(&import.module[..], &name[..])).copied() {
                    known.entry((&module.name, name)).or_insert(number);
                }
            }
        }
        Names { assignments, known }
    }

    fn get(&self, module: &str, name: &str) -> Option<usize> {
        self.known.get(&(module, name)).copied()
    }

    /// The name of an assignment as a link.
    fn link(&self, number: usize, out: &mut String) {
        let name = self.assignments.get(number).map_or("", |(_, assignment)| &assignment.name);
        let _ = write!(out, "<a href=\"#t{number}\">{}</a>", escaped(name));
    }
}

/// The beginning of the section of a module, with links to its types.
fn begin(out: &mut String, names: &Names<'_>, module: &Module, first: usize) {
    let tagging = match module.tagging {
        Tagging::Explicit => "EXPLICIT TAGS",
        Tagging::Implicit => "IMPLICIT TAGS",
        Tagging::Automatic => "AUTOMATIC TAGS",
    };
    let _ = write!(
        out,
        "<section class=\"types\">\n<h2>{}</h2>\n<p class=\"about\">{tagging}, {} assignments</p>\n",
        escaped(&module.name),
        module.assignments.len()
    );
    for import in module.imports.iter().filter(|import| !import.names.is_empty()) {
        let _ = write!(out, "<p class=\"about\">From {}: ", escaped(&import.module));
        for (at, name) in import.names.iter().enumerate() {
            out.push_str(if at > 0 { ", " } else { "" });
            match names.get(&import.module, name) {
                Some(number) => names.link(number, out),
                None => out.push_str(&escaped(name)),
            }
        }
        out.push_str("</p>\n");
    }
    if module.assignments.len() > 1 {
        let _ = write!(out, "<nav aria-label=\"Types of {}\">", escaped(&module.name));
        for number in first..first + module.assignments.len() {
            names.link(number, out);
            out.push_str(" \n");
        }
        out.push_str("</nav>\n");
    }
}

/// An assignment with what uses it.
fn entry<'u>(
    out: &mut String,
    names: &Names<'_>,
    number: usize,
    tree: &Entry,
    is_root: bool,
    users: impl Iterator<Item = &'u usize>,
) {
    let (tag, open) = if tree.is_open { ("details", " open=\"open\"") } else { ("div", "") };
    let root = if is_root { " <span class=\"mark\">type of messages</span>" } else { "" };
    let Entry { title, inside, .. } = tree;
    let title = if tree.is_open { format!("<summary>{title}{root}</summary>") } else { format!("{title}{root}") };
    let _ = write!(out, "<{tag} class=\"entry\" id=\"t{number}\"{open}>\n{title}\n{inside}");
    let mut users = users.peekable();
    if users.peek().is_some() {
        out.push_str("<p class=\"about\">Used by ");
        for (at, user) in users.enumerate() {
            out.push_str(if at > 0 { ", " } else { "" });
            names.link(*user, out);
        }
        out.push_str("</p>\n");
    }
    let _ = writeln!(out, "</{tag}>");
}

/// An assignment as markup.
struct Entry {
    title: String,
    inside: String,
    /// Whether it has something inside, which can be closed.
    is_open: bool,
}

/// The tree of an assignment being written.
struct Tree<'s, 'n> {
    names: &'n Names<'s>,
    module: &'s Module,
    /// Its number.
    number: usize,
    out: String,
    /// The other assignments that it refers to.
    used: BTreeSet<usize>,
}

impl Tree<'_, '_> {
    fn assignment(&mut self, assignment: &Assignment) -> Entry {
        let name = format!("<strong>{}</strong> ", escaped(&assignment.name));
        let (title, is_open) = match &assignment.meaning {
            Meaning::Type(ty) if assignment.parameters.is_empty() => {
                let is_open = has_components(ty);
                let head = self.head(ty, is_open);
                self.inside(ty);
                (name + &head, is_open)
            }
            meaning => {
                let what = match meaning {
                    Meaning::Type(_) => "with parameters",
                    Meaning::Value(..) => "value",
                    Meaning::ValueSet(..) => "set",
                    Meaning::Class(_) => "class",
                };
                self.out.push_str("<pre>");
                self.notation(&notation::print_assignment(assignment, self.module));
                self.out.push_str("</pre>\n");
                (format!("{name}<span class=\"mark\">{what}</span>"), true)
            }
        };
        Entry { title, inside: std::mem::take(&mut self.out), is_open }
    }

    /// The notation of a type, without the components that are below it. In the title of something that opens there are no links;
    /// if the notation has some, they are written below it.
    fn head(&mut self, ty: &Type, is_title: bool) -> String {
        let text = notation::print_type(&without_components(ty), self.module);
        // The braces are empty.
        let text = if components(ty).is_some() { text.replacen(" {}", "", 1) } else { text };
        let before = std::mem::take(&mut self.out);
        self.notation(&text);
        let linked = format!("<code>{}</code>", std::mem::replace(&mut self.out, before));
        if !is_title {
            return linked;
        }
        if linked.contains("<a ") {
            let _ = writeln!(self.out, "<p>{linked}</p>");
        }
        format!("<code>{}</code>", lines(&text))
    }

    /// The components of a type, if it has some.
    fn inside(&mut self, ty: &Type) {
        let Some(fields) = components(ty).filter(|_| has_components(ty)) else { return };
        self.out.push_str("<ul>\n");
        fields.root.iter().for_each(|component| self.component(component));
        let is_extensible = fields.additions.is_some() || !fields.root_after.is_empty();
        if is_extensible {
            self.out.push_str("<li><span class=\"mark\">extensions</span></li>\n");
        }
        for component in fields.additions.iter().flatten().flat_map(|field| field.components()) {
            self.component(component);
        }
        if !fields.root_after.is_empty() {
            self.out.push_str("<li><span class=\"mark\">end of extensions</span></li>\n");
        }
        fields.root_after.iter().for_each(|component| self.component(component));
        self.out.push_str("</ul>\n");
    }

    fn component(&mut self, component: &Component) {
        let name = match component.kind {
            ComponentKind::ComponentsOf => "COMPONENTS OF",
            _ => &component.name,
        };
        let before = std::mem::take(&mut self.out);
        let has_more = has_components(&component.ty);
        let mut title = format!("<strong>{}</strong> {}", escaped(name), self.head(&component.ty, has_more));
        self.inside(&component.ty);
        let inside = std::mem::replace(&mut self.out, before);
        match &component.kind {
            ComponentKind::Optional => title += " <span class=\"mark\">optional</span>",
            ComponentKind::Default(value) => {
                let value = lines(&notation::print_value(value, self.module));
                let _ = write!(title, " <span class=\"mark\">default</span> <code>{value}</code>");
            }
            ComponentKind::Mandatory | ComponentKind::ComponentsOf => {}
        }
        let _ = match has_more {
            true => {
                writeln!(self.out, "<li><details open=\"open\"><summary>{title}</summary>\n{inside}</details></li>")
            }
            false => writeln!(self.out, "<li>{title}</li>"),
        };
    }

    /// Appends notation in which the names of types, classes and sets are links.
    fn notation(&mut self, text: &str) {
        let mut last = ["", ""];
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let end = match first {
                // A quote in a string is written twice, which are two strings here.
                '"' => rest.get(1..).and_then(|rest| rest.find('"')).map_or(rest.len(), |end| end + 2),
                _ if is_of_name(first) => rest.find(|c| !is_of_name(c)).unwrap_or(rest.len()),
                _ => rest.find(|c| c == '"' || is_of_name(c)).unwrap_or(rest.len()),
            };
            let (word, after) = rest.split_at(end);
            let module = if last[1] == "." { last[0] } else { &self.module.name };
            match self.names.get(module, word).filter(|_| first.is_ascii_uppercase()) {
                Some(number) if number != self.number => {
                    self.used.insert(number);
                    self.names.link(number, &mut self.out);
                }
                _ => self.out.push_str(&lines(word)),
            }
            (last, rest) = ([last[1], word], after);
        }
    }
}

/// Escaped text whose line ends stay.
fn lines(text: &str) -> String {
    text.split('\n').map(escaped).collect::<Vec<_>>().join("\n")
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-'
}

/// The components of a type, or of the items of a list.
fn components(ty: &Type) -> Option<&Fields> {
    match &ty.kind {
        Kind::Sequence(fields) | Kind::Set(fields) | Kind::Choice(fields) => Some(fields),
        Kind::SequenceOf(of) | Kind::SetOf(of) => components(&of.ty),
        _ => None,
    }
}

/// Whether a type has components to be shown below it.
fn has_components(ty: &Type) -> bool {
    let is_empty =
        |fields: &Fields| fields.root.is_empty() && fields.additions.is_none() && fields.root_after.is_empty();
    components(ty).is_some_and(|fields| !is_empty(fields))
}

/// The same type with empty braces.
fn without_components(ty: &Type) -> Type {
    let kind = match &ty.kind {
        Kind::Sequence(_) => Kind::Sequence(Fields::default()),
        Kind::Set(_) => Kind::Set(Fields::default()),
        Kind::Choice(_) => Kind::Choice(Fields::default()),
        Kind::SequenceOf(of) => Kind::SequenceOf(Box::new(item(of))),
        Kind::SetOf(of) => Kind::SetOf(Box::new(item(of))),
        kind => kind.clone(),
    };
    Type { prefixes: ty.prefixes.clone(), kind, constraints: ty.constraints.clone(), position: ty.position }
}

fn item(of: &Component) -> Component {
    Component { ty: without_components(&of.ty), ..of.clone() }
}
