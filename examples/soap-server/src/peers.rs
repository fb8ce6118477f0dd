//! What each client, and all of them together, hold of the service.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lengthwise_http::service::Room;

use crate::server::Limits;

/// Connections and bodies that are open.
#[derive(Debug)]
pub(crate) struct Peers {
    limits: Limits,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    /// Bytes of all bodies.
    bytes: usize,
    peers: HashMap<IpAddr, Peer>,
}

#[derive(Debug, Default)]
struct Peer {
    connections: usize,
    bytes: usize,
}

/// A place for one connection of a peer.
#[derive(Debug)]
pub(crate) struct Place {
    peers: Arc<Peers>,
    address: IpAddr,
}

impl Peers {
    pub(crate) fn new(limits: Limits) -> Arc<Peers> {
        Arc::new(Peers { limits, held: Mutex::default() })
    }

    /// A place for a connection, unless its peer has as many as it may have.
    pub(crate) fn place(self: &Arc<Peers>, address: IpAddr) -> Option<Arc<Place>> {
        let address = network(address);
        let mut held = self.held();
        let peer = held.peers.entry(address).or_default();
        if peer.connections >= self.limits.peer_connections {
            return None;
        }
        peer.connections += 1;
        Some(Arc::new(Place { peers: self.clone(), address }))
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut held = self.peers.held();
        if let Some(peer) = held.peers.get_mut(&self.address) {
            peer.connections -= 1;
            if peer.connections == 0 {
                held.peers.remove(&self.address);
            }
        }
    }
}

impl Room for Place {
    fn take(&self, bytes: usize) -> bool {
        let mut held = self.peers.held();
        let Held { bytes: all, peers: each } = &mut *held;
        let Some(peer) = each.get_mut(&self.address) else { return false };
        if *all + bytes > self.peers.limits.bodies || peer.bytes + bytes > self.peers.limits.peer_bodies {
            return false;
        }
        *all += bytes;
        peer.bytes += bytes;
        true
    }

    fn give_back(&self, bytes: usize) {
        let mut held = self.peers.held();
        held.bytes -= bytes;
        if let Some(peer) = held.peers.get_mut(&self.address) {
            peer.bytes -= bytes;
        }
    }
}

/// Of IPv6 a client has 64 bits for itself.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
        address => address,
    }
}
