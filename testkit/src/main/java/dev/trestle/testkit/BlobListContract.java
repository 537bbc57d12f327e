package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.blob.AccessConditions;
import dev.trestle.blob.Blob;
import dev.trestle.blob.BlobLister;
import dev.trestle.blob.BlobLister.Cursor;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.Container;
import dev.trestle.engine.Engine;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.model.ContainerName;
import dev.trestle.model.Page;
import dev.trestle.model.PublicAccess;
import dev.trestle.model.StorageError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which blobs a container has: flat and by groups, page by page, without looking at more than is asked for. */
public abstract class BlobListContract extends BlobContract {
    private static final int SEEDS = 6;
    private static final List<String> PIECES =
            List.of("a", "b", "/", "//", "--", "-", "\u00E9", "\uFFFF", "\uD83D\uDE00", "\uE000", "log", " ");

    protected BlobListContract(StoreOpener opener) {
        super(opener);
    }

    /** Returns a number of blobs that is worth a seek: smaller on a cluster, where each takes longer. */
    private int manyBlobs() {
        return engine.isShared() ? 300 : 10_000;
    }

    static LongStream seeds() {
        return Gen.seeds(SEEDS);
    }

    private static BlobLister.Query query(String prefix, String delimiter, int max) {
        return new BlobLister.Query(prefix, delimiter, max, false, false);
    }

    private Page<BlobLister.Entry, BlobLister.Cursor> page(BlobLister.Query query, Cursor from) {
        return await(blobs.lister().list(account, LOGS, query, from));
    }

    /** All lines of a listing, from page to page. */
    private List<String> all(BlobLister.Query query) {
        List<String> lines = new ArrayList<>();
        Optional<Cursor> from = Optional.of(Cursor.START);
        while (from.isPresent()) {
            Page<BlobLister.Entry, BlobLister.Cursor> page = page(query, from.get());
            assertThat(page.items().size()).isLessThanOrEqualTo(query.max());
            page.items().forEach(entry -> lines.add(line(entry)));
            from = page.next();
        }
        return lines;
    }

    private static String line(BlobLister.Entry entry) {
        if (entry instanceof BlobLister.Group) {
            return "group " + entry.name();
        } else if (entry instanceof BlobLister.Uncommitted) {
            return "blocks " + entry.name();
        }
        Blob blob = ((BlobLister.Listed) entry).blob();
        return blob.snapshot().isPresent()
                ? "snapshot " + blob.name() + " " + blob.snapshot().getAsLong()
                : "blob " + blob.name();
    }

    private static String name(Gen gen) {
        StringBuilder name = new StringBuilder();
        for (int i = 1 + gen.below(5); i > 0; i--) {
            name.append(gen.oneOf(PIECES));
        }
        return name.toString();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void listings_are_what_sorting_all_names_would_give(long seed) {
        Gen.check(seed, gen -> {
            Set<String> committed = new TreeSet<>();
            Set<String> waiting = new TreeSet<>();
            for (int i = 0; i < 60; i++) {
                String name = name(gen);
                if (gen.chance(70)) {
                    put(name, ONE);
                    committed.add(name);
                } else {
                    putBlock(name, "1", ONE);
                    waiting.add(name);
                }
            }
            waiting.removeAll(committed);
            for (int i = 0; i < 12; i++) {
                String prefix = gen.chance(40) ? "" : gen.oneOf(PIECES);
                String delimiter = gen.chance(40) ? "" : gen.oneOf(PIECES);
                boolean uncommitted = gen.chance(50);
                List<String> expected = expected(committed, uncommitted ? waiting : Set.of(), prefix, delimiter);
                for (int max : new int[] {1, 2, 3, 7, 1 + gen.below(60), 5000}) {
                    assertThat(all(new BlobLister.Query(prefix, delimiter, max, false, uncommitted)))
                            .as("prefix %s delimiter %s max %d", prefix, delimiter, max)
                            .isEqualTo(expected);
                }
            }
        });
    }

    /** The plainest listing there is. */
    private static List<String> expected(Set<String> blobs, Set<String> waiting, String prefix, String delimiter) {
        Map<String, String> lines = new TreeMap<>();
        Set<String> names = new TreeSet<>(blobs);
        names.addAll(waiting);
        for (String name : names) {
            if (!name.startsWith(prefix)) {
                continue;
            }
            int at = delimiter.isEmpty() ? -1 : name.indexOf(delimiter, prefix.length());
            if (at >= 0) {
                String group = name.substring(0, at + delimiter.length());
                lines.put(group, "group " + group);
            } else {
                lines.put(name, (blobs.contains(name) ? "blob " : "blocks ") + name);
            }
        }
        return new ArrayList<>(lines.values());
    }

    @Test
    void snapshots_are_listed_before_their_blob_and_on_every_page_once() {
        List<String> expected = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            put(name, ONE);
            for (int i = 0; i < 3; i++) {
                Blob taken = await(blobs.snapshot(at(name), AccessConditions.NONE, Map.of()));
                expected.add("snapshot " + name + " " + taken.snapshot().orElseThrow());
            }
            expected.add("blob " + name);
        }
        for (int max = 1; max < 14; max++) {
            assertThat(all(new BlobLister.Query("", "", max, true, false))).isEqualTo(expected);
        }
        putBlock("a0", "1", ONE);
        expected.add(4, "blocks a0");
        putBlock("d", "1", ONE);
        expected.add("blocks d");
        for (int max = 1; max < 16; max++) {
            assertThat(all(new BlobLister.Query("", "", max, true, true)))
                    .as("max %d", max)
                    .isEqualTo(expected);
        }
        assertThat(all(query("", "", 2))).containsExactly("blob a", "blob b", "blob c");
    }

    @Test
    void a_page_goes_on_where_the_last_one_ended_whatever_was_made_and_deleted_since() {
        for (int i = 10; i < 30; i++) {
            put("name" + i, ONE);
        }
        Page<BlobLister.Entry, BlobLister.Cursor> first = page(query("", "", 10), Cursor.START);
        await(blobs.delete(at("name20"), AccessConditions.NONE, BlobService.Snapshots.REFUSE));
        await(blobs.delete(at("name19"), AccessConditions.NONE, BlobService.Snapshots.REFUSE));
        put("name15x", ONE);
        put("name25x", ONE);
        Page<BlobLister.Entry, BlobLister.Cursor> second =
                page(query("", "", 10), first.next().orElseThrow());
        List<String> names = second.items().stream().map(BlobLister.Entry::name).toList();
        assertThat(names)
                .containsExactly(
                        "name21", "name22", "name23", "name24", "name25", "name25x", "name26", "name27", "name28",
                        "name29");
        assertThat(second.next()).isEmpty();
    }

    @Test
    void a_missing_container_is_not_listed() {
        assertThat(errorOf(blobs.lister().list(account, OTHERS, query("", "", 1), Cursor.START)))
                .isEqualTo(StorageError.CONTAINER_NOT_FOUND);
        assertThat(all(query("", "", 1))).isEmpty();
    }

    @Test
    void containers_are_listed_by_name_and_prefix_in_pages() {
        List<String> names = List.of("aa1", "aa2", "aa3", "bb1", "logs");
        names.subList(0, 4)
                .forEach(name -> await(
                        blobs.containers().create(account, new ContainerName(name), Map.of(), PublicAccess.NONE)));
        for (int max = 1; max < 6; max++) {
            assertThat(containers("", max)).isEqualTo(names);
            assertThat(containers("aa", max)).isEqualTo(names.subList(0, 3));
        }
        assertThat(containers("zz", 1)).isEmpty();
    }

    private List<String> containers(String prefix, int max) {
        List<String> names = new ArrayList<>();
        Optional<String> from = Optional.empty();
        do {
            Page<Container, String> page = await(blobs.containers().list(account, prefix, max, from));
            page.items().forEach(container -> names.add(container.name()));
            from = page.next();
        } while (from.isPresent());
        return names;
    }

    /** Another engine, with a count of the rows that scans looked at. */
    private static final class CountingEngine extends ForwardingEngine {
        private final AtomicLong examined = new AtomicLong();

        CountingEngine(Engine engine) {
            super(engine);
        }

        @Override
        public CompletionStage<RowPage> scan(Scan scan) {
            return super.scan(scan).thenApply(page -> {
                examined.addAndGet(page.examined());
                return page;
            });
        }
    }

    @Test
    void a_listing_looks_at_little_more_than_it_shows() {
        for (int i = 0; i < 10; i++) {
            put("log/b/" + i, ONE);
        }
        put("log/c", ONE);
        for (int i = 0; i < manyBlobs(); i++) {
            put("log/a/" + i, ONE);
            if (i % 10 == 0) {
                putBlock("wait/" + i, "1", ONE);
            }
        }
        CountingEngine counting = new CountingEngine(engine);
        serve(counting);
        assertThat(all(query("log/b/", "", 5000))).hasSize(10);
        assertThat(counting.examined.getAndSet(0)).isLessThan(30);
        assertThat(all(query("log/", "/", 5000))).containsExactly("group log/a/", "group log/b/", "blob log/c");
        assertThat(counting.examined.getAndSet(0)).isLessThan(400);
        assertThat(all(new BlobLister.Query("wait", "/", 5000, false, true))).containsExactly("group wait/");
        assertThat(counting.examined.getAndSet(0)).isLessThan(10);
        // As many steps as there are blobs, which must not be as many calls inside each other.
        assertThat(all(new BlobLister.Query("wait/", "", 5000, false, true))).hasSize(manyBlobs() / 10);
        assertThat(all(query("log/a/", "", 5000))).hasSize(manyBlobs());
    }
}
