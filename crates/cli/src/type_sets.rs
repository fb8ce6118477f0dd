//! Type sets of TSF, by their names or in files.

use std::convert::Infallible;
use std::path::PathBuf;

use lengthwise::tam::TypeSet;
use lengthwise::{Error, ErrorKind, Limits, Types};

use crate::args::Verb;
use crate::inputs::Input;
use crate::report::Failure;

/// A type set, as `--types` names it. [`load`] reads files.
#[derive(Clone, Debug)]
pub(crate) enum TypesArg {
    Set(Types<'static>),
    File(PathBuf),
}

impl TypesArg {
    /// The set, which has been read.
    pub(crate) fn set(&self) -> Option<Types<'static>> {
        match self {
            TypesArg::Set(types) => Some(*types),
            TypesArg::File(_) => None,
        }
    }
}

pub(crate) fn parse(text: &str) -> Result<TypesArg, Infallible> {
    Ok(Types::from_name(text).map_or_else(|| TypesArg::File(text.into()), TypesArg::Set))
}

/// Reads the files of `--types` and `--from-types`.
pub(crate) fn load(verb: &mut Verb) -> Result<(), Failure> {
    let limits = verb.common().limits();
    let from = if let Verb::Convert(args) = &*verb { args.from_types.as_ref() } else { None };
    for types in verb.common().types.iter().chain(from) {
        if let TypesArg::File(path) = types {
            verb.common().refuse_overwriting(&Input::File(path.clone()))?;
        }
    }
    if let Verb::Convert(args) = verb {
        load_one("--from-types", &mut args.from_types, &limits)?;
    }
    load_one("--types", &mut verb.common_mut().types, &limits)
}

fn load_one(option: &str, types: &mut Option<TypesArg>, limits: &Limits) -> Result<(), Failure> {
    let Some(TypesArg::File(path)) = types else { return Ok(()) };
    if !path.exists() {
        let name = path.display();
        return Err(Failure::Usage(format!("{option}: '{name}' is not xml, json or value, and there is no such file")));
    }
    let input = Input::File(path.clone());
    let bytes = input.bytes(limits)?;
    let set = match std::str::from_utf8(&bytes) {
        Ok(text) => TypeSet::from_text(text),
        Err(error) => {
            Err(Error::new(ErrorKind::Syntax, "types", error.valid_up_to() as u64, "bytes that are not UTF-8", "text"))
        }
    };
    // There are at most two in a run.
    let set = Box::leak(Box::new(set.map_err(|error| Failure::bad(&input, error, &bytes))?));
    *types = Some(TypesArg::Set(Types::Own(set)));
    Ok(())
}
