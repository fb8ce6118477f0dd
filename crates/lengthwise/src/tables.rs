//! Messages of a schema as columns of Arrow, and rows as messages, whatever their format.

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use asn1::{NodeId, Values};
use lengthwise_columns::{Decoder, Encoder, Layout};
use tam::{Error, ErrorKind, Table};

use crate::{Format, Options, append_value, read_value, typed};

/// Reads messages of one type of a schema into columns. The table of [`lengthwise_columns`] says what becomes of each type.
///
/// PER, BER, OER, and documents of JSON values fill the columns directly. XML by its schema, XER and value notation are read as
/// values first.
///
/// ```
/// use lengthwise::{Columns, Format, Options, Schema, columns::Layout, tam::Limits};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let module = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN Reading ::= SEQUENCE { celsius INTEGER (-40..87) } END";
/// let schema = Schema::from_notation(&[("", module)], &Limits::default())?;
/// let options = Options::default().with_schema(&schema);
///
/// let mut columns = Columns::new(Format::Json, schema.root()?, &options, &Layout::default())?;
/// columns.push(br#"{"celsius": 20}"#, Format::Json)?;
/// columns.push(b"<Reading><celsius>21</celsius></Reading>", Format::Xer)?;
/// assert!(columns.push(b"{}", Format::Json).is_err());
/// assert_eq!(columns.finish()?.num_rows(), 2);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Columns<'s> {
    decoder: Decoder<'s>,
    /// The format whose messages the decoder reads.
    format: Format,
    root: NodeId,
    options: Options<'s>,
    /// Room for messages in other formats.
    table: Table<'static>,
    values: Values,
}

impl<'s> Columns<'s> {
    /// Columns for messages of the type `root` of [`Options::schema`], most of which are in a format.
    ///
    /// # Errors
    /// Those of [`Decoder::new`]; kind unsupported without a schema, and for a format that has no values of one.
    pub fn new(format: Format, root: NodeId, options: &Options<'s>, layout: &Layout<'_>) -> Result<Columns<'s>, Error> {
        let schema = typed::schema(format, options)?;
        typed::is_of_values(format, schema)?;
        let format = if has_rules(format) { format } else { Format::Ber };
        let decoder = Decoder::new(schema.types(), root, &typed::rules(format, options), layout)?;
        Ok(Columns { decoder, format, root, options: *options, table: Table::new(), values: Values::new() })
    }

    /// Reads a message in a format, which becomes a row.
    ///
    /// # Errors
    /// Those of the format's reader and of [`Decoder::push`]; kind schema for an instance of an XML Schema that is of another
    /// type. The columns are then as they were.
    pub fn push(&mut self, message: &[u8], format: Format) -> Result<(), Error> {
        if format == self.format {
            return self.decoder.push(message);
        }
        if format.has_json_values() {
            let document = typed::json_document(message, format, &self.options, &mut self.table)?;
            let pushed = self.decoder.push_document(&document);
            return pushed.map_err(|error| format.with_line(error, message));
        }
        let root = Some(self.root);
        let value = read_value(message, format, root, &self.options, &mut self.table, &mut self.values)?;
        self.decoder.push_value(value)
    }

    /// Adds a row of nulls, for a message that was refused.
    ///
    /// # Errors
    /// Kind limit if a column is full.
    pub fn push_null(&mut self) -> Result<(), Error> {
        self.decoder.push_null()
    }

    /// The number of rows since the last batch.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.decoder.rows()
    }

    /// The rows so far as a batch. The columns are then empty.
    ///
    /// # Errors
    /// Those of Arrow, which would be a defect of this crate.
    pub fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        self.decoder.finish()
    }
}

/// Writes rows as messages of a type of a schema.
///
/// ```
/// use lengthwise::{Columns, Format, Options, Rows, Schema, columns::Layout, tam::Limits};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let module = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN Reading ::= SEQUENCE { celsius INTEGER (-40..87) } END";
/// let schema = Schema::from_notation(&[("", module)], &Limits::default())?;
/// let options = Options::default().with_schema(&schema);
/// let mut columns = Columns::new(Format::Uper, schema.root()?, &options, &Layout::default())?;
/// columns.push(&[0x78], Format::Uper)?;
///
/// let batch = columns.finish()?;
/// let mut rows = Rows::new(Format::Json, schema.root()?, &options, batch.schema_ref())?;
/// let mut message = Vec::new();
/// rows.append(&batch, 0, &mut message)?;
/// assert_eq!(message, br#"{"celsius":20}"#);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Rows<'s> {
    encoder: Encoder<'s>,
    /// The format that the encoder writes, and that of the messages.
    written: Format,
    format: Format,
    has_open_types: bool,
    root: NodeId,
    options: Options<'s>,
    buffer: Vec<u8>,
}

impl<'s> Rows<'s> {
    /// Rows with some columns, which become messages of the type `root` of [`Options::schema`] in a format. The octets of open
    /// types in columns are by the rules that their fields name, or else by those of the format.
    ///
    /// # Errors
    /// Those of [`Encoder::new`] and [`Encoder::rules_of`]; kind unsupported without a schema, for a format that has no values of
    /// one, and for octets of open types of which neither the field nor the format says by which rules they are.
    pub fn new(
        format: Format,
        root: NodeId,
        options: &Options<'s>,
        columns: &arrow_schema::Schema,
    ) -> Result<Rows<'s>, Error> {
        let schema = typed::schema(format, options)?;
        typed::is_of_values(format, schema)?;
        let named = Encoder::rules_of(columns)?;
        let of_rules = |rules| Format::ALL.iter().copied().find(|of| has_rules(*of) && of.rules() == Some(rules));
        let written = match named {
            Some(rules) if format.rules() != Some(rules) => of_rules(rules).unwrap_or(Format::Ber),
            _ if has_rules(format) => format,
            _ => Format::Ber,
        };
        let encoder = Encoder::new(schema.types(), root, &typed::rules(written, options), columns)?;
        let has_open_types = encoder.has_open_types();
        if named.is_none() && !has_rules(format) && has_open_types {
            let expected = "a format by the rules of these octets: uper, ber, oer and so on";
            return Err(Error::new(ErrorKind::Unsupported, format.as_str(), 0, "octets of open types", expected));
        }
        Ok(Rows { encoder, written, format, has_open_types, root, options: *options, buffer: Vec::new() })
    }

    /// Appends a row as a message. On an error the buffer is unchanged.
    ///
    /// # Errors
    /// Those of [`Encoder::append`] and of the format's writer.
    pub fn append(&mut self, batch: &RecordBatch, row: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        if self.format == self.written {
            return self.encoder.append(batch, row, out).map(|_| ());
        }
        if !self.has_open_types {
            return append_value(self.encoder.value(batch, row)?, self.format, &self.options, out);
        }
        // Their types are known where a message is read.
        self.buffer.clear();
        self.encoder.append(batch, row, &mut self.buffer)?;
        let len = out.len();
        let written = typed::convert_of(Some(self.root), &self.buffer, self.written, self.format, &self.options, out);
        // Nobody has seen this encoding.
        written.map_err(|error| {
            out.truncate(len);
            error.met_in(self.format.as_str(), 0)
        })
    }
}

/// Whether messages are by encoding rules and a schema.
fn has_rules(format: Format) -> bool {
    format.rules().is_some() && format.needs_schema()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // How a test fails.
mod tests {
    use super::*;
    use crate::Schema;
    use tam::Limits;

    const MODULE: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        C ::= CLASS { &id INTEGER (0..255) UNIQUE, &T } WITH SYNTAX { &T BY &id }
        S C ::= { { INTEGER BY 1 } | { P BY 2 } | { NULL BY 3 }, ... }
        P ::= SEQUENCE { a INTEGER, b BOOLEAN }
        R ::= SEQUENCE { id C.&id ({S}), v C.&T ({S}{@id}), more SEQUENCE OF OCTET STRING }
     END";
    const FORMATS: [Format; 10] = {
        use Format::{Aper, Asn1, Ber, Cer, Der, Json, Oer, Pon, Uper, Xer};
        [Uper, Aper, Ber, Cer, Der, Oer, Json, Pon, Xer, Asn1]
    };

    fn named<'p>(paths: &'p [&'p str]) -> Layout<'p> {
        Layout { paths: Some(paths), ..Layout::default() }
    }

    fn converted(schema: &Schema, message: &[u8], from: Format, to: Format) -> Result<Vec<u8>, Error> {
        let (options, mut out) = (Options::default().with_schema(schema), Vec::new());
        typed::convert_of(Some(schema.root()?), message, from, to, &options, &mut out)?;
        Ok(out)
    }

    /// A message in each format through columns into each, with open types inside.
    #[test]
    fn open_types_are_octets_by_rules_that_the_columns_name() {
        let schema = Schema::from_notation(&[("", MODULE)], &Limits::default()).unwrap().with_root("R").unwrap();
        let (options, root) = (Options::default().with_schema(&schema), schema.root().unwrap());
        for text in [
            r#"{"id":1,"v":300,"more":["0A"]}"#,
            r#"{"id":2,"v":{"a":5,"b":true},"more":[]}"#,
            r#"{"id":3,"v":null,"more":[]}"#,
        ] {
            for from in FORMATS {
                let message = converted(&schema, text.as_bytes(), Format::Json, from).unwrap();
                let mut columns = Columns::new(from, root, &options, &Layout::default()).unwrap();
                columns.push(&message, from).unwrap();
                let batch = columns.finish().unwrap();
                for to in FORMATS {
                    let (mut rows, mut out) = (Rows::new(to, root, &options, batch.schema_ref()).unwrap(), Vec::new());
                    rows.append(&batch, 0, &mut out).unwrap();
                    let again = converted(&schema, &out, to, Format::Json).unwrap();
                    assert_eq!(str::from_utf8(&again), Ok(text), "{from} {to}");
                }
            }
        }
        // Octets of a type that is not known stay by their rules, or are refused.
        let mut columns = Columns::new(Format::Json, root, &options, &Layout::default()).unwrap();
        let refused = columns.push(br#"{"id":7,"v":{"per":"0A"},"more":[]}"#, Format::Json).unwrap_err();
        assert_eq!((refused.kind(), refused.path()), (ErrorKind::Unsupported, "/v"));
        columns.push(br#"{"id":7,"v":{"ber":"0201FF"},"more":[]}"#, Format::Json).unwrap();
        let batch = columns.finish().unwrap();
        let mut out = Vec::new();
        Rows::new(Format::Ber, root, &options, batch.schema_ref()).unwrap().append(&batch, 0, &mut out).unwrap();
        assert!(out.windows(3).any(|octets| octets == [2, 1, 255]));
        let refused = Rows::new(Format::Uper, root, &options, batch.schema_ref()).unwrap().append(&batch, 0, &mut out);
        assert_eq!(refused.unwrap_err().kind(), ErrorKind::Unsupported);
        // Columns from elsewhere do not say it: the format does, or nobody.
        let fields =
            batch.schema_ref().fields().iter().map(|field| field.as_ref().clone().with_metadata(Default::default()));
        let plain = arrow_schema::Schema::new(fields.collect::<Vec<_>>());
        assert!(Rows::new(Format::Ber, root, &options, &plain).is_ok());
        assert_eq!(Rows::new(Format::Json, root, &options, &plain).unwrap_err().kind(), ErrorKind::Unsupported);
    }

    /// Members that no column needs may be of any kind, absent or unknown; those of what was asked for as a whole may not.
    #[test]
    fn what_no_column_needs_costs_no_row() {
        let module = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN R ::= SEQUENCE { a INTEGER, b INTEGER, p P OPTIONAL,
            l SEQUENCE OF P OPTIONAL, c CHOICE { x INTEGER, y P } OPTIONAL } P ::= SEQUENCE { m INTEGER, n INTEGER } END";
        let schema = Schema::from_notation(&[("", module)], &Limits::default()).unwrap().with_root("R").unwrap();
        let (options, root) = (Options::default().with_schema(&schema), schema.root().unwrap());
        let refused = |message: &str, paths: &[&str]| {
            let mut columns = Columns::new(Format::Json, root, &options, &named(paths)).unwrap();
            let pushed = columns.push(message.as_bytes(), Format::Json);
            assert_eq!(columns.finish().unwrap().num_rows(), usize::from(pushed.is_ok()), "{message}");
            pushed.err().map(|error| error.path().to_owned())
        };
        for message in [
            r#"{"a":1}"#,
            r#"{"a":1,"b":"x","other":[{"a":2}]}"#,
            r#"{"a":1,"p":7}"#,
            r#"{"a":1,"p":{"m":1}}"#,
            r#"{"a":1,"l":[{"m":1,"n":{},"o":2},{"m":2}]}"#,
            r#"{"a":1,"c":{"x":"no number"}}"#,
            r#"{"a":1,"c":{"y":{"n":3}}}"#,
        ] {
            assert_eq!(refused(message, &["a"]), None, "{message}");
            let whole = refused(message, &["a", "b", "p", "l", "c"]);
            assert!(whole.is_some(), "{message}");
            let inner = refused(message, &["a", "l/m", "c/y/n"]);
            assert_eq!(inner, None, "{message}");
        }
        assert_eq!(refused(r#"{"b":1}"#, &["a"]).as_deref(), Some(""));
        assert_eq!(refused(r#"{"a":"x","b":1}"#, &["a"]).as_deref(), Some("/a"));
        assert_eq!(refused(r#"{"a":1,"a":2}"#, &["a"]).as_deref(), Some(""));
        assert_eq!(refused(r#"{"l":[{"m":1,"n":1,"o":2}]}"#, &["l"]).as_deref(), Some("/l/0"));
        assert_eq!(refused(r#"{"l":[{"m":true}]}"#, &["l/m"]).as_deref(), Some("/l/0/m"));
    }

    /// The schema that is inferred from a text of JSON.
    fn schema_of(text: &str) -> Schema {
        let options = Options::default().with_output_types(crate::Types::Value);
        let (mut table, mut inference) = (Table::new(), asn1::jer::Inference::default());
        inference.add(&crate::read(text.as_bytes(), Format::Json, &options, &mut table).unwrap()).unwrap();
        Schema::from_model(inference.schema(), &Limits::default()).unwrap()
    }

    /// Columns of a schema inferred from a text, and what becomes of others.
    fn inferred(text: &str, others: &[&str]) -> (RecordBatch, Vec<Error>) {
        let schema = schema_of(text);
        let options = Options::default().with_schema(&schema);
        let mut columns = Columns::new(Format::Json, schema.root().unwrap(), &options, &Layout::default()).unwrap();
        columns.push(text.as_bytes(), Format::Json).unwrap();
        let refused = others.iter().filter_map(|other| columns.push(other.as_bytes(), Format::Json).err()).collect();
        (columns.finish().unwrap(), refused)
    }

    /// In lists of a type that was inferred `null` is a null; in those of a module it is refused, where it is.
    #[test]
    fn lists_may_have_nulls() {
        use arrow_array::cast::AsArray;
        let text = r#"{"n":[1,2.5,null],"s":[null,"x"],"o":[{"a":1},null,{"l":[[true],null,[null]]}],"e":[null]}"#;
        let (batch, _) = inferred(text, &[]);
        let items = |name: &str| batch.column_by_name(name).unwrap().as_list::<i32>().values().clone();
        let nulls = |array: &dyn arrow_array::Array| (0..array.len()).map(|at| array.is_null(at)).collect::<Vec<_>>();
        assert_eq!(nulls(&items("n")), [false, false, true]);
        assert_eq!(nulls(&items("s")), [true, false]);
        assert_eq!(nulls(&items("o")), [false, true, false]);
        assert_eq!(nulls(&items("e")), [true]);
        let inner = items("o").as_struct().column_by_name("l").unwrap().clone();
        assert_eq!(nulls(&inner), [true, true, false]);
        assert_eq!(nulls(&inner.as_list::<i32>().values()), [false, true, false]);
        assert_eq!(nulls(&inner.as_list::<i32>().values().as_list::<i32>().values()), [false, true]);

        let module = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN R ::= SEQUENCE { t SEQUENCE OF REAL } END";
        let schema = Schema::from_notation(&[("", module)], &Limits::default()).unwrap();
        let options = Options::default().with_schema(&schema);
        let mut columns = Columns::new(Format::Json, schema.root().unwrap(), &options, &Layout::default()).unwrap();
        let error = columns.push(br#"{"t":[1,2.5,null]}"#, Format::Json).unwrap_err();
        assert_eq!((error.path(), error.offset(), error.position()), ("/t/2", 12, Some((1, 13))));
    }

    /// Expected values by the arithmetic of IEEE 754: 2^53 + 1 is the first whole number without a double.
    #[test]
    fn whole_numbers_that_a_double_would_round_are_refused() {
        let equal = ["9007199254740992", "9007199254740994", "-9223372036854775808", "18446744073709551616"];
        let (batch, refused) = inferred(
            r#"{"a":0.5}"#,
            &equal.map(|number| format!(r#"{{"a":{number}}}"#)).each_ref().map(|text| &text[..]),
        );
        assert_eq!((batch.num_rows(), refused.len()), (5, 0));
        let floats = [r#"{"a":9007199254740993.0}"#, r#"{"a":9007199254740993e0}"#, r#"{"a":0.1}"#];
        assert_eq!(inferred(r#"{"a":0.5}"#, &floats).0.num_rows(), 4);
        let others = [r#"{"a":9007199254740993}"#, r#"{"a":-9007199254740993}"#, r#"{"a":18446744073709551615}"#];
        let (batch, refused) = inferred(r#"{"a":0.5}"#, &others);
        assert_eq!((batch.num_rows(), refused.len()), (1, 3));
        for error in refused {
            assert_eq!((error.kind(), error.path(), error.offset()), (ErrorKind::Unsupported, "/a", 5));
        }
    }

    #[test]
    fn what_is_too_deep_does_not_contain_itself() {
        let text = format!("{}1{}", r#"{"a":"#.repeat(70), "}".repeat(70));
        let schema = schema_of(&text);
        let options = Options::default().with_schema(&schema);
        let error = Columns::new(Format::Json, schema.root().unwrap(), &options, &Layout::default()).unwrap_err();
        assert_eq!(error.found().to_string(), "columns in more than 64 levels");
    }

    /// Names that have a meaning in paths, and none, as columns and back.
    #[test]
    fn every_name_is_a_column() {
        let text = r#"{"":1,"a":{"":2,"b/c":[{"~1":3},{"~1":4}]},"/a/":5,"~":6}"#;
        let schema = schema_of(text);
        let (options, root) = (Options::default().with_schema(&schema), schema.root().unwrap());
        let written = |paths: Option<&[&str]>| {
            let mut columns = Columns::new(Format::Json, root, &options, &Layout { paths, ..Layout::default() })?;
            columns.push(text.as_bytes(), Format::Json)?;
            let batch = columns.finish().unwrap();
            let mut out = Vec::new();
            Rows::new(Format::Json, root, &options, batch.schema_ref())?.append(&batch, 0, &mut out)?;
            Ok::<_, Error>(String::from_utf8(out).unwrap())
        };
        assert_eq!(written(None).unwrap(), text);
        for (path, expected) in [
            ("", r#"{"":1}"#),
            ("/", r#"{"":1}"#),
            ("a/", r#"{"a":{"":2}}"#),
            ("/a/b~1c/~01", r#"{"a":{"b/c":[{"~1":3},{"~1":4}]}}"#),
            ("~1a~1", r#"{"/a/":5}"#),
            ("~0", r#"{"~":6}"#),
        ] {
            assert_eq!(written(Some(&[path])).unwrap(), expected, "{path}");
        }
        for path in ["b", "a/b", "//", "a//"] {
            assert_eq!(written(Some(&[path])).unwrap_err().kind(), ErrorKind::Schema, "{path}");
        }
    }
}
