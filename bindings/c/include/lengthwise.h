/* Lengthwise for C. Made by cbindgen from bindings/c/src; `make header` makes it again.
 *
 * TSF and PON for devices: no heap, no variables, and a stack that no message changes (LW_STACK_BYTES). All state is in
 * structs of the caller, so any number of threads can work at once, each with its own. Messages may be hostile; pointers
 * from the caller must be valid. Functions return a count or LW_OK, or a code below zero: LW_SYNTAX and so on.
 */

#ifndef LENGTHWISE_H
#define LENGTHWISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * All is well.
 */
#define LW_OK 0

/**
 * The bytes are not what they should be.
 */
#define LW_SYNTAX -1

/**
 * The message goes on where the bytes end: more of them may make it whole.
 */
#define LW_INCOMPLETE -2

/**
 * A number does not fit, or the rows or the buffer do not suffice.
 */
#define LW_LIMIT -3

/**
 * Sound, but not of the type asked for.
 */
#define LW_SCHEMA -4

/**
 * Sound, but nothing this function can do.
 */
#define LW_UNSUPPORTED -5

/**
 * Reading or writing a file failed.
 */
#define LW_IO -6

/**
 * The end of an object's fields.
 */
#define LW_END 0

/**
 * `int32_t`: an integer.
 */
#define LW_I32 1

/**
 * `uint32_t`: an integer.
 */
#define LW_U32 2

/**
 * An object: its fields follow, and then LW_END. They are fields of the same struct.
 */
#define LW_OBJECT_OF 3

/**
 * `struct lw_text`: a string.
 */
#define LW_TEXT 4

/**
 * `struct lw_text`: binary data.
 */
#define LW_BYTES 5

/**
 * `bool` of one byte: 1 or 0.
 */
#define LW_BOOL 6

/**
 * `int16_t`: an integer.
 */
#define LW_I16 7

/**
 * `uint16_t`: an integer.
 */
#define LW_U16 8

/**
 * In the kind of a field: its details follow it.
 */
#define LW_CODED 128

/**
 * `int32_t`: a decimal number times 10.
 */
#define LW_FIXED1 (LW_CODED | 9)

/**
 * `int32_t`: a decimal number times 100.
 */
#define LW_FIXED2 (LW_CODED | 10)

/**
 * `int32_t`: a decimal number times 1000.
 */
#define LW_FIXED3 (LW_CODED | 11)

/**
 * `int32_t`: a decimal number times 10 000.
 */
#define LW_FIXED4 (LW_CODED | 12)

/**
 * `int32_t`: a decimal number times 10 to the 5.
 */
#define LW_FIXED5 (LW_CODED | 13)

/**
 * `int32_t`: a decimal number times 10 to the 6.
 */
#define LW_FIXED6 (LW_CODED | 14)

/**
 * `int32_t`: a decimal number times 10 to the 7.
 */
#define LW_FIXED7 (LW_CODED | 15)

/**
 * `int32_t`: a decimal number times 10 to the 8.
 */
#define LW_FIXED8 (LW_CODED | 16)

/**
 * `int32_t`: a decimal number times 10 to the 9.
 */
#define LW_FIXED9 (LW_CODED | 17)

/**
 * `int64_t`: an integer.
 */
#define LW_I64 (LW_CODED | 18)

/**
 * `uint64_t`: an integer.
 */
#define LW_U64 (LW_CODED | 19)

/**
 * Items of an array that are structs: see LW_OBJECTS.
 */
#define LW_STRUCT (LW_CODED | 20)

/**
 * The first detail of a field: its name is the codec.
 */
#define LW_DETAIL 254

/**
 * A further detail of the same codec.
 */
#define LW_DETAIL_MORE 255

#if defined(LENGTHWISE_FULL)
/**
 * An optional member that is not there.
 */
#define LENGTHWISE_ABSENT 0
#endif

#if defined(LENGTHWISE_FULL)
/**
 * `xsi:nil` stands in its place.
 */
#define LENGTHWISE_NIL 1
#endif

#if defined(LENGTHWISE_FULL)
/**
 * A `bool` of one byte.
 */
#define LENGTHWISE_BOOLEAN 2
#endif

#if defined(LENGTHWISE_FULL)
/**
 * An `int8_t`.
 */
#define LENGTHWISE_BYTE 3
#endif

#if defined(LENGTHWISE_FULL)
/**
 * An `int16_t`.
 */
#define LENGTHWISE_SHORT 4
#endif

#if defined(LENGTHWISE_FULL)
/**
 * An `int32_t`.
 */
#define LENGTHWISE_INT 5
#endif

#if defined(LENGTHWISE_FULL)
/**
 * An `int64_t`.
 */
#define LENGTHWISE_LONG 6
#endif

#if defined(LENGTHWISE_FULL)
/**
 * A `uint8_t`.
 */
#define LENGTHWISE_UNSIGNED_BYTE 7
#endif

#if defined(LENGTHWISE_FULL)
/**
 * A `uint16_t`.
 */
#define LENGTHWISE_UNSIGNED_SHORT 8
#endif

#if defined(LENGTHWISE_FULL)
/**
 * A `uint32_t`.
 */
#define LENGTHWISE_UNSIGNED_INT 9
#endif

#if defined(LENGTHWISE_FULL)
/**
 * A `uint64_t`.
 */
#define LENGTHWISE_UNSIGNED_LONG 10
#endif

#if defined(LENGTHWISE_FULL)
/**
 * A `float`.
 */
#define LENGTHWISE_FLOAT 11
#endif

#if defined(LENGTHWISE_FULL)
/**
 * A `double`.
 */
#define LENGTHWISE_DOUBLE 12
#endif

#if defined(LENGTHWISE_FULL)
/**
 * Text in UTF-8, without a zero behind it.
 */
#define LENGTHWISE_TEXT 13
#endif

#if defined(LENGTHWISE_FULL)
/**
 * Octets.
 */
#define LENGTHWISE_BINARY 14
#endif

#if defined(LENGTHWISE_FULL)
/**
 * A compound of members; as an array, one whose members can be asked for as arrays.
 */
#define LENGTHWISE_RECORD 15
#endif

#if defined(LENGTHWISE_FULL)
/**
 * Of an array: items that are asked for one by one.
 */
#define LENGTHWISE_VALUES 16
#endif

/**
 * In the tag of a row: the unit holds units.
 */
#define LW_ROW_STRUCTURED (1 << 8)

/**
 * In the tag of a row: the name may have escapes (a `\` before characters); in TSF a `"` stands before it.
 */
#define LW_ROW_EXTENDED (1 << 9)

/**
 * How far the length of the name is shifted in the tag of a row.
 */
#define LW_ROW_NAME_SHIFT 10

/**
 * In the kind of a row of 8 bytes: the unit holds units.
 */
#define LW_ROW8_STRUCTURED 128

/**
 * In the name's length of a row of 8 bytes: the name may have escapes; in TSF a `"` stands before it.
 */
#define LW_ROW8_EXTENDED 128

/**
 * The class of a type of data.
 */
#define LW_DATA 1

/**
 * The class of a type of units.
 */
#define LW_UNITS 2

/**
 * Reads and writes fields of a kind that not every program has. Opaque: tables of fields point to it.
 *
 * A field is in the struct at `base`, and `detail` is the first of its details that is for the codec. An item of an array
 * is a field as well, whose name is empty.
 */
struct lw_codec;

#if defined(LENGTHWISE_FULL)
/**
 * A document. Opaque.
 */
struct lengthwise_document;
#endif

#if defined(LENGTHWISE_FULL)
/**
 * A schema. Opaque.
 */
struct lengthwise_schema;
#endif

#if defined(LENGTHWISE_FULL)
/**
 * A stream of messages of a service, and the last one of them. Opaque. One thread at a time may use it.
 */
struct lengthwise_session;
#endif

/**
 * A field of a struct. LW_FIELD makes one:
 *
 * ```c
 * static const struct lw_field fields[] = {
 *     LW_FIELD(LW_TEXT, struct reading, sensor, "sensor"),
 *     LW_OBJECT("r"),
 *     LW_FIELD(LW_I32, struct reading, r.t, "t"),
 *     LW_OBJECT_END,
 *     LW_FIELDS_END,
 * };
 * ```
 *
 * The order should be that of the messages: a field is looked for where the last one ended. It need not
 * be, and members that no field is for are passed over. Names are of letters, digits (not first) and what
 * needs no escapes: no types of TSF, no `"`, `:` or `\`.
 */
struct lw_field {
  /**
   * The name, and behind it two characters: what the types of the field are in TSF (the set `value`) and in PON. Four
   * bytes can be read at the least, with the zero behind them.
   */
  const char *name;
  /**
   * Where the field is in the struct, in bytes.
   */
  uint16_t offset;
  /**
   * Bytes of the name.
   */
  uint8_t name_len;
  /**
   * What the field is: LW_TEXT and so on.
   */
  uint8_t kind;
};

#if defined(LENGTHWISE_FULL)
/**
 * How messages are read and written. `lengthwise_options_init` fills it with the defaults, and then fields are changed.
 * Later versions of the library add fields at the end.
 */
struct lengthwise_options {
  /**
   * Bytes of the struct as the program knows it, which `lengthwise_options_init` sets.
   */
  size_t size;
  /**
   * Reading TSF: the type set, "xml", "json" or "value". NULL, the default: the message says it.
   */
  const char *input_types;
  /**
   * Writing TSF: the type set. NULL, the default: that of the document.
   */
  const char *output_types;
  /**
   * Reading TSF: what lengths count, "bytes" (the default) or "chars".
   */
  const char *input_lengths;
  /**
   * Writing TSF: what lengths count, "bytes" (the default) or "chars".
   */
  const char *output_lengths;
  /**
   * Levels of nesting. Default 1000.
   */
  uint32_t depth;
  /**
   * Lexical units of one document. Default 2^28.
   */
  uint32_t units;
  /**
   * Bytes of one message. Default 1 GiB.
   */
  uint32_t message_bytes;
  /**
   * Bytes that the entities of one XML document may add up to. Default 8 MiB.
   */
  uint32_t entity_expansion;
  /**
   * Bytes that compressed or repeated text may come to. Default 1 GiB.
   */
  uint32_t decompressed_bytes;
  /**
   * Bytes of expanded text for each byte of the message, beyond `expansion_threshold`. Default 100.
   */
  uint32_t expansion_ratio;
  /**
   * Bytes of expanded text that any message may have, whatever its ratio. Default 8 MiB.
   */
  uint32_t expansion_threshold;
};
#endif

#if defined(LENGTHWISE_FULL)
/**
 * Where results are put: memory of the caller's.
 */
struct lengthwise_allocator {
  /**
   * Gives memory of so many bytes, or NULL. It gets `context`.
   */
  void *(*allocate)(void *context, size_t bytes);
  /**
   * Handed to `allocate`.
   */
  void *context;
};
#endif

#if defined(LENGTHWISE_FULL)
/**
 * What went wrong, and where. All texts end with a zero, and are cut where they are longer.
 */
struct lengthwise_error {
  /**
   * LW_SYNTAX and so on.
   */
  int32_t code;
  /**
   * Where, in bytes from the start of the message.
   */
  uint64_t offset;
  /**
   * In text: the line, from 1; otherwise 0.
   */
  uint64_t line;
  /**
   * In text: the column in characters, from 1; otherwise 0.
   */
  uint64_t column;
  /**
   * The path of the node that failed; empty where there is none.
   */
  char path[128];
  /**
   * All of it in a sentence.
   */
  char message[256];
};
#endif

#if defined(LENGTHWISE_FULL)
/**
 * Memory of the caller's. Both functions may be called by several threads at once, where several use the library.
 */
struct lengthwise_memory {
  /**
   * Gives so many bytes whose address is a multiple of `alignment` (a power of two), or NULL.
   */
  void *(*allocate)(void *context, size_t bytes, size_t alignment);
  /**
   * Takes back what `allocate` gave for the same numbers.
   */
  void (*free)(void *context, void *place, size_t bytes, size_t alignment);
  /**
   * Handed to both.
   */
  void *context;
};
#endif

#if defined(LENGTHWISE_FULL)
/**
 * A value of the message that was read last. What it points to is the session's, until the next message.
 */
struct lengthwise_value {
  /**
   * LENGTHWISE_INT and so on: what the value is, or each of an array.
   */
  int32_t kind;
  /**
   * Whether it is an array.
   */
  bool is_array;
  /**
   * The number, or the first of an array of numbers, which lie side by side; the bytes of a text or of binary data.
   * NULL of anything else: its members and items are asked for.
   */
  const void *data;
  /**
   * Items of an array, bytes of a text or of binary data, members of a compound, or 1.
   */
  size_t count;
};
#endif

#if defined(LENGTHWISE_FULL)
/**
 * What differencing was worth so far.
 */
struct lengthwise_stats {
  /**
   * Messages read.
   */
  uint64_t messages;
  /**
   * Those of them that were read whole.
   */
  uint64_t regular;
  /**
   * Messages that were refused.
   */
  uint64_t errors;
  /**
   * Bytes of all messages.
   */
  uint64_t bytes;
  /**
   * Bytes that were not read because they stood in the message before.
   */
  uint64_t bytes_skipped;
  /**
   * Bytes of memory kept for the next message.
   */
  uint64_t memory;
};
#endif

/**
 * A piece of a message: what `struct iovec` says.
 */
struct lw_piece {
  /**
   * Where it lies.
   */
  const void *data;
  /**
   * Bytes.
   */
  size_t len;
};

/**
 * A list of pieces, in memory of the caller's.
 */
struct lw_gather {
  /**
   * The pieces: two for each payload, and one.
   */
  struct lw_piece *pieces;
  /**
   * How many there is room for.
   */
  uint32_t capacity;
  /**
   * How many there are, and those that had no room.
   */
  uint32_t count;
  /**
   * Bytes of the buffer that are in pieces already.
   */
  uint32_t taken;
};

/**
 * A message that is being written. What has no room is counted and not written: with a capacity of 0 it
 * is a count alone.
 */
struct lw_out {
  /**
   * The caller's buffer. TSF fills it from its start, PON from its end.
   */
  char *buffer;
  /**
   * Bytes of it.
   */
  uint32_t capacity;
  /**
   * Bytes written, and those that had no room; payloads that lie elsewhere are not among them.
   */
  uint32_t len;
  /**
   * Bytes of payloads that lie elsewhere.
   */
  uint32_t elsewhere;
};

/**
 * A name that is looked for, and what the readers return for it: LW_WANTED("t", 2).
 *
 * Names are of letters, digits (not first) and what needs no escapes: no types of TSF, no `"`, `:` or `\`.
 */
struct lw_name {
  /**
   * The name.
   */
  const char *name;
  /**
   * Bytes of it.
   */
  uint16_t len;
  /**
   * What `lw_tsf_next` and `lw_pon_next` return for it: 2 or more, or 1 as for any other name.
   */
  int16_t code;
};

/**
 * A cursor over the values of a message of PON, of an object or of an array, and the value it is at.
 * `lw_pon_enter` makes a cursor over what is in the value.
 */
struct lw_pon {
  /**
   * The next value, or its key; after an error, the one at fault.
   */
  const char *at;
  /**
   * The end of the values.
   */
  const char *end;
  /**
   * The first of the values.
   */
  const char *start;
  /**
   * The type character: s i d y c b t f u [ {.
   */
  char kind;
  /**
   * What the cursor is in: `{`, `[`, or 0 for the message.
   */
  char inside;
  /**
   * Whether a `\` may stand before characters of the key.
   */
  bool escaped;
  /**
   * Keys that are looked for (`lw_pon_names`).
   */
  const struct lw_name *names;
  /**
   * The one that the next member likely has.
   */
  const struct lw_name *due;
  /**
   * The key, as it is written; of an item, nothing.
   */
  const char *key;
  /**
   * The data. A boolean's is its type, null has none.
   */
  const char *value;
  /**
   * Bytes of data.
   */
  uint32_t len;
  /**
   * Bytes of the key.
   */
  uint32_t key_len;
};

/**
 * A reader of a message in several buffers.
 */
struct lw_pon_parts {
  /**
   * The value, as a cursor has it: but of its data, only `here` bytes are at `value`. Names are not looked for.
   */
  struct lw_pon unit;
  /**
   * Bytes of the value's data that are here.
   */
  uint32_t here;
  /**
   * Bytes of the value's data that are still to come.
   */
  uint32_t pending;
  /**
   * Of each container that is open the bytes that are left in it; its highest bit says that it is an object.
   */
  uint32_t *open;
  /**
   * How many may be open.
   */
  uint32_t capacity;
  /**
   * How many are open.
   */
  uint32_t depth;
  /**
   * Whether the outermost value has begun.
   */
  bool begun;
};

/**
 * A unit as a row of 16 bytes: the row of the crate `tam`, but that extended names of TSF are without their `"`, as the cursor
 * tells them. The units in a unit are rows side by side.
 */
struct lw_row {
  /**
   * In the lowest eight bits the type character; above, see `LW_ROW_STRUCTURED`, `LW_ROW_EXTENDED` and
   * `LW_ROW_NAME_LEN`.
   */
  uint32_t tag;
  /**
   * Where the name begins, in bytes from the start of the message.
   */
  uint32_t name;
  /**
   * Where the data begins, in bytes from the start of the message; of a unit of units, its first row.
   */
  uint32_t value;
  /**
   * Bytes of data, or the count of units.
   */
  uint32_t len;
};

/**
 * A unit as a row of 8 bytes, for messages below 64 KiB and names below 128 bytes.
 */
struct lw_row8 {
  /**
   * Where the name begins, in bytes from the start of the message.
   */
  uint16_t name;
  /**
   * Where the data begins, in bytes from the start of the message; of a unit of units, its first row.
   */
  uint16_t value;
  /**
   * Bytes of data, or the count of units.
   */
  uint16_t len;
  /**
   * Bytes of the name; the highest bit says that it may have escapes.
   */
  uint8_t name_len;
  /**
   * The type character; a unit of units has its highest bit set.
   */
  uint8_t kind;
};

/**
 * Which characters are types of TSF: for each of ASCII 0 a character of a name, LW_DATA a type of data,
 * LW_UNITS a type of units. A set of one's own begins as zeros, and `lw_types_add` puts types into it.
 */
struct lw_types {
  /**
   * The classes of all characters, two bits for each: those of character c are in byte c % 32, the lower one is bit
   * c / 32 * 2.
   */
  uint8_t classes[32];
};

/**
 * A cursor over a message of TSF, and the unit it is at. 44 bytes on a processor of 32 bits.
 */
struct lw_tsf {
  /**
   * The next unit; after an error, the unit at fault.
   */
  const char *at;
  /**
   * The end of the bytes.
   */
  const char *end;
  /**
   * The type set.
   */
  const struct lw_types *types;
  /**
   * The type character.
   */
  char kind;
  /**
   * What the unit holds: LW_DATA or LW_UNITS.
   */
  uint8_t holds;
  /**
   * Names that are looked for (`lw_tsf_names`).
   */
  const struct lw_name *names;
  /**
   * The one that the next unit likely has.
   */
  const struct lw_name *due;
  /**
   * The unit's name; extended ones without their `"`, but with their escapes. LW_TSF_EXTENDED says which it is.
   */
  const char *name;
  /**
   * Its data; of a unit of units, the first of these.
   */
  const char *value;
  /**
   * Bytes of data, or the count of units.
   */
  uint32_t len;
  /**
   * Bytes of the name.
   */
  uint32_t name_len;
  /**
   * Units still owed: 0 after the last one of the message.
   */
  uint32_t owed;
};

/**
 * A reader of a message in several buffers.
 */
struct lw_tsf_parts {
  /**
   * The unit, as a cursor has it: but of its data, only `here` bytes are at `value`.
   */
  struct lw_tsf unit;
  /**
   * Bytes of the unit's data that are here.
   */
  uint32_t here;
  /**
   * Bytes of the unit's data that are still to come.
   */
  uint32_t pending;
  /**
   * Units still owed.
   */
  uint32_t owed;
};

/**
 * Text or bytes where they stand in a message, or are to be written from.
 */
struct lw_text {
  /**
   * The first byte.
   */
  const char *data;
  /**
   * Bytes.
   */
  uint32_t len;
};

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * LW_FIXED1 to LW_FIXED9.
 */
extern const struct lw_codec lw_codec_fixed;

/**
 * LW_I64 and LW_U64.
 */
extern const struct lw_codec lw_codec_64;

/**
 * LW_OPTIONAL: the offset of the detail is that of the mask, its number is the bit.
 */
extern const struct lw_codec lw_codec_optional;

/**
 * LW_ARRAY and LW_OBJECTS: two details. Their offsets are that of the count and the bytes of an item, their numbers the low
 * and the high byte of the capacity. The second one points to the fields of objects.
 */
extern const struct lw_codec lw_codec_array;

/**
 * Typed values: `{` object, `[` array; `'` string, `#` integer, `%` float, `?` boolean, `~` null,
 * `*` binary, `^` character, `` ` `` byte.
 */
extern const struct lw_types lw_types_value;

/**
 * JSON as its tokens: `{` object, `[` array, `'` any scalar.
 */
extern const struct lw_types lw_types_json;

/**
 * XML: `<` element, `=` list of attributes, `@` array; `[` text or attribute, `]` CDATA, `!` DOCTYPE,
 * `?` instruction, `+` comment.
 */
extern const struct lw_types lw_types_xml;

/**
 * Whether `len` bytes are UTF-8: 1 or 0.
 *
 * The readers for devices do not look at text; who wants to know asks.
 */
int32_t lw_is_utf8(const char *text, uint32_t len);

/**
 * The words for what a function returned: "syntax", "incomplete" and so on, "ok" for what is no error.
 */
const char *lengthwise_strerror(int32_t code);

/**
 * Looks whether fields are fit for use: 0, or the place of the first that is not, from 1. Names must need no
 * escapes in either format, objects must end, and not be more than six deep. For a debug build, or a test.
 */
uint32_t lw_check_fields(const struct lw_field *fields);

#if defined(LENGTHWISE_FULL)
/**
 * Converts a message of `len` bytes from one format to another. The formats are named as by the command:
 * "xml", "json", "tsf", "pon", "infoset-uper", "infoset-aper", "infoset-ber", "uper", "aper", "ber", "asn1", "tdxml". The
 * ones that need a schema get it in `schema`, which otherwise may be NULL. `options` may be NULL for the defaults.
 *
 * The result is put into memory that `allocator` gives, which is the caller's then. Without one (NULL) the memory is
 * the library's, for lengthwise_free.
 *
 * Returns LW_OK; otherwise a code, with `*error` filled (it may be NULL), and `*out` and `*out_len` as they were.
 */
int32_t lengthwise_convert(const char *message,
                           size_t len,
                           const char *from,
                           const char *to,
                           const struct lengthwise_schema *schema,
                           const struct lengthwise_options *options,
                           const struct lengthwise_allocator *allocator,
                           char **out,
                           size_t *out_len,
                           struct lengthwise_error *error);
#endif

#if defined(LENGTHWISE_FULL)
/**
 * Gives back what lengthwise_convert put into memory of the library's.
 */
void lengthwise_free(char *out, size_t len);
#endif

#if defined(LENGTHWISE_FULL)
/**
 * Reads a message of a format (one that needs no schema) into a document of its own memory. `options` may be NULL for
 * the defaults.
 *
 * Returns the document, for lengthwise_document_free; NULL with `*error` filled, which may be NULL.
 */
struct lengthwise_document *lengthwise_document_read(const char *message,
                                                     size_t len,
                                                     const char *from,
                                                     const struct lengthwise_options *options,
                                                     struct lengthwise_error *error);
#endif

#if defined(LENGTHWISE_FULL)
/**
 * Finds what a path leads to, "/readings/0/t": its data and type character. The data is the document's.
 *
 * Returns LW_OK, or LW_SCHEMA where the path leads nowhere.
 */
int32_t lengthwise_document_get(const struct lengthwise_document *document,
                                const char *path,
                                const char **data,
                                size_t *len,
                                char *kind);
#endif

#if defined(LENGTHWISE_FULL)
/**
 * Gives a document back; NULL is none.
 */
void lengthwise_document_free(struct lengthwise_document *document);
#endif

#if defined(LENGTHWISE_FULL)
/**
 * Has the library take all its memory from the caller, which stays there as long as the library is used. It must be the first
 * call. A program in Rust that has other memory of its own keeps that.
 *
 * Returns LW_OK, or LW_UNSUPPORTED where the library has memory already. Where there is none left, the program ends.
 */
int32_t lengthwise_use_memory(const struct lengthwise_memory *memory);
#endif

#if defined(LENGTHWISE_FULL)
/**
 * Fills options with the defaults. `size` is `sizeof *options`.
 */
void lengthwise_options_init(struct lengthwise_options *options, size_t size);
#endif

#if defined(LENGTHWISE_FULL)
/**
 * Sets the limits for messages of unknown senders: 16 MiB a message, 64 MiB of expanded text and no more than 100 times
 * the message beyond the first MiB, 2^20 units, 256 levels. The options must be filled already.
 *
 * Returns LW_OK, or LW_UNSUPPORTED for options that are not filled.
 */
int32_t lengthwise_options_untrusted(struct lengthwise_options *options);
#endif

#if defined(LENGTHWISE_FULL)
/**
 * Loads a module of ASN.1 notation, `len` bytes of UTF-8. `root` names the type of messages; it may be NULL where there is
 * one type that no other refers to. Of `options` the limits apply to the notation; NULL is the defaults.
 *
 * Returns the schema, for lengthwise_schema_free; NULL with `*error` filled, which may be NULL.
 */
struct lengthwise_schema *lengthwise_schema_load(const char *notation,
                                                 size_t len,
                                                 const char *root,
                                                 const struct lengthwise_options *options,
                                                 struct lengthwise_error *error);
#endif

#if defined(LENGTHWISE_FULL)
/**
 * Gives a schema back; NULL is none.
 */
void lengthwise_schema_free(struct lengthwise_schema *schema);
#endif

#if defined(LENGTHWISE_FULL)
/**
 * Opens a session with a service by its description in WSDL 1.1, which is `len` bytes and may not include other documents.
 * Of `options` the limits apply to the description and to each message; NULL is the defaults.
 *
 * Returns the session, for lengthwise_session_free; NULL with `*error` filled, which may be NULL.
 */
struct lengthwise_session *lengthwise_session_open(const char *wsdl,
                                                   size_t len,
                                                   const struct lengthwise_options *options,
                                                   struct lengthwise_error *error);
#endif

#if defined(LENGTHWISE_FULL)
/**
 * Reads the next message, `len` bytes of it.
 *
 * Returns LW_OK; otherwise a code, with `*error` filled, which may be NULL, and the session has no last message.
 */
int32_t lengthwise_session_read(struct lengthwise_session *session,
                                const char *message,
                                size_t len,
                                struct lengthwise_error *error);
#endif

#if defined(LENGTHWISE_FULL)
/**
 * Takes a piece of the next message, which is read as far as it has come; pieces may end anywhere. What is wrong with the
 * message is told by lengthwise_session_finish.
 *
 * Returns LW_OK, or LW_LIMIT where the message has become too long, with `*error` filled.
 */
int32_t lengthwise_session_feed(struct lengthwise_session *session,
                                const char *piece,
                                size_t len,
                                struct lengthwise_error *error);
#endif

#if defined(LENGTHWISE_FULL)
/**
 * Ends the message whose pieces have come. Returns what lengthwise_session_read does.
 */
int32_t lengthwise_session_finish(struct lengthwise_session *session, struct lengthwise_error *error);
#endif

#if defined(LENGTHWISE_FULL)
/**
 * The name of the element in the body of the last message, without its namespace: which of the service's messages it
 * is. Returns LW_OK, or LW_SCHEMA where it is a fault, or there is none.
 */
int32_t lengthwise_session_method(const struct lengthwise_session *session,
                                  const char **name,
                                  size_t *len);
#endif

#if defined(LENGTHWISE_FULL)
/**
 * The reason that the last message gives, if it is a fault: LW_OK, otherwise LW_SCHEMA.
 */
int32_t lengthwise_session_fault(const struct lengthwise_session *session, const char **reason, size_t *len);
#endif

#if defined(LENGTHWISE_FULL)
/**
 * Finds a value in the last message: "/resultElements/3/title", of members' names without namespaces and items' numbers
 * from 0; "" is all of it. A name in an array of compounds of simple members is that member of all: "/resultElements/title" is an array.
 *
 * Returns LW_OK, or LW_SCHEMA where the path leads nowhere.
 */
int32_t lengthwise_session_value(const struct lengthwise_session *session,
                                 const char *path,
                                 struct lengthwise_value *value);
#endif

#if defined(LENGTHWISE_FULL)
/**
 * Tells what differencing was worth so far.
 */
void lengthwise_session_stats(const struct lengthwise_session *session, struct lengthwise_stats *stats);
#endif

#if defined(LENGTHWISE_FULL)
/**
 * Gives a session back; NULL is none.
 */
void lengthwise_session_free(struct lengthwise_session *session);
#endif

/**
 * Begins a list of pieces, for a message that is begun as well.
 */
void lw_gather_init(struct lw_gather *gather, struct lw_piece *pieces, uint32_t capacity);

/**
 * Writes a unit of TSF whose data stays where it is, as a piece of its own; the data must be there until the message is
 * sent.
 */
void lw_tsf_put_borrowed(struct lw_out *out,
                         struct lw_gather *gather,
                         const char *name,
                         uint32_t name_len,
                         const void *data,
                         uint32_t len);

/**
 * Writes a value of PON whose data stays where it is, as `lw_tsf_put_borrowed`.
 */
void lw_pon_put_borrowed(struct lw_out *out,
                         struct lw_gather *gather,
                         const char *key,
                         uint32_t key_len,
                         char kind,
                         const void *data,
                         uint32_t len);

/**
 * Ends a message of TSF in pieces. Returns how many there are, in the order of the message; LW_LIMIT where there was no
 * room for all of them (`count` says for how many there must be), or none for the message in its buffer (`len`).
 */
int32_t lw_tsf_gathered(struct lw_out *out,
                        struct lw_gather *gather);

/**
 * Ends a message of PON in pieces, as `lw_tsf_gathered`.
 */
int32_t lw_pon_gathered(struct lw_out *out, struct lw_gather *gather);

/**
 * Reads an integer of JSON into 32 bits.
 *
 * Returns LW_OK, LW_SYNTAX where the text is no integer, LW_LIMIT where it does not fit; `*value` is only set
 * with LW_OK.
 */
int32_t lw_i32(const char *text, uint32_t len, int32_t *value);

/**
 * Reads an integer of JSON that is not negative into 32 bits; otherwise as `lw_i32`. -0 does not fit.
 */
int32_t lw_u32(const char *text, uint32_t len, uint32_t *value);

/**
 * Reads an integer of JSON into 64 bits, as `lw_i32` into 32.
 */
int32_t lw_i64(const char *text, uint32_t len, int64_t *value);

/**
 * Reads an integer of JSON that is not negative into 64 bits, as `lw_u32` into 32.
 */
int32_t lw_u64(const char *text, uint32_t len, uint64_t *value);

/**
 * Reads a number of JSON, or NaN, Infinity or -Infinity, as the nearest double. This links floating point, some
 * ten kilobytes on a device; `lw_fixed` does without.
 *
 * Returns LW_OK, LW_SYNTAX where the text is no number, LW_LIMIT beyond the largest double.
 */
int32_t lw_double(const char *text,
                  uint32_t len,
                  double *value);

/**
 * Reads a decimal number of JSON as an integer, `decimals` places shifted: 21.5 with two is 2150.
 *
 * Returns LW_OK, LW_SYNTAX where the text is no number, LW_LIMIT where it does not fit, LW_UNSUPPORTED where
 * it has more places that are not 0: nothing is rounded.
 */
int32_t lw_fixed(const char *text, uint32_t len, uint32_t decimals, int32_t *value);

/**
 * Begins a message in a buffer of `capacity` bytes, of which no more than 1 GiB is used.
 */
void lw_out_init(struct lw_out *out, void *buffer, uint32_t capacity);

/**
 * Writes the text of a fixed number, `decimals` places behind its point, so that it ends before `end`: 2150 with two
 * places is 21.50. There are nine places at the most, and 12 bytes. Returns its first character.
 */
char *lw_format_fixed(char *end,
                      int32_t value,
                      uint32_t decimals);

/**
 * Sets a cursor to the start of `len` bytes, which begin with a message. `lw_pon_next` then goes to the
 * message's value, and once more to that of the next message, if one follows.
 *
 * Returns LW_OK, LW_INCOMPLETE where there are no bytes, LW_LIMIT for more than 320 MiB.
 */
int32_t lw_pon_open(struct lw_pon *cursor, const void *message, uint32_t len);

/**
 * Sets `inner` to what is in the object or the array that the cursor is at. Both may be the same.
 *
 * Returns LW_OK, or LW_SCHEMA where the cursor is at another value.
 */
int32_t lw_pon_enter(const struct lw_pon *cursor, struct lw_pon *inner);

/**
 * Goes to the next value, past all that is in the one before.
 *
 * Returns 1, or the code of its key, if that is looked for; 0 behind the last value; LW_SYNTAX, LW_INCOMPLETE or
 * LW_LIMIT where there is no sound value, which `at` then points to. Strings and keys are not looked at (`lw_is_utf8`
 * does that), nor is what is in containers.
 */
int32_t lw_pon_next(struct lw_pon *cursor);

/**
 * Says which keys are looked for, from here on: `lw_pon_next` then returns the code of the one that the member has. As
 * `lw_tsf_names`; `lw_pon_enter` forgets them.
 */
void lw_pon_names(struct lw_pon *cursor,
                  const struct lw_name *names);

/**
 * Goes to the first member of a key among those of the object the cursor is in: LW_NAME("t"), as it is meant,
 * without escapes, and of less than 64 KiB.
 *
 * The search begins at the next member, because keys are likely asked for in their order, and goes on from
 * the first one.
 *
 * Returns 1; 0 where there is no such member, the cursor being where it was; otherwise as `lw_pon_next`.
 */
int32_t lw_pon_find(struct lw_pon *cursor, const char *key, uint32_t key_len);

/**
 * Puts a zero behind the value's key and, if it is a string, behind its data, where they stand in the
 * message, which must be writable.
 *
 * The key's zero takes the place of its `:`; the data moves one byte towards the front, over the type.
 * Nothing outside of the member changes. The member cannot be read again. A key keeps its escapes.
 */
void lw_pon_terminate(struct lw_pon *cursor);

/**
 * Begins a message, before its first buffer. `open` is room for as many containers as may lie in each other.
 */
void lw_pon_parts_open(struct lw_pon_parts *parts, uint32_t *open, uint32_t capacity);

/**
 * The next buffer: `len` bytes, which begin with those that the one before had left (`unit.at` to `unit.end` after
 * LW_INCOMPLETE).
 */
void lw_pon_parts_add(struct lw_pon_parts *parts,
                      const void *buffer,
                      uint32_t len);

/**
 * Goes to the next value, or to the next part of the data of the one it is at.
 *
 * Returns 1 at a value; a container's are those that follow, up to a 3; 2 at a further part of its data; 3 at the end of a
 * container; 0 behind the message; LW_INCOMPLETE where the buffer is used up, but for what has to be carried over;
 * LW_SYNTAX, or LW_LIMIT where more containers lie in each other than there is room for.
 */
int32_t lw_pon_parts_next(struct lw_pon_parts *parts);

/**
 * Reads the message at an open cursor, with all that is in its containers, into `capacity` rows; the
 * outermost value is the first. A message of n bytes needs LW_PON_ROWS(n) rows at the most. Types are
 * the characters of PON.
 *
 * Returns how many rows are filled, and `at` is where the message ends; LW_LIMIT where there are fewer
 * rows than the message needs; otherwise what `lw_pon_next` returns, the cursor being where the fault is.
 */
int32_t lw_pon_rows(struct lw_pon *cursor, struct lw_row *rows, uint32_t capacity);

/**
 * `lw_pon_rows` into rows of 8 bytes: LW_LIMIT also for messages of 64 KiB or more, and names of 128 bytes.
 */
int32_t lw_pon_rows8(struct lw_pon *cursor, struct lw_row8 *rows, uint32_t capacity);

/**
 * Reads the message at an open cursor, an object, into a struct. Text and bytes stay in the message, and
 * `struct lw_text` points to them. A field that the message does not have, or that is null in it, keeps its value.
 *
 * Returns how many fields were filled, and `at` is where the message ends; LW_SCHEMA where a member is of
 * another type than its field; LW_SYNTAX for a number that is none; LW_LIMIT for a number or an array that does not fit;
 * otherwise as `lw_pon_next`. The cursor is then at the member at fault, or at the array that it is in, and some fields may
 * be filled.
 */
int32_t lw_pon_decode(struct lw_pon *cursor,
                      const struct lw_field *fields,
                      void *into);

/**
 * Writes a struct as a message: an object of all fields that are present, in their order. `lw_pon_finish` returns whether
 * it succeeded.
 */
void lw_pon_encode(struct lw_out *out,
                   const struct lw_field *fields,
                   const void *from);

/**
 * Writes a value with a length in front of those written: its key, its length, its type and the data. Without data
 * (NULL) the head alone is written, in front of data that is.
 *
 * The key is written as it is: a `:` or a `\` in it must have a `\` before it. LW_NAME("t") is a key and its
 * length; an item of an array, and the outermost value, have none: NULL and 0.
 */
void lw_pon_put(struct lw_out *out,
                const char *key,
                uint32_t key_len,
                char kind,
                const void *data,
                uint32_t len);

/**
 * Writes a value that is its type alone: t, f or u.
 */
void lw_pon_put_word(struct lw_out *out, const char *key, uint32_t key_len, char kind);

/**
 * Writes an integer in front of what is written.
 */
void lw_pon_put_i32(struct lw_out *out, const char *key, uint32_t key_len, int32_t value);

/**
 * Writes an integer that is not negative in front of what is written.
 */
void lw_pon_put_u32(struct lw_out *out, const char *key, uint32_t key_len, uint32_t value);

/**
 * Writes a fixed number, which `lw_fixed` reads: 2150 with two `decimals` is 21.50; there are nine at the most.
 */
void lw_pon_put_fixed(struct lw_out *out,
                      const char *key,
                      uint32_t key_len,
                      int32_t value,
                      uint32_t decimals);

/**
 * The place where a container ends that is to be written now: `lw_pon_put_container` wants it back.
 */
uint32_t lw_pon_end(const struct lw_out *out);

/**
 * Writes the head of an object (`{`) or of an array (`[`): all written since `end` was taken is in it.
 */
void lw_pon_put_container(struct lw_out *out, const char *key, uint32_t key_len, char kind, uint32_t end);

/**
 * Ends the message, which is the end of the buffer. Returns its bytes there, and in `*start` where they begin (it may be
 * NULL); LW_LIMIT where there was no room for them (`len` says for how many there must be), LW_UNSUPPORTED where a
 * payload was left elsewhere, which `lw_pon_gathered` is for.
 */
int32_t lw_pon_finish(const struct lw_out *out,
                      const char **start);

/**
 * Looks a name up among the units in the unit of row `of`: the row that has it, or -1. `message` is what
 * the rows were read from; the name is LW_NAME("t"), as it is meant, without escapes, and of less than 64 KiB.
 *
 * The search begins at row `*hint`, if that is one of them, and goes on from the first; then `*hint` is
 * the row behind the one found. Whoever asks for names in their order finds each at once.
 */
int32_t lw_rows_find(const struct lw_row *rows,
                     const void *message,
                     uint32_t of,
                     const char *name,
                     uint32_t name_len,
                     uint32_t *hint);

/**
 * `lw_rows_find` in rows of 8 bytes.
 */
int32_t lw_rows8_find(const struct lw_row8 *rows,
                      const void *message,
                      uint32_t of,
                      const char *name,
                      uint32_t name_len,
                      uint32_t *hint);

/**
 * Sets a cursor to the start of `len` bytes, which begin with a message; `types` may be
 * `&lw_types_value`. What follows the message is not looked at: when `lw_tsf_next` has returned 0,
 * `at` is where it ends.
 *
 * Returns LW_OK, LW_INCOMPLETE where there are fewer than two bytes, LW_SYNTAX where the first one is no
 * digit, LW_LIMIT for 320 MiB or more. A cursor that was refused has no units.
 */
int32_t lw_tsf_open(struct lw_tsf *cursor, const void *message, uint32_t len, const struct lw_types *types);

/**
 * Says which names are looked for, from here on: `lw_tsf_next` then returns the code of the one that the unit has. The
 * list, which LW_NAMES_END ends, must last as long.
 *
 * They should be in the order of the messages: the name that is next in the list is compared first, and where it
 * is the one, nothing else is looked at. Any order will do, and a name may be there more than once.
 */
void lw_tsf_names(struct lw_tsf *cursor,
                  const struct lw_name *names);

/**
 * Goes to the next unit. The units in a unit follow it.
 *
 * Returns 1 at a unit, or the code of its name, if that is looked for; 0 behind the last unit; LW_SYNTAX,
 * LW_INCOMPLETE or LW_LIMIT where there is no sound unit, which `at` then points to.
 */
int32_t lw_tsf_next(struct lw_tsf *cursor);

/**
 * Passes over the units in the unit the cursor is at, and all that they hold.
 *
 * Returns 0, or what `lw_tsf_next` does.
 */
int32_t lw_tsf_skip(struct lw_tsf *cursor);

/**
 * Puts a zero behind the unit's name and behind its data, where they stand in the message, which must be
 * writable.
 *
 * Both move one byte towards the front, over the last digit of the unit's number and over its type,
 * and the zeros take the bytes that come free: nothing outside of the unit changes. The unit cannot be read
 * again. An extended name keeps its escapes.
 */
void lw_tsf_terminate(struct lw_tsf *cursor);

/**
 * Begins a message, before its first buffer.
 */
void lw_tsf_parts_open(struct lw_tsf_parts *parts, const struct lw_types *types);

/**
 * The next buffer: `len` bytes, which begin with those that the one before had left (`unit.at` to `unit.end` after
 * LW_INCOMPLETE).
 */
void lw_tsf_parts_add(struct lw_tsf_parts *parts,
                      const void *buffer,
                      uint32_t len);

/**
 * Goes to the next unit, or to the next part of the data of the one it is at.
 *
 * Returns 1 at a unit; 2 at a further part of its data; 0 behind the message; LW_INCOMPLETE where the buffer is
 * used up, but for what has to be carried over; LW_SYNTAX or LW_LIMIT as `lw_tsf_next`. That as many units come as
 * were announced is only seen at the end: a message is sound when this has returned 0.
 */
int32_t lw_tsf_parts_next(struct lw_tsf_parts *parts);

/**
 * Reads the message at an open cursor into `capacity` rows; the outermost unit is the first. A message of
 * n bytes needs LW_TSF_ROWS(n) rows at the most.
 *
 * Returns how many rows are filled; LW_LIMIT where there are fewer than the message needs; otherwise
 * what `lw_tsf_next` returns, the cursor being where the fault is.
 */
int32_t lw_tsf_rows(struct lw_tsf *cursor, struct lw_row *rows, uint32_t capacity);

/**
 * `lw_tsf_rows` into rows of 8 bytes: LW_LIMIT also for messages of 64 KiB or more, and names of 128 bytes.
 */
int32_t lw_tsf_rows8(struct lw_tsf *cursor, struct lw_row8 *rows, uint32_t capacity);

/**
 * Reads the message at an open cursor, an object of the type set `value`, into a struct. Text and bytes stay in the
 * message, and `struct lw_text` points to them. A field that the message does not have, or that is null in it, keeps its
 * value.
 *
 * Returns how many fields were filled; LW_SCHEMA where a member is of another type than its field; LW_SYNTAX for a
 * number that is none; LW_LIMIT for a number or an array that does not fit; otherwise as `lw_tsf_next`. The cursor is
 * then at the unit at fault, or at the array that it is in, and some fields may be filled.
 */
int32_t lw_tsf_decode(struct lw_tsf *cursor,
                      const struct lw_field *fields,
                      void *into);

/**
 * Writes a struct as a message: an object of the type set `value` without a name, with all fields that are present, in
 * their order. Where the fields up to the first end of an object are text alone, it begins with a zero, as `02{`, which
 * tells readers the type set. `lw_tsf_finish` returns whether it succeeded.
 */
void lw_tsf_encode(struct lw_out *out,
                   const struct lw_field *fields,
                   const void *from);

/**
 * Writes a unit of data: its length, its name and type, and the data. Without data (NULL) the head alone is
 * written, and `len` bytes of data must follow.
 *
 * The name is written as it is, its type behind it: LW_NAME("t#") is the name t and the type #, and their length. It must
 * be a plain name (not begin with a digit or a `"`, and hold no type), or an extended one with its `"` and escapes.
 */
void lw_tsf_put(struct lw_out *out,
                const char *name,
                uint32_t name_len,
                const void *data,
                uint32_t len);

/**
 * Writes the head of a unit of units: `count` units follow, which are in it. LW_NAME("r{") is its name and type.
 */
void lw_tsf_put_units(struct lw_out *out,
                      const char *name,
                      uint32_t name_len,
                      uint32_t count);

/**
 * Writes an integer: LW_NAME("t#") in the set `value`.
 */
void lw_tsf_put_i32(struct lw_out *out, const char *name, uint32_t name_len, int32_t value);

/**
 * Writes an integer that is not negative.
 */
void lw_tsf_put_u32(struct lw_out *out, const char *name, uint32_t name_len, uint32_t value);

/**
 * Writes a fixed number, which `lw_fixed` reads: LW_NAME("t%") in the set `value`. 2150 with two `decimals` is 21.50;
 * there are nine at the most.
 */
void lw_tsf_put_fixed(struct lw_out *out,
                      const char *name,
                      uint32_t name_len,
                      int32_t value,
                      uint32_t decimals);

/**
 * Ends the message. Returns its bytes in the buffer, from the start of that; LW_LIMIT where there was no room for
 * them (`len` says for how many there must be), LW_UNSUPPORTED where a payload was left elsewhere, which
 * `lw_tsf_gathered` is for.
 */
int32_t lw_tsf_finish(const struct lw_out *out);

/**
 * Puts a character into a set of types: `holds` is LW_DATA or LW_UNITS. A type is a character from space to `~` and no
 * digit, no `"` and no `\`.
 *
 * Returns LW_OK; LW_UNSUPPORTED, the set being as it was, where the character cannot be a type, or is one of the other
 * class already.
 */
int32_t lw_types_add(struct lw_types *types,
                     char c,
                     uint8_t holds);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* LENGTHWISE_H */

/* A name and its length. */
#define LW_NAME(name) (name), (uint32_t)(sizeof(name) - 1)

/* A name that is looked for, and the end of a list of them, see struct lw_name. */
#define LW_WANTED(name, code) { (name), (uint16_t)(sizeof(name) - 1), (code) }
#define LW_NAMES_END { "0\\0", 3, LW_SYNTAX }

/* Whether the name of the unit that a struct lw_tsf is at is an extended one: a `\` may stand before its characters. */
#define LW_TSF_EXTENDED(cursor) ((cursor).name[-1] == '"')

/* A field of a struct, see struct lw_field. The kind must be the name of one of these constants itself. */
#define LW_FIELD(kind, type, member, name) \
  { LW_NAMED(LW_TYPES_OF_##kind, type, member, name), (kind) } LW_CODEC_OF_##kind

/* A field that a message may leave out. `mask` is a member of the same struct, a uint32_t or an array of them. Its bit number
 * `bit` (0 to 255, of the lowest bit of the first word on) is set when the field is read, and the field is only written
 * where it is set. Reading clears no bits. */
#define LW_OPTIONAL(kind, type, member, name, mask, bit) \
  { LW_NAMED(LW_TYPES_OF_##kind, type, member, name), (kind) | LW_CODED }, LW_MASK(type, mask, bit) LW_CODEC_OF_##kind

/* An array: `member` is an array of what the kind says, `count` a uint16_t of the same struct, the items that are used.
 * Reading more items than the member has is LW_LIMIT. */
#define LW_ARRAY(kind, type, member, count, name) \
  { LW_NAMED("[[" LW_TYPES_OF_##kind, type, member, name), (kind) | LW_CODED }, \
      LW_ITEMS(type, member, count, NULL) LW_CODEC_OF_##kind
#define LW_OPTIONAL_ARRAY(kind, type, member, count, name, mask, bit) \
  { LW_NAMED("[[" LW_TYPES_OF_##kind, type, member, name), (kind) | LW_CODED }, LW_MASK(type, mask, bit), \
      LW_ITEMS(type, member, count, NULL) LW_CODEC_OF_##kind

/* An array of structs, which `fields` describes: a table of its own. */
#define LW_OBJECTS(type, member, count, name, fields) \
  { LW_NAMED("[[{{", type, member, name), LW_STRUCT }, LW_ITEMS(type, member, count, fields)
#define LW_OPTIONAL_OBJECTS(type, member, count, name, fields, mask, bit) \
  { LW_NAMED("[[{{", type, member, name), LW_STRUCT }, LW_MASK(type, mask, bit), \
      LW_ITEMS(type, member, count, fields)

/* An object: its fields follow, up to LW_OBJECT_END. LW_FIELDS_END ends the table. */
#define LW_OBJECT(name) { name "{{", 0, (uint8_t)(sizeof(name) - 1), LW_OBJECT_OF }
#define LW_OBJECT_END { "000", 0, 0, LW_END }
#define LW_FIELDS_END { "000", 0, 0, LW_END }

/* What the macros above are made of. The types of both formats follow the name. */
#define LW_NAMED(types, type, member, name) \
  name types, (uint16_t)offsetof(type, member), (uint8_t)(sizeof(name) - 1)
#define LW_DETAIL_OF(codec, offset, number) { (const char *)&(codec), (uint16_t)(offset), (uint8_t)(number), LW_DETAIL }
#define LW_MEMBER(type, member) (((type *)0)->member)
#define LW_HOLDS(condition) (0 * sizeof(char[(condition) ? 1 : -1]))
#define LW_MASK(type, mask, bit) \
  LW_DETAIL_OF(lw_codec_optional, offsetof(type, mask) + LW_HOLDS((bit) < 8 * sizeof LW_MEMBER(type, mask)), bit)
#define LW_CAPACITY(type, member) (sizeof LW_MEMBER(type, member) / sizeof LW_MEMBER(type, member)[0])
#define LW_ITEMS(type, member, count, fields) \
  LW_DETAIL_OF(lw_codec_array, offsetof(type, count) + LW_HOLDS(sizeof LW_MEMBER(type, count) == 2), \
               LW_CAPACITY(type, member) & 255), \
  { (const char *)(fields), (uint16_t)sizeof LW_MEMBER(type, member)[0], (uint8_t)(LW_CAPACITY(type, member) >> 8), \
    LW_DETAIL_MORE }
#define LW_TYPES_OF_LW_TEXT "'s"
#define LW_TYPES_OF_LW_BYTES "*y"
#define LW_TYPES_OF_LW_BOOL "?t"
#define LW_TYPES_OF_LW_I32 "#i"
#define LW_TYPES_OF_LW_U32 "#i"
#define LW_TYPES_OF_LW_I16 "#i"
#define LW_TYPES_OF_LW_U16 "#i"
#define LW_TYPES_OF_LW_I64 "#i"
#define LW_TYPES_OF_LW_U64 "#i"
#define LW_TYPES_OF_LW_FIXED1 "%d"
#define LW_TYPES_OF_LW_FIXED2 "%d"
#define LW_TYPES_OF_LW_FIXED3 "%d"
#define LW_TYPES_OF_LW_FIXED4 "%d"
#define LW_TYPES_OF_LW_FIXED5 "%d"
#define LW_TYPES_OF_LW_FIXED6 "%d"
#define LW_TYPES_OF_LW_FIXED7 "%d"
#define LW_TYPES_OF_LW_FIXED8 "%d"
#define LW_TYPES_OF_LW_FIXED9 "%d"
#define LW_CODEC_OF_LW_TEXT
#define LW_CODEC_OF_LW_BYTES
#define LW_CODEC_OF_LW_BOOL
#define LW_CODEC_OF_LW_I32
#define LW_CODEC_OF_LW_U32
#define LW_CODEC_OF_LW_I16
#define LW_CODEC_OF_LW_U16
#define LW_CODEC_OF_LW_I64 , LW_DETAIL_OF(lw_codec_64, 0, 0)
#define LW_CODEC_OF_LW_U64 , LW_DETAIL_OF(lw_codec_64, 0, 0)
#define LW_CODEC_OF_LW_FIXED1 , LW_DETAIL_OF(lw_codec_fixed, 0, 0)
#define LW_CODEC_OF_LW_FIXED2 , LW_DETAIL_OF(lw_codec_fixed, 0, 0)
#define LW_CODEC_OF_LW_FIXED3 , LW_DETAIL_OF(lw_codec_fixed, 0, 0)
#define LW_CODEC_OF_LW_FIXED4 , LW_DETAIL_OF(lw_codec_fixed, 0, 0)
#define LW_CODEC_OF_LW_FIXED5 , LW_DETAIL_OF(lw_codec_fixed, 0, 0)
#define LW_CODEC_OF_LW_FIXED6 , LW_DETAIL_OF(lw_codec_fixed, 0, 0)
#define LW_CODEC_OF_LW_FIXED7 , LW_DETAIL_OF(lw_codec_fixed, 0, 0)
#define LW_CODEC_OF_LW_FIXED8 , LW_DETAIL_OF(lw_codec_fixed, 0, 0)
#define LW_CODEC_OF_LW_FIXED9 , LW_DETAIL_OF(lw_codec_fixed, 0, 0)

/* The memory that TSF and PON take: they have no heap and no variables. The stack of the most demanding call on a processor of
 * 32 bits, in bytes, is LW_STACK_BYTES of how deep arrays of structs (LW_OBJECTS) lie in each other; no message changes it.
 * All else is the caller's: cursors, writers, `LW_TSF_ROWS(n) * sizeof(struct lw_row)` for the rows of n bytes, and 4 bytes for
 * each container that is open in a struct lw_pon_parts. */
#define LW_STACK_BYTES(depth) (450 + (depth) * 300)

/* Rows that a message of so many bytes needs at the most. */
#define LW_TSF_ROWS(bytes) ((bytes) / 2 + 1)
#define LW_PON_ROWS(bytes) (bytes)

#ifdef LENGTHWISE_FULL
/* The memory that the most demanding call takes from the library's allocator at most, in bytes, with what it returns. `in` is
 * the size of its message, schema or description, and `out` that of its result. `expanded` is what entities, references and
 * compression expand to, beyond `in`, and `units` the values that a message of ASN.1 has; the limits of the options bound both.
 * lengthwise_session_read keeps what it takes for the next message. */
#define LENGTHWISE_CALL_BYTES(in, expanded, units, out) \
  ((size_t)(in) * 1024 + (size_t)(expanded) * 16 + (size_t)(units) * 256 + (size_t)(out) * 4 + ((size_t)16 << 20))

/* The same of lengthwise_convert and lengthwise_document_read without a schema. */
#define LENGTHWISE_CONVERT_BYTES(in, expanded, out) \
  ((size_t)(in) * 256 + (size_t)(expanded) * 16 + (size_t)(out) * 4 + ((size_t)6 << 20))

/* The same of lengthwise_document_read alone, for "tsf", "pon" and "json" under the default `depth`. */
#define LENGTHWISE_DOCUMENT_BYTES(in) ((size_t)(in) * 48 + 65536)
#endif

/* What the tag of a struct lw_row says. */
#define LW_ROW_KIND(row) ((char)((row).tag & 0xFF))
#define LW_ROW_NAME_LEN(row) ((row).tag >> LW_ROW_NAME_SHIFT)
