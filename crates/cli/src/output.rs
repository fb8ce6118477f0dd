//! Where results go: standard output, or a file that appears whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::inputs::Input;
use crate::report::Failure;

/// Standard output, written in large pieces.
#[derive(Debug)]
pub(crate) struct Standard(BufWriter<StdoutLock<'static>>);

impl Standard {
    pub(crate) fn new() -> Standard {
        Standard(BufWriter::with_capacity(1 << 16, io::stdout().lock()))
    }

    pub(crate) fn put(&mut self, bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
        self.0.write_all(bytes.as_ref()).map_err(lost)
    }

    /// Hands on what is held back now, where the next piece takes its time.
    pub(crate) fn hand_on(&mut self) -> Result<(), Failure> {
        self.0.flush().map_err(lost)
    }

    /// Hands on what is still held back. What is not handed on is lost.
    pub(crate) fn end(mut self) -> Result<(), Failure> {
        self.0.flush().map_err(lost)
    }
}

/// Who reads may stop reading: that is no error.
fn lost(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::Closed,
        _ => Failure::Io { path: "standard output".to_owned(), doing: "write", error },
    }
}

/// An output that is the input would be gone when it is wanted again.
pub(crate) fn refuse_overwriting(input: &Input, output: &Path) -> Result<(), Failure> {
    let Input::File(input) = input else { return Ok(()) };
    let same = matches!((input.canonicalize(), output.canonicalize()), (Ok(input), Ok(output)) if input == output);
    if same && output.is_file() {
        return Err(Failure::Usage(format!("the output '{}' is the input itself", output.display())));
    }
    Ok(())
}

/// Writes a file beside its place, then moves it there.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    place(path, bytes).map_err(|error| Failure::Io { path: path.display().to_string(), doing: "write", error })
}

fn place(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A file is replaced where it is, not the link to it.
    let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let older = fs::metadata(&place).ok();
    if older.as_ref().is_some_and(|older| !older.is_file()) {
        // A device or a pipe is no file to replace; a directory fails to open.
        return OpenOptions::new().write(true).open(&place)?.write_all(bytes);
    }
    let directory = place.parent().filter(|directory| !directory.as_os_str().is_empty());
    let (mut file, mut beside) = Beside::create(directory.unwrap_or(Path::new(".")))?;
    file.write_all(bytes)?;
    if let Some(older) = older {
        file.set_permissions(older.permissions())?;
    }
    drop(file);
    fs::rename(&beside.path, &place)?;
    beside.is_there = false;
    Ok(())
}

/// A file that is gone when it is dropped, unless it has been moved to its place.
struct Beside {
    path: PathBuf,
    is_there: bool,
}

impl Beside {
    fn create(directory: &Path) -> io::Result<(File, Beside)> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = directory.join(format!(".lengthwise-{}-{number}.tmp", process::id()));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok((file, Beside { path, is_there: true })),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        if self.is_there {
            let _ = fs::remove_file(&self.path);
        }
    }
}
