//! How messages hold text, octets and maps.

use std::{borrow::Cow, fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, MapAccess, Visitor},
    ser::SerializeMap,
};

/// Text that is borrowed unless JSON had escapes in it. Serde's own `Cow` is always owned inside an `Option` or a
/// `Vec`.
#[derive(Clone, PartialEq)]
pub struct Text<'a>(pub Cow<'a, str>);

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl Serialize for Text<'_> {
    #[inline]
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.0)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Text<'a>, D::Error> {
        struct Lend<'a>(PhantomData<&'a ()>);
        impl<'de: 'a, 'a> Visitor<'de> for Lend<'a> {
            type Value = Text<'a>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            #[inline]
            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Text<'a>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            #[inline]
            fn visit_str<E: Error>(self, text: &str) -> Result<Text<'a>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }

            #[inline]
            fn visit_string<E: Error>(self, text: String) -> Result<Text<'a>, E> {
                Ok(Text(Cow::Owned(text)))
            }
        }
        from.deserialize_str(Lend(PhantomData))
    }
}

/// Octets that are borrowed from the message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Octets<'a>(pub &'a [u8]);

impl<'a> From<&'a [u8]> for Octets<'a> {
    fn from(octets: &'a [u8]) -> Octets<'a> {
        Octets(octets)
    }
}

impl Serialize for Octets<'_> {
    #[inline]
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(self.0)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Octets<'a> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Octets<'a>, D::Error> {
        struct Lend<'a>(PhantomData<&'a ()>);
        impl<'de: 'a, 'a> Visitor<'de> for Lend<'a> {
            type Value = Octets<'a>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("borrowed octets")
            }

            #[inline]
            fn visit_borrowed_bytes<E: Error>(self, octets: &'de [u8]) -> Result<Octets<'a>, E> {
                Ok(Octets(octets))
            }
        }
        from.deserialize_bytes(Lend(PhantomData))
    }
}

#[cfg(feature = "indexed")]
mod indexed {
    use minicbor::{Decode, Decoder, Encode, Encoder, decode, encode};

    use super::Octets;

    impl<C> Encode<C> for Octets<'_> {
        fn encode<W: encode::Write>(&self, to: &mut Encoder<W>, _: &mut C) -> Result<(), encode::Error<W::Error>> {
            to.bytes(self.0)?;
            Ok(())
        }
    }

    impl<'b: 'a, 'a, C> Decode<'b, C> for Octets<'a> {
        fn decode(from: &mut Decoder<'b>, _: &mut C) -> Result<Octets<'a>, decode::Error> {
            from.bytes().map(Octets)
        }
    }
}

/// Octets that are copied out of the message.
#[derive(Clone, PartialEq)]
pub struct OwnedOctets(pub Vec<u8>);

impl fmt::Debug for OwnedOctets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&Octets(&self.0), f)
    }
}

impl From<&[u8]> for OwnedOctets {
    fn from(octets: &[u8]) -> OwnedOctets {
        OwnedOctets(octets.to_vec())
    }
}

impl Serialize for OwnedOctets {
    #[inline]
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for OwnedOctets {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<OwnedOctets, D::Error> {
        struct Take;
        impl Visitor<'_> for Take {
            type Value = OwnedOctets;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("octets")
            }

            #[inline]
            fn visit_bytes<E: Error>(self, octets: &[u8]) -> Result<OwnedOctets, E> {
                Ok(OwnedOctets(octets.to_vec()))
            }

            #[inline]
            fn visit_byte_buf<E: Error>(self, octets: Vec<u8>) -> Result<OwnedOctets, E> {
                Ok(OwnedOctets(octets))
            }
        }
        from.deserialize_byte_buf(Take)
    }
}

/// The members of an object whose keys are data, in their order: no map is built, which would cost
/// all libraries alike, and more than the reading.
#[derive(Clone, Debug, PartialEq)]
pub struct Members<S, T>(pub Vec<(S, T)>);

impl<S, T> Default for Members<S, T> {
    fn default() -> Self {
        Members(Vec::new())
    }
}

impl<S: Serialize, T: Serialize> Serialize for Members<S, T> {
    #[inline]
    fn serialize<Z: Serializer>(&self, to: Z) -> Result<Z::Ok, Z::Error> {
        let mut map = to.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl<'de, S: Deserialize<'de>, T: Deserialize<'de>> Deserialize<'de> for Members<S, T> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Collect<S, T>(PhantomData<(S, T)>);
        impl<'de, S: Deserialize<'de>, T: Deserialize<'de>> Visitor<'de> for Collect<S, T> {
            type Value = Members<S, T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            #[inline]
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                // A message that claims much gets no more room than this beforehand.
                let mut members = Vec::with_capacity(map.size_hint().unwrap_or(0).min(1024));
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        from.deserialize_map(Collect(PhantomData))
    }
}
