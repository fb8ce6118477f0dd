//! Where schema documents come from.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// Brings schema documents. There is none that asks the network.
pub trait Source {
    /// The name that `location` has, as it is written in the document of the name `base` (`None`: by the
    /// caller). Two names are equal if they are of the same document.
    fn resolve(&self, base: Option<&str>, location: &str) -> String;

    /// The bytes of a document of a name that [`Source::resolve`] gave, no more than `most`.
    ///
    /// # Errors
    /// If it is not there or cannot be read. Kind [`io::ErrorKind::FileTooLarge`]: it has more bytes.
    fn load(&mut self, name: &str, most: u64) -> io::Result<Vec<u8>>;
}

/// Documents that are files. Locations are paths or `file:` URIs, relative to the folder of the document
/// they stand in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Files;

impl Source for Files {
    fn resolve(&self, base: Option<&str>, location: &str) -> String {
        resolve(base, location)
    }

    fn load(&mut self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        if is_remote(name) {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "it is not a local file"));
        }
        let file = fs::File::open(name)?;
        let mut bytes = Vec::new();
        file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(bytes)
    }
}

/// Documents that are in memory, by name.
///
/// ```
/// use xsd::{Memory, Source};
///
/// let mut source = Memory::new().with("a/main.xsd", "<schema/>");
/// assert_eq!(source.resolve(Some("a/other.xsd"), "main.xsd"), "a/main.xsd");
/// assert_eq!(source.load("a/main.xsd", 100).unwrap(), b"<schema/>");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Memory {
    documents: HashMap<String, Vec<u8>>,
}

impl Memory {
    /// No documents.
    #[must_use]
    pub fn new() -> Memory {
        Memory::default()
    }

    /// The same with one more document.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, text: impl Into<Vec<u8>>) -> Memory {
        self.documents.insert(name.into(), text.into());
        self
    }
}

impl Source for Memory {
    fn resolve(&self, base: Option<&str>, location: &str) -> String {
        resolve(base, location)
    }

    fn load(&mut self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        let bytes = self.documents.get(name).ok_or(io::ErrorKind::NotFound)?;
        if bytes.len() as u64 > most { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes.clone()) }
    }
}

/// Whether a location names a scheme other than `file`.
pub(crate) fn is_remote(location: &str) -> bool {
    let scheme = location.split(['/', '\\', '?', '#']).next().unwrap_or("").split_once(':');
    // One letter is a drive.
    scheme.is_some_and(|(scheme, _)| scheme.len() > 1 && !scheme.eq_ignore_ascii_case("file"))
}

/// A location by that of the document it stands in.
pub(crate) fn resolve(base: Option<&str>, location: &str) -> String {
    if is_remote(location) {
        return location.to_owned();
    }
    if let Some(base) = base.filter(|base| is_remote(base)) {
        let folder = base.rfind('/').map_or(base, |slash| &base[..=slash]);
        return format!("{folder}{location}");
    }
    let location = location.strip_prefix("file:").map_or_else(|| location.to_owned(), unescaped);
    let location = location.split('#').next().unwrap_or("");
    let folder =
        base.and_then(|base| if base.ends_with('/') { Some(Path::new(base)) } else { Path::new(base).parent() });
    let mut path = plain(&folder.unwrap_or(Path::new("")).join(location)).to_string_lossy().into_owned();
    if location.ends_with('/') && !path.ends_with('/') {
        path.push('/');
    }
    path
}

/// The path of a `file:` URI behind its scheme.
fn unescaped(path: &str) -> String {
    let path = path.strip_prefix("//localhost").or_else(|| path.strip_prefix("//")).unwrap_or(path);
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        bytes.push(match (byte, after) {
            (b'%', [high, low, more @ ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                rest = more;
                let digit = |byte: u8| char::from(byte).to_digit(16).unwrap_or(0) as u8;
                digit(*high) << 4 | digit(*low)
            }
            _ => *byte,
        });
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A path without `.`, and without `..` where a folder stands before it.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(plain.components().next_back(), Some(Component::Normal(_))) => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::{is_remote, resolve};

    #[test]
    fn locations_are_relative_to_the_document_they_stand_in() {
        assert_eq!(resolve(None, "./a/b.xsd"), "a/b.xsd");
        assert_eq!(resolve(Some("a/b.xsd"), "../c/d.xsd"), "c/d.xsd");
        assert_eq!(resolve(Some("../a/b.xsd"), "../../d.xsd"), "../../d.xsd");
        assert_eq!(resolve(Some("a/b.xsd"), "/d.xsd"), "/d.xsd");
        assert_eq!(resolve(Some(&resolve(Some("a/b.xml"), "c/")), "d.xsd"), "a/c/d.xsd");
        assert_eq!(resolve(Some("a/b.xsd"), "file:///x%20y/d.xsd"), "/x y/d.xsd");
        assert_eq!(resolve(Some("http://x.org/a/b.xsd"), "c.xsd"), "http://x.org/a/c.xsd");
    }

    #[test]
    fn what_has_another_scheme_than_file_is_remote() {
        assert!(is_remote("http://x.org/a.xsd") && is_remote("urn:a:b"));
        assert!(!is_remote("a.xsd") && !is_remote("C:\\a.xsd") && !is_remote("file:/a") && !is_remote("a/b:c.xsd"));
    }
}
