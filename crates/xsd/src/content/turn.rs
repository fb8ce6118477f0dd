//! The groups that end and begin between two child elements.

use smallvec::SmallVec;

use super::{Model, NONE, NodeId, Place, Transition};

/// The groups that end and begin with a [`Transition`], as written in the schema.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Turn {
    /// Groups that end, innermost first.
    pub ended: SmallVec<[NodeId; 4]>,
    /// Groups that begin with their first occurrence, outermost first. A group that begins another occurrence
    /// ([`Transition::again`]) is in neither list.
    pub begun: SmallVec<[NodeId; 4]>,
}

impl Model {
    /// The groups that end and begin with a transition from a place.
    ///
    /// ```
    /// # use ::tam as lengthwise_tam;
    /// use lengthwise_xsd::content::Place;
    /// use lengthwise_xsd::{Memory, NamespaceId, Options, Schema, TypeId};
    ///
    /// # fn main() -> Result<(), lengthwise_tam::Error> {
    /// let source = Memory::new().with(
    ///     "a.xsd",
    ///     r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:complexType name="t">
    ///          <xs:sequence>
    ///            <xs:choice maxOccurs="unbounded"><xs:element name="a"/><xs:element name="b"/></xs:choice>
    ///            <xs:element name="c"/>
    ///          </xs:sequence>
    ///        </xs:complexType></xs:schema>"#,
    /// );
    /// let schema = Schema::read_from(source, "a.xsd", &Options::default())?;
    /// let Some(TypeId::Complex(ty)) = schema.find_type("", "t") else { panic!() };
    /// let model = schema.model(ty);
    /// let (mut place, mut counts, mut turns) = (Place::START, vec![0; model.counters()], Vec::new());
    /// for name in ["a", "b", "c"] {
    ///     let name = schema.names.find("", name).unwrap();
    ///     let transition = model.step(&schema, place, name, NamespaceId::NONE, &mut counts).unwrap();
    ///     let turn = model.turn(place, transition);
    ///     turns.push((turn.ended.len(), turn.begun.len(), transition.again.is_some()));
    ///     place = transition.place();
    /// }
    /// // The sequence and the choice begin; the choice begins again; the choice ends.
    /// assert_eq!(turns, [(0, 2, false), (0, 0, true), (1, 0, false)]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn turn(&self, from: Place, transition: Transition) -> Turn {
        let to = transition.to;
        let meeting = match (transition.again, from.node()) {
            (Some(again), _) => again.0,
            (None, None) => NONE,
            (None, Some(from)) => {
                let mut node = from.0;
                while !self.holds(node, to.0) {
                    node = self.nodes[node as usize].written_parent;
                }
                node
            }
        };
        let within = |leaf: NodeId| {
            let around = std::iter::successors((leaf.0 != meeting).then_some(leaf), |node| self.parent(*node));
            around.skip(1).take_while(move |node| node.0 != meeting)
        };
        let mut begun: SmallVec<[NodeId; 4]> = within(to).collect();
        begun.reverse();
        Turn { ended: from.node().map(|from| within(from).collect()).unwrap_or_default(), begun }
    }
}

impl Transition {
    /// The place after the transition.
    #[must_use]
    pub fn place(self) -> Place {
        Place(self.to.0)
    }
}
