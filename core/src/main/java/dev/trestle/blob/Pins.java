package dev.trestle.blob;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** Which contents are being read here, so that none is reclaimed meanwhile. For any thread. */
final class Pins {
    private final Map<String, Held> held = new HashMap<>();

    /** How many readers there are, and who waits for the last of them. */
    private static final class Held {
        final BlobKey blob;
        final CompletableFuture<Void> free = new CompletableFuture<>();
        int readers;

        Held(BlobKey blob) {
            this.blob = blob;
        }
    }

    /** Whose content it is. */
    record BlobKey(long container, String name) {}

    /** A content that stays as long as this is open. */
    interface Pin extends AutoCloseable {
        /** May be called again. */
        @Override
        void close();
    }

    synchronized Pin pin(BlobKey blob, String manifest) {
        held.computeIfAbsent(manifest, fresh -> new Held(blob)).readers++;
        AtomicBoolean open = new AtomicBoolean(true);
        return () -> {
            if (open.getAndSet(false)) {
                release(manifest);
            }
        };
    }

    private void release(String manifest) {
        CompletableFuture<Void> free = null;
        synchronized (this) {
            Held entry = held.get(manifest);
            if (entry != null && --entry.readers == 0) {
                held.remove(manifest);
                free = entry.free;
            }
        }
        if (free != null) {
            free.complete(null);
        }
    }

    /** The contents of a blob, of whichever version, that somebody reads. */
    synchronized Set<String> pinned(BlobKey blob) {
        Set<String> manifests = new HashSet<>();
        held.forEach((manifest, entry) -> {
            if (entry.blob.equals(blob)) {
                manifests.add(manifest);
            }
        });
        return manifests;
    }

    /** Completes when nobody reads the content. */
    synchronized CompletionStage<Void> free(String manifest) {
        Held entry = held.get(manifest);
        return entry == null ? CompletableFuture.completedFuture(null) : entry.free;
    }
}
