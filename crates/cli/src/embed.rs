//! XML documents that TSF messages are written into, as `<?tsf MESSAGE?>` (paper section 5.6).

use lengthwise::text::xml::{Event, Options, Reader};
use lengthwise::{Error, ErrorKind, tsf};

use crate::args::Convert;
use crate::compression;
use crate::inputs::Input;
use crate::report::Failure;

/// An XML document with room for messages at the end of its root element.
pub(crate) struct Host {
    pub(crate) before: Vec<u8>,
    pub(crate) after: Vec<u8>,
}

impl Host {
    /// The document of `--embed-into`, or an element of its own.
    pub(crate) fn from_flags(args: &Convert) -> Result<Option<Host>, Failure> {
        let Some(path) = &args.embed_into else {
            return Ok(args.embed.then(|| Host { before: b"<tsf>".to_vec(), after: b"</tsf>\n".to_vec() }));
        };
        let input = Input::named(path);
        let limits = args.common.limits();
        let document = compression::opened(&input, input.bytes(&limits)?.into(), &args.common)?.into_owned();
        let host = Host::of(&document, &Options::default().with_limits(limits));
        host.map(Some).map_err(|error| Failure::bad(&input, error, &document))
    }

    fn of(document: &[u8], options: &Options) -> Result<Host, Error> {
        let mut reader = Reader::new(document, options)?;
        let (mut root, mut end) = (String::new(), None);
        while let Some(event) = reader.next_event()? {
            let is_end = matches!(event, Event::End(_));
            if let Event::Start(tag) = event
                && root.is_empty()
            {
                root = tag.name().to_owned();
            }
            if is_end && reader.depth() == 0 {
                end = usize::try_from(reader.offset()).ok();
            }
        }
        let (before, after) = document.split_at(end.unwrap_or(0).min(document.len()));
        let host = match before.strip_suffix(b"/>") {
            Some(before) if !after.starts_with(b"</") => {
                Host { before: [before, b">"].concat(), after: [b"</", root.as_bytes(), b">", after].concat() }
            }
            _ => Host { before: before.to_vec(), after: after.to_vec() },
        };
        // The messages are in UTF-8.
        let probe = [&host.before, "<?tsf \u{e9}?>".as_bytes(), &host.after].concat();
        let mut reader = Reader::new(&probe, options)?;
        while let Ok(Some(event)) = reader.next_event() {
            if matches!(event, Event::Instruction(found) if found.target() == tsf::TARGET && found.data() == "\u{e9}") {
                return Ok(host);
            }
        }
        let found = "another encoding than UTF-8";
        Err(Error::new(ErrorKind::Unsupported, "xml", 0, found, "a document in UTF-8, as the messages are"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(document: &[u8]) -> Result<String, String> {
        let host = Host::of(document, &Options::default()).map_err(|error| error.to_string())?;
        let of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok(of(&host.before) + "|" + &of(&host.after))
    }

    #[test]
    fn messages_go_to_the_end_of_the_root() {
        for (document, expected) in [
            ("<a>x<b/></a>", "<a>x<b/>|</a>"),
            ("<a>x<b/></a \n>\n", "<a>x<b/>|</a \n>\n"),
            ("<a/>", "<a>|</a>"),
            ("<p:a xmlns:p='/>' />\n", "<p:a xmlns:p='/>' >|</p:a>\n"),
            (
                "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY e '<b/>'>]><a>&e;</a><!-- </a>/> -->",
                "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY e '<b/>'>]><a>&e;|</a><!-- </a>/> -->",
            ),
            ("<a/><?z />?><!-- <b/> -->", "<a>|</a><?z />?><!-- <b/> -->"),
            ("\u{feff}<é>/></é>", "\u{feff}<é>/>|</é>"),
            ("<?xml version='1.0' encoding='utf-8'?><a/>", "<?xml version='1.0' encoding='utf-8'?><a>|</a>"),
        ] {
            assert_eq!(host(document.as_bytes()).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn documents_of_other_encodings_are_refused() {
        let utf_16: Vec<u8> = "\u{feff}<a></a>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        for document in [
            &b"<?xml version='1.0' encoding='iso-8859-1'?><a>\xe9</a>"[..],
            b"<?xml version='1.0' encoding='us-ascii'?><a/>",
            &utf_16,
        ] {
            let error = host(document).unwrap_err();
            assert!(error.contains("found another encoding than UTF-8"), "{error}");
        }
        assert!(host(b"<a>").unwrap_err().starts_with("incomplete"));
    }
}
