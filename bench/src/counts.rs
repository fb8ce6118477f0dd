//! What a document holds: the same for everyone who reads it, or nothing is timed.

use tam::{Document, Step};

/// Counts of an XML document; `struct counts` of `peers/counts.h`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct XmlCounts {
    pub(crate) elements: u64,
    pub(crate) attributes: u64,
    pub(crate) texts: u64,
    /// CDATA sections, comments, processing instructions, DOCTYPE.
    pub(crate) others: u64,
    /// Names of elements and attributes.
    pub(crate) name_bytes: u64,
    /// Attribute values, text and CDATA.
    pub(crate) value_bytes: u64,
}

impl XmlCounts {
    /// Lexical units, as the paper counts them: attribute lists are none.
    pub(crate) fn units(&self) -> u64 {
        self.elements + self.attributes + self.texts + self.others
    }

    pub(crate) fn of(document: &Document<'_>) -> XmlCounts {
        let mut counts = XmlCounts::default();
        for step in document.walk() {
            match step {
                Step::Open(node) if node.kind() == b'<' => {
                    counts.elements += 1;
                    counts.name_bytes += node.name().written().len() as u64;
                }
                Step::Primitive(node) => {
                    match node.kind() {
                        b'[' if node.name().is_none() => counts.texts += 1,
                        b'[' => counts.attributes += 1,
                        _ => counts.others += 1,
                    }
                    if matches!(node.kind(), b'[' | b']') {
                        counts.name_bytes += node.name().written().len() as u64;
                        counts.value_bytes += node.value().len() as u64;
                    }
                }
                _ => {}
            }
        }
        counts
    }

    /// Attributes that declare namespaces, which some peers resolve instead of keeping: their
    /// number, and the bytes of their values.
    pub(crate) fn namespaces(document: &Document<'_>) -> (u64, u64) {
        let mut found = (0, 0);
        for step in document.walk() {
            if let Step::Primitive(node) = step
                && node.kind() == b'['
                && (node.name() == *b"xmlns" || node.name().written().starts_with(b"xmlns:"))
            {
                found.0 += 1;
                found.1 += node.value().len() as u64;
            }
        }
        found
    }
}

/// Attributes that say where schemas are: EXI of a schema leaves them out.
pub(crate) fn schema_locations(document: &Document<'_>) -> u64 {
    let hint = |name: &[u8]| name.ends_with(b":schemaLocation") || name.ends_with(b":noNamespaceSchemaLocation");
    let of = |step: &Step<'_>| match step {
        Step::Primitive(node) => node.kind() == b'[' && hint(node.name().written()),
        _ => false,
    };
    document.walk().filter(of).count() as u64
}

/// Counts of a JSON document; `struct json_counts` of `peers/counts.h`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct JsonCounts {
    pub(crate) objects: u64,
    pub(crate) arrays: u64,
    pub(crate) strings: u64,
    pub(crate) numbers: u64,
    /// `true`, `false`, `null`.
    pub(crate) literals: u64,
    pub(crate) names: u64,
    /// Names and strings, escapes undone.
    pub(crate) text_bytes: u64,
}

impl JsonCounts {
    /// Values on all levels: what is a lexical unit in TSF.
    pub(crate) fn units(&self) -> u64 {
        self.objects + self.arrays + self.strings + self.numbers + self.literals
    }

    /// Of a document of the type set `value`, whose strings are decoded.
    pub(crate) fn of_values(document: &Document<'_>) -> JsonCounts {
        let mut counts = JsonCounts::default();
        // For each open unit, whether its children have names.
        let mut objects = Vec::new();
        for step in document.walk() {
            let (Step::Open(node) | Step::Primitive(node)) = step else {
                objects.pop();
                continue;
            };
            if objects.last() == Some(&true) {
                counts.names += 1;
                counts.text_bytes += node.name().bytes().count() as u64;
            }
            match node.kind() {
                b'{' => counts.objects += 1,
                b'[' => counts.arrays += 1,
                b'\'' => {
                    counts.strings += 1;
                    counts.text_bytes += node.value().len() as u64;
                }
                b'#' | b'%' => counts.numbers += 1,
                _ => counts.literals += 1,
            }
            if node.is_structured() {
                objects.push(node.kind() == b'{');
            }
        }
        counts
    }
}
