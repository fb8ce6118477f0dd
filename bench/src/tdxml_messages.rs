//! The paper's five messages, written from its description (section 3.1), as types that every peer reads
//! and writes.
//!
//! Names and values are as long as makes the XML come near the paper's: that says no more of the messages.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A text of 50 bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "string")]
pub(crate) struct Short {
    #[serde(rename = "$text")]
    pub(crate) text: String,
}

/// A customer's account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "CustomerAccount")]
pub(crate) struct Account {
    #[serde(rename = "customerAccountNumber")]
    number: String,
    #[serde(rename = "customerFirstName")]
    first_name: String,
    #[serde(rename = "customerLastName")]
    last_name: String,
    #[serde(rename = "customerStreetAddress")]
    street: String,
    #[serde(rename = "customerEmailAddress")]
    email: String,
    #[serde(rename = "accountOpeningDate")]
    opened: String,
    #[serde(rename = "lastTransactionDate")]
    last: String,
    #[serde(rename = "isPreferredCustomer")]
    preferred: bool,
}

/// Twenty of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "AccountBatch")]
pub(crate) struct Medium {
    #[serde(rename = "CustomerAccount")]
    accounts: Vec<Account>,
}

/// A product of an invoice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Product {
    #[serde(rename = "productNumber")]
    number: String,
    #[serde(rename = "productDescription")]
    description: String,
    #[serde(rename = "manufacturerCode")]
    manufacturer: String,
    #[serde(rename = "orderedQuantity")]
    ordered: u32,
    #[serde(rename = "deliveredQuantity")]
    delivered: u32,
    #[serde(rename = "unitOfMeasure")]
    unit: String,
    #[serde(rename = "pricePerUnit")]
    price: String,
    #[serde(rename = "discountPercentage")]
    discount: String,
    #[serde(rename = "isTaxExempted")]
    exempted: bool,
    #[serde(rename = "deliveryDateAndTime")]
    delivery: String,
    #[serde(rename = "totalAmountDue")]
    total: String,
}

/// An invoice: a customer and fifty products.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "CustomerInvoice")]
pub(crate) struct Complex {
    #[serde(rename = "CustomerAccount")]
    account: Account,
    #[serde(rename = "Product")]
    products: Vec<Product>,
}

/// An account with a picture of 14 kB.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "CustomerPicture")]
pub(crate) struct Picture<B> {
    #[serde(rename = "CustomerAccount")]
    account: Account,
    #[serde(rename = "photograph")]
    pub(crate) image: B,
}

/// Octets that text formats hold in base64.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Base64(pub(crate) Vec<u8>);

impl Serialize for Base64 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Base64 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Base64, D::Error> {
        struct Text;
        impl serde::de::Visitor<'_> for Text {
            type Value = Base64;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("base64")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Base64, E> {
                STANDARD.decode(text).map(Base64).map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Text)
    }
}

/// Octets that binary formats hold as they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Octets(#[serde(with = "serde_bytes")] pub(crate) Vec<u8>);

pub(crate) const NAMES: [&str; 5] = ["short", "simple", "medium", "complex", "simpleJpeg"];

const ACCOUNT: &str = "{
 customerAccountNumber[0] UTF8String, customerFirstName[1] UTF8String, customerLastName[2] UTF8String,
 customerStreetAddress[3] UTF8String, customerEmailAddress[4] UTF8String, accountOpeningDate[5] DATE-TIME,
 lastTransactionDate[6] DATE-TIME, isPreferredCustomer[7] BOOLEAN }";

/// The data schema of a message.
pub(crate) fn schema(name: &str) -> String {
    match name {
        "short" => "string[0] ::= SEQUENCE { [TEXT] UTF8String }".into(),
        "simple" => format!("CustomerAccount[0] ::= SEQUENCE {ACCOUNT}"),
        "medium" => format!("AccountBatch[0] ::= SEQUENCE {{ CustomerAccount[0] SEQUENCE OF {ACCOUNT} }}"),
        "complex" => format!(
            "CustomerInvoice[0] ::= SEQUENCE {{ CustomerAccount[0] SEQUENCE {ACCOUNT}, Product[1] SEQUENCE OF {{
              productNumber[0] UTF8String, productDescription[1] UTF8String, manufacturerCode[2] UTF8String,
              orderedQuantity[3] INTEGER, deliveredQuantity[4] INTEGER, unitOfMeasure[5] UTF8String,
              pricePerUnit[6] REAL, discountPercentage[7] REAL, isTaxExempted[8] BOOLEAN,
              deliveryDateAndTime[9] DATE-TIME, totalAmountDue[10] REAL }} }}"
        ),
        _ => format!(
            "CustomerPicture[0] ::= SEQUENCE {{ CustomerAccount[0] SEQUENCE {ACCOUNT}, photograph[1] OCTET STRING }}"
        ),
    }
}

pub(crate) fn short() -> Short {
    Short { text: "The quick brown fox jumps over a lazy dog at night".into() }
}

const FIRST: [&str; 8] = ["Alan", "Chris", "Mei", "Olga", "Samira", "Tom", "Ines", "Jan"];
const LAST: [&str; 8] = ["Johnson", "Michell", "Nguyen", "Petrova", "Haddad", "O'Neil", "Costa", "Novak"];

/// The account of a number. `long` has the values of one that is sent alone.
pub(crate) fn account(number: usize, long: bool) -> Account {
    let (first, last) = (FIRST[number % 8], LAST[(number / 3) % 8]);
    let zone = if long { ".0000000+10:00" } else { "" };
    let (day, month) = (1 + number % 28, 1 + number % 12);
    Account {
        number: format!("{:08}", 10_234_001 + 917 * number),
        first_name: if long { format!("{first} Alexander") } else { first.into() },
        last_name: if long { format!("{last}-Worthington") } else { last.into() },
        street: if long {
            format!("{} Balaclava Road, North Ryde, NSW", 3 + number)
        } else {
            format!("{} High St", 3 + number)
        },
        email: if long {
            format!("{}@customers.example.com", first.to_lowercase())
        } else {
            format!("{}{number}@example.com", first.to_lowercase())
        },
        opened: format!("2001-{month:02}-{day:02}T09:30:00{zone}"),
        last: format!("2005-{month:02}-{day:02}T16:{:02}:00{zone}", number % 60),
        preferred: number.is_multiple_of(3),
    }
}

pub(crate) fn medium() -> Medium {
    Medium { accounts: (0..20).map(|number| account(number, false)).collect() }
}

fn product(number: usize) -> Product {
    let cents = 199 + 731 * number;
    Product {
        number: format!("P-{:05}", 20_117 + 13 * number),
        description: format!("{} {}", ["Oak chair", "Desk lamp", "Book shelf", "Steel mug"][number % 4], number),
        manufacturer: format!("M{:03}", 100 + number % 37),
        ordered: 1 + (number % 9) as u32,
        delivered: (number % 9) as u32,
        unit: ["each", "box", "pair"][number % 3].into(),
        price: format!("{}.{:02}", cents / 100, cents % 100),
        discount: format!("{}.5", number % 20),
        exempted: number.is_multiple_of(7),
        delivery: format!("2005-{:02}-{:02}T08:00:00", 1 + number % 12, 1 + number % 28),
        total: format!("{}.{:02}", cents * (1 + number % 9) / 100, cents % 100),
    }
}

pub(crate) fn complex() -> Complex {
    Complex { account: account(4, true), products: (0..50).map(product).collect() }
}

/// Octets that look like those of a JPEG.
pub(crate) fn octets() -> Vec<u8> {
    let mut state = 0x2545_F491_4F6C_DD1Du64;
    let mut all: Vec<u8> = (0..14 * 1024)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as u8
        })
        .collect();
    all[..4].copy_from_slice(b"\xFF\xD8\xFF\xE0");
    all
}

pub(crate) fn picture<B>(image: impl FnOnce(Vec<u8>) -> B) -> Picture<B> {
    Picture { account: account(7, true), image: image(octets()) }
}

/// What serialisers of the paper's platform write around XML: the declaration, and two namespaces that the
/// root element declares.
pub(crate) const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>";
pub(crate) const NAMESPACES: &str = " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
                                     xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\"";

/// XML with them.
pub(crate) fn as_sent(xml: &str) -> String {
    let end = xml.find('>').unwrap_or(0);
    format!("{DECLARATION}{}{NAMESPACES}{}", &xml[..end], &xml[end..])
}
