//! The tags of a type.

use super::scope::Followed;
use crate::schema::{self, StringKind, Tag, TagClass};

/// The tags of a type, outermost first (X.680 clause 31.2).
pub(super) fn tags(followed: &Followed<'_>, automatic: Option<Tag>) -> Vec<Tag> {
    // Innermost first, reversed at the end.
    let mut tags: Vec<Tag> =
        universal(followed.kind).map(|number| Tag { class: TagClass::Universal, number }).into_iter().collect();
    let automatic = automatic.map(|tag| (tag, false));
    for (tag, explicit) in followed.tags.iter().rev().copied().chain(automatic) {
        match tags.last_mut() {
            Some(outermost) if !explicit => *outermost = tag,
            // A CHOICE has no tag that another could replace.
            _ => tags.push(tag),
        }
    }
    tags.reverse();
    tags
}

/// The universal tag of a type; `None` for a CHOICE (X.680 clause 8.6).
fn universal(kind: &schema::Kind) -> Option<u32> {
    use schema::Kind as Notation;
    Some(match kind {
        Notation::Boolean => 1,
        Notation::Integer(_) => 2,
        Notation::BitString(_) => 3,
        Notation::OctetString => 4,
        Notation::Null => 5,
        Notation::ObjectIdentifier => 6,
        Notation::Real => 9,
        Notation::Enumerated(_) => 10,
        Notation::RelativeOid => 13,
        Notation::Sequence(_) | Notation::SequenceOf(_) => 16,
        Notation::Set(_) | Notation::SetOf(_) => 17,
        Notation::String(kind) => match kind {
            StringKind::ObjectDescriptor => 7,
            StringKind::Utf8 => 12,
            StringKind::Numeric => 18,
            StringKind::Printable => 19,
            StringKind::Teletex => 20,
            StringKind::Videotex => 21,
            StringKind::Ia5 => 22,
            StringKind::UtcTime => 23,
            StringKind::GeneralizedTime => 24,
            StringKind::Graphic => 25,
            StringKind::Visible => 26,
            StringKind::General => 27,
            StringKind::Universal => 28,
            StringKind::Bmp => 30,
            StringKind::Time => 14,
            StringKind::Date => 31,
            StringKind::TimeOfDay => 32,
            StringKind::DateTime => 33,
            StringKind::Duration => 34,
        },
        _ => return None,
    })
}
