//! XML to the shapes of three documents that the paper on the infoset measures; the fourth, a schema
//! for schemas, has one of the paper on TSF in its place.

use std::fmt::Write as _;

use super::{Rng, WORDS, xml::Writer};

/// What `much_ado.xml` is: a play, verse by verse, hardly a string of it twice.
pub(super) fn play() -> String {
    let mut rng = Rng(31);
    let speakers: Vec<String> =
        (0..22).map(|_| format!("{} {}", rng.pick(&WORDS), rng.pick(&WORDS)).to_uppercase()).collect();
    let mut w = Writer::new(0);
    w.open("PLAY");
    w.leaf("TITLE", "The Orchard by the Mill");
    w.blank();
    w.open("FM");
    for _ in 0..4 {
        w.leaf("P", &rng.phrase(40, 65));
    }
    w.close();
    w.blank();
    w.open("PERSONAE");
    w.leaf("TITLE", "Those Who Appear");
    for speaker in speakers.iter().take(19) {
        w.leaf("PERSONA", &format!("{speaker}, {}", rng.phrase(10, 30)));
    }
    w.close();
    for part in ["SCNDESCR", "PLAYSUBT"] {
        w.leaf(part, &rng.phrase(15, 25));
    }
    // Speeches and lines are spread evenly over the scenes, those over the acts.
    let (mut lines, mut directions) = (0, 0);
    for scene in 0..17 {
        if scene * 5 % 17 < 5 {
            if scene > 0 {
                w.close();
            }
            w.open("ACT");
            w.leaf("TITLE", &format!("ACT {}", 1 + scene * 5 / 17));
        }
        w.open("SCENE");
        w.leaf("TITLE", &format!("SCENE {}. {}.", 1 + scene, rng.phrase(12, 30)));
        for speech in 978 * scene / 17..978 * (scene + 1) / 17 {
            w.blank();
            w.open("SPEECH");
            w.leaf("SPEAKER", &speakers[rng.range(0, 22) as usize]);
            while lines < 2580 * (speech + 1) / 978 {
                w.leaf("LINE", &rng.phrase(25, 54));
                lines += 1;
            }
            if directions < 111 * (speech + 1) / 978 {
                w.leaf("STAGEDIR", &rng.phrase(5, 30));
                directions += 1;
            }
            w.close();
        }
        w.close();
    }
    w.finish()
}

/// A property of an element: its name, its unit, how many of 112 have it, whether its value has lines
/// of its own.
type Property = (&'static str, &'static str, u64, bool);

const PROPERTIES: [Property; 17] = [
    ("ATOMIC_MASS", "", 112, false),
    ("ATOMIC_NUMBER", "", 112, false),
    ("OXIDATION_NUMBER", "", 92, false),
    ("BOILING_POINT", "Kelvin", 94, false),
    ("MELTING_POINT", "Kelvin", 101, false),
    ("SYMBOL", "", 112, false),
    ("DENSITY", "grams/cubic centimetre", 94, true),
    ("ELECTRON_ORBITALS", "", 112, false),
    ("COVALENT_RADIUS", "Angstrom", 87, false),
    ("ELECTRON_AFFINITY", "", 102, false),
    ("ATOMIC_RADIUS", "Angstrom", 93, false),
    ("ENTHALPY_OF_VAPORIZING", "kilojoules/mole", 88, true),
    ("ATOMIC_VOLUME", "cubic centimetres/mole", 94, true),
    ("ENTHALPY_OF_MELTING", "kilojoules/mole", 87, true),
    ("IONIZATION_ENERGY", "", 101, false),
    ("SPECIFIC_HEAT_CAPACITY", "Joules/gram/degree Kelvin", 88, true),
    ("THERMAL_CONDUCTIVITY", "Watts/metre/degree Kelvin", 103, true),
];

/// What `periodic_table.xml` is: a hundred records of numbers with their units.
pub(super) fn elements() -> String {
    let mut rng = Rng(32);
    let mut w = Writer::new(2);
    w.open("PERIODIC_TABLE");
    for nth in 0..112 {
        w.blank();
        w.open("ATOM");
        w.leaf("NAME", &rng.compound());
        for (name, unit, count, lines) in PROPERTIES {
            // So many of 112, spread evenly.
            if count * (nth + 1) / 112 == count * nth / 112 {
                continue;
            }
            let value = match name {
                "ATOMIC_NUMBER" => (nth + 1).to_string(),
                "OXIDATION_NUMBER" => rng.range(1, 8).to_string(),
                "SYMBOL" => rng.compound()[..2].to_owned(),
                "ELECTRON_ORBITALS" => format!("[Xe] {}s{} d{} ", rng.range(2, 7), rng.range(1, 3), rng.range(1, 11)),
                _ => format!("{}.{}", rng.range(1, 60), rng.range(1, 100)),
            };
            let tag = if unit.is_empty() { name.to_owned() } else { format!("{name} UNITS=\"{unit}\"") };
            if lines {
                w.line();
                let note = if matches!(name, "DENSITY" | "THERMAL_CONDUCTIVITY") { "<!-- At 300K -->" } else { "" };
                let _ = write!(w.out, "<{tag}>{note}\n      {value}\n    </{name}>");
            } else {
                w.leaf_with(&tag, name, &value);
            }
        }
        w.close();
    }
    w.finish()
}

/// The content of `soap2.xml`: five hundred entries of eight simple values, each with a reference to the next.
pub(super) fn entries() -> String {
    let mut w = Writer::new(0);
    w.open(
        "s:Envelope xmlns:s=\"urn:example-net:messages.v1\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"",
    );
    w.open("s:Body");
    for nth in 0..500 {
        let id = if nth > 0 { format!(" s:id=\"sid{nth}\"") } else { String::new() };
        w.open(&format!("ns2:ListEntry xmlns:ns2=\"urn:example-net:itemclass:listing\"{id}"));
        let number = nth.to_string();
        let values = [
            ("llong", "3"),
            ("sshort", "1"),
            ("iint", &number),
            ("ffloat", "4.0"),
            ("cchar", "s"),
            ("ddouble", "5.0"),
            ("sstring", "Hello "),
        ];
        for (name, value) in values {
            w.leaf(name, value);
        }
        if nth < 499 {
            w.empty(&format!("next s:href=\"#sid{}\"", nth + 1));
        } else {
            w.empty("next xsi:null=\"1\"");
        }
        w.close();
    }
    w.finish()
}
