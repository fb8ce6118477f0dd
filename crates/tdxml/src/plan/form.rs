//! The form in which a simple value is written: a row, or a cell of a group.

use super::copy;
use super::fields::RowEnd;
use super::ser::Writer;
use crate::escape;
use crate::schema::Builtin;

/// The form in which a value is written.
pub(super) trait Form: Copy {
    fn builtin(self) -> Builtin;

    /// Appends what comes before the value.
    fn begin(self, writer: &mut Writer<'_, '_>);

    /// Appends what ends the value.
    fn end(self, writer: &mut Writer<'_, '_>);

    /// Appends a value that needs no escaping, with what is around it.
    fn put(self, writer: &mut Writer<'_, '_>, value: &[u8]);

    /// Does the same if a quick check shows that the value is valid and needs no escaping. Otherwise appends nothing
    /// and returns `false`.
    fn put_plain(self, writer: &mut Writer<'_, '_>, value: &str) -> bool;

    /// Appends a text with references. The error is a character that XML does not allow.
    fn push(self, out: &mut Vec<u8>, text: &str) -> Result<(), char>;

    /// Appends an absent value.
    fn nothing(self, writer: &mut Writer<'_, '_>);
}

/// A row with the current path, and this end; no row if the value is absent.
impl Form for &RowEnd {
    #[inline(always)]
    fn builtin(self) -> Builtin {
        self.builtin
    }

    #[inline(always)]
    fn begin(self, writer: &mut Writer<'_, '_>) {
        writer.path.put(writer.out);
        self.bytes.put(writer.out);
    }

    #[inline(always)]
    fn end(self, writer: &mut Writer<'_, '_>) {
        writer.out.push(b'\n');
    }

    #[inline(always)]
    fn put(self, writer: &mut Writer<'_, '_>, value: &[u8]) {
        match writer.path.few() {
            Some(path) => copy::row(writer.out, path, &self.bytes, value),
            None => {
                self.begin(writer);
                writer.out.extend_from_slice(value);
                self.end(writer);
            }
        }
    }

    #[inline(always)]
    fn put_plain(self, writer: &mut Writer<'_, '_>, value: &str) -> bool {
        if self.builtin == Builtin::Utf8String
            && let Some(path) = writer.path.few()
        {
            return copy::plain_row(writer.out, path, &self.bytes, value.as_bytes());
        }
        let is_plain = self.builtin.has_plain(value);
        if is_plain {
            self.put(writer, value.as_bytes());
        }
        is_plain
    }

    fn push(self, out: &mut Vec<u8>, text: &str) -> Result<(), char> {
        escape::push_value(out, text)
    }

    fn nothing(self, _: &mut Writer<'_, '_>) {}
}

/// A cell of a group, empty if the value is absent.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    pub(super) builtin: Builtin,
    /// Whether it is the first of its line.
    pub(super) is_first: bool,
}

impl Form for Cell {
    #[inline(always)]
    fn builtin(self) -> Builtin {
        self.builtin
    }

    #[inline(always)]
    fn begin(self, _: &mut Writer<'_, '_>) {}

    #[inline(always)]
    fn end(self, writer: &mut Writer<'_, '_>) {
        writer.out.push(b'|');
    }

    #[inline(always)]
    fn put(self, writer: &mut Writer<'_, '_>, value: &[u8]) {
        copy::cell(writer.out, value);
    }

    #[inline(always)]
    fn put_plain(self, writer: &mut Writer<'_, '_>, value: &str) -> bool {
        // A first character that may need a mark is left to the slower check.
        if matches!(value.as_bytes(), [] | [b'[' | b'"', ..]) {
            return false;
        }
        if self.builtin == Builtin::Utf8String {
            return copy::plain_cell(writer.out, value.as_bytes());
        }
        let is_plain = self.builtin.has_plain(value);
        if is_plain {
            self.put(writer, value.as_bytes());
        }
        is_plain
    }

    fn push(self, out: &mut Vec<u8>, text: &str) -> Result<(), char> {
        escape::push_cell(out, text, self.is_first)
    }

    fn nothing(self, writer: &mut Writer<'_, '_>) {
        self.end(writer);
    }
}
