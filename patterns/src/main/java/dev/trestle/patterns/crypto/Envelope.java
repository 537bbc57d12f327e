package dev.trestle.patterns.crypto;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The metadata stored with encrypted properties: a format version, the id of the key encryption key, the wrapped content key, and
 * the names of the encrypted properties.
 */
record Envelope(String keyId, byte[] wrappedKey, List<String> properties) {
    static final String PROPERTY = "EncryptionEnvelope";

    private static final int VERSION = 1;

    byte[] toBytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeUTF(keyId);
            out.writeShort(wrappedKey.length);
            out.write(wrappedKey);
            out.writeShort(properties.size());
            for (String property : properties) {
                out.writeUTF(property);
            }
        } catch (IOException e) {
            throw new EncryptionException("The envelope cannot be written", e);
        }
        return bytes.toByteArray();
    }

    static Envelope of(Object stored) {
        if (!(stored instanceof byte[] bytes)) {
            throw new EncryptionException("The property " + PROPERTY + " is not binary");
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int version = in.readUnsignedByte();
            if (version != VERSION) {
                throw new EncryptionException("The envelope is of the unsupported version " + version);
            }
            String keyId = in.readUTF();
            byte[] wrapped = in.readNBytes(in.readUnsignedShort());
            List<String> properties = new ArrayList<>();
            for (int left = in.readUnsignedShort(); left > 0; left--) {
                properties.add(in.readUTF());
            }
            return new Envelope(keyId, wrapped, properties);
        } catch (IOException e) {
            throw new EncryptionException("The envelope is damaged", e);
        }
    }
}
