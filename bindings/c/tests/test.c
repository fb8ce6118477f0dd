/* The library as C and C++ see it: compiled as C99, C11 and C++17 with every warning an error (run.sh).
 * Expected bytes are worked by hand from docs/formats. */
#include <lengthwise.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

#define CHECK(condition)                                             \
  do {                                                               \
    if (!(condition)) {                                              \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      failures++;                                                    \
    }                                                                \
  } while (0)

struct reading {
  struct lw_text room;
  int32_t t;
  struct {
    uint32_t up;
    bool ok;
  } status;
};

static const struct lw_field fields[] = {
    LW_FIELD(LW_TEXT, struct reading, room, "room"),
    LW_FIELD(LW_FIXED2, struct reading, t, "t"),
    LW_OBJECT("status"),
    LW_FIELD(LW_U32, struct reading, status.up, "up"),
    LW_FIELD(LW_BOOL, struct reading, status.ok, "ok"),
    LW_OBJECT_END,
    LW_FIELDS_END,
};

struct pair {
  struct lw_text zip, ok;
};

static const char in_tsf[] = "3{5room'attic5t%21.502status{6up#8640001ok?t";
static const char in_pon[] = "46{room:5sattict:5d21.50status:15{up:6i864000ok:t";

static int is(const char *data, uint32_t len, const char *wanted) {
  return len == strlen(wanted) && memcmp(data, wanted, len) == 0;
}

static void open_tsf(struct lw_tsf *cursor, const char *message) {
  CHECK(lw_tsf_open(cursor, message, (uint32_t)strlen(message), &lw_types_value) == LW_OK);
}

static void structs(void) {
  struct lw_tsf tsf;
  struct lw_pon pon;
  struct lw_out out;
  struct reading got;
  char buffer[64];
  const char *start = NULL;
  int len, way;

  CHECK(lw_check_fields(fields) == 0);
  for (way = 0; way < 2; way++) {
    memset(&got, 0, sizeof got);
    if (way == 0) {
      open_tsf(&tsf, in_tsf);
      CHECK(lw_tsf_decode(&tsf, fields, &got) == 4);
      CHECK(tsf.at == in_tsf + strlen(in_tsf));
    } else {
      CHECK(lw_pon_open(&pon, in_pon, (uint32_t)strlen(in_pon)) == LW_OK);
      CHECK(lw_pon_decode(&pon, fields, &got) == 4);
      CHECK(pon.at == in_pon + strlen(in_pon));
    }
    CHECK(is(got.room.data, got.room.len, "attic"));
    CHECK(got.t == 2150 && got.status.up == 864000 && got.status.ok);
    lw_out_init(&out, buffer, sizeof buffer);
    lw_tsf_encode(&out, fields, &got);
    len = lw_tsf_finish(&out);
    CHECK(len > 0 && is(buffer, (uint32_t)len, in_tsf));
    lw_out_init(&out, buffer, sizeof buffer);
    lw_pon_encode(&out, fields, &got);
    len = lw_pon_finish(&out, &start);
    CHECK(len > 0 && is(start, (uint32_t)len, in_pon));
    CHECK(start + len == buffer + sizeof buffer);
  }
  open_tsf(&tsf, "1{5room#attic");
  CHECK(lw_tsf_decode(&tsf, fields, &got) == LW_SCHEMA && tsf.at[0] == '5');
  open_tsf(&tsf, "1{2status{2up#-11ok?t");
  CHECK(lw_tsf_decode(&tsf, fields, &got) == LW_LIMIT);
  CHECK(strncmp(lengthwise_strerror(LW_LIMIT), "limit", 5) == 0);

  /* Text alone begins with a zero, so that nobody takes it for tokens of JSON; it is read as any other. */
  {
    static const struct lw_field texts[] = {LW_FIELD(LW_TEXT, struct pair, zip, "zip"), LW_OBJECT("o"),
                                            LW_FIELD(LW_TEXT, struct pair, ok, "ok"), LW_OBJECT_END, LW_FIELDS_END};
    static const char in_text[] = "02{5zip'101151o{4ok'true";
    struct pair pair;
    memset(&pair, 0, sizeof pair);
    open_tsf(&tsf, in_text);
    CHECK(lw_tsf_decode(&tsf, texts, &pair) == 2 && is(pair.zip.data, pair.zip.len, "10115"));
    CHECK(is(pair.ok.data, pair.ok.len, "true"));
    lw_out_init(&out, buffer, sizeof buffer);
    lw_tsf_encode(&out, texts, &pair);
    len = lw_tsf_finish(&out);
    CHECK(len > 0 && is(buffer, (uint32_t)len, in_text));
  }

  /* The functions themselves, which LW_NO_DECIMALS leaves, do not read and write decimals. */
  open_tsf(&tsf, in_tsf);
  CHECK((lw_tsf_decode)(&tsf, fields, &got) == LW_UNSUPPORTED && tsf.at[1] == 't');
  CHECK(lw_pon_open(&pon, in_pon, (uint32_t)strlen(in_pon)) == LW_OK);
  CHECK((lw_pon_decode)(&pon, fields, &got) == LW_UNSUPPORTED && pon.at[0] == 't');
  lw_out_init(&out, buffer, sizeof buffer);
  (lw_tsf_encode)(&out, fields, &got);
  CHECK(lw_tsf_finish(&out) == LW_UNSUPPORTED);
  lw_out_init(&out, buffer, sizeof buffer);
  (lw_pon_encode)(&out, fields, &got);
  CHECK(lw_pon_finish(&out, &start) == LW_UNSUPPORTED);
  CHECK(strcmp(lengthwise_strerror(3), "ok") == 0);
}

struct values {
  int16_t a;
  uint16_t b;
  int32_t c, d, e;
  uint32_t f;
  bool g, h;
  struct lw_text i, j;
};

static const struct lw_field values[] = {
    LW_FIELD(LW_BOOL, struct values, g, "g"),
    LW_OBJECT("x"),
    LW_FIELD(LW_I16, struct values, a, "a"),
    LW_OBJECT("empty"),
    LW_OBJECT_END,
    LW_FIELD(LW_U16, struct values, b, "b"),
    LW_OBJECT("y"),
    LW_FIELD(LW_I32, struct values, c, "c"),
    LW_FIELD(LW_FIXED9, struct values, d, "d"),
    LW_OBJECT_END,
    LW_OBJECT_END,
    LW_FIELD(LW_TEXT, struct values, i, "i"),
    LW_FIELD(LW_BYTES, struct values, j, "j"),
    LW_FIELD(LW_FIXED1, struct values, e, "e"),
    LW_FIELD(LW_U32, struct values, f, "f"),
    LW_FIELD(LW_BOOL, struct values, h, "h"),
    LW_FIELDS_END,
};

static const char values_in_tsf[] =
    "7{1g?f4x{6a#-327680empty{5b#655352y{11c#-214748364812d%-2.1474836480i'12j*twelve bytes3e%0.710f#42949672951h?t";
static const char values_in_pon[] =
    "119{g:fx:65{a:6i-32768empty:0{b:5i65535y:33{c:11i-2147483648d:12d-2.147483648i:0sj:12ytwelve bytese:3d0.7f:"
    "10i4294967295h:t";

/* A table of fields into buffers of every size: what has no room is counted, and nothing is written beside the buffer. */
static void buffers(void) {
  struct values all;
  uint32_t capacity;
  int way;
  memset(&all, 0, sizeof all);
  all.a = -32768;
  all.b = 65535;
  all.c = all.d = -2147483647 - 1;
  all.e = 7;
  all.f = 4294967295u;
  all.h = true;
  all.j.data = "twelve bytes";
  all.j.len = 12;
  CHECK(lw_check_fields(values) == 0);
  for (way = 0; way < 2; way++) {
    const char *wanted = way == 0 ? values_in_tsf : values_in_pon, *start;
    uint32_t full = (uint32_t)strlen(wanted), i;
    for (capacity = 0; capacity < full + 30; capacity++) {
      char memory[200];
      struct lw_out out;
      int len;
      memset(memory, '#', sizeof memory);
      start = memory + 16;
      lw_out_init(&out, memory + 16, capacity);
      if (way == 0) {
        lw_tsf_encode(&out, values, &all);
        len = lw_tsf_finish(&out);
      } else {
        lw_pon_encode(&out, values, &all);
        len = lw_pon_finish(&out, &start);
      }
      CHECK(out.len == full);
      CHECK(capacity < full ? len == LW_LIMIT : len == (int)full && is(start, full, wanted));
      for (i = 0; i < sizeof memory; i++) CHECK((i >= 16 && i < 16 + capacity) || memory[i] == '#');
    }
  }
}

static void cursors(void) {
  enum { ROOM = 2, T, STATUS, OK };
  static const struct lw_name names[] = {LW_WANTED("room", ROOM), LW_WANTED("t", T), LW_WANTED("status", STATUS),
                                         LW_WANTED("ok", OK), LW_NAMES_END};
  struct lw_tsf tsf;
  struct lw_pon pon, inner;
  int32_t value = 0;
  uint32_t until, hint = 0;
  struct lw_row rows[LW_TSF_ROWS(sizeof in_tsf)];
  struct lw_row8 rows8[LW_TSF_ROWS(sizeof in_tsf)];
  int at;

  open_tsf(&tsf, in_tsf);
  lw_tsf_names(&tsf, names);
  CHECK(lw_tsf_next(&tsf) == 1 && tsf.kind == '{' && tsf.holds == LW_UNITS && tsf.len == 3);
  CHECK(lw_tsf_next(&tsf) == ROOM && is(tsf.value, tsf.len, "attic") && tsf.holds == LW_DATA);
  CHECK(lw_tsf_next(&tsf) == T && !LW_TSF_EXTENDED(tsf));
  CHECK(lw_fixed(tsf.value, tsf.len, 2, &value) == LW_OK && value == 2150);
  CHECK(lw_fixed(tsf.value, tsf.len, 0, &value) == LW_UNSUPPORTED);
  CHECK(lw_tsf_next(&tsf) == STATUS);
  until = tsf.owed - tsf.len;
  CHECK(lw_tsf_skip(&tsf) == LW_OK && tsf.owed == until);
  CHECK(lw_tsf_next(&tsf) == 0);

  open_tsf(&tsf, in_tsf);
  CHECK(lw_tsf_rows(&tsf, rows, 6) == 6);
  at = lw_rows_find(rows, in_tsf, 0, LW_NAME("status"), &hint);
  CHECK(at == 3 && LW_ROW_KIND(rows[at]) == '{' && LW_ROW_NAME_LEN(rows[at]) == 6);
  at = lw_rows_find(rows, in_tsf, (uint32_t)at, LW_NAME("ok"), &hint);
  CHECK(at == 5 && in_tsf[rows[at].value] == 't');
  CHECK(lw_rows_find(rows, in_tsf, 0, LW_NAME("nothing"), &hint) == -1);
  open_tsf(&tsf, in_tsf);
  CHECK(lw_tsf_rows(&tsf, rows, 5) == LW_LIMIT);
  open_tsf(&tsf, in_tsf);
  CHECK(lw_tsf_rows8(&tsf, rows8, 6) == 6 && sizeof rows8[0] == 8 && sizeof rows[0] == 16);
  CHECK(lw_rows8_find(rows8, in_tsf, 0, LW_NAME("t"), &hint) == 2);

  CHECK(lw_pon_open(&pon, in_pon, (uint32_t)strlen(in_pon)) == LW_OK);
  CHECK(lw_pon_next(&pon) == 1 && pon.kind == '{' && lw_pon_enter(&pon, &pon) == LW_OK);
  CHECK(lw_pon_find(&pon, LW_NAME("status")) == 1);
  CHECK(lw_pon_enter(&pon, &inner) == LW_OK);
  CHECK(lw_pon_find(&inner, LW_NAME("ok")) == 1 && inner.kind == 't');
  CHECK(lw_pon_find(&inner, LW_NAME("up")) == 1 && lw_i32(inner.value, inner.len, &value) == LW_OK && value == 864000);
  CHECK(lw_pon_find(&inner, LW_NAME("nothing")) == 0);
  CHECK(lw_pon_find(&pon, LW_NAME("room")) == 1 && is(pon.value, pon.len, "attic"));
  CHECK(lw_pon_enter(&pon, &pon) == LW_SCHEMA);
}

static void types(void) {
  struct lw_types own = {{0}};
  struct lw_tsf tsf;
  struct lw_types before;
  const char *c;
  CHECK(lw_types_add(&own, '(', LW_UNITS) == LW_OK);
  CHECK(lw_types_add(&own, ':', LW_DATA) == LW_OK);
  CHECK(lw_types_add(&own, 'x', LW_DATA) == LW_OK && lw_types_add(&own, 'x', LW_DATA) == LW_OK);
  before = own;
  for (c = "0123456789\"\\\n\x7F\xE9"; *c != 0; c++) CHECK(lw_types_add(&own, *c, LW_DATA) == LW_UNSUPPORTED);
  CHECK(lw_types_add(&own, 'x', LW_UNITS) == LW_UNSUPPORTED && lw_types_add(&own, '(', LW_DATA) == LW_UNSUPPORTED);
  CHECK(lw_types_add(&own, 'y', 0) == LW_UNSUPPORTED && lw_types_add(&own, 'y', 3) == LW_UNSUPPORTED);
  CHECK(lw_types_add(&own, 0, LW_DATA) == LW_UNSUPPORTED && memcmp(&before, &own, sizeof own) == 0);
  CHECK(lw_tsf_open(&tsf, "2(1{:a1\xE9x:", 10, &own) == LW_OK && lw_tsf_next(&tsf) == 1);
  CHECK(tsf.kind == '(' && tsf.holds == LW_UNITS && tsf.len == 2);
  CHECK(lw_tsf_next(&tsf) == 1 && is(tsf.name, tsf.name_len, "{") && tsf.kind == ':' && tsf.holds == LW_DATA);
  CHECK(lw_tsf_next(&tsf) == 1 && is(tsf.name, tsf.name_len, "\xE9") && tsf.kind == 'x' && is(tsf.value, tsf.len, ":"));
  CHECK(lw_tsf_next(&tsf) == 0);
}

static void errors(void) {
  struct lw_tsf tsf;
  struct lw_pon pon;
  CHECK(lw_tsf_open(&tsf, "x1", 2, &lw_types_value) == LW_OK && lw_tsf_next(&tsf) == LW_SYNTAX);
  CHECK(lw_tsf_open(&tsf, "5", 1, &lw_types_value) == LW_INCOMPLETE && lw_tsf_next(&tsf) == 0);
  CHECK(lw_tsf_open(&tsf, "5a'hel", 6, &lw_types_value) == LW_OK && lw_tsf_next(&tsf) == LW_INCOMPLETE);
  CHECK(lw_tsf_open(&tsf, "5000000000a'", 12, &lw_types_value) == LW_OK && lw_tsf_next(&tsf) == LW_LIMIT);
  CHECK(lw_tsf_open(&tsf, "9a{", 3, &lw_types_value) == LW_OK && lw_tsf_next(&tsf) == LW_INCOMPLETE);
  CHECK(lw_pon_open(&pon, "5shel", 5) == LW_OK && lw_pon_next(&pon) == LW_INCOMPLETE);
  CHECK(lw_pon_open(&pon, "05shello", 8) == LW_OK && lw_pon_next(&pon) == LW_SYNTAX);
  CHECK(lw_pon_open(&pon, "4{a:5s", 6) == LW_OK && lw_pon_next(&pon) == 1 && lw_pon_enter(&pon, &pon) == LW_OK &&
        lw_pon_next(&pon) == LW_SYNTAX);
}

static void joined(const struct lw_piece *pieces, uint32_t count, const char *wanted) {
  char whole[64];
  size_t len = 0;
  uint32_t i;
  for (i = 0; i < count; i++) {
    memcpy(whole + len, pieces[i].data, pieces[i].len);
    len += pieces[i].len;
  }
  CHECK(is(whole, (uint32_t)len, wanted));
}

static void writers(void) {
  static const char image[] = "\x01\x02\x03";
  struct lw_out out;
  struct lw_piece pieces[5];
  struct lw_gather gather;
  char buffer[40];
  const char *start = NULL;
  uint32_t end;

  lw_out_init(&out, buffer, sizeof buffer);
  lw_gather_init(&gather, pieces, 5);
  lw_tsf_put_units(&out, LW_NAME("{"), 3);
  lw_tsf_put_i32(&out, LW_NAME("t#"), -7);
  lw_tsf_put_borrowed(&out, &gather, LW_NAME("img*"), image, 3);
  lw_tsf_put_fixed(&out, LW_NAME("v%"), -5, 2);
  CHECK(lw_tsf_finish(&out) == LW_UNSUPPORTED);
  CHECK(lw_tsf_gathered(&out, &gather) == 3 && out.len == 20 && out.elsewhere == 3);
  CHECK(pieces[1].data == image);
  joined(pieces, gather.count, "3{2t#-73img*\x01\x02\x03" "5v%-0.05");

  lw_out_init(&out, buffer, sizeof buffer);
  lw_gather_init(&gather, pieces, 5);
  lw_pon_put_borrowed(&out, &gather, LW_NAME("img"), 'y', image, 3);
  end = lw_pon_end(&out);
  lw_pon_put_u32(&out, NULL, 0, 4294967295u);
  lw_pon_put_word(&out, NULL, 0, 'u');
  lw_pon_put_container(&out, LW_NAME("a"), '[', end);
  lw_pon_put_container(&out, NULL, 0, '{', 0);
  CHECK(lw_pon_gathered(&out, &gather) == 2 && out.len == 28 && pieces[1].data == image);
  joined(pieces, gather.count, "28{a:14[u10i4294967295img:3y\x01\x02\x03");
  lw_gather_init(&gather, pieces, 1);
  lw_out_init(&out, buffer, sizeof buffer);
  lw_pon_put_borrowed(&out, &gather, LW_NAME("img"), 'y', image, 3);
  CHECK(lw_pon_finish(&out, &start) == LW_UNSUPPORTED && start == NULL);
  CHECK(lw_pon_gathered(&out, &gather) == LW_LIMIT && gather.count == 2);

  /* Decimals of every sign and length. */
  lw_out_init(&out, buffer, sizeof buffer);
  lw_tsf_put_fixed(&out, LW_NAME("%"), -2147483647 - 1, 9);
  lw_tsf_put_fixed(&out, LW_NAME("%"), 21505, 1);
  lw_tsf_put_fixed(&out, LW_NAME("%"), 0, 3);
  CHECK(lw_tsf_finish(&out) == 30 && is(buffer, 30, "12%-2.1474836486%2150.55%0.000"));

  /* What has no room is counted. */
  lw_out_init(&out, NULL, 0);
  lw_tsf_put(&out, LW_NAME("note'"), "hello", 5);
  CHECK(lw_tsf_finish(&out) == LW_LIMIT && out.len == 11);
  lw_out_init(&out, buffer, 10);
  lw_tsf_put(&out, LW_NAME("note'"), "hello", 5);
  CHECK(lw_tsf_finish(&out) == LW_LIMIT && out.len == 11);
  lw_out_init(&out, buffer, 11);
  lw_tsf_put(&out, LW_NAME("note'"), "hello", 5);
  CHECK(lw_tsf_finish(&out) == 11 && is(buffer, 11, "5note'hello"));
  /* What no buffer could hold has no room either. */
  lw_out_init(&out, buffer, sizeof buffer);
  lw_tsf_put(&out, LW_NAME("note'"), "hello", 4000000000u);
  lw_tsf_put(&out, LW_NAME("note'"), "hello", 5);
  CHECK(lw_tsf_finish(&out) == LW_LIMIT);
}

/* Every number of digits, and what lies about the powers of ten. */
static void numbers(void) {
  uint64_t power;
  int i;
  for (power = 1; power <= 10000000000u; power *= 10) {
    for (i = -20000; i < 20000; i++) {
      struct lw_out out;
      char buffer[24], wanted[24];
      uint32_t value = (uint32_t)(power + (uint64_t)(int64_t)i);
      int len;
      lw_out_init(&out, buffer, sizeof buffer);
      lw_pon_put_u32(&out, NULL, 0, value);
      len = snprintf(wanted, sizeof wanted, "%u", (unsigned)value);
      CHECK(out.len == (uint32_t)(len + (len > 9 ? 3 : 2)));
      CHECK(memcmp(buffer + sizeof buffer - len, wanted, (size_t)len) == 0);
      lw_out_init(&out, buffer, sizeof buffer);
      lw_tsf_put_i32(&out, LW_NAME("#"), (int32_t)value);
      len = snprintf(wanted, sizeof wanted, "%d", (int)(int32_t)value);
      CHECK(memcmp(buffer + out.len - len, wanted, (size_t)len) == 0);
    }
  }
}

static void *work(void *count) {
  int i;
  for (i = 0; i < 20000; i++) {
    struct lw_tsf tsf;
    struct lw_out out;
    struct reading got;
    char buffer[64];
    memset(&got, 0, sizeof got);
    if (lw_tsf_open(&tsf, in_tsf, (uint32_t)strlen(in_tsf), &lw_types_value) || lw_tsf_decode(&tsf, fields, &got) != 4) {
      break;
    }
    got.status.up = (uint32_t)i;
    lw_out_init(&out, buffer, sizeof buffer);
    lw_pon_encode(&out, fields, &got);
    if (lw_pon_finish(&out, NULL) < 0) break;
    *(int *)count += 1;
  }
  return NULL;
}

/* Two at once, each with structs of its own. */
static void threads(void) {
  pthread_t other;
  int here = 0, there = 0;
  CHECK(pthread_create(&other, NULL, work, &there) == 0);
  work(&here);
  CHECK(pthread_join(other, NULL) == 0);
  CHECK(here == 20000 && there == 20000);
}

int main(void) {
  structs();
  buffers();
  cursors();
  types();
  errors();
  writers();
  numbers();
  threads();
  if (failures == 0) puts("good");
  return failures != 0;
}
