//! Made-up modules: every kind of type, under constraints of every kind, in two versions.

use std::fmt::Write;

use test_support::Random;

/// A made-up module, and the one that it is a later version of.
pub(crate) struct Module {
    pub(crate) text: String,
    pub(crate) earlier: String,
}

/// Around what only the later version has.
const LATER: char = '\u{1}';
const END: char = '\u{2}';

/// A module of types `T0`, `T1`, …
pub(crate) fn module(random: &mut Random) -> Module {
    made_up(random, true)
}

/// The same without TIME and its kin.
pub(crate) fn timeless_module(random: &mut Random) -> Module {
    made_up(random, false)
}

fn made_up(random: &mut Random, times: bool) -> Module {
    let tagging = random.of(&["AUTOMATIC", "AUTOMATIC", "IMPLICIT", "EXPLICIT"]);
    let types = 3 + random.below(8);
    let mut maker = Maker { random, times, tagged: tagging != "AUTOMATIC", tag: 0, own: 0, types, kinds: Vec::new() };
    let mut text = format!("M DEFINITIONS {tagging} TAGS ::= BEGIN\nfive INTEGER ::= 5\n");
    for own in 0..types {
        maker.own = own;
        let ty = maker.ty(4, false);
        maker.kinds.push(kind(&ty));
        writeln!(text, "T{own} ::= {ty}").unwrap();
    }
    text.push_str("END\n");
    let mut earlier = String::new();
    let mut later = 0;
    for c in text.chars() {
        match c {
            LATER => later += 1,
            END => later -= 1,
            _ if later == 0 => earlier.push(c),
            _ => {}
        }
    }
    text.retain(|c| c != LATER && c != END);
    Module { text, earlier }
}

/// What others may take from a type.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Takes {
    Numbers,
    Sizes,
    Components,
    Nothing,
}

fn kind(ty: &str) -> Takes {
    if ty.starts_with("INTEGER") {
        Takes::Numbers
    } else if ty.starts_with("OCTET STRING") || ty.starts_with("IA5String") {
        Takes::Sizes
    } else if ty.starts_with("SEQUENCE {") {
        Takes::Components
    } else {
        Takes::Nothing
    }
}

struct Maker<'r> {
    random: &'r mut Random,
    /// Whether there are types of time.
    times: bool,
    /// Whether components have tags of their own.
    tagged: bool,
    tag: u32,
    /// The type being made, and how many there are to be.
    own: usize,
    types: usize,
    kinds: Vec<Takes>,
}

impl Maker<'_> {
    /// A type; `lazy` where it need not be there, so that it may be one that holds this one.
    fn ty(&mut self, depth: u32, lazy: bool) -> String {
        let simple = depth == 0 || self.random.one_in(2);
        match self.random.below(if simple { 10 } else { 15 }) {
            0 => self.random.of(&["BOOLEAN", "NULL", "REAL", "OBJECT IDENTIFIER", "RELATIVE-OID"]).into(),
            1 | 2 => self.integer(),
            3 => self.enumerated(),
            4 => {
                let names = self.random.of(&["", "", "{ a(0), b(3), c(9) }"]);
                format!("BIT STRING {names} {}", self.size())
            }
            5 => format!("OCTET STRING {}", self.size()),
            6 | 7 => self.text(),
            8 | 9 => self.reference(lazy),
            10 | 11 => self.record(depth, lazy),
            12 => self.choice(depth, lazy),
            _ => self.array(depth, lazy),
        }
    }

    fn reference(&mut self, lazy: bool) -> String {
        let of = if lazy { self.types } else { self.own };
        if of == 0 {
            return "BOOLEAN".into();
        }
        let number = self.random.below(of);
        let constraint = match self.kinds.get(number) {
            Some(Takes::Sizes) if self.random.one_in(3) => "(SIZE (0..70000))",
            Some(Takes::Numbers) if self.random.one_in(3) => "(MIN..MAX)",
            _ => "",
        };
        // A tag in front of one component takes the automatic ones from all.
        let tag = if self.tagged && self.random.one_in(4) { self.any_tag() } else { String::new() };
        format!("{tag}T{number} {constraint}")
    }

    fn any_tag(&mut self) -> String {
        self.tag += 1;
        // Numbers that all differ, in no order.
        let number = self.tag * 37 % 1009;
        let class = self.random.of(&["", "", "APPLICATION ", "PRIVATE "]);
        let mode = self.random.of(&["", "IMPLICIT ", "EXPLICIT "]);
        // A choice has no tag to be replaced, whatever is said; saying so is no error of the tests.
        let mode = if mode == "IMPLICIT " { "" } else { mode };
        format!("[{class}{number}] {mode}")
    }

    fn component_tag(&mut self) -> String {
        if self.tagged { self.any_tag() } else { String::new() }
    }

    fn number(&mut self) -> i128 {
        let near = self.random.of(&[
            0,
            1,
            -1,
            5,
            255,
            256,
            65_535,
            65_536,
            -128,
            1 << 31,
            -(1 << 31),
            1 << 32,
            1 << 62,
            i64::MIN.into(),
            i64::MAX.into(),
            u64::MAX.into(),
            1 << 100,
            -(1 << 100),
        ]);
        near + self.random.below(3) as i128 - 1
    }

    fn span(&mut self) -> i128 {
        let round: i128 = 1 << self.random.below(101);
        let round = (round - self.random.below(3) as i128).max(0);
        match self.random.below(3) {
            0 => round,
            1 => self.random.below(300) as i128,
            _ => self.random.of(&[0, 1, 2, 9, 254, 255, 256, 65_534, 65_535, 65_536, (1 << 57) - 1, 1 << 57]),
        }
    }

    fn integer(&mut self) -> String {
        let names = self.random.of(&["", "", "{ one(1), many(100) }"]);
        let lower = self.number();
        let upper = lower + self.span();
        let middle = lower + (upper - lower) / 2;
        let constraint = match self.random.below(14) {
            0 => String::new(),
            1 => format!("({lower}..MAX)"),
            2 => format!("(MIN..{upper})"),
            3 => format!("({lower}..{upper}, ...)"),
            4 => format!("({lower}..{upper}, ..., {}..{})", upper + 1, upper + 9),
            5 => format!("({lower} | {middle}..{upper})"),
            6 => format!("({lower}..{upper}) (MIN..{middle})"),
            7 => format!("({lower}..{upper}, ...) ({lower}..{middle})"),
            8 => format!("({lower}..{upper} EXCEPT {middle}) ({lower} | {upper})"),
            9 => format!("(({lower}..{middle}) ^ ({lower} | {middle}..{upper}))"),
            10 => format!("({}<..<{})", lower - 1, upper + 1),
            11 => "(five..200 | 0)".into(),
            12 => match self.kinds.iter().position(|takes| *takes == Takes::Numbers) {
                Some(number) => format!("(T{number} | {lower})"),
                None => format!("({lower})"),
            },
            _ => format!("({lower}..{upper})"),
        };
        // A union with another type's values may be wider than 64 bits.
        let constraint = if constraint.contains('T') { "(INCLUDES INTEGER (3..9) | 20)".into() } else { constraint };
        format!("INTEGER {names} {constraint}")
    }

    fn size_within(&mut self) -> String {
        let lower = self.random.of(&[0, 0, 1, 2, 3, 16, 17]) + self.random.below(2);
        self.size_from(lower)
    }

    fn size_from(&mut self, lower: usize) -> String {
        let upper = lower + self.random.of(&[0, 0, 1, 2, 5, 8, 60, 255, 256, 65_520, 65_536, 70_000]);
        match self.random.below(12) {
            0 => format!("SIZE ({lower})"),
            1 => format!("SIZE ({lower}..MAX)"),
            2 => format!("SIZE ({lower}..{upper}, ...)"),
            3 => format!("SIZE ({lower}, ..., {})", lower + 2),
            4 => format!("SIZE ({lower} | {}..{})", lower + 3, upper + 3),
            5 => format!("SIZE (0 | {lower}..{upper})"),
            6 => format!("SIZE ({lower}..{upper} EXCEPT {})", lower + 1),
            7 => "SIZE (five)".into(),
            _ => format!("SIZE ({lower}..{upper})"),
        }
    }

    fn size(&mut self) -> String {
        if self.random.one_in(3) { String::new() } else { format!("({})", self.size_within()) }
    }

    fn alphabet(&mut self, kind: &str) -> String {
        let ranges: &[&str] = match kind {
            "NumericString" => &["\"0\"..\"9\"", "\"01\"", "\" \"", "\"3\"..\"5\" | \"9\""],
            "BMPString" | "UniversalString" => {
                &["\"a\"..\"z\"", "\"é\"..\"水\"", "\"x水\"", "\"\u{0}\"..\"\u{FF}\"", "\"水\""]
            }
            "UTF8String" => &["\"a\"..\"z\"", "\"é\" | \"水\""],
            _ => &[
                "\"a\"..\"z\" | \"0\"..\"9\"",
                "\"A\"",
                "\"ABC\"",
                "\"a\"..\"p\"",
                "\"a\"..\"q\"",
                "ALL EXCEPT \"b\"",
                "\"abcd\" EXCEPT \"b\"",
            ],
        };
        let range = self.random.of(ranges);
        format!("FROM ({range})")
    }

    fn text(&mut self) -> String {
        if self.times && self.random.one_in(4) {
            return self.random.of(&["TIME", "DATE", "TIME-OF-DAY", "DATE-TIME", "DURATION"]).into();
        }
        let kind = self.random.of(&[
            "UTF8String",
            "NumericString",
            "PrintableString",
            "IA5String",
            "VisibleString",
            "BMPString",
            "UniversalString",
            "TeletexString",
            "VideotexString",
            "GraphicString",
            "GeneralString",
            "ObjectDescriptor",
        ]);
        let (size, alphabet) = (self.size_within(), self.alphabet(kind));
        let known = ["Num", "Pri", "IA5", "Vis", "BMP", "Uni"].iter().any(|start| kind.starts_with(start));
        match self.random.below(6) {
            0 => format!("{kind} ({size})"),
            1 if known || kind == "UTF8String" => format!("{kind} ({alphabet})"),
            2 if known => format!("{kind} ({alphabet}) ({size})"),
            3 if known => format!("{kind} ({size} ^ {alphabet})"),
            4 if known => format!("{kind} ({alphabet}, ...)"),
            _ => kind.into(),
        }
    }

    fn enumerated(&mut self) -> String {
        let count = self.random.of(&[1, 2, 3, 4, 5, 9, 33]);
        let numbered = self.random.one_in(2);
        let shift = self.random.below(100);
        let mut items: Vec<String> = (0..count)
            .map(|i| if numbered { format!("e{i}({})", (i * 37 + shift) % 101) } else { format!("e{i}") })
            .collect();
        if self.random.one_in(2) {
            items.push("...".into());
            for i in 0..self.random.below_or(4, 10, 80) {
                items.push(if numbered { format!("x{i}({})", 200 + i) } else { format!("x{i}") });
            }
            let last = items.last_mut().unwrap();
            write!(last, "{LATER}, later{}{END}", if numbered { "(900)" } else { "" }).unwrap();
        }
        format!("ENUMERATED {{ {} }}", items.join(", "))
    }

    fn component(&mut self, name: &str, depth: u32, lazy: bool) -> String {
        let tag = self.component_tag();
        match self.random.below(8) {
            0 | 1 => format!("{name} {tag}{} OPTIONAL", self.ty(depth - 1, true)),
            2 => format!("{name} {tag}INTEGER (0..7) DEFAULT 3"),
            3 => {
                let default = self.random.of(&[
                    "BOOLEAN DEFAULT TRUE",
                    "IA5String DEFAULT \"abc\"",
                    "ENUMERATED { red, green, ..., blue } DEFAULT green",
                    "BIT STRING { a(0), b(1) } DEFAULT { a }",
                    "SEQUENCE OF INTEGER (0..3) DEFAULT {}",
                    "NULL DEFAULT NULL",
                    "OCTET STRING (SIZE (2)) DEFAULT '0102'H",
                ]);
                format!("{name} {tag}{default}")
            }
            _ => format!("{name} {tag}{}", self.ty(depth - 1, lazy)),
        }
    }

    fn record(&mut self, depth: u32, lazy: bool) -> String {
        let word = self.random.of(&["SEQUENCE", "SEQUENCE", "SET"]);
        let count = self.random.below_or(5, 12, 90);
        let depth = if count > 10 { 1 } else { depth };
        let mut parts: Vec<String> = (0..count).map(|i| self.component(&format!("a{i}"), depth, lazy)).collect();
        if word == "SEQUENCE"
            && !self.tagged
            && self.random.one_in(6)
            && let Some(number) = self.kinds.iter().position(|takes| *takes == Takes::Components)
        {
            // Its names may be those of this one.
            parts = vec![format!("own BOOLEAN, COMPONENTS OF T{number}")];
        }
        let suffix = if parts.iter().any(|part| part.contains("COMPONENTS OF")) { "d" } else { "c" };
        if self.random.one_in(2) {
            parts.push("...".into());
            let additions = self.random.below_or(4, 12, 80);
            let depth = if additions > 10 { 1 } else { depth };
            for i in 0..additions {
                let addition = if self.random.one_in(3) {
                    let members = 1 + self.random.below(3);
                    let members: Vec<String> =
                        (0..members).map(|j| self.component(&format!("g{i}x{j}"), depth, lazy)).collect();
                    format!("[[ {} ]]", members.join(", "))
                } else {
                    self.component(&format!("b{i}"), depth, lazy)
                };
                parts.push(addition);
            }
            let later =
                format!("{}, [[ later2 {}BOOLEAN ]]", self.component("later1", depth, lazy), self.component_tag());
            write!(parts.last_mut().unwrap(), "{LATER}, {later}{END}").unwrap();
            if self.random.one_in(3) {
                parts.push("...".into());
                let after = 1 + self.random.below(3);
                parts.extend((0..after).map(|i| self.component(&format!("{suffix}{i}"), depth, lazy)));
            }
        }
        format!("{word} {{ {} }}", parts.join(", "))
    }

    fn choice(&mut self, depth: u32, lazy: bool) -> String {
        let count = 1 + self.random.below_or(4, 12, 70);
        let depth = if count > 10 { 1 } else { depth };
        let mut parts = Vec::new();
        for i in 0..count {
            let tag = self.component_tag();
            parts.push(format!("a{i} {tag}{}", self.ty(depth - 1, lazy || i > 0)));
        }
        if self.random.one_in(2) {
            parts.push("...".into());
            let additions = self.random.below_or(4, 12, 80);
            let depth = if additions > 10 { 1 } else { depth };
            for i in 0..additions {
                let tag = self.component_tag();
                parts.push(format!("b{i} {tag}{}", self.ty(depth - 1, true)));
            }
            let later = format!("later {}{}", self.component_tag(), self.ty(depth - 1, true));
            write!(parts.last_mut().unwrap(), "{LATER}, {later}{END}").unwrap();
        }
        format!("CHOICE {{ {} }}", parts.join(", "))
    }

    fn array(&mut self, depth: u32, lazy: bool) -> String {
        let word = self.random.of(&["SEQUENCE", "SEQUENCE", "SET"]);
        // Many within many would be too many.
        let lower = self.random.of(&[0, 0, 0, 1, 2]);
        let size = if self.random.one_in(2) { String::new() } else { format!("({})", self.size_from(lower)) };
        // Where there may be none, the type may hold this one.
        let empty = size.is_empty() || size.starts_with("(SIZE (0");
        let tag = if self.random.one_in(6) { self.any_tag() } else { String::new() };
        format!("{word} {size} OF {tag}{}", self.ty(depth - 1, lazy || empty))
    }
}
