//! A service, and made-up messages of it.
#![allow(dead_code)] // Each test uses some of it.

use xsd::{Memory, Options};

use soap::Service;
use test_support::Random;

/// The operations of the service, by the number of their method.
pub(crate) const DOUBLES: usize = 0;
pub(crate) const INTS: usize = 1;
pub(crate) const SEARCH: usize = 2;
pub(crate) const MESH: usize = 3;
pub(crate) const NESTED: usize = 4;
pub(crate) const ORDER: usize = 5;
pub(crate) const TEXTS: usize = 6;
pub(crate) const METHODS: usize = 7;

/// The `n`th message and the one that follows it, by a program of its own; a third of them are spoiled.
pub(crate) fn pair(random: &mut Random, n: usize) -> [Vec<u8>; 2] {
    let toolkit = Toolkit::made(random);
    let content = Content::made(random, n % METHODS);
    let next = content.changed(random);
    [content, next].map(|content| {
        let message = content.write(&toolkit, &mut Random::new(n as u64));
        if random.one_in(3) { spoiled(&message, random) } else { message }
    })
}

/// A service with something of everything.
pub(crate) fn service() -> Service {
    Service::read(Memory::new().with("s.wsdl", description()), "s.wsdl", &Options::default()).unwrap()
}

const DESCRIPTION: &str = r#"<definitions targetNamespace="urn:s" xmlns:t="urn:s" xmlns:b="urn:b" xmlns:o="urn:o"
    xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/" xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/"
    xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:enc="http://schemas.xmlsoap.org/soap/encoding/">
  <types><xs:schema targetNamespace="urn:b">
    ARRAYS
    <xs:complexType name="point"><xs:all><xs:element name="x" type="xs:int"/><xs:element name="y" type="xs:int"/>
      <xs:element name="v" type="xs:double"/></xs:all></xs:complexType>
  </xs:schema>
  <xs:schema targetNamespace="urn:o" elementFormDefault="qualified">
    <xs:element name="order"><xs:complexType><xs:sequence><xs:element name="id" type="xs:string"/>
      <xs:element name="choice"><xs:simpleType><xs:union memberTypes="xs:int xs:boolean xs:token"/></xs:simpleType></xs:element>
      <xs:element name="line" minOccurs="0" maxOccurs="unbounded"><xs:complexType><xs:sequence>
        <xs:element name="sku" type="xs:token"/><xs:element name="count" type="xs:int"/>
        <xs:element name="price" type="xs:double"/></xs:sequence></xs:complexType></xs:element>
      <xs:element name="weight" type="xs:double" nillable="true" minOccurs="0" maxOccurs="unbounded"/>
      <xs:element name="node" type="o:node" minOccurs="0"/></xs:sequence></xs:complexType></xs:element>
    <xs:complexType name="node"><xs:sequence><xs:element name="value" type="xs:int" nillable="true"/>
      <xs:element name="node" type="o:node" minOccurs="0"/></xs:sequence></xs:complexType>
  </xs:schema></types>
  <message name="order"><part name="order" element="o:order"/></message>
  <portType name="Orders"><operation name="order"><input message="t:order"/></operation></portType>
  <binding name="Orders11" type="t:Orders"><soap:binding style="document"/><operation name="order">
    <input><soap:body use="literal"/></input></operation></binding>
  <binding name="Orders12" type="t:Orders"><soap12:binding style="document"/><operation name="order">
    <input><soap12:body use="literal"/></input></operation></binding>
  MESSAGES
  <portType name="Port">OPERATIONS</portType>
  <binding name="Soap" type="t:Port"><soap:binding style="rpc"/>BOUND</binding>
</definitions>"#;

/// An array type of items, with the prefixes `enc` and `wsdl`.
pub(crate) fn array(name: &str, of: &str) -> String {
    format!(
        "<xs:complexType name='{name}'><xs:complexContent><xs:restriction base='enc:Array'>\
         <xs:attribute ref='enc:arrayType' wsdl:arrayType='{of}'/></xs:restriction></xs:complexContent></xs:complexType>"
    )
}

/// Its description.
pub(crate) fn description() -> String {
    let (mut arrays, mut messages, mut operations, mut bound) =
        (String::new(), String::new(), String::new(), String::new());
    for (name, of) in [
        ("doubles", "xs:double[]"),
        ("ints", "xs:int[]"),
        ("texts", "xs:string[]"),
        ("points", "b:point[]"),
        ("rows", "xs:int[][]"),
    ] {
        arrays += &array(name, of);
    }
    let search = "key xs:string q xs:string start xs:int maxResults xs:int filter xs:boolean restrict xs:string \
        safeSearch xs:boolean";
    for (name, parts) in [
        ("sendDoubles", "data b:doubles"),
        ("sendInts", "data b:ints"),
        ("doGoogleSearch", search),
        ("sendMesh", "points b:points title xs:string"),
        ("sendNested", "rows b:rows"),
        ("sendTexts", "texts b:texts more b:doubles"),
    ] {
        let namespace = if name == "doGoogleSearch" { "urn:GoogleSearch" } else { "urn:b" };
        messages += &format!("<message name='{name}'>");
        let words: Vec<&str> = parts.split_whitespace().collect();
        for part in words.chunks(2) {
            messages += &format!("<part name='{}' type='{}'/>", part[0], part[1]);
        }
        messages += "</message>";
        operations += &format!("<operation name='{name}'><input message='t:{name}'/></operation>");
        bound += &format!(
            "<operation name='{name}'><input><soap:body use='encoded' namespace='{namespace}'/></input></operation>"
        );
    }
    let text = DESCRIPTION.replace("ARRAYS", &arrays).replace("MESSAGES", &messages);
    text.replace("OPERATIONS", &operations).replace("BOUND", &bound)
}

/// How a toolkit writes.
#[derive(Clone, Debug)]
pub(crate) struct Toolkit {
    envelope: &'static str,
    soap12: bool,
    method: &'static str,
    types: bool,
    space: &'static str,
    item: &'static str,
    declaration: bool,
    pub(crate) header: Option<u64>,
    comments: bool,
    count: bool,
    /// Whether values stand by themselves, and are referred to (SOAP 1.1 section 5.4.1).
    references: bool,
    /// How the tag of an element without contents ends, if it has no end tag.
    pub(crate) empty: Option<&'static str>,
}

impl Toolkit {
    pub(crate) fn made(random: &mut Random) -> Toolkit {
        Toolkit {
            envelope: random.of(&["SOAP-ENV", "soap", "s"]),
            soap12: random.one_in(4),
            method: random.of(&["ns1", "m"]),
            types: random.one_in(2),
            space: random.of(&["", "", "\n  ", "\r\n\t"]),
            item: random.of(&["item", "i", "double"]),
            declaration: random.one_in(2),
            header: random.one_in(3).then(|| random.next() % 1000),
            comments: random.one_in(10),
            count: !random.one_in(5),
            references: random.one_in(8),
            empty: random.of(&[None, Some("/>"), Some(" />")]),
        }
    }

    /// What gSOAP writes.
    pub(crate) fn gsoap() -> Toolkit {
        Toolkit {
            envelope: "SOAP-ENV",
            soap12: false,
            method: "ns1",
            types: false,
            space: "",
            item: "item",
            declaration: true,
            header: None,
            comments: false,
            count: true,
            references: false,
            empty: None,
        }
    }
}

/// Values after a message that it refers to.
struct MultiRefs<'t> {
    toolkit: &'t Toolkit,
    written: String,
    count: usize,
}

impl MultiRefs<'_> {
    /// An element as it is.
    fn plain(&self, tag: &str, attributes: &str, contents: &str) -> String {
        match self.toolkit.empty {
            Some(end) if contents.is_empty() => format!("<{tag}{attributes}{end}"),
            _ => format!("<{tag}{attributes}>{contents}</{tag}>"),
        }
    }

    /// An element: as it is or, if values may stand by themselves, now and then with a reference to its contents. Some
    /// refer to those of the one before.
    fn element(&mut self, tag: &str, attributes: &str, contents: &str, random: &mut Random, may: bool) -> String {
        if !may || random.one_in(2) {
            return self.plain(tag, attributes, contents);
        }
        if self.count == 0 || !random.one_in(9) {
            self.count += 1;
            self.written += &format!("<multiRef id=\"r{}\" c:root=\"0\"{attributes}>{contents}</multiRef>", self.count);
        }
        format!("<{tag} href=\"#r{}\"/>", self.count)
    }
}

/// What a message says, each value as its text.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    pub(crate) method: usize,
    pub(crate) rows: Vec<Vec<String>>,
    pub(crate) rest: Vec<String>,
}

pub(crate) fn int(random: &mut Random) -> String {
    match random.below(20) {
        0 => " 7 ".into(),
        1 => "+5".into(),
        2 => "-2147483648".into(),
        3 if random.one_in(30) => "2147483648".into(),
        5 if random.one_in(4) => "1<!-- of -->2".into(),
        6 if random.one_in(4) => "&#x37;".into(),
        4 if random.one_in(30) => "x".into(),
        _ => (random.next() as i32 >> random.below(31)).to_string(),
    }
}

pub(crate) fn double(random: &mut Random) -> String {
    match random.below(40) {
        0 => "INF".into(),
        1 => "NaN".into(),
        2 => "1e400".into(),
        3 => " 2.50 ".into(),
        4 => "-0".into(),
        5 if random.one_in(20) => "1.2.3".into(),
        6 => "123456789012345678901234567890".into(),
        7 if random.one_in(4) => "<![CDATA[2.5]]>".into(),
        n if n < 15 => random.below(1000).to_string(),
        _ => format!("{:e}", f64::from_bits(random.next())),
    }
}

pub(crate) fn text(random: &mut Random) -> String {
    let words = [
        "Binghamton Grid Computing",
        "Differential Deserialization",
        "",
        "a &amp; b",
        "é",
        "<![CDATA[<x>]]>",
        "]]",
        " x  y ",
        "&#65;",
        "a<!-- c -->b",
        "\u{FFFD}",
        "x\r\ny",
    ];
    let mut text = random.of(&words).to_owned();
    if random.one_in(2) {
        text += &random.below(10_000).to_string();
    }
    text
}

fn boolean(random: &mut Random) -> String {
    random.of(&["true", "false", "1", "0"]).into()
}

impl Content {
    pub(crate) fn made(random: &mut Random, method: usize) -> Content {
        let most = random.below_or(8, 10, 120);
        let count = random.below(most + 1);
        let mut rows: Vec<_> = (0..count).map(|_| Content::row(random, method)).collect();
        if method == INTS && random.one_in(2) {
            // All of one length, as counters and numbers of articles are.
            let least = 10_u64.pow(random.below(10) as u32);
            rows.fill_with(|| vec![(least + random.next() % (9 * least)).to_string()]);
        }
        let rest = match method {
            SEARCH => vec![text(random), text(random), int(random), int(random), boolean(random), text(random)],
            ORDER => vec![text(random), int(random), int(random)],
            _ => vec![text(random)],
        };
        Content { method, rows, rest }
    }

    pub(crate) fn row(random: &mut Random, method: usize) -> Vec<String> {
        match method {
            DOUBLES => vec![double(random)],
            INTS => vec![int(random)],
            MESH => vec![int(random), int(random), double(random)],
            NESTED => (0..random.below(5)).map(|_| int(random)).collect(),
            ORDER => vec![text(random), int(random), double(random)],
            TEXTS => vec![text(random)],
            _ => Vec::new(),
        }
    }

    /// The same with some values changed, and items inserted and left out.
    pub(crate) fn changed(&self, random: &mut Random) -> Content {
        let mut next = self.clone();
        for _ in 0..random.below(4) {
            let len = next.rows.len();
            match random.below(8) {
                0 => next.rows.insert(random.below(len + 1), Content::row(random, self.method)),
                1 if len > 0 => {
                    next.rows.remove(random.below(len));
                }
                2 if len > 1 => {
                    let (a, b) = (random.below(len), random.below(len));
                    next.rows.swap(a, b);
                }
                3 if !next.rest.is_empty() => {
                    let other = Content::made(random, self.method).rest;
                    let at = random.below(other.len());
                    next.rest[at].clone_from(&other[at]);
                }
                _ if len > 0 => next.rows[random.below(len)] = Content::row(random, self.method),
                _ => {}
            }
        }
        next
    }

    pub(crate) fn write(&self, toolkit: &Toolkit, random: &mut Random) -> Vec<u8> {
        let (e, m, space) = (toolkit.envelope, toolkit.method, toolkit.space);
        // What is encoded is SOAP 1.1.
        let soap = if toolkit.soap12 && self.method == ORDER {
            "http://www.w3.org/2003/05/soap-envelope"
        } else {
            "http://schemas.xmlsoap.org/soap/envelope/"
        };
        let mut out = String::new();
        if toolkit.declaration {
            out += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
        }
        out += &format!(
            "<{e}:Envelope xmlns:{e}=\"{soap}\" xmlns:c=\"http://schemas.xmlsoap.org/soap/encoding/\" \
             xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\">"
        );
        if let Some(header) = toolkit.header {
            out += &format!(
                "<{e}:Header><w:id xmlns:w=\"urn:w\" {e}:mustUnderstand=\"1\">{header}</w:id><w:to xmlns:w=\"urn:w\"/></{e}:Header>"
            );
        }
        let namespace = match self.method {
            SEARCH => "urn:GoogleSearch",
            ORDER => "urn:o",
            _ => "urn:b",
        };
        let name =
            ["sendDoubles", "sendInts", "doGoogleSearch", "sendMesh", "sendNested", "order", "sendTexts"][self.method];
        out += &format!("{space}<{e}:Body>{space}<{m}:{name} xmlns:{m}=\"{namespace}\">{space}");
        let ty = |ty: &str| if toolkit.types { format!(" xsi:type=\"xsd:{ty}\"") } else { String::new() };
        let array = |ty: &str, count: usize| match toolkit.count {
            true => format!(" xsi:type=\"c:Array\" c:arrayType=\"xsd:{ty}[{count}]\""),
            false => String::new(),
        };
        let item = toolkit.item;
        let item_space = |random: &mut Random| match random.one_in(40) && toolkit.comments {
            true => " <!-- between -->",
            false => space,
        };
        let mut multi = MultiRefs { toolkit, written: String::new(), count: 0 };
        let may = toolkit.references && self.method != ORDER;
        match self.method {
            DOUBLES | INTS | TEXTS => {
                let (kind, outer) =
                    [("double", "data"), ("int", "data")].get(self.method).copied().unwrap_or(("string", "texts"));
                let mut items = String::new();
                for row in &self.rows {
                    let tag = if random.one_in(200) { String::new() } else { ty(kind) };
                    if random.one_in(100) {
                        items += &format!("{space}<{item} xsi:nil=\"true\"/>");
                    } else {
                        items += item_space(random);
                        let may = may && random.one_in(9);
                        items += &multi.element(item, &tag, &row[0], random, may);
                    }
                }
                items += space;
                out += &multi.element(outer, &array(kind, self.rows.len()), &items, random, may);
            }
            MESH => {
                out += "<points>";
                for row in &self.rows {
                    let [x, y, v] = [&row[0], &row[1], &row[2]];
                    let tag = ty("int");
                    if random.one_in(60) {
                        out += &format!("{space}<{item}><y>{y}</y><v>{v}</v><x{tag}>{x}</x></{item}>");
                    } else {
                        out += item_space(random);
                        let members = format!("<x{tag}>{x}</x>{space}<y>{y}</y><v>{v}</v>");
                        out += &multi.element(item, "", &members, random, may);
                    }
                }
                out += &format!("</points>{space}{}", multi.plain("title", "", &self.rest[0]));
            }
            NESTED => {
                out += "<rows>";
                for row in &self.rows {
                    let value = |value| format!("<{item}{}>{value}</{item}>", ty("int"));
                    let values: String = row.iter().map(value).collect();
                    out += space;
                    out += &multi.element("r", &array("int", row.len()), &values, random, may);
                }
                out += &format!("{space}</rows>");
            }
            ORDER => {
                let [id, choice, value] = [&self.rest[0], &self.rest[1], &self.rest[2]];
                out += &multi.plain(&format!("{m}:id"), "", id);
                out += &format!("{space}<{m}:choice>{choice}</{m}:choice>");
                for row in &self.rows {
                    let sku = multi.plain(&format!("{m}:sku"), "", &row[0]);
                    out += &format!(
                        "{space}<{m}:line>{sku}<{m}:count>{}</{m}:count><{m}:price>{}</{m}:price></{m}:line>",
                        row[1], row[2]
                    );
                }
                for row in &self.rows {
                    out += &format!("{space}<{m}:weight>{}</{m}:weight>", row[2]);
                }
                out += &format!(
                    "{space}<{m}:node><{m}:value>{value}</{m}:value><{m}:node><{m}:value xsi:nil=\"1\"/></{m}:node></{m}:node>"
                );
            }
            _ => {
                let names = ["key", "q", "start", "maxResults", "filter", "restrict"];
                let types = ["string", "string", "int", "int", "boolean", "string"];
                for ((name, kind), value) in names.iter().zip(types).zip(&self.rest) {
                    out += space;
                    out += &multi.element(name, &ty(kind), value, random, may);
                }
            }
        }
        let multi = multi.written;
        out += &format!("{space}</{m}:{name}>{multi}</{e}:Body>{space}</{e}:Envelope>");
        out.into_bytes()
    }
}

/// A message spoiled somewhere.
pub(crate) fn spoiled(message: &[u8], random: &mut Random) -> Vec<u8> {
    let mut spoiled = message.to_vec();
    if spoiled.is_empty() {
        return spoiled;
    }
    let at = random.below(spoiled.len());
    match random.below(6) {
        0 => spoiled.truncate(at),
        1 => spoiled[at] = random.of(b"<>/&;\"'= \r\n0123456789.-eax:[]!?#\0\x7F\x80\xC3\xEF"),
        2 => {
            spoiled.remove(at);
        }
        3 => spoiled.insert(at, random.of(b"<>/&;\"'= \r\n019.-ea:x!]")),
        4 => {
            let end = (at + random.below(40)).min(spoiled.len());
            let piece = spoiled[at..end].to_vec();
            let to = random.below(spoiled.len());
            spoiled.splice(to..to, piece);
        }
        _ => {
            let end = (at + random.below(40)).min(spoiled.len());
            spoiled.drain(at..end);
        }
    }
    spoiled
}
