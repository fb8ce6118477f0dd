//! Reads the SOAP extensions of a binding (WSDL section 3, and its counterpart for SOAP 1.2).

use tam::Error;
use xml::white_space::words;

use super::documents::{Documents, NodeRef};
use super::model::{BodyUse, Bound, HeaderPart, Message, Soap, SoapVersion, Style, Use};
use crate::{Name, Names};

const SOAP_11: &str = "http://schemas.xmlsoap.org/wsdl/soap/";
const SOAP_12: &str = "http://schemas.xmlsoap.org/wsdl/soap12/";

/// A SOAP binding whose operations are being read.
pub(super) struct Binding<'d> {
    documents: &'d Documents,
    names: &'d Names,
    namespace: &'static str,
    style: Style,
    pub(super) soap: Soap,
}

impl<'d> Binding<'d> {
    /// Reads the SOAP binding of a `wsdl:binding`; `None` if it has another protocol.
    pub(super) fn read(documents: &'d Documents, names: &'d Names, at: NodeRef) -> Result<Option<Binding<'d>>, Error> {
        for (namespace, version) in [(SOAP_11, SoapVersion::Soap11), (SOAP_12, SoapVersion::Soap12)] {
            let Some(found) = child(documents, names, at, namespace, "binding") else { continue };
            let style = style(documents, names, found)?.unwrap_or(Style::Document);
            let transport = documents.attribute(found, names, "transport").unwrap_or("").to_owned();
            let soap = Soap { version, transport };
            return Ok(Some(Binding { documents, names, namespace, style, soap }));
        }
        Ok(None)
    }

    /// Reads an operation, given its index in the port type and those of its messages.
    pub(super) fn operation(
        &self,
        at: NodeRef,
        operation: usize,
        (input, output): (Option<usize>, Option<usize>),
        messages: &Messages<'_>,
    ) -> Result<Bound, Error> {
        let (documents, names) = (self.documents, self.names);
        let (mut action, mut own) = (String::new(), self.style);
        if let Some(extension) = child(documents, names, at, self.namespace, "operation") {
            action = documents.attribute(extension, names, "soapAction").unwrap_or("").to_owned();
            own = style(documents, names, extension)?.unwrap_or(own);
        }
        let input = self.body(at, "input", input, messages)?;
        let output = self.body(at, "output", output, messages)?;
        Ok(Bound { operation, action, style: own, input, output, place: documents.place(at) })
    }

    fn body(
        &self,
        at: NodeRef,
        direction: &str,
        message: Option<usize>,
        messages: &Messages<'_>,
    ) -> Result<Option<BodyUse>, Error> {
        let (documents, names) = (self.documents, self.names);
        let Some(message) = message else { return Ok(None) };
        let Some(&carried) = documents.children(at, names, direction).first() else { return Ok(None) };
        let Some(body) = child(documents, names, carried, self.namespace, "body") else { return Ok(None) };
        let attribute = |local: &str| documents.attribute(body, names, local);
        let style = match attribute("use") {
            None | Some("literal") => Use::Literal,
            Some("encoded") => Use::Encoded,
            Some(other) => return Err(documents.fault(body, format!("use='{other}'"), "literal or encoded")),
        };
        let list = attribute("parts").map(words);
        let parts = list.map(|list| list.map(|name| self.part(body, messages, message, name)).collect());
        let own = |local: &str| attribute(local).unwrap_or("").to_owned();
        let (namespace, encoding) = (own("namespace"), own("encodingStyle"));
        let (parts, headers) = (parts.transpose()?, self.headers(carried, messages)?);
        Ok(Some(BodyUse { style, namespace, encoding, parts, headers, element: None, place: documents.place(body) }))
    }

    /// The parts in each `soap:header` of a message.
    fn headers(&self, carried: NodeRef, messages: &Messages<'_>) -> Result<Vec<HeaderPart>, Error> {
        let (documents, names) = (self.documents, self.names);
        let Some(header) = names.find(self.namespace, "header") else { return Ok(Vec::new()) };
        let part = |at: NodeRef| {
            let message = (messages.find)(at)?;
            let name = documents.attribute(at, names, "part").unwrap_or_default();
            let namespace = documents.attribute(at, names, "namespace").unwrap_or_default().to_owned();
            Ok(HeaderPart { message, part: self.part(at, messages, message, name)?, namespace })
        };
        extensions(documents, carried, header).map(part).collect()
    }

    /// The part of a message with a name, which an extension refers to.
    fn part(&self, at: NodeRef, messages: &Messages<'_>, message: usize, name: &str) -> Result<usize, Error> {
        let found = format!("the part '{name}', which the message does not have");
        let message = &messages.all[message];
        message.part(name).ok_or_else(|| self.documents.fault(at, found, "parts of the message"))
    }
}

/// The messages of a description.
pub(super) struct Messages<'m> {
    pub(super) all: &'m [Message],
    /// The index of the one that the attribute `message` of an element refers to.
    pub(super) find: &'m dyn Fn(NodeRef) -> Result<usize, Error>,
}

/// The `soap:address` of a port, for SOAP 1.1 or 1.2.
pub(super) fn address(documents: &Documents, names: &Names, at: NodeRef) -> String {
    let of = |namespace| child(documents, names, at, namespace, "address");
    let address = of(SOAP_11).or_else(|| of(SOAP_12)).and_then(|at| documents.attribute(at, names, "location"));
    address.unwrap_or("").to_owned()
}

/// Whether this reader understands an extension.
pub(super) fn is_understood(names: &Names, name: Name) -> bool {
    [SOAP_11, SOAP_12].contains(&names.uri(names.namespace(name)))
}

fn style(documents: &Documents, names: &Names, at: NodeRef) -> Result<Option<Style>, Error> {
    match documents.attribute(at, names, "style") {
        None => Ok(None),
        Some("rpc") => Ok(Some(Style::Rpc)),
        Some("document") => Ok(Some(Style::Document)),
        Some(other) => Err(documents.fault(at, format!("style='{other}'"), "rpc or document")),
    }
}

fn child(documents: &Documents, names: &Names, at: NodeRef, namespace: &str, local: &str) -> Option<NodeRef> {
    extensions(documents, at, names.find(namespace, local)?).next()
}

fn extensions(documents: &Documents, at: NodeRef, name: Name) -> impl Iterator<Item = NodeRef> {
    let tree = &documents.all[at.document].tree;
    let own = tree.children(at.node).filter(move |node| tree.nodes[*node as usize].name == name);
    own.map(move |node| NodeRef { document: at.document, node })
}
