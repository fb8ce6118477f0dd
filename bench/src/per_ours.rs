//! Our side of the table `per`: modules loaded when the program runs.

use std::hint::black_box;

use asn1::{Compiled, NodeId, Options, Value, Values};
use messages::Kind;
use tam::Table;

use crate::timing::Contestant;

/// A module, as the codecs use it, and the type that messages are of.
pub(crate) struct Module {
    types: Compiled,
    root: NodeId,
}

impl Module {
    /// Reads the notation of a kind's module.
    pub(crate) fn load(kind: &Kind) -> Result<Module, tam::Error> {
        let schema = asn1::notation::parse(&[(kind.file, kind.module)], &asn1::Limits::default())?;
        let types = Compiled::new(&schema)?;
        let root = types.find(kind.root)?;
        Ok(Module { types, root })
    }

    /// A value out of JSON, as X.697 writes it.
    pub(crate) fn make<'v>(
        &'v self,
        json: &'v str,
        table: &'v mut Table<'_>,
        values: &'v mut Values,
    ) -> Result<Value<'v>, tam::Error> {
        let document = text::json::read(json.as_bytes(), &text::json::Options::default(), table)?;
        asn1::jer::read(&document, &self.types, self.root, &asn1::Limits::default(), values)
    }

    pub(crate) fn read<'v>(
        &'v self,
        message: &'v [u8],
        values: &'v mut Values,
        options: &Options,
    ) -> Result<Value<'v>, tam::Error> {
        asn1::read(message, &self.types, self.root, options, values)
    }

    /// Reads messages in turn; the room for their values is kept.
    pub(crate) fn decoding<'a>(&'a self, name: &str, messages: &'a [&[u8]], options: &'a Options) -> Contestant<'a> {
        let (mut values, mut next) = (Values::new(), turns(messages));
        Contestant::new(name, move || {
            self.read(black_box(next()), &mut values, options).map(|value| _ = black_box(&value)).is_ok()
        })
    }
}

/// Writes values in turn; the buffer is kept.
pub(crate) fn encoding<'a>(name: &str, values: &'a [Value<'a>], options: &'a Options) -> Contestant<'a> {
    let (mut out, mut next) = (Vec::new(), turns(values));
    Contestant::new(name, move || {
        out.clear();
        let done = asn1::append(black_box(*next()), options, &mut out).is_ok();
        black_box(&out);
        done
    })
}

/// One after the other, and then the first again.
fn turns<'a, T>(all: &'a [T]) -> impl FnMut() -> &'a T {
    let mut at = 0;
    move || {
        let item = &all[at];
        at += 1;
        if at == all.len() {
            at = 0;
        }
        item
    }
}
