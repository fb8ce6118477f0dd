//! Documents from objects of Python.

use lengthwise::asn1::compiled::Kind;
use lengthwise::asn1::{Compiled, NodeId};
use lengthwise::tam::{Builder, Name, Table, TypeSet, Words};
use lengthwise::{Error, ErrorKind, Limits};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyList, PyMemoryView, PyString, PyTuple};

use crate::assemble::decimal_type;
use crate::error::Failure;
use crate::typed;
use crate::value::hex;

/// What objects mean.
#[derive(Clone, Copy)]
pub(crate) enum Form<'t> {
    /// Values of PON and TSF: a tuple is an array, any float a number.
    Values,
    /// Values of a type of a schema, which become the JSON of X.697: a tuple of a name and a value is a CHOICE, one of octets and
    /// a number of bits is a BIT STRING, and any is a SEQUENCE OF where the type is one.
    Schema(&'t Compiled, NodeId),
}

/// Levels of one object. More are those of an object that contains itself, or that no reader would take.
pub(crate) const DEPTH: u32 = Limits::DEFAULT.depth;

/// Fills a table with the document of an object, in the type set `value`.
pub(crate) fn fill(
    object: &Bound<'_, PyAny>,
    form: Form<'_>,
    default: Option<&Bound<'_, PyAny>>,
    table: &mut Table<'_>,
) -> Result<(), Failure> {
    let limits = Limits { depth: DEPTH, ..Limits::DEFAULT };
    let builder = Builder::new(b"", TypeSet::VALUE, limits, table);
    let mut writer = Writer { builder, form, default, open: Vec::new() };
    match writer.walk(object) {
        Ok(()) => Ok(writer.builder.finish()?),
        Err(Failure::Message(error)) if error.path().is_empty() => {
            Err(error.with_no_place().in_path(writer.builder.path()).into())
        }
        Err(failure) => Err(failure),
    }
}

struct Writer<'a, 'p, 't, 's> {
    builder: Builder<'static, 't, 's>,
    form: Form<'a>,
    default: Option<&'a Bound<'p, PyAny>>,
    open: Vec<Frame<'p>>,
}

/// The rest of a container.
enum Frame<'p> {
    /// With the key of the member that is being written.
    Members(std::vec::IntoIter<(Bound<'p, PyAny>, Bound<'p, PyAny>)>, Option<Bound<'p, PyAny>>),
    List(Bound<'p, PyList>, usize),
    Tuple(Bound<'p, PyTuple>, usize),
    /// A CHOICE, whose value is written, with its name.
    Choice(Bound<'p, PyString>),
}

/// What is written next, and its key.
type Next<'p> = Option<(Option<Bound<'p, PyAny>>, Bound<'p, PyAny>)>;

impl<'p> Frame<'p> {
    #[inline]
    fn next(&mut self) -> Next<'p> {
        match self {
            Frame::Members(members, key) => {
                let (next, value) = members.next()?;
                Some((Some(key.insert(next).clone()), value))
            }
            Frame::List(list, next) => {
                // A list may become shorter while `default` runs.
                let item = list.get_item(*next).ok()?;
                *next += 1;
                Some((None, item))
            }
            Frame::Tuple(tuple, next) => {
                let item = tuple.get_item(*next).ok()?;
                *next += 1;
                Some((None, item))
            }
            Frame::Choice(_) => None,
        }
    }

    /// The key or the name of what is being written; that of an item is its place.
    fn step(&self) -> Result<&Bound<'p, PyAny>, usize> {
        match self {
            Frame::Members(_, key) => key.as_ref().ok_or(0),
            Frame::List(_, next) | Frame::Tuple(_, next) => Err(next.saturating_sub(1)),
            Frame::Choice(name) => Ok(name),
        }
    }
}

impl<'p> Writer<'_, 'p, '_, '_> {
    fn walk(&mut self, object: &Bound<'p, PyAny>) -> Result<(), Failure> {
        self.value(None, object)?;
        while let Some(mut frame) = self.open.pop() {
            match frame.next() {
                Some((key, value)) => {
                    self.open.push(frame);
                    self.value(key.as_ref(), &value).map_err(|failure| self.located(failure))?;
                }
                None => self.builder.close()?,
            }
        }
        Ok(())
    }

    /// The failure of the value that is being written in the innermost container, with the path of that value.
    #[cold]
    fn located(&self, failure: Failure) -> Failure {
        let error = match failure {
            Failure::Message(error) if error.path().is_empty() => error,
            failure => return failure,
        };
        let mut path = self.builder.path();
        match self.open.last().map(Frame::step) {
            // The key itself may be refused.
            Some(Ok(key)) => {
                if let Ok(key) = key.cast::<PyString>().map_err(PyErr::from).and_then(|key| key.to_cow()) {
                    Name::plain(key.as_bytes()).push_step(1, 0, &mut path);
                }
            }
            Some(Err(place)) => Name::plain(b"").push_step(1, place, &mut path),
            None => {}
        }
        error.with_no_place().in_path(path).into()
    }

    /// The node of the value that is being written, if it is known.
    #[cold]
    fn node(&self) -> Option<(&Compiled, NodeId)> {
        let Form::Schema(types, root) = self.form else { return None };
        let mut frames = self.open.iter();
        let node = frames.try_fold(root, |node, frame| match (frame.step(), types.node(node).kind) {
            (Err(_), Kind::Array(array)) => Some(array.item),
            (Ok(name), _) => Some(types.member(node, name.cast::<PyString>().ok()?.to_str().ok()?)?.node),
            _ => None,
        });
        node.map(|node| (types, node))
    }

    /// Writes a value, or opens it.
    #[inline]
    fn value(&mut self, key: Option<&Bound<'p, PyAny>>, object: &Bound<'p, PyAny>) -> Result<(), Failure> {
        let key = match key {
            Some(key) => Some(text(key.cast::<PyString>().map_err(|_| unlike(key, "a str as the key"))?)?),
            None => None,
        };
        self.named(key, object)
    }

    fn named(&mut self, key: Option<&str>, object: &Bound<'p, PyAny>) -> Result<(), Failure> {
        if let Ok(string) = object.cast::<PyString>() {
            return self.put(b'\'', key, text(string)?.as_bytes());
        }
        if object.is_none() {
            return self.put(b'~', key, b"");
        }
        if let Ok(boolean) = object.cast::<PyBool>() {
            return self.put(b'?', key, if boolean.is_true() { b"t" } else { b"f" });
        }
        if let Ok(integer) = object.cast::<PyInt>() {
            return self.integer(key, integer);
        }
        if let Ok(float) = object.cast::<PyFloat>() {
            return self.float(key, float.value());
        }
        if let Ok(dict) = object.cast::<PyDict>() {
            self.open(b'{', key)?;
            let members: Vec<_> = dict.iter().collect();
            self.open.push(Frame::Members(members.into_iter(), None));
            return Ok(());
        }
        if let Ok(list) = object.cast::<PyList>() {
            self.open(b'[', key)?;
            self.open.push(Frame::List(list.clone(), 0));
            return Ok(());
        }
        if let Ok(octets) = object.cast::<PyBytes>() {
            return self.put(b'*', key, octets.as_bytes());
        }
        self.rare(key, object)
    }

    fn rare(&mut self, key: Option<&str>, object: &Bound<'p, PyAny>) -> Result<(), Failure> {
        if let Ok(tuple) = object.cast::<PyTuple>() {
            return self.tuple(key, tuple);
        }
        if object.cast::<PyByteArray>().is_ok() || object.cast::<PyMemoryView>().is_ok() {
            let octets = PyBuffer::<u8>::get(object)?.to_vec(object.py())?;
            return self.put(b'*', key, &octets);
        }
        if object.is_instance(decimal_type(object.py())?)? {
            return self.decimal(key, object);
        }
        self.named(key, &simpler(object, self.default, matches!(self.form, Form::Schema(..)), false)?)
    }

    fn tuple(&mut self, key: Option<&str>, tuple: &Bound<'p, PyTuple>) -> Result<(), Failure> {
        let is_array = match self.form {
            Form::Values => true,
            Form::Schema(..) => {
                self.node().is_some_and(|(types, node)| matches!(types.node(node).kind, Kind::Array(_)))
            }
        };
        if is_array {
            self.open(b'[', key)?;
            self.open.push(Frame::Tuple(tuple.clone(), 0));
            return Ok(());
        }
        let pair: Option<(Bound<'_, PyAny>, Bound<'_, PyAny>)> = tuple.extract().ok();
        if let Some((first, second)) = &pair
            && let Ok(name) = first.cast::<PyString>()
        {
            self.open(b'{', key)?;
            self.open.push(Frame::Choice(name.clone()));
            return self.named(Some(text(name)?), second).map_err(|failure| self.located(failure));
        }
        let bits =
            pair.and_then(|(first, second)| Some((first.cast_into::<PyBytes>().ok()?, second.extract::<u64>().ok()?)));
        let Some((octets, bits)) = bits else {
            const EXPECTED: &str =
                "a tuple of a name and a value (CHOICE), of octets and a number of bits (BIT STRING), or a SEQUENCE OF";
            let found = format!("a tuple of {}", Words::Count(tuple.len() as u64, "items"));
            return Err(Error::without_place(ErrorKind::Unsupported, "python", found, EXPECTED).into());
        };
        self.open(b'{', key)?;
        self.builder.primitive(b'\'', b"value", hex(octets.as_bytes()).as_bytes())?;
        self.builder.primitive(b'#', b"length", bits.to_string().as_bytes())?;
        Ok(self.builder.close()?)
    }

    fn integer(&mut self, key: Option<&str>, integer: &Bound<'p, PyInt>) -> Result<(), Failure> {
        match integer.extract::<i64>() {
            Ok(small) => self.put(b'#', key, itoa::Buffer::new().format(small).as_bytes()),
            Err(_) => self.put(b'#', key, text(&digits(integer)?)?.as_bytes()),
        }
    }

    fn float(&mut self, key: Option<&str>, float: f64) -> Result<(), Failure> {
        // X.697 has words in strings.
        let (kind, infinite) = match self.form {
            Form::Values => (b'%', ["Infinity", "-Infinity"]),
            Form::Schema(..) => (b'\'', ["INF", "-INF"]),
        };
        let is_negative = float.is_sign_negative();
        let word = match float {
            _ if float.is_nan() => "NaN",
            _ if float.is_infinite() => infinite[usize::from(is_negative)],
            0.0 if is_negative && kind == b'\'' => "-0",
            _ => return self.put(b'%', key, zmij::Buffer::new().format_finite(float).as_bytes()),
        };
        self.put(kind, key, word.as_bytes())
    }

    fn decimal(&mut self, key: Option<&str>, decimal: &Bound<'p, PyAny>) -> Result<(), Failure> {
        match number(decimal)? {
            Ok(digits) => self.put(b'%', key, text(&digits)?.as_bytes()),
            Err(float) => self.float(key, float),
        }
    }

    #[inline]
    fn put(&mut self, kind: u8, key: Option<&str>, data: &[u8]) -> Result<(), Failure> {
        Ok(self.builder.primitive_member(kind, key.map(str::as_bytes), data)?)
    }

    #[inline]
    fn open(&mut self, kind: u8, key: Option<&str>) -> Result<(), Failure> {
        Ok(self.builder.open_member(kind, key.map(str::as_bytes))?)
    }
}

/// What is written in place of an object of another type: the result of `default`. Without a `default` it is a `dict` of the
/// object's fields; with `drops_none`, fields that are `None` are left out. More is known `inside` of
/// objects of classes.
#[cold]
pub(crate) fn simpler<'p>(
    object: &Bound<'p, PyAny>,
    default: Option<&Bound<'p, PyAny>>,
    drops_none: bool,
    inside: bool,
) -> Result<Bound<'p, PyAny>, Failure> {
    let Some(default) = default else {
        return match typed::simpler(object, drops_none, inside)? {
            Some(simpler) if is_known(&simpler)? => Ok(simpler),
            _ => Err(unlike(object, "None, bool, int, float, Decimal, str, bytes, dict, list or tuple").into()),
        };
    };
    // What it returns may again be something that only it knows; the depth bounds how often.
    let mut simpler = default.call1((object,))?;
    for _ in 0..DEPTH {
        if is_known(&simpler)? {
            return Ok(simpler);
        }
        simpler = default.call1((&simpler,))?;
    }
    Err(unlike(&simpler, "a result of `default` that is known").into())
}

/// The digits of an integer of any size.
#[cold]
pub(crate) fn digits<'p>(integer: &Bound<'p, PyInt>) -> Result<Bound<'p, PyString>, Failure> {
    let py = integer.py();
    // A subclass may have another text.
    let digits = py.get_type::<PyInt>().getattr("__repr__")?.call1((integer,));
    let digits = digits.map_err(|error| match error.is_instance_of::<PyValueError>(py) {
        true => {
            let expected = "at most sys.get_int_max_str_digits()";
            Failure::from(Error::without_place(ErrorKind::Limit, "python", "an integer of more digits", expected))
        }
        false => error.into(),
    })?;
    Ok(digits.cast_into::<PyString>().map_err(PyErr::from)?)
}

/// The text of a `Decimal`, or the float that it is if it is not finite.
pub(crate) fn number<'p>(decimal: &Bound<'p, PyAny>) -> PyResult<Result<Bound<'p, PyString>, f64>> {
    match decimal.call_method0("is_finite")?.is_truthy()? {
        true => decimal.str().map(Ok),
        false => decimal.extract().map(Err),
    }
}

/// Whether an object is written without `default`.
fn is_known(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.is_none()
        || object.cast::<PyString>().is_ok()
        || object.cast::<PyInt>().is_ok()
        || object.cast::<PyFloat>().is_ok()
        || object.cast::<PyDict>().is_ok()
        || object.cast::<PyList>().is_ok()
        || object.cast::<PyTuple>().is_ok()
        || object.cast::<PyBytes>().is_ok()
        || object.cast::<PyByteArray>().is_ok()
        || object.cast::<PyMemoryView>().is_ok()
        || object.is_instance(decimal_type(object.py())?)?)
}

/// The text of a string.
#[inline]
pub(crate) fn text<'a>(string: &'a Bound<'_, PyString>) -> Result<&'a str, Error> {
    string.to_str().map_err(|_| {
        Error::without_place(
            ErrorKind::Unsupported,
            "python",
            "a str with a lone surrogate",
            "text that UTF-8 can hold",
        )
    })
}

#[cold]
pub(crate) fn unlike(object: &Bound<'_, PyAny>, expected: &'static str) -> Error {
    let name = object.get_type().fully_qualified_name();
    let found = name.map_or_else(|_| "an object".to_owned(), |name| format!("an object of {name}"));
    Error::without_place(ErrorKind::Unsupported, "python", Words::Own(found), expected)
}
