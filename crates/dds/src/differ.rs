//! Differential mode: from one message to the next (the paper's sections 3.2 to 3.5).
//!
//! The places of values are known from the message before. Between them the same bytes must stand, and
//! then mean the same; the values are compared, and read where they differ. Whatever does not fit is
//! left to regular mode.

use crate::compiled::{Compiled, CompiledType};
use crate::head::{self, Head};
use crate::lexical;
use crate::matching::Matching;
use crate::options::Options;
use crate::pool::Pool;
use crate::resize;
use crate::scan::{Scanner, plain_len};
use crate::schema::TypeId;
use crate::scope::Scope;
use crate::stats::Stats;
use crate::trace::{Part, Run, Trace};
use crate::update;
use crate::value::Value;

/// The message before: what was in it, and where.
#[derive(Debug)]
pub(crate) struct Last<'l> {
    pub(crate) message: &'l [u8],
    pub(crate) head: &'l mut Head,
    pub(crate) scope: &'l mut Scope,
    pub(crate) trace: &'l mut Trace,
    pub(crate) value: &'l mut Value,
}

/// The next message is not to be had from the one before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Different {
    /// Whether values have been replaced already.
    pub(crate) touched: bool,
    /// Bytes that were read in vain.
    pub(crate) wasted: usize,
}

/// Makes the values those of `new`. Gives the bytes that had to be read.
pub(crate) fn update(
    last: &mut Last<'_>,
    new: &[u8],
    schema: &Compiled,
    options: &Options,
    pool: &mut Pool,
    stats: &mut Stats,
) -> Result<usize, Different> {
    let untouched = Different { touched: false, wasted: 0 };
    // A few bytes first: most messages that are of another kind end in another way.
    let tail = last.trace.end().unwrap_or(last.head.at);
    if !new.ends_with(last.message.get(tail..).unwrap_or(&[])) {
        return Err(untouched);
    }
    let limits = &options.limits;
    if new.len() > limits.message_bytes as usize || new.len() / 4 > limits.units as usize {
        return Err(untouched);
    }
    let at = last.head.at;
    let mut new_head = None;
    if new.get(..at) != last.message.get(..at) {
        let another = another_head(last, new, schema, options, pool);
        new_head = Some(another.map_err(|wasted| Different { touched: false, wasted })?);
    }
    let new_at = new_head.as_ref().map_or(at, |(head, _)| head.at);
    let mut update = Update {
        matching: Matching::new(last.message, new, at, new_at),
        value: last.value,
        schema,
        options,
        pool,
        stats,
        touched: false,
        read: 0,
    };
    match update.parts(&mut last.trace.parts) {
        Some(()) => {
            let read = update.read;
            if let Some((head, scope)) = new_head {
                (*last.head, *last.scope) = (head, scope);
            }
            Ok(read)
        }
        None => Err(Different { touched: update.touched, wasted: update.read + update.matching.new_at / 16 }),
    }
}

/// The envelope differs: it may, as long as the same namespaces are in scope for the message in it, and
/// the same end tags are due. Otherwise the bytes that were read in vain.
fn another_head(
    last: &Last<'_>,
    new: &[u8],
    schema: &Compiled,
    options: &Options,
    pool: &mut Pool,
) -> Result<(Head, Scope), usize> {
    let mut scanner = Scanner { bytes: new, at: 0 };
    let mut scope = pool.scope();
    let head = head::read(&mut scanner, &mut scope, schema, options.limits.depth).map_err(|_| scanner.at)?;
    let names = |head: &Head, message: &[u8]| {
        [&head.envelope, &head.body].map(|name| message.get(name.start..name.end).map(<[u8]>::to_vec))
    };
    let is_same = head.version == last.head.version
        && names(&head, new) == names(last.head, last.message)
        && scope.is_same(new, last.scope, last.message);
    if is_same { Ok((head, scope)) } else { Err(scanner.at) }
}

struct Update<'a, 's> {
    matching: Matching<'a>,
    value: &'a mut Value,
    schema: &'s Compiled,
    options: &'s Options,
    pool: &'s mut Pool,
    stats: &'s mut Stats,
    touched: bool,
    /// Bytes of values that were read.
    read: usize,
}

impl Update<'_, '_> {
    /// All parts and what stands between them; their places become those of the new message.
    fn parts(&mut self, parts: &mut [Part]) -> Option<()> {
        // The number of items an `arrayType` tells, if it is another.
        let mut count = None;
        for n in 0..parts.len() {
            let is_counted = matches!(parts.get(n + 1), Some(Part::Run(run)) if run.counted);
            match &mut parts[n] {
                Part::Slot { start, end, ty, path } => {
                    self.markup(*start)?;
                    self.slot(start, end, *ty, path)?;
                }
                Part::Count { start, end } => {
                    self.markup(*start)?;
                    count = self.count(start, end)?;
                    if count.is_some() && !is_counted {
                        return None;
                    }
                }
                Part::Run(run) => {
                    self.markup(run.start)?;
                    self.run(run, count.take())?;
                }
            }
        }
        let left = self.matching.old.len() - self.matching.old_at;
        let is_whole = self.matching.new.len() - self.matching.new_at == left;
        (is_whole && self.matching.is_same(left)).then_some(())
    }

    /// The same markup must stand up to a place in the message before.
    #[inline]
    fn markup(&mut self, old_end: usize) -> Option<()> {
        let len = old_end.checked_sub(self.matching.old_at)?;
        self.matching.is_same(len).then(|| self.matching.skip(len))
    }

    fn slot(&mut self, start: &mut usize, end: &mut usize, ty: TypeId, path: &[u32]) -> Option<()> {
        let len = *end - *start;
        let new_start = self.matching.new_at;
        if self.matching.is_same(len + 1) {
            self.matching.skip(len);
        } else {
            let rest = self.matching.new.get(new_start..)?;
            let new_len = plain_len(rest).ok()?;
            if rest.get(new_len) != Some(&b'<') {
                return None;
            }
            let text = str::from_utf8(rest.get(..new_len)?).ok()?;
            let value = match self.schema.get(ty) {
                CompiledType::Simple(simple) => lexical::value(*simple, text)?,
                CompiledType::Union(alternatives) => alternatives
                    .iter()
                    .enumerate()
                    .find_map(|(n, simple)| Some(Value::Union(n, lexical::value(*simple, text)?.into())))?,
                _ => return None,
            };
            self.touched = true;
            *self.value.at_mut(path)? = value;
            self.read += new_len;
            self.stats.switches += 1;
            self.matching.resume(*end, new_start + new_len);
        }
        (*start, *end) = (new_start, self.matching.new_at);
        Some(())
    }

    /// The number of items, if it is another than before.
    fn count(&mut self, start: &mut usize, end: &mut usize) -> Option<Option<usize>> {
        let len = *end - *start;
        let new_start = self.matching.new_at;
        let mut count = None;
        if self.matching.is_same(len + 1) {
            self.matching.skip(len);
        } else {
            let rest = self.matching.new.get(new_start..)?;
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            count = Some(str::from_utf8(rest.get(..digits)?).ok()?.parse::<u32>().ok()? as usize);
            self.matching.resume(*end, new_start + digits);
        }
        (*start, *end) = (new_start, self.matching.new_at);
        Some(count)
    }

    fn run(&mut self, run: &mut Run, count: Option<usize>) -> Option<()> {
        let Some(Value::Array(array)) = self.value.at_mut(&run.path) else { return None };
        let items = run.portions.ends.len();
        // Of an array that nobody counts, more or fewer items are only told by what they come to.
        let may_differ = !run.counted && run.whole && self.matching.old.len() != self.matching.new.len();
        if count.is_some_and(|count| count != items) || may_differ {
            if !run.whole || count == Some(0) {
                return None;
            }
            self.touched = true;
            let portion = self.options.portion;
            self.read += resize::run(&mut self.matching, run, array, count, portion, self.pool, self.stats)?;
            return Some(());
        }
        let new_start = self.matching.new_at;
        self.touched = true;
        let done = update::run(&mut self.matching, run, array)?;
        self.read += done.read;
        self.stats.switches += done.switches;
        self.stats.dirty_portions += done.dirty;
        self.stats.portions += run.portions.list.len() as u64;
        run.start = new_start;
        Some(())
    }
}
