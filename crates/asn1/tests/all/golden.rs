//! Whole documents of the XML Infoset's schema, written by an independent encoder and rewritten byte
//! for byte by another.

use std::path::Path;

use asn1::{Compiled, Options, Values};

#[test]
fn documents_of_the_infoset_are_read_and_written_again() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/infoset-golden");
    let Ok(module) = std::fs::read_to_string(data.join("Infoset.asn1")) else {
        test_support::skipped("there is no ../shared/data/infoset-golden");
        return;
    };
    let types = Compiled::from_notation(&module).unwrap();
    let document = types.find("Document").unwrap();
    for name in ["much_ado", "periodic_table", "soap2"] {
        for (ending, options) in [("uper", Options::uper()), ("aper", Options::aper()), ("ber", Options::ber())] {
            let message = std::fs::read(data.join(format!("{name}.{ending}"))).unwrap();
            let mut values = Values::new();
            let value = asn1::read(&message, &types, document, &options, &mut values).unwrap();
            assert!(asn1::write(value, &options).unwrap() == message, "{name}.{ending}");
        }
    }
}
