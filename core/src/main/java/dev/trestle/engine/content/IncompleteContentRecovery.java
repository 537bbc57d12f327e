package dev.trestle.engine.content;

import dev.trestle.engine.ContentStore.Reference;
import dev.trestle.engine.EngineException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;

/** Keeps or deletes the contents that terminated processes have left in the folder of incoming ones. */
final class IncompleteContentRecovery {
    private final ContentFileSystem files;
    private final ContentLayout layout;
    private final Predicate<ContentPath> inFlight;
    private final Duration othersAge;
    private final InstantSource clock;

    /**
     * @param inFlight the contents that this process is creating
     * @param othersAge files younger than this may belong to other processes
     */
    IncompleteContentRecovery(
            ContentFileSystem files,
            ContentLayout layout,
            Predicate<ContentPath> inFlight,
            Duration othersAge,
            InstantSource clock) {
        this.files = files;
        this.layout = layout;
        this.inFlight = inFlight;
        this.othersAge = othersAge;
        this.clock = clock;
    }

    void run(Reference reference) throws IOException, InterruptedException {
        layout.finishDrops();
        List<String> left = new ArrayList<>();
        files.list(ContentPath.INCOMING, left::add);
        Set<ContentPath> recovered = new HashSet<>();
        for (String file : left) {
            Optional<ContentPath> name = ContentPath.ofIncoming(file);
            if (name.isPresent()
                    && !inFlight.test(name.get())
                    && isOld(ContentPath.INCOMING + "/" + file)
                    && recovered.add(name.get())) {
                recover(name.get(), reference);
            }
        }
    }

    private boolean isOld(String path) throws IOException {
        if (othersAge.isZero()) {
            return true;
        }
        Instant latest = clock.instant().minus(othersAge);
        return files.changed(path).filter(latest::isAfter).isPresent();
    }

    private void recover(ContentPath name, Reference reference) throws IOException, InterruptedException {
        boolean sealed = files.changed(name.sealed()).isPresent();
        if (!sealed) {
            layout.discard(name);
            return;
        }
        Optional<byte[]> owner = layout.owner(name);
        // A content without an owner file was about to be kept. Keeping one in error wastes space; deleting one in
        // error would lose data.
        boolean wanted = owner.isEmpty() || holds(reference, owner.get(), name);
        if (wanted) {
            layout.keep(name);
        } else {
            layout.delete(name);
        }
    }

    private static boolean holds(Reference reference, byte[] owner, ContentPath name) throws InterruptedException {
        try {
            // Blocking is safe here: stages of the engine complete on other threads.
            return reference
                    .holds(owner, name.collection(), name.name())
                    .toCompletableFuture()
                    .get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof EngineException known
                    ? known
                    : new EngineException(
                            EngineException.Kind.UNAVAILABLE, "Reading the owner of a content failed.", e);
        }
    }
}
