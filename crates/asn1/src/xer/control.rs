//! Control characters that XML does not have, as empty elements (X.680 clause 11.15.5).

/// The names of the characters 0 to 31.
const NAMES: [&str; 32] = [
    "nul", "soh", "stx", "etx", "eot", "enq", "ack", "bel", "bs", "ht", "lf", "vt", "ff", "cr", "so", "si", "dle",
    "dc1", "dc2", "dc3", "dc4", "nak", "syn", "etb", "can", "em", "sub", "esc", "is4", "is3", "is2", "is1",
];

/// The name of a character that XML text cannot contain; `None` for tab, line feed and carriage return.
pub(super) fn name(c: char) -> Option<&'static str> {
    match c {
        '\t' | '\n' | '\r' => None,
        c => NAMES.get(c as usize).copied(),
    }
}

/// The character with a name.
pub(super) fn character(name: &str) -> Option<char> {
    let code = NAMES.iter().position(|own| *own == name)?;
    char::from_u32(code as u32).filter(|c| self::name(*c).is_some())
}
