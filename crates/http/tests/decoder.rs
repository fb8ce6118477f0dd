//! Bodies as clients send them, whole and in pieces that end anywhere.
#![allow(clippy::unwrap_used, reason = "what a test cannot set up, it cannot test")]

use std::io::{Read, Write};
use std::process::{Command, Stdio};

use flate2::read::MultiGzDecoder;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use flate2::{Compression, Crc, GzBuilder};
use lengthwise_http::{Attachments, Content, Decoder, Package, Refusal};
use tam::{Exceeded, Limits};
use test_support::Random;

type Decoded = Result<(Vec<u8>, Attachments), Refusal<std::convert::Infallible>>;

fn decoded(content: &Content, limits: &Limits, pieces: &[&[u8]]) -> Decoded {
    let mut decoder = Decoder::new(content, limits, Vec::new());
    for piece in pieces {
        decoder.feed(piece)?;
    }
    decoder.finish()
}

fn whole(content_type: &str, coding: &str, body: &[u8]) -> Decoded {
    decoded(&Content::of(content_type, coding).unwrap(), &Limits::UNTRUSTED, &[body])
}

/// The message with its optimized content of XOP section 1.2, example 2, with what else MIME allows: a preamble, an
/// epilogue, a boundary that begins like content, and a head without fields.
const XOP: &str = "This is a preamble.\r\n--MIME_boundary \r\nContent-Type: application/xop+xml;\r\n charset=UTF-8\r\n\
    Content-Transfer-Encoding: 8bit\r\nContent-ID: <mymessage.xml@example.org>\r\n\r\n<soap:Envelope>\r\n--MIME_\r\n\
    <m:photo><xop:Include href='cid:http://example.org/me.png'/></m:photo></soap:Envelope>\r\n--MIME_boundary\r\n\
    Content-Type: image/png\r\nContent-ID: <http://example.org/me.png>\r\n\r\n// octets\r\r\n\r\n\r\n\
    --MIME_boundary\r\n\r\n\r\n--MIME_boundary--\r\nThis is an epilogue.\r\n--MIME_boundary\r\n";
const XOP_TYPE: &str = "Multipart/Related;boundary=MIME_boundary; type=\"application/xop+xml\"; \
    start=\"<mymessage.xml@example.org>\"; start-info=\"text/xml\"";

#[test]
fn the_message_is_the_root_part_and_the_others_are_counted() {
    let expected = "<soap:Envelope>\r\n--MIME_\r\n\
        <m:photo><xop:Include href='cid:http://example.org/me.png'/></m:photo></soap:Envelope>";
    let (message, attachments) = whole(XOP_TYPE, "", XOP.as_bytes()).unwrap();
    assert_eq!(String::from_utf8(message).unwrap(), expected);
    assert_eq!((attachments.count, attachments.bytes), (2, 14));
    // The same with bare line feeds, whose content keeps its own.
    let body = XOP.replace("\r\n", "\n");
    assert_eq!(whole(XOP_TYPE, "", body.as_bytes()).unwrap().0, expected.replace("\r\n", "\n").as_bytes());
    // Without `start` the root is the first, whatever it is.
    let first = XOP_TYPE.replace("start=", "x-start=");
    assert_eq!(whole(&first, "", XOP.as_bytes()).unwrap().0, expected.as_bytes());
    // The root need not come first.
    let later = XOP_TYPE.replace("mymessage.xml@example.org", "http://example.org/me.png");
    let (message, attachments) = whole(&later, "", XOP.as_bytes()).unwrap();
    assert_eq!((message.as_slice(), attachments.count), (&b"// octets\r\r\n\r\n"[..], 2));
}

/// A package has the parts whose octets are sent as they are, and that have a Content-ID.
#[test]
fn a_package_keeps_the_parts() {
    let body = XOP.replace(
        "--MIME_boundary\r\n\r\n",
        "--MIME_boundary\r\nContent-ID: <a>\r\nContent-Transfer-Encoding: base64\r\n\r\nAA==",
    );
    for at in 0..body.len() {
        let content = Content::of(XOP_TYPE, "").unwrap();
        let mut decoder = Decoder::new(&content, &Limits::UNTRUSTED, Package::new());
        let (first, second) = body.as_bytes().split_at(at);
        decoder.feed(first).unwrap();
        decoder.feed(second).unwrap();
        let (package, attachments) = decoder.finish().unwrap();
        assert_eq!(package.document(), whole(XOP_TYPE, "", body.as_bytes()).unwrap().0);
        let part = package.included("cid:http://example.org/me.png").unwrap();
        assert_eq!(package.bytes()[part], b"// octets\r\r\n\r\n"[..]);
        assert_eq!((package.included("cid:a"), attachments.count), (None, 2));
    }
    // The root may come after its parts.
    let later = XOP_TYPE.replace("mymessage.xml@example.org", "http://example.org/me.png");
    let content = Content::of(&later, "").unwrap();
    let mut decoder = Decoder::new(&content, &Limits::UNTRUSTED, Package::new());
    decoder.feed(XOP.as_bytes()).unwrap();
    let package = decoder.finish().unwrap().0;
    assert_eq!(package.document(), b"// octets\r\r\n\r\n");
    let part = package.included("cid:mymessage.xml@example.org").unwrap();
    assert!(package.bytes()[part].starts_with(b"<soap:Envelope>"));
}

#[test]
fn pieces_may_end_anywhere() {
    let text = "<?xml version='1.0' encoding='utf-16'?><a>é😀</a>";
    let utf_16: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let mut parts = b"--b\r\nContent-Type: text/xml; charset=utf-16\r\n\r\n".to_vec();
    parts.extend_from_slice(&utf_16);
    parts.extend_from_slice(b"\r\n--b\r\n\r\n\r\n--\r\n-\r\n--b--");
    let related = "multipart/related; boundary=b; type=\"text/xml\"";
    let gzip = compressed(&parts, |out| GzEncoder::new(out, Compression::fast()));
    for (content_type, coding, body) in [
        (XOP_TYPE, "", XOP.as_bytes().to_vec()),
        ("text/xml; charset=utf-16", "", utf_16.clone()),
        (related, "", parts.clone()),
        (related, "gzip", gzip.clone()),
        // Two members of gzip are one body.
        (related, "gzip", [compressed(&parts[..20], gz), compressed(&parts[20..], gz)].concat()),
        (related, "deflate", compressed(&parts, |out| ZlibEncoder::new(out, Compression::fast()))),
        (related, "deflate", compressed(&parts, |out| DeflateEncoder::new(out, Compression::fast()))),
    ] {
        let content = Content::of(content_type, coding).unwrap();
        let expected = decoded(&content, &Limits::UNTRUSTED, &[&body]).unwrap();
        assert!(expected.0.ends_with(b">") && (coding.is_empty() || expected.1.count == 1), "{expected:?}");
        for at in 0..=body.len() {
            let (first, second) = body.split_at(at);
            assert_eq!(decoded(&content, &Limits::UNTRUSTED, &[first, second]).as_ref(), Ok(&expected), "{at}");
            if at < body.len() && content_type != XOP_TYPE {
                let cut = decoded(&content, &Limits::UNTRUSTED, &[first]);
                assert!(cut.is_err() || !content.is_multipart(), "{content_type} {coding} {at}: {cut:?}");
            }
        }
        let single: Vec<&[u8]> = body.chunks(1).collect();
        assert_eq!(decoded(&content, &Limits::UNTRUSTED, &single), Ok(expected));
    }
}

fn gz(out: Vec<u8>) -> GzEncoder<Vec<u8>> {
    GzEncoder::new(out, Compression::fast())
}

/// What an encoder makes of bytes.
fn compressed<E: Write + Finished>(bytes: &[u8], encoder: impl Fn(Vec<u8>) -> E) -> Vec<u8> {
    let mut encoder = encoder(Vec::new());
    encoder.write_all(bytes).unwrap();
    encoder.finished()
}

trait Finished {
    fn finished(self) -> Vec<u8>;
}

macro_rules! finished {
    ($($encoder:ident),*) => { $(impl Finished for $encoder<Vec<u8>> {
        fn finished(self) -> Vec<u8> {
            self.finish().unwrap()
        }
    })* };
}
finished!(GzEncoder, ZlibEncoder, DeflateEncoder);

#[test]
fn what_is_not_as_its_head_says_is_refused() {
    let related = "multipart/related; boundary=b; type=\"text/xml\"; start=\"<r>\"";
    let good = "--b\r\nContent-ID: <r>\r\n\r\n<a/>\r\n--b--";
    assert_eq!(whole(related, "", good.as_bytes()).unwrap().0, b"<a/>");
    for (body, reason) in [
        (good.replace("<r>", "<s>"), "no part that is the message"),
        (good.replace("Content-ID: <r>", "Content-ID: <r>\r\nContent-Transfer-Encoding: base64"), "Transfer-Encoding"),
        (good.replace("Content-ID: <r>", "Content-ID: <r>\r\nContent-Type: a/b; charset=x"), "character set"),
        (good.replace("Content-ID: <r>", "no field"), "The head of a part"),
        (good.replace("Content-ID", &"x".repeat(20_000)), "The head of a part"),
        (good.replace("Content-ID", &("A: b\r\n".repeat(5_000) + "Content-ID")), "The head of a part"),
    ] {
        let Err(Refusal::Broken(words)) = whole(related, "", body.as_bytes()) else { panic!("{reason}") };
        assert!(words.contains(reason), "{words}: {reason}");
    }
    assert_eq!(Content::of(related, "").unwrap().boundary(), Some("b"));
    for body in [good.replace("--b--", "--b"), good.replace("--b--", ""), good.replace("--b", "--c"), String::new()] {
        assert!(matches!(whole(related, "", body.as_bytes()), Err(Refusal::NotEnded)), "{body}");
    }
    for coding in ["gzip", "deflate"] {
        for body in ["", "x", "xy", "\x1f\u{8b}xx"] {
            assert!(matches!(whole("text/xml", coding, body.as_bytes()), Err(Refusal::Broken(_))), "{coding} {body}");
        }
    }
    assert!(matches!(whole("text/xml; charset=us-ascii", "", "é".as_bytes()), Err(Refusal::Broken(_))));
    assert!(matches!(whole("text/xml; charset=utf-16", "", b"\xFE\xFF<"), Err(Refusal::Broken(_))));
}

#[test]
fn bodies_have_bounds() {
    let limits = Limits { message_bytes: 100_000, ..Limits::UNTRUSTED };
    let too_long = |limit, bound| Err(Refusal::TooLong(Exceeded::new(limit, bound)));
    let of = |content_type: &str, coding: &str, body: &[u8]| {
        decoded(&Content::of(content_type, coding).unwrap(), &limits, &[body]).map(|(message, _)| message.len())
    };
    assert_eq!(of("text/xml", "", &[b' '; 100_000]), Ok(100_000));
    assert_eq!(of("text/xml", "", &[b' '; 100_001]), too_long("message_bytes", 100_000));
    // Each byte becomes two.
    assert_eq!(of("text/xml; charset=iso-8859-1", "", &[0xE9; 50_001]), too_long("message_bytes", 100_000));
    let related = "multipart/related; boundary=b; type=\"text/xml\"";
    let attached = format!("--b\r\n\r\n<a/>\r\n--b\r\n\r\n{}\r\n--b--", "x".repeat(100_000));
    assert_eq!(of(related, "", attached.as_bytes()), too_long("message_bytes", 100_000));
    // A bomb of zeros stops at the limit, or at the ratio.
    let bomb = compressed(&vec![0; 8 << 20], gz);
    assert_eq!(of("text/xml", "gzip", &bomb), too_long("message_bytes", 100_000));
    let limits = Limits { message_bytes: u32::MAX, ..Limits::UNTRUSTED };
    let content = Content::of("text/xml", "gzip").unwrap();
    let refusal = decoded(&content, &limits, &[&bomb]).unwrap_err();
    assert_eq!(refusal, Refusal::TooLong(Exceeded::new("expansion_ratio", 100)));
    assert_eq!(refusal.to_string(), "The body is too long: expansion_ratio is 100.");
    let refusal: Box<dyn std::error::Error> = refusal.into();
    assert!(refusal.source().is_none());
}

/// What Python's `email` writes, with what parts it may, is read: the message as it is, and the others counted.
#[test]
fn bodies_that_python_writes_are_read() {
    const SCRIPT: &str = r#"
import random, sys
from email.mime.multipart import MIMEMultipart
from email.mime.application import MIMEApplication
from email import encoders, policy
random.seed(7)
out = sys.stdout.buffer
for n in range(200):
    parts = MIMEMultipart('related', type='application/xop+xml', start='<root@x>')
    count = random.randrange(5)
    root = random.randrange(count + 1)
    texts = [bytes(random.choice(b'ab-\n<>=') for _ in range(random.randrange(200))) for _ in range(count + 1)]
    for i, text in enumerate(texts):
        part = MIMEApplication(text, 'xop+xml', encoders.encode_7or8bit)
        part['Content-ID'] = '<root@x>' if i == root else '<%d@x>' % i
        parts.attach(part)
    body = parts.as_bytes(policy=policy.HTTP)
    head, body = body.split(b'\r\n\r\n', 1)
    content_type = ' '.join(parts['Content-Type'].split())
    content_type += '; boundary="%s"' % parts.get_boundary() if 'boundary' not in content_type else ''
    want = texts[root].replace(b'\n', b'\r\n')
    for item in (content_type.encode(), body, want, b'%d' % count):
        out.write(b'%d\n' % len(item) + item)
"#;
    let Ok(output) = Command::new("python3").args(["-c", SCRIPT]).output() else {
        return test_support::skipped("there is no python3");
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut rest = output.stdout.as_slice();
    let mut next = || -> Option<Vec<u8>> {
        let end = rest.iter().position(|byte| *byte == b'\n')?;
        let len: usize = String::from_utf8_lossy(&rest[..end]).parse().unwrap();
        let item = rest[end + 1..end + 1 + len].to_vec();
        rest = &rest[end + 1 + len..];
        Some(item)
    };
    let (mut bodies, mut random) = (0, Random::new(1));
    while let Some(content_type) = next() {
        let (body, want, count) = (next().unwrap(), next().unwrap(), next().unwrap());
        let content = Content::of(&String::from_utf8(content_type).unwrap(), "").unwrap();
        let pieces: Vec<&[u8]> = body.chunks(1 + random.below(60)).collect();
        let (message, attachments) = decoded(&content, &Limits::UNTRUSTED, &pieces).unwrap();
        assert_eq!(message, want, "{}", String::from_utf8_lossy(&body));
        assert_eq!(attachments.count.to_string().into_bytes(), count);
        bodies += 1;
    }
    assert_eq!(bodies, 200);
}

/// Packages that are written are read by the library of Python, and by ours in pieces that end anywhere.
#[test]
fn written_packages_are_read_by_another() {
    const SCRIPT: &str = r#"
import email, email.policy, sys
data = sys.stdin.buffer
def item():
    line = data.readline()
    return data.read(int(line)) if line else None
while True:
    head, body = item(), item()
    if body is None:
        break
    message = email.message_from_bytes(b'Content-Type: ' + head + b'\r\n\r\n' + body, policy=email.policy.HTTP)
    assert message.get_content_type() == 'multipart/related' and not message.defects, message.defects
    parts = list(message.iter_parts())
    assert parts[0]['Content-ID'] == message['Content-Type'].params['start'], parts[0].items()
    assert parts[0].get_content_type() == message['Content-Type'].params['type'] == 'application/xop+xml'
    for part in parts:
        assert not part.defects, part.defects
        octets = part.get_payload(decode=True)
        for one in (part['Content-ID'].encode(), octets):
            sys.stdout.buffer.write(b'%d\n' % len(one) + one)
"#;
    let (mut random, mut input, mut expected) = (Random::new(3), Vec::new(), Vec::new());
    let push = |out: &mut Vec<u8>, item: &[u8]| {
        out.extend_from_slice(format!("{}\n", item.len()).as_bytes());
        out.extend_from_slice(item);
    };
    for _ in 0..200 {
        let octets = |random: &mut Random| -> Vec<u8> {
            // What could be taken for a delimiter, or for the end of a line.
            let pieces: [&[u8]; 7] = [b"\r\n", b"\n", b"\r", b"--", b"--lengthwise-", b"\x00\xFF", b"octets"];
            (0..random.below(9)).flat_map(|_| pieces[random.below(7)].to_vec()).collect()
        };
        let mut package = Package::from([b"<a>", &octets(&mut random)[..], b"</a>"].concat());
        for number in 0..random.below(4) {
            package.begin_part(&format!("{number}@x"));
            package.push(&octets(&mut random));
        }
        let mut body = Vec::new();
        let content_type = lengthwise_http::append_package(&package, "text/xml", &mut body);
        push(&mut input, content_type.as_bytes());
        push(&mut input, &body);
        push(&mut expected, b"<root@lengthwise>");
        push(&mut expected, package.document());
        for (id, octets) in package.parts() {
            push(&mut expected, format!("<{id}>").as_bytes());
            push(&mut expected, octets);
        }
        let mut decoder = Decoder::new(&Content::of(&content_type, "").unwrap(), &Limits::UNTRUSTED, Package::new());
        body.chunks(1 + random.below(60)).for_each(|piece| decoder.feed(piece).unwrap());
        let (read, _) = decoder.finish().unwrap();
        assert_eq!(read.document(), package.document());
        assert!(read.parts().eq(package.parts()));
    }
    let mut command = Command::new("python3");
    command.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let Ok(mut child) = command.spawn() else { return test_support::skipped("there is no python3") };
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success() && output.stdout == expected, "{}", String::from_utf8_lossy(&output.stdout));
}

/// Whatever comes, in whatever pieces, the answer is the same, and there is one.
#[test]
fn spoiled_bodies_are_read_or_refused_alike_in_any_pieces() {
    let mut random = Random::new(3);
    let content = Content::of(XOP_TYPE, "").unwrap();
    let mut refused = 0;
    for _ in 0..test_support::rounds(2_000) {
        let mut body = XOP.as_bytes().to_vec();
        for _ in 0..1 + random.below(3) {
            let at = random.below(body.len());
            match random.below(3) {
                0 => body[at] = random.of(b"\r\n-: bM<"),
                1 => drop(body.remove(at)),
                _ => body.truncate(at.max(1)),
            }
        }
        let whole = decoded(&content, &Limits::UNTRUSTED, &[&body]);
        let pieces: Vec<&[u8]> = body.chunks(1 + random.below(40)).collect();
        assert_eq!(decoded(&content, &Limits::UNTRUSTED, &pieces), whole);
        refused += usize::from(whole.is_err());
    }
    assert!(refused > test_support::rounds(400), "{refused}");
}

/// A member with all that a head may have (RFC 1952 section 2.3), and the sum of the head, which encoders leave out.
fn member(random: &mut Random, text: &[u8]) -> Vec<u8> {
    let mut builder = GzBuilder::new().mtime(random.next() as u32);
    if random.one_in(2) {
        builder = builder.extra(vec![7; random.below(300)]);
    }
    if random.one_in(2) {
        builder = builder.filename("é".repeat(random.below(40)));
    }
    if random.one_in(2) {
        builder = builder.comment("c".repeat(random.below(40)));
    }
    let mut encoder = builder.write(Vec::new(), Compression::fast());
    encoder.write_all(text).unwrap();
    let mut member = encoder.finish().unwrap();
    if random.one_in(2) {
        let bare = compressed(text, gz);
        let head = member.len() - (bare.len() - 10);
        member[3] |= 2;
        let mut crc = Crc::new();
        crc.update(&member[..head]);
        let sum = (crc.sum() as u16).to_le_bytes();
        member.splice(head..head, sum);
    }
    member
}

/// gzip is read as `flate2` reads it, whatever the members have and whatever is spoiled.
#[test]
fn members_of_gzip_are_read_as_another_reader_reads_them() {
    let mut random = Random::new(5);
    let content = Content::of("text/xml", "gzip").unwrap();
    let (mut read, mut refused) = (0, 0);
    for _ in 0..test_support::rounds(600) {
        let texts: Vec<Vec<u8>> =
            (0..1 + random.below(3)).map(|_| vec![b'x'; random.of(&[9, 900, 40_000]) - random.below(9)]).collect();
        let mut body: Vec<u8> = texts.iter().flat_map(|text| member(&mut random, text)).collect();
        match random.below(6) {
            0 => body.truncate(random.below(body.len())),
            1 => body.push(random.next() as u8),
            2 => {
                let at = random.below(body.len());
                body[at] ^= 1 << random.below(8);
            }
            _ => {}
        }
        let mut plain = Vec::new();
        let other = MultiGzDecoder::new(body.as_slice()).read_to_end(&mut plain).is_ok();
        let pieces: Vec<&[u8]> = body.chunks(1 + random.below(5_000)).collect();
        match decoded(&content, &Limits::default(), &pieces) {
            Ok((message, _)) => {
                assert!(other && message == plain, "{body:02x?}");
                read += 1;
            }
            Err(_) => {
                // Only one of the readers refuses reserved flags, as section 2.3.1.2 asks.
                let is_reserved = body.get(3).is_some_and(|flags| flags & 0xE0 != 0);
                assert!(!other || is_reserved, "{body:02x?}");
                refused += 1;
            }
        }
    }
    assert!(read > test_support::rounds(300) && refused > test_support::rounds(100), "{read} {refused}");
}
