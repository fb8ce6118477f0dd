//! The errors for typical mistakes, word for word.

use crate::json_support::read_error;

#[test]
fn mistakes_are_named_where_they_are() {
    let cases: &[(&[u8], &str)] = &[
        (b"[1, 2,]", "syntax at byte 6 (line 1, column 7): found ']', expected a value after the comma"),
        (
            b"{\n  \"a\": 1,\n}",
            "syntax at byte 12 (line 3, column 1): found '}', expected a member name in double quotes after the comma",
        ),
        (
            b"{'a': 1}",
            "syntax at byte 1 (line 1, column 2): found a single quote, expected a member name in double quotes, or '}'",
        ),
        (
            b"[ 'a' ]",
            "syntax at byte 2 (line 1, column 3): found a single quote, expected a value, a string being in double quotes",
        ),
        (b"{a: 1}", "syntax at byte 1 (line 1, column 2): found 'a', expected a member name in double quotes, or '}'"),
        (b"{\"list\": [1, NaN]}", "syntax at byte 13 (line 1, column 14) in /list: found 'NaN', expected a value"),
        (b"[True]", "syntax at byte 1 (line 1, column 2): found 'True', expected a value"),
        (
            b"{\"user\": {\"ids\": [7, 012]}}",
            "syntax at byte 21 (line 1, column 22) in /user/ids: found a leading zero, expected a number without one",
        ),
        (b"[-]", "syntax at byte 2 (line 1, column 3): found ']', expected a digit"),
        (b"[1.]", "syntax at byte 3 (line 1, column 4): found ']', expected a digit of the fraction"),
        (b"[1e+]", "syntax at byte 4 (line 1, column 5): found ']', expected a digit of the exponent"),
        (b"[+1]", "syntax at byte 1 (line 1, column 2): found '+', expected a value"),
        (b"[.5]", "syntax at byte 1 (line 1, column 2): found '.', expected a value"),
        (
            b"[\"a\tb\"]",
            r#"syntax at byte 3 (line 1, column 4): found byte 0x09, expected a control character written as an escape, such as \n"#,
        ),
        (
            "[\"é\u{1F600}\", \"a\nb\"]".as_bytes(),
            r#"syntax at byte 13 (line 1, column 10): found byte 0x0A, expected a control character written as an escape, such as \n"#,
        ),
        (
            br#"{"a": ["\ud800"]}"#,
            r#"syntax at byte 8 (line 1, column 9) in /a: found a high surrogate alone, expected a low surrogate (\uDC00 to \uDFFF) after the high one"#,
        ),
        (
            br#"["\udc00"]"#,
            "syntax at byte 2 (line 1, column 3): found a low surrogate alone, expected a high surrogate before it",
        ),
        (
            br#"["C:\dir"]"#,
            r#"syntax at byte 5 (line 1, column 6): found 'd', expected one of "\/bfnrtu after the backslash"#,
        ),
        (br#"["\u12G4"]"#, "syntax at byte 6 (line 1, column 7): found 'G', expected four hexadecimal digits"),
        (br#"{"a" 1}"#, "syntax at byte 5 (line 1, column 6): found '1', expected ':' after the member name"),
        (br#"{"a"; 1}"#, "syntax at byte 4 (line 1, column 5): found ';', expected ':' after the member name"),
        (br#"{"a":}"#, "syntax at byte 5 (line 1, column 6): found '}', expected a value"),
        (b"[1 2]", "syntax at byte 3 (line 1, column 4): found '2', expected ',' or ']'"),
        (b"[1}", "syntax at byte 2 (line 1, column 3): found '}', expected ',' or ']'"),
        (br#"{"a":1]"#, "syntax at byte 6 (line 1, column 7): found ']', expected ',' or '}'"),
        (b"{} {}", "syntax at byte 3 (line 1, column 4): found '{', expected the end of the text"),
        (b"[]]", "syntax at byte 2 (line 1, column 3): found ']', expected the end of the text"),
        (b"[1, // one\n 2]", "syntax at byte 4 (line 1, column 5): found a comment, expected a value"),
        (b"/* a */ []", "syntax at byte 0 (line 1, column 1): found a comment, expected a value"),
        (b"[1]\0", "syntax at byte 3 (line 1, column 4): found byte 0x00, expected the end of the text"),
        ("[1,\u{A0}2]".as_bytes(), "syntax at byte 3 (line 1, column 4): found U+00A0, expected a value"),
        ("“a”".as_bytes(), "syntax at byte 0 (line 1, column 1): found '“', expected a value"),
        (b"[\"caf\xE9\"]", "syntax at byte 5 (line 1, column 6): found byte 0xE9, expected UTF-8"),
        (
            b"\xFF\xFE[\0]\0",
            "syntax at byte 0 (line 1, column 1): found a byte order mark of UTF-16, expected UTF-8 (RFC 8259 section 8.1)",
        ),
        (
            b"\xFE\xFF\0[\0]",
            "syntax at byte 0 (line 1, column 1): found a byte order mark of UTF-16, expected UTF-8 (RFC 8259 section 8.1)",
        ),
        (b"\xFE[]", "syntax at byte 0 (line 1, column 1): found byte 0xFE, expected UTF-8"),
        (b"", "incomplete at byte 0 (line 1, column 1): found the end of the input, expected a value"),
        (b"\xEF\xBB\xBF", "incomplete at byte 3 (line 1, column 1): found the end of the input, expected a value"),
        (b"[1, [2, ", "incomplete at byte 8 (line 1, column 9) in /1: found the end of the input, expected a value"),
        (b"[tr", "incomplete at byte 3 (line 1, column 4): found the end of the input, expected the rest of 'true'"),
        (
            b"{\"a\": \"\xE2\x82",
            "incomplete at byte 9 (line 1, column 9): found the end of the input, expected the rest of a character",
        ),
        (b"\r\n\r\n {\"a\":\r\n\r\n  x}", "syntax at byte 16 (line 5, column 3): found 'x', expected a value"),
        (
            br#"[{"a/b~":[[0],{"":[nul]}]}]"#,
            "syntax at byte 19 (line 1, column 20) in /0/a~1b~0/1/: found 'nul', expected a value",
        ),
        (br#"{"a":[],"a":[x]}"#, "syntax at byte 13 (line 1, column 14) in /a[2]: found 'x', expected a value"),
    ];
    for (text, expected) in cases {
        let error = read_error(text);
        assert_eq!(error.to_string(), *expected, "{}", String::from_utf8_lossy(text));
    }
}
