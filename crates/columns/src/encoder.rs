//! Batches into messages.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_buffer::i256;
use arrow_schema::{DataType, Fields, Schema};
use asn1::compiled::{Compiled, Kind, Member, Presence};
use asn1::{EncodingRules, Filler, NodeId, Options, Value, Values, jer};
use tam::{Builder, Error, ErrorKind, Limits, Table, TypeSet, Words};

use crate::FORMAT;
use crate::cell::{Cell, decimal};
use crate::filling::Undecoded;
use crate::open_types;
use crate::plan::{CONTENTS, DEPTH, dates};

/// Writes the rows of batches as messages of one type.
///
/// The columns are those that a [`Decoder`](crate::Decoder) makes, or others that hold the same: INTEGER from integers of
/// any size, REAL from integers, floats and decimals, texts and octets from any layout, ENUMERATED from texts or a dictionary, times
/// from dates, times and timestamps of any unit. A timestamp with a time zone is a moment, which is written in UTC. Null is a
/// component that is absent, and so is all of a column of the type Null.
///
/// ```
/// use arrow_array::{ArrayRef, Int64Array, RecordBatch};
/// use asn1::{Compiled, Options};
/// use lengthwise_columns::Encoder;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let types = Compiled::from_notation(
///     "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
///         Reading ::= SEQUENCE { sensor INTEGER (0..15), celsius INTEGER (-40..87) }
///      END",
/// )?;
/// let sensors: ArrayRef = std::sync::Arc::new(Int64Array::from(vec![3, 99]));
/// let celsius: ArrayRef = std::sync::Arc::new(Int64Array::from(vec![20, 21]));
/// let batch = RecordBatch::try_from_iter([("sensor", sensors), ("celsius", celsius)])?;
/// let mut encoder = Encoder::new(&types, types.find("Reading")?, &Options::uper(), batch.schema_ref())?;
/// let mut message = Vec::new();
/// encoder.append(&batch, 0, &mut message)?;
/// assert_eq!(message, [0x37, 0x80]);
/// assert_eq!(encoder.append(&batch, 1, &mut message).unwrap_err().path(), "/sensor");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Encoder<'t> {
    types: &'t Compiled,
    node: NodeId,
    options: Options,
    /// The columns, as the last batch has them.
    columns: Fields,
    plan: Plan,
    values: Values,
    table: Table<'static>,
}

/// What of a type is in which columns.
#[derive(Debug)]
enum Plan {
    Scalar(NodeId),
    /// The only column of a batch, for a type that has no components.
    Alone(Box<Plan>),
    /// Components with their names and columns.
    Record(Vec<(Box<str>, usize, Plan)>),
    /// The column of the chosen one's name, and the alternatives.
    Choice(usize, Vec<(Box<str>, usize, Plan)>),
    List(Box<Plan>),
    /// A value or a string, where a contents constraint is: their columns.
    Contents {
        value: (usize, Box<Plan>),
        string: Option<(usize, Box<Plan>)>,
    },
    /// A date of an XML Schema: the type of most.
    Date(NodeId),
    /// A column without a type: all of its values are null.
    Null,
    /// A component that may be left out where it has its default.
    Defaulted(NodeId, Default),
}

/// The default of a component, as a column has it.
#[derive(Debug)]
enum Default {
    Boolean(bool),
    Integer(i128),
    Text(Box<str>),
}

impl Default {
    /// That of a simple value, if columns have it in one form only.
    fn of(value: Value<'_>) -> Option<Default> {
        Some(match value.kind() {
            Kind::Boolean => Default::Boolean(value.as_bool()?),
            Kind::Integer(_) => Default::Integer(value.as_integer()?.to_i128()?),
            Kind::Enumerated(number) => {
                Default::Text(value.types().enumeration(number).text(value.as_item()? as usize)?.into())
            }
            Kind::Text(_) => Default::Text(value.as_str()?.into()),
            _ => return None,
        })
    }

    fn cell(&self) -> Cell<'_> {
        match self {
            Default::Boolean(value) => Cell::Boolean(*value),
            Default::Integer(number) => Cell::Integer(*number),
            Default::Text(text) => Cell::Text(text),
        }
    }
}

impl<'t> Encoder<'t> {
    /// An encoder of rows with the columns of a schema, into messages of a type by the rules of `options`.
    ///
    /// # Errors
    /// Kind schema for a column that is no component of the type, for one that holds something else, and where a component
    /// has no column but must be there. The path is that of the component.
    pub fn new(types: &'t Compiled, node: NodeId, options: &Options, schema: &Schema) -> Result<Encoder<'t>, Error> {
        let planner = Binder { types };
        let plan = match types.node(node).kind {
            Kind::Record(_) => planner.plan(node, &DataType::Struct(schema.fields().clone()), "", 0)?,
            _ => {
                let [field] = &schema.fields()[..] else {
                    let found = Words::Count(schema.fields().len() as u64, "columns");
                    return Err(Error::new(ErrorKind::Schema, FORMAT, 0, found, "one, of the values"));
                };
                Plan::Alone(Box::new(planner.plan(node, field.data_type(), "", 0)?))
            }
        };
        let (options, columns) = (*options, schema.fields().clone());
        let (values, table) = (Values::new(), Table::new());
        Ok(Encoder { types, node, options, columns, plan, values, table })
    }

    /// The rules that the octets of open types in columns are by, if these are from a [`Decoder`](crate::Decoder) and say it.
    ///
    /// # Errors
    /// Kind unsupported if they are of several rules.
    pub fn rules_of(schema: &Schema) -> Result<Option<EncodingRules>, Error> {
        open_types::rules_of(schema.fields())
    }

    /// Whether there are columns of open types: octets, which it takes to be by its own rules.
    #[must_use]
    pub fn has_open_types(&self) -> bool {
        let mut left = vec![&self.plan];
        while let Some(plan) = left.pop() {
            match plan {
                Plan::Scalar(node) if matches!(self.types.node(*node).kind, Kind::Open(_)) => return true,
                Plan::Scalar(_) | Plan::Date(_) | Plan::Null | Plan::Defaulted(..) => {}
                Plan::Alone(inner) | Plan::List(inner) => left.push(inner),
                Plan::Record(members) | Plan::Choice(_, members) => left.extend(members.iter().map(|(.., plan)| plan)),
                Plan::Contents { value, string } => {
                    left.push(&value.1);
                    left.extend(string.iter().map(|(_, plan)| &**plan));
                }
            }
        }
        false
    }

    /// Appends the message of a row; the number of its bytes. BOOLEAN, INTEGER, ENUMERATED and strings that are the default of their
    /// component are left out.
    ///
    /// # Errors
    /// Kind schema for a value that the type does not allow, with its path; those of [`asn1::append`]; kind unsupported for
    /// a batch with another schema. Nothing is then appended.
    ///
    /// # Panics
    /// If the batch has no such row.
    pub fn append(&mut self, batch: &RecordBatch, row: usize, out: &mut Vec<u8>) -> Result<usize, Error> {
        let options = self.options;
        asn1::append(self.of_row(batch, row, true)?, &options, out)
    }

    /// The value of a row, with its defaults. Its open types are octets.
    ///
    /// # Errors
    /// Kind schema for a value that the type does not allow, with its path; kind unsupported for a batch with another schema.
    ///
    /// # Panics
    /// If the batch has no such row.
    pub fn value(&mut self, batch: &RecordBatch, row: usize) -> Result<Value<'_>, Error> {
        self.of_row(batch, row, false)
    }

    fn of_row(&mut self, batch: &RecordBatch, row: usize, omits_defaults: bool) -> Result<Value<'_>, Error> {
        assert!(row < batch.num_rows(), "row {row} of {}", batch.num_rows());
        self.takes(batch)?;
        let limits = Limits { depth: DEPTH as u32 * 4, ..self.options.limits };
        let mut builder = Builder::new(b"", TypeSet::VALUE, limits, &mut self.table);
        let rules = match self.options.rules {
            EncodingRules::Uper | EncodingRules::Aper => "per",
            EncodingRules::Oer => "oer",
            _ => "ber",
        };
        let mut writer = Writer { types: self.types, builder: &mut builder, rules, omits_defaults };
        match &self.plan {
            Plan::Alone(plan) => writer.value(plan, None, batch.column(0), row)?,
            plan => writer.components(plan, None, batch.columns(), row)?,
        }
        builder.finish()?;
        let document = self.table.document(b"", TypeSet::VALUE);
        let limits = self.options.limits;
        let mut filler = Undecoded(Filler::new(self.types, limits, &mut self.values));
        jer::read_events(&document, self.types, self.node, &limits, &mut filler)?;
        Ok(self.values.value(self.types, self.node, document.texts().0))
    }
}

impl Encoder<'_> {
    /// Whether a batch has the columns that have been bound. Those of the batch before are not compared again.
    fn takes(&mut self, batch: &RecordBatch) -> Result<(), Error> {
        let columns = batch.schema_ref().fields();
        if std::ptr::eq(columns.as_ptr(), self.columns.as_ptr()) {
            return Ok(());
        }
        if *columns != self.columns {
            let found = "a batch of another schema";
            return Err(Error::new(ErrorKind::Unsupported, FORMAT, 0, found, "that of the encoder"));
        }
        self.columns = columns.clone();
        Ok(())
    }
}

/// Finds the columns of types.
struct Binder<'t> {
    types: &'t Compiled,
}

impl Binder<'_> {
    fn plan(&self, node: NodeId, ty: &DataType, path: &str, depth: usize) -> Result<Plan, Error> {
        let types = self.types;
        if depth >= DEPTH {
            return Err(Error::limit(FORMAT, 0, "one more level", "depth", DEPTH as u64).in_path(path));
        }
        if *ty == DataType::Null {
            return Ok(Plan::Null);
        }
        let unlike = |expected: &'static str| {
            let found = format!("a column of {ty} for {}", types.kind_name(node));
            Err(Error::new(ErrorKind::Schema, FORMAT, 0, found, expected).in_path(path))
        };
        Ok(match types.node(node).kind {
            Kind::Record(number) => {
                let DataType::Struct(fields) = ty else { return unlike("a struct") };
                let members = &types.record(number).members;
                let names = members.iter().map(|member| (&*member.name, member.node));
                let mut found = self.children(names, fields, &[], path, depth)?;
                let bound: HashSet<&str> = found.iter().map(|(name, ..)| &**name).collect();
                let is_missing =
                    |member: &&Member| member.presence == Presence::Mandatory && !bound.contains(&*member.name);
                if let Some(member) = members.iter().find(is_missing) {
                    let error = Error::new(ErrorKind::Schema, FORMAT, 0, format!("no column {}", member.name), "");
                    return Err(error.in_path(path));
                }
                for (name, _, plan) in &mut found {
                    let of = types.member(node, name).and_then(|place| members.get(place.index as usize));
                    if let Some(Presence::Default(default)) = of.map(|member| member.presence)
                        && let Some(default) = Default::of(types.default_value(default))
                        && let Plan::Scalar(node) = *plan
                    {
                        *plan = Plan::Defaulted(node, default);
                    }
                }
                Plan::Record(found)
            }
            Kind::Choice(number) => match dates(types, number) {
                Some(date) if !matches!(ty, DataType::Struct(_)) => Plan::Date(date),
                _ => {
                    let DataType::Struct(fields) = ty else { return unlike("a struct with `_tag`") };
                    let Some((tag, _)) = fields.find(TAG) else { return unlike("a struct with `_tag`") };
                    let alternatives = types.choice(number).alternatives.iter();
                    let names = alternatives.map(|alternative| (&*alternative.name, alternative.node));
                    Plan::Choice(tag, self.children(names, fields, &[TAG], path, depth)?)
                }
            },
            Kind::Array(array) => match ty {
                DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
                    Plan::List(Box::new(self.plan(array.item, item.data_type(), path, depth + 1)?))
                }
                _ => return unlike("a list"),
            },
            Kind::Open(number) if types.open(number).is_string() => {
                let [content, string] = types.open(number).alternatives[..] else { return unlike("a string") };
                let DataType::Struct(fields) = ty else { return self.plan(string, ty, path, depth + 1) };
                let found = self.children(CONTENTS.into_iter().zip([content, string]), fields, &[TAG], path, depth)?;
                let mut found = found.into_iter().map(|(name, place, plan)| (name, (place, Box::new(plan))));
                match (found.next(), found.next()) {
                    (Some((name, value)), string) if *name == *CONTENTS[0] => {
                        Plan::Contents { value, string: string.map(|(_, string)| string) }
                    }
                    _ => return unlike("a struct with `containing`, or a string"),
                }
            }
            _ => Plan::Scalar(node),
        })
    }

    /// The columns that are components, in the order of the type. All columns must be.
    fn children<'n>(
        &self,
        names: impl Iterator<Item = (&'n str, NodeId)>,
        fields: &Fields,
        other: &[&str],
        path: &str,
        depth: usize,
    ) -> Result<Vec<(Box<str>, usize, Plan)>, Error> {
        let by_name: HashMap<&str, usize> =
            fields.iter().enumerate().map(|(place, field)| (field.name().as_str(), place)).collect();
        let mut known = vec![false; fields.len()];
        let mut children = Vec::new();
        for (name, node) in names {
            let Some(place) = by_name.get(name).copied() else { continue };
            known[place] = true;
            let plan = self.plan(node, fields[place].data_type(), &format!("{path}/{name}"), depth + 1)?;
            children.push((name.into(), place, plan));
        }
        let unknown = |(known, field): (&bool, &std::sync::Arc<arrow_schema::Field>)| {
            (!known && !other.contains(&field.name().as_str())).then(|| field.name().clone())
        };
        match known.iter().zip(fields).find_map(unknown) {
            Some(name) => {
                let found = match by_name.get(&name[..]).is_some_and(|place| known[*place]) {
                    true => format!("a second column {name}"),
                    false => format!("the column {name}, which is no component"),
                };
                Err(Error::new(ErrorKind::Schema, FORMAT, 0, found, "").in_path(format!("{path}/{name}")))
            }
            None => Ok(children),
        }
    }
}

/// The field of a CHOICE that names the chosen alternative.
const TAG: &str = "_tag";

/// Writes the JSON of X.697 of rows.
struct Writer<'w, 't, 'b, 'x> {
    types: &'t Compiled,
    builder: &'w mut Builder<'static, 'b, 'x>,
    /// The name of the rules that octets of open types are of.
    rules: &'static str,
    /// Whether components that have their default are left out.
    omits_defaults: bool,
}

/// The word of X.697 for a number that has no digits.
fn special(number: f64) -> Option<&'static str> {
    match number {
        _ if number.is_nan() => Some("NaN"),
        f64::INFINITY => Some("INF"),
        f64::NEG_INFINITY => Some("-INF"),
        _ if number == 0.0 && number.is_sign_negative() => Some("-0"),
        _ => None,
    }
}

/// Whether a number in units of 10^-scale has no fraction.
fn is_whole(number: i256, scale: i8) -> bool {
    let unit = u8::try_from(scale).ok().and_then(|scale| i256::from(10).checked_pow(scale.into()));
    scale <= 0 || unit.is_some_and(|unit| number % unit == i256::ZERO)
}

/// Bits, given by their digits, as hexadecimal digits of octets.
fn packed(digits: &str) -> String {
    let octet = |bits: &[u8]| bits.iter().enumerate().fold(0u8, |octet, (at, bit)| octet | (bit & 1) << (7 - at));
    digits.as_bytes().chunks(8).map(|bits| format!("{:02X}", octet(bits))).collect()
}

impl Writer<'_, '_, '_, '_> {
    fn put(&mut self, kind: u8, name: Option<&str>, data: &[u8]) -> Result<(), Error> {
        self.builder.primitive_member(kind, name.map(str::as_bytes), data)
    }

    fn open(&mut self, kind: u8, name: Option<&str>) -> Result<(), Error> {
        self.builder.open_member(kind, name.map(str::as_bytes))
    }

    /// A value. Recursion is as deep as the plan.
    fn value(&mut self, plan: &Plan, name: Option<&str>, array: &ArrayRef, row: usize) -> Result<(), Error> {
        if array.is_null(row) {
            return self.put(b'~', name, b"");
        }
        match plan {
            Plan::Null => self.put(b'~', name, b""),
            Plan::Record(_) => match array.as_struct_opt() {
                Some(record) => self.components(plan, name, record.columns(), row),
                None => self.put(b'~', name, b""),
            },
            Plan::Choice(tag, alternatives) => {
                let columns = array.as_struct().columns();
                let tag = Cell::at(&columns[*tag], row);
                let chosen = match tag.text() {
                    Some(text) => alternatives.iter().find(|(name, ..)| **name == *text),
                    None => return Err(self.unlike(name, format!("{tag} as `{TAG}`"), "the name of an alternative")),
                };
                let Some((alternative, place, plan)) = chosen else {
                    let expected = "the name of an alternative that has a column";
                    return Err(self.unlike(name, format!("{tag} as `{TAG}`"), expected));
                };
                self.open(b'{', name)?;
                self.value(plan, Some(&**alternative), &columns[*place], row)?;
                self.builder.close()
            }
            Plan::List(item) => {
                let items = match array.data_type() {
                    DataType::List(_) => array.as_list::<i32>().value(row),
                    DataType::LargeList(_) => array.as_list::<i64>().value(row),
                    _ => array.as_fixed_size_list().value(row),
                };
                self.open(b'[', name)?;
                for row in 0..items.len() {
                    self.value(item, None, &items, row)?;
                }
                self.builder.close()
            }
            Plan::Contents { value: (place, plan), string } => {
                let columns = array.as_struct().columns();
                match string {
                    Some((string, plan)) if columns[*place].is_null(row) => {
                        self.value(plan, name, &columns[*string], row)
                    }
                    _ => {
                        self.open(b'{', name)?;
                        self.value(plan, Some(CONTENTS[0]), &columns[*place], row)?;
                        self.builder.close()
                    }
                }
            }
            Plan::Date(most) => {
                let cell = Cell::at(array, row);
                let text = self.text_of(*most, cell);
                let Some(text) = text else { return Err(self.unlike(name, cell.to_string(), "a date or a text")) };
                self.put(b'\'', name, text.as_bytes())
            }
            Plan::Scalar(node) | Plan::Defaulted(node, _) => self.scalar(*node, name, Cell::at(array, row)),
            Plan::Alone(plan) => self.value(plan, name, array, row),
        }
    }

    /// The text of a value for a type of characters.
    fn text_of<'c>(&self, node: NodeId, cell: Cell<'c>) -> Option<Cow<'c, str>> {
        match (cell, self.types.node(node).kind) {
            (Cell::Text(text), _) => Some(Cow::Borrowed(text)),
            (Cell::Point(point), Kind::Text(number)) => point.text(self.types.characters(number).kind).map(Cow::Owned),
            _ => None,
        }
    }

    /// A simple value of a type.
    fn scalar(&mut self, node: NodeId, name: Option<&str>, cell: Cell<'_>) -> Result<(), Error> {
        let text = self.text_of(node, cell);
        match (self.types.node(node).kind, text.as_deref().map_or(cell, Cell::Text)) {
            (Kind::Null, Cell::Boolean(true)) => self.put(b'~', name, b""),
            (Kind::Boolean, Cell::Boolean(value)) => self.put(b'?', name, if value { b"t" } else { b"f" }),
            (Kind::Integer(_) | Kind::Real, Cell::Integer(number)) => {
                self.put(b'#', name, number.to_string().as_bytes())
            }
            (Kind::Real, Cell::Double(number)) => match special(number) {
                Some(word) => self.put(b'\'', name, word.as_bytes()),
                None => self.put(b'%', name, number.to_string().as_bytes()),
            },
            (Kind::Integer(_), Cell::Decimal(number, scale)) if is_whole(number, scale) => {
                let text = decimal(number, scale);
                self.put(b'#', name, text.split('.').next().unwrap_or_default().as_bytes())
            }
            (Kind::Real, Cell::Decimal(number, scale)) => self.scalar(node, name, Cell::Text(&decimal(number, scale))),
            (Kind::Real, Cell::Text(text)) => match special(text.parse().unwrap_or(0.5)) {
                Some(word) => self.put(b'\'', name, word.as_bytes()),
                None => {
                    self.open(b'{', name)?;
                    self.put(b'\'', Some("base10Value"), text.as_bytes())?;
                    self.builder.close()
                }
            },
            (Kind::BitString(..), Cell::Text(digits)) if digits.bytes().all(|digit| matches!(digit, b'0' | b'1')) => {
                self.open(b'{', name)?;
                self.put(b'\'', Some("value"), packed(digits).as_bytes())?;
                self.put(b'#', Some("length"), digits.len().to_string().as_bytes())?;
                self.builder.close()
            }
            (Kind::Enumerated(_) | Kind::Text(_) | Kind::ObjectIdentifier | Kind::RelativeOid, Cell::Text(text)) => {
                self.put(b'\'', name, text.as_bytes())
            }
            (Kind::OctetString(_), Cell::Octets(octets)) => self.put(b'*', name, octets),
            (Kind::Open(_), Cell::Octets(octets)) => {
                self.open(b'{', name)?;
                let mut digits = String::with_capacity(octets.len() * 2);
                octets.iter().for_each(|octet| digits.push_str(&format!("{octet:02X}")));
                self.put(b'\'', Some(self.rules), digits.as_bytes())?;
                self.builder.close()
            }
            (_, cell) => {
                let expected = match self.types.node(node).kind {
                    Kind::Null => "true",
                    Kind::Boolean => "a boolean",
                    Kind::Integer(_) => "an integer",
                    Kind::Real => "a number",
                    Kind::BitString(..) => "a digit 0 or 1 for each bit",
                    Kind::OctetString(_) | Kind::Open(_) => "octets",
                    _ => "a text",
                };
                Err(self.unlike(name, cell.to_string(), expected))
            }
        }
    }

    /// The components of a record that are there.
    fn components(&mut self, plan: &Plan, name: Option<&str>, columns: &[ArrayRef], row: usize) -> Result<(), Error> {
        let Plan::Record(members) = plan else { return Ok(()) };
        self.open(b'{', name)?;
        for (name, place, plan) in members {
            let is_absent = match plan {
                Plan::Null => true,
                Plan::Defaulted(node, default) if self.omits_defaults => {
                    let cell = Cell::at(&columns[*place], row);
                    self.text_of(*node, cell).as_deref().map_or(cell, Cell::Text) == default.cell()
                }
                _ => false,
            };
            if !is_absent && !columns[*place].is_null(row) {
                self.value(plan, Some(&**name), &columns[*place], row)?;
            }
        }
        self.builder.close()
    }

    #[cold]
    fn unlike(&self, name: Option<&str>, found: String, expected: &'static str) -> Error {
        let path = self.builder.path();
        let path = name.map_or_else(|| path.clone(), |name| format!("{path}/{name}"));
        Error::new(ErrorKind::Schema, FORMAT, 0, found, expected).in_path(path)
    }
}
