//! Running the command in a directory of its own.
#![allow(clippy::unwrap_used, reason = "what a test cannot set up, it cannot test")]

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The result of a run.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) out: Vec<u8>,
    pub(crate) err: String,
}

impl Run {
    /// Standard output as text.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }

    /// Standard output as JSON, one object a line.
    pub(crate) fn lines(&self) -> Vec<serde_json::Value> {
        self.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Nothing on standard error, exit status 0.
    pub(crate) fn done(self) -> Run {
        assert_eq!((self.status, self.err.as_str()), (0, ""));
        self
    }
}

/// A directory that is gone when the test is over.
pub(crate) struct Place(PathBuf);

impl Place {
    pub(crate) fn new() -> Place {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{number}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Place(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// A file, and the directories it is in.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> &Place {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    /// The names of everything below the directory, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        let mut open = vec![self.0.clone()];
        while let Some(directory) = open.pop() {
            for entry in fs::read_dir(directory).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    open.push(path.clone());
                }
                names.push(path.strip_prefix(&self.0).unwrap().to_str().unwrap().to_owned());
            }
        }
        names.sort();
        names
    }

    /// The command, to be run here.
    pub(crate) fn command<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lengthwise"));
        command.args(arguments).current_dir(&self.0).stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        let output = self.command(arguments).output().unwrap();
        Run {
            status: output.status.code().unwrap(),
            out: output.stdout,
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    pub(crate) fn run_with(&self, arguments: &[&str], input: &[u8]) -> Run {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let output = std::thread::scope(|scope| {
            // A program that refuses its command line reads nothing; one that writes much does not read meanwhile.
            scope.spawn(move || stdin.write_all(input));
            child.wait_with_output().unwrap()
        });
        Run {
            status: output.status.code().unwrap(),
            out: output.stdout,
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A file of `samples/`.
pub(crate) fn sample(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name).to_str().unwrap().to_owned()
}
