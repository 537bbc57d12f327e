package dev.trestle.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.PartitionRanges.Range;
import dev.trestle.keyspace.Key;
import dev.trestle.testkit.ManualClock;
import dev.trestle.testkit.ModelEngine;
import dev.trestle.testkit.ModelRanges;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PartitionsViewTest {
    private static final long ORDERS = 0x0101_0101_0101_0101L;
    private static final byte[] OPEN = {};
    private static final Map<Long, String> NAMES = Map.of(ORDERS, "account/orders");

    private static Range range(byte[] from, byte[] to) {
        return new Range("id", from, to, Optional.of("host,1,2"), 3, 4, 5);
    }

    private static JsonObject shown(Range range) {
        return PartitionsView.json(List.of(range), NAMES).getJsonObject(0);
    }

    @Test
    void a_range_is_told_by_tables_and_partition_keys() {
        Range range = range(Key.beforePartition(ORDERS, "eu"), Key.beforePartition(0x0202_0202_0202_0202L, "\u00E9"));
        assertThat(shown(range))
                .isEqualTo(new JsonObject()
                        .put("range", "id")
                        .put(
                                "from",
                                new JsonObject().put("table", "account/orders").put("partitionKey", "eu"))
                        .put(
                                "to",
                                new JsonObject()
                                        .put("table", "0202020202020202")
                                        .put("partitionKey", "\u00E9"))
                        .put("server", "host,1,2")
                        .put("bytes", 3L)
                        .put("reads", 4L)
                        .put("writes", 5L));
    }

    @Test
    void the_beginning_and_the_end_of_all_are_null() {
        JsonObject shown = shown(range(OPEN, OPEN));
        assertThat(shown.containsKey("from")).isTrue();
        assertThat(shown.getValue("from")).isNull();
        assertThat(shown.getValue("to")).isNull();
    }

    @Test
    void the_boundary_before_a_whole_table_has_an_empty_partition_key() {
        JsonObject shown = shown(range(Key.beforePartition(ORDERS, ""), OPEN));
        assertThat(shown.getJsonObject("from").getString("partitionKey")).isEmpty();
    }

    @Test
    void a_range_that_nobody_serves_has_no_server() {
        JsonObject shown = shown(new Range("id", OPEN, OPEN, Optional.empty(), 0, 0, 0));
        assertThat(shown.containsKey("server")).isTrue();
        assertThat(shown.getValue("server")).isNull();
    }

    @Test
    void all_ranges_are_shown_in_their_order() throws Exception {
        byte[] middle = Key.beforePartition(ORDERS, "eu");
        ModelRanges ranges = new ModelRanges(
                new Range("one", OPEN, middle, Optional.empty(), 0, 0, 0),
                new Range("two", middle, OPEN, Optional.empty(), 0, 0, 0));
        try (ModelEngine engine = new ModelEngine(new ManualClock(Instant.EPOCH))) {
            String text = new PartitionsView(engine, ranges)
                    .json()
                    .toCompletableFuture()
                    .get();
            assertThat(new JsonArray(text).stream().map(range -> ((JsonObject) range).getString("range")))
                    .containsExactly("one", "two");
        }
    }

    @Test
    void a_cluster_that_does_not_tell_its_ranges_fails_the_view() {
        ModelRanges ranges = new ModelRanges();
        ranges.answerAfter(CompletableFuture.failedFuture(new IllegalStateException("gone")));
        try (ModelEngine engine = new ModelEngine(new ManualClock(Instant.EPOCH))) {
            assertThat(new PartitionsView(engine, ranges).json()).isCompletedExceptionally();
        }
    }
}
