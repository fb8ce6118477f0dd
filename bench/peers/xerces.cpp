// Xerces-C reporting what it passes (SAX2) or building its DOM, with a schema or without; and its DOM
// written. The schema's grammar is loaded once and kept, readers and pools are reused. Each reader has
// the scanner that does no more than it must: well-formedness only, or schemas only.
#include "counts.h"
#include <cstring>
#include <memory>
#include <string>
#include <xercesc/dom/DOM.hpp>
#include <xercesc/framework/MemBufFormatTarget.hpp>
#include <xercesc/framework/MemBufInputSource.hpp>
#include <xercesc/framework/XMLGrammarPoolImpl.hpp>
#include <xercesc/parsers/XercesDOMParser.hpp>
#include <xercesc/sax2/Attributes.hpp>
#include <xercesc/sax2/DefaultHandler.hpp>
#include <xercesc/sax2/SAX2XMLReader.hpp>
#include <xercesc/sax2/XMLReaderFactory.hpp>
#include <xercesc/util/PlatformUtils.hpp>
#include <xercesc/util/XMLUni.hpp>

using namespace xercesc;

namespace {

// Looks and counts. Units are those of UTF-16.
struct Seen : DefaultHandler {
    counts found{};
    bool sound = true;

    void startElement(const XMLCh *, const XMLCh *, const XMLCh *qname, const Attributes &atts) override {
        found.elements++;
        found.name_bytes += XMLString::stringLen(qname);
        for (XMLSize_t i = 0, n = atts.getLength(); i < n; i++) {
            found.attributes++;
            found.name_bytes += XMLString::stringLen(atts.getQName(i));
            found.value_bytes += XMLString::stringLen(atts.getValue(i));
        }
    }
    void characters(const XMLCh *, const XMLSize_t length) override {
        found.texts++;
        found.value_bytes += length;
    }
    void ignorableWhitespace(const XMLCh *text, const XMLSize_t length) override { characters(text, length); }
    void error(const SAXParseException &) override { sound = false; }
    void fatalError(const SAXParseException &) override { sound = false; }
    void resetErrors() override {}
};

void count(const DOMNode *node, counts &c) {
    for (; node; node = node->getNextSibling()) {
        if (node->getNodeType() == DOMNode::ELEMENT_NODE) {
            c.elements++;
            const DOMNamedNodeMap *atts = node->getAttributes();
            for (XMLSize_t i = 0, n = atts->getLength(); i < n; i++) {
                const XMLCh *uri = atts->item(i)->getNamespaceURI();
                if (!XMLString::equals(uri, XMLUni::fgXMLNSURIName)) {
                    c.attributes++;
                    c.value_bytes += XMLString::stringLen(atts->item(i)->getNodeValue());
                }
            }
            count(node->getFirstChild(), c);
        } else if (node->getNodeType() == DOMNode::TEXT_NODE || node->getNodeType() == DOMNode::CDATA_SECTION_NODE) {
            c.value_bytes += XMLString::stringLen(node->getNodeValue());
        }
    }
}

} // namespace

struct xerces {
    Seen seen;
    XMLGrammarPoolImpl pool{XMLPlatformUtils::fgMemoryManager};
    std::unique_ptr<SAX2XMLReader> events[2];
    std::unique_ptr<XercesDOMParser> trees[2];
    MemBufFormatTarget out{1 << 16};
    DOMLSSerializer *serializer = nullptr;
    DOMLSOutput *output = nullptr;

    bool prepare(const char *schema) {
        for (int valid = 0; valid < 2; valid++) {
            events[valid].reset(XMLReaderFactory::createXMLReader(XMLPlatformUtils::fgMemoryManager, &pool));
            SAX2XMLReader &reader = *events[valid];
            const XMLCh *scanner = valid ? XMLUni::fgSGXMLScanner : XMLUni::fgWFXMLScanner;
            reader.setProperty(XMLUni::fgXercesScannerName, const_cast<XMLCh *>(scanner));
            reader.setFeature(XMLUni::fgSAX2CoreNameSpaces, true);
            reader.setFeature(XMLUni::fgSAX2CoreNameSpacePrefixes, false);
            reader.setFeature(XMLUni::fgSAX2CoreValidation, valid);
            reader.setFeature(XMLUni::fgXercesDynamic, false);
            reader.setFeature(XMLUni::fgXercesSchema, valid);
            reader.setFeature(XMLUni::fgXercesSchemaFullChecking, false);
            reader.setFeature(XMLUni::fgXercesLoadExternalDTD, false);
            reader.setContentHandler(&seen);
            reader.setErrorHandler(&seen);
            if (valid && schema) {
                if (!reader.loadGrammar(schema, Grammar::SchemaGrammarType, true)) return false;
                reader.setFeature(XMLUni::fgXercesUseCachedGrammarInParse, true);
                reader.setFeature(XMLUni::fgXercesLoadSchema, false);
            }
            trees[valid] = std::make_unique<XercesDOMParser>(nullptr, XMLPlatformUtils::fgMemoryManager, &pool);
            XercesDOMParser &parser = *trees[valid];
            parser.useScanner(scanner);
            parser.setDoNamespaces(true);
            parser.setDoSchema(valid);
            parser.setValidationScheme(valid ? XercesDOMParser::Val_Always : XercesDOMParser::Val_Never);
            parser.setValidationSchemaFullChecking(false);
            parser.setCreateEntityReferenceNodes(false);
            parser.setLoadExternalDTD(false);
            parser.setErrorHandler(&seen);
            if (valid && schema) {
                parser.useCachedGrammarInParse(true);
                parser.setLoadSchema(false);
            }
        }
        static const XMLCh ls[] = {chLatin_L, chLatin_S, chNull};
        DOMImplementation *dom = DOMImplementationRegistry::getDOMImplementation(ls);
        serializer = static_cast<DOMImplementationLS *>(dom)->createLSSerializer();
        serializer->getDomConfig()->setParameter(XMLUni::fgDOMXMLDeclaration, false);
        output = static_cast<DOMImplementationLS *>(dom)->createLSOutput();
        output->setByteStream(&out);
        output->setEncoding(XMLUni::fgUTF8EncodingString);
        return seen.sound;
    }

    ~xerces() {
        if (output) output->release();
        if (serializer) serializer->release();
    }

    bool parse(int mode, const char *xml, size_t len) {
        MemBufInputSource source(reinterpret_cast<const XMLByte *>(xml), len, "", false);
        source.setCopyBufToStream(false);
        seen.sound = true;
        if (mode & 2) {
            XercesDOMParser &parser = *trees[mode & 1];
            parser.resetDocumentPool();
            parser.parse(source);
        } else {
            seen.found = {};
            events[mode & 1]->parse(source);
        }
        return seen.sound;
    }
};

template <class F> static auto guarded(F work, decltype(work()) failed) -> decltype(work()) {
    try {
        return work();
    } catch (...) {
        return failed;
    }
}

extern "C" {

// Null where the schema cannot be read; without one nothing is validated.
xerces *xerces_new(const char *schema) {
    XMLPlatformUtils::Initialize();
    auto made = std::make_unique<xerces>();
    return guarded([&] { return made->prepare(schema); }, false) ? made.release() : nullptr;
}

void xerces_free(xerces *p) { delete p; }

// 0 when the document is sound. Modes: 0 events, 1 events validated, 2 tree, 3 tree validated.
int xerces_parse(xerces *p, int mode, const char *xml, size_t len) {
    return guarded([&] { return p->parse(mode, xml, len) ? 0 : 1; }, 1);
}

// A tree that stays until the next is made; 0 when there is one.
int xerces_keep(xerces *p, const char *xml, size_t len) { return xerces_parse(p, 2, xml, len); }

// The tree that was kept, as XML without a declaration.
size_t xerces_write(xerces *p, const char **text) {
    p->out.reset();
    guarded([&] { return p->serializer->write(p->trees[0]->getDocument(), p->output); }, false);
    *text = reinterpret_cast<const char *>(p->out.getRawBuffer());
    return p->out.getLen();
}

// What the handlers saw in the document before, or what is in the tree that was kept.
void xerces_count(const xerces *p, int mode, counts *c) {
    *c = p->seen.found;
    if (mode & 2) {
        *c = {};
        count(p->trees[0]->getDocument()->getDocumentElement(), *c);
    }
}

const char *xerces_version(void) { return XERCES_FULLVERSIONDOT; }
}
