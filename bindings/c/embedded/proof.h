/* What every program of the proof has: the two messages' structs, and the functions that are measured. */
#ifndef PROOF_H
#define PROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
  const char *data;
  uint32_t len;
};

/* M1: names, integers, short strings; 17 units. */
struct readings {
  int32_t t, h, p, lux, co2, acc;
};
struct status {
  bool ok;
  int32_t batt, rssi;
  uint32_t up;
  struct text fw;
};
struct m1 {
  struct text dev;
  uint32_t ts;
  struct readings r;
  struct status status;
  struct text note;
};

/* M2: 1 kB of binary. */
struct m2 {
  struct text dev;
  uint32_t ts;
  uint32_t seq;
  struct text img;
  uint32_t crc;
};

extern const uint8_t message1[], message2[];
extern const uint32_t message1_len, message2_len;
extern const struct m1 sent1;
extern const struct m2 sent2;

/* 0 where all is well. */
int decode1(const uint8_t *message, uint32_t len, struct m1 *into);
int decode2(const uint8_t *message, uint32_t len, struct m2 *into);
int walk1(const uint8_t *message, uint32_t len);
int extra1(const uint8_t *message, uint32_t len);
/* The bytes written, and where: at *out at first, which may be moved. */
uint32_t encode1(const struct m1 *from, uint8_t **out, uint32_t capacity);
uint32_t encode2(const struct m2 *from, uint8_t **out, uint32_t capacity);

/* The message's bytes, its binary data being left where it is: all of it, or one byte. */
uint32_t gather2(const struct m2 *from);
uint32_t gather2_short(const struct m2 *from);

/* A place for formats that cannot leave binary data where it is. */
extern uint8_t scratch[1100];

#endif
