/* PON by the plain cursor and the plain writer. */
#include "lengthwise.h"
#include "../proof.h"

static void text(const struct lw_pon *c, struct text *into) {
  into->data = c->value;
  into->len = c->len;
}

enum { DEV = 2, TS, R, STATUS, NOTE, T, H, P, LUX, CO2, ACC, OK, BATT, RSSI, UP, FW, SEQ, IMG, CRC };

/* In the order of the messages. */
static const struct lw_name names1[] = {
    LW_WANTED("dev", DEV), LW_WANTED("ts", TS), LW_WANTED("r", R), LW_WANTED("status", STATUS), LW_WANTED("note", NOTE),
    LW_NAMES_END};
static const struct lw_name readings[] = {
    LW_WANTED("t", T), LW_WANTED("h", H), LW_WANTED("p", P), LW_WANTED("lux", LUX), LW_WANTED("co2", CO2),
    LW_WANTED("acc", ACC), LW_NAMES_END};
static const struct lw_name status[] = {
    LW_WANTED("ok", OK), LW_WANTED("batt", BATT), LW_WANTED("rssi", RSSI), LW_WANTED("up", UP), LW_WANTED("fw", FW),
    LW_NAMES_END};
static const struct lw_name names2[] = {
    LW_WANTED("dev", DEV), LW_WANTED("ts", TS), LW_WANTED("seq", SEQ), LW_WANTED("img", IMG), LW_WANTED("crc", CRC),
    LW_NAMES_END};

int decode1(const uint8_t *message, uint32_t len, struct m1 *into) {
  struct lw_pon c, in;
  int code = lw_pon_open(&c, message, len);
  if (code == 0) code = lw_pon_next(&c);
  if (code > 0) code = lw_pon_enter(&c, &c);
  lw_pon_names(&c, names1);
  while (code >= 0 && (code = lw_pon_next(&c)) != 0) {
    switch (code) {
      case DEV: text(&c, &into->dev); break;
      case TS: code = lw_u32(c.value, c.len, &into->ts); break;
      case R:
        code = lw_pon_enter(&c, &in);
        lw_pon_names(&in, readings);
        while (code >= 0 && (code = lw_pon_next(&in)) != 0) {
          if (code >= T) code = lw_i32(in.value, in.len, &into->r.t + (code - T));
        }
        break;
      case STATUS:
        code = lw_pon_enter(&c, &in);
        lw_pon_names(&in, status);
        while (code >= 0 && (code = lw_pon_next(&in)) != 0) {
          switch (code) {
            case OK: into->status.ok = in.kind == 't'; break;
            case BATT: code = lw_i32(in.value, in.len, &into->status.batt); break;
            case RSSI: code = lw_i32(in.value, in.len, &into->status.rssi); break;
            case UP: code = lw_u32(in.value, in.len, &into->status.up); break;
            case FW: text(&in, &into->status.fw); break;
            default: break;
          }
        }
        break;
      case NOTE: text(&c, &into->note); break;
      default: break;
    }
  }
  return code;
}

int decode2(const uint8_t *message, uint32_t len, struct m2 *into) {
  struct lw_pon c;
  int code = lw_pon_open(&c, message, len);
  if (code == 0) code = lw_pon_next(&c);
  if (code > 0) code = lw_pon_enter(&c, &c);
  lw_pon_names(&c, names2);
  while (code >= 0 && (code = lw_pon_next(&c)) != 0) {
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

#define INTEGER(name, value) lw_pon_put_i32(&out, LW_NAME(name), (value))
#define NATURAL(name, value) lw_pon_put_u32(&out, LW_NAME(name), (value))
#define TEXT(name, text) lw_pon_put(&out, LW_NAME(name), 's', (text).data, (text).len)

/* Last member first. */
uint32_t encode1(const struct m1 *m, uint8_t **at, uint32_t capacity) {
  struct lw_out out;
  lw_out_init(&out, *at, capacity);
  TEXT("note", m->note);
  uint32_t end = lw_pon_end(&out);
  TEXT("fw", m->status.fw);
  NATURAL("up", m->status.up);
  INTEGER("rssi", m->status.rssi);
  INTEGER("batt", m->status.batt);
  lw_pon_put_word(&out, LW_NAME("ok"), m->status.ok ? 't' : 'f');
  lw_pon_put_container(&out, LW_NAME("status"), '{', end);
  end = lw_pon_end(&out);
  INTEGER("acc", m->r.acc);
  INTEGER("co2", m->r.co2);
  INTEGER("lux", m->r.lux);
  INTEGER("p", m->r.p);
  INTEGER("h", m->r.h);
  INTEGER("t", m->r.t);
  lw_pon_put_container(&out, LW_NAME("r"), '{', end);
  NATURAL("ts", m->ts);
  TEXT("dev", m->dev);
  lw_pon_put_container(&out, NULL, 0, '{', 0);
  return (uint32_t)lw_pon_finish(&out, (const char **)at);
}

uint32_t encode2(const struct m2 *m, uint8_t **at, uint32_t capacity) {
  struct lw_out out;
  lw_out_init(&out, *at, capacity);
  NATURAL("crc", m->crc);
  lw_pon_put(&out, LW_NAME("img"), 'y', m->img.data, m->img.len);
  NATURAL("seq", m->seq);
  NATURAL("ts", m->ts);
  TEXT("dev", m->dev);
  lw_pon_put_container(&out, NULL, 0, '{', 0);
  return (uint32_t)lw_pon_finish(&out, (const char **)at);
}

static uint32_t in_pieces(const struct m2 *m, uint32_t octets) {
  static char buffer[80];
  struct lw_piece pieces[3];
  struct lw_gather gather;
  struct lw_out out;
  lw_out_init(&out, buffer, sizeof buffer);
  lw_gather_init(&gather, pieces, 3);
  NATURAL("crc", m->crc);
  lw_pon_put_borrowed(&out, &gather, LW_NAME("img"), 'y', m->img.data, octets);
  NATURAL("seq", m->seq);
  NATURAL("ts", m->ts);
  TEXT("dev", m->dev);
  lw_pon_put_container(&out, NULL, 0, '{', 0);
  return lw_pon_gathered(&out, &gather) < 0 ? 0 : out.len + out.elsewhere;
}

uint32_t gather2(const struct m2 *m) { return in_pieces(m, m->img.len); }
uint32_t gather2_short(const struct m2 *m) { return in_pieces(m, 1); }
