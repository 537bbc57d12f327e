package dev.trestle.server.protocol;

import java.nio.charset.StandardCharsets;

/** Writes small XML documents. */
final class XmlWriter {
    private final StringBuilder out = new StringBuilder(512);

    private XmlWriter() {}

    /** Begins a document; those of the service start with a byte order mark, its errors do not. */
    XmlWriter(boolean byteOrderMark) {
        if (byteOrderMark) {
            out.append('\uFEFF');
        }
        out.append("<?xml version=\"1.0\" encoding=\"utf-8\"?>");
    }

    XmlWriter open(String name) {
        out.append('<').append(name).append('>');
        return this;
    }

    XmlWriter close(String name) {
        out.append("</").append(name).append('>');
        return this;
    }

    XmlWriter empty(String name) {
        out.append('<').append(name).append(" />");
        return this;
    }

    XmlWriter element(String name, String text) {
        if (text.isEmpty()) {
            return empty(name);
        }
        return open(name).text(text).close(name);
    }

    /** The text of an attribute in double quotes. */
    static String attribute(String text) {
        return new XmlWriter().text(text).out.toString().replace("\"", "&quot;");
    }

    XmlWriter text(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                // As it is, readers would make a line feed of it.
                case '\r' -> out.append("&#xD;");
                default -> out.append(isAllowed(c) ? c : '\uFFFD');
            }
        }
        return this;
    }

    private static boolean isAllowed(char c) {
        return (c >= 0x20 && c < 0xFFFE) || c == '\n' || c == '\r' || c == '\t';
    }

    byte[] toBytes() {
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }
}
