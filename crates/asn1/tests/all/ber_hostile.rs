//! Messages made to cost more than they weigh: all end in bounded time, on a small stack.

use crate::ber_support::{Type, hex};
use crate::jer_support::{MODULE, Made, uper_of};
use asn1::{Compiled, Limits, Options, Values};
use tam::{Error, ErrorKind};
use test_support::Random;
use test_support::cost::{linear, within};

const DEEP: Limits = Limits { depth: u32::MAX, ..Limits::DEFAULT };

/// Runs on a stack that would not hold a frame a level.
fn on_a_small_stack(work: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        std::thread::Builder::new().stack_size(128 << 10).spawn_scoped(scope, work).unwrap().join().unwrap();
    });
}

fn read(ty: &Type, message: &[u8], limits: Limits) -> Result<(), Error> {
    let mut values = Values::new();
    asn1::read(message, &ty.types, ty.node, &Options::ber().with_limits(limits), &mut values).map(|_| ())
}

fn is_deep(result: Result<(), Error>) -> bool {
    result.is_err_and(|error| {
        error.kind() == ErrorKind::Limit && error.expected().to_string() == "at most 1000 (limit depth)"
    })
}

#[test]
fn every_prefix_says_that_more_is_needed() {
    let types = Compiled::from_notation(MODULE).unwrap();
    let ty = types.find("Batch").unwrap();
    let mut random = Random::new(92);
    for _ in 0..20 {
        let packed = uper_of(&types, ty, &Made::value(&types, ty, &mut random)).unwrap();
        let mut values = Values::new();
        let value = asn1::read(&packed, &types, ty, &Options::uper(), &mut values).unwrap();
        let definite = asn1::write(value, &Options::ber()).unwrap();
        let start = if definite[1] < 0x80 { 2 } else { 2 + usize::from(definite[1] & 0x7F) };
        let indefinite = [&[0x30, 0x80], &definite[start..], &[0, 0]].concat();
        for (message, exact) in [(&definite, true), (&indefinite, false)] {
            let read =
                |len: usize| asn1::read(&message[..len], &types, ty, &Options::ber(), &mut Values::new()).map(|_| ());
            read(message.len()).unwrap();
            for len in 0..message.len() {
                let error = read(len).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Incomplete, "{error}");
                let (needed, left) = (error.needed().unwrap(), (message.len() - len) as u64);
                assert!(needed >= 1 && needed <= left, "{needed} of {left} octets: {error}");
                // Once the outermost length is known, so is what is missing.
                if exact && len >= start {
                    assert_eq!(needed, left);
                }
            }
        }
    }
}

#[test]
fn lengths_beyond_the_message_or_what_is_around_them() {
    let ty = Type::new("T ::= SEQUENCE { a OCTET STRING, b SEQUENCE OF OCTET STRING OPTIONAL }");
    for (message, kind, offset) in [
        ("30 84 7FFFFFFF 04 00", ErrorKind::Incomplete, 0),
        ("30 88 00FFFFFFFFFFFFFF 04 00", ErrorKind::Incomplete, 0),
        ("30 89 01FFFFFFFFFFFFFFFF 04 00", ErrorKind::Unsupported, 0),
        ("30 80 04 84 7FFFFFFF 00", ErrorKind::Incomplete, 2),
        ("30 06 04 84 7FFFFFFF", ErrorKind::Syntax, 2),
        ("30 06 0400 30 02 0401", ErrorKind::Syntax, 6),
        ("30 80 0400 30 80 2480 0404 0000", ErrorKind::Incomplete, 8),
        ("30 07 0400 30 03 2480 04", ErrorKind::Syntax, 9),
        ("30 04 0400 3080", ErrorKind::Syntax, 6),
        ("30 05 0400 3080 00", ErrorKind::Syntax, 7),
    ] {
        let error = read(&ty, &hex(message), Limits::DEFAULT).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (kind, offset), "{message}: {error}");
    }
    // Nothing is taken for what is not there.
    let mut values = Values::new();
    let message = hex("30 88 00FFFFFFFFFFFFFF 04 00");
    asn1::read(&message, &ty.types, ty.node, &Options::ber(), &mut values).unwrap_err();
    assert!(values.memory() < 10_000);
}

#[test]
fn a_million_levels_need_no_stack() {
    // Unoptimized, a million take half a minute.
    const LEVELS: usize = if cfg!(debug_assertions) { 50_000 } else { 1_000_000 };
    let open = |octets: &str| hex(octets).repeat(LEVELS);
    let marks = |count: usize| vec![0; 2 * count];
    let work = || {
        let record = Type::implicit("T ::= SEQUENCE { t T OPTIONAL, ... }");
        let array = Type::implicit("T ::= SEQUENCE OF T");
        let choice = Type::implicit("T ::= CHOICE { t [0] EXPLICIT T, l [1] NULL }");
        let set = Type::implicit("T ::= SET { t T OPTIONAL }");
        let octets = Type::implicit("T ::= OCTET STRING");
        let bits = Type::implicit("T ::= BIT STRING");
        let end = marks(LEVELS);
        for (ty, head, middle) in [
            (&record, open("3080"), ""),
            (&array, open("3080"), ""),
            (&choice, open("A080"), "8100"),
            (&set, open("3180"), ""),
            (&octets, open("2480"), "0402ABCD"),
            (&bits, open("2380"), "0302 00AB"),
        ] {
            let message = [&head[..], &hex(middle), &end].concat();
            read(ty, &message, DEEP).unwrap();
            assert!(is_deep(read(ty, &message, Limits::DEFAULT)));
            // Without their ends, all of these wait for more.
            assert_eq!(read(ty, &head, DEEP).unwrap_err().kind(), ErrorKind::Incomplete);
            // What holds others is written as well.
            if middle != "0402ABCD" && middle != "0302 00AB" {
                let mut values = Values::new();
                let value =
                    asn1::read(&message, &ty.types, ty.node, &Options::ber().with_limits(DEEP), &mut values).unwrap();
                for options in [Options::ber(), Options::der()] {
                    let written = asn1::write(value, &options.with_limits(DEEP)).unwrap();
                    read(ty, &written, DEEP).unwrap();
                    assert!(asn1::write(value, &options).is_err());
                }
            }
        }
        // Unknown ones within an unknown one.
        let message = [&hex("3080")[..], &open("A980"), &end, &[0, 0]].concat();
        read(&record, &message, DEEP).unwrap();
        assert!(is_deep(read(&record, &message, Limits::DEFAULT)));
    };
    on_a_small_stack(|| within(20, "levels", work));
}

/// Each level is looked at a few times, not once for every level around it.
#[test]
fn time_grows_with_the_message_alone() {
    let array = Type::implicit("T ::= SEQUENCE OF T");
    let set = Type::implicit("T ::= SET OF T");
    let levels = |count: usize, head: &str, end: &str| [hex(head).repeat(count), hex(end).repeat(count)].concat();
    let reads = |message: &Vec<u8>| read(&array, message, DEEP).unwrap();
    // Arrays that hold one of the next level and an empty one, on either side.
    for (head, end) in [("3080 3000", "0000"), ("3080", "3000 0000"), ("3080 3080 0000", "3080 0000 0000")] {
        linear(&format!("{head} … {end}"), 50_000, |count| levels(count, head, end), reads);
    }
    // Definite ones, within each other and side by side.
    let nested = |count: usize| {
        let mut message = hex("3000");
        for _ in 0..count {
            let length = (message.len() as u32 + 2).to_be_bytes();
            message.splice(0..0, [&[0x30, 0x84], &length[..], &[0x30, 0]].concat());
        }
        message
    };
    linear("definite lengths", 5_000, nested, reads);
    linear("side by side", 100_000, |count| [&[0x30, 0x80], &hex("3000").repeat(count)[..], &[0, 0]].concat(), reads);
    let definite = |count: usize| {
        let length = (2 * count as u32).to_be_bytes();
        [&[0x30, 0x84], &length[..], &hex("3000").repeat(count)].concat()
    };
    linear("side by side, with a length", 100_000, definite, reads);
    // Nested SETs OF that are sorted: one is a chain and the other is empty. Each level is written once for each around it.
    let message = levels(2000, "3180", "3100 3100 0000");
    let mut values = Values::new();
    let value = asn1::read(&message, &set.types, set.node, &Options::ber().with_limits(DEEP), &mut values).unwrap();
    let written = asn1::write(value, &Options::der().with_limits(DEEP)).unwrap();
    read(&set, &written, DEEP).unwrap();
}

#[test]
fn components_that_no_one_knows_cost_no_more_in_a_wide_type() {
    let members: Vec<String> = (0..20_000).map(|i| format!("m{i} [{i}] NULL OPTIONAL")).collect();
    let members = members.join(", ");
    for record in [
        format!("SEQUENCE {{ {members}, ... }}"),
        format!("SEQUENCE {{ ..., ..., {members} }}"),
        format!("SEQUENCE {{ a NULL OPTIONAL, ..., n [PRIVATE 3] NULL, ..., {members} }}"),
        format!("SET {{ {members}, ... }}"),
    ] {
        let ty = Type::implicit(&format!("T ::= {record}"));
        let tag = if record.starts_with("SET ") { 0x31 } else { 0x30 };
        let message = |count: usize| [vec![tag, 0x80], hex("C900").repeat(count), vec![0, 0]].concat();
        linear(&record[..40], 100_000, message, |message| read(&ty, message, Limits::DEFAULT).unwrap());
    }
}

/// Whether any of a group is there is asked once.
#[test]
fn absent_members_of_a_wide_group_cost_no_more_than_others() {
    let wide = |count: usize| {
        let members: Vec<String> = (0..count).map(|i| format!("m{i} [{i}] NULL")).collect();
        Type::implicit(&format!("T ::= SET {{ ..., [[ {} ]] }}", members.join(", ")))
    };
    let message = hex("3100");
    linear("a group of absent members", 10_000, wide, |ty| {
        let mut values = Values::new();
        let value = asn1::read(&message, &ty.types, ty.node, &Options::ber(), &mut values).unwrap();
        for options in [Options::ber(), Options::der()] {
            assert_eq!(asn1::write(value, &options).unwrap(), message);
        }
    });
}

#[test]
fn more_values_than_the_limit_are_refused() {
    let ty =
        Type::implicit("T ::= SEQUENCE OF SEQUENCE { a [0] NULL OPTIONAL, b [1] NULL OPTIONAL, c [2] NULL OPTIONAL }");
    let message = [vec![0x30, 0x80], hex("3000").repeat(1000), vec![0, 0]].concat();
    let limits = Limits { units: 3000, ..Limits::DEFAULT };
    let error = read(&ty, &message, limits).unwrap_err();
    assert_eq!(
        (error.kind(), error.format(), error.expected().to_string().as_str()),
        (ErrorKind::Limit, "ber", "at most 3000 (limit units)")
    );
    read(&ty, &message, Limits { units: 3100, ..Limits::DEFAULT }).unwrap();
    let error = read(&ty, &message, Limits { message_bytes: 2003, ..Limits::DEFAULT }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
}

/// Zero bits that a size asks for are in no message.
#[test]
fn zero_bits_that_only_the_size_asks_for_are_bounded() {
    let ty = Type::implicit("T ::= SEQUENCE OF BIT STRING { a(0) } (SIZE (65536..70000))");
    let few = [vec![0x30, 0x80], hex("030100").repeat(100), vec![0, 0]].concat();
    read(&ty, &few, Limits::DEFAULT).unwrap();
    let many = [vec![0x30, 0x80], hex("030100").repeat(100_000), vec![0, 0]].concat();
    assert_eq!(read(&ty, &many, Limits::DEFAULT).unwrap_err().kind(), ErrorKind::Limit);
}
