//! Real messages of published specifications: they are read to the leaves, and come back octet for octet.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use asn1::{Compiled, Limits, Options, Values, jer};
use serde_json::Value as Json;
use tam::Table;

/// The test data beside the project.
fn data(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(path)
}

/// The files of a set: those of `asn1tools`, or a folder of pycrate's collection (`LENGTHWISE_ASN1_SETS`).
fn files(set: &str) -> Option<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = match set.strip_prefix("pycrate_asn1dir/") {
        Some("3GPP_UTRAN_RANAP_25413") => listed(&data("ranap"))?,
        Some(folder) => listed(&Path::new(&std::env::var_os("LENGTHWISE_ASN1_SETS")?).join(folder))?,
        None => set
            .split('+')
            .map(|name| data("asn1tools").join(name.trim_start_matches("asn1tools/tests/files/")))
            .collect(),
    };
    files.sort();
    files.iter().all(|file| file.is_file()).then_some(files)
}

fn listed(folder: &Path) -> Option<Vec<PathBuf>> {
    let all = fs::read_dir(folder).ok()?.map(|entry| entry.unwrap().path());
    Some(all.filter(|path| path.extension().is_some_and(|ending| ending == "asn" || ending == "asn1")).collect())
}

fn compile(files: &[PathBuf]) -> Compiled {
    let texts: Vec<(String, String)> = files
        .iter()
        .map(|file| (file.display().to_string(), String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned()))
        .collect();
    let sources: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (&name[..], &text[..])).collect();
    Compiled::from_sources(&sources, &Limits::default()).unwrap().1
}

fn octets(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).map(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).unwrap()).collect()
}

/// Why a message need not come back, by a word of the note that comes with it.
const EXPLAINED: [&str; 5] = [
    // Octets after the message.
    "octets more behind the value",
    // A message that is cut off.
    "decode error: CharpyErr: bitlen overflow: 384",
    "decode error: CharpyErr: bitlen overflow: 2,",
    // Padding that is not zero.
    "alignment bits that are not zero",
    // Elements of later versions, which are passed over.
    "elements that it does not know",
];

/// A message that sends a simple value equal to its default, which X.691 clause 19.5 forbids.
const SENT_DEFAULT: usize = 47;

#[test]
fn real_messages_come_back_octet_for_octet() {
    let Ok(lines) = fs::read_to_string(data("asn1-pdus/pdus.jsonl")) else {
        test_support::skipped("there is no ../shared/data/asn1-pdus");
        return;
    };
    let mut sets: HashMap<String, Option<Compiled>> = HashMap::new();
    let (mut came_back, mut explained, mut skipped, mut rewritten) = (0, 0, 0, 0);
    for (number, line) in lines.lines().enumerate() {
        let case: Json = serde_json::from_str(line).unwrap();
        let field = |name: &str| case[name].as_str().unwrap_or_default();
        let types = sets.entry(field("set").to_owned()).or_insert_with_key(|set| Some(compile(&files(set)?)));
        let Some(types) = types else {
            skipped += 1;
            continue;
        };
        let options = match field("rules") {
            "uper" => Options::uper(),
            "aper" => Options::aper(),
            "ber" => Options::ber(),
            "der" => Options::der(),
            "oer" => Options::oer(),
            "coer" => Options::oer().with_canonical(true),
            other => panic!("rules {other}"),
        };
        let (message, note) = (octets(field("hex")), field("note"));
        let node = types.find(field("type")).unwrap();
        let mut values = Values::new();
        let written = asn1::read(&message, types, node, &options, &mut values).and_then(|value| {
            let mut table = Table::new();
            let document = jer::write(value, &mut table)?;
            let mut again = Values::new();
            let read = jer::read(&document, types, node, &Limits::default(), &mut again)?;
            // JSON does not keep the number of presence bits, nor the octets of strings that contain values.
            rewritten += value.accepted(&options).rewritten.count;
            if !note.contains("another version of the module") && value.accepted(&options).rewritten.count == 0 {
                assert_eq!(asn1::write(read, &options)?, asn1::write(value, &options)?, "{number}: by JSON");
            }
            asn1::write(value, &options)
        });
        match written {
            Ok(written) if written == message => came_back += 1,
            Ok(_) if number == SENT_DEFAULT => explained += 1,
            _ if EXPLAINED.iter().any(|words| note.contains(words)) => explained += 1,
            other => panic!("{number} {}: {other:?}", field("type")),
        }
    }
    eprintln!("{came_back} come back, {explained} are explained, {skipped} have no set");
    eprintln!("{rewritten} strings contain values in other octets than would be written");
    if skipped > 0 {
        test_support::skipped(format!("{skipped} messages whose sets are not there (LENGTHWISE_ASN1_SETS)"));
    }
}
