package dev.trestle.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.AccessPolicy;
import dev.trestle.catalogue.Service;
import dev.trestle.model.StorageError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SasTamperingPropertyTest {
    /** One of each kind of character that fields have; none is another in lower case. */
    private static final List<String> REPLACEMENTS = List.of("r", "z", "0", "7", "-", ":", ",", "=", "+", " ", "/");

    private final Judge judge = new Judge(Accounts.DEVELOPMENT, false, Optional.of(Tokens.VERIFIER))
            .policy(new AccessPolicy("readers", OptionalLong.empty(), OptionalLong.empty(), Optional.empty()));

    /** A request and its service. */
    record Signed(Service service, Map<String, String> fields) {}

    static Stream<Signed> signatures() {
        return Stream.concat(
                tableSignatures().map(fields -> new Signed(Service.TABLE, fields)),
                Stream.concat(
                        queueSignatures().map(fields -> new Signed(Service.QUEUE, fields)),
                        blobSignatures().map(fields -> new Signed(Service.BLOB, fields))));
    }

    private static Stream<Map<String, String>> blobSignatures() {
        UserDelegation.Key key = Tokens.delegationKey();
        return Stream.of(
                Sas.ofBlob("orders/1").signed(),
                Sas.ofBlob("orders/1")
                        .with("st", "2026-01-01T00:00:00Z")
                        .with("si", "readers")
                        .with("sip", "127.0.0.1-127.0.0.9")
                        .with("spr", "https,http")
                        .with("rscc", "no-store")
                        .with("rscd", "inline")
                        .with("rsce", "gzip")
                        .with("rscl", "de")
                        .with("rsct", "text/plain")
                        .signed(),
                Sas.ofContainer("orders").signed(),
                Sas.ofContainer("orders").with("sv", "2018-11-09").signed(),
                Sas.ofSnapshot("orders/1", "2026-02-01T10:00:00.1234567Z").signed(),
                Sas.ofBlob("orders/1").with("sv", "2018-03-28").signed(),
                Sas.ofBlob("orders/1")
                        .with("sv", "2015-02-21")
                        .with("rscc", "no-store")
                        .signed(),
                Sas.ofBlob("orders/1").with("sv", "2014-02-14").signed(),
                Sas.ofBlob("orders/1").with("sv", "2012-02-12").signed(),
                Sas.account().with("ss", "bqt").with("sv", "2026-06-06").signed(),
                Sas.ofDelegate("orders/1", key).signed(),
                Sas.ofDelegate("orders/1", key)
                        .with("st", "2026-03-02")
                        .with("saoid", "agent")
                        .with("scid", "1-2")
                        .with("skdutid", "t")
                        .with("rsct", "text/plain")
                        .signed(),
                Sas.ofDelegate("orders/1", key).with("sv", "2025-07-05").signed(),
                Sas.ofDelegate("orders/1", key).with("sv", "2020-12-06").signed(),
                Sas.ofDelegate("orders/1", key).with("sv", "2020-02-10").signed(),
                Sas.ofDelegate("orders/1", key).with("sv", "2018-11-09").signed());
    }

    private static Stream<Map<String, String>> queueSignatures() {
        return Stream.of(
                Sas.ofQueue("orders").signed(),
                Sas.ofQueue("orders")
                        .with("st", "2026-01-01T00:00:00Z")
                        .with("si", "readers")
                        .with("sip", "127.0.0.1-127.0.0.9")
                        .with("spr", "https,http")
                        .signed(),
                Sas.ofQueue("orders").with("sv", "2015-02-21").signed(),
                Sas.ofQueue("orders").with("sv", "2014-02-14").signed(),
                Sas.account().with("ss", "bqt").with("sv", "2026-06-06").signed());
    }

    private static Stream<Map<String, String>> tableSignatures() {
        return Stream.of(
                Sas.table("orders").signed(),
                Sas.table("orders")
                        .with("st", "2026-01-01T00:00:00Z")
                        .with("si", "readers")
                        .with("sip", "127.0.0.1-127.0.0.9")
                        .with("spr", "https,http")
                        .with("spk", "p1")
                        .with("srk", "r1")
                        .with("epk", "p9")
                        .with("erk", "r9")
                        .signed(),
                Sas.table("orders").with("sv", "2014-02-14").with("spk", "p1").signed(),
                Sas.account()
                        .with("st", "2026-01-01")
                        .with("sip", "127.0.0.1")
                        .with("spr", "https,http")
                        .signed(),
                Sas.account().with("sv", "2020-12-06").with("ses", "scope").signed(),
                Sas.account().with("sv", "2020-12-06").withoutScopeLine().signed());
    }

    @ParameterizedTest
    @MethodSource("signatures")
    void changing_any_one_character_is_refused(Signed signed) {
        assertThat(judge.grant(request(signed.service, signed.fields))).isNotNull();
        signed.fields.forEach((field, value) -> {
            for (int i = 0; i < value.length(); i++) {
                for (String replacement : REPLACEMENTS) {
                    if (!value.startsWith(replacement, i)) {
                        assertRefused(signed, field, value.substring(0, i) + replacement + value.substring(i + 1));
                    }
                }
                assertRefused(signed, field, value.substring(0, i) + value.substring(i + 1));
            }
        });
    }

    @ParameterizedTest
    @MethodSource("signatures")
    void leaving_out_any_field_is_refused(Signed signed) {
        for (String field : signed.fields.keySet()) {
            Map<String, String> tampered = new LinkedHashMap<>(signed.fields);
            tampered.remove(field);
            assertThat(judge.error(request(signed.service, tampered)))
                    .as(field)
                    .isEqualTo(StorageError.AUTHENTICATION_FAILED);
        }
    }

    @ParameterizedTest
    @MethodSource("signatures")
    void adding_a_field_that_is_signed_is_refused(Signed signed) {
        for (String field : signedFields(signed)) {
            if (!signed.fields.containsKey(field)) {
                assertRefused(signed, field, "2026-01-01");
            }
        }
    }

    /** Those that count for this kind of signature and may be absent, and the one that would make it another kind. */
    private static List<String> signedFields(Signed signed) {
        List<String> fields = new ArrayList<>(List.of("st", "si", "sip", "spr"));
        if (signed.fields.containsKey("sr")) {
            fields.addAll(List.of("ses", "srh", "srq", "rscc", "rscd", "rsce", "rscl", "rsct"));
        }
        if (signed.fields.containsKey("skoid")) {
            fields.addAll(List.of("saoid", "suoid", "scid", "skdutid", "sduoid"));
        }
        if (signed.fields.containsKey("tn")) {
            fields.addAll(List.of("spk", "srk", "epk", "erk"));
        } else if (signed.fields.containsKey("ss")) {
            fields.add("ses");
        }
        fields.add(signed.service == Service.TABLE ? "tn" : "skoid");
        return fields;
    }

    private void assertRefused(Signed signed, String field, String value) {
        Map<String, String> tampered = new LinkedHashMap<>(signed.fields);
        tampered.put(field, value);
        assertThat(judge.error(request(signed.service, tampered)))
                .as("%s=%s", field, value)
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    private static Requests request(Service service, Map<String, String> fields) {
        boolean ofBlob = service == Service.BLOB && !"c".equals(fields.get("sr"));
        String path = ofBlob ? "/devstoreaccount1/orders/1" : "/devstoreaccount1/orders";
        String query = ofBlob ? "" : "restype=container&";
        return Requests.to(path).service(service).query(query + Sas.query(fields));
    }
}
