//! The steps of reading with the Packed Encoding Rules (X.691).

use asn1::per::{BitReader, Constrained, Length, read_length};
use tam::Error;

use crate::per_run::run;
use crate::rules::{NO_INDEX, Octets, Rules, Size, syntax};
use crate::scan::State;

/// A message in PER, aligned or not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Per<'m, const ALIGNED: bool> {
    pub(crate) message: &'m [u8],
    /// The current position, in bits.
    pub(crate) at: u64,
}

/// The number of octets passed on at a time.
const PIECE: usize = 8 * 1024;

/// The rest of a SEQUENCE OF.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    /// The items left of the current fragment.
    pub(crate) left: u32,
    /// Whether another fragment follows (clause 11.9.3.8).
    pub(crate) more: bool,
}

impl From<Length> for List {
    fn from(length: Length) -> List {
        List { left: length.count as u32, more: length.more }
    }
}

impl<'m, const ALIGNED: bool> Per<'m, ALIGNED> {
    pub(crate) fn new(message: &'m [u8]) -> Self {
        Per { message, at: 0 }
    }

    /// Reads with the primitives that all PER messages share.
    #[inline]
    fn bits<T>(&mut self, read: impl FnOnce(&mut BitReader<'m>) -> Result<T, Error>) -> Result<T, Error> {
        let mut bits = BitReader::new(self.message);
        bits.seek(self.at);
        let value = read(&mut bits);
        self.at = bits.position();
        value
    }

    /// Reads a number outside of the root of its range: in two's complement (clause 12.2.4).
    #[cold]
    #[inline(never)]
    fn wide_number(&mut self) -> Result<u32, Error> {
        let at = self.at;
        self.bits(|bits| {
            let length = read_length::<ALIGNED>(bits)?;
            if length.count == 0 || length.more {
                return Err(syntax(at, "a number of no octets or too many", "an index"));
            }
            if bits.peek() >> 63 != 0 && bits.left() > 0 {
                return Err(syntax(at, "a negative number", "an index"));
            }
            let mut number = 0_u64;
            for _ in 0..length.count {
                number = number.saturating_mul(256).saturating_add(bits.read(8)?);
            }
            Ok(u32::try_from(number).unwrap_or(NO_INDEX))
        })
    }

    /// Whether the next fragment of a list has an item.
    #[cold]
    #[inline(never)]
    fn next_piece(&mut self, list: &mut List) -> Result<bool, Error> {
        *list = List::from(self.bits(read_length::<ALIGNED>)?);
        self.item(list)
    }
}

impl<const ALIGNED: bool> Rules for Per<'_, ALIGNED> {
    /// Which of the optional fields are present, the first one on top.
    type Fields = u8;
    type Entered = ();
    type List = List;
    type Children = List;

    #[inline(always)]
    fn position(&self) -> u64 {
        self.at
    }

    fn document(&mut self) -> Result<(), Error> {
        Ok(())
    }

    #[inline]
    fn sequence(&mut self, optional: u32) -> Result<u8, Error> {
        if optional == 0 {
            return Ok(0);
        }
        Ok((self.bits(|bits| bits.read(optional))? << (8 - optional)) as u8)
    }

    #[inline(always)]
    fn field(&mut self, _: u8) -> Result<(), Error> {
        Ok(())
    }

    #[inline(always)]
    fn optional(&mut self, fields: &mut u8, _: u8) -> Result<Option<()>, Error> {
        let there = *fields & 0x80 != 0;
        *fields <<= 1;
        Ok(there.then_some(()))
    }

    #[inline(always)]
    fn any_field(fields: u8) -> bool {
        fields != 0
    }

    #[inline]
    fn alternative(&mut self, count: u8) -> Result<(u8, ()), Error> {
        Ok((self.enumerated(count)?, ()))
    }

    #[inline(always)]
    fn enter_item(&mut self, _: u8) -> Result<(), Error> {
        Ok(())
    }

    #[inline(always)]
    fn leave(&mut self, (): ()) -> Result<(), Error> {
        Ok(())
    }

    #[inline]
    fn list(&mut self, size: Size) -> Result<List, Error> {
        if size != Size::Any && !self.boolean()? {
            let count = self.bits(|bits| bits.read(2))? as u32 + u32::from(size == Size::Attributes);
            return Ok(List { left: count, more: false });
        }
        Ok(List::from(self.bits(read_length::<ALIGNED>)?))
    }

    #[inline(always)]
    fn item(&mut self, list: &mut List) -> Result<bool, Error> {
        if list.left > 0 {
            list.left -= 1;
            return Ok(true);
        }
        if list.more { self.next_piece(list) } else { Ok(false) }
    }

    #[inline]
    fn boolean(&mut self) -> Result<bool, Error> {
        self.bits(BitReader::bit)
    }

    #[inline]
    fn number(&mut self, most: u32) -> Result<u32, Error> {
        if self.boolean()? {
            return self.wide_number();
        }
        Ok(self.bits(|bits| Constrained::new(most.into()).read::<ALIGNED>(bits))? as u32)
    }

    #[inline]
    fn enumerated(&mut self, count: u8) -> Result<u8, Error> {
        Ok(self.bits(|bits| Constrained::new(u64::from(count) - 1).read::<ALIGNED>(bits))? as u8)
    }

    fn octets(&mut self) -> Result<Octets, Error> {
        let mut octets = Octets { at: self.at, len: 0 };
        self.bits(|bits| {
            loop {
                let length = read_length::<ALIGNED>(bits)?;
                bits.skip(length.count * 8)?;
                octets.len += length.count;
                if !length.more {
                    return Ok(octets);
                }
            }
        })
    }

    fn pieces(&self, octets: Octets, take: &mut dyn FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
        let mut bits = BitReader::new(self.message);
        bits.seek(octets.at);
        let mut shifted = Vec::new();
        loop {
            let length = read_length::<ALIGNED>(&mut bits)?;
            let count = length.count as usize;
            // Shifted octets are copied in pieces that stay in the first-level cache.
            for from in (0..count).step_by(PIECE) {
                shifted.clear();
                match bits.bytes(PIECE.min(count - from), &mut shifted)? {
                    Some(lent) => take(lent)?,
                    None => take(&shifted)?,
                }
            }
            if !length.more {
                return Ok(());
            }
        }
    }

    fn run(&mut self, state: &mut State<Self>) {
        run(self, state);
    }

    fn enter_children(&mut self, (): (), (): (), (): ()) -> Result<List, Error> {
        self.list(Size::Children)
    }

    #[inline(always)]
    fn next_child(&mut self, children: &mut List) -> Result<bool, Error> {
        self.item(children)
    }

    #[inline(always)]
    fn leave_children(&mut self, _: List) -> Result<(), Error> {
        Ok(())
    }
}
