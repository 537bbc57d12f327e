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

/** Goes through what processes that are no more have left unfinished. */
final class IncompleteContentRecovery {
    private final ContentFileSystem files;
    private final ContentLayout layout;
    private final Predicate<ContentPath> underWay;
    private final Duration othersAge;
    private final InstantSource clock;

    /** @param underWay what this process itself has begun */
    IncompleteContentRecovery(
            ContentFileSystem files,
            ContentLayout layout,
            Predicate<ContentPath> underWay,
            Duration othersAge,
            InstantSource clock) {
        this.files = files;
        this.layout = layout;
        this.underWay = underWay;
        this.othersAge = othersAge;
        this.clock = clock;
    }

    void settle(Reference reference) throws IOException, InterruptedException {
        layout.finishDrops();
        List<String> left = new ArrayList<>();
        files.list(ContentPath.INCOMING, left::add);
        Set<ContentPath> settled = new HashSet<>();
        for (String file : left) {
            Optional<ContentPath> name = ContentPath.ofIncoming(file);
            if (name.isPresent()
                    && !underWay.test(name.get())
                    && isOld(ContentPath.INCOMING + "/" + file)
                    && settled.add(name.get())) {
                settle(name.get(), reference);
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

    private void settle(ContentPath name, Reference reference) throws IOException, InterruptedException {
        boolean sealed = files.changed(name.sealed()).isPresent();
        if (!sealed) {
            layout.discard(name);
            return;
        }
        Optional<byte[]> owner = layout.owner(name);
        // One without an owner was about to be kept. If ever one comes to be without for another reason, it only takes
        // room, which is better than to lose what somebody refers to.
        boolean wanted = owner.isEmpty() || holds(reference, owner.get(), name);
        if (wanted) {
            layout.keep(name);
        } else {
            layout.delete(name);
        }
    }

    private static boolean holds(Reference reference, byte[] owner, ContentPath name) throws InterruptedException {
        try {
            // Waited for here, on a thread that has nothing else to do; the engine answers on threads of its own.
            return reference
                    .holds(owner, name.collection(), name.name())
                    .toCompletableFuture()
                    .get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof EngineException known
                    ? known
                    : new EngineException(
                            EngineException.Kind.UNAVAILABLE, "The owner of a content cannot be asked for.", e);
        }
    }
}
