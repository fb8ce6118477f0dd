//! XML 1.0 text.
