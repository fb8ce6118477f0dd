//! What a template remembers of a message is true of its bytes, whatever it has been through.

use crate::options::Options;
use crate::reader::Reader;
use crate::rows::portions::Portions;
use crate::schema::{Member, Schema, Simple, Style};
use crate::soap::envelope::Body;
use crate::templates::template::Template;
use crate::trace::{Part, Trace};
use crate::values::Value;
use test_support::{Random, rounds};

fn reader() -> Reader {
    let mut schema = Schema::new();
    let [int, string] = [Simple::Int, Simple::String].map(|simple| schema.simple(simple));
    let line = schema.parameters([Member::new("sku", string), Member::new("count", int).nillable()]);
    let lines = schema.array(line);
    let rows = schema.array(lines);
    let order = schema.parameters([
        Member::new("note", string).optional(),
        Member::new("lines", lines),
        Member::new("rows", rows).optional(),
        Member::new("code", int).many(),
    ]);
    let orders = schema.array(order);
    let ints = schema.array(int);
    let parameters = schema.parameters([
        Member::new("first", string).optional(),
        Member::new("orders", orders),
        Member::new("ints", ints),
    ]);
    schema.method("urn:o", "send", parameters, Style::Literal);
    Reader::new(schema, &Options::default().with_portion(32))
}

fn order(random: &mut Random) -> String {
    let line = |random: &mut Random| {
        let count = random.of(&[
            "<count>7</count>",
            "<count>12345</count>",
            "<count xsi:nil='1'/>",
            "<!--c--><count>1</count>",
        ]);
        format!("<l><sku>s{}</sku>{count}</l>", random.below(3))
    };
    let lines = |random: &mut Random| (0..random.below(6)).map(|_| line(random)).collect::<String>();
    let note = random.of(&["", "<note>n</note>", "<note>another</note>", "<note/>"]);
    let first = lines(random);
    let rows: String = (0..random.below(3)).map(|_| format!("<r>{}</r>", lines(random))).collect();
    let rows = if random.one_in(2) { format!("<rows>{rows}</rows>") } else { String::new() };
    let codes: String = (0..random.below(4)).map(|n| format!("<code>{n}</code>")).collect();
    let declared = random.of(&["", "", " xmlns:v='urn:v'"]);
    format!("<o{declared}>{note}<lines>{first}</lines>{rows}{codes}</o>")
}

/// Holds places and values against the bytes.
fn check(template: &Template, reader: &Reader) {
    let Some(state) = &template.state else { return };
    let (Some((_, _, trace)), Body::Call { value, .. }) = (&state.places, &state.message.body) else { return };
    let Trace { parts, steps, absent, .. } = trace;
    let bytes = &template.last;
    let mut at = 0;
    let mut open: Vec<(&[u32], u32)> = Vec::new();
    for part in parts {
        let (start, _) = part.range();
        assert!(start >= at, "{part:?} after {at}");
        match part {
            Part::Slot { leaf, ty, path } => {
                let (text, end) = leaf.name.read(bytes, leaf.start).unwrap();
                assert_eq!(end, leaf.end);
                let own = reader.schema.value(*ty, &text);
                assert_eq!(value.at(steps.of(*path)), own.as_ref());
                at = end;
            }
            Part::Count { end, .. } => at = *end,
            Part::Run(run) => {
                let Some(Value::Array(array)) = value.at(steps.of(run.path)) else { panic!("no array") };
                let Portions { items, lens, list, .. } = &run.portions;
                at = run.start;
                for n in 0..*items {
                    let mut own = array.items.emptied();
                    own.push(Value::Absent);
                    let end = run.row.restore(bytes, at, &mut own, 0).unwrap();
                    assert_eq!(end - at, lens.get(n).unwrap());
                    let mut own_array = array.clone();
                    (own_array.items, own_array.len, own_array.nil) = (own, 1, Vec::new());
                    assert_eq!(own_array.get(0), array.get(run.first + n));
                    at = end;
                }
                assert_eq!(at - run.start, run.portions.len());
                assert_eq!(list.iter().map(|portion| usize::from(portion.items)).sum::<usize>(), *items);
                assert!(!run.whole || *items == array.len);
            }
            Part::Mark(mark) => {
                let path = steps.of(mark.path);
                let Some(Value::Array(array)) = value.at(path) else { panic!("no array") };
                match open.last_mut() {
                    Some((own, item)) if *own == path => {
                        assert!(*item < mark.item);
                        *item = mark.item;
                    }
                    _ => {
                        assert_eq!(mark.item, 0);
                        open.push((path, 0));
                    }
                }
                let text = &bytes[mark.at..];
                if mark.absent.is_none() {
                    assert_eq!(mark.item as usize, array.len);
                    open.pop();
                    assert!(bytes[..mark.at].ends_with(b">"));
                } else {
                    assert!(text.starts_with(b"<o") || text.starts_with(b"<r"), "{}", String::from_utf8_lossy(text));
                }
                at = mark.at;
            }
        }
    }
    assert!(open.is_empty());
    let mut pool = crate::pool::Pool::default();
    assert_eq!(reader.read_fast(bytes, &mut pool).map(|reading| reading.trace.absent), Some(*absent));
}

#[test]
#[cfg_attr(miri, ignore = "long: thousands of messages")]
fn places_are_true_of_the_bytes_after_every_message() {
    let reader = reader();
    let mut random = Random::new(1);
    let mut skipped = 0;
    for _ in 0..rounds(150) {
        let mut template = Template::new(reader.clone());
        let pool: Vec<String> = (0..12).map(|_| order(&mut random)).collect();
        let mut orders: Vec<String> = (0..random.below(30)).map(|_| pool[random.below(12)].clone()).collect();
        let mut ints: Vec<&str> = vec!["1"; random.below(60)];
        for _ in 0..20 {
            for _ in 0..random.below(3) {
                let (at, len) = (random.below(orders.len() + 1), ints.len());
                match random.below(6) {
                    0 | 1 => orders.insert(at, pool[random.below(12)].clone()),
                    2 if at < orders.len() => drop(orders.remove(at)),
                    3 if at < orders.len() => orders[at] = order(&mut random),
                    4 => ints.insert(random.below(len + 1), random.of(&["2", "333", "4<!--c-->", " 5 "])),
                    _ if len > 0 => drop(ints.remove(random.below(len))),
                    _ => {}
                }
            }
            let first = random.of(&["", "", "<first>text</first>"]);
            let odd = |n: usize| random_nil(n, &ints);
            let ints: String = (0..ints.len()).map(odd).collect();
            let message = format!(
                "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/' \
                 xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'><e:Body><m:send xmlns:m='urn:o'>{first}\
                 <orders>{}</orders><ints>{ints}</ints></m:send></e:Body></e:Envelope>",
                orders.concat()
            );
            let bad = message.replace("</ints>", "</into>");
            assert_eq!(template.read(&mut message.clone().into_bytes()).cloned(), reader.read(message.as_bytes()));
            check(&template, &reader);
            assert!(template.read(&mut bad.into_bytes()).is_err());
            check(&template, &reader);
        }
        skipped += 100 * template.stats().bytes_skipped / template.stats().bytes;
    }
    assert!(skipped / rounds(150) as u64 > 15, "{skipped}");
}

/// An item; some are written in a way of their own.
fn random_nil(n: usize, ints: &[&str]) -> String {
    match (n, ints.len() % 4) {
        (7, 1) => "<i xsi:nil='true'/>".into(),
        (9, 2) => "<i ><!--c-->7</i>".into(),
        _ => format!("<i>{}</i>", ints[n]),
    }
}
