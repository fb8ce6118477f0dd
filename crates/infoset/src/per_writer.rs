//! The second half of writing, with the Packed Encoding Rules (X.691).

use asn1::per::{BitWriter, Length, signed_octets, write_length, write_octets};

use crate::collect::{Collected, Declaration, Fields, Identifier, Token};
use crate::order::{Part, Tables};
use crate::properties::Numbers;
use crate::rules::{LARGE, SMALL};

/// Writes the message.
pub(crate) fn write<const ALIGNED: bool>(
    collected: &Collected<'_>,
    tables: &Tables,
    blocks: &[(String, Vec<u8>)],
    out: &mut Vec<u8>,
) {
    let mut writer = Writer::<ALIGNED> { bits: BitWriter::new(out) };
    let Numbers { base_uri, encoding, standalone, version, all_declarations_processed } = collected.properties;
    for is_there in [base_uri.is_some(), standalone.is_some(), version.is_some()] {
        writer.bits.bit(is_there);
    }
    writer.children(collected, tables);
    let declaration = &collected.declaration;
    writer.length(declaration.notations.len(), |writer, n| {
        if let Some((name, id)) = declaration.notations.get(n) {
            writer.declared(tables, *name, *id, 3);
        }
    });
    writer.length(declaration.entities.len(), |writer, n| {
        if let Some((name, id, notation)) = declaration.entities.get(n) {
            writer.declared(tables, *name, *id, 4);
            writer.index(tables.string(*notation));
        }
    });
    if let Some(base_uri) = base_uri {
        writer.index(tables.string(base_uri));
    }
    writer.index(tables.string(encoding));
    if let Some(standalone) = standalone {
        writer.bits.bit(standalone);
    }
    if let Some(version) = version {
        writer.index(tables.string(version));
    }
    writer.bits.bit(all_declarations_processed);
    writer.length(blocks.len(), |writer, n| {
        if let Some((algorithm, octets)) = blocks.get(n) {
            write_octets::<ALIGNED>(algorithm.as_bytes(), &mut writer.bits);
            write_octets::<ALIGNED>(octets, &mut writer.bits);
        }
    });
    writer.length(tables.common_names.len(), |writer, n| {
        let Some(name) = tables.common_names.get(n) else { return };
        writer.bits.bit(name.namespace != Part::None);
        writer.bits.bit(name.prefix != Part::None);
        writer.part(name.namespace);
        writer.index(name.local);
        writer.part(name.prefix);
    });
    writer.bits.finish();
}

struct Writer<'o, const ALIGNED: bool> {
    bits: BitWriter<'o>,
}

impl<const ALIGNED: bool> Writer<'_, ALIGNED> {
    /// Writes `count` items, in fragments if there are many (clause 11.9).
    fn length(&mut self, count: usize, mut item: impl FnMut(&mut Self, usize)) {
        let mut done = 0;
        loop {
            let Length { count: piece, more } = write_length::<ALIGNED>((count - done) as u64, &mut self.bits);
            let end = done + piece as usize;
            while done < end {
                item(self, done);
                done += 1;
            }
            if !more {
                return;
            }
        }
    }

    /// Writes an index beyond the short ones: its extension bit, and a number in two's complement.
    #[inline(never)]
    fn long_index(&mut self, index: u32) {
        self.bits.bit(true);
        let octets = signed_octets(index.into());
        write_length::<ALIGNED>(octets.into(), &mut self.bits);
        self.bits.write(index.into(), 8 * octets);
    }

    /// Writes a string by its index.
    #[inline(always)]
    fn index(&mut self, index: u32) {
        if index > LARGE {
            self.bits.bit(true);
            self.long_index(index);
        } else if ALIGNED {
            self.bits.write(0b10, 2);
            self.bits.align();
            self.bits.write(index.into(), 16);
        } else {
            self.bits.write(0b10 << 11 | u64::from(index), 13);
        }
    }

    /// Writes a name by its index.
    #[inline(always)]
    fn name(&mut self, index: u32) {
        if index > SMALL {
            self.bits.bit(true);
            self.long_index(index);
        } else {
            self.bits.write(0b10 << 4 | u64::from(index), 6);
        }
    }

    /// Writes namespace name or prefix of a common name, or an identifier of an entity.
    fn part(&mut self, part: Part) {
        match part {
            Part::None => {}
            Part::Null => self.bits.bit(true),
            Part::Index(index) => {
                self.bits.bit(false);
                self.index(index);
            }
        }
    }

    /// Writes alternative, optional fields and name of an element, and the alternative of its content.
    #[inline(always)]
    fn element(&mut self, depth: usize, fields: Fields, name: u32, has_children: bool) {
        let fields = u64::from(fields.attributes) << 2 | u64::from(fields.namespace_attributes) << 1;
        // The root element is one of four alternatives, other elements one of five.
        let width = if depth == 0 { 5 } else { 6 };
        if name > SMALL {
            self.bits.write(fields, width);
            self.name(name);
            self.bits.bit(has_children);
        } else {
            let head = fields << 7 | 0b10 << 5 | u64::from(name) << 1 | u64::from(has_children);
            self.bits.write(head, width + 7);
        }
    }

    /// Writes a string by its index, then one bit.
    #[inline(always)]
    fn index_and_bit(&mut self, index: u32, bit: bool) {
        if ALIGNED || index > LARGE {
            self.index(index);
            self.bits.bit(bit);
        } else {
            self.bits.write(0b10 << 12 | u64::from(index) << 1 | u64::from(bit), 14);
        }
    }

    /// Writes the children of the document and everything in them.
    fn children(&mut self, collected: &Collected<'_>, tables: &Tables) {
        let mut open = Vec::new();
        let mut level = Fragments::begin(collected.outermost, self);
        let mut tokens = collected.tokens.iter();
        while let Some(token) = tokens.next() {
            match *token {
                Token::Leaf { name, text, fields } => {
                    level.child(self);
                    self.element(open.len(), fields, tables.name(name), false);
                    if fields == Fields::default() {
                        // The namespaces in scope are those of the parent element; there is no base URI.
                        self.index_and_bit(tables.string(text), true);
                    } else {
                        self.index(tables.string(text));
                    }
                }
                Token::Text { text, white } => {
                    level.child(self);
                    self.bits.write(0b0110, 4);
                    self.index_and_bit(tables.string(text), white);
                }
                Token::Open { name, children, fields } => {
                    level.child(self);
                    self.element(open.len(), fields, tables.name(name), true);
                    let inner = if children <= 3 {
                        self.bits.write(children.into(), 3);
                        Fragments { left: children, rest: None }
                    } else {
                        self.bits.bit(true);
                        Fragments::begin(children, self)
                    };
                    open.push(core::mem::replace(&mut level, inner));
                }
                Token::Close { fields } => {
                    level.end(self);
                    level = open.pop().unwrap_or(level);
                    if fields == Fields::default() {
                        self.bits.bit(true);
                    }
                }
                Token::Attributes { count, is_last } | Token::NamespaceAttributes { count, is_last } => {
                    self.attributes(count, &mut tokens, tables);
                    if is_last {
                        self.bits.bit(true);
                    }
                }
                // These were written with their number.
                Token::Attribute { .. } => {}
                Token::Comment { text } => {
                    level.child(self);
                    if open.is_empty() {
                        self.bits.write(0b10, 2)
                    } else {
                        self.bits.write(0b100, 3)
                    }
                    self.index(tables.string(text));
                }
                Token::Instruction { target, content } => {
                    level.child(self);
                    self.bits.write(1, if open.is_empty() { 2 } else { 3 });
                    self.instruction(tables.string(target), tables.string(content));
                }
                Token::EntityReference { entity } => {
                    let Some((name, id)) = collected.declaration.referred.get(entity as usize) else { continue };
                    level.child(self);
                    self.bits.write(0b010, 3);
                    let parts = tables.entity(*id, collected.properties.base_uri);
                    parts.iter().for_each(|part| self.bits.bit(*part != Part::None));
                    self.index(tables.string(*name));
                    parts.into_iter().for_each(|part| self.part(part));
                }
                Token::Doctype => {
                    level.child(self);
                    self.bits.write(0b11, 2);
                    self.doctype(&collected.declaration, tables);
                }
            }
        }
        level.end(self);
    }

    fn instruction(&mut self, target: u32, content: u32) {
        // There is no notation; the base URI is that of the parent.
        self.bits.bit(false);
        self.index(target);
        self.index(content);
        self.bits.bit(true);
    }

    fn doctype(&mut self, declaration: &Declaration, tables: &Tables) {
        self.bits.bit(declaration.id.system.is_some());
        self.bits.bit(declaration.id.public.is_some());
        self.identifier(tables, declaration.id);
        self.length(declaration.instructions.len(), |writer, n| {
            if let Some((target, content)) = declaration.instructions.get(n) {
                writer.instruction(tables.string(*target), tables.string(*content));
            }
        });
    }

    fn identifier(&mut self, tables: &Tables, id: Identifier) {
        for string in [id.system, id.public].into_iter().flatten() {
            self.index(tables.string(string));
        }
    }

    /// Writes a notation or unparsed entity with `optional` optional fields, which begin with the identifiers.
    fn declared(&mut self, tables: &Tables, name: u32, id: Identifier, optional: u32) {
        let fields = u64::from(id.system.is_some()) << 1 | u64::from(id.public.is_some());
        self.bits.write(fields << (optional - 2), optional);
        self.index(tables.string(name));
        self.identifier(tables, id);
    }

    /// Writes `count` attributes.
    #[inline(always)]
    fn attributes<'t>(&mut self, count: u32, tokens: &mut impl Iterator<Item = &'t Token>, tables: &Tables) {
        if count <= 4 {
            self.bits.write(u64::from(count) - 1, 3);
            for _ in 0..count {
                self.attribute(tokens.next(), tables);
            }
            return;
        }
        self.bits.bit(true);
        self.length(count as usize, |writer, _| writer.attribute(tokens.next(), tables));
    }

    #[inline(always)]
    fn attribute(&mut self, token: Option<&Token>, tables: &Tables) {
        if let Some(Token::Attribute { name, value }) = token {
            self.bits.write(0, 3);
            self.name(tables.name(*name));
            self.index(tables.string(*value));
        }
    }
}

/// The rest of the children of an element.
#[derive(Clone, Copy)]
struct Fragments {
    /// The children left in the current fragment.
    left: u32,
    /// The number of children in further fragments. There is at least one fragment, even if it is empty.
    rest: Option<u32>,
}

impl Fragments {
    /// Writes the length of the first fragment.
    fn begin<const ALIGNED: bool>(count: u32, writer: &mut Writer<'_, ALIGNED>) -> Fragments {
        let mut pieces = Fragments { left: 0, rest: Some(count) };
        pieces.next(writer);
        pieces
    }

    #[cold]
    #[inline(never)]
    fn next<const ALIGNED: bool>(&mut self, writer: &mut Writer<'_, ALIGNED>) {
        if let Some(rest) = self.rest {
            let Length { count, more } = write_length::<ALIGNED>(rest.into(), &mut writer.bits);
            *self = Fragments { left: count as u32, rest: more.then(|| rest - count as u32) };
        }
    }

    /// Accounts for a child about to be written.
    #[inline(always)]
    fn child<const ALIGNED: bool>(&mut self, writer: &mut Writer<'_, ALIGNED>) {
        if self.left == 0 {
            self.next(writer);
        }
        self.left = self.left.wrapping_sub(1);
    }

    /// Ends the children.
    #[inline(always)]
    fn end<const ALIGNED: bool>(&mut self, writer: &mut Writer<'_, ALIGNED>) {
        if self.rest.is_some() {
            self.next(writer);
        }
    }
}
