//! ENUMERATED types: their enumerations and the numbers of these.

use tam::{Error, ErrorKind};

use super::build::Builder;
use super::node::Enumeration;
use super::scope::Followed;
use super::{fault, value};
use crate::integer::Number;
use crate::per::Constrained;
use crate::schema::{self, Position};

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
                Some(Number::Small(number)) => Ok(Some(number)),
                Some(number) => {
                    Err(fault(ErrorKind::Unsupported, one.position, path, number.to_string(), "a number of 64 bits"))
                }
                None => Err(fault(ErrorKind::Schema, one.position, path, "another value", "an integer")),
            },
            None => Ok(None),
        };
        let mut taken = std::collections::HashSet::new();
        let mut items: Vec<(String, Option<i64>, Position)> = Vec::new();
        for one in &enumeration.root {
            let number = numbered(one)?;
            items.push((one.name.clone(), number, one.position));
            if let Some(number) = number
                && !taken.insert(number)
            {
                return Err(fault(ErrorKind::Schema, one.position, path, format!("{number} twice"), "other numbers"));
            }
        }
        // Those without a number take the least ones that are free, in order.
        let mut next = 0;
        let mut root: Vec<(String, i64)> = Vec::with_capacity(items.len());
        for (name, number, _) in items {
            let number = number.unwrap_or_else(|| {
                while taken.contains(&next) {
                    next += 1;
                }
                taken.insert(next);
                next
            });
            root.push((name, number));
        }
        root.sort_by_key(|(_, number)| *number);
        let count = root.len();
        if count == 0 {
            return Err(fault(ErrorKind::Schema, followed.position, path, "no enumeration", "at least one"));
        }
        // Each addition without a number takes the least that is free and above those before it.
        let mut items = root;
        let mut above: Option<i64> = None;
        for one in enumeration.additions.iter().flatten() {
            let number = match numbered(one)? {
                Some(number) => number,
                None => {
                    let mut free = above.map_or(0, |last| last.saturating_add(1)).max(0);
                    while taken.contains(&free) && free < i64::MAX {
                        free += 1;
                    }
                    free
                }
            };
            if !taken.insert(number) || above.is_some_and(|last| number <= last) {
                let found = format!("{} of number {number}", one.name);
                return Err(fault(ErrorKind::Schema, one.position, path, found, "a number above those before it"));
            }
            above = Some(number);
            items.push((one.name.clone(), number));
        }
        let mut by_number: Vec<(i64, u32)> = items.iter().enumerate().map(|(i, (_, n))| (*n, i as u32)).collect();
        by_number.sort_unstable();
        Ok(Enumeration {
            root: count as u32,
            extensible: enumeration.additions.is_some() || self.scope.extensibility_implied(followed.module),
            index: Constrained::new(count as u64 - 1),
            by_number,
            items,
        })
    }
}
