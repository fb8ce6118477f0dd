//! Envelopes and faults, written.

use std::borrow::Cow;

use dds::Version;
use xml::chars::{SPACE, is_char};
use xml::escape::{self, Context};

const SOAP_11: &str = "http://schemas.xmlsoap.org/soap/envelope/";
const SOAP_12: &str = "http://www.w3.org/2003/05/soap-envelope";

/// A message with the content of its body.
pub(crate) fn write(version: Version, body: &str) -> String {
    let namespace = match version {
        Version::Soap11 => SOAP_11,
        Version::Soap12 => SOAP_12,
    };
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<soap:Envelope xmlns:soap=\"{namespace}\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\">\
         <soap:Body>{body}</soap:Body></soap:Envelope>"
    )
}

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
}

impl Fault {
    /// A fault of the sender.
    pub fn sender(reason: impl Into<String>) -> Fault {
        Fault { code: Code::Sender, reason: reason.into() }
    }

    /// The message that reports it.
    pub(crate) fn write(&self, version: Version) -> String {
        let reason = escaped(&shortened(&self.reason));
        let body = match (version, self.code) {
            (Version::Soap11, code) => {
                let code = match code {
                    Code::VersionMismatch => "VersionMismatch",
                    Code::MustUnderstand => "MustUnderstand",
                    Code::Sender => "Client",
                    Code::Receiver => "Server",
                };
                format!(
                    "<soap:Fault><faultcode>soap:{code}</faultcode><faultstring>{reason}</faultstring></soap:Fault>"
                )
            }
            (Version::Soap12, code) => {
                let code = match code {
                    Code::VersionMismatch => "VersionMismatch",
                    Code::MustUnderstand => "MustUnderstand",
                    Code::Sender => "Sender",
                    Code::Receiver => "Receiver",
                };
                format!(
                    "<soap:Fault><soap:Code><soap:Value>soap:{code}</soap:Value></soap:Code><soap:Reason>\
                     <soap:Text xml:lang=\"en\">{reason}</soap:Text></soap:Reason></soap:Fault>"
                )
            }
        };
        write(version, &body)
    }
}

/// Characters of the text of a fault, which may have names of the message in it.
const LONGEST: usize = 1 << 10;

fn shortened(reason: &str) -> Cow<'_, str> {
    match reason.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &reason[..end]).into(),
        None => reason.into(),
    }
}

/// Text as the content of an element or the value of an attribute; a control character other than white space becomes U+FFFD.
#[must_use]
pub fn escaped(text: &str) -> String {
    let is_shown = |c: char| is_char(c) && (!c.is_control() || SPACE.contains(&c));
    let shown = |c| if is_shown(c) { c } else { '\u{FFFD}' };
    escape::escaped(&text.chars().map(shown).collect::<String>(), Context::Anywhere)
}
