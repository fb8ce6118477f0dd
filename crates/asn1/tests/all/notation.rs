//! Notation into the model and back, held against models made by hand from the clauses of X.680.

use asn1::notation;
use asn1::schema::{
    Argument, Bound, Component, ComponentKind, Constraint, Constraints, Element, Enumeration, Enumerator, Exports,
    Field, Fields, Import, Instruction, Kind, Meaning, Module, NamedNumber, ObjectIdArc, Position, Prefix, Presence,
    Schema, SpecialReal, StringKind, Tag, TagClass, TagMode, Tagging, Type, Value,
};
use tam::Limits;

fn parse(text: &str) -> Result<Schema, tam::Error> {
    notation::parse_one(text, &Limits::default())
}

/// The meaning of an assignment in a module of its own, read as written and read from its printed form.
fn meaning(assignment: &str) -> Meaning {
    let text = format!("M DEFINITIONS ::= BEGIN {assignment} END");
    let mut schema = parse(&text).unwrap_or_else(|error| panic!("{error} in {assignment}"));
    let printed = notation::print_schema(&schema);
    assert_eq!(parse(&printed).unwrap_or_else(|error| panic!("{error} in {printed}")), schema);
    schema.modules.remove(0).assignments.remove(0).meaning
}

fn ty(text: &str) -> Type {
    match meaning(&format!("T ::= {text}")) {
        Meaning::Type(ty) => ty,
        other => panic!("{other:?}"),
    }
}

fn value(text: &str) -> Value {
    match meaning(&format!("v T ::= {text}")) {
        Meaning::Value(_, value) => value,
        other => panic!("{other:?}"),
    }
}

/// The only constraint of an INTEGER.
fn constraint(text: &str) -> Constraint {
    ty(&format!("INTEGER {text}")).constraints.remove(0)
}

fn element(element: Element) -> Constraints {
    Constraints::Element(Box::new(element))
}

fn single(number: i128) -> Constraints {
    element(Element::Single(Value::integer(number)))
}

fn component(name: &str, kind: Kind) -> Component {
    Component::new(name, Type::new(kind))
}

fn named(name: &str, number: i128) -> NamedNumber {
    NamedNumber { name: name.to_owned(), number: Value::integer(number) }
}

fn enumerator(name: &str, number: Option<Value>) -> Enumerator {
    Enumerator { name: name.to_owned(), text: None, number, position: Position::default() }
}

fn arc(name: &str, number: Option<u64>) -> ObjectIdArc {
    ObjectIdArc { name: name.to_owned(), number, position: Position::default() }
}

#[test]
fn types_of_words_alone() {
    for (text, kind) in [
        ("BOOLEAN", Kind::Boolean),
        ("NULL", Kind::Null),
        ("INTEGER", Kind::Integer(vec![])),
        ("REAL", Kind::Real),
        ("BIT STRING", Kind::BitString(vec![])),
        ("OCTET STRING", Kind::OctetString),
        ("OBJECT IDENTIFIER", Kind::ObjectIdentifier),
        ("RELATIVE-OID", Kind::RelativeOid),
        ("UTF8String", Kind::String(StringKind::Utf8)),
        ("NumericString", Kind::String(StringKind::Numeric)),
        ("PrintableString", Kind::String(StringKind::Printable)),
        ("IA5String", Kind::String(StringKind::Ia5)),
        ("VisibleString", Kind::String(StringKind::Visible)),
        ("ISO646String", Kind::String(StringKind::Visible)),
        ("BMPString", Kind::String(StringKind::Bmp)),
        ("UniversalString", Kind::String(StringKind::Universal)),
        ("TeletexString", Kind::String(StringKind::Teletex)),
        ("T61String", Kind::String(StringKind::Teletex)),
        ("VideotexString", Kind::String(StringKind::Videotex)),
        ("GraphicString", Kind::String(StringKind::Graphic)),
        ("GeneralString", Kind::String(StringKind::General)),
        ("ObjectDescriptor", Kind::String(StringKind::ObjectDescriptor)),
        ("UTCTime", Kind::String(StringKind::UtcTime)),
        ("GeneralizedTime", Kind::String(StringKind::GeneralizedTime)),
        ("EXTERNAL", Kind::Other("EXTERNAL")),
        ("EMBEDDED PDV", Kind::Other("EMBEDDED PDV")),
        ("CHARACTER STRING", Kind::Other("CHARACTER STRING")),
        ("TIME", Kind::String(StringKind::Time)),
        ("DATE", Kind::String(StringKind::Date)),
        ("TIME-OF-DAY", Kind::String(StringKind::TimeOfDay)),
        ("DATE-TIME", Kind::String(StringKind::DateTime)),
        ("DURATION", Kind::String(StringKind::Duration)),
        ("OID-IRI", Kind::Other("OID-IRI")),
        ("RELATIVE-OID-IRI", Kind::Other("RELATIVE-OID-IRI")),
        ("Other", Kind::Reference { module: None, name: "Other".to_owned() }),
        ("N.Other", Kind::Reference { module: Some("N".to_owned()), name: "Other".to_owned() }),
    ] {
        assert_eq!(ty(text), Type::new(kind), "{text}");
    }
}

#[test]
fn names_of_numbers_bits_and_enumerations() {
    assert_eq!(ty("INTEGER { a(1), b(-2) }").kind, Kind::Integer(vec![named("a", 1), named("b", -2)]));
    let c =
        NamedNumber { name: "c".to_owned(), number: Value::Name { module: Some("N".to_owned()), name: "v".into() } };
    assert_eq!(ty("BIT STRING {a(0),c(N.v)}").kind, Kind::BitString(vec![named("a", 0), c]));
    let root = vec![enumerator("a", None), enumerator("b", Some(Value::integer(5)))];
    let plain = Enumeration { root: root.clone(), additions: None };
    assert_eq!(ty("ENUMERATED { a, b(5) }").kind, Kind::Enumerated(plain));
    let marked = Enumeration { root: root.clone(), additions: Some(vec![]) };
    assert_eq!(ty("ENUMERATED { a, b(5), ... }").kind, Kind::Enumerated(marked.clone()));
    assert_eq!(ty("ENUMERATED { a, b(5), ... ! 1 }").kind, Kind::Enumerated(marked));
    let grown = Enumeration { root, additions: Some(vec![enumerator("c", Some(Value::name("v")))]) };
    assert_eq!(ty("ENUMERATED { a, b(5), ..., c(v) }").kind, Kind::Enumerated(grown));
}

#[test]
fn components_of_every_kind() {
    let mut optional = component("b", Kind::Null);
    optional.kind = ComponentKind::Optional;
    let mut default = component("c", Kind::Boolean);
    default.kind = ComponentKind::Default(Value::Boolean(false));
    let mut base = Component::new("", Type::reference("Base"));
    base.kind = ComponentKind::ComponentsOf;
    let root = vec![component("a", Kind::Null), optional, default, base];
    let text = "{ a NULL, b NULL OPTIONAL, c BOOLEAN DEFAULT FALSE, COMPONENTS OF Base }";
    let fields = Fields { root, ..Fields::default() };
    assert_eq!(ty(&format!("SEQUENCE {text}")).kind, Kind::Sequence(fields.clone()));
    assert_eq!(ty(&format!("SET {text}")).kind, Kind::Set(fields));
    assert_eq!(ty("SEQUENCE {}").kind, Kind::Sequence(Fields::default()));
}

#[test]
fn extension_additions_groups_and_a_second_marker() {
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| component(name, Kind::Null));
    let fields = |root: &[&Component], additions: Option<Vec<Field>>, after: &[&Component]| Fields {
        root: root.iter().copied().cloned().collect(),
        additions,
        root_after: after.iter().copied().cloned().collect(),
        ..Fields::default()
    };
    for (text, fields) in [
        ("{ ... }", fields(&[], Some(vec![]), &[])),
        ("{ ..., ... }", fields(&[], Some(vec![]), &[])),
        ("{ a NULL, ... ! 5 }", fields(&[&a], Some(vec![]), &[])),
        ("{ ..., ..., a NULL }", fields(&[], Some(vec![]), &[&a])),
        (
            "{ a NULL, ..., b NULL, [[ c NULL ]], ..., d NULL }",
            fields(&[&a], Some(vec![Field::Component(b.clone()), Field::Group(None, vec![c.clone()])]), &[&d]),
        ),
        (
            "{ a NULL, ..., [[ 2: b NULL, c NULL ]] }",
            fields(&[&a], Some(vec![Field::Group(Some(2), vec![b.clone(), c.clone()])]), &[]),
        ),
    ] {
        assert_eq!(ty(&format!("SEQUENCE {text}")).kind, Kind::Sequence(fields), "{text}");
    }
    let choice = fields(&[&a], Some(vec![Field::Component(b), Field::Group(Some(3), vec![c])]), &[]);
    assert_eq!(ty("CHOICE { a NULL, ..., b NULL, [[ 3: c NULL ]], ... }").kind, Kind::Choice(choice));
}

#[test]
fn types_of_one_repeated_type() {
    let of = |name: &str| Box::new(component(name, Kind::Null));
    assert_eq!(ty("SEQUENCE OF NULL"), Type::new(Kind::SequenceOf(of(""))));
    assert_eq!(ty("SET OF a NULL"), Type::new(Kind::SetOf(of("a"))));
    let size = Constraint::of(Element::Size(single(4).into()));
    let sized = Type::new(Kind::SequenceOf(of(""))).constrained(size);
    assert_eq!(ty("SEQUENCE (SIZE (4)) OF NULL"), sized);
    assert_eq!(ty("SEQUENCE SIZE (4) OF NULL"), sized);
    // After the type it belongs to that type.
    let of_constrained =
        Component::new("", Type::new(Kind::Null).constrained(Constraint::of(Element::Single(Value::Null))));
    assert_eq!(ty("SET OF NULL (NULL)"), Type::new(Kind::SetOf(Box::new(of_constrained))));
    let selected = Component::new("", Type::new(Kind::Selection("a".to_owned(), Box::new(Type::reference("C")))));
    assert_eq!(ty("SET OF a < C"), Type::new(Kind::SetOf(Box::new(selected))));
}

#[test]
fn tags_of_every_class_and_mode() {
    let tag = |class, number, mode| Prefix::Tag(Tag { class, number }, mode);
    for (text, prefix) in [
        ("[3]", tag(TagClass::Context, 3, None)),
        ("[TAG:3]", tag(TagClass::Context, 3, None)),
        ("[UNIVERSAL 2] IMPLICIT", tag(TagClass::Universal, 2, Some(TagMode::Implicit))),
        ("[APPLICATION 4294967295] EXPLICIT", tag(TagClass::Application, u32::MAX, Some(TagMode::Explicit))),
        ("[PRIVATE 0]", tag(TagClass::Private, 0, None)),
    ] {
        assert_eq!(ty(&format!("{text} NULL")), Type::new(Kind::Null).prefixed(prefix), "{text}");
    }
    let both = vec![tag(TagClass::Context, 1, None), tag(TagClass::Context, 2, Some(TagMode::Implicit))];
    assert_eq!(ty("[1] [2] IMPLICIT NULL").prefixes, both);
}

#[test]
fn tags_take_numbers_from_values_of_any_module() {
    let sources = [
        (
            "",
            "A DEFINITIONS ::= BEGIN IMPORTS one FROM B; T ::= [one] [APPLICATION B.two] [here] NULL here INTEGER ::= 9 END",
        ),
        ("", "B DEFINITIONS ::= BEGIN one INTEGER ::= A.here two INTEGER ::= 7"),
    ];
    let schema = notation::parse(&sources, &Limits::default()).unwrap();
    let Meaning::Type(ty) = &schema.modules[0].assignments[0].meaning else { panic!() };
    let numbers: Vec<_> =
        ty.prefixes.iter().map(|prefix| matches!(prefix, Prefix::Tag(tag, _) if tag.number == 9)).collect();
    assert_eq!(numbers, [true, false, true]);
    assert!(matches!(ty.prefixes[1], Prefix::Tag(Tag { class: TagClass::Application, number: 7 }, None)));
}

#[test]
fn values_and_ranges() {
    let range = |lower, upper| Constraint::of(Element::Range(lower, upper));
    let number = |n| Value::integer(n);
    assert_eq!(constraint("(5)"), single(5).into());
    assert_eq!(constraint("(-5)"), single(-5).into());
    assert_eq!(constraint("(0..MAX)"), range(Bound::Inclusive(number(0)), Bound::Max));
    assert_eq!(constraint("(MIN .. -1)"), range(Bound::Min, Bound::Inclusive(number(-1))));
    assert_eq!(constraint("(0<..<1)"), range(Bound::Exclusive(number(0)), Bound::Exclusive(number(1))));
    assert_eq!(constraint("(a<..b)"), range(Bound::Exclusive(Value::name("a")), Bound::Inclusive(Value::name("b"))));
    assert_eq!(
        constraint("(1. ..2)"),
        range(Bound::Inclusive(Value::Number("1.".into())), Bound::Inclusive(number(2)))
    );
    let text = |text: &str| Bound::Inclusive(Value::Text(text.to_owned()));
    assert_eq!(constraint("(FROM (\"a\"..\"z\"))"), Constraint::of(Element::Alphabet(range(text("a"), text("z")))));
}

#[test]
fn unions_bind_less_than_intersections_and_these_less_than_exceptions() {
    // 1 | (2 ^ (3 EXCEPT 4)), by the productions of clause 50.1.
    let except = Constraints::Except(Box::new(single(3)), Box::new(single(4)));
    let union = Constraints::Union(vec![single(1), Constraints::Intersection(vec![single(2), except])]);
    assert_eq!(constraint("(1 | 2 ^ 3 EXCEPT 4)"), union.clone().into());
    assert_eq!(constraint("(1 UNION 2 INTERSECTION 3 EXCEPT 4)"), union.into());
    let group = element(Element::Group(Constraints::Union(vec![single(1), single(2)]).into()));
    assert_eq!(constraint("((1 | 2) ^ 3)"), Constraints::Intersection(vec![group.clone(), single(3)]).into());
    assert_eq!(constraint("(ALL EXCEPT (1 | 2))"), Constraints::AllExcept(Box::new(group)).into());
}

#[test]
fn constraints_with_extension_markers() {
    let extended = |additions| Constraint { root: single(1), additions, position: Position::default() };
    assert_eq!(constraint("(1, ...)"), extended(Some(None)));
    assert_eq!(constraint("(1, ..., 2)"), extended(Some(Some(single(2)))));
    // What is to be done about others is read, and not kept.
    for exception in ["! 5", "! -5", "! v", "! M.v", "! INTEGER : 5", "! Colour : red", "! a < C : 5"] {
        assert_eq!(constraint(&format!("(1, ... {exception})")), extended(Some(None)), "{exception}");
        assert_eq!(constraint(&format!("(1 {exception})")), extended(None), "{exception}");
    }
    assert_eq!(ty("INTEGER (1) (2)").constraints, [single(1).into(), single(2).into()]);
}

#[test]
fn elements_of_every_form() {
    let one: Constraint = single(1).into();
    for (text, of) in [
        ("SIZE (1)", Element::Size(one.clone())),
        ("INCLUDES T", Element::Contained(Type::reference("T"))),
        ("T", Element::Contained(Type::reference("T"))),
        ("INCLUDES NULL", Element::Contained(Type::new(Kind::Null))),
        ("NULL", Element::Single(Value::Null)),
        ("INTEGER (1)", Element::Contained(Type::new(Kind::Integer(vec![])).constrained(one.clone()))),
        ("N.T", Element::Contained(Type::new(Kind::Reference { module: Some("N".into()), name: "T".into() }))),
        ("N.v", Element::Single(Value::Name { module: Some("N".into()), name: "v".into() })),
        ("a < C", Element::Contained(Type::new(Kind::Selection("a".into(), Box::new(Type::reference("C")))))),
        ("PATTERN \"[a-z]\"", Element::Pattern(Value::Text("[a-z]".into()))),
        ("SETTINGS \"Basic=Date\"", Element::Settings("Basic=Date".into())),
        ("WITH COMPONENT (1)", Element::WithComponent(one.clone())),
        ("{ a 1 }", Element::Single(Value::Braces(vec![vec![Value::name("a"), Value::integer(1)]]))),
        ("{}", Element::Single(Value::Braces(vec![]))),
        ("{ TRUE }", Element::Single(Value::Braces(vec![vec![Value::Boolean(true)]]))),
        ("a : 1", Element::Single(Value::Choice("a".into(), Box::new(Value::integer(1))))),
        ("CONTAINING T", Element::Contents(Some(Type::reference("T")), None)),
        ("CONTAINING T ENCODED BY v", Element::Contents(Some(Type::reference("T")), Some(Value::name("v")))),
        ("ENCODED BY v", Element::Contents(None, Some(Value::name("v")))),
        ("CONSTRAINED BY { -- odd } --\n T, {v} }", Element::UserDefined("-- odd } --\n T, {v}".into())),
        ("CONSTRAINED BY {}", Element::UserDefined(String::new())),
    ] {
        assert_eq!(constraint(&format!("({text})")), Constraint::of(of), "{text}");
    }
    let components = vec![
        ("a".to_owned(), Some(one), Some(Presence::Optional)),
        ("b".to_owned(), None, Some(Presence::Present)),
        ("c".to_owned(), None, Some(Presence::Absent)),
        ("d".to_owned(), None, None),
    ];
    let text = "a (1) OPTIONAL, b PRESENT, c ABSENT, d }";
    let full = Element::WithComponents { partial: false, components: components.clone() };
    assert_eq!(constraint(&format!("(WITH COMPONENTS {{ {text})")), Constraint::of(full));
    let partial = Element::WithComponents { partial: true, components };
    assert_eq!(constraint(&format!("(WITH COMPONENTS {{ ..., {text})")), Constraint::of(partial));
}

#[test]
fn values_of_every_form() {
    let name = Value::name;
    for (text, expected) in [
        ("NULL", Value::Null),
        ("TRUE", Value::Boolean(true)),
        ("- 17", Value::Number("-17".into())),
        ("340282366920938463463374607431768211456", Value::Number("340282366920938463463374607431768211456".into())),
        ("-1.50E-3", Value::Number("-1.50E-3".into())),
        ("PLUS-INFINITY", Value::Special(SpecialReal::PlusInfinity)),
        ("MINUS-INFINITY", Value::Special(SpecialReal::MinusInfinity)),
        ("NOT-A-NUMBER", Value::Special(SpecialReal::NotANumber)),
        ("\"a \"\"b\"\" é\"", Value::Text("a \"b\" é".into())),
        ("'01 10'B", Value::Binary("0110".into())),
        ("'0FA0'H", Value::Hexadecimal("0FA0".into())),
        ("green", name("green")),
        ("N.v", Value::Name { module: Some("N".into()), name: "v".into() }),
        ("a : b : 1", Value::Choice("a".into(), Box::new(Value::Choice("b".into(), Box::new(Value::integer(1)))))),
        ("{}", Value::Braces(vec![])),
        ("{ a, b }", Value::Braces(vec![vec![name("a")], vec![name("b")]])),
        (
            "{ iso member-body(2) 840 sub(v) N.v }",
            Value::Braces(vec![vec![
                name("iso"),
                Value::NameAndNumber("member-body".into(), "2".into()),
                Value::integer(840),
                Value::NameAndNumber("sub".into(), "v".into()),
                Value::Name { module: Some("N".into()), name: "v".into() },
            ]]),
        ),
        (
            "{ a {1, 2}, b c : 3 }",
            Value::Braces(vec![
                vec![name("a"), Value::Braces(vec![vec![Value::integer(1)], vec![Value::integer(2)]])],
                vec![name("b"), Value::Choice("c".into(), Box::new(Value::integer(3)))],
            ]),
        ),
        ("CONTAINING { a 1 }", Value::Containing(Box::new(Value::Braces(vec![vec![name("a"), Value::integer(1)]])))),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn a_text_with_line_ends_is_printed_as_a_list_that_says_the_same() {
    let assignment = asn1::schema::Assignment {
        name: "v".to_owned(),
        parameters: vec![],
        meaning: Meaning::Value(Type::new(Kind::String(StringKind::Utf8)), Value::Text("a\"\r\nb".to_owned())),
        position: Position::default(),
    };
    let module = Module { name: "M".to_owned(), assignments: vec![assignment], ..Module::default() };
    let printed = notation::print(&module);
    // Clause 41.8 has cells of a row of a plane of a group.
    assert!(printed.contains("v UTF8String ::= { \"a\"\"\", {0, 0, 0, 13}, {0, 0, 0, 10}, \"b\" }\n"), "{printed}");
    assert!(parse(&printed).is_ok());
}

#[test]
fn a_set_of_values() {
    let meaning = meaning("T INTEGER ::= { 1 | 2, ..., 3 }");
    let set = Constraint {
        root: Constraints::Union(vec![single(1), single(2)]),
        additions: Some(Some(single(3))),
        position: Position::default(),
    };
    assert_eq!(meaning, Meaning::ValueSet(Type::new(Kind::Integer(vec![])), set));
}

#[test]
fn the_head_of_a_module() {
    let text = "A-b { iso(1) standard 99 } \"/ISO\" DEFINITIONS XER INSTRUCTIONS AUTOMATIC TAGS EXTENSIBILITY IMPLIED ::= BEGIN
        EXPORTS T, v; IMPORTS A, b FROM B { 1 2 } C FROM C v D FROM D M.v e FROM E WITH DESCENDANTS F FROM F; END";
    let import = |names: &[&str], module: &str, identifier: Vec<ObjectIdArc>| Import {
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        module: module.to_owned(),
        identifier,
        position: Position::default(),
    };
    let module = Module {
        name: "A-b".to_owned(),
        identifier: vec![arc("iso", Some(1)), arc("standard", None), arc("", Some(99))],
        tagging: Tagging::Automatic,
        xer_instructions: true,
        extensibility_implied: true,
        exports: Exports::Only(vec!["T".to_owned(), "v".to_owned()]),
        imports: vec![
            import(&["A", "b"], "B", vec![arc("", Some(1)), arc("", Some(2))]),
            import(&["C"], "C", vec![arc("v", None)]),
            import(&["D"], "D", vec![arc("M.v", None)]),
            import(&["e"], "E", vec![]),
            import(&["F"], "F", vec![]),
        ],
        ..Module::default()
    };
    assert_eq!(parse(text).unwrap().modules, [module]);
    for (tags, tagging) in [
        ("", Tagging::Explicit),
        ("EXPLICIT TAGS", Tagging::Explicit),
        ("IMPLICIT TAGS", Tagging::Implicit),
        ("TAG INSTRUCTIONS AUTOMATIC TAGS", Tagging::Automatic),
    ] {
        assert_eq!(
            parse(&format!("A DEFINITIONS {tags} ::= BEGIN END")).unwrap().modules[0].tagging,
            tagging,
            "{tags}"
        );
    }
    for (exports, expected) in
        [("", Exports::All), ("EXPORTS ALL;", Exports::All), ("EXPORTS ;", Exports::Only(vec![]))]
    {
        assert_eq!(parse(&format!("A DEFINITIONS ::= BEGIN {exports} END")).unwrap().modules[0].exports, expected);
    }
}

#[test]
fn encoding_instructions_of_xer() {
    let instruction = |keyword: &str, targets: &[&str], arguments: &[Argument]| Instruction {
        negating: false,
        keyword: keyword.to_owned(),
        targets: targets.iter().map(|target| (*target).to_owned()).collect(),
        arguments: arguments.to_vec(),
        position: Position::default(),
    };
    let word = |word: &str| Argument::Word(word.to_owned());
    let text = |text: &str| Argument::Text(text.to_owned());
    let attribute = Prefix::Instruction(instruction("ATTRIBUTE", &[], &[]));
    let named = Prefix::Instruction(instruction("NAME", &[], &[word("AS"), text("p:colour")]));
    assert_eq!(ty("[XER:ATTRIBUTE] [XER:NAME AS \"p:colour\"] NULL").prefixes, [attribute.clone(), named.clone()]);

    let schema = parse(
        "M DEFINITIONS XER INSTRUCTIONS ::= BEGIN T ::= [ATTRIBUTE] [TAG:1] [NAME AS \"p:colour\"] NULL
         ENCODING-CONTROL XER
           GLOBAL-DEFAULTS MODIFIED-ENCODINGS
           NAMESPACE ALL, ALL IN ALL AS \"http://example.com\" PREFIX \"p\"
           TEXT Colour:red, Colour : blue AS CAPITALIZED
           NOT LIST T.a
           WHITESPACE T COLLAPSE
           ANY-ATTRIBUTES T EXCEPT ABSENT
         END",
    );
    let module = &schema.unwrap().modules[0];
    let Meaning::Type(ty) = &module.assignments[0].meaning else { panic!() };
    let tag = Prefix::Tag(Tag { class: TagClass::Context, number: 1 }, None);
    assert_eq!(ty.prefixes, [attribute, tag, named]);
    let instructions = &module.encoding_control.as_ref().unwrap().instructions;
    assert_eq!(
        *instructions,
        [
            instruction("GLOBAL-DEFAULTS", &[], &[word("MODIFIED-ENCODINGS")]),
            instruction(
                "NAMESPACE",
                &["ALL", "ALL IN ALL"],
                &[word("AS"), text("http://example.com"), word("PREFIX"), text("p")]
            ),
            instruction("TEXT", &["Colour:red", "Colour:blue"], &[word("AS"), word("CAPITALIZED")]),
            Instruction { negating: true, ..instruction("LIST", &["T.a"], &[]) },
            instruction("WHITESPACE", &["T"], &[word("COLLAPSE")]),
            instruction("ANY-ATTRIBUTES", &["T"], &[word("EXCEPT"), word("ABSENT")]),
        ]
    );
    assert_eq!(parse(&notation::print(module)).unwrap().modules, std::slice::from_ref(module));
}

#[test]
fn positions_are_those_of_the_names() {
    let schema = parse("-- é\nM DEFINITIONS ::= BEGIN\n  T ::= SEQUENCE {\n    a [1] NULL (NULL)\n  }\nEND").unwrap();
    let module = &schema.modules[0];
    let place = |position: Position| (position.offset, position.line, position.column);
    assert_eq!(place(module.position), (6, 2, 1));
    assert_eq!(place(module.assignments[0].position), (32, 3, 3));
    let Meaning::Type(ty) = &module.assignments[0].meaning else { panic!() };
    assert_eq!(place(ty.position), (38, 3, 9));
    let Kind::Sequence(fields) = &ty.kind else { panic!() };
    assert_eq!(place(fields.root[0].position), (53, 4, 5));
    assert_eq!(place(fields.root[0].ty.position), (55, 4, 7));
    assert_eq!(place(fields.root[0].ty.constraints[0].position), (64, 4, 16));
}

#[test]
fn lines_are_broken_where_they_would_be_long() {
    let text = "M DEFINITIONS ::= BEGIN
        Short ::= ENUMERATED { a, b, ... } v INTEGER ::= 1
        Long ::= ENUMERATED { an-enumeration-with-a-long-name, another-enumeration-of-the-type, and-one-more-of-them }
        S ::= SEQUENCE { a SEQUENCE {}, b SEQUENCE { ... }, c SEQUENCE { d NULL OPTIONAL, ..., [[ e NULL ]] } }
        U ::= PrintableString (\"first of some words\" | \"second of some words\" | \"third of some words\" | \"fourth\")
        END";
    let printed = "\
M DEFINITIONS EXPLICIT TAGS ::= BEGIN

Short ::= ENUMERATED { a, b, ... }
v INTEGER ::= 1

Long ::= ENUMERATED {
  an-enumeration-with-a-long-name,
  another-enumeration-of-the-type,
  and-one-more-of-them
}

S ::= SEQUENCE {
  a SEQUENCE {},
  b SEQUENCE {
    ...
  },
  c SEQUENCE {
    d NULL OPTIONAL,
    ...,
    [[ e NULL ]]
  }
}

U ::= PrintableString (\"first of some words\" | \"second of some words\" | \"third of some words\"
  | \"fourth\")

END
";
    assert_eq!(notation::print_schema(&parse(text).unwrap()), printed);
}

/// Modules that import the types that came later by their names are in use; X.680 12.38 has them reserved since.
#[test]
fn imports_of_built_in_types_change_nothing() {
    let text = "M DEFINITIONS ::= BEGIN IMPORTS A, BMPString, GeneralizedTime, ObjectDescriptor FROM N; \
        T ::= SEQUENCE { a A, b BMPString } END N DEFINITIONS ::= BEGIN A ::= NULL END";
    let schema = notation::parse_one(text, &Limits::DEFAULT).unwrap();
    assert_eq!(notation::parse_one(&notation::print_schema(&schema), &Limits::DEFAULT).unwrap(), schema);
    let types = asn1::Compiled::new(&schema).unwrap();
    let place = types.member(types.find("T").unwrap(), "b").unwrap();
    assert!(matches!(types.node(place.node).kind, asn1::compiled::Kind::Text(_)));
    // Words of the notation itself are no names.
    assert!(notation::parse_one("M DEFINITIONS ::= BEGIN IMPORTS SEQUENCE FROM N; END", &Limits::DEFAULT).is_err());
}

/// A real number may end in its point (X.680 12.9); asn1tools 0.169 reads the range as we do.
#[test]
fn a_real_number_may_end_in_its_point_before_a_range() {
    let number = |digits: &str| Bound::Inclusive(Value::Number(digits.into()));
    for (text, lower, upper) in
        [("(1...2)", "1.", "2"), ("(1. .. 2.)", "1.", "2."), ("(1..2)", "1", "2"), ("(1..2, ...)", "1", "2")]
    {
        let range = ty(&format!("REAL {text}")).constraints.remove(0);
        assert_eq!(range.root, element(Element::Range(number(lower), number(upper))), "{text}");
    }
}
