//! A fast path of the first pass in PER, for what most messages contain: everything by index, no index above two
//! octets, no fragments, attributes with only a name and a value.
//!
//! Fields are extracted from windows of 57 bits instead of being read one by one.

use crate::outline::{Attribute, Kind, List as Lists, Token};
use crate::per::{List, Per};
use crate::rules::{LARGE, SMALL};
use crate::scan::{Level, NO_LIST, State};

/// The number of bits that a window always has.
const WINDOW: u32 = 57;

/// The optional fields of an element at the start of a window: attributes, namespace attributes, and the base URI.
const FIELDS: u64 = 0b111 << 58;
const ATTRIBUTES: u8 = 0x80;
const NAMESPACE_ATTRIBUTES: u8 = 0x40;

/// The mask and value of the bits that identify the most frequent children: the number of the alternative, optional
/// fields, then choices and extension bits, all short. First an element without attributes that has only text, then
/// text.
#[allow(clippy::unusual_byte_groupings)] // The fields.
const SHORT_LEAF: (u64, u64) = (0b111_111_11_0000_111 << 49, 0b000_000_10_0000_010 << 49);
const SHORT_TEXT: (u64, u64) = (0b111_111 << 58, 0b011_010 << 58);

/// Their length in the unaligned variant.
const LEAF_BITS: u32 = 27;
const TEXT_BITS: u32 = 18;

/// A whole element in the unaligned variant, with the bit that ends it; and two consecutive items.
const WHOLE_LEAF: (u64, u64) = (SHORT_LEAF.0 | 1 << 37, SHORT_LEAF.1 | 1 << 37);
const TEXT_AND_LEAF: (u64, u64) = (SHORT_TEXT.0 | WHOLE_LEAF.0 >> TEXT_BITS, SHORT_TEXT.1 | WHOLE_LEAF.1 >> TEXT_BITS);
const TWO_LEAVES: (u64, u64) = (WHOLE_LEAF.0 | WHOLE_LEAF.0 >> LEAF_BITS, WHOLE_LEAF.1 | WHOLE_LEAF.1 >> LEAF_BITS);

/// The name of a short element at the start of a window.
#[inline(always)]
fn short_name(bits: u64) -> u32 {
    (bits >> 52) as u32 & SMALL
}

/// The token of a short text, in the unaligned variant.
#[inline(always)]
fn short_text(bits: u64) -> Token {
    Token::text((bits >> 47) as u32 & LARGE)
}

/// The token of a short element with text, in the unaligned variant.
#[inline(always)]
fn short_leaf(bits: u64) -> Token {
    Token::leaf(short_name(bits), (bits >> 38) as u32 & LARGE)
}

/// The next eight bytes, shifted to bit `at`: at least 57 bits. `None` near the end of the message.
#[inline(always)]
fn window(message: &[u8], at: u64) -> Option<u64> {
    let start = (at >> 3) as usize;
    let eight = message.get(start..start + 8)?.first_chunk::<8>()?;
    Some(u64::from_be_bytes(*eight) << (at & 7))
}

/// A window, and its position.
#[derive(Clone, Copy)]
struct Window<const ALIGNED: bool> {
    at: u64,
    bits: u64,
}

/// An element that is not a short one.
enum Element {
    /// With this many children.
    Open(u32),
    /// With this text.
    Leaf(u32),
}

impl<const ALIGNED: bool> Window<ALIGNED> {
    /// The number of bits from bit `used` to the next whole byte.
    #[inline(always)]
    fn padding(self, used: u32) -> u32 {
        (self.at as u32).wrapping_add(used).wrapping_neg() & 7
    }

    /// The short index of a string after its extension bit, and the position after it. In the aligned variant it may be
    /// above the range.
    #[inline(always)]
    fn short_index(self, used: u32) -> (u32, u32) {
        if ALIGNED {
            let used = used + self.padding(used);
            ((self.bits << used >> 48) as u32, used + 16)
        } else {
            ((self.bits << used >> 53) as u32, used + 11)
        }
    }

    /// An index from `used` on, with its extension bit, and the position after it; `None` if it does not fit in the
    /// window, or is not an index.
    #[inline(always)]
    fn index<const LARGE_INDEX: bool>(self, mut used: u32) -> Option<(u32, u32)> {
        let rest = self.bits << used;
        used += 1;
        if rest >> 63 == 0 {
            // Of the two ranges only the large one is wide enough to be aligned.
            if !LARGE_INDEX {
                return Some(((self.bits << used >> 60) as u32, used + 4));
            }
            return Some(self.short_index(used)).filter(|(index, _)| *index <= LARGE);
        }
        if ALIGNED {
            used += self.padding(used);
        }
        let octets = self.bits << used >> 56;
        used += 8;
        let index = self.bits << used;
        // A number that begins with a one bit would be negative.
        match octets {
            1 if index >> 63 == 0 => Some(((index >> 56) as u32, used + 8)),
            2 if index >> 63 == 0 => Some(((index >> 48) as u32, used + 16)),
            _ => None,
        }
    }

    /// The number of children, from `used` on; `None` if it does not fit in the window.
    #[inline(always)]
    fn count(self, mut used: u32) -> Option<(u32, u32)> {
        let rest = self.bits << used;
        if rest >> 63 == 0 {
            return Some(((rest >> 61) as u32, used + 3));
        }
        used += 1;
        if ALIGNED {
            used += self.padding(used);
        }
        let rest = self.bits << used;
        match rest >> 62 {
            0 | 1 => Some(((rest >> 56) as u32, used + 8)),
            2 => Some(((rest >> 48) as u32 & 0x3FFF, used + 16)),
            _ => None,
        }
    }

    /// A text, or a whole element without attributes that has only text, both in the shortest form.
    #[inline(always)]
    fn short(self) -> Option<(Token, u32)> {
        let Window { bits, .. } = self;
        if bits & SHORT_TEXT.0 == SHORT_TEXT.1 {
            let (text, used) = self.short_index(6);
            return (!ALIGNED || text <= LARGE).then_some((Token::text(text), used + 1));
        }
        if bits & SHORT_LEAF.0 == SHORT_LEAF.1 {
            let (text, used) = self.short_index(15);
            let is_whole = bits << used >> 63 != 0 && (!ALIGNED || text <= LARGE);
            return is_whole.then_some((Token::leaf(short_name(bits), text), used + 1));
        }
        None
    }

    /// The same with longer indexes.
    #[inline(always)]
    fn long(self) -> Option<(Token, u32)> {
        let (token, used) = match self.bits >> 58 {
            // Characters by index, and whether they are white space.
            0b011_010 | 0b011_011 => {
                let (text, used) = self.index::<true>(5)?;
                (Token::text(text), used + 1)
            }
            // An element without optional fields.
            0 if self.bits << 6 >> 63 != 0 => {
                let (name, used) = self.index::<false>(7)?;
                if self.bits << used >> 62 != 0b01 {
                    return None;
                }
                let (text, used) = self.index::<true>(used + 2)?;
                if used >= WINDOW || self.bits << used >> 63 == 0 {
                    return None;
                }
                (Token::leaf(name, text), used + 1)
            }
            _ => return None,
        };
        (used <= WINDOW).then_some((token, used))
    }

    /// The name, the optional fields and the content of an element whose name is an index, and the position after them.
    #[inline(always)]
    fn element(self) -> Option<(u32, u8, Element, u32)> {
        if (self.bits & !FIELDS) >> 57 != 1 {
            return None;
        }
        let fields = (self.bits >> 53) as u8 & 0xE0;
        let (name, used) = self.index::<false>(7)?;
        let rest = self.bits << used;
        let (element, used) = if rest >> 63 != 0 {
            let (count, used) = self.count(used + 1)?;
            (Element::Open(count), used)
        } else if rest >> 62 == 1 {
            let (text, used) = self.index::<true>(used + 2)?;
            (Element::Leaf(text), used)
        } else {
            return None;
        };
        (used <= WINDOW).then_some((name, fields, element, used))
    }

    /// An attribute with name and value by index, and the position after it.
    #[inline(always)]
    fn attribute(self) -> Option<(Attribute, u32)> {
        // No optional field; the name by index.
        if self.bits >> 60 != 1 {
            return None;
        }
        let (name, used) = self.index::<false>(4)?;
        if self.bits << used >> 63 == 0 {
            return None;
        }
        let (value, used) = self.index::<true>(used + 1)?;
        (used <= WINDOW).then_some((Attribute { name, value }, used))
    }
}

/// Reads what follows the content of an element, and appends its attributes. On `None`, nothing is appended.
#[inline(always)]
fn end<const ALIGNED: bool>(
    message: &[u8],
    mut at: u64,
    fields: u8,
    attributes: &mut Vec<Attribute>,
) -> Option<(Lists, u64)> {
    let mut list = Lists { first: attributes.len() as u32, ..Lists::default() };
    if fields & ATTRIBUTES != 0 {
        list.attributes = few::<ALIGNED>(message, &mut at, attributes)?;
    }
    if fields & NAMESPACE_ATTRIBUTES != 0 {
        match few::<ALIGNED>(message, &mut at, attributes) {
            Some(count) => list.namespaces = count,
            None => {
                attributes.truncate(list.first as usize);
                return None;
            }
        }
    }
    // The namespaces in scope are those of the parent element; there is no base URI.
    if window(message, at)? >> 63 != 0 && fields & !(ATTRIBUTES | NAMESPACE_ATTRIBUTES) == 0 {
        return Some((list, at + 1));
    }
    attributes.truncate(list.first as usize);
    None
}

/// Reads one to four attributes; returns their number.
#[inline(always)]
fn few<const ALIGNED: bool>(message: &[u8], at: &mut u64, attributes: &mut Vec<Attribute>) -> Option<u32> {
    let bits = window(message, *at)?;
    if bits >> 63 != 0 {
        return None;
    }
    let count = (bits >> 61) as u32 + 1;
    *at += 3;
    for done in 0..count {
        let read = window(message, *at).and_then(|bits| Window::<ALIGNED> { at: *at, bits }.attribute());
        let Some((attribute, used)) = read else {
            attributes.truncate(attributes.len() - done as usize);
            return None;
        };
        attributes.push(attribute);
        *at += u64::from(used);
    }
    Some(count)
}

/// Why reading the children of an element stopped.
enum Stop {
    /// There are no more.
    Over,
    /// An element with children begins: its name, its optional fields, and the number of children.
    Open(u32, u8, u32),
    /// The fast path does not apply to the next item.
    Elsewhere,
}

/// Reads elements as long as the fast path applies.
pub(crate) fn run<'m, const ALIGNED: bool>(r: &mut Per<'m, ALIGNED>, state: &mut State<Per<'m, ALIGNED>>) {
    let Per { message, mut at } = *r;
    let State { open, depth, tokens, most, found, all_lists } = state;
    loop {
        let nested = open.len();
        let Some(level) = open.last_mut().filter(|_| nested < *depth) else { break };
        let mut after_text = tokens.last().is_some_and(|last| last.kind() == Kind::Text);
        let (mut left, mut elements) = (level.children.left, 0);
        let stop = loop {
            if left == 0 {
                break Stop::Over;
            }
            if tokens.len() + 2 > *most {
                break Stop::Elsewhere;
            }
            let Some(bits) = window(message, at) else { break Stop::Elsewhere };
            // Two at a time if they fit in a window.
            if !ALIGNED && left > 1 {
                if bits & TEXT_AND_LEAF.0 == TEXT_AND_LEAF.1 && !after_text {
                    tokens.extend([short_text(bits), short_leaf(bits << TEXT_BITS)]);
                    at += u64::from(TEXT_BITS + LEAF_BITS);
                    elements += 1;
                    left -= 2;
                    continue;
                }
                if bits & TWO_LEAVES.0 == TWO_LEAVES.1 {
                    tokens.extend([short_leaf(bits), short_leaf(bits << LEAF_BITS)]);
                    at += u64::from(2 * LEAF_BITS);
                    elements += 2;
                    left -= 2;
                    after_text = false;
                    continue;
                }
            }
            let window = Window::<ALIGNED> { at, bits };
            if let Some((token, used)) = window.short().or_else(|| window.long()) {
                let is_text = token.kind() == Kind::Text;
                if is_text && after_text {
                    break Stop::Elsewhere;
                }
                tokens.push(token);
                elements += u32::from(!is_text);
                after_text = is_text;
                at += u64::from(used);
                left -= 1;
                continue;
            }
            let Some((name, fields, element, used)) = window.element() else { break Stop::Elsewhere };
            let after = at + u64::from(used);
            match element {
                Element::Open(count) => {
                    at = after;
                    break Stop::Open(name, fields, count);
                }
                Element::Leaf(text) => {
                    let end = end::<ALIGNED>(message, after, fields, &mut found.attributes);
                    let Some((list, after)) = end else { break Stop::Elsewhere };
                    tokens.push(Token::new(Kind::Leaf, true, name, text));
                    found.lists.push(list);
                    at = after;
                }
            }
            elements += 1;
            left -= 1;
            after_text = false;
        };
        level.children.left = left;
        level.elements += elements;
        match stop {
            Stop::Over if level.children.more => break,
            Stop::Over => {
                let end = end::<ALIGNED>(message, at, level.fields, &mut found.attributes);
                let Some((list, after)) = end else { break };
                if level.list != NO_LIST
                    && let Some(place) = found.lists.get_mut(level.list as usize)
                {
                    *place = list;
                }
                at = after;
                tokens.push(Token::new(Kind::Close, false, 0, 0));
                open.pop();
            }
            Stop::Open(name, fields, left) => {
                level.children.left -= 1;
                level.elements += 1;
                let has_list = fields != 0 || *all_lists;
                let mut list = NO_LIST;
                if has_list {
                    list = found.lists.len() as u32;
                    found.lists.push(Lists::default());
                }
                tokens.push(Token::new(Kind::Open, has_list, name, 0));
                open.push(Level { children: List { left, more: false }, fields, list, elements: 0 });
            }
            Stop::Elsewhere => break,
        }
    }
    r.at = at;
}
