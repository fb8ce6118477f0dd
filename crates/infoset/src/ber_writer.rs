//! The second half of writing, under the Basic Encoding Rules (X.690). Lengths are definite and as short as possible,
//! as in DER.
//!
//! A length precedes its contents, so the message is written from its end.

use asn1::per::signed_octets;

use crate::collect::{Collected, Declaration, Fields, Identifier, Token};
use crate::order::{Part, Tables};
use crate::properties::Numbers;

/// Identifier octets of a SEQUENCE, and of primitive and constructed fields and alternatives.
const SEQUENCE: u8 = 0x30;
const PRIMITIVE: u8 = 0x80;
const CONSTRUCTED: u8 = 0xA0;

/// Writes the message.
pub(crate) fn write(collected: &Collected<'_>, tables: &Tables, blocks: &[(String, Vec<u8>)], out: &mut Vec<u8>) {
    let mut writer = Writer { reversed: Vec::new() };
    let declaration = &collected.declaration;
    let Numbers { base_uri, encoding, standalone, version, all_declarations_processed } = collected.properties;
    writer.inside(SEQUENCE, |w| {
        w.inside(CONSTRUCTED | 9, |w| {
            for name in tables.common_names.iter().rev() {
                w.inside(SEQUENCE, |w| {
                    w.part(2, name.prefix);
                    w.text(1, name.local);
                    w.part(0, name.namespace);
                });
            }
        });
        w.inside(CONSTRUCTED | 8, |w| {
            for (algorithm, octets) in blocks.iter().rev() {
                w.inside(SEQUENCE, |w| {
                    w.inside(PRIMITIVE | 1, |w| w.octets(octets));
                    w.inside(PRIMITIVE, |w| w.octets(algorithm.as_bytes()));
                });
            }
        });
        w.boolean(7, all_declarations_processed);
        if let Some(version) = version {
            w.text(6, tables.string(version));
        }
        if let Some(standalone) = standalone {
            w.boolean(5, standalone);
        }
        w.text(4, tables.string(encoding));
        if let Some(base_uri) = base_uri {
            w.text(3, tables.string(base_uri));
        }
        w.inside(CONSTRUCTED | 2, |w| {
            for (name, id, notation) in declaration.entities.iter().rev() {
                w.inside(SEQUENCE, |w| {
                    w.text(4, tables.string(*notation));
                    w.declared(tables, *name, *id);
                });
            }
        });
        w.inside(CONSTRUCTED | 1, |w| {
            for (name, id) in declaration.notations.iter().rev() {
                w.inside(SEQUENCE, |w| w.declared(tables, *name, *id));
            }
        });
        w.inside(CONSTRUCTED, |w| w.children(collected, tables));
    });
    out.extend(writer.reversed.iter().rev());
}

struct Writer {
    /// The message in reverse.
    reversed: Vec<u8>,
}

impl Writer {
    /// Writes identifier and length before the contents written since `end`.
    #[inline]
    fn head(&mut self, identifier: u8, end: usize) {
        let length = self.reversed.len() - end;
        if length < 0x80 {
            self.reversed.extend([length as u8, identifier]);
            return;
        }
        let octets = (usize::BITS - length.leading_zeros()).div_ceil(8);
        self.reversed.extend(length.to_le_bytes().iter().take(octets as usize));
        self.reversed.extend([0x80 | octets as u8, identifier]);
    }

    /// Writes contents, from their end as well, and their header.
    #[inline]
    fn inside(&mut self, identifier: u8, contents: impl FnOnce(&mut Self)) {
        let end = self.reversed.len();
        contents(self);
        self.head(identifier, end);
    }

    fn octets(&mut self, octets: &[u8]) {
        self.reversed.extend(octets.iter().rev());
    }

    fn boolean(&mut self, field: u8, value: bool) {
        self.reversed.extend([if value { 0xFF } else { 0 }, 1, PRIMITIVE | field]);
    }

    /// Writes an index, the second alternative.
    #[inline]
    fn index(&mut self, index: u32) {
        let octets = signed_octets(index.into());
        self.reversed.extend(i64::from(index).to_le_bytes().iter().take(octets as usize));
        self.reversed.extend([octets as u8, PRIMITIVE | 1]);
    }

    /// Writes a field that is a string by its index.
    #[inline]
    fn text(&mut self, field: u8, index: u32) {
        self.inside(CONSTRUCTED | field, |w| w.index(index));
    }

    /// Writes a field that is NULL, the second alternative.
    #[inline]
    fn null(&mut self, field: u8) {
        self.reversed.extend([0, PRIMITIVE | 1, 2, CONSTRUCTED | field]);
    }

    fn part(&mut self, field: u8, part: Part) {
        match part {
            Part::None => {}
            Part::Null => self.null(field),
            Part::Index(index) => self.inside(CONSTRUCTED | field, |w| w.text(0, index)),
        }
    }

    fn identifier(&mut self, tables: &Tables, id: Identifier, first: u8) {
        if let Some(public) = id.public {
            self.text(first + 1, tables.string(public));
        }
        if let Some(system) = id.system {
            self.text(first, tables.string(system));
        }
    }

    fn declared(&mut self, tables: &Tables, name: u32, id: Identifier) {
        self.identifier(tables, id, 1);
        self.text(0, tables.string(name));
    }

    fn instruction(&mut self, target: u32, content: u32) {
        self.null(2);
        self.text(1, content);
        self.text(0, target);
    }

    fn doctype(&mut self, declaration: &Declaration, tables: &Tables) {
        self.inside(CONSTRUCTED | 2, |w| {
            for (target, content) in declaration.instructions.iter().rev() {
                w.inside(SEQUENCE, |w| w.instruction(tables.string(*target), tables.string(*content)));
            }
        });
        self.identifier(tables, declaration.id, 0);
    }

    /// Writes the children of the document and everything in them.
    fn children(&mut self, collected: &Collected<'_>, tables: &Tables) {
        // For each open element, the end of it and of its children.
        let mut open: Vec<(usize, usize)> = Vec::new();
        // The end of the element whose attributes are being written, and of their list.
        let mut element = None;
        let mut list = None;
        for token in collected.tokens.iter().rev() {
            match *token {
                Token::Attribute { name, value } => {
                    element.get_or_insert_with(|| self.element_end());
                    list.get_or_insert(self.reversed.len());
                    self.inside(SEQUENCE, |w| {
                        w.text(1, tables.string(value));
                        w.text(0, tables.name(name));
                    });
                }
                Token::Attributes { .. } => self.head(CONSTRUCTED | 2, list.take().unwrap_or_default()),
                Token::NamespaceAttributes { .. } => self.head(CONSTRUCTED | 3, list.take().unwrap_or_default()),
                Token::Close { fields } => {
                    let end = self.end(fields, &mut element);
                    open.push((end, self.reversed.len()));
                }
                Token::Open { name, .. } => {
                    let (end, children) = open.pop().unwrap_or_default();
                    self.head(CONSTRUCTED | 1, children);
                    self.head(CONSTRUCTED | 1, children);
                    self.text(0, tables.name(name));
                    self.head(CONSTRUCTED, end);
                }
                Token::Leaf { name, text, fields } => {
                    let end = self.end(fields, &mut element);
                    self.inside(CONSTRUCTED | 1, |w| w.text(0, tables.string(text)));
                    self.text(0, tables.name(name));
                    self.head(CONSTRUCTED, end);
                }
                Token::Text { text, white } => self.inside(CONSTRUCTED | 3, |w| {
                    w.boolean(1, white);
                    w.inside(CONSTRUCTED, |w| w.text(0, tables.string(text)));
                }),
                Token::Comment { text } => {
                    let number = if open.is_empty() { 2 } else { 4 };
                    self.inside(CONSTRUCTED | number, |w| w.text(0, tables.string(text)));
                }
                Token::Instruction { target, content } => self.inside(CONSTRUCTED | 1, |w| {
                    w.instruction(tables.string(target), tables.string(content));
                }),
                Token::EntityReference { entity } => {
                    let Some((name, id)) = collected.declaration.referred.get(entity as usize) else { continue };
                    let [system, public, base_uri] = tables.entity(*id, collected.properties.base_uri);
                    self.inside(CONSTRUCTED | 2, |w| {
                        w.part(3, base_uri);
                        w.part(2, public);
                        w.part(1, system);
                        w.text(0, tables.string(*name));
                    });
                }
                Token::Doctype => {
                    self.inside(CONSTRUCTED | 3, |w| w.doctype(&collected.declaration, tables));
                }
            }
        }
    }

    /// Writes the last field of an element: its namespaces in scope are those of its parent.
    fn element_end(&mut self) -> usize {
        let end = self.reversed.len();
        self.null(4);
        end
    }

    /// The end of the element whose children are next, after writing its attributes, if any.
    fn end(&mut self, fields: Fields, element: &mut Option<usize>) -> usize {
        debug_assert_eq!(element.is_some(), fields != Fields::default());
        element.take().unwrap_or_else(|| self.element_end())
    }
}
