//! URI references: XML Schema Part 2 section 3.2.17, over RFC 3986.

use lengthwise_xml::uri::is_uri_reference;

/// RFC 3986 section 1.1.2 has the first eight, section 5.4.1 the relative ones.
#[test]
fn uri_references_are_those_of_rfc_3986() {
    let texts = [
        "ftp://ftp.is.co.za/rfc/rfc1808.txt",
        "http://www.ietf.org/rfc/rfc2396.txt",
        "ldap://[2001:db8::7]/c=GB?objectClass?one",
        "mailto:John.Doe@example.com",
        "news:comp.infosystems.www.servers.unix",
        "tel:+1-816-555-1212",
        "telnet://192.0.2.16:80/",
        "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
        "g:h",
        "./g",
        "//g",
        "?y",
        "#s",
        "g;x=1?y#s",
        "",
        "../../g",
    ];
    for text in texts {
        assert!(is_uri_reference(text), "{text}");
    }
    for text in ["%", "a%zz", "#a#b", ":a", "1a:b", "http://a:b/", "http://[::1", "http://[::1]x/"] {
        assert!(!is_uri_reference(text), "{text}");
    }
}

/// XLink section 5.4, which section 3.2.17 refers to: other characters are escaped before.
#[test]
fn characters_that_are_escaped_may_be_in_a_uri() {
    assert!(["a b", "é", "a<b>", "{x}", "a|b", "\\"].into_iter().all(is_uri_reference));
}
