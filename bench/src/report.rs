//! What was measured: lines of JSON as they come, or tables at the end.

use std::{collections::BTreeSet, fmt::Write as _};

use crate::timing::{Contestant, race};

/// All that is measured in a run.
pub(crate) struct Report {
    table: &'static str,
    json: bool,
    rounds: usize,
    only: Option<String>,
    lines: Vec<Line>,
    pub(crate) failures: usize,
}

/// The piece of work that is measured, and on what.
#[derive(Clone, Default)]
pub(crate) struct Work<'a> {
    pub(crate) name: &'static str,
    pub(crate) document: &'a str,
    /// Which type set, where there are two.
    pub(crate) types: Option<&'static str>,
    /// Bytes of what ours reads.
    pub(crate) bytes: usize,
    pub(crate) units: u64,
    pub(crate) allocations: Option<u64>,
}

/// One measurement: ours beside one peer.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) table: &'static str,
    pub(crate) work: &'static str,
    pub(crate) document: String,
    pub(crate) types: Option<&'static str>,
    pub(crate) bytes: usize,
    pub(crate) units: u64,
    pub(crate) allocations: Option<u64>,
    pub(crate) peer: String,
    pub(crate) value: Value,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Time { ours_ns: f64, peer_ns: f64 },
    Size { peer_bytes: usize },
}

impl Line {
    pub(crate) fn to_json(&self) -> String {
        let Line { table, work, document, bytes, peer, .. } = self;
        let mut line =
            format!(r#"{{"table":"{table}","work":"{work}","document":{},"bytes":{bytes}"#, quoted(document));
        // Writing to a string does not fail.
        let _ = match self.value {
            Value::Time { ours_ns, peer_ns } => write!(
                line,
                r#","ours_ns":{ours_ns:.1},"peer":{},"peer_ns":{peer_ns:.1},"ratio":{:.3}"#,
                quoted(peer),
                peer_ns / ours_ns
            ),
            Value::Size { peer_bytes } => write!(line, r#","peer":{},"peer_bytes":{peer_bytes}"#, quoted(peer)),
        };
        if let Some(types) = self.types {
            let _ = write!(line, r#","types":"{types}""#);
        }
        if let Some(allocations) = self.allocations {
            let _ = write!(line, r#","allocations":{allocations}"#);
        }
        line.push('}');
        line
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if u32::from(c) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

impl Report {
    pub(crate) fn new(table: &'static str, json: bool, rounds: usize, only: Option<String>) -> Report {
        Report { table, json, rounds, only, lines: Vec::new(), failures: 0 }
    }

    /// Whether a piece of work is asked for.
    pub(crate) fn wants(&self, work: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only == work)
    }

    /// Whether tables are printed.
    pub(crate) fn prints(&self) -> bool {
        !self.json
    }

    /// Something that makes the run fail in the end, though the rest is still measured.
    pub(crate) fn fail(&mut self, what: &str) {
        eprintln!("bench: {what}");
        self.failures += 1;
    }

    /// Times ours, which comes first, and its peers, and gives ours.
    pub(crate) fn race(&mut self, work: &Work<'_>, mut contestants: Vec<Contestant<'_>>) -> f64 {
        if !self.json {
            eprintln!("  {} {}", work.name, work.document);
        }
        let times = race(&mut contestants, self.rounds);
        for (peer, &peer_ns) in contestants.iter().zip(&times).skip(1) {
            self.push(work, peer.name.clone(), Value::Time { ours_ns: times[0], peer_ns });
        }
        times[0]
    }

    pub(crate) fn size(&mut self, work: &Work<'_>, peer: &str, peer_bytes: usize) {
        self.push(work, peer.into(), Value::Size { peer_bytes });
    }

    fn push(&mut self, work: &Work<'_>, peer: String, value: Value) {
        let line = Line {
            table: self.table,
            work: work.name,
            document: work.document.into(),
            types: work.types,
            bytes: work.bytes,
            units: work.units,
            allocations: work.allocations,
            peer,
            value,
        };
        if self.json {
            println!("{}", line.to_json());
        }
        self.lines.push(line);
    }

    /// The time of ours and of a peer for a document.
    pub(crate) fn times(&self, work: &str, document: &str, peer: &str) -> Option<(f64, f64)> {
        self.lines.iter().find_map(|line| match line.value {
            Value::Time { ours_ns, peer_ns } if line.work == work && line.document == document && line.peer == peer => {
                Some((ours_ns, peer_ns))
            }
            _ => None,
        })
    }

    /// The time of ours for a document.
    pub(crate) fn ours(&self, work: &str, document: &str) -> Option<f64> {
        self.lines.iter().find_map(|line| match line.value {
            Value::Time { ours_ns, .. } if line.work == work && line.document == document => Some(ours_ns),
            _ => None,
        })
    }

    /// The size of a document in our first form.
    pub(crate) fn bytes_of(&self, work: &str, document: &str) -> Option<usize> {
        self.lines.iter().find(|line| line.work == work && line.document == document).map(|line| line.bytes)
    }

    /// The size of a document in some form.
    pub(crate) fn size_of(&self, document: &str, peer: &str) -> Option<usize> {
        self.lines.iter().find_map(|line| match line.value {
            Value::Size { peer_bytes } if line.document == document && line.peer == peer => Some(peer_bytes),
            _ => None,
        })
    }

    /// The size of a document's message, which other sizes are shown beside.
    pub(crate) fn message(&self, document: &str) -> Option<usize> {
        self.lines.iter().find_map(|line| match line.value {
            Value::Size { .. } if line.document == document => Some(line.bytes),
            _ => None,
        })
    }

    /// All tables, one for each piece of work.
    pub(crate) fn print(&self, about: impl Fn(&str) -> &'static str) {
        if self.json {
            return;
        }
        let mut seen = BTreeSet::new();
        for line in &self.lines {
            if seen.insert((line.work, line.types)) {
                let lines: Vec<&Line> =
                    self.lines.iter().filter(|l| (l.work, l.types) == (line.work, line.types)).collect();
                let types = line.types.map(|types| format!(", type set {types}")).unwrap_or_default();
                println!("\n{} {}{types}: {}", self.table, line.work, about(line.work));
                print_rows(&rows(&lines));
            }
        }
    }
}

/// The rows of one piece of work: a heading, a row a document, and the means.
fn rows(lines: &[&Line]) -> Vec<Vec<String>> {
    let first_of = |key: fn(&Line) -> &str| {
        let mut seen = BTreeSet::new();
        lines.iter().map(|line| key(line)).filter(|&key| seen.insert(key)).collect::<Vec<_>>()
    };
    let peers = first_of(|line| &line.peer);
    let sizes = matches!(lines[0].value, Value::Size { .. });
    let allocations = lines[0].allocations.is_some();

    let mut heading = vec!["document".to_owned(), "bytes".into()];
    if !sizes {
        heading.extend(["units", "ours", "ns/unit"].map(str::to_owned));
    }
    if allocations {
        heading.push("allocations".into());
    }
    heading.extend(peers.iter().map(|&peer| peer.to_owned()));
    let columns = heading.len();
    let mut rows = vec![heading];

    for document in first_of(|line| &line.document) {
        let of: Vec<_> = lines.iter().filter(|line| line.document == document).collect();
        let mut row = vec![document.to_owned(), of[0].bytes.to_string()];
        if let Value::Time { ours_ns, .. } = of[0].value {
            row.extend([of[0].units.to_string(), time(ours_ns), format!("{:.2}", ours_ns / of[0].units as f64)]);
        }
        row.extend(of[0].allocations.map(|n| n.to_string()));
        for peer in &peers {
            row.push(match of.iter().find(|line| line.peer == *peer).map(|line| line.value) {
                Some(Value::Time { ours_ns, peer_ns }) => format!("{}  {:5.2}x", time(peer_ns), peer_ns / ours_ns),
                Some(Value::Size { peer_bytes }) => {
                    format!("{peer_bytes} {:6.1}%", 100.0 * peer_bytes as f64 / of[0].bytes as f64)
                }
                None => "-".into(),
            });
        }
        rows.push(row);
    }

    let mut means = vec!["geometric mean".to_owned()];
    means.resize(columns - peers.len(), String::new());
    for peer in &peers {
        let ratios = lines.iter().filter(|line| line.peer == *peer).map(|line| match line.value {
            Value::Time { ours_ns, peer_ns } => peer_ns / ours_ns,
            Value::Size { peer_bytes } => 100.0 * peer_bytes as f64 / line.bytes as f64,
        });
        let mean = geometric_mean(ratios);
        means.push(if sizes { format!("{mean:.1}%") } else { format!("{mean:5.2}x") });
    }
    rows.push(means);
    if peers.len() > WIDEST { turned(&rows) } else { rows }
}

/// More peers than this have a row each, and the documents the columns.
const WIDEST: usize = 12;

fn turned(rows: &[Vec<String>]) -> Vec<Vec<String>> {
    (0..rows[0].len()).map(|column| rows.iter().map(|row| row[column].clone()).collect()).collect()
}

pub(crate) fn geometric_mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value.ln(), count + 1));
    if count == 0 { f64::NAN } else { (sum / f64::from(count)).exp() }
}

/// A time in the unit that suits it.
fn time(ns: f64) -> String {
    match ns {
        ..1e4 => format!("{ns:.0} ns"),
        ..1e7 => format!("{:.1} us", ns / 1e3),
        _ => format!("{:.2} ms", ns / 1e6),
    }
}

/// Columns under each other: the first to the left, numbers to the right.
pub(crate) fn print_rows(rows: &[Vec<String>]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    for row in rows {
        let mut line = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            let _ = if column == 0 { write!(line, "{cell:width$}") } else { write!(line, "  {cell:>width$}") };
        }
        println!("{}", line.trim_end());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(value: Value) -> Line {
        Line {
            table: "tsf",
            work: "read",
            document: "a \"b\"\\\n.xml".into(),
            types: None,
            bytes: 1000,
            units: 10,
            allocations: None,
            peer: "expat tree".into(),
            value,
        }
    }

    #[test]
    fn a_time_is_a_line_of_json() {
        let json = line(Value::Time { ours_ns: 100.04, peer_ns: 3001.24 }).to_json();
        let read: serde_json::Value = serde_json::from_str(&json).unwrap();
        let keys: BTreeSet<&str> = read.as_object().unwrap().keys().map(String::as_str).collect();
        let promised = ["table", "work", "document", "bytes", "ours_ns", "peer", "peer_ns", "ratio"];
        assert_eq!(keys, promised.into());
        assert_eq!(read["document"], "a \"b\"\\\n.xml");
        assert_eq!(read["ours_ns"], 100.0);
        assert_eq!(read["ratio"], 30.0);
        assert!(!json.contains('\n'));
    }

    #[test]
    fn a_size_is_a_line_of_json() {
        let mut line = line(Value::Size { peer_bytes: 2000 });
        line.work = "size";
        let read: serde_json::Value = serde_json::from_str(&line.to_json()).unwrap();
        let keys: BTreeSet<&str> = read.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["table", "work", "document", "bytes", "peer", "peer_bytes"].into());
        assert_eq!(read["peer_bytes"], 2000);
    }

    #[test]
    fn what_is_known_besides_is_added() {
        let mut line = line(Value::Time { ours_ns: 1.0, peer_ns: 2.0 });
        (line.types, line.allocations) = (Some("value"), Some(3));
        let read: serde_json::Value = serde_json::from_str(&line.to_json()).unwrap();
        assert_eq!((&read["types"], &read["allocations"]), (&"value".into(), &3.into()));
    }

    #[test]
    fn many_peers_have_a_row_each() {
        let all: Vec<Line> =
            (0..=WIDEST).map(|i| Line { peer: format!("peer {i}"), ..line(Value::Size { peer_bytes: 500 }) }).collect();
        let rows = rows(&all.iter().collect::<Vec<_>>());
        assert_eq!(rows.len(), 2 + all.len());
        assert_eq!(rows[0].len(), 3);
        assert_eq!(rows[2], ["peer 0", "500   50.0%", "50.0%"]);
    }

    #[test]
    fn rows_end_in_the_geometric_mean() {
        let all = [line(Value::Time { ours_ns: 1.0, peer_ns: 2.0 }), {
            let mut other = line(Value::Time { ours_ns: 1.0, peer_ns: 8.0 });
            other.document = "other".into();
            other
        }];
        let rows = rows(&all.iter().collect::<Vec<_>>());
        assert_eq!(rows.len(), 4);
        assert_eq!(rows[3].last().unwrap().trim(), "4.00x");
        assert!(rows.iter().all(|row| row.len() == rows[0].len()));
    }
}
