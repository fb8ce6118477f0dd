//! Reads the modules that X.694 makes of XML Schemas with rasn's compiler: `modules-oracle FOLDER SCHEMA...`. It has no
//! bindings for REAL; all other types must have one.

#[path = "../../../../crates/x694/tests/oracle_support/mod.rs"]
mod oracle_support;

use asn1::notation;
use rasn_compiler::{Compiler, prelude::RasnBackend};
use x694::mapping;

/// Values of REAL that it does not read.
const SPECIAL: &str = "MINUS-INFINITY | PLUS-INFINITY | NOT-A-NUMBER | ";

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().expect("FOLDER SCHEMA...");
    let mut compiled = 0;
    for location in arguments {
        let location = format!("{folder}/{location}");
        let files = xsd::Files::new().allow(&folder).expect("a folder");
        let schema = xsd::Schema::read_from(files, &location, &xsd::Options::default()).expect("a schema");
        let mapped = mapping::map(&schema, &mapping::Options::default().with_version(mapping::Version::V1));
        let modules = oracle_support::plain(&mapped.expect("modules").schema);
        let text = notation::print_schema(&modules).replace(SPECIAL, "");
        let made = Compiler::<RasnBackend, _>::new().add_asn_literal(text).compile_to_string();
        let made = made.unwrap_or_else(|error| panic!("{location}: {error}"));
        for warning in &made.warnings {
            assert!(warning.to_string().contains("Real types are currently unsupported"), "{location}: {warning}");
        }
        let types = modules.modules[0].assignments.len();
        let bindings = made.generated.matches("#[rasn(").count();
        assert!(bindings >= types - made.warnings.len(), "{location}: {bindings} bindings of {types} types");
        println!("{location}: {bindings} bindings of {types} types, {} of them REAL", made.warnings.len());
        compiled += 1;
    }
    assert!(compiled > 0, "no schema");
}
