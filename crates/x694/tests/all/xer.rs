//! Instances as values and back, construct by construct. Values are worked out by hand from the clauses of
//! X.694 and X.693 Amendment 1, and written in the notation of X.680.

use asn1::{Values, notation};
use tam::{ErrorKind, Limits};
use x694::{mapping, xer};
use xsd::{Memory, Options, Schema};

fn types(body: &str) -> xer::Types {
    types_of(body, mapping::Version::V2)
}

fn types_of(body: &str, version: mapping::Version) -> xer::Types {
    let text = format!("<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' {body}</xs:schema>");
    let schema = Schema::read_from(Memory::new().with("s.xsd", text), "s.xsd", &Options::default()).unwrap();
    xer::Types::new(schema, &mapping::Options::default().with_version(version)).unwrap()
}

/// The value of an instance in notation, without its type's name and with single spaces.
fn value(types: &xer::Types, xml: &str) -> String {
    let mut values = Values::new();
    let value = match xer::read(xml.as_bytes(), types, &Options::default(), &mut values) {
        Ok(value) => value,
        Err(error) => return format!("error: {error}"),
    };
    let text = notation::write_value(value).unwrap();
    let text = text.split_once("::=").map_or(&text[..], |(_, value)| value);
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace("{}", "{ }")
}

/// The instance that comes back by PER.
fn back(types: &xer::Types, xml: &str) -> String {
    let (mut values, mut again, mut out) = (Values::new(), Values::new(), Vec::new());
    let value = xer::read(xml.as_bytes(), types, &Options::default(), &mut values).unwrap();
    for rules in [asn1::Options::uper(), asn1::Options::aper(), asn1::Options::ber(), asn1::Options::der()] {
        let message = asn1::write(value, &rules).unwrap();
        let value = asn1::read(&message, types.compiled(), value.node_id(), &rules, &mut again).unwrap();
        out.clear();
        xer::append(value, types, &mut out).unwrap();
        let mut third = Values::new();
        let read = xer::read(&out, types, &Options::default(), &mut third).unwrap();
        assert_eq!(asn1::write(read, &rules).unwrap(), message, "{}", String::from_utf8_lossy(&out));
    }
    String::from_utf8(out).unwrap()
}

fn both(types: &xer::Types, xml: &str, expected: &str) {
    assert_eq!(value(types, xml), expected, "{xml}");
    assert_eq!(back(types, xml), xml);
    let types = by_modules(types);
    assert_eq!(value(&types, xml), expected, "by the modules: {xml}");
    assert_eq!(back(&types, xml), xml, "by the modules");
}

/// The same types by the printed modules, without the schema.
fn by_modules(types: &xer::Types) -> xer::Types {
    let text = notation::print_schema(&types.mapping().schema);
    let (modules, compiled) = asn1::Compiled::from_sources(&[("", &text[..])], &tam::Limits::default()).unwrap();
    xer::Types::from_modules(modules, compiled.into()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn attributes_and_sequences() {
    let types = types(
        "><xs:element name='order'><xs:complexType><xs:sequence>
            <xs:element name='item' type='xs:unsignedByte' maxOccurs='unbounded'/>
            <xs:element name='note' type='xs:string' minOccurs='0'/>
         </xs:sequence>
         <xs:attribute name='b' type='xs:boolean'/><xs:attribute name='a' type='xs:int' use='required'/>
         <xs:attribute name='d' type='xs:int' default='7'/>
         </xs:complexType></xs:element>",
    );
    both(
        &types,
        "<order a=\"-3\" b=\"true\"><item>7</item><item>250</item></order>",
        "{ a -3, b TRUE, item-list { 7, 250 } }",
    );
    both(
        &types,
        "<order a=\"1\" d=\"8\"><item>0</item><note>x &lt; y</note></order>",
        r#"{ a 1, d 8, item-list { 0 }, note "x < y" }"#,
    );
    // What the default says is not on the wire, and not written again.
    assert_eq!(back(&types, "<order d='7' a='1'> <item>0</item>\n</order>"), "<order a=\"1\"><item>0</item></order>");
    let error = value(&types, "<order a='1'><item>256</item></order>");
    assert!(error.contains("in /order/item: found '256', expected at most 255"), "{error}");
}

#[test]
fn an_all_group_that_nothing_can_be_in_has_no_order() {
    let types = types(
        "><xs:element name='r'><xs:complexType><xs:all>
            <xs:element name='a' type='xs:int' minOccurs='0' maxOccurs='0'/>
         </xs:all><xs:attribute name='order' type='xs:int'/></xs:complexType></xs:element>",
    );
    both(&types, "<r order=\"7\"/>", "{ order 7 }");
}

#[test]
fn integers_between_bounds_of_any_size() {
    let types = types(
        "><xs:element name='r'><xs:simpleType><xs:restriction base='xs:integer'>
            <xs:minInclusive value='-170141183460469231731687303715884105729'/>
            <xs:maxInclusive value='170141183460469231731687303715884105728'/>
            <xs:totalDigits value='40'/>
         </xs:restriction></xs:simpleType></xs:element>",
    );
    for number in ["-170141183460469231731687303715884105729", "0", "170141183460469231731687303715884105728"] {
        both(&types, &format!("<r>{number}</r>"), number);
    }
    let error = value(&types, "<r>170141183460469231731687303715884105729</r>");
    assert!(error.contains("expected at most 170141183460469231731687303715884105728"), "{error}");
}

#[test]
fn enumerations_of_integers_of_any_size() {
    let types = types(
        "><xs:element name='r'><xs:simpleType><xs:restriction base='xs:integer'>
            <xs:enumeration value='340282366920938463463374607431768211456'/>
            <xs:enumeration value='-9223372036854775809'/>
            <xs:enumeration value='0'/>
         </xs:restriction></xs:simpleType></xs:element>",
    );
    both(&types, "<r>340282366920938463463374607431768211456</r>", "int340282366920938463463374607431768211456");
    both(&types, "<r>-9223372036854775809</r>", "int-9223372036854775809");
    both(&types, "<r>0</r>", "int0");
}

#[test]
fn choices_and_groups_within_each_other() {
    let types = types(
        "><xs:element name='r'><xs:complexType><xs:sequence>
            <xs:choice minOccurs='0' maxOccurs='unbounded'>
              <xs:element name='a' type='xs:int'/>
              <xs:sequence><xs:element name='b' type='xs:int'/><xs:element name='c' type='xs:int' minOccurs='0'/></xs:sequence>
            </xs:choice>
            <xs:sequence minOccurs='0'><xs:element name='d' type='xs:int'/><xs:element name='e' type='xs:int'/></xs:sequence>
         </xs:sequence></xs:complexType></xs:element>",
    );
    both(
        &types,
        "<r><a>1</a><b>2</b><c>3</c><b>4</b><a>5</a><d>6</d><e>7</e></r>",
        "{ choice-list { a : 1, sequence : { b 2, c 3 }, sequence : { b 4 }, a : 5 }, sequence { d 6, e 7 } }",
    );
    both(&types, "<r/>", "{ choice-list { } }");
    both(&types, "<r><d>6</d><e>7</e></r>", "{ choice-list { }, sequence { d 6, e 7 } }");
}

#[test]
fn elements_of_one_name_are_where_their_leaf_is() {
    let types = types(
        "><xs:element name='r'><xs:complexType><xs:sequence>
            <xs:sequence><xs:element name='a' type='xs:int' minOccurs='0'/></xs:sequence>
            <xs:element name='b' type='xs:int' maxOccurs='2'/>
            <xs:element name='a' type='xs:int' minOccurs='0' maxOccurs='unbounded'/>
            <xs:any namespace='urn:o' processContents='skip' minOccurs='0' maxOccurs='unbounded'/>
         </xs:sequence></xs:complexType></xs:element>",
    );
    both(&types, "<r><b>1</b></r>", "{ b-list { 1 }, a-list { }, elem-list { } }");
    both(
        &types,
        "<r><a>1</a><b>2</b><b>3</b><a>4</a><a>5</a></r>",
        "{ a 1, b-list { 2, 3 }, a-list { 4, 5 }, elem-list { } }",
    );
    both(&types, "<r><b>2</b><a>1</a></r>", "{ b-list { 2 }, a-list { 1 }, elem-list { } }");
    let others = "<o:x xmlns:o=\"urn:o\"/><o:a xmlns:o=\"urn:o\">1</o:a>";
    let wild = "elem-list { \"<o:x xmlns:o=\"\"urn:o\"\"/>\", \"<o:a xmlns:o=\"\"urn:o\"\">1</o:a>\" } }";
    both(&types, &format!("<r><b>2</b>{others}</r>"), &format!("{{ b-list {{ 2 }}, a-list {{ }}, {wild}"));
}

/// An element that matches a wildcard is not taken for a declared element with the same name, or the other way round,
/// whatever groups they are in. The instances are long enough for tags to be remembered.
#[test]
fn what_a_wildcard_stands_for_is_not_an_element_of_its_name() {
    let of = |rest: &str| {
        types(&format!(
            "><xs:element name='r'><xs:complexType><xs:sequence>\
             <xs:any namespace='##local' processContents='skip'/>{rest}</xs:sequence></xs:complexType></xs:element>"
        ))
    };
    let many = "<xs:element name='a' type='xs:int' maxOccurs='unbounded'/>";
    both(&of(many), "<r><a>1</a><a>2</a></r>", "{ elem \"<a>1</a>\", a-list { 2 } }");
    let group = of(&format!("<xs:sequence minOccurs='0'>{many}<xs:element name='b' type='xs:int'/></xs:sequence>"));
    both(&group, "<r><a>x</a><a>1</a><b>2</b></r>", "{ elem \"<a>x</a>\", sequence { a-list { 1 }, b 2 } }");
    both(&group, "<r><b>x</b></r>", "{ elem \"<b>x</b>\" }");
    let groups = of("<xs:sequence maxOccurs='unbounded'><xs:element name='a' type='xs:int'/></xs:sequence>");
    both(&groups, "<r><a>1</a><a>2</a></r>", "{ elem \"<a>1</a>\", sequence-list { { a 2 } } }");
    let choice = of("<xs:choice><xs:element name='a' type='xs:int'/><xs:element name='b' type='xs:int'/></xs:choice>");
    both(&choice, "<r><b>1</b><a>2</a></r>", "{ elem \"<b>1</b>\", choice a : 2 }");
}

#[test]
fn what_came_before_is_held_against_the_schema_each_time() {
    let types = types(
        "targetNamespace='urn:a' elementFormDefault='qualified'><xs:element name='r'><xs:complexType><xs:sequence>
            <xs:element name='row' maxOccurs='unbounded'><xs:complexType><xs:sequence>
                <xs:element name='i' type='xs:int' minOccurs='2' maxOccurs='3'/>
                <xs:element name='n' type='xs:string' minOccurs='0'/>
            </xs:sequence></xs:complexType></xs:element>
         </xs:sequence></xs:complexType></xs:element>",
    );
    let read = |last: &str| {
        let row = "<p:row><p:i>1</p:i><p:i>2</p:i><p:i>3</p:i><p:n>x</p:n></p:row>";
        value(&types, &format!("<p:r xmlns:p='urn:a'>{}{last}</p:r>", row.repeat(40)))
    };
    let row = r#"{ i-list { 1, 2, 3 }, n "x" }, "#;
    for (last, expected) in [
        ("<p:row><p:i>1</p:i><p:i>2</p:i></p:row>", "{ i-list { 1, 2 } }"),
        ("<q:row xmlns:q='urn:a'><q:i>1</q:i><p:i>2</p:i></q:row>", "{ i-list { 1, 2 } }"),
        ("<p:row xmlns:p='urn:a'><p:i>1</p:i><p:i>2</p:i><p:n/></p:row>", "{ i-list { 1, 2 }, n \"\" }"),
    ] {
        assert_eq!(read(last), format!("{{ row-list {{ {}{expected} }} }}", row.repeat(40)), "{last}");
    }
    for (last, found) in [
        ("<p:row><p:i>1</p:i><p:n/></p:row>", "<p:n>"),
        ("<p:row><p:i>1</p:i><p:i>2</p:i><p:i>3</p:i><p:i>4</p:i></p:row>", "<p:i>"),
        ("<p:row xmlns:p='urn:b'><p:i>1</p:i><p:i>2</p:i></p:row>", "<p:row>"),
        ("<p:row><p:i xmlns:p='urn:b'>1</p:i><p:i>2</p:i></p:row>", "<p:i>"),
        ("<p:row><p:i>1</p:i></p:row>", "the end of the element"),
        ("<p:row><p:i>x</p:i></p:row>", "'x'"),
    ] {
        let read = read(last);
        assert!(read.starts_with("error") && read.contains(found), "{last}: {read}");
    }
}

#[test]
fn counted_occurrences_end_where_they_must() {
    let types = types(
        "><xs:element name='r'><xs:complexType><xs:sequence maxOccurs='unbounded'>
            <xs:element name='a' type='xs:int' minOccurs='2' maxOccurs='2'/>
         </xs:sequence></xs:complexType></xs:element>",
    );
    both(
        &types,
        "<r><a>1</a><a>2</a><a>3</a><a>4</a></r>",
        "{ sequence-list { { a-list { 1, 2 } }, { a-list { 3, 4 } } } }",
    );
}

#[test]
fn lists_are_filled_up_with_what_needs_no_element() {
    let types = types(
        "><xs:element name='r'><xs:complexType><xs:sequence minOccurs='3' maxOccurs='3'>
            <xs:element name='a' type='xs:int' minOccurs='0'/>
         </xs:sequence></xs:complexType></xs:element>",
    );
    both(&types, "<r><a>1</a></r>", "{ sequence-list { { a 1 }, { }, { } } }");
    both(&types, "<r/>", "{ sequence-list { { }, { }, { } } }");
}

/// Each way to group elements is written as the same instance; the first groups take as many as leave enough.
#[test]
fn groups_end_before_they_are_full_where_others_would_not_have_enough() {
    let types = types(
        "><xs:element name='r'><xs:complexType><xs:choice maxOccurs='unbounded'>
            <xs:element name='a' type='xs:int' minOccurs='3' maxOccurs='5'/>
         </xs:choice></xs:complexType></xs:element>
         <xs:element name='s'><xs:complexType mixed='true'><xs:sequence minOccurs='2' maxOccurs='2'>
            <xs:sequence minOccurs='2' maxOccurs='3'>
               <xs:element name='a' type='xs:int' minOccurs='0' maxOccurs='2'/><xs:element name='b' type='xs:int'/>
            </xs:sequence></xs:sequence></xs:complexType></xs:element>",
    );
    let of = |count: usize| format!("<r>{}</r>", "<a>1</a>".repeat(count));
    for (count, groups) in [
        (3, &[3][..]),
        (5, &[5]),
        (6, &[3, 3]),
        (7, &[4, 3]),
        (8, &[5, 3]),
        (9, &[5, 4]),
        (11, &[5, 3, 3]),
        (12, &[5, 4, 3]),
        (1000, &[5; 200]),
    ] {
        let group = |count: &usize| format!("a-list : {{ {} }}", vec!["1"; *count].join(", "));
        let groups: Vec<String> = groups.iter().map(group).collect();
        both(&types, &of(count), &format!("{{ choice-list {{ {} }} }}", groups.join(", ")));
    }
    let error = value(&types, &of(2));
    assert!(error.contains("schema") && error.contains("the end of the element"), "{error}");
    both(
        &types,
        "<s>x<a>1</a><b>2</b><b>3</b>y<b>4</b><b>5</b>z</s>",
        "{ embed-values { \"x\", \"\", \"\", \"y\", \"\", \"z\" }, sequence-list { \
         { sequence-list { { a-list { 1 }, b 2 }, { a-list { }, b 3 } } }, \
         { sequence-list { { a-list { }, b 4 }, { a-list { }, b 5 } } } } }",
    );
    both(
        &types,
        "<s><b>1</b><b>2</b><a>3</a><a>4</a><b>5</b><b>6</b><b>7</b></s>",
        "{ embed-values { \"\", \"\", \"\", \"\", \"\", \"\", \"\", \"\" }, sequence-list { \
         { sequence-list { { a-list { }, b 1 }, { a-list { }, b 2 }, { a-list { 3, 4 }, b 5 } } }, \
         { sequence-list { { a-list { }, b 6 }, { a-list { }, b 7 } } } } }",
    );
}

/// Long runs of groups whose numbers are all bounded: the ways to count them are followed as ranges.
#[test]
fn groups_of_many_are_found_among_many_ways_to_count_them() {
    let types = types(
        "><xs:element name='r'><xs:complexType><xs:sequence minOccurs='40' maxOccurs='100'>
            <xs:element name='a' type='xs:int' minOccurs='2' maxOccurs='20'/>
         </xs:sequence></xs:complexType></xs:element>",
    );
    let of = |count: usize| format!("<r>{}</r>", "<a>1</a>".repeat(count));
    for (count, twenty, between) in [(80, 0, None), (81, 0, Some(3)), (100, 1, Some(4)), (2000, 100, None)] {
        let groups = [20].repeat(twenty).into_iter().chain(between);
        let mut groups: Vec<String> = groups.map(|n: usize| vec!["1"; n].join(", ")).collect();
        groups.resize(groups.len().max(40), "1, 1".to_owned());
        let groups: Vec<String> = groups.iter().map(|items| format!("{{ a-list {{ {items} }} }}")).collect();
        both(&types, &of(count), &format!("{{ sequence-list {{ {} }} }}", groups.join(", ")));
    }
    for count in [79, 2001] {
        assert!(value(&types, &of(count)).starts_with("error: schema"), "{}", value(&types, &of(count)));
    }
}

/// The error of an invalid instance is the same whether its groups had to be scanned or not.
#[test]
fn errors_behind_groups_that_were_looked_for_are_told_where_they_are() {
    let types = types(
        "><xs:element name='r'><xs:complexType><xs:sequence>
            <xs:element name='s' maxOccurs='unbounded'><xs:complexType><xs:choice maxOccurs='unbounded'>
               <xs:element name='a' type='xs:int' minOccurs='3' maxOccurs='5'/>
            </xs:choice></xs:complexType></xs:element>
            <xs:element name='e' type='xs:int'/></xs:sequence></xs:complexType></xs:element>",
    );
    let six = "<a>1</a>".repeat(6);
    for (xml, at) in [
        (format!("<r><s>{six}</s><e>x</e></r>"), "'x'"),
        (format!("<r><s>{six}<a>x</a></s><e>1</e></r>"), "'x'"),
        (format!("<r><s>{six}</s><s>{six}<b/></s><e>1</e></r>"), "<b>"),
        (format!("<r><s>{six}"), "end of the input"),
    ] {
        let mut values = Values::new();
        let error = xer::read(xml.as_bytes(), &types, &Options::default(), &mut values).unwrap_err();
        assert_eq!(error, types.schema().validate(xml.as_bytes(), &Options::default()).unwrap_err(), "{xml}");
        assert!(error.to_string().contains(at), "{xml}: {error}");
    }
}

#[test]
fn numbers_have_the_digits_of_their_size() {
    let types = types(
        "><xs:element name='r'><xs:complexType><xs:sequence><xs:element name='f' type='xs:float'/>
         <xs:element name='d' type='xs:double'/></xs:sequence></xs:complexType></xs:element>",
    );
    assert_eq!(back(&types, "<r><f>1.0E-2</f><d>1.0E-2</d></r>"), "<r><f>0.01</f><d>0.01</d></r>");
    assert_eq!(back(&types, "<r><f>3.4028235e38</f><d>-1e300</d></r>"), "<r><f>3.4028235E38</f><d>-1E300</d></r>");
    assert_eq!(back(&types, "<r><f>-INF</f><d>NaN</d></r>"), "<r><f>-INF</f><d>NaN</d></r>");
    assert_eq!(back(&types, "<r><f>-0</f><d>16777217</d></r>"), "<r><f>-0</f><d>16777217</d></r>");
}

#[test]
fn particles_that_need_no_element_are_there_all_the_same() {
    let types = types(
        "><xs:element name='r'><xs:complexType><xs:sequence>
            <xs:sequence maxOccurs='2'><xs:element name='a' type='xs:int' minOccurs='0'/><xs:element name='b' type='xs:int' minOccurs='0'/></xs:sequence>
            <xs:choice><xs:element name='c' type='xs:int'/><xs:element name='d' type='xs:int' minOccurs='0'/></xs:choice>
            <xs:element name='e' type='xs:int' minOccurs='0' maxOccurs='3'/>
         </xs:sequence></xs:complexType></xs:element>",
    );
    both(&types, "<r><b>1</b><e>2</e></r>", "{ sequence-list { { b 1 } }, choice d-list : { }, e-list { 2 } }");
    both(
        &types,
        "<r><b>1</b><a>2</a><d>3</d></r>",
        "{ sequence-list { { b 1 }, { a 2 } }, choice d-list : { 3 }, e-list { } }",
    );
}

/// An alternative without elements: a sequence of nothing, a group of nothing, a choice of nothing that may be absent.
#[test]
fn an_alternative_may_hold_nothing() {
    let types = types(
        "><xs:group name='none'><xs:sequence/></xs:group>
         <xs:element name='r'><xs:complexType><xs:sequence>
            <xs:choice><xs:element name='a' type='xs:int'/><xs:sequence/></xs:choice>
            <xs:choice minOccurs='2' maxOccurs='2'><xs:choice><xs:element name='b' type='xs:int'/><xs:group ref='none'/></xs:choice></xs:choice>
            <xs:element name='c' type='xs:int'/>
            <xs:choice><xs:element name='d' type='xs:int'/><xs:choice minOccurs='0'/></xs:choice>
         </xs:sequence></xs:complexType></xs:element>
         <xs:element name='s'><xs:complexType><xs:choice><xs:element name='a' type='xs:int'/><xs:choice/></xs:choice></xs:complexType></xs:element>",
    );
    both(
        &types,
        "<r><c>1</c></r>",
        "{ choice sequence : { }, choice-list { choice : none : { }, choice : none : { } }, c 1, \
         choice-1 choice-list : { } }",
    );
    both(
        &types,
        "<r><a>0</a><b>1</b><c>2</c><d>3</d></r>",
        "{ choice a : 0, choice-list { choice : b : 1, choice : none : { } }, c 2, choice-1 d : 3 }",
    );
    both(&types, "<s><a>1</a></s>", "{ choice a : 1 }");
    assert!(value(&types, "<s/>").contains("expected <a>"));
}

#[test]
fn all_groups_keep_their_order() {
    let types = types(
        "><xs:element name='r'><xs:complexType><xs:all>
            <xs:element name='a' type='xs:int'/><xs:element name='b' type='xs:int' minOccurs='0'/><xs:element name='c' type='xs:int'/>
         </xs:all><xs:attribute name='x' type='xs:int'/></xs:complexType></xs:element>",
    );
    both(&types, "<r x=\"0\"><c>3</c><a>1</a></r>", "{ order { c, a }, x 0, a 1, c 3 }");
    both(&types, "<r><b>2</b><a>1</a><c>3</c></r>", "{ order { b, a, c }, a 1, b 2, c 3 }");
}

#[test]
fn mixed_content_has_a_text_more_than_elements() {
    let types = types(
        "><xs:element name='p'><xs:complexType mixed='true'><xs:choice minOccurs='0' maxOccurs='unbounded'>
            <xs:element name='b' type='xs:string'/><xs:element ref='p'/>
         </xs:choice></xs:complexType></xs:element>",
    );
    both(
        &types,
        "<p>one <b>two</b> three<p>4</p></p>",
        r#"{ embed-values { "one ", " three", "" }, choice-list { b : "two", p : { embed-values { "4" }, choice-list { } } } }"#,
    );
    both(&types, "<p/>", r#"{ embed-values { "" }, choice-list { } }"#);
    // What parts characters is not kept.
    assert_eq!(back(&types, "<p>a<!-- c -->b<?i?><![CDATA[<]]></p>"), "<p>ab&lt;</p>");
}

#[test]
fn simple_content_is_the_base() {
    let types = types(
        "><xs:element name='price'><xs:complexType><xs:simpleContent><xs:extension base='xs:decimal'>
            <xs:attribute name='of' type='xs:string'/></xs:extension></xs:simpleContent></xs:complexType></xs:element>",
    );
    both(&types, "<price of=\"EUR\">12.5</price>", r#"{ of "EUR", base 12.5 }"#);
    assert_eq!(back(&types, "<price> +012.50 </price>"), "<price>12.5</price>");
}

#[test]
fn nil_has_no_content() {
    let types = types(
        "><xs:element name='r'><xs:complexType><xs:sequence>
            <xs:element name='n' type='xs:int' nillable='true'/>
            <xs:element name='c' nillable='true'><xs:complexType><xs:sequence>
              <xs:element name='x' type='xs:int' minOccurs='0'/></xs:sequence><xs:attribute name='k' type='xs:int'/></xs:complexType></xs:element>
         </xs:sequence></xs:complexType></xs:element>",
    );
    let nil = "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"";
    both(&types, &format!("<r {nil}><n xsi:nil=\"true\"/><c k=\"1\" xsi:nil=\"true\"/></r>"), "{ n { }, c { k 1 } }");
    both(&types, "<r><n>5</n><c/></r>", "{ n { content 5 }, c { content { } } }");
    both(&types, "<r><n>5</n><c><x>1</x></c></r>", "{ n { content 5 }, c { content { x 1 } } }");
    assert_eq!(back(&types, &format!("<r {nil}><n xsi:nil='0'>5</n><c/></r>")), "<r><n>5</n><c/></r>");
}

#[test]
fn types_stand_in_the_place_of_their_base() {
    let body = |base: &str| {
        format!(
            "><xs:complexType name='T' {base}><xs:sequence><xs:element name='a' type='xs:int'/></xs:sequence></xs:complexType>
            <xs:complexType name='U'><xs:complexContent><xs:extension base='T'><xs:sequence><xs:element name='b' type='xs:int'/></xs:sequence></xs:extension></xs:complexContent></xs:complexType>
            <xs:element name='r' type='T'/>"
        )
    };
    let xsi = "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"";
    let concrete = types(&body(""));
    both(&concrete, "<r><a>1</a></r>", "t : { a 1 }");
    both(&concrete, &format!("<r {xsi} xsi:type=\"U\"><a>1</a><b>2</b></r>"), "u : { a 1, b 2 }");
    // Even the first alternative needs to be said where the base is abstract.
    let of_abstract = types(&body("abstract='true'"));
    both(&of_abstract, &format!("<r {xsi} xsi:type=\"U\"><a>1</a><b>2</b></r>"), "u : { a 1, b 2 }");
}

const NAMES: &str = "xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xmlns:xs='http://www.w3.org/2001/XMLSchema'";

/// X.694 has no alternative for a type derived from a built-in type: its value is one of the built-in type.
#[test]
fn types_stand_in_the_place_of_built_in_types() {
    let types = types(
        "><xs:element name='n' type='xs:decimal'/><xs:element name='s' type='xs:anySimpleType'/>
         <xs:element name='a' type='xs:anyType'/><xs:element name='e' type='xs:int'/><xs:element name='v' type='V'/>
         <xs:simpleType name='price'><xs:restriction base='xs:decimal'><xs:minInclusive value='0'/></xs:restriction></xs:simpleType>
         <xs:simpleType name='V'><xs:union memberTypes='xs:int xs:date'/></xs:simpleType>
         <xs:complexType name='T'><xs:sequence><xs:element name='b' type='xs:int' maxOccurs='3'/><xs:element ref='e'/>
         </xs:sequence><xs:attribute name='k' type='xs:int'/></xs:complexType>
         <xs:complexType name='M'><xs:simpleContent><xs:extension base='xs:decimal'><xs:attribute name='unit'/>
         </xs:extension></xs:simpleContent></xs:complexType>",
    );
    let of = |xml: &str| value(&types, xml);
    assert_eq!(of(&format!("<n {NAMES} xsi:type='price'>3.5</n>")), "3.5");
    assert_eq!(of(&format!("<n {NAMES} xsi:type='xs:byte'>3</n>")), "3");
    assert!(of(&format!("<n {NAMES} xsi:type='price'>-3</n>")).contains("expected at least 0"));
    assert_eq!(of(&format!("<s {NAMES} xsi:type='xs:int'>3</s>")), "\"3\"");
    assert_eq!(of(&format!("<v {NAMES} xsi:type='xs:date'>2004-10-28</v>")), of("<v>2004-10-28</v>"));
    assert_eq!(of(&format!("<n {NAMES} xsi:type='M'>3</n>")), "3");
    // Its attribute has no place in a number.
    let error = of(&format!("<n {NAMES} xsi:type='M' unit='m'>3</n>"));
    assert!(error.starts_with("error: unsupported") && error.contains("in /n: found xsi:type with 'M'"), "{error}");
    // Of any type all is carried but the name of the type.
    for (with, without) in [
        ("<a #T k='1'><b>1</b><b>2</b><e>3</e></a>", "<a k=\"1\"><b>1</b><b>2</b><e>3</e></a>"),
        ("<a #T><b>1</b>\n<e>3</e></a>", "<a><b>1</b><e>3</e></a>"),
        ("<a #M unit='m'>3.50</a>", "<a unit=\"m\">3.50</a>"),
        ("<a #price>3</a>", "<a>3</a>"),
        ("<a #xs:int>3</a>", "<a>3</a>"),
    ] {
        let (ty, _) = with[4..].split_once(['>', ' ']).unwrap();
        let with = with.replacen(&format!("#{ty}"), &format!("{NAMES} xsi:type='{ty}'"), 1);
        assert_eq!(back(&types, &with), without, "{with}");
    }
    assert!(of(&format!("<a {NAMES} xsi:type='T'><b>1</b></a>")).contains("expected <b> or <e>"));
}

/// XML Schema Part 2 section 4.3.5: by value. The value of ASN.1 is a text, that of the schema.
#[test]
fn times_of_enumerations_are_compared_by_value() {
    for version in [mapping::Version::V1, mapping::Version::V2] {
        let times = |base: &str, values: &[&str]| -> String {
            let values: String = values.iter().map(|value| format!("<xs:enumeration value='{value}'/>")).collect();
            format!("<xs:simpleType><xs:restriction base='xs:{base}'>{values}</xs:restriction></xs:simpleType>")
        };
        let body = format!(
            "><xs:element name='w'>{}</xs:element><xs:element name='d'>{}</xs:element><xs:element name='t'>{}</xs:element>",
            times("dateTime", &["2004-01-01T00:00:00Z", "2005-01-01T00:00:00"]),
            times("duration", &["P1Y", "PT36H"]),
            times("time", &["12:00:00Z"]),
        );
        let types = types_of(&body, version);
        for (xml, expected) in [
            ("<w>2004-01-01T01:00:00+01:00</w>", "<w>2004-01-01T00:00:00Z</w>"),
            ("<w> 2004-01-01T00:00:00.000Z </w>", "<w>2004-01-01T00:00:00Z</w>"),
            ("<w>2004-12-31T24:00:00</w>", "<w>2005-01-01T00:00:00</w>"),
            ("<d>P12M</d>", "<d>P1Y</d>"),
            ("<d>P1DT12H</d>", "<d>PT36H</d>"),
            ("<t>13:00:00+01:00</t>", "<t>12:00:00Z</t>"),
        ] {
            assert_eq!(back(&types, xml), expected, "{xml}");
        }
        assert!(value(&types, "<w>2004-01-01T00:00:00</w>").starts_with("error: schema"));
    }
}

/// Where a value may be sent although it is the default, it is: BER leaves it to the sender (X.690 clause 8.9.3), and
/// BASIC-PER for types that are not simple (X.691 clause 19.5). CANONICAL-PER and DER do not.
#[test]
fn attributes_that_equal_their_default_are_kept_where_the_rules_allow() {
    let types = types(
        "><xs:simpleType name='l'><xs:list itemType='xs:int'/></xs:simpleType>
         <xs:simpleType name='u'><xs:union memberTypes='xs:int xs:string'/></xs:simpleType>
         <xs:element name='r'><xs:complexType><xs:attribute name='i' type='xs:int' default='5'/>
         <xs:attribute name='l' type='l' default='1 2'/><xs:attribute name='s' default='abc' type='xs:string'/>
         <xs:attribute name='u' type='u' default='x'/></xs:complexType></xs:element>",
    );
    let xml = "<r i=\"5\" l=\"1 2\" s=\"abc\" u=\"x\"/>";
    let (mut values, mut again) = (Values::new(), Values::new());
    let value = xer::read(xml.as_bytes(), &types, &Options::default(), &mut values).unwrap();
    let some = "<r l=\"1 2\" u=\"x\"/>";
    for (rules, expected) in [
        (asn1::Options::ber(), xml),
        (asn1::Options::der(), "<r/>"),
        (asn1::Options::uper(), some),
        (asn1::Options::aper(), some),
        (asn1::Options::uper().with_canonical(true), "<r/>"),
    ] {
        let message = asn1::write(value, &rules).unwrap();
        let read = asn1::read(&message, types.compiled(), value.node_id(), &rules, &mut again).unwrap();
        let out = xer::write(read, &types).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), expected, "{rules:?}");
    }
}

#[test]
fn substitution_groups_are_alternatives() {
    let types = types(
        "><xs:element name='h' type='xs:int'/><xs:element name='m' type='xs:int' substitutionGroup='h'/>
         <xs:element name='r'><xs:complexType><xs:sequence><xs:element ref='h' maxOccurs='unbounded'/></xs:sequence></xs:complexType></xs:element>",
    );
    both(&types, "<r><m>1</m><h>2</h></r>", "{ h-group-list { m : 1, h : 2 } }");
}

#[test]
fn values_of_simple_types() {
    let types = types(
        "><xs:element name='r'><xs:complexType><xs:sequence>
            <xs:element name='v' minOccurs='0' maxOccurs='unbounded'><xs:simpleType><xs:union memberTypes='xs:int xs:boolean xs:string'/></xs:simpleType></xs:element>
            <xs:element name='l' minOccurs='0'><xs:simpleType><xs:list itemType='xs:byte'/></xs:simpleType></xs:element>
            <xs:element name='e' minOccurs='0'><xs:simpleType><xs:restriction base='xs:string'><xs:enumeration value='Two words'/><xs:enumeration value='one'/></xs:restriction></xs:simpleType></xs:element>
            <xs:element name='n' minOccurs='0'><xs:simpleType><xs:restriction base='xs:int'><xs:enumeration value='-1'/><xs:enumeration value='20'/></xs:restriction></xs:simpleType></xs:element>
            <xs:element name='h' minOccurs='0' type='xs:hexBinary'/><xs:element name='o' minOccurs='0' type='xs:base64Binary'/>
            <xs:element name='d' minOccurs='0' type='xs:double'/><xs:element name='i' minOccurs='0' type='xs:integer'/>
            <xs:element name='t' minOccurs='0' type='xs:token'/>
         </xs:sequence></xs:complexType></xs:element>",
    );
    both(&types, "<r><v>1</v><v>true</v><v>x</v></r>", r#"{ v-list { int : 1, boolean : TRUE, string : "x" } }"#);
    both(&types, "<r><l>1 -2 3</l></r>", "{ v-list { }, l { 1, -2, 3 } }");
    both(&types, "<r><e>Two words</e><n>20</n></r>", "{ v-list { }, e two-words, n int20 }");
    both(&types, "<r><h>00FF</h><o>AP8=</o></r>", "{ v-list { }, h '00FF'H, o '00FF'H }");
    both(&types, "<r><d>-0.5</d></r>", "{ v-list { }, d -0.5 }");
    both(&types, "<r><d>INF</d></r>", "{ v-list { }, d PLUS-INFINITY }");
    both(
        &types,
        "<r><i>-123456789012345678901234567890123456789012345678901234567890</i></r>",
        "{ v-list { }, i -123456789012345678901234567890123456789012345678901234567890 }",
    );
    assert_eq!(back(&types, "<r><i>+007</i><t>  a \n b </t></r>"), "<r><i>7</i><t>a b</t></r>");
    assert_eq!(back(&types, "<r><v> 1 </v><h>0a</h></r>"), "<r><v>1</v><h>0A</h></r>");
}

#[test]
fn the_member_that_a_pattern_tells_is_the_alternative() {
    let types = types(
        "><xs:simpleType name='code'><xs:restriction base='xs:string'><xs:pattern value='[A-Z]+'/></xs:restriction></xs:simpleType>
         <xs:element name='r'><xs:simpleType><xs:union memberTypes='code xs:string'/></xs:simpleType></xs:element>",
    );
    both(&types, "<r>ABC</r>", r#"code : "ABC""#);
    both(&types, "<r>abc</r>", r#"string : "abc""#);
}

#[test]
fn dates_and_times_of_both_versions() {
    let body = "><xs:element name='r'><xs:complexType><xs:sequence>
            <xs:element name='d' type='xs:date' minOccurs='0'/><xs:element name='t' type='xs:dateTime' minOccurs='0'/>
            <xs:element name='p' type='xs:duration' minOccurs='0'/><xs:element name='c' type='xs:time' minOccurs='0'/>
            <xs:element name='m' type='xs:gMonthDay' minOccurs='0'/>
         </xs:sequence></xs:complexType></xs:element>";
    let first = types_of(body, mapping::Version::V1);
    both(&first, "<r><d>2025-03-01</d><p>-P1Y</p><m>--03-01</m></r>", r#"{ d "2025-03-01", p "-P1Y", m "--03-01" }"#);
    let second = types(body);
    both(
        &second,
        "<r><d>2025-03-01</d><t>2025-03-01T06:30:00.50Z</t></r>",
        r#"{ d asn1supportedvalue : "2025-03-01", t "2025-03-01T06:30:00.50Z" }"#,
    );
    both(
        &second,
        "<r><d>2025-03-01+01:00</d><p>-P1Y</p><c>06:30:00</c></r>",
        r#"{ d othervalues : "2025-03-01+01:00", p othervalues : "-P1Y", c "06:30:00" }"#,
    );
    both(&second, "<r><p>P1Y2M</p><m>--03-01</m></r>", r#"{ p asn1supportedvalue : "P1Y2M", m "--03-01" }"#);
    assert_eq!(back(&second, "<r><t>2024-12-31T24:00:00</t></r>"), "<r><t>2025-01-01T00:00:00</t></r>");
}

#[test]
fn names_keep_their_namespaces() {
    let types = types(
        "targetNamespace='urn:a' xmlns='urn:a' elementFormDefault='qualified'>
         <xs:element name='r'><xs:complexType><xs:sequence><xs:element name='q' type='xs:QName' maxOccurs='unbounded'/></xs:sequence>
         <xs:attribute name='k' type='xs:int' form='qualified'/></xs:complexType></xs:element>",
    );
    let xml = "<x:r xmlns:x='urn:a' x:k='1'><x:q xmlns:y='urn:b'>y:n</x:q><x:q>plain</x:q></x:r>";
    assert_eq!(value(&types, xml), r#"{ k 1, q-list { { uri "urn:b", name "n" }, { name "plain" } } }"#);
    assert_eq!(
        back(&types, xml),
        "<ns1:r xmlns:ns1=\"urn:a\" xmlns:ns2=\"urn:b\" ns1:k=\"1\"><ns1:q>ns2:n</ns1:q><ns1:q>plain</ns1:q></ns1:r>"
    );
}

#[test]
fn prefixes_are_those_of_the_schema_where_it_has_some() {
    let types = types(
        "targetNamespace='urn:a' xmlns:a='urn:a' xmlns:b='urn:b' xmlns:ns1='urn:n' xmlns:xmlb='urn:x'>
         <xs:element name='r'><xs:complexType><xs:sequence><xs:element name='q' type='xs:QName' maxOccurs='unbounded'/></xs:sequence>
         </xs:complexType></xs:element>",
    );
    let names = ["urn:b", "urn:n", "urn:x"].map(|uri| format!("<q xmlns:p='{uri}'>p:n</q>")).concat();
    let xml = format!("<x:r xmlns:x='urn:a'>{names}</x:r>");
    let expected = "<a:r xmlns:a=\"urn:a\" xmlns:b=\"urn:b\" xmlns:ns1=\"urn:n\" xmlns:ns2=\"urn:x\">\
                    <q>b:n</q><q>ns1:n</q><q>ns2:n</q></a:r>";
    assert_eq!(back(&types, &xml), expected);
}

#[test]
fn the_namespace_of_the_root_needs_no_prefix() {
    let types = types(
        "targetNamespace='urn:a' elementFormDefault='qualified'><xs:element name='r'><xs:complexType><xs:sequence>
         <xs:element name='s' type='xs:int'/></xs:sequence></xs:complexType></xs:element>",
    );
    both(&types, "<r xmlns=\"urn:a\"><s>1</s></r>", "{ s 1 }");
    // Names without a namespace would be in that one.
    let local = self::types(
        "targetNamespace='urn:a'><xs:element name='r'><xs:complexType><xs:sequence>
         <xs:element name='s' type='xs:int'/></xs:sequence></xs:complexType></xs:element>",
    );
    both(&local, "<ns1:r xmlns:ns1=\"urn:a\"><s>1</s></ns1:r>", "{ s 1 }");
}

const WILD: &str = "><xs:element name='r'><xs:complexType><xs:sequence>
    <xs:any namespace='##other' processContents='lax' minOccurs='0' maxOccurs='unbounded'/>
    <xs:element name='z' type='xs:int' minOccurs='0'/></xs:sequence>
    <xs:anyAttribute namespace='##any' processContents='lax'/></xs:complexType></xs:element>";

#[test]
fn elements_of_wildcards_are_their_text() {
    let types = types(WILD);
    let xml = "<r xmlns:p='urn:p' xmlns:n='urn:n'><p:a n:k='&lt;'>x<b xmlns='urn:b'><c/></b> y</p:a><z>1</z></r>";
    let text =
        "<p:a xmlns:n=\"\"urn:n\"\" xmlns:p=\"\"urn:p\"\" n:k=\"\"&lt;\"\">x<b xmlns=\"\"urn:b\"\"><c/></b> y</p:a>";
    assert_eq!(value(&types, xml), format!("{{ attr {{ }}, elem-list {{ \"{text}\" }}, z 1 }}"));
    let expected =
        "<r><p:a xmlns:n=\"urn:n\" xmlns:p=\"urn:p\" n:k=\"&lt;\">x<b xmlns=\"urn:b\"><c/></b> y</p:a><z>1</z></r>";
    assert_eq!(back(&types, xml), expected);
    assert_eq!(back(&types, expected), expected);
}

/// Copies repeat the namespaces that are declared around them: as often as the limits for what expands allow.
#[test]
fn namespaces_that_wildcards_repeat_are_bounded() {
    let types = types(WILD);
    let uri = "u".repeat(20_000);
    let document = |elements: usize, attributes: usize| {
        let attributes: String = (0..attributes).map(|n| format!(" p:k{n}=''")).collect();
        format!("<r xmlns:p='{uri}'{attributes}>{}</r>", "<p:a/>".repeat(elements))
    };
    let limits = Limits { expansion_ratio: 10, expansion_threshold: 100_000, ..Limits::default() };
    for (elements, attributes, is_allowed) in
        [(5, 0, true), (0, 5, true), (20, 0, false), (0, 20, false), (7, 7, false)]
    {
        let xml = document(elements, attributes);
        let (mut values, options) = (Values::new(), Options::default().with_limits(limits));
        let read = xer::read(xml.as_bytes(), &types, &options, &mut values).map(drop);
        match read {
            Ok(()) => assert!(is_allowed, "{elements} {attributes}"),
            Err(error) => {
                let is_limit = error.kind() == ErrorKind::Limit && error.to_string().contains("expansion_ratio");
                assert!(is_limit && !is_allowed, "{elements} {attributes}: {error}");
            }
        }
        let mut template = xer::Template::new();
        for _ in 0..3 {
            let read = template.read(&mut xml.clone().into_bytes(), &types, &options).map(drop);
            assert_eq!(read.is_ok(), is_allowed, "{elements} {attributes}");
        }
    }
}

#[test]
fn types_named_in_elements_of_wildcards_keep_their_prefix() {
    let types = types(
        "xmlns:t='urn:t' targetNamespace='urn:t'><xs:complexType name='C'><xs:attribute name='k'/></xs:complexType>
         <xs:element name='r'><xs:complexType><xs:sequence><xs:any processContents='lax'/></xs:sequence></xs:complexType></xs:element>",
    );
    let xml = "<t:r xmlns:t='urn:t' xmlns:i='http://www.w3.org/2001/XMLSchema-instance'><any i:type='t:C' k='no:prefix'/></t:r>";
    // The namespace of the root is that of names without a prefix, which `any` says that it is not in.
    let expected = "<r xmlns=\"urn:t\"><any xmlns=\"\" xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" \
                    xmlns:t=\"urn:t\" i:type=\"t:C\" k=\"no:prefix\"/></r>";
    assert_eq!(back(&types, xml), expected);
}

#[test]
fn attributes_of_wildcards_are_their_text() {
    let types = types(WILD);
    let xml = "<r xmlns:p='urn:p' a='1' p:b='\"&amp;' xml:lang='de'/>";
    let expected = concat!(
        "{ attr { \"a=\"\"1\"\"\", \"urn:p b=\"\"&quot;&amp;\"\"\", ",
        "\"http://www.w3.org/XML/1998/namespace lang=\"\"de\"\"\" }, elem-list { } }"
    );
    assert_eq!(value(&types, xml), expected);
    assert_eq!(back(&types, xml), "<r xmlns:ns1=\"urn:p\" a=\"1\" ns1:b=\"&quot;&amp;\" xml:lang=\"de\"/>");
}

#[test]
fn any_type_is_all_of_it() {
    let types = types("><xs:element name='r' type='xs:anyType'/>");
    both(
        &types,
        "<r a=\"1\">x<b>y</b></r>",
        r#"{ embed-values { "x", "" }, attr { "a=""1""" }, elem-list { "<b>y</b>" } }"#,
    );
}

#[test]
fn defaults_of_elements_are_values() {
    let types = types(
        "><xs:element name='r'><xs:complexType><xs:sequence><xs:element name='a' type='xs:int' default='7'/>
         <xs:element name='b' type='xs:string' fixed='x'/></xs:sequence></xs:complexType></xs:element>",
    );
    assert_eq!(value(&types, "<r><a/><b/></r>"), r#"{ a 7, b "x" }"#);
    assert_eq!(back(&types, "<r><a/><b>x</b></r>"), "<r><a>7</a><b>x</b></r>");
}

/// Messages that hold what no instance says.
#[test]
fn values_that_no_instance_has_are_not_written() {
    let wild = types(WILD);
    let of = |types: &xer::Types, notation: &str| {
        let mut values = Values::new();
        let root = types.root("r").unwrap().node();
        let value = notation::read_value(notation, types.compiled(), Some(root), &asn1::Limits::default(), &mut values)
            .unwrap();
        let mut out = b"kept".to_vec();
        let written = xer::append(value, types, &mut out);
        match written {
            Ok(()) => String::from_utf8(out).unwrap(),
            Err(error) => {
                assert_eq!(out, b"kept");
                error.to_string()
            }
        }
    };
    assert_eq!(of(&wild, r#"{ attr { }, elem-list { "<a/>" } }"#), "kept<r><a/></r>");
    for element in ["", "x", "<a>", "<a/><b/>", "<a/>x", "<!DOCTYPE a><a/>", "<p:a/>", "</r><r>", "<a b='&e;'/>"] {
        let error = of(&wild, &format!("{{ attr {{ }}, elem-list {{ \"{element}\" }} }}"));
        assert!(error.contains("found "), "{element}: {error}");
    }
    assert_eq!(of(&wild, r#"{ attr { "a='1'" }, elem-list { } }"#), "kept<r a=\"1\"/>");
    for attribute in ["", "a", "a=1", "a='1", "a='1' b='2'", "a='<'", "p:a='1'", "xmlns='x'", "a=''/><b x=''"] {
        let error = of(&wild, &format!("{{ attr {{ \"{attribute}\" }}, elem-list {{ }} }}"));
        assert!(error.contains("found "), "{attribute}: {error}");
    }
    let error = of(&wild, r#"{ attr { "a='1'", "a='2'" }, elem-list { } }"#);
    assert!(error.contains("found an attribute a second time"), "{error}");

    let all = types(
        "><xs:element name='r'><xs:complexType><xs:all><xs:element name='a' type='xs:int'/>
         <xs:element name='b' type='xs:int' minOccurs='0'/></xs:all></xs:complexType></xs:element>",
    );
    assert_eq!(of(&all, "{ order { a }, a 1 }"), "kept<r><a>1</a></r>");
    for order in ["", "b", "a, b", "a, a"] {
        let error = of(&all, &format!("{{ order {{ {order} }}, a 1 }}"));
        assert!(error.contains("found an order that "), "{order}: {error}");
    }
    let mixed = types(
        "><xs:element name='r'><xs:complexType mixed='true'><xs:sequence><xs:element name='a' type='xs:int'/></xs:sequence></xs:complexType></xs:element>",
    );
    assert_eq!(of(&mixed, r#"{ embed-values { "x", "y" }, a 1 }"#), "kept<r>x<a>1</a>y</r>");
    for texts in ["", r#""x""#, r#""x", "y", "z""#] {
        let error = of(&mixed, &format!("{{ embed-values {{ {texts} }}, a 1 }}"));
        assert!(error.contains("texts than positions"), "{texts}: {error}");
    }
}

/// A chain of groups, each in the one before, which elements use from its end on.
#[test]
fn groups_are_not_too_deep_within_each_other() {
    let schema = |groups: usize| {
        let mut body = ">".to_owned();
        for n in 0..groups {
            let inner = match n {
                0 => "<xs:element name='a'/>".to_owned(),
                n => format!("<xs:element name='e{n}' minOccurs='0'/><xs:group ref='g{}'/>", n - 1),
            };
            body += &format!("<xs:group name='g{n}'><xs:sequence>{inner}</xs:sequence></xs:group>");
            body += &format!(
                "<xs:element name='r{n}'><xs:complexType><xs:sequence><xs:group ref='g{n}'/></xs:sequence></xs:complexType></xs:element>"
            );
        }
        let text = format!("<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' {body}</xs:schema>");
        let schema = Schema::read_from(Memory::new().with("s.xsd", text), "s.xsd", &Options::default()).unwrap();
        xer::Types::new(schema, &mapping::Options::default())
    };
    let types = schema(100).unwrap();
    assert_eq!(back(&types, "<r99><a/></r99>"), "<r99><a/></r99>");
    assert_eq!(schema(200).unwrap_err().kind(), tam::ErrorKind::Limit);
}

#[test]
fn a_root_is_found_by_its_name() {
    let types =
        types("targetNamespace='urn:a'><xs:element name='r' type='xs:int'/><xs:element name='s' type='xs:int'/>");
    let names: Vec<&str> = types.roots().map(|root| root.name(&types)).collect();
    assert_eq!(names, ["r", "s"]);
    assert_eq!(types.root("s").unwrap().node(), types.root("{urn:a}s").unwrap().node());
    let error = types.root("t").unwrap_err();
    assert_eq!(error.to_string(), "schema at byte 0: the schema has no global element t");
}

/// X.694 clause 10.2: a name that a module has from two others comes with its module.
#[test]
fn types_of_one_name_in_two_namespaces_are_two_types() {
    let other = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:o'>
        <xs:complexType name='DateTime'><xs:sequence><xs:element name='day' type='xs:int'/></xs:sequence></xs:complexType>
        </xs:schema>";
    let main = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns:o='urn:o'>
        <xs:import namespace='urn:o' schemaLocation='o.xsd'/>
        <xs:element name='both'><xs:complexType><xs:sequence>
          <xs:element name='first' type='xs:dateTime'/><xs:element name='second' type='o:DateTime'/>
          <xs:element name='third' type='xs:dateTime'/></xs:sequence></xs:complexType></xs:element></xs:schema>";
    let source = Memory::new().with("main.xsd", main).with("o.xsd", other);
    let schema = Schema::read_from(source, "main.xsd", &Options::default()).unwrap();
    let types = xer::Types::new(schema, &mapping::Options::default()).unwrap();
    let xml = "<both><first>2024-05-20T10:00:00</first><second><day>7</day></second>\
               <third>2024-05-21T10:00:00</third></both>";
    assert_eq!(
        value(&types, xml),
        "{ first \"2024-05-20T10:00:00\", second { day 7 }, third \"2024-05-21T10:00:00\" }"
    );
    assert_eq!(back(&types, xml), xml);
    let module = notation::print(&types.mapping().schema.modules[0]);
    assert_eq!((module.matches("XSD.DateTime").count(), module.matches("O.DateTime").count()), (2, 1), "{module}");
}
