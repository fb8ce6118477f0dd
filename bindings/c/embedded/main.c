/* Calls the functions that are measured, and looks at every field and every byte that comes out.
 *
 * The counting is done outside: from a function's first instruction to the return into main_ (count.py). */
#include "proof.h"

void say(const char *words);
void main_(void);

__attribute__((unused)) static int same(const void *a, const void *b, uint32_t n) {
  const uint8_t *x = a, *y = b;
  for (uint32_t i = 0; i < n; i++) {
    if (x[i] != y[i]) return 0;
  }
  return 1;
}

__attribute__((unused)) static int same_text(struct text a, struct text b) { return a.len == b.len && same(a.data, b.data, a.len); }

__attribute__((unused)) static void check(const char *what, int good) {
  say(good ? "good " : "BAD ");
  say(what);
  say("\n");
}

#ifdef DECODE
static struct m1 got1 __attribute__((section(".noinit")));
static struct m2 got2 __attribute__((section(".noinit")));

static int same1(const struct m1 *a, const struct m1 *b) {
  return same_text(a->dev, b->dev) && a->ts == b->ts && same(&a->r, &b->r, sizeof a->r) &&
         a->status.ok == b->status.ok && a->status.batt == b->status.batt && a->status.rssi == b->status.rssi &&
         a->status.up == b->status.up && same_text(a->status.fw, b->status.fw) && same_text(a->note, b->note);
}

static int same2(const struct m2 *a, const struct m2 *b) {
  return same_text(a->dev, b->dev) && a->ts == b->ts && a->seq == b->seq && same_text(a->img, b->img) &&
         a->crc == b->crc;
}
#endif

#ifdef ENCODE
static uint8_t sent[1500] __attribute__((section(".noinit")));
#endif

void main_(void) {
#ifdef DECODE
  check("decode1", decode1(message1, message1_len, &got1) == 0 && same1(&got1, &sent1));
  check("decode2", decode2(message2, message2_len, &got2) == 0 && same2(&got2, &sent2));
#endif
#ifdef WALK
  check("walk1", walk1(message1, message1_len) == 0);
#endif
#ifdef EXTRA
  check("extra1", extra1(message1, message1_len) == 0);
#endif
#ifdef GATHER
  check("gather2", gather2(&sent2) == message2_len);
  check("gather2_short", gather2_short(&sent2) != 0);
#endif
#ifdef ENCODE
  uint8_t *at = sent;
  uint32_t len = encode1(&sent1, &at, sizeof sent);
  check("encode1", len == message1_len && same(at, message1, len));
  at = sent;
  len = encode2(&sent2, &at, sizeof sent);
  check("encode2", len == message2_len && same(at, message2, len));
#endif
}
