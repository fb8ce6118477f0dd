//! The first way through a message: all of it is looked at, and what stands behind the place where
//! it is wanted is found.
//!
//! Appendix A has the attributes of an element behind its children, and the strings and names that
//! everything refers to at the very end.

use tam::{Error, Limits};

use crate::items::{self, Content, Declared, LiteralName, Namespace, Part, Text};
use crate::rules::{FORMAT, Octets, Quick, Rules, Size, syntax};

/// What the first way through a message finds.
#[derive(Debug)]
pub(crate) struct Outline<R: Rules> {
    /// Where the children of the document begin.
    pub(crate) children: R::Mark,
    /// Where what follows the children begins, for each element whose mark is kept, in the order in
    /// which they begin.
    pub(crate) marks: Vec<R::Mark>,
    /// Whether the mark of every element with children is kept, not only of those with optional fields.
    pub(crate) all_marks: bool,
    /// Where the root element begins, behind the number of its alternative.
    pub(crate) root: Option<R::Mark>,
    pub(crate) properties: Properties,
    pub(crate) notations: Vec<Declared>,
    pub(crate) unparsed_entities: Vec<Declared>,
    /// The blocks of strings: algorithm and octets.
    pub(crate) blocks: Vec<(Octets, Octets)>,
    /// The common names, with all that is the same as before filled in.
    pub(crate) names: Vec<LiteralName>,
    /// The end of the message, in bits.
    pub(crate) end: u64,
}

/// What is said of the document as a whole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Properties {
    pub(crate) base_uri: Option<Text>,
    pub(crate) encoding: Text,
    pub(crate) standalone: Option<bool>,
    pub(crate) version: Option<Text>,
    pub(crate) all_declarations_processed: bool,
}

/// An element whose children are passed over.
#[derive(Clone, Copy)]
struct Level<R: Rules> {
    children: R::Children,
    fields: R::Fields,
    /// Its number in the marks.
    mark: u32,
    /// How many elements have begun in it.
    elements: u32,
}

/// No mark is kept.
const NO_MARK: u32 = u32::MAX;

struct Scan<R: Rules> {
    r: R,
    depth: u32,
    marks: Vec<R::Mark>,
    all_marks: bool,
    /// Whether marks were missing that turned out to be wanted.
    more_marks: bool,
    open: Vec<Level<R>>,
    root: Option<R::Mark>,
}

/// Goes through a message.
pub(crate) fn scan<R: Rules>(r: R, limits: &Limits) -> Result<Outline<R>, Error> {
    let mut all_marks = false;
    loop {
        let mut scan = Scan {
            r,
            depth: limits.depth,
            marks: Vec::new(),
            all_marks,
            more_marks: false,
            open: Vec::new(),
            root: None,
        };
        let outline = match scan.document() {
            Ok(outline) => outline,
            Err(error) => return Err(scan.located(&error)),
        };
        if !scan.more_marks || all_marks {
            return Ok(outline);
        }
        all_marks = true;
    }
}

impl<R: Rules> Scan<R> {
    fn document(&mut self) -> Result<Outline<R>, Error> {
        let document = self.r.document()?;
        let mut fields = self.r.sequence(3)?;
        let open = self.r.field(0)?;
        let children = self.r.mark();
        self.children()?;
        self.r.leave(open)?;
        let r = &mut self.r;
        let notations = items::field(r, 1, |r| items::all(r, |r, _| items::notation(r)))?;
        let unparsed_entities = items::field(r, 2, |r| items::all(r, |r, _| items::unparsed_entity(r)))?;
        let properties = Properties {
            base_uri: items::optional(r, &mut fields, 3, items::text)?,
            encoding: items::field(r, 4, items::text)?,
            standalone: items::optional(r, &mut fields, 5, R::boolean)?,
            version: items::optional(r, &mut fields, 6, items::text)?,
            all_declarations_processed: items::field(r, 7, R::boolean)?,
        };
        let blocks = items::field(r, 8, |r| items::all(r, |r, _| items::block(r)))?;
        let names = items::field(r, 9, |r| items::all(r, common_name))?;
        r.leave(document)?;
        Ok(Outline {
            children,
            marks: core::mem::take(&mut self.marks),
            all_marks: self.all_marks,
            root: self.root,
            properties,
            notations,
            unparsed_entities,
            blocks,
            names,
            end: r.position(),
        })
    }

    /// What stands beside the root element, and the root element.
    fn children(&mut self) -> Result<(), Error> {
        let mut list = self.r.list(Size::Any)?;
        let mut has_doctype = false;
        while self.r.item(&mut list)? {
            let at = self.r.position();
            let (number, item) = self.r.alternative(4)?;
            match number {
                0 if self.root.is_some() => return Err(syntax(at, "a second root element", "one root element")),
                0 => {
                    self.root = Some(self.r.mark());
                    self.element(item)?;
                    continue;
                }
                1 => drop(items::instruction(&mut self.r)?),
                2 => drop(items::comment(&mut self.r)?),
                _ if has_doctype || self.root.is_some() => {
                    let found = "a document type declaration";
                    return Err(syntax(at, found, "one alone, before the root element"));
                }
                _ => {
                    has_doctype = true;
                    items::doctype(&mut self.r, |_| Ok(()))?;
                }
            }
            self.r.leave(item)?;
        }
        if self.root.is_none() {
            return Err(syntax(self.r.position(), "no element", "a root element"));
        }
        Ok(())
    }

    /// An element, entered already, with all that is in it.
    fn element(&mut self, item: R::Open) -> Result<(), Error> {
        if self.depth == 0 {
            return Err(self.too_deep());
        }
        if let Some(mut level) = self.start(item)? {
            let passed = self.content(&mut level);
            if passed.is_err() {
                self.open.push(level);
            }
            return passed;
        }
        Ok(())
    }

    #[inline(always)]
    fn content(&mut self, level: &mut Level<R>) -> Result<(), Error> {
        loop {
            if !self.r.next_child(&mut level.children)? {
                let element = self.r.leave_children(level.children)?;
                if level.mark != NO_MARK {
                    if let Some(mark) = self.marks.get_mut(level.mark as usize) {
                        *mark = self.r.mark();
                    }
                    self.end(level.fields, element, true)?;
                } else if !self.r.quick_end() {
                    self.end(level.fields, element, false)?;
                }
                match self.open.pop() {
                    Some(parent) => *level = parent,
                    None => return Ok(()),
                }
                continue;
            }
            match self.r.quick()? {
                Quick::Text(_) => {}
                Quick::Leaf(_, _, fields, element) => {
                    level.elements += 1;
                    self.check_depth()?;
                    if R::any_field(fields) || !self.r.quick_end() {
                        self.end(fields, element, true)?;
                    }
                }
                Quick::Open(_, children, fields) => {
                    level.elements += 1;
                    self.check_depth()?;
                    let inner = self.opened(children, fields);
                    self.open.push(core::mem::replace(level, inner));
                }
                Quick::Other => {
                    if let Some(inner) = self.child(level)? {
                        self.open.push(core::mem::replace(level, inner));
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn opened(&mut self, children: R::Children, fields: R::Fields) -> Level<R> {
        let mut mark = NO_MARK;
        if R::any_field(fields) || self.all_marks {
            mark = self.marks.len() as u32;
            self.marks.push(self.r.mark());
        }
        Level { children, fields, mark, elements: 0 }
    }

    /// A child of any kind; the element that it is, if that has children.
    #[inline(never)]
    fn child(&mut self, level: &mut Level<R>) -> Result<Option<Level<R>>, Error> {
        let (number, item) = self.r.alternative(5)?;
        match number {
            0 => {
                level.elements += 1;
                self.check_depth()?;
                return self.start(item);
            }
            1 => drop(items::instruction(&mut self.r)?),
            2 => drop(items::entity_reference(&mut self.r)?),
            3 => drop(items::characters(&mut self.r)?),
            _ => drop(items::comment(&mut self.r)?),
        }
        self.r.leave(item)?;
        Ok(None)
    }

    /// An element that has been entered: up to its children, or all of it if it has text alone.
    fn start(&mut self, item: R::Open) -> Result<Option<Level<R>>, Error> {
        let fields = self.r.sequence(3)?;
        items::field(&mut self.r, 0, |r| items::name(r, false))?;
        match items::content(&mut self.r, item)? {
            Content::Text(_) => self.end(fields, item, true).map(|()| None),
            Content::Children(children) => Ok(Some(self.opened(children, fields))),
        }
    }

    /// What follows the children of an element, and its end.
    fn end(&mut self, mut fields: R::Fields, element: R::Open, has_mark: bool) -> Result<(), Error> {
        let mut explicit = false;
        items::after_children(
            &mut self.r,
            &mut fields,
            |_, _| Ok(()),
            |_, _| {
                explicit = true;
                Ok(())
            },
        )?;
        self.more_marks |= explicit && !has_mark;
        self.r.leave(element)
    }

    #[inline(always)]
    fn check_depth(&self) -> Result<(), Error> {
        // The element that holds the child is not among those open.
        if self.open.len() as u64 + 2 > u64::from(self.depth) { Err(self.too_deep()) } else { Ok(()) }
    }

    #[cold]
    fn too_deep(&self) -> Error {
        let found = "an element one level deeper";
        Error::limit(FORMAT, 0, found, "depth", self.depth.into()).at_bit(self.r.position())
    }

    /// An error, told of the elements that are open, by their numbers among their siblings: what
    /// their names are stands further on in the message.
    #[cold]
    fn located(&self, error: &Error) -> Error {
        let mut path = String::new();
        if self.root.is_some() && !self.open.is_empty() {
            path.push_str("/*");
        }
        for level in self.open.iter().take(PATH_LEVELS) {
            match level.elements {
                0 => {}
                1 => path.push_str("/*"),
                n => path.push_str(&format!("/*[{n}]")),
            }
        }
        if self.open.len() > PATH_LEVELS {
            path.push_str("/…");
        }
        named(error).in_path(path)
    }
}

/// A path names no more levels than these.
const PATH_LEVELS: usize = 64;

/// An error of the steps below, under the name of this format.
pub(crate) fn named(error: &Error) -> Error {
    error.clone().met_in(FORMAT, error.offset())
}

/// A common name, with what is the same as in the one before.
fn common_name<R: Rules>(r: &mut R, before: Option<&LiteralName>) -> Result<LiteralName, Error> {
    let at = r.position();
    let (namespace, local, prefix) = items::common_name(r)?;
    let nothing = || syntax(at, "'same-as-previous-item' behind none", "an item before that has it");
    let namespace = match namespace {
        None => Namespace::None,
        Some(Part::Text(text)) => Namespace::Named(text),
        Some(Part::Same) => before.map(|name| name.namespace).filter(|n| *n != Namespace::None).ok_or_else(nothing)?,
    };
    let prefix = match prefix {
        None => None,
        Some(Part::Text(text)) => Some(text),
        Some(Part::Same) => Some(before.and_then(|name| name.prefix).ok_or_else(nothing)?),
    };
    Ok(LiteralName { namespace, local, prefix })
}
