package dev.trestle.blob;

import dev.trestle.engine.RowPage;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.keyspace.RowReader;
import dev.trestle.model.EdmValue;
import dev.trestle.model.Ticks;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Encodes and decodes the rows of a container. It has four kinds of partitions, in this order:
 *
 * <ul>
 *   <li>{@code n/<name>}: a blob in row {@code b}, and before it its snapshots, each in a row named by its time.
 *       They change in one commit, and a listing scans nothing else;
 *   <li>{@code t/<key>!<value>}: the tag index, see {@link TagRowCodec};
 *   <li>{@code u/<name>}: uncommitted blocks by id;
 *   <li>{@code x/<manifest>/<name>}: the parts of a content by their end, so that the part with a given byte is
 *       the first one that ends after it; and the end of a growing content in row {@code t}.
 * </ul>
 */
final class BlobRowCodec {
    private static final String NAMES = "n/";
    private static final String BLOCKS = "u/";
    private static final String PARTS = "x/";
    private static final String BASE = "b";
    private static final String TAIL = "t";
    private static final String METADATA = "m:";
    private static final String TAG = "t:";
    private static final String TAG_ENTRY = "i:";
    private static final HexFormat HEX = HexFormat.of();

    private BlobRowCodec() {}

    static String partition(String name) {
        return NAMES + name;
    }

    /**
     * Returns the owner of a blob's contents in the content store, which {@link Reclaimer#isReferenced} resolves.
     */
    static byte[] owner(long container, String name) {
        return Key.of(container, NAMES + name, "").bytes();
    }

    static Key key(long container, String name, OptionalLong snapshot) {
        return Key.of(container, NAMES + name, rowKey(snapshot));
    }

    static String rowKey(OptionalLong snapshot) {
        return snapshot.isPresent() ? Ticks.format(snapshot.getAsLong(), true) : BASE;
    }

    /** Returns the row key of blobs that are not snapshots. */
    static EdmValue base() {
        return new EdmValue.Text(BASE);
    }

    /** Returns the range of a blob and its snapshots, snapshots first. */
    static KeyRange versions(long container, String name) {
        return whole(container, NAMES + name);
    }

    /**
     * Returns the range of blobs with names from {@code from} up to, not including, {@code to}; empty for no end.
     */
    static KeyRange names(long container, String from, Optional<String> to) {
        return between(container, NAMES, from, to);
    }

    /** Like {@link #names}, for uncommitted blocks. */
    static KeyRange blockNames(long container, String from, Optional<String> to) {
        return between(container, BLOCKS, from, to);
    }

    /** Returns the range of all parts of all contents. */
    static KeyRange manifests(long container) {
        return between(container, PARTS, "", Optional.empty());
    }

    private static KeyRange between(long container, String kind, String from, Optional<String> to) {
        return new KeyRange(
                Key.beforePartition(container, kind + from),
                to.isPresent()
                        ? Key.beforePartition(container, kind + to.get())
                        : Key.beforePartition(container, after(kind).orElseThrow()));
    }

    private static KeyRange whole(long container, String partition) {
        return new KeyRange(Key.beforePartition(container, partition), Key.afterPartition(container, partition));
    }

    /** Returns the least string that sorts after all strings with this prefix; empty if there is none. */
    static Optional<String> after(String prefix) {
        int last = prefix.length() - 1;
        while (last >= 0 && prefix.charAt(last) == Character.MAX_VALUE) {
            last--;
        }
        return last < 0 ? Optional.empty() : Optional.of(prefix.substring(0, last) + (char) (prefix.charAt(last) + 1));
    }

    /** Returns the name in the key of a blob, a snapshot or a block. */
    static String name(Key key) {
        return key.partitionKey().substring(NAMES.length());
    }

    static String blocksPartition(String name) {
        return BLOCKS + name;
    }

    static Key blockKey(long container, String name, String id) {
        return Key.of(container, BLOCKS + name, id);
    }

    static KeyRange blocks(long container, String name) {
        return whole(container, BLOCKS + name);
    }

    static String partsPartition(String manifest, String name) {
        return PARTS + manifest + "/" + name;
    }

    static Key partKey(long container, String manifest, String name, long end) {
        return Key.of(container, partsPartition(manifest, name), HEX.toHexDigits(end));
    }

    /** Returns the range of the parts with bytes at or after a position. */
    static KeyRange parts(long container, String manifest, String name, long position) {
        String partition = partsPartition(manifest, name);
        return new KeyRange(
                Key.of(container, partition, HEX.toHexDigits(position + 1)).bytes(),
                Key.of(container, partition, TAIL).bytes());
    }

    /** Returns the range of all rows of a content. */
    static KeyRange manifest(long container, String manifest, String name) {
        return whole(container, partsPartition(manifest, name));
    }

    static boolean isTail(Key key) {
        return key.rowKey().equals(TAIL);
    }

    /** Returns the end of a part, in bytes from the start of the content. */
    static long end(Key part) {
        return HexFormat.fromHexDigitsToLong(part.rowKey());
    }

    static Key tailKey(long container, String manifest, String name) {
        return Key.of(container, partsPartition(manifest, name), TAIL);
    }

    /** The content of a part, with the name of its blob. */
    record Manifest(String id, String name) {
        static Manifest of(Key part) {
            String partition = part.partitionKey();
            int slash = partition.indexOf('/', PARTS.length());
            return new Manifest(partition.substring(PARTS.length(), slash), partition.substring(slash + 1));
        }
    }

    static byte[] encode(Blob blob) {
        RowBuilder row = new RowBuilder()
                .put("T", new EdmValue.Text(blob.type().word()))
                .put("C", new EdmValue.DateTime(blob.created()))
                .put("M", new EdmValue.DateTime(blob.modified()))
                .put("W", new EdmValue.DateTime(blob.committed()))
                .put("X", new EdmValue.Text(blob.content().manifest()))
                .put("N", new EdmValue.Int32(blob.content().parts()))
                .put("L", new EdmValue.Int64(blob.content().length()))
                .put("A", new EdmValue.Int32(blob.appends()));
        if (blob.sealed()) {
            row.put("S", new EdmValue.Bool(true));
        }
        ContentHeaders headers = blob.headers();
        if (!headers.type().equals(ContentHeaders.DEFAULT_TYPE)) {
            row.put("Ht", new EdmValue.Text(headers.type()));
        }
        put(row, "He", headers.encoding());
        put(row, "Hl", headers.language());
        put(row, "Hd", headers.disposition());
        put(row, "Hc", headers.cacheControl());
        put(row, "H5", headers.md5());
        if (!blob.tier().equals(Tier.DEFAULT)) {
            put(row, "R", blob.tier().name());
            row.put("Rc", new EdmValue.DateTime(blob.tier().changed()));
        }
        blob.tier()
                .rehydration()
                .ifPresent(pending -> row.put("Rt", new EdmValue.Text(pending.tier()))
                        .put("Rp", new EdmValue.Text(pending.priority().word()))
                        .put("Rd", new EdmValue.DateTime(pending.done())));
        if (!blob.lease().equals(Lease.NONE)) {
            put(row, "l", blob.lease().text());
        }
        blob.copy()
                .ifPresent(copy -> row.put("Ki", new EdmValue.Text(copy.id()))
                        .put("Ks", new EdmValue.Text(copy.source()))
                        .put("Kb", new EdmValue.Int64(copy.bytes()))
                        .put("Kc", new EdmValue.DateTime(copy.completed())));
        blob.metadata().forEach((name, value) -> row.put(METADATA + name, new EdmValue.Text(value)));
        blob.tags().values().forEach((key, value) -> row.put(TAG + key, new EdmValue.Text(value)));
        blob.tags().entries().forEach((key, version) -> row.put(TAG_ENTRY + key, new EdmValue.Int64(version)));
        return row.build();
    }

    private static void put(RowBuilder row, String name, String value) {
        if (!value.isEmpty()) {
            row.put(name, new EdmValue.Text(value));
        }
    }

    static Blob decode(Key key, byte[] row) {
        return decode(name(key), key.rowKey(), new RowReader().reset(row));
    }

    static Blob decode(RowPage page, int index) {
        Key key = page.key(index);
        return decode(
                name(key),
                key.rowKey(),
                new RowReader().reset(page.data(), page.rowOffset(index), page.rowLength(index)));
    }

    private static Blob decode(String name, String rowKey, RowReader reader) {
        Columns columns = new Columns(reader);
        String type = columns.text("T");
        return new Blob(
                name,
                rowKey.equals(BASE) ? OptionalLong.empty() : Ticks.parse(rowKey),
                type.equals(BlobType.BLOCK.word()) ? BlobType.BLOCK : BlobType.APPEND,
                columns.number("C"),
                columns.number("M"),
                columns.number("W"),
                new Blob.ContentRef(columns.text("X"), (int) columns.number("N"), columns.number("L")),
                (int) columns.number("A"),
                columns.has("S"),
                new ContentHeaders(
                        columns.has("Ht") ? columns.text("Ht") : ContentHeaders.DEFAULT_TYPE,
                        columns.text("He"),
                        columns.text("Hl"),
                        columns.text("Hd"),
                        columns.text("Hc"),
                        columns.text("H5")),
                columns.metadata,
                columns.tier(),
                columns.has("l") ? Lease.ofText(columns.text("l")) : Lease.NONE,
                columns.has("Ki")
                        ? Optional.of(new CopyState(
                                columns.text("Ki"), columns.text("Ks"), columns.number("Kb"), columns.number("Kc")))
                        : Optional.empty(),
                columns.tags.isEmpty() ? BlobTags.NONE : new BlobTags(columns.tags, columns.tagEntries));
    }

    static byte[] encode(Part part) {
        RowBuilder row =
                new RowBuilder().put("L", new EdmValue.Int64(part.length())).put("C", new EdmValue.Int64(part.crc64()));
        put(row, "B", part.block());
        return place(row, part.place()).build();
    }

    /** @param put the time in ticks */
    static byte[] encode(Part block, long put) {
        RowBuilder row = new RowBuilder()
                .put("L", new EdmValue.Int64(block.length()))
                .put("C", new EdmValue.Int64(block.crc64()))
                .put("P", new EdmValue.DateTime(put));
        return place(row, block.place()).build();
    }

    private static RowBuilder place(RowBuilder row, Part.Place place) {
        if (place instanceof Part.Inline inline) {
            return row.put("D", new EdmValue.Binary(inline.bytes()));
        } else if (place instanceof Part.Stored stored) {
            return row.put("F", new EdmValue.Text(stored.name()));
        }
        throw new AssertionError(place);
    }

    static Part decodePart(byte[] row) {
        Columns columns = new Columns(new RowReader().reset(row));
        return columns.part(columns.text("B"));
    }

    /** An uncommitted block with the time at which it was put. */
    record PutBlock(Part part, long put) {}

    static PutBlock decodeBlock(Key key, byte[] row) {
        Columns columns = new Columns(new RowReader().reset(row));
        return new PutBlock(columns.part(key.rowKey()), columns.number("P"));
    }

    /** Encodes the end of a growing content. */
    static byte[] encodeTail(Blob.ContentRef content) {
        return new RowBuilder()
                .put("N", new EdmValue.Int32(content.parts()))
                .put("L", new EdmValue.Int64(content.length()))
                .build();
    }

    static Blob.ContentRef decodeTail(String manifest, byte[] row) {
        Columns columns = new Columns(new RowReader().reset(row));
        return new Blob.ContentRef(manifest, (int) columns.number("N"), columns.number("L"));
    }

    /** The columns of a row by name. */
    private static final class Columns {
        private final Map<String, EdmValue> values = new HashMap<>();
        private final Map<String, String> metadata = new HashMap<>();
        private final SortedMap<String, String> tags = new TreeMap<>();
        private final Map<String, Long> tagEntries = new HashMap<>();

        Columns(RowReader reader) {
            while (reader.next()) {
                String name = reader.name();
                EdmValue value = reader.value();
                if (name.startsWith(METADATA) && value instanceof EdmValue.Text text) {
                    metadata.put(name.substring(METADATA.length()), text.value());
                } else if (name.startsWith(TAG) && value instanceof EdmValue.Text text) {
                    tags.put(name.substring(TAG.length()), text.value());
                } else if (name.startsWith(TAG_ENTRY) && value instanceof EdmValue.Int64 version) {
                    tagEntries.put(name.substring(TAG_ENTRY.length()), version.value());
                } else {
                    values.put(name, value);
                }
            }
        }

        boolean has(String name) {
            return values.containsKey(name);
        }

        String text(String name) {
            return values.get(name) instanceof EdmValue.Text text ? text.value() : "";
        }

        long number(String name) {
            EdmValue value = values.get(name);
            if (value instanceof EdmValue.DateTime time) {
                return time.ticks();
            } else if (value instanceof EdmValue.Int64 number) {
                return number.value();
            } else if (value instanceof EdmValue.Int32 number) {
                return number.value();
            }
            throw new IllegalStateException("A stored row lacks its column " + name);
        }

        Tier tier() {
            if (!has("Rc")) {
                return Tier.DEFAULT;
            }
            Optional<Tier.Rehydration> pending = Tier.Priority.of(text("Rp"))
                    .map(priority -> new Tier.Rehydration(text("Rt"), priority, number("Rd")));
            return new Tier(text("R"), number("Rc"), pending);
        }

        Part part(String block) {
            Part.Place place = values.get("D") instanceof EdmValue.Binary bytes
                    ? new Part.Inline(bytes.value())
                    : new Part.Stored(text("F"));
            return new Part(block, number("L"), number("C"), place);
        }
    }
}
