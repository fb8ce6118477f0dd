//! Texts that a comment in a schema describes: patterns and times of XML Schema.

use fastrand::Rng;
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, ClassUnicode, Hir, HirKind};

/// Repetitions beyond the least.
const MORE: u32 = 3;

/// The most octets of a text.
const MOST: usize = 4096;

/// How deep groups of a pattern may be nested.
const DEPTH: u32 = 50;

/// The words of the comment that a pattern is in (X.694 clause 12.2).
const COMMENT: &str = "/* XML representation of the XSD pattern \"";

/// The times of XML Schema that are texts in ASN.1, and one of each.
const TIMES: [(&str, &str); 3] =
    [("/* xsd:gDay ", "---15"), ("/* xsd:gMonth ", "--03"), ("/* xsd:gMonthDay ", "--03-15")];

/// A text that a `CONSTRAINED BY` describes: a time, or one that matches a pattern whose syntax is one of both XML Schema and the
/// crate `regex-syntax`. Where they differ, the text may not match, and it is refused when the message is read back.
pub(crate) fn text(comment: &str, random: &mut Rng) -> Option<String> {
    if let Some((_, time)) = TIMES.iter().find(|(start, _)| comment.starts_with(start)) {
        return Some((*time).to_owned());
    }
    let (escaped, _) = comment.strip_prefix(COMMENT)?.split_once('"')?;
    let signs = [("&quot;", "\""), ("&lt;", "<"), ("&#47;", "/"), ("&#42;", "*"), ("&#45;", "-"), ("&amp;", "&")];
    let pattern = signs.iter().fold(escaped.to_owned(), |text, (reference, sign)| text.replace(reference, sign));
    let pattern = ParserBuilder::new().nest_limit(DEPTH).build().parse(&pattern).ok()?;
    let mut out = String::new();
    append(&pattern, random, &mut out);
    Some(out)
}

/// Appends a text that matches. It is cut where it gets too long.
fn append(pattern: &Hir, random: &mut Rng, out: &mut String) {
    // Recursion is safe, because the parser limits the depth.
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.push_str(&String::from_utf8_lossy(&literal.0)),
        HirKind::Class(Class::Unicode(class)) => out.extend(character(class, random)),
        HirKind::Class(Class::Bytes(_)) => {}
        HirKind::Repetition(repetition) => {
            let most = repetition.max.unwrap_or(u32::MAX).min(repetition.min.saturating_add(MORE));
            for _ in 0..random.u32(repetition.min..=most) {
                if out.len() > MOST {
                    break;
                }
                append(&repetition.sub, random, out);
            }
        }
        HirKind::Capture(capture) => append(&capture.sub, random, out),
        HirKind::Concat(all) => all.iter().for_each(|one| append(one, random, out)),
        HirKind::Alternation(all) => {
            if let Some(one) = random.choice(all) {
                append(one, random, out);
            }
        }
    }
}

/// A character of a class: a digit or a letter, if it has them, another printed one of ASCII, or any.
fn character(class: &ClassUnicode, random: &mut Rng) -> Option<char> {
    let within =
        |allowed: fn(&char) -> bool| (' '..='~').filter(allowed).filter(|c| has(class, *c)).collect::<Vec<_>>();
    let usual = within(char::is_ascii_alphanumeric);
    let usual = if usual.is_empty() { within(|_| true) } else { usual };
    match random.choice(&usual) {
        Some(found) => Some(*found),
        None => class.ranges().first().map(|range| range.start()),
    }
}

fn has(class: &ClassUnicode, c: char) -> bool {
    class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&c))
}
