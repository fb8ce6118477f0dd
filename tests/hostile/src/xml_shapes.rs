//! Shapes of XML, and of the XML Infoset.

use std::fmt::Write;

use infoset::Strings;
use tam::Table;
use test_support::Random;

use crate::Family::{Compression, Counts, Defaults, Names, Namespaces, References};
use crate::Shape;

/// The encoding rules of infosets, by the first byte of an input.
pub(crate) const RULES: [asn1::EncodingRules; 3] =
    [asn1::EncodingRules::Uper, asn1::EncodingRules::Aper, asn1::EncodingRules::Ber];

const XML: &[&str] = &["xml", "xml events"];

pub(crate) const SHAPES: &[Shape] = &[
    Shape { readers: XML, family: References, name: "entities that double", make: doubling },
    Shape { readers: XML, family: References, name: "a long entity, often", make: long_entity },
    Shape { readers: XML, family: References, name: "an empty entity, often", make: empty_entity },
    Shape { readers: XML, family: References, name: "a chain of entities, often", make: chain },
    Shape { readers: XML, family: References, name: "entities of markup", make: markup_entity },
    Shape { readers: XML, family: References, name: "entities in attributes", make: attribute_entity },
    Shape { readers: XML, family: References, name: "parameter entities, often", make: parameter_entity },
    Shape { readers: XML, family: References, name: "many declarations of entities", make: many_entities },
    Shape { readers: XML, family: References, name: "characters by number", make: |_, n| wrap("&#x41;", n) },
    Shape { readers: XML, family: Names, name: "a long name, often", make: long_names },
    Shape { readers: XML, family: Names, name: "many attributes", make: many_attributes },
    Shape { readers: XML, family: Names, name: "attributes with a long prefix", make: prefixed_attributes },
    Shape { readers: XML, family: Defaults, name: "a long default, often", make: long_default },
    Shape { readers: XML, family: Defaults, name: "many defaults, often", make: many_defaults },
    Shape { readers: XML, family: Counts, name: "levels", make: |_, n| levels("a", n).into_bytes() },
    Shape { readers: XML, family: Counts, name: "comments", make: |_, n| wrap("<!---->", n) },
    Shape { readers: XML, family: Counts, name: "CDATA sections", make: |_, n| wrap("<![CDATA[]]>", n) },
    Shape { readers: XML, family: Counts, name: "CDATA sections of a letter", make: |_, n| wrap("<![CDATA[x]]>", n) },
    Shape { readers: XML, family: Counts, name: "instructions", make: |_, n| wrap("<?p?>", n) },
    Shape { readers: XML, family: Counts, name: "empty elements", make: |_, n| wrap("<b/>", n) },
    Shape { readers: XML, family: Counts, name: "line ends", make: |_, n| wrap("\r\n", n) },
    Shape { readers: XML, family: Counts, name: "no end", make: |random, n| no_end(random, n) },
    Shape { readers: XML, family: Namespaces, name: "declarations on one element", make: many_namespaces },
    Shape { readers: XML, family: Namespaces, name: "a declaration a level", make: nested_namespaces },
    Shape {
        readers: &["infoset"],
        family: References,
        name: "a long string, often",
        make: |r, n| infoset(r, &repeats(n)),
    },
    Shape {
        readers: &["infoset"],
        family: Names,
        name: "a long name, often",
        make: |r, n| {
            let xml = long_names(r, 8 * n);
            infoset(r, &xml)
        },
    },
    Shape {
        readers: &["infoset"],
        family: Counts,
        name: "levels",
        make: |r, n| infoset(r, levels("a", n.min(4_000)).as_bytes()),
    },
    Shape {
        readers: &["infoset"],
        family: Counts,
        name: "empty elements",
        make: |r, n| infoset(r, &wrap("<b/>", 4 * n)),
    },
    Shape {
        readers: &["infoset"],
        family: Compression,
        name: "one letter",
        make: |r, n| infoset(r, &wrap("xxxxxxxx", 16 * n)),
    },
    Shape {
        readers: &["infoset"],
        family: Compression,
        name: "strings that differ little",
        make: |r, n| {
            let xml = numbered(8 * n);
            infoset(r, &xml)
        },
    },
    Shape {
        readers: &["infoset"],
        family: Namespaces,
        name: "a declaration a level",
        make: |r, n| {
            let xml = nested_namespaces(r, n);
            infoset(r, &xml)
        },
    },
    Shape {
        readers: &["infoset"],
        family: Defaults,
        name: "many attributes",
        make: |r, n| {
            let xml = many_attributes(r, n);
            infoset(r, &xml)
        },
    },
];

/// An element with a text as often as it fits.
fn wrap(text: &str, size: usize) -> Vec<u8> {
    format!("<a>{}</a>", text.repeat(size / text.len())).into_bytes()
}

fn levels(name: &str, size: usize) -> String {
    let count = size / (2 * name.len() + 5);
    format!("<{name}>").repeat(count) + &format!("</{name}>").repeat(count)
}

fn doubling(random: &mut Random, size: usize) -> Vec<u8> {
    let times = 2 + random.below(9);
    let mut text = String::from("<!DOCTYPE a [<!ENTITY e0 'xxxxxxxxxxxxxxxx'>");
    let mut last = 0;
    while text.len() < size {
        let reference = format!("&e{last};").repeat(times);
        last += 1;
        write!(text, "<!ENTITY e{last} '{reference}'>").unwrap();
    }
    (text + &format!("]><a>&e{last};</a>")).into_bytes()
}

fn referred(entity: &str, size: usize) -> Vec<u8> {
    format!("<!DOCTYPE a [<!ENTITY e '{entity}'>]><a>{}</a>", "&e;".repeat(size / 3)).into_bytes()
}

fn long_entity(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    referred(&"x".repeat(part), size - part)
}

fn empty_entity(_: &mut Random, size: usize) -> Vec<u8> {
    referred("", size)
}

fn markup_entity(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size / 4);
    referred(&"<b/>".repeat(part / 4), size - part)
}

fn chain(random: &mut Random, size: usize) -> Vec<u8> {
    let count = 1 + random.below(size / 24 + 1);
    let mut text = String::from("<!DOCTYPE a [");
    for n in 0..count {
        write!(text, "<!ENTITY e{n} '&e{};'>", n + 1).unwrap();
    }
    write!(text, "<!ENTITY e{count} ''>]><a>").unwrap();
    while text.len() < size {
        text += "&e0;";
    }
    (text + "</a>").into_bytes()
}

fn attribute_entity(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let mut text = format!("<!DOCTYPE a [<!ENTITY e '{}'>]><a>", "x".repeat(part / 2));
    while text.len() < size {
        text += "<b c='&e;&e;'/>";
    }
    (text + "</a>").into_bytes()
}

fn parameter_entity(random: &mut Random, size: usize) -> Vec<u8> {
    let content = random.of(&["", "<!-- c -->", "<!ENTITY f ''>"]);
    let mut text = format!("<!DOCTYPE a [<!ENTITY % p '{content}'>");
    while text.len() < size {
        text += "%p;";
    }
    (text + "]><a/>").into_bytes()
}

fn many_entities(_: &mut Random, size: usize) -> Vec<u8> {
    let mut text = String::from("<!DOCTYPE a [");
    let mut count = 0;
    while text.len() < size / 2 {
        write!(text, "<!ENTITY e{count} ''>").unwrap();
        count += 1;
    }
    text += "]><a>";
    (0..count).for_each(|n| write!(text, "&e{n};").unwrap());
    (text + "</a>").into_bytes()
}

fn long_names(random: &mut Random, size: usize) -> Vec<u8> {
    let name = "n".repeat(1 + random.below(size / 4 + 1));
    wrap(&format!("<{name}/>"), size)
}

fn many_attributes(random: &mut Random, size: usize) -> Vec<u8> {
    let stem = random.of(&["a", "some-longer-name-", "p:a"]);
    let mut text = String::from("<r xmlns:p='u'");
    let mut count = 0;
    while text.len() < size {
        write!(text, " {stem}{count}=''").unwrap();
        count += 1;
    }
    (text + "/>").into_bytes()
}

fn prefixed_attributes(_: &mut Random, size: usize) -> Vec<u8> {
    let prefix = "p".repeat(1 + size / 40);
    let attributes: String = (0..20).map(|n| format!(" {prefix}:a{n}=''")).collect();
    format!("<r xmlns:{prefix}='u'{attributes}/>").into_bytes()
}

fn long_default(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let default = "x".repeat(part);
    let elements = "<b/>".repeat((size - part) / 4);
    format!("<!DOCTYPE a [<!ATTLIST b c CDATA '{default}'>]><a>{elements}</a>").into_bytes()
}

fn many_defaults(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let mut text = String::from("<!DOCTYPE a [<!ATTLIST b");
    let mut count = 0;
    while text.len() < part {
        write!(text, " c{count} CDATA ''").unwrap();
        count += 1;
    }
    let elements = "<b/>".repeat((size - part) / 4);
    (text + &format!(">]><a>{elements}</a>")).into_bytes()
}

fn no_end(random: &mut Random, size: usize) -> Vec<u8> {
    let start = random.of(&["<a", "<!--", "<![CDATA[", "<?p ", "<a b='", "&", "<!DOCTYPE a [", "<!ENTITY e '"]);
    let mut text = String::from("<a>");
    let start = if start.starts_with("<!D") || start.starts_with("<!E") {
        text.clear();
        start
    } else {
        start
    };
    while text.len() < size {
        text += start;
    }
    text.into_bytes()
}

fn many_namespaces(_: &mut Random, size: usize) -> Vec<u8> {
    let mut text = String::from("<r");
    let mut count = 0;
    while text.len() < size / 2 {
        write!(text, " xmlns:p{count}='u{count}'").unwrap();
        count += 1;
    }
    text += ">";
    (0..count).for_each(|n| write!(text, "<p{n}:e/>").unwrap());
    (text + "</r>").into_bytes()
}

fn nested_namespaces(_: &mut Random, size: usize) -> Vec<u8> {
    let count = (size / 40).min(900);
    let mut text = String::new();
    (0..count).for_each(|n| write!(text, "<p0:e xmlns:p{n}='u{n}'>").unwrap());
    text = text.replacen("<p0:e xmlns:p0='u0'>", "<p0:e xmlns:p0='u0' p0:a=''>", 1);
    (text + &"</p0:e>".repeat(count)).into_bytes()
}

/// A long string in many places.
fn repeats(size: usize) -> Vec<u8> {
    let long = "x".repeat(size / 2);
    let count = (size / 8).min((4 << 20) / (size + 8));
    wrap(&format!("<b c='{long}'/>"), count * (long.len() + 9))
}

fn numbered(size: usize) -> Vec<u8> {
    let mut text = String::from("<a>");
    let mut count = 0;
    while text.len() < size {
        write!(text, "<b>a text of some length, number {count}</b>").unwrap();
        count += 1;
    }
    (text + "</a>").into_bytes()
}

/// The infoset of a document, which its size was chosen for.
fn infoset(random: &mut Random, xml: &[u8]) -> Vec<u8> {
    let rules = random.below(3);
    let strings = random.of(&[Strings::None, Strings::Deflate, Strings::Bzip2, Strings::Zstd]);
    let options = infoset::Options::of(RULES[rules]).with_strings(strings);
    let mut table = Table::new();
    let limits = tam::Limits::NONE;
    let document = text::xml::read(xml, &text::xml::Options::default().with_limits(limits), &mut table).unwrap();
    let message = infoset::write(&document, &options.with_limits(limits)).unwrap();
    [&[rules as u8], &message[..]].concat()
}
