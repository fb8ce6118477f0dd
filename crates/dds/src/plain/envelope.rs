//! The envelope of a message read as a tree.

use tam::{Error, ErrorKind};
use xml::white_space::trim;

use super::bind;
use super::tree::{Tree, check_blank};
use crate::options::Options;
use crate::schema::{Name, Schema, Style};
use crate::soap::envelope::{Body, Fault, Header, Message, SOAP_11, SOAP_12, Version};

/// What a tree says.
pub(crate) fn read(tree: &Tree<'_>, schema: &Schema, options: &Options) -> Result<Message, Error> {
    let root = tree.nodes[0].name;
    let version = match (tree.namespace(root), tree.local(root)) {
        (SOAP_11, "Envelope") => Version::Soap11,
        (SOAP_12, "Envelope") => Version::Soap12,
        (namespace, local) => {
            let kind = if local == "Envelope" { ErrorKind::Unsupported } else { ErrorKind::Schema };
            let found = format!("'{local}' of the namespace '{namespace}'");
            return Err(tree.error(kind, 0, found, "an Envelope of SOAP 1.1 or 1.2"));
        }
    };
    let soap = if version == Version::Soap11 { SOAP_11 } else { SOAP_12 };
    check_blank(tree, 0)?;
    let mut children = tree.children(0).peekable();
    let mut headers = Vec::new();
    if let Some(node) = children.next_if(|&node| tree.is(tree.nodes[node].name, soap, "Header")) {
        headers = read_headers(tree, node, soap, version)?;
    }
    let Some(body) = children.next_if(|&node| tree.is(tree.nodes[node].name, soap, "Body")) else {
        let at = children.next().unwrap_or(0);
        return Err(tree.error(ErrorKind::Schema, at, "no body", "the Body of the envelope"));
    };
    for after in children {
        let name = tree.nodes[after].name;
        if version == Version::Soap12 || name.namespace == 0 || tree.namespace(name) == soap {
            let expected = "nothing after the Body";
            return Err(tree.error(ErrorKind::Schema, after, format!("'{}'", tree.local(name)), expected));
        }
    }
    Ok(Message { version, headers, body: read_body(tree, body, soap, schema, options)? })
}

fn read_headers(tree: &Tree<'_>, node: usize, soap: &str, version: Version) -> Result<Vec<Header>, Error> {
    check_blank(tree, node)?;
    let block = |node: usize| {
        let block = tree.nodes[node].name;
        if block.namespace == 0 {
            let expected = "a header block of a namespace";
            return Err(tree.error(ErrorKind::Schema, node, format!("'{}'", tree.local(block)), expected));
        }
        let value =
            |name: &str| tree.attribute(node, tree.name(soap, name)).map_or("", |attribute| tree.value(attribute));
        let must = trim(value("mustUnderstand"));
        Ok(Header {
            name: tree.qualified(block),
            must_understand: must == "1" || must == "true",
            actor: trim(value(if version == Version::Soap11 { "actor" } else { "role" })).to_owned(),
            range: tree.range(node),
        })
    };
    tree.children(node).map(block).collect()
}

fn read_body(tree: &Tree<'_>, node: usize, soap: &str, schema: &Schema, options: &Options) -> Result<Body, Error> {
    check_blank(tree, node)?;
    let mut children = tree.children(node);
    let Some(first) = children.next() else {
        return Err(tree.error(ErrorKind::Schema, node, "an empty body", "a message of the service"));
    };
    let name = tree.nodes[first].name;
    let is_fault = tree.is(name, soap, "Fault");
    let (namespace, local) = (tree.namespace(name), tree.local(name));
    let named = |method: &crate::schema::Method| method.name.local == local && *method.name.namespace == *namespace;
    let method = schema.methods().iter().position(named).filter(|&method| !schema.refuses(method));
    let style = method.map(|method| schema.methods()[method].style);
    if style.is_none() && !is_fault {
        let found = format!("'{}'", Name::new(namespace, local));
        return Err(tree.error(ErrorKind::Schema, first, found, "a message of the service"));
    }
    if style == Some(Style::Encoded) && soap == SOAP_12 && !is_fault {
        let found = format!("'{local}' in the encoding of SOAP 1.2");
        return Err(tree.error(ErrorKind::Unsupported, first, found, "an encoded message in SOAP 1.1"));
    }
    for other in children {
        if style != Some(Style::Encoded) || tree.attribute(other, tree.name("", "id")).is_none() {
            let found = format!("'{}'", tree.written(other));
            return Err(tree.error(ErrorKind::Schema, other, found, "one message in the body"));
        }
    }
    match method.filter(|_| !is_fault) {
        Some(method) => Ok(Body::Call { method, value: bind::read(tree, first, schema, method, options)? }),
        None if soap == SOAP_11 => Ok(Body::Fault(fault_11(tree, first)?)),
        None => Ok(Body::Fault(fault_12(tree, first, soap)?)),
    }
}

/// SOAP 1.1 section 4.4.
fn fault_11(tree: &Tree<'_>, node: usize) -> Result<Fault, Error> {
    let child = |local: &str| tree.children(node).find(|&child| tree.is(tree.nodes[child].name, "", local));
    let text = |local| child(local).map_or(String::new(), |child| trim(tree.text(child)).to_owned());
    let Some(code) = child("faultcode") else {
        return Err(tree.error(ErrorKind::Schema, node, "a fault without a code", "faultcode"));
    };
    Ok(Fault {
        code: code_of(tree, code),
        reason: text("faultstring"),
        actor: text("faultactor"),
        detail: child("detail").map(|detail| tree.range(detail)),
    })
}

/// SOAP 1.2 part 1 section 5.4.
fn fault_12(tree: &Tree<'_>, node: usize, soap: &str) -> Result<Fault, Error> {
    let child =
        |node: usize, local: &str| tree.children(node).find(|&child| tree.is(tree.nodes[child].name, soap, local));
    let text = |node: Option<usize>| node.map_or(String::new(), |node| trim(tree.text(node)).to_owned());
    let Some(code) = child(node, "Code").and_then(|code| child(code, "Value")) else {
        return Err(tree.error(ErrorKind::Schema, node, "a fault without a code", "Code and its Value"));
    };
    Ok(Fault {
        code: code_of(tree, code),
        reason: text(child(node, "Reason").and_then(|reason| child(reason, "Text"))),
        actor: text(child(node, "Role")),
        detail: child(node, "Detail").map(|detail| tree.range(detail)),
    })
}

fn code_of(tree: &Tree<'_>, node: usize) -> Name {
    match tree.code(node) {
        Some(name) => tree.qualified(name),
        None => Name::new("", trim(tree.text(node))),
    }
}
