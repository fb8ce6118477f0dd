//! Making documents: what the table then says, and where the builder stops.
#![cfg(feature = "alloc")]

use tam::{Builder, Error, ErrorKind, Limits, Row, Step, Table, TypeSet};

type Build<'b, 'm, 't, 's> = &'b mut Builder<'m, 't, 's>;

fn build<'t>(
    table: &mut Table<'t>,
    limits: Limits,
    make: impl FnOnce(Build<'_, '_, '_, 't>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut builder = Builder::new(b"", TypeSet::VALUE, limits, table);
    make(&mut builder)?;
    builder.finish()
}

/// `n` nulls in an array.
fn nulls(builder: Build<'_, '_, '_, '_>, n: usize) -> Result<(), Error> {
    builder.open(b'[', b"")?;
    for _ in 0..n {
        builder.primitive(b'~', b"", b"")?;
    }
    builder.close()
}

#[test]
fn children_lie_side_by_side_in_order() {
    let mut table = Table::new();
    build(&mut table, Limits::default(), |b| {
        b.open(b'{', b"")?;
        b.primitive(b'#', b"a", b"1")?;
        b.open(b'[', b"b")?;
        b.primitive(b'#', b"", b"2")?;
        b.open(b'{', b"")?;
        b.close()?;
        b.close()?;
        b.primitive(b'#', b"c", b"3")?;
        b.close()
    })
    .unwrap();
    let document = table.document(b"", TypeSet::VALUE);
    assert_eq!((document.units(), document.roots().len()), (6, 1));
    let root = document.root().unwrap();
    let members: Vec<_> = root.children().map(|member| member.name().to_string()).collect();
    assert_eq!(members, ["a", "b", "c"]);
    let first = root.row().value_at() as usize;
    assert!(root.children().enumerate().all(|(i, member)| member.index() == first + i));
    assert_eq!(document.root_rows(), (root.index() as u32, 1));
    assert_eq!(document.get("/b/0").unwrap().text(), Ok("2"));
}

#[test]
fn text_of_the_message_is_not_copied() {
    let message = b"temperature 21.5";
    let mut table = Table::new();
    let mut builder = Builder::new(message, TypeSet::VALUE, Limits::default(), &mut table);
    builder.open(b'{', b"").unwrap();
    builder.primitive(b'%', &message[..11], &message[12..]).unwrap();
    builder.primitive(b'%', b"elsewhere", &message[16..]).unwrap();
    builder.close().unwrap();
    builder.finish().unwrap();
    assert_eq!(table.text(), b"elsewhere");
    let document = table.document(message, TypeSet::VALUE);
    let first = document.get("/temperature").unwrap();
    assert!(std::ptr::eq(first.value(), &message[12..]));
    assert!(std::ptr::eq(first.name().written(), &message[..11]));
    assert_eq!(document.get("/elsewhere").unwrap().value(), b"");
}

#[test]
fn names_take_the_extended_form_where_they_need_it() {
    let mut table = Table::new();
    build(&mut table, Limits::default(), |b| {
        b.open(b'{', b"64th")?;
        b.primitive(b'\'', br"{\['", b"x")?;
        b.primitive(b'~', br"plain\name", b"")?;
        b.primitive_member(b'~', Some(b""), b"")?;
        b.open_member(b'[', Some(b""))?;
        b.close()?;
        b.close()
    })
    .unwrap();
    let document = table.document(b"", TypeSet::VALUE);
    let root = document.root().unwrap();
    assert_eq!((root.name().written(), root.name().to_string()), (&br#""64th"#[..], "64th".to_owned()));
    let written: Vec<_> = root.children().map(|member| member.name().written()).collect();
    assert_eq!(written, [&br#""\{\\\[\'"#[..], br"plain\name", b"\"", b"\""]);
    assert!(root.children().all(|member| !member.name().is_none()));
    assert_eq!(root.child(br"{\['").unwrap().value(), b"x");
}

#[test]
fn limits_are_kept_to_the_unit() {
    let mut table = Table::new();
    let limits = Limits { depth: 2, units: 4, ..Limits::default() };
    assert_eq!(build(&mut table, limits, |b| nulls(b, 3)), Ok(()));
    assert_eq!(table.document(b"", TypeSet::VALUE).units(), 4);
    let error = build(&mut table, limits, |b| nulls(b, 4)).unwrap_err();
    assert_eq!((error.kind(), error.format()), (ErrorKind::Limit, "tam"));
    assert_eq!(error.to_string(), "limit at byte 0: found one more unit, expected at most 4 (limit units)");
    let deep = |levels: usize| {
        move |b: Build<'_, '_, '_, '_>| {
            (0..levels).try_for_each(|_| b.open(b'[', b"")).and_then(|()| (0..levels).try_for_each(|_| b.close()))
        }
    };
    assert_eq!(build(&mut table, limits, deep(2)), Ok(()));
    let error = build(&mut table, limits, deep(3)).unwrap_err();
    assert_eq!(error.to_string(), "limit at byte 0: found one more level, expected at most 2 (limit depth)");
}

/// Units that are open take memory too.
#[test]
fn open_units_count() {
    let mut table = Table::new();
    let limits = Limits { units: 10, ..Limits::NONE };
    let mut builder = Builder::new(b"", TypeSet::VALUE, limits, &mut table);
    let opened = (0..100).take_while(|_| builder.open(b'[', b"").is_ok()).count();
    assert_eq!(opened, 10);
}

#[test]
fn names_have_a_longest_length() {
    let mut table = Table::new();
    let mut named = |name: &[u8]| build(&mut table, Limits::default(), |b| b.primitive(b'~', name, b""));
    assert_eq!(named(&vec![b'n'; Row::MAX_NAME]), Ok(()));
    let expected = "limit at byte 0: found a longer name, expected at most 4194303 (limit name)";
    assert_eq!(named(&vec![b'n'; Row::MAX_NAME + 1]).unwrap_err().to_string(), expected);
    // Its escapes make this one too long.
    assert_eq!(named(&vec![b'{'; Row::MAX_NAME / 2 + 1]).unwrap_err().to_string(), expected);
}

#[test]
fn only_types_of_the_set_are_taken_for_what_they_are() {
    let mut table = Table::new();
    let mut error_of = |make: fn(Build<'_, '_, '_, '_>) -> Result<(), Error>| {
        let error = build(&mut table, Limits::default(), |b| make(b)).unwrap_err();
        (error.kind(), error.to_string())
    };
    let unsupported = |text: &str| (ErrorKind::Unsupported, text.to_owned());
    assert_eq!(
        error_of(|b| b.open(b'<', b"")),
        unsupported("unsupported at byte 0: found '<', expected a structured type of the set")
    );
    assert_eq!(
        error_of(|b| b.open(b'#', b"")),
        unsupported("unsupported at byte 0: found '#', expected a structured type of the set")
    );
    assert_eq!(
        error_of(|b| b.primitive(b'{', b"", b"")),
        unsupported("unsupported at byte 0: found '{', expected a primitive type of the set")
    );
    assert_eq!(
        error_of(|b| b.primitive(b'"', b"", b"")),
        unsupported("unsupported at byte 0: found '\"', expected a primitive type of the set")
    );
}

#[test]
fn units_are_closed_once_each() {
    let mut table = Table::new();
    let mut error_of = |make: fn(Build<'_, '_, '_, '_>) -> Result<(), Error>| {
        build(&mut table, Limits::default(), |b| make(b)).unwrap_err().to_string()
    };
    assert_eq!(error_of(|_| Ok(())), "syntax at byte 0: found no unit, expected a whole document");
    assert_eq!(error_of(|b| b.open(b'[', b"")), "syntax at byte 0: found a unit left open, expected a whole document");
    assert_eq!(error_of(|b| b.close()), "syntax at byte 0: found a unit closed, expected an open unit");
}

#[test]
fn a_document_can_have_several_outermost_units() {
    let mut table = Table::new();
    build(&mut table, Limits::default(), |b| nulls(b, 2).and_then(|()| b.primitive(b'#', b"n", b"1"))).unwrap();
    let document = table.document(b"", TypeSet::VALUE);
    let kinds: Vec<_> = document.roots().map(|root| root.kind()).collect();
    assert_eq!(kinds, *b"[#");
}

#[test]
fn a_table_is_reused_and_forgets() {
    let mut table = Table::new();
    build(&mut table, Limits::default(), |b| nulls(b, 1_000)).unwrap();
    let capacity = table.capacity();
    build(&mut table, Limits::default(), |b| b.primitive(b'#', b"", b"7")).unwrap();
    assert_eq!((table.capacity(), table.text()), (capacity, &b"7"[..]));
    assert_eq!(table.document(b"", TypeSet::VALUE).units(), 1);
    // What fails leaves nothing of the message before.
    build(&mut table, Limits::default(), |b| b.open(b'[', b"")).unwrap_err();
    assert!(table.document(b"", TypeSet::VALUE).root().is_none());
    build(&mut table, Limits::default(), |b| nulls(b, 1)).unwrap();
    table.clear();
    assert!(table.document(b"", TypeSet::VALUE).root().is_none());
}

#[test]
fn lent_rows_are_filled_to_the_last_and_not_beyond() {
    let mut rows = [Row::EMPTY; 5];
    let mut table = Table::in_rows(&mut rows);
    assert_eq!(table.capacity(), 5);
    assert_eq!(build(&mut table, Limits::default(), |b| nulls(b, 4)), Ok(()));
    assert_eq!(table.document(b"", TypeSet::VALUE).root().unwrap().children().len(), 4);
    let error = build(&mut table, Limits::default(), |b| nulls(b, 5)).unwrap_err();
    assert_eq!(error.to_string(), "limit at byte 0: found more units than rows lent, expected at most 5 (limit rows)");
    assert!(table.make_room(5) && !table.make_room(6));
}

#[test]
fn walks_need_no_recursion() {
    let levels = 200_000;
    let mut table = Table::new();
    let thread = std::thread::Builder::new().stack_size(64 << 10).spawn(move || {
        build(&mut table, Limits::NONE, |b| {
            (0..levels).try_for_each(|_| b.open(b'[', b"")).and_then(|()| (0..levels).try_for_each(|_| b.close()))
        })
        .unwrap();
        let document = table.document(b"", TypeSet::VALUE);
        let mut walk = document.walk();
        let mut deepest = 0;
        while walk.next().is_some() {
            deepest = deepest.max(walk.depth());
        }
        assert_eq!((deepest, walk.depth(), document.walk().count()), (levels, 0, 2 * levels));
    });
    thread.unwrap().join().unwrap();
}

#[test]
fn a_walk_sees_units_in_document_order_and_stays_below_its_unit() {
    let mut table = Table::new();
    build(&mut table, Limits::default(), |b| {
        b.open(b'{', b"")?;
        b.open(b'[', b"a")?;
        b.primitive(b'#', b"", b"1")?;
        b.close()?;
        b.primitive(b'#', b"b", b"2")?;
        b.close()
    })
    .unwrap();
    let document = table.document(b"", TypeSet::VALUE);
    let shown = |step: Step<'_>| match step {
        Step::Open(node) => format!("{node:?}"),
        Step::Primitive(node) => format!("{node:?}"),
        Step::Close(node) => format!("/{}", node.name()),
    };
    let all: Vec<_> = document.walk().map(shown).collect();
    assert_eq!(all, ["{(2 units)", "a[(1 units)", r#"#"1""#, "/a", r#"b#"2""#, "/"]);
    let below: Vec<_> = document.get("/a").unwrap().walk().map(shown).collect();
    assert_eq!(below, ["a[(1 units)", r#"#"1""#, "/a"]);
    assert_eq!(document.get("/b").unwrap().walk().count(), 1);
}

#[test]
fn children_are_reached_from_both_ends() {
    let mut table = Table::new();
    build(&mut table, Limits::default(), |b| {
        b.open(b'[', b"")?;
        ["0", "1", "2", "3"].iter().try_for_each(|value| b.primitive(b'#', b"", value.as_bytes()))?;
        b.close()
    })
    .unwrap();
    let document = table.document(b"", TypeSet::VALUE);
    let root = document.root().unwrap();
    let mut children = root.children();
    let mut value = |back: bool| if back { children.next_back() } else { children.next() }.map(|node| node.value());
    assert_eq!(
        [value(false), value(true), value(true), value(false), value(false)],
        [Some(&b"0"[..]), Some(b"3"), Some(b"2"), Some(b"1"), None]
    );
    assert_eq!(root.children().nth(2).unwrap().value(), b"2");
    assert!(root.children().nth(4).is_none());
    // A primitive has no children, a structured unit no data.
    assert_eq!((root.value(), root.children().next().unwrap().children().len()), (&b""[..], 0));
}
