//! Limits, and the rule for text that a message expands to.

use tam::{Error, ErrorKind, Expansion, Limits};

/// Charges `bytes` at once: the name of the limit that they exceed.
fn charged(mut expansion: Expansion, bytes: usize) -> Option<&'static str> {
    expansion.charge(bytes).err().map(|exceeded| exceeded.limit)
}

#[test]
fn untrusted_limits_are_those_that_the_documentation_names() {
    let limits = Limits::UNTRUSTED;
    assert_eq!((limits.message_bytes, limits.decompressed_bytes), (16 << 20, 64 << 20));
    assert_eq!((limits.expansion_ratio, limits.units), (100, 1 << 20));
    let mut both = (limits, Limits::DEFAULT);
    for name in Limits::NAMES {
        let (untrusted, default) = (both.0.named_mut(name).copied(), both.1.named_mut(name).copied());
        assert!(untrusted.is_some() && untrusted <= default, "{name}");
    }
}

#[test]
fn the_ratio_counts_from_its_threshold_on() {
    let limits = Limits { expansion_ratio: 10, expansion_threshold: 500, ..Limits::DEFAULT };
    for (input, most) in [(0, 500), (1, 500), (50, 500), (51, 510), (1000, 10_000)] {
        for expansion in [limits.entities(input), limits.decompression(input)] {
            assert_eq!(expansion.left(), most as u64);
            assert_eq!(charged(expansion, most), None, "{input}");
            assert_eq!(charged(expansion, most + 1), Some("expansion_ratio"), "{input}");
        }
    }
}

#[test]
fn the_limit_that_is_met_first_is_named() {
    let limits =
        Limits { entity_expansion: 300, decompressed_bytes: 2000, expansion_threshold: 500, ..Limits::DEFAULT };
    assert_eq!(charged(limits.entities(1000), 301), Some("entity_expansion"));
    assert_eq!(charged(limits.decompression(1000), 2001), Some("decompressed_bytes"));
    assert_eq!(charged(limits.decompression(10), 1001), Some("expansion_ratio"));
    // The default allows as many bytes of entities as it allows without a ratio.
    assert_eq!(charged(Limits::DEFAULT.entities(1), (8 << 20) + 1), Some("entity_expansion"));
}

#[test]
fn without_limits_no_ratio_counts() {
    assert_eq!(charged(Limits::NONE.decompression(0), u32::MAX as usize), None);
    let limits = Limits { expansion_ratio: u32::MAX, expansion_threshold: 0, ..Limits::DEFAULT };
    assert_eq!(limits.decompression(0).left(), 1 << 30);
}

#[test]
fn charges_add_up_and_input_may_come_in_pieces() {
    let limits = Limits { expansion_ratio: 10, expansion_threshold: 0, ..Limits::DEFAULT };
    let mut expansion = limits.decompression(10);
    assert_eq!((expansion.charge(60), expansion.charge(40), expansion.left()), (Ok(()), Ok(()), 0));
    expansion.set_input(11);
    assert_eq!((expansion.left(), expansion.charge(10)), (10, Ok(())));
    let error: Error = expansion.charge(usize::MAX).unwrap_err().error("gzip", 11, "more bytes");
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Limit, 11));
    let said = "found more bytes, expected at most 10 bytes for each byte of the message (limit expansion_ratio)";
    assert!(error.to_string().ends_with(said), "{error}");
}
