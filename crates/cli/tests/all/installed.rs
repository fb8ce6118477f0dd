//! `lengthwise completions` and `lengthwise manual`.
#![allow(clippy::unwrap_used, reason = "what a test cannot set up, it cannot test")]

use std::process::Command;

use crate::program::Place;

/// What bash offers after some words.
#[cfg(unix)]
fn offered(script: &str, words: &[&str]) -> Vec<String> {
    let (last, at) = (words.last().unwrap(), words.len() - 1);
    let previous = words[at - 1];
    let words = words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ");
    let asked = format!(
        "{script}\nCOMP_WORDS=({words}); COMP_CWORD={at}; _lengthwise lengthwise '{last}' '{previous}'\n\
         printf '%s\\n' \"${{COMPREPLY[@]}}\""
    );
    let output = Command::new("bash").args(["-c", &asked]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
#[cfg(unix)]
fn bash_completes_verbs_options_and_formats() {
    let script = Place::new().run(&["completions", "bash"]).done().text().to_owned();
    assert_eq!(offered(&script, &["lengthwise", "comp"]), ["compare", "completions"]);
    assert_eq!(offered(&script, &["lengthwise", "compare", "--wi"]), ["--within"]);
    assert_eq!(offered(&script, &["lengthwise", "convert", "a.xml", "-t", "infoset-u"]), ["infoset-uper"]);
    // What a verb does not use is not offered.
    assert_eq!(offered(&script, &["lengthwise", "replay", "--fra"]), [""]);
}

#[test]
fn every_shell_has_its_completions() {
    let here = Place::new();
    for (shell, starts) in
        [("zsh", "#compdef lengthwise"), ("fish", "# Print an optspec"), ("powershell", "\nusing"), ("elvish", "\nuse")]
    {
        let script = here.run(&["completions", shell]).done().text().to_owned();
        assert!(script.starts_with(starts) && script.contains("within"), "{shell}: {script:.100}");
    }
    assert_eq!(here.run(&["completions", "ksh"]).status, 2);
}

#[test]
fn the_manual_has_a_page_for_each_verb() {
    let here = Place::new();
    here.run(&["manual", "new/man1"]).done();
    let verbs = [
        "check",
        "compare",
        "completions",
        "convert",
        "example",
        "get",
        "inspect",
        "manual",
        "replay",
        "schema",
        "train",
    ];
    for verb in verbs {
        let page = here.text(&format!("new/man1/lengthwise-{verb}.1"));
        let help = here.run(&[verb, "--help"]).done().text().to_owned();
        let options: Vec<&str> = help.split_whitespace().filter(|word| word.starts_with("--")).collect();
        for option in options {
            let (option, _) = option.split_once('[').unwrap_or((option, ""));
            let name = option.trim_matches(|c: char| !(c.is_alphanumeric() || c == '-')).replace('-', "\\-");
            assert!(page.contains(&name) || page.contains(&name.replace('\\', "")), "{verb}: {name}");
        }
        assert!(page.contains(".SH OPTIONS"), "{verb}");
    }
    let top = here.text("new/man1/lengthwise.1");
    assert!(verbs.iter().all(|verb| top.contains(&format!("lengthwise\\-{verb}(1)"))), "{top}");
    here.file("taken", "");
    assert_eq!(here.run(&["manual", "taken"]).status, 3);
}
