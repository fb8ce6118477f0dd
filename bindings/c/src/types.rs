//! Type sets, as small as a device wants them.

use tam::TypeSet;

/// Which characters are types of TSF: for each of ASCII 0 a character of a name, 1 a type of data, 2 a type
/// of units, 3 the quotation mark. A set of one's own is a table that says so of others; digits, `"`
/// and `\` cannot be types.
#[repr(C)]
#[derive(Debug)]
pub struct Types {
    /// The class of each character.
    pub class_of: [u8; 128],
}

/// The character that opens an extended name.
pub(crate) const QUOTE: u8 = 3;
/// A type that holds units.
pub(crate) const UNITS: u8 = 2;

impl Types {
    const fn of(set: &TypeSet) -> Types {
        let mut class_of = [0; 128];
        let mut c = 0;
        while c < 128 {
            if set.is_type(c) {
                class_of[c as usize] = if set.is_structured(c) { UNITS } else { 1 };
            }
            c += 1;
        }
        class_of[b'"' as usize] = QUOTE;
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
