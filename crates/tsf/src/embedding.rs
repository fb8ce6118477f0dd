//! A message inside an XML document (paper section 5.6).

use tam::{Error, ErrorKind, Words};

/// The target of the processing instruction that carries a message.
pub const TARGET: &str = "tsf";

/// Checks that a message can travel as `<?tsf MESSAGE?>` and comes out of an XML parser as it
/// went in.
///
/// Names and data must be XML characters in UTF-8, without `?>`, which would end the
/// instruction, and without a carriage return, which XML turns into a line feed.
///
/// ```
/// assert!(lengthwise_tsf::check_embeddable(b"1a<5[hello").is_ok());
/// let error = lengthwise_tsf::check_embeddable(b"1a<4[a?>b").unwrap_err();
/// assert_eq!(error.to_string(), "unsupported at byte 6: found '?>', expected data without it");
/// ```
///
/// # Errors
/// [`ErrorKind::Unsupported`] at the first byte that an instruction cannot contain.
pub fn check_embeddable(message: &[u8]) -> Result<(), Error> {
    let unsupported = |at: usize, found: Words, expected: &'static str| {
        Err(Error::new(ErrorKind::Unsupported, "tsf", at as u64, found, expected))
    };
    let text = match core::str::from_utf8(message) {
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to();
            return unsupported(at, Words::Byte(message.get(at).copied().unwrap_or(0)), "UTF-8");
        }
    };
    if let Some(at) = text.find("?>") {
        return unsupported(at, Words::Text("'?>'"), "data without it");
    }
    let allowed =
        |c: char| matches!(c, '\t' | '\n' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..='\u{10FFFF}');
    match text.char_indices().find(|&(_, c)| !allowed(c)) {
        Some((at, _)) => unsupported(at, Words::Byte(message[at]), "a character that XML keeps"),
        None => Ok(()),
    }
}

/// Appends a message as the processing instruction `<?tsf MESSAGE?>`.
///
/// # Errors
/// As [`check_embeddable`]; nothing is appended then.
#[cfg(feature = "alloc")]
pub fn embed(message: &[u8], out: &mut alloc::vec::Vec<u8>) -> Result<(), Error> {
    check_embeddable(message)?;
    out.extend_from_slice(b"<?tsf ");
    out.extend_from_slice(message);
    out.extend_from_slice(b"?>");
    Ok(())
}

/// The message in the data of a processing instruction, as TAM keeps it (`tsf MESSAGE`); `None`
/// where the instruction is another one.
///
/// ```
/// assert_eq!(lengthwise_tsf::embedded(b"tsf 0a<"), Some(&b"0a<"[..]));
/// assert_eq!(lengthwise_tsf::embedded(b"php echo"), None);
/// ```
#[must_use]
pub fn embedded(instruction: &[u8]) -> Option<&[u8]> {
    let rest = instruction.strip_prefix(TARGET.as_bytes())?;
    let message = rest.trim_ascii_start();
    (message.len() < rest.len()).then_some(message)
}
