use super::Pattern;

fn matches(pattern: &str, value: &str) -> bool {
    Pattern::new(vec![pattern.to_owned()], usize::MAX).unwrap().is_match(value)
}

#[test]
fn a_pattern_is_anchored_at_both_ends() {
    assert!(matches("ab|c", "ab") && matches("ab|c", "c"));
    assert!(!matches("ab|c", "abc") && !matches("b", "ab") && !matches("", "a"));
    assert!(matches("", ""));
}

#[test]
fn circumflex_and_dollar_stand_for_themselves() {
    assert!(matches("^a$", "^a$") && !matches("^a$", "a"));
}

#[test]
fn a_dot_is_any_character_but_line_ends() {
    assert!(matches(".", "\u{1F600}") && !matches(".", "\n") && !matches(".", "\r") && matches(".", "\u{85}"));
}

#[test]
fn classes_subtract_classes() {
    assert!(matches("[a-z-[aeiou]]+", "xyz") && !matches("[a-z-[aeiou]]+", "xaz"));
    assert!(matches("[a-z-[a-m-[e]]]+", "neo") && !matches("[a-z-[a-m-[e]]]+", "nao"));
    // A negation applies to the characters before the subtraction (production 13).
    assert!(matches("[^a-c-[x]]", "z") && !matches("[^a-c-[x]]", "x") && !matches("[^a-c-[x]]", "b"));
}

#[test]
fn hyphens_at_the_ends_of_a_class_stand_for_themselves() {
    assert!(matches("[-a]+", "-a") && matches("[a-]+", "a-") && matches("[a\\-c]+", "a-c") && !matches("[a\\-c]", "b"));
    assert!(matches("[+--]+", "+,-"));
}

#[test]
fn name_escapes_are_those_of_xml() {
    assert!(matches("\\i\\c*", "_x-1.y:z") && !matches("\\i\\c*", "1x") && matches("\\I", "-") && matches("\\C", " "));
    assert!(matches("[\\i-[:]][\\c-[:]]*", "name") && !matches("[\\i-[:]][\\c-[:]]*", "p:name"));
}

#[test]
fn categories_blocks_and_digits() {
    assert!(matches("\\p{Lu}\\P{Lu}", "Aa") && matches("\\d", "\u{0663}") && matches("[\\p{Nd}x]+", "1x"));
    assert!(matches("\\p{IsGreek}", "λ") && !matches("\\P{IsGreek}", "λ") && matches("[^\\p{IsBasicLatin}]", "é"));
    assert!(matches("\\w+", "aé1") && !matches("\\w", "-") && matches("\\W", "-"));
}

#[test]
fn quantities_are_taken_as_written() {
    assert!(matches("a{2}b{1,}c{0,1}", "aab") && !matches("a{2}", "a") && !matches("a{2}", "aaa"));
    assert!(matches("[0-9]{3}-[A-Z]{2}", "926-AA"));
}

#[test]
fn characters_that_mean_something_elsewhere_mean_nothing_here() {
    assert!(
        matches("a&&b", "a&&b") && matches("[a&&b]+", "&ab") && matches("[~~]", "~") && matches("\"'<>#/ ", "\"'<>#/ ")
    );
}

#[test]
fn what_is_no_expression_is_refused() {
    for pattern in [
        "(",
        ")",
        "[",
        "[]",
        "a**",
        "*",
        "{1}",
        "a{2,1}",
        "a{,2}",
        "a{x}",
        "\\q",
        "\\",
        "[b-a]",
        "\\p{Xx}",
        "\\p{IsNo}",
        "[a-[b]",
        "[a-[b]c]",
        "a{99999999999}",
        "]",
        "}",
        "(?:a)",
    ] {
        assert!(Pattern::new(vec![pattern.to_owned()], usize::MAX).is_err(), "{pattern}");
    }
}

#[test]
fn expressions_that_would_take_much_are_refused() {
    for pattern in ["((a{1000}){1000}){1000}".to_owned(), "(".repeat(5000) + &")".repeat(5000), "a".repeat(1 << 17)] {
        assert!(Pattern::new(vec![pattern], usize::MAX).is_err());
    }
}
