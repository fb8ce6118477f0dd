/* A gateway: reads what a node sent, says what is wrong with it, and answers with a message of its own. */
#include <lengthwise.h>

#include <stdio.h>
#include <string.h>

#include "reading.h"

int main(int argc, char **argv) {
  static char message[1024], answer[64];
  struct reading got;
  struct lw_out out;
  char degrees[12]; /* lw_format_fixed writes it from its end */
  const char *at = message, *start = answer, *digits;
  uint32_t len = (uint32_t)fread(message, 1, sizeof message, stdin);
  int filled, sent;
  int pon = argc > 1 && strcmp(argv[1], "pon") == 0;

  memset(&got, 0, sizeof got);
  if (pon) {
    struct lw_pon cursor;
    filled = lw_pon_open(&cursor, message, len);
    if (filled == LW_OK) filled = lw_pon_decode(&cursor, reading_fields, &got);
    at = cursor.at;
  } else {
    struct lw_tsf cursor;
    filled = lw_tsf_open(&cursor, message, len, &lw_types_value);
    if (filled == LW_OK) filled = lw_tsf_decode(&cursor, reading_fields, &got);
    at = cursor.at;
  }
  if (filled < 0) {
    fprintf(stderr, "gateway: byte %ld: %s\n", (long)(at - message), lengthwise_strerror(filled));
    return 1;
  }
  digits = lw_format_fixed(degrees + sizeof degrees, got.t, 2);
  printf("%.*s at %u: %.*s degrees, %d %%, %d fields\n", (int)got.dev.len, got.dev.data, (unsigned)got.ts,
         (int)(degrees + sizeof degrees - digits), digits, (int)got.status.batt, filled);

  lw_out_init(&out, answer, sizeof answer);
  if (pon) {
    /* PON is written from its end: last member first. */
    lw_pon_put_u32(&out, LW_NAME("ts"), got.ts);
    lw_pon_put(&out, LW_NAME("re"), 's', "thanks", 6);
    lw_pon_put_container(&out, NULL, 0, '{', 0);
    sent = lw_pon_finish(&out, &start);
  } else {
    lw_tsf_put_units(&out, LW_NAME("{"), 2);
    lw_tsf_put(&out, LW_NAME("re'"), "thanks", 6);
    lw_tsf_put_u32(&out, LW_NAME("ts#"), got.ts);
    sent = lw_tsf_finish(&out);
  }
  printf("answer: %.*s\n", sent < 0 ? 0 : sent, start);
  return sent < 0;
}
