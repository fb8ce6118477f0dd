//! Parses the subset of XPath for identity constraints (Part 1 section 3.11.6).

use xml::name::{is_local, split};
use xml::white_space::trim;

use crate::components::{IdentityPath, NodeTest};
use crate::{Names, NamespaceId};

/// The most alternatives and steps of one expression. No real schema has as many.
const MOST_STEPS: usize = 4096;

/// The paths of an expression; or what was found and expected. `namespace` is the namespace of a prefix.
pub(super) fn paths(
    text: &str,
    is_field: bool,
    names: &mut Names,
    namespace: impl Fn(&str) -> Option<NamespaceId>,
) -> Result<Vec<IdentityPath>, (String, &'static str)> {
    let mut paths = Vec::new();
    let mut count = 0;
    for alternative in text.split('|') {
        paths.push(path(alternative, is_field, names, &namespace, &mut count)?);
    }
    Ok(paths)
}

fn path(
    text: &str,
    is_field: bool,
    names: &mut Names,
    namespace: &impl Fn(&str) -> Option<NamespaceId>,
    count: &mut usize,
) -> Result<IdentityPath, (String, &'static str)> {
    const EXPECTED: &str = "steps of names, '*', '.', '@name' and './/' in front";
    let wrong = || (format!("'{}'", text.trim()), EXPECTED);
    let mut path = IdentityPath { anywhere: false, steps: Vec::new(), attribute: None };
    let mut rest = trim(text);
    if let Some(more) = rest.strip_prefix('.').map(str::trim_start).and_then(|more| more.strip_prefix("//")) {
        path.anywhere = true;
        rest = more;
    }
    let mut parts = rest.split('/').map(trim).peekable();
    while let Some(part) = parts.next() {
        *count += 1;
        if *count > MOST_STEPS {
            return Err((format!("more than {MOST_STEPS} steps"), "fewer steps"));
        }
        if part == "." {
            continue;
        }
        let attribute = part.strip_prefix('@').or_else(|| axis(part, "attribute"));
        if let Some(name) = attribute {
            if !is_field || parts.peek().is_some() {
                return Err(wrong());
            }
            path.attribute = Some(test(trim(name), names, namespace).ok_or_else(wrong)?);
        } else {
            let name = axis(part, "child").unwrap_or(part);
            path.steps.push(test(trim(name), names, namespace).ok_or_else(wrong)?);
        }
    }
    Ok(path)
}

fn axis<'t>(part: &'t str, axis: &str) -> Option<&'t str> {
    part.strip_prefix(axis)?.trim_start().strip_prefix("::")
}

fn test(text: &str, names: &mut Names, namespace: &impl Fn(&str) -> Option<NamespaceId>) -> Option<NodeTest> {
    if text == "*" {
        return Some(NodeTest::Any);
    }
    let (prefix, local) = split(text);
    // A name without a prefix is in no namespace, even if there is a default namespace.
    let namespace = if prefix.is_empty() { NamespaceId::NONE } else { namespace(prefix)? };
    if local == "*" && !prefix.is_empty() {
        return Some(NodeTest::Namespace(namespace));
    }
    is_local(local).then(|| NodeTest::Name(names.intern_in(namespace, local)))
}
