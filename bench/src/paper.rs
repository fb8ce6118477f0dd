//! The paper's own figures (tables 12 to 18), for comparison with ours.

use crate::{
    documents::Document,
    report::{Report, geometric_mean, print_rows},
};

/// One of the paper's nine test files. Its counts (table 14) are what generated documents are held
/// against by a test.
#[cfg_attr(not(test), allow(dead_code))]
pub(crate) struct File {
    pub(crate) id: &'static str,
    name: &'static str,
    pub(crate) xml: usize,
    pub(crate) tsf: usize,
    pub(crate) elements: u64,
    pub(crate) attributes: u64,
    pub(crate) data: u64,
    pub(crate) comments: u64,
    pub(crate) units: u64,
    pub(crate) depth: usize,
    pub(crate) children: usize,
    /// Microseconds: libexpat, and TSF with UTF-8 read to wide characters.
    expat_us: f64,
    tsf_us: f64,
    /// Microseconds of TSF with 8-bit characters.
    tsf8_us: Option<f64>,
}

#[rustfmt::skip]
#[allow(clippy::too_many_arguments)]
const fn file(
    id: &'static str, name: &'static str, sizes: (usize, usize), counts: [u64; 5], depth: usize, children: usize,
    expat_us: f64, tsf_us: f64, tsf8_us: Option<f64>,
) -> File {
    let [elements, attributes, data, comments, units] = counts;
    let (xml, tsf) = sizes;
    File { id, name, xml, tsf, elements, attributes, data, comments, units, depth, children, expat_us, tsf_us, tsf8_us }
}

/// In the table's row of F3 a digit of the units is missing: the columns before it add up to 16351.
#[rustfmt::skip]
pub(crate) static FILES: [File; 9] = [
    file("F1", "future001", (70358, 54049), [1936, 6, 2596, 0, 4538], 7, 251, 3121.20, 585.40, Some(405.00)),
    file("F2", "bpmnxpdl", (160946, 142280), [2565, 3317, 4011, 29, 9922], 11, 379, 7444.20, 1463.40, Some(1097.00)),
    file("F3", "eric.map.osm", (218015, 206800), [2515, 11021, 2815, 0, 16351], 3, 2017, 11178.40, 2183.80, Some(1363.20)),
    file("F4", "cshl.map.osm", (298233, 284065), [3544, 15360, 3616, 0, 22520], 3, 2709, 15667.80, 2758.40, Some(1911.80)),
    file("F5", "sccc.map.osm", (404977, 386928), [5135, 20566, 5294, 0, 30995], 3, 3523, 23076.40, 4034.80, None),
    file("F6", "british.royals", (482666, 477051), [4589, 391, 7948, 5, 12934], 15, 3556, 10834.60, 2852.80, Some(1121.00)),
    file("F7", "csh.lirr.osm", (712661, 677853), [8630, 36855, 8915, 0, 54400], 3, 6385, 41568.00, 6842.00, None),
    file("F8", "exoplanet.catalog", (2147926, 1456993), [168728, 420, 66247, 0, 235395], 7, 4215, 124749.20, 20507.60, Some(20204.60)),
    file("F9", "largebasicxml", (3420388, 2797092), [73156, 15989, 146227, 1, 235373], 6, 1129, 180328.40, 33641.20, Some(21413.80)),
];

impl File {
    /// The file of the paper with this name; what is between its words does not matter.
    pub(crate) fn named(name: &str) -> Option<&'static File> {
        let plain = |name: &str| name.to_lowercase().replace(['-', '_'], ".");
        FILES.iter().find(|file| plain(name).starts_with(file.name))
    }

    pub(crate) fn of(id: &str) -> Option<&'static File> {
        FILES.iter().find(|file| file.id == id)
    }

    fn reduction(&self) -> f64 {
        reduction(self.xml, self.tsf)
    }
}

fn reduction(xml: usize, tsf: usize) -> f64 {
    100.0 * (1.0 - tsf as f64 / xml as f64)
}

/// The paper's tables 13, 15, 16, 17 and 18 with ours beside them; `tsf` gives the size of a
/// document as TSF.
pub(crate) fn print(documents: &[Document], report: &Report, tsf: impl Fn(&str) -> Option<usize>) {
    let heading = [
        "", "document", "XML", "paper", "TSF", "paper", "saved", "paper", "expat us", "paper", "TSF us", "paper",
        "8-bit", "factor", "paper", "8-bit",
    ];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    let mut factors = Vec::new();
    for document in documents {
        let (Some(file), Some(tsf), Some((ours, expat))) =
            (document.paper, tsf(&document.name), report.times("read", &document.name, "expat tree"))
        else {
            continue;
        };
        let eight = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.1}"));
        factors.push((expat / ours, file.expat_us / file.tsf_us, file.tsf8_us.map(|us| file.expat_us / us)));
        rows.push(vec![
            file.id.into(),
            document.name.clone(),
            document.bytes.len().to_string(),
            file.xml.to_string(),
            tsf.to_string(),
            file.tsf.to_string(),
            format!("{:.2}%", reduction(document.bytes.len(), tsf)),
            format!("{:.2}%", file.reduction()),
            format!("{:.1}", expat / 1e3),
            format!("{:.1}", file.expat_us),
            format!("{:.2}", ours / 1e3),
            format!("{:.1}", file.tsf_us),
            eight(file.tsf8_us),
            format!("{:.1}", expat / ours),
            format!("{:.1}", file.expat_us / file.tsf_us),
            eight(file.tsf8_us.map(|us| file.expat_us / us)),
        ]);
    }
    if rows.len() == 1 {
        return;
    }
    let mut means = vec![String::new(), "geometric mean".into()];
    means.resize(heading.len() - 3, String::new());
    means.push(format!("{:.1}", geometric_mean(factors.iter().map(|f| f.0))));
    means.push(format!("{:.1}", geometric_mean(factors.iter().map(|f| f.1))));
    means.push(format!("{:.1}", geometric_mean(factors.iter().filter_map(|f| f.2))));
    rows.push(means);
    println!(
        "\nThe paper's tables 13 and 15 to 18 beside ours. Times are of other machines: compare factors (libexpat / TSF)."
    );
    print_rows(&rows);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_of_table_14_add_up() {
        for file in &FILES {
            // F6 has one unit that is in no column: its DOCTYPE.
            let doctype = u64::from(file.id == "F6");
            assert_eq!(
                file.elements + file.attributes + file.data + file.comments + doctype,
                file.units,
                "{}",
                file.id
            );
        }
    }

    #[test]
    fn the_reductions_are_those_of_table_13() {
        let printed = [23.18, 11.60, 5.14, 4.75, 4.46, 1.16, 4.88, 32.17, 18.22];
        for (file, printed) in FILES.iter().zip(printed) {
            assert!((file.reduction() - printed).abs() < 0.01, "{}", file.id);
        }
    }

    #[test]
    fn files_are_known_by_name() {
        let id = |name| File::named(name).map(|file| file.id);
        assert_eq!(id("exoplanet_catalog.vot.xml"), Some("F8"));
        assert_eq!(id("LARGEbasicXML.xml"), Some("F9"));
        assert_eq!(id("other.xml"), None);
    }
}
