//! Names of ASN.1 made of names of XML (X.694 clause 10).

use std::collections::HashMap;

use asn1::notation::is_reserved;

/// What a name is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// A type reference, or a module's: it begins with a capital letter.
    Reference,
    /// An identifier: it begins with a small letter.
    Identifier,
}

/// The name for a name of XML, not yet told apart from others (clause 10.3.3): spaces, full stops and low
/// lines become hyphens, what is left over goes, the first letter is as its use asks for.
pub(super) fn converted(name: &str, of: Use) -> String {
    let mut made = String::with_capacity(name.len() + 1);
    for c in name.chars() {
        match c {
            ' ' | '.' | '_' | '-' if !made.is_empty() && !made.ends_with('-') => made.push('-'),
            'A'..='Z' | 'a'..='z' | '0'..='9' => made.push(c),
            _ => {}
        }
    }
    if made.ends_with('-') {
        made.pop();
    }
    let filler = if of == Use::Reference { 'X' } else { 'x' };
    match made.as_bytes().first() {
        None => made.push(filler),
        Some(b'0'..=b'9') => made.insert(0, filler),
        Some(_) if of == Use::Reference => made[..1].make_ascii_uppercase(),
        Some(_) => made[..1].make_ascii_lowercase(),
    }
    made
}

/// Names given in one place: a module, a SEQUENCE, an ENUMERATED. No two of them are the same.
#[derive(Debug, Default)]
pub(super) struct Given {
    /// Each name, and the suffix to try next behind it.
    names: HashMap<String, u64>,
}

impl Given {
    /// A name for a name of XML (clause 10.3.4).
    pub(super) fn name(&mut self, name: &str, of: Use) -> String {
        self.distinct(converted(name, of), of)
    }

    /// Whether a name is given.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// A name that is already one of ASN.1, with the least suffix `-1`, `-2`, … that tells it from those
    /// before, if it needs one.
    pub(super) fn distinct(&mut self, name: String, of: Use) -> String {
        let reserved = of == Use::Reference && is_reserved(&name);
        if !reserved && !self.names.contains_key(&name) {
            self.names.insert(name.clone(), 1);
            return name;
        }
        let mut suffix = self.names.get(&name).copied().unwrap_or(1);
        let made = loop {
            let made = format!("{name}-{suffix}");
            suffix += 1;
            if !self.names.contains_key(&made) {
                break made;
            }
        };
        self.names.insert(name, suffix);
        self.names.insert(made.clone(), 1);
        made
    }
}

/// The name of a namespace's module. X.694 leaves it open: the URI without its scheme, signs taken for
/// hyphens.
pub(super) fn module(uri: &str) -> String {
    if uri.is_empty() {
        return "NoNamespace".to_owned();
    }
    let bare = ["http://www.", "https://www.", "http://", "https://", "urn:"];
    let bare = bare.iter().find_map(|scheme| uri.strip_prefix(scheme)).unwrap_or(uri);
    let spaced: String = bare.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }).collect();
    converted(&spaced, Use::Reference)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_become_hyphens_or_go() {
        for (name, reference, identifier) in [
            ("unitPrice", "UnitPrice", "unitPrice"),
            ("Order_Line.no", "Order-Line-no", "order-Line-no"),
            ("_-a..b-", "A-b", "a-b"),
            ("3rd", "X3rd", "x3rd"),
            ("Größe", "Gre", "gre"),
            ("é", "X", "x"),
        ] {
            assert_eq!(converted(name, Use::Reference), reference);
            assert_eq!(converted(name, Use::Identifier), identifier);
        }
    }

    #[test]
    fn names_that_come_again_are_numbered() {
        let mut given = Given::default();
        let names = ["a", "a-1", "A", "a", "a.1"].map(|name| given.name(name, Use::Identifier));
        assert_eq!(names, ["a", "a-1", "a-2", "a-3", "a-1-1"]);
        assert_eq!(given.name("SET", Use::Reference), "SET-1");
        assert_eq!(given.name("SET", Use::Reference), "SET-2");
    }

    #[test]
    fn modules_are_named_for_their_namespaces() {
        assert_eq!(module("http://www.topografix.com/GPX/1/1"), "Topografix-com-GPX-1-1");
        assert_eq!(module("urn:uddi-org:api_v2"), "Uddi-org-api-v2");
        assert_eq!(module(""), "NoNamespace");
    }
}
