//! prost, with the records of two of the schemas of XML in `messages/schemas` as `messages/proto` has them.
//!
//! Structs are filled from the XML, and must have all its text, in its order.

mod ranap;
mod uds;

use std::marker::PhantomData;

use prost::Message;
use roxmltree::Node;

use super::{Per, timed};

/// The content of an element with children.
trait Record: Message + Default + PartialEq + Sized {
    fn read(node: Node<'_, '_>) -> Result<Self, String>;

    /// The text of all elements, in the order of the XML.
    fn texts(&self, out: &mut Vec<String>);
}

/// Text of a kind `K`.
trait Scalar<K>: Sized {
    fn of(text: &str) -> Option<Self>;
    fn text(&self) -> String;
}

/// A member of a record, by how often it is there and what it is.
trait Member<K>: Sized {
    fn read(of: Node<'_, '_>, name: &str) -> Result<Self, String>;
    fn texts(&self, out: &mut Vec<String>);
}

/// A scalar that is always there; that may be absent; any number of them.
struct Is<K>(PhantomData<K>);
struct Maybe<K>(PhantomData<K>);
struct Many<K>(PhantomData<K>);
/// A record that is there or not; any number of them.
struct One;
struct All;

/// Kinds of scalars.
struct Number;
struct Text;
struct Hex;
struct Flag;
/// `xs:dateTime` in UTC, as seconds since 1970.
struct Time;
/// One of some texts, by its place.
struct Code<N>(PhantomData<N>);

trait Texts {
    const ALL: &'static [&'static str];
}

/// Defines records: for each member its name here and in XML, what it is, and what it is to prost.
macro_rules! records {
    ($($record:ident { $($member:ident $name:literal $kind:ty [$($proto:tt)*] $type:ty;)* })*) => {$(
        #[derive(Clone, PartialEq, prost::Message)]
        pub(super) struct $record { $(#[prost($($proto)*)] $member: $type,)* }

        impl Record for $record {
            fn read(node: Node<'_, '_>) -> Result<Self, String> {
                Ok($record { $($member: Member::<$kind>::read(node, $name)?,)* })
            }

            fn texts(&self, out: &mut Vec<String>) {
                $(Member::<$kind>::texts(&self.$member, out);)*
            }
        }
    )*};
}

/// Defines enumerations.
macro_rules! codes {
    ($($name:ident: $($text:literal)+;)*) => {$(
        struct $name;
        impl Texts for $name {
            const ALL: &'static [&'static str] = &[$($text),+];
        }
    )*};
}

use {codes, records};

impl Scalar<Number> for u32 {
    fn of(text: &str) -> Option<u32> {
        text.parse().ok()
    }
    fn text(&self) -> String {
        self.to_string()
    }
}

impl Scalar<Text> for String {
    fn of(text: &str) -> Option<String> {
        Some(text.to_owned())
    }
    fn text(&self) -> String {
        self.clone()
    }
}

impl Scalar<Flag> for bool {
    fn of(text: &str) -> Option<bool> {
        text.parse().ok()
    }
    fn text(&self) -> String {
        self.to_string()
    }
}

impl Scalar<Hex> for Vec<u8> {
    fn of(text: &str) -> Option<Vec<u8>> {
        (0..text.len()).step_by(2).map(|at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok()).collect()
    }
    fn text(&self) -> String {
        self.iter().map(|byte| format!("{byte:02X}")).collect()
    }
}

impl Scalar<Time> for i64 {
    fn of(text: &str) -> Option<i64> {
        let numbers: Option<Vec<i64>> = text.strip_suffix('Z')?.split(['-', 'T', ':']).map(|n| n.parse().ok()).collect();
        let [year, month, day, hour, minute, second] = numbers?[..] else { return None };
        // Years that begin in March have their odd day last.
        let (years, months) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
        let days = years * 365 + years / 4 - years / 100 + years / 400 + (153 * months + 2) / 5 + day - 719_469;
        Some(((days * 24 + hour) * 60 + minute) * 60 + second)
    }
    fn text(&self) -> String {
        let (days, seconds) = (self.div_euclid(86_400), self.rem_euclid(86_400));
        let day_of = |year: i64| year * 365 + year / 4 - year / 100 + year / 400 - 719_468;
        let mut year = (days + 719_468) / 365;
        while day_of(year) > days {
            year -= 1;
        }
        let day = days - day_of(year);
        let months = (5 * day + 2) / 153;
        let (month, day) = (if months < 10 { months + 3 } else { months - 9 }, day - (153 * months + 2) / 5 + 1);
        let year = if month < 3 { year + 1 } else { year };
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}

impl<N: Texts> Scalar<Code<N>> for i32 {
    fn of(text: &str) -> Option<i32> {
        N::ALL.iter().position(|&known| known == text).map(|place| place as i32)
    }
    fn text(&self) -> String {
        N::ALL.get(*self as usize).copied().unwrap_or_default().to_owned()
    }
}

fn children<'a, 'i>(of: Node<'a, 'i>, name: &str) -> impl Iterator<Item = Node<'a, 'i>> {
    of.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}

fn scalars<K, T: Scalar<K>>(of: Node<'_, '_>, name: &str) -> Result<Vec<T>, String> {
    let read = |node: Node<'_, '_>| {
        let text = node.text().unwrap_or_default();
        T::of(text).ok_or_else(|| format!("{text:?} in {name}"))
    };
    children(of, name).map(read).collect()
}

impl<K, T: Scalar<K>> Member<Is<K>> for T {
    fn read(of: Node<'_, '_>, name: &str) -> Result<T, String> {
        scalars(of, name)?.pop().ok_or_else(|| format!("no {name}"))
    }
    fn texts(&self, out: &mut Vec<String>) {
        out.push(self.text());
    }
}

impl<K, T: Scalar<K>> Member<Maybe<K>> for Option<T> {
    fn read(of: Node<'_, '_>, name: &str) -> Result<Option<T>, String> {
        Ok(scalars(of, name)?.pop())
    }
    fn texts(&self, out: &mut Vec<String>) {
        out.extend(self.iter().map(T::text));
    }
}

impl<K, T: Scalar<K>> Member<Many<K>> for Vec<T> {
    fn read(of: Node<'_, '_>, name: &str) -> Result<Vec<T>, String> {
        scalars(of, name)
    }
    fn texts(&self, out: &mut Vec<String>) {
        out.extend(self.iter().map(T::text));
    }
}

impl<R: Record> Member<One> for Option<R> {
    fn read(of: Node<'_, '_>, name: &str) -> Result<Option<R>, String> {
        children(of, name).next().map(R::read).transpose()
    }
    fn texts(&self, out: &mut Vec<String>) {
        self.iter().for_each(|record| record.texts(out));
    }
}

impl<R: Record> Member<All> for Vec<R> {
    fn read(of: Node<'_, '_>, name: &str) -> Result<Vec<R>, String> {
        children(of, name).map(R::read).collect()
    }
    fn texts(&self, out: &mut Vec<String>) {
        self.iter().for_each(|record| record.texts(out));
    }
}

/// A message, and the struct it is of.
struct Prost<R> {
    messages: Vec<Vec<u8>>,
    record: R,
    out: Vec<u8>,
}

impl<R: Record> Prost<R> {
    fn new(root: Node<'_, '_>) -> Result<Prost<R>, String> {
        let record = R::read(root)?;
        let mut texts = Vec::new();
        record.texts(&mut texts);
        let leaf = |node: &Node<'_, '_>| node.is_element() && !node.children().any(|child| child.is_element());
        let wanted = root.descendants().filter(leaf).map(|node| node.text().unwrap_or_default());
        if !wanted.eq(texts.iter().map(String::as_str)) {
            return Err("other text than in the XML".into());
        }
        let message = record.encode_to_vec();
        if R::decode(&message[..]).as_ref() != Ok(&record) {
            return Err("reads something else than it wrote".into());
        }
        Ok(Prost { messages: vec![message], record, out: Vec::new() })
    }
}

impl<R: Record> Per for Prost<R> {
    fn messages(&self) -> &[Vec<u8>] {
        &self.messages
    }

    fn decode(&mut self, times: u32) -> u64 {
        timed(&self.messages, &mut 0, times, |message| R::decode(&message[..]))
    }

    fn encode(&mut self, times: u32) -> u64 {
        let out = &mut self.out;
        timed(std::slice::from_ref(&self.record), &mut 0, times, |record| {
            out.clear();
            record.encode(out)
        })
    }
}

/// The struct of a document of a kind.
pub(crate) fn make(kind: &str, xml: &str) -> Result<Box<dyn Per>, String> {
    let document = roxmltree::Document::parse(xml).map_err(|error| error.to_string())?;
    let root = document.root_element();
    Ok(match (kind, root.tag_name().name()) {
        ("ranap", "ranap-PDU") => Box::new(Prost::<ranap::Pdu>::new(root)?),
        ("uds", "searchRequest") => Box::new(Prost::<uds::SearchRequest>::new(root)?),
        ("uds", "searchResponse") => Box::new(Prost::<uds::SearchResponse>::new(root)?),
        (kind, root) => return Err(format!("there is no {kind} {root}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_seconds() {
        for (text, seconds) in
            [("1970-01-01T00:00:00Z", 0), ("2000-02-29T12:00:01Z", 951_825_601), ("2003-07-26T14:04:53Z", 1_059_228_293)]
        {
            assert_eq!((i64::of(text), seconds.text()), (Some(seconds), text.to_owned()));
        }
    }

    #[test]
    fn all_documents_are_taken() {
        let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../messages/schemas");
        let mut taken = 0;
        for kind in ["ranap", "uds"] {
            for file in std::fs::read_dir(dir.join(kind)).unwrap().map(|file| file.unwrap().path()) {
                if file.extension().is_some_and(|ending| ending == "xml") {
                    let xml = std::fs::read_to_string(&file).unwrap();
                    assert!(make(kind, &xml).is_ok(), "{}", file.display());
                    taken += 1;
                }
            }
        }
        assert_eq!(taken, 13);
        assert!(make("uds", "<other/>").is_err() && make("ranap", "<ranap-PDU>text</ranap-PDU>").is_err());
    }
}
