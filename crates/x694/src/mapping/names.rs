//! ASN.1 names for XML names (X.694 clause 10).

use std::collections::HashMap;

use asn1::notation::is_reserved;
use asn1::schema::Component;

/// The kind of an ASN.1 name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameKind {
    /// A type reference or a module name, which begins with an upper-case letter.
    Reference,
    /// An identifier, which begins with a lower-case letter.
    Identifier,
}

/// The ASN.1 name for an XML name, before it is made unique (clause 10.3.3). Spaces, full stops and underscores become
/// hyphens, other characters are removed, and the first letter gets the case of the kind of name.
pub(super) fn converted(name: &str, of: NameKind) -> String {
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
    let filler = if of == NameKind::Reference { 'X' } else { 'x' };
    match made.as_bytes().first() {
        None => made.push(filler),
        Some(b'0'..=b'9') => made.insert(0, filler),
        Some(_) if of == NameKind::Reference => made[..1].make_ascii_uppercase(),
        Some(_) => made[..1].make_ascii_lowercase(),
    }
    made
}

/// The names used in one module, SEQUENCE, CHOICE or ENUMERATED, where each name must be unique.
#[derive(Debug, Default)]
pub(super) struct UsedNames {
    /// Each name, and the next suffix to try for it.
    names: HashMap<String, u64>,
}

impl UsedNames {
    /// A unique name for an XML name (clause 10.3.4).
    pub(super) fn name(&mut self, name: &str, of: NameKind) -> String {
        self.distinct(converted(name, of), of)
    }

    /// Whether a name is used.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// Makes an ASN.1 name unique. If it is already used, it gets the first free suffix of `-1`, `-2`, …
    pub(super) fn distinct(&mut self, name: String, of: NameKind) -> String {
        let reserved = of == NameKind::Reference && is_reserved(&name);
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

/// Settles what the components of a SEQUENCE or the alternatives of a CHOICE are called outside of ASN.1: their names in XML, which
/// [`Component::text`] has here, with `@` before those of attributes. Elements come first: of the same name, a later one has a
/// number (`-1`), and an attribute the `@`. Components without a name in XML keep their identifiers, with a number where an
/// element has that name.
pub(super) fn settle_texts(components: &mut [Component]) {
    let mut used = UsedNames::default();
    let mut all: Vec<&mut Component> = components.iter_mut().collect();
    let is_attribute = |component: &Component| component.text.as_deref().is_some_and(|text| text.starts_with('@'));
    // In the order of the components within each kind.
    all.sort_by_key(|component| (component.text.is_none(), is_attribute(component)));
    for component in all {
        let text = match component.text.take() {
            Some(text) => match text.strip_prefix('@') {
                Some(local) if !used.has(local) => local.to_owned(),
                _ => text.into(),
            },
            None => component.name.clone(),
        };
        let text = used.distinct(text, NameKind::Identifier);
        component.text = (text != component.name).then(|| text.into());
    }
}

/// The name of a namespace's module, which X.694 does not define: the URI without its scheme, with hyphens for other
/// characters than letters and digits.
pub(super) fn module(uri: &str) -> String {
    if uri.is_empty() {
        return "NoNamespace".to_owned();
    }
    let bare = ["http://www.", "https://www.", "http://", "https://", "urn:"];
    let bare = bare.iter().find_map(|scheme| uri.strip_prefix(scheme)).unwrap_or(uri);
    let spaced: String = bare.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }).collect();
    converted(&spaced, NameKind::Reference)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_characters_become_hyphens_or_are_removed() {
        for (name, reference, identifier) in [
            ("unitPrice", "UnitPrice", "unitPrice"),
            ("Order_Line.no", "Order-Line-no", "order-Line-no"),
            ("_-a..b-", "A-b", "a-b"),
            ("3rd", "X3rd", "x3rd"),
            ("Größe", "Gre", "gre"),
            ("é", "X", "x"),
        ] {
            assert_eq!(converted(name, NameKind::Reference), reference);
            assert_eq!(converted(name, NameKind::Identifier), identifier);
        }
    }

    #[test]
    fn repeated_names_are_numbered() {
        let mut given = UsedNames::default();
        let names = ["a", "a-1", "A", "a", "a.1"].map(|name| given.name(name, NameKind::Identifier));
        assert_eq!(names, ["a", "a-1", "a-2", "a-3", "a-1-1"]);
        assert_eq!(given.name("SET", NameKind::Reference), "SET-1");
        assert_eq!(given.name("SET", NameKind::Reference), "SET-2");
    }

    /// Elements, then attributes, then what has no name in XML.
    #[test]
    fn components_are_called_as_in_the_xml() {
        let component = |(name, text): &(&str, Option<&str>)| {
            let text = text.map(Into::into);
            Component { text, ..Component::new(*name, asn1::schema::Type::new(asn1::schema::Kind::Null)) }
        };
        let given = [
            ("id", Some("@ID")),
            ("lang", Some("@lang")),
            ("lang-1", Some("@lang")),
            ("base", None),
            ("order", None),
            ("order-1", Some("order")),
            ("gre", Some("Größe")),
            ("id-1", Some("id")),
            ("order-2-list", Some("order")),
            ("iD", Some("ID")),
        ];
        let mut components: Vec<Component> = given.iter().map(component).collect();
        settle_texts(&mut components);
        let called: Vec<&str> =
            components.iter().map(|component| component.text.as_deref().unwrap_or(&component.name)).collect();
        assert_eq!(called, ["@ID", "lang", "@lang", "base", "order-2", "order", "Größe", "id", "order-1", "ID"]);
    }

    #[test]
    fn modules_are_named_after_their_namespaces() {
        assert_eq!(module("http://www.topografix.com/GPX/1/1"), "Topografix-com-GPX-1-1");
        assert_eq!(module("urn:uddi-org:api_v2"), "Uddi-org-api-v2");
        assert_eq!(module(""), "NoNamespace");
    }
}
