//! Where other documents come from that a document refers to: its external entities, the parts of a schema.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// Loads documents that other documents refer to: external entities, the documents of a schema. No implementation here uses
/// the network.
pub trait Source {
    /// The name of the document at `location`, which is written in the document `base` (`None`: the caller gave it).
    /// Two names are equal if they name the same document.
    fn resolve(&self, base: Option<&str>, location: &str) -> String;

    /// The bytes of a document that [`Source::resolve`] named, at most `most` of them.
    ///
    /// # Errors
    /// When the document does not exist or cannot be read; its words say what to do about it. Kind
    /// [`io::ErrorKind::FileTooLarge`]: it has more than `most` bytes.
    fn load(&self, name: &str, most: u64) -> io::Result<Vec<u8>>;
}

impl<S: Source + ?Sized> Source for &S {
    fn resolve(&self, base: Option<&str>, location: &str) -> String {
        (**self).resolve(base, location)
    }

    fn load(&self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        (**self).load(name, most)
    }
}

/// Documents in files, confined to the folders that the caller allows.
///
/// Locations are paths or `file:` URIs, relative to the folder of the document they are written in. A file is read only
/// if it is a regular file and, once symbolic links are resolved, below an allowed folder. By default nothing is allowed.
///
/// ```
/// use lengthwise_text::xml::Files;
///
/// # fn main() -> std::io::Result<()> {
/// # let top = std::env::temp_dir().join(format!("xsd-files-{}", std::process::id()));
/// # std::fs::create_dir_all(&top)?;
/// # std::env::set_current_dir(&top)?;
/// # std::fs::create_dir_all("xsd/maindoc")?;
/// # std::fs::write("xsd/maindoc/order.xsd", "")?;
/// // xsd/maindoc/order.xsd and what is below xsd/maindoc; then what is below xsd.
/// let files = Files::beside("xsd/maindoc/order.xsd")?;
/// let files = files.allow("xsd")?;
/// # std::fs::remove_dir_all(&top)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// Folders and files, with all links resolved.
    allowed: Vec<PathBuf>,
}

impl Files {
    /// No file may be read.
    #[must_use]
    pub fn new() -> Files {
        Files::default()
    }

    /// Allows a document, which may itself be a link, and the files below its folder.
    ///
    /// # Errors
    /// When the file does not exist.
    pub fn beside(document: impl AsRef<Path>) -> io::Result<Files> {
        let document = document.as_ref();
        Files::new().allow(document)?.allow(folder_of(document))
    }

    /// The same source with one more folder and all files below it, or with one more file.
    ///
    /// # Errors
    /// When it does not exist.
    pub fn allow(mut self, path: impl AsRef<Path>) -> io::Result<Files> {
        let path = path.as_ref().canonicalize()?;
        if !self.allows(&path) {
            self.allowed.push(path);
        }
        Ok(self)
    }

    /// The folder to allow so that a document with a name can be read; `None` if it is allowed already.
    #[must_use]
    pub fn refused_folder(&self, name: &str) -> Option<PathBuf> {
        let real = real_path(Path::new(name));
        if self.allows(&real) {
            return None;
        }
        let (named, real) = (folder_of(Path::new(name)), folder_of(&real));
        // A link may lead to another folder.
        Some(if named.canonicalize().is_ok_and(|named| named == real) { named } else { real }.to_owned())
    }

    /// Whether a path, with links resolved, may be read.
    fn allows(&self, real: &Path) -> bool {
        self.allowed.iter().any(|allowed| real.starts_with(allowed))
    }
}

impl Source for Files {
    fn resolve(&self, base: Option<&str>, location: &str) -> String {
        resolve(base, location)
    }

    fn load(&self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        if is_remote(name) {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "it is not a local file"));
        }
        let real = real_path(Path::new(name));
        if let Some(folder) = self.refused_folder(name) {
            let words = format!("it is outside the folders that may be read: allow '{}'", folder.display());
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, words));
        }
        // Opening a pipe would wait for a writer, so the kind is checked first. It is checked again after opening, because
        // the file may have been replaced.
        let is_regular = |data: fs::Metadata| match data.is_file() {
            true => Ok(()),
            false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")),
        };
        is_regular(fs::symlink_metadata(&real)?)?;
        let file = fs::File::open(&real)?;
        is_regular(file.metadata()?)?;
        let mut bytes = Vec::new();
        file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(bytes)
    }
}

/// The folder that a file is in.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A path with all links resolved. If it does not exist, the links of the folders that exist are resolved.
fn real_path(path: &Path) -> PathBuf {
    let known = path.ancestors().find_map(|ancestor| {
        let known = if ancestor.as_os_str().is_empty() { Path::new(".") } else { ancestor }.canonicalize().ok()?;
        Some((known, path.strip_prefix(ancestor).unwrap_or(Path::new(""))))
    });
    match known {
        Some((known, rest)) if rest.as_os_str().is_empty() => known,
        // `..` after a folder that does not exist is resolved textually.
        Some((known, rest)) => plain(&known.join(rest)),
        None => path.to_owned(),
    }
}

/// Documents in memory, by name.
///
/// ```
/// use lengthwise_text::xml::{Memory, Source};
///
/// let source = Memory::new().with("a/main.xsd", "<schema/>");
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

    /// The same source with one more document.
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

    fn load(&self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        let bytes = self.documents.get(name).ok_or(io::ErrorKind::NotFound)?;
        if bytes.len() as u64 > most { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes.clone()) }
    }
}

/// Whether a location names a scheme other than `file`.
fn is_remote(location: &str) -> bool {
    let scheme = location.split(['/', '\\', '?', '#']).next().unwrap_or("").split_once(':');
    // A single letter is a drive.
    scheme.is_some_and(|(scheme, _)| scheme.len() > 1 && !scheme.eq_ignore_ascii_case("file"))
}

/// Resolves a location relative to the document that contains it.
fn resolve(base: Option<&str>, location: &str) -> String {
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

/// The path of a `file:` URI, from the text after its scheme.
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

/// A path without `.`, and without `..` after a folder.
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
    fn locations_are_relative_to_their_document() {
        assert_eq!(resolve(None, "./a/b.xsd"), "a/b.xsd");
        assert_eq!(resolve(Some("a/b.xsd"), "../c/d.xsd"), "c/d.xsd");
        assert_eq!(resolve(Some("../a/b.xsd"), "../../d.xsd"), "../../d.xsd");
        assert_eq!(resolve(Some("a/b.xsd"), "/d.xsd"), "/d.xsd");
        assert_eq!(resolve(Some(&resolve(Some("a/b.xml"), "c/")), "d.xsd"), "a/c/d.xsd");
        assert_eq!(resolve(Some("a/b.xsd"), "file:///x%20y/d.xsd"), "/x y/d.xsd");
        assert_eq!(resolve(Some("http://x.org/a/b.xsd"), "c.xsd"), "http://x.org/a/c.xsd");
    }

    #[test]
    fn schemes_other_than_file_are_remote() {
        assert!(is_remote("http://x.org/a.xsd") && is_remote("urn:a:b"));
        assert!(!is_remote("a.xsd") && !is_remote("C:\\a.xsd") && !is_remote("file:/a") && !is_remote("a/b:c.xsd"));
    }
}
