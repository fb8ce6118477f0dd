//! The order of strings and names in their tables: the most used come first if only some of the indexes are short.

use crate::collect::{Collected, Identifier, NO_STRING, is_text_first};
use crate::rules::{LARGE, SMALL};
use crate::{Options, SharedStrings};

/// A name with its parts as indexes, or as in the previous name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CommonName {
    pub(crate) namespace: Part,
    pub(crate) local: u32,
    pub(crate) prefix: Part,
}

/// A part of a name, or of a reference to an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    None,
    Index(u32),
    /// The alternative that is NULL: `same-as-previous-item`, `unknown`.
    Null,
}

/// The tables of a message.
#[derive(Debug)]
pub(crate) struct Tables {
    /// The index of each string, by its number.
    strings: Vec<u32>,
    /// The numbers of the strings that the message has, in the order of their indexes.
    pub(crate) string_order: Vec<u32>,
    /// Whether the first indexes are those of [`Options::shared`].
    pub(crate) has_shared: bool,
    /// The index of each name, by its number.
    names: Vec<u32>,
    /// The names in the order of their indexes.
    pub(crate) common_names: Vec<CommonName>,
}

impl Tables {
    /// Decides the order.
    pub(crate) fn new(collected: &Collected<'_>, options: &Options<'_>) -> Tables {
        let strings = collected.strings.entries().iter().map(|entry| entry.count);
        let (string_order, strings) = order(strings, LARGE as usize, is_text_first(options));
        let (string_order, strings, shared) = with_shared(collected, options, string_order, strings);
        let names = collected.names.iter().map(|(_, count)| *count);
        let (name_order, names) = order(names, SMALL as usize, options.paper);
        let mut tables = Tables {
            strings,
            string_order,
            has_shared: shared,
            names,
            common_names: Vec::with_capacity(name_order.len()),
        };
        let mut before = [None; 3];
        for number in name_order {
            let Some((parts, _)) = collected.names.get(number as usize) else { continue };
            let part = |n: usize| match parts[n] {
                None => Part::None,
                part if part == before[n] => Part::Null,
                Some(string) => Part::Index(tables.string(string)),
            };
            let (namespace, prefix) = (part(0), part(2));
            let local = tables.string(parts[1].unwrap_or(NO_STRING));
            tables.common_names.push(CommonName { namespace, local, prefix });
            before = *parts;
        }
        tables
    }

    /// The index of a string.
    #[inline(always)]
    pub(crate) fn string(&self, number: u32) -> u32 {
        // Any other number is the empty string.
        self.strings.get(number as usize).copied().unwrap_or(0)
    }

    /// System identifier, public identifier and base URI of an entity that is declared in the document, which has `base_uri`;
    /// unknown without a declaration.
    pub(crate) fn entity(&self, id: Option<Identifier>, base_uri: Option<u32>) -> [Part; 3] {
        let Some(Identifier { public, system }) = id else { return [Part::Null; 3] };
        let known = |string| Part::Index(self.string(string));
        [system.map_or(Part::Null, known), public.map_or(Part::None, known), base_uri.map_or(Part::Null, known)]
    }

    /// The index of a name.
    #[inline(always)]
    pub(crate) fn name(&self, number: u32) -> u32 {
        self.names.get(number as usize).copied().unwrap_or(0)
    }
}

/// Puts strings that are not compressed first, and leaves out those that both sides have, if there are any: these have the first
/// indexes.
fn with_shared(
    collected: &Collected<'_>,
    options: &Options<'_>,
    mut order: Vec<u32>,
    mut places: Vec<u32>,
) -> (Vec<u32>, Vec<u32>, bool) {
    let entries = collected.strings.entries();
    let is_cut = options.cuts_by_length();
    // The index of each string that both sides have, by its number.
    let find = |shared: &SharedStrings| entries.iter().map(|entry| shared.find(entry.text)).collect::<Vec<_>>();
    let found = options.shared.filter(|_| !options.paper).map(find).unwrap_or_default();
    let has_shared = found.iter().any(Option::is_some);
    if !is_cut && !has_shared {
        return (order, places, false);
    }
    let mut place = |number: u32, index: u32| {
        if let Some(slot) = places.get_mut(number as usize) {
            *slot = index;
        }
    };
    if is_cut {
        let len = |number: u32| entries.get(number as usize).map_or(0, |entry| entry.text.len());
        order.sort_by_key(|number| len(*number) >= options.compress_from as usize);
    }
    let mut last = options.shared.filter(|_| has_shared).map_or(0, |shared| shared.count() as u32);
    order.retain(|number| match found.get(*number as usize).copied().flatten() {
        Some(index) => {
            place(*number, index);
            false
        }
        None => {
            last += 1;
            place(*number, last);
            true
        }
    });
    (order, places, has_shared)
}

/// The order, and the position of each item in it, from 1.
///
/// The `short` most used come first, and both groups keep the order of first use; or all are `sorted` by use, which the
/// paper allows as well.
fn order(counts: impl Iterator<Item = u32>, short: usize, sorted: bool) -> (Vec<u32>, Vec<u32>) {
    let counts: Vec<u32> = counts.collect();
    let mut order: Vec<u32> = (0..counts.len() as u32).collect();
    if sorted {
        order.sort_by_key(|number| core::cmp::Reverse(counts.get(*number as usize).copied()));
    } else if order.len() > short {
        let (least, mut of_those) = threshold(&counts, short);
        let (mut first, mut rest) = (Vec::with_capacity(order.len()), Vec::new());
        for (number, count) in (0..).zip(&counts) {
            let taken = *count > least || *count == least && of_those > 0;
            of_those -= usize::from(taken && *count == least);
            if taken { first.push(number) } else { rest.push(number) }
        }
        first.append(&mut rest);
        order = first;
    }
    let mut places = vec![0; order.len()];
    for (number, place) in order.iter().zip(1..) {
        if let Some(slot) = places.get_mut(*number as usize) {
            *slot = place;
        }
    }
    (order, places)
}

/// The least use among the `most` most used, and how many with exactly this use are among them.
fn threshold(counts: &[u32], most: usize) -> (u32, usize) {
    let mut sorted = counts.to_vec();
    let at = most.min(sorted.len()).saturating_sub(1);
    let (above, least, _) = sorted.select_nth_unstable_by(at, |a, b| b.cmp(a));
    let least = *least;
    (least, 1 + above.iter().filter(|count| **count == least).count())
}
