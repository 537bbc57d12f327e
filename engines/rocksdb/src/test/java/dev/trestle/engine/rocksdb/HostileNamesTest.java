package dev.trestle.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.blob.AccessConditions;
import dev.trestle.blob.BlobAddress;
import dev.trestle.blob.BlobReader;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.ContentHeaders;
import dev.trestle.blob.NewBlob;
import dev.trestle.blob.StagedContent;
import dev.trestle.blob.Upload;
import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.Service;
import dev.trestle.engine.ContentStore;
import dev.trestle.engine.Engine;
import dev.trestle.engine.files.LocalContentStore;
import dev.trestle.model.BlobName;
import dev.trestle.model.ContainerName;
import dev.trestle.model.PublicAccess;
import dev.trestle.model.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names that mean something to a file system mean nothing here. */
class HostileNamesTest {
    private static final ContainerName CONTAINER = new ContainerName("logs");
    private static final int LARGE_BYTES = 40_000;
    private static final List<String> NAMES = List.of(
            "..",
            "../../escaped",
            "/etc/escaped",
            "..\\..\\escaped",
            "con",
            "nul.txt",
            "a/../../../../escaped",
            "\u2024\u2024/escaped",
            "\uFF0E\uFF0E\uFF0Fescaped",
            "%2e%2e%2fescaped",
            "escaped:stream",
            "escaped\u0000.txt",
            "x".repeat(1024),
            "/".repeat(200),
            " ",
            ".",
            "CURRENT",
            "LOCK");

    @TempDir
    private Path outside;

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .toList();
        }
    }

    @Test
    void no_name_of_a_blob_becomes_the_name_of_a_file() throws Exception {
        Path data = Files.createDirectories(outside.resolve("a/b/data"));
        Random random = new Random(1);
        int stored = 0;
        try (Engine engine = RocksEngine.open(RocksEngineConfig.at(data), InstantSource.system());
                ContentStore store = LocalContentStore.open(data, false)) {
            Catalogue catalogue = new Catalogue(Service.BLOB, engine, InstantSource.system(), random).with(store);
            BlobService blobs =
                    new BlobService(engine, store, catalogue, InstantSource.system(), random, failure -> {});
            await(blobs.containers().create("acct1", CONTAINER, Map.of(), PublicAccess.NONE));
            for (String name : NAMES) {
                BlobAddress address;
                try {
                    address = new BlobAddress("acct1", CONTAINER, new BlobName(name));
                } catch (StorageException e) {
                    assertThat(e.error().status()).isEqualTo(400);
                    continue;
                }
                byte[] bytes = new byte[LARGE_BYTES];
                random.nextBytes(bytes);
                Upload upload = await(blobs.upload(address));
                await(upload.write(ByteBuffer.wrap(bytes)));
                StagedContent staged = await(upload.finish());
                await(blobs.blocks()
                        .put(
                                address,
                                new NewBlob(
                                        ContentHeaders.NONE, Map.of(), Optional.empty(), AccessConditions.NONE, true),
                                staged));
                stored++;
                try (BlobReader reader = await(blobs.open(
                                address,
                                OptionalLong.empty(),
                                AccessConditions.NONE,
                                blob -> new BlobService.Range(0, blob.length())))
                        .reader()) {
                    ByteBuffer into = ByteBuffer.allocate(LARGE_BYTES);
                    while (await(reader.read(into)) > 0) {
                        assertThat(into.position()).isPositive();
                    }
                    assertThat(into.array()).isEqualTo(bytes);
                }
            }
        }
        assertThat(stored).isEqualTo(NAMES.size() - 1);
        assertThat(files(outside)).allMatch(file -> file.startsWith("a/b/data/"));
        assertThat(files(outside)).noneMatch(file -> file.contains("escaped"));
        assertThat(files(data.resolve("content"))).hasSize(stored).allMatch(file -> file.matches("[0-9a-z/-]+"));
    }
}
