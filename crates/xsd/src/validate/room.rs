//! Buffers that validators share: for small instances, allocating them would take longer than reading.

use super::{AttributeMatch, Frame, Validator};

/// The most bytes of a text buffer that are kept.
const MOST: usize = 1 << 16;

/// Empty buffers for open elements and for texts.
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
    /// Exchanges its buffers: call it once before the first event, and once after the last.
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
