//! One value by its path, without reading the rows before it (paper section 2.2, benefit 4).

mod index;
mod rows;
mod target;

use std::borrow::Cow;
use std::sync::Arc;

use tam::Error;

use crate::envelope::{self, Told};
use crate::mime::{self, Parts};
use crate::place::{at_line, schema as schema_error};
use crate::reader::{Message, moved};
use crate::schema;
use crate::{DataSchema, Options, escape};
pub use index::RowIndex;
use target::Target;

/// A message whose values are looked up one by one.
///
/// Rows are in the order of their paths, so that one is found by halving what is left of the table: rows
/// that are not on the way are neither looked at nor checked. Below a record whose elements come in any order the
/// table is gone through from its start; a [`RowIndex`] spares that as well.
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
    /// Where the rows begin in the message.
    at: usize,
    parts: Parts<'m>,
    message: &'m [u8],
    limits: tam::Limits,
}

impl<'m> Lookup<'m> {
    /// Takes a message apart; its rows are not looked at.
    ///
    /// # Errors
    /// As [`read`](crate::read), of what stands around the rows.
    pub fn new(message: &'m [u8], options: &Options<'_>) -> Result<Lookup<'m>, Error> {
        Lookup::take(message, options).map_err(|error| at_line(error, message))
    }

    fn take(message: &'m [u8], options: &Options<'_>) -> Result<Lookup<'m>, Error> {
        let limits = options.limits;
        let in_range = message.len() <= limits.message_bytes as usize && !mime::is_multipart(message);
        if let Some((head, table)) = envelope::front(message).filter(|_| in_range) {
            let schema = match head.schema {
                Told::Reference(id) => {
                    options.registry.and_then(|registry| registry.get(&id)).cloned().ok_or_else(|| {
                        let found = format!("a reference to the schema '{}'", id.escape_debug());
                        crate::place::unsupported(0, found, "a schema in the message, or one that the registry has")
                    })?
                }
                Told::Inline { notation, .. } => {
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

    /// The value at a path of names: steps behind slashes, each a name or `name[k]`, the k-th of that name
    /// from 1; `@name` last for an attribute. `text()` may stand last. Attributes that no row tells have
    /// their defaults. `None` where no row has it.
    ///
    /// Of octets in a part of their own it is what names the part; see [`Lookup::octets`].
    ///
    /// # Errors
    /// Of kind schema where the schema has no such path; of kind syntax where rows on the way are none.
    pub fn get(&self, path: &str) -> Result<Option<Cow<'m, str>>, Error> {
        let target = Target::of(&self.schema, path)?;
        let found = rows::find(self, &target).map_err(|error| at_line(error, self.message))?;
        self.value(found, &target)
    }

    /// The octets at a path, borrowed where they are in a part of their own.
    ///
    /// # Errors
    /// As [`Lookup::get`]; of kind schema too where the value is no octets.
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
    /// As [`read`](crate::read): every row is looked at.
    pub fn index(&self) -> Result<RowIndex, Error> {
        RowIndex::new(self).map_err(|error| at_line(error, self.message))
    }

    /// The value that stands in a range of the rows.
    fn value(&self, found: Option<(usize, usize)>, target: &Target) -> Result<Option<Cow<'m, str>>, Error> {
        let Some((start, end)) = found else { return Ok(target.default.clone().map(Cow::Owned)) };
        let raw = self.rows.get(start..end).unwrap_or_default();
        let text = envelope::characters(raw).map_err(|error| moved(error, self.at + start));
        let value = text.and_then(|text| escape::decode(text).map_err(|error| moved(error, self.at + start)));
        value.map(Some).map_err(|error| at_line(error, self.message))
    }
}
