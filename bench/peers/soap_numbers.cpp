// expat and pugixml with the number parser of the C++ library: the items of a SOAP message into an array
// that is kept. Names are compared as they are written; nothing else of the message is looked at.
#include <charconv>
#include <cstddef>
#include <cstring>
#include <vector>

namespace {

template <typename T> struct sink {
    std::vector<T> items;
    bool sound = true;
    void add(const char *from, const char *to) {
        T value{};
        auto read = std::from_chars(from, to, value);
        sound &= read.ec == std::errc() && read.ptr == to;
        items.push_back(value);
    }
};

sink<double> doubles;
sink<int> ints;

template <typename F> long with(int kind, F read) {
    auto run = [&](auto &sink) {
        sink.items.clear();
        sink.sound = true;
        return read(sink) && sink.sound ? long(sink.items.size()) : -1;
    };
    return kind == 0 ? run(doubles) : run(ints);
}

} // namespace

extern "C" double soap_numbers_item(int kind, long item) {
    return kind == 0 ? doubles.items[item] : double(ints.items[item]);
}

#ifdef WITH_EXPAT
#include <expat.h>

namespace {

template <typename S> struct handlers {
    S *sink;
    bool inside = false;
    char text[64];
    size_t len = 0;

    static void start(void *self, const XML_Char *name, const XML_Char **) {
        auto *h = static_cast<handlers *>(self);
        h->inside = std::strcmp(name, "item") == 0;
        h->len = 0;
    }
    static void end(void *self, const XML_Char *) {
        auto *h = static_cast<handlers *>(self);
        if (h->inside) h->sink->add(h->text, h->text + h->len);
        h->inside = false;
    }
    static void data(void *self, const XML_Char *text, int len) {
        auto *h = static_cast<handlers *>(self);
        if (!h->inside) return;
        if (h->len + size_t(len) > sizeof h->text) {
            h->sink->sound = false;
            return;
        }
        std::memcpy(h->text + h->len, text, size_t(len));
        h->len += size_t(len);
    }
};

XML_Parser parser;

} // namespace

extern "C" long expat_numbers(int kind, const char *xml, size_t len) {
    return with(kind, [&](auto &sink) {
        using H = handlers<std::remove_reference_t<decltype(sink)>>;
        if (!parser) parser = XML_ParserCreate(nullptr);
        else XML_ParserReset(parser, nullptr);
        H h{&sink};
        XML_SetUserData(parser, &h);
        XML_SetElementHandler(parser, H::start, H::end);
        XML_SetCharacterDataHandler(parser, H::data);
        return XML_Parse(parser, xml, int(len), 1) == XML_STATUS_OK;
    });
}
#endif

#ifdef WITH_PUGIXML
#include <pugixml.hpp>

// The text is parsed in place, and is not the message any more.
extern "C" long pugixml_numbers(int kind, char *xml, size_t len) {
    return with(kind, [&](auto &sink) {
        pugi::xml_document document;
        if (!document.load_buffer_inplace(xml, len, pugi::parse_minimal, pugi::encoding_utf8)) return false;
        // Envelope, body, method, array.
        auto array = document.first_child().first_child().first_child().first_child();
        for (auto item : array.children("item")) {
            const char *text = item.child_value();
            sink.add(text, text + std::strlen(text));
        }
        return true;
    });
}
#endif
