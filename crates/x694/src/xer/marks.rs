//! Processing instructions and comments at elements (X.693 Amendment 1, `PI-OR-COMMENT`).

use super::form::FormId;
use super::instructions::Position;
use super::writer::{Task, Writer};

impl Writer<'_, '_> {
    /// Writes what comes before the start tag of an element of a form, and leaves the rest for its end.
    pub(super) fn begin_marked(&mut self, form: FormId) {
        let marks = self.types.forms.marks(form);
        if marks.is_empty() {
            return;
        }
        let before = marks.iter().find(|(position, _)| *position == Position::BeforeTag);
        self.out.extend(before.iter().flat_map(|(_, text)| text.bytes()));
        self.tasks.push(Task::Marks(form, self.out.len()));
    }

    /// Adds the other texts to an element that is written.
    pub(super) fn end_marked(&mut self, form: FormId, start: usize) {
        let marks = self.types.forms.marks(form);
        let text = |position: Position| {
            let found = marks.iter().find(|(other, _)| *other == position);
            found.map_or(&b""[..], |(_, text)| text.as_bytes())
        };
        let (before, after) = (text(Position::BeforeValue), text(Position::AfterValue));
        let (len, end) = (self.out.len(), self.ended_at);
        let element = self.out.get(start..end).unwrap_or_default();
        let open = start + start_tag_len(element);
        // From the last position to the first, so that the others stay.
        if open < end {
            let close = element.windows(2).rposition(|two| two == b"</").map_or(end, |at| start + at);
            self.insert(end, text(Position::AfterTag));
            self.insert(close, after);
            self.insert(open, before);
        } else {
            let name: Vec<u8> = element.iter().skip(1).take_while(|byte| !is_name_end(**byte)).copied().collect();
            self.insert(end, text(Position::AfterTag));
            if !before.is_empty() || !after.is_empty() {
                let value = [b">", before, after, b"</", &name, b">"].concat();
                self.out.splice(end - b"/>".len()..end, value);
            }
        }
        self.ended_at += self.out.len() - len;
    }

    fn insert(&mut self, at: usize, text: &[u8]) {
        self.out.splice(at..at, text.iter().copied());
    }
}

fn is_name_end(byte: u8) -> bool {
    matches!(byte, b' ' | b'/' | b'>')
}

/// The length of the tag that a text begins with.
fn start_tag_len(element: &[u8]) -> usize {
    let mut quote = None;
    for (byte, at) in element.iter().zip(1..) {
        match (quote, byte) {
            (Some(open), byte) if open == byte => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'>') => return at,
            _ => {}
        }
    }
    element.len()
}
