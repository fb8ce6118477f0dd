//! Prefixes and namespaces (Namespaces in XML 1.0, third edition).

use std::collections::HashMap;

use lengthwise_xml::namespaces::{Scope, XML, XMLNS, check_declaration, declared};

/// Section 3, productions 1 to 3: `xmlns`, or `xmlns:` and a prefix.
#[test]
fn declarations_are_attributes_of_productions_1_to_3() {
    for (name, prefix) in [("xmlns", Some("")), ("xmlns:a", Some("a")), ("xmlns:xmlns", Some("xmlns"))] {
        assert_eq!(declared(name), prefix, "{name}");
    }
    for name in ["", "xml", "xmln", "xmlnsa", "xmlns-a", "Xmlns", "xml:ns", "a:xmlns"] {
        assert_eq!(declared(name), None, "{name}");
    }
}

/// Section 3, namespace constraint Reserved Prefixes and Namespace Names.
#[test]
fn reserved_prefixes_and_namespaces_stay_together() {
    let is = |prefix: Option<&str>, uri: &str| check_declaration(prefix.map(str::as_bytes), uri.as_bytes()).is_ok();
    // "The prefix xml … MAY, but need not, be declared, and MUST NOT be bound to any other namespace name."
    assert!(is(Some("xml"), XML) && !is(Some("xml"), "urn:a") && !is(Some("xml"), XMLNS) && !is(Some("xml"), ""));
    // "Other prefixes MUST NOT be bound to this namespace name, and it MUST NOT be declared as the default namespace."
    assert!(!is(Some("a"), XML) && !is(None, XML));
    // "The prefix xmlns … MUST NOT be declared. Other prefixes MUST NOT be bound to this namespace name, and it MUST NOT
    // be declared as the default namespace."
    assert!(!is(Some("xmlns"), XMLNS) && !is(Some("xmlns"), "urn:a") && !is(Some("a"), XMLNS) && !is(None, XMLNS));
    // "All other prefixes beginning with the three-letter sequence x, m, l … are reserved": "processors MUST NOT treat them
    // as fatal errors".
    assert!(is(Some("xmlfoo"), "urn:a") && is(Some("XML"), "urn:a"));
    // Names are compared as strings (section 2.3): these are others.
    assert!(is(Some("a"), "http://www.w3.org/XML/1998/Namespace") && is(None, "http://www.w3.org/2000/xmlns"));
}

/// Section 5, namespace constraint No Prefix Undeclaring; section 6.2: the default namespace may be taken back.
#[test]
fn the_default_namespace_alone_is_taken_back() {
    assert!(check_declaration(None, b"").is_ok());
    assert!(check_declaration(Some(b"a"), b"").is_err());
}

/// Section 4, production 2: the prefix is an NCName.
#[test]
fn prefixes_are_names_without_a_colon() {
    for (prefix, is) in [("a", true), ("é-1", true), ("", false), ("1", false), ("a:b", false), (":", false)] {
        assert_eq!(check_declaration(Some(prefix.as_bytes()), b"urn:a").is_ok(), is, "{prefix}");
    }
}

/// A start tag as a test writes it.
fn start(scope: &mut Scope, depth: usize, element: &str, attributes: &[(&str, &str)]) -> Result<(), Option<usize>> {
    let attribute = |n: usize| (attributes[n].0.as_bytes(), attributes[n].1.as_bytes());
    scope.start(depth, element.as_bytes(), attributes.len(), attribute).map_err(|fault| fault.attribute)
}

/// Section 5, namespace constraint Prefix Declared; section 6.1: the scope of a declaration is its element, start tag and
/// all.
#[test]
fn prefixes_are_bound_where_they_are_declared() {
    let mut scope = Scope::default();
    assert_eq!(start(&mut scope, 1, "a:r", &[("a:k", ""), ("xmlns:a", "urn:1")]), Ok(()));
    assert_eq!(start(&mut scope, 2, "b:c", &[("xmlns:b", "urn:2"), ("xml:lang", "en")]), Ok(()));
    assert_eq!(start(&mut scope, 3, "b:c", &[("a:k", "")]), Ok(()));
    scope.end(1);
    assert_eq!(start(&mut scope, 2, "b:c", &[]), Err(None));
    assert_eq!(start(&mut scope, 2, "a:c", &[("l", ""), ("b:k", "")]), Err(Some(1)));
    scope.end(0);
    assert_eq!(start(&mut scope, 1, "a:r", &[]), Err(None));
    assert!(scope.element(b"xml:a").is_ok() && scope.element(b"a:b").is_err() && scope.element(b"a").is_ok());
}

/// Section 7: names of elements and attributes are QNames.
#[test]
fn names_have_one_colon_at_the_most() {
    let mut scope = Scope::default();
    for name in ["a:b:c", ":a", "a:", "a:1"] {
        assert_eq!(start(&mut scope, 1, name, &[("xmlns:a", "urn:1")]), Err(None), "{name}");
        assert_eq!(start(&mut scope, 1, "r", &[("xmlns:a", "urn:1"), (name, "")]), Err(Some(1)), "{name}");
    }
}

/// Section 6.3: no two attributes of one expanded name; the default namespace is not that of attributes.
#[test]
fn attributes_are_unique_by_their_expanded_names() {
    // The example of the section, and the one after it.
    let twice = [("xmlns:n1", "http://www.w3.org"), ("xmlns:n2", "http://www.w3.org"), ("n1:a", "1"), ("n2:a", "2")];
    assert_eq!(start(&mut Scope::default(), 1, "bad", &twice), Err(Some(3)));
    let once = [("xmlns:n1", "http://www.w3.org"), ("xmlns", "http://www.w3.org"), ("a", "1"), ("n1:a", "2")];
    assert_eq!(start(&mut Scope::default(), 1, "good", &once), Ok(()));
    // Many are sorted.
    let names: Vec<String> = (0..20).map(|n| format!("n{}:a{}", n % 2 + 1, n / 2 + n % 2 * 10)).collect();
    let mut many = twice[..2].to_vec();
    many.extend(names.iter().map(|name| (&**name, "")));
    assert_eq!(start(&mut Scope::default(), 1, "good", &many), Ok(()));
    many.push(("n2:a3", ""));
    assert_eq!(start(&mut Scope::default(), 1, "bad", &many), Err(Some(many.len() - 1)));
}

/// Sections 6.1 and 6.2: the innermost declaration holds. Held against a list of all of them, with as many prefixes and
/// namespaces as make tables of them.
#[test]
fn the_innermost_declaration_holds() {
    let mut random = 1_u64;
    let mut below = |most: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % most
    };
    for prefixes in [3, 9, 40] {
        let (mut scope, mut plain, mut depth) = (Scope::default(), Vec::<(usize, String, String)>::new(), 0);
        let mut states = HashMap::new();
        for _ in 0..3_000 {
            if below(2) == 0 && depth < 20 {
                depth += 1;
                for _ in 0..below(4) {
                    let (prefix, uri) = match below(prefixes) {
                        0 => (String::new(), ["", "urn:default"][below(2) as usize].to_owned()),
                        n => (format!("prefix{n}"), format!("urn:{}", below(prefixes))),
                    };
                    let number = scope.bind(depth, prefix.as_bytes(), uri.as_bytes());
                    assert_eq!(scope.uri(number), uri.as_bytes());
                    assert_eq!(scope.number(uri.as_bytes()), number);
                    plain.push((depth, prefix, uri));
                }
            } else {
                depth = depth.saturating_sub(1);
                scope.end(depth);
                plain.retain(|(level, ..)| *level <= depth);
            }
            assert_eq!(scope.held(), plain.len());
            // The same bindings have the same state, and no others.
            let all: Vec<(String, String)> =
                plain.iter().map(|(_, prefix, uri)| (prefix.clone(), uri.clone())).collect();
            assert_eq!(states.entry(scope.state()).or_insert_with(|| all.clone()), &all);
            for n in 0..prefixes {
                for prefix in [String::new(), format!("prefix{n}"), "xml".to_owned()] {
                    let innermost = plain.iter().rev().find(|(_, other, _)| *other == prefix).map(|(.., uri)| &**uri);
                    let expected = if prefix == "xml" { Some(XML) } else { innermost };
                    let found = scope.namespace(prefix.as_bytes()).map(|number| scope.uri(number));
                    assert_eq!(found, expected.map(str::as_bytes), "{prefix}");
                    let (name, colon) = (format!("{prefix}:a"), prefix.len());
                    if !prefix.is_empty() && scope.is_bound(name.as_bytes(), 0, colon) {
                        assert!(expected.is_some(), "{prefix}");
                    }
                    assert_eq!(scope.element(name.as_bytes()).is_ok(), !prefix.is_empty() && expected.is_some());
                }
            }
        }
    }
}

/// A declaration that repeats the one before is bound by a look at its words: the same as by the long way.
#[test]
fn repeated_declarations_are_those_of_the_long_way() {
    let (mut quick, mut slow) = (Scope::default(), Scope::default());
    let (name, uri) = (b"xmlns:p", &b"urn:p"[..]);
    for depth in [1, 1, 2] {
        quick.begin();
        if quick.is_due(depth, name, (0, 5, name.len()), Some(uri)) {
            quick.start(depth, b"p:a", 1, |_| (name, uri)).unwrap();
        }
        slow.bind(depth, b"p", uri);
        assert_eq!(
            (quick.namespace(b"p"), quick.held(), quick.watched()),
            (slow.namespace(b"p"), slow.held(), slow.watched())
        );
        assert!(quick.is_bound(b"p:a", 0, 1) && slow.is_bound(b"p:a", 0, 1));
        quick.end(depth - 1);
        slow.end(depth - 1);
        assert_eq!((quick.namespace(b"p"), quick.held()), (None, 0));
        assert!(!quick.is_bound(b"p:a", 0, 1) && !slow.is_bound(b"p:a", 0, 1));
    }
}
