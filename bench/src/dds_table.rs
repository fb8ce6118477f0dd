//! The table `dds`: SOAP messages into typed values.

use std::hint::black_box;

use dds::{Matching, Member, Options, Reader, Schema, Simple, Style, Template};

use crate::{
    dds_messages::{Choices, hard, hard_of, items, message},
    documents::Document,
    report::{Report, Work},
    timing::Contestant,
};

/// What each piece of work is, for the tables' headings.
fn about(work: &str) -> &'static str {
    match work {
        "regular" => "a message read whole, memory kept between messages",
        "identical" => "the same message again, compared with the one before",
        "p25" => "a quarter of the values around the middle of each of T partitions is new",
        "p50" => "half of the values of each of T partitions is new",
        "p75" => "three quarters of the values of each of T partitions are new",
        "p100" => "all values are new",
        "scattered1" => "one value in a hundred is new",
        "scattered10" => "one value in ten is new",
        "insert10" => "ten new values somewhere between the others, which moves those that follow",
        _ => "",
    }
}

/// The paper's numbers of partitions.
const PARTITIONS: [usize; 4] = [1, 100, 200, 500];
/// So many messages follow each other before the first comes again: enough for the branch predictor
/// to forget.
const STREAM: usize = 8;

pub(crate) fn run(documents: &[Document], report: &mut Report) {
    for document in documents {
        if let Err(error) = whole(document, report) {
            report.fail(&format!("{}: {error}", document.name));
        }
        if document.name == "hard-100000" {
            grid(report);
        }
    }
    report.print(about);
}

/// The service of the paper's tests.
pub(crate) fn schema() -> Schema {
    let mut schema = Schema::new();
    for (name, simple) in [("sendDoubles", Simple::Double), ("sendInts", Simple::Int)] {
        let item = schema.simple(simple);
        let data = schema.array(item);
        let parameters = schema.parameters([Member::new("data", data)]);
        schema.method("urn:bsoap-bench", name, parameters, Style::Encoded);
    }
    schema
}

fn template(matching: Matching) -> Template {
    Template::new(Reader::new(schema(), &Options::default().with_matching(matching)))
}

/// Messages one after the other, and again; each copied into the buffer outside the time.
fn stream<'a>(name: &str, matching: Matching, messages: &'a [Vec<u8>]) -> Contestant<'a> {
    let mut next = 0;
    Contestant::prepared(
        name,
        (template(matching), Vec::new()),
        move |(_, buffer): &mut (Template, Vec<u8>)| {
            buffer.clear();
            buffer.extend_from_slice(&messages[next % messages.len()]);
            next += 1;
        },
        |(template, buffer)| template.read(buffer).is_ok(),
    )
}

/// A message read whole, and the same one again.
fn whole(document: &Document, report: &mut Report) -> Result<(), String> {
    let input = &document.bytes[..];
    let kind = u8::from(document.name.starts_with("int"));
    let count: usize = document.name.rsplit('-').next().and_then(|n| n.parse().ok()).unwrap_or(0);
    let read = Reader::new(schema(), &Options::default()).read(input).map_err(|error| error.to_string())?;
    let array = read.value().and_then(|value| value.member(0)?.as_array()).ok_or("no array")?;
    let numbers: Vec<f64> = match (array.as_doubles(), array.as_ints()) {
        (Some(doubles), _) => doubles.to_vec(),
        (_, Some(ints)) => ints.iter().map(|&int| f64::from(int)).collect(),
        _ => return Err("no numbers".into()),
    };
    if numbers.len() != count {
        return Err(format!("{} items", numbers.len()));
    }
    let messages = [input.to_vec()];
    let work =
        |name| Work { name, document: &document.name, bytes: input.len(), units: count as u64, ..Work::default() };
    for (name, matching) in [("regular", Matching::Never), ("identical", Matching::Exact)] {
        if !report.wants(name) {
            continue;
        }
        let mut all = vec![stream("lengthwise", matching, &messages)];
        #[cfg(gsoap)]
        {
            let mut peer = crate::ffi::Gsoap::new();
            let found = peer.read(kind, input).unwrap_or(0);
            if found == count && peer.items(kind, count) == numbers {
                all.push(Contestant::new("gSOAP", move || black_box(peer.read(kind, input))));
            } else {
                report.fail(&format!("{}: gSOAP is left out: it finds {found} items", document.name));
            }
        }
        #[cfg(soap_numbers)]
        if name == "regular" {
            all.extend(parsers(kind, input, &numbers, &document.name, report));
        }
        #[cfg(not(gsoap))]
        let _ = (kind, &numbers);
        if name == "identical" {
            all.push(stream("regular mode", Matching::Never, &messages));
        }
        report.race(&work(name), all);
    }
    Ok(())
}

/// Parsers of XML with the best number parsing of the C++ library, that find the same numbers.
#[cfg(soap_numbers)]
fn parsers<'a>(kind: u8, input: &'a [u8], numbers: &[f64], document: &str, report: &mut Report) -> Vec<Contestant<'a>> {
    use crate::ffi::soap_numbers as peers;
    let mut all = Vec::new();
    let mut add = |name: &str, found: Option<usize>, contestant: Contestant<'a>| {
        if found == Some(numbers.len()) && peers::items(kind, numbers.len()) == numbers {
            all.push(contestant);
        } else {
            report.fail(&format!("{document}: {name} is left out: it finds other numbers"));
        }
    };
    #[cfg(expat)]
    {
        let read = move || peers::by_expat(kind, input);
        add("expat", read(), Contestant::new("expat + from_chars", read));
    }
    #[cfg(pugixml)]
    {
        let copy = input.to_vec();
        let found = peers::by_pugixml(kind, &mut copy.clone());
        let contestant = Contestant::prepared(
            "pugixml + from_chars",
            copy,
            move |copy| copy.copy_from_slice(input),
            move |copy| peers::by_pugixml(kind, copy),
        );
        add("pugixml", found, contestant);
    }
    all
}

/// The paper's section 4.5: changes of many kinds, to 100 000 hard doubles.
fn grid(report: &mut Report) {
    let count = 100_000;
    let first = items("hard", count, 1);
    let race = |report: &mut Report,
                name: &'static str,
                document: &str,
                change: &mut dyn FnMut(&[String]) -> Vec<String>| {
        if !report.wants(name) {
            return;
        }
        let mut messages = vec![message("hard", &first)];
        let mut last = first.clone();
        for _ in 1..STREAM {
            last = change(&last);
            messages.push(message("hard", &last));
        }
        let work = Work { name, document, bytes: messages[0].len(), units: count as u64, ..Work::default() };
        let all =
            vec![stream("lengthwise", Matching::Exact, &messages), stream("regular mode", Matching::Never, &messages)];
        report.race(&work, all);
    };
    let mut choices = Choices::new(2);
    for (name, percent) in [("p25", 25), ("p50", 50), ("p75", 75), ("p100", 100)] {
        for partitions in PARTITIONS {
            let document = format!("hard-{count}-T{partitions}");
            race(report, name, &document, &mut |last| {
                let mut next = last.to_vec();
                for partition in next.chunks_mut(count / partitions) {
                    let changed = partition.len() * percent / 100;
                    let from = (partition.len() - changed) / 2;
                    for item in &mut partition[from..from + changed] {
                        *item = hard_of(item.len(), &mut choices);
                    }
                }
                next
            });
        }
    }
    for (name, changed) in [("scattered1", count / 100), ("scattered10", count / 10)] {
        race(report, name, "hard-100000", &mut |last| {
            let mut next = last.to_vec();
            for _ in 0..changed {
                next[choices.below(count)] = hard(&mut choices);
            }
            next
        });
    }
    race(report, "insert10", "hard-100000", &mut |last| {
        let mut next = last.to_vec();
        for _ in 0..10 {
            next.insert(choices.below(next.len() + 1), hard(&mut choices));
        }
        next
    });
}
