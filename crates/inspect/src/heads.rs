//! The heads of units in wire formats.

use lengthwise::pon::{Key, Kind, Value};
use lengthwise::tam::Node;
use lengthwise::{Error, Format};

/// The head of a unit: number, name and type of TSF; key, length and type of PON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Head<'m> {
    /// Its first byte in the message.
    pub offset: usize,
    /// Its bytes.
    pub bytes: &'m [u8],
    /// Bytes of data after it; for TSF units that contain others, the number of these.
    pub number: usize,
}

impl Head<'_> {
    /// The type character, which is the last.
    #[must_use]
    pub fn kind(&self) -> u8 {
        self.bytes.last().copied().unwrap_or(b' ')
    }
}

/// The heads of a valid message, in order. They are not validated here.
///
/// Units follow each other without a gap. The next unit begins at the end of the data of the previous one, or after its
/// head if it contains others.
#[derive(Clone, Debug)]
pub(crate) struct Heads<'m> {
    message: &'m [u8],
    is_pon: bool,
    at: usize,
}

impl<'m> Heads<'m> {
    /// The heads of a message; `None` for text formats.
    pub(crate) fn of(message: &'m [u8], format: Format) -> Option<Heads<'m>> {
        (!format.is_text()).then_some(Heads { message, is_pon: format == Format::Pon, at: 0 })
    }

    /// The head of the next unit, which is inside one of type `inside`.
    pub(crate) fn next(&mut self, node: &Node<'_>, inside: Option<u8>) -> Head<'m> {
        let rest = self.message.get(self.at..).unwrap_or(&[]);
        let row = node.row();
        let (len, number, data) = if self.is_pon {
            pon(rest, inside).unwrap_or_default()
        } else {
            let end = row.name_at() + row.name_len() + 1;
            (end as usize - self.at, row.len() as usize, node.value().len())
        };
        let head = Head { offset: self.at, bytes: rest.get(..len).unwrap_or(rest), number };
        self.at += len + data;
        head
    }
}

/// For the head at the start of a PON message: its length, its number, and the bytes of data that are not units.
fn pon(rest: &[u8], inside: Option<u8>) -> Result<(usize, usize, usize), Error> {
    let key = if inside == Some(b'{') { Key::prefix(rest)?.1 } else { 0 };
    let (value, _) = Value::prefix(rest.get(key..).unwrap_or(&[]))?;
    let (data, number) = (key + value.offset(), value.data().len());
    Ok(match value.kind() {
        // These have data of their own.
        Kind::Boolean => (data + 1, 0, 0),
        kind => (data, number, if kind.is_container() { 0 } else { number }),
    })
}
