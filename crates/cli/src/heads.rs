//! What stands before the data of a unit in a message of a wire format.

use lengthwise::Format;
use lengthwise::tam::Node;

/// The head of a unit: number, name and type of TSF; key, length and type of PON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head<'m> {
    pub(crate) offset: usize,
    pub(crate) bytes: &'m [u8],
    /// Bytes of data behind it; of TSF units inside, if the unit holds others.
    pub(crate) number: usize,
}

impl Head<'_> {
    /// The type character, which is the last.
    pub(crate) fn kind(&self) -> u8 {
        self.bytes.last().copied().unwrap_or(b' ')
    }
}

/// The heads of a message in its order, once it has been read: nothing is checked here.
///
/// Units follow each other without a gap. Where the data of one ends the next begins, and behind
/// the head of one that holds others the first of these.
#[derive(Clone, Debug)]
pub(crate) struct Heads<'m> {
    message: &'m [u8],
    is_pon: bool,
    at: usize,
}

impl<'m> Heads<'m> {
    /// The heads of a message; texts have none.
    pub(crate) fn of(message: &'m [u8], format: Format) -> Option<Heads<'m>> {
        (!format.is_text()).then_some(Heads { message, is_pon: format == Format::Pon, at: 0 })
    }

    /// The head of the next unit, which stands inside one of type `inside`.
    pub(crate) fn next(&mut self, node: &Node<'_>, inside: Option<u8>) -> Head<'m> {
        let rest = self.message.get(self.at..).unwrap_or(&[]);
        let (len, number) = if self.is_pon { pon(rest, node, inside) } else { tsf(rest, node) };
        let head = Head { offset: self.at, bytes: rest.get(..len).unwrap_or(rest), number };
        let has_data = !(self.is_pon && matches!(head.kind(), b't' | b'f'));
        self.at += len + if has_data { node.value().len() } else { 0 };
        head
    }
}

fn tsf(rest: &[u8], node: &Node<'_>) -> (usize, usize) {
    (digits(rest) + node.name().written().len() + 1, node.row().len() as usize)
}

fn pon(rest: &[u8], node: &Node<'_>, inside: Option<u8>) -> (usize, usize) {
    let key = if inside == Some(b'{') { key(rest) } else { 0 };
    let value = rest.get(key..).unwrap_or(&[]);
    let digits = digits(value);
    let length = value[..digits].iter().fold(0, |length, digit| 10 * length + usize::from(digit - b'0'));
    let number = match value.first() {
        Some(b'b' | b'c') => node.value().len(),
        _ => length,
    };
    (key + digits + 1, number)
}

fn digits(rest: &[u8]) -> usize {
    rest.iter().take_while(|c| c.is_ascii_digit()).count()
}

/// The length of a key with its `:`; one behind a `\` is not its end.
fn key(rest: &[u8]) -> usize {
    let mut escaped = false;
    let end = rest.iter().position(|&c| {
        let plain = !std::mem::take(&mut escaped);
        escaped = plain && c == b'\\';
        plain && c == b':'
    });
    end.map_or(rest.len(), |end| end + 1)
}
