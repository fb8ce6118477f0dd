//! What holds of files of several messages.

use std::io::Read;

use lengthwise_frames::{Frames, Framing, Options};
use tam::ErrorKind;

/// How files are read, which the first byte chooses.
fn options(choice: u8) -> Options {
    let options = Options::default().with_limits(hostile::LIMITS);
    let port = "1".parse().ok();
    match choice % 12 {
        0 => options.with_framing(Framing::Ber),
        1 => options.with_framing(Framing::U16Be),
        2 => options.with_framing(Framing::U32Be),
        3 => options.with_framing(Framing::Fixed(3)),
        4 => options.with_framing(Framing::HexLines),
        5 => options.with_framing(Framing::Lines),
        6 => options.with_framing(Framing::Json),
        7 => options.with_framing(Framing::Pon),
        8 => options.with_framing(Framing::Tsf),
        9 => options.with_hex(true),
        10 => options.with_port(port),
        _ => options.with_port(port).with_framing(Framing::U16Be),
    }
}

/// Few bytes at a time.
pub(crate) struct Slow<'b>(pub(crate) &'b [u8], pub(crate) usize);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let len = self.1.min(buffer.len());
        self.0.take(len as u64).read(buffer).inspect(|read| self.0 = &self.0[*read..])
    }
}

/// The messages, and the kinds of errors between them.
fn all(file: impl Read + Send, options: &Options) -> Vec<Result<Vec<u8>, ErrorKind>> {
    let mut frames = match Frames::new(file, options) {
        Ok(frames) => frames,
        Err(error) => return vec![Err(error.kind())],
    };
    let mut all = Vec::new();
    loop {
        match frames.next_frame() {
            Ok(None) => return all,
            Ok(Some(frame)) => all.push(Ok(frame.bytes.to_vec())),
            Err(error) => all.push(Err(error.kind())),
        }
    }
}

/// Files of each kind, at the beginning of fuzzing.
#[must_use]
pub fn frames_seeds() -> Vec<Vec<u8>> {
    let datagram = [
        &[0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 101, 0, 0, 0][..],
        &[0, 0, 0, 0, 0, 0, 0, 0, 31, 0, 0, 0, 31, 0, 0, 0],
        &[0x45, 0, 0, 31, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2, 0, 1, 0, 2, 0, 11, 0, 0, 0, 1, 7],
    ]
    .concat();
    let files: [&[u8]; 12] = [
        &[0x30, 0x80, 5, 0, 0, 0, 2, 1, 5],
        &[0, 1, 7, 0, 0],
        &[0, 0, 0, 1, 7],
        b"abcdef",
        b"# c\n0x30, 0x0\n'3000'H",
        b"{}\n[1]\r\n",
        b"{\"a\":\"}\\\"\"}\x1e[1] 2 true{}",
        b"5shello2[0~",
        b"5a[hello1b{1c#2",
        b"0000  30 00   0.\nFrame (1 byte):\n0000  05",
        &datagram,
        &datagram,
    ];
    (0..).zip(files).map(|(choice, file)| [&[choice], file].concat()).collect()
}

/// The messages of a file are the same in any pieces.
pub fn frames_read(input: &[u8]) {
    let Some((&choice, file)) = input.split_first() else { return };
    let options = options(choice);
    let whole = all(file, &options);
    for len in [1, 7, 100] {
        assert_eq!(all(Slow(file, len), &options), whole, "{len}");
    }
    let _ = lengthwise_frames::ports(file);
}
