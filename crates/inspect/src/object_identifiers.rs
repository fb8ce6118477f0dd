//! Names of well-known object identifiers.

/// Numbers, a tab, and a name, in any order.
const NAMES: &str = include_str!("object_identifiers.tsv");

/// The name of an object identifier in its dotted form, if it is well known.
#[must_use]
pub fn object_identifier(numbers: &str) -> Option<&'static str> {
    NAMES.lines().filter_map(|line| line.split_once('\t')).find(|(known, _)| *known == numbers).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_of_different_identifiers() {
        let mut numbers: Vec<&str> =
            NAMES.lines().map(|line| line.split_once('\t').map_or("", |(numbers, _)| numbers)).collect();
        assert!(numbers.iter().all(|numbers| numbers.split('.').all(|arc| arc.parse::<u32>().is_ok())), "{numbers:?}");
        let count = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!((numbers.len(), count > 180), (count, true));
    }
}
