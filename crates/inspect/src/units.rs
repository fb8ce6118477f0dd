//! The units of a document, and where they are in its message.

use lengthwise::Format;
use lengthwise::tam::{Document, Meaning, Node, Step, Walk};

use crate::heads::{Head, Heads};
use crate::words::word;

/// A unit and its position.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Unit<'d> {
    /// The unit in the document.
    pub node: Node<'d>,
    /// The number of units that it is inside of.
    pub depth: usize,
    /// The name of its type, such as `element` or `string`.
    pub word: &'static str,
    /// The start in the message: of its head in TSF and PON; in a text of its data or, without data, of its name. `None` if
    /// the text does not contain it as it is read.
    pub offset: Option<usize>,
    /// Its head in TSF and PON.
    pub head: Option<Head<'d>>,
    /// Its length in bytes, or the number of units in it.
    pub number: usize,
    /// Whether `number` counts bytes.
    pub in_bytes: bool,
    is_pon: bool,
}

/// All units of a message, in order.
#[derive(Clone, Debug)]
pub struct Units<'d> {
    walk: Walk<'d>,
    heads: Option<Heads<'d>>,
    is_pon: bool,
    /// The types of the units around the next one.
    around: Vec<u8>,
}

impl<'d> Units<'d> {
    /// The units of a document, which was read from a whole message in a format.
    #[must_use]
    pub fn new(document: &'d Document<'d>, message: &'d [u8], format: Format) -> Units<'d> {
        let heads = Heads::of(message, format);
        Units { walk: document.walk(), heads, is_pon: format == Format::Pon, around: Vec::new() }
    }

    fn unit(&mut self, node: Node<'d>) -> Unit<'d> {
        let mut around = self.around.iter().rev().copied();
        let inside = (around.next(), around.next());
        let head = self.heads.as_mut().map(|heads| heads.next(&node, inside.0));
        Unit {
            node,
            depth: self.around.len(),
            word: word(&node, inside),
            offset: head.map_or_else(|| offset(&node), |head| Some(head.offset)),
            head,
            number: head.map_or(node.row().len() as usize, |head| head.number),
            in_bytes: self.is_pon || !node.is_structured(),
            is_pon: self.is_pon,
        }
    }
}

impl<'d> Iterator for Units<'d> {
    type Item = Unit<'d>;

    fn next(&mut self) -> Option<Unit<'d>> {
        loop {
            match self.walk.next()? {
                Step::Primitive(node) => return Some(self.unit(node)),
                Step::Open(node) => {
                    let unit = self.unit(node);
                    self.around.push(node.kind());
                    return Some(unit);
                }
                Step::Close(_) => drop(self.around.pop()),
            }
        }
    }
}

/// The position in a text of the data of a unit or, without data, of its name.
fn offset(node: &Node<'_>) -> Option<usize> {
    let (message, _) = node.document().texts();
    let row = node.row();
    let (at, len) = if row.is_structured() { (row.name_at(), row.name_len()) } else { (row.value_at(), row.len()) };
    let end = at as usize + len as usize;
    (len > 0 && end <= message.len()).then_some(at as usize)
}

impl<'d> Unit<'d> {
    /// The type character, as in the message or as TSF would have it.
    #[must_use]
    pub fn kind(&self) -> char {
        char::from(self.head.map_or(self.node.kind(), |head| head.kind()))
    }

    /// Whether the data is binary.
    #[must_use]
    pub fn is_binary(&self) -> bool {
        let node = &self.node;
        matches!(node.document().types().meaning(node.kind()), Some(Meaning::Binary | Meaning::Byte))
    }

    /// The data of a unit, or the word that its type means.
    #[must_use]
    pub fn data(&self) -> &'d [u8] {
        match (self.is_pon, self.head.map(|head| head.kind())) {
            (true, Some(b't')) => b"true",
            (true, Some(b'f')) => b"false",
            _ => self.node.value(),
        }
    }
}
