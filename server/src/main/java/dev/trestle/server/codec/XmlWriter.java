package dev.trestle.server.codec;

/** Encodes XML documents. */
public final class XmlWriter {
    private static final int INITIAL_BYTES = 1024;

    private final WireBuffer out;

    /** Begins a document; the service's documents start with a byte order mark, its errors do not. */
    public XmlWriter(boolean byteOrderMark) {
        this(byteOrderMark, 0);
    }

    /** @param bytes the expected length, to avoid reallocation */
    public XmlWriter(boolean byteOrderMark, int bytes) {
        out = new WireBuffer(INITIAL_BYTES + bytes);
        if (byteOrderMark) {
            out.utf8("\uFEFF");
        }
        out.ascii("<?xml version=\"1.0\" encoding=\"utf-8\"?>");
    }

    public XmlWriter open(String name) {
        out.octet('<').utf8(name).octet('>');
        return this;
    }

    public XmlWriter close(String name) {
        out.ascii("</").utf8(name).octet('>');
        return this;
    }

    public XmlWriter empty(String name) {
        out.octet('<').utf8(name).ascii(" />");
        return this;
    }

    public XmlWriter element(String name, String text) {
        if (text.isEmpty()) {
            return empty(name);
        }
        return open(name).text(text).close(name);
    }

    public XmlWriter text(String text) {
        if (plainPrefixLength(text) == text.length()) {
            out.ascii(text);
        } else {
            out.utf8(escaped(text));
        }
        return this;
    }

    /** Appends text with quotes escaped too, as the service does with text from clients. */
    public XmlWriter quotedText(String text) {
        out.utf8(attribute(text).replace("'", "&apos;"));
        return this;
    }

    /** Escapes text for an attribute in double quotes. */
    public static String attribute(String text) {
        return escaped(text).replace("\"", "&quot;");
    }

    /** Escapes text between tags. */
    private static String escaped(String text) {
        int plain = plainPrefixLength(text);
        if (plain == text.length()) {
            return text;
        }
        StringBuilder escaped = new StringBuilder(text.length() + 32).append(text, 0, plain);
        for (int i = plain; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                // Unescaped, parsers would normalize it to a line feed.
                case '\r' -> escaped.append("&#xD;");
                default -> escaped.append(isAllowed(c) ? c : '\uFFFD');
            }
        }
        return escaped.toString();
    }

    /** Returns the number of leading characters that need no escape. */
    private static int plainPrefixLength(String text) {
        int plain = 0;
        while (plain < text.length() && isPlain(text.charAt(plain))) {
            plain++;
        }
        return plain;
    }

    private static boolean isPlain(char c) {
        return c >= 0x20 && c < 0x7F && c != '<' && c != '>' && c != '&';
    }

    private static boolean isAllowed(char c) {
        return (c >= 0x20 && c < 0xFFFE) || c == '\n' || c == '\t';
    }

    public byte[] toBytes() {
        return out.toBytes();
    }
}
