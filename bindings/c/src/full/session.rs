//! Streams of similar SOAP messages: each is compared with the previous one, and what is equal is not read again.

use core::ffi::{c_char, c_void};
use core::ptr::null;

use lengthwise::dds::{Array, Body, Items, Message, Method, Occurs, Options, Reader, Template, Type, Value};
use lengthwise::xsd::{self, wsdl::Description};
use lengthwise::{Error, Service};

use crate::code::{LW_OK, LW_SCHEMA};
use crate::full::error::{ErrorOut, fill_error};
use crate::full::options::{self, OptionsIn};
use crate::full::schema::{bytes, word};

/// A stream of messages of a service, and its last message. Opaque. Only one thread at a time may use it.
#[derive(Debug)]
pub struct SessionHandle {
    service: Service,
    template: Template,
    /// Whether the last message was valid. If not, the template still holds an earlier one.
    has_last: bool,
}

/// A value of the last message. What it points to belongs to the session, and is valid until the next message.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ValueOut {
    /// The kind of the value, or of each item of an array: LENGTHWISE_INT and so on.
    pub kind: i32,
    /// Whether it is an array.
    pub is_array: bool,
    /// The number, or the first of consecutive numbers of an array; the bytes of a text or of binary data. NULL for
    /// anything else: ask for its members and items.
    pub data: *const c_void,
    /// Items of an array, bytes of a text or of binary data, members of a compound, or 1.
    pub count: usize,
}

/// An optional member that is absent.
pub const LENGTHWISE_ABSENT: i32 = 0;
/// `xsi:nil` in place of a value.
pub const LENGTHWISE_NIL: i32 = 1;
/// A `bool` of one byte.
pub const LENGTHWISE_BOOLEAN: i32 = 2;
/// An `int8_t`.
pub const LENGTHWISE_BYTE: i32 = 3;
/// An `int16_t`.
pub const LENGTHWISE_SHORT: i32 = 4;
/// An `int32_t`.
pub const LENGTHWISE_INT: i32 = 5;
/// An `int64_t`.
pub const LENGTHWISE_LONG: i32 = 6;
/// A `uint8_t`.
pub const LENGTHWISE_UNSIGNED_BYTE: i32 = 7;
/// A `uint16_t`.
pub const LENGTHWISE_UNSIGNED_SHORT: i32 = 8;
/// A `uint32_t`.
pub const LENGTHWISE_UNSIGNED_INT: i32 = 9;
/// A `uint64_t`.
pub const LENGTHWISE_UNSIGNED_LONG: i32 = 10;
/// A `float`.
pub const LENGTHWISE_FLOAT: i32 = 11;
/// A `double`.
pub const LENGTHWISE_DOUBLE: i32 = 12;
/// Text in UTF-8, without a final zero.
pub const LENGTHWISE_TEXT: i32 = 13;
/// Octets.
pub const LENGTHWISE_BINARY: i32 = 14;
/// A compound of members; for an array, one whose members can be read as arrays.
pub const LENGTHWISE_RECORD: i32 = 15;
/// For an array: items that must be read one by one.
pub const LENGTHWISE_VALUES: i32 = 16;

/// Statistics of differential deserialization.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct StatsOut {
    /// Messages read.
    pub messages: u64,
    /// The number of these that were read completely.
    pub regular: u64,
    /// Messages that were invalid.
    pub errors: u64,
    /// Bytes of all messages.
    pub bytes: u64,
    /// Bytes that were not read because they equal the previous message.
    pub bytes_skipped: u64,
    /// Bytes of memory kept for the next message.
    pub memory: u64,
}

/// Opens a session with a service described in WSDL 1.1, `len` bytes, which must not include other documents. The
/// limits in `options` apply to the description and to each message; NULL means the defaults.
///
/// Returns the session, for lengthwise_session_free; or NULL, and fills `*error`, which may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_session_open(
    wsdl: *const c_char,
    len: usize,
    options: *const OptionsIn,
    error: *mut ErrorOut,
) -> *mut SessionHandle {
    let open = || {
        let source = xsd::Memory::new().with("service.wsdl", unsafe { bytes(wsdl, len) });
        let limits = unsafe { options::limits(options) }?;
        let options = xsd::Options::default().with_limits(limits);
        let service = Service::from_wsdl(&Description::read_from(source, "service.wsdl", &options)?, &options)?;
        let template = Template::new(Reader::new(service.schema().clone(), &Options::default().with_limits(limits)));
        Ok::<_, Error>(SessionHandle { service, template, has_last: false })
    };
    match open() {
        Ok(session) => Box::into_raw(Box::new(session)),
        Err(fault) => {
            unsafe { fill_error(&fault, error) };
            core::ptr::null_mut()
        }
    }
}

/// Reads the next message of `len` bytes.
///
/// Returns LW_OK; otherwise a code, and fills `*error`, which may be NULL; the session then has no last message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_session_read(
    session: &mut SessionHandle,
    message: *const c_char,
    len: usize,
    error: *mut ErrorOut,
) -> i32 {
    session.template.give_up();
    session.has_last = false;
    unsafe {
        match lengthwise_session_feed(session, message, len, error) {
            LW_OK => lengthwise_session_finish(session, error),
            code => code,
        }
    }
}

/// Takes a piece of the next message, and reads what is complete. Pieces may end anywhere. lengthwise_session_finish
/// reports errors in the message.
///
/// Returns LW_OK, or LW_LIMIT if the message has become too long, and fills `*error`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_session_feed(
    session: &mut SessionHandle,
    piece: *const c_char,
    len: usize,
    error: *mut ErrorOut,
) -> i32 {
    match session.template.feed(unsafe { bytes(piece, len) }) {
        Ok(()) => LW_OK,
        Err(fault) => unsafe { fill_error(&fault, error) },
    }
}

/// Ends the message after its last piece. Returns the same as lengthwise_session_read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_session_finish(session: &mut SessionHandle, error: *mut ErrorOut) -> i32 {
    let read = session.template.finish().and_then(|message| session.service.check_version(message));
    session.has_last = read.is_ok();
    match read {
        Ok(()) => LW_OK,
        Err(fault) => unsafe { fill_error(&fault, error) },
    }
}

/// The name of the element in the body of the last message, without its namespace, which identifies the message of the
/// service. Returns LW_OK, or LW_SCHEMA if the message is a fault or missing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_session_method(
    session: &SessionHandle,
    name: &mut *const c_char,
    len: &mut usize,
) -> i32 {
    let Some((method, _)) = session.call() else { return LW_SCHEMA };
    (*name, *len) = (method.name.local.as_ptr().cast(), method.name.local.len());
    LW_OK
}

/// The reason in the last message, if it is a fault: LW_OK, otherwise LW_SCHEMA.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_session_fault(
    session: &SessionHandle,
    reason: &mut *const c_char,
    len: &mut usize,
) -> i32 {
    let Some(message) = session.last() else { return LW_SCHEMA };
    let Body::Fault(fault) = &message.body else { return LW_SCHEMA };
    (*reason, *len) = (fault.reason.as_ptr().cast(), fault.reason.len());
    LW_OK
}

/// Finds a value in the last message: "/resultElements/3/title", with names of members without namespaces and item
/// numbers from 0; "" is the whole message. A name after an array of compounds of simple members is that member of all
/// items: "/resultElements/title" is an array.
///
/// Returns LW_OK, or LW_SCHEMA if there is nothing at the path.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_session_value(
    session: &SessionHandle,
    path: *const c_char,
    value: &mut ValueOut,
) -> i32 {
    let Ok(Some(path)) = (unsafe { word(path) }) else { return LW_SCHEMA };
    match session.find(path) {
        Some(place) => {
            *value = place.value_out();
            LW_OK
        }
        None => LW_SCHEMA,
    }
}

/// Returns the statistics of differencing so far.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_session_stats(session: &SessionHandle, stats: &mut StatsOut) {
    let of = session.template.stats();
    *stats = StatsOut {
        messages: of.messages,
        regular: of.regular,
        errors: of.errors,
        bytes: of.bytes,
        bytes_skipped: of.bytes_skipped,
        memory: of.memory,
    };
}

/// Releases a session. NULL is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_session_free(session: *mut SessionHandle) {
    if !session.is_null() {
        drop(unsafe { Box::from_raw(session) });
    }
}

impl SessionHandle {
    /// The message read last, unless it was invalid.
    fn last(&self) -> Option<&Message> {
        self.template.last().filter(|_| self.has_last).map(|(message, _)| message)
    }

    /// The call in the message read last.
    fn call(&self) -> Option<(&Method, &Value)> {
        let message = self.last()?;
        let Body::Call { method, value } = &message.body else { return None };
        Some((self.service.schema().methods().get(*method)?, value))
    }

    fn find(&self, path: &str) -> Option<ValueRef<'_>> {
        let (method, value) = self.call()?;
        let (mut ty, mut many, mut place) = (method.ty, false, ValueRef::Value(value));
        let steps = path.strip_prefix('/').unwrap_or(path);
        for step in steps.split('/').filter(|_| !steps.is_empty()) {
            let array = place.array();
            if array.is_some() && !many {
                let Type::Array { item, .. } = self.service.schema().get(ty) else { return None };
                ty = *item;
            }
            // The type is now that of the array's items, if it is an array.
            many = false;
            if let Ok(number) = step.parse::<usize>() {
                place = ValueRef::item(array?, number)?;
            } else {
                let Type::Complex(complex) = self.service.schema().get(ty) else { return None };
                let at = complex.members.iter().position(|member| member.name.local == step)?;
                let member = &complex.members[at];
                (ty, many) = (member.ty, member.occurs == Occurs::Many);
                place = match (array.map(Array::items), place) {
                    (Some(Items::Columns(columns)), _) => ValueRef::Array(columns.get(at)?),
                    (_, ValueRef::Row(columns, row)) => ValueRef::item(columns.get(at)?, row)?,
                    (_, ValueRef::Value(value)) => ValueRef::Value(value.member(at)?),
                    _ => return None,
                };
                // The items of a column are the members.
                many |= array.is_some();
            }
            while let ValueRef::Value(Value::Union(_, inner)) = place {
                place = ValueRef::Value(inner);
            }
        }
        Some(place)
    }
}

/// The position of a value.
#[derive(Clone, Copy)]
enum ValueRef<'a> {
    Value(&'a Value),
    Array(&'a Array),
    /// An item of an array that is not nil.
    Item(&'a Items, usize),
    /// A compound whose members are in columns.
    Row(&'a [Array], usize),
    Nil,
}

/// Passes all kinds of numbers and their names here to a macro.
macro_rules! for_each_number {
    ($macro:ident) => {
        $macro! {
            Boolean LENGTHWISE_BOOLEAN, Byte LENGTHWISE_BYTE, Short LENGTHWISE_SHORT, Int LENGTHWISE_INT,
            Long LENGTHWISE_LONG, UnsignedByte LENGTHWISE_UNSIGNED_BYTE, UnsignedShort LENGTHWISE_UNSIGNED_SHORT,
            UnsignedInt LENGTHWISE_UNSIGNED_INT, UnsignedLong LENGTHWISE_UNSIGNED_LONG, Float LENGTHWISE_FLOAT,
            Double LENGTHWISE_DOUBLE
        }
    };
}

impl<'a> ValueRef<'a> {
    fn array(self) -> Option<&'a Array> {
        match self {
            ValueRef::Array(array) => Some(array),
            ValueRef::Value(value) => value.as_array(),
            _ => None,
        }
    }

    /// An item of an array.
    fn item(array: &'a Array, at: usize) -> Option<ValueRef<'a>> {
        if at >= array.len() {
            return None;
        }
        if array.nil().binary_search(&(at as u32)).is_ok() {
            return Some(ValueRef::Nil);
        }
        Some(match array.items() {
            Items::Columns(columns) => ValueRef::Row(columns, at),
            Items::Values(values) => ValueRef::Value(values.get(at)?),
            items => ValueRef::Item(items, at),
        })
    }

    fn value_out(self) -> ValueOut {
        let one = |kind, data: *const c_void, count| ValueOut { kind, is_array: false, data, count };
        let text = |text: &str| one(LENGTHWISE_TEXT, text.as_ptr().cast(), text.len());
        let binary = |octets: &[u8]| one(LENGTHWISE_BINARY, octets.as_ptr().cast(), octets.len());
        if let Some(array) = self.array() {
            return array_value(array);
        }
        macro_rules! value_of {
            ($($kind:ident $name:ident),*) => {
                match self {
                    ValueRef::Nil | ValueRef::Value(Value::Nil) => one(LENGTHWISE_NIL, null(), 0),
                    ValueRef::Row(columns, _) => one(LENGTHWISE_RECORD, null(), columns.len()),
                    ValueRef::Value(Value::Record(members)) => one(LENGTHWISE_RECORD, null(), members.len()),
                    ValueRef::Value(Value::Text(value)) => text(value),
                    ValueRef::Value(Value::Binary(value)) => binary(value),
                    ValueRef::Item(Items::Text(items), at) => items.get(at).map_or(ABSENT, |item| text(item)),
                    ValueRef::Item(Items::Binary(items), at) => items.get(at).map_or(ABSENT, |item| binary(item)),
                    $(
                        ValueRef::Value(Value::$kind(value)) => one($name, (&raw const *value).cast(), 1),
                        ValueRef::Item(Items::$kind(items), at) => {
                            items.get(at).map_or(ABSENT, |item| one($name, (&raw const *item).cast(), 1))
                        }
                    )*
                    _ => ABSENT,
                }
            };
        }
        for_each_number!(value_of)
    }
}

const ABSENT: ValueOut = ValueOut { kind: LENGTHWISE_ABSENT, is_array: false, data: null(), count: 0 };

fn array_value(array: &Array) -> ValueOut {
    macro_rules! value_of {
        ($($kind:ident $name:ident),*) => {
            match array.items() {
                $(Items::$kind(items) => ($name, items.as_ptr().cast()),)*
                Items::Text(_) => (LENGTHWISE_TEXT, null()),
                Items::Binary(_) => (LENGTHWISE_BINARY, null()),
                Items::Columns(_) => (LENGTHWISE_RECORD, null()),
                _ => (LENGTHWISE_VALUES, null()),
            }
        };
    }
    let (kind, data) = for_each_number!(value_of);
    ValueOut { kind, is_array: true, data, count: array.len() }
}
