//! The document that a package represents: octets of other parts are characters again (XOP 1.0 section 3.2).

use std::mem;

use lengthwise::tam::{Expansion, excerpt};
use lengthwise::text::xml::{Event, Options, Reader, StartTag};
use lengthwise::{Error, ErrorKind};
use xml::name::split;
use xml::namespaces::{Scope, declared};
use xml::xop::{self, Package};

/// An event, as far as it matters.
enum Step {
    Start,
    /// The start of an `Include`, and what it refers to.
    Include(String),
    End,
    Characters,
    Other,
    Over,
}

/// Where the next event is.
enum Place {
    /// After a start tag.
    Opened,
    /// Within the `Include` at a depth.
    Within(usize),
    /// After an `Include`.
    Included,
    Elsewhere,
}

/// The document of a package with the octets of each `Include` in base64 in its place. What they add is charged.
pub(super) fn reconstituted(package: &Package, options: &Options, expansion: &mut Expansion) -> Result<Vec<u8>, Error> {
    // Of UTF-8 the places of events are those of characters; nobody sends octets so in another encoding.
    let Ok(text) = str::from_utf8(package.document()) else { return Ok(package.document().to_vec()) };
    let text = text.trim_start_matches('\u{feff}');
    let document = text.as_bytes();
    let mut reader = Reader::from_text(text, options)?;
    let (mut scope, mut depth, mut path) = (Scope::default(), 0, String::new());
    let (mut out, mut copied, mut is_after) = (Vec::with_capacity(document.len()), 0, false);
    let mut place = Place::Elsewhere;
    loop {
        let step = match reader.next_event()? {
            None => Step::Over,
            Some(Event::Start(tag)) => {
                depth += 1;
                path.push('/');
                path.push_str(tag.name());
                for (prefix, uri) in tag.attributes().filter_map(|(name, uri)| Some((declared(name)?, uri))) {
                    scope.bind(depth, prefix.as_bytes(), uri.as_bytes());
                }
                match is_include(tag, &scope) {
                    true => Step::Include(tag.attribute("href").unwrap_or_default().to_owned()),
                    false => Step::Start,
                }
            }
            Some(Event::End(name)) => {
                depth -= 1;
                path.truncate(path.len() - name.len() - 1);
                scope.end(depth);
                Step::End
            }
            Some(Event::Text(_) | Event::CData(_)) => Step::Characters,
            Some(_) => Step::Other,
        };
        let at = reader.offset() as usize;
        if mem::take(&mut is_after) {
            copied = at;
        }
        let refused = |found, expected| Err(reader.error(ErrorKind::Syntax, found, expected).in_path(&path));
        place = match (place, step) {
            (_, Step::Over) => break,
            (place, Step::Other) => place,
            (Place::Within(outer), Step::End) if depth < outer => {
                is_after = true;
                Place::Included
            }
            (Place::Within(outer), _) => Place::Within(outer),
            (Place::Included, Step::End) => Place::Elsewhere,
            (Place::Included, _) | (Place::Elsewhere, Step::Include(_)) => {
                return refused("more".to_owned(), "nothing else beside xop:Include");
            }
            (Place::Opened, Step::Include(href)) => {
                let Some(range) = package.included(&href) else {
                    let found = format!("href='{}'", excerpt(&href));
                    return refused(found, "'cid:' and the Content-ID of one part");
                };
                // In the text of an entity, the tag is not where the characters belong.
                let Some(before) = document.get(copied..at).filter(|_| document[at..].starts_with(b"<")) else {
                    let (found, expected) = ("xop:Include in an entity", "one in the document");
                    return Err(reader.error(ErrorKind::Unsupported, found, expected).in_path(&path));
                };
                let octets = package.bytes().get(range).unwrap_or_default();
                let len = octets.len().div_ceil(3) * 4;
                expansion.charge(len).map_err(|exceeded| exceeded.error("xml", at as u64, "more included octets"))?;
                out.extend_from_slice(before);
                xml::base64::append(octets, &mut out);
                Place::Within(depth)
            }
            (_, Step::Start) => Place::Opened,
            (_, Step::End | Step::Characters) => Place::Elsewhere,
        };
    }
    out.extend_from_slice(document.get(copied..).unwrap_or_default());
    Ok(out)
}

fn is_include(tag: StartTag<'_>, scope: &Scope) -> bool {
    let (prefix, local) = split(tag.name());
    let uri = || scope.namespace(prefix.as_bytes()).map(|number| scope.uri(number));
    local == "Include" && uri() == Some(xop::NAMESPACE.as_bytes())
}

#[cfg(test)]
mod tests {
    use lengthwise::Limits;

    use super::*;

    fn read(document: &str) -> Result<String, String> {
        let mut package = Package::new();
        package.push(document.as_bytes());
        package.begin_part("1");
        package.push(b"\x00\x01\x02\x03");
        let limits = Limits { decompressed_bytes: 16, ..Limits::DEFAULT };
        let read = reconstituted(&package, &Options::default(), &mut limits.decompression(0));
        read.map(|bytes| String::from_utf8(bytes).unwrap()).map_err(|error| error.to_string())
    }

    /// XOP section 3.2: the children of the element become the characters of the octets in canonical base64.
    #[test]
    fn octets_are_characters_in_place_of_an_include() {
        let i = "xmlns:i='http://www.w3.org/2004/08/xop/include'";
        for (with, without) in [
            ("\u{feff}<a><b><i:Include {i} href='cid:1'/></b>c</a>", "<a><b>AAECAw==</b>c</a>"),
            (
                "<é {i}><b><!----><i:Include href='cid:%31'><x/>y</i:Include ><?p?></b\n></é>",
                "<é {i}><b><!---->AAECAw==<?p?></b\n></é>",
            ),
            (
                "<a {i}><b><i:Include href='cid:1'/></b><c><i:Include href='cid:1'/></c></a>",
                "<a {i}><b>AAECAw==</b><c>AAECAw==</c></a>",
            ),
            (
                "<a><b><Include href='cid:1'/></b><i:Include xmlns:i='other'/></a>",
                "<a><b><Include href='cid:1'/></b><i:Include xmlns:i='other'/></a>",
            ),
        ] {
            assert_eq!(read(&with.replace("{i}", i)), Ok(without.replace("{i}", i)), "{with}");
        }
        for (document, words) in [
            (
                "<a {i}><b> <i:Include href='cid:1'/></b></a>",
                "in /a/b/i:Include: found more, expected nothing else beside",
            ),
            ("<a {i}><b><i:Include href='cid:1'/> </b></a>", "in /a/b: found more, expected nothing else beside"),
            ("<a {i}><b><i:Include href='cid:2'/></b></a>", "in /a/b/i:Include: found href='cid:2', expected 'cid:'"),
            ("<a {i}><b><i:Include href='cid:1'/></b>", "expected"),
            (
                "<!DOCTYPE a [<!ENTITY e '<i:Include href=\"cid:1\"/>'>]><a {i}>&e;</a>",
                "found xop:Include in an entity",
            ),
            (
                "<a {i}><b><i:Include href='cid:1'/></b><b><i:Include href='cid:1'/></b><b><i:Include href='cid:1'/></b></a>",
                "limit",
            ),
        ] {
            let error = read(&document.replace("{i}", i)).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
    }
}
