package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import dev.trestle.catalogue.Service;
import dev.trestle.server.admin.AccessLogConfig;
import dev.trestle.server.admin.AccessLogFormat;
import dev.trestle.server.auth.Sas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Keys, signatures and tokens never appear in logs, at any level, or in responses. */
class SecretsTest {
    private static final String SIGNATURE =
            Objects.requireNonNull(Sas.account().with("ss", "btq").signed().get("sig"));
    private static final String TOKEN = "eyJhbGciOiJSUzI1NiJ9.e30.dG9rZW4";
    private static final String WRONG = "d3Jvbmctc2lnbmF0dXJl";
    private static final String IN_AN_ID = "aW4tdGhlLWNsaWVudHMtb3duLWlk";
    private static final String DEVELOPMENT_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq";

    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.trestle");
    private final Level before = logger.getLevel();

    @BeforeEach
    void listen() {
        logged.start();
        logger.setLevel(Level.TRACE);
        logger.addAppender(logged);
    }

    @AfterEach
    void leave() {
        logger.detachAppender(logged);
        logger.setLevel(before);
    }

    @Test
    void no_secret_is_logged_or_answered(@TempDir Path folder) throws IOException {
        for (AccessLogFormat format : AccessLogFormat.values()) {
            Path file = folder.resolve(format.name());
            StringBuilder told = new StringBuilder();
            try (GuardedServer server = GuardedServer.withLog(new AccessLogConfig(format, Optional.of(file)))) {
                for (Service service : Service.values()) {
                    ask(server, service, told);
                }
            }
            String lines = Files.readString(file);
            assertThat(lines.lines().count()).isEqualTo(3 * 10);
            assertThat(lines).contains("sig=***").doesNotContain(IN_AN_ID);
            told.append(lines)
                    .append(logged.list.stream().map(SecretsTest::text).collect(Collectors.joining("\n")));
            assertThat(told.toString())
                    .doesNotContain(
                            SIGNATURE,
                            SIGNATURE.substring(0, 20),
                            GuardedServer.OTHER_KEY,
                            DEVELOPMENT_KEY,
                            TOKEN,
                            WRONG,
                            "dG9rZW4");
        }
    }

    private static String text(ILoggingEvent event) {
        return event.getFormattedMessage()
                + (event.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }

    /** Valid and invalid requests, with credentials in all places. */
    private static void ask(GuardedServer server, Service service, StringBuilder told) throws IOException {
        String owner = GuardedServer.owner();
        String path = "/devstoreaccount1/things";
        for (String target : List.of(
                path + "?" + owner,
                path + "?s%69g=" + WRONG + "&sv=2019-02-02",
                path + "?sv=none&sig=" + WRONG,
                path + "?timeout=x&" + owner,
                path + "()?$filter=sig%3D" + WRONG + "&" + owner)) {
            told.append(server.ask(service, "GET", target, ""));
        }
        String date = "x-ms-date: Mon, 02 Mar 2026 10:00:00 GMT";
        told.append(server.ask(service, "GET", path, "", "Authorization: SharedKey devstoreaccount1:" + WRONG, date));
        told.append(server.ask(
                service,
                "PUT",
                path + "/a?" + owner + "&s%69g=" + WRONG,
                "",
                "Authorization: SharedKey devstoreaccount1:" + WRONG,
                "x-ms-copy-source: http://127.0.0.1/devstoreaccount1/files/a?" + owner,
                date));
        told.append(server.ask(service, "GET", path, "", "Authorization: Bearer " + TOKEN, "x-ms-version: 2021-08-06"));
        told.append(server.ask(
                service,
                "PUT",
                path + "/a?" + owner,
                "x",
                "x-ms-copy-source: http://elsewhere.example/devstoreaccount1/files/a?" + owner,
                "x-ms-client-request-id: sig=" + IN_AN_ID));
        told.append(GuardedServer.answers(
                server.port(service), "GET " + path + "?" + owner + " HTTP/1.1\r\nHost: a\u0000b\r\n\r\n"));
    }
}
