//! The table `dds`: SOAP messages into typed values.

use std::hint::black_box;

use dds::{Checksum, Matching, Member, Options, Reader, Schema, Simple, Style, Template, Value};

use crate::{
    dds_messages::{self, Choices, SIZES, hard, hard_of, items, message, structured},
    dds_paper::{self, CHANGED, OURS, PARTITIONS, PORTIONS, with_portion},
    documents::Document,
    report::{Report, Work},
    timing::Contestant,
};

/// What each piece of work is, for the tables' headings.
fn about(work: &str) -> &'static str {
    match work {
        "regular" => "a message read whole, memory kept between messages",
        "portions" => "the same, of the paper's portion sizes (figure 3); ours is 1024 bytes",
        "identical" => "the same message again, compared with the one before",
        "keyed" => "the same message again, by keyed hashes of its portions",
        "checksum" => "the same message again, by the paper's checksums of portions of 4096 bytes; ours is XOR",
        "cold" => "the same message again, all caches emptied before",
        "streams" => "forty streams in turn, a hundredth of each message new",
        "memory" => "bytes kept beside the values, of a template that compares, and of one that hashes",
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

/// The service of the paper's tests, and two of structured values.
pub(crate) fn schema() -> Schema {
    let mut schema = Schema::new();
    let [double, int] = [Simple::Double, Simple::Int].map(|simple| schema.simple(simple));
    let members = [("x", int), ("y", int), ("v", double)].map(|(name, ty)| Member::new(name, ty));
    let point = schema.parameters(members);
    let ints = schema.array(int);
    for (name, item) in [("sendDoubles", double), ("sendInts", int), ("sendPoints", point), ("sendNested", ints)] {
        let data = schema.array(item);
        let parameters = schema.parameters([Member::new("data", data)]);
        schema.method("urn:bsoap-bench", name, parameters, Style::Encoded);
    }
    let [int, double, string] = [Simple::Int, Simple::Double, Simple::String].map(|simple| schema.simple(simple));
    let line = [("sku", string), ("quantity", int), ("price", double)].map(|(name, ty)| Member::new(name, ty));
    let line = schema.parameters(line);
    let lines = schema.array(line);
    let order = [("id", int), ("name", string), ("lines", lines), ("total", double)];
    let order = schema.parameters(order.map(|(name, ty)| Member::new(name, ty)));
    let orders = schema.array(order);
    let parameters = schema.parameters([Member::new("orders", orders)]);
    schema.method("urn:bsoap-bench", "sendOrders", parameters, Style::Encoded);
    schema
}

fn options(matching: Matching) -> Options {
    Options::default().with_matching(matching)
}

fn template(options: &Options) -> Template {
    Template::new(Reader::new(schema(), options))
}

/// Messages one after the other, and again; each copied into the buffer outside the time.
fn stream<'a>(name: &str, options: Options, messages: &'a [Vec<u8>]) -> Contestant<'a> {
    let mut next = 0;
    Contestant::prepared(
        name,
        (template(&options), Vec::new()),
        move |(_, buffer): &mut (Template, Vec<u8>)| {
            buffer.clear();
            buffer.extend_from_slice(&messages[next % messages.len()]);
            next += 1;
        },
        |(template, buffer)| template.read(buffer).is_ok(),
    )
}

/// Ours, and our regular mode.
fn pair<'a>(matching: Matching, messages: &'a [Vec<u8>]) -> Vec<Contestant<'a>> {
    vec![stream("lengthwise", options(matching), messages), stream("regular mode", options(Matching::Never), messages)]
}

/// The number of items of a message, and its numbers: those of gSOAP's peer of the same kind.
fn numbers(input: &[u8]) -> Result<(u8, Vec<f64>), String> {
    let read = Reader::new(schema(), &Options::default()).read(input).map_err(|error| error.to_string())?;
    let array = read.value().and_then(|value| value.member(0)?.as_array()).ok_or("no array")?;
    Ok(match (array.as_doubles(), array.as_ints(), array.items()) {
        (Some(doubles), ..) => (0, doubles.to_vec()),
        (_, Some(ints), _) => (1, ints.iter().map(|&int| f64::from(int)).collect()),
        (.., dds::Items::Columns(columns)) => {
            (2, columns.get(2).and_then(|column| column.as_doubles()).unwrap_or_default().to_vec())
        }
        _ => (3, vec![0.0; array.len()]),
    })
}

/// A message read whole, and the same one again.
fn whole(document: &Document, report: &mut Report) -> Result<(), String> {
    let input = &document.bytes[..];
    let count: usize = document.name.rsplit('-').next().and_then(|n| n.parse().ok()).unwrap_or(0);
    let (kind, numbers) = numbers(input)?;
    if numbers.len() != count {
        return Err(format!("{} items", numbers.len()));
    }
    let messages = [input.to_vec()];
    let work =
        |name| Work { name, document: &document.name, bytes: input.len(), units: count as u64, ..Work::default() };
    for (name, matching) in [("regular", Matching::Never), ("identical", Matching::Exact), ("keyed", Matching::Keyed)] {
        if !report.wants(name) {
            continue;
        }
        let mut all = vec![stream("lengthwise", options(matching), &messages)];
        all.extend(gsoap(kind, input, &numbers, &document.name, report));
        match name {
            "regular" => all.extend(parsers(kind, input, &numbers, &document.name, report)),
            "keyed" => {
                let copy = (input.to_vec(), ());
                let hash = |(copy, ()): &mut (Vec<u8>, ())| twox_hash::XxHash3_64::oneshot(copy);
                all.push(Contestant::prepared("XXH3", copy, move |(copy, ())| copy.copy_from_slice(input), hash));
            }
            _ => {}
        }
        if name != "regular" {
            all.push(stream("regular mode", options(Matching::Never), &messages));
        }
        report.race(&work(name), all);
    }
    if report.wants("portions") {
        let of = |portion| options(Matching::Never).with_portion(portion);
        let mut all = vec![stream("lengthwise", of(OURS), &messages)];
        all.extend([32, 256, 512, 4096].map(|portion| stream(&with_portion(portion), of(portion), &messages)));
        report.race(&work("portions"), all);
    }
    if report.wants("checksum") {
        let checksums = [("XOR", Checksum::Xor), ("Adler-32", Checksum::Adler32), ("CRC-32", Checksum::Crc32)];
        let mut all: Vec<_> =
            checksums.map(|(name, checksum)| stream(name, options(Matching::Checksum(checksum)), &messages)).into();
        all.push(stream("regular mode", options(Matching::Never), &messages));
        report.race(&work("checksum"), all);
    }
    if report.wants("cold") && count >= 50_000 {
        report.race(&work("cold"), cold(input));
    }
    if report.wants("memory") {
        memory(document, &work("memory"), report)?;
    }
    Ok(())
}

/// The same message again and again, its bytes and those before out of the caches.
fn cold(input: &[u8]) -> Vec<Contestant<'_>> {
    [("lengthwise", Matching::Exact), ("keyed", Matching::Keyed), ("regular mode", Matching::Never)]
        .map(|(name, matching)| {
            let state = (template(&options(matching)), Vec::new(), vec![1_u8; CACHES]);
            let prepare = move |(_, buffer, caches): &mut (Template, Vec<u8>, Vec<u8>)| {
                buffer.clear();
                buffer.extend_from_slice(input);
                caches.iter_mut().step_by(64).for_each(|byte| *byte = byte.wrapping_add(1));
            };
            Contestant::prepared(name, state, prepare, |(template, buffer, _)| template.read(buffer).is_ok())
        })
        .into()
}

/// What is kept beside the values, the message's own buffer included where it is kept.
fn memory(document: &Document, work: &Work<'_>, report: &mut Report) -> Result<(), String> {
    for (name, matching) in [("compared", Matching::Exact), ("keyed", Matching::Keyed)] {
        let mut template = template(&options(matching));
        for _ in 0..3 {
            let read = template.read(&mut document.bytes.clone()).map_err(|error| error.to_string())?;
            black_box(read);
        }
        let values = template.last().and_then(|(message, _)| message.value()).map_or(0, bytes_of);
        report.size(work, name, (template.stats().memory as usize).saturating_sub(values));
    }
    Ok(())
}

/// Bytes of the numbers of a value.
fn bytes_of(value: &Value) -> usize {
    match (value, value.as_array()) {
        (Value::Record(members), _) => members.iter().map(bytes_of).sum(),
        (_, Some(array)) => match array.items() {
            dds::Items::Double(items) => size_of_val(&items[..]),
            dds::Items::Int(items) => size_of_val(&items[..]),
            dds::Items::Values(items) => items.iter().map(|item| size_of::<Value>() + bytes_of(item)).sum(),
            dds::Items::Columns(columns) => columns.iter().map(|column| bytes_of(&Value::Array(column.clone()))).sum(),
            _ => 0,
        },
        _ => 0,
    }
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
            report.race(&work, pair(Matching::Exact, &messages));
            // Apart, as every contestant has messages in the caches.
            let mut all = vec![stream("lengthwise", options(Matching::Exact), &messages)];
            for portion in PORTIONS.into_iter().filter(|&portion| portion != OURS) {
                let options = options(Matching::Exact).with_portion(portion);
                all.push(stream(&with_portion(portion), options, &messages));
            }
            all.push(stream("keyed", options(Matching::Keyed), &messages));
            report.race(&work, all);
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
        report.race(&work, pair(Matching::Exact, &messages));
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
    let mut all = pair(Matching::Exact, messages);
    all.push(stream("keyed", options(Matching::Keyed), messages));
    let read = |message: &[u8]| quick_xml::de::from_reader::<_, orders::Envelope>(message).ok();
    match (read(&messages[0]), Reader::new(schema(), &Options::default()).read(&messages[0])) {
        (Some(theirs), Ok(ours)) if theirs.is(&ours) => {
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
        report.race(&work, pair(Matching::Exact, &messages));
    }
}

/// What quick-xml reads orders into.
mod orders {
    use dds::{Message, Value};
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
        pub(super) fn is(&self, message: &Message) -> bool {
            let orders = message.value().and_then(|value| value.member(0)?.as_array());
            let Some(dds::Items::Values(orders)) = orders.map(dds::Array::items) else { return false };
            let is_order = |(theirs, ours): (&Order, &Value)| {
                let lines = ours.member(2).and_then(Value::as_array).map(dds::Array::items);
                let Some(dds::Items::Columns(columns)) = lines else { return false };
                let line = |n: usize, line: &Line| {
                    let text = match columns[0].items() {
                        dds::Items::Text(texts) => texts.get(n),
                        _ => None,
                    };
                    let quantity = columns[1].as_ints().and_then(|ints| ints.get(n));
                    let price = columns[2].as_doubles().and_then(|doubles| doubles.get(n));
                    (text, quantity, price) == (Some(&line.sku), Some(&line.quantity), Some(&line.price))
                };
                ours.member(0) == Some(&Value::Int(theirs.id))
                    && ours.member(1) == Some(&Value::Text(theirs.name.clone()))
                    && ours.member(3) == Some(&Value::Double(theirs.total))
                    && columns[0].len() == theirs.lines.item.len()
                    && theirs.lines.item.iter().enumerate().all(|(n, theirs)| line(n, theirs))
            };
            orders.len() == self.body.call.orders.item.len()
                && self.body.call.orders.item.iter().zip(orders).all(is_order)
        }
    }
}

/// Messages of many senders in turn, each with a template of its own.
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
        let contestant = |name: &str, matching| {
            let templates: Vec<_> = (0..STREAMS).map(|_| (template(&options(matching)), Vec::new())).collect();
            let mut turn = 0;
            let prepare = move |templates: &mut Vec<(Template, Vec<u8>)>| {
                for ((_, buffer), messages) in templates.iter_mut().zip(of_streams) {
                    buffer.clear();
                    buffer.extend_from_slice(&messages[turn % 2]);
                }
                turn += 1;
            };
            let read = |templates: &mut Vec<(Template, Vec<u8>)>| {
                templates.iter_mut().all(|(template, buffer)| template.read(buffer).is_ok())
            };
            Contestant::prepared(name, templates, prepare, read)
        };
        let all = vec![
            contestant("lengthwise", Matching::Exact),
            contestant("keyed", Matching::Keyed),
            contestant("regular mode", Matching::Never),
        ];
        let bytes = of_streams.iter().map(|messages| messages[0].len()).sum();
        report.race(&Work { name, document, bytes, units: STREAMS as u64, ..Work::default() }, all);
    }
}
