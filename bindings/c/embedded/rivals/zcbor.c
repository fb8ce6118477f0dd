/* CBOR with text for keys by zcbor: members in the order in which its generated code expects them. */
#include <zcbor_decode.h>
#include <zcbor_encode.h>

#include "../proof.h"

static bool text(zcbor_state_t *state, struct text *into) {
  struct zcbor_string found;
  if (!zcbor_tstr_decode(state, &found)) return false;
  into->data = (const char *)found.value;
  into->len = (uint32_t)found.len;
  return true;
}

#define KEY(name) zcbor_tstr_expect_ptr(state, (name), sizeof(name) - 1)

int decode1(const uint8_t *message, uint32_t len, struct m1 *into) {
  ZCBOR_STATE_D(state, 2, message, len, 1, 0);
  return !(zcbor_map_start_decode(state) && KEY("dev") && text(state, &into->dev) && KEY("ts") &&
           zcbor_uint32_decode(state, &into->ts) && KEY("r") && zcbor_map_start_decode(state) && KEY("t") &&
           zcbor_int32_decode(state, &into->r.t) && KEY("h") && zcbor_int32_decode(state, &into->r.h) && KEY("p") &&
           zcbor_int32_decode(state, &into->r.p) && KEY("lux") && zcbor_int32_decode(state, &into->r.lux) &&
           KEY("co2") && zcbor_int32_decode(state, &into->r.co2) && KEY("acc") &&
           zcbor_int32_decode(state, &into->r.acc) && zcbor_map_end_decode(state) && KEY("status") &&
           zcbor_map_start_decode(state) && KEY("ok") && zcbor_bool_decode(state, &into->status.ok) && KEY("batt") &&
           zcbor_int32_decode(state, &into->status.batt) && KEY("rssi") &&
           zcbor_int32_decode(state, &into->status.rssi) && KEY("up") &&
           zcbor_uint32_decode(state, &into->status.up) && KEY("fw") && text(state, &into->status.fw) &&
           zcbor_map_end_decode(state) && KEY("note") && text(state, &into->note) && zcbor_map_end_decode(state));
}

int decode2(const uint8_t *message, uint32_t len, struct m2 *into) {
  struct zcbor_string image;
  ZCBOR_STATE_D(state, 1, message, len, 1, 0);
  if (!(zcbor_map_start_decode(state) && KEY("dev") && text(state, &into->dev) && KEY("ts") &&
        zcbor_uint32_decode(state, &into->ts) && KEY("seq") && zcbor_uint32_decode(state, &into->seq) && KEY("img") &&
        zcbor_bstr_decode(state, &image) && KEY("crc") && zcbor_uint32_decode(state, &into->crc) &&
        zcbor_map_end_decode(state))) {
    return -1;
  }
  into->img.data = (const char *)image.value;
  into->img.len = (uint32_t)image.len;
  return 0;
}

#define PUT_KEY(name) zcbor_tstr_encode_ptr(state, (name), sizeof(name) - 1)
#define PUT_TEXT(text) zcbor_tstr_encode_ptr(state, (text).data, (text).len)

uint32_t encode1(const struct m1 *m, uint8_t **at, uint32_t capacity) {
  ZCBOR_STATE_E(state, 2, *at, capacity, 1);
  bool good = zcbor_map_start_encode(state, 5) && PUT_KEY("dev") && PUT_TEXT(m->dev) && PUT_KEY("ts") &&
              zcbor_uint32_put(state, m->ts) && PUT_KEY("r") && zcbor_map_start_encode(state, 6) && PUT_KEY("t") &&
              zcbor_int32_put(state, m->r.t) && PUT_KEY("h") && zcbor_int32_put(state, m->r.h) && PUT_KEY("p") &&
              zcbor_int32_put(state, m->r.p) && PUT_KEY("lux") && zcbor_int32_put(state, m->r.lux) && PUT_KEY("co2") &&
              zcbor_int32_put(state, m->r.co2) && PUT_KEY("acc") && zcbor_int32_put(state, m->r.acc) &&
              zcbor_map_end_encode(state, 6) && PUT_KEY("status") && zcbor_map_start_encode(state, 5) &&
              PUT_KEY("ok") && zcbor_bool_put(state, m->status.ok) && PUT_KEY("batt") &&
              zcbor_int32_put(state, m->status.batt) && PUT_KEY("rssi") && zcbor_int32_put(state, m->status.rssi) &&
              PUT_KEY("up") && zcbor_uint32_put(state, m->status.up) && PUT_KEY("fw") && PUT_TEXT(m->status.fw) &&
              zcbor_map_end_encode(state, 5) && PUT_KEY("note") && PUT_TEXT(m->note) && zcbor_map_end_encode(state, 5);
  return good ? (uint32_t)(state->payload - *at) : 0;
}

uint32_t encode2(const struct m2 *m, uint8_t **at, uint32_t capacity) {
  ZCBOR_STATE_E(state, 1, *at, capacity, 1);
  bool good = zcbor_map_start_encode(state, 5) && PUT_KEY("dev") && PUT_TEXT(m->dev) && PUT_KEY("ts") &&
              zcbor_uint32_put(state, m->ts) && PUT_KEY("seq") && zcbor_uint32_put(state, m->seq) && PUT_KEY("img") &&
              zcbor_bstr_encode_ptr(state, m->img.data, m->img.len) && PUT_KEY("crc") &&
              zcbor_uint32_put(state, m->crc) && zcbor_map_end_encode(state, 5);
  return good ? (uint32_t)(state->payload - *at) : 0;
}
