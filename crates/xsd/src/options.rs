//! Options for reading schemas and instances.

use tam::Limits;

use crate::Catalog;

/// How schemas and instances are read.
///
/// ```
/// let options = lengthwise_xsd::Options::default().with_documents(10);
/// assert_eq!(options.documents, 10);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Resource limits. `depth`, `message_bytes` and `entity_expansion` apply to each schema document and each instance.
    /// `units` limits the elements of all schema documents together. In an instance, work that is out of proportion to
    /// its length also counts as units, from 64 steps for each byte: nested targets of identity constraints, members of
    /// unions, patterns, long defaults, long derivations from a declared type to that of `xsi:type`. Default
    /// [`Limits::DEFAULT`].
    pub limits: Limits,
    /// The most schema documents of one schema. Default 4 096.
    pub documents: u32,
    /// The most particles of all content models together, where a group counts at each reference. The same number limits,
    /// each on its own, what types inherit from others: attributes with their defaults, patterns and bounds, members of
    /// unions, pairs of substitution groups. Default 2^21.
    pub particles: u32,
    /// Local documents for namespaces and locations. It is used before `schemaLocation`. Default empty.
    pub catalog: Catalog,
    /// Whether instances are checked against identity constraints: `xs:key`, `xs:keyref`, `xs:unique`, and an ID for each
    /// IDREF. Default `true`.
    pub identity: bool,
    /// Whether content is allowed in which an element declaration and a wildcard could take the same element. The
    /// declaration takes it, as in XSD 1.1; by XSD 1.0 such a schema is invalid (unique particle attribution). Schemas of
    /// descriptions of services always are read like this, because published ones need it. Default `false`.
    pub prefers_elements: bool,
    /// Whether the root may have the attributes that SOAP gives to header blocks.
    #[doc(hidden)]
    pub soap_attributes: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            limits: Limits::DEFAULT,
            documents: 4096,
            particles: 1 << 21,
            catalog: Catalog::default(),
            identity: true,
            prefers_elements: false,
            soap_attributes: false,
        }
    }
}

impl Options {
    /// The same options with other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Options {
        self.limits = limits;
        self
    }

    /// The same options with another number of documents.
    #[must_use]
    pub fn with_documents(mut self, documents: u32) -> Options {
        self.documents = documents;
        self
    }

    /// The same options with another number of particles.
    #[must_use]
    pub fn with_particles(mut self, particles: u32) -> Options {
        self.particles = particles;
        self
    }

    /// The same options with a catalog.
    #[must_use]
    pub fn with_catalog(mut self, catalog: Catalog) -> Options {
        self.catalog = catalog;
        self
    }

    /// The same options for a header block of SOAP by itself.
    #[doc(hidden)]
    #[must_use]
    pub fn with_soap_attributes(mut self) -> Options {
        self.soap_attributes = true;
        self
    }

    /// The same options, with or without checks of identity constraints.
    #[must_use]
    pub fn with_identity(mut self, identity: bool) -> Options {
        self.identity = identity;
        self
    }

    /// The same options, with or without content in which an element declaration is preferred to a wildcard.
    #[must_use]
    pub fn with_prefers_elements(mut self, prefers_elements: bool) -> Options {
        self.prefers_elements = prefers_elements;
        self
    }
}
