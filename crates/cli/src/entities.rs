//! What XML documents refer to outside themselves (`--entities`).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use lengthwise::Format;
use lengthwise::text::xml::{self, Files, Source};
use lengthwise::xsd::Catalog;

use crate::args::Common;
use crate::inputs::Input;
use crate::report::{Failure, note};

/// The files of the whole run, and whether a document referred to any.
static SOURCE: OnceLock<Entities> = OnceLock::new();
static IS_USED: AtomicBool = AtomicBool::new(false);

/// The files that documents may refer to, and other names of them.
struct Entities {
    files: Files,
    catalogs: Vec<Catalog>,
    /// The first folder, for documents that have none.
    folder: String,
}

/// Finds the folders and reads the catalogs of `--entities`.
pub(crate) fn load(common: &Common) -> Result<(), Failure> {
    let (mut files, mut catalogs, mut first) = (Files::new(), Vec::<Catalog>::new(), None);
    for path in &common.entities {
        let unread = |error| Failure::Io { path: path.display().to_string(), doing: "read", error };
        let mut folder = path.as_path();
        if !fs::metadata(path).map_err(unread)?.is_dir() {
            read_catalogs(path, common, &mut catalogs)?;
            folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        }
        files = files.allow(folder).map_err(unread)?;
        first.get_or_insert_with(|| format!("{}/", folder.display()));
    }
    if let Some(folder) = first {
        let _ = SOURCE.set(Entities { files, catalogs, folder });
    }
    Ok(())
}

/// Reads a catalog, and those that it goes on in, each once.
fn read_catalogs(path: &Path, common: &Common, catalogs: &mut Vec<Catalog>) -> Result<(), Failure> {
    const MOST: usize = 1_000;
    let mut paths = vec![path.to_string_lossy().into_owned()];
    let mut at = 0;
    while let Some(path) = paths.get(at).cloned() {
        at += 1;
        let input = Input::File(path.clone().into());
        let bytes = input.bytes(&common.limits())?;
        let catalog = Catalog::read(&bytes, &path);
        let catalog = catalog.map_err(|error| Failure::bad(&input, error.in_path(""), &bytes))?;
        if !catalog.unread().is_empty() && !common.quiet {
            note(&format!("{path}: not read: {}", counted(catalog.unread())));
        }
        let next: Vec<String> = catalog.next().iter().filter(|next| !paths.contains(next)).cloned().collect();
        if paths.len() + next.len() > MOST {
            return Err(Failure::Usage(format!("{path}: more than {MOST} catalogs follow each other")));
        }
        paths.splice(at..at, next);
        catalogs.push(catalog);
    }
    Ok(())
}

/// How often there is each of some names.
fn counted(names: &[String]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    names.iter().for_each(|name| *counts.entry(name).or_default() += 1);
    let counts: Vec<_> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
    counts.join(", ")
}

/// Says if there was nothing to read.
pub(crate) fn report(common: &Common) {
    if SOURCE.get().is_some() && !IS_USED.load(Ordering::Relaxed) && !common.quiet {
        note("--entities had no effect: no document refers to anything outside itself");
    }
}

/// An XML document with what it refers to written into it, where `--entities` allows that.
pub(crate) fn included<'b>(
    input: &Input,
    bytes: Cow<'b, [u8]>,
    format: Format,
    common: &Common,
) -> Result<Cow<'b, [u8]>, Failure> {
    let Some(source) = SOURCE.get().filter(|_| format == Format::Xml) else { return Ok(bytes) };
    let base = match input {
        Input::File(path) => path.to_string_lossy().into_owned(),
        Input::Standard | Input::Message(..) | Input::Schema => source.folder.clone(),
    };
    let options = xml::Options::default().with_limits(common.limits()).with_namespaces(!common.plain_xml);
    let whole = match xml::standalone(&bytes, Some(&base), &options, source) {
        Ok(Cow::Borrowed(_)) => None,
        Ok(Cow::Owned(whole)) => Some(whole),
        Err(error) => return Err(Failure::bad(input, error, &bytes)),
    };
    let Some(whole) = whole else { return Ok(bytes) };
    IS_USED.store(true, Ordering::Relaxed);
    if !common.quiet {
        note(&format!(
            "{}: entities and defaults were written into the document, and its DOCTYPE left out",
            input.name()
        ));
    }
    Ok(Cow::Owned(whole))
}

impl Source for Entities {
    fn resolve(&self, base: Option<&str>, location: &str) -> String {
        let known = self.catalogs.iter().find_map(|catalog| catalog.find("", Some(location)));
        known.unwrap_or_else(|| self.files.resolve(base, location))
    }

    fn load(&self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        self.files.load(name, most)
    }
}
