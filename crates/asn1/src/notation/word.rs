//! Reserved words (X.680 clause 12.38).

/// The capitalized words that are not references, in alphabetical order.
const RESERVED: [&str; 91] = [
    "ABSENT",
    "ABSTRACT-SYNTAX",
    "ALL",
    "APPLICATION",
    "AUTOMATIC",
    "BEGIN",
    "BIT",
    "BMPString",
    "BOOLEAN",
    "BY",
    "CHARACTER",
    "CHOICE",
    "CLASS",
    "COMPONENT",
    "COMPONENTS",
    "CONSTRAINED",
    "CONTAINING",
    "DATE",
    "DATE-TIME",
    "DEFAULT",
    "DEFINITIONS",
    "DURATION",
    "EMBEDDED",
    "ENCODED",
    "ENCODING-CONTROL",
    "END",
    "ENUMERATED",
    "EXCEPT",
    "EXPLICIT",
    "EXPORTS",
    "EXTENSIBILITY",
    "EXTERNAL",
    "FALSE",
    "FROM",
    "GeneralString",
    "GeneralizedTime",
    "GraphicString",
    "IA5String",
    "IDENTIFIER",
    "IMPLICIT",
    "IMPLIED",
    "IMPORTS",
    "INCLUDES",
    "INSTANCE",
    "INSTRUCTIONS",
    "INTEGER",
    "INTERSECTION",
    "ISO646String",
    "MAX",
    "MIN",
    "MINUS-INFINITY",
    "NOT-A-NUMBER",
    "NULL",
    "NumericString",
    "OBJECT",
    "OCTET",
    "OF",
    "OID-IRI",
    "OPTIONAL",
    "ObjectDescriptor",
    "PATTERN",
    "PDV",
    "PLUS-INFINITY",
    "PRESENT",
    "PRIVATE",
    "PrintableString",
    "REAL",
    "RELATIVE-OID",
    "RELATIVE-OID-IRI",
    "SEQUENCE",
    "SET",
    "SETTINGS",
    "SIZE",
    "STRING",
    "SYNTAX",
    "T61String",
    "TAGS",
    "TIME",
    "TIME-OF-DAY",
    "TRUE",
    "TYPE-IDENTIFIER",
    "TeletexString",
    "UNION",
    "UNIQUE",
    "UNIVERSAL",
    "UTCTime",
    "UTF8String",
    "UniversalString",
    "VideotexString",
    "VisibleString",
    "WITH",
];

/// Whether a word is reserved, so that no type, module or class may have it as its name (X.680 clause 12.38).
///
/// ```
/// use lengthwise_asn1::notation::is_reserved;
///
/// assert!(is_reserved("SEQUENCE"));
/// assert!(!is_reserved("Sequence"));
/// ```
#[must_use]
pub fn is_reserved(word: &str) -> bool {
    RESERVED.binary_search(&word).is_ok()
}

/// Whether a reserved word is a string type, a time type or `ObjectDescriptor`. Some modules in use define these names
/// themselves.
pub(super) fn is_useful_type(word: &str) -> bool {
    is_reserved(word) && (word.ends_with("String") || word.ends_with("Time") || word == "ObjectDescriptor")
}

/// Whether a reserved word is a class (X.681 Annexes A and B).
pub(super) fn is_class(word: &str) -> bool {
    matches!(word, "TYPE-IDENTIFIER" | "ABSTRACT-SYNTAX")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_in_order() {
        assert!(RESERVED.is_sorted());
        assert!(is_reserved("ABSENT") && is_reserved("WITH") && !is_reserved("Within"));
    }
}
