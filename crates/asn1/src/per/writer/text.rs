//! Types of characters (X.691 clause 30).

use tam::{Error, Words};

use super::super::primitive::{write_length, write_octets};
use super::Writer;
use crate::compiled::{Characters, NodeId, Size};
use crate::event::{At, Source};
use crate::per::{FRAGMENT, TimeLayout};
use crate::{per, time};

impl<S: Source, const ALIGNED: bool> Writer<'_, '_, S, ALIGNED> {
    /// Writes a UTF8String, optimized for ASCII characters.
    #[inline(never)]
    pub(super) fn utf8(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Result<(), Error> {
        let octets = self.source.text_octets(at, node);
        // The code of the type says that these are allowed.
        let mark = self.bits.mark();
        write_length::<ALIGNED>(octets.len() as u64, &mut self.bits);
        if self.bits.plain_bytes(octets) {
            return Ok(());
        }
        self.bits.back(mark);
        if (octets.len() as u64) < FRAGMENT && self.types.characters(number).plainly_allows(octets) {
            write_length::<ALIGNED>(octets.len() as u64, &mut self.bits);
            self.bits.bytes(octets);
            return Ok(());
        }
        self.characters(at, node, number)
    }

    #[inline(never)]
    pub(super) fn characters(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Result<(), Error> {
        let (source, types) = (self.source, self.types);
        let ty = types.characters(number);
        // A plain time is canonical.
        if let Some(time) = &ty.time
            && time.layout == TimeLayout::Mixed
            && let Some(plain) = time.plain(source.text_octets(at, node))
            && per::time::write_plain::<ALIGNED>(plain, &mut self.bits)
        {
            return Ok(());
        }
        let text = source.text(at, node);
        let time;
        let text = match self.canonical {
            true => {
                time = time::canonical(ty.kind, text, "per")?;
                &*time
            }
            false => text,
        };
        if let Some(found) = types.misfit(ty, text) {
            return Err(self.refused(node, found));
        }
        let Some(known) = &ty.known_multiplier else {
            if ty.size != Size::ANY && !ty.size.extensible {
                let count = text.chars().count() as u64;
                if !types.allows_size(&ty.size, count) {
                    return Err(self.refused(node, Words::Own(format!("a size of {count}"))));
                }
            }
            if ty.kind == crate::schema::StringKind::Utf8 {
                write_octets::<ALIGNED>(text.as_bytes(), &mut self.bits);
                return Ok(());
            }
            return self.rare(node, ty, text);
        };
        let count = if text.is_ascii() { text.len() } else { text.chars().count() } as u64;
        let (extended, mut length) = self.size(node, &ty.size, count)?;
        let width = if ALIGNED { known.aligned_bits } else { known.bits };
        let index = if ALIGNED { &known.aligned_index } else { &known.index };
        let most = if extended { u64::MAX } else { ty.size.upper.saturating_mul(width.into()) };
        let fixed = !extended && ty.size.lower == ty.size.upper && ty.size.upper < 1 << 16;
        if ALIGNED && count > 0 && (if fixed { most > 16 } else { most >= 16 }) {
            self.bits.align();
        }
        let mut left = count;
        let mut points = text.chars();
        loop {
            for point in points.by_ref().take(length.count as usize) {
                let code = u32::from(point);
                let code = match index {
                    None => code,
                    // The alphabet has been checked, so the character is in it.
                    Some(points) => points.binary_search(&code).unwrap_or_default() as u32,
                };
                self.bits.write(code.into(), width);
            }
            left -= length.count;
            if !length.more {
                return Ok(());
            }
            length = write_length::<ALIGNED>(left, &mut self.bits);
        }
    }

    /// Writes characters of one octet each, or a time (X.691 clause 32).
    #[cold]
    #[inline(never)]
    fn rare(&mut self, node: NodeId, ty: &Characters, text: &str) -> Result<(), Error> {
        let Some(time) = &ty.time else {
            match text.is_ascii() {
                true => write_octets::<ALIGNED>(text.as_bytes(), &mut self.bits),
                false => write_octets::<ALIGNED>(
                    &text.chars().map(|point| u32::from(point) as u8).collect::<Vec<u8>>(),
                    &mut self.bits,
                ),
            }
            return Ok(());
        };
        match time.read(text) {
            Ok(value) => {
                per::time::write::<ALIGNED>(time.layout, &value, &mut self.bits);
                Ok(())
            }
            Err(found) => Err(self.refused(node, Words::Own(found))),
        }
    }
}
