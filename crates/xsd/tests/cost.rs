//! What schemas and instances that mean harm may cost: memory is counted by the allocator, work by the limit that stops
//! it. Each input is written once and made in two sizes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_xsd as xsd;

use std::fmt::Write;

use tam::ErrorKind;
use test_support::memory::{Counting, cost};
use xsd::{Limits, Memory, Options, Schema};

#[global_allocator]
static COUNTING: Counting = Counting;

/// Bytes of memory for each byte of a schema, and for any.
const A_SCHEMA: usize = 120;
/// Bytes of memory for each byte of an instance, and for any.
const A_INSTANCE: usize = 120;
/// What the limits allow whatever the size: 2^16 particles, 2^20 units, one pattern that is tried.
const B: usize = 24 << 20;

fn schema(body: &str) -> String {
    format!("<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'>{body}</xs:schema>")
}

/// Reads a schema under the limits for what is not trusted, within A bytes a byte and B. What stops it is a limit.
fn read(name: &str, body: &str) -> Option<Schema> {
    let text = schema(body);
    let bytes = text.len();
    let source = Memory::new().with("c.xsd", text);
    let options = Options::default().with_limits(Limits::UNTRUSTED).with_particles(1 << 16);
    let (read, peak, _) = cost(|| Schema::read_from(source, "c.xsd", &options));
    assert!(peak <= A_SCHEMA * bytes + B, "{name}: {peak} bytes for {bytes}");
    println!("{name}: {bytes} bytes take {peak}: {:?}", read.as_ref().map(|_| ()).map_err(ToString::to_string));
    match read {
        Ok(schema) => Some(schema),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Limit, "{name}: {error}");
            None
        }
    }
}

/// Checks an instance, within A bytes a byte and B; whether a limit stopped it.
fn check(name: &str, schema: &Schema, instance: &str, units: u32) -> bool {
    let options = Options::default().with_limits(Limits { units, ..Limits::DEFAULT });
    let (checked, peak, _) = cost(|| schema.validate(instance.as_bytes(), &options));
    let bytes = instance.len();
    println!("{name}: {bytes} bytes take {peak}: {:?}", checked.as_ref().map_err(ToString::to_string));
    assert!(peak <= A_INSTANCE * bytes + B, "{name}: {peak} bytes for {bytes}");
    match checked {
        Ok(()) => false,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Limit, "{name}: {error}");
            assert!(error.to_string().contains("units"), "{name}: {error}");
            true
        }
    }
}

const SELF_REFERRING: &str = "<xs:element name='a'><xs:complexType><xs:sequence>
    <xs:element ref='a' minOccurs='0' maxOccurs='unbounded'/></xs:sequence><xs:attribute name='k'/></xs:complexType>
    <xs:key name='key'><xs:selector xpath='.//a'/><xs:field xpath='@k'/></xs:key></xs:element>";

/// `depth` elements within each other, and `count` in the innermost, each with a key of its own.
fn nested(depth: usize, count: usize) -> String {
    let mut text = String::new();
    for n in 0..depth {
        write!(text, "<a k='{n}'>").unwrap();
    }
    for n in 0..count {
        write!(text, "<a k='x{n}'/>").unwrap();
    }
    text + &"</a>".repeat(depth)
}

/// Every element is a target of the constraints of all around it: that is charged.
#[test]
fn a_constraint_that_refers_to_itself_is_charged() {
    let schema = read("self", SELF_REFERRING).unwrap();
    // As deep as people write.
    assert!(!check("shallow", &schema, &nested(8, 20_000), 0));
    let hostile = nested(990, 9_000);
    assert!(check("deep", &schema, &hostile, 1 << 20));
    // Twice the instance is not more than twice the steps allowed.
    assert!(check("deep", &schema, &nested(990, 18_000), 1 << 20));
    // Keys of many constraints are dearer than those of few.
    assert!(!check("some", &schema, &nested(16, 2_000), 1 << 20));
    assert!(check("many", &schema, &nested(300, 900), 1 << 26));
    // What it means is as before.
    let twice = nested(3, 2).replace("x1", "x0");
    let error = schema.validate(twice.as_bytes(), &Options::default()).unwrap_err();
    assert!(error.to_string().contains("'x0' a second time"), "{error}");
}

/// Whether the type that an element names is derived from that of its declaration takes a look at all types between.
#[test]
fn long_derivations_of_named_types_are_charged() {
    let mut body = String::from("<xs:complexType name='t0'/>");
    for n in 1..4_000 {
        let base = n - 1;
        write!(
            body,
            "<xs:complexType name='t{n}'><xs:complexContent><xs:extension base='t{base}'/></xs:complexContent></xs:complexType>"
        )
        .unwrap();
    }
    body += "<xs:element name='a'><xs:complexType><xs:sequence>
        <xs:element name='b' type='t0' minOccurs='0' maxOccurs='unbounded'/></xs:sequence></xs:complexType></xs:element>";
    let schema = read("derivations", &body).unwrap();
    let instance = |ty: &str| {
        let items = format!("<b i:type='{ty}'/>").repeat(3_000);
        format!("<a xmlns:i='http://www.w3.org/2001/XMLSchema-instance'>{items}</a>")
    };
    assert!(!check("near", &schema, &instance("t900"), 0));
    assert!(check("far", &schema, &instance("t3999"), 1 << 20));
    assert!(!check("far", &schema, &instance("t3999"), 1 << 24));
}

/// Fields that are anywhere below, in elements that are targets of each other.
#[test]
fn fields_of_nested_targets_are_charged() {
    let body = SELF_REFERRING.replace("<xs:key ", "<xs:unique ").replace("</xs:key>", "</xs:unique>");
    let body = body.replace("'@k'", "'.//b'").replace("<xs:attribute name='k'/>", "");
    let body = body.replace("</xs:sequence>", "<xs:element name='b' type='xs:int' minOccurs='0'/></xs:sequence>");
    let schema = read("fields", &body).unwrap();
    let deep = format!("{}{}{}", "<a>".repeat(900), "<a/>".repeat(10_000), "</a>".repeat(900));
    assert!(check("fields", &schema, &deep, 1 << 20));
}

#[test]
fn keys_that_many_references_have_are_charged() {
    let mut body = String::from(
        "<xs:element name='r'><xs:complexType><xs:sequence><xs:element name='a' maxOccurs='unbounded'><xs:complexType>
         <xs:attribute name='k'/></xs:complexType></xs:element></xs:sequence></xs:complexType>
         <xs:key name='key'><xs:selector xpath='a'/><xs:field xpath='@k'/></xs:key>",
    );
    for n in 0..400 {
        write!(
            body,
            "<xs:keyref name='k{n}' refer='key'><xs:selector xpath='none'/><xs:field xpath='@k'/></xs:keyref>"
        )
        .unwrap();
    }
    let schema = read("keyrefs", &(body + "</xs:element>")).unwrap();
    let keys: String = (0..20_000).map(|n| format!("<a k='{n}'/>")).collect();
    assert!(check("keyrefs", &schema, &format!("<r>{keys}</r>"), 1 << 20));
}

/// Each type of a chain has the patterns of all before it.
#[test]
fn patterns_of_chained_types_are_bounded() {
    for count in [1_000, 10_000] {
        let mut body = String::from("<xs:simpleType name='t0'><xs:restriction base='xs:string'/></xs:simpleType>");
        for n in 1..count {
            let before = n - 1;
            write!(
                body,
                "<xs:simpleType name='t{n}'><xs:restriction base='t{before}'><xs:pattern value='a{n}*|.*'/>\
                 </xs:restriction></xs:simpleType>"
            )
            .unwrap();
        }
        assert!(read("chained patterns", &body).is_none());
    }
}

#[test]
fn patterns_that_are_large_once_compiled_are_bounded() {
    let types = |count: usize, pattern: &dyn Fn(usize) -> String| -> String {
        let one = |n| {
            let pattern = pattern(n);
            format!(
                "<xs:simpleType name='t{n}'><xs:restriction base='xs:string'><xs:pattern value='{pattern}'/>\
                 </xs:restriction></xs:simpleType>"
            )
        };
        (0..count).map(one).collect()
    };
    // 4 MiB each is the most for one, and equal ones are one.
    assert!(read("equal", &types(5_000, &|_| "[a-z]{1,200}".to_owned())).is_some());
    // The first has no room for what is written, the second none for all of them.
    let one = "<xs:simpleType name='t'><xs:restriction base='xs:string'><xs:pattern value='((a{1000}){1000}){1000}'/>\
        </xs:restriction></xs:simpleType>";
    let refused = |body: &str| {
        let source = Memory::new().with("c.xsd", schema(body));
        let (read, peak, _) = cost(|| Schema::read_from(source, "c.xsd", &Options::default()));
        (read.map(|_| ()).unwrap_err(), peak)
    };
    let (error, peak) = refused(one);
    assert!(error.kind() == ErrorKind::Schema && peak < B, "{peak}: {error}");
    // A program of 32 bits has room for twice as many.
    let count = 60 * 64 / usize::BITS as usize;
    let pattern = |n: usize| format!("(({}{{{}}}){{30}}){{30}}", ["a", "b"][n / 60], 30 + n % 60);
    let (error, peak) = refused(&types(count, &pattern));
    assert!(error.kind() == ErrorKind::Limit && peak < 512 << 20, "{peak}: {error}");
}

#[test]
fn members_of_unions_tried_for_each_item_are_charged() {
    let members: String = (0..500).map(|n| format!("<xs:simpleType><xs:restriction base='xs:string'><xs:enumeration value='v{n}'/></xs:restriction></xs:simpleType>")).collect();
    let body = format!(
        "<xs:simpleType name='u'><xs:union>{members}</xs:union></xs:simpleType>
         <xs:simpleType name='l'><xs:list itemType='u'/></xs:simpleType><xs:element name='r' type='l'/>"
    );
    let schema = read("union", &body).unwrap();
    assert!(!check("a few items", &schema, &format!("<r>{}</r>", "v499 ".repeat(100)), 1 << 20));
    assert!(check("many items", &schema, &format!("<r>{}</r>", "v499 ".repeat(20_000)), 1 << 20));
}

#[test]
fn members_of_unions_of_unions_are_bounded() {
    let members: String = (0..1_000).map(|n| format!("<xs:simpleType><xs:restriction base='xs:string'><xs:length value='{n}'/></xs:restriction></xs:simpleType>")).collect();
    let mut body = format!("<xs:simpleType name='u0'><xs:union>{members}</xs:union></xs:simpleType>");
    for n in 1..5_000 {
        write!(body, "<xs:simpleType name='u{n}'><xs:union memberTypes='u0'/></xs:simpleType>").unwrap();
    }
    assert!(read("unions", &body).is_none());
}

/// Attributes are copied to every type that has them, and so are their defaults.
#[test]
fn attributes_that_types_inherit_are_bounded() {
    let mut body =
        format!("<xs:complexType name='t0'><xs:attribute name='a' default='{}'/></xs:complexType>", "x".repeat(50_000));
    let mut many = String::from("<xs:complexType name='t0'/>");
    for n in 1..2_000 {
        let before = n - 1;
        let extension = |inner: &str| {
            format!(
                "<xs:complexType name='t{n}'><xs:complexContent><xs:extension base='t{before}'>{inner}</xs:extension></xs:complexContent></xs:complexType>"
            )
        };
        body += &extension("");
        many += &extension(&format!("<xs:attribute name='a{n}'/>"));
    }
    assert!(read("defaults", &body).is_none());
    assert!(read("attributes", &many).is_none());
}

#[test]
fn heads_of_heads_of_substitution_groups_are_bounded() {
    let mut body = String::from("<xs:element name='e0' type='xs:int'/>");
    for n in 1..200 {
        let before = n - 1;
        write!(body, "<xs:element name='e{n}' substitutionGroup='e{before}'/>").unwrap();
    }
    for n in 200..2_000 {
        write!(body, "<xs:element name='e{n}' substitutionGroup='e199'/>").unwrap();
    }
    assert!(read("substitution", &body).is_none());
}

#[test]
fn namespaces_of_wildcards_are_bounded() {
    let list: String = (0..20_000).map(|n| format!("urn:{n} ")).collect();
    assert!(
        read(
            "one wildcard",
            &format!("<xs:complexType name='t'><xs:anyAttribute namespace='{list}'/></xs:complexType>")
        )
        .is_none()
    );
    let mut body = String::from("<xs:complexType name='t0'><xs:anyAttribute namespace='urn:0'/></xs:complexType>");
    for n in 1..3_000 {
        let before = n - 1;
        write!(body, "<xs:complexType name='t{n}'><xs:complexContent><xs:extension base='t{before}'><xs:anyAttribute namespace='urn:{n}'/></xs:extension></xs:complexContent></xs:complexType>").unwrap();
    }
    assert!(read("wildcards", &body).is_none());
}

/// A default is looked at for each element that has none of its own.
#[test]
fn defaults_of_empty_elements_are_charged() {
    let digits = "1".repeat(200_000);
    let body = format!(
        "<xs:element name='r'><xs:complexType><xs:sequence><xs:element name='a' type='xs:integer' default='{digits}' \
         maxOccurs='unbounded'/></xs:sequence></xs:complexType></xs:element>"
    );
    let schema = read("default", &body).unwrap();
    assert!(check("default", &schema, &format!("<r>{}</r>", "<a/>".repeat(10_000)), 1 << 20));
}

#[test]
fn occurrences_and_groups_cost_nothing_by_their_numbers() {
    let most = u32::MAX;
    let body = format!(
        "<xs:element name='r'><xs:complexType><xs:sequence maxOccurs='{most}'><xs:element name='a' minOccurs='1000000' \
         maxOccurs='{most}' type='xs:int'/><xs:sequence minOccurs='0' maxOccurs='99999'><xs:element name='b' \
         maxOccurs='77777' type='xs:int'/></xs:sequence></xs:sequence></xs:complexType></xs:element>"
    );
    read("occurrences", &body);
    let mut doubling = String::from("<xs:group name='g0'><xs:sequence><xs:element name='a'/></xs:sequence></xs:group>");
    for n in 1..40 {
        let before = n - 1;
        write!(doubling, "<xs:group name='g{n}'><xs:sequence><xs:group ref='g{before}'/><xs:group ref='g{before}'/></xs:sequence></xs:group>").unwrap();
    }
    doubling += "<xs:element name='r'><xs:complexType><xs:group ref='g39'/></xs:complexType></xs:element>";
    assert!(read("doubling", &doubling).is_none());
}

/// A long list is held against its type in one go, and takes no more than its text.
#[test]
fn long_lists_take_what_they_are_long() {
    let body = "<xs:element name='r' type='xs:NMTOKENS'/><xs:element name='i' type='xs:IDREFS'/>";
    let schema = read("lists", body).unwrap();
    assert!(!check("list", &schema, &format!("<r>{}</r>", "a ".repeat(200_000)), 0));
}
