//! Schema documents: where they are, what stands in them, which belong together (Part 1 section 4).

mod catalog;
mod encoding;
mod grammar;
mod line;
mod loader;
mod scopes;
mod set;
mod tree;
mod vocabulary;

pub use catalog::Catalog;
pub(crate) use line::Lines;
pub use loader::{Files, Memory, Source};
pub(crate) use scopes::{OUTSIDE, Scopes};
pub(crate) use set::{At, Given, Set, unread};
pub(crate) use tree::{Fault, Growing, Tree, take_room};
pub(crate) use vocabulary::{Key, Tag};

use crate::names::first_word;

/// Whether a text is white space.
pub(crate) fn is_blank(text: &str) -> bool {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    // Mostly the end of a line, and one kind of space up to the next tag.
    let Some((first, indent)) = text.as_bytes().split_first() else { return true };
    let Some(space) = indent.first() else { return is_space(first) };
    let alike = u64::from(*space) * 0x0101_0101_0101_0101;
    let is_alike = match indent.last_chunk() {
        Some(last) => {
            u64::from_le_bytes(*last) == alike
                && indent.as_chunks().0.iter().all(|eight| u64::from_le_bytes(*eight) == alike)
        }
        None => first_word(indent) == alike & !(u64::MAX << (8 * indent.len())),
    };
    is_space(first) && is_space(space) && (is_alike || indent.iter().all(is_space))
}

#[cfg(test)]
mod tests {
    use super::is_blank;

    #[test]
    fn blank_is_white_space_alone() {
        assert!(is_blank(""));
        for len in 1..40 {
            for space in [' ', '\t', '\n', '\r'] {
                assert!(is_blank(&String::from_iter(std::iter::repeat_n(space, len))));
            }
            assert!(is_blank(&format!("\n{:len$}", "")));
            assert!(is_blank(&format!("\r\n{}", "\t".repeat(len))));
            assert!(!is_blank(&format!("\n{}", "x".repeat(len))));
            for at in 0..len {
                for odd in ['x', '\u{B}', '!', '\u{1F}', '\0'] {
                    let text = |n| if n == at { odd } else { ' ' };
                    assert!(!is_blank(&String::from_iter((0..len).map(text))), "{len} {at}");
                }
                let text = |n| if n == at { '\n' } else { ' ' };
                assert!(is_blank(&String::from_iter((0..len).map(text))));
            }
        }
    }
}
