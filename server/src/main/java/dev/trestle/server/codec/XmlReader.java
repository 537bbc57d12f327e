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

/** Reads small XML documents into elements. Document types, and with them entities of any kind, are refused. */
public final class XmlReader {
    private static final int DEPTH_MAX = 16;
    private static final int ELEMENTS_MAX = 1000;
    private static final int REASON_UNITS_MAX = 256;
    private static final String READER_MESSAGE = "Message: ";
    private static final XMLInputFactory FACTORY = factory();

    private int elements;

    private XmlReader() {}

    /** A position in a document, counted from 1; 0 where it is not known. */
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
     * An element without its attributes, which these documents do not use.
     *
     * @param after where what follows the element begins: the name of the next tag, or text
     */
    public record Element(String name, String text, List<Element> children, Place after) {
        public Optional<Element> child(String childName) {
            return children.stream()
                    .filter(child -> child.name.equals(childName))
                    .findFirst();
        }

        /** The child that must be there. */
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

    /** The root element, which must have the name given. */
    public static Element read(byte[] document, int offset, int length, String rootName) {
        return read(document, offset, length, rootName, reader -> new XmlReader().element(reader, 1));
    }

    /** What somebody makes of the root element, and of nothing behind it. */
    public interface Body<T> {
        T read(XMLStreamReader reader) throws XMLStreamException;
    }

    /** What is made of the root element, at whose start the reader is. */
    public static <T> T read(byte[] document, int offset, int length, String rootName, Body<T> body) {
        try {
            XMLStreamReader reader = FACTORY.createXMLStreamReader(new ByteArrayInputStream(document, offset, length));
            try {
                if ("1.1".equals(reader.getVersion())) {
                    // It has characters that the documents written here, which are of version 1.0, cannot have.
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
                T made = body.read(reader);
                while (reader.hasNext()) {
                    reader.next();
                }
                return made;
            } finally {
                reader.close();
            }
        } catch (XMLStreamException e) {
            throw invalid(e.getLocation() == null ? Place.UNKNOWN : Place.of(e.getLocation()), reason(e));
        } catch (RuntimeException e) {
            // The JDK's reader answers some malformed input with unchecked exceptions of many kinds.
            throw e instanceof StorageException known ? known : invalid();
        }
    }

    /** What the reader says, without the position that it says it with. */
    private static String reason(XMLStreamException e) {
        String text = String.valueOf(e.getMessage());
        int message = text.indexOf(READER_MESSAGE);
        String reason = message < 0 ? text : text.substring(message + READER_MESSAGE.length());
        return reason.substring(0, Math.min(reason.length(), REASON_UNITS_MAX));
    }

    /** Reads the element at whose start the reader is, up to what follows it, or to its end if it is the root. */
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

    /** Moves from the end of an element to what follows, and returns where that begins. */
    private static Place skipEnd(XMLStreamReader reader) throws XMLStreamException {
        Place end = Place.of(reader.getLocation());
        return switch (reader.next()) {
            case XMLStreamConstants.START_ELEMENT -> end.plus("<".length());
            case XMLStreamConstants.END_ELEMENT -> end.plus("</".length());
            default -> end;
        };
    }

    /** Refuses a document that can be read and does not say what it has to; as in the service, without a position. */
    public static StorageException invalid() {
        return invalid(Place.UNKNOWN, "");
    }

    /** Refuses a document for what was found just before this place. */
    public static StorageException invalid(Place place, String reason) {
        return new StorageException(StorageError.INVALID_XML_DOCUMENT)
                .with("LineNumber", Integer.toString(place.line))
                .with("LinePosition", Integer.toString(place.column))
                .with("Reason", reason);
    }
}
