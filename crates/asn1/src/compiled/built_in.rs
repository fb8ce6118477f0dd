//! What every module knows without an import: the classes of X.681 Annexes A and B, and the types that are encoded as
//! their associated types.

use tam::Limits;

use crate::notation;
use crate::schema::Module;

/// The associated types are those of X.690 clause 8.18 (EXTERNAL), and of X.680 clauses 36.5 and 44.5.
const TEXT: &str = "
Built-In DEFINITIONS IMPLICIT TAGS ::= BEGIN

TYPE-ID ::= CLASS { &id OBJECT IDENTIFIER UNIQUE, &Type } WITH SYNTAX { &Type IDENTIFIED BY &id }

SYNTAX-ID ::= CLASS {
  &id OBJECT IDENTIFIER UNIQUE, &Type, &property BIT STRING { handles-invalid-encodings(0) } DEFAULT {}
} WITH SYNTAX { &Type IDENTIFIED BY &id [HAS PROPERTY &property] }

External ::= [UNIVERSAL 8] SEQUENCE {
  direct-reference OBJECT IDENTIFIER OPTIONAL,
  indirect-reference INTEGER OPTIONAL,
  data-value-descriptor ObjectDescriptor OPTIONAL,
  encoding CHOICE { single-ASN1-type [0] ANY, octet-aligned [1] OCTET STRING, arbitrary [2] BIT STRING }
}

Identification ::= CHOICE {
  syntaxes [0] SEQUENCE { abstract [0] OBJECT IDENTIFIER, transfer [1] OBJECT IDENTIFIER },
  syntax [1] OBJECT IDENTIFIER,
  presentation-context-id [2] INTEGER,
  context-negotiation [3] SEQUENCE {
    presentation-context-id [0] INTEGER, transfer-syntax [1] OBJECT IDENTIFIER
  },
  transfer-syntax [4] OBJECT IDENTIFIER,
  fixed [5] NULL
}

EmbeddedPdv ::= [UNIVERSAL 11] SEQUENCE { identification [0] Identification, data-value [2] OCTET STRING }

CharacterString ::= [UNIVERSAL 29] SEQUENCE { identification [0] Identification, string-value [1] OCTET STRING }

END
";

/// The module that holds them. It is made for each schema, so that nothing is left in memory after it. Types have their keywords
/// as names, which the notation could not give them.
pub(super) fn module() -> Module {
    let schema = notation::parse_one(TEXT, &Limits::DEFAULT).unwrap_or_default();
    let mut module = schema.modules.into_iter().next().unwrap_or(Module::EMPTY);
    for (keyword, number) in TYPES {
        if let Some(assignment) = module.assignments.get_mut(number) {
            keyword.clone_into(&mut assignment.name);
        }
    }
    module
}

/// The number of a class in it.
pub(super) fn class(name: &str) -> Option<usize> {
    match name {
        "TYPE-IDENTIFIER" => Some(0),
        "ABSTRACT-SYNTAX" => Some(1),
        _ => None,
    }
}

/// The types in it, and their numbers.
const TYPES: [(&str, usize); 3] = [("EXTERNAL", 2), ("EMBEDDED PDV", 4), ("CHARACTER STRING", 5)];

/// The number of a type in it, by its keyword.
pub(super) fn type_of(keyword: &str) -> Option<usize> {
    TYPES.iter().find(|(own, _)| *own == keyword).map(|(_, number)| *number)
}
