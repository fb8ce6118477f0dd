//! Messages of a schema as columns, and rows as messages, through Arrow's C Data Interface.

use core::ffi::c_char;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::{Array, RecordBatch, StructArray};
use lengthwise::columns::Layout;
use lengthwise::{Columns, Error, ErrorKind, Format, Options, Rows, Schema, columns};

use crate::code::LW_OK;
use crate::full::convert::format;
use crate::full::error::{ErrorOut, fill_error, outcome};
use crate::full::handle;
use crate::full::options::{self, OptionsIn};
use crate::full::schema::{SchemaHandle, bytes, items, word};

/// Columns that messages are read into. Opaque. Only one thread at a time may use them.
#[derive(Debug)]
pub struct ColumnsHandle {
    // Before the schema, whose types it borrows.
    columns: Columns<'static>,
    format: Format,
    _schema: Arc<Schema>,
}

/// Rows that are written as messages. Opaque. Only one thread at a time may use them.
#[derive(Debug)]
pub struct RowsHandle {
    // Before the schema, whose types it borrows.
    rows: Rows<'static>,
    _schema: Arc<Schema>,
    batch: RecordBatch,
    next: usize,
    /// The last message.
    message: Vec<u8>,
}

/// Options with a schema, which are used for as long as the schema is kept.
unsafe fn options(schema: &Arc<Schema>, options: *const OptionsIn) -> Result<Options<'static>, Error> {
    let options = unsafe { options::options(options) }?;
    Ok(options.with_schema(unsafe { &*Arc::as_ptr(schema) }))
}

#[cold]
fn arrow(error: impl ToString) -> Error {
    Error::new(ErrorKind::Schema, "columns", 0, error.to_string(), "")
}

/// Opens columns for the messages of a schema in a format: "uper", "aper", "ber", "der", "cer", "oer", "coer", "xer", "asn1",
/// "json", "pon" or "tsf", or "xml" if the schema is of XML. `paths` are `count` paths of the columns to build, such as "id" and
/// "place/latitude"; with a count of 0 all are built. `schema` must not be NULL. The limits in `options` apply to each message, and its setting
/// "times" is "exact" (dates and times are texts; the default), "utc" or "local" (timestamps of Arrow); NULL means the defaults. The
/// schema may be released before the columns.
///
/// Returns the columns, for lengthwise_columns_free; or NULL, and fills `*error`, which may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_columns_open(
    schema: *const SchemaHandle,
    format: *const c_char,
    paths: *const *const c_char,
    count: usize,
    options: *const OptionsIn,
    error: *mut ErrorOut,
) -> *mut ColumnsHandle {
    let open = || {
        let schema = Arc::clone(&unsafe { &*schema }.0);
        let (format, (options, times)) = unsafe { (self::format(format)?, options::of_columns(options)?) };
        let options = options.with_schema(unsafe { &*Arc::as_ptr(&schema) });
        let paths = unsafe { items(paths, count) }.iter().map(|path| Ok(unsafe { word(*path) }?.unwrap_or("")));
        let paths = paths.collect::<Result<Vec<&str>, Error>>()?;
        let layout = Layout { paths: (count > 0).then_some(&paths[..]), times, ..Layout::default() };
        let columns = Columns::new(format, schema.root()?, &options, &layout)?;
        Ok(ColumnsHandle { columns, format, _schema: schema })
    };
    unsafe { handle::give(open(), error) }
}

/// Reads a message of `len` bytes, which becomes a row.
///
/// Returns LW_OK; otherwise a code, fills `*error`, which may be NULL, and adds no row.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_columns_push(
    columns: &mut ColumnsHandle,
    message: *const c_char,
    len: usize,
    error: *mut ErrorOut,
) -> i32 {
    unsafe { outcome(columns.columns.push(bytes(message, len), columns.format), error) }
}

/// Adds a row of nulls, in the place of a message that was refused.
///
/// Returns LW_OK; otherwise a code, and fills `*error`, which may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_columns_push_null(columns: &mut ColumnsHandle, error: *mut ErrorOut) -> i32 {
    unsafe { outcome(columns.columns.push_null(), error) }
}

/// The number of rows since the last lengthwise_columns_finish.
#[unsafe(no_mangle)]
pub extern "C" fn lengthwise_columns_rows(columns: &ColumnsHandle) -> usize {
    columns.columns.rows()
}

/// Hands over the rows as an array of structs with a field for each column, and its schema. Both belong to the caller, who
/// calls their `release`; this may be after lengthwise_columns_free. `schema` may be NULL: it is the same every time. The
/// columns are then empty, and take more messages.
///
/// Returns LW_OK; otherwise a code, and fills `*error`, which may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_columns_finish(
    columns: &mut ColumnsHandle,
    array: *mut FFI_ArrowArray,
    schema: *mut FFI_ArrowSchema,
    error: *mut ErrorOut,
) -> i32 {
    let batch = columns.columns.finish();
    match batch.and_then(|batch| to_ffi(&StructArray::from(batch).to_data())) {
        Ok((rows, described)) => {
            unsafe { array.write(rows) };
            if !schema.is_null() {
                unsafe { schema.write(described) };
            }
            LW_OK
        }
        Err(fault) => unsafe { fill_error(&arrow(fault), error) },
    }
}

/// Releases columns, with rows that were not handed over. NULL is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_columns_free(columns: *mut ColumnsHandle) {
    unsafe { handle::release(columns) };
}

/// Opens rows to write as messages of a schema in a format, which is one of those of lengthwise_columns_open. The rows are an
/// array of structs, as lengthwise_columns_finish gives it; the names of its fields are the components of the type. Both
/// `*array` and `*described` are taken over and released, whatever is returned. The schema may be released before the rows.
///
/// Returns the rows, for lengthwise_rows_free; or NULL, and fills `*error`, which may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_rows_open(
    schema: *const SchemaHandle,
    format: *const c_char,
    array: *mut FFI_ArrowArray,
    described: *mut FFI_ArrowSchema,
    options: *const OptionsIn,
    error: *mut ErrorOut,
) -> *mut RowsHandle {
    let (array, described) = unsafe { (FFI_ArrowArray::from_raw(array), FFI_ArrowSchema::from_raw(described)) };
    let open = || {
        let schema = Arc::clone(&unsafe { &*schema }.0);
        let (format, options) = unsafe { (self::format(format)?, self::options(&schema, options)?) };
        let data = unsafe { from_ffi(array, &described) }.map_err(arrow)?;
        let batch = columns::rows(data)?;
        let rows = Rows::new(format, schema.root()?, &options, batch.schema_ref())?;
        Ok(RowsHandle { rows, _schema: schema, batch, next: 0, message: Vec::new() })
    };
    unsafe { handle::give(open(), error) }
}

/// Writes the next row as a message: `*len` bytes at `*message`, which belong to the rows, until the next call. A row that is
/// refused is passed over.
///
/// Returns 1, or 0 after the last row; otherwise a code, and fills `*error`, which may be NULL. Its path starts with the
/// number of the row, from 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_rows_next(
    rows: &mut RowsHandle,
    message: &mut *const c_char,
    len: &mut usize,
    error: *mut ErrorOut,
) -> i32 {
    let row = rows.next;
    if row >= rows.batch.num_rows() {
        return 0;
    }
    rows.next += 1;
    rows.message.clear();
    match rows.rows.append(&rows.batch, row, &mut rows.message) {
        Ok(()) => {
            (*message, *len) = (rows.message.as_ptr().cast(), rows.message.len());
            1
        }
        Err(fault) => {
            let path = format!("/{row}{}", fault.path());
            unsafe { fill_error(&fault.in_path(path), error) }
        }
    }
}

/// Releases rows. NULL is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_rows_free(rows: *mut RowsHandle) {
    unsafe { handle::release(rows) };
}
