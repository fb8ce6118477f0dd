//! Where vectors come from, and what is in them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs};

/// Modules that a run of the tests makes, of which `rounds` may leave fewer.
const MODULES: usize = 41;
/// Values of each.
const VALUES: usize = 50;

/// A directory of vectors.
pub(crate) struct Suite {
    pub(crate) directory: PathBuf,
    pub(crate) modules: usize,
}

impl Suite {
    /// The vectors that are there, or those that Python makes, once for all tests; `None`, with a
    /// message, where there is no Python.
    pub(crate) fn find() -> Option<&'static Suite> {
        static SUITE: OnceLock<Option<Suite>> = OnceLock::new();
        SUITE.get_or_init(Suite::found_or_made).as_ref()
    }

    fn found_or_made() -> Option<Suite> {
        if let Some(directory) = env::var_os("ORACLE_VECTORS") {
            let directory = PathBuf::from(directory);
            let modules = (0..).take_while(|n| directory.join(format!("{n}.tsv")).exists()).count();
            assert!(modules > 0, "no vectors in {}", directory.display());
            return Some(Suite { directory, modules });
        }
        let python = env::var_os("ASN1TOOLS_PYTHON").map(PathBuf::from).filter(|python| python.is_file());
        let Some(python) = python else {
            test_support::skipped("ASN1TOOLS_PYTHON names no Python that has asn1tools");
            return None;
        };
        let modules = test_support::rounds(MODULES);
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("oracle-vectors");
        let done = Command::new(python)
            .args(["-m", "vectors", "--libraries", "asn1tools", "--modules", &modules.to_string()])
            .args(["--values", &VALUES.to_string()])
            .arg(&directory)
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracles"))
            .output()
            .unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        Some(Suite { directory, modules })
    }

    pub(crate) fn module(&self, number: usize) -> Module {
        let read = |ending: &str| fs::read_to_string(self.directory.join(format!("{number}.{ending}"))).unwrap();
        let (notation, lines) = (read("asn1"), read("tsv"));
        let name = notation.split_whitespace().next().unwrap().to_owned();
        let refused = read("refused").lines().map(Refused::new).collect();
        let canonical = read("canonical").lines().map(Canonical::new).collect();
        let vectors = lines.lines().map(Vector::new).collect();
        Module { number, name, notation, vectors, refused, canonical }
    }
}

/// Modules that belong together. The first one has the types of the vectors.
pub(crate) struct Module {
    pub(crate) number: usize,
    pub(crate) name: String,
    pub(crate) notation: String,
    pub(crate) vectors: Vec<Vector>,
    pub(crate) refused: Vec<Refused>,
    pub(crate) canonical: Vec<Canonical>,
}

/// A value that CANONICAL-PER writes otherwise than BASIC-PER.
pub(crate) struct Canonical {
    pub(crate) ty: String,
    pub(crate) value: String,
    pub(crate) uper: Vec<u8>,
}

impl Canonical {
    fn new(line: &str) -> Canonical {
        let columns: Vec<&str> = line.split('\t').collect();
        Canonical { ty: columns[0].to_owned(), value: columns[1].to_owned(), uper: octets(columns[2]) }
    }
}

/// A message that is no value's.
pub(crate) struct Refused {
    pub(crate) ty: String,
    pub(crate) rules: String,
    pub(crate) message: Vec<u8>,
    pub(crate) why: String,
}

impl Refused {
    fn new(line: &str) -> Refused {
        let columns: Vec<&str> = line.split('\t').collect();
        let text = |at: usize| columns[at].to_owned();
        Refused { ty: text(0), rules: text(1), message: octets(columns[2]), why: text(3) }
    }
}

/// A value, what it is as JSON and on the wire, and who says so.
pub(crate) struct Vector {
    pub(crate) ty: String,
    pub(crate) value: String,
    /// What is read back, with defaults filled in and left out: by PER, BER, DER, OER,
    /// CANONICAL-OER and CER.
    pub(crate) read: [[String; 2]; 6],
    /// UPER, APER, BER, DER, OER, CANONICAL-OER, CER.
    pub(crate) messages: [Vec<u8>; 7],
    /// BER in another form, and the value in it.
    pub(crate) other: (Vec<u8>, String),
    /// Each oracle and what it says to the seven: `=` the same.
    pub(crate) oracles: Vec<(String, String)>,
}

impl Vector {
    fn new(line: &str) -> Vector {
        let columns: Vec<&str> = line.split('\t').collect();
        let text = |at: usize| if columns[at] == "=" { columns[1] } else { columns[at] }.to_owned();
        Vector {
            ty: columns[0].to_owned(),
            value: columns[1].to_owned(),
            read: [2, 4, 6, 8, 10, 12].map(|at| [text(at), text(at + 1)]),
            messages: [15, 16, 17, 18, 19, 20, 21].map(|at| octets(columns[at])),
            other: (octets(columns[22]), text(14)),
            oracles: columns[23..]
                .iter()
                .filter_map(|column| column.split_once(':'))
                .map(|(name, says)| (name.to_owned(), says.to_owned()))
                .collect(),
        }
    }
}

fn octets(text: &str) -> Vec<u8> {
    let pair = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).unwrap();
    (0..text.len()).step_by(2).map(pair).collect()
}
