package dev.trestle.server;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.EngineException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

/** Contents in a map, for as long as a test runs; closing it loses nothing. */
public final class MemoryContents implements ContentStore {
    private final ConcurrentMap<String, byte[]> contents = new ConcurrentHashMap<>();

    private static String key(long collection, String name) {
        return collection + "/" + name;
    }

    private static CompletionStage<Void> done() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public Sink create(long collection, String name, Consumer<ByteBuffer> tap) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        return new Sink() {
            @Override
            public CompletionStage<Void> write(ByteBuffer piece) {
                tap.accept(piece.duplicate());
                byte[] copy = new byte[piece.remaining()];
                piece.get(copy);
                bytes.writeBytes(copy);
                return done();
            }

            @Override
            public CompletionStage<Void> seal(byte[] owner) {
                contents.put(key(collection, name), bytes.toByteArray());
                return done();
            }

            @Override
            public void abandon() {}
        };
    }

    @Override
    public CompletionStage<Void> keep(long collection, String name) {
        return done();
    }

    @Override
    public CompletionStage<Source> open(long collection, String name) {
        byte[] found = contents.get(key(collection, name));
        if (found == null) {
            return CompletableFuture.failedFuture(
                    new EngineException(EngineException.Kind.CORRUPT, "there is no such content"));
        }
        return CompletableFuture.completedFuture(new Source() {
            @Override
            public CompletionStage<Void> read(long position, ByteBuffer into) {
                into.put(found, (int) position, into.remaining());
                return done();
            }

            @Override
            public Optional<FileChannel> file() {
                return Optional.empty();
            }

            @Override
            public void close() {}
        });
    }

    @Override
    public CompletionStage<Void> copy(long collection, String name, long toCollection, String toName, byte[] owner) {
        contents.put(key(toCollection, toName), contents.getOrDefault(key(collection, name), new byte[0]));
        return done();
    }

    @Override
    public CompletionStage<Void> delete(long collection, String name) {
        contents.remove(key(collection, name));
        return done();
    }

    @Override
    public CompletionStage<Void> drop(long collection) {
        contents.keySet().removeIf(name -> name.startsWith(collection + "/"));
        return done();
    }

    @Override
    public CompletionStage<Void> resolve(Reference reference) {
        return done();
    }

    @Override
    public CompletionStage<Void> names(long collection, Consumer<String> seen) {
        return done();
    }

    @Override
    public void close() {}
}
