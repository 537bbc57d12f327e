package dev.trestle.server.blob;

import dev.trestle.blob.TagFinder;
import dev.trestle.model.Page;
import dev.trestle.server.codec.XmlReader;
import dev.trestle.server.codec.XmlWriter;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Codec of the XML documents about tags. */
public final class TagXml {
    private TagXml() {}

    /** Encodes the tags of a blob. */
    public static byte[] write(SortedMap<String, String> tags) {
        XmlWriter xml = new XmlWriter(true).text("\n");
        write(xml, tags);
        return xml.toBytes();
    }

    static void write(XmlWriter xml, SortedMap<String, String> tags) {
        xml.open("Tags");
        if (tags.isEmpty()) {
            xml.empty("TagSet");
        } else {
            xml.open("TagSet");
            tags.forEach((key, value) ->
                    xml.open("Tag").element("Key", key).element("Value", value).close("Tag"));
            xml.close("TagSet");
        }
        xml.close("Tags");
    }

    /**
     * The parameters of a search, which the response echoes.
     *
     * @param max empty if absent
     * @param allTags whether tags have key and value; older protocol versions have a single value
     */
    public record Parameters(
            String endpoint, String where, Optional<String> marker, Optional<Integer> max, boolean allTags) {}

    /** Encodes a page of results. */
    public static byte[] found(
            Parameters parameters, Page<TagFinder.Found, TagFinder.Position> page, String nextMarker) {
        XmlWriter xml = new XmlWriter(true)
                .text("\n")
                .open("EnumerationResults ServiceEndpoint=\"" + XmlWriter.attribute(parameters.endpoint) + "\"");
        parameters.marker.ifPresent(marker -> xml.element("Marker", marker));
        xml.open("Where").quotedText(parameters.where).close("Where");
        parameters.max.ifPresent(max -> xml.element("MaxResults", Integer.toString(max)));
        if (page.items().isEmpty()) {
            xml.empty("Blobs");
        } else {
            xml.open("Blobs");
            page.items().forEach(found -> write(xml, parameters, found));
            xml.close("Blobs");
        }
        return xml.element("NextMarker", nextMarker).close("EnumerationResults").toBytes();
    }

    private static void write(XmlWriter xml, Parameters parameters, TagFinder.Found found) {
        xml.open("Blob");
        BlobXml.name(xml, found.name());
        xml.element("ContainerName", found.container());
        if (parameters.allTags) {
            write(xml, found.tags());
        } else {
            xml.element("TagValue", found.tags().values().stream().findFirst().orElse(""));
        }
        xml.close("Blob");
    }

    /** Parses the tags of a blob. */
    public static Map<String, String> read(byte[] document, int offset, int length) {
        return XmlReader.read(document, offset, length, "Tags", TagXml::tags);
    }

    private static Map<String, String> tags(XMLStreamReader reader) throws XMLStreamException {
        BlobTagSet tags = new BlobTagSet();
        boolean seen = false;
        while (nextElement(reader)) {
            if (seen || !reader.getLocalName().equals("TagSet")) {
                throw XmlReader.invalid();
            }
            seen = true;
            while (nextElement(reader)) {
                tag(reader, tags);
            }
        }
        if (!seen) {
            throw XmlReader.invalid();
        }
        return tags.tags();
    }

    /** Parses a tag verbatim, because white space is significant in tags. */
    private static void tag(XMLStreamReader reader, BlobTagSet tags) throws XMLStreamException {
        if (!reader.getLocalName().equals("Tag")) {
            throw XmlReader.invalid();
        }
        Optional<String> key = Optional.empty();
        Optional<String> value = Optional.empty();
        while (nextElement(reader)) {
            String name = reader.getLocalName();
            if (name.equals("Key") && key.isEmpty()) {
                key = Optional.of(reader.getElementText());
            } else if (name.equals("Value") && value.isEmpty()) {
                value = Optional.of(reader.getElementText());
            } else {
                throw XmlReader.invalid();
            }
        }
        tags.add(key.orElseThrow(XmlReader::invalid), value.orElseThrow(XmlReader::invalid));
    }

    /** Moves to the next child element; returns false at the end of the parent. */
    private static boolean nextElement(XMLStreamReader reader) throws XMLStreamException {
        while (true) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    return true;
                }
                case XMLStreamConstants.END_ELEMENT -> {
                    return false;
                }
                case XMLStreamConstants.ENTITY_REFERENCE, XMLStreamConstants.DTD -> throw XmlReader.invalid();
                default -> {}
            }
        }
    }
}
