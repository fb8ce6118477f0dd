//! A document of XML: its elements, their attributes and their content.
//!
//! A view of the vocabulary [`TypeSet::XML`](crate::TypeSet::XML): it finds the root element
//! among comments and instructions, separates attributes from content, and joins text. Only
//! [`Element::text`] allocates.
//!
//! ```
//! use lengthwise_tam::xml::{self, Content};
//! use lengthwise_tam::{Builder, Limits, Table, TypeSet};
//!
//! # fn main() -> Result<(), lengthwise_tam::Error> {
//! let mut table = Table::new();
//! let mut order = Builder::new(b"", TypeSet::XML, Limits::default(), &mut table);
//! order.open(b'<', b"order")?;
//! order.open(b'=', b"")?;
//! order.primitive(b'[', b"id", b"17")?;
//! order.close()?;
//! order.open(b'<', b"colour")?;
//! order.primitive(b'[', b"", b"green")?;
//! order.close()?;
//! order.close()?;
//! order.finish()?;
//!
//! let document = table.document(b"", TypeSet::XML);
//! let order = xml::root(&document).unwrap();
//! assert!(order.name() == *"order");
//! assert_eq!(order.attribute("id"), Some("17"));
//! let colour = order.element("colour").unwrap();
//! assert!(matches!(colour.content().next(), Some(Content::Text("green"))));
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "alloc")]
mod declarations;

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String};
use core::{fmt, iter::FusedIterator, str};

use crate::{Children, Document, Error, ErrorKind, Name, Node, Vocabulary, Words};

#[cfg(feature = "alloc")]
pub use declarations::{Declarations, copy, copy_alone};

/// The root element of a document of the XML vocabulary.
///
/// It is the outermost unit, or the first element in the list around a document that has comments,
/// instructions or a DOCTYPE outside of it.
#[must_use]
pub fn root<'d>(document: &'d Document<'d>) -> Option<Element<'d>> {
    around(document).find_map(Element::new)
}

/// The root element and its siblings: comments, instructions, the DOCTYPE.
pub fn around<'d>(document: &'d Document<'d>) -> impl Iterator<Item = Node<'d>> + Clone {
    let outermost = document.roots();
    match outermost.clone().next() {
        Some(list) if list.kind() == b'=' && list.name().is_none() => list.children(),
        _ => outermost,
    }
}

/// What errors call a unit of the XML vocabulary, by its type.
///
/// ```
/// assert_eq!(lengthwise_tam::xml::unit(b'+').to_string(), "a comment");
/// ```
#[must_use]
pub fn unit(kind: u8) -> Words {
    match kind {
        b'<' => "an element".into(),
        b'=' => "an attribute list".into(),
        b'@' => "an array".into(),
        b'[' => "text".into(),
        b']' => "CDATA".into(),
        b'+' => "a comment".into(),
        b'?' => "an instruction".into(),
        b'!' => "a DOCTYPE".into(),
        b'&' => "a reference to an entity".into(),
        kind => Words::Byte(kind),
    }
}

/// Refuses a document with references to entities whose text is not known ([`TypeSet::XML_REFERENCES`](crate::TypeSet::XML_REFERENCES)),
/// for the writer of a format that cannot hold them.
///
/// ```
/// use lengthwise_tam::{Builder, Limits, Table, TypeSet, xml};
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let mut table = Table::new();
/// let mut book = Builder::new(b"", TypeSet::XML_REFERENCES, Limits::default(), &mut table);
/// book.open(b'<', b"book")?;
/// book.primitive(b'&', b"", b"one")?;
/// book.close()?;
/// book.finish()?;
/// let error = xml::refuse_references(&table.document(b"", TypeSet::XML_REFERENCES), "tsf").unwrap_err();
/// assert_eq!(error.found().to_string(), "a reference to the entity 'one'");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::Unsupported`] with the name of the entity, and with the path where there is `alloc`.
pub fn refuse_references(document: &Document<'_>, format: &'static str) -> Result<(), Error> {
    let types = document.types();
    if types.vocabulary() == Vocabulary::Xml && types.is_type(b'&') { refuse_found(document, format) } else { Ok(()) }
}

#[cold]
fn refuse_found(document: &Document<'_>, format: &'static str) -> Result<(), Error> {
    let expected = "a document without, since only XML and infosets hold them";
    #[cfg(feature = "alloc")]
    let found = document.walk().find_map(|step| match step {
        crate::Step::Primitive(node) if node.kind() == b'&' => {
            let found = alloc::format!("a reference to the entity '{}'", String::from_utf8_lossy(node.value()));
            Some(Error::new(ErrorKind::Unsupported, format, 0, found, expected).in_path(node.path()))
        }
        _ => None,
    });
    #[cfg(not(feature = "alloc"))]
    let found = document
        .rows()
        .iter()
        .any(|row| row.kind() == b'&')
        .then(|| Error::new(ErrorKind::Unsupported, format, 0, unit(b'&'), expected));
    found.map_or(Ok(()), Err)
}

/// An element.
#[derive(Clone, Copy)]
pub struct Element<'d> {
    node: Node<'d>,
}

impl<'d> Element<'d> {
    /// The element that a unit is; `None` if it is something else, or of another vocabulary.
    #[must_use]
    pub fn new(node: Node<'d>) -> Option<Element<'d>> {
        let xml = node.document().types().vocabulary() == Vocabulary::Xml;
        (xml && node.kind() == b'<').then_some(Element { node })
    }

    /// The unit.
    #[must_use]
    pub fn node(self) -> Node<'d> {
        self.node
    }

    /// The name, as it is written: a prefix is part of it.
    #[must_use]
    pub fn name(self) -> Name<'d> {
        self.node.name()
    }

    /// The attribute list, if there is one, and the content after it.
    fn parts(self) -> (Option<Node<'d>>, Children<'d>) {
        let mut content = self.node.children();
        let list = content.clone().next().filter(|first| first.kind() == b'=');
        if list.is_some() {
            content.next();
        }
        (list, content)
    }

    /// The attributes, in document order.
    #[must_use]
    pub fn attributes(self) -> Attributes<'d> {
        let list = self.parts().0;
        Attributes(list.map_or_else(|| Children::none(self.node.document()), |list| list.children()))
    }

    /// The value of the attribute of a name, if there is one and it is UTF-8. XML text is; of a
    /// message made by hand, [`Element::attributes`] also shows other values.
    #[must_use]
    pub fn attribute(self, name: &str) -> Option<&'d str> {
        self.attributes().find(|attribute| attribute.name() == *name)?.text().ok()
    }

    /// Elements, text and all else in the element, in document order.
    #[must_use]
    pub fn content(self) -> Contents<'d> {
        Contents(self.parts().1)
    }

    /// The elements directly in this one, in document order.
    pub fn elements(self) -> impl DoubleEndedIterator<Item = Element<'d>> + Clone {
        self.parts().1.filter_map(Element::new)
    }

    /// The first element of a name directly in this one.
    #[must_use]
    pub fn element(self, name: &str) -> Option<Element<'d>> {
        self.elements().find(|element| element.name() == *name)
    }

    /// The pieces of text and CDATA directly in the element, in document order; those that are not
    /// UTF-8 are left out, and so are references to entities whose text is not known.
    pub fn pieces(self) -> impl Iterator<Item = &'d str> + Clone {
        self.content().filter_map(|content| match content {
            Content::Text(text) | Content::CData(text) => Some(text),
            _ => None,
        })
    }

    /// The text and CDATA directly in the element, joined; a copy only where there are several
    /// pieces.
    ///
    /// ```
    /// # use lengthwise_tam::{xml, Builder, Limits, Table, TypeSet};
    /// # fn main() -> Result<(), lengthwise_tam::Error> {
    /// # let mut table = Table::new();
    /// # let mut build = Builder::new(b"", TypeSet::XML, Limits::default(), &mut table);
    /// # build.open(b'<', b"a")?;
    /// # build.primitive(b'[', b"", b"5 ")?;
    /// # build.primitive(b']', b"", b"< 6")?;
    /// # build.close()?;
    /// # build.finish()?;
    /// # let document = table.document(b"", TypeSet::XML);
    /// // <a>5 <![CDATA[< 6]]></a>
    /// assert_eq!(xml::root(&document).unwrap().text(), "5 < 6");
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn text(self) -> Cow<'d, str> {
        let mut pieces = self.pieces();
        let first = pieces.next().unwrap_or("");
        match pieces.next() {
            None => Cow::Borrowed(first),
            Some(second) => {
                let mut joined = String::from(first);
                joined.push_str(second);
                joined.extend(pieces);
                Cow::Owned(joined)
            }
        }
    }
}

impl fmt::Debug for Element<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}", self.name())?;
        for attribute in self.attributes() {
            write!(f, " {}={:?}", attribute.name(), attribute.text())?;
        }
        f.write_str(">")
    }
}

/// The attributes of an element, in document order, as units: each has a name and text.
#[derive(Clone, Debug)]
pub struct Attributes<'d>(Children<'d>);

impl<'d> Iterator for Attributes<'d> {
    type Item = Node<'d>;

    fn next(&mut self) -> Option<Node<'d>> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Attributes<'_> {}
impl FusedIterator for Attributes<'_> {}

/// A thing that content is made of.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Content<'d> {
    /// An element.
    Element(Element<'d>),
    /// Text, references resolved.
    Text(&'d str),
    /// The text of a CDATA section.
    CData(&'d str),
    /// The text of a comment.
    Comment(&'d str),
    /// A processing instruction.
    Instruction {
        /// The target.
        target: &'d str,
        /// The data, empty where there is none.
        data: &'d str,
    },
    /// A DOCTYPE: the text between `<!DOCTYPE ` and its `>`.
    Doctype(&'d str),
    /// A reference to an entity whose text is not known: the name of the entity.
    EntityReference(&'d str),
    /// A unit that is none of these: its data is not UTF-8, or a message made by hand has it where
    /// XML cannot.
    Invalid(Node<'d>),
}

impl<'d> Content<'d> {
    /// What a unit of the XML vocabulary is.
    #[must_use]
    pub fn new(node: Node<'d>) -> Content<'d> {
        if let Some(element) = Element::new(node) {
            return Content::Element(element);
        }
        let xml = node.document().types().vocabulary() == Vocabulary::Xml;
        match (node.kind(), node.text()) {
            (b'[', Ok(text)) if xml => Content::Text(text),
            (b']', Ok(text)) if xml => Content::CData(text),
            (b'+', Ok(text)) if xml => Content::Comment(text),
            (b'!', Ok(text)) if xml => Content::Doctype(text),
            (b'&', Ok(text)) if xml => Content::EntityReference(text),
            (b'?', Ok(text)) if xml => {
                let (target, data) = text.split_once(' ').unwrap_or((text, ""));
                Content::Instruction { target, data }
            }
            _ => Content::Invalid(node),
        }
    }
}

/// The content of an element, in document order.
#[derive(Clone, Debug)]
pub struct Contents<'d>(Children<'d>);

impl<'d> Iterator for Contents<'d> {
    type Item = Content<'d>;

    fn next(&mut self) -> Option<Content<'d>> {
        self.0.next().map(Content::new)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    fn nth(&mut self, n: usize) -> Option<Content<'d>> {
        self.0.nth(n).map(Content::new)
    }
}

impl<'d> DoubleEndedIterator for Contents<'d> {
    fn next_back(&mut self) -> Option<Content<'d>> {
        self.0.next_back().map(Content::new)
    }
}

impl ExactSizeIterator for Contents<'_> {}
impl FusedIterator for Contents<'_> {}

#[cfg(test)]
#[cfg(feature = "alloc")]
mod tests {
    use super::*;
    use crate::{Builder, Limits, Table, TypeSet};

    fn built(build: impl FnOnce(&mut Builder<'_, '_, '_>) -> Result<(), crate::Error>) -> Table<'static> {
        let mut table = Table::new();
        let mut builder = Builder::new(b"", TypeSet::XML, Limits::default(), &mut table);
        build(&mut builder).unwrap();
        builder.finish().unwrap();
        table
    }

    #[test]
    fn the_root_is_found_among_its_siblings() {
        let table = built(|builder| {
            builder.open(b'=', b"")?;
            builder.primitive(b'+', b"", b"c")?;
            builder.primitive(b'!', b"", b"a")?;
            builder.open(b'<', b"a")?;
            builder.close()?;
            builder.primitive(b'?', b"", b"t d e")?;
            builder.close()
        });
        let document = table.document(b"", TypeSet::XML);
        let around: alloc::vec::Vec<_> = around(&document).map(Content::new).collect();
        assert!(matches!(
            around[..],
            [
                Content::Comment("c"),
                Content::Doctype("a"),
                Content::Element(_),
                Content::Instruction { target: "t", data: "d e" }
            ]
        ));
        assert!(root(&document).unwrap().name() == *"a");
    }

    #[test]
    fn attributes_are_no_content() {
        let table = built(|builder| {
            builder.open(b'<', b"a")?;
            builder.open(b'=', b"")?;
            builder.primitive(b'[', b"k", b"v")?;
            builder.primitive(b'[', b"l", b"\xFF")?;
            builder.close()?;
            builder.primitive(b'[', b"", b"x")?;
            builder.open(b'<', b"b")?;
            builder.close()?;
            builder.primitive(b']', b"", b"y")?;
            builder.primitive(b'[', b"", b"\xFF")?;
            builder.primitive(b'?', b"", b"t")?;
            builder.close()
        });
        let document = table.document(b"", TypeSet::XML);
        let a = root(&document).unwrap();
        assert_eq!((a.attributes().len(), a.attribute("k"), a.attribute("l")), (2, Some("v"), None));
        assert_eq!((a.content().len(), a.elements().count()), (5, 1));
        assert_eq!(a.text(), "xy");
        assert!(matches!(a.content().nth(3), Some(Content::Invalid(_))));
        assert!(matches!(a.content().next_back(), Some(Content::Instruction { target: "t", data: "" })));
        assert!(a.element("b").unwrap().content().next().is_none() && a.element("c").is_none());
    }

    #[test]
    fn a_reference_to_an_entity_is_content_and_can_be_refused() {
        for (types, reference) in [(TypeSet::XML, None), (TypeSet::XML_REFERENCES, Some("chapter"))] {
            let mut table = Table::new();
            let mut builder = Builder::new(b"", types, Limits::default(), &mut table);
            builder.open(b'<', b"a").unwrap();
            builder.open(b'<', b"b").unwrap();
            assert_eq!(builder.primitive(b'&', b"", b"chapter").is_ok(), reference.is_some());
            builder.close().unwrap();
            builder.close().unwrap();
            builder.finish().unwrap();
            let document = table.document(b"", types);
            let content = root(&document).unwrap().element("b").unwrap().content().next();
            assert_eq!(matches!(content, Some(Content::EntityReference("chapter"))), reference.is_some());
            let error =
                refuse_references(&document, "tsf").err().map(|error| alloc::string::ToString::to_string(&error));
            let expected = "unsupported at byte 0 in /a/b/0: found a reference to the entity 'chapter', expected a document \
                            without, since only XML and infosets hold them";
            assert_eq!(error.as_deref(), reference.map(|_| expected));
        }
    }

    #[test]
    fn another_vocabulary_has_no_elements() {
        let mut table = Table::new();
        let types = TypeSet::new(b"<", b"[").unwrap();
        let mut builder = Builder::new(b"", &types, Limits::default(), &mut table);
        builder.open(b'<', b"a").unwrap();
        builder.close().unwrap();
        builder.finish().unwrap();
        let document = table.document(b"", &types);
        assert!(root(&document).is_none());
    }
}
