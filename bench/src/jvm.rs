//! The peers that are Java libraries: one process, which reads on command and times itself.

use std::{
    cell::RefCell,
    io::{self, BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    rc::Rc,
    time::Duration,
};

use crate::{counts::XmlCounts, timing::Contestant};

/// A reader as the process knows it, and as the tables call it.
pub(crate) type Reader = (&'static str, &'static str);

/// Readers that report events. The first is the JVM's own, of XML: the others are measured by it.
pub(crate) const EVENTS: [Reader; 3] =
    [("jdk sax", "JDK SAX"), ("fast infoset sax", "Fast Infoset SAX"), ("exi bit sax", "EXI SAX")];

/// Readers that build a tree. The first is the JVM's own, of XML: the others are measured by it.
pub(crate) const TREES: [Reader; 3] =
    [("jdk dom", "JDK DOM"), ("fast infoset dom", "Fast Infoset DOM"), ("exi bit dom", "EXI DOM")];

/// The forms of a document whose sizes are shown: a reader that takes each, and what it is called.
const FORMS: [Reader; 5] = [
    ("fast infoset sax", "fast infoset"),
    ("exi bit sax", "exi bit-packed"),
    ("exi byte sax", "exi byte-aligned"),
    ("exi compressed sax", "exi compressed"),
    ("exi whole sax", "exi bit-packed, all kept"),
];

/// Readers that report events, for documents that have a schema. The first is the JVM's own, of XML.
pub(crate) const STRICT_EVENTS: [Reader; 3] = [
    ("jdk sax", "JDK SAX"),
    ("exi strict sax", "EXI strict SAX"),
    ("exi strict compressed sax", "EXI strict compressed SAX"),
];

/// The process, which ends with this.
pub(crate) struct Jvm {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

/// The process with a document in it.
#[derive(Clone)]
pub(crate) struct Loaded {
    jvm: Rc<RefCell<Jvm>>,
    /// What the process answered: each reader, and the bytes it reads.
    sizes: String,
}

impl Jvm {
    /// Starts the program that `setup.sh` built; says why not.
    pub(crate) fn start() -> Result<Rc<RefCell<Jvm>>, String> {
        let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/java/target");
        if !built.join("lib").is_dir() {
            return Err("not built (bench/setup.sh builds them, with Maven)".into());
        }
        let mut child = Command::new("java")
            .args(["-Xms1g", "-Xmx1g", "-XX:+UseSerialGC", "-cp"])
            .arg(format!("{0}/classes:{0}/lib/*", built.display()))
            .arg("peers.Main")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("java: {error}"))?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("java: no pipes".into());
        };
        Ok(Rc::new(RefCell::new(Jvm { child, to, from: BufReader::new(from) })))
    }

    /// Its version, and those of its libraries.
    pub(crate) fn versions(&mut self) -> Result<String, String> {
        self.ask("versions", b"")
    }

    /// Reads a schema: documents that come then are put into EXI that knows it, too.
    pub(crate) fn grammar(&mut self, schema: &Path) -> Result<(), String> {
        let path = schema.display().to_string();
        self.ask(&format!("grammar {}", path.len()), path.as_bytes()).map(drop)
    }

    /// A line and what belongs to it, and the line that answers.
    fn ask(&mut self, line: &str, with: &[u8]) -> Result<String, String> {
        let mut answer = String::new();
        let mut asking = || -> io::Result<()> {
            writeln!(self.to, "{line}")?;
            self.to.write_all(with)?;
            self.to.flush()?;
            self.from.read_line(&mut answer).map(drop)
        };
        asking().map_err(|error| error.to_string())?;
        match answer.trim_end() {
            "" => Err("ended".into()),
            answer => answer.strip_prefix("error ").map_or(Ok(answer.to_owned()), |error| Err(error.to_owned())),
        }
    }

    fn number(&mut self, line: &str) -> Result<u64, String> {
        self.ask(line, b"")?.parse().map_err(|error| format!("{error}"))
    }
}

impl Drop for Jvm {
    fn drop(&mut self) {
        // It is ours alone, and has nothing to lose.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Forms of a document, by what they are called, and their bytes.
pub(crate) type Sizes = Vec<(&'static str, usize)>;

impl Loaded {
    /// Puts a document into all its forms; gives their sizes.
    pub(crate) fn new(jvm: &Rc<RefCell<Jvm>>, xml: &[u8]) -> Result<(Loaded, Sizes), String> {
        let answer = jvm.borrow_mut().ask(&format!("document {}", xml.len()), xml)?;
        let loaded = Loaded { jvm: Rc::clone(jvm), sizes: answer };
        let sizes = loaded.sizes(&FORMS);
        Ok((loaded, sizes))
    }

    /// Sizes of the forms that know the schema.
    pub(crate) fn strict(&self) -> Sizes {
        self.sizes(&[("exi strict sax", "exi strict"), ("exi strict compressed sax", "exi strict, compressed")])
    }

    fn sizes(&self, forms: &[Reader]) -> Sizes {
        let size =
            |reader| self.sizes.split(';').find_map(|part| part.strip_prefix(reader)?.strip_prefix('=')?.parse().ok());
        forms.iter().filter_map(|&(reader, name)| Some((name, size(reader)?))).collect()
    }

    /// A reader, warmed up, that finds the elements and attributes that are there; `namespaces` is how
    /// many of the attributes declare some.
    pub(crate) fn reading<'a>(
        &self,
        reader: Reader,
        counts: &XmlCounts,
        namespaces: u64,
    ) -> Result<Contestant<'a>, String> {
        self.reading_but(reader, counts, namespaces, 0)
    }

    /// The same, where so many attributes may be left out.
    pub(crate) fn reading_but<'a>(
        &self,
        (reader, name): Reader,
        counts: &XmlCounts,
        namespaces: u64,
        left_out: u64,
    ) -> Result<Contestant<'a>, String> {
        let dotted = reader.replace(' ', ".");
        let mut jvm = self.jvm.borrow_mut();
        let seen = jvm.ask(&format!("seen {dotted}"), b"")?;
        let most = counts.attributes - namespaces;
        let wanted = format!("{} {most} ", counts.elements);
        let less = format!("{} {} ", counts.elements, most.saturating_sub(left_out));
        if !seen.starts_with(&wanted) && !seen.starts_with(&less) {
            return Err(format!("found {seen}, wanted {wanted}and so many characters"));
        }
        jvm.number(&format!("warm {dotted}"))?;
        let jvm = Rc::clone(&self.jvm);
        Ok(Contestant::elsewhere(name, move |times| {
            let took = jvm.borrow_mut().number(&format!("run {dotted} {times}"));
            // A process that has ended counts as infinitely slow.
            took.map_or(Duration::MAX / 4, Duration::from_nanos)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_finds_something_else_is_refused() {
        let jvm = match Jvm::start() {
            Ok(jvm) => jvm,
            Err(error) => return eprintln!("skipped: {error}"),
        };
        let (java, sizes) = Loaded::new(&jvm, b"<a xmlns='urn:n'><b c='d'>text</b></a>").unwrap();
        assert_eq!(sizes.iter().map(|size| size.0).collect::<Vec<_>>(), FORMS.map(|form| form.1));
        let counts = XmlCounts { elements: 2, attributes: 2, ..XmlCounts::default() };
        for reader in TREES {
            let error = java.reading(reader, &counts, 0).err().unwrap();
            assert_eq!(error, "found 2 1 5, wanted 2 2 and so many characters", "{}", reader.1);
        }
        assert!(java.reading(("no such", ""), &counts, 1).is_err());
        assert!(Loaded::new(&jvm, b"<a>").is_err());
    }
}
