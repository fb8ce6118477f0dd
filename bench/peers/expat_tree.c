/* libexpat building a tree in an arena: the fastest tree its callbacks allow.
 *
 * The arena and the parser are kept between documents. Names, attributes and values are copied
 * into the arena, because expat's own are gone when a callback returns; pieces of text that
 * expat reports one by one are merged where they land, without a second copy. */
#include "counts.h"
#include <expat.h>
#include <stdlib.h>
#include <string.h>

enum kind { ELEMENT, TEXT, CDATA, COMMENT, PI, DOCTYPE };

struct attribute {
    const char *name, *value;
    uint32_t name_len, value_len;
};

struct node {
    struct node *next, *first;
    struct attribute *attributes;
    const char *name, *value;
    uint32_t attribute_count, name_len, value_len;
    enum kind kind;
};

struct block {
    struct block *next;
    char *end;
    char bytes[];
};

#define OPEN_MAX 4096

struct open {
    struct node *node;
    struct node **link; /* where the next child is linked in */
};

struct tree {
    XML_Parser parser;
    struct block *blocks, *now;
    char *at, *end;
    struct node *text; /* text or CDATA that may go on */
    int cdata;
    unsigned depth;
    struct open open[OPEN_MAX];
    struct node *root;
};

static struct block *new_block(size_t size) {
    struct block *b = malloc(sizeof *b + size);
    if (!b) abort();
    b->next = NULL;
    b->end = b->bytes + size;
    return b;
}

static void use(struct tree *t, struct block *b) {
    t->now = b;
    t->at = b->bytes;
    t->end = b->end;
}

static __attribute__((noinline)) void more(struct tree *t, size_t size) {
    struct block *b = t->now->next;
    if (!b || (size_t)(b->end - b->bytes) < size) {
        b = new_block(size > 1 << 20 ? size : 1 << 20);
        b->next = t->now->next;
        t->now->next = b;
    }
    use(t, b);
}

static inline void *take(struct tree *t, size_t size) {
    char *at = (char *)(((uintptr_t)t->at + 7) & ~(uintptr_t)7);
    if (__builtin_expect((size_t)(t->end - t->at) < size + 8, 0)) {
        more(t, size + 8);
        at = (char *)(((uintptr_t)t->at + 7) & ~(uintptr_t)7);
    }
    t->at = at + size;
    return at;
}

static inline const char *keep(struct tree *t, const char *s, size_t len) {
    if (__builtin_expect((size_t)(t->end - t->at) < len + 1, 0)) more(t, len + 1);
    char *at = t->at;
    memcpy(at, s, len);
    at[len] = 0;
    t->at = at + len + 1;
    return at;
}

static inline struct node *add(struct tree *t, enum kind kind) {
    struct node *n = take(t, sizeof *n);
    n->next = n->first = NULL;
    n->attribute_count = 0;
    n->name_len = n->value_len = 0;
    n->kind = kind;
    struct open *o = &t->open[t->depth];
    *o->link = n;
    o->link = &n->next;
    return n;
}

static void on_start(void *user, const XML_Char *name, const XML_Char **atts) {
    struct tree *t = user;
    t->text = NULL;
    struct node *n = add(t, ELEMENT);
    n->name_len = (uint32_t)strlen(name);
    n->name = keep(t, name, n->name_len);
    unsigned count = 0;
    while (atts[count]) count += 2;
    count /= 2;
    n->attribute_count = count;
    if (count) {
        struct attribute *a = n->attributes = take(t, count * sizeof *a);
        for (unsigned i = 0; i < count; i++, a++) {
            a->name_len = (uint32_t)strlen(atts[2 * i]);
            a->value_len = (uint32_t)strlen(atts[2 * i + 1]);
            a->name = keep(t, atts[2 * i], a->name_len);
            a->value = keep(t, atts[2 * i + 1], a->value_len);
        }
    }
    if (t->depth + 1 == OPEN_MAX) {
        XML_StopParser(t->parser, XML_FALSE);
        return;
    }
    struct open *o = &t->open[++t->depth];
    o->node = n;
    o->link = &n->first;
}

static void on_end(void *user, const XML_Char *name) {
    struct tree *t = user;
    (void)name;
    t->text = NULL;
    t->depth--;
}

static void on_text(void *user, const XML_Char *s, int len) {
    struct tree *t = user;
    struct node *n = t->text;
    if (!n) {
        n = t->text = add(t, t->cdata ? CDATA : TEXT);
        n->value = keep(t, s, (size_t)len);
        n->value_len = (uint32_t)len;
        return;
    }
    /* The text is the last thing in the arena: go on where it ends, over its closing zero. */
    if (__builtin_expect((size_t)(t->end - t->at) < (size_t)len, 0)) {
        const char *old = n->value;
        more(t, n->value_len + (size_t)len + 1);
        n->value = keep(t, old, n->value_len);
    }
    t->at--;
    memcpy(t->at, s, (size_t)len);
    t->at += len;
    *t->at++ = 0;
    n->value_len += (uint32_t)len;
}

static void on_cdata_start(void *user) {
    struct tree *t = user;
    t->cdata = 1;
    t->text = NULL;
    on_text(user, "", 0);
}

static void on_cdata_end(void *user) {
    struct tree *t = user;
    t->cdata = 0;
    t->text = NULL;
}

static void leaf(struct tree *t, enum kind kind, const char *name, const char *value) {
    t->text = NULL;
    struct node *n = add(t, kind);
    if (name) {
        n->name_len = (uint32_t)strlen(name);
        n->name = keep(t, name, n->name_len);
    }
    if (value) {
        n->value_len = (uint32_t)strlen(value);
        n->value = keep(t, value, n->value_len);
    }
}

static void on_comment(void *user, const XML_Char *s) { leaf(user, COMMENT, NULL, s); }
static void on_pi(void *user, const XML_Char *target, const XML_Char *data) { leaf(user, PI, target, data); }
static void on_doctype(void *user, const XML_Char *name, const XML_Char *system, const XML_Char *public, int internal) {
    (void)system, (void)public, (void)internal;
    leaf(user, DOCTYPE, name, NULL);
}

struct tree *expat_new(void) {
    struct tree *t = calloc(1, sizeof *t);
    if (!t) abort();
    t->parser = XML_ParserCreate(NULL);
    t->blocks = new_block(1 << 20);
    return t;
}

void expat_free(struct tree *t) {
    for (struct block *b = t->blocks; b;) {
        struct block *next = b->next;
        free(b);
        b = next;
    }
    XML_ParserFree(t->parser);
    free(t);
}

/* 0 when the document is well-formed. */
int expat_parse(struct tree *t, const char *xml, size_t len) {
    XML_Parser p = t->parser;
    XML_ParserReset(p, NULL);
    XML_SetUserData(p, t);
    XML_SetElementHandler(p, on_start, on_end);
    XML_SetCharacterDataHandler(p, on_text);
    XML_SetCdataSectionHandler(p, on_cdata_start, on_cdata_end);
    XML_SetCommentHandler(p, on_comment);
    XML_SetProcessingInstructionHandler(p, on_pi);
    XML_SetStartDoctypeDeclHandler(p, on_doctype);
    use(t, t->blocks);
    t->text = NULL;
    t->cdata = 0;
    t->depth = 0;
    t->root = NULL;
    t->open[0].node = NULL;
    t->open[0].link = &t->root;
    return XML_Parse(p, xml, (int)len, 1) == XML_STATUS_OK ? 0 : 1;
}

static void count(const struct node *n, struct counts *c) {
    for (; n; n = n->next) {
        if (n->kind == ELEMENT) {
            c->elements++;
            c->name_bytes += n->name_len;
            c->attributes += n->attribute_count;
            for (unsigned i = 0; i < n->attribute_count; i++) {
                c->name_bytes += n->attributes[i].name_len;
                c->value_bytes += n->attributes[i].value_len;
            }
            count(n->first, c);
        } else if (n->kind == TEXT) {
            c->texts++;
            c->value_bytes += n->value_len;
        } else {
            c->others++;
            if (n->kind == CDATA) c->value_bytes += n->value_len;
        }
    }
}

void expat_count(const struct tree *t, struct counts *c) {
    memset(c, 0, sizeof *c);
    count(t->root, c);
}

const char *expat_version(void) { return XML_ExpatVersion(); }
