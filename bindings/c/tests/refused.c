/* Tables that a compiler must refuse: run.sh compiles this with each CASE, of which only 0 is right. */
#include <lengthwise.h>

struct item {
  int32_t a;
  char pad[70000];
};

struct s {
  int16_t small;
  int32_t n;
  float f;
  bool flag;
  struct lw_text text;
  int16_t *pointer, list[3];
  uint16_t count;
  uint32_t mask;
  uint8_t bits;
  struct item items[2];
  int32_t far;
};

#define N50 "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"

static const struct lw_field items[] = {LW_FIELD(LW_I32, struct item, a, "a"), LW_FIELDS_END};

const struct lw_field *table(void);
const struct lw_field *table(void) {
  static const struct lw_field fields[] = {
#if CASE == 0
      LW_FIELD(LW_I16, struct s, small, "v"),
      LW_FIELD(LW_FIXED3, struct s, n, N50 N50 N50 N50 N50 "nnnnn"),
      LW_FIELD(LW_BOOL, struct s, flag, "b"),
      LW_OPTIONAL(LW_BYTES, struct s, text, "t", mask, 31),
      LW_ARRAY(LW_U16, struct s, list, count, "l"),
#elif CASE == 1
      LW_FIELD(LW_I32, struct s, small, "v"),
#elif CASE == 2
      LW_FIELD(LW_FIXED2, struct s, f, "f"),
#elif CASE == 3
      LW_FIELD(LW_TEXT, struct s, n, "n"),
#elif CASE == 4
      LW_FIELD(LW_BOOL, struct s, n, "n"),
#elif CASE == 5
      LW_FIELD(LW_I32, struct s, far, "v"),
#elif CASE == 6
      LW_ARRAY(LW_I16, struct s, pointer, count, "p"),
#elif CASE == 7
      LW_ARRAY(LW_I32, struct s, list, count, "l"),
#elif CASE == 8
      LW_OBJECTS(struct s, items, count, "i", items),
#elif CASE == 9
      LW_OPTIONAL(LW_I32, struct s, n, "n", bits, 0),
#elif CASE == 10
      LW_OPTIONAL(LW_I32, struct s, n, "n", mask, 32),
#elif CASE == 11
      LW_FIELD(LW_I32, struct s, n, N50 N50 N50 N50 N50 "nnnnnn"),
#elif CASE == 12
      LW_FIELD(LW_I32, struct s, n, ""),
#elif CASE == 13
      LW_FIELD(LW_I64, struct s, text, "t"),
#endif
      LW_FIELDS_END,
  };
  return items[0].kind == LW_I32 ? fields : items;
}
