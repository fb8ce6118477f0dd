/* What a tree holds: compared between all peers before anything is timed. */
#ifndef COUNTS_H
#define COUNTS_H
#include <stddef.h>
#include <stdint.h>

struct counts {
    uint64_t elements;
    uint64_t attributes;
    uint64_t texts;
    uint64_t others; /* CDATA sections, comments, processing instructions, DOCTYPE */
    uint64_t name_bytes;
    uint64_t value_bytes; /* attribute values, text and CDATA */
};

struct json_counts {
    uint64_t objects, arrays, strings, numbers;
    uint64_t literals; /* true, false, null */
    uint64_t names;
    uint64_t text_bytes; /* names and strings, escapes undone */
};
#endif
