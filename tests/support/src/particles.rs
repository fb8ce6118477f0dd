//! Content models made up, as a twin knows them that walks them as they are written.

use std::collections::BTreeSet;

use crate::Random;

/// A content model as its twin knows it.
#[derive(Clone, Debug)]
pub struct Tree {
    /// How often it occurs at the least.
    pub min: u32,
    /// At the most; `None` if unbounded.
    pub max: Option<u32>,
    /// What occurs.
    pub term: Term,
}

/// What a particle is of.
#[derive(Clone, Debug)]
pub enum Term {
    /// An element of that name.
    Element(char),
    /// All in order.
    Sequence(Vec<Tree>),
    /// One of them.
    Choice(Vec<Tree>),
}

impl Tree {
    /// A schema document whose element `r` has this content.
    #[must_use]
    pub fn schema(&self) -> String {
        let mut content = String::new();
        self.written(&mut content);
        format!(
            "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:element name='r'><xs:complexType><xs:sequence>\
             {content}</xs:sequence></xs:complexType></xs:element></xs:schema>"
        )
    }

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

    /// Whether a word is of the model.
    #[must_use]
    pub fn accepts(&self, word: &[char]) -> bool {
        self.ends(word, &BTreeSet::from([0])).contains(&word.len())
    }
}

/// A model of particles in up to so many levels.
pub fn tree(random: &mut Random, levels: u32) -> Tree {
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

impl Tree {
    /// Adds a word that it accepts.
    pub fn say(&self, random: &mut Random, word: &mut Vec<char>) {
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
pub fn counted(random: &mut Random, levels: u32) -> Tree {
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
