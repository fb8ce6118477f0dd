//! Complex types, elements, attributes, groups and wildcards as types of ASN.1: X.694 clauses 14 to 31,
//! worked by hand.

use crate::mapping_support::{assignments, holds, map, schema, schema_with, spaced};
use x694::mapping::Version;
use xsd::{Memory, Schema};

fn complex(name: &str, body: &str) -> String {
    format!("<xs:complexType name='{name}'>{body}</xs:complexType>")
}

fn sequence(name: &str, body: &str) -> String {
    complex(name, &format!("<xs:sequence>{body}</xs:sequence>"))
}

/// Clauses 20 and 22: attributes by namespace and name, then the content.
#[test]
fn attributes_come_first_in_the_order_of_their_names() {
    let source = Memory::new()
        .with(
            "main.xsd",
            "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns:o='urn:other'>
            <xs:import namespace='urn:other' schemaLocation='other.xsd'/>
            <xs:complexType name='T'><xs:sequence><xs:element name='e' type='xs:int'/></xs:sequence>
              <xs:attribute ref='o:a'/>
              <xs:attribute name='z' type='xs:boolean' use='required'/>
              <xs:attribute name='B' type='xs:int' default='7'/>
              <xs:attribute name='e' type='xs:string' fixed='x'/>
              <xs:attribute name='y' type='xs:int' fixed='1' use='required'/>
            </xs:complexType></xs:schema>",
        )
        .with(
            "other.xsd",
            "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:other'>
            <xs:attribute name='a' type='xs:token'/></xs:schema>",
        );
    let schema = Schema::read_from(source, "main.xsd", &xsd::Options::default()).unwrap();
    let expected = r#"T ::= SEQUENCE {
      b [ATTRIBUTE] [NAME AS CAPITALIZED] Int DEFAULT 7,
      e [ATTRIBUTE] String ("x") DEFAULT "x",
      y [ATTRIBUTE] Int (1),
      z [ATTRIBUTE] BOOLEAN,
      a [ATTRIBUTE] [NAMESPACE AS "urn:other"] A OPTIONAL,
      e-1 [NAME AS "e"] Int
    }"#;
    assert_eq!(assignments(&schema, Version::V2), spaced(expected));
    let modules = map(&schema, Version::V2).schema.modules;
    let names: Vec<&str> = modules.iter().map(|module| &module.name[..]).collect();
    assert_eq!(names, ["NoNamespace", "Other", "XSD"]);
    let imports: Vec<(&str, Vec<&str>)> = modules[0]
        .imports
        .iter()
        .map(|import| (&import.module[..], import.names.iter().map(|name| &name[..]).collect()))
        .collect();
    assert_eq!(imports, [("Other", vec!["A"]), ("XSD", vec!["Int", "String"])]);
    assert_eq!(
        asn1::notation::print(&modules[1]).lines().nth(5),
        Some("A ::= [ATTRIBUTE] [NAME AS UNCAPITALIZED] Token")
    );
}

/// Clause 19: how often a particle occurs.
#[test]
fn occurrences_are_optional_or_lists() {
    let element = |name: &str, occurs: &str| format!("<xs:element name='{name}' type='xs:boolean' {occurs}/>");
    let body = element("a", "")
        + &element("b", "minOccurs='0'")
        + &element("c", "minOccurs='0' maxOccurs='unbounded'")
        + &element("d", "maxOccurs='unbounded'")
        + &element("e", "minOccurs='2' maxOccurs='5'")
        + &element("f", "minOccurs='3' maxOccurs='3'")
        + &element("G", "minOccurs='0' maxOccurs='2'")
        + &element("h", "minOccurs='0' maxOccurs='0'");
    holds(
        &sequence("T", &body),
        "T ::= SEQUENCE {
          a BOOLEAN,
          b BOOLEAN OPTIONAL,
          c-list [UNTAGGED] SEQUENCE OF c BOOLEAN,
          d-list [UNTAGGED] SEQUENCE (SIZE (1..MAX)) OF d BOOLEAN,
          e-list [UNTAGGED] SEQUENCE (SIZE (2..5)) OF e BOOLEAN,
          f-list [UNTAGGED] SEQUENCE (SIZE (3)) OF f BOOLEAN,
          g-list [UNTAGGED] SEQUENCE (SIZE (0..2)) OF g [NAME AS CAPITALIZED] BOOLEAN
        }",
    );
}

/// Clauses 18 and 19: groups without names. An alternative that may be absent is a list of at most one.
#[test]
fn groups_are_untagged() {
    let body = sequence(
        "T",
        "<xs:choice><xs:element name='a' type='xs:int'/><xs:element name='b' type='xs:int' minOccurs='0'/>
          <xs:sequence><xs:element name='c' type='xs:int'/><xs:element name='a' type='xs:int'/></xs:sequence></xs:choice>
        <xs:choice minOccurs='0' maxOccurs='unbounded'><xs:element name='d' type='xs:int'/></xs:choice>
        <xs:sequence minOccurs='0'><xs:element name='e' type='xs:int'/></xs:sequence>
        <xs:sequence><xs:element name='f' type='xs:int'/><xs:sequence/></xs:sequence>",
    ) + &complex("U", "<xs:choice><xs:element name='a' type='xs:int'/></xs:choice>")
        + &complex("V", "");
    holds(
        &body,
        "T ::= SEQUENCE {
          choice [UNTAGGED] CHOICE {
            a Int,
            b-list [UNTAGGED] SEQUENCE (SIZE (0..1)) OF b Int,
            sequence [UNTAGGED] SEQUENCE { c Int, a Int }
          },
          choice-list [UNTAGGED] SEQUENCE OF choice [UNTAGGED] CHOICE { d Int },
          sequence [UNTAGGED] SEQUENCE { e Int } OPTIONAL,
          f Int
        }
        U ::= SEQUENCE { choice [UNTAGGED] CHOICE { a Int } }
        V ::= SEQUENCE {}",
    );
}

/// Clause 17.
#[test]
fn groups_with_names_are_assignments() {
    let body = "<xs:group name='pair'><xs:sequence><xs:element name='x' type='xs:int'/></xs:sequence></xs:group>
        <xs:group name='either'><xs:choice><xs:element name='y' type='xs:int'/></xs:choice></xs:group>"
        .to_owned()
        + &sequence("T", "<xs:group ref='pair'/><xs:group ref='either' maxOccurs='unbounded'/>");
    holds(
        &body,
        "T ::= SEQUENCE {
          pair [UNTAGGED] Pair,
          either-list [UNTAGGED] SEQUENCE (SIZE (1..MAX)) OF either [UNTAGGED] Either
        }
        Either ::= [UNTAGGED] CHOICE { y Int }
        Pair ::= [UNTAGGED] SEQUENCE { x Int }",
    );
}

/// Clause 20: an all-group is the components of the type, and a component that says their order.
#[test]
fn all_groups_have_an_order() {
    let all = "<xs:all><xs:element name='b' type='xs:int'/><xs:element name='A' type='xs:int' minOccurs='0'/></xs:all>";
    let body = complex("T", &format!("{all}<xs:attribute name='order' type='xs:int'/>"))
        + &complex("U", &all.replace("<xs:all>", "<xs:all minOccurs='0'>"))
        + &format!("<xs:group name='g'>{all}</xs:group>")
        + &complex("V", "<xs:group ref='g'/>");
    let components = "order SEQUENCE OF ENUMERATED { b, a },";
    holds(
        &body,
        &format!(
            "T ::= [USE-ORDER] SEQUENCE {{
              {components}
              order-1 [ATTRIBUTE] [NAME AS \"order\"] Int OPTIONAL,
              b Int, a [NAME AS CAPITALIZED] Int OPTIONAL
            }}
            U ::= [USE-ORDER] SEQUENCE {{
              {components}
              b Int OPTIONAL, a [NAME AS CAPITALIZED] Int OPTIONAL
            }}
            V ::= [USE-ORDER] SEQUENCE {{
              {components}
              b Int, a [NAME AS CAPITALIZED] Int OPTIONAL
            }}"
        ),
    );
}

/// Clause 20: values around the elements come first.
#[test]
fn mixed_content_has_embedded_values() {
    let body = "<xs:complexType name='T' mixed='true'><xs:sequence>
          <xs:element name='b' type='xs:string' minOccurs='0' maxOccurs='unbounded'/></xs:sequence>
          <xs:attribute name='id' type='xs:ID'/></xs:complexType>
        <xs:complexType name='U' mixed='true'/>";
    holds(
        body,
        "T ::= [EMBED-VALUES] SEQUENCE {
          embed-values SEQUENCE OF String,
          id [ATTRIBUTE] ID OPTIONAL,
          b-list [UNTAGGED] SEQUENCE OF b String
        }
        U ::= [EMBED-VALUES] SEQUENCE { embed-values SEQUENCE OF String }",
    );
}

/// Clause 20: simple content, of a built-in type, restricted, and extended.
#[test]
fn simple_content_is_an_untagged_base() {
    let body = complex(
        "Price",
        "<xs:simpleContent><xs:extension base='xs:decimal'><xs:attribute name='currency' type='xs:NMTOKEN'/>
        </xs:extension></xs:simpleContent>",
    ) + &complex(
        "Small",
        "<xs:simpleContent><xs:restriction base='Price'><xs:maxInclusive value='10'/></xs:restriction></xs:simpleContent>",
    );
    holds(
        &body,
        "Price ::= SEQUENCE { currency [ATTRIBUTE] NMTOKEN OPTIONAL, base [UNTAGGED] Decimal }
        Small ::= SEQUENCE { currency [ATTRIBUTE] NMTOKEN OPTIONAL, base [UNTAGGED] Decimal (MIN..10) }",
    );
}

/// Clause 21.
#[test]
fn wildcards_are_texts_of_xml() {
    let body = sequence(
        "T",
        "<xs:any/><xs:element name='a' type='xs:int'/><xs:any namespace='##other' minOccurs='0' maxOccurs='unbounded'/>",
    ) + &complex("U", "<xs:anyAttribute namespace='##local urn:x'/>");
    let schema = schema_with("targetNamespace='urn:t'", &body);
    let element = "(CONSTRAINED BY { /* an element, X.693 clause 19 */ })";
    let expected = format!(
        "T ::= SEQUENCE {{
          elem [ANY-ELEMENT] String {element},
          a Int,
          elem-list [UNTAGGED] SEQUENCE OF elem [ANY-ELEMENT EXCEPT ABSENT \"urn:t\"] String {element}
        }}
        U ::= SEQUENCE {{
          attr [ANY-ATTRIBUTES FROM ABSENT \"urn:x\"] SEQUENCE
            (CONSTRAINED BY {{ /* each item an attribute, X.693 clause 18 */ }}) OF String
        }}"
    );
    assert_eq!(assignments(&schema, Version::V2), spaced(&expected));
}

/// Clauses 26 and 27.
#[test]
fn nillable_elements_have_an_optional_content() {
    let body = sequence("T", "<xs:element name='x' type='xs:int'/>")
        .replace("</xs:complexType>", "<xs:attribute name='id' type='xs:ID'/></xs:complexType>")
        + "<xs:element name='a' type='xs:int' nillable='true'/>
        <xs:element name='b' type='T' nillable='true'/>
        <xs:element name='c' nillable='true'><xs:complexType><xs:simpleContent><xs:extension base='xs:int'>
          <xs:attribute name='u' type='xs:token'/></xs:extension></xs:simpleContent></xs:complexType></xs:element>
        <xs:element name='d' type='xs:anyType' nillable='true'/>
        <xs:element name='e' nillable='true'><xs:complexType mixed='true'><xs:all><xs:element name='p' type='xs:int'/>
          </xs:all></xs:complexType></xs:element>";
    holds(
        &body,
        "A ::= [NAME AS UNCAPITALIZED] [USE-NIL] SEQUENCE { content Int OPTIONAL }
        B ::= [NAME AS UNCAPITALIZED] T-nillable
        C ::= [NAME AS UNCAPITALIZED] [USE-NIL] SEQUENCE { u [ATTRIBUTE] Token OPTIONAL, content Int OPTIONAL }
        D ::= [NAME AS UNCAPITALIZED] AnyType-nillable
        E ::= [NAME AS UNCAPITALIZED] [EMBED-VALUES] [USE-NIL] [USE-ORDER] SEQUENCE {
          embed-values SEQUENCE OF String,
          order SEQUENCE OF ENUMERATED { p },
          content SEQUENCE { p Int } OPTIONAL
        }
        T ::= SEQUENCE { id [ATTRIBUTE] ID OPTIONAL, x Int }
        T-nillable ::= [NAME AS \"T\"] [USE-NIL] SEQUENCE {
          id [ATTRIBUTE] ID OPTIONAL,
          content SEQUENCE { x Int } OPTIONAL
        }",
    );
}

/// Clause 14: default and fixed values of elements.
#[test]
fn defaults_and_fixed_values_of_elements() {
    let body = "<xs:element name='a' type='xs:int' default='5'/>
        <xs:element name='b' type='xs:boolean' fixed='1'/>
        <xs:element name='c' fixed='x'><xs:complexType mixed='true'/></xs:element>";
    holds(
        body,
        r#"A ::= [NAME AS UNCAPITALIZED] [DEFAULT-FOR-EMPTY AS "5"] Int
        B ::= [NAME AS UNCAPITALIZED] [DEFAULT-FOR-EMPTY AS "1"] BOOLEAN (TRUE)
        C ::= [NAME AS UNCAPITALIZED] [DEFAULT-FOR-EMPTY AS "x"] [EMBED-VALUES] SEQUENCE {
          embed-values SEQUENCE OF String
        } (CONSTRAINED BY { /* fixed "x" */ })"#,
    );
}

/// Clause 16: defaults of attributes as values of their types.
#[test]
fn defaults_of_attributes_are_values() {
    let attribute =
        |name: &str, ty: &str, value: &str| format!("<xs:attribute name='{name}' type='{ty}' default='{value}'/>");
    let body = "<xs:simpleType name='Unit'><xs:restriction base='xs:token'><xs:enumeration value='km h'/>
          <xs:enumeration value='m'/></xs:restriction></xs:simpleType>
        <xs:simpleType name='Ints'><xs:list itemType='xs:int'/></xs:simpleType>
        <xs:simpleType name='Either'><xs:union memberTypes='xs:int Unit'/></xs:simpleType>"
        .to_owned()
        + &complex(
            "T",
            &(attribute("a", "xs:decimal", "+1.50")
                + &attribute("b", "Unit", " km  h ")
                + &attribute("c", "Ints", "1 -02")
                + &attribute("d", "Either", "m")
                + &attribute("e", "xs:date", "2001-02-03")
                + &attribute("f", "xs:date", "2001-02-03Z")
                + &attribute("g", "xs:duration", "-P1D")
                + &attribute("h", "xs:QName", "xs:int")
                + &attribute("i", "xs:string", "a&#10;&#10;")),
        );
    let all = assignments(&schema(&body), Version::V2);
    let (_, made) = all.split_once("T ::= ").unwrap();
    let expected = r#"SEQUENCE {
      a [ATTRIBUTE] Decimal DEFAULT 1.5,
      b [ATTRIBUTE] Unit DEFAULT km-h,
      c [ATTRIBUTE] Ints DEFAULT { 1, -2 },
      d [ATTRIBUTE] Either DEFAULT unit : m,
      e [ATTRIBUTE] Date DEFAULT asn1supportedvalue : "2001-02-03",
      f [ATTRIBUTE] Date DEFAULT othervalues : "2001-02-03Z",
      g [ATTRIBUTE] Duration DEFAULT othervalues : "-P1D",
      h [ATTRIBUTE] QName OPTIONAL,
      i [ATTRIBUTE] String DEFAULT { "a", { 0, 0, 0, 10 }, { 0, 0, 0, 10 } }
    } "#;
    assert!(format!("{made} ").starts_with(&spaced(expected)), "{made}");
    let left_out = map(&schema(&body), Version::V2).left_out;
    assert_eq!((left_out.len(), left_out[0].what, &left_out[0].name[..]), (1, "the default of an attribute", "h"));
    // In version 1 a date is text, and all of it compiles.
    asn1::Compiled::new(&map(&schema(&body), Version::V1).schema).unwrap();
    let first = assignments(&schema(&body), Version::V1);
    assert!(first.contains(r#"e [ATTRIBUTE] Date DEFAULT "2001-02-03","#), "{first}");
}

/// Clauses 24 and 30: a type that others are derived from, where an element is of it.
#[test]
fn derived_types_may_stand_in_the_place_of_their_base() {
    let extension = |base: &str, body: &str| {
        format!(
            "<xs:complexContent><xs:extension base='{base}'><xs:sequence>{body}</xs:sequence></xs:extension></xs:complexContent>"
        )
    };
    let body = sequence("base", "<xs:element name='x' type='xs:int'/>")
        + &complex("more", &extension("base", "<xs:element name='y' type='xs:int'/>"))
        + &complex("another", &extension("more", "")).replace("name='another'", "name='another' abstract='true'")
        + &complex("last", &extension("another", "<xs:element name='z' type='xs:int'/>"))
        + "<xs:element name='e' type='base'/>
           <xs:element name='f' type='base' block='extension restriction'/>
           <xs:element name='g' type='more' nillable='true'/>
           <xs:element name='h' type='last'/>";
    holds(
        &body,
        "E ::= [NAME AS UNCAPITALIZED] Base-derivations
        F ::= [NAME AS UNCAPITALIZED] Base
        G ::= [NAME AS UNCAPITALIZED] More-deriv-nillable
        H ::= [NAME AS UNCAPITALIZED] Last
        Another ::= [NAME AS UNCAPITALIZED] SEQUENCE { x Int, y Int }
        Base ::= [NAME AS UNCAPITALIZED] SEQUENCE { x Int }
        Last ::= [NAME AS UNCAPITALIZED] SEQUENCE { x Int, y Int, z Int }
        More ::= [NAME AS UNCAPITALIZED] SEQUENCE { x Int, y Int }
        Base-derivations ::= [USE-TYPE] CHOICE { base Base, last Last, more More }
        More-deriv-nillable ::= [USE-TYPE] CHOICE { more More-nillable, last Last-nillable }
        Last-nillable ::= [NAME AS \"last\"] [USE-NIL] SEQUENCE { content SEQUENCE { x Int, y Int, z Int } OPTIONAL }
        More-nillable ::= [NAME AS \"more\"] [USE-NIL] SEQUENCE { content SEQUENCE { x Int, y Int } OPTIONAL }",
    );
}

/// Clause 28: the head of a substitution group.
#[test]
fn substitution_groups_are_choices() {
    let body = "<xs:element name='head' type='xs:int'/>
        <xs:element name='b' type='xs:int' substitutionGroup='head'/>
        <xs:element name='a' type='xs:int' substitutionGroup='b'/>
        <xs:element name='Idea' type='xs:int' abstract='true'/>
        <xs:element name='Real' type='xs:int' substitutionGroup='Idea'/>"
        .to_owned()
        + &sequence("T", "<xs:element ref='head'/><xs:element ref='Idea' maxOccurs='unbounded'/><xs:element ref='a'/>");
    holds(
        &body,
        "Idea ::= Int
        Real ::= Int
        A ::= [NAME AS UNCAPITALIZED] Int
        B ::= [NAME AS UNCAPITALIZED] Int
        Head ::= [NAME AS UNCAPITALIZED] Int
        T ::= SEQUENCE {
          head-group [UNTAGGED] Head-group,
          idea-group-list [UNTAGGED] SEQUENCE (SIZE (1..MAX)) OF idea-group [UNTAGGED] Idea-group,
          a A
        }
        Idea-group ::= [UNTAGGED] CHOICE { real [NAME AS CAPITALIZED] Real }
        B-group ::= [UNTAGGED] CHOICE { b B, a A }
        Head-group ::= [UNTAGGED] CHOICE { head Head, a A, b B }",
    );
}

/// Namespaces of local names are as `form` and `elementFormDefault` say; those of assignments are said once.
#[test]
fn namespaces_are_those_of_the_names() {
    let body = "<xs:element name='r'><xs:complexType><xs:sequence><xs:element name='a' type='xs:int'/>
        <xs:element name='b' type='xs:int' form='unqualified'/></xs:sequence>
        <xs:attribute name='c' type='xs:int'/><xs:attribute name='d' type='xs:int' form='qualified'/>
        </xs:complexType></xs:element>";
    let schema = schema_with("targetNamespace='urn:t' elementFormDefault='qualified'", body);
    let module = map(&schema, Version::V2).schema.modules.remove(0);
    let expected = r#"T DEFINITIONS XER INSTRUCTIONS AUTOMATIC TAGS ::= BEGIN

IMPORTS
  Int FROM XSD;

R ::= [NAME AS UNCAPITALIZED] SEQUENCE {
  c [ATTRIBUTE] Int OPTIONAL,
  d [ATTRIBUTE] [NAMESPACE AS "urn:t"] Int OPTIONAL,
  a [NAMESPACE AS "urn:t"] Int,
  b Int
}

ENCODING-CONTROL XER
  GLOBAL-DEFAULTS MODIFIED-ENCODINGS
  GLOBAL-DEFAULTS CONTROL-NAMESPACE "http://www.w3.org/2001/XMLSchema-instance" PREFIX "xsi"
  NAMESPACE ALL AS "urn:t"

END
"#;
    assert_eq!(asn1::notation::print(&module), expected);
}

/// Clause 8: components that are left out are reported by name.
#[test]
fn what_is_left_out_is_told() {
    let body = "<xs:element name='r'><xs:complexType><xs:sequence><xs:element name='a' type='xs:int'
          maxOccurs='unbounded'/></xs:sequence></xs:complexType>
          <xs:key name='k'><xs:selector xpath='a'/><xs:field xpath='.'/></xs:key>
          <xs:keyref name='f' refer='k'><xs:selector xpath='a'/><xs:field xpath='.'/></xs:keyref>
          <xs:unique name='u'><xs:selector xpath='a'/><xs:field xpath='.'/></xs:unique></xs:element>
        <xs:notation name='gif' public='image/gif'/>";
    let mapped = map(&schema(body), Version::V2);
    let left_out: Vec<(&str, &str, u32)> =
        mapped.left_out.iter().map(|one| (one.what, &one.name[..], one.position.line)).collect();
    assert_eq!(left_out, [("xs:key", "k", 3), ("xs:keyref", "f", 4), ("xs:unique", "u", 5), ("xs:notation", "gif", 6)]);
}

/// A namespace has a module even where nothing is declared.
#[test]
fn each_namespace_is_a_module() {
    let mapped = map(&schema_with("targetNamespace='urn:t'", ""), Version::V2).schema;
    assert_eq!((mapped.modules.len(), &mapped.modules[0].name[..]), (1, "T"));
    assert!(
        asn1::notation::parse_one(&asn1::notation::print_schema(&mapped), &tam::Limits::default()).unwrap() == mapped
    );
}

/// Types that hold themselves, and types that are deeper than notation is read.
#[test]
fn depth_is_bounded() {
    holds(&sequence("T", "<xs:element name='t' type='T' minOccurs='0'/>"), "T ::= SEQUENCE { t T OPTIONAL }");
    let nested = |levels: usize| {
        let open = "<xs:element name='e'><xs:complexType><xs:sequence>".repeat(levels);
        schema(&format!("{open}{}", "</xs:sequence></xs:complexType></xs:element>".repeat(levels)))
    };
    let mapped = map(&nested(18), Version::V2).schema;
    let text = asn1::notation::print_schema(&mapped);
    assert!(asn1::notation::parse_one(&text, &tam::Limits::default()).unwrap() == mapped);
    let error = x694::mapping::to_asn1(&nested(60), &x694::mapping::Options::default()).unwrap_err();
    assert_eq!(error.kind(), tam::ErrorKind::Limit);
    assert!(error.to_string().contains("anonymous types and groups within each other"), "{error}");
    // Extensions of extensions are no deeper than their base.
    let chain: String = (1..200)
        .map(|n| {
            let body = format!(
                "<xs:complexContent><xs:extension base='T{}'><xs:sequence><xs:element name='e{n}' type='xs:int'/>\
                 </xs:sequence></xs:extension></xs:complexContent>",
                n - 1
            );
            complex(&format!("T{n}"), &body)
        })
        .collect();
    let chained = schema(&(complex("T0", "") + &chain));
    let modules = map(&chained, Version::V2).schema.modules;
    assert_eq!(modules[0].assignments.len(), 200);
    // Each of these is derived from all before it.
    let chain: String = (1..1500)
        .map(|n| {
            let body = format!("<xs:complexContent><xs:extension base='T{}'/></xs:complexContent>", n - 1);
            complex(&format!("T{n}"), &body) + &format!("<xs:element name='e{n}' type='T{n}'/>")
        })
        .collect();
    let chained = schema(&(complex("T0", "") + &chain));
    let error = x694::mapping::to_asn1(&chained, &x694::mapping::Options::default()).unwrap_err();
    assert_eq!((error.kind(), error.path()), (tam::ErrorKind::Limit, "main.xsd"), "{error}");
}
