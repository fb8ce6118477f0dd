//! Header blocks (SOAP 1.1 section 4.2, SOAP 1.2 part 1 section 5.2).

use text::xml::{Event, Options, Reader};
use xml::escape::{self, Context};
use xml::name::split;
use xsd::wsdl::SoapVersion;

use crate::service::Name;

/// The start tag of a header block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    /// A block of a name that its last receiver may pass over.
    #[must_use]
    pub fn new(name: Name) -> Header {
        Header { name, ..Header::default() }
    }

    /// The same for an `actor` or `role`.
    #[must_use]
    pub fn to(mut self, actor: impl Into<String>) -> Header {
        self.actor = actor.into();
        self
    }

    /// The same, which must be understood.
    #[must_use]
    pub fn that_must_be_understood(mut self) -> Header {
        self.must_understand = true;
        self
    }

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

    /// The attributes of SOAP that it has, each with a space before it, under a prefix that an element does not declare.
    pub(crate) fn attributes(&self, version: SoapVersion, element: &str) -> String {
        let (one, actor) = match version {
            SoapVersion::Soap11 => ("1", "actor"),
            SoapVersion::Soap12 => ("true", "role"),
        };
        let must = if self.must_understand { Some(("mustUnderstand", one)) } else { None };
        let actor = if self.actor.is_empty() { None } else { Some((actor, &self.actor[..])) };
        if must.or(actor).is_none() {
            return String::new();
        }
        let Ok(mut reader) = Reader::from_text(element, &Options::default()) else { return String::new() };
        let Ok(Some(Event::Start(tag))) = reader.next_event() else { return String::new() };
        let mut prefixes = (0..).map(|number| format!("soap{number}"));
        let prefix = prefixes.find(|prefix| tag.declared(prefix).is_none()).unwrap_or_default();
        let mut text = format!(" xmlns:{prefix}=\"{}\"", version.namespace()).into_bytes();
        for (name, value) in must.into_iter().chain(actor) {
            text.extend_from_slice(format!(" {prefix}:{name}=\"").as_bytes());
            escape::push(&mut text, value, Context::Attribute);
            text.push(b'"');
        }
        String::from_utf8_lossy(&text).into_owned()
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
