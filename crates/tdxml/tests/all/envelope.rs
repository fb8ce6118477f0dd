//! Any XML parser reads the envelope: libexpat, by Python, and libxml2, by xmllint.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::support::{DOCUMENTS, back, file, message, xml_said};
use tdxml::{Binary, DataSchema, Limits, Options, Scheme, Tags};

/// Prints the texts of the data schema and of the content table as libexpat reads them.
const EXPAT: &str = r"
import sys, xml.parsers.expat as expat
parser = expat.ParserCreate(namespace_separator=' ')
inside, texts = [], {}
parser.StartElementHandler = lambda name, attributes: inside.append(name)
parser.EndElementHandler = lambda name: inside.pop()
def text(data):
    texts.setdefault(inside[-1], []).append(data)
parser.CharacterDataHandler = text
parser.Parse(sys.stdin.buffer.read(), True)
for name in sorted(texts):
    if name.startswith('urn:tdxml '):
        sys.stdout.buffer.write((name + '\n' + ''.join(texts[name])).encode())
";

fn ask(command: &mut Command, input: &[u8]) -> Option<Vec<u8>> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writing = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writing.join().unwrap();
    assert!(output.status.success(), "{command:?}");
    Some(output.stdout)
}

/// Documents, and whether they are written in all ways; of others, one a scheme.
fn documents() -> Vec<(Vec<u8>, bool)> {
    let mut all = vec![
        (b"<a k='&#9;&amp;'><b>]]&gt;&lt;&#13;|</b><b>[</b><c>]</c></a>".to_vec(), true),
        ("<é x='\u{FFFD}'>\u{10FFFF}</é>".as_bytes().to_vec(), true),
    ];
    let every_way = ["tsf-paper/future001.xml", "gpx/ISSUE-82.gpx", "ubl21/UBL-Invoice-2.1-Example.xml"];
    all.extend(every_way.iter().filter_map(|name| Some((file(name)?, true))));
    let others = DOCUMENTS.iter().filter(|name| !every_way.contains(name)).step_by(test_support::stride(4));
    all.extend(others.filter_map(|name| Some((file(name)?, false))));
    all
}

#[test]
fn libexpat_and_libxml2_read_the_envelope_of_aggregated_rows() {
    libexpat_and_libxml2_read_the_envelope(Scheme::Aggregated);
}

#[test]
fn libexpat_and_libxml2_read_the_envelope_of_groups() {
    libexpat_and_libxml2_read_the_envelope(Scheme::Grouped);
}

fn libexpat_and_libxml2_read_the_envelope(scheme: Scheme) {
    // In qemu a program that is not there begins, and fails.
    let has = |program: &str, flag: &str| {
        Command::new(program).arg(flag).output().is_ok_and(|output| output.status.success())
    };
    if !has("python3", "--version") || !has("xmllint", "--version") {
        return test_support::skipped("there is no python3 or no xmllint");
    }
    for (document, every_way) in documents() {
        for tags in [Tags::Short, Tags::Long, Tags::Bare] {
            for soap in [false, true] {
                if !every_way && (tags != Tags::Short || soap) {
                    continue;
                }
                let options = Options::default()
                    .with_scheme(scheme)
                    .with_tags(tags)
                    .with_soap(soap)
                    .with_binary(Binary::Base64)
                    .with_drop_mixed(true);
                let written = message(&document, &options).unwrap();
                // What libexpat reads is the schema, whose types may be written in another order.
                let read = ask(Command::new("python3").args(["-c", EXPAT]), &written).unwrap();
                let read = String::from_utf8(read).unwrap();
                let schema = tdxml::schema_of(&written, &options).unwrap();
                let (_, text) = read.split_once("urn:tdxml D").unwrap();
                let (_, text) = text.split_once('\n').unwrap();
                let again = DataSchema::read(text, &Limits::default()).unwrap();
                assert_eq!(again.to_string(), schema.to_string());
                // What libxml2 writes again is the same message to ours, but for what is written as numbers
                // in values, for line feeds and bars, which it writes as they are.
                let again = ask(Command::new("xmllint").arg("-"), &written).unwrap();
                if !written.windows(2).any(|reference| reference == b"&#") {
                    assert_eq!(back(&again, &options).unwrap(), xml_said(&document));
                }
            }
        }
    }
}

/// Of a SOAP envelope its body becomes the table, or it is refused with the reason.
#[test]
fn the_body_of_an_envelope_is_tabulated() {
    const SOAP: &str = "http://schemas.xmlsoap.org/soap/envelope/";
    let write = |inside: &str| {
        let text = format!("<s:Envelope xmlns:s='{SOAP}' xmlns:a='urn:a' xmlns:b='urn:o'>{inside}</s:Envelope>");
        crate::support::message(text.as_bytes(), &Options::default().with_soap(true))
    };
    let written = write("\n<s:Body xmlns:b='urn:b'> <a:x k='1'><b:y xmlns:b='urn:c'/>t</a:x>\n</s:Body>").unwrap();
    assert!(written.starts_with(b"<soap:Envelope xmlns:soap="));
    let expected = "<a:x xmlns:a='urn:a' xmlns:b='urn:b' k='1'><b:y xmlns:b='urn:c'/>t</a:x>";
    assert_eq!(
        crate::support::back(&written, &Options::default()).unwrap(),
        crate::support::xml_said(expected.as_bytes())
    );
    for (inside, found) in [
        ("<s:Header/><s:Body><a:x/></s:Body>", "the element s:Header"),
        ("<s:Body><a:x/><a:y/></s:Body>", "a second element, a:y"),
        ("<s:Body/>", "s:Body without an element"),
        ("", "s:Envelope without an element"),
        ("<s:Body k='1'><a:x/></s:Body>", "the attribute k"),
        ("<s:Body>t<a:x/></s:Body>", "text"),
        ("<s:Body><!--c--><a:x/></s:Body>", "a comment"),
    ] {
        let error = write(inside).unwrap_err();
        assert_eq!((error.kind(), &*error.found().to_string()), (tam::ErrorKind::Unsupported, found), "{error}");
    }
    let other = "<e:Envelope xmlns:e='http://www.w3.org/2003/05/soap-envelope'><e:Body><x/></e:Body></e:Envelope>";
    let error = crate::support::message(other.as_bytes(), &Options::default().with_soap(true)).unwrap_err();
    assert_eq!(error.found().to_string(), "an envelope of SOAP 1.2");
}
