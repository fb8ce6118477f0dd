//! Schemas made up, and instances of them.

#![allow(clippy::unwrap_used)] // How a test fails.

use std::fmt::Write;

use test_support::Random;

/// Simple types, each with texts that are values of it.
const SIMPLE: &[(&str, &[&str])] = &[
    ("xs:string", &["", "a", " a  b ", "x&amp;y", "é", "a&#9;b", "<![CDATA[<c>]]>"]),
    ("xs:normalizedString", &["", "a b", " a", "a\tb"]),
    ("xs:token", &["", "a b", " a  b ", "ab"]),
    ("xs:int", &["0", "-7", "2147483647", "+5", " 12 ", "007"]),
    ("xs:unsignedByte", &["0", "255", "7"]),
    ("xs:integer", &["123456789012345678901234567890", "-1", "999999999999999999"]),
    ("xs:decimal", &["0", "1.50", "-0.0", "100", ".5", "12.", "123456789012345678.123", "0.001"]),
    ("xs:boolean", &["true", "0", "1", "false", " true "]),
    ("xs:double", &["1.5", "INF", "-0", "1e10", "NaN", "12345678901234567890"]),
    ("xs:float", &["1.5", "-INF", "3"]),
    ("xs:date", &["2004-10-28", "2004-10-28Z"]),
    ("xs:dateTime", &["2004-10-28T12:00:00Z", "2004-10-28T24:00:00", "2004-10-28T12:00:00.5+01:00"]),
    ("xs:NMTOKEN", &["a", "a-1", " b "]),
    ("xs:anyURI", &["http://x/y", ""]),
    ("xs:language", &["en-US"]),
    ("xs:hexBinary", &["0aFF", ""]),
    ("xs:base64Binary", &["AAEC", "QQ==", ""]),
    ("xs:QName", &["t:x", "t:base"]),
    ("xs:IDREF", &["root"]),
    ("t:colour", &["red", "green", "light blue"]),
    ("t:short", &["a", "abcde", "éé"]),
    ("t:amount", &["0", "123.45", "999.9", "1.00", "0.01"]),
    ("t:ints", &["1 2 3", "", " 7 "]),
    ("t:either", &["1", "abc", "a b"]),
    ("t:letters", &["abc", "a"]),
    ("t:size", &["1", "20"]),
];

const TYPES: &str = "
 <xs:simpleType name='colour'><xs:restriction base='xs:string'><xs:enumeration value='red'/>
   <xs:enumeration value='green'/><xs:enumeration value='light blue'/></xs:restriction></xs:simpleType>
 <xs:simpleType name='short'><xs:restriction base='xs:string'><xs:minLength value='1'/><xs:maxLength value='5'/>
   </xs:restriction></xs:simpleType>
 <xs:simpleType name='amount'><xs:restriction base='xs:decimal'><xs:totalDigits value='5'/>
   <xs:fractionDigits value='2'/><xs:minInclusive value='0'/></xs:restriction></xs:simpleType>
 <xs:simpleType name='ints'><xs:list itemType='xs:int'/></xs:simpleType>
 <xs:simpleType name='either'><xs:union memberTypes='xs:int xs:token'/></xs:simpleType>
 <xs:simpleType name='letters'><xs:restriction base='xs:token'><xs:pattern value='[a-c]+'/></xs:restriction></xs:simpleType>
 <xs:simpleType name='size'><xs:restriction base='xs:int'><xs:minExclusive value='0'/><xs:maxInclusive value='20'/>
   </xs:restriction></xs:simpleType>
 <xs:complexType name='base'><xs:sequence><xs:element name='n' type='xs:int' minOccurs='0'/></xs:sequence></xs:complexType>
 <xs:complexType name='more'><xs:complexContent><xs:extension base='t:base'><xs:sequence>
   <xs:element name='m' type='xs:string' maxOccurs='2'/></xs:sequence></xs:extension></xs:complexContent></xs:complexType>
 <xs:element name='head' type='xs:token'/>
 <xs:element name='member' type='xs:token' substitutionGroup='t:head'/>";

/// A schema, whose types refer only to later ones.
pub(crate) struct Generated {
    types: Vec<Type>,
    /// Whether the names of local elements are in the namespace.
    qualified: bool,
    /// Whether the default namespace of instances is that of the schema.
    default: bool,
    indent: usize,
}

struct Type {
    content: Content,
    attributes: Vec<Attribute>,
}

enum Content {
    Empty,
    Simple(usize),
    Elements { mixed: bool, group: Group },
}

struct Attribute {
    name: String,
    ty: usize,
    required: bool,
    default: Option<&'static str>,
    fixed: bool,
}

struct Group {
    kind: &'static str,
    min: usize,
    max: usize,
    particles: Vec<Particle>,
}

enum Particle {
    Element(Element),
    Group(Group),
    Head(usize),
    Any,
}

struct Element {
    name: String,
    of: Of,
    min: usize,
    max: usize,
    nillable: bool,
    default: Option<&'static str>,
    unique: bool,
}

enum Of {
    Simple(usize),
    Type(usize),
    Base,
}

fn occurs(random: &mut Random) -> (usize, usize) {
    random.of(&[(1, 1), (1, 1), (0, 1), (0, 3), (1, 9), (2, 4)])
}

impl Generated {
    pub(crate) fn new(random: &mut Random) -> Generated {
        let count = 1 + random.below(5);
        let types = (0..count).map(|number| Type::new(random, number, count)).collect();
        let (qualified, default) = (random.one_in(2), random.one_in(2));
        Generated { types, qualified, default: default && qualified, indent: random.of(&[0, 0, 1, 4]) }
    }

    /// The document `t.xsd`.
    pub(crate) fn schema(&self) -> String {
        let form = if self.qualified { "qualified" } else { "unqualified" };
        let mut out = format!(
            "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns:t='urn:t' targetNamespace='urn:t' \
             elementFormDefault='{form}'>{TYPES}\n<xs:element name='root'><xs:complexType><xs:complexContent>\
             <xs:extension base='t:t0'><xs:attribute name='id' type='xs:ID'/></xs:extension></xs:complexContent>\
             </xs:complexType></xs:element>\n"
        );
        if !matches!(self.types[0].content, Content::Elements { .. } | Content::Empty) {
            out = out.replace("complexContent", "simpleContent");
            out = out.replacen("simpleContent", "complexContent", 2);
        }
        for (number, ty) in self.types.iter().enumerate() {
            ty.write(number, &mut out);
        }
        out + "</xs:schema>"
    }

    /// An instance with values of any kind.
    pub(crate) fn instance(&self, random: &mut Random) -> String {
        let mut out = String::new();
        let root = if self.default { "root" } else { "t:root" };
        let default = if self.default { " xmlns='urn:t'" } else { "" };
        write!(out, "<{root}{default} xmlns:t='urn:t' id='root'").unwrap();
        self.rest(random, &self.types[0], root, 1, &mut out);
        out
    }

    fn line(&self, level: usize, out: &mut String) {
        if self.indent > 0 {
            write!(out, "\n{}", " ".repeat(self.indent * level)).unwrap();
        }
    }

    /// The rest of an element after its name.
    fn rest(&self, random: &mut Random, ty: &Type, name: &str, level: usize, out: &mut String) {
        for attribute in &ty.attributes {
            if attribute.required || !random.one_in(3) {
                let value =
                    attribute.default.filter(|_| attribute.fixed).unwrap_or_else(|| random.of(SIMPLE[attribute.ty].1));
                let value = if value.starts_with("<!") { "c" } else { value };
                write!(out, " {}='{value}'", attribute.name).unwrap();
            }
        }
        match &ty.content {
            Content::Empty => *out += "/>",
            Content::Simple(simple) => write!(out, ">{}</{name}>", random.of(SIMPLE[*simple].1)).unwrap(),
            Content::Elements { mixed, group } => {
                out.push('>');
                self.group(random, group, *mixed, level, out);
                self.line(level - 1, out);
                write!(out, "</{name}>").unwrap();
            }
        }
    }

    fn group(&self, random: &mut Random, group: &Group, mixed: bool, level: usize, out: &mut String) {
        for _ in 0..group.min + random.below(group.max - group.min + 1) {
            match group.kind {
                "choice" => {
                    let chosen = random.below(group.particles.len());
                    self.particle(random, &group.particles[chosen], mixed, level, out);
                }
                "all" => {
                    let from = random.below(group.particles.len());
                    let (first, second) = group.particles.split_at(from);
                    for particle in second.iter().chain(first) {
                        self.particle(random, particle, mixed, level, out);
                    }
                }
                _ => {
                    for particle in &group.particles {
                        self.particle(random, particle, mixed, level, out);
                    }
                }
            }
        }
    }

    fn particle(&self, random: &mut Random, particle: &Particle, mixed: bool, level: usize, out: &mut String) {
        match particle {
            Particle::Group(group) => self.group(random, group, mixed, level, out),
            Particle::Any => {
                *out += random.of(&["", "<q:a xmlns:q='urn:q'><b/></q:a>", "<a xmlns='urn:q' b='1'>t</a>"])
            }
            Particle::Head(max) => {
                for _ in 0..random.below(max + 1) {
                    let name = random.of(&["head", "member"]);
                    let prefix = if self.default && random.one_in(2) { "" } else { "t:" };
                    write!(out, "<{prefix}{name}>a b</{prefix}{name}>").unwrap();
                }
            }
            Particle::Element(element) => {
                for _ in 0..element.min + random.below(element.max - element.min + 1) {
                    if mixed && random.one_in(3) {
                        *out += "text ";
                    }
                    self.line(level, out);
                    self.element(random, element, level, out);
                }
            }
        }
    }

    fn element(&self, random: &mut Random, element: &Element, level: usize, out: &mut String) {
        const XSI: &str = " xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'";
        let prefix = if self.qualified && !self.default { "t:" } else { "" };
        let name = format!("{prefix}{}", element.name);
        write!(out, "<{name}").unwrap();
        if element.nillable && random.one_in(4) {
            let has_attributes =
                matches!(element.of, Of::Type(of) if self.types[of].attributes.iter().any(|one| one.required));
            if !has_attributes {
                write!(out, "{XSI} xsi:nil='true'/>").unwrap();
                return;
            }
        }
        match element.of {
            Of::Simple(_) if element.default.is_some() && random.one_in(3) => *out += "/>",
            Of::Simple(simple) => write!(out, ">{}</{name}>", random.of(SIMPLE[simple].1)).unwrap(),
            Of::Type(of) => self.rest(random, &self.types[of], &name, level + 1, out),
            Of::Base => {
                let is_more = random.one_in(3);
                if is_more {
                    write!(out, "{XSI} xsi:type='t:more'").unwrap();
                }
                out.push('>');
                if random.one_in(2) {
                    write!(out, "<{prefix}n>5</{prefix}n>").unwrap();
                }
                if is_more {
                    write!(out, "<{prefix}m>x</{prefix}m>").unwrap();
                }
                write!(out, "</{name}>").unwrap();
            }
        }
    }
}

impl Type {
    fn new(random: &mut Random, number: usize, count: usize) -> Type {
        let mut names = 0;
        let content = match random.below(8) {
            0 if number > 0 => Content::Empty,
            1 if number > 0 => Content::Simple(random.below(SIMPLE.len())),
            kind => {
                let mut group = Group::new(random, 2, (number, count), &mut names);
                if kind == 2 {
                    // What an all-group may have.
                    group = Group { kind: "all", min: 1, max: 1, particles: Vec::new() };
                    for _ in 0..1 + random.below(4) {
                        let mut element = Element::new(random, (number, count), &mut names);
                        (element.min, element.max) = (element.min.min(1), 1);
                        group.particles.push(Particle::Element(element));
                    }
                }
                Content::Elements { mixed: kind == 3, group }
            }
        };
        let attributes = (0..random.below(4)).map(|at| {
            let ty = random.below(SIMPLE.len());
            let default =
                random.one_in(4).then(|| SIMPLE[ty].1[0]).filter(|text| !text.is_empty() && SIMPLE[ty].0 != "xs:QName");
            let required = default.is_none() && random.one_in(3);
            Attribute { name: format!("a{at}"), ty, required, default, fixed: random.one_in(3) }
        });
        Type { content, attributes: attributes.collect() }
    }

    fn write(&self, number: usize, out: &mut String) {
        let mixed = matches!(self.content, Content::Elements { mixed: true, .. });
        write!(out, "<xs:complexType name='t{number}' mixed='{mixed}'>").unwrap();
        let mut attributes = String::new();
        for one in &self.attributes {
            let name = SIMPLE[one.ty].0;
            write!(attributes, "<xs:attribute name='{}' type='{name}'", one.name).unwrap();
            match one.default {
                Some(text) => write!(attributes, " {}='{text}'", if one.fixed { "fixed" } else { "default" }).unwrap(),
                None if one.required => attributes += " use='required'",
                None => {}
            }
            attributes += "/>";
        }
        match &self.content {
            Content::Empty => *out += &attributes,
            Content::Simple(simple) => {
                let base = SIMPLE[*simple].0;
                write!(
                    out,
                    "<xs:simpleContent><xs:extension base='{base}'>{attributes}</xs:extension></xs:simpleContent>"
                )
                .unwrap();
            }
            Content::Elements { group, .. } => {
                group.write(out);
                *out += &attributes;
            }
        }
        *out += "</xs:complexType>\n";
    }
}

impl Group {
    fn new(random: &mut Random, levels: usize, types: (usize, usize), names: &mut usize) -> Group {
        let kind = random.of(&["sequence", "sequence", "choice"]);
        let (min, max) = if levels == 2 { (1, 1) } else { occurs(random) };
        let mut particles = Vec::new();
        for _ in 0..1 + random.below(4) {
            particles.push(match random.below(5) {
                0 if levels > 0 => Particle::Group(Group::new(random, levels - 1, types, names)),
                _ => Particle::Element(Element::new(random, types, names)),
            });
        }
        if levels == 2 && random.one_in(4) {
            particles.push(if random.one_in(2) { Particle::Any } else { Particle::Head(3) });
        }
        Group { kind, min, max, particles }
    }

    fn write(&self, out: &mut String) {
        write!(out, "<xs:{} minOccurs='{}' maxOccurs='{}'>", self.kind, self.min, self.max).unwrap();
        for particle in &self.particles {
            match particle {
                Particle::Element(element) => element.write(out),
                Particle::Group(group) => group.write(out),
                Particle::Head(max) => {
                    write!(out, "<xs:element ref='t:head' minOccurs='0' maxOccurs='{max}'/>").unwrap()
                }
                Particle::Any => *out += "<xs:any namespace='##other' processContents='lax' minOccurs='0'/>",
            }
        }
        write!(out, "</xs:{}>", self.kind).unwrap();
    }
}

impl Element {
    fn new(random: &mut Random, (number, count): (usize, usize), names: &mut usize) -> Element {
        *names += 1;
        let name = random.of(&["e", "element", "theElementWithTheLongestNameOfAllThatThereAreInSuchInstances"]);
        let name = format!("{name}{names}");
        let of = match random.below(4) {
            0 | 1 if number + 1 < count => Of::Type(number + 1 + random.below(count - number - 1)),
            2 => Of::Base,
            _ => Of::Simple(random.below(SIMPLE.len())),
        };
        let (min, max) = occurs(random);
        let default = match of {
            Of::Simple(simple) if random.one_in(6) => {
                Some(SIMPLE[simple].1[0]).filter(|text| !text.is_empty() && !text.contains(':'))
            }
            _ => None,
        };
        Element { name, of, min, max, nillable: random.one_in(5), default, unique: random.one_in(10) }
    }

    fn write(&self, out: &mut String) {
        let ty = match self.of {
            Of::Simple(simple) => SIMPLE[simple].0.to_owned(),
            Of::Type(of) => format!("t:t{of}"),
            Of::Base => "t:base".to_owned(),
        };
        let (name, min, max, nillable) = (&self.name, self.min, self.max, self.nillable);
        write!(out, "<xs:element name='{name}' type='{ty}' minOccurs='{min}' maxOccurs='{max}' nillable='{nillable}'")
            .unwrap();
        if let Some(default) = self.default {
            write!(out, " default='{default}'").unwrap();
        }
        match self.unique {
            true => write!(
                out,
                "><xs:unique name='u{name}{}'><xs:selector xpath='*'/><xs:field xpath='@key'/></xs:unique></xs:element>",
                out.len()
            )
            .unwrap(),
            false => *out += "/>",
        }
    }
}
