/* TSF by the plain cursor and the plain writer. */
#include "lengthwise.h"
#include "../proof.h"

static void text(const struct lw_tsf *c, struct text *into) {
  into->data = c->value;
  into->len = c->len;
}

enum { DEV = 2, TS, T, H, P, LUX, CO2, ACC, OK, BATT, RSSI, UP, FW, NOTE, SEQ, IMG, CRC };

/* In the order of the messages. What is in r and status follows these; nobody asks for these themselves. */
static const struct lw_name names1[] = {
    LW_WANTED("dev", DEV), LW_WANTED("ts", TS), LW_WANTED("r", 1), LW_WANTED("t", T), LW_WANTED("h", H),
    LW_WANTED("p", P), LW_WANTED("lux", LUX), LW_WANTED("co2", CO2), LW_WANTED("acc", ACC), LW_WANTED("status", 1),
    LW_WANTED("ok", OK), LW_WANTED("batt", BATT), LW_WANTED("rssi", RSSI), LW_WANTED("up", UP), LW_WANTED("fw", FW),
    LW_WANTED("note", NOTE), LW_NAMES_END};
static const struct lw_name names2[] = {
    LW_WANTED("dev", DEV), LW_WANTED("ts", TS), LW_WANTED("seq", SEQ), LW_WANTED("img", IMG), LW_WANTED("crc", CRC),
    LW_NAMES_END};

int decode1(const uint8_t *message, uint32_t len, struct m1 *into) {
  struct lw_tsf c;
  int code = lw_tsf_open(&c, message, len, &lw_types_value);
  if (code == 0) code = lw_tsf_next(&c);
  lw_tsf_names(&c, names1);
  while (code >= 0 && (code = lw_tsf_next(&c)) != 0) {
    switch (code) {
      case DEV: text(&c, &into->dev); break;
      case TS: code = lw_u32(c.value, c.len, &into->ts); break;
      case T: case H: case P: case LUX: case CO2: case ACC:
        code = lw_i32(c.value, c.len, &into->r.t + (code - T));
        break;
      case OK: into->status.ok = *c.value == 't'; break;
      case BATT: code = lw_i32(c.value, c.len, &into->status.batt); break;
      case RSSI: code = lw_i32(c.value, c.len, &into->status.rssi); break;
      case UP: code = lw_u32(c.value, c.len, &into->status.up); break;
      case FW: text(&c, &into->status.fw); break;
      case NOTE: text(&c, &into->note); break;
      default: break;
    }
  }
  return code;
}

int decode2(const uint8_t *message, uint32_t len, struct m2 *into) {
  struct lw_tsf c;
  int code = lw_tsf_open(&c, message, len, &lw_types_value);
  if (code == 0) code = lw_tsf_next(&c);
  lw_tsf_names(&c, names2);
  while (code >= 0 && (code = lw_tsf_next(&c)) != 0) {
    switch (code) {
      case DEV: text(&c, &into->dev); break;
      case TS: code = lw_u32(c.value, c.len, &into->ts); break;
      case SEQ: code = lw_u32(c.value, c.len, &into->seq); break;
      case IMG: text(&c, &into->img); break;
      case CRC: code = lw_u32(c.value, c.len, &into->crc); break;
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

#define INTEGER(name, value) lw_tsf_put_i32(&out, LW_NAME(name "#"), (value))
#define NATURAL(name, value) lw_tsf_put_u32(&out, LW_NAME(name "#"), (value))
#define TEXT(name, text) lw_tsf_put(&out, LW_NAME(name "'"), (text).data, (text).len)

uint32_t encode1(const struct m1 *m, uint8_t **at, uint32_t capacity) {
  struct lw_out out;
  lw_out_init(&out, *at, capacity);
  lw_tsf_put_units(&out, LW_NAME("{"), 5);
  TEXT("dev", m->dev);
  NATURAL("ts", m->ts);
  lw_tsf_put_units(&out, LW_NAME("r{"), 6);
  INTEGER("t", m->r.t);
  INTEGER("h", m->r.h);
  INTEGER("p", m->r.p);
  INTEGER("lux", m->r.lux);
  INTEGER("co2", m->r.co2);
  INTEGER("acc", m->r.acc);
  lw_tsf_put_units(&out, LW_NAME("status{"), 5);
  lw_tsf_put(&out, LW_NAME("ok?"), m->status.ok ? "t" : "f", 1);
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
  lw_tsf_put_units(&out, LW_NAME("{"), 5);
  TEXT("dev", m->dev);
  NATURAL("ts", m->ts);
  NATURAL("seq", m->seq);
  lw_tsf_put(&out, LW_NAME("img*"), m->img.data, m->img.len);
  NATURAL("crc", m->crc);
  return (uint32_t)lw_tsf_finish(&out);
}

static uint32_t in_pieces(const struct m2 *m, uint32_t octets) {
  static char buffer[80];
  struct lw_piece pieces[3];
  struct lw_gather gather;
  struct lw_out out;
  lw_out_init(&out, buffer, sizeof buffer);
  lw_gather_init(&gather, pieces, 3);
  lw_tsf_put_units(&out, LW_NAME("{"), 5);
  TEXT("dev", m->dev);
  NATURAL("ts", m->ts);
  NATURAL("seq", m->seq);
  lw_tsf_put_borrowed(&out, &gather, LW_NAME("img*"), m->img.data, octets);
  NATURAL("crc", m->crc);
  return lw_tsf_gathered(&out, &gather) < 0 ? 0 : out.len + out.elsewhere;
}

uint32_t gather2(const struct m2 *m) { return in_pieces(m, m->img.len); }
uint32_t gather2_short(const struct m2 *m) { return in_pieces(m, 1); }
