//! A large object with many members of alike mixed content, for looking up the last of them.

use serde_json::{Value, json};

use super::{FAR_WORDS, Rng};

/// JSON without white space, with members of about 10 kB. Members are sorted by name, so that no library can change
/// their order on the way to its own format.
pub(crate) fn members() -> Vec<u8> {
    let mut rng = Rng(22);
    let all: serde_json::Map<String, Value> =
        (0..messages::MEMBERS).map(|i| (format!("member-{i:04}"), member(&mut rng, i))).collect();
    let mut out = Vec::new();
    // Writing JSON to a vector does not fail.
    let _ = serde_json::to_writer(&mut out, &Value::Object(all));
    out
}

/// The number that the last member has at its front, where the look-up goes.
pub(crate) const fn code(member: usize) -> u64 {
    7_000_000 + 13 * member as u64
}

fn member(rng: &mut Rng, i: usize) -> Value {
    let readings: Vec<Value> = (0..124)
        .map(|n| {
            json!({
                "at": 1_433_501_122 + 60 * n,
                "level": rng.range(1, 40_000) as f64 / 100.0,
                "ok": rng.chance(90),
                "unit": "mm",
            })
        })
        .collect();
    let notes: Vec<String> = (0..9)
        .map(|_| format!("{}: \"{}\",\n{{{}}}", rng.pick(&FAR_WORDS), rng.phrase(100, 400), rng.phrase(20, 120)))
        .collect();
    json!({
        "code": code(i),
        "label": rng.compound(),
        "notes": notes,
        "owner": {"name": rng.compound(), "phone": null, "since": rng.date(), "tags": [rng.compound(), rng.compound()]},
        "readings": readings,
    })
}
