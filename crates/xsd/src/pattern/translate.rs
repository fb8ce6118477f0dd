//! Translates expressions from the syntax of Part 2 appendix F to that of the crate `regex`.

use super::Fault;
use super::class;

/// Translates an expression and appends it to `out`.
pub(super) fn translate(source: &str, out: &mut String) -> Result<(), Fault> {
    let mut chars = Chars::new(source);
    let mut open = 0_usize;
    // Whether a quantifier may come next.
    let mut atom = false;
    while let Some(c) = chars.next() {
        match c {
            '(' => {
                open += 1;
                out.push_str("(?:");
                atom = false;
                continue;
            }
            ')' if open == 0 => return Err(Fault::new("')' without '('", "'\\)' for the character")),
            ')' => {
                open -= 1;
                out.push(')');
            }
            '|' => {
                out.push('|');
                atom = false;
                continue;
            }
            '?' | '*' | '+' | '{' => {
                if !atom {
                    return Err(Fault::new(format!("'{c}'"), "something before it to repeat"));
                }
                quantifier(c, &mut chars, out)?;
                atom = false;
                continue;
            }
            '.' => out.push_str("[^\\n\\r]"),
            '[' => class::bracketed(&mut chars, out)?,
            '\\' => class::escape(&mut chars, out)?,
            ']' | '}' => return Err(Fault::new(format!("'{c}' alone"), "a backslash before it")),
            _ => class::push_char(c, out),
        }
        atom = true;
    }
    if open > 0 {
        return Err(Fault::new("the end of the pattern", "')'"));
    }
    Ok(())
}

fn quantifier(c: char, chars: &mut Chars<'_>, out: &mut String) -> Result<(), Fault> {
    if c != '{' {
        out.push(c);
        return Ok(());
    }
    let wrong = || Fault::new("'{'", "a quantity: {n}, {n,} or {n,m}");
    let mut body = String::new();
    loop {
        match chars.next().ok_or_else(wrong)? {
            '}' => break,
            c @ ('0'..='9' | ',') if body.len() < 24 => body.push(c),
            _ => return Err(wrong()),
        }
    }
    let number = |text: &str| text.parse::<u32>().map_err(|_| wrong());
    let (least, most) = match body.split_once(',') {
        None => (number(&body)?, Some(number(&body)?)),
        Some((least, "")) => (number(least)?, None),
        Some((least, most)) => (number(least)?, Some(number(most)?)),
    };
    if most.is_some_and(|most| most < least) {
        return Err(Fault::new(format!("{{{body}}}"), "a quantity whose first number is not the larger"));
    }
    match most {
        Some(most) => out.push_str(&format!("{{{least},{most}}}")),
        None => out.push_str(&format!("{{{least},}}")),
    }
    Ok(())
}

/// The characters of an expression.
pub(super) struct Chars<'s> {
    rest: std::str::Chars<'s>,
}

impl<'s> Chars<'s> {
    pub(super) fn new(source: &'s str) -> Chars<'s> {
        Chars { rest: source.chars() }
    }

    pub(super) fn next(&mut self) -> Option<char> {
        self.rest.next()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    pub(super) fn rest(&self) -> &'s str {
        self.rest.as_str()
    }
}
