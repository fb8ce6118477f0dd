//! Which options apply to which formats. An option that would have no effect is refused.

use std::path::PathBuf;

use lengthwise::tam::{Document, Vocabulary};
use lengthwise::{Format, Options, Setting};

use crate::args::Common;
use crate::inputs::Input;
use crate::report::Failure;

/// The task of a run. With several inputs, the input format is not known yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub(crate) verb: Verb,
    pub(crate) from: Option<Format>,
    /// The output format; without a conversion, the input format.
    pub(crate) to: Option<Format>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    Convert,
    Inspect,
    Check,
    Get,
    Example,
    Compare,
    Schema,
    Replay,
    Train,
}

/// An input and an output format.
#[derive(Clone, Copy)]
struct Pair {
    verb: Verb,
    /// Whether the schema may be an XML Schema, by the names of the files.
    has_xsd: bool,
    from: Format,
    /// For a table, the input format.
    to: Format,
    is_table: bool,
}

impl Pair {
    fn writes(self, is: impl Fn(Format) -> bool) -> bool {
        self.writes_messages() && is(self.to)
    }

    fn has(self, is: impl Fn(Format) -> bool) -> bool {
        is(self.from) || self.writes(is)
    }

    fn writes_messages(self) -> bool {
        matches!(self.verb, Verb::Convert | Verb::Example) && !self.is_table
    }

    /// Whether values of a schema may be read or written.
    fn may_use_schema(self) -> bool {
        match self.verb {
            Verb::Convert if self.is_table => true,
            // A module may be one of XML too, by its instructions.
            Verb::Convert => Options::may_use_schema(self.from, self.to, true),
            Verb::Inspect | Verb::Get => self.from.needs_schema() || self.has_xsd && self.from == Format::Tdxml,
            _ => true,
        }
    }
}

/// An option: its name, when it applies, and its purpose.
#[derive(Clone, Copy)]
struct Rule {
    name: &'static str,
    applies: Applies,
    purpose: &'static str,
}

#[derive(Clone, Copy)]
enum Applies {
    If(fn(Pair) -> bool),
    /// Of writing messages, when the library says.
    Setting(&'static Setting),
}

const fn rule(name: &'static str, applies: fn(Pair) -> bool, purpose: &'static str) -> Rule {
    Rule { name, applies: Applies::If(applies), purpose }
}

impl Rule {
    fn applies(self, pair: Pair) -> bool {
        match self.applies {
            Applies::If(applies) => applies(pair),
            Applies::Setting(setting) => {
                pair.writes_messages() && setting.applies(Some(pair.from), Some(pair.to), pair.has_xsd)
            }
        }
    }
}

/// All options that do not apply everywhere: those of the library follow these.
fn rules() -> impl Iterator<Item = Rule> {
    let of_library = |setting: &'static Setting| Rule {
        name: setting.name(),
        applies: Applies::Setting(setting),
        purpose: setting.purpose(),
    };
    let is_own = |name| RULES.iter().any(|rule| rule.name == name);
    let others = Setting::ALL.iter().filter(move |setting| !is_own(setting.name())).map(of_library);
    RULES.iter().copied().chain(others)
}

const TDXML: &str = "writing TDXML";
const SCHEMA: &str = "formats with a schema (UPER, APER, BER, OER, value notation), between JSON, PON and TSF, and XML as \
                      values or values as XML by an XML Schema";

const XSD: &str = "formats with a schema, if that is an XML Schema";

const MESSAGES: &str = "reading messages";
const WRITING: &str = "writing messages";
const TABLE: &str = "writing a table (parquet, arrow, csv)";

fn reads_messages(pair: Pair) -> bool {
    !matches!(pair.verb, Verb::Schema | Verb::Replay | Verb::Example)
}

/// Options of the command, and those of the library whose use depends on the verb.
const RULES: &[Rule] = &[
    rule("from", |pair| !matches!(pair.verb, Verb::Schema | Verb::Example), MESSAGES),
    rule(
        "plain-xml",
        |pair| match pair.verb {
            Verb::Schema => pair.has_xsd,
            _ => pair.has(|format| format == Format::Xml),
        },
        "reading or writing XML",
    ),
    rule("entities", |pair| reads_messages(pair) && pair.from == Format::Xml, "reading XML"),
    rule(
        "declaration",
        |pair| {
            let is = |format: Format| format == Format::Xml || format.is_infoset();
            is(pair.from) && pair.writes(is)
        },
        "XML and infosets on both sides",
    ),
    rule("shared-strings", |pair| pair.has(Format::is_infoset), "infosets"),
    rule("refer", |pair| pair.writes(|to| to == Format::Tdxml), TDXML),
    rule(
        "pretty",
        |pair| match pair.verb {
            Verb::Get => !matches!(pair.from, Format::Tsf | Format::Pon | Format::Tdxml),
            _ => pair.writes(|to| matches!(to, Format::Xml | Format::Json | Format::Xer)),
        },
        "writing XML, JSON or XER",
    ),
    rule("by-type", |pair| pair.from.rules().is_some(), "PER, BER, OER and infosets"),
    rule("stats", |pair| !pair.from.needs_schema(), "documents (XML, JSON, TSF, PON, infosets and TDXML)"),
    rule(
        "lengths",
        |pair| match pair.verb {
            Verb::Schema | Verb::Replay | Verb::Example => false,
            verb => verb == Verb::Compare || pair.has(|format| format == Format::Tsf),
        },
        "TSF",
    ),
    rule(
        "types",
        |pair| {
            !matches!(pair.verb, Verb::Schema | Verb::Replay | Verb::Example)
                && pair.has(|format| format == Format::Tsf)
        },
        "TSF",
    ),
    rule(
        "registry",
        |pair| match pair.verb {
            Verb::Schema => pair.has_xsd,
            Verb::Replay | Verb::Example => false,
            _ => pair.has(|format| format == Format::Tdxml),
        },
        "TDXML",
    ),
    rule("each", Pair::writes_messages, WRITING),
    rule("to-framing", Pair::writes_messages, WRITING),
    rule("compress", Pair::writes_messages, WRITING),
    rule("embed", Pair::writes_messages, WRITING),
    rule("embed-into", Pair::writes_messages, WRITING),
    rule("lossless", Pair::writes_messages, WRITING),
    rule("no-verify", Pair::writes_messages, WRITING),
    rule(
        "threads",
        |pair| match pair.verb {
            Verb::Convert => !pair.is_table,
            verb => verb == Verb::Check,
        },
        "writing messages, and checking them",
    ),
    rule("columns", |pair| pair.is_table, TABLE),
    rule("exclude-columns", |pair| pair.is_table, TABLE),
    rule("times", |pair| pair.is_table, TABLE),
    rule("on-error", |pair| pair.is_table, TABLE),
    rule("batch-rows", |pair| pair.is_table, TABLE),
    rule("framing", reads_messages, MESSAGES),
    rule("hex", reads_messages, MESSAGES),
    rule("port", reads_messages, MESSAGES),
    rule("embedded", reads_messages, MESSAGES),
    rule("all-errors", reads_messages, MESSAGES),
    rule("dictionary", reads_messages, "reading or writing messages"),
    rule("schema", Pair::may_use_schema, SCHEMA),
    rule("allow-path", |pair| pair.has_xsd && pair.may_use_schema(), XSD),
    rule("root", |pair| pair.verb != Verb::Replay && pair.may_use_schema(), SCHEMA),
    rule("mapping", |pair| pair.verb != Verb::Replay && pair.has_xsd && pair.may_use_schema(), XSD),
];

/// Refuses the first option that was given but has no effect.
///
/// With several inputs the formats are not known yet; an option must apply to at least one.
pub(crate) fn check(common: &Common, task: Task) -> Result<(), Failure> {
    check_with(common, &common.schema, task)
}

/// Refuses a schema that has no effect on a document: TSF, whose documents may be of XML or values.
pub(crate) fn check_schema_of(
    document: &Document<'_>,
    [from, to]: [Format; 2],
    options: &Options<'_>,
    input: &Input,
) -> Result<(), Failure> {
    let is_used = from.needs_schema()
        || to.needs_schema()
        || [from, to].contains(&Format::Tdxml)
        || options.changes_by_schema(document, to);
    if options.schema.is_none() || is_used {
        return Ok(());
    }
    let what = if document.types().vocabulary() == Vocabulary::Xml { "XML" } else { "values" };
    let input = input.name();
    Err(Failure::Usage(format!(
        "--schema is for {SCHEMA}, but {input} is a document of {what}, which {to} holds without one"
    )))
}

/// The same for a table of messages.
pub(crate) fn check_table(common: &Common, kind: &str) -> Result<(), Failure> {
    let from = common.format();
    let pairs = pairs(&common.schema, Task { verb: Verb::Convert, from, to: None }, true);
    refuse_unused(common, &pairs, || format!(", but this writes {kind}"))
}

/// The same with the files of the schema, for a verb whose input is one of them.
pub(crate) fn check_with(common: &Common, schema: &[PathBuf], task: Task) -> Result<(), Failure> {
    refuse_unused(common, &pairs(schema, task, false), || task.words())
}

/// The formats that a run may have.
fn pairs(schema: &[PathBuf], task: Task, is_table: bool) -> Vec<Pair> {
    let formats = |known: &Option<Format>| match known {
        Some(format) => vec![*format],
        None => Format::ALL.to_vec(),
    };
    let is_notation = |path: &PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        ["asn1", "asn"].iter().any(|known| ending.eq_ignore_ascii_case(known))
    };
    let has_xsd = !schema.iter().all(is_notation);
    let pair = |from| Pair { verb: task.verb, has_xsd, from, to: task.to.unwrap_or(from), is_table };
    formats(&task.from).into_iter().map(pair).collect()
}

fn refuse_unused(common: &Common, pairs: &[Pair], but: impl Fn() -> String) -> Result<(), Failure> {
    for rule in rules().filter(|rule| common.given.0.iter().any(|name| name == rule.name)) {
        if !pairs.iter().any(|pair| rule.applies(*pair)) {
            return Err(Failure::Usage(format!("--{} is for {}{}", rule.name, rule.purpose, but())));
        }
    }
    Ok(())
}

/// The command line of a verb, whose help does not list the options that it never uses.
pub(crate) fn hide_unused(command: clap::Command) -> clap::Command {
    let Some(verb) = Verb::ALL.into_iter().find(|verb| verb.name() == command.get_name()) else { return command };
    let pairs = Format::ALL.iter().flat_map(|from| Format::ALL.iter().map(move |to| (*from, *to)));
    let pair = |(from, to)| [false, true].map(|is_table| Pair { verb, has_xsd: true, from, to, is_table });
    let pairs: Vec<Pair> = pairs.flat_map(pair).filter(|pair| !pair.is_table || verb == Verb::Convert).collect();
    let is_unused = |rule: &Rule| !pairs.iter().any(|pair| rule.applies(*pair));
    let unused: Vec<&str> = rules().filter(is_unused).map(|rule| rule.name).collect();
    command.mut_args(|argument| {
        let is_hidden = argument.is_hide_set() || argument.get_long().is_some_and(|name| unused.contains(&name));
        argument.hide(is_hidden)
    })
}

impl Verb {
    const ALL: [Verb; 9] = [
        Verb::Convert,
        Verb::Inspect,
        Verb::Check,
        Verb::Get,
        Verb::Example,
        Verb::Compare,
        Verb::Schema,
        Verb::Replay,
        Verb::Train,
    ];

    /// The name on the command line.
    fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

impl Task {
    /// What the run does instead.
    fn words(&self) -> String {
        match (self.verb, self.from, self.to) {
            (Verb::Convert, Some(from), Some(to)) => format!(", but this converts {from} to {to}"),
            (Verb::Convert, None, Some(to)) => format!(", but this writes {to}"),
            (Verb::Example, _, Some(to)) => format!(", but this writes {to}"),
            (_, Some(from), _) => format!(", but the input is {from}"),
            (verb, ..) => format!(", but `{}` does not use it", verb.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use lengthwise::Settings;

    use super::*;
    use crate::args::Args;

    /// A rule for an option that does not exist would never apply.
    #[test]
    fn every_rule_is_of_an_option() {
        for rule in rules() {
            let command = Args::command();
            let verbs = command.get_subcommands().flat_map(|verb| verb.get_arguments());
            let of_rule: Vec<_> = verbs.filter(|argument| argument.get_long() == Some(rule.name)).collect();
            assert!(!of_rule.is_empty(), "{}", rule.name);
            // Options that are given are known by these names.
            assert!(of_rule.iter().all(|one| one.get_id().as_str().replace('_', "-") == rule.name), "{}", rule.name);
        }
    }

    /// The library takes every value that the command names.
    #[test]
    fn options_of_the_library_take_the_same_values() {
        let mut count = 0;
        for setting in Setting::ALL {
            let command = Args::command();
            let arguments = command.get_subcommands().flat_map(|verb| verb.get_arguments());
            for argument in arguments.filter(|argument| argument.get_long() == Some(setting.name())) {
                for value in argument.get_possible_values() {
                    Settings::default().set(setting.name(), value.get_name()).unwrap();
                    count += 1;
                }
            }
        }
        assert!(count > 20, "{count} values");
    }

    /// Each option of the command line is in the table or applies to every format.
    #[test]
    fn every_option_is_judged() {
        const EVERYWHERE: [&str; 27] = [
            "inputs",
            "input",
            "path",
            "output",
            "to",
            "seed",
            "count",
            "largest",
            "smallest",
            "size",
            "all",
            "null",
            "limits",
            "json",
            "quiet",
            "raw",
            "html",
            "svg",
            "time",
            "within",
            "summary",
            "rounds",
            "help",
            "version",
            "verb",
            "shell",
            "directory",
        ];
        for verb in Args::command().get_subcommands() {
            for argument in verb.get_arguments() {
                let id = argument.get_id().as_str();
                let is_known = EVERYWHERE.contains(&id) || rules().any(|rule| rule.name == id.replace('_', "-"));
                assert!(is_known, "{id} of {}", verb.get_name());
            }
        }
    }
}
