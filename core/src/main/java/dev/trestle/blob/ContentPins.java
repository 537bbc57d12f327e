package dev.trestle.blob;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** Reference counts of the contents that this process reads. A pinned content is not reclaimed. Thread-safe. */
final class ContentPins {
    private final Map<Content, Held> held = new HashMap<>();

    /** The content of a manifest of a blob. */
    record Content(long container, String blob, String manifest) {}

    /** The number of readers, and a future that completes with the last one. */
    private static final class Held {
        int readers;
        final CompletableFuture<Void> free = new CompletableFuture<>();
    }

    /** Keeps a content from being reclaimed until it is closed. */
    interface Pin extends AutoCloseable {
        /** Idempotent. */
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

    /** Completes when the content has no readers. */
    synchronized CompletionStage<Void> free(Content content) {
        Held entry = held.get(content);
        return entry == null ? CompletableFuture.completedFuture(null) : entry.free;
    }

    /** Returns the pinned manifests of a blob. */
    synchronized List<String> manifests(long container, String blob) {
        return held.keySet().stream()
                .filter(content -> content.container == container && content.blob.equals(blob))
                .map(Content::manifest)
                .toList();
    }
}
