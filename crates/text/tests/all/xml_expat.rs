//! The reader compared with libexpat, which Python contains: the same documents are accepted, with the same events.

use crate::xml_support::{PLAIN, Random, events, events_of, python, suite};
use tam::{Error, ErrorKind};
use text::xml::{Memory, Reader};

/// What expat's events begin with if it skipped entities.
const SKIPPED: &str = "skipped";

/// Where the two may differ, and why.
fn is_excused(text: &[u8], ours: &Result<String, Error>, theirs: &str) -> bool {
    match ours {
        // In an attribute value we refuse an entity that may be declared elsewhere; expat leaves it out silently. Python
        // supports more encodings.
        Err(error) if error.kind() == ErrorKind::Unsupported => {
            let found = error.found().to_string();
            found.ends_with("an undeclared entity") || found.starts_with("the encoding")
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

/// Compares what both say of each text, read without namespaces; the number that both accept, that both refuse, and that have
/// references which we keep and expat skips.
fn compare(texts: &[(String, Vec<u8>)]) -> Option<[usize; 3]> {
    let inputs: Vec<_> = texts.iter().map(|(_, text)| text).collect();
    let answers = python("expat_events.py", &inputs)?;
    let (mut accepted, mut refused, mut kept, mut excused) = (0, 0, 0, 0);
    for ((name, text), theirs) in texts.iter().zip(&answers) {
        let mut ours = events(text, &PLAIN);
        let skipped = theirs.strip_prefix(SKIPPED);
        if skipped.is_some() {
            assert!(ours.is_err(), "{name}: {}", String::from_utf8_lossy(text));
            ours = events(text, &PLAIN.with_entity_references(true));
        }
        match &ours {
            Err(_) if theirs.starts_with("error: ") => refused += 1,
            Ok(ours) if Some(&**ours) == skipped => kept += 1,
            Ok(ours) if ours == theirs => accepted += 1,
            ours if is_excused(text, ours, theirs) => excused += 1,
            _ => panic!("{name}: {}\n  ours {ours:?}\n  theirs {theirs:?}", String::from_utf8_lossy(text)),
        }
    }
    eprintln!("of {}: accepted {accepted}, refused {refused}, references kept {kept}, excused {excused}", texts.len());
    Some([accepted, refused, kept])
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
    if let Some(counts @ [accepted, refused, _]) = compare(&texts) {
        assert!(accepted > test_support::rounds(500) && refused > test_support::rounds(500), "{counts:?}");
    }
}

#[test]
fn references_that_are_kept_are_those_that_expat_skips() {
    const DOCTYPES: [&str; 3] = [
        "<!DOCTYPE a [<!ENTITY k SYSTEM 'k'>",
        "<!DOCTYPE a SYSTEM 'd' [<!ENTITY k PUBLIC 'p' 'k'>",
        "<!DOCTYPE a [%r;<!ENTITY k SYSTEM 'k'>",
    ];
    let mut random = Random(4);
    let documents = std::iter::repeat_with(|| document(&mut Random(random.next())));
    let documents = documents.filter(|document| document.contains("<!DOCTYPE a [")).take(test_support::rounds(6_000));
    let mut random = Random(5);
    let texts: Vec<_> = documents
        .enumerate()
        .map(|(n, document)| {
            let in_entity = random.one_of(&["&k;", "x&k;", "<b>&k;</b>y", "&none;\r", "x"]);
            let doctype = format!("{}<!ENTITY in '{in_entity}'>", random.one_of(&DOCTYPES));
            let text = random.one_of(&["&k;", "x&k;y\r\nz&k;", "&in;", "x&in;&k;&#13;", "&in;&in;", "&none;"]);
            let document = document.replace("<!DOCTYPE a [", &doctype).replace("<a>", &format!("<a>{text}"));
            (n.to_string(), document.into_bytes())
        })
        .collect();
    if let Some(counts @ [_, _, kept]) = compare(&texts) {
        assert!(kept > test_support::rounds(2_000), "{counts:?}");
    }
}

/// What more there may be in the external subset.
const EXTERNAL: &[&str] = &[
    "<![INCLUDE[<!ENTITY e 'I'>]]>",
    "<![IGNORE[<!ENTITY e 'no'> <![ any > [ ]]> %none; ]]>",
    "<!ENTITY % on 'INCLUDE'>",
    "<!ENTITY % off 'IGNORE'>",
    "<![%on;[<!ATTLIST b x CDATA 'on'>]]>",
    "<![ %off; [<!ATTLIST b x CDATA 'off'>]]>",
    "<![%on; [ <![%off;[ <!ENTITY e 'x'> ]]> <!ATTLIST b in CDATA 'in'> ]]>",
    "<!ENTITY % type 'CDATA'>",
    "<!ATTLIST b k %type; 'k%type;'>",
    "<!ENTITY % both 'l NMTOKENS \" 1  2 \" m CDATA #IMPLIED'>",
    "<!ATTLIST a %both;>",
    "<!ATTLIST %name; n CDATA '&v;'>",
    "<!ENTITY % name 'b'>",
    "<!ENTITY % value '\"v\"&#38;#60;&#37;type;'>",
    "<!ENTITY v '%value;,%type;,&e;,&#37;'>",
    "<!ENTITY v \"<b>%value;</b>\">",
    "<!ENTITY % model 'a|b'>",
    "<!ELEMENT c (%model;)>",
    "<!ELEMENT c (#PCDATA|%model;)*>",
    "<!ENTITY g SYSTEM 'g'>",
    "<!ENTITY % h SYSTEM \"h\">",
    "%h;",
    "<!ENTITY % whole '<!ENTITY w \"%type;\">'>",
    "%whole;",
    "<!ENTITY % id 'SYSTEM \"g\"'>",
    "<!ENTITY g2 %id;>",
    "<!ENTITY % % 'x'>",
    "<!-- %none; -->",
    "<?i %none; ?>",
    "\r\n",
];

/// What they refer to.
const KNOWN: &str = "<!ENTITY % on 'INCLUDE'><!ENTITY % off 'IGNORE'><!ENTITY % type 'CDATA'><!ENTITY % name 'b'>\
    <!ENTITY % value '\"v\"&#38;#60;&#37;type;'><!ENTITY % model 'a|b'><!ENTITY % h SYSTEM 'h'>\
    <!ENTITY % both 'l NMTOKENS \" 1  2 \" m CDATA #IMPLIED'><!ENTITY % id 'SYSTEM \"g\"'>\
    <!ENTITY % i '<!ENTITY j \"&#38;e;\">'><!ENTITY % p '<!ENTITY e \"P\">'>\
    <!ENTITY % whole '<!ENTITY w \"&#37;type;\">'><!ENTITY e 'E'><!ENTITY v '&e;<b/>'><!ENTITY w 'W'><!ENTITY g 'G'>";

/// What most external subsets are spoilt by.
const BAD_EXTERNAL: &[&str] = &[
    "<![INCLUDE[",
    "]]>",
    "<![IGNORE[",
    "<![ALSO[]]>",
    "<![INCLUDE",
    "<!ELEMENT c (%type;",
    "<?xml version='1.0' encoding='UTF-8'?>",
    "%none;",
    "<!ATTLIST b k %none; 'k'>",
    "]",
    "x",
    "<!ENTITY % cut '<!ENTITY'>%cut; c 'c'>",
    "<!ENTITY v '%value'>",
    "<!ENTITY % loop '&#37;loop;'>%loop;",
    "<!ENTITY loop '%type;&loop;'>",
];

#[test]
fn expat_says_the_same_of_documents_with_an_external_subset() {
    let mut random = Random(3);
    let declarations = |random: &mut Random, most, also: &[&str], bad: &[&str]| {
        let mut out = String::new();
        for _ in 0..random.below(most) {
            let among = if random.below(40) == 0 { bad } else { [DECLARATIONS, also][random.below(2)] };
            out.push_str(random.one_of(among));
        }
        out
    };
    let prolog = ["", "", "", "<?xml encoding='UTF-8'?>", "<?xml version='1.0' encoding='UTF-8' ?>\n"];
    let mut texts = Vec::new();
    for n in 0..test_support::rounds(20_000) {
        let inner =
            declarations(&mut random, 4, &["<!ENTITY g SYSTEM 'g'>", "<!ENTITY % h SYSTEM 'h'>%h;"], BAD_DECLARATIONS);
        let known = if random.below(8) == 0 { "" } else { KNOWN };
        let subset = random.one_of(&prolog).to_owned() + &declarations(&mut random, 12, EXTERNAL, BAD_EXTERNAL);
        let part = random.one_of(&prolog).to_owned() + &declarations(&mut random, 6, EXTERNAL, BAD_EXTERNAL);
        let text =
            random.one_of(&prolog).to_owned() + random.one_of(&["", "text\r\n", "<b>&e;</b>"]) + random.one_of(PIECES);
        let content: String = (0..random.below(5))
            .map(|_| random.one_of(&["&g;", "&v;", "<b/>", "&e;", "&w;", "<b x='&v;'/>"]))
            .collect();
        let document = format!("<!DOCTYPE a SYSTEM 'd' [{inner}{known}]><a>{content}</a>");
        texts.push((n, [document, format!("d{subset}"), format!("g{text}"), format!("h{part}")]));
    }
    let inputs: Vec<_> = texts.iter().map(|(_, parts)| parts.join("\0file ")).collect();
    let Some(answers) = python("expat_events.py", &inputs) else { return };
    let (mut accepted, mut refused, mut excused) = (0, 0, 0);
    for (((n, [document, files @ ..]), theirs), input) in texts.iter().zip(&answers).zip(&inputs) {
        let source = files.iter().fold(Memory::new(), |source, file| source.with(&file[..1], &file[1..]));
        let ours = Reader::new(document.as_bytes(), &PLAIN).unwrap().with_entities(&source, None);
        let ours = events_of(ours);
        match &ours {
            Err(_) if theirs.starts_with("error: ") => refused += 1,
            Ok(ours) if ours == theirs => accepted += 1,
            // What is in a declaration must be known; expat leaves the declaration out.
            Err(error)
                if ["an undeclared parameter entity in", "an undeclared entity in"]
                    .iter()
                    .any(|found| error.found().to_string().contains(found)) =>
            {
                excused += 1;
            }
            ours if is_excused(input.as_bytes(), ours, theirs) => excused += 1,
            _ => panic!("{n}: {document}\n{files:#?}\n  ours {ours:?}\n  theirs {theirs:?}"),
        }
    }
    eprintln!("of {}, both accept {accepted} and refuse {refused}; {excused} excused", texts.len());
    assert!(accepted > texts.len() / 8 && refused > texts.len() / 8, "{accepted} {refused}");
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
