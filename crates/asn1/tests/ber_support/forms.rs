//! Messages in other forms than they are written in.

use test_support::Random;

/// The same message in other forms: lengths long or indefinite, strings in segments.
pub(crate) struct Forms<'r> {
    pub(crate) random: &'r mut Random,
}

impl Forms<'_> {
    /// Of one value after the other.
    pub(crate) fn all(&mut self, message: &[u8]) -> Vec<u8> {
        let (mut at, mut out) = (0, Vec::new());
        while at < message.len() {
            let (tag, contents, end) = header(message, at);
            let octets = &message[contents..end];
            self.one(&message[at..tag], octets, &mut out);
            at = end;
        }
        out
    }

    fn one(&mut self, tag: &[u8], octets: &[u8], out: &mut Vec<u8>) {
        if tag[0] & 0x20 != 0 {
            let inner = self.all(octets);
            return self.put(tag, true, &inner, out);
        }
        if matches!(tag, [4 | 12]) && self.random.one_in(3) {
            let (one, two) = octets.split_at(self.random.below(octets.len() + 1));
            let mut inner = Vec::new();
            self.one(&[4], one, &mut inner);
            self.one(&[4], two, &mut inner);
            return self.put(&[tag[0] | 0x20], true, &inner, out);
        }
        self.put(tag, false, octets, out);
    }

    fn put(&mut self, tag: &[u8], constructed: bool, octets: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(tag);
        if constructed && self.random.one_in(2) {
            out.push(0x80);
            out.extend_from_slice(octets);
            return out.extend_from_slice(&[0, 0]);
        }
        if octets.len() < 0x80 && self.random.one_in(2) {
            out.push(octets.len() as u8);
        } else {
            let zeros = self.random.below(3);
            out.push(0x84 + zeros as u8);
            out.extend(std::iter::repeat_n(0, zeros));
            out.extend_from_slice(&(octets.len() as u32).to_be_bytes());
        }
        out.extend_from_slice(octets);
    }
}

/// Where the tag of a value ends, where its contents start and end; of what the writer writes.
fn header(message: &[u8], at: usize) -> (usize, usize, usize) {
    let mut tag = at + 1;
    if message[at] & 0x1F == 0x1F {
        while message[tag] & 0x80 != 0 {
            tag += 1;
        }
        tag += 1;
    }
    let first = usize::from(message[tag]);
    let octets = if first < 0x80 { 0 } else { first & 0x7F };
    let contents = tag + 1 + octets;
    let len = if octets == 0 {
        first
    } else {
        message[tag + 1..contents].iter().fold(0, |len, octet| len << 8 | usize::from(*octet))
    };
    (tag, contents, contents + len)
}
