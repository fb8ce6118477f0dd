//! Content models compiled, and held against the rules that the Recommendation has for them.

use tam::Error;

use super::Builder;
use crate::Name;
use crate::components::{AttributeUse, ComplexId, Content, Term};
use crate::content::{Attribution, Budget, Model, NodeId, check_attribution, compile, is_countable};

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
        Ok(())
    }

    fn index_attributes(&mut self) {
        for id in self.schema.complex_types.ids() {
            let uses = &self.schema.complex_types[id].attributes;
            let name = |(n, one): (usize, &AttributeUse)| (self.schema.attributes[one.attribute].name, n as u32);
            let mut places: Vec<(Name, u32)> = uses.iter().enumerate().map(name).collect();
            places.sort_unstable();
            let required = uses.iter().enumerate().filter(|(_, one)| one.required).map(|(n, _)| n as u32).collect();
            let supplied =
                uses.iter().enumerate().filter(|(_, one)| one.value.is_some()).map(|(n, _)| n as u32).collect();
            self.schema.supplied.push(supplied);
            self.schema.attribute_places.push(places);
            self.schema.required.push(required);
        }
    }

    fn check_model(&self, id: ComplexId, model: &Model, pairs: &mut u64) -> Result<(), Error> {
        match check_attribution(model, &self.schema, pairs) {
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
                let expected = "content in which a name tells its particle (unique particle attribution)";
                return Err(self.fault_at(position, found, expected));
            }
        }
        self.check_consistent(model)
    }

    /// A leaf for people.
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

    /// Elements of the same name must be of the same type (section 3.8.6, element declarations
    /// consistent).
    fn check_consistent(&self, model: &Model) -> Result<(), Error> {
        for (one, other) in model.same_names() {
            let element = |node| model.element(&self.schema, node).map(|id| &self.schema.elements[id]);
            let (Some(a), Some(b)) = (element(one), element(other)) else { continue };
            if a.ty != b.ty {
                let found = format!("{} of two types: here and in {}", self.leaf(model, other), self.place(a.position));
                return Err(self.fault_at(b.position, found, "elements of the same name to be of one type"));
            }
        }
        Ok(())
    }
}

impl Model {
    /// Neighbours of the same name.
    fn same_names(&self) -> impl Iterator<Item = (NodeId, NodeId)> {
        let pairs = self.names.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        pairs.map(|pair| (NodeId(pair[0].1), NodeId(pair[1].1)))
    }
}
