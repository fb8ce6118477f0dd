//! The steps of reading under the Basic Encoding Rules (X.690).

use tam::{Error, Words};

use crate::ber_run::run;
use crate::rules::{FORMAT, NO_INDEX, Octets, Rules, Size, syntax};
use crate::scan::State;

/// Bits of an identifier octet (clause 8.1.2).
const CLASS: u8 = 0xC0;
const CONTEXT: u8 = 0x80;
const CONSTRUCTED: u8 = 0x20;
const NUMBER: u8 = 0x1F;
/// The universal tag of an OCTET STRING, which the segments of strings have too.
const OCTET_STRING: u8 = 4;

/// A message in BER.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ber<'m> {
    message: &'m [u8],
    at: usize,
    /// The end of the innermost contents of a definite length, at first that of the message.
    end: usize,
    /// Whether any definite length surrounds the position.
    bounded: bool,
    /// Whether the current contents end with end-of-contents octets.
    indefinite: bool,
    /// The start of what was entered last, and whether it is constructed.
    head_at: usize,
    constructed: bool,
}

/// The state to restore when contents are left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entered {
    pub(crate) end: usize,
    pub(crate) bounded: bool,
    pub(crate) indefinite: bool,
}

/// The contents around the children of an element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Children {
    pub(crate) element: Entered,
    pub(crate) field: Entered,
    pub(crate) alternative: Entered,
}

impl Children {
    /// Whether any of the surrounding contents ends with end-of-contents octets.
    pub(crate) fn is_indefinite(self) -> bool {
        self.element.indefinite || self.field.indefinite || self.alternative.indefinite
    }
}

impl<'m> Ber<'m> {
    pub(crate) fn new(message: &'m [u8]) -> Ber<'m> {
        let end = message.len();
        Ber { message, at: 0, end, bounded: false, indefinite: false, head_at: 0, constructed: false }
    }

    /// The message.
    pub(crate) fn message(&self) -> &'m [u8] {
        self.message
    }

    /// The current position.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Whether the end of the contents is known.
    pub(crate) fn has_end(&self) -> bool {
        self.bounded && !self.indefinite
    }

    /// The end of the contents, if known.
    pub(crate) fn end(&self) -> usize {
        self.end
    }

    /// Moves to a position within the contents.
    pub(crate) fn at_place(&mut self, at: usize) {
        self.at = at;
    }

    /// Moves to a position within other contents.
    pub(crate) fn go(&mut self, at: usize, contents: Entered) {
        self.at = at;
        Entered { end: self.end, bounded: self.bounded, indefinite: self.indefinite } = contents;
    }

    /// Takes the next octets of the contents.
    fn take(&mut self, count: usize) -> Result<&'m [u8], Error> {
        let taken = self.at.checked_add(count).filter(|end| *end <= self.end);
        match taken.and_then(|end| self.message.get(self.at..end)) {
            Some(octets) => {
                self.at += count;
                Ok(octets)
            }
            None => Err(self.short(count)),
        }
    }

    #[cold]
    fn short(&self, count: usize) -> Error {
        if self.bounded {
            return syntax(self.position(), "the end of the contents", "more octets in them");
        }
        let needed = (count as u64).saturating_sub((self.end - self.at) as u64);
        let expected = Words::Count(count as u64, "octets");
        Error::incomplete(FORMAT, 0, needed, expected).at_bit(self.position())
    }

    fn octet(&mut self) -> Result<u8, Error> {
        self.take(1).map(|octets| octets.first().copied().unwrap_or_default())
    }

    /// The next identifier octet, if any.
    fn peek(&self) -> Option<u8> {
        self.message.get(..self.end)?.get(self.at).copied()
    }

    /// Whether the contents end here.
    fn is_over(&self) -> Result<bool, Error> {
        if !self.indefinite {
            return Ok(self.at >= self.end);
        }
        match self.message.get(self.at..self.end) {
            Some([0, ..]) => Ok(true),
            Some([_, ..]) => Ok(false),
            _ => Err(self.short(2)),
        }
    }

    /// Enters contents (clauses 8.1.2 and 8.1.3). Returns the identifier octet, which the caller checks.
    fn enter(&mut self) -> Result<(u8, Entered), Error> {
        let at = self.at;
        let identifier = self.octet()?;
        let outer = Entered { end: self.end, bounded: self.bounded, indefinite: self.indefinite };
        let constructed = identifier & CONSTRUCTED != 0;
        let first = self.octet()?;
        let length = match first {
            0..0x80 => first.into(),
            0x80 if constructed => {
                self.indefinite = true;
                (self.head_at, self.constructed) = (at, constructed);
                return Ok((identifier, outer));
            }
            0x80 | 0xFF => {
                let found = format!("the length octet 0x{first:02X}");
                return Err(syntax(self.position() - 8, found, "a length"));
            }
            _ => {
                let octets = self.take(usize::from(first & 0x7F))?;
                octets.iter().fold(0_u64, |length, octet| length.saturating_mul(256).saturating_add((*octet).into()))
            }
        };
        let end = usize::try_from(length).ok().and_then(|length| self.at.checked_add(length));
        let Some(end) = end.filter(|end| *end <= self.end) else {
            return Err(self.short(usize::try_from(length).unwrap_or(usize::MAX)));
        };
        (self.end, self.bounded, self.indefinite) = (end, true, false);
        (self.head_at, self.constructed) = (at, constructed);
        Ok((identifier, outer))
    }

    #[cold]
    fn unexpected(&self, at: usize, identifier: u8, expected: Words) -> Error {
        let class = ["UNIVERSAL ", "APPLICATION ", "", "PRIVATE "][usize::from(identifier >> 6)];
        let found = format!("the tag [{class}{}]", identifier & NUMBER);
        syntax(at as u64 * 8, found, expected)
    }

    /// The octets of a primitive encoding.
    fn primitive(&mut self) -> Result<&'m [u8], Error> {
        if self.constructed {
            return Err(syntax(self.head_at as u64 * 8, "a constructed encoding", "a primitive one"));
        }
        self.take(self.end - self.at)
    }

    /// Passes on each segment of a string that has been entered (clauses 8.7 and 8.23).
    fn strings(&mut self, take: &mut dyn FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
        if !self.constructed {
            return take(self.primitive()?);
        }
        let mut open = Vec::new();
        loop {
            if self.is_over()? {
                match open.pop() {
                    Some(piece) => self.leave(piece)?,
                    None => return Ok(()),
                }
                continue;
            }
            let piece = self.enter_item(OCTET_STRING)?;
            if self.constructed {
                open.push(piece);
            } else {
                take(self.primitive()?)?;
                self.leave(piece)?;
            }
        }
    }
}

impl Rules for Ber<'_> {
    /// Tags show which fields are present.
    type Fields = ();
    type Entered = Entered;
    type List = ();
    type Children = Children;

    #[inline(always)]
    fn position(&self) -> u64 {
        self.at as u64 * 8
    }

    fn document(&mut self) -> Result<Entered, Error> {
        self.enter_item(16)
    }

    #[inline]
    fn sequence(&mut self, _: u32) -> Result<(), Error> {
        if self.constructed {
            return Ok(());
        }
        Err(syntax(self.head_at as u64 * 8, "a primitive encoding", "a constructed one"))
    }

    #[inline]
    fn field(&mut self, number: u8) -> Result<Entered, Error> {
        let at = self.at;
        if self.is_over()? {
            return Err(syntax(
                self.position(),
                "the end of the contents",
                Words::Own(format!("the field [{number}]")),
            ));
        }
        let (identifier, open) = self.enter()?;
        if identifier & !CONSTRUCTED != CONTEXT | number {
            return Err(self.unexpected(at, identifier, Words::Own(format!("the field [{number}]"))));
        }
        Ok(open)
    }

    #[inline]
    fn optional(&mut self, (): &mut (), number: u8) -> Result<Option<Entered>, Error> {
        if self.is_over()? || self.peek().is_none_or(|next| next & !CONSTRUCTED != CONTEXT | number) {
            return Ok(None);
        }
        self.field(number).map(Some)
    }

    #[inline(always)]
    fn any_field((): ()) -> bool {
        true
    }

    #[inline]
    fn alternative(&mut self, count: u8) -> Result<(u8, Entered), Error> {
        let at = self.at;
        if self.is_over()? {
            return Err(syntax(self.position(), "the end of the contents", "an alternative"));
        }
        let (identifier, open) = self.enter()?;
        let number = identifier & NUMBER;
        if identifier & CLASS != CONTEXT || number >= count {
            let expected = format!("an alternative, [0] to [{}]", count - 1);
            return Err(self.unexpected(at, identifier, Words::Own(expected)));
        }
        Ok((number, open))
    }

    #[inline]
    fn enter_item(&mut self, tag: u8) -> Result<Entered, Error> {
        let at = self.at;
        let (identifier, open) = self.enter()?;
        if identifier & !CONSTRUCTED != tag {
            return Err(self.unexpected(at, identifier, Words::Own(format!("the tag [UNIVERSAL {tag}]"))));
        }
        Ok(open)
    }

    #[inline]
    fn leave(&mut self, open: Entered) -> Result<(), Error> {
        if self.indefinite {
            if self.take(2)? != [0, 0] {
                return Err(syntax(self.position() - 16, "more contents", "the end of the contents"));
            }
        } else if self.at < self.end {
            return Err(syntax(self.position(), "more contents", "the end of the contents"));
        }
        Entered { end: self.end, bounded: self.bounded, indefinite: self.indefinite } = open;
        Ok(())
    }

    #[inline]
    fn list(&mut self, _: Size) -> Result<(), Error> {
        self.sequence(0)
    }

    #[inline]
    fn item(&mut self, (): &mut ()) -> Result<bool, Error> {
        Ok(!self.is_over()?)
    }

    fn boolean(&mut self) -> Result<bool, Error> {
        match self.primitive()? {
            [octet] => Ok(*octet != 0),
            octets => Err(length_of(self.position(), octets, "one octet of a BOOLEAN")),
        }
    }

    #[inline]
    fn number(&mut self, _: u32) -> Result<u32, Error> {
        match self.primitive()? {
            // The first nine bits are never equal (clause 8.3.2).
            octets @ ([] | [0, 0..0x80, ..] | [0xFF, 0x80..=0xFF, ..]) => {
                Err(length_of(self.position(), octets, "the fewest octets of an INTEGER"))
            }
            [0x80..=0xFF, ..] => Err(syntax(self.position(), "a negative number", "an index")),
            octets => {
                let number =
                    octets.iter().fold(0_u64, |n, octet| n.saturating_mul(256).saturating_add((*octet).into()));
                Ok(u32::try_from(number).unwrap_or(NO_INDEX))
            }
        }
    }

    fn enumerated(&mut self, count: u8) -> Result<u8, Error> {
        let number = self.number(0)?;
        match u8::try_from(number).ok().filter(|number| *number < count) {
            Some(number) => Ok(number),
            None => {
                Err(syntax(self.position(), format!("the value {number}"), Words::Own(format!("less than {count}"))))
            }
        }
    }

    #[inline]
    fn octets(&mut self) -> Result<Octets, Error> {
        let at = self.head_at as u64 * 8;
        let mut len = 0;
        self.strings(&mut |piece| {
            len += piece.len() as u64;
            Ok(())
        })?;
        Ok(Octets { at, len })
    }

    fn pieces(&self, octets: Octets, take: &mut dyn FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
        let mut again = Ber { at: (octets.at / 8) as usize, ..Ber::new(self.message) };
        again.enter()?;
        again.strings(take)
    }

    fn run(&mut self, state: &mut State<Self>) {
        run(self, state);
    }

    #[inline]
    fn enter_children(&mut self, element: Entered, field: Entered, alternative: Entered) -> Result<Children, Error> {
        self.sequence(0)?;
        Ok(Children { element, field, alternative })
    }

    #[inline(always)]
    fn next_child(&mut self, _: &mut Children) -> Result<bool, Error> {
        self.item(&mut ())
    }

    #[inline]
    fn leave_children(&mut self, children: Children) -> Result<Entered, Error> {
        self.leave(children.alternative)?;
        self.leave(children.field)?;
        Ok(children.element)
    }
}

#[cold]
fn length_of(at: u64, octets: &[u8], expected: &'static str) -> Error {
    syntax(at, Words::Count(octets.len() as u64, "octets"), expected)
}
