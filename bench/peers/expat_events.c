/* libexpat reporting what it passes: nothing is built, the handlers only look and count. What they
 * count is what the tree of expat_tree.c holds. */
#include "counts.h"
#include <expat.h>
#include <stdlib.h>
#include <string.h>

struct events {
    XML_Parser parser;
    struct counts counts;
    int text; /* the text before goes on: expat reports it piece by piece */
    int cdata;
};

static void on_start(void *user, const XML_Char *name, const XML_Char **atts) {
    struct events *e = user;
    e->text = 0;
    e->counts.elements++;
    e->counts.name_bytes += strlen(name);
    for (; *atts; atts += 2) {
        e->counts.attributes++;
        e->counts.name_bytes += strlen(atts[0]);
        e->counts.value_bytes += strlen(atts[1]);
    }
}

static void on_end(void *user, const XML_Char *name) {
    struct events *e = user;
    (void)name;
    e->text = 0;
}

static void on_text(void *user, const XML_Char *s, int len) {
    struct events *e = user;
    (void)s;
    e->counts.value_bytes += (size_t)len;
    e->counts.texts += !e->text && !e->cdata;
    e->text = 1;
}

static void on_cdata_start(void *user) {
    struct events *e = user;
    e->cdata = 1;
    e->counts.others++;
}

static void on_cdata_end(void *user) {
    struct events *e = user;
    e->cdata = 0;
    e->text = 0;
}

static void other(struct events *e) {
    e->text = 0;
    e->counts.others++;
}

static void on_comment(void *user, const XML_Char *s) {
    (void)s;
    other(user);
}
static void on_pi(void *user, const XML_Char *target, const XML_Char *data) {
    (void)target, (void)data;
    other(user);
}
static void on_doctype(void *user, const XML_Char *name, const XML_Char *system, const XML_Char *public, int internal) {
    (void)name, (void)system, (void)public, (void)internal;
    other(user);
}

struct events *expat_events_new(void) {
    struct events *e = calloc(1, sizeof *e);
    if (!e) abort();
    e->parser = XML_ParserCreate(NULL);
    return e;
}

void expat_events_free(struct events *e) {
    XML_ParserFree(e->parser);
    free(e);
}

/* 0 when the document is well-formed. */
int expat_events_parse(struct events *e, const char *xml, size_t len) {
    XML_Parser p = e->parser;
    XML_ParserReset(p, NULL);
    XML_SetUserData(p, e);
    XML_SetElementHandler(p, on_start, on_end);
    XML_SetCharacterDataHandler(p, on_text);
    XML_SetCdataSectionHandler(p, on_cdata_start, on_cdata_end);
    XML_SetCommentHandler(p, on_comment);
    XML_SetProcessingInstructionHandler(p, on_pi);
    XML_SetStartDoctypeDeclHandler(p, on_doctype);
    memset(&e->counts, 0, sizeof e->counts);
    e->text = e->cdata = 0;
    return XML_Parse(p, xml, (int)len, 1) == XML_STATUS_OK ? 0 : 1;
}

void expat_events_count(const struct events *e, struct counts *c) { *c = e->counts; }
