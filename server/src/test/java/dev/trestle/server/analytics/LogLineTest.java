package dev.trestle.server.analytics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.model.StorageError;
import dev.trestle.server.pipeline.Operations;
import dev.trestle.server.pipeline.RequestDetails.Credentials;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogLineTest {
    private static final Instant STARTED = Instant.parse("2026-03-02T10:15:30.123456700Z");

    private static String line(Requests request) {
        return LogLine.of(request.made(), STARTED);
    }

    private static List<String> fields(Requests request) {
        return LogFields.of(line(request).stripTrailing());
    }

    @Test
    void a_line_has_the_documented_fields_in_their_order() {
        String line = line(Requests.query()
                .sending(15_000_000)
                .header("x-ms-version", "2019-02-02")
                .header("User-Agent", "test/1.0 (a; b)")
                .header("If-Match", "W/\"1\"")
                .header("x-ms-client-request-id", "mine")
                .answered("ETag", "\"0x8D\"")
                .answered("Last-Modified", "Tue, 09 Aug 2011 21:13:26 GMT"));
        assertThat(line)
                .isEqualTo("1.0;2026-03-02T10:15:30.1234567Z;QueryEntities;Success;200;40;25;authenticated;"
                        + "devstoreaccount1;devstoreaccount1;table;"
                        + "\"http://127.0.0.1:10002/devstoreaccount1/orders()\";\"/devstoreaccount1/orders()\";"
                        + "00000000-0000-0000-0000-000000000001;0;192.0.2.7:4362;2019-02-02;200;100;300;1000;100;;;"
                        + "\"&quot;0x8D&quot;\";Tuesday, 09-Aug-11 21:13:26 GMT;\"If-Match=W/&quot;1&quot;\";"
                        + "\"test/1.0 (a; b)\";;\"mine\"\n");
        assertThat(LogFields.of(line)).hasSize(30);
    }

    @Test
    void what_a_client_writes_never_ends_a_field_or_a_line() {
        List<String> fields = fields(Requests.query()
                .header("User-Agent", "a;b\"c\nd\re<f>&'g")
                .header("Referer", "http://x/;\";")
                .header("x-ms-version", "1;2;3")
                .header("Content-Length", "7;8"));
        assertThat(fields).hasSize(30);
        assertThat(fields.get(27)).isEqualTo("a;b&quot;c&#10;d&#13;e&lt;f&gt;&amp;&#39;g");
        assertThat(fields.get(28)).isEqualTo("http://x/;&quot;;");
        assertThat(fields.get(16)).isEmpty();
        assertThat(fields.get(21)).isEqualTo("100");
    }

    @Test
    void signatures_are_not_shown_however_they_are_written() {
        assertThat(fields(Requests.query().url("http://h/a?sv=1&sig=se%2Bcret&x=1"))
                        .get(11))
                .isEqualTo("http://h/a?sv=1&amp;sig=XXXXX&amp;x=1");
        assertThat(line(Requests.query().url("http://h/a?s%69g=secret"))).doesNotContain("secret");
        assertThat(line(Requests.query().header("Referer", "http://h/?sig%3Dsecret")))
                .doesNotContain("secret");
    }

    @Test
    void long_text_is_cut() {
        assertThat(line(Requests.query().header("User-Agent", "x".repeat(100_000)))
                        .length())
                .isLessThan(2000);
    }

    @Test
    void the_status_tells_who_asked() {
        assertThat(status(Requests.query().by(Credentials.SHARED_ACCESS_SIGNATURE)))
                .isEqualTo("SASSuccess");
        assertThat(status(Requests.query().by(Credentials.ANONYMOUS))).isEqualTo("AnonymousSuccess");
        assertThat(status(Requests.query().by(Credentials.BEARER))).isEqualTo("OAuthSuccess");
        assertThat(status(Requests.query().failed(StorageError.SERVER_BUSY))).isEqualTo("ThrottlingError");
        assertThat(status(Requests.query()
                        .by(Credentials.SHARED_ACCESS_SIGNATURE)
                        .failed(StorageError.AUTHENTICATION_FAILED)))
                .isEqualTo("SASAuthorizationError");
        assertThat(status(Requests.query().failed(StorageError.OPERATION_TIMED_OUT)))
                .isEqualTo("ServerTimeoutError");
        assertThat(status(Requests.query().url("http://h/a?timeout=1").failed(StorageError.OPERATION_TIMED_OUT)))
                .isEqualTo("ClientTimeoutError");
        assertThat(status(Requests.query().failed(StorageError.INTERNAL_ERROR))).isEqualTo("ServerOtherError");
        assertThat(status(Requests.query().status(499))).isEqualTo("NetworkError");
    }

    @Test
    void the_error_itself_is_told_from_2017_on() {
        assertThat(status(Requests.query().failed(StorageError.TABLE_NOT_FOUND)))
                .isEqualTo("ClientOtherError");
        assertThat(status(Requests.query().header("x-ms-version", "2017-04-17").failed(StorageError.TABLE_NOT_FOUND)))
                .isEqualTo("TableNotFound");
    }

    private static String status(Requests request) {
        return fields(request).get(3);
    }

    @Test
    void operations_have_the_names_of_the_documentation() {
        assertThat(operation(Requests.of(Service.TABLE, Operations.of(Service.TABLE, "GetEntity"))))
                .isEqualTo("QueryEntity");
        assertThat(operation(Requests.of(Service.QUEUE, Operations.of(Service.QUEUE, "GetServiceProperties"))))
                .isEqualTo("GetQueueServiceProperties");
        assertThat(operation(Requests.of(Service.BLOB, Operations.of(Service.BLOB, "PreflightRequest"))))
                .isEqualTo("BlobPreflightRequest");
        assertThat(operation(Requests.of(Service.BLOB, Operations.of(Service.BLOB, "LeaseBlob"))
                        .header("x-ms-lease-action", "renew")))
                .isEqualTo("RenewBlobLease");
        assertThat(operation(Requests.of(Service.BLOB, Operations.of(Service.BLOB, "LeaseBlob"))
                        .header("x-ms-lease-action", ";\n")))
                .isEqualTo("LeaseBlob");
    }

    private static String operation(Requests request) {
        return fields(request).get(2);
    }

    @Test
    void every_operation_is_of_a_kind() {
        assertThat(RequestKind.of(Requests.query().made())).isEqualTo(RequestKind.READ);
        assertThat(RequestKind.of(Requests.of(Service.TABLE, Operations.of(Service.TABLE, "Unknown"))
                        .made()))
                .isEqualTo(RequestKind.READ);
        assertThat(RequestKind.of(Requests.of(Service.TABLE, Operations.of(Service.TABLE, "EntityGroupTransaction"))
                        .made()))
                .isEqualTo(RequestKind.WRITE);
        assertThat(RequestKind.of(Requests.of(Service.QUEUE, Operations.of(Service.QUEUE, "ClearMessages"))
                        .made()))
                .isEqualTo(RequestKind.DELETE);
    }

    @Test
    void names_are_found_by_their_hour() {
        String prefix = LogName.prefix(Service.QUEUE, Instant.parse("2014-07-31T18:00:00Z"));
        assertThat(LogName.of(prefix, 1)).isEqualTo("queue/2014/07/31/1800/000001.log");
        assertThat(LogName.number("queue/2014/07/31/1800/000012.log")).hasValue(12);
        assertThat(LogName.number("queue/2014/07/31/1800/note.txt")).isEmpty();
    }
}
