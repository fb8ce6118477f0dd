//! When two texts of JSON say the same value.

use tam::Table;
use tam::json::Value;
use text::json;

/// Whether they do: numbers by what they are, a BIT STRING in either of its two forms.
pub(crate) fn same(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let options = json::Options::default();
    let (mut left, mut right) = (Table::new(), Table::new());
    let (Ok(a), Ok(b)) =
        (json::read(a.as_bytes(), &options, &mut left), json::read(b.as_bytes(), &options, &mut right))
    else {
        return false;
    };
    match (a.root(), b.root()) {
        (Some(a), Some(b)) => equal(&Value::new(a), &Value::new(b)),
        _ => false,
    }
}

fn equal(a: &Value<'_>, b: &Value<'_>) -> bool {
    match (a, b) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Number(a), Value::Number(b)) => {
            let whole = |text: &str| !text.contains(['.', 'e', 'E']);
            if whole(a.as_str()) && whole(b.as_str()) { a.as_str() == b.as_str() } else { a.as_f64() == b.as_f64() }
        }
        (Value::String(a), Value::String(b)) => a == b,
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.clone().zip(b.clone()).all(|(a, b)| equal(&a, &b))
        }
        (Value::Object(members), Value::Object(others)) => {
            members.len() == others.len()
                && members
                    .clone()
                    .all(|(name, value)| b.get(&name.to_string()).is_some_and(|other| equal(&value, &other)))
        }
        (Value::String(_), Value::Object(_)) => b.get("value").is_some_and(|bits| equal(a, &bits)),
        (Value::Object(_), Value::String(_)) => equal(b, a),
        _ => false,
    }
}

#[test]
fn numbers_and_bits_have_more_than_one_form() {
    assert!(same("[256.0,1e22]", "[256,1E+22]"));
    assert!(same(r#"{"a":"F0","b":null}"#, r#"{"b":null,"a":{"value":"F0","length":4}}"#));
    assert!(same(r#""\u0041""#, r#""A""#));
    for (a, b) in
        [("1", "2"), ("1.5", "1.25"), (r#"{"a":1}"#, r#"{"a":1,"b":2}"#), ("[1]", "[1,1]"), ("\"F\"", "\"E\"")]
    {
        assert!(!same(a, b), "{a} {b}");
    }
}
