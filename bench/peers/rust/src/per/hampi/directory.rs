//! `directory.asn1` for asn1-codecs. It has no IA5String; VisibleString takes as many bits for a
//! character.

use asn1_codecs_derive::{AperCodec, UperCodec};

use super::macros::{enumerations, integers, lists, strings};

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = false)]
pub struct Directory {
    pub title: Text,
    pub issued: Day,
    pub people: People,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE-OF")]
pub struct People(pub Vec<Person>);

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = true, optional_fields = 3)]
pub struct Person {
    pub name: Name,
    pub number: Number,
    pub title: Title,
    pub hired: Day,
    pub mail: Mail,
    pub phones: Phones,
    #[asn(optional_idx = 0)]
    pub address: Option<Address>,
    #[asn(optional_idx = 1)]
    pub children: Option<Children>,
    #[asn(optional_idx = 2)]
    pub note: Option<Text>,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = false, optional_fields = 1)]
pub struct Name {
    pub given: Text,
    #[asn(optional_idx = 0)]
    pub initial: Option<Initial>,
    pub family: Text,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = false)]
pub struct Phone {
    pub kind: PhoneKind,
    pub number: PhoneNumber,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = false)]
pub struct Address {
    pub street: Text,
    pub town: Text,
    pub code: Code,
    pub country: Country,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = false)]
pub struct Child {
    pub name: Name,
    pub born: Day,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "UTF8String")]
pub struct Text(pub String);

enumerations! { PhoneKind "2" true; }

integers! { Number(u32) "1" "999999"; }

lists! {
    Phones(Phone) "0" "4";
    Children(Child) "1" "12";
}

strings! {
    "PrintableString" Day(String) "10" "10";
    "PrintableString" Title(String) "1" "64";
    "PrintableString" Initial(String) "1" "1";
    "PrintableString" Code(String) "3" "10";
    "PrintableString" Country(String) "2" "2";
    "VisibleString" Mail(String) "3" "254";
    "VisibleString" PhoneNumber(String) "3" "20";
}
