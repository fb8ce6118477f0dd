//! Options by their names do what the options themselves do, and are refused where they would do nothing.

use lengthwise::{
    Base64, EmptyTags, ErrorKind, Format, Lengths, LineEnds, Options, Schema, Setting, Settings, Strings, Types,
    convert, tam,
};

/// Names with values, a message, its format, the one that it is written in, and the options that are meant.
type Case<'c> = (&'c [(&'c str, &'c str)], &'c [u8], Format, Format, Options<'c>);

/// What a message becomes by options with names.
fn by_name(given: &[(&str, &str)], message: &[u8], from: Format, to: Format) -> Vec<u8> {
    let mut settings = Settings::default();
    for (name, value) in given {
        settings.set(name, value).unwrap();
    }
    convert(message, from, to, &settings.options(Some(from), Some(to)).unwrap()).unwrap()
}

#[test]
fn a_name_is_the_option() {
    let own = tam::TypeSet::from_text("structured ( object\nstructured < array\nprimitive : string").unwrap();
    let text = "structured ( object\nstructured < array\nprimitive : string";
    let (none, xml) = (Options::default(), b"<b c='1' a='2'><!-- x --><d/>\xC3\xA9</b>");
    let json = br#"{"k":["Zm9vYmFyMTIzNDU2Nw=="],"a":"\u00e9"}"#;
    let cases: &[Case<'_>] = &[
        (&[("pretty", "true")], json, Format::Json, Format::Json, none.with_pretty(true)),
        (&[("lengths", "chars")], xml, Format::Xml, Format::Tsf, none.with_output_lengths(Lengths::Chars)),
        (
            &[("lengths", "chars")],
            "1a<1[é".as_bytes(),
            Format::Tsf,
            Format::Xml,
            none.with_input_lengths(Lengths::Chars),
        ),
        (
            &[("lengths", "bytes"), ("from-lengths", "chars")],
            "1a<1[é".as_bytes(),
            Format::Tsf,
            Format::Tsf,
            none.with_input_lengths(Lengths::Chars),
        ),
        (&[("types", "value")], json, Format::Json, Format::Tsf, none.with_output_types(Types::Value)),
        (&[("types", text)], json, Format::Json, Format::Tsf, none.with_output_types(Types::Own(&own))),
        (&[("types", text)], b"1(1a:x", Format::Tsf, Format::Json, none.with_input_types(Types::Own(&own))),
        (
            &[("from-types", text), ("types", "value")],
            b"1(1a:x",
            Format::Tsf,
            Format::Tsf,
            none.with_input_types(Types::Own(&own)).with_output_types(Types::Value),
        ),
        (&[("sort-attributes", "true")], xml, Format::Xml, Format::Tsf, none.with_sorted_attributes(true)),
        (
            &[("binary-from-base64", "true")],
            json,
            Format::Json,
            Format::Pon,
            none.with_binary_from_base64(Base64::Likely),
        ),
        (
            &[("binary-from-base64", "x,k")],
            json,
            Format::Json,
            Format::Pon,
            none.with_binary_from_base64(Base64::Members(&["x", "k"])),
        ),
        (&[("plain-xml", "true")], b"<a:b/>", Format::Xml, Format::Xml, none.with_plain_xml(true)),
        (
            &[("keep-entity-references", "true")],
            b"<!DOCTYPE a [<!ENTITY e SYSTEM 'e'>]><a>&e;</a>",
            Format::Xml,
            Format::InfosetBer,
            none.with_entity_references(true),
        ),
        (&[("number-items", "true")], json, Format::Json, Format::Xml, none.with_numbered_items(true)),
        (&[("empty-tags", "pair")], xml, Format::Xml, Format::Xml, none.with_empty_tags(EmptyTags::Pair)),
        (&[("line-ends", "crlf")], b"<a>\n</a>", Format::Xml, Format::Xml, none.with_line_ends(LineEnds::CrLf)),
        (&[("strings", "zstd")], xml, Format::Xml, Format::InfosetUper, none.with_strings(Strings::Zstd)),
        (
            &[("strings", "deflate"), ("strings-from", "2")],
            xml,
            Format::Xml,
            Format::InfosetUper,
            none.with_strings(Strings::Deflate).with_strings_from(2),
        ),
        (&[("paper", "true")], xml, Format::Xml, Format::InfosetUper, none.with_paper(true)),
        (
            &[("drop-mixed", "true"), ("scheme", "grouped")],
            xml,
            Format::Xml,
            Format::Tdxml,
            none.with_tables(
                lengthwise::tdxml::Options::default()
                    .with_drop_mixed(true)
                    .with_scheme(lengthwise::tdxml::Scheme::Grouped),
            ),
        ),
    ];
    for (given, message, from, to, options) in cases {
        let expected = convert(message, *from, *to, options).unwrap();
        assert_eq!(by_name(given, message, *from, *to), expected, "{given:?}");
        // Each case shows its options.
        let plain = convert(message, *from, *to, &Options::default()).ok();
        assert_ne!(plain.as_ref(), Some(&expected), "{given:?}");
    }
}

#[test]
fn an_option_without_effect_is_refused() {
    let modules = [("m.asn1", "M DEFINITIONS ::= BEGIN A ::= SEQUENCE { a BOOLEAN } END")];
    let schema = Schema::from_notation(&modules, &tam::Limits::DEFAULT).unwrap();
    let (mut taken, mut refused) = (0, 0);
    for setting in Setting::ALL {
        let values = ["true", "bytes", "value", "single", "lf", "none", "1", "grouped", "mime"];
        let taken_value = |value: &&str| Settings::default().set(setting.name(), value).is_ok();
        let value = values.into_iter().find(taken_value).unwrap();
        let formats = || Format::ALL.iter().copied().map(Some).chain([None]);
        for (from, to) in formats().flat_map(|from| formats().map(move |to| (from, to))) {
            let mut settings = Settings::default();
            settings.set_schema(&schema);
            settings.set(setting.name(), value).unwrap();
            let applies = setting.applies(from, to, false);
            match settings.options(from, to) {
                Ok(_) => taken += usize::from(applies),
                Err(error) => {
                    assert!(!applies, "{}: {from:?} {to:?}", setting.name());
                    assert_eq!(
                        (error.kind(), error.expected().to_string().as_str()),
                        (ErrorKind::Unsupported, setting.purpose())
                    );
                    refused += 1;
                }
            }
            // What is not asked for is refused nowhere.
            if settings.set(setting.name(), "false").is_ok() {
                settings.options(from, to).unwrap();
            }
        }
    }
    assert!(taken > 500 && refused > 2_000, "{taken} {refused}");
    assert_eq!(Setting::from_name("paper").map(Setting::purpose), Some("writing an infoset"));
}

#[test]
fn names_and_values_that_there_are_not_are_refused() {
    for (name, value, expected) in [
        ("prety", "true", "found the option 'prety', expected an option that this build has"),
        ("pretty", "yes", "found 'yes' for the option 'pretty', expected true or false"),
        ("lengths", "bits", "found 'bits' for the option 'lengths', expected bytes or chars"),
        ("types", "asn1", "found 'asn1' for the option 'types', expected xml, json, value or the text of a type set"),
        ("types", "structured ( list", "found 'list', expected a meaning (object"),
        ("limit.depth", "-1", "found '-1' for the option 'limit.depth', expected a number below 4294967296"),
        ("limit.patience", "1", "found the option 'limit.patience', expected an option that this build has"),
        ("limits", "none", "found 'none' for the option 'limits', expected untrusted or default"),
        ("binary-from-base64", "a,,b", "expected true, false, or names of members with commas between them"),
        ("strings-from", "x", "found 'x' for the option 'strings-from', expected a number of bytes"),
    ] {
        let error = Settings::default().set(name, value).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    // The last value counts, and one that is refused changes nothing.
    let mut settings = Settings::default();
    for (value, expected) in
        [("a,b", Base64::Members(&["a", "b"])), ("true", Base64::Likely), ("c", Base64::Members(&["c"]))]
    {
        settings.set("binary-from-base64", value).unwrap();
        settings.set("binary-from-base64", "a,,b").unwrap_err();
        assert_eq!(settings.options(None, Some(Format::Pon)).unwrap().binary_from_base64, expected);
    }
    settings.set("binary-from-base64", "false").unwrap();
    assert_eq!(settings.options(None, Some(Format::Pon)).unwrap().binary_from_base64, Base64::Keep);
    settings.options(Some(Format::Xml), Some(Format::Json)).unwrap();
    let mut settings = Settings::default();
    settings.set_limits(tam::Limits::NONE);
    settings.set("limits", "untrusted").unwrap();
    settings.set("limit.depth", "7").unwrap();
    let options = settings.options(None, None).unwrap();
    assert_eq!(options.limits, tam::Limits { depth: 7, ..tam::Limits::UNTRUSTED });
}
