//! Our side of the table `infoset`.

use std::hint::black_box;

use infoset::{Options, Strings};
use tam::{Document, Table};

use crate::timing::Contestant;

/// One way to write documents, and what work on it is called.
pub(crate) struct Variant {
    pub(crate) read: &'static str,
    pub(crate) write: &'static str,
    pub(crate) options: Options,
}

/// Those that are timed; the first is what their sizes are compared with.
pub(crate) const TIMED: [Variant; 6] = [
    variant("read", "write", Options::uper()),
    variant("read-aper", "write-aper", Options::aper()),
    variant("read-ber", "write-ber", Options::ber()),
    variant("read-deflate", "write-deflate", with(Strings::Deflate)),
    variant("read-bzip2", "write-bzip2", with(Strings::Bzip2)),
    variant("read-zstd", "write-zstd", with(Strings::Zstd)),
];

const fn variant(read: &'static str, write: &'static str, options: Options) -> Variant {
    Variant { read, write, options }
}

const fn with(strings: Strings) -> Options {
    Options::uper().with_strings(strings)
}

/// All ways to write documents, by what their sizes are called.
pub(crate) fn all() -> Vec<(String, Options)> {
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
