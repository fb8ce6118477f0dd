//! Members of an object in the order they are expected.

use tam::Error;

use crate::Value;
use crate::cursor::Members;

/// Looks members up in the order they are likely to come.
///
/// A program that reads a struct asks for its members one after the other, and most messages have
/// them in that very order. Then each is where the one before it ended, and no key is searched for.
/// A member that is elsewhere is searched for from the start of the object, as [`Value::get`] does;
/// one that is not there costs a look at all keys. If a key comes more than once, this finds the
/// next one after the member found last, and [`Value::get`] always finds the first. To get one answer
/// only, ask for each key once and in order, or check for duplicates.
///
/// ```
/// struct Reading<'m> {
///     room: &'m str,
///     ok: bool,
///     t: Option<f64>,
/// }
///
/// # fn main() -> Result<(), lengthwise_pon::Error> {
/// let mut members = lengthwise_pon::Value::new(b"24{room:5sattict:4d21.5ok:t")?.record()?;
/// let reading = Reading {
///     room: members.require("room")?.as_str()?,
///     ok: members.require("ok")?.as_bool()?,
///     t: members.get("t")?.map(|t| t.as_f64()).transpose()?,
/// };
/// assert_eq!((reading.room, reading.ok, reading.t), ("attic", true, Some(21.5)));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Record<'m> {
    object: Value<'m>,
    /// The members after the one found last.
    rest: Members<'m>,
}

impl<'m> Record<'m> {
    pub(crate) fn new(object: Value<'m>, members: Members<'m>) -> Record<'m> {
        Record { object, rest: members }
    }

    /// The member with that key: the next one after the member found last, or else the first in the object.
    ///
    /// # Errors
    /// Where the object is at fault before the member.
    #[inline(always)]
    pub fn get(&mut self, key: &str) -> Result<Option<Value<'m>>, Error> {
        if self.rest.skip_key(key) { self.value().map(Some) } else { self.elsewhere(key) }
    }

    /// The member of that key, which must be there.
    ///
    /// # Errors
    /// As [`Record::get`], and [`ErrorKind::Schema`](tam::ErrorKind::Schema) where there is none.
    #[inline(always)]
    pub fn require(&mut self, key: &str) -> Result<Value<'m>, Error> {
        if self.rest.skip_key(key) {
            return self.value();
        }
        match self.elsewhere(key) {
            Ok(Some(value)) => Ok(value),
            Ok(None) => Err(self.object.missing(key)),
            Err(error) => Err(error),
        }
    }

    /// The value of a key. If there is none, the next member is searched for from the start.
    #[inline(always)]
    fn value(&mut self) -> Result<Value<'m>, Error> {
        let value = self.rest.value();
        if value.is_err() {
            self.rest = self.object.members();
        }
        value
    }

    #[inline(never)]
    fn elsewhere(&mut self, key: &str) -> Result<Option<Value<'m>>, Error> {
        let mut members = self.object.members();
        let found = members.find(key)?;
        if found.is_some() {
            self.rest = members;
        }
        Ok(found)
    }
}
