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
 * Sets aside what RocksDB would read for ever. A write-ahead log is a chain of records in blocks of 32 KiB,
 *
 * <pre>checksum (4) | length (2) | type (1) | payload</pre>
 *
 * <p>and reading ends at the first record that is damaged, as the last may be after a loss of power. But bytes with a type
 * that belongs to features not used here, such as logs that are compressed or used again, RocksDB 11.8 may try over and over.
 */
final class WalTailRepair {
    private static final Logger LOG = LoggerFactory.getLogger(WalTailRepair.class);
    private static final int BLOCK_BYTES = 32 * 1024;
    private static final int HEADER_BYTES = 7;

    /** Whole records and the parts of those that go across blocks; zero where a file was made longer in advance. */
    private static final int TYPE_MAX = 4;

    private static final int MASK = 0xa282ead8;

    private WalTailRepair() {}

    /** Looks at all logs in the folder of the rows, before it is opened. */
    static void setAsideUnreadable(Path rows) {
        if (!Files.isDirectory(rows)) {
            return;
        }
        try (Stream<Path> files = Files.list(rows)) {
            List<Path> logs =
                    files.filter(file -> file.toString().endsWith(".log")).toList();
            for (Path log : logs) {
                OptionalLong end = unreadableFrom(log);
                if (end.isPresent()) {
                    setAside(log, end.getAsLong());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where the first record begins that nobody here has written, if no damage before it ends the reading anyway. */
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

    private static void setAside(Path log, long from) throws IOException {
        Path aside = log.resolveSibling(log.getFileName() + ".unreadable");
        try (FileChannel file = FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE);
                FileChannel copy = FileChannel.open(
                        aside,
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
                    "The last {} bytes of the write-ahead log {} cannot be read, as after a loss of power. What was written"
                            + " before them is there; they were moved to {}",
                    bytes,
                    log,
                    aside);
        }
    }
}
