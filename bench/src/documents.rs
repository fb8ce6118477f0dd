//! The documents that are measured: generated, or those of a directory.

use std::{fs, io, path::Path};

use crate::{generate, paper};

pub(crate) struct Document {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    /// The file of the paper it is, or has the shape of.
    pub(crate) paper: Option<&'static paper::File>,
}

/// Endings of files that hold XML.
const XML: [&str; 7] = ["xml", "xhtml", "xsd", "svg", "gpx", "kml", "vot"];

pub(crate) fn xml(corpus: Option<&Path>) -> io::Result<Vec<Document>> {
    match corpus {
        Some(dir) => from(dir, &XML),
        None => Ok(generate::xml()),
    }
}

/// XML for the table `infoset`.
pub(crate) fn infoset(corpus: Option<&Path>) -> io::Result<Vec<Document>> {
    match corpus {
        Some(dir) => from(dir, &XML),
        None => Ok(generate::infoset()),
    }
}

pub(crate) fn json(corpus: Option<&Path>) -> io::Result<Vec<Document>> {
    match corpus {
        Some(dir) => from(dir, &["json"]),
        None => Ok(generate::json()),
    }
}

/// Documents of a directory, small ones first, as the paper numbers them.
fn from(dir: &Path, endings: &[&str]) -> io::Result<Vec<Document>> {
    let mut documents = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
        if path.is_file() && endings.contains(&ending) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            documents.push(Document { paper: paper::File::named(&name), name, bytes: fs::read(&path)? });
        }
    }
    documents.sort_by(|a, b| (a.bytes.len(), &a.name).cmp(&(b.bytes.len(), &b.name)));
    Ok(documents)
}
