//! The body of a SOAP envelope as a document of its own.

use tam::xml::{Element, copy_alone};
use tam::{Document, Error, Node, Table, TypeSet};
use xml::name::split;
use xml::namespaces::declared;

use crate::collect::{refused, root_name};
use crate::envelope::SOAP;

const SOAP_12: &str = "http://www.w3.org/2003/05/soap-envelope";

/// The only element in the body of a SOAP envelope, with the namespaces that are declared around it; `None` if the
/// document is no SOAP envelope. [`append`](crate::append) makes this a table with [`Options::soap`](crate::Options::soap),
/// because it writes such an envelope around the table.
///
/// # Errors
/// Of kind unsupported, with the reason, if the envelope has more than that: a header, attributes, another number of
/// elements, comments, or if it is one of SOAP 1.2.
pub fn soap_body<'a>(document: &Document<'_>, table: &'a mut Table<'_>) -> Result<Option<Document<'a>>, Error> {
    const WHOLE: &str = "an envelope of SOAP 1.1 with nothing but one element in its body; without SOAP around the table, all \
                         of the document becomes a table";
    let Some(root) = tam::xml::root(document).map(|root| root.node()) else { return Ok(None) };
    let (uri, local) = root_name(document)?;
    if local != "Envelope" || !matches!(&uri[..], SOAP | SOAP_12) {
        return Ok(None);
    }
    if uri == SOAP_12 {
        return Err(refused(&root, "an envelope of SOAP 1.2", WHOLE));
    }
    let name = root.name().to_text();
    let (prefix, _) = split(&name);
    // Outer declarations first.
    let mut declarations: Vec<Node<'_>> = Vec::new();
    let mut around = root;
    let mut is_body = false;
    let element = loop {
        let mut inside = None;
        for child in around.children() {
            match child.kind() {
                b'=' => {
                    for attribute in child.children() {
                        if declared(&attribute.name().to_text()).is_none() {
                            return Err(refused(&attribute, format!("the attribute {}", attribute.name()), WHOLE));
                        }
                        declarations.push(attribute);
                    }
                }
                b'<' => {
                    let name = child.name().to_text();
                    if inside.is_some() {
                        return Err(refused(&child, format!("a second element, {name}"), WHOLE));
                    }
                    if !is_body && split(&name) != (prefix, "Body") {
                        return Err(refused(&child, format!("the element {name}"), WHOLE));
                    }
                    inside = Some(child);
                }
                b'[' | b']' if xml::chars::is_white(child.value()) => {}
                kind => return Err(refused(&child, tam::xml::unit(kind), WHOLE)),
            }
        }
        let Some(inside) = inside else {
            return Err(refused(&around, format!("{} without an element", around.name()), WHOLE));
        };
        if is_body {
            break inside;
        }
        (around, is_body) = (inside, true);
    };
    // The envelope's own prefix has no meaning inside.
    declarations.retain(|one| one.value() != SOAP.as_bytes());
    let Some(element) = Element::new(element) else { return Ok(None) };
    copy_alone(element, &declarations, table)?;
    Ok(Some(table.document(b"", TypeSet::XML)))
}
