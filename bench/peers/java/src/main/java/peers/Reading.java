package peers;

import com.siemens.ct.exi.core.CodingMode;
import com.siemens.ct.exi.core.EXIFactory;
import com.siemens.ct.exi.core.FidelityOptions;
import com.siemens.ct.exi.core.grammars.Grammars;
import com.siemens.ct.exi.core.helpers.DefaultEXIFactory;
import com.siemens.ct.exi.main.api.dom.DOMBuilder;
import com.siemens.ct.exi.main.api.sax.EXIResult;
import com.siemens.ct.exi.main.api.sax.SAXFactory;
import com.sun.xml.fastinfoset.dom.DOMDocumentParser;
import com.sun.xml.fastinfoset.sax.SAXDocumentParser;
import com.sun.xml.fastinfoset.sax.SAXDocumentSerializer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.SAXParserFactory;
import org.w3c.dom.Document;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.xml.sax.XMLReader;

/** One reader with one document in its form. Readers are kept, as their makers advise. */
abstract class Reading {
    final byte[] message;

    Reading(byte[] message) {
        this.message = message;
    }

    /** Reads the message; whatever comes of it. */
    abstract Object read() throws Exception;

    /** What is in it: filled while it is read, or counted in the tree. */
    abstract Seen seen() throws Exception;

    final InputStream stream() {
        return new ByteArrayInputStream(message);
    }

    /** A reader that reports events. */
    private static final class Events extends Reading {
        private final XMLReader reader;
        private final Seen seen = new Seen();

        Events(byte[] message, XMLReader reader) {
            super(message);
            this.reader = reader;
            reader.setContentHandler(seen);
            reader.setErrorHandler(seen);
            reader.setEntityResolver(seen);
        }

        @Override
        Object read() throws Exception {
            reader.parse(new InputSource(stream()));
            return seen;
        }

        @Override
        Seen seen() throws Exception {
            read();
            return seen;
        }
    }

    /** A reader that builds a DOM. */
    private abstract static class Tree extends Reading {
        Tree(byte[] message) {
            super(message);
        }

        @Override
        abstract Document read() throws Exception;

        @Override
        Seen seen() throws Exception {
            Seen seen = new Seen();
            count(read().getDocumentElement(), seen);
            return seen;
        }

        private static void count(Node node, Seen seen) {
            seen.elements++;
            NamedNodeMap attributes = node.getAttributes();
            for (int i = 0; i < attributes.getLength(); i++) {
                Node attribute = attributes.item(i);
                if (!"http://www.w3.org/2000/xmlns/".equals(attribute.getNamespaceURI())) {
                    seen.attributes++;
                    seen.characters += attribute.getNodeValue().length();
                }
            }
            for (Node child = node.getFirstChild(); child != null; child = child.getNextSibling()) {
                switch (child.getNodeType()) {
                    case Node.ELEMENT_NODE:
                        count(child, seen);
                        break;
                    case Node.TEXT_NODE:
                    case Node.CDATA_SECTION_NODE:
                        seen.characters += child.getNodeValue().length();
                        break;
                    default:
                }
            }
        }
    }

    /** The JDK's own reader of XML, whatever else is on the class path. */
    private static XMLReader xmlReader() throws Exception {
        SAXParserFactory factory = SAXParserFactory.newDefaultInstance();
        factory.setNamespaceAware(true);
        return factory.newSAXParser().getXMLReader();
    }

    private static DocumentBuilder documentBuilder() throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
        factory.setNamespaceAware(true);
        DocumentBuilder builder = factory.newDocumentBuilder();
        builder.setEntityResolver(new Seen());
        builder.setErrorHandler(null);
        return builder;
    }

    private static byte[] toExi(byte[] xml, EXIFactory factory) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        EXIResult result = new EXIResult(factory);
        result.setOutputStream(out);
        XMLReader reader = xmlReader();
        reader.setEntityResolver(new Seen());
        reader.setContentHandler(result.getHandler());
        reader.setProperty("http://xml.org/sax/properties/lexical-handler", result.getLexicalHandler());
        reader.parse(new InputSource(new ByteArrayInputStream(xml)));
        return out.toByteArray();
    }

    private static byte[] toFastInfoset(byte[] xml) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        SAXDocumentSerializer serializer = new SAXDocumentSerializer();
        serializer.setOutputStream(out);
        XMLReader reader = xmlReader();
        reader.setEntityResolver(new Seen());
        reader.setContentHandler(serializer);
        reader.setProperty("http://xml.org/sax/properties/lexical-handler", serializer);
        reader.parse(new InputSource(new ByteArrayInputStream(xml)));
        return out.toByteArray();
    }

    /** Every reader over a document, by its name; those of EXI that know its schema, where there is one. */
    static Map<String, Reading> all(byte[] xml, Grammars grammars) throws Exception {
        Map<String, Reading> all = new LinkedHashMap<>();
        all.put("jdk sax", new Events(xml, xmlReader()));
        DocumentBuilder builder = documentBuilder();
        all.put("jdk dom", new Tree(xml) {
            @Override
            Document read() throws Exception {
                return builder.parse(stream());
            }
        });

        byte[] fastInfoset = toFastInfoset(xml);
        all.put("fast infoset sax", new Events(fastInfoset, new SAXDocumentParser()));
        DOMDocumentParser parser = new DOMDocumentParser();
        all.put("fast infoset dom", new Tree(fastInfoset) {
            @Override
            Document read() throws Exception {
                Document document = builder.newDocument();
                parser.parse(document, stream());
                return document;
            }
        });

        exi(all, "exi bit", xml, CodingMode.BIT_PACKED, false);
        exi(all, "exi byte", xml, CodingMode.BYTE_PACKED, false);
        exi(all, "exi compressed", xml, CodingMode.COMPRESSION, false);
        exi(all, "exi whole", xml, CodingMode.BIT_PACKED, true);
        if (grammars != null) {
            strict(all, "exi strict", xml, CodingMode.BIT_PACKED, grammars);
            strict(all, "exi strict compressed", xml, CodingMode.COMPRESSION, grammars);
        }
        return all;
    }

    /** The readers of a document in EXI that can say nothing but what its schema allows. */
    private static void strict(Map<String, Reading> all, String name, byte[] xml, CodingMode mode, Grammars grammars)
            throws Exception {
        EXIFactory factory = DefaultEXIFactory.newInstance();
        factory.setCodingMode(mode);
        factory.setFidelityOptions(FidelityOptions.createStrict());
        factory.setGrammars(grammars);
        all.put(name + " sax", new Events(toExi(xml, factory), new SAXFactory(factory).createEXIReader()));
    }

    /** The readers of a document in EXI, without a schema; all that EXI can keep of it is kept if it is whole. */
    private static void exi(Map<String, Reading> all, String name, byte[] xml, CodingMode mode, boolean whole)
            throws Exception {
        EXIFactory factory = DefaultEXIFactory.newInstance();
        factory.setCodingMode(mode);
        if (whole) {
            factory.setFidelityOptions(FidelityOptions.createAll());
        }
        byte[] message = toExi(xml, factory);
        all.put(name + " sax", new Events(message, new SAXFactory(factory).createEXIReader()));
        DOMBuilder builder = new DOMBuilder(factory);
        all.put(name + " dom", new Tree(message) {
            @Override
            Document read() throws Exception {
                return builder.parse(stream());
            }
        });
    }
}
