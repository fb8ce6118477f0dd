//! Writes the documentation in `_lengthwise.pyi` into a file for each class and function, which the macro `doc` reads.

use std::path::Path;
use std::{env, fs, io};

const STUBS: &str = "python/lengthwise/_lengthwise.pyi";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={STUBS}");
    let folder = env::var("OUT_DIR").map_err(io::Error::other)?;
    let text = fs::read_to_string(STUBS)?;
    let (mut class, mut name) = ("", None);
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let (code, is_inner) = (line.trim_start(), line.starts_with(' '));
        let word = |after: &str| code.strip_prefix(after).and_then(|rest| rest.split(['(', ':']).next());
        if let Some(found) = word("class ") {
            (class, name) = (found, Some(found.to_owned()));
        } else if let Some(found) = word("def ") {
            name = Some(if is_inner { format!("{class}.{found}") } else { found.to_owned() });
        } else if let (Some(start), Some(name)) = (code.strip_prefix("\"\"\""), name.take_if(|_| code.starts_with('"')))
        {
            let indent = line.len() - code.len();
            let mut doc = start.to_owned();
            while !doc.ends_with("\"\"\"") {
                let Some(line) = lines.next() else {
                    return Err(io::Error::other(format!("no end of the text of {name}")));
                };
                doc.push('\n');
                doc.push_str(line.get(indent..).unwrap_or_default());
            }
            fs::write(Path::new(&folder).join(name), doc.trim_end_matches('"').trim_end())?;
        }
    }
    Ok(())
}
