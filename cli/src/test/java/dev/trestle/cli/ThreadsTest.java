package dev.trestle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.engine.Storage;
import dev.trestle.engine.files.LocalContentStore;
import dev.trestle.engine.rocksdb.RocksEngine;
import dev.trestle.engine.rocksdb.RocksEngineConfig;
import dev.trestle.server.BlobConfig;
import dev.trestle.server.ServerConfig;
import dev.trestle.server.TrestleServer;
import dev.trestle.server.admin.AccessLogConfig;
import dev.trestle.server.admin.AccessLogFormat;
import dev.trestle.server.admin.AdminConfig;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.http.HttpConfig;
import dev.trestle.server.sockets.SocketTransport;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every thread of a server has a line in ARCHITECTURE.md. */
class ThreadsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern THREAD = Pattern.compile("`([^`]+)`");
    private static final String ACCOUNT = "devstoreaccount1";
    private static final String KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    @TempDir
    private Path folder;

    private final Set<String> seen = new TreeSet<>();

    @Test
    void every_thread_of_a_server_under_load_is_documented() throws Exception {
        Set<String> before = names();
        RocksEngine engine = RocksEngine.open(RocksEngineConfig.at(folder), InstantSource.system());
        Storage storage = new Storage(engine, engine.telemetry(), () -> LocalContentStore.open(folder, false));
        ServerConfig config = new ServerConfig(
                "127.0.0.1",
                Map.of(Service.TABLE, 0, Service.QUEUE, 0, Service.BLOB, 0),
                Accounts.DEVELOPMENT,
                Optional.empty(),
                false,
                HttpConfig.DEFAULT,
                Optional.of(new AdminConfig("127.0.0.1", 0)),
                Optional.of(new AccessLogConfig(AccessLogFormat.TEXT, Optional.of(folder.resolve("access.log")))),
                Optional.empty(),
                BlobConfig.DEFAULT,
                SocketTransport.AUTO);
        try (engine;
                TrestleServer server = TrestleServer.start(config, storage)) {
            use(server);
        }
        seen.removeAll(before);
        // Started by the test runner, which watches its parent process.
        seen.remove("process reaper");
        List<Pattern> documented = documented();
        assertThat(seen)
                .allSatisfy(name -> assertThat(documented)
                        .as(name)
                        .anyMatch(pattern -> pattern.matcher(name).matches()));
        assertThat(seen)
                .anyMatch(name -> name.startsWith("vert.x-eventloop-thread-"))
                .anyMatch(name -> name.startsWith("trestle-scan-"))
                .anyMatch(name -> name.startsWith("trestle-content-"))
                .contains("trestle-committer", "trestle-access-log", "trestle-analytics");
    }

    @Test
    void every_documented_thread_of_trestle_exists() throws IOException {
        StringBuilder sources = new StringBuilder();
        try (Stream<Path> files = Files.walk(ROOT)) {
            for (Path file : files.filter(file -> file.toString().contains("/src/main/java/")
                            && file.toString().endsWith(".java"))
                    .toList()) {
                sources.append(Files.readString(file));
            }
        }
        assertThat(names(threadTable()))
                .filteredOn(name -> name.startsWith("trestle-"))
                .hasSizeGreaterThan(8)
                .allSatisfy(name -> assertThat(sources).contains("\"" + name.replace("-*", "") + "\""));
    }

    private void use(TrestleServer server) throws Exception {
        int tables = server.port(Service.TABLE);
        send(tables, "POST", "/" + ACCOUNT + "/Tables", "{\"TableName\":\"orders\"}");
        for (int i = 0; i < 150; i++) {
            String entity = "{\"PartitionKey\":\"p\",\"RowKey\":\"" + i + "\"}";
            assertThat(send(tables, "POST", "/" + ACCOUNT + "/orders", entity)).startsWith("HTTP/1.1 201");
        }
        // More rows than a scan may read on an event loop.
        assertThat(send(tables, "GET", "/" + ACCOUNT + "/orders()", "")).startsWith("HTTP/1.1 200");
        send(tables, "DELETE", "/" + ACCOUNT + "/Tables('orders')", "");
        int queues = server.port(Service.QUEUE);
        assertThat(send(queues, "PUT", "/" + ACCOUNT + "/jobs", "")).startsWith("HTTP/1.1 201");
        String message = "<QueueMessage><MessageText>m</MessageText></QueueMessage>";
        assertThat(send(queues, "POST", "/" + ACCOUNT + "/jobs/messages", message))
                .startsWith("HTTP/1.1 201");
        assertThat(send(queues, "GET", "/" + ACCOUNT + "/jobs/messages", "")).startsWith("HTTP/1.1 200");
        int blobs = server.port(Service.BLOB);
        assertThat(send(blobs, "PUT", "/" + ACCOUNT + "/files?restype=container", ""))
                .startsWith("HTTP/1.1 201");
        // Larger than the content of a row.
        String content = "x".repeat(1 << 20);
        assertThat(send(blobs, "PUT", "/" + ACCOUNT + "/files/b", content)).startsWith("HTTP/1.1 201");
        assertThat(send(blobs, "GET", "/" + ACCOUNT + "/files/b", "")).startsWith("HTTP/1.1 200");
        int admin = server.adminPort().orElseThrow();
        assertThat(send(admin, "GET", "/metrics", "")).startsWith("HTTP/1.1 200");
        assertThat(send(admin, "GET", "/health/ready", "")).startsWith("HTTP/1.1 200");
        assertThat(send(admin, "POST", "/scrub", "")).startsWith("HTTP/1.1 200");
    }

    private String send(int port, String method, String path, String body)
            throws IOException, GeneralSecurityException {
        String target = path.startsWith("/" + ACCOUNT) ? path + (path.contains("?") ? "&" : "?") + sas() : path;
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String head = method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nConnection: close\r\n"
                + "x-ms-version: 2021-12-02\r\nx-ms-blob-type: BlockBlob\r\nContent-Type: application/json\r\n"
                + "Content-Length: " + bytes.length + "\r\n\r\n";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            OutputStream out = socket.getOutputStream();
            out.write(head.getBytes(StandardCharsets.US_ASCII));
            out.write(bytes);
            out.flush();
            String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            seen.addAll(names());
            return response;
        }
    }

    /** An account SAS for everything. */
    private static String sas() throws GeneralSecurityException {
        String version = "2019-02-02";
        String permissions = "rwdlacup";
        String expiry = "2099-01-01T00:00:00Z";
        String text = String.join("\n", ACCOUNT, permissions, "btq", "sco", "", expiry, "", "https,http", version, "");
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(KEY), "HmacSHA256"));
        String signature = Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        return "sv=" + version + "&ss=btq&srt=sco&sp=" + permissions + "&se=" + expiry + "&spr=https,http&sig="
                + URLEncoder.encode(signature, StandardCharsets.UTF_8);
    }

    private static Set<String> names() {
        Set<String> names = new HashSet<>();
        Thread.getAllStackTraces().keySet().forEach(thread -> names.add(thread.getName()));
        return names;
    }

    private static List<Pattern> documented() throws IOException {
        return names(threadTable()).stream()
                .map(name -> Pattern.compile(Pattern.quote(name).replace("*", "\\E.*\\Q")))
                .toList();
    }

    /** The first cells of the table of threads. */
    private static List<String> threadTable() throws IOException {
        String page = Files.readString(ROOT.resolve("ARCHITECTURE.md"));
        String section = page.substring(page.indexOf("\n## Threads\n"));
        return section.lines()
                .filter(line -> line.startsWith("| "))
                .map(line -> line.split("\\|", -1)[1])
                .toList();
    }

    private static List<String> names(List<String> cells) {
        List<String> names = new ArrayList<>();
        for (String cell : cells) {
            Matcher matcher = THREAD.matcher(cell);
            while (matcher.find()) {
                names.add(matcher.group(1));
            }
        }
        return names;
    }
}
