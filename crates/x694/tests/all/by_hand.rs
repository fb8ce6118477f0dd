//! EXTENDED-XER by modules that X.694 does not write: what X.693 allows beyond that.

use asn1::{Compiled, Options as Rules, Values, notation};
use x694::xer;
use xsd::Options;

use crate::open_types::{back, holds, module, refuses, value};

/// The XML that a value read from XML is written as.
fn again(types: &xer::Types, xml: &str) -> String {
    let mut values = Values::new();
    let value = xer::read(xml.as_bytes(), types, &Options::default(), &mut values)
        .unwrap_or_else(|error| panic!("{error}\n{xml}"));
    String::from_utf8(xer::write(value, types).unwrap()).unwrap()
}

/// Named bits and numbers are names in characters (X.680 clauses 19.9 and 22.9: TextInteger, TextList), which `TEXT` may change. With
/// `TEXT` they are written; asn1c of 2026 writes the same `alpha beta` and `uno`.
#[test]
fn names_of_bits_and_numbers_are_read_and_with_text_written() {
    let types = module(
        "T ::= SEQUENCE { b Bits, n Count, p BIT STRING { x(0), y(1), z-z(9) }, q INTEGER { one(1), big(99999999999999999999) },
           a [ATTRIBUTE] Bits OPTIONAL, c [ATTRIBUTE] Count OPTIONAL, l [LIST] SEQUENCE OF Count OPTIONAL,
           s BIT STRING { u(0), v(3) } (SIZE (4..8)) OPTIONAL, r INTEGER { one(1), ten(10) } (0..5) OPTIONAL }
         Bits ::= BIT STRING { alpha(0), beta(2) } Count ::= INTEGER { one(1), two(2), minus(-3) }",
        "TEXT Bits TEXT Count TEXT Count:one AS \"uno\" TEXT Bits:beta AS CAPITALIZED",
    )
    .unwrap();
    holds(
        &types,
        "<T a=\"alpha\" c=\"uno\"><b>alpha Beta</b><n>uno</n><p>11</p><q>1</q><l>uno two 7</l></T>",
        "{ b { alpha, beta }, n one, p { x, y }, q one, a { alpha }, c one, l { one, two, 7 } }",
    );
    // What else is read.
    for (read, written) in [
        ("<b>1 0 1</b><n>1</n><p>x y</p><q>one</q>", "<b>alpha Beta</b><n>uno</n><p>11</p><q>1</q>"),
        (
            "<b> Beta\n alpha </b><n> minus </n><p/><q>big</q>",
            "<b>alpha Beta</b><n>minus</n><p/><q>99999999999999999999</q>",
        ),
        ("<b>0001</b><n>-0004</n><p>z-z</p><q>-1</q>", "<b>0001</b><n>-4</n><p>0000000001</p><q>-1</q>"),
        ("<b/><n>two</n><p>1</p><q>7</q><s>u</s><r>one</r>", "<b/><n>two</n><p>1</p><q>7</q><s>1000</s><r>1</r>"),
        ("<b/><n>3</n><p>1</p><q>7</q><s/><r>5</r>", "<b/><n>3</n><p>1</p><q>7</q><s>0000</s><r>5</r>"),
    ] {
        let (read, written) = (format!("<T>{read}</T>"), format!("<T>{written}</T>"));
        assert_eq!(again(&types, &read), written);
        for rules in [Rules::uper(), Rules::der(), Rules::of(asn1::EncodingRules::Oer)] {
            // Zeros at the end of bits that have names go.
            let written = written.replace("<s>1000</s>", "<s>$</s>").replace("<s>0000</s>", "<s>$</s>");
            let found = back(&types, &read, &rules);
            let found = ["1000", "0000", "1"]
                .iter()
                .fold(found, |xml, bits| xml.replace(&format!("<s>{bits}</s>"), "<s>$</s>"));
            assert_eq!(found.replace("<s/>", "<s>$</s>"), written, "{rules:?}");
        }
    }
    let with = |b: &str, n: &str, more: &str| format!("<T><b>{b}</b><n>{n}</n><p/><q>1</q>{more}</T>");
    refuses(
        &types,
        &[
            (&with("beta", "1", ""), "'beta'"),
            (&with("alpha,Beta", "1", ""), "'alpha,Beta'"),
            (&with("alpha 1", "1", ""), "'alpha 1'"),
            (&with("2", "1", ""), "'2'"),
            (&with("1", "one", ""), "'one'"),
            (&with("1", "1.0", ""), "'1.0'"),
            (&with("1", "", ""), "found ''"),
            (&with("1", "+1", ""), "'+1'"),
            (&with("1", "-", ""), "'-'"),
            (&with("1", "1", "<r>ten</r>"), "found ten, expected 0 to 5 (T.r)"),
            (&with("1", "1", "<r>6</r>"), "found 6, expected 0 to 5 (T.r)"),
            (&with("1", "1", "<s>u 1</s>"), "'u 1'"),
            (&with("1", "1", "<s>111</s>"), "a size of 3"),
        ],
    );
    for (control, words) in [
        ("TEXT Bits:alpha AS \"a b\"", "the text 'a b' of alpha"),
        ("TEXT Bits:alpha AS \"01\"", "the text '01' of alpha"),
        ("TEXT Bits:alpha AS \"beta\"", "the text 'beta' of beta"),
        ("TEXT Bits:alpha AS \"\"", "the text '' of alpha"),
        ("TEXT Flag:true AS \"false\"", "the text 'false' of true"),
        ("TEXT Colour:red AS \"green\"", "the text 'green' of green"),
    ] {
        let error = module(
            "Bits ::= BIT STRING { alpha(0), beta(2) } Flag ::= BOOLEAN Colour ::= ENUMERATED { red, green }",
            control,
        )
        .map(|_| ())
        .unwrap_err();
        assert!(error.to_string().contains(words) && error.to_string().contains("line 1"), "{control}: {error}");
    }
    // Of many names there is no pattern.
    let names: Vec<String> = (0..5000).map(|number| format!("b{number}({number})")).collect();
    let many = module(&format!("B ::= [TEXT] BIT STRING {{ {} }}", names.join(", ")), "").unwrap();
    assert_eq!(again(&many, "<B>b4999 b7</B>"), "<B>b7 b4999</B>");
    refuses(&many, &[("<B>b5000</B>", "'b5000', expected the name of a bit")]);
    // A text of any characters; a bit far away.
    let types =
        module("B ::= BIT STRING { a(0), b(70000), far(600000) }", "TEXT B TEXT B:a AS \"(a|.*[é])\\\"").unwrap();
    assert_eq!(again(&types, "<B>(a|.*[é])\\ b</B>"), "<B>(a|.*[é])\\ b</B>");
    refuses(&types, &[("<B>a</B>", "'a'"), ("<B>far</B>", "the name of a bit")]);
    assert!(value(&types, "<B>b</B>").starts_with("{ b }"));
}

/// `TEXT` gives words to a BOOLEAN, and to items at references to their type, where the outermost ones count. Both make them
/// characters.
#[test]
fn texts_are_those_of_booleans_and_of_references() {
    let types = module(
        "T ::= SEQUENCE { a Flag, b [TEXT] BOOLEAN, c Other OPTIONAL, d Colour, e Paint, f [TEXT red AS UPPERCASED] Paint,
           g [TEXT one AS \"uno\"] Count, h [LIST] SEQUENCE OF Flag, i [ATTRIBUTE] Flag, j Flag (TRUE) OPTIONAL,
           k Sure OPTIONAL }
         Flag ::= BOOLEAN Other ::= [TEXT false AS \"never\"] Flag Colour ::= ENUMERATED { red, green, blue }
         Paint ::= [TEXT red AS \"r\"] [TEXT ALL AS CAPITALIZED] Colour Count ::= INTEGER { one(1), two(2) }
         Sure ::= [TEXT] BOOLEAN (TRUE)",
        "TEXT Flag:true AS \"yes\" TEXT Flag:false AS \"no way\"",
    )
    .unwrap();
    let xml =
        "<T i=\"yes\"><a>no way</a><b>true</b><c>never</c><d>green</d><e>Red</e><f>RED</f><g>uno</g><h>yes yes</h></T>";
    holds(&types, xml, "{ a FALSE, b TRUE, c FALSE, d green, e red, f red, g one, h { TRUE, TRUE }, i TRUE }");
    assert_eq!(again(&types, &xml.replace(">uno", ">1").replace("never", " yes ")), xml.replace("never", "yes"));
    refuses(
        &types,
        &[
            (&xml.replace("no way", "false"), "'false'"),
            (&xml.replace("no way", "1"), "'1'"),
            (&xml.replace("never", "no way"), "'no way'"),
            (&xml.replace("Red", "red"), "'red'"),
            (&xml.replace(">RED", ">Red"), "'Red'"),
            (&xml.replace("uno", "one"), "'one'"),
            (&xml.replace("yes yes", "yes true"), "'true'"),
            (&xml.replace("</T>", "<j>no way</j></T>"), "'no way'"),
            (&xml.replace("</T>", "<k>0</k></T>"), "'0'"),
        ],
    );
    assert_eq!(
        again(&types, &xml.replace("</T>", "<j>yes</j><k>1</k></T>")),
        xml.replace("</T>", "<j>yes</j><k>true</k></T>")
    );
}

/// X.693 clause 32: the components of an UNTAGGED SET are among those around it, in any order.
#[test]
fn an_untagged_set_is_in_any_order() {
    let types = module(
        "T ::= SEQUENCE { before INTEGER, s [UNTAGGED] S, after BOOLEAN, k CHOICE { x [UNTAGGED] S2, y NULL } OPTIONAL }
         S ::= SET { a INTEGER, b UTF8String OPTIONAL, c NULL } S2 ::= SET { d INTEGER DEFAULT 5, e SEQUENCE OF INTEGER }
         L ::= SEQUENCE OF [UNTAGGED] SET { p INTEGER, q INTEGER }
         E ::= SEQUENCE { s [UNTAGGED] SET { v INTEGER OPTIONAL, w INTEGER OPTIONAL }, z NULL }",
        "",
    )
    .unwrap();
    let xml = |inside: &str| format!("<T><before>1</before>{inside}<after>true</after></T>");
    holds(&types, &xml("<a>2</a><b>x</b><c/>"), "{ before 1, s { a 2, b \"x\", c NULL }, after TRUE }");
    for inside in ["<c/><a>2</a><b>x</b>", "<b>x</b><c/><a>2</a>", "<c/><b>x</b><a>2</a>", "<a>2</a><c/><b>x</b>"] {
        assert_eq!(again(&types, &xml(inside)), xml("<a>2</a><b>x</b><c/>"));
    }
    assert_eq!(again(&types, &xml("<c/><a>2</a>")), xml("<a>2</a><c/>"));
    let with = |inside: &str| xml("<a>2</a><c/>").replace("</T>", &format!("<k>{inside}</k></T>"));
    assert_eq!(
        again(&types, &with("<e><INTEGER>1</INTEGER></e><d>3</d>")),
        with("<d>3</d><e><INTEGER>1</INTEGER></e>")
    );
    for inside in ["<e/>", "<y/>"] {
        assert_eq!(again(&types, &with(inside)), with(inside));
    }
    let list = "<L><p>1</p><q>2</q><q>3</q><p>4</p><p>5</p><q>6</q></L>";
    assert_eq!(again(&types, list), "<L><p>1</p><q>2</q><p>4</p><q>3</q><p>5</p><q>6</q></L>");
    for inside in ["", "<v>1</v>", "<w>2</w>", "<v>1</v><w>2</w>"] {
        holds_any(&types, &format!("<E>{inside}<z/></E>"));
    }
    refuses(
        &types,
        &[
            (&xml("<a>2</a>"), "after"),
            (&xml("<c/>"), "after"),
            (&xml("<a>2</a><c/><a>3</a>"), "<a>"),
            (&xml("<a>2</a><b>x</b><c/><b>y</b>"), "<b>"),
            (&xml("<a>2</a><x/><c/>"), "<x>"),
            ("<L><p>1</p></L>", "<q>"),
            ("<L><p>1</p><p>2</p><q>1</q></L>", "<p>"),
            ("<E><v>1</v><v>2</v><z/></E>", "<v>"),
        ],
    );
    for (set, words) in [
        ("{ a NULL, b NULL, c NULL, d NULL, e NULL, f NULL, g NULL }", "UNTAGGED SET of more components"),
        ("{ a [UNTAGGED] CHOICE { b NULL }, c NULL }", "what is no element, in any order"),
    ] {
        let error = module(&format!("T ::= SEQUENCE {{ s [UNTAGGED] SET {set} }}"), "").map(|_| ()).unwrap_err();
        assert!(error.to_string().contains(words) && error.to_string().contains("line 1"), "{set}: {error}");
    }
    let six =
        module("T ::= SEQUENCE { s [UNTAGGED] SET { a NULL, b NULL, c NULL, d NULL, e NULL, f NULL OPTIONAL } }", "")
            .unwrap();
    assert_eq!(again(&six, "<T><e/><d/><f/><c/><a/><b/></T>"), "<T><a/><b/><c/><d/><e/><f/></T>");
    assert_eq!(again(&six, "<T><e/><d/><c/><a/><b/></T>"), "<T><a/><b/><c/><d/><e/></T>");
    refuses(&six, &[("<T><e/><d/><f/><c/><a/></T>", "<b>")]);
}

/// That a value is written as it was read, also after it was a message.
fn holds_any(types: &xer::Types, xml: &str) {
    let shown = value(types, xml);
    assert!(!shown.starts_with("error"), "{xml}: {shown}");
    holds(types, xml, &shown);
}

/// X.693 clause 33.2.1: what `xsi:nil` leaves out is characters, or a SEQUENCE, SET, CHOICE, SEQUENCE OF, SET OF or an open type.
#[test]
fn what_nil_leaves_out_is_of_any_kind() {
    let xsi = " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:nil=\"true\"";
    for (kind, values) in [
        ("INTEGER", &["7"][..]),
        ("SEQUENCE { a INTEGER, b NULL OPTIONAL }", &["<a>1</a>", "<a>1</a><b/>"]),
        ("SET { a INTEGER, b NULL OPTIONAL }", &["<a>1</a>", "<a>1</a><b/>"]),
        ("CHOICE { a INTEGER, b [UNTAGGED] SEQUENCE { c NULL, d NULL } }", &["<a>1</a>", "<c/><d/>"]),
        ("SEQUENCE OF INTEGER", &["", "<INTEGER>1</INTEGER><INTEGER>2</INTEGER>"]),
        ("SET OF x INTEGER", &["", "<x>1</x>"]),
        ("SEQUENCE OF CHOICE { a INTEGER, b NULL }", &["", "<a>1</a><b/><a>2</a>"]),
        ("C.&Type ({Set}{@.id})", &["<Word>w</Word>"]),
    ] {
        let types = module(
            &format!(
                "C ::= CLASS {{ &id INTEGER UNIQUE, &Type }} WITH SYNTAX {{ &id &Type }} Word ::= UTF8String
                 Set C ::= {{ {{ 1 Word }} | {{ 2 NULL }} }}
                 T ::= SEQUENCE {{ n [USE-NIL] SEQUENCE {{ id [ATTRIBUTE] C.&id ({{Set}}), content {kind} OPTIONAL }}, z NULL }}"
            ),
            "",
        )
        .unwrap_or_else(|error| panic!("{error}\n{kind}"));
        for value in values {
            let n = if value.is_empty() { "<n id=\"1\"/>".to_owned() } else { format!("<n id=\"1\">{value}</n>") };
            holds_any(&types, &format!("<T>{n}<z/></T>"));
        }
        let nil = again(&types, &format!("<T><n id=\"1\"{xsi}/><z/></T>"));
        assert!(nil.contains("xsi:nil=\"true\"/><z/>"), "{kind}: {nil}");
        assert_eq!(again(&types, &nil), nil);
        refuses(&types, &[(&format!("<T><n id=\"1\"{xsi}>7</n><z/></T>"), "")]);
    }
    let refused = "T ::= SEQUENCE { n [USE-NIL] SEQUENCE { content OCTET STRING (CONTAINING NULL) OPTIONAL } }";
    let error = module(refused, "").map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("USE-NIL of a string that contains a value"), "{error}");
}

/// X.693 clauses 20, 26 and 38 ask for types whose values are characters. Actual parameters may be such types; open types, and strings
/// that contain values, are elements.
#[test]
fn parameters_may_be_attributes_items_of_lists_and_members_of_unions() {
    let types = module(
        "P {X, Y} ::= SEQUENCE { a [ATTRIBUTE] X OPTIONAL, l [LIST] SEQUENCE OF Y, u [USE-UNION] CHOICE { x X, y Y }, v [UNTAGGED] S {X} }
         S {X} ::= SEQUENCE { w X } T ::= P {INTEGER (0..99), E} E ::= ENUMERATED { red, green }
         U ::= P {BOOLEAN, Bits} Bits ::= BIT STRING { on(0), off(1) }",
        "TEXT Bits",
    )
    .unwrap();
    let xml = "<T a=\"5\"><l>red green</l><u>7</u><w>99</w></T>";
    holds(&types, xml, "{ a 5, l { red, green }, u x : 7, v { w 99 } }");
    holds_any(&types, "<T><l/><u>green</u><w>0</w></T>");
    holds_any(&types, "<U a=\"true\"><l>on off</l><u>on</u><w>false</w></U>");
    refuses(&types, &[(&xml.replace("a=\"5\"", "a=\"100\""), "100"), (&xml.replace("red", "blue"), "blue")]);
    for (component, words) in [
        ("a [ATTRIBUTE] C.&Type", "found an open type, expected a type whose values are characters"),
        ("a [USE-UNION] CHOICE { b C.&Type }", "found an open type"),
        ("a [LIST] SEQUENCE OF OCTET STRING (CONTAINING NULL)", "found a string that contains a value"),
        ("a [ATTRIBUTE] SEQUENCE { b NULL }", "found SEQUENCE"),
        ("a [ATTRIBUTE] CHOICE { b NULL }", "found CHOICE"),
    ] {
        let parameterized = format!("T ::= P {{INTEGER}} P {{X}} ::= SEQUENCE {{ {component} }} C ::= TYPE-IDENTIFIER");
        let error = module(&parameterized, "").map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(words) && error.contains("line 1"), "{component}: {error}");
    }
}

/// A module without `MODIFIED-ENCODINGS`.
fn plain(assignments: &str, control: &str) -> Result<xer::Types, tam::Error> {
    let text = format!(
        "M DEFINITIONS XER INSTRUCTIONS AUTOMATIC TAGS ::= BEGIN {assignments} ENCODING-CONTROL XER {control} END"
    );
    let (modules, compiled) = Compiled::from_sources(&[("", &text)], &tam::Limits::default()).unwrap();
    xer::Types::from_modules(modules, compiled.into())
}

/// Without `MODIFIED-ENCODINGS` values of BOOLEAN and ENUMERATED are empty elements, as in the format `xer`, and items of lists have no
/// element of their own (X.680 clauses 18.3, 20.8 and 26.5); `TEXT` and `USE-NUMBER` make them characters.
#[test]
fn words_are_empty_elements_without_modified_encodings() {
    let types = plain(
        "T ::= SEQUENCE { b BOOLEAN, e E, l SEQUENCE OF BOOLEAN, m SEQUENCE OF E, n SET OF on BOOLEAN, c C, u [UNTAGGED] E OPTIONAL,
           t F, r REAL, o [USE-NIL] SEQUENCE { content E OPTIONAL }, x [ATTRIBUTE] F OPTIONAL, k [LIST] SEQUENCE OF F OPTIONAL }
         E ::= ENUMERATED { red, green(7), ..., blue } C ::= CHOICE { e E, b BOOLEAN, l SEQUENCE OF E }
         F ::= [TEXT ALL AS CAPITALIZED] ENUMERATED { one, two } S ::= SET OF [UNTAGGED] BOOLEAN",
        "NAMESPACE ALL AS \"urn:t\" PREFIX \"t\"",
    )
    .unwrap();
    let xml = "<t:T xmlns:t=\"urn:t\" x=\"One\"><b><true/></b><e><green/></e><l><true/><false/></l><m><red/><blue/></m>\
               <n><on><false/></on></n><c><b><false/></b></c><red/><t>Two</t><r>1.5</r><o><blue/></o><k>One Two</k></t:T>";
    holds_any(&types, xml);
    for (from, to) in [
        ("<l><true/><false/></l>", "<l/>"),
        ("<c><b><false/></b></c>", "<c><e><red/></e></c>"),
        ("<c><b><false/></b></c>", "<c><l><green/><green/></l></c>"),
        ("</c><red/>", "</c>"),
        ("<r>1.5</r>", "<r>-1E30</r>"),
    ] {
        assert!(xml.contains(from));
        holds_any(&types, &xml.replace(from, to));
    }
    holds_any(&types, "<t:S xmlns:t=\"urn:t\"><true/><true/></t:S>");
    for (from, to, words) in [
        ("<b><true/></b>", "<b>true</b>", "true"),
        ("<b><true/></b>", "<b/>", "<true>"),
        ("<b><true/></b>", "<b><true/><true/></b>", "<true>"),
        ("<b><true/></b>", "<b><yes/></b>", "<yes>"),
        ("<b><true/></b>", "<b><true>1</true></b>", "'1'"),
        ("<b><true/></b>", "<b><t:true/></b>", "true"),
        ("<e><green/></e>", "<e><yellow/></e>", "<yellow>"),
        ("<l><true/><false/></l>", "<l><BOOLEAN><true/></BOOLEAN></l>", "<BOOLEAN>"),
        ("<t>Two</t>", "<t><two/></t>", "<two>"),
        ("<t>Two</t>", "<t>two</t>", "'two'"),
        ("<r>1.5</r>", "<r>INF</r>", "'INF'"),
        ("<r>1.5</r>", "<r>NaN</r>", "'NaN'"),
        ("<red/><t>", "<red/><green/><t>", "<green>"),
    ] {
        assert!(xml.contains(from));
        refuses(&types, &[(&xml.replace(from, to), words)]);
    }
    let node = types.root("T").unwrap().node();
    let text = "{ b TRUE, e red, l {}, m {}, n {}, c b : TRUE, t one, r PLUS-INFINITY, o {} }";
    let mut values = Values::new();
    let infinite =
        notation::read_value(text, types.compiled(), Some(node), &tam::Limits::default(), &mut values).unwrap();
    let error = xer::write(infinite, &types).unwrap_err().to_string();
    assert!(error.contains("without MODIFIED-ENCODINGS"), "{error}");
    for (assignment, words) in [
        ("T ::= SEQUENCE { a [ATTRIBUTE] BOOLEAN }", "BOOLEAN without GLOBAL-DEFAULTS MODIFIED-ENCODINGS"),
        ("T ::= [LIST] SEQUENCE OF ENUMERATED { a }", "ENUMERATED without GLOBAL-DEFAULTS MODIFIED-ENCODINGS"),
        ("T ::= [USE-UNION] CHOICE { a BOOLEAN, b NULL }", "BOOLEAN without"),
        ("T ::= SEQUENCE { a [DEFAULT-FOR-EMPTY AS \"true\"] BOOLEAN }", "DEFAULT-FOR-EMPTY of what may be an element"),
    ] {
        let error = plain(assignment, "").map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(words) && error.contains("line 1"), "{assignment}: {error}");
    }
}

/// The same of names of bits and numbers (X.680 clauses 19.9 and 22.9: EmptyElementInteger, EmptyElementList). Bits are written so if
/// all that are set have a name.
#[test]
fn names_of_bits_and_numbers_are_empty_elements_without_modified_encodings() {
    let types = plain(
        "T ::= SEQUENCE { b Bits, n Count, l SEQUENCE OF Bits, a [ATTRIBUTE] Bits OPTIONAL, s Bits (SIZE (4..8)) OPTIONAL,
           r Count (0..5) OPTIONAL, t [TEXT] Bits OPTIONAL }
         Bits ::= BIT STRING { alpha(0), beta(2) } Count ::= INTEGER { one(1), two(2), ten(10) }",
        "NAMESPACE ALL AS \"urn:t\" PREFIX \"t\"",
    )
    .unwrap();
    let xml = |inside: &str| format!("<t:T xmlns:t=\"urn:t\">{inside}</t:T>");
    for (read, written) in [
        ("<b>101</b><n>7</n><l/>", "<b><alpha/><beta/></b><n>7</n><l/>"),
        ("<b><beta/><alpha/></b><n><two/></n><l/>", "<b><alpha/><beta/></b><n>2</n><l/>"),
        ("<b>\n <beta/> <beta></beta><!-- x --></b><n> <ten/> </n><l/>", "<b><beta/></b><n>10</n><l/>"),
        (
            "<b>0001</b><n> -5 </n><l><t:Bits><alpha/></t:Bits><t:Bits>1 0</t:Bits><t:Bits/></l>",
            "<b>0001</b><n>-5</n><l><t:Bits><alpha/></t:Bits><t:Bits><alpha/></t:Bits><t:Bits/></l>",
        ),
        ("<b/><n>1</n><l/><s>10000000</s><r><one/></r>", "<b/><n>1</n><l/><s><alpha/></s><r>1</r>"),
        ("<b/><n>1</n><l/><t>beta</t>", "<b/><n>1</n><l/><t>beta</t>"),
    ] {
        assert_eq!(again(&types, &xml(read)), xml(written));
        assert_eq!(again(&types, &xml(written)), xml(written));
        holds_any(&types, &again(&types, &back(&types, &xml(read), &Rules::der())));
    }
    let with = |b: &str, n: &str, more: &str| xml(&format!("<b>{b}</b><n>{n}</n><l/>{more}"));
    refuses(
        &types,
        &[
            (&with("<gamma/>", "1", ""), "<gamma>"),
            (&with("<alpha/>1", "1", ""), "'1' beside an element"),
            (&with("1<alpha/>", "1", ""), "'1' beside an element"),
            (&with("<alpha>1</alpha>", "1", ""), "'1'"),
            (&with("<t:alpha/>", "1", ""), "alpha"),
            (&with("alpha,", "1", ""), "'alpha,'"),
            (&with("1", "<one/><two/>", ""), "<two>"),
            (&with("1", "", ""), "''"),
            (&with("1", "+1", ""), "'+1'"),
            (&with("1", "-", ""), "'-'"),
            (&with("1", "<one/>", "<r><ten/></r>"), "expected 0 to 5 (T.r)"),
            (&with("1", "1", "<r>6</r>"), "found 6, expected 0 to 5 (T.r)"),
            (&with("1", "1", "<s>1</s>"), "a size of 1"),
            (&with("1", "1", "<t><beta/></t>"), "<beta>"),
        ],
    );
}

/// A module without modified encodings that imports from one with them: each type has the encoding of its module.
#[test]
fn encodings_are_those_of_the_module_of_a_type() {
    let text = "M DEFINITIONS XER INSTRUCTIONS AUTOMATIC TAGS ::= BEGIN IMPORTS B FROM N; T ::= SEQUENCE { own BOOLEAN, other B } END
        N DEFINITIONS XER INSTRUCTIONS AUTOMATIC TAGS ::= BEGIN B ::= BOOLEAN ENCODING-CONTROL XER GLOBAL-DEFAULTS MODIFIED-ENCODINGS END";
    let (modules, compiled) = Compiled::from_sources(&[("", text)], &tam::Limits::default()).unwrap();
    let types = xer::Types::from_modules(modules, compiled.into()).unwrap();
    holds_any(&types, "<T><own><true/></own><other>true</other></T>");
    holds_any(&types, "<B>false</B>");
}

/// Types that hold themselves, nothing, or much.
#[test]
fn types_within_themselves_end_or_are_refused() {
    let types = plain(
        "T ::= SEQUENCE { s [UNTAGGED] S, b BOOLEAN } S ::= SET { t T OPTIONAL, n INTEGER }
         N ::= [USE-NIL] SEQUENCE { content C OPTIONAL } C ::= CHOICE { n N, l SEQUENCE OF C, e E } E ::= ENUMERATED { x }
         V ::= SEQUENCE { s [UNTAGGED] SET {}, l SEQUENCE OF [UNTAGGED] E, n [USE-NIL] SEQUENCE { content SET {} OPTIONAL } }",
        "",
    )
    .unwrap();
    let mut xml = "<n>0</n><b><true/></b>".to_owned();
    for _ in 0..200 {
        xml = format!("<t>{xml}</t><n>1</n><b><false/></b>");
    }
    holds_any(&types, &format!("<T>{xml}</T>"));
    let xml = "<N><l><n><e><x/></e></n><e><x/></e><l><n><l/></n></l></l></N>";
    holds_any(&types, xml);
    for xml in ["<V><l/><n/></V>", "<V><l><x/><x/></l><n/></V>"] {
        holds_any(&types, xml);
    }
    // After both components the next element is another one.
    let types = plain("T ::= SEQUENCE { s [UNTAGGED] SET { a BOOLEAN, b NULL }, a BOOLEAN }", "").unwrap();
    holds_any(&types, "<T><a><true/></a><b/><a><false/></a></T>");
    assert_eq!(again(&types, "<T><b/><a><true/></a><a><false/></a></T>"), "<T><a><true/></a><b/><a><false/></a></T>");
    refuses(&types, &[("<T><a><true/></a><a><false/></a><b/></T>", "<a>")]);
    for (assignments, words) in [
        ("T ::= SEQUENCE { s [UNTAGGED] S } S ::= SET { s [UNTAGGED] S }", "what is no element, in any order"),
        ("T ::= SEQUENCE { c [UNTAGGED] C } C ::= CHOICE { c [UNTAGGED] C, n NULL }", ""),
        ("T ::= [USE-NIL] SEQUENCE { content C OPTIONAL } C ::= SEQUENCE OF [UNTAGGED] C", ""),
        ("T ::= [USE-NIL] SEQUENCE { content C OPTIONAL } C ::= CHOICE { c [UNTAGGED] C }", ""),
        ("T ::= SEQUENCE { s [UNTAGGED] SET { a NULL, b NULL OPTIONAL }, b NULL }", ""),
    ] {
        let error = plain(assignments, "").map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(words) && error.len() < 1000, "{assignments}: {error}");
    }
}
