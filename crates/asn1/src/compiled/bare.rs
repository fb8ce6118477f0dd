//! Types of times by an XML Schema: a CHOICE of a type of ASN.1, which most values are of, and of text for the others (X.694
//! Annex A). In JSON a value is its text.

use xml::calendar::{Duration, Time, TimeKind};

use super::Compiled;
use super::node::{Alternative, Choice, Kind, Node, NodeId};

impl Compiled {
    /// Finds the types of times that X.694 Annex A defines.
    pub(super) fn find_bare_choices(&mut self) {
        const NAMES: [&str; 2] = ["asn1supportedvalue", "othervalues"];
        let Compiled { nodes, choices, .. } = self;
        let is_text =
            |of: &Alternative| matches!(nodes.get(of.node.0 as usize), Some(Node { kind: Kind::Text(_), .. }));
        for Choice { alternatives, is_bare, .. } in choices {
            *is_bare = alternatives.iter().map(|of| &of.name[..]).eq(NAMES) && alternatives.iter().all(is_text);
        }
    }

    /// The first alternative of a CHOICE that is a type of characters and allows a text.
    pub(crate) fn alternative_of(&self, choice: u32, text: &str) -> Option<(u32, &Alternative)> {
        let allows = |node| match self.node(node).kind {
            Kind::Text(number) => {
                let ty = self.characters(number);
                self.misfit(ty, text).is_none()
                    && ty.time.as_ref().is_none_or(|time| time.stored(text).is_ok())
                    && (ty.size.extensible || self.allows_size(&ty.size, text.chars().count() as u64))
            }
            _ => false,
        };
        let Choice { alternatives, is_bare, .. } = self.choice(choice);
        let (index, found) = (0..).zip(alternatives).find(|(_, alternative)| allows(alternative.node))?;
        // What the first does not hold must be a value of the type in XML all the same.
        let is_value = !is_bare || index == 0 || self.is_time_of_xml(alternatives.first()?.node, text);
        is_value.then_some((index, found))
    }

    /// Whether a text is a value of the type of XML Schema whose most values are of a type of TIME.
    fn is_time_of_xml(&self, node: NodeId, text: &str) -> bool {
        const TIMES: [(TimeKind, &str); 3] =
            [(TimeKind::Date, "2004-04-12"), (TimeKind::GYearMonth, "2004-04"), (TimeKind::GYear, "2004")];
        let holds = |sample| self.time_text(node, sample).is_some();
        let is_time = |(kind, sample)| holds(sample) && Time::parse(kind, text).is_some();
        TIMES.into_iter().any(is_time) || holds("P1Y") && Duration::parse(text).is_some()
    }
}
