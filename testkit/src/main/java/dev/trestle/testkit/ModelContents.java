package dev.trestle.testkit;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.support.StageFailures;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * The model of a content store, used as the oracle: a map, with synchronous calls. State is guarded by this
 * object's lock.
 */
public final class ModelContents implements ContentStore {
    private static final Pattern NAME = Pattern.compile("[0-9a-z-]{1,64}");

    private record Name(long collection, String name) {}

    /** A sealed content, its possible owners, and whether it was kept. */
    private static final class Content {
        final byte[] bytes;
        final byte[] owner;
        boolean kept;

        Content(byte[] bytes, byte[] owner) {
            this.bytes = bytes;
            this.owner = owner;
        }
    }

    private final Map<Name, Content> contents = new HashMap<>();

    /** Sealed by this process, or as if it were; others are settled. */
    private final Set<Name> begun = new HashSet<>();

    private final Set<Long> dropped = new HashSet<>();
    private boolean closed;

    /**
     * Returns a store with the sealed contents of this one, which is closed, as after a restart of the process.
     */
    public synchronized ModelContents reopen() {
        if (!closed) {
            throw new IllegalStateException("close the store before it is opened again");
        }
        ModelContents reopened = new ModelContents();
        reopened.contents.putAll(contents);
        return reopened;
    }

    /** Changes a bit of every content. */
    public synchronized void damage() {
        contents.values().forEach(content -> content.bytes[content.bytes.length / 2] ^= 1);
    }

    private static Name name(long collection, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("not a name of a content: " + name);
        }
        return new Name(collection, name);
    }

    private static <T> CompletionStage<T> failed(EngineException.Kind kind, String why) {
        return CompletableFuture.failedFuture(new EngineException(kind, why));
    }

    private static CompletionStage<Void> done() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public Sink create(long collection, String name, Consumer<ByteBuffer> tap) {
        return new Writing(name(collection, name), tap);
    }

    private final class Writing implements Sink {
        private final Name name;
        private final Consumer<ByteBuffer> tap;
        private final ByteArrayOutputStream written = new ByteArrayOutputStream();
        private boolean ended;

        Writing(Name name, Consumer<ByteBuffer> tap) {
            this.name = name;
            this.tap = tap;
        }

        @Override
        public CompletionStage<Void> write(ByteBuffer bytes) {
            synchronized (ModelContents.this) {
                if (ended || closed) {
                    return failed(EngineException.Kind.UNAVAILABLE, "The content is not written any more.");
                }
                try {
                    tap.accept(bytes.duplicate());
                } catch (RuntimeException e) {
                    ended = true;
                    return failed(EngineException.Kind.UNAVAILABLE, "The tap failed: " + e);
                }
                byte[] piece = new byte[bytes.remaining()];
                bytes.get(piece);
                written.writeBytes(piece);
                return done();
            }
        }

        @Override
        public CompletionStage<Void> seal(byte[] owner) {
            synchronized (ModelContents.this) {
                if (ended || closed) {
                    return failed(EngineException.Kind.UNAVAILABLE, "The content is not written any more.");
                }
                ended = true;
                contents.put(name, new Content(written.toByteArray(), owner.clone()));
                begun.add(name);
                return done();
            }
        }

        @Override
        public void abandon() {
            synchronized (ModelContents.this) {
                ended = true;
            }
        }
    }

    @Override
    public synchronized CompletionStage<Void> keep(long collection, String name) {
        Name content = name(collection, name);
        begun.remove(content);
        if (dropped.contains(collection)) {
            contents.remove(content);
        }
        Content found = contents.get(content);
        if (found == null) {
            return dropped.contains(collection)
                    ? done()
                    : failed(EngineException.Kind.CORRUPT, "There is no such content.");
        }
        found.kept = true;
        return done();
    }

    @Override
    public synchronized CompletionStage<Source> open(long collection, String name) {
        Content found = contents.get(name(collection, name));
        if (closed || found == null) {
            return failed(
                    closed ? EngineException.Kind.UNAVAILABLE : EngineException.Kind.CORRUPT,
                    "There is no such content.");
        }
        return CompletableFuture.completedFuture(new Reading(found.bytes));
    }

    private record Reading(byte[] bytes) implements Source {
        @Override
        public CompletionStage<Void> read(long position, ByteBuffer into) {
            if (position < 0) {
                throw new IllegalArgumentException("no content has a position " + position);
            }
            if (position + into.remaining() > bytes.length) {
                return failed(EngineException.Kind.CORRUPT, "The content is too short.");
            }
            into.put(bytes, (int) position, into.remaining());
            return done();
        }

        @Override
        public Optional<FileChannel> file() {
            return Optional.empty();
        }

        @Override
        public void close() {}
    }

    @Override
    public synchronized CompletionStage<Void> copy(
            long collection, String name, long toCollection, String toName, byte[] owner) {
        Content found = contents.get(name(collection, name));
        Name to = name(toCollection, toName);
        if (found == null) {
            return failed(EngineException.Kind.CORRUPT, "There is no such content.");
        }
        contents.put(to, new Content(found.bytes.clone(), owner.clone()));
        begun.add(to);
        return done();
    }

    @Override
    public synchronized CompletionStage<Void> delete(long collection, String name) {
        contents.remove(name(collection, name));
        return done();
    }

    @Override
    public synchronized CompletionStage<Void> drop(long collection) {
        dropped.add(collection);
        contents.keySet().removeIf(name -> name.collection == collection);
        return done();
    }

    @Override
    public synchronized void release(long collection) {
        dropped.remove(collection);
    }

    @Override
    public CompletionStage<Void> resolve(Reference reference) {
        Map<Name, Content> unsettled = new HashMap<>();
        synchronized (this) {
            contents.forEach((name, content) -> {
                if (!content.kept && !begun.contains(name)) {
                    unsettled.put(name, content);
                }
            });
        }
        CompletableFuture<Void> settled = new CompletableFuture<>();
        CompletionStage<Void> all = done();
        for (Map.Entry<Name, Content> entry : unsettled.entrySet()) {
            Name name = entry.getKey();
            byte[] owner = entry.getValue().owner.clone();
            all = all.thenCompose(before -> reference.holds(owner, name.collection, name.name))
                    .thenCompose(held -> held ? keep(name.collection, name.name) : delete(name.collection, name.name));
        }
        all.whenComplete((nothing, failure) -> {
            if (failure == null) {
                settled.complete(null);
            } else {
                settled.completeExceptionally(StageFailures.cause(failure));
            }
        });
        return settled;
    }

    @Override
    public CompletionStage<Void> names(long collection, Consumer<String> seen) {
        Map<String, Content> names = new TreeMap<>();
        synchronized (this) {
            contents.forEach((name, content) -> {
                if (name.collection == collection && content.kept) {
                    names.put(name.name, content);
                }
            });
        }
        names.keySet().forEach(seen);
        return done();
    }

    @Override
    public synchronized void close() {
        closed = true;
    }
}
