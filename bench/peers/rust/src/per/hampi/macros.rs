// How asn1-codecs wants types: a struct for every constrained value, its constraint in an attribute.
// Its derive macros take no other attribute, not even a doc comment.

/// Integers: the name, what holds it, its bounds.
macro_rules! integers {
    ($($name:ident($held:ty) $low:tt $high:tt;)+) => { $(
        #[derive(AperCodec, UperCodec, Debug)]
        #[asn(type = "INTEGER", lb = $low, ub = $high)]
        pub struct $name(pub $held);
    )+ };
}

/// Enumerations: the name and the number of the last value; with `...` it can grow.
macro_rules! enumerations {
    ($($name:ident $last:tt $extensible:tt;)+) => { $(
        #[derive(AperCodec, UperCodec, Debug)]
        #[asn(type = "ENUMERATED", lb = "0", ub = $last, extensible = $extensible)]
        pub struct $name(pub u8);
    )+ };
}

/// Lists: the name, what is in it, how many there may be.
macro_rules! lists {
    ($($name:ident($item:ident) $low:tt $high:tt;)+) => { $(
        #[derive(AperCodec, UperCodec, Debug)]
        #[asn(type = "SEQUENCE-OF", sz_extensible = false, sz_lb = $low, sz_ub = $high)]
        pub struct $name(pub Vec<$item>);
    )+ };
}

/// Strings, of characters or octets or bits: the type's name, the name, what holds it, its sizes.
macro_rules! strings {
    ($($kind:tt $name:ident($held:ty) $low:tt $high:tt;)+) => { $(
        #[derive(AperCodec, UperCodec, Debug)]
        #[asn(type = $kind, sz_extensible = false, sz_lb = $low, sz_ub = $high)]
        pub struct $name(pub $held);
    )+ };
}

macro_rules! booleans {
    ($($name:ident)+) => { $(
        #[derive(AperCodec, UperCodec, Debug)]
        #[asn(type = "BOOLEAN")]
        pub struct $name(pub bool);
    )+ };
}

pub(super) use {booleans, enumerations, integers, lists, strings};
