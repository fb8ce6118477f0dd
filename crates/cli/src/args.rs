//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::parser::ValueSource;
use clap::{
    ArgMatches, Args as Group, Parser, Subcommand, ValueEnum,
    builder::{NonEmptyStringValueParser, PossibleValue},
};
use lengthwise::x694::mapping::Version;
use lengthwise::{EmptyTags, Format, Lengths, Limits, LineEnds, Options, Schema, Strings, Types};
use lengthwise_compress::{Compression, Dictionary};
use lengthwise_frames::{Framing, Port};

use crate::choice::choice;
use crate::inputs::{Input, is_standard};
use crate::installed::{Completions, Manual};
use crate::output::refuse_overwriting;
use crate::replay::Replay;
use crate::report::Failure;
use crate::shared_strings;
use crate::tables::{Kind, OnErrorArg, Paths, TimesArg};
use crate::type_sets::{self, TypesArg};

const STATUS: &str = "Exit status: 0 done; 1 bad input; 2 wrong command line; 3 reading or writing failed";

const FORMATS: &str = "Formats:
  xml, json         text
  tsf               Transaction Serial Format
  pon               PalCom Object Notation
  infoset-uper, infoset-aper, infoset-ber
                    any XML as an XML Infoset, in PER or BER
  uper, aper, ber, der, cer, oer, coer
                    values of an ASN.1 module or an XML Schema (-s), in PER, BER, DER, CER, OER or
                    CANONICAL-OER
  xer, cxer         the same values in XML, by the basic or canonical XML Encoding Rules
  asn1              the same values in ASN.1 value notation
  tdxml             Table Driven XML
  parquet, arrow, csv
                    a table of messages of a schema (-t of convert)

Exit status: 0 done; 1 bad input; 2 wrong command line; 3 reading or writing failed";

/// Headings that options are grouped under.
const SCHEMA: &str = "Schema";
const MESSAGES: &str = "Several messages";
const LOSSES: &str = "Losses";
const RULES: &str = "PER, BER and OER";
const BITS: &str = "PER, BER, OER and XML Infoset";
const INFOSET: &str = "XML Infoset";
const TSF: &str = "TSF";
const COMPRESSION: &str = "Compression";
const VALUES: &str = "JSON values";
const XML: &str = "XML";
pub(crate) const TDXML: &str = "TDXML";
const TABLES: &str = "Tables";

/// Convert XML and JSON into length-prefixed binary formats that are read without parsing.
#[derive(Debug, Parser)]
#[command(name = "lengthwise", version, propagate_version = true, after_help = STATUS, after_long_help = FORMATS)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) task: Task,
}

/// What the command is to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    #[command(flatten)]
    Verb(Box<Verb>),
    Completions(Completions),
    Manual(Manual),
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Convert(Convert),
    Inspect(Inspect),
    Check(Check),
    Get(Get),
    Example(Example),
    Compare(Compare),
    Schema(SchemaVerb),
    Replay(Replay),
    Train(Train),
}

impl Verb {
    /// The same, with the list of options that were given explicitly.
    pub(crate) fn with_given(mut self, matches: &ArgMatches) -> Verb {
        let given = matches.subcommand().map_or_else(Vec::new, |(_, matches)| {
            let is_given = |id: &&clap::Id| matches.value_source(id.as_str()) == Some(ValueSource::CommandLine);
            matches.ids().filter(is_given).map(|id| id.as_str().replace('_', "-")).collect()
        });
        let outputs = self.outputs().into_iter().flatten().filter(|path| !is_standard(path)).cloned().collect();
        self.common_mut().outputs = outputs;
        self.common_mut().given = GivenOptions(given);
        self
    }

    fn outputs(&self) -> [Option<&PathBuf>; 2] {
        match self {
            Verb::Convert(args) => [args.output.as_ref(), None],
            Verb::Inspect(args) => [args.html.as_ref(), None],
            Verb::Get(args) => [args.output.as_ref(), None],
            Verb::Example(args) => [args.output.as_ref(), None],
            Verb::Compare(args) => [args.html.as_ref(), args.svg.as_ref()],
            Verb::Schema(args) => [args.output.as_ref(), args.html.as_ref()],
            Verb::Train(args) => [Some(&args.output), None],
            Verb::Replay(args) => [args.html.as_ref(), None],
            Verb::Check(_) => [None, None],
        }
    }

    pub(crate) fn common_mut(&mut self) -> &mut Common {
        match self {
            Verb::Convert(args) => &mut args.common,
            Verb::Inspect(args) => &mut args.common,
            Verb::Check(args) => &mut args.common,
            Verb::Get(args) => &mut args.common,
            Verb::Example(args) => &mut args.common,
            Verb::Compare(args) => &mut args.common,
            Verb::Schema(args) => &mut args.common,
            Verb::Replay(args) => &mut args.common,
            Verb::Train(args) => &mut args.common,
        }
    }

    pub(crate) fn common(&self) -> &Common {
        match self {
            Verb::Convert(args) => &args.common,
            Verb::Inspect(args) => &args.common,
            Verb::Check(args) => &args.common,
            Verb::Get(args) => &args.common,
            Verb::Example(args) => &args.common,
            Verb::Compare(args) => &args.common,
            Verb::Schema(args) => &args.common,
            Verb::Replay(args) => &args.common,
            Verb::Train(args) => &args.common,
        }
    }
}

/// Convert messages from one format to another.
///
/// Several inputs, or a directory, are converted in parallel into the directory that -o names. An output
/// file appears complete or not at all.
///
/// The output is read back and compared with the input. What was dropped or changed, such as comments or the
/// spelling of numbers, is reported on standard error, one line per input.
#[derive(Debug, Group)]
#[command(after_long_help = "Examples:
  lengthwise convert order.xml -o order.tsf
  lengthwise convert order.tsf -t xml --pretty
  lengthwise convert - -f json -t tsf --types value < reading.json > reading.tsf
  lengthwise convert reading.json -o reading.tsf --types readings.types
  lengthwise convert reading.json -o reading.pon
  lengthwise convert order.xml -t infoset-uper --strings zstd -o order.iuper
  lengthwise convert batch.json -s weather.asn1 -o batch.uper
  lengthwise convert orders.xml -o orders.tdxml --scheme grouped
  lengthwise convert messages/ -t tsf -o packed/
  lengthwise convert messages/ -s weather.asn1 --columns station/id,since -o weather.parquet")]
pub(crate) struct Convert {
    /// Files, directories, or - for standard input.
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Output file or directory [default: standard output].
    #[arg(short, long, value_name = "OUTPUT", display_order = 0)]
    pub(crate) output: Option<PathBuf>,
    /// Output format, as for -f, or a table [default: from the extension of OUTPUT].
    ///
    /// Tables are parquet, arrow and csv. They have a row for each message of a schema (-s), and a column for each component of
    /// its type.
    #[arg(short, long, value_name = "FORMAT", display_order = 0, hide_possible_values = true)]
    pub(crate) to: Option<TargetArg>,
    /// Indent XML or JSON.
    #[arg(long)]
    pub(crate) pretty: bool,
    /// Number of threads that convert [default: number of cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    #[command(flatten)]
    pub(crate) common: Common,
    /// Fail and write nothing if anything would be dropped or changed.
    #[arg(long, conflicts_with = "entities", help_heading = LOSSES)]
    pub(crate) lossless: bool,
    /// How messages follow each other in the output, as for --framing.
    ///
    /// hex-lines writes hexadecimal. By default JSON texts have a line each, and messages in PON, TSF, BER, DER and CER follow each other. Other formats
    /// need this option, or --each.
    #[arg(long, value_name = "FRAMING", conflicts_with = "each", help_heading = MESSAGES)]
    pub(crate) to_framing: Option<Framing>,
    /// Write each message to a file of its own in the directory OUTPUT: NAME-000001.EXT.
    #[arg(long, requires = "output", help_heading = MESSAGES)]
    pub(crate) each: bool,
    /// Compress each message: zstd[:LEVEL], gzip[:LEVEL] [default: as OUTPUT is named].
    ///
    /// An output whose name ends with .zst or .gz is compressed without this option. Levels are 1 to 19 for zstd and 1 to 9 for gzip; by default the highest. deflate is another name of gzip. Messages that
    /// are written one after the other are compressed one by one; so are those of --to-framing, inside their frames.
    #[arg(long, value_name = "METHOD", help_heading = COMPRESSION)]
    pub(crate) compress: Option<Compression>,
    /// Do not compare the output with the input; losses go unreported.
    #[arg(long, conflicts_with = "lossless", help_heading = LOSSES)]
    pub(crate) no_verify: bool,
    /// Write the only valid encoding: CANONICAL-PER, DER or CANONICAL-OER.
    #[arg(long, help_heading = RULES)]
    pub(crate) canonical: bool,
    /// Write base64 strings as binary data: members NAMES, or likely ones.
    ///
    /// With NAMES (a,b): the values of these members, and the items of arrays that are their values. A string that is not base64
    /// is an error; other values stay as they are and are counted. Without NAMES: strings in canonical base64 (padded, without white space) of at least 16 characters, with letters of
    /// both cases, and with a digit or padding. So words, paths, numbers and hexadecimal digits stay strings. For PON, and TSF
    /// with --types value. JSON that is written from the result has the same text again.
    #[arg(long, value_name = "NAMES", num_args = 0..=1, require_equals = true, value_delimiter = ',', value_parser = NonEmptyStringValueParser::new(), help_heading = VALUES)]
    pub(crate) binary_from_base64: Option<Vec<String>>,
    /// Compress strings.
    #[arg(long, value_name = "ALGORITHM", default_value = "none", help_heading = INFOSET)]
    pub(crate) strings: StringsArg,
    /// Compress strings of BYTES or more only.
    ///
    /// Shorter ones are read without decompressing anything.
    #[arg(long, value_name = "BYTES", requires = "strings", help_heading = INFOSET,
        value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) strings_from: Option<u32>,
    /// Keep the XML declaration: version, name of the encoding, standalone.
    ///
    /// XML and infosets have it; by default neither is written with one. XML is written in UTF-8, and says so.
    #[arg(long, help_heading = XML)]
    pub(crate) declaration: bool,
    /// Keep references to external entities, which are refused by default.
    ///
    /// For XML and infosets on both sides. No external entity is read: `&chapter;` stays a reference, and the DOCTYPE, which declares the
    /// entity, comes along. References to entities that only an external subset or a parameter entity can declare are kept as well.
    #[arg(long, conflicts_with_all = ["entities", "paper"], help_heading = XML)]
    pub(crate) keep_entity_references: bool,
    /// Drop comments, instructions and the DOCTYPE, as the paper does.
    #[arg(long, conflicts_with_all = ["declaration", "shared_strings", "strings_from"], help_heading = INFOSET)]
    pub(crate) paper: bool,
    /// How elements without content are written.
    #[arg(long, value_name = "FORM", default_value = "single", help_heading = XML)]
    pub(crate) empty_tags: EmptyTagsArg,
    /// What lines of XML end with.
    #[arg(long, value_name = "ENDS", default_value = "lf", help_heading = XML)]
    pub(crate) line_ends: LineEndsArg,
    /// Number the items of arrays of JSON in XML: e0s1i1, e0s1i2 instead of e0s1.
    ///
    /// Items have no names, so their elements are named by the level and the place of their array.
    #[arg(long, help_heading = XML)]
    pub(crate) number_items: bool,
    /// Type set of the input, if both sides are TSF: a name or a file, as for --types.
    #[arg(long, value_name = "SET", value_parser = type_sets::parse, help_heading = TSF)]
    pub(crate) from_types: Option<TypesArg>,
    /// Unit of lengths in the input, if both sides are TSF.
    #[arg(long, value_name = "UNIT", help_heading = TSF)]
    pub(crate) from_lengths: Option<LengthsArg>,
    /// Sort attributes by name instead of keeping document order.
    #[arg(long, help_heading = TSF)]
    pub(crate) sort_attributes: bool,
    /// Write the messages into an XML document, as <?tsf MESSAGE?>.
    #[arg(long, help_heading = TSF)]
    pub(crate) embed: bool,
    /// The same, into a copy of an XML document: at the end of its root element.
    #[arg(long, value_name = "DOCUMENT", conflicts_with = "embed", help_heading = TSF)]
    pub(crate) embed_into: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) tables: crate::tdxml::Flags,
    /// Columns of the table, by the paths of their components: a,b/c [default: all].
    ///
    /// What no column needs is not decoded. Items of a list have its path. Names may be in quotes: '"a,b"/c'.
    #[arg(long, value_name = "PATHS", value_parser = crate::tables::paths, help_heading = TABLES)]
    pub(crate) columns: Vec<Paths>,
    /// Columns that are left out, by their paths.
    #[arg(long, value_name = "PATHS", value_parser = crate::tables::paths, help_heading = TABLES)]
    pub(crate) exclude_columns: Vec<Paths>,
    /// What columns of times are.
    ///
    /// Arrow's types keep the moment, but not its spelling: the zone, the number of digits. A message with a time that the column
    /// cannot hold is one that cannot be read.
    #[arg(long, value_name = "TYPES", default_value = "exact", help_heading = TABLES)]
    pub(crate) times: TimesArg,
    /// What becomes of messages that cannot be read.
    #[arg(long, value_name = "WHAT", default_value = "collect", help_heading = TABLES)]
    pub(crate) on_error: OnErrorArg,
    /// Rows that are kept in memory before they are written.
    #[arg(long, value_name = "N", default_value = "65536", help_heading = TABLES,
        value_parser = clap::value_parser!(u32).range(1..=1 << 24))]
    pub(crate) batch_rows: u32,
}

impl Convert {
    /// Whether the messages are written into an XML document.
    pub(crate) fn embeds(&self) -> bool {
        self.embed || self.embed_into.is_some()
    }

    /// The option that says so.
    pub(crate) fn embedding(&self) -> &'static str {
        if self.embed { "--embed" } else { "--embed-into" }
    }

    /// The output format of messages that was asked for.
    pub(crate) fn format(&self) -> Option<Format> {
        match self.to? {
            TargetArg::Messages(format) => Some(format),
            TargetArg::Table(_) => None,
        }
    }

    /// The names of members whose strings become binary data; none of them for likely ones.
    pub(crate) fn binary_names(&self) -> Option<Vec<&str>> {
        self.binary_from_base64.as_ref().map(|names| names.iter().map(String::as_str).collect())
    }

    /// The conversion options that the flags select.
    ///
    /// If only one side is TSF, `--lengths` and `--types` apply to that side.
    pub(crate) fn options<'s>(&self, from: Format, to: Format, schema: Option<&'s Schema>) -> Options<'s> {
        let common = &self.common;
        let lengths = common.lengths();
        let both = from == Format::Tsf && to == Format::Tsf;
        let default = if both { Lengths::Bytes } else { lengths };
        let mut options = Options::default()
            .with_input_lengths(self.from_lengths.map_or(default, |unit| unit.0))
            .with_output_lengths(lengths)
            .with_sorted_attributes(self.sort_attributes)
            .with_strings(self.strings.0)
            .with_strings_from(self.strings_from.unwrap_or(0))
            .with_shared_strings(shared_strings::get())
            .with_paper(self.paper)
            .with_canonical(self.canonical)
            .with_pretty(self.pretty)
            .with_plain_xml(common.plain_xml)
            .with_entity_references(self.keep_entity_references)
            .with_numbered_items(self.number_items)
            .with_empty_tags(self.empty_tags.0)
            .with_line_ends(self.line_ends.0)
            .with_limits(common.limits());
        if to == Format::Tsf {
            options.output_types = common.types();
        }
        options.schema = schema;
        options.tables = self.tables.options();
        options.embed_schema = self.tables.embed_schema;
        let default = if to == Format::Tsf { None } else { common.types() };
        options.input_types = self.from_types.as_ref().and_then(TypesArg::set).or(default);
        options.towards(to)
    }
}

const INSPECT: &str = "Show the structure of a message next to its bytes.

Prints one line per unit: offset, length, type, name and value. For TSF and PON the offset is that of \
    the unit, and the head column shows the bytes before its data: number, name and type in TSF; key, length \
    and type in PON. For XML and JSON the offset is that of the value, or of the name for units that contain \
    others; it is - where the value does not occur in the text as it is read. Binary data is shown by its \
    first bytes in hexadecimal.

For PER, BER and infosets it prints one line per field: first bit, number of bits, purpose, type, name \
    and value. The purpose is one of:
  extension  whether the value is outside the extension root
  presence   which optional components are present
  index      which alternative of a CHOICE was chosen
  length     a length determinant
  header     tag and length (BER)
  value      the value itself
  unknown    an addition of a later version of the schema
  padding    bits up to the next byte";

/// Show the structure of a message next to its bytes.
#[derive(Debug, Group)]
#[command(
    long_about = INSPECT,
    after_long_help = "Examples:
  lengthwise inspect order.tsf
  lengthwise inspect picture.pon
  lengthwise inspect batch.uper -s weather.asn1
  lengthwise inspect order.iuper
  lengthwise inspect invoice.uper -s invoice.xsd --by-type
  lengthwise inspect batch.uper -s weather.asn1 --html batch.html
  lengthwise inspect order.xml --stats
  lengthwise inspect --json reading.json | head -3"
)]
pub(crate) struct Inspect {
    /// A file, or - for standard input.
    #[arg(value_name = "INPUT")]
    pub(crate) input: PathBuf,
    /// Count bits by purpose and type instead of listing fields.
    #[arg(long, help_heading = BITS)]
    pub(crate) by_type: bool,
    /// Write an HTML page that shows the message, instead of printing it.
    ///
    /// The page is one file: the structure beside the bytes (bits for PER), where selecting one shows the other, where the bytes
    /// go by name, and the text of the schema. It shows one message, at most 200 000 rows and 4 MiB of it, and says what it leaves
    /// out. If the message has an error, the page shows what is before it.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["by_type", "json"])]
    pub(crate) html: Option<PathBuf>,
    /// Count units, lengths, depth and allocations, and estimate the energy.
    ///
    /// Units by type, the lengths of names and data, depth and children are counted as the paper of TSF does; so are the
    /// allocations of its model and of a tree of nodes. The energy is that of a microcontroller and its radio, with the
    /// assumptions of docs/embedded.md, which are printed with it.
    #[arg(long, conflicts_with_all = ["by_type", "html"])]
    pub(crate) stats: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Check that messages are valid.
///
/// Prints nothing and exits with status 0 if all inputs are valid; otherwise prints the errors and exits with
/// status 1.
///
/// With -s MODULE.asn1, JSON is checked against the types of the module, and so are TSF and PON that hold
/// JSON, PER, BER and value notation.
///
/// With -s SCHEMA.xsd, XML documents are validated: elements, attributes, values, keys. The schema is read
/// once, with everything that it includes and imports. Nothing is fetched over a network, and
/// xsi:schemaLocation in a document is ignored. Documents of XML in TSF, infosets and TDXML are validated
/// in the same way, and values in JSON, PON and TSF as the XML that they become.
///
/// With -s SERVICE.wsdl, messages must be SOAP messages of the service: requests, responses or faults.
///
/// A directory that contains no message is an error.
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
    /// Number of inputs to check in parallel [default: number of cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    #[command(flatten)]
    pub(crate) common: Common,
}

const GET: &str = "Print one value of a message.

A path is a sequence of steps, each after a slash: /order/item[2]/@id. A step is one of:
  name      a child element, or a member of an object
  name[2]   the second child of that name
  0         an index, counted from 0
  @name     an attribute (XML)
  text()    the text of an element (XML)
  *         any child; *:name one with any prefix, {uri}name one in a namespace

A path may also search and ask: //name is at any depth, line[@id='x'], line[price>10], order[line/price>10] and \
    //*[name] have conditions. The first that is found is printed; --all prints all, --count how many there are.
In a step, ~1 means a slash and ~0 means ~. A message by an XML Schema has the paths of its XML too, with \
    the prefixes that convert writes: /order/lines/g:line[2].

A scalar is printed as text, binary data as base64. A value that contains others is printed in the \
    format of the input; values of a schema are printed as JSON, infosets as XML.

In PON only the values along the path are read.";

/// Print one value of a message.
#[derive(Debug, Group)]
#[command(
    long_about = GET,
    after_long_help = "Examples:
  lengthwise get order.xml /order/@id
  lengthwise get order.tsf '/order/item[2]/text()'
  lengthwise get reading.json /values/0
  lengthwise get order.xml '//line[price>10]/title/text()' --all
  lengthwise get batch.uper /readings/0/celsius -s weather.asn1
  lengthwise get picture.pon /image --raw -o image.png"
)]
pub(crate) struct Get {
    /// A file, or - for standard input.
    #[arg(value_name = "INPUT")]
    pub(crate) input: PathBuf,
    /// Path of the value, such as /order/item[2]/@id.
    #[arg(value_name = "PATH")]
    pub(crate) path: String,
    /// Print only the bytes of the value: no base64, no line end.
    ///
    /// Binary data and bytes are written unchanged, and so is an OCTET STRING of a message of a schema. Other scalars are
    /// written as text; true, false and null as words. A value that contains others is written as the part of the message
    /// that holds it; messages of a schema have no such parts.
    #[arg(long, conflicts_with = "json")]
    pub(crate) raw: bool,
    /// Print everything that the path finds, not only the first.
    #[arg(long, conflicts_with = "raw")]
    pub(crate) all: bool,
    /// Print how many the path finds.
    #[arg(long, conflicts_with_all = ["all", "raw", "json"])]
    pub(crate) count: bool,
    /// With --all, end each with a NUL instead of a line end.
    #[arg(short = '0', long, requires = "all", conflicts_with = "json")]
    pub(crate) null: bool,
    /// Output file [default: standard output].
    #[arg(short, long, value_name = "OUTPUT", display_order = 0)]
    pub(crate) output: Option<PathBuf>,
    /// Indent XML or JSON.
    #[arg(long)]
    pub(crate) pretty: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Make a valid message of a schema.
///
/// The values are random, within what the types allow; the same seed makes the same message. Optional components are there
/// or not. Strings and lists are short, and types that refer to themselves end. A component whose type is selected by an
/// object identifier is left out.
///
/// The message is written as JSON, or in the format of -t or of the extension of -o.
#[derive(Debug, Group)]
#[command(
    override_usage = "lengthwise example [OPTIONS] --schema <SCHEMA>",
    after_long_help = "Examples:
  lengthwise example -s weather.asn1
  lengthwise example -s weather.asn1 --seed 7 -o example.uper
  lengthwise example -s protocol.asn1 --root PDU --largest -t aper --to-framing hex-lines
  lengthwise example -s protocol.asn1 --root PDU --smallest -t asn1"
)]
pub(crate) struct Example {
    /// Output file [default: standard output].
    #[arg(short, long, value_name = "OUTPUT", display_order = 0)]
    pub(crate) output: Option<PathBuf>,
    /// Output format, as for convert [default: from the extension of OUTPUT, or json].
    #[arg(short, long, value_name = "FORMAT", display_order = 0, hide_possible_values = true)]
    pub(crate) to: Option<FormatArg>,
    /// Number that the values depend on.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Number of messages, each of the next seed.
    ///
    /// JSON has a line each; other formats need --to-framing.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) count: u64,
    /// Make every optional component, and the greatest values and sizes within reason.
    #[arg(long)]
    pub(crate) largest: bool,
    /// Leave out what may be left out, and make the least values and sizes.
    #[arg(long, conflicts_with = "largest")]
    pub(crate) smallest: bool,
    /// Indent XML or JSON.
    #[arg(long)]
    pub(crate) pretty: bool,
    /// What is put around the message, as for convert; hex-lines for hexadecimal.
    #[arg(long, value_name = "FRAMING")]
    pub(crate) to_framing: Option<Framing>,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Make a dictionary of samples, by which small messages are compressed.
///
/// The samples are converted first: to -t, or with a schema to APER. Convert with the same format, --compress zstd and
/// --dictionary DICTIONARY; whoever reads the messages needs the same dictionary.
///
/// A line says what the dictionary is worth: each tenth of the samples is compressed with a dictionary of the others; of 2000
/// samples or more, one tenth. --quiet leaves this out.
///
/// For infosets it also makes files of strings, if DICTIONARY ends with .strings: the strings that two or more samples have. Messages
/// that are written with --shared-strings do not hold these.
#[derive(Debug, Group)]
#[command(after_long_help = "Examples:
  lengthwise train samples/ -s invoice.xsd -o invoice.dict
  lengthwise convert new.xml -s invoice.xsd --dictionary invoice.dict -o new.aper.zst
  lengthwise convert new.aper.zst -s invoice.xsd --dictionary invoice.dict -t xml
  lengthwise train readings.jsonl -t pon --size 4K -o readings.dict")]
pub(crate) struct Train {
    /// Files, directories, or - for standard input.
    #[arg(required = true, value_name = "SAMPLE")]
    pub(crate) inputs: Vec<PathBuf>,
    /// The dictionary, or with the name NAME.strings strings for --shared-strings.
    #[arg(short, long, value_name = "DICTIONARY", display_order = 0)]
    pub(crate) output: PathBuf,
    /// Format of the messages [default: aper with -s, or that of each sample].
    ///
    /// For strings it is an infoset, by default infoset-uper.
    #[arg(short, long, value_name = "FORMAT", display_order = 0, hide_possible_values = true)]
    pub(crate) to: Option<FormatArg>,
    /// Size of the dictionary at the most, in bytes; K and M are 2^10 and 2^20.
    #[arg(long, value_name = "BYTES", default_value = "110K", value_parser = parse_size, help_heading = COMPRESSION)]
    pub(crate) size: u32,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Measure size, encoding time and decoding time in every format.
///
/// First comes what is best for each need, then a row for each format. Sizes are in percent of the input, and as gzip
/// and zstd compress each format at their highest levels. Times are medians; speeds are megabytes of input per second.
/// Encoding starts from a document in memory, decoding ends in one and looks at every byte of the message.
///
/// JSON is measured as TSF twice: with scalars as tokens (--types json) and as typed values (--types value).
/// XML is measured as an infoset with every encoding rule and every compression of strings. With -s, JSON (by an
/// ASN.1 module) and XML (by an XML Schema) are also measured as UPER, APER, BER and OER.
#[derive(Debug, Group)]
#[command(after_long_help = "Examples:
  lengthwise compare order.xml
  lengthwise compare messages/ --summary --html comparison.html
  lengthwise compare batch.json -s weather.asn1
  lengthwise compare invoice.xml -s invoice.xsd
  lengthwise compare order.xml reading.json --svg comparison.svg")]
pub(crate) struct Compare {
    /// Files, directories, or - for standard input.
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Also write a self-contained HTML page with charts.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Also write the charts as an SVG picture.
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Time spent on each measurement [default: 0.3, less for many messages].
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(crate) time: Option<Duration>,
    /// Time for everything. What there is no time for is left out and reported.
    ///
    /// No message, format or compression is begun that would take longer; the first message is measured in any case.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, default_value = "30")]
    pub(crate) within: Duration,
    /// Print the sum of all messages only, and what is best for each need.
    ///
    /// If there is no time for all messages, a random sample of them is measured.
    #[arg(long)]
    pub(crate) summary: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Print a schema as it is understood.
///
/// An ASN.1 module is printed with its references resolved and its constraints checked: what this prints can be
/// used to read and write messages. With --json it prints one line per type: module, name, and whether it
/// would be the type of messages by default.
///
/// For an XML Schema (.xsd) it prints the ASN.1 modules that X.694 maps it to, and reports on standard error
/// what they cannot express.
///
/// For a service description (.wsdl) it prints the operations, their messages and types: ? marks an optional
/// member, * a repeated one. What cannot be read is reported on standard error. With --json it prints one line
/// per operation, then one per type. With -o NAME.asn1 it writes the ASN.1 modules of the schemas in it.
///
/// For a TDXML message it prints the data schema; for an XML Schema with an output file NAME.ds, the data schema of its
/// documents.
#[derive(Debug, Group)]
#[command(
    name = "schema",
    after_long_help = "Examples:
  lengthwise schema weather.asn1
  lengthwise schema protocol.asn1 imported.asn1 -o tidy.asn1
  lengthwise schema modules/
  lengthwise schema order.xsd -o order.asn1
  lengthwise schema order.xsd -o schemas/order.ds
  lengthwise schema service.wsdl
  lengthwise schema orders.tdxml -o schemas/orders.ds
  lengthwise schema weather.asn1 --html weather.html
  lengthwise schema --json weather.asn1"
)]
pub(crate) struct SchemaVerb {
    /// ASN.1, XSD, WSDL or TDXML files, a directory of modules, or - for stdin.
    ///
    /// Of a file of JSON, PON or TSF it prints the type that tables of it have.
    #[arg(value_name = "INPUT", required = true)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Output file [default: standard output].
    #[arg(short, long, value_name = "OUTPUT", display_order = 0)]
    pub(crate) output: Option<PathBuf>,
    /// Write an HTML page that shows the types as a tree, instead of printing them.
    ///
    /// The page is one file without a script: each type with its components, their types, tags and constraints, where names of
    /// types are links, and what uses it. An XML Schema is shown as the modules of its mapping; a service description also with
    /// its operations.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["output", "json"])]
    pub(crate) html: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// What every verb takes.
#[derive(Debug, Group)]
pub(crate) struct Common {
    /// Input format [default: from the extension, then from the content].
    #[arg(short, long, value_name = "FORMAT", display_order = 0)]
    pub(crate) from: Option<FormatArg>,
    /// Set a resource limit, such as depth=500, or a set: untrusted, default, none.
    ///
    /// The limits are depth, units, message_bytes, entity_expansion, decompressed_bytes, expansion_ratio,
    /// expansion_threshold and window. The value is a number, optionally followed by K, M or G (2^10, 2^20, 2^30). Repeat
    /// the option to set several limits; later ones replace earlier ones. Use untrusted for messages of unknown
    /// senders.
    ///
    /// depth counts nested elements (XML), objects and arrays (JSON, PON), structured values (schemas) and
    /// structured units (TSF). TSF of XML may be two levels deeper, for the list around a document and the list
    /// of an element's attributes. window is the memory that what is compressed by zstd may ask for, by default 8M;
    /// `zstd --long` asks for more.
    #[arg(long = "limit", value_name = "NAME=VALUE|SET", value_parser = parse_limit)]
    pub(crate) limits: Vec<Limit>,
    /// Print results as JSON, one object per line.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print errors only: no notes, hints, excerpts or progress.
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// How messages follow each other: ber, u16be, u32be, fixed:N, hex-lines, json ...
    ///
    /// ber: each has its tag and length. u16be, u32be: each is preceded by its length in bytes, most significant byte
    /// first. fixed:N: each has N bytes. hex-lines: each line is a message in hexadecimal. lines: each line is a message,
    /// as in JSON Lines; the default for .jsonl and .ndjson. json, pon, tsf: one after the other, with or without space
    /// between JSON texts. pem: each part of a text in PEM. In a capture (--port) it applies to each datagram, or to the
    /// bytes of a connection.
    #[arg(long, value_name = "FRAMING", help_heading = MESSAGES)]
    pub(crate) framing: Option<Framing>,
    /// The input is hexadecimal text: digits in any groups, or a dump with offsets.
    ///
    /// Digits may have spaces, line ends, commas, colons, 0x or \x between them. Dumps are read as Wireshark copies them
    /// and tshark -x, xxd, tcpdump -X, hexdump -C and od print them; where the offset is 0 again, another message begins.
    #[arg(long, conflicts_with = "port", help_heading = MESSAGES)]
    pub(crate) hex: bool,
    /// The input is a capture (pcap, pcapng): read the messages of a port.
    ///
    /// PORT is a number, or sctp:N, tcp:N, udp:N, of either side. Each message of SCTP and each datagram of UDP is a message, or several
    /// with --framing. TCP needs --framing. Packets that cannot be read are counted and reported.
    #[arg(long, value_name = "PORT", help_heading = MESSAGES)]
    pub(crate) port: Option<Port>,
    /// Read the messages in an XML document, each in <?tsf MESSAGE?>.
    #[arg(long, conflicts_with_all = ["framing", "hex", "port"], help_heading = MESSAGES)]
    pub(crate) embedded: bool,
    /// Report all failing messages of a file, not 10; `check`: all errors of XML.
    ///
    /// By an XML Schema `check` then goes on after an error of a document, up to 1000 errors. What is no well-formed XML ends it.
    #[arg(long, help_heading = MESSAGES)]
    pub(crate) all_errors: bool,
    /// Dictionary of messages that are compressed by zstd, as `train` makes it.
    ///
    /// Inputs that are compressed by zstd or gzip are decompressed without an option. A message that was compressed with a
    /// dictionary has its number, and needs that one.
    #[arg(long, value_name = "FILE", help_heading = COMPRESSION)]
    pub(crate) dictionary: Option<PathBuf>,
    /// Strings that both sides have, so that messages do not hold them.
    ///
    /// `train -o NAME.strings` makes such a file of samples. Whoever reads the messages needs the same file.
    #[arg(long, value_name = "FILE", help_heading = INFOSET)]
    pub(crate) shared_strings: Option<PathBuf>,
    /// XSD, ASN.1 or WSDL file, or a directory of ASN.1 modules; repeat it for more.
    ///
    /// An ASN.1 module (.asn1) defines messages in PER, BER, OER, JSON and PON; repeat the option for the modules that
    /// it imports from, or name their directory: its files .asn and .asn1 are read. An XML Schema (.xsd) does the same for XML documents; repeat the option for further
    /// schemas, whose elements may be imported, match wildcards or be the root of a document. A service
    /// description (.wsdl) describes SOAP messages, and brings the schemas it contains.
    #[arg(short, long, value_name = "SCHEMA", help_heading = SCHEMA)]
    pub(crate) schema: Vec<PathBuf>,
    /// Type or root element of the messages [default: the only candidate].
    ///
    /// For ASN.1 it is the name of a type, Module.Type where several modules have one of that name; by default, the
    /// one type that no other type refers to, in all modules or in those of the first file. For an XML
    /// Schema it is the name of the root element, {namespace}name where several have that name; by default, the
    /// root of the document, or the only global element of the first schema document.
    #[arg(long, value_name = "NAME", help_heading = SCHEMA)]
    pub(crate) root: Option<String>,
    /// Directory that XSD and WSDL files may also include and import from.
    ///
    /// By default they may only read files in the directories of the files given with -s, and below them.
    #[arg(long, value_name = "DIR", help_heading = SCHEMA)]
    pub(crate) allow_path: Vec<PathBuf>,
    /// Version of the X.694 mapping; it changes the bytes of dates and times.
    #[arg(long, value_name = "VERSION", default_value = "2", help_heading = SCHEMA)]
    pub(crate) mapping: MappingArg,
    /// Accept all of XML 1.0, such as undeclared prefixes.
    ///
    /// By default documents must be namespace-well-formed (Namespaces in XML 1.0).
    #[arg(long, help_heading = XML)]
    pub(crate) plain_xml: bool,
    /// Directory or OASIS catalog of external entities and DTDs.
    ///
    /// Documents may refer to files there, and below. A catalog says where files of other names are: in its directory, or in one that is named as well. What a document
    /// refers to is written into it, and its DOCTYPE is left out. By default nothing outside a document is read, and a
    /// document that needs it is refused. Nothing is fetched over a network.
    #[arg(long, value_name = "PATH", help_heading = XML)]
    pub(crate) entities: Vec<PathBuf>,
    /// Type set: xml, json, value or a file [default: the document's, or detected].
    ///
    /// xml: elements, attributes, text. json: scalars as tokens. value: typed values, also binary. A file has a line for
    /// each type: primitive or structured, the character, and what it means, such as `primitive # integer`. Meanings are
    /// object, array, string, integer, float, number (integer or float), boolean, null, binary, character and byte; a type
    /// without one is kept in TSF alone. Lines that begin with # are comments.
    #[arg(long, value_name = "SET", value_parser = type_sets::parse, help_heading = TSF)]
    pub(crate) types: Option<TypesArg>,
    /// Unit of lengths.
    #[arg(long, value_name = "UNIT", default_value = "bytes", help_heading = TSF)]
    pub(crate) lengths: LengthsArg,
    /// Directory of data schemas that messages refer to.
    ///
    /// A file NAME.ds holds the data schema with the identifier NAME; messages by an XML Schema find theirs whatever its
    /// name (`lengthwise schema order.xsd -o schemas/order.ds`). A message (.tdxml) provides its own
    /// schema if that has an identifier.
    #[arg(long, value_name = "DIR", help_heading = TDXML)]
    pub(crate) registry: Option<PathBuf>,
    /// Whether the first of the schemas was a directory.
    #[arg(skip)]
    pub(crate) schema_is_directory: bool,
    /// The options that were given on the command line.
    #[arg(skip)]
    pub(crate) given: GivenOptions,
    /// The files that the verb writes.
    #[arg(skip)]
    pub(crate) outputs: Vec<PathBuf>,
}

/// The names that the parser knows the given options by.
#[derive(Clone, Debug, Default)]
pub(crate) struct GivenOptions(pub(crate) Vec<String>);

impl Common {
    /// The format of messages, if the options say it.
    pub(crate) fn format(&self) -> Option<Format> {
        if self.embedded { Some(Format::Tsf) } else { self.from.map(|from| from.0) }
    }

    /// Refuses to write over a file that is read.
    pub(crate) fn refuse_overwriting(&self, file: &Input) -> Result<(), Failure> {
        self.outputs.iter().try_for_each(|output| refuse_overwriting(file, output))
    }

    /// The same for the files that options name.
    pub(crate) fn refuse_overwriting_options(&self) -> Result<(), Failure> {
        let files = self.schema.iter().chain(&self.dictionary).chain(&self.shared_strings);
        files.into_iter().try_for_each(|path| self.refuse_overwriting(&Input::File(path.clone())))
    }

    /// Whether the options say how messages follow each other.
    pub(crate) fn is_framed(&self) -> bool {
        self.framing.is_some() || self.hex || self.port.is_some()
    }

    /// What lengths of TSF count.
    pub(crate) fn lengths(&self) -> Lengths {
        self.lengths.0
    }

    /// The type set of TSF.
    pub(crate) fn types(&self) -> Option<Types<'static>> {
        self.types.as_ref().and_then(TypesArg::set)
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
        options.shared_strings = shared_strings::get();
        options.schema = schema;
        options.plain_xml = self.plain_xml;
        options.tables = crate::tdxml::reading();
        options.input_types = self.types();
        options.output_types = self.types();
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
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, untrusted, default or none")?;
    let Some(name) = Limits::NAMES.into_iter().find(|known| *known == name) else {
        return Err(format!("unknown limit '{name}'; the limits are {}", Limits::NAMES.join(", ")));
    };
    // No table can address more.
    Ok(Limit::One(name, u32::try_from(parse_number(value)?).unwrap_or(u32::MAX)))
}

/// A number, which K, M or G may follow.
fn parse_number(text: &str) -> Result<u64, String> {
    let (digits, shift) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 10),
        Some((at, 'm' | 'M')) => (&text[..at], 20),
        Some((at, 'g' | 'G')) => (&text[..at], 30),
        _ => (text, 0),
    };
    let number: u64 = digits.parse().map_err(|_| format!("'{text}' is not a number"))?;
    Ok(number.saturating_mul(1 << shift))
}

fn parse_size(text: &str) -> Result<u32, String> {
    let range = Dictionary::SMALLEST as u64..=1 << 30;
    let size = parse_number(text)?;
    match u32::try_from(size) {
        Ok(small) if range.contains(&size) => Ok(small),
        _ => Err(format!("'{text}' is not between 1K and 1G")),
    }
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| format!("'{text}' is not a number"))?;
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

/// What `convert -t` names: a format of messages, or of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TargetArg {
    Messages(Format),
    Table(Kind),
}

impl ValueEnum for TargetArg {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [TargetArg; Format::ALL.len() + Kind::ALL.len()] = {
            let mut all = [TargetArg::Table(Kind::Csv); Format::ALL.len() + Kind::ALL.len()];
            let mut i = 0;
            while i < all.len() {
                all[i] = match i.checked_sub(Format::ALL.len()) {
                    Some(at) => TargetArg::Table(Kind::ALL[at]),
                    None => TargetArg::Messages(Format::ALL[i]),
                };
                i += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(match self {
            TargetArg::Messages(format) => format.as_str(),
            TargetArg::Table(kind) => kind.as_str(),
        }))
    }
}

choice! {
    /// How strings are compressed, as `--strings` names it.
    StringsArg(Strings):
        Strings::None => "none";
        Strings::Deflate => Strings::Deflate.as_str();
        Strings::Bzip2 => Strings::Bzip2.as_str();
        Strings::Zstd => Strings::Zstd.as_str();
}

choice! {
    /// The unit of lengths, as `--lengths` names it.
    LengthsArg(Lengths):
        Lengths::Bytes => "bytes", "bytes; data may be binary";
        Lengths::Chars => "chars", "Unicode code points";
}

choice! {
    /// A form of elements without content, as `--empty-tags` names it.
    EmptyTagsArg(EmptyTags):
        EmptyTags::Single => "single", "<a/>";
        EmptyTags::Pair => "pair", "<a></a>";
}

choice! {
    /// The ends of lines, as `--line-ends` names them.
    LineEndsArg(LineEnds):
        LineEnds::Lf => "lf", "a line feed";
        LineEnds::CrLf => "crlf", "a carriage return and a line feed";
}

choice! {
    /// A version of the mapping of XML Schema, as `--mapping` names it.
    MappingArg(Version):
        Version::V1 => "1", "dates, times and durations are text";
        Version::V2 => "2", "dates, times and durations are ASN.1 time types";
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
        assert_eq!(FormatArg::value_variants().len(), Format::ALL.len());
    }

    #[test]
    fn every_option_is_explained_in_one_short_line() {
        for verb in Args::command().get_subcommands() {
            for argument in verb.get_arguments() {
                let help = argument.get_help().map(|help| help.to_string()).unwrap_or_default();
                assert!((1..=80).contains(&help.len()), "{} {}: {help}", verb.get_name(), argument.get_id());
            }
        }
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
