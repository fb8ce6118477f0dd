//! Character classes (Part 2 appendix F.1).

use core::ops::RangeInclusive;

use xml::name;

use super::Fault;
use super::blocks;
use super::translate::Chars;

/// How deep subtractions of classes may be nested.
const MOST_SUBTRACTIONS: usize = 32;

/// Appends a literal character.
pub(super) fn push_char(c: char, out: &mut String) {
    if "\\.+*?()|[]{}^$#&-~".contains(c) {
        out.push('\\');
    }
    out.push(c);
}

/// Translates an escape outside of brackets, after the backslash.
pub(super) fn escape(chars: &mut Chars<'_>, out: &mut String) -> Result<(), Fault> {
    match single(chars)? {
        Escape::Char(c) => push_char(c, out),
        Escape::Class(class) => out.push_str(&class),
    }
    Ok(())
}

enum Escape {
    /// One character.
    Char(char),
    /// A class, including its brackets.
    Class(String),
}

/// Reads an escape after its backslash.
fn single(chars: &mut Chars<'_>) -> Result<Escape, Fault> {
    let c = chars.next().ok_or_else(|| Fault::new("a backslash at the end", "what it escapes"))?;
    Ok(match c {
        'n' => Escape::Char('\n'),
        'r' => Escape::Char('\r'),
        't' => Escape::Char('\t'),
        '\\' | '|' | '.' | '?' | '*' | '+' | '(' | ')' | '{' | '}' | '-' | '[' | ']' | '^' | '$' => Escape::Char(c),
        's' => Escape::Class("[ \\t\\n\\r]".to_owned()),
        'S' => Escape::Class("[^ \\t\\n\\r]".to_owned()),
        'i' => Escape::Class(ranges("", &[&name::START])),
        'I' => Escape::Class(ranges("^", &[&name::START])),
        'c' => Escape::Class(ranges("", &[&name::START, &name::MORE])),
        'C' => Escape::Class(ranges("^", &[&name::START, &name::MORE])),
        'd' => Escape::Class("\\p{Nd}".to_owned()),
        'D' => Escape::Class("\\P{Nd}".to_owned()),
        'w' => Escape::Class("[^\\p{P}\\p{Z}\\p{C}]".to_owned()),
        'W' => Escape::Class("[\\p{P}\\p{Z}\\p{C}]".to_owned()),
        'p' | 'P' => Escape::Class(property(c == 'P', chars)?),
        _ => return Err(Fault::new(format!("'\\{c}'"), "an escape of XML Schema Part 2, appendix F")),
    })
}

/// A class of ranges of characters (`\i`, `\c`), negated if the mark is `^`.
fn ranges(mark: &str, ranges: &[&[RangeInclusive<char>]]) -> String {
    let push = |mut class: String, range: &RangeInclusive<char>| {
        push_char(*range.start(), &mut class);
        class.push('-');
        push_char(*range.end(), &mut class);
        class
    };
    ranges.iter().copied().flatten().fold(format!("[{mark}"), push) + "]"
}

/// `\p{Lu}`, `\P{IsBasicLatin}`.
fn property(negated: bool, chars: &mut Chars<'_>) -> Result<String, Fault> {
    let wrong = || Fault::new("'\\p'", "a category or block in braces");
    if chars.next() != Some('{') {
        return Err(wrong());
    }
    let mut name = String::new();
    loop {
        match chars.next().ok_or_else(wrong)? {
            '}' => break,
            c if name.len() < 64 && (c.is_ascii_alphanumeric() || c == '-') => name.push(c),
            _ => return Err(wrong()),
        }
    }
    if let Some(block) = name.strip_prefix("Is") {
        let ranges = blocks::ranges(block)
            .ok_or_else(|| Fault::new(format!("the block '{block}'"), "a block of Unicode, such as IsBasicLatin"))?;
        if ranges.is_empty() {
            return Ok(if negated { "[\\x{0}-\\x{10FFFF}]" } else { "[^\\x{0}-\\x{10FFFF}]" }.to_owned());
        }
        let mark = if negated { "^" } else { "" };
        let ranges: String = ranges.iter().map(|(from, to)| format!("\\x{{{from:X}}}-\\x{{{to:X}}}")).collect();
        return Ok(format!("[{mark}{ranges}]"));
    }
    const CATEGORIES: &str = " L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po Z Zs Zl Zp S Sm Sc Sk So \
        C Cc Cf Co Cn ";
    if name.is_empty() || !CATEGORIES.contains(&format!(" {name} ")) {
        return Err(Fault::new(format!("the category '{name}'"), "a category of Unicode, such as Lu"));
    }
    Ok(if negated { format!("\\P{{{name}}}") } else { format!("\\p{{{name}}}") })
}

/// Translates a class in brackets, after `[`. A subtracted class is nested in it.
pub(super) fn bracketed(chars: &mut Chars<'_>, out: &mut String) -> Result<(), Fault> {
    let mut depth = 1;
    out.push('[');
    begin(chars, out);
    let mut empty = true;
    // The last single character, which may be the start of a range.
    let mut last: Option<char> = None;
    loop {
        let c = chars.next().ok_or_else(|| Fault::new("the end of the pattern", "']'"))?;
        match c {
            ']' if empty => return Err(Fault::new("'[]'", "characters in the brackets")),
            ']' => {
                out.push_str("]]");
                // A class ends after the class that it subtracts.
                for _ in 1..depth {
                    out.push(']');
                    if chars.next() != Some(']') {
                        return Err(Fault::new("more after the subtraction", "']'"));
                    }
                }
                return Ok(());
            }
            '-' if chars.peek() == Some('[') => {
                if empty || depth == MOST_SUBTRACTIONS {
                    return Err(Fault::new("'-['", "characters to subtract from"));
                }
                chars.next();
                depth += 1;
                out.push_str("]--[");
                begin(chars, out);
                (empty, last) = (true, None);
                continue;
            }
            '-' if last.is_some() && !ends(chars) => {
                let from = last.take().unwrap_or(c);
                let to = match chars.next() {
                    Some('\\') => match single(chars)? {
                        Escape::Char(to) => to,
                        Escape::Class(_) => return Err(Fault::new("a class", "a character at the end of a range")),
                    },
                    Some('[') | None => return Err(Fault::new("'['", "a character at the end of a range")),
                    Some(to) => to,
                };
                if to < from {
                    return Err(Fault::new(format!("the range {from}-{to}"), "a range from a lower to a higher"));
                }
                out.push('-');
                push_char(to, out);
            }
            '\\' => match single(chars)? {
                Escape::Char(c) => {
                    push_char(c, out);
                    last = Some(c);
                }
                Escape::Class(class) => {
                    out.push_str(&class);
                    last = None;
                }
            },
            '[' => return Err(Fault::new("'[' in brackets", "a backslash before it")),
            _ => {
                push_char(c, out);
                last = Some(c);
            }
        }
        empty = false;
    }
}

/// Whether a hyphen that was read is the last character of its class, and therefore literal.
fn ends(chars: &Chars<'_>) -> bool {
    chars.rest().starts_with(']') || chars.rest().starts_with("-[")
}

fn begin(chars: &mut Chars<'_>, out: &mut String) {
    out.push('[');
    if chars.peek() == Some('^') {
        chars.next();
        out.push('^');
    }
}
