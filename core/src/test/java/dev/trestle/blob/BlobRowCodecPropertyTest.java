package dev.trestle.blob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.keyspace.Key;
import dev.trestle.model.Ticks;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class BlobRowCodecPropertyTest {
    private static final long CONTAINER = 0x0102_0304_0506_0708L;
    private static final int ROUNDS = 200;

    private final SplittableRandom random = new SplittableRandom(7);

    private long ticks() {
        return random.nextLong(1, Ticks.MAX);
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        String alphabet = "ab/ \u00E9\uFFFF\uD83D\uDE00'";
        for (int i = random.nextInt(12); i > 0; i--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    private Blob blob() {
        Map<String, String> metadata = new HashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            metadata.put("k" + random.nextInt(10), text());
        }
        Lease held = Lease.NONE.acquire(
                ticks() / 2, random.nextBoolean() ? 15 : -1, Optional.empty(), new UUID(random.nextLong(), 1));
        return new Blob(
                "n" + text(),
                random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(ticks()),
                random.nextBoolean() ? BlobType.BLOCK : BlobType.APPEND,
                ticks(),
                ticks(),
                ticks(),
                new Blob.ContentRef("m" + random.nextInt(), random.nextInt(50_000), random.nextLong(1L << 50)),
                random.nextInt(50_000),
                random.nextBoolean(),
                random.nextBoolean()
                        ? ContentHeaders.NONE
                        : new ContentHeaders(text(), text(), text(), text(), text(), text()),
                metadata,
                random.nextBoolean() ? Tier.DEFAULT : new Tier("Cool", ticks()),
                random.nextBoolean() ? Lease.NONE : held,
                random.nextBoolean()
                        ? Optional.empty()
                        : Optional.of(
                                new CopyState("id" + text(), "http://" + text(), random.nextLong(1L << 50), ticks())),
                tags());
    }

    private BlobTags tags() {
        Map<String, String> values = new HashMap<>();
        Map<String, Long> entries = new HashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            String key = "k" + random.nextInt(10);
            values.put(key, text());
            if (random.nextBoolean()) {
                entries.put(key, ticks());
            }
        }
        return new BlobTags(new TreeMap<>(values), entries);
    }

    @Test
    void a_blob_is_read_as_it_was_written() {
        for (int i = 0; i < ROUNDS; i++) {
            Blob blob = blob();
            Key key = BlobRowCodec.key(CONTAINER, blob.name(), blob.snapshot());
            assertThat(BlobRowCodec.decode(key, BlobRowCodec.encode(blob))).isEqualTo(blob);
        }
    }

    @Test
    void a_part_is_read_as_it_was_written() {
        for (int i = 0; i < ROUNDS; i++) {
            byte[] bytes = new byte[random.nextInt(100)];
            random.nextBytes(bytes);
            Part inline = new Part(text(), bytes.length, random.nextLong(), new Part.Inline(bytes));
            assertThat(BlobRowCodec.decodePart(BlobRowCodec.encode(inline)))
                    .usingRecursiveComparison()
                    .isEqualTo(inline);
            Part stored = new Part("id" + i, random.nextLong(1, 1L << 50), random.nextLong(), new Part.Stored("c" + i));
            assertThat(BlobRowCodec.decodePart(BlobRowCodec.encode(stored))).isEqualTo(stored);
            long put = ticks();
            assertThat(BlobRowCodec.decodeBlock(
                            BlobRowCodec.blockKey(CONTAINER, "a", stored.block()), BlobRowCodec.encode(stored, put)))
                    .isEqualTo(new BlobRowCodec.PutBlock(stored, put));
            Blob.ContentRef tail = new Blob.ContentRef("m", i, random.nextLong(1L << 50));
            assertThat(BlobRowCodec.decodeTail("m", BlobRowCodec.encodeTail(tail)))
                    .isEqualTo(tail);
        }
    }

    @Test
    void a_key_tells_what_it_was_made_of() {
        for (int i = 0; i < ROUNDS; i++) {
            String name = "a" + text();
            long end = random.nextLong(1, Long.MAX_VALUE);
            Key part = BlobRowCodec.partKey(CONTAINER, "0f", name, end);
            assertThat(BlobRowCodec.end(part)).isEqualTo(end);
            assertThat(BlobRowCodec.isTail(part)).isFalse();
            assertThat(BlobRowCodec.Manifest.of(part)).isEqualTo(new BlobRowCodec.Manifest("0f", name));
            assertThat(BlobRowCodec.isTail(BlobRowCodec.tailKey(CONTAINER, "0f", name)))
                    .isTrue();
            assertThat(BlobRowCodec.name(BlobRowCodec.blockKey(CONTAINER, name, "id")))
                    .isEqualTo(name);
            assertThat(BlobRowCodec.name(Key.ofBytes(BlobRowCodec.owner(CONTAINER, name))))
                    .isEqualTo(name);
        }
    }

    @Test
    void what_comes_after_a_prefix_begins_otherwise_and_nothing_lies_between() {
        for (int i = 0; i < ROUNDS; i++) {
            String prefix = text();
            Optional<String> after = BlobRowCodec.after(prefix);
            String inside = prefix + "\uFFFF\uFFFF" + text();
            after.ifPresent(next -> assertThat(next.compareTo(inside) > 0 && !next.startsWith(prefix))
                    .isTrue());
        }
        assertThat(BlobRowCodec.after("a")).contains("b");
        assertThat(BlobRowCodec.after("a\uFFFF\uFFFF")).contains("b");
        assertThat(List.of(BlobRowCodec.after(""), BlobRowCodec.after("\uFFFF")))
                .allMatch(Optional::isEmpty);
    }
}
