//! ENUMERATED types: their enumerations and the numbers of these.

use tam::{Error, ErrorKind};

use super::build::Builder;
use super::node::Enumeration;
use super::scope::Followed;
use super::{fault, value};
use crate::integer::Number;
use crate::per::Constrained;
use crate::schema;

impl<'s> Builder<'_, 's> {
    /// The enumerations with their numbers (X.680 clause 20).
    pub(super) fn enumeration(
        &mut self,
        followed: &Followed<'s>,
        enumeration: &'s schema::Enumeration,
        path: &str,
    ) -> Result<Enumeration, Error> {
        let numbered = |one: &'s schema::Enumerator| match &one.number {
            Some(number) => match value::number(self.scope, followed.module, None, number, one.position)? {
                None => Err(fault(ErrorKind::Schema, one.position, path, "another value", "an integer")),
                number => Ok(number),
            },
            None => Ok(None),
        };
        let mut taken = foldhash::HashSet::default();
        let mut items: Vec<(String, Option<Number>)> = Vec::new();
        for one in &enumeration.root {
            let number = numbered(one)?;
            if let Some(number) = &number
                && !taken.insert(number.clone())
            {
                return Err(fault(ErrorKind::Schema, one.position, path, format!("{number} twice"), "other numbers"));
            }
            items.push((one.name.clone(), number));
        }
        // Those without a number take the least free ones, in order.
        let mut next = Number::Small(0);
        let mut root: Vec<(String, Number)> = Vec::with_capacity(items.len());
        for (name, number) in items {
            let number = number.unwrap_or_else(|| {
                while taken.contains(&next) {
                    next = next.plus(1);
                }
                taken.insert(next.clone());
                next.clone()
            });
            root.push((name, number));
        }
        root.sort_by(|(_, one), (_, other)| one.cmp(other));
        let count = root.len();
        if count == 0 {
            return Err(fault(ErrorKind::Schema, followed.position, path, "no enumeration", "at least one"));
        }
        // Each addition without a number takes the least free one above those before it.
        let mut items = root;
        let mut above: Option<Number> = None;
        for one in enumeration.additions.iter().flatten() {
            let number = match numbered(one)? {
                Some(number) => number,
                None => {
                    let least = Number::Small(0);
                    let mut free = above.as_ref().map_or(least.clone(), |last| last.plus(1).max(least));
                    while taken.contains(&free) {
                        free = free.plus(1);
                    }
                    free
                }
            };
            if !taken.insert(number.clone()) || above.is_some_and(|last| number <= last) {
                let found = format!("{} of number {number}", one.name);
                return Err(fault(ErrorKind::Schema, one.position, path, found, "a number above those before it"));
            }
            above = Some(number.clone());
            items.push((one.name.clone(), number));
        }
        let (texts, is_of_numbers) = texts(enumeration, &items);
        let mut by_number: Vec<(Number, u32)> = items.iter().zip(0..).map(|((_, n), item)| (n.clone(), item)).collect();
        by_number.sort_unstable();
        Ok(Enumeration {
            root: count as u32,
            extensible: enumeration.additions.is_some() || self.scope.extensibility_implied(followed.module),
            index: Constrained::new(count as u64 - 1),
            by_number,
            texts,
            is_of_numbers,
            items,
        })
    }
}

/// What the enumerations are called, in the order of their items, if any has a text; and whether the texts are their numbers.
fn texts(enumeration: &schema::Enumeration, items: &[(String, Number)]) -> (Vec<Box<str>>, bool) {
    let all = || enumeration.root.iter().chain(enumeration.additions.iter().flatten());
    if all().all(|one| one.text.is_none()) {
        return (Vec::new(), false);
    }
    let by_name: foldhash::HashMap<&str, &schema::Enumerator> = all().map(|one| (&one.name[..], one)).collect();
    let text = |(name, _): &(String, Number)| {
        by_name.get(&name[..]).and_then(|one| one.text.clone()).unwrap_or((&name[..]).into())
    };
    let is_number = |one: &schema::Enumerator| match (&one.number, &one.text) {
        (Some(schema::Value::Number(digits)), Some(text)) => digits[..] == text[..],
        _ => false,
    };
    (items.iter().map(text).collect(), all().all(is_number))
}
