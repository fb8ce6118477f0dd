/* Structs in arrays, DEPTH levels of them, for the stack that they take: see LW_STACK_BYTES. */
#include "lengthwise.h"
#include "../proof.h"

struct leaf {
  int64_t a;
  int32_t b;
  uint32_t present;
  uint16_t c[2], count;
};
static const struct lw_field fields0[] = {
    LW_OPTIONAL(LW_I64, struct leaf, a, "a", present, 0),
    LW_OPTIONAL(LW_FIXED2, struct leaf, b, "b", present, 1),
    LW_OPTIONAL_ARRAY(LW_U16, struct leaf, c, count, "c", present, 2),
    LW_FIELDS_END,
};
struct level1 {
  struct leaf items[1];
  uint16_t count;
};
static const struct lw_field fields1[] = {LW_OBJECTS(struct level1, items, count, "i", fields0), LW_FIELDS_END};
struct level2 {
  struct level1 items[1];
  uint16_t count;
};
static const struct lw_field fields2[] = {LW_OBJECTS(struct level2, items, count, "i", fields1), LW_FIELDS_END};

#define PASTE(a, b) a##b
#define FIELDS(depth) PASTE(fields, depth)

int extra1(const uint8_t *message, uint32_t len) {
  static struct level2 sent, got;
  static char buffer[200];
  const char *start;
  struct lw_out out;
  struct lw_tsf tsf;
  struct lw_pon pon;
  struct leaf *leaf = &sent.items[0].items[0], *read = &got.items[0].items[0];
  int code;
  (void)message, (void)len, (void)fields0, (void)fields1, (void)fields2;
  leaf->a = -5000000000;
  leaf->b = -1250;
  leaf->present = 7;
  leaf->count = 2;
  sent.count = sent.items[0].count = 1;
  lw_out_init(&out, buffer, sizeof buffer);
  lw_tsf_encode(&out, FIELDS(DEPTH), &sent);
  code = lw_tsf_finish(&out);
  if (code < 0 || lw_tsf_open(&tsf, buffer, (uint32_t)code, &lw_types_value) < 0) return -1;
  if (lw_tsf_decode(&tsf, FIELDS(DEPTH), &got) < 0 || read->a != leaf->a || read->b != leaf->b) return -1;
  read->a = 0;
  lw_out_init(&out, buffer, sizeof buffer);
  lw_pon_encode(&out, FIELDS(DEPTH), &sent);
  code = lw_pon_finish(&out, &start);
  if (code < 0 || lw_pon_open(&pon, start, (uint32_t)code) < 0) return -1;
  return lw_pon_decode(&pon, FIELDS(DEPTH), &got) < 0 || read->a != leaf->a || read->count != 2;
}
