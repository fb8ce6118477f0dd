//! Streams of similar messages or documents: each is compared with the previous one, and what is equal is not read again.

use core::ffi::{c_char, c_void};
use core::ptr::null;

use lengthwise::asn1::compiled::{Kind, Member, NodeId};
use lengthwise::asn1::event::{Integer, Real};
use lengthwise::asn1::{Column, Value};
use lengthwise::soap::{self, Body, Message};
use lengthwise::x694::mapping;
use lengthwise::x694::xer::{Template, Types};
use lengthwise::xsd;
use lengthwise::{Error, ErrorKind};

use crate::code::{LW_OK, LW_SCHEMA};
use crate::full::error::{ErrorOut, fill_error, outcome};
use crate::full::handle;
use crate::full::options::{self, OptionsIn};
use crate::full::schema::{Description, FileIn, Files, bytes, word};

/// A stream of messages of a service, or of documents of a schema, and the last of them. Opaque. Only one thread at a time
/// may use it. Texts that functions return belong to it, and are valid until the next message.
#[derive(Debug)]
pub struct SessionHandle {
    described: Described,
    options: xsd::Options,
    template: Template,
    /// The pieces of the next message.
    arrived: Vec<u8>,
    /// Whether the last message was valid. If not, the template still holds an earlier one.
    has_last: bool,
}

#[derive(Debug)]
enum Described {
    Service(soap::Service),
    Documents(Types),
}

impl Described {
    fn types(&self) -> &Types {
        match self {
            Described::Service(service) => service.types(),
            Described::Documents(types) => types,
        }
    }
}

/// A value of the last message. What it points to belongs to the session, and is valid until the next message.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ValueOut {
    /// The kind of the value, or of each item of an array: LENGTHWISE_INT64 and so on.
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
/// An `int64_t`: an integer of any type that fits.
pub const LENGTHWISE_INT64: i32 = 3;
/// An integer beyond 64 bits: its octets in two's complement, highest first.
pub const LENGTHWISE_INTEGER: i32 = 4;
/// A `double`: an `xs:double` or `xs:float`, and an `xs:decimal` of 0.
pub const LENGTHWISE_DOUBLE: i32 = 5;
/// An `xs:decimal` other than 0, as text in the form of X.690, clause 11.3.2: digits without zeros at either end, `.`, `E`
/// and an exponent, so 12.50 is `125.E-1` and 12 is `12.E+0`. `strtod` reads it. Arrays of them are LENGTHWISE_VALUES.
pub const LENGTHWISE_DECIMAL: i32 = 6;
/// Text in UTF-8, without a final zero; also an item of an enumeration, and an element of a wildcard as XML.
pub const LENGTHWISE_TEXT: i32 = 7;
/// Octets.
pub const LENGTHWISE_BINARY: i32 = 8;
/// A compound of members; for an array, one whose members can be read as arrays.
pub const LENGTHWISE_RECORD: i32 = 9;
/// A choice: its one member is the chosen alternative, whose name is `data` and `count`.
pub const LENGTHWISE_CHOICE: i32 = 10;
/// For an array: items that must be read one by one.
pub const LENGTHWISE_VALUES: i32 = 11;

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

/// Opens a session with a service described in WSDL 1.1, or with documents of an XML Schema, `len` bytes, which must not
/// include other documents. The limits in `options` apply to the description and to each message; NULL means the defaults.
///
/// Returns the session, for lengthwise_session_free; or NULL, and fills `*error`, which may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_session_open(
    description: *const c_char,
    len: usize,
    options: *const OptionsIn,
    error: *mut ErrorOut,
) -> *mut SessionHandle {
    let file = FileIn { name: c"description".as_ptr(), text: description, len };
    unsafe { lengthwise_session_open_files(&raw const file, 1, options, error) }
}

/// Opens a session like lengthwise_session_open, with `count` files: the description or schema first, then those that it
/// includes or imports, by their names or by their namespaces.
///
/// Returns the session, for lengthwise_session_free; or NULL, and fills `*error`, which may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_session_open_files(
    files: *const FileIn,
    count: usize,
    options: *const OptionsIn,
    error: *mut ErrorOut,
) -> *mut SessionHandle {
    let open = || {
        let files = unsafe { Files::of(files, count) }?;
        let options = xsd::Options::default().with_limits(unsafe { options::limits(options) }?);
        let described = match files.read(&options)? {
            Description::Service(service) => Described::Service(*service),
            Description::Schema(schema) => {
                Types::new(*schema, &mapping::Options::default()).map(Described::Documents)?
            }
        };
        let (template, arrived) = (Template::new(), Vec::new());
        Ok::<_, Error>(SessionHandle { described, options, template, arrived, has_last: false })
    };
    unsafe { handle::give(open(), error) }
}

/// Reads the next message of `len` bytes. Pieces of another one that lengthwise_session_feed has taken are dropped.
///
/// Returns LW_OK; otherwise a code, and fills `*error`, which may be NULL; the session then has no last message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_session_read(
    session: &mut SessionHandle,
    message: *const c_char,
    len: usize,
    error: *mut ErrorOut,
) -> i32 {
    session.arrived.clear();
    session.has_last = false;
    unsafe {
        match lengthwise_session_feed(session, message, len, error) {
            LW_OK => lengthwise_session_finish(session, error),
            code => code,
        }
    }
}

/// Takes a piece of the next message. Pieces may end anywhere. lengthwise_session_finish reads the message and reports errors
/// in it.
///
/// Returns LW_OK, or LW_LIMIT if the message has become too long, and fills `*error`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_session_feed(
    session: &mut SessionHandle,
    piece: *const c_char,
    len: usize,
    error: *mut ErrorOut,
) -> i32 {
    let most = session.options.limits.message_bytes;
    if session.arrived.len() + len > most as usize {
        let limit = Error::limit("xml", most.into(), "a longer message", "message_bytes", most.into());
        return unsafe { fill_error(&limit, error) };
    }
    session.arrived.extend_from_slice(unsafe { bytes(piece, len) });
    LW_OK
}

/// Ends the message after its last piece. Returns the same as lengthwise_session_read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_session_finish(session: &mut SessionHandle, error: *mut ErrorOut) -> i32 {
    let SessionHandle { described, options, template, arrived, has_last } = session;
    let described = &*described;
    let read = template.read(arrived, described.types(), options).and_then(|value| match described {
        Described::Service(service) if service.message(value).version().is_none() => {
            let expected = "an Envelope of SOAP 1.1 or 1.2";
            Err(Error::new(ErrorKind::Schema, "soap", 0, "another element", expected))
        }
        _ => Ok(()),
    });
    arrived.clear();
    *has_last = read.is_ok();
    unsafe { outcome(read, error) }
}

/// Passes a text to the caller: LW_OK, or LW_SCHEMA if there is none.
fn pass(found: Option<&str>, text: &mut *const c_char, len: &mut usize) -> i32 {
    let Some(found) = found else { return LW_SCHEMA };
    (*text, *len) = (found.as_ptr().cast(), found.len());
    LW_OK
}

/// The name of the element in the body of the last message, without its namespace, which identifies the message of the
/// service; of a document, that of its root element. Returns LW_OK, or LW_SCHEMA if the message is a fault or missing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_session_method(
    session: &SessionHandle,
    name: &mut *const c_char,
    len: &mut usize,
) -> i32 {
    let found = match (session.message().and_then(Message::body), &session.described) {
        (Some(Body::Call { name, .. }), _) => Some(name.local.as_str()),
        (_, Described::Documents(types)) => session.last().and_then(|value| {
            let root = types.roots().find(|root| root.node() == value.node_id())?;
            Some(root.name(types))
        }),
        _ => None,
    };
    pass(found, name, len)
}

/// The reason in the last message, if it is a fault: LW_OK, otherwise LW_SCHEMA.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_session_fault(
    session: &SessionHandle,
    reason: &mut *const c_char,
    len: &mut usize,
) -> i32 {
    pass(session.fault().and_then(soap::Fault::reason), reason, len)
}

/// The code in the last message, if it is a fault, such as `Client` or `Sender`, without its namespace: LW_OK, otherwise
/// LW_SCHEMA.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_session_fault_code(
    session: &SessionHandle,
    code: &mut *const c_char,
    len: &mut usize,
) -> i32 {
    pass(session.fault().and_then(soap::Fault::code).map(|(_, local)| local), code, len)
}

/// An element in the detail of the last message, if it is a fault, as XML; `index` counts from 0. LW_OK, or LW_SCHEMA if there
/// is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_session_fault_detail(
    session: &SessionHandle,
    index: usize,
    xml: &mut *const c_char,
    len: &mut usize,
) -> i32 {
    pass(session.fault().and_then(|fault| fault.details().nth(index)), xml, len)
}

/// A header block of the last message as XML; `index` counts from 0. LW_OK, or LW_SCHEMA if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_session_header(
    session: &SessionHandle,
    index: usize,
    xml: &mut *const c_char,
    len: &mut usize,
) -> i32 {
    pass(session.message().and_then(|message| message.headers().nth(index)), xml, len)
}

/// Finds a value in the last message: "/resultElements/3/title", with names of elements or attributes without namespaces,
/// and item numbers from 0; "" is the whole message. A name after an array of compounds of simple members is that member of
/// all items: "/resultElements/title" is an array. The names of `lengthwise schema FILE` (ASN.1) are understood too, and
/// are needed within groups: "/choice/word".
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
        Some(found) => {
            *value = found.value_out();
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
    unsafe { handle::release(session) };
}

impl SessionHandle {
    /// The value of the message read last, unless it was invalid.
    fn last(&self) -> Option<Value<'_>> {
        self.template.last_value(self.described.types()).filter(|_| self.has_last)
    }

    fn message(&self) -> Option<Message<'_>> {
        match &self.described {
            Described::Service(service) => Some(service.message(self.last()?)),
            Described::Documents(_) => None,
        }
    }

    fn fault(&self) -> Option<soap::Fault<'_>> {
        match self.message()?.body()? {
            Body::Fault(fault) => Some(fault),
            _ => None,
        }
    }

    fn find<'a>(&'a self, path: &'a str) -> Option<Found<'a>> {
        let root = match (self.message().map(Message::body), &self.described) {
            (Some(Some(Body::Call { value, .. })), _) => value,
            (_, Described::Documents(_)) => self.last()?,
            _ => return None,
        };
        let steps = path.strip_prefix('/').unwrap_or(path);
        let mut found = Found::Value(root);
        for step in steps.split('/').filter(|_| !steps.is_empty()) {
            found = found.step(step)?;
        }
        Some(found)
    }
}

/// What is at a path.
#[derive(Clone, Copy)]
enum Found<'a> {
    Value(Value<'a>),
    Absent,
    /// A member of all records of an array.
    Column(Value<'a>, &'a str),
}

/// The members of a record.
fn members(value: Value<'_>) -> &[Member] {
    match value.kind() {
        Kind::Record(number) => &value.types().record(number).members,
        _ => &[],
    }
}

/// The item type of an array.
fn item_of(value: Value<'_>) -> Option<NodeId> {
    match value.kind() {
        Kind::Array(array) => Some(array.item),
        _ => None,
    }
}

/// The members of a record type.
fn members_of<'a>(value: Value<'a>, node: NodeId) -> &'a [Member] {
    match value.types().node(node).kind {
        Kind::Record(number) => &value.types().record(number).members,
        _ => &[],
    }
}

/// The members of the records of an array, and whether they are those of its items themselves.
fn within<'a>(array: Value<'a>, item: NodeId) -> (bool, &'a [Member]) {
    let members = members_of(array, item);
    match inner_of(members).and_then(|place| members.get(place as usize)) {
        Some(inner) => (false, members_of(array, inner.node)),
        None => (true, members),
    }
}

/// The place of a member by the name of its element.
fn place(members: &[Member], name: &str) -> Option<u32> {
    members.iter().position(|member| member.name == name).and_then(|place| u32::try_from(place).ok())
}

/// What an element has that may be nil, or that is an array of SOAP's encoding: `None` if it is neither.
fn inner(value: Value<'_>) -> Option<Found<'_>> {
    let place = inner_of(members(value))?;
    Some(value.member(place).map_or(Found::Absent, Found::Value))
}

/// The place of what such an element has.
fn inner_of(members: &[Member]) -> Option<u32> {
    let (last, others) = members.split_last()?;
    let is_inner = last.name == "content" || last.identifier() == "item-list" && !others.is_empty() || is_list(members);
    let is_alone = others.iter().all(|member| member.name == "dimensions");
    (is_inner && is_alone).then_some(others.len() as u32)
}

/// Whether these are the members of an array of SOAP's encoding, in an element that may be nil.
fn is_list(members: &[Member]) -> bool {
    matches!(members, [items] if items.identifier() == "item-list")
}

impl<'a> Found<'a> {
    fn step(self, step: &'a str) -> Option<Found<'a>> {
        let mut value = match self {
            Found::Value(value) => value,
            Found::Absent => return None,
            Found::Column(array, name) => {
                let item = array.item(step.parse().ok()?)?;
                return Found::Value(item).step(name);
            }
        };
        loop {
            if let Some(place) = place(members(value), step) {
                return Some(value.member(place).map_or(Found::Absent, Found::Value));
            }
            match inner(value) {
                Some(Found::Value(within)) => value = within,
                Some(_) => return None,
                None => break,
            }
        }
        if let Some((chosen, alternative)) = value.chosen() {
            return (chosen == step).then_some(Found::Value(alternative));
        }
        if let Ok(number) = step.parse::<usize>() {
            return value.item(number).map(Found::Value);
        }
        let item = item_of(value)?;
        let (_, members) = within(value, item);
        place(members, step).map(|_| Found::Column(value, step))
    }

    fn value_out(self) -> ValueOut {
        let mut value = match self {
            Found::Value(value) => value,
            Found::Absent => return one(LENGTHWISE_ABSENT, null(), 0),
            Found::Column(array, name) => return column_out(array, name),
        };
        while let Some(within) = inner(value) {
            let Found::Value(within) = within else { return one(LENGTHWISE_NIL, null(), 0) };
            value = within;
        }
        value = value.bare();
        if let Some(item) = item_of(value) {
            return items_out(value, item);
        }
        match value.kind() {
            Kind::Record(_) => one(LENGTHWISE_RECORD, null(), members(value).len()),
            Kind::Choice(_) => match value.chosen() {
                Some((name, _)) => one(LENGTHWISE_CHOICE, name.as_ptr().cast(), name.len()),
                None => one(LENGTHWISE_ABSENT, null(), 0),
            },
            _ => simple_out(value),
        }
    }
}

fn one(kind: i32, data: *const c_void, count: usize) -> ValueOut {
    ValueOut { kind, is_array: false, data, count }
}

fn simple_out(value: Value<'_>) -> ValueOut {
    static FLAGS: [bool; 2] = [false, true];
    let text = |kind, text: &str| one(kind, text.as_ptr().cast(), text.len());
    let column = value.as_column();
    if let Some(flag) = value.as_bool() {
        return one(LENGTHWISE_BOOLEAN, (&raw const FLAGS[usize::from(flag)]).cast(), 1);
    }
    match (value.as_integer(), value.as_real()) {
        (Some(Integer::Big(octets)), _) => return one(LENGTHWISE_INTEGER, octets.as_ptr().cast(), octets.len()),
        (Some(Integer::Small(_)), _) => {
            return column.and_then(Column::as_i64s).map_or(one(LENGTHWISE_ABSENT, null(), 0), |numbers| {
                one(LENGTHWISE_INT64, numbers.as_ptr().cast(), 1)
            });
        }
        (_, Some(Real::Decimal(decimal))) => return text(LENGTHWISE_DECIMAL, decimal),
        (_, Some(Real::Double(_))) => {
            return column.and_then(Column::as_f64s).map_or(one(LENGTHWISE_ABSENT, null(), 0), |numbers| {
                one(LENGTHWISE_DOUBLE, numbers.as_ptr().cast(), 1)
            });
        }
        _ => {}
    }
    match (value.as_str().or_else(|| value.as_enumerated()), value.as_octets()) {
        (Some(words), _) => text(LENGTHWISE_TEXT, words),
        (_, Some(octets)) => one(LENGTHWISE_BINARY, octets.as_ptr().cast(), octets.len()),
        _ => one(LENGTHWISE_NIL, null(), 0),
    }
}

/// An array, as its items are: numbers if all are there, and no larger than 64 bits.
fn items_out(array: Value<'_>, item: NodeId) -> ValueOut {
    let members = members_of(array, item);
    let (column, of) = match inner_of(members).and_then(|place| members.get(place as usize)) {
        Some(inner) => (array.column(&inner.name), inner.node),
        None => (array.values(), item),
    };
    let kind = array.types().node(of).kind;
    let is_array = inner_of(members_of(array, of)).is_some();
    array_out(array.len(), column, if is_array { Kind::Null } else { kind })
}

/// A member of all records of an array.
fn column_out(array: Value<'_>, name: &str) -> ValueOut {
    let (is_direct, members) = item_of(array).map_or((false, &[][..]), |item| within(array, item));
    let Some(member) = place(members, name).and_then(|place| members.get(place as usize)) else {
        return one(LENGTHWISE_ABSENT, null(), 0);
    };
    let column = array.column(&member.name).filter(|_| is_direct);
    array_out(array.len(), column, array.types().node(member.node).kind)
}

fn array_out(count: usize, column: Option<Column<'_>>, kind: Kind) -> ValueOut {
    let column = column.filter(|column| column.validity().iter().all(|marked| *marked != 0));
    let numbers = |is: i32, data: Option<*const c_void>| match data {
        Some(data) => (is, data),
        None => (LENGTHWISE_VALUES, null()),
    };
    let (kind, data) = match kind {
        Kind::Integer(_) => numbers(LENGTHWISE_INT64, column.and_then(Column::as_i64s).map(|all| all.as_ptr().cast())),
        Kind::Real => numbers(LENGTHWISE_DOUBLE, column.and_then(Column::as_f64s).map(|all| all.as_ptr().cast())),
        Kind::Boolean => (LENGTHWISE_BOOLEAN, null()),
        Kind::Text(_) | Kind::Enumerated(_) => (LENGTHWISE_TEXT, null()),
        Kind::OctetString(_) => (LENGTHWISE_BINARY, null()),
        Kind::Record(_) => (LENGTHWISE_RECORD, null()),
        Kind::Choice(_) => (LENGTHWISE_CHOICE, null()),
        _ => (LENGTHWISE_VALUES, null()),
    };
    ValueOut { kind, is_array: true, data, count }
}
