//! Detects the format of a message from its bytes.

#[cfg(feature = "pon")]
use pon::Kind;
#[cfg(feature = "json")]
use tam::json;

use crate::Format;

/// The format of a message, as [`Format::sniff`] documents it.
pub(crate) fn format(input: &[u8]) -> Option<Format> {
    #[cfg(feature = "xml")]
    if is_utf16_markup(input) {
        return Some(Format::Xml);
    }
    #[cfg(feature = "pon")]
    if is_pon(input) {
        return Some(Format::Pon);
    }
    #[cfg(feature = "tdxml")]
    if tdxml::is_multipart(input) {
        return Some(Format::Tdxml);
    }
    #[cfg(feature = "asn1")]
    if is_der(input) {
        return Some(Format::Der);
    }
    let marked = input.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(input);
    let text = marked.trim_ascii_start();
    match text.first()? {
        #[cfg(feature = "tdxml")]
        b'<' if tdxml::begins(text) => Some(Format::Tdxml),
        #[cfg(feature = "xml")]
        b'<' => Some(Format::Xml),
        #[cfg(feature = "json")]
        b'{' | b'[' | b'"' | b'-' | b't' | b'f' | b'n' => Some(Format::Json),
        #[cfg(feature = "json")]
        b'0'..=b'9' if text.len() < input.len() || is_number(text) => Some(Format::Json),
        #[cfg(feature = "tsf")]
        b'0'..=b'9' => Some(Format::Tsf),
        // Its reader says what is wrong.
        #[cfg(feature = "json")]
        0xFE | 0xFF if matches!(input, [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..]) => Some(Format::Json),
        _ => None,
    }
}

/// Whether a message is one SEQUENCE in DER of 128 octets or more, whose length is that of the message: a certificate, a request
/// for one, a signed message. No format of text has such a start.
#[cfg(feature = "asn1")]
fn is_der(input: &[u8]) -> bool {
    let [0x30, count @ 0x81..=0x84, rest @ ..] = input else { return false };
    let Some((length, contents)) = rest.split_at_checked(usize::from(count & 0x7F)) else { return false };
    let length = length.iter().fold(0, |length, octet| length << 8 | u64::from(*octet));
    length >= 128 && length == contents.len() as u64
}

/// XML in UTF-16 begins with a byte order mark, or with `<` in either byte order (XML 1.0
/// appendix F.1). After a mark there may be JSON too.
#[cfg(feature = "xml")]
fn is_utf16_markup(input: &[u8]) -> bool {
    let is_markup = matches!(input, [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] | [0, b'<', ..] | [b'<', 0, ..]);
    is_markup && !is_utf16_json(input)
}

/// Whether a text in UTF-16 begins like JSON, whose reader says that it must be UTF-8.
#[cfg(feature = "xml")]
fn is_utf16_json(input: &[u8]) -> bool {
    matches!(input, [0xFE, 0xFF, 0, b'{' | b'[' | b'"', ..] | [0xFF, 0xFE, b'{' | b'[' | b'"', 0, ..])
}

/// Whether a text is one JSON number and white space.
#[cfg(feature = "json")]
fn is_number(text: &[u8]) -> bool {
    json::number(text).is_ok_and(|(len, _)| text[len..].trim_ascii_start().is_empty())
}

/// Whether a message is one node of PON, judged by its head and by what its data begins with.
///
/// The number of a node is the count of bytes after its type. A TSF message that begins with the same
/// number and character is one of these:
/// * A structured unit. Its number counts units of at least two bytes, so the two formats agree only
///   on empty ones (`0{` and `0[`). These mean the same in both and are left to TSF.
/// * A unit with that character in its name. Then it is followed by more bytes than the data alone.
/// * A lone text of the type set `xml`, such as `5[hello`. [`begins_like_items`] decides.
#[cfg(feature = "pon")]
fn is_pon(input: &[u8]) -> bool {
    let Some(node) = pon::Value::new(input).ok().or_else(|| container_on_a_line(input)) else {
        return begins_like_members(input);
    };
    match node.kind() {
        Kind::Object => node.members().next().is_some_and(|first| first.is_ok()) || begins_like_members(input),
        Kind::Array => begins_like_items(&node),
        _ => true,
    }
}

/// A message with a line end that an editor added is invalid, but still PON. After data that is not a container it
/// could be the end of a TSF text: `5s[hell` and a line feed.
#[cfg(feature = "pon")]
fn container_on_a_line(input: &[u8]) -> Option<pon::Value<'_>> {
    let line = input.strip_suffix(b"\n")?;
    let node = pon::Value::new(line.strip_suffix(b"\r").unwrap_or(line)).ok()?;
    node.kind().is_container().then_some(node)
}

/// Whether a broken message is still an object of PON. In TSF, `{` is followed by the number of the
/// next unit or by the end.
#[cfg(feature = "pon")]
fn begins_like_members(input: &[u8]) -> bool {
    let digits = input.iter().take_while(|c| c.is_ascii_digit()).count();
    match &input[digits..] {
        [b'{', inside @ ..] if digits > 0 && input[0] != b'0' => {
            inside.first().is_some_and(|c| !c.is_ascii_digit()) && inside.contains(&b':')
        }
        _ => false,
    }
}

/// Whether what is in an array begins as items do. `5[hello` does not; but many a word begins with
/// one of the types that have no length, so that a first item of these alone is no sign.
#[cfg(feature = "pon")]
fn begins_like_items(array: &pon::Value<'_>) -> bool {
    let mut items = array.items();
    match items.next() {
        Some(Ok(first)) if has_length(first.kind()) => true,
        Some(Ok(_)) => items.all(|item| item.is_ok()),
        _ => false,
    }
}

#[cfg(feature = "pon")]
const fn has_length(kind: Kind) -> bool {
    !matches!(kind, Kind::Boolean | Kind::Null | Kind::Char | Kind::Byte)
}

#[cfg(test)]
#[cfg(all(feature = "tdxml", feature = "losses"))]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_give_the_format() {
        let cases: &[(&[u8], Option<Format>)] = &[
            (b"<?xml version='1.0'?><a/>", Some(Format::Xml)),
            (b"<?xml version='1.0'?>\n<TDXML:Env>", Some(Format::Tdxml)),
            (b"<TDXML:Envelope xmlns:TDXML='urn:tdxml'>", Some(Format::Tdxml)),
            (b"<Env xmlns='urn:tdxml'><DS", Some(Format::Tdxml)),
            (b"<Env><DS", Some(Format::Xml)),
            (b"<TDXML:Environment/>", Some(Format::Xml)),
            (b"MIME-Version: 1.0", Some(Format::Tdxml)),
            (b"content-type: multipart/related", Some(Format::Tdxml)),
            (b"\xEF\xBB\xBF\n<a/>", Some(Format::Xml)),
            (b"\xFE\xFF\0<\0a", Some(Format::Xml)),
            (b"\xFE\xFF\0{\0}", Some(Format::Json)),
            (b"\xFF\xFE[\0]\0", Some(Format::Json)),
            (b"<\0a\0/\0>\0", Some(Format::Xml)),
            (b"\xEF\xBB\xBF{}", Some(Format::Json)),
            (b"\t\"text\"", Some(Format::Json)),
            (b"-1", Some(Format::Json)),
            (b"17", Some(Format::Json)),
            (b"1.5e3\n", Some(Format::Json)),
            (b" 0a", Some(Format::Json)),
            (b"true", Some(Format::Json)),
            (b"17 ", Some(Format::Json)),
            (b"0a<", Some(Format::Tsf)),
            (b"1e5[a", Some(Format::Tsf)),
            (b"4'null", Some(Format::Tsf)),
            (b"", None),
            (b"   ", None),
            (b"%PDF-1.7", None),
            (b"\0\0\0", None),
        ];
        let der = |length: usize| [&[0x30, 0x81, 0x80][..], &vec![0; length]].concat();
        assert_eq!((format(&der(128)), format(&der(129))), (Some(Format::Der), Some(Format::Tsf)));
        for (input, expected) in cases {
            assert_eq!(format(input), *expected, "{}", String::from_utf8_lossy(input));
        }
    }

    fn all_are(messages: &[&str], expected: Option<Format>) {
        for message in messages {
            assert_eq!(format(message.as_bytes()), expected, "{message}");
        }
    }

    #[test]
    fn a_number_that_is_the_bytes_after_the_type_means_pon() {
        let pon = Some(Format::Pon);
        all_are(&["26{key1:6svalue1key2:6svalue2", "16[6svalue16svalue2"], pon);
        all_are(&["2i49", "5shello", "4d17.3", "0s", "0y", "3y\u{1}\n\n"], pon);
        // The types without a length, and items of these alone.
        all_are(&["t", "f", "u", "bA", "b\n", "cA", "cé", "c😀", "3[tfu", "6[bAc[cb"], pon);
        // An item with a length, and then a fault.
        all_are(&["6[2i1739"], pon);
        // A text of the type set xml that could be an item: none is likely to be sent alone.
        all_are(&["5[3sabc"], pon);
        // A line end that an editor added.
        all_are(&["1[u\n", "3{a:t\r\n"], pon);
    }

    #[test]
    fn an_invalid_object_is_detected_by_its_first_key() {
        all_are(&["26{key1:6svalue1key2:6svalue", "5{a:2i1", "3{a:tjunk", "3{a:x"], Some(Format::Pon));
        all_are(&["26{key1", "2{5room'a:c", "1{2a:'xx", "0{"], Some(Format::Tsf));
    }

    #[test]
    fn a_number_that_is_anything_else_does_not_mean_pon() {
        let tsf = Some(Format::Tsf);
        // Empty in either format.
        all_are(&["0{", "0[", "0{\n"], tsf);
        // Units, not bytes.
        all_are(&["1{1a'x", "2[1#11#2", "2{2id#175name'green", "1[0[", "1{0a~", "1{0{"], tsf);
        // Texts of the type set xml.
        all_are(&["5[hello", "4[both", "4[true", "8[17 items", "4[grüß", "5[hell\n"], tsf);
        // Names that begin like types.
        all_are(&["4some'1234", "1s[x", "2i<0a<0b<", "0y<", "5s[hell\n", "1d=1k[v", "0ya\"~"], tsf);
        all_are(&["16[6svalue16svalue", "5shell"], tsf);
        all_are(&["t\n", "true", "false", "fu", "tt"], Some(Format::Json));
        all_are(&["bAB", "cAB", "b", "c", "uu", "u\n", "c\u{0}\u{0}"], None);
        assert_eq!(format(b"c\xFF"), None);
    }
}
