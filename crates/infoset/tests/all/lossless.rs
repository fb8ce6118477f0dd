//! Documents through every encoding rule and every compression are the same: all that they say, and
//! their Canonical XML as Python makes it.

use std::path::Path;
use std::process::Command;

use crate::support::{back, by_events, documents, message, pushed, said, shared, text, ways, xml};
use tam::Table;

/// Prints the number of pairs, how many Python could read, and then the name of each whose two halves
/// differ.
const JUDGE: &str = "
import os, sys
from xml.etree.ElementTree import canonicalize
folder = sys.argv[1]
names = sorted(name[:-2] for name in os.listdir(folder) if name.endswith('.a'))
read = lambda name: canonicalize(from_file=os.path.join(folder, name), with_comments=True)
judged, different = 0, []
for name in names:
    try:
        before = read(name + '.a')
    except Exception:
        continue
    judged += 1
    if before != read(name + '.b'):
        different.append(name)
print(len(names), judged, *different)
";

/// Sees that a document survives every way; its XML afterwards, if it is one.
fn survives(input: &[u8], name: &str) -> Option<Vec<u8>> {
    let mut table = Table::new();
    let document = xml(input, &mut table).ok()?;
    let expected = said(&document);
    let mut after: Option<Vec<u8>> = None;
    for options in ways() {
        let message = infoset::write(&document, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut table = Table::new();
        let read = infoset::read(&message, &options, &mut table).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(said(&read), expected, "{name} {options:?}");
        assert_eq!(by_events(&message, &options).unwrap(), expected, "{name} {options:?}");
        assert_eq!(pushed(&message, &options).unwrap(), expected, "{name} {options:?}");
        let (other, used) = infoset::read_prefix(&message, &options, &mut table).unwrap();
        assert_eq!(used, message.len());
        let written = text(&other).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(after.as_ref().is_none_or(|after| *after == written), "{name} {options:?}");
        after = Some(written);
    }
    after
}

fn judge(folder: &Path, count: usize) {
    let judged = Command::new("python3").args(["-c", JUDGE]).arg(folder).output();
    std::fs::remove_dir_all(folder).unwrap();
    let Ok(judged) = judged else {
        test_support::skipped("there is no python3");
        return;
    };
    let printed = String::from_utf8(judged.stdout).unwrap();
    let words: Vec<&str> = printed.split_whitespace().collect();
    let [all, read, different @ ..] = &words[..] else {
        panic!("{}", String::from_utf8_lossy(&judged.stderr));
    };
    assert_eq!(*all, count.to_string());
    assert!(different.is_empty(), "{different:?}");
    eprintln!("{count} documents, {read} of them compared under Canonical XML");
}

fn all_survive(folders: &[&str], label: &str) {
    let mut found = Vec::new();
    folders.iter().for_each(|folder| documents(&shared(folder), &mut found));
    if found.is_empty() {
        test_support::skipped("there is nothing in ../shared/data");
        return;
    }
    let pairs = std::env::temp_dir().join(format!("lengthwise-infoset-{label}-{}", std::process::id()));
    std::fs::create_dir_all(&pairs).unwrap();
    let mut count = 0;
    for (number, path) in found.iter().enumerate().step_by(test_support::stride(8)) {
        let input = std::fs::read(path).unwrap();
        let Some(after) = survives(&input, &path.to_string_lossy()) else { continue };
        std::fs::write(pairs.join(format!("{number}.a")), &input).unwrap();
        std::fs::write(pairs.join(format!("{number}.b")), after).unwrap();
        count += 1;
    }
    judge(&pairs, count);
}

#[test]
fn documents_beside_the_project_survive() {
    all_survive(&["tsf-paper", "xmls", "gpx", "kml", "ubl21", "uddi"], "documents");
}

#[test]
fn the_conformance_suite_survives() {
    all_survive(&["conformance/xmlconf"], "suite");
}

#[test]
fn everything_that_appendix_a_can_hold_survives() {
    for document in [
        "<a/>",
        "<a></a>",
        "<a>x</a>",
        "<a> </a>",
        "<a>\n<b/>\n</a>",
        "<a>1<b/>2<c>3</c>4</a>",
        "<a b='1' c=''/>",
        "<a b='1' xmlns:p='urn:p' p:c='2' xmlns='urn:d'><b/><p:c xmlns:p='urn:q' p:d=''/><p:e/></a>",
        "<p:a/>",
        "<p:a p:b='' b=''/>",
        "<a xmlns='urn:d'><b xmlns=''><c/></b></a>",
        "<a:b:c :d='1' e:='2'/>",
        "<a xml:lang='en' xml:space='preserve'/>",
        "<?p?><?q r s?><!--c--><a><?p?><?q r s?><!----><b/></a><!--d--><?t?>",
        "<!DOCTYPE a><a/>",
        "<!DOCTYPE  a ><a/>",
        "<!DOCTYPE b><a/>",
        "<!DOCTYPE b [<!NOTATION n SYSTEM \"n\">]><a/>",
        "<!DOCTYPE a SYSTEM 'a.dtd'><!--between--><a/>",
        "<!DOCTYPE a PUBLIC \"-//X//Y\" \"it's\"><a/>",
        "<!DOCTYPE a [<!ENTITY e 'x'><!ATTLIST a b CDATA 'd'><?p q?>]><a>&e;</a>",
        "<!DOCTYPE a [<!NOTATION n PUBLIC \"p\"><!ENTITY e SYSTEM \"s\" NDATA n><?p q?>]><a/>",
        "<!DOCTYPE a [<!NOTATION n SYSTEM \"n\"><!NOTATION m PUBLIC \"p\" \"s\">]><a/>",
        "<!DOCTYPE a [<?lengthwise-doctype b?>]><a/>",
        "<!DOCTYPE a [ <!-- ?> & &amp; --> ]><a/>",
        "<!DOCTYPE a [<!ENTITY e SYSTEM \"s\">]><a>&e;</a>",
        "<!DOCTYPE b SYSTEM 'd' [<!ENTITY e PUBLIC 'p' 's'>]><a>x&e;y<b>&e;</b>&none; &none;</a>",
        "<!DOCTYPE a [%p;<!ENTITY e SYSTEM 's'>]><a>&e;</a>",
        "<?xml version='1.0' standalone='yes'?><!DOCTYPE a [%p;<!ENTITY e SYSTEM 's'>]><a>&e;</a>",
        "<a>x<![CDATA[<y>]]>z</a>",
        "<a><![CDATA[]]></a>",
        "<a><![CDATA[ ]]> <b/></a>",
        "<a>\u{E9}\u{4E2D}\u{1F600}\u{85}</a>",
        "<\u{E9}l \u{4E2D}='\u{1F600}'/>",
        "<a>&#13;&#10;&#9;&lt;&amp;&gt;</a>",
    ] {
        survives(document.as_bytes(), document).unwrap();
    }
}

#[test]
fn indexes_and_lengths_of_every_width_survive() {
    // Names beyond 15, 127 and 32 767; strings beyond 2 047, 32 767 and 8 388 607 would be too many.
    for count in [1, 15, 16, 17, 127, 128, 129, 2_047, 2_048, 2_049, 33_000] {
        let mut document = String::from("<all>");
        for n in 0..count {
            document.push_str(&format!("<n{n}>t{n}</n{n}>"));
        }
        document.push_str("</all>");
        uncompressed_survives(&document, &count.to_string());
    }
}

#[test]
fn many_children_and_attributes_survive() {
    let counts = [3, 4, 5, 127, 128, 16_383, 16_384, 16_385, 65_536, 81_921];
    for count in counts.into_iter().step_by(test_support::stride(3)) {
        let attributes: String = (0..count.min(20_000)).map(|n| format!(" a{n}=''")).collect();
        for document in [
            format!("<a>{}</a>", "<b/>".repeat(count)),
            format!("<a>{}</a>", "<b c='1'>x</b>".repeat(count)),
            format!("<a><b{attributes}>x</b></a>"),
            format!("<!--x-->{}<a/>", "<?p?>".repeat(count.min(20_000))),
        ] {
            uncompressed_survives(&document, &count.to_string());
        }
    }
}

fn uncompressed_survives(document: &str, name: &str) {
    let mut table = Table::new();
    let read = xml(document.as_bytes(), &mut table).unwrap();
    let expected = said(&read);
    for rules in crate::support::RULES {
        let options = infoset::Options::of(rules);
        let message = infoset::write(&read, &options).unwrap();
        let mut table = Table::new();
        let again = infoset::read(&message, &options, &mut table).unwrap();
        assert!(said(&again) == expected, "{name} {rules:?}");
        assert!(by_events(&message, &options).unwrap() == expected, "{name} {rules:?}");
    }
}

#[test]
fn strings_of_every_length_survive() {
    let lens = [1, 7, 8, 127, 128, 16_382, 16_383, 16_384, 65_535, 65_536, 120_000];
    for len in lens.into_iter().step_by(test_support::stride(2)) {
        let text = "\u{E9}x\n".chars().cycle().take(len).collect::<String>();
        survives(format!("<a b='{}'>{text}</a>", "y".repeat(len)).as_bytes(), &len.to_string()).unwrap();
    }
}

#[test]
fn strings_in_several_blocks_survive() {
    let document: String = (0..2_500).map(|n| format!("<a b='{n}'>text {n}</a>")).collect();
    let document = format!("<all>{document}</all>");
    let mut table = Table::new();
    let expected = said(&xml(document.as_bytes(), &mut table).unwrap());
    for options in ways() {
        for bytes in [1_000, 5_000] {
            let options = options.with_block_bytes(bytes);
            let message = message(&document, &options);
            assert!(by_events(&message, &options).unwrap() == expected, "{options:?}");
            assert_eq!(back(&message, &options).unwrap().len(), document.len(), "{options:?}");
        }
    }
}
