//! Messages that are at fault, or may be.

use test_support::Random;

use super::{message, ways};

const SAMPLES: [&str; 6] = [
    "<a k='v'><b>1</b><b>2</b><c>x</c></a>",
    "<a><b k='1' l='2'><c>x</c></b><b k='3'><c/><d>|[&amp;</d></b><b><d/></b></a>",
    "<a><b><c><d>1</d><d>2</d></c><e/></b><b><c><d>3</d></c><e>y</e></b></a>",
    "<a><b>1</b><c/><b>2</b><c k=''/></a>",
    "<a>\n<p>text<q/></p><p><q/><q/></p></a>",
    "<a><b>AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+Pw==</b></a>",
];

/// Small messages, written in all ways.
pub(crate) fn samples() -> Vec<Vec<u8>> {
    SAMPLES.iter().flat_map(|text| ways().map(|options| message(text.as_bytes(), &options).unwrap())).collect()
}

/// A few bytes changed, taken out, or taken from elsewhere.
pub(crate) fn spoiled(random: &mut Random, message: &[u8], other: &[u8]) -> Vec<u8> {
    const SIGNS: &[u8] = b"[](){}|&;<>\n\r 0123456789abxyz./\":=#-";
    let mut out = message.to_vec();
    for _ in 0..1 + random.below(3) {
        let at = random.below(out.len().max(1)).min(out.len());
        match random.below(6) {
            0 if at < out.len() => out[at] = SIGNS[random.below(SIGNS.len())],
            1 => out.insert(at, SIGNS[random.below(SIGNS.len())]),
            2 if at < out.len() => drop(out.remove(at)),
            3 => {
                let end = (at + random.below(20)).min(out.len());
                let piece = out[at..end].to_vec();
                let to = random.below(out.len() + 1);
                out.splice(to..to, piece);
            }
            4 => {
                let end = (at + random.below(12)).min(out.len());
                out.drain(at..end);
            }
            _ => {
                let from = random.below(other.len());
                let end = (from + random.below(30)).min(other.len());
                out.splice(at..at, other[from..end].iter().copied());
            }
        }
    }
    out
}
