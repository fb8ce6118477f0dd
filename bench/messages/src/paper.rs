//! The paper's four messages (its section 3.3), made up after its description of them.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

/// Defines the same structs three times: with the names of their fields for keys (`named`), with
/// numbers in decimal (`numeral`; the paper says that keys often are), and for minicbor's own code,
/// whose keys are integers (`indexed`). Each set has the functions of `make.rs`.
macro_rules! messages {
    ($($(#[$about:meta])* $name:ident<$($kind:ident),+> {
        $($(#[$of:meta])* $number:literal $key:literal $field:ident: $type:ty,)+
    })+) => {
        /// Keys are the names of the fields.
        pub mod named {
            use super::*;
            $(
                $(#[$about])*
                #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
                pub struct $name<$($kind),+> { $($(#[$of])* pub $field: $type,)+ }
            )+
            include!("make.rs");
        }

        /// Keys are numbers in decimal.
        pub mod numeral {
            use super::*;
            $(
                $(#[$about])*
                #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
                pub struct $name<$($kind),+> { $($(#[$of])* #[serde(rename = $key)] pub $field: $type,)+ }
            )+
            include!("make.rs");
        }

        /// Keys are integers.
        #[cfg(feature = "indexed")]
        pub mod indexed {
            use super::*;
            use minicbor::{Decode, Encode};
            $(
                $(#[$about])*
                #[derive(Clone, Debug, PartialEq, Encode, Decode)]
                #[cbor(map)]
                pub struct $name<$($kind),+> { $($(#[$of])* #[n($number)] pub $field: $type,)+ }
            )+
            include!("make.rs");
        }
    };
}

messages! {
    /// Asks a device for its services: two strings and one integer.
    ServiceListRequest<S> {
        0 "0" from: S,
        1 "1" to: S,
        2 "2" number: u32,
    }

    /// Lists the services of a device.
    ServiceListReply<S> {
        0 "0" from: S,
        1 "1" to: S,
        2 "2" number: u32,
        3 "3" services: Vec<Service<S>>,
    }

    /// Several strings, integers, bytes and booleans, some of them null, and nested structures with
    /// values like these.
    Service<S> {
        0 "0" id: ServiceId<S>,
        1 "1" name: S,
        2 "2" help: Option<S>,
        3 "3" room: Option<S>,
        4 "4" kind: u8,
        5 "5" port: u32,
        6 "6" period: Option<u32>,
        7 "7" version: u32,
        8 "8" priority: u8,
        9 "9" hidden: bool,
        10 "10" remote: bool,
        11 "11" secure: bool,
        12 "12" stream: bool,
        13 "13" made: Origin<S>,
        14 "14" parent: Option<ServiceId<S>>,
    }

    /// What distinguishes a service from all others.
    ServiceId<S> {
        0 "0" device: S,
        1 "1" number: u32,
        2 "2" unit: u8,
        3 "3" local: bool,
    }

    /// Where a service comes from.
    Origin<S> {
        0 "0" by: S,
        1 "1" day: i32,
        2 "2" level: u8,
        3 "3" signed: bool,
        4 "4" note: Option<S>,
    }

    /// An image that was asked for: a couple of strings and integers, and its octets.
    ImageReply<S, B> {
        0 "0" command: S,
        1 "1" title: S,
        2 "2" media: S,
        3 "3" width: u32,
        4 "4" height: u32,
        5 "5" taken: i64,
        6 "6" image: B,
    }
}

impl<S, B> named::ImageReply<S, B> {
    /// The same with the octets held in another way.
    pub fn with_image<C>(self, image: C) -> named::ImageReply<S, C> {
        let named::ImageReply { command, title, media, width, height, taken, image: _ } = self;
        named::ImageReply { command, title, media, width, height, taken, image }
    }
}

/// A service as it is listed below: name, help, room, period, whether it has a parent.
type Listed = (&'static str, Option<&'static str>, Option<&'static str>, Option<u32>, bool);

/// The services of a room in a house where someone is cared for.
const SERVICES: [Listed; 15] = [
    ("thermometer", Some("degrees Celsius at the window"), Some("bedroom"), Some(60), true),
    ("pulse", Some("beats in a minute"), None, Some(5), false),
    ("door", None, Some("hall"), None, true),
    ("infusion pump", Some("rate, volume, alarms"), Some("bedroom"), Some(10), false),
    ("camera", Some("one image when asked"), Some("kitchen"), None, false),
    ("call button", None, None, None, true),
    ("lamp", None, Some("bedroom"), None, true),
    ("scales", Some("kilograms, every morning"), Some("bath"), Some(86400), false),
    ("medicine box", Some("which lids were opened"), Some("kitchen"), None, false),
    ("diary", Some("entries of visiting nurses"), None, None, false),
    ("blinds", None, Some("bedroom"), None, true),
    ("oxygen", Some("saturation in per cent"), None, Some(5), false),
    ("smoke alarm", None, Some("kitchen"), None, true),
    ("bed", Some("position, weight on it"), Some("bedroom"), Some(30), false),
    ("radio", None, Some("kitchen"), None, true),
];

const DEVICES: [&str; 4] = ["tablet-17", "gateway-3", "pump-2204", "hub-8"];

/// Octets that look random, as those of a compressed image do; made once.
pub fn octets(count: usize) -> &'static [u8] {
    const MOST: usize = 500_000;
    static OCTETS: OnceLock<Vec<u8>> = OnceLock::new();
    let all = OCTETS.get_or_init(|| {
        let mut state = 0x5EED_u64;
        let mut next = || {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            (state >> 40) as u8
        };
        (0..MOST).map(|_| next()).collect()
    });
    &all[..count]
}
