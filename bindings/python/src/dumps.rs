//! PON of objects of Python, written from the last value to the first.

use std::cell::Cell;

use lengthwise::pon::{Backward, End};
use lengthwise::tam::Words;
use lengthwise::{Error, ErrorKind, Limits};
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyList, PyMemoryView, PyString, PyTuple, PyType,
};

use crate::assemble::decimal_type;
use crate::error::Failure;
use crate::from_python::{DEPTH, digits, number, simpler, text, unlike};
use crate::typed::{self, Field, Fields};

/// Room for a message, whose pages are not touched before they are needed. More is not kept.
const ROOM: usize = 1 << 20;

thread_local! { static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) } }

/// Writes an object.
pub(crate) fn dumps<'p>(
    object: &Bound<'p, PyAny>,
    default: Option<&Bound<'p, PyAny>>,
) -> Result<Bound<'p, PyBytes>, Failure> {
    let mut buffer = BUFFER.take();
    if buffer.is_empty() {
        buffer = vec![0; ROOM];
    }
    let (mut made, mut passes) = (Vec::new(), 0);
    let message = loop {
        passes += 1;
        let room = buffer.len();
        let (out, stack, open) = (Backward::new(&mut buffer), Vec::new(), Vec::new());
        let mut writer =
            Writer { out, default, stack, open, units_left: UNITS, made: &mut made, taken: 0, class: None };
        writer.walk(object)?;
        match writer.out.len() {
            // Now the length is known.
            // It is longer each time if it has an attribute that is.
            len if len > room && u32::try_from(len).is_ok() && passes < PASSES => buffer = vec![0; len],
            _ => break PyBytes::new(object.py(), writer.out.finish()?),
        }
    };
    if buffer.len() == ROOM {
        BUFFER.set(buffer);
    }
    Ok(message)
}

/// Levels after which it is looked whether an object contains itself, and as many more.
const FEW: usize = 64;
/// How often an object is gone through, once to find how long it is.
const PASSES: u32 = 4;
const UNITS: u32 = Limits::DEFAULT.units;

#[cold]
fn beyond(limit: &'static str, most: u32) -> Failure {
    Error::without_place(ErrorKind::Limit, "python", "a larger object", Words::AtMost(most.into(), limit)).into()
}

struct Writer<'b, 'p> {
    out: Backward<'b, 'static>,
    default: Option<&'b Bound<'p, PyAny>>,
    /// What comes in front of what is written, the next one last.
    stack: Vec<Entry<'p>>,
    /// The containers in it that have begun.
    open: Vec<Open<'p>>,
    units_left: u32,
    /// What was made of objects, in the order in which they are met; and how many of these this pass has met.
    made: &'b mut Vec<Made<'p>>,
    taken: usize,
    /// The class met last, and its fields.
    class: Option<(Bound<'p, PyType>, Bound<'p, Fields>)>,
}

/// An object of a class, and the simpler one that was made of it.
struct Made<'p> {
    of: Bound<'p, PyAny>,
    simpler: Bound<'p, PyAny>,
}

struct Entry<'p> {
    key: Option<Bound<'p, PyAny>>,
    /// `None` for the innermost container, whose content is written.
    value: Option<Bound<'p, PyAny>>,
    /// Whether it is inside of an object of a class.
    inside: bool,
}

struct Open<'p> {
    address: usize,
    /// What an object of a class has may be made at each access: kept, so that no other object gets its place.
    _object: Option<Bound<'p, PyAny>>,
    end: End,
    is_object: bool,
}

impl<'p> Writer<'_, 'p> {
    fn walk(&mut self, object: &Bound<'p, PyAny>) -> Result<(), Failure> {
        self.value(object, None, false)?;
        while let Some(entry) = self.stack.pop() {
            if let Some(value) = entry.value {
                self.value(&value, entry.key, entry.inside)?;
            } else if let Some(Open { end, is_object, .. }) = self.open.pop() {
                if is_object {
                    self.out.object(end);
                } else {
                    self.out.array(end);
                }
                self.key(entry.key.as_ref(), entry.inside)?;
            }
        }
        Ok(())
    }

    #[inline]
    fn key(&mut self, key: Option<&Bound<'p, PyAny>>, inside: bool) -> Result<(), Failure> {
        match key.map(|key| key.cast::<PyString>().map_err(|_| key)) {
            None => {}
            Some(Ok(key)) => self.out.key(text(key)?),
            Some(Err(other)) => self.other_key(other, inside)?,
        }
        Ok(())
    }

    #[cold]
    fn other_key(&mut self, key: &Bound<'p, PyAny>, inside: bool) -> Result<(), Failure> {
        let simpler = if inside { typed::key(key)? } else { key.clone() };
        self.out.key(text(simpler.cast::<PyString>().map_err(|_| unlike(key, "a str as the key"))?)?);
        Ok(())
    }

    /// Writes a value, or begins a container.
    #[inline]
    fn value(&mut self, object: &Bound<'p, PyAny>, key: Option<Bound<'p, PyAny>>, inside: bool) -> Result<(), Failure> {
        match self.units_left.checked_sub(1) {
            Some(left) => self.units_left = left,
            None => return Err(beyond("units", UNITS)),
        }
        // The types that most objects are of, by one comparison each.
        if let Ok(string) = object.cast_exact::<PyString>() {
            self.out.string(text(string)?);
        } else if let Ok(integer) = object.cast_exact::<PyInt>() {
            self.integer(integer)?;
        } else if let Ok(float) = object.cast_exact::<PyFloat>() {
            self.out.float(float.value());
        } else if let Ok(boolean) = object.cast_exact::<PyBool>() {
            self.out.boolean(boolean.is_true());
        } else if object.is_none() {
            self.out.null();
        } else if let Ok(dict) = object.cast_exact::<PyDict>() {
            return self.dict(dict, key, inside);
        } else if let Ok(list) = object.cast_exact::<PyList>() {
            return self.list(object, list.iter(), key, inside);
        } else {
            return self.other(object, key, inside);
        }
        self.key(key.as_ref(), inside)
    }

    fn other(&mut self, object: &Bound<'p, PyAny>, key: Option<Bound<'p, PyAny>>, inside: bool) -> Result<(), Failure> {
        if let Ok(octets) = object.cast::<PyBytes>() {
            self.out.binary(octets.as_bytes());
        } else if let Ok(tuple) = object.cast::<PyTuple>() {
            return self.list(object, tuple.iter(), key, inside);
        } else if let Ok(string) = object.cast::<PyString>() {
            self.out.string(text(string)?);
        } else if let Ok(integer) = object.cast::<PyInt>() {
            self.integer(integer)?;
        } else if let Ok(float) = object.cast::<PyFloat>() {
            self.out.float(float.value());
        } else if let Ok(dict) = object.cast::<PyDict>() {
            return self.dict(dict, key, inside);
        } else if let Ok(list) = object.cast::<PyList>() {
            return self.list(object, list.iter(), key, inside);
        } else if object.cast::<PyByteArray>().is_ok() || object.cast::<PyMemoryView>().is_ok() {
            self.out.binary(&PyBuffer::<u8>::get(object)?.to_vec(object.py())?);
        } else if object.is_instance(decimal_type(object.py())?)? {
            match number(object)? {
                Ok(digits) => self.out.float_text(text(&digits)?),
                Err(float) => self.out.float(float),
            }
        } else {
            if self.default.is_none()
                && let fields = self.fields(object)?
                && let Some((all, fields)) = &fields.get().0
            {
                return self.record(object, (*all, fields), key);
            }
            let simpler = match self.made.get(self.taken) {
                Some(made) if made.of.is(object) => made.simpler.clone(),
                _ => {
                    let simpler = simpler(object, self.default, false, inside)?;
                    // Objects that are new each time are not those of the pass before.
                    self.made.truncate(self.taken);
                    self.made.push(Made { of: object.clone(), simpler: simpler.clone() });
                    simpler
                }
            };
            self.taken += 1;
            return self.value(&simpler, key, true);
        }
        self.key(key.as_ref(), inside)
    }

    /// The fields of the class of an object.
    #[inline]
    fn fields(&mut self, object: &Bound<'p, PyAny>) -> PyResult<Bound<'p, Fields>> {
        let class = object.get_type();
        if let Some((last, fields)) = &self.class
            && last.is(&class)
        {
            return Ok(fields.clone());
        }
        let fields = Fields::of(&class)?;
        self.class = Some((class, fields.clone()));
        Ok(fields)
    }

    /// Begins an object of a class.
    #[inline]
    fn record(
        &mut self,
        object: &Bound<'p, PyAny>,
        (all, fields): (bool, &[Field]),
        key: Option<Bound<'p, PyAny>>,
    ) -> Result<(), Failure> {
        let py = object.py();
        let unset = Fields::unset(py)?;
        self.head(true, object, key, true)?;
        for (attribute, key) in fields {
            let value = if all { Some(object.getattr(attribute)?) } else { object.getattr_opt(attribute)? };
            if let Some(value) = value.filter(|value| !value.is(unset)) {
                self.stack.push(Entry { key: Some(key.bind(py).clone().into_any()), value: Some(value), inside: true });
            }
        }
        Ok(())
    }

    #[inline]
    fn integer(&mut self, integer: &Bound<'p, PyInt>) -> Result<(), Failure> {
        match integer.extract::<i64>() {
            Ok(small) => self.out.integer(small),
            Err(_) => self.out.integer_text(text(&digits(integer)?)?),
        }
        Ok(())
    }

    #[inline]
    fn dict(&mut self, dict: &Bound<'p, PyDict>, key: Option<Bound<'p, PyAny>>, inside: bool) -> Result<(), Failure> {
        self.head(true, dict, key, inside)?;
        self.stack.extend(dict.iter().map(|(key, value)| Entry { key: Some(key), value: Some(value), inside }));
        Ok(())
    }

    #[inline]
    fn list(
        &mut self,
        object: &Bound<'p, PyAny>,
        items: impl Iterator<Item = Bound<'p, PyAny>>,
        key: Option<Bound<'p, PyAny>>,
        inside: bool,
    ) -> Result<(), Failure> {
        self.head(false, object, key, inside)?;
        self.stack.extend(items.map(|item| Entry { key: None, value: Some(item), inside }));
        Ok(())
    }

    #[inline]
    fn head(
        &mut self,
        is_object: bool,
        object: &Bound<'p, PyAny>,
        key: Option<Bound<'p, PyAny>>,
        inside: bool,
    ) -> Result<(), Failure> {
        let (depth, address) = (self.open.len(), object.as_ptr() as usize);
        // What contains itself has no end; all of its levels would be in memory at once.
        if depth == DEPTH as usize
            || depth > 0 && depth.is_multiple_of(FEW) && self.open.iter().any(|open| open.address == address)
        {
            return Err(beyond("depth", DEPTH));
        }
        let _object = inside.then(|| object.clone());
        self.open.push(Open { address, _object, end: self.out.end(), is_object });
        self.stack.push(Entry { key, value: None, inside });
        Ok(())
    }
}
