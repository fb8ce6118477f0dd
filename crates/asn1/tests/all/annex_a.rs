//! The examples of X.691 Annex A: a personnel record without constraints (A.1), with them (A.2), with
//! extension markers (A.3), and extension addition groups (A.4); and that of X.690 Annex A, the first
//! of them in BER. The octets are those that the Recommendations print.

use crate::support::{hex, text_of};
use asn1::{Compiled, Options, Values, jer};
use tam::{Limits, Table};
use text::json;

const UNCONSTRAINED: &str = r#"
Annex-A1 DEFINITIONS ::= BEGIN
PersonnelRecord ::= [APPLICATION 0] IMPLICIT SET {
    name          Name,
    title         [0] VisibleString,
    number        EmployeeNumber,
    dateOfHire    [1] Date,
    nameOfSpouse  [2] Name,
    children      [3] IMPLICIT SEQUENCE OF ChildInformation DEFAULT {} }
ChildInformation ::= SET { name Name, dateOfBirth [0] Date }
Name ::= [APPLICATION 1] IMPLICIT SEQUENCE {
    givenName   VisibleString,
    initial     VisibleString,
    familyName  VisibleString }
EmployeeNumber ::= [APPLICATION 2] IMPLICIT INTEGER
Date ::= [APPLICATION 3] IMPLICIT VisibleString -- YYYYMMDD
END"#;

const CONSTRAINED: &str = r#"
Annex-A2 DEFINITIONS ::= BEGIN
PersonnelRecord ::= [APPLICATION 0] IMPLICIT SET {
    name          Name,
    title         [0] VisibleString,
    number        EmployeeNumber,
    dateOfHire    [1] Date,
    nameOfSpouse  [2] Name,
    children      [3] IMPLICIT SEQUENCE OF ChildInformation DEFAULT {} }
ChildInformation ::= SET { name Name, dateOfBirth [0] Date }
Name ::= [APPLICATION 1] IMPLICIT SEQUENCE {
    givenName   NameString,
    initial     NameString (SIZE (1)),
    familyName  NameString }
EmployeeNumber ::= [APPLICATION 2] IMPLICIT INTEGER
Date ::= [APPLICATION 3] IMPLICIT VisibleString (FROM ("0".."9") ^ SIZE (8)) -- YYYYMMDD
NameString ::= VisibleString (FROM ("a".."z" | "A".."Z" | "-.") ^ SIZE (1..64))
END"#;

const EXTENSIBLE: &str = r#"
Annex-A3 DEFINITIONS ::= BEGIN
PersonnelRecord ::= [APPLICATION 0] IMPLICIT SET {
    name          Name,
    title         [0] VisibleString,
    number        EmployeeNumber,
    dateOfHire    [1] Date,
    nameOfSpouse  [2] Name,
    children      [3] IMPLICIT SEQUENCE (SIZE (2, ...)) OF ChildInformation OPTIONAL,
    ... }
ChildInformation ::= SET {
    name         Name,
    dateOfBirth  [0] Date,
    ...,
    sex          [1] IMPLICIT ENUMERATED { male(1), female(2), unknown(3) } OPTIONAL }
Name ::= [APPLICATION 1] IMPLICIT SEQUENCE {
    givenName   NameString,
    initial     NameString (SIZE (1)),
    familyName  NameString,
    ... }
EmployeeNumber ::= [APPLICATION 2] IMPLICIT INTEGER (0..9999, ...)
Date ::= [APPLICATION 3] IMPLICIT VisibleString (FROM ("0".."9") ^ SIZE (8, ..., 9..20)) -- YYYYMMDD
NameString ::= VisibleString (FROM ("a".."z" | "A".."Z" | "-.") ^ SIZE (1..64, ...))
END"#;

const GROUPS: &str = r#"
Annex-A4 DEFINITIONS AUTOMATIC TAGS ::= BEGIN
Ax ::= SEQUENCE {
    a  INTEGER (250..253),
    b  BOOLEAN,
    c  CHOICE { d INTEGER, ..., [[ e BOOLEAN, f IA5String ]], ... },
    ...,
    [[ g NumericString (SIZE (3)), h BOOLEAN OPTIONAL ]],
    ...,
    i  BMPString OPTIONAL,
    j  PrintableString OPTIONAL }
END"#;

/// John P. Smith, his wife Mary and their children Ralph and Susan; `{sex}` marks where A.3 has another field.
const RECORD: &str = r#"{
    "name": { "givenName": "John", "initial": "P", "familyName": "Smith" },
    "title": "Director",
    "number": 51,
    "dateOfHire": "19710917",
    "nameOfSpouse": { "givenName": "Mary", "initial": "T", "familyName": "Smith" },
    "children": [
        { "name": { "givenName": "Ralph", "initial": "T", "familyName": "Smith" }, "dateOfBirth": "19571111" },
        { "name": { "givenName": "Susan", "initial": "B", "familyName": "Jones" }, "dateOfBirth": "19590717"{sex} }
    ]
}"#;

/// The value is written as these octets, and they are read as the value.
#[track_caller]
fn is(notation: &str, ty: &str, value: &str, options: &Options, octets_of: &str) {
    let expected = hex(octets_of);
    let types = Compiled::from_notation(notation).unwrap();
    let node = types.find(ty).unwrap();
    let mut table = Table::new();
    let document = json::read(value.as_bytes(), &json::Options::default(), &mut table).unwrap();
    let mut values = Values::new();
    let value = jer::read(&document, &types, node, &Limits::default(), &mut values).unwrap();
    assert_eq!(asn1::write(value, options).unwrap(), expected);
    let mut values = Values::new();
    let read = asn1::read(&expected, &types, node, options, &mut values).unwrap();
    assert_eq!(text_of(read).unwrap(), text_of(value).unwrap());
}

/// A.1
#[test]
fn a_record_without_constraints() {
    let record = RECORD.replace("{sex}", "");
    is(
        UNCONSTRAINED,
        "PersonnelRecord",
        &record,
        &Options::aper(),
        "80044A6F 686E0150 05536D69 74680133 08446972 6563746F 72083139 37313039 3137044D
         61727901 5405536D 69746802 0552616C 70680154 05536D69 74680831 39353731 31313105
         53757361 6E014205 4A6F6E65 73083139 35393037 3137",
    );
    is(
        UNCONSTRAINED,
        "PersonnelRecord",
        &record,
        &Options::uper(),
        "824ADFA3 700D005A 7B74F4D0 02661113 4F2CB8FA 6FE410C5 CB762C1C B16E0937 0F2F2035
         0169EDD3 D340102D 2C3B3868 01A80B4F 6E9E9A02 18B96ADD 8B162C41 69F5E787 700C2059
         5BF765E6 10C5CB57 2C1BB16E",
    );
}

/// X.690 A.3: there the components of the SET are in the order of the notation; in DER, the title comes after the
/// number.
#[test]
fn a_record_in_ber() {
    let record = RECORD.replace("{sex}", "");
    let (before, number, title, after) = (
        "608185 6110 1A044A6F686E 1A0150 1A05536D697468",
        "420133",
        "A00A 1A084469726563746F72",
        "A10A 43083139373130393137 A212 6110 1A044D617279 1A0154 1A05536D697468
         A342 311F 6111 1A0552616C7068 1A0154 1A05536D697468 A00A 43083139353731313131
              311F 6111 1A05537573616E 1A0142 1A054A6F6E6573 A00A 43083139353930373137",
    );
    let sorted = format!("{before}{number}{title}{after}");
    is(UNCONSTRAINED, "PersonnelRecord", &record, &Options::der(), &sorted);

    let types = Compiled::from_notation(UNCONSTRAINED).unwrap();
    let printed = hex(&format!("{before}{title}{number}{after}"));
    let mut values = Values::new();
    let node = types.find("PersonnelRecord").unwrap();
    let value = asn1::read(&printed, &types, node, &Options::ber(), &mut values).unwrap();
    assert_eq!(asn1::write(value, &Options::der()).unwrap(), hex(&sorted));
}

/// A.2
#[test]
fn a_record_with_subtype_constraints() {
    let record = RECORD.replace("{sex}", "");
    is(
        CONSTRAINED,
        "PersonnelRecord",
        &record,
        &Options::aper(),
        "864A6F68 6E501053 6D697468 01330844 69726563 746F7219 7109170C 4D617279 5410536D
         69746802 1052616C 70685410 536D6974 68195711 11105375 73616E42 104A6F6E 65731959
         0717",
    );
    is(
        CONSTRAINED,
        "PersonnelRecord",
        &record,
        &Options::uper(),
        "865D51D2 888A5125 F1809984 44D3CB2E 3E9BF90C B8848B86 7396E8A8 8A5125F1 81089B93
         D71AA229 4497C632 AE222222 985CE521 885D54C1 70CAC838 B8",
    );
}

/// A.3
#[test]
fn a_record_with_extension_markers() {
    let record = RECORD.replace("{sex}", r#", "sex": "female""#);
    is(
        EXTENSIBLE,
        "PersonnelRecord",
        &record,
        &Options::aper(),
        "40C04A6F 686E5008 536D6974 68000033 08446972 6563746F 72001971 0917034D 61727954
         08536D69 74680100 52616C70 68540853 6D697468 00195711 11820053 7573616E 42084A6F
         6E657300 19590717 010140",
    );
    is(
        EXTENSIBLE,
        "PersonnelRecord",
        &record,
        &Options::uper(),
        "40CBAA3A 5108A512 5F180330 889A7965 C7D37F20 CB8848B8 19CE5BA2 A114A24B E3011372
         7AE35422 94497C61 95711118 22985CE5 21842EAA 60B832B2 0E2E0202 80",
    );
}

/// A.4
#[test]
fn a_record_with_extension_addition_groups() {
    let value = r#"{ "a": 253, "b": true, "c": { "e": true }, "g": "123", "h": true }"#;
    is(GROUPS, "Ax", value, &Options::aper(), "9E000180 010291A4");
    is(GROUPS, "Ax", value, &Options::uper(), "9E000600 040A4690");
}
