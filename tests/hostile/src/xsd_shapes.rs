//! Shapes of XML Schema and of instances.

use std::fmt::Write;

use test_support::Random;

use crate::Family::{Counts, Defaults, Identity, Names, Namespaces, Patterns, References};
use crate::Shape;
use crate::readers::BETWEEN;

const XSD: &[&str] = &["xsd", "x694"];
const INSTANCE: &[&str] = &["xsd instance", "x694 instance", "x694 templates"];

pub(crate) const SHAPES: &[Shape] = &[
    Shape { readers: XSD, family: References, name: "groups that double", make: groups },
    Shape { readers: XSD, family: References, name: "groups of attributes that double", make: attribute_groups },
    Shape { readers: XSD, family: References, name: "types that double", make: types },
    Shape { readers: XSD, family: References, name: "a chain of extensions", make: extensions },
    Shape {
        readers: XSD,
        family: References,
        name: "a chain of extensions with attributes",
        make: extended_attributes,
    },
    Shape { readers: XSD, family: References, name: "a chain of restrictions", make: restrictions },
    Shape { readers: XSD, family: References, name: "unions that double", make: unions },
    Shape { readers: XSD, family: References, name: "a chain of substitutions", make: substitutions },
    Shape { readers: XSD, family: References, name: "documents that include each other", make: includes },
    Shape {
        readers: XSD,
        family: Names,
        name: "many elements",
        make: |_, n| many(n, |i| format!("<xs:element name='e{i}'/>")),
    },
    Shape {
        readers: XSD,
        family: Names,
        name: "many attributes of a type",
        make: |_, n| complex(&list(n, |i| format!("<xs:attribute name='a{i}'/>"))),
    },
    Shape {
        readers: XSD,
        family: Names,
        name: "many elements of an all",
        make: |_, n| complex(&format!("<xs:all>{}</xs:all>", list(n, |i| format!("<xs:element name='e{i}'/>")))),
    },
    Shape {
        readers: XSD,
        family: Names,
        name: "many elements of a choice",
        make: |_, n| {
            complex(&format!(
                "<xs:choice maxOccurs='unbounded'>{}</xs:choice>",
                list(n, |i| format!("<xs:element name='e{i}'/>"))
            ))
        },
    },
    Shape {
        readers: XSD,
        family: Names,
        name: "optional elements of a sequence",
        make: |_, n| {
            complex(&format!(
                "<xs:sequence maxOccurs='unbounded'>{}</xs:sequence>",
                list(n, |i| format!("<xs:element name='e{i}' minOccurs='0'/>"))
            ))
        },
    },
    Shape { readers: XSD, family: Names, name: "substitutes in many places", make: substitutes },
    Shape { readers: XSD, family: Counts, name: "occurrences", make: occurrences },
    Shape { readers: XSD, family: Counts, name: "levels of occurrences", make: occurrence_levels },
    Shape {
        readers: XSD,
        family: Counts,
        name: "levels",
        make: |_, n| complex(&("<xs:sequence>".repeat(n / 27) + &"</xs:sequence>".repeat(n / 27))),
    },
    Shape {
        readers: XSD,
        family: Counts,
        name: "long facets",
        make: |r, n| {
            let facet = r.of(&["minInclusive", "totalDigits", "fractionDigits"]);
            simple("decimal", &format!("<xs:{facet} value='{}'/>", "7".repeat(n)))
        },
    },
    Shape { readers: XSD, family: Patterns, name: "counts of counts", make: pattern_counts },
    Shape { readers: XSD, family: Patterns, name: "classes, counted", make: pattern_classes },
    Shape { readers: XSD, family: Patterns, name: "a chain of types with patterns", make: pattern_chain },
    Shape {
        readers: XSD,
        family: Patterns,
        name: "many patterns",
        make: |_, n| simple("string", &list(n, |i| format!("<xs:pattern value='a{i}'/>"))),
    },
    Shape {
        readers: XSD,
        family: Patterns,
        name: "levels of a pattern",
        make: |_, n| simple("string", &format!("<xs:pattern value='{}a{}'/>", "(".repeat(n / 2), ")".repeat(n / 2))),
    },
    Shape { readers: XSD, family: Patterns, name: "a chain of enumerations", make: enumerations },
    Shape {
        readers: XSD,
        family: Patterns,
        name: "many values of an enumeration",
        make: |_, n| simple("string", &list(n, |i| format!("<xs:enumeration value='v{i}'/>"))),
    },
    Shape { readers: XSD, family: Namespaces, name: "declarations at the top", make: namespaces },
    Shape { readers: XSD, family: Namespaces, name: "wildcards of many namespaces", make: wildcards },
    Shape { readers: XSD, family: Identity, name: "many keys", make: keys },
    Shape { readers: XSD, family: Identity, name: "long paths of keys", make: key_paths },
    Shape {
        readers: XSD,
        family: Defaults,
        name: "long documentation",
        make: |_, n| many(n, |_| "<xs:annotation><xs:documentation>xxx</xs:documentation></xs:annotation>".to_owned()),
    },
    Shape { readers: INSTANCE, family: Defaults, name: "a long default, often", make: long_default },
    Shape { readers: INSTANCE, family: Defaults, name: "many defaults, often", make: many_defaults },
    Shape { readers: INSTANCE, family: Identity, name: "a key at each level", make: nested_keys },
    Shape { readers: INSTANCE, family: Identity, name: "a key of many elements", make: many_keyed },
    Shape { readers: INSTANCE, family: Identity, name: "references to keys", make: key_references },
    Shape { readers: INSTANCE, family: Identity, name: "long fields of a key, at each level", make: long_fields },
    Shape { readers: INSTANCE, family: Identity, name: "IDs and IDREFs", make: ids },
    Shape { readers: INSTANCE, family: Patterns, name: "values of a pattern of counts", make: pattern_values },
    Shape { readers: INSTANCE, family: Patterns, name: "values of many patterns", make: many_patterns },
    Shape { readers: INSTANCE, family: Patterns, name: "values of a union", make: union_values },
    Shape { readers: INSTANCE, family: Counts, name: "elements that are counted", make: counted },
    Shape {
        readers: INSTANCE,
        family: Counts,
        name: "long numbers",
        make: |r, n| {
            let ty = r.of(&["decimal", "integer", "double", "dateTime", "duration", "hexBinary"]);
            of_type(ty, &format!("<a>{}</a>", "7".repeat(n)))
        },
    },
    Shape {
        readers: INSTANCE,
        family: Counts,
        name: "items of a list",
        make: |_, n| of_type("NMTOKENS", &format!("<a>{}</a>", "a ".repeat(n / 2))),
    },
    Shape { readers: INSTANCE, family: Names, name: "many elements of an all", make: all_elements },
    Shape { readers: INSTANCE, family: Names, name: "many attributes", make: many_attributes },
    Shape { readers: INSTANCE, family: Namespaces, name: "names of types in scope", make: xsi_types },
    Shape {
        readers: INSTANCE,
        family: Namespaces,
        name: "a long namespace around wildcards",
        make: repeated_namespace,
    },
    Shape { readers: INSTANCE, family: References, name: "entities in values", make: entities },
];

fn schema(content: &str) -> String {
    format!("<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'>{content}</xs:schema>")
}

fn list(size: usize, item: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    let mut count = 0;
    while text.len() < size {
        text += &item(count);
        count += 1;
    }
    text
}

fn many(size: usize, item: impl Fn(usize) -> String) -> Vec<u8> {
    schema(&list(size, item)).into_bytes()
}

/// A schema of one element, `a`, of a complex type.
fn complex(content: &str) -> Vec<u8> {
    schema(&format!("<xs:element name='a'><xs:complexType>{content}</xs:complexType></xs:element>")).into_bytes()
}

/// A schema of one element, `a`, of a simple type.
fn simple(base: &str, facets: &str) -> Vec<u8> {
    let ty = format!("<xs:simpleType><xs:restriction base='xs:{base}'>{facets}</xs:restriction></xs:simpleType>");
    schema(&format!("<xs:element name='a'>{ty}</xs:element>")).into_bytes()
}

/// Components that each refer to the next one; `last` has the number of the last.
fn each(size: usize, mut component: impl FnMut(usize, usize) -> String, last: impl Fn(usize) -> String) -> Vec<u8> {
    let mut text = String::new();
    let mut count = 0;
    while text.len() < size {
        text += &component(count, count + 1);
        count += 1;
    }
    schema(&(text + &last(count))).into_bytes()
}

fn groups(random: &mut Random, size: usize) -> Vec<u8> {
    let times = 1 + random.below(4);
    let occurs = random.of(&["", " maxOccurs='3'", " minOccurs='0' maxOccurs='unbounded'"]);
    each(
        size,
        |n, next| {
            let inner = format!("<xs:group ref='g{next}'{occurs}/>").repeat(times);
            format!("<xs:group name='g{n}'><xs:sequence><xs:element name='e{n}'/>{inner}</xs:sequence></xs:group>")
        },
        |n| {
            format!(
                "<xs:group name='g{n}'><xs:sequence><xs:element name='x'/></xs:sequence></xs:group>\
                 <xs:element name='a'><xs:complexType><xs:group ref='g0'/></xs:complexType></xs:element>"
            )
        },
    )
}

fn attribute_groups(random: &mut Random, size: usize) -> Vec<u8> {
    let times = 1 + random.below(4);
    each(
        size,
        |n, next| {
            let inner = format!("<xs:attributeGroup ref='g{next}'/>").repeat(times);
            format!("<xs:attributeGroup name='g{n}'><xs:attribute name='a{n}'/>{inner}</xs:attributeGroup>")
        },
        |n| {
            format!(
                "<xs:attributeGroup name='g{n}'/>\
                 <xs:element name='a'><xs:complexType><xs:attributeGroup ref='g0'/></xs:complexType></xs:element>"
            )
        },
    )
}

fn types(random: &mut Random, size: usize) -> Vec<u8> {
    let times = 1 + random.below(5);
    each(
        size,
        |n, next| {
            let inner: String = (0..times).map(|m| format!("<xs:element name='m{m}' type='t{next}'/>")).collect();
            format!("<xs:complexType name='t{n}'><xs:sequence>{inner}</xs:sequence></xs:complexType>")
        },
        |n| format!("<xs:complexType name='t{n}'/><xs:element name='a' type='t0'/>"),
    )
}

fn derived(n: usize, next: usize, derivation: &str, content: &str) -> String {
    format!(
        "<xs:complexType name='t{n}'><xs:complexContent><xs:{derivation} base='t{next}'>{content}</xs:{derivation}>\
         </xs:complexContent></xs:complexType>"
    )
}

fn extensions(_: &mut Random, size: usize) -> Vec<u8> {
    each(
        size,
        |n, next| derived(n, next, "extension", &format!("<xs:sequence><xs:element name='e{n}'/></xs:sequence>")),
        |n| format!("<xs:complexType name='t{n}'><xs:sequence/></xs:complexType><xs:element name='a' type='t0'/>"),
    )
}

fn extended_attributes(_: &mut Random, size: usize) -> Vec<u8> {
    each(
        size,
        |n, next| derived(n, next, "extension", &format!("<xs:attribute name='a{n}'/>")),
        |n| format!("<xs:complexType name='t{n}'/><xs:element name='a' type='t0'/>"),
    )
}

fn restrictions(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let elements = format!(
        "<xs:sequence>{}</xs:sequence>",
        list(part / 4, |n| format!("<xs:element name='e{n}' minOccurs='0'/>"))
    );
    each(
        size,
        |n, next| derived(n, next, "restriction", &elements),
        |n| format!("<xs:complexType name='t{n}'>{elements}</xs:complexType><xs:element name='a' type='t0'/>"),
    )
}

fn unions(random: &mut Random, size: usize) -> Vec<u8> {
    let times = 1 + random.below(4);
    each(
        size,
        |n, next| {
            let members = vec![format!("t{next}"); times].join(" ");
            format!("<xs:simpleType name='t{n}'><xs:union memberTypes='{members}'/></xs:simpleType>")
        },
        |n| {
            format!(
                "<xs:simpleType name='t{n}'><xs:restriction base='xs:int'/></xs:simpleType>\
                 <xs:element name='a' type='t0'/>"
            )
        },
    )
}

fn substitutions(_: &mut Random, size: usize) -> Vec<u8> {
    each(
        size,
        |n, next| format!("<xs:element name='e{n}' substitutionGroup='e{next}'/>"),
        |n| {
            format!(
                "<xs:element name='e{n}'/><xs:element name='a'><xs:complexType><xs:sequence>\
             <xs:element ref='e{n}'/></xs:sequence></xs:complexType></xs:element>"
            )
        },
    )
}

fn substitutes(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let members = list(part, |n| format!("<xs:element name='e{n}' substitutionGroup='h'/>"));
    let uses = list(size - part, |n| format!("<xs:element name='b{n}'/><xs:element ref='h'/>"));
    schema(&format!(
        "<xs:element name='h'/>{members}<xs:element name='a'><xs:complexType><xs:sequence>{uses}</xs:sequence>\
         </xs:complexType></xs:element>"
    ))
    .into_bytes()
}

fn includes(_: &mut Random, size: usize) -> Vec<u8> {
    let count = (size / 300 + 1).min(60);
    let all: String = (0..count).map(|n| format!("<xs:include schemaLocation='{n}.xsd'/>")).collect();
    let documents = (0..count).map(|n| schema(&format!("{all}<xs:element name='e{n}'/>")).into_bytes());
    documents.collect::<Vec<_>>().join(&BETWEEN)
}

fn occurrences(random: &mut Random, size: usize) -> Vec<u8> {
    let count = random.of(&["1000000000", "99999999999999999999", "1000", "65536"]);
    let element = |n| format!("<xs:element name='e{n}' minOccurs='{count}' maxOccurs='{count}'/>");
    complex(&format!("<xs:sequence>{}</xs:sequence>", list(size, element)))
}

fn occurrence_levels(random: &mut Random, size: usize) -> Vec<u8> {
    let count = random.of(&["1000", "2", "unbounded"]);
    let open = format!("<xs:sequence minOccurs='0' maxOccurs='{count}'>");
    let levels = size / (open.len() + 14);
    complex(
        &format!(
            "{}<xs:element name='e' maxOccurs='{count}'/>{}",
            open.repeat(levels),
            "</xs:sequence>".repeat(levels)
        )
        .replacen("<xs:element", if levels == 0 { "<xs:sequence><xs:element" } else { "<xs:element" }, 1),
    )
}

fn pattern_counts(random: &mut Random, size: usize) -> Vec<u8> {
    let count = 2 + random.below(1000);
    let levels = 1 + random.below(size.min(200) / 8);
    let pattern = "(".repeat(levels) + "a" + &format!("){{{count}}}").repeat(levels);
    simple("string", &format!("<xs:pattern value='{pattern}'/>"))
}

fn pattern_classes(random: &mut Random, size: usize) -> Vec<u8> {
    let class = random.of(&["\\p{L}", "\\w", "\\i\\c*", "[^a]", "[\\p{L}-[a-z]]"]);
    let count = 1 + random.below(1000);
    let patterns = list(size, |_| format!("<xs:pattern value='({class}){{{count}}}'/>"));
    simple("string", &patterns)
}

fn pattern_chain(random: &mut Random, size: usize) -> Vec<u8> {
    let pattern = random.of(&["a*", "\\c+", "\\p{L}*", "[a-z]{0,50}"]);
    each(
        size,
        |n, next| {
            format!(
                "<xs:simpleType name='t{n}'><xs:restriction base='t{next}'><xs:pattern value='{pattern}'/>\
                 </xs:restriction></xs:simpleType>"
            )
        },
        |n| {
            format!(
                "<xs:simpleType name='t{n}'><xs:restriction base='xs:string'/></xs:simpleType>\
                 <xs:element name='a' type='t0'/>"
            )
        },
    )
}

fn enumerations(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size / 4);
    let values = list(part, |n| format!("<xs:enumeration value='v{n}'/>"));
    each(
        size,
        |n, next| {
            format!(
                "<xs:simpleType name='t{n}'><xs:restriction base='t{next}'>{}</xs:restriction></xs:simpleType>",
                if n % 2 == 0 { &values } else { "" }
            )
        },
        |n| {
            format!(
                "<xs:simpleType name='t{n}'><xs:restriction base='xs:string'>{values}</xs:restriction></xs:simpleType>\
                 <xs:element name='a' type='t0'/>"
            )
        },
    )
}

fn namespaces(_: &mut Random, size: usize) -> Vec<u8> {
    let scope = list(size / 2, |n| format!(" xmlns:p{n}='u{n}'"));
    let elements = list(size / 2, |n| format!("<xs:element name='e{n}' type='xs:int'/>"));
    schema(&elements).replacen("<xs:schema", &format!("<xs:schema{scope}"), 1).into_bytes()
}

fn wildcards(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let uris = list(part, |n| format!("u{n} "));
    let wildcard = format!("<xs:any namespace='{uris}'/>");
    complex(&format!("<xs:sequence>{}</xs:sequence>", wildcard.repeat(1 + (size - part) / wildcard.len())))
}

fn keys(_: &mut Random, size: usize) -> Vec<u8> {
    let keys =
        list(size, |n| format!("<xs:key name='k{n}'><xs:selector xpath='.//*'/><xs:field xpath='@i'/></xs:key>"));
    schema(&format!("<xs:element name='a'>{keys}</xs:element>")).into_bytes()
}

fn key_paths(random: &mut Random, size: usize) -> Vec<u8> {
    let path = if random.one_in(2) { "a|".repeat(size / 2) } else { "a/".repeat(size / 2) };
    let key = format!("<xs:key name='k'><xs:selector xpath='{path}a'/><xs:field xpath='@i'/></xs:key>");
    schema(&format!("<xs:element name='a'>{key}</xs:element>")).into_bytes()
}

/// A schema, and an instance of it.
fn pair(schema: &[u8], instance: &str) -> Vec<u8> {
    [schema, &[BETWEEN], instance.as_bytes()].concat()
}

fn of_type(ty: &str, instance: &str) -> Vec<u8> {
    pair(schema(&format!("<xs:element name='a' type='xs:{ty}'/>")).as_bytes(), instance)
}

/// `a`, which has elements `b` of a complex type.
fn of_items(content: &str) -> Vec<u8> {
    complex(&format!(
        "<xs:sequence><xs:element name='b' minOccurs='0' maxOccurs='unbounded'><xs:complexType>{content}\
         </xs:complexType></xs:element></xs:sequence>"
    ))
}

fn filled(item: &str, size: usize) -> String {
    format!("<a>{}</a>", item.repeat(size / item.len()))
}

fn long_default(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let schema = of_items(&format!("<xs:attribute name='c' default='{}'/>", "x".repeat(part)));
    pair(&schema, &filled("<b/>", size - part))
}

fn many_defaults(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let schema = of_items(&list(part, |n| format!("<xs:attribute name='c{n}' default='x'/>")));
    pair(&schema, &filled("<b/>", size - part))
}

/// Elements `a` in each other with a key that looks at all below.
fn keyed(constraint: &str) -> String {
    schema(&format!(
        "<xs:element name='a'><xs:complexType><xs:sequence><xs:element ref='a' minOccurs='0' maxOccurs='unbounded'/>\
         </xs:sequence><xs:attribute name='i'/><xs:attribute name='r'/></xs:complexType>{constraint}</xs:element>"
    ))
}

const KEY: &str = "<xs:key name='k'><xs:selector xpath='.//a'/><xs:field xpath='@i'/></xs:key>";

fn nested_keys(random: &mut Random, size: usize) -> Vec<u8> {
    let depth = 1 + random.below((size / 16 + 1).min(900));
    let mut text = String::new();
    (0..depth).for_each(|n| write!(text, "<a i='{n}'>").unwrap());
    let mut count = depth;
    while text.len() < size {
        write!(text, "<a i='{count}'/>").unwrap();
        count += 1;
    }
    pair(keyed(KEY).as_bytes(), &(text + &"</a>".repeat(depth)))
}

fn many_keyed(_: &mut Random, size: usize) -> Vec<u8> {
    pair(keyed(KEY).as_bytes(), &format!("<a>{}</a>", list(size, |n| format!("<a i='{n}'/>"))))
}

fn key_references(random: &mut Random, size: usize) -> Vec<u8> {
    let reference = "<xs:keyref name='f' refer='k'><xs:selector xpath='.//a'/><xs:field xpath='@r'/></xs:keyref>";
    let depth = 1 + random.below((size / 16 + 1).min(900));
    let mut text = String::new();
    (0..depth).for_each(|n| write!(text, "<a i='{n}'>").unwrap());
    let mut count = depth;
    while text.len() < size {
        write!(text, "<a i='{count}' r='{count}'/>").unwrap();
        count += 1;
    }
    pair(keyed(&format!("{KEY}{reference}")).as_bytes(), &(text + &"</a>".repeat(depth)))
}

fn long_fields(random: &mut Random, size: usize) -> Vec<u8> {
    let depth = 1 + random.below((size / 16 + 1).min(900));
    let mut text = String::new();
    (0..depth).for_each(|n| write!(text, "<a i='{n}'>").unwrap());
    write!(text, "<a i='{}'/>", "x".repeat(size / 2)).unwrap();
    pair(keyed(KEY).as_bytes(), &(text + &"</a>".repeat(depth)))
}

fn ids(_: &mut Random, size: usize) -> Vec<u8> {
    let schema = of_items("<xs:attribute name='i' type='xs:ID'/><xs:attribute name='r' type='xs:IDREFS'/>");
    pair(&schema, &format!("<a>{}</a>", list(size, |n| format!("<b i='n{n}' r='n0 n{n}'/>"))))
}

fn pattern_values(random: &mut Random, size: usize) -> Vec<u8> {
    let pattern = random.of(&["(a*)*b", "(a|aa)+b", "((a{0,20}){0,20}){0,2}", "(a?){50}a{50}", "\\p{L}{0,999}"]);
    let schema = simple("string", &format!("<xs:pattern value='{pattern}'/>"));
    pair(&schema, &format!("<a>{}</a>", "a".repeat(size)))
}

fn many_patterns(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let patterns = list(part, |n| format!("<xs:pattern value='a*b{n}'/>"));
    let schema = of_items(&format!(
        "<xs:attribute name='c'><xs:simpleType><xs:restriction base='xs:string'>{patterns}</xs:restriction>\
         </xs:simpleType></xs:attribute>"
    ));
    pair(&schema, &filled("<b c='aaab0'/>", size - part))
}

fn union_values(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let member = "<xs:simpleType><xs:restriction base='xs:int'/></xs:simpleType>";
    let members = member.repeat(part / member.len() + 1);
    let schema = of_items(&format!(
        "<xs:attribute name='c'><xs:simpleType><xs:union>{members}<xs:simpleType><xs:restriction base='xs:string'/>\
         </xs:simpleType></xs:union></xs:simpleType></xs:attribute>"
    ));
    pair(&schema, &filled("<b c='x'/>", size - part))
}

fn counted(random: &mut Random, size: usize) -> Vec<u8> {
    let count = 1 + random.below(1 << 20);
    let schema = complex(&format!(
        "<xs:sequence maxOccurs='{count}'><xs:element name='b' minOccurs='{}' maxOccurs='{count}'/></xs:sequence>",
        count.min(7)
    ));
    pair(&schema, &filled("<b/>", size))
}

fn all_elements(random: &mut Random, size: usize) -> Vec<u8> {
    let count = 1 + random.below(size / 40 + 1);
    let elements: String = (0..count).map(|n| format!("<xs:element name='e{n}' minOccurs='0'/>")).collect();
    let instance: String = (0..count).rev().map(|n| format!("<e{n}/>")).collect();
    pair(&complex(&format!("<xs:all>{elements}</xs:all>")), &format!("<a>{instance}</a>"))
}

fn many_attributes(random: &mut Random, size: usize) -> Vec<u8> {
    let count = 1 + random.below(size / 40 + 1);
    let attributes: String = (0..count).map(|n| format!("<xs:attribute name='c{n}'/>")).collect();
    let instance: String = (0..count).rev().map(|n| format!(" c{n}=''")).collect();
    pair(&complex(&attributes), &format!("<a{instance}/>"))
}

fn xsi_types(_: &mut Random, size: usize) -> Vec<u8> {
    let schema = schema("<xs:element name='a' type='xs:anyType'/>");
    let scope = list(size / 2, |n| format!(" xmlns:p{n}='u{n}'"));
    let start = format!(
        "<a{scope} xmlns:i='http://www.w3.org/2001/XMLSchema-instance' xmlns:x='http://www.w3.org/2001/XMLSchema'>"
    );
    pair(schema.as_bytes(), &format!("{start}{}</a>", "<b i:type='x:int'>1</b>".repeat(size / 46)))
}

fn repeated_namespace(random: &mut Random, size: usize) -> Vec<u8> {
    let schema = schema("<xs:element name='a' type='xs:anyType'/>");
    let part = 1 + random.below(size);
    let uri = "u".repeat(part);
    let element = if random.one_in(2) { "<p:b/>" } else { "<b p:c=''/>" };
    pair(schema.as_bytes(), &format!("<a xmlns:p='{uri}'>{}</a>", element.repeat((size - part) / element.len())))
}

fn entities(random: &mut Random, size: usize) -> Vec<u8> {
    let schema = schema("<xs:element name='a' type='xs:string'/>");
    let part = 1 + random.below(size);
    let text = "x".repeat(part);
    pair(schema.as_bytes(), &format!("<!DOCTYPE a [<!ENTITY e '{text}'>]><a>{}</a>", "&e;".repeat((size - part) / 3)))
}
