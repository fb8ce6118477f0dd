//! Looks up one value by its path, without reading the rows before it (paper section 2.2, benefit 4).

mod index;
mod rows;
mod target;

use std::borrow::Cow;
use std::sync::Arc;

use tam::Error;

use crate::envelope::{self, SchemaSource};
use crate::mime::{self, Parts};
use crate::path::REST;
use crate::place::{at_line, schema as schema_error};
use crate::reader::{Message, moved};
use crate::schema;
use crate::{DataSchema, Options, escape};
pub use index::RowIndex;
pub use target::Place;
use target::Target;

/// A message whose values are looked up one by one.
///
/// Rows are in the order of their paths, so a lookup is a binary search in the table. Rows that it does not visit are
/// not checked. In a record whose elements come in any order, a lookup scans the table from its start; a [`RowIndex`]
/// avoids this too.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_tdxml::{Lookup, Options};
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let message = br#"<Env xmlns="urn:tdxml"><DS>a[0] ::= SEQUENCE { b[0] SEQUENCE OF { k(0) [ATTRIBUTE] UTF8String OPTIONAL
///     c[0] UTF8String } }</DS><CT>
/// [0][0]0(0) |v
/// [0][0]0[0] |one
/// [0][0]1[0] |two
/// </CT></Env>"#;
/// let rows = Lookup::new(message, &Options::default())?;
/// assert_eq!(rows.get("/a/b[2]/c")?.as_deref(), Some("two"));
/// assert_eq!(rows.get("/a/b/@k")?.as_deref(), Some("v"));
/// assert_eq!(rows.get("/a/b[3]/c")?, None);
///
/// let index = rows.index()?;
/// assert_eq!(index.get(&rows, "/a/b[2]/c")?.as_deref(), Some("two"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Lookup<'m> {
    schema: Arc<DataSchema>,
    rows: &'m [u8],
    /// The start of the rows in the message.
    at: usize,
    parts: Parts<'m>,
    message: &'m [u8],
    limits: tam::Limits,
}

impl<'m> Lookup<'m> {
    /// Splits a message without looking at its rows.
    ///
    /// # Errors
    /// Those of [`read`](crate::read) about what is around the rows.
    pub fn new(message: &'m [u8], options: &Options<'_>) -> Result<Lookup<'m>, Error> {
        Lookup::take(message, options).map_err(|error| at_line(error, message))
    }

    fn take(message: &'m [u8], options: &Options<'_>) -> Result<Lookup<'m>, Error> {
        let limits = options.limits;
        let in_range = message.len() <= limits.message_bytes as usize && !mime::is_multipart(message);
        if let Some((head, table)) = envelope::front(message).filter(|_| in_range) {
            let schema = match head.schema {
                SchemaSource::Reference(id) => {
                    options.registry.and_then(|registry| registry.get(&id)).cloned().ok_or_else(|| {
                        let found = format!("a reference to the schema '{}'", id.escape_debug());
                        crate::place::unsupported(0, found, "a schema in the message, or one that the registry has")
                    })?
                }
                SchemaSource::Inline { notation, .. } => {
                    let text = message.get(notation.clone()).and_then(|text| str::from_utf8(text).ok());
                    Arc::new(
                        schema::parse(text.unwrap_or_default(), true, &limits)
                            .map_err(|error| moved(error, notation.start))?,
                    )
                }
            };
            let rows = message.get(table.clone()).unwrap_or_default();
            return Ok(Lookup {
                schema,
                rows,
                at: table.start,
                parts: Parts::none(&limits, message.len()),
                message,
                limits,
            });
        }
        let taken = Message::new(message, &limits)?;
        let schema = taken.schema(options)?;
        let (rows, at) = taken.table();
        Ok(Lookup { schema, rows: rows.as_bytes(), at, parts: taken.parts, message, limits })
    }

    /// The data schema.
    #[must_use]
    pub fn schema(&self) -> &DataSchema {
        &self.schema
    }

    /// The value at a path of names: steps after slashes, each a name or `name[k]` for the k-th element of that name
    /// from 1; `@name` at the end for an attribute, or `text()`. Attributes without a row have their defaults. `None`
    /// if no row has the value.
    ///
    /// For octets in a part of their own, this is the name of the part; see [`Lookup::octets`].
    ///
    /// # Errors
    /// Of kind schema if the schema has no such path; of kind syntax if a visited row is invalid.
    pub fn get(&self, path: &str) -> Result<Option<Cow<'m, str>>, Error> {
        let target = self.target(path)?;
        let found = rows::find(self, &target).map_err(|error| at_line(error, self.message))?;
        self.value(found, &target)
    }

    /// The value that a row has at a path, and what it is. `None` if no row has it, or if it takes more than this row
    /// to say whether the path leads there: because of defaults, of several elements of one name, or of comments.
    ///
    /// # Errors
    /// Those of [`Lookup::get`]; also of kind schema if the value has another type.
    pub fn find(&self, path: &str) -> Result<Option<(Cow<'m, str>, Place)>, Error> {
        let target = self.target(path)?;
        let found = rows::find(self, &target).map_err(|error| at_line(error, self.message))?;
        let (Some(of), false, Some(_)) = (target.value, target.is_ambiguous, found) else { return Ok(None) };
        if target.has_rest {
            let rest = Target { attribute: Some(REST), ..target.clone() };
            if rows::find(self, &rest)?.is_some() {
                return Ok(None);
            }
        }
        let Some(value) = self.value(found, &target)? else { return Ok(None) };
        if !self.schema.allows(of, &value) {
            return Err(schema_error(self.at, "a value of another type", self.schema.expected(of)));
        }
        Ok((target.default.as_deref() != Some(&*value)).then_some((value, target.place)))
    }

    fn target(&self, path: &str) -> Result<Target, Error> {
        Target::of(&self.schema, path, &|target| {
            let found = rows::find(self, target)?;
            let value = found.map(|found| self.value(Some(found), target)).transpose()?;
            Ok(value.flatten().map(Cow::into_owned))
        })
    }

    /// The octets at a path, borrowed if they are in a part of their own.
    ///
    /// # Errors
    /// Those of [`Lookup::get`]; also of kind schema if the value is not octets.
    pub fn octets(&self, path: &str) -> Result<Option<Cow<'m, [u8]>>, Error> {
        let Some(value) = self.get(path)? else { return Ok(None) };
        if let Some(id) = value.strip_prefix("cid:") {
            return self.parts.octets(id, self.at).map(|octets| Some(Cow::Borrowed(octets)));
        }
        let mut octets = Vec::new();
        match xml::base64::decode(&value, &mut octets) {
            Some(()) => Ok(Some(Cow::Owned(octets))),
            None => Err(schema_error(self.at, "text that is not base64", "an OCTET STRING in base64")),
        }
    }

    /// An index of all rows, to be kept with the message.
    ///
    /// # Errors
    /// Those of [`read`](crate::read), because every row is read.
    pub fn index(&self) -> Result<RowIndex, Error> {
        RowIndex::new(self).map_err(|error| at_line(error, self.message))
    }

    /// The path in numbers of the row of each unit of the [document](crate::read), in the order of a walk; `None` for
    /// units that have no row.
    ///
    /// ```
    /// use lengthwise_tdxml::{Lookup, Options};
    ///
    /// let message = br#"<Env xmlns="urn:tdxml"><DS>a[0] ::= SEQUENCE { b[0] SEQUENCE OF UTF8String }</DS><CT>
    /// [0][0]0{.}
    /// one
    /// ""
    /// </CT></Env>"#;
    /// let paths = Lookup::new(message, &Options::default())?.paths()?;
    /// // The elements a and b, the text of b, and the element b that is empty.
    /// assert_eq!(paths, [None, None, Some("[0][0]0".to_owned()), Some("[0][0]1".to_owned())]);
    /// # Ok::<(), lengthwise_tdxml::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`read`](crate::read), because every row is read.
    pub fn paths(&self) -> Result<Vec<Option<String>>, Error> {
        index::paths(self).map_err(|error| at_line(error, self.message))
    }

    /// The value in a range of the rows.
    fn value(&self, found: Option<(usize, usize)>, target: &Target) -> Result<Option<Cow<'m, str>>, Error> {
        let Some((start, end)) = found else { return Ok(target.default.clone().map(Cow::Owned)) };
        let raw = self.rows.get(start..end).unwrap_or_default();
        let text = envelope::characters(raw).map_err(|error| moved(error, self.at + start));
        let value = text.and_then(|text| escape::decode(text).map_err(|error| moved(error, self.at + start)));
        value.map(Some).map_err(|error| at_line(error, self.message))
    }
}
