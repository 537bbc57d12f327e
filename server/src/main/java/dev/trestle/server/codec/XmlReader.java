package dev.trestle.server.codec;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Parses small XML documents into elements. Rejects document type declarations, and with them all entities. */
public final class XmlReader {
    private static final int DEPTH_MAX = 16;
    private static final int ELEMENTS_MAX = 1000;
    private static final int REASON_UNITS_MAX = 256;
    private static final String READER_MESSAGE = "Message: ";
    private static final XMLInputFactory FACTORY = factory();

    private int elements;

    private XmlReader() {}

    /** A position in a document, counted from 1; 0 if unknown. */
    public record Place(int line, int column) {
        static final Place UNKNOWN = new Place(0, 0);

        static Place of(Location location) {
            return new Place(Math.max(0, location.getLineNumber()), Math.max(0, location.getColumnNumber()));
        }

        private Place plus(int columns) {
            return new Place(line, column + columns);
        }
    }

    /**
     * An element without attributes, which these documents do not use.
     *
     * @param after the position after the element: that of the next tag's name, or of text
     */
    public record Element(String name, String text, List<Element> children, Place after) {
        public Optional<Element> child(String childName) {
            return children.stream()
                    .filter(child -> child.name.equals(childName))
                    .findFirst();
        }

        /** Returns a mandatory child. */
        public Element required(String childName) {
            return child(childName).orElseThrow(XmlReader::invalid);
        }
    }

    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        factory.setXMLResolver((publicId, systemId, baseUri, namespace) -> {
            throw new XMLStreamException("external references are not read");
        });
        return factory;
    }

    /** Parses a document with the given root element. */
    public static Element read(byte[] document, int offset, int length, String rootName) {
        return read(document, offset, length, rootName, reader -> new XmlReader().element(reader, 1));
    }

    /** Parses the root element, without reading past its end. */
    public interface RootParser<T> {
        T read(XMLStreamReader reader) throws XMLStreamException;
    }

    /** Parses a document with the given root element; the parser starts at the root's start tag. */
    public static <T> T read(byte[] document, int offset, int length, String rootName, RootParser<T> parser) {
        try {
            XMLStreamReader reader = FACTORY.createXMLStreamReader(new ByteArrayInputStream(document, offset, length));
            try {
                if ("1.1".equals(reader.getVersion())) {
                    // XML 1.1 allows characters that the XML 1.0 documents written here cannot contain.
                    throw invalid();
                }
                int event = reader.next();
                while (event != XMLStreamConstants.START_ELEMENT) {
                    if (event == XMLStreamConstants.DTD) {
                        throw invalid();
                    }
                    event = reader.next();
                }
                if (!reader.getLocalName().equals(rootName)) {
                    throw invalid();
                }
                T parsed = parser.read(reader);
                while (reader.hasNext()) {
                    reader.next();
                }
                return parsed;
            } finally {
                reader.close();
            }
        } catch (XMLStreamException e) {
            throw invalid(e.getLocation() == null ? Place.UNKNOWN : Place.of(e.getLocation()), reason(e));
        } catch (RuntimeException e) {
            // The JDK's parser throws unchecked exceptions of many kinds on some malformed input.
            throw e instanceof StorageException known ? known : invalid();
        }
    }

    /** Returns the parser's message without its position. */
    private static String reason(XMLStreamException e) {
        String text = String.valueOf(e.getMessage());
        int message = text.indexOf(READER_MESSAGE);
        String reason = message < 0 ? text : text.substring(message + READER_MESSAGE.length());
        return reason.substring(0, Math.min(reason.length(), REASON_UNITS_MAX));
    }

    /**
     * Parses the element at whose start tag the reader is; moves to the event after it, or to its end tag if it is
     * the root.
     */
    private Element element(XMLStreamReader reader, int depth) throws XMLStreamException {
        if (depth > DEPTH_MAX || ++elements > ELEMENTS_MAX) {
            throw invalid();
        }
        String name = reader.getLocalName();
        StringBuilder text = new StringBuilder();
        List<Element> children = new ArrayList<>();
        int event = reader.next();
        while (event != XMLStreamConstants.END_ELEMENT) {
            if (event == XMLStreamConstants.START_ELEMENT) {
                children.add(element(reader, depth + 1));
                event = reader.getEventType();
                continue;
            } else if (event == XMLStreamConstants.CHARACTERS || event == XMLStreamConstants.CDATA) {
                text.append(reader.getText());
            } else if (event == XMLStreamConstants.ENTITY_REFERENCE || event == XMLStreamConstants.DTD) {
                throw invalid();
            }
            event = reader.next();
        }
        Place after = depth == 1 ? Place.UNKNOWN : skipEnd(reader);
        return new Element(name, text.toString().strip(), children, after);
    }

    /** Moves from an end tag to the next event and returns the position of that. */
    private static Place skipEnd(XMLStreamReader reader) throws XMLStreamException {
        Place end = Place.of(reader.getLocation());
        return switch (reader.next()) {
            case XMLStreamConstants.START_ELEMENT -> end.plus("<".length());
            case XMLStreamConstants.END_ELEMENT -> end.plus("</".length());
            default -> end;
        };
    }

    /** Returns the error for a well-formed document with invalid content; as in the service, it has no position. */
    public static StorageException invalid() {
        return invalid(Place.UNKNOWN, "");
    }

    /** Returns the error for content found just before this position. */
    public static StorageException invalid(Place place, String reason) {
        return new StorageException(StorageError.INVALID_XML_DOCUMENT)
                .with("LineNumber", Integer.toString(place.line))
                .with("LinePosition", Integer.toString(place.column))
                .with("Reason", reason);
    }
}
