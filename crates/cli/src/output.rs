//! Outputs: standard output, or a file that is written completely or not at all.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Mutex;

use lengthwise::Format;

use crate::inputs::{Input, format_by_ending, is_standard};
use crate::messages;
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

    /// Writes what is buffered, before work that takes time.
    pub(crate) fn hand_on(&mut self) -> Result<(), Failure> {
        self.0.flush().map_err(lost)
    }

    /// Writes the rest of the buffer. Without this call it is lost.
    pub(crate) fn end(mut self) -> Result<(), Failure> {
        self.0.flush().map_err(lost)
    }
}

/// A reader may stop reading, as `head` does. Then the command ends quietly, like ripgrep. Any other error is reported.
fn lost(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::Closed,
        _ => Failure::Io { path: "standard output".to_owned(), doing: "write", error },
    }
}

/// Standard output, or a file that appears when it is complete.
pub(crate) enum Output {
    Standard(Standard),
    /// The same, unless something binary is to be written.
    Terminal(Standard),
    File(NewFile),
}

impl Output {
    /// The output that an option names, if it was given; `-` is standard output, whatever it is.
    pub(crate) fn new(argument: Option<&Path>) -> Result<Output, Failure> {
        Ok(match argument {
            Some(path) if !is_standard(path) => Output::File(NewFile::create(path)?),
            None if io::stdout().is_terminal() => Output::Terminal(Standard::new()),
            _ => Output::Standard(Standard::new()),
        })
    }

    pub(crate) fn put(&mut self, bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
        match self {
            Output::Terminal(_) if is_binary(bytes.as_ref()) => Err(Failure::Usage(
                "binary output on a terminal: name a file with -o, or write it anyway with -o -".to_owned(),
            )),
            Output::Standard(standard) | Output::Terminal(standard) => standard.put(bytes),
            Output::File(file) => file.put(bytes.as_ref()),
        }
    }

    /// Writes what is buffered, if someone may wait for it.
    pub(crate) fn hand_on(&mut self) -> Result<(), Failure> {
        match self {
            Output::Standard(standard) | Output::Terminal(standard) => standard.hand_on(),
            Output::File(_) => Ok(()),
        }
    }

    /// Writes the rest of the buffer, and lets the file appear. Without this call there is none.
    pub(crate) fn end(self) -> Result<(), Failure> {
        match self {
            Output::Standard(standard) | Output::Terminal(standard) => standard.end(),
            Output::File(file) => file.end(),
        }
    }
}

/// Whether bytes are no text that a terminal shows.
fn is_binary(bytes: &[u8]) -> bool {
    bytes.contains(&0) || std::str::from_utf8(bytes).is_err()
}

/// The format of an output: as it was given, or else by the extension of the file.
pub(crate) fn format_of(output: Option<&Path>, given: Option<Format>) -> Result<Option<Format>, Failure> {
    let Some(path) = output else { return Ok(given) };
    let by_framing = || messages::framing_of_file(path).map(|_| Format::Json);
    let format = given.or_else(|| format_by_ending(path)).or_else(by_framing);
    let is_pem = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pem"));
    match format {
        Some(Format::Der | Format::Ber | Format::Cer) if is_pem => Err(Failure::Usage(format!(
            "'{}' would be PEM, which is not written: name a .der file (for a certificate `openssl x509 -inform der` makes PEM of it)",
            path.display()
        ))),
        None => {
            Err(Failure::Usage(format!("unknown extension of '{}': name the output format with -t", path.display())))
        }
        format => Ok(format),
    }
}

/// Refuses an output that is the input, which would be overwritten.
pub(crate) fn refuse_overwriting(input: &Input, output: &Path) -> Result<(), Failure> {
    let Input::File(input) = input else { return Ok(()) };
    let same = matches!((input.canonicalize(), output.canonicalize()), (Ok(input), Ok(output)) if input == output);
    if same && output.is_file() {
        return Err(Failure::Usage(format!("the output '{}' is the input itself", output.display())));
    }
    Ok(())
}

/// Writes a file: it is complete or unchanged.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut file = NewFile::create(path)?;
    file.put(bytes)?;
    file.end()
}

/// A temporary file next to its target, which is renamed at the end: the target is complete or unchanged, even after a power
/// cut.
pub(crate) struct NewFile {
    /// As it was named.
    name: String,
    content: Content,
}

enum Content {
    /// A device or a pipe is not replaced.
    Device(BufWriter<File>),
    Beside {
        file: BufWriter<TemporaryFile>,
        place: PathBuf,
        older: Option<fs::Permissions>,
    },
}

const BUFFER: usize = 1 << 16;

impl NewFile {
    pub(crate) fn create(path: &Path) -> Result<NewFile, Failure> {
        let name = path.display().to_string();
        let content = NewFile::content(path);
        match content {
            Ok(content) => Ok(NewFile { name, content }),
            Err(error) => Err(Failure::Io { path: name, doing: "write", error }),
        }
    }

    fn content(path: &Path) -> io::Result<Content> {
        let older = fs::metadata(path).ok();
        if older.as_ref().is_some_and(|older| !older.is_file()) {
            // A directory fails to open. Links such as /dev/stdout lead to what has no path.
            let device = OpenOptions::new().write(true).open(path)?;
            return Ok(Content::Device(BufWriter::with_capacity(BUFFER, device)));
        }
        let place = follow_links(path)?;
        let directory = directory_of(&place);
        clean(directory);
        let file = TemporaryFile::create(directory, place.file_name().unwrap_or_default())?;
        let older = older.map(|older| older.permissions());
        Ok(Content::Beside { file: BufWriter::with_capacity(BUFFER, file), place, older })
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = match &mut self.content {
            Content::Device(device) => device.write_all(bytes),
            Content::Beside { file, .. } => file.write_all(bytes),
        };
        written.map_err(|error| Failure::Io { path: self.name.clone(), doing: "write", error })
    }

    pub(crate) fn end(self) -> Result<(), Failure> {
        let ended = match self.content {
            Content::Device(mut device) => device.flush(),
            Content::Beside { file, place, older } => rename(file, &place, older),
        };
        ended.map_err(|error| Failure::Io { path: self.name, doing: "write", error })
    }
}

fn rename(file: BufWriter<TemporaryFile>, place: &Path, older: Option<fs::Permissions>) -> io::Result<()> {
    let mut beside = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    if let Some(older) = older {
        beside.file.set_permissions(older)?;
    }
    beside.file.sync_all()?;
    fs::rename(&beside.path, place)?;
    beside.is_there = false;
    sync_directory(directory_of(place))
}

fn directory_of(place: &Path) -> &Path {
    place.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The target of a path, which need not exist. A link is followed, so that the file is replaced and not the link.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    /// The same limit as Linux.
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

/// Makes a rename durable. Some systems cannot open or synchronise a directory.
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

/// The part of a temporary file's name between the name of its output and the process that writes it.
const MARK: &str = ".lengthwise-";
const ENDING: &str = ".tmp";

/// A file that is deleted when dropped, unless it was renamed. It is locked until then.
struct TemporaryFile {
    file: File,
    path: PathBuf,
    is_there: bool,
}

impl TemporaryFile {
    /// Opens `.NAME.lengthwise-PID.tmp`, or with a number after the process ID if that exists.
    fn create(directory: &Path, name: &OsStr) -> io::Result<TemporaryFile> {
        /// The most bytes of the name, so that the rest fits in 255.
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
                    // Without file locks, only the process ID shows that the file is in use.
                    let _ = file.try_lock();
                    return Ok(TemporaryFile { file, path, is_there: true });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

impl Write for TemporaryFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        if self.is_there {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Removes files that killed runs left in a directory, once per run. Files that cannot be removed stay.
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

/// The process ID in the name of a temporary file.
fn writer(name: &str) -> Option<u32> {
    let (_, process) = name.strip_prefix('.')?.strip_suffix(ENDING)?.rsplit_once(MARK)?;
    process.split('-').next()?.parse().ok()
}

/// Whether no process with this ID runs. If that cannot be determined, only the lock decides.
fn is_gone(process: u32) -> bool {
    let processes = Path::new("/proc");
    !processes.join("self").exists() || !processes.join(process.to_string()).exists()
}

/// Whether a file is not locked. A writer on another machine may have the ID of a process that does not exist here.
fn is_unlocked(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_files_have_the_process_in_their_name() {
        assert_eq!(writer(".out.tsf.lengthwise-12.tmp"), Some(12));
        assert_eq!(writer(".out.tsf.lengthwise-12-3.tmp"), Some(12));
        for other in
            ["out.tsf.lengthwise-12.tmp", ".lengthwise-12", ".x.tmp", ".x.lengthwise-a.tmp", ".x.lengthwise-.tmp"]
        {
            assert_eq!(writer(other), None, "{other}");
        }
    }
}
