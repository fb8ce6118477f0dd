/* Protocol Buffers by nanopb: what its generator makes of the two messages is written here by hand, after the macros that it
 * uses. Texts and binary data are left in the message by callbacks. */
#include <pb_decode.h>
#include <pb_encode.h>

#include "../proof.h"

typedef struct {
  int32_t t, h, p, lux, co2, acc;
} Readings;
typedef struct {
  bool ok;
  int32_t batt, rssi;
  uint32_t up;
  pb_callback_t fw;
} Status;
typedef struct {
  pb_callback_t dev;
  uint32_t ts;
  bool has_r;
  Readings r;
  bool has_status;
  Status status;
  pb_callback_t note;
} M1;
typedef struct {
  pb_callback_t dev;
  uint32_t ts, seq;
  pb_callback_t img;
  uint32_t crc;
} M2;

#define Readings_FIELDLIST(X, a)         \
  X(a, STATIC, SINGULAR, SINT32, t, 1)   \
  X(a, STATIC, SINGULAR, SINT32, h, 2)   \
  X(a, STATIC, SINGULAR, SINT32, p, 3)   \
  X(a, STATIC, SINGULAR, SINT32, lux, 4) \
  X(a, STATIC, SINGULAR, SINT32, co2, 5) \
  X(a, STATIC, SINGULAR, SINT32, acc, 6)
#define Readings_CALLBACK NULL
#define Readings_DEFAULT NULL
#define Status_FIELDLIST(X, a)            \
  X(a, STATIC, SINGULAR, BOOL, ok, 1)     \
  X(a, STATIC, SINGULAR, SINT32, batt, 2) \
  X(a, STATIC, SINGULAR, SINT32, rssi, 3) \
  X(a, STATIC, SINGULAR, UINT32, up, 4)   \
  X(a, CALLBACK, SINGULAR, STRING, fw, 5)
#define Status_CALLBACK pb_default_field_callback
#define Status_DEFAULT NULL
#define M1_FIELDLIST(X, a)                   \
  X(a, CALLBACK, SINGULAR, STRING, dev, 1)   \
  X(a, STATIC, SINGULAR, UINT32, ts, 2)      \
  X(a, STATIC, OPTIONAL, MESSAGE, r, 3)      \
  X(a, STATIC, OPTIONAL, MESSAGE, status, 4) \
  X(a, CALLBACK, SINGULAR, STRING, note, 5)
#define M1_CALLBACK pb_default_field_callback
#define M1_DEFAULT NULL
#define M1_r_MSGTYPE Readings
#define M1_status_MSGTYPE Status
#define M2_FIELDLIST(X, a)                 \
  X(a, CALLBACK, SINGULAR, STRING, dev, 1) \
  X(a, STATIC, SINGULAR, UINT32, ts, 2)    \
  X(a, STATIC, SINGULAR, UINT32, seq, 3)   \
  X(a, CALLBACK, SINGULAR, BYTES, img, 4)  \
  X(a, STATIC, SINGULAR, UINT32, crc, 5)
#define M2_CALLBACK pb_default_field_callback
#define M2_DEFAULT NULL

extern const pb_msgdesc_t Readings_msg, Status_msg, M1_msg, M2_msg;
PB_BIND(Readings, Readings, AUTO)
PB_BIND(Status, Status, AUTO)
PB_BIND(M1, M1, AUTO)
PB_BIND(M2, M2, AUTO)

#ifdef DECODE
/* Of a stream from a buffer the state is where it is read next. */
static bool leave(pb_istream_t *stream, const pb_field_t *field, void **argument) {
  struct text *into = *argument;
  (void)field;
  into->data = stream->state;
  into->len = stream->bytes_left;
  return pb_read(stream, NULL, stream->bytes_left);
}

#define INTO(field, text) (field).funcs.decode = leave, (field).arg = (text)

int decode1(const uint8_t *message, uint32_t len, struct m1 *into) {
  M1 m = {0};
  pb_istream_t stream = pb_istream_from_buffer(message, len);
  INTO(m.dev, &into->dev), INTO(m.status.fw, &into->status.fw), INTO(m.note, &into->note);
  /* The message is all zero but for the callbacks. */
  if (!pb_decode_ex(&stream, &M1_msg, &m, PB_DECODE_NOINIT)) return -1;
  into->ts = m.ts;
  into->r.t = m.r.t, into->r.h = m.r.h, into->r.p = m.r.p;
  into->r.lux = m.r.lux, into->r.co2 = m.r.co2, into->r.acc = m.r.acc;
  into->status.ok = m.status.ok, into->status.batt = m.status.batt;
  into->status.rssi = m.status.rssi, into->status.up = m.status.up;
  return 0;
}

int decode2(const uint8_t *message, uint32_t len, struct m2 *into) {
  M2 m = {0};
  pb_istream_t stream = pb_istream_from_buffer(message, len);
  INTO(m.dev, &into->dev), INTO(m.img, &into->img);
  if (!pb_decode_ex(&stream, &M2_msg, &m, PB_DECODE_NOINIT)) return -1;
  into->ts = m.ts, into->seq = m.seq, into->crc = m.crc;
  return 0;
}
#endif

#ifdef ENCODE
static bool put(pb_ostream_t *stream, const pb_field_t *field, void *const *argument) {
  const struct text *from = *argument;
  return pb_encode_tag_for_field(stream, field) &&
         pb_encode_string(stream, (const pb_byte_t *)from->data, from->len);
}

#define FROM(field, text) (field).funcs.encode = put, (field).arg = (void *)(text)

uint32_t encode1(const struct m1 *from, uint8_t **out, uint32_t capacity) {
  M1 m = {0};
  pb_ostream_t stream = pb_ostream_from_buffer(*out, capacity);
  FROM(m.dev, &from->dev), FROM(m.status.fw, &from->status.fw), FROM(m.note, &from->note);
  m.ts = from->ts, m.has_r = true, m.has_status = true;
  m.r.t = from->r.t, m.r.h = from->r.h, m.r.p = from->r.p;
  m.r.lux = from->r.lux, m.r.co2 = from->r.co2, m.r.acc = from->r.acc;
  m.status.ok = from->status.ok, m.status.batt = from->status.batt;
  m.status.rssi = from->status.rssi, m.status.up = from->status.up;
  return pb_encode(&stream, &M1_msg, &m) ? stream.bytes_written : 0;
}

uint32_t encode2(const struct m2 *from, uint8_t **out, uint32_t capacity) {
  M2 m = {0};
  pb_ostream_t stream = pb_ostream_from_buffer(*out, capacity);
  FROM(m.dev, &from->dev), FROM(m.img, &from->img);
  m.ts = from->ts, m.seq = from->seq, m.crc = from->crc;
  return pb_encode(&stream, &M2_msg, &m) ? stream.bytes_written : 0;
}
#endif
