package dev.trestle.benchmarks.jmh;

import dev.trestle.engine.RowPage;
import dev.trestle.keyspace.Key;
import dev.trestle.server.codec.WireBuffer;
import dev.trestle.server.table.json.EntityReader;
import dev.trestle.server.table.json.EntityWriter;
import dev.trestle.server.table.json.MetadataLevel;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.infra.Blackhole;

/** Entities from JSON to encoded rows, and back: one, and each of a page. */
public class EntityJsonBenchmark extends HotPiece {
    private static final int PAGE_ROWS = 1000;

    private final byte[] json = SampleRow.json(42);
    private final Key key = SampleRow.key(42);
    private final byte[] row = SampleRow.encoded(42);
    private final RowPage page = page();

    private static RowPage page() {
        RowPage.Builder builder = new RowPage.Builder();
        for (int i = 0; i < PAGE_ROWS; i++) {
            byte[] key = SampleRow.key(i).bytes();
            byte[] row = SampleRow.encoded(i);
            builder.add(key, key.length, row, row.length);
        }
        return builder.end();
    }

    private static EntityWriter writer() {
        return new EntityWriter("acct", "http://127.0.0.1:10002/acct", "bench", MetadataLevel.MINIMAL, List.of());
    }

    @Benchmark
    public byte[] jsonToRow() {
        return EntityReader.read(json, 0, json.length).row();
    }

    @Benchmark
    public WireBuffer rowToJson() {
        return writer().one(key, row);
    }

    @Benchmark
    @OperationsPerInvocation(PAGE_ROWS)
    public void rowOfPageToJson(Blackhole socket) {
        writer().page(page, (bytes, length) -> socket.consume(bytes[length - 1]));
    }
}
