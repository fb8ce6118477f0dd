//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args as Group, Parser, Subcommand, ValueEnum, builder::PossibleValue};
use lengthwise::xsd::mapping::Version;
use lengthwise::{Format, Lengths, Limits, Options, Schema, Strings, Types};

use crate::replay::Replay;

const STATUS: &str = "Exit status: 0 done; 1 an input was bad; 2 the command line was wrong; \
                      3 reading or writing failed.";

/// Convert XML and JSON into length-prefixed binary formats that are read without parsing.
///
/// Formats: XML, JSON, TSF (Transaction Serial Format), PON (PalCom Object Notation), the XML Infoset in
/// PER and BER, values of an ASN.1 or XML schema in PER and BER, and TDXML (Table Driven XML). What a
/// conversion does not keep is reported on standard error.
#[derive(Debug, Parser)]
#[command(name = "lengthwise", version, propagate_version = true, after_help = STATUS)]
pub(crate) struct Args {
    /// What to do.
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Convert(Convert),
    Inspect(Inspect),
    Check(Check),
    Get(Get),
    Compare(Compare),
    Schema(SchemaVerb),
    Replay(Replay),
}

impl Verb {
    /// The same, with the options that were given on the command line and not left to their defaults.
    pub(crate) fn with_given(mut self, matches: &ArgMatches) -> Verb {
        let given = matches.subcommand().map_or_else(Vec::new, |(_, matches)| {
            let is_given = |id: &&clap::Id| matches.value_source(id.as_str()) == Some(ValueSource::CommandLine);
            matches.ids().filter(is_given).map(|id| id.as_str().to_owned()).collect()
        });
        self.common_mut().given = Given(given);
        self
    }

    fn common_mut(&mut self) -> &mut Common {
        match self {
            Verb::Convert(args) => &mut args.common,
            Verb::Inspect(args) => &mut args.common,
            Verb::Check(args) => &mut args.common,
            Verb::Get(args) => &mut args.common,
            Verb::Compare(args) => &mut args.common,
            Verb::Schema(args) => &mut args.common,
            Verb::Replay(args) => &mut args.common,
        }
    }

    pub(crate) fn common(&self) -> &Common {
        match self {
            Verb::Convert(args) => &args.common,
            Verb::Inspect(args) => &args.common,
            Verb::Check(args) => &args.common,
            Verb::Get(args) => &args.common,
            Verb::Compare(args) => &args.common,
            Verb::Schema(args) => &args.common,
            Verb::Replay(args) => &args.common,
        }
    }
}

/// Convert messages from one format to another.
///
/// Several inputs, or a directory, are converted in parallel into the directory that -o names. An output
/// file appears whole or not at all.
///
/// What the output does not keep is reported on standard error, one line per input: comments that were
/// dropped, values that are spelled differently, and so on. The output is read back to find out.
#[derive(Debug, Group)]
#[command(after_long_help = "Examples:
  lengthwise convert order.xml -o order.tsf
  lengthwise convert order.tsf -t xml --pretty
  lengthwise convert - -f json -t tsf --types value < reading.json > reading.tsf
  lengthwise convert reading.json -o reading.pon
  lengthwise convert order.xml -t infoset-uper --strings zstd -o order.iuper
  lengthwise convert batch.json -s weather.asn1 -o batch.uper
  lengthwise convert orders.xml -o orders.tdxml --scheme grouped
  lengthwise convert messages/ -t tsf -o packed/")]
pub(crate) struct Convert {
    /// Files, directories, or - for standard input.
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// The file to write, or the directory for several inputs [default: standard output].
    #[arg(short, long, value_name = "OUTPUT")]
    pub(crate) output: Option<PathBuf>,
    /// The format to write [default: detected from the extension of OUTPUT].
    #[arg(short, long, value_name = "FORMAT")]
    pub(crate) to: Option<FormatArg>,
    /// TSF to TSF: what lengths count in the input; --lengths is for the output.
    #[arg(long, value_name = "UNIT")]
    pub(crate) from_lengths: Option<LengthsArg>,
    /// TSF to TSF: the type set of the input; --types is for the output.
    #[arg(long, value_name = "SET")]
    pub(crate) from_types: Option<TypesArg>,
    /// Write the attributes of XML in TSF sorted by name instead of in document order.
    #[arg(long)]
    pub(crate) sort_attributes: bool,
    /// Write TSF inside XML, as the instruction <?tsf MESSAGE?> in an element of its own.
    #[arg(long)]
    pub(crate) embed: bool,
    /// Read the TSF message that the first <?tsf MESSAGE?> of an XML document carries.
    #[arg(long)]
    pub(crate) embedded: bool,
    /// Compress the strings of an infoset.
    #[arg(long, value_name = "ALGORITHM", default_value = "none")]
    pub(crate) strings: StringsArg,
    /// Write an infoset as the paper's program did: without comments, instructions and the DOCTYPE.
    #[arg(long)]
    pub(crate) paper: bool,
    /// Write UPER, APER or BER as the only encoding of a value: CANONICAL-PER, DER.
    #[arg(long)]
    pub(crate) canonical: bool,
    #[command(flatten)]
    pub(crate) tables: crate::tdxml::Flags,
    /// Indent XML or JSON.
    #[arg(long)]
    pub(crate) pretty: bool,
    /// Fail (exit status 1) and write nothing if the output does not keep everything.
    #[arg(long)]
    pub(crate) lossless: bool,
    /// Do not read the output back: nothing is reported about what was dropped or changed.
    #[arg(long, conflicts_with = "lossless")]
    pub(crate) no_verify: bool,
    /// Number of inputs to convert at a time [default: number of cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    #[command(flatten)]
    pub(crate) common: Common,
}

impl Convert {
    /// What the flags say of a conversion between two formats.
    ///
    /// Where one side alone is TSF, `--lengths` and `--types` are about that side.
    pub(crate) fn options<'s>(&self, from: Format, to: Format, schema: Option<&'s Schema>) -> Options<'s> {
        let common = &self.common;
        let lengths = common.lengths();
        let both = from == Format::Tsf && to == Format::Tsf;
        let told = if both { Lengths::Bytes } else { lengths };
        let mut options = Options::default()
            .with_input_lengths(self.from_lengths.map_or(told, |unit| unit.0))
            .with_output_lengths(lengths)
            .with_sorted_attributes(self.sort_attributes)
            .with_strings(self.strings.0)
            .with_paper(self.paper)
            .with_canonical(self.canonical)
            .with_pretty(self.pretty)
            .with_plain_xml(common.plain_xml)
            .with_limits(common.limits());
        if to == Format::Tsf {
            options.output_types = common.types.map(|set| set.0);
        }
        options.schema = schema;
        options.tables = self.tables.options();
        let told = if to == Format::Tsf { None } else { common.types };
        options.input_types = self.from_types.or(told).map(|set| set.0);
        options.towards(to)
    }
}

/// Show the structure of a message beside its bytes.
///
/// One line a unit: offset, length, type, name and value. Of TSF and PON the offset is that of the
/// unit, and all that stands before its data is shown as its head: number, name and type of TSF, key,
/// length and type of PON. Of XML and JSON the offset is that of the value, or of the name of what
/// holds others; - where the message does not hold it as it is read. Of binary data the first octets
/// are shown in hexadecimal.
///
/// Of PER, BER and infosets in them one line a field: its first bit, how many bits it has, what they
/// are for, the type of the value they belong to, its name and the value. What they are for is one of
/// extension (whether the value is of the root), presence (which components are there), index (which
/// alternative), length, header (tag and length of BER), value, unknown (of a later version of the
/// schema) and padding.
#[derive(Debug, Group)]
#[command(after_long_help = "Examples:
  lengthwise inspect order.tsf
  lengthwise inspect picture.pon
  lengthwise inspect batch.uper -s weather.asn1
  lengthwise inspect order.iuper
  lengthwise inspect invoice.uper -s invoice.xsd --by-type
  lengthwise inspect --json reading.json | head -3")]
pub(crate) struct Inspect {
    /// A file, or - for standard input.
    #[arg(value_name = "INPUT")]
    pub(crate) input: PathBuf,
    /// PER, BER and infosets: where the bits go, one line for each kind of field: what they are for, and of
    /// values the type.
    #[arg(long)]
    pub(crate) by_type: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Check that messages are valid: silent with exit status 0, or the error with exit status 1.
///
/// With -s and an ASN.1 module (.asn1), JSON, and TSF and PON that hold JSON, are checked against its
/// types, and so are PER, BER and value notation.
///
/// With -s and an XML Schema (.xsd), XML documents are checked against it: elements, attributes, values,
/// keys. The schema is read once, with all that it includes and imports; nothing is fetched over a
/// network, and xsi:schemaLocation in a document is not followed.
///
/// With -s and a service description (.wsdl), messages must be SOAP messages of the service: its requests,
/// its responses, or faults.
///
/// A directory without a single message is an error.
#[derive(Debug, Group)]
#[command(after_long_help = "Examples:
  lengthwise check order.tsf
  lengthwise check --json messages/
  lengthwise check batch.uper -s weather.asn1
  lengthwise check order.xml -s order.xsd
  lengthwise check orders/ -s order.xsd -s local/xlink.xsd --root order
  lengthwise check request.xml -s service.wsdl
  lengthwise check --limit depth=100 - -f json < untrusted")]
pub(crate) struct Check {
    /// Files, directories, or - for standard input.
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Number of inputs to check at a time [default: number of cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Print one value of a message, by its path.
///
/// A path is steps behind slashes. A step is a name; name[2], the second of that name; a number,
/// counting from 0; and in XML @name, an attribute, and text(). In a step ~1 stands for a slash
/// and ~0 for ~. The text of a scalar is printed as it is, binary data in base64, a unit that holds
/// others in the format of the input, in JSON where that is one of a schema, and in XML where it is an
/// infoset. --raw is for programs: binary data is octets then, and no line
/// end is added. Of PON nothing is read but what the path leads through.
#[derive(Debug, Group)]
#[command(after_long_help = "Examples:
  lengthwise get order.xml /order/@id
  lengthwise get order.tsf '/order/item[2]/text()'
  lengthwise get reading.json /values/0
  lengthwise get batch.uper /readings/0/celsius -s weather.asn1
  lengthwise get picture.pon /image --raw -o image.png")]
pub(crate) struct Get {
    /// A file, or - for standard input.
    #[arg(value_name = "INPUT")]
    pub(crate) input: PathBuf,
    /// Where the value is.
    #[arg(value_name = "PATH")]
    pub(crate) path: String,
    /// Print the bytes of the value alone: octets of binary data as they are, no line end behind.
    ///
    /// A byte is its octet, other scalars are their text, true, false and null in words. What holds
    /// others is the part of the message that it is.
    #[arg(long, conflicts_with = "json")]
    pub(crate) raw: bool,
    /// The file to write; - or nothing is standard output.
    #[arg(short, long, value_name = "OUTPUT")]
    pub(crate) output: Option<PathBuf>,
    /// Indent XML or JSON.
    #[arg(long)]
    pub(crate) pretty: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Compare what every format makes of messages: size, and time to write and to read.
///
/// Sizes are in percent of the messages as they are; times are medians, speeds in megabytes of the
/// messages as they are. Encoding is from a document in memory, decoding into one, with a look at every
/// byte of the message. JSON is shown
/// as TSF twice: with its scalars as tokens (--types json) and as typed values (--types value). XML is
/// shown as an infoset by each encoding rules, and with each compression of its strings; JSON as UPER,
/// APER and BER where -s says what it is a value of, and so is XML where that is an XML Schema.
#[derive(Debug, Group)]
#[command(after_long_help = "Examples:
  lengthwise compare order.xml
  lengthwise compare messages/ --html comparison.html
  lengthwise compare batch.json -s weather.asn1
  lengthwise compare invoice.xml -s invoice.xsd
  lengthwise compare order.xml reading.json --svg comparison.svg")]
pub(crate) struct Compare {
    /// Files, directories, or - for standard input.
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Write a page with charts as well; it needs no other file.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write a picture with the charts as well; it needs no other file.
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// How long to repeat each measurement; 0.3 or, with many inputs, less unless told.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(crate) time: Option<Duration>,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Print a schema as it is understood, in the notation of ASN.1.
///
/// Names are followed and constraints are held together: what this prints is a schema that messages
/// can be read and written by. With --json one line a type tells its module, its name and whether it
/// would be taken for that of messages.
///
/// Of a message of TDXML it prints the data schema.
///
/// Of an XML Schema (.xsd) it prints the modules that X.694 makes of it, and tells on standard error
/// what they do not carry.
///
/// Of a description of a service (.wsdl) it prints the operations, the messages that they receive and send, and the
/// types of these: ? is a member that may be left out, * one that repeats. What cannot be carried is told on standard error.
/// With --json one line an operation, and then one a type. Into a file of ASN.1 (-o NAME.asn1) it prints the modules of the
/// schemas in it.
#[derive(Debug, Group)]
#[command(
    name = "schema",
    after_long_help = "Examples:
  lengthwise schema weather.asn1
  lengthwise schema protocol.asn1 -s imported.asn1 -o tidy.asn1
  lengthwise schema order.xsd -o order.asn1
  lengthwise schema service.wsdl
  lengthwise schema orders.tdxml -o schemas/orders.ds
  lengthwise schema --json weather.asn1"
)]
pub(crate) struct SchemaVerb {
    /// A module of ASN.1, or several in one file, an XML Schema or a description of a service; - for standard input.
    #[arg(value_name = "INPUT")]
    pub(crate) input: PathBuf,
    /// The file to write; - or nothing is standard output.
    #[arg(short, long, value_name = "OUTPUT")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// What every verb takes.
#[derive(Debug, Group)]
pub(crate) struct Common {
    /// The format of the input [default: detected from the extension, then from the content].
    #[arg(short, long, value_name = "FORMAT")]
    pub(crate) from: Option<FormatArg>,
    /// What messages of UPER, APER and BER may say: a module of ASN.1 (.asn1), to be given again for
    /// each that others import from; or an XML Schema (.xsd), whose instances become such messages. Repeat it
    /// for more schemas: an import or a wildcard takes what it needs from all of them, and a document may begin
    /// with an element of any. A description of a service (.wsdl) has schemas in it; for check and replay it tells
    /// of SOAP messages.
    #[arg(short, long, value_name = "SCHEMA")]
    pub(crate) schema: Vec<PathBuf>,
    /// A folder that XML Schemas and WSDL descriptions may include and import from. By default, only the folders
    /// of the files that -s names and what is below them.
    #[arg(long, value_name = "DIR")]
    pub(crate) allow_path: Vec<PathBuf>,
    /// The type that messages are of; without it, the one that no other type of the schema refers to. With
    /// an XML Schema the root element, {namespace}name where several have one; without it, that of the
    /// document, or the only one that the first schema document declares globally.
    #[arg(long, value_name = "NAME")]
    pub(crate) root: Option<String>,
    /// XML Schema: the version of X.694's mapping, which changes the bytes of dates and times.
    #[arg(long, value_name = "VERSION", default_value = "2")]
    pub(crate) mapping: MappingArg,
    /// TDXML: a directory of the schemas that messages may refer to: files of notation, whose names without
    /// .ds are their identifiers, and messages (.tdxml) whose schemas have one.
    #[arg(long, value_name = "DIR")]
    pub(crate) registry: Option<PathBuf>,
    /// TSF: what lengths count.
    #[arg(long, value_name = "UNIT", default_value = "bytes")]
    pub(crate) lengths: LengthsArg,
    /// TSF: the type set [default: that of the document, or detected from the message].
    #[arg(long, value_name = "SET")]
    pub(crate) types: Option<TypesArg>,
    /// XML: accept all of XML 1.0, such as prefixes that are not declared; without it, documents must be
    /// namespace-well-formed.
    #[arg(long)]
    pub(crate) plain_xml: bool,
    /// Set a resource limit, for example depth=500, or all of them: untrusted, default, none.
    ///
    /// The limits are depth, units, message_bytes, entity_expansion, decompressed_bytes,
    /// expansion_ratio and expansion_threshold. The value is a number, with K, M or G behind it for
    /// 2^10, 2^20 or 2^30 of them. May be given for each limit; later ones replace earlier ones.
    /// untrusted sets limits for messages of unknown senders. depth counts the elements of XML, the objects and arrays of JSON and
    /// PON, the structured values of a schema, and the structured units of TSF inside each other. TSF of XML may be two levels deeper, for the
    /// list around a document and the list of an element's attributes; other type sets may not.
    #[arg(long = "limit", value_name = "NAME=VALUE|SET", value_parser = parse_limit)]
    pub(crate) limits: Vec<Limit>,
    /// Print the result as JSON on standard output, one object a line.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print errors only: no notes, hints, excerpts or progress.
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// The options that were given on the command line.
    #[arg(skip)]
    pub(crate) given: Given,
}

/// The names that the parser knows the given options by.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given(pub(crate) Vec<String>);

impl Common {
    /// What lengths of TSF count.
    pub(crate) fn lengths(&self) -> Lengths {
        self.lengths.0
    }

    /// The limits, the defaults where nothing else was said.
    pub(crate) fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        for limit in &self.limits {
            limit.apply(&mut limits);
        }
        limits
    }

    /// What the flags say of reading a message.
    pub(crate) fn options<'s>(&self, schema: Option<&'s Schema>) -> Options<'s> {
        let mut options = Options::default().with_lengths(self.lengths()).with_limits(self.limits());
        options.schema = schema;
        options.plain_xml = self.plain_xml;
        options.tables = crate::tdxml::reading();
        options.input_types = self.types.map(|set| set.0);
        options.output_types = self.types.map(|set| set.0);
        options
    }
}

/// One `--limit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    One(&'static str, u32),
    All(Limits),
}

impl Limit {
    fn apply(self, limits: &mut Limits) {
        match self {
            Limit::One(name, bound) => {
                if let Some(limit) = limits.named_mut(name) {
                    *limit = bound;
                }
            }
            Limit::All(all) => *limits = all,
        }
    }
}

fn parse_limit(text: &str) -> Result<Limit, String> {
    match text {
        "untrusted" => return Ok(Limit::All(Limits::UNTRUSTED)),
        "default" => return Ok(Limit::All(Limits::DEFAULT)),
        "none" => return Ok(Limit::All(Limits::NONE)),
        _ => {}
    }
    let (name, value) = text.split_once('=').ok_or("a limit is NAME=VALUE, untrusted, default or none")?;
    let Some(name) = Limits::NAMES.into_iter().find(|known| *known == name) else {
        return Err(format!("no limit '{name}': there are {}", Limits::NAMES.join(", ")));
    };
    let (digits, shift) = match value.char_indices().last() {
        Some((at, 'k' | 'K')) => (&value[..at], 10),
        Some((at, 'm' | 'M')) => (&value[..at], 20),
        Some((at, 'g' | 'G')) => (&value[..at], 30),
        _ => (value, 0),
    };
    let number: u64 = digits.parse().map_err(|_| format!("'{value}' is no number"))?;
    // No table can address more.
    Ok(Limit::One(name, u32::try_from(number.saturating_mul(1 << shift)).unwrap_or(u32::MAX)))
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| format!("'{text}' is no number"))?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// A format, as `-f` and `-t` name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FormatArg(pub(crate) Format);

impl ValueEnum for FormatArg {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [FormatArg; Format::ALL.len()] = {
            let mut all = [FormatArg(Format::Xml); Format::ALL.len()];
            let mut i = 0;
            while i < all.len() {
                all[i] = FormatArg(Format::ALL[i]);
                i += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.as_str()))
    }
}

/// How strings are compressed, as `--strings` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StringsArg(pub(crate) Strings);

impl ValueEnum for StringsArg {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            StringsArg(Strings::None),
            StringsArg(Strings::Deflate),
            StringsArg(Strings::Bzip2),
            StringsArg(Strings::Zstd),
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(match self.0 {
            Strings::None => "none",
            strings => strings.as_str(),
        }))
    }
}

/// What lengths count, as `--lengths` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LengthsArg(pub(crate) Lengths);

impl ValueEnum for LengthsArg {
    fn value_variants<'a>() -> &'a [Self] {
        &[LengthsArg(Lengths::Bytes), LengthsArg(Lengths::Chars)]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self.0 {
            Lengths::Chars => PossibleValue::new("chars").help("characters: Unicode code points"),
            _ => PossibleValue::new("bytes").help("bytes, so that data can be binary"),
        })
    }
}

/// A version of the mapping of XML Schema, as `--mapping` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MappingArg(pub(crate) Version);

impl ValueEnum for MappingArg {
    fn value_variants<'a>() -> &'a [Self] {
        &[MappingArg(Version::V1), MappingArg(Version::V2)]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self.0 {
            Version::V1 => PossibleValue::new("1").help("dates, times and durations are text"),
            Version::V2 => PossibleValue::new("2").help("dates, times and durations are the time types of ASN.1"),
        })
    }
}

/// A type set, as `--types` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TypesArg(pub(crate) Types);

impl ValueEnum for TypesArg {
    fn value_variants<'a>() -> &'a [Self] {
        &[TypesArg(Types::Xml), TypesArg(Types::Json), TypesArg(Types::Value)]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self.0 {
            Types::Xml => "elements, attributes, text",
            Types::Json => "JSON values as their tokens",
            _ => "JSON values with types of their own",
        };
        Some(PossibleValue::new(self.0.as_str()).help(help))
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
        assert_eq!(FormatArg::value_variants().len(), Format::ALL.len());
        assert_eq!(TypesArg::value_variants().len(), Types::ALL.len());
    }

    #[test]
    fn limits_are_numbers_with_a_unit() {
        for (text, name, bound) in [
            ("depth=12", "depth", 12),
            ("message_bytes=2G", "message_bytes", 1 << 31),
            ("units=3k", "units", 3072),
            ("decompressed_bytes=1M", "decompressed_bytes", 1 << 20),
            ("expansion_ratio=20", "expansion_ratio", 20),
            ("message_bytes=4G", "message_bytes", u32::MAX),
        ] {
            assert_eq!(parse_limit(text), Ok(Limit::One(name, bound)));
        }
        for wrong in ["depth", "deep=1", "depth=", "depth=-1", "depth=1é", "Untrusted"] {
            assert!(parse_limit(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_set_of_limits_has_a_name() {
        let mut limits = Limits::DEFAULT;
        for text in ["depth=12", "untrusted", "units=3"] {
            parse_limit(text).expect(text).apply(&mut limits);
        }
        assert_eq!(limits, Limits { units: 3, ..Limits::UNTRUSTED });
    }
}
