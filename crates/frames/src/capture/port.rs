//! Ports.

use std::fmt;
use std::str::FromStr;

use super::packet::Packet;

/// A protocol that has ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Protocol {
    /// Stream Control Transmission Protocol: each message of a stream.
    Sctp,
    /// Transmission Control Protocol: the bytes of each direction in order.
    Tcp,
    /// User Datagram Protocol: each datagram.
    Udp,
}

/// A port, of one protocol or of any: `38412`, `sctp:38412`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Port {
    /// The protocol; by default any.
    pub protocol: Option<Protocol>,
    /// The number.
    pub number: u16,
}

impl Port {
    /// Whether a packet is sent to or from the port.
    pub(crate) fn has(self, packet: &Packet<'_>) -> bool {
        let (source, destination) = packet.ends.ports;
        self.protocol.is_none_or(|protocol| protocol == packet.protocol())
            && (source == self.number || destination == self.number)
    }
}

impl FromStr for Port {
    type Err = String;

    fn from_str(text: &str) -> Result<Port, String> {
        let (protocol, number) = match text.split_once(':') {
            None => (None, text),
            Some(("sctp", number)) => (Some(Protocol::Sctp), number),
            Some(("tcp", number)) => (Some(Protocol::Tcp), number),
            Some(("udp", number)) => (Some(Protocol::Udp), number),
            Some(_) => return Err("the protocols are sctp, tcp and udp, as in sctp:38412".to_owned()),
        };
        let number = number.parse().map_err(|_| "a port is a number from 0 to 65535".to_owned())?;
        Ok(Port { protocol, number })
    }
}

impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.protocol {
            Some(Protocol::Sctp) => f.write_str("sctp:")?,
            Some(Protocol::Tcp) => f.write_str("tcp:")?,
            Some(Protocol::Udp) => f.write_str("udp:")?,
            None => {}
        }
        write!(f, "{}", self.number)
    }
}
