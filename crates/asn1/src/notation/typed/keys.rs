//! The identifiers that select types: they are looked for where their record begins, because they may come after the values of
//! these types.

use super::reader::Reader;
use crate::compiled::{Compiled, Record};
use crate::event::{At, Sink};
use crate::keys::KeySink;
use crate::notation::Read;
use crate::notation::lexer::Kind as Item;
use crate::notation::parser::Parser;

impl<S: Sink> Reader<'_, '_, '_, S> {
    /// Keeps the keys in a record after its brace, wherever they are in it, and returns the start of these.
    pub(super) fn keep_keys(&mut self, number: u32) -> Read<usize> {
        let types: &Compiled = self.types;
        let record = types.record(number);
        if !S::KEYS || !record.keyed {
            return Ok(self.keys.begin(&Record::EMPTY));
        }
        let base = self.keys.begin(record);
        let mut left = record.keys.len();
        let mut ahead = self.tokens.clone();
        while left > 0 && ahead.token().kind == Item::Lower {
            let name = ahead.token().text;
            // A fault is reported when the component itself is read.
            if ahead.take().is_err() {
                break;
            }
            for (place, key) in record.keys.iter().enumerate() {
                let Some(member) = record.members.get(key.member as usize).filter(|member| member.identifier() == name)
                else {
                    continue;
                };
                let mut sink = KeySink::new(ahead.source().as_bytes(), key.in_member());
                let mut reader = Reader::new(ahead.clone(), types, self.depth, &mut sink);
                let walked = reader.walk(At { level: 0, index: 0 }, member.node);
                self.keys.set(base, place, sink.key(&walked));
                left = left.saturating_sub(1);
            }
            if !next_component(&mut ahead).unwrap_or_default() {
                break;
            }
        }
        let looked_at = ahead.position().offset.saturating_sub(self.tokens.position().offset);
        self.keys.charge(looked_at.into(), ahead.source().len())?;
        Ok(base)
    }
}

/// Passes over the rest of a component. Returns whether another one follows.
fn next_component(tokens: &mut Parser<'_>) -> Read<bool> {
    let mut open = 0u32;
    loop {
        match tokens.token().text {
            "{" => open += 1,
            "}" if open == 0 => return Ok(false),
            "}" => open -= 1,
            "," if open == 0 => {
                tokens.take()?;
                return Ok(true);
            }
            _ if tokens.token().kind == Item::End => return Ok(false),
            _ => {}
        }
        tokens.take()?;
    }
}
