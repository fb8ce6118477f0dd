//! Made-up values of made-up modules against what they are by the clauses of X.691 and X.690, and by
//! asn1tools, pycrate and rasn: the same bytes, and read back the same value.
//!
//! `tests/oracles` beside the crates makes the vectors. `ASN1TOOLS_PYTHON` is the Python to make some
//! of them with; `ORACLE_VECTORS` is where all of them are already. Without either there is nothing
//! to hold against.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_asn1 as asn1;

#[path = "oracle/held.rs"]
mod held;
#[path = "oracle/same.rs"]
mod same;
#[path = "oracle/vectors.rs"]
mod vectors;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use held::{Held, canonical, hold, refuse, spoil};
use test_support::stride;
use vectors::Suite;

/// Does the same for all modules, or every so many-th of them, on all processors.
fn each_module(suite: &Suite, step: usize, work: impl Fn(usize, &mut Held) + Sync) -> Held {
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Held::default()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                let mut held = Held::default();
                loop {
                    let number = next.fetch_add(step, Ordering::Relaxed);
                    if number >= suite.modules {
                        break;
                    }
                    work(number, &mut held);
                }
                all.lock().unwrap().join(held);
            });
        }
    });
    all.into_inner().unwrap()
}

/// Every value, by every encoding rules, both ways.
#[test]
fn values_are_encoded_as_the_oracles_encode_them() {
    let Some(suite) = Suite::find() else { return };
    let held = each_module(suite, 1, |number, held| hold(&suite.module(number), held));
    println!("{held}");
    assert!(held.values > suite.modules as u64 * 10, "too few vectors");
    held.assert();
}

/// The order of a SET OF in CANONICAL-PER.
#[test]
fn canonical_per_is_in_order() {
    let Some(suite) = Suite::find() else { return };
    let held = each_module(suite, stride(4), |number, held| canonical(&suite.module(number), held));
    println!("{held}");
    held.assert();
}

/// Codes that nothing has, values that a constraint does not let in, and messages that end too early.
#[test]
fn what_is_no_value_is_refused() {
    let Some(suite) = Suite::find() else { return };
    let held = each_module(suite, 1, |number, held| refuse(&suite.module(number), held));
    println!("{held}");
    held.assert();
}

/// Messages cut short and with octets changed: no panic, and what is read is a value of the type.
#[test]
fn spoiled_messages_are_refused_or_are_values() {
    let Some(suite) = Suite::find() else { return };
    let held = each_module(suite, stride(4), |number, held| spoil(&suite.module(number), number as u64, held));
    println!("{held}");
    held.assert();
}
