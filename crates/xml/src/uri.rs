//! URI references (XML Schema Part 2 section 3.2.17; RFC 3986 section 4.1).

/// Whether a text can be a URI reference, once the characters that a URI does not allow are escaped (XLink section
/// 5.4): those above ASCII, spaces, controls and ``<>"{}|\^` ``.
#[must_use]
pub fn is_uri_reference(text: &str) -> bool {
    let (rest, fragment) = text.split_once('#').map_or((text, None), |(rest, fragment)| (rest, Some(fragment)));
    let (rest, query) = rest.split_once('?').map_or((rest, None), |(rest, query)| (rest, Some(query)));
    let after = |part: Option<&str>| part.is_none_or(|part| are_chars(part, b":@/?"));
    if !after(fragment) || !after(query) {
        return false;
    }
    let colon = rest.find(':').filter(|colon| !rest[..*colon].contains('/'));
    let hierarchy = match colon {
        Some(colon) if !is_scheme(&rest[..colon]) => return false,
        Some(colon) => &rest[colon + 1..],
        None => rest,
    };
    match hierarchy.strip_prefix("//") {
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            is_authority(authority) && are_chars(path, b":@/")
        }
        None => are_chars(hierarchy, b":@/"),
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'+' | b'-' | b'.'))
}

fn is_authority(text: &str) -> bool {
    let (user, host) = text.rsplit_once('@').map_or(("", text), |(user, host)| (user, host));
    if !are_chars(user, b":") {
        return false;
    }
    let (host, port) = match host.strip_prefix('[') {
        Some(address) => match address.split_once(']') {
            Some((_, "")) => return true,
            Some((_, port)) if port.starts_with(':') => ("", &port[1..]),
            _ => return false,
        },
        None => host.split_once(':').unwrap_or((host, "")),
    };
    are_chars(host, b"") && port.bytes().all(|c| c.is_ascii_digit())
}

/// Whether a part has only the characters allowed in every part (pchar without ':' and '@') and those in `more`.
fn are_chars(text: &str, more: &[u8]) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().all(|(n, c)| match c {
        b'%' => bytes.get(n + 1..n + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)),
        b'-' | b'.' | b'_' | b'~' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=' => true,
        b'<' | b'>' | b'"' | b'{' | b'}' | b'|' | b'\\' | b'^' | b'`' | 0..=32 | 127..=255 => true,
        c => c.is_ascii_alphanumeric() || more.contains(c),
    })
}
