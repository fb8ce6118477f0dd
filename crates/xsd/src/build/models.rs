//! Compiles content models, and checks the rules of the Recommendation for them.

use tam::Error;

use super::Builder;
use crate::components::{
    ComplexId, Content, Derivation, Derivations, ElementId, Schema, Term, TypeId, ValueConstraint,
};
use crate::content::{Attribution, Budget, Model, NodeId, Outside, check_attribution, compile, is_countable, within};

impl Builder<'_> {
    pub(super) fn compile_models(&mut self) -> Result<(), Error> {
        let limit = self.options.particles;
        let mut budget = Budget { nodes: limit, limit };
        let mut pairs = 0;
        let mut models = Vec::with_capacity(self.schema.complex_types.len());
        for (id, ty) in self.schema.complex_types.iter() {
            let mut model = match ty.content {
                Content::ElementOnly(particle) | Content::Mixed(Some(particle)) => {
                    compile(&self.schema, particle, &mut budget).map_err(|error| self.error_at(ty.position, error))?
                }
                _ => Model::default(),
            };
            self.check_model(id, &model, &mut pairs)?;
            model.several = model.counters > 0 && !model.all && !is_countable(&model, &mut pairs);
            models.push(model);
        }
        self.schema.models = models;
        self.index_attributes();
        self.index_simple_types();
        self.schema.outlines = self.schema.elements.ids().map(|id| self.schema.outline_of(id)).collect();
        self.check_restrictions()?;
        self.check_redefined_groups(&mut budget)
    }

    /// Checks that restrictions allow no more than their bases (section 3.4.6, clause 5.4).
    fn check_restrictions(&self) -> Result<(), Error> {
        let mut steps = 0;
        for (id, ty) in self.schema.complex_types.iter() {
            let TypeId::Complex(base) = ty.base else { continue };
            if ty.derivation != Derivation::Restriction || base == Schema::ANY_TYPE {
                continue;
            }
            let (own, of_base) = (self.schema.model(id), self.schema.model(base));
            let shown = || format!("in a restriction of {}", self.shown(self.schema.complex_types[base].name));
            match within(&self.schema, own, of_base, &mut steps) {
                Ok(pairs) => {
                    for (one, other) in pairs {
                        self.check_restricted_element(own, one, of_base, other)?;
                    }
                }
                Err(Outside::Leaf(leaf)) => {
                    let position = self.schema.particles[own.particle(leaf)].position;
                    let found = format!("{} {}", self.leaf(own, leaf), shown());
                    return Err(self.fault_at(position, found, "no element where the base has none"));
                }
                Err(Outside::End(leaf)) => {
                    let position = leaf.map_or(ty.position, |leaf| self.schema.particles[own.particle(leaf)].position);
                    let found = match leaf {
                        Some(leaf) => format!("an end after {} {}", self.leaf(own, leaf), shown()),
                        None => format!("no elements {}", shown()),
                    };
                    return Err(self.fault_at(position, found, "the elements that the base must have"));
                }
            }
        }
        Ok(())
    }

    /// Section 3.9.6, particle restriction OK (element and element).
    fn check_restricted_element(&self, own: &Model, one: NodeId, base: &Model, other: NodeId) -> Result<(), Error> {
        let (Some(a), Some(b)) = (own.element(one), base.element(other)) else {
            return Ok(());
        };
        let (own_element, of_base) = (&self.schema.elements[a], &self.schema.elements[b]);
        if a == b || own_element.name != of_base.name {
            return Ok(());
        }
        // Derivation by list or union is not blocked here: a list or union is derived from `xs:anySimpleType` (section
        // 3.14.6).
        let blocked = Derivations::EXTENSION;
        let fixed = match (&own_element.value, &of_base.value) {
            (Some(ValueConstraint::Fixed(own)), Some(ValueConstraint::Fixed(base))) => {
                own == base || matches!(own_element.ty, TypeId::Simple(ty) if self.is_same(ty, own, base))
            }
            (_, Some(ValueConstraint::Fixed(_))) => false,
            _ => true,
        };
        let expected = if !self.schema.is_derived(own_element.ty, of_base.ty, blocked) {
            "a type restricted from that of the base's element"
        } else if own_element.nillable && !of_base.nillable {
            "an element that is not nillable, as in the base"
        } else if !fixed {
            "the fixed value that the base's element has"
        } else if own_element.disallowed.and(of_base.disallowed) != of_base.disallowed {
            "what the base's element blocks to be blocked"
        } else {
            return Ok(());
        };
        let position = self.schema.particles[own.particle(one)].position;
        Err(self.fault_at(position, format!("{} in a restriction", self.leaf(own, one)), expected))
    }

    fn index_attributes(&mut self) {
        for id in self.schema.complex_types.ids() {
            let uses = &self.schema.complex_types[id].attributes;
            let required = uses.iter().enumerate().filter(|(_, one)| one.required).map(|(n, _)| n as u32).collect();
            let supplied =
                uses.iter().enumerate().filter(|(_, one)| one.value.is_some()).map(|(n, _)| n as u32).collect();
            let outlines = self.schema.outlines_of_uses(id);
            self.schema.supplied.push(supplied);
            self.schema.uses.push(outlines);
            self.schema.required.push(required);
        }
    }

    /// Notes the simple types that have any text as a value.
    fn index_simple_types(&mut self) {
        let any_text = self.schema.simple_types.ids().map(|id| self.schema.simple_types[id].allows_any_text());
        self.schema.any_text = any_text.collect();
    }

    fn check_model(&self, id: ComplexId, model: &Model, pairs: &mut u64) -> Result<(), Error> {
        match check_attribution(model, &self.schema, self.options.prefers_elements, pairs) {
            Attribution::Unique => {}
            Attribution::TooMany => {
                let position = self.schema.complex_types[id].position;
                let error =
                    Error::limit("xsd", 0, "more elements of the same names", "pairs", crate::content::MOST_PAIRS);
                return Err(self.error_at(position, error));
            }
            Attribution::Ambiguous(one, other) => {
                let position = self.schema.particles[model.particle(other)].position;
                let (one, other) = (self.leaf(model, one), self.leaf(model, other));
                let ty = self.shown(self.schema.complex_types[id].name);
                let found = format!("{other} in {ty}, where {one} can come as well");
                let expected = "content in which each name has one particle (unique particle attribution)";
                return Err(self.fault_at(position, found, expected));
            }
        }
        self.check_consistent(model)
    }

    /// Describes a leaf for error messages.
    fn leaf(&self, model: &Model, node: NodeId) -> String {
        let particle = &self.schema.particles[model.particle(node)];
        let place = self.place(particle.position);
        match particle.term {
            Term::Element(element) => {
                format!("the element {} ({place})", self.shown(Some(self.schema.elements[element].name)))
            }
            _ => format!("<any> ({place})"),
        }
    }

    /// Checks that elements with the same name have the same type (section 3.8.6, element declarations consistent),
    /// including members of substitution groups.
    fn check_consistent(&self, model: &Model) -> Result<(), Error> {
        for (one, other) in model.same_names() {
            self.check_of_one_type(model, other, model.element(one))?;
        }
        if !self.schema.has_substitution {
            return Ok(());
        }
        for leaf in model.nodes() {
            let global =
                model.element(leaf).and_then(|id| self.schema.element_names.get(&self.schema.elements[id].name));
            if global.copied() != model.element(leaf) && model.leaves_of_heads(&self.schema, leaf).next().is_some() {
                self.check_of_one_type(model, leaf, global.copied())?;
            }
        }
        Ok(())
    }

    fn check_of_one_type(&self, model: &Model, leaf: NodeId, other: Option<ElementId>) -> Result<(), Error> {
        let element = |id: Option<ElementId>| id.map(|id| &self.schema.elements[id]);
        let (Some(a), Some(b)) = (element(other), element(model.element(leaf))) else { return Ok(()) };
        if a.ty == b.ty {
            return Ok(());
        }
        let found = format!("{} of two types: here and in {}", self.leaf(model, leaf), self.place(a.position));
        Err(self.fault_at(b.position, found, "elements of the same name to be of one type"))
    }
}

impl Model {
    /// Pairs of elements with the same name.
    fn same_names(&self) -> impl Iterator<Item = (NodeId, NodeId)> {
        let pairs = self.names.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        pairs.map(|pair| (NodeId(pair[0].1), NodeId(pair[1].1)))
    }
}
