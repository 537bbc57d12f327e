package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.engine.Write;
import dev.trestle.filter.Filter;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random calls to the engine and to {@link ModelEngine}, with the same clock, have the same results, including
 * versions.
 */
public abstract class RandomHistoryContract extends EngineContract {
    private static final int SEEDS = 12;
    private static final int CALLS = 250;
    private static final int WRITES_MAX = 8;
    private static final int FILTER_DEPTH = 3;
    private static final int LONG_COMMITS = 60;
    private static final int LONG_COMMIT_ROWS = 300;
    private static final List<Long> COLLECTIONS = List.of(COLLECTION, NEXT_COLLECTION, 0x7FFF_FFFF_FFFF_FFFFL, -1L);

    protected RandomHistoryContract(Opener opener) {
        super(opener);
    }

    static LongStream seeds() {
        return Gen.seeds(SEEDS);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void the_engine_answers_as_the_model_does(long seed) {
        Gen.check(seed, gen -> new History(gen, new ModelEngine(clock)).run());
    }

    /**
     * Consecutive new rows, rows between others, and rows that are deleted repeatedly, all without waiting for
     * results.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void long_commits_find_every_row_that_is_there_and_no_other(long seed) {
        Gen.check(seed, gen -> {
            ModelEngine model = new ModelEngine(clock);
            List<CommitResult> expected = new ArrayList<>();
            List<CompletionStage<CommitResult>> answers = new ArrayList<>();
            for (int i = 0; i < LONG_COMMITS; i++) {
                Commit commit = longCommit(gen, model);
                expected.add(await(model.commit(Gen.copy(commit))));
                answers.add(engine.commit(commit));
            }
            assertThat(answers.stream().map(EngineContract::await).toList()).isEqualTo(expected);
            assertThat(keys(scan(wholeCollection())))
                    .isEqualTo(keys(await(model.scan(scanOf(wholeCollection(), Filter.ALL, NO_LIMITS)))));
        });
    }

    /** Writes to close rows in any order, with conditions that mostly hold. */
    private static Commit longCommit(Gen gen, ModelEngine model) {
        int first = gen.below(LONG_COMMIT_ROWS);
        int step = 1 + gen.below(3);
        List<Write> writes = new ArrayList<>();
        for (int i = 1 + gen.below(Commit.WRITES_MAX); i > 0; i--) {
            Key key = key("p", String.format("%04d", first + i * step));
            boolean there = await(model.read(key)).isPresent() ^ gen.chance(1);
            Precondition precondition = there ? Precondition.PRESENT : Precondition.ABSENT;
            writes.add(
                    there && gen.chance(70)
                            ? new Write.Delete(key, precondition)
                            : gen.chance(50)
                                    ? new Write.Put(key, row("N", i), precondition)
                                    : new Write.Merge(key, row("M", i), precondition, ROW_LIMITS));
        }
        return new Commit(COLLECTION, "p", writes);
    }

    private final class History {
        private final Gen gen;
        private ModelEngine model;
        private final List<Long> versions = new ArrayList<>(List.of(0L));

        private History(Gen gen, ModelEngine model) {
            this.gen = gen;
            this.model = model;
        }

        private void run() throws Exception {
            for (int i = 0; i < CALLS; i++) {
                clock.move(Duration.ofNanos(gen.below(3) * 100L - 100));
                int choice = gen.below(1000);
                if (choice < 500) {
                    commit();
                } else if (choice < 700) {
                    read();
                } else if (choice < 980) {
                    scan();
                } else if (choice < 990) {
                    drop();
                } else {
                    model.close();
                    model = model.reopen(clock);
                    reopen();
                }
            }
            for (long collection : COLLECTIONS) {
                compare(scanOf(Key.collectionRange(collection), Filter.ALL, NO_LIMITS));
            }
        }

        private void commit() {
            Commit commit = gen.commit(gen.oneOf(COLLECTIONS), WRITES_MAX, () -> gen.oneOf(versions));
            CommitResult expected = await(model.commit(Gen.copy(commit)));
            assertThat(await(engine.commit(Gen.copy(commit)))).isEqualTo(expected);
            if (expected instanceof CommitResult.Committed committed) {
                versions.add(committed.version());
            }
        }

        private void read() {
            Key key = gen.key(gen.oneOf(COLLECTIONS));
            assertThat(await(engine.read(key)).map(Arrays::toString))
                    .isEqualTo(await(model.read(key)).map(Arrays::toString));
        }

        private void drop() {
            long collection = gen.oneOf(COLLECTIONS);
            await(model.drop(collection));
            await(engine.drop(collection));
        }

        private void scan() {
            List<KeyRange> ranges = ranges();
            Filter filter = gen.chance(30) ? Filter.ALL : gen.filter(FILTER_DEPTH);
            Scan.Limits limits = new Scan.Limits(
                    gen.chance(50) ? 1 + gen.below(5) : Integer.MAX_VALUE,
                    gen.chance(30) ? gen.below(200) : Integer.MAX_VALUE,
                    gen.chance(90) ? Duration.ofHours(1) : Duration.ZERO);
            compare(new Scan(ranges, filter, List.of(), limits));
        }

        private List<KeyRange> ranges() {
            if (gen.chance(30)) {
                return List.of(Key.collectionRange(gen.oneOf(COLLECTIONS)));
            }
            List<byte[]> bounds = new ArrayList<>();
            for (int i = 2 * (1 + gen.below(3)); i > 0; i--) {
                bounds.add(gen.key(gen.oneOf(COLLECTIONS)).bytes());
            }
            bounds.sort(Arrays::compareUnsigned);
            List<KeyRange> ranges = new ArrayList<>();
            for (int i = 0; i < bounds.size(); i += 2) {
                ranges.add(new KeyRange(bounds.get(i), bounds.get(i + 1)));
            }
            return ranges;
        }

        private void compare(Scan scan) {
            List<RowPage> pages = pages(engine, scan);
            List<RowPage> expected = pages(model, scan);
            if (!scan.limits().time().isZero()) {
                assertThat(pages.stream().map(this::print).toList())
                        .as("pages of %s", scan.filter())
                        .isEqualTo(expected.stream().map(this::print).toList());
            }
            assertThat(joined(pages)).isEqualTo(joined(expected));
            Scan whole = new Scan(scan.ranges(), scan.filter(), scan.columns(), NO_LIMITS);
            assertThat(joined(pages)).isEqualTo(joined(List.of(await(engine.scan(whole)))));
        }

        /** The page as text; a page stopped by time says nothing certain about the rows it looked at. */
        private String print(RowPage page) {
            return page.stopReason() + " at " + page.resume() + ": " + joined(List.of(page));
        }

        private List<String> joined(List<RowPage> pages) {
            List<String> rows = new ArrayList<>();
            for (RowPage page : pages) {
                assertThat(page.examined()).isGreaterThanOrEqualTo(page.size());
                for (int i = 0; i < page.size(); i++) {
                    rows.add(page.key(i) + " " + HexFormat.of().formatHex(page.row(i)));
                }
            }
            return rows;
        }
    }
}
