//! What the external subset and external parameter entities have more than the internal subset: references to parameter
//! entities in declarations, and conditional sections (XML 1.0 sections 2.8, 3.4, 4.4.5 and 4.4.8).

use core::ops::Range;
use std::sync::Arc;

use memchr::{memchr, memchr2};
use tam::{Error, ErrorKind, Words};
use xml::chars::space_end;
use xml::name::name_end;

use super::super::encoding::Text;
use super::super::entity::Replacement;
use super::super::expect::{after, after_name, unexpected};
use super::super::markup::{char_reference, push};
use super::{Frame, Reading, keyword, parameter_reference};

impl<'a> Reading<'_, 'a> {
    /// One step at the position of the innermost frame, the text of which is `bytes`.
    pub(super) fn external(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let Some(frame) = self.frames.last_mut() else {
            return Ok(());
        };
        let rest = &bytes[frame.at..];
        if rest.starts_with(b"<![") {
            frame.at += 3;
            return self.section();
        }
        if rest.starts_with(b"]]>") && frame.sections > 0 {
            frame.at += 3;
            frame.sections -= 1;
            return Ok(());
        }
        if !rest.starts_with(b"<!") || rest.starts_with(b"<!--") {
            return self.next(bytes);
        }
        (self.base, self.is_external, self.in_parameter) = (frame.base.clone(), true, true);
        let whole: Arc<str> = self.gathered(b'>')?.into();
        self.text = Text::Shared(whole.clone());
        self.declaration(whole.as_bytes(), 0)?;
        Ok(())
    }

    /// The text from the innermost frame's position up to `mark`, outside of literals. A parameter entity is replaced by
    /// its text with a space before and after it; in literals they are left as they are. A parameter entity between
    /// declarations has whole ones (well-formedness constraint: PE between declarations).
    fn gathered(&mut self, mark: u8) -> Result<String, Error> {
        let mut out = String::new();
        let outermost = self.frames.len();
        let mut quote = None;
        loop {
            let Some(frame) = self.frames.last_mut() else {
                return Ok(out);
            };
            let text = frame.text.clone();
            let (bytes, at) = (&text.as_str().as_bytes()[..frame.end], frame.at);
            let rest = &bytes[at..];
            let found = match quote {
                Some(quote) => memchr(quote, rest),
                None => rest.iter().position(|&byte| byte == mark || matches!(byte, b'"' | b'\'' | b'%')),
            };
            let Some(len) = found else {
                if quote.is_some() || self.frames.len() == outermost {
                    let expected = match quote.unwrap_or(mark) {
                        b'"' => "'\"'",
                        b'\'' => "\"'\"",
                        b'[' => "'['",
                        _ => "'>'",
                    };
                    return Err(unexpected(bytes, bytes.len(), expected));
                }
                push(&mut out, rest);
                out.push(' ');
                self.leave()?;
                continue;
            };
            frame.at = at + len + 1;
            match rest[len] {
                b'%' if name_end(bytes, frame.at) > frame.at => {
                    let (name, next) = parameter_reference(bytes, at + len)?;
                    frame.at = next;
                    let base = frame.base.clone();
                    push(&mut out, &rest[..len]);
                    out.push(' ');
                    let inner = self.parameter(name, true, base)?.ok_or_else(|| unknown(name, at + len))?;
                    self.frames.push(inner);
                }
                byte => {
                    push(&mut out, &rest[..=len]);
                    match byte {
                        b'"' | b'\'' => quote = if quote.is_some() { None } else { Some(byte) },
                        b'%' => {}
                        _ => return Ok(out),
                    }
                }
            }
        }
    }

    /// A conditional section after its `<![` (productions 61-65). What is included is read as if it stood alone.
    fn section(&mut self) -> Result<(), Error> {
        let begun_in = self.frames.len() - 1;
        let text = self.gathered(b'[')?;
        let bytes = text.as_bytes();
        let (word, next) = keyword(bytes, space_end(bytes, 0), &["INCLUDE", "IGNORE"], "'INCLUDE' or 'IGNORE'")?;
        after(bytes, space_end(bytes, next), "[")?;
        if word == "INCLUDE" {
            self.frames[begun_in].sections += 1;
            return Ok(());
        }
        let Some(frame) = self.frames.last_mut() else {
            return Ok(());
        };
        let bytes = &frame.text.as_str().as_bytes()[..frame.end];
        let mut depth = 1;
        while depth > 0 {
            let Some(len) = memchr2(b'<', b']', &bytes[frame.at..]) else {
                return Err(unexpected(bytes, bytes.len(), "']]>'"));
            };
            frame.at += len;
            let rest = &bytes[frame.at..];
            let is_begin = rest.starts_with(b"<![");
            if is_begin || rest.starts_with(b"]]>") {
                depth = if is_begin { depth + 1 } else { depth - 1 };
                frame.at += 3;
            } else {
                frame.at += 1;
            }
        }
        Ok(())
    }

    /// The replacement text of an entity value in which parameter entities are referred to. Quotes in them are characters.
    pub(super) fn with_parameters(&mut self, range: Range<usize>) -> Result<Replacement<'a>, Error> {
        let mut out = String::new();
        let (text, base) = (self.text.clone(), self.base.clone());
        let (at, end) = (range.start, range.end);
        let mut levels =
            vec![Frame { text, at, end, number: None, is_external: true, is_file: false, base, sections: 0 }];
        while let Some(level) = levels.last_mut() {
            let text = level.text.clone();
            let (bytes, at) = (&text.as_str().as_bytes()[..level.end], level.at);
            let Some(len) = memchr2(b'&', b'%', &bytes[at..]) else {
                push(&mut out, &bytes[at..]);
                if let Some(number) = level.number {
                    self.open.end(number);
                }
                levels.pop();
                continue;
            };
            let place = at + len;
            push(&mut out, &bytes[at..place]);
            if bytes[place] == b'%' {
                let (name, next) = parameter_reference(bytes, place)?;
                level.at = next;
                let base = level.base.clone();
                levels.push(self.parameter(name, true, base)?.ok_or_else(|| unknown(name, place))?);
            } else if bytes.get(place + 1) == Some(&b'#') {
                let (c, next) = char_reference(bytes, place)?;
                out.push(c);
                level.at = next;
            } else {
                let name = after_name(bytes, place + 1, "the name of an entity after '&' ('&#38;' is the character)")?;
                level.at = after(bytes, name, ";")?;
                push(&mut out, &bytes[place..level.at]);
            }
        }
        Ok(Replacement { range: 0..out.len(), text: Text::Shared(out.into()) })
    }
}

/// What is in a declaration must be known.
#[cold]
fn unknown(name: &[u8], at: usize) -> Error {
    let found = Words::Own(format!("'%{};', an undeclared parameter entity", String::from_utf8_lossy(name)));
    Error::new(ErrorKind::Unsupported, "xml", at as u64, found, "a declared parameter entity")
}
