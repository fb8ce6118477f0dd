//! Type sets, as small as a device wants them.

use tam::TypeSet;

/// Which characters are types of TSF: for each of ASCII 0 a character of a name, LW_DATA a type of data,
/// LW_UNITS a type of units. A set of one's own is a table that says so of others; digits, `"` and `\` cannot be types.
#[repr(C)]
#[derive(Debug)]
pub struct Types {
    /// The class of each character.
    pub class_of: [u8; 128],
}

/// The class of a type of data.
pub const LW_DATA: u8 = 1;
/// The class of a type of units.
pub const LW_UNITS: u8 = 2;

/// What a set says of a byte.
#[derive(Clone, Copy)]
pub(crate) struct Class(u8);

impl Class {
    #[inline(always)]
    pub(crate) unsafe fn of(types: *const Types, c: u32) -> Class {
        // A byte of a character beyond ASCII is never a type.
        Class(if c < 128 { unsafe { *types.cast::<u8>().add(c as usize) } } else { 0 })
    }

    /// Of a byte that is a type, and so of ASCII.
    #[inline(always)]
    pub(crate) unsafe fn of_type(types: *const Types, c: u8) -> Class {
        Class(unsafe { *types.cast::<u8>().add(c.into()) })
    }

    /// Whether the byte is a type.
    #[inline(always)]
    pub(crate) fn is_type(self) -> bool {
        self.0 != 0
    }

    /// What a unit of the type holds.
    #[inline(always)]
    pub(crate) fn holds(self) -> u8 {
        self.0
    }

    /// Whether the byte is a type of units.
    #[inline(always)]
    pub(crate) fn is_units(self) -> bool {
        self.0 == LW_UNITS
    }
}

impl Types {
    const fn of(set: &TypeSet) -> Types {
        let mut class_of = [0; 128];
        let mut c = 0;
        while c < 128 {
            if set.is_type(c) {
                class_of[c as usize] = if set.is_structured(c) { LW_UNITS } else { LW_DATA };
            }
            c += 1;
        }
        Types { class_of }
    }
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
