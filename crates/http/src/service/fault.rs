//! Faults.

use soap::{Header, Name, SoapVersion};
use tam::Error;
use xml::chars::{SPACE, is_char};
use xml::escape::{self, Context};

/// Whose fault it is (SOAP 1.1 section 4.4.1, SOAP 1.2 part 1 section 5.4.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Code {
    /// Of nobody known: the message is of another version of SOAP.
    VersionMismatch,
    /// A header block had to be understood.
    MustUnderstand,
    /// Of the sender: `Client` in SOAP 1.1.
    Sender,
    /// Of the service: `Server` in SOAP 1.1.
    Receiver,
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Whose fault it is.
    pub code: Code,
    /// What is wrong, in English. Up to 1024 characters are sent.
    pub reason: String,
    /// The elements of its detail.
    pub details: Vec<String>,
    /// The header blocks that are sent with it.
    pub headers: Vec<String>,
    /// Why an answer could not be written. It is for the log of the service, and is not sent.
    pub cause: Option<Error>,
}

impl Fault {
    /// A fault without a detail.
    pub fn new(code: Code, reason: impl Into<String>) -> Fault {
        Fault { code, reason: reason.into(), details: Vec::new(), headers: Vec::new(), cause: None }
    }

    /// A fault of the service: an answer that cannot be written.
    pub(crate) fn unwritten(error: Error) -> Fault {
        Fault { cause: Some(error), ..Fault::new(Code::Receiver, "The answer cannot be written.") }
    }

    /// A fault of the service, whose handler has panicked.
    pub(crate) fn failed() -> Fault {
        Fault::new(Code::Receiver, "The service failed.")
    }

    /// A fault of the sender.
    pub fn sender(reason: impl Into<String>) -> Fault {
        Fault::new(Code::Sender, reason)
    }

    /// The same with one more element of its detail, such as the one of a `fault` of the description
    /// ([`Reply::element`](super::Reply::element)). What is not one element is not sent.
    #[must_use]
    pub fn with_detail(mut self, element: impl Into<String>) -> Fault {
        self.details.push(element.into());
        self
    }

    /// The same with one more header block ([`Reply::block`](super::Reply::block)). What is not one ([`soap::Service::check_block`]) is not
    /// sent.
    #[must_use]
    pub fn with_header(mut self, block: impl Into<String>) -> Fault {
        self.headers.push(block.into());
        self
    }

    /// The fault for header blocks that had to be understood; in SOAP 1.2 each has a block that names it (part 1 section 5.4.8).
    pub(crate) fn not_understood(version: SoapVersion, blocks: &[Header]) -> Fault {
        let names: Vec<String> = blocks.iter().map(|block| block.name.to_string()).collect();
        let (what, is) = if names.len() == 1 { ("block", "is") } else { ("blocks", "are") };
        let fault =
            Fault::new(Code::MustUnderstand, format!("The header {what} {} {is} not understood.", names.join(", ")));
        // Longer names are not repeated, of which a message may have many.
        let is_named = |block: &&Header| version == SoapVersion::Soap12 && block.name.namespace.len() <= LONGEST;
        blocks.iter().filter(is_named).fold(fault, |fault, block| {
            let namespace = escaped(&block.name.namespace);
            let (declared, prefix) = match &namespace[..] {
                "" => (String::new(), ""),
                uri => (format!(" xmlns:n=\"{uri}\""), "n:"),
            };
            let (envelope, local) = (version.namespace(), &block.name.local);
            fault.with_header(format!("<e:NotUnderstood xmlns:e=\"{envelope}\"{declared} qname=\"{prefix}{local}\"/>"))
        })
    }

    /// Its code in a version of SOAP.
    pub(crate) fn name(&self, version: SoapVersion) -> Name {
        let local = match (self.code, version) {
            (Code::VersionMismatch, _) => "VersionMismatch",
            (Code::MustUnderstand, _) => "MustUnderstand",
            (Code::Sender, SoapVersion::Soap11) => "Client",
            (Code::Sender, SoapVersion::Soap12) => "Sender",
            (Code::Receiver, SoapVersion::Soap11) => "Server",
            (Code::Receiver, SoapVersion::Soap12) => "Receiver",
        };
        Name { namespace: version.namespace().to_owned(), local: local.to_owned() }
    }

    /// What is wrong, as it is sent: shortened, and with U+FFFD in place of control characters.
    pub(crate) fn shown(&self) -> String {
        let mut shown: String = self.reason.chars().take(LONGEST).map(printable).collect();
        if self.reason.chars().nth(LONGEST).is_some() {
            shown.push('…');
        }
        shown
    }
}

/// Characters of the text of a fault, which may have names of the message in it.
const LONGEST: usize = 1 << 10;

fn printable(c: char) -> char {
    let is_shown = is_char(c) && (!c.is_control() || SPACE.contains(&c));
    if is_shown { c } else { '\u{FFFD}' }
}

/// Text as the content of an element or the value of an attribute; a control character other than white space becomes U+FFFD.
#[must_use]
pub fn escaped(text: &str) -> String {
    escape::escaped(&text.chars().map(printable).collect::<String>(), Context::Anywhere)
}
