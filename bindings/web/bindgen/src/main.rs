//! Writes the JavaScript and the TypeScript types of a module of WebAssembly: `lengthwise-bindgen MODULE.wasm FOLDER NAME`.
//!
//! This is the program `wasm-bindgen` with the options that the package needs. A crate of the workspace is locked like any
//! other dependency, and is there where a program cannot be installed.

use std::process::ExitCode;

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
        .typescript(true)
        .omit_default_module_path(true)
        .remove_producers_section(true)
        .remove_name_section(true);
    let written = bindgen.web(true).and_then(|bindgen| bindgen.generate(folder));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {module}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
