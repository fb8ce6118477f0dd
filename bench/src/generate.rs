//! Documents made up to the shapes of the paper's nine (its tables 12 and 14), and of two that
//! JSON parsers are often measured with. Seeded: every run makes the same bytes.

mod infoset;
mod json;
mod members;
pub(crate) mod per;
mod xml;

pub(crate) use members::{code, members};

use crate::{documents::Document, paper};

/// The nine XML documents.
pub(crate) fn xml() -> Vec<Document> {
    type Maker = fn() -> String;
    let all: [(&str, &str, Maker); 9] = [
        ("F1", "scenario.xml", xml::scenario),
        ("F2", "schema.xml", xml::schema),
        ("F3", "map-village.xml", || xml::map(&xml::VILLAGE)),
        ("F4", "map-laboratory.xml", || xml::map(&xml::LABORATORY)),
        ("F5", "map-college.xml", || xml::map(&xml::COLLEGE)),
        ("F6", "family-tree.xml", xml::family_tree),
        ("F7", "map-station.xml", || xml::map(&xml::STATION)),
        ("F8", "votable.xml", xml::votable),
        ("F9", "order-of-battle.xml", xml::order_of_battle),
    ];
    all.into_iter()
        .map(|(id, name, make)| Document { name: name.into(), bytes: make().into_bytes(), paper: paper::File::of(id) })
        .collect()
}

/// XML documents as the paper on the infoset measures.
pub(crate) fn infoset() -> Vec<Document> {
    let all = [
        ("elements.xml", infoset::elements()),
        ("entries.xml", infoset::entries()),
        ("schema.xml", xml::schema()),
        ("play.xml", infoset::play()),
    ];
    all.map(|(name, text)| Document { name: name.into(), bytes: text.into_bytes(), paper: None }).into()
}

/// The two JSON documents.
pub(crate) fn json() -> Vec<Document> {
    [("posts.json", json::posts()), ("events.json", json::events())]
        .map(|(name, text)| Document { name: name.into(), bytes: text.into_bytes(), paper: None })
        .into()
}

/// Numbers that look random (splitmix64).
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From `low` up to, not including, `high`.
    fn range(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low)
    }

    fn chance(&mut self, per_cent: u64) -> bool {
        self.range(0, 100) < per_cent
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.range(0, from.len() as u64) as usize]
    }

    /// Digits, the first of them not 0.
    fn digits(&mut self, count: u32) -> String {
        let low = 10u64.pow(count - 1);
        self.range(low, 10 * low).to_string()
    }

    /// Words with spaces between them, of `low` up to, not including, `high` bytes.
    fn phrase(&mut self, low: u64, high: u64) -> String {
        let wanted = self.range(low, high) as usize;
        let mut out = String::new();
        while out.len() < wanted {
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(self.pick(&WORDS));
        }
        // All words are ASCII.
        out.truncate(wanted);
        if out.ends_with(' ') {
            out.pop();
            out.push('s');
        }
        out
    }

    /// Two or three words run together, each with a capital: a name as people give to elements.
    fn compound(&mut self) -> String {
        let mut out = String::new();
        for _ in 0..if self.chance(35) { 3 } else { 2 } {
            let word = self.pick(&WORDS);
            out.push_str(&word[..1].to_uppercase());
            out.push_str(&word[1..word.len().min(6)]);
        }
        out
    }

    fn date(&mut self) -> String {
        format!("{}-{:02}-{:02}", self.range(1995, 2016), self.range(1, 13), self.range(1, 29))
    }

    fn time(&mut self) -> String {
        format!("{:02}:{:02}:{:02}", self.range(0, 24), self.range(0, 60), self.range(0, 60))
    }
}

const WORDS: [&str; 64] = [
    "amber", "anchor", "apple", "arch", "barn", "basin", "birch", "bridge", "brook", "candle", "canyon", "cedar",
    "chalk", "cliff", "clover", "copper", "coral", "dale", "delta", "drift", "eagle", "ember", "fern", "field",
    "flint", "forge", "garden", "glade", "granite", "harbour", "hazel", "heath", "hill", "iron", "island", "ivy",
    "juniper", "kettle", "lantern", "larch", "ledge", "linen", "maple", "marsh", "meadow", "mill", "moor", "oak",
    "orchard", "pebble", "pine", "quarry", "reed", "ridge", "river", "saddle", "shore", "slate", "spring", "stone",
    "thistle", "timber", "valley", "willow",
];

/// Words that are not ASCII, for documents that have some.
const FAR_WORDS: [&str; 12] =
    ["Bäckerei", "Café", "Straße", "Ñandú", "Łódka", "пример", "дорога", "地図", "駅前通り", "花見", "مدينة", "Œuvre®"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::{JsonCounts, XmlCounts};
    use tam::{Step, Table};

    /// Counts that are not within a fiftieth of those wanted, three more or less being rounding.
    #[derive(Default)]
    struct Far(Vec<String>);

    impl Far {
        fn check(&mut self, what: &str, found: u64, wanted: u64) {
            if found.abs_diff(wanted) > wanted / 50 + 3 {
                self.0.push(format!("{what}: {found}, wanted {wanted}"));
            }
        }
    }

    #[test]
    fn xml_has_the_shapes_of_table_14() {
        let mut far = Far::default();
        for document in xml() {
            let file = document.paper.unwrap();
            let name = &document.name;
            let mut table = Table::new();
            let read = text::xml::read(&document.bytes, &text::xml::Options::default(), &mut table).unwrap();
            let counts = XmlCounts::of(&read);
            let (mut depth, mut deepest, mut children, mut comments) = (0, 0, 0, 0);
            for step in read.walk() {
                match step {
                    Step::Open(node) if node.kind() == b'<' => {
                        depth += 1;
                        deepest = deepest.max(depth);
                        children = children.max(node.children().filter(|child| child.kind() != b'=').count());
                    }
                    Step::Close(node) if node.kind() == b'<' => depth -= 1,
                    Step::Primitive(node) => comments += u64::from(node.kind() == b'+'),
                    _ => {}
                }
            }
            far.check(&format!("{name}: elements"), counts.elements, file.elements);
            far.check(&format!("{name}: attributes"), counts.attributes, file.attributes);
            far.check(&format!("{name}: data"), counts.texts, file.data);
            far.check(&format!("{name}: units"), counts.units(), file.units);
            far.check(&format!("{name}: bytes"), document.bytes.len() as u64, file.xml as u64);
            far.check(&format!("{name}: comments"), comments, file.comments);
            if deepest != file.depth {
                far.0.push(format!("{name}: depth {deepest}, wanted {}", file.depth));
            }
            far.check(&format!("{name}: children"), children as u64, file.children as u64);
            let multibyte = matches!(file.id, "F5" | "F7");
            assert_eq!(!document.bytes.is_ascii(), multibyte, "{name}: multibyte characters");
        }
        assert!(far.0.is_empty(), "{:#?}", far.0);
    }

    /// Of `much_ado.xml`, `periodic_table.xml` and `soap2.xml`.
    #[test]
    fn documents_of_the_infoset_have_their_shapes() {
        // Bytes, elements, attributes with declarations, texts, bytes of values and texts.
        let wanted = [
            ("play.xml", [195_179, 4_727, 0, 9_418, 122_811]),
            ("elements.xml", [113_135, 1_897, 936, 3_793, 39_876]),
            ("entries.xml", [128_836, 4_502, 1_501, 8_503, 36_737]),
        ];
        let mut far = Far::default();
        let documents = infoset();
        for (name, wanted) in wanted {
            let document = documents.iter().find(|document| document.name == name).unwrap();
            let mut table = Table::new();
            let read = text::xml::read(&document.bytes, &text::xml::Options::default(), &mut table).unwrap();
            let counts = XmlCounts::of(&read);
            let bytes = document.bytes.len() as u64;
            let found = [bytes, counts.elements, counts.attributes, counts.texts, counts.value_bytes];
            for ((what, found), wanted) in
                ["bytes", "elements", "attributes", "texts", "values"].iter().zip(found).zip(wanted)
            {
                far.check(&format!("{name}: {what}"), found, wanted);
            }
        }
        assert!(far.0.is_empty(), "{:#?}", far.0);
    }

    #[test]
    fn json_has_its_shapes() {
        // The numbers of bytes, values, names and strings of the documents that these replace.
        let wanted = [[631_514, 13_914, 13_345, 4_754, 2_109], [1_727_204, 37_778, 25_869, 735, 14_392]];
        let mut far = Far::default();
        for (document, wanted) in json().iter().zip(wanted) {
            let mut table = Table::new();
            let read = text::json::read(&document.bytes, &text::json::Options::default(), &mut table).unwrap();
            let counts = JsonCounts::of_values(&read);
            let bytes = document.bytes.len() as u64;
            let found = [bytes, counts.units(), counts.names, counts.strings, counts.numbers];
            let names = ["bytes", "units", "names", "strings", "numbers"];
            for ((name, found), wanted) in names.iter().zip(found).zip(wanted) {
                far.check(&format!("{}: {name}", document.name), found, wanted);
            }
        }
        assert!(far.0.is_empty(), "{:#?}", far.0);
    }

    #[test]
    fn every_run_makes_the_same() {
        assert!(xml().iter().zip(xml()).all(|(a, b)| a.bytes == b.bytes));
        assert!(json().iter().zip(json()).all(|(a, b)| a.bytes == b.bytes));
        assert!(infoset().iter().zip(infoset()).all(|(a, b)| a.bytes == b.bytes));
        assert!(messages::KINDS.iter().all(|kind| per::messages(kind.name) == per::messages(kind.name)));
    }
}
