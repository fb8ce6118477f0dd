//! JSON text (RFC 8259).
