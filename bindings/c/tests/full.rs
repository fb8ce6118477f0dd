//! Every function of the formats that need a heap, with all kinds of pointers: what Miri looks at (`make miri`). What the
//! functions answer is held against more messages in C (`full.c`).
#![cfg(feature = "full")]
#![allow(clippy::unwrap_used, clippy::panic)] // How a test fails.

use std::ffi::{CStr, c_char, c_void};
use std::mem::{MaybeUninit, zeroed};
use std::ptr::{null, null_mut};

use lengthwise_c::code::{LW_LIMIT, LW_OK, LW_SCHEMA, LW_SYNTAX, LW_UNSUPPORTED};
use lengthwise_c::full::columns::{
    lengthwise_columns_finish, lengthwise_columns_free, lengthwise_columns_open, lengthwise_columns_push,
    lengthwise_columns_push_null, lengthwise_columns_rows, lengthwise_rows_free, lengthwise_rows_next,
    lengthwise_rows_open,
};
use lengthwise_c::full::convert::{Allocator, lengthwise_convert, lengthwise_free, lengthwise_losses};
use lengthwise_c::full::document::{lengthwise_document_free, lengthwise_document_get, lengthwise_document_read};
use lengthwise_c::full::error::ErrorOut;
use lengthwise_c::full::options::{OptionsIn, SettingIn, lengthwise_options_init, lengthwise_options_untrusted};
use lengthwise_c::full::schema::{
    FileIn, lengthwise_schema_free, lengthwise_schema_load, lengthwise_schema_load_files,
};
use lengthwise_c::full::session::{
    LENGTHWISE_ABSENT, LENGTHWISE_BINARY, LENGTHWISE_BOOLEAN, LENGTHWISE_CHOICE, LENGTHWISE_DECIMAL, LENGTHWISE_DOUBLE,
    LENGTHWISE_INT64, LENGTHWISE_INTEGER, LENGTHWISE_NIL, LENGTHWISE_RECORD, LENGTHWISE_TEXT, SessionHandle, ValueOut,
    lengthwise_session_fault, lengthwise_session_fault_code, lengthwise_session_fault_detail, lengthwise_session_feed,
    lengthwise_session_finish, lengthwise_session_free, lengthwise_session_header, lengthwise_session_method,
    lengthwise_session_open, lengthwise_session_open_files, lengthwise_session_read, lengthwise_session_stats,
    lengthwise_session_value,
};

fn at(bytes: &[u8]) -> *const c_char {
    bytes.as_ptr().cast()
}

/// Converts without a schema; the result is in memory of the library's.
fn converted(message: &[u8], from: &CStr, to: &CStr, options: *const OptionsIn) -> Result<Vec<u8>, Box<ErrorOut>> {
    let (mut out, mut len) = (null_mut(), 0);
    unsafe {
        let mut error: ErrorOut = zeroed();
        let (from, to) = (from.as_ptr(), to.as_ptr());
        let (message, message_len) = (at(message), message.len());
        let allocator = null();
        match lengthwise_convert(
            message,
            message_len,
            from,
            to,
            null(),
            options,
            allocator,
            &mut out,
            &mut len,
            &mut error,
        ) {
            LW_OK => {
                let copy = std::slice::from_raw_parts(out.cast::<u8>(), len).to_vec();
                lengthwise_free(out, len);
                Ok(copy)
            }
            code => {
                assert_eq!((code, out.is_null(), len), (error.code, true, 0));
                Err(Box::new(error))
            }
        }
    }
}

#[test]
fn messages_are_converted_by_options_that_a_caller_fills() {
    assert_eq!(converted(b"[1]", c"json", c"pon", null()).ok().unwrap(), b"3[1i1");
    assert_eq!(converted(b"\"\"", c"json", c"pon", null()).ok().unwrap(), b"0s");
    let error = converted(b"[1", c"json", c"pon", null()).err().unwrap();
    assert_eq!((error.line, error.column), (1, 3));
    assert!(!unsafe { CStr::from_ptr(error.message.as_ptr()) }.is_empty());
    assert_eq!(converted(b"1", c"json", c"none", null()).err().unwrap().code, LW_UNSUPPORTED);
    let mut options = MaybeUninit::<OptionsIn>::uninit();
    unsafe { lengthwise_options_init(options.as_mut_ptr(), size_of::<OptionsIn>()) };
    let mut options = unsafe { options.assume_init() };
    options.output_types = c"value".as_ptr();
    assert_eq!(converted(b"[\"a\"]", c"json", c"tsf", &options).ok().unwrap(), b"1[1'a");
    options.output_types = c"none".as_ptr();
    assert_eq!(converted(b"[]", c"json", c"tsf", &options).err().unwrap().code, LW_UNSUPPORTED);
    options.output_types = null();
    // Options by their names.
    let own = c"structured ( object\nstructured < array\nprimitive : string";
    let setting = |name: &'static CStr, value: &'static CStr| SettingIn { name: name.as_ptr(), value: value.as_ptr() };
    let settings = [setting(c"types", own), setting(c"lengths", c"chars")];
    (options.settings, options.setting_count) = (settings.as_ptr(), 2);
    assert_eq!(converted("[\"é\"]".as_bytes(), c"json", c"tsf", &options).ok().unwrap(), "1<1:é".as_bytes());
    let error = converted(b"[]", c"json", c"pon", &options).err().unwrap();
    let words = unsafe { CStr::from_ptr(error.message.as_ptr()) }.to_str().unwrap();
    assert!(words.contains("the option 'types' for json to pon"), "{words}");
    let mut error: ErrorOut = unsafe { zeroed() };
    let notation = b"M DEFINITIONS ::= BEGIN A ::= NULL END";
    unsafe {
        let message = "1<1:é".as_bytes();
        let document = lengthwise_document_read(at(message), message.len(), c"tsf".as_ptr(), &options, &mut error);
        let (mut data, mut len, mut kind) = (null(), 0, 0);
        assert_eq!(lengthwise_document_get(&*document, c"/0".as_ptr(), &mut data, &mut len, &mut kind), LW_OK);
        assert_eq!((len, kind as u8), (2, b':'));
        lengthwise_document_free(document);
        let schema = lengthwise_schema_load(at(notation), notation.len(), null(), &options, &mut error);
        assert_eq!((schema.is_null(), error.code), (true, LW_UNSUPPORTED));
    }
    let wrong = [setting(c"prety", c"true")];
    (options.settings, options.setting_count) = (wrong.as_ptr(), 1);
    assert_eq!(converted(b"[]", c"json", c"pon", &options).err().unwrap().code, LW_UNSUPPORTED);
    // Limits by their names, after those of the fields; a count without settings is none.
    for (setting, depth) in [(setting(c"limit.depth", c"2"), 3), (setting(c"limits", c"untrusted"), 257)] {
        let limits = [setting];
        options.settings = limits.as_ptr();
        let nested = [vec![b'['; depth], vec![b']'; depth]].concat();
        assert_eq!(converted(&nested, c"json", c"pon", &options).err().unwrap().code, LW_LIMIT);
        assert!(converted(&nested[1..2 * depth - 1], c"json", c"pon", &options).is_ok());
    }
    options.settings = null();
    assert!(converted(b"[]", c"json", c"pon", &options).is_ok());
    unsafe {
        let schema = lengthwise_schema_load(at(notation), notation.len(), null(), &options, &mut error);
        assert!(!schema.is_null());
        lengthwise_schema_free(schema);
    }
    let none = [SettingIn { name: null(), value: null() }];
    options.settings = none.as_ptr();
    assert_eq!(converted(b"[]", c"json", c"pon", &options).err().unwrap().code, LW_UNSUPPORTED);
    // Losses in words, which are cut where there is no room.
    let drop = [setting(c"drop-comments", c"true")];
    options.settings = drop.as_ptr();
    let (xml, mut table) = (b"<a><!-- b --><c>1</c></a>", Vec::new());
    table.extend(converted(xml, c"xml", c"tdxml", &options).ok().unwrap());
    for room in [100, 43, 10, 1, 0] {
        let mut words = vec![1_u8; room];
        let (from, to, room_at) = (c"xml".as_ptr(), c"tdxml".as_ptr(), words.as_mut_ptr().cast());
        let len = unsafe {
            lengthwise_losses(
                at(xml),
                xml.len(),
                from,
                at(&table),
                table.len(),
                to,
                null(),
                &options,
                room_at,
                room,
                &mut error,
            )
        };
        let expected = "1 comment dropped (line 1, column 4, in /a)";
        assert_eq!(len, expected.len() as i32);
        let shown = CStr::from_bytes_until_nul(&words).map(|words| words.to_str().unwrap());
        let cut = &expected[..expected.len().min(room.saturating_sub(1))];
        assert_eq!(shown.ok(), (room > 0).then_some(cut));
    }
    let code = unsafe {
        let (from, to) = (c"xml".as_ptr(), c"tdxml".as_ptr());
        lengthwise_losses(at(xml), xml.len(), from, at(b"x"), 1, to, null(), &options, null_mut(), 0, &mut error)
    };
    assert!(code < 0 && code == error.code);
    (options.settings, options.setting_count) = (null(), 0);
    options.depth = 1;
    assert_eq!(converted(b"[[[]]]", c"json", c"pon", &options).err().unwrap().code, LW_LIMIT);
    assert_eq!(unsafe { lengthwise_options_untrusted(&mut options) }, LW_OK);
    assert_eq!(options.depth, 256);
    options.size = 0;
    assert_eq!(unsafe { lengthwise_options_untrusted(&mut options) }, LW_UNSUPPORTED);
    // The struct of a program that knows the first fields alone.
    #[repr(C)]
    struct Old(usize, *const c_char);
    let mut old = Old(0, c"x".as_ptr());
    unsafe { lengthwise_options_init((&raw mut old).cast(), size_of::<Old>()) };
    assert_eq!((old.0, old.1), (size_of::<Old>(), null()));
    assert_eq!(converted(b"[1]", c"json", c"pon", (&raw const old).cast()).ok().unwrap(), b"3[1i1");
}

unsafe extern "C" fn give(context: *mut c_void, bytes: usize) -> *mut c_void {
    let room = unsafe { &mut *context.cast::<Vec<u8>>() };
    if bytes > 100 {
        return null_mut();
    }
    room.resize(bytes, 0);
    room.as_mut_ptr().cast()
}

#[test]
fn values_of_a_schema_go_into_the_callers_memory() {
    let notation = b"M DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= SEQUENCE { n INTEGER (0..255), s UTF8String } END";
    let mut room: Vec<u8> = Vec::new();
    let allocator = Allocator { allocate: Some(give), context: (&raw mut room).cast() };
    let (mut out, mut len) = (null_mut(), 0);
    unsafe {
        let mut error: ErrorOut = zeroed();
        assert!(lengthwise_schema_load(at(b"M"), 1, null(), null(), &mut error).is_null());
        assert!(error.code < 0);
        assert!(lengthwise_schema_load(at(b"\xFF"), 1, null(), null(), null_mut()).is_null());
        assert!(lengthwise_schema_load(at(notation), notation.len(), c"B".as_ptr(), null(), &mut error).is_null());
        let schema = lengthwise_schema_load(at(notation), notation.len(), c"A".as_ptr(), null(), &mut error);
        let json = [format!("{{\"n\":7,\"s\":\"{}\"}}", "x".repeat(120)), r#"{"n":7,"s":"x"}"#.into()];
        for (json, expected) in json.iter().zip([LW_LIMIT, LW_OK]) {
            let (json, json_len) = (at(json.as_bytes()), json.len());
            let (from, to) = (c"json".as_ptr(), c"uper".as_ptr());
            let code = lengthwise_convert(
                json,
                json_len,
                from,
                to,
                schema,
                null(),
                &allocator,
                &mut out,
                &mut len,
                &mut error,
            );
            assert_eq!(code, expected);
        }
        assert_eq!(std::slice::from_raw_parts(out.cast::<u8>(), len), [7, 1, b'x']);
        lengthwise_schema_free(schema);
        lengthwise_schema_free(null_mut());
        lengthwise_free(null_mut(), 0);
    }
}

#[test]
fn documents_are_looked_into() {
    unsafe {
        let mut error: ErrorOut = zeroed();
        assert!(lengthwise_document_read(at(b"<a>"), 3, c"xml".as_ptr(), null(), &mut error).is_null());
        assert!(error.code < 0);
        assert!(lengthwise_document_read(null(), 0, c"xml".as_ptr(), null(), null_mut()).is_null());
        // Text that lies in the message, and text that lies beside it.
        let messages: [(&[u8], &CStr, &CStr, &[u8]); 3] = [
            (b"<a><b>c</b></a>", c"xml", c"/a/b/text()", b"c"),
            (b"<a><b>&lt;c</b></a>", c"xml", c"/a/b/text()", b"<c"),
            (b"[{\"a\":true}]", c"json", c"/0/a", b"true"),
        ];
        for (message, from, path, expected) in messages {
            let copy = message.to_vec();
            let document = lengthwise_document_read(at(&copy), copy.len(), from.as_ptr(), null(), &mut error);
            drop(copy);
            let (mut data, mut len, mut kind) = (null(), 0, 0);
            let document_ref = document.as_ref().unwrap();
            assert_eq!(lengthwise_document_get(document_ref, path.as_ptr(), &mut data, &mut len, &mut kind), LW_OK);
            assert_eq!(std::slice::from_raw_parts(data.cast::<u8>(), len), expected);
            for none in [c"/none".as_ptr(), c"\xFF".as_ptr(), null()] {
                assert_eq!(lengthwise_document_get(document_ref, none, &mut data, &mut len, &mut kind), LW_SCHEMA);
            }
            lengthwise_document_free(document);
        }
        lengthwise_document_free(null_mut());
    }
}

const ENVELOPE: &str = "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Body>";

/// A service whose message `m` holds ints, and records of a text and an int.
const WSDL: &str = "<definitions xmlns='http://schemas.xmlsoap.org/wsdl/' xmlns:s='urn:s' \
    xmlns:soap='http://schemas.xmlsoap.org/wsdl/soap/' xmlns:x='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:s'>\
    <types><x:schema targetNamespace='urn:s'><x:element name='m'><x:complexType><x:sequence>\
    <x:element name='i' type='x:int' maxOccurs='unbounded'/><x:element name='r' minOccurs='0' maxOccurs='unbounded'>\
    <x:complexType><x:sequence><x:element name='t' type='x:string'/><x:element name='n' type='x:int'/></x:sequence>\
    </x:complexType></x:element></x:sequence></x:complexType></x:element></x:schema></types>\
    <message name='M'><part name='p' element='s:m'/></message><portType name='P'><operation name='o'>\
    <input message='s:M'/></operation></portType><binding name='B' type='s:P'><soap:binding \
    transport='http://schemas.xmlsoap.org/soap/http'/><operation name='o'><soap:operation soapAction=''/><input>\
    <soap:body use='literal'/></input></operation></binding></definitions>";

fn value(session: &SessionHandle, path: &CStr) -> Option<ValueOut> {
    let mut value: ValueOut = unsafe { zeroed() };
    (unsafe { lengthwise_session_value(session, path.as_ptr(), &mut value) } == LW_OK).then_some(value)
}

#[test]
fn sessions_hand_out_what_the_last_message_says() {
    unsafe {
        let mut error: ErrorOut = zeroed();
        assert!(lengthwise_session_open(at(b"<a/>"), 4, null(), &mut error).is_null());
        let handle = lengthwise_session_open(at(WSDL.as_bytes()), WSDL.len(), null(), &mut error);
        let session = handle.as_mut().unwrap_or_else(|| panic!("{:?}", CStr::from_ptr(error.message.as_ptr())));
        assert!(value(session, c"").is_none());
        let call = |items: &str| format!("{ENVELOPE}<s:m xmlns:s=\"urn:s\">{items}</s:m></e:Body></e:Envelope>");
        let ints: String = (100..140).map(|n| format!("<i>{n}</i>")).collect();
        let rows = "<r><t>a</t><n>1</n></r><r><t>bc</t><n>2</n></r>";
        for last in ["<i>7</i>", "<i>8</i>", "<i>-12</i>"] {
            let message = call(&format!("{ints}{last}{rows}"));
            assert_eq!(lengthwise_session_read(session, at(message.as_bytes()), message.len(), &mut error), LW_OK);
            let all = value(session, c"/i").unwrap();
            assert_eq!((all.kind, all.is_array, all.count), (LENGTHWISE_INT64, true, 41));
            let numbers = std::slice::from_raw_parts(all.data.cast::<i64>(), all.count);
            assert_eq!(last, format!("<i>{}</i>", numbers[40]));
            let one = value(session, c"/i/3").unwrap();
            assert_eq!((*one.data.cast::<i64>(), one.is_array), (103, false));
            assert_eq!(value(session, c"/r/1").map(|row| (row.kind, row.count)), Some((LENGTHWISE_RECORD, 2)));
            let text = value(session, c"/r/1/t").unwrap();
            assert_eq!(text.kind, LENGTHWISE_TEXT);
            assert_eq!(std::slice::from_raw_parts(text.data.cast::<u8>(), text.count), b"bc");
            assert!(value(session, c"/i/41").is_none() && value(session, c"/x").is_none());
        }
        let (mut name, mut len) = (null(), 0);
        assert_eq!(lengthwise_session_method(session, &mut name, &mut len), LW_OK);
        assert_eq!(std::slice::from_raw_parts(name.cast::<u8>(), len), b"m");
        assert_eq!(lengthwise_session_fault(session, &mut name, &mut len), LW_SCHEMA);

        let fault = format!(
            "{ENVELOPE}<e:Fault><faultcode>e:Server</faultcode><faultstring>no</faultstring></e:Fault></e:Body></e:Envelope>"
        );
        for piece in fault.as_bytes().chunks(50) {
            assert_eq!(lengthwise_session_feed(session, at(piece), piece.len(), &mut error), LW_OK);
        }
        assert_eq!(lengthwise_session_finish(session, &mut error), LW_OK);
        assert_eq!(lengthwise_session_fault(session, &mut name, &mut len), LW_OK);
        assert_eq!(std::slice::from_raw_parts(name.cast::<u8>(), len), b"no");
        assert_eq!(lengthwise_session_method(session, &mut name, &mut len), LW_SCHEMA);
        assert_eq!(lengthwise_session_read(session, at(b"x"), 1, null_mut()), LW_SYNTAX);
        assert!(value(session, c"").is_none());

        let mut stats = zeroed();
        lengthwise_session_stats(session, &mut stats);
        assert_eq!((stats.messages, stats.errors), (5, 1));
        lengthwise_session_free(handle);
        lengthwise_session_free(null_mut());
    }
}

/// The text that a function passes.
unsafe fn passed(call: impl FnOnce(&mut *const c_char, &mut usize) -> i32) -> Option<String> {
    let (mut text, mut len) = (null(), 0);
    let passed = call(&mut text, &mut len) == LW_OK;
    passed.then(|| String::from_utf8_lossy(unsafe { std::slice::from_raw_parts(text.cast::<u8>(), len) }).into_owned())
}

#[test]
fn sessions_have_headers_and_the_details_of_faults() {
    unsafe {
        let mut error: ErrorOut = zeroed();
        let handle = lengthwise_session_open(at(WSDL.as_bytes()), WSDL.len(), null(), &mut error);
        let session = handle.as_mut().unwrap();
        let message = "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Header><h:a xmlns:h='urn:h'>1</h:a>\
            <h:b xmlns:h='urn:h'/></e:Header><e:Body><e:Fault><faultcode>e:Client</faultcode><faultstring>no</faultstring>\
            <detail><d:x xmlns:d='urn:d'>7</d:x></detail></e:Fault></e:Body></e:Envelope>";
        assert_eq!(lengthwise_session_read(session, at(message.as_bytes()), message.len(), &mut error), LW_OK);
        assert_eq!(passed(|a, b| lengthwise_session_fault_code(session, a, b)).as_deref(), Some("Client"));
        let detail = |n| passed(|a, b| lengthwise_session_fault_detail(session, n, a, b));
        assert!(detail(0).unwrap().ends_with(">7</d:x>") && detail(1).is_none());
        let header = |n| passed(|a, b| lengthwise_session_header(session, n, a, b));
        assert!(header(0).unwrap().contains(">1</h:a>") && header(1).unwrap().contains("h:b") && header(2).is_none());
        lengthwise_session_free(handle);
    }
}

/// Documents of a schema of two files, and every kind of value.
#[test]
fn sessions_read_documents_of_a_schema() {
    const MAIN: &str = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns:t='urn:t' targetNamespace='urn:t'>\
        <xs:include schemaLocation='types.xsd'/><xs:element name='Report' type='t:report'/></xs:schema>";
    const TYPES: &str = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:t'>\
        <xs:complexType name='report'><xs:sequence><xs:element name='big' type='xs:unsignedLong'/>\
        <xs:element name='total' type='xs:decimal'/><xs:element name='real' type='xs:float' maxOccurs='unbounded'/>\
        <xs:choice><xs:element name='word' type='xs:string'/><xs:element name='octets' type='xs:hexBinary'/></xs:choice>\
        <xs:element name='none' type='xs:int' nillable='true'/><xs:element name='left' type='xs:int' minOccurs='0'/>\
        </xs:sequence><xs:attribute name='Is_Last' type='xs:boolean'/></xs:complexType></xs:schema>";
    unsafe {
        let mut error: ErrorOut = zeroed();
        let file = |name: &'static CStr, text: &str| FileIn {
            name: name.as_ptr(),
            text: at(text.as_bytes()),
            len: text.len(),
        };
        let files = [file(c"main.xsd", MAIN), file(c"types.xsd", TYPES)];
        assert!(lengthwise_session_open_files(files.as_ptr(), 1, null(), &mut error).is_null());
        let handle = lengthwise_session_open_files(files.as_ptr(), 2, null(), &mut error);
        let session = handle.as_mut().unwrap_or_else(|| panic!("{:?}", CStr::from_ptr(error.message.as_ptr())));
        for total in ["12.50", "0.1", "7"] {
            let message = format!(
                "<t:Report xmlns:t='urn:t' Is_Last='true'><big>18446744073709551615</big><total>{total}</total><real>1.5</real>\
                 <real>-2</real><octets>00FF</octets>\
                 <none xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:nil='true'/></t:Report>"
            );
            assert_eq!(lengthwise_session_read(session, at(message.as_bytes()), message.len(), &mut error), LW_OK);
        }
        assert_eq!(passed(|a, b| lengthwise_session_method(session, a, b)).as_deref(), Some("Report"));
        assert!(passed(|a, b| lengthwise_session_fault(session, a, b)).is_none());
        let kind = |path: &CStr| value(session, path).map(|value| value.kind);
        assert_eq!(kind(c""), Some(LENGTHWISE_RECORD));
        let flag = value(session, c"/Is_Last").unwrap();
        assert_eq!((flag.kind, *flag.data.cast::<bool>()), (LENGTHWISE_BOOLEAN, true));
        let big = value(session, c"/big").unwrap();
        let octets = std::slice::from_raw_parts(big.data.cast::<u8>(), big.count);
        assert_eq!((big.kind, octets), (LENGTHWISE_INTEGER, &[0, 255, 255, 255, 255, 255, 255, 255, 255][..]));
        assert!(matches!(kind(c"/total"), Some(LENGTHWISE_DECIMAL | LENGTHWISE_DOUBLE)));
        let real = value(session, c"/real").unwrap();
        let numbers = std::slice::from_raw_parts(real.data.cast::<f64>(), real.count);
        assert_eq!((real.kind, real.is_array, numbers), (LENGTHWISE_DOUBLE, true, &[1.5, -2.0][..]));
        assert_eq!(kind(c"/choice"), Some(LENGTHWISE_CHOICE));
        assert_eq!((kind(c"/choice/octets"), kind(c"/choice/word")), (Some(LENGTHWISE_BINARY), None));
        assert_eq!((kind(c"/none"), kind(c"/left")), (Some(LENGTHWISE_NIL), Some(LENGTHWISE_ABSENT)));
        let mut stats = zeroed();
        lengthwise_session_stats(session, &mut stats);
        assert_eq!((stats.messages, stats.errors), (3, 0));
        lengthwise_session_free(handle);
    }
}

/// Messages become columns, and rows the same messages, after the schema is released.
#[test]
fn columns_outlive_their_schema() {
    const MODULE: &str =
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN R ::= SEQUENCE { a INTEGER (0..255), b UTF8String } END";
    // X.691: eight bits of a, eight of the length of b, and its octets.
    const MESSAGES: [&[u8]; 2] = [&[42, 2, b'h', b'y'], &[7, 0]];
    unsafe {
        let mut error: ErrorOut = zeroed();
        let schema = lengthwise_schema_load(at(MODULE.as_bytes()), MODULE.len(), null(), null(), &mut error);
        let uper = c"uper".as_ptr();
        let wrong = [c"a".as_ptr(), c"z".as_ptr()];
        assert!(lengthwise_columns_open(schema, uper, wrong.as_ptr(), 2, null(), &mut error).is_null());
        assert_eq!(error.code, LW_SCHEMA);
        assert!(lengthwise_columns_open(schema, c"xml".as_ptr(), null(), 0, null(), null_mut()).is_null());
        let mut options = OptionsIn::default();
        for (name, value, opens) in [(c"times", c"utc", true), (c"times", c"zulu", false), (c"pretty", c"true", false)]
        {
            let setting = SettingIn { name: name.as_ptr(), value: value.as_ptr() };
            (options.settings, options.setting_count) = (&setting, 1);
            let handle = lengthwise_columns_open(schema, uper, null(), 0, &options, null_mut());
            assert_eq!(!handle.is_null(), opens, "{name:?}");
            lengthwise_columns_free(handle);
        }
        let handle = lengthwise_columns_open(schema, uper, null(), 0, null(), &mut error);
        let columns = handle.as_mut().unwrap();
        for message in MESSAGES {
            assert_eq!(lengthwise_columns_push(columns, at(message), message.len(), &mut error), LW_OK);
        }
        assert!(lengthwise_columns_push(columns, at(b"*"), 1, null_mut()) < 0);
        assert_eq!(lengthwise_columns_rows(columns), 2);
        let (mut array, mut described) = (zeroed(), zeroed());
        assert_eq!(lengthwise_columns_finish(columns, &mut array, &mut described, &mut error), LW_OK);
        assert_eq!(lengthwise_columns_push_null(columns, null_mut()), LW_OK);
        let handle_of_rows = lengthwise_rows_open(schema, uper, &mut array, &mut described, null(), &mut error);
        lengthwise_schema_free(schema);
        // The null was not handed over.
        lengthwise_columns_free(handle);
        let rows = handle_of_rows.as_mut().unwrap();
        let (mut message, mut len) = (null(), 0);
        for expected in MESSAGES {
            assert_eq!(lengthwise_rows_next(rows, &mut message, &mut len, &mut error), 1);
            assert_eq!(std::slice::from_raw_parts(message.cast::<u8>(), len), expected);
        }
        assert_eq!(lengthwise_rows_next(rows, &mut message, &mut len, null_mut()), 0);
        lengthwise_rows_free(handle_of_rows);
    }
}

/// Documents of an XML Schema in several files become columns and messages of other formats; modules of ASN.1 in several.
#[test]
fn schemas_come_from_several_files() {
    const MAIN: &str = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:include schemaLocation='types.xsd'/>\
        <xs:element name='reading' type='reading'/><xs:element name='count' type='xs:int'/></xs:schema>";
    const TYPES: &str = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:complexType name='reading'><xs:sequence>\
        <xs:element name='celsius' type='xs:int' maxOccurs='unbounded'/></xs:sequence>\
        <xs:attribute name='room' type='xs:string' use='required'/></xs:complexType></xs:schema>";
    const READING: &str = "<reading room=\"attic\"><celsius>21</celsius><celsius>-5</celsius></reading>";
    let file = |name: &'static CStr, text: &'static str| FileIn {
        name: name.as_ptr(),
        text: at(text.as_bytes()),
        len: text.len(),
    };
    unsafe {
        let mut error: ErrorOut = zeroed();
        let files = [file(c"main.xsd", MAIN), file(c"types.xsd", TYPES)];
        assert!(lengthwise_schema_load_files(files.as_ptr(), 1, null(), null(), &mut error).is_null());
        assert!(lengthwise_schema_load_files(files.as_ptr(), 2, c"none".as_ptr(), null(), &mut error).is_null());
        assert!(lengthwise_schema_load_files(null(), 0, null(), null(), &mut error).is_null());
        let twice = [file(c"main.xsd", MAIN), file(c"main.xsd", TYPES)];
        assert!(lengthwise_schema_load_files(twice.as_ptr(), 2, null(), null(), &mut error).is_null());
        assert_eq!(error.code, LW_SCHEMA);
        let schema = lengthwise_schema_load_files(files.as_ptr(), 2, c"reading".as_ptr(), null(), &mut error);
        let xml = c"xml".as_ptr();
        let handle = lengthwise_columns_open(schema, xml, null(), 0, null(), &mut error);
        let columns = handle.as_mut().unwrap_or_else(|| panic!("{:?}", CStr::from_ptr(error.message.as_ptr())));
        assert_eq!(lengthwise_columns_push(columns, at(READING.as_bytes()), READING.len(), &mut error), LW_OK);
        let other = "<count>1</count>";
        assert_eq!(lengthwise_columns_push(columns, at(other.as_bytes()), other.len(), &mut error), LW_SCHEMA);
        let (mut array, mut described) = (zeroed(), zeroed());
        assert_eq!(lengthwise_columns_finish(columns, &mut array, &mut described, &mut error), LW_OK);
        lengthwise_columns_free(handle);
        let handle = lengthwise_rows_open(schema, xml, &mut array, &mut described, null(), &mut error);
        let (mut message, mut len) = (null(), 0);
        assert_eq!(lengthwise_rows_next(handle.as_mut().unwrap(), &mut message, &mut len, &mut error), 1);
        assert_eq!(std::slice::from_raw_parts(message.cast::<u8>(), len), READING.as_bytes());
        lengthwise_rows_free(handle);
        lengthwise_schema_free(schema);

        // X.691: seven bits of the number, and one that fills the octet.
        let files = [
            file(c"a.asn", "\u{FEFF}A DEFINITIONS ::= BEGIN IMPORTS N FROM B; R ::= SEQUENCE { n N } END"),
            file(c"b.asn", "B DEFINITIONS ::= BEGIN N ::= INTEGER (0..127) END"),
        ];
        let schema = lengthwise_schema_load_files(files.as_ptr(), 2, c"R".as_ptr(), null(), &mut error);
        let handle = lengthwise_columns_open(schema, c"json".as_ptr(), null(), 0, null(), &mut error);
        let message = b"{\"n\": 42}";
        assert_eq!(lengthwise_columns_push(handle.as_mut().unwrap(), at(message), message.len(), &mut error), LW_OK);
        assert_eq!(lengthwise_columns_finish(handle.as_mut().unwrap(), &mut array, &mut described, &mut error), LW_OK);
        lengthwise_columns_free(handle);
        let handle = lengthwise_rows_open(schema, c"uper".as_ptr(), &mut array, &mut described, null(), &mut error);
        let (mut message, mut len) = (null(), 0);
        assert_eq!(lengthwise_rows_next(handle.as_mut().unwrap(), &mut message, &mut len, &mut error), 1);
        assert_eq!(std::slice::from_raw_parts(message.cast::<u8>(), len), [42 << 1]);
        lengthwise_rows_free(handle);
        lengthwise_schema_free(schema);
    }
}
