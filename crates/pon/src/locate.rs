//! Lookup in a message that is in a file.

use alloc::vec::Vec;
use core::ops::Range;
use std::io::{Read, Seek, SeekFrom};

use tam::{Error, ErrorKind};

use crate::head::{LONGEST_HEAD, fault_within, head_within};
use crate::payload::failed;
use crate::{FORMAT, Options, cursor, key, text};

/// What is expected of the file.
const READABLE: &str = "a file that can be read";

/// Where the value at a path is in a message that is not in memory: its first byte and its end, head included. The message
/// begins where the file does.
///
/// Reads the keys and lengths on the way, and skips everything else. The path is as for
/// [`Value::find`](crate::Value::find). Memory is 256 KiB at most, or twice the longest key on the way, which
/// `message_bytes` bounds.
///
/// ```
/// # fn main() -> Result<(), lengthwise_pon::Error> {
/// let message = b"39{id:4i1234image:6y\0\xFF\0\xFF\0\xFFtags:9[2sin3sout";
/// let mut file = std::io::Cursor::new(message);
/// let found = lengthwise_pon::locate(&mut file, "/tags/1", &lengthwise_pon::Options::default())?;
/// assert_eq!(found, Some(37..42));
/// assert_eq!(lengthwise_pon::Value::new(&message[37..42])?.as_str()?, "out");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As for [`Value::new`](crate::Value::new) and [`Value::find`](crate::Value::find); [`ErrorKind::Io`] where the file
/// cannot be read.
pub fn locate<F: Read + Seek>(file: &mut F, path: &str, options: &Options) -> Result<Option<Range<u64>>, Error> {
    let longest_key = options.limits.message_bytes as usize;
    let end = file.seek(SeekFrom::End(0)).map_err(|error| failed(0, error, READABLE))?;
    let mut window = Window { file, end, at: 0, bytes: Vec::new() };
    let mut node = window.node(0, end, false)?;
    if node.end < end {
        let rest = window.bytes(node.end, LONGEST_HEAD, end)?;
        return Err(Error::new(ErrorKind::Syntax, FORMAT, node.end, text::met(rest), "the end of the message"));
    }
    let mut steps = path.split('/');
    if steps.next() != Some("") {
        return Ok(None);
    }
    for step in steps {
        let next = match (node.tag, tam::index(step)) {
            (b'{', _) => window.member(node, step, longest_key)?,
            (b'[', Some(index)) => window.item(node, index)?,
            _ => None,
        };
        let Some(next) = next else { return Ok(None) };
        node = next;
    }
    Ok(Some(node.start..node.end))
}

/// Where a node is in the file.
#[derive(Clone, Copy)]
struct Node {
    tag: u8,
    start: u64,
    data: u64,
    end: u64,
}

/// The part of the file that was read last.
struct Window<'f, F> {
    file: &'f mut F,
    /// The size of the file.
    end: u64,
    at: u64,
    bytes: Vec<u8>,
}

const LEAST: usize = 4 << 10;
const MOST: usize = 256 << 10;

impl<F: Read + Seek> Window<'_, F> {
    /// The node that begins at `at`, in a container that ends at `end`.
    fn node(&mut self, at: u64, end: u64, is_inside: bool) -> Result<Node, Error> {
        let rest = self.bytes(at, LONGEST_HEAD, end)?;
        let room = usize::try_from(end - at).unwrap_or(usize::MAX);
        match head_within(rest, room) {
            Some(head) => Ok(Node {
                tag: head.tag,
                start: at,
                data: at + head.data as u64,
                end: at + head.data as u64 + head.len as u64,
            }),
            None => Err(fault_within(at as usize, rest, room, is_inside)),
        }
    }

    fn member(&mut self, object: Node, step: &str, longest: usize) -> Result<Option<Node>, Error> {
        let mut at = object.data;
        while at < object.end {
            let (len, is_wanted) = self.key(at, object.end, step, longest)?;
            let value = self.node(at + len as u64, object.end, true)?;
            if is_wanted {
                return Ok(Some(value));
            }
            at = value.end;
        }
        Ok(None)
    }

    fn item(&mut self, array: Node, index: usize) -> Result<Option<Node>, Error> {
        let (mut at, mut left) = (array.data, index);
        while at < array.end {
            let item = self.node(at, array.end, true)?;
            if left == 0 {
                return Ok(Some(item));
            }
            left -= 1;
            at = item.end;
        }
        Ok(None)
    }

    /// The length of the key that begins at `at`, with its `:`, and whether the step is to it.
    fn key(&mut self, at: u64, end: u64, step: &str, longest: usize) -> Result<(usize, bool), Error> {
        let mut wanted = LONGEST_HEAD;
        loop {
            let rest = self.bytes(at, wanted, end)?;
            if let Some((len, escaped)) = key::end(rest) {
                let written = &rest[..len];
                let is_wanted = match step.contains(['~', ':', '\\']) {
                    true => key::checked(written, escaped, at as usize)?.chars().eq(cursor::unescaped(step)),
                    false => written == step.as_bytes(),
                };
                return Ok((len + 1, is_wanted));
            }
            if rest.len() as u64 == end - at {
                return Err(key::no_end(at as usize, rest));
            }
            if rest.len() > longest {
                return Err(Error::limit(FORMAT, at, "a longer key", "message_bytes", longest as u64));
            }
            wanted = 2 * rest.len();
        }
    }

    /// The bytes from `at` on, up to `end` at most: `wanted` or more, if there are so many.
    fn bytes(&mut self, at: u64, wanted: usize, end: u64) -> Result<&[u8], Error> {
        let wanted = usize::try_from(end - at).map_or(wanted, |room| wanted.min(room));
        let mut skipped = at.checked_sub(self.at).and_then(|skipped| usize::try_from(skipped).ok());
        if skipped.is_none_or(|skipped| self.bytes.len() < skipped.saturating_add(wanted)) {
            // What is read in order is read in larger pieces.
            let is_next = skipped.is_some_and(|skipped| skipped <= self.bytes.len());
            let len = if is_next { (2 * self.bytes.len()).clamp(LEAST, MOST) } else { LEAST };
            self.fill(at, len.max(wanted))?;
            skipped = Some(0);
        }
        let rest = &self.bytes[skipped.unwrap_or(0)..];
        let room = usize::try_from(end - at).map_or(rest.len(), |room| room.min(rest.len()));
        Ok(&rest[..room])
    }

    fn fill(&mut self, at: u64, len: usize) -> Result<(), Error> {
        let len = len.min(usize::try_from(self.end - at).unwrap_or(len));
        self.bytes.clear();
        self.at = at;
        let read = self.file.seek(SeekFrom::Start(at));
        let read = read.and_then(|_| self.file.take(len as u64).read_to_end(&mut self.bytes));
        match read {
            Ok(read) if read < len => Err(Error::new(
                ErrorKind::Io,
                FORMAT,
                at + read as u64,
                "the end of the file",
                "a file that keeps its size",
            )),
            Ok(_) => Ok(()),
            Err(error) => Err(failed(at, error, READABLE)),
        }
    }
}
