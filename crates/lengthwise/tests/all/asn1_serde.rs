//! XML by a schema, into Rust's own types.
#![cfg(all(feature = "serde", feature = "xsd"))]

use std::path::Path;

use lengthwise::asn1::{Options, Values, from_value, read, write};
use lengthwise::x694::{mapping, xer};
use lengthwise::{ErrorKind, xsd};
use serde::Deserialize;

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Order<'m> {
    currency: Currency,
    id: &'m str,
    customer: Customer<'m>,
    lines: Lines,
    delivery: Option<Delivery>,
    total: Total,
}

#[derive(Debug, PartialEq, Deserialize)]
enum Currency {
    #[serde(rename = "EUR")]
    Eur,
    #[serde(other)]
    Other,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Customer<'m> {
    since: Option<&'m str>,
    name: &'m str,
    address: Vec<String>,
    email: Option<&'m str>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Lines {
    line: Vec<Line>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Line {
    sku: String,
    quantity: u16,
    title: String,
    price: Decimal,
    artwork: Option<Artwork>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Artwork {
    r#type: String,
    base: String,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Delivery {
    by: Date,
    gift: bool,
}

/// As the mapping has it: a CHOICE.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Date {
    Asn1SupportedValue(String),
    OtherValues(String),
}

/// Mantissa, and exponent of 10.
#[derive(Debug, PartialEq, Deserialize)]
struct Decimal(i128, i32);

#[derive(Debug, PartialEq, Deserialize)]
struct Total {
    net: String,
    vat: f64,
    base: Decimal,
}

fn types() -> xer::Types {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let schema = xsd::Schema::read(samples.join("order.xsd"), &xsd::Options::default()).unwrap();
    xer::Types::new(schema, &mapping::Options::default()).unwrap()
}

#[test]
fn an_order_is_a_struct_of_its_own() {
    let types = types();
    let xml = include_bytes!("../../../../samples/order.xml");
    let mut values = Values::new();
    let value = xer::read(xml, &types, &xsd::Options::default(), &mut values).unwrap();
    let line = |sku: &str, quantity, title: &str, price, artwork| Line {
        sku: sku.into(),
        quantity,
        title: title.into(),
        price,
        artwork,
    };
    let artwork = "<p class=\"label\">Grüner Tee & mehr<br>100 g</p>";
    let expected = Order {
        currency: Currency::Eur,
        id: "2024-0117",
        customer: Customer {
            since: Some("2011-03-05"),
            name: "Čapek, Jiřina",
            address: vec!["Pepper & Thyme, Lange Gasse 7, 1080 Wien".into()],
            email: Some("orders@pepper.example"),
        },
        lines: Lines {
            line: vec![
                line("TEA-0042", 12, "Green tea, 100 g", Decimal(49, -1), None),
                line("CUP-0007", 3, "Cup <0.3 l>, blue & white", Decimal(115, -1), None),
                line(
                    "LBL-1100",
                    1,
                    "Labels, printed",
                    Decimal(18, 0),
                    Some(Artwork { r#type: "text/html".into(), base: artwork.into() }),
                ),
            ],
        },
        delivery: Some(Delivery { by: Date::Asn1SupportedValue("2024-11-30".into()), gift: false }),
        total: Total { net: "111.3".into(), vat: 22.26, base: Decimal(13356, -2) },
    };
    assert_eq!(from_value::<Order<'_>>(value).unwrap(), expected);
    assert_eq!(value.get("lines/line/1/quantity").unwrap().as_i64(), Some(3));
    assert_eq!(value.get("delivery/by").unwrap().as_str(), Some("2024-11-30"));
    assert_eq!(value.get("delivery/by/asn1supportedvalue").unwrap().as_str(), Some("2024-11-30"));
    assert!(value.get("lines/line/3").is_none());

    // The same from PER.
    let message = write(value, &Options::uper()).unwrap();
    let mut values = Values::new();
    let value = read(&message, types.compiled(), value.node_id(), &Options::uper(), &mut values).unwrap();
    assert_eq!(from_value::<Order<'_>>(value).unwrap(), expected);
}

#[test]
fn an_order_that_does_not_fit_is_refused_with_the_path() {
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    struct Small {
        #[allow(dead_code)]
        lines: SmallLines,
    }
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    struct SmallLines {
        #[allow(dead_code)]
        line: Vec<SmallLine>,
    }
    #[derive(Debug, Deserialize)]
    struct SmallLine {
        #[allow(dead_code)]
        price: i32,
    }
    let types = types();
    let xml = include_bytes!("../../../../samples/order.xml");
    let mut values = Values::new();
    let value = xer::read(xml, &types, &xsd::Options::default(), &mut values).unwrap();
    let error = from_value::<Small>(value).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::Schema, "/lines/line/0/price"));
    assert_eq!(error.found().to_string(), "floating point `4.9`");
}
