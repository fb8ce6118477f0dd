//! Published schemas as modules of ASN.1 (X.694): printed, read back, compiled, and compiled by asn1tools.
//!
//! `ASN1TOOLS_PYTHON` is a Python that has asn1tools; without it, or without the data beside the repository,
//! there is nothing to hold against.

use std::env;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::mapping_support::is_read_back;
use crate::oracle_support::plain;
use asn1::{Compiled, Values, notation};
use tam::Limits;
use x694::mapping::{self, Mapping, Version};
use xsd::{Files, Schema};

/// Each schema: its document, a module of it, and a type of that.
const SCHEMAS: [(&str, &str, &str); 6] = [
    (
        "ubl21/xsd/maindoc/UBL-Invoice-2.1.xsd",
        "Oasis-names-specification-ubl-schema-xsd-CommonAggregateComponents-2",
        "TaxTotalType",
    ),
    ("ubl21/xsd/maindoc/UBL-Order-2.1.xsd", "Oasis-names-specification-ubl-schema-xsd-Order-2", "OrderType"),
    ("ubl21/xsd/maindoc/UBL-Catalogue-2.1.xsd", "Oasis-names-specification-ubl-schema-xsd-Catalogue-2", "Catalogue"),
    ("uddi/xsd/uddi_v2.xsd", "Uddi-org-api-v2", "BusinessEntity"),
    ("gpx/gpx11.xsd", "Topografix-com-GPX-1-1", "GpxType"),
    ("kml/xsd/ogckml22.xsd", "Opengis-net-kml-2-2", "PlacemarkType"),
];

fn data() -> Option<PathBuf> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    if SCHEMAS.iter().all(|(location, ..)| data.join(location).is_file()) {
        return Some(data);
    }
    test_support::skipped("there are no schemas in ../shared/data");
    None
}

fn mapped(data: &Path, location: &str, version: Version) -> Mapping {
    let files = Files::new().allow(data).unwrap();
    let location = data.join(location).to_string_lossy().into_owned();
    let schema = Schema::read_from(files, &location, &xsd::Options::default()).unwrap();
    mapping::map(&schema, &mapping::Options::default().with_version(version)).unwrap()
}

#[test]
fn modules_are_read_back_as_they_were_printed() {
    let Some(data) = data() else { return };
    for (location, module, ty) in SCHEMAS.into_iter().step_by(test_support::stride(3)) {
        for version in [Version::V1, Version::V2] {
            let Mapping { schema, left_out, .. } = mapped(&data, location, version);
            assert!(schema.module(module).unwrap().assignment(ty).is_some(), "{location}");
            let text = notation::print_schema(&schema);
            assert!(is_read_back(&schema), "{location}: what is printed is not what is read back");
            let (modules, bytes) = (schema.modules.len(), text.len());
            println!("{location}, {version:?}: {modules} modules, {bytes} bytes, {} left out", left_out.len());
        }
    }
}

/// Both versions are types that the codecs carry.
#[test]
fn modules_are_compiled() {
    let Some(data) = data() else { return };
    for (location, ..) in SCHEMAS.into_iter().step_by(test_support::stride(3)) {
        for version in [Version::V1, Version::V2] {
            let compiled = Compiled::new(&mapped(&data, location, version).schema);
            assert!(compiled.is_ok(), "{location} {version:?}: {}", compiled.unwrap_err());
        }
    }
}

/// With encoding instructions left out, and what asn1tools cannot read and PER does not look at.
#[test]
fn asn1tools_compiles_the_modules() {
    let (Some(data), Some(python)) = (data(), env::var_os("ASN1TOOLS_PYTHON")) else {
        test_support::skipped("ASN1TOOLS_PYTHON names no Python that has asn1tools");
        return;
    };
    for (location, ..) in SCHEMAS.into_iter().step_by(test_support::stride(3)) {
        let schema = mapped(&data, location, Version::V1).schema;
        let types: usize = schema.modules.iter().map(|module| module.assignments.len()).sum();
        let code = "import sys, asn1tools\n\
            modules = asn1tools.compile_string(sys.stdin.read(), 'uper').modules\n\
            print(sum(len(types) for types in modules.values()))";
        let mut child =
            Command::new(&python).args(["-c", code]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(notation::print_schema(&plain(&schema)).as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{location}: asn1tools refuses the modules");
        assert_eq!(String::from_utf8(output.stdout).unwrap().trim(), types.to_string(), "{location}");
    }
}

/// The bytes are those that asn1tools 0.169 makes of the same value by the same modules.
#[test]
fn a_value_of_uddi_is_encoded_as_asn1tools_encodes_it() {
    let Some(data) = data() else { return };
    let types = Compiled::new(&mapped(&data, "uddi/xsd/uddi_v2.xsd", Version::V1).schema).unwrap();
    let text = r#"{
      authorizedName "é", businessKey "uuid-7",
      name-list { { lang language : "en", base "Acme" }, { base "" } },
      description-list {},
      contacts { contact-list { {
        description-list {}, personName "Ann", phone-list {}, email-list { { base "a@b" } }, address-list {}
      } } }
    }"#;
    let mut values = Values::new();
    let root = types.find("BusinessEntity").unwrap();
    let value = notation::read_value(text, &types, Some(root), &Limits::default(), &mut values).unwrap();
    for (options, expected) in [
        (asn1::Options::uper(), "900587520ceaead2c85a6e05015390220b1b6b28000004000682dcdc00020361406200"),
        (asn1::Options::aper(), "9002c3a906757569642d37028002656e0441636d6500000001000003416e6e0001000361406200"),
        (
            asn1::Options::ber(),
            "303c8002c3a98106757569642d37a412300ca0048002656e810441636d6530028100a500a618a0163014a1008203416e6ea3\
             00a40730058103614062a500",
        ),
    ] {
        let message = asn1::write(value, &options).unwrap();
        let hex: String = message.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, expected);
    }
}
