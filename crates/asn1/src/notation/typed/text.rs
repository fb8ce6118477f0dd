//! Character strings: in quotes, or as lists of quoted texts and character numbers (X.680 clause 41.8).

use tam::Error;

use super::reader::Reader;
use crate::compiled::{NodeId, Size, TimeType};
use crate::event::{At, Sink, Stretch};
use crate::notation::Read;
use crate::notation::lexer::{Kind as Item, Token, decoded};
use crate::schema::Position;

impl<S: Sink> Reader<'_, '_, '_, S> {
    pub(super) fn text(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Read<()> {
        let types = self.types;
        if let Some(time) = &types.characters(number).time {
            return self.time(at, node, time);
        }
        let token = self.tokens.token();
        let inside = token.text.get(1..token.text.len().saturating_sub(1)).unwrap_or_default();
        let stretch = match token.kind {
            Item::Text if !inside.contains(['"', '\n', '\u{B}', '\u{C}', '\r']) => {
                self.tokens.take()?;
                self.check(node, number, inside, token)?;
                Stretch::Message { start: token.position.offset as usize + 1, len: inside.len() }
            }
            Item::Text => {
                self.tokens.take()?;
                let text = decoded(token.text);
                self.check(node, number, &text, token)?;
                self.keep(&text)
            }
            Item::Sign if token.text == "{" => {
                let text = self.list(node)?;
                self.check(node, number, &text, token)?;
                self.keep(&text)
            }
            _ => return Err(self.unlike(node)),
        };
        self.sink.text(at, node, stretch)
    }

    /// Reads a time, which is in quotes (X.680 clause 38.3).
    fn time(&mut self, at: At<S::Level>, node: NodeId, ty: &TimeType) -> Read<()> {
        let token = self.tokens.token();
        if token.kind != Item::Text {
            return Err(self.unlike(node));
        }
        self.tokens.take()?;
        let text = decoded(token.text);
        match ty.stored(&text) {
            Ok(stored) => {
                let text = self.keep(stored.as_deref().unwrap_or(&text));
                self.sink.text(at, node, text)
            }
            Err(found) => Err(self.refused(token.position, node, found)),
        }
    }

    fn keep(&mut self, text: &str) -> Stretch {
        let buffer = self.sink.buffer();
        let start = buffer.len();
        buffer.extend_from_slice(text.as_bytes());
        Stretch::Buffer { start }
    }

    /// Checks the characters and the size of a text.
    fn check(&self, node: NodeId, number: u32, text: &str, token: Token<'_>) -> Read<()> {
        let ty = self.types.characters(number);
        if let Some(found) = self.types.misfit(ty, text) {
            return Err(self.refused(token.position, node, found));
        }
        if ty.size == Size::ANY {
            return Ok(());
        }
        self.size(token.position, node, &ty.size, text.chars().count() as u64)
    }

    /// Reads `{ "text", {0, 0, 0, 10}, {0, 13} }`, or one character.
    fn list(&mut self, node: NodeId) -> Read<String> {
        let mut text = String::new();
        self.tokens.take()?;
        if self.tokens.token().kind == Item::Number {
            text.push(self.character()?);
            return Ok(text);
        }
        loop {
            if self.tokens.token().kind == Item::Text {
                text.push_str(&decoded(self.tokens.take()?.text));
            } else if self.tokens.takes("{")? {
                text.push(self.character()?);
            } else {
                return Err(self.unlike(node));
            }
            if !self.tokens.takes(",")? {
                break;
            }
        }
        self.tokens.expect("}", "',' or '}'")?;
        Ok(text)
    }

    /// Reads `0, 13}` or `0, 0, 32, 172}`: column and row of a table of 16 rows; or group, plane, row and cell of
    /// ISO/IEC 10646.
    fn character(&mut self) -> Read<char> {
        let first = self.tokens.token();
        let mut numbers = Vec::new();
        loop {
            let token = self.tokens.token();
            match token.text.parse::<u32>() {
                Ok(number) if number < 256 && token.kind == Item::Number => numbers.push(number),
                _ => return Err(self.tokens.unexpected("a number below 256")),
            }
            self.tokens.take()?;
            if numbers.len() == 4 || !self.tokens.takes(",")? {
                break;
            }
        }
        self.tokens.expect("}", "two numbers or four, and '}'")?;
        let point = match numbers[..] {
            [column @ ..8, row @ ..16] => Some(column * 16 + row),
            [group, plane, row, cell] => Some(group << 24 | plane << 16 | row << 8 | cell),
            _ => None,
        };
        point.and_then(char::from_u32).ok_or_else(|| self.no_character(first.position, &numbers))
    }

    #[cold]
    fn no_character(&self, position: Position, numbers: &[u32]) -> Error {
        let found = numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
        self.fault(position, found, "column and row below 8 and 16, or the cell of a character")
    }
}
