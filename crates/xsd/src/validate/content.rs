//! Characters in an element (Part 1 section 3.4.4).

use xml::chars::is_white;

use super::{Checked, EventKind, Fault, Inside, State};

impl State<'_> {
    pub(super) fn characters(&mut self, text: &str) -> Checked<EventKind> {
        let Some(frame) = self.frames.last() else { return Ok(EventKind::Nothing) };
        if frame.nil {
            return Err(Fault::new(shown(text), "nothing in an element of xsi:nil='true'"));
        }
        match frame.inside {
            Inside::Simple(_) => {
                self.text.push_str(text);
                Ok(EventKind::Nothing)
            }
            Inside::Nothing => Err(Fault::new(shown(text), "nothing in the element, not even white space")),
            Inside::Elements { mixed: false } => {
                if is_white(text.as_bytes()) {
                    return Ok(EventKind::Nothing);
                }
                Err(Fault::new(shown(text), self.expected()))
            }
            Inside::Elements { mixed: true } | Inside::Characters | Inside::Lax | Inside::Skip => {
                self.event_range = (self.text.len(), text.len());
                self.text.push_str(text);
                Ok(EventKind::Text)
            }
        }
    }
}

/// The beginning of a text, for error messages.
fn shown(text: &str) -> String {
    const MOST: usize = 40;
    if is_white(text.as_bytes()) {
        return "white space".to_owned();
    }
    let text = text.trim();
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("the text '{}…'", &text[..end]),
        None => format!("the text '{text}'"),
    }
}
