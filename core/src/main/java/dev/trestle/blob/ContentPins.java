package dev.trestle.blob;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** Which contents are being read here, so that none is reclaimed meanwhile. For any thread. */
final class ContentPins {
    private final Map<Content, Held> held = new HashMap<>();

    /** What is filed under a manifest of a blob. */
    record Content(long container, String blob, String manifest) {}

    /** How many readers there are, and who waits for the last of them. */
    private static final class Held {
        int readers;
        final CompletableFuture<Void> free = new CompletableFuture<>();
    }

    /** A content that stays as long as this is open. */
    interface Pin extends AutoCloseable {
        /** May be called again. */
        @Override
        void close();
    }

    synchronized Pin pin(Content content) {
        held.computeIfAbsent(content, fresh -> new Held()).readers++;
        AtomicBoolean open = new AtomicBoolean(true);
        return () -> {
            if (open.getAndSet(false)) {
                release(content);
            }
        };
    }

    private void release(Content content) {
        CompletableFuture<Void> free = null;
        synchronized (this) {
            Held entry = held.get(content);
            if (entry != null && --entry.readers == 0) {
                held.remove(content);
                free = entry.free;
            }
        }
        if (free != null) {
            free.complete(null);
        }
    }

    /** Completes when nobody reads the content. */
    synchronized CompletionStage<Void> free(Content content) {
        Held entry = held.get(content);
        return entry == null ? CompletableFuture.completedFuture(null) : entry.free;
    }

    /** The manifests of a blob that are being read. */
    synchronized List<String> manifests(long container, String blob) {
        return held.keySet().stream()
                .filter(content -> content.container == container && content.blob.equals(blob))
                .map(Content::manifest)
                .toList();
    }
}
