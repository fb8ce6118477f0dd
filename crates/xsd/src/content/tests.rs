//! Content models held against their plain twin: sets of places in a tree that is walked as it is
//! written.

use std::collections::BTreeSet;

use asn1::Values;
use test_support::{Random, rounds};

use super::Place;
use crate::{Content, Memory, Options, Schema, TypeId, mapping, xer};

/// A content model as its twin knows it.
#[derive(Clone, Debug)]
struct Tree {
    min: u32,
    max: Option<u32>,
    term: Term,
}

#[derive(Clone, Debug)]
enum Term {
    Element(char),
    Sequence(Vec<Tree>),
    Choice(Vec<Tree>),
}

impl Tree {
    /// As a schema document writes it.
    fn written(&self, out: &mut String) {
        let max = self.max.map_or("unbounded".to_owned(), |max| max.to_string());
        let occurs = format!("minOccurs='{}' maxOccurs='{max}'", self.min);
        let (tag, inner) = match &self.term {
            Term::Element(name) => {
                *out += &format!("<xs:element name='{name}' {occurs} type='xs:string'/>");
                return;
            }
            Term::Sequence(inner) => ("sequence", inner),
            Term::Choice(inner) => ("choice", inner),
        };
        *out += &format!("<xs:{tag} {occurs}>");
        inner.iter().for_each(|tree| tree.written(out));
        *out += &format!("</xs:{tag}>");
    }

    /// Where in a word it may end, if it begins at one of some places.
    fn ends(&self, word: &[char], starts: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut ends = if self.min == 0 { starts.clone() } else { BTreeSet::new() };
        let mut from = starts.clone();
        // More occurrences than characters add nothing but empty ones.
        let most = self.max.unwrap_or(u32::MAX).min(self.min + word.len() as u32 + 1);
        for n in 1..=most {
            from = self.once(word, &from);
            if from.is_empty() || n > self.min && from.is_subset(&ends) {
                break;
            }
            if n >= self.min {
                ends.extend(&from);
            }
        }
        ends
    }

    fn once(&self, word: &[char], starts: &BTreeSet<usize>) -> BTreeSet<usize> {
        match &self.term {
            Term::Element(name) => starts.iter().filter(|at| word.get(**at) == Some(name)).map(|at| at + 1).collect(),
            Term::Sequence(inner) => inner.iter().fold(starts.clone(), |starts, tree| tree.ends(word, &starts)),
            Term::Choice(inner) => inner.iter().flat_map(|tree| tree.ends(word, starts)).collect(),
        }
    }

    fn accepts(&self, word: &[char]) -> bool {
        self.ends(word, &BTreeSet::from([0])).contains(&word.len())
    }
}

fn tree(random: &mut Random, levels: u32) -> Tree {
    let (min, max) = match random.below(8) {
        0..=2 => (1, Some(1)),
        3 => (0, Some(1)),
        4 => (0, None),
        5 => (1, None),
        6 => (2, Some(2 + random.below(2) as u32)),
        _ => (0, Some(2)),
    };
    let mut inner = |least: usize| -> Vec<Tree> {
        let count = least + random.below(3);
        (0..count).map(|_| tree(random, levels - 1)).collect()
    };
    let term = match if levels == 0 { 0 } else { 1 + inner(0).len() % 2 } {
        0 => Term::Element(char::from(b'a' + random.below(5) as u8)),
        1 => Term::Sequence(inner(1)),
        _ => Term::Choice(inner(1)),
    };
    Tree { min, max, term }
}

fn schema(tree: &Tree) -> Result<Schema, tam::Error> {
    let mut content = String::new();
    tree.written(&mut content);
    let text = format!(
        "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:element name='r'><xs:complexType><xs:sequence>\
         {content}</xs:sequence></xs:complexType></xs:element></xs:schema>"
    );
    Schema::read_from(Memory::new().with("r.xsd", text), "r.xsd", &Options::default())
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

/// Each leaf with its number, so that the twin can tell which it is.
fn leaves(tree: &Tree, out: &mut Vec<char>) {
    match &tree.term {
        Term::Element(name) => out.push(*name),
        Term::Sequence(inner) | Term::Choice(inner) => inner.iter().for_each(|tree| leaves(tree, out)),
    }
}

/// What can come first, last, and behind each leaf (Glushkov's sets), and whether it may be empty.
#[derive(Default)]
struct Sets {
    first: BTreeSet<usize>,
    last: BTreeSet<usize>,
    empty: bool,
}

/// Leaves of an expression in which occurrences are written out: which particle each is a copy of, and
/// what can come behind it.
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

    /// `next` is the number of the first particle in the tree, and behind it of the one after.
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

impl Tree {
    /// Adds a word that it accepts.
    fn say(&self, random: &mut Random, word: &mut Vec<char>) {
        let most = self.max.unwrap_or(self.min + 3);
        for _ in 0..self.min + random.below((most - self.min) as usize + 1) as u32 {
            match &self.term {
                Term::Element(name) => word.push(*name),
                Term::Sequence(inner) => inner.iter().for_each(|tree| tree.say(random, word)),
                Term::Choice(inner) => inner[random.below(inner.len())].say(random, word),
            }
        }
    }
}

/// Groups within groups that end with a number of occurrences.
fn counted(random: &mut Random, levels: u32) -> Tree {
    let min = random.below(4) as u32;
    let max = if random.one_in(5) { None } else { Some(min.max(1) + random.below(3) as u32) };
    let mut others: Vec<Tree> = Vec::new();
    if levels == 0 {
        return Tree { min, max, term: Term::Element('a') };
    }
    for name in ['b', 'c'] {
        if random.one_in(4) {
            let name = char::from(name as u8 + 2 * levels as u8 - 2);
            let min = random.below(2) as u32;
            others.push(Tree { min, max: Some(min.max(1) + random.below(2) as u32), term: Term::Element(name) });
        }
    }
    others.insert(random.below(others.len() + 1), counted(random, levels - 1));
    Tree { min, max, term: if random.one_in(2) { Term::Sequence(others) } else { Term::Choice(others) } }
}

/// Instances through PER and back, whatever way there is to count what is in them; what is not valid is told to be
/// so.
#[test]
fn what_a_model_accepts_is_carried_however_it_can_be_counted() {
    let mut random = Random::new(13);
    let options = Options::default();
    let (mut several, mut carried, mut refused, mut limited) = (0, 0, 0, 0);
    for n in 0..rounds(600) as u32 {
        let tree = if n % 2 == 0 { counted(&mut random, 1 + n % 3) } else { tree(&mut random, 3) };
        let Ok(schema) = schema(&tree) else { continue };
        let types = xer::Types::new(schema, &mapping::Options::default()).unwrap();
        several += types.schema().models.iter().filter(|model| model.several).count();
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
