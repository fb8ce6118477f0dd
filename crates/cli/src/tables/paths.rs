//! Paths of columns, as `--columns` has them.

/// Paths with commas between them, whose names have the escapes of RFC 6901.
#[derive(Clone, Debug)]
pub(crate) struct Paths(pub(crate) Vec<String>);

/// Splits a text at the commas that are not in quotes. A name in quotes, single or double, may have any other characters.
pub(crate) fn paths(text: &str) -> Result<Paths, String> {
    let (mut paths, mut quote, mut is_begin) = (vec![String::new()], None, true);
    for c in text.chars() {
        let Some(path) = paths.last_mut() else { break };
        match (quote, c) {
            (Some(end), _) if c == end => quote = None,
            (Some(_), '~') => path.push_str("~0"),
            (Some(_), '/') => path.push_str("~1"),
            (None, '\'' | '"') if is_begin => quote = Some(c),
            (None, ',') => paths.push(String::new()),
            _ => path.push(c),
        }
        is_begin = quote.is_none() && matches!(c, ',' | '/');
    }
    match quote {
        Some(quote) => Err(format!("found the end, expected a closing {quote}")),
        None => Ok(Paths(paths)),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    #[test]
    fn names_in_quotes_may_have_commas_and_slashes() {
        for (text, expected) in [
            ("a,b/c", &["a", "b/c"][..]),
            (r#""a,b"/'c/d',e"#, &["a,b/c~1d", "e"]),
            (r#"it's,'it"s'/x"#, &["it's", "it\"s/x"]),
            (r#""~1","",x"#, &["~01", "", "x"]),
            ("c~1d", &["c~1d"]),
        ] {
            assert_eq!(super::paths(text).unwrap().0, expected, "{text}");
        }
        assert!(super::paths("\"a,b").is_err());
    }
}
