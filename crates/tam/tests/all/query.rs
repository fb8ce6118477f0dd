//! Units by queries.
#![cfg(feature = "alloc")]

use crate::support::built;
use proptest::prelude::*;
use tam::{Builder, Document, Error, ErrorKind, Query, Step, Table, TypeSet};

/// `<o:order id="7"><line no="1"><price>10</price>x</line><line no="2" p:no="9"><price>4.50</price></line><note>
/// <line><price>n</price><price>20</price></line></note></o:order>`.
fn order() -> Table<'static> {
    built(TypeSet::XML, |b| {
        b.open(b'<', b"o:order")?;
        b.open(b'=', b"")?;
        b.primitive(b'[', b"id", b"7")?;
        b.close()?;
        b.open(b'<', b"line")?;
        b.open(b'=', b"")?;
        b.primitive(b'[', b"no", b"1")?;
        b.close()?;
        price(b, b"10")?;
        b.primitive(b'[', b"", b"x")?;
        b.close()?;
        b.open(b'<', b"line")?;
        b.open(b'=', b"")?;
        b.primitive(b'[', b"no", b"2")?;
        b.primitive(b'[', b"p:no", b"9")?;
        b.close()?;
        price(b, b"4.50")?;
        b.close()?;
        b.open(b'<', b"note")?;
        b.open(b'<', b"line")?;
        price(b, b"n")?;
        price(b, b"20")?;
        b.close()?;
        b.close()?;
        b.close()
    })
}

fn price(b: &mut Builder<'_, '_, '_>, text: &[u8]) -> Result<(), Error> {
    b.open(b'<', b"price")?;
    b.primitive(b'[', b"", text)?;
    b.close()
}

/// The paths of what a query finds.
fn found(document: &Document<'_>, query: &str) -> Vec<String> {
    query.parse::<Query>().unwrap().select(document).iter().map(tam::Node::path).collect()
}

/// As XPath 1.0 has them, with `*:` of XPath 2.0; elements in the order of the document.
#[test]
fn queries_of_xml_find_what_xpath_finds() {
    let table = order();
    let document = table.document(b"", TypeSet::XML);
    let (one, two, three) = ("/o:order/line", "/o:order/line[2]", "/o:order/note/line");
    let prices =
        [format!("{one}/price"), format!("{two}/price"), format!("{three}/price"), format!("{three}/price[2]")];
    let prices: Vec<&str> = prices.iter().map(String::as_str).collect();
    for (query, expected) in [
        ("/o:order", vec!["/o:order"]),
        ("o:order/line", vec![one, two]),
        ("/order", vec![]),
        ("/*:order/*", vec![one, two, "/o:order/note"]),
        ("/*/line[2]", vec![two]),
        ("//line", vec![one, two, three]),
        ("//line[1]", vec![one, three]),
        ("//price", prices.clone()),
        ("//line/price", prices.clone()),
        ("//*//price", prices.clone()),
        ("//*//*//price", vec![prices[0], prices[1], prices[2], prices[3]]),
        ("/o:order//price[2]", vec![prices[3]]),
        ("//@no", vec!["/o:order/line/@no", "/o:order/line[2]/@no"]),
        ("//@*", vec!["/o:order/@id", "/o:order/line/@no", "/o:order/line[2]/@no", "/o:order/line[2]/@p:no"]),
        ("//line[@no]", vec![one, two]),
        ("//line[@no='2']", vec![two]),
        ("//line[@no!='2']", vec![one]),
        ("//line[@no=2.0]", vec![two]),
        ("//line[@p:no]/@no", vec!["/o:order/line[2]/@no"]),
        ("//line[price>4.5]", vec![one, three]),
        ("//line[price>=4.5]", vec![one, two, three]),
        ("//line[price<10]", vec![two]),
        ("//line[price='n']", vec![three]),
        ("//price[.=20]", vec![prices[3]]),
        ("//price[.!=20]", vec![prices[0], prices[1]]),
        ("//price[.<=4.5]", vec![prices[1]]),
        ("//line[text()='x']", vec![one]),
        ("//line[text()]/text()", vec!["/o:order/line/[1]"]),
        ("//line[@no][2]", vec![two]),
        ("//*[*]", vec!["/o:order", one, two, "/o:order/note", three]),
        ("//note[line/price>15]", vec!["/o:order/note"]),
        ("/*[line/@no='2']", vec!["/o:order"]),
        ("/*[line/price/text()='10']/@id", vec!["/o:order/@id"]),
        ("/*[line/note]", vec![]),
        ("//*[./price='n']", vec![three]),
        ("//*[*/line]", vec!["/o:order"]),
        ("//*[*/price!='10']", vec!["/o:order", "/o:order/note"]),
        ("//*[*/*/price=20]", vec!["/o:order"]),
        ("//line[price/@no]", vec![]),
        ("//*[line/price<5][2]", vec![]),
        ("//nothing", vec![]),
    ] {
        let mut given = found(&document, query);
        if query.ends_with("/text()") {
            // The path of a text says which child it is.
            given = given.iter().map(|path| path.rsplit_once('/').unwrap().0.to_owned() + "/[1]").collect();
        }
        assert_eq!(given, expected, "{query}");
    }
}

#[test]
fn queries_of_json_find_members_and_items() {
    let table = built(TypeSet::VALUE, |b| {
        b.open(b'{', b"")?;
        b.open(b'[', b"users")?;
        for (name, age) in [(&b"Ada"[..], &b"36"[..]), (b"Bob", b"7")] {
            b.open(b'{', b"")?;
            b.primitive(b'\'', b"name", name)?;
            b.primitive(b'#', b"age", age)?;
            b.close()?;
        }
        b.close()?;
        b.primitive(b'\'', b"a/b [1]", b"x")?;
        b.primitive(b'?', b"is (so)", b"t")?;
        b.primitive(b'~', b"none", b"")?;
        b.primitive(b'#', b"id", b"9007199254740993")?;
        b.close()
    });
    let document = table.document(b"", TypeSet::VALUE);
    for (query, expected) in [
        ("/'is (so)'[.=true]", vec!["/is (so)"]),
        ("/'is (so)'[.=false]", vec![]),
        ("/'is (so)'[.!='false']", vec!["/is (so)"]),
        ("/*[.=null]", vec!["/none"]),
        ("/id[.=9007199254740993]", vec!["/id"]),
        ("/id[.=9007199254740992]", vec![]),
        ("/id[.<9007199254740993.5]", vec!["/id"]),
        ("//*[ age > 18 ]/name", vec!["/users/0/name"]),
        ("//*[name = 'Bob' ]", vec!["/users/1"]),
        ("/*[ . = true ]", vec!["/is (so)"]),
        ("/users/*[ 2 ]", vec!["/users/1"]),
        ("/users/1/name", vec!["/users/1/name"]),
        ("/users/*/name", vec!["/users/0/name", "/users/1/name"]),
        ("//name", vec!["/users/0/name", "/users/1/name"]),
        ("//*[age>18]", vec!["/users/0"]),
        ("//*[name=\"Bob\"]/age", vec!["/users/1/age"]),
        ("/*[*/age<18]", vec!["/users"]),
        ("/users/*[2]", vec!["/users/1"]),
        ("/'a/b [1]'", vec!["/a~1b [1]"]),
        ("/a~1b [1]", vec![]),
        ("/users/2", vec![]),
    ] {
        assert_eq!(found(&document, query), expected, "{query}");
    }
}

#[test]
fn what_is_no_query_is_refused_at_its_place() {
    for (query, at) in [
        ("", 0),
        ("/", 1),
        ("//", 2),
        ("/a/", 3),
        ("/a[", 3),
        ("/a[1", 4),
        ("/a[1]b", 5),
        ("/a[b='x]", 8),
        ("/a[b=]", 5),
        ("/a[b>'x']", 8),
        ("/a[b=c]", 5),
        ("/a[b/]", 5),
        ("/a[b//c]", 5),
        ("/a[.b]", 4),
        ("///a", 2),
        ("/@", 2),
        ("/a[0]", 3),
        ("/a[last()]", 7),
        ("/a/comment()", 10),
        ("/a|/b", 2),
        ("/a/..", 3),
        ("/.", 1),
        ("/child::a", 6),
        ("/a[b<true]", 9),
    ] {
        let error = query.parse::<Query>().unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Syntax, at), "{query}: {error}");
    }
    assert!("//*".repeat(64).parse::<Query>().is_ok());
    assert!("//*".repeat(65).parse::<Query>().is_err());
    assert!(format!("/a[b{}]{}", "/b".repeat(31), "[b]".repeat(32)).parse::<Query>().is_ok());
    assert!(format!("/a[b{}]{}", "/b".repeat(32), "[b]".repeat(32)).parse::<Query>().is_err());
    assert!(format!("/a{}", "[1]".repeat(65)).parse::<Query>().is_err());
}

/// Many steps to any depth in deep and in wide documents: each step looks at each unit a few times,
/// otherwise this takes minutes.
#[test]
fn hostile_queries_take_time_in_proportion() {
    let deep = built(TypeSet::XML, |b| {
        (0..900).try_for_each(|_| b.open(b'<', b"a"))?;
        (0..900).try_for_each(|_| b.close())
    });
    let wide = built(TypeSet::XML, |b| {
        b.open(b'<', b"a")?;
        (0..20_000).try_for_each(|_| b.open(b'<', b"a").and_then(|()| b.close()))?;
        b.close()
    });
    for table in [&deep, &wide] {
        let document = table.document(b"", TypeSet::XML);
        let all = "//*".repeat(32).parse::<Query>().unwrap().select(&document).len();
        assert_eq!(all, if document.units() == 900 { 900 - 31 } else { 0 });
        let same = format!("//a{}", "[a!=1]".repeat(60)).parse::<Query>().unwrap();
        assert!(same.select(&document).is_empty());
        let inner = format!("//a[a{}]", "/a".repeat(63)).parse::<Query>().unwrap();
        assert_eq!(inner.select(&document).len(), if document.units() == 900 { 900 - 64 } else { 0 });
    }
}

proptest! {
    /// What a path leads to is the first that the same query finds.
    #[test]
    fn paths_are_queries(shape in prop::collection::vec((0..3u8, "[a-c]{1,2}"), 1..40)) {
        let table = built(TypeSet::XML, |b| {
            b.open(b'<', b"root")?;
            let mut depth = 1;
            for (what, name) in &shape {
                match what {
                    0 => { b.open(b'<', name.as_bytes())?; depth += 1; }
                    1 if depth > 1 => { b.close()?; depth -= 1; }
                    _ => { b.open(b'<', name.as_bytes())?; b.close()?; }
                }
            }
            (0..depth).try_for_each(|_| b.close())
        });
        let document = table.document(b"", TypeSet::XML);
        let mut all = Vec::new();
        let mut nodes = Vec::new();
        // Of each element: its path, and the names of those around it and its own.
        let (mut open, mut names) = (Vec::new(), Vec::new());
        for step in document.walk() {
            let node = match step {
                Step::Open(node) | Step::Primitive(node) => node,
                Step::Close(_) => {
                    open.pop();
                    continue;
                }
            };
            nodes.push(node);
            open.push(node.name().to_text().into_owned());
            names.push((node.path(), open.clone()));
            // A path without a number is of the first.
            prop_assert_eq!(found(&document, &node.path()).into_iter().next(), Some(node.path()));
            all.push(node.path());
        }
        prop_assert_eq!(found(&document, "//*"), all.clone());
        let so = |is: &dyn Fn(&str, &[String]) -> bool| -> Vec<String> {
            let elements = names.iter().filter(|(_, names)| names.split_last().is_some_and(|(own, around)| is(own, around)));
            elements.map(|(path, _)| path.clone()).collect()
        };
        prop_assert_eq!(found(&document, "//a"), so(&|own, _| own == "a"));
        prop_assert_eq!(found(&document, "//a/b"), so(&|own, around| own == "b" && around.last().is_some_and(|name| name == "a")));
        prop_assert_eq!(found(&document, "//a//b"), so(&|own, around| own == "b" && around.iter().any(|name| name == "a")));
        prop_assert_eq!(found(&document, "//a/*//*"), so(&|_, around| around.iter().rev().skip(1).any(|name| name == "a")));
        // Of many units, each name is counted once; of one, its siblings are looked at.
        prop_assert_eq!(document.paths(&nodes), all.clone());
        nodes.reverse();
        all.reverse();
        prop_assert_eq!(document.paths(&nodes[..nodes.len() / 2]), &all[..nodes.len() / 2]);
    }
}

/// Around a document with a comment in front of its root element there is a list, which is no step.
#[test]
fn a_comment_outside_of_the_root_element_changes_nothing() {
    let order = order();
    let order = order.document(b"", TypeSet::XML);
    let table = built(TypeSet::XML, |b| {
        b.open(b'=', b"")?;
        b.primitive(b'+', b"", b"line")?;
        for step in order.walk() {
            match step {
                Step::Open(node) => b.open(node.kind(), node.name().written())?,
                Step::Primitive(node) => b.primitive(node.kind(), node.name().written(), node.value())?,
                Step::Close(_) => b.close()?,
            }
        }
        b.close()
    });
    let document = table.document(b"", TypeSet::XML);
    for query in ["//line", "//*", "//*[price>9]", "//line[@no='2']/price", "//order", "//*:order", "//text()", "//@no"]
    {
        assert_eq!(found(&document, query), found(&order, query), "{query}");
    }
}
