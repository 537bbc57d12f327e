package dev.trestle.benchmarks.bare;

import io.netty.buffer.Unpooled;
import io.netty.channel.uring.IoUring;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.buffer.BufferInternal;
import io.vertx.core.transport.Transport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.DataBlockIndexType;
import org.rocksdb.Env;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SstFileManager;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;

/**
 * The baseline: Vert.x and RocksDB with the engine's settings and group commit, fixed routes, values stored as the text of
 * the response, without authentication, OData and validation.
 *
 * <pre>
 * GET  /row/KEY     the value
 * POST /row/KEY     stores the body, synced
 * POST /rows        stores many, synced: [key length (2) key value length (4) value]*
 * GET  /scan/N/KEY  N values from the key on
 * </pre>
 */
public final class BareLoop extends AbstractVerticle {
    private static final int ROW_BYTES = 700;
    private static final int QUEUED_MAX = 8192;
    private static final long MEMORY_BYTES = 512L << 20;
    private static final long MEMTABLE_BYTES = 64L << 20;
    private static final int MEMTABLES_MAX = 3;

    private final int port;
    private final RocksDB db;
    private final BlockingQueue<Pending> queue;

    private record Pending(byte[] body, byte[] key, Context context, Runnable done) {}

    private BareLoop(int port, RocksDB db, BlockingQueue<Pending> queue) {
        this.port = port;
        this.db = db;
        this.queue = queue;
    }

    /** Serves the data of a folder on a free port. */
    public static void main(String[] arguments) throws IOException, RocksDBException {
        RocksDB.loadLibrary();
        RocksDB db = RocksDB.open(options(), arguments[0]);
        BlockingQueue<Pending> queue = new ArrayBlockingQueue<>(QUEUED_MAX);
        Thread committer = new Thread(() -> commit(db, queue), "committer");
        committer.setDaemon(true);
        committer.start();
        int loops = Runtime.getRuntime().availableProcessors();
        Vertx vertx = Vertx.builder()
                .with(new VertxOptions().setEventLoopPoolSize(loops))
                .withTransport(transport())
                .build();
        int port = freePort();
        vertx.deployVerticle(() -> new BareLoop(port, db, queue), new DeploymentOptions().setInstances(loops))
                .onSuccess(id -> System.out.println("Ready at http://127.0.0.1:" + port))
                .onFailure(e -> {
                    System.err.println("The bare loop failed to start: " + e.getMessage());
                    System.exit(1);
                });
    }

    /** Returns the transport that the server chooses by default, as Vert.x has it. */
    static Transport transport() {
        if (IoUring.isAvailable() && IoUring.isRecvMultishotEnabled()) {
            return Transport.IO_URING;
        }
        return Transport.EPOLL.available() ? Transport.EPOLL : Transport.NIO;
    }

    /** Returns a port that all event loops share. */
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Returns the engine's options, so that only the code around RocksDB differs; a test compares them. */
    static Options options() throws RocksDBException {
        LRUCache cache = new LRUCache(MEMORY_BYTES, 2, false, 0.5);
        return new Options()
                .setCreateIfMissing(true)
                .setTableFormatConfig(new BlockBasedTableConfig()
                        .setBlockCache(cache)
                        .setBlockSize(16 * 1024)
                        .setFilterPolicy(new BloomFilter(10))
                        .setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash)
                        .setCacheIndexAndFilterBlocks(true)
                        .setCacheIndexAndFilterBlocksWithHighPriority(true)
                        .setPinL0FilterAndIndexBlocksInCache(true)
                        .setPinTopLevelIndexAndFilter(true))
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                .setCompressionPerLevel(List.of(CompressionType.NO_COMPRESSION, CompressionType.LZ4_COMPRESSION))
                .setWriteBufferManager(new WriteBufferManager(MEMTABLE_BYTES * MEMTABLES_MAX, cache))
                .setWriteBufferSize(MEMTABLE_BYTES)
                .setMaxWriteBufferNumber(MEMTABLES_MAX)
                .setMemtablePrefixBloomSizeRatio(0.02)
                .setMemtableWholeKeyFiltering(true)
                .setAllowConcurrentMemtableWrite(false)
                .setMaxBackgroundJobs(
                        Math.max(2, Math.min(8, Runtime.getRuntime().availableProcessors())))
                .setMaxOpenFiles(1024)
                .setBytesPerSync(1 << 20)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setKeepLogFileNum(2)
                .setMaxLogFileSize(1 << 20)
                .setStatsDumpPeriodSec(0)
                .setStatsPersistPeriodSec(0)
                .setSstFileManager(new SstFileManager(Env.getDefault(), null, 128L << 20, 1.0, 1 << 20));
    }

    @Override
    public void start(Promise<Void> started) {
        vertx.createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(port))
                .requestHandler(this::handle)
                .listen()
                .<Void>mapEmpty()
                .onComplete(started);
    }

    private void handle(HttpServerRequest request) {
        String uri = request.uri();
        if (request.method().name().equals("GET")) {
            try {
                request.response().end(uri.startsWith("/scan/") ? scan(uri.substring(6)) : get(uri.substring(5)));
            } catch (RocksDBException e) {
                request.response().setStatusCode(500).end();
            }
            return;
        }
        Context context = vertx.getOrCreateContext();
        byte[] key = uri.startsWith("/row/") ? bytes(uri.substring(5)) : new byte[0];
        request.bodyHandler(body -> {
            Runnable done = () -> request.response().setStatusCode(204).end();
            if (!queue.offer(new Pending(body.getBytes(), key, context, done))) {
                request.response().setStatusCode(503).end();
            }
        });
    }

    private Buffer get(String key) throws RocksDBException {
        byte[] value = db.get(bytes(key));
        return BufferInternal.buffer(Unpooled.wrappedBuffer(value == null ? new byte[0] : value));
    }

    private Buffer scan(String rowsAndKey) {
        int slash = rowsAndKey.indexOf('/');
        int rowsMax = Integer.parseInt(rowsAndKey.substring(0, slash));
        ByteArrayOutputStream page = new ByteArrayOutputStream(rowsMax * ROW_BYTES);
        try (ReadOptions options = new ReadOptions();
                RocksIterator rows = db.newIterator(options)) {
            rows.seek(bytes(rowsAndKey.substring(slash + 1)));
            for (int i = 0; i < rowsMax && rows.isValid(); i++) {
                byte[] value = rows.value();
                page.write(value, 0, value.length);
                rows.next();
            }
        }
        return BufferInternal.buffer(Unpooled.wrappedBuffer(page.toByteArray()));
    }

    private static void commit(RocksDB db, BlockingQueue<Pending> queue) {
        List<Pending> group = new ArrayList<>();
        try (WriteOptions synced = new WriteOptions().setSync(true)) {
            while (true) {
                group.add(queue.take());
                queue.drainTo(group);
                try (WriteBatch batch = new WriteBatch()) {
                    for (Pending pending : group) {
                        stage(db, pending, batch);
                    }
                    db.write(synced, batch);
                }
                for (Pending pending : group) {
                    pending.context.runOnContext(hop -> pending.done.run());
                }
                group.clear();
            }
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Adds inserts to the batch whose keys do not exist. */
    private static void stage(RocksDB db, Pending pending, WriteBatch batch) throws RocksDBException {
        if (pending.key.length > 0) {
            if (db.get(pending.key) == null) {
                batch.put(pending.key, pending.body);
            }
            return;
        }
        ByteBuffer rows = ByteBuffer.wrap(pending.body);
        while (rows.hasRemaining()) {
            byte[] key = new byte[rows.getShort()];
            rows.get(key);
            byte[] value = new byte[rows.getInt()];
            rows.get(value);
            if (db.get(key) == null) {
                batch.put(key, value);
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
