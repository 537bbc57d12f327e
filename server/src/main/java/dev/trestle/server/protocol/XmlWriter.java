package dev.trestle.server.protocol;

/** Writes small XML documents. */
final class XmlWriter {
    private static final int INITIAL_BYTES = 1024;

    private final WireBuffer out = new WireBuffer(INITIAL_BYTES);

    /** Begins a document; those of the service start with a byte order mark, its errors do not. */
    XmlWriter(boolean byteOrderMark) {
        if (byteOrderMark) {
            out.utf8("\uFEFF");
        }
        out.ascii("<?xml version=\"1.0\" encoding=\"utf-8\"?>");
    }

    XmlWriter open(String name) {
        out.octet('<').utf8(name).octet('>');
        return this;
    }

    XmlWriter close(String name) {
        out.ascii("</").utf8(name).octet('>');
        return this;
    }

    XmlWriter empty(String name) {
        out.octet('<').utf8(name).ascii(" />");
        return this;
    }

    XmlWriter element(String name, String text) {
        if (text.isEmpty()) {
            return empty(name);
        }
        return open(name).text(text).close(name);
    }

    XmlWriter text(String text) {
        out.utf8(escaped(text));
        return this;
    }

    /** The text as it may stand in double quotes. */
    static String attribute(String text) {
        return escaped(text).replace("\"", "&quot;");
    }

    /** The text as it may stand between tags. */
    private static String escaped(String text) {
        int plain = 0;
        while (plain < text.length() && isPlain(text.charAt(plain))) {
            plain++;
        }
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

    private static boolean isPlain(char c) {
        return c >= 0x20 && c < 0x7F && c != '<' && c != '>' && c != '&';
    }

    private static boolean isAllowed(char c) {
        return (c >= 0x20 && c < 0xFFFE) || c == '\n' || c == '\t';
    }

    byte[] toBytes() {
        return out.toBytes();
    }
}
