//! Our side of the table `infoset`.

use std::hint::black_box;

use infoset::{Event, Options, Strings};
use tam::{Document, Error, Table};

use crate::{counts::XmlCounts, timing::Contestant};

/// One way to write documents, and what work on it is called.
pub(crate) struct Variant {
    pub(crate) read: &'static str,
    pub(crate) events: &'static str,
    pub(crate) write: &'static str,
    pub(crate) options: Options<'static>,
}

/// Those that are timed; the first is what their sizes are compared with.
pub(crate) const TIMED: [Variant; 6] = [
    variant("read", "events", "write", Options::uper()),
    variant("read-aper", "events-aper", "write-aper", Options::aper()),
    variant("read-ber", "events-ber", "write-ber", Options::ber()),
    variant("read-deflate", "events-deflate", "write-deflate", with(Strings::Deflate)),
    variant("read-bzip2", "events-bzip2", "write-bzip2", with(Strings::Bzip2)),
    variant("read-zstd", "events-zstd", "write-zstd", with(Strings::Zstd)),
];

const fn variant(read: &'static str, events: &'static str, write: &'static str, options: Options<'static>) -> Variant {
    Variant { read, events, write, options }
}

const fn with(strings: Strings) -> Options<'static> {
    Options::uper().with_strings(strings)
}

/// All ways to write documents, by what their sizes are called.
pub(crate) fn all() -> Vec<(String, Options<'static>)> {
    let rules = [Options::uper(), Options::aper(), Options::ber()];
    let strings = [Strings::None, Strings::Deflate, Strings::Bzip2, Strings::Zstd];
    let mut all = Vec::new();
    for paper in [false, true] {
        for options in rules {
            for strings in strings {
                let mut name = options.rules.as_str().to_owned();
                for part in [if paper { "paper" } else { "" }, strings.as_str()].iter().filter(|part| !part.is_empty())
                {
                    name = format!("{name} {part}");
                }
                all.push((name, options.with_strings(strings).with_paper(paper)));
            }
        }
    }
    all
}

/// Reads a message into a table that is kept.
pub(crate) fn reading<'a>(message: &'a [u8], options: &'a Options) -> Contestant<'a> {
    let mut table = Table::new();
    Contestant::new("lengthwise", move || {
        infoset::read(black_box(message), options, &mut table).map(|document| _ = black_box(document)).is_ok()
    })
}

/// Reads the whole content of a message, and counts.
pub(crate) fn drain(message: &[u8], options: &Options) -> Result<XmlCounts, Error> {
    let mut counts = XmlCounts::default();
    infoset::events(message, options)?.for_each(|event| {
        match event {
            Event::Start(tag) => {
                counts.elements += 1;
                counts.name_bytes += black_box(tag.name().as_bytes()).len() as u64;
                for attribute in tag.attributes() {
                    counts.attributes += 1;
                    counts.name_bytes += black_box(attribute.name().as_bytes()).len() as u64;
                    counts.value_bytes += black_box(attribute.value_bytes()?).len() as u64;
                }
            }
            Event::Text(text) => {
                counts.texts += 1;
                counts.value_bytes += black_box(text.as_bytes()?).len() as u64;
            }
            Event::End(_) => {}
            _ => counts.others += 1,
        }
        Ok(())
    })?;
    Ok(counts)
}

/// Goes through a message.
pub(crate) fn draining<'a>(message: &'a [u8], options: &'a Options) -> Contestant<'a> {
    Contestant::new("lengthwise", move || drain(black_box(message), options).is_ok())
}

/// Goes through a message for the tags alone: no text is asked for, so that no block of them is opened
/// that names are not in.
pub(crate) fn skimming<'a>(message: &'a [u8], options: &'a Options) -> Contestant<'a> {
    let skim = move || -> Result<u64, Error> {
        let mut names = 0;
        let mut events = infoset::events(black_box(message), options)?;
        while let Some(event) = events.next_event()? {
            if let Event::Start(tag) = event {
                names += black_box(tag.name().as_bytes()).len() as u64 + tag.attributes().len() as u64;
            }
        }
        Ok(names)
    };
    Contestant::new("lengthwise, tags alone", move || skim().is_ok())
}

/// Writes a document into a buffer that is kept.
pub(crate) fn writing<'a>(document: &'a Document<'_>, options: &'a Options) -> Contestant<'a> {
    let mut out = Vec::new();
    Contestant::new("lengthwise", move || {
        out.clear();
        let done = infoset::append(black_box(document), options, &mut out).is_ok();
        black_box(&out);
        done
    })
}
