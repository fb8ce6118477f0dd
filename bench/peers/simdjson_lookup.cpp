// simdjson on demand: one member looked up, nothing else parsed. The parser is kept, the document
// has the padding it wants.
#include <simdjson.h>
#include <string_view>

namespace ondemand = simdjson::ondemand;

extern "C" {

struct simdjson_lookup {
    ondemand::parser parser;
};

simdjson_lookup *simdjson_lookup_new(void) { return new simdjson_lookup; }
void simdjson_lookup_free(simdjson_lookup *l) { delete l; }

// 0 if the integer at `first`/`second` is found. `json` has the padding after `len` bytes.
int simdjson_lookup_find(simdjson_lookup *l, const char *json, size_t len, const char *first, size_t first_len,
                         const char *second, size_t second_len, uint64_t *found) {
    ondemand::document document;
    size_t room = len + simdjson::SIMDJSON_PADDING;
    if (l->parser.iterate(json, len, room).get(document)) return 1;
    // find_field looks in one direction only, which is all that is needed here.
    auto member = document.find_field(std::string_view(first, first_len));
    return member.find_field(std::string_view(second, second_len)).get_uint64().get(*found) ? 1 : 0;
}
}
