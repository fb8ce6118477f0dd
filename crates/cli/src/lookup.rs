//! Reads one value of a TDXML message without reading the rest.

use lengthwise::Options;
use lengthwise::tam::{Builder, Document, Error, Table, TypeSet};
use lengthwise::tdxml::{Lookup, Place};

/// The value at a path, in an element of its own, and the path to it there.
///
/// Rows that are not visited are not checked. `None` if that is not enough: the path leads to an element with content
/// of its own, to nothing, or to what a schema supplies; it has other steps than names; or the message is invalid on
/// the way. Reading the whole message then gives the answer.
pub(crate) fn find<'t>(
    message: &[u8],
    path: &str,
    options: &Options<'_>,
    table: &'t mut Table<'_>,
) -> Option<(Document<'t>, &'static str)> {
    let registry = lengthwise::referred(message, options).ok()?;
    let tables = options.tables.with_limits(options.limits);
    let tables = registry.as_ref().map_or(tables, |registry| tables.with_registry(registry));
    let rows = Lookup::new(message, &tables).ok()?;
    let (value, place) = rows.find(path).ok().flatten()?;
    // A record is more than its text, and an absent text is no unit.
    let is_plain = place != Place::Record && !(value.is_empty() && place == Place::Text);
    // The name of an element is the last step.
    let name = path.rsplit('/').next()?.split('[').next()?;
    build(place, name, value.as_bytes(), options, table).ok().filter(|()| is_plain)?;
    let path = match place {
        Place::Attribute => "/_/_/@_",
        Place::Text => "/_/_/text()",
        _ => "/_/*",
    };
    Some((table.document(b"", TypeSet::XML), path))
}

/// Builds a document with the value as an element inside another one.
fn build(place: Place, name: &str, value: &[u8], options: &Options<'_>, table: &mut Table<'_>) -> Result<(), Error> {
    let mut build = Builder::new(b"", TypeSet::XML, options.limits, table);
    let name = if place == Place::Element { name.as_bytes() } else { b"_" };
    build.open(b'<', b"_")?;
    build.open(b'<', name)?;
    if place == Place::Attribute {
        build.open(b'=', b"")?;
        build.primitive(b'[', b"_", value)?;
        build.close()?;
    } else if !value.is_empty() {
        build.primitive(b'[', b"", value)?;
    }
    build.close()?;
    build.close()?;
    build.finish()
}

#[cfg(test)]
mod tests {
    use lengthwise::tam::{Node, Step};
    use lengthwise::tdxml::{Binary, Scheme};
    use lengthwise::{Format, convert, read};

    use super::*;
    use crate::get;

    /// Two root elements, defaults, and names that occur twice in a record.
    const BY_HAND: [&str; 2] = [
        "<TDXML:Env><TDXML:DS>person [0] ::= SEQUENCE OF{ lang(0) [ATTRIBUTE] UTF8String (\"English\") firstname[0] \
         UTF8String, lastname[1] UTF8String }</TDXML:DS><TDXML:CT>\n[0]0(0) |English\n[0]0[0] |Alan\n[0]0[1] |Johnson\n\
         [0]1(0) |French\n[0]1[0] |Chris\n[0]1[1] |\n[0]2[0] |A\n[0]2[1] |B\n</TDXML:CT></TDXML:Env>",
        "<TDXML:Env><TDXML:DS>a[0] ::= SEQUENCE { b[0] UTF8String OPTIONAL, c[1] INTEGER, b[2] UTF8String, d[3] CHOICE { \
         e[0] UTF8String, f[1] SEQUENCE OF UTF8String } }</TDXML:DS><TDXML:CT>\n[0][1] |7\n[0][2] |x\n[0][3][1]0 |1\n\
         [0][3][1]1 |2\n</TDXML:CT></TDXML:Env>",
    ];

    fn messages() -> Vec<Vec<u8>> {
        let octets = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+Pw==";
        let texts = [
            "<a/>".to_owned(),
            "<a k='v' l=''>x</a>".to_owned(),
            "<a><b>1</b><b/><b>3 &lt;&amp;|</b><c><d/></c></a>".to_owned(),
            "<p:a xmlns:p='urn:p' p:k='1'><p:b k='1'>x</p:b><p:b/><b l='3'>&lt;</b><c>d</c></p:a>".to_owned(),
            "<a><b><c>1</c><c>2</c><d k='[1]'>3</d></b><b><d>4</d></b><b><c>5</c></b><f>t<g>6</g><g>7</g></f></a>"
                .to_owned(),
            "<a><b>1</b><c>2</c><b>3</b><c>4</c><b>5</b></a>".to_owned(),
            "<a><p><q><r k='1'>1</r><r>2</r></q><q/><s>x</s></p><p><q><r>3</r></q></p><p><s>y</s></p></a>".to_owned(),
            format!("<a><b>{octets}</b><b k='1'>{octets}</b></a>"),
        ];
        let mut all: Vec<Vec<u8>> = BY_HAND.iter().map(|text| text.as_bytes().to_vec()).collect();
        for text in &texts {
            for scheme in [Scheme::Aggregated, Scheme::Grouped] {
                for (binary, soap) in [(Binary::Base64, false), (Binary::Mime, false), (Binary::Base64, true)] {
                    let mut options = Options::default();
                    options.tables = options.tables.with_scheme(scheme).with_binary(binary).with_soap(soap);
                    all.push(convert(text.as_bytes(), Format::Xml, Format::Tdxml, &options).unwrap());
                }
            }
        }
        all
    }

    /// The paths of all units, and others that look similar.
    fn paths(document: &Document<'_>) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for step in document.walk() {
            let (Step::Open(node) | Step::Primitive(node)) = step else { continue };
            let path = node.path();
            all.extend(
                ["", "/text()", "/text()[1]", "/text()[2]", "/@k", "/@lang", "/*", "/0", "[1]", "[2]", "[3]", "[0]"]
                    .map(|more| format!("{path}{more}")),
            );
            all.push(path.replace("[1]", ""));
            all.push(path.trim_start_matches('/').to_owned());
        }
        all.extend(["/person[9]/@lang", "/a/b[2]", "/a/b[9]", "", "/", "a", "/a//b", "/a/@"].map(str::to_owned));
        all
    }

    fn shown(node: &Node<'_>) -> (Vec<u8>, &'static str) {
        let mut plain = Vec::new();
        get::plain(node, &[], Format::Tdxml, &Options::default(), &mut plain).unwrap();
        (plain, lengthwise_inspect::word(node, get::kinds_around(&[*node])[&node.index()]))
    }

    #[test]
    fn what_is_found_is_what_the_whole_message_has_there() {
        let (mut found, mut left) = (0, 0);
        for message in messages() {
            let mut table = Table::new();
            let document = read(&message, Format::Tdxml, &Options::default(), &mut table).unwrap();
            for path in paths(&document) {
                let mut table = Table::new();
                let Some((alone, inside)) = find(&message, &path, &Options::default(), &mut table) else {
                    left += usize::from(document.get(&path).is_ok());
                    continue;
                };
                let expected = document.get(&path).map(|node| shown(&node));
                let node = alone.get(inside).unwrap();
                assert_eq!(Ok(shown(&node)), expected, "{path} in {}", String::from_utf8_lossy(&message));
                found += 1;
            }
        }
        // Enough to be meaningful; the others are mostly elements with content of their own.
        assert!(found > 500 && left > 100, "{found} {left}");
    }

    #[test]
    fn what_is_elsewhere_is_not_looked_at() {
        let message = b"<Env xmlns='urn:tdxml'><DS>a[0] ::= SEQUENCE { b[0] SEQUENCE OF UTF8String }</DS><CT>\n\
            [0][0]0 |x\n[0][0]1 |y\n[0][0]2 |&nonsense;\n[0][0]3 |z\n</CT></Env>";
        let is_found = |path: &str| find(message, path, &Options::default(), &mut Table::new()).is_some();
        assert!(is_found("/a/b[4]") && is_found("/a/b[4]/text()"));
        assert!(!is_found("/a/b[3]") && !is_found("/a/b[5]") && !is_found("/a/c"));
        assert!(!is_found("/a"));
    }
}
