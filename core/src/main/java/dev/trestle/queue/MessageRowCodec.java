package dev.trestle.queue;

import dev.trestle.engine.RowPage;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.keyspace.RowReader;
import dev.trestle.model.EdmType;
import dev.trestle.model.EdmValue;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.UUID;

/**
 * Encodes messages as rows of one partition and decodes them. The row key is, in hexadecimal, the visibility time,
 * the id, and the nonce of the last receipt. So a message moves to another key whenever it is received or changed,
 * which invalidates earlier receipts.
 */
final class MessageRowCodec {
    static final String PARTITION = "";
    static final String EXPIRY = "E";

    private static final byte[] EXPIRY_NAME = name(EXPIRY);
    private static final byte[] INSERTED_NAME = name("I");
    private static final byte[] DEQUEUE_COUNT_NAME = name("D");
    private static final byte[] TEXT_NAME = name("M");

    private static final HexFormat HEX = HexFormat.of();
    private static final int LONG_DIGITS = 16;
    private static final int ID_START = LONG_DIGITS;
    private static final int NONCE_START = ID_START + 2 * LONG_DIGITS;

    private MessageRowCodec() {}

    private static byte[] name(String ascii) {
        return ascii.getBytes(StandardCharsets.US_ASCII);
    }

    /** The row that exists once the queue is closed. Sorts after all messages. */
    static Key closed(long collection) {
        return Key.of(collection, PARTITION, "closed");
    }

    static Key key(long collection, UUID id, Receipt receipt) {
        return Key.of(
                collection,
                PARTITION,
                HEX.toHexDigits(receipt.visible())
                        + HEX.toHexDigits(id.getMostSignificantBits())
                        + HEX.toHexDigits(id.getLeastSignificantBits())
                        + HEX.toHexDigits(receipt.nonce()));
    }

    /** Returns the keys of messages with a visibility time from {@code from} up to, not including, {@code to}. */
    static KeyRange range(long collection, long from, long to) {
        return new KeyRange(start(collection, from), start(collection, to));
    }

    private static byte[] start(long collection, long visible) {
        return Key.of(collection, PARTITION, HEX.toHexDigits(visible)).bytes();
    }

    /** Returns the visibility time in a key. */
    static long visible(Key key) {
        return HexFormat.fromHexDigitsToLong(key.rowKey(), 0, LONG_DIGITS);
    }

    /** Returns the expiry time of a message in a page. */
    static long expiry(RowPage page, int index) {
        RowReader reader = new RowReader().reset(page.data(), page.rowOffset(index), page.rowLength(index));
        return column(reader, EXPIRY_NAME).int64();
    }

    static byte[] encode(Message message) {
        return new RowBuilder()
                .int64(INSERTED_NAME, EdmType.DATE_TIME, message.inserted())
                .int64(EXPIRY_NAME, EdmType.DATE_TIME, message.expiry())
                .int32(DEQUEUE_COUNT_NAME, message.dequeueCount())
                .text(TEXT_NAME, message.text())
                .build();
    }

    static Message decode(Key key, byte[] row) {
        String rowKey = key.rowKey();
        RowReader reader = new RowReader().reset(row);
        long expiry = column(reader, EXPIRY_NAME).int64();
        long visible = visible(key);
        UUID id = new UUID(
                HexFormat.fromHexDigitsToLong(rowKey, ID_START, ID_START + LONG_DIGITS),
                HexFormat.fromHexDigitsToLong(rowKey, ID_START + LONG_DIGITS, NONCE_START));
        return new Message(
                id,
                column(reader, INSERTED_NAME).int64(),
                expiry,
                visible,
                new Receipt(
                        visible, expiry, HexFormat.fromHexDigitsToLong(rowKey, NONCE_START, NONCE_START + LONG_DIGITS)),
                column(reader, DEQUEUE_COUNT_NAME).int32(),
                ((EdmValue.Text) column(reader, TEXT_NAME).value()).value());
    }

    private static RowReader column(RowReader reader, byte[] name) {
        if (!reader.find(name)) {
            throw new IllegalStateException("A stored message lacks a column");
        }
        return reader;
    }
}
