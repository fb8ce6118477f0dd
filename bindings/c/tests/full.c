/* The formats that need a heap, as C sees them. Expected bytes are those of docs/formats. */
#define LENGTHWISE_FULL
#include <lengthwise.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
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

/* Memory as aligned as asked; in front of it stands where it begins. */
static void *give(void *context, size_t bytes, size_t alignment) {
  char *whole = (char *)malloc(bytes + alignment + sizeof(void *));
  size_t place = (size_t)whole + sizeof(void *) + alignment - 1;
  if (whole == NULL) return NULL;
  place -= place % alignment;
  ((void **)place)[-1] = whole;
  *(long *)context += 1;
  return (void *)place;
}

static void take(void *context, void *place, size_t bytes, size_t alignment) {
  (void)bytes, (void)alignment;
  *(long *)context -= 1;
  free(((void **)place)[-1]);
}

/* A file of the samples, of which there are smaller ones than 100 000 bytes alone. */
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

/* The samples' requests, of which each is like the one before. */
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
  CHECK(lengthwise_session_open("<a/>", 4, &error) == NULL && error.code < 0);
  session = lengthwise_session_open(wsdl, len, &error);
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
  CHECK(lengthwise_session_value(session, "/maxResults", &value) == LW_OK && value.kind == LENGTHWISE_INT);
  CHECK(*(const int32_t *)value.data == 10 && value.count == 1 && !value.is_array);
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
  CHECK(lengthwise_session_fault(session, &text, &len) == LW_OK && len == 2 && memcmp(text, "no", 2) == 0);
  CHECK(lengthwise_session_method(session, &text, &len) == LW_SCHEMA);
  CHECK(lengthwise_session_read(session, "<a/>", 4, &error) < 0 && strlen(error.message) > 10);
  CHECK(lengthwise_session_read(session, NULL, 0, &error) < 0);
  lengthwise_session_free(session);
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
  struct lengthwise_memory memory;
  memory.allocate = give;
  memory.free = take;
  memory.context = &blocks;
  CHECK(lengthwise_use_memory(&memory) == LW_OK);
  allocator.allocate = counted;
  allocator.context = &calls;

  CHECK(lengthwise_convert(xml, strlen(xml), "xml", "tsf", NULL, &allocator, &out, &len, &error) == LW_OK);
  CHECK(calls == 1 && len == strlen(tsf) && memcmp(out, tsf, len) == 0);
  free(out);
  CHECK(lengthwise_convert(tsf, strlen(tsf), "tsf", "infoset-uper", NULL, NULL, &out, &len, NULL) == LW_OK);
  lengthwise_free(out, len);

  CHECK(lengthwise_convert("<a>", 3, "xml", "tsf", NULL, NULL, &out, &len, &error) == LW_INCOMPLETE);
  CHECK(error.code == LW_INCOMPLETE && error.line == 1 && strlen(error.message) > 10);
  CHECK(lengthwise_convert("<a>", 3, "xml", "nothing", NULL, NULL, &out, &len, &error) == LW_UNSUPPORTED);

  schema = lengthwise_schema_load(notation, strlen(notation), NULL, &error);
  CHECK(schema != NULL);
  /* X.691: eight bits of a, one of b, and seven to fill the octet: 0x2A 0x80. */
  CHECK(lengthwise_convert("{\"a\": 42, \"b\": true}", 20, "json", "uper", schema, NULL, &out, &len, &error) == LW_OK);
  CHECK(len == 2 && (unsigned char)out[0] == 0x2A && (unsigned char)out[1] == 0x80);
  lengthwise_free(out, len);
  lengthwise_schema_free(schema);
  CHECK(lengthwise_schema_load("M", 1, NULL, &error) == NULL && error.code < 0);

  document = lengthwise_document_read(xml, strlen(xml), "xml", &error);
  CHECK(document != NULL);
  CHECK(lengthwise_document_get(document, "/order/item/text()", &data, &len, &kind) == LW_OK);
  CHECK(kind == '[' && len == 10 && memcmp(data, "tea & milk", 10) == 0);
  CHECK(lengthwise_document_get(document, "/order/cup", &data, &len, &kind) == LW_SCHEMA);
  lengthwise_document_free(document);
  sessions();
  CHECK(lengthwise_use_memory(&memory) == LW_UNSUPPORTED);
  /* What is left are tables that every message shares. */
  CHECK(blocks >= 0 && blocks < 10);
  if (failures == 0) puts("good");
  return failures != 0;
}
