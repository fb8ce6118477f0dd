//! The reader compared with libexpat, which Python contains: the same documents are accepted, with the same events.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_text as text;

mod xml_support;

use tam::{Error, ErrorKind};
use xml_support::{PLAIN, Random, events, python, suite};

/// Where the two may differ, and why.
fn is_excused(text: &[u8], ours: &Result<String, Error>, theirs: &str) -> bool {
    match ours {
        // What needs an external entity we refuse; expat leaves it out, silently in attribute values. Python supports
        // more encodings.
        Err(error) if error.kind() == ErrorKind::Unsupported => {
            let found = error.found().to_string();
            theirs == "skipped" || found.ends_with("an undeclared entity") || found.starts_with("the encoding")
        }
        // After a parameter entity that it has not read, expat does not check values; and it accepts any version.
        Err(error) => {
            let expected = error.expected().to_string();
            let in_values =
                ["no parameter entity inside", "no '<' in an attribute value", "a character that XML allows", "';'"];
            expected.starts_with("a version number")
                || contains(text, b"%") && in_values.iter().any(|start| expected.starts_with(start))
        }
        // Expat has the names of the fourth edition, and takes the validity constraint "entity
        // declared" of parameter entities for one of well-formedness in a standalone document.
        Ok(ours) => {
            let standalone =
                theirs.starts_with("error: undefined entity") && contains(text, b"standalone") && contains(text, b"%");
            let names = theirs.starts_with("error: not well-formed") && !ours.is_ascii();
            standalone || names
        }
    }
}

fn contains(text: &[u8], piece: &[u8]) -> bool {
    text.windows(piece.len()).any(|window| window == piece)
}

/// Compares what both say of each text, read without namespaces; the number that both accept and that both refuse.
fn compare(texts: &[(String, Vec<u8>)]) -> Option<(usize, usize)> {
    let inputs: Vec<_> = texts.iter().map(|(_, text)| text).collect();
    let answers = python("expat_events.py", &inputs)?;
    let (mut accepted, mut refused, mut excused) = (0, 0, 0);
    for ((name, text), theirs) in texts.iter().zip(&answers) {
        let ours = events(text, &PLAIN);
        match &ours {
            Err(_) if theirs.starts_with("error: ") => refused += 1,
            Ok(ours) if ours == theirs => accepted += 1,
            ours if is_excused(text, ours, theirs) => excused += 1,
            _ => panic!("{name}: {}\n  ours {ours:?}\n  theirs {theirs:?}", String::from_utf8_lossy(text)),
        }
    }
    eprintln!("of {}, both accept {accepted} and refuse {refused}; {excused} excused", texts.len());
    Some((accepted, refused))
}

#[test]
fn expat_says_the_same_of_the_suite() {
    let Some(cases) = suite() else { return };
    let texts: Vec<_> =
        cases.iter().filter(|case| case.path.exists()).map(|case| (case.id.clone(), case.input())).collect();
    let _ = compare(&texts);
}

/// Pieces that documents are made of.
const PIECES: &[&str] = &[
    "<a/>",
    "<b x='1' y=\"2\"/>",
    "<a z=' &e; '/>",
    "text",
    " ",
    "\r\n",
    "\r",
    "&lt;",
    "&#65;",
    "&#x1F600;",
    "&e;",
    "&m;",
    "&#13;",
    "]]",
    ">",
    "<![CDATA[x<&]]>",
    "<![CDATA[]]>",
    "<!--c-->",
    "<?p d?>",
    "<?p?>",
    "'",
    "\"",
    "<b x='a\r\nb\tc'/>",
    "<b n=' 1  2 '/>",
    "&cr;",
    "<b\n/>",
    "<b x = '&#9;&amp;&#10;'\n></b\n>",
    "\u{e9}\u{4e2d}",
    "<b x='\u{1F600}'/>",
];

/// Pieces that most documents are spoilt by.
const FLAWS: &[&str] = &[
    "<a>",
    "</a>",
    "</b>",
    "<b x='1'>",
    "&u;",
    "&f;",
    "&p;",
    "&rec;",
    "]]>",
    "<!--c--d-->",
    "<?xml d?>",
    "&",
    "<",
    "<a x='1' x='2'/>",
    "<a x=1/>",
    "<b x='<'/>",
    "<b x='&f;'/>",
    "<b x='&u;'/>",
    "<b a='1'b='2'/>",
    "&#0;",
    "&#xD800;",
    "&#x;",
    "&e",
    "\u{1}",
    "<!DOCTYPE a>",
    "<![CDATA[",
    "<!--",
    "<?p",
    "<b x='",
    "< a/>",
    "</ a>",
    "<a/ >",
    "\u{FFFE}",
];

const PROLOGS: &[&str] =
    &["", "<?xml version='1.0'?>", "<?xml version='1.0' standalone='yes'?>\n", "<!--c--><?p d?>", "<!DOCTYPE a>"];

const DECLARATIONS: &[&str] = &[
    "<!ENTITY e 'E'>",
    "<!ENTITY m '<b>&#38;e;</b>x'>",
    "<!ENTITY f 'x<b>'>",
    "<!ENTITY % p '<!ENTITY e \"P\">'>",
    "%p;",
    " ",
    "<!ATTLIST b n NMTOKENS ' 7  8 ' x CDATA #IMPLIED>",
    "<!ATTLIST a d CDATA 'dflt'>",
    "<!ATTLIST a d CDATA 'other' o ID #REQUIRED>",
    "<!ATTLIST b x (1|2) '1'>",
    "<!ELEMENT a ANY>",
    "<!ELEMENT b (a,(b|c)*)>",
    "<!ELEMENT b (#PCDATA|a)*>",
    "<!ELEMENT b ((a?,b+)|(c)*)>",
    "<!NOTATION n PUBLIC 'p'>",
    "<!NOTATION n SYSTEM 's'>",
    "<!ENTITY u SYSTEM 'u' NDATA n>",
    "<!ENTITY p SYSTEM 's'>",
    "<!ENTITY cr '&#13;&#10;x\r\ny'>",
    "<!--d-->",
    "<?i j?>",
    "<!ENTITY % r SYSTEM 's'>",
    "<!ENTITY rec '&rec;'>",
    "<!ENTITY lt '&#38;#60;'>",
    "<!ATTLIST b q NOTATION (n|m) #IMPLIED>",
    "<!ATTLIST b n CDATA #FIXED ' f '>",
    "<!ATTLIST b y ID ' &e; '>",
    "<!ENTITY % i '<!ATTLIST b w CDATA \"&#37;\"><!ENTITY j \"&#38;e;\">'>",
    "%i;",
    "<!ENTITY e '&j;&amp;'>",
    "<!ATTLIST a>",
];

/// Declarations that most documents are spoilt by.
const BAD_DECLARATIONS: &[&str] = &[
    "%q;",
    "%r;",
    "<!ENTITY e '%p;'>",
    "<!ELEMENT b (#PCDATA|a)>",
    "<![INCLUDE[]]>",
    "<!ELEMENT b (a|b,c)>",
    "<!ENTITY e 'a' b>",
    "<!ATTLIST b x CDATA '<'>",
    "<!ATTLIST b x CDATA '&none;'>",
    "<!ELEMENT b>",
    "<!ENTITY % t '<!ENTITY'>",
    "%t;",
    "<!ENTITY e '&#0;'>",
    "<!NOTATION n PUBLIC '{'>",
    "<!ATTLIST b x CDATA>",
    "<!ATTLIST b x (1|2>",
    "<!ELEMENT b ()>",
    "<!--a--b-->",
    "<!ENTITY e '&x'>",
];

fn document(random: &mut Random) -> String {
    let mut out = random.one_of(PROLOGS).to_owned();
    if !out.contains("DOCTYPE") && random.below(2) == 0 {
        out.push_str("<!DOCTYPE a [");
        for _ in 0..random.below(8) {
            let among = if random.below(24) == 0 { BAD_DECLARATIONS } else { DECLARATIONS };
            out.push_str(random.one_of(among));
        }
        out.push_str("]>");
    }
    out.push_str("<a>");
    for _ in 0..random.below(8) {
        match random.below(4) {
            0 => {
                out.push_str("<b x='1'>");
                out.push_str(random.one_of(PIECES));
                out.push_str("</b>");
            }
            1 if random.below(10) == 0 => out.push_str(random.one_of(FLAWS)),
            _ => out.push_str(random.one_of(PIECES)),
        }
    }
    out.push_str("</a>");
    if random.below(8) == 0 {
        out.push_str(random.one_of(PIECES));
    }
    out
}

#[test]
fn expat_says_the_same_of_generated_documents() {
    let mut random = Random(1);
    let texts: Vec<_> =
        (0..test_support::rounds(6_000)).map(|n| (n.to_string(), document(&mut random).into_bytes())).collect();
    if let Some((accepted, refused)) = compare(&texts) {
        assert!(accepted > test_support::rounds(500) && refused > test_support::rounds(500), "{accepted} {refused}");
    }
}

#[test]
fn expat_says_the_same_of_spoilt_documents() {
    let Some(cases) = suite() else { return };
    let good: Vec<_> =
        cases.iter().filter(|case| case.kind != "not-wf" && case.path.exists()).map(|case| case.input()).collect();
    let good: Vec<_> = good.into_iter().filter(|text| text.is_ascii() && text.len() < 2_000).collect();
    let mut random = Random(2);
    let mut texts = Vec::new();
    for n in 0..test_support::rounds(4_000) {
        let mut text = good[random.below(good.len())].clone();
        for _ in 0..=random.below(2) {
            let at = random.below(text.len());
            match random.below(4) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, b"<>&;'\"=/!?-[]%# \n\rax1"[random.below(21)]),
                2 => text[at] = b"<>&;'\"=/!?-[]%# \n\rax1"[random.below(21)],
                _ => {
                    let end = (at + random.below(20)).min(text.len());
                    let piece = text[at..end].to_vec();
                    let to = random.below(text.len());
                    text.splice(to..to, piece);
                }
            }
            if text.is_empty() {
                text.push(b'x');
            }
        }
        texts.push((n.to_string(), text));
    }
    let _ = compare(&texts);
}
