//! Instances by their differences from the one before.

use ::xml::kernels::alignment::Alignment;
use ::xml::xop::Package;
use asn1::{Filler, NodeId, Value, Values};
use tam::Error;
use xsd::Options;
use xsd::internal::State;

use super::balance::{Balance, SHORT};
use super::expect::{Changes, Memory};
use super::reader::{Instance, Read, Texts, read_root};
use super::trail::{Checkpoints, Trail};
use super::types::Types;

/// Cells and texts, those that nothing refers to any more among them, take at most as much as those of so many instances that
/// are read whole, and so much.
const MOST: usize = 3;
const SPARE: usize = 4096;

/// Cells of an instance that was read whole count as far as they are no more than so many times those of the last.
const WIDER: usize = 4;

/// An instance may have so much of the limit of cells that the next one is compared with it: so that it cannot have more
/// than the limit.
const PART_OF_LIMIT: u64 = 4;

/// Where values alone had changed so often in a row, an instance of which more has changed is read whole, so that it is known
/// again where its values are. Otherwise it is after so many instances, or after one if it has little in common with the one
/// before; then after twice as many, and so on while that is of no use.
const OFTEN: u32 = 4;
const SELDOM: u32 = 32;

/// Comparing so many bytes costs as much as reading one.
const COMPARED: usize = 16;

/// An instance so many times as long as others before it is granted a try of its own.
const LONGER: usize = 2;

/// Reads a stream of similar instances of a schema, each by how it differs from the one before.
///
/// The values, and what is refused with which words, are those of [`read`](super::read). Elements that came before in the
/// same way, with the same bytes, are not read again, wherever they are now: records may come and go, and change.
#[derive(Debug, Default)]
pub struct Template {
    /// The instance before.
    last: Vec<u8>,
    values: Values,
    node: Option<NodeId>,
    /// The number of the types of its values.
    types: u64,
    checkpoints: Checkpoints,
    /// Room for the checkpoints of the next, and for its values where it is read whole.
    room: (Checkpoints, Values),
    changes: Changes,
    /// How many instances have been read since the last that was read whole: those of which values alone had changed, and
    /// others. How often in a row one was read whole for nothing.
    since_whole: (u32, u32),
    in_vain: u32,
    /// What the checkpoints refer to.
    memory: Option<Box<Memory>>,
    /// Cells, and bytes of text, when an instance was last read whole.
    whole: (usize, usize),
    balance: Balance,
    /// The bytes of the longest instance that a try was granted for.
    granted: usize,
    /// Whether the instance before had parts beside it, and others with the same bytes may have other values.
    has_parts: bool,
    /// Whether the instance before had little in common with the one before it.
    is_torn: bool,
    stats: dds::Stats,
}

impl Template {
    /// A template without an instance.
    #[must_use]
    pub fn new() -> Template {
        Template::default()
    }

    /// Reads the next instance of a schema, always with the same options. It is kept, and the buffer of the one before it is
    /// given back in its place, without contents.
    ///
    /// # Errors
    /// Those of [`read`](super::read). The instance is given back as it was, and the template is as it was before.
    pub fn read<'v>(&'v mut self, xml: &mut Vec<u8>, types: &'v Types, options: &Options) -> Result<Value<'v>, Error> {
        as_package(xml, |package| self.read_package(package, types, options))
    }

    /// Like [`Template::read`], for the document of a package ([`read_package`](super::read_package)). One with parts is read
    /// whole.
    ///
    /// # Errors
    /// Those of [`Template::read`].
    pub fn read_package<'v>(
        &'v mut self,
        package: &mut Package,
        types: &'v Types,
        options: &Options,
    ) -> Result<Value<'v>, Error> {
        let len = package.document().len();
        if self.wants_try(len) {
            self.grant_try(len);
        }
        let node = self.advance(package, types, options)?;
        Ok(self.value(types, node))
    }

    /// Whether a try should be granted for the next instance, which has so many bytes: for the first, and where the others were
    /// much shorter.
    pub(super) fn wants_try(&self, len: usize) -> bool {
        len / LONGER >= self.granted
    }

    /// Has the next instance, which has so many bytes, kept for the one after it.
    pub(super) fn grant_try(&mut self, len: usize) {
        self.granted = len.max(1);
        self.balance.grant(len);
    }

    /// Reads the next instance; the type of its value.
    pub(super) fn advance(&mut self, package: &mut Package, types: &Types, options: &Options) -> Result<NodeId, Error> {
        if self.types != types.id {
            let Template { stats, balance, granted, .. } = *self;
            *self = Template { types: types.id, stats, balance, granted, ..Template::default() };
        }
        self.stats.messages += 1;
        self.stats.bytes += package.bytes().len() as u64;
        let (balance, is_torn) = (self.balance, self.is_torn);
        let mut read = self.read_next(Instance::in_package(package), types, options);
        if let Err(refused) = read {
            read = self.read_rewritten(refused, package, types, options);
        }
        let node = read.inspect_err(|_| {
            self.stats.errors += 1;
            (self.balance, self.is_torn) = (balance, is_torn);
        })?;
        self.has_parts = package.has_parts();
        let mut last = std::mem::take(package).into_bytes();
        std::mem::swap(&mut self.last, &mut last);
        last.clear();
        *package = last.into();
        self.node = Some(node);
        Ok(node)
    }

    /// Reads an instance that was refused, if it can be rewritten; then it becomes the other text.
    fn read_rewritten(
        &mut self,
        refused: Error,
        package: &mut Package,
        types: &Types,
        options: &Options,
    ) -> Result<NodeId, Error> {
        let xml = package.document();
        let Some(text) = types.rewritten(xml, options)? else { return Err(refused) };
        let instance = Instance { xml: &text, package: Some(package) };
        let read = self.read_next(instance, types, options);
        let node = read.map_err(|error| types.at_origin(&error, xml, options))?;
        self.stats.bytes = (self.stats.bytes + text.len() as u64).saturating_sub(xml.len() as u64);
        if !package.has_parts() {
            *package = text.into();
        }
        Ok(node)
    }

    fn read_next(&mut self, instance: Instance<'_>, types: &Types, options: &Options) -> Result<NodeId, Error> {
        let xml = instance.xml;
        if instance.package.is_some_and(Package::has_parts) {
            // What it includes may differ where it does not.
            return self.read_whole(instance, types, options);
        }
        if let Some(node) = self.node.filter(|_| !self.has_parts)
            && self.read_in_place(xml, types, options).is_some()
        {
            return Ok(node);
        }
        if self.wants_places(xml.len()) {
            // It may be of another shape.
            self.is_torn = xml.len() <= SHORT;
            return self.read_whole(instance, types, options);
        }
        match self.read_on(xml, types, options) {
            Some(node) => Ok(node),
            None => self.read_whole(instance, types, options),
        }
    }

    /// Whether an instance is read whole so that it is known where its values are.
    fn wants_places(&self, len: usize) -> bool {
        let (in_place, others) = self.since_whole;
        let often = if len <= SHORT { 1 } else { OFTEN };
        let patience = if self.is_torn { 1 } else { SELDOM } << self.in_vain.min(16);
        let is_due = self.is_second(len) || in_place >= often || others >= patience;
        is_due && self.balance.may_keep(len)
    }

    /// Whether an instance is the second, and short: little of it could be taken, and of the first, which was read tag by tag,
    /// it is not known where most values are.
    fn is_second(&self, len: usize) -> bool {
        len <= SHORT && self.stats.regular == 1 && self.since_whole.1 == 0
    }

    /// Reads an instance of which nothing but values has changed, if that; `None` where more has.
    fn read_in_place(&mut self, xml: &[u8], types: &Types, options: &Options) -> Option<()> {
        let is_second = self.is_second(xml.len());
        let Template { last, values, checkpoints, memory, changes, balance, .. } = self;
        let (old, new) = match (last.strip_prefix(BYTE_ORDER_MARK), xml.strip_prefix(BYTE_ORDER_MARK)) {
            (None, None) => (&last[..], xml),
            (Some(old), Some(new)) => (old, new),
            _ => return None,
        };
        let mut both = Alignment::new(old, new, 0, 0);
        if old.len() == new.len() && both.same() == new.len() {
            self.stats.bytes_skipped += xml.len() as u64;
            balance.compared(xml.len(), xml.len(), 0);
            return Some(());
        }
        let is_long = xml.len() as u64 > options.limits.message_bytes.into();
        let is_little_known = checkpoints.places.is_empty() || is_second && checkpoints.places.are_copied();
        if is_little_known || is_long || !balance.may_compare(xml.len()) {
            return None;
        }
        let memory = memory.as_mut()?;
        let mut state = State::new(types.schema(), xml.len(), options);
        let at = (&checkpoints.places, &checkpoints.lens[..]);
        let is_found = changes.find((old, new), both, at, values, types, memory, &mut state);
        let cost = changes.compared / COMPARED;
        // No more than the instance before took, and these.
        let (steps, cells) = checkpoints.counts();
        let most = (u64::from(options.limits.units) / PART_OF_LIMIT).checked_sub(cells);
        let more = most
            .filter(|_| is_found && state.may_take(steps))
            .and_then(|most| changes.replace(new, values, types, memory, (&state, options.limits), most).ok());
        let Some(more) = more else {
            // The second is read whole so that it is known where its values are, which this must still pay for.
            if !is_second {
                balance.lost(cost + changes.read);
            }
            return None;
        };
        checkpoints.update(changes, more);
        let taken = xml.len().saturating_sub(changes.read);
        balance.compared(xml.len(), taken, cost);
        self.stats.bytes_skipped += taken as u64;
        self.since_whole.0 += 1;
        self.is_torn = false;
        self.drop_what_grew(cells as usize);
        Some(())
    }

    /// Has the next instance read whole where cells and texts that nothing refers to have grown too many; the last has so many
    /// cells.
    fn drop_what_grew(&mut self, last: usize) {
        let (cells, text) = self.whole;
        if self.values.used() > MOST * cells.clamp(last, WIDER * last) + SPARE
            || self.values.text_len() > MOST * text + SPARE
        {
            self.checkpoints.clear();
        }
    }

    /// The value of the instance read last, of a type.
    pub(super) fn value<'v>(&'v self, types: &'v Types, node: NodeId) -> Value<'v> {
        self.values.value(types.compiled(), node, &self.last)
    }

    /// The value of the instance read last, by the types that it was read with; `None` if there is none.
    #[must_use]
    pub fn last_value<'v>(&'v self, types: &'v Types) -> Option<Value<'v>> {
        let node = self.node.filter(|_| self.types == types.id)?;
        Some(self.value(types, node))
    }

    /// The instance read last, in the way that its schema describes ([`Types::with_rewrite`]), with the parts of its package.
    #[must_use]
    pub fn last(&self) -> &[u8] {
        &self.last
    }

    /// What differencing was worth so far.
    #[must_use]
    pub fn stats(&self) -> dds::Stats {
        let mut stats = self.stats;
        let checkpoints = self.checkpoints.memory() + self.room.0.memory() + self.changes.memory();
        let known = checkpoints + self.memory.as_ref().map_or(0, |memory| memory.bytes());
        stats.memory = (self.last.capacity() + self.values.memory() + self.room.1.memory() + known) as u64;
        stats
    }

    /// Whether it reads an instance that begins in another way than the last.
    pub(super) fn takes_others(&self) -> bool {
        !self.is_torn
    }

    /// Reads an instance by the one before; `None` where it is to be read whole.
    fn read_on(&mut self, xml: &[u8], types: &Types, options: &Options) -> Option<NodeId> {
        if self.checkpoints.spans.is_empty() || !self.balance.may_compare(xml.len()) {
            return None;
        }
        let memory = self.memory.as_mut()?;
        let saved = self.values.saved();
        let text = self.last.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&self.last);
        let before = (text, &self.checkpoints);
        let trail = Trail::new(std::mem::take(&mut self.room.0), Some(before));
        let filler = Filler::beside(types.compiled(), options.limits, &mut self.values).with_input(xml.len());
        let read = read_root(Instance::of(xml), types, options, filler, Some(memory), Texts::Followed(trail));
        let Ok(Read { node, level, left }) = read else {
            // What is wrong is said by reading it whole.
            self.values.restore(saved);
            return None;
        };
        self.is_torn = left.taken < xml.len() / 2;
        self.balance.compared(xml.len(), left.taken, left.cost);
        if left.has_charged || left.cells > u64::from(options.limits.units) / PART_OF_LIMIT {
            self.values.restore(saved);
            return None;
        }
        self.values.set_root(level);
        for (list, cell) in left.lists {
            self.values.release(types.compiled(), list, cell);
        }
        self.room.0 = std::mem::replace(&mut self.checkpoints, left.checkpoints);
        self.drop_what_grew(left.cells as usize);
        self.since_whole.1 += 1;
        self.stats.bytes_skipped += left.taken as u64;
        Some(node)
    }

    /// Reads an instance by itself.
    fn read_whole(&mut self, instance: Instance<'_>, types: &Types, options: &Options) -> Result<NodeId, Error> {
        let (len, has_parts) = (instance.xml.len(), instance.package.is_some_and(Package::has_parts));
        let keeps = !has_parts && self.balance.keeps(len);
        let trail = keeps.then(|| Trail::new(std::mem::take(&mut self.room.0), None));
        let filler = Filler::new(types.compiled(), options.limits, &mut self.room.1).with_input(len);
        let texts = match trail {
            Some(trail) => Texts::Followed(trail),
            None if has_parts => Texts::Kept,
            // The instance stays as long as they do.
            None => Texts::Lent,
        };
        // What other instances have taught is known to this one, too.
        let has_own = keeps || self.memory.is_some();
        let own = has_own.then(|| self.memory.take().unwrap_or_else(|| types.copy_of_memory()));
        let mut memory = own.unwrap_or_else(|| types.take_memory());
        let read = read_root(instance, types, options, filler, Some(&mut memory), texts);
        if keeps {
            types.learn_from(&memory);
        }
        if has_own {
            self.memory = Some(memory);
        } else {
            types.keep_memory(memory);
        }
        let Read { node, left, .. } = read?;
        std::mem::swap(&mut self.values, &mut self.room.1);
        self.room.0 = std::mem::replace(&mut self.checkpoints, left.checkpoints);
        if left.has_charged || left.cells > u64::from(options.limits.units) / PART_OF_LIMIT {
            self.checkpoints.clear();
        }
        if types.compiled().has_tables() {
            // A value may decide of which type another is.
            self.checkpoints.places.clear();
        }
        self.whole = (self.values.used(), self.values.text_len());
        // It is worth knowing where values are if they have changed alone since the last time.
        self.in_vain =
            if self.since_whole.0 > 0 || self.stats.regular == 0 { 0 } else { self.in_vain + u32::from(keeps) };
        self.since_whole = (0, 0);
        self.stats.regular += 1;
        Ok(node)
    }
}

/// Reads an instance without parts, whose buffer is a package's meanwhile.
pub(super) fn as_package<T>(xml: &mut Vec<u8>, read: impl FnOnce(&mut Package) -> T) -> T {
    let mut package = Package::from(std::mem::take(xml));
    let result = read(&mut package);
    *xml = package.into_bytes();
    result
}

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
