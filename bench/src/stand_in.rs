//! Until XML text and the TSF writer are there: both, as small as can be.
use tam::{Builder, Document, Limits, Step, Table, TypeSet};

pub(crate) fn read_xml<'a>(xml: &str, table: &'a mut Table<'_>) -> Document<'a> {
    use quick_xml::events::Event;
    let mut b = Builder::new(b"", TypeSet::XML, Limits::NONE, table);
    let xml = &xml.replace("\r\n", "\n");
    let mut text = String::new();
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut depth = 0;
    let wrapped = xml.contains("<!-- UOB") || xml.contains("<!DOCTYPE");
    if wrapped { b.open(b'=', b"").unwrap(); }
    loop {
        let event = reader.read_event().unwrap();
        if let Event::Text(t) = &event { if depth > 0 { text.push_str(t); } continue; }
        if let Event::GeneralRef(r) = &event {
            match r.resolve_char_ref().unwrap() { Some(c) => text.push(c), None => text.push_str(quick_xml::escape::resolve_xml_entity(r).unwrap()) }
            continue;
        }
        if !text.is_empty() { b.primitive(b'[', b"", text.as_bytes()).unwrap(); text.clear(); }
        let mut start = |tag: &quick_xml::events::BytesStart| {
            b.open(b'<', tag.name().as_ref().as_bytes()).unwrap();
            let mut first = true;
            for a in tag.attributes() {
                let a = a.unwrap();
                if first { b.open(b'=', b"").unwrap(); first = false; }
                b.primitive(b'[', a.key.as_ref().as_bytes(), quick_xml::escape::unescape(&a.value).unwrap().as_bytes()).unwrap();
            }
            if !first { b.close().unwrap(); }
        };
        match event {
            Event::Start(tag) => { start(&tag); depth += 1; }
            Event::Empty(tag) => { start(&tag); b.close().unwrap(); }
            Event::End(_) => { b.close().unwrap(); depth -= 1; }
            Event::Comment(c) => b.primitive(b'+', b"", c.as_bytes()).unwrap(),
            Event::PI(c) => b.primitive(b'?', b"", c.as_bytes()).unwrap(),
            Event::CData(c) => b.primitive(b']', b"", c.as_bytes()).unwrap(),
            Event::DocType(c) => b.primitive(b'!', b"", c.as_bytes()).unwrap(),
            Event::Eof => break,
            _ => {}
        }
    }
    if wrapped { b.close().unwrap(); }
    b.finish().unwrap();
    table.document(b"", TypeSet::XML)
}

pub(crate) fn message(document: &Document<'_>, chars: bool) -> Vec<u8> {
    let mut out = Vec::new();
    for step in document.walk() {
        let (Step::Open(node) | Step::Primitive(node)) = step else { continue };
        let n = if node.is_structured() { node.children().len() } else if chars { node.text().unwrap().chars().count() } else { node.value().len() };
        out.extend(n.to_string().bytes());
        out.extend(node.name().written());
        out.push(node.kind());
        out.extend(node.value());
    }
    out
}
