//! Standard input, which can be looked at before it is read.

use std::io::{self, Read};
use std::sync::{Mutex, PoisonError};

static HELD: Mutex<Held> = Mutex::new(Held { bytes: Vec::new(), at: 0, is_kept: false });

/// What has been read while it was looked at.
struct Held {
    bytes: Vec<u8>,
    /// How much of it has been read again.
    at: usize,
    /// Whether what is read is kept.
    is_kept: bool,
}

/// Standard input.
#[derive(Debug)]
pub(crate) struct Stdin;

/// Has what `look` reads from standard input read again after it.
pub(crate) fn looked_at<T>(look: impl FnOnce() -> T) -> T {
    held(|held| held.is_kept = true);
    let result = look();
    held(|held| (held.is_kept, held.at) = (false, 0));
    result
}

fn held<T>(work: impl FnOnce(&mut Held) -> T) -> T {
    work(&mut HELD.lock().unwrap_or_else(PoisonError::into_inner))
}

impl Read for Stdin {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        held(|held| {
            let mut rest = held.bytes.get(held.at..).unwrap_or_default();
            if !rest.is_empty() {
                let read = rest.read(buffer)?;
                held.at += read;
                return Ok(read);
            }
            let read = io::stdin().lock().read(buffer)?;
            if held.is_kept {
                held.bytes.extend_from_slice(buffer.get(..read).unwrap_or_default());
                held.at = held.bytes.len();
            } else {
                held.bytes = Vec::new();
            }
            Ok(read)
        })
    }
}
