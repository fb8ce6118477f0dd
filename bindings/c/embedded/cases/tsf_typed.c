/* TSF by a table of fields, one call a message. */
#include "lengthwise.h"
#include "../proof.h"

static const struct lw_field fields1[] = {
    LW_FIELD(LW_TEXT, struct m1, dev, "dev"),
    LW_FIELD(LW_U32, struct m1, ts, "ts"),
    LW_OBJECT("r"),
    LW_FIELD(LW_I32, struct m1, r.t, "t"),
    LW_FIELD(LW_I32, struct m1, r.h, "h"),
    LW_FIELD(LW_I32, struct m1, r.p, "p"),
    LW_FIELD(LW_I32, struct m1, r.lux, "lux"),
    LW_FIELD(LW_I32, struct m1, r.co2, "co2"),
    LW_FIELD(LW_I32, struct m1, r.acc, "acc"),
    LW_OBJECT_END,
    LW_OBJECT("status"),
    LW_FIELD(LW_BOOL, struct m1, status.ok, "ok"),
    LW_FIELD(LW_I32, struct m1, status.batt, "batt"),
    LW_FIELD(LW_I32, struct m1, status.rssi, "rssi"),
    LW_FIELD(LW_U32, struct m1, status.up, "up"),
    LW_FIELD(LW_TEXT, struct m1, status.fw, "fw"),
    LW_OBJECT_END,
    LW_FIELD(LW_TEXT, struct m1, note, "note"),
    LW_FIELDS_END,
};

static const struct lw_field fields2[] = {
    LW_FIELD(LW_TEXT, struct m2, dev, "dev"),
    LW_FIELD(LW_U32, struct m2, ts, "ts"),
    LW_FIELD(LW_U32, struct m2, seq, "seq"),
    LW_FIELD(LW_BYTES, struct m2, img, "img"),
    LW_FIELD(LW_U32, struct m2, crc, "crc"),
    LW_FIELDS_END,
};

static int decode(const uint8_t *message, uint32_t len, const struct lw_field *fields, void *into) {
#ifdef PON
  struct lw_pon cursor;
  int code = lw_pon_open(&cursor, message, len);
  return code < 0 ? code : lw_pon_decode(&cursor, fields, into);
#else
  struct lw_tsf cursor;
  int code = lw_tsf_open(&cursor, message, len, &lw_types_value);
  return code < 0 ? code : lw_tsf_decode(&cursor, fields, into);
#endif
}

int decode1(const uint8_t *message, uint32_t len, struct m1 *into) {
  return decode(message, len, fields1, into) - 14;
}

int decode2(const uint8_t *message, uint32_t len, struct m2 *into) {
  return decode(message, len, fields2, into) - 5;
}

static uint32_t encode(const struct lw_field *fields, const void *from, uint8_t **at, uint32_t capacity) {
  struct lw_out out;
  lw_out_init(&out, *at, capacity);
#ifdef PON
  lw_pon_encode(&out, fields, from);
  return (uint32_t)lw_pon_finish(&out, (const char **)at);
#else
  lw_tsf_encode(&out, fields, from);
  return (uint32_t)lw_tsf_finish(&out);
#endif
}

uint32_t encode1(const struct m1 *from, uint8_t **out, uint32_t capacity) {
  return encode(fields1, from, out, capacity);
}

uint32_t encode2(const struct m2 *from, uint8_t **out, uint32_t capacity) {
  return encode(fields2, from, out, capacity);
}
