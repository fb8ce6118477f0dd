//! A message on its way: it is compared, or read, as far as it is there.

use tam::Error;

use crate::differential::{self, Arrived, Different, Last};
use crate::matching::Alignment;
use crate::options;
use crate::plain;
use crate::reader::Reader;
use crate::regular::twin::{Follow, Old};
use crate::regular::{self, Context, Reading, Stop};
use crate::soap::envelope::{Body, Message};
use crate::templates::state::{Arrival, State, Way};
use crate::templates::template::Template;

impl Template {
    /// Forgets what has become of the message that is arriving, and its bytes.
    pub(crate) fn forget_arrival(&mut self) {
        self.arriving.clear();
        // Mostly nothing has been read since the last message ended.
        if self.arrival.wanted > 0 {
            self.take_back();
        }
    }

    /// Reads on in what has arrived.
    pub(crate) fn read_on(&mut self) {
        let piece = self.reader.options.piece as usize;
        if self.arriving.len() < self.arrival.wanted.max(piece) {
            return;
        }
        // What is wrong with a message is found when all of it is there.
        let at = self.go(false).unwrap_or(0);
        // Where something does not end, the next try waits for twice as much of it: so what is looked at
        // more than once comes to no more than the message.
        let waiting = self.arriving.len().saturating_sub(at);
        self.arrival.wanted = self.arriving.len() + waiting.max(piece);
    }

    /// Reads the rest of a message, all of which has arrived.
    pub(crate) fn read_rest(&mut self) -> Result<(), Error> {
        let went = self.go(true);
        if went.is_err() {
            self.take_back();
        }
        self.arrival = Arrival::default();
        went.map(|_| ())
    }

    /// Goes on as far as possible; gives the place of what comes next.
    fn go(&mut self, is_whole: bool) -> Result<usize, Error> {
        loop {
            let went = match core::mem::take(&mut self.arrival.way) {
                Way::Unknown => match self.choose(is_whole) {
                    Some(way) => Outcome::Other(way),
                    None => return Ok(0),
                },
                Way::Differential(progress) => self.differ(progress, is_whole),
                Way::Regular(progress) => self.read_regularly(progress, is_whole),
                Way::Plain if is_whole => {
                    let Reader { schema, options, .. } = &self.reader;
                    let message = plain::read(&self.arriving, &schema.schema, options)?;
                    self.count_regular();
                    self.has_read_whole(State::new(message, None));
                    Outcome::Done
                }
                Way::Plain => {
                    self.arrival.way = Way::Plain;
                    return Ok(0);
                }
            };
            match went {
                Outcome::Done => return Ok(self.arriving.len()),
                Outcome::On(at) => return Ok(at),
                Outcome::Other(way) => self.arrival.way = way,
            }
        }
    }

    /// How a message is read whose beginning has arrived; `None` if that needs all of it.
    fn choose(&mut self, is_whole: bool) -> Option<Way> {
        let differs = self.reader.options.matching != options::Matching::Never;
        let way = match &self.state {
            Some(State { places: Some(_), .. }) if differs && self.balance.allows() => Way::Differential(None),
            // Read by way of a tree, and compared as a whole.
            Some(State { places: None, .. }) if differs && is_whole => Way::Differential(None),
            Some(State { places: None, .. }) if differs => return None,
            _ => return Some(Way::Regular(None)),
        };
        self.arrival.balance = Some(self.balance);
        Some(way)
    }

    /// A message has been read by its tags: moves to it what it takes from the one before.
    fn take(&mut self, reading: &mut Reading) {
        let Follow { takes, taken, cost, switches, .. } = core::mem::take(&mut reading.follow);
        let len = self.arriving.len();
        let old_len = self.state.as_ref().map_or(0, |state| state.len);
        // A message that has little in common with the one before is of another shape, which leaves that one as it is.
        let is_other = self.parts && taken < len.max(old_len) / 2;
        if self.arrival.balance.is_some() {
            self.balance.took(if is_other { taken } else { len }, taken, cost);
        }
        let places = self.state.as_mut().and_then(|state| Some((state.places.as_mut()?, &mut state.message.body)));
        if let Some(((.., trace), Body::Call { value, .. })) = places
            && taken > 0
        {
            takes.commit(reading, trace, value, is_other);
        }
        if is_other || taken == 0 {
            self.count_regular();
        } else {
            self.stats.bytes_skipped += taken as u64;
            self.stats.switches += switches;
            self.forget();
        }
    }

    /// A message was read whole.
    fn count_regular(&mut self) {
        self.stats.regular += 1;
        self.balance.read(self.arriving.len());
    }

    /// Goes on comparing the message with the one before it.
    fn differ(&mut self, progress: Option<Box<differential::Progress>>, is_whole: bool) -> Outcome {
        let new = Arrived { bytes: &self.arriving, is_whole };
        let Some(state) = &mut self.state else { return Outcome::Other(Way::Regular(None)) };
        let (Some((head, scope, trace)), Body::Call { value, .. }) = (&mut state.places, &mut state.message.body)
        else {
            let is_same = state.len == self.arriving.len()
                && match &self.reader.hasher {
                    Some(hasher) => hasher.whole(&self.arriving).eq(state.hashes.iter().copied()),
                    None => self.last == self.arriving,
                };
            self.stats.bytes_skipped += if is_same { self.arriving.len() as u64 } else { 0 };
            return if is_same { Outcome::Done } else { Outcome::Other(Way::Regular(None)) };
        };
        let mut same = None;
        if is_whole && progress.is_none() && self.reader.hasher.is_none() {
            let bytes = Alignment::new(&self.last, &self.arriving, 0, 0).same();
            if bytes == self.arriving.len()
                && bytes == state.len
                && let Some(portions) = state.portions
            {
                // The same message once more.
                self.stats.bytes_skipped += bytes as u64;
                self.stats.portions += portions;
                self.balance.succeeded(bytes, trace.parts.len(), 0);
                return Outcome::Done;
            }
            same = Some(bytes);
        }
        let portions = self.stats.portions;
        let mut last = Last { message: &self.last, len: state.len, head, scope, trace, value };
        let Reader { schema, options, hasher } = &self.reader;
        let hasher = hasher.as_ref();
        let mut context =
            differential::Context { schema, options, hasher, pool: &mut self.pool, stats: &mut self.stats };
        let begun = match progress {
            Some(progress) => Ok(Some(*progress)),
            None => differential::Progress::begin(&last, new, same, &mut context),
        };
        let (Different { wasted }, progress) = match begun {
            Ok(Some(mut progress)) => match progress.advance(&mut last, new, &mut context) {
                Ok(true) => {
                    let (len, read, cost) = (self.arriving.len(), progress.read(), progress.cost());
                    self.stats.bytes_skipped += (len - read.min(len)) as u64;
                    // In pieces some were counted before.
                    state.portions = same.map(|_| self.stats.portions - portions);
                    self.balance.succeeded(len, trace.parts.len(), cost);
                    let (headers, is_resized) = progress.finish(&mut self.pool);
                    self.is_counted &= headers.is_none() && !is_resized;
                    if let Some(headers) = headers {
                        state.message.headers = headers;
                    }
                    return Outcome::Done;
                }
                Ok(false) => {
                    let at = progress.at();
                    self.arrival.way = Way::Differential(Some(Box::new(progress)));
                    return Outcome::On(at);
                }
                Err(different) => (different, Some(Box::new(progress))),
            },
            Ok(None) => {
                self.arrival.way = Way::Differential(None);
                return Outcome::On(0);
            }
            Err(different) => (different, None),
        };
        // What is outside of runs is kept, and not hashed.
        let hashed = if hasher.is_some() { state.len.saturating_sub(self.last.len()) } else { 0 };
        self.balance.failed(wasted, hashed);
        self.arrival.changed = progress;
        if self.reader.hasher.is_none() {
            self.undo();
        }
        Outcome::Other(Way::Regular(None))
    }

    /// Makes the message before again what it was, after another has been refused or given up.
    pub(crate) fn take_back(&mut self) {
        if let Some(balance) = self.arrival.balance {
            // Whoever sends messages that are refused pays for them alone.
            self.balance = balance;
        }
        self.undo_arrival();
    }

    /// Undoes what the message that is arriving has changed in the one before, and forgets how far it was read.
    pub(crate) fn undo_arrival(&mut self) {
        let Arrival { way, changed, .. } = core::mem::take(&mut self.arrival);
        self.arrival.changed = match way {
            Way::Differential(Some(progress)) => Some(progress),
            _ => changed,
        };
        self.undo();
    }

    /// Makes the message before again what it was.
    fn undo(&mut self) {
        let changed = self.arrival.changed.take();
        let (Some(progress), Some(state)) = (changed, &mut self.state) else { return };
        let (Some((head, scope, trace)), Body::Call { value, .. }) = (&mut state.places, &mut state.message.body)
        else {
            return;
        };
        let mut last = Last { message: &self.last, len: state.len, head, scope, trace, value };
        let Reader { schema, options, hasher } = &self.reader;
        let hasher = hasher.as_ref();
        let mut context =
            differential::Context { schema, options, hasher, pool: &mut self.pool, stats: &mut self.stats };
        // Of arrays that are compared by hashes there are no bytes to read.
        if hasher.is_some() || progress.undo(&mut last, &mut context).is_none() {
            self.forget();
        }
    }

    /// Goes on reading the message by itself.
    fn read_regularly(&mut self, progress: Option<Box<regular::Progress>>, is_whole: bool) -> Outcome {
        if progress.is_none() && self.arrival.balance.is_none() {
            // The message before is not compared with this one, nor with the next if this one is refused: its memory is used again.
            self.forget();
        }
        // Before the envelope has been read, so that no more header blocks are than there may be.
        if (is_whole || progress.is_none()) && !regular::has_room(&self.arriving, &self.reader.options.limits, 0) {
            return Outcome::Other(Way::Plain);
        }
        let old = match &self.state {
            Some(State { places: Some((_, _, trace)), message: Message { body, .. }, .. })
                if self.arrival.balance.is_some() && self.reader.hasher.is_none() =>
            {
                let Body::Call { method, value } = body else { return Outcome::Other(Way::Plain) };
                Some(Old { message: &self.last, method: *method, trace, value, is_whole })
            }
            _ => None,
        };
        let mut context = Context { old, ..self.reader.context(&mut self.pool) };
        let begun = match progress {
            Some(progress) => Ok(progress),
            None => regular::Progress::begin(&self.arriving, &mut context).map(Box::new),
        };
        let Ok(mut progress) = begun else {
            if is_whole {
                return Outcome::Other(Way::Plain);
            }
            self.arrival.way = Way::Regular(None);
            return Outcome::On(0);
        };
        match progress.advance(&self.arriving, &mut context) {
            Err(Stop::ForGood) => Outcome::Other(Way::Plain),
            Err(Stop::Here) if is_whole => Outcome::Other(Way::Plain),
            Ok(()) if is_whole => match progress.finish(&self.arriving, &self.reader.options.limits) {
                Ok(mut reading) => {
                    self.take(&mut reading);
                    let Reading { mut head, scope, method, value, trace, .. } = reading;
                    let (version, headers) = (head.version, core::mem::take(&mut head.headers));
                    let message = Message { version, headers, body: Body::Call { method, value } };
                    self.has_read_whole(State::new(message, Some((head, scope, trace))));
                    Outcome::Done
                }
                Err(_) => Outcome::Other(Way::Plain),
            },
            _ => {
                let at = progress.at();
                self.arrival.way = Way::Regular(Some(progress));
                Outcome::On(at)
            }
        }
    }
}

/// How far it went.
enum Outcome {
    /// All has been read.
    Done,
    /// What comes next, at this place, has not arrived.
    On(usize),
    /// It is to be read in another way.
    Other(Way),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use crate::schema::{Member, Schema, Simple, Style};

    fn message(items: usize, changed: usize) -> Vec<u8> {
        let mut text = String::from(
            "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\" \
             xmlns:c=\"http://schemas.xmlsoap.org/soap/encoding/\" \
             xmlns:x=\"http://www.w3.org/2001/XMLSchema\"><e:Body><m:send xmlns:m=\"urn:m\">",
        );
        text += &format!("<data c:arrayType=\"x:int[{items}]\">");
        for n in 0..items {
            text += &format!("<item>{}</item>", if n == changed { 7_777_777 } else { n });
        }
        text += "</data></m:send></e:Body></e:Envelope>";
        text.into_bytes()
    }

    /// The first message by itself, the second by the first.
    #[test]
    #[cfg_attr(miri, ignore = "long: messages of 200 KiB")]
    fn what_has_arrived_has_been_read() {
        let mut schema = Schema::new();
        let int = schema.simple(Simple::Int);
        let ints = schema.array(int);
        let parameters = schema.parameters([Member::new("data", ints)]);
        schema.method("urn:m", "send", parameters, Style::Encoded);
        let piece = 4_096;
        let mut template = Template::new(Reader::new(schema, &Options::default().with_piece(piece)));
        for changed in [5, 6_000] {
            for bytes in message(10_000, changed).chunks(1_000) {
                template.feed(bytes).unwrap();
                let len = template.arriving.len();
                let at = match &template.arrival.way {
                    Way::Regular(Some(progress)) => progress.at(),
                    Way::Differential(Some(progress)) => progress.at(),
                    _ => 0,
                };
                assert!(len < 2 * piece as usize || at + 2 * piece as usize > len, "{at} of {len}");
            }
            template.finish().unwrap();
        }
        assert_eq!(template.stats.regular, 1);
    }
}
