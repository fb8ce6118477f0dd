//! Every committed seed, and what the fuzzers kept on this machine, goes through its target.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::{fs, panic};

use lengthwise_fuzz::{TARGETS, run};

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// The files of a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn every_seed_holds_what_its_target_holds() {
    let mut failed = Vec::new();
    for (name, ..) in TARGETS {
        let seeds = files(&fuzz().join("seeds").join(name));
        assert!(!seeds.is_empty(), "no seeds of {name}: make fuzz-seeds");
        for seed in seeds {
            let input = fs::read(&seed).unwrap();
            if panic::catch_unwind(|| run(name, &input)).is_err() {
                failed.push(seed);
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn every_target_has_a_program_and_a_dictionary_that_is_there() {
    let programs: Vec<String> = files(&fuzz().join("fuzz_targets"))
        .iter()
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let mut names: Vec<&str> = TARGETS.iter().map(|target| target.0).collect();
    names.sort_unstable();
    assert_eq!(programs, names);
    let options = fs::read_to_string(fuzz().join("dictionaries/targets")).unwrap();
    for line in options.lines().filter(|line| !line.starts_with('#')) {
        let (name, dictionary) = line.split_once(' ').unwrap();
        assert!(names.contains(&name), "{name}");
        assert!(fuzz().join("dictionaries").join(dictionary).is_file(), "{dictionary}");
    }
}
