//! Substitution groups (Part 1 sections 3.3.6 and 2.2.2.2).

use tam::Error;

use super::Builder;
use crate::components::{Derivations, ElementId, Schema};

impl Builder<'_> {
    /// Finds the elements that may substitute others.
    pub(super) fn resolve_substitution(&mut self) -> Result<(), Error> {
        let mut pairs: Vec<(ElementId, ElementId)> = Vec::new();
        for (id, element) in self.schema.elements.iter() {
            let Some(head) = element.substitution_head else { continue };
            self.check_member_type(id, head)?;
            let mut around = Some(head);
            let mut levels = 0_usize;
            while let Some(head) = around {
                levels += 1;
                let limits = [
                    (self.options.limits.depth, levels, "depth"),
                    (self.options.particles, pairs.len() + 1, "particles"),
                ];
                if let Some((most, _, name)) = limits.into_iter().find(|(most, count, _)| *count > *most as usize) {
                    let error = Error::limit("xsd", 0, "more heads of heads of substitution groups", name, most.into());
                    return Err(self.error_at(element.position, error));
                }
                pairs.push((head, id));
                around = self.schema.elements[head].substitution_head;
            }
        }
        self.schema.has_substitution = !pairs.is_empty();
        for (head, member) in pairs {
            if !may_substitute(&self.schema, head, member) {
                continue;
            }
            self.schema.substitutions.insert((head, member));
            if !self.schema.elements[member].is_abstract {
                self.schema.elements[head].substitutes.push(member);
            }
        }
        Ok(())
    }

    /// Checks that a member's type is derived from its head's in a way that the head allows (section 3.3.6, element
    /// declaration properties correct).
    fn check_member_type(&self, member: ElementId, head: ElementId) -> Result<(), Error> {
        let (member, head) = (&self.schema.elements[member], &self.schema.elements[head]);
        if self.schema.is_derived(member.ty, head.ty, head.exclusions) {
            return Ok(());
        }
        let found = format!("the type of {}", self.shown(Some(member.name)));
        let head = self.shown(Some(head.name));
        let expected = format!("a type derived from that of its head {head} in a way that is not excluded");
        Err(self.fault_at(member.position, found, expected))
    }
}

/// Section 3.3.6, substitution group OK (transitive).
fn may_substitute(schema: &Schema, head: ElementId, member: ElementId) -> bool {
    let (head, member) = (&schema.elements[head], &schema.elements[member]);
    if head.disallowed.has(Derivations::SUBSTITUTION) {
        return false;
    }
    let blocked = head.disallowed.with(schema.blocked_between(member.ty, head.ty));
    schema.is_derived(member.ty, head.ty, blocked)
}
