//! What reading and checking take of memory.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_xsd as xsd;

use test_support::memory::{Counting, cost};
use xsd::{Memory, Options, Schema};

#[global_allocator]
static COUNTING: Counting = Counting;

const SCHEMA: &str = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'>
    <xs:simpleType name='size'><xs:restriction base='xs:token'><xs:enumeration value='small'/><xs:enumeration value='large'/></xs:restriction></xs:simpleType>
    <xs:element name='r'><xs:complexType><xs:sequence maxOccurs='1000000'>
      <xs:element name='n' type='xs:int' minOccurs='0'/>
      <xs:element name='s' maxOccurs='3'><xs:complexType><xs:simpleContent><xs:extension base='size'>
        <xs:attribute name='when' type='xs:dateTime'/><xs:attribute name='code' type='xs:NMTOKEN' use='required'/>
      </xs:extension></xs:simpleContent></xs:complexType></xs:element>
      <xs:element name='d' type='xs:decimal' nillable='true'/>
    </xs:sequence></xs:complexType></xs:element></xs:schema>";

fn instance(count: usize) -> String {
    let record = "<n>17</n><s code='a' when='2004-10-28T12:00:00Z'> small </s><s code='b'>large</s><d>1.50</d>\n";
    format!("<r>{}</r>", record.repeat(count))
}

#[test]
fn nothing_is_allocated_for_each_element() {
    let options = Options::default();
    let schema = Schema::read_from(Memory::new().with("a", SCHEMA), "a", &options).unwrap();
    let allocations = |count: usize| {
        let text = instance(count);
        let (checked, held, times) = cost(|| schema.validate(text.as_bytes(), &options));
        checked.unwrap();
        (held, times)
    };
    let (few, many) = (allocations(10), allocations(10_000));
    assert_eq!(few, many);
}

#[test]
fn occurrences_take_no_room_in_a_schema() {
    let read = |text: &str| {
        let source = Memory::new().with("a", text);
        cost(|| Schema::read_from(source, "a", &Options::default()).unwrap()).1
    };
    assert_eq!(read(SCHEMA), read(&SCHEMA.replace("1000000", "1000002")));
}
