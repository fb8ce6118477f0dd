//! The modules of the table `per`.

/// Messages of one kind: the text of their module, and the type that a message is.
pub struct Kind {
    pub name: &'static str,
    /// What the module is called where its text is at fault.
    pub file: &'static str,
    pub module: &'static str,
    pub root: &'static str,
}

macro_rules! kinds {
    ($($name:literal: $file:literal $root:literal;)+) => {
        pub const KINDS: &[Kind] = &[$(Kind {
            name: $name,
            file: concat!($file, ".asn1"),
            module: include_str!(concat!("../asn1/", $file, ".asn1")),
            root: $root,
        }),+];
    };
}

kinds! {
    "beacon": "beacon" "Beacon";
    "beacon-extended": "beacon" "Beacon";
    "signalling": "signalling" "Message";
    "telemetry": "telemetry" "Batch";
    "directory": "directory" "Directory";
    "frame": "frame" "Frame";
}
