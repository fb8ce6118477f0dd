//! What is written: units that the package has listed.

use lengthwise::tam::{Builder, Table, TypeSet};
use lengthwise::{Error, ErrorKind, Limits};

/// Makes a document of units. Each is its kind; a byte that says whether it has a name; the name; and if it contains no
/// others its data. Name and data are a length of four bytes (least significant first) and as many bytes. Kind 0 ends the
/// innermost unit that contains others.
///
/// # Errors
/// If the units exceed a limit, or the list is not one.
pub(crate) fn build<'u>(
    units: &'u [u8],
    types: &'u TypeSet,
    limits: Limits,
    table: &mut Table<'_>,
) -> Result<(), Error> {
    let mut rest = units;
    let mut build = Builder::new(units, types, limits, table);
    while let [kind, more @ ..] = rest {
        rest = more;
        if *kind == 0 {
            build.close()?;
            continue;
        }
        let name = match take(&mut rest, 1)? {
            [0] => None,
            _ => Some(text(&mut rest)?),
        };
        match types.is_structured(*kind) {
            true => build.open_member(*kind, name)?,
            false => build.primitive_member(*kind, name, text(&mut rest)?)?,
        }
    }
    build.finish()
}

fn take<'u>(rest: &mut &'u [u8], len: usize) -> Result<&'u [u8], Error> {
    let (taken, more) = rest
        .split_at_checked(len)
        .ok_or_else(|| Error::new(ErrorKind::Syntax, "units", 0, "a list of units that ends early", ""))?;
    *rest = more;
    Ok(taken)
}

fn text<'u>(rest: &mut &'u [u8]) -> Result<&'u [u8], Error> {
    let len = take(rest, 4)?.iter().rev().fold(0_usize, |len, byte| len << 8 | usize::from(*byte));
    take(rest, len)
}

/// Octets from hexadecimal digits.
pub(crate) fn octets(digits: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = digits
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_digit(16).map(|digit| digit as u8))
        .collect::<Option<_>>()?;
    digits
        .len()
        .is_multiple_of(2)
        .then(|| digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect())
}
