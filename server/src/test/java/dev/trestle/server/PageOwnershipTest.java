package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.catalogue.Service;
import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.Engine;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.keyspace.Key;
import dev.trestle.server.OperationExamples.Example;
import java.io.IOException;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Every page that the engine returns has an owner, which closes it. */
class PageOwnershipTest {
    private final Queue<RowPage> pages = new ConcurrentLinkedQueue<>();

    @Test
    void every_operation_closes_the_pages_it_scans() throws IOException {
        try (GuardedServer server = GuardedServer.withEngine(RecordingEngine::new)) {
            for (Example example : OperationExamples.ALL) {
                String name = "res" + example.service().word();
                make(server, example.service(), name);
                server.owner(
                        example.service(),
                        example.method(),
                        filled(example.path(), name),
                        filled(example.body(), name),
                        example.headers().stream()
                                .map(header -> filled(header, name))
                                .toArray(String[]::new));
            }
        }
        assertThat(pages).hasSizeGreaterThan(20);
        assertThat(pages).allSatisfy(page -> assertThatThrownBy(page::data).isInstanceOf(IllegalStateException.class));
    }

    private static void make(GuardedServer server, Service service, String name) throws IOException {
        switch (service) {
            case TABLE -> {
                server.owner(
                        service,
                        "POST",
                        "/Tables",
                        "{\"TableName\":\"" + name + "\"}",
                        "Content-Type: application/json");
                server.owner(
                        service,
                        "POST",
                        "/" + name,
                        "{\"PartitionKey\":\"p\",\"RowKey\":\"r\"}",
                        "Content-Type: application/json");
            }
            case QUEUE -> server.owner(service, "PUT", "/" + name, "");
            case BLOB -> {
                server.owner(service, "PUT", "/" + name + "?restype=container", "");
                server.owner(service, "PUT", "/" + name + "/b", "x", "x-ms-blob-type: BlockBlob");
            }
        }
    }

    private static String filled(String text, String name) {
        return text.replace("NEW", "new1").replaceAll("\\bR\\b", name);
    }

    private final class RecordingEngine implements Engine {
        private final Engine engine;

        RecordingEngine(Engine engine) {
            this.engine = engine;
        }

        @Override
        public CompletionStage<Optional<byte[]>> read(Key key) {
            return engine.read(key);
        }

        @Override
        public CompletionStage<RowPage> scan(Scan scan) {
            return engine.scan(scan).thenApply(page -> {
                pages.add(page);
                return page;
            });
        }

        @Override
        public CompletionStage<CommitResult> commit(Commit commit) {
            return engine.commit(commit);
        }

        @Override
        public CompletionStage<Void> drop(long collection) {
            return engine.drop(collection);
        }

        @Override
        public void release(long collection) {
            engine.release(collection);
        }

        @Override
        public void close() {
            engine.close();
        }
    }
}
