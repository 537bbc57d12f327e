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

/** The documents of Get User Delegation Key. */
public final class UserDelegationXml {
    private static final String REQUEST = "KeyInfo";
    private static final String ANSWER = "UserDelegationKey";
    private static final String START = "Start";
    private static final String EXPIRY = "Expiry";
    private static final Duration AHEAD_MAX = Duration.ofDays(7);

    private UserDelegationXml() {}

    /** For which time a key is asked, in {@link Ticks}. */
    public record KeyInfo(long start, long expiry) {}

    /**
     * Reads for which time a key is asked; it starts now if that is not said.
     *
     * @param now in {@link Ticks}
     * @throws StorageException when it is no such document, or the time is none that a key can have: it has to end after
     *     it starts, in the future, and at most seven days ahead
     */
    public static KeyInfo read(byte[] document, int offset, int length, long now) {
        XmlReader.Element info = XmlReader.read(document, offset, length, REQUEST);
        for (XmlReader.Element child : info.children()) {
            // One that binds the key to more than its time must not be dropped.
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

    /** As seen in the service, which gives the value where the name should be. */
    private static StorageException invalidValue(XmlReader.Element element) {
        return new StorageException(StorageError.INVALID_XML_NODE_VALUE)
                .with("XmlNodeName", element.text())
                .with("XmlNodeValue", element.text());
    }

    /** Writes a key from the names and the values of its elements, in their order. */
    public static byte[] write(Map<String, String> fields) {
        XmlWriter xml = new XmlWriter(true).open(ANSWER);
        fields.forEach(xml::element);
        return xml.close(ANSWER).toBytes();
    }
}
