//! Writes what the fuzz targets start from: `seeds SAMPLES CORPUS` puts files into a folder of
//! CORPUS for each target. `seeds SAMPLES CORPUS small` puts a few small ones there, which are committed.

/// Files of a target that are committed, and the most bytes of each.
const SMALL: (usize, usize) = (12, 1024);

use std::io::Result;
use std::path::Path;
use std::{env, fs};

use lengthwise::{Format, Options, Types, convert};

/// XML that the samples do not show.
const XML: [&str; 8] = [
    "<a b='1' c=\"&lt;&#10;\">x&amp;y&#x1F98B;</a>",
    "<?xml version='1.0' encoding='UTF-8' standalone='yes'?><!-- c --><?p i?><a/><?q?>",
    "<!DOCTYPE a [<!ENTITY e 'x<b/>y'><!ENTITY % p '<!ENTITY f \"z\">'>%p;]><a>&e;&f;</a>",
    "<!DOCTYPE a [<!ATTLIST a b CDATA 'd' c NMTOKENS #IMPLIED>]><a c=' x  y '/>",
    "<!DOCTYPE a SYSTEM 'a.dtd' [<!ELEMENT a (#PCDATA)><!NOTATION n PUBLIC 'p'>]><a/>",
    "<a xmlns='urn:x' xmlns:p='urn:y' xml:space='preserve'><p:b/> <![CDATA[<&]]]]><![CDATA[>]]></a>",
    "\u{FEFF}<\u{E9}l\u{E9}ment>\r\n\t\u{85}</\u{E9}l\u{E9}ment>",
    "<?xml version='1.0' encoding='ISO-8859-1'?><a>x</a>",
];

/// JSON that the samples do not show.
const JSON: [&str; 6] = [
    "null",
    "[1,-0.0,1e5,1E-300,123456789012345678901234567890]",
    "{\"a\":1,\"a\":2,\"\":{\"64th\":[]}}",
    "\"\\u00e9\\ud83e\\udd8b\\n\\/\\\"\"",
    " [ true , false , { } ] ",
    "{\"{\\\\['\":\"\u{1F98B}\"}",
];

fn main() -> Result<()> {
    let mut arguments = env::args_os().skip(1);
    let (Some(samples), Some(corpus)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: seeds SAMPLES CORPUS");
        std::process::exit(2);
    };
    let small = arguments.next().is_some();
    let mut xml: Vec<Vec<u8>> = XML.iter().map(|text| text.as_bytes().to_vec()).collect();
    let mut pon = lengthwise_fuzz::pon_seeds();
    let mut modules = lengthwise_fuzz::asn1_notation_seeds();
    let mut descriptions: Vec<Vec<u8>> = Vec::new();
    let mut json: Vec<Vec<u8>> = JSON.iter().map(|text| text.as_bytes().to_vec()).collect();
    xml.push(XML[0].encode_utf16().flat_map(u16::to_be_bytes).collect());
    xml.push("\u{FEFF}<a>\u{E9}</a>".encode_utf16().flat_map(u16::to_le_bytes).collect());
    for entry in fs::read_dir(samples)? {
        let path = entry?.path();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("xml") => xml.push(fs::read(path)?),
            Some("json") => json.push(fs::read(path)?),
            Some("pon") => pon.push(fs::read(path)?),
            Some("asn1") => modules.push(fs::read(path)?),
            Some("wsdl") => descriptions.push(fs::read(path)?),
            _ => {}
        }
    }
    let mut tsf = lengthwise_fuzz::tsf_seeds();
    let as_tsf = |input: &[u8], from, options: &Options, first: u8| {
        convert(input, from, Format::Tsf, options).ok().map(|message| [&[first], &message[..]].concat())
    };
    tsf.extend(xml.iter().filter_map(|input| as_tsf(input, Format::Xml, &Options::default(), 0)));
    let values = Options::default().with_output_types(Types::Value);
    tsf.extend(json.iter().filter_map(|input| as_tsf(input, Format::Json, &Options::default(), 1)));
    tsf.extend(json.iter().filter_map(|input| as_tsf(input, Format::Json, &values, 2)));
    let as_pon = |input: &Vec<u8>| convert(input, Format::Json, Format::Pon, &Options::default()).ok();
    pon.extend(json.iter().filter_map(as_pon));
    // The first byte of `convert` says from what to what; the numbers are those of `Format::ALL`.
    let mut any = Vec::new();
    for (format, inputs) in [(0, &xml), (1, &json), (2, &tsf), (3, &pon)] {
        for (number, input) in inputs.iter().enumerate() {
            let message = if format == 2 { &input[1..] } else { input };
            any.push([&[format + 4 * (number % 64) as u8], message].concat());
        }
    }
    let (infosets, texts) = lengthwise_fuzz::infoset_seeds();
    let (schemas, instances) = lengthwise_fuzz::xsd_seeds();
    let (soap, streams) = lengthwise_fuzz::soap_seeds();
    for (target, seeds) in [
        ("soap_read", &soap),
        ("wsdl_read", &descriptions),
        ("http_body", &lengthwise_fuzz::http_body_seeds()),
        ("frames_read", &lengthwise_fuzz::frames_seeds()),
        ("compressed_read", &lengthwise_fuzz::compressed_seeds()),
        ("soap_stream", &streams),
        ("tsf_read", &tsf),
        ("tsf_round", &tsf),
        ("xml_read", &xml),
        ("xml_round", &xml),
        ("json_read", &json),
        ("json_round", &json),
        ("pon_read", &pon),
        ("pon_round", &pon),
        ("pon_serde", &pon),
        ("asn1_notation", &modules),
        ("asn1_objects", &lengthwise_fuzz::asn1_objects_seeds()),
        ("asn1_read", &lengthwise_fuzz::asn1_seeds()),
        ("asn1_value", &lengthwise_fuzz::asn1_value_seeds()),
        ("asn1_infer", &lengthwise_fuzz::infer_seeds()),
        ("infoset_read", &infosets),
        ("infoset_round", &texts),
        ("xsd_schema", &schemas),
        ("xsd_stream", &lengthwise_fuzz::xsd_stream_seeds()),
        ("xsd_validate", &instances),
        ("xsd_message", &lengthwise_fuzz::xsd_message_seeds()),
        ("xsd_modules", &lengthwise_fuzz::xsd_modules_seeds()),
        ("tdxml_read", &lengthwise_fuzz::tdxml_seeds()),
        ("tdxml_round", &xml),
        ("tdxml_serde", &lengthwise_fuzz::tdxml_seeds()),
        ("convert", &any),
        ("cost", &lengthwise_fuzz::cost_seeds()),
    ] {
        let folder = Path::new(&corpus).join(target);
        fs::create_dir_all(&folder)?;
        let mut seeds: Vec<&Vec<u8>> = seeds.iter().collect();
        if small {
            let (files, bytes) = SMALL;
            seeds.sort_by_key(|seed| seed.len());
            let count = seeds.partition_point(|seed| seed.len() <= bytes);
            // Of long ones alone, the shortest.
            seeds.truncate(count.max(1));
            let step = seeds.len().div_ceil(files).max(1);
            seeds = seeds.into_iter().step_by(step).collect();
        }
        for (number, seed) in seeds.iter().enumerate() {
            fs::write(folder.join(format!("seed-{number:03}")), seed)?;
        }
    }
    Ok(())
}
