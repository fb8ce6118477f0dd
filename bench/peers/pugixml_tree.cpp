// pugixml at its best: in place, and its pages from an arena that is kept between documents
// (with malloc it would pay for page faults, not for parsing).
#include "counts.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pugixml.hpp>
#include <string>

namespace {

struct arena {
    char *bytes = nullptr;
    size_t used = 0, size = 0, wanted = 0;

    void reset() {
        // What did not fit came from malloc; next time it fits.
        if (wanted > size) {
            std::free(bytes);
            size = wanted + wanted / 4;
            bytes = static_cast<char *>(std::malloc(size));
            if (!bytes) std::abort();
        }
        used = wanted = 0;
    }
    void *take(size_t n) {
        n = (n + 15) & ~size_t(15);
        wanted += n;
        if (size - used < n) return std::malloc(n);
        void *at = bytes + used;
        used += n;
        return at;
    }
    void give(void *p) {
        char *at = static_cast<char *>(p);
        if (at < bytes || at >= bytes + size) std::free(p);
    }
};

arena pages;
bool pooled = false;

void *take(size_t n) { return pooled ? pages.take(n) : std::malloc(n); }
void give(void *p) { pages.give(p); }

void count(pugi::xml_node parent, counts *c) {
    for (pugi::xml_node n : parent.children()) {
        switch (n.type()) {
        case pugi::node_element:
            c->elements++;
            c->name_bytes += std::strlen(n.name());
            for (pugi::xml_attribute a : n.attributes()) {
                c->attributes++;
                c->name_bytes += std::strlen(a.name());
                c->value_bytes += std::strlen(a.value());
            }
            count(n, c);
            break;
        case pugi::node_pcdata:
            c->texts++;
            c->value_bytes += std::strlen(n.value());
            break;
        case pugi::node_cdata:
            c->value_bytes += std::strlen(n.value());
            c->others++;
            break;
        default:
            c->others++;
        }
    }
}

} // namespace

struct tree {
    pugi::xml_document doc;
    bool keep;
    std::string out; // what was written, kept
};

namespace {

struct append : pugi::xml_writer {
    std::string &out;
    explicit append(std::string &to) : out(to) {}
    void write(const void *data, size_t size) override { out.append(static_cast<const char *>(data), size); }
};

} // namespace

extern "C" {

// With `keep` pages come from the arena, else from malloc.
tree *pugixml_new(int keep) {
    pugi::set_memory_management_functions(take, give);
    tree *t = new tree;
    t->keep = keep != 0;
    return t;
}

void pugixml_free(tree *t) { delete t; }

// 0 when pugixml takes the document, which it destroys. The declaration is left out, as we leave
// it out; everything else is kept.
int pugixml_parse(tree *t, char *xml, size_t len) {
    t->doc.reset();
    pooled = t->keep;
    if (pooled) pages.reset();
    unsigned keep = pugi::parse_default | pugi::parse_pi | pugi::parse_comments | pugi::parse_doctype |
                    pugi::parse_ws_pcdata;
    return t->doc.load_buffer_inplace(xml, len, keep, pugi::encoding_utf8) ? 0 : 1;
}

void pugixml_clear(tree *t) { t->doc.reset(); }

// Writes the tree as XML into memory that is kept: nothing added, no declaration. Gives the text.
const char *pugixml_write(tree *t, size_t *len) {
    t->out.clear();
    append to(t->out);
    t->doc.save(to, "", pugi::format_raw | pugi::format_no_declaration, pugi::encoding_utf8);
    *len = t->out.size();
    return t->out.data();
}

// A copy of another tree, names and values included; its pages come from the arena.
void pugixml_copy(tree *t, const tree *from) {
    t->doc.reset();
    pooled = t->keep;
    if (pooled) pages.reset();
    t->doc.reset(from->doc);
}

void pugixml_count(const tree *t, counts *c) {
    std::memset(c, 0, sizeof *c);
    count(t->doc, c);
}

int pugixml_version(void) { return PUGIXML_VERSION; }
}
