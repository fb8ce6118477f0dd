//! Plain words: what a user reads is free of the idioms that make a sentence hard to follow.
#![allow(clippy::unwrap_used, reason = "what a test cannot set up, it cannot test")]

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::Place;

/// Words, and sequences of words, that have a plainer equivalent: *is* for `stands`, *after* for `behind`, *reports* for `tells`.
const FORBIDDEN: [&str; 7] = ["stands", "behind", "told", "tells", "is had", "are had", "as given"];

/// Pages that still wait for plain words.
const UNFINISHED: [&str; 1] = ["embedded.md"];

const VERBS: [&str; 7] = ["convert", "inspect", "check", "get", "compare", "schema", "replay"];

/// The forbidden words of a text, each with the words before and after it.
fn found(text: &str) -> Vec<String> {
    let words: Vec<&str> =
        text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty()).collect();
    let is_at = |at: usize, forbidden: &str| {
        forbidden
            .split(' ')
            .enumerate()
            .all(|(i, part)| words.get(at + i).is_some_and(|w| w.eq_ignore_ascii_case(part)))
    };
    let places = (0..words.len()).filter(|at| FORBIDDEN.iter().any(|forbidden| is_at(*at, forbidden)));
    places.map(|at| words[at.saturating_sub(4)..words.len().min(at + 5)].join(" ")).collect()
}

/// All Markdown files in a folder and below it.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = paths.partition(|path| path.is_dir());
    let is_page = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    files.into_iter().filter(is_page).chain(folders.iter().flat_map(|folder| pages(folder))).collect()
}

#[test]
fn the_documents_use_plain_words() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages = pages(&top.join("docs"));
    assert!(pages.len() > 10, "{pages:?}");
    pages.extend(
        ["README.md", "CHANGELOG.md", "SECURITY.md", "CONTRIBUTING.md", "bench/README.md", "samples/README.md"]
            .map(|name| top.join(name)),
    );
    for page in pages {
        if !UNFINISHED.iter().any(|name| page.ends_with(name)) {
            assert_eq!(found(&fs::read_to_string(&page).unwrap()), [""; 0], "{}", page.display());
        }
    }
}

#[test]
fn the_help_uses_plain_words() {
    let here = Place::new();
    for help in ["-h", "--help"] {
        let text = here.run(&[help]).done();
        assert_eq!(found(text.text()), [""; 0], "lengthwise {help}");
        for verb in VERBS {
            let text = here.run(&[verb, help]).done();
            assert_eq!(found(text.text()), [""; 0], "lengthwise {verb} {help}");
            assert!(text.text().contains("\nSchema:\n"), "{verb}: options are grouped");
        }
    }
}

#[test]
fn the_help_leaves_out_what_a_verb_never_uses() {
    let here = Place::new();
    let replay = here.run(&["replay", "--help"]).done();
    assert!(!replay.text().contains("--registry") && !replay.text().contains("--types"), "{}", replay.text());
    // Refused with a reason all the same.
    let run = here.run(&["replay", "a.xml", "--types", "xml"]);
    assert_eq!((run.status, run.err.contains("--types is for TSF")), (2, true), "{}", run.err);
}
