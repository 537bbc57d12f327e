package dev.trestle.server.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.trestle.blob.Lease;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import dev.trestle.server.pipeline.FakeHttp;
import dev.trestle.server.pipeline.Response;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseRequestTest {
    private static final UUID ID = new UUID(1, 2);
    private static final UUID OTHER = new UUID(3, 4);
    private static final long NOW = 1000 * Ticks.PER_SECOND;

    private static FakeHttp action(String word) {
        return new FakeHttp("PUT", "/acct/c/b?comp=lease").header("x-ms-lease-action", word);
    }

    private static StorageError errorOf(FakeHttp http) {
        return catchThrowableOfType(StorageException.class, () -> LeaseRequest.of(http.request()))
                .error();
    }

    private static LeaseRequest acquire(String seconds) {
        return LeaseRequest.of(action("acquire")
                .header("x-ms-lease-duration", seconds)
                .header("x-ms-proposed-lease-id", ID.toString())
                .request());
    }

    @Test
    void a_lease_goes_its_way() {
        Lease lease = acquire("15").action().apply(Lease.NONE, NOW);
        assertThat(lease).isEqualTo(new Lease(ID.toString(), 15, NOW + 15 * Ticks.PER_SECOND, 0));
        LeaseRequest change = LeaseRequest.of(action("Change")
                .header("x-ms-lease-id", ID.toString())
                .header("x-ms-proposed-lease-id", OTHER.toString())
                .request());
        Lease changed = change.action().apply(lease, NOW);
        assertThat(change.addTo(new Response(200), changed, NOW).headers())
                .containsExactly(Map.entry("x-ms-lease-id", OTHER.toString()));
        FakeHttp renew = action("renew").header("x-ms-lease-id", OTHER.toString());
        Lease renewed = LeaseRequest.of(renew.request()).action().apply(changed, NOW + 5);
        assertThat(renewed.ends()).isEqualTo(NOW + 5 + 15 * Ticks.PER_SECOND);
        LeaseRequest breaking = LeaseRequest.of(
                action("BREAK").header("x-ms-lease-break-period", "7").request());
        Lease broken = breaking.action().apply(renewed, NOW);
        assertThat(breaking.addTo(new Response(202), broken, NOW).headers())
                .containsExactly(Map.entry("x-ms-lease-time", "7"));
        LeaseRequest release = LeaseRequest.of(
                action("release").header("x-ms-lease-id", OTHER.toString()).request());
        assertThat(release.action().apply(broken, NOW)).isEqualTo(Lease.NONE);
    }

    @ParameterizedTest
    @CsvSource({"renew, 200", "release, 200", "break, 202"})
    void every_action_has_its_status(String word, int status) {
        assertThat(LeaseRequest.of(action(word)
                                .header("x-ms-lease-id", ID.toString())
                                .request())
                        .status())
                .isEqualTo(status);
        assertThat(acquire("-1").status()).isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "14", "61", "-2", "x", "", "1.5", "99999999999"})
    void a_duration_is_from_15_to_60_seconds_or_endless(String seconds) {
        assertThat(errorOf(action("acquire").header("x-ms-lease-duration", seconds)))
                .isEqualTo(StorageError.INVALID_HEADER_VALUE);
        assertThat(acquire("60").action().apply(Lease.NONE, NOW).seconds()).isEqualTo(60);
        assertThat(acquire("-1").action().apply(Lease.NONE, NOW).seconds()).isEqualTo(Lease.INFINITE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "61", "x"})
    void a_break_period_is_up_to_60_seconds(String seconds) {
        assertThat(errorOf(action("break").header("x-ms-lease-break-period", seconds)))
                .isEqualTo(StorageError.INVALID_HEADER_VALUE);
    }

    @Test
    void what_is_missing_is_named() {
        List.of(
                        new FakeHttp("PUT", "/"),
                        action("acquire"),
                        action("renew"),
                        action("release"),
                        action("change"),
                        action("change").header("x-ms-lease-id", ID.toString()))
                .forEach(http -> assertThat(errorOf(http)).isEqualTo(StorageError.MISSING_REQUIRED_HEADER));
        assertThat(errorOf(action("take"))).isEqualTo(StorageError.INVALID_HEADER_VALUE);
    }
}
