/* All of a format that a program can ask for, so that the linker keeps it. The calls are in functions
 * whose names begin with use_, which prove.py takes off. */
#include "lengthwise.h"
#include "../proof.h"

volatile uint32_t sink;
static const struct lw_name names[] = {LW_WANTED("dev", 2), LW_WANTED("ts", 3), LW_NAMES_END};
extern struct lw_tsf tsf;
extern struct lw_pon pon;
extern struct lw_out out;
extern struct lw_row rows[4];
struct lw_tsf tsf;
struct lw_pon pon;
struct lw_out out;
struct lw_row rows[4];

#if defined(TSF_FIELDS) || defined(PON_FIELDS)
struct values {
  int32_t a;
  int64_t b;
  int32_t items[4];
  uint32_t mask;
  uint16_t count;
};
/* Volatile: the linker keeps the codecs that are named here. */
static const struct lw_field *volatile fields;
static const struct lw_field table[] = {
    LW_FIELD(LW_I32, struct values, a, "a"),
#ifdef FIXED
    LW_FIELD(LW_FIXED2, struct values, a, "d"),
#endif
#ifdef LONG
    LW_FIELD(LW_I64, struct values, b, "b"),
#endif
#ifdef OPTIONAL
    LW_OPTIONAL(LW_I32, struct values, a, "o", mask, 0),
#endif
#ifdef ARRAY
    LW_ARRAY(LW_I32, struct values, items, count, "i"),
#endif
    LW_FIELDS_END,
};
#endif

__attribute__((used)) void use_all(void);
void use_all(void) {
  (void)names;
#ifdef TSF
  sink = (uint32_t)lw_tsf_open(&tsf, message1, message1_len, &lw_types_value);
  sink = (uint32_t)lw_tsf_next(&tsf);
  lw_tsf_names(&tsf, names);
#ifdef ROWS
  sink = (uint32_t)lw_tsf_rows(&tsf, rows, 4);
#endif
  lw_out_init(&out, scratch, sizeof scratch);
  lw_tsf_put_units(&out, LW_NAME("r{"), 2);
  lw_tsf_put(&out, LW_NAME("dev'"), "a", 1);
  lw_tsf_put_i32(&out, LW_NAME("t#"), 1);
  sink = (uint32_t)lw_tsf_finish(&out);
#endif
#ifdef PON
  sink = (uint32_t)lw_pon_open(&pon, message1, message1_len);
  sink = (uint32_t)lw_pon_next(&pon);
  sink = (uint32_t)lw_pon_enter(&pon, &pon);
  lw_pon_names(&pon, names);
#ifdef ROWS
  sink = (uint32_t)lw_pon_rows(&pon, rows, 4);
#endif
  lw_out_init(&out, scratch, sizeof scratch);
  lw_pon_put(&out, LW_NAME("dev"), 's', "a", 1);
  lw_pon_put_i32(&out, LW_NAME("t"), 1);
  lw_pon_put_container(&out, LW_NAME("r"), '{', 0);
  sink = (uint32_t)lw_pon_finish(&out, NULL);
#endif
#if defined(TSF) || defined(PON)
  int32_t value = 0;
  sink = (uint32_t)lw_i32("1", 1, &value);
#endif
#ifdef ROWS
  uint32_t hint = 0;
  sink = (uint32_t)lw_rows_find(rows, message1, 0, LW_NAME("dev"), &hint);
#endif
#if defined(TSF_FIELDS) || defined(PON_FIELDS)
  fields = table;
#endif
#ifdef TSF_FIELDS
  sink = (uint32_t)lw_tsf_open(&tsf, message1, message1_len, &lw_types_value);
  sink = (uint32_t)lw_tsf_decode(&tsf, fields, scratch);
  lw_out_init(&out, scratch, sizeof scratch);
  lw_tsf_encode(&out, fields, scratch);
  sink = (uint32_t)lw_tsf_finish(&out);
#endif
#ifdef PON_FIELDS
  sink = (uint32_t)lw_pon_open(&pon, message1, message1_len);
  sink = (uint32_t)lw_pon_decode(&pon, fields, scratch);
  lw_out_init(&out, scratch, sizeof scratch);
  lw_pon_encode(&out, fields, scratch);
  sink = (uint32_t)lw_pon_finish(&out, NULL);
#endif
}

uint8_t scratch[1100];
