//! EXTENDED-XER by modules that X.694 does not write: what X.693 allows beyond that.

use asn1::{Options as Rules, Values};
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
            (&with("1", "1", "<r>ten</r>"), "found ten, expected what the constraint of T.r allows"),
            (&with("1", "1", "<r>6</r>"), "found 6, expected what the constraint of T.r allows"),
            (&with("1", "1", "<s>u 1</s>"), "'u 1'"),
            (&with("1", "1", "<s>111</s>"), "a size of 3"),
        ],
    );
    for (control, words) in [
        ("TEXT Bits:alpha AS \"a b\"", "the text 'a b' of alpha"),
        ("TEXT Bits:alpha AS \"01\"", "the text '01' of alpha"),
        ("TEXT Bits:alpha AS \"beta\"", "the text 'beta' of beta"),
        ("TEXT Bits:alpha AS \"\"", "the text '' of alpha"),
        ("TEXT Flag:true AS \"yes\"", "in TEXT for a BOOLEAN"),
    ] {
        let error =
            module("Bits ::= BIT STRING { alpha(0), beta(2) } Flag ::= BOOLEAN", control).map(|_| ()).unwrap_err();
        assert!(error.to_string().contains(words) && error.to_string().contains("line 1"), "{control}: {error}");
    }
    // A text of any characters; a bit far away.
    let types =
        module("B ::= BIT STRING { a(0), b(70000), far(600000) }", "TEXT B TEXT B:a AS \"(a|.*[é])\\\"").unwrap();
    assert_eq!(again(&types, "<B>(a|.*[é])\\ b</B>"), "<B>(a|.*[é])\\ b</B>");
    refuses(&types, &[("<B>a</B>", "'a'"), ("<B>far</B>", "the name of a bit")]);
    assert!(value(&types, "<B>b</B>").starts_with("{ b }"));
}
