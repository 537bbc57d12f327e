package dev.trestle.server.table.json;

import dev.trestle.engine.RowPage;
import dev.trestle.keyspace.Cesu8;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowReader;
import dev.trestle.keyspace.Rows;
import dev.trestle.model.EntityKey;
import dev.trestle.server.codec.ByteSink;
import dev.trestle.server.codec.WireBuffer;
import java.util.List;

/**
 * Encodes stored entities as OData JSON, directly from their encoded bytes. Created for one response: table,
 * metadata level and selection are fixed. For pages, {@link RowTemplateWriter} encodes what consecutive entities
 * have in common only once; for a single entity that does not pay.
 */
public final class EntityWriter {
    private static final int ENTITY_BYTES_ESTIMATE = 512;
    private static final int PIECE_BYTES = 56 * 1024;
    private static final int KEPT_BYTES_MAX = 256 * 1024;
    private static final ThreadLocal<WireBuffer> PIECE =
            ThreadLocal.withInitial(() -> new WireBuffer(PIECE_BYTES + 16 * 1024));
    private static final byte[][] ALL = {};

    private final String account;
    private final String baseUrl;
    private final String table;
    private final MetadataLevel level;
    private final List<String> select;
    private final String selectText;
    private final byte[][] selected;
    private final RowReader row = new RowReader();
    private final ETagText version = new ETagText();

    /** Creates a writer for a selection without the original text. */
    public EntityWriter(String account, String baseUrl, String table, MetadataLevel level, List<String> select) {
        this(account, baseUrl, table, level, select, String.join(",", select));
    }

    /**
     * @param baseUrl scheme, host and, in path style, the account, without a slash at the end
     * @param select the properties to write; empty means all
     * @param selectText the selection as echoed in the metadata URL
     */
    public EntityWriter(
            String account, String baseUrl, String table, MetadataLevel level, List<String> select, String selectText) {
        this.account = account;
        this.baseUrl = baseUrl;
        this.table = table;
        this.level = level;
        this.select = select;
        this.selectText = selectText;
        this.selected = select.isEmpty()
                ? ALL
                : select.stream()
                        .filter(name -> !isSystem(name))
                        .map(Cesu8::encode)
                        .toArray(byte[][]::new);
    }

    private static boolean isSystem(String name) {
        return name.equals("PartitionKey") || name.equals("RowKey") || name.equals("Timestamp");
    }

    /** Encodes a stored entity. */
    public WireBuffer one(Key key, byte[] encoded) {
        return one(key, encoded, Rows.version(encoded));
    }

    /** Encodes an entity with the version that its commit was given, whatever version the row has. */
    public WireBuffer one(Key key, byte[] encoded, long committed) {
        WireBuffer out = new WireBuffer(encoded.length * 2 + ENTITY_BYTES_ESTIMATE);
        out.octet('{');
        if (level != MetadataLevel.NONE) {
            metadataUrl(out, "/@Element").octet(',');
        }
        byte[] keyBytes = key.bytes();
        row.reset(encoded);
        entity(out, keyBytes, 0, keyBytes.length, committed);
        return out.octet('}');
    }

    /**
     * Encodes a page in pieces that fit in processor caches, so that rows and text are still cached when they are
     * copied on.
     */
    public void page(RowPage page, ByteSink sink) {
        RowTemplateWriter templates = new RowTemplateWriter(level);
        boolean whole = select.isEmpty() && level != MetadataLevel.FULL;
        WireBuffer out = PIECE.get();
        out.clear();
        out.octet('{');
        if (level != MetadataLevel.NONE) {
            metadataUrl(out, "").octet(',');
        }
        out.ascii("\"value\":[");
        for (int i = 0; i < page.size(); i++) {
            if (i > 0) {
                out.octet(',');
            }
            out.octet('{');
            row.reset(page.data(), page.rowOffset(i), page.rowLength(i));
            if (whole) {
                templates.write(row, page.data(), page.keyOffset(i), page.keyLength(i), out);
            } else {
                entity(out, page.data(), page.keyOffset(i), page.keyLength(i), row.version());
            }
            out.octet('}');
            if (out.length() >= PIECE_BYTES) {
                sink.accept(out.data(), out.length());
                out.clear();
            }
        }
        out.ascii("]}");
        sink.accept(out.data(), out.length());
        if (out.data().length > KEPT_BYTES_MAX) {
            PIECE.remove();
        }
    }

    private WireBuffer metadataUrl(WireBuffer out, String element) {
        out.ascii("\"odata.metadata\":\"")
                .utf8(baseUrl)
                .ascii("/$metadata#")
                .ascii(table)
                .ascii(element);
        if (!select.isEmpty()) {
            byte[] names = Cesu8.encode(selectText);
            out.ascii("&$select=").stringContent(names, 0, names.length);
        }
        return out.octet('"');
    }

    /** Encodes the members of an entity, without braces. */
    private void entity(WireBuffer out, byte[] key, int keyOffset, int keyLength, long rowVersion) {
        int separator = Key.separator(key, keyOffset, keyLength);
        int partitionStart = keyOffset + Key.partitionKeyStart();
        int rowStart = separator + 2;
        int rowEnd = keyOffset + keyLength;
        int start = out.length();
        version.of(rowVersion);
        String url = "";
        if (level == MetadataLevel.FULL) {
            url = EntityUrl.of(
                    table,
                    new EntityKey(
                            Key.decode(key, partitionStart, separator - partitionStart),
                            Key.decode(key, rowStart, rowEnd - rowStart)));
            out.ascii("\"odata.type\":\"").ascii(account).octet('.').ascii(table);
            out.ascii("\",\"odata.id\":\"").utf8(baseUrl).octet('/').ascii(url).octet('"');
        }
        if (level != MetadataLevel.NONE) {
            separate(out, start).raw(version.etag());
        }
        if (level == MetadataLevel.FULL) {
            out.ascii(",\"odata.editLink\":\"").ascii(url).octet('"');
        }
        if (wants("PartitionKey")) {
            separate(out, start).ascii("\"PartitionKey\":").string(key, partitionStart, separator - partitionStart);
        }
        if (wants("RowKey")) {
            separate(out, start).ascii("\"RowKey\":").string(key, rowStart, rowEnd - rowStart);
        }
        if (wants("Timestamp")) {
            separate(out, start);
            if (level == MetadataLevel.FULL) {
                out.ascii("\"Timestamp@odata.type\":\"Edm.DateTime\",");
            }
            out.raw(version.timestamp());
        }
        if (!select.isEmpty()) {
            selection(out, start);
        } else {
            properties(out);
        }
    }

    private void selection(WireBuffer out, int start) {
        for (byte[] name : selected) {
            separate(out, start);
            if (row.find(name)) {
                PropertyWriter.write(row, level, out);
            } else {
                out.string(name, 0, name.length).ascii(":null");
            }
        }
    }

    private void properties(WireBuffer out) {
        while (row.next()) {
            PropertyWriter.write(row, level, out.octet(','));
        }
    }

    private boolean wants(String systemProperty) {
        return select.isEmpty() || select.contains(systemProperty);
    }

    private static WireBuffer separate(WireBuffer out, int start) {
        return out.length() == start ? out : out.octet(',');
    }
}
