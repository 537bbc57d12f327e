package dev.trestle.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.filter.Filter;
import dev.trestle.model.EntityKey;
import dev.trestle.model.StorageError;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TableSasTest {
    private static final Optional<String> ORDERS = Optional.of("orders");

    private final Judge judge = new Judge();

    @Test
    void the_vector_that_only_reads_is_accepted() {
        Grant grant = judge.grant(Requests.to("/devstoreaccount1/orders()")
                .query("sp=r&se=2027-01-01T00:00:00Z&sv=2019-02-02&tn=orders"
                        + "&sig=THOqvaDbl6mR74EXpLlSWtX9I2qeGM4f2rg7dwdHOog%3D"));

        grant.check(DeclaredPermission.QUERY_ENTITIES.permission(), ORDERS);
        assertThat(grant.scope()).isEqualTo(Filter.ALL);
        assertThat(judge.lookups()).isEmpty();
    }

    @Test
    void the_vector_with_a_range_is_accepted() {
        Grant grant = judge.grant(Requests.to("/devstoreaccount1/orders()")
                .query("sp=raud&st=2026-01-01T00:00:00Z&se=2027-01-01T00:00:00Z&spr=https,http&sv=2019-02-02&tn=orders"
                        + "&spk=p1&srk=r1&epk=p9&erk=r9&sig=1iP4/2eKz6T7vlE8C8fGCztLn2NmolVcZ37U6eh0GaE%3D"));

        grant.checkKey(new EntityKey("p1", "r1"));
        grant.checkKey(new EntityKey("p9", "r9"));
        assertThat(Judge.refusalOf(() -> grant.checkKey(new EntityKey("p1", "r0")))
                        .error())
                .isEqualTo(StorageError.AUTHORIZATION_FAILURE);
        assertThat(Judge.refusalOf(() -> grant.checkKey(new EntityKey("p9", "s")))
                        .error())
                .isEqualTo(StorageError.AUTHORIZATION_FAILURE);
        assertThat(grant.scope())
                .hasToString("(PartitionKey gt 'p1' or PartitionKey eq 'p1' and RowKey ge 'r1')"
                        + " and (PartitionKey lt 'p9' or PartitionKey eq 'p9' and RowKey le 'r9')");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2012-02-12",
                "2013-08-15",
                "2014-02-14",
                "2015-02-21",
                "2015-04-05",
                "2018-11-09",
                "2020-12-06",
                "2026-06-06"
            })
    void each_version_has_its_string_to_sign(String version) {
        assertThat(judge.grant(Requests.with(Sas.table("orders")
                        .with("sv", version)
                        .with("st", "2026-01-01")
                        .with("spk", "a"))))
                .isInstanceOf(TableSasGrant.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2011-08-18", "2019", "x"})
    void a_version_that_has_no_table_SAS_is_refused(String version) {
        assertThat(judge.error(Requests.with(Sas.table("orders").with("sv", version))))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @ParameterizedTest
    @CsvSource({"sip, 127.0.0.1", "spr, 'https,http'"})
    void a_version_that_does_not_sign_source_and_protocol_cannot_carry_them(String field, String value) {
        assertThat(judge.error(Requests.with(
                        Sas.table("orders").with("sv", "2015-02-21").with(field, value))))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @Test
    void the_case_of_the_table_name_does_not_matter() {
        Sas sas = Sas.table("ORDERS");

        judge.grant(Requests.with(sas)).check(DeclaredPermission.QUERY_ENTITIES.permission(), ORDERS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sv", "sp", "se"})
    void a_required_field_that_is_missing_is_refused(String field) {
        assertThat(judge.error(Requests.with(Sas.table("orders").without(field))))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @Test
    void time_source_and_protocol_are_checked() {
        assertThat(judge.error(Requests.with(Sas.table("orders").with("se", "2026-03-02T10:00:00Z"))))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
        assertThat(judge.error(Requests.with(Sas.table("orders").with("st", "2026-03-02T10:00:01Z"))))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
        assertThat(judge.error(Requests.with(Sas.table("orders").with("sip", "10.0.0.1"))))
                .isEqualTo(StorageError.AUTHORIZATION_SOURCE_IP_MISMATCH);
        assertThat(judge.error(Requests.with(Sas.table("orders").with("spr", "https"))))
                .isEqualTo(StorageError.AUTHORIZATION_PROTOCOL_MISMATCH);
    }

    @ParameterizedTest
    @EnumSource(DeclaredPermission.class)
    void only_entities_are_opened(DeclaredPermission operation) {
        Grant grant = judge.grant(Requests.with(Sas.table("orders")));

        if (operation.name().matches(".*_ENTIT(Y|IES)")) {
            grant.check(operation.permission(), ORDERS);
        } else {
            assertThat(Judge.refusalOf(() -> grant.check(operation.permission(), ORDERS))
                            .error())
                    .isEqualTo(StorageError.AUTHORIZATION_FAILURE);
        }
    }

    @Test
    void other_tables_stay_closed() {
        Grant grant = judge.grant(Requests.with(Sas.table("orders")));

        for (Optional<String> other : List.of(Optional.of("orders2"), Optional.<String>empty())) {
            assertThat(Judge.refusalOf(() -> grant.check(DeclaredPermission.QUERY_ENTITIES.permission(), other))
                            .error())
                    .isEqualTo(StorageError.AUTHORIZATION_FAILURE);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "QUERY_ENTITIES, aud",
        "INSERT_ENTITY, rud",
        "UPSERT_ENTITY, rad",
        "UPSERT_ENTITY, rud",
        "UPDATE_ENTITY, rad",
        "DELETE_ENTITY, rau",
    })
    void an_operation_needs_its_permission(DeclaredPermission operation, String letters) {
        Grant grant = judge.grant(Requests.with(Sas.table("orders").with("sp", letters)));

        assertThat(Judge.refusalOf(() -> grant.check(operation.permission(), ORDERS))
                        .error())
                .isEqualTo(StorageError.AUTHORIZATION_PERMISSION_MISMATCH);
    }

    @ParameterizedTest
    @ValueSource(strings = {"srk", "erk"})
    void a_row_key_without_its_partition_key_is_refused(String field) {
        assertThat(judge.error(Requests.with(Sas.table("orders").with(field, "r"))))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @Test
    void the_empty_key_is_a_bound() {
        Grant grant =
                judge.grant(Requests.with(Sas.table("orders").with("epk", "").with("erk", "m")));

        grant.checkKey(new EntityKey("", "m"));
        assertThat(Judge.refusalOf(() -> grant.checkKey(new EntityKey("a", ""))).error())
                .isEqualTo(StorageError.AUTHORIZATION_FAILURE);
    }

    @Test
    void a_line_end_cannot_move_one_field_into_the_next() {
        assertThat(judge.error(Requests.with(Sas.table("orders").with("spk", "a\nb"))))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @Test
    void a_table_name_no_table_can_have_is_refused() {
        assertThat(judge.error(Requests.with(Sas.table("no-table")))).isEqualTo(StorageError.INVALID_RESOURCE_NAME);
        assertThat(judge.error(Requests.with(Sas.table("")))).isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @Test
    void an_account_SAS_does_not_pass_for_one_of_a_table() {
        assertThat(judge.error(Requests.to("/devstoreaccount1/orders")
                        .query(Sas.account().query() + "&tn=orders")))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @Test
    void a_SAS_of_a_table_does_not_pass_for_one_of_a_blob() {
        assertThat(judge.error(Requests.with(Sas.table("orders")).service(Service.BLOB)))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }
}
