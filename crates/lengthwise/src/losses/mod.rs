//! What a conversion drops or changes, found by reading its output back.

mod evidence;
mod json;
mod source;
mod values;
mod xml;

use core::fmt;

use asn1::NodeId;
use tam::{Document, Error, Meaning, Node, Step, Table, TypeSet, Vocabulary};

use self::evidence::Evidence;
use crate::{Format, Options, Types, typed};

/// A kind of content that a conversion does not keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum LossKind {
    /// Elements that are gone, with all that is in them.
    Element,
    /// Attributes that are gone.
    Attribute,
    /// Words that are gone: text between elements, for example.
    Text,
    /// White space beside the words of mixed content, or under `xml:space="preserve"`.
    Space,
    /// Text, attributes and JSON values that say something else now.
    Value,
    /// JSON members and items that are gone.
    Member,
    /// Repeated members of one name in a JSON object that are gone.
    Duplicate,
    /// JSON values that have another type now: binary data that became a string, for example.
    Type,
    /// Units of JSON written as XML, whose types do not come back.
    Structure,
    /// Values of a later version of the schema, which only their own encoding rules can carry.
    Unknown,
    /// Elements, attributes, text and members that the input did not have: defaults of a schema.
    Added,
    /// Attributes that only the DOCTYPE supplies, which are written out.
    Default,
    /// References to entities, which are replaced by their text.
    Entity,
    /// Comments.
    Comment,
    /// Processing instructions.
    Instruction,
    /// The document type declaration.
    Doctype,
    /// CDATA sections that became text.
    CData,
    /// `xsi:type`, `xsi:nil` and `xsi:schemaLocation` attributes that the message does without.
    Xsi,
    /// Namespace declarations whose prefix means nothing, or something else, where they were.
    Namespace,
    /// Names with another prefix of the same namespace.
    Prefix,
    /// Elements and objects whose content has another order.
    Order,
    /// Values that are spelled differently: `24.00` as `24`.
    Spelling,
}

impl LossKind {
    /// Every kind there is, in the order they are reported in.
    pub const ALL: &'static [LossKind] = &[
        LossKind::Element,
        LossKind::Attribute,
        LossKind::Text,
        LossKind::Space,
        LossKind::Value,
        LossKind::Member,
        LossKind::Duplicate,
        LossKind::Type,
        LossKind::Structure,
        LossKind::Unknown,
        LossKind::Added,
        LossKind::Default,
        LossKind::Entity,
        LossKind::Comment,
        LossKind::Instruction,
        LossKind::Doctype,
        LossKind::CData,
        LossKind::Xsi,
        LossKind::Namespace,
        LossKind::Prefix,
        LossKind::Order,
        LossKind::Spelling,
    ];

    /// The name that programs know the kind by: `comment`, `cdata`, `spelling`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            LossKind::Element => "element",
            LossKind::Attribute => "attribute",
            LossKind::Text => "text",
            LossKind::Space => "space",
            LossKind::Value => "value",
            LossKind::Member => "member",
            LossKind::Duplicate => "duplicate",
            LossKind::Type => "type",
            LossKind::Structure => "structure",
            LossKind::Unknown => "unknown",
            LossKind::Added => "added",
            LossKind::Default => "default",
            LossKind::Entity => "entity",
            LossKind::Comment => "comment",
            LossKind::Instruction => "instruction",
            LossKind::Doctype => "doctype",
            LossKind::CData => "cdata",
            LossKind::Xsi => "xsi",
            LossKind::Namespace => "namespace",
            LossKind::Prefix => "prefix",
            LossKind::Order => "order",
            LossKind::Spelling => "spelling",
        }
    }

    /// The kind in words, for one of it and for several.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            LossKind::Element => ("element dropped", "elements dropped"),
            LossKind::Attribute => ("attribute dropped", "attributes dropped"),
            LossKind::Text => ("text dropped", "texts dropped"),
            LossKind::Space => {
                ("run of white space in mixed content dropped", "runs of white space in mixed content dropped")
            }
            LossKind::Value => ("value changed", "values changed"),
            LossKind::Member => ("member dropped", "members dropped"),
            LossKind::Duplicate => ("duplicate member dropped", "duplicate members dropped"),
            LossKind::Type => ("type changed", "types changed"),
            LossKind::Structure => ("JSON value written as XML", "JSON values written as XML"),
            LossKind::Unknown => ("unknown extension dropped", "unknown extensions dropped"),
            LossKind::Added => ("default added by the schema", "defaults added by the schema"),
            LossKind::Default => ("default added by the DOCTYPE", "defaults added by the DOCTYPE"),
            LossKind::Entity => ("entity reference replaced by its text", "entity references replaced by their text"),
            LossKind::Comment => ("comment dropped", "comments dropped"),
            LossKind::Instruction => ("processing instruction dropped", "processing instructions dropped"),
            LossKind::Doctype => ("DOCTYPE dropped", "DOCTYPEs dropped"),
            LossKind::CData => ("CDATA section written as text", "CDATA sections written as text"),
            LossKind::Xsi => ("xsi attribute dropped", "xsi attributes dropped"),
            LossKind::Namespace => ("namespace declaration dropped", "namespace declarations dropped"),
            LossKind::Prefix => ("prefix changed", "prefixes changed"),
            LossKind::Order => ("order changed", "orders changed"),
            LossKind::Spelling => ("value spelled differently", "values spelled differently"),
        }
    }
}

impl fmt::Display for LossKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Content of one kind that a conversion did not keep.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// What it is.
    pub kind: LossKind,
    /// How many there are.
    pub count: u64,
    /// The first of them in the input.
    pub first: Place,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (one, several) = self.kind.words();
        write!(f, "{} {}", self.count, if self.count == 1 { one } else { several })?;
        match (self.first.position, self.first.path.as_str()) {
            (Some((line, column)), "" | "/") => write!(f, " (line {line}, column {column})"),
            (Some((line, column)), path) => write!(f, " (line {line}, column {column}, in {path})"),
            (None, "") => Ok(()),
            (None, path) => write!(f, " (in {path})"),
        }
    }
}

/// A place in the input of a conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The unit: an element, an attribute, a member. Empty where it is the whole message.
    pub path: String,
    /// Bytes from the start of the input, where the input has the thing at one place.
    pub offset: Option<u64>,
    /// Line and column from 1, where the input is text.
    pub position: Option<(u64, u64)>,
}

/// What a conversion did not keep: one entry a kind, in the order of [`LossKind::ALL`].
///
/// Not counted, because it is layout and no content: white space between elements (but in mixed content
/// and under `xml:space="preserve"`) and between JSON tokens, indentation, the quotes and the order of
/// attributes, how an empty element is written, character references and escapes, line ends, the XML
/// declaration and the encoding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    losses: Vec<Loss>,
}

impl Losses {
    /// Whether everything was kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.losses.is_empty()
    }

    /// One entry for each kind that there is some of.
    pub fn iter(&self) -> core::slice::Iter<'_, Loss> {
        self.losses.iter()
    }

    /// How many there are of a kind.
    #[must_use]
    pub fn count(&self, kind: LossKind) -> u64 {
        self.losses.iter().find(|loss| loss.kind == kind).map_or(0, |loss| loss.count)
    }

    /// Compares a message with what it was converted to. `options` are those of the conversion.
    ///
    /// Formats that keep a document by their construction (XML and TSF, JSON and PON) cost one look at the
    /// input; from others the output is read back and both documents are walked in step.
    ///
    /// ```
    /// use lengthwise::{Format, LossKind, Losses, Options, convert};
    ///
    /// # fn main() -> Result<(), lengthwise::Error> {
    /// let options = Options::default().with_paper(true);
    /// let note = b"<note><!-- for Ada -->tea</note>";
    /// let message = convert(note, Format::Xml, Format::InfosetUper, &options)?;
    /// let losses = Losses::between(note, Format::Xml, &message, Format::InfosetUper, &options)?;
    /// assert_eq!(losses.count(LossKind::Comment), 1);
    /// assert_eq!(losses.iter().next().unwrap().first.path, "/note");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When the input cannot be read, or the output cannot be read back: then the conversion cannot be
    /// trusted.
    pub fn between(
        input: &[u8],
        from: Format,
        output: &[u8],
        to: Format,
        options: &Options<'_>,
    ) -> Result<Losses, Error> {
        let mut losses = Losses::default();
        if from == Format::Xml {
            source::look(input, options, &mut losses)?;
        }
        // What is read back is no longer than what was written, but that may be longer than an input may be.
        let mut options = *options;
        let longest = u32::try_from(input.len().max(output.len())).unwrap_or(u32::MAX);
        options.limits.message_bytes = options.limits.message_bytes.max(longest);
        compare(input, from, output, to, &options, &mut losses)?;
        losses.losses.sort_by_key(|loss| loss.kind);
        Ok(losses)
    }

    /// Adds the counts of another message. The places are dropped: they are in a message of their own.
    pub fn add_counts(&mut self, other: &Losses) {
        self.merge(other.iter().cloned());
        for loss in &mut self.losses {
            loss.first = Place::default();
        }
        self.losses.sort_by_key(|loss| loss.kind);
    }

    /// Adds what another comparison found.
    fn merge(&mut self, found: impl IntoIterator<Item = Loss>) {
        for loss in found {
            match self.losses.iter_mut().find(|known| known.kind == loss.kind) {
                Some(known) => {
                    known.count += loss.count;
                    if loss.first.offset.is_some_and(|at| known.first.offset.is_none_or(|first| at < first)) {
                        known.first = loss.first;
                    }
                }
                None => self.losses.push(loss),
            }
        }
    }

    /// Adds a loss that has no place but the message.
    fn add(&mut self, kind: LossKind, count: u64) {
        if count > 0 {
            self.merge([Loss { kind, count, first: Place::default() }]);
        }
    }
}

impl<'l> IntoIterator for &'l Losses {
    type Item = &'l Loss;
    type IntoIter = core::slice::Iter<'l, Loss>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// `3 comments dropped (line 2, column 5, in /a), 1 DOCTYPE dropped (line 1, column 1)`.
impl fmt::Display for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, loss) in self.losses.iter().enumerate() {
            let between = if at == 0 { "" } else { ", " };
            write!(f, "{between}{loss}")?;
        }
        Ok(())
    }
}

/// Converts a message as [`convert`](crate::convert()) does, and reports what was dropped or changed.
///
/// ```
/// use lengthwise::{Format, LossKind, Options, convert_with_losses};
///
/// # fn main() -> Result<(), lengthwise::Error> {
/// let order = b"<order><!-- paid --><item>tea</item></order>";
/// let (_, losses) = convert_with_losses(order, Format::Xml, Format::Tsf, &Options::default())?;
/// assert!(losses.is_empty());
///
/// let mut options = Options::default();
/// options.tables.drop_mixed = true;
/// let (_, losses) = convert_with_losses(order, Format::Xml, Format::Tdxml, &options)?;
/// assert_eq!(losses.to_string(), "1 comment dropped (line 1, column 8, in /order)");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`convert`](crate::convert()) and [`Losses::between`].
pub fn convert_with_losses(
    input: &[u8],
    from: Format,
    to: Format,
    options: &Options<'_>,
) -> Result<(Vec<u8>, Losses), Error> {
    let output = crate::convert(input, from, to, options)?;
    let losses = Losses::between(input, from, &output, to, options)?;
    Ok((output, losses))
}

fn compare(
    input: &[u8],
    from: Format,
    output: &[u8],
    to: Format,
    options: &Options<'_>,
    losses: &mut Losses,
) -> Result<(), Error> {
    match (from, to) {
        _ if from.has_json_values() && decodes(to, options) => {}
        _ if from.needs_schema() => return values::compare(input, from, output, to, options, losses),
        _ if options.is_by_schema(from, to) => {}
        // One writer, and the document that the text was read into.
        (Format::Xml, Format::Xml) | (Format::Json, Format::Json | Format::Pon) => return Ok(()),
        (Format::Xml, Format::Tsf) if options.output_types.is_none_or(|types| types == Types::Xml) => return Ok(()),
        (Format::Json, Format::Tsf) if options.output_types != Some(Types::Xml) => return Ok(()),
        #[cfg(feature = "tdxml")]
        (_, Format::Tdxml) if options.tables.by_reference && options.tables.registry.is_none() => {
            // Nobody but the caller has the schema: the same rows with their schema are as good.
            let mut options = *options;
            options.tables.by_reference = false;
            let output = crate::convert(input, from, to, &options)?;
            return documents(input, from, &output, to, &options, losses);
        }
        _ => {}
    }
    documents(input, from, output, to, options, losses)
}

/// A message by a schema in the format of what it was made of, or in one that holds the same.
fn by_schema(
    root: Option<NodeId>,
    output: &[u8],
    to: Format,
    wanted: Format,
    options: &Options<'_>,
) -> Result<Vec<u8>, Error> {
    let mut reading = options.with_pretty(false).with_canonical(false).with_input_lengths(options.output_lengths);
    reading.input_types = options.output_types;
    let mut out = Vec::new();
    typed::convert_of(root, output, to, wanted, &reading, &mut out)?;
    Ok(out)
}

/// Compares the document of the input with the one that the output is read back into.
fn documents(
    input: &[u8],
    from: Format,
    output: &[u8],
    to: Format,
    options: &Options<'_>,
    losses: &mut Losses,
) -> Result<(), Error> {
    let (mut table, mut table_back) = (Table::new(), Table::new());
    let given = crate::read(input, from, &options.with_output_types(Types::Value), &mut table)?;
    let is_xml = given.types().vocabulary() == Vocabulary::Xml;
    #[cfg(feature = "tdxml")]
    let mut table_body = Table::new();
    #[cfg(feature = "tdxml")]
    let body = match is_xml && to == Format::Tdxml && options.tables.soap {
        true => tdxml::soap_body(&given, &mut table_body)?,
        false => None,
    };
    #[cfg(feature = "tdxml")]
    let given = match body {
        Some(body) => {
            // The envelope and its body: the message has others.
            losses.add(LossKind::Element, 2);
            body
        }
        None => given,
    };
    // What went through values of a schema comes back through them.
    // Text of JSON has none, and without a schema they are kept or become base64.
    let may_have_octets = !is_xml && from != Format::Json && options.schema.is_some();
    let is_octets = |node: Node<'_>| given.types().meaning(node.kind()) == Some(Meaning::Binary);
    let has_octets =
        may_have_octets && given.walk().any(|step| matches!(step, Step::Primitive(node) if is_octets(node)));
    let is_by_values = match to.needs_schema() {
        true => is_xml || has_octets,
        false => options.is_by_schema(from, to) || options.changes_by_schema(&given, to),
    };
    let values;
    let (output, to) = match is_by_values {
        true if is_xml => {
            values = by_schema(Some(typed::type_of_instance(&given, options)?), output, to, Format::Xml, options)?;
            (&values[..], Format::Xml)
        }
        true => {
            let as_given = if has_octets { Format::Pon } else { Format::Json };
            values = by_schema(None, output, to, as_given, options)?;
            (&values[..], as_given)
        }
        false => (output, to),
    };
    if !is_xml && writes_xml(to, options) {
        losses.add(LossKind::Structure, given.units() as u64);
        return Ok(());
    }
    let decodes = decodes(to, options);
    if !is_by_values && !decodes && is_kept(given.types(), to, options) {
        return Ok(());
    }
    let mut reading = options.with_input_lengths(options.output_lengths).with_output_types(Types::Value);
    reading.input_types = Some(options.output_types.unwrap_or(Types::of(given.types())));
    let back = crate::read(output, to, &reading, &mut table_back)?;
    if given.types().vocabulary() == Vocabulary::Custom {
        let mut evidence = Evidence::new(input, from);
        count_own_types(&given, &mut evidence);
        losses.merge(evidence.into_losses());
    }
    let mut evidence = Evidence::new(input, from);
    if is_xml {
        xml::compare(&given, &back, is_by_values, &mut evidence);
        losses.merge(evidence.into_losses());
        return Ok(());
    }
    let (mut text, mut text_back) = (Vec::new(), Vec::new());
    let (mut table, mut table_back) = (Table::new(), Table::new());
    let given = typed_values(given, options, &mut text, &mut table)?;
    let back = typed_values(back, options, &mut text_back, &mut table_back)?;
    json::compare(&given, &back, decodes, &mut evidence);
    losses.merge(evidence.into_losses());
    Ok(())
}

/// Whether one writer writes the document as it is: what it cannot write it refuses.
fn is_kept(types: &TypeSet, to: Format, options: &Options<'_>) -> bool {
    let is_written_in_its_own = options.output_types.is_none_or(|other| other.set() == types);
    match types.vocabulary() {
        Vocabulary::Xml => matches!(to, Format::Xml | Format::Tsf),
        Vocabulary::Json => to.has_json_values(),
        Vocabulary::Value => to == Format::Pon || to == Format::Tsf && is_written_in_its_own,
        _ => to == Format::Tsf && is_written_in_its_own,
    }
}

/// Counts the units of a type set of the user's own whose type is not the first of its meaning: that one is read instead.
fn count_own_types<'d>(given: &'d Document<'d>, evidence: &mut Evidence<'d, '_>) {
    let types = given.types();
    let is_first = |kind| types.meaning(kind).and_then(|meaning| types.type_of(meaning)) == Some(kind);
    for step in given.walk() {
        if let Step::Open(node) | Step::Primitive(node) = step
            && !is_first(node.kind())
        {
            evidence.at(LossKind::Type, node, Some(node));
        }
    }
}

/// Whether strings of base64 become binary data, which the writer must not be trusted with.
fn decodes(to: Format, options: &Options<'_>) -> bool {
    options.decodes_base64() && matches!(to, Format::Pon | Format::Tsf)
}

/// Whether a document of JSON becomes one of XML in a format.
fn writes_xml(to: Format, options: &Options<'_>) -> bool {
    match to {
        Format::Tsf => options.output_types == Some(Types::Xml),
        Format::Xml => true,
        #[cfg(feature = "tdxml")]
        Format::Tdxml => true,
        to => to.is_infoset(),
    }
}

/// A document of JSON under the type set that types its values.
fn typed_values<'a>(
    document: Document<'a>,
    options: &Options<'_>,
    text: &'a mut Vec<u8>,
    table: &'a mut Table<'_>,
) -> Result<Document<'a>, Error> {
    match document.types().vocabulary() {
        Vocabulary::Value => Ok(document),
        Vocabulary::Custom => crate::meaning::in_types(&document, TypeSet::VALUE, table),
        _ => crate::convert::through_text(&document, Types::Value, options, text, table),
    }
}
