//! Made-up values of any type: at the ends of what the type allows as often as within, and of what
//! only extension markers allow.

use std::collections::HashMap;

use asn1::compiled::{
    Compiled, End, Enumeration, Integer as IntegerType, Intervals, Kind, Number, Presence, Range, Record, Size,
};
use asn1::event::{At, Integer, Real, Sink};
use asn1::schema::StringKind;
use asn1::{Filler, Level, Limits, NodeId, Values};
use test_support::Random;

/// What values are made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// Components of an array, characters and octets of a string, for the most part.
    pub(crate) size: u64,
    /// One string or array in so many is longer than a fragment, where its type lets it be.
    pub(crate) long: Option<usize>,
    /// Alternatives and enumerations of later versions, which only the rules that they came by hold.
    pub(crate) later: bool,
    /// Values in all, for the most part.
    pub(crate) values: usize,
}

impl Shape {
    pub(crate) const SMALL: Shape = Shape { size: 6, long: None, later: false, values: 300 };
}

/// Fills a store with a value of a type; `false` if each is far larger than the shape says.
pub(crate) fn fill(types: &Compiled, node: NodeId, shape: Shape, random: &mut Random, values: &mut Values) -> bool {
    let weights = weights(types);
    if weights.get(&node).is_none_or(|weight| *weight > 10 * shape.values) {
        return false;
    }
    let mut filler = Filler::new(types, Limits::NONE, values);
    let level = filler.root(node);
    let mut maker = Maker { types, random, shape, weights, filler, left: shape.values };
    maker.value(At { level, index: 0 }, node, false);
    true
}

/// How many values there are at the least in one of each type; `usize::MAX` where they have no end.
fn weights(types: &Compiled) -> HashMap<NodeId, usize> {
    let mut weights: HashMap<NodeId, usize> = HashMap::new();
    let mut all: Vec<NodeId> = types.types().map(|(_, _, node)| node).collect();
    let mut next = 0;
    while let Some(node) = all.get(next).copied() {
        next += 1;
        if weights.insert(node, usize::MAX).is_some() {
            continue;
        }
        match types.node(node).kind {
            Kind::Record(number) => all.extend(types.record(number).members.iter().map(|member| member.node)),
            Kind::Choice(number) => all.extend(types.choice(number).alternatives.iter().map(|one| one.node)),
            Kind::Array(array) => all.push(array.item),
            _ => {}
        }
    }
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for node in &all {
            let of = |inner: NodeId| weights.get(&inner).copied().unwrap_or(usize::MAX);
            let weight = match types.node(*node).kind {
                Kind::Record(number) => {
                    let record = types.record(number);
                    let root = record.members.iter().take(record.root as usize);
                    let mandatory = root.filter(|member| member.presence == Presence::Mandatory);
                    mandatory.fold(1, |sum: usize, member| sum.saturating_add(of(member.node)))
                }
                Kind::Choice(number) => {
                    let alternatives = &types.choice(number).alternatives;
                    alternatives.iter().map(|one| of(one.node)).min().unwrap_or(0).saturating_add(1)
                }
                Kind::Array(array) => of(array.item).saturating_mul(array.size.lower as usize).saturating_add(1),
                // Spread over several fields, so that there are no long arrays of them.
                Kind::Text(number) if is_time(types.characters(number).kind) => 3,
                _ => 1,
            };
            changed |= weights.insert(*node, weight) != Some(weight);
        }
    }
    weights
}

/// Whether values are times of ISO 8601.
fn is_time(kind: StringKind) -> bool {
    use StringKind::{Date, DateTime, Duration, Time, TimeOfDay};
    matches!(kind, Time | Date | TimeOfDay | DateTime | Duration)
}

struct Maker<'a> {
    types: &'a Compiled,
    random: &'a mut Random,
    shape: Shape,
    weights: HashMap<NodeId, usize>,
    filler: Filler<'a>,
    left: usize,
}

impl Maker<'_> {
    fn value(&mut self, at: At<Level>, node: NodeId, row: bool) {
        let types = self.types;
        self.left = self.left.saturating_sub(1);
        match types.node(node).kind {
            Kind::Boolean => {
                let value = self.random.one_in(2);
                self.filler.boolean(at, node, value).unwrap();
            }
            Kind::Null => self.filler.null(at, node).unwrap(),
            Kind::Integer(integer) => self.integer(at, node, &integer),
            Kind::Enumerated(number) => self.enumerated(at, node, types.enumeration(number)),
            Kind::Real => self.real(at, node),
            Kind::BitString(size, names) => self.bit_string(at, node, &size, names.is_some()),
            Kind::OctetString(size) => {
                let len = self.size(&size, 1);
                let octets = self.octets(len);
                let octets = self.filler.keep(&octets);
                self.filler.octets(at, node, octets).unwrap();
            }
            Kind::ObjectIdentifier | Kind::RelativeOid => self.arcs(at, node),
            Kind::Text(number) => self.text(at, node, number),
            Kind::Record(number) => {
                let level = match row {
                    true => self.filler.row(at, node).unwrap(),
                    false => self.filler.record(at, node).unwrap(),
                };
                self.members(level, types.record(number));
            }
            Kind::Choice(number) => self.choice(at, node, number),
            Kind::Open(_) => {}
            Kind::Array(array) => {
                let most = self.shape.size.min((self.left / self.weight(array.item)) as u64);
                let long = self.shape.long.filter(|_| self.weight(array.item) <= 2);
                let len = self.size_up_to(&array.size, most, most, long);
                // Long strings in long arrays would be too much.
                self.shape.long = self.shape.long.filter(|_| len < 1000);
                let level = self.filler.array(at, node, len as u32).unwrap();
                let row = matches!(types.node(array.item).kind, Kind::Record(_));
                for index in 0..len as u32 {
                    self.value(At { level, index }, array.item, row);
                }
            }
        }
    }

    fn weight(&self, node: NodeId) -> usize {
        self.weights.get(&node).copied().unwrap_or(usize::MAX)
    }

    fn octets(&mut self, len: u64) -> Vec<u8> {
        (0..len).map(|_| self.random.next() as u8).collect()
    }

    fn integer(&mut self, at: At<Level>, node: NodeId, integer: &IntegerType) {
        if integer.extensible && self.random.one_in(4) {
            return self.any_integer(at, node);
        }
        let within_128_bits = |number: &Number| number.as_integer().to_i128().unwrap();
        let range = match integer.range {
            Range::Constrained(lower, range) => (lower.into(), i128::from(lower) + i128::from(range.span)),
            Range::SemiConstrained(lower) => (lower.into(), i128::MAX),
            Range::Wide(number) => {
                let wide = self.types.wide(number);
                (within_128_bits(&wide.lower), wide.upper.as_ref().map_or(i128::MAX, within_128_bits))
            }
            Range::Unconstrained => (i128::MIN, i128::MAX),
        };
        let allowed = integer.intervals.map_or(vec![range], |number| ends(self.types.intervals(number)));
        if allowed == [(i128::MIN, i128::MAX)] {
            return self.any_integer(at, node);
        }
        let interval = allowed[self.random.below(allowed.len())];
        let number = self.within(interval.0, interval.1);
        self.tell_integer(at, node, &number.to_be_bytes());
    }

    /// A number of an interval, as often as not at one of its ends.
    fn within(&mut self, lower: i128, upper: i128) -> i128 {
        let span = upper.wrapping_sub(lower) as u128;
        let any = u128::from(self.random.next()) << 64 | u128::from(self.random.next());
        let above = match self.random.below(5) {
            0 => 0,
            1 if upper != i128::MAX && lower != i128::MIN => span,
            2 => 1u128 << self.random.below(126),
            3 => (1u128 << self.random.below(126)) - 1,
            _ => any >> self.random.below(128),
        };
        let above = if above > span { any % span.max(1) } else { above };
        match lower {
            i128::MIN => upper.wrapping_sub(above as i128).max(i128::MIN + 1),
            _ => lower.wrapping_add(above as i128),
        }
    }

    /// An integer of any number of octets.
    fn any_integer(&mut self, at: At<Level>, node: NodeId) {
        let len = self.random.below_or(9, 8, 40) as u64 + 1;
        let mut octets = self.octets(len);
        if self.random.one_in(3) {
            // Round numbers: a bit alone, or all of them.
            octets.fill(self.random.of(&[0, 0xFF]));
            octets[0] = self.random.of(&[0x80, 0x7F, 0, 0xFF]);
        }
        self.tell_integer(at, node, &octets);
    }

    fn tell_integer(&mut self, at: At<Level>, node: NodeId, octets: &[u8]) {
        let mut octets = octets;
        while let [first, second, ..] = octets
            && (*first == 0 && second & 0x80 == 0 || *first == 0xFF && second & 0x80 != 0)
        {
            octets = &octets[1..];
        }
        let small = Integer::Big(octets).to_i128().and_then(|number| i64::try_from(number).ok());
        let value = small.map_or(Integer::Big(octets), Integer::Small);
        self.filler.integer(at, node, value).unwrap();
    }

    fn enumerated(&mut self, at: At<Level>, node: NodeId, enumeration: &Enumeration) {
        let mut of = enumeration.items.len();
        if self.shape.later && enumeration.extensible && self.random.one_in(4) {
            of += self.random.of(&[1, 100, 70_000]);
        }
        let item = self.random.below(of) as u32;
        self.filler.enumerated(at, node, item).unwrap();
    }

    fn real(&mut self, at: At<Level>, node: NodeId) {
        let special = [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MAX, f64::MIN_POSITIVE];
        let text;
        let value = match self.random.below(6) {
            0 | 1 => Real::Double(self.random.of(&special)),
            2 => Real::Double(f64::from_bits(1 << self.random.below(52))),
            3 => {
                // After the point, not ending in 5: no double equals it. In the form of X.690 clause 11.3.2.
                let sign = self.random.of(&["", "-"]);
                let digits = self.random.next() >> self.random.below(60);
                let last = self.random.of(&['1', '2', '3', '4', '6', '7', '8', '9']);
                text = format!("{sign}{}{last}.E-{}", digits.max(1), 1 + self.random.below(400));
                Real::Decimal(&text)
            }
            _ => match f64::from_bits(self.random.next()) {
                double if double.is_nan() => Real::Double(f64::NAN),
                double => Real::Double(double),
            },
        };
        self.filler.real(at, node, value).unwrap();
    }

    /// A size, of things that are `factor` to a unit of [`Shape::size`].
    fn size(&mut self, size: &Size, factor: u64) -> u64 {
        self.size_up_to(size, self.shape.size * factor, self.shape.size * factor * 8, self.shape.long)
    }

    /// A size of no more than `most` beyond the least, but for that of an interval that ends at `far`.
    fn size_up_to(&mut self, size: &Size, most: u64, far: u64, long: Option<usize>) -> u64 {
        let long = long.is_some_and(|times| most > 0 && self.random.one_in(times));
        if size.extensible && most > 0 && self.random.one_in(4) {
            return if long { self.long() } else { self.random.below(most as usize + 1) as u64 };
        }
        let range = (size.lower.into(), size.upper.into());
        let allowed = size.intervals.map_or(vec![range], |number| ends(self.types.intervals(number)));
        let long = if long { self.long() } else { 0 };
        if allowed.iter().any(|(lower, upper)| (lower..=upper).contains(&&long.into())) && long > 0 {
            return long;
        }
        // The least sizes, and those at the ends of intervals if these are not too far.
        let reach = i128::from(size.lower.saturating_add(most));
        let near: Vec<_> = allowed.iter().filter(|(lower, _)| *lower <= reach).collect();
        let (lower, upper) = *near[self.random.below(near.len())];
        let upper = if upper <= lower + i128::from(far) { upper } else { upper.min(reach.max(lower)) };
        match self.random.below(4) {
            0 => lower as u64,
            1 => upper as u64,
            _ => lower as u64 + self.random.below((upper - lower) as usize + 1) as u64,
        }
    }

    /// At the ends of fragments, and beyond.
    fn long(&mut self) -> u64 {
        let fragments = self.random.of(&[1, 2, 3, 4, 5]) * 16_384;
        fragments + self.random.of(&[0, 1, 127, 128, 16_383]) - self.random.below(2) as u64
    }

    fn bit_string(&mut self, at: At<Level>, node: NodeId, size: &Size, named: bool) {
        // Named bits are made as long as the root of the size asks for.
        let size = Size { extensible: size.extensible && !named, ..*size };
        let len = self.size(&size, 5);
        let mut octets = self.octets(len.div_ceil(8));
        if let Some(last) = octets.last_mut() {
            let spare = (8 - len % 8) % 8;
            *last &= 0xFF << spare;
            // Zero bits at the end mean nothing where bits have names.
            if named {
                *last |= 1 << spare;
            }
        }
        let octets = self.filler.keep(&octets);
        self.filler.bit_string(at, node, octets, len).unwrap();
    }

    fn arcs(&mut self, at: At<Level>, node: NodeId) {
        let mut octets = Vec::new();
        for _ in 0..=self.random.below_or(4, 20, 300) {
            let arc = self.random.next() >> self.random.below(64);
            let groups = (64 - arc.leading_zeros()).div_ceil(7).max(1);
            let group = |group| (arc >> (7 * group)) as u8 & 0x7F | if group == 0 { 0 } else { 0x80 };
            octets.extend((0..groups).rev().map(group));
        }
        let octets = self.filler.keep(&octets);
        self.filler.octets(at, node, octets).unwrap();
    }

    fn text(&mut self, at: At<Level>, node: NodeId, number: u32) {
        let characters = self.types.characters(number);
        if is_time(characters.kind) {
            let text = super::times::of_kind(characters.kind, self.random);
            let text = self.filler.keep(text.as_bytes());
            return self.filler.text(at, node, text).unwrap();
        }
        let alphabet = characters.alphabet.map(|number| self.types.intervals(number));
        let any: &[(i128, i128)] = match characters.kind {
            StringKind::Utf8 | StringKind::Universal => {
                &[(0, 0x7F), (0x80, 0x7FF), (0x800, 0xFFFF), (0x1_0000, 0x10_FFFF)]
            }
            _ => &[(0, 0x7F)],
        };
        let alphabet: Vec<(i128, i128)> = match alphabet {
            Some(alphabet) if !alphabet.is_all() => ends(alphabet),
            _ => any.to_vec(),
        };
        let len = if alphabet.is_empty() { 0 } else { self.size(&characters.size, 1) };
        let text: String = (0..len)
            .map(|_| {
                let (lower, upper) = self.random.of(&alphabet);
                let (lower, upper) = (lower.max(0), upper.min(0x10_FFFF));
                let point = match self.random.below(4) {
                    0 => lower,
                    1 => upper,
                    _ => lower + (self.random.next() >> 33) as i128 % (upper - lower + 1),
                };
                // In the place of a surrogate, a neighbour of these.
                char::from_u32(point as u32).unwrap_or(if upper > 0xE000 { '\u{E000}' } else { '\u{D7FF}' })
            })
            .collect();
        let text = self.filler.keep(text.as_bytes());
        self.filler.text(at, node, text).unwrap();
    }

    fn members(&mut self, level: Level, record: &Record) {
        for (index, member) in (0..record.root).zip(&record.members) {
            if member.presence == Presence::Mandatory || self.may_be_there(member.node) {
                self.value(At { level, index }, member.node, false);
            }
        }
        let all = self.random.one_in(3);
        for addition in &record.additions {
            let members = record.members.iter().skip(addition.first as usize).take(addition.count as usize);
            if !all && !self.random.one_in(3) || self.left == 0 {
                continue;
            }
            // All of a group that must be there, if one is.
            let mandatory = |presence| addition.group.is_some() && presence == Presence::Mandatory;
            if members.clone().any(|member| mandatory(member.presence) && self.weight(member.node) > self.left) {
                continue;
            }
            for (index, member) in (addition.first..).zip(members) {
                if mandatory(member.presence) || self.may_be_there(member.node) {
                    self.value(At { level, index }, member.node, false);
                }
            }
        }
    }

    fn may_be_there(&mut self, node: NodeId) -> bool {
        self.weight(node) < self.left && !self.random.one_in(3)
    }

    fn choice(&mut self, at: At<Level>, node: NodeId, number: u32) {
        let choice = self.types.choice(number);
        if self.shape.later && choice.extensible && self.random.one_in(5) {
            let alternative = choice.alternatives.len() + self.random.of(&[0, 1, 63, 64, 70_000]);
            let level = self.filler.choice(at, node, alternative as u32).unwrap();
            let len = self.random.of(&[1, 2, 5, 127, 128]);
            let octets = self.octets(len);
            let octets = self.filler.keep(&octets);
            return self.filler.unknown(At { level, index: 0 }, node, octets).unwrap();
        }
        let weights: Vec<usize> = choice.alternatives.iter().map(|one| self.weight(one.node)).collect();
        let most = self.left.max(weights.iter().copied().min().unwrap());
        let fit: Vec<usize> = (0..weights.len()).filter(|i| weights[*i] <= most).collect();
        let alternative = self.random.of(&fit);
        let level = self.filler.choice(at, node, alternative as u32).unwrap();
        self.value(At { level, index: 0 }, choice.alternatives[alternative].node, false);
    }
}

/// Intervals of numbers of 128 bits.
fn ends(intervals: &Intervals) -> Vec<(i128, i128)> {
    let end = |end: &End| match end {
        End::Min => i128::MIN,
        End::At(number) => number.as_integer().to_i128().unwrap(),
        End::Max => i128::MAX,
    };
    intervals.as_slice().iter().map(|(lower, upper)| (end(lower), end(upper))).collect()
}
