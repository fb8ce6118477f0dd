//! Finds the types of a schema that others refer to.

use foldhash::{HashMap, HashSet};

use super::{
    Bound, Class, Constraint, Constraints, Element, FieldGovernor, Fields, Import, Instance, Kind, Meaning, Module,
    Schema, Setting, Type, Value,
};

/// The most modules through which a name is imported.
const IMPORTED: usize = 250;

impl Schema {
    /// The types without references from others, by name; with their modules if several have the same name.
    ///
    /// ```
    /// # use ::tam as lengthwise_tam;
    /// use lengthwise_asn1::notation;
    ///
    /// # fn main() -> Result<(), lengthwise_tam::Error> {
    /// let text = "M DEFINITIONS ::= BEGIN Order ::= SEQUENCE OF Item Item ::= INTEGER END";
    /// let schema = notation::parse_one(text, &lengthwise_asn1::Limits::default())?;
    /// assert_eq!(schema.unreferenced_types(), ["Order"]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn unreferenced_types(&self) -> Vec<String> {
        let mut references = References::new(self);
        for (number, module) in self.modules.iter().enumerate() {
            references.module = number;
            for assignment in &module.assignments {
                references.own = &assignment.name;
                match &assignment.meaning {
                    Meaning::Type(ty) => references.ty(ty),
                    Meaning::ValueSet(ty, constraint) => {
                        references.ty(ty);
                        references.constraint(constraint);
                    }
                    // The type of a value need not be used by another type; those in an object are.
                    Meaning::Value(_, value) => references.value(value),
                    Meaning::Class(class) => references.class(class),
                }
            }
        }
        let types = || {
            self.modules.iter().enumerate().flat_map(|(number, module)| {
                let is_type = |meaning: &Meaning| match meaning {
                    Meaning::Type(_) => true,
                    Meaning::ValueSet(ty, _) => !is_in_capitals(ty),
                    Meaning::Value(..) | Meaning::Class(_) => false,
                };
                let types =
                    module.assignments.iter().filter(move |one| one.parameters.is_empty() && is_type(&one.meaning));
                types.map(move |assignment| (number, &module.name[..], &assignment.name[..]))
            })
        };
        let mut times: HashMap<&str, u32> = HashMap::default();
        types().for_each(|(_, _, name)| *times.entry(name).or_default() += 1);
        let free = types().filter(|(module, _, name)| !references.found.contains(&(*module, *name)));
        let shown = |(_, module, name): (usize, &str, &str)| match times.get(name) {
            Some(1) => name.to_owned(),
            _ => format!("{module}.{name}"),
        };
        free.map(shown).collect()
    }
}

/// Whether a governor is in capitals, as classes are.
fn is_in_capitals(ty: &Type) -> bool {
    match &ty.kind {
        Kind::Reference { name, .. } => !name.bytes().any(|c| c.is_ascii_lowercase()),
        Kind::Instance(instance) => !instance.name.bytes().any(|c| c.is_ascii_lowercase()),
        _ => false,
    }
}

/// The types that others refer to. The parser limits the depth of notation.
struct References<'m> {
    /// Modules by their names.
    modules: HashMap<&'m str, usize>,
    /// The definitions of each module, and its imports with their modules.
    own_names: Vec<HashSet<&'m str>>,
    imported: Vec<HashMap<&'m str, &'m str>>,
    /// The current module, and the current type in it.
    module: usize,
    own: &'m str,
    found: HashSet<(usize, &'m str)>,
}

impl<'m> References<'m> {
    fn new(model: &'m Schema) -> References<'m> {
        let modules = &model.modules;
        let defined = |module: &'m Module| module.assignments.iter().map(|one| &one.name[..]).collect();
        let imports = |module: &'m Module| {
            let names = |import: &'m Import| import.names.iter().map(|name| (&name[..], &import.module[..]));
            module.imports.iter().flat_map(names).collect()
        };
        References {
            modules: modules.iter().enumerate().map(|(number, module)| (&module.name[..], number)).collect(),
            own_names: modules.iter().map(defined).collect(),
            imported: modules.iter().map(imports).collect(),
            module: 0,
            own: "",
            found: HashSet::default(),
        }
    }

    fn ty(&mut self, ty: &'m Type) {
        match &ty.kind {
            Kind::Reference { module, name } => self.reference(module.as_deref(), name),
            Kind::Sequence(fields) | Kind::Set(fields) | Kind::Choice(fields) => self.fields(fields),
            Kind::SequenceOf(component) | Kind::SetOf(component) => self.ty(&component.ty),
            Kind::Selection(_, ty) => self.ty(ty),
            Kind::Instance(instance) | Kind::InstanceOf(instance) => self.instance(instance),
            Kind::Field(field) => self.instance(&field.of),
            _ => {}
        }
        ty.constraints.iter().for_each(|constraint| self.constraint(constraint));
    }

    fn reference(&mut self, module: Option<&str>, name: &'m str) {
        let mut at = match module {
            Some(module) => self.modules.get(module).copied(),
            None => Some(self.module),
        };
        // The other module may itself import the name.
        for _ in 0..IMPORTED {
            let Some(module) = at else { return };
            if self.own_names.get(module).is_some_and(|names| names.contains(name)) {
                // A recursive type can still be the type of messages.
                if (module, name) != (self.module, self.own) {
                    self.found.insert((module, name));
                }
                return;
            }
            let from = self.imported.get(module).and_then(|names| names.get(name));
            at = from.and_then(|from| self.modules.get(from)).copied();
        }
    }

    fn instance(&mut self, instance: &'m Instance) {
        self.reference(instance.module.as_deref(), &instance.name);
        instance.arguments.iter().for_each(|argument| self.setting(argument));
    }

    fn setting(&mut self, setting: &'m Setting) {
        match setting {
            Setting::Type(ty) => self.ty(ty),
            Setting::Value(value) => self.value(value),
            Setting::Braces(unread) => self.text(&unread.text),
        }
    }

    fn value(&mut self, value: &'m Value) {
        match value {
            Value::Open(ty, value) => {
                self.ty(ty);
                self.value(value);
            }
            Value::Instance(instance) => self.instance(instance),
            Value::Field(field) => self.instance(&field.of),
            Value::Unread(unread) => self.text(&unread.text),
            _ => {}
        }
    }

    /// Every name in notation that has not been read counts.
    fn text(&mut self, text: &'m str) {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        for word in words.filter(|word| word.starts_with(|first: char| first.is_ascii_alphabetic())) {
            self.reference(None, word);
        }
    }

    fn class(&mut self, class: &'m Class) {
        for field in &class.fields {
            if let FieldGovernor::Type(ty) = &field.governor {
                self.ty(ty);
            }
            field.default.iter().for_each(|default| self.setting(default));
        }
    }

    fn fields(&mut self, fields: &'m Fields) {
        let additions = fields.additions.iter().flatten().flat_map(|field| field.components());
        fields.root.iter().chain(additions).chain(&fields.root_after).for_each(|component| self.ty(&component.ty));
    }

    fn constraint(&mut self, constraint: &'m Constraint) {
        self.constraints(&constraint.root);
        if let Some(Some(additions)) = &constraint.additions {
            self.constraints(additions);
        }
    }

    fn constraints(&mut self, constraints: &'m Constraints) {
        match constraints {
            Constraints::Element(element) => match &**element {
                Element::Contained(ty) | Element::Contents(Some(ty), _) => self.ty(ty),
                Element::Size(inner)
                | Element::Alphabet(inner)
                | Element::WithComponent(inner)
                | Element::Group(inner) => {
                    self.constraint(inner);
                }
                Element::Table { set, .. } => self.constraint(set),
                Element::Single(value) => self.value(value),
                Element::Range(Bound::Inclusive(lower), Bound::Inclusive(upper)) => {
                    self.value(lower);
                    self.value(upper);
                }
                Element::WithComponents { components, .. } => {
                    components.iter().filter_map(|(_, inner, _)| inner.as_ref()).for_each(|one| self.constraint(one));
                }
                _ => {}
            },
            Constraints::Union(all) | Constraints::Intersection(all) => {
                all.iter().for_each(|one| self.constraints(one));
            }
            Constraints::Except(one, other) => {
                self.constraints(one);
                self.constraints(other);
            }
            Constraints::AllExcept(one) => self.constraints(one),
        }
    }
}
