//! Header blocks (SOAP 1.1 section 4.2, SOAP 1.2 part 1 section 5.2).

use text::xml::{Event, Options, Reader};
use xml::name::split;

use crate::service::Name;

/// The start tag of a header block.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// Its name.
    pub name: Name,
    /// Whether who it is for must understand it.
    pub must_understand: bool,
    /// Who it is for: the `actor` of SOAP 1.1, the `role` of SOAP 1.2. Empty: the last receiver.
    pub actor: String,
}

impl Header {
    /// The start tag of a block, as [`Message::headers`](crate::Message::headers) returns it; `envelope` is the namespace of
    /// the envelope. `None` if it is not well-formed.
    #[must_use]
    pub fn of(block: &str, envelope: &str) -> Option<Header> {
        let mut reader = Reader::from_text(block, &Options::default()).ok()?;
        loop {
            let Event::Start(tag) = reader.next_event().ok()?? else { continue };
            let (prefix, local) = split(tag.name());
            let of_soap = |local: &str| {
                tag.attributes().find_map(|(name, value)| {
                    let (prefix, name) = name.split_once(':')?;
                    (name == local && tag.declared(prefix) == Some(envelope)).then_some(value.trim())
                })
            };
            let namespace = tag.declared(prefix).unwrap_or_default().to_owned();
            return Some(Header {
                name: Name { namespace, local: local.to_owned() },
                must_understand: matches!(of_soap("mustUnderstand"), Some("1" | "true")),
                actor: of_soap("actor").or(of_soap("role")).unwrap_or_default().to_owned(),
            });
        }
    }

    /// Whether it must be understood by the last receiver.
    #[must_use]
    pub fn is_mandatory(&self) -> bool {
        self.must_understand && is_last_receiver(&self.actor)
    }
}

/// Whether an `actor` of SOAP 1.1 or a `role` of SOAP 1.2 includes the last receiver: none, or that of the next one.
#[must_use]
pub fn is_last_receiver(actor: &str) -> bool {
    const OURS: [&str; 4] = [
        "",
        "http://schemas.xmlsoap.org/soap/actor/next",
        "http://www.w3.org/2003/05/soap-envelope/role/next",
        "http://www.w3.org/2003/05/soap-envelope/role/ultimateReceiver",
    ];
    OURS.contains(&actor)
}
