//! Documents made up of everything that a message can hold.

use std::fmt::Write;

use infoset::{Options, Strings};
use test_support::Random;

use super::{RULES, STRINGS, shared_strings};

/// Any way to write, many blocks and few.
pub(crate) fn options(random: &mut Random) -> Options<'static> {
    let options = Options::of(random.of(&RULES)).with_strings(random.of(&STRINGS));
    // The slow one seldom.
    let options = if options.strings == Strings::Bzip2 && random.one_in(2) {
        options.with_strings(Strings::None)
    } else {
        options
    };
    let options =
        options.with_block_bytes(random.of(&[1, 10, 100, 1 << 20])).with_compress_from(random.of(&[0, 2, 20]));
    options.with_shared(random.one_in(2).then(shared_strings)).with_entity_references(true)
}

const NAMES: [&str; 8] = ["a", "b", "long-name_1.0", "\u{E9}l\u{E9}ment", "\u{4E2D}", "x", "lang", "_"];
const PREFIXES: [&str; 4] = ["p", "q", "soap-env", "\u{3C0}"];
const URIS: [&str; 4] = ["urn:a", "urn:b", "http://example.org/?a=1&amp;b=2", "x"];

/// Text, as XML has it.
fn text(random: &mut Random, out: &mut String) {
    const PIECES: [&str; 14] = [
        "text",
        " ",
        "\n\t",
        "&lt;",
        "&amp;",
        "&#13;",
        "&#9;",
        "]]&gt;",
        "\u{E9}",
        "\u{1F600}",
        "\u{FFFD}",
        "\u{85}",
        "1234567890",
        "--?>",
    ];
    if random.one_in(3) {
        // So many that not all have a short index.
        write!(out, "{}", random.below(4_000)).unwrap();
    }
    for _ in 0..random.below_or(3, 40, 6_000) {
        out.push_str(random.of(&PIECES));
    }
}

fn comment(random: &mut Random, out: &mut String) {
    let content = random.of(&["", "c", " & < > ", "-x", "\u{4E2D}\n", "?>", "]]>"]);
    write!(out, "<!--{content}-->").unwrap();
}

fn instruction(random: &mut Random, out: &mut String) {
    let target = random.of(&NAMES);
    let data = random.of(&["", "d", "a='b' < & -- ]]>", "\u{E9}  ", "?"]);
    let space = if data.is_empty() { "" } else { random.of(&[" ", "\n ", "\t"]) };
    write!(out, "<?{target}{space}{data}?>").unwrap();
}

fn beside(random: &mut Random, out: &mut String) {
    while random.one_in(3) {
        match random.below(3) {
            0 => comment(random, out),
            1 => instruction(random, out),
            _ => out.push('\n'),
        }
    }
}

/// Entities that are external, each with its declaration, and one that only an external subset can declare.
const EXTERNAL: [(&str, &str); 2] =
    [("ext", "<!ENTITY ext SYSTEM \"1.xml\">"), ("pub", "<!ENTITY pub PUBLIC \"-//X//Y\" \"it's\">")];
const OUTSIDE: &str = "none";

/// A DOCTYPE; the entities that content may refer to. Lengths decide of these, so that `random` is asked for nothing more.
fn doctype(random: &mut Random, root: &str, out: &mut String) -> Vec<&'static str> {
    let name = if random.one_in(4) { "other" } else { root };
    let id = random.of(&["", "", " SYSTEM 'a.dtd'", " PUBLIC \"-//X//Y\" \"it's\"", " SYSTEM 'q\"q'"]);
    write!(out, "<!DOCTYPE {name}{id}").unwrap();
    let mut entities = Vec::new();
    if !id.is_empty() {
        entities.push(OUTSIDE);
    }
    if random.one_in(3) {
        out.push('>');
        return entities;
    }
    out.push_str(random.of(&[" [", "[", " [\n"]));
    let declarations = [
        "<!NOTATION n SYSTEM \"n\">",
        "<!NOTATION m PUBLIC 'p'>",
        "<!ENTITY e SYSTEM \"e\" NDATA n>",
        "<!ENTITY f PUBLIC \"p\" \"f\" NDATA m>",
        "<!ENTITY g 'g'>",
        "<!ELEMENT a ANY>",
        "<!-- & ?> ]> -->",
        "\n",
    ];
    for declaration in declarations {
        if random.one_in(4) {
            out.push_str(declaration);
        }
        if random.one_in(8) {
            instruction(random, out);
        }
    }
    for (name, declaration) in EXTERNAL {
        if !out.len().is_multiple_of(3) {
            out.push_str(declaration);
            entities.push(name);
        }
    }
    out.push_str("]>");
    entities
}

/// A start tag but for its end, with what its attributes bind; its name.
fn tag(random: &mut Random, bound: &mut Vec<&'static str>, out: &mut String) -> String {
    let mut attributes = String::new();
    let mut used: Vec<String> = Vec::new();
    for _ in 0..random.below_or(3, 10, 9) {
        let name = match random.below(8) {
            0 => "xmlns".to_owned(),
            1 => {
                let prefix = random.of(&PREFIXES);
                bound.push(prefix);
                format!("xmlns:{prefix}")
            }
            2 => "xml:space".to_owned(),
            3 if !bound.is_empty() => format!("{}:{}", bound[random.below(bound.len())], random.of(&NAMES)),
            // No QName, but a name.
            4 if random.one_in(9) => random.of(&["a:b:c", ":", "a:", ":b"]).to_owned(),
            _ => random.of(&NAMES).to_owned(),
        };
        if used.contains(&name) {
            continue;
        }
        write!(attributes, " {name}='").unwrap();
        if name.starts_with("xmlns") {
            attributes.push_str(if name == "xmlns" && random.one_in(4) { "" } else { random.of(&URIS) });
        } else {
            text(random, &mut attributes);
        }
        attributes.push('\'');
        used.push(name);
    }
    let name = match random.below(5) {
        0 if !bound.is_empty() => format!("{}:{}", bound[random.below(bound.len())], random.of(&NAMES)),
        1 if random.one_in(3) => format!("{}{}", random.of(&NAMES), random.below(300)),
        _ => random.of(&NAMES).to_owned(),
    };
    write!(out, "<{name}{attributes}").unwrap();
    name
}

/// A document as XML.
pub(crate) fn document(random: &mut Random) -> String {
    let mut out = String::new();
    let mut bound = Vec::new();
    let mut root = String::new();
    let name = tag(random, &mut bound, &mut root);
    beside(random, &mut out);
    let mut entities = Vec::new();
    if random.one_in(3) {
        entities = doctype(random, &name, &mut out);
        beside(random, &mut out);
    }
    out.push_str(&root);
    out.push('>');
    let mut open = vec![(name, bound.len())];
    let mut left = random.of(&[0, 1, 3, 10, 30, 100]);
    while let Some((name, _)) = open.last() {
        if out.len().is_multiple_of(4)
            && let Some(entity) = entities.get(out.len() / 4 % 3)
        {
            write!(out, "&{entity};").unwrap();
        }
        if left == 0 || random.one_in(4) {
            write!(out, "</{name}>").unwrap();
            open.pop();
            bound.truncate(open.last().map_or(0, |(_, bound)| *bound));
            continue;
        }
        left -= 1;
        match random.below(10) {
            0..=3 => {
                let name = tag(random, &mut bound, &mut out);
                out.push('>');
                open.push((name, bound.len()));
            }
            4..=6 => text(random, &mut out),
            7 => out.push_str(random.of(&["<![CDATA[<x> & ]]]>", "<![CDATA[]]>", "<![CDATA[ ]]>"])),
            8 => comment(random, &mut out),
            _ => instruction(random, &mut out),
        }
    }
    beside(random, &mut out);
    out
}
