package dev.trestle.engine.content;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32;

/** Codec of the file that names the owner of a content: format (1 byte), owner, CRC-32 of both (4 bytes). */
final class OwnerFile {
    private static final byte FORMAT = 1;
    private static final int OTHER_BYTES = 1 + Integer.BYTES;

    private OwnerFile() {}

    static byte[] encode(byte[] owner) {
        ByteBuffer file =
                ByteBuffer.allocate(owner.length + OTHER_BYTES).put(FORMAT).put(owner);
        return file.putInt(crc(file.array())).array();
    }

    /** Returns the owner; empty if the file is incomplete or damaged. */
    static Optional<byte[]> decode(byte[] file) {
        if (file.length < OTHER_BYTES
                || file[0] != FORMAT
                || ByteBuffer.wrap(file).getInt(file.length - Integer.BYTES) != crc(file)) {
            return Optional.empty();
        }
        return Optional.of(Arrays.copyOfRange(file, 1, file.length - Integer.BYTES));
    }

    private static int crc(byte[] file) {
        CRC32 crc = new CRC32();
        crc.update(file, 0, file.length - Integer.BYTES);
        return (int) crc.getValue();
    }
}
