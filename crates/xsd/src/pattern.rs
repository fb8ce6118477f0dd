//! Regular expressions of schemas (Part 2 appendix F).
//!
//! They are translated for the crate `regex`, whose syntax is similar and whose time is linear in the text. The result is
//! anchored at both ends, `^` and `$` are escaped, and `\i`, `\c`, categories, blocks and `[a-z-[aeiou]]` become classes.

mod blocks;
mod class;
mod translate;

use regex::{Regex, RegexBuilder};

/// Limits for the bytes of a compiled expression. The first one that is enough counts for the schema.
const SIZE_LIMITS: [usize; 6] = [4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20];
/// The most bytes of all compiled expressions of a schema.
pub(crate) const MOST_COMPILED: u64 = 128 << 20;
/// How deep groups may be nested.
const NEST_LIMIT: u32 = 200;
/// The most bytes of an expression as written.
const MOST_WRITTEN: usize = 64 << 10;

/// The patterns of one step of derivation. A value must match one of them.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The expressions as written.
    pub sources: Vec<String>,
    regex: Regex,
    /// An upper bound for the bytes of the compiled expression.
    bytes: usize,
}

/// What is wrong with a regular expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// What was found.
    pub(crate) found: String,
    /// What was expected.
    pub(crate) expected: &'static str,
}

impl Fault {
    fn new(found: impl Into<String>, expected: &'static str) -> Fault {
        Fault { found: found.into(), expected }
    }

    /// Whether only the size limit was exceeded.
    pub(crate) fn is_limit(&self) -> bool {
        self.expected.is_empty()
    }
}

impl Pattern {
    /// Compiles expressions, of which a value must match one, to at most `most` bytes.
    pub(crate) fn new(sources: Vec<String>, most: usize) -> Result<Pattern, Fault> {
        let mut written = String::from("\\A(?:");
        for (n, source) in sources.iter().enumerate() {
            if source.len() > MOST_WRITTEN || written.len() > 16 * MOST_WRITTEN {
                return Err(Fault::new("a pattern of many bytes", "a pattern of at most 65536 bytes"));
            }
            written.push_str(if n == 0 { "(?:" } else { "|(?:" });
            translate::translate(source, &mut written)?;
            written.push(')');
        }
        written.push_str(")\\z");
        for bytes in SIZE_LIMITS {
            if bytes > most {
                return Err(Fault::new("", ""));
            }
            let mut builder = RegexBuilder::new(&written);
            match builder.size_limit(bytes).dfa_size_limit(SIZE_LIMITS[5]).nest_limit(NEST_LIMIT).build() {
                Ok(regex) => return Ok(Pattern { sources, regex, bytes }),
                Err(regex::Error::CompiledTooBig(_)) => {}
                Err(_) => break,
            }
        }
        Err(Fault::new("a pattern that is too large or too deep", "a pattern that can be compiled"))
    }

    /// An upper bound for the bytes of the compiled expression.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether a value, with white space normalised, matches.
    #[must_use]
    pub fn is_match(&self, value: &str) -> bool {
        self.regex.is_match(value)
    }
}

#[cfg(test)]
mod tests;
