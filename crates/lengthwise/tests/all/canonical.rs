//! XML that went through TSF says the same: judged by Canonical XML as Python makes it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use lengthwise::tsf::Lengths;
use lengthwise::{Format, Options, convert};

/// Prints the number of pairs, and then the name of each whose two halves differ.
const JUDGE: &str = "
import os, sys
from xml.etree.ElementTree import canonicalize
folder = sys.argv[1]
names = sorted(name[:-2] for name in os.listdir(folder) if name.endswith('.a'))
read = lambda name: canonicalize(from_file=os.path.join(folder, name), with_comments=True)
print(len(names))
for name in names:
    if read(name + '.a') != read(name + '.b'):
        print(name)
";

/// Documents of up to half a megabyte below a folder, which may not be there.
fn documents(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
        if path.is_dir() {
            documents(&path, found);
        } else if ["xml", "gpx", "kml"].contains(&ending) && entry.metadata().is_ok_and(|file| file.len() < 500_000) {
            found.push(path);
        }
    }
}

#[test]
fn xml_through_tsf_is_the_same_canonical_xml() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = vec![top.join("samples/order.xml"), top.join("samples/map.xml")];
    for folder in ["tsf-paper", "xmls", "gpx", "kml", "ubl21", "uddi"] {
        documents(&top.join("../shared/data").join(folder), &mut found);
    }
    let found: Vec<_> = found.iter().step_by(test_support::stride(8)).collect();
    let pairs = env::temp_dir().join(format!("lengthwise-canonical-{}", std::process::id()));
    fs::create_dir_all(&pairs).unwrap();
    for (number, path) in found.iter().enumerate() {
        let xml = fs::read(path).unwrap();
        for (setting, (lengths, sorted)) in [Lengths::Bytes, Lengths::Chars]
            .into_iter()
            .flat_map(|lengths| [(lengths, false), (lengths, true)])
            .enumerate()
        {
            let mut options = Options::default();
            (options.input_lengths, options.output_lengths, options.sort_attributes) = (lengths, lengths, sorted);
            let message = convert(&xml, Format::Xml, Format::Tsf, &options).unwrap();
            let back = convert(&message, Format::Tsf, Format::Xml, &options).unwrap();
            fs::write(pairs.join(format!("{number}-{setting}.a")), &xml).unwrap();
            fs::write(pairs.join(format!("{number}-{setting}.b")), back).unwrap();
        }
    }
    let judged = Command::new("python3").args(["-c", JUDGE]).arg(&pairs).output();
    fs::remove_dir_all(&pairs).unwrap();
    let Ok(judged) = judged else {
        test_support::skipped("there is no python3");
        return;
    };
    let printed = String::from_utf8(judged.stdout).unwrap();
    assert_eq!(printed.trim(), (4 * found.len()).to_string(), "{}", String::from_utf8_lossy(&judged.stderr));
    eprintln!("{} documents under four settings", found.len());
}
