package dev.trestle.server.blob;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import dev.trestle.server.codec.XmlReader;
import dev.trestle.server.codec.XmlWriter;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** Codec of the XML documents of Get User Delegation Key. */
public final class UserDelegationXml {
    private static final String REQUEST = "KeyInfo";
    private static final String ANSWER = "UserDelegationKey";
    private static final String START = "Start";
    private static final String EXPIRY = "Expiry";
    private static final Duration AHEAD_MAX = Duration.ofDays(7);

    private UserDelegationXml() {}

    /** The requested validity of a key, in {@link Ticks}. */
    public record KeyInfo(long start, long expiry) {}

    /**
     * Parses the requested validity, which starts now by default.
     *
     * @param now the current time in {@link Ticks}
     * @throws StorageException if the document is malformed or the validity is invalid: it must end after its
     *     start, in the future, and at most seven days from now
     */
    public static KeyInfo read(byte[] document, int offset, int length, long now) {
        XmlReader.Element info = XmlReader.read(document, offset, length, REQUEST);
        for (XmlReader.Element child : info.children()) {
            // An unknown element could restrict the key, so it must not be ignored.
            if (!Set.of(START, EXPIRY).contains(child.name())) {
                throw XmlReader.invalid();
            }
        }
        XmlReader.Element end = info.required(EXPIRY);
        long expiry = time(end);
        long start = info.child(START).map(UserDelegationXml::time).orElse(now);
        if (expiry <= start || expiry <= now || expiry > now + AHEAD_MAX.toSeconds() * Ticks.PER_SECOND) {
            throw invalidValue(end);
        }
        return new KeyInfo(start, expiry);
    }

    private static long time(XmlReader.Element element) {
        OptionalLong time = Ticks.parse(element.text());
        if (time.isEmpty() || time.getAsLong() < 0 || time.getAsLong() > Ticks.MAX) {
            throw invalidValue(element);
        }
        return time.getAsLong();
    }

    /** Returns the error of an invalid value; as in the service, the value is in the field for the name. */
    private static StorageException invalidValue(XmlReader.Element element) {
        return new StorageException(StorageError.INVALID_XML_NODE_VALUE)
                .with("XmlNodeName", element.text())
                .with("XmlNodeValue", element.text());
    }

    /** Encodes a key from the names and values of its elements, in order. */
    public static byte[] write(Map<String, String> fields) {
        XmlWriter xml = new XmlWriter(true).open(ANSWER);
        fields.forEach(xml::element);
        return xml.close(ANSWER).toBytes();
    }
}
