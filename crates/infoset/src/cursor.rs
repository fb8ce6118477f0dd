//! The second pass through a message: item by item, in document order.

use tam::{Error, Expansion};

use crate::items::Text;
use crate::message::{Message, unreadable};
use crate::names::Names;
use crate::namespaces::Scope;
use crate::outline::{Attribute, Kind, List, Outline, Plain, Special, Token};
use crate::properties::Numbers;
use crate::rules::FORMAT;
use crate::store::{Span, Store};

/// The kind of item that the cursor finds; its contents are in [`Parts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// The start of an element with children: `name` and `attributes`.
    Start,
    /// A whole element with only `text`, which may be empty.
    Leaf,
    /// The end of the element `name`.
    End,
    /// `text`, which is not empty and is not followed by more text.
    Text,
    /// A comment: `text`.
    Comment,
    /// A processing instruction: `text` is target and content, separated by a space.
    Instruction,
    /// The document type declaration: `text` is the part between `<!DOCTYPE ` and its `>`.
    Doctype,
    /// A reference to an entity: `text` is its name.
    EntityReference,
    /// The end of the document.
    Over,
    /// An error, which the cursor holds.
    Failed,
}

/// An attribute: the number of its name, and its value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value<T> {
    pub(crate) name: u32,
    pub(crate) value: T,
}

/// The item found last, and what it refers to.
#[derive(Debug)]
pub(crate) struct Parts<S, T> {
    pub(crate) store: S,
    pub(crate) names: Names,
    pub(crate) name: u32,
    pub(crate) text: T,
    /// Namespace attributes come first.
    pub(crate) attributes: Vec<Value<T>>,
}

/// The parts for a store.
pub(crate) type ItemOf<S> = Parts<S, <S as Store>::Text>;

/// A message being read. Each step borrows [`Parts`] and puts into it what it finds.
#[derive(Debug)]
pub(crate) struct Cursor<'m> {
    pub(crate) message: Message<'m>,
    pub(crate) outline: Outline,
    /// The next token.
    next: usize,
    /// The next list of attributes.
    list: usize,
    /// The names of the open elements.
    open: Vec<u32>,
    /// The namespaces in scope, if needed, and the number of open elements at the innermost one that binds prefixes.
    scope: Option<Scope>,
    bound_at: usize,
    /// The total bytes of the declarations that were missing.
    declared: Expansion,
    failed: Option<Error>,
}

impl<'m> Cursor<'m> {
    /// A cursor at the beginning of a message after the first pass. With `scoped`, attributes must declare all
    /// prefixes, as in a document.
    pub(crate) fn new(message: Message<'m>, outline: Outline, scoped: bool) -> Cursor<'m> {
        let scope = scoped.then(Scope::default);
        let open = Vec::new();
        Cursor {
            message,
            outline,
            next: 0,
            list: 0,
            open,
            scope,
            bound_at: 0,
            declared: message.expansion(),
            failed: None,
        }
    }

    /// The end of the message, in bits from its start.
    pub(crate) fn end(&self) -> u64 {
        self.outline.end
    }

    /// Adds the position of the item found last to an error.
    pub(crate) fn located_last(&self, error: Error) -> Error {
        self.located(self.next.saturating_sub(1), error)
    }

    /// Adds the position of a token to an error, unless it has a position.
    #[cold]
    pub(crate) fn located(&self, token: usize, error: Error) -> Error {
        self.message.locate(self.outline.in_message(token), error)
    }

    /// The properties of the document.
    pub(crate) fn properties(&self) -> Numbers {
        self.outline.properties
    }

    /// Advances to the next item. The result is one byte, so that it stays in a register; the cursor holds any error.
    #[inline(always)]
    pub(crate) fn advance<S: Store>(&mut self, parts: &mut ItemOf<S>) -> Found {
        if let Some(token) = self.outline.tokens.get(self.next)
            && let Some(found) = plain(*token, parts, &mut self.open, self.bound_at)
        {
            self.next += 1;
            return found;
        }
        self.advance_slowly(parts)
    }

    /// Advances over plain items, and passes each to `emit`. Stops at the first item that is not plain, or if `emit`
    /// fails.
    #[inline(always)]
    pub(crate) fn advance_while_plain<S: Store, E>(
        &mut self,
        parts: &mut ItemOf<S>,
        mut emit: impl FnMut(Found, &ItemOf<S>) -> Result<(), E>,
    ) -> Result<(), E> {
        let tokens = self.outline.tokens.get(self.next..).unwrap_or_default();
        for (n, token) in tokens.iter().enumerate() {
            let Some(found) = plain(*token, parts, &mut self.open, self.bound_at) else {
                self.next += n;
                return Ok(());
            };
            if let Err(error) = emit(found, parts) {
                self.next += n + 1;
                return Err(error);
            }
        }
        self.next += tokens.len();
        Ok(())
    }

    /// Advances to an item of any kind.
    #[inline(never)]
    fn advance_slowly<S: Store>(&mut self, parts: &mut ItemOf<S>) -> Found {
        loop {
            let Some(&token) = self.outline.tokens.get(self.next) else { return Found::Over };
            self.next += 1;
            let found = match token.kind() {
                Kind::Text => self.text(parts, token),
                Kind::Leaf | Kind::Open => self.element(parts, token).map(Some),
                Kind::Close => {
                    if self.open.len() == self.bound_at {
                        self.leave_scope(parts);
                    }
                    parts.name = self.open.pop().unwrap_or(0);
                    Ok(Some(Found::End))
                }
                Kind::Special => self.special(parts, token.value()),
            };
            match found {
                Ok(Some(found)) => return found,
                Ok(None) => {}
                Err(error) => {
                    self.failed = Some(self.located(self.next - 1, error));
                    // Nothing follows an error.
                    self.next = self.outline.tokens.len();
                    return Found::Failed;
                }
            }
        }
    }

    /// The error of [`Found::Failed`].
    pub(crate) fn failure(&mut self) -> Option<Error> {
        self.failed.take()
    }

    /// Joins this text and all text that follows it; `None` if it is empty.
    fn text<S: Store>(&mut self, parts: &mut ItemOf<S>, token: Token) -> Result<Option<Found>, Error> {
        parts.text = parts.store.numbered(token.value())?;
        if token.has_list() {
            parts.store.forget();
            self.more_text(parts)?;
        }
        Ok((!parts.store.is_empty(parts.text)).then_some(Found::Text))
    }

    fn element<S: Store>(&mut self, parts: &mut ItemOf<S>, token: Token) -> Result<Found, Error> {
        parts.name = token.name();
        if !parts.names.is_prepared(parts.name) {
            parts.store.forget();
            let parent = self.open.last().copied().unwrap_or(0);
            parts.name = parts.names.prepare(parts.name, [parent, 0], &mut parts.store)?;
        }
        parts.attributes.clear();
        let mut in_scope = (0, 0);
        if token.has_list() {
            in_scope = self.attributes(parts)?;
        }
        if self.scope.is_some() && (token.has_list() || !parts.names.is_ready(parts.name)) {
            self.enter_scope(parts, in_scope)?;
        }
        if token.kind() == Kind::Leaf {
            parts.text = parts.store.numbered(token.value())?;
            if self.open.len() + 1 == self.bound_at {
                self.leave_scope(parts);
            }
            return Ok(Found::Leaf);
        }
        self.open.push(parts.name);
        Ok(Found::Start)
    }

    /// Binds the prefixes that the attributes of an element declare, and adds missing declarations.
    fn enter_scope<S: Store>(&mut self, parts: &mut ItemOf<S>, in_scope: (u32, u32)) -> Result<(), Error> {
        let Some(scope) = &mut self.scope else { return Ok(()) };
        let Parts { store, names, attributes, name, .. } = parts;
        // Usually all prefixes are already bound, and nothing new is declared.
        let is_bound = |one: &Value<S::Text>| names.is_ready(one.name) && names.name(one.name).declares == 0;
        if in_scope.1 == 0 && names.is_ready(*name) && attributes.iter().all(is_bound) {
            return Ok(());
        }
        scope.begin();
        for attribute in attributes.iter() {
            if let Some(prefix) = names.name(attribute.name).declares.checked_sub(1) {
                let piece = store.piece(attribute.value)?;
                let namespace = names.namespace(piece, store);
                scope.declare(prefix, namespace, names);
            }
        }
        let listed = self.outline.in_scope.get(in_scope.0 as usize..(in_scope.0 + in_scope.1) as usize);
        for (prefix, namespace) in listed.unwrap_or_default() {
            let prefix = store.get(prefix.unwrap_or(Text::EMPTY))?;
            let namespace = store.get(*namespace)?;
            let (prefix, namespace) = (names.prefix(prefix, store), names.namespace(namespace, store));
            scope.require(prefix, namespace, names)?;
        }
        scope.require_name(*name, true, names)?;
        for attribute in attributes.iter() {
            scope.require_name(attribute.name, false, names)?;
        }
        scope.end(self.open.len() + 1, names);
        names.set_bound(*name);
        for attribute in attributes.iter() {
            names.set_bound(attribute.name);
        }
        self.bound_at = scope.depth();
        let mut missing = Vec::new();
        for (prefix, namespace) in scope.missing() {
            let name = names.declaration(*prefix, store)?;
            let namespace = names.namespace_text(*namespace);
            // The message does not contain these declarations, only names in the namespaces.
            let len = names.name(name).qualified.len as usize + namespace.len as usize;
            let found = "more namespace declarations";
            self.declared.charge(len).map_err(|exceeded| exceeded.error(FORMAT, 0, found))?;
            let value = store.text_of(namespace);
            missing.push(Value { name, value });
        }
        if !missing.is_empty() {
            attributes.splice(0..0, missing);
        }
        Ok(())
    }

    /// Leaves the element whose attributes bound prefixes last.
    fn leave_scope<S: Store>(&mut self, parts: &mut ItemOf<S>) {
        if let Some(scope) = &mut self.scope {
            scope.leave(&mut parts.names);
            self.bound_at = scope.depth();
        }
    }

    /// Whether the next item is text that continues this one.
    #[inline(always)]
    pub(crate) fn is_text_next(&self) -> bool {
        self.outline.tokens.get(self.next).is_some_and(|next| match next.kind() {
            Kind::Text => true,
            Kind::Special => matches!(self.outline.specials.get(next.value() as usize), Some(Special::Binary(_))),
            _ => false,
        })
    }

    /// Appends the texts that follow a text.
    #[cold]
    #[inline(never)]
    pub(crate) fn more_text<S: Store>(&mut self, parts: &mut ItemOf<S>) -> Result<(), Error> {
        let mut pieces = vec![parts.text];
        while self.is_text_next() {
            let Some(token) = self.outline.tokens.get(self.next) else { break };
            let (kind, value) = (token.kind(), token.value());
            self.next += 1;
            let piece = match kind {
                Kind::Text => parts.store.numbered(value),
                _ => self.binary(parts, value).map(|piece| parts.store.text_of(piece)),
            };
            pieces.push(piece?);
        }
        pieces.retain(|piece| !parts.store.is_empty(*piece));
        parts.text = match pieces.as_slice() {
            [] => S::Text::default(),
            [piece] => *piece,
            pieces => parts.store.join(pieces)?,
        };
        Ok(())
    }

    /// The base64 text for octets.
    pub(crate) fn binary<S: Store>(&self, parts: &mut ItemOf<S>, special: u32) -> Result<Span, Error> {
        let Some(Special::Binary(octets)) = self.outline.specials.get(special as usize) else {
            return Ok(Span::default());
        };
        let mut raw = Vec::new();
        self.message.copy(*octets, &mut raw)?;
        let mut text = String::new();
        xml::base64::push(&raw, &mut text);
        parts.store.push(&text)
    }

    /// Reads the attributes of the element `name`. Returns the position and number of its namespaces in scope.
    fn attributes<S: Store>(&mut self, parts: &mut ItemOf<S>) -> Result<(u32, u32), Error> {
        let Some(&List { first, attributes, namespaces, in_scope }) = self.outline.lists.get(self.list) else {
            return Ok((0, 0));
        };
        self.list += 1;
        let end = (first + attributes + namespaces) as usize;
        let read = self.outline.attributes.get(first as usize..end).unwrap_or_default();
        let are_ready = read
            .iter()
            .all(|attribute| parts.names.is_prepared(attribute.name) && parts.store.ready(attribute.value).is_some());
        if are_ready {
            let value = |value| parts.store.ready(value).unwrap_or_default();
            parts.attributes.extend(read.iter().map(|one| Value { name: one.name, value: value(one.value) }));
        } else {
            prepare_attributes(read, parts)?;
        }
        if namespaces > 0 && attributes > 0 {
            parts.attributes.rotate_left(attributes as usize);
        }
        if parts.attributes.len() < 2 {
            return Ok(in_scope);
        }
        match parts.names.repeated(&parts.attributes, &parts.store) {
            None => Ok(in_scope),
            Some(name) => Err(unreadable(format!("the attribute '{name}' a second time"), "each attribute once")),
        }
    }
}

/// Prepares attributes whose names or values are not ready.
#[inline(never)]
fn prepare_attributes<S: Store>(read: &[Attribute], parts: &mut ItemOf<S>) -> Result<(), Error> {
    parts.store.forget();
    let mut before = 0;
    for Attribute { name, value } in read {
        let name = parts.names.prepare(*name, [parts.name, before], &mut parts.store)?;
        let value = parts.store.numbered(*value)?;
        parts.attributes.push(Value { name, value });
        before = name;
    }
    Ok(())
}

/// Reads an item that needs only its token, and strings and names that are ready.
#[inline(always)]
fn plain<S: Store>(token: Token, parts: &mut ItemOf<S>, open: &mut Vec<u32>, bound_at: usize) -> Option<Found> {
    match token.plain() {
        Plain::Text => {
            parts.text = parts.store.ready(token.value())?;
            (!parts.store.is_empty(parts.text)).then_some(Found::Text)
        }
        Plain::Leaf => {
            let text = parts.store.ready(token.value())?;
            if !parts.names.is_ready(token.name()) {
                return None;
            }
            (parts.name, parts.text) = (token.name(), text);
            parts.attributes.clear();
            Some(Found::Leaf)
        }
        // The scope of bound prefixes ends here.
        Plain::Close if open.len() == bound_at => None,
        Plain::Close => {
            parts.name = open.pop()?;
            Some(Found::End)
        }
        Plain::Open => {
            if !parts.names.is_ready(token.name()) {
                return None;
            }
            parts.name = token.name();
            parts.attributes.clear();
            open.push(parts.name);
            Some(Found::Start)
        }
        Plain::No => None,
    }
}
