package dev.trestle.engine.rocksdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves away the tail of a write-ahead log that RocksDB would try to read forever. A log is a sequence of records
 * in blocks of 32 KiB:
 *
 * <pre>checksum (4) | length (2) | type (1) | payload</pre>
 *
 * <p>RocksDB stops reading at the first damaged record, which may be the last one after a power failure. But
 * RocksDB 11.8 may loop on a record whose type belongs to a feature that is not used here, such as compressed or
 * recycled logs.
 */
final class WalTailRepair {
    private static final Logger LOG = LoggerFactory.getLogger(WalTailRepair.class);
    private static final int BLOCK_BYTES = 32 * 1024;
    private static final int HEADER_BYTES = 7;

    /** Types of whole records and of fragments; 0 in preallocated space. */
    private static final int TYPE_MAX = 4;

    private static final int MASK = 0xa282ead8;

    private WalTailRepair() {}

    /** Repairs all logs in the folder of the rows, before RocksDB opens it. */
    static void repair(Path rows) {
        if (!Files.isDirectory(rows)) {
            return;
        }
        try (Stream<Path> files = Files.list(rows)) {
            List<Path> logs =
                    files.filter(file -> file.toString().endsWith(".log")).toList();
            for (Path log : logs) {
                OptionalLong end = unreadableFrom(log);
                if (end.isPresent()) {
                    moveTail(log, end.getAsLong());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the offset of the first record with an unknown type, unless a damaged record precedes it. */
    private static OptionalLong unreadableFrom(Path log) throws IOException {
        try (FileChannel file = FileChannel.open(log, StandardOpenOption.READ)) {
            ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
            for (long start = 0; readBlock(file, block, start); start += BLOCK_BYTES) {
                while (block.remaining() >= HEADER_BYTES) {
                    int at = block.position();
                    int length = block.getShort(at + 4) & 0xFFFF;
                    if ((block.get(at + 6) & 0xFF) > TYPE_MAX) {
                        return OptionalLong.of(start + at);
                    }
                    if (HEADER_BYTES + length > block.remaining()
                            || checksum(block.array(), at + 6, 1 + length) != block.getInt(at)) {
                        return OptionalLong.empty();
                    }
                    block.position(at + HEADER_BYTES + length);
                }
            }
            return OptionalLong.empty();
        }
    }

    private static boolean readBlock(FileChannel file, ByteBuffer block, long start) throws IOException {
        block.clear();
        while (block.hasRemaining() && file.read(block, start + block.position()) >= 0) {
            // Until the block is full or the file ends.
        }
        block.flip();
        return block.hasRemaining();
    }

    private static int checksum(byte[] bytes, int offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, offset, length);
        return Integer.rotateRight((int) crc.getValue(), 15) + MASK;
    }

    private static void moveTail(Path log, long from) throws IOException {
        Path moved = log.resolveSibling(log.getFileName() + ".unreadable");
        try (FileChannel file = FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE);
                FileChannel copy = FileChannel.open(
                        moved,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING)) {
            long bytes = file.size() - from;
            for (long done = 0; done < bytes; ) {
                done += file.transferTo(from + done, bytes - done, copy);
            }
            copy.force(true);
            file.truncate(from);
            file.force(true);
            LOG.error(
                    "The end of the write-ahead log is unreadable, as after a power failure. All earlier writes are recovered;"
                            + " the rest was moved away: log={} bytes={} moved={}",
                    log,
                    bytes,
                    moved);
        }
    }
}
