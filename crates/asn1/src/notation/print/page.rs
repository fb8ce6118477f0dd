//! Text in lines: a group stays in one line if it fits.

/// The maximal width of a line, in columns.
const WIDTH: u64 = 100;

/// The width of one indentation, in columns.
const INDENT: u64 = 2;

/// The width of a line end: nothing that contains one fits in a line.
const NEVER: u64 = 1 << 32;

/// A part of a page.
#[derive(Clone, Copy, Debug)]
enum Token {
    /// The length of this part of the text in bytes, and its width in columns.
    Text(usize, u64),
    /// A space in a line, or a line end.
    Space,
    /// A line end.
    Line,
    /// What follows is in one line if it fits. Otherwise each of its spaces is a line end, or, with `true`, only those
    /// after which the line would be too long.
    Group(bool),
    /// The end of a group.
    End,
    /// Increases the indentation.
    In,
    /// Decreases the indentation.
    Out,
}

/// A page being filled.
#[derive(Debug, Default)]
pub(super) struct Page {
    text: String,
    pieces: Vec<Token>,
}

/// How a group is laid out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Set {
    Flat,
    Broken,
    Filled,
}

impl Page {
    pub(super) fn text(&mut self, text: &str) -> &mut Page {
        if text.is_empty() {
            return self;
        }
        let columns = if text.contains('\n') { NEVER } else { text.chars().count() as u64 };
        self.text.push_str(text);
        self.piece(Token::Text(text.len(), columns))
    }

    pub(super) fn space(&mut self) -> &mut Page {
        self.piece(Token::Space)
    }

    pub(super) fn line(&mut self) -> &mut Page {
        self.piece(Token::Line)
    }

    /// Begins a group whose spaces are either all line ends, or none.
    pub(super) fn group(&mut self) -> &mut Page {
        self.piece(Token::Group(false))
    }

    /// Begins a group that fills each line; lines after the first are indented further.
    pub(super) fn fill(&mut self) -> &mut Page {
        self.piece(Token::Group(true)).indent()
    }

    pub(super) fn end(&mut self) -> &mut Page {
        self.piece(Token::End)
    }

    /// Ends a group that [`Self::fill`] began.
    pub(super) fn end_fill(&mut self) -> &mut Page {
        self.outdent().end()
    }

    pub(super) fn indent(&mut self) -> &mut Page {
        self.piece(Token::In)
    }

    pub(super) fn outdent(&mut self) -> &mut Page {
        self.piece(Token::Out)
    }

    fn piece(&mut self, piece: Token) -> &mut Page {
        self.pieces.push(piece);
        self
    }

    /// For each group, its width in one line plus what follows without a possible break; for each space, the width up
    /// to the next one of its group.
    fn reach(&self) -> Vec<u64> {
        let mut reach = vec![0_u64; self.pieces.len()];
        // The width so far if all were in one line; and for each open group, its own index and that of its last space.
        let mut columns = 0_u64;
        let mut open: Vec<(usize, Option<usize>)> = Vec::new();
        let mut tail = vec![0_u64; self.pieces.len() + 1];
        for (index, piece) in self.pieces.iter().enumerate().rev() {
            tail[index] = match piece {
                Token::Text(_, width) => tail[index + 1].saturating_add(*width),
                Token::Space | Token::Line => 0,
                _ => tail[index + 1],
            };
        }
        for (index, piece) in self.pieces.iter().enumerate() {
            match piece {
                Token::Text(_, width) => columns += width,
                Token::Line => columns += NEVER,
                Token::Space => {
                    if let Some((_, last)) = open.last_mut()
                        && let Some(last) = last.replace(index)
                    {
                        reach[last] = columns - reach[last];
                    }
                    reach[index] = columns;
                    columns += 1;
                }
                Token::Group(_) => {
                    reach[index] = columns;
                    open.push((index, None));
                }
                Token::End => {
                    let after = columns.saturating_add(tail[index]);
                    if let Some((group, last)) = open.pop() {
                        reach[group] = after - reach[group];
                        if let Some(last) = last {
                            reach[last] = after - reach[last];
                        }
                    }
                }
                Token::In | Token::Out => {}
            }
        }
        reach
    }

    /// The text with line ends and indentation.
    pub(super) fn set(&self) -> String {
        let reach = self.reach();
        let mut out = String::with_capacity(self.text.len() * 3 / 2);
        let (mut at, mut column, mut indent) = (0, 0, 0);
        let mut groups = vec![Set::Broken];
        for (index, piece) in self.pieces.iter().enumerate() {
            let set = groups.last().copied().unwrap_or(Set::Broken);
            let fits = column + reach[index] <= WIDTH;
            match piece {
                Token::Text(bytes, width) => {
                    let text = &self.text[at..at + bytes];
                    column = text.rfind('\n').map_or(column + width, |end| text[end + 1..].chars().count() as u64);
                    out.push_str(text);
                    at += bytes;
                }
                Token::Space if set == Set::Flat || (set == Set::Filled && fits) => {
                    out.push(' ');
                    column += 1;
                }
                Token::Space | Token::Line => {
                    out.truncate(out.trim_end_matches(' ').len());
                    out.push('\n');
                    out.extend(std::iter::repeat_n(' ', indent as usize));
                    column = indent;
                }
                Token::Group(fill) => groups.push(match fill {
                    _ if set == Set::Flat || fits => Set::Flat,
                    true => Set::Filled,
                    false => Set::Broken,
                }),
                Token::End => {
                    groups.pop();
                }
                Token::In => indent += INDENT,
                Token::Out => indent -= INDENT.min(indent),
            }
        }
        out
    }
}
