//! Reads the SOAP extensions of a binding (WSDL section 3, and its counterpart for SOAP 1.2).

use tam::Error;
use xml::white_space::words;

use super::documents::{Documents, NodeRef};
use super::model::{BodyUse, Bound, Message, Soap, SoapVersion, Style, Use};
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

    /// Reads an operation, given its index in the port type and its messages.
    pub(super) fn operation(
        &self,
        at: NodeRef,
        operation: usize,
        input: Option<&Message>,
        output: Option<&Message>,
    ) -> Result<Bound, Error> {
        let (documents, names) = (self.documents, self.names);
        let (mut action, mut own) = (String::new(), self.style);
        if let Some(extension) = child(documents, names, at, self.namespace, "operation") {
            action = documents.attribute(extension, names, "soapAction").unwrap_or("").to_owned();
            own = style(documents, names, extension)?.unwrap_or(own);
        }
        let input = self.body(at, "input", input)?;
        let output = self.body(at, "output", output)?;
        Ok(Bound { operation, action, style: own, input, output, place: documents.place(at) })
    }

    fn body(&self, at: NodeRef, direction: &str, message: Option<&Message>) -> Result<Option<BodyUse>, Error> {
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
        let part = |name: &str| {
            let found = format!("the part '{name}', which the message does not have");
            message.part(name).ok_or_else(|| documents.fault(body, found, "parts of the message"))
        };
        let list = attribute("parts").map(words);
        let parts = list.map(|list| list.map(part).collect::<Result<_, _>>()).transpose()?;
        let own = |local: &str| attribute(local).unwrap_or("").to_owned();
        let (namespace, encoding) = (own("namespace"), own("encodingStyle"));
        let headers = self.headers(carried, message);
        Ok(Some(BodyUse { style, namespace, encoding, parts, headers, element: None, place: documents.place(body) }))
    }

    /// The parts of the message that are in a `soap:header` instead of the body.
    fn headers(&self, carried: NodeRef, message: &Message) -> Vec<usize> {
        let (documents, names) = (self.documents, self.names);
        let Some(header) = names.find(self.namespace, "header") else { return Vec::new() };
        let part = |at: NodeRef| {
            let (namespace, local) = documents.qname(at, documents.attribute(at, names, "message")?)?;
            let is_own = names.find_in(namespace, local) == Some(message.name);
            message.part(documents.attribute(at, names, "part")?).filter(|_| is_own)
        };
        extensions(documents, carried, header).filter_map(part).collect()
    }
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
