//! Octets from other parts of a message: an `Include` in place of the characters of a `base64Binary` (XOP 1.0 section 3.2).

use std::ops::Range;

use ::xml::name::split;
use ::xml::xop::{self, Package};
use text::xml::{Event, StartTag};

use super::{Checked, EventKind, Fault, Frame, State};
use crate::components::{Builtin, Inside, SimpleId, Variety};
use crate::value::{Scope, check_octets};

/// The package that an instance is the document of.
#[derive(Debug)]
pub(super) struct Including<'p> {
    package: &'p Package,
    /// How many elements are open: an `Include`, and what is in it.
    depth: u32,
    /// Whether the element around has its octets.
    is_filled: bool,
}

impl<'p> Including<'p> {
    pub(super) fn new(package: &'p Package) -> Including<'p> {
        Including { package, depth: 0, is_filled: false }
    }

    /// Takes an event that has to do with an `Include`; `None` for any other.
    #[inline(never)]
    pub(super) fn event(&mut self, event: Event<'_>, state: &mut State<'_>) -> Option<Checked<EventKind>> {
        match event {
            Event::Start(_) | Event::End(_) | Event::Text(_) | Event::CData(_) if self.depth > 0 => {
                self.depth = match event {
                    Event::Start(_) => self.depth + 1,
                    Event::End(_) => self.depth - 1,
                    _ => self.depth,
                };
                Some(Ok(EventKind::Nothing))
            }
            Event::Start(tag) => {
                let (frame, ty) = state.binary()?;
                if !state.is_include(tag) {
                    return None;
                }
                let range = match self.find(tag, state, &frame) {
                    Ok(range) => range,
                    Err(fault) => return Some(Err(fault)),
                };
                (self.depth, self.is_filled) = (1, true);
                state.include(&frame, ty, self.package, range);
                Some(Ok(EventKind::Nothing))
            }
            Event::Text(_) | Event::CData(_) if self.is_filled => {
                Some(Err(Fault::new("characters", "nothing beside xop:Include")))
            }
            Event::End(_) => {
                self.is_filled = false;
                None
            }
            _ => None,
        }
    }

    /// Where the octets are that an `Include` stands for.
    fn find(&self, tag: StartTag<'_>, state: &State<'_>, frame: &Frame) -> Checked<Range<usize>> {
        if self.is_filled || state.text.len() > frame.text as usize {
            return Err(Fault::new(format!("<{}>", tag.name()), "nothing else beside xop:Include"));
        }
        let Some((_, href)) = tag.attributes().find(|(name, _)| *name == "href") else {
            return Err(Fault::new(format!("<{}> without href", tag.name()), "the attribute href"));
        };
        let found = self.package.included(href);
        found.ok_or_else(|| {
            Fault::new(format!("href='{}'", tam::excerpt(href)), "'cid:' and the Content-ID of one part")
        })
    }
}

impl State<'_> {
    /// The innermost element, if its type is a `base64Binary`.
    fn binary(&self) -> Option<(Frame, SimpleId)> {
        let frame = self.frames.last().filter(|frame| !frame.nil)?;
        let Inside::Simple(ty) = frame.inside else { return None };
        let is_binary = matches!(self.schema.simple_types[ty].variety, Variety::Atomic(Builtin::Base64Binary));
        is_binary.then_some((*frame, ty))
    }

    fn is_include(&self, tag: StartTag<'_>) -> bool {
        let (prefix, local) = split(tag.name());
        local == "Include" && tag.declared(prefix).or_else(|| self.bindings.uri(prefix)) == Some(xop::NAMESPACE)
    }

    /// Takes octets as the content of the innermost element. Where only their number matters, they are not looked at;
    /// elsewhere they become the characters that they are included in place of.
    fn include(&mut self, frame: &Frame, ty: SimpleId, package: &Package, range: Range<usize>) {
        let facets = &self.schema.simple_types[ty].facets;
        let is_declared = frame.element.is_some_and(|element| Some(self.schema.outline(element).ty) == frame.ty);
        if is_declared
            && !frame.has_value
            && !self.wants_keys()
            && facets.patterns.is_empty()
            && facets.enumeration.is_none()
        {
            self.included = Some((range.start, range.len()));
            return;
        }
        let octets = package.bytes().get(range).unwrap_or_default();
        self.checker.steps += octets.len() as u64;
        if !self.checker.is_exhausted() {
            xml::base64::push(octets, &mut self.text);
        }
    }

    /// Checks octets that were included, as the content of an element that ends.
    pub(super) fn end_included(&mut self, ty: SimpleId, (start, len): (usize, usize)) -> Checked<()> {
        let checked = check_octets(&self.schema.simple_types[ty].facets, len as u64);
        checked.map_err(|fault| Fault::new(fault.found, fault.expected))?;
        (self.part, self.end) = (Some((start, len)), Some((ty, ty)));
        Ok(())
    }

    /// Where in the package the octets of the element are that has ended, if its characters were not looked at.
    #[must_use]
    pub fn part(&self) -> Option<(usize, usize)> {
        self.part
    }
}
