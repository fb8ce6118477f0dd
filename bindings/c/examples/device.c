/* A device that keeps samples and sends them as one message, and reads such a message again. It needs no library of C, no
 * heap and no more than its buffer: the same program runs on a Cortex-M0+ and on a host. */
#include <lengthwise.h>

struct sample {
  int64_t at; /* microseconds since the start */
  int16_t x, y, z;
};

static const struct lw_field sample_fields[] = {
    LW_FIELD(LW_I64, struct sample, at, "at"),
    LW_FIELD(LW_I16, struct sample, x, "x"),
    LW_FIELD(LW_I16, struct sample, y, "y"),
    LW_FIELD(LW_I16, struct sample, z, "z"),
    LW_FIELDS_END,
};

enum { HAS_TEMPERATURE, HAS_ERRORS };

struct report {
  uint64_t device;
  uint32_t present; /* bits HAS_... */
  int32_t temperature; /* hundredths of a degree */
  uint16_t errors[4], error_count;
  struct sample samples[8];
  uint16_t sample_count;
};

static const struct lw_field report_fields[] = {
    LW_FIELD(LW_U64, struct report, device, "dev"),
    LW_OPTIONAL(LW_FIXED2, struct report, temperature, "t", present, HAS_TEMPERATURE),
    LW_OPTIONAL_ARRAY(LW_U16, struct report, errors, error_count, "err", present, HAS_ERRORS),
    LW_OBJECTS(struct report, samples, sample_count, "data", sample_fields),
    LW_FIELDS_END,
};

/* 0 where the message is the struct again. */
static int compare(const struct report *a, const struct report *b) {
  uint16_t i;
  if (a->device != b->device || a->present != b->present || a->temperature != b->temperature) return 1;
  if (a->error_count != b->error_count || a->sample_count != b->sample_count) return 1;
  for (i = 0; i < a->sample_count; i++) {
    const struct sample *one = &a->samples[i], *other = &b->samples[i];
    if (one->at != other->at || one->x != other->x || one->y != other->y || one->z != other->z) return 1;
  }
  return 0;
}

int main(void) {
  static char buffer[512];
  /* Each message is read into a struct that is clear: what it leaves out keeps its value. */
  static struct report sent, got, again;
  struct lw_out out;
  struct lw_tsf tsf;
  struct lw_pon pon;
  const char *start = buffer;
  int len;

  sent.device = 18446744073709551615u;
  sent.temperature = -1250;
  sent.present = 1u << HAS_TEMPERATURE;
  for (sent.sample_count = 0; sent.sample_count < 5; sent.sample_count++) {
    struct sample *sample = &sent.samples[sent.sample_count];
    sample->at = 5000000000 + sent.sample_count;
    sample->x = (int16_t)(sent.sample_count * 1000 - 2000);
    sample->z = 981;
  }

  lw_out_init(&out, buffer, sizeof buffer);
  lw_tsf_encode(&out, report_fields, &sent);
  len = lw_tsf_finish(&out);
  if (len < 0 || lw_tsf_open(&tsf, buffer, (uint32_t)len, &lw_types_value) < 0) return 1;
  if (lw_tsf_decode(&tsf, report_fields, &got) < 0 || compare(&sent, &got) != 0) return 1;

  lw_out_init(&out, buffer, sizeof buffer);
  lw_pon_encode(&out, report_fields, &sent);
  len = lw_pon_finish(&out, &start);
  if (len < 0 || lw_pon_open(&pon, start, (uint32_t)len) < 0) return 1;
  return lw_pon_decode(&pon, report_fields, &again) < 0 || compare(&sent, &again) != 0;
}
