//! What a caller may choose.

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
    /// What reading one document may cost: `depth`, `message_bytes` and `entity_expansion` of each
    /// schema document and instance, `units` the elements of all schema documents together. Work out of
    /// proportion to an instance (targets of identity constraints within each other, members of unions and
    /// patterns tried, long defaults, types between that of `xsi:type` and the declared one) counts as units
    /// beyond 64 steps a byte. Default [`Limits::DEFAULT`].
    pub limits: Limits,
    /// Schema documents of one schema. Default 4 096.
    pub documents: u32,
    /// Particles of all content models together, those of a group at each place it is referred to. The same
    /// number bounds what else types have of others: attributes with their defaults, patterns and bounds,
    /// members of unions, pairs of substitution groups, each kind for itself. Default 2^21.
    pub particles: u32,
    /// Where namespaces and locations are looked up before their own word is followed. Default empty.
    pub catalog: Catalog,
    /// Whether identity constraints are checked in instances: `xs:key`, `xs:keyref`, `xs:unique`, and
    /// that each IDREF has its ID. Default `true`.
    pub identity: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            limits: Limits::DEFAULT,
            documents: 4096,
            particles: 1 << 21,
            catalog: Catalog::default(),
            identity: true,
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

    /// The same options, checking identity constraints or not.
    #[must_use]
    pub fn with_identity(mut self, identity: bool) -> Options {
        self.identity = identity;
        self
    }
}
