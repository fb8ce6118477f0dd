//! Type sets, small enough for devices.

use core::ffi::c_char;

use tam::TypeSet;

use crate::bytes::{FEW_REGISTERS, kept};
use crate::code::{LW_OK, LW_UNSUPPORTED, refused};

/// The characters that are types of TSF: for each ASCII character 0 (a character of a name), LW_DATA (a type of data)
/// or LW_UNITS (a type of units). For a set of your own, begin with zeros, and add types with `lw_types_add`.
#[repr(C)]
#[derive(Debug)]
pub struct Types {
    /// The classes of all characters, two bits each: those of character c are in byte c % 32, the lower one at bit c /
    /// 32 * 2.
    pub classes: [u8; 32],
}

/// The class of a type of data.
pub const LW_DATA: u8 = 1;
/// The class of a type of units.
pub const LW_UNITS: u8 = 2;

/// The class of a byte in a set. On processors with few registers it is in the two highest bits, which such a processor
/// distinguishes without a comparison.
#[derive(Clone, Copy)]
pub(crate) struct Class(u32);

impl Class {
    #[inline(always)]
    pub(crate) unsafe fn of(types: *const Types, c: u32) -> Class {
        let place = if FEW_REGISTERS { kept(c << 27) >> 27 } else { c % 32 };
        let classes = u32::from(unsafe { *types.cast::<u8>().add(place as usize) });
        // A byte of a character beyond ASCII is never a type, and gives 0.
        let shift = kept(c / 32) * 2;
        // SAFETY: `c` is a byte.
        unsafe { core::hint::assert_unchecked(shift < 16) };
        Class(if FEW_REGISTERS { classes >> shift << 30 } else { classes >> shift & 3 })
    }

    /// Whether the byte is a type.
    #[inline(always)]
    pub(crate) fn is_type(self) -> bool {
        self.0 != 0
    }

    /// What a unit of the type contains.
    #[inline(always)]
    pub(crate) fn holds(self) -> u8 {
        if FEW_REGISTERS { (self.0 >> 30) as u8 } else { self.0 as u8 }
    }

    /// Whether the byte is a type of units.
    #[inline(always)]
    pub(crate) fn is_units(self) -> bool {
        if FEW_REGISTERS { (self.0 as i32) < 0 } else { self.0 == u32::from(LW_UNITS) }
    }
}

impl Types {
    const fn of(set: &TypeSet) -> Types {
        let mut types = Types { classes: [0; 32] };
        let mut c = 0;
        while c < 128 {
            if set.is_type(c) {
                types.add(c, if set.is_structured(c) { LW_UNITS } else { LW_DATA });
            }
            c += 1;
        }
        types
    }

    const fn add(&mut self, c: u8, class: u8) {
        self.classes[c as usize % 32] |= class << (c / 32 * 2);
    }
}

/// Adds a character to a set of types: `holds` is LW_DATA or LW_UNITS. A type is a character from space to `~` other
/// than a digit, `"` and `\`.
///
/// Returns LW_OK; or LW_UNSUPPORTED, with the set unchanged, if the character cannot be a type, or already belongs to
/// the other class.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_types_add(types: &mut Types, c: c_char, holds: u8) -> i32 {
    let c = c as u8;
    let can_be = matches!(c, b' '..=b'~') && !c.is_ascii_digit() && c != b'"' && c != b'\\';
    if !can_be || !matches!(holds, LW_DATA | LW_UNITS) {
        return refused(LW_UNSUPPORTED);
    }
    let there = types.classes[c as usize % 32] >> (c / 32 * 2) & 3;
    if there & !holds != 0 {
        return refused(LW_UNSUPPORTED);
    }
    types.add(c, holds);
    LW_OK
}

/// Typed values: `{` object, `[` array; `'` string, `#` integer, `%` float, `?` boolean, `~` null,
/// `*` binary, `^` character, `` ` `` byte.
#[unsafe(no_mangle)]
pub static lw_types_value: Types = Types::of(TypeSet::VALUE);

/// JSON as its tokens: `{` object, `[` array, `'` any scalar.
#[unsafe(no_mangle)]
pub static lw_types_json: Types = Types::of(TypeSet::JSON);

/// XML: `<` element, `=` list of attributes, `@` array; `[` text or attribute, `]` CDATA, `!` DOCTYPE,
/// `?` instruction, `+` comment.
#[unsafe(no_mangle)]
pub static lw_types_xml: Types = Types::of(TypeSet::XML);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_set_says_of_each_byte_is_what_the_set_of_the_crate_says() {
        let sets = [(TypeSet::VALUE, &lw_types_value), (TypeSet::JSON, &lw_types_json), (TypeSet::XML, &lw_types_xml)];
        for (set, types) in sets {
            for c in 0..=255u8 {
                let class = unsafe { Class::of(types, c.into()) };
                assert_eq!(class.is_type(), c < 128 && set.is_type(c), "{c}");
                assert_eq!(class.is_units(), c < 128 && set.is_structured(c), "{c}");
            }
        }
    }
}
