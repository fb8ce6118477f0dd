//! Other people's JSON: JSONTestSuite (Nicolas Seriot) and two well-known files.

use std::collections::BTreeMap;
use std::fs;

use crate::json_support::{BOTH, data, python_disagrees, rewritten, unlimited};
use tam::{ErrorKind, Table};
use text::json::{self, Types};

/// The files of JSONTestSuite whose names start so.
fn suite(prefix: &str) -> Option<BTreeMap<String, Vec<u8>>> {
    let directory = data("conformance/JSONTestSuite")?;
    let files = fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("an entry"));
    let named = files.map(|file| (file.file_name().into_string().expect("UTF-8"), file.path()));
    let chosen = named.filter(|(name, _)| name.starts_with(prefix));
    Some(chosen.map(|(name, path)| (name, fs::read(path).expect("a file"))).collect())
}

/// Fails where Python sees another JSON value in what we write than in what we read.
fn lossless(texts: &BTreeMap<String, Vec<u8>>) {
    for types in BOTH {
        let pairs: Vec<_> = texts
            .iter()
            .map(|(name, text)| (text.clone(), Some(rewritten(text, types).unwrap_or_else(|e| panic!("{name}: {e}")))))
            .collect();
        if let Some(wrong) = python_disagrees(&pairs) {
            let names: Vec<_> = wrong.iter().filter_map(|&i| texts.keys().nth(i)).collect();
            assert!(names.is_empty(), "not the same in the set {types:?}: {names:?}");
        }
    }
}

#[test]
fn texts_the_suite_calls_valid_are_read_and_kept() {
    let Some(valid) = suite("y_") else { return };
    assert_eq!(valid.len(), 95);
    lossless(&valid);
}

#[test]
fn texts_the_suite_calls_invalid_are_refused() {
    let Some(invalid) = suite("n_") else { return };
    assert_eq!(invalid.len(), 188);
    for types in BOTH {
        for (name, text) in &invalid {
            let refused = json::read(text, &unlimited().with_types(types), &mut Table::new()).map(|_| ());
            let error = refused.expect_err(name);
            assert!(matches!(error.kind(), ErrorKind::Syntax | ErrorKind::Incomplete), "{name}: {error}");
        }
    }
}

/// What RFC 8259 leaves open, and what we do.
#[test]
fn texts_the_suite_leaves_open_are_decided_so() {
    // Numbers of any size: their text is kept.
    const NUMBERS: [&str; 10] = [
        "number_double_huge_neg_exp",
        "number_huge_exp",
        "number_neg_int_huge_exp",
        "number_pos_double_huge_exp",
        "number_real_neg_overflow",
        "number_real_pos_overflow",
        "number_real_underflow",
        "number_too_big_neg_int",
        "number_too_big_pos_int",
        "number_very_big_negative_int",
    ];
    // Nesting within the limit, and a byte order mark.
    const STRUCTURES: [&str; 2] = ["structure_500_nested_arrays", "structure_UTF-8_BOM_empty_object"];
    // Half a surrogate pair is no character.
    const SURROGATES: [&str; 10] = [
        "object_key_lone_2nd_surrogate",
        "string_1st_surrogate_but_2nd_missing",
        "string_1st_valid_surrogate_2nd_invalid",
        "string_incomplete_surrogate_and_escape_valid",
        "string_incomplete_surrogate_pair",
        "string_incomplete_surrogates_escape_valid",
        "string_invalid_lonely_surrogate",
        "string_invalid_surrogate",
        "string_inverted_surrogates_U+1D11E",
        "string_lone_second_surrogate",
    ];
    // Text that is not UTF-8.
    const ENCODINGS: [&str; 13] = [
        "string_UTF-16LE_with_BOM",
        "string_UTF-8_invalid_sequence",
        "string_UTF8_surrogate_U+D800",
        "string_invalid_utf-8",
        "string_iso_latin_1",
        "string_lone_utf8_continuation_byte",
        "string_not_in_unicode_range",
        "string_overlong_sequence_2_bytes",
        "string_overlong_sequence_6_bytes",
        "string_overlong_sequence_6_bytes_null",
        "string_truncated-utf-8",
        "string_utf16BE_no_BOM",
        "string_utf16LE_no_BOM",
    ];
    let Some(open) = suite("i_") else { return };
    assert_eq!(open.len(), 35);
    let mut accepted = BTreeMap::new();
    for (name, text) in &open {
        let short = name.trim_start_matches("i_").trim_end_matches(".json");
        let read = BOTH.map(|types| rewritten(text, types).map(|_| ()).map_err(|error| error.kind()));
        let expected = if NUMBERS.contains(&short) || STRUCTURES.contains(&short) {
            accepted.insert(name.clone(), text.clone());
            Ok(())
        } else {
            assert!(SURROGATES.contains(&short) || ENCODINGS.contains(&short), "{name} has no decision");
            Err(ErrorKind::Syntax)
        };
        assert_eq!(read, [expected; 2], "{name}");
    }
    assert_eq!(accepted.len(), 12);
    lossless(&accepted);
}

#[test]
fn files_from_the_wild_are_kept() {
    let mut texts = BTreeMap::new();
    for name in ["twitter.json", "citm_catalog.json"] {
        let Some(path) = data(&format!("json/{name}")) else { return };
        texts.insert(name.to_owned(), fs::read(path).expect("a file"));
    }
    lossless(&texts);
    // Both were written by a printer with two spaces a level.
    let twitter = &texts["twitter.json"];
    let options = json::Options::default().with_types(Types::Json).with_pretty(true);
    let mut table = Table::new();
    let out = json::write(&json::read(twitter, &options, &mut table).unwrap(), &options).unwrap();
    assert_eq!(out.trim_ascii_end(), twitter.trim_ascii_end());
}
