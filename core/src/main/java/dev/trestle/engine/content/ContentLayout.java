package dev.trestle.engine.content;

import dev.trestle.engine.EngineException;
import dev.trestle.engine.content.ContentFileSystem.Input;
import dev.trestle.engine.content.ContentFileSystem.Output;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/**
 * The folder layout of contents, and the steps that create one. Every step may block. The order within a step
 * makes a crash at any moment harmless:
 *
 * <ol>
 *   <li>The bytes of a content are written to {@code incoming/<content>.part}.
 *   <li>To seal it, the file is synced, {@code incoming/<content>.owner} is written and synced, {@code .part} is
 *       removed from the name, and the folder is synced.
 *   <li>To keep it, it is moved to {@code content/}, and the owner file is deleted. Neither is synced: recovery
 *       repeats a move that was lost in a power failure.
 * </ol>
 *
 * <p>After a crash, a {@code .part} was never sealed. A sealed content with an owner file may or may not be
 * referred to. One without an owner file was about to be kept, and only the move was lost. The owner is in a
 * separate file so that a copy can be a hard link.
 */
final class ContentLayout {
    private static final int COPY_BUFFER_BYTES = 1 << 18;
    private static final int OWNER_BYTES_MAX = 1 << 20;

    private final ContentFileSystem files;
    private final LongPredicate dropped;

    /** Write-locked while the folder of a collection is moved away, so that no content is moved into it. */
    private final ReadWriteLock folders = new ReentrantReadWriteLock();

    ContentLayout(ContentFileSystem files, LongPredicate dropped) {
        this.files = files;
        this.dropped = dropped;
    }

    Output begin(ContentPath name) throws IOException {
        return files.create(name.part());
    }

    void seal(ContentPath name, Output output, byte[] owner) throws IOException {
        output.sync();
        output.close();
        writeOwner(name, owner);
        if (!files.move(name.part(), name.sealed())) {
            throw missing();
        }
        files.syncFolder(ContentPath.INCOMING);
    }

    private void writeOwner(ContentPath name, byte[] owner) throws IOException {
        try (Output output = files.create(name.owner())) {
            output.write(ByteBuffer.wrap(OwnerFile.encode(owner)));
            output.sync();
        }
    }

    /** Reads the owner of a sealed content; empty if the content was about to be kept. */
    Optional<byte[]> owner(ContentPath name) throws IOException {
        Optional<Input> found = files.open(name.owner());
        if (found.isEmpty()) {
            return Optional.empty();
        }
        try (Input input = found.get()) {
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(input.size(), OWNER_BYTES_MAX));
            input.read(0, bytes);
            return OwnerFile.decode(bytes.array());
        }
    }

    void keep(ContentPath name) throws IOException {
        folders.readLock().lock();
        try {
            if (dropped.test(name.collection())) {
                delete(name);
                return;
            }
            if (!files.move(name.sealed(), name.kept())
                    && files.changed(name.kept()).isEmpty()) {
                throw missing();
            }
        } finally {
            folders.readLock().unlock();
        }
        files.delete(name.owner());
    }

    Input open(ContentPath name) throws IOException {
        for (String path : paths(name)) {
            Optional<Input> found = files.open(path);
            if (found.isPresent()) {
                return found.get();
            }
        }
        throw missing();
    }

    /** The first path comes again at the end, because the content may have been kept between two attempts. */
    private static List<String> paths(ContentPath name) {
        return List.of(name.kept(), name.sealed(), name.kept());
    }

    void copy(ContentPath from, ContentPath to, byte[] owner) throws IOException {
        try {
            // Before the link, because recovery keeps a sealed content without an owner file.
            writeOwner(to, owner);
            for (String path : paths(from)) {
                if (files.link(path, to.sealed())) {
                    files.syncFolder(ContentPath.INCOMING);
                    return;
                }
            }
            copyBytes(from, to);
        } catch (IOException | RuntimeException | Error e) {
            discard(to);
            throw e;
        }
    }

    private void copyBytes(ContentPath from, ContentPath to) throws IOException {
        try (Input input = open(from);
                Output output = files.create(to.part())) {
            long size = input.size();
            ByteBuffer piece = ByteBuffer.allocate((int) Math.min(size, COPY_BUFFER_BYTES));
            for (long at = 0; at < size; at += piece.limit()) {
                piece.clear().limit((int) Math.min(size - at, piece.capacity()));
                input.read(at, piece);
                output.write(piece.flip());
            }
            output.sync();
        }
        if (!files.move(to.part(), to.sealed())) {
            throw missing();
        }
        files.syncFolder(ContentPath.INCOMING);
    }

    /** Deletes in the order of the steps, because the content may be kept concurrently. */
    void delete(ContentPath name) throws IOException {
        files.delete(name.part());
        files.delete(name.sealed());
        files.delete(name.kept());
        files.delete(name.owner());
    }

    /** Deletes a content that is not sealed, as far as possible; recovery deletes the rest at the next start. */
    void discard(ContentPath name) {
        try {
            files.delete(name.part());
            files.delete(name.sealed());
            files.delete(name.owner());
        } catch (IOException e) {
            // Often the same failure that the writer gets.
        }
    }

    void drop(long collection) throws IOException {
        String away = ContentPath.DROPPED + "/" + ContentPath.hex(collection) + "-" + UUID.randomUUID();
        folders.writeLock().lock();
        try {
            files.move(ContentPath.folder(collection), away);
        } finally {
            folders.writeLock().unlock();
        }
        files.deleteFolder(away);
        List<String> incoming = new ArrayList<>();
        files.list(ContentPath.INCOMING, incoming::add);
        for (String file : incoming) {
            Optional<ContentPath> name = ContentPath.ofIncoming(file);
            // Contents that are not sealed belong to writers, whose commits will be refused.
            if (name.isPresent()
                    && name.get().collection() == collection
                    && name.get().sealed().endsWith("/" + file)) {
                files.delete(name.get().sealed());
                files.delete(name.get().owner());
            }
        }
    }

    /** Deletes the folders of drops that a crash has interrupted. */
    void finishDrops() throws IOException {
        List<String> left = new ArrayList<>();
        files.list(ContentPath.DROPPED, left::add);
        for (String folder : left) {
            files.deleteFolder(ContentPath.DROPPED + "/" + folder);
        }
    }

    void names(long collection, Consumer<String> seen) throws IOException {
        String folder = ContentPath.folder(collection);
        List<String> parts = new ArrayList<>();
        files.list(folder, parts::add);
        for (String part : parts) {
            files.list(folder + "/" + part, seen);
        }
    }

    private static EngineException missing() {
        return new EngineException(EngineException.Kind.CORRUPT, "A content is missing.");
    }
}
