//! `completions` and `manual`: what is installed beside the command, made from its command line.

use std::fs;
use std::path::PathBuf;

use clap::{Args as Group, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::applies;
use crate::args::Args;
use crate::output::{Standard, write_file};
use crate::report::{Failure, Status};

const NAME: &str = "lengthwise";

/// Print the completions of a shell: verbs, options and their values.
#[derive(Debug, Group)]
#[command(after_long_help = "Examples:
  lengthwise completions bash > ~/.local/share/bash-completion/completions/lengthwise
  lengthwise completions zsh > ~/.zfunc/_lengthwise
  lengthwise completions fish > ~/.config/fish/completions/lengthwise.fish")]
pub(crate) struct Completions {
    #[arg(value_name = "SHELL", help = "The shell.")]
    shell: Shell,
}

/// Write the manual pages: lengthwise.1, and one for each verb.
#[derive(Debug, Group)]
#[command(after_long_help = "Example:
  lengthwise manual ~/.local/share/man/man1")]
pub(crate) struct Manual {
    /// Directory of the pages; it is made if it does not exist.
    #[arg(value_name = "DIRECTORY")]
    directory: PathBuf,
}

/// The command line as it is documented.
fn command() -> clap::Command {
    Args::command().mut_subcommands(applies::hide_unused)
}

pub(crate) fn completions(args: &Completions) -> Result<Status, Failure> {
    let mut script = Vec::new();
    // Completions would have hidden options too.
    let shown = |verb: &clap::Command| verb.get_arguments().filter(|option| !option.is_hide_set()).cloned().collect();
    let mut command = command().mut_subcommands(|verb| {
        let options: Vec<clap::Arg> = shown(&verb);
        let about = verb.get_about().cloned().unwrap_or_default();
        clap::Command::new(verb.get_name().to_owned()).about(about).args(options)
    });
    clap_complete::generate(args.shell, &mut command, NAME, &mut script);
    let mut standard = Standard::new();
    standard.put(script)?;
    standard.end()?;
    Ok(Status::Done)
}

pub(crate) fn manual(args: &Manual) -> Result<Status, Failure> {
    let failed = |error| Failure::Io { path: args.directory.display().to_string(), doing: "write", error };
    fs::create_dir_all(&args.directory).map_err(failed)?;
    let mut command = command().disable_help_subcommand(true);
    command.build();
    for page in [&command].into_iter().chain(command.get_subcommands()) {
        let name = page.get_display_name().unwrap_or(NAME);
        let mut text = Vec::new();
        Man::new(page.clone()).render(&mut text).map_err(failed)?;
        write_file(&args.directory.join(format!("{name}.1")), &text)?;
    }
    Ok(Status::Done)
}
