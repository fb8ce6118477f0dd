//! Writes a module of WebAssembly and its JavaScript: `lengthwise-bindgen MODULE.wasm FOLDER NAME`.
//!
//! This is the program `wasm-bindgen` with the options that the package needs. A crate of the workspace is locked like any
//! other dependency, and is there where a program cannot be installed.

use std::process::ExitCode;
use std::{fs, path::Path};

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder, name] = &arguments[..] else {
        eprintln!("usage: lengthwise-bindgen MODULE.wasm FOLDER NAME");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(module)
        .out_name(name)
        .typescript(false)
        .remove_producers_section(true)
        .remove_name_section(true);
    let written = bindgen.bundler(true).and_then(|bindgen| bindgen.generate_output()).and_then(|mut output| {
        let path = |ending: &str| Path::new(folder).join(format!("{name}{ending}"));
        // A page loads comments and indentation as well.
        let is_code = |line: &&str| !line.starts_with(['*', '/']);
        let lines = output.start().map_or("", String::as_str).lines().map(str::trim).filter(is_code);
        let script = lines.collect::<Vec<_>>().join("\n");
        fs::create_dir_all(folder)?;
        fs::write(path(".js"), script)?;
        fs::write(path("_bg.wasm"), output.wasm_mut().emit_wasm())?;
        Ok(())
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {module}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
