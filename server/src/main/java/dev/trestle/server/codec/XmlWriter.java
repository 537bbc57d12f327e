package dev.trestle.server.codec;

/** Writes XML documents. */
public final class XmlWriter {
    private static final int INITIAL_BYTES = 1024;

    private final WireBuffer out;

    /** Begins a document; those of the service start with a byte order mark, its errors do not. */
    public XmlWriter(boolean byteOrderMark) {
        this(byteOrderMark, 0);
    }

    /** @param bytes about as many as will follow, so that they need not be moved often */
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
        if (plainBegin(text) == text.length()) {
            out.ascii(text);
        } else {
            out.utf8(escaped(text));
        }
        return this;
    }

    /** Writes text with quotes escaped too, as the service does with the words of its clients. */
    public XmlWriter quotedText(String text) {
        out.utf8(attribute(text).replace("'", "&apos;"));
        return this;
    }

    /** The text as it may stand in double quotes. */
    public static String attribute(String text) {
        return escaped(text).replace("\"", "&quot;");
    }

    /** The text as it may stand between tags. */
    private static String escaped(String text) {
        int plain = plainBegin(text);
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
                // As it is, readers would make a line feed of it.
                case '\r' -> escaped.append("&#xD;");
                default -> escaped.append(isAllowed(c) ? c : '\uFFFD');
            }
        }
        return escaped.toString();
    }

    /** How many characters at the begin stand for themselves. */
    private static int plainBegin(String text) {
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
