//! The types of Appendix A, read step by step with any encoding rules.

use tam::Error;

use crate::rules::{LARGE, Octets, Rules, SMALL, Size};

/// The universal tags of items of a SEQUENCE OF that are not a CHOICE.
const INTEGER: u8 = 2;
const RELATIVE_OID: u8 = 13;
const SEQUENCE: u8 = 16;

/// A StringOrIndex, URIOrIndex or NCNameOrIndex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Text {
    /// The string with an index, from 1; 0 is the empty string.
    Index(u32),
    /// A string in place.
    Literal(Octets),
}

impl Text {
    /// The empty string.
    pub(crate) const EMPTY: Text = Text::Index(0);
}

/// The name of an element or attribute.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Name {
    /// The common name with an index, from 1.
    Common(u32),
    /// A name in place.
    Literal(LiteralName),
}

/// A name in its parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LiteralName {
    pub(crate) namespace: Namespace,
    pub(crate) local: Text,
    pub(crate) prefix: Option<Text>,
}

/// The namespace name of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Namespace {
    /// No namespace.
    None,
    Named(Text),
    /// The namespace of the parent element, or of the element that has the attribute.
    OfElement,
    /// The namespace of the previous attribute.
    OfPrevious,
}

/// An attribute: the part of it that a document can hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attribute {
    pub(crate) name: Name,
    pub(crate) value: Text,
}

/// The children of an element.
pub(crate) enum Content<R: Rules> {
    /// Only text.
    Text(Text),
    /// Children, which have been entered.
    Children(R::Children),
}

/// A processing instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instruction {
    pub(crate) target: Text,
    pub(crate) content: Text,
}

/// A name with its identifiers: a notation, an unparsed entity, or an entity that is referred to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Declared {
    pub(crate) name: Text,
    pub(crate) system: Option<Text>,
    pub(crate) public: Option<Text>,
    /// The name of the notation of an unparsed entity.
    pub(crate) notation: Option<Text>,
}

/// The characters of a Characters item.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Characters {
    Text(Text),
    /// Octets, which become base64.
    Binary(Octets),
}

/// Reads a field, from its tag to its end.
#[inline]
pub(crate) fn field<R: Rules, T>(
    r: &mut R,
    number: u8,
    read: impl FnOnce(&mut R) -> Result<T, Error>,
) -> Result<T, Error> {
    let open = r.field(number)?;
    let value = read(r)?;
    r.leave(open)?;
    Ok(value)
}

/// Reads an optional field.
#[inline]
pub(crate) fn optional<R: Rules, T>(
    r: &mut R,
    fields: &mut R::Fields,
    number: u8,
    read: impl FnOnce(&mut R) -> Result<T, Error>,
) -> Result<Option<T>, Error> {
    let Some(open) = r.optional(fields, number)? else { return Ok(None) };
    let value = read(r)?;
    r.leave(open)?;
    Ok(Some(value))
}

/// Reads a CHOICE of `count` alternatives.
#[inline]
pub(crate) fn choice<R: Rules, T>(
    r: &mut R,
    count: u8,
    read: impl FnOnce(&mut R, u8) -> Result<T, Error>,
) -> Result<T, Error> {
    let (number, open) = r.alternative(count)?;
    let value = read(r, number)?;
    r.leave(open)?;
    Ok(value)
}

/// Reads the items of a SEQUENCE OF that are not a CHOICE.
fn items<R: Rules>(r: &mut R, tag: u8, mut read: impl FnMut(&mut R) -> Result<(), Error>) -> Result<(), Error> {
    let mut list = r.list(Size::Any)?;
    while r.item(&mut list)? {
        let open = r.enter_item(tag)?;
        read(r)?;
        r.leave(open)?;
    }
    Ok(())
}

/// Reads a SEQUENCE OF SEQUENCE.
pub(crate) fn sequences<R: Rules>(r: &mut R, read: impl FnMut(&mut R) -> Result<(), Error>) -> Result<(), Error> {
    items(r, SEQUENCE, read)
}

/// Collects a SEQUENCE OF SEQUENCE; reading an item may depend on the previous one.
pub(crate) fn all<R: Rules, T>(
    r: &mut R,
    mut read: impl FnMut(&mut R, Option<&T>) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    let mut all = Vec::new();
    sequences(r, |r| {
        let item = read(r, all.last())?;
        all.push(item);
        Ok(())
    })?;
    Ok(all)
}

/// Reads a StringOrIndex, URIOrIndex or NCNameOrIndex.
#[inline]
pub(crate) fn text<R: Rules>(r: &mut R) -> Result<Text, Error> {
    choice(r, 2, |r, number| {
        Ok(match number {
            0 => Text::Literal(r.octets()?),
            _ => Text::Index(r.number(LARGE)?),
        })
    })
}

/// Reads a CHOICE of a text and NULL.
fn text_or_null<R: Rules>(r: &mut R) -> Result<Option<Text>, Error> {
    choice(r, 2, |r, number| if number == 0 { text(r).map(Some) } else { Ok(None) })
}

/// Reads a CHOICE of a small index and NULL, which a document cannot hold.
fn index_or_null<R: Rules>(r: &mut R) -> Result<(), Error> {
    choice(r, 2, |r, number| if number == 0 { r.number(SMALL).map(|_| ()) } else { Ok(()) })
}

/// Reads the name of an element (`of_attribute` is `false`) or an attribute.
pub(crate) fn name<R: Rules>(r: &mut R, of_attribute: bool) -> Result<Name, Error> {
    choice(r, 2, |r, number| {
        if number == 1 {
            return Ok(Name::Common(r.number(SMALL)?));
        }
        let mut fields = r.sequence(2)?;
        let alternatives = if of_attribute { 3 } else { 2 };
        let namespace = optional(r, &mut fields, 0, |r| {
            choice(r, alternatives, |r, number| {
                Ok(match number {
                    0 => Namespace::Named(text(r)?),
                    1 => Namespace::OfElement,
                    _ => Namespace::OfPrevious,
                })
            })
        })?;
        Ok(Name::Literal(LiteralName {
            namespace: namespace.unwrap_or(Namespace::None),
            local: field(r, 1, text)?,
            prefix: optional(r, &mut fields, 2, text)?,
        }))
    })
}

/// Reads the content of an element that has been entered: its text, or the start of its children.
pub(crate) fn content<R: Rules>(r: &mut R, element: R::Entered) -> Result<Content<R>, Error> {
    let field = r.field(1)?;
    let (number, alternative) = r.alternative(2)?;
    if number == 0 {
        let text = text(r)?;
        r.leave(alternative)?;
        r.leave(field)?;
        return Ok(Content::Text(text));
    }
    Ok(Content::Children(r.enter_children(element, field, alternative)?))
}

/// Reads an Attribute.
#[inline(never)]
pub(crate) fn attribute<R: Rules>(r: &mut R) -> Result<Attribute, Error> {
    let open = r.enter_item(SEQUENCE)?;
    let mut fields = r.sequence(3)?;
    let name = field(r, 0, |r| name(r, true))?;
    let value = field(r, 1, text)?;
    if R::any_field(fields) {
        attribute_properties(r, &mut fields)?;
    }
    r.leave(open)?;
    Ok(Attribute { name, value })
}

/// Reads what a document cannot hold: whether an attribute was specified, its type, and what it refers to, which
/// follows from its value.
#[inline(never)]
fn attribute_properties<R: Rules>(r: &mut R, fields: &mut R::Fields) -> Result<(), Error> {
    optional(r, fields, 2, R::boolean)?;
    optional(r, fields, 3, |r| {
        choice(r, 2, |r, number| if number == 0 { r.enumerated(10).map(|_| ()) } else { Ok(()) })
    })?;
    optional(r, fields, 4, |r| {
        choice(r, 4, |r, number| match number {
            0 => items(r, RELATIVE_OID, |r| r.octets().map(|_| ())),
            1 => items(r, INTEGER, |r| r.number(SMALL).map(|_| ())),
            2 => r.number(SMALL).map(|_| ()),
            _ => Ok(()),
        })
    })?;
    Ok(())
}

/// Reads the prefix and name of each namespace in scope, unless they are those of the parent element.
#[inline(never)]
pub(crate) fn namespaces_in_scope<R: Rules>(
    r: &mut R,
    mut take: impl FnMut(Option<Text>, Text) -> Result<(), Error>,
) -> Result<(), Error> {
    field(r, 4, |r| {
        choice(r, 2, |r, number| {
            if number == 1 {
                return Ok(());
            }
            sequences(r, |r| {
                let mut fields = r.sequence(1)?;
                let prefix = optional(r, &mut fields, 0, text)?;
                take(prefix, field(r, 1, text)?)
            })
        })
    })
}

/// Reads the base URI of an element, if present.
#[inline]
pub(crate) fn base_uri<R: Rules>(r: &mut R, fields: &mut R::Fields) -> Result<(), Error> {
    optional(r, fields, 5, text_or_null).map(drop)
}

/// Reads a ProcessingInstruction that has been entered.
pub(crate) fn instruction<R: Rules>(r: &mut R) -> Result<Instruction, Error> {
    let mut fields = r.sequence(1)?;
    let target = field(r, 0, text)?;
    let content = field(r, 1, text)?;
    field(r, 2, text_or_null)?;
    optional(r, &mut fields, 3, index_or_null)?;
    Ok(Instruction { target, content })
}

/// Reads an UnexpandedEntityReference that has been entered. An identifier that is unknown is none.
pub(crate) fn entity_reference<R: Rules>(r: &mut R) -> Result<Declared, Error> {
    let mut fields = r.sequence(3)?;
    let name = field(r, 0, text)?;
    let system = optional(r, &mut fields, 1, text_or_null)?.flatten();
    let public = optional(r, &mut fields, 2, text_or_null)?.flatten();
    optional(r, &mut fields, 3, text_or_null)?;
    Ok(Declared { name, system, public, notation: None })
}

/// Reads Characters that have been entered.
pub(crate) fn characters<R: Rules>(r: &mut R) -> Result<Characters, Error> {
    r.sequence(0)?;
    let characters = field(r, 0, |r| {
        choice(r, 2, |r, number| {
            Ok(match number {
                0 => Characters::Text(text(r)?),
                _ => Characters::Binary(r.octets()?),
            })
        })
    })?;
    field(r, 1, R::boolean)?;
    Ok(characters)
}

/// Reads the content of a Comment that has been entered.
pub(crate) fn comment<R: Rules>(r: &mut R) -> Result<Text, Error> {
    r.sequence(0)?;
    field(r, 0, text)
}

/// Reads a DocumentTypeDeclaration that has been entered: returns its identifiers, and passes each instruction to
/// `take`.
pub(crate) fn doctype<R: Rules>(
    r: &mut R,
    mut take: impl FnMut(Instruction) -> Result<(), Error>,
) -> Result<(Option<Text>, Option<Text>), Error> {
    let mut fields = r.sequence(2)?;
    let system = optional(r, &mut fields, 0, text)?;
    let public = optional(r, &mut fields, 1, text)?;
    field(r, 2, |r| sequences(r, |r| take(instruction(r)?)))?;
    Ok((system, public))
}

/// Reads a Notation that has been entered.
pub(crate) fn notation<R: Rules>(r: &mut R) -> Result<Declared, Error> {
    let mut fields = r.sequence(3)?;
    let name = field(r, 0, text)?;
    let system = optional(r, &mut fields, 1, text)?;
    let public = optional(r, &mut fields, 2, text)?;
    optional(r, &mut fields, 3, text)?;
    Ok(Declared { name, system, public, notation: None })
}

/// Reads an UnparsedEntity that has been entered.
pub(crate) fn unparsed_entity<R: Rules>(r: &mut R) -> Result<Declared, Error> {
    let mut fields = r.sequence(4)?;
    let name = field(r, 0, text)?;
    let system = optional(r, &mut fields, 1, text)?;
    let public = optional(r, &mut fields, 2, text)?;
    optional(r, &mut fields, 3, text)?;
    let notation = field(r, 4, text)?;
    optional(r, &mut fields, 5, index_or_null)?;
    Ok(Declared { name, system, public, notation: Some(notation) })
}

/// Reads a block of strings: its algorithm and its octets.
pub(crate) fn block<R: Rules>(r: &mut R) -> Result<(Octets, Octets), Error> {
    r.sequence(0)?;
    Ok((field(r, 0, R::octets)?, field(r, 1, R::octets)?))
}

/// A part of a common name, which may be that of the previous name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    Text(Text),
    Same,
}

/// Reads a common name that has been entered: namespace name, local name and prefix.
pub(crate) fn common_name<R: Rules>(r: &mut R) -> Result<(Option<Part>, Text, Option<Part>), Error> {
    fn part<R: Rules>(r: &mut R) -> Result<Part, Error> {
        Ok(text_or_null(r)?.map_or(Part::Same, Part::Text))
    }
    let mut fields = r.sequence(2)?;
    let namespace = optional(r, &mut fields, 0, part)?;
    let local = field(r, 1, text)?;
    let prefix = optional(r, &mut fields, 2, part)?;
    Ok((namespace, local, prefix))
}
