package dev.trestle.server.table.json;

import dev.trestle.model.EntityKey;
import java.nio.charset.StandardCharsets;

/** Formats the address of an entity relative to its account: {@code orders(PartitionKey='a''b',RowKey='1%2B2')}. */
public final class EntityUrl {
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    /** The length of the text around the keys. */
    private static final int FRAME_LENGTH = 32;

    private EntityUrl() {}

    public static String of(String table, EntityKey key) {
        int length = table.length() + key.partitionKey().length() + key.rowKey().length();
        StringBuilder url = new StringBuilder(length + FRAME_LENGTH).append(table);
        url.append("(PartitionKey='");
        appendLiteral(url, key.partitionKey());
        url.append("',RowKey='");
        appendLiteral(url, key.rowKey());
        return url.append("')").toString();
    }

    /**
     * Percent-encodes as the service does: quotes are doubled and literal, other characters are literal only if
     * unreserved.
     */
    private static void appendLiteral(StringBuilder url, String text) {
        if (isUnreserved(text)) {
            url.append(text);
            return;
        }
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b == '\'') {
                url.append("''");
            } else if (isUnreserved(b)) {
                url.append((char) b);
            } else {
                url.append('%').append(HEX[b >> 4 & 0xF]).append(HEX[b & 0xF]);
            }
        }
    }

    private static boolean isUnreserved(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isUnreserved(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isUnreserved(int b) {
        return (b >= 'a' && b <= 'z')
                || (b >= 'A' && b <= 'Z')
                || (b >= '0' && b <= '9')
                || b == '-'
                || b == '_'
                || b == '.'
                || b == '~'
                || b == '!'
                || b == '*'
                || b == '('
                || b == ')';
    }
}
