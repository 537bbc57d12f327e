package dev.trestle.server.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.trestle.blob.AccessConditions;
import dev.trestle.blob.Conditions;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import dev.trestle.server.pipeline.FakeHttp;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlobConditionsTest {
    private static final String DATE = "Fri, 31 Jul 2026 18:00:00 GMT";
    private static final long TICKS = Ticks.of(Instant.parse("2026-07-31T18:00:00Z"));

    private final FakeHttp http = new FakeHttp("PUT", "/acct/c/b");

    private static StorageError errorOf(Runnable call) {
        return catchThrowableOfType(StorageException.class, call::run).error();
    }

    @Test
    void without_headers_there_is_no_condition() {
        assertThat(BlobConditions.ofReader(http.request())).isEqualTo(AccessConditions.NONE);
        assertThat(BlobConditions.ofWriter(http.request())).isEqualTo(AccessConditions.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"0x8D\"", "0x8D", "W/\"0x8D\"", " \"0x8D\" "})
    void an_etag_comes_with_quotes_or_without(String tag) {
        assertThat(BlobConditions.ofWriter(http.header("If-Match", tag).request())
                        .conditions()
                        .ifMatch())
                .containsExactly("0x8D");
    }

    @Test
    void a_reader_may_name_several_etags_and_a_writer_one() {
        http.header("If-None-Match", "\"0x1\", \"0x2\"");
        assertThat(BlobConditions.ofReader(http.request()).conditions().ifNoneMatch())
                .containsExactly("0x1", "0x2");
        assertThat(errorOf(() -> BlobConditions.ofWriter(http.request())))
                .isEqualTo(StorageError.MULTIPLE_CONDITION_HEADERS_NOT_SUPPORTED);
    }

    @Test
    void a_writer_wants_the_old_or_the_new_and_not_both() {
        http.header("If-Match", "\"0x1\"").header("If-Unmodified-Since", DATE);
        assertThat(BlobConditions.ofWriter(http.request()).conditions())
                .isEqualTo(new Conditions(List.of("0x1"), List.of(), OptionalLong.empty(), OptionalLong.of(TICKS)));
        http.header("If-None-Match", "*");
        assertThat(errorOf(() -> BlobConditions.ofWriter(http.request())))
                .isEqualTo(StorageError.MULTIPLE_CONDITION_HEADERS_NOT_SUPPORTED);
        assertThat(BlobConditions.ofReader(http.request()).conditions().ifNoneMatch())
                .containsExactly(Conditions.ANY);
    }

    @Test
    void a_time_has_to_be_one() {
        assertThat(errorOf(() -> BlobConditions.ofReader(
                        http.header("If-Modified-Since", "yesterday").request())))
                .isEqualTo(StorageError.INVALID_HEADER_VALUE);
    }

    @Test
    void a_lease_id_is_a_guid() {
        UUID id = new UUID(1, 2);
        assertThat(BlobConditions.ofReader(
                                http.header("x-ms-lease-id", id.toString()).request())
                        .lease())
                .contains(id);
        assertThat(BlobConditions.lease(http.header("x-ms-lease-id", " ").request()))
                .isEqualTo(Optional.empty());
        for (String bad : List.of("1-2-3-4-5", "x", id + "0", "{" + id, "{" + id + ")", id + "}", "{{" + id + "}}")) {
            assertThat(errorOf(() -> BlobConditions.lease(
                            http.header("x-ms-lease-id", bad).request())))
                    .isEqualTo(StorageError.INVALID_HEADER_VALUE);
        }
    }

    @Test
    void a_lease_id_is_read_in_every_form_that_dotnet_writes() {
        UUID id = UUID.fromString("f81d4fae-7dec-11d0-a765-00a0c91e6bf6");
        String digits = id.toString().replace("-", "");
        for (String form :
                List.of(id.toString(), digits, digits.toUpperCase(Locale.ROOT), "{" + id + "}", "(" + id + ")")) {
            assertThat(BlobConditions.guid(form)).contains(id);
        }
        assertThat(BlobConditions.guid("{" + digits + "}")).isEmpty();
    }

    @Test
    void conditions_on_a_source_have_headers_of_their_own() {
        UUID lease = new UUID(1, 2);
        http.header("If-Match", "\"0x1\"").header("x-ms-source-if-none-match", "\"0x2\"");
        http.header("x-ms-lease-id", new UUID(3, 4).toString()).header("x-ms-source-lease-id", lease.toString());
        assertThat(BlobConditions.ofSource(http.request()))
                .isEqualTo(new AccessConditions(
                        new Conditions(List.of(), List.of("0x2"), OptionalLong.empty(), OptionalLong.empty()),
                        Optional.of(lease)));
    }
}
