//! Which columns a type has.

use std::sync::Arc;

use arrow_array::{ArrayRef, StringArray};
use arrow_buffer::BooleanBufferBuilder;
use asn1::NodeId;
use asn1::compiled::{Compiled, Integer, Kind, Range};
use tam::{Error, ErrorKind};

use crate::FORMAT;
use crate::column::{Bytes, Column, Data, SKIPPED};
use crate::times::{self, Points, Times};

/// Levels of columns in each other.
pub(crate) const DEPTH: usize = 64;

/// Which columns there are, and of which types.
#[derive(Clone, Copy, Debug, Default)]
pub struct Layout<'p> {
    /// The paths of the columns that are built, for example `id` and `place/latitude`; `None` means all. The items of an array have
    /// its path. In a name `~1` is `/`, and `~0` is `~`; a path may begin with `/`.
    pub paths: Option<&'p [&'p str]>,
    /// The paths of columns that are not built, of those that `paths` has.
    pub exclude: &'p [&'p str],
    /// What columns of times are.
    pub times: Times,
}

/// Makes the columns of a type.
pub(crate) struct Planner<'t, 'p> {
    pub(crate) types: &'t Compiled,
    /// The paths asked for, as [`join`] makes them, or all.
    pub(crate) projection: Option<&'p [String]>,
    /// Those that are not built.
    pub(crate) exclude: &'p [String],
    pub(crate) times: Times,
    pub(crate) columns: Vec<Column>,
    /// Types around the one that is planned.
    pub(crate) outer: Vec<NodeId>,
}

/// Whether a column at a path is built.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    No,
    /// Something inside it.
    Inside,
    All,
}

impl Planner<'_, '_> {
    fn wanted(&self, path: &str) -> Wanted {
        let is_below = |inner: &str, outer: &str| {
            outer.is_empty() || inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        if self.exclude.iter().any(|excluded| is_below(path, excluded)) {
            return Wanted::No;
        }
        let Some(paths) = self.projection else { return Wanted::All };
        if paths.iter().any(|asked| is_below(path, asked)) {
            Wanted::All
        } else if paths.iter().any(|asked| is_below(asked, path)) {
            Wanted::Inside
        } else {
            Wanted::No
        }
    }

    /// The column of a type at a path, or [`SKIPPED`].
    pub(crate) fn column(&mut self, node: NodeId, path: &str) -> Result<u32, Error> {
        let wanted = self.wanted(path);
        if wanted == Wanted::No {
            return Ok(SKIPPED);
        }
        let is_recursive = self.outer.contains(&node);
        if is_recursive || self.outer.len() >= DEPTH {
            let found = match is_recursive {
                true => format!("{}, which contains itself", self.types.node(node).name),
                false => format!("columns in more than {DEPTH} levels"),
            };
            let error = Error::new(ErrorKind::Unsupported, FORMAT, 0, found, "a projection that leaves it out");
            return Err(error.in_path(path));
        }
        let types = self.types;
        self.outer.push(node);
        let bytes = |of| Data::Bytes { ends: Vec::new(), data: Vec::new(), of };
        let data = match types.node(node).kind {
            Kind::Boolean | Kind::Null => Data::Boolean(BooleanBufferBuilder::new(0)),
            Kind::Integer(integer) if is_unsigned(&integer) => Data::Unsigned(Vec::new()),
            Kind::Integer(_) => Data::Integer(Vec::new()),
            Kind::Real if types.is_decimal(node) => match times::digits(types, node) {
                Some(digits) => Data::Decimal { numbers: Vec::new(), digits },
                None => bytes(Bytes::Text),
            },
            Kind::Real => Data::Double(Vec::new()),
            Kind::Enumerated(number) => {
                Data::Enumerated { items: Vec::new(), names: names(types.enumeration(number).texts()) }
            }
            Kind::Open(number) if types.open(number).is_string() => {
                let (made, outer) = (self.columns.len(), self.outer.len());
                let alternatives = types.open(number).alternatives.iter().zip(CONTENTS);
                let children = alternatives.map(|(of, name)| self.column(*of, &join(path, name))).collect();
                match children {
                    Ok(children) => Data::Choice { tags: Vec::new(), names: names(CONTENTS.into_iter()), children },
                    // Strings that may contain themselves are octets.
                    Err(error) if error.kind() == ErrorKind::Unsupported && wanted == Wanted::All => {
                        self.columns.truncate(made);
                        self.outer.truncate(outer);
                        bytes(Bytes::Octets)
                    }
                    Err(error) => return Err(error),
                }
            }
            Kind::OctetString(_) => bytes(Bytes::Octets),
            Kind::Open(_) => bytes(Bytes::Open),
            Kind::BitString(..) | Kind::ObjectIdentifier | Kind::RelativeOid => bytes(Bytes::Text),
            Kind::Text(_) => self.text(node),
            Kind::Record(number) => {
                let members = types.record(number).members.iter();
                let children = members.map(|member| self.column(member.node, &join(path, &member.name)));
                Data::Record {
                    number,
                    children: children.collect::<Result<_, _>>()?,
                    is_part: wanted == Wanted::Inside,
                }
            }
            Kind::Choice(number) if dates(types, number).is_some() => {
                // Dates with a time zone are texts only.
                let date = dates(types, number).filter(|_| self.times != Times::Exact);
                self.text(date.unwrap_or(node))
            }
            Kind::Choice(number) => {
                let alternatives = &types.choice(number).alternatives;
                let names = names(alternatives.iter().map(|alternative| &alternative.name[..]));
                let children = alternatives.iter().map(|of| self.column(of.node, &join(path, &of.name)));
                Data::Choice { tags: Vec::new(), names, children: children.collect::<Result<_, _>>()? }
            }
            // The items of an array have its path.
            Kind::Array(array) => Data::List { ends: Vec::new(), item: self.column(array.item, path)? },
        };
        self.outer.pop();
        let is_scalar = !matches!(data, Data::Record { .. } | Data::Choice { .. } | Data::List { .. });
        if wanted == Wanted::Inside && is_scalar {
            let error = Error::new(ErrorKind::Schema, FORMAT, 0, "a path that leads into a simple value", "a column");
            return Err(error.in_path(path));
        }
        self.columns.push(Column::new(data));
        Ok(self.columns.len() as u32 - 1)
    }

    /// The column of a type of characters.
    fn text(&self, node: NodeId) -> Data {
        match Points::of(self.types, node, self.times) {
            Some((of, kind)) => Data::Points { numbers: Vec::new(), of, kind },
            None => Data::Bytes { ends: Vec::new(), data: Vec::new(), of: Bytes::Text },
        }
    }
}

/// Whether integers are not negative, and some are only of 64 bits without a sign.
fn is_unsigned(integer: &Integer) -> bool {
    let Range::Constrained(lower, of) = integer.range else { return false };
    let upper = u64::try_from(lower).ok().and_then(|lower| lower.checked_add(of.span));
    !integer.extensible && upper.is_some_and(|upper| i64::try_from(upper).is_err())
}

/// The type of most values, if a choice is bare: a date, a time or a duration by an XML Schema.
pub(crate) fn dates(types: &Compiled, number: u32) -> Option<NodeId> {
    let choice = types.choice(number);
    choice.alternatives.first().filter(|_| choice.is_bare()).map(|most| most.node)
}

/// What a string with a contents constraint has: the value in it, or only octets or bits.
pub(crate) const CONTENTS: [&str; 2] = ["containing", "octets"];

/// The path of a component (RFC 6901).
pub(crate) fn join(path: &str, name: &str) -> String {
    format!("{path}/{}", tam::escape_step(name))
}

fn names<'a>(names: impl Iterator<Item = &'a str>) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(names))
}
