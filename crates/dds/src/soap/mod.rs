//! The envelope of SOAP around a message.

pub(crate) mod envelope;
pub(crate) mod head;
