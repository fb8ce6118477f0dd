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

struct sparse {
  struct lw_text zip;
  int32_t n;
  uint16_t list[2];
  uint16_t count;
  uint32_t mask;
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

  CHECK(lw_check_fields(LW_TABLE(fields)) == 0);
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
  /* So does a message whose other fields may be absent, or arrays without items. */
  {
    static const struct lw_field fields_of[][5] = {
        {LW_FIELD(LW_TEXT, struct sparse, zip, "zip"), LW_OPTIONAL(LW_I32, struct sparse, n, "n", mask, 0), LW_FIELDS_END},
        {LW_FIELD(LW_TEXT, struct sparse, zip, "zip"), LW_ARRAY(LW_U16, struct sparse, list, count, "l"), LW_FIELDS_END},
        {LW_OPTIONAL(LW_FIXED1, struct sparse, n, "n", mask, 1), LW_FIELDS_END},
        {LW_FIELD(LW_TEXT, struct sparse, zip, "zip"), LW_FIELD(LW_FIXED1, struct sparse, n, "n"), LW_FIELDS_END}};
    static const char *const expected[] = {"01{2zip'17", "02{2zip'170l[", "00{", "2{2zip'173n%0.5"};
    static const char *const full[] = {"02{2zip'171n#5", "02{2zip'171l[1#3", "01{3n%0.5", "2{2zip'173n%0.5"};
    struct sparse sparse;
    size_t i;
    for (i = 0; i < 4; i++) {
      memset(&sparse, 0, sizeof sparse);
      sparse.zip.data = "17";
      sparse.zip.len = 2;
      sparse.n = 5;
      sparse.list[0] = 3;
      lw_out_init(&out, buffer, sizeof buffer);
      lw_tsf_encode(&out, fields_of[i], &sparse);
      len = lw_tsf_finish(&out);
      CHECK(len > 0 && is(buffer, (uint32_t)len, expected[i]));
      sparse.mask = 3;
      sparse.count = 1;
      lw_out_init(&out, buffer, sizeof buffer);
      lw_tsf_encode(&out, fields_of[i], &sparse);
      len = lw_tsf_finish(&out);
      CHECK(len > 0 && is(buffer, (uint32_t)len, full[i]));
    }
  }

  CHECK(strcmp(lengthwise_strerror(3), "ok") == 0);
  CHECK(strcmp(lengthwise_version(), LENGTHWISE_VERSION) == 0);
}

/* Tables that are wrong, each with the entry that is. */
static void tables(void) {
  static const struct lw_field open[] = {LW_OBJECT("a"), LW_FIELD(LW_I32, struct sparse, n, "n"), LW_FIELDS_END};
  static const struct lw_field endless[] = {LW_FIELD(LW_I32, struct sparse, n, "n")};
  static const struct lw_field cut[] = {LW_ARRAY(LW_U16, struct sparse, list, count, "l"), LW_FIELDS_END};
  static const struct lw_field closed[] = {LW_FIELD(LW_I32, struct sparse, n, "n"), LW_OBJECT_END, LW_FIELDS_END};
  static const struct lw_field quoted[] = {LW_FIELD(LW_I32, struct sparse, n, "\"b"), LW_FIELDS_END};
  static const struct lw_field twice[] = {LW_FIELD(LW_I32, struct sparse, n, "n"), LW_OBJECT("o"),
                                          LW_FIELD(LW_I32, struct sparse, n, "n"), LW_OBJECT_END,
                                          LW_FIELD(LW_TEXT, struct sparse, zip, "n"), LW_FIELDS_END};
  static const struct lw_field empty[] = {LW_FIELDS_END};
  CHECK(lw_check_fields(LW_TABLE(open)) == 4);
  CHECK(lw_check_fields(LW_TABLE(endless)) == 2);
  CHECK(lw_check_fields(cut, 1) == 1 && lw_check_fields(cut, 2) == 1 && lw_check_fields(cut, 3) == 4);
  CHECK(lw_check_fields(LW_TABLE(cut)) == 0);
  CHECK(lw_check_fields(LW_TABLE(closed)) == 2);
  CHECK(lw_check_fields(LW_TABLE(quoted)) == 1);
  CHECK(lw_check_fields(LW_TABLE(twice)) == 5);
  CHECK(lw_check_fields(LW_TABLE(empty)) == 0 && lw_check_fields(empty, 0) == 1);
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

struct point {
  int16_t x, y;
  uint32_t present;
  int64_t at;
};

static const struct lw_field point_fields[] = {
    LW_FIELD(LW_I16, struct point, x, "x"),
    LW_OPTIONAL(LW_I16, struct point, y, "y", present, 0),
    LW_OPTIONAL(LW_I64, struct point, at, "at", present, 31),
    LW_FIELDS_END,
};

struct batch {
  uint64_t id;
  int64_t clock;
  uint32_t present[2];
  int32_t samples[4], scaled[2];
  uint64_t large[2];
  struct point points[2];
  struct lw_text names[3];
  bool flags[3];
  int32_t t;
  struct lw_text note;
  uint16_t sample_count, scaled_count, large_count, point_count, name_count, flag_count;
};

enum { HAS_T, HAS_NOTE = 33, HAS_SCALED = 34, HAS_POINTS = 35 };

static const struct lw_field batch_fields[] = {
    LW_FIELD(LW_U64, struct batch, id, "id"),
    LW_FIELD(LW_I64, struct batch, clock, "clock"),
    LW_OBJECT("in"),
    LW_OPTIONAL(LW_FIXED2, struct batch, t, "t", present, HAS_T),
    LW_ARRAY(LW_I32, struct batch, samples, sample_count, "samples"),
    LW_OBJECT_END,
    LW_OPTIONAL_ARRAY(LW_FIXED1, struct batch, scaled, scaled_count, "scaled", present, HAS_SCALED),
    LW_ARRAY(LW_U64, struct batch, large, large_count, "large"),
    LW_OPTIONAL_OBJECTS(struct batch, points, point_count, "points", point_fields, present, HAS_POINTS),
    LW_ARRAY(LW_TEXT, struct batch, names, name_count, "names"),
    LW_ARRAY(LW_BOOL, struct batch, flags, flag_count, "flags"),
    LW_OPTIONAL(LW_TEXT, struct batch, note, "note", present, HAS_NOTE),
    LW_FIELDS_END,
};

static const char batch_in_tsf[] =
    "9{20id#1844674407370955161520clock#-92233720368547758082in{5t%21.503samples[1#12#-210#21474836472sca"
    "led[3%0.54%-1.51large[10#42949672962points[3{1x#11y#220at#-10000000000000000001{1x#32names[1'a0'3fla"
    "gs[1?t1?f1?t2note'hi";
static const char batch_in_pon[] =
    "233{id:20i18446744073709551615clock:20i-9223372036854775808in:40{t:5d21.50samples:20[1i12i-210i21474"
    "83647scaled:11[3d0.54d-1.5large:13[10i4294967296points:46[36{x:1i1y:1i2at:20i-10000000000000000005{x"
    ":1i3names:5[1sa0sflags:3[tftnote:2shi";

static const char batch_in_tsf_bare[] =
    "6{1id#71clock#01in{0samples[0large[0names[0flags[";
static const char batch_in_pon_bare[] =
    "55{id:1i7clock:1i0in:10{samples:0[large:0[names:0[flags:0[";

static int encode_batch(int way, const struct batch *batch, char *buffer, uint32_t capacity, const char **start,
                        uint32_t *len) {
  struct lw_out out;
  int code;
  lw_out_init(&out, buffer, capacity);
  *start = buffer;
  if (way == 0) {
    lw_tsf_encode(&out, batch_fields, batch);
    code = lw_tsf_finish(&out);
  } else {
    lw_pon_encode(&out, batch_fields, batch);
    code = lw_pon_finish(&out, start);
  }
  *len = out.len;
  return code;
}

static int decode_batch(int way, const char *message, uint32_t len, struct batch *batch) {
  memset(batch, 0, sizeof *batch);
  if (way == 0) {
    struct lw_tsf tsf;
    int code = lw_tsf_open(&tsf, message, len, &lw_types_value);
    return code < 0 ? code : lw_tsf_decode(&tsf, batch_fields, batch);
  } else {
    struct lw_pon pon;
    int code = lw_pon_open(&pon, message, len);
    return code < 0 ? code : lw_pon_decode(&pon, batch_fields, batch);
  }
}

static int decode_text(int way, const char *tsf, const char *pon, struct batch *batch) {
  const char *message = way == 0 ? tsf : pon;
  return decode_batch(way, message, (uint32_t)strlen(message), batch);
}

/* Arrays, 64-bit integers and optional fields. */
static void batches(void) {
  static const int64_t longs[] = {0, 9, 10, 4294967295, 4294967296, 42949672960, 99999999999, INT64_MAX, INT64_MIN, -1};
  struct batch batch, again;
  char memory[400], number[32];
  const char *start;
  uint32_t capacity, len;
  size_t i;
  int way;
  CHECK(lw_check_fields(LW_TABLE(point_fields)) == 0 && lw_check_fields(LW_TABLE(batch_fields)) == 0);
  for (way = 0; way < 2; way++) {
    const char *wanted = way == 0 ? batch_in_tsf : batch_in_pon, *bare = way == 0 ? batch_in_tsf_bare : batch_in_pon_bare;
    uint32_t full = (uint32_t)strlen(wanted);
    CHECK(decode_batch(way, wanted, full, &batch) == 10);
    CHECK(batch.id == UINT64_MAX && batch.clock == INT64_MIN && batch.t == 2150);
    CHECK(batch.sample_count == 3 && batch.samples[1] == -2 && batch.samples[2] == 2147483647 && batch.samples[3] == 0);
    CHECK(batch.scaled_count == 2 && batch.scaled[0] == 5 && batch.scaled[1] == -15);
    CHECK(batch.large_count == 1 && batch.large[0] == 4294967296u);
    CHECK(batch.point_count == 2 && batch.points[0].y == 2 && batch.points[0].at == -1000000000000000000);
    CHECK(batch.points[0].present == 0x80000001u && batch.points[1].present == 0 && batch.points[1].x == 3);
    CHECK(batch.name_count == 2 && is(batch.names[0].data, batch.names[0].len, "a") && batch.names[1].len == 0);
    CHECK(batch.flag_count == 3 && batch.flags[0] && !batch.flags[1] && batch.flags[2]);
    CHECK(batch.present[0] == 1 && batch.present[1] == (1u << 1 | 1u << 2 | 1u << 3));
    CHECK(is(batch.note.data, batch.note.len, "hi"));
    for (capacity = 0; capacity < full + 40; capacity++) {
      int code;
      memset(memory, '#', sizeof memory);
      code = encode_batch(way, &batch, memory + 16, capacity, &start, &len);
      CHECK(len == full);
      CHECK(capacity < full ? code == LW_LIMIT : code == (int)full && is(start, full, wanted));
      for (i = 0; i < sizeof memory; i++) CHECK((i >= 16 && i < 16 + capacity) || memory[i] == '#');
    }
    /* What is cut is refused, and nothing is read after it. */
    for (capacity = 0; capacity < full; capacity++) {
      char *cut = (char *)malloc(capacity + 1);
      memcpy(cut, wanted, capacity);
      CHECK(decode_batch(way, cut, capacity, &again) < 0);
      free(cut);
    }
    memset(&batch, 0, sizeof batch);
    batch.id = 7;
    batch.flag_count = 4;
    CHECK(encode_batch(way, &batch, memory, sizeof memory, &start, &len) == LW_LIMIT);
    batch.flag_count = 0;
    CHECK(encode_batch(way, &batch, memory, sizeof memory, &start, &len) == (int)strlen(bare) && is(start, len, bare));
    CHECK(decode_batch(way, bare, len, &again) == 6 && again.present[0] == 0 && again.present[1] == 0 && again.id == 7);
    /* The text of 64-bit integers is that of printf. */
    for (i = 0; i < sizeof longs / sizeof longs[0]; i++) {
      batch.id = (uint64_t)longs[i];
      batch.clock = longs[i];
      CHECK(encode_batch(way, &batch, memory, sizeof memory - 1, &start, &len) > 0);
      memory[way == 0 ? len : sizeof memory - 1] = 0;
      sprintf(number, way == 0 ? "id#%llu" : "i%lluclock", (unsigned long long)longs[i]);
      CHECK(strstr(start, number) != NULL);
      sprintf(number, way == 0 ? "clock#%lld" : "i%lldin", (long long)longs[i]);
      CHECK(strstr(start, number) != NULL);
      CHECK(decode_batch(way, start, len, &again) == 6 && again.id == batch.id && again.clock == batch.clock);
    }
    /* What does not fit, and what is of another type. */
    CHECK(decode_text(way, "1{5flags[1?t1?t1?t1?t1?t", "13{flags:5[ttttt", &again) == LW_LIMIT && again.flag_count == 3);
    CHECK(decode_text(way, "1{2flags[1?t1#1", "12{flags:4[t1i1", &again) == LW_SCHEMA && again.flag_count == 1);
    CHECK(decode_text(way, "1{2large[1#11'x", "14{large:6[1i11sx", &again) == LW_SCHEMA && again.large_count == 1);
    CHECK(decode_text(way, "1{1large[0~", "9{large:1[u", &again) == LW_SCHEMA);
    CHECK(decode_text(way, "1{1large[2#-1", "12{large:4[2i-1", &again) == LW_LIMIT);
    CHECK(decode_text(way, "1{1large[20#18446744073709551616", "32{large:23[20i18446744073709551616", &again) == LW_LIMIT);
    CHECK(decode_text(way, "1{19clock#9223372036854775808", "28{clock:19i9223372036854775808", &again) == LW_LIMIT);
    CHECK(decode_text(way, "1{1points[1#1", "12{points:3[1i1", &again) == LW_SCHEMA);
    CHECK(decode_text(way, "1{1points[1{1x'1", "16{points:7[5{x:1s1", &again) == LW_SCHEMA && again.point_count == 0);
    CHECK(decode_text(way, "1{1points{1x#1", "14{points:5{x:1i1", &again) == LW_SCHEMA);
    CHECK(decode_text(way, "1{3points[0{0{0{", "15{points:6[0{0{0{", &again) == LW_LIMIT && again.point_count == 2);
    /* Null is no presence; a later member takes the place of an earlier one. */
    CHECK(decode_text(way, "2{0note~2in{0t~0samples~", "24{note:uin:12{t:usamples:u", &again) == 0);
    CHECK(again.present[0] == 0 && again.present[1] == 0);
    CHECK(decode_text(way, "2{2large[1#11#21large[1#3", "25{large:6[1i11i2large:3[1i3", &again) == 2);
    CHECK(again.large_count == 1 && again.large[0] == 3);
    /* Items of scaled integers may be integers; unknown members of objects are passed, in whatever order. */
    CHECK(decode_text(way, "1{2scaled[1#24%-0.5", "18{scaled:9[1i24d-0.5", &again) == 1 && again.scaled[0] == 20);
    CHECK(again.scaled[1] == -5 && again.present[1] == 1u << 2);
    CHECK(decode_text(way, "2{1points[3{2q[1#10{1y#61x#51id#3", "38{points:22[19{q:5[1i10{y:1i6x:1i5id:1i3", &again) == 2 && again.id == 3);
    CHECK(again.points[0].x == 5 && again.points[0].y == 6 && again.points[0].present == 1);
  }
}

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
  CHECK(lw_check_fields(LW_TABLE(values)) == 0);
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

/* Any number of decimals that is written can be read again; others are refused. */
static void decimals(void) {
  static const char *const expected[] = {"-5", "-0.5", "-0.05"};
  struct lw_out out;
  char buffer[64];
  int32_t got;
  uint32_t places;
  int len;
  for (places = 0; places <= 9; places++) {
    lw_out_init(&out, buffer, sizeof buffer);
    lw_tsf_put_fixed(&out, LW_NAME("%"), -5, places);
    len = lw_tsf_finish(&out);
    CHECK(len > 2 && lw_fixed(strchr(buffer, '%') + 1, (uint32_t)(buffer + len - strchr(buffer, '%') - 1), places, &got) == LW_OK);
    CHECK(got == -5);
    if (places < 3) CHECK(is(strchr(buffer, '%') + 1, (uint32_t)strlen(expected[places]), expected[places]));
  }
  for (places = 10; places < 12; places++) {
    lw_out_init(&out, buffer, sizeof buffer);
    lw_tsf_put_fixed(&out, LW_NAME("%"), 1234, places);
    CHECK(lw_tsf_finish(&out) == LW_LIMIT);
    lw_out_init(&out, buffer, sizeof buffer);
    lw_pon_put_fixed(&out, LW_NAME("t"), 1234, places);
    CHECK(lw_pon_finish(&out, NULL) == LW_LIMIT);
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
  tables();
  buffers();
  batches();
  cursors();
  types();
  errors();
  writers();
  numbers();
  decimals();
  threads();
  if (failures == 0) puts("good");
  return failures != 0;
}
