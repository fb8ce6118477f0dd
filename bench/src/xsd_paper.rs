//! The paper's own figures of section 2 (its tables a to d), for comparison with ours.

use crate::{
    report::{Report, print_rows},
    xsd_documents::Instance,
};

/// One of the paper's tables: means of all documents of a schema.
struct Figures {
    name: &'static str,
    /// What the namespaces of such documents begin with.
    namespace: &'static str,
    /// Bytes of the XML.
    xml: f64,
    /// Under PER, PER and zlib, zlib alone.
    sizes: [f64; 3],
    /// Microseconds of encoding and decoding: PER; PER and zlib; Xerces's DOM; its SAX, which has no encoder
    /// but the paper's own, with handlers that do nothing.
    encode: [f64; 3],
    decode: [f64; 4],
}

static TABLES: [Figures; 4] = [
    Figures {
        name: "a. RANAP",
        namespace: "urn:example:ranap",
        xml: 1546.0,
        sizes: [26.0, 35.0, 411.0],
        encode: [15.7, 367.2, 154.4],
        decode: [14.6, 27.3, 380.0, 235.8],
    },
    Figures {
        name: "b. UBL",
        namespace: "urn:oasis:names:specification:ubl:",
        xml: 36_769.0,
        sizes: [4426.0, 582.0, 1607.0],
        encode: [944.5, 1555.1, 3716.8],
        decode: [1777.5, 1984.7, 7635.5, 3422.0],
    },
    Figures {
        name: "c. UDDI",
        namespace: "urn:uddi-org:",
        xml: 2422.0,
        sizes: [1235.0, 534.0, 762.0],
        encode: [25.5, 512.9, 187.2],
        decode: [42.1, 95.5, 406.8, 238.7],
    },
    Figures {
        name: "d. UDS",
        namespace: "urn:example:uds",
        xml: 4063.0,
        sizes: [545.0, 268.0, 664.0],
        encode: [86.5, 497.7, 427.2],
        decode: [116.2, 154.5, 915.8, 433.3],
    },
];

impl Figures {
    fn documents<'a>(&self, all: &'a [Instance]) -> Vec<&'a Instance> {
        all.iter().filter(|document| document.namespace.starts_with(self.namespace)).collect()
    }
}

/// The paper's tables with ours beside them, as far as ours were measured.
pub(crate) fn print(documents: &[Instance], report: &Report) {
    let mut sizes = vec![row(&["table", "form", "paper", "of its XML", "ours", "of our XML"])];
    let mut times = vec![row(&["table", "work", "paper", "DOM / PER", "SAX / PER", "ours", "DOM / PER", "SAX / PER"])];
    for figures in &TABLES {
        let documents = figures.documents(documents);
        sizes.extend(sizes_of(figures, &documents, report));
        times.extend(times_of(figures, &documents, report));
    }
    if sizes.len() > 1 {
        println!(
            "\nThe paper's tables a to d beside ours: means of all documents of a schema, in bytes. Its PER is the aligned \
             one: strings begin with an octet, or zlib would not find them again."
        );
        print_rows(&sizes);
    }
    if times.len() > 1 {
        println!(
            "\nThe same, times: compare factors. The paper's are of another machine (2003) and of Xerces 2.3; its SAX with \
             empty handlers."
        );
        print_rows(&times);
    }
}

fn row(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|&cell| cell.to_owned()).collect()
}

/// The mean of what is known of all documents; none if it is not known of all.
fn mean(documents: &[&Instance], of: impl Fn(&str) -> Option<f64>) -> Option<f64> {
    let all: Option<Vec<f64>> = documents.iter().map(|document| of(&document.name)).collect();
    all.filter(|all| !all.is_empty()).map(|all| all.iter().sum::<f64>() / all.len() as f64)
}

fn sizes_of(figures: &Figures, documents: &[&Instance], report: &Report) -> Vec<Vec<String>> {
    let size = |form: &str| mean(documents, |document| report.size_of(document, form).map(|size| size as f64));
    let uper = mean(documents, |document| report.message(document).map(|size| size as f64));
    let Some(xml) = size("xml") else { return Vec::new() };
    let cell = |bytes: f64, of: f64| [format!("{bytes:.0}"), format!("{:.1}%", 100.0 * bytes / of)];
    let forms = [
        ("XML", Some(figures.xml), Some(xml)),
        ("PER, aligned", Some(figures.sizes[0]), size("aper")),
        ("PER, aligned, zlib", Some(figures.sizes[1]), size("aper zlib -9")),
        ("PER, unaligned", None, uper),
        ("PER, unaligned, zlib", None, size("uper zlib -9")),
        ("zlib", Some(figures.sizes[2]), size("xml zlib -9")),
        ("EXI strict", None, size("exi strict")),
        ("EXI strict, compressed", None, size("exi strict, compressed")),
        ("protobuf", None, size("protobuf")),
    ];
    let mut rows = Vec::new();
    for (form, paper, ours) in forms {
        let Some(ours) = ours else { continue };
        let paper = paper.map_or([String::new(), String::new()], |bytes| cell(bytes, figures.xml));
        let name = if rows.is_empty() { format!("{} ({})", figures.name, documents.len()) } else { String::new() };
        rows.push([&[name, form.to_owned()], &paper[..], &cell(ours, xml)[..]].concat());
    }
    rows
}

fn times_of(figures: &Figures, documents: &[&Instance], report: &Report) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let sax = Some(figures.decode[3]);
    for (work, paper, dom, sax) in [
        ("decode", figures.decode, ("xerces dom", figures.decode[2]), ("xerces sax", sax)),
        (
            "encode",
            [figures.encode[0], figures.encode[1], 0.0, 0.0],
            ("xerces dom write", figures.encode[2]),
            ("", None),
        ),
    ] {
        let peer = |name: &str| mean(documents, |document| Some(report.times(work, document, name)?.1 / 1e3));
        let forms = [
            (work.to_owned(), paper[0], peer("lengthwise, aper")),
            (format!("{work}, zlib"), paper[1], peer("lengthwise, aper, zlib")),
        ];
        for (form, paper, ours) in forms {
            let Some(ours) = ours else { continue };
            let factor = |of: Option<f64>, by: f64| of.map_or(String::new(), |of| format!("{:.1}x", of / by));
            let name = if rows.is_empty() { figures.name.to_owned() } else { String::new() };
            rows.push(vec![
                name,
                form,
                format!("{paper:.1} us"),
                factor(Some(dom.1), paper),
                factor(sax.1, paper),
                format!("{ours:.1} us"),
                factor(peer(dom.0), ours),
                factor(peer(sax.0), ours),
            ]);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use asn1::Options;

    use super::*;
    use crate::{compress::zlib, xsd_documents, xsd_ours::Types};

    /// Per cent of the XML under these rules, bare and under zlib: means of all documents of a namespace.
    fn percent(namespace: &str, options: &Options) -> (f64, f64) {
        let (mut xml, mut bare, mut packed) = (0, 0, 0);
        for document in xsd_documents::load(None).unwrap().iter().filter(|document| document.namespace == namespace) {
            let types = Types::load(&document.schema).unwrap();
            let (message, _) = types.message(&document.xml, options).unwrap();
            xml += document.xml.len();
            bare += message.len();
            packed += zlib(&message).len();
        }
        let of = |bytes: usize| 100.0 * bytes as f64 / xml as f64;
        (of(bare), of(packed))
    }

    /// Ours are as small as the paper's, in relation to their XML.
    #[test]
    fn documents_reach_the_papers_percentages() {
        for (namespace, options, most) in
            [("urn:example:ranap", Options::uper(), (1.7, 2.3)), ("urn:example:uds", Options::aper(), (13.4, 6.6))]
        {
            let (bare, packed) = percent(namespace, &options);
            assert!(bare <= most.0 && packed <= most.1, "{namespace}: {bare:.2} {packed:.2}");
        }
    }

    /// The percentages that the paper prints beside its bytes.
    #[test]
    fn sizes_are_the_papers_percentages() {
        let printed = [[1.7, 2.3, 26.6], [12.0, 1.6, 4.4], [51.0, 22.1, 31.5], [13.4, 6.6, 16.3]];
        for (figures, printed) in TABLES.iter().zip(printed) {
            for (bytes, percent) in figures.sizes.iter().zip(printed) {
                assert!((100.0 * bytes / figures.xml - percent).abs() < 0.06, "{} {bytes}", figures.name);
            }
        }
    }
}
