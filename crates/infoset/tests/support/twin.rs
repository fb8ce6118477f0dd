//! A reader of infosets that is slow and plain: it looks at the values that the general codec gives.

use asn1::Value;

use crate::support::shared_strings;

/// What `support::said` says of the document of a value.
pub(crate) fn said(document: Value<'_>) -> String {
    let mut twin = Twin { strings: vec![String::new()], names: Vec::new(), out: String::new(), text: String::new() };
    for block in document.get("component-strings").unwrap().items() {
        let algorithm = block.get("compression-algorithm").unwrap().as_str().unwrap();
        let octets = block.get("component-strings-compressed-block").unwrap().as_octets().unwrap();
        let octets = match algorithm.strip_prefix("shared:") {
            Some(id) => {
                let shared = shared_strings();
                assert_eq!((id, octets), (&format!("{:08x}", shared.id())[..], &b""[..]));
                shared.as_bytes().to_vec()
            }
            None => unpacked(algorithm.split('?').next().unwrap(), octets),
        };
        let text = String::from_utf8(octets).unwrap();
        let strings = text.strip_suffix('\0').map(|strings| strings.split('\0'));
        twin.strings.extend(strings.into_iter().flatten().map(str::to_owned));
    }
    let mut before = [String::new(), String::new()];
    for name in document.get("common-names").unwrap().items() {
        for (part, before) in ["namespace-name", "prefix"].iter().zip(&mut before) {
            let part_value = name.get(part).map(|part_value| part_value.chosen().unwrap());
            match part_value {
                None => before.clear(),
                Some(("same-as-previous-item", _)) => {}
                Some((_, text)) => *before = twin.string(text),
            }
        }
        let local = twin.string(name.get("local-name").unwrap());
        twin.names.push(qualified(&before[1], &local));
    }
    for child in document.get("children").unwrap().items() {
        let (kind, child) = child.chosen().unwrap();
        if kind == "document-type-declaration" { twin.doctype(document, child) } else { twin.child(kind, child) }
    }
    twin.out
}

fn unpacked(algorithm: &str, octets: &[u8]) -> Vec<u8> {
    use std::io::Read;
    let mut out = Vec::new();
    match algorithm {
        "" => out.extend_from_slice(octets),
        "deflate" => drop(flate2::read::ZlibDecoder::new(octets).read_to_end(&mut out).unwrap()),
        "bzip2" => drop(bzip2::read::BzDecoder::new(octets).read_to_end(&mut out).unwrap()),
        _ => out = zstd::stream::decode_all(octets).unwrap(),
    }
    out
}

fn qualified(prefix: &str, local: &str) -> String {
    if prefix.is_empty() { local.to_owned() } else { format!("{prefix}:{local}") }
}

struct Twin {
    strings: Vec<String>,
    names: Vec<String>,
    out: String,
    text: String,
}

impl Twin {
    /// A string, in its place or by index.
    fn string(&self, value: Value<'_>) -> String {
        match value.chosen().unwrap() {
            ("component-string-index", index) => self.strings[index.as_i64().unwrap() as usize].clone(),
            (_, text) => text.as_str().unwrap().to_owned(),
        }
    }

    fn field(&self, value: Value<'_>, field: &str) -> String {
        self.string(value.get(field).unwrap())
    }

    fn name(&self, value: Value<'_>) -> String {
        match value.chosen().unwrap() {
            ("common-name-index", index) => self.names[index.as_i64().unwrap() as usize - 1].clone(),
            (_, name) => {
                let prefix = name.get("prefix").map(|prefix| self.string(prefix)).unwrap_or_default();
                qualified(&prefix, &self.field(name, "local-name"))
            }
        }
    }

    /// Text is over: what came of it is one.
    fn end_text(&mut self) {
        if !self.text.is_empty() {
            self.out.push_str(&format!("{:?}", self.text));
            self.text.clear();
        }
    }

    fn child(&mut self, kind: &str, child: Value<'_>) {
        if kind == "characters" {
            match child.get("characters").unwrap().chosen().unwrap() {
                ("characters", text) => self.text.push_str(&self.string(text)),
                (_, octets) => self.text.push_str(&base64(octets.as_octets().unwrap())),
            }
            return;
        }
        self.end_text();
        match kind {
            "element" => self.element(child),
            "comment" => self.out.push_str(&format!("<!--{}-->", self.field(child, "content"))),
            "processing-instruction" => {
                self.out.push_str(&format!("<?{} {}?>", self.field(child, "target"), self.field(child, "content")));
            }
            "unexpanded-entity-reference" => self.reference(child),
            _ => panic!("{kind}"),
        }
    }

    /// An element; documents in tests are not so deep that calls in calls would be too many.
    fn element(&mut self, element: Value<'_>) {
        let name = self.name(element.get("name").unwrap());
        self.out.push_str(&format!("<{name}"));
        for list in ["namespace-attributes", "attributes"] {
            for attribute in element.get(list).into_iter().flat_map(|list| list.items()) {
                let value = self.field(attribute, "normalized-value");
                let name = self.name(attribute.get("name").unwrap());
                self.out.push_str(&format!(" {name}={value:?}"));
            }
        }
        self.out.push('>');
        match element.get("children").unwrap().chosen().unwrap() {
            ("element-content-characters", text) => self.text = self.string(text),
            (_, children) => {
                for child in children.items() {
                    let (kind, child) = child.chosen().unwrap();
                    self.child(kind, child);
                }
            }
        }
        self.end_text();
        self.out.push_str(&format!("</{name}>"));
    }

    /// A reference, the declaration of whose entity is known or not as a whole.
    fn reference(&mut self, reference: Value<'_>) {
        let name = self.field(reference, "name");
        assert_eq!(reference.get("declaration-base-URI").unwrap().chosen().unwrap().0, "unknown");
        match reference.get("system-identifier").unwrap().chosen().unwrap() {
            ("unknown", _) => {
                assert_eq!(reference.get("public-identifier").unwrap().chosen().unwrap().0, "unknown");
                assert!(!self.out.contains(&format!("<!ENTITY {name} ")));
            }
            (_, system) => {
                let public = reference.get("public-identifier").map(|public| public.chosen().unwrap().1);
                for literal in [Some(system), public].into_iter().flatten() {
                    assert!(self.out.contains(&self.string(literal)), "{name}: {}", self.out);
                }
            }
        }
        self.out.push_str(&format!("&{name};"));
    }

    fn identifier(&self, value: Value<'_>) -> String {
        let literal = |field: &str| {
            let text = self.string(value.get(field)?);
            let quote = if text.contains('"') { '\'' } else { '"' };
            Some(format!(" {quote}{text}{quote}"))
        };
        match (literal("public-identifier"), literal("system-identifier")) {
            (None, None) => String::new(),
            (None, Some(system)) => format!(" SYSTEM{system}"),
            (Some(public), system) => format!(" PUBLIC{public}{}", system.unwrap_or_default()),
        }
    }

    fn doctype(&mut self, document: Value<'_>, doctype: Value<'_>) {
        let mut inside = String::new();
        for notation in document.get("notations").unwrap().items() {
            let (name, id) = (self.field(notation, "name"), self.identifier(notation));
            inside.push_str(&format!("<!NOTATION {name}{id}>"));
        }
        for entity in document.get("unparsed-entities").unwrap().items() {
            let (name, id) = (self.field(entity, "name"), self.identifier(entity));
            inside.push_str(&format!("<!ENTITY {name}{id} NDATA {}>", self.field(entity, "notation-name")));
        }
        for instruction in doctype.get("children").unwrap().items() {
            let (target, content) = (self.field(instruction, "target"), self.field(instruction, "content"));
            if target == "lengthwise-doctype" {
                let whole = content.replace("?&gt;", "?>").replace("&amp;", "&");
                self.out.push_str(&format!("<!{whole}>"));
                return;
            }
            let space = if content.is_empty() { "" } else { " " };
            inside.push_str(&format!("<?{target}{space}{content}?>"));
        }
        let children = document.get("children").unwrap();
        let root = children.items().find_map(|child| child.chosen().filter(|(kind, _)| *kind == "element")).unwrap().1;
        let name = self.name(root.get("name").unwrap());
        let id = self.identifier(doctype);
        let subset = if inside.is_empty() { String::new() } else { format!(" [{inside}]") };
        self.out.push_str(&format!("<!{name}{id}{subset}>"));
    }
}

/// RFC 4648, section 4.
fn base64(octets: &[u8]) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in octets.chunks(3) {
        let bits = chunk.iter().fold(0_u32, |bits, octet| bits << 8 | u32::from(*octet)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let digit = ALPHABET[(bits >> (18 - 6 * place)) as usize & 63];
            out.push(if place <= chunk.len() { digit.into() } else { '=' });
        }
    }
    out
}
