package dev.trestle.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.model.PublicAccess;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublicAccessTest {
    private static final String BLOB = "/devstoreaccount1/photos/emp/1";
    private static final Optional<String> RESOURCE = Optional.of("photos/emp/1");
    private static final Optional<String> CONTAINER = Optional.of("photos");

    private final Judge judge = new Judge();

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD"})
    void a_public_blob_is_read_without_credentials(String method) {
        Grant grant = judge.publicAccess(PublicAccess.BLOB).grant(to(BLOB).method(method));

        grant.check(DeclaredPermission.GET_BLOB.permission(), RESOURCE);
        assertThat(grant.anonymous()).isTrue();
        assertThat(grant.mayOverwrite()).isFalse();
        assertThat(judge.lookups()).containsExactly("photos");
    }

    @ParameterizedTest
    @EnumSource(DeclaredPermission.class)
    void a_level_allows_its_operations_and_nothing_else(DeclaredPermission operation) {
        Set<DeclaredPermission> ofContainer =
                EnumSet.of(DeclaredPermission.LIST_BLOBS, DeclaredPermission.GET_CONTAINER_PROPERTIES);
        Grant blobs = judge.publicAccess(PublicAccess.BLOB).grant(to(BLOB));
        Grant all = judge.publicAccess(PublicAccess.CONTAINER).grant(to(BLOB));

        assertThat(allowed(blobs, operation, RESOURCE)).isEqualTo(operation == DeclaredPermission.GET_BLOB);
        assertThat(allowed(blobs, operation, CONTAINER)).isFalse();
        assertThat(allowed(all, operation, RESOURCE)).isEqualTo(operation == DeclaredPermission.GET_BLOB);
        assertThat(allowed(all, operation, CONTAINER)).isEqualTo(ofContainer.contains(operation));
        for (Optional<String> other : List.of(
                Optional.of("photos2"), Optional.of("photos2/p"), Optional.of("other/p"), Optional.<String>empty())) {
            assertThat(allowed(all, operation, other)).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "none, RESOURCE_NOT_FOUND",
                "2019-07-07, RESOURCE_NOT_FOUND",
                "2019-12-12, NO_AUTHENTICATION_INFORMATION",
                "2026-06-06, NO_AUTHENTICATION_INFORMATION",
            })
    void what_is_not_public_is_answered_by_the_version(String version, StorageError error) {
        Requests request = to(BLOB);
        if (version != null) {
            request.header("x-ms-version", version);
        }
        assertThat(judge.error(request)).isEqualTo(error);

        Grant grant = judge.publicAccess(PublicAccess.BLOB).grant(request);
        assertThat(Judge.refusalOf(() -> grant.check(DeclaredPermission.LIST_BLOBS.permission(), CONTAINER))
                        .error())
                .isEqualTo(error);
        assertThat(judge.error(request.method("PUT"))).isEqualTo(error);
        assertThat(judge.error(request.method("GET").path("/devstoreaccount1/")))
                .isEqualTo(error);
    }

    @Test
    void only_reads_of_a_container_are_looked_up() {
        judge.publicAccess(PublicAccess.CONTAINER);
        for (String method : List.of("PUT", "DELETE", "POST", "PATCH")) {
            assertThat(judge.error(to(BLOB).method(method))).isEqualTo(StorageError.RESOURCE_NOT_FOUND);
        }
        assertThat(judge.error(to("/devstoreaccount1/").query("comp=list"))).isEqualTo(StorageError.RESOURCE_NOT_FOUND);
        assertThat(judge.lookups()).isEmpty();
    }

    @Test
    void a_name_by_itself_is_a_blob_in_the_root_container_unless_the_container_is_asked_for() {
        judge.publicAccess(PublicAccess.CONTAINER);

        judge.grant(to("/devstoreaccount1/logo.png"))
                .check(DeclaredPermission.GET_BLOB.permission(), Optional.of("$root/logo.png"));
        judge.grant(to("/devstoreaccount1/photos").query("restype=container&comp=list"))
                .check(DeclaredPermission.LIST_BLOBS.permission(), CONTAINER);
        assertThat(judge.lookups()).containsExactly("$root", "photos");
    }

    @Test
    void credentials_that_are_wrong_do_not_fall_back_to_none() {
        judge.publicAccess(PublicAccess.CONTAINER);

        assertThat(judge.error(to(BLOB).query("sv=2026-06-06"))).isEqualTo(StorageError.AUTHENTICATION_FAILED);
        assertThat(judge.error(to(BLOB).query("sig=x"))).isEqualTo(StorageError.AUTHENTICATION_FAILED);
        assertThat(judge.error(to(BLOB).header("Authorization", "Bearer e30.e30.e30")))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
        assertThat(judge.lookups()).isEmpty();
    }

    @Test
    void other_services_show_nothing_to_everybody() {
        judge.publicAccess(PublicAccess.CONTAINER);

        assertThat(judge.error(to(BLOB).service(Service.QUEUE))).isEqualTo(StorageError.AUTHENTICATION_FAILED);
        assertThat(judge.error(to(BLOB).service(Service.TABLE))).isEqualTo(StorageError.AUTHENTICATION_FAILED);
        assertThat(judge.lookups()).isEmpty();
    }

    private static boolean allowed(Grant grant, DeclaredPermission operation, Optional<String> resource) {
        try {
            grant.check(operation.permission(), resource);
            return true;
        } catch (StorageException e) {
            return false;
        }
    }

    private static Requests to(String path) {
        return Requests.to(path).service(Service.BLOB);
    }
}
