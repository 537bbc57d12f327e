package dev.trestle.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.model.StorageError;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class BlobSasGrantTest {
    /** Each operation on blobs with the letters that open it one by one. */
    private static final Map<DeclaredPermission, List<String>> ON_BLOBS = Map.of(
            DeclaredPermission.GET_BLOB, List.of("r"),
            DeclaredPermission.PUT_BLOB, List.of("c", "w"),
            DeclaredPermission.WRITE_BLOB, List.of("w"),
            DeclaredPermission.APPEND_BLOCK, List.of("a", "w"),
            DeclaredPermission.BREAK_BLOB_LEASE, List.of("w", "d"),
            DeclaredPermission.DELETE_BLOB, List.of("d"),
            DeclaredPermission.GET_BLOB_TAGS, List.of("t"),
            DeclaredPermission.SET_BLOB_TAGS, List.of("t"));

    /** Each operation on containers that a signature opens, with its letter. */
    private static final Map<DeclaredPermission, String> ON_CONTAINERS = Map.of(
            DeclaredPermission.LIST_BLOBS,
            "l",
            DeclaredPermission.LIST_BLOB_TAGS,
            "t",
            DeclaredPermission.FIND_BLOBS_IN_CONTAINER,
            "f");

    private static final String ALL = "racwdxyltmeopfi";

    private final Judge judge = new Judge();

    @ParameterizedTest
    @EnumSource(DeclaredPermission.class)
    void over_a_blob_only_operations_on_blobs_are_opened(DeclaredPermission operation) {
        Grant grant = judge.grant(Requests.with(Sas.ofBlob("photos/p").with("sp", ALL)));

        if (ON_BLOBS.containsKey(operation)) {
            grant.check(operation.permission(), Optional.of("photos/p"));
        } else if (operation != DeclaredPermission.GET_ACCOUNT_INFORMATION) {
            assertRefused(StorageError.AUTHORIZATION_FAILURE, grant, operation, "photos/p");
        }
        if (operation != DeclaredPermission.GET_ACCOUNT_INFORMATION) {
            for (String other : List.of("photos/q", "photos/p/", "photos/p/q", "photos", "other/p", "")) {
                assertRefused(StorageError.AUTHORIZATION_FAILURE, grant, operation, other);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(DeclaredPermission.class)
    void over_a_container_its_blobs_and_their_list_are_opened(DeclaredPermission operation) {
        Grant grant = judge.grant(Requests.with(Sas.ofContainer("photos").with("sp", ALL)));

        if (ON_BLOBS.containsKey(operation)) {
            grant.check(operation.permission(), Optional.of("photos/p"));
            grant.check(operation.permission(), Optional.of("photos/a/b"));
        } else if (ON_CONTAINERS.containsKey(operation) || operation == DeclaredPermission.BLOB_BATCH) {
            grant.check(operation.permission(), Optional.of("photos"));
            assertRefused(StorageError.AUTHORIZATION_FAILURE, grant, operation, "photos/p");
        } else if (operation != DeclaredPermission.GET_ACCOUNT_INFORMATION) {
            assertRefused(StorageError.AUTHORIZATION_FAILURE, grant, operation, "photos");
            assertRefused(StorageError.AUTHORIZATION_FAILURE, grant, operation, "photos/p");
        }
        if (operation != DeclaredPermission.GET_ACCOUNT_INFORMATION) {
            for (String other : List.of("photos2", "photos2/p", "photo", "other/p", "")) {
                assertRefused(StorageError.AUTHORIZATION_FAILURE, grant, operation, other);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DeclaredPermission.class,
            names = {
                "GET_BLOB",
                "PUT_BLOB",
                "WRITE_BLOB",
                "APPEND_BLOCK",
                "BREAK_BLOB_LEASE",
                "DELETE_BLOB",
                "GET_BLOB_TAGS",
                "SET_BLOB_TAGS"
            })
    void an_operation_needs_one_of_its_letters(DeclaredPermission operation) {
        String others = ALL;
        for (String letter : ON_BLOBS.getOrDefault(operation, List.of())) {
            judge.grant(Requests.with(Sas.ofBlob("photos/p").with("sp", letter)))
                    .check(operation.permission(), Optional.of("photos/p"));
            others = others.replace(letter, "");
        }
        Grant grant = judge.grant(Requests.with(Sas.ofBlob("photos/p").with("sp", others)));

        assertRefused(StorageError.AUTHORIZATION_PERMISSION_MISMATCH, grant, operation, "photos/p");
    }

    @Test
    void to_list_blobs_is_not_to_read_them_and_the_reverse() {
        Grant lists = judge.grant(Requests.with(Sas.ofContainer("photos").with("sp", "l")));
        Grant reads = judge.grant(Requests.with(Sas.ofContainer("photos").with("sp", "r")));

        lists.check(DeclaredPermission.LIST_BLOBS.permission(), Optional.of("photos"));
        assertRefused(StorageError.AUTHORIZATION_PERMISSION_MISMATCH, lists, DeclaredPermission.GET_BLOB, "photos/p");
        assertRefused(StorageError.AUTHORIZATION_PERMISSION_MISMATCH, reads, DeclaredPermission.LIST_BLOBS, "photos");
    }

    @Test
    void an_operation_on_a_container_needs_its_letter() {
        ON_CONTAINERS.forEach((operation, letter) -> {
            judge.grant(Requests.with(Sas.ofContainer("photos").with("sp", letter)))
                    .check(operation.permission(), Optional.of("photos"));
            Grant others = judge.grant(Requests.with(Sas.ofContainer("photos").with("sp", ALL.replace(letter, ""))));
            assertRefused(StorageError.AUTHORIZATION_PERMISSION_MISMATCH, others, operation, "photos");
        });
    }

    @Test
    void the_tags_of_a_snapshot_can_be_read_and_no_others_set() {
        String taken = "2026-01-01T00:00:00.0000000Z";
        Grant grant =
                judge.grant(Requests.with(Sas.ofSnapshot("photos/p", taken).with("sp", "rt")));

        grant.check(DeclaredPermission.GET_BLOB_TAGS.permission(), Optional.of("photos/p"));
        assertRefused(StorageError.AUTHORIZATION_FAILURE, grant, DeclaredPermission.SET_BLOB_TAGS, "photos/p");
    }

    @Test
    void every_signature_opens_the_information_about_the_account() {
        for (Sas sas : List.of(
                Sas.ofBlob("photos/p").with("sp", "x"),
                Sas.ofContainer("photos").with("sp", "x"))) {
            judge.grant(Requests.with(sas))
                    .check(DeclaredPermission.GET_ACCOUNT_INFORMATION.permission(), Optional.empty());
        }
    }

    @Test
    void every_signature_over_a_container_opens_batches_for_it() {
        Grant grant = judge.grant(Requests.with(Sas.ofContainer("photos").with("sp", "x")));

        grant.check(DeclaredPermission.BLOB_BATCH.permission(), Optional.of("photos"));
        assertThat(Judge.refusalOf(() -> grant.check(DeclaredPermission.BLOB_BATCH.permission(), Optional.empty()))
                        .error())
                .isEqualTo(StorageError.AUTHORIZATION_FAILURE);
    }

    @ParameterizedTest
    @CsvSource({"c, false", "rc, false", "ac, false", "w, true", "cw, true", "rwd, true"})
    void only_who_may_write_may_overwrite(String letters, boolean allowed) {
        assertThat(judge.grant(Requests.with(Sas.ofBlob("photos/p").with("sp", letters)))
                        .mayOverwrite())
                .isEqualTo(allowed);
    }

    private static void assertRefused(StorageError error, Grant grant, DeclaredPermission operation, String resource) {
        assertThat(Judge.refusalOf(() -> grant.check(operation.permission(), Optional.of(resource)))
                        .error())
                .as("%s on %s", operation, resource)
                .isEqualTo(error);
    }
}
