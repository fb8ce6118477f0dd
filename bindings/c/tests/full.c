/* The formats that need a heap, as C sees them. Expected bytes are those of docs/formats. */
#define LENGTHWISE_FULL
#include <lengthwise.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

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
  if (failures == 0) puts("good");
  return failures != 0;
}
