//! What attribute-list declarations say of attributes: types that normalise, and defaults
//! (XML 1.0 sections 3.3 and 3.3.3).

use core::ops::Range;
use std::collections::HashMap;

/// The attributes declared for one element type. The first declaration of each holds.
#[derive(Debug, Default)]
pub(crate) struct Attributes {
    by_name: HashMap<Box<[u8]>, Attribute>,
    /// Those with a default, in the order of declaration.
    pub(crate) defaults: Vec<Supplied>,
}

/// A declared attribute.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attribute {
    /// Its number among all of the document.
    pub(crate) number: usize,
    /// Whether its type is another than CDATA, so that spaces are stripped and collapsed.
    pub(crate) tokenized: bool,
}

/// A default, stored in [`AttLists::text`].
#[derive(Clone, Debug)]
pub(crate) struct Supplied {
    pub(crate) number: usize,
    pub(crate) name: Range<usize>,
    pub(crate) value: Range<usize>,
}

/// All attribute-list declarations of a document.
#[derive(Debug, Default)]
pub(crate) struct AttLists {
    elements: HashMap<Box<[u8]>, Attributes>,
    /// Names and normalised values of the defaults.
    pub(crate) text: String,
    count: usize,
}

impl AttLists {
    /// Whether no attribute is declared at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The attributes declared for an element type.
    pub(crate) fn of(&self, element: &[u8]) -> Option<&Attributes> {
        self.elements.get(element)
    }

    /// Declares an attribute. `value` is the default's place in `text`, normalised as CDATA.
    pub(crate) fn declare(&mut self, element: &[u8], name: &str, tokenized: bool, value: Option<Range<usize>>) {
        if !self.elements.contains_key(element) {
            self.elements.insert(element.into(), Attributes::default());
        }
        let Some(attributes) = self.elements.get_mut(element) else {
            return;
        };
        if attributes.by_name.contains_key(name.as_bytes()) {
            return;
        }
        let number = self.count;
        self.count += 1;
        attributes.by_name.insert(name.as_bytes().into(), Attribute { number, tokenized });
        if let Some(mut value) = value {
            if tokenized && let Some(text) = self.text.get(value.clone()).filter(|text| !is_tokens(text)) {
                let text = tokens(text);
                value = self.text.len()..self.text.len() + text.len();
                self.text.push_str(&text);
            }
            let at = self.text.len();
            self.text.push_str(name);
            attributes.defaults.push(Supplied { number, name: at..self.text.len(), value });
        }
    }
}

impl Attributes {
    pub(crate) fn get(&self, name: &[u8]) -> Option<Attribute> {
        self.by_name.get(name).copied()
    }
}

/// Whether a value of a tokenized type is normalised already: no space at either end, no two
/// together.
pub(crate) fn is_tokens(value: &str) -> bool {
    !value.starts_with(' ') && !value.ends_with(' ') && !value.contains("  ")
}

/// The value of a tokenized type: spaces stripped and collapsed. Only spaces: other white space
/// is here by reference and stays.
pub(crate) fn tokens(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for token in value.split(' ').filter(|token| !token.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(token);
    }
    out
}
