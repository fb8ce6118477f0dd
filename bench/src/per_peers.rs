//! The peers of the table `per`.

use messages::Kind;

use crate::{ffi::PerPeer, generate};

/// Rules that are measured.
pub(crate) const RULES: [&str; 2] = ["uper", "aper"];

/// Libraries whose code is derived from types, when the program is compiled.
const PEERS: [&str; 2] = ["rasn", "asn1-codecs"];

/// Values of a kind, in JSON, one a line.
pub(crate) fn values(kind: &Kind) -> String {
    generate::per::messages(kind.name).join("\n")
}

/// The peers that take messages of a kind under rules; none of them when their library is missing.
pub(crate) fn of(kind: &Kind, rules: &str, json: &str) -> Vec<(&'static str, PerPeer)> {
    let peers = PEERS.into_iter().filter(|&peer| takes(peer, kind));
    peers.filter_map(|peer| Some((peer, PerPeer::new(peer, kind.name, rules, json)?))).collect()
}

/// Those that should take messages of a kind, and do not, though their library is there.
pub(crate) fn missing(kind: &Kind, there: &[(&'static str, PerPeer)]) -> Vec<&'static str> {
    let missing = |peer: &&str| cfg!(rust_peers) && takes(peer, kind) && there.iter().all(|there| there.0 != *peer);
    PEERS.into_iter().filter(missing).collect()
}

/// asn1-codecs passes over additions to a type when it reads, and cannot write them.
fn takes(peer: &str, kind: &Kind) -> bool {
    (peer, kind.name) != ("asn1-codecs", "beacon-extended")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peers_write_the_same_bytes() {
        for kind in messages::KINDS {
            let json = values(kind);
            for rules in RULES {
                let peers = of(kind, rules, &json);
                let wanted = if cfg!(rust_peers) { PEERS.iter().filter(|peer| takes(peer, kind)).count() } else { 0 };
                assert_eq!(peers.len(), wanted, "{} {rules}", kind.name);
                for (name, peer) in &peers {
                    assert_eq!(peer.messages().len(), json.lines().count(), "{} {rules} {name}", kind.name);
                    assert!(peer.messages() == peers[0].1.messages(), "{} {rules} {name}", kind.name);
                }
            }
        }
    }
}
