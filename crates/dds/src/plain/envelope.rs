//! The envelope of a message read as a tree.

use tam::{Error, ErrorKind};

use super::bind;
use super::tree::{Tree, is_blank};
use crate::envelope::{Body, Fault, Header, Message, SOAP_11, SOAP_12, Version};
use crate::lexical::trim;
use crate::options::Options;
use crate::schema::{Name, Schema, Style};

/// What a tree says.
pub(crate) fn read(tree: &Tree<'_>, schema: &Schema, options: &Options) -> Result<Message, Error> {
    let root = &tree.nodes[0];
    let version = match tree.namespace(&root.name) {
        SOAP_11 if root.name.local == "Envelope" => Version::Soap11,
        SOAP_12 if root.name.local == "Envelope" => Version::Soap12,
        namespace => {
            let kind = if root.name.local == "Envelope" { ErrorKind::Unsupported } else { ErrorKind::Schema };
            let found = format!("'{}' of the namespace '{namespace}'", root.name.local);
            return Err(tree.error(kind, 0, found, "an Envelope of SOAP 1.1 or 1.2"));
        }
    };
    let soap = if version == Version::Soap11 { SOAP_11 } else { SOAP_12 };
    check_blank(tree, 0)?;
    let mut children = root.children.iter().copied().peekable();
    let mut headers = Vec::new();
    if let Some(node) = children.next_if(|&node| tree.is(&tree.nodes[node].name, soap, "Header")) {
        headers = read_headers(tree, node, soap, version)?;
    }
    let Some(body) = children.next_if(|&node| tree.is(&tree.nodes[node].name, soap, "Body")) else {
        let at = children.next().unwrap_or(0);
        return Err(tree.error(ErrorKind::Schema, at, "no body", "the Body of the envelope"));
    };
    for after in children {
        let name = &tree.nodes[after].name;
        if version == Version::Soap12 || name.namespace == 0 || tree.namespace(name) == soap {
            let expected = "nothing behind the Body";
            return Err(tree.error(ErrorKind::Schema, after, format!("'{}'", name.local), expected));
        }
    }
    Ok(Message { version, headers, body: read_body(tree, body, soap, schema, options)? })
}

fn read_headers(tree: &Tree<'_>, node: usize, soap: &str, version: Version) -> Result<Vec<Header>, Error> {
    check_blank(tree, node)?;
    let block = |&node: &usize| {
        let block = &tree.nodes[node];
        if block.name.namespace == 0 {
            let expected = "a header block of a namespace";
            return Err(tree.error(ErrorKind::Schema, node, format!("'{}'", block.name.local), expected));
        }
        let value = |name: &str| tree.attribute(node, soap, name).map_or("", |attribute| attribute.value.as_str());
        let must = trim(value("mustUnderstand"));
        Ok(Header {
            name: Name::new(tree.namespace(&block.name), block.name.local.as_str()),
            must_understand: must == "1" || must == "true",
            actor: trim(value(if version == Version::Soap11 { "actor" } else { "role" })).to_owned(),
            range: block.start..block.end,
        })
    };
    tree.nodes[node].children.iter().map(block).collect()
}

fn read_body(tree: &Tree<'_>, node: usize, soap: &str, schema: &Schema, options: &Options) -> Result<Body, Error> {
    check_blank(tree, node)?;
    let Some((&first, others)) = tree.nodes[node].children.split_first() else {
        return Err(tree.error(ErrorKind::Schema, node, "an empty body", "a message of the service"));
    };
    let name = &tree.nodes[first].name;
    let is_fault = tree.is(name, soap, "Fault");
    let namespace = tree.namespace(name);
    let named = |method: &crate::schema::Method| method.name.local == name.local && method.name.namespace == namespace;
    let method = schema.methods().iter().position(named);
    let style = method.map(|method| schema.methods()[method].style);
    if style.is_none() && !is_fault {
        let found = format!("'{}'", Name::new(namespace, name.local.as_str()));
        return Err(tree.error(ErrorKind::Schema, first, found, "a message of the service"));
    }
    if style == Some(Style::Encoded) && soap == SOAP_12 && !is_fault {
        let found = format!("'{}' in the encoding of SOAP 1.2", name.local);
        return Err(tree.error(ErrorKind::Unsupported, first, found, "an encoded message in SOAP 1.1"));
    }
    for &other in others {
        if style != Some(Style::Encoded) || tree.attribute(other, "", "id").is_none() {
            let found = format!("'{}'", tree.nodes[other].written);
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
    let child = |local: &str| {
        let is = |&&child: &&usize| tree.is(&tree.nodes[child].name, "", local);
        tree.nodes[node].children.iter().find(is).copied()
    };
    let text = |local| child(local).map_or(String::new(), |child| trim(&tree.nodes[child].text).to_owned());
    let Some(code) = child("faultcode") else {
        return Err(tree.error(ErrorKind::Schema, node, "a fault without a code", "faultcode"));
    };
    Ok(Fault {
        code: code_of(tree, code),
        reason: text("faultstring"),
        actor: text("faultactor"),
        detail: child("detail").map(|detail| tree.nodes[detail].start..tree.nodes[detail].end),
    })
}

/// SOAP 1.2 part 1 section 5.4.
fn fault_12(tree: &Tree<'_>, node: usize, soap: &str) -> Result<Fault, Error> {
    let child = |node: usize, local: &str| {
        let is = |&&child: &&usize| tree.is(&tree.nodes[child].name, soap, local);
        tree.nodes[node].children.iter().find(is).copied()
    };
    let text = |node: Option<usize>| node.map_or(String::new(), |node| trim(&tree.nodes[node].text).to_owned());
    let Some(code) = child(node, "Code").and_then(|code| child(code, "Value")) else {
        return Err(tree.error(ErrorKind::Schema, node, "a fault without a code", "Code and its Value"));
    };
    Ok(Fault {
        code: code_of(tree, code),
        reason: text(child(node, "Reason").and_then(|reason| child(reason, "Text"))),
        actor: text(child(node, "Role")),
        detail: child(node, "Detail").map(|detail| tree.nodes[detail].start..tree.nodes[detail].end),
    })
}

fn code_of(tree: &Tree<'_>, node: usize) -> Name {
    match &tree.nodes[node].text_qname {
        Some(name) => Name::new(tree.namespace(name), name.local.as_str()),
        None => Name::new("", trim(&tree.nodes[node].text)),
    }
}

/// No text may stand in an element, only elements.
pub(crate) fn check_blank(tree: &Tree<'_>, node: usize) -> Result<(), Error> {
    let this = &tree.nodes[node];
    if is_blank(&this.text) {
        return Ok(());
    }
    let error = Error::new(ErrorKind::Schema, "soap", 0, "text", "elements alone");
    Err(tree.error_at(this.text_at.unwrap_or(this.start), error, node))
}
