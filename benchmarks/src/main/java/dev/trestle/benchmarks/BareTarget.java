package dev.trestle.benchmarks;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The bare loop's requests. */
record BareTarget(int port) implements Target {
    private static final byte[] NO_BODY = new byte[0];

    @Override
    public String name() {
        return "bare loop";
    }

    @Override
    public Call pointRead(int partition, int row) {
        return new Call("GET /row/" + key(partition, row) + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", NO_BODY, 200);
    }

    @Override
    public Call insert(int partition, int row) {
        byte[] body = Entities.json(partition, row).getBytes(StandardCharsets.UTF_8);
        return new Call(
                "POST /row/" + key(partition, row) + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: " + body.length
                        + "\r\n\r\n",
                body,
                204);
    }

    @Override
    public Call transaction(int partition, int firstRow, int rows) {
        ByteBuffer body = ByteBuffer.allocate(rows * 1024);
        for (int i = firstRow; i < firstRow + rows; i++) {
            byte[] key = key(partition, i).getBytes(StandardCharsets.UTF_8);
            byte[] value = Entities.json(partition, i).getBytes(StandardCharsets.UTF_8);
            body.putShort((short) key.length).put(key).putInt(value.length).put(value);
        }
        byte[] bytes = new byte[body.position()];
        body.flip().get(bytes);
        return new Call(
                "POST /rows HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: " + bytes.length + "\r\n\r\n", bytes, 204);
    }

    @Override
    public Call page(int partition) {
        return new Call("GET /scan/" + key(partition, 0) + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", NO_BODY, 200);
    }

    private static String key(int partition, int row) {
        return Entities.partitionKey(partition) + "," + Entities.rowKey(row);
    }
}
