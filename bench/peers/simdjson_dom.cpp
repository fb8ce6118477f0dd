// simdjson's DOM: the parser kept between documents, over a buffer with the padding it wants.
#include "counts.h"
#include <cstring>
#include <simdjson.h>

namespace {

using simdjson::dom::element;

void count(element e, json_counts *c) {
    switch (e.type()) {
    case simdjson::dom::element_type::ARRAY:
        c->arrays++;
        for (element child : simdjson::dom::array(e)) count(child, c);
        break;
    case simdjson::dom::element_type::OBJECT:
        c->objects++;
        for (auto field : simdjson::dom::object(e)) {
            c->names++;
            c->text_bytes += field.key.size();
            count(field.value, c);
        }
        break;
    case simdjson::dom::element_type::STRING:
        c->strings++;
        c->text_bytes += std::string_view(e).size();
        break;
    case simdjson::dom::element_type::BOOL:
    case simdjson::dom::element_type::NULL_VALUE:
        c->literals++;
        break;
    default:
        c->numbers++;
    }
}

} // namespace

extern "C" {

struct simdjson_dom {
    simdjson::dom::parser parser;
    element root;
};

simdjson_dom *simdjson_new(void) { return new simdjson_dom; }
void simdjson_free(simdjson_dom *d) { delete d; }
size_t simdjson_padding(void) { return simdjson::SIMDJSON_PADDING; }

// 0 if the document is valid. `json` has the padding after `len` bytes.
int simdjson_parse(simdjson_dom *d, const char *json, size_t len) {
    return d->parser.parse(reinterpret_cast<const uint8_t *>(json), len, false).get(d->root) ? 1 : 0;
}

void simdjson_count(const simdjson_dom *d, json_counts *c) {
    std::memset(c, 0, sizeof *c);
    count(d->root, c);
}

const char *simdjson_version(void) { return SIMDJSON_STRINGIFY(SIMDJSON_VERSION); }
}
