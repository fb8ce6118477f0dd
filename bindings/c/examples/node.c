/* A sensor node: fills a struct and sends it, as TSF or as PON, from a buffer of its own.
 *
 *     node tsf | gateway tsf
 */
#include <lengthwise.h>

#include <stdio.h>
#include <string.h>

#include "reading.h"

int main(int argc, char **argv) {
  static char buffer[128];
  struct reading now;
  struct lw_out out;
  const char *start = buffer;
  int len;

  now.dev.data = "eui-70b3d57ed0051c2e";
  now.dev.len = (uint32_t)strlen(now.dev.data);
  now.ts = 1712345678;
  now.t = 2157;
  now.status.ok = true;
  now.status.batt = 87;

  lw_out_init(&out, buffer, sizeof buffer);
  if (argc > 1 && strcmp(argv[1], "pon") == 0) {
    lw_pon_encode(&out, reading_fields, &now);
    len = lw_pon_finish(&out, &start);
  } else {
    lw_tsf_encode(&out, reading_fields, &now);
    len = lw_tsf_finish(&out);
  }
  if (len < 0) {
    fprintf(stderr, "node: %s\n", lengthwise_strerror(len));
    return 1;
  }
  return fwrite(start, 1, (size_t)len, stdout) == (size_t)len ? 0 : 1;
}
