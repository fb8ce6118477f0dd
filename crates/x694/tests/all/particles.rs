//! Which particle an element is of where its name does not say so, through PER and back.

use asn1::{Values, notation};
use test_support::particles::{Tree, counted, tree};
use test_support::{Random, rounds};
use x694::{mapping, xer};
use xsd::{Memory, Options, Schema};

fn schema(tree: &Tree) -> Result<Schema, tam::Error> {
    Schema::read_from(Memory::new().with("r.xsd", tree.schema()), "r.xsd", &Options::default())
}

/// Valid instances go through PER and back, whichever way their content is counted. Invalid ones are refused.
#[test]
fn what_a_model_accepts_is_carried_however_it_can_be_counted() {
    let mut random = Random::new(13);
    let options = Options::default();
    let (mut several, mut carried, mut refused, mut limited) = (0, 0, 0, 0);
    for n in 0..rounds(600) as u32 {
        let tree = if n % 2 == 0 { counted(&mut random, 1 + n % 3) } else { tree(&mut random, 3) };
        let Ok(schema) = schema(&tree) else { continue };
        let types = xer::Types::new(schema, &mapping::Options::default()).unwrap();
        let models = types.schema().complex_types.ids().map(|id| types.schema().model(id));
        several += models.filter(|model| !model.is_countable()).count();
        for n in 0..12 {
            let mut word = Vec::new();
            tree.say(&mut random, &mut word);
            if n % 3 > 0 && !word.is_empty() {
                let at = random.below(word.len());
                if random.one_in(2) {
                    word.insert(at, word[at]);
                } else {
                    word.remove(at);
                }
            }
            if word.len() > 120 {
                continue;
            }
            let expected = tree.accepts(&word);
            let xml: String = word.iter().map(|name| format!("<{name}/>")).collect();
            let xml = if word.is_empty() { "<r/>".to_owned() } else { format!("<r>{xml}</r>") };
            let checked = types.schema().validate(xml.as_bytes(), &options);
            if checked.as_ref().is_err_and(|error| error.kind() == tam::ErrorKind::Limit) {
                limited += 1;
                continue;
            }
            assert_eq!(checked.is_ok(), expected, "{tree:?} {word:?}: {checked:?}");
            let mut values = Values::new();
            let value = match xer::read(xml.as_bytes(), &types, &options, &mut values) {
                Ok(value) => value,
                Err(error) => {
                    assert_eq!(Some(&error), checked.as_ref().err(), "{tree:?} {word:?}");
                    refused += 1;
                    continue;
                }
            };
            let (mut again, mut out) = (Values::new(), Vec::new());
            let message = asn1::write(value, &asn1::Options::uper()).unwrap_or_else(|error| {
                panic!("{error}: {tree:?} {word:?}");
            });
            let value =
                asn1::read(&message, types.compiled(), value.node_id(), &asn1::Options::uper(), &mut again).unwrap();
            xer::append(value, &types, &mut out).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), xml, "{tree:?}");
            carried += 1;
        }
    }
    assert!(several > rounds(60) && carried > rounds(1200) && refused > rounds(400), "{several} {carried} {refused}");
    assert_eq!(limited, 0);
}

/// A schema with members of a substitution group, and an element of some content.
fn substitutes(content: &str) -> Schema {
    let text = format!(
        "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns:t='urn:t' targetNamespace='urn:t'
            elementFormDefault='qualified'>
         <xs:element name='head' type='xs:string'/>
         <xs:element name='member' type='xs:string' substitutionGroup='t:head'/>
         <xs:element name='far' type='xs:string' substitutionGroup='t:member'/>
         <xs:element name='r'><xs:complexType>{content}</xs:complexType></xs:element></xs:schema>"
    );
    Schema::read_from(Memory::new().with("t.xsd", text), "t.xsd", &Options::default()).unwrap()
}

#[test]
fn an_element_is_of_the_particle_that_its_place_tells() {
    let types = |content: &str| xer::Types::new(substitutes(content), &mapping::Options::default()).unwrap();
    let read = |types: &xer::Types, children: &str| {
        let xml = format!("<t:r xmlns:t=\"urn:t\">{children}</t:r>");
        let mut values = Values::new();
        let value = xer::read(xml.as_bytes(), types, &Options::default(), &mut values).unwrap();
        let back = xer::write(value, types).unwrap();
        let said = String::from_utf8(back).unwrap().replace("<r xmlns=\"urn:t\">", "").replace("</r>", "");
        assert_eq!(said, children.replace("t:", ""));
        let text = notation::write_value(value).unwrap();
        let text = text.split_once("::=").map_or(&text[..], |(_, value)| value);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let pair = types(
        "<xs:sequence maxOccurs='2'><xs:element ref='t:head'/><xs:element name='member' type='xs:string'/></xs:sequence>",
    );
    assert_eq!(
        read(&pair, "<t:member>1</t:member><t:member>2</t:member><t:far>3</t:far><t:member>4</t:member>"),
        "{ sequence-list { { head-group member : \"1\", member \"2\" }, { head-group far : \"3\", member \"4\" } } }"
    );
}
