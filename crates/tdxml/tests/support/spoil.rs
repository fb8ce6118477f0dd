//! Messages that are at fault, or may be.

use test_support::Random;

use super::{message, ways};

const SAMPLES: [&str; 8] = [
    "<a k='v'><b>1</b><b>2</b><c>x</c></a>",
    "<a><b k='1' l='2'><c>x</c></b><b k='3'><c/><d>|[&amp;</d></b><b><d/></b></a>",
    "<a><b><c><d>1</d><d>2</d></c><e/></b><b><c><d>3</d></c><e>y</e></b></a>",
    "<a><b>1</b><c/><b>2</b><c k=''/></a>",
    "<a>\n<p>text<q/></p><p><q/><q/></p></a>",
    "<a><b>AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+Pw==</b></a>",
    "<!--o--><a>t<!--c-->u<b k='1'/> v <b><?p q?></b></a><?e?>",
    "<a><b><!--1--><c>x</c></b>y<b>z<c>w</c></b><d/></a>",
];

/// Messages by schemas with namespaces: wildcards, prefixes, declarations, constraints.
const WITH_NAMESPACES: [&str; 2] = [
    "<Env xmlns='urn:tdxml'><DS>p:a[0] ::= SEQUENCE { k(0) [ATTRIBUTE] INTEGER (0..9) OPTIONAL [TEXT] UTF8String [REST] \
     [ANY-ELEMENT] p:b[0] SEQUENCE OF UTF8String (SIZE (1..3)), q:c[1] B OPTIONAL } B ::= SEQUENCE { [ANY-ATTRIBUTES FROM \
     \"urn:q\"] d[0] REAL (-1..1.5) EMPTY } NAMESPACE p \"urn:p\" NAMESPACE q \"urn:q\"</DS><CT>\n[0](*) \
     |=3:x=0@11:xmlns:y=u:u'1:t1&lt;12:&lt;y:z&gt;1&lt;/y:z&gt;2+1:c^+1:b$+1:e\n[0](0) |7\n[0][0]0 |one\n[0][0]1 |two\n[0][1](*) \
     |=3:y=1@5:y:k=v\n[0][1][0] |0.5\n</CT></Env>",
    "<Env xmlns='urn:tdxml'><DS>p:a[0] ::= SEQUENCE { p:b[0] SEQUENCE OF { p:c[0] UTF8String VALUES (\"x\" | \"y\") } } NAMESPACE \
     p \"urn:p\"</DS><CT>\n[0](*) |=2:=0\n[0][0]0{(*) [0]}\n:1:q=3:q=0|x\n+1:c|y\n|x\n</CT></Env>",
];

/// Small messages, written in all ways.
pub(crate) fn samples() -> Vec<Vec<u8>> {
    let inferred = SAMPLES.iter().flat_map(|text| ways().map(|options| message(text.as_bytes(), &options).unwrap()));
    // Twice as many times as one of the others.
    let given = WITH_NAMESPACES.iter().flat_map(|text| vec![text.as_bytes().to_vec(); 64]);
    inferred.chain(given).collect()
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
