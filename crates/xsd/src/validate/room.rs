//! Memory that one validator leaves to the next: for small instances asking for it takes longer than reading.

use super::{AttributeMatch, Frame, Validator};

/// Bytes of a text that are kept.
const MOST: usize = 1 << 16;

/// Room for what is open, and for texts. Nothing is in it.
#[derive(Debug, Default)]
pub struct Room {
    reader: text::xml::Room,
    frames: Vec<Frame>,
    counters: Vec<u32>,
    attributes: Vec<AttributeMatch>,
    text: String,
    values: String,
}

impl Validator<'_, '_> {
    /// Takes the room in exchange for its own: once before it begins, and once when it has ended.
    #[doc(hidden)]
    pub fn exchange(&mut self, room: &mut Room) {
        let state = &mut self.state;
        self.reader.exchange(&mut room.reader);
        std::mem::swap(&mut state.frames, &mut room.frames);
        std::mem::swap(&mut state.counters, &mut room.counters);
        std::mem::swap(&mut state.attributes, &mut room.attributes);
        std::mem::swap(&mut state.text, &mut room.text);
        std::mem::swap(&mut state.values, &mut room.values);
        room.frames.clear();
        room.counters.clear();
        room.attributes.clear();
        for text in [&mut room.text, &mut room.values] {
            text.clear();
            text.shrink_to(MOST);
        }
    }
}
