//! Messages in PEM (RFC 7468): base64 between lines that say what it is.

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";

/// Whether a message is in PEM: a line starts it, at the start or after explanatory text.
pub(crate) fn is_pem(bytes: &[u8]) -> bool {
    bytes.starts_with(BEGIN)
}

/// The octets of all parts of a message in PEM, one after the other. `None` if it is not valid.
pub(crate) fn decoded(bytes: &[u8]) -> Option<Vec<u8>> {
    let (mut octets, mut digits, mut inside) = (Vec::new(), String::new(), false);
    for line in bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii) {
        match line {
            line if line.starts_with(BEGIN) && !inside => inside = true,
            line if line.starts_with(END) && inside => {
                xml::base64::decode(&digits, &mut octets)?;
                digits.clear();
                inside = false;
            }
            // Headers of RFC 1421.
            line if inside && line.contains(&b':') => {}
            line if inside => digits.push_str(std::str::from_utf8(line).ok()?),
            _ => {}
        }
    }
    (!inside && !octets.is_empty()).then_some(octets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_follow_each_other() {
        let text = b"-----BEGIN X-----\r\nMAM=\r\n-----END X-----\nbetween\n-----BEGIN Y-----\nA: b\n\nAQH/\n-----END Y-----\n";
        assert!(is_pem(text));
        assert_eq!(decoded(text), Some(vec![0x30, 3, 1, 1, 0xFF]));
        assert_eq!(decoded(b"-----BEGIN X-----\nMAM=\n"), None);
        assert_eq!(decoded(b"-----BEGIN X-----\nM!M=\n-----END X-----\n"), None);
    }
}
