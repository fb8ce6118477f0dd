//! Generates values of a schema.

use std::collections::HashMap;

use fastrand::Rng;
use lengthwise::asn1::compiled::{End, Integer, Intervals, Kind, Number, Presence, Range, Record, RowKey, Size};
use lengthwise::asn1::event::{At, Integer as Written, Real, Sink};
use lengthwise::asn1::schema::StringKind;
use lengthwise::asn1::{Compiled, EncodingRules, Filler, Level, NodeId, Values};
use lengthwise::{Error, ErrorKind};

use crate::described;

/// What is chosen where a type leaves a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choose {
    Any,
    Largest,
    Smallest,
}

/// Values of a message, for the most part.
pub(crate) const VALUES: usize = 400;

/// Components of a list, and characters or octets of a string, beyond the least, for the most part.
const ITEMS: u64 = 4;
const OCTETS: u64 = 12;

/// The most values that a message must have.
const MOST: usize = 1 << 20;

/// A type of which no value can be made.
const ENDLESS: usize = usize::MAX;

/// Generates values of the types of a schema.
pub(crate) struct Generator<'t> {
    types: &'t Compiled,
    /// The rules of messages, for values of no known type.
    rules: EncodingRules,
    /// How many values there are at the least in one of each type.
    weights: HashMap<NodeId, usize>,
    /// The open types that each key selects a row of, by its slot.
    selected: HashMap<u32, Vec<u32>>,
}

/// A key that a component has to be, and the indexes that lead to it.
type Forced<'p> = Option<(&'p [u32], &'p RowKey)>;

impl<'t> Generator<'t> {
    pub(crate) fn new(types: &'t Compiled, rules: EncodingRules) -> Generator<'t> {
        let weights = weights(types);
        let mut selected: HashMap<u32, Vec<u32>> = HashMap::new();
        for node in weights.keys() {
            if let Kind::Open(number) = types.node(*node).kind
                && let [slot] = types.open(number).slots()
            {
                selected.entry(*slot).or_default().push(number);
            }
        }
        // Seeds mean the same each time.
        selected.values_mut().for_each(|numbers| numbers.sort_unstable());
        Generator { types, rules, weights, selected }
    }

    /// Fills a store with a value of a type; false if there is none. `most` bounds the values in it that need not be there, and
    /// the characters of each string.
    pub(crate) fn fill(
        &self,
        root: NodeId,
        (choose, most): (Choose, usize),
        seed: u64,
        values: &mut Values,
    ) -> Result<bool, Error> {
        match self.weight(root) {
            ENDLESS => return Ok(false),
            weight if weight > MOST => {
                let (found, expected) = (format!("at least {weight} values"), format!("at most {MOST} in an example"));
                return Err(Error::without_place(ErrorKind::Limit, "asn1", found, expected));
            }
            _ => {}
        }
        let mut filler = Filler::new(self.types, lengthwise::Limits::DEFAULT, values);
        let level = filler.root(root);
        let random = Rng::with_seed(seed);
        let octets = OCTETS.min(most as u64);
        let mut maker = Maker { generator: self, choose, random, filler, left: most, octets, chosen: Vec::new() };
        maker.value(At { level, index: 0 }, root, false, None)?;
        Ok(true)
    }

    fn weight(&self, node: NodeId) -> usize {
        self.weights.get(&node).copied().unwrap_or(ENDLESS)
    }
}

/// The inner types of a type.
fn inner(types: &Compiled, node: NodeId) -> Vec<NodeId> {
    match types.node(node).kind {
        Kind::Record(number) => types.record(number).members.iter().map(|member| member.node).collect(),
        Kind::Choice(number) => types.choice(number).alternatives.iter().map(|one| one.node).collect(),
        Kind::Open(number) => types.open(number).alternatives.clone(),
        Kind::Array(array) => vec![array.item],
        _ => Vec::new(),
    }
}

/// The least number of values in one of each type. Types that need each other are endless, until one is found that ends.
fn weights(types: &Compiled) -> HashMap<NodeId, usize> {
    let mut weights: HashMap<NodeId, usize> = HashMap::new();
    let mut open: Vec<NodeId> = types.types().map(|(_, _, node)| node).collect();
    let mut users: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    let mut all = Vec::new();
    while let Some(node) = open.pop() {
        if weights.insert(node, ENDLESS).is_some() {
            continue;
        }
        all.push(node);
        for inner in inner(types, node) {
            users.entry(inner).or_default().push(node);
            open.push(inner);
        }
    }
    // A weight that has fallen lets those of its users fall.
    let mut changed = all;
    while let Some(node) = changed.pop() {
        let of = |inner: NodeId| weights.get(&inner).copied().unwrap_or(ENDLESS);
        let weight = match types.node(node).kind {
            Kind::Record(number) => {
                let record = types.record(number);
                let root = record.members.iter().take(record.root as usize);
                let mandatory = root.filter(|member| member.presence == Presence::Mandatory);
                mandatory.fold(1, |sum: usize, member| sum.saturating_add(of(member.node)))
            }
            Kind::Choice(number) => {
                let alternatives = &types.choice(number).alternatives;
                alternatives.iter().map(|one| of(one.node)).min().unwrap_or(ENDLESS).saturating_add(1)
            }
            Kind::Open(number) => {
                let open = types.open(number);
                let least = match (open.slots(), &open.alternatives[..]) {
                    (_, []) => 0,
                    ([], [content, _]) if open.is_string() => of(*content),
                    ([], [only]) => of(*only),
                    ([_], all) => {
                        let rows = open.rows().into_iter().filter_map(|(_, row)| all.get(row as usize));
                        rows.map(|node| of(*node)).min().unwrap_or(ENDLESS)
                    }
                    _ => ENDLESS,
                };
                least.saturating_add(1)
            }
            Kind::Array(array) if array.size.lower == 0 => 1,
            Kind::Array(array) => {
                let lower = usize::try_from(array.size.lower).unwrap_or(ENDLESS);
                of(array.item).saturating_mul(lower).saturating_add(1)
            }
            _ => 1,
        };
        if weight < of(node) {
            weights.insert(node, weight);
            changed.extend(users.get(&node).into_iter().flatten());
        }
    }
    weights
}

struct Maker<'g, 't> {
    generator: &'g Generator<'t>,
    choose: Choose,
    random: Rng,
    filler: Filler<'g>,
    /// Values that may still be made, beyond those that must be.
    left: usize,
    /// Characters or octets of a string, beyond the least.
    octets: u64,
    /// Keys that select types, by their slots, the innermost last.
    chosen: Vec<(u32, RowKey)>,
}

impl<'t> Maker<'_, 't> {
    fn types(&self) -> &'t Compiled {
        self.generator.types
    }

    fn value(&mut self, at: At<Level>, node: NodeId, is_row: bool, forced: Forced<'_>) -> Result<(), Error> {
        let types = self.types();
        self.left = self.left.saturating_sub(1);
        match types.node(node).kind {
            Kind::Boolean => {
                let value = self.choose == Choose::Largest || self.choose == Choose::Any && self.random.bool();
                self.filler.boolean(at, node, value)
            }
            Kind::Null => self.filler.null(at, node),
            Kind::Integer(integer) => {
                let number = match forced {
                    Some((_, RowKey::Number(number))) => (*number).into(),
                    _ => self.integer(&integer),
                };
                let octets = number.to_be_bytes();
                let written = i64::try_from(number).map_or(Written::Big(shortest(&octets)), Written::Small);
                self.filler.integer(at, node, written)
            }
            Kind::Enumerated(number) => {
                let enumeration = types.enumeration(number);
                let forced = forced.and_then(|(_, key)| {
                    let RowKey::Number(number) = key else { return None };
                    enumeration.items.iter().position(|(_, own)| own.as_integer().to_i128() == Some((*number).into()))
                });
                let item = forced.unwrap_or_else(|| self.pick(enumeration.root as usize));
                self.filler.enumerated(at, node, item as u32)
            }
            Kind::Real => {
                let number = f64::from(self.random.i32(-1000..1000)) / 4.0;
                self.filler.real(at, node, Real::Double(number))
            }
            Kind::BitString(size, names) => self.bit_string(at, node, &size, names.is_some()),
            Kind::OctetString(size) => {
                let octets: Vec<u8> = (0..self.size(&size, self.octets)).map(|_| self.random.u8(..)).collect();
                let octets = self.filler.keep(&octets);
                self.filler.octets(at, node, octets)
            }
            Kind::ObjectIdentifier | Kind::RelativeOid => {
                // 2.999, which is for examples, and a number.
                let any = [0x88, 0x37, self.random.u8(1..100)];
                let octets = self.filler.keep(match forced {
                    Some((_, RowKey::Octets(octets))) => octets,
                    _ => &any,
                });
                self.filler.octets(at, node, octets)
            }
            Kind::Text(number) => self.text(at, node, number),
            Kind::Record(number) => {
                let level = if is_row { self.filler.row(at, node)? } else { self.filler.record(at, node)? };
                self.members(level, node, number, forced)
            }
            Kind::Choice(number) => {
                let alternatives = &types.choice(number).alternatives;
                let (index, inner) = match forced {
                    Some(([index, rest @ ..], number)) => (*index as usize, Some((rest, number))),
                    _ => (self.alternative(&alternatives.iter().map(|one| one.node).collect::<Vec<_>>()), None),
                };
                let level = self.filler.choice(at, node, index as u32)?;
                match alternatives.get(index) {
                    Some(one) => self.value(At { level, index: 0 }, one.node, false, inner),
                    None => Ok(()),
                }
            }
            Kind::Open(number) => {
                let open = types.open(number);
                let index = match open.slots() {
                    [slot] => {
                        let key = self.chosen.iter().rev().find(|(own, _)| own == slot).map(|(_, key)| key);
                        open.rows().into_iter().find(|(own, _)| Some(own) == key).map(|(_, row)| row)
                    }
                    _ => Some(0),
                };
                let index = index.and_then(|index| Some((index, *open.alternatives.get(index as usize)?)));
                let Some((index, inner)) = index else {
                    // Any value: in BER an INTEGER.
                    let number = self.random.u8(1..100);
                    let octets: &[u8] = match self.generator.rules {
                        EncodingRules::Ber | EncodingRules::Cer => &[2, 1, number],
                        _ => &[number],
                    };
                    return self.filler.undecoded(at, node, self.generator.rules, octets);
                };
                let level = self.filler.choice(at, node, index)?;
                self.value(At { level, index: 0 }, inner, false, None)
            }
            Kind::Array(array) => {
                let weight = self.generator.weight(array.item);
                let most = if weight > self.left { 0 } else { ITEMS.min((self.left / weight.max(1)) as u64) };
                let len = self.size(&array.size, most);
                let level = self.filler.array(at, node, len as u32)?;
                let is_row = matches!(types.node(array.item).kind, Kind::Record(_));
                (0..len as u32).try_for_each(|index| self.value(At { level, index }, array.item, is_row, None))
            }
        }
    }

    /// One of some, by its index.
    fn pick(&mut self, count: usize) -> usize {
        match self.choose {
            _ if count == 0 => 0,
            Choose::Any => self.random.usize(..count),
            Choose::Largest => count - 1,
            Choose::Smallest => 0,
        }
    }

    /// An alternative that ends within what is left, if there is one.
    fn alternative(&mut self, nodes: &[NodeId]) -> usize {
        let weight = |index: &usize| self.generator.weight(nodes[*index]);
        let fit: Vec<usize> = (0..nodes.len()).filter(|index| weight(index) <= self.left).collect();
        let least = (0..nodes.len()).min_by_key(weight).unwrap_or(0);
        match self.choose {
            _ if fit.is_empty() => least,
            Choose::Smallest => least,
            Choose::Any => fit[self.random.usize(..fit.len())],
            Choose::Largest => fit.iter().copied().max_by_key(weight).unwrap_or(least),
        }
    }

    fn members(&mut self, level: Level, node: NodeId, number: u32, forced: Forced<'_>) -> Result<(), Error> {
        let record = self.types().record(number);
        let before = self.chosen.len();
        let mut own: Vec<(&[u32], RowKey)> = Vec::new();
        for (path, slot) in record.keys() {
            if let Some(key) = self.key(slot) {
                self.chosen.push((slot, key.clone()));
                own.push((path, key));
            }
        }
        let additions = if self.choose == Choose::Smallest { 0 } else { record.members.len() };
        for (index, member) in (0..).zip(&record.members) {
            let is_root = index < record.root;
            let must = is_root && member.presence == Presence::Mandatory;
            // Groups of additions are there as a whole or not at all.
            if !must
                && (!is_root && (index as usize >= additions || !self.may_have(record, index))
                    || !self.may_be(member.node))
            {
                continue;
            }
            let of_key = own.iter().find(|(path, _)| path.first() == Some(&index));
            let of_key = of_key.map(|(path, key)| (path.get(1..).unwrap_or_default(), key));
            let from_above = match forced {
                Some(([first, rest @ ..], number)) if *first == index => Some((rest, number)),
                _ => None,
            };
            self.value(At { level, index }, member.node, false, from_above.or(of_key))?;
        }
        self.chosen.truncate(before);
        // Once the keys are there.
        self.filler.fill_related(level, node)
    }

    /// Whether an addition can be made: a group only if nothing in it must be there.
    fn may_have(&mut self, record: &Record, index: u32) -> bool {
        let addition = record.additions.iter().find(|one| (one.first..one.first + one.count).contains(&index));
        addition.is_some_and(|addition| {
            let members = record.members.iter().skip(addition.first as usize).take(addition.count as usize);
            addition.group.is_none() || members.clone().all(|member| member.presence != Presence::Mandatory)
        })
    }

    fn may_be(&mut self, node: NodeId) -> bool {
        let fits = self.generator.weight(node) < self.left;
        fits && match self.choose {
            Choose::Any => self.random.bool(),
            Choose::Largest => true,
            Choose::Smallest => false,
        }
    }

    /// A key of which all open types that it selects have a row.
    fn key(&mut self, slot: u32) -> Option<RowKey> {
        let types = self.types();
        let mut keys: Option<Vec<RowKey>> = None;
        for number in self.generator.selected.get(&slot)? {
            let open = types.open(*number);
            let own = open.rows().into_iter().filter(|(_, row)| {
                open.alternatives.get(*row as usize).is_some_and(|node| self.generator.weight(*node) < ENDLESS)
            });
            let own = own.map(|(key, _)| key);
            keys = Some(match keys {
                None => own.collect(),
                Some(keys) => {
                    let own: Vec<RowKey> = own.collect();
                    keys.into_iter().filter(|key| own.contains(key)).collect()
                }
            });
        }
        let mut keys = keys?;
        (!keys.is_empty()).then(|| keys.swap_remove(self.pick(keys.len())))
    }

    fn integer(&mut self, integer: &Integer) -> i128 {
        const MOST: i128 = i64::MAX as i128;
        let number = |number: &Number| number.as_integer().to_i128().unwrap_or(MOST);
        let range = match integer.range {
            Range::Constrained(lower, range) => (lower.into(), i128::from(lower) + i128::from(range.span)),
            Range::SemiConstrained(lower) => (lower.into(), i128::from(lower) + 1000),
            Range::Wide(wide) => {
                let wide = self.types().wide(wide);
                (number(&wide.lower), wide.upper.as_ref().map_or(MOST, number))
            }
            Range::Unconstrained => (-1000, 1000),
        };
        let intervals = integer.intervals.map(|number| self.types().intervals(number));
        let (lower, upper) = self.interval(intervals, range);
        self.within(lower, upper)
    }

    /// One of the intervals, cut to a range where they have no end.
    fn interval(&mut self, intervals: Option<&Intervals>, range: (i128, i128)) -> (i128, i128) {
        let all: Vec<(i128, i128)> = match intervals.map(Intervals::as_slice) {
            None | Some([]) => return range,
            Some(all) => all
                .iter()
                .map(|(lower, upper)| {
                    let lower = end(lower).unwrap_or(range.0.min(end(upper).unwrap_or(range.0)));
                    (lower, end(upper).unwrap_or(range.1.max(lower)))
                })
                .collect(),
        };
        all[self.pick(all.len())]
    }

    fn within(&mut self, lower: i128, upper: i128) -> i128 {
        match self.choose {
            _ if upper <= lower => lower,
            Choose::Any => self.random.i128(lower..=upper),
            Choose::Largest => upper,
            Choose::Smallest => lower,
        }
    }

    /// A size of up to so many beyond the least.
    fn size(&mut self, size: &Size, most: u64) -> u64 {
        let range = (size.lower.into(), size.upper.min(size.lower.saturating_add(most)).into());
        let intervals = size.intervals.map(|number| self.types().intervals(number));
        let (lower, upper) = match intervals.map(Intervals::as_slice) {
            None | Some([]) => range,
            // The first interval has the least sizes.
            Some([(lower, upper), ..]) => {
                let lower = end(lower).unwrap_or(range.0);
                (lower, end(upper).unwrap_or(i128::MAX).min(lower.saturating_add(most.into())))
            }
        };
        self.within(lower, upper) as u64
    }

    fn bit_string(&mut self, at: At<Level>, node: NodeId, size: &Size, is_named: bool) -> Result<(), Error> {
        let len = self.size(size, self.octets);
        let mut octets: Vec<u8> = (0..len.div_ceil(8)).map(|_| self.random.u8(..)).collect();
        if let Some(last) = octets.last_mut() {
            let spare = (8 - len % 8) % 8;
            *last &= 0xFF << spare;
            // Zero bits at the end mean nothing where bits have names.
            if is_named {
                *last |= 1 << spare;
            }
        }
        let octets = self.filler.keep(&octets);
        self.filler.bit_string(at, node, octets, len)
    }

    fn text(&mut self, at: At<Level>, node: NodeId, number: u32) -> Result<(), Error> {
        let characters = self.types().characters(number);
        let minute = self.random.u8(0..60);
        let text = match characters.kind {
            StringKind::UtcTime => format!("2603011204{minute:02}Z"),
            StringKind::GeneralizedTime => format!("202603011204{minute:02}Z"),
            kind if kind.is_iso8601() => {
                let (year, second) = (self.random.u16(1950..2100), self.random.u8(0..60));
                let date = format!("{year}-{:02}-{:02}", 1 + minute % 12, 1 + second % 28);
                let time = format!("12:{minute:02}:{second:02}");
                let (month, only_year) = (date[..7].to_owned(), date[..4].to_owned());
                let durations = [format!("PT{}S", 1 + second), format!("P{}M", 1 + second)];
                let texts =
                    [vec![date.clone(), format!("{date}T{time}"), time, month, only_year], durations.to_vec()].concat();
                let zoned: Vec<String> = texts.iter().map(|text| format!("{text}Z")).collect();
                let fits = |text: &String| characters.allows_time(text);
                texts.iter().chain(&zoned).find(|text| fits(text)).unwrap_or(&texts[0]).clone()
            }
            kind => {
                let usual: &[(i128, i128)] = match kind {
                    StringKind::Numeric => &[(0x30, 0x39)],
                    _ => &[(0x61, 0x7A)],
                };
                let alphabet = characters.alphabet.map(|number| self.types().intervals(number));
                let described = characters.user_defined.as_deref();
                match described.and_then(|comment| described::text(comment, &mut self.random)) {
                    Some(text) => text,
                    None => {
                        (0..self.size(&characters.size, self.octets)).map(|_| self.character(alphabet, usual)).collect()
                    }
                }
            }
        };
        let text = self.filler.keep(text.as_bytes());
        self.filler.text(at, node, text)
    }

    /// A character of an alphabet, a letter where it has them.
    fn character(&mut self, alphabet: Option<&Intervals>, usual: &[(i128, i128)]) -> char {
        let mut intervals: Vec<(i128, i128)> = usual.to_vec();
        if let Some(alphabet) = alphabet {
            let all = alphabet
                .as_slice()
                .iter()
                .map(|(lower, upper)| (end(lower).unwrap_or(0), end(upper).unwrap_or(0x10_FFFF)));
            let all: Vec<(i128, i128)> = all.collect();
            let cut = |low: i128, high: i128| {
                let cut = all.iter().map(move |(lower, upper)| ((*lower).max(low), (*upper).min(high)));
                cut.filter(|(lower, upper)| lower <= upper).collect::<Vec<_>>()
            };
            let letters = usual.iter().flat_map(|(low, high)| cut(*low, *high)).collect::<Vec<_>>();
            let printed = cut(0x20, 0x7E);
            intervals = [letters, printed, all].into_iter().find(|found| !found.is_empty()).unwrap_or_default();
        }
        let Some((lower, upper)) = (!intervals.is_empty()).then(|| intervals[self.random.usize(..intervals.len())])
        else {
            return 'x';
        };
        u32::try_from(self.random.i128(lower..=upper)).ok().and_then(char::from_u32).unwrap_or('x')
    }
}

fn end(end: &End) -> Option<i128> {
    match end {
        End::At(number) => number.as_integer().to_i128(),
        End::Min | End::Max => None,
    }
}

/// A number without octets that say nothing.
fn shortest(octets: &[u8]) -> &[u8] {
    let mut octets = octets;
    while let [first, second, ..] = octets
        && (*first == 0 && second & 0x80 == 0 || *first == 0xFF && second & 0x80 != 0)
    {
        octets = &octets[1..];
    }
    octets
}
