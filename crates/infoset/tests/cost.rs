//! What hostile messages cost: memory in proportion to the message, and work that the limits count.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_infoset as infoset;

mod support;

use infoset::Options;
use support::RULES;
use support::appendix_a::{Parts, children, element, text};
use tam::{Error, ErrorKind, Limits, Table};
use test_support::memory::{Counting, cost};

#[global_allocator]
static COUNTING: Counting = Counting;

/// The most memory that reading holds: so much a byte of the message, and a byte that its references come to.
const A: usize = 200;
const EXPANDED: usize = 4;
const B: usize = 1 << 18;

fn read(message: &[u8], options: &Options) -> Result<usize, Error> {
    let work = || infoset::read(message, options, &mut Table::new()).map(|document| document.units());
    let (read, peak, _) = cost(work);
    let most = A * message.len() + EXPANDED * options.limits.decompression(message.len()).left() as usize + B;
    assert!(peak <= most, "{peak} bytes of {most} for a message of {}", message.len());
    read
}

/// A long namespace name, hashed each time that it is said to be in scope or that a name in its place has it.
#[test]
fn namespaces_in_scope_and_of_names_in_their_places_count() {
    let long = format!("urn:{}", "n".repeat(100_000));
    let in_scope = "element : { name common-name-index : 1, children children : {}, in-scope-namespaces in-scope-namespaces : \
        { { namespace-name component-string-index : 2 } } }";
    let in_place = "element : { name name : { namespace-name namespace-name : component-string-index : 2, \
        local-name component-string-index : 1 }, children children : {}, \
        in-scope-namespaces same-as-parent-element : NULL }";
    for child in [in_place, in_scope] {
        let parts = Parts::new(&element(1, &children(&vec![child; 2_000].join(", "))), &["r", &long], &[1]);
        for rules in RULES {
            let options = Options::of(rules).with_limits(Limits::UNTRUSTED);
            let error = read(&parts.encoded(rules), &options).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
            assert!(error.to_string().contains("with every reference"), "{error}");
        }
    }
}

/// References to entities that are all others, and to one entity.
#[test]
fn references_to_entities_take_memory_in_proportion() {
    let reference =
        |name: &str, more: &str| format!("unexpanded-entity-reference : {{ name ncname : \"{name}\"{more} }}");
    let names: Vec<String> = (0..20_000).map(|n| format!("e{n:x}")).collect();
    let system = ", system-identifier system-identifier : component-string-index : 1";
    let others = |more: &str| -> Vec<String> { names.iter().map(|name| reference(name, more)).collect() };
    for all in [others(""), others(system), vec![reference("e", system); 20_000]] {
        let doctype = "document-type-declaration : { system-identifier uri : \"d\", children {} }, ";
        let parts = Parts::new(&format!("{doctype}{}", element(1, &children(&all.join(", ")))), &["r"], &[1]);
        for rules in RULES {
            let options = Options::of(rules).with_limits(Limits::UNTRUSTED).with_entity_references(true);
            // The list, the DOCTYPE and the element come on top.
            assert_eq!(read(&parts.encoded(rules), &options).unwrap(), 20_003);
        }
    }
}

/// Blocks that are passed over by the numbers of strings they claim.
#[test]
fn blocks_that_are_passed_over_take_memory_in_proportion() {
    let mut parts = Parts::new(&element(1, &text(1)), &["r"], &[1]);
    parts.blocks.extend((0..2_000).map(|_| ("zstd?strings=1024".to_owned(), b"x".to_vec())));
    parts.names = "{ local-name component-string-index : 4000000 }".to_owned();
    for rules in RULES {
        let options = Options::of(rules).with_limits(Limits::UNTRUSTED);
        assert_eq!(read(&parts.encoded(rules), &options).unwrap_err().kind(), ErrorKind::Syntax);
    }
}
