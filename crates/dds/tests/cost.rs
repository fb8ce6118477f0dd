//! What messages cost that are made to cost: memory and steps in proportion to their length, counted, not timed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "what a test cannot set up, it cannot test")]

extern crate lengthwise_dds as dds;

mod support;

use dds::{Complex, Matching, Member, Options, Reader, Schema, Simple, Style, Template, Templates, Type};
use support::{Content, METHODS, Toolkit, service};
use tam::{Error, Limits, Words};
use test_support::Random;
use test_support::memory::{self, Counting};

#[global_allocator]
static COUNTING: Counting = Counting;

const NAMESPACES: &str = "xmlns:e='http://schemas.xmlsoap.org/soap/envelope/' \
     xmlns:c='http://schemas.xmlsoap.org/soap/encoding/' xmlns:x='http://www.w3.org/2001/XMLSchema'";

/// A message with a header, a body, and content after the call in the body.
fn envelope(header: &str, body: &str) -> Vec<u8> {
    format!("<e:Envelope {NAMESPACES}>{header}<e:Body>{body}</e:Body></e:Envelope>").into_bytes()
}

fn encoded(name: &str, content: &str, after: &str) -> Vec<u8> {
    envelope("", &format!("<m:{name} xmlns:m='urn:b'>{content}</m:{name}>{after}"))
}

fn reader(limits: Limits) -> Reader {
    Reader::new(service(), &Options::default().with_limits(limits))
}

/// Which limit stopped it.
fn limit(error: &Error) -> Option<&'static str> {
    match error.expected() {
        Words::AtMost(_, name) => Some(name),
        _ => None,
    }
}

/// What reading a message took at most, in bytes of memory.
fn peak(reader: &Reader, message: &[u8]) -> (Result<dds::Message, Error>, usize) {
    let (read, peak, _) = memory::cost(|| reader.read(message));
    (read, peak)
}

/// Issue 30, point 1: a text that many items refer to is counted as often as it is referred to.
#[test]
fn referred_text_counts_against_decompressed_bytes() {
    let text = "x".repeat(100_000);
    let items = "<i href='#s'/>".repeat(10_000);
    let message = encoded("sendTexts", &format!("<texts>{items}</texts>"), &format!("<s id='s'>{text}</s>"));
    let limits = Limits { decompressed_bytes: 4 << 20, ..Limits::DEFAULT };
    let (read, peak) = peak(&reader(limits), &message);
    assert_eq!(limit(&read.map(drop).unwrap_err()), Some("decompressed_bytes"));
    assert!(peak < 20 * (message.len() + (4 << 20)), "{peak}");
    // What is within the limit is read.
    let few = encoded(
        "sendTexts",
        &format!("<texts>{}</texts>", "<i href='#s'/>".repeat(30)),
        &format!("<s id='s'>{text}</s>"),
    );
    let read = reader(limits).read(&few).unwrap();
    let texts = read.value().unwrap().member(0).unwrap().as_array().unwrap().len();
    assert_eq!(texts, 30);
}

/// What servers read of anybody may not expand to more than 100 times its bytes, nor to more than 64 MiB.
#[test]
fn untrusted_messages_expand_by_the_ratio_at_most() {
    let reader = reader(Limits::UNTRUSTED);
    let message = |text: usize, items: usize| {
        let items = "<i href='#s'/>".repeat(items);
        let text = "x".repeat(text);
        encoded("sendTexts", &format!("<texts>{items}</texts>"), &format!("<s id='s'>{text}</s>"))
    };
    let (read, peak_bytes) = peak(&reader, &message(8_000, 1_000));
    assert_eq!(limit(&read.map(drop).unwrap_err()), Some("expansion_ratio"));
    assert!(peak_bytes < 8 << 20, "{peak_bytes}");
    let (read, peak_bytes) = peak(&reader, &message(500_000, 35_000));
    assert_eq!(limit(&read.map(drop).unwrap_err()), Some("decompressed_bytes"));
    assert!(peak_bytes < 3 * (64 << 20), "{peak_bytes}");
    assert!(reader.read(&message(1_000, 1_000)).is_ok());
}

/// References in what is referred to multiply: each counts.
#[test]
fn arrays_of_references_to_arrays_count_each_item_as_often_as_it_is_referred_to() {
    let inner = "<i>1</i>".repeat(5_000);
    let rows = "<r href='#a'/>".repeat(5_000);
    let message = encoded("sendNested", &format!("<rows>{rows}</rows>"), &format!("<a id='a'>{inner}</a>"));
    let limits = Limits { decompressed_bytes: 4 << 20, ..Limits::DEFAULT };
    let (read, peak) = peak(&reader(limits), &message);
    assert_eq!(limit(&read.map(drop).unwrap_err()), Some("decompressed_bytes"));
    assert!(peak < 20 * (message.len() + (4 << 20)), "{peak}");
}

/// Issue 30, point 2: a chain of references is followed once. Every step counts against `units`, so that
/// a bound of a few times the elements limits the number of steps.
#[test]
fn chains_of_references_take_steps_in_proportion_to_the_message() {
    for n in [1_000, 4_000] {
        // Elements and attributes are five for each, and steps three.
        let items = "<i href='#r0'/>".repeat(n);
        let chain: String = (0..n).map(|n| format!("<m id='r{n}' href='#r{}'/>", n + 1)).collect();
        let chain = format!("{chain}<m id='r{n}'>7</m>");
        let message = encoded("sendInts", &format!("<data>{items}</data>"), &chain);
        let limits = Limits { units: 5 * n as u32 + 100, ..Limits::DEFAULT };
        let read = reader(limits).read(&message).unwrap();
        let data = read.value().unwrap().member(0).unwrap().as_array().unwrap();
        assert_eq!(data.as_ints(), Some(&vec![7; n][..]));
    }
}

/// Issue 30, point 3: all that templates keep counts against their bound.
#[test]
fn header_blocks_count_against_the_bound_of_templates() {
    let bound = 4 << 20;
    let (templates, kept) = memory::kept(|| {
        let templates = Templates::new(reader(Limits::DEFAULT), bound);
        for toolkit in 0..20 {
            let blocks: String = (0..5_000).map(|n| format!("<h:b{n}/>")).collect();
            let header = format!("<e:Header xmlns:h='urn:{toolkit}'>{blocks}</e:Header>");
            let mut message = envelope(&header, "<m:sendInts xmlns:m='urn:b'><data><i>1</i></data></m:sendInts>");
            let read = templates.read("", &toolkit.to_string(), &mut message).unwrap();
            assert_eq!(read.headers.len(), 5_000);
        }
        templates
    });
    // What templates have at first is not theirs alone: the reader.
    assert!(kept < bound as isize + (256 << 10), "{kept}");
    assert!(templates.stats().memory > bound as u64 / 2);
}

/// A header that grows from message to message is counted although the message is read by the one before.
#[test]
fn memory_is_counted_when_the_envelope_differs() {
    let templates = Templates::new(reader(Limits::DEFAULT), 1 << 30);
    let mut kept = 0;
    for blocks in [1, 20_000] {
        let blocks = "<h:b/>".repeat(blocks);
        let header = format!("<e:Header xmlns:h='urn:h'>{blocks}</e:Header>");
        let mut message = envelope(&header, "<m:sendInts xmlns:m='urn:b'><data><i>1</i></data></m:sendInts>");
        let body = " ".repeat(100_000);
        message.extend_from_slice(body.as_bytes());
        let (_, more) = memory::kept(|| drop(templates.read("", "", &mut message)));
        kept += more;
    }
    assert_eq!(templates.stats().regular, 1);
    let counted = templates.stats().memory as isize;
    assert!((kept - counted).abs() < 300_000, "{kept} {counted}");
}

/// What a template says that it keeps is what it keeps.
#[test]
fn the_memory_that_templates_report_is_what_the_allocator_sees() {
    let mut random = Random::new(1);
    for matching in [Matching::Exact, Matching::Keyed, Matching::Never] {
        let reader = Reader::new(service(), &Options::default().with_matching(matching));
        for method in 0..METHODS {
            let (template, kept) = memory::kept(|| {
                let mut template = Template::new(reader.clone());
                let mut content = Content::made(&mut random, method);
                let rows = content.rows.clone();
                for _ in 0..40 {
                    content.rows.extend(rows.iter().cloned());
                }
                for n in 0..30 {
                    let toolkit = if n % 10 == 0 { Toolkit::made(&mut random) } else { Toolkit::gsoap() };
                    let mut message = content.write(&toolkit, &mut Random::new(9));
                    let _ = template.read(&mut message);
                    content = content.changed(&mut random);
                }
                template
            });
            let counted = template.stats().memory as isize;
            let slack = 4_096 + kept / 16;
            assert!((counted - kept).abs() < slack, "{matching:?} {method}: {counted} counted, {kept} kept");
        }
    }
}

/// A schema of types that hold themselves, and of one with many members that may be left out.
fn deep_and_wide() -> Schema {
    let mut schema = Schema::new();
    let int = schema.simple(Simple::Int);
    let node = schema.declare();
    let nodes = schema.array(node);
    let members = vec![
        Member::new("v", int).optional(),
        Member::new("n", node).optional(),
        Member::new("list", nodes).optional(),
    ];
    schema.define(node, Type::Complex(Complex { name: None, members, ordered: true }));
    schema.method("urn:b", "deep", node, Style::Literal);
    let wide = schema.sequence((0..200).map(|n| Member::new(format!("m{n}"), int).optional()));
    let many = schema.sequence([Member::new("i", wide).many()]);
    schema.method("urn:b", "wide", many, Style::Literal);
    schema
}

/// Messages that are made to cost, each of some length.
fn costly(kind: usize, n: usize) -> Vec<u8> {
    let repeat = |text: &str| text.repeat(n);
    let each = |write: fn(usize) -> String| (0..n).map(write).collect::<String>();
    let block = |content: String| envelope("", &format!("<m:sendInts xmlns:m='urn:b'>{content}</m:sendInts>"));
    match kind {
        0 => block(format!("<data><i {}>1</i></data>", each(|n| format!("a{n}='' ")))),
        1 => block(format!("<data>{}</data>", each(|n| format!("<i xmlns:p{n}='urn:{n}'>1</i>")))),
        2 => block(format!("<data>{}</data>", repeat("<i xmlns:p='urn:p' p:a=''>1</i>"))),
        // Nothing that is known, deep and shallow.
        3 => block(format!("<data>{}{}</data>", repeat("<x>"), repeat("</x>"))),
        4 => block(format!("<data>{}</data>", each(|n| format!("<x{n}/>")))),
        // Counts that are not true.
        5 => block(format!("<data c:arrayType='x:int[4294967295]'>{}</data>", repeat("<i>1</i>"))),
        6 => block(format!("<data c:arrayType='x:int[{}]'><i>1</i></data>", repeat("9,"))),
        7 => block(format!("<data c:arrayType='x:int[2]' c:offset='[{n}]'>{}</data>", repeat("<i>1</i>"))),
        8 => block(format!("<data>{}</data>", each(|n| format!("<i c:position='[{n}]'>1</i>")))),
        // Items each written in a way of its own.
        9 => block(format!("<data>{}</data>", each(|n| format!("<i{n}>1</i{n}>")))),
        10 => encoded("sendNested", &format!("<rows>{}</rows>", repeat("<r/>")), ""),
        11 => encoded("sendNested", &format!("<rows>{}</rows>", repeat("<r><i>1</i></r>")), ""),
        12 => encoded("sendTexts", &format!("<texts>{}</texts>", repeat("<i/>")), ""),
        13 => encoded("sendTexts", &format!("<texts><i>{}</i></texts>", repeat("a<!---->")), ""),
        // Header blocks that share a long namespace.
        14 => envelope(
            &format!(
                "<e:Header xmlns:h='urn:{}' xmlns:g='urn:{}'>{}</e:Header>",
                repeat("h"),
                repeat("g"),
                repeat("<h:b/><g:b/>")
            ),
            "<m:sendInts xmlns:m='urn:b'><data/></m:sendInts>",
        ),
        15 => envelope(
            &format!("<e:Header xmlns:h='urn:h'>{}</e:Header>", each(|n| format!("<h:b e:actor='a{n}'/>"))),
            "<m:sendInts xmlns:m='urn:b'><data/></m:sendInts>",
        ),
        // The same by way of a tree.
        16 => envelope(
            &format!("<e:Header xmlns:h='urn:{}'>{}</e:Header>", repeat("h"), repeat("<h:b/>")),
            "<m:sendInts xmlns:m='urn:b'><data href='#a'/></m:sendInts><x id='a'/>",
        ),
        // Values that are many levels deep, each of which has a place of its own.
        17 => {
            let depth = 200;
            let (open, close) = ("<n>".repeat(depth), "</n>".repeat(depth));
            let values = repeat("<nil/>").replace("<nil/>", "<i><v>1</v></i>");
            envelope("", &format!("<m:deep xmlns:m='urn:b'>{open}<list>{values}</list>{close}</m:deep>"))
        }
        _ => envelope("", &format!("<m:wide xmlns:m='urn:b'>{}</m:wide>", repeat("<i/>"))),
    }
}

const COSTLY: usize = 19;

/// Memory in proportion to the message: no more than 64 bytes for each of its own, but for compounds of which many members are
/// left out, which are stopped by `units`.
#[test]
fn memory_is_in_proportion_to_the_message() {
    let limits = Limits::UNTRUSTED;
    let (known, own) = (reader(limits), Reader::new(deep_and_wide(), &Options::default().with_limits(limits)));
    for kind in 0..COSTLY {
        let reader = if kind < 17 { &known } else { &own };
        for n in [1_000, 8_000] {
            let message = costly(kind, n);
            let (read, peak) = peak(reader, &message);
            if kind < COSTLY - 1 {
                assert!(peak <= 64 * message.len() + (64 << 10), "{kind}: {peak} for {}", message.len());
            } else if n == 8_000 {
                assert_eq!(limit(&read.map(drop).unwrap_err()), Some("units"));
                assert!(peak < 100 * (1 << 20), "{peak}");
            }
        }
    }
}

/// What a message takes that has arrived but for its last byte: no more than 32 bytes for each.
#[test]
fn memory_of_messages_on_their_way_is_in_proportion_to_what_has_arrived() {
    let reader = reader(Limits::UNTRUSTED);
    for kind in 0..17 {
        let message = String::from_utf8(costly(kind, 8_000)).unwrap();
        // What has been read of an envelope is kept while the rest arrives.
        let rest = format!("<e:Body>{}", " ".repeat(message.len()));
        for message in [message.replace("<e:Body>", &rest), message] {
            let (template, kept) = memory::kept(|| {
                let mut template = Template::new(reader.clone());
                for piece in message.as_bytes()[..message.len() - 1].chunks(1_000) {
                    template.feed(piece).unwrap();
                }
                template
            });
            // Arrays in an array, or texts, take room of their own.
            let most = if (10..13).contains(&kind) { 32 } else { 16 };
            assert!((kept as usize) < most * message.len(), "{kind}: {kept} for {}", message.len());
            drop(template);
        }
    }
}

/// A service that is sent one of its own responses does not read what is in it.
#[test]
fn methods_that_are_refused_are_not_read() {
    let mut schema = service();
    let texts = schema.methods().iter().position(|method| method.name.local == "sendTexts").unwrap();
    schema.refuse(texts);
    let reader = Reader::new(schema, &Options::default());
    let items = "<i href='#s'/>".repeat(10_000);
    let after = format!("<s id='s'>{}</s>", "x".repeat(100_000));
    let message = encoded("sendTexts", &format!("<texts>{items}</texts>"), &after);
    let (read, peak) = peak(&reader, &message);
    let error = read.map(drop).unwrap_err();
    assert!(error.to_string().contains("expected a message of the service"), "{error}");
    assert!(peak < 32 * message.len(), "{peak}");
    assert!(reader.read(&encoded("sendInts", "<data><i>1</i></data>", "")).is_ok());
    let message = encoded("sendTexts", "<texts/>", "");
    assert_eq!(reader.read(&message).map(drop), reader.read_plainly(&message).map(drop));
}

/// The most that reading takes, whatever the message: 8 bytes for each of its own, and 256 for each unit. Where nothing else
/// bounds a server's memory, its limits do.
#[test]
fn limits_bound_the_memory_of_reading() {
    let limits = Limits { units: 1 << 13, message_bytes: 1 << 17, ..Limits::UNTRUSTED };
    let reader = reader(limits);
    let most = 8 * (1 << 17) + 256 * (1 << 13) + (64 << 10);
    for kind in 0..17 {
        // What comes before a limit stops it: a little less than half of the units, nearly all, and more.
        for n in [2_600, 7_900, 20_000] {
            let message = String::from_utf8(costly(kind, n)).unwrap();
            let spaces = (1_usize << 17).saturating_sub(message.len());
            let padded = message.replace("<e:Body>", &format!("<e:Body>{}", " ".repeat(spaces)));
            let (_, peak) = peak(&reader, padded.as_bytes());
            assert!(peak < most, "{kind} {n}: {peak} of {most}");
        }
    }
}
