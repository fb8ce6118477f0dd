//! The steps of reading under the Packed Encoding Rules (X.691).

use asn1::per::{BitReader, Constrained, Length, read_length};
use tam::Error;

use crate::rules::{LARGE, NO_INDEX, Octets, Quick, Rules, SMALL, Size, syntax};

/// A message in PER, aligned or not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Per<'m, const ALIGNED: bool> {
    bits: BitReader<'m>,
}

/// What is left of a SEQUENCE OF.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    /// Items left of the piece that has been told.
    left: u32,
    /// Whether another piece comes behind it (clause 11.9.3.8).
    more: bool,
}

impl From<Length> for List {
    fn from(length: Length) -> List {
        List { left: length.count as u32, more: length.more }
    }
}

impl<'m, const ALIGNED: bool> Per<'m, ALIGNED> {
    pub(crate) fn new(message: &'m [u8]) -> Self {
        Per { bits: BitReader::new(message) }
    }

    /// The message.
    pub(crate) fn message(&self) -> &'m [u8] {
        self.bits.message()
    }

    /// A number outside of its range's root: in two's complement (clause 12.2.4).
    #[cold]
    #[inline(never)]
    fn wide_number(&mut self) -> Result<u32, Error> {
        let at = self.bits.position();
        let length = read_length::<ALIGNED>(&mut self.bits)?;
        if length.count == 0 || length.more {
            return Err(syntax(at, "a number of no octets or too many", "an index"));
        }
        let first = self.bits.peek() >> 63;
        if first != 0 {
            return Err(syntax(at, "a negative number", "an index"));
        }
        let mut number = 0_u64;
        for _ in 0..length.count {
            number = number.saturating_mul(256).saturating_add(self.bits.read(8)?);
        }
        Ok(u32::try_from(number).unwrap_or(NO_INDEX))
    }

    /// An index of a table in the bits of a window from `used` on, with its extension bit, and the
    /// bits behind; `None` where the window does not hold it, or it is none.
    #[inline(always)]
    fn index<const LARGE_INDEX: bool>(&self, window: u64, mut used: u32) -> Option<(u32, u32)> {
        let rest = window << used;
        used += 1;
        if rest >> 63 == 0 {
            // Of the two ranges the large one is wide enough to be aligned.
            let width = match (LARGE_INDEX, ALIGNED) {
                (false, _) => 4,
                (true, false) => 11,
                (true, true) => {
                    used += self.padding(used);
                    16
                }
            };
            let index = (window << used >> (64 - width)) as u32;
            if ALIGNED && LARGE_INDEX && index > LARGE {
                return None;
            }
            return Some((index, used + width));
        }
        if ALIGNED {
            used += self.padding(used);
        }
        let octets = window << used >> 56;
        used += 8;
        let index = window << used;
        // What begins with a one would be negative.
        match octets {
            1 if index >> 63 == 0 => Some(((index >> 56) as u32, used + 8)),
            2 if index >> 63 == 0 => Some(((index >> 48) as u32, used + 16)),
            _ => None,
        }
    }

    /// How many bits behind so many more the next whole byte begins.
    #[inline(always)]
    fn padding(&self, used: u32) -> u32 {
        (self.bits.position() as u32).wrapping_add(used).wrapping_neg() & 7
    }

    /// How many children, from `used` on; `None` where the window does not hold it.
    #[inline(always)]
    fn count(&self, window: u64, mut used: u32) -> Option<(u32, u32)> {
        let rest = window << used;
        if rest >> 63 == 0 {
            return Some(((rest >> 61) as u32, used + 3));
        }
        used += 1;
        if ALIGNED {
            used += self.padding(used);
        }
        let rest = window << used;
        match rest >> 62 {
            0 | 1 => Some(((rest >> 56) as u32, used + 8)),
            2 => Some(((rest >> 48) as u32 & 0x3FFF, used + 16)),
            _ => None,
        }
    }

    /// Numbers of bits that a window surely holds.
    const WINDOW: u32 = 57;
}

impl<const ALIGNED: bool> Rules for Per<'_, ALIGNED> {
    /// Which of the optional fields are there, the first one on top.
    type Fields = u8;
    type Open = ();
    type List = List;
    type Children = List;
    type Mark = u64;

    #[inline(always)]
    fn position(&self) -> u64 {
        self.bits.position()
    }

    #[inline(always)]
    fn mark(&self) -> u64 {
        self.bits.position()
    }

    #[inline(always)]
    fn go(&mut self, mark: u64) {
        self.bits.seek(mark);
    }

    fn document(&mut self) -> Result<(), Error> {
        Ok(())
    }

    #[inline]
    fn sequence(&mut self, optional: u32) -> Result<u8, Error> {
        if optional == 0 {
            return Ok(0);
        }
        Ok((self.bits.read(optional)? << (8 - optional)) as u8)
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
        if size != Size::Any && !self.bits.bit()? {
            let count = self.bits.read(2)? as u32 + u32::from(size == Size::Attributes);
            return Ok(List { left: count, more: false });
        }
        let at = self.bits.position();
        let list = List::from(read_length::<ALIGNED>(&mut self.bits)?);
        if size == Size::Attributes && list.left == 0 {
            return Err(syntax(at, "no attributes", "one at the least"));
        }
        Ok(list)
    }

    #[inline(always)]
    fn item(&mut self, list: &mut List) -> Result<bool, Error> {
        if list.left == 0 && list.more {
            *list = List::from(read_length::<ALIGNED>(&mut self.bits)?);
        }
        if list.left == 0 {
            return Ok(false);
        }
        list.left -= 1;
        Ok(true)
    }

    #[inline]
    fn boolean(&mut self) -> Result<bool, Error> {
        self.bits.bit()
    }

    #[inline]
    fn number(&mut self, most: u32) -> Result<u32, Error> {
        if self.bits.bit()? {
            return self.wide_number();
        }
        Ok(Constrained::new(most.into()).read::<ALIGNED>(&mut self.bits)? as u32)
    }

    #[inline]
    fn enumerated(&mut self, count: u8) -> Result<u8, Error> {
        Ok(Constrained::new(u64::from(count) - 1).read::<ALIGNED>(&mut self.bits)? as u8)
    }

    fn octets(&mut self) -> Result<Octets, Error> {
        let mut octets = Octets { at: self.bits.position(), len: 0 };
        loop {
            let length = read_length::<ALIGNED>(&mut self.bits)?;
            self.bits.skip(length.count * 8)?;
            octets.len += length.count;
            if !length.more {
                return Ok(octets);
            }
        }
    }

    fn copy(&self, octets: Octets, out: &mut Vec<u8>) -> Result<(), Error> {
        let mut bits = self.bits;
        bits.seek(octets.at);
        loop {
            let length = read_length::<ALIGNED>(&mut bits)?;
            if let Some(lent) = bits.bytes(length.count as usize, out)? {
                out.extend_from_slice(lent);
            }
            if !length.more {
                return Ok(());
            }
        }
    }

    #[inline(always)]
    fn quick(&mut self) -> Result<Quick<Self>, Error> {
        let window = self.bits.peek();
        let (found, used) = match window >> 61 {
            // An element: its alternative, three optional fields, the name by index.
            0 if window << 6 >> 63 != 0 => {
                let fields = (window >> 53) as u8 & 0xE0;
                let Some((name, used)) = self.index::<false>(window, 7) else { return Ok(Quick::Other) };
                let rest = window << used;
                if rest >> 63 != 0 {
                    let Some((left, used)) = self.count(window, used + 1) else { return Ok(Quick::Other) };
                    (Quick::Open(name, List { left, more: false }, fields), used)
                } else if rest << 1 >> 63 != 0 {
                    let Some((text, used)) = self.index::<true>(window, used + 2) else { return Ok(Quick::Other) };
                    (Quick::Leaf(name, text, fields, ()), used)
                } else {
                    return Ok(Quick::Other);
                }
            }
            // Characters that are no binary block, by index; whether they are white space.
            3 if window << 3 >> 62 == 1 => {
                let Some((text, used)) = self.index::<true>(window, 5) else { return Ok(Quick::Other) };
                (Quick::Text(text), used + 1)
            }
            _ => return Ok(Quick::Other),
        };
        if used > Self::WINDOW || self.bits.left() < u64::from(used) {
            return Ok(Quick::Other);
        }
        self.bits.skip(used.into())?;
        Ok(found)
    }

    #[inline(always)]
    fn quick_end(&mut self) -> bool {
        let same = self.bits.peek() >> 63 != 0;
        same && self.bits.skip(1).is_ok()
    }

    fn enter_children(&mut self, (): (), (): (), (): ()) -> Result<List, Error> {
        self.list(Size::Children)
    }

    #[inline(always)]
    fn next_child(&mut self, children: &mut List) -> Result<bool, Error> {
        self.item(children)
    }

    #[inline(always)]
    fn text_may_follow(&self, children: &List) -> bool {
        if children.left == 0 { children.more } else { self.is_text() }
    }

    #[inline(always)]
    fn is_text(&self) -> bool {
        self.bits.peek() >> 61 == 3
    }

    #[inline(always)]
    fn element(_: List) {}

    #[inline(always)]
    fn leave_children(&mut self, _: List) -> Result<(), Error> {
        Ok(())
    }
}

const _: () = assert!(SMALL == 15 && LARGE == 2047);
