package dev.trestle.testkit;

import dev.trestle.engine.EngineException;
import dev.trestle.engine.PartitionRanges;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** A list of ranges for tests of their users, which can delay results or fail. Not thread-safe. */
public final class ModelRanges implements PartitionRanges {
    private static final String ANOTHER = "another";

    private final List<Range> ranges = new ArrayList<>();
    private CompletionStage<Void> before = CompletableFuture.completedFuture(null);
    private int looks;

    /** @param all in the order of their keys, without gaps */
    public ModelRanges(Range... all) {
        set(all);
    }

    /** From now on these. */
    public void set(Range... all) {
        ranges.clear();
        ranges.addAll(List.of(all));
    }

    /** Delays all further results until this stage completes, or has them fail as it does. */
    public void answerAfter(CompletionStage<Void> stage) {
        before = stage;
    }

    /** How often the list was asked for. */
    public int looks() {
        return looks;
    }

    @Override
    public CompletionStage<List<Range>> list() {
        looks++;
        return before.thenApply(ready -> List.copyOf(ranges));
    }

    /** Those that have ranges, and {@code another}. */
    @Override
    public CompletionStage<List<String>> servers() {
        return before.thenApply(ready -> Stream.concat(
                        ranges.stream().flatMap(range -> range.server().stream()), Stream.of(ANOTHER))
                .distinct()
                .toList());
    }

    @Override
    public CompletionStage<Void> split(String id, Optional<byte[]> at) {
        return before.thenRun(() -> {
            Range range = find(id);
            byte[] middle = at.orElseThrow(() -> refused("The range " + id + " has no middle."));
            ranges.set(
                    ranges.indexOf(range),
                    new Range(id + "1", range.from(), middle, range.server(), range.bytes() / 2, 0, 0));
            ranges.add(
                    ranges.indexOf(find(id + "1")) + 1,
                    new Range(id + "2", middle, range.to(), range.server(), range.bytes() / 2, 0, 0));
        });
    }

    @Override
    public CompletionStage<Void> merge(String id, String next) {
        return before.thenRun(() -> {
            Range one = find(id);
            Range other = find(next);
            if (!Arrays.equals(one.to(), other.from())) {
                throw refused("The range " + next + " does not follow " + id + ".");
            }
            ranges.remove(other);
            ranges.set(
                    ranges.indexOf(one),
                    new Range(id + next, one.from(), other.to(), one.server(), one.bytes() + other.bytes(), 0, 0));
        });
    }

    @Override
    public CompletionStage<Void> move(String id, Optional<String> server) {
        return before.thenRun(() -> {
            Range range = find(id);
            ranges.set(
                    ranges.indexOf(range),
                    new Range(
                            id, range.from(), range.to(), server.or(() -> Optional.of(ANOTHER)), range.bytes(), 0, 0));
        });
    }

    private Range find(String id) {
        return ranges.stream()
                .filter(range -> range.id().equals(id))
                .findFirst()
                .orElseThrow(() -> refused("There is no range " + id + " now."));
    }

    private static EngineException refused(String message) {
        return new EngineException(EngineException.Kind.UNAVAILABLE, message);
    }
}
