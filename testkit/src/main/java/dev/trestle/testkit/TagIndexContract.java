package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.blob.AccessConditions;
import dev.trestle.blob.Blob;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.Copies;
import dev.trestle.blob.TagExpression;
import dev.trestle.blob.TagExpression.Comparison;
import dev.trestle.blob.TagFinder;
import dev.trestle.blob.TagQuery;
import dev.trestle.engine.EngineException;
import dev.trestle.testkit.FaultyEngine.Call;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The index of tags agrees with the blobs, whatever happens in between. */
public abstract class TagIndexContract extends TaggedBlobContract {
    private static final int SEEDS = 6;
    private static final int CALLS = 150;
    private static final long LATER_SECONDS = 2 * 3600;

    protected TagIndexContract(StoreOpener opener) {
        super(opener);
    }

    static LongStream seeds() {
        return Gen.seeds(SEEDS);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void what_is_found_is_what_a_look_at_every_blob_would_find(long seed) {
        Gen.check(seed, gen -> new History(gen).run());
    }

    /** Random changes beside a map of the tags that every blob should have. */
    private final class History {
        private static final List<String> NAMES = List.of("a", "a/b", "\u00E9", "log\uD83D\uDE00", "z");
        private static final List<String> KEYS = List.of("k", "k 1", "K", "a:b");
        private static final List<String> VALUES = List.of("", "1", "10", "2", "x y", "x/y");

        private final Gen gen;
        private final Map<String, Map<String, String>> known = new TreeMap<>();

        History(Gen gen) {
            this.gen = gen;
        }

        void run() throws Exception {
            for (int i = 0; i < times(CALLS); i++) {
                step(gen.oneOf(NAMES), gen.below(100));
            }
            compare();
            restart();
            compare();
            // No change failed, so there is a row for each tag and no other.
            assertThat(indexRows()).containsExactlyInAnyOrderElementsOf(expectedRows());
        }

        private void step(String name, int choice) throws Exception {
            boolean there = known.containsKey(name);
            Map<String, String> tags = tags();
            if (choice < 25) {
                putTagged(at(name), tags);
                known.put(name, tags);
            } else if (choice < 45 && there) {
                setTags(name, tags);
                known.put(name, tags);
            } else if (choice < 55 && there) {
                await(blobs.delete(at(name), AccessConditions.NONE, BlobService.Snapshots.INCLUDE));
                known.remove(name);
            } else if (choice < 65 && there) {
                String target = gen.oneOf(NAMES);
                Map<String, String> copied = gen.chance(50) ? Map.of() : known.getOrDefault(name, Map.of());
                Copies.Source source =
                        new Copies.Source(at(name), OptionalLong.empty(), AccessConditions.NONE, "http://127.0.0.1/a");
                await(blobs.copies().copy(source, at(target), found -> plain().withTags(copied)));
                known.put(target, copied);
            } else if (choice < 70 && there) {
                await(blobs.snapshot(at(name), AccessConditions.NONE, Map.of()));
            } else if (choice < 75 && there) {
                await(blobs.setMetadata(at(name), AccessConditions.NONE, Map.of("m", "n")));
            } else {
                compare();
            }
        }

        private Map<String, String> tags() {
            Map<String, String> tags = new HashMap<>();
            for (int i = gen.below(4); i > 0; i--) {
                tags.put(gen.oneOf(KEYS), gen.oneOf(VALUES));
            }
            return tags;
        }

        private void compare() {
            List<TagExpression.Test> tests = new ArrayList<>();
            for (int i = 1 + gen.below(3); i > 0; i--) {
                Comparison comparison = gen.oneOf(List.of(Comparison.values()));
                tests.add(new TagExpression.Test(
                        gen.oneOf(KEYS),
                        comparison == Comparison.NOT_EQUAL ? Comparison.EQUAL : comparison,
                        gen.oneOf(VALUES)));
            }
            List<String> expected = known.keySet().stream()
                    .filter(name -> tests.stream().allMatch(test -> test.matches(known.getOrDefault(name, Map.of()))))
                    .toList();
            List<TagFinder.Found> found = findAll(new TagQuery(Optional.empty(), tests), 1 + gen.below(4));
            assertThat(found)
                    .as("%s in %s", tests, known)
                    .extracting(TagFinder.Found::name)
                    .containsExactlyInAnyOrderElementsOf(expected);
        }

        private List<String> expectedRows() {
            List<String> rows = new ArrayList<>();
            known.forEach(
                    (name, tags) -> tags.forEach((key, value) -> rows.add("t/" + key + "!" + value + " " + name)));
            return rows;
        }
    }

    @Test
    void a_tag_whose_blob_could_not_be_written_is_not_found_and_goes_in_time() {
        put("a", ONE);
        faulty.passNext(Call.COMMIT);
        faulty.failNext(Call.COMMIT, EngineException.Kind.UNAVAILABLE);
        assertUnavailable(blobs.setTags(at("a"), AccessConditions.NONE, Map.of("k", "1")));
        assertThat(indexRows()).containsExactly("t/k!1 a");
        assertThat(namesOf(query(is("k", "1")))).isEmpty();
        // The request may still be on its way.
        assertThat(indexRows()).containsExactly("t/k!1 a");
        move(LATER_SECONDS);
        assertThat(namesOf(query(is("k", "1")))).isEmpty();
        assertThat(indexRows()).isEmpty();
    }

    @Test
    void a_tag_that_could_not_be_removed_from_the_index_is_not_found_and_goes_in_time() {
        putTagged(at("a"), Map.of("k", "1"));
        faulty.passNext(Call.COMMIT);
        faulty.failNext(Call.COMMIT, EngineException.Kind.UNAVAILABLE);
        setTags("a", Map.of());
        assertThat(troubles).hasSize(1);
        troubles.clear();
        assertThat(indexRows()).containsExactly("t/k!1 a");
        assertThat(namesOf(query(is("k", "1")))).isEmpty();
        move(LATER_SECONDS);
        assertThat(namesOf(query(is("k", "1")))).isEmpty();
        assertThat(indexRows()).isEmpty();
    }

    @Test
    void a_tag_that_is_given_again_outlives_what_was_left_of_it() {
        putTagged(at("a"), Map.of("k", "1"));
        faulty.passNext(Call.COMMIT);
        faulty.failNext(Call.COMMIT, EngineException.Kind.UNAVAILABLE);
        setTags("a", Map.of());
        troubles.clear();
        move(LATER_SECONDS);
        setTags("a", Map.of("k", "1"));
        move(LATER_SECONDS);
        assertThat(namesOf(query(is("k", "1")))).containsExactly("a");
        assertThat(namesOf(query(is("k", "1")))).containsExactly("a");
    }

    @Test
    void tags_that_were_written_are_found_although_their_writer_never_knew() {
        put("a", ONE);
        faulty.passNext(Call.COMMIT);
        faulty.loseNextAnswer(Call.COMMIT, EngineException.Kind.UNAVAILABLE);
        assertUnavailable(blobs.setTags(at("a"), AccessConditions.NONE, Map.of("k", "1")));
        assertThat(namesOf(query(is("k", "1")))).containsExactly("a");
    }

    @Test
    void a_tag_is_found_whose_writer_was_overtaken_by_one_who_made_the_blob_and_deleted_it() {
        int before = faulty.calls(Call.COMMIT);
        putTagged(at("other"), Map.of("k", "1"));
        int after = faulty.calls(Call.COMMIT);
        for (int i = after - before; i > 1; i--) {
            faulty.passNext(Call.COMMIT);
        }
        Runnable go = faulty.delayNext(Call.COMMIT);
        CompletionStage<Blob> slow =
                blobs.blocks().put(at("a"), plain().withTags(Map.of("k", "1")), staged(at("a"), ONE));
        eventually(() -> assertThat(faulty.calls(Call.COMMIT)).isEqualTo(after + after - before));
        putTagged(at("a"), Map.of("k", "1"));
        await(blobs.delete(at("a"), AccessConditions.NONE, BlobService.Snapshots.REFUSE));
        go.run();
        await(slow);
        assertThat(namesOf(query(is("k", "1")))).containsExactly("a", "other");
    }

    @Test
    void writers_who_meet_leave_an_index_that_agrees_with_the_blob() throws Exception {
        List<Callable<Void>> writers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Gen gen = new Gen(i);
            writers.add(() -> {
                for (int round = 0; round < times(60); round++) {
                    change(gen.below(10), String.valueOf(gen.below(3)));
                }
                return null;
            });
        }
        together(writers);
        Optional<Blob> left = findIfThere("a");
        for (String value : List.of("0", "1", "2")) {
            boolean has =
                    left.isPresent() && value.equals(left.get().tags().values().get("k"));
            assertThat(namesOf(query(is("k", value)))).isEqualTo(has ? List.of("a") : List.of());
        }
    }

    private void change(int choice, String value) {
        if (choice < 6) {
            putTagged(at("a"), Map.of("k", value));
        } else if (choice < 8) {
            // May be refused, because another one has deleted the blob.
            await(blobs.setTags(at("a"), AccessConditions.NONE, Map.of("k", value))
                    .handle((done, failure) -> done));
        } else {
            await(blobs.delete(at("a"), AccessConditions.NONE, BlobService.Snapshots.INCLUDE)
                    .handle((done, failure) -> ""));
        }
    }
}
