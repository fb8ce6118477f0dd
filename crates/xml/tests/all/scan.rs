//! Eight bytes at a time find what a look at each finds.

use lengthwise_xml::scan::*;

#[test]
fn sameness_is_that_of_slices() {
    for len in 0..40 {
        let text = vec![b'a'; len];
        assert!(is_same(&text, &text));
        for at in 0..len {
            let mut other = text.clone();
            other[at] = b'b';
            assert!(!is_same(&text, &other), "{len} {at}");
        }
        assert!(!is_same(&text, &vec![b'a'; len + 1]));
    }
}

#[test]
fn words_are_the_first_eight_bytes() {
    for len in 0..30 {
        let text: Vec<u8> = (b'a'..=b'z').cycle().take(len).collect();
        let mut word = [0; 8];
        word[..len.min(8)].copy_from_slice(&text[..len.min(8)]);
        assert_eq!(first_word(&text), u64::from_le_bytes(word));
        assert_eq!(eight(&text, 0), (len >= 8).then(|| first_word(&text)));
    }
}

/// The lowest byte that is marked is for certain.
#[test]
fn marks_begin_with_the_first_byte_that_is_meant() {
    for byte in 0..=u8::MAX {
        for at in 0..8 {
            let mut bytes = *b"somewhat";
            bytes[at] = byte;
            let word = u64::from_le_bytes(bytes);
            let first = |marks: u64| if marks == 0 { None } else { Some(marks.trailing_zeros() as usize / 8) };
            assert_eq!(first(mark_controls(word)), bytes.iter().position(|byte| *byte < b' '), "{bytes:?}");
            for wanted in [b'&', b'<', b's', byte] {
                assert_eq!(first(mark(word, wanted)), bytes.iter().position(|byte| *byte == wanted), "{bytes:?}");
            }
        }
    }
}
