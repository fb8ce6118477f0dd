/* Nothing: what a program has that is not measured. */
#include "../proof.h"

int decode1(const uint8_t *m, uint32_t n, struct m1 *o) { (void)m; (void)n; (void)o; return 0; }
int decode2(const uint8_t *m, uint32_t n, struct m2 *o) { (void)m; (void)n; (void)o; return 0; }
int walk1(const uint8_t *m, uint32_t n) { (void)m; (void)n; return 0; }
uint32_t encode1(const struct m1 *m, uint8_t **o, uint32_t n) { (void)m; (void)o; (void)n; return 0; }
uint32_t encode2(const struct m2 *m, uint8_t **o, uint32_t n) { (void)m; (void)o; (void)n; return 0; }
uint32_t gather2(const struct m2 *m) { (void)m; return 0; }
uint32_t gather2_short(const struct m2 *m) { (void)m; return 0; }
