package dev.trestle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.blob.AccessConditions;
import dev.trestle.blob.BlobAddress;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.ContentHeaders;
import dev.trestle.blob.NewBlob;
import dev.trestle.blob.Upload;
import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.Service;
import dev.trestle.engine.ContentStore;
import dev.trestle.engine.EngineTelemetry;
import dev.trestle.engine.Storage;
import dev.trestle.engine.files.LocalContentStore;
import dev.trestle.model.BlobName;
import dev.trestle.model.ContainerName;
import dev.trestle.model.PublicAccess;
import dev.trestle.server.BlobConfig;
import dev.trestle.server.ServerConfig;
import dev.trestle.server.TrestleServer;
import dev.trestle.server.admin.AdminConfig;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.http.HttpConfig;
import dev.trestle.server.sockets.SocketTransport;
import dev.trestle.testkit.ModelEngine;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What readers get of a blob of whose content a bit has changed. */
class DamagedContentTest {
    private static final String ACCOUNT = "devstoreaccount1";
    private static final ContainerName PICTURES = new ContainerName("pictures");
    private static final InstantSource CLOCK = InstantSource.system();

    /** Read before the response begins. */
    private static final int SHORT = 300_000;

    /** Longer than what is read before the response begins. */
    private static final int LONG = 9 << 20;

    private final HttpClient client = HttpClient.newHttpClient();
    private final ModelEngine engine = new ModelEngine(CLOCK);

    @TempDir
    private Path folder;

    private ContentStore store;
    private BlobService blobs;
    private TrestleServer server;

    @BeforeEach
    void start() {
        store = LocalContentStore.open(folder, false);
        Catalogue catalogue = new Catalogue(Service.BLOB, engine, CLOCK, new Random(7)).with(store);
        blobs = new BlobService(engine, store, catalogue, CLOCK, new Random(8), trouble -> {});
        await(blobs.containers().create(ACCOUNT, PICTURES, Map.of(), PublicAccess.CONTAINER));
        server = TrestleServer.start(
                new ServerConfig(
                        "127.0.0.1",
                        Map.of(Service.BLOB, 0),
                        Accounts.DEVELOPMENT,
                        Optional.empty(),
                        false,
                        HttpConfig.DEFAULT,
                        Optional.of(new AdminConfig("127.0.0.1", 0)),
                        Optional.empty(),
                        Optional.empty(),
                        new BlobConfig(true, Duration.ZERO),
                        SocketTransport.AUTO),
                new Storage(engine, EngineTelemetry.NONE, () -> store));
    }

    @AfterEach
    void stop() {
        server.close();
        engine.close();
    }

    private static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    /** Puts a blob of one part. */
    private byte[] put(int length) {
        BlobAddress address = new BlobAddress(ACCOUNT, PICTURES, new BlobName("summer"));
        NewBlob made = new NewBlob(ContentHeaders.NONE, Map.of(), Optional.empty(), AccessConditions.NONE, true);
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        Upload upload = await(blobs.upload(address));
        await(upload.write(ByteBuffer.wrap(bytes)));
        await(blobs.blocks().put(address, made, await(upload.finish())));
        return bytes;
    }

    private List<Path> contents() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("content"))) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    private void flipBit() throws IOException {
        // A content is kept, and moved for that, soon after its blob was made.
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        List<Path> contents = contents();
        while (contents.size() != 1) {
            assertThat(System.nanoTime() - deadline).as("%s", contents).isNegative();
            contents = contents();
        }
        try (RandomAccessFile file = new RandomAccessFile(contents.get(0).toFile(), "rw")) {
            file.seek(SHORT / 2);
            int old = file.read();
            file.seek(SHORT / 2);
            file.write(old ^ 1);
        }
    }

    private HttpResponse<byte[]> get(String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.port(Service.BLOB) + "/" + ACCOUNT + "/pictures/summer"));
        request.header("x-ms-version", "2021-12-02");
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofByteArray());
    }

    private void assertServed(byte[] bytes) throws Exception {
        HttpResponse<byte[]> response = get();
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo(bytes);
    }

    private static void assertRefused(HttpResponse<byte[]> response) {
        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.headers().firstValue("x-ms-error-code")).contains("InternalError");
    }

    private String metrics() throws Exception {
        URI admin = URI.create("http://127.0.0.1:" + server.adminPort().orElseThrow() + "/metrics");
        return client.send(HttpRequest.newBuilder(admin).build(), BodyHandlers.ofString())
                .body();
    }

    @Test
    void a_short_content_is_refused_before_the_response_begins_and_counted() throws Exception {
        byte[] bytes = put(SHORT);
        flipBit();
        assertRefused(get());
        assertRefused(get("Range", "bytes=0-99999"));
        assertThat(metrics()).contains("trestle_blob_damaged_reads_total 2.0");
        flipBit();
        assertServed(bytes);
        assertServed(bytes);
        assertThat(metrics()).contains("trestle_blob_damaged_reads_total 2.0");
    }

    @Test
    void a_content_that_was_sound_and_is_written_to_is_verified_again() throws Exception {
        byte[] bytes = put(SHORT);
        assertServed(bytes);
        assertServed(bytes);
        flipBit();
        assertRefused(get());
    }

    @Test
    void the_response_of_a_long_content_is_cut_before_its_end() throws Exception {
        byte[] bytes = put(LONG);
        flipBit();
        assertThatThrownBy(this::get).isInstanceOf(IOException.class);
        assertThatThrownBy(this::get).isInstanceOf(IOException.class);
        assertThat(metrics()).contains("trestle_blob_damaged_reads_total 2.0");
        flipBit();
        assertServed(bytes);
        assertServed(bytes);
    }
}
