//! Shapes of SOAP messages, and of descriptions of services.

use std::fmt::Write;

use test_support::Random;

use crate::Family::{Counts, Defaults, Names, Namespaces, Parameters, References};
use crate::Shape;
use crate::readers::BETWEEN;

const MESSAGES: &[&str] = &["soap", "soap templates"];
const WSDL: &[&str] = &["wsdl", "soap service"];

pub(crate) const SHAPES: &[Shape] = &[
    Shape { readers: MESSAGES, family: References, name: "a long text, often", make: long_text },
    Shape { readers: MESSAGES, family: References, name: "a chain, often", make: chain },
    Shape { readers: MESSAGES, family: References, name: "arrays of references to arrays", make: arrays },
    Shape { readers: MESSAGES, family: References, name: "targets that nothing refers to", make: targets },
    Shape {
        readers: MESSAGES,
        family: References,
        name: "references to nothing",
        make: |_, n| message("sendTexts", &fill("<i href='#n'/>", n, "texts"), ""),
    },
    Shape { readers: MESSAGES, family: References, name: "a ring", make: ring },
    Shape { readers: MESSAGES, family: Counts, name: "a count that is not true", make: count },
    Shape {
        readers: MESSAGES,
        family: Counts,
        name: "empty items",
        make: |_, n| message("sendTexts", &fill("<i/>", n, "texts"), ""),
    },
    Shape {
        readers: MESSAGES,
        family: Counts,
        name: "arrays of empty arrays",
        make: |_, n| message("sendNested", &fill("<r/>", n, "rows"), ""),
    },
    Shape {
        readers: MESSAGES,
        family: Counts,
        name: "ints",
        make: |_, n| message("sendInts", &fill("<i>7</i>", n, "data"), ""),
    },
    Shape {
        readers: MESSAGES,
        family: Counts,
        name: "levels",
        make: |_, n| message("sendTexts", &("<a>".repeat(n / 7) + &"</a>".repeat(n / 7)), ""),
    },
    Shape {
        readers: MESSAGES,
        family: Counts,
        name: "positions",
        make: |_, n| message("sendInts", &fill("<i position='[4000000000]'>7</i>", n, "data"), ""),
    },
    Shape { readers: MESSAGES, family: Names, name: "many attributes", make: attributes },
    Shape { readers: MESSAGES, family: Names, name: "long names of items", make: long_items },
    Shape {
        readers: MESSAGES,
        family: Namespaces,
        name: "declarations on each item",
        make: |_, n| message("sendTexts", &fill("<i xmlns:q='u' xmlns:r='v'/>", n, "texts"), ""),
    },
    Shape { readers: MESSAGES, family: Namespaces, name: "a declaration a level", make: namespaces },
    Shape {
        readers: MESSAGES,
        family: Parameters,
        name: "header blocks",
        make: |_, n| headers("<h:h xmlns:h='urn:h'/>", n),
    },
    Shape {
        readers: MESSAGES,
        family: Parameters,
        name: "header blocks of levels",
        make: |_, n| headers("<h xmlns='u'><h><h/></h></h>", n),
    },
    Shape { readers: &["soap templates"], family: Parameters, name: "messages of header blocks", make: many_headers },
    Shape { readers: &["soap templates"], family: Counts, name: "messages of items", make: many_messages },
    Shape { readers: MESSAGES, family: References, name: "values that double", make: doubling_values },
    Shape { readers: MESSAGES, family: References, name: "references within each other", make: nested },
    Shape { readers: MESSAGES, family: Namespaces, name: "prefixes of what is referred to", make: prefixes },
    Shape {
        readers: MESSAGES,
        family: Namespaces,
        name: "prefixes of attributes that are referred to",
        make: qualified,
    },
    Shape { readers: WSDL, family: References, name: "types that double", make: doubling },
    Shape { readers: WSDL, family: References, name: "encoded types that double", make: doubling_encoded },
    Shape { readers: WSDL, family: References, name: "types that double, repeated", make: doubling_groups },
    Shape { readers: WSDL, family: References, name: "parts of one type", make: parts },
    Shape { readers: WSDL, family: References, name: "operations of one message", make: operations },
    Shape { readers: WSDL, family: References, name: "a chain of types", make: chain_of_types },
    Shape { readers: WSDL, family: Names, name: "messages that nothing uses", make: messages },
    Shape { readers: WSDL, family: Namespaces, name: "declarations at the top", make: wsdl_namespaces },
    Shape { readers: WSDL, family: Defaults, name: "operations with the style of their binding", make: operations },
];

/// A service with arrays, arrays of arrays and text, and with a type that holds itself.
pub(crate) fn description() -> String {
    let array = |name: &str, of: &str| {
        format!(
            "<xs:complexType name='{name}'><xs:complexContent><xs:restriction base='c:Array'><xs:attribute \
             ref='c:arrayType' w:arrayType='{of}'/></xs:restriction></xs:complexContent></xs:complexType>"
        )
    };
    let types = array("ints", "xs:int[]")
        + &array("texts", "xs:string[]")
        + &array("nested", "xs:int[][]")
        + "<xs:complexType name='tree'><xs:sequence><xs:element name='a' type='t:tree'/>\
           <xs:element name='b' type='t:tree'/></xs:sequence></xs:complexType>";
    let (mut messages, mut operations, mut bound) = (String::new(), String::new(), String::new());
    let all = [("sendInts", "data", "ints"), ("sendNested", "rows", "nested"), ("sendTexts", "texts", "texts")];
    for (name, part, ty) in all.into_iter().chain([("sendTree", "tree", "tree")]) {
        write!(messages, "<message name='{name}'><part name='{part}' type='t:{ty}'/></message>").unwrap();
        write!(operations, "<operation name='{name}'><input message='t:{name}'/></operation>").unwrap();
        let body = "<soap:body use='encoded' namespace='urn:b'/>";
        write!(bound, "<operation name='{name}'><input>{body}</input></operation>").unwrap();
    }
    let scope = " xmlns:c='http://schemas.xmlsoap.org/soap/encoding/' xmlns:w='http://schemas.xmlsoap.org/wsdl/'";
    String::from_utf8(wsdl(scope, &types, &messages, &operations, &bound)).unwrap()
}

fn envelope(header: &str, body: &str) -> Vec<u8> {
    format!(
        "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/' \
         xmlns:c='http://schemas.xmlsoap.org/soap/encoding/' xmlns:x='http://www.w3.org/2001/XMLSchema'>\
         {header}<e:Body>{body}</e:Body></e:Envelope>"
    )
    .into_bytes()
}

fn message(name: &str, content: &str, after: &str) -> Vec<u8> {
    envelope("", &format!("<m:{name} xmlns:m='urn:b'>{content}</m:{name}>{after}"))
}

/// A member with an item as often as it fits.
fn fill(item: &str, size: usize, member: &str) -> String {
    format!("<{member}>{}</{member}>", item.repeat(size / item.len()))
}

fn headers(block: &str, size: usize) -> Vec<u8> {
    let header = format!("<e:Header>{}</e:Header>", block.repeat(size / block.len()));
    envelope(&header, "<m:sendInts xmlns:m='urn:b'><data/></m:sendInts>")
}

fn long_text(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let text = "x".repeat(part);
    message("sendTexts", &fill("<i href='#s'/>", size - part, "texts"), &format!("<s id='s'>{text}</s>"))
}

fn chain(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let count = part / 30;
    let targets: String = (0..count).map(|n| format!("<m id='r{n}' href='#r{}'/>", n + 1)).collect();
    let targets = format!("{targets}<m id='r{count}'>7</m>");
    message("sendInts", &fill("<i href='#r0'/>", size - part, "data"), &targets)
}

fn arrays(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let inner = fill("<i>1</i>", part, "a").replacen("<a>", "<a id='a'>", 1);
    message("sendNested", &fill("<r href='#a'/>", size - part, "rows"), &inner)
}

fn targets(_: &mut Random, size: usize) -> Vec<u8> {
    let targets: String = (0..size / 18).map(|n| format!("<m id='r{n}'>7</m>")).collect();
    message("sendInts", "<data/>", &targets)
}

fn ring(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let count = part / 30 + 1;
    let targets: String = (0..count).map(|n| format!("<m id='r{n}' href='#r{}'/>", (n + 1) % count)).collect();
    message("sendInts", &fill("<i href='#r0'/>", size - part, "data"), &targets)
}

fn doubling_values(_: &mut Random, size: usize) -> Vec<u8> {
    let count = size / 45 + 1;
    let one = |n: usize| format!("<x id='r{n}'><a href='#r{0}'/><b href='#r{0}'/></x>", n + 1);
    let targets: String = (0..count).map(one).collect();
    message("sendTree", "<tree href='#r0'/>", &format!("{targets}<x id='r{count}'/>"))
}

fn nested(_: &mut Random, size: usize) -> Vec<u8> {
    let count = size / 30 + 1;
    let targets: String = (0..count).map(|n| format!("<x id='r{n}'><a href='#r{}'/></x>", n + 1)).collect();
    message("sendTree", "<tree href='#r0'/>", &format!("{targets}<x id='r{count}'/>"))
}

fn prefixes(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let scope: String = (0..part / 20).map(|n| format!(" xmlns:p{n}='u{n}'")).collect();
    let item = format!("<i xmlns:p0='v' href='#r{}'/>", random.below(2));
    let targets = format!("<s id='r0'{scope} p0:a='p1:x'>p2:x</s><s id='r1' xmlns='y'>x</s>");
    message("sendTexts", &fill(&item, size - part, "texts"), &targets)
}

fn qualified(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let one = |n: usize| format!(" xmlns:p{n}='u{n}' p{n}:nil='1'");
    let attributes: String = (0..part / 30).map(one).collect();
    let item = format!("<i{attributes} href='#r0'/>");
    let items = fill(&item, size.saturating_sub(part).max(item.len()), "texts");
    message("sendTexts", &items, &format!("<s id='r0'{attributes}>x</s>"))
}

fn count(random: &mut Random, size: usize) -> Vec<u8> {
    let count = random.of(&["4000000000", "99999999999999999999", "1000000", "65535,65535", "1000000,0"]);
    let item = format!("<r c:arrayType='x:int[{count}]'/>");
    let rows = fill(&item, size, "rows");
    message("sendNested", &rows.replacen("<rows>", &format!("<rows c:arrayType='x:int[][{count}]'>"), 1), "")
}

fn attributes(_: &mut Random, size: usize) -> Vec<u8> {
    let mut attributes = String::new();
    let mut count = 0;
    while attributes.len() < size {
        write!(attributes, " a{count}=''").unwrap();
        count += 1;
    }
    message("sendTexts", &format!("<texts{attributes}/>"), "")
}

fn long_items(random: &mut Random, size: usize) -> Vec<u8> {
    let name = "n".repeat(1 + random.below(size / 4 + 1));
    message("sendTexts", &fill(&format!("<{name}/>"), size, "texts"), "")
}

fn namespaces(_: &mut Random, size: usize) -> Vec<u8> {
    let count = (size / 30).min(900);
    let starts: String = (0..count).map(|n| format!("<a xmlns='u' xmlns:p{n}='u{n}'>")).collect();
    let header = format!("<e:Header>{starts}{}</e:Header>", "</a>".repeat(count));
    envelope(&header, "<m:sendInts xmlns:m='urn:b'><data/></m:sendInts>")
}

fn many_headers(_: &mut Random, size: usize) -> Vec<u8> {
    (0..8).map(|_| headers("<h xmlns='u'/>", size / 8)).collect::<Vec<_>>().join(&BETWEEN)
}

fn many_messages(_: &mut Random, size: usize) -> Vec<u8> {
    let one = message("sendInts", &fill("<i>7</i>", size / 8, "data"), "");
    vec![one; 8].join(&BETWEEN)
}

/// A description with types, messages and operations.
fn wsdl(scope: &str, types: &str, messages: &str, operations: &str, bound: &str) -> Vec<u8> {
    format!(
        "<definitions targetNamespace='u' xmlns:t='u' xmlns='http://schemas.xmlsoap.org/wsdl/' \
         xmlns:soap='http://schemas.xmlsoap.org/wsdl/soap/' xmlns:xs='http://www.w3.org/2001/XMLSchema'{scope}>\
         <types><xs:schema targetNamespace='u'>{types}</xs:schema></types>{messages}\
         <portType name='P'>{operations}</portType><binding name='B' type='t:P'>\
         <soap:binding style='rpc' transport='http://schemas.xmlsoap.org/soap/http'/>{bound}</binding></definitions>"
    )
    .into_bytes()
}

/// A description with one operation that takes parts.
fn of_parts(scope: &str, types: &str, parts: &str, others: &str) -> Vec<u8> {
    wsdl(
        scope,
        types,
        &format!("<message name='M'>{parts}</message>{others}"),
        "<operation name='o'><input message='t:M'/></operation>",
        "<operation name='o'><input><soap:body use='literal' namespace='u'/></input></operation>",
    )
}

/// Types that each have the next one so many times.
fn tree(random: &mut Random, size: usize, repeats: &str) -> String {
    let times = 1 + random.below(8);
    let mut types = String::new();
    let mut count = 0;
    while types.len() < size {
        let next = count + 1;
        let members: String =
            (0..times).map(|n| format!("<xs:element name='m{n}' type='t:T{next}'{repeats}/>")).collect();
        write!(types, "<xs:complexType name='T{count}'><xs:sequence>{members}</xs:sequence></xs:complexType>").unwrap();
        count = next;
    }
    types + &format!("<xs:simpleType name='T{count}'><xs:restriction base='xs:int'/></xs:simpleType>")
}

fn doubling(random: &mut Random, size: usize) -> Vec<u8> {
    of_parts("", &tree(random, size, ""), "<part name='p' type='t:T0'/>", "")
}

fn doubling_encoded(random: &mut Random, size: usize) -> Vec<u8> {
    let text = of_parts("", &tree(random, size, ""), "<part name='p' type='t:T0'/>", "");
    String::from_utf8(text).unwrap().replace("literal", "encoded").into_bytes()
}

fn doubling_groups(random: &mut Random, size: usize) -> Vec<u8> {
    let times = 2 + random.below(3);
    let mut types = String::new();
    let mut count = 0;
    while types.len() < size {
        let next = count + 1;
        let members = format!("<xs:group ref='t:G{next}'/>").repeat(times);
        write!(types, "<xs:group name='G{count}'><xs:sequence>{members}</xs:sequence></xs:group>").unwrap();
        count = next;
    }
    write!(
        types,
        "<xs:group name='G{count}'><xs:sequence><xs:element name='m' type='xs:int'/></xs:sequence></xs:group>"
    )
    .unwrap();
    types += "<xs:complexType name='T0'><xs:group ref='t:G0'/></xs:complexType>";
    of_parts("", &types, "<part name='p' type='t:T0'/>", "")
}

fn parts(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let types = tree(random, part, "");
    let parts: String = (0..(size - part) / 32 + 1).map(|n| format!("<part name='p{n}' type='t:T0'/>")).collect();
    of_parts("", &types, &parts, "")
}

fn operations(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let types = tree(random, part, "");
    let (mut operations, mut bound) = (String::new(), String::new());
    for n in 0..(size - part) / 140 + 1 {
        write!(operations, "<operation name='o{n}'><input message='t:M'/></operation>").unwrap();
        write!(bound, "<operation name='o{n}'><input><soap:body use='literal' namespace='u'/></input></operation>")
            .unwrap();
    }
    wsdl("", &types, "<message name='M'><part name='p' type='t:T0'/></message>", &operations, &bound)
}

fn chain_of_types(_: &mut Random, size: usize) -> Vec<u8> {
    let mut types = String::new();
    let mut count = 0;
    while types.len() < size {
        let next = count + 1;
        write!(
            types,
            "<xs:complexType name='T{count}'><xs:complexContent><xs:extension base='t:T{next}'>\
             <xs:sequence><xs:element name='m{count}' type='xs:int'/></xs:sequence></xs:extension>\
             </xs:complexContent></xs:complexType>"
        )
        .unwrap();
        count = next;
    }
    write!(types, "<xs:complexType name='T{count}'><xs:sequence/></xs:complexType>").unwrap();
    of_parts("", &types, "<part name='p' type='t:T0'/>", "")
}

fn messages(_: &mut Random, size: usize) -> Vec<u8> {
    let others: String =
        (0..size / 60).map(|n| format!("<message name='N{n}'><part name='p' type='xs:int'/></message>")).collect();
    of_parts("", "", "<part name='p' type='xs:int'/>", &others)
}

fn wsdl_namespaces(_: &mut Random, size: usize) -> Vec<u8> {
    let scope: String = (0..size / 40).map(|n| format!(" xmlns:p{n}='u{n}'")).collect();
    let types: String = (0..size / 80).map(|n| format!("<xs:element name='e{n}' type='xs:int'/>")).collect();
    of_parts(&scope, &types, "<part name='p' type='xs:int'/>", "")
}
