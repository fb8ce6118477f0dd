//! Names that Namespaces in XML 1.0 allows (section 7).

use memchr::memchr;
use tam::{Error, ErrorKind};
use xml::name::is_local_part;
use xml::namespaces::not_qualified;

/// Refuses the name at `bytes[start..end]` unless it is a QName.
pub(crate) fn check_qualified(bytes: &[u8], start: usize, end: usize) -> Result<(), Error> {
    let name = &bytes[start..end];
    match memchr(b':', name) {
        None => return Ok(()),
        Some(colon) if colon > 0 && is_local_part(&name[colon + 1..]) => return Ok(()),
        Some(_) => {}
    }
    let fault = not_qualified(name);
    Err(Error::new(ErrorKind::Syntax, "xml", start as u64, fault.found, fault.expected))
}

/// Refuses the name at `bytes[start..end]` if it has a colon (section 7).
pub(crate) fn check_local(bytes: &[u8], start: usize, end: usize) -> Result<(), Error> {
    let name = &bytes[start..end];
    if memchr(b':', name).is_none() {
        return Ok(());
    }
    let found = format!("the name '{}'", String::from_utf8_lossy(name));
    let expected = "no colon in the name of an entity, a notation or an instruction";
    Err(Error::new(ErrorKind::Syntax, "xml", start as u64, found, expected))
}
