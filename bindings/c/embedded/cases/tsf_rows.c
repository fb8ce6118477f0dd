/* TSF by a table of rows, and look-ups by name. */
#include "lengthwise.h"
#include "../proof.h"

#ifdef ROWS8
typedef struct lw_row8 row;
#define FILL lw_tsf_rows8
#define FIND lw_rows8_find
#else
typedef struct lw_row row;
#define FILL lw_tsf_rows
#define FIND lw_rows_find
#endif

struct table {
  row rows[17];
  const char *message;
  uint32_t of, hint;
};

static int integer(struct table *t, const char *name, uint32_t name_len, void *into) {
  int at = FIND(t->rows, t->message, t->of, name, name_len, &t->hint);
  return at < 0 ? at : lw_i32(t->message + t->rows[at].value, t->rows[at].len, into);
}

static int natural(struct table *t, const char *name, uint32_t name_len, uint32_t *into) {
  int at = FIND(t->rows, t->message, t->of, name, name_len, &t->hint);
  return at < 0 ? at : lw_u32(t->message + t->rows[at].value, t->rows[at].len, into);
}

static int text(struct table *t, const char *name, uint32_t name_len, struct text *into) {
  int at = FIND(t->rows, t->message, t->of, name, name_len, &t->hint);
  if (at < 0) return at;
  into->data = t->message + t->rows[at].value;
  into->len = t->rows[at].len;
  return 0;
}

static int enter(struct table *t, const char *name, uint32_t name_len, struct table *in) {
  int at = FIND(t->rows, t->message, t->of, name, name_len, &t->hint);
  (void)in;
  t->of = (uint32_t)at;
  return at < 0 ? at : 0;
}

int decode1(const uint8_t *message, uint32_t len, struct m1 *into) {
  struct table t;
  struct lw_tsf c;
  int bad = lw_tsf_open(&c, message, len, &lw_types_value);
  t.message = (const char *)message;
  if (bad || FILL(&c, t.rows, 17) < 0) return -1;
  t.of = t.hint = 0;
  bad |= text(&t, LW_NAME("dev"), &into->dev) | natural(&t, LW_NAME("ts"), &into->ts);
  uint32_t hint = t.hint;
  bad |= enter(&t, LW_NAME("r"), &t) | integer(&t, LW_NAME("t"), &into->r.t) | integer(&t, LW_NAME("h"), &into->r.h) | integer(&t, LW_NAME("p"), &into->r.p) |
         integer(&t, LW_NAME("lux"), &into->r.lux) | integer(&t, LW_NAME("co2"), &into->r.co2) | integer(&t, LW_NAME("acc"), &into->r.acc);
  t.of = 0;
  t.hint = hint + 1;
  bad |= enter(&t, LW_NAME("status"), &t);
  uint32_t status = t.of;
  int at = FIND(t.rows, t.message, status, LW_NAME("ok"), &t.hint);
  if (bad || at < 0) return -1;
  into->status.ok = t.message[t.rows[at].value] == 't';
  bad |= integer(&t, LW_NAME("batt"), &into->status.batt) | integer(&t, LW_NAME("rssi"), &into->status.rssi) |
         natural(&t, LW_NAME("up"), &into->status.up) | text(&t, LW_NAME("fw"), &into->status.fw);
  t.of = 0;
  t.hint = hint + 2;
  return bad | text(&t, LW_NAME("note"), &into->note);
}

int decode2(const uint8_t *message, uint32_t len, struct m2 *into) {
  struct table t;
  struct lw_tsf c;
  int bad = lw_tsf_open(&c, message, len, &lw_types_value);
  t.message = (const char *)message;
  if (bad || FILL(&c, t.rows, 17) < 0) return -1;
  t.of = t.hint = 0;
  return text(&t, LW_NAME("dev"), &into->dev) | natural(&t, LW_NAME("ts"), &into->ts) | natural(&t, LW_NAME("seq"), &into->seq) |
         text(&t, LW_NAME("img"), &into->img) | natural(&t, LW_NAME("crc"), &into->crc);
}
