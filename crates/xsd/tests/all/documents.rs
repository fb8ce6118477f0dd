//! Schemas of several documents (Part 1 section 4.2).

use std::fs;
use std::path::{Path, PathBuf};

use xsd::{Catalog, Files, Memory, Options, Schema, Source};

const HEAD: &str = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'";

fn read(source: Memory) -> Result<Schema, tam::Error> {
    Schema::read_from(source, "main.xsd", &Options::default())
}

fn main_with(body: &str) -> String {
    format!(
        "{HEAD} xmlns='urn:t' xmlns:u='urn:u' targetNamespace='urn:t' elementFormDefault='qualified'>{body}</xs:schema>"
    )
}

#[test]
fn documents_include_each_other_in_circles() {
    let main = main_with("<xs:include schemaLocation='sub/a.xsd'/><xs:element name='r' type='a'/>");
    let a = main_with(
        "<xs:include schemaLocation='../main.xsd'/><xs:complexType name='a'><xs:sequence><xs:element ref='r' minOccurs='0'/></xs:sequence></xs:complexType>",
    );
    let schema = read(Memory::new().with("main.xsd", main).with("sub/a.xsd", a)).unwrap();
    assert_eq!(schema.documents.len(), 2);
    schema.validate(b"<r xmlns='urn:t'><r><r/></r></r>", &Options::default()).unwrap();
}

#[test]
fn a_document_without_a_namespace_takes_that_of_who_includes_it() {
    let chameleon = format!(
        "{HEAD} elementFormDefault='qualified'><xs:element name='c' type='t'/><xs:complexType name='t'><xs:sequence>\
         <xs:element name='x' type='s'/></xs:sequence></xs:complexType><xs:simpleType name='s'><xs:restriction base='xs:int'/></xs:simpleType></xs:schema>"
    );
    let main = main_with(
        "<xs:include schemaLocation='c.xsd'/><xs:import namespace='urn:u' schemaLocation='u.xsd'/>\
         <xs:element name='r'><xs:complexType><xs:sequence><xs:element ref='c'/><xs:element ref='u:c'/></xs:sequence></xs:complexType></xs:element>",
    );
    let other = format!("{HEAD} targetNamespace='urn:u'><xs:include schemaLocation='c.xsd'/></xs:schema>");
    let schema = read(Memory::new().with("main.xsd", main).with("c.xsd", chameleon).with("u.xsd", other)).unwrap();
    // One document, in two namespaces.
    assert_eq!(schema.documents.len(), 4);
    let instance = "<r xmlns='urn:t' xmlns:u='urn:u'><c><x>1</x></c><u:c><u:x>1</u:x></u:c></r>";
    schema.validate(instance.as_bytes(), &Options::default()).unwrap();
    assert!(schema.validate(instance.replace("u:x", "x").as_bytes(), &Options::default()).is_err());
}

#[test]
fn what_is_redefined_takes_the_place_of_the_original_everywhere() {
    let base = main_with(
        "<xs:complexType name='person'><xs:sequence><xs:element name='name'/></xs:sequence></xs:complexType>
         <xs:simpleType name='size'><xs:restriction base='xs:int'/></xs:simpleType>
         <xs:group name='g'><xs:sequence><xs:element name='a'/></xs:sequence></xs:group>
         <xs:attributeGroup name='ag'><xs:attribute name='x'/></xs:attributeGroup>
         <xs:element name='p' type='person'/>",
    );
    let main = main_with(
        "<xs:redefine schemaLocation='base.xsd'>
           <xs:complexType name='person'><xs:complexContent><xs:extension base='person'><xs:sequence>
             <xs:element name='size' type='size'/></xs:sequence></xs:extension></xs:complexContent></xs:complexType>
           <xs:simpleType name='size'><xs:restriction base='size'><xs:maxInclusive value='9'/></xs:restriction></xs:simpleType>
           <xs:group name='g'><xs:sequence><xs:group ref='g'/><xs:element name='b'/></xs:sequence></xs:group>
           <xs:attributeGroup name='ag'><xs:attributeGroup ref='ag'/><xs:attribute name='y'/></xs:attributeGroup>
         </xs:redefine>
         <xs:element name='r'><xs:complexType><xs:group ref='g'/><xs:attributeGroup ref='ag'/></xs:complexType></xs:element>",
    );
    let schema = read(Memory::new().with("main.xsd", main).with("base.xsd", base)).unwrap();
    let check = |text: &str| schema.validate(text.as_bytes(), &Options::default()).is_ok();
    assert!(check("<p xmlns='urn:t'><name/><size>9</size></p>"));
    assert!(!check("<p xmlns='urn:t'><name/><size>10</size></p>") && !check("<p xmlns='urn:t'><name/></p>"));
    assert!(check("<r xmlns='urn:t' x='' y=''><a/><b/></r>") && !check("<r xmlns='urn:t'><b/></r>"));
    assert!(schema.globals.len() == 6, "the originals are no globals");
}

#[test]
fn catalogs_come_before_locations() {
    let main = main_with(
        "<xs:import namespace='urn:u' schemaLocation='http://example.org/u.xsd'/><xs:element name='r' type='u:x'/>",
    );
    let other = format!(
        "{HEAD} targetNamespace='urn:u'><xs:simpleType name='x'><xs:restriction base='xs:int'/></xs:simpleType></xs:schema>"
    );
    let source = Memory::new().with("main.xsd", main).with("local/u.xsd", other);
    let error = read(source.clone()).unwrap_err();
    assert!(error.to_string().contains("'http://example.org/u.xsd' cannot be read"), "{error}");
    for catalog in [
        Catalog::new().with_namespace("urn:u", "local/u.xsd"),
        Catalog::read(
            b"<catalog xmlns='urn:oasis:names:tc:entity:xmlns:xml:catalog' xml:base='local/'><uri name='http://example.org/u.xsd' uri='u.xsd'/></catalog>",
            "catalog.xml",
        )
        .unwrap(),
        // OASIS XML Catalogs 1.1 section 6.5.7: the longest end that fits.
        Catalog::read(
            b"<catalog xmlns='urn:oasis:names:tc:entity:xmlns:xml:catalog'><uriSuffix uriSuffix='xsd' uri='no.xsd'/>\
              <uriSuffix uriSuffix='/u.xsd' uri='local/u.xsd'/><public publicId='p' uri='u'/></catalog>",
            "catalog.xml",
        )
        .unwrap(),
    ] {
        let options = Options::default().with_catalog(catalog);
        let schema = Schema::read_from(source.clone(), "main.xsd", &options).unwrap();
        assert!(schema.find_type("urn:u", "x").is_some());
    }
}

#[test]
fn what_xml_says_of_its_attributes_need_not_be_brought() {
    let main = main_with(
        "<xs:import namespace='http://www.w3.org/XML/1998/namespace' schemaLocation='http://www.w3.org/2001/xml.xsd'/>\
         <xs:element name='r'><xs:complexType><xs:attribute ref='xml:lang' use='required'/></xs:complexType></xs:element>",
    );
    let schema = read(Memory::new().with("main.xsd", main)).unwrap();
    assert!(schema.validate(b"<r xmlns='urn:t' xml:lang='en'/>", &Options::default()).is_ok());
    assert!(schema.validate(b"<r xmlns='urn:t' xml:lang='e n'/>", &Options::default()).is_err());
}

#[test]
fn a_document_of_another_namespace_is_refused() {
    let other = format!("{HEAD} targetNamespace='urn:u'/>");
    let main = main_with("\n <xs:include schemaLocation='u.xsd'/>");
    let error = read(Memory::new().with("main.xsd", main).with("u.xsd", other)).unwrap_err();
    assert_eq!(error.position(), Some((2, 2)));
    assert!(error.to_string().contains("'u.xsd' of the namespace 'urn:u'"), "{error}");
    assert_eq!(error.path(), "main.xsd");
}

#[test]
fn errors_name_the_document_they_are_in() {
    let main = main_with("<xs:include schemaLocation='sub/a.xsd'/>");
    let error = read(Memory::new().with("main.xsd", main.clone()).with("sub/a.xsd", "<a>")).unwrap_err();
    assert_eq!((error.kind(), error.path()), (tam::ErrorKind::Schema, "sub/a.xsd"));
    let error =
        read(Memory::new().with("main.xsd", main).with("sub/a.xsd", format!("{HEAD}><xs:element"))).unwrap_err();
    assert_eq!((error.kind(), error.path()), (tam::ErrorKind::Incomplete, "sub/a.xsd"));
    assert_eq!(read(Memory::new()).unwrap_err().kind(), tam::ErrorKind::Io);
}

#[test]
fn files_are_not_brought_over_a_network() {
    let error = Files::new().load("http://example.org/a.xsd", 1000).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::Unsupported);
}

/// A folder that is gone when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        fs::create_dir_all(path.join("main")).unwrap();
        fs::create_dir_all(path.join("common")).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        fs::write(self.0.join(name), text).unwrap();
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn files_are_read_below_the_folder_of_the_schema_and_those_allowed() {
    let folder = Folder::new("confined");
    folder.file("common/c.xsd", &main_with("<xs:element name='c' type='xs:int'/>"));
    let main = folder.file("main/m.xsd", &main_with("<xs:include schemaLocation='../common/c.xsd'/>"));
    let error = Schema::read(&main, &Options::default()).unwrap_err();
    let common = folder.0.join("common");
    let words = format!("it is outside the folders that may be read: allow '{}'", common.display());
    assert!(error.kind() == tam::ErrorKind::Schema && error.to_string().contains(&words), "{error}");
    let location = main.to_string_lossy();
    let read = |files: Files| Schema::read_from(files, &location, &Options::default());
    assert!(read(Files::beside(&main).unwrap().allow(&common).unwrap()).is_ok());
    assert!(read(Files::new().allow(&folder.0).unwrap()).is_ok());
    assert_eq!(read(Files::new()).unwrap_err().kind(), tam::ErrorKind::Io);
    // What a catalog names is the caller's word.
    let catalog = Catalog::new().with_namespace("../common/c.xsd", folder.0.join("common/c.xsd").to_string_lossy());
    assert!(Schema::read(&main, &Options::default().with_catalog(catalog)).is_ok());
    assert_eq!(Schema::read(folder.0.join("main"), &Options::default()).unwrap_err().kind(), tam::ErrorKind::Io);
    // A longer file is not read to its end.
    let files = Files::beside(&main).unwrap();
    assert_eq!(files.load(&location, 100).unwrap_err().kind(), std::io::ErrorKind::FileTooLarge);
}

/// A text that several documents include is read for each namespace that it takes, and each counts.
#[test]
fn the_same_document_under_other_names_is_one() {
    let part = main_with("<xs:element name='c' type='xs:int'/>");
    let body = "<xs:include schemaLocation='a.xsd'/><xs:include schemaLocation='./a.xsd'/>\
        <xs:include schemaLocation='x/../a.xsd'/><xs:include schemaLocation='b.xsd'/>";
    let schema = read(Memory::new().with("main.xsd", main_with(body)).with("a.xsd", part.clone()).with("b.xsd", part));
    assert_eq!(schema.unwrap().documents.len(), 2);
    let parts: String = (0..100).map(|n| format!("<xs:element name='e{n}'/>")).collect();
    let mut source = Memory::new().with("part.xsd", format!("{HEAD}>{parts}</xs:schema>"));
    let mut body = String::new();
    for n in 0..50 {
        let other = format!("{HEAD} targetNamespace='urn:{n}'><xs:include schemaLocation='part.xsd'/></xs:schema>");
        source = source.with(format!("{n}.xsd"), other);
        body += &format!("<xs:import namespace='urn:{n}' schemaLocation='{n}.xsd'/>");
    }
    let source = source.with("main.xsd", main_with(&body));
    let with = |units| Options::default().with_limits(tam::Limits { units, ..tam::Limits::DEFAULT });
    assert!(Schema::read_from(source.clone(), "main.xsd", &with(50 * 105)).is_ok());
    let error = Schema::read_from(source, "main.xsd", &with(49 * 100)).unwrap_err();
    assert_eq!(error.kind(), tam::ErrorKind::Limit, "{error}");
}

#[test]
fn lines_are_counted_in_other_encodings_too() {
    let text = main_with("\r\n\r\n  <xs:element name='é' type='none'/>");
    let wide: Vec<u8> = std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
    let error = read(Memory::new().with("main.xsd", wide)).unwrap_err();
    assert_eq!(error.position(), Some((3, 3)), "{error}");
    let error = read(Memory::new().with("main.xsd", text)).unwrap_err();
    assert_eq!(error.position(), Some((3, 3)), "{error}");
}

#[test]
fn a_group_redefined_without_its_original_allows_no_more_than_that() {
    let base = main_with(
        "<xs:group name='g'><xs:sequence><xs:element name='a' minOccurs='0'/><xs:element name='b'/></xs:sequence></xs:group>
         <xs:attributeGroup name='ag'><xs:attribute name='x' use='required'/><xs:attribute name='y'/></xs:attributeGroup>",
    );
    let with = |body: &str| {
        let main = main_with(&format!("<xs:redefine schemaLocation='base.xsd'>{body}</xs:redefine>"));
        read(Memory::new().with("main.xsd", main).with("base.xsd", base.clone()))
    };
    let group = |inner: &str| with(&format!("<xs:group name='g'><xs:sequence>{inner}</xs:sequence></xs:group>"));
    assert!(group("<xs:element name='b'/>").is_ok());
    assert!(group("<xs:group ref='g'/><xs:element name='c'/>").is_ok());
    for inner in [
        "<xs:element name='a'/>",
        "<xs:element name='b'/><xs:element name='c'/>",
        "<xs:group ref='g'/><xs:group ref='g'/>",
    ] {
        assert_eq!(group(inner).unwrap_err().kind(), tam::ErrorKind::Schema, "{inner}");
    }
    let attributes = |inner: &str| with(&format!("<xs:attributeGroup name='ag'>{inner}</xs:attributeGroup>"));
    assert!(attributes("<xs:attribute name='x' use='required'/>").is_ok());
    for inner in [
        "<xs:attribute name='x'/>",
        "<xs:attribute name='y'/>",
        "<xs:attribute name='x' use='required'/><xs:attribute name='z'/>",
    ] {
        assert_eq!(attributes(inner).unwrap_err().kind(), tam::ErrorKind::Schema, "{inner}");
    }
}
