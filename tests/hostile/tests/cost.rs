//! What is made to cost costs no more than its bytes allow.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

use hostile::{READERS, check, generate, given, shapes};
use test_support::Random;
use test_support::cost::{BOUNDS, Bound, Cost, measured, page};
use test_support::memory::Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

/// Inputs of each shape, so many together. All shapes that are beyond their bounds are named, and of each reader how
/// much of its bound was taken at most.
fn within_bounds(seed: u64, count: usize, most: usize) {
    let mut random = Random::new(seed);
    let mut wrong = BTreeMap::new();
    let mut shares = BTreeMap::<_, (f64, String)>::new();
    for (number, shape) in shapes().iter().cycle().take(count).enumerate() {
        let (reader, what, input) = generate(shape, &mut random, most);
        match check(reader, &input) {
            Err(error) => {
                let error = format!("input {number} of seed {seed}: {what}: {error}");
                wrong.entry((reader.name, shape.name)).or_insert(error);
            }
            Ok(cost) => {
                let share = cost.peak as f64 / Bound::of(reader.name).memory(&given(&input)) as f64;
                let most = shares.entry(reader.name).or_default();
                if share > most.0 {
                    *most = (share, format!("{what}, {:?}", cost.time));
                }
            }
        }
    }
    for (reader, (share, what)) in shares {
        println!("{reader}: {:.0} % of its bound by {what}", 100.0 * share);
    }
    let lines: Vec<String> = wrong.into_values().collect();
    assert!(lines.is_empty(), "{} shapes are beyond their bounds:\n{}", lines.len(), lines.join("\n"));
}

#[test]
fn hostile_inputs_cost_what_is_stated() {
    within_bounds(1, 2 * shapes().len(), 6_000);
}

/// What every shape allocates at the most bytes of the test above, which takes a size at random. It does not depend on what
/// else the machine does, as time does; two threads share the shapes, and each counts what it asks for itself.
#[test]
fn the_longest_inputs_allocate_what_is_stated() {
    let wrong: Vec<String> = thread::scope(|scope| {
        let threads = [0, 1].map(|first| scope.spawn(move || too_much_at_length(first)));
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{} shapes are beyond their bounds:\n{}", wrong.len(), wrong.join("\n"));
}

/// Which of every second shape are beyond their bounds.
fn too_much_at_length(first: usize) -> Vec<String> {
    let mut wrong = Vec::new();
    for shape in shapes().iter().skip(first).step_by(2) {
        let input = (shape.make)(&mut Random::new(7), 6_000);
        for name in shape.readers {
            let reader = READERS.iter().find(|reader| reader.name == *name).unwrap();
            let (_, cost) = measured(|| (reader.read)(&input));
            let cost = Cost { time: Duration::ZERO, ..cost };
            let error = Bound::of(name).check(&given(&input), &cost).err();
            wrong.extend(error.map(|error| format!("{}: {error}", shape.name)));
        }
    }
    wrong
}

/// The most bytes of the inputs that take minutes.
const LONG: usize = if cfg!(debug_assertions) { 6_000 } else { 60_000 };

/// `make hostile`.
#[test]
#[ignore = "takes minutes"]
fn ten_thousand_inputs_cost_what_is_stated() {
    within_bounds(2, 10_000, LONG);
}

/// Four times the input takes four times as long, or nearly so, and never sixteen times.
fn grows_with_its_size(size: usize) {
    let mut wrong = Vec::new();
    for shape in shapes().iter().step_by(test_support::stride(4)) {
        for name in shape.readers {
            let reader = READERS.iter().find(|reader| reader.name == *name).unwrap();
            let cost = |size: usize| check(reader, &(shape.make)(&mut Random::new(5), size));
            let Ok(large) = cost(4 * size) else { continue };
            // Too little to distinguish from noise.
            if large.time < Duration::from_millis(80) {
                continue;
            }
            let small = cost(size).unwrap_or(large).time.max(Duration::from_millis(4));
            let again = cost(4 * size).unwrap_or(large).time.min(large.time);
            if again > 10 * small {
                wrong.push(format!(
                    "{name}, {:?}: {}: {small:?}, and {again:?} for four times as much",
                    shape.family, shape.name
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} shapes take more than in proportion:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn no_shape_takes_time_out_of_proportion() {
    grows_with_its_size(8_000);
}

/// `make hostile`.
#[test]
#[ignore = "takes minutes"]
fn no_shape_takes_time_out_of_proportion_at_length() {
    grows_with_its_size(2 * LONG);
}

#[test]
fn every_reader_has_a_bound_and_a_shape() {
    for reader in READERS {
        assert!(BOUNDS.iter().any(|bound| bound.reader == reader.name), "no bound of {}", reader.name);
        assert!(shapes().iter().any(|shape| shape.readers.contains(&reader.name)), "no shape for {}", reader.name);
    }
    assert_eq!(BOUNDS.len(), READERS.len());
}

#[test]
fn the_page_shows_the_bounds() {
    let shown = include_str!("../../../docs/security.md");
    assert!(shown.contains(&page()), "docs/security.md does not show this table:\n{}", page());
}

/// What a reader says of each shape; for who writes one.
#[test]
#[ignore = "prints"]
fn answers_are_shown() {
    for shape in shapes() {
        for name in shape.readers {
            let reader = READERS.iter().find(|reader| reader.name == *name).unwrap();
            let input = (shape.make)(&mut Random::new(5), 1_500);
            let answer = (reader.read)(&input).map_or_else(|error| error.to_string(), |()| "read".to_owned());
            println!("{name}, {:?}: {}: {answer}", shape.family, shape.name);
        }
    }
}
