//! Compressed inputs and outputs, and the dictionary for them.

use std::borrow::Cow;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use lengthwise::{ErrorKind, Limits};
use lengthwise_compress::{Compression, Compressor, Decompressor, Dictionary, Method};

use crate::args::Common;
use crate::inputs::Input;
use crate::report::{Failure, note};

/// The dictionary of the whole run, and whether something was compressed or decompressed.
static DICTIONARY: OnceLock<Dictionary> = OnceLock::new();
static IS_USED: AtomicBool = AtomicBool::new(false);

/// Reads the dictionary of `--dictionary`.
pub(crate) fn load(common: &Common) -> Result<(), Failure> {
    let Some(path) = &common.dictionary else { return Ok(()) };
    let input = Input::File(path.clone());
    let bytes = input.bytes(&common.limits())?;
    let dictionary = Dictionary::read(bytes).map_err(|error| Failure::bad(&input, error, &[]))?;
    let _ = DICTIONARY.set(dictionary);
    Ok(())
}

/// The dictionary of the run, for what is compressed.
pub(crate) fn dictionary() -> Option<&'static Dictionary> {
    IS_USED.store(true, Ordering::Relaxed);
    DICTIONARY.get()
}

/// Says if there was a dictionary for nothing.
pub(crate) fn report(common: &Common) {
    if common.dictionary.is_some() && !IS_USED.load(Ordering::Relaxed) && !common.quiet {
        note("--dictionary had no effect: nothing was compressed");
    }
}

/// The compression of files with an extension.
pub(crate) fn of_file(path: &Path) -> Option<Method> {
    Method::from_extension(path.extension()?.to_str()?)
}

/// The message itself, of bytes that are a message, or one that is compressed.
pub(crate) fn opened<'b>(input: &Input, bytes: Cow<'b, [u8]>, common: &Common) -> Result<Cow<'b, [u8]>, Failure> {
    let Some(method) = Method::sniff(&bytes) else { return Ok(bytes) };
    match Decompressor::new(dictionary(), &common.limits()).read(&bytes) {
        // Three bytes may come by chance in a message that has no signature of its own.
        Err(_) if method == Method::Gzip && common.from.is_some_and(|from| from.0.needs_schema()) => Ok(bytes),
        read => read.map(Cow::Owned).map_err(|error| Failure::bad(input, error, &[])),
    }
}

/// A compressor with the dictionary of the run.
pub(crate) fn compressor(compression: Compression) -> Result<Compressor<'static>, Failure> {
    if compression.method() == Method::Gzip && dictionary().is_some() {
        return Err(Failure::Usage("--dictionary is for zstd, but the output is compressed by gzip".to_owned()));
    }
    Compressor::new(compression, dictionary()).map_err(|error| Failure::Usage(error.to_string()))
}

/// The path of a compressed file: with one more extension.
pub(crate) fn with_extension(path: &Path, method: Method) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(method.extension());
    path.with_file_name(name)
}

/// Bytes as they arrive: decompressed, if they are compressed.
pub(crate) fn reader(
    input: &Input,
    bytes: Box<dyn Read + Send>,
    limits: &Limits,
) -> Result<Box<dyn Read + Send>, Failure> {
    lengthwise_compress::decompressed(bytes, dictionary, limits).map_err(|error| match error.kind() {
        ErrorKind::Io => {
            let error = io::Error::other(error.found().to_string());
            Failure::Io { path: input.name(), doing: "read", error }
        }
        _ => Failure::bad(input, error, &[]),
    })
}
