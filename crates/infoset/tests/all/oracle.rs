//! Messages of made-up documents, with all that they can hold, as asn1tools decodes them by the module of
//! Appendix A: `tests/oracles/infosets.py` says what is held. `ASN1TOOLS_PYTHON` is a Python that has it.

use std::path::Path;
use std::process::Command;

use crate::support::{made_up, message, said, xml};
use infoset::Strings;
use tam::Table;
use test_support::Random;

#[test]
fn asn1tools_decodes_what_was_meant() {
    let Some(python) = std::env::var_os("ASN1TOOLS_PYTHON").filter(|python| Path::new(python).exists()) else {
        test_support::skipped("ASN1TOOLS_PYTHON names no Python that has asn1tools");
        return;
    };
    let folder = std::env::temp_dir().join(format!("lengthwise-infoset-oracle-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut random = Random::new(11);
    let (mut count, mut doctypes) = (0, 0);
    while count < test_support::rounds(300) {
        let document = made_up::document(&mut random);
        let options = made_up::options(&mut random);
        let message = message(&document, &options);
        // From 16 384 on asn1tools has lengths of its own.
        if message.len() > 16_000 || options.strings == Strings::Zstd && random.one_in(2) {
            continue;
        }
        let mut table = Table::new();
        doctypes += usize::from(said(&xml(document.as_bytes(), &mut table).unwrap()).contains("<!"));
        std::fs::write(folder.join(format!("{count}.xml")), &document).unwrap();
        std::fs::write(folder.join(format!("{count}.{}", options.rules.as_str())), &message).unwrap();
        count += 1;
    }
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracles/infosets.py");
    let module = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/infoset.asn1");
    let held = Command::new(python).arg(tests).arg(module).arg(&folder).output().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let printed = String::from_utf8(held.stdout).unwrap();
    let mut lines = printed.lines();
    let counts: Vec<usize> = lines.next().unwrap_or("").split(' ').filter_map(|number| number.parse().ok()).collect();
    let [all, untold] = counts[..] else { panic!("{}", String::from_utf8_lossy(&held.stderr)) };
    let wrong: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(all == count && untold * 4 < count && doctypes > count / 5, "{all} {untold} {doctypes}");
    eprintln!("{count} messages held, {doctypes} of them of documents with comments or a DOCTYPE");
}
