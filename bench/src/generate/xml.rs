//! XML to the shapes of the paper's nine files.

use std::fmt::Write as _;

use super::{FAR_WORDS, Rng, WORDS};

const XML_DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// XML with white space that shows the structure.
pub(super) struct Writer {
    pub(super) out: String,
    open: Vec<String>,
    step: usize,
}

impl Writer {
    pub(super) fn new(step: usize) -> Writer {
        Writer { out: XML_DECLARATION.into(), open: Vec::new(), step }
    }

    pub(super) fn line(&mut self) {
        if !self.open.is_empty() {
            let indent = self.step * self.open.len();
            let _ = write!(self.out, "\n{:indent$}", "");
        }
    }

    /// Name and attributes as in the tag.
    pub(super) fn open(&mut self, tag: &str) {
        self.line();
        let _ = write!(self.out, "<{tag}>");
        self.open.push(tag.split(' ').next().unwrap_or(tag).into());
    }

    pub(super) fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            let indent = self.step * self.open.len();
            let _ = write!(self.out, "\n{:indent$}</{name}>", "");
        }
    }

    pub(super) fn empty(&mut self, tag: &str) {
        self.line();
        let _ = write!(self.out, "<{tag}/>");
    }

    pub(super) fn leaf(&mut self, name: &str, text: &str) {
        self.leaf_with(name, name, text);
    }

    /// A tag with attributes around a text, and its name alone.
    pub(super) fn leaf_with(&mut self, tag: &str, name: &str, text: &str) {
        self.line();
        let _ = write!(self.out, "<{tag}>{text}</{name}>");
    }

    /// An empty line.
    pub(super) fn blank(&mut self) {
        self.out.push('\n');
    }

    pub(super) fn comment(&mut self, text: &str) {
        self.line();
        let _ = write!(self.out, "<!--{text}-->");
    }

    pub(super) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.out.push('\n');
        self.out
    }
}

/// F1: settings of a game, one a line, and in four states lists of pairs on one line each.
pub(super) fn scenario() -> String {
    let mut rng = Rng(1);
    let names: Vec<String> = (0..270).map(|_| rng.compound()).collect();
    let mut names = names.iter().map(String::as_str).cycle();
    let mut name = move || names.next().unwrap_or("Name");
    let mut w = Writer::new(3);
    // Text between spaces, as a program of the nineties would write it.
    let setting = |w: &mut Writer, rng: &mut Rng, name: &str| {
        let text = match rng.range(0, 4) {
            0 => format!(" {} ", rng.range(0, 2000)),
            1 => format!(" {} ", rng.pick(&["Yes", "No", "None"])),
            2 => format!(" {} ", rng.phrase(5, 16)),
            _ => format!(" {}.{} ", rng.range(0, 10), rng.range(0, 100)),
        };
        w.leaf(name, &text);
    };
    w.open("specification");
    // Elements beside the pairs, the root and the ones written here by hand not counted.
    let mut left = 662 - 3;
    for image in ["splash", "map", "background"] {
        w.empty(&format!("image name=\"{}.bmp\" type=\"{image}\"", rng.compound()));
    }
    for _ in 0..4 {
        w.open(name());
        for _ in 0..19 {
            setting(&mut w, &mut rng, name());
        }
        for (pair, count) in [("range", 74), ("weight", 32)] {
            let title = if pair == "range" { ("RangeName", "RangeVal") } else { ("WgtName", "WgtVal") };
            for _ in 0..count {
                w.line();
                let (a, b) = title;
                let (words, value) = (rng.phrase(12, 34), rng.range(0, 100));
                let _ = write!(w.out, "<{pair}><{a}> {words}   </{a}><{b}>   {value}   </{b}></{pair}>");
            }
        }
        w.close();
        left -= 20;
    }
    // The deepest path: six containers around a setting.
    for _ in 0..5 {
        w.open(name());
    }
    for _ in 0..4 {
        setting(&mut w, &mut rng, name());
    }
    for _ in 0..5 {
        w.close();
    }
    left -= 9;
    while left > 0 {
        let settings = (left - 1).min(rng.range(8, 40));
        w.open(name());
        for _ in 0..settings {
            setting(&mut w, &mut rng, name());
        }
        w.close();
        left -= settings + 1;
    }
    w.finish()
}

/// F2: a schema: types of elements with documentation, nested up to eleven deep.
pub(super) fn schema() -> String {
    let mut rng = Rng(2);
    let mut w = Writer::new(1);
    w.open(
        "xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" targetNamespace=\"urn:example:process\" \
         elementFormDefault=\"qualified\" version=\"40a\"",
    );
    let mut elements = 1;
    let mut comments = 29;
    for top in 0..160 {
        if comments > 0 && top % 5 == 0 {
            w.comment(&format!(" {} ", rng.phrase(20, 60)));
            comments -= 1;
        }
        let more = if top % 2 == 0 { " nillable=\"true\"" } else { "" };
        w.open(&format!("xs:element name=\"{}\"{more}", rng.compound()));
        elements += 1;
        if rng.chance(73) {
            w.open("xs:annotation");
            w.leaf("xs:documentation", &rng.phrase(80, 260));
            w.close();
            elements += 2;
        }
        w.open("xs:complexType");
        w.open("xs:sequence");
        elements += 2;
        // One in sixteen is nested as deep as there is.
        let deep = top % 16 == 3;
        if deep {
            for tag in ["xs:element name=\"Choice\"", "xs:complexType", "xs:choice", "xs:sequence"] {
                w.open(tag);
            }
            w.open("xs:element name=\"Inner\" minOccurs=\"0\"");
            w.open("xs:annotation");
            w.leaf("xs:documentation", &rng.phrase(40, 120));
            for _ in 0..6 {
                w.close();
            }
            elements += 7;
        }
        for _ in 0..rng.range(1, 9) {
            w.empty(&format!("xs:element ref=\"p:{}\" minOccurs=\"0\"", rng.compound()));
            elements += 1;
        }
        w.empty("xs:any namespace=\"##other\" processContents=\"lax\" minOccurs=\"0\" maxOccurs=\"unbounded\"");
        elements += 1;
        w.close();
        for _ in 0..rng.range(0, 3) {
            let required = if rng.chance(50) { " use=\"required\"" } else { "" };
            w.open(&format!("xs:attribute name=\"{}\"{required}", rng.compound()));
            w.open("xs:simpleType");
            w.open("xs:restriction base=\"xs:NMTOKEN\"");
            elements += 3;
            for _ in 0..rng.range(1, 3) {
                w.empty(&format!("xs:enumeration value=\"{}\"", rng.compound()));
                elements += 1;
            }
            for _ in 0..3 {
                w.close();
            }
        }
        w.empty("xs:anyAttribute namespace=\"##other\" processContents=\"lax\"");
        elements += 1;
        w.close();
        w.close();
    }
    while elements < 2565 {
        w.empty(&format!("xs:group name=\"{}\"", rng.compound()));
        elements += 1;
    }
    while comments > 0 {
        w.comment(&format!(" {} ", rng.phrase(20, 60)));
        comments -= 1;
    }
    w.finish()
}

/// How many there are of what in a map.
pub(super) struct Map {
    seed: u64,
    nodes: u64,
    /// Nodes with tags.
    tagged: u64,
    ways: u64,
    relations: u64,
    points: u64,
    tags: u64,
    members: u64,
    far: bool,
}

pub(super) const VILLAGE: Map =
    Map { seed: 3, nodes: 978, tagged: 271, ways: 29, relations: 0, points: 1005, tags: 501, members: 0, far: false };
pub(super) const LABORATORY: Map =
    Map { seed: 4, nodes: 1313, tagged: 32, ways: 40, relations: 0, points: 1124, tags: 1065, members: 0, far: false };
pub(super) const COLLEGE: Map =
    Map { seed: 5, nodes: 1605, tagged: 4, ways: 151, relations: 4, points: 1826, tags: 1440, members: 107, far: true };
pub(super) const STATION: Map =
    Map { seed: 7, nodes: 3041, tagged: 135, ways: 150, relations: 0, points: 2447, tags: 2990, members: 0, far: true };

/// F3, F4, F5, F7: nodes with nine attributes each, ways that refer to them, tags.
pub(super) fn map(shape: &Map) -> String {
    let mut rng = Rng(shape.seed);
    let mut w = Writer::new(1);
    w.open(
        "osm version=\"0.6\" generator=\"shape 0.3.3\" copyright=\"made up\" \
         attribution=\"http://map.example.org/copyright\" license=\"http://map.example.org/licenses/1-0/\"",
    );
    w.empty("bounds minlat=\"39.4714000\" minlon=\"-78.6915000\" maxlat=\"39.4894000\" maxlon=\"-78.6600000\"");
    let user = |rng: &mut Rng| format!("{}_{}", rng.pick(&WORDS), rng.pick(&WORDS));
    let changed = |rng: &mut Rng| format!("{}T{}Z", rng.date(), rng.time());
    let tag = |rng: &mut Rng, w: &mut Writer| {
        let value = match rng.range(0, 4) {
            0 => rng.digits(7),
            1 => rng.pick(&["yes", "residential", "service", "building", "US"]).to_owned(),
            _ if shape.far && rng.chance(4) => format!("{} {}", rng.pick(&FAR_WORDS), rng.phrase(8, 30)),
            _ => rng.phrase(8, 30),
        };
        let kind = rng.pick(&["highway", "name", "source", "addr:street", "addr:housenumber", "ref", "surface"]);
        w.empty(&format!("tag k=\"{kind}\" v=\"{value}\""));
    };
    // Tags shared out: one to each tagged node, the rest to ways and relations.
    for i in 0..shape.nodes {
        let node = format!(
            "node id=\"{}\" visible=\"true\" version=\"{}\" changeset=\"{}\" timestamp=\"{}\" user=\"{}\" \
             uid=\"{}\" lat=\"{}.{}\" lon=\"-{}.{}\"",
            rng.digits(9),
            rng.range(1, 10),
            rng.digits(7),
            changed(&mut rng),
            user(&mut rng),
            rng.digits(6),
            rng.digits(2),
            rng.digits(7),
            rng.digits(2),
            rng.digits(7)
        );
        if i < shape.tagged {
            w.open(&node);
            tag(&mut rng, &mut w);
            w.close();
        } else {
            w.empty(&node);
        }
    }
    let groups = shape.ways + shape.relations;
    let share = |all: u64, among: u64, i: u64| all * (i + 1) / among - all * i / among;
    for i in 0..groups {
        let kind = if i < shape.ways { "way" } else { "relation" };
        w.open(&format!(
            "{kind} id=\"{}\" visible=\"true\" version=\"{}\" changeset=\"{}\" timestamp=\"{}\" user=\"{}\" uid=\"{}\"",
            rng.digits(8),
            rng.range(1, 10),
            rng.digits(7),
            changed(&mut rng),
            user(&mut rng),
            rng.digits(6)
        ));
        if i < shape.ways {
            for _ in 0..share(shape.points, shape.ways, i) {
                w.empty(&format!("nd ref=\"{}\"", rng.digits(9)));
            }
        } else {
            for _ in 0..share(shape.members, shape.relations, i - shape.ways) {
                w.empty(&format!("member type=\"way\" ref=\"{}\" role=\"outer\"", rng.digits(8)));
            }
        }
        for _ in 0..share(shape.tags - shape.tagged, groups, i) {
            tag(&mut rng, &mut w);
        }
        w.close();
    }
    w.finish()
}

/// F6: a page of people: one very long line of text with breaks, and lists in lists.
pub(super) fn family_tree() -> String {
    let mut rng = Rng(6);
    let mut out = String::from(XML_DECLARATION);
    out.push_str("<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"xhtml1-strict.dtd\">\n");
    let title = "A line of people and their children";
    let _ =
        write!(out, "<html xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n<title>{title}</title>\n</head>\n<body>");
    for _ in 0..5 {
        let _ = write!(out, "\n<!-- {} -->", rng.phrase(20, 60));
    }
    // The text is a few boxes deep: html, body and these are above it.
    for _ in 0..6 {
        out.push_str("\n<div>");
    }
    out.push_str("\n<pre>");
    let person = |rng: &mut Rng, low, high| {
        let year = rng.range(849, 1950);
        format!("{} (born {year}, died {}): {}", rng.compound(), year + rng.range(1, 90), rng.phrase(low, high))
    };
    for i in 0..1778 {
        out.push_str(&person(&mut rng, 40, 120));
        let _ = if i % 10 < 7 { write!(out, "<br/>") } else { write!(out, "\n<strong>{}</strong>", rng.compound()) };
    }
    out.push_str("</pre>");
    // People in lists in lists, four levels, the outermost item first: each has a strong name and some a link.
    let mut elements = 4 + 6 + 1 + 1778;
    let mut links = 390;
    let target = 4589;
    while elements + 30 < target {
        let depth = rng.range(1, 4);
        for _ in 0..depth {
            let _ = write!(out, "\n<ul>\n<li>{} ", person(&mut rng, 30, 75));
            elements += 2;
        }
        for _ in 0..3 {
            let text = person(&mut rng, 40, 100);
            let _ = if links > 0 && rng.chance(70) {
                links -= 1;
                write!(out, "\n<a href=\"#p{}\">{}</a> {text} ", rng.digits(4), rng.compound())
            } else {
                write!(out, "\n<strong>{}</strong> {text} ", rng.compound())
            };
            elements += 1;
        }
        for _ in 0..depth {
            out.push_str("\n</li>\n</ul>");
        }
    }
    while elements < target {
        let link = if links > 0 { format!(" id=\"p{}\"", rng.digits(4)) } else { String::new() };
        links = u64::saturating_sub(links, 1);
        let _ = write!(out, "\n<strong{link}>{}</strong>", rng.compound());
        elements += 1;
    }
    for _ in 0..6 {
        out.push_str("\n</div>");
    }
    out.push_str("\n</body>\n</html>\n");
    out
}

/// F8: a table of 2107 rows and 79 columns, most cells empty.
pub(super) fn votable() -> String {
    let mut rng = Rng(8);
    let mut w = Writer::new(4);
    w.open(
        "VOTABLE version=\"1.1\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
         xsi:noNamespaceSchemaLocation=\"http://table.example.org/v1.1\" xmlns=\"http://table.example.org/v1.1\"",
    );
    w.open("RESOURCE name=\"CATALOGUE\" type=\"results\"");
    w.leaf("DESCRIPTION", &rng.phrase(60, 64));
    w.empty("INFO name=\"QUERY_STATUS\" value=\"OK\"");
    w.empty("INFO name=\"SERVICE_PROTOCOL\" value=\"1.03\"");
    w.empty("COOSYS ID=\"J2000\" system=\"eq_FK5\" equinox=\"J2000\"");
    w.open("TABLE name=\"A catalogue of distant places\"");
    w.leaf("DESCRIPTION", &rng.phrase(50, 60));
    for column in 1..=79 {
        let size = if column % 11 == 0 { " arraysize=\"*\"" } else { "" };
        w.open(&format!(
            "FIELD ID=\"col{column}\" name=\"{}\" datatype=\"double\" unit=\"{}\" ucd=\"phys.{}\"{size}",
            rng.compound(),
            rng.pick(&WORDS),
            rng.pick(&WORDS)
        ));
        w.leaf("DESCRIPTION", &rng.phrase(10, 40));
        w.close();
    }
    w.open("DATA");
    w.open("TABLEDATA");
    // Columns come in groups that are there or not together, as errors come with their value.
    let filled = [97, 35, 35, 8, 50, 30, 8, 85, 15, 3, 14];
    for _ in 0..2107 {
        w.line();
        w.open("TR");
        w.line();
        let mut there = true;
        for column in 0..79usize {
            if column % 3 != 2 {
                there = rng.chance(filled[column / 3 % filled.len()]);
            }
            let value = match (there, column) {
                (false, _) => String::new(),
                (true, 0) => rng.phrase(8, 14),
                (true, 20) => rng.date(),
                (true, 60) => "Published in a journal".into(),
                (true, column) if column % 3 == 0 => format!("{}.{}", rng.range(0, 4000), rng.digits(6)),
                (true, _) => format!("{}.{}", rng.range(0, 10), rng.digits(3)),
            };
            let _ = write!(w.out, "<TD>{value}</TD>");
        }
        w.close();
    }
    w.finish()
}

/// F9: units with their equipment and people, every number an element of its own.
pub(super) fn order_of_battle() -> String {
    let mut rng = Rng(9);
    let mut w = Writer::new(2);
    w.out.push_str("<!-- An extract, made up -->\n");
    w.open("UOB");
    w.open("Units");
    let share = |all: u64, i: u64| all * (i + 1) / 564 - all * i / 564;
    let amounts = |w: &mut Writer, rng: &mut Rng, names: [(&str, u64); 3]| {
        for (name, per_cent) in names {
            if rng.chance(per_cent) {
                w.leaf(name, &rng.range(1, 700).to_string());
            }
        }
    };
    for unit in 0..564 {
        // Attributes with spaces about the `=`, which XML allows and TSF does not carry.
        w.open(&format!("Unit UIC = \"UN{}\" DataSource = \"{}\"", rng.digits(4), rng.pick(&["LOCAL", "GENERIC"])));
        w.leaf("Name", &rng.phrase(10, 30));
        if unit % 4 == 0 {
            w.open("Present");
            w.leaf("Name", &rng.phrase(8, 16));
            w.leaf("Latitude", &format!("{}N", rng.digits(6)));
            w.leaf("Longitude", &format!("0{}E", rng.digits(6)));
            w.close();
        }
        let long = rng.phrase(16, 54);
        for (name, text) in
            [("TypeCode", "PTLAA"), ("UnitTypeCodeName", &long), ("LevelCode", "CO"), ("UnitLevelCodeName", " ")]
        {
            w.leaf(name, text);
        }
        if unit % 4 != 0 {
            w.open("Personnel");
            amounts(&mut w, &mut rng, [("Authorized", 60), ("OnHand", 60), ("Required", 60)]);
            w.close();
        }
        if unit % 5 != 0 {
            w.open("EquipmentResources");
            for _ in 0..share(7863 * 5 / 4, unit) {
                w.open(&format!("Equipment Code = \"{}\"", rng.digits(13)));
                w.leaf("Description", &rng.phrase(10, 21));
                amounts(&mut w, &mut rng, [("Authorized", 68), ("OnHand", 63), ("Required", 60)]);
                w.close();
            }
            w.close();
            w.open("PersonnelResources");
            for _ in 0..share(6998 * 5 / 4, unit) {
                let post = rng.digits(4);
                w.open(&format!("Personnel MilitaryOccupationSpecialty = \"{post}\""));
                w.leaf("Description", &rng.phrase(9, 24));
                w.leaf("Grade", &format!("{}{}", rng.pick(&["E", "O", "W"]), rng.range(1, 9)));
                amounts(&mut w, &mut rng, [("Authorized", 86), ("OnHand", 32), ("Required", 97)]);
                w.close();
            }
            w.close();
        }
        w.close();
    }
    w.finish()
}
