//! Rust's types as messages: once for the lengths, once for the bytes.

use alloc::vec::Vec;
use core::fmt::Display;

use serde_core::Serialize;
use serde_core::ser::{self, Impossible};
use tam::{Error, ErrorKind, Words};

use super::{in_item, in_member, placed};
use crate::piece::{copy_short, digits};
use crate::{FORMAT, key, number};

/// What a message is made of, in the order of the wire.
trait Sink {
    /// What is kept of a container while it is open.
    type Open: Copy;

    /// A node that has a length.
    fn node(&mut self, tag: u8, data: &[u8]);

    /// A node that has none, as it is on the wire.
    fn bare(&mut self, node: &[u8]);

    /// An integer.
    fn integer(&mut self, negative: bool, digits: u64);

    fn key(&mut self, key: &str);

    /// A key that is not a name in a program.
    #[inline(always)]
    fn map_key(&mut self, key: &str) {
        self.key(key);
    }

    fn open(&mut self, tag: u8) -> Self::Open;

    fn close(&mut self, open: Self::Open);
}

/// The lengths of a message.
pub(super) struct Lengths {
    /// Of the data of each container, in the order of their heads.
    containers: Containers,
    total: usize,
    /// Whether a key holds what must be escaped.
    escapes: bool,
}

impl Lengths {
    /// Bytes of the whole message.
    pub(super) fn total(&self) -> usize {
        self.total
    }
}

/// The lengths of containers; for a small message nothing is allocated.
struct Containers {
    first: [u32; Containers::FIRST],
    others: Vec<u32>,
    len: usize,
}

impl Containers {
    const FIRST: usize = 16;

    #[inline(always)]
    fn push(&mut self) -> usize {
        if self.len >= Containers::FIRST {
            self.others.push(0);
        }
        self.len += 1;
        self.len - 1
    }

    #[inline(always)]
    fn set(&mut self, place: usize, len: usize) {
        let first = self.first.get_mut(place);
        let place = first.or_else(|| self.others.get_mut(place.wrapping_sub(Containers::FIRST)));
        if let Some(place) = place {
            // What is more than fits is found out when all is measured.
            *place = len as u32;
        }
    }

    #[inline(always)]
    fn get(&self, place: usize) -> u32 {
        let first = self.first.get(place);
        first.or_else(|| self.others.get(place.wrapping_sub(Containers::FIRST))).copied().unwrap_or(0)
    }
}

/// Finds out the lengths.
pub(super) fn measure<T: Serialize + ?Sized>(value: &T) -> Result<Lengths, Error> {
    let containers = Containers { first: [0; Containers::FIRST], others: Vec::new(), len: 0 };
    let mut lengths = Lengths { containers, total: 0, escapes: false };
    value.serialize(Serializer { sink: &mut lengths }).map_err(|error| placed(error, 0))?;
    if u32::try_from(lengths.total).is_err() {
        return Err(Error::limit(FORMAT, 0, "a longer message", "message_bytes", u32::MAX.into()));
    }
    Ok(lengths)
}

/// Writes the message whose lengths are known.
pub(super) fn emit<T: Serialize + ?Sized>(value: &T, lengths: &Lengths, out: &mut Vec<u8>) -> Result<(), Error> {
    let start = out.len();
    out.reserve(lengths.total + PIECE);
    let (end, containers) = (start + lengths.total, &lengths.containers);
    let mut bytes = Bytes { out, at: start, end, containers, next: 0, escapes: lengths.escapes, changed: false };
    let written = value.serialize(Serializer { sink: &mut bytes });
    let whole = !bytes.changed && bytes.next == containers.len && bytes.at == end;
    match written {
        Ok(()) if whole => {
            out.truncate(end);
            Ok(())
        }
        Ok(()) => {
            out.truncate(start);
            let expected = "a value that serializes alike twice";
            Err(Error::new(ErrorKind::Unsupported, FORMAT, 0, "a value that changes while it is written", expected))
        }
        Err(error) => {
            out.truncate(start);
            Err(placed(error, 0))
        }
    }
}

impl Sink for Lengths {
    /// Its place among the containers, and where it begins.
    type Open = (usize, usize);

    #[inline(always)]
    fn node(&mut self, _: u8, data: &[u8]) {
        self.total += digits(data.len() as u64) + 1 + data.len();
    }

    #[inline(always)]
    fn bare(&mut self, node: &[u8]) {
        self.total += node.len();
    }

    #[inline(always)]
    fn integer(&mut self, negative: bool, magnitude: u64) {
        let len = usize::from(negative) + digits(magnitude);
        self.total += digits(len as u64) + 1 + len;
    }

    #[inline(always)]
    fn key(&mut self, key: &str) {
        self.total += key.len() + 1;
        if key::needs_escapes(key.as_bytes()) {
            self.escaped_key(key);
        }
    }

    #[inline(always)]
    fn open(&mut self, _: u8) -> (usize, usize) {
        (self.containers.push(), self.total)
    }

    #[inline(always)]
    fn close(&mut self, (place, start): (usize, usize)) {
        let len = self.total - start;
        self.containers.set(place, len);
        self.total += digits(len as u64) + 1;
    }
}

impl Lengths {
    #[cold]
    fn escaped_key(&mut self, key: &str) {
        self.escapes = true;
        self.total += key.bytes().filter(|&c| c == b':' || c == b'\\').count();
    }
}

/// Keys and strings of so many bytes are written as a piece, which is cheaper than a copy of any
/// length.
const SHORT: usize = 32;

/// Room for the head of a node, or a short key, and a short string.
const PIECE: usize = 16 + SHORT;

/// The bytes of a message, its lengths being known.
struct Bytes<'o, 'l> {
    /// What is written, and behind it zeros to be written over.
    out: &'o mut Vec<u8>,
    /// Bytes written.
    at: usize,
    /// Bytes that will be written in the end.
    end: usize,
    containers: &'l Containers,
    /// The container that is next.
    next: usize,
    escapes: bool,
    /// Whether the value is another one than that whose lengths are known.
    changed: bool,
}

impl Bytes<'_, '_> {
    /// Room for a short node or key.
    #[inline(always)]
    fn piece(&mut self) -> &mut [u8; PIECE] {
        if self.at + PIECE > self.out.len() {
            self.grow();
        }
        match self.out.get_mut(self.at..).and_then(<[u8]>::first_chunk_mut) {
            Some(piece) => piece,
            None => unreachable!("the buffer has been grown"),
        }
    }

    /// Bytes must be something before they can be written: they are made zeros a little ahead.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        const AHEAD: usize = 4096;
        let ahead = (self.end + PIECE).saturating_sub(self.at).clamp(PIECE, AHEAD);
        self.out.resize(self.at + ahead, 0);
    }

    /// Bytes of any number.
    #[inline(never)]
    fn long(&mut self, bytes: &[u8]) {
        match self.out.get_mut(self.at..self.at + bytes.len()) {
            Some(place) => place.copy_from_slice(bytes),
            None => {
                self.out.truncate(self.at);
                self.out.extend_from_slice(bytes);
            }
        }
        self.at += bytes.len();
    }

    #[inline(always)]
    fn head(&mut self, len: u64, tag: u8) {
        let piece = self.piece();
        let digits = decimal(piece, 0, len);
        piece[digits] = tag;
        self.at += digits + 1;
    }

    #[cold]
    fn long_key(&mut self, key: &str) {
        if self.escapes {
            let key: Vec<u8> = key::escaped(key.bytes()).collect();
            self.long(&key);
        } else {
            self.long(key.as_bytes());
        }
        self.long(b":");
    }
}

/// Writes a number in decimal from `at` on; how many digits it has.
#[inline(always)]
fn decimal(piece: &mut [u8; PIECE], at: usize, value: u64) -> usize {
    if value < 10 {
        piece[at] = b'0' + value as u8;
        return 1;
    }
    if value < 100 {
        pair(piece, at, value);
        return 2;
    }
    long_decimal(piece, at, value)
}

fn long_decimal(piece: &mut [u8; PIECE], at: usize, value: u64) -> usize {
    match value {
        0..1000 => {
            piece[at] = b'0' + (value / 100) as u8;
            pair(piece, at + 1, value % 100);
            3
        }
        1000..10_000 => {
            four(piece, at, value);
            4
        }
        10_000..100_000 => {
            piece[at] = b'0' + (value / 10_000) as u8;
            four(piece, at + 1, value % 10_000);
            5
        }
        _ => {
            let mut buffer = itoa::Buffer::new();
            let text = buffer.format(value).as_bytes();
            copy_short(piece, at, text);
            text.len()
        }
    }
}

#[inline(always)]
fn four(piece: &mut [u8; PIECE], at: usize, value: u64) {
    pair(piece, at, value / 100);
    pair(piece, at + 2, value % 100);
}

#[inline(always)]
fn pair(piece: &mut [u8; PIECE], at: usize, value: u64) {
    [piece[at], piece[at + 1]] = [b'0' + (value / 10) as u8, b'0' + (value % 10) as u8];
}

impl Sink for Bytes<'_, '_> {
    /// Where it must end.
    type Open = usize;

    #[inline(always)]
    fn node(&mut self, tag: u8, data: &[u8]) {
        if data.len() > SHORT {
            self.head(data.len() as u64, tag);
            return self.long(data);
        }
        let piece = self.piece();
        let start = decimal(piece, 0, data.len() as u64) + 1;
        piece[start - 1] = tag;
        copy_short(piece, start, data);
        self.at += start + data.len();
    }

    #[inline(always)]
    fn bare(&mut self, node: &[u8]) {
        copy_short(self.piece(), 0, node);
        self.at += node.len();
    }

    #[inline(always)]
    fn integer(&mut self, negative: bool, magnitude: u64) {
        let len = usize::from(negative) + digits(magnitude);
        let piece = self.piece();
        let mut at = decimal(piece, 0, len as u64);
        piece[at] = b'i';
        at += 1;
        if negative {
            piece[at] = b'-';
            at += 1;
        }
        at += decimal(piece, at, magnitude);
        self.at += at;
    }

    #[inline(always)]
    fn key(&mut self, key: &str) {
        if self.escapes || key.len() > SHORT {
            return self.long_key(key);
        }
        let piece = self.piece();
        copy_short(piece, 0, key.as_bytes());
        piece[key.len()] = b':';
        self.at += key.len() + 1;
    }

    #[inline(always)]
    fn map_key(&mut self, key: &str) {
        self.changed |= !self.escapes && key::needs_escapes(key.as_bytes());
        self.key(key);
    }

    #[inline(always)]
    fn open(&mut self, tag: u8) -> usize {
        // Where there is no length, the value has changed: what is written is thrown away.
        let len = self.containers.get(self.next);
        self.next += 1;
        self.head(len.into(), tag);
        self.at + len as usize
    }

    #[inline(always)]
    fn close(&mut self, end: usize) {
        self.changed |= self.at != end;
    }
}

struct Serializer<'s, S> {
    sink: &'s mut S,
}

impl<'s, S: Sink> Serializer<'s, S> {
    #[inline(always)]
    fn items(self) -> Items<'s, S> {
        let open = self.sink.open(b'[');
        Items { sink: self.sink, open, index: 0 }
    }

    #[inline(always)]
    fn fields(self) -> Fields<'s, S> {
        let open = self.sink.open(b'{');
        Fields { sink: self.sink, open }
    }

    /// The object of one member that a variant with data is.
    fn variant(&mut self, name: &'static str) -> S::Open {
        let open = self.sink.open(b'{');
        self.sink.key(name);
        open
    }
}

impl<'s, S: Sink> ser::Serializer for Serializer<'s, S> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Items<'s, S>;
    type SerializeTuple = Items<'s, S>;
    type SerializeTupleStruct = Items<'s, S>;
    type SerializeTupleVariant = Variant<Items<'s, S>, S::Open>;
    type SerializeMap = Members<'s, S>;
    type SerializeStruct = Fields<'s, S>;
    type SerializeStructVariant = Variant<Fields<'s, S>, S::Open>;

    #[inline]
    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        self.sink.bare(if value { b"t" } else { b"f" });
        Ok(())
    }

    #[inline]
    fn serialize_i8(self, value: i8) -> Result<(), Error> {
        self.serialize_i64(value.into())
    }

    #[inline]
    fn serialize_i16(self, value: i16) -> Result<(), Error> {
        self.serialize_i64(value.into())
    }

    #[inline]
    fn serialize_i32(self, value: i32) -> Result<(), Error> {
        self.serialize_i64(value.into())
    }

    #[inline]
    fn serialize_i64(self, value: i64) -> Result<(), Error> {
        self.sink.integer(value < 0, value.unsigned_abs());
        Ok(())
    }

    fn serialize_i128(self, value: i128) -> Result<(), Error> {
        self.sink.node(b'i', itoa::Buffer::new().format(value).as_bytes());
        Ok(())
    }

    #[inline]
    fn serialize_u8(self, value: u8) -> Result<(), Error> {
        self.sink.bare(&[b'b', value]);
        Ok(())
    }

    #[inline]
    fn serialize_u16(self, value: u16) -> Result<(), Error> {
        self.serialize_u64(value.into())
    }

    #[inline]
    fn serialize_u32(self, value: u32) -> Result<(), Error> {
        self.serialize_u64(value.into())
    }

    #[inline]
    fn serialize_u64(self, value: u64) -> Result<(), Error> {
        self.sink.integer(false, value);
        Ok(())
    }

    fn serialize_u128(self, value: u128) -> Result<(), Error> {
        self.sink.node(b'i', itoa::Buffer::new().format(value).as_bytes());
        Ok(())
    }

    fn serialize_f32(self, value: f32) -> Result<(), Error> {
        let mut digits = zmij::Buffer::new();
        let text = number::word(value.into()).unwrap_or_else(|| digits.format_finite(value));
        self.sink.node(b'd', text.as_bytes());
        Ok(())
    }

    fn serialize_f64(self, value: f64) -> Result<(), Error> {
        let mut digits = zmij::Buffer::new();
        let text = number::word(value).unwrap_or_else(|| digits.format_finite(value));
        self.sink.node(b'd', text.as_bytes());
        Ok(())
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        let mut node = [b'c'; 5];
        let len = value.encode_utf8(&mut node[1..]).len();
        self.sink.bare(&node[..=len]);
        Ok(())
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<(), Error> {
        self.sink.node(b's', value.as_bytes());
        Ok(())
    }

    #[inline]
    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        self.sink.node(b'y', value);
        Ok(())
    }

    #[inline]
    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    #[inline]
    fn serialize_unit(self) -> Result<(), Error> {
        self.sink.bare(b"u");
        Ok(())
    }

    #[inline]
    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let open = self.variant(variant);
        let inner = value.serialize(Serializer { sink: &mut *self.sink });
        inner.map_err(|error| in_member(error, variant))?;
        self.sink.close(open);
        Ok(())
    }

    #[inline]
    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'s, S>, Error> {
        Ok(self.items())
    }

    #[inline]
    fn serialize_tuple(self, _: usize) -> Result<Items<'s, S>, Error> {
        Ok(self.items())
    }

    #[inline]
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items<'s, S>, Error> {
        Ok(self.items())
    }

    fn serialize_tuple_variant(
        mut self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Variant<Items<'s, S>, S::Open>, Error> {
        let outer = self.variant(name);
        Ok(Variant { inner: self.items(), outer, name })
    }

    #[inline]
    fn serialize_map(self, _: Option<usize>) -> Result<Members<'s, S>, Error> {
        let open = self.sink.open(b'{');
        Ok(Members { sink: self.sink, open })
    }

    #[inline]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Fields<'s, S>, Error> {
        Ok(self.fields())
    }

    fn serialize_struct_variant(
        mut self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Variant<Fields<'s, S>, S::Open>, Error> {
        let outer = self.variant(name);
        Ok(Variant { inner: self.fields(), outer, name })
    }
}

/// A sequence or a tuple that is open.
struct Items<'s, S: Sink> {
    sink: &'s mut S,
    open: S::Open,
    index: usize,
}

impl<S: Sink> Items<'_, S> {
    #[inline(always)]
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let index = self.index;
        self.index += 1;
        value.serialize(Serializer { sink: &mut *self.sink }).map_err(|error| in_item(error, index))
    }

    #[inline(always)]
    fn close(self) {
        self.sink.close(self.open);
    }
}

/// The traits of sequences and tuples differ in the name of their one method alone.
macro_rules! items {
    ($($kind:ident $method:ident)*) => {$(
        impl<S: Sink> ser::$kind for Items<'_, S> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.item(value)
            }

            #[inline]
            fn end(self) -> Result<(), Error> {
                self.close();
                Ok(())
            }
        }
    )*};
}

items! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
}

/// A struct that is open.
struct Fields<'s, S: Sink> {
    sink: &'s mut S,
    open: S::Open,
}

impl<S: Sink> ser::SerializeStruct for Fields<'_, S> {
    type Ok = ();
    type Error = Error;

    // Where it stands in the struct's own code the key is known, and so is how to copy it.
    #[inline(always)]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        self.sink.key(key);
        value.serialize(Serializer { sink: &mut *self.sink }).map_err(|error| in_member(error, key))
    }

    #[inline]
    fn end(self) -> Result<(), Error> {
        self.sink.close(self.open);
        Ok(())
    }
}

/// The data of a variant that is open, in the object of one member around it.
struct Variant<C, O> {
    inner: C,
    outer: O,
    name: &'static str,
}

impl<S: Sink> ser::SerializeTupleVariant for Variant<Items<'_, S>, S::Open> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.inner.item(value).map_err(|error| in_member(error, self.name))
    }

    fn end(self) -> Result<(), Error> {
        self.inner.sink.close(self.inner.open);
        self.inner.sink.close(self.outer);
        Ok(())
    }
}

impl<S: Sink> ser::SerializeStructVariant for Variant<Fields<'_, S>, S::Open> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        let field = ser::SerializeStruct::serialize_field(&mut self.inner, key, value);
        field.map_err(|error| in_member(error, self.name))
    }

    fn end(self) -> Result<(), Error> {
        self.inner.sink.close(self.inner.open);
        self.inner.sink.close(self.outer);
        Ok(())
    }
}

/// A map that is open.
struct Members<'s, S: Sink> {
    sink: &'s mut S,
    open: S::Open,
}

impl<S: Sink> ser::SerializeMap for Members<'_, S> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        key.serialize(MapKey { sink: &mut *self.sink })
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        value.serialize(Serializer { sink: &mut *self.sink })
    }

    #[inline]
    fn serialize_entry<K: Serialize + ?Sized, T: Serialize + ?Sized>(
        &mut self,
        key: &K,
        value: &T,
    ) -> Result<(), Error> {
        self.serialize_key(key)?;
        self.serialize_value(value).map_err(|error| in_entry(error, key))
    }

    #[inline]
    fn end(self) -> Result<(), Error> {
        self.sink.close(self.open);
        Ok(())
    }
}

/// The error of what is inside an entry of a map: what its key is, the key is asked again.
#[cold]
fn in_entry<K: Serialize + ?Sized>(error: Error, key: &K) -> Error {
    let mut text = KeyText(alloc::string::String::new());
    match key.serialize(MapKey { sink: &mut text }) {
        Ok(()) => in_member(error, &text.0),
        Err(_) => error,
    }
}

/// Takes the text of a key alone.
struct KeyText(alloc::string::String);

impl Sink for KeyText {
    type Open = ();

    fn node(&mut self, _: u8, _: &[u8]) {}

    fn bare(&mut self, _: &[u8]) {}

    fn integer(&mut self, _: bool, _: u64) {}

    fn key(&mut self, key: &str) {
        self.0.push_str(key);
    }

    fn open(&mut self, _: u8) {}

    fn close(&mut self, (): ()) {}
}

/// The key of a map: a string, or what is one in JSON too.
struct MapKey<'s, S> {
    sink: &'s mut S,
}

#[cold]
fn no_key(found: &'static str) -> Error {
    Error::new(ErrorKind::Unsupported, FORMAT, 0, Words::Text(found), "a string as the key of a map")
}

/// Keys that are no strings.
macro_rules! refused {
    ($($method:ident $value:ty, $found:literal;)*) => {$(
        fn $method(self, _: $value) -> Result<(), Error> {
            Err(no_key($found))
        }
    )*};
}

impl<S: Sink> ser::Serializer for MapKey<'_, S> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Impossible<(), Error>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStruct = Impossible<(), Error>;
    type SerializeStructVariant = Impossible<(), Error>;

    #[inline]
    fn serialize_str(self, key: &str) -> Result<(), Error> {
        self.sink.map_key(key);
        Ok(())
    }

    fn serialize_char(self, key: char) -> Result<(), Error> {
        self.serialize_str(key.encode_utf8(&mut [0; 4]))
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, key: &T) -> Result<(), Error> {
        key.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, key: &T) -> Result<(), Error> {
        key.serialize(self)
    }

    fn collect_str<T: Display + ?Sized>(self, key: &T) -> Result<(), Error> {
        self.serialize_str(&alloc::string::ToString::to_string(key))
    }

    refused! {
        serialize_bool bool, "a boolean as a key";
        serialize_i8 i8, "an integer as a key";
        serialize_i16 i16, "an integer as a key";
        serialize_i32 i32, "an integer as a key";
        serialize_i64 i64, "an integer as a key";
        serialize_i128 i128, "an integer as a key";
        serialize_u8 u8, "an integer as a key";
        serialize_u16 u16, "an integer as a key";
        serialize_u32 u32, "an integer as a key";
        serialize_u64 u64, "an integer as a key";
        serialize_u128 u128, "an integer as a key";
        serialize_f32 f32, "a float as a key";
        serialize_f64 f64, "a float as a key";
        serialize_bytes &[u8], "binary data as a key";
        serialize_unit_struct &'static str, "a unit struct as a key";
    }

    fn serialize_none(self) -> Result<(), Error> {
        Err(no_key("no key at all"))
    }

    fn serialize_unit(self) -> Result<(), Error> {
        Err(no_key("a unit as a key"))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Error> {
        Err(no_key("a variant with data as a key"))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Error> {
        Err(no_key("a sequence as a key"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Error> {
        Err(no_key("a tuple as a key"))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Error> {
        Err(no_key("a tuple as a key"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        Err(no_key("a variant with data as a key"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Error> {
        Err(no_key("a map as a key"))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct, Error> {
        Err(no_key("a struct as a key"))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Error> {
        Err(no_key("a variant with data as a key"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_the_standard_library_writes_them() {
        let powers = (0..20).map(|power| 10_u64.pow(power));
        let near =
            powers.flat_map(|power| [power - 1, power, power + 1, power.wrapping_mul(7), power.wrapping_mul(19)]);
        for value in near.chain(0..20_000).chain([u64::MAX, u64::MAX - 1]) {
            let mut piece = [0; PIECE];
            let count = decimal(&mut piece, 3, value);
            assert_eq!(core::str::from_utf8(&piece[3..3 + count]), Ok(&*alloc::format!("{value}")));
        }
    }
}
