//! Reads the final encoding instructions of a type (X.693 Amendment 1), as the mapping writes them.

use std::borrow::Cow;
use std::collections::HashMap;

use asn1::EncodingRules;
use asn1::schema::{
    Argument, Assignment, Component, Fields, Instruction, Kind, Meaning, Module, Prefix, Schema, Type, element_name,
};
use xsd::{Names, NamespaceId, WhiteSpace};

use crate::mapping::XSD;

/// A type after all references are followed, with the instructions of the references and its own. Of two instructions
/// with the same keyword, the outer one counts.
#[derive(Clone, Debug)]
pub(crate) struct Resolved<'m> {
    /// The index of the module that the type is in.
    pub(crate) module: usize,
    /// The type, which is no reference.
    pub(crate) ty: &'m Type,
    pub(crate) instructions: Instructions,
    /// The references with `TEXT` that have been followed, from the outermost one.
    pub(crate) references: Vec<&'m Type>,
}

impl<'m> Resolved<'m> {
    /// The texts that `TEXT` gives to items, of the type or of references to it.
    pub(crate) fn texts(&self) -> HashMap<&'m str, Cow<'m, str>> {
        self.ty.item_texts_by(&self.references)
    }
}

/// The instructions that change how a type's values are written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Instructions {
    pub(crate) any_attributes: bool,
    pub(crate) any_element: Option<Allowed>,
    pub(crate) attribute: bool,
    pub(crate) base64: bool,
    pub(crate) decimal: bool,
    pub(crate) embed_values: bool,
    /// Whether it is the type `Float` of the module `XSD`. This is no instruction, but changes the form, too.
    pub(crate) float: bool,
    pub(crate) list: bool,
    /// `PI-OR-COMMENT`: at most one for each position.
    pub(crate) marks: Vec<(Position, String)>,
    /// `TEXT`: names of numbers and bits are written.
    pub(crate) text: bool,
    pub(crate) untagged: bool,
    pub(crate) use_nil: bool,
    pub(crate) use_number: bool,
    pub(crate) use_order: bool,
    pub(crate) use_qname: bool,
    pub(crate) use_type: bool,
    pub(crate) use_union: bool,
    pub(crate) white_space: Option<White>,
    /// Whether values are empty elements with their names: of BOOLEAN and ENUMERATED without `MODIFIED-ENCODINGS`. This is no
    /// instruction, but the lack of them.
    pub(crate) empty_elements: bool,
    /// The same for names of bits and numbers, in the place of characters.
    pub(crate) named_elements: bool,
}

/// `WHITESPACE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum White {
    Replace,
    Collapse,
}

impl White {
    pub(crate) fn facet(this: Option<White>) -> WhiteSpace {
        match this {
            None => WhiteSpace::Preserve,
            Some(White::Replace) => WhiteSpace::Replace,
            Some(White::Collapse) => WhiteSpace::Collapse,
        }
    }
}

/// Where a processing instruction or a comment is written at an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Position {
    BeforeTag,
    BeforeValue,
    AfterValue,
    AfterTag,
}

/// The position and the text of a `PI-OR-COMMENT`, if it has both.
pub(crate) fn mark(instruction: &Instruction) -> Option<(Position, &str)> {
    let [_, Argument::Text(text), Argument::Word(position)] = &instruction.arguments[..] else { return None };
    let position = match &position[..] {
        "BEFORE-TAG" => Position::BeforeTag,
        "BEFORE-VALUE" => Position::BeforeValue,
        "AFTER-VALUE" => Position::AfterValue,
        "AFTER-TAG" => Position::AfterTag,
        _ => return None,
    };
    Some((position, text))
}

/// Namespaces that `ANY-ELEMENT` allows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Allowed {
    /// Whether the listed namespaces are excluded.
    except: bool,
    listed: Vec<Option<NamespaceId>>,
}

impl Allowed {
    pub(crate) fn has(&self, namespace: NamespaceId) -> bool {
        self.listed.contains(&Some(namespace)) != self.except
    }
}

impl Instructions {
    /// Adds the instructions of a type's prefixes, unless outer ones were given.
    fn add(&mut self, ty: &Type, names: &Names) {
        for prefix in &ty.prefixes {
            let Prefix::Instruction(instruction) = prefix else { continue };
            match &instruction.keyword[..] {
                "ANY-ATTRIBUTES" => self.any_attributes = true,
                "ANY-ELEMENT" => {
                    self.any_element.get_or_insert_with(|| allowed(instruction, names));
                }
                "ATTRIBUTE" => self.attribute = true,
                "BASE64" => self.base64 = true,
                "DECIMAL" => self.decimal = true,
                "EMBED-VALUES" => self.embed_values = true,
                "LIST" => self.list = true,
                "PI-OR-COMMENT" => {
                    if let Some((position, text)) = mark(instruction)
                        && self.marks.iter().all(|(other, _)| *other != position)
                    {
                        self.marks.push((position, text.to_owned()));
                    }
                }
                "TEXT" => self.text = true,
                "UNTAGGED" => self.untagged = true,
                "USE-NIL" => self.use_nil = true,
                "USE-NUMBER" => self.use_number = true,
                "USE-ORDER" => self.use_order = true,
                "USE-QNAME" => self.use_qname = true,
                "USE-TYPE" => self.use_type = true,
                "USE-UNION" => self.use_union = true,
                "WHITESPACE" => {
                    let collapse = instruction.arguments.contains(&Argument::Word("COLLAPSE".to_owned()));
                    self.white_space.get_or_insert(if collapse { White::Collapse } else { White::Replace });
                }
                _ => {}
            }
        }
    }
}

fn allowed(instruction: &Instruction, names: &Names) -> Allowed {
    let mut allowed = Allowed { except: true, listed: Vec::new() };
    for argument in &instruction.arguments {
        match argument {
            Argument::Word(word) if word == "FROM" => allowed.except = false,
            Argument::Word(word) if word == "ABSENT" => allowed.listed.push(Some(NamespaceId::NONE)),
            Argument::Word(_) => {}
            // A namespace that is in no document has no number, and allows no name with a number.
            Argument::Text(uri) => allowed.listed.push(names.find_uri(uri)),
        }
    }
    allowed
}

/// The alternative of a made CHOICE that is the string itself, if no value is in it.
pub(crate) const STRING: &str = ".";

/// The alternatives of a made CHOICE that are octets of an open type: a point and the name of their element, and their rules.
pub(crate) const OCTETS: [(&str, EncodingRules); 3] =
    [(".per", EncodingRules::Uper), (".oer", EncodingRules::Oer), (".ber", EncodingRules::Ber)];

/// As many names, one for the other, as the compiled form follows.
pub(crate) const REFERENCES: u32 = 250;

/// What a CHOICE has been made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Made {
    /// An open type.
    Open,
    /// A string that contains a value.
    Content,
}

/// What a type has been made of, if it is a made CHOICE.
pub(crate) fn made_of(kind: &Kind) -> Option<Made> {
    let Kind::Choice(fields) = kind else { return None };
    match &fields.root.last()?.name[..] {
        STRING => Some(Made::Content),
        last if last == OCTETS[2].0 => Some(Made::Open),
        _ => None,
    }
}

/// The name of an assignment as the notation has it: made types have a number after it.
pub(crate) fn own_name(assignment: &str) -> &str {
    assignment.split('.').next().unwrap_or_default()
}

/// The assignments of modules by their names.
pub(crate) struct Assignments<'m> {
    modules: &'m [Module],
    by_name: HashMap<(usize, &'m str), &'m Assignment>,
    /// The module that a name of a module is imported from.
    imported: HashMap<(usize, &'m str), usize>,
    by_module: HashMap<&'m str, usize>,
    /// Whether each module has `MODIFIED-ENCODINGS`.
    modified: Vec<bool>,
}

impl<'m> Assignments<'m> {
    pub(crate) fn new(schema: &'m Schema) -> Assignments<'m> {
        let modules = &schema.modules[..];
        let mut all = Assignments {
            modules,
            by_name: HashMap::new(),
            imported: HashMap::new(),
            by_module: modules.iter().map(|module| &module.name[..]).zip(0..).collect(),
            modified: modules.iter().map(is_modified).collect(),
        };
        for (module, at) in modules.iter().zip(0..) {
            for assignment in &module.assignments {
                all.by_name.entry((at, &assignment.name)).or_insert(assignment);
            }
            for import in &module.imports {
                let Some(from) = all.by_module.get(&import.module[..]) else { continue };
                all.imported.extend(import.names.iter().map(|name| ((at, &name[..]), *from)));
            }
        }
        all
    }

    /// The assignment of a name in a module.
    pub(crate) fn get(&self, module: usize, name: &str) -> Option<&'m Assignment> {
        self.by_name.get(&(module, name)).copied()
    }

    /// The assignment of a name that is used in a module, and the module that has it.
    pub(crate) fn find(&self, module: usize, of: Option<&str>, name: &str) -> Option<(usize, &'m Assignment)> {
        let mut from = match of {
            Some(of) => *self.by_module.get(of)?,
            None => module,
        };
        // The other module may itself import the name.
        for _ in 0..REFERENCES {
            match self.get(from, name) {
                Some(assignment) => return Some((from, assignment)),
                None => from = *self.imported.get(&(from, name))?,
            }
        }
        None
    }

    /// Whether BOOLEAN, ENUMERATED and the special values of REAL are characters in a module: `GLOBAL-DEFAULTS MODIFIED-ENCODINGS`.
    pub(crate) fn is_modified(&self, module: usize) -> bool {
        self.modified.get(module).copied().unwrap_or_default()
    }

    /// Follows a type's references, and selections of alternatives.
    pub(crate) fn resolve(&self, names: &Names, module: usize, ty: &'m Type) -> Option<Resolved<'m>> {
        self.resolve_within(names, module, ty, REFERENCES)
    }

    fn resolve_within(&self, names: &Names, module: usize, ty: &'m Type, most: u32) -> Option<Resolved<'m>> {
        let (mut module, mut ty) = (module, ty);
        let (mut instructions, mut references) = (Instructions::default(), Vec::new());
        for left in (0..most).rev() {
            instructions.add(ty, names);
            if matches!(ty.kind, Kind::Reference { .. } | Kind::Selection(..)) && ty.instruction("TEXT").is_some() {
                references.push(ty);
            }
            match &ty.kind {
                Kind::Reference { module: of, name } => {
                    let (found, assignment) = self.find(module, of.as_deref(), name)?;
                    instructions.float |= name == "Float" && self.modules.get(found).is_some_and(|at| at.name == XSD);
                    (module, ty) = (found, assigned(assignment)?);
                }
                Kind::Selection(name, choice) => {
                    let choice = self.resolve_within(names, module, choice, left)?;
                    let Kind::Choice(fields) = &choice.ty.kind else { return None };
                    (module, ty) = (choice.module, &fields.root.iter().find(|one| one.name == *name)?.ty);
                }
                Kind::Boolean | Kind::Enumerated(_) if !self.is_modified(module) => {
                    instructions.empty_elements = !instructions.text && !instructions.use_number;
                    return Some(Resolved { module, ty, instructions, references });
                }
                Kind::Integer(names) | Kind::BitString(names) if !names.is_empty() && !self.is_modified(module) => {
                    instructions.named_elements = !instructions.text;
                    return Some(Resolved { module, ty, instructions, references });
                }
                _ => return Some(Resolved { module, ty, instructions, references }),
            }
        }
        None
    }

    /// The namespace and the local name in XML of the elements of a component. Items without an identifier, and values in open
    /// types and strings, have the name of their type.
    pub(crate) fn element_name(&self, module: usize, component: &'m Component) -> (&'m str, Cow<'m, str>) {
        let ty = &component.ty;
        if let Some(name) = component.name.strip_prefix('.').filter(|name| !name.is_empty()) {
            return ("", name.into());
        }
        let has_identifier = component.name.starts_with(|first: char| !first.is_ascii_digit() && first != '.');
        if has_identifier || ty.instruction("NAME").is_some() {
            return ty.xml_name(&component.name);
        }
        self.type_name(module, ty, REFERENCES)
    }

    /// The same for a type: that of its assignment, or its keywords.
    fn type_name(&self, module: usize, ty: &'m Type, left: u32) -> (&'m str, Cow<'m, str>) {
        let found = match &ty.kind {
            Kind::Reference { module: of, name } => self.find(module, of.as_deref(), name),
            _ => None,
        };
        let found =
            found.and_then(|(at, assignment)| Some((at, self.modules.get(at)?, assignment, assigned(assignment)?)));
        let Some((at, module, assignment, of)) = found else { return ("", self.kind_name(module, ty)) };
        let own = own_name(&assignment.name);
        if own_name(&module.name) != module.name && own == assignment.name {
            return ("", self.kind_name(at, of));
        }
        if own == assignment.name {
            return (module.xml_namespace(), of.xml_name(own).1);
        }
        // An actual parameter and the type of an object are made, and have the name of what they are.
        match (&of.kind, left.checked_sub(1)) {
            (Kind::Reference { name, .. }, Some(left)) if own_name(name) == own => self.type_name(at, of, left),
            (Kind::Reference { .. }, _) => (module.xml_namespace(), of.xml_name(own).1),
            _ if self.kind_name(at, of) == own => ("", of.xml_name(own).1),
            _ => (module.xml_namespace(), of.xml_name(own).1),
        }
    }

    fn kind_name(&self, module: usize, ty: &'m Type) -> Cow<'m, str> {
        match (made_of(&ty.kind), &ty.kind) {
            (Some(Made::Content), Kind::Choice(Fields { root, .. })) => {
                root.last().map_or_else(Cow::default, |string| self.element_name(module, string).1)
            }
            (_, kind) => element_name(kind.as_str()),
        }
    }
}

/// The type that an assignment gives a name to.
pub(crate) fn assigned(assignment: &Assignment) -> Option<&Type> {
    match &assignment.meaning {
        Meaning::Type(ty) => Some(ty),
        _ => None,
    }
}

fn is_modified(module: &Module) -> bool {
    let mut instructions = module.encoding_control.iter().flat_map(|control| &control.instructions);
    let is = |one: &Instruction| matches!(&one.arguments[..], [Argument::Word(word)] if word == "MODIFIED-ENCODINGS");
    instructions.any(|one| one.keyword == "GLOBAL-DEFAULTS" && is(one))
}
