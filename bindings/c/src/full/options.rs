//! Options of reading and writing in a struct of the caller, to which later versions can add fields.

use core::ffi::c_char;
use core::ptr::null;

use lengthwise::columns::Times;
use lengthwise::{Base64, Error, Format, Lengths, Limits, Options, Settings, Types};

use crate::full::error::unknown;
use crate::full::schema::{SchemaHandle, word};

/// Options of reading and writing. `lengthwise_options_init` fills in the defaults; then change fields. Later versions
/// of the library add fields at the end.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OptionsIn {
    /// The size of the struct that the program was compiled with, which `lengthwise_options_init` sets.
    pub size: usize,
    /// Reading TSF: the type set, "xml", "json" or "value". NULL, the default: detected from the message.
    pub input_types: *const c_char,
    /// Writing TSF: the type set. NULL, the default: that of the document.
    pub output_types: *const c_char,
    /// Reading TSF: the unit of lengths, "bytes" (the default) or "chars".
    pub input_lengths: *const c_char,
    /// Writing TSF: the unit of lengths, "bytes" (the default) or "chars".
    pub output_lengths: *const c_char,
    /// Levels of nesting. Default 1000.
    pub depth: u32,
    /// Lexical units of one document. Default 2^28.
    pub units: u32,
    /// Bytes of one message. Default 1 GiB.
    pub message_bytes: u32,
    /// The most bytes to which the entities of one XML document may expand. Default 8 MiB.
    pub entity_expansion: u32,
    /// The most bytes to which compressed or repeated text may expand. Default 1 GiB.
    pub decompressed_bytes: u32,
    /// The most bytes of expanded text for each byte of the message, beyond `expansion_threshold`. Default 100.
    pub expansion_ratio: u32,
    /// Bytes of expanded text that any message may have, whatever its ratio. Default 8 MiB.
    pub expansion_threshold: u32,
    /// More options, `setting_count` of them, by the names of the command: {"pretty", "true"}, {"strings", "zstd"},
    /// {"binary-from-base64", "image,thumbnail"}. Options that are there or not are "true" or "false"; "types" and
    /// "from-types" are the name of a type set, or the text of one of your own. "limit.depth" and so on are the fields above. lengthwise_convert and
    /// lengthwise_document_read take those that have an effect for their formats; lengthwise_columns_open takes {"times", "utc"}.
    /// Others, and all in other functions, are refused. NULL, the default: none.
    pub settings: *const SettingIn,
    /// How many there are.
    pub setting_count: usize,
}

/// An option by its name, in `struct lengthwise_options`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SettingIn {
    /// Such as "pretty".
    pub name: *const c_char,
    /// Such as "true".
    pub value: *const c_char,
}

impl Default for OptionsIn {
    fn default() -> OptionsIn {
        let mut options = OptionsIn {
            size: size_of::<OptionsIn>(),
            input_types: null(),
            output_types: null(),
            input_lengths: null(),
            output_lengths: null(),
            depth: 0,
            units: 0,
            message_bytes: 0,
            entity_expansion: 0,
            decompressed_bytes: 0,
            expansion_ratio: 0,
            expansion_threshold: 0,
            settings: null(),
            setting_count: 0,
        };
        options.set_limits(Limits::DEFAULT);
        options
    }
}

impl OptionsIn {
    fn set_limits(&mut self, limits: Limits) {
        self.depth = limits.depth;
        self.units = limits.units;
        self.message_bytes = limits.message_bytes;
        self.entity_expansion = limits.entity_expansion;
        self.decompressed_bytes = limits.decompressed_bytes;
        self.expansion_ratio = limits.expansion_ratio;
        self.expansion_threshold = limits.expansion_threshold;
    }

    fn limits(&self) -> Limits {
        Limits {
            depth: self.depth,
            units: self.units,
            message_bytes: self.message_bytes,
            entity_expansion: self.entity_expansion,
            decompressed_bytes: self.decompressed_bytes,
            expansion_ratio: self.expansion_ratio,
            expansion_threshold: self.expansion_threshold,
            ..Limits::DEFAULT
        }
    }

    /// For a function that takes none.
    fn refuse_settings(&self) -> Result<(), Error> {
        match self.settings.is_null() || self.setting_count == 0 {
            true => Ok(()),
            false => Err(unknown("settings", "options without them: this function takes none")),
        }
    }

    /// The settings, which the caller keeps: their names and values.
    unsafe fn named<'c>(&self) -> Result<Vec<(&'c str, &'c str)>, Error> {
        let count = if self.settings.is_null() { 0 } else { self.setting_count };
        let settings = (0..count).map(|at| {
            let SettingIn { name, value } = unsafe { self.settings.add(at).read() };
            let (name, value) = unsafe { (word(name)?, word(value)?) };
            Ok((name.unwrap_or_default(), value.unwrap_or_default()))
        });
        settings.collect()
    }

    /// The caller's options; fields that its struct does not have yet get their defaults.
    unsafe fn of_caller(options: *const OptionsIn) -> Result<OptionsIn, Error> {
        let size = unsafe { (&raw const (*options).size).read() };
        if size < size_of::<usize>() || size > size_of::<OptionsIn>() {
            return Err(unknown("options of another size", "options that lengthwise_options_init has filled"));
        }
        let mut own = OptionsIn::default();
        unsafe { (&raw mut own).cast::<u8>().copy_from_nonoverlapping(options.cast(), size) };
        Ok(own)
    }
}

/// Fills options with the defaults. `size` is `sizeof *options`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_options_init(options: *mut OptionsIn, size: usize) {
    let size = size.min(size_of::<OptionsIn>());
    let defaults = OptionsIn { size, ..OptionsIn::default() };
    unsafe { options.cast::<u8>().copy_from_nonoverlapping((&raw const defaults).cast(), size) };
}

/// Sets the limits for messages of unknown senders: 16 MiB per message, 64 MiB of expanded text and at most 100 times
/// the message beyond the first MiB, 2^20 units, 256 levels. The options must be initialized.
///
/// Returns LW_OK, or LW_UNSUPPORTED for options that are not initialized.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_options_untrusted(options: *mut OptionsIn) -> i32 {
    let Ok(mut own) = (unsafe { OptionsIn::of_caller(options) }) else { return crate::code::LW_UNSUPPORTED };
    own.set_limits(Limits::UNTRUSTED);
    unsafe { options.cast::<u8>().copy_from_nonoverlapping((&raw const own).cast(), own.size) };
    crate::code::LW_OK
}

/// The limits of a caller; NULL means the defaults.
pub(crate) unsafe fn limits(options: *const OptionsIn) -> Result<Limits, Error> {
    if options.is_null() {
        return Ok(Limits::DEFAULT);
    }
    let own = unsafe { OptionsIn::of_caller(options) }?;
    own.refuse_settings()?;
    Ok(own.limits())
}

/// What a caller has chosen.
pub(crate) struct Given<'c> {
    own: Options<'static>,
    settings: Settings<'c>,
}

impl<'c> Given<'c> {
    /// NULL means the defaults, and no schema.
    pub(crate) unsafe fn of(options: *const OptionsIn, schema: *const SchemaHandle) -> Result<Given<'c>, Error> {
        let mut settings = Settings::default();
        if let Some(schema) = unsafe { schema.as_ref() } {
            settings.set_schema(&schema.0);
        }
        if !options.is_null() {
            let own = unsafe { OptionsIn::of_caller(options) }?;
            settings.set_limits(own.limits());
            for (name, value) in unsafe { own.named() }? {
                settings.set(name, value)?;
            }
        }
        Ok(Given { own: unsafe { fields(options) }?, settings })
    }

    /// The options for reading a format, and writing one if there is a second. The fields of the struct hold for all formats.
    pub(crate) fn options(&self, from: Format, to: Option<Format>) -> Result<Options<'_>, Error> {
        let (own, mut options) = (self.own, self.settings.options(Some(from), to)?);
        options.input_types = own.input_types.or(options.input_types);
        options.output_types = own.output_types.or(options.output_types);
        if own.input_lengths != Lengths::default() {
            options.input_lengths = own.input_lengths;
        }
        if own.output_lengths != Lengths::default() {
            options.output_lengths = own.output_lengths;
        }
        match (options.schema, to) {
            (Some(schema), Some(to))
                if options.binary_from_base64 != Base64::Keep
                    || !Options::may_use_schema(from, to, schema.is_xml()) =>
            {
                Err(unknown("a schema", "none, as it has no effect for these formats"))
            }
            _ => Ok(options),
        }
    }
}

/// The options of a caller who has not set others than fields; NULL means the defaults.
pub(crate) unsafe fn options(options: *const OptionsIn) -> Result<Options<'static>, Error> {
    if !options.is_null() {
        unsafe { OptionsIn::of_caller(options) }?.refuse_settings()?;
    }
    unsafe { fields(options) }
}

/// The options of a caller for columns, who may have set `times`.
pub(crate) unsafe fn of_columns(options: *const OptionsIn) -> Result<(Options<'static>, Times), Error> {
    let mut times = Times::default();
    if !options.is_null() {
        for (name, value) in unsafe { OptionsIn::of_caller(options)?.named() }? {
            times = match name {
                "times" => value.parse().map_err(|names| unknown(value, names))?,
                other => return Err(unknown(other, "times, the setting of columns")),
            };
        }
    }
    Ok((unsafe { fields(options) }?, times))
}

/// What the fields say.
unsafe fn fields(options: *const OptionsIn) -> Result<Options<'static>, Error> {
    if options.is_null() {
        return Ok(Options::default());
    }
    let own = unsafe { OptionsIn::of_caller(options) }?;
    let types = |name: *const c_char| {
        let name = unsafe { word(name) }?;
        let types = name.map(|name| Types::from_name(name).ok_or_else(|| unknown(name, "xml, json or value")));
        types.transpose()
    };
    let lengths = |name: *const c_char| match unsafe { word(name) }? {
        None | Some("bytes") => Ok(Lengths::Bytes),
        Some("chars") => Ok(Lengths::Chars),
        Some(name) => Err(unknown(name, "bytes or chars")),
    };
    let mut options = Options::default().with_limits(own.limits());
    options.input_types = types(own.input_types)?;
    options.output_types = types(own.output_types)?;
    options.input_lengths = lengths(own.input_lengths)?;
    options.output_lengths = lengths(own.output_lengths)?;
    Ok(options)
}
