//! What a caller may choose.

use core::marker::PhantomData;

#[cfg(feature = "infoset")]
use infoset::{SharedStrings, Strings};
#[cfg(feature = "xsd")]
use tam::Document;
#[cfg(feature = "asn1")]
use tam::Meaning;
use tam::{Limits, TypeSet, Vocabulary};
#[cfg(feature = "xml")]
use text::xml::{EmptyTags, LineEnds};
#[cfg(feature = "tsf")]
use tsf::Lengths;

#[cfg(all(feature = "json", any(feature = "pon", feature = "tsf")))]
use crate::Base64;
#[cfg(feature = "xml")]
use crate::Declaration;
use crate::Format;
#[cfg(feature = "asn1")]
use crate::Schema;

/// A type set: what a TSF message's type characters mean. One that is built in has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Types<'t> {
    /// [`TypeSet::XML`]: elements, attributes and what else an XML document holds.
    Xml,
    /// [`TypeSet::JSON`]: JSON values as their tokens.
    Json,
    /// [`TypeSet::VALUE`]: JSON values with types of their own, and binary data.
    Value,
    /// One of your own. Its documents are values of JSON by the [meanings](tam::Meaning) of its types.
    ///
    /// ```
    /// use lengthwise::{Format, Options, Types, convert, tam::TypeSet};
    ///
    /// # fn main() -> Result<(), lengthwise::Error> {
    /// let readings = TypeSet::from_text("structured ( object\nprimitive : string\nprimitive # number")?;
    /// let options = Options::default().with_output_types(Types::Own(&readings));
    /// let message = convert(br#"{"room": "attic", "t": 21.50}"#, Format::Json, Format::Tsf, &options)?;
    /// assert_eq!(message, b"2(5room:attic5t#21.50");
    ///
    /// let options = Options::default().with_input_types(Types::Own(&readings));
    /// let back = convert(&message, Format::Tsf, Format::Json, &options)?;
    /// assert_eq!(back, br#"{"room":"attic","t":21.50}"#);
    ///
    /// let options = Options::default().with_output_types(Types::Own(&readings));
    /// let error = convert(b"[]", Format::Json, Format::Tsf, &options).unwrap_err();
    /// assert!(error.to_string().ends_with("found a value that is 'array', expected a type set with that meaning"));
    /// # Ok(())
    /// # }
    /// ```
    Own(&'t TypeSet),
}

impl<'t> Types<'t> {
    /// Every one that is built in.
    pub const ALL: &'static [Types<'static>] = &[Types::Xml, Types::Json, Types::Value];

    /// The name: `xml`, `json`, `value`; `custom` for one of your own.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.vocabulary().as_str()
    }

    /// The built-in type set of a name, as [`Types::as_str`] gives it.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Types<'static>> {
        Types::ALL.iter().copied().find(|types| types.as_str() == name)
    }

    /// What a type set is called here.
    #[cfg(feature = "losses")]
    pub(crate) const fn of(set: &'t TypeSet) -> Types<'t> {
        match set.vocabulary() {
            Vocabulary::Xml => Types::Xml,
            Vocabulary::Json => Types::Json,
            Vocabulary::Value => Types::Value,
            _ => Types::Own(set),
        }
    }

    /// The type set itself.
    #[must_use]
    pub const fn set(self) -> &'t TypeSet {
        match self {
            Types::Xml => TypeSet::XML,
            Types::Json => TypeSet::JSON,
            Types::Value => TypeSet::VALUE,
            Types::Own(set) => set,
        }
    }

    /// What the types of the set mean.
    #[must_use]
    pub const fn vocabulary(self) -> Vocabulary {
        self.set().vocabulary()
    }
}

/// How messages are read and written. Each format looks at what concerns it.
///
/// ```
/// use lengthwise::{Lengths, Options, Types};
///
/// let options = Options::default().with_lengths(Lengths::Chars).with_output_types(Types::Value);
/// assert_eq!((options.input_lengths, options.output_lengths), (Lengths::Chars, Lengths::Chars));
/// assert_eq!(options.input_types, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options<'s> {
    /// Reading TSF: what lengths count. The message does not say it. Default [`Lengths::Bytes`].
    #[cfg(feature = "tsf")]
    pub input_lengths: Lengths,
    /// Writing TSF: what lengths count. Changes the bytes on the wire. Default
    /// [`Lengths::Bytes`].
    #[cfg(feature = "tsf")]
    pub output_lengths: Lengths,
    /// Reading TSF: the type set. Default `None`: judged by the message, rightly for all that
    /// this crate and the C library write. Of other writers, a message of [`Types::Value`] without a
    /// scalar but strings which all happen to be JSON tokens, such as `1[2'17`, is taken for [`Types::Json`].
    #[cfg(feature = "tsf")]
    pub input_types: Option<Types<'s>>,
    /// Writing TSF: the type set. Changes the bytes on the wire. JSON text is read into it too.
    /// Default `None`: the document's own, which for JSON text is [`Types::Json`], the one that
    /// keeps the scalars of a text to the letter: what comes back differs in nothing but white
    /// space between tokens and escapes in the names of members. PON is written from
    /// [`Types::Value`] alone, whatever this says.
    pub output_types: Option<Types<'s>>,
    /// Writing PON, and TSF of the type set `value`: which strings become binary data, as base64 is in JSON. Changes the
    /// bytes on the wire. TSF of another type set is refused then. Default [`Base64::Keep`]: none.
    #[cfg(all(feature = "json", any(feature = "pon", feature = "tsf")))]
    pub binary_from_base64: Base64<'s>,
    /// Writing TSF of the XML vocabulary: attributes in the order of their names' code points
    /// instead of the document's. Changes the bytes on the wire. Default `false`.
    #[cfg(feature = "tsf")]
    pub sort_attributes: bool,
    /// Writing XML or JSON: indented, one element or member a line. Default `false`.
    #[cfg(any(feature = "xml", feature = "json"))]
    pub pretty: bool,
    /// Reading and writing XML: all of XML 1.0, whether or not a document is namespace-well-formed as
    /// well. Default `false`.
    #[cfg(feature = "xml")]
    pub plain_xml: bool,
    /// Reading XML and infosets: references to entities whose text is not read are kept, for XML and infosets to be written; other
    /// formats refuse them, and so does reading by a schema. Default `false`: a message that has one is refused.
    ///
    /// ```
    /// use lengthwise::{Format, Options, convert};
    ///
    /// # fn main() -> Result<(), lengthwise::Error> {
    /// let book = b"<!DOCTYPE book [<!ENTITY one SYSTEM \"1.xml\">]><book>&one;</book>";
    /// let options = Options::default().with_entity_references(true);
    /// let message = convert(book, Format::Xml, Format::InfosetUper, &options)?;
    /// assert_eq!(convert(&message, Format::InfosetUper, Format::Xml, &options)?, book);
    /// assert!(convert(&message, Format::InfosetUper, Format::Xml, &Options::default()).is_err());
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(any(feature = "xml", feature = "infoset"))]
    pub entity_references: bool,
    /// Writing XML: its declaration, which says UTF-8 whatever its encoding is. Writing an infoset: the properties that it has.
    /// [`declaration`](crate::declaration()) reads it. Default `None`.
    #[cfg(feature = "xml")]
    pub declaration: Option<&'s Declaration>,
    /// Writing documents of JSON as XML, and in formats and a type set that hold XML: the items of arrays are numbered, from 1:
    /// `e0s1i1`, `e0s1i2` and so on instead of `e0s1` for each (the paper of TSF, section 3.2.2). Default `false`.
    ///
    /// ```
    /// use lengthwise::{Format, Options, convert};
    ///
    /// # fn main() -> Result<(), lengthwise::Error> {
    /// let options = Options::default().with_numbered_items(true);
    /// let xml = convert(br#"{"t":[21.5,22]}"#, Format::Json, Format::Xml, &options)?;
    /// assert_eq!(xml, b"<e0s1><t><e1s1i1>21.5</e1s1i1><e1s1i2>22</e1s1i2></t></e0s1>");
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "xml")]
    pub numbered_items: bool,
    /// Writing XML: how elements without content are written. Default [`EmptyTags::Single`]: `<a/>`.
    #[cfg(feature = "xml")]
    pub empty_tags: EmptyTags,
    /// Writing XML: what lines end with. Default [`LineEnds::Lf`].
    ///
    /// ```
    /// use lengthwise::{EmptyTags, Format, LineEnds, Options, convert};
    ///
    /// # fn main() -> Result<(), lengthwise::Error> {
    /// let options = Options::default().with_empty_tags(EmptyTags::Pair).with_line_ends(LineEnds::CrLf);
    /// let xml = convert(b"2a<0b<4[x\ny\n", Format::Tsf, Format::Xml, &options)?;
    /// assert_eq!(xml, b"<a><b></b>x\r\ny\r\n</a>");
    /// assert_eq!(convert(&xml, Format::Xml, Format::Tsf, &options)?, b"2a<0b<4[x\ny\n");
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "xml")]
    pub line_ends: LineEnds,
    /// UPER, APER, BER, OER and value notation: what messages may say, and of a schema of XML its instances.
    /// Default `None`: such a message cannot be read or written.
    #[cfg(feature = "asn1")]
    pub schema: Option<&'s Schema>,
    /// Writing UPER, APER, BER and OER: the only encoding of a value (CANONICAL-PER, DER and CANONICAL-OER).
    /// Changes the bytes on the wire. Default `false`.
    #[cfg(feature = "asn1")]
    pub canonical: bool,
    /// Writing an infoset: how its strings are compressed. Changes the bytes on the wire; readers
    /// find it in the message. Default [`Strings::None`].
    #[cfg(feature = "infoset")]
    pub strings: Strings,
    /// Writing an infoset: strings of fewer bytes are not compressed. Changes the bytes on the wire. Default 0.
    #[cfg(feature = "infoset")]
    pub strings_from: u32,
    /// Infosets: strings that both sides have, so that messages do not hold them. Changes the bytes on the wire. Default `None`.
    #[cfg(feature = "infoset")]
    pub shared_strings: Option<&'s SharedStrings>,
    /// Writing an infoset: only what the paper's program wrote, in its order; comments, instructions
    /// and the DOCTYPE are left out. Changes the bytes on the wire. Default `false`.
    #[cfg(feature = "infoset")]
    pub paper: bool,
    /// TDXML: scheme, where octets go, schemas by reference, and so on. Changes the bytes on the wire. Its
    /// `limits` are not looked at. Default [`tdxml::Options::default`].
    #[cfg(feature = "tdxml")]
    pub tables: tdxml::Options<'s>,
    /// Writing TDXML by a schema of XML: the data schema that is derived from it is in the message, which otherwise
    /// refers to it. Changes the bytes on the wire. Default `false`.
    #[cfg(feature = "tdxml")]
    pub embed_schema: bool,
    /// What reading a message may cost. Default [`Limits::DEFAULT`].
    pub limits: Limits,
    /// The schemas, in builds that have none.
    pub(crate) lifetime: PhantomData<&'s ()>,
}

impl<'s> Options<'s> {
    /// The same options, lengths counting bytes or characters on both sides.
    #[cfg(feature = "tsf")]
    #[must_use]
    pub const fn with_lengths(self, lengths: Lengths) -> Options<'s> {
        Options { input_lengths: lengths, output_lengths: lengths, ..self }
    }

    /// The same options, the lengths of what is read counting bytes or characters.
    #[cfg(feature = "tsf")]
    #[must_use]
    pub const fn with_input_lengths(self, lengths: Lengths) -> Options<'s> {
        Options { input_lengths: lengths, ..self }
    }

    /// The same options, the lengths of what is written counting bytes or characters.
    #[cfg(feature = "tsf")]
    #[must_use]
    pub const fn with_output_lengths(self, lengths: Lengths) -> Options<'s> {
        Options { output_lengths: lengths, ..self }
    }

    /// The same options, TSF being read under a type set.
    #[cfg(feature = "tsf")]
    #[must_use]
    pub const fn with_input_types(self, types: Types<'s>) -> Options<'s> {
        Options { input_types: Some(types), ..self }
    }

    /// The same options, TSF being written under a type set.
    #[must_use]
    pub const fn with_output_types(self, types: Types<'s>) -> Options<'s> {
        Options { output_types: Some(types), ..self }
    }

    /// The same options for messages that are to become `format`: JSON text is read into the type
    /// set that PON is written from, so that there is no second reading on the way.
    /// [`convert`](crate::convert()) does so by itself.
    #[must_use]
    pub const fn towards(self, format: Format) -> Options<'s> {
        match format {
            #[cfg(feature = "pon")]
            Format::Pon => self.with_output_types(Types::Value),
            #[allow(unreachable_patterns)] // In a build of PON alone.
            _ => self,
        }
    }

    /// Whether a message goes from one format to another as a value of the schema, and never as a document: between UPER, APER,
    /// BER, OER, XER and value notation; from these to JSON, PON and TSF, and to what [holds
    /// instances](Options::holds_instances) of a schema of XML; between XML by such a schema and these formats; and between JSON,
    /// PON and TSF, unless strings of base64 become binary data.
    #[cfg(feature = "asn1")]
    #[must_use]
    pub fn is_by_schema(&self, from: Format, to: Format) -> bool {
        if self.schema.is_none() {
            return false;
        }
        #[cfg(feature = "xsd")]
        if let (Format::Xml, other) | (other, Format::Xml) = (from, to) {
            return self.schema.is_some_and(Schema::is_xml) && (other.needs_schema() || other.is_json());
        }
        #[cfg(feature = "xsd")]
        let is_instance = self.holds_instances(to);
        #[cfg(not(feature = "xsd"))]
        let is_instance = false;
        #[cfg(any(feature = "pon", feature = "tsf"))]
        if from != to && from.has_json_values() && to.has_json_values() {
            return !self.decodes_base64();
        }
        from.needs_schema() && (to.needs_schema() || to.has_json_values() || is_instance)
    }

    /// Whether strings of base64 become binary data.
    #[cfg(all(feature = "json", any(feature = "pon", feature = "tsf")))]
    pub(crate) fn decodes_base64(&self) -> bool {
        self.binary_from_base64 != Base64::Keep
    }

    /// Whether octets of a value of the schema are binary data in a format of JSON's values: in PON, and in TSF under a type set
    /// that has them. Elsewhere they are hexadecimal digits.
    #[cfg(feature = "asn1")]
    pub(crate) fn has_octets(&self, format: Format) -> bool {
        let types = self.output_types.map_or(TypeSet::VALUE, |types| types.set());
        format != Format::Json && (!format.is_tsf() || types.type_of(Meaning::Binary).is_some())
    }

    /// Whether a format holds instances of the schema of XML, not values: XML, infosets, TDXML, and TSF that is to be written
    /// under the type set `xml`.
    #[cfg(feature = "xsd")]
    #[must_use]
    pub fn holds_instances(&self, format: Format) -> bool {
        #[cfg(feature = "tdxml")]
        let is_table = format == Format::Tdxml;
        #[cfg(not(feature = "tdxml"))]
        let is_table = false;
        let is_tsf = format.is_tsf() && self.output_types == Some(Types::Xml);
        let is_instance = format == Format::Xml || format.is_infoset() || is_table || is_tsf;
        is_instance && self.schema.is_some_and(Schema::is_xml)
    }

    /// Whether a schema may have an effect on a conversion, before the message is known: one of the formats has its values, TDXML
    /// may refer to it, both are formats of JSON's values, which differ in octets, or by a schema of XML a document of XML
    /// becomes values, or values a document. TSF may hold either.
    ///
    /// ```
    /// use lengthwise::{Format, Options};
    ///
    /// assert!(Options::may_use_schema(Format::Json, Format::Uper, false));
    /// assert!(!Options::may_use_schema(Format::Json, Format::Xml, false) && Options::may_use_schema(Format::Json, Format::Xml, true));
    /// assert!(Options::may_use_schema(Format::Json, Format::Pon, false) && !Options::may_use_schema(Format::Json, Format::Json, true));
    /// ```
    #[cfg(feature = "xsd")]
    #[must_use]
    pub fn may_use_schema(from: Format, to: Format, is_xml: bool) -> bool {
        let either = |is: fn(Format) -> bool| is(from) || is(to);
        #[cfg(feature = "tdxml")]
        let is_table = either(|format| format == Format::Tdxml);
        #[cfg(not(feature = "tdxml"))]
        let is_table = false;
        let is_instance = is_xml && (either(Format::is_tsf) || from.is_json() != to.is_json());
        let has_octets = from != to && from.has_json_values() && to.has_json_values();
        is_table || either(Format::needs_schema) || is_instance || has_octets
    }

    /// Whether a document becomes a message by the schema of XML: an instance a value of JSON, PON or TSF, or a value an instance.
    ///
    /// ```
    /// use lengthwise::{Format, Options, Schema, read, tam::Table, x694, xsd};
    ///
    /// # fn main() -> Result<(), lengthwise::Error> {
    /// let source = xsd::Memory::new().with(
    ///     "reading.xsd",
    ///     r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
    ///          <xs:element name="celsius" type="xs:byte"/>
    ///        </xs:schema>"#,
    /// );
    /// let schema = xsd::Schema::read_from(source, "reading.xsd", &xsd::Options::default())?;
    /// let schema = Schema::from_xsd(schema, &x694::mapping::Options::default())?;
    /// let options = Options::default().with_schema(&schema);
    /// let mut table = Table::new();
    /// let document = read(b"1celsius<2[21", Format::Tsf, &options, &mut table)?;
    /// assert!(options.changes_by_schema(&document, Format::Json) && !options.changes_by_schema(&document, Format::Xml));
    /// assert_eq!(lengthwise::write(&document, Format::Json, &options)?, b"21");
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "xsd")]
    #[must_use]
    pub fn changes_by_schema(&self, document: &Document<'_>, to: Format) -> bool {
        let is_instance = document.types().vocabulary() == Vocabulary::Xml;
        // TSF holds what comes, unless its type set is given.
        let holds_either = to.is_tsf() && self.output_types.is_none();
        let changes = !holds_either && !to.needs_schema() && is_instance != self.holds_instances(to);
        changes && self.schema.is_some_and(Schema::is_xml)
    }

    /// The same options, strings of base64 becoming binary data.
    ///
    /// ```
    /// use lengthwise::{Base64, Format, Options, convert};
    ///
    /// # fn main() -> Result<(), lengthwise::Error> {
    /// let picture = br#"{"name":"p001","octets":"/9j/4A=="}"#;
    /// let options = Options::default().with_binary_from_base64(Base64::Members(&["octets"]));
    /// let message = convert(picture, Format::Json, Format::Pon, &options)?;
    /// assert_eq!(message, b"24{name:4sp001octets:4y\xFF\xD8\xFF\xE0");
    /// assert_eq!(convert(&message, Format::Pon, Format::Json, &Options::default())?, picture);
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(all(feature = "json", any(feature = "pon", feature = "tsf")))]
    #[must_use]
    pub const fn with_binary_from_base64(self, which: Base64<'s>) -> Options<'s> {
        Options { binary_from_base64: which, ..self }
    }

    /// The same options, attributes sorted by name or not.
    #[cfg(feature = "tsf")]
    #[must_use]
    pub const fn with_sorted_attributes(self, sort: bool) -> Options<'s> {
        Options { sort_attributes: sort, ..self }
    }

    /// The same options, text indented or not.
    #[cfg(any(feature = "xml", feature = "json"))]
    #[must_use]
    pub const fn with_pretty(self, pretty: bool) -> Options<'s> {
        Options { pretty, ..self }
    }

    /// The same options, for all of XML 1.0 or for namespace-well-formed documents only.
    #[cfg(feature = "xml")]
    #[must_use]
    pub const fn with_plain_xml(self, plain_xml: bool) -> Options<'s> {
        Options { plain_xml, ..self }
    }

    /// The same options, keeping references to entities or refusing them.
    #[cfg(any(feature = "xml", feature = "infoset"))]
    #[must_use]
    pub const fn with_entity_references(self, entity_references: bool) -> Options<'s> {
        Options { entity_references, ..self }
    }

    /// The same options, writing an XML declaration.
    #[cfg(feature = "xml")]
    #[must_use]
    pub const fn with_declaration(self, declaration: Option<&'s Declaration>) -> Options<'s> {
        Options { declaration, ..self }
    }

    /// The same options, numbering the items of arrays in XML or not.
    #[cfg(feature = "xml")]
    #[must_use]
    pub const fn with_numbered_items(self, numbered_items: bool) -> Options<'s> {
        Options { numbered_items, ..self }
    }

    /// The same options, writing elements of XML without content so.
    #[cfg(feature = "xml")]
    #[must_use]
    pub const fn with_empty_tags(self, empty_tags: EmptyTags) -> Options<'s> {
        Options { empty_tags, ..self }
    }

    /// The same options, writing the ends of lines of XML so.
    #[cfg(feature = "xml")]
    #[must_use]
    pub const fn with_line_ends(self, line_ends: LineEnds) -> Options<'s> {
        Options { line_ends, ..self }
    }

    /// Whether XML is written in another layout than that of the writers by a schema.
    #[cfg(feature = "xsd")]
    pub(crate) fn has_layout(&self) -> bool {
        self.pretty || self.empty_tags != EmptyTags::Single || self.line_ends != LineEnds::Lf
    }

    /// The same options, messages saying what a schema lets them.
    #[cfg(feature = "asn1")]
    #[must_use]
    pub const fn with_schema(self, schema: &'s Schema) -> Options<'s> {
        Options { schema: Some(schema), ..self }
    }

    /// The same options, writing the only encoding of a value or not.
    #[cfg(feature = "asn1")]
    #[must_use]
    pub const fn with_canonical(self, canonical: bool) -> Options<'s> {
        Options { canonical, ..self }
    }

    /// The same options, strings of an infoset being compressed so.
    #[cfg(feature = "infoset")]
    #[must_use]
    pub const fn with_strings(self, strings: Strings) -> Options<'s> {
        Options { strings, ..self }
    }

    /// The same options, shorter strings of an infoset not being compressed.
    #[cfg(feature = "infoset")]
    #[must_use]
    pub const fn with_strings_from(self, strings_from: u32) -> Options<'s> {
        Options { strings_from, ..self }
    }

    /// The same options, with strings of infosets that both sides have.
    #[cfg(feature = "infoset")]
    #[must_use]
    pub const fn with_shared_strings(self, shared_strings: Option<&'s SharedStrings>) -> Options<'s> {
        Options { shared_strings, ..self }
    }

    /// The same options, leaving out of an infoset what the paper leaves out or not.
    #[cfg(feature = "infoset")]
    #[must_use]
    pub const fn with_paper(self, paper: bool) -> Options<'s> {
        Options { paper, ..self }
    }

    /// The same options, tables being read and written so.
    #[cfg(feature = "tdxml")]
    #[must_use]
    pub const fn with_tables(self, tables: tdxml::Options<'s>) -> Options<'s> {
        Options { tables, ..self }
    }

    /// The same options under other limits.
    #[must_use]
    pub const fn with_limits(self, limits: Limits) -> Options<'s> {
        Options { limits, ..self }
    }
}
