//! Packets: from the link layer to a payload with ports.

use std::borrow::Cow;
use std::net::IpAddr;

use etherparse::{EtherType, LaxNetSlice, LaxSlicedPacket, TcpSlice, UdpSlice, ip_number};

use super::Protocol;
use super::tcp::Segment;

/// Addresses and ports of source and destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Ends {
    pub(crate) addresses: Option<(IpAddr, IpAddr)>,
    pub(crate) ports: (u16, u16),
}

/// A packet of a protocol that has ports.
pub(crate) struct Packet<'p> {
    pub(crate) ends: Ends,
    pub(super) body: Body<'p>,
}

pub(super) enum Body<'p> {
    Udp(&'p [u8]),
    /// The verification tag and the chunks.
    Sctp((u32, &'p [u8])),
    Tcp(Segment<'p>),
}

/// The names of other types of links that are often captured.
fn link_name(link: i32) -> Option<&'static str> {
    Some(match link {
        9 | 50 => "PPP",
        105 => "IEEE 802.11",
        127 => "IEEE 802.11 with radiotap",
        147..=162 => "for private use",
        187 | 201 => "Bluetooth HCI",
        189 | 220 | 249 => "USB",
        195 | 230 | 283 => "IEEE 802.15.4",
        252 => "exported PDUs of Wireshark",
        _ => return None,
    })
}

const CUT_SHORT: &str = "packets of which only the start was captured";

impl<'p> Packet<'p> {
    /// A packet, if it is one of a protocol that has ports; or why it cannot be read.
    pub(super) fn of(link: i32, data: &'p [u8]) -> Result<Option<Packet<'p>>, Cow<'static, str>> {
        /// Types of links, as <https://www.tcpdump.org/linktypes.html> numbers them.
        mod link_type {
            pub(super) const NULL: i32 = 0;
            pub(super) const ETHERNET: i32 = 1;
            pub(super) const RAW: [i32; 4] = [12, 14, 101, 228];
            pub(super) const RAW_IPV6: i32 = 229;
            pub(super) const LOOP: i32 = 108;
            pub(super) const LINUX_SLL: i32 = 113;
            pub(super) const LINUX_SLL2: i32 = 276;
            pub(super) const SCTP: i32 = 248;
        }
        let of_type = |at: usize, rest: usize| {
            let ether_type = u16::from_be_bytes([*data.get(at)?, *data.get(at + 1)?]);
            Some(LaxSlicedPacket::from_ether_type(EtherType(ether_type), data.get(rest..)?))
        };
        let of_ip = |at: usize| data.get(at..).and_then(|rest| LaxSlicedPacket::from_ip(rest).ok());
        let sliced = match link {
            link_type::ETHERNET => LaxSlicedPacket::from_ethernet(data).ok(),
            link_type::LINUX_SLL => of_type(14, 16),
            link_type::LINUX_SLL2 => of_type(0, 20),
            link_type::NULL | link_type::LOOP => of_ip(4),
            link_type::RAW_IPV6 => of_ip(0),
            link if link_type::RAW.contains(&link) => of_ip(0),
            link_type::SCTP => return Packet::sctp(None, data),
            other => {
                let name = link_name(other).map_or(String::new(), |name| format!(" ({name})"));
                return Err(format!("packets of link type {other}{name}, which is not supported").into());
            }
        };
        let Some(sliced) = sliced else { return Ok(None) };
        let addresses = match &sliced.net {
            Some(LaxNetSlice::Ipv4(ip)) => {
                (IpAddr::V4(ip.header().source_addr()), IpAddr::V4(ip.header().destination_addr()))
            }
            Some(LaxNetSlice::Ipv6(ip)) => {
                (IpAddr::V6(ip.header().source_addr()), IpAddr::V6(ip.header().destination_addr()))
            }
            _ => return Ok(None),
        };
        let Some(payload) = sliced.net.as_ref().and_then(LaxNetSlice::ip_payload_ref) else { return Ok(None) };
        let number = payload.ip_number;
        if ![ip_number::UDP, ip_number::TCP, ip_number::SCTP].contains(&number) {
            return Ok(None);
        }
        if payload.fragmented {
            return Err("fragments of IP".into());
        }
        if payload.incomplete {
            return Err(CUT_SHORT.into());
        }
        match number {
            ip_number::SCTP => Packet::sctp(Some(addresses), payload.payload),
            ip_number::UDP => {
                let udp = UdpSlice::from_slice(payload.payload).map_err(|_| CUT_SHORT)?;
                let ends = Ends { addresses: Some(addresses), ports: (udp.source_port(), udp.destination_port()) };
                Ok(Some(Packet { ends, body: Body::Udp(udp.payload()) }))
            }
            _ => {
                let tcp = TcpSlice::from_slice(payload.payload).map_err(|_| CUT_SHORT)?;
                let ends = Ends { addresses: Some(addresses), ports: (tcp.source_port(), tcp.destination_port()) };
                let segment = Segment { sequence: tcp.sequence_number(), syn: tcp.syn(), payload: tcp.payload() };
                Ok(Some(Packet { ends, body: Body::Tcp(segment) }))
            }
        }
    }

    /// A packet of SCTP (RFC 9260 section 3.1).
    fn sctp(addresses: Option<(IpAddr, IpAddr)>, data: &'p [u8]) -> Result<Option<Packet<'p>>, Cow<'static, str>> {
        let (Some([a, b, c, d, tag @ ..]), Some(chunks)) = (data.first_chunk::<8>(), data.get(12..)) else {
            return Err(CUT_SHORT.into());
        };
        let ports = (u16::from_be_bytes([*a, *b]), u16::from_be_bytes([*c, *d]));
        Ok(Some(Packet { ends: Ends { addresses, ports }, body: Body::Sctp((u32::from_be_bytes(*tag), chunks)) }))
    }

    pub(super) fn protocol(&self) -> Protocol {
        match self.body {
            Body::Udp(_) => Protocol::Udp,
            Body::Sctp(_) => Protocol::Sctp,
            Body::Tcp(_) => Protocol::Tcp,
        }
    }

    /// Whether it carries data of an application.
    pub(super) fn has_data(&self) -> bool {
        match &self.body {
            Body::Udp(payload) => !payload.is_empty(),
            Body::Sctp((_, chunks)) => super::sctp::Chunks(chunks).any(|chunk| chunk.is_data()),
            Body::Tcp(segment) => !segment.payload.is_empty(),
        }
    }
}
