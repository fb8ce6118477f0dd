//! The peers of documents that have a schema: parsers of the XML, with and without validation.

use std::path::Path;

use crate::{
    ffi::{Library, Mode, Validator},
    report::Report,
    timing::Contestant,
    xml_peers::{Compare, Found, XmlPeer},
};

/// How each way of reading is called.
const MODES: [(Mode, &str); 4] = [
    (Mode::Events, "sax"),
    (Mode::EventsValidated, "sax, validated"),
    (Mode::Tree, "dom"),
    (Mode::TreeValidated, "dom, validated"),
];

/// The parsers that have read a schema.
pub(crate) struct Validators(Vec<(&'static str, Compare, Validator)>);

impl Validators {
    /// All that are there; the run fails for one that cannot read the schema.
    pub(crate) fn new(schema: &Path, report: &mut Report) -> Validators {
        let all = [
            ("libxml2", Library::Libxml2, Compare::Elements),
            // Its strings are of UTF-16.
            ("xerces", Library::Xerces, Compare::Tags),
        ];
        let mut there = Vec::new();
        for (name, library, compare) in all {
            match Validator::new(library, schema) {
                Some(Ok(validator)) => there.push((name, compare, validator)),
                Some(Err(error)) => report.fail(&format!("{}: {name} is left out: it {error}", schema.display())),
                None => {}
            }
        }
        Validators(there)
    }

    /// Each of them, reading a document in these ways.
    pub(crate) fn reading<'a>(&'a self, xml: &'a [u8], modes: &[Mode]) -> Vec<XmlPeer<'a>> {
        let mut all = Vec::new();
        for (library, compare, validator) in &self.0 {
            for (mode, words) in MODES.into_iter().filter(|mode| modes.contains(&mode.0)) {
                let tree = matches!(mode, Mode::Tree | Mode::TreeValidated);
                let sound = validator.parse(mode, xml) && (!tree || validator.keep(xml));
                let found = match sound {
                    true => Ok(Found { counts: validator.counts(mode), compare: *compare }),
                    false => Err("not sound, or not valid".to_owned()),
                };
                let contestant = Contestant::new(format!("{library} {words}"), move || validator.parse(mode, xml));
                all.push(XmlPeer { contestant, found });
            }
        }
        all
    }

    /// Each of them, writing its tree; what it writes is read again.
    pub(crate) fn writing<'a>(&'a self, xml: &'a [u8]) -> Vec<XmlPeer<'a>> {
        let writing = |(library, compare, validator): &'a (&'static str, Compare, Validator)| {
            let written = validator.keep(xml).then(|| validator.write(<[u8]>::to_vec));
            let found = match written.filter(|text| validator.parse(Mode::EventsValidated, text)) {
                Some(_) => Ok(Found { counts: validator.counts(Mode::EventsValidated), compare: *compare }),
                None => Err("writes what is not valid".to_owned()),
            };
            let contestant = Contestant::new(format!("{library} dom write"), || validator.write(<[u8]>::len));
            XmlPeer { contestant, found }
        };
        self.0.iter().map(writing).collect()
    }
}
