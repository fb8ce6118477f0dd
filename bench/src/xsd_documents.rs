//! Documents that have a schema: those in `messages/schemas`, or those of a directory.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use text::xml::{Event, Options, Reader};

/// Endings of files that may be documents.
const ENDINGS: [&str; 4] = ["xml", "gpx", "kml", "xhtml"];

/// A document, and the schema that declares its root.
pub(crate) struct Instance {
    pub(crate) name: String,
    pub(crate) xml: Vec<u8>,
    pub(crate) schema: PathBuf,
    /// The namespace of its root, which identifies the paper's documents.
    pub(crate) namespace: String,
}

/// A schema document: its target namespace, and the elements it declares.
struct Declared {
    path: PathBuf,
    namespace: String,
    elements: Vec<String>,
}

/// All documents under a directory for which a schema lies there too, those of one schema together, small
/// ones first; without a directory, those that are ours. Folders of the name `invalid` are not entered.
///
/// # Errors
///
/// A directory or a file cannot be read.
pub(crate) fn load(corpus: Option<&Path>) -> io::Result<Vec<Instance>> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("messages/schemas");
    let mut files = Vec::new();
    walk(corpus.unwrap_or(&own), &mut files)?;
    files.sort();
    let ending = |path: &Path| path.extension().and_then(|ending| ending.to_str()).unwrap_or("").to_owned();
    let mut schemas = Vec::new();
    for path in files.iter().filter(|path| ending(path) == "xsd") {
        schemas.extend(declared(path, &fs::read(path)?));
    }
    let (mut found, mut passed) = (Vec::new(), 0);
    for path in files.iter().filter(|path| ENDINGS.contains(&&*ending(path))) {
        let xml = fs::read(path)?;
        let root = root(&xml);
        let schema = root.as_ref().and_then(|(namespace, name)| {
            let of = |schema: &&Declared| schema.namespace == *namespace && schema.elements.contains(name);
            schemas.iter().find(of)
        });
        let (Some(schema), Some((namespace, _))) = (schema, root) else {
            passed += 1;
            continue;
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        found.push(Instance { name, xml, schema: schema.path.clone(), namespace });
    }
    if passed > 0 {
        eprintln!("bench: {passed} documents are passed over: no schema there declares their roots");
    }
    found.sort_by(|a, b| (&a.schema, a.xml.len(), &a.name).cmp(&(&b.schema, b.xml.len(), &b.name)));
    Ok(found)
}

fn walk(dir: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(&dir)? {
            let path = entry?.path();
            if path.is_file() {
                files.push(path);
            } else if path.is_dir() && !path.ends_with("invalid") {
                dirs.push(path);
            }
        }
    }
    Ok(())
}

/// Namespace and local name of a document's root.
fn root(xml: &[u8]) -> Option<(String, String)> {
    let mut reader = Reader::new(xml, &Options::default()).ok()?;
    while let Some(event) = reader.next_event().ok()? {
        if let Event::Start(tag) = event {
            let (prefix, local) = tag.name().split_once(':').unwrap_or(("", tag.name()));
            let declaration = if prefix.is_empty() { "xmlns".to_owned() } else { format!("xmlns:{prefix}") };
            return Some((tag.attribute(&declaration).unwrap_or("").to_owned(), local.to_owned()));
        }
    }
    None
}

/// What a schema document declares; `None` for one that is no schema.
fn declared(path: &Path, xml: &[u8]) -> Option<Declared> {
    let mut reader = Reader::new(xml, &Options::default()).ok()?;
    let mut found: Option<Declared> = None;
    let mut depth = 0;
    while let Some(event) = reader.next_event().ok()? {
        match event {
            Event::Start(tag) => {
                depth += 1;
                let local = tag.name().rsplit(':').next().unwrap_or_default();
                let name = |attribute| tag.attribute(attribute).unwrap_or("").to_owned();
                match (&mut found, depth, local) {
                    (None, 1, "schema") => {
                        let (path, namespace) = (path.to_owned(), name("targetNamespace"));
                        found = Some(Declared { path, namespace, elements: Vec::new() });
                    }
                    (None, ..) => return None,
                    (Some(found), 2, "element") => found.elements.push(name("name")),
                    _ => {}
                }
            }
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_documents_have_their_schemas() {
        let all = load(None).unwrap();
        let of = |namespace: &str| all.iter().filter(|instance| instance.namespace == namespace).count();
        assert_eq!((of("urn:example:ranap"), of("urn:example:uds"), all.len()), (1, 12, 13));
        assert!(all.iter().all(|instance| instance.schema.ends_with(match &*instance.namespace {
            "urn:example:uds" => "uds/uds.xsd",
            _ => "ranap/ranap.xsd",
        })));
    }

    #[test]
    fn a_root_is_identified_by_its_namespace() {
        let names = |xml: &str| root(xml.as_bytes()).unwrap();
        assert_eq!(names("<a/>"), (String::new(), "a".into()));
        assert_eq!(names("<p:a xmlns='urn:o' xmlns:p='urn:p'/>"), ("urn:p".into(), "a".into()));
        assert!(root(b"text").is_none());
        let schema = "<s:schema xmlns:s='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:p'>\
                      <s:element name='a'><s:complexType><s:sequence><s:element name='b'/></s:sequence>\
                      </s:complexType></s:element></s:schema>";
        let found = declared(Path::new("x.xsd"), schema.as_bytes()).unwrap();
        assert_eq!((&*found.namespace, &found.elements[..]), ("urn:p", &["a".to_owned()][..]));
        assert!(declared(Path::new("x.xsd"), b"<a/>").is_none());
    }
}
