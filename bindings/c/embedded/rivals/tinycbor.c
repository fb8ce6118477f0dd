/* CBOR with text for keys by tinycbor: members in the one order that is expected, texts and octets left in the message. */
#include <cbor.h>
#include <string.h>

#include "../proof.h"

#define DO(call) \
  if ((call) != CborNoError) return -1

/* Copied and passed at once, which takes half of what cbor_value_text_string_equals and cbor_value_advance take. */
static int key(CborValue *at, const char *name) {
  char found[8];
  size_t len = sizeof found;
  if (!cbor_value_is_text_string(at)) return -1;
  DO(cbor_value_copy_text_string(at, found, &len, at));
  return strcmp(found, name);
}

/* What has been passed ends where the next value begins. */
static int passed(CborValue *at, struct text *into) {
  size_t len;
  DO(cbor_value_get_string_length(at, &len));
  DO(cbor_value_advance(at));
  into->data = (const char *)cbor_value_get_next_byte(at) - len;
  into->len = len;
  return 0;
}

static int text(CborValue *at, const char *name, struct text *into) {
  return key(at, name) || !cbor_value_is_text_string(at) || passed(at, into);
}

static int integer(CborValue *at, const char *name, int32_t *into) {
  int value;
  if (key(at, name) || !cbor_value_is_integer(at)) return -1;
  DO(cbor_value_get_int_checked(at, &value));
  *into = value;
  return cbor_value_advance_fixed(at) != CborNoError;
}

static int natural(CborValue *at, const char *name, uint32_t *into) {
  uint64_t value;
  if (key(at, name) || !cbor_value_is_unsigned_integer(at)) return -1;
  DO(cbor_value_get_uint64(at, &value));
  *into = (uint32_t)value;
  return value > UINT32_MAX || cbor_value_advance_fixed(at) != CborNoError;
}

static int enter(CborValue *at, const char *name, CborValue *in) {
  return (name != NULL && key(at, name)) || !cbor_value_is_map(at) || cbor_value_enter_container(at, in) != CborNoError;
}

static int leave(CborValue *at, const CborValue *in) {
  return !cbor_value_at_end(in) || cbor_value_leave_container(at, in) != CborNoError;
}

#ifdef DECODE
int decode1(const uint8_t *message, uint32_t len, struct m1 *into) {
  CborParser parser;
  CborValue root, m, in;
  DO(cbor_parser_init(message, len, 0, &parser, &root));
  if (enter(&root, NULL, &m) || text(&m, "dev", &into->dev) || natural(&m, "ts", &into->ts) || enter(&m, "r", &in) ||
      integer(&in, "t", &into->r.t) || integer(&in, "h", &into->r.h) || integer(&in, "p", &into->r.p) ||
      integer(&in, "lux", &into->r.lux) || integer(&in, "co2", &into->r.co2) || integer(&in, "acc", &into->r.acc) ||
      leave(&m, &in) || enter(&m, "status", &in) || key(&in, "ok") || !cbor_value_is_boolean(&in)) {
    return -1;
  }
  DO(cbor_value_get_boolean(&in, &into->status.ok));
  DO(cbor_value_advance_fixed(&in));
  return integer(&in, "batt", &into->status.batt) || integer(&in, "rssi", &into->status.rssi) ||
         natural(&in, "up", &into->status.up) || text(&in, "fw", &into->status.fw) || leave(&m, &in) ||
         text(&m, "note", &into->note) || leave(&root, &m);
}

int decode2(const uint8_t *message, uint32_t len, struct m2 *into) {
  CborParser parser;
  CborValue root, m;
  DO(cbor_parser_init(message, len, 0, &parser, &root));
  return enter(&root, NULL, &m) || text(&m, "dev", &into->dev) || natural(&m, "ts", &into->ts) ||
         natural(&m, "seq", &into->seq) || key(&m, "img") || !cbor_value_is_byte_string(&m) || passed(&m, &into->img) ||
         natural(&m, "crc", &into->crc) || leave(&root, &m);
}
#endif

#ifdef ENCODE
/* Errors are those of the last call: a buffer that is full stays so. */
static void put_text(CborEncoder *to, const char *name, const struct text *from) {
  cbor_encode_text_stringz(to, name);
  cbor_encode_text_string(to, from->data, from->len);
}

static void put_integer(CborEncoder *to, const char *name, int32_t value) {
  cbor_encode_text_stringz(to, name);
  cbor_encode_int(to, value);
}

static void put_natural(CborEncoder *to, const char *name, uint32_t value) {
  cbor_encode_text_stringz(to, name);
  cbor_encode_uint(to, value);
}

uint32_t encode1(const struct m1 *from, uint8_t **out, uint32_t capacity) {
  CborEncoder root, m, in;
  cbor_encoder_init(&root, *out, capacity, 0);
  cbor_encoder_create_map(&root, &m, 5);
  put_text(&m, "dev", &from->dev);
  put_natural(&m, "ts", from->ts);
  cbor_encode_text_stringz(&m, "r");
  cbor_encoder_create_map(&m, &in, 6);
  put_integer(&in, "t", from->r.t);
  put_integer(&in, "h", from->r.h);
  put_integer(&in, "p", from->r.p);
  put_integer(&in, "lux", from->r.lux);
  put_integer(&in, "co2", from->r.co2);
  put_integer(&in, "acc", from->r.acc);
  cbor_encoder_close_container(&m, &in);
  cbor_encode_text_stringz(&m, "status");
  cbor_encoder_create_map(&m, &in, 5);
  cbor_encode_text_stringz(&in, "ok");
  cbor_encode_boolean(&in, from->status.ok);
  put_integer(&in, "batt", from->status.batt);
  put_integer(&in, "rssi", from->status.rssi);
  put_natural(&in, "up", from->status.up);
  put_text(&in, "fw", &from->status.fw);
  cbor_encoder_close_container(&m, &in);
  put_text(&m, "note", &from->note);
  return cbor_encoder_close_container(&root, &m) == CborNoError ? cbor_encoder_get_buffer_size(&root, *out) : 0;
}

uint32_t encode2(const struct m2 *from, uint8_t **out, uint32_t capacity) {
  CborEncoder root, m;
  cbor_encoder_init(&root, *out, capacity, 0);
  cbor_encoder_create_map(&root, &m, 5);
  put_text(&m, "dev", &from->dev);
  put_natural(&m, "ts", from->ts);
  put_natural(&m, "seq", from->seq);
  cbor_encode_text_stringz(&m, "img");
  cbor_encode_byte_string(&m, (const uint8_t *)from->img.data, from->img.len);
  put_natural(&m, "crc", from->crc);
  return cbor_encoder_close_container(&root, &m) == CborNoError ? cbor_encoder_get_buffer_size(&root, *out) : 0;
}
#endif
