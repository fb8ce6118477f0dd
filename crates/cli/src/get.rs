//! `get`: prints one value, by its path.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{Read, Seek, SeekFrom};

use lengthwise::asn1::compiled::Kind;
use lengthwise::tam::xml::{Declarations, Element, copy_alone};
use lengthwise::tam::{Document, Node, NotFound, Query, Row, Step, Table, Vocabulary, json::Value};
use lengthwise::{Error, ErrorKind, Format, Options, Schema, append};
use lengthwise_inspect::word;

use crate::applies::{self, Task, Verb};
use crate::args::Get;
use crate::compression;
use crate::inputs::Input;
use crate::jobs;
use crate::lazy;
use crate::line::Line;
use crate::lookup;
use crate::messages::{self, Message};
use crate::output::Output;
use crate::report::{Failure, Reading, Status, note};
use crate::schema;

pub(crate) fn run(args: &Get) -> Result<Status, Failure> {
    let input = Input::named(&args.input);
    args.common.refuse_overwriting(&input)?;
    let schema = schema::from_flags(&args.common)?;
    let options = args.common.options(schema.as_ref());
    let wanted = Wanted::of(args)?;
    let mut out = Output::new(args.output.as_deref())?;
    if let Wanted::Path(_) = wanted
        && !is_of_all(args)
        && !messages::are_several(&args.common, Some(&input))
        && let Some(found) = in_file(args, &input, &options)?
    {
        out.put(found)?;
        out.end()?;
        return Ok(Status::Done);
    }
    // Notes come in the order of the messages.
    let has_notes = matches!(wanted, Wanted::Query(_)) && !args.all && !args.count && !args.common.quiet;
    let threads = if has_notes { 0 } else { jobs::threads(None) };
    let work = |message: Message<'_>, part: &mut Part| {
        part.values.push(value(args, &wanted, &message, &options, &mut part.table)?);
        Ok(())
    };
    let status = messages::each_in_parts(&input, &args.common, threads, work, |part| {
        part.values.drain(..).try_for_each(|value| out.put(value))?;
        out.hand_on()
    })?;
    out.end()?;
    Ok(status)
}

/// What is found in some messages, and the table for the next.
#[derive(Default)]
struct Part {
    values: Vec<Vec<u8>>,
    table: Table<'static>,
}

/// Whether all that is found is wanted, or how much that is.
fn is_of_all(args: &Get) -> bool {
    args.all || args.count
}

/// What is wanted of each message.
enum Wanted {
    /// The value at a path; why that is no query, if it looks like one.
    Path(Option<Error>),
    Query(Query),
}

impl Wanted {
    /// A query, if the path is more than a path, or all that it finds is wanted.
    fn of(args: &Get) -> Result<Wanted, Failure> {
        let is_query = is_of_all(args);
        match args.path.parse::<Query>() {
            Ok(query) if is_query || !query.is_path() => Ok(Wanted::Query(query)),
            // The whole message, or its member without a name.
            Err(_) if is_query && args.path == "/" => Ok(Wanted::Path(None)),
            Err(error) if is_query => Err(Failure::Usage(format!("the path '{}' is no query: {error}", args.path))),
            Err(error) if args.path.contains("//") || args.path.contains('[') => Ok(Wanted::Path(Some(error))),
            _ => Ok(Wanted::Path(None)),
        }
    }
}

/// The bytes to print, of a file of PON of which only the way to the value is read. `None` if that is not enough, and the file
/// can be read whole.
fn in_file(args: &Get, input: &Input, options: &Options<'_>) -> Result<Option<Vec<u8>>, Failure> {
    let Input::File(path) = input else { return Ok(None) };
    let format = args.common.format().or_else(|| input.format_by_ending());
    if format != Some(Format::Pon) || compression::of_file(path).is_some() || !path.is_file() {
        return Ok(None);
    }
    applies::check(&args.common, Task { verb: Verb::Get, from: format, to: None })?;
    let unread = |error| Failure::Io { path: input.name(), doing: "read", error };
    let mut file = fs::File::open(path).map_err(unread)?;
    let bound = u64::from(options.limits.message_bytes);
    let is_too_long = file.metadata().map_err(unread)?.len() > bound;
    let range = match lazy::locate(&mut file, &args.path, options.limits) {
        Ok(Some(range)) => range,
        Err(error) if is_too_long => return Err(Failure::bad(input, error, &[])),
        Ok(None) if is_too_long => {
            let what = format!("nothing is found by '{}'", args.path);
            let failure = Failure::Missing { input: input.name(), what, hints: Vec::new() };
            return Err(failure.with_hint("in a file of this size, a path has keys and indexes (from 0) only"));
        }
        _ => return Ok(None),
    };
    let len = range.end - range.start;
    if len > bound {
        return Err(input.too_long(len, bound));
    }
    let mut node = Vec::new();
    file.seek(SeekFrom::Start(range.start)).and_then(|_| file.take(len).read_to_end(&mut node)).map_err(unread)?;
    let mut table = Table::new();
    match lengthwise::read(&node, Format::Pon, options, &mut table) {
        Ok(document) => {
            let root = document.root();
            root.map(|root| shown(args, input, &root, Format::Pon, options)).transpose()
        }
        Err(error) if is_too_long => {
            let at = range.start + error.offset();
            Err(Failure::bad(input, error.met_in("pon", at), &[]))
        }
        Err(_) => Ok(None),
    }
}

/// The bytes to print.
fn value(
    args: &Get,
    wanted: &Wanted,
    message: &Message<'_>,
    options: &Options<'_>,
    table: &mut Table<'_>,
) -> Result<Vec<u8>, Failure> {
    let Message { input, bytes, detected, .. } = message;
    let format = detected.format;
    applies::check(&args.common, Task { verb: Verb::Get, from: Some(format), to: None })?;
    schema::suits(options.schema, format)?;
    let is_path = matches!(wanted, Wanted::Path(_)) && !is_of_all(args);
    let found = if format == Format::Pon && is_path { lazy::find(bytes, &args.path) } else { None };
    // A value that is invalid itself is read again below, so that the error has its position in the message.
    if let Some(document) = found.and_then(|node| lengthwise::read(node, format, options, table).ok())
        && let Some(node) = document.root()
    {
        return shown(args, input, &node, format, options);
    }
    if format == Format::Tdxml
        && is_path
        && let Some((document, path)) = lookup::find(bytes, &args.path, options, table)
        && let Ok(node) = document.get(path)
    {
        return shown(args, input, &node, format, options);
    }
    let document = lengthwise::read(bytes, format, options, table)
        .map_err(|error| Failure::unread(input, &Reading::new(*detected, options), error, bytes))?;
    let has_xml = format.needs_schema() && options.schema.is_some_and(|schema| schema.xml().is_some());
    let of_values = || find(args, wanted, input, &document, format, options);
    let found = match wanted {
        // What is many elements in the XML is one array of values, often of the same name.
        Wanted::Query(_) if has_xml => match of_xml(args, wanted, message, options, nothing(input, args)) {
            Err(missing @ Failure::Missing { .. }) => match of_values() {
                Err(Failure::Missing { .. }) => Err(missing),
                found => found,
            },
            found => found,
        },
        _ => match of_values() {
            Err(missing @ Failure::Missing { .. }) if has_xml => of_xml(args, wanted, message, options, missing),
            found => found,
        },
    };
    match found {
        Err(Failure::Missing { .. }) if args.count => Ok(b"0\n".to_vec()),
        found => found,
    }
}

/// The same of the XML: a message by an XML Schema has the paths of it too.
fn of_xml(
    args: &Get,
    wanted: &Wanted,
    Message { input, bytes, detected, .. }: &Message<'_>,
    options: &Options<'_>,
    missing: Failure,
) -> Result<Vec<u8>, Failure> {
    let bad = |error| Failure::bad(input, error, &[]);
    let xml = lengthwise::convert(bytes, detected.format, Format::Xml, &options.towards(Format::Xml)).map_err(bad)?;
    let mut table = Table::new();
    let document = lengthwise::read(&xml, Format::Xml, options, &mut table).map_err(bad)?;
    // If the first step is there, the path is one of the XML.
    let is_other = || document.get(&args.path).is_err_and(|missing| missing.found.is_empty());
    match find(args, wanted, input, &document, Format::Xml, options) {
        Err(Failure::Missing { .. }) if matches!(wanted, Wanted::Query(_)) || is_other() => {
            Err(missing.with_hint(format!("in the XML, {}", roots(&document))))
        }
        found => found,
    }
}

/// What is printed of a document. If there is nothing, it is a [`Failure::Missing`].
fn find(
    args: &Get,
    wanted: &Wanted,
    input: &Input,
    document: &Document<'_>,
    format: Format,
    options: &Options<'_>,
) -> Result<Vec<u8>, Failure> {
    let found = match wanted {
        Wanted::Query(query) => query.select(document),
        Wanted::Path(no_query) => {
            let node = document.get(&args.path).map_err(|missing| {
                let failure = not_found(input, document, missing);
                match no_query {
                    Some(error) => failure.with_hint(format!("it is no query either: {error}")),
                    None => failure,
                }
            })?;
            match is_of_all(args) {
                true => vec![node],
                false => return shown(args, input, &node, format, options),
            }
        }
    };
    let Some(first) = found.first() else {
        // A name may have the characters of a query.
        if let Ok(node) = document.get(&args.path)
            && !args.count
        {
            return shown(args, input, &node, format, options);
        }
        return Err(nothing(input, args));
    };
    if args.count {
        return Ok(format!("{}\n", found.len()).into_bytes());
    }
    if !args.all {
        if found.len() > 1 && !args.common.quiet {
            let more = found.len() - 1;
            note(&format!("{}: the first of {}; --all prints the other {more} too", input.name(), found.len()));
        }
        return shown(args, input, first, format, options);
    }
    let mut out = Vec::new();
    let is_json = args.common.json;
    let (paths, kinds) = if is_json { (document.paths(&found), kinds_around(&found)) } else { Default::default() };
    let mut declarations = Declarations::of(document);
    for (at, node) in found.iter().enumerate() {
        let path = paths.get(at).map_or(args.path.as_str(), String::as_str);
        let found = Found { path, node, kinds: &kinds, declarations: &declarations_around(&mut declarations, *node) };
        show(&found, args, input, format, options, &mut out)?;
        if args.null {
            if out.last() == Some(&b'\n') {
                out.pop();
            }
            out.push(0);
        }
    }
    Ok(out)
}

fn nothing(input: &Input, args: &Get) -> Failure {
    let what = format!("nothing is found by '{}'", args.path);
    Failure::Missing { input: input.name(), what, hints: Vec::new() }
}

/// The root of a document, as a step.
fn roots(document: &Document<'_>) -> String {
    let (steps, _) = steps(document, "");
    format!("the root is {}", steps.join(", "))
}

/// A value that was found.
struct Found<'f, 'd> {
    path: &'f str,
    node: &'f Node<'d>,
    /// What is around it, which only `--json` needs.
    kinds: &'f HashMap<usize, Around>,
    /// The namespace declarations around it that it uses.
    declarations: &'f [Node<'d>],
}

/// The namespace declarations around an element of XML that it uses: those of prefixes of names, and of prefixes in texts
/// that may be names.
fn declarations_around<'d>(declarations: &mut Declarations<'d>, node: Node<'d>) -> Vec<Node<'d>> {
    let around = match Element::new(node) {
        Some(_) => declarations.around(node),
        None => return Vec::new(),
    };
    if around.is_empty() {
        return Vec::new();
    }
    let mut used: HashSet<Vec<u8>> = HashSet::new();
    let prefix = |name: &[u8]| name.iter().position(|byte| *byte == b':').map(|colon| name[..colon].to_vec());
    for step in node.walk() {
        let (Step::Open(unit) | Step::Primitive(unit)) = step else { continue };
        let is_element = unit.kind() == b'<';
        used.extend(prefix(&unit.name().to_bytes()).or_else(|| is_element.then(Vec::new)));
        used.extend(prefix(unit.value()).filter(|_| !unit.is_structured() && is_qualified_text(unit.value())));
    }
    let declared = |one: &Node<'_>| one.name().to_bytes().strip_prefix(b"xmlns:").unwrap_or_default().to_vec();
    around.iter().filter(|one| used.contains(&declared(one))).copied().collect()
}

/// Whether a text may be a name with a prefix.
fn is_qualified_text(text: &[u8]) -> bool {
    str::from_utf8(text).is_ok_and(|text| xml::name::is_qualified(text.trim()) && text.contains(':'))
}

/// A value in the form that the flags select, at the path that was asked for.
fn shown(
    args: &Get,
    input: &Input,
    node: &Node<'_>,
    format: Format,
    options: &Options<'_>,
) -> Result<Vec<u8>, Failure> {
    let kinds = if args.common.json { kinds_around(&[*node]) } else { HashMap::new() };
    let mut declarations = Declarations::of(node.document());
    let declarations = &declarations_around(&mut declarations, *node);
    let mut out = Vec::new();
    show(&Found { path: &args.path, node, kinds: &kinds, declarations }, args, input, format, options, &mut out)?;
    Ok(out)
}

/// Appends the same of one of several.
fn show(
    &Found { path, node, kinds, declarations }: &Found<'_, '_>,
    args: &Get,
    input: &Input,
    format: Format,
    options: &Options<'_>,
    out: &mut Vec<u8>,
) -> Result<(), Failure> {
    let unwritten = |error| Failure::bad(input, error, &[]);
    if args.common.json {
        let value = json(node, declarations, options).map_err(unwritten)?;
        let line = Line::new().text("file", &input.name()).text("path", path);
        let kinds = kinds.get(&node.index()).copied().unwrap_or_default();
        out.extend_from_slice(line.text("type", word(node, kinds)).json("value", value).end().as_bytes());
        return Ok(());
    }
    let options = options.with_pretty(args.pretty);
    if args.raw {
        return raw(node, declarations, format, &options, out).map_err(unwritten);
    }
    plain(node, declarations, format, &options, out).map_err(unwritten)?;
    out.push(b'\n');
    Ok(())
}

/// Appends the text of a scalar, or the part of the message for a structured unit. An element of XML has declarations around
/// it.
pub(crate) fn plain(
    node: &Node<'_>,
    declarations: &[Node<'_>],
    format: Format,
    options: &Options<'_>,
    out: &mut Vec<u8>,
) -> Result<(), lengthwise::Error> {
    if !node.is_structured() {
        out.extend_from_slice(&text(node)?);
        return Ok(());
    }
    // A part of an ASN.1 message is not a message.
    let format = match format {
        format if format.is_infoset() => Format::Xml,
        format if format.needs_schema() => Format::Json,
        format => format,
    };
    // A part of an instance is not an instance.
    let mut options = *options;
    options.schema = None;
    part(node, declarations, |part| append(part, format, &options, out))
}

/// The same for programs: octets unchanged.
fn raw(
    node: &Node<'_>,
    declarations: &[Node<'_>],
    format: Format,
    options: &Options<'_>,
    out: &mut Vec<u8>,
) -> Result<(), lengthwise::Error> {
    match Value::new(*node) {
        Value::Binary(octets) => out.extend_from_slice(octets),
        Value::Byte(octet) => out.push(octet),
        Value::String(text) if options.schema.is_some_and(|schema| is_octets(&node.path(), schema)) => {
            let (text, mut octets) = (text.to_cow(), Vec::new());
            let decoded = xml::hex::decode(&text, &mut octets);
            out.extend_from_slice(if decoded.is_some() { &octets } else { text.as_bytes() });
        }
        _ if node.is_structured() && format.needs_schema() && !format.is_infoset() => {
            let (found, expected) =
                ("a value that contains others", "a simple one: no part of such a message is a message");
            return Err(Error::new(ErrorKind::Unsupported, format.as_str(), 0, found, expected).in_path(node.path()));
        }
        _ => return plain(node, declarations, format, options, out),
    }
    Ok(())
}

/// Whether a path of a message of a schema leads to an OCTET STRING, which JSON has as digits.
fn is_octets(path: &str, schema: &Schema) -> bool {
    let (types, Ok(mut at)) = (schema.types(), schema.root()) else { return false };
    for step in path.split('/').skip(1) {
        let inner = match types.node(at).kind {
            Kind::Array(array) => Some(array.item),
            _ => types.member(at, step).map(|place| place.node),
        };
        let Some(inner) = inner else { return false };
        at = inner;
    }
    matches!(types.node(at).kind, Kind::OctetString(_))
}

/// The text of a scalar: a JSON string without quotes and escapes, or binary data as the text that JSON would have in
/// quotes.
fn text<'d>(node: &Node<'d>) -> Result<Cow<'d, [u8]>, lengthwise::Error> {
    Ok(match Value::new(*node) {
        Value::Null => b"null".into(),
        Value::Bool(value) => value.to_string().into_bytes().into(),
        Value::String(text) => text.to_cow().into_owned().into_bytes().into(),
        Value::Byte(byte) => byte.to_string().into_bytes().into(),
        Value::Binary(_) => {
            let mut base64 = json(node, &[], &Options::default())?.into_bytes();
            base64.retain(|&c| c != b'"');
            base64.into()
        }
        _ => node.value().into(),
    })
}

/// The value as JSON; for XML, its text or its markup in a string.
fn json(node: &Node<'_>, declarations: &[Node<'_>], options: &Options<'_>) -> Result<String, lengthwise::Error> {
    let mut out = Vec::new();
    match node.document().types().vocabulary() {
        Vocabulary::Xml => {
            plain(node, declarations, Format::Xml, options, &mut out)?;
            return Ok(Line::string(&String::from_utf8_lossy(&out)));
        }
        _ => part(node, declarations, |part| append(part, Format::Json, options, &mut out))?,
    }
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// A unit and everything below it as a document of its own. A JSON value loses its name, which belongs to the object
/// around it, and has rows of its own, as writers look at all rows of a document.
fn part(
    node: &Node<'_>,
    declarations: &[Node<'_>],
    with: impl FnOnce(&Document<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let document = node.document();
    if let (Some(element), [_, ..]) = (Element::new(*node), declarations) {
        let mut table = Table::new();
        copy_alone(element, declarations, &mut table)?;
        return with(&table.document(b"", document.types()));
    }
    let (message, beside) = document.texts();
    let types = document.types();
    if types.vocabulary() == Vocabulary::Xml {
        let root = node.index() as u32;
        return with(&Document::from_rows(message, beside, document.rows(), root, 1, types));
    }
    let row = node.row();
    let mut rows = vec![Row::new(types.class(row.kind()), 0, 0, row.value_at(), row.len())];
    let mut at = 0;
    while let Some(row) = rows.get(at).copied() {
        if row.is_structured() {
            let (from, to) = (row.value_at() as usize, row.value_at() as usize + row.len() as usize);
            rows[at] = row.with_content(rows.len() as u32, row.len());
            rows.extend_from_slice(document.rows().get(from..to).unwrap_or_default());
        }
        at += 1;
    }
    with(&Document::from_rows(message, beside, &rows, 0, 1, types))
}

/// The types of the two units around a unit.
pub(crate) type Around = (Option<u8>, Option<u8>);

/// What is around some units of a document, by their indexes.
pub(crate) fn kinds_around(nodes: &[Node<'_>]) -> HashMap<usize, Around> {
    let mut around: HashMap<usize, Around> = nodes.iter().map(|node| (node.index(), (None, None))).collect();
    let (mut left, mut above) = (around.len(), Vec::new());
    for step in nodes.first().into_iter().flat_map(|node| node.document().walk()) {
        let unit = match step {
            Step::Open(unit) | Step::Primitive(unit) => unit,
            Step::Close(_) => {
                above.pop();
                continue;
            }
        };
        if let Some(around) = around.get_mut(&unit.index()) {
            let mut kinds = above.iter().rev().copied();
            *around = (kinds.next(), kinds.next());
            left -= 1;
        }
        if left == 0 {
            break;
        }
        if matches!(step, Step::Open(_)) {
            above.push(unit.kind());
        }
    }
    around
}

/// The most names that a hint shows.
const SHOWN: usize = 10;

/// The most names that are considered for it.
const LOOKED_AT: usize = 1000;

fn not_found(input: &Input, document: &Document<'_>, missing: NotFound<'_>) -> Failure {
    let failure = Failure::Missing { input: input.name(), what: missing.to_string(), hints: Vec::new() };
    let (mut steps, all) = steps(document, missing.found);
    if steps.is_empty() {
        let simple = node_at(document, missing.found).filter(|node| !node.is_structured());
        return failure.with_hint(match simple {
            Some(node) => format!("it is a simple value ({}), which has nothing inside", word(&node, (None, None))),
            None => "it is empty".to_owned(),
        });
    }
    // The most similar names come first, the others in document order.
    steps.sort_by(|a, b| {
        let (a, b) = (strsim::jaro(a, missing.step), strsim::jaro(b, missing.step));
        (b > 0.7).cmp(&(a > 0.7)).then(if a > 0.7 && b > 0.7 { b.total_cmp(&a) } else { std::cmp::Ordering::Equal })
    });
    let more = match steps.len().checked_sub(SHOWN) {
        Some(more @ 1..) if all => format!(" and {more} more"),
        _ if !all => " and more".to_owned(),
        _ => String::new(),
    };
    let verb = if steps.len() == 1 { "is" } else { "are" };
    steps.truncate(SHOWN);
    failure.with_hint(format!("there {verb} {}{more}", steps.join(", ")))
}

/// The steps that are possible at a path, each name once, and whether these are all.
fn steps(document: &Document<'_>, place: &str) -> (Vec<String>, bool) {
    let children = match node_at(document, place) {
        Some(node) => node.children(),
        None => document.roots(),
    };
    let all = children.len() <= LOOKED_AT;
    let children: Vec<_> = children.take(LOOKED_AT).collect();
    let xml = document.types().vocabulary() == Vocabulary::Xml;
    let mut steps: Vec<String> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for (index, child) in children.iter().enumerate() {
        let mut add = |step: String| {
            if seen.insert(step.clone()) {
                steps.push(step);
            }
        };
        match child.kind() {
            b'=' if xml => child.children().for_each(|attribute| add(step(&attribute, index, "@"))),
            b'[' | b']' if xml => add("text()".to_owned()),
            b'!' | b'?' | b'+' if xml => {}
            _ => add(step(child, index, "")),
        }
    }
    (steps, all)
}

/// The unit at a path, or that paths start in, if any.
fn node_at<'d>(document: &'d Document<'d>, place: &str) -> Option<Node<'d>> {
    if place.is_empty() { outermost(document) } else { document.get(place).ok() }
}

/// The unit that a path starts in, if any.
fn outermost<'d>(document: &'d Document<'d>) -> Option<Node<'d>> {
    document.root().filter(|root| root.name().is_none())
}

fn step(node: &Node<'_>, index: usize, mark: &str) -> String {
    let mut step = String::new();
    node.name().push_step(1, index, &mut step);
    format!("{mark}{}", step.trim_start_matches('/'))
}
