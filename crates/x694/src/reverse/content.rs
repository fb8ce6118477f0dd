//! Elements, their types and content.

use std::collections::HashMap;

use asn1::schema::{
    Argument, Component, ComponentKind, Constraints, Element, Fields, Instruction, Kind, Prefix, Type, Value,
};
use asn1::schema::{Bound, Constraint};
use tam::Error;
use text::xml::{Event, Options, Reader};
use xml::name::is_local;

use super::documents::attribute;
use super::{Derived, Describer, Place, fault};
use crate::mapping::XSD;
use crate::xer::build::{is_characters, is_untagged, shares_name};
use crate::xer::instructions::{Made, Resolved, assigned, made_of, mark};

/// How often a particle occurs.
type Occurs = (u64, Option<u64>);

const ONCE: Occurs = (1, Some(1));

fn occurs((min, max): Occurs) -> String {
    let least = if min == 1 { String::new() } else { format!(" minOccurs=\"{min}\"") };
    match max {
        Some(1) => least,
        Some(max) => format!("{least} maxOccurs=\"{max}\""),
        None => format!("{least} maxOccurs=\"unbounded\""),
    }
}

fn occurring(component: &Component) -> Occurs {
    (u64::from(component.kind == ComponentKind::Mandatory), Some(1))
}

/// The instructions that change the content of a type with components.
const OF_CONTENT: [&str; 4] = ["EMBED-VALUES", "USE-NIL", "USE-ORDER", "USE-TYPE"];

impl<'m> Describer<'m> {
    /// The rest of an element declaration after its name.
    pub(super) fn element_declaration(
        &mut self,
        module: usize,
        ty: &'m Type,
        often: Option<Occurs>,
    ) -> Result<String, Error> {
        let of = self.resolve(module, ty)?;
        for instruction in self.all_of(module, ty, "PI-OR-COMMENT") {
            check_mark(ty, instruction)?;
        }
        let (name, nillable) = self.type_of_element(module, ty, &of)?;
        let mut out = format!(" type=\"{name}\"");
        if nillable {
            out += " nillable=\"true\"";
        }
        if let Some(default) = self.outermost(module, ty, "DEFAULT-FOR-EMPTY").and_then(Instruction::text) {
            if made_of(&of.ty.kind).is_some() || of.instructions.empty_elements || of.instructions.named_elements {
                return Err(fault(
                    ty,
                    "DEFAULT-FOR-EMPTY of what may be an element",
                    "a type whose values are characters",
                ));
            }
            out += &attribute("default", default);
        }
        out += &often.map(occurs).unwrap_or_default();
        out += "/>";
        Ok(out)
    }

    /// The first instruction with a keyword on the way from a type to what it refers to.
    fn outermost(&self, module: usize, ty: &'m Type, keyword: &str) -> Option<&'m Instruction> {
        self.all_of(module, ty, keyword).next()
    }

    /// The instructions with a keyword on the way from a type to what it refers to.
    fn all_of<'a>(
        &'a self,
        module: usize,
        ty: &'m Type,
        keyword: &'a str,
    ) -> impl Iterator<Item = &'m Instruction> + use<'a, 'm> {
        let next = |(module, ty): &(usize, &'m Type)| {
            let place = self.referred(*module, ty)?;
            Some((place.0, self.assignment(place).and_then(assigned)?))
        };
        let types = std::iter::successors(Some((module, ty)), next).take(250);
        let prefixes = types.flat_map(|(_, ty)| &ty.prefixes);
        prefixes.filter_map(move |prefix| match prefix {
            Prefix::Instruction(instruction) if instruction.keyword == keyword => Some(instruction),
            _ => None,
        })
    }

    /// The type of an element, and whether the element is nillable.
    fn type_of_element(&mut self, module: usize, ty: &'m Type, of: &Resolved<'m>) -> Result<(String, bool), Error> {
        if of.instructions.use_type {
            return self.within(of.ty, |describer| describer.derivations(of));
        }
        // A simple type for nillable elements.
        if let (true, Kind::Sequence(Fields { root, .. })) = (of.instructions.use_nil, &of.ty.kind)
            && let [content] = &root[..]
            && is_characters(&self.resolve(of.module, &content.ty)?)
        {
            return Ok((self.simple(of.module, &content.ty)?, true));
        }
        Ok((self.type_of_content(module, ty, of)?, of.instructions.use_nil))
    }

    fn type_of_content(&mut self, module: usize, ty: &'m Type, of: &Resolved<'m>) -> Result<String, Error> {
        if let (true, Kind::Integer(names) | Kind::BitString(names)) = (of.instructions.named_elements, &of.ty.kind) {
            self.simple(module, ty)?;
            let most = if matches!(of.ty.kind, Kind::Integer(_)) { Some(1) } else { None };
            let document = self.of_module[of.module];
            let words = self.words(document, names.iter().map(|one| &one.name[..]), (0, most));
            return Ok(self.documents.intern(document, "complexType", &format!(" mixed=\"true\">{words}")));
        }
        if is_characters(of) {
            return self.simple(module, ty);
        }
        match self.referred(module, ty) {
            Some(place) if self.modules.modules[place.0].name == XSD => Ok("xs:anyType".to_owned()),
            Some(place) if OF_CONTENT.iter().all(|keyword| ty.instruction(keyword).is_none()) => {
                self.type_of(place).ok_or_else(|| fault(ty, "a type of the module XSD", "a type of another module"))
            }
            _ => {
                let body = self.complex(of)?;
                Ok(self.documents.intern(self.of_module[of.module], "complexType", &body))
            }
        }
    }

    /// The type of elements with a `USE-TYPE` CHOICE, and whether they are nillable.
    fn derivations(&mut self, of: &Resolved<'m>) -> Result<(String, bool), Error> {
        let Kind::Choice(fields) = &of.ty.kind else { return Err(fault(of.ty, "USE-TYPE", "a CHOICE")) };
        let address = std::ptr::from_ref(of.ty).addr();
        let (mut alternatives, mut nillable) = (Vec::new(), false);
        for component in &fields.root {
            let one = self.resolve(of.module, &component.ty)?;
            let (name, is_nillable) = self.type_of_element(of.module, &component.ty, &one)?;
            nillable |= is_nillable;
            alternatives.push(self.as_named(component, &one, name)?);
        }
        if let Some(known) = self.derived.iter().find(|known| known.address == address) {
            return Ok((known.base.clone(), nillable));
        }
        let first = alternatives.first().cloned().ok_or_else(|| fault(of.ty, "USE-TYPE", "alternatives"))?;
        // An abstract type is no alternative of its own.
        let base = self.abstract_base(of, fields);
        let is_declared = base.is_none();
        let base = base.unwrap_or(first);
        self.derived.push(Derived { address, base: base.clone(), is_declared, alternatives });
        Ok((base, nillable))
    }

    /// A type of a given name, if the type of an alternative has another one.
    fn as_named(&mut self, component: &'m Component, of: &Resolved<'m>, name: String) -> Result<String, Error> {
        let (uri, local) = component.ty.xml_name(&component.name);
        check_name(&component.ty, &local)?;
        let document = self.documents.of(uri);
        let expected = self.documents.qname(document, &local);
        let is_built_in = name.starts_with("xs:") && uri == xsd::XSD_NAMESPACE;
        if expected == name || is_built_in {
            return Ok(name);
        }
        if self.documents.announce(&expected) {
            let text = match is_characters(of) {
                true => format!("<xs:simpleType name=\"{local}\"><xs:restriction base=\"{name}\"/></xs:simpleType>"),
                false => format!("<xs:complexType name=\"{local}\"{}</xs:complexType>", self.complex(of)?),
            };
            self.documents.push(document, &text);
        }
        Ok(expected)
    }

    /// The abstract type that the alternatives of `T-derivations` or `T-deriv-nillable` are derived from, if `T` is none of them
    /// (X.694 clauses 30 and 31).
    fn abstract_base(&mut self, of: &Resolved<'m>, fields: &'m Fields) -> Option<String> {
        let mut all = self.assignments().filter(|((module, _), _)| *module == of.module);
        let (place, _) = all.find(|(_, ty)| std::ptr::eq(*ty, of.ty))?;
        let base = place.1.strip_suffix("-derivations").or_else(|| place.1.strip_suffix("-deriv-nillable"))?;
        let assignment = self.assignment((place.0, base))?;
        let nillable = format!("{base}-nillable");
        let refers = |component: &Component| match &component.ty.kind {
            Kind::Reference { name, .. } => *name == base || *name == nillable,
            _ => false,
        };
        if fields.root.iter().any(refers) || !matches!(assigned(assignment)?.kind, Kind::Sequence(_)) {
            return None;
        }
        let name = self.types.get(&(place.0, &assignment.name))?.clone();
        if self.documents.announce(&name) {
            let local = name.rsplit(':').next().unwrap_or_default();
            let text = format!("<xs:complexType name=\"{local}\" abstract=\"true\"/>");
            self.documents.push(self.of_module[place.0], &text);
        }
        Some(name)
    }

    /// The definition of a type with components, after its name.
    pub(super) fn complex(&mut self, of: &Resolved<'m>) -> Result<String, Error> {
        self.within(of.ty, |describer| describer.record_with_tags(of))
    }

    fn record_with_tags(&mut self, of: &Resolved<'m>) -> Result<String, Error> {
        let document = self.of_module[of.module];
        let fields = match &of.ty.kind {
            Kind::Sequence(fields) | Kind::Set(fields) => fields,
            Kind::Null => return Ok(">".to_owned()),
            Kind::Choice(of_string) if made_of(&of.ty.kind) == Some(Made::Content) => {
                let value = of_string.root.first().map(|value| self.particle(of.module, document, value, (0, Some(1))));
                return Ok(format!(
                    " mixed=\"true\"><xs:sequence>{}</xs:sequence>",
                    value.transpose()?.unwrap_or_default()
                ));
            }
            _ => {
                let group = self.group(document, of.ty, of, ONCE)?;
                return Ok(format!("><xs:sequence>{group}</xs:sequence>"));
            }
        };
        let mut rest = fields.root.iter();
        if of.instructions.embed_values {
            self.list_of(of, rest.next(), "EMBED-VALUES", |item| matches!(item.kind, Kind::String(_)))?;
        }
        let mut order = None;
        if of.instructions.use_order {
            order = self.list_of(of, rest.next(), "USE-ORDER", |item| matches!(item.kind, Kind::Enumerated(_)))?;
        }
        let (mut attributes, mut wildcard, mut slots, mut simple) = (String::new(), String::new(), Vec::new(), None);
        let mut group = None;
        let mut module = of.module;
        for component in rest {
            let one = self.resolve(of.module, &component.ty)?;
            if one.instructions.any_attributes {
                self.list_of(of, Some(component), "ANY-ATTRIBUTES", |item| matches!(item.kind, Kind::String(_)))?;
                let any = self.outermost(of.module, &component.ty, "ANY-ATTRIBUTES");
                wildcard = self.wildcard(document, component, any, "anyAttribute", ONCE)?;
            } else if one.instructions.attribute {
                attributes += &self.attribute(of.module, document, component)?;
            } else if of.instructions.use_nil {
                match &one.ty.kind {
                    Kind::Sequence(fields) if !one.instructions.use_qname => {
                        slots.extend(&fields.root);
                        module = one.module;
                    }
                    _ if is_characters(&one) => simple = Some(component),
                    _ => {
                        group = Some(self.within(of.ty, |describer| describer.nil_content(document, component, &one))?)
                    }
                }
            } else if one.instructions.untagged && is_characters(&one) {
                simple = Some(component);
            } else {
                slots.push(component);
            }
        }
        if let Some(Type { kind: Kind::Enumerated(items), .. }) = order
            && !items.root.iter().map(|item| &item.name).eq(slots.iter().map(|slot| &slot.name))
        {
            return Err(fault(of.ty, "USE-ORDER", "items with the names of the elements, in their order"));
        }
        let attributes = attributes + &wildcard;
        if let Some(component) = simple {
            let base = self.simple(of.module, &component.ty)?;
            return Ok(format!(
                "><xs:simpleContent><xs:extension base=\"{base}\">{attributes}</xs:extension></xs:simpleContent>"
            ));
        }
        let mixed = if of.instructions.embed_values { " mixed=\"true\"" } else { "" };
        let content = match (group, of.instructions.use_order || matches!(of.ty.kind, Kind::Set(_))) {
            (Some(group), _) => group,
            (None, true) => self.all(module, document, &slots)?,
            (None, false) => self.sequence(module, document, slots, ONCE)?,
        };
        Ok(format!("{mixed}>{content}{attributes}"))
    }

    /// The type of the items of a component that an instruction asks for.
    fn list_of(
        &self,
        of: &Resolved<'m>,
        component: Option<&'m Component>,
        keyword: &'static str,
        is_it: impl Fn(&Type) -> bool,
    ) -> Result<Option<&'m Type>, Error> {
        let list = component.map(|component| self.resolve(of.module, &component.ty)).transpose()?;
        if let Some(list) = list
            && let Kind::SequenceOf(item) = &list.ty.kind
            && let item = self.resolve(list.module, &item.ty)?
            && is_it(item.ty)
        {
            return Ok(Some(item.ty));
        }
        Err(fault(of.ty, keyword, "a SEQUENCE OF character strings, or of ENUMERATED for USE-ORDER"))
    }

    /// Refuses `PI-OR-COMMENT` at what is no element.
    fn no_marks(&self, of: &Resolved<'m>, ty: &Type) -> Result<(), Error> {
        match of.instructions.marks.is_empty() {
            true => Ok(()),
            false => Err(fault(ty, "PI-OR-COMMENT at what has no tags", "an element")),
        }
    }

    fn attribute(&mut self, module: usize, document: usize, component: &'m Component) -> Result<String, Error> {
        let (uri, local) = component.ty.xml_name(&component.name);
        check_name(&component.ty, &local)?;
        self.no_marks(&self.resolve(module, &component.ty)?, &component.ty)?;
        let ty = self.simple(module, &component.ty)?;
        let needed = if component.kind == ComponentKind::Mandatory { " use=\"required\"" } else { "" };
        let written = |form| format!("<xs:attribute name=\"{local}\" form=\"{form}\" type=\"{ty}\"{needed}/>");
        if uri.is_empty() {
            return Ok(written("unqualified"));
        }
        let other = self.documents.of(uri);
        if other == document {
            return Ok(written("qualified"));
        }
        let group = self.documents.intern(other, "attributeGroup", &format!(">{}", written("qualified")));
        Ok(format!("<xs:attributeGroup ref=\"{group}\"/>"))
    }

    fn sequence(
        &mut self,
        module: usize,
        document: usize,
        slots: impl IntoIterator<Item = &'m Component>,
        often: Occurs,
    ) -> Result<String, Error> {
        let mut out = format!("<xs:sequence{}>", occurs(often));
        for component in slots {
            out += &self.particle(module, document, component, occurring(component))?;
        }
        Ok(out + "</xs:sequence>")
    }

    /// The content that `USE-NIL` leaves out, if it is neither a SEQUENCE nor characters (X.693 clause 33.2.1).
    fn nil_content(&mut self, document: usize, component: &'m Component, of: &Resolved<'m>) -> Result<String, Error> {
        if made_of(&of.ty.kind) == Some(Made::Content) {
            return Err(fault(&component.ty, "USE-NIL of a string that contains a value", "another type"));
        }
        let group = self.group(document, &component.ty, of, ONCE)?;
        Ok(if group.starts_with("<xs:element") { format!("<xs:sequence>{group}</xs:sequence>") } else { group })
    }

    /// The elements of an UNTAGGED SET in any order: all-groups may not be in other groups, so each order is written.
    fn in_any_order(
        &mut self,
        module: usize,
        document: usize,
        fields: &'m Fields,
        often: Occurs,
        ty: &Type,
    ) -> Result<String, Error> {
        if fields.root.len() > IN_ANY_ORDER {
            let expected = format!("at most {IN_ANY_ORDER} components");
            return Err(fault(ty, "an UNTAGGED SET of more components", expected));
        }
        let mut elements = Vec::with_capacity(fields.root.len());
        for component in &fields.root {
            let one = self.resolve(module, &component.ty)?;
            if one.instructions.any_element.is_some() || is_untagged(component, &one) {
                return Err(fault(&component.ty, "what is no element, in any order", "elements"));
            }
            let element = self.particle(module, document, component, ONCE)?;
            elements.push((element, component.kind == ComponentKind::Mandatory));
        }
        let elements: Vec<(&str, bool)> = elements.iter().map(|(element, needed)| (&element[..], *needed)).collect();
        Ok(format!("<xs:sequence{}>{}</xs:sequence>", occurs(often), orders(&elements)))
    }

    /// An all-group, which may have elements of one namespace and of none, and references to other ones.
    fn all(&mut self, module: usize, document: usize, slots: &[&'m Component]) -> Result<String, Error> {
        let uris = slots.iter().map(|slot| slot.ty.xml_name(&slot.name).0).filter(|uri| !uri.is_empty());
        let of = uris.into_iter().next().map(|uri| self.documents.of(uri)).unwrap_or(document);
        let mut out = "<xs:all>".to_owned();
        for component in slots {
            let one = self.resolve(module, &component.ty)?;
            if one.instructions.any_element.is_some() || is_untagged(component, &one) {
                return Err(fault(&component.ty, "what is no element, in any order", "elements"));
            }
            match self.element(module, of, component, occurring(component))? {
                Some(element) => out += &element,
                None => {
                    return Err(fault(&component.ty, "elements of several namespaces in any order", "one namespace"));
                }
            }
        }
        out += "</xs:all>";
        if of == document {
            return Ok(out);
        }
        let group = self.documents.intern(of, "group", &format!(">{out}"));
        Ok(format!("<xs:group ref=\"{group}\"/>"))
    }

    fn particle(
        &mut self,
        module: usize,
        document: usize,
        component: &'m Component,
        often: Occurs,
    ) -> Result<String, Error> {
        let of = self.resolve(module, &component.ty)?;
        if of.instructions.any_element.is_some() || is_untagged(component, &of) {
            self.no_marks(&of, &component.ty)?;
        }
        if of.instructions.any_element.is_some() {
            if !matches!(of.ty.kind, Kind::String(_)) {
                return Err(fault(of.ty, "ANY-ELEMENT", "a character string"));
            }
            let any = self.outermost(module, &component.ty, "ANY-ELEMENT");
            return self.wildcard(document, component, any, "any", often);
        }
        if is_untagged(component, &of) {
            if made_of(&of.ty.kind) == Some(Made::Content) {
                return Err(fault(&component.ty, "an UNTAGGED string that contains a value", "an element"));
            }
            if let Some(place) = self.referred(module, &component.ty) {
                let group = self.group_of(place, &of)?;
                return Ok(format!("<xs:group ref=\"{group}\"{}/>", occurs(often)));
            }
            return self.within(of.ty, |describer| describer.group(document, &component.ty, &of, often));
        }
        if let Some(element) = self.element(module, document, component, often)? {
            return Ok(element);
        }
        let other = self.documents.of(self.by_name.element_name(module, component).0);
        let element = self.element(module, other, component, ONCE)?.unwrap_or_default();
        let group = self.documents.intern(other, "group", &format!("><xs:sequence>{element}</xs:sequence>"));
        Ok(format!("<xs:group ref=\"{group}\"{}/>", occurs(often)))
    }

    /// The group of an assignment, which is written at once.
    fn group_of(&mut self, place: Place<'m>, of: &Resolved<'m>) -> Result<String, Error> {
        if let Some(known) = self.groups.get(&place) {
            return Ok(known.clone());
        }
        let document = self.of_module[place.0];
        let local = format!("_.{}.{}", self.modules.modules[place.0].name, place.1);
        let name = self.documents.qname(document, &local);
        self.groups.insert(place, name.clone());
        let ty = self.assignment(place).and_then(assigned).unwrap_or(of.ty);
        let mut body = self.within(of.ty, |describer| describer.group(document, ty, of, ONCE))?;
        if !body.starts_with("<xs:sequence") && !body.starts_with("<xs:choice") {
            body = format!("<xs:sequence>{body}</xs:sequence>");
        }
        self.documents.push(document, &format!("<xs:group name=\"{local}\">{body}</xs:group>"));
        Ok(name)
    }

    /// An untagged SEQUENCE, CHOICE or SEQUENCE OF.
    fn group(&mut self, document: usize, ty: &'m Type, of: &Resolved<'m>, often: Occurs) -> Result<String, Error> {
        match &of.ty.kind {
            Kind::Sequence(fields) => self.sequence(of.module, document, &fields.root, often),
            Kind::Set(fields) => self.in_any_order(of.module, document, fields, often, of.ty),
            Kind::Choice(fields) if made_of(&of.ty.kind) == Some(Made::Open) => {
                self.open_type(of.module, document, fields, often)
            }
            Kind::Choice(fields) => {
                let mut out = format!("<xs:choice{}>", occurs(often));
                for component in &fields.root {
                    out += &self.particle(of.module, document, component, ONCE)?;
                }
                Ok(out + "</xs:choice>")
            }
            Kind::Boolean | Kind::Enumerated(_) => {
                let names: Vec<&str> = match &of.ty.kind {
                    Kind::Enumerated(items) => items.root.iter().map(|item| &item.name[..]).collect(),
                    _ => vec!["true", "false"],
                };
                Ok(self.words(document, names.into_iter(), often))
            }
            Kind::SequenceOf(item) | Kind::SetOf(item) => {
                let size = self.size(of.module, ty, of.ty);
                if often == ONCE {
                    return self.particle(of.module, document, item, size);
                }
                let item = self.particle(of.module, document, item, size)?;
                Ok(format!("<xs:sequence{}>{item}</xs:sequence>", occurs(often)))
            }
            _ => Err(fault(of.ty, of.ty.kind.as_str().to_owned(), "a SEQUENCE, CHOICE or SEQUENCE OF")),
        }
    }

    /// Empty elements with names.
    fn words<'n>(&mut self, document: usize, names: impl Iterator<Item = &'n str>, often: Occurs) -> String {
        let empty = self.documents.intern(document, "complexType", ">");
        let element = |name| format!("<xs:element name=\"{name}\" form=\"unqualified\" type=\"{empty}\"/>");
        let elements: String = names.map(element).collect();
        format!("<xs:choice{}>{elements}</xs:choice>", occurs(often))
    }

    /// An open type: one of the types of its table, or octets. Types with the same name are one element, whose characters are
    /// those of any of them; if they may not share it, it is the element of the first.
    fn open_type(
        &mut self,
        module: usize,
        document: usize,
        fields: &'m Fields,
        often: Occurs,
    ) -> Result<String, Error> {
        let mut by_name: Vec<Vec<&'m Component>> = Vec::new();
        let mut places = HashMap::new();
        for component in &fields.root {
            let name = self.by_name.element_name(module, component);
            let place = *places.entry(name).or_insert(by_name.len());
            match by_name.get_mut(place) {
                Some(same) => same.push(component),
                None => by_name.push(vec![component]),
            }
        }
        let mut out = format!("<xs:choice{}>", occurs(often));
        for same in by_name {
            let (first, is_one) = (same[0], same.len() == 1);
            let shares = |one: &&Component| self.resolve(module, &one.ty).is_ok_and(|of| shares_name(&of));
            out += &match is_one || !same.iter().all(shares) {
                true => self.particle(module, document, first, ONCE)?,
                false => self.any_of(module, document, &same)?,
            };
        }
        Ok(out + "</xs:choice>")
    }

    /// An element whose characters are those of any of several types.
    fn any_of(&mut self, module: usize, document: usize, same: &[&'m Component]) -> Result<String, Error> {
        let members: Vec<String> = same.iter().map(|one| self.simple(module, &one.ty)).collect::<Result<_, _>>()?;
        let (uri, local) = self.by_name.element_name(module, same[0]);
        check_name(&same[0].ty, &local)?;
        let other = if uri.is_empty() { document } else { self.documents.of(uri) };
        let form = if uri.is_empty() { "unqualified" } else { "qualified" };
        let union = format!("<xs:simpleType><xs:union memberTypes=\"{}\"/></xs:simpleType>", members.join(" "));
        let element = format!("<xs:element name=\"{local}\" form=\"{form}\">{union}</xs:element>");
        if other == document {
            return Ok(element);
        }
        let group = self.documents.intern(other, "group", &format!("><xs:sequence>{element}</xs:sequence>"));
        Ok(format!("<xs:group ref=\"{group}\"/>"))
    }

    /// The size of a list.
    fn size(&self, module: usize, outer: &'m Type, list: &'m Type) -> Occurs {
        let of = |constraint: &Constraint| match &constraint.root {
            Constraints::Element(element) => match &**element {
                Element::Size(size) => Some(self.bounds(module, size)),
                _ => None,
            },
            _ => None,
        };
        outer.constraints.iter().chain(&list.constraints).find_map(of).unwrap_or((0, None))
    }

    /// The least and the greatest number of a constraint; no bounds if it is of another form.
    pub(super) fn bounds(&self, module: usize, constraint: &Constraint) -> Occurs {
        let number = |value: &Value| self.number(module, value).and_then(|digits| digits.parse().ok());
        let Constraints::Element(element) = &constraint.root else { return (0, None) };
        match &**element {
            Element::Single(value) => number(value).map_or((0, None), |number| (number, Some(number))),
            Element::Range(lower, upper) => {
                let lower = if let Bound::Inclusive(value) = lower { number(value) } else { None };
                let upper = if let Bound::Inclusive(value) = upper { number(value) } else { None };
                (lower.unwrap_or(0), upper)
            }
            _ => (0, None),
        }
    }

    /// An element in a document; `None` if only another one can declare it.
    fn element(
        &mut self,
        module: usize,
        document: usize,
        component: &'m Component,
        often: Occurs,
    ) -> Result<Option<String>, Error> {
        let (uri, local) = self.by_name.element_name(module, component);
        check_name(&component.ty, &local)?;
        let form = match uri {
            "" => "unqualified",
            uri if self.documents.uri(document) == uri => "qualified",
            _ => return Ok(None),
        };
        let declared = self.element_declaration(module, &component.ty, Some(often))?;
        Ok(Some(format!("<xs:element name=\"{local}\" form=\"{form}\"{declared}")))
    }

    /// A wildcard. `##other` is in a document of the namespace that it leaves out.
    fn wildcard(
        &mut self,
        document: usize,
        component: &'m Component,
        any: Option<&'m Instruction>,
        kind: &str,
        often: Occurs,
    ) -> Result<String, Error> {
        let arguments = any.map(|any| &any.arguments[..]).unwrap_or_default();
        let is = |argument: &Argument, word: &str| matches!(argument, Argument::Word(one) if one == word);
        let written = |namespaces: &str| {
            format!("<xs:{kind}{} processContents=\"skip\"{}/>", attribute("namespace", namespaces), occurs(often))
        };
        let other = match arguments {
            [] => return Ok(written("##any")),
            [from, listed @ ..] if is(from, "FROM") => {
                let uris = listed.iter().map(|one| match one {
                    Argument::Text(uri) => &uri[..],
                    Argument::Word(_) => "##local",
                });
                return Ok(written(&uris.collect::<Vec<_>>().join(" ")));
            }
            [except, absent] if is(except, "EXCEPT") && is(absent, "ABSENT") => "",
            [except, absent, Argument::Text(uri)] if is(except, "EXCEPT") && is(absent, "ABSENT") => &uri[..],
            _ => {
                let expected = "FROM namespaces, or EXCEPT ABSENT and at most one namespace";
                return Err(fault(&component.ty, "EXCEPT with other namespaces", expected));
            }
        };
        let other = self.documents.of(other);
        if other == document {
            return Ok(written("##other"));
        }
        if kind == "anyAttribute" {
            let group = self.documents.intern(other, "attributeGroup", &format!(">{}", written("##other")));
            return Ok(format!("<xs:attributeGroup ref=\"{group}\"/>"));
        }
        let any = format!("<xs:any{} processContents=\"skip\"/>", attribute("namespace", "##other"));
        let group = self.documents.intern(other, "group", &format!("><xs:sequence>{any}</xs:sequence>"));
        Ok(format!("<xs:group ref=\"{group}\"{}/>", occurs(often)))
    }
}

/// How many elements in any order may be in a group: their orders are as many as the product of the numbers up to it.
const IN_ANY_ORDER: usize = 6;

/// All orders of some elements, and which of these are mandatory.
fn orders(elements: &[(&str, bool)]) -> String {
    if elements.is_empty() {
        return String::new();
    }
    let may_end = elements.iter().all(|(_, is_mandatory)| !is_mandatory);
    let mut out = format!("<xs:choice{}>", occurs((u64::from(!may_end), Some(1))));
    for at in 0..elements.len() {
        let (before, after) = elements.split_at(at);
        if let [(first, _), rest @ ..] = after {
            out += &format!("<xs:sequence>{first}{}</xs:sequence>", orders(&[before, rest].concat()));
        }
    }
    out + "</xs:choice>"
}

/// Checks that a `PI-OR-COMMENT` has a position, and only processing instructions and comments in its text.
fn check_mark(ty: &Type, instruction: &Instruction) -> Result<(), Error> {
    let Some((_, text)) = mark(instruction) else {
        return Err(fault(ty, "PI-OR-COMMENT", "AS, a text, and BEFORE-TAG, BEFORE-VALUE, AFTER-VALUE or AFTER-TAG"));
    };
    let element = format!("<a>{text}</a>");
    let mut events = 0;
    let read = Reader::from_text(&element, &Options::default()).and_then(|mut reader| {
        while let Some(event) = reader.next_event()? {
            events += usize::from(!matches!(event, Event::Comment(_) | Event::Instruction(..)));
        }
        Ok(())
    });
    match (read, events) {
        (Ok(()), 2) => Ok(()),
        _ => {
            Err(fault(ty, format!("'{}' in PI-OR-COMMENT", tam::excerpt(text)), "processing instructions and comments"))
        }
    }
}

/// Checks a name that an instruction gives.
pub(super) fn check_name(ty: &Type, local: &str) -> Result<(), Error> {
    if is_local(local) {
        Ok(())
    } else {
        Err(fault(ty, format!("the name '{local}'"), "a name of XML without a colon"))
    }
}
