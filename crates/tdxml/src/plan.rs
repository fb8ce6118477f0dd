//! Rust types as messages, with serde: plans that convert rows to typed values without comparing names (paper section
//! 3.2.2).
//!
//! | Rust | TDXML |
//! | --- | --- |
//! | structs | records; a field is the element of its name, `@name` the attribute, `$text` the text |
//! | sequences | elements that are repeated |
//! | `None`, `()` | no row |
//! | `bool`, integers, floats, `char`, `str` | values |
//! | bytes (by `serde_bytes`) | octets, in base64 or in a part of the message |
//! | enums without data | values: the name of the variant |
//! | enums of newtype variants | records that are choices: the variant is the alternative |
//! | newtype structs | the inner value |
//! | maps | records; the keys are the names of fields |

mod de;
mod fields;
mod rows;
mod ser;
mod value_de;
mod value_ser;

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;

use serde_core::{Deserialize, Serialize};
use tam::{Error, ErrorKind};
use xml::escape::Context;

use crate::envelope::{self, SchemaSource};
use crate::mime;
use crate::place::{at_line, schema as schema_error};
use crate::reader::{Message, moved};
use crate::schema::Content;
use crate::{Binary, DataSchema, FORMAT, Options, Registry, Scheme, Tags};
use fields::RecordPlan;
use rows::Memory;

/// Types are nested no deeper than this.
const LEVELS: u32 = 128;

thread_local! {
    /// The memory of the last message, for the next one.
    static MEMORY: Cell<Option<Box<Memory>>> = const { Cell::new(None) };
}

/// A schema prepared for typed values: the names of elements are looked up once for each type.
///
/// Messages refer to the schema if it has an identifier, otherwise they include it.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use serde::{Deserialize, Serialize};
/// use lengthwise_tdxml::{DataSchema, Plan};
///
/// #[derive(Debug, PartialEq, Serialize, Deserialize)]
/// struct Order<'m> {
///     #[serde(rename = "@id")]
///     id: u32,
///     #[serde(borrow)]
///     item: Vec<Item<'m>>,
/// }
/// #[derive(Debug, PartialEq, Serialize, Deserialize)]
/// struct Item<'m> {
///     name: &'m str,
///     price: f64,
/// }
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let schema: DataSchema = "order [0] ::= SEQUENCE { id(0) [ATTRIBUTE] INTEGER
///     item[0] SEQUENCE OF { name[0] UTF8String, price[1] REAL } }".parse()?;
/// let plan = Plan::new(schema.with_id("urn:order"));
/// let order = Order { id: 17, item: vec![Item { name: "tea", price: 2.5 }, Item { name: "milk", price: 1.1 }] };
/// let message = plan.to_vec(&order)?;
/// let expected = r#"<TDXML:Env xmlns:TDXML="urn:tdxml"><TDXML:DS ref="urn:order"/><TDXML:CT>
/// [0](0) |17
/// [0][0]0{[0] [1]}
/// tea|2.5
/// milk|1.1
/// </TDXML:CT></TDXML:Env>"#;
/// assert_eq!(message, expected.as_bytes());
/// assert_eq!(plan.read::<Order>(&message)?, order);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Plan {
    schema: DataSchema,
    scheme: Scheme,
    binary: Binary,
    /// The start and end of messages, around the rows.
    head: Vec<u8>,
    tail: Vec<u8>,
    /// The schema in notation, escaped for XML.
    notation: Vec<u8>,
    records: Vec<RecordPlan>,
}

impl Plan {
    /// A plan for a schema.
    #[must_use]
    pub fn new(schema: DataSchema) -> Plan {
        let records = schema.records.iter().map(RecordPlan::new).collect();
        let mut notation = Vec::new();
        xml::escape::push(&mut notation, &schema.to_string(), Context::Lines);
        let (scheme, binary) = (Scheme::Smaller, Binary::Base64);
        let (head, tail) = (Vec::new(), Vec::new());
        let plan = Plan { schema, scheme, binary, head, tail, notation, records };
        plan.with_tags(Tags::Short)
    }

    /// The same plan, writing with this scheme. [`Scheme::Smaller`], the default, groups what occurs twice or more.
    #[must_use]
    pub fn with_scheme(mut self, scheme: Scheme) -> Plan {
        self.scheme = scheme;
        self
    }

    /// The same plan, writing octets this way. Default [`Binary::Base64`].
    #[must_use]
    pub fn with_binary(mut self, binary: Binary) -> Plan {
        self.binary = binary;
        self
    }

    /// The same plan, writing other tags. Default [`Tags::Short`].
    #[must_use]
    pub fn with_tags(mut self, tags: Tags) -> Plan {
        let id = self.schema.id.as_deref();
        let notation = if id.is_some() { None } else { Some(self.schema.to_string()) };
        self.head.clear();
        self.tail.clear();
        envelope::start(tags, false, id, notation.as_deref(), &mut self.head);
        envelope::end(tags, false, &mut self.tail);
        self
    }

    /// The schema.
    #[must_use]
    pub fn schema(&self) -> &DataSchema {
        &self.schema
    }

    /// Reads a value of a Rust type from a message. `&str` is borrowed if the value contains no references, and `&[u8]`
    /// if the octets are in a part of their own.
    ///
    /// Every row is checked, whether the type has a field for it or not.
    ///
    /// # Errors
    /// Those of [`read`](crate::read); also of kind schema if the message has another schema, or rows do not match the
    /// type; of kind limit if a recursive type is nested deeper than 128 levels.
    pub fn read<'de, T: Deserialize<'de>>(&self, message: &'de [u8]) -> Result<T, Error> {
        self.take(message).map_err(|error| at_line(error, message))
    }

    fn take<'de, T: Deserialize<'de>>(&self, message: &'de [u8]) -> Result<T, Error> {
        let parts = mime::read(message, &tam::Limits::DEFAULT)?;
        let (envelope, start) = parts.root(message);
        // An envelope that this plan could have written needs no parsing.
        let rows = envelope.strip_prefix(&self.head[..]).and_then(|rest| rest.strip_suffix(&self.tail[..]));
        if let Some(rows) = rows.filter(|rows| memchr::memchr(b'<', rows).is_none()) {
            let at = start + self.head.len();
            let text = envelope::characters(rows).map_err(|error| moved(error, at))?;
            return de::read(self, (text, at), &parts, message.len());
        }
        let taken = Message::new(message, &tam::Limits::DEFAULT)?;
        self.check_schema(&taken)?;
        de::read(self, taken.table(), &taken.parts, message.len())
    }

    fn check_schema(&self, message: &Message<'_>) -> Result<(), Error> {
        let same = match &message.envelope.schema {
            SchemaSource::Reference(id) => self.schema.id.as_deref() == Some(&**id),
            SchemaSource::Inline { notation, .. } => {
                let text = message.text.get(notation.clone()).unwrap_or_default();
                text.trim_ascii().as_bytes() == self.notation || {
                    let mut schema = message.schema(&Options::default())?;
                    let schema = Arc::make_mut(&mut schema);
                    schema.id.clone_from(&self.schema.id);
                    *schema == self.schema
                }
            }
        };
        match same {
            true => Ok(()),
            false => Err(schema_error(message.at, "another schema", "the schema of the plan")),
        }
    }

    /// Writes a value of a Rust type as a message.
    ///
    /// # Errors
    /// Of kind schema if it does not match the schema, of kind unsupported if it contains characters that XML does not
    /// allow.
    pub fn to_vec<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>, Error> {
        let mut out = Vec::new();
        self.append(value, &mut out)?;
        Ok(out)
    }

    /// Appends a value of a Rust type as a message to `out`. On an error `out` is unchanged.
    ///
    /// # Errors
    /// Those of [`Plan::to_vec`].
    pub fn append<T: Serialize + ?Sized>(&self, value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        let start = out.len();
        let written = self.write(value, out);
        if written.is_err() {
            out.truncate(start);
        }
        written.map_err(|error| if error.format().is_empty() { error.met_in(FORMAT, 0) } else { error })
    }

    fn write<T: Serialize + ?Sized>(&self, value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        const KEPT: usize = 64 << 10;
        let mut memory = MEMORY.take().unwrap_or_default();
        let start = out.len();
        out.extend_from_slice(&self.head);
        ser::write(self, value, &mut memory, out)?;
        out.extend_from_slice(&self.tail);
        let parts = memory.items.take_parts();
        if !parts.is_empty() {
            let envelope = out.split_off(start);
            mime::write(&envelope, &parts, out);
        }
        if memory.items.memory() <= KEPT {
            MEMORY.set(Some(memory));
        }
        Ok(())
    }

    fn record(&self, content: &Content) -> Option<&RecordPlan> {
        match content {
            Content::Record(id) => self.records.get(id.0 as usize),
            Content::Value(_) => None,
        }
    }
}

/// Plans by the identifiers of their schemas, for a party that receives several kinds of messages.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_tdxml::{DataSchema, Plan, Plans};
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let mut plans = Plans::new();
/// plans.insert(Plan::new("note[0] ::= UTF8String".parse::<DataSchema>()?.with_id("urn:note")));
/// let message = plans.get("urn:note").unwrap().to_vec("Hello")?;
/// let plan = plans.of(&message)?;
/// assert_eq!(plan.read::<&str>(&message)?, "Hello");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct Plans {
    plans: HashMap<String, Arc<Plan>>,
}

impl Plans {
    /// No plans.
    #[must_use]
    pub fn new() -> Plans {
        Plans::default()
    }

    /// Plans for all schemas of a registry.
    #[must_use]
    pub fn from_registry(registry: &Registry) -> Plans {
        let mut plans = Plans::new();
        for schema in registry.schemas() {
            plans.insert(Plan::new(schema.clone()));
        }
        plans
    }

    /// Adds a plan whose schema has an identifier, and returns the previous one. A plan without an identifier is not
    /// added.
    pub fn insert(&mut self, plan: Plan) -> Option<Arc<Plan>> {
        let id = plan.schema.id.clone()?;
        self.plans.insert(id, Arc::new(plan))
    }

    /// The plan with an identifier.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Arc<Plan>> {
        self.plans.get(id)
    }

    /// The plan for the schema identifier of a message.
    ///
    /// # Errors
    /// Those of [`read`](crate::read) about what is around the rows; of kind unsupported if there is no plan.
    pub fn of(&self, message: &[u8]) -> Result<&Arc<Plan>, Error> {
        let taken = Message::new(message, &tam::Limits::DEFAULT).map_err(|error| at_line(error, message))?;
        let id = match &taken.envelope.schema {
            SchemaSource::Reference(id) | SchemaSource::Inline { id: Some(id), .. } => id,
            SchemaSource::Inline { id: None, .. } => "",
        };
        self.plans.get(id).ok_or_else(|| {
            let found = format!("the schema '{}'", id.escape_debug());
            Error::new(ErrorKind::Unsupported, FORMAT, taken.at as u64, found, "a schema that there is a plan for")
        })
    }
}
