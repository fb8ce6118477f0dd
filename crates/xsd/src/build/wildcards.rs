//! Reads and combines wildcards (Part 1 section 3.10).

use tam::Error;
use xml::white_space::trim;

use super::Builder;
use crate::NamespaceId;
use crate::components::{Namespaces, Process, Wildcard, WildcardId};
use crate::documents::{Key, NodeRef};

/// The most namespaces of one wildcard. No real schema has as many.
const MOST_NAMESPACES: usize = 1000;

impl Builder<'_> {
    pub(super) fn read_wildcard(&mut self, at: NodeRef) -> Result<WildcardId, Error> {
        let target = self.target(at);
        let written = self.attribute(at, Key::Namespace).unwrap_or("##any").to_owned();
        let mut words = written.split_ascii_whitespace();
        let namespaces = match (words.clone().count(), words.clone().next()) {
            (1, Some("##any")) => Namespaces::Any,
            (1, Some("##other")) => Namespaces::Not(target),
            _ => {
                let mut some = Vec::new();
                for word in words.by_ref() {
                    let namespace = match word {
                        "##local" => NamespaceId::NONE,
                        "##targetNamespace" => target,
                        word if word.starts_with("##") => {
                            let expected = "##any, ##other, or namespaces, ##local and ##targetNamespace";
                            return Err(self.set.fault(at, format!("'{word}'"), expected));
                        }
                        word => self.schema.names.intern_uri(word),
                    };
                    if !some.contains(&namespace) {
                        some.push(namespace);
                    }
                    self.take_namespaces(at, some.len())?;
                }
                Namespaces::Only(some)
            }
        };
        let process = match self.attribute(at, Key::ProcessContents).map(trim) {
            None | Some("strict") => Process::Strict,
            Some("lax") => Process::Lax,
            Some("skip") => Process::Skip,
            Some(other) => {
                return Err(self.set.fault(at, format!("processContents='{other}'"), "strict, lax or skip"));
            }
        };
        Ok(self.schema.wildcards.push(Wildcard { namespaces, process, position: self.position(at) }))
    }

    /// The intersection of two wildcards (section 3.10.6, attribute wildcard intersection), with `processContents` of the
    /// first.
    pub(super) fn intersection(
        &mut self,
        one: WildcardId,
        other: WildcardId,
        at: NodeRef,
    ) -> Result<WildcardId, Error> {
        let (a, b) = (&self.schema.wildcards[one], &self.schema.wildcards[other]);
        let namespaces = intersection(&a.namespaces, &b.namespaces).ok_or_else(|| {
            let found = "wildcards whose intersection cannot be expressed";
            self.set.fault(at, found, "wildcards that are not both of ##other")
        })?;
        self.made(Wildcard { namespaces, ..a.clone() }, at)
    }

    /// Adds a wildcard that was computed from others.
    fn made(&mut self, wildcard: Wildcard, at: NodeRef) -> Result<WildcardId, Error> {
        if let Namespaces::Only(some) = &wildcard.namespaces {
            self.take_namespaces(at, some.len())?;
            self.facet_room = self.facet_room.saturating_sub(some.len());
        }
        Ok(self.schema.wildcards.push(wildcard))
    }

    /// Checks the number of a wildcard's namespaces, which are searched one by one.
    fn take_namespaces(&self, at: NodeRef, count: usize) -> Result<(), Error> {
        match count <= MOST_NAMESPACES.min(self.facet_room) {
            true => Ok(()),
            false => {
                let most = MOST_NAMESPACES as u64;
                Err(self.set.placed(at, Error::limit("xsd", 0, "a wildcard of more namespaces", "namespaces", most)))
            }
        }
    }

    /// The union of two wildcards (section 3.10.6, attribute wildcard union), with `processContents` of the first.
    pub(super) fn union(&mut self, one: WildcardId, other: WildcardId, at: NodeRef) -> Result<WildcardId, Error> {
        let (a, b) = (&self.schema.wildcards[one], &self.schema.wildcards[other]);
        let namespaces = union(&a.namespaces, &b.namespaces).ok_or_else(|| {
            self.set.fault(at, "a wildcard whose union with the base's cannot be expressed", "one whose union can be")
        })?;
        self.made(Wildcard { namespaces, ..a.clone() }, at)
    }
}

fn intersection(a: &Namespaces, b: &Namespaces) -> Option<Namespaces> {
    Some(match (a, b) {
        (Namespaces::Any, other) | (other, Namespaces::Any) => other.clone(),
        (Namespaces::Only(some), other) | (other, Namespaces::Only(some)) => {
            Namespaces::Only(some.iter().copied().filter(|namespace| other.allows(*namespace)).collect())
        }
        (Namespaces::Not(a), Namespaces::Not(b)) if a == b => Namespaces::Not(*a),
        // `Not(NONE)` excludes only names without a namespace; `Not(other)` excludes these as well.
        (Namespaces::Not(NamespaceId::NONE), Namespaces::Not(other))
        | (Namespaces::Not(other), Namespaces::Not(NamespaceId::NONE)) => Namespaces::Not(*other),
        (Namespaces::Not(_), Namespaces::Not(_)) => return None,
    })
}

fn union(a: &Namespaces, b: &Namespaces) -> Option<Namespaces> {
    Some(match (a, b) {
        (Namespaces::Any, _) | (_, Namespaces::Any) => Namespaces::Any,
        (Namespaces::Only(a), Namespaces::Only(b)) => {
            let more = b.iter().filter(|namespace| !a.contains(namespace));
            Namespaces::Only(a.iter().chain(more).copied().collect())
        }
        (Namespaces::Not(a), Namespaces::Not(b)) if a == b => Namespaces::Not(*a),
        (Namespaces::Not(_), Namespaces::Not(_)) => Namespaces::Not(NamespaceId::NONE),
        (Namespaces::Not(not), Namespaces::Only(some)) | (Namespaces::Only(some), Namespaces::Not(not)) => {
            let (has_not, has_none) = (some.contains(not), some.contains(&NamespaceId::NONE));
            match (has_not, has_none) {
                (true, true) => Namespaces::Any,
                (true, false) => Namespaces::Not(NamespaceId::NONE),
                (false, true) if *not != NamespaceId::NONE => return None,
                _ => Namespaces::Not(*not),
            }
        }
    })
}

impl Process {
    /// Increases with the strictness.
    pub(crate) fn strictness(self) -> u8 {
        match self {
            Process::Skip => 0,
            Process::Lax => 1,
            Process::Strict => 2,
        }
    }
}

impl Namespaces {
    /// Whether others allow all these namespaces (section 3.10.6, wildcard subset).
    pub(crate) fn within(&self, others: &Namespaces) -> bool {
        match (self, others) {
            (_, Namespaces::Any) => true,
            (Namespaces::Any, _) => false,
            (Namespaces::Not(a), Namespaces::Not(b)) => a == b || *b == NamespaceId::NONE,
            (Namespaces::Not(_), Namespaces::Only(_)) => false,
            (Namespaces::Only(some), others) => some.iter().all(|namespace| others.allows(*namespace)),
        }
    }
}
