/* libxml2 reporting what it passes (SAX2) or building its tree, with a schema or without; and its tree
 * written. A schema is compiled once, contexts are kept, so that names stay in their dictionary. The
 * handlers look at what they get and count, as those of expat_events.c. */
#include "counts.h"
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlschemas.h>
#include <stdlib.h>
#include <string.h>

enum { OPTIONS = XML_PARSE_NOENT | XML_PARSE_COMPACT | XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING };

struct libxml2 {
    xmlParserCtxtPtr events, tree;
    xmlSchemaPtr schema;
    xmlSchemaValidCtxtPtr valid;
    xmlDocPtr kept;
    xmlBufferPtr out;
    struct counts counts;
};

static void on_start(void *user, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri, int namespaces,
                     const xmlChar **declared, int attributes, int defaulted, const xmlChar **atts) {
    struct counts *c = user;
    (void)uri, (void)namespaces, (void)declared, (void)defaulted;
    c->elements++;
    c->name_bytes += strlen((const char *)local) + (prefix ? 1 + strlen((const char *)prefix) : 0);
    for (int i = 0; i < attributes; i++, atts += 5) {
        c->attributes++;
        c->name_bytes += strlen((const char *)atts[0]);
        c->value_bytes += (size_t)(atts[4] - atts[3]);
    }
}

static void on_end(void *user, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri) {
    (void)user, (void)local, (void)prefix, (void)uri;
}

static void on_text(void *user, const xmlChar *s, int len) {
    struct counts *c = user;
    (void)s;
    c->texts++;
    c->value_bytes += (size_t)len;
}

static void on_comment(void *user, const xmlChar *s) {
    (void)s;
    ((struct counts *)user)->others++;
}

static void silent(void *user, const char *words, ...) { (void)user, (void)words; }

/* Null where the schema cannot be compiled; without one nothing is validated. */
struct libxml2 *libxml2_new(const char *schema) {
    xmlInitParser();
    struct libxml2 *p = calloc(1, sizeof *p);
    if (!p) abort();
    p->tree = xmlNewParserCtxt();
    p->events = xmlNewParserCtxt();
    xmlSAXHandlerPtr sax = p->events->sax;
    memset(sax, 0, sizeof *sax);
    sax->initialized = XML_SAX2_MAGIC;
    sax->startElementNs = on_start;
    sax->endElementNs = on_end;
    sax->characters = sax->ignorableWhitespace = sax->cdataBlock = on_text;
    sax->comment = on_comment;
    p->events->userData = &p->counts;
    p->out = xmlBufferCreateSize(1 << 16);
    if (!schema) return p;
    xmlSchemaParserCtxtPtr reading = xmlSchemaNewParserCtxt(schema);
    if (reading) {
        xmlSchemaSetParserErrors(reading, silent, silent, NULL);
        p->schema = xmlSchemaParse(reading);
        xmlSchemaFreeParserCtxt(reading);
    }
    p->valid = p->schema ? xmlSchemaNewValidCtxt(p->schema) : NULL;
    if (!p->valid) return NULL;
    xmlSchemaSetValidErrors(p->valid, silent, silent, NULL);
    return p;
}

void libxml2_free(struct libxml2 *p) {
    xmlFreeDoc(p->kept);
    xmlBufferFree(p->out);
    xmlFreeParserCtxt(p->events);
    xmlFreeParserCtxt(p->tree);
    if (p->valid) xmlSchemaFreeValidCtxt(p->valid);
    if (p->schema) xmlSchemaFree(p->schema);
    free(p);
}

static int events(struct libxml2 *p, const char *xml, size_t len, int validated) {
    xmlParserCtxtPtr c = p->events;
    memset(&p->counts, 0, sizeof p->counts);
    xmlSchemaSAXPlugPtr plug = validated ? xmlSchemaSAXPlug(p->valid, &c->sax, &c->userData) : NULL;
    if (validated && !plug) return 0;
    xmlCtxtReadMemory(c, xml, (int)len, NULL, NULL, OPTIONS);
    int done = c->wellFormed;
    if (plug) {
        done = done && xmlSchemaIsValid(p->valid) == 1;
        xmlSchemaSAXUnplug(plug);
    }
    return done;
}

static int tree(struct libxml2 *p, const char *xml, size_t len, int validated) {
    xmlDocPtr doc = xmlCtxtReadMemory(p->tree, xml, (int)len, NULL, NULL, OPTIONS);
    int done = doc && (!validated || xmlSchemaValidateDoc(p->valid, doc) == 0);
    xmlFreeDoc(doc);
    return done;
}

/* 0 when the document is sound. Modes: 0 events, 1 events validated, 2 tree, 3 tree validated. */
int libxml2_parse(struct libxml2 *p, int mode, const char *xml, size_t len) {
    return !(mode & 2 ? tree(p, xml, len, mode & 1) : events(p, xml, len, mode & 1));
}

/* A tree that stays; 0 when there is one. */
int libxml2_keep(struct libxml2 *p, const char *xml, size_t len) {
    xmlFreeDoc(p->kept);
    p->kept = xmlCtxtReadMemory(p->tree, xml, (int)len, NULL, NULL, OPTIONS);
    return !p->kept;
}

/* The tree that was kept, as XML without a declaration. */
size_t libxml2_write(struct libxml2 *p, const char **text) {
    xmlBufferEmpty(p->out);
    xmlNodeDump(p->out, p->kept, xmlDocGetRootElement(p->kept), 0, 0);
    *text = (const char *)xmlBufferContent(p->out);
    return (size_t)xmlBufferLength(p->out);
}

static void count(const xmlNode *node, struct counts *c) {
    for (; node; node = node->next) {
        if (node->type == XML_ELEMENT_NODE) {
            c->elements++;
            for (const xmlAttr *a = node->properties; a; a = a->next) {
                c->attributes++;
                for (const xmlNode *t = a->children; t; t = t->next) c->value_bytes += strlen((const char *)t->content);
            }
            count(node->children, c);
        } else if (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE) {
            c->value_bytes += strlen((const char *)node->content);
        }
    }
}

/* What the handlers saw in the document before, or what is in the tree that was kept. */
void libxml2_count(const struct libxml2 *p, int mode, struct counts *c) {
    *c = p->counts;
    if (mode & 2) {
        memset(c, 0, sizeof *c);
        if (p->kept) count(xmlDocGetRootElement(p->kept), c);
    }
}
