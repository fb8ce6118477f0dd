//! Which options apply to which formats. An option that would have no effect is refused.

use std::path::PathBuf;

use lengthwise::Format;

use crate::args::Common;
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
        let is_pair = |one: Format, other: Format| self.from == one && self.to == other;
        match self.verb {
            Verb::Convert if self.is_table => true,
            Verb::Convert => {
                self.has(Format::needs_schema)
                    || self.has(|format| format == Format::Tdxml)
                    || [Format::Json, Format::Pon]
                        .iter()
                        .any(|json| is_pair(Format::Xml, *json) || is_pair(*json, Format::Xml))
            }
            Verb::Inspect | Verb::Get => self.from.needs_schema() || self.has_xsd && self.from == Format::Tdxml,
            _ => true,
        }
    }
}

/// An option: its name in the parser and on the command line, when it applies, and its purpose.
struct Rule {
    id: &'static str,
    applies: fn(Pair) -> bool,
    purpose: &'static str,
}

const fn rule(id: &'static str, applies: fn(Pair) -> bool, purpose: &'static str) -> Rule {
    Rule { id, applies, purpose }
}

const INFOSET: &str = "writing an infoset";
const TDXML: &str = "writing TDXML";
const TSF_TO_TSF: &str = "converting TSF to TSF";
const SCHEMA: &str = "formats with a schema (UPER, APER, BER, OER, value notation, and XML as values)";

const XSD: &str = "formats with a schema, if that is an XML Schema";

const MESSAGES: &str = "reading messages";
const WRITING_XML: &str = "writing XML";
const WRITING: &str = "writing messages";
const TABLE: &str = "writing a table (parquet, arrow, csv)";

fn reads_messages(pair: Pair) -> bool {
    !matches!(pair.verb, Verb::Schema | Verb::Replay | Verb::Example)
}

/// All options that do not apply everywhere.
const RULES: [Rule; 50] = [
    rule("from", |pair| !matches!(pair.verb, Verb::Schema | Verb::Example), MESSAGES),
    rule("from_lengths", |pair| pair.from == Format::Tsf && pair.writes(|to| to == Format::Tsf), TSF_TO_TSF),
    rule("from_types", |pair| pair.from == Format::Tsf && pair.writes(|to| to == Format::Tsf), TSF_TO_TSF),
    rule(
        "sort_attributes",
        |pair| {
            let is_xml = pair.from.is_infoset() || matches!(pair.from, Format::Xml | Format::Tdxml | Format::Tsf);
            is_xml && pair.writes(|to| to == Format::Tsf)
        },
        "writing XML as TSF",
    ),
    rule(
        "binary_from_base64",
        |pair| pair.from.has_json_values() && pair.writes(|to| matches!(to, Format::Pon | Format::Tsf)),
        "writing JSON values as PON or TSF",
    ),
    rule(
        "plain_xml",
        |pair| match pair.verb {
            Verb::Schema => pair.has_xsd,
            _ => pair.has(|format| format == Format::Xml),
        },
        "reading or writing XML",
    ),
    rule(
        "number_items",
        |pair| {
            let has_json = pair.from.has_json_values() || pair.from.needs_schema();
            let holds_xml = |to: Format| matches!(to, Format::Xml | Format::Tdxml) || to.is_infoset();
            has_json && !pair.has_xsd && pair.writes(holds_xml)
        },
        "writing JSON as XML, an infoset or TDXML",
    ),
    rule("empty_tags", |pair| pair.writes(|to| to == Format::Xml), WRITING_XML),
    rule("line_ends", |pair| pair.writes(|to| to == Format::Xml), WRITING_XML),
    rule("entities", |pair| reads_messages(pair) && pair.from == Format::Xml, "reading XML"),
    rule(
        "declaration",
        |pair| {
            let is = |format: Format| format == Format::Xml || format.is_infoset();
            is(pair.from) && pair.writes(is)
        },
        "XML and infosets on both sides",
    ),
    rule("strings", |pair| pair.writes(Format::is_infoset), INFOSET),
    rule("strings_from", |pair| pair.writes(Format::is_infoset), INFOSET),
    rule("shared_strings", |pair| pair.has(Format::is_infoset), "infosets"),
    rule("paper", |pair| pair.writes(Format::is_infoset), INFOSET),
    rule(
        "canonical",
        |pair| pair.writes(|to| matches!(to, Format::Uper | Format::Aper | Format::Ber | Format::Oer | Format::Xer)),
        "writing UPER, APER, BER, OER or XER",
    ),
    rule("scheme", |pair| pair.writes(|to| to == Format::Tdxml), TDXML),
    rule("binary", |pair| pair.writes(|to| to == Format::Tdxml), TDXML),
    rule("drop_comments", |pair| pair.writes(|to| to == Format::Tdxml), TDXML),
    rule("drop_mixed", |pair| pair.writes(|to| to == Format::Tdxml), TDXML),
    rule(
        "embed_schema",
        |pair| pair.has_xsd && pair.writes(|to| to == Format::Tdxml),
        "writing TDXML by an XML Schema",
    ),
    rule("refer", |pair| pair.writes(|to| to == Format::Tdxml), TDXML),
    rule("soap", |pair| pair.writes(|to| to == Format::Tdxml), TDXML),
    rule(
        "pretty",
        |pair| match pair.verb {
            Verb::Get => !matches!(pair.from, Format::Tsf | Format::Pon | Format::Tdxml),
            _ => pair.writes(|to| matches!(to, Format::Xml | Format::Json)),
        },
        "writing XML or JSON",
    ),
    rule("by_type", |pair| pair.from.rules().is_some(), "PER, BER, OER and infosets"),
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
    rule("to_framing", Pair::writes_messages, WRITING),
    rule("compress", Pair::writes_messages, WRITING),
    rule("embed", Pair::writes_messages, WRITING),
    rule("embed_into", Pair::writes_messages, WRITING),
    rule("lossless", Pair::writes_messages, WRITING),
    rule("no_verify", Pair::writes_messages, WRITING),
    rule(
        "threads",
        |pair| match pair.verb {
            Verb::Convert => !pair.is_table,
            verb => verb == Verb::Check,
        },
        "writing messages, and checking them",
    ),
    rule("columns", |pair| pair.is_table, TABLE),
    rule("on_error", |pair| pair.is_table, TABLE),
    rule("batch_rows", |pair| pair.is_table, TABLE),
    rule("framing", reads_messages, MESSAGES),
    rule("hex", reads_messages, MESSAGES),
    rule("port", reads_messages, MESSAGES),
    rule("embedded", reads_messages, MESSAGES),
    rule("all_errors", reads_messages, MESSAGES),
    rule("dictionary", reads_messages, "reading or writing messages"),
    rule("schema", Pair::may_use_schema, SCHEMA),
    rule("allow_path", |pair| pair.has_xsd && pair.may_use_schema(), XSD),
    rule("root", |pair| pair.verb != Verb::Replay && pair.may_use_schema(), SCHEMA),
    rule("mapping", |pair| pair.verb != Verb::Replay && pair.has_xsd && pair.may_use_schema(), XSD),
];

/// Refuses the first option that was given but has no effect.
///
/// With several inputs the formats are not known yet; an option must apply to at least one.
pub(crate) fn check(common: &Common, task: Task) -> Result<(), Failure> {
    check_with(common, &common.schema, task)
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
    for rule in RULES.iter().filter(|rule| common.given.0.iter().any(|id| id == rule.id)) {
        if !pairs.iter().any(|pair| (rule.applies)(*pair)) {
            let option = rule.id.replace('_', "-");
            return Err(Failure::Usage(format!("--{option} is for {}{}", rule.purpose, but())));
        }
    }
    Ok(())
}

/// The command line without the options that a verb never uses.
pub(crate) fn without_unused(command: clap::Command) -> clap::Command {
    command.mut_subcommands(|command| {
        let Some(verb) = Verb::ALL.into_iter().find(|verb| verb.name() == command.get_name()) else { return command };
        let pairs = Format::ALL.iter().flat_map(|from| Format::ALL.iter().map(move |to| (*from, *to)));
        let pair = |(from, to)| [false, true].map(|is_table| Pair { verb, has_xsd: true, from, to, is_table });
        let pairs: Vec<Pair> = pairs.flat_map(pair).filter(|pair| !pair.is_table || verb == Verb::Convert).collect();
        let is_unused = |rule: &&Rule| !pairs.iter().any(|pair| (rule.applies)(*pair));
        let unused: Vec<&str> = RULES.iter().filter(is_unused).map(|rule| rule.id).collect();
        command.mut_args(|argument| {
            let is_hidden = argument.is_hide_set() || unused.contains(&argument.get_id().as_str());
            argument.hide(is_hidden)
        })
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

    use super::*;
    use crate::args::Args;

    /// A rule for an option that does not exist would never apply.
    #[test]
    fn every_rule_is_of_an_option() {
        let command = Args::command();
        for rule in &RULES {
            let has_it = |verb: &clap::Command| verb.get_arguments().any(|argument| argument.get_id() == rule.id);
            assert!(command.get_subcommands().any(has_it), "{}", rule.id);
            let name = rule.id.replace('_', "-");
            let verbs = command.get_subcommands().flat_map(|verb| verb.get_arguments());
            for argument in verbs.filter(|argument| argument.get_id() == rule.id) {
                assert_eq!(argument.get_long(), Some(name.as_str()));
            }
        }
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
                let is_known = EVERYWHERE.contains(&id) || RULES.iter().any(|rule| rule.id == id);
                assert!(is_known, "{id} of {}", verb.get_name());
            }
        }
    }
}
