//! The table `dds`: SOAP messages into typed values.

use std::{hint::black_box, rc::Rc};

use asn1::{Value, Values};
use soap::{Body, Service};
use x694::xer::{self, Template};
use xsd::{Memory, Options};

use crate::{
    dds_messages::{self, Choices, SIZES, hard, hard_of, items, message, structured},
    dds_paper::{self, CHANGED, PARTITIONS},
    documents::Document,
    report::{Report, Work},
    timing::Contestant,
};

/// What each piece of work is, for the tables' headings.
fn about(work: &str) -> &'static str {
    match work {
        "regular" => "a message read whole, memory kept between messages",
        "identical" => "the same message again, compared with the one before",
        "cold" => "the same message again, all caches emptied before",
        "streams" => "forty streams in turn, a hundredth of each message new",
        "memory" => "bytes that a template keeps, the message and its values among them",
        "p25" => "a quarter of the values around the middle of each of T partitions is new",
        "p50" => "half of the values of each of T partitions is new",
        "p75" => "three quarters of the values of each of T partitions are new",
        "p100" => "all values are new",
        "scattered1" => "one value in a hundred is new",
        "scattered10" => "one value in ten is new",
        "orders" => {
            "orders with one to five lines each; of every tenth the total is new, and may take another number of bytes"
        }
        "structure" => "orders as above; one order more, a comment or an attribute in each message",
        "hostile" => {
            "orders as above, of which none is the same in two messages, and every tenth has more lines or fewer"
        }
        "insert10" => "ten new values somewhere between the others, which moves those that follow",
        _ => "",
    }
}

/// So many messages follow each other before the first comes again: enough for the branch predictor
/// to forget.
const STREAM: usize = 8;
/// Streams of different senders, read in turn.
const STREAMS: usize = 40;
/// Above what caches hold.
const CACHES: usize = 96 << 20;

pub(crate) fn run(documents: &[Document], report: &mut Report) {
    for document in documents {
        if let Err(error) = whole(document, report) {
            report.fail(&format!("{}: {error}", document.name));
        }
    }
    for count in SIZES {
        if documents.iter().any(|document| document.name == format!("hard-{count}")) {
            grid(count, report);
        }
    }
    if documents.iter().any(|document| document.name == "hard-100000") {
        changes(report);
        orders(report);
        structure(report);
        streams(report);
    }
    report.print(about);
    dds_paper::print(report);
}

const DESCRIPTION: &str = r#"<definitions targetNamespace="urn:s" xmlns:t="urn:s" xmlns:b="urn:bsoap-bench"
    xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/"
    xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:enc="http://schemas.xmlsoap.org/soap/encoding/">
  <types><xs:schema targetNamespace="urn:bsoap-bench">TYPES
    <xs:complexType name="Point"><xs:all><xs:element name="x" type="xs:int"/><xs:element name="y" type="xs:int"/>
      <xs:element name="v" type="xs:double"/></xs:all></xs:complexType>
    <xs:complexType name="Line"><xs:all><xs:element name="sku" type="xs:string"/>
      <xs:element name="quantity" type="xs:int"/><xs:element name="price" type="xs:double"/></xs:all></xs:complexType>
    <xs:complexType name="Order"><xs:all><xs:element name="id" type="xs:int"/><xs:element name="name" type="xs:string"/>
      <xs:element name="lines" type="b:Lines"/><xs:element name="total" type="xs:double"/></xs:all></xs:complexType>
  </xs:schema></types>
  MESSAGES<portType name="Port">OPERATIONS</portType>
  <binding name="Soap" type="t:Port"><soap:binding style="rpc"/>BOUND</binding>
</definitions>"#;

/// The service of the paper's tests, and two of structured values.
fn service() -> Service {
    let array = |(name, of): (&str, &str)| {
        format!(
            "<xs:complexType name=\"{name}\"><xs:complexContent><xs:restriction base=\"enc:Array\"><xs:attribute \
             ref=\"enc:arrayType\" wsdl:arrayType=\"{of}\"/></xs:restriction></xs:complexContent></xs:complexType>"
        )
    };
    let arrays = [
        ("Doubles", "xs:double[]"),
        ("Ints", "xs:int[]"),
        ("Points", "b:Point[]"),
        ("Nested", "xs:int[][]"),
        ("Lines", "b:Line[]"),
        ("Orders", "b:Order[]"),
    ];
    let (mut messages, mut operations, mut bound) = (String::new(), String::new(), String::new());
    for ty in ["Doubles", "Ints", "Points", "Nested", "Orders"] {
        let part = if ty == "Orders" { "orders" } else { "data" };
        messages += &format!("<message name=\"{ty}\"><part name=\"{part}\" type=\"b:{ty}\"/></message>");
        operations += &format!("<operation name=\"send{ty}\"><input message=\"t:{ty}\"/></operation>");
        bound += &format!(
            "<operation name=\"send{ty}\"><input><soap:body use=\"encoded\" namespace=\"urn:bsoap-bench\"/></input></operation>"
        );
    }
    let text = DESCRIPTION.replace("TYPES", &arrays.map(array).concat()).replace("MESSAGES", &messages);
    let text = text.replace("OPERATIONS", &operations).replace("BOUND", &bound);
    let read = Service::read(Memory::new().with("s.wsdl", text), "s.wsdl", &Options::default());
    read.unwrap_or_else(|error| panic!("the description of the bench: {error}"))
}

/// How messages are read.
#[derive(Clone, Copy)]
enum Mode {
    Differences,
    Whole,
}

/// A reader of a stream, and the message that comes next.
struct Stream {
    service: Rc<Service>,
    template: Template,
    values: Values,
    buffer: Vec<u8>,
}

impl Stream {
    fn new() -> Stream {
        Stream::of(&Rc::new(service()))
    }

    fn of(service: &Rc<Service>) -> Stream {
        Stream { service: service.clone(), template: Template::new(), values: Values::new(), buffer: Vec::new() }
    }

    fn put(&mut self, message: &[u8]) {
        self.buffer.clear();
        self.buffer.extend_from_slice(message);
    }

    fn read(&mut self, mode: Mode) -> bool {
        let (types, options) = (self.service.types(), Options::default());
        match mode {
            Mode::Differences => self.template.read(&mut self.buffer, types, &options).is_ok(),
            Mode::Whole => black_box(xer::read(&self.buffer, types, &options, &mut self.values)).is_ok(),
        }
    }
}

/// Messages one after the other, and again; each copied into the buffer outside the time.
fn stream<'a>(name: &str, mode: Mode, messages: &'a [Vec<u8>]) -> Contestant<'a> {
    let mut next = 0;
    Contestant::prepared(
        name,
        Stream::new(),
        move |stream: &mut Stream| {
            stream.put(&messages[next % messages.len()]);
            next += 1;
        },
        move |stream| stream.read(mode),
    )
}

/// Ours, and ours when every message is read whole.
fn pair(messages: &[Vec<u8>]) -> Vec<Contestant<'_>> {
    vec![stream("lengthwise", Mode::Differences, messages), stream("read whole", Mode::Whole, messages)]
}

/// What a message has in its body.
fn body<R>(input: &[u8], then: impl FnOnce(Value<'_>) -> R) -> Result<R, String> {
    let (service, mut values) = (service(), Values::new());
    let read = xer::read(input, service.types(), &Options::default(), &mut values);
    match service.message(read.map_err(|error| error.to_string())?).body() {
        Some(Body::Call { value, .. }) => Ok(then(value)),
        _ => Err("no call".to_owned()),
    }
}

/// The number of items of a message, and its numbers: those of gSOAP's peer of the same kind.
fn numbers(kind: u8, input: &[u8]) -> Result<Vec<f64>, String> {
    body(input, |value| {
        let items = value.get("data/item").into_iter().flat_map(Value::items);
        let number = |item: Value<'_>| match kind {
            0 => item.get("content")?.as_f64(),
            1 => Some(item.get("content")?.as_i64()? as f64),
            2 => item.get("content/v")?.as_f64(),
            _ => Some(0.0),
        };
        items.filter_map(number).collect()
    })
}

/// A message read whole, and the same one again.
fn whole(document: &Document, report: &mut Report) -> Result<(), String> {
    let input = &document.bytes[..];
    let count: usize = document.name.rsplit('-').next().and_then(|n| n.parse().ok()).unwrap_or(0);
    let kind = match document.name.split('-').next() {
        Some("easy" | "hard") => 0,
        Some("int") => 1,
        Some("points") => 2,
        _ => 3,
    };
    let numbers = numbers(kind, input)?;
    if numbers.len() != count {
        return Err(format!("{} items", numbers.len()));
    }
    let messages = [input.to_vec()];
    let work =
        |name| Work { name, document: &document.name, bytes: input.len(), units: count as u64, ..Work::default() };
    if report.wants("regular") {
        let mut all = vec![stream("lengthwise", Mode::Whole, &messages)];
        all.extend(gsoap(kind, input, &numbers, &document.name, report));
        all.extend(parsers(kind, input, &numbers, &document.name, report));
        report.race(&work("regular"), all);
    }
    if report.wants("identical") {
        let mut all = pair(&messages);
        all.extend(gsoap(kind, input, &numbers, &document.name, report));
        report.race(&work("identical"), all);
    }
    if report.wants("cold") && count >= 50_000 {
        report.race(&work("cold"), cold(input));
    }
    if report.wants("memory") {
        let (service, mut template) = (service(), Template::new());
        for _ in 0..3 {
            let read = template.read(&mut document.bytes.clone(), service.types(), &Options::default());
            black_box(read.map_err(|error| error.to_string())?);
        }
        report.size(&work("memory"), "kept", template.stats().memory as usize);
    }
    Ok(())
}

/// The same message again and again, its bytes and those before out of the caches.
fn cold(input: &[u8]) -> Vec<Contestant<'_>> {
    [("lengthwise", Mode::Differences), ("read whole", Mode::Whole)]
        .map(|(name, mode)| {
            let state = (Stream::new(), vec![1_u8; CACHES]);
            let prepare = move |(stream, caches): &mut (Stream, Vec<u8>)| {
                stream.put(input);
                caches.iter_mut().step_by(64).for_each(|byte| *byte = byte.wrapping_add(1));
            };
            Contestant::prepared(name, state, prepare, move |(stream, _)| stream.read(mode))
        })
        .into()
}

/// gSOAP, if it finds the same numbers.
#[cfg(gsoap)]
fn gsoap<'a>(
    kind: u8,
    input: &'a [u8],
    numbers: &[f64],
    document: &str,
    report: &mut Report,
) -> Option<Contestant<'a>> {
    // The gSOAP peer has no type for arrays in arrays.
    if kind > 2 {
        return None;
    }
    let mut peer = crate::ffi::Gsoap::new();
    let found = peer.read(kind, input).unwrap_or(0);
    if found == numbers.len() && peer.items(kind, found) == numbers {
        return Some(Contestant::new("gSOAP", move || black_box(peer.read(kind, input))));
    }
    report.fail(&format!("{document}: gSOAP is left out: it finds {found} items"));
    None
}

#[cfg(not(gsoap))]
fn gsoap<'a>(_: u8, _: &'a [u8], _: &[f64], _: &str, _: &mut Report) -> Option<Contestant<'a>> {
    None
}

/// Parsers of XML with the best parsing of numbers there is for them, that find the same numbers.
fn parsers<'a>(kind: u8, input: &'a [u8], numbers: &[f64], document: &str, report: &mut Report) -> Vec<Contestant<'a>> {
    let mut all = Vec::new();
    if kind > 1 {
        return all;
    }
    let mut add = |name: &str, found: Vec<f64>, contestant: Contestant<'a>| {
        if found == numbers {
            all.push(contestant);
        } else {
            report.fail(&format!("{document}: {name} is left out: it finds other numbers"));
        }
    };
    if kind == 0 {
        let read = |items: &mut Vec<f64>| by_quick_xml(input, items, |text| fast_float2::parse(text).ok());
        let mut items = Vec::new();
        read(&mut items);
        add("quick-xml", items, Contestant::prepared("quick-xml + fast-float2", Vec::new(), |_| (), read));
    } else {
        let read = |items: &mut Vec<i32>| by_quick_xml(input, items, |text| atoi_simd::parse(text).ok());
        let mut items = Vec::new();
        read(&mut items);
        let found = items.iter().map(|&int| f64::from(int)).collect();
        add("quick-xml", found, Contestant::prepared("quick-xml + atoi_simd", Vec::new(), |_| (), read));
    }
    #[cfg(all(soap_numbers, expat))]
    {
        use crate::ffi::soap_numbers as peers;
        let read = move || peers::by_expat(kind, input);
        let found = read().unwrap_or(0);
        add("expat", peers::items(kind, found), Contestant::new("expat + from_chars", read));
    }
    #[cfg(all(soap_numbers, pugixml))]
    {
        use crate::ffi::soap_numbers as peers;
        let copy = input.to_vec();
        let found = peers::by_pugixml(kind, &mut copy.clone()).unwrap_or(0);
        let contestant = Contestant::prepared(
            "pugixml + from_chars",
            copy,
            move |copy| copy.copy_from_slice(input),
            move |copy| peers::by_pugixml(kind, copy),
        );
        add("pugixml", peers::items(kind, found), contestant);
    }
    all
}

/// The texts of all elements `item`, by the events of quick-xml; names as they are written.
fn by_quick_xml<T>(input: &[u8], items: &mut Vec<T>, number: impl Fn(&[u8]) -> Option<T>) -> bool {
    use quick_xml::{Reader, events::Event};
    items.clear();
    let mut reader = Reader::from_reader(input);
    let mut inside = false;
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => inside = tag.name().as_ref() == "item",
            Ok(Event::Text(text)) if inside => match number(AsRef::<str>::as_ref(&text).as_bytes()) {
                Some(value) => items.push(value),
                None => return false,
            },
            Ok(Event::End(_)) => inside = false,
            Ok(Event::Eof) => return true,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
}

/// A stream of messages, each changed from the one before.
fn changed(first: &[String], change: &mut dyn FnMut(&mut Vec<String>)) -> Vec<Vec<u8>> {
    let mut last = first.to_vec();
    let mut messages = vec![message("hard", &last)];
    for _ in 1..STREAM {
        change(&mut last);
        messages.push(message("hard", &last));
    }
    messages
}

/// The paper's table 3: P % of each of T partitions are new, in portions of N bytes.
fn grid(count: usize, report: &mut Report) {
    let first = items("hard", count, 1);
    let mut choices = Choices::new(2);
    for (name, percent) in CHANGED {
        if !report.wants(name) {
            continue;
        }
        for partitions in PARTITIONS {
            let messages = changed(&first, &mut |next| {
                for partition in next.chunks_mut(count / partitions) {
                    let changed = partition.len() * percent / 100;
                    let from = (partition.len() - changed) / 2;
                    for item in &mut partition[from..from + changed] {
                        *item = hard_of(item.len(), &mut choices);
                    }
                }
            });
            let document = format!("hard-{count}-T{partitions}");
            let bytes = messages[0].len();
            let work = Work { name, document: &document, bytes, units: count as u64, ..Work::default() };
            report.race(&work, pair(&messages));
        }
    }
}

/// Changes that the paper has not measured, to 100 000 hard doubles.
fn changes(report: &mut Report) {
    let count = 100_000;
    let first = items("hard", count, 1);
    let mut choices = Choices::new(2);
    for name in ["scattered1", "scattered10", "insert10"] {
        if !report.wants(name) {
            continue;
        }
        let messages = changed(&first, &mut |next| match name {
            "insert10" => (0..10).for_each(|_| next.insert(choices.below(next.len() + 1), hard(&mut choices))),
            _ => {
                let changed = if name == "scattered1" { count / 100 } else { count / 10 };
                (0..changed).for_each(|_| next[choices.below(count)] = hard(&mut choices));
            }
        });
        let (document, bytes) = ("hard-100000", messages[0].len());
        let work = Work { name, document, bytes, units: count as u64, ..Work::default() };
        report.race(&work, pair(&messages));
    }
}

/// Records with arrays in them, which nobody counts; beside quick-xml into Rust's own types.
fn orders(report: &mut Report) {
    let name = "orders";
    if !report.wants(name) {
        return;
    }
    let count = 8_000;
    let mut choices = Choices::new(6);
    let mut totals: Vec<usize> = (0..count).map(|_| choices.below(100_000)).collect();
    let messages: Vec<Vec<u8>> = (0..STREAM)
        .map(|_| {
            (0..count / 10).for_each(|_| totals[choices.below(count)] = choices.below(100_000));
            dds_messages::orders(&totals)
        })
        .collect();
    let messages = &messages[..];
    let mut all = pair(messages);
    let read = |message: &[u8]| quick_xml::de::from_reader::<_, orders::Envelope>(message).ok();
    match (read(&messages[0]), &messages[0]) {
        (Some(theirs), ours) if body(ours, |ours| theirs.is(ours)) == Ok(true) => {
            let mut next = 0;
            all.push(Contestant::new("quick-xml + serde", move || {
                next += 1;
                read(&messages[next % STREAM])
            }));
        }
        _ => report.fail("orders: quick-xml is left out: it finds other orders"),
    }
    let bytes = dds_messages::orders(&totals).len();
    report.race(&Work { name, document: "orders-8000", bytes, units: count as u64, ..Work::default() }, all);
}

/// Messages whose structure changes, and messages in which comparing finds nothing.
fn structure(report: &mut Report) {
    let count = 2_000;
    let mut choices = Choices::new(7);
    let mut totals: Vec<usize> = (0..count).map(|_| choices.below(100_000)).collect();
    let changes: [&dyn Fn(String, usize) -> String; 4] = [
        &|text, n| {
            text.replacen(
                "<item>",
                &format!("<item><id>{n}</id><name>N</name><lines/><total>1</total></item><item>"),
                1,
            )
        },
        &|text, n| {
            text.replace(
                "</orders>",
                &format!("<item><id>{n}</id><name>N</name><lines/><total>1</total></item></orders>"),
            )
        },
        &|text, n| text.replacen("<ns:sendOrders>", &format!("<ns:sendOrders><!-- {n} -->"), 1),
        &|text, n| text.replacen("<name>", &format!("<name lang='{n}'>"), 1 + n % 2),
    ];
    for (name, is_hostile) in [("structure", false), ("hostile", true)] {
        if !report.wants(name) {
            continue;
        }
        let messages: Vec<Vec<u8>> = (0..2 * STREAM)
            .map(|n| {
                if is_hostile {
                    totals.fill_with(|| choices.below(1_000_000));
                    totals.truncate(count - n % 7);
                }
                let text = String::from_utf8(dds_messages::orders(&totals)).unwrap_or_default();
                let text = if is_hostile { text.replace("<id>1", &format!("<id>{n}")) } else { text };
                changes[n % 4](text, n).into_bytes()
            })
            .collect();
        let bytes = messages[0].len();
        let work = Work { name, document: "orders-2000", bytes, units: count as u64, ..Work::default() };
        report.race(&work, pair(&messages));
    }
}

/// What quick-xml reads orders into.
mod orders {
    use asn1::Value;
    use serde::Deserialize;

    #[derive(Deserialize)]
    pub(super) struct Envelope {
        #[serde(rename = "Body")]
        body: Body,
    }

    #[derive(Deserialize)]
    struct Body {
        #[serde(rename = "sendOrders")]
        call: Call,
    }

    #[derive(Deserialize)]
    struct Call {
        orders: List<Order>,
    }

    #[derive(Deserialize)]
    struct List<T> {
        item: Vec<T>,
    }

    #[derive(Deserialize)]
    struct Order {
        id: i32,
        name: String,
        lines: List<Line>,
        total: f64,
    }

    #[derive(Deserialize)]
    struct Line {
        sku: String,
        quantity: i32,
        price: f64,
    }

    impl Envelope {
        /// Whether they are the same orders.
        pub(super) fn is(&self, call: Value<'_>) -> bool {
            let theirs = &self.body.call.orders.item;
            let orders = call.get("orders/item").into_iter().flat_map(Value::items);
            let is_line = |(theirs, ours): (&Line, Value<'_>)| {
                let get = |name: &str| ours.get("content")?.get(name);
                get("sku").and_then(Value::as_str) == Some(&theirs.sku)
                    && get("quantity").and_then(Value::as_i64) == Some(theirs.quantity.into())
                    && get("price").and_then(Value::as_f64) == Some(theirs.price)
            };
            let is_order = |(theirs, ours): (&Order, Value<'_>)| {
                let get = |name: &str| ours.get("content")?.get(name);
                let lines = get("lines/item").into_iter().flat_map(Value::items);
                get("id").and_then(Value::as_i64) == Some(theirs.id.into())
                    && get("name").and_then(Value::as_str) == Some(&theirs.name)
                    && get("total").and_then(Value::as_f64) == Some(theirs.total)
                    && lines.clone().count() == theirs.lines.item.len()
                    && theirs.lines.item.iter().zip(lines).all(is_line)
            };
            orders.clone().count() == theirs.len() && theirs.iter().zip(orders).all(is_order)
        }
    }
}

/// Messages of many senders to one service in turn, each with a template of its own.
fn streams(report: &mut Report) {
    let name = "streams";
    if !report.wants(name) {
        return;
    }
    let count = 2_500;
    let mut choices = Choices::new(4);
    let of_streams: Vec<[Vec<u8>; 2]> = (0..STREAMS)
        .map(|seed| {
            let mut items = items("hard", count, seed as u64 + 10);
            let first = message("hard", &items);
            (0..count / 100).for_each(|_| items[choices.below(count)] = hard(&mut choices));
            [first, message("hard", &items)]
        })
        .collect();
    let points: Vec<[Vec<u8>; 2]> = (0..STREAMS)
        .map(|_| {
            let first = structured("points", 500, &mut choices);
            let text = String::from_utf8_lossy(&first).into_owned();
            let changed =
                |text: String, n: usize| text.replace(&format!("<x>{n}</x>"), &format!("<x>{}</x>", n * 1_000));
            [first, (100..500).step_by(100).fold(text, changed).into_bytes()]
        })
        .collect();
    for (document, of_streams) in [("forty of hard-2500", &of_streams), ("forty of points-500", &points)] {
        let contestant = |name: &str, mode| {
            let service = Rc::new(service());
            let streams: Vec<_> = (0..STREAMS).map(|_| Stream::of(&service)).collect();
            let mut turn = 0;
            let prepare = move |streams: &mut Vec<Stream>| {
                for (stream, messages) in streams.iter_mut().zip(of_streams) {
                    stream.put(&messages[turn % 2]);
                }
                turn += 1;
            };
            let read = move |streams: &mut Vec<Stream>| streams.iter_mut().all(|stream| stream.read(mode));
            Contestant::prepared(name, streams, prepare, read)
        };
        let all = vec![contestant("lengthwise", Mode::Differences), contestant("read whole", Mode::Whole)];
        let bytes = of_streams.iter().map(|messages| messages[0].len()).sum();
        report.race(&Work { name, document, bytes, units: STREAMS as u64, ..Work::default() }, all);
    }
}
