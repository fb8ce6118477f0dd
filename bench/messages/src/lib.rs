//! The messages of the tables. For `per`, ASN.1 modules: [`KINDS`]. For `pon`, the paper's four messages and two JSON
//! documents as Rust types, and their contents.
//!
//! Types are generic in how they hold text (`S`) and octets (`B`), so that every library reads into its best type:
//! `&str` if all text can be borrowed, [`Text`] if JSON may have to resolve escapes, `String` if a library cannot lend;
//! [`Octets`], [`OwnedOctets`], or the base64 text that JSON needs. `Debug` prints all of them alike, which is how
//! values are compared across libraries.

mod catalog;
mod hold;
mod modules;
mod paper;
mod posts;

pub use catalog::Catalog;
pub use hold::{Members, Octets, OwnedOctets, Text};
pub use modules::{KINDS, Kind};
#[cfg(feature = "indexed")]
pub use paper::indexed;
pub use paper::{named, numeral, octets};
pub use posts::Posts;

use serde::{Deserialize, Serialize};

/// A message in the form that a library reads and writes: its type, for a message of any lifetime.
pub trait Form {
    type Of<'a>: Serialize + Deserialize<'a> + std::fmt::Debug;
}

/// Defines forms: a name, and the type of it.
macro_rules! forms {
    ($($(#[$about:meta])* $name:ident = $type:ty;)+) => {
        $($(#[$about])* pub enum $name {} impl Form for $name { type Of<'a> = $type; })+
    };
}

/// All is borrowed.
pub mod lent {
    use super::*;
    forms! {
        Request = named::ServiceListRequest<&'a str>;
        Reply = named::ServiceListReply<&'a str>;
        Image = named::ImageReply<&'a str, Octets<'a>>;
        /// The octets as base64 text.
        ImageText = named::ImageReply<&'a str, &'a str>;
        Posts = super::Posts<Text<'a>>;
        Catalog = super::Catalog<Text<'a>>;
        /// Numbers for keys.
        NumeralRequest = numeral::ServiceListRequest<&'a str>;
        /// Numbers for keys.
        NumeralReply = numeral::ServiceListReply<&'a str>;
    }
}

/// Names of the paper's messages; of an image with the number of its octets.
pub const REQUEST: &str = "service-list-request";
pub const REPLY: &str = "service-list-reply";
pub const IMAGES: [(&str, usize); 2] = [("image-50k", 50_000), ("image-500k", 500_000)];

/// The large object that one member is looked up in has so many members; the keys are numbered.
pub const MEMBERS: usize = 1000;
/// Where the look-up goes: the last member, and the first member of that.
pub const LAST: [&str; 2] = ["member-0999", "code"];
