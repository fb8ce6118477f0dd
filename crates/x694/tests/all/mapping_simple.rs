//! Simple types as types of ASN.1: X.694 clauses 10 to 13 and 16, worked by hand.

use crate::mapping_support::{assignments, holds, map, schema, spaced};
use x694::mapping::Version;

/// A simple type by restriction.
fn restricted(name: &str, base: &str, facets: &str) -> String {
    format!("<xs:simpleType name='{name}'><xs:restriction base='{base}'>{facets}</xs:restriction></xs:simpleType>")
}

/// Table 2: which built-in types are types of the module XSD, and what the others are.
#[test]
fn built_in_types() {
    let plain = [
        ("boolean", "BOOLEAN"),
        ("byte", "INTEGER (-128..127)"),
        ("unsignedByte", "INTEGER (0..255)"),
        ("integer", "INTEGER"),
        ("nonNegativeInteger", "INTEGER (0..MAX)"),
        ("positiveInteger", "INTEGER (1..MAX)"),
        ("nonPositiveInteger", "INTEGER (MIN..0)"),
        ("negativeInteger", "INTEGER (MIN..-1)"),
        ("hexBinary", "OCTET STRING"),
        ("base64Binary", "[BASE64] OCTET STRING"),
        ("anySimpleType", "AnySimpleType"),
        ("anyType", "AnyType"),
        ("anyURI", "AnyURI"),
        ("date", "Date"),
        ("dateTime", "DateTime"),
        ("decimal", "Decimal"),
        ("double", "Double"),
        ("duration", "Duration"),
        ("ENTITIES", "ENTITIES"),
        ("ENTITY", "ENTITY"),
        ("float", "Float"),
        ("gDay", "GDay"),
        ("gMonth", "GMonth"),
        ("gMonthDay", "GMonthDay"),
        ("gYear", "GYear"),
        ("gYearMonth", "GYearMonth"),
        ("ID", "ID"),
        ("IDREF", "IDREF"),
        ("IDREFS", "IDREFS"),
        ("int", "Int"),
        ("language", "Language"),
        ("long", "Long"),
        ("Name", "Name"),
        ("NCName", "NCName"),
        ("NMTOKEN", "NMTOKEN"),
        ("NMTOKENS", "NMTOKENS"),
        ("normalizedString", "NormalizedString"),
        ("QName", "QName"),
        ("short", "Short"),
        ("string", "String"),
        ("time", "Time"),
        ("token", "Token"),
        ("unsignedInt", "UnsignedInt"),
        ("unsignedLong", "UnsignedLong"),
        ("unsignedShort", "UnsignedShort"),
    ];
    for version in [Version::V1, Version::V2] {
        for (name, expected) in plain {
            let schema = schema(&format!("<xs:element name='e' type='xs:{name}'/>"));
            assert_eq!(assignments(&schema, version), format!("E ::= [NAME AS UNCAPITALIZED] {expected}"));
            let support = map(&schema, version).schema;
            let inline = ["BOOLEAN", "INTEGER", "OCTET", "[BASE64]"].iter().any(|word| expected.starts_with(word));
            assert_eq!(support.modules.len(), if inline { 1 } else { 2 }, "{name}");
            if !inline {
                assert!(support.modules[1].assignment(expected).is_some(), "{name} is not in the module XSD");
            }
        }
    }
}

/// Clause 10.3: names, and the order of 10.4: elements, attributes, types, groups.
#[test]
fn names_are_converted_and_told_apart_in_the_order_of_the_mapping() {
    let body = "<xs:simpleType name='size'><xs:restriction base='xs:byte'/></xs:simpleType>
        <xs:attribute name='Size' type='xs:boolean'/>
        <xs:element name='size' type='size'/>
        <xs:element name='SET' type='xs:boolean'/>
        <xs:element name='a_b.c' type='xs:boolean'/>
        <xs:element name='_1st' type='xs:boolean'/>";
    holds(
        body,
        r#"SET-1 ::= [NAME AS "SET"] BOOLEAN
        X1st ::= [NAME AS "_1st"] BOOLEAN
        A-b-c ::= [NAME AS "a_b.c"] BOOLEAN
        Size ::= [NAME AS UNCAPITALIZED] Size-2
        Size-1 ::= [ATTRIBUTE] [NAME AS "Size"] BOOLEAN
        Size-2 ::= [NAME AS "size"] INTEGER (-128..127)"#,
    );
}

/// Clause 12.1.
#[test]
fn lengths_are_sizes() {
    let facets = "<xs:minLength value='1'/><xs:maxLength value='20'/>";
    let body = restricted("A", "xs:string", "<xs:length value='2'/>")
        + &restricted("B", "xs:string", facets)
        + &restricted("C", "xs:hexBinary", "<xs:minLength value='3'/>")
        + &restricted("D", "B", "<xs:maxLength value='9'/>")
        + &restricted("E", "xs:NMTOKENS", "<xs:maxLength value='4'/>")
        + &restricted("F", "xs:QName", "<xs:maxLength value='4'/>");
    holds(
        &body,
        "A ::= String (SIZE (2))
        B ::= String (SIZE (1..20))
        C ::= OCTET STRING (SIZE (3..MAX))
        D ::= B (SIZE (0..9))
        E ::= NMTOKENS (SIZE (0..4))
        F ::= QName",
    );
}

/// Clause 12.2: patterns are words, in which no comment can end.
#[test]
fn patterns_are_kept_as_comments() {
    let body = restricted("A", "xs:string", "<xs:pattern value='[a-z]+'/><xs:pattern value='x'/>")
        + &restricted("B", "xs:int", r"<xs:pattern value='\d*/*&lt;&amp;--&quot;'/>");
    holds(
        &body,
        r#"A ::= String (CONSTRAINED BY { /* XML representation of the XSD pattern "[a-z]+|x" */ })
        B ::= Int (CONSTRAINED BY {
          /* XML representation of the XSD pattern "\d*&#47;&#42;&lt;&amp;-&#45;&quot;" */ })"#,
    );
}

/// Clause 12.3.
#[test]
fn white_space_is_an_instruction_and_an_alphabet() {
    let body = restricted("A", "xs:string", "<xs:whiteSpace value='replace'/>")
        + &restricted("B", "xs:string", "<xs:whiteSpace value='collapse'/>")
        + &restricted("C", "xs:string", "<xs:whiteSpace value='preserve'/>")
        + &restricted("D", "xs:int", "<xs:whiteSpace value='collapse'/>");
    let alphabet = "(FROM ({0, 0, 0, 32}..{0, 0, 215, 255} | {0, 0, 224, 0}..{0, 0, 255, 253} |
        {0, 1, 0, 0}..{0, 16, 255, 253}))";
    let alphabet = spaced(alphabet).replace("{0", "{ 0").replace('}', " }");
    let made = assignments(&schema(&body), Version::V2);
    let expected = format!(
        "A ::= [WHITESPACE REPLACE] String {alphabet}
        B ::= [WHITESPACE COLLAPSE] String {alphabet}
        (CONSTRAINED BY {{ /* no space at either end, and no two in a row */ }})
        C ::= String
        D ::= Int"
    );
    assert_eq!(made, spaced(&expected));
}

/// Clause 12.4: texts in the order of their characters, each once; `[TEXT …]` where the identifier differs.
#[test]
fn enumerations_of_texts_are_enumerated() {
    let values = |values: &[&str]| -> String {
        values.iter().map(|value| format!("<xs:enumeration value='{value}'/>")).collect()
    };
    let body =
        restricted("Colour", "xs:string", &values(&["red", "Green", "light blue", "2", "light-blue", "red", ""]))
            + &restricted("Few", "Colour", &values(&["red", "light blue"]));
    holds(
        &body,
        r#"Colour ::= [TEXT x AS ""] [TEXT x2 AS "2"] [TEXT green AS CAPITALIZED] [TEXT light-blue AS "light blue"]
          [TEXT light-blue-1 AS "light-blue"]
          ENUMERATED { x, x2, green, light-blue, light-blue-1, red }
        Few ::= Colour (red | light-blue)"#,
    );
}

/// Clause 12.4: integers become ENUMERATED with their numbers, in the order of these.
#[test]
fn enumerations_of_integers_are_enumerated_with_numbers() {
    let facets = "<xs:enumeration value='10'/><xs:enumeration value='-1'/><xs:enumeration value='+02'/>\
        <xs:enumeration value='2'/>";
    let body = restricted("A", "xs:integer", facets) + &restricted("B", "A", "<xs:enumeration value='2'/>");
    holds(
        &body,
        "A ::= [USE-NUMBER] ENUMERATED { int-1(-1), int2(2), int10(10) }
        B ::= A (int2)",
    );
}

/// Clause 12.4: the values of other types are single values, or words where they cannot be written so.
#[test]
fn other_enumerations_are_single_values() {
    let values = |values: &[&str]| -> String {
        values.iter().map(|value| format!("<xs:enumeration value='{value}'/>")).collect()
    };
    let body = restricted("A", "xs:decimal", &values(&["1.50", ".5", "1.5"]))
        + &restricted("B", "xs:hexBinary", &values(&["0a"]))
        + &restricted("C", "xs:base64Binary", &values(&["/+A="]))
        + &restricted("D", "xs:anyURI", &values(&["urn:a", "urn:b"]))
        + &restricted("E", "xs:float", &values(&["INF", "1e+3"]))
        + &restricted("F", "xs:NMTOKENS", &values(&["a b"]));
    holds(
        &body,
        r#"A ::= Decimal (1.5 | 0.5)
        B ::= OCTET STRING ('0A'H)
        C ::= [BASE64] OCTET STRING ('FFE0'H)
        D ::= AnyURI ("urn:a" | "urn:b")
        E ::= Float (PLUS-INFINITY | 1E3)
        F ::= NMTOKENS (CONSTRAINED BY { /* XML representation of the XSD enumeration "a b" */ })"#,
    );
}

/// Clause 12.5.
#[test]
fn bounds_of_numbers_are_ranges() {
    let body = restricted("A", "xs:integer", "<xs:minInclusive value='1'/><xs:maxInclusive value='+099'/>")
        + &restricted("B", "xs:nonNegativeInteger", "<xs:maxExclusive value='120'/>")
        + &restricted("C", "xs:unsignedInt", "<xs:maxInclusive value='7'/>")
        + &restricted("D", "A", "<xs:minExclusive value='5'/>")
        + &restricted("E", "xs:decimal", "<xs:minExclusive value='-1.50'/>")
        + &restricted("F", "xs:double", "<xs:maxInclusive value='-1E-3'/>")
        + &restricted("G", "xs:date", "<xs:minInclusive value='2001-01-01'/>")
        + &restricted("H", "xs:decimal", "<xs:totalDigits value='5'/><xs:fractionDigits value='2'/>")
        + &restricted("I", "B", "<xs:minExclusive value='119'/><xs:maxExclusive value='120'/>");
    holds(
        &body,
        r#"A ::= INTEGER (1..99)
        B ::= INTEGER (0..<120)
        C ::= UnsignedInt (0..7)
        D ::= A (5<..99)
        E ::= Decimal (-1.5<..MAX)
        F ::= Double (MIN..-1E-3)
        G ::= Date (CONSTRAINED BY { /* minInclusive "2001-01-01" */ })
        H ::= Decimal (CONSTRAINED BY { /* totalDigits "5" */ }) (CONSTRAINED BY { /* fractionDigits "2" */ })
        I ::= B (CONSTRAINED BY { /* minExclusive "119" */ }) (CONSTRAINED BY { /* maxExclusive "120" */ })"#,
    );
}

/// Clauses 12.4 and 12.5, beyond 128 bits.
#[test]
fn integers_of_any_size_are_bounds_and_in_order() {
    let (big, bigger) = ("340282366920938463463374607431768211456", "340282366920938463463374607431768211457");
    let facet = |name: &str, value: &str| format!("<xs:{name} value='{value}'/>");
    let body = restricted("A", "xs:integer", &(facet("minInclusive", "0") + &facet("maxInclusive", big)))
        // No integer is between these, and notation has no empty range (X.680 51.4).
        + &restricted("B", "A", &(facet("minExclusive", "340282366920938463463374607431768211455") + &facet("maxExclusive", big)))
        + &restricted("C", "xs:integer", &[big, "-170141183460469231731687303715884105729", bigger, "9"].map(|value| facet("enumeration", value)).concat());
    holds(
        &body,
        &format!(
            r#"A ::= INTEGER (0..{big})
            B ::= A (CONSTRAINED BY {{ /* minExclusive "340282366920938463463374607431768211455" */ }})
              (CONSTRAINED BY {{ /* maxExclusive "{big}" */ }})
            C ::= [USE-NUMBER] ENUMERATED {{ int-170141183460469231731687303715884105729(-170141183460469231731687303715884105729),
              int9(9), int{big}({big}), int{bigger}({bigger}) }}"#
        ),
    );
}

/// Clause 13.5.
#[test]
fn lists_are_sequences_of() {
    let body = "<xs:simpleType name='A'><xs:list itemType='xs:short'/></xs:simpleType>
        <xs:simpleType name='B'><xs:list><xs:simpleType><xs:restriction base='xs:string'>
          <xs:enumeration value='on'/><xs:enumeration value='off'/></xs:restriction></xs:simpleType></xs:list></xs:simpleType>
        <xs:simpleType name='C'><xs:restriction base='A'><xs:length value='3'/></xs:restriction></xs:simpleType>";
    holds(
        body,
        "A ::= [LIST] SEQUENCE OF Short
        B ::= [LIST] SEQUENCE OF ENUMERATED { off, on }
        C ::= A (SIZE (3))",
    );
}

/// Clause 13.6: alternatives are named for their types; an anonymous one is `alt`, without a name in XML.
#[test]
fn unions_are_choices() {
    let body = "<xs:simpleType name='A'><xs:union memberTypes='xs:int C xs:NMTOKEN'><xs:simpleType>
          <xs:restriction base='xs:boolean'/></xs:simpleType></xs:union></xs:simpleType>
        <xs:simpleType name='C'><xs:restriction base='xs:date'/></xs:simpleType>";
    holds(
        body,
        r#"A ::= [USE-UNION] CHOICE {
          int [NAMESPACE AS "http://www.w3.org/2001/XMLSchema"] Int,
          c [NAME AS CAPITALIZED] C,
          nMTOKEN [NAME AS CAPITALIZED] [NAMESPACE AS "http://www.w3.org/2001/XMLSchema"] NMTOKEN,
          alt [NAME AS ""] BOOLEAN
        }
        C ::= Date"#,
    );
}

/// Both versions of the module XSD are notation, and version 1 is types that the codecs carry.
#[test]
fn the_module_xsd_is_notation() {
    for version in [Version::V1, Version::V2] {
        let module = version.support().unwrap();
        let schema = asn1::schema::Schema { modules: vec![module], ..asn1::schema::Schema::default() };
        let text = asn1::notation::print_schema(&schema);
        assert!(asn1::notation::parse_one(&text, &tam::Limits::default()).unwrap() == schema);
        if version == Version::V1 {
            asn1::Compiled::new(&schema).unwrap();
        }
    }
}

/// A name of the module XSD that the schema also defines is written with its module (clause 10.2).
#[test]
fn references_that_would_be_taken_for_others_name_their_module() {
    holds(
        "<xs:element name='String' type='xs:string'/><xs:element name='t' type='xs:token'/>",
        "String ::= XSD.String
        T ::= [NAME AS UNCAPITALIZED] Token",
    );
}
