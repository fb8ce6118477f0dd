//! The purpose of each bit of a message in PER, BER or OER.

use lengthwise::asn1::compiled::Kind;
use lengthwise::asn1::event::{At, Integer, Part, Real, Sink, Stretch};
use lengthwise::asn1::{self, Compiled, NodeId};
use lengthwise::{Error, ErrorKind};

/// The most octets, or characters of a text, that are shown.
const OCTETS: usize = 32;
const CHARACTERS: usize = 100;

/// Bits of a message with one purpose.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Field<'f> {
    /// The first bit, counted from the start of the message.
    pub bit: u64,
    /// The number of bits.
    pub bits: u64,
    /// Their purpose: [`Part::as_str`], or `padding`.
    pub part: &'static str,
    /// The path of the value that they belong to.
    pub path: &'f str,
    /// Its type; empty for padding.
    pub kind: &'static str,
    /// The value, if these bits complete it.
    pub value: Option<&'f str>,
}

/// Passes the fields of a message to `take` in order, up to the first error, or until `take` returns that it wants no more.
/// Bits between them are fields of the purpose `padding`. Long values are cut.
///
/// # Errors
/// The error in the message; kind syntax as well for bytes after the value.
pub fn fields(
    message: &[u8],
    types: &Compiled,
    root: NodeId,
    options: &asn1::Options,
    take: &mut dyn FnMut(&Field<'_>) -> bool,
) -> Result<(), Error> {
    let mut fields = Fields {
        types,
        message,
        take,
        more: true,
        buffer: Vec::new(),
        open: Vec::new(),
        path: String::new(),
        bit: 0,
        pending: None,
        value: String::new(),
    };
    let read = asn1::read_events(message, types, root, options, &mut fields);
    fields.flush(None);
    if !fields.more {
        return Ok(());
    }
    let used = read?;
    fields.pad(used as u64 * 8);
    if used < message.len() {
        let found = lengthwise::tam::Words::Count((message.len() - used) as u64, "bytes after the value");
        return Err(Error::new(
            ErrorKind::Syntax,
            options.rules.as_str(),
            used as u64,
            found,
            "the end of the message",
        ));
    }
    Ok(())
}

struct Fields<'a, 't> {
    types: &'a Compiled,
    message: &'a [u8],
    take: &'a mut (dyn FnMut(&Field<'_>) -> bool + 't),
    more: bool,
    buffer: Vec<u8>,
    open: Vec<OpenValue>,
    /// The path of the open values.
    path: String,
    /// The end of the last field.
    bit: u64,
    pending: Option<Pending>,
    value: String,
}

/// An open value.
struct OpenValue {
    node: NodeId,
    kind: OpenKind,
    /// The length of its own part of the path.
    path: usize,
}

/// What indexes in an open value refer to.
#[derive(Clone, Copy)]
enum OpenKind {
    /// A message, or the value of an open type, which is there as itself.
    Single,
    Record(u32),
    Array,
    /// A string with a value in it.
    Content,
    /// The choice's number, and that of the alternative.
    Choice(u32, u32),
}

/// A field whose value may follow.
struct Pending {
    at: At<usize>,
    node: NodeId,
    part: Part,
    bit: u64,
    bits: u64,
}

impl Fields<'_, '_> {
    /// The path of a part of an open value.
    fn path_of(&self, at: At<usize>) -> String {
        let Some(open) = self.open.get(at.level) else { return String::new() };
        let mut path = self.path.get(..open.path).unwrap_or_default().to_owned();
        let name = match open.kind {
            OpenKind::Single => return path,
            OpenKind::Array => {
                path.push_str(&format!("/{}", at.index));
                return path;
            }
            OpenKind::Content => Some("containing"),
            OpenKind::Record(number) => {
                self.types.record(number).members.get(at.index as usize).map(|member| &member.name[..])
            }
            OpenKind::Choice(number, alternative) => {
                let alternatives = &self.types.choice(number).alternatives;
                alternatives.get(alternative as usize).map(|alternative| &alternative.name[..])
            }
        };
        path.push('/');
        path.push_str(name.unwrap_or("…"));
        path
    }

    fn enter(&mut self, at: At<usize>, node: NodeId, kind: OpenKind) -> usize {
        self.path = self.path_of(at);
        self.open.push(OpenValue { node, kind, path: self.path.len() });
        self.open.len() - 1
    }

    /// Whether bits at a place belong to the open record itself, not to a component of it.
    fn is_own(&self, at: At<usize>, node: NodeId, part: Part) -> bool {
        let Some(OpenValue { node: own, kind: OpenKind::Record(number), .. }) = self.open.get(at.level) else {
            return false;
        };
        let member = self.types.record(*number).members.get(at.index as usize);
        *own == node
            && matches!(part, Part::Length | Part::Presence | Part::Unknown)
            && member.is_none_or(|member| member.node != node)
    }

    /// Passes a field on.
    fn hand_on(&mut self, field: &Pending, has_value: bool) {
        self.pad(field.bit);
        let path = match self.open.get(field.at.level) {
            Some(open) if self.is_own(field.at, field.node, field.part) => {
                self.path.get(..open.path).unwrap_or_default().to_owned()
            }
            _ => self.path_of(field.at),
        };
        let field = Field {
            bit: field.bit,
            bits: field.bits,
            part: field.part.as_str(),
            path: if path.is_empty() { "/" } else { &path },
            kind: self.types.kind_name(field.node),
            value: has_value.then_some(&self.value),
        };
        self.more = self.more && (self.take)(&field);
        self.bit = self.bit.max(field.bit + field.bits);
    }

    /// Passes on the padding between fields.
    fn pad(&mut self, to: u64) {
        if to > self.bit {
            let (bit, bits) = (self.bit, to - self.bit);
            let padding = Field { bit, bits, part: "padding", path: "", kind: "", value: None };
            self.more = self.more && (self.take)(&padding);
            self.bit = to;
        }
    }

    /// Passes on the pending field. It has a value if it is `part` of the value at a place, which otherwise has no
    /// bits.
    fn flush(&mut self, value: Option<(At<usize>, NodeId, Part)>) {
        let pending = self.pending.take();
        let Some((at, node, part)) = value else {
            if let Some(field) = pending {
                self.hand_on(&field, false);
            }
            return;
        };
        match pending {
            Some(field) if field.at == at && field.part == part => self.hand_on(&field, true),
            other => {
                if let Some(field) = other {
                    self.hand_on(&field, false);
                }
                let bit = self.bit;
                self.hand_on(&Pending { at, node, part, bit, bits: 0 }, true);
            }
        }
    }

    /// Ends the walk if no more fields are wanted.
    fn go_on(&mut self) -> Result<(), Error> {
        match self.more {
            true => Ok(()),
            false => Err(Error::new(ErrorKind::Io, "any", 0, "nobody who listens", "somebody")),
        }
    }

    /// A value without content of its own.
    fn scalar(&mut self, at: At<usize>, node: NodeId, value: impl Into<String>) -> Result<(), Error> {
        self.value = value.into();
        self.flush(Some((at, node, Part::Value)));
        self.buffer.clear();
        self.go_on()
    }

    fn stretch(&self, octets: Stretch) -> &[u8] {
        match octets {
            Stretch::Message { start, len } => self.message.get(start..start + len),
            Stretch::Buffer { start } => self.buffer.get(start..),
        }
        .unwrap_or_default()
    }
}

/// Octets in hexadecimal.
fn hex(octets: &[u8]) -> String {
    let shown = octets.get(..OCTETS).unwrap_or(octets);
    let digits: String = shown.iter().map(|octet| format!("{octet:02X}")).collect();
    if shown.len() < octets.len() { digits + "…" } else { digits }
}

impl Sink for Fields<'_, '_> {
    type Level = usize;

    const BITS: bool = true;

    fn root(&mut self, node: NodeId) -> usize {
        self.open.push(OpenValue { node, kind: OpenKind::Single, path: 0 });
        0
    }

    fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    fn bits(&mut self, at: At<usize>, node: NodeId, part: Part, start: u64, end: u64) {
        self.flush(None);
        self.pending = Some(Pending { at, node, part, bit: start, bits: end.saturating_sub(start) });
    }

    fn null(&mut self, at: At<usize>, node: NodeId) -> Result<(), Error> {
        self.scalar(at, node, "NULL")
    }

    fn boolean(&mut self, at: At<usize>, node: NodeId, value: bool) -> Result<(), Error> {
        self.scalar(at, node, if value { "TRUE" } else { "FALSE" })
    }

    fn integer(&mut self, at: At<usize>, node: NodeId, value: Integer<'_>) -> Result<(), Error> {
        let text = match (value, value.to_i128()) {
            (_, Some(number)) => number.to_string(),
            (Integer::Big(octets), None) => format!("0x{}", hex(octets)),
            (Integer::Small(number), None) => number.to_string(),
        };
        self.scalar(at, node, text)
    }

    fn enumerated(&mut self, at: At<usize>, node: NodeId, item: u32) -> Result<(), Error> {
        let name = match self.types.node(node).kind {
            Kind::Enumerated(number) => self.types.enumeration(number).text(item as usize),
            _ => None,
        };
        let name = name.map_or_else(|| format!("number {item}, of a later version"), str::to_owned);
        self.scalar(at, node, name)
    }

    fn real(&mut self, at: At<usize>, node: NodeId, value: Real<'_>) -> Result<(), Error> {
        let text = match value {
            Real::Double(double) => format!("{double:?}"),
            Real::Decimal(text) => {
                let mut plain = String::new();
                let plain = if self.types.is_decimal(node) && value.push_plain(&mut plain) { &plain } else { text };
                plain.chars().take(CHARACTERS).collect()
            }
        };
        self.scalar(at, node, text)
    }

    fn bit_string(&mut self, at: At<usize>, node: NodeId, octets: Stretch, len: u64) -> Result<(), Error> {
        let digits = hex(self.stretch(octets));
        self.scalar(at, node, format!("{digits} ({len} bits)"))
    }

    fn octets(&mut self, at: At<usize>, node: NodeId, octets: Stretch) -> Result<(), Error> {
        let octets = self.stretch(octets);
        let text = match self.types.node(node).kind {
            Kind::ObjectIdentifier | Kind::RelativeOid => dotted(self.types, node, octets),
            _ => None,
        };
        let text = text.unwrap_or_else(|| hex(octets));
        self.scalar(at, node, text)
    }

    fn text(&mut self, at: At<usize>, node: NodeId, text: Stretch) -> Result<(), Error> {
        let text = self.stretch(text);
        let start = text.get(..4 * (CHARACTERS + 1)).unwrap_or(text);
        let mut shown: String = String::from_utf8_lossy(start).chars().take(CHARACTERS).collect();
        if shown.len() < text.len() {
            shown.push('…');
        }
        self.scalar(at, node, shown)
    }

    fn record(&mut self, at: At<usize>, node: NodeId) -> Result<usize, Error> {
        self.flush(None);
        self.go_on()?;
        let Kind::Record(number) = self.types.node(node).kind else { return Ok(at.level) };
        Ok(self.enter(at, node, OpenKind::Record(number)))
    }

    fn row(&mut self, at: At<usize>, node: NodeId) -> Result<usize, Error> {
        self.record(at, node)
    }

    fn choice(&mut self, at: At<usize>, node: NodeId, alternative: u32) -> Result<usize, Error> {
        let number = match self.types.node(node).kind {
            Kind::Choice(number) => number,
            Kind::Open(number) => {
                let is_content = self.types.open(number).is_string() && alternative == 0;
                self.flush(None);
                self.go_on()?;
                return Ok(self.enter(at, node, if is_content { OpenKind::Content } else { OpenKind::Single }));
            }
            _ => return Ok(at.level),
        };
        let chosen = self.types.choice(number).alternatives.get(alternative as usize);
        self.value = match chosen {
            Some(chosen) => chosen.name.clone(),
            None => format!("number {alternative}, of a later version"),
        };
        // In BER the tag identifies the alternative.
        match &self.pending {
            Some(field) if field.part == Part::Index => self.flush(Some((at, node, Part::Index))),
            _ => self.flush(None),
        }
        self.go_on()?;
        Ok(self.enter(at, node, OpenKind::Choice(number, alternative)))
    }

    fn array(&mut self, at: At<usize>, node: NodeId, len: u32) -> Result<usize, Error> {
        self.value = len.to_string();
        match &self.pending {
            Some(field) if field.part == Part::Length => self.flush(Some((at, node, Part::Length))),
            _ => self.flush(None),
        }
        self.go_on()?;
        Ok(self.enter(at, node, OpenKind::Array))
    }

    fn more(&mut self, at: At<usize>, node: NodeId, level: usize, more: u32) -> Result<usize, Error> {
        self.value = more.to_string();
        if self.pending.as_ref().is_some_and(|field| field.part == Part::Length) {
            self.flush(Some((at, node, Part::Length)));
        }
        self.go_on().map(|()| level)
    }

    fn unknown(&mut self, at: At<usize>, node: NodeId, octets: Stretch) -> Result<(), Error> {
        let digits = hex(self.stretch(octets));
        self.scalar(at, node, digits)
    }

    fn end(&mut self, _: NodeId, level: usize) -> Result<(), Error> {
        self.flush(None);
        self.open.truncate(level.max(1));
        self.path.truncate(self.open.last().map_or(0, |open| open.path));
        self.go_on()
    }
}

/// An object identifier in the dotted form.
fn dotted(types: &Compiled, node: NodeId, octets: &[u8]) -> Option<String> {
    let mut values = asn1::Values::new();
    let mut filler = asn1::Filler::new(types, asn1::Limits::default(), &mut values);
    let level = filler.root(node);
    let octets = filler.keep(octets);
    filler.octets(At { level, index: 0 }, node, octets).ok()?;
    values.value(types, node, b"").as_oid()
}
