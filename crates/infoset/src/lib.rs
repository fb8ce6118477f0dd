//! The XML Infoset in ASN.1.
