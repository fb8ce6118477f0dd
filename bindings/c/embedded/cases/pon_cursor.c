/* PON by the plain cursor and the plain writer. */
#include "lengthwise.h"
#include "../proof.h"

static void text(const struct lw_pon *c, struct text *into) {
  into->data = c->value;
  into->len = c->len;
}

int decode1(const uint8_t *message, uint32_t len, struct m1 *into) {
  static const struct lw_name names[] = {
      {LW_NAME("dev")}, {LW_NAME("ts")}, {LW_NAME("r")}, {LW_NAME("status")}, {LW_NAME("note")}};
  static const struct lw_name readings[] = {
      {LW_NAME("t")}, {LW_NAME("h")}, {LW_NAME("p")}, {LW_NAME("lux")}, {LW_NAME("co2")}, {LW_NAME("acc")}};
  static const struct lw_name status[] = {
      {LW_NAME("ok")}, {LW_NAME("batt")}, {LW_NAME("rssi")}, {LW_NAME("up")}, {LW_NAME("fw")}};
  struct lw_pon c, in;
  int code = lw_pon_open(&c, message, len);
  if (code == 0) code = lw_pon_next(&c);
  if (code > 0) code = lw_pon_enter(&c);
  lw_pon_names(&c, names, 5);
  while (code >= 0 && (code = lw_pon_next(&c)) > 0) {
    switch (c.member) {
      case 0: text(&c, &into->dev); break;
      case 1: code = lw_u32(c.value, c.len, &into->ts); break;
      case 2:
        in = c;
        code = lw_pon_enter(&in);
        lw_pon_names(&in, readings, 6);
        while (code >= 0 && (code = lw_pon_next(&in)) > 0) {
          if (in.member >= 0) code = lw_i32(in.value, in.len, &into->r.t + in.member);
        }
        break;
      case 3:
        in = c;
        code = lw_pon_enter(&in);
        lw_pon_names(&in, status, 5);
        while (code >= 0 && (code = lw_pon_next(&in)) > 0) {
          switch (in.member) {
            case 0: into->status.ok = in.kind == 't'; break;
            case 1: code = lw_i32(in.value, in.len, &into->status.batt); break;
            case 2: code = lw_i32(in.value, in.len, &into->status.rssi); break;
            case 3: code = lw_u32(in.value, in.len, &into->status.up); break;
            case 4: text(&in, &into->status.fw); break;
            default: break;
          }
        }
        break;
      case 4: text(&c, &into->note); break;
      default: break;
    }
  }
  return code;
}

int decode2(const uint8_t *message, uint32_t len, struct m2 *into) {
  static const struct lw_name names[] = {
      {LW_NAME("dev")}, {LW_NAME("ts")}, {LW_NAME("seq")}, {LW_NAME("img")}, {LW_NAME("crc")}};
  struct lw_pon c;
  int code = lw_pon_open(&c, message, len);
  if (code == 0) code = lw_pon_next(&c);
  if (code > 0) code = lw_pon_enter(&c);
  lw_pon_names(&c, names, 5);
  while (code >= 0 && (code = lw_pon_next(&c)) > 0) {
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

static uint32_t gather(const struct m2 *m, uint32_t octets) {
  static char buffer[80];
  struct lw_piece pieces[3];
  struct lw_out out;
  lw_out_init(&out, buffer, sizeof buffer);
  lw_out_gather(&out, pieces, 3);
  NATURAL("crc", m->crc);
  lw_pon_put_borrowed(&out, LW_NAME("img"), 'y', m->img.data, octets);
  NATURAL("seq", m->seq);
  NATURAL("ts", m->ts);
  TEXT("dev", m->dev);
  lw_pon_put_container(&out, NULL, 0, '{', 0);
  return (lw_pon_finish(&out, NULL)) < 0 ? 0 : out.len + out.elsewhere;
}

uint32_t gather2(const struct m2 *m) { return gather(m, m->img.len); }
uint32_t gather2_short(const struct m2 *m) { return gather(m, 1); }
