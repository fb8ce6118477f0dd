//! From a document of the XML vocabulary to XML.

use std::borrow::Cow;

use tam::xml::unit;
use tam::{Document, Error, ErrorKind, Node, Vocabulary, Words};
use xml::chars::{self, illegal_char};
use xml::escape::{self, Context};
use xml::name::{is_name, name_and_colon};
use xml::namespaces::Scope;
use xml::reference::character;

use super::dtd::{Dtd, Reading};
use super::encoding::Text;
use super::entity::Expansion;
use super::expect::shown;
use super::export;
use super::{EmptyTags, LineEnds, Options};

/// The XML text of a document, as [`append`] writes it.
///
/// # Errors
/// Those of [`append`].
pub fn write(document: &Document<'_>, options: &Options) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    append(document, options, &mut out)?;
    Ok(out)
}

/// Writes a document as XML 1.0 in UTF-8, without an XML declaration.
///
/// Of the XML vocabulary, what is written reads back as the same document, or it is not written:
/// * `&`, `<`, `>` are written as references, in attribute values `"`, tab and line feed too, and
///   the carriage return where a reference is allowed; an element without content is `<a/>`, or as [`Options::empty_tags`] says;
/// * lines end with a line feed, or as [`Options::line_ends`] says;
/// * a list around the root element alone (TSF `1=1a<0[`, paper section 5.2.2) reads back without the list;
/// * a reference to an entity is written where the DOCTYPE declares the entity as external, or could do so outside the document, and
///   reads back with [`Options::entity_references`];
/// * a CDATA section that holds `]]>` is written as two sections, and reads back as two;
/// * with [`Options::pretty`] white space changes.
///
/// A document of a JSON vocabulary is exported under the conventions that section 3.2.2 of the
/// paper suggests:
/// * An unnamed unit gets the name `eLsN`: L is its level, from 0, and N its place among its
///   siblings, from 1. The items of an array share one name, that of their array's level and
///   place: `e0s1` for the items of an outermost array. With [`Options::numbered_items`] the number of each follows: `e0s1i1`.
/// * A character of a name that no XML name (without a colon) may have at its place is written as
///   `uHHHH`, its four upper-case hexadecimal digits; one above U+FFFF as two of these, the
///   surrogates that JSON would escape it with. So `64th` becomes `u00364th`.
/// * A string is its decoded text, a number or `true`, `false` and `null` are themselves;
///   binary data is base64, a byte its number.
///
/// Such an export is for reading; it does not read back as JSON.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// use lengthwise_text::xml::{self, Options};
///
/// let mut table = lengthwise_tam::Table::new();
/// let document = xml::read(b"<a b='\"'><c></c>&#62;</a>", &Options::default(), &mut table)?;
/// let out = xml::write(&document, &Options::default())?;
/// assert_eq!(out, br#"<a b="&quot;"><c/>&gt;</a>"#);
///
/// let document = lengthwise_text::json::read(br#"{"in kg": [1, 2.50]}"#, &Default::default(), &mut table)?;
/// let out = xml::write(&document, &Options::default())?;
/// assert_eq!(out, b"<e0s1><inu0020kg><e1s1>1</e1s1><e1s1>2.50</e1s1></inu0020kg></e0s1>");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Of kind unsupported, with the path of the unit, when the document holds what XML cannot: names
/// that are none, characters that XML does not allow, text that is not UTF-8, a unit where none of
/// its type may be; unless [`Options::namespaces`] is `false`, names that are not
/// namespace-well-formed, such as one with a prefix that is not declared. `out` is then as it was.
pub fn append(document: &Document<'_>, options: &Options, out: &mut Vec<u8>) -> Result<(), Error> {
    let start = out.len();
    let written = write_after(document, options, out);
    if written.is_err() {
        out.truncate(start);
    } else if options.line_ends != LineEnds::Lf {
        end_lines(out, start, options.line_ends);
    }
    written
}

/// Replaces the line feeds from `start` on. Those of attribute values are references.
fn end_lines(out: &mut Vec<u8>, start: usize, ends: LineEnds) {
    let text = out.split_off(start);
    for (n, line) in text.split(|c| *c == b'\n').enumerate() {
        if n > 0 {
            out.extend_from_slice(ends.as_str().as_bytes());
        }
        out.extend_from_slice(line);
    }
}

fn write_after(document: &Document<'_>, options: &Options, out: &mut Vec<u8>) -> Result<(), Error> {
    match document.types().vocabulary() {
        Vocabulary::Xml => {
            let (dtd, scope) = (Dtd::default(), Scope::default());
            Writer { options, out, dtd, has_doctype: false, scope, attributes: Vec::new() }.document(document)
        }
        Vocabulary::Json | Vocabulary::Value => export::write(document, options, out),
        _ => Err(Error::new(
            ErrorKind::Unsupported,
            "xml",
            0,
            "a document of the user's own types",
            "the XML vocabulary, or one of JSON",
        )),
    }
}

struct Writer<'o, 'a> {
    options: &'o Options,
    out: &'o mut Vec<u8>,
    dtd: Dtd<'a>,
    has_doctype: bool,
    scope: Scope,
    /// Name and value of each attribute of the start tag, where its namespaces have to be checked.
    attributes: Vec<(Cow<'a, [u8]>, &'a [u8])>,
}

/// An element whose content is being written.
struct Open<'d> {
    node: Node<'d>,
    content: tam::Children<'d>,
    /// Whether its content is indented.
    indented: bool,
    /// Whether anything has been written of its content.
    any: bool,
    /// Whether the unit before was text, so that none may follow.
    after_text: bool,
}

impl<'d> Writer<'_, 'd> {
    fn document(&mut self, document: &'d Document<'_>) -> Result<(), Error> {
        let mut roots = document.roots();
        let Some(root) = roots.next() else {
            return Err(Error::new(ErrorKind::Unsupported, "xml", 0, "no unit", "a root element"));
        };
        if let Some(second) = roots.next() {
            return Err(refused(&second, "a second outermost unit", "one root element"));
        }
        if root.kind() != b'=' {
            if root.kind() != b'<' {
                return Err(refused(&root, unit(root.kind()), "a root element"));
            }
            return self.element(root);
        }
        self.around(root)
    }

    /// The list around a document that has more than its root element.
    fn around(&mut self, list: Node<'d>) -> Result<(), Error> {
        if !list.name().is_none() {
            return Err(refused(&list, "a name of the list around the document", "no name"));
        }
        let mut roots = 0;
        for node in list.children() {
            if self.options.pretty && !self.out.is_empty() && self.out.last() != Some(&b'\n') {
                self.out.push(b'\n');
            }
            match node.kind() {
                b'<' if roots > 0 => return Err(refused(&node, "a second root element", "one root element")),
                b'<' => {
                    roots += 1;
                    self.element(node)?;
                }
                b'!' if roots > 0 || self.has_doctype => {
                    return Err(refused(&node, "a DOCTYPE", "one alone, before the root element"));
                }
                b'!' => self.doctype(&node)?,
                b'+' | b'?' => self.leaf(&node)?,
                _ => {
                    let expected = "only elements, comments, instructions and a DOCTYPE outside the root element";
                    return Err(refused(&node, unit(node.kind()), expected));
                }
            }
        }
        if roots == 0 {
            return Err(refused(&list, "no element", "a root element"));
        }
        Ok(())
    }

    /// An element with all that is in it.
    fn element(&mut self, root: Node<'d>) -> Result<(), Error> {
        let mut open = vec![self.start(root, self.options.pretty, 1)?];
        loop {
            let level = open.len();
            let Some(top) = open.last_mut() else {
                return Ok(());
            };
            match top.content.next() {
                None => {
                    self.end(top, level - 1);
                    open.pop();
                    if level <= self.scope.watched() {
                        self.scope.end(level - 1);
                    }
                }
                Some(node) if top.indented && is_white(&node) => {}
                Some(node) => {
                    self.before_content(top, &node, level)?;
                    let indented = top.indented;
                    if node.kind() == b'<' {
                        let inner = self.start(node, indented, level + 1)?;
                        open.push(inner);
                    } else {
                        self.leaf(&node)?;
                    }
                }
            }
        }
    }

    /// What precedes a unit of content: the end of the start tag, and the indentation.
    fn before_content(&mut self, open: &mut Open<'d>, node: &Node<'d>, level: usize) -> Result<(), Error> {
        if !open.any {
            open.any = true;
            self.out.push(b'>');
        }
        let text = node.kind() == b'[';
        if text && open.after_text {
            let expected = "a tag, a comment, an instruction or CDATA between two texts";
            return Err(refused(node, "text directly after text", expected));
        }
        open.after_text = text;
        if open.indented {
            self.line(level);
        }
        Ok(())
    }

    /// A start tag but for its end, which depends on the content. `depth` is that of the element, from 1.
    fn start(&mut self, node: Node<'d>, pretty: bool, depth: usize) -> Result<Open<'d>, Error> {
        let (name, colon) = name(&node)?;
        let mut qualified = false;
        self.out.push(b'<');
        self.out.extend_from_slice(&name);
        let mut content = node.children();
        let mut attributes = None;
        if let Some(list) = content.clone().next().filter(|first| first.kind() == b'=') {
            content.next();
            qualified = self.attributes(&list, depth)?;
            attributes = Some(list);
        }
        if !self.dtd.attributes.is_empty() {
            self.check_declared(&node, &name, attributes)?;
        }
        if (qualified || colon < name.len() && !self.scope.is_bound(&name, 0, colon)) && self.options.namespaces {
            self.check_namespaces(&node, &name, attributes.filter(|_| qualified), depth)?;
        }
        let indented = pretty && !keeps_space(attributes) && is_element_content(&content);
        Ok(Open { node, content, indented, any: false, after_text: false })
    }

    /// An attribute list; whether the namespaces of the attributes have to be checked.
    fn attributes(&mut self, list: &Node<'d>, depth: usize) -> Result<bool, Error> {
        let mut qualified = false;
        self.scope.begin();
        if !list.name().is_none() || list.children().len() == 0 {
            let found = if list.name().is_none() { "an empty attribute list" } else { "a named attribute list" };
            return Err(refused(list, found, "an unnamed list of attributes"));
        }
        for attribute in list.children() {
            if attribute.kind() != b'[' {
                return Err(refused(&attribute, unit(attribute.kind()), "an attribute ('[')"));
            }
            self.out.push(b' ');
            let (name, colon) = name(&attribute)?;
            if colon < name.len() || name.len() == 5 {
                qualified |= self.scope.is_due(depth, &name, (0, colon, name.len()), Some(attribute.value()));
            }
            self.out.extend_from_slice(&name);
            self.out.extend_from_slice(b"=\"");
            push(self.out, &attribute, Context::Attribute)?;
            self.out.push(b'"');
        }
        check_unique(list).map(|()| qualified)
    }

    /// What the DOCTYPE declares would change the element when it is read again, unless the element
    /// is what reading gives.
    fn check_declared(&self, node: &Node<'d>, name: &[u8], attributes: Option<Node<'d>>) -> Result<(), Error> {
        let Some(declared) = self.dtd.attributes.of(name) else {
            return Ok(());
        };
        let mut written = Vec::new();
        for attribute in attributes.into_iter().flat_map(|list| list.children()) {
            if let Some(known) = declared.get(&attribute.name().to_bytes()) {
                let is_tokens = super::attlist::is_tokens(attribute.text().unwrap_or(""));
                if known.tokenized && !is_tokens {
                    return Err(refused(
                        &attribute,
                        "spaces that its declared type drops",
                        "tokens with one space between",
                    ));
                }
                written.push(known.number);
            }
        }
        written.sort_unstable();
        match declared.defaults.iter().find(|default| written.binary_search(&default.number).is_err()) {
            None => Ok(()),
            Some(default) => {
                let name = self.dtd.attributes.text.get(default.name.clone()).unwrap_or("");
                let expected = format!("the attribute '{name}', for which the DOCTYPE has a default");
                Err(refused(node, "an element without it", expected))
            }
        }
    }

    /// What Namespaces in XML 1.0 asks of a start tag, so that it can be read again.
    fn check_namespaces(
        &mut self,
        node: &Node<'d>,
        name: &[u8],
        list: Option<Node<'d>>,
        depth: usize,
    ) -> Result<(), Error> {
        let attributes = list.map(|list| list.children());
        let checked = if attributes.is_some() {
            self.attributes.clear();
            let pair = |attribute: Node<'d>| (attribute.name().to_bytes(), attribute.value());
            self.attributes.extend(attributes.clone().into_iter().flatten().map(pair));
            let pairs = &self.attributes;
            self.scope.start(depth, name, pairs.len(), |n| (&*pairs[n].0, pairs[n].1))
        } else {
            self.scope.element(name)
        };
        checked.map_err(|fault| {
            let attribute = fault.attribute.and_then(|n| attributes.and_then(|mut all| all.nth(n)));
            refused(&attribute.unwrap_or(*node), fault.found, fault.expected)
        })
    }

    fn end(&mut self, open: &Open<'d>, level: usize) {
        if !open.any && self.options.empty_tags == EmptyTags::Single {
            self.out.extend_from_slice(b"/>");
            return;
        }
        if !open.any {
            self.out.push(b'>');
        } else if open.indented {
            self.line(level);
        }
        self.out.extend_from_slice(b"</");
        self.out.extend_from_slice(&open.node.name().to_bytes());
        self.out.push(b'>');
    }

    fn line(&mut self, level: usize) {
        self.out.push(b'\n');
        self.out.resize(self.out.len() + 2 * level.min(crate::INDENTED), b' ');
    }

    /// A unit that is no element, in content or outside the root element.
    fn leaf(&mut self, node: &Node<'d>) -> Result<(), Error> {
        if matches!(node.kind(), b'[' | b']' | b'+' | b'?' | b'&') {
            nameless(node)?;
        }
        match node.kind() {
            b'[' => self.text(node),
            b']' => self.section(node),
            b'+' => self.comment(node),
            b'?' => self.instruction(node),
            b'&' => self.entity_reference(node),
            _ => Err(refused(node, unit(node.kind()), "an element, text, CDATA, a comment or an instruction")),
        }
    }

    fn text(&mut self, node: &Node<'d>) -> Result<(), Error> {
        if node.value().is_empty() {
            return Err(refused(node, "empty text", "text of one character or more, or none at all"));
        }
        push(self.out, node, Context::Content)
    }

    fn section(&mut self, node: &Node<'d>) -> Result<(), Error> {
        let text = verbatim(node)?;
        self.out.extend_from_slice(b"<![CDATA[");
        for (n, piece) in text.split("]]>").enumerate() {
            if n > 0 {
                self.out.extend_from_slice(b"]]]]><![CDATA[>");
            }
            self.out.extend_from_slice(piece.as_bytes());
        }
        self.out.extend_from_slice(b"]]>");
        Ok(())
    }

    fn comment(&mut self, node: &Node<'d>) -> Result<(), Error> {
        let text = verbatim(node)?;
        if text.contains("--") || text.ends_with('-') {
            return Err(refused(node, "'--' in a comment, or '-' at its end", "neither"));
        }
        self.out.extend_from_slice(b"<!--");
        self.out.extend_from_slice(text.as_bytes());
        self.out.extend_from_slice(b"-->");
        Ok(())
    }

    fn instruction(&mut self, node: &Node<'d>) -> Result<(), Error> {
        let text = verbatim(node)?;
        let (target, data) = match text.split_once(' ') {
            Some((target, data)) => (target, Some(data)),
            None => (text, None),
        };
        if !is_name(target) || target.eq_ignore_ascii_case("xml") {
            return Err(refused(node, format!("the target '{target}'"), "a name other than 'xml'"));
        }
        if self.options.namespaces && target.contains(':') {
            return Err(refused(node, format!("the target '{target}'"), "a name without a colon"));
        }
        if data.is_some_and(|data| data.is_empty() || data.starts_with([' ', '\t', '\n'])) {
            return Err(refused(node, "white space before the data of an instruction", "target, one space, data"));
        }
        if text.contains("?>") {
            return Err(refused(node, "'?>' in an instruction", "none"));
        }
        self.out.extend_from_slice(b"<?");
        self.out.extend_from_slice(text.as_bytes());
        self.out.extend_from_slice(b"?>");
        Ok(())
    }

    fn entity_reference(&mut self, node: &Node<'d>) -> Result<(), Error> {
        let name = characters(node)?;
        let is_kept =
            is_name(name) && character(name.as_bytes()).is_none() && self.dtd.entities.is_unknown(name.as_bytes());
        if !is_kept || self.options.namespaces && name.contains(':') {
            let found = format!("a reference to the entity '{}'", name.escape_debug());
            return Err(refused(node, found, "one that the DOCTYPE declares as external"));
        }
        self.out.push(b'&');
        self.out.extend_from_slice(name.as_bytes());
        self.out.push(b';');
        Ok(())
    }

    /// The DOCTYPE, which has to be one; what it declares is kept, to check the elements by.
    fn doctype(&mut self, node: &Node<'d>) -> Result<(), Error> {
        nameless(node)?;
        let text = verbatim(node)?;
        let whole: std::sync::Arc<str> = format!("<!DOCTYPE {text}>").into();
        let mut expansion = Expansion::new(self.options.limits.entities(usize::MAX));
        let read =
            Reading::new(&mut self.dtd, &mut expansion, None, Text::Shared(whole.clone()), self.options.namespaces)
                .doctype(0, whole.len());
        match read {
            Ok(doctype) if doctype.next == whole.len() && doctype.data == (10..whole.len() - 1) => {}
            Ok(_) => return Err(refused(node, "more than a DOCTYPE", "the text between '<!DOCTYPE ' and its '>'")),
            Err(error) => {
                let found = format!("{} at byte {} of a DOCTYPE", error.found(), error.offset().saturating_sub(10));
                return Err(refused(node, found, error.expected().clone()));
            }
        }
        self.has_doctype = true;
        self.out.extend_from_slice(whole.as_bytes());
        Ok(())
    }
}

/// Refuses a unit that has a name, for which XML has no place.
fn nameless(node: &Node<'_>) -> Result<(), Error> {
    if node.name().is_none() {
        return Ok(());
    }
    Err(refused(node, format!("a name of {}", unit(node.kind())), "no name"))
}

/// The name of an element or attribute, and its colon as [`name_and_colon`] gives it.
#[inline(always)]
fn name<'d>(node: &Node<'d>) -> Result<(Cow<'d, [u8]>, usize), Error> {
    let name = node.name().to_bytes();
    // The scan takes valid UTF-8.
    if name.is_ascii() || str::from_utf8(&name).is_ok() {
        let (end, colon) = name_and_colon(&name, 0);
        if end == name.len() && end > 0 {
            return Ok((name, colon));
        }
    }
    Err(no_name(node, &name))
}

#[cold]
fn no_name(node: &Node<'_>, name: &[u8]) -> Error {
    let found = match name {
        [] => format!("{} without a name", unit(node.kind())),
        name => format!("the name '{}'", String::from_utf8_lossy(name)),
    };
    refused(node, found, "an XML name")
}

/// Up to so many attributes each is compared with each; beyond, they are sorted.
const FEW: usize = 12;

/// No attribute may come twice.
fn check_unique(list: &Node<'_>) -> Result<(), Error> {
    let attributes = list.children();
    let twice = if attributes.len() <= FEW {
        let is_before = |n: usize, name| attributes.clone().take(n).any(|other| other.name() == name);
        attributes.clone().enumerate().find(|(n, attribute)| is_before(*n, attribute.name())).map(|(_, found)| found)
    } else {
        let mut sorted: Vec<_> = attributes.map(|attribute| (attribute.name().to_bytes(), attribute)).collect();
        sorted.sort_by(|(a, _), (b, _)| a.cmp(b));
        sorted.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1)
    };
    match twice {
        Some(attribute) => Err(refused(&attribute, "an attribute a second time", "each attribute once")),
        None => Ok(()),
    }
}

/// Whether an attribute list says `xml:space="preserve"`.
fn keeps_space(attributes: Option<Node<'_>>) -> bool {
    attributes.and_then(|list| list.child("xml:space")).is_some_and(|space| space.value() == b"preserve")
}

/// Whether content is elements, comments and instructions, with nothing but white space between.
fn is_element_content(content: &tam::Children<'_>) -> bool {
    let mut elements = false;
    let all = content.clone().all(|node| {
        elements |= node.kind() != b'[';
        !matches!(node.kind(), b']' | b'&') && (node.kind() != b'[' || is_white(&node))
    });
    all && elements
}

fn is_white(node: &Node<'_>) -> bool {
    node.kind() == b'[' && chars::is_white(node.value())
}

/// Appends the data of a unit, with references.
#[inline(always)]
fn push(out: &mut Vec<u8>, node: &Node<'_>, context: Context) -> Result<(), Error> {
    if !escape::push_plain(out, node.value(), context) {
        escape::push(out, characters(node)?, context);
    }
    Ok(())
}

/// The data of a unit as characters that XML allows.
fn characters<'d>(node: &Node<'d>) -> Result<&'d str, Error> {
    let Ok(text) = node.text() else {
        return Err(refused(node, "bytes that are not UTF-8", "text"));
    };
    match illegal_char(text) {
        Some(c) => Err(refused(node, shown(c), "a character that XML allows")),
        None => Ok(text),
    }
}

/// The data of a unit that cannot contain references.
fn verbatim<'d>(node: &Node<'d>) -> Result<&'d str, Error> {
    let text = characters(node)?;
    if text.contains('\r') {
        return Err(refused(
            node,
            format!("a carriage return in {}", unit(node.kind())),
            "none (reading would change it)",
        ));
    }
    Ok(text)
}

/// The error for what cannot be written, with its path.
#[cold]
pub(crate) fn refused(node: &Node<'_>, found: impl Into<Words>, expected: impl Into<Words>) -> Error {
    Error::new(ErrorKind::Unsupported, "xml", 0, found, expected).in_path(node.path())
}
