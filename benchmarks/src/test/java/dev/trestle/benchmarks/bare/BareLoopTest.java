package dev.trestle.benchmarks.bare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.rocksdb.RocksEngine;
import dev.trestle.engine.rocksdb.RocksEngineConfig;
import dev.trestle.server.sockets.SocketTransport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

class BareLoopTest {
    @TempDir
    private Path folder;

    @Test
    void its_store_is_set_as_the_engines_is() throws IOException, RocksDBException {
        Path engine = folder.resolve("engine");
        RocksEngine.open(RocksEngineConfig.at(engine), InstantSource.system()).close();
        Path bare = Files.createDirectory(folder.resolve("bare"));
        try (Options options = BareLoop.options();
                RocksDB db = RocksDB.open(options, bare.toString())) {
            assertThat(settings(bare)).isNotEmpty().isEqualTo(settings(engine));
            assertThat(db.isOwningHandle()).isTrue();
        }
    }

    @Test
    void its_transport_is_the_one_that_the_server_chooses() {
        assertThat(BareLoop.transport().name())
                .isEqualTo(SocketTransport.AUTO.choose().name());
    }

    /** Returns the options that RocksDB logged, without their sections. */
    private static List<String> settings(Path below) throws IOException {
        try (Stream<Path> files = Files.walk(below)) {
            Path newest = files.filter(file -> file.getFileName().toString().startsWith("OPTIONS-"))
                    .max(Path::compareTo)
                    .orElseThrow();
            return Files.readAllLines(newest).stream()
                    .filter(line -> !line.contains(below.toString()))
                    .toList();
        }
    }
}
