package dev.trestle.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.catalogue.AccessPolicy;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoredPolicyTest {
    private static final Optional<String> ORDERS = Optional.of("orders");
    private static final OptionalLong YESTERDAY = ticks("2026-03-01T10:00:00Z");
    private static final OptionalLong TOMORROW = ticks("2026-03-03T10:00:00Z");
    private static final AccessPolicy READERS = new AccessPolicy("readers", YESTERDAY, TOMORROW, Optional.of("r"));

    private final Judge judge = new Judge();

    @Test
    void the_policy_fills_in_all_terms() {
        Grant grant = judge.policy(READERS).grant(Requests.with(Sas.policy("orders", "readers")));

        grant.check(DeclaredPermission.QUERY_ENTITIES.permission(), ORDERS);
        assertThat(Judge.refusalOf(() -> grant.check(DeclaredPermission.INSERT_ENTITY.permission(), ORDERS))
                        .error())
                .isEqualTo(StorageError.AUTHORIZATION_PERMISSION_MISMATCH);
        assertThat(judge.lookups()).containsExactly("orders");
    }

    @Test
    void what_the_policy_leaves_open_comes_from_the_signature() {
        judge.policy(new AccessPolicy("readers", OptionalLong.empty(), TOMORROW, Optional.empty()));

        assertThat(judge.grant(Requests.with(Sas.policy("orders", "readers").with("sp", "r"))))
                .isInstanceOf(TableSasGrant.class);
        assertThat(judge.error(Requests.with(Sas.policy("orders", "readers"))))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @Test
    void permissions_without_letters_leave_them_to_the_signature() {
        judge.policy(new AccessPolicy("readers", OptionalLong.empty(), TOMORROW, Optional.of("")));

        judge.grant(Requests.with(Sas.policy("orders", "readers").with("sp", "r")))
                .check(DeclaredPermission.QUERY_ENTITIES.permission(), ORDERS);
    }

    @Test
    void an_expiry_in_neither_place_is_refused() {
        judge.policy(new AccessPolicy("readers", YESTERDAY, OptionalLong.empty(), Optional.of("r")));

        assertThat(judge.error(Requests.with(Sas.policy("orders", "readers"))))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @ParameterizedTest
    @CsvSource({"sp, r", "st, 2026-01-01", "se, 2027-01-01"})
    void a_term_in_both_places_is_a_bad_request(String field, String value) {
        judge.policy(READERS);

        assertThat(judge.error(Requests.with(Sas.policy("orders", "readers").with(field, value))))
                .isEqualTo(StorageError.INVALID_QUERY_PARAMETER_VALUE);
    }

    @Test
    void deleting_the_policy_revokes_the_signature() {
        Requests request = Requests.with(Sas.policy("orders", "readers"));
        assertThat(judge.policy(READERS).grant(request)).isInstanceOf(TableSasGrant.class);

        assertThat(judge.revoke("readers").error(request)).isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @Test
    void expiring_the_policy_revokes_the_signature() {
        judge.policy(new AccessPolicy("readers", YESTERDAY, ticks("2026-03-02T10:00:00Z"), Optional.of("r")));

        assertThat(judge.error(Requests.with(Sas.policy("orders", "readers"))))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @Test
    void a_policy_that_has_not_started_does_not_count_yet() {
        judge.policy(new AccessPolicy("readers", TOMORROW, OptionalLong.of(Ticks.MAX), Optional.of("r")));

        assertThat(judge.error(Requests.with(Sas.policy("orders", "readers"))))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @Test
    void an_unknown_policy_or_table_is_refused() {
        judge.policy(READERS);

        assertThat(judge.error(Requests.with(Sas.policy("orders", "Readers"))))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
        assertThat(judge.dropResource().error(Requests.with(Sas.policy("orders", "readers"))))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @Test
    void policies_are_not_looked_up_for_a_wrong_signature() {
        judge.policy(READERS);

        assertThat(judge.error(Requests.with(Sas.policy("orders", "readers").signedBy(Requests.OTHER_KEY))))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
        assertThat(judge.lookups()).isEmpty();
    }

    @Test
    void the_grant_waits_for_the_lookup_and_fails_with_it() {
        Authenticator authenticator = new Authenticator(Accounts.DEVELOPMENT, () -> Judge.NOW, false, Optional.empty());
        SignedRequest request = Requests.with(Sas.policy("orders", "readers")).build();
        CompletableFuture<Optional<List<AccessPolicy>>> found = new CompletableFuture<>();
        CompletableFuture<Grant> granted =
                authenticator.authenticate(request, (account, table) -> found).toCompletableFuture();
        CompletableFuture<Optional<List<AccessPolicy>>> broken =
                CompletableFuture.failedFuture(new StorageException(StorageError.SERVER_BUSY));
        CompletableFuture<Grant> failed =
                authenticator.authenticate(request, (account, table) -> broken).toCompletableFuture();

        assertThat(granted).isNotDone();
        found.complete(Optional.of(List.of(READERS)));
        assertThat(granted).isCompleted();
        assertThatThrownBy(failed::join).hasRootCauseInstanceOf(StorageException.class);
    }

    private static OptionalLong ticks(String instant) {
        return OptionalLong.of(Ticks.of(Instant.parse(instant)));
    }
}
