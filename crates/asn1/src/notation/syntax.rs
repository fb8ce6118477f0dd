//! `WITH SYNTAX`, and objects that are written by it (X.681 clauses 10 and 11.5).
//!
//! Of the optional groups that may come at a place, the one with most words there is read; nothing is read twice.
//! Published classes have groups that begin with the same word, so groups are refused only if nothing up to their first
//! field distinguishes them.

use foldhash::HashSet;
use tam::ErrorKind;

use super::Read;
use super::lexer::Kind;
use super::parser::Parser;
use super::word::is_reserved;
use crate::schema::{Class, ClassField, FieldGovernor, Position, Setting, Syntax};

/// The items of lookahead that distinguish the optional groups of a syntax.
pub(super) const WORDS: usize = 6;

/// How an optional group may begin: words, and what the first field is set to.
type Start<'s> = (Vec<&'s str>, Option<SettingKind>);

/// What the notation of a setting shows.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum SettingKind {
    Type,
    /// In braces.
    Set,
    /// A value or an object.
    Value,
}

impl Parser<'_> {
    /// Reads a syntax in braces, which must not be ambiguous.
    pub(super) fn whole_syntax(&mut self, fields: &[ClassField]) -> Read<Vec<Syntax>> {
        let position = self.position();
        self.expect("{", "'{' and a syntax")?;
        let syntax = self.syntax("}")?;
        self.expect("}", "'}', or more of the syntax")?;
        self.check_syntax(fields, &syntax, position)?;
        Ok(syntax)
    }

    /// Refuses optional groups that may be empty, and those that begin as what may come in their place.
    fn check_syntax(&self, fields: &[ClassField], items: &[Syntax], position: Position) -> Read<()> {
        let mut series: HashSet<Start<'_>> = HashSet::default();
        for (place, item) in items.iter().enumerate() {
            let mut own = Vec::new();
            match item {
                Syntax::Group(group) => {
                    if group.iter().all(|item| matches!(item, Syntax::Group(_))) {
                        let expected = "a word or a field in it (X.681 clause 10.12)";
                        return Err(self.error(ErrorKind::Schema, position, "a group that may be empty", expected));
                    }
                    starts(fields, group, Vec::new(), &mut own);
                    self.check_syntax(fields, group, position)?;
                }
                // Only what follows groups may be taken for one of them.
                _ if series.is_empty() => continue,
                _ => starts(fields, items.get(place..).unwrap_or_default(), Vec::new(), &mut own),
            }
            for (words, kind) in own {
                if !series.insert((words.clone(), kind)) {
                    let found = match words.is_empty() {
                        true => "groups that begin with fields of one kind".to_owned(),
                        false => format!("groups that begin with {} in the same way", words.join(" ")),
                    };
                    let expected = "a word that distinguishes them (X.681 clause 10.12)";
                    return Err(self.error(ErrorKind::Schema, position, found, expected));
                }
            }
            if !matches!(item, Syntax::Group(_)) {
                series.clear();
            }
        }
        Ok(())
    }

    /// Reads the items of a syntax up to a sign (X.681 clause 10).
    fn syntax(&mut self, end: &str) -> Read<Vec<Syntax>> {
        self.enter()?;
        let mut items = Vec::new();
        loop {
            self.split();
            let token = self.token();
            match (token.kind, token.text) {
                (_, text) if text == end && !items.is_empty() => break,
                (Kind::Sign, "&") => items.push(Syntax::Field(self.field_name()?.0)),
                (Kind::Sign, "[") => {
                    self.take()?;
                    items.push(Syntax::Group(self.syntax("]")?));
                    self.split();
                    self.expect("]", "']', or more of the group")?;
                }
                (Kind::Upper, _) | (Kind::Sign, ",") => items.push(Syntax::Literal(self.take()?.text.to_owned())),
                _ => return Err(self.unexpected("a word in capitals, a field or a group")),
            }
        }
        self.leave();
        Ok(items)
    }

    /// Reads an object in braces by the syntax of its class, or by the default syntax. Returns the settings, by field.
    pub(crate) fn object(&mut self, class: &Class) -> Read<Vec<(String, Setting)>> {
        let mut settings = Vec::new();
        self.expect("{", "'{' and an object")?;
        match &class.syntax {
            Some(syntax) => self.object_items(class, syntax, &[], &mut settings)?,
            None => {
                while self.is("&") {
                    let (name, _) = self.field_name()?;
                    self.setting_of(class, name, &mut settings)?;
                    if !self.takes(",")? {
                        break;
                    }
                }
            }
        }
        self.expect("}", "'}', or what the syntax of the class has next")?;
        Ok(settings)
    }

    /// Reads items of an object; `after` are the items that follow them.
    fn object_items(
        &mut self,
        class: &Class,
        items: &[Syntax],
        after: &[Syntax],
        settings: &mut Vec<(String, Setting)>,
    ) -> Read<()> {
        let mut next = 0;
        while let Some(item) = items.get(next) {
            match item {
                Syntax::Literal(word) => {
                    if !self.takes(word)? {
                        return Err(self.unexpected(format!("'{word}' of the syntax of the class")));
                    }
                }
                Syntax::Field(name) => self.setting_of(class, name.clone(), settings)?,
                Syntax::Group(_) => {
                    // Of the groups that may come here, the one of which most words are here. A word that comes next
                    // without them is no type that one of them begins with.
                    let groups = items.iter().skip(next).take_while(|item| matches!(item, Syntax::Group(_))).count();
                    let rest = items.get(next + groups..).unwrap_or_default();
                    let rest = if rest.is_empty() { after } else { rest };
                    let mut best: Option<(usize, usize)> = None;
                    let least = usize::from(self.begins(class, rest, 0)?.is_some_and(|words| words > 0));
                    for (place, group) in items.iter().enumerate().skip(next) {
                        let Syntax::Group(group) = group else { break };
                        if let Some(words) = self.begins(class, group, 0)?
                            && words >= least
                            && best.is_none_or(|(_, most)| words > most)
                        {
                            best = Some((place, words));
                        }
                    }
                    if let Some((place, _)) = best
                        && let Some(Syntax::Group(group)) = items.get(place)
                    {
                        self.enter()?;
                        // What follows the group may be one of the groups after it.
                        let after = items.get(place + 1..).unwrap_or_default();
                        let after = if after.is_empty() { rest } else { after };
                        self.object_items(class, group, after, settings)?;
                        self.leave();
                        next = place;
                    } else {
                        // What comes next begins none of them.
                        next += groups - 1;
                    }
                }
            }
            next += 1;
        }
        Ok(())
    }

    /// How many words of a group are here, from the item `at` on, if it begins here.
    fn begins(&mut self, class: &Class, group: &[Syntax], at: usize) -> Read<Option<usize>> {
        let mut words = at;
        for item in group {
            if words >= WORDS {
                break;
            }
            match item {
                Syntax::Literal(word) if self.peek(words)?.text == word => words += 1,
                Syntax::Literal(_) => return Ok(None),
                Syntax::Field(name) => {
                    return Ok(self.may_be_setting(class, name, words)?.then_some(words));
                }
                Syntax::Group(inner) => {
                    if let Some(words) = self.begins(class, inner, words)? {
                        return Ok(Some(words));
                    }
                }
            }
        }
        Ok((words > at).then_some(words))
    }

    /// Whether the item `at` may begin the setting of a field.
    fn may_be_setting(&mut self, class: &Class, name: &str, at: usize) -> Read<bool> {
        let token = self.peek(at)?;
        let is_upper = name.starts_with(|first: char| first.is_ascii_uppercase());
        let is_type = class.fields.iter().any(|field| field.name == name && field.governor == FieldGovernor::None);
        Ok(match token.kind {
            Kind::End => false,
            _ if matches!(token.text, "}" | ",") => false,
            Kind::Sign if is_type => token.text == "[",
            Kind::Sign if is_upper => token.text == "{",
            Kind::Sign => matches!(token.text, "{" | "-"),
            Kind::Upper if is_type => true,
            Kind::Lower if is_type => self.peek(at + 1)?.text == "." || self.peek(at + 1)?.text == "<",
            _ if is_upper => false,
            Kind::Upper => {
                matches!(token.text, "TRUE" | "FALSE" | "NULL" | "PLUS-INFINITY" | "MINUS-INFINITY" | "NOT-A-NUMBER")
                    || (!is_reserved(token.text) && matches!(self.peek(at + 1)?.text, "." | ":"))
            }
            _ => true,
        })
    }

    fn setting_of(&mut self, class: &Class, name: String, settings: &mut Vec<(String, Setting)>) -> Read<()> {
        let Some(field) = class.fields.iter().find(|field| field.name == name) else {
            return Err(self.unexpected(format!("a field of the class, not &{name}")));
        };
        let setting = self.field_setting(&name, &field.governor)?;
        settings.push((name, setting));
        Ok(())
    }
}

/// How items may begin, after `words`.
fn starts<'s>(fields: &[ClassField], items: &'s [Syntax], mut words: Vec<&'s str>, out: &mut Vec<Start<'s>>) {
    for item in items {
        match item {
            Syntax::Literal(word) if words.len() < WORDS => words.push(word),
            Syntax::Literal(_) => break,
            Syntax::Field(name) => {
                let is_upper = name.starts_with(|first: char| first.is_ascii_uppercase());
                let kind = match fields.iter().find(|field| field.name == *name) {
                    Some(field) if field.governor == FieldGovernor::None => SettingKind::Type,
                    _ if is_upper => SettingKind::Set,
                    _ => SettingKind::Value,
                };
                out.push((words, Some(kind)));
                return;
            }
            Syntax::Group(inner) => starts(fields, inner, words.clone(), out),
        }
    }
    out.push((words, None));
}
