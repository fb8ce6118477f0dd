//! Whether a type is derived from another (Part 1 sections 3.4.6 and 3.14.6, type derivation OK).

use super::{Builtin, Derivation, Derivations, Schema, SimpleId, TypeId, Variety};

impl Schema {
    /// Whether a type is equal to another, or derived from it without a blocked step. A member of a union counts as
    /// derived from the union.
    #[must_use]
    pub fn is_derived(&self, derived: TypeId, base: TypeId, blocked: Derivations) -> bool {
        self.is_derived_counted(derived, base, blocked, &mut 0)
    }

    /// Like [`Schema::is_derived`], and adds the number of steps to `walked`.
    pub(crate) fn is_derived_counted(
        &self,
        derived: TypeId,
        base: TypeId,
        blocked: Derivations,
        walked: &mut u64,
    ) -> bool {
        self.steps(derived, base, walked).is_some_and(|steps| !steps.has(blocked))
    }

    /// The derivation methods from a type to its base or ancestor; `None` if it is not derived from it.
    fn steps(&self, derived: TypeId, base: TypeId, walked: &mut u64) -> Option<Derivations> {
        let members = match base {
            TypeId::Simple(id) => match &self.simple_types[id].variety {
                Variety::Union(members) => members.len() as u64,
                _ => 0,
            },
            TypeId::Complex(_) => 0,
        };
        let mut steps = Derivations::NONE;
        let mut ty = derived;
        loop {
            *walked += 1 + members / 8;
            if ty == base {
                return Some(steps);
            }
            if let (TypeId::Simple(member), TypeId::Simple(union)) = (ty, base)
                && self.is_member(member, union)
            {
                return Some(steps.with(Derivations::RESTRICTION));
            }
            if ty == TypeId::Complex(Schema::ANY_TYPE) {
                return None;
            }
            steps = steps.with(self.last_step(ty));
            ty = self.base(ty);
        }
    }

    fn is_member(&self, member: SimpleId, union: SimpleId) -> bool {
        let union = &self.simple_types[union];
        matches!(&union.variety, Variety::Union(members) if members.contains(&member)) && union.facets.is_empty()
    }

    /// How a type is derived from its base.
    fn last_step(&self, ty: TypeId) -> Derivations {
        match ty {
            TypeId::Complex(id) => match self.complex_types[id].derivation {
                Derivation::Extension => Derivations::EXTENSION,
                Derivation::Restriction => Derivations::RESTRICTION,
            },
            TypeId::Simple(id) => {
                let ty = &self.simple_types[id];
                match ty.variety {
                    Variety::List(_) if ty.base == Builtin::AnySimpleType.id() => Derivations::LIST,
                    Variety::Union(_) if ty.base == Builtin::AnySimpleType.id() => Derivations::UNION,
                    _ => Derivations::RESTRICTION,
                }
            }
        }
    }

    /// The derivations that are blocked by the types from a derived type, itself excluded, up to a base type.
    pub(crate) fn blocked_between(&self, derived: TypeId, base: TypeId) -> Derivations {
        let mut blocked = Derivations::NONE;
        let mut ty = derived;
        while ty != base && ty != TypeId::Complex(Schema::ANY_TYPE) {
            ty = self.base(ty);
            if let TypeId::Complex(id) = ty {
                blocked = blocked.with(self.complex_types[id].disallowed);
            }
        }
        blocked
    }
}
