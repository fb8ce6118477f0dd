//! Values of a schema that go to formats without one.

use tam::{Error, Table};

use super::evidence::Evidence;
use super::{LossKind, Losses, by_schema, json, writes_xml};
use crate::{Format, Options, typed};

/// Encodes what was read back by the rules of the input. The octets are the same unless something got lost.
pub(super) fn compare(
    input: &[u8],
    from: Format,
    output: &[u8],
    to: Format,
    options: &Options<'_>,
    losses: &mut Losses,
) -> Result<(), Error> {
    losses.add(LossKind::Unknown, typed::skipped(input, from, options)?);
    if to.needs_schema() {
        // The same values, or a refusal where the rules cannot carry one.
        return Ok(());
    }
    let mut table = Table::new();
    if writes_xml(to, options) && !options.holds_instances(to) {
        losses.add(LossKind::Structure, typed::read(input, from, options, &mut table)?.units() as u64);
        return Ok(());
    }
    let given = by_schema(None, input, from, from, options)?;
    let back = by_schema(None, output, to, from, options)?;
    if given == back {
        return Ok(());
    }
    let mut table_back = Table::new();
    let document = typed::read(&given, from, options, &mut table)?;
    let again = typed::read(&back, from, options, &mut table_back)?;
    let mut evidence = Evidence::new(&[], from);
    json::compare(&document, &again, false, &mut evidence);
    let before = losses.losses.len();
    losses.merge(evidence.into_losses());
    if losses.losses.len() == before {
        losses.add(LossKind::Spelling, 1);
    }
    Ok(())
}
