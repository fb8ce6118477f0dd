//! A document as JSON text.

use tam::{Children, Document, Error, ErrorKind, Name, Node, Vocabulary, Words, json};

use super::{FORMAT, Options};

/// The JSON text of a document, as [`append`] writes it.
///
/// # Errors
/// Those of [`append`].
pub fn write(document: &Document<'_>, options: &Options) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    append(document, options, &mut out)?;
    Ok(out)
}

/// Appends the JSON text of a document of either of JSON's vocabularies to `out`.
///
/// What is written is JSON whatever the document holds: tokens, numbers and UTF-8 are checked.
/// Of the type set `value`, binary data becomes a string in base64 (RFC 4648 section 4), a
/// character a string and a byte a number. Strings of that set have only those escapes that RFC
/// 8259 section 7 demands; those of the set `json` stay as they are.
///
/// # Errors
/// [`ErrorKind::Unsupported`], with the path of the unit and the number of bytes written before
/// it, when the document is of another vocabulary, is not one value, or holds what JSON cannot:
/// a member without a name, an item with one, `NaN`, data that its type does not allow. `out` is
/// then as it was.
pub fn append(document: &Document<'_>, options: &Options, out: &mut Vec<u8>) -> Result<(), Error> {
    let start = out.len();
    let mut writer = Writer { start, out, pretty: options.pretty, tokens: false };
    let written = writer.document(document);
    if written.is_err() {
        out.truncate(start);
    }
    written
}

struct Writer<'o> {
    out: &'o mut Vec<u8>,
    start: usize,
    pretty: bool,
    tokens: bool,
}

/// An object or array that is being written: its type, whether nothing in it is written yet, and
/// what is still to come.
struct Open<'d> {
    kind: u8,
    first: bool,
    rest: Children<'d>,
}

impl Writer<'_> {
    fn document(&mut self, document: &Document<'_>) -> Result<(), Error> {
        self.tokens = match document.types().vocabulary() {
            Vocabulary::Json => true,
            Vocabulary::Value => false,
            other => {
                let found = format!("a document of the type set {}", other.as_str());
                return Err(self.unsupported(found, "one of the type set json or value"));
            }
        };
        let mut roots = document.roots();
        let (Some(root), None) = (roots.next(), roots.next()) else {
            let found = Words::Count(document.roots().len() as u64, "outermost units");
            return Err(self.unsupported(found, "one value"));
        };
        if !root.name().is_none() {
            return Err(self.unsupported(format!("the name '{}'", root.name()), "an outermost value without a name"));
        }
        self.tree(root)
    }

    fn tree(&mut self, root: Node<'_>) -> Result<(), Error> {
        let mut open = Vec::new();
        self.value(root, &mut open)?;
        while let Some(container) = open.last_mut() {
            match container.rest.next() {
                Some(node) => {
                    let (kind, first) = (container.kind, std::mem::take(&mut container.first));
                    if !first {
                        self.out.push(b',');
                    }
                    self.new_line(open.len());
                    self.label(kind, node)?;
                    self.value(node, &mut open)?;
                }
                None => {
                    let kind = container.kind;
                    open.pop();
                    self.close(kind, open.len());
                }
            }
        }
        Ok(())
    }

    /// Writes a scalar or an empty container, or opens one that is not.
    fn value<'d>(&mut self, node: Node<'d>, open: &mut Vec<Open<'d>>) -> Result<(), Error> {
        if !node.is_structured() {
            return self.scalar(node);
        }
        let kind = node.kind();
        self.out.push(kind);
        if node.children().len() == 0 {
            self.out.push(closing(kind));
        } else {
            open.push(Open { kind, first: true, rest: node.children() });
        }
        Ok(())
    }

    fn new_line(&mut self, level: usize) {
        if self.pretty {
            self.out.push(b'\n');
            self.out.resize(self.out.len() + 2 * level.min(crate::INDENTED), b' ');
        }
    }

    fn close(&mut self, kind: u8, level: usize) {
        self.new_line(level);
        self.out.push(closing(kind));
    }

    /// The name of a member; that an item has none.
    fn label(&mut self, kind: u8, node: Node<'_>) -> Result<(), Error> {
        let name = node.name();
        match (kind, name.is_none()) {
            (b'{', true) => Err(self.refuse(node, "no name", "a name for each member of an object")),
            (b'{', false) => {
                self.name(node, name)?;
                self.out.push(b':');
                if self.pretty {
                    self.out.push(b' ');
                }
                Ok(())
            }
            (_, true) => Ok(()),
            (_, false) => Err(self.refuse(node, format!("the name '{name}'"), "no names in an array")),
        }
    }

    fn name(&mut self, node: Node<'_>, name: Name<'_>) -> Result<(), Error> {
        let bytes = if name.is_extended() { &*name.to_bytes() } else { name.written() };
        if !is_utf8(bytes) {
            return Err(self.refuse(node, "a name that is not UTF-8", "UTF-8"));
        }
        self.string(bytes);
        Ok(())
    }

    fn scalar(&mut self, node: Node<'_>) -> Result<(), Error> {
        let data = node.value();
        if self.tokens {
            return self.token(node, data);
        }
        match node.kind() {
            b'\'' => {
                self.check_utf8(node, data)?;
                self.string(data);
            }
            b'#' | b'%' => return self.number(node, data),
            b'?' => match data {
                b"t" => self.out.extend_from_slice(b"true"),
                b"f" => self.out.extend_from_slice(b"false"),
                _ => return Err(self.refuse(node, shown(data), "a boolean, t or f")),
            },
            b'~' if data.is_empty() => self.out.extend_from_slice(b"null"),
            b'~' => return Err(self.refuse(node, shown(data), "null, which has no data")),
            b'*' => self.binary(data),
            b'^' => return self.character(node, data),
            _ => return self.byte(node, data),
        }
        Ok(())
    }

    /// A token of the type set `json`, checked.
    fn token(&mut self, node: Node<'_>, token: &[u8]) -> Result<(), Error> {
        match token {
            b"true" | b"false" | b"null" => {}
            [b'"', ..] => {
                self.check_utf8(node, token)?;
                let (len, _) = json::string(token).map_err(|fault| self.faulty(node, token, fault))?;
                if len != token.len() {
                    return Err(self.refuse(node, shown(token), "one JSON string"));
                }
            }
            _ => return self.number(node, token),
        }
        self.out.extend_from_slice(token);
        Ok(())
    }

    fn number(&mut self, node: Node<'_>, text: &[u8]) -> Result<(), Error> {
        match json::number(text) {
            Ok((len, is_integer)) if len == text.len() && (is_integer || node.kind() != b'#') => {
                self.out.extend_from_slice(text);
                Ok(())
            }
            _ if self.tokens => Err(self.refuse(node, shown(text), "the token of a JSON scalar")),
            Ok((len, _)) if len == text.len() => Err(self.refuse(node, shown(text), "an integer")),
            _ => Err(self.refuse(node, shown(text), "a number that JSON can write")),
        }
    }

    /// A string in quotes, with the escapes it must have and no others (section 7).
    fn string(&mut self, mut rest: &[u8]) {
        self.out.push(b'"');
        loop {
            let (plain, special) = rest.split_at(json::plain_len(rest));
            self.out.extend_from_slice(plain);
            let Some((&c, after)) = special.split_first() else { break };
            self.escape(c);
            rest = after;
        }
        self.out.push(b'"');
    }

    fn escape(&mut self, c: u8) {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        let short = match c {
            0x08 => b'b',
            0x0C => b'f',
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            b'"' | b'\\' => c,
            _ => {
                self.out.extend_from_slice(&[
                    b'\\',
                    b'u',
                    b'0',
                    b'0',
                    HEX[usize::from(c >> 4)],
                    HEX[usize::from(c & 15)],
                ]);
                return;
            }
        };
        self.out.extend_from_slice(&[b'\\', short]);
    }

    fn binary(&mut self, data: &[u8]) {
        self.out.push(b'"');
        ::xml::base64::append(data, self.out);
        self.out.push(b'"');
    }

    fn character(&mut self, node: Node<'_>, data: &[u8]) -> Result<(), Error> {
        self.check_utf8(node, data)?;
        if data.utf8_chunks().flat_map(|chunk| chunk.valid().chars()).count() != 1 {
            return Err(self.refuse(node, shown(data), "one character"));
        }
        self.string(data);
        Ok(())
    }

    fn byte(&mut self, node: Node<'_>, data: &[u8]) -> Result<(), Error> {
        let [byte] = data else {
            return Err(self.refuse(node, Words::Count(data.len() as u64, "bytes"), "one byte"));
        };
        self.out.extend_from_slice(byte.to_string().as_bytes());
        Ok(())
    }

    fn check_utf8(&self, node: Node<'_>, data: &[u8]) -> Result<(), Error> {
        if is_utf8(data) { Ok(()) } else { Err(self.refuse(node, "text that is not UTF-8", "UTF-8")) }
    }

    #[cold]
    fn faulty(&self, node: Node<'_>, token: &[u8], fault: json::Fault) -> Error {
        let found = match fault.found {
            Some(found) => Words::Text(found),
            None => token.get(fault.at).map_or(Words::Text("the end of the token"), |&c| Words::Byte(c)),
        };
        self.refuse(node, found, fault.expected)
    }

    #[cold]
    fn refuse(&self, node: Node<'_>, found: impl Into<Words>, expected: &'static str) -> Error {
        self.unsupported(found, expected).in_path(node.path())
    }

    #[cold]
    fn unsupported(&self, found: impl Into<Words>, expected: &'static str) -> Error {
        Error::new(ErrorKind::Unsupported, FORMAT, (self.out.len() - self.start) as u64, found, expected)
    }
}

/// Most names and strings are short and ASCII, which is quicker to see.
fn is_utf8(data: &[u8]) -> bool {
    data.is_ascii() || std::str::from_utf8(data).is_ok()
}

const fn closing(kind: u8) -> u8 {
    if kind == b'{' { b'}' } else { b']' }
}

/// Data as errors quote it, the start of it where it is long.
fn shown(data: &[u8]) -> Words {
    const LONGEST: usize = 24;
    let text = String::from_utf8_lossy(data);
    let start: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    let dots = if text.chars().nth(LONGEST).is_some() { "..." } else { "" };
    Words::Own(format!("'{start}{dots}'"))
}
