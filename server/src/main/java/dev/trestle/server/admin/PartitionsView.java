package dev.trestle.server.admin;

import dev.trestle.catalogue.Catalogue;
import dev.trestle.engine.Engine;
import dev.trestle.engine.PartitionRanges;
import dev.trestle.engine.PartitionRanges.Range;
import dev.trestle.keyspace.Key;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The partition ranges as JSON. The command {@code trestle partitions} prints them as text. */
public final class PartitionsView {
    private final Engine engine;
    private final PartitionRanges ranges;

    public PartitionsView(Engine engine, PartitionRanges ranges) {
        this.engine = engine;
        this.ranges = ranges;
    }

    CompletionStage<String> json() {
        return Catalogue.names(engine)
                .thenCombine(ranges.list(), (names, list) -> json(list, names).encode());
    }

    static JsonArray json(List<Range> ranges, Map<Long, String> names) {
        JsonArray array = new JsonArray();
        for (Range range : ranges) {
            array.add(new JsonObject()
                    .put("range", range.id())
                    .put("from", boundary(range.from(), names))
                    .put("to", boundary(range.to(), names))
                    .put("server", range.server().orElse(null))
                    .put("bytes", range.bytes())
                    .put("reads", range.reads())
                    .put("writes", range.writes()));
        }
        return array;
    }

    /** Returns a boundary; null at the beginning and the end of the key space. A deleted table is shown by its id. */
    private static @Nullable JsonObject boundary(byte[] key, Map<Long, String> names) {
        if (key.length < Long.BYTES) {
            return null;
        }
        long id = Key.ofBytes(key).collection();
        int start = Key.partitionKeyStart();
        return new JsonObject()
                .put("table", names.getOrDefault(id, HexFormat.of().toHexDigits(id)))
                .put("partitionKey", Key.decode(key, start, key.length - start));
    }
}
