//! The commands in the documents do what the documents show.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "what a test cannot set up, it cannot test")]

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::program::Place;

/// Runs every command of a document's `console` blocks, in a directory with the samples, and holds
/// what it prints against what the document shows. Times differ: `compare` without a filter is left out.
fn hold(document: &str) {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let page = fs::read_to_string(top.join(document)).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_lengthwise"));
    let path = format!("{}:{}", program.parent().unwrap().display(), env::var("PATH").unwrap());
    let here = Place::new();
    symlink(top.join("samples"), here.path("samples")).unwrap();
    let mut tried = 0;
    for block in page.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap()) {
        for shown in block.strip_prefix("$ ").unwrap().split("\n$ ") {
            let (command, expected) = shown.split_once('\n').unwrap_or((shown, ""));
            if command.starts_with("lengthwise compare") && !command.contains('|') {
                continue;
            }
            let script = format!("{{ {command} ; }} 2>&1");
            let directory = here.path("");
            let output = Command::new("sh").args(["-c", &script]).current_dir(directory).env("PATH", &path).output();
            let printed = String::from_utf8(output.unwrap().stdout).unwrap();
            // A page need not show the notes.
            let shows_notes = expected.lines().any(|line| line.starts_with("note: "));
            let is_shown = |line: &&str| shows_notes || !line.starts_with("note: ");
            let printed: Vec<&str> = printed.lines().filter(is_shown).collect();
            assert_eq!(printed.join("\n").trim_end(), expected.trim_end(), "{document}: {command}");
            tried += 1;
        }
    }
    assert!(tried > 2, "{document}: {tried}");
}

#[test]
fn the_page_of_tsf_shows_what_the_command_prints() {
    hold("docs/formats/tsf.md");
}

#[test]
fn the_page_of_pon_shows_what_the_command_prints() {
    hold("docs/formats/pon.md");
}

#[test]
fn the_page_of_asn1_shows_what_the_command_prints() {
    hold("docs/formats/asn1.md");
}

#[test]
fn the_page_of_infosets_shows_what_the_command_prints() {
    hold("docs/formats/infoset.md");
}

#[test]
fn the_page_of_dds_shows_what_the_command_prints() {
    hold("docs/formats/dds.md");
}

#[test]
fn the_page_of_the_command_shows_what_the_command_prints() {
    hold("docs/cli.md");
}

#[test]
fn the_recipes_show_what_the_command_prints() {
    hold("docs/recipes.md");
}

#[test]
fn the_session_of_the_readme_shows_what_the_command_prints() {
    hold("README.md");
}

#[test]
fn the_guides_show_what_the_command_prints() {
    for guide in ["backend", "data", "firmware", "telecom", "pki", "xsd", "soap"] {
        hold(&format!("docs/guides/{guide}.md"));
    }
}
