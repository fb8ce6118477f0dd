/* TSF by the plain cursor and the plain writer. */
#include "lengthwise.h"
#include "../proof.h"

static void text(const struct lw_tsf *c, struct text *into) {
  into->data = c->value;
  into->len = c->len;
}

int decode1(const uint8_t *message, uint32_t len, struct m1 *into) {
  static const struct lw_name names[] = {
      {LW_NAME("dev")}, {LW_NAME("ts")}, {LW_NAME("r")}, {LW_NAME("t")}, {LW_NAME("h")}, {LW_NAME("p")}, {LW_NAME("lux")}, {LW_NAME("co2")}, {LW_NAME("acc")}, {LW_NAME("status")}, {LW_NAME("ok")}, {LW_NAME("batt")}, {LW_NAME("rssi")}, {LW_NAME("up")}, {LW_NAME("fw")}, {LW_NAME("note")}};
  struct lw_tsf c;
  int code = lw_tsf_open(&c, message, len, &lw_types_value);
  if (code == 0) code = lw_tsf_next(&c);
  lw_tsf_names(&c, names, sizeof names / sizeof names[0]);
  while (code >= 0 && (code = lw_tsf_next(&c)) > 0) {
    switch (c.member) {
      case 0: text(&c, &into->dev); break;
      case 1: code = lw_u32(c.value, c.len, &into->ts); break;
      case 3: case 4: case 5: case 6: case 7: case 8:
        code = lw_i32(c.value, c.len, &into->r.t + (c.member - 3));
        break;
      case 10: into->status.ok = *c.value == 't'; break;
      case 11: code = lw_i32(c.value, c.len, &into->status.batt); break;
      case 12: code = lw_i32(c.value, c.len, &into->status.rssi); break;
      case 13: code = lw_u32(c.value, c.len, &into->status.up); break;
      case 14: text(&c, &into->status.fw); break;
      case 15: text(&c, &into->note); break;
      default: break;
    }
  }
  return code;
}

int decode2(const uint8_t *message, uint32_t len, struct m2 *into) {
  static const struct lw_name names[] = {
      {LW_NAME("dev")}, {LW_NAME("ts")}, {LW_NAME("seq")}, {LW_NAME("img")}, {LW_NAME("crc")}};
  struct lw_tsf c;
  int code = lw_tsf_open(&c, message, len, &lw_types_value);
  if (code == 0) code = lw_tsf_next(&c);
  lw_tsf_names(&c, names, sizeof names / sizeof names[0]);
  while (code >= 0 && (code = lw_tsf_next(&c)) > 0) {
    switch (c.member) {
      case 0: text(&c, &into->dev); break;
      case 1: code = lw_u32(c.value, c.len, &into->ts); break;
      case 2: code = lw_u32(c.value, c.len, &into->seq); break;
      case 3: text(&c, &into->img); break;
      case 4: code = lw_u32(c.value, c.len, &into->crc); break;
      default: break;
    }
  }
  return code;
}

int walk1(const uint8_t *message, uint32_t len) {
  struct lw_tsf c;
  int code = lw_tsf_open(&c, message, len, &lw_types_value);
  while (code >= 0 && (code = lw_tsf_next(&c)) > 0) {
  }
  return code;
}

#define INTEGER(name, value) lw_tsf_put_i32(&out, LW_NAME(name), '#', (value))
#define NATURAL(name, value) lw_tsf_put_u32(&out, LW_NAME(name), '#', (value))
#define TEXT(name, text) lw_tsf_put(&out, LW_NAME(name), '\'', (text).data, (text).len)

uint32_t encode1(const struct m1 *m, uint8_t **at, uint32_t capacity) {
  struct lw_out out;
  lw_out_init(&out, *at, capacity);
  lw_tsf_put_units(&out, NULL, 0, '{', 5);
  TEXT("dev", m->dev);
  NATURAL("ts", m->ts);
  lw_tsf_put_units(&out, LW_NAME("r"), '{', 6);
  INTEGER("t", m->r.t);
  INTEGER("h", m->r.h);
  INTEGER("p", m->r.p);
  INTEGER("lux", m->r.lux);
  INTEGER("co2", m->r.co2);
  INTEGER("acc", m->r.acc);
  lw_tsf_put_units(&out, LW_NAME("status"), '{', 5);
  lw_tsf_put(&out, LW_NAME("ok"), '?', m->status.ok ? "t" : "f", 1);
  INTEGER("batt", m->status.batt);
  INTEGER("rssi", m->status.rssi);
  NATURAL("up", m->status.up);
  TEXT("fw", m->status.fw);
  TEXT("note", m->note);
  return (uint32_t)lw_tsf_finish(&out);
}

uint32_t encode2(const struct m2 *m, uint8_t **at, uint32_t capacity) {
  struct lw_out out;
  lw_out_init(&out, *at, capacity);
  lw_tsf_put_units(&out, NULL, 0, '{', 5);
  TEXT("dev", m->dev);
  NATURAL("ts", m->ts);
  NATURAL("seq", m->seq);
  lw_tsf_put(&out, LW_NAME("img"), '*', m->img.data, m->img.len);
  NATURAL("crc", m->crc);
  return (uint32_t)lw_tsf_finish(&out);
}

static uint32_t gather(const struct m2 *m, uint32_t octets) {
  static char buffer[80];
  struct lw_piece pieces[3];
  struct lw_out out;
  lw_out_init(&out, buffer, sizeof buffer);
  lw_out_gather(&out, pieces, 3);
  lw_tsf_put_units(&out, NULL, 0, '{', 5);
  TEXT("dev", m->dev);
  NATURAL("ts", m->ts);
  NATURAL("seq", m->seq);
  lw_tsf_put_borrowed(&out, LW_NAME("img"), '*', m->img.data, octets);
  NATURAL("crc", m->crc);
  return (lw_tsf_finish(&out)) < 0 ? 0 : out.len + out.elsewhere;
}

uint32_t gather2(const struct m2 *m) { return gather(m, m->img.len); }
uint32_t gather2_short(const struct m2 *m) { return gather(m, 1); }
