//! Writes a document and the parts beside it as a body (MTOM section 3.2, XOP 1.0 section 4.1, RFC 2387).

use std::hash::{BuildHasher, RandomState};

use memchr::memmem;
use xml::xop::Package;

/// The Content-ID of the root part.
const ROOT: &str = "root@lengthwise";

/// Appends a package as a body. Returns the value of `Content-Type`. The media type is that of the message: `text/xml` of
/// SOAP 1.1, `application/soap+xml` of 1.2.
///
/// ```
/// use lengthwise_http::{Content, Decoder, Package, append_package};
/// use lengthwise_tam::Limits;
///
/// let mut package = Package::from(b"<a><i:Include xmlns:i='http://www.w3.org/2004/08/xop/include' href='cid:1@x'/></a>".to_vec());
/// package.begin_part("1@x");
/// package.push(b"\x00\xFF");
/// let mut body = Vec::new();
/// let content_type = append_package(&package, "text/xml", &mut body);
///
/// let content = Content::of(&content_type, "").unwrap();
/// assert!(content.is_package() && content.media_type == "text/xml");
/// let mut decoder = Decoder::new(&content, &Limits::UNTRUSTED, Package::new());
/// decoder.feed(&body).unwrap();
/// let (read, attachments) = decoder.finish().unwrap();
/// assert_eq!((read.document(), attachments.count), (package.document(), 1));
/// assert_eq!(read.parts().next(), Some(("1@x", &b"\x00\xFF"[..])));
/// # use ::tam as lengthwise_tam;
/// ```
pub fn append_package(package: &Package, media_type: &str, out: &mut Vec<u8>) -> String {
    // Nobody can know it before, so that nobody sends octets that contain it.
    let random = RandomState::new();
    let mut boundaries = (0..u64::MAX).map(|number| format!("lengthwise-{:016x}", random.hash_one(number)));
    let is_free = |boundary: &String| memmem::find(package.bytes(), boundary.as_bytes()).is_none();
    let boundary = boundaries.find(is_free).unwrap_or_default();
    out.reserve(package.bytes().len() + 256);
    let head = |out: &mut Vec<u8>, id: &str, content_type: &str| {
        let head = format!(
            "--{boundary}\r\nContent-Type: {content_type}\r\nContent-Transfer-Encoding: binary\r\nContent-ID: <{id}>\r\n\r\n"
        );
        out.extend_from_slice(head.as_bytes());
    };
    head(out, ROOT, &format!("application/xop+xml; charset=UTF-8; type=\"{media_type}\""));
    out.extend_from_slice(package.document());
    for (id, octets) in package.parts() {
        out.extend_from_slice(b"\r\n");
        head(out, id, "application/octet-stream");
        out.extend_from_slice(octets);
    }
    out.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
    format!(
        "multipart/related; type=\"application/xop+xml\"; boundary=\"{boundary}\"; start=\"<{ROOT}>\"; \
         start-info=\"{media_type}\""
    )
}
