//! Comments and processing instructions that XML allows (XML 1.0, sections 2.5 and 2.6).

use tam::Words;
use xml::name::is_name;

/// Why a text cannot be a comment, if so.
pub(crate) fn wrong_comment(text: &str) -> Option<&'static str> {
    if text.contains("--") || text.ends_with('-') {
        return Some("'--' in a comment, or '-' at its end");
    }
    text.contains('\r').then_some("a carriage return in a comment")
}

/// Why target and content cannot be a processing instruction, if so.
pub(crate) fn wrong_instruction(target: &str, content: &str) -> Option<Words> {
    if !is_name(target) || target.eq_ignore_ascii_case("xml") {
        return Some(Words::Own(format!("an instruction with the target '{}'", target.escape_debug())));
    }
    if content.starts_with([' ', '\t', '\n']) {
        return Some("white space before the data of an instruction".into());
    }
    if content.contains("?>") {
        return Some("'?>' in an instruction".into());
    }
    content.contains('\r').then_some("a carriage return in an instruction".into())
}
