//! Options by their names, with values as text.

// Builds of some formats have few options.
#![cfg_attr(
    not(all(feature = "infoset", feature = "pon", feature = "tdxml", feature = "tsf")),
    allow(dead_code, unused_macros, unused_mut)
)]

#[cfg(feature = "infoset")]
use infoset::Strings;
#[cfg(feature = "tsf")]
use tam::TypeSet;
use tam::{Error, ErrorKind, Limits};
#[cfg(feature = "tdxml")]
use tdxml::{Binary, Scheme};
#[cfg(feature = "xml")]
use text::xml::{EmptyTags, LineEnds};
#[cfg(feature = "tsf")]
use tsf::Lengths;

#[cfg(all(feature = "json", any(feature = "pon", feature = "tsf")))]
use crate::Base64;
#[cfg(feature = "asn1")]
use crate::Schema;
#[cfg(feature = "tsf")]
use crate::Types;
use crate::{Format, Options};

/// Options by their names, which are those of the command, with values as text: for programs that take both from elsewhere.
/// Options that would have no effect are refused.
///
/// ```
/// use lengthwise::{Format, Settings, convert};
///
/// # fn main() -> Result<(), lengthwise::Error> {
/// let mut settings = Settings::default();
/// settings.set("types", "value")?;
/// settings.set("limit.depth", "16")?;
/// let options = settings.options(Some(Format::Json), Some(Format::Tsf))?;
/// assert_eq!(convert(b"[21.50]", Format::Json, Format::Tsf, &options)?, b"1[5%21.50");
///
/// let error = settings.options(Some(Format::Json), Some(Format::Pon)).unwrap_err();
/// assert_eq!(error.to_string(), "unsupported: found the option 'types' for json to pon, expected TSF");
/// let error = settings.set("pretty", "very").unwrap_err();
/// assert_eq!(error.to_string(), "unsupported: found 'very' for the option 'pretty', expected true or false");
/// # Ok(())
/// # }
/// ```
///
/// [`Setting::ALL`] lists the options. Beside them there are limits, `limit.depth` and so on, as in
/// [`Limits`](tam::Limits), and `limits`, which is `untrusted` or `default`.
#[derive(Clone, Debug, Default)]
pub struct Settings<'v> {
    options: Options<'v>,
    #[cfg(feature = "tsf")]
    lengths: Sides<Lengths>,
    #[cfg(feature = "tsf")]
    types: Sides<Chosen>,
    #[cfg(all(feature = "json", any(feature = "pon", feature = "tsf")))]
    names: Vec<&'v str>,
    given: Vec<&'static Setting>,
}

/// What is said of TSF, and of TSF that is read if both sides are TSF.
#[cfg(feature = "tsf")]
#[derive(Clone, Debug)]
struct Sides<T> {
    any: Option<T>,
    from: Option<T>,
}

#[cfg(feature = "tsf")]
impl<T> Default for Sides<T> {
    fn default() -> Sides<T> {
        Sides { any: None, from: None }
    }
}

#[cfg(feature = "tsf")]
impl<T> Sides<T> {
    /// What holds for reading, and for writing.
    fn of(&self, reads: bool, writes: bool) -> (Option<&T>, Option<&T>) {
        let any = self.any.as_ref();
        match (reads, writes) {
            (true, true) => (self.from.as_ref(), any),
            (true, false) => (any, None),
            _ => (None, any),
        }
    }
}

/// A type set that was chosen.
#[cfg(feature = "tsf")]
#[derive(Clone, Debug)]
enum Chosen {
    BuiltIn(Types<'static>),
    Own(Box<TypeSet>),
}

#[cfg(feature = "tsf")]
impl Chosen {
    fn types(&self) -> Types<'_> {
        match self {
            Chosen::BuiltIn(types) => *types,
            Chosen::Own(set) => Types::Own(set),
        }
    }
}

impl<'v> Settings<'v> {
    /// Sets an option.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if there is no option of that name, or it does not take the value; [`ErrorKind::Syntax`] for
    /// the text of a type set.
    pub fn set(&mut self, name: &str, value: &'v str) -> Result<(), Error> {
        let refused = |expected: &str| {
            let found = format!("'{}' for the option '{name}'", tam::excerpt(value));
            Err(Error::without_place(ErrorKind::Unsupported, FORMAT, found, expected.to_owned()))
        };
        if let Some(limit) = name.strip_prefix("limit.").and_then(|name| self.options.limits.named_mut(name)) {
            return value.parse().map_or_else(
                |_| refused("a number below 4294967296"),
                |bound| {
                    *limit = bound;
                    Ok(())
                },
            );
        }
        if name == "limits" {
            self.options.limits = match value {
                "untrusted" => Limits::UNTRUSTED,
                "default" => Limits::DEFAULT,
                _ => return refused("untrusted or default"),
            };
            return Ok(());
        }
        let Some(setting) = Setting::from_name(name) else {
            let found = format!("the option '{}'", tam::excerpt(name));
            return Err(Error::without_place(ErrorKind::Unsupported, FORMAT, found, "an option that this build has"));
        };
        match (setting.set)(self, value) {
            Ok(()) => {
                // What is not asked for need not apply.
                self.given.retain(|other| other.name != name);
                if value != "false" {
                    self.given.push(setting);
                }
                Ok(())
            }
            Err(Refused::Value(expected)) => refused(expected),
            #[cfg(feature = "tsf")]
            Err(Refused::Types(error)) => Err(error),
        }
    }

    /// Sets all limits. Single ones can be set after it.
    pub fn set_limits(&mut self, limits: Limits) {
        self.options.limits = limits;
    }

    /// Sets the schema of the messages.
    #[cfg(feature = "asn1")]
    pub fn set_schema(&mut self, schema: &'v Schema) {
        self.options.schema = Some(schema);
    }

    /// The options for reading a format and writing another one; for one that is only read or only written the other is `None`.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] for an option that would have no effect.
    pub fn options(&self, from: Option<Format>, to: Option<Format>) -> Result<Options<'_>, Error> {
        #[cfg(feature = "asn1")]
        let by_xsd = self.options.schema.is_some_and(Schema::is_xml);
        #[cfg(not(feature = "asn1"))]
        let by_xsd = false;
        if let Some(setting) = self.given.iter().find(|setting| !setting.applies(from, to, by_xsd)) {
            let shown = |format: Option<Format>| format.map_or("", Format::as_str);
            let word = if from.is_some() && to.is_some() { " to " } else { "" };
            let found = format!("the option '{}' for {}{word}{}", setting.name, shown(from), shown(to));
            return Err(Error::without_place(ErrorKind::Unsupported, FORMAT, found, setting.purpose));
        }
        let mut options: Options<'_> = self.options;
        #[cfg(feature = "tsf")]
        {
            let (reads, writes) = (from.is_some_and(is_tsf), to.is_some_and(is_tsf));
            let (input, output) = self.types.of(reads, writes);
            (options.input_types, options.output_types) = (input.map(Chosen::types), output.map(Chosen::types));
            let (input, output) = self.lengths.of(reads, writes);
            options.input_lengths = input.copied().unwrap_or_default();
            options.output_lengths = output.copied().unwrap_or_default();
        }
        #[cfg(all(feature = "json", any(feature = "pon", feature = "tsf")))]
        if !self.names.is_empty() {
            options.binary_from_base64 = Base64::Members(&self.names);
        }
        Ok(options)
    }
}

/// The name of the format in errors.
const FORMAT: &str = "options";

/// Why a value is refused: what was expected, or the error in the text of a type set.
enum Refused {
    Value(&'static str),
    #[cfg(feature = "tsf")]
    Types(Error),
}

/// An option of [`Settings`].
#[derive(Debug)]
pub struct Setting {
    name: &'static str,
    purpose: &'static str,
    applies: fn(Use) -> bool,
    set: for<'v> fn(&mut Settings<'v>, &'v str) -> Result<(), Refused>,
}

/// The formats that are read and written.
#[derive(Clone, Copy)]
struct Use {
    from: Option<Format>,
    to: Option<Format>,
    by_xsd: bool,
}

impl Use {
    fn reads(self, is: impl Fn(Format) -> bool) -> bool {
        self.from.is_some_and(is)
    }

    fn writes(self, is: impl Fn(Format) -> bool) -> bool {
        self.to.is_some_and(is)
    }

    fn has(self, is: impl Fn(Format) -> bool) -> bool {
        self.reads(&is) || self.writes(is)
    }
}

impl Setting {
    /// Every option of this build.
    pub const ALL: &'static [Setting] = SETTINGS;

    /// The option of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<&'static Setting> {
        Setting::ALL.iter().find(|setting| setting.name == name)
    }

    /// Its name, such as `sort-attributes`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What it is for, such as `writing XML or JSON`.
    #[must_use]
    pub const fn purpose(&self) -> &'static str {
        self.purpose
    }

    /// Whether it has an effect for reading a format and writing another one, perhaps by a schema of XML.
    #[must_use]
    pub fn applies(&self, from: Option<Format>, to: Option<Format>, by_xsd: bool) -> bool {
        (self.applies)(Use { from, to, by_xsd })
    }
}

macro_rules! format_is {
    ($($name:ident: $feature:literal => $($format:ident)|+;)*) => {$(
        #[cfg(feature = $feature)]
        fn $name(format: Format) -> bool {
            matches!(format, $(Format::$format)|+)
        }

        #[cfg(not(feature = $feature))]
        fn $name(_: Format) -> bool {
            false
        }
    )*};
}

format_is! {
    is_tsf: "tsf" => Tsf;
    is_pon: "pon" => Pon;
    is_xml: "xml" => Xml;
    is_json: "json" => Json;
    is_tdxml: "tdxml" => Tdxml;
    has_canonical: "asn1" => Uper | Aper | Ber | Oer;
}

#[cfg(all(feature = "asn1", feature = "xml"))]
fn is_xer(format: Format) -> bool {
    format == Format::Xer
}

#[cfg(all(feature = "asn1", not(feature = "xml")))]
fn is_xer(_: Format) -> bool {
    false
}

/// Whether a format is a text that can be indented.
#[cfg(any(feature = "xml", feature = "json"))]
fn is_indented(format: Format) -> bool {
    is_xml(format) || is_json(format) || format.as_str() == "xer"
}

/// A value of a few, by its name.
fn one_of<T: Copy>(value: &str, expected: &'static str, all: &[(&str, T)]) -> Result<T, Refused> {
    let found = all.iter().find(|(name, _)| *name == value);
    found.map(|(_, value)| *value).ok_or(Refused::Value(expected))
}

fn flag(value: &str) -> Result<bool, Refused> {
    one_of(value, "true or false", &[("true", true), ("false", false)])
}

#[cfg(feature = "tsf")]
fn lengths(value: &str) -> Result<Option<Lengths>, Refused> {
    one_of(value, "bytes or chars", &[("bytes", Lengths::Bytes), ("chars", Lengths::Chars)]).map(Some)
}

/// A type set that is built in, by its name, or one's own, by its text.
#[cfg(feature = "tsf")]
fn types(value: &str) -> Result<Option<Chosen>, Refused> {
    if let Some(types) = Types::from_name(value) {
        return Ok(Some(Chosen::BuiltIn(types)));
    }
    if !value.contains(' ') {
        return Err(Refused::Value("xml, json, value or the text of a type set"));
    }
    TypeSet::from_text(value).map(|set| Some(Chosen::Own(Box::new(set)))).map_err(Refused::Types)
}

/// An option: its name, what it is for, when it applies, and how its value is set.
macro_rules! setting {
    ($name:literal, $purpose:literal, |$used:ident| $applies:expr, |$settings:ident, $value:ident| $set:expr) => {
        Setting {
            name: $name,
            purpose: $purpose,
            applies: |$used| $applies,
            set: |$settings, $value| {
                $set;
                Ok(())
            },
        }
    };
}

const SETTINGS: &[Setting] = &[
    #[cfg(any(feature = "xml", feature = "json"))]
    setting!("pretty", "writing XML, JSON or XER", |used| used.writes(is_indented), |own, value| own.options.pretty =
        flag(value)?),
    #[cfg(feature = "tsf")]
    setting!("lengths", "TSF", |used| used.has(is_tsf), |own, value| own.lengths.any = lengths(value)?),
    #[cfg(feature = "tsf")]
    setting!(
        "from-lengths",
        "converting TSF to TSF",
        |used| used.reads(is_tsf) && used.writes(is_tsf),
        |own, value| own.lengths.from = lengths(value)?
    ),
    #[cfg(feature = "tsf")]
    setting!("types", "TSF", |used| used.has(is_tsf), |own, value| own.types.any = types(value)?),
    #[cfg(feature = "tsf")]
    setting!("from-types", "converting TSF to TSF", |used| used.reads(is_tsf) && used.writes(is_tsf), |own, value| {
        own.types.from = types(value)?
    }),
    #[cfg(feature = "tsf")]
    setting!(
        "sort-attributes",
        "writing XML as TSF",
        |used| {
            let is_from_xml = |from: Format| from.is_infoset() || is_xml(from) || is_tdxml(from) || is_tsf(from);
            used.from.is_none_or(is_from_xml) && used.writes(is_tsf)
        },
        |own, value| own.options.sort_attributes = flag(value)?
    ),
    #[cfg(all(feature = "json", any(feature = "pon", feature = "tsf")))]
    setting!(
        "binary-from-base64",
        "writing JSON values as PON or TSF",
        |used| used.from.is_none_or(Format::has_json_values) && used.writes(|to| is_pon(to) || is_tsf(to)),
        |own, value| {
            let (which, names) = match value {
                "true" => (Base64::Likely, Vec::new()),
                "false" => (Base64::Keep, Vec::new()),
                names => (Base64::Keep, names.split(',').collect()),
            };
            if names.contains(&"") {
                return Err(Refused::Value("true, false, or names of members with commas between them"));
            }
            (own.options.binary_from_base64, own.names) = (which, names);
        }
    ),
    #[cfg(feature = "xml")]
    setting!("plain-xml", "reading or writing XML", |used| used.has(is_xml), |own, value| own.options.plain_xml =
        flag(value)?),
    #[cfg(any(feature = "xml", feature = "infoset"))]
    setting!(
        "keep-entity-references",
        "XML and infosets on both sides",
        |used| {
            let holds_references = |format: Format| is_xml(format) || format.is_infoset();
            used.reads(holds_references) && used.writes(holds_references)
        },
        |own, value| own.options.entity_references = flag(value)?
    ),
    #[cfg(feature = "xml")]
    setting!(
        "number-items",
        "writing JSON as XML, an infoset or TDXML",
        |used| {
            let has_json = |from: Format| from.has_json_values() || from.needs_schema();
            let holds_xml = |to: Format| is_xml(to) || is_tdxml(to) || to.is_infoset();
            used.from.is_none_or(has_json) && !used.by_xsd && used.writes(holds_xml)
        },
        |own, value| own.options.numbered_items = flag(value)?
    ),
    #[cfg(feature = "xml")]
    setting!("empty-tags", "writing XML", |used| used.writes(is_xml), |own, value| {
        let forms = [("single", EmptyTags::Single), ("pair", EmptyTags::Pair)];
        own.options.empty_tags = one_of(value, "single or pair", &forms)?;
    }),
    #[cfg(feature = "xml")]
    setting!("line-ends", "writing XML", |used| used.writes(is_xml), |own, value| {
        own.options.line_ends = one_of(value, "lf or crlf", &[("lf", LineEnds::Lf), ("crlf", LineEnds::CrLf)])?;
    }),
    #[cfg(feature = "asn1")]
    setting!(
        "canonical",
        "writing UPER, APER, BER, OER or XER",
        |used| used.writes(|to| has_canonical(to) || is_xer(to)),
        |own, value| own.options.canonical = flag(value)?
    ),
    #[cfg(feature = "infoset")]
    setting!("strings", "writing an infoset", |used| used.writes(Format::is_infoset), |own, value| {
        let all = [
            ("none", Strings::None),
            ("deflate", Strings::Deflate),
            ("bzip2", Strings::Bzip2),
            ("zstd", Strings::Zstd),
        ];
        own.options.strings = one_of(value, "none, deflate, bzip2 or zstd", &all)?;
    }),
    #[cfg(feature = "infoset")]
    setting!("strings-from", "writing an infoset", |used| used.writes(Format::is_infoset), |own, value| {
        own.options.strings_from = value.parse().map_err(|_| Refused::Value("a number of bytes"))?;
    }),
    #[cfg(feature = "infoset")]
    setting!("paper", "writing an infoset", |used| used.writes(Format::is_infoset), |own, value| own.options.paper =
        flag(value)?),
    #[cfg(feature = "tdxml")]
    setting!("scheme", "writing TDXML", |used| used.writes(is_tdxml), |own, value| {
        let schemes = [("aggregated", Scheme::Aggregated), ("grouped", Scheme::Grouped), ("smaller", Scheme::Smaller)];
        own.options.tables.scheme = one_of(value, "aggregated, grouped or smaller", &schemes)?;
    }),
    #[cfg(feature = "tdxml")]
    setting!("binary", "writing TDXML", |used| used.writes(is_tdxml), |own, value| {
        own.options.tables.binary =
            one_of(value, "base64 or mime", &[("base64", Binary::Base64), ("mime", Binary::Mime)])?;
    }),
    #[cfg(feature = "tdxml")]
    setting!("drop-comments", "writing TDXML", |used| used.writes(is_tdxml), |own, value| own
        .options
        .tables
        .drop_comments =
        flag(value)?),
    #[cfg(feature = "tdxml")]
    setting!("drop-mixed", "writing TDXML", |used| used.writes(is_tdxml), |own, value| own.options.tables.drop_mixed =
        flag(value)?),
    #[cfg(feature = "tdxml")]
    setting!(
        "embed-schema",
        "writing TDXML by an XML Schema",
        |used| used.by_xsd && used.writes(is_tdxml),
        |own, value| own.options.embed_schema = flag(value)?
    ),
    #[cfg(feature = "tdxml")]
    setting!("soap", "writing TDXML", |used| used.writes(is_tdxml), |own, value| own.options.tables.soap =
        flag(value)?),
];
