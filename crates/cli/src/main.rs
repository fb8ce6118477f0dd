//! The `lengthwise` command.

mod applies;
mod args;
mod bits;
mod chart;
mod check;
mod choice;
mod compare;
mod compression;
mod convert;
mod described;
mod elements;
mod embed;
mod entities;
mod example;
mod generate;
mod get;
mod html;
mod inputs;
mod inspect;
mod installed;
mod jobs;
mod lazy;
mod line;
mod lookup;
mod messages;
mod output;
mod picture;
mod recorded;
mod replay;
mod replay_page;
mod report;
mod schema;
mod service;
mod service_text;
mod shared_strings;
mod stats;
mod stdin;
mod table;
mod tables;
mod tdxml;
mod train;
mod type_sets;
mod visible;
mod xml_schema;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use args::{Args, Task, Verb};
use report::{Failure, Status};

fn main() -> ExitCode {
    // Of the verb that is called alone: to look at all takes longer than to run on a short message.
    let command = Args::command().mut_subcommands(|verb| verb.defer(applies::hide_unused));
    let parsed = command.try_get_matches().and_then(|matches| {
        let args = Args::from_arg_matches(&matches)?;
        Ok((args.task, matches))
    });
    let (status, quiet) = match parsed {
        Ok((Task::Verb(verb), matches)) => {
            let verb = verb.with_given(&matches);
            let quiet = verb.common().quiet;
            (run(verb), quiet)
        }
        Ok((Task::Completions(args), _)) => (installed::completions(&args), false),
        Ok((Task::Manual(args), _)) => (installed::manual(&args), false),
        Err(error) => return ExitCode::from(report::usage(&error) as u8),
    };
    ExitCode::from(status.unwrap_or_else(|failure| failure.print(quiet)) as u8)
}

fn run(mut verb: Verb) -> Result<Status, Failure> {
    schema::list_directories(&mut verb)?;
    verb.common().refuse_overwriting_options()?;
    type_sets::load(&mut verb)?;
    tdxml::load(verb.common())?;
    compression::load(verb.common())?;
    shared_strings::load(verb.common())?;
    entities::load(verb.common())?;
    let status = done(&verb)?;
    if status == Status::Done {
        compression::report(verb.common());
        entities::report(verb.common());
    }
    Ok(status)
}

fn done(verb: &Verb) -> Result<Status, Failure> {
    match verb {
        Verb::Convert(args) => convert::run(args),
        Verb::Inspect(args) => inspect::run(args),
        Verb::Check(args) => check::run(args),
        Verb::Get(args) => get::run(args),
        Verb::Example(args) => example::run(args),
        Verb::Compare(args) => compare::run(args),
        Verb::Schema(args) => schema::run(args),
        Verb::Replay(args) => replay::run(args),
        Verb::Train(args) => train::run(args),
    }
}
