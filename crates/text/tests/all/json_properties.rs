//! What holds of every document.

use crate::json_support::{Said, steps};
use proptest::prelude::*;
use tam::json::Value;
use tam::{Builder, Error, Limits, Table, TypeSet};
use text::json::{self, Options, Types};

/// A value to make documents and texts of.
#[derive(Clone, Debug)]
enum Tree {
    Null,
    Bool(bool),
    Number(String),
    String(String),
    Array(Vec<Tree>),
    Object(Vec<(String, Tree)>),
}

fn trees() -> impl Strategy<Value = Tree> {
    let number = "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?";
    let leaf = prop_oneof![
        Just(Tree::Null),
        any::<bool>().prop_map(Tree::Bool),
        number.prop_map(Tree::Number),
        any::<String>().prop_map(Tree::String),
    ];
    leaf.prop_recursive(6, 60, 8, |inner| {
        let member = (prop_oneof![any::<String>(), "[0-9\"'{a]{0,4}"], inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..8).prop_map(Tree::Array),
            prop::collection::vec(member, 0..8).prop_map(Tree::Object),
        ]
    })
}

impl Tree {
    fn build(&self, name: Option<&str>, builder: &mut Builder<'_, '_, '_>) -> Result<(), Error> {
        let name = name.map(str::as_bytes);
        let mut primitive = |kind, value: &str| builder.primitive_member(kind, name, value.as_bytes());
        match self {
            Tree::Null => return primitive(b'~', ""),
            Tree::Bool(bool) => return primitive(b'?', if *bool { "t" } else { "f" }),
            Tree::Number(text) => return primitive(if text.contains(['.', 'e', 'E']) { b'%' } else { b'#' }, text),
            Tree::String(text) => return primitive(b'\'', text),
            Tree::Array(_) | Tree::Object(_) => {}
        }
        let kind = if let Tree::Object(_) = self { b'{' } else { b'[' };
        builder.open_member(kind, name)?;
        match self {
            Tree::Array(items) => items.iter().try_for_each(|item| item.build(None, builder))?,
            Tree::Object(members) => members.iter().try_for_each(|(name, value)| value.build(Some(name), builder))?,
            _ => {}
        }
        builder.close()
    }

    /// The text without white space, as serde_json escapes strings.
    fn text(&self) -> String {
        let quoted = |text: &String| serde_json::to_string(text).expect("a string");
        match self {
            Tree::Null => "null".into(),
            Tree::Bool(bool) => bool.to_string(),
            Tree::Number(text) => text.clone(),
            Tree::String(text) => quoted(text),
            Tree::Array(items) => format!("[{}]", items.iter().map(Tree::text).collect::<Vec<_>>().join(",")),
            Tree::Object(members) => {
                let member = |(name, value): &(String, Tree)| format!("{}:{}", quoted(name), value.text());
                format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(","))
            }
        }
    }

    fn is(&self, value: &Value<'_>) -> bool {
        match (self, value) {
            (Tree::Null, Value::Null) => true,
            (Tree::Bool(tree), Value::Bool(value)) => tree == value,
            (Tree::Number(tree), Value::Number(value)) => tree == value.as_str(),
            (Tree::String(tree), Value::String(value)) => {
                *value == **tree
                    && value.to_cow() == *tree
                    && value.to_string() == *tree
                    && value.chars().eq(tree.chars())
            }
            (Tree::Array(tree), Value::Array(value)) => {
                tree.len() == value.len() && tree.iter().zip(value.clone()).all(|(tree, value)| tree.is(&value))
            }
            (Tree::Object(tree), Value::Object(value)) => {
                let same = |((name, tree), (its, value)): (&(String, Tree), (tam::Name<'_>, Value<'_>))| {
                    its == **name && tree.is(&value)
                };
                tree.len() == value.len() && tree.iter().zip(value.clone()).all(same)
            }
            _ => false,
        }
    }
}

/// What a JSON text says, and the text written from it.
fn through(text: &[u8], types: Types, pretty: bool) -> (Vec<Said>, Vec<u8>) {
    let options = Options::default().with_types(types).with_pretty(pretty);
    let mut table = Table::new();
    let document = json::read(text, &options, &mut table).expect("JSON");
    let out = json::write(&document, &options).expect("JSON");
    (steps(&document), out)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn documents_come_back_from_json(tree in trees(), pretty: bool) {
        let mut table = Table::new();
        let mut builder = Builder::new(b"", TypeSet::VALUE, Limits::default(), &mut table);
        tree.build(None, &mut builder).and_then(|()| builder.finish()).expect("a document");
        let document = table.document(b"", TypeSet::VALUE);
        prop_assert!(tree.is(&Value::new(document.root().unwrap())));
        let out = json::write(&document, &Options::default().with_pretty(pretty)).expect("JSON");
        prop_assert_eq!(through(&out, Types::Value, false).0, steps(&document));
    }

    #[test]
    fn compact_text_comes_back_byte_for_byte(tree in trees()) {
        let text = tree.text();
        for types in [Types::Json, Types::Value] {
            let out = through(text.as_bytes(), types, false).1;
            // The set `value` writes its own escapes: the least that RFC 8259 demands, as
            // serde_json does.
            prop_assert_eq!(String::from_utf8(out).unwrap(), text.clone());
        }
    }

    #[test]
    fn both_sets_show_the_same_values(tree in trees()) {
        let text = tree.text();
        for types in [Types::Json, Types::Value] {
            let mut table = Table::new();
            let document = json::read(text.as_bytes(), &Options::default().with_types(types), &mut table).expect("JSON");
            prop_assert!(tree.is(&Value::new(document.root().unwrap())));
        }
    }

    #[test]
    fn pretty_text_says_the_same(tree in trees()) {
        for types in [Types::Json, Types::Value] {
            let (said, pretty) = through(tree.text().as_bytes(), types, true);
            prop_assert_eq!(through(&pretty, types, false).0, said);
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(text in prop::collection::vec(any::<u8>(), 0..60)) {
        let _ = json::read(&text, &Options::default(), &mut Table::new());
    }

    /// A path in an error leads to the unit it names.
    #[test]
    fn paths_lead_to_their_units(tree in trees()) {
        let text = tree.text();
        let mut table = Table::new();
        let document = json::read(text.as_bytes(), &Options::default(), &mut table).expect("JSON");
        for step in document.walk() {
            let (tam::Step::Open(node) | tam::Step::Primitive(node)) = step else { continue };
            let path = node.path();
            // Paths are for people: controls are shown, not said.
            if text.chars().any(char::is_control) || text.contains("\\u") {
                continue;
            }
            prop_assert_eq!(document.get(&path).map(|found| found.index()), Ok(node.index()), "{}", path);
        }
    }
}

/// A table remembers names; what is read with it must be what is read with a new one.
#[test]
fn names_that_are_expected_change_nothing() {
    let names = [
        "a",
        "b",
        "id",
        "id2",
        "name",
        "n",
        "64th",
        "a'b",
        "{",
        "q\\\"",
        "",
        "\u{e9}",
        "tag",
        "tags",
        "\\u0061",
        "a name that is longer than any that is remembered: it is read anew each time",
    ];
    let mut seed = 7_u32;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12345);
        (seed >> 8) as usize % below
    };
    let mut table = Table::new();
    for round in 0..3000 {
        let mut text = String::from("[");
        for _ in 0..random(4) {
            text += "{";
            for (at, name) in names.iter().enumerate().filter(|(at, _)| round % 2 == 0 || at % 3 > 0) {
                // Most come in their order; some are left out, are others, or have spaces around them.
                match random(12) {
                    0 => continue,
                    1 => text += &format!("\"{}\":{at},", names[random(names.len())]),
                    2 => text += &format!(" \"{name}\" : {{\"id\":1,\"{at}th\":2,\"x{}\":3}},", random(400)),
                    _ => text += &format!("\"{name}\":{at},"),
                }
            }
            text.pop();
            text += if text.ends_with('[') || text.is_empty() { "[{" } else { "" };
            text += "},";
        }
        text.pop();
        text += if text.is_empty() { "[]" } else { "]" };
        // One in ten is cut or has a byte that is no UTF-8, so that errors are compared too.
        let mut text = text.into_bytes();
        if random(10) == 0 {
            let at = random(text.len());
            if random(2) == 0 { text.truncate(at) } else { text[at] = 0xFF }
        }
        let options = Options::default().with_types(if round % 5 == 0 { Types::Json } else { Types::Value });
        let said = |table: &mut Table<'_>| match json::read(&text, &options, table) {
            Ok(document) => (json::write(&document, &Options::default()).unwrap(), document.has_plain_names()),
            Err(error) => (error.to_string().into_bytes(), false),
        };
        assert_eq!(said(&mut table), said(&mut Table::new()), "{}", String::from_utf8_lossy(&text));
    }
}
