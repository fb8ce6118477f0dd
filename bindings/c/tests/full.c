/* The formats that need a heap, as C sees them. Expected bytes are those of docs/formats. */
#define LENGTHWISE_FULL
#include <lengthwise.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
static size_t held, peak; /* Bytes of these, and the most there were. */
static long blocks; /* Of the library's memory, which are given and not taken back. */

#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      failures++;                                                     \
    }                                                                 \
  } while (0)

static void *counted(void *context, size_t bytes) {
  *(int *)context += 1;
  return malloc(bytes == 0 ? 1 : bytes);
}

/* Aligned memory; the start of the allocation is stored before it. */
static void *give(void *context, size_t bytes, size_t alignment) {
  char *whole = (char *)malloc(bytes + alignment + sizeof(void *));
  size_t place = (size_t)whole + sizeof(void *) + alignment - 1;
  if (whole == NULL) return NULL;
  place -= place % alignment;
  ((void **)place)[-1] = whole;
  *(long *)context += 1;
  held += bytes;
  if (held > peak) peak = held;
  return (void *)place;
}

static void take(void *context, void *place, size_t bytes, size_t alignment) {
  (void)alignment;
  *(long *)context -= 1;
  held -= bytes;
  free(((void **)place)[-1]);
}

/* A file of the samples, which are all smaller than 100 000 bytes. */
static size_t sample(const char *name, char *into) {
  char path[200];
  size_t len;
  FILE *file;
  sprintf(path, "../../samples/%s", name);
  file = fopen(path, "rb");
  if (file == NULL) return 0;
  len = fread(into, 1, 100000, file);
  fclose(file);
  return len;
}

static char wsdl[100000], message[100000];

/* The samples' requests, each similar to the previous one. */
static void sessions(void) {
  static const char *const files[] = {"requests/doubles-1.xml", "requests/doubles-2.xml", "requests/doubles-3.xml",
                                      "requests/doubles-4.xml"};
  static const size_t items[] = {400, 400, 400, 397};
  static const char found[] =
      "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\" "
      "xmlns:c=\"http://schemas.xmlsoap.org/soap/encoding/\" xmlns:s=\"urn:GoogleSearch\"><e:Body>"
      "<s:doGoogleSearchResponse><return><searchQuery>x</searchQuery>"
      "<estimatedTotalResultsCount>2</estimatedTotalResultsCount>"
      "<resultElements c:arrayType=\"s:ResultElement[2]\">"
      "<item><URL>a</URL><title>b</title><snippet>c</snippet></item>"
      "<item><URL>d</URL><title>ef</title><snippet>g</snippet></item>"
      "</resultElements></return></s:doGoogleSearchResponse></e:Body></e:Envelope>";
  static const char fault[] =
      "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Body><e:Fault>"
      "<faultcode>e:Server</faultcode><faultstring>no</faultstring></e:Fault></e:Body></e:Envelope>";
  struct lengthwise_session *session;
  struct lengthwise_value value;
  struct lengthwise_stats stats;
  struct lengthwise_error error;
  const char *text = NULL;
  size_t len = 0, i, at;
  len = sample("search.wsdl", wsdl);
  CHECK(len != 0);
  CHECK(lengthwise_session_open("<a/>", 4, NULL, &error) == NULL && error.code < 0);
  session = lengthwise_session_open(wsdl, len, NULL, &error);
  CHECK(session != NULL);
  if (session == NULL) return;
  CHECK(lengthwise_session_value(session, "", &value) == LW_SCHEMA);
  for (i = 0; i < 4; i++) {
    len = sample(files[i], message);
    CHECK(len != 0);
    /* The second and the fourth in pieces. */
    if (i % 2 == 0) {
      CHECK(lengthwise_session_read(session, message, len, &error) == LW_OK);
    } else {
      for (at = 0; at < len; at += 1000) {
        CHECK(lengthwise_session_feed(session, message + at, len - at < 1000 ? len - at : 1000, &error) == LW_OK);
      }
      CHECK(lengthwise_session_finish(session, &error) == LW_OK);
    }
    CHECK(lengthwise_session_value(session, "/data", &value) == LW_OK);
    CHECK(value.kind == LENGTHWISE_DOUBLE && value.is_array && value.count == items[i]);
    /* The first number of the file, which strtod reads as well. */
    text = strstr(message, "<item>");
    CHECK(text != NULL && ((const double *)value.data)[0] == strtod(text + 6, NULL));
    CHECK(lengthwise_session_value(session, "/data/396", &value) == LW_OK && value.kind == LENGTHWISE_DOUBLE);
    CHECK(!value.is_array && value.count == 1);
    CHECK(lengthwise_session_value(session, "/data/401", &value) == LW_SCHEMA);
  }
  lengthwise_session_stats(session, &stats);
  CHECK(stats.messages == 4 && stats.regular < 4 && stats.bytes_skipped > 0 && stats.errors == 0);

  len = sample("requests/search-1.xml", message);
  CHECK(lengthwise_session_read(session, message, len, &error) == LW_OK);
  CHECK(lengthwise_session_method(session, &text, &len) == LW_OK && len == 14 && memcmp(text, "doGoogleSearch", 14) == 0);
  CHECK(lengthwise_session_value(session, "/q", &value) == LW_OK && value.kind == LENGTHWISE_TEXT);
  CHECK(value.count == 25 && memcmp(value.data, "Binghamton Grid Computing", 25) == 0);
  CHECK(lengthwise_session_value(session, "/maxResults", &value) == LW_OK && value.kind == LENGTHWISE_INT64);
  CHECK(*(const int64_t *)value.data == 10 && value.count == 1 && !value.is_array);
  CHECK(lengthwise_session_value(session, "/filter", &value) == LW_OK && value.kind == LENGTHWISE_BOOLEAN);
  CHECK(*(const unsigned char *)value.data == 1);
  CHECK(lengthwise_session_value(session, "", &value) == LW_OK && value.kind == LENGTHWISE_RECORD && value.count == 10);
  CHECK(lengthwise_session_value(session, "/none", &value) == LW_SCHEMA);
  CHECK(lengthwise_session_value(session, "/q/0", &value) == LW_SCHEMA);
  CHECK(lengthwise_session_fault(session, &text, &len) == LW_SCHEMA);

  CHECK(lengthwise_session_read(session, found, strlen(found), &error) == LW_OK);
  CHECK(lengthwise_session_value(session, "/return/resultElements", &value) == LW_OK);
  CHECK(value.kind == LENGTHWISE_RECORD && value.is_array && value.count == 2);
  CHECK(lengthwise_session_value(session, "/return/resultElements/1", &value) == LW_OK);
  CHECK(value.kind == LENGTHWISE_RECORD && !value.is_array && value.count == 3);
  CHECK(lengthwise_session_value(session, "/return/resultElements/1/title", &value) == LW_OK);
  CHECK(value.kind == LENGTHWISE_TEXT && value.count == 2 && memcmp(value.data, "ef", 2) == 0);
  CHECK(lengthwise_session_value(session, "/return/resultElements/title", &value) == LW_OK);
  CHECK(value.kind == LENGTHWISE_TEXT && value.is_array && value.count == 2 && value.data == NULL);
  CHECK(lengthwise_session_value(session, "/return/resultElements/title/0", &value) == LW_OK);
  CHECK(value.kind == LENGTHWISE_TEXT && value.count == 1 && memcmp(value.data, "b", 1) == 0);
  CHECK(lengthwise_session_value(session, "/return/resultElements/2/title", &value) == LW_SCHEMA);

  CHECK(lengthwise_session_read(session, fault, strlen(fault), &error) == LW_OK);
  /* A message of SOAP 1.2 to a service of 1.1 leaves no last message, neither the one before nor itself. */
  {
    char other[2000];
    const char *envelope = "http://www.w3.org/2003/05/soap-envelope";
    const char *name = strstr(found, "http://schemas.xmlsoap.org/soap/envelope/");
    sprintf(other, "%.*s%s%s", (int)(name - found), found, envelope, name + strlen("http://schemas.xmlsoap.org/soap/envelope/"));
    CHECK(lengthwise_session_read(session, other, strlen(other), &error) < 0);
    CHECK(lengthwise_session_value(session, "/return/searchQuery", &value) == LW_SCHEMA);
    CHECK(lengthwise_session_method(session, &text, &len) == LW_SCHEMA);
    CHECK(lengthwise_session_fault(session, &text, &len) == LW_SCHEMA);
  }
  CHECK(lengthwise_session_read(session, found, strlen(found), &error) == LW_OK);
  CHECK(lengthwise_session_value(session, "/return/searchQuery", &value) == LW_OK);
  CHECK(lengthwise_session_read(session, fault, strlen(fault), &error) == LW_OK);
  CHECK(lengthwise_session_fault(session, &text, &len) == LW_OK && len == 2 && memcmp(text, "no", 2) == 0);
  CHECK(lengthwise_session_fault_code(session, &text, &len) == LW_OK && len == 6 && memcmp(text, "Server", 6) == 0);
  CHECK(lengthwise_session_fault_detail(session, 0, &text, &len) == LW_SCHEMA);
  CHECK(lengthwise_session_header(session, 0, &text, &len) == LW_SCHEMA);
  CHECK(lengthwise_session_method(session, &text, &len) == LW_SCHEMA);
  CHECK(lengthwise_session_read(session, "<a/>", 4, &error) < 0 && strlen(error.message) > 10);
  CHECK(lengthwise_session_read(session, NULL, 0, &error) < 0);
  lengthwise_session_free(session);
}

static int converts(const char *from, const char *in, const char *to, const struct lengthwise_options *options,
                    const char *wanted, struct lengthwise_error *error) {
  char *out = NULL;
  size_t len = 0;
  int same, code = lengthwise_convert(in, strlen(in), from, to, NULL, options, NULL, &out, &len, error);
  if (code != LW_OK) return code;
  same = wanted != NULL && len == strlen(wanted) && memcmp(out, wanted, len) == 0;
  if (!same) fprintf(stderr, "%.*s\n", (int)len, out);
  lengthwise_free(out, len);
  return same ? LW_OK : 1;
}

/* The struct as an older program knows it: the fields up to `output_types`. */
struct older {
  size_t size;
  const char *input_types, *output_types;
  char after[8];
};

static void options(void) {
  struct lengthwise_options options;
  struct lengthwise_error error;
  struct lengthwise_document *document;
  struct older older;
  const char *data = NULL;
  size_t len = 0;
  char kind = 0;
  lengthwise_options_init(&options, sizeof options);
  CHECK(options.size == sizeof options && options.depth == 1000 && options.input_types == NULL);
  CHECK(options.expansion_ratio == 100 && options.expansion_threshold == 8 << 20);

  {
    const struct lengthwise_setting settings[] = {{"empty-tags", "pair"}, {"pretty", "true"}};
    char words[64];
    options.settings = settings;
    options.setting_count = 2;
    CHECK(converts("tsf", "1a<0b<", "xml", &options, "<a>\n  <b></b>\n</a>", &error) == LW_OK);
    CHECK(converts("tsf", "1a<0b<", "pon", &options, "", &error) == LW_UNSUPPORTED);
    CHECK(lengthwise_losses("1a<0b<", 6, "tsf", "<a><b></b></a>", 14, "xml", NULL, &options, words, sizeof words, &error) == 0);
    CHECK(words[0] == 0);
    options.settings = NULL;
    options.setting_count = 0;
  }
  {
    const struct lengthwise_setting named = {"binary-from-base64", "a,b,image"};
    const char *json = "{\"a\":\"Zm8=\",\"b\":7}", *pon = "11{a:2yfob:1i7";
    const char *expected = "1 value of these members not converted: not a string; no string in a member 'b'; "
                           "no string in a member 'image'";
    char words[200];
    options.settings = &named;
    options.setting_count = 1;
    CHECK(converts("json", json, "pon", &options, pon, &error) == LW_OK);
    CHECK(lengthwise_losses(json, strlen(json), "json", pon, strlen(pon), "pon", NULL, &options, words, sizeof words,
                            &error) == (int32_t)strlen(expected));
    CHECK(strcmp(words, expected) == 0);
    options.settings = NULL;
    options.setting_count = 0;
  }
  options.output_types = "value";
  CHECK(converts("json", "{\"t\":[21.5,\"a\"]}", "tsf", &options, "1{2t[4%21.51'a", &error) == LW_OK);
  CHECK(converts("json", "{\"zip\":\"10115\"}", "tsf", &options, "01{5zip'10115", &error) == LW_OK);
  CHECK(converts("tsf", "01{5zip'10115", "json", NULL, "{\"zip\":\"10115\"}", &error) == LW_OK);
  options.output_types = NULL;
  options.input_types = "value";
  CHECK(converts("tsf", "1{5zip'10115", "json", &options, "{\"zip\":\"10115\"}", &error) == LW_OK);
  options.input_types = "jason";
  CHECK(converts("tsf", "1{5zip'10115", "json", &options, NULL, &error) == LW_UNSUPPORTED);
  CHECK(strstr(error.message, "jason") != NULL);
  options.input_types = NULL;
  options.input_lengths = "chars";
  CHECK(converts("tsf", "1a<4[gr\xC3\xBC\xC3\x9F", "xml", &options, "<a>gr\xC3\xBC\xC3\x9F</a>", &error) == LW_OK);
  CHECK(converts("tsf", "1a<6[gr\xC3\xBC\xC3\x9F", "xml", &options, NULL, &error) == LW_INCOMPLETE);
  options.output_lengths = "chars";
  CHECK(converts("xml", "<a>gr\xC3\xBC\xC3\x9F</a>", "tsf", &options, "1a<4[gr\xC3\xBC\xC3\x9F", &error) == LW_OK);
  document = lengthwise_document_read("1a<2[\xC3\xBC\xC3\x9F", 9, "tsf", &options, &error);
  CHECK(document != NULL && lengthwise_document_get(document, "/a/text()", &data, &len, &kind) == LW_OK && len == 4);
  lengthwise_document_free(document);

  lengthwise_options_init(&options, sizeof options);
  options.depth = 2;
  CHECK(converts("json", "[[1]]", "json", &options, "[[1]]", &error) == LW_OK);
  CHECK(converts("json", "[[[1]]]", "json", &options, NULL, &error) == LW_LIMIT && strstr(error.message, "depth") != NULL);
  CHECK(lengthwise_document_read("[[[1]]]", 7, "json", &options, &error) == NULL && error.code == LW_LIMIT);
  CHECK(lengthwise_options_untrusted(&options) == LW_OK && options.depth == 256 && options.message_bytes == 16 << 20);
  CHECK(options.units == 1 << 20 && options.decompressed_bytes == 64 << 20 && options.size == sizeof options);

  /* Fields that a program does not know have their defaults, and nothing after its struct is touched. */
  memset(&older, '#', sizeof older);
  lengthwise_options_init((struct lengthwise_options *)(void *)&older, offsetof(struct older, after));
  older.output_types = "value";
  CHECK(converts("json", "[1]", "tsf", (struct lengthwise_options *)(void *)&older, "1[1#1", &error) == LW_OK);
  CHECK(lengthwise_options_untrusted((struct lengthwise_options *)(void *)&older) == LW_OK);
  CHECK(memcmp(older.after, "########", 8) == 0);
  /* Options that nobody has filled, and those of a later version. */
  memset(&options, 0, sizeof options);
  CHECK(converts("json", "[1]", "tsf", &options, NULL, &error) == LW_UNSUPPORTED);
  options.size = sizeof options + 1;
  CHECK(converts("json", "[1]", "tsf", &options, NULL, &error) == LW_UNSUPPORTED);
  CHECK(lengthwise_options_untrusted(&options) == LW_UNSUPPORTED);
}

/* Units as short as they can be, which need the most memory for their bytes. */
static void memory_of_documents(void) {
  static const char *const formats[] = {"json", "tsf", "pon", "pon"};
  static const char *const heads[] = {"[1", "", "65534[", "65532{"};
  static const char *const units[] = {",1", "0[", "t", ":t"};
  static const char *const ends[] = {"]", "", "", ""};
  static char message[70000];
  size_t i, before;
  for (i = 0; i < 4; i++) {
    struct lengthwise_error error;
    struct lengthwise_document *document;
    size_t inside = i < 2 ? 65540 : i == 2 ? 65534 : 65532, len = strlen(strcpy(message, heads[i])), unit = strlen(units[i]);
    for (inside += len; len < inside; len += unit) memcpy(message + len, units[i], unit);
    memcpy(message + len, ends[i], strlen(ends[i]));
    len += strlen(ends[i]);
    before = peak = held;
    document = lengthwise_document_read(message, len, formats[i], NULL, &error);
    CHECK(document != NULL);
    CHECK(peak - before <= LENGTHWISE_DOCUMENT_BYTES(len) && peak - before > 8 * len);
    lengthwise_document_free(document);
    CHECK(held == before);
  }
}

/* A text of a head, of a unit `count` times, of a middle, of another unit as often, and of an end. It is the caller's. */
static char *repeated(const char *head, const char *unit, size_t count, const char *middle, const char *other,
                      const char *end) {
  size_t len = strlen(head) + (strlen(unit) + strlen(other)) * count + strlen(middle) + strlen(end) + 1, i;
  char *text = (char *)malloc(len), *at = text;
  at += strlen(strcpy(at, head));
  for (i = 0; i < count; i++) at += strlen(strcpy(at, unit));
  at += strlen(strcpy(at, middle));
  for (i = 0; i < count; i++) at += strlen(strcpy(at, other));
  strcpy(at, end);
  return text;
}

/* The limits of schemas, of descriptions, and of the messages of a session. */
static void limits(void) {
  static const char envelope[] = "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Body>";
  struct lengthwise_options options;
  struct lengthwise_error error;
  struct lengthwise_schema *schema;
  struct lengthwise_session *session;
  char *deep = repeated("M DEFINITIONS ::= BEGIN R ::= ", "SEQUENCE OF ", 40, "NULL", "", " END");
  size_t len = strlen(deep);
  lengthwise_options_init(&options, sizeof options);
  schema = lengthwise_schema_load(deep, len, NULL, NULL, &error);
  CHECK(schema != NULL);
  lengthwise_schema_free(schema);
  schema = lengthwise_schema_load(deep, len, NULL, &options, &error);
  CHECK(schema != NULL);
  lengthwise_schema_free(schema);
  options.depth = 30;
  CHECK(lengthwise_schema_load(deep, len, NULL, &options, &error) == NULL && error.code == LW_LIMIT);
  options.depth = 1000;
  options.message_bytes = (uint32_t)len - 1;
  CHECK(lengthwise_schema_load(deep, len, NULL, &options, &error) == NULL && error.code == LW_LIMIT);
  memset(&options, 0, sizeof options);
  CHECK(lengthwise_schema_load(deep, len, NULL, &options, &error) == NULL && error.code == LW_UNSUPPORTED);
  free(deep);

  len = sample("search.wsdl", wsdl);
  CHECK(lengthwise_session_open(wsdl, len, &options, &error) == NULL && error.code == LW_UNSUPPORTED);
  lengthwise_options_init(&options, sizeof options);
  options.message_bytes = (uint32_t)len - 1;
  CHECK(lengthwise_session_open(wsdl, len, &options, &error) == NULL && error.code == LW_LIMIT);
  options.message_bytes = (uint32_t)len;
  options.depth = 2;
  CHECK(lengthwise_session_open(wsdl, len, &options, &error) == NULL && error.code == LW_LIMIT);
  CHECK(lengthwise_options_untrusted(&options) == LW_OK);
  options.message_bytes = 50000;
  session = lengthwise_session_open(wsdl, len, &options, &error);
  CHECK(session != NULL);
  if (session == NULL) return;
  len = sample("requests/search-1.xml", message);
  CHECK(lengthwise_session_read(session, message, len, &error) == LW_OK);
  /* Too long, at once and in pieces; too deep. */
  deep = repeated("", " ", 50001 - len, message, "", "");
  CHECK(lengthwise_session_read(session, deep, strlen(deep), &error) == LW_LIMIT);
  CHECK(lengthwise_session_feed(session, deep, 40000, &error) == LW_OK);
  CHECK(lengthwise_session_feed(session, deep + 40000, strlen(deep) - 40000, &error) == LW_LIMIT);
  CHECK(lengthwise_session_finish(session, &error) < 0);
  free(deep);
  deep = repeated(envelope, "<a>", 300, "", "</a>", "</e:Body></e:Envelope>");
  CHECK(lengthwise_session_read(session, deep, strlen(deep), &error) < 0);
  free(deep);
  CHECK(lengthwise_session_read(session, message, len, &error) == LW_OK);
  lengthwise_session_free(session);
}

/* What a call holds more than before it, at the most, beside what its formula allows. */
static void within(const char *what, size_t before, size_t allowed) {
  size_t taken = peak - before;
  if (getenv("SHOW_MEMORY") != NULL) printf("%-60s %10lu of %10lu\n", what, (unsigned long)taken, (unsigned long)allowed);
  if (taken > allowed) {
    fprintf(stderr, "%s takes %lu bytes, %lu are allowed\n", what, (unsigned long)taken, (unsigned long)allowed);
    failures++;
  }
}

/* Every call on a message, ordinary and hostile, within its formula. */
static void memory_of_calls(void) {
  static const char *const formats[] = {"xml", "json", "tsf", "pon", "infoset-uper", "infoset-aper", "infoset-ber", "tdxml"};
  static const char entities[] =
      "<!DOCTYPE a [<!ENTITY b \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\">]><a>";
  struct {
    const char *name, *format;
    char *text;
    size_t expanded;
  } inputs[12];
  struct lengthwise_error error;
  char what[100];
  size_t count = 0, i, j, len;
#define INPUT(called, of, made, more) \
  inputs[count].name = called, inputs[count].format = of, inputs[count].text = made, inputs[count++].expanded = more
  len = sample("map.xml", message), message[len] = 0;
  INPUT("a map", "xml", repeated(message, "", 0, "", "", ""), 0);
  len = sample("order.xml", message), message[len] = 0;
  INPUT("an order", "xml", repeated(message, "", 0, "", "", ""), 0);
  len = sample("sensors.json", message), message[len] = 0;
  INPUT("readings", "json", repeated(message, "", 0, "", "", ""), 0);
  INPUT("short numbers", "json", repeated("[1", ",1", 20000, "]", "", ""), 0);
  INPUT("empty objects", "json", repeated("[1", ",{}", 20000, "]", "", ""), 0);
  INPUT("deep arrays", "json", repeated("", "[", 999, "", "]", ""), 0);
  INPUT("controls", "json", repeated("\"", "\\u0001", 10000, "\"", "", ""), 0);
  INPUT("empty elements", "xml", repeated("<a>", "<b/>", 20000, "</a>", "", ""), 0);
  INPUT("deep elements", "xml", repeated("", "<a>", 999, "", "</a>", ""), 0);
  INPUT("entities", "xml", repeated(entities, "&b;", 10000, "</a>", "", ""), 10000 * 80);
  INPUT("empty units", "tsf", repeated("20000[", "0[", 20000, "", "", ""), 0);
  INPUT("booleans", "pon", repeated("20000[", "t", 20000, "", "", ""), 0);
  for (i = 0; i < count; i++) {
    size_t in = strlen(inputs[i].text), before = peak = held;
    struct lengthwise_document *document =
        lengthwise_document_read(inputs[i].text, in, inputs[i].format, NULL, &error);
    CHECK(document != NULL);
    sprintf(what, "%s (%s) read", inputs[i].name, inputs[i].format);
    within(what, before, LENGTHWISE_CONVERT_BYTES(in, inputs[i].expanded, 0));
    lengthwise_document_free(document);
    for (j = 0; j < sizeof formats / sizeof formats[0]; j++) {
      char *out = NULL, *back = NULL;
      size_t out_len = 0, back_len = 0;
      before = peak = held;
      if (lengthwise_convert(inputs[i].text, in, inputs[i].format, formats[j], NULL, NULL, NULL, &out, &out_len, &error) != LW_OK) {
        CHECK(held == before);
        sprintf(what, "%s (%s) refused as %s", inputs[i].name, inputs[i].format, formats[j]);
        within(what, before, LENGTHWISE_CONVERT_BYTES(in, inputs[i].expanded, 0));
        continue;
      }
      sprintf(what, "%s (%s) to %s", inputs[i].name, inputs[i].format, formats[j]);
      within(what, before, LENGTHWISE_CONVERT_BYTES(in, inputs[i].expanded, out_len));
      before = peak = held;
      if (lengthwise_convert(out, out_len, formats[j], inputs[i].format, NULL, NULL, NULL, &back, &back_len, &error) == LW_OK) {
        sprintf(what, "%s (%s) from %s", inputs[i].name, inputs[i].format, formats[j]);
        within(what, before, LENGTHWISE_CONVERT_BYTES(out_len, inputs[i].expanded, back_len));
        lengthwise_free(back, back_len);
      }
      lengthwise_free(out, out_len);
      CHECK(held <= before);
    }
    free(inputs[i].text);
  }
#undef INPUT
}

/* Calls with a schema or a description, within the same formula. */
static void memory_of_schemas(void) {
  static const char notation[] = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN R ::= SEQUENCE OF CHOICE { a NULL, b INTEGER } END";
  /* 16 383 items of one bit, which means `a`. */
  static char message[2100] = "\xBF\xFF";
  struct lengthwise_schema *schema;
  struct lengthwise_session *session;
  struct lengthwise_error error;
  static const char *const to[] = {"json", "aper", "ber", "oer"};
  char *out = NULL, *large = (char *)malloc(200000), *at = large;
  size_t len = 0, before = peak = held, i;
  at += sprintf(at, "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN R ::= SEQUENCE { last T2999");
  for (i = 0; i < 3000; i++) at += sprintf(at, ", a%lu T%lu", (unsigned long)i, (unsigned long)i);
  at += sprintf(at, " } ");
  for (i = 0; i < 3000; i++) at += sprintf(at, "T%lu ::= INTEGER (0..%lu) ", (unsigned long)i, (unsigned long)i);
  strcpy(at, "END");
  schema = lengthwise_schema_load(large, strlen(large), "R", NULL, &error);
  CHECK(schema != NULL);
  within("notation of many types", before, LENGTHWISE_CALL_BYTES(strlen(large), 0, 0, 0));
  lengthwise_schema_free(schema);
  free(large);
  before = peak = held;
  schema = lengthwise_schema_load(notation, strlen(notation), NULL, NULL, &error);
  CHECK(schema != NULL);
  within("notation", before, LENGTHWISE_CALL_BYTES(strlen(notation), 0, 0, 0));
  for (i = 0; i < 4; i++) {
    before = peak = held;
    int code = lengthwise_convert(message, 2 + 2048, "uper", to[i], schema, NULL, NULL, &out, &len, &error);
    CHECK(code == LW_OK);
    if (code != LW_OK) { fprintf(stderr, "%s\n", error.message); continue; }
    within("items of a bit", before, LENGTHWISE_CALL_BYTES(2 + 2048, 0, 2 * 16383, len));
    lengthwise_free(out, len);
  }
  lengthwise_schema_free(schema);
  before = peak = held;
  len = sample("search.wsdl", wsdl);
  session = lengthwise_session_open(wsdl, len, NULL, &error);
  CHECK(session != NULL);
  within("a description", before, LENGTHWISE_CALL_BYTES(len, 0, 0, 0));
  before = peak = held;
  len = sample("requests/doubles-1.xml", wsdl);
  CHECK(lengthwise_session_read(session, wsdl, len, &error) == LW_OK);
  within("a message of a session", before, LENGTHWISE_CALL_BYTES(len, 0, 0, 0));
  lengthwise_session_free(session);
}

struct device {
  struct lw_text zip, ok;
  int32_t t;
};

/* What a device writes by a table of fields is read without a word about its type set. */
static void devices(void) {
  static const struct lw_field texts[] = {LW_FIELD(LW_TEXT, struct device, zip, "zip"),
                                          LW_FIELD(LW_TEXT, struct device, ok, "ok"), LW_FIELDS_END};
  static const struct lw_field nested[] = {LW_OBJECT("o"), LW_FIELD(LW_TEXT, struct device, zip, "zip"), LW_OBJECT_END,
                                           LW_FIELD(LW_TEXT, struct device, ok, "ok"), LW_FIELDS_END};
  static const struct lw_field mixed[] = {LW_FIELD(LW_I32, struct device, t, "t"),
                                          LW_FIELD(LW_TEXT, struct device, zip, "zip"), LW_FIELDS_END};
  struct device device;
  struct lengthwise_error error;
  struct lw_out out;
  char buffer[100];
  memset(&device, 0, sizeof device);
  memset(buffer, 0, sizeof buffer);
  device.zip.data = "10115", device.zip.len = 5;
  device.ok.data = "true", device.ok.len = 4;
  device.t = 1;
  lw_out_init(&out, buffer, sizeof buffer - 1);
  lw_tsf_encode(&out, texts, &device);
  CHECK(converts("tsf", buffer, "json", NULL, "{\"zip\":\"10115\",\"ok\":\"true\"}", &error) == LW_OK);
  memset(buffer, 0, sizeof buffer);
  lw_out_init(&out, buffer, sizeof buffer - 1);
  lw_tsf_encode(&out, nested, &device);
  CHECK(converts("tsf", buffer, "json", NULL, "{\"o\":{\"zip\":\"10115\"},\"ok\":\"true\"}", &error) == LW_OK);
  /* A text that has units of TSF in it, which would be members in the set json. */
  device.zip.data = "11c'2";
  memset(buffer, 0, sizeof buffer);
  lw_out_init(&out, buffer, sizeof buffer - 1);
  lw_tsf_encode(&out, mixed, &device);
  CHECK(strcmp(buffer, "2{1t#15zip'11c'2") == 0);
  CHECK(converts("tsf", buffer, "json", NULL, "{\"t\":1,\"zip\":\"11c'2\"}", &error) == LW_OK);
}

/* Messages become columns of Arrow, and the columns the same messages again. */
static void columns(void) {
  static const char notation[] =
      "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN R ::= SEQUENCE { a INTEGER (0..255), b BOOLEAN OPTIONAL, c UTF8String } END";
  static const char *const two[] = {"c", "a"}, *const none[] = {"d"};
  /* X.691: a bit for the optional b, 8 of a, one of b if it is there, the length of c, its octets. */
  static const char first[] = {(char)0x95, 0x40, (char)0x9A, 0x1E, (char)0x40}, second[] = {0x03, (char)0x80, 0x00};
  struct lengthwise_error error;
  struct lengthwise_schema *schema = lengthwise_schema_load(notation, strlen(notation), NULL, NULL, &error);
  struct lengthwise_columns *columns = lengthwise_columns_open(schema, "uper", NULL, 0, NULL, &error);
  struct lengthwise_rows *rows;
  struct ArrowArray array;
  struct ArrowSchema described;
  const char *message = NULL;
  size_t len = 0;
  CHECK(columns != NULL && lengthwise_columns_rows(columns) == 0);
  CHECK(lengthwise_columns_push(columns, first, sizeof first, &error) == LW_OK);
  CHECK(lengthwise_columns_push(columns, first, 2, &error) == LW_INCOMPLETE && strcmp(error.path, "/c") == 0);
  CHECK(lengthwise_columns_push(columns, second, sizeof second, NULL) == LW_OK);
  CHECK(lengthwise_columns_rows(columns) == 2);
  CHECK(lengthwise_columns_finish(columns, &array, &described, &error) == LW_OK);
  CHECK(lengthwise_columns_rows(columns) == 0);
  /* What is handed over needs neither the columns nor the schema. */
  CHECK(lengthwise_columns_push_null(columns, NULL) == LW_OK);
  lengthwise_columns_free(columns);

  CHECK(strcmp(described.format, "+s") == 0 && described.n_children == 3);
  CHECK(strcmp(described.children[0]->name, "a") == 0 && strcmp(described.children[0]->format, "l") == 0);
  CHECK(strcmp(described.children[2]->name, "c") == 0 && strcmp(described.children[2]->format, "u") == 0);
  CHECK(array.length == 2 && array.n_children == 3 && array.children[1]->null_count == 1);
  CHECK(((const int64_t *)array.children[0]->buffers[1])[0] == 42 && ((const int64_t *)array.children[0]->buffers[1])[1] == 7);
  CHECK(((const int32_t *)array.children[2]->buffers[1])[2] == 2 && memcmp(array.children[2]->buffers[2], "hy", 2) == 0);

  rows = lengthwise_rows_open(schema, "uper", &array, &described, NULL, &error);
  lengthwise_schema_free(schema);
  CHECK(rows != NULL && array.release == NULL && described.release == NULL);
  CHECK(lengthwise_rows_next(rows, &message, &len, &error) == 1 && len == sizeof first && memcmp(message, first, len) == 0);
  CHECK(lengthwise_rows_next(rows, &message, &len, &error) == 1 && len == sizeof second && memcmp(message, second, len) == 0);
  CHECK(lengthwise_rows_next(rows, &message, &len, &error) == 0);
  lengthwise_rows_free(rows);

  /* Some of the columns, in the order of the type; a null has no message. */
  schema = lengthwise_schema_load(notation, strlen(notation), NULL, NULL, &error);
  columns = lengthwise_columns_open(schema, "uper", two, 2, NULL, &error);
  CHECK(lengthwise_columns_push_null(columns, &error) == LW_OK);
  CHECK(lengthwise_columns_push(columns, first, sizeof first, &error) == LW_OK);
  CHECK(lengthwise_columns_finish(columns, &array, &described, &error) == LW_OK && array.n_children == 2);
  lengthwise_columns_free(columns);
  rows = lengthwise_rows_open(schema, "der", &array, &described, NULL, &error);
  CHECK(lengthwise_rows_next(rows, &message, &len, &error) == LW_SCHEMA && strcmp(error.path, "/0") == 0);
  CHECK(lengthwise_rows_next(rows, &message, &len, &error) == 1 && len == 9 && memcmp(message + 2, "\200\1\52\202\2hy", 7) == 0);
  lengthwise_rows_free(rows);

  CHECK(lengthwise_columns_open(schema, "uper", none, 1, NULL, &error) == NULL && error.code == LW_SCHEMA);
  CHECK(lengthwise_columns_open(schema, "xml", NULL, 0, NULL, &error) == NULL && error.code == LW_UNSUPPORTED);
  columns = lengthwise_columns_open(schema, "uper", NULL, 0, NULL, &error);
  CHECK(lengthwise_columns_finish(columns, &array, NULL, &error) == LW_OK && array.length == 0);
  array.release(&array);
  CHECK(lengthwise_columns_finish(columns, &array, &described, &error) == LW_OK);
  lengthwise_columns_free(columns);
  /* Who says there are more rows than there are is refused. */
  array.length = 1000;
  CHECK(lengthwise_rows_open(schema, "uper", &array, &described, NULL, &error) == NULL && error.code == LW_SCHEMA);
  columns = lengthwise_columns_open(schema, "uper", NULL, 0, NULL, &error);
  CHECK(lengthwise_columns_finish(columns, &array, &described, &error) == LW_OK);
  lengthwise_columns_free(columns);
  /* It is taken over even if it is refused. */
  CHECK(lengthwise_rows_open(schema, "xml", &array, &described, NULL, &error) == NULL && array.release == NULL);
  lengthwise_schema_free(schema);
  lengthwise_columns_free(NULL);
  lengthwise_rows_free(NULL);
}

int main(void) {
  static const char xml[] = "<order id=\"17\"><item>tea &amp; milk</item></order>";
  static const char tsf[] = "2order<1=2id[171item<10[tea & milk";
  static const char notation[] =
      "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN R ::= SEQUENCE { a INTEGER (0..255), b BOOLEAN } END";
  int calls = 0;
  struct lengthwise_allocator allocator;
  struct lengthwise_error error;
  struct lengthwise_schema *schema;
  struct lengthwise_document *document;
  char *out = NULL;
  const char *data = NULL;
  size_t len = 0;
  char kind = 0;
  size_t i;
  struct lengthwise_memory memory;
  memory.allocate = give;
  memory.free = take;
  memory.context = &blocks;
  CHECK(lengthwise_use_memory(&memory) == LW_OK);
  allocator.allocate = counted;
  allocator.context = &calls;

  CHECK(lengthwise_convert(xml, strlen(xml), "xml", "tsf", NULL, NULL, &allocator, &out, &len, &error) == LW_OK);
  CHECK(calls == 1 && len == strlen(tsf) && memcmp(out, tsf, len) == 0);
  free(out);
  CHECK(lengthwise_convert(tsf, strlen(tsf), "tsf", "infoset-uper", NULL, NULL, NULL, &out, &len, NULL) == LW_OK);
  lengthwise_free(out, len);

  CHECK(lengthwise_convert("<a>", 3, "xml", "tsf", NULL, NULL, NULL, &out, &len, &error) == LW_INCOMPLETE);
  CHECK(error.code == LW_INCOMPLETE && error.line == 1 && strlen(error.message) > 10);
  CHECK(lengthwise_convert("<a>", 3, "xml", "nothing", NULL, NULL, NULL, &out, &len, &error) == LW_UNSUPPORTED);

  schema = lengthwise_schema_load(notation, strlen(notation), NULL, NULL, &error);
  CHECK(schema != NULL);
  /* X.691: eight bits of a, one of b, and seven to fill the octet: 0x2A 0x80. */
  CHECK(lengthwise_convert("{\"a\": 42, \"b\": true}", 20, "json", "uper", schema, NULL, NULL, &out, &len, &error) == LW_OK);
  CHECK(len == 2 && (unsigned char)out[0] == 0x2A && (unsigned char)out[1] == 0x80);
  lengthwise_free(out, len);
  /* A schema that would have no effect. */
  for (i = 0; i < 2; i++) {
    static const char *const to[] = {"json", "xml"};
    CHECK(lengthwise_convert("{\"a\": 70000}", 12, "json", to[i], schema, NULL, NULL, &out, &len, &error) == LW_UNSUPPORTED);
    CHECK(strstr(error.message, "a schema") != NULL);
  }
  /* Octets have another form in these, so that it has one. */
  for (i = 0; i < 2; i++) {
    static const char *const to[] = {"pon", "tsf"};
    CHECK(lengthwise_convert("{\"a\": 70000}", 12, "json", to[i], schema, NULL, NULL, &out, &len, &error) == LW_SCHEMA);
    CHECK(lengthwise_convert("{\"a\": 42, \"b\": true}", 20, "json", to[i], schema, NULL, NULL, &out, &len, &error) == LW_OK);
    lengthwise_free(out, len);
  }
  /* What is binary, the schema says or the option. */
  {
    const struct lengthwise_setting named = {"binary-from-base64", "true"};
    struct lengthwise_options decoding;
    lengthwise_options_init(&decoding, sizeof decoding);
    decoding.settings = &named;
    decoding.setting_count = 1;
    CHECK(lengthwise_convert("{\"a\": 42}", 9, "json", "pon", schema, &decoding, NULL, &out, &len, &error) == LW_UNSUPPORTED);
    CHECK(strstr(error.message, "a schema") != NULL);
  }
  lengthwise_schema_free(schema);
  /* A long path leaves room for the reason. */
  {
    static char deep[400];
    memset(deep, 'a', sizeof deep);
    memcpy(deep, "{\"", 2);
    memcpy(deep + 300, "\":[x", 5);
    CHECK(lengthwise_convert(deep, 304, "json", "pon", NULL, NULL, NULL, &out, &len, &error) == LW_SYNTAX);
    CHECK(strstr(error.message, "aaa...: found") != NULL && strstr(error.message, ", expected ") != NULL);
  }
  CHECK(lengthwise_schema_load("M", 1, NULL, NULL, &error) == NULL && error.code < 0);

  document = lengthwise_document_read(xml, strlen(xml), "xml", NULL, &error);
  CHECK(document != NULL);
  CHECK(lengthwise_document_get(document, "/order/item/text()", &data, &len, &kind) == LW_OK);
  CHECK(kind == '[' && len == 10 && memcmp(data, "tea & milk", 10) == 0);
  CHECK(lengthwise_document_get(document, "/order/cup", &data, &len, &kind) == LW_SCHEMA);
  lengthwise_document_free(document);
  options();
  devices();
  memory_of_documents();
  memory_of_calls();
  memory_of_schemas();
  limits();
  sessions();
  columns();
  CHECK(lengthwise_use_memory(&memory) == LW_UNSUPPORTED);
  /* What is left are tables that every message shares. */
  CHECK(blocks >= 0 && blocks < 10);
  if (failures == 0) puts("good");
  return failures != 0;
}
