//! The envelope up to the message in its body, the fast way.

use std::sync::Arc;

use xml::white_space::trim;

use crate::markup::scan::{RawName, Scanner, Unusual};
use crate::markup::scope::{Scope, Tag};
use crate::schema::Name;
use crate::schema::compiled::{Compiled, Uri};
use crate::soap::envelope::{Header, Version};

/// What comes before the message.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub(crate) version: Version,
    pub(crate) headers: Vec<Header>,
    pub(crate) envelope: RawName,
    pub(crate) body: RawName,
    /// Where the message's element begins.
    pub(crate) at: usize,
}

/// Reads up to the message's start tag; the namespaces in scope there are left in `scope`.
pub(crate) fn read(
    scanner: &mut Scanner<'_>,
    scope: &mut Scope,
    schema: &Compiled,
    depth: u32,
) -> Result<Head, Unusual> {
    scope.clear();
    scanner.prolog()?;
    let envelope = scope.open(scanner, schema)?;
    let version = match envelope.uri {
        Uri::SOAP_11 => Version::Soap11,
        Uri::SOAP_12 => Version::Soap12,
        _ => return Err(Unusual),
    };
    let is = |tag: &Tag, scanner: &Scanner<'_>, local: &[u8]| {
        tag.uri == envelope.uri && !tag.empty && scanner.slice(tag.name.local, tag.name.end) == local
    };
    if !is(&envelope, scanner, b"Envelope") {
        return Err(Unusual);
    }
    scanner.between()?;
    let mut tag = scope.open(scanner, schema)?;
    let (mut headers, mut namespaces) = (Vec::new(), Namespaces::new());
    if is(&tag, scanner, b"Header") {
        loop {
            scanner.between()?;
            if scanner.rest().starts_with(b"</") {
                break;
            }
            headers.push(block(scanner, scope, schema, version, depth, &mut namespaces)?);
        }
        scanner.end_tag(&tag.name)?;
        scope.close(tag.mark);
        scanner.between()?;
        tag = scope.open(scanner, schema)?;
    }
    if !is(&tag, scanner, b"Body") {
        return Err(Unusual);
    }
    scanner.between()?;
    Ok(Head { version, headers, envelope: envelope.name, body: tag.name, at: scanner.at })
}

/// What comes after the message.
pub(crate) fn finish(scanner: &mut Scanner<'_>, head: &Head) -> Result<(), Unusual> {
    for name in [&head.body, &head.envelope] {
        scanner.between()?;
        scanner.end_tag(name)?;
    }
    scanner.between()?;
    if scanner.peek().is_some() { Err(Unusual) } else { Ok(()) }
}

/// The namespaces that are declared around header blocks, by the places of their names: blocks share them.
type Namespaces = Vec<((usize, usize), Arc<str>)>;

/// One header block, passed over.
fn block(
    scanner: &mut Scanner<'_>,
    scope: &mut Scope,
    schema: &Compiled,
    version: Version,
    depth: u32,
    namespaces: &mut Namespaces,
) -> Result<Header, Unusual> {
    let start = scanner.at;
    let first = scope.open(scanner, schema)?;
    let soap = if version == Version::Soap11 { Uri::SOAP_11 } else { Uri::SOAP_12 };
    let attribute = |local: &[u8], scope: &Scope, scanner: &Scanner<'_>| {
        let (start, end) = scope.attribute(soap, local, scanner).unwrap_or((0, 0));
        trim(str::from_utf8(scanner.slice(start, end)).unwrap_or("")).to_owned()
    };
    let must = attribute(b"mustUnderstand", scope, scanner);
    let actor = attribute(if version == Version::Soap11 { b"actor" } else { b"role" }, scope, scanner);
    let place = scope.namespace(scanner, &first);
    let namespace = match namespaces.iter().find(|(known, _)| *known == place) {
        Some((_, namespace)) => namespace.clone(),
        None => {
            let namespace: Arc<str> = text(scanner.slice(place.0, place.1)).into();
            if place.1 <= start {
                namespaces.push((place, namespace.clone()));
            }
            namespace
        }
    };
    if namespace.is_empty() {
        return Err(Unusual);
    }
    let name = Name::new(namespace, text(scanner.slice(first.name.local, first.name.end)));
    let mut open = vec![first];
    while let Some(tag) = open.last() {
        if tag.empty {
            scope.close(tag.mark);
            open.pop();
            continue;
        }
        scanner.content_between()?;
        if scanner.rest().starts_with(b"</") {
            scanner.end_tag(&tag.name)?;
            scope.close(tag.mark);
            open.pop();
        } else if open.len() as u32 + 2 >= depth {
            return Err(Unusual);
        } else {
            open.push(scope.open(scanner, schema)?);
        }
    }
    Ok(Header { name, must_understand: must == "1" || must == "true", actor, range: start..scanner.at })
}

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap_or("")
}
