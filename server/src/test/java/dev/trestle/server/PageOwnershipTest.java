package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.engine.Engine;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.testkit.ForwardingEngine;
import java.io.IOException;
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
            OperationExamples.sendAll(server);
        }
        assertThat(pages).hasSizeGreaterThan(20);
        assertThat(pages).allSatisfy(page -> assertThatThrownBy(page::data).isInstanceOf(IllegalStateException.class));
    }

    private final class RecordingEngine extends ForwardingEngine {
        RecordingEngine(Engine engine) {
            super(engine);
        }

        @Override
        public CompletionStage<RowPage> scan(Scan scan) {
            return super.scan(scan).thenApply(page -> {
                pages.add(page);
                return page;
            });
        }
    }
}
