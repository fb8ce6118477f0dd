//! Strings of infosets that both sides have: `--shared-strings`.

use std::path::Path;
use std::sync::OnceLock;

use lengthwise::SharedStrings;

use crate::args::Common;
use crate::inputs::Input;
use crate::report::Failure;

/// The strings of the whole run.
static STRINGS: OnceLock<SharedStrings> = OnceLock::new();

pub(crate) fn load(common: &Common) -> Result<(), Failure> {
    let Some(path) = &common.shared_strings else { return Ok(()) };
    let input = Input::File(path.clone());
    let strings = SharedStrings::new(&input.bytes(&common.limits())?);
    let _ = STRINGS.set(strings.map_err(|error| Failure::bad(&input, error, &[]))?);
    Ok(())
}

pub(crate) fn get() -> Option<&'static SharedStrings> {
    STRINGS.get()
}

/// Whether a file has such strings, by its name.
pub(crate) fn is_named(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("strings"))
}
