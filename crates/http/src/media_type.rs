//! Media types and their parameters (RFC 9110 section 8.3.1).
//!
//! Libraries read what the grammar allows. Clients also send `type=text/xml` and `boundary=uuid:1` without quotes, and a last
//! semicolon.

/// A media type, as a head has it.
#[derive(Debug)]
pub(crate) struct MediaType {
    /// Type and subtype, in lower case.
    pub(crate) name: String,
    /// Names in lower case, and values without quotes and escapes.
    parameters: Vec<(String, String)>,
}

impl MediaType {
    /// The media type of a value, if it begins with one.
    pub(crate) fn of(value: &str) -> Option<MediaType> {
        let (name, mut rest) = value.split_once(';').unwrap_or((value, ""));
        let name = name.trim().to_ascii_lowercase();
        let is_name = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'/');
        if !name.split_once('/').is_some_and(|(kind, subtype)| is_name(kind) && is_name(subtype)) {
            return None;
        }
        let mut parameters = Vec::new();
        while let Some((name, value)) = rest.split_once('=') {
            let (value, end) = unquoted(value.trim_start());
            parameters.push((name.trim_matches([' ', '\t', ';']).to_ascii_lowercase(), value));
            rest = end;
        }
        Some(MediaType { name, parameters })
    }

    /// The first parameter of a name.
    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }
}

/// A value, and what follows it.
fn unquoted(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let (value, rest) = text.split_once(';').unwrap_or((text, ""));
        return (value.trim().to_owned(), rest);
    };
    let (mut value, mut chars) = (String::new(), quoted.chars());
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => value.extend(chars.next()),
            c => value.push(c),
        }
    }
    (value, chars.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_with_quotes_and_without() {
        let value = "Text/XML ; charset=UTF-8; Action=\"a;b=\\\"c\\\"\";type=text/xml;x= ; y=\"open";
        let read = MediaType::of(value).unwrap();
        assert_eq!(read.name, "text/xml");
        for (name, expected) in
            [("charset", "UTF-8"), ("action", "a;b=\"c\""), ("type", "text/xml"), ("x", ""), ("y", "open")]
        {
            assert_eq!(read.parameter(name), Some(expected), "{name}");
        }
        assert_eq!(read.parameter("z"), None);
        for value in ["", "text", "/", "text/", "a/b/c", "te xt/xml", ";a=b"] {
            assert!(MediaType::of(value).is_none(), "{value}");
        }
        assert!(MediaType::of("text/xml;").unwrap().parameters.is_empty());
    }
}
