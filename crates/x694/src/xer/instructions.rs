//! Reads the final encoding instructions of a type (X.693 Amendment 1), as the mapping writes them.

use std::borrow::Cow;
use std::collections::HashMap;

use asn1::schema::{Argument, Assignment, Component, Instruction, Kind, Meaning, Module, Prefix, Schema, Type};
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
    pub(crate) untagged: bool,
    pub(crate) use_nil: bool,
    pub(crate) use_number: bool,
    pub(crate) use_order: bool,
    pub(crate) use_qname: bool,
    pub(crate) use_type: bool,
    pub(crate) use_union: bool,
    pub(crate) white_space: Option<White>,
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

/// The assignments of modules by their names.
pub(crate) struct Assignments<'m> {
    modules: &'m [Module],
    by_name: HashMap<(usize, &'m str), &'m Assignment>,
    /// The module that a name of a module is imported from.
    imported: HashMap<(usize, &'m str), usize>,
    by_module: HashMap<&'m str, usize>,
}

impl<'m> Assignments<'m> {
    pub(crate) fn new(schema: &'m Schema) -> Assignments<'m> {
        let modules = &schema.modules[..];
        let mut all = Assignments {
            modules,
            by_name: HashMap::new(),
            imported: HashMap::new(),
            by_module: modules.iter().map(|module| &module.name[..]).zip(0..).collect(),
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
        let own = self.get(module, name).map(|assignment| (module, assignment));
        let from = match of {
            Some(of) => *self.by_module.get(of)?,
            None if own.is_some() => return own,
            None => *self.imported.get(&(module, name))?,
        };
        Some((from, self.get(from, name)?))
    }

    /// Follows a type's references.
    pub(crate) fn resolve(&self, names: &Names, module: usize, ty: &'m Type) -> Option<Resolved<'m>> {
        let (mut module, mut ty) = (module, ty);
        let mut instructions = Instructions::default();
        // As many references as the compiled form follows.
        for _ in 0..250 {
            instructions.add(ty, names);
            let Kind::Reference { module: of, name } = &ty.kind else {
                return Some(Resolved { module, ty, instructions });
            };
            let (found, assignment) = self.find(module, of.as_deref(), name)?;
            instructions.float |= name == "Float" && self.modules.get(found).is_some_and(|module| module.name == XSD);
            (module, ty) = (found, assigned(assignment)?);
        }
        None
    }

    /// The namespace and the local name in XML of the elements of a component. Items without an identifier have the name of
    /// their type.
    pub(crate) fn element_name(&self, module: usize, component: &'m Component) -> (&'m str, Cow<'m, str>) {
        if !component.name.is_empty() || component.ty.instruction("NAME").is_some() {
            return component.ty.xml_name(&component.name);
        }
        let found = match &component.ty.kind {
            Kind::Reference { module: of, name } => self.find(module, of.as_deref(), name),
            _ => None,
        };
        match found.and_then(|(at, assignment)| Some((self.modules.get(at)?, assignment, assigned(assignment)?))) {
            Some((module, assignment, ty)) => (module.xml_namespace(), ty.xml_name(&assignment.name).1),
            None => ("", component.ty.kind.as_str().replace(' ', "_").into()),
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

/// Whether BOOLEAN, ENUMERATED and REAL are characters in a module: `GLOBAL-DEFAULTS MODIFIED-ENCODINGS`.
pub(crate) fn is_modified(module: &Module) -> bool {
    let mut instructions = module.encoding_control.iter().flat_map(|control| &control.instructions);
    let is = |one: &Instruction| matches!(&one.arguments[..], [Argument::Word(word)] if word == "MODIFIED-ENCODINGS");
    instructions.any(|one| one.keyword == "GLOBAL-DEFAULTS" && is(one))
}
