/* What the node sends and the gateway reads: a struct, and what is where in it. */
#ifndef READING_H
#define READING_H

#include <lengthwise.h>

struct reading {
  struct lw_text dev;
  uint32_t ts;
  int32_t t; /* hundredths of a degree */
  struct {
    bool ok;
    int32_t batt; /* per cent */
  } status;
};

static const struct lw_field reading_fields[] = {
    LW_FIELD(LW_TEXT, struct reading, dev, "dev"),
    LW_FIELD(LW_U32, struct reading, ts, "ts"),
    LW_FIELD(LW_FIXED2, struct reading, t, "t"),
    LW_OBJECT("status"),
    LW_FIELD(LW_BOOL, struct reading, status.ok, "ok"),
    LW_FIELD(LW_I32, struct reading, status.batt, "batt"),
    LW_OBJECT_END,
    LW_FIELDS_END,
};

#endif
