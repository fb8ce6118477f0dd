//! Everybody measured by the XML parser of their own world: ours by expat, those in Java by the JDK's.

use crate::{
    documents::Document,
    report::{Report, geometric_mean, print_rows},
};

/// Who, in which work, and whose time it is measured by; ours has no name.
const FACTORS: [(&str, &str, &str, &str); 8] = [
    ("events: ours / expat tree", "events", "", "expat tree"),
    ("ours / expat events", "events", "", "expat events"),
    ("Fast Infoset / JDK SAX", "events", "Fast Infoset SAX", "JDK SAX"),
    ("EXI / JDK SAX", "events", "EXI SAX", "JDK SAX"),
    ("tree: ours / expat", "read", "", "expat tree"),
    ("ours / pugixml", "read", "", "pugixml in place"),
    ("Fast Infoset / JDK DOM", "read", "Fast Infoset DOM", "JDK DOM"),
    ("EXI / JDK DOM", "read", "EXI DOM", "JDK DOM"),
];

/// How often each reads its message while the XML parser reads the XML once.
pub(crate) fn print(documents: &[Document], report: &Report) {
    let factor = |document: &str, (_, work, who, by): (&str, &str, &str, &str)| {
        let (ours, xml) = report.times(work, document, by)?;
        if who.is_empty() { Some(xml / ours) } else { report.times(work, document, who).map(|times| xml / times.1) }
    };
    let shown: Vec<_> =
        FACTORS.into_iter().filter(|&of| documents.iter().any(|d| factor(&d.name, of).is_some())).collect();
    if shown.is_empty() {
        return;
    }
    let cell = |factor: Option<f64>| factor.map_or("-".to_owned(), |factor| format!("{factor:.2}x"));
    let mut rows = vec![["document"].into_iter().chain(shown.iter().map(|of| of.0)).map(str::to_owned).collect()];
    for document in documents {
        let factors = shown.iter().map(|&of| cell(factor(&document.name, of)));
        rows.push([document.name.clone()].into_iter().chain(factors).collect());
    }
    let mean = |of| geometric_mean(documents.iter().filter_map(|document| factor(&document.name, of)));
    let means = shown.iter().map(|&of| cell(Some(mean(of))));
    rows.push(["geometric mean".to_owned()].into_iter().chain(means).collect());
    println!("\nReading the message, by the XML parser of the same world reading the XML: how often faster.");
    print_rows(&rows);
}
