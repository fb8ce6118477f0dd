/* yyjson at its best: in situ, over a padded buffer, with a pool that is kept between documents. */
#include "counts.h"
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

struct yyjson_dom {
    void *pool;
    size_t pool_size;
    yyjson_alc alc;
    yyjson_doc *doc;
};

struct yyjson_dom *yyjson_new(void) {
    struct yyjson_dom *d = calloc(1, sizeof *d);
    if (!d) abort();
    return d;
}

void yyjson_delete(struct yyjson_dom *d) {
    free(d->pool);
    free(d);
}

size_t yyjson_padding(void) { return YYJSON_PADDING_SIZE; }

/* 0 if the document is valid. `json` has the padding after `len` bytes and is destroyed. */
int yyjson_parse(struct yyjson_dom *d, char *json, size_t len) {
    size_t size = yyjson_read_max_memory_usage(len, YYJSON_READ_INSITU);
    if (size > d->pool_size) {
        free(d->pool);
        d->pool = malloc(size);
        if (!d->pool) abort();
        d->pool_size = size;
    }
    yyjson_alc_pool_init(&d->alc, d->pool, d->pool_size);
    d->doc = yyjson_read_opts(json, len, YYJSON_READ_INSITU, &d->alc, NULL);
    return d->doc ? 0 : 1;
}

static void count(yyjson_val *v, struct json_counts *c) {
    size_t i, max;
    yyjson_val *key, *child;
    switch (yyjson_get_type(v)) {
    case YYJSON_TYPE_ARR:
        c->arrays++;
        yyjson_arr_foreach(v, i, max, child) count(child, c);
        break;
    case YYJSON_TYPE_OBJ:
        c->objects++;
        yyjson_obj_foreach(v, i, max, key, child) {
            c->names++;
            c->text_bytes += yyjson_get_len(key);
            count(child, c);
        }
        break;
    case YYJSON_TYPE_STR:
        c->strings++;
        c->text_bytes += yyjson_get_len(v);
        break;
    case YYJSON_TYPE_NUM:
        c->numbers++;
        break;
    default:
        c->literals++;
    }
}

void yyjson_count(const struct yyjson_dom *d, struct json_counts *c) {
    memset(c, 0, sizeof *c);
    count(yyjson_doc_get_root(d->doc), c);
}

const char *yyjson_version_text(void) { return YYJSON_VERSION_STRING; }
