//! Progressive matching: a message that differs in its structure takes what it has in common with the one before.

extern crate lengthwise_dds as dds;

use dds::{Member, Options, Reader, Schema, Simple, Style, Template};
use test_support::{Random, rounds};

/// Orders with their lines: an optional note in each, one before the list and one after it.
fn schema() -> Schema {
    let mut schema = Schema::new();
    let [int, string, double] = [Simple::Int, Simple::String, Simple::Double].map(|simple| schema.simple(simple));
    let line = schema.parameters([Member::new("sku", string), Member::new("count", int), Member::new("price", double)]);
    let lines = schema.array(line);
    let tag = schema.parameters([Member::new("key", string).optional(), Member::new("values", int).many()]);
    let order = schema.parameters([
        Member::new("id", int),
        Member::new("customer", string).nillable(),
        Member::new("note", string).optional(),
        Member::new("lines", lines),
        Member::new("tag", tag).many(),
        Member::new("total", double).nillable(),
    ]);
    let orders = schema.array(order);
    let parameters = schema.parameters([
        Member::new("remark", string).optional(),
        Member::new("orders", orders),
        Member::new("end", string).optional(),
    ]);
    schema.method("urn:o", "send", parameters, Style::Literal);
    schema
}

#[derive(Clone, Default)]
struct Order {
    id: usize,
    attribute: &'static str,
    customer: String,
    note: Option<String>,
    lines: Vec<(String, usize)>,
    tags: Vec<(Option<String>, Vec<usize>)>,
    total: Option<usize>,
}

#[derive(Clone)]
struct Content {
    orders: Vec<Order>,
    prefix: &'static str,
    /// The declarations of the envelope, in this order.
    declarations: Vec<&'static str>,
    header: bool,
    attribute: &'static str,
    remark: Option<String>,
    end: Option<String>,
    /// Text before the orders of these numbers, and between the members of others.
    between: Vec<(usize, &'static str)>,
    within: Vec<(usize, &'static str)>,
}

impl Order {
    fn made(random: &mut Random) -> Order {
        let line = |random: &mut Random| (format!("sku-{}", random.below(90)), random.below(20));
        let tag = |random: &mut Random| {
            let key = random.one_in(2).then(|| format!("k{}", random.below(9)));
            (key, (0..random.below(4)).map(|_| random.below(1000)).collect())
        };
        Order {
            id: random.below(1_000_000),
            attribute: "",
            customer: format!("Customer & Sons number {}", random.below(500)).replace('&', "&amp;"),
            note: random.one_in(4).then(|| format!("note {}", random.below(100))),
            lines: (0..1 + random.below(4)).map(|_| line(random)).collect(),
            tags: (0..random.below(3)).map(|_| tag(random)).collect(),
            total: Some(random.below(1_000_000)),
        }
    }

    fn write(&self, within: &str) -> String {
        let mut text =
            format!("<order{}><id>{}</id>{within}<customer>{}</customer>", self.attribute, self.id, self.customer);
        if let Some(note) = &self.note {
            text += &format!("<note>{note}</note>");
        }
        text += "<lines>";
        for (sku, count) in &self.lines {
            text += &format!("<line><sku>{sku}</sku><count>{count}</count><price>{count}.25</price></line>");
        }
        text += "</lines>";
        for (key, values) in &self.tags {
            let key = key.as_ref().map(|key| format!("<key>{key}</key>")).unwrap_or_default();
            let values: String = values.iter().map(|value| format!("<values>{value}</values>")).collect();
            text += &format!("<tag>{key}{values}</tag>");
        }
        text += &match self.total {
            Some(total) => format!("<total>{total}.5</total>"),
            None => "<total xsi:nil=\"true\"/>".into(),
        };
        text + "</order>\n"
    }
}

impl Content {
    fn made(random: &mut Random, orders: usize) -> Content {
        Content {
            orders: (0..orders).map(|_| Order::made(random)).collect(),
            prefix: "o",
            declarations: vec![
                "xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"",
                "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"",
                "xmlns:w=\"urn:w\"",
            ],
            header: false,
            attribute: "",
            remark: None,
            end: None,
            between: Vec::new(),
            within: Vec::new(),
        }
    }

    fn write(&self) -> Vec<u8> {
        let prefix = self.prefix;
        let header = if self.header { "<e:Header><w:id>7</w:id></e:Header>" } else { "" };
        let mut text = format!("<e:Envelope {}>{header}<e:Body>", self.declarations.join(" "));
        text += &format!("<{prefix}:send xmlns:{prefix}=\"urn:o\"{}>", self.attribute);
        if let Some(remark) = &self.remark {
            text += &format!("<remark>{remark}</remark>");
        }
        text += "<orders>";
        let find =
            |list: &[(usize, &'static str)], n: usize| list.iter().find(|(at, _)| *at == n).map_or("", |one| one.1);
        for (n, order) in self.orders.iter().enumerate() {
            text += find(&self.between, n);
            text += &order.write(find(&self.within, n));
        }
        text += "</orders>";
        if let Some(end) = &self.end {
            text += &format!("<end>{end}</end>");
        }
        text += &format!("</{prefix}:send></e:Body></e:Envelope>");
        text.into_bytes()
    }
}

type Change = fn(&mut Content, usize);

/// What issue 24 asks for, a change for each message.
const CHANGES: [(&str, Change); 18] = [
    ("a record more at the end", |content, n| content.orders.push(Order { id: n, ..content.orders[n].clone() })),
    ("in front", |content, n| content.orders.insert(0, Order { id: n, ..content.orders[n].clone() })),
    ("in the middle", |content, n| {
        let middle = content.orders.len() / 2;
        content.orders.insert(middle, Order { id: n, ..content.orders[n].clone() });
    }),
    ("a record less", |content, n| drop(content.orders.remove(n * 7))),
    ("one more line in the first", |content, n| content.orders[0].lines.push(("new".into(), n))),
    ("an optional element in the first", |content, n| {
        content.orders[0].note = n.is_multiple_of(2).then(|| "here".into());
    }),
    ("an optional element in the last", |content, n| {
        content.orders[399].note = n.is_multiple_of(2).then(|| "here".into());
    }),
    ("an element before the list", |content, n| content.remark = n.is_multiple_of(2).then(|| "here".into())),
    ("an element after the list", |content, n| content.end = n.is_multiple_of(2).then(|| "here".into())),
    ("one nil", |content, n| content.orders[150].total = n.is_multiple_of(2).then_some(n)),
    ("an attribute of the method", |content, n| content.attribute = ["", " w:a='1'"][n % 2]),
    ("an attribute of one item", |content, n| content.orders[150].attribute = ["", " w:a='1'"][n % 2]),
    ("a comment", |content, n| content.within = vec![(150, ["", "<!-- here -->"][n % 2])]),
    ("a newline", |content, n| content.between = vec![(150, ["", "\n"][n % 2])]),
    ("declarations in another order", |content, _| content.declarations.rotate_left(1)),
    ("a header that comes and goes", |content, n| content.header = n.is_multiple_of(2)),
    ("one more value in a nested list", |content, n| {
        content.orders[150].tags = vec![(None, (0..n).collect()), (Some("k".into()), vec![1])];
    }),
    ("several of these", |content, n| {
        content.orders.insert(50 * n, Order { id: n, ..content.orders[n].clone() });
        content.orders.remove(40 * n);
        content.orders[40].lines.push(("new".into(), n));
        content.orders[30 * n].note = Some("new".into());
        content.orders[200].total = n.is_multiple_of(2).then_some(n);
    }),
];

#[test]
fn a_change_of_structure_is_read_and_the_rest_is_taken() {
    let reader = Reader::new(schema(), &Options::default());
    for (name, change) in CHANGES {
        let mut random = Random::new(3);
        let mut content = Content::made(&mut random, 400);
        let mut template = Template::new(reader.clone());
        let first = content.write();
        assert!(reader.is_read_in_one_pass(&first));
        template.read(&mut first.clone()).unwrap();
        for n in 1..8 {
            change(&mut content, n);
            let message = content.write();
            let before = template.stats();
            assert_eq!(template.read(&mut message.clone()).cloned(), reader.read(&message), "{name}");
            let skipped = template.stats().bytes_skipped - before.bytes_skipped;
            assert!(skipped as usize > message.len() / 100 * 97, "{name}: {skipped} of {}", message.len());
        }
        assert_eq!(template.stats().regular, 1, "{name}");
    }
}

/// With other prefixes a message is read whole once.
#[test]
fn after_prefixes_are_renamed_messages_are_had_from_each_other_again() {
    let reader = Reader::new(schema(), &Options::default());
    let mut content = Content::made(&mut Random::new(4), 500);
    let mut template = Template::new(reader.clone());
    for (n, prefix) in ["o", "o", "p", "p", "p"].into_iter().enumerate() {
        content.prefix = prefix;
        content.orders[n].note = Some("new".into());
        let message = content.write();
        assert_eq!(template.read(&mut message.clone()).cloned(), reader.read(&message));
    }
    assert_eq!(template.stats().regular, 2);
}

/// Streams of small messages with every kind of change at once, whole and in pieces, some of them spoiled.
fn compare(seed: u64, streams: usize) {
    let mut random = Random::new(seed);
    let (mut bytes, mut skipped) = (0, 0);
    for _ in 0..streams {
        let options =
            Options::default().with_piece(random.of(&[64, 512, 16 << 10])).with_portion(random.of(&[32, 1024]));
        let reader = Reader::new(schema(), &options);
        let (mut template, mut fed) = (Template::new(reader.clone()), Template::new(reader.clone()));
        let orders = random.below(40);
        let mut content = Content::made(&mut random, orders);
        for _ in 0..12 {
            for _ in 0..random.below(4) {
                changed(&mut content, &mut random);
            }
            let mut message = content.write();
            if random.one_in(5) {
                let at = random.below(message.len());
                match random.below(3) {
                    0 => message.truncate(at),
                    1 => message[at] = random.of(b"<>/ &x1"),
                    _ => drop(message.remove(at)),
                }
            }
            let expected = reader.read(&message);
            let text = String::from_utf8_lossy(&message).into_owned();
            assert_eq!(template.read(&mut message.clone()).cloned(), expected, "{text}");
            let mut rest = message.as_slice();
            while !rest.is_empty() {
                let (piece, others) = rest.split_at(rest.len().min(1 + random.below(2_000)));
                assert!(fed.feed(piece).is_ok());
                rest = others;
            }
            assert_eq!(fed.finish().cloned(), expected, "{text}");
        }
        (bytes, skipped) = (bytes + template.stats().bytes, skipped + template.stats().bytes_skipped);
    }
    assert!(skipped > bytes / 3, "{skipped} of {bytes}");
}

fn changed(content: &mut Content, random: &mut Random) {
    let len = content.orders.len();
    let which = random.below(len.max(1));
    match random.below(16) {
        0 => content.orders.insert(random.below(len + 1), Order::made(random)),
        // The same once more: what is taken twice is copied.
        1 if len > 0 => content.orders.insert(random.below(len + 1), content.orders[which].clone()),
        2 if len > 0 => drop(content.orders.remove(which)),
        3 if len > 0 => {
            let other = random.below(len);
            content.orders.swap(which, other);
        }
        4 => content.header = !content.header,
        5 => content.attribute = random.of(&["", " w:a='1'", " w:b=\"2\""]),
        6 => content.remark = random.one_in(2).then(|| "remark".into()),
        7 => content.end = random.one_in(2).then(|| "end".into()),
        8 => content.between = vec![(which, random.of(&["", "\n", "<!-- c -->", "  "]))],
        9 => content.within = vec![(which, random.of(&["", "\n", "<!-- c -->", "  "]))],
        10 if random.one_in(4) => content.declarations.rotate_left(1),
        11 if random.one_in(9) => content.prefix = random.of(&["o", "p"]),
        _ => {
            let Some(order) = content.orders.get_mut(which) else { return };
            match random.below(9) {
                0 => order.note = random.one_in(2).then(|| "note".into()),
                1 => order.total = random.one_in(2).then(|| random.below(100)),
                2 => order.lines.insert(random.below(order.lines.len() + 1), ("more".into(), random.below(9))),
                3 if !order.lines.is_empty() => drop(order.lines.remove(random.below(order.lines.len()))),
                4 => order.tags.insert(random.below(order.tags.len() + 1), (None, vec![1, 2, random.below(9)])),
                5 if !order.tags.is_empty() => drop(order.tags.remove(random.below(order.tags.len()))),
                6 => order.attribute = random.of(&["", " w:a='1'", " xmlns:v='urn:v'", " xmlns:w='urn:v'"]),
                7 if !order.lines.is_empty() => order.lines[0].1 = random.below(1000),
                _ => order.id = random.below(100_000),
            }
        }
    }
}

#[test]
fn whatever_changes_messages_are_read_as_in_regular_mode() {
    compare(1, rounds(600));
}

#[test]
#[ignore = "minutes: make mutations"]
fn whatever_changes_messages_are_read_as_in_regular_mode_a_million_times() {
    compare(2, 80_000);
}

/// Records that repeat without an array around them, with records in them that repeat.
#[test]
fn records_may_come_anywhere_among_those_that_repeat() {
    let mut schema = Schema::new();
    let [int, string] = [Simple::Int, Simple::String].map(|simple| schema.simple(simple));
    let line = schema.sequence([Member::new("sku", string), Member::new("count", int)]);
    let order = schema.sequence([
        Member::new("id", int),
        Member::new("note", string).optional(),
        Member::new("line", line).many(),
        Member::new("total", int).nillable(),
    ]);
    let parameters = schema.sequence([Member::new("remark", string).optional(), Member::new("order", order).many()]);
    schema.method("urn:o", "send", parameters, Style::Literal);
    let reader = Reader::new(schema, &Options::default());
    let order = |n: usize| {
        let line =
            |m: usize| format!("<line><sku>AB-{}-{m}</sku><count>{}</count></line>", n * 7 % 1000, 1 + (n + m) % 9);
        let lines: String = (0..1 + n % 4).map(line).collect();
        format!("<order><id>{}</id>{lines}<total>{}</total></order>", 100_000 + n, n * 37 % 100_000)
    };
    for at in [0, 200, 400] {
        let mut template = Template::new(reader.clone());
        for k in 0..8 {
            let mut orders: Vec<String> = (0..400).map(order).collect();
            orders.splice(at..at, (0..k).map(|j| order(5_000 + j)));
            let message = format!(
                "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Body><o:send xmlns:o=\"urn:o\">{}\
                 </o:send></e:Body></e:Envelope>",
                orders.concat()
            );
            let expected = reader.read(message.as_bytes());
            assert!(expected.is_ok());
            assert_eq!(template.read(&mut message.into_bytes()).cloned(), expected);
        }
        let stats = template.stats();
        assert!(stats.regular == 1 && stats.bytes_skipped > stats.bytes / 100 * 85, "{at}: {stats:?}");
    }
}
