//! Documents made by hand.

use tam::{Builder, Error, Limits, Table, TypeSet};

pub(crate) fn built(
    types: &'static TypeSet,
    make: impl FnOnce(&mut Builder<'_, '_, '_>) -> Result<(), Error>,
) -> Table<'static> {
    let mut table = Table::new();
    let mut builder = Builder::new(b"", types, Limits::default(), &mut table);
    make(&mut builder).and_then(|()| builder.finish()).unwrap();
    table
}
