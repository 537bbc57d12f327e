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
 * Where contents lie and the steps by which they get there, each of which may take its time. The order within a step is
 * what makes a stop at any moment harmless:
 *
 * <ol>
 *   <li>The bytes of a content go to {@code incoming/<content>.part}.
 *   <li>To seal it, they are made durable, then {@code incoming/<content>.owner}, and then the end of the name, {@code
 *       .part}, is taken off, and the names are made durable.
 *   <li>To keep it, it is moved to {@code content/}, and then its owner's file is deleted. Neither is waited for: a
 *       move that a loss of power undoes is done again at the next start.
 * </ol>
 *
 * <p>So a {@code .part} was never sealed; a sealed one with an owner's file may or may not be referred to; and one without
 * was about to be kept, and only the move was lost. An owner is not within the content's own file, so that a copy can be
 * a second name of the same file.
 */
final class ContentLayout {
    private static final int COPIED_AT_ONCE = 1 << 18;
    private static final int OWNER_BYTES_MAX = 1 << 20;

    private final ContentFileSystem files;
    private final LongPredicate dropped;

    /** Held for writing while a collection's folder is moved away, so that none is made anew just after. */
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

    /** Who is to refer to a sealed content; empty when nobody has to be asked any more. */
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
        for (String path : places(name)) {
            Optional<Input> found = files.open(path);
            if (found.isPresent()) {
                return found.get();
            }
        }
        throw missing();
    }

    /** The first place again at the end, because the content may have been kept between two looks. */
    private static List<String> places(ContentPath name) {
        return List.of(name.kept(), name.sealed(), name.kept());
    }

    void copy(ContentPath from, ContentPath to, byte[] owner) throws IOException {
        try {
            // Before the second name, which without an owner would be taken for one that was about to be kept.
            writeOwner(to, owner);
            for (String path : places(from)) {
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
            ByteBuffer piece = ByteBuffer.allocate((int) Math.min(size, COPIED_AT_ONCE));
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

    /** In the order of the places a content comes through: it may be kept at this moment, and must not slip by. */
    void delete(ContentPath name) throws IOException {
        files.delete(name.part());
        files.delete(name.sealed());
        files.delete(name.kept());
        files.delete(name.owner());
    }

    /** Deletes what has not been sealed, as far as that can be done now; the rest is found at the next start. */
    void discard(ContentPath name) {
        try {
            files.delete(name.part());
            files.delete(name.sealed());
            files.delete(name.owner());
        } catch (IOException e) {
            // Often the very reason why the content is given up; whoever writes it is told that.
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
            // One that is not sealed is somebody's who is about to seal it, and who will be told to give it up.
            if (name.isPresent()
                    && name.get().collection() == collection
                    && name.get().sealed().endsWith("/" + file)) {
                files.delete(name.get().sealed());
                files.delete(name.get().owner());
            }
        }
    }

    /** Goes on with what was dropped when the process ended. */
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
