#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| lengthwise_fuzz::run("asn1_infer", input));
