/* JSON by jsmn: tokens of the whole message, then a walk over them. Binary data is base64. */
#define JSMN_STATIC
#include <jsmn.h>

#include "../proof.h"

static int is(const char *json, const jsmntok_t *token, const char *name) {
  const char *at = json + token->start;
  const char *end = json + token->end;
  while (at != end && *name != 0 && *at == *name) at++, name++;
  return at == end && *name == 0;
}

static int32_t integer(const char *json, const jsmntok_t *token) {
  const char *at = json + token->start;
  int negative = *at == '-';
  uint32_t value = 0;
  if (negative) at++;
  while (at < json + token->end) value = value * 10 + (uint32_t)(*at++ - '0');
  return (int32_t)(negative ? 0u - value : value);
}

static void text(const char *json, const jsmntok_t *token, struct text *into) {
  into->data = json + token->start;
  into->len = (uint32_t)(token->end - token->start);
}

int decode1(const uint8_t *message, uint32_t len, struct m1 *into) {
  const char *json = (const char *)message;
  jsmntok_t tokens[40];
  jsmn_parser parser;
  jsmn_init(&parser);
  int count = jsmn_parse(&parser, json, len, tokens, 40);
  if (count < 1 || tokens[0].type != JSMN_OBJECT) return -1;
  for (int i = 1; i + 1 < count; i += 2) {
    const jsmntok_t *name = &tokens[i], *value = &tokens[i + 1];
    if (is(json, name, "dev")) text(json, value, &into->dev);
    else if (is(json, name, "ts")) into->ts = (uint32_t)integer(json, value);
    else if (is(json, name, "t")) into->r.t = integer(json, value);
    else if (is(json, name, "h")) into->r.h = integer(json, value);
    else if (is(json, name, "p")) into->r.p = integer(json, value);
    else if (is(json, name, "lux")) into->r.lux = integer(json, value);
    else if (is(json, name, "co2")) into->r.co2 = integer(json, value);
    else if (is(json, name, "acc")) into->r.acc = integer(json, value);
    else if (is(json, name, "ok")) into->status.ok = json[value->start] == 't';
    else if (is(json, name, "batt")) into->status.batt = integer(json, value);
    else if (is(json, name, "rssi")) into->status.rssi = integer(json, value);
    else if (is(json, name, "up")) into->status.up = (uint32_t)integer(json, value);
    else if (is(json, name, "fw")) text(json, value, &into->status.fw);
    else if (is(json, name, "note")) text(json, value, &into->note);
  }
  return 0;
}

static int sextet(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

uint8_t scratch[1100];

int decode2(const uint8_t *message, uint32_t len, struct m2 *into) {
  const char *json = (const char *)message;
  jsmntok_t tokens[16];
  jsmn_parser parser;
  jsmn_init(&parser);
  int count = jsmn_parse(&parser, json, len, tokens, 16);
  if (count < 1 || tokens[0].type != JSMN_OBJECT) return -1;
  for (int i = 1; i + 1 < count; i += 2) {
    const jsmntok_t *name = &tokens[i], *value = &tokens[i + 1];
    if (is(json, name, "dev")) text(json, value, &into->dev);
    else if (is(json, name, "ts")) into->ts = (uint32_t)integer(json, value);
    else if (is(json, name, "seq")) into->seq = (uint32_t)integer(json, value);
    else if (is(json, name, "crc")) into->crc = (uint32_t)integer(json, value);
    else if (is(json, name, "img")) {
      uint32_t bits = 0, have = 0, octets = 0;
      for (int at = value->start; at < value->end && json[at] != '='; at++) {
        int six = sextet(json[at]);
        if (six < 0) return -1;
        bits = bits << 6 | (uint32_t)six;
        have += 6;
        if (have >= 8) {
          have -= 8;
          scratch[octets++] = (uint8_t)(bits >> have);
        }
      }
      into->img.data = (const char *)scratch;
      into->img.len = octets;
    }
  }
  return 0;
}

int walk1(const uint8_t *message, uint32_t len) {
  jsmntok_t tokens[40];
  jsmn_parser parser;
  jsmn_init(&parser);
  return jsmn_parse(&parser, (const char *)message, len, tokens, 40) < 0;
}
