//! Where results go: standard output, or a file that appears whole or not at all.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Mutex;

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

/// Who reads may stop reading, as `head` does: like ripgrep, the command then ends quietly. All else is an error.
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

/// Writes a file beside its place, then moves it there: it appears whole or not at all, after a power cut too.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    place(path, bytes).map_err(|error| Failure::Io { path: path.display().to_string(), doing: "write", error })
}

fn place(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let place = behind_links(path)?;
    let older = fs::metadata(&place).ok();
    if older.as_ref().is_some_and(|older| !older.is_file()) {
        // A device or a pipe is no file to replace; a directory fails to open.
        return OpenOptions::new().write(true).open(&place)?.write_all(bytes);
    }
    let directory = place.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."));
    clean(directory);
    let mut beside = Beside::create(directory, place.file_name().unwrap_or_default())?;
    beside.file.write_all(bytes)?;
    if let Some(older) = older {
        beside.file.set_permissions(older.permissions())?;
    }
    beside.file.sync_all()?;
    fs::rename(&beside.path, &place)?;
    beside.is_there = false;
    sync_directory(directory)
}

/// The file that a path leads to, which need not be there: it is replaced where it is, not the link to it.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    /// As many as Linux follows.
    const LINKS: usize = 40;
    let mut place = path.to_owned();
    for _ in 0..LINKS {
        if !place.symlink_metadata().is_ok_and(|data| data.is_symlink()) {
            return Ok(place);
        }
        let target = fs::read_link(&place)?;
        place = place.parent().map_or_else(|| target.clone(), |directory| directory.join(&target));
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Makes a rename last. Not every system lets a directory be opened or synchronised.
fn sync_directory(directory: &Path) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, IsADirectory, PermissionDenied, Unsupported};
    let synced = File::open(directory).and_then(|directory| directory.sync_all());
    match synced {
        Err(error) if !matches!(error.kind(), InvalidInput | IsADirectory | PermissionDenied | Unsupported) => {
            Err(error)
        }
        _ => Ok(()),
    }
}

/// What the name of a temporary file has between the name of its output and the process that writes it.
const MARK: &str = ".lengthwise-";
const ENDING: &str = ".tmp";

/// A file that is gone when it is dropped, unless it has been moved to its place. It is locked until then.
struct Beside {
    file: File,
    path: PathBuf,
    is_there: bool,
}

impl Beside {
    /// Opens `.NAME.lengthwise-PID.tmp`, or with a number behind the process where that is taken.
    fn create(directory: &Path, name: &OsStr) -> io::Result<Beside> {
        /// Bytes of the name that leave room for the rest in 255.
        const LONGEST: usize = 200;
        let name = name.to_string_lossy();
        let end = name.char_indices().map(|(at, _)| at).take_while(|at| *at <= LONGEST).last().unwrap_or_default();
        let name = if name.len() <= LONGEST { &name[..] } else { &name[..end] };
        let own = process::id();
        for number in 0_u32.. {
            let number = if number == 0 { String::new() } else { format!("-{number}") };
            let path = directory.join(format!(".{name}{MARK}{own}{number}{ENDING}"));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => {
                    // A file system without locks: the process alone says that the file is in use.
                    let _ = file.try_lock();
                    return Ok(Beside { file, path, is_there: true });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        if self.is_there {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Removes what killed runs left in a directory, once a run. What cannot be removed stays.
fn clean(directory: &Path) {
    static CLEANED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let is_new = CLEANED.lock().is_ok_and(|mut cleaned| cleaned.insert(directory.to_owned()));
    let Some(entries) = is_new.then(|| fs::read_dir(directory).ok()).flatten() else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_str().and_then(writer).is_some_and(is_gone) && is_unlocked(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The process that a temporary file is of, by its name.
fn writer(name: &str) -> Option<u32> {
    let (_, process) = name.strip_prefix('.')?.strip_suffix(ENDING)?.rsplit_once(MARK)?;
    process.split('-').next()?.parse().ok()
}

/// Whether no process of this number runs. Where that cannot be seen, the lock alone tells it.
fn is_gone(process: u32) -> bool {
    let processes = Path::new("/proc");
    !processes.join("self").exists() || !processes.join(process.to_string()).exists()
}

/// Whether nobody writes a file: a writer on another machine may have the number of a process that is gone here.
fn is_unlocked(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_files_tell_their_process() {
        assert_eq!(writer(".out.tsf.lengthwise-12.tmp"), Some(12));
        assert_eq!(writer(".out.tsf.lengthwise-12-3.tmp"), Some(12));
        for other in
            ["out.tsf.lengthwise-12.tmp", ".lengthwise-12", ".x.tmp", ".x.lengthwise-a.tmp", ".x.lengthwise-.tmp"]
        {
            assert_eq!(writer(other), None, "{other}");
        }
    }
}
