//! What reading an instance takes beside its values.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_x694 as x694;

use std::fmt::Write;

use asn1::Values;
use test_support::memory::{Counting, cost};
use x694::{mapping, xer};
use xsd::{Memory, Options, Schema};

#[global_allocator]
static COUNTING: Counting = Counting;

const SCHEMA: &str = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'>
    <xs:element name='orders'><xs:complexType><xs:sequence><xs:element name='order' maxOccurs='unbounded'>
      <xs:complexType><xs:sequence>
        <xs:element name='number' type='xs:int'/><xs:element name='note' type='xs:string' minOccurs='0'/>
        <xs:element name='price' type='xs:decimal'/>
      </xs:sequence><xs:attribute name='unit' type='xs:token'/></xs:complexType></xs:element></xs:sequence>
    </xs:complexType></xs:element></xs:schema>";

#[test]
fn reading_takes_little_beside_the_values() {
    let schema = Schema::read_from(Memory::new().with("o.xsd", SCHEMA), "o.xsd", &Options::default()).unwrap();
    let types = xer::Types::new(schema, &mapping::Options::default()).unwrap();
    for count in [1, 20_000] {
        let mut xml = String::from("<orders>\n");
        for n in 0..count {
            let note = if n % 3 == 0 { "<note>a &amp; b</note>" } else { "" };
            writeln!(xml, "  <order unit='EUR'><number>{n}</number>{note}<price>{n}.50</price></order>").unwrap();
        }
        xml += "</orders>";
        let mut values = Values::new();
        // The first instance leaves room for its values, and what is to be expected.
        xer::read(xml.as_bytes(), &types, &Options::default(), &mut values).unwrap();
        let (read, peak, allocations) =
            cost(|| xer::read(xml.as_bytes(), &types, &Options::default(), &mut values).is_ok());
        println!("{} bytes: {peak} beside the values, {allocations} allocations", xml.len());
        assert!(read && peak <= 2 * xml.len().max(1 << 12), "{peak} beside {} bytes", xml.len());
        assert!(allocations < 100, "{allocations}");
    }
}
