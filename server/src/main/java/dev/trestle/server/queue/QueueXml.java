package dev.trestle.server.queue;

import dev.trestle.model.Page;
import dev.trestle.model.Ticks;
import dev.trestle.queue.Message;
import dev.trestle.queue.QueueInfo;
import dev.trestle.server.codec.XmlReader;
import dev.trestle.server.codec.XmlWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Codec of the XML documents of the Queue service. */
public final class QueueXml {
    private static final String MESSAGE = "QueueMessage";
    private static final String MESSAGES = "QueueMessagesList";
    private static final String TEXT = "MessageText";
    private static final int DEPTH_MAX = 64;

    private static final Pattern PLAIN = Pattern.compile(
            "(<\\?xml version=\"1\\.0\"( encoding=\"(?i:utf-8)\")?( standalone=\"yes\")? ?\\?>)?\\s*<QueueMessage>\\s*<MessageText>");
    private static final Pattern PLAIN_END = Pattern.compile("</MessageText>\\s*</QueueMessage>\\s*");

    private QueueXml() {}

    /** The fields of a message that a response contains. */
    public enum MessageView {
        /** Response to Put Message: all but the text. */
        PUT,
        /** Response to Get Messages: all fields. */
        RECEIVED,
        /** Response to Peek Messages: nothing that would allow changing the message. */
        PEEKED
    }

    /** Parses the text of a message that is put or updated, verbatim; markup inside it is dropped. */
    public static String readText(byte[] document, int offset, int length) {
        return plainText(document, offset, length)
                .orElseGet(() -> XmlReader.read(document, offset, length, MESSAGE, QueueXml::text));
    }

    /**
     * Parses the form that almost all clients send, without an XML parser; returns empty for any other form. Creating
     * an XML parser costs more than the rest of handling a message here.
     */
    private static Optional<String> plainText(byte[] document, int offset, int length) {
        String xml = new String(document, offset, length, StandardCharsets.UTF_8);
        Matcher plain = PLAIN.matcher(xml);
        if (!plain.lookingAt()) {
            return Optional.empty();
        }
        int start = plain.end();
        int end = xml.indexOf('<', start);
        if (end < 0 || !PLAIN_END.matcher(xml).region(end, xml.length()).matches()) {
            return Optional.empty();
        }
        for (int i = start; i < end; i++) {
            char c = xml.charAt(i);
            boolean plainCharacter = (c >= ' ' && c < 0xD800 && c != '&' && c != ']') || c == '\n' || c == '\t';
            if (!plainCharacter) {
                return Optional.empty();
            }
        }
        return Optional.of(xml.substring(start, end));
    }

    private static String text(XMLStreamReader reader) throws XMLStreamException {
        StringBuilder text = new StringBuilder();
        boolean found = false;
        int depth = 1;
        int textDepth = 0;
        while (depth > 0) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    if (++depth > DEPTH_MAX) {
                        throw XmlReader.invalid();
                    }
                    if (textDepth == 0 && reader.getLocalName().equals(TEXT)) {
                        textDepth = depth;
                        found = true;
                    }
                }
                case XMLStreamConstants.END_ELEMENT -> {
                    if (depth == textDepth) {
                        textDepth = 0;
                    }
                    depth--;
                }
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
                    if (textDepth > 0) {
                        text.append(reader.getText());
                    }
                }
                case XMLStreamConstants.ENTITY_REFERENCE, XMLStreamConstants.DTD -> throw XmlReader.invalid();
                default -> {}
            }
        }
        if (!found) {
            throw XmlReader.invalid();
        }
        return text.toString();
    }

    public static byte[] messages(List<Message> messages, MessageView view) {
        XmlWriter xml = new XmlWriter(true);
        if (messages.isEmpty()) {
            return xml.empty(MESSAGES).toBytes();
        }
        xml.open(MESSAGES);
        for (Message message : messages) {
            xml.open(MESSAGE)
                    .element("MessageId", message.id().toString())
                    .element("InsertionTime", Ticks.formatHttp(message.inserted()))
                    .element("ExpirationTime", Ticks.formatHttp(message.expiry()));
            if (view != MessageView.PEEKED) {
                xml.element("PopReceipt", message.receipt().toString())
                        .element("TimeNextVisible", Ticks.formatHttp(message.visible()));
            }
            if (view != MessageView.PUT) {
                xml.element("DequeueCount", Integer.toString(message.dequeueCount()))
                        .element(TEXT, message.text());
            }
            xml.close(MESSAGE);
        }
        return xml.close(MESSAGES).toBytes();
    }

    /**
     * Encodes a page of queues. As in the service, prefix, marker and maximum are elements only if the request has
     * them.
     *
     * @param nextMarker empty on the last page
     */
    public static byte[] queues(
            String endpoint,
            Optional<String> prefix,
            Optional<String> marker,
            Optional<Integer> max,
            boolean withMetadata,
            Page<QueueInfo, String> page,
            String nextMarker) {
        XmlWriter xml = new XmlWriter(true)
                .open("EnumerationResults ServiceEndpoint=\"" + XmlWriter.attribute(endpoint) + "\"");
        prefix.ifPresent(text -> xml.element("Prefix", text));
        marker.ifPresent(text -> xml.element("Marker", text));
        max.ifPresent(count -> xml.element("MaxResults", Integer.toString(count)));
        if (page.items().isEmpty()) {
            xml.empty("Queues");
        } else {
            xml.open("Queues");
            page.items().forEach(queue -> write(xml, queue, withMetadata));
            xml.close("Queues");
        }
        return xml.element("NextMarker", nextMarker).close("EnumerationResults").toBytes();
    }

    private static void write(XmlWriter xml, QueueInfo queue, boolean withMetadata) {
        xml.open("Queue").element("Name", queue.name().value());
        if (withMetadata) {
            if (queue.metadata().isEmpty()) {
                xml.empty("Metadata");
            } else {
                xml.open("Metadata");
                new TreeMap<>(queue.metadata()).forEach(xml::element);
                xml.close("Metadata");
            }
        }
        xml.close("Queue");
    }
}
