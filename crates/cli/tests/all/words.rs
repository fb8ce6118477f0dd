//! Plain words: what a user reads is free of the idioms that make a sentence hard to follow.
#![allow(clippy::unwrap_used, reason = "what a test cannot set up, it cannot test")]

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::Place;

/// Words, and sequences of words, that have a plainer equivalent: *is* for `stands`, *after* for `behind`, *reports* for `tells`.
const FORBIDDEN: [&str; 7] = ["stands", "behind", "told", "tells", "is had", "are had", "as given"];

const VERBS: [&str; 8] = ["convert", "inspect", "check", "get", "example", "compare", "schema", "replay"];

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

#[test]
fn the_documents_use_plain_words() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages = files(&top.join("docs"), "md");
    assert!(pages.len() > 10, "{pages:?}");
    pages.extend(
        ["README.md", "CHANGELOG.md", "SECURITY.md", "CONTRIBUTING.md", "bench/README.md", "samples/README.md"]
            .map(|name| top.join(name)),
    );
    for page in pages {
        assert_eq!(found(&fs::read_to_string(&page).unwrap()), [""; 0], "{}", page.display());
    }
}

/// The string literals of a Rust source up to its unit tests.
fn literals(source: &str) -> Vec<&str> {
    let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let mut literals = Vec::new();
    let mut rest = source;
    while let Some(at) = rest.find(['"', '/', '\'']) {
        let (before, start) = rest.split_at(at);
        if let Some(comment) = start.strip_prefix("//") {
            rest = comment.split_once('\n').map_or("", |(_, rest)| rest);
        } else if let Some(character) = start.strip_prefix("'\\") {
            rest = character.get(1..).and_then(|rest| rest.split_once('\'')).map_or("", |(_, rest)| rest);
        } else if let Some(after) = start.strip_prefix("'\"'") {
            rest = after;
        } else if let Some(text) = start.strip_prefix('"') {
            let hashes = before.len() - before.trim_end_matches('#').len();
            let is_raw = before[..before.len() - hashes].ends_with('r');
            let end = match is_raw {
                true => text.find(&format!("\"{}", &"###"[..hashes])),
                false => {
                    let mut is_escaped = false;
                    text.find(|c| {
                        let is_end = c == '"' && !is_escaped;
                        is_escaped = c == '\\' && !is_escaped;
                        is_end
                    })
                }
            };
            let end = end.unwrap_or(text.len());
            literals.push(&text[..end]);
            rest = text.get(end + 1..).unwrap_or_default();
        } else {
            rest = &start[1..];
        }
    }
    literals
}

/// All files below a folder that have an extension.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = paths.partition(|path| path.is_dir());
    let files = files.into_iter().filter(|path| path.extension().is_some_and(|own| own == extension));
    files.chain(folders.iter().flat_map(|folder| self::files(folder, extension))).collect()
}

#[test]
fn literals_are_found_between_comments_and_characters() {
    let source = r###"let a = "one \" two"; // "no"
        let b = ('"', '\'', 'x', r#"raw " text"#); fn f<'a>() {} f("b");"###;
    assert_eq!(literals(source), [r#"one \" two"#, "raw \" text", "b"]);
}

#[test]
fn the_messages_use_plain_words() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut tried = 0;
    for folder in fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path().join("src")) {
        for file in files(&folder, "rs") {
            for literal in literals(&fs::read_to_string(&file).unwrap()) {
                // A single word is the name of something.
                if literal.contains(' ') {
                    assert_eq!(found(literal), [""; 0], "{}", file.display());
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 1000, "{tried}");
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
