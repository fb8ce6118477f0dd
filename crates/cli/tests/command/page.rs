//! The commands on the pages of the formats do what the pages show.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "what a test cannot set up, it cannot test")]

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs every line of a page's `console` blocks that begins with `$ `, and gives the block as it
/// would be shown.
fn run(commands: &str, top: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_lengthwise"));
    let path = format!("{}:{}", program.parent().unwrap().display(), env::var("PATH").unwrap());
    let mut shown = String::new();
    for line in commands.lines().filter(|line| line.starts_with("$ ")) {
        let script = format!("{{ {} ; }} 2>&1", &line[2..]);
        let output = Command::new("sh").args(["-c", &script]).current_dir(top).env("PATH", &path).output().unwrap();
        shown += &format!("{line}\n{}", String::from_utf8_lossy(&output.stdout));
    }
    shown
}

#[test]
fn the_page_of_pon_shows_what_the_command_prints() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(top.join("docs/formats/pon.md")).unwrap();
    let blocks: Vec<_> = page.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(blocks.len() > 1);
    for block in blocks {
        assert_eq!(run(block, &top), block);
    }
}
