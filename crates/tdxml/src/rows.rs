//! Writes rows in both schemes.

mod grouped;

use tam::{Error, ErrorKind};

use crate::FORMAT;
use crate::collect::Collected;
use crate::escape;
use crate::path::{push_attribute, push_step};
use crate::schema::{Builtin, Content};

/// Writes the rows of a document.
pub(crate) struct Rows<'c, 'd> {
    collected: &'c Collected<'d, 'd>,
    /// Whether octets are written as separate parts.
    apart: bool,
    octets: Vec<Vec<u8>>,
    /// The path of the element being written.
    path: Vec<u8>,
    /// The open elements: the end of each, and the length of the path before it.
    open: Vec<(u32, usize)>,
    groups: usize,
}

impl<'c, 'd> Rows<'c, 'd> {
    pub(crate) fn new(collected: &'c Collected<'d, 'd>, apart: bool) -> Rows<'c, 'd> {
        Rows { collected, apart, octets: Vec::new(), path: Vec::new(), open: Vec::new(), groups: 0 }
    }

    /// Whether a group has been written.
    pub(crate) fn has_groups(&self) -> bool {
        self.groups > 0
    }

    /// The octets of the parts that rows refer to.
    pub(crate) fn into_octets(self) -> Vec<Vec<u8>> {
        self.octets
    }

    /// Appends one row for each value.
    pub(crate) fn aggregated(&mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        for at in 0..self.collected.instances.len() {
            self.close(at);
            self.enter(at, out)?;
        }
        Ok(())
    }

    /// Appends one row for each occurrence of repeated elements.
    pub(crate) fn grouped(&mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        let mut at = 0;
        // At each depth, the end of the elements that are not a group.
        let mut apart = vec![0];
        while at < self.collected.instances.len() {
            self.close(at);
            let depth = self.open.len();
            apart.resize(depth + 1, 0);
            let tried = apart.last().is_some_and(|end| at < *end);
            match if tried { None } else { grouped::group(self.collected, at) } {
                Some(Ok(shape)) => {
                    self.groups += 1;
                    grouped::write(self, at, &shape, out)?;
                    at = shape.end;
                    continue;
                }
                Some(Err(end)) => apart[depth] = end,
                None => {}
            }
            self.enter(at, out)?;
            at += 1;
        }
        Ok(())
    }

    /// Leaves the elements that end before `at`.
    fn close(&mut self, at: usize) {
        while let Some((end, len)) = self.open.last().copied()
            && end as usize <= at
        {
            self.path.truncate(len);
            self.open.pop();
        }
    }

    /// Writes the rows of an element itself.
    fn enter(&mut self, at: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        let collected = self.collected;
        let Some(instance) = collected.instances.get(at) else { return Ok(()) };
        self.open.push((instance.end, self.path.len()));
        push_step(&mut self.path, instance.step);
        let record = collected.schema.record(&instance.content);
        let attributes = collected.attributes(at);
        for (number, value) in attributes {
            let attribute = record.and_then(|record| record.attributes.get(*number as usize));
            out.extend_from_slice(&self.path);
            push_attribute(out, *number);
            out.extend_from_slice(b" |");
            let builtin = attribute.map_or(Builtin::Utf8String, |attribute| attribute.value.builtin);
            self.value(builtin, value, out)?;
            out.push(b'\n');
        }
        let is_alone = attributes.is_empty() && instance.end as usize == at + 1;
        let (text, builtin) = match instance.content {
            Content::Value(value) => (Some(instance.text.as_deref().unwrap_or("")), value.builtin),
            // Without text, a row shows that the element is present if no other row does.
            Content::Record(_) => {
                let text = instance.text.as_deref().filter(|text| !text.is_empty());
                (
                    text.or(is_alone.then_some("")),
                    record.and_then(|record| record.text).map_or(Builtin::Utf8String, |value| value.builtin),
                )
            }
        };
        if let Some(text) = text {
            out.extend_from_slice(&self.path);
            out.extend_from_slice(b" |");
            self.value(builtin, text, out)?;
            out.push(b'\n');
        }
        Ok(())
    }

    fn value(&mut self, builtin: Builtin, value: &str, out: &mut Vec<u8>) -> Result<(), Error> {
        match self.part(builtin, value) {
            Some(name) => out.extend_from_slice(name.as_bytes()),
            None => escape::push_value(out, value).map_err(illegal)?,
        }
        Ok(())
    }

    fn cell(&mut self, builtin: Builtin, value: &str, is_first: bool, out: &mut Vec<u8>) -> Result<(), Error> {
        match self.part(builtin, value) {
            Some(name) => out.extend_from_slice(name.as_bytes()),
            None => escape::push_cell(out, value, is_first).map_err(illegal)?,
        }
        Ok(())
    }

    /// Moves octets to a part of their own, if possible. Returns the name of the part. Only canonical base64 can be
    /// moved, because it is restored exactly.
    fn part(&mut self, builtin: Builtin, value: &str) -> Option<String> {
        if !self.apart || builtin != Builtin::OctetString || value.is_empty() {
            return None;
        }
        let mut octets = Vec::new();
        xml::base64::decode_canonical(value, &mut octets)?;
        self.octets.push(octets);
        Some(format!("cid:{}", self.octets.len()))
    }
}

#[cold]
fn illegal(c: char) -> Error {
    let found = format!("U+{:04X}", u32::from(c));
    Error::new(ErrorKind::Unsupported, FORMAT, 0, found, "characters that XML allows")
}
