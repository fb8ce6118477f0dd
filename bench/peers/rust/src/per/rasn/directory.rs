//! `directory.asn1` for rasn.

use rasn::prelude::*;

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub struct Directory {
    pub title: String,
    #[rasn(size("10"))]
    pub issued: PrintableString,
    pub people: Vec<Person>,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
pub struct Person {
    pub name: Name,
    #[rasn(value("1..=999999"))]
    pub number: u32,
    #[rasn(size("1..=64"))]
    pub title: PrintableString,
    #[rasn(size("10"))]
    pub hired: PrintableString,
    #[rasn(size("3..=254"))]
    pub mail: Ia5String,
    #[rasn(size("0..=4"))]
    pub phones: Vec<Phone>,
    pub address: Option<Address>,
    #[rasn(size("1..=12"))]
    pub children: Option<Vec<Child>>,
    pub note: Option<String>,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub struct Name {
    pub given: String,
    #[rasn(size("1"))]
    pub initial: Option<PrintableString>,
    pub family: String,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub struct Phone {
    pub kind: PhoneKind,
    #[rasn(size("3..=20"))]
    pub number: VisibleString,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated)]
#[non_exhaustive]
pub enum PhoneKind {
    #[rasn(identifier = "desk")]
    Desk,
    #[rasn(identifier = "mobile")]
    Mobile,
    #[rasn(identifier = "home")]
    Home,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub struct Address {
    pub street: String,
    pub town: String,
    #[rasn(size("3..=10"))]
    pub code: PrintableString,
    #[rasn(size("2"))]
    pub country: PrintableString,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub struct Child {
    pub name: Name,
    #[rasn(size("10"))]
    pub born: PrintableString,
}
