//! The paper's own figures (its tables 1 to 4), for comparison with ours.

use crate::{
    documents::Document,
    report::{Report, print_rows},
};

/// One of the paper's documents. Sizes are bytes.
struct File {
    name: &'static str,
    /// Table 1: XML as its program wrote it; then aligned and unaligned PER, and the same with the
    /// strings under bzip2.
    xml: usize,
    forms: [usize; 4],
    /// Table 2: the strings, and those under bzip2.
    strings: [usize; 2],
    /// Table 3: XML and the four forms in a WinZip archive.
    zipped: [usize; 5],
    /// Table 4: milliseconds of copying, reading XML, reading PER, writing XML, writing PER; then those
    /// with strings under bzip2. One document has none.
    times: Option<[[f64; 5]; 2]>,
}

/// What the columns of [`File::forms`] are called among our sizes.
pub(crate) const FORMS: [&str; 4] = ["aper paper", "uper paper", "aper paper bzip2", "uper paper bzip2"];

/// The operations of table 4, as ours are called: without compression, and with it.
const OPERATIONS: [[&str; 5]; 2] = [
    ["copy", "read-xml", "read", "write-xml", "write"],
    ["copy", "read-xml", "read-bzip2", "write-xml", "write-bzip2"],
];

static FILES: [File; 5] = [
    File {
        name: "much.ado",
        xml: 202_044,
        forms: [146_811, 140_494, 73_174, 66_857],
        strings: [111_021, 37_380],
        zipped: [53_630, 57_334, 58_939, 47_038, 48_289],
        times: Some([[50.0, 83.0, 67.0, 30.0, 24.0], [51.0, 82.0, 118.0, 30.0, 178.0]]),
    },
    File {
        name: "periodic",
        xml: 113_368,
        forms: [34_630, 30_471, 23_217, 19_058],
        strings: [15_951, 4_533],
        zipped: [8_974, 11_326, 13_741, 10_125, 12_259],
        times: Some([[33.0, 58.0, 45.0, 19.0, 15.0], [33.0, 59.0, 71.0, 18.0, 77.0]]),
    },
    File {
        name: "soap2",
        xml: 133_840,
        forms: [47_048, 39_753, 40_116, 32_631],
        strings: [9_419, 1_979],
        zipped: [4_896, 7_514, 8_294, 5_805, 6_361],
        times: Some([[54.0, 102.0, 68.0, 28.0, 21.0], [54.0, 102.0, 93.0, 28.0, 75.0]]),
    },
    File {
        name: "xml.xml",
        xml: 157_481,
        forms: [127_467, 122_286, 55_414, 50_231],
        strings: [103_567, 31_508],
        zipped: [44_419, 47_803, 53_871, 43_451, 46_058],
        times: Some([[39.0, 68.0, 55.0, 23.0, 19.0], [39.0, 68.0, 101.0, 22.0, 167.0]]),
    },
    File {
        name: "sfs",
        xml: 40_115,
        forms: [17_275, 15_430, 11_243, 9_384],
        strings: [8_943, 2_883],
        zipped: [5_654, 5_698, 7_326, 5_837, 7_242],
        times: None,
    },
];

impl File {
    /// The file of the paper with this name; what is between its words does not matter.
    fn named(name: &str) -> Option<&'static File> {
        let plain = name.to_lowercase().replace(['-', '_'], ".");
        FILES.iter().find(|file| plain.starts_with(file.name))
    }
}

/// The paper's tables with ours beside them, as far as ours were measured.
pub(crate) fn print(documents: &[Document], report: &Report) {
    let files: Vec<_> = documents.iter().filter_map(|d| Some((d.name.as_str(), File::named(&d.name)?))).collect();
    sizes(&files, report);
    times(&files, report);
}

fn table(title: &str, heading: &[&str], rows: Vec<Vec<String>>) {
    if !rows.is_empty() {
        println!("\n{title}");
        let heading = heading.iter().map(|&cell| cell.to_owned()).collect();
        print_rows(&[vec![heading], rows].concat());
    }
}

fn sizes(files: &[(&str, &File)], report: &Report) {
    let mut rows = Vec::new();
    for (document, file) in files {
        let ours = |form: &str| report.size_of(document, form);
        let Some(xml) = ours("xml") else { continue };
        let cells = |cells: [&dyn ToString; 6]| cells.map(|cell| cell.to_string()).to_vec();
        let zipped = ours("xml gzip -9").unwrap_or(0);
        rows.push(cells([document, &"XML", &file.xml, &xml, &file.zipped[0], &zipped]));
        // WinZip's column has the aligned form first, as the others have.
        for (i, form) in FORMS.into_iter().enumerate() {
            let (Some(size), Some(zipped)) = (ours(form), ours(&format!("{form}, gzip -9"))) else { continue };
            let name = form.replace(" paper", "");
            rows.push(cells([&"", &name, &file.forms[i], &size, &file.zipped[i + 1], &zipped]));
        }
        if let (Some(plain), Some(packed)) = (ours(FORMS[1]), ours(FORMS[3])) {
            let paper = file.strings[0] - file.strings[1];
            rows.push(cells([&"", &"saved by bzip2", &paper, &plain.saturating_sub(packed), &"", &""]));
        }
    }
    table(
        "The paper's tables 1, 2 and 3 beside ours, which leave out what its program did; in bytes. The paper's XML is as \
         its program wrote it.",
        &["document", "form", "paper", "ours", "paper, WinZip", "ours, gzip -9"],
        rows,
    );
}

fn times(files: &[(&str, &File)], report: &Report) {
    let mut rows = Vec::new();
    for (document, file) in files {
        for (operations, times) in OPERATIONS.iter().zip(file.times.unwrap_or_default()) {
            let ours: Vec<f64> =
                operations.iter().filter_map(|work| report.ours(work, document)).map(|ns| ns / 1e3).collect();
            if file.times.is_none() || ours.len() < operations.len() {
                continue;
            }
            let mut row = vec![(*document).to_owned(), if operations[2] == "read" { "" } else { "bzip2" }.to_owned()];
            for (paper, ours) in times.iter().zip(&ours) {
                row.push(format!("{paper:.0} ms / {ours:.0} us"));
            }
            // What the paper compares: PER with XML, in reading and in writing.
            for (of, by) in [(1, 2), (3, 4)] {
                row.push(format!("{:.2} / {:.2}", times[of] / times[by], ours[of] / ours[by]));
            }
            rows.push(row);
        }
    }
    table(
        "The paper's table 4 beside ours: paper / ours. Its times are of another machine and another reader of XML: \
         compare factors.",
        &[
            "document",
            "strings",
            "copy",
            "read XML",
            "read PER",
            "write XML",
            "write PER",
            "read XML/PER",
            "write XML/PER",
        ],
        rows,
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What compressing the strings saves is what the forms shrink by, but for an octet of lengths and
    /// the five letters that name the algorithm. Of soap2 and sfs the tables do not agree.
    #[test]
    fn tables_1_and_2_agree() {
        for file in FILES.iter().filter(|file| !matches!(file.name, "soap2" | "sfs")) {
            let saved = file.strings[0] - file.strings[1];
            let [aper, uper, aper_packed, uper_packed] = file.forms;
            assert!((aper - aper_packed).abs_diff(saved) < 8, "{}", file.name);
            assert!((uper - uper_packed).abs_diff(saved) < 8, "{}", file.name);
        }
    }

    #[test]
    fn files_are_known_by_name() {
        let name = |name| File::named(name).map(|file| file.name);
        assert_eq!(name("periodic_table.xml"), Some("periodic"));
        assert_eq!(name("much_ado.xml"), Some("much.ado"));
        assert_eq!(name("other.xml"), None);
    }
}
