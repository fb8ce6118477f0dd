//! Content models held against their plain twin: sets of places in a tree that is walked as it is
//! written.

use std::collections::BTreeSet;

use test_support::particles::{Term, Tree, tree};
use test_support::{Random, rounds};

use super::Place;
use crate::{Content, Memory, Options, Schema, TypeId};

fn schema(tree: &Tree) -> Result<Schema, tam::Error> {
    Schema::read_from(Memory::new().with("r.xsd", tree.schema()), "r.xsd", &Options::default())
}

fn accepts(schema: &Schema, word: &[char]) -> bool {
    let TypeId::Complex(id) = schema.elements[schema.find_element("", "r").unwrap()].ty else { panic!() };
    if matches!(schema.complex_types[id].content, Content::Empty) {
        return word.is_empty();
    }
    let model = schema.model(id);
    let (mut place, mut counts) = (Place::START, vec![0; model.counters()]);
    for name in word {
        let name = schema.names.find("", &name.to_string());
        let Some(name) = name else { return false };
        match model.step(schema, place, name, crate::NamespaceId::NONE, &mut counts) {
            Some(transition) => place = Place(transition.to.0),
            None => return false,
        }
    }
    model.accepts(place, &counts)
}

/// Words of a tree and near it.
fn word(random: &mut Random) -> Vec<char> {
    (0..random.below(8)).map(|_| char::from(b'a' + random.below(5) as u8)).collect()
}

#[test]
fn models_accept_what_their_plain_twin_accepts() {
    let mut random = Random::new(7);
    let (mut sound, mut accepted) = (0, 0);
    for _ in 0..rounds(1500) {
        let tree = tree(&mut random, 3);
        let Ok(schema) = schema(&tree) else { continue };
        sound += 1;
        for _ in 0..60 {
            let word = word(&mut random);
            let expected = tree.accepts(&word);
            accepted += usize::from(expected);
            assert_eq!(accepts(&schema, &word), expected, "{tree:?} {word:?}");
        }
    }
    assert!(sound > rounds(150) && accepted > rounds(400), "{sound} {accepted}");
}

/// Each leaf with its number, by which the twin identifies it.
fn leaves(tree: &Tree, out: &mut Vec<char>) {
    match &tree.term {
        Term::Element(name) => out.push(*name),
        Term::Sequence(inner) | Term::Choice(inner) => inner.iter().for_each(|tree| leaves(tree, out)),
    }
}

/// What can come first, last, and after each leaf (Glushkov's sets), and whether it may be empty.
#[derive(Default)]
struct Sets {
    first: BTreeSet<usize>,
    last: BTreeSet<usize>,
    empty: bool,
}

/// Leaves of an expression in which occurrences are written out: which particle each is a copy of, and
/// what can come after it.
#[derive(Default)]
struct Unfolded {
    particles: Vec<usize>,
    follow: Vec<BTreeSet<usize>>,
}

impl Unfolded {
    fn sequence(&mut self, all: &mut Sets, one: Sets) {
        all.last.iter().for_each(|last| self.follow[*last].extend(&one.first));
        if all.empty {
            all.first.extend(&one.first);
        }
        if !one.empty {
            all.last.clear();
        }
        all.last.extend(one.last);
        all.empty &= one.empty;
    }

    /// `next` is the number of the first particle in the tree, afterwards that of the particle after the tree.
    fn sets(&mut self, tree: &Tree, next: &mut usize) -> Sets {
        let mut all = Sets { empty: true, ..Sets::default() };
        let first = *next;
        for n in 0..tree.max.unwrap_or(tree.min.max(1)).max(1) {
            *next = first;
            let mut one = self.once(tree, next);
            if tree.max.is_none() && n + 1 >= tree.min {
                one.last.iter().for_each(|last| self.follow[*last].extend(&one.first));
            }
            one.empty |= n >= tree.min;
            self.sequence(&mut all, one);
        }
        all
    }

    fn once(&mut self, tree: &Tree, next: &mut usize) -> Sets {
        match &tree.term {
            Term::Element(_) => {
                let leaf = self.particles.len();
                self.particles.push(*next);
                self.follow.push(BTreeSet::new());
                *next += 1;
                Sets { first: BTreeSet::from([leaf]), last: BTreeSet::from([leaf]), empty: false }
            }
            Term::Choice(inner) => {
                let mut all = Sets::default();
                for tree in inner {
                    let one = self.sets(tree, next);
                    all.first.extend(one.first);
                    all.last.extend(one.last);
                    all.empty |= one.empty;
                }
                all
            }
            Term::Sequence(inner) => {
                let mut all = Sets { empty: true, ..Sets::default() };
                for tree in inner {
                    let one = self.sets(tree, next);
                    self.sequence(&mut all, one);
                }
                all
            }
        }
    }
}

#[test]
fn content_is_ambiguous_where_glushkovs_sets_say_so() {
    let mut random = Random::new(11);
    let (mut unique, mut ambiguous) = (0, 0);
    for _ in 0..rounds(2000) {
        let tree = tree(&mut random, 3);
        let mut names = Vec::new();
        leaves(&tree, &mut names);
        let mut unfolded = Unfolded::default();
        let all = unfolded.sets(&tree, &mut 0);
        unfolded.follow.push(all.first);
        let competes = |set: &BTreeSet<usize>| {
            let particles: BTreeSet<usize> = set.iter().map(|leaf| unfolded.particles[*leaf]).collect();
            let distinct: BTreeSet<char> = particles.iter().map(|particle| names[*particle]).collect();
            distinct.len() < particles.len()
        };
        let expected = unfolded.follow.iter().any(competes);
        let found = match schema(&tree) {
            Ok(_) => false,
            Err(error) => {
                assert!(error.to_string().contains("unique particle attribution"), "{error}");
                true
            }
        };
        assert_eq!(found, expected, "{tree:?}");
        if expected { ambiguous += 1 } else { unique += 1 }
    }
    assert!(unique > rounds(150) && ambiguous > rounds(150), "{unique} {ambiguous}");
}
