//! Rows as they arrive give the same as the whole message.

use std::io::{BufReader, Read};

use crate::support::{file, message};
use tam::{ErrorKind, Step, Table};
use tdxml::{Event, Options, Scheme, Tags};

/// Gives one byte at a time.
struct Slow<'m>(&'m [u8]);

impl Read for Slow<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let len = self.0.len().min(out.len()).min(7);
        out[..len].copy_from_slice(&self.0[..len]);
        self.0 = &self.0[len..];
        Ok(len)
    }
}

fn by_rows(message: &[u8]) -> Result<Vec<String>, tam::Error> {
    let mut all = Vec::new();
    tdxml::read_rows(BufReader::new(Slow(message)), &Options::default(), |event| {
        all.push(match event {
            Event::Start(name) => format!("<{name}"),
            Event::Attribute(name, value) => format!("{name}={value}"),
            Event::Text(text) => format!("'{text}"),
            _ => ">".to_owned(),
        });
        Ok(())
    })?;
    Ok(all)
}

fn walked(message: &[u8]) -> Vec<String> {
    let mut table = Table::new();
    let document = tdxml::read(message, &Options::default(), &mut table).unwrap();
    let mut all = Vec::new();
    for step in document.walk() {
        match step {
            Step::Open(node) if node.kind() == b'<' => all.push(format!("<{}", node.name())),
            Step::Primitive(node) if node.name().is_none() => all.push(format!("'{}", node.text().unwrap())),
            Step::Primitive(node) => all.push(format!("{}={}", node.name(), node.text().unwrap())),
            Step::Close(node) if node.kind() == b'<' => all.push(">".to_owned()),
            _ => {}
        }
    }
    all
}

#[test]
fn rows_give_the_same_as_the_whole_message() {
    let mut texts = vec![
        b"<a/>".to_vec(),
        b"<a k='1'><b>x</b><b/><c><d>1</d><d>&lt;&#10;|</d></c><b>y</b></a>".to_vec(),
        b"<a><b><c>1</c><c>2</c><d>3</d></b><b><d>4</d></b><b><c>5</c></b></a>".to_vec(),
    ];
    texts.extend(file("gpx/ISSUE-82.gpx"));
    for text in texts {
        for scheme in [Scheme::Aggregated, Scheme::Grouped] {
            for tags in [Tags::Short, Tags::Long, Tags::Bare] {
                let written = message(&text, &Options::default().with_scheme(scheme).with_tags(tags)).unwrap();
                assert_eq!(by_rows(&written).unwrap(), walked(&written));
            }
        }
    }
}

#[test]
fn a_stream_that_ends_early_or_is_at_fault_is_refused() {
    let written = message(b"<a><b>1</b><b>2</b></a>", &Options::default()).unwrap();
    for end in 0..written.len() {
        assert!(by_rows(&written[..end]).is_err(), "{}", String::from_utf8_lossy(&written[..end]));
    }
    assert_eq!(by_rows(&written[..written.len() - 20]).unwrap_err().kind(), ErrorKind::Incomplete);
    let swapped = String::from_utf8(written).unwrap().replace("\n2\n", "\n2|3\n");
    assert_eq!(by_rows(swapped.as_bytes()).unwrap_err().kind(), ErrorKind::Syntax);
    assert!(by_rows(swapped.replace("2|3", "2<!-- -->").as_bytes()).is_err());
}
