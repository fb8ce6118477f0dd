//! Components of SETs OF in the order of their encodings, SETs OF in SETs OF too.

use crate::support::{Type, binary, hex};
use asn1::Options;
use test_support::Random;
use test_support::cost::timed;

/// A value of `T ::= SEQUENCE { n INTEGER (0..7), o OCTET STRING (SIZE (3)), s SET (SIZE (0..3)) OF T }`.
struct Tree {
    number: u8,
    octets: u32,
    below: Vec<Tree>,
}

impl Tree {
    fn new(random: &mut Random, depth: u32) -> Tree {
        // Few octets, so that what is below them decides.
        let (number, octets) = (random.below(2) as u8 * 5, random.below(2) as u32 * 0x00C0_0001);
        let count = if depth == 0 { 0 } else { random.below(4) };
        Tree { number, octets, below: (0..count).map(|_| Tree::new(random, depth - 1)).collect() }
    }

    fn json(&self) -> String {
        let below: Vec<String> = self.below.iter().map(Tree::json).collect();
        format!(r#"{{"n":{},"o":"{:06X}","s":[{}]}}"#, self.number, self.octets, below.join(","))
    }

    /// Its bits from a place in the message on: number, octets, that are aligned in one variant
    /// (X.691 clause 17.7), how many there are below, and these.
    fn bits(&self, aligned: bool, start: usize) -> String {
        let mut bits = format!("{:03b}", self.number);
        while aligned && !(start + bits.len()).is_multiple_of(8) {
            bits.push('0');
        }
        bits += &format!("{:024b}{:02b}", self.octets, self.below.len());
        for tree in &self.below {
            bits += &tree.bits(aligned, start + bits.len());
        }
        bits
    }

    /// Puts those below in the order of what they would be as messages (X.691 clause 22.1).
    fn sort(&mut self, aligned: bool) {
        self.below.iter_mut().for_each(|tree| tree.sort(aligned));
        self.below.sort_by_cached_key(|tree| binary(&tree.bits(aligned, 0)));
    }
}

#[test]
fn sets_of_in_sets_of_are_in_the_order_of_their_encodings() {
    let ty = Type::new("T ::= SEQUENCE { n INTEGER (0..7), o OCTET STRING (SIZE (3)), s SET (SIZE (0..3)) OF T }");
    let mut random = Random::new(31);
    for round in 0..400 {
        let mut tree = Tree::new(&mut random, round % 7);
        let json = tree.json();
        for (aligned, options) in [(false, Options::uper()), (true, Options::aper())] {
            tree.sort(aligned);
            let message = ty.message(&json, &options.with_canonical(true)).unwrap();
            assert_eq!(message, binary(&tree.bits(aligned, 0)), "{json}");
            assert_eq!(ty.json(&message, &options).unwrap(), tree.json());
        }
    }
}

#[test]
fn sets_of_may_be_as_deep_in_each_other_as_values_may() {
    let ty = Type::new("T ::= SET OF T");
    let of_depth = |depth: usize| {
        let json = format!("{}[]{}", "[".repeat(depth), ",[]]".repeat(depth));
        let message = [hex("0200").repeat(depth), hex("00")].concat();
        // The plain rules leave the order as it is.
        let plain = [hex("02").repeat(depth), hex("00").repeat(depth + 1)].concat();
        timed(|| {
            for options in [Options::uper(), Options::aper()] {
                assert_eq!(ty.message(&json, &options.with_canonical(true)).unwrap(), message);
                assert_eq!(ty.message(&json, &options).unwrap(), plain);
            }
        })
        .1
    };
    // Three times as deep, nine times as much to be put in order: what is sorted anew in each set would never end. Both take
    // long enough that other work on the machine slows them alike.
    let small = (0..3).map(|_| of_depth(300)).min().unwrap();
    let large = (0..2).map(|_| of_depth(900)).min().unwrap();
    assert!(large < small * 9 * 6, "{large:?}, a third as deep: {small:?}");
}

#[test]
fn sets_of_in_open_types_are_in_order_too() {
    let ty = Type::new("T ::= SEQUENCE { ..., a SET OF U } U ::= CHOICE { x NULL, ..., s SET OF INTEGER (0..255) }");
    let message = ty.message(r#"{"a":[{"s":[9,2,5]},{"x":null},{"s":[1,8]}]}"#, &Options::uper().with_canonical(true));
    // The marker and one addition, 1 0000000 1; its length and how many there are; x: 0; s: 1 0000000
    // with its length, the shorter one first, as that is less: 3 octets, 4 octets.
    let a = "00000011 0 1 0000000 00000011 00000010 00000001 00001000
                1 0000000 00000100 00000011 00000010 00000101 00001001";
    let a = binary(a);
    assert_eq!(a.len(), 13);
    let bits = format!("1 0000000 1 00001101 {}", a.iter().map(|octet| format!("{octet:08b}")).collect::<String>());
    assert_eq!(message.unwrap(), binary(&bits));
}

/// What cannot be written is reported like any other error: with its path, and without output.
#[test]
fn a_component_that_cannot_be_sorted_is_refused_with_its_path() {
    let ty = Type::new("T ::= SET OF SET OF U U ::= SEQUENCE { a INTEGER (0..7), b T OPTIONAL }");
    let error = ty.message(r#"[[{"a":1}],[{"a":2},{"a":9}]]"#, &Options::uper().with_canonical(true)).unwrap_err();
    assert_eq!(error.path(), "/1/1/a");
}
