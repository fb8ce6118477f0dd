//! The ends of XML documents in sequence.

/// Whether what is left of a file contains only comments or instructions.
pub(crate) fn is_blank_of_elements(text: &[u8]) -> bool {
    text.starts_with(b"<!--") || text.starts_with(b"<?") && !text.starts_with(b"<?xml ")
}

/// The end of the root element of a document that begins at a position; `None` if it does not end, or is not XML in an
/// ASCII-compatible encoding.
pub(crate) fn end_of_document(file: &[u8], mut at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let after = |at: usize, mark: &[u8]| {
        let rest = file.get(at..)?;
        rest.windows(mark.len()).position(|window| window == mark).map(|found| at + found + mark.len())
    };
    loop {
        at += file.get(at..)?.iter().position(|byte| *byte == b'<')?;
        let rest = &file[at..];
        match rest {
            _ if rest.starts_with(b"<!--") => at = after(at + 4, b"-->")?,
            _ if rest.starts_with(b"<![CDATA[") => at = after(at, b"]]>")?,
            [b'<', b'?', ..] => at = after(at, b"?>")?,
            [b'<', b'!', ..] => return None,
            [b'<', b'/', ..] => {
                at = after(at, b">")?;
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {
                let end = end_of_tag(rest)?;
                at += end;
                if rest.get(end - 2) != Some(&b'/') {
                    depth += 1;
                } else if depth == 0 {
                    return Some(at);
                }
            }
        }
    }
}

/// The length of a start tag.
fn end_of_tag(tag: &[u8]) -> Option<usize> {
    let mut quote = None;
    let is_end = |byte: &u8| {
        match quote {
            Some(open) if open == *byte => quote = None,
            Some(_) => {}
            None if matches!(byte, b'"' | b'\'') => quote = Some(*byte),
            None => return *byte == b'>',
        }
        false
    };
    tag.iter().position(is_end).map(|end| end + 1)
}
